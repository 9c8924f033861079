"""Constant propagation in the units of a program."""

from __future__ import annotations

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.python.printing.propagation import Propagation
from ludex.spec import types as t

DIGIT = t.Range(0, 9)
DEEP = 60
"""With two visits of every part this would take 2 to the power of 60 visits."""


def test_a_nested_expression_is_visited_once() -> None:
    number, inner = c.Var(1, DIGIT), c.Var(2, DIGIT)
    expr: c.Expr = inner
    for _ in range(DEEP):
        expr = c.Op("mod", (number, expr), DIGIT)
    expected: c.Expr = c.Const(3, DIGIT)
    for _ in range(DEEP):
        expected = c.Op("mod", (number, expected), DIGIT)
    assert Propagation(()).expr(expr, {inner: c.Const(3, DIGIT)}) == expected
