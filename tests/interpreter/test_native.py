"""Native code plays as the compiled engine in Python does, event for event, and never gives a wrong answer."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter import DECLINE, Engine, Move, perft
from ludex.interpreter.program import Compiled, State
from ludex.spec import SpecFault, load

from ..games.plays import SAMPLES, TABLES, Table, engine_of
from .build import game_from
from .mutants import BOARD, TRACK

pytest.importorskip("llvmlite")

from ludex.interpreter.program.native import Native, NotCarried, Stopped, library
from ludex.interpreter.program.native.fallback import advance, events, played

from ..once import game_once

CARRIED = (
    "backgammon", "bora_bora", "boreal", "breakthrough", "connect_four", "crazy_eights", "english_draughts",
    "goofspiel", "kuhn_poker", "leduc_poker", "liars_dice", "mangrovia", "nim", "nine_mens_morris",
    "othello", "oware", "pig", "tic_tac_toe",
)  # fmt: skip
EVENTS = 150


@pytest.fixture(autouse=True, scope="module")
def _one_cache_for_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The processes of a run compile what they share once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))
        yield


@cache
def native(name: str) -> Native:
    return Native(game_once(name))


def words(buffer: Any) -> memoryview:
    """The words of an array, whether NumPy is installed or not."""
    return memoryview(buffer).cast("B").cast("q")


def result(engine: Compiled, play: State) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Points and winners; None where the rules give none yet."""
    try:
        return tuple(each.total for each in engine.scores(play)), engine.winners(play).winners
    except SpecFault:
        return None


def lockstep(code: Native, rng: random.Random, limit: int) -> None:
    """One play by both; states are converted at each event."""
    engine = code.engine
    play, position = engine.start(), code.start()
    for _ in range(limit):
        assert code.wait(position) == play.wait
        assert code.cells(position) == play.cells[: engine.game.cell_count]
        if (outcome := result(engine, play)) is not None:
            assert code.result(position) == outcome
        listed = events(engine, play)
        assert code.legal_ids(position) == listed
        assert code.legal_ids(code.from_play(play)) == listed
        assert_equal(code.to_play(position), play)
        if code.is_terminal(position):
            return
        event = rng.choice(listed)
        before = position.copy()
        assert code.judge([event, -2], position) == 1
        advance(engine, play, event)
        code.apply_id(position, event)
        assert before != position


def assert_equal(one: State, two: State) -> None:
    """Where a cell has not been written yet one of them may hold what the other does not."""
    assert (one.wait, one.pools) == (two.wait, two.pools)
    assert all(here == there for here, there in zip(one.cells, two.cells, strict=True) if there is not None)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.drawn(3)
def test_native_code_plays_in_lockstep(table: Table, is_long: bool) -> None:
    held_equal(table, is_long)


@pytest.mark.parametrize("table", SAMPLES, ids=str)
@pytest.mark.drawn(5)
def test_native_code_plays_the_samples_of_the_reference(table: Table, is_long: bool) -> None:
    held_equal(table, is_long)


def held_equal(table: Table, is_long: bool) -> None:
    try:
        code = Native(engine_of(table).game)
    except NotCarried as reason:
        if table.game in CARRIED:
            raise
        pytest.skip(f"native code does not carry {reason}")
    for seed in range(5 if is_long else 1):
        try:
            lockstep(code, random.Random(f"{table} {seed}"), 10_000 if is_long else EVENTS)
        except Stopped as reason:
            if table.game in CARRIED or "a limit" not in str(reason):
                raise


@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.drawn(3)
def test_a_seed_says_how_a_play_goes_in_either_engine(name: str) -> None:
    code, plays = native(name), 4
    results = code.playouts(plays, seed=7)
    for number in range(plays):
        points, winners, count = played(code.engine, 7, number)
        assert list(words(results.points)[number * len(points) : (number + 1) * len(points)]) == points
        assert (results.winners[number], results.events[number]) == (winners, count)
    assert not results.replayed


def test_the_number_of_threads_changes_nothing() -> None:
    one, three = (native("pig").playouts(100, seed=3, threads=threads) for threads in (1, 3))
    assert words(one.points) == words(three.points)
    assert words(one.events) == words(three.events)


