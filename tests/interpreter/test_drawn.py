"""Random plays drawn by the compiled engine have the same events as plays drawn from the list of all
possible events.
"""

from __future__ import annotations

from itertools import islice

import pytest

from ludex.interpreter import Engine, Event, Generator, playout
from ludex.interpreter.generator import drawn
from ludex.spec import shipped_games

from ..once import engine_once, game_once

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
    assert turns[0].drawn is not None, "the engine must draw the play by itself"
