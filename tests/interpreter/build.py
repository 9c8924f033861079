"""Small games for tests of the engine, written in the language itself."""

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
    """The game of this text, which lacks only its header."""
    with TemporaryDirectory() as folder:
        return load(written(Path(folder), text, players), **setting)  # type: ignore[arg-type]


def written(folder: Path, text: str, players: int = 2) -> Path:
    """The file of this game, for reports that quote it."""
    path = folder / "made.ludex"
    path.write_text(HEADER.format(players=players) + text, encoding="utf-8")
    return path


def engine_from(text: str, players: int = 2, folder: Path | None = None) -> Engine:
    """folder: where the game's file is kept, for reports that quote it."""
    return Engine(game_from(text, players) if folder is None else load(written(folder, text, players)))


def reference_from(text: str, players: int = 2, folder: Path | None = None) -> Reference:
    """The same for `Reference`."""
    return Reference(engine_from(text, players, folder).game)


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
    shares: dict[Value, object] = {}
    for event, share in engine.chance(state):
        assert event.outcome not in shares, "one outcome by two ways"
        shares[event.outcome] = share
    return shares


def chance(engine: Engine, state: State, outcome: Value) -> ChanceEvent:
    """The awaited chance event, coming out so."""
    return next(event for event, _ in engine.chance(state) if event.outcome == outcome)


def walk(engine: Engine, seed: int, most: int = 400) -> Iterator[tuple[State, Event | None]]:
    """The states of a random play, each with the event that follows it; the last one has None."""
    rng, state = Generator(seed), engine.start()
    for _ in range(most):
        if engine.is_terminal(state):
            break
        event = pick(engine, state, rng).event
        yield state.clone(), event
        assert engine.advance(state, event) is None
    yield state, None
