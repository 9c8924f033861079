"""Native code plays exactly like the compiled engine in Python, and never gives a wrong answer."""

from __future__ import annotations

import copy
import os
import pickle
import random
import re
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter import DECLINE, Engine, Move, perft, playouts
from ludex.interpreter.program import State
from ludex.spec import SpecFault, load

from ..games.plays import GAMES, SAMPLES, TABLES, Table, engine_of
from ..tiers import NOT_CARRIED
from .build import game_from
from .mutants import BOARD, POOLS, TRACK, UNION, below_zero

pytest.importorskip("llvmlite")

from ludex.interpreter.program.engine import playout_arrays
from ludex.interpreter.program.native import Native, NotCarried, Stopped, compiling, library, program_text
from ludex.interpreter.program.native.fallback import advance, events, played

from ..once import engine_once, game_once

CARRIED = tuple(name for name in GAMES if name not in NOT_CARRIED)
EVENTS = 150


@pytest.fixture(autouse=True, scope="module")
def _one_cache_for_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all processes of the run share one cache of compiled code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))
        yield


@cache
def native(name: str) -> Native:
    return Native(game_once(name))


def words(buffer: Any) -> memoryview:
    """Return the words of an array, with or without NumPy."""
    return memoryview(buffer).cast("B").cast("q")


def value(question: Callable[..., Any], *given: Any) -> Any:
    """Return the answer; None if the rules give none."""
    try:
        return question(*given)
    except SpecFault:
        return None
    except Stopped as stopped:
        if "a limit" in str(stopped):
            raise
        return None


def lockstep(code: Native, rng: random.Random, limit: int) -> None:
    """Play once in both engines, and convert the states at each event."""
    engine = code.engine
    play, position = engine.start(), code.start()
    for _ in range(limit):
        assert code.wait(position) == play.wait
        assert code.cells(position) == play.cells[: engine.game.cell_count]
        assert value(code.returns, position) == value(engine.returns, play)
        outcome = value(engine.winners, play)
        assert value(code.winning_seats, position) == (outcome and outcome.winners)
        listed = events(engine, play)
        assert value(code.deciding_seats, position) == value(engine.to_move, play)
        assert code.weighed(position) == engine.chance(play)
        assert code.event_ids(position) == listed
        assert code.event_ids(code.from_play(play)) == listed
        assert_equal(code.to_play(position), play)
        if code.is_terminal(position):
            return
        event = rng.choice(listed)
        before = position.copy()
        assert code.judge_ids([event, -(2**40)], position) == 1
        advance(engine, play, event)
        code.advance_id(position, event)
        assert before != position


def assert_equal(one: State, two: State) -> None:
    """Assert equality, except for cells that were never written."""
    assert (one.wait, one.pools) == (two.wait, two.pools)
    assert all(here == there for here, there in zip(one.cells, two.cells, strict=True) if there is not None)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.drawn(2)
def test_native_code_plays_in_lockstep(table: Table, is_long: bool) -> None:
    held_equal(table, is_long)


@pytest.mark.parametrize("table", SAMPLES, ids=str)
@pytest.mark.drawn(2)
def test_native_code_plays_the_samples_of_the_reference(table: Table, is_long: bool) -> None:
    held_equal(table, is_long)


def held_equal(table: Table, is_long: bool) -> None:
    try:
        code = Native(engine_of(table).game)
    except NotCarried as reason:
        if table.game in CARRIED:
            raise
        pytest.skip(f"native code does not support {reason}")
    for seed in range(5 if is_long else 1):
        try:
            lockstep(code, random.Random(f"{table} {seed}"), 10_000 if is_long else EVENTS)
        except Stopped as reason:
            if table.game in CARRIED or "a limit" not in str(reason):
                raise


@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.drawn(2)
def test_a_seed_gives_the_same_play_in_both_engines(name: str) -> None:
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


@pytest.mark.parametrize(("name", "depth"), (("tic_tac_toe", 5), ("goofspiel", 3), ("nim", 9)))
def test_perft_is_the_same_for_any_number_of_threads(name: str, depth: int) -> None:
    code = native(name)
    counts = {code.perft(code.start(), depth, threads=threads) for threads in (1, 2, 5)}
    assert len(counts) == 1, counts


