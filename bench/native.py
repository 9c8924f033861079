"""The table of native code: time to start, plays a second, what a second thread brings, judging and perft."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from ludex.spec import load

from .drivers import RANDOM, enough
from .measure import Effort, figure, per_second, table

if TYPE_CHECKING:
    from ludex.interpreter.program.native import Native

PERFT = {"connect_four": 8, "breakthrough": 5, "othello": 7, "nine_mens_morris": 4, "english_draughts": 8}
JUDGED = 64
"""The number of plays that are judged in one call."""
MOST = 4_000_000
"""The largest number of plays in one call, whose results take 32 bytes each with two players."""


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    if find_spec("llvmlite") is None:
        yield "native: llvmlite is not installed (the extra `native`)"
        return
    from ludex.interpreter.program.native import NotCarried

    table_rows: list[list[str]] = []
    for name in games:
        try:
            table_rows.append(_row(name, effort))
        except NotCarried as reason:
            table_rows.append([name, f"not carried: {reason}", *[""] * (len(HEAD) - 2)])
    yield from table("native: starts, plays a second by one thread, events judged a second", HEAD, table_rows)


HEAD = [
    "",
    "cold, ms",
    "cached, ms",
    "plays/s",
    "at first",
    "after, s",
    "2 threads",
    "judged",
    "perft",
]


def _row(name: str, effort: Effort) -> list[str]:
    cold, cached, engine, light = _starts(name)
    numbers = iter(range(10**9))

    def plays(count: int) -> int:
        engine.playouts(count, next(numbers), threads=1)
        return count

    size = enough(plays)
    pace = per_second(lambda: plays(size), effort)
    judged = per_second(_judging(engine), effort)
    depth = PERFT.get(name)
    nodes = "" if depth is None else figure(per_second(lambda: engine.perft(engine.start(), depth, threads=1), effort))
    return [
        name,
        figure(1000 * cold),
        figure(1000 * cached),
        figure(pace),
        figure(light.pace),
        figure(light.after) if light.after else "",
        figure(_second_thread(engine, pace, effort)),
        figure(judged),
        nodes,
    ]


def _second_thread(engine: Native, pace: float, effort: Effort) -> float:
    """Return how many times as fast two threads play as one, by the clock. pace: plays a second of one thread."""
    # Each thread plays for a second at least, so that the start of threads does not show.
    calls = ceil(2 * pace / MOST)
    size = ceil(2 * pace / calls)

    def taken(threads: int, seed: int) -> float:
        start = perf_counter()
        for at in range(calls):
            engine.playouts(size, calls * seed + at, threads)
        return perf_counter() - start

    return median(taken(1, seed) / taken(2, seed) for seed in range(effort.repeats))


@dataclass(frozen=True, slots=True)
class LightCode:
    """The code that a cold start makes.

    Attributes:
        pace: plays a second on one thread.
        after: seconds of play by the clock after which better code plays; 0 if this is the best.
    """

    pace: float
    after: float


def _starts(name: str) -> tuple[float, float, Native, LightCode]:
    """Return the time from a game to its engine, first with an empty cache and then with a full one; the engine, after
    enough play that it runs its best code; and what came before that.
    """
    from ludex.interpreter.program.native import Native

    # The cache folder is looked up at each use, so that changing the variable is enough.
    game, before = load(name), os.environ.get("XDG_CACHE_HOME")
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            times, engines = [], []
            for _ in range(3):
                start = process_time()
                engines.append(Native(game))
                engines[-1].start()
                times.append(process_time() - start)
            light = _settled(engines[0])
        finally:
            del os.environ["XDG_CACHE_HOME"]
            if before is not None:
                os.environ["XDG_CACHE_HOME"] = before
    return times[0], min(times[1:]), engines[0], light


def _settled(engine: Native) -> LightCode:
    """Play until the engine runs its best code."""
    start, is_best = perf_counter(), engine.is_settled

    def plays(count: int) -> int:
        engine.playouts(count, threads=1)
        return count

    size = enough(plays)
    # not for long: after a while better code plays
    pace = per_second(lambda: plays(size), Effort(3, 0.1))
    while not engine.is_settled:
        plays(size)
    return LightCode(pace, 0.0 if is_best else perf_counter() - start)


def _judging(engine: Native) -> Callable[[], int]:
    """Return a function that judges some plays."""
    logs = []
    for _ in range(JUDGED):
        state, log_ = engine.start(), array("q")
        while not engine.is_terminal(state):
            ids = engine.event_ids(state)
            log_.append(ids[RANDOM.randrange(len(ids))])
            engine.advance_id(state, log_[-1])
        logs.append(log_)

    def judge() -> int:
        total = 0
        for each in logs:
            verdict = engine.judge_ids(each)
            assert verdict == len(each)
            total += verdict
        return total

    return judge
