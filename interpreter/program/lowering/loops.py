"""Lowering of loops: quantifiers, aggregates and searches. Loops over constant domains are unrolled within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import BOOL, FALSE, INT, TRUE, either, items_of, negation, op
from .estimates import ExpressionSizes
from .scope import UnitScope, unread

if TYPE_CHECKING:
    from .expressions import ExpressionLowering

CHAIN = 10
"""A search among at most this many constants is unrolled."""
Items: TypeAlias = tuple[t.Value, ...]


class LoopLowering:
    """Lowers the expressions that loop. x: lowers what is inside them; sizes: of the game's expressions."""

    def __init__(self, x: ExpressionLowering, sizes: ExpressionSizes) -> None:
        self._x, self._sizes = x, sizes

    def items(self, domain: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower the items of a domain, in iteration order; a constant domain gives a tuple."""
        if isinstance(domain, m.IntervalExpr):
            # An interval is passed on as one operation: printers count through it without a list.
            ends = self._x.lower(domain.low, scope), self._x.lower(domain.high, scope)
            return op("interval", *ends, gives=t.ListOf(INT))
        known = self._x.known(domain, scope)
        if known is not None:
            return c.Const(items_of(domain.type, known.value), t.ListOf(t.element_type(domain.type) or domain.type))
        return self._x.sequence(domain, self._x.lower(domain, scope))

    def _turns(
        self, loops: Sequence[m.Loop], where: m.Expr | None, scope: UnitScope, turn: Callable[[], None], each: int
    ) -> None:
        """Emit the statements of `turn` for every combination of the loops' values that the condition allows.

        each: the size of one iteration. An iteration that leaves the loops leaves the innermost one.
        """
        if not loops:
            self._where(where, scope, turn)
            return
        loop, *inner = loops
        items = self.items(loop.domain, scope)
        if isinstance(items, c.Const) and self._x.special.unrolls(len(items.value), each):
            for item in items.value:
                scope.env[loop.slot] = c.Const(item, loop.type)
                self._turns(inner, where, scope, turn, each // max(1, len(items.value)))
            return
        var = scope.new(loop.type)
        scope.env[loop.slot] = var
        with scope.branch() as body:
            self._turns(inner, where, scope, turn, each)
        scope.out.append(c.Each(var, items, tuple(body), scope.path))

    def _where(self, where: m.Expr | None, scope: UnitScope, turn: Callable[[], None]) -> None:
        if where is None:
            turn()
            return
        scope.where(self._x.lower(where, scope), turn)

    def quantifier(self, expr: m.Quantifier, scope: UnitScope) -> c.Expr:
        """Lower `every` as a conjunction over the iterations, `some` and `no` as a disjunction."""
        result = self.over(expr, expr.loops, expr.kind == "every", scope)
        return negation(result) if expr.kind == "no" else result

    def over(self, expr: m.Quantifier, loops: Sequence[m.Loop], every: bool, scope: UnitScope) -> c.Expr:
        """Lower whether the quantifier's condition holds in every iteration of these loops, or in some."""
        if not loops:
            if expr.where is None:
                return self._x.lower(expr.has, scope)
            where = self._x.lower(expr.where, scope)
            test = negation(where) if every else where
            return self._x.joined(test, lambda: self._x.lower(expr.has, scope), not every, scope)
        loop, *inner = loops
        items = self.items(loop.domain, scope)
        if isinstance(items, c.Const) and self._x.special.unrolls(len(items.value), self._sizes.of_turn(inner, expr)):
            result: c.Expr = TRUE if every else FALSE
            for item in items.value:

                def turn(item: t.Value = item) -> c.Expr:
                    scope.env[loop.slot] = c.Const(item, loop.type)
                    return self.over(expr, inner, every, scope)

                # As a chain of `and` or `or`, in which a known side ends the loop before play.
                result = self._x.joined(result, turn, every, scope)
            return result
        var, result = scope.new(loop.type), scope.set(TRUE if every else FALSE, BOOL)
        scope.env[loop.slot] = var
        with scope.branch() as body:
            test = self.over(expr, inner, every, scope)
            stop: c.Body = (c.Set(result, FALSE if every else TRUE), c.Break())
            scope.out.append(c.If(negation(test) if every else test, stop))
        scope.out.append(c.Each(var, items, tuple(body), scope.path))
        return result

    def aggregate(self, expr: m.AggregateExpr, scope: UnitScope) -> c.Expr:
        match expr.kind:
            case "sum" | "count":
                return self._sum(expr, scope)
            case "max" | "min":
                return self._best(expr, scope)
            case _:
                return self._collected(expr, scope)

    def _sum(self, expr: m.AggregateExpr, scope: UnitScope) -> c.Expr:
        if self._unrolls(expr.loops, expr, scope):
            return self._added(expr, expr.loops, scope)
        total = scope.set(c.Const(0, INT), INT)

        def turn() -> None:
            value = c.Const(1, INT) if expr.kind == "count" else self._x.lower(expr.value, scope)
            scope.out.append(c.Set(total, op("add", total, value, gives=INT)))

        self._turns(expr.loops, expr.where, scope, turn, self._sizes.of_turn(expr.loops[1:], expr))
        return total

    def _unrolls(self, loops: Sequence[m.Loop], expr: m.AggregateExpr, scope: UnitScope) -> bool:
        """Return whether all loops have constant domains that are short enough to unroll."""
        first = loops[0]
        if not isinstance(self._constant_items(first.domain, scope), tuple):
            return False
        return self._x.special.unrolls(self._sizes.count(first.domain), self._sizes.of_turn(loops[1:], expr))

    def _constant_items(self, domain: m.Expr, scope: UnitScope) -> Items | None:
        known = self._x.known(domain, scope)
        return None if known is None else items_of(domain.type, known.value)

    def _added(self, expr: m.AggregateExpr, loops: Sequence[m.Loop], scope: UnitScope) -> c.Expr:
        """Lower the sum of the iterations, as an expression as far as possible."""
        if not loops:
            one = c.Const(1, INT)
            if expr.where is None:
                return one if expr.kind == "count" else self._x.lower(expr.value, scope)
            test = self._x.lower(expr.where, scope)
            if expr.kind == "count" and not isinstance(test, c.Const):
                # A truth value counts as 0 or 1, which takes no branch.
                return c.Op("int", (test,), INT)
            return self._x.chosen(
                test, lambda: one if expr.kind == "count" else self._x.lower(expr.value, scope),
                lambda: c.Const(0, INT), INT, scope,
            )  # fmt: skip
        loop, *inner = loops
        items = self._constant_items(loop.domain, scope)
        if items is None:
            total = scope.set(c.Const(0, INT), INT)
            var = scope.new(loop.type)
            domain = self.items(loop.domain, scope)
            scope.env[loop.slot] = var
            with scope.branch() as body:
                scope.out.append(c.Set(total, op("add", total, self._added(expr, inner, scope), gives=INT)))
            scope.out.append(c.Each(var, domain, tuple(body), scope.path))
            return total
        terms: list[c.Expr] = []
        known = 0
        for item in items:
            scope.env[loop.slot] = c.Const(item, loop.type)
            part = self._added(expr, inner, scope)
            if isinstance(part, c.Const):
                known += part.value
            else:
                terms.append(part)
        if not terms:
            return c.Const(known, INT)
        # Constant terms are added before play, and the sum of the others is one operation, which printers recognise.
        if known:
            terms.append(c.Const(known, INT))
        return terms[0] if len(terms) == 1 else c.Op("sum", tuple(terms), INT)

    def _best(self, expr: m.AggregateExpr, scope: UnitScope) -> c.Expr:
        if len(expr.loops) == 1 and expr.where is None and not isinstance(expr.value.type, t.Optional):
            with scope.branch() as before:
                candidates = self._listed(expr, scope)
            # An empty loop has no candidates, and neither has one that is not unrolled: both go on below.
            scope.out += before
            if candidates:
                return op(expr.kind, *candidates, gives=expr.type)
        best = scope.set(c.Const(None, expr.type), t.optional(expr.type))

        def turn() -> None:
            value = scope.named(self._x.lower(expr.value, scope), expr.value.type)
            better = op("gt" if expr.kind == "max" else "lt", value, best, gives=BOOL)
            better = either(op("none", best, gives=BOOL), better)
            scope.out.append(c.If(better, (c.Set(best, value),)))

        self._turns(expr.loops, expr.where, scope, turn, self._sizes.of_turn(expr.loops[1:], expr))
        nothing = op("none", best, gives=BOOL)
        if expr.otherwise is None:
            scope.out.append(c.If(nothing, (c.Fail("rank", scope.path, expr.span),)))
            return best
        otherwise = expr.otherwise
        with scope.branch() as statements:
            value = self._x.lower(otherwise, scope)
            scope.out.append(c.Set(best, value))
        scope.out.append(c.If(nothing, tuple(statements)))
        return best

    def _collected(self, expr: m.AggregateExpr, scope: UnitScope) -> c.Expr:
        of = t.element_type(expr.type) or expr.type
        candidates = self._listed(expr, scope) if len(expr.loops) == 1 and expr.where is None else None
        if candidates is not None:
            items = op("list_of", *candidates, gives=t.ListOf(of))
            if expr.kind == "list":
                return items
            return op({"set": "frozenset", "bag": "ordered"}[expr.kind], items, gives=expr.type, of=of)
        result = scope.new(t.ListOf(of))
        scope.out.append(c.New(result))

        def turn() -> None:
            scope.out.append(c.Append(result, self._x.lower(expr.value, scope)))

        self._turns(expr.loops, expr.where, scope, turn, self._sizes.of_turn(expr.loops[1:], expr))
        name = {"set": "frozenset", "list": "tuple", "bag": "ordered"}[expr.kind]
        return scope.set(op(name, result, gives=expr.type, of=of), expr.type)

    def _listed(self, expr: m.AggregateExpr, scope: UnitScope) -> list[c.Expr] | None:
        """Lower the value of each iteration of a short loop over constants, or return None."""
        (loop,) = expr.loops
        items = self._constant_items(loop.domain, scope)
        if items is None or not self._x.special.unrolls(len(items), self._sizes.of(expr.value)):
            return None
        turns = []
        for item in items:
            scope.env[loop.slot] = c.Const(item, loop.type)
            turns.append(self._x.lower(expr.value, scope))
        return turns

    def _first(self, expr: m.PickExpr, items: Items, scope: UnitScope) -> c.Expr:
        """Lower the search for the first of a few constants that the condition allows."""
        if not items:
            if expr.otherwise is not None:
                return self._x.lower(expr.otherwise, scope)
            scope.out.append(c.Fail("not_one", scope.path, expr.span))
            return unread(expr.type)
        scope.env[expr.loop.slot] = c.Const(items[0], expr.loop.type)
        test = TRUE if expr.where is None else self._x.lower(expr.where, scope)
        item = c.Const(items[0], expr.type)
        return self._x.chosen(test, lambda: item, lambda: self._first(expr, items[1:], scope), expr.type, scope)

    def pick(self, expr: m.PickExpr, scope: UnitScope) -> c.Expr:
        few = self._constant_items(expr.loop.domain, scope) if expr.kind == "first" else None
        if few is not None and len(few) <= CHAIN:
            return self._first(expr, few, scope)
        is_found, result = scope.set(FALSE, BOOL), scope.new(expr.type)
        scope.out.append(c.Set(result, c.Const(None, expr.type)))
        items = self.items(expr.loop.domain, scope)
        var = scope.new(expr.loop.type)
        scope.env[expr.loop.slot] = var
        with scope.branch() as body:

            def turn() -> None:
                take: c.Body = (c.Set(is_found, TRUE), c.Set(result, var))
                if expr.kind == "first":
                    scope.out.extend((*take, c.Break()))
                    return
                # Equal pieces are one answer.
                again = c.If(op("ne", var, result, gives=BOOL), (c.Fail("not_one", scope.path, expr.span),))
                scope.out.append(c.If(is_found, (again,), take))

            self._where(expr.where, scope, turn)
        scope.out.append(c.Each(var, items, tuple(body), scope.path))
        with scope.branch() as otherwise:
            if expr.otherwise is None:
                scope.out.append(c.Fail("not_one", scope.path, expr.span))
            else:
                scope.out.append(c.Set(result, self._x.lower(expr.otherwise, scope)))
        scope.out.append(c.If(negation(is_found), tuple(otherwise)))
        return result