def test_more_threads_than_plays_are_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started = list[int]()

    class Counting(ThreadPoolExecutor):
        def __init__(self, threads: int) -> None:
            started.append(threads)
            super().__init__(threads)

    monkeypatch.setattr(library, "ThreadPoolExecutor", Counting)
    assert len(native("pig").playouts(5, threads=10**9).events) == 5
    assert started == [5]


@pytest.mark.parametrize("memory", (16 << 20, 144))
def test_without_numpy_the_results_are_the_same(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MEMORY", memory)  # with little memory the plays stop, and the other engine plays them
    own = Native(game_once("tic_tac_toe"))  # it keeps its memory, which no other test may get
    played = own.playouts(20, seed=3)
    monkeypatch.setattr(playout_arrays, "find_spec", lambda name: None)
    bare = own.playouts(20, seed=3)
    assert isinstance(bare.points, array)
    assert [words(each) for each in (bare.points, bare.winners, bare.events)] == [
        words(each) for each in (played.points, played.winners, played.events)
    ]
    assert bare.stopped == played.stopped


def test_plays_begin_in_the_given_state() -> None:
    code = native("tic_tac_toe")
    position = code.start()
    for square in (0, 3, 1, 4):
        code.advance_id(position, code.event_ids(position)[0] if square == 0 else square + 1)
    held = bytes(position)
    played = code.rollouts(position, 50, seed=1)
    assert bytes(position) == held
    assert max(played.events) <= 5


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("pig", 6), ("liars_dice", 3), ("breakthrough", 3)])
def test_native_perft_counts_the_same_tree(name: str, depth: int) -> None:
    code, engine = native(name), Engine(native(name).game)
    for steps in range(depth):
        assert code.perft(code.start(), steps) == perft(engine, engine.start(), steps)


def test_a_seed_of_native_plays_is_one_of_64_bits() -> None:
    code = native("pig")
    assert words(code.playouts(9, seed=2**64 - 1).events) != words(code.playouts(9, seed=0).events)
    with pytest.raises(ValueError, match="from 0 to"):
        code.playouts(1, seed=2**64)


def test_loops_over_a_board_use_vector_instructions() -> None:
    code = Native(game_from(BOARD))
    assert "load <16 x i8>" in code._source.text
    for seed in range(20):
        lockstep(code, random.Random(seed), EVENTS)


def test_loops_over_a_set_visit_its_cells_together() -> None:
    code = Native(load("nine_mens_morris"))
    lister = next(unit for unit in code.program.units if unit.name == "slide list")
    assert "name='ordered', args=(Var" in repr(lister.body)  # the set of targets is kept as a set until it is searched
    for seed in range(2):
        lockstep(code, random.Random(seed), EVENTS)


def test_is_empty_does_not_build_the_collection() -> None:
    code = Native(load("othello", options={"size": 4}))
    assert re.search(r"call {[^}]*} @e\d", code._source.text)
    for seed in range(5):
        lockstep(code, random.Random(seed), EVENTS)


def test_the_target_of_a_move_is_evaluated_before_the_piece_is_removed() -> None:
    code = Native(game_from(TRACK))
    for seed in range(5):
        lockstep(code, random.Random(seed), EVENTS)


def test_the_public_state_distinguishes_different_cards(is_long: bool) -> None:
    """A player with one card cannot discard two different ones, and is passed over."""
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


def test_endless_plays_are_stopped() -> None:
    code = Native(game_from(ENDLESS))
    position = code.start()
    before = code.to_play(position)
    with pytest.raises(Stopped, match="a limit of native code: more work"):
        code.advance_id(position, code.event_ids(position)[0])
    assert_equal(code.to_play(position), before)
    with pytest.raises(SpecFault, match="never ends"):
        code.playouts(1, seed=0)


def test_a_stopped_play_names_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    free = native("tic_tac_toe").playouts(3, seed=0)
    monkeypatch.setattr(library, "MEMORY", 144)
    played = Native(game_once("tic_tac_toe")).playouts(3, seed=0)
    assert played.stopped == {"lists and copies that need more memory than a thread has": 3}
    assert words(played.events) == words(free.events), "the engine in Python must play them"


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


