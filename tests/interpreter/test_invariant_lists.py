"""Loop-invariant collections are computed once, before the loop, with everything that they depend on."""

from __future__ import annotations

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import BOOL, INT, op
from ludex.interpreter.program.ir.traversal import occurrences, statements
from ludex.interpreter.program.python.printing.invariant_lists import factored
from ludex.spec import types as t

LISTED, CARD, SEAT = c.Var(0, t.ListOf(INT)), c.Var(1, INT), c.Var(2, t.PlayerType(4))
CELLS = 8


def listing(is_among: bool) -> c.Body:
    """Return a loop that collects, for each card, the seat after many tests of its cells. is_among: the loop is over
    seats, too.
    """
    place = op("mul", SEAT, c.Const(CELLS, INT), gives=INT)
    loads = [c.Load(at, place, 4 * CELLS - at, INT) for at in range(CELLS)]
    run: c.Body = (c.Append(LISTED, c.Op("add", (op("mul", CARD, c.Const(4, INT), gives=INT), SEAT), INT)),)
    for load in (*loads, *loads):
        run = (c.If(op("eq", load, c.Const(1, INT), gives=BOOL), run),)
    if is_among:
        run = (c.Each(SEAT, c.Const((0, 1, 2, 3), t.ListOf(SEAT.type)), run, None),)
    is_mine = op("eq", c.Load(90, CARD, 9, INT), c.Const(1, INT), gives=BOOL)
    cards = c.Each(CARD, c.Const((1, 2, 3), t.ListOf(INT)), (c.If(is_mine, run),), None)
    return c.New(LISTED), cards, c.Return(LISTED)


def read_first(body: c.Body) -> list[c.Statement]:
    """Return the statements that read a cell into a variable."""
    return [each for each in statements(body) if isinstance(each, c.Set) and isinstance(each.value, c.Load)]


def test_cells_of_a_player_fixed_outside_are_read_once() -> None:
    body = factored((SEAT,), listing(is_among=False))
    assert len(read_first(body)) == CELLS


def test_cells_of_players_of_the_inner_loop_are_read_inside() -> None:
    before = listing(is_among=True)
    after = factored((), before)
    assert after != before
    assert read_first(after) == []
    assert any(isinstance(each, c.If) and occurrences(each.test, SEAT) for each in statements(after))
