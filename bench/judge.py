"""The table of judging: recorded events that the engine follows a second, when it is new and when its code is hot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, log
from time import process_time

from ludex.interpreter import Engine, Event, Generator, playout
from ludex.interpreter.program import Compiled
from ludex.spec import load

from .measure import Effort, figure, per_second, table

BOARDS = (
    "tic_tac_toe", "connect_four", "breakthrough", "othello", "oware", "nine_mens_morris", "english_draughts", "nim",
)  # fmt: skip
"""The games of which the means are: on boards, without chance."""
PLAYS = 10
"""The number of random plays that are judged in one call."""
WARM = 2.0
"""The seconds of judging after which code that is called often has been lowered again."""


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    measured, hot = list[list[str]](), list[tuple[float, float]]()
    for name in games:
        engine, wide = Engine(load(name)), Compiled(load(name))
        plays = [[turn.event for turn in playout(Engine(load(name)), Generator(seed))] for seed in range(PLAYS)]
        start = process_time()
        events = _judging(engine, plays)()
        new = events / (process_time() - start)
        while process_time() - start < WARM:
            _judging(engine, plays)()
        default, compiled = (per_second(_judging(each, plays), effort) for each in (engine, wide))
        measured.append([name, figure(new), figure(default), figure(compiled)])
        if name in BOARDS:
            hot.append((default, compiled))
    if hot:
        means = [figure(exp(sum(map(log, each)) / len(hot))) for each in zip(*hot, strict=True)]
        measured.append([f"geometric mean of {len(hot)} board games", "", *means])
    head = ["", "new", "hot", "lowered for speed"]
    yield from table("judge: recorded events that the engine follows, a second", head, measured)


def _judging(engine: Compiled, plays: list[list[Event]]) -> Callable[[], int]:
    """Return a function that judges the plays."""

    def judge() -> int:
        for play in plays:
            assert engine.judge(play) == len(play)
        return sum(map(len, plays))

    return judge