@pytest.mark.parametrize(
    ("name", "memory"), (("tic_tac_toe", 16 << 20), ("goofspiel", 16 << 20), ("pig", 16 << 20), ("tic_tac_toe", 144))
)
def test_many_logs_are_judged_as_each_is(name: str, memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    code, rng, logs = native(name), random.Random(4), list[list[int]]()
    for _ in range(12):
        position, log = code.start(), list[int]()
        while ids := code.event_ids(position):
            log.append(rng.choice(ids))
            code.advance_id(position, log[-1])
        damaged = rng.randrange(len(log))
        logs += [log, log[:damaged], [*log[:damaged], 10**6, *log[damaged:]], [*log, 1], []]
    each = [code.judge_ids(log) for log in logs]
    monkeypatch.setattr(library, "MEMORY", memory)  # with little memory the engine in Python judges
    for threads in (1, 3):
        assert Native(game_once(name)).judge_logs(logs, threads) == each


def test_a_fault_of_the_rules_names_its_clause() -> None:
    code = Native(game_from(FAULTY))
    position = code.start()
    code.advance_id(position, code.event_ids(position)[0])
    code.advance_id(position, code.event_ids(position)[0])
    before = code.to_play(position)
    with pytest.raises(Stopped, match=r"go\.on"):
        code.advance_id(position, code.event_ids(position)[0])
    assert_equal(code.to_play(position), before)


# ---- numbers of moves


@pytest.mark.parametrize("name", ["nim", "goofspiel", "mangrovia"])
def test_every_number_means_one_event(name: str) -> None:
    code, rng = native(name), random.Random(1)
    position = code.start()
    for _ in range(12):
        if not (ids := code.event_ids(position)):
            return
        assert [code.event_id(position, code.event_of(position, each)) for each in ids] == ids
        for number in (-1, 10**12):
            with pytest.raises(ValueError, match="has the number"):
                code.event_of(position, number)
        if isinstance(move := code.event_of(position, ids[0]), Move):
            wrong = [move._replace(player=9), move._replace(action="flee"), Move(move.player, DECLINE, move.arguments)]
            wrong.append(move._replace(arguments=tuple((each, 10**6) for each, _ in move.arguments)))
            for each in wrong if move.arguments else wrong[:2]:
                with pytest.raises(ValueError, match="has no number"):
                    code.event_id(position, each)
        code.advance_id(position, rng.choice(ids))


def test_a_move_of_another_player_has_no_number() -> None:
    code = native("nim")
    position = code.start()
    move = code.event_of(position, code.event_ids(position)[0])
    assert isinstance(move, Move)
    with pytest.raises(ValueError, match="another player is to move"):
        code.event_id(position, move._replace(player=1 - move.player))


def masked(mask: Callable[..., bytearray], *given: Any) -> bytearray | None:
    """Return the mask; None where there is none."""
    try:
        return mask(*given)
    except ValueError:
        return None


@pytest.mark.parametrize("name", ["nim", "goofspiel", "mangrovia", "kuhn_poker"])
def test_methods_that_both_engines_have_mean_the_same(name: str) -> None:
    code, engine, rng = native(name), engine_once(game_once(name)), random.Random(2)
    position, state = code.start(), engine.start()
    assert code.size == engine.size
    for _ in range(12):
        if not (ids := code.event_ids(position)):
            break
        assert code.is_terminal(position) == engine.is_terminal(state) is False
        assert code.to_move(position) == engine.to_move(state)
        assert code.returns(position) == engine.returns(state)
        for seat in (None, *range(engine.game.players)):  # a player who need not decide has no moves
            assert masked(code.mask, position, seat) == masked(engine.mask, state, seat)
        before, number = code.to_play(position), rng.choice(ids)
        event, after = code.event_of(position, number), code.apply_id(position, number)
        assert_equal(code.to_play(position), before)
        code.advance_id(position, number)
        assert_equal(code.to_play(position), code.to_play(after))
        state = engine.apply(state, event)
    assert code.is_terminal(position) == engine.is_terminal(state)


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


def test_each_query_has_the_budget_of_one_step() -> None:
    """The engine in Python lists moves that state collections."""
    code = Native(game_from(COLLECTING))
    position = code.start()
    (first, *_) = code.event_ids(position)
    move = code.event_of(position, first)
    assert code.event_id(position, move) == first
    code.engine.meter.left = 1
    assert code.event_id(position, move) == first


def test_a_move_has_no_number_where_the_list_has_no_value() -> None:
    code = Native(game_from(COLLECTING.replace("size(cards) > 0", "6 div (3 - size(cards)) > 2")))
    position, move = code.start(), Move(0, "take", (("cards", (1,)),))
    with pytest.raises(Stopped, match=r"take\.few") as raised:
        code.event_ids(position)
    assert raised.value.place is not None
    for question in (partial(code.event_id, position, move), partial(code.event_of, position, 10)):
        with pytest.raises(ValueError, match=r"take\.few has no value"):
            question()
    # The move itself is judged by its requirements.
    assert code.engine.is_legal(code.to_play(position), move)


# ---- the cache


def test_compiled_code_is_cached_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex.interpreter.program.native.cache import cached

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cached("a", lambda: b"one") == b"one"
    assert cached("a", lambda: b"two") == b"one"
    assert cached("b", lambda: b"two") == b"two"
    folder = tmp_path / "ludex" / "native"
    (file,) = [each for each in folder.iterdir() if each.read_bytes().endswith(b"one")]
    assert folder.stat().st_mode & 0o077 == 0
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    assert cached("a", lambda: b"two") == b"two", "a damaged file must be replaced"
    file.chmod(0o666)
    assert cached("a", lambda: b"new") == b"new", "a file that others can write must not be used"
    assert cached("a", lambda: b"newer") == b"new", "it must be replaced by a file of our own"
    (other,) = [each for each in folder.iterdir() if each.read_bytes().endswith(b"two")]
    file.write_bytes(other.read_bytes())
    assert cached("a", lambda: b"new") == b"new", "the code of another game must not be used"
    folder.chmod(0o777)
    assert cached("a", lambda: b"newest") == b"newest", "a folder in which others can write must not be used"
    folder.chmod(0o700)
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    assert cached("a", lambda: b"last") == b"last", "a link must not be followed"
    for make in (os.mkfifo, os.mkdir):
        file.unlink()
        make(file)
        assert cached("a", lambda: b"last") == b"last", "only a regular file must be read"


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
def test_a_condition_decided_by_its_public_part_does_not_depend_on_a_secret(condition: str, skipped: bool) -> None:
    game = game_from(SECRET.replace("CONDITION", condition))
    engine, code = Engine(game), Native(game)
    assert engine.is_terminal(engine.start()) == code.is_terminal(code.start()) == skipped


WRONG: tuple[Callable[[Native], object], ...] = (
    lambda code: code.rollouts(bytearray(1), 5),  # type: ignore[arg-type]
    lambda code: code.returns(bytearray(len(code.start()))),  # type: ignore[arg-type]
    lambda code: code.judge_ids([1], bytearray(3)),  # type: ignore[arg-type]
    lambda code: code.perft(native("kuhn_poker").start(), 2),
    lambda code: code.event_ids(native("kuhn_poker").start()),
    lambda code: code.perft(code.start(), -1),
    lambda code: code.perft(code.start(), 2**63),
    lambda code: code.playouts(-1),
    lambda code: code.mask(code.start(), 7),
    lambda code: code.mask(code.start(), "a"),  # type: ignore[arg-type]
    lambda code: code.apply(code.start(), "x"),  # type: ignore[arg-type]
    lambda code: code.event_id(code.start(), "x"),  # type: ignore[arg-type]
    lambda code: code.event_of(code.start(), "1"),  # type: ignore[arg-type]
    lambda code: code.apply_id(code.start(), 99),
    lambda code: code.apply_id(code.start(), -1),
    lambda code: code.apply_id(code.start(), 2**63),
    lambda code: code.judge_ids([10**30]),
    lambda code: code.judge_logs([["x"]]),  # type: ignore[list-item]
    lambda code: code.judge_logs(5),  # type: ignore[arg-type]
    lambda code: code.start().append(1),
    lambda code: code.start().__setitem__(0, 1),
)


@pytest.mark.parametrize("call", WRONG)
def test_what_is_no_state_of_the_game_never_reaches_native_code(call: Callable[[Native], object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        call(native("tic_tac_toe"))


def test_a_state_survives_pickle_and_copy() -> None:
    code = native("tic_tac_toe")
    position = code.start()
    code.advance_id(position, code.event_ids(position)[4])
    for other in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), position.copy()):  # noqa: S301 - its own
        assert code.cells(other) == code.cells(position)
        assert code.event_ids(other) == code.event_ids(position)


@pytest.mark.parametrize("name", ("pig", "kuhn_poker", "goofspiel"))
def test_playouts_of_every_tier_are_the_same(name: str) -> None:
    game = game_once(name)
    python, machine = playouts(Engine(game), 30, seed=5), playouts(native(name), 30, seed=5)
    for one, other in (
        (python.points, machine.points),
        (python.winners, machine.winners),
        (python.events, machine.events),
    ):
        assert bytes(one) == bytes(other)


def test_threads_that_share_an_engine_do_not_share_its_memory() -> None:
    code = Native(load("othello", options={"size": 4}))
    start = code.start()
    expected = code.perft(start, 6)

    def walk(_: int) -> int:
        position = code.start()
        while not code.is_terminal(position):
            code.returns(position)
            code.advance_id(position, code.event_ids(position)[0])
        return code.perft(start, 6)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(walk, range(40))) == {expected}


