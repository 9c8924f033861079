"""Reports on logs: the verdict, the findings, and how far the log could be replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Json, Message, Note, Span, value_class

from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Outcome, Refusal, Scores
from ..log_codes import MISSING_LINES, TOO_MUCH_UNKNOWN, UNREADABLE_CODES
from ..record import Log
from ..structure import MOST_FINDINGS, EarlyEnd, Header

if TYPE_CHECKING:
    from ...unknowns import Belief
    from .tracker import Tracker

_PLAYED = "LB"
"""Initial letters of the codes that a readable log may get."""

_UNREADABLE = frozenset(code.code for code in UNREADABLE_CODES)


class Verdict(StrEnum):
    """The verdict on a log; a command's exit codes are 0, 1, 1, 2 and 4.

    `unjudged`: nothing is wrong up to a line from which on too much is unknown; `fault`: Ludex itself failed.
    """

    LEGAL = "legal"
    UNJUDGED = "unjudged"
    FINDINGS = "findings"
    UNREADABLE = "unreadable"
    FAULT = "fault"


@value_class
class Result:
    """The result of a play that reached its end."""

    scores: tuple[Scores, ...]
    outcome: Outcome


@value_class
class LeftOut:
    """An event that the log leaves out before the line at `span`.

    Attributes:
        line: as the log would write it.
        data: as a record of a log.
    """

    span: Span
    line: str
    data: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a log.

    Attributes:
        findings: errors and warnings, in reading order; at most `MOST_FINDINGS`, and then the last one says how many
            more there are. The verdict considers all.
        header: the header; None if it could not be read.
        game, edition, silence: what the log was judged by; None if no game could be loaded.
        events: number of events in the log, including those that could not be read.
        replayed: number of events that were played.
        left_out: declines that were filled in.
        in_one_completion: whether `left_out` are those of one completion that a search found; others may need others.
        missing: events that are missing, if they were looked for; what is not known of them is `unknown`.
        consequences: lines after the one at which the replay stopped that may be wrong only because of it, if those
            were judged.
        stopped_at: the first line at which the replay stopped; None if it did not.
        resumed: whether it continued after such a line.
        result: how the game ended by its rules; None if its end was not reached.
        decided_by: the clause that decided who wins, or its term; None if none did.
        early_end: how the players ended it before; None if they did not.
    """

    file: str
    verdict: Verdict
    findings: tuple[Diagnostic, ...]
    header: Header | None = None
    game: str | None = None
    edition: str | None = None
    silence: str | None = None
    events: int = 0
    replayed: int = 0
    stopped_at: Span | None = None
    resumed: bool = False
    left_out: tuple[LeftOut, ...] = ()
    in_one_completion: bool = False
    missing: tuple[LeftOut, ...] = ()
    consequences: tuple[Span, ...] = ()
    result: Result | None = None
    decided_by: str | None = None
    early_end: EarlyEnd | None = None

    @property
    def unfilled(self) -> tuple[Diagnostic, ...]:
        """The findings that stay if the missing lines are written into the log; what is missing after one of them may
        not be known.
        """
        stay = (finding for finding in self.findings if finding.is_error or finding.code is TOO_MUCH_UNKNOWN)
        return tuple(finding for finding in stay if finding.code is not MISSING_LINES)

    @property
    def template(self) -> tuple[LeftOut, ...]:
        """The missing lines, and a note before each line from which on they are not known, or nothing is judged."""
        unknown = (each for each in self.unfilled if each.code is TOO_MUCH_UNKNOWN)
        notes = ((each.span, str(each.message)) for each in unknown)
        return (*self.missing, *(LeftOut(span, note, {"note": note}) for span, note in notes))


@dataclass(frozen=True, slots=True)
class Play:
    """The replay of a log.

    Attributes:
        engine, state: at the end of the replay; None if it could not begin. The state is also None if it is not known.
        events: what was played, including declines that were filled in.
        refusal: of the event at which the replay stopped, in that state or in all that may be; None if it did not stop
            at one.
        start: the state in which the log begins; None if there is none.
        log: the log with all lines read; None if its game could not be loaded.
        belief: the states that the play may be in at the end of the replay, if the state is not known there.
        before: what was known before the last event, if the log was replayed for so many events.
        reached: the number of the last event of the log that was played, where those after faults count, too; None if
            the replay ends at one of these.
        before_line: what was known before the line up to which the log was replayed says something of the state, after
            its events; None if the replay did not reach it.
        sampled_from: the line from which on all possible plays were too many, if `belief` holds only some that a search
            found; the others may differ from them.
    """

    report: Report
    engine: Engine | None = None
    state: State | None = None
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    start: State | None = None
    log: Log | None = None
    belief: Belief | None = None
    before: Tracker | None = None
    sampled_from: Span | None = None
    reached: int | None = None
    before_line: Tracker | None = None


def verdict_of(findings: list[Diagnostic]) -> Verdict:
    """Return the verdict by the findings: unreadable if anything could not be read; warnings leave a log legal, unless
    one says that not all of it was judged."""
    errors = [finding for finding in findings if finding.is_error]
    if any(finding.code.code in _UNREADABLE or finding.code.code[0] not in _PLAYED for finding in errors):
        return Verdict.UNREADABLE
    if errors:
        return Verdict.FINDINGS
    return Verdict.UNJUDGED if any(each.code is TOO_MUCH_UNKNOWN for each in findings) else Verdict.LEGAL


def reported(findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort the findings into reading order and cut them; the last one says how many more there are.

    Missing lines are listed in full, since all of them have to be written.
    """
    ordered = sorted(findings, key=lambda finding: (finding.span.line, finding.span.column, finding.code.code))
    counted = [finding for finding in ordered if finding.code is not MISSING_LINES]
    left = len(counted) - MOST_FINDINGS
    if left <= 0:
        return tuple(ordered)
    note = Note(Message("verdict-more-findings", count=left, line=counted[-1].span.line))
    last = counted[MOST_FINDINGS - 1]
    # Findings are found by identity, since two may be equal.
    dropped = {id(finding) for finding in counted[MOST_FINDINGS:]}
    kept = (finding for finding in ordered if id(finding) not in dropped)
    return tuple(replace(finding, notes=(note,)) if finding is last else finding for finding in kept)
