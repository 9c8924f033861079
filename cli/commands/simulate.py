"""`ludex simulate`: seeded random games, with their logs, statistics and an audit."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from ludex.grammar import Diagnostic, Failure
from ludex.interpreter import RandomGame, worker_processes
from ludex.spec import Game, OpenGame

from ..command import ALL, GAME, Count, TableSettings, format_option, seed_option, subcommand, tables_options
from ..positions import from_option, position_in
from ..random_games import GamesTask, Player
from ..reporting import (
    Exit,
    Reporter,
    demand_writable,
    diagnostic_json,
    exit_of,
    json_text,
    make_folder,
    plural,
    progress,
    put,
    say,
    style,
    table,
)
from ..view.edition_summary import edition_json, edition_row
from ..view.statistics import Statistics

_MOST_SHOWN = 10
"""The largest number of faults that are shown one by one."""
_MANY = 50
"""For more games than this it is worth the time to lower the game further."""
CHUNK = 20
"""Games per job."""

NumberedGame = tuple[int, RandomGame]


@subcommand("simulate", "simulate boreal --games 1000 --audit\nsimulate pig --players 4 --games 50 --out logs")
@click.argument("game", type=GAME)
@click.option("--games", type=Count(1, 100_000_000), default=100, show_default=True, metavar="N")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write the logs into DIR.")
@click.option("--audit", is_flag=True, help="Check every state: nothing is lost, nothing leaks; judge every log.")
@click.option("--jobs", type=Count(1, 256), default=1, show_default=True, metavar="N", help="Play in N processes.")
@from_option
@seed_option
@tables_options("the game's first")
@format_option
def command(
    game: str,
    games: int,
    out: Path | None,
    audit: bool,
    jobs: int,
    start: str | None,
    seed: int,
    table: TableSettings,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Play random games, write their logs, audit them.

    A game's course depends on the seed and its number alone, so the same command gives the same bytes.
    """
    if out is not None:
        make_folder(out)
        # A folder that cannot be written is reported before the first game is played.
        demand_writable(out / "log")
    position = None
    if start is not None:
        table, position = position_in(game, start, table)
    tables = table.editions(OpenGame(game, table.allowed))
    tasks = [GamesTask(game, each, seed, audit, out, games > _MANY, position) for each in tables]
    if table.edition != ALL:
        run = _run(tasks[0], games, jobs, format == "text")
        if format == "json":
            put(json_text(run.to_json()))
        return run.exit
    runs = [_attempt(task, games, jobs, format == "text") for task in tasks]
    if format == "json":
        put(json_text({"editions": [run.to_json() for run in runs]}))
    return max(run.exit for run in runs)


@dataclass(slots=True)
class EditionGames:
    """The random games of one edition: statistics and faults."""

    task: GamesTask
    game: Game
    statistics: Statistics
    faults: list[NumberedGame] = field(default_factory=list)
    published: dict[str, int] = field(default_factory=dict)
    """The notes of the audit about published information, each with the first game in which it occurs."""

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.faults else Exit.GOOD

    def to_json(self) -> dict[str, Any]:
        wrong = [{"game": number, "wrong": list(each.wrong)} for number, each in self.faults if each.wrong]
        findings = [{"game": number, **diagnostic_json(fault)} for number, each in self.faults for fault in each.faults]
        members = {"game": self.game.name, **edition_json(self.game), **self.statistics.to_json()}
        published = [{"game": number, "published": words} for words, number in self.published.items()]
        audited = {"audited": self.task.audit, "wrong": wrong, "published": published}
        return {**members, **audited, "findings": findings}


@dataclass(frozen=True, slots=True)
class NoRun:
    """An edition that cannot be played, and why."""

    task: GamesTask
    diagnostics: tuple[Diagnostic, ...]

    @property
    def exit(self) -> Exit:
        return exit_of(self.diagnostics)

    def to_json(self) -> dict[str, Any]:
        table = self.task.table
        members = {"edition": table.edition, "silence": table.silence, "games": 0}
        return {**members, "findings": [diagnostic_json(each) for each in self.diagnostics]}