def test_a_number_is_not_confused_with_none() -> None:
    """A cell of one byte represents `none` by -128, a number that other cells and choices may have."""
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
    assert len(code.event_ids(code.start())) == 3


LEAST = ["-(n * n * n)"] * 9 + ["-(223372 * n * n)", "-(36854 * n)", "-775808"]
"""The addends of -2^63, the word by which native code says none. (A spec states no number of more than nine digits.)"""


@pytest.mark.parametrize("scores", [LEAST, [" + ".join(LEAST)]], ids=["clauses", "one clause"])
def test_the_word_that_says_none_is_no_number(scores: list[str]) -> None:
    clauses = "".join(f"score s{at}: {value}\n" for at, value in enumerate(scores))
    text = f"state n: 0..1000000 = 1000000\n\nplay\n  turns: nothing\n\n{clauses}"
    least, next_to_it = Native(game_from(text)), Native(game_from(text.replace("808", "807")))
    with pytest.raises(Stopped, match="does not fit"):
        least.returns(least.start())
    assert next_to_it.returns(next_to_it.start()) == (1 - 2**63,) * next_to_it.game.players


def test_points_that_overflow_a_word_stop_the_play() -> None:
    scores = "".join(f"score s{at}: n * n * n\n" for at in range(10))
    code = Native(game_from(f"state n: 0..1000000 = 1000000\n\nplay\n  turns: nothing\n\n{scores}"))
    with pytest.raises(Stopped, match="does not fit"):
        code.returns(code.start())


