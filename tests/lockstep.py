"""`python -m tests.lockstep`: plays random games in all tiers side by side, and compares the tiers at every event.

Each shipped game is played at its tables: every number of players, text and reading of a fork, and up to four values of
each option. A play is named by the seed and its number; it is the same on every machine and for any number of jobs. At
each event these have to agree with the reference: the state, who acts, the legal moves in order, the probabilities,
points, winners and what each player sees. Of native code these are compared but for what each player sees, the points
of each clause and the clause by which somebody wins (`NativeTier.BORROWED`). The first difference stops the run, and a
log that leads to it is written. Results are kept; another run with the same file resumes.

The reference evaluates each fact once for the same arguments (`once.py`). It still needs long for each event of a large
game: with `--events N` every play is cut off after N events. The table counts the plays that were cut off, and those
that are more work for the reference than its budget: both were compared up to there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.arguments import count, game, positive, seconds
from ludex.grammar import Failure
from ludex.interpreter import Event, Generator, SpecFault, line_of, pick, write_log
from ludex.spec import Game, OverBudget, load, shipped_games, to_json
from ludex.spec import types as t

from .once import evaluate_facts_once, game_once
from .tables import Table
from .tiers import TIERS, Missing, ReferenceTier, TierQueries, options_of

ROOM = 10
"""Factor of the reference's budget: it needs more work than the others for the same play."""
REMEMBERED = 1000
"""The number of states in which the reference remembers an answer."""
MOST_VALUES = 4
"""The number of values played of each option, the first and the last among them."""


# ---- tables


def tables(name: str) -> tuple[Table, ...]:
    """Return every text with every number of players; at the first of these tables, some values of each option; and
    every other reading of a fork, by the first text that leaves it open. Combinations that cannot be set up are left
    out.
    """
    game = load(name)
    first = Table(name, game.players, game.edition if game.editions else None)
    all_tables = [
        replace(first, edition=edition, players=players)
        for edition, players in product(game.editions or (None,), game.player_counts)
    ]
    for option in game.options:
        values = t.values(option.type)
        few = {values[at * (len(values) - 1) // (MOST_VALUES - 1)] for at in range(MOST_VALUES)}
        others = (to_json(option.type, value) for value in values if value in few - {option.default})
        all_tables += [replace(first, options=((option.name, value),)) for value in others]
    readings: dict[tuple[str, str], Table] = {}
    for edition in game.editions or (None,):
        # A text that decides a point has no fork there, so each text is asked for its own.
        for fork in game_once(name, edition=edition).forks:
            for each in (each for each, _ in fork.readings if each != fork.chosen):
                reading = fork.name, each
                readings.setdefault(reading, replace(first, edition=edition, readings=(reading,)))
    all_tables += readings.values()
    return tuple(each for each in all_tables if _can_be(each))


def _can_be(table: Table) -> bool:
    try:
        table.made()
    except Failure:
        return False
    return True


# ---- one play


class Difference(AssertionError):
    """A difference between two tiers. The message says where it is and what each tier says."""


def _method(name: str) -> Callable[[Any, Any], Any]:
    return lambda tier, state: getattr(tier, name)(state)


METHODS = "awaits", "is_terminal", "to_move", "legal_moves", "chance", "returns", "scores", "winners", "public_view"
QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: _method(name) for name in METHODS},
    "possible events": options_of,
    "seats that win": lambda tier, state: tier.winners(state).winners,
}


