"""Golden playthroughs: one play of every shipped game, with the possible events, the chosen one and all observations.

`pytest tests/games/test_playthroughs.py --record` writes the files in `playthroughs/`. Read every changed line: it is a
change of the game, or of what its players know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Event, Generator, NotationWriter, notation, pick
from ludex.spec import Game

from ..once import game_once
from ..tiers import EXTENTS, TierQueries, drawn_tier
from .plays import GAMES

FOLDER = Path(__file__).parent / "playthroughs"
SEEDS: Mapping[str, int] = {
    "backgammon": 120,
    "boreal": 410,
    "breakthrough": 346,
    "crazy_eights": 113,
    "connect_four": 75,
    "english_draughts": 105,
    "kuhn_poker": 1,
    "leduc_poker": 33,
    "nine_mens_morris": 264,
    "othello": 2,
    "oware": 187,
    "pig": 893,
}
"""Seeds of plays that show more of a game than seed 0, or are shorter."""
LISTED = 8
"""The number of moves or outcomes listed."""
WIDTH = 100


# ---- a play as text -------------------------------------------------------------------------------------------------


def playthrough(name: str, engine: TierQueries, steps: Sequence[tuple[Any, Event]]) -> list[str]:
    """Return the lines of the file of a game with these events, by an engine of it."""
    game = engine.game
    edition = f"edition {game.edition}, " if game.editions else ""
    lines = [f"# A random play of {name}: {edition}{game.players} players, seed {SEEDS.get(name, 0)}.", ""]
    lines += ["at the start", *_changes(engine, None, engine.start())]
    for number, (state, event) in enumerate(steps, start=1):
        lines += ["", f"{number}. {_awaited(engine, state)}", *step(engine, state, event)]
    return [*lines, "", "at the end", *_result(engine, engine.apply(*steps[-1]))]


def steps_of(name: str, engine: TierQueries) -> list[tuple[Any, Event]]:
    """Return the events of the play, each with the state before it."""
    rng, state, steps = Generator(SEEDS.get(name, 0)), engine.start(), list[tuple[Any, Event]]()
    while not engine.is_terminal(state):
        steps.append((state, pick(engine, state, rng).event))
        state = engine.apply(*steps[-1])
    return steps


def step(engine: TierQueries, state: Any, event: Event) -> list[str]:
    """Yield the lines of an event: the possible events, the chosen one, and its changes."""
    after = engine.apply(state, event)
    return [*_possible(engine, state), *_happens(engine, state, event), *_changes(engine, state, after)]


def _awaited(engine: TierQueries, state: Any) -> str:
    players = " and ".join(f"seat {player + 1}" for player in engine.to_move(state))
    return f"{players} to move" if players else f"chance: {engine.chance(state)[0][0].path}"


def _possible(engine: TierQueries, state: Any) -> Iterator[str]:
    """Yield all legal moves, or the distribution of the chance event."""
    writer = NotationWriter(engine.game)
    moves = [writer.move(move) for move in engine.legal_moves(state)]
    if moves:
        yield from _wrapped(f"  {len(moves)} legal:", _first(moves))
        return
    chances = engine.chance(state)
    words = (f"{writer.outcome(event)} ({share})" for event, share in chances)
    yield from _wrapped(f"  {len(chances)} possible:", _first(list(words)))


def _first(words: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(words[:LISTED], start=1):
        yield word if at == len(words) else f"{word};"
    if len(words) > LISTED:
        yield "..."


def _wrapped(head: str, words: Iterable[str]) -> Iterator[str]:
    line = head
    for word in words:
        if len(line) + len(word) >= WIDTH:
            yield line
            line = "   "
        line += f" {word}"
    yield line


def _happens(engine: TierQueries, state: Any, event: Event) -> Iterator[str]:
    """Yield the event, and its view for players who do not see all of it."""
    yield f"  event: {notation(engine.game, event)}"
    for viewer in _viewers(engine):
        view = engine.view_of_event(state, event, viewer)
        if view != event:
            yield f"    {_who(viewer)} hears: {notation(engine.game, view)}"


def _viewers(engine: TierQueries) -> list[int | None]:
    return [*range(engine.game.players), None]


def _who(viewer: int | None) -> str:
    return "an onlooker" if viewer is None else f"seat {viewer + 1}"


def _changes(engine: TierQueries, before: Any | None, after: Any) -> Iterator[str]:
    """Yield the changes of the observations; those common to all viewers once."""
    changes = {viewer: list(_differences(engine, before, after, viewer)) for viewer in _viewers(engine)}
    common = [change for change in changes[None] if all(change in found for found in changes.values())]
    yield from (f"  all see {change}" for change in common)
    for viewer, found in changes.items():
        yield from (f"  {_who(viewer)} sees {change}" for change in found if change not in common)


def _differences(engine: TierQueries, before: Any | None, after: Any, viewer: int | None) -> Iterator[str]:
    old = {} if before is None else _seen(engine, before, viewer)
    new = _seen(engine, after, viewer)
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield f"{name}: {new.get(name, 'nothing')}" + (f" (was {old[name]})" if name in old else "")


def _seen(engine: TierQueries, state: Any, viewer: int | None) -> dict[str, str]:
    """Return the parts of an observation that are not empty, by their names. The players to move are in the file
    elsewhere.
    """
    seen = engine.public_view(state) if viewer is None else engine.observe(state, viewer)
    left = {name: part for name, part in seen.items() if name not in ("player", "awaits", "to_move", "chance")}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in _parts(left, "") if value not in (None, [])}


def _parts(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value.keys() not in ({"count"}, {"hidden"}):
        for key, part in value.items():
            yield from _parts(part, f"{name} {key}" if name not in ("", "states", "zones") else key)
    else:
        yield name, value


def _result(engine: TierQueries, state: Any) -> Iterator[str]:
    for player, scores in enumerate(engine.scores(state)):
        parts = ", ".join(f"{path} {points}" for path, points in scores.breakdown)
        yield f"  seat {player + 1}: {scores.total}" + (f" ({parts})" if parts else "")
    outcome = engine.winners(state)
    winners = " and ".join(f"seat {player + 1}" for player in outcome.winners) or "nobody"
    shared = ", shared" * outcome.shared + ", undecided" * outcome.undecided
    yield f"  won by {winners}{shared}" + (f", decided by {outcome.criterion}" if outcome.criterion else "")


# ---- tests ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_playthrough_equals_its_file(
    game: str,
    tiers: Mapping[str, Callable[[Game], TierQueries]],
    request: pytest.FixtureRequest,
    rng: Random,
    is_long: bool,
) -> None:
    """The engine in Python plays all of it; another tier says the same of each of its events, or of some."""
    path, engine = FOLDER / f"{game}.txt", tiers["python"](game_once(game))
    steps = steps_of(game, engine)
    lines = playthrough(game, engine, steps)
    if request.config.getoption("--record"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert path.is_file(), f"run this test with --record to make {path.name}, and read it"
    for number, (was, now) in enumerate(zip_longest(path.read_text("utf-8").splitlines(), lines), start=1):
        assert now == was, f"{path.name} differs from line {number} on; if that is right, run with --record"
    for name in drawn_tier(tiers, rng, is_long):
        other = tiers[name](engine.game)
        many = EXTENTS["playthroughs"].of(name, is_long) or len(steps)
        for state, event in rng.sample(steps, min(many, len(steps))):
            there = other.taken(engine.standing(state))
            assert step(other, there, event) == step(engine, state, event), name


def test_every_playthrough_file_is_of_a_shipped_game() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)
