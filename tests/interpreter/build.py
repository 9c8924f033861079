"""Small games for tests of the engines, written in the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ludex.interpreter import ChanceEvent, Engine, Event, Generator, Move, Reference, State, pick
from ludex.spec import load, model
from ludex.spec.values.types import Value

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


def game_from(text: str, players: int = 2, **setting: str) -> model.Game:
    """Return the game of this text, to which a header is added."""
    with TemporaryDirectory() as folder:
        return load(written(Path(folder), text, players), **setting)  # type: ignore[arg-type]


def written(folder: Path, text: str, players: int = 2) -> Path:
    """Write the game's file, for reports that quote it."""
    path = folder / "made.ludex"
    path.write_text(HEADER.format(players=players) + text, encoding="utf-8")
    return path


def engine_from(text: str, players: int = 2, folder: Path | None = None) -> Engine:
    """Return an engine. folder: where the game's file is written, for reports that quote it."""
    return Engine(game_from(text, players) if folder is None else load(written(folder, text, players)))


def reference_from(text: str, players: int = 2, folder: Path | None = None) -> Reference:
    """Return a `Reference` for the text."""
    return Reference(engine_from(text, players, folder).game)


def move(player: int, action: str, **arguments: Value) -> Move:
    return Move(player, action, tuple(arguments.items()))


def play(engine: Engine, *events: Event, state: State | None = None) -> State:
    """Return the state after the events, each of which must be legal."""
    state = engine.start() if state is None else state.clone()
    for event in events:
        refusal = engine.advance(state, event)
        assert refusal is None, refusal
    return state


def outcomes(engine: Engine, state: State) -> dict[Value, object]:
    """Return the awaited chance event's probabilities by outcome."""
    shares: dict[Value, object] = {}
    for event, share in engine.chance(state):
        assert event.outcome not in shares, "an outcome has two routes"
        shares[event.outcome] = share
    return shares


def chance(engine: Engine, state: State, outcome: Value) -> ChanceEvent:
    """Return the awaited chance event with this outcome."""
    return next(event for event, _ in engine.chance(state) if event.outcome == outcome)


def walk(engine: Engine, seed: int, most: int = 400) -> Iterator[tuple[State, Event | None]]:
    """Yield the states of a random play, each with the event that follows; None after the last."""
    rng, state = Generator(seed), engine.start()
    for _ in range(most):
        if engine.is_terminal(state):
            break
        event = pick(engine, state, rng).event
        yield state.clone(), event
        assert engine.advance(state, event) is None
    yield state, None
