"""Syntax to model, for names: words, functions, records, parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ludex.grammar import Span, nearest
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..types import (
    BagOf,
    ComponentType,
    ListOf,
    Optional,
    Record,
    SetOf,
    Type,
    Words,
    fits,
    optional,
    size,
    strip_optional,
)
from .bounds import a, certainly
from .functions import BUILTIN_FUNCTIONS, BUILTIN_VALUES, EXAMPLE_WORDS, SAMPLES, call_builtin
from .parts import field_names, field_table
from .scope import Scope, is_poison, poison
from .world import ConstantFunction, DefineFunction, ElementFunction, Faulty, World, parameters_of, spelled

if TYPE_CHECKING:
    from .defines import Defines
    from .expressions import Expressions


class Names:
    """Elaborates names, for `Expressions`."""

    def __init__(self, world: World, defines: Defines, expressions: Expressions) -> None:
        self.world = world
        self.report = world.report
        self.defines = defines
        self.ex = expressions

    def name(self, node: s.Name, scope: Scope, expected: Type | None) -> m.Expr:
        if node.name in EXAMPLE_WORDS and not scope.path.startswith("example."):
            message = f"`{node.name}` is known only in examples"
            self.report.report(codes.OUT_OF_SCOPE, message, node.span, "a rule compares scores: `total(p)`")
            return poison(node.span)
        if node.my or node.arguments is not None:
            return self._application(node, scope, expected)
        if node.name == "me":
            return self.me(node.span, scope)
        if variable := scope.names.get(node.name):
            return m.Local(variable.type, node.span, variable.slot)
        if node.name in scope.cast:
            return m.Constant(self.world.players, node.span, scope.cast[node.name])
        if word := self._word(node.name, expected, node.span):
            return word
        if node.name in BUILTIN_VALUES:
            return BUILTIN_VALUES[node.name](self.world, node.span)
        if node.name in self.world.functions or node.name in self.world.pending:
            return self._call(node, node.name, (), scope)
        return self._global_word(node, scope)

    def me(self, span: Span, scope: Scope) -> m.Expr:
        if scope.me is None:
            self.report.report(
                codes.OUT_OF_SCOPE,
                "`me` means nobody here",
                span,
                "say which player is meant, or hand him over as an argument",
            )
            return poison(span)
        if scope.outer_me:
            scope.frame.uses_me = scope.frame.uses_me or span
        return m.Local(scope.me, span, 0)

    def _word(self, name: str, expected: Type | None, span: Span) -> m.Expr | None:
        """A word of the expected type, or an id of the expected component."""
        wanted = strip_optional(expected) if expected else None
        if isinstance(wanted, Words) and (case := wanted.case(name)) and not case.fields:
            self.world.used.update((f"word {wanted}.{name}", f"type {wanted}"))
            return m.Constant(wanted, span, wanted.positions[name, ()])
        if isinstance(wanted, ComponentType) and name in wanted.positions:
            return m.Constant(wanted, span, wanted.positions[name])
        return None

    def _global_word(self, node: s.Name, scope: Scope) -> m.Expr:
        owners: list[Type] = [*self.world.words_with(node.name), *self.world.components_with(node.name)]
        if len(owners) > 1:
            names = spelled(str(o) for o in owners)
            hint = f"write `{owners[0]}.{node.name}`"
            self.report.report(codes.AMBIGUOUS_WORD, f"`{node.name}` is a word of {names}", node.span, hint)
            return poison(node.span)
        if owners and (word := self._word(node.name, owners[0], node.span)):
            return word
        if owners:
            self.report.report(codes.WRONG_ARGUMENTS, f"`{node.name}` needs its data in brackets", node.span)
            return poison(node.span)
        if node.name in BUILTIN_FUNCTIONS:
            hint = f"for example `{node.name}({SAMPLES[node.name]})`"
            self.report.report(codes.WRONG_ARGUMENTS, f"`{node.name}` needs brackets: of what?", node.span, hint)
            return poison(node.span)
        return self._unknown(node.name, node.span, scope)

    def _unknown(self, name: str, span: Span, scope: Scope) -> m.Expr:
        if name in scope.frame.hidden_names:
            self.report.report(
                codes.OUT_OF_SCOPE,
                f"`{name}` belongs to another clause and is not seen here",
                span,
                "a clause is closed: compute it here again, or make it a local `state` of the action",
            )
        else:
            self.world.unknown("value", name, span, self._known(scope))
        return poison(span)

    def _known(self, scope: Scope) -> Iterable[str]:
        world = self.world
        return [
            *scope.names,
            *scope.cast,
            *world.functions,
            *world.pending,
            *BUILTIN_VALUES,
            *BUILTIN_FUNCTIONS,
            *world.all_words(),
        ]

    def _application(self, node: s.Name, scope: Scope, expected: Type | None) -> m.Expr:
        arguments = node.arguments or ()
        wanted = strip_optional(expected) if expected else None
        if not node.my:
            if isinstance(wanted, Words) and wanted.case(node.name):
                return self._make_word(node, wanted, scope)
            if node.name in BUILTIN_FUNCTIONS:
                return call_builtin(self.ex, node, scope)
        if node.name in self.world.functions or node.name in self.world.pending:
            first = (s.Argument(node.span, None, s.Name(node.span, "me")),) if node.my else ()
            return self._call(node, node.name, (*first, *arguments), scope)
        owners = self.world.words_with(node.name)
        if len(owners) == 1 and not node.my:
            return self._make_word(node, owners[0], scope)
        if node.name in scope.names:
            self.report.report(
                codes.WRONG_ARGUMENTS, f"`{node.name}` is a value and takes no brackets or `my`", node.span
            )
            return poison(node.span)
        return self._unknown(node.name, node.span, scope)

    def _call(self, node: s.Name, name: str, arguments: tuple[s.Argument, ...], scope: Scope) -> m.Expr:
        counting, scope = scope.counting, replace(scope, counting=False)
        function = self.defines.function(name, node.span)
        self.world.used.add(f"function {name}")
        match function:
            case None | Faulty():
                return poison(node.span)
            case ConstantFunction(type=type_, value=value):
                self.arguments(name, (), arguments, scope, node.span)
                return m.Constant(type_, node.span, value)
            case DefineFunction(parameters=parameters, result=result):
                given = self.arguments(name, parameters, arguments, scope, node.span)
                bad = given is None or result is None
                return poison(node.span) if bad else m.CallDefine(result, node.span, name, given)  # type: ignore[arg-type]
            case ElementFunction(element=element):
                pairs = tuple((str(t), t) for t in element.indices)
                given = self.arguments(name, pairs, arguments, scope, node.span)
                return poison(node.span) if given is None else self.read(element, given, node.span, counting)

    def read(self, element: m.Element, indices: tuple[m.Expr, ...], span: Span, counting: bool) -> m.Expr:
        if element.is_zone and element.visibility == "hidden" and not counting:
            message = f"`{element.name}` is hidden; what lies in it cannot be read by a rule"
            self.report.report(codes.HIDDEN_CONTENT, message, span)
            return poison(span)
        held: dict[str, Type] = {
            "state": element.type,
            "one": optional(element.type),
            "pile": ListOf(element.type),
            "bag": BagOf(element.type),
        }
        return m.Read(held[element.kind], span, element, indices)

    def arguments(
        self,
        name: str,
        parameters: tuple[tuple[str, Type], ...],
        arguments: tuple[s.Argument, ...],
        scope: Scope,
        span: Span,
    ) -> tuple[m.Expr, ...] | None:
        """Arguments in the parameters' order, each of its type; None if any was reported."""
        ordered = self._ordered(name, parameters, arguments, span)
        if ordered is None:
            return None
        given = tuple(self.ex.wanted(a, t, scope) for a, (_, t) in zip(ordered, parameters, strict=True))
        return None if any(is_poison(g) for g in given) else given

    def _ordered(
        self, name: str, parameters: tuple[tuple[str, Type], ...], arguments: tuple[s.Argument, ...], span: Span
    ) -> list[s.Expression] | None:
        names = [parameter for parameter, _ in parameters]
        places: dict[str, s.Expression] = {}
        for index, argument in enumerate(arguments):
            label = argument.label or (names[index] if index < len(names) else None)
            if argument.label and argument.label not in names:
                self.world.unknown(f"argument of `{name}`", argument.label, argument.span, names)
                return None
            if label is None or label in places:
                break
            places[label] = argument.value
        if len(places) == len(names) == len(arguments):
            return [places[parameter] for parameter in names]
        if len(set(names)) < len(names) and len(arguments) == len(names):  # indices of one type share a name
            return [argument.value for argument in arguments]
        wants = f"({parameters_of(parameters)})" if parameters else "nothing in brackets"
        self.report.report(codes.WRONG_ARGUMENTS, f"`{name}` takes {wants}, and {len(arguments)} given", span)
        return None

    # ---- types as values --------------------------------------------------------------------------------------

    def type_name(self, node: s.TypeName, scope: Scope) -> m.Expr:
        type_ = self.named_type(node.name, node.span)
        if type_ is None:
            return poison(node.span)
        if node.arguments is None:
            of = optional(type_) if node.optional else type_
            return m.AllValues(SetOf(of), node.span, of)
        if isinstance(type_, Record):
            return self._make_record(node, type_, scope)
        message = f"`{node.name}` is no record; only records are made with brackets"
        self.report.report(codes.WRONG_ARGUMENTS, message, node.span)
        return poison(node.span)

    def named_type(self, name: str, span: Span) -> Type | None:
        type_ = self.world.types.get(name)
        if type_ is None:
            self.world.unknown("type", name, span, self.world.types)
        else:
            self.world.used.add(f"type {name}")
        return type_

    def _make_record(self, node: s.TypeName, record: Record, scope: Scope) -> m.Expr:
        ordered = self._ordered(record.name, record.fields, node.arguments or (), node.span)
        if ordered is None:
            return poison(node.span)
        parts = []
        for argument, (_, type_) in zip(ordered, record.fields, strict=True):
            part = self.ex.expr(argument, scope, type_)
            if not is_poison(part) and not fits(strip_optional(part.type), type_):
                self.ex.mismatch(part, type_)
                part = poison(node.span)
            parts.append(part)
        if any(is_poison(part) for part in parts):
            return poison(node.span)
        return self._record(node.span, record, tuple(parts))

    def _record(self, span: Span, record: Record, parts: tuple[m.Expr, ...]) -> m.Expr:
        full = 1
        for _, type_ in record.fields:
            full *= size(type_) or 1
        whole = full == len(record.members)
        certain = whole and all(
            certainly(part.type, type_) for part, (_, type_) in zip(parts, record.fields, strict=True)
        )
        if all(isinstance(part, m.Constant) for part in parts):
            value = record.positions.get(tuple(cast(m.Constant, part).value for part in parts))
            if value is None:
                self.report.report(codes.OUT_OF_RANGE, f"there is no such {record.name}", span)
                return poison(span)
            return m.Constant(record, span, value)
        return m.MakeRecord(record if certain else Optional(record), span, record, parts)

    def _make_word(self, node: s.Name, words: Words, scope: Scope) -> m.Expr:
        case = words.case(node.name)
        assert case is not None
        self.world.used.add(f"word {words}.{node.name}")
        given = self.arguments(node.name, case.fields, node.arguments or (), scope, node.span)
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
            return operand
        held = strip_optional(operand.type)
        if isinstance(held, ComponentType):
            held = self.world.types.get(held.name, held)  # the table may have been filled since the type was named
        found = field_table(held, node.field)
        if found is None:
            known = field_names(held)
            near = nearest(node.field, known)
            hint = f"did you mean `{near}`?" if near else (f"it has {spelled(known)}" if known else None)
            self.report.report(codes.NO_SUCH_FIELD, f"{a(held)} has no part `{node.field}`", node.span, hint)
            return poison(node.span)
        self.world.used.add(f"field {held}.{node.field}")
        type_, table = found
        type_ = optional(type_) if isinstance(operand.type, Optional) else type_
        if isinstance(operand, m.Constant) and operand.value is not None:
            return m.Constant(type_, node.span, table[operand.value])
        return m.TableField(type_, node.span, operand, node.field, table)

    def _word_of_type(self, node: s.Dot, owner: s.TypeName) -> m.Expr:
        type_ = self.named_type(owner.name, owner.span)
        if type_ is None:
            return poison(node.span)
        word = self._word(node.field, type_, node.span)
        if word is None:
            known = [c.name for c in type_.cases] if isinstance(type_, Words) else getattr(type_, "ids", ())
            self.world.unknown(f"word of {owner.name}", node.field, node.span, known)
            return poison(node.span)
        return word
