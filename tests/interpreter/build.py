"""Small games for tests of the engine, written in the language itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ludex.interpreter import ChanceEvent, Engine, Event, Move, State, pick
from ludex.spec import load, model
from ludex.spec.types import Value

HEADER = """game made
  players: {players}
  convention: "made for a test"

"""

ONE_CARD_EACH = """
setup
  deck:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 1 from deck to my hand
"""


def game(text: str, players: int = 2, **setting: str) -> model.Game:
    """The game of this text, which lacks only its header."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.ludex"
        path.write_text(HEADER.format(players=players) + text, encoding="utf-8")
        return load(path, **setting)  # type: ignore[arg-type]


def engine(text: str, players: int = 2) -> Engine:
    return Engine(game(text, players))


def move(player: int, action: str, **arguments: Value) -> Move:
    return Move(player, action, tuple(arguments.items()))


def play(engine: Engine, *events: Event, state: State | None = None) -> State:
    """The state after the events, each of which must be legal."""
    state = engine.start() if state is None else state.clone()
    for event in events:
        refusal = engine.advance(state, event)
        assert refusal is None, refusal
    return state


def outcomes(engine: Engine, state: State) -> dict[Value, object]:
    """The awaited chance event's probabilities by outcome."""
    found: dict[Value, object] = {}
    for event, share in engine.chance(state):
        assert event.outcome not in found, "one outcome by two ways"
        found[event.outcome] = share
    return found


def chance(engine: Engine, state: State, outcome: Value) -> ChanceEvent:
    """The awaited chance event, coming out so."""
    return next(event for event, _ in engine.chance(state) if event.outcome == outcome)


def walk(engine: Engine, seed: int, most: int = 400) -> Iterator[tuple[State, Event | None]]:
    """The states of a random play, each with the event that follows it; the last one has None."""
    rng, state = random.Random(seed), engine.start()
    for _ in range(most):
        if engine.is_terminal(state):
            break
        event = pick(engine, state, rng).event
        yield state.clone(), event
        assert engine.advance(state, event) is None
    yield state, None
