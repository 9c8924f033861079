"""Syntax to model, for expressions: names resolved, types found, ranges inferred upward, guards followed.

A faulty expression is reported once and becomes a value of type `Never`, which fits everywhere and so causes no
further reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from ludex.grammar import Note, Span, nearest
from ludex.grammar import syntax as s

from . import codes
from . import model as m
from .constants import NotConstant, value_of
from .scope import Scope, VariableKind, guarded, key_of
from .types import (
    BagOf,
    Bool,
    ComponentType,
    ListOf,
    Never,
    Optional,
    PlayerType,
    Range,
    Record,
    SetOf,
    Type,
    Value,
    Words,
    element_type,
    fits,
    join,
    optional,
    size,
    strip_optional,
)
from .world import ActionHead, ConstantFunction, DefineFunction, ElementFunction, World, parameters_of, spelled

if TYPE_CHECKING:
    from .defines import Defines

UNBOUNDED = 1_000_000
"""Stands for a count that has no bound known before play (a list's length)."""

BOOL = Bool()
ORDERED = Range | Words | Record | PlayerType | ComponentType | Bool


def poison(span: Span) -> m.Expr:
    """Stands for an expression that was reported."""
    return m.Constant(Never(), span, None)


def is_poison(node: m.Expr) -> bool:
    return isinstance(node.type, Never)


def number(value: int, span: Span) -> m.Expr:
    return m.Constant(Range(value, value), span, value)


class Expressions:
    """Elaborates expressions against a world. `defines` computes results of defines on demand."""

    def __init__(self, world: World, defines: Defines) -> None:
        self.world = world
        self.report = world.report
        self.defines = defines

    # ---- entry points -----------------------------------------------------------------------------------------

    def expr(self, node: s.Expression, scope: Scope, expected: Type | None = None) -> m.Expr:
        """The typed expression; `expected` helps to resolve words and empty sets, it is not enforced."""
        inner = replace(scope, counting=False) if scope.counting and not isinstance(node, s.Name) else scope
        return self._narrow(self._expr(node, inner, expected), scope)

    def condition(self, node: s.Expression, scope: Scope) -> m.Expr:
        return self.fit(self.expr(node, scope, BOOL), BOOL, scope)

    def wanted(self, node: s.Expression, type_: Type, scope: Scope) -> m.Expr:
        """The expression, which must be of the type."""
        return self.fit(self.expr(node, scope, type_), type_, scope)

    def fit(self, node: m.Expr, wanted: Type, scope: Scope) -> m.Expr:
        """`node` where a value of `wanted` is needed: reported if it cannot be, checked in play if it may not be."""
        if is_poison(node):
            return node
        if not fits(node.type, wanted):
            if isinstance(node.type, Optional) and fits(node.type.of, wanted):
                self.report.report(codes.MAY_BE_EMPTY, f"this may be `none`, and {a(wanted)} is needed", node.span)
            else:
                self._mismatch(node, wanted)
            return poison(node.span)
        return self._checked(node, wanted, scope)

    def _checked(self, node: m.Expr, wanted: Type, scope: Scope) -> m.Expr:
        have, want = strip_optional(node.type), strip_optional(wanted)
        if not (isinstance(have, Range) and isinstance(want, Range)) or inside(have, want):
            return node
        if have.high < want.low or have.low > want.high:
            message = f"{describe_range(have)} can never lie in {want.low}..{want.high}"
            self.report.report(codes.OUT_OF_RANGE, message, node.span)
            return poison(node.span)
        return m.Checked(wanted, node.span, node, scope.path)

    def _mismatch(self, node: m.Expr, wanted: Type) -> None:
        self.report.report(codes.WRONG_TYPE, f"this is {a(node.type)}, and {a(wanted)} is needed", node.span)

    def _narrow(self, node: m.Expr, scope: Scope) -> m.Expr:
        narrows = isinstance(node.type, Optional) and not isinstance(node.type.of, Never) and scope.nonempty
        return replace(node, type=strip_optional(node.type)) if narrows and key_of(node) in scope.nonempty else node

    # ---- dispatch ---------------------------------------------------------------------------------------------

    def _expr(self, node: s.Expression, scope: Scope, expected: Type | None) -> m.Expr:
        match node:
            case s.Integer(value=value):
                return number(value, node.span)
            case s.Boolean(value=value):
                return m.Constant(BOOL, node.span, value)
            case s.NoneLiteral():
                return m.Constant(Optional(Never()), node.span, None)
            case s.Name():
                return self._name(node, scope, expected)
            case s.TypeName():
                return self._type_name(node, scope)
            case s.Can():
                return self._can(node, scope)
            case s.SetLiteral():
                return self._set(node, scope, expected)
            case s.Interval():
                return self._interval(node, scope)
            case s.Dot():
                return self._dot(node, scope)
            case s.Negate():
                return self._negate(node, scope)
            case s.Not(operand=operand):
                return m.NotExpr(BOOL, node.span, self.condition(operand, scope))
            case s.Binary():
                return self._binary(node, scope, expected)
            case s.IsEmpty():
                return self._is_empty(node, scope)
            case s.Conditional():
                return self._conditional(node, scope, expected)
            case s.Quantified():
                return self._quantified(node, scope)
            case s.Count() | s.Aggregate():
                return self._aggregate(node, scope, expected)
            case s.Extremum(kind=kind, items=items):
                return self.extremum(kind, tuple(self._integer(i, scope) for i in items), node.span)
            case s.Pick():
                return self._pick(node, scope, expected)
            case s.Top(operand=operand):
                return self._top(node, operand, scope)

    # ---- names ------------------------------------------------------------------------------------------------

    def _name(self, node: s.Name, scope: Scope, expected: Type | None) -> m.Expr:
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
            return BUILTIN_VALUES[node.name](self, node.span)
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
            self.world.used.add(f"word {wanted}.{name}")
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
                return self._builtin(node, scope)
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
            case None:
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
        given = tuple(self.wanted(a, t, scope) for a, (_, t) in zip(ordered, parameters, strict=True))
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

    def _type_name(self, node: s.TypeName, scope: Scope) -> m.Expr:
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
            part = self.expr(argument, scope, type_)
            if not is_poison(part) and not fits(strip_optional(part.type), type_):
                self._mismatch(part, type_)
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

    def _dot(self, node: s.Dot, scope: Scope) -> m.Expr:
        if isinstance(node.operand, s.TypeName) and node.operand.arguments is None:
            return self._word_of_type(node, node.operand)
        operand = self.expr(node.operand, scope)
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

    # ---- operators --------------------------------------------------------------------------------------------

    def _integer(self, node: s.Expression, scope: Scope) -> m.Expr:
        found = self.expr(node, scope)
        if is_poison(found) or isinstance(found.type, Range):
            return found
        if isinstance(found.type, Optional) and isinstance(found.type.of, Range):
            self.report.report(codes.MAY_BE_EMPTY, "this may be `none`, and a number is needed", found.span)
        else:
            self.report.report(codes.WRONG_TYPE, f"this is {a(found.type)}, and a number is needed", found.span)
        return poison(found.span)

    def _negate(self, node: s.Negate, scope: Scope) -> m.Expr:
        operand = self._integer(node.operand, scope)
        if not isinstance(operand.type, Range):
            return operand
        if isinstance(operand, m.Constant):
            return number(-operand.value, node.span)
        return m.Minus(Range(-operand.type.high, -operand.type.low), node.span, operand)

    def _binary(self, node: s.Binary, scope: Scope, expected: Type | None) -> m.Expr:
        match node.operator:
            case "and" | "or" | "implies" as operator:
                return self._logic(operator, node, scope)
            case "in" | "not in":
                return self._member(node, scope)
            case "=" | "!=" | "<" | "<=" | ">" | ">=" as operator:
                return self._comparison(operator, node, scope)
            case "+" | "-" | "*" | "div" | "mod" as operator:
                return self._arithmetic(operator, node, scope, expected)

    def _logic(self, operator: m.LogicOperator, node: s.Binary, scope: Scope) -> m.Expr:
        left = self.condition(node.left, scope)
        known = guarded(left, node.operator != "or")
        right = self.condition(node.right, scope.knowing(known))
        return m.Logic(BOOL, node.span, operator, left, right)

    def _arithmetic(
        self, operator: m.ArithmeticOperator, node: s.Binary, scope: Scope, expected: Type | None
    ) -> m.Expr:
        left, right = self._pair(node, scope, expected)
        if is_poison(left) or is_poison(right):
            return poison(node.span)
        if isinstance(left.type, Range) and isinstance(right.type, Range):
            return self.calculated(operator, left, right, node.span)
        if operator in {"+", "-"} and element_type(left.type) and element_type(right.type):
            return self._combined(operator, node, left, right)
        for side in (left, right):
            if isinstance(side.type, Optional) and isinstance(side.type.of, Range):
                self.report.report(codes.MAY_BE_EMPTY, "this may be `none`, and a number is needed", side.span)
                return poison(node.span)
        message = f"`{node.operator}` does not work on {a(left.type)} and {a(right.type)}"
        self.report.report(codes.WRONG_TYPE, message, node.span)
        return poison(node.span)

    def calculated(self, operator: m.ArithmeticOperator, left: m.Expr, right: m.Expr, span: Span) -> m.Expr:
        """Arithmetic on two numbers, computed at once where both are known."""
        range_ = arithmetic_range(operator, cast(Range, left.type), cast(Range, right.type))
        result = m.Arithmetic(range_, span, operator, left, right)
        if isinstance(left, m.Constant) and isinstance(right, m.Constant):
            try:
                return number(value_of(result), span)
            except NotConstant:
                self.report.report(codes.OUT_OF_RANGE, "division by zero", span)
                return poison(span)
        return result

    def _combined(self, operator: Literal["+", "-"], node: s.Binary, left: m.Expr, right: m.Expr) -> m.Expr:
        inner = join(element_type(left.type) or Never(), element_type(right.type) or Never())
        lists = isinstance(left.type, ListOf) or isinstance(right.type, ListOf)
        if inner is None or (lists and not (isinstance(left.type, ListOf) and isinstance(right.type, ListOf))):
            message = f"`{node.operator}` does not work on {a(left.type)} and {a(right.type)}"
            self.report.report(codes.WRONG_TYPE, message, node.span)
            return poison(node.span)
        sets = isinstance(left.type, SetOf) and isinstance(right.type, SetOf)
        type_: Type = ListOf(inner) if lists else SetOf(inner) if sets else BagOf(inner)
        return m.Combine(type_, node.span, operator, left, right)

    def _pair(self, node: s.Binary, scope: Scope, expected: Type | None = None) -> tuple[m.Expr, m.Expr]:
        """Both sides; a side that is a bare word is read in the light of the other."""
        if self._wordish(node.left, scope) and not self._wordish(node.right, scope):
            right = self.expr(node.right, scope, expected)
            return self.expr(node.left, scope, right.type), right
        left = self.expr(node.left, scope, expected)
        return left, self.expr(node.right, scope, left.type)

    def _wordish(self, node: s.Expression, scope: Scope) -> bool:
        if isinstance(node, s.SetLiteral):
            return all(self._wordish(item, scope) for item in node.items)
        if not isinstance(node, s.Name) or node.my:
            return False
        known = node.name in scope.names or node.name in scope.cast or node.name in BUILTIN_VALUES or node.name == "me"
        if known or node.name in self.world.functions or node.name in self.world.pending:
            return False
        return node.name not in BUILTIN_FUNCTIONS

    def _comparison(self, operator: m.ComparisonOperator, node: s.Binary, scope: Scope) -> m.Expr:
        left, right = self._pair(node, scope)
        if is_poison(left) or is_poison(right):
            return poison(node.span)
        common = join(left.type, right.type)
        equality = operator in ("=", "!=")
        if common is None:
            message = f"{a(left.type)} is compared with {a(right.type)}"
            self.report.report(codes.WRONG_TYPE, message, node.span)
            return poison(node.span)
        if not equality and isinstance(common, Optional):
            side = left if isinstance(left.type, Optional) else right
            self.report.report(
                codes.MAY_BE_EMPTY, f"this may be `none`, which `{node.operator}` cannot rank", side.span
            )
            return poison(node.span)
        if not equality and not isinstance(common, ORDERED):
            self.report.report(codes.WRONG_TYPE, f"`{node.operator}` cannot rank {a(common)}", node.span)
            return poison(node.span)
        return m.Comparison(BOOL, node.span, operator, left, right)

    def _member(self, node: s.Binary, scope: Scope) -> m.Expr:
        if isinstance(node.right, s.SetLiteral) and not self._wordish(node.left, scope):
            item = self.expr(node.left, scope)
            collection = self.expr(node.right, scope, SetOf(strip_optional(item.type)))
        else:
            collection = self.collection(node.right, scope)
            item = self.expr(node.left, scope, element_type(collection.type))
        if is_poison(item) or is_poison(collection):
            return poison(node.span)
        held = element_type(collection.type)
        if held is None or join(strip_optional(item.type), strip_optional(held)) is None:
            message = f"{a(item.type)} is never in {a(collection.type)}"
            self.report.report(codes.WRONG_TYPE, message, node.span)
            return poison(node.span)
        return m.Member(BOOL, node.span, item, collection, node.operator == "not in")

    def _is_empty(self, node: s.IsEmpty, scope: Scope) -> m.Expr:
        operand = self.expr(node.operand, replace(scope, counting=True, nonempty=frozenset()))
        if is_poison(operand):
            return operand
        if not isinstance(operand.type, Optional | SetOf | BagOf | ListOf):
            self.report.report(codes.WRONG_TYPE, f"{a(operand.type)} is never empty", node.span)
            return poison(node.span)
        return m.EmptyTest(BOOL, node.span, operand, node.negated)

    def _conditional(self, node: s.Conditional, scope: Scope, expected: Type | None) -> m.Expr:
        condition = self.condition(node.condition, scope)
        then = self.expr(node.then, scope.knowing(guarded(condition)), expected)
        otherwise = self.expr(node.otherwise, scope.knowing(guarded(condition, False)), expected or then.type)
        type_ = self.common((then, otherwise))
        return poison(node.span) if type_ is None else m.IfExpr(type_, node.span, condition, then, otherwise)

    def common(self, nodes: Iterable[m.Expr]) -> Type | None:
        """The type that all branches share; None (reported, unless a branch was) if they share none."""
        type_: Type = Never()
        broken = False
        for node in nodes:
            if is_poison(node):
                broken = True
                continue
            joined = join(type_, node.type)
            if joined is None:
                message = f"this is {a(node.type)}, and the branch before it {a(type_)}"
                self.report.report(codes.WRONG_TYPE, message, node.span)
                return None
            type_ = joined
        return None if broken else type_

    # ---- collections ------------------------------------------------------------------------------------------

    def _set(self, node: s.SetLiteral, scope: Scope, expected: Type | None) -> m.Expr:
        inner = element_type(expected) if expected else None
        items = tuple(self.expr(item, scope, inner) for item in node.items)
        type_ = self.common(items) if items else (inner or Never())
        if type_ is None:
            return poison(node.span)
        if isinstance(expected, BagOf) and all(isinstance(item, m.Constant) for item in items):
            return m.Constant(BagOf(type_), node.span, tuple(sorted(cast(m.Constant, i).value for i in items)))
        if all(isinstance(item, m.Constant) for item in items):
            return m.Constant(SetOf(type_), node.span, frozenset(cast(m.Constant, i).value for i in items))
        return m.SetExpr(SetOf(type_), node.span, items)

    def _interval(self, node: s.Interval, scope: Scope) -> m.Expr:
        low, high = self._integer(node.low, scope), self._integer(node.high, scope)
        if not (isinstance(low.type, Range) and isinstance(high.type, Range)):
            return poison(node.span)
        type_ = SetOf(Range(low.type.low, max(low.type.low, high.type.high)))
        if isinstance(low, m.Constant) and isinstance(high, m.Constant):
            return m.Constant(type_, node.span, frozenset(range(low.value, high.value + 1)))
        return m.IntervalExpr(type_, node.span, low, high)

    def collection(self, node: s.Expression, scope: Scope, expected: Type | None = None) -> m.Expr:
        """An expression that can be gone through."""
        found = self.expr(node, scope, expected)
        if is_poison(found) or element_type(found.type) is not None:
            return found
        self.report.report(codes.NOT_A_COLLECTION, f"{a(found.type)} cannot be gone through", node.span)
        return poison(node.span)

    def loops(
        self, generators: tuple[s.Generator, ...], scope: Scope, kind: VariableKind = "loop"
    ) -> tuple[tuple[m.Loop, ...], Scope]:
        """Loops over the generators, and the scope in which their names are known."""
        loops = []
        for generator in generators:
            domain = self.collection(generator.domain, scope)
            type_ = element_type(domain.type) or Never()
            self.check_new(generator.name, generator.span, scope)
            scope, slot = scope.bind(generator.name, type_, kind, generator.span)
            loops.append(m.Loop(generator.name, slot, type_, domain))
        return tuple(loops), scope

    def check_new(self, name: str, span: Span, scope: Scope) -> None:
        """No name may hide another."""
        if name in scope.names:
            earlier = scope.names[name].span
            self._duplicate(name, span, earlier)
        elif name in self.world.functions or name in self.world.pending:
            self._duplicate(name, span, self.world.spans.get(name))

    def _duplicate(self, name: str, span: Span, earlier: Span | None) -> None:
        notes = (Note(f"`{name}` is declared here already", earlier),) if earlier else ()
        self.report.report(codes.DUPLICATE_NAME, f"`{name}` already means something else here", span, notes=notes)

    def where(self, node: s.Expression | None, scope: Scope) -> tuple[m.Expr | None, Scope]:
        if node is None:
            return None, scope
        condition = self.condition(node, scope)
        return condition, scope.knowing(guarded(condition))

    def _quantified(self, node: s.Quantified, scope: Scope) -> m.Expr:
        loops, inner = self.loops(node.generators, scope)
        where, inner = self.where(node.where, inner)
        has = self.condition(node.has, inner)
        return m.Quantifier(BOOL, node.span, node.kind, loops, where, has)

    def _aggregate(self, node: s.Count | s.Aggregate, scope: Scope, expected: Type | None) -> m.Expr:
        loops, inner = self.loops(node.generators, scope)
        where, inner = self.where(node.where, inner)
        if isinstance(node, s.Count):
            one = number(1, node.span)
            type_: Type | None = Range(0, times_of(loops))
            return m.AggregateExpr(cast(Type, type_), node.span, "count", one, loops, where, None)
        value = self.expr(node.value, inner, element_type(expected) if expected else None)
        if node.kind in ("sum", "max", "min") and not isinstance(value.type, Range | Never):
            self.report.report(codes.WRONG_TYPE, f"this is {a(value.type)}, and a number is needed", value.span)
            value = poison(value.span)
        otherwise = self._integer(node.otherwise, scope) if node.otherwise else None
        type_ = self._aggregate_type(node, value, loops, otherwise)
        if type_ is None:
            return poison(node.span)
        if node.kind in ("max", "min") and otherwise is None and (where or not all(map(never_empty, loops))):
            message = f"`{node.kind}` may go through nothing here, and then has no value"
            self.report.report(codes.NEEDS_ELSE, message, node.span)
        return m.AggregateExpr(type_, node.span, node.kind, value, loops, where, otherwise)

    def _aggregate_type(
        self, node: s.Aggregate, value: m.Expr, loops: tuple[m.Loop, ...], otherwise: m.Expr | None
    ) -> Type | None:
        if is_poison(value) or any(is_poison(loop.domain) for loop in loops):
            return None
        match node.kind:
            case "sum":
                assert isinstance(value.type, Range)
                times = times_of(loops)
                low, high = min(0, value.type.low * times), max(0, value.type.high * times)
                return Range(max(low, -UNBOUNDED), min(high, UNBOUNDED))
            case "max" | "min":
                return self.common(filter(None, (value, otherwise)))
            case "set":
                return SetOf(value.type)
            case "bag":
                return BagOf(value.type)
            case "list":
                return ListOf(value.type)

    def extremum(self, kind: Literal["max", "min"], items: tuple[m.Expr, ...], span: Span) -> m.Expr:
        """The largest or smallest of some numbers."""
        ranges = [item.type for item in items if isinstance(item.type, Range)]
        if len(ranges) < len(items):
            return poison(span)
        pick = max if kind == "max" else min
        type_ = Range(pick(r.low for r in ranges), pick(r.high for r in ranges))
        return m.ExtremumExpr(type_, span, kind, items)

    def _pick(self, node: s.Pick, scope: Scope, expected: Type | None) -> m.Expr:
        loops, inner = self.loops((node.generator,), scope)
        where, _ = self.where(node.where, inner)
        if is_poison(loops[0].domain):
            return poison(node.span)
        otherwise = self.expr(node.otherwise, scope, expected or loops[0].type) if node.otherwise else None
        found = m.Local(loops[0].type, node.span, loops[0].slot)
        type_ = self.common(filter(None, (found, otherwise)))
        return (
            poison(node.span) if type_ is None else m.PickExpr(type_, node.span, node.kind, loops[0], where, otherwise)
        )

    def _top(self, node: s.Top, operand: s.Expression, scope: Scope) -> m.Expr:
        pile = self.expr(operand, scope)
        if is_poison(pile):
            return pile
        if not (isinstance(pile, m.Read) and pile.element.kind == "pile"):
            self.report.report(codes.WRONG_PLACE, "`top` needs a pile", node.span)
            return poison(node.span)
        return m.Builtin(optional(pile.element.type), node.span, "top", (pile,))

    def _can(self, node: s.Can, scope: Scope) -> m.Expr:
        head = self.action(node.action, node.span)
        self.me(node.span, scope)
        if head is None:
            return poison(node.span)
        given = self.arguments(node.action, head.parameters, node.arguments or (), scope, node.span)
        return poison(node.span) if given is None else m.CanPerform(BOOL, node.span, node.action, given)

    def action(self, name: str, span: Span) -> ActionHead | None:
        head = self.world.actions.get(name)
        if head is None:
            self.world.unknown("action", name, span, self.world.actions)
        return head

    # ---- the language's own functions -------------------------------------------------------------------------

    def _builtin(self, node: s.Name, scope: Scope) -> m.Expr:
        given = node.arguments or ()
        arity, build = BUILTIN_FUNCTIONS[node.name]
        if len(given) != arity or any(argument.label for argument in given):
            self.report.report(codes.WRONG_ARGUMENTS, f"`{node.name}` takes {arity} in brackets", node.span)
            return poison(node.span)
        return build(self, node, [argument.value for argument in given], scope)

    def _of_player(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        player = self.wanted(given[0], self.world.players, scope)
        if is_poison(player):
            return player
        count = self.world.players.count
        if node.name == "opponent" and count != 2:
            message = f"`opponent` is for two players, and {count} sit at the table"
            self.report.report(codes.WRONG_ARGUMENTS, message, node.span)
            return poison(node.span)
        results: dict[str, Type] = {
            "number": Range(1, count),
            "clockwise": ListOf(self.world.players),
            "total": Range(-UNBOUNDED, UNBOUNDED),
        }
        type_ = results.get(node.name, self.world.players)
        return m.Builtin(type_, node.span, node.name, (player,))  # type: ignore[arg-type]

    def _seat(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        seat = self.wanted(given[0], Range(1, self.world.players.count), scope)
        if isinstance(seat, m.Constant) and not is_poison(seat):
            return m.Constant(self.world.players, node.span, seat.value - 1)
        return seat if is_poison(seat) else m.Builtin(self.world.players, node.span, "seat", (seat,))

    def _size(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        operand = self.collection(given[0], replace(scope, counting=True))
        if is_poison(operand):
            return operand
        return m.Builtin(Range(0, most_items(operand)), node.span, "size", (operand,))

    def _abs(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        operand = self._integer(given[0], scope)
        if not isinstance(operand.type, Range):
            return operand
        low, high = operand.type.low, operand.type.high
        least = 0 if low <= 0 <= high else min(abs(low), abs(high))
        return m.Builtin(Range(least, max(abs(low), abs(high))), node.span, "abs", (operand,))

    def _index(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        operand = self.expr(given[0], scope)
        if is_poison(operand):
            return operand
        count = None if isinstance(operand.type, Optional) else size(operand.type)
        if count is None:
            self.report.report(codes.WRONG_TYPE, f"`index` has no order for {a(operand.type)}", node.span)
            return poison(node.span)
        return m.Builtin(Range(0, max(0, count - 1)), node.span, "index", (operand,))

    def _reversed(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        operand = self._list(given[0], scope)
        return operand if is_poison(operand) else m.Builtin(operand.type, node.span, "reversed", (operand,))

    def _place_in(self, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        operand = self._list(given[0], scope)
        if is_poison(operand):
            return operand
        item = self.wanted(given[1], element_type(operand.type) or Never(), scope)
        return m.Builtin(Range(1, most_items(operand)), node.span, "place_in", (operand, item))

    def _list(self, node: s.Expression, scope: Scope) -> m.Expr:
        operand = self.expr(node, scope)
        if is_poison(operand) or isinstance(operand.type, ListOf):
            return operand
        self.report.report(codes.WRONG_TYPE, f"this is {a(operand.type)}, and a list is needed", operand.span)
        return poison(operand.span)


# ---- what the language knows by itself --------------------------------------------------------------------------


def _player_count(self: Expressions, span: Span) -> m.Expr:
    low, high = self.world.player_range
    return m.Constant(Range(low, high), span, self.world.players.count)


def _seats(self: Expressions, span: Span) -> m.Expr:
    return m.Constant(ListOf(self.world.players), span, tuple(range(self.world.players.count)))


Build = Callable[[Expressions, s.Name, list[s.Expression], Scope], m.Expr]

BUILTIN_VALUES: dict[str, Callable[[Expressions, Span], m.Expr]] = {"player_count": _player_count, "seats": _seats}
BUILTIN_FUNCTIONS: dict[str, tuple[int, Build]] = {
    "seat": (1, Expressions._seat),
    "number": (1, Expressions._of_player),
    "opponent": (1, Expressions._of_player),
    "next": (1, Expressions._of_player),
    "previous": (1, Expressions._of_player),
    "clockwise": (1, Expressions._of_player),
    "total": (1, Expressions._of_player),
    "size": (1, Expressions._size),
    "abs": (1, Expressions._abs),
    "index": (1, Expressions._index),
    "reversed": (1, Expressions._reversed),
    "place_in": (2, Expressions._place_in),
}
RESERVED_NAMES = frozenset({"me", *BUILTIN_VALUES, *BUILTIN_FUNCTIONS})


# ---- pure helpers -----------------------------------------------------------------------------------------------


def a(type_: Type) -> str:
    """A type in a sentence."""
    match type_:
        case Range(low=low, high=high, name=name):
            if name:
                return f"a {name}"
            return f"the number {low}" if low == high else "a number"
        case Bool():
            return "true or false"
        case Optional(of=Never()):
            return "`none`"
        case Optional(of=of):
            return f"{a(of)} or `none`"
        case SetOf(of=of) | BagOf(of=of) | ListOf(of=of):
            kind = type(type_).__name__.removesuffix("Of").lower()
            return f"a {kind}" if isinstance(of, Never) else f"a {kind} of {of}"
        case _:
            text = str(type_)
            return f"{'an' if text[:1] in 'AEIOU' else 'a'} {text}"


def describe_range(range_: Range) -> str:
    return str(range_.low) if range_.low == range_.high else f"a number from {range_.low} to {range_.high}"


def inside(inner: Range, outer: Range) -> bool:
    return outer.low <= inner.low and inner.high <= outer.high


def certainly(have: Type, want: Type) -> bool:
    """Whether every value of the first type is one of the second, ranges included."""
    if isinstance(have, Range) and isinstance(want, Range):
        return inside(have, want)
    return fits(have, want)


def arithmetic_range(operator: str, left: Range, right: Range) -> Range:
    """Bounds of the result: interval arithmetic, cut at +-UNBOUNDED."""
    corners: list[int]
    match operator:
        case "+":
            corners = [left.low + right.low, left.high + right.high]
        case "-":
            corners = [left.low - right.high, left.high - right.low]
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        case "div":
            divisors = {d for d in (right.low, right.high, 1, -1) if d and right.low <= d <= right.high} or {1}
            corners = [a // d for a in (left.low, left.high) for d in divisors]
        case _:
            corners = [min(0, right.low + 1), max(0, right.high - 1)]
            if left.low >= 0 and left.high < right.low:
                corners = [left.low, left.high]
    return Range(max(min(corners), -UNBOUNDED), min(max(corners), UNBOUNDED))


def most_items(node: m.Expr) -> int:
    """How many items a collection can hold at most."""
    if isinstance(node, m.Constant):
        return len(node.value)
    held = element_type(node.type)
    if isinstance(node.type, SetOf) and held is not None:
        return size(held) or 0 if size(held) is not None else UNBOUNDED
    if isinstance(held, ComponentType):
        return sum(held.copies)
    if isinstance(held, PlayerType) and isinstance(node.type, ListOf):
        return max(held.count, 1)
    return UNBOUNDED


def times_of(loops: tuple[m.Loop, ...]) -> int:
    """How often a body runs at most."""
    times = 1
    for loop in loops:
        times = min(times * most_items(loop.domain), UNBOUNDED) if element_type(loop.domain.type) else UNBOUNDED
    return times


def never_empty(loop: m.Loop) -> bool:
    match loop.domain:
        case m.AllValues(of=of):
            return bool(size(of))
        case m.Constant(value=value):
            return bool(value)
        case m.IntervalExpr(low=low, high=high):
            return isinstance(low.type, Range) and isinstance(high.type, Range) and low.type.high <= high.type.low
        case m.SetExpr(items=items):
            return bool(items)
        case m.Builtin(name="clockwise"):
            return True
        case _:
            return False


def field_names(type_: Type) -> list[str]:
    match type_:
        case Record(fields=fields):
            return [name for name, _ in fields]
        case ComponentType(columns=columns):
            return [name for name, _ in columns]
        case Words(cases=cases):
            return sorted({name for case in cases for name, _ in case.fields})
        case _:
            return []


def field_table(type_: Type, name: str) -> tuple[Type, tuple[Value, ...]] | None:
    """The type of a part, and its value for every value of the whole."""
    match type_:
        case Record(fields=fields, members=members):
            names = [field for field, _ in fields]
            if name not in names:
                return None
            at = names.index(name)
            return fields[at][1], tuple(member[at] for member in members)
        case ComponentType(columns=columns, rows=rows):
            names = [column for column, _ in columns]
            if name not in names:
                return None
            at = names.index(name)
            return columns[at][1], tuple(row[at] for row in rows)
        case Words():
            return _word_field(type_, name)
        case _:
            return None


def _word_field(words: Words, name: str) -> tuple[Type, tuple[Value, ...]] | None:
    found: Type = Never()
    everywhere = True
    for case in words.cases:
        types = dict(case.fields)
        if name not in types:
            everywhere = False
            continue
        joined = join(found, types[name])
        if joined is None:
            return None
        found = joined
    if isinstance(found, Never):
        return None
    table = []
    for word, data in words.members:
        case_ = words.case(word)
        assert case_ is not None
        names = [field for field, _ in case_.fields]
        table.append(data[names.index(name)] if name in names else None)
    return (found if everywhere else optional(found)), tuple(table)
