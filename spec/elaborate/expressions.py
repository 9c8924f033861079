"""Elaboration of expressions: name resolution, type and range inference, narrowing by guards.

A faulty expression is reported once and becomes a value of type `Never`, which fits everywhere and so causes no
further reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from ludex.grammar import Identifier, Note, Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..model.evaluation import value_of
from ..model.operators import MIRRORED
from ..ranges.bounds import (
    a,
    apart,
    arithmetic_range,
    astray,
    clipped,
    decided,
    inside,
    limits,
    most_items,
    never_empty,
    times_of,
)
from ..values import types as t
from ..values.faults import NoValue
from .builtins import BUILTIN_FUNCTIONS, BUILTIN_VALUES
from .names import NameElaborator
from .scope import Scope, VariableKind, expression_key, is_poison, poison
from .symbols import ActionHead, Symbols

if TYPE_CHECKING:
    from .defines import Defines

ORDERED = t.Range | t.Words | t.Record | t.PlayerType | t.ComponentType | t.Bool


def number(value: int, span: Span) -> m.Expr:
    return m.Constant(t.Range(value, value), span, value)


class ExpressionElaborator:
    """Elaborates expressions against a symbol table. `defines` elaborates defines on demand."""

    def __init__(self, symbols: Symbols, defines: Defines) -> None:
        self.symbols = symbols
        self.diagnostics = symbols.diagnostics
        self.defines = defines
        self.names = NameElaborator(symbols, defines, self)

    # ---- entry points -----------------------------------------------------------------------------------------

    def expr(self, node: s.Expression, scope: Scope, expected: t.Type | None = None) -> m.Expr:
        """Return the typed expression. `expected` helps to resolve words and empty sets; it is not enforced."""
        # Only a zone that is counted directly may be hidden: `size(f(deck))` would read what `f` reads.
        inner = replace(scope, counting=False) if scope.counting and not isinstance(node, s.Name) else scope
        return self._narrow(self._expr(node, inner, expected), scope)

    def condition(self, node: s.Expression, scope: Scope) -> m.Expr:
        return self.fit(self.expr(node, scope, t.BOOL), t.BOOL, scope)

    def wanted(self, node: s.Expression, type_: t.Type, scope: Scope) -> m.Expr:
        """Elaborate an expression and check it against a type."""
        return self.fit(self.expr(node, scope, type_), type_, scope)

    def fit(self, node: m.Expr, wanted: t.Type, scope: Scope) -> m.Expr:
        """Return an expression as a value of a wanted type.

        It is reported if it can never have the type, and wrapped in `Checked` if it might not have it in play. A faulty
        wanted type (`Never`) causes no report."""
        if is_poison(node) or isinstance(wanted, t.Never):
            return poison(node.span)
        if not t.fits(node.type, wanted):
            if isinstance(node.type, t.Optional) and t.fits(node.type.of, wanted):
                self.may_be_none(node, f"{a(wanted)} is needed", scope)
            else:
                self.mismatch(node, wanted)
            return poison(node.span)
        return self._checked(node, wanted, scope)

    def _checked(self, node: m.Expr, wanted: t.Type, scope: Scope) -> m.Expr:
        have, want = t.strip_optional(node.type), t.strip_optional(wanted)
        if isinstance(want, t.SetOf | t.BagOf | t.ListOf):
            fitting = want.most is None or most_items(node) <= want.most
            return node if fitting else m.Checked(wanted, node.span, node, scope.path)
        if not (isinstance(have, t.Range) and isinstance(want, t.Range)) or inside(have, want):
            return node
        # Of `if a then 3 else 12` only the branch that never fits is wrong, so only that is reported.
        outside = [leaf for leaf in _leaves(node) if apart(leaf.type, want)]
        for leaf in outside:
            self.diagnostics.report(spec_codes.OUT_OF_RANGE, astray(leaf.type, want), leaf.span)
        return poison(node.span) if outside else m.Checked(wanted, node.span, node, scope.path)

    def mismatch(self, node: m.Expr, wanted: t.Type) -> None:
        hint = None
        if (
            isinstance(node.type, t.SetOf)
            and isinstance(wanted, t.BagOf | t.ListOf)
            and t.fits(node.type.of, wanted.of)
        ):
            kind = "bag" if isinstance(wanted, t.BagOf) else "list"
            hint = self._as(kind, node)
        self.diagnostics.report(
            spec_codes.WRONG_TYPE, f"this is {a(node.type)}, and {a(wanted)} is needed", node.span, hint
        )

    def _as(self, kind: str, node: m.Expr) -> str:
        text = self.symbols.excerpts.text(node.span) or "SET"
        return f"make a {kind} of `{text}`: `{kind}(x for x in {text})`"

    def may_be_none(self, node: m.Expr, so: str, scope: Scope) -> None:
        """Report a value that may be `none` where one is needed. so: the need, such as "a number is needed"."""
        words = self.symbols.excerpts.text(node.span)
        guard = f"ask first: `{words} is not empty`" if words and len(words) <= 40 else "ask first whether it is empty"
        if isinstance(node, m.Constant):
            self.diagnostics.report(spec_codes.MAY_BE_EMPTY, f"this is `none`, and {so}", node.span)
        elif isinstance(node, m.MakeRecord):
            message = f"there may be no such {node.record}, and {so}"
            self.diagnostics.report(spec_codes.MAY_BE_EMPTY, message, node.span, guard)
        else:
            guard, notes = self._outdated(node, scope) or (guard, ())
            self.diagnostics.report(spec_codes.MAY_BE_EMPTY, f"this may be `none`, and {so}", node.span, guard, notes)

    def _outdated(self, node: m.Expr, scope: Scope) -> tuple[str, tuple[Note, ...]] | None:
        """Return a hint and notes for an expression whose guard a step undid; None if it had no guard."""
        key = expression_key(node)
        if key is None or key in scope.nonempty or key not in scope.outdated:
            # A field is absent with its record, and a check adds nothing.
            return self._outdated(node.operand, scope) if isinstance(node, m.TableField | m.Checked) else None
        guard, step = scope.outdated[key]
        notes = (
            Note("a guard shows here that it is not `none`", guard),
            Note(f"this step may change it, so that the guard of line {guard.line} no longer holds", step),
        )
        words = self.symbols.excerpts.text(node.span) or "VALUE"
        return f"ask again here, or keep the value before line {step.line}: `let NAME = {words}`", notes

    def _narrow(self, node: m.Expr, scope: Scope) -> m.Expr:
        # The literal `none` has nothing to be narrowed to.
        narrows = isinstance(node.type, t.Optional) and not isinstance(node.type.of, t.Never)
        if not narrows or not scope.nonempty or expression_key(node) not in scope.nonempty:
            return node
        return replace(node, type=t.strip_optional(node.type), narrowed=True)

    # ---- dispatch ---------------------------------------------------------------------------------------------

    def _expr(self, node: s.Expression, scope: Scope, expected: t.Type | None) -> m.Expr:
        match node:
            case s.Integer(value=value):
                return number(value, node.span)
            case s.Boolean(value=value):
                return m.Constant(t.BOOL, node.span, value)
            case s.NoneLiteral():
                return m.Constant(t.Optional(t.Never()), node.span, None)
            case s.Name():
                return self.names.name(node, scope, expected)
            case s.TypeName():
                return self.names.type_name(node, scope)
            case s.Can():
                return self._can(node, scope)
            case s.SetLiteral():
                return self._set(node, scope, expected)
            case s.Interval():
                return self._interval(node, scope)
            case s.Dot():
                return self.names.dot(node, scope)
            case s.Negate():
                return self._negate(node, scope)
            case s.Not(operand=operand):
                return m.NotExpr(t.BOOL, node.span, self.condition(operand, scope))
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
                return self.extremum(kind, tuple(self.integer(i, scope) for i in items), node.span)
            case s.Pick():
                return self._pick(node, scope, expected)
            case s.Top(operand=operand):
                return self._top(node, operand, scope)

    # ---- operators --------------------------------------------------------------------------------------------

    def integer(self, node: s.Expression, scope: Scope) -> m.Expr:
        return self.numeric(self.expr(node, scope), scope)

    def numeric(self, node: m.Expr, scope: Scope) -> m.Expr:
        """Return an expression if it is a number; else report it and return a placeholder."""
        if is_poison(node) or isinstance(node.type, t.Range):
            return node
        if isinstance(node.type, t.Optional) and isinstance(node.type.of, t.Range):
            self.may_be_none(node, "a number is needed", scope)
        else:
            self.diagnostics.report(spec_codes.WRONG_TYPE, f"this is {a(node.type)}, and a number is needed", node.span)
        return poison(node.span)

    def _negate(self, node: s.Negate, scope: Scope) -> m.Expr:
        operand = self.integer(node.operand, scope)
        if not isinstance(operand.type, t.Range):
            return operand
        if isinstance(operand, m.Constant):
            # A negative number is written with a minus sign, and is still a literal.
            return number(-operand.value, node.span)
        return m.Minus(t.Range(-operand.type.high, -operand.type.low), node.span, operand)

    def _binary(self, node: s.Binary, scope: Scope, expected: t.Type | None) -> m.Expr:
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
        # The right side is evaluated only where the left one leaves it open, so it may rely on that.
        right = self.condition(node.right, scope.knowing(left, node.operator != "or"))
        return m.Logic(t.BOOL, node.span, operator, left, right)

    def _arithmetic(
        self, operator: m.ArithmeticOperator, node: s.Binary, scope: Scope, expected: t.Type | None
    ) -> m.Expr:
        left, right = self._pair(node, scope, expected)
        if is_poison(left) or is_poison(right):
            return poison(node.span)
        if isinstance(left.type, t.Range) and isinstance(right.type, t.Range):
            return self.calculated(operator, left, right, node.span)
        if operator in {"+", "-"} and t.element_type(left.type) and t.element_type(right.type):
            return self._combined(operator, node, left, right)
        for side in (left, right):
            if isinstance(side.type, t.Optional) and isinstance(side.type.of, t.Range):
                self.may_be_none(side, "a number is needed", scope)
                return poison(node.span)
        message = f"`{node.operator}` does not work on {a(left.type)} and {a(right.type)}"
        sets = t.element_type(left.type) or t.element_type(right.type)
        hint = "put an interval that is joined with a set into brackets: `(1..3) + {5}`" if sets else None
        self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span, hint)
        return poison(node.span)

    def calculated(self, operator: m.ArithmeticOperator, left: m.Expr, right: m.Expr, span: Span) -> m.Expr:
        """Build an arithmetic expression, with constant folding."""
        if operator in {"div", "mod"} and isinstance(right, m.Constant) and right.value == 0:
            self.diagnostics.report(spec_codes.OUT_OF_RANGE, "nothing can be divided by 0", right.span)
            return poison(span)
        range_ = arithmetic_range(operator, cast(t.Range, left.type), cast(t.Range, right.type))
        result = m.Arithmetic(range_, span, operator, left, right)
        if isinstance(left, m.Constant) and isinstance(right, m.Constant):
            try:
                return number(value_of(result), span)
            except NoValue as fault:
                # Both operands are known, so the fault is certain before play.
                self.diagnostics.report(spec_codes.OUT_OF_RANGE, fault.message, span)
                return poison(span)
        return result

    def _combined(self, operator: Literal["+", "-"], node: s.Binary, left: m.Expr, right: m.Expr) -> m.Expr:
        inner = t.join(t.element_type(left.type) or t.Never(), t.element_type(right.type) or t.Never())
        lists = isinstance(left.type, t.ListOf) or isinstance(right.type, t.ListOf)
        if inner is None or (lists and not (isinstance(left.type, t.ListOf) and isinstance(right.type, t.ListOf))):
            message = f"`{node.operator}` does not work on {a(left.type)} and {a(right.type)}"
            hint = self._as("list", right if isinstance(left.type, t.ListOf) else left) if inner is not None else None
            self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span, hint)
            return poison(node.span)
        sets = isinstance(left.type, t.SetOf) and isinstance(right.type, t.SetOf)
        type_: t.Type = t.ListOf(inner) if lists else t.SetOf(inner) if sets else t.BagOf(inner)
        return m.Combine(type_, node.span, operator, left, right)

    def _pair(self, node: s.Binary, scope: Scope, expected: t.Type | None = None) -> tuple[m.Expr, m.Expr]:
        """Elaborate both operands; a bare word takes its type from the other operand."""
        # A word alone has no type, so the other side is elaborated first.
        if self._wordish(node.left, scope) and not self._wordish(node.right, scope):
            right = self.expr(node.right, scope, expected)
            return self.expr(node.left, scope, right.type), right
        left = self.expr(node.left, scope, expected)
        return left, self.expr(node.right, scope, left.type)

    def _wordish(self, node: s.Expression, scope: Scope) -> bool:
        if isinstance(node, s.SetLiteral):
            return bool(node.items) and all(self._wordish(item, scope) for item in node.items)
        if not isinstance(node, s.Name) or node.my:
            return False
        known = node.name in scope.names or node.name in scope.cast or node.name in BUILTIN_VALUES or node.name == "me"
        if known or node.name in self.symbols.functions or node.name in self.defines.pending:
            return False
        return node.name not in BUILTIN_FUNCTIONS

    def _comparison(self, operator: m.ComparisonOperator, node: s.Binary, scope: Scope) -> m.Expr:
        left, right = self._pair(node, scope)
        if is_poison(left) or is_poison(right):
            return poison(node.span)
        common = t.join(left.type, right.type)
        equality = operator in ("=", "!=")
        if common is None:
            message = f"{a(left.type)} is compared with {a(right.type)}"
            self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span)
            return poison(node.span)
        if not equality and isinstance(common, t.Optional):
            side = left if isinstance(left.type, t.Optional) else right
            self.may_be_none(side, f"`{node.operator}` ranks values", scope)
            return poison(node.span)
        if not equality and not isinstance(common, ORDERED):
            self.diagnostics.report(spec_codes.WRONG_TYPE, f"`{node.operator}` cannot rank {a(common)}", node.span)
            return poison(node.span)
        self._decided(operator, node, left, right)
        return m.Comparison(t.BOOL, node.span, operator, left, right)

    def _decided(self, operator: m.ComparisonOperator, node: s.Binary, left: m.Expr, right: m.Expr) -> None:
        """Check for comparisons with a constant or with `none` whose result the range decides."""
        # A literal may be on either side.
        for one, other, written, turned in ((left, right, node.right, False), (right, left, node.left, True)):
            if isinstance(written, s.NoneLiteral) and not isinstance(one, m.Constant):
                message = f"this is {a(one.type)}, and never `none`"
                self.symbols.checks.add(
                    not isinstance(one.type, t.Optional), spec_codes.DECIDED_TEST, message, one.span
                )
            elif _is_number(written) and isinstance(one.type, t.Range) and not isinstance(one, m.Constant):
                literal = cast(m.Constant, other).value
                outcome = decided(MIRRORED[operator] if turned else operator, one.type, literal)
                always = "always" if outcome else "never"
                message = f"this {always} holds: {self._quoted(one)} {limits(one.type)}"
                self.symbols.checks.add(outcome is not None, spec_codes.DECIDED_TEST, message, node.span)

    def _quoted(self, node: m.Expr) -> str:
        words = self.symbols.excerpts.text(node.span)
        return f"`{words}`" if words and len(words) <= 40 else "the number"

    def _member(self, node: s.Binary, scope: Scope) -> m.Expr:
        # A list of words takes its type from the item, and otherwise the item from the list.
        if isinstance(node.right, s.SetLiteral) and not self._wordish(node.left, scope):
            item = self.expr(node.left, scope)
            collection = self.expr(node.right, scope, t.SetOf(t.strip_optional(item.type)))
        else:
            collection = self.collection(node.right, scope)
            item = self.expr(node.left, scope, t.element_type(collection.type))
        if is_poison(item) or is_poison(collection):
            return poison(node.span)
        item_type = t.element_type(collection.type)
        if _is_number(node.left) and isinstance(item_type, t.Range):
            message = f"this can never be a member: the possible values are {item_type.low}..{item_type.high}"
            self.symbols.checks.add(apart(item.type, item_type), spec_codes.DECIDED_TEST, message, node.left.span)
        if item_type is None or t.join(t.strip_optional(item.type), t.strip_optional(item_type)) is None:
            message = f"{a(item.type)} is never in {a(collection.type)}"
            self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span)
            return poison(node.span)
        return m.Member(t.BOOL, node.span, item, collection, node.operator == "not in")

    def _is_empty(self, node: s.IsEmpty, scope: Scope) -> m.Expr:
        # Guards are forgotten here: a narrowed operand would not be optional, and asking again is not a fault.
        operand = self.expr(node.operand, replace(scope, counting=True, nonempty={}, outdated={}))
        if is_poison(operand):
            return poison(node.span)
        if not isinstance(operand.type, t.Optional | t.SetOf | t.BagOf | t.ListOf):
            self.diagnostics.report(spec_codes.WRONG_TYPE, f"{a(operand.type)} is never empty", node.span)
            return poison(node.span)
        return m.EmptyTest(t.BOOL, node.span, operand, node.negated)

    def _conditional(self, node: s.Conditional, scope: Scope, expected: t.Type | None) -> m.Expr:
        condition = self.condition(node.condition, scope)
        then = self.expr(node.then, scope.knowing(condition), expected)
        otherwise = self.expr(node.otherwise, scope.knowing(condition, False), expected or then.type)
        for branch in (then, otherwise):
            # The branches would be joined to a set, and the place of the fault would be lost.
            if isinstance(expected, t.BagOf | t.ListOf) and isinstance(branch.type, t.SetOf):
                self.mismatch(branch, expected)
                return poison(node.span)
        type_ = self.common((then, otherwise))
        return poison(node.span) if type_ is None else m.IfExpr(type_, node.span, condition, then, otherwise)

    def common(self, nodes: Iterable[m.Expr], others: str = "the branch before it is") -> t.Type | None:
        """Return the least common type of some branches; None if there is none, which is reported.

        A faulty branch gives None without a further report. others: the words for the other branches in the report."""
        type_: t.Type = t.Never()
        broken = False
        for node in nodes:
            if is_poison(node):
                broken = True
                continue
            joined = t.join(type_, node.type)
            if joined is None:
                message = f"this is {a(node.type)}, and {others} {a(type_)}"
                self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span)
                return None
            type_ = joined
        return None if broken else type_

    # ---- collections ------------------------------------------------------------------------------------------

    def _set(self, node: s.SetLiteral, scope: Scope, expected: t.Type | None) -> m.Expr:
        inner = t.element_type(expected) if expected else None
        # The element type of an empty set helps nobody.
        inner = None if isinstance(inner, t.Never) else inner
        items = tuple(self.expr(item, scope, inner) for item in node.items)
        type_ = self.common(items, "the item before it is") if items else (inner or t.Never())
        if type_ is None:
            return poison(node.span)
        if isinstance(expected, t.ListOf) and not items:
            return m.Constant(t.ListOf(type_), node.span, ())
        if isinstance(expected, t.BagOf) and all(isinstance(item, m.Constant) for item in items):
            values = t.in_order(type_, (cast(m.Constant, item).value for item in items))
            return m.Constant(t.BagOf(type_), node.span, tuple(values))
        if all(isinstance(item, m.Constant) for item in items):
            return m.Constant(t.SetOf(type_), node.span, frozenset(cast(m.Constant, i).value for i in items))
        return m.SetExpr(t.SetOf(type_), node.span, items)

    def _interval(self, node: s.Interval, scope: Scope) -> m.Expr:
        low, high = self.integer(node.low, scope), self.integer(node.high, scope)
        if not (isinstance(low.type, t.Range) and isinstance(high.type, t.Range)):
            return poison(node.span)
        # An interval that is empty at this table still needs a type.
        type_ = t.SetOf(t.Range(low.type.low, max(low.type.low, high.type.high)))
        message = f"the range {low.type.low}..{high.type.high} holds no number"
        self.symbols.checks.add(low.type.low > high.type.high, spec_codes.OUT_OF_RANGE, message, node.span)
        if isinstance(low, m.Constant) and isinstance(high, m.Constant):
            # The budget is asked before the numbers are listed, since they may not fit into memory.
            if not self.symbols.allowance.allows(max(0, high.value - low.value), scope.path, node.span):
                return poison(node.span)
            return m.Constant(type_, node.span, frozenset(range(low.value, high.value + 1)))
        return m.IntervalExpr(type_, node.span, low, high)

    def collection(self, node: s.Expression, scope: Scope, expected: t.Type | None = None) -> m.Expr:
        """Elaborate an expression that can be iterated over."""
        domain = self.expr(node, scope, expected)
        item_type = t.element_type(domain.type)
        if is_poison(domain) or (item_type is not None and not isinstance(item_type, t.Never)):
            return domain
        message = (
            f"{a(domain.type)} cannot be gone through" if item_type is None else "there is nothing to go through here"
        )
        self.diagnostics.report(spec_codes.NOT_A_COLLECTION, message, node.span)
        return poison(node.span)

    def loops(
        self, generators: tuple[s.Generator, ...], scope: Scope, kind: VariableKind = "loop"
    ) -> tuple[tuple[m.Loop, ...], Scope]:
        """Elaborate generators to loops, and return them with the scope of their names."""
        loops = []
        for generator in generators:
            domain = self.collection(generator.domain, scope)
            type_ = t.element_type(domain.type) or t.Never()
            scope, slot = self.bind(generator.name, type_, kind, scope)
            loops.append(m.Loop(generator.name, slot, type_, domain))
        return tuple(loops), scope

    def bind(self, name: Identifier, type_: t.Type, kind: VariableKind, scope: Scope) -> tuple[Scope, int]:
        """Return the scope with a new local name, and its slot.

        No name may shadow another: a second one is reported, and has the type `Never`, so its uses are not."""
        place = name.span
        earlier = self._earlier(name, scope)
        if earlier is None:
            return scope.bind(name, type_, kind, place)
        message = f"`{name}` already means something else here"
        self.diagnostics.report(spec_codes.DUPLICATE_NAME, message, place, notes=earlier)
        # The name stays bound, so that its uses are not faults of their own.
        return scope.bind(name, t.Never(), kind, place)

    def is_taken(self, name: str, scope: Scope) -> bool:
        """Return whether a name is already in scope."""
        return self._earlier(name, scope) is not None

    def _earlier(self, name: str, scope: Scope) -> tuple[Note, ...] | None:
        """Return a note at the declaration of a name that is in scope, if there is one."""
        if name in scope.names:
            return (Note(f"`{name}` is declared here already", scope.names[name].span),)
        if name in scope.cast:
            return ()
        if name in BUILTIN_VALUES or name == "me":
            self.symbols.taken.add(name)
            return ()
        if name in self.symbols.functions or name in self.defines.pending:
            return self.symbols.declared.notes(name)
        return None

    def where(self, node: s.Expression | None, scope: Scope) -> tuple[m.Expr | None, Scope]:
        if node is None:
            return None, scope
        condition = self.condition(node, scope)
        # Only a literal is reported: a condition that never holds at this table may hold at another.
        if isinstance(node, s.Boolean) and not node.value:
            self.diagnostics.report(
                spec_codes.DECIDED_TEST, "this condition never holds, so nothing remains", node.span
            )
        return condition, scope.knowing(condition)

    def _quantified(self, node: s.Quantified, scope: Scope) -> m.Expr:
        loops, inner = self.loops(node.generators, scope)
        where, inner = self.where(node.where, inner)
        has = self.condition(node.has, inner)
        return m.Quantifier(t.BOOL, node.span, node.kind, loops, where, has)

    def _aggregate(self, node: s.Count | s.Aggregate, scope: Scope, expected: t.Type | None) -> m.Expr:
        loops, inner = self.loops(node.generators, scope)
        where, inner = self.where(node.where, inner)
        if isinstance(node, s.Count):
            one = number(1, node.span)
            type_: t.Type | None = t.Range(0, times_of(loops))
            return m.AggregateExpr(cast(t.Type, type_), node.span, "count", one, loops, where, None)
        value = self.expr(node.value, inner, t.element_type(expected) if expected else None)
        if node.kind in ("sum", "max", "min"):
            value = self.numeric(value, inner)
        otherwise = self.integer(node.otherwise, scope) if node.otherwise else None
        type_ = self._aggregate_type(node, value, loops, otherwise)
        if type_ is None:
            return poison(node.span)
        if node.kind in ("max", "min") and otherwise is None and (where or not all(map(never_empty, loops))):
            message = f"`{node.kind}` of a possibly empty collection needs an `else`"
            hint = f"give the value for an empty collection: `{node.kind}(... else 0)`"
            self.diagnostics.report(spec_codes.NEEDS_ELSE, message, node.span, hint)
        return m.AggregateExpr(type_, node.span, node.kind, value, loops, where, otherwise)

    def _aggregate_type(
        self, node: s.Aggregate, value: m.Expr, loops: tuple[m.Loop, ...], otherwise: m.Expr | None
    ) -> t.Type | None:
        if is_poison(value) or any(is_poison(loop.domain) for loop in loops):
            return None
        match node.kind:
            case "sum":
                assert isinstance(value.type, t.Range)
                times = times_of(loops)
                # A sum may have no items, and is 0 then.
                low, high = min(0, value.type.low * times), max(0, value.type.high * times)
                return clipped(low, high)
            case "max" | "min":
                return self.common(filter(None, (value, otherwise)), "the value it replaces is")
            case "set":
                return t.SetOf(value.type)
            case "bag":
                return t.BagOf(value.type)
            case "list":
                return t.ListOf(value.type)

    def extremum(self, kind: Literal["max", "min"], items: tuple[m.Expr, ...], span: Span) -> m.Expr:
        """Elaborate `max` or `min` of listed numbers."""
        ranges = [item.type for item in items if isinstance(item.type, t.Range)]
        if len(ranges) < len(items):
            return poison(span)
        pick = max if kind == "max" else min
        type_ = t.Range(pick(r.low for r in ranges), pick(r.high for r in ranges))
        return m.ExtremumExpr(type_, span, kind, items)

    def _pick(self, node: s.Pick, scope: Scope, expected: t.Type | None) -> m.Expr:
        loops, inner = self.loops((node.generator,), scope)
        where, _ = self.where(node.where, inner)
        if is_poison(loops[0].domain):
            return poison(node.span)
        otherwise = self.expr(node.otherwise, scope, expected or loops[0].type) if node.otherwise else None
        item = m.Local(loops[0].type, node.span, loops[0].slot)
        type_ = self.common(filter(None, (item, otherwise)), "the value it replaces is")
        return (
            poison(node.span) if type_ is None else m.PickExpr(type_, node.span, node.kind, loops[0], where, otherwise)
        )

    def _top(self, node: s.Top, operand: s.Expression, scope: Scope) -> m.Expr:
        pile = self.expr(operand, scope)
        if is_poison(pile):
            return poison(node.span)
        if not (isinstance(pile, m.Read) and pile.element.kind == "pile"):
            self.diagnostics.report(spec_codes.WRONG_PLACE, "only a pile has a top", operand.span)
            return poison(node.span)
        return m.Builtin(t.optional(pile.element.type), node.span, "top", (pile,))

    def _can(self, node: s.Can, scope: Scope) -> m.Expr:
        head = self.action(node.action)
        self.names.me(node.span, scope, "`can` needs an acting player, and nobody acts here")
        if head is None:
            return poison(node.span)
        given = self.names.arguments(node.action, head.parameters, node.arguments or (), scope)
        return poison(node.span) if given is None else m.CanPerform(t.BOOL, node.span, node.action, given)

    def action(self, name: Identifier) -> ActionHead | None:
        head = self.symbols.actions.get(name)
        if head is None:
            self.symbols.misplaced("action", name, self.symbols.actions)
        return head


def _leaves(node: m.Expr) -> Iterator[m.Expr]:
    """Yield the expressions whose value can become the value of this one."""
    match node:
        case m.IfExpr(then=then, otherwise=otherwise):
            yield from (*_leaves(then), *_leaves(otherwise))
        case m.MatchExpr(cases=cases):
            yield from (leaf for case in cases for leaf in _leaves(case.body))
        case m.WithExceptions(body=body, exceptions=exceptions):
            yield from _leaves(body)
            yield from (leaf for exception in exceptions for leaf in _leaves(exception.value))
        case m.LetExpr(body=body):
            yield from _leaves(body)
        case _:
            yield node


def _is_number(node: s.Expression) -> bool:
    """Return whether an expression is a number literal."""
    return isinstance(node, s.Integer) or (isinstance(node, s.Negate) and isinstance(node.operand, s.Integer))
