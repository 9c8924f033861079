"""Counts of backgammon's first turn, which OpenSpiel confirms: 30 throws, 758 ways to play them, 380 positions.

A way plays one die and then the other, in either order. (`ludex perft backgammon --by turn --depth 3`)
"""

from __future__ import annotations

from ludex.interpreter import Engine, State, perft
from ludex.spec import load

from ..tiers import options_of

THROWS = (6, 6 * 5)
WAYS = 758
POSITIONS = 380
"""The sum over all throws of the different positions after each."""


def test_the_ways_to_play_the_first_turn() -> None:
    engine = Engine(load("backgammon"))
    assert tuple(perft(engine, engine.start(), depth) for depth in (1, 2)) == THROWS
    assert perft(engine, engine.start(), 4) == WAYS


def test_the_positions_after_the_first_turn() -> None:
    engine = Engine(load("backgammon"))
    throws = following(engine, following(engine, [engine.start()]))
    assert len(throws) == 30
    ends = (set(following(engine, following(engine, [thrown]))) for thrown in throws)
    assert sum(map(len, ends)) == POSITIONS


def following(engine: Engine, states: list[State]) -> list[State]:
    return [engine.apply(state, event) for state in states for event in options_of(engine, state)]
