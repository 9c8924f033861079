"""Guards: what earlier tests imply is not tested again, and nothing else is left out."""

from __future__ import annotations

import pytest

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import BOOL, INT, op
from ludex.interpreter.program.lowering.guards import ALLOWED, ALWAYS_REFUSED, _decided
from ludex.spec import types as t

COINS = c.Load(0, None, 1, INT)
LEFT = c.Var(1, INT)
FAULT = c.Fail("outside", "pay", None)  # type: ignore[arg-type]


def number(value: int) -> c.Const:
    return c.Const(value, INT)


def below(expr: c.Expr, least: int, then: c.Statement = ALWAYS_REFUSED) -> c.If:
    return c.If(c.Op("lt", (expr, number(least)), BOOL), (then,), ())


def less(by: int) -> c.Set:
    return c.Set(LEFT, op("sub", COINS, number(by), gives=INT))


@pytest.mark.parametrize(("least", "price", "is_left_out"), ((1, 1, True), (3, 2, True), (1, 2, False), (0, 1, False)))
def test_a_price_that_can_be_paid_can_be_subtracted(least: int, price: int, is_left_out: bool) -> None:
    fault = below(LEFT, 0, FAULT)
    found = _decided((below(COINS, least), less(price), fault, ALLOWED))
    assert (fault not in found) is is_left_out
    assert found[:2] == (below(COINS, least), less(price))


def test_a_number_that_is_tested_is_tested_again_after_it_has_changed() -> None:
    body = (below(LEFT, 1), c.Set(LEFT, number(0)), below(LEFT, 1), ALLOWED)
    assert _decided(body) == body


def test_a_number_that_only_a_branch_changes_is_tested_again() -> None:
    branch = c.If(c.Op("eq", (COINS, number(3)), BOOL), (c.Set(LEFT, number(0)),), ())
    body = (below(LEFT, 1), branch, below(LEFT, 1), ALLOWED)
    assert _decided(body) == body


def test_a_test_after_which_the_guard_goes_on_implies_nothing() -> None:
    body = (below(COINS, 1, less(1)), below(COINS, 1), ALLOWED)
    assert _decided(body) == body


def test_a_loop_that_ends_in_its_first_turn_ends_the_guard() -> None:
    each = c.Each(LEFT, c.Const((1, 2), t.ListOf(INT)), (ALLOWED,), "pay")
    assert _decided((below(COINS, 2), each, ALWAYS_REFUSED)) == (below(COINS, 2), ALLOWED)
    none = c.Each(LEFT, c.Const((), t.ListOf(INT)), (ALLOWED,), "pay")
    assert _decided((none, ALWAYS_REFUSED)) == (none, ALWAYS_REFUSED)
