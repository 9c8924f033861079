"""Elaboration of names: words, functions, records, fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ludex.grammar import Identifier, Span, did_you_mean, nearest
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import a, apart, astray, certainly
from ..values import types as t
from .builtins import BUILTIN_FUNCTIONS, BUILTIN_VALUES, CLAIM_PATHS, CLAIM_WORDS, call_builtin, sample_call
from .declared import LANGUAGE_VALUES, label_kind, own_names
from .field_access import field_names, field_table
from .scope import Scope, is_poison, poison
from .symbols import (
    ConstantFunction,
    DefineFunction,
    ElementFunction,
    Faulty,
    Later,
    Symbols,
    parameters_of,
    spelled,
    words_of_type,
)

if TYPE_CHECKING:
    from .defines import Defines
    from .expressions import ExpressionElaborator


class NameElaborator:
    """Elaborates names, for `ExpressionElaborator`."""

    def __init__(self, symbols: Symbols, defines: Defines, expressions: ExpressionElaborator) -> None:
        self.symbols = symbols
        self.diagnostics = symbols.diagnostics
        self.defines = defines
        self.ex = expressions

    def name(self, node: s.Name, scope: Scope, expected: t.Type | None) -> m.Expr:
        if node.name in self.symbols.taken:
            return poison(node.span)
        is_called = node.my or node.arguments is not None
        is_claim = node.name in CLAIM_WORDS and (is_called or node.name in LANGUAGE_VALUES)
        if is_claim and not scope.path.startswith(CLAIM_PATHS):
            message = f"`{node.name}` is known only in examples and invariants"
            hint = "a rule compares scores: `total(p)`" if node.name == "winner" else None
            self.diagnostics.report(spec_codes.OUT_OF_SCOPE, message, node.span, hint)
            return poison(node.span)
        if is_called:
            return self._application(node, scope, expected)
        if node.name == "me":
            return self.me(node.span, scope)
        if variable := scope.names.get(node.name):
            scope.frame.read.add(variable.slot)
            return m.Local(variable.type, node.span, variable.slot)
        if node.name in scope.cast:
            return m.Constant(self.symbols.players, node.span, scope.cast[node.name])
        # The expected type goes before functions: a word may have the name of a function of the game.
        if word := self._word(node.name, expected, node.span):
            return word
        if node.name in BUILTIN_VALUES:
            return BUILTIN_VALUES[node.name](self.symbols, node.span)
        if node.name in self.symbols.functions or node.name in self.defines.pending:
            return self._call(node, (), scope)
        return self._global_word(node, scope, expected)

    def me(self, span: Span, scope: Scope, nobody: str = "`me` has no value here: nobody acts") -> m.Expr:
        """Return the acting player. nobody: the message where there is none."""
        if scope.me is None:
            hint = "say which player is meant, or pass the player as an argument"
            self.diagnostics.report(spec_codes.OUT_OF_SCOPE, nobody, span, hint, unknown="me")
            return poison(span)
        if scope.outer_me:
            # Only this use depends on who calls the routine: a player whom the routine names acts whoever calls it.
            scope.frame.use_me(span)
        return m.Local(scope.me, span, 0)

    def _word(self, name: str, expected: t.Type | None, span: Span) -> m.Expr | None:
        """Return the constant for a word of a type or an id of a component; None if it has no such word."""
        wanted = t.strip_optional(expected) if expected else None
        if isinstance(wanted, t.Words) and (case := wanted.case(name)) and not case.fields:
            self.symbols.uses.read.update((f"word {wanted}.{name}", f"type {wanted}"))
            return m.Constant(wanted, span, wanted.positions[name, ()])
        if isinstance(wanted, t.ComponentType) and name in wanted.positions:
            return m.Constant(wanted, span, wanted.positions[name])
        return None

    def _global_word(self, node: s.Name, scope: Scope, expected: t.Type | None) -> m.Expr:
        owners: list[t.Type] = [*self.symbols.words_with(node.name), *self.symbols.components_with(node.name)]
        if len(owners) > 1:
            names = spelled(str(o) for o in owners)
            hint = f"write `{owners[0]}.{node.name}`"
            self.diagnostics.report(spec_codes.AMBIGUOUS_WORD, f"`{node.name}` is a word of {names}", node.span, hint)
            return poison(node.span)
        if owners and (word := self._word(node.name, owners[0], node.span)):
            return word
        if owners:
            # The word exists, but only with its data.
            self._needs_data(node.name, node.span, owners[0])
            return poison(node.span)
        if node.name in BUILTIN_FUNCTIONS:
            hint = sample_call(node.name)
            self.diagnostics.report(
                spec_codes.WRONG_ARGUMENTS, f"`{node.name}` needs brackets: of what?", node.span, hint
            )
            return poison(node.span)
        return self._unknown(node.name, node.span, scope, expected)

    def _unknown(self, name: Identifier, span: Span, scope: Scope, expected: t.Type | None = None) -> m.Expr:
        """Report an unknown name, unless it may be a word of a faulty type."""
        wanted = t.strip_optional(expected) if expected else None
        # The name may be a word of what is faulty, and that was reported.
        if isinstance(wanted, t.Never) or self.symbols.checks.muted:
            return poison(span)
        place = name.span
        if name in scope.frame.hidden_names:
            message = f"`{name}` belongs to another clause and is not visible here"
            hint = "compute it again here, or make it a local `state` of the action"
            self.diagnostics.report(spec_codes.OUT_OF_SCOPE, message, place, hint, unknown=name)
        elif owner := next((n for n, node in self.symbols.declared.names.items() if name in own_names(node)), None):
            message = f"`{name}` belongs to `{owner}` and is not visible here"
            hint = "pass it as an argument to use it elsewhere"
            self.diagnostics.report(spec_codes.OUT_OF_SCOPE, message, place, hint, unknown=name)
        elif kind := label_kind(self.symbols.declared.names.get(scope.path.partition(".")[0]), name):
            self.diagnostics.report(spec_codes.UNKNOWN_NAME, f"`{name}` is {kind}, and a value is needed", place)
        elif words := words_of_type(wanted) if wanted else ():
            self._unknown_word(name, span, words, scope)
        else:
            self.symbols.misplaced("value", name, self._known(scope))
        return poison(span)

    def _unknown_word(self, name: Identifier, span: Span, words: tuple[str, ...], scope: Scope) -> None:
        """Report an unknown name where a word of a type is expected, with the nearest word or name."""
        if nearest(name, words) or self.symbols.kind_of(name, "value") or nearest(name, self._known(scope)):
            known = words if nearest(name, words) else self._known(scope)
            self.symbols.misplaced("value", name, known)
        else:
            hint = f"the words here are {spelled(words)}"
            self.diagnostics.report(spec_codes.UNKNOWN_NAME, f"no value is called `{name}`", span, hint, unknown=name)

    def _needs_data(self, word: str, span: Span, owner: t.Type) -> None:
        case = owner.case(word) if isinstance(owner, t.Words) else None
        wants = f": ({parameters_of(case.fields)})" if case else ""
        self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, f"`{word}` needs its data in brackets{wants}", span)

    def _known(self, scope: Scope) -> Iterable[str]:
        symbols = self.symbols
        return [
            *scope.names,
            *scope.cast,
            *symbols.functions,
            *self.defines.pending,
            *BUILTIN_VALUES,
            *BUILTIN_FUNCTIONS,
            *symbols.all_words(),
        ]

    def _application(self, node: s.Name, scope: Scope, expected: t.Type | None) -> m.Expr:
        arguments = node.arguments or ()
        wanted = t.strip_optional(expected) if expected else None
        # The expected type comes first: several types may have the word, and a function may be called like it.
        if not node.my:
            if isinstance(wanted, t.Words) and wanted.case(node.name):
                return self._make_word(node, wanted, scope)
            if node.name in BUILTIN_FUNCTIONS:
                return call_builtin(self.ex, node, scope)
        if node.name in self.symbols.functions or node.name in self.defines.pending:
            return self._call(node, (*first_argument(node), *arguments), scope)
        owners = self.symbols.words_with(node.name)
        if len(owners) == 1 and not node.my:
            return self._make_word(node, owners[0], scope)
        if node.name in scope.names or node.name in scope.cast or node.name in ("me", *BUILTIN_VALUES):
            message = f"`{node.name}` is a value and takes no {'`my`' if node.my else 'brackets'}"
            self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, node.span)
            return poison(node.span)
        return self._unknown(node.name, node.span, scope, None if node.my else expected)

    def _call(self, node: s.Name, arguments: tuple[s.Argument, ...], scope: Scope) -> m.Expr:
        # Only the zone itself may be counted while hidden, and not what its indices read.
        name, counting, scope = node.name, scope.counting, replace(scope, counting=False)
        function = Later() if self.defines.asks_for_later(name) else self.defines.function(name, node.span)
        self.symbols.uses.calls.add((self.defines.asking, name))
        match function:
            case None | Faulty():
                return poison(node.span)
            case Later():
                message = f"`{name}` changes during play; a value known before play is needed here"
                self.diagnostics.report(spec_codes.NOT_CONSTANT, message, node.name.span)
                return poison(node.span)
            case ConstantFunction(type=type_, value=value):
                # A constant takes no arguments, and some may be given.
                given = self.arguments(name, (), arguments, scope)
                return poison(node.span) if given is None else m.Constant(type_, node.span, value)
            case DefineFunction(parameters=parameters, result=result):
                given = self.arguments(name, parameters, arguments, scope)
                bad = given is None or result is None
                return poison(node.span) if bad else m.CallDefine(result, node.span, name, given)  # type: ignore[arg-type]
            case ElementFunction(element=element):
                # Indices have no names, so their types serve in messages.
                pairs = tuple((str(of), of) for of in element.indices)
                given = self.arguments(name, pairs, arguments, scope)
                return poison(node.span) if given is None else self.read(element, given, node.span, counting)

    def read(self, element: m.Element, indices: tuple[m.Expr, ...], span: Span, counting: bool) -> m.Expr:
        if element.is_zone and element.visibility == "hidden" and not counting:
            message = f"`{element.name}` is hidden: a rule cannot read its contents"
            self.diagnostics.report(spec_codes.HIDDEN_CONTENT, message, span)
            return poison(span)
        types: dict[str, t.Type] = {
            "state": element.type,
            # A place for one piece may be empty.
            "one": t.optional(element.type),
            "pile": t.ListOf(element.type),
            "bag": t.BagOf(element.type),
        }
        return m.Read(types[element.kind], span, element, indices)

    def arguments(
        self,
        name: Identifier,
        parameters: tuple[tuple[str, t.Type], ...],
        arguments: tuple[s.Argument, ...],
        scope: Scope,
    ) -> tuple[m.Expr, ...] | None:
        """Return the arguments in the parameters' order, type-checked, or None if a fault was reported."""
        ordered = self._ordered(name, parameters, arguments)
        if ordered is None:
            return None
        types = [type_ for _, type_ in parameters]
        # All are elaborated before any is fitted, so that swapped arguments can be found.
        exprs = [self.ex.expr(argument, scope, type_) for argument, type_ in zip(ordered, types, strict=True)]
        if self._turned_round(name, parameters, exprs):
            return None
        given = tuple(self.ex.fit(each, type_, scope) for each, type_ in zip(exprs, types, strict=True))
        return None if any(is_poison(g) for g in given) else given

    def _turned_round(self, name: str, parameters: tuple[tuple[str, t.Type], ...], exprs: list[m.Expr]) -> bool:
        """Report two swapped arguments, and return whether there were any."""
        types = [type_ for _, type_ in parameters]
        wrong = [at for at, each in enumerate(exprs) if not is_poison(each) and not t.fits(each.type, types[at])]
        # Only where each of two fits in the other's place is it certain what was meant.
        if len(wrong) != 2:
            return False
        one, other = wrong
        if not (t.fits(exprs[one].type, types[other]) and t.fits(exprs[other].type, types[one])):
            return False
        message = f"these arguments are in the wrong order: `{name}` takes ({parameters_of(parameters)})"
        span = min(exprs[one].span, exprs[other].span).to(max(exprs[one].span, exprs[other].span))
        self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, span)
        return True

    def _ordered(
        self, name: Identifier, parameters: tuple[tuple[str, t.Type], ...], arguments: tuple[s.Argument, ...]
    ) -> list[s.Expression] | None:
        names = [parameter for parameter, _ in parameters]
        places: dict[int, s.Expression] = {}
        for index, argument in enumerate(arguments):
            if argument.label and argument.label not in names:
                self.symbols.unknown(f"argument of `{name}`", argument.label, names)
                return None
            place = names.index(argument.label) if argument.label else index
            if place >= len(names) or place in places:
                self._superfluous(name, parameters, argument, place)
                return None
            places[place] = argument.value
        missing = [parameter for at, parameter in enumerate(parameters) if at not in places]
        if missing:
            self._missing(name, parameters, missing)
            return None
        return [places[at] for at in range(len(names))]

    def _superfluous(
        self, name: str, parameters: tuple[tuple[str, t.Type], ...], argument: s.Argument, place: int
    ) -> None:
        wants = f"takes ({parameters_of(parameters)})"
        message = f"`{name}` {wants}, and this is one too many" if parameters else f"`{name}` takes no arguments"
        hint = None if parameters else self._by_number(name)
        if place < len(parameters):
            message = f"`{parameters[place][0]}` of `{name}` is given already"
        # The author wrote no argument, only `my`.
        elif isinstance(argument, _Mine):
            message = f"`my` cannot be used with `{name}`, which does not belong to a player"
            if parameters:
                message = f"`{name}` {wants}, and `my` adds one more"
        self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, argument.span, hint)

    def _by_number(self, name: str) -> str | None:
        """Return the hint for a list that is read like an array, with the number of an element in brackets."""
        match self.symbols.functions.get(name):
            case ElementFunction(element=m.Element(kind="state", type=t.ListOf(of=of))):
                return f"a list is not read by number; values that are: `state {name}(1..4): {of}`"
            case _:
                return None

    def _missing(
        self,
        name: Identifier,
        parameters: tuple[tuple[str, t.Type], ...],
        missing: list[tuple[str, t.Type]],
    ) -> None:
        wants, hint = f"({parameters_of(parameters)})", None
        message = f"`{name}` needs brackets: {wants}"
        if len(missing) < len(parameters):
            message = f"`{name}` takes {wants}: {spelled(parameter for parameter, _ in missing)} is missing"
        elif len(parameters) == 1 and parameters[0][1] == self.symbols.players:
            hint = f"`my {name}` is that of the player who acts"
        self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, name.span, hint)

    # ---- types as values --------------------------------------------------------------------------------------

    def type_name(self, node: s.TypeName, scope: Scope) -> m.Expr:
        type_ = self.defines.types.named(node.name, node.span)
        if isinstance(type_, t.Never):
            return poison(node.span)
        if node.arguments is None:
            of = t.optional(type_) if node.optional else type_
            return m.AllValues(t.SetOf(of), node.span, of)
        if isinstance(type_, t.Record):
            return self._make_record(node, type_, scope)
        message = f"`{node.name}` is not a record; only records are made with brackets"
        self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, node.span)
        return poison(node.span)

    def _make_record(self, node: s.TypeName, record: t.Record, scope: Scope) -> m.Expr:
        ordered = self._ordered(node.name, record.fields, node.arguments or ())
        if ordered is None:
            return poison(node.span)
        parts = []
        for argument, (_, type_) in zip(ordered, record.fields, strict=True):
            part = self.ex.expr(argument, scope, type_)
            parts.append(self._part(part, type_))
        if any(is_poison(part) for part in parts):
            return poison(node.span)
        return self._record(node.span, record, tuple(parts))

    def _part(self, part: m.Expr, type_: t.Type) -> m.Expr:
        """Check a part of a record. A number that may be out of the part's range is valid; the record may then be
        `none`."""
        if is_poison(part) or isinstance(type_, t.Never):
            return poison(part.span)
        # A part that may be `none` makes the record `none`.
        if not t.fits(t.strip_optional(part.type), type_):
            self.ex.mismatch(part, type_)
        elif isinstance(type_, t.Range) and apart(part.type, type_):
            self.diagnostics.report(spec_codes.OUT_OF_RANGE, astray(part.type, type_), part.span)
        else:
            return part
        return poison(part.span)

    def _record(self, span: Span, record: t.Record, parts: tuple[m.Expr, ...]) -> m.Expr:
        full = 1
        for _, type_ in record.fields:
            full *= t.size(type_) or 1
        whole = full == len(record.members)
        # Without a `where`, and with every part in range, each combination is a member, so that the record exists.
        certain = whole and all(
            certainly(part.type, type_) for part, (_, type_) in zip(parts, record.fields, strict=True)
        )
        if all(isinstance(part, m.Constant) for part in parts):
            # All parts are known, so it is known whether the record exists.
            value = record.positions.get(tuple(cast(m.Constant, part).value for part in parts))
            if value is None:
                written = self.symbols.excerpts.text(span) or f"such {record.name}"
                self.diagnostics.report(spec_codes.OUT_OF_RANGE, f"there is no {written}", span)
                return poison(span)
            return m.Constant(record, span, value)
        return m.MakeRecord(record if certain else t.Optional(record), span, record, parts)

    def _make_word(self, node: s.Name, words: t.Words, scope: Scope) -> m.Expr:
        case = words.case(node.name)
        assert case is not None
        self.symbols.uses.read.add(f"word {words}.{node.name}")
        given = self.arguments(node.name, case.fields, node.arguments or (), scope)
        if given is None:
            return poison(node.span)
        if all(isinstance(part, m.Constant) for part in given):
            data = tuple(cast(m.Constant, part).value for part in given)
            return m.Constant(words, node.span, words.positions[node.name, data])
        return m.MakeWord(words, node.span, words, node.name, given)

    # ---- parts ------------------------------------------------------------------------------------------------

    def dot(self, node: s.Dot, scope: Scope) -> m.Expr:
        if isinstance(node.operand, s.TypeName) and node.operand.arguments is None:
            return self._word_of_type(node, node.operand)
        operand = self.ex.expr(node.operand, scope)
        if is_poison(operand):
            return poison(node.span)
        owner = t.strip_optional(operand.type)
        if isinstance(owner, t.ComponentType):
            # Its table may have been filled since the type was resolved.
            owner = self.symbols.types.get(owner.name, owner)
        field = field_table(owner, node.field)
        if field is None:
            self._no_field(node, owner)
            return poison(node.span)
        self.symbols.uses.read.add(f"field {owner}.{node.field}")
        type_, table = field
        type_ = t.optional(type_) if isinstance(operand.type, t.Optional) else type_
        if isinstance(operand, m.Constant) and operand.value is not None:
            return m.Constant(type_, node.span, table[operand.value])
        return m.TableField(type_, node.span, operand, node.field, table)

    def _no_field(self, node: s.Dot, held: t.Type) -> None:
        known = field_names(held)
        hint = did_you_mean(node.field, known) or (f"it has {spelled(known)}" if known else None)
        of = self.symbols.excerpts.text(node.operand.span)
        if hint is None and of and (node.field in self.symbols.functions or node.field in self.defines.pending):
            hint = f"write `{node.field}({of})`"
        whole = "`none`" if isinstance(held, t.Never) else a(held)
        place = node.field.span
        unknown = f"{held}.{node.field}"
        self.diagnostics.report(
            spec_codes.NO_SUCH_FIELD, f"{whole} has no part `{node.field}`", place, hint, unknown=unknown
        )

    def _word_of_type(self, node: s.Dot, owner: s.TypeName) -> m.Expr:
        type_ = self.defines.types.named(owner.name, owner.span)
        if isinstance(type_, t.Never):
            return poison(node.span)
        word = self._word(node.field, type_, node.span)
        if word is None:
            place = node.field.span
            if isinstance(type_, t.Words) and type_.case(node.field):
                self._needs_data(node.field, place, type_)
            else:
                self.symbols.unknown(f"word of {owner.name}", node.field, words_of_type(type_))
            return poison(node.span)
        return word


class _Mine(s.Argument):
    """The argument that the word `my` denotes."""

    __slots__ = ()


def first_argument(node: s.Name | s.Place) -> tuple[s.Argument, ...]:
    """Return the argument that `my` denotes."""
    if not node.my:
        return ()
    # The word `my` is the first one.
    place = node.span.head
    return (_Mine(place, None, s.Name(place, Identifier("me", place))),)
