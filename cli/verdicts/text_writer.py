"""Verdicts as text for people: findings with their lines, a row per log, and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ludex.grammar import Message
from ludex.interpreter import FirstError, PassedOver, Report, UnderEdition, Verdict

from ..reporting import (
    Books,
    Reporter,
    Texts,
    cells,
    labelled,
    padded,
    printable,
    put_printable,
    style,
    translated,
    visible,
    words,
)
from ..view.verdict_words import COLOURS, early_end_words, result_words, verdict_row
from .judged import Judged, LogTally
from .writer import VerdictWriter

READ_ALREADY = Message("over-read")
"""Why the standard input was skipped: a sentence of its own, as it is not a file."""
_MOST_NAMED = 5
"""The largest number of skipped files that are named for one reason."""


class VerdictTextWriter(VerdictWriter):
    """Text for people. sources: the folder of the rulebooks' texts."""

    def __init__(self, sources: Path | None = None) -> None:
        self._sources = sources

    @classmethod
    def for_task(cls, sources: Path | None) -> VerdictTextWriter:
        return cls(sources)

    def log(self, judged: Judged) -> str:
        return printable("".join(f"{row}\n" for row in self._rows(judged)))

    def _rows(self, judged: Judged) -> Iterator[str]:
        if judged.kept is not None:
            return  # an earlier run has shown it
        if judged.report.findings or judged.editions:
            yield from self._finding_rows(judged)
        else:
            yield verdict_row(judged.report, judged.source.name)

    def _finding_rows(self, judged: Judged) -> Iterator[str]:
        # All games that judged a log are editions of one game, with the same documents.
        documents = next((game.documents for game in judged.games), {})
        source = judged.source
        # The text that was judged is quoted: a packed file, or one that is changed meanwhile, cannot be quoted from
        # the disk.
        texts = Texts({source.file: source.content.decode("utf-8", "replace")}, {source.file: source.line})
        reporter = Reporter(texts, Books(self._sources, documents) if self._sources else None)
        yield from map(reporter.text, judged.report.findings)
        yield verdict_row(judged.report, source.name)
        editions = judged.editions or ()
        width = max((cells(_name(under)) for under in editions), default=0)
        for under in editions:
            yield from _edition_rows(under, reporter, width)

    def closing(self, tally: LogTally) -> Iterator[str]:
        # Without a log something else is printed: why the command failed.
        rows = _in_sum(tally) if tally.is_complete else (count_row(tally),) if tally.logs else ()
        yield printable("".join(f"{row}\n" for row in rows))

    def put(self, text: str) -> None:
        put_printable(text)


def _in_sum(tally: LogTally) -> Iterator[str]:
    """Write the summary: the editions, the skipped files, the number of logs with each verdict."""
    for (name, edition, _), (row, _) in tally.games.items():
        if row:
            yield words("sum-edition", game=name, edition=edition, words=row)
    yield from passed_over_rows(tally.passed_over)
    if tally.kept:
        yield words("sum-kept", logs=words("count-logs", count=tally.kept))
    # The row of a single log says as much.
    if tally.logs > 1:
        yield from _legal_by(tally)
        yield count_row(tally)


def count_row(tally: LogTally) -> str:
    """Write the number of logs with each verdict (`12 logs: 11 legal, 1 with findings`), and if the run was stopped."""
    verdicts = tally.verdicts
    parts = [words(f"count-{verdict}", count=verdicts[verdict]) for verdict in Verdict if verdicts[verdict]]
    counts = f"{words('count-logs', count=tally.logs)}: {', '.join(parts) or words('count-none')}"
    return counts if tally.is_complete else f"{counts}; {words('report-stopped')}"


def passed_over_rows(files: Sequence[PassedOver]) -> Iterator[str]:
    """Write a row for each reason: `3 files skipped, because ...: a.txt, b.png`, and one for the standard input."""
    by_reason: dict[str, list[str]] = {}
    for each in files:
        by_reason.setdefault(each.reason, []).append(visible(each.file))
    for reason, names in by_reason.items():
        if reason == READ_ALREADY:
            yield translated(reason)
            continue
        shown, left = ", ".join(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
        if left > 0:
            shown = words("sum-more-in-json", names=shown, count=left, option="--format json")
        yield words("sum-passed-over", count=len(names), reason=reason, names=shown)


def _legal_by(tally: LogTally) -> Iterator[str]:
    for name, counts in tally.by_edition.items():
        legal = tuple(
            words("sum-legal-by", count=count[Verdict.LEGAL], edition=edition) for edition, count in counts.items()
        )
        # Every log of a game is judged under each edition, so the first one's verdicts count them all.
        logs = words("count-logs", count=sum(next(iter(counts.values())).values()))
        yield words("sum-legal-of", game=name, logs=logs, editions=legal)


def _name(under: UnderEdition) -> str:
    return words("its-own", edition=under.edition) if under.is_own else under.edition


def _edition_rows(under: UnderEdition, reporter: Reporter, width: int) -> Iterator[str]:
    """Write a row: `  ru (its own)  legal; 35 : 34, seat(1) wins`, or where the log breaks, with the clauses."""
    report, first = under.report, under.first_break
    name = f"  {padded(_name(under), width)}  "
    if first is None:
        result = f"; {result_words(report)}" if report.result else ""
        result = f"; {early_end_words(report)}" if report.early_end else result
        yield f"{name}{style(words(f'report-{report.verdict}'), fg=COLOURS[report.verdict], bold=True)}{result}"
        return
    breaks = words("edition-breaks", where=_where(first, report))
    # The findings of its own edition were shown above in full.
    if under.is_own:
        yield f"{name}{words('edition-see-above', words=breaks)}"
        return
    code = style(first.finding.code.code, fg="red", bold=True)
    yield f"{name}{breaks}: {code} {translated(first.finding.message)}"
    notes = (labelled("note", translated(note.message), "blue") for note in first.finding.notes)
    yield from (f"{'':{width + 2}}{row}" for row in (*reporter.why(first.finding), *notes))


def _where(first: FirstError, report: Report) -> str:
    line = first.finding.span.line
    if first.event == 0:
        return words("where-before", line=line)
    where = "where-at" if first.is_event else "where-after"
    return words(where, event=first.event, events=report.events, line=line)
