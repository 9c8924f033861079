"""`ludex validate`: judges recorded games: legal or not, where, why, and what would have been legal."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludex.grammar import STDIN, Message
from ludex.interpreter import Validator
from ludex.spec import Budget

from ..command import (
    ALL,
    Count,
    EventPlace,
    budget_option,
    format_option_of,
    message_lang_option,
    sources_option,
    subcommand,
)
from ..log_arguments import files_option, game_option, log_validator, read_named_log
from ..main import tell_own_fault
from ..many_logs.found_logs import ReadingProgress, bytes_in, found_logs
from ..many_logs.log_judging import Judge, JudgingTask, LogToJudge, answered
from ..reporting import Exit, Texts, beside_bar, is_folder, judging_progress, language, with_waiting_times
from ..verdicts.judged import LogTally
from ..verdicts.writer import WRITERS, printing, writer

if TYPE_CHECKING:
    from ..many_logs.results_file import Results

RESULTS = click.Path(dir_okay=False, path_type=Path)


@subcommand(
    "validate",
    "validate game.jsonl\nvalidate logs/ 'more/*.yaml' --format json\nvalidate archive/ --jobs 2 --results r.sqlite",
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--edition", metavar="NAME", help="Judge by this edition; `all`: by each.  [default: the log's own]")
@game_option
@files_option
@budget_option
@sources_option
@message_lang_option
@format_option_of(*WRITERS)
@click.option("--fill", is_flag=True, help="List all lines that are missing, instead of stopping at the first.")
@click.option("--explain", type=EventPlace(), metavar="N", help="Explain event N of one log, or that of `line:N`.")
@click.option("--results", type=RESULTS, metavar="FILE", help="Keep the results in an SQLite file, and continue there.")
@click.option("--jobs", type=Count(1, 256), default=1, show_default=True, metavar="N", help="Judge in N processes.")
@click.option("--first", is_flag=True, help="Stop at the first event that is refused, which is faster.")
@click.option("--resync", is_flag=True, help="After a fault, continue from the next position or sufficient claim.")
@click.option("--only-failing", is_flag=True, help="Do not list legal logs, but count them.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing: the exit code is the verdict.")
def command(
    logs: tuple[str, ...],
    edition: str | None,
    games: tuple[str, ...],
    files: str | None,
    budget: Budget,
    sources: Path | None,
    fill: bool,
    explain: tuple[int | None, int | None] | None,
    results: Path | None,
    jobs: int,
    first: bool,
    resync: bool,
    only_failing: bool,
    quiet: bool,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Judge recorded games: is every event legal, and are the recorder's claims true?

    LOG is a file, a folder (all logs in it), a pattern in quotes, or `-`: the standard input.

    With --edition all, say by which editions of its game a log is legal, and where it first breaks by the others.
    """
    if explain is not None:
        given = {
            "--edition": edition is not None,
            "--results": results is not None,
            "--jobs": jobs != 1,
            "--first": first,
            "--only-failing": only_failing,
            "--quiet": quiet,
        }
        for option in (name for name, is_given in given.items() if is_given):
            raise click.UsageError(Message("usage-not-with", option=option, other="--explain"))
        return _explained(log_validator(games, budget, files), logs, explain, format, fill, resync)
    if results == Path(STDIN):
        raise click.UsageError(Message("usage-results-hyphen"))
    task = JudgingTask(
        games,
        budget,
        edition,
        sources,
        format,
        fill,
        first,
        resync,
        only_failing,
        quiet,
        results is not None,
        language(),
        files,
    )
    tally = _judge_all(task, logs, results, jobs)
    if tally.fault is not None:
        return tell_own_fault(tally.fault.kind, tally.fault.details)
    _check_edition(edition, tally)
    return tally.exit


def _judge_all(task: JudgingTask, logs: tuple[str, ...], results: Path | None, jobs: int) -> LogTally:
    """Judge all logs, print the verdicts as they come, and return the counts."""
    judge = Judge(task)
    tally = LogTally()
    verdicts = writer(task.format).for_task(task.sources)
    with ExitStack() as stack:
        # The file is opened first, so that one that cannot be used is refused before anything is printed.
        file = stack.enter_context(_opened(results, task)) if results else None
        print_verdict = stack.enter_context(printing(verdicts, tally, task.quiet))
        bar = stack.enter_context(judging_progress(lambda: bytes_in(logs), task.quiet or task.only_failing))
        found = found_logs(logs, tally)
        place = ReadingProgress()
        asked = file.looked_up(found, judge) if file else map(LogToJudge, found)
        for batch, answers in with_waiting_times(answered(judge, asked, jobs, tally), "report-judging", bar):
            if file:
                file.put(zip(batch, answers, strict=True))  # before they are shown: a killed run repeats none
            for answer in answers:
                with beside_bar(bar if answer.text else None):
                    print_verdict(answer.text)
            if bar is not None:
                bar.advance(len(answers), place.of(batch[-1].source))
        # A stopped run does not reach this: the summary then says that it is partial.
        tally.finish()
    return tally


def _check_edition(edition: str | None, tally: LogTally) -> None:
    """Raise UsageError if no game of all logs has the edition that was asked for."""
    # Beside logs of a game that has it there may be others, of games without editions.
    if edition in (None, ALL) or any(name == edition for _, name, _ in tally.games):
        return
    for game, _, _ in tally.games:
        raise click.UsageError(Message("usage-no-editions", game=game, edition=str(edition)))


def _explained(
    validator: Validator,
    logs: tuple[str, ...],
    at: tuple[int | None, int | None],
    form: str,
    fills: bool,
    resyncs: bool,
) -> Exit:
    from ..verdicts.explained import show_explained

    if len(logs) > 1 or is_folder(Path(logs[0])):
        raise click.UsageError(Message("usage-one-log", option="--explain"))
    if form not in ("text", "json"):
        raise click.UsageError(Message("usage-text-or-json", option="--explain"))
    texts: dict[str, str] = {}
    log = read_named_log(logs[0], texts)
    return show_explained(validator, log, at, Texts(texts), form == "json", fills, resyncs)


def _opened(path: Path, task: JudgingTask) -> AbstractContextManager[Results]:
    from ..many_logs.results_file import open_results
    from ..reporting import version

    return open_results(path, task.setting, version())
