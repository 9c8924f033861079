"""Random plays drawn by the compiled engine have the same events as plays drawn from the list of all
possible events.
"""

from __future__ import annotations

from itertools import islice

import pytest

from ludex.interpreter import Engine, Event, Generator, Move, SpecFault, playout
from ludex.interpreter.generator import drawn
from ludex.spec import shipped_games

from ..once import engine_once, game_once
from .build import engine_from

EVENTS = 60


def listed(engine: Engine, seed: int) -> list[tuple[Event, int]]:
    """Play move by move, each drawn from the list of all."""
    rng, state, listing = Generator(seed), engine.start(), list[tuple[Event, int]]()
    while not engine.is_terminal(state) and len(listing) < EVENTS:
        chances = engine.chance(state)
        moves = () if chances else engine.legal_moves(state)
        event = drawn(chances, rng) if chances else rng.choice(moves)
        state = engine.apply(state, event)
        listing.append((event, len(chances or moves)))
    return listing


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", shipped_games())
def test_the_same_events_are_drawn(name: str) -> None:
    engine = engine_once(game_once(name))
    turns = list(islice(playout(engine, Generator(3)), EVENTS))
    assert [(turn.event, turn.choices) for turn in turns] == listed(engine, 3)
    assert engine.drawn(engine.start(), Generator(3)) is not None, "the engine must draw the play by itself"


def test_a_fault_of_the_rules_in_a_long_playout_is_in_the_author_s_words() -> None:
    engine = engine_from(
        """
state n: 0..900 = 0
action step
  choose by in 1..3
  die: random k in 1..2
  go: n += by
play
  turns: repeat 900 times
    as seat(1)
      step
"""
    )
    events = list[Event]()
    with pytest.raises(SpecFault, match=r"only 0\.\.900") as caught:
        events.extend(turn.event for turn in playout(engine, Generator(1)))
    assert caught.value.path == "step.go"
    assert len(events) > 512, "the play must be longer than what is kept to be played again"
    steps = [event.arguments[0][1] for event in events if isinstance(event, Move)]
    assert sum(steps[:-1]) <= 900 < sum(steps), "the play must stop at the first event by which the rules fail"
