"""A state that tells two readings apart, as something to play towards."""

from __future__ import annotations

import pytest

from ludex.interpreter import Engine, Situation
from ludex.interpreter.differences.goals import goals
from ludex.spec import load

FAR = 8 * 8 - 1
"""The last cell of a board of eight by eight."""


def _breakthrough(size: int) -> Engine:
    return Engine(load("breakthrough", options={"size": size}))


def _situation(*cells: int, owner: int | None = 1) -> Situation:
    return Situation(2, "has_won", (), tuple(("pawn", (cell,), owner) for cell in cells))


@pytest.mark.parametrize(
    ("owner", "cells", "near"), [(0, (FAR,), 1), (1, (FAR,), 0), (0, (FAR, FAR - 1), 2), (None, (FAR,), 0)]
)
def test_a_goal_is_near_where_its_cells_are_as_they_should_be(
    owner: int | None, cells: tuple[int, ...], near: int
) -> None:
    engine = _breakthrough(8)
    (goal,) = goals(engine, [_situation(*cells, owner=owner)])
    assert goal.near(engine.start()) == near


def test_a_board_without_such_a_cell_has_no_such_goal() -> None:
    assert goals(_breakthrough(6), [_situation(FAR)]) == ()


def test_a_game_without_such_a_zone_has_no_such_goal() -> None:
    assert goals(_breakthrough(8), [Situation(2, "has_won", (), (("castle", (0,), 1),))]) == ()
