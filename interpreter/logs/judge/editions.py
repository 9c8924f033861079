"""Validation of one log under every edition of its game: the verdict of each, and the first error under it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ludex.grammar import Diagnostic

from ..record import Log, Record
from ..tracking.report import Play, Report
from .report_json import finding_to_json, result_to_json
from .validate import Validator


@dataclass(frozen=True, slots=True)
class FirstError:
    """The first error in a log.

    Attributes:
        event: the number of the event, from 1; of a claim that of the event before it; 0: the header.
        is_event: the line is an event's, not a claim's.
    """

    finding: Diagnostic
    event: int
    is_event: bool


@dataclass(frozen=True, slots=True)
class UnderEdition:
    """A log as one edition judges it. is_own: the log names this edition."""

    edition: str
    is_own: bool
    play: Play
    first_break: FirstError | None

    @property
    def report(self) -> Report:
        return self.play.report


def under_editions(validator: Validator, log: Log, own: Play) -> tuple[UnderEdition, ...]:
    """Validate the log under each edition of its game, in their order; () if no game could be loaded.

    own: the log as judged by its own edition. A fingerprint in the header is about that edition and not checked for
    others.
    """
    named = own.report.edition or (own.report.header.edition if own.report.header else None)
    verdicts = []
    # If the log's own edition cannot be loaded, another may be.
    for edition in own.engine.game.editions if own.engine else validator.editions(log):
        play = own if edition == named else validator.play(log, edition=edition, ends=False)
        verdicts.append(UnderEdition(edition, edition == named, play, first_break(play.log or log, play.report)))
    return tuple(verdicts)


def first_break(log: Log, report: Report) -> FirstError | None:
    """Find the first error of a report, with the event at which it is."""
    first = next((finding for finding in report.findings if finding.is_error), None)
    if first is None:
        return None
    upto = list(takewhile(lambda record: record.place().line <= first.span.line, log.events))
    is_event = bool(upto) and upto[-1].place().line == first.span.line and _is_event(upto[-1])
    return FirstError(first, sum(map(_is_event, upto)), is_event)


def _is_event(record: Record) -> bool:
    """Test whether a line records an event; a faulty line counts as one."""
    return record.data is None or not (
        {"claim", "note"} & set(record.data) and not {"player", "chance"} & set(record.data)
    )


def editions_to_json(editions: tuple[UnderEdition, ...], language: str | None = None) -> list[dict[str, Any]]:
    """Write the verdicts of all editions as JSON."""
    return [_edition_to_json(each, language) for each in editions]


def _edition_to_json(under: UnderEdition, language: str | None) -> dict[str, Any]:
    report, first = under.report, under.first_break
    return {
        "edition": under.edition,
        "own": under.is_own,
        "verdict": report.verdict.value,
        "replayed": report.replayed,
        "result": result_to_json(report.result) if report.result else None,
        "breaks_at": {
            "event": first.event,
            "line": first.finding.span.line,
            "finding": finding_to_json(first.finding, language),
        }
        if first
        else None,
    }
