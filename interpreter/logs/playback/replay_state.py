"""The state of a replay: what is known at its current line, and what was found up to there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from ludex.grammar import Diagnostic, Note, value_class
from ludex.spec import types as t

from ...play.engine import Engine
from ...program import State
from ...state.events import ChanceEvent, Event, Move, Refusal
from ..record import Record
from ..structure import EarlyEnd, Lines
from ..tracking.claim_check import ClaimFindings
from ..tracking.dealing import Dealing, Hand
from ..tracking.event_findings import missing_lines
from ..tracking.report import LeftOut
from ..tracking.tracker import ReplayContext, StateTracker, Tracker

if TYPE_CHECKING:
    from ...unknowns import Belief
    from ..tracking.belief_tracker import BeliefTracker
    from ..tracking.missing_lines import MissingEvent


@dataclass(slots=True)
class Journal:
    """What a replay has found so far. The members are those of `Report` and `Play`.

    missing: each with the index of the line before which it is.
    """

    findings: list[Diagnostic]
    claims: ClaimFindings
    events: list[Event] = field(default_factory=list)
    replayed: int = 0
    resumed: bool = False
    left_out: list[LeftOut] = field(default_factory=list)
    missing: list[tuple[int, LeftOut]] = field(default_factory=list)
    consequences: list[Record] = field(default_factory=list)

    def list_missing(self, context: ReplayContext, missing: Iterable[MissingEvent], lines: Lines) -> None:
        """List the events that are missing, each with the index of the line before which it is, and report them."""
        self.missing += [(at, context.left_out(event, lines[at][0])) for at, event in missing]
        self.missing.sort(key=lambda each: each[0])
        for at, group in groupby(self.missing, key=lambda each: each[0]):
            left_out = [each for _, each in group]
            self.findings.append(
                missing_lines(lines[at][0], [each.line for each in left_out], _is_among(lines, at, left_out))
            )


def _is_among(lines: Lines, at: int, missing: Iterable[LeftOut]) -> bool:
    """Return whether some of the events may as well be missing elsewhere among lines of the same chance statement."""
    entries = [lines.entry(each) for each in (at - 1, at) if each >= 0]
    events = [entry.event for entry in entries if entry is not None]
    paths = {event.path for event in events if isinstance(event, ChanceEvent)}
    return any(each.data.get("chance") in paths for each in missing)


@value_class
class ChanceRunSoFar:
    """The last chance events, each with the index of its line; what is known before others, and these others.

    known: as in `ChanceRun`, if events are missing among them; empty if none is.
    """

    tracker: Tracker
    others: tuple[Event, ...]
    events: tuple[MissingEvent, ...]
    known: tuple[Belief | None, ...] = ()


class Stop(Exception):
    """The replay cannot continue at a line.

    Attributes:
        findings: why, if that is not reported yet.
        refusal: of the event, if the state before it is known.
        record: the line that the report names, if not the one at which the replay is.
        is_given_up: whether too much is unknown there.
        hand: of which the next card cannot be dealt.
    """

    def __init__(
        self,
        *findings: Diagnostic,
        refusal: Refusal | None = None,
        record: Record | None = None,
        is_given_up: bool = False,
        hand: Hand | None = None,
    ) -> None:
        self.findings, self.refusal, self.record, self.is_given_up = findings, refusal, record, is_given_up
        self.hand = hand


class Replay:
    """The replay of one log: its current line, what is known there, and why it stopped.

    Attributes:
        stopped: the line at which it stopped first; refusal: of the event at which it stopped last; stopped_by: the
            number of its last finding then; is_given_up: whether it stopped where too much was unknown; is_lost:
            whether it stopped and did not continue.
        begun: what is known at the beginning; before: before the last event, if the replay is `until` that.
        last: the last events, and what was known before them; turned: pieces that the log says the last one turned up.
        run: the last events of chance.
        early_end: how the players ended the game before its end.
        lines, at: the lines of the log, and the index of the one that is judged.
        skipped: how many events of the log were not played after faults; is_skipped: whether the event at which the
            replay ends is one of them.
        missing_after: events that are missing after the line at which it ended.
        is_open_ended: whether a gap at the end was not followed, in which the game may have ended.
        until_line: the index of the last line that is judged; None: all are; before_line: what is known there after
            its events, before what it says of the state.
    """

    def __init__(
        self,
        context: ReplayContext,
        tracker: Tracker,
        journal: Journal,
        until: int | None,
        until_line: int | None = None,
    ) -> None:
        self.context, self.tracker, self.journal, self.until = context, tracker, journal, until
        self.until_line = until_line
        self.before_line: Tracker | None = None
        self.begun = tracker
        self.dealing = Dealing()
        self.stopped: Record | None = None
        self.refusal: Refusal | None = None
        self.is_given_up = self.is_lost = False
        self._known_before = len(journal.findings)
        self.stopped_by = -1
        self.before: Tracker | None = None
        self.last: tuple[Tracker, tuple[Event, ...]] | None = None
        self.turned: tuple[tuple[str, t.Value], ...] = ()
        self.run: ChanceRunSoFar | None = None
        self._missing_before: tuple[MissingEvent, ...] = ()
        self.missing_after: Sequence[MissingEvent] = ()
        self.early_end: EarlyEnd | None = None
        self.lines, self.at = Lines([], [], range(0)), 0
        self.is_open_ended = False
        self.skipped, self.is_skipped = 0, False

    @property
    def refused_lines(self) -> set[int]:
        """The lines that are not legal, or whose claim is not true."""
        findings = (*self.journal.findings[self._known_before :], *self.journal.claims.findings())
        return {finding.span.line for finding in findings if finding.is_error}

    @property
    def is_refused(self) -> bool:
        return bool(self.refused_lines)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The declines that were left out of the log, on the way to the first of the states that it may lead to."""
        return (*self.journal.left_out, *self.filled_in())

    def filled_in(self) -> Iterator[LeftOut]:
        for each in () if self.tracker.state is not None else self.tracker.belief.filled_in:
            record, _ = self.lines[each.line]
            yield from (self.context.left_out(decline, record) for decline in each.declines)

    @property
    def missing(self) -> tuple[MissingEvent, ...]:
        """The events that are missing, each with the index of its line: up to the line at which the replay is, and
        those that are known after it."""
        missing = self.context.missing
        known = ((at, event) for at in sorted(missing) if at <= self.at for event in missing[at])
        return (*self._missing_before, *self._missing_since(), *known, *self.missing_after)

    def _missing_since(self) -> tuple[MissingEvent, ...]:
        if not self.context.options.fills:
            return ()
        from ..tracking.missing_lines import filled_in

        return filled_in(self.tracker.belief)

    @property
    def number(self) -> int:
        """The number of the last event of the log that was played, or skipped after a fault."""
        return self.journal.replayed + self.skipped

    @property
    def reached(self) -> int | None:
        """The same; None if the replay ended at an event that was skipped."""
        return None if self.is_skipped else self.number

    def resume(self, state: State, note: Note) -> None:
        """Continue from a state; the note says why, at the finding at which the replay stopped."""
        self.journal.resumed = True
        self.begin_again(state)
        self.refusal, self.dealing = None, Dealing()
        self.journal.claims.forget()
        self.note_stop(note)

    def begin_again(self, state: State) -> None:
        """Continue from a state that does not depend on what was before; that is missing all the same."""
        self._missing_before += self._missing_since()
        self.tracker, self.last, self.run = StateTracker(self.context, state), None, None

    def note_stop(self, note: Note) -> None:
        """Add a note to the finding at which the replay stopped."""
        findings = self.journal.findings
        if self.stopped_by >= 0:
            findings[self.stopped_by] = replace(
                findings[self.stopped_by], notes=(*findings[self.stopped_by].notes, note)
            )

    def continue_with(self, tracker: Tracker, declines: Sequence[Move], record: Record) -> None:
        self.journal.left_out += [self.context.left_out(decline, record) for decline in declines]
        self.journal.events += declines
        self.tracker = tracker

    def tracker_of(self, belief: Belief) -> BeliefTracker:
        from ..tracking.belief_tracker import BeliefTracker  # it loads the reference, which most logs do not need

        return BeliefTracker(self.context, belief)


class Pursued(Protocol):
    """Follows a log, or its first lines, in a context."""

    def __call__(self, context: ReplayContext, lines: Lines = ...) -> Replay: ...


def begin_budget(engine: Engine) -> None:
    engine.meter.begin_game()
    if "reference" in vars(engine):  # to make it takes long, and a new one has not used any of its budget
        engine.reference.meter.begin_game()