class Remembering(ReferenceTier):
    """The reference, which computes an answer once for equal states: they have equal futures. Plays of short games meet
    the same states again and again.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        for name in (*METHODS, "observe", "apply"):
            setattr(self, name, lru_cache(REMEMBERED)(getattr(self, name)))


def own(tier: TierQueries) -> dict[str, Callable[[Any, Any], Any]]:
    """Return the questions that a tier answers itself."""
    borrowed = getattr(tier, "BORROWED", ())
    seats = (
        {}
        if "observe" in borrowed
        else {f"observe({seat})": partial(_observed, seat) for seat in range(tier.game.players)}
    )
    return {name: ask for name, ask in QUESTIONS.items() if name not in borrowed} | seats


def _observed(seat: int, tier: TierQueries, state: Any) -> Any:
    return tier.observe(state, seat)


def answers(tier: TierQueries, state: Any) -> dict[str, Any]:
    """Return everything that a tier itself says of a state. Raises Missing."""
    return {"state": tier.standing(state)} | {name: came(ask, tier, state) for name, ask in own(tier).items()}


def came(question: Callable[..., Any], *given: Any) -> Any:
    """Return the answer, or None if the rules give none."""
    try:
        return question(*given)
    except OverBudget:
        raise
    except SpecFault:
        return None


def agree(tier: TierQueries, answered: dict[str, Any], reference: dict[str, Any]) -> None:
    """Raise Difference if a tier disagrees with the reference."""
    for question, answer in answered.items():
        if answer != reference[question]:
            name = type(tier).__name__
            raise Difference(f"{question}:\n  {name}: {answer}\n  the reference: {reference[question]}")


@dataclass(slots=True)
class Played:
    """The results of some plays.

    stopped: the number of plays that a tier could not finish, by its reason; cut_off: of plays that had not ended after
    the events that were asked for; over_budget: of plays that the reference could not finish within its budget.
    """

    games: int = 0
    events: int = 0
    seconds: float = 0.0
    stopped: Counter[str] = field(default_factory=Counter)
    cut_off: int = 0
    over_budget: int = 0

    def __add__(self, other: Played) -> Played:
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return Played(*(one + two for one, two in pairs))


def beside(
    tiers: Sequence[TierQueries],
    reference: TierQueries,
    generator: Generator,
    events: list[Event],
    most: int | None = None,
) -> Played:
    """Play one game in all tiers, with events drawn from the reference's.

    A tier that stops is left behind. Where the reference needs more work than its budget, the play ends.

    Args:
        events: the played events are appended to it.
        most: the number of events after which the play is cut off; by default it is played to its end.

    Raises Difference if two tiers disagree, or another tier needs more work than its budget.
    """
    here, result = dict[TierQueries, Any](), Played(games=1)

    def go(tier: TierQueries, step: Callable[[], Any]) -> None:
        try:
            here[tier] = step()
            agree(tier, answers(tier, here[tier]), expected)
        except Missing as reason:
            here.pop(tier, None)
            result.stopped[str(reason)] += 1
        except OverBudget as fault:
            raise Difference(f"{type(tier).__name__}: {fault}") from fault

    try:
        there = reference.start()
        expected = answers(reference, there)
        for tier in tiers:
            go(tier, tier.start)
        while not reference.is_terminal(there):
            if len(events) == most:
                result.cut_off = 1
                break
            event = pick(reference, there, generator).event
            events.append(event)
            there = reference.apply(there, event)
            expected = answers(reference, there)
            for tier in list(here):
                go(tier, partial(tier.apply, here[tier], event))
    except OverBudget:
        result.over_budget = 1
    result.events = len(events)
    return result


# ---- many plays


@dataclass(frozen=True, slots=True)
class Batch:
    """Some plays at one table, from the number `first` on. events: the number after which each is cut off."""

    table: Table
    seed: int
    first: int
    games: int
    events: int | None = None

    @property
    def name(self) -> str:
        length = "" if self.events is None else f", {self.events} events each"
        return f"{self.table}, seed {self.seed}, from {self.first} on{length}"


@lru_cache(8)
def _ready(table: Table) -> tuple[Game, TierQueries, tuple[TierQueries, ...], Counter[str]]:
    """Return the game, the reference, the other tiers, and the reasons of the tiers that do not support the game."""
    game = table.made()
    tiers, missing = list[TierQueries](), Counter[str]()
    for name in ("python", "native"):
        try:
            tiers.append(TIERS[name](game))
        except Missing as reason:
            missing[str(reason)] += 1
    patient = replace(game, budget=game.budget.times(ROOM))
    return game, Remembering(patient), tuple(tiers), missing


def played(batch: Batch) -> Played | str:
    """Return the results of the plays; or, at the first difference, a log that leads to it and its description."""
    game, reference, tiers, missing = _ready(batch.table)
    result, began = Played(), time.process_time()
    for number in range(batch.first, batch.first + batch.games):
        events = list[Event]()
        try:
            result += beside(tiers, reference, Generator(batch.seed, number), events, batch.events)
        except Exception as fault:  # noqa: BLE001 - an engine that breaks down is a difference, too
            lines = [line_of(game, event) for event in events]
            note = f"{type(fault).__name__} after {len(events)} events: {fault}"
            return write_log({**batch.table.header(game), "note": note}, lines)
        result.stopped += missing
    result.seconds = time.process_time() - began
    return result


def batches(names: Sequence[str], games: int, size: int, seed: int, events: int | None = None) -> Iterator[Batch]:
    """Return the batches for `each` plays of every game, spread evenly over its tables. Plays are numbered by table."""
    for name in names:
        all_tables = tables(name)
        for at, table in enumerate(all_tables):
            share = games // len(all_tables) + (at < games % len(all_tables))
            yield from (Batch(table, seed, first, min(size, share - first), events) for first in range(0, share, size))


# ---- the run


def main() -> int:
    asked = _arguments()
    try:
        kept = _kept(asked.out)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as fault:
        print(f"{asked.out} is not a file of this command: {fault}; name another by --out", file=sys.stderr)
        return 2
    waiting = batches(asked.games or shipped_games(), asked.each, asked.batch, asked.seed, asked.events)
    left = (each for each in waiting if each.name not in kept)
    results = {name: row for name, row in kept.items() if f"seed {asked.seed}," in name}
    stop_at = time.monotonic() + asked.minutes * 60 if asked.minutes else None
    with (
        ProcessPoolExecutor(asked.jobs, get_context("spawn"), initializer=evaluate_facts_once) as pool,
        asked.out.open("a", encoding="utf-8") as out,
    ):
        under_way = {pool.submit(played, each): each for each in islice(left, 2 * asked.jobs)}
        while under_way:
            for done in wait(under_way, return_when=FIRST_COMPLETED).done:
                batch, row = under_way.pop(done), done.result()
                if isinstance(row, str):
                    for each in under_way:
                        each.cancel()
                    return _differs(asked.out, batch, row)
                results[batch.name] = batch.table.game, row
                print(json.dumps({"batch": batch.name, "game": batch.table.game, **asdict(row)}), file=out, flush=True)
                if stop_at is None or time.monotonic() < stop_at:
                    under_way |= {pool.submit(played, each): each for each in islice(left, 1)}
            _progress(results)
    print("\n" + "\n".join(_table(results)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.lockstep", description="Hold all tiers to the reference.")
    parser.add_argument("games", metavar="GAME", nargs="*", type=game, help="all if none is named")
    parser.add_argument(
        "--each", type=positive, default=20, help="games of each, over all its tables (default: %(default)s)"
    )
    parser.add_argument("--seed", type=count, default=0, help="of all games (default: %(default)s)")
    parser.add_argument("--jobs", type=positive, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--batch", type=positive, default=50, help="games kept together (default: %(default)s)")
    parser.add_argument("--events", type=positive, help="cut every play off after so many events")
    parser.add_argument("--minutes", type=seconds, help="begin nothing after so long; the same command goes on later")
    parser.add_argument(
        "--out", type=Path, default=Path("lockstep.jsonl"), help="what was played (default: %(default)s)"
    )
    return parser.parse_args()


def _kept(file: Path) -> dict[str, tuple[str, Played]]:
    """Return the results of earlier runs by the batch's name. An unfinished last line is dropped."""
    if not file.exists():
        return {}
    whole = [line for line in file.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n")]
    results = {}
    for line in map(json.loads, whole):
        name, game = line.pop("batch"), line.pop("game")
        results[name] = game, Played(**{**line, "stopped": Counter(line["stopped"])})
    file.write_text("".join(whole), "utf-8")  # only here is it certain that the file is ours
    return results


def _differs(out: Path, batch: Batch, log: str) -> int:
    path = out.with_name(f"{out.stem}-difference.jsonl")
    path.write_text(log, "utf-8")
    print(f"\n{batch.name}: the tiers differ; {path} leads to it:\n{json.loads(log.splitlines()[0])['note']}")
    return 1


def _progress(results: dict[str, tuple[str, Played]]) -> None:
    total = sum((row for _, row in results.values()), Played())
    print(f"\r{total.games:,} games, {total.events:,} events", end="", file=sys.stderr, flush=True)


def _table(results: dict[str, tuple[str, Played]]) -> Iterator[str]:
    """Return a table by game: the number of plays and events compared, of plays cut off and over the budget, the pace,
    and what a tier does not support.
    """
    rows = defaultdict[str, Played](Played)
    for name, row in results.values():
        rows[name] += row
    rows["in all"] = sum(rows.values(), Played())
    yield f"{'':20}{'games':>10}{'cut off':>10}{'over budget':>13}{'events':>12}{'games/s':>10}{'differences':>13}"
    for name, row in rows.items():
        pace = row.games / row.seconds if row.seconds else 0.0
        yield f"{name:20}{row.games:>10,}{row.cut_off:>10,}{row.over_budget:>13,}{row.events:>12,}{pace:>10.1f}{0:>13}"
        if name != "in all":
            yield from (f"{'':20}{many:>10,} without native code: {reason}" for reason, many in row.stopped.items())


if __name__ == "__main__":
    sys.exit(main())