@pytest.mark.parametrize("room", (16 << 20, 144))
def test_without_numpy_the_results_are_the_same(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "ROOM", room)  # with little room the plays stop, and are played by the other engine
    played = native("tic_tac_toe").playouts(20, seed=3)
    monkeypatch.setattr(library, "find_spec", lambda name: None)
    bare = native("tic_tac_toe").playouts(20, seed=3)
    assert isinstance(bare.points, array)
    assert [words(each) for each in (bare.points, bare.winners, bare.events)] == [
        words(each) for each in (played.points, played.winners, played.events)
    ]
    assert bare.stopped == played.stopped


def test_plays_begin_where_they_are_asked_to() -> None:
    code = native("tic_tac_toe")
    position = code.start()
    for square in (0, 3, 1, 4):
        code.apply_id(position, code.legal_ids(position)[0] if square == 0 else square + 1)
    held = bytes(position)
    played = code.rollouts(position, 50, seed=1)
    assert bytes(position) == held
    assert max(played.events) <= 5


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("pig", 6), ("liars_dice", 3), ("breakthrough", 3)])
def test_native_code_counts_the_same_tree(name: str, depth: int) -> None:
    code, engine = native(name), Engine(native(name).game)
    for steps in range(depth):
        assert code.perft(code.start(), steps) == perft(engine, engine.start(), steps)


def test_a_seed_of_native_plays_is_one_of_64_bits() -> None:
    code = native("pig")
    assert words(code.playouts(9, seed=2**64 - 1).events) != words(code.playouts(9, seed=0).events)
    with pytest.raises(ValueError, match="from 0 to"):
        code.playouts(1, seed=2**64)


def test_loops_over_a_board_look_at_all_cells_at_once() -> None:
    code = Native(game_from(BOARD))
    assert "load <16 x i8>" in code._text
    for seed in range(20):
        lockstep(code, random.Random(seed), EVENTS)


def test_loops_over_a_set_look_at_its_cells_at_once() -> None:
    code = Native(load("nine_mens_morris"))
    lister = next(unit for unit in code.program.units if unit.name == "slide list")
    assert "name='ordered', args=(Var" in repr(lister.body)  # the set of targets stays a set until it is searched
    for seed in range(2):
        lockstep(code, random.Random(seed), EVENTS)


def test_a_collection_is_not_made_for_the_question_whether_it_is_empty() -> None:
    code = Native(load("othello", options={"size": 4}))
    assert re.search(r"call {[^}]*} @e\d", code._text)
    for seed in range(5):
        lockstep(code, random.Random(seed), EVENTS)


def test_where_a_piece_goes_is_asked_before_it_leaves() -> None:
    code = Native(game_from(TRACK))
    for seed in range(5):
        lockstep(code, random.Random(seed), EVENTS)


def test_what_everybody_sees_tells_a_card_from_itself(is_long: bool) -> None:
    """A player who holds one card has no two different ones to put away, and is passed over."""
    code, plays = native("boreal"), 2_000 if is_long else 150
    results = code.playouts(plays, seed=5)
    for number in range(plays):
        assert played(code.engine, 5, number)[2] == results.events[number]


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
    code = Native(game_from(ENDLESS))
    position = code.start()
    before = code.to_play(position)
    with pytest.raises(Stopped, match="a limit of native code: more work"):
        code.apply_id(position, code.legal_ids(position)[0])
    assert_equal(code.to_play(position), before)
    with pytest.raises(SpecFault, match="never ends"):
        code.playouts(1, seed=0)


def test_a_play_that_stopped_says_which_limit_stopped_it(monkeypatch: pytest.MonkeyPatch) -> None:
    free = native("tic_tac_toe").playouts(3, seed=0)
    monkeypatch.setattr(library, "ROOM", 144)
    played = native("tic_tac_toe").playouts(3, seed=0)
    assert played.stopped == {"lists and copies that need more room than a thread has": 3}
    assert words(played.events) == words(free.events), "the engine in Python played them"


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
    code = Native(game_from(FAULTY))
    position = code.start()
    code.apply_id(position, code.legal_ids(position)[0])
    code.apply_id(position, code.legal_ids(position)[0])
    before = code.to_play(position)
    with pytest.raises(Stopped, match=r"go\.on"):
        code.apply_id(position, code.legal_ids(position)[0])
    assert_equal(code.to_play(position), before)


# ---- numbers of moves


