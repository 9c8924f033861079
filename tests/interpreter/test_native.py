"""Native code plays as the compiled engine in Python does, event for event, and never gives a wrong answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ludex.interpreter import Engine, Generator, perft
from ludex.interpreter.program import Compiled, Play
from ludex.interpreter.program import code as c
from ludex.spec import load

from ..games.plays import SAMPLES, TABLES, Table, engine_of, game_of
from .build import game

pytest.importorskip("llvmlite")

from ludex.interpreter.program.native import Native, NotCarried, Stopped

CARRIED = (
    "backgammon", "breakthrough", "connect_four", "english_draughts", "liars_dice", "nim", "nine_mens_morris",
    "othello", "oware", "pig", "tic_tac_toe",
)  # fmt: skip
EVENTS = 150


@pytest.fixture(autouse=True, scope="module")
def _a_cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def compiled(name: str) -> Compiled:
    return Compiled(load(name))


@cache
def native(name: str) -> Native:
    return Native(compiled(name))


def options(engine: Compiled, play: Play) -> list[int]:
    """What may happen, as native code says it."""
    match engine.program.waits[play.wait]:
        case c.Decision():
            return engine.legal_ids(play)
        case None:
            return []
    return [event.outcome for event, _ in engine.chance(play)]


def advance(engine: Compiled, play: Play, event: int) -> None:
    if isinstance(engine.program.waits[play.wait], c.Decision):
        engine.advance(play, engine.move_of(event, engine.to_move(play)[0]))
    else:
        engine.advance(play, next(each for each, _ in engine.chance(play) if each.outcome == event))


def lockstep(engine: Compiled, code: Native, rng: random.Random, limit: int) -> None:
    """One play by both."""
    play, position = engine.start(), code.start()
    for _ in range(limit):
        assert code.wait(position) == play.wait
        assert code.cells(position) == play.cells[: engine.game.cell_count]
        points, winners = code.result(position)
        assert points == tuple(each.total for each in engine.scores(play))
        assert winners == engine.winners(play).winners
        events = options(engine, play)
        assert code.events(position) == events
        if code.is_terminal(position):
            return
        event = rng.choice(events)
        before = position.copy()
        advance(engine, play, event)
        code.advance(position, event)
        assert bytes(before.held) != bytes(position.held)


@pytest.mark.parametrize("table", [*TABLES, *SAMPLES], ids=str)
@pytest.mark.drawn(1, by=game_of)
def test_native_code_plays_in_lockstep(table: Table, is_long: bool) -> None:
    engine = Compiled(engine_of(table).game)
    try:
        code = Native(engine)
    except NotCarried as reason:
        if table.game in CARRIED:
            raise
        pytest.skip(f"native code does not carry {reason}")
    for seed in range(5 if is_long else 1):
        lockstep(engine, code, random.Random(f"{table} {seed}"), 10_000 if is_long else EVENTS)


@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.drawn(4)
def test_a_seed_says_how_a_play_goes_in_either_engine(name: str) -> None:
    engine, plays = compiled(name), 2
    found = native(name).playouts(plays, seed=7)
    for number in range(plays):
        rng, play, count = Generator(7, number + 1), engine.start(), 0
        while not engine.is_terminal(play):
            events = options(engine, play)
            advance(engine, play, events[rng.below(len(events))])
            count += 1
        players = engine.game.players
        points = found.points[number * players : (number + 1) * players]
        assert list(points) == [each.total for each in engine.scores(play)]
        assert found.events[number] == count
        assert found.winners[number] == sum(1 << seat for seat in engine.winners(play).winners)


def test_the_number_of_threads_changes_nothing() -> None:
    assert native("pig").playouts(100, seed=3, threads=1) == native("pig").playouts(100, seed=3, threads=3)


def test_plays_begin_where_they_are_asked_to() -> None:
    code = native("tic_tac_toe")
    position = code.start()
    for square in (0, 3, 1, 4):
        code.advance(position, code.events(position)[0] if square == 0 else square + 1)
    held = bytes(position.held)
    found = code.playouts(50, seed=1, position=position)
    assert bytes(position.held) == held
    assert max(found.events) <= 5


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("pig", 6), ("liars_dice", 3), ("breakthrough", 3)])
def test_native_code_counts_the_same_tree(name: str, depth: int) -> None:
    code, engine = native(name), Engine(compiled(name).game)
    for steps in range(depth):
        assert code.perft(code.start(), steps) == perft(engine, engine.start(), steps)


def test_a_seed_of_native_plays_is_one_of_64_bits() -> None:
    code = native("pig")
    assert code.playouts(3, seed=2**64 - 1) != code.playouts(3, seed=0)
    with pytest.raises(ValueError, match="from 0 to"):
        code.playouts(1, seed=2**64)


ENDLESS = """
state n: 0..9 = 0

play
  round: repeat
    turn: each player in seats
      choose go
  until n > 5

action go
  run: repeat
    n := n
  until n > 8
"""


def test_what_goes_on_for_ever_stops() -> None:
    code = Native(Compiled(game(ENDLESS)))
    position = code.start()
    with pytest.raises(Stopped, match="limit"):
        code.advance(position, code.events(position)[0])
    with pytest.raises(Stopped, match="limit"):
        code.playouts(1, seed=0)


FAULTY = """
state n: 0..2 = 0

play
  round: repeat
    turn: each player in seats
      choose go
  until n > 2

action go
  on: n += 1
"""


def test_a_fault_of_the_rules_names_its_clause() -> None:
    code = Native(Compiled(game(FAULTY)))
    position = code.start()
    code.advance(position, code.events(position)[0])
    code.advance(position, code.events(position)[0])
    with pytest.raises(Stopped, match=r"go\.on"):
        code.advance(position, code.events(position)[0])


# ---- the cache


def test_compiled_code_is_kept_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex.interpreter.program.native.cache import kept

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept("a", lambda: b"one") == b"one"
    assert kept("a", lambda: b"two") == b"one"
    assert kept("b", lambda: b"two") == b"two"
    folder = tmp_path / "ludex" / "native"
    (file,) = [each for each in folder.iterdir() if each.read_bytes().endswith(b"one")]
    assert folder.stat().st_mode & 0o077 == 0
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    assert kept("a", lambda: b"two") == b"two", "what was damaged is made anew"
    file.chmod(0o666)
    assert kept("a", lambda: b"new") == b"new", "others may have written the file"
    assert kept("a", lambda: b"newer") == b"new", "it was replaced by one of our own"
    folder.chmod(0o777)
    assert kept("a", lambda: b"newest") == b"newest", "others may have put files into the folder"
    folder.chmod(0o700)
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    assert kept("a", lambda: b"last") == b"last", "a link may lead anywhere"
