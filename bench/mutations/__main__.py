"""`python -m bench.mutations`: measures how well `ludex diff` finds a single change (see `docs/mutations.md`)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludex.spec import read_game, shipped_games

from ..arguments import count, game, seconds
from .provenance import state_of_code
from .results import control_table, is_reported, is_shown, missed, mutant_table, read, summary, write
from .sampling import ChangedText, Tally, controls, mutants
from .texts import Original, originals
from .trial import Work, tried


@dataclass(frozen=True, slots=True)
class Plan:
    """The samples to make of one game."""

    game: str
    mutants: int
    controls: int
    seed: int


@dataclass(frozen=True)
class Sample:
    originals: tuple[Original, ...]
    made: tuple[ChangedText, ...]
    dropped: int


def main() -> int:
    asked = _arguments()
    out: Path = asked.out
    work = Work(asked.effort, asked.seconds, asked.seed, asked.harder, state_of_code())
    try:
        known = read(out)
    except (OSError, ValueError, KeyError, TypeError) as fault:
        print(f"{out} is not a file of results: {fault}", file=sys.stderr)
        return 2
    if not asked.table:
        _run(asked, work, out, known.get(work.run, {}))
        known = read(out)
    run = next(reversed(known), "") if asked.table else work.run
    print("\n".join(_run_tables(known, run, asked)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutations", description="Measure `ludex diff` by mutants.")
    parser.add_argument("games", metavar="GAME", nargs="*", type=game, help="shipped games; all if none is named")
    parser.add_argument("--seed", type=int, default=0, help="draws other mutants (default: %(default)s)")
    parser.add_argument("--per-game", type=count, default=18, help="mutants of a game (default: %(default)s)")
    parser.add_argument("--controls", type=count, default=6, help="rewrites of a game (default: %(default)s)")
    parser.add_argument("--effort", type=count, default=16000, help="events for a divergence (default: %(default)s)")
    parser.add_argument("--seconds", type=seconds, default=60.0, help="a stop for a divergence (default: %(default)s)")
    parser.add_argument("--harder", type=count, default=0, help="look again, so many times, where nothing was found")
    parser.add_argument("--jobs", type=count, default=1, help="work side by side (default: %(default)s)")
    parser.add_argument(
        "--out", type=Path, default=Path("mutations.jsonl"), help="results, added to (default: %(default)s)"
    )
    parser.add_argument("--again", action="store_true", help="try those again that failed before")
    parser.add_argument("--table", action="store_true", help="only print the tables of what is there")
    parser.add_argument("--missed", action="store_true", help="tell what went wrong, text by text")
    return parser.parse_args()


# ---- running ------------------------------------------------------------------------------------------------------


def _run(asked: argparse.Namespace, work: Work, out: Path, known: Mapping[str, Any]) -> None:
    plans = _plans(asked)
    done = {name for name, line in known.items() if not (asked.again and list(missed([line])))}
    for line in _lines(plans, work, done, asked.jobs):
        write(out, line)
        where = f"{line['game']} {line['operator']}"
        outcome = "shown" if is_shown(line) else "reported" if is_reported(line) else "nothing"
        print(f"{line['id']} {where}: {outcome}, {line['seconds']} s", file=sys.stderr, flush=True)


def _plans(asked: argparse.Namespace) -> list[Plan]:
    """Return the longest games first, so that parallel work ends evenly.

    Games of several texts get twice as many samples, since `ludex diff` is made for them.
    """
    texts = {name: read_game(name) for name in asked.games or shipped_games()}
    length = {name: sum(len(file.text) for file in text.files) for name, text in texts.items()}
    times = {name: 2 if text.names else 1 for name, text in texts.items()}
    ordered = sorted(texts, key=lambda name: -length[name])
    return [Plan(name, times[name] * asked.per_game, times[name] * asked.controls, asked.seed) for name in ordered]


def _lines(plans: list[Plan], work: Work, done: set[str], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs < 2:
        for plan in plans:
            sample = _sample(plan)
            print(f"{plan.game}: {sample.dropped} drafts are not games", file=sys.stderr, flush=True)
            yield from (_tried(plan, mutant.id, work) for mutant in sample.made if mutant.id not in done)
        return
    with ProcessPoolExecutor(jobs) as pool:
        # Only the names are sent, as each process makes the samples itself and keeps them.
        samples = pool.map(_ids, plans)
        open_ = [each for each in _in_turn(list(zip(plans, samples, strict=True))) if each[1] not in done]
        futures = [pool.submit(_tried, plan, name, work) for plan, name in open_]
        yield from (future.result() for future in as_completed(futures))


def _in_turn(samples: list[tuple[Plan, tuple[str, ...]]]) -> list[tuple[Plan, str]]:
    """Interleave the games, so that an interrupted run covers all of them."""
    placed = [(at / len(names), plan, name) for plan, names in samples for at, name in enumerate(names)]
    return [(plan, name) for _, plan, name in sorted(placed, key=lambda each: each[0])]


def _ids(plan: Plan) -> tuple[str, ...]:
    return tuple(mutant.id for mutant in _sample(plan).made)


def _tried(plan: Plan, name: str, work: Work) -> dict[str, Any]:
    sample = _sample(plan)
    mutant = next(each for each in sample.made if each.id == name)
    original = next(each for each in sample.originals if each.edition == mutant.edition)
    return tried(mutant, original, work)


@cache
def _sample(plan: Plan) -> Sample:
    """Make the samples of a game, once in each process."""
    tally = Tally()
    texts = tuple(originals(plan.game))
    drawn = mutants(texts, plan.mutants, plan.seed, tally) + controls(texts, plan.controls, plan.seed, tally)
    return Sample(texts, tuple(drawn), tally.dropped)


# ---- reporting ------------------------------------------------------------------------------------------------------


def _run_tables(known: Mapping[str, Mapping[str, Any]], run: str, asked: argparse.Namespace) -> Iterator[str]:
    """Yield the tables of one run, and the names of the others in the file."""
    lines = [line for line in known.get(run, {}).values() if not asked.games or line["game"] in asked.games]
    yield f"Run: {run or 'none yet'}"
    yield from (f"Not counted: {len(other)} results of {name}" for name, other in known.items() if name != run)
    yield ""
    yield from _report(lines, asked.missed)


def _report(lines: list[Any], is_missed_told: bool) -> Iterator[str]:
    changed = [line for line in lines if not line["control"]]
    same = [line for line in lines if line["control"]]
    yield from mutant_table(changed, lambda line: line["operator"], "operator")
    yield ""
    yield from mutant_table(changed, lambda line: line["game"], "game")
    yield ""
    yield from control_table(same, lambda line: line["operator"], "rewrite")
    yield ""
    yield from summary(lines)
    if is_missed_told:
        yield ""
        yield from missed(lines)


if __name__ == "__main__":
    sys.exit(main())