@pytest.mark.parametrize("name", ["nim", "goofspiel", "mangrovia"])
def test_every_legal_number_means_one_move(name: str) -> None:
    code, rng = native(name), random.Random(1)
    position = code.start()
    for _ in range(12):
        if not (ids := code.legal_ids(position)):
            return
        if code.to_move(position):
            assert [code.id_of(position, code.move_of(position, each)) for each in ids] == ids
            with pytest.raises(ValueError, match="has the number"):
                code.move_of(position, -1)
            with pytest.raises(ValueError, match="has the number"):
                code.move_of(position, 10**12)
            move = code.move_of(position, ids[0])
            wrong = [replace(move, player=9), replace(move, action="flee"), Move(move.player, DECLINE, move.arguments)]
            wrong.append(replace(move, arguments=tuple((each, 10**6) for each, _ in move.arguments)))
            for each in wrong if move.arguments else wrong[:2]:
                with pytest.raises(ValueError, match="has no number"):
                    code.id_of(position, each)
        code.apply_id(position, rng.choice(ids))


def test_another_player_s_move_has_no_number() -> None:
    code = native("nim")
    position = code.start()
    move = code.move_of(position, code.legal_ids(position)[0])
    with pytest.raises(ValueError, match="another player is to move"):
        code.id_of(position, replace(move, player=1 - move.player))


COLLECTING = """
zone row: bag of 1..3, open
zone heap: bag of 1..3, open

setup
  row: fill row with bag(n for n in 1..3, copy in 1..2)

play
  turn: each player in seats
    choose take

action take
  choose cards within row
  require few: size(cards) > 0
  away: move cards from row to heap
"""


def test_each_question_has_the_budget_of_a_step() -> None:
    """Moves that state collections are listed by the engine in Python."""
    code = Native(game_from(COLLECTING))
    position = code.start()
    (first, *_) = code.legal_ids(position)
    move = code.move_of(position, first)
    assert code.id_of(position, move) == first
    code.engine.meter.left = 1
    assert code.id_of(position, move) == first


# ---- the cache


def test_compiled_code_is_kept_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex.interpreter.program.native.cache import cached

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cached("a", lambda: b"one") == b"one"
    assert cached("a", lambda: b"two") == b"one"
    assert cached("b", lambda: b"two") == b"two"
    folder = tmp_path / "ludex" / "native"
    (file,) = [each for each in folder.iterdir() if each.read_bytes().endswith(b"one")]
    assert folder.stat().st_mode & 0o077 == 0
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    assert cached("a", lambda: b"two") == b"two", "what was damaged is made anew"
    file.chmod(0o666)
    assert cached("a", lambda: b"new") == b"new", "others may have written the file"
    assert cached("a", lambda: b"newer") == b"new", "it was replaced by one of our own"
    folder.chmod(0o777)
    assert cached("a", lambda: b"newest") == b"newest", "others may have put files into the folder"
    folder.chmod(0o700)
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    assert cached("a", lambda: b"last") == b"last", "a link may lead anywhere"


SECRET = """
state gate: 0..3 = 0
state secret(Player): 0..3, hidden
state taken: 0..9 = 0

action take
  require open: CONDITION
  go: taken += 1

setup
  each player in seats
    secret(me) := 1

play
  turns: each player in seats
    may take
"""


@pytest.mark.parametrize(
    ("condition", "skipped"),
    (
        ("gate = 2 or (gate = 1 and secret(me) = 2)", True),
        ("not (gate = 0 or secret(me) = 2)", True),
        ("count(i in 1..3 where gate = i and secret(me) = i) > 0", True),
        ("gate = 2 or (gate = 0 and secret(me) = 2)", False),
    ),
)
def test_what_the_test_before_it_decides_does_not_depend_on_a_secret(condition: str, skipped: bool) -> None:
    game = game_from(SECRET.replace("CONDITION", condition))
    engine, code = Engine(game), Native(game)
    assert engine.is_terminal(engine.start()) == code.is_terminal(code.start()) == skipped


def test_a_number_is_not_taken_for_none() -> None:
    """A cell of one byte says none by -128, a number that other cells and choices may have."""
    code = Native(
        game_from("""
type Spot = 1..20
type Bid = 0..9
state bid(Spot): Bid? = none
state taken: 0..9 = 0

action take
  choose k in -129..-127
  require free: no c in Spot has bid(c) = k
  go: taken += 1

play
  turns: each player in seats
    take
""")
    )
    lockstep(code, random.Random(1), 3)
    assert len(code.legal_ids(code.start())) == 3


def test_points_beyond_a_word_stop_the_play() -> None:
    scores = "".join(f"score s{at}: n * n * n\n" for at in range(10))
    code = Native(game_from(f"state n: 0..1000000 = 1000000\n\nplay\n  turns: nothing\n\n{scores}"))
    with pytest.raises(Stopped, match="does not fit"):
        code.result(code.start())
