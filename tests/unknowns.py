"""`python -m tests.unknowns`: counts the verdicts on logs with unknown parts, legal and contradictory.

A legal log with any parts unknown must not be refused; a log that no completion explains should be.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from ludex.interpreter import Engine, Event, State, Validator, line_of, unknowns
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.unknowns import following

from .games.plays import HIDING
from .interpreter.impossible_logs import IMPOSSIBLE, MINE, Impossible, blanked, contradictions, in_lines, log_of, played
from .once import engine_once, game_once

Lines: TypeAlias = list[dict[str, Any]]
Row: TypeAlias = tuple[str, str, str]
"""A game, a way to blank its logs, and the contradiction at their ends, `legal`, or `legal before` a contradiction."""
SHARES = {"a tenth": 0.1, "a third": 0.3}
GAPS = {f"gap {size}": size for size in range(1, 5)}
BLANKS = ("one view", "views", *SHARES, "all chance", *GAPS)
MOST_SEEDS = 60
"""The number of plays in which contradictions are looked for."""
VERDICTS = ("legal", "given up", "refused")
VALIDATOR = Validator(game_once, compiled=engine_once)


def verdict(log: Log) -> str:
    """Return one of `VERDICTS`: how a log is judged."""
    findings = VALIDATOR.validate(log).findings
    if any(each.is_error for each in findings):
        return "refused"
    return "given up" if any(each.code.code == "L471" for each in findings) else "legal"


def legal_logs(engine: Engine, seed: int, rng: Random) -> Iterator[tuple[str, Log]]:
    """Yield logs of one play, each with the way in which it was blanked."""
    play = list(played(engine, seed))
    lines = [line_of(engine.game, event) for _, event in play]
    yield "one view", log_of(engine, [engine.view_of_event(state, event, MINE) for state, event in play])
    yield "views", log_of(engine, [_viewed(engine, state, event, rng) for state, event in play])
    for name, share in SHARES.items():
        yield name, in_lines(engine, [blanked(line) if rng.random() < share else line for line in lines])
    yield "all chance", in_lines(engine, [blanked(line) if "chance" in line else line for line in lines])
    for name, size in GAPS.items():
        at = rng.randrange(max(1, len(lines) - size))
        yield name, in_lines(engine, [*lines[:at], {"gap": min(size, len(lines))}, *lines[at + size :]])


def _viewed(engine: Engine, state: State, event: Event, rng: Random) -> Event:
    return engine.view_of_event(state, event, rng.choice([None, *range(engine.game.players)]))


def impossible_logs(engine: Engine, each: int, rng: Random) -> Iterator[tuple[str, str, Log, Log]]:
    """Yield for each kind some logs that nothing explains: the kind, how they were blanked, and the log without and
    with the line that is impossible."""
    made, wanted = defaultdict[str, list[Impossible]](list), IMPOSSIBLE[engine.game.name]
    for seed in range(MOST_SEEDS):
        for one in contradictions(engine, seed):
            made[one.kind].append(one)
        if min(len(made[kind]) for kind in wanted) >= 3 * each:
            break
    for kind in wanted:
        for one in rng.sample(made[kind], min(each, len(made[kind]))):
            if VALIDATOR.validate(log_of(engine, list(one.whole), one.false)).verdict == "legal":
                continue  # possible after a decline that is left out
            yield kind, "one view", *_pair(engine, [line_of(engine.game, event) for event in one.events], one)
            if kind != "own":  # without the lines that say what one holds, a move of one's own may be legal
                lines = [line_of(engine.game, event) for event in one.events]
                more = [blanked(line) if rng.random() < SHARES["a third"] else line for line in lines]
                yield kind, "a third", *_pair(engine, more, one)


def _pair(engine: Engine, lines: Lines, one: Impossible) -> tuple[Log, Log]:
    return in_lines(engine, [*lines, one.known]), in_lines(engine, [*lines, one.known, one.false])


def judged(name: str, each: int, seed: int, until: float) -> Iterator[tuple[Row, str, float]]:
    """Judge logs of one game until a time: yield what each is, its verdict, and the CPU time it took."""
    for row, log in _logs(name, each, seed):
        if time.monotonic() > until:
            return
        start = time.process_time()
        found = verdict(log)
        yield row, found, time.process_time() - start


def _logs(name: str, each: int, seed: int) -> Iterator[tuple[Row, Log]]:
    engine = engine_once(game_once(name))
    for number in range(seed, seed + each):
        for blank, log in legal_logs(engine, number, Random(number)):
            yield (name, blank, "legal"), log
    for kind, blank, without, log in impossible_logs(engine, each, Random(seed)) if name in IMPOSSIBLE else ():
        yield (name, blank, "legal before"), without
        yield (name, blank, kind), log


def table(rows: dict[Row, Counter[str]], slowest: dict[Row, float]) -> Iterator[str]:
    """Yield the lines of a table: how many logs of each row have each verdict, and the most CPU time of one."""
    yield "| game | blank | end | " + " | ".join(VERDICTS) + " | slowest, s |"
    yield "|---" * (len(VERDICTS) + 4) + "|"
    for row, counts in rows.items():
        figures = " | ".join(str(counts[each]) for each in VERDICTS)
        yield f"| {' | '.join(row)} | {figures} | {slowest[row]:.1f} |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.unknowns", description="Judge logs with unknowns.")
    parser.add_argument("games", metavar="GAME", nargs="*", help="all with hidden information if none is named")
    parser.add_argument(
        "--each", type=int, default=4, help="plays, and logs with each contradiction, of a game (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no log of a game after so long")
    parser.add_argument(
        "--work", type=int, default=1, help="times the usual budget: logs that are given up may hide refused ones"
    )
    asked = parser.parse_args()
    unknowns.MOST_WORK = following.MOST_WORK = following.MOST_WORK * asked.work
    rows, slowest = defaultdict[Row, Counter[str]](Counter), defaultdict[Row, float](float)
    for name in asked.games or HIDING:
        for row, found, seconds in judged(name, asked.each, asked.seed, time.monotonic() + 60 * asked.minutes):
            rows[row][found] += 1
            slowest[row] = max(slowest[row], seconds)
    print("\n".join(table(rows, slowest)))
    return 1 if any(counts["refused"] for (_, _, end), counts in rows.items() if end.startswith("legal")) else 0


if __name__ == "__main__":
    sys.exit(main())
