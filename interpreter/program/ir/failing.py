"""Failure analysis: which code of a program may fail for want of a value."""

from __future__ import annotations

from typing import Any

from . import code as c
from .traversal import expressions, parts

TOTAL_OPERATIONS = frozenset({
    "add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "none", "some", "sum", "int", "min",
    "max", "size", "is_empty", "between",
})  # fmt: skip
"""Operations that have a value for any arguments other than none. All others are evaluated only after statements that
test their arguments: such a statement fails in their place, so `Failing` does not look at operations."""
TOTAL_OF_NONE = frozenset({"eq", "ne", "none", "some"})
"""Operations with a value for none, too."""


class Failing:
    """Answers, for statements, expressions and units, whether evaluation may end without a value.

    Args:
        program: the units of which may still grow.
    """

    def __init__(self, program: c.Program) -> None:
        self._program = program
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