def test_a_game_that_meets_a_limit_before_its_first_event_is_not_carried() -> None:
    text = """
state n: 0..1000000 = 1000000

setup
  far: if n * n * n * n > 1 then n := 1

action go
  choose k in 1..2
  go: n := k

play
  turn: as seat(1)
    go
"""
    with pytest.raises(NotCarried, match="does not fit"):
        Native(game_from(text))


BY_LOT = """
zone bag_: bag of 0..9, open
zone drawn(Player): bag of 0..9, open
DECK

setup
  filled: put {2, 2, 7, 9} in bag_

action take
  choose k in 1..2
  go: draw k from bag_ to my drawn

play
  turns: each player in seats
    take
"""


@pytest.mark.parametrize(
    "deck", ("", "zone deck: pile of 0..3, hidden"), ids=("nothing is hidden", "what is hidden has fewer kinds")
)
def test_pieces_are_drawn_by_lot_from_an_open_bag(deck: str) -> None:
    lockstep(Native(game_from(BY_LOT.replace("DECK", deck))), random.Random(1), 5)


@pytest.mark.parametrize("least", (-2, -127, -900))
@pytest.mark.parametrize("deck", ("hidden", "open"))
def test_a_private_number_below_zero_is_not_confused_with_an_unknown_one(deck: str, least: int) -> None:
    """In a copy of the public state unknown pieces are numbers, too."""
    code = Native(game_from(below_zero(least, deck)), optimise=False)
    for seed in range(3):
        lockstep(code, random.Random(seed), EVENTS)


MANY_HIDDEN = """
type Card = 0..159
zone hand(Player): bag of Card, private
zone table: bag of Card, open

setup
  deal: each player in seats
    each card in Card
      if card mod 2 = 0 then put card in my hand

action show
  choose card in my hand
  go:
    move card from my hand to table
    require paired: some other in my hand has other = card + 1

play
  rounds: repeat 3 times
    turns: each player in seats
      may show

score table: sum(c for c in table)
"""


