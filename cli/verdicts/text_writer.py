"""Verdicts as text for people: findings with their lines, a row a log, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from ludex.interpreter import Break, PassedOver, Report, UnderEdition, Verdict

from ..reporting.cited_lines import Books
from ..reporting.diagnostics import Reporter, labelled, plural
from ..reporting.source_excerpts import Texts, visible
from ..reporting.terminal import printable, style
from ..view.verdict_words import early_end_words, result_words, verdict_row
from .judged import Judged, Tally
from .writer import Writer

MOST_NAMED = 5
"""Most skipped files that are named for one reason."""
_ADJECTIVES = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "with findings", Verdict.UNREADABLE: "unreadable"}


class TextWriter(Writer):
    """Text for people. sources: the folder of the rulebooks' texts."""

    def __init__(self, sources: Path | None = None) -> None:
        self._sources = sources

    @classmethod
    def for_task(cls, sources: Path | None) -> TextWriter:
        return cls(sources)

    def log(self, judged: Judged) -> str:
        return printable("".join(f"{row}\n" for row in self._rows(judged)))

    def _rows(self, judged: Judged) -> Iterator[str]:
        if judged.kept is not None:
            return  # it was told in the run in which it was judged
        if judged.report.findings or judged.editions:
            yield from self._finding_rows(judged)
        else:
            yield verdict_row(judged.report, judged.source.name)

    def _finding_rows(self, judged: Judged) -> Iterator[str]:
        documents = next((game.documents for game in judged.games), {})
        source = judged.source
        texts = Texts({source.file: source.content.decode("utf-8", "replace")}, {source.file: source.line})
        reporter = Reporter(texts, Books(self._sources, documents) if self._sources else None)
        yield from map(reporter.text, judged.report.findings)
        yield verdict_row(judged.report, source.name)
        editions = judged.editions or ()
        width = max((len(_name(under)) for under in editions), default=0)
        for under in editions:
            yield from _edition_rows(under, reporter, width)

    def closing(self, tally: Tally) -> str:
        return printable("".join(f"{row}\n" for row in _in_sum(tally))) if tally.is_complete else ""

    def put(self, text: str) -> None:
        click.echo(text, nl=False)


def _in_sum(tally: Tally) -> Iterator[str]:
    """Write the summary: the editions, the skipped files, the number of logs with each verdict."""
    for (name, edition, _), (row, _) in tally.games.items():
        if row:
            yield f"{name}, edition {edition}: {row}"
    yield from _passed_over(tally.passed_over)
    if tally.kept:
        yield f"{plural(tally.kept, 'log')} judged in an earlier run, not shown again"
    if tally.logs > 1:
        yield from _legal_by(tally)
        yield counted(tally)


def counted(tally: Tally) -> str:
    """Write the number of logs with each verdict: `12 logs: 11 legal, 1 with findings`"""
    verdicts = tally.verdicts
    parts = ", ".join(f"{verdicts[verdict]} {_ADJECTIVES[verdict]}" for verdict in Verdict if verdicts[verdict])
    return f"{plural(tally.logs, 'log')}: {parts or 'none'}"


def _passed_over(files: list[PassedOver]) -> Iterator[str]:
    """Write a row for each reason: `3 files passed over, as ...: a.txt, b.png, c.txt`"""
    by_reason: dict[str, list[str]] = {}
    for each in files:
        by_reason.setdefault(each.reason, []).append(visible(each.file))
    for reason, names in by_reason.items():
        more = f" and {len(names) - MOST_NAMED} more (--format json lists them)" if len(names) > MOST_NAMED else ""
        yield f"{plural(len(names), 'file')} passed over, as {reason}: {', '.join(names[:MOST_NAMED])}{more}"


def _legal_by(tally: Tally) -> Iterator[str]:
    for name, counts in tally.by_edition.items():
        by_edition = ", ".join(f"{count[Verdict.LEGAL]} by {edition}" for edition, count in counts.items())
        yield f"{name}, legal of {plural(sum(next(iter(counts.values())).values()), 'log')}: {by_edition}"


def _name(under: UnderEdition) -> str:
    return f"{under.edition} (its own)" if under.is_own else under.edition


def _edition_rows(under: UnderEdition, reporter: Reporter, width: int) -> Iterator[str]:
    """Write a row: `  ru (its own)  legal; 35 : 34, seat(1) wins`, or where the log breaks, with the clauses."""
    report, first = under.report, under.first_break
    name = f"  {_name(under):<{width}}  "
    if first is None:
        result = f"; {result_words(report)}" if report.result else ""
        result = f"; {early_end_words(report)}" if report.early_end else result
        yield f"{name}{style('legal', fg='green', bold=True)}{result}"
        return
    if under.is_own:
        yield f"{name}breaks {_where(first, report)}; see above"
        return
    code = style(first.finding.code.code, fg="red", bold=True)
    yield f"{name}breaks {_where(first, report)}: {code} {visible(first.finding.message)}"
    notes = (labelled("note", visible(note.message), "blue") for note in first.finding.notes)
    yield from (f"{'':{width + 2}}{row}" for row in (*reporter.why(first.finding), *notes))


def _where(first: Break, report: Report) -> str:
    line = f"line {first.finding.span.line}"
    if first.event == 0:
        return f"before the first event, {line}"
    return f"{'at' if first.is_event else 'after'} event {first.event} of {report.events}, {line}"
