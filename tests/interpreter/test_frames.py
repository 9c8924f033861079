"""States of the compiled engine and of the reference are converted into each other without loss."""

from __future__ import annotations

import random

import pytest

from ludex.interpreter import Generator, pick
from ludex.interpreter.program import COMPACT, WIDE, Compiled
from ludex.interpreter.reference import Reference
from ludex.spec import model as m

from ..games.plays import SAMPLES, TABLES, Table, engine_of
from ..once import EAGER
from .build import game_from

EVENTS = 12
"""The number of events of a play that are followed; `--long` follows plays to their end."""

RECURSIVE = """
state n: 0..9999 = 0
state deep: 0..9 = 0

action dive
  down: deep := deep + 1
  loop: each k in 1..deep + 1
    count: n := n + k
    if deep < 3 then dive
    repeat 2 times
      may go
  up: deep := deep - 1

action go
  done: n := n + 1

play
  turn: as seat(1)
    dive
"""
"""A recursive action: each call has a loop of its own."""


def follow(game: m.Game, seed: int, limits: object, events: int) -> int:
    """Play once in both engines, and convert each state both ways."""
    engine, reference, rng = Compiled(game, limits), Reference(game), Generator(seed)  # type: ignore[arg-type]
    play, state = engine.start(), reference.start()
    for number in range(events):
        assert engine.to_reference(play) == state
        back = engine.from_reference(state)
        assert engine.to_reference(back) == state
        assert (engine.legal_moves(back), engine.chance(back)) == (engine.legal_moves(play), engine.chance(play))
        if engine.is_terminal(play):
            return number
        if rng.below(2):
            play = back
        event = pick(engine, play, rng).event
        engine.advance(play, event)
        state = reference.apply(state, event)
    return events


@pytest.mark.parametrize("table", [*TABLES, *SAMPLES], ids=str)
@pytest.mark.drawn(4)
def test_a_state_is_the_same_in_both_engines(table: Table, play_seed: int, is_long: bool) -> None:
    limits = random.Random(play_seed).choice([WIDE, COMPACT, EAGER])
    follow(engine_of(table).game, play_seed, limits, 10_000 if is_long else EVENTS)


def test_the_calls_of_a_recursive_action_keep_their_loops() -> None:
    game = game_from(RECURSIVE)
    assert follow(game, 1, WIDE, 100) > 20


def test_states_of_another_game_are_refused() -> None:
    one, two = game_from(RECURSIVE), game_from(RECURSIVE.replace("repeat 2 times", "repeat 3 times"))
    state = Reference(two).start()
    assert Compiled(one).to_reference(Compiled(one).from_reference(Reference(one).start())) == Reference(one).start()
    with pytest.raises(ValueError, match="waits for nothing"):
        Compiled(one).from_reference(state.__class__(state.cells, state.pools, state.frames[:1]))
