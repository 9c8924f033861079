"""Units without attempts: a test that an attempt has made is not made again, unless it may have another result."""

from __future__ import annotations

import pytest

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import BOOL, INT, op
from ludex.interpreter.program.ir.traversal import statements
from ludex.interpreter.program.python.printing.optimistic import optimistic
from ludex.spec import types as t

LISTED, HOLDS, CARD, OTHER = c.Var(0, t.ListOf(INT)), c.Var(1, BOOL), c.Var(2, INT), c.Var(3, INT)
TEST = op("lt", CARD, c.Load(5, None, 1, INT), gives=BOOL)
FREE = op("lt", OTHER, c.Load(6, None, 1, INT), gives=BOOL)
FOUND = c.Append(LISTED, CARD)


def attempted(*then: c.Statement, otherwise: c.Body = ()) -> c.Body:
    """Return a unit that tests something early, in an attempt, and then does the rest if that holds."""
    tried = c.Set(HOLDS, c.Const(True, BOOL)), c.Attempt((c.Set(HOLDS, TEST),))
    return c.New(LISTED), *tried, c.If(HOLDS, then, otherwise), c.Return(LISTED)


def made_by(body: c.Body) -> list[c.Expr]:
    """Return the tests of the unit as it is printed, in order."""
    decided = optimistic(body)
    assert decided is not None
    return [each.test for each in statements(decided) if isinstance(each, c.If)]


def test_a_test_after_its_success_is_left_out() -> None:
    again = c.If(TEST, (FOUND,))
    assert made_by(attempted(c.If(FREE, (again,)), again)) == [HOLDS, FREE]
    loop = c.Each(OTHER, c.Const((1, 2), t.ListOf(INT)), (again,), None)
    assert made_by(attempted(loop)) == [HOLDS]


@pytest.mark.parametrize(
    "changing",
    [c.Set(CARD, OTHER), c.Each(CARD, c.Const((1, 2), t.ListOf(INT)), (c.If(TEST, (FOUND,)),), None)],
    ids=["set", "each"],
)
def test_a_test_of_what_may_have_changed_remains(changing: c.Statement) -> None:
    assert made_by(attempted(changing, c.If(TEST, (FOUND,)))).count(TEST) == 1 + isinstance(changing, c.Each)


def test_a_test_remains_where_the_attempt_may_have_said_no() -> None:
    again = c.If(TEST, (FOUND,))
    assert made_by(attempted(otherwise=(again,))) == [HOLDS, TEST]
    assert made_by((*attempted()[:-1], again, c.Return(LISTED))) == [HOLDS, TEST]


def test_another_test_remains() -> None:
    other = op("le", CARD, c.Load(5, None, 1, INT), gives=BOOL)
    assert made_by(attempted(c.If(other, (FOUND,)))) == [HOLDS, other]
