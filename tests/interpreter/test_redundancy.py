"""Redundancy elimination: a repeated test is computed once, unless a statement in between may change its value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludex.grammar import Span
from ludex.interpreter import Engine, Reference
from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.limits import COMPACT, WIDE, Limits
from ludex.interpreter.program.ir.operations import BOOL, INT, op
from ludex.interpreter.program.ir.traversal import alike
from ludex.interpreter.program.lowering.redundancy import merged

from .build import game_from

LIST, COUNT = c.Var(0, INT), c.Var(1, INT)
ONE = c.Const(1, INT)
IS_ONE = op("eq", COUNT, ONE, gives=BOOL)
APPENDED, COUNTED = c.Append(LIST, ONE), c.Set(COUNT, ONE)


def test_a_repeated_test_is_computed_once() -> None:
    row = (c.If(IS_ONE, (APPENDED,)), c.If(IS_ONE, (APPENDED, APPENDED)), c.If(IS_ONE, (c.Break(),)))
    assert merged(row) == (c.If(IS_ONE, (APPENDED, APPENDED, APPENDED, c.Break())),)
    assert merged((c.Loop(row, None),)) == (c.Loop(merged(row), None),)


def test_merged_branches_are_merged_inside_too() -> None:
    inner = c.If(op("eq", LIST, ONE, gives=BOOL), (c.Break(),))
    assert merged((c.If(IS_ONE, (inner,)), c.If(IS_ONE, (inner,)))) == (
        c.If(IS_ONE, (c.If(inner.test, (c.Break(), c.Break())),)),
    )


@pytest.mark.parametrize(
    "row",
    [
        (c.If(IS_ONE, (COUNTED,)), c.If(IS_ONE, (APPENDED,))),
        (c.If(IS_ONE, (c.Loop((COUNTED,), None),)), c.If(IS_ONE, (APPENDED,))),
        (c.If(IS_ONE, (APPENDED,)), COUNTED, c.If(IS_ONE, (APPENDED,))),
        (c.If(IS_ONE, (APPENDED,)), c.If(IS_ONE, (APPENDED,), (COUNTED,))),
    ],
)
def test_a_test_whose_value_may_have_changed_is_repeated(row: c.Body) -> None:
    assert merged(row) == row


def test_places_count_only_where_one_body_replaces_another() -> None:
    """Equal code is equal wherever it is written, but a fault keeps the place of its own code."""
    places = (Span("x", 1, 1, 1, 2), Span("x", 2, 1, 2, 2))
    made: tuple[Callable[[Span], c.Statement], ...] = (
        lambda place: c.Fail("arm", "x", place),
        lambda place: c.Refuse("x", place),
        lambda place: c.Note("named", "x", place),
    )
    for of in made:
        one, other = map(of, places)
        assert (one, hash(one)) == (other, hash(other))
        assert alike((one,), (one,), {})
        assert not alike((one,), (other,), {})


MATES = """
state held(Player, 1..6): 0..9 = 0
state mate(Player): Player? = none

action lay
  choose n in 1..9, at in 1..6
  require apart: mate(me) = none or held(mate(me), at) < 2
  lay: held(me, at) := n

play
  turns: each player in seats
    lay
"""


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_values_that_may_be_none_are_not_used_before_their_test(limits: Limits) -> None:
    game = game_from(MATES)
    engine, reference = Engine(game, limits), Reference(game)
    assert engine.legal_moves(engine.start()) == reference.legal_moves(reference.start())
