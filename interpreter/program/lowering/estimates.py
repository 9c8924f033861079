"""Estimates of lowering: how large an expression is after unrolling and inlining, and what code costs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from typing import Any

from ludex.spec import children, per_node
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.traversal import expressions, parts

REMEMBERED = 150
"""The results of a unit that costs more than this are memoized while no cell changes. Costs are counted in parts of
expressions that are evaluated."""
_TURNS, MEMO_COST = 6, 10
"""Estimates: the iterations of a loop, and the cost of a memo lookup."""


class ExpressionSizes:
    """The sizes of a game's expressions after unrolling and inlining. reading: the defines that read the state."""

    def __init__(self, game: m.Game, reading: Collection[str]) -> None:
        self._game, self._reading = game, reading
        self.of = per_node(lambda node: min(1_000_000, self._measured(node)))
        """The size of an expression; at most a million."""
        self._defines: dict[str, int] = {}

    def _measured(self, expr: Any) -> int:
        match expr:
            case m.Quantifier() | m.AggregateExpr():
                turns = prod(self.count(loop.domain) for loop in expr.loops)
                domains = sum(self.of(loop.domain) for loop in expr.loops)
                return domains + turns * self.of_turn((), expr)
            case m.PickExpr(loop=loop, where=where):
                return 8 + self.of(loop.domain) + (0 if where is None else self.of(where))
            case m.CallDefine(name=name, arguments=arguments):
                own = sum(self.of(argument) for argument in arguments)
                if name not in self._defines:
                    # A call of itself inside its body counts this much, so that recursion ends.
                    self._defines[name] = 20
                    if name in self._reading:
                        self._defines[name] = self.of(self._game.defines[name].body)
                # A longer body is called and not inlined, and then its length does not matter.
                return 1 + own + min(self._defines[name], 60)
            case _:
                return 1 + sum(
                    self.of(child)
                    for child in children(expr)
                    if isinstance(child, m.Typed | m.Loop) or not isinstance(child, m.Statement)
                )

    def of_turn(self, inner: Sequence[m.Loop], expr: m.Quantifier | m.AggregateExpr) -> int:
        """Return the size of one iteration of the outermost loop, with those of the loops inside it."""
        parts = [expr.where, expr.has if isinstance(expr, m.Quantifier) else expr.value]
        size = sum(self.of(part) for part in parts if part is not None)
        for loop in inner:
            size *= self.count(loop.domain)
        return size

    def count(self, domain: m.Expr) -> int:
        """Estimate how many items a domain has."""
        match domain:
            case m.AllValues(of=of):
                return t.size(of) or 8
            case m.Constant(value=value) if isinstance(value, tuple | frozenset):
                return len(value)
            case m.IntervalExpr(low=m.Constant(value=low), high=m.Constant(value=high)):
                return max(0, int(high) - int(low) + 1)
            case m.SetExpr(items=items):
                return len(items)
            case _:
                return 8


class CodeCosts:
    """The costs of a program's code, with what it calls."""

    def __init__(self, program: c.Program) -> None:
        self._program = program
        self._units: dict[int, int] = {}

    def of_body(self, body: c.Body, depth: int = 0) -> int:
        """Estimate the cost of a body and of what it calls."""
        # A unit with such deep calls is memoized in any case.
        if depth > 8:
            return REMEMBERED
        cost = 0
        for statement in body:
            inner = 0
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    inner = self.of_body(then, depth + 1) + self.of_body(otherwise, depth + 1)
                case c.Each(body=turn) | c.Loop(body=turn):
                    inner = _TURNS * self.of_body(turn, depth + 1)
                case c.Attempt(body=tried):
                    inner = self.of_body(tried, depth + 1)
            cost += inner + sum(self._of_parts(each, depth) for each in expressions(statement))
        return min(cost, 1_000_000)

    def _of_unit(self, number: int, depth: int) -> int:
        body = self._program.units[number].body
        if not body:  # recursion: the unit is being lowered
            return REMEMBERED
        if number not in self._units:
            self._units[number] = self.of_body(body, depth)
        return self._units[number]

    def _of_parts(self, expr: c.Expr, depth: int) -> int:
        return self.of_expression(expr, [self._of_parts(part, depth) for part in parts(expr)], depth)

    def of_expression(self, expr: c.Expr, inside: list[int], depth: int) -> int:
        """Return the cost of an expression, given the costs of its parts."""
        match expr:
            case c.Call(unit=number):
                unit = self._program.units[number]
                own = MEMO_COST if unit.keeps else self._of_unit(number, depth + 1)
                return own + sum(inside)
            case c.Pick():
                return 1 + inside[0] + sum(inside[1:]) // 2
            case c.Op(name="and" | "or"):  # the first few tests usually decide
                return 1 + sum(cost >> min(at, 20) for at, cost in enumerate(inside))
        return 1 + sum(inside) if inside else 1
