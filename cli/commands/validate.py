"""`ludex validate`: judges recorded games: legal or not, where, why, and what would have been legal."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from ludex.interpreter import LogText, PassedOver, Validator, Verdict, logs_of, under_editions
from ludex.spec import Budget

from ..command import ALL, Count, budget_option, format_option_of, sources_option, subcommand
from ..log_arguments import game_option, read, validator
from ..reporting.exit_codes import Exit
from ..reporting.output_files import is_folder
from ..reporting.source_excerpts import Texts
from ..verdicts.judged import Judged, Tally
from ..verdicts.text_writer import TextWriter
from ..verdicts.writer import WRITERS, telling, writer


@subcommand(
    "validate", "validate game.jsonl\nvalidate logs/ 'more/*.yaml' --format json\nvalidate --edition all game.jsonl"
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--edition", metavar="NAME", help="Judge by this edition; `all`: by each.  [default: the log's own]")
@game_option
@budget_option
@sources_option
@format_option_of(*WRITERS)
@click.option("--fill", is_flag=True, help="List all lines that are missing, instead of stopping at the first.")
@click.option("--explain", type=Count(min=1), metavar="N", help="Walk through event N of one log.")
@click.option("--only-failing", is_flag=True, help="Tell nothing of the logs that are legal; they are counted.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing: the exit code is the verdict.")
def command(
    logs: tuple[str, ...],
    edition: str | None,
    games: tuple[str, ...],
    budget: Budget,
    sources: Path | None,
    fill: bool,
    explain: int | None,
    only_failing: bool,
    quiet: bool,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Judge recorded games: is every event legal, and are the recorder's claims true?

    LOG is a file, a folder (all logs in it), a pattern in quotes, or `-`: the standard input.

    With --edition all, say by which editions of its game a log is legal, and where it first breaks by the others.
    """
    judge = validator(games, budget)
    if explain is not None:
        return _explained(judge, logs, explain, format)
    tally = Tally()
    teller = TextWriter(sources) if format == "text" else writer(format)()
    with telling(teller, tally, quiet) as tell:
        for source in chain.from_iterable(map(logs_of, logs)):
            if isinstance(source, PassedOver):
                tally.passed_over.append(source)
                continue
            judged = _judge(judge, source, edition, fill)
            tally.add(judged)
            if not (quiet or (only_failing and judged.report.verdict is Verdict.LEGAL)):
                tell(teller.log(judged))
    return tally.exit


def _judge(validator: Validator, source: LogText, edition: str | None, fill: bool) -> Judged:
    """Judge the log by its own edition, or by the given one. Raises UsageError if its game has no such edition."""
    log = source.log()
    if edition in (None, ALL):
        own = validator.play(log, fills=fill)
        return Judged(source, own, under_editions(validator, log, own) if edition == ALL else None)
    known = validator.editions(log)
    if known and edition not in known:
        name = log.header.data.get("game") if log.header and log.header.data else log.file
        raise click.UsageError(f"`{name}` has no edition `{edition}`; it has {', '.join(known)}")
    return Judged(source, validator.play(log, edition=edition if known else None, fills=fill))


def _explained(validator: Validator, logs: tuple[str, ...], number: int, form: str) -> Exit:
    from ..verdicts.explained import show_explained

    if len(logs) > 1 or is_folder(Path(logs[0])):
        raise click.UsageError("--explain takes one log")
    if form not in ("text", "json"):
        raise click.UsageError("--explain is written as text or json")
    texts: dict[str, str] = {}
    return show_explained(validator, read(logs[0], texts), number, Texts(texts), form == "json")
