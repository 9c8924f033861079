"""Zones into which no piece ever comes: code for the empty zone, unless a state from outside holds pieces there."""

from __future__ import annotations

import pytest

from ludex.interpreter import Reference
from ludex.interpreter.program import Compiled
from ludex.interpreter.program.ir.limits import COMPACT, WIDE, Limits
from ludex.interpreter.program.python.printing import printer
from ludex.interpreter.program.python.printing.empty_zones import empty_cells

from .build import game_from

TOOLS = """
type Tool = saw | hammer

zone tools(Player): bag of Tool, open
zone box: bag of Tool, open
zone coins(Player): bag of 1..3, open
zone spent: bag of 1..3, open

state built(1..6): Bool = false

define kept(aid: bag of Tool) = count(a in aid where a = hammer)

setup
  fill: each player in seats
    put {1, 1, 2, 3} in my coins

play
  turns: repeat 3 times
    each player in seats
      choose build or rest

action build
  choose site in 1..6, aid within my tools, cash within my coins
  require free: not built(site)
  require saws: count(a in aid where a = saw) <= 1
  require fits: (every a in aid has a = hammer) or site > 3
  require some: size(cash) > kept(aid)
  require exact: sum(c for c in cash) + 2 * kept(aid) = site
  pay: move cash from my coins to spent
  loss: move aid from my tools to box
  done: built(site) := true

action rest
  rest: nothing
"""
FILLED = TOOLS.replace("put {1, 1, 2, 3} in my coins", "put {1, 1, 2, 3} in my coins\n    put saw in box") + (
    "\naction lend\n  require any: size(box) > 0\n  lend: move saw from box to my tools\n"
)
HANDS: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (0, 1), (0, 0, 1, 1))


def offset(engine: Compiled, name: str) -> int:
    return next(each.offset for each in engine.game.elements if each.name == name)


def held(engine: Compiled, tools: tuple[int, ...]) -> tuple[object, object]:
    """The moves that the engine and the reference list if the first player holds these tools."""
    state = engine.start()
    state.cells[offset(engine, "tools")] = tools
    return engine.legal_moves(state), Reference(engine.game).legal_moves(engine.to_reference(state))


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
@pytest.mark.parametrize("tools", HANDS)
def test_pieces_in_a_zone_that_play_leaves_empty_count(tools: tuple[int, ...], limits: Limits) -> None:
    engine = Compiled(game_from(TOOLS), limits)
    listed, expected = held(engine, tools)
    assert listed == expected
    assert listed


def test_without_the_test_they_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = printer.Printer._usual
    monkeypatch.setattr(printer.Printer, "_usual", lambda self, *unit: (usual(self, *unit)[0], []))
    listed, expected = held(Compiled(game_from(TOOLS)), (1,))
    assert listed != expected


def test_a_zone_that_a_move_can_reach_is_not_empty() -> None:
    engine, filled = Compiled(game_from(TOOLS)), Compiled(game_from(FILLED.replace("build or rest", "build or lend")))
    tools = offset(engine, "tools")
    assert empty_cells(engine.program) == {tools, tools + 1, offset(engine, "box")}
    assert empty_cells(filled.program) == frozenset()