def _attempt(task: GamesTask, games: int, jobs: int, tells: bool) -> EditionGames | NoRun:
    """Play one edition of several; one that cannot be played does not stop the others."""
    try:
        return _run(task, games, jobs, tells)
    except Failure as failure:
        if tells:
            say(style(f"edition {task.table.edition} cannot be played", bold=True))
            Reporter().print(failure.diagnostics)
        return NoRun(task, failure.diagnostics)


def _run(task: GamesTask, games: int, jobs: int, tells: bool) -> EditionGames:
    """Play the games of one task, and print their statistics if wanted."""
    game = task.table.load(task.source)
    run = EditionGames(task, game, Statistics(game.players))
    started = time.monotonic()
    with progress(games, "playing") as bar:
        for number, played in enumerate(_play_all(task, games, jobs), start=1):
            run.statistics.add(played)
            if played.wrong or played.faults:
                run.faults.append((number, played))
            for words in played.published:
                run.published.setdefault(words, number)
            if bar is not None:
                bar.update(1)
    _tell_time(started, run.statistics)
    if tells:
        say("\n".join(_rows(run)))
        _print_faults(run.faults)
        for words, number in run.published.items():
            say(f"note: {words}: by these rules everybody can deduce it (game {number})")
        if task.out is not None:
            say(f"{plural(games, 'log')} in {task.out}, such as {Player(task).file_name(1)}")
        say(_verdict(games, run))
    return run


def _play_all(task: GamesTask, games: int, jobs: int) -> Iterator[RandomGame]:
    """Yield all games in the order of their numbers, however many processes play them."""
    if jobs == 1:
        player = Player(task)
        yield from (player.play(number) for number in range(1, games + 1))
        return
    chunks = [range(first, min(first + CHUNK, games + 1)) for first in range(1, games + 1, CHUNK)]
    # More processes than jobs would have nothing to do.
    with worker_processes(min(jobs, len(chunks))) as pool:
        for played in pool.map(_play_chunk, [task] * len(chunks), chunks):
            yield from played


def _play_chunk(task: GamesTask, numbers: Iterable[int]) -> list[RandomGame]:
    player = Player.of(task)
    return [player.play(number) for number in numbers]


def _tell_time(started: float, statistics: Statistics) -> None:
    """Print the time to standard error, so that the output is the same on every run."""
    if sys.stderr.isatty():
        seconds = time.monotonic() - started
        rate = f"{statistics.games / seconds:,.0f} games and {statistics.total_events / seconds:,.0f} events a second"
        say(f"{seconds:.1f} s, {rate}", err=True)


# ---- reports ---------------------------------------------------------------------------------------------------


def _rows(run: EditionGames) -> Iterator[str]:
    game, statistics = run.game, run.statistics
    of = f", edition {game.edition}" if game.editions else ""
    yield style(f"{game.name}{of}: {plural(statistics.games, 'game')}, seed {run.task.seed}", bold=True)
    row = edition_row(game, run.task.source)
    if row:
        yield f"  {row}"
    yield from (f"  {row}" for row in table(statistics.rows(), right=frozenset({1, 2, 3, 4})))
    yield from statistics.endings()
    passed = statistics.passed_rows()
    if passed:
        yield "decisions passed over because nothing was legal, by clause"
        yield from (f"  {row}" for row in table(passed[:_MOST_SHOWN], right=frozenset({0})))
        if len(passed) > _MOST_SHOWN:
            yield f"  ... and {len(passed) - _MOST_SHOWN} more clauses (--format json lists them)"


def _print_faults(faults: list[NumberedGame]) -> None:
    reporter = Reporter()
    for number, played in faults[:_MOST_SHOWN]:
        for words in played.wrong:
            say(f"game {number}: {words}")
        for fault in played.faults:
            say(f"game {number}, after {plural(played.events, 'event')}:")
            reporter.print([fault])
    if len(faults) > _MOST_SHOWN:
        say(f"... and {len(faults) - _MOST_SHOWN} more games")


def _verdict(games: int, run: EditionGames) -> str:
    if run.faults:
        return f"{plural(len(run.faults), 'game')} of {games} with faults"
    if not run.task.audit:
        return "all games ended"
    but = " but what the notes name" if run.published else ""
    return f"audit: all games ended, nothing was created or lost, nothing leaked{but}, every log is legal"