def test_any_number_of_hidden_pieces_is_told_apart() -> None:
    """A copy of the public state has a number for each of the 160 cards."""
    lockstep(Native(game_from(MANY_HIDDEN), optimise=False), random.Random(1), EVENTS)


@pytest.mark.parametrize("others", ("low", "{-7}"))
def test_an_unknown_number_is_unknown_among_numbers_of_a_wider_range(others: str) -> None:
    code = Native(game_from(UNION.replace("OTHERS", others)), optimise=False)
    for seed in range(3):
        lockstep(code, random.Random(seed), EVENTS)


def test_unknown_pieces_are_in_normal_form_from_the_first_event_on() -> None:
    code = Native(game_from(POOLS), optimise=False)
    assert_equal(code.to_play(code.start()), code.engine.start())


LOADS_IN_GAPS = """
import gc
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from random import Random
from ludex.interpreter import Native
from ludex.spec import load

def reserved(size):
    return mmap(-1, size, MAP_ANONYMOUS | MAP_PRIVATE, 0)

game, rng = load("nim"), Random()
for layout in range(100):
    filled = [reserved(1 << bits) for bits in range(30, 11, -2) for _ in range(3)]
    blocks, gaps = [], []
    for _ in range(24):
        blocks.append(reserved(1 << 28))
        gaps.append(reserved(4096 * rng.choice((1, 2, 4, 8, 16, 32, 48, 64, 128))))
    for gap in gaps:
        gap.close()
    for _ in range(5):
        Native(game, False)
    for block in (*filled, *blocks):
        block.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the gaps are those of Linux")
def test_code_is_loaded_where_memory_has_small_gaps_far_apart() -> None:
    """LLVM aborts the process if code is more than 2 GB from its constants. The layouts are drawn: most runs of a
    faulty linker abort, not all.
    """
    loaded = subprocess.run((sys.executable, "-c", LOADS_IN_GAPS), capture_output=True, text=True, check=False)
    assert loaded.returncode == 0, loaded.stderr


def test_a_state_of_another_game_or_table_is_refused() -> None:
    """Native code reads a state without tests: one of another game would lead it to foreign memory."""
    kuhn, leduc = Native(load("kuhn_poker"), optimise=False), Engine(load("leduc_poker"))
    with pytest.raises(ValueError, match="`state` is of leduc_poker"):
        kuhn.from_play(leduc.start())
    with pytest.raises(ValueError, match="3 players"):
        Native(load("pig"), optimise=False).from_play(Engine(load("pig", players=3)).start())
    with pytest.raises(TypeError):
        kuhn.from_play(kuhn.start())  # type: ignore[arg-type]
    beyond = kuhn.engine.start()
    beyond.wait = 50
    with pytest.raises(ValueError, match="is not a state"):
        kuhn.from_play(beyond)


@pytest.mark.parametrize("name", ("boreal", "tic_tac_toe", "liars_dice"))
def test_a_state_that_is_converted_there_and_back_is_equal(name: str) -> None:
    code = Native(load(name), optimise=False)
    before = code.engine.start()
    after = code.to_play(code.from_play(before))
    assert after == before
    assert hash(after) == hash(before)
    with pytest.raises(ValueError, match="this engine plays"):
        Engine(load("nim")).legal_moves(after)


@pytest.mark.parametrize(("full", "light", "level"), ((10**9, 10**9, 2), (0, 10**9, 1), (0, 0, 0)))
def test_the_size_of_a_program_decides_how_far_it_is_optimised(
    full: int, light: int, level: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At each level it plays the same games; the pages say what each costs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiling, "_FULL", full)
    monkeypatch.setattr(compiling, "LIGHT", light)
    levels, compiled = list[int](), compiling.compiled

    def seen(text: str, level: compiling.Level) -> bytes:
        levels.append(level)
        return compiled(text, level)

    monkeypatch.setattr(program_text, "compiled", seen)
    game = game_once("kuhn_poker")
    results = Native(game).playouts(200, seed=3)
    assert levels == [level]
    assert words(results.points) == words(native("kuhn_poker").playouts(200, seed=3).points)
