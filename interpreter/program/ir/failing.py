"""Failure analysis: which code of a program may fail because it has no value, at its place or moved to another."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ludex.spec import types as t

from . import code as c
from .traversal import expressions, parts

TOTAL_OPERATIONS = frozenset({
    "add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "none", "some", "sum", "int", "min",
    "max", "size", "is_empty", "between",
})  # fmt: skip
"""Operations that have a value for any arguments other than none. All others are evaluated only after statements that
test their arguments: such a statement fails in their place, so that at its place no operation fails."""
TOTAL_OF_NONE = frozenset({"eq", "ne", "none", "some"})
"""Operations with a value for none, too."""


def has_value(expr: c.Expr) -> bool:
    """Return whether evaluating the expression at its place never fails and changes nothing, whatever units do."""
    return not isinstance(expr, c.Call | c.Serve) and all(map(has_value, parts(expr)))


class Failing:
    """Answers, for statements, expressions and units, whether evaluation may end without a value.

    Args:
        program: the units of which may still grow.
    """

    def __init__(self, program: c.Program) -> None:
        self._program, self._game = program, program.game
        self._known: dict[int, bool] = {}

    def may_fail(self, *nodes: Any) -> bool:
        """Return whether one of the statements, expressions or sequences of them may fail, in what they call, too."""
        return any(map(self._fails, nodes))

    def unit(self, number: int) -> bool:
        """Return whether the unit may fail. One that is not lowered yet may, and one that calls itself may go too
        deep."""
        if number not in self._known:
            # This is the answer for a call that meets the unit again, while its body is examined.
            self._known[number] = True
            body = self._program.units[number].body
            self._known[number] = not body or self._fails(body)
        return self._known[number]

    def _fails(self, node: Any) -> bool:
        match node:
            case tuple() | list():
                return self.may_fail(*node)
            case c.Fail():
                return True
            # An attempt ends where its body fails, and the statements after it continue.
            case c.Attempt():
                return False
            case c.Call(unit=unit) if self.unit(unit):
                return True
            # A statement on the way to the answer may fail, and the test may lead to itself.
            case c.Serve(name="can"):
                return True
            case c.If(then=one, otherwise=other):
                return self.may_fail(*expressions(node), one, other)
            case c.Each(body=body) | c.Loop(body=body):
                return self.may_fail(*expressions(node), body)
            case c.Const() | c.Var() | c.Load() | c.Lookup() | c.Op() | c.Call() | c.Serve() | c.Pick():
                return self.may_fail(*parts(node))
        return self.may_fail(*expressions(node))

    def is_total(self, expr: c.Expr) -> bool:
        """Return whether an expression has a value wherever it is evaluated, before all tests, if its parts have."""
        match expr:
            case c.Const() | c.Var() | c.Pick():
                return True
            case c.Load(index=index):
                return index is None
            case c.Lookup(table=table, index=index):
                return not self.may_be_none(index) and _is_within(index.type, len(table))
            case c.Op(name=name, args=args) if name in TOTAL_OPERATIONS:
                return name in TOTAL_OF_NONE or not any(map(self.may_be_none, args))
        return False

    def may_be_none(self, expr: c.Expr) -> bool:
        """Return whether a value may be none where nothing has tested it. After a test its type says otherwise."""
        match expr:
            case c.Load(base=base) if base in self._optional:
                return True
            case c.Lookup(table=table) if None in table:
                return True
            case c.Call(unit=unit) if (define := self._game.defines.get(self._program.units[unit].name)) is not None:
                return isinstance(define.result, t.Optional)
            case c.Pick(yes=c.Const(value=None)):
                return True
        return isinstance(expr.type, t.Optional | t.Never)

    @cached_property
    def _optional(self) -> frozenset[int]:
        return frozenset(
            cell
            for element in self._game.elements
            if element.kind == "one" or isinstance(element.type, t.Optional)
            for cell in range(element.offset, element.offset + element.count)
        )


def _is_within(of: t.Type, count: int) -> bool:
    """Return whether all values of a type are numbers from 0 that are less than a count."""
    if isinstance(of, t.Range):
        return of.low >= 0 and of.high < count
    return isinstance(of, t.PlayerType | t.ComponentType | t.Words) and (t.size(of) or 0) <= count
