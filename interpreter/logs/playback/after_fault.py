"""Judgement of the lines after the first refused event of a log: which of them are wrong in any case, and which may
only be consequences.

Nobody knows what should have been at the refused line: nothing, another event, more events before it, or the next
line. All that may be is followed as far as that is cheap. A later line that is wrong in each of these plays is a fault
of its own. A line that is possible in one of them, and refused in the likeliest (the one in which most of the next
lines are legal), may be a consequence of the first fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ludex.grammar import Diagnostic, Message, Note

from ...information.visibility import is_partial
from ...program import State
from ...state.events import Event, Move, Refusal, SpecFault, TooManyStates
from ...unknowns import Belief
from ..record import Record
from ..structure import UNKNOWN_WORD, Claim, Lines
from ..tracking.belief_tracker import BeliefTracker
from ..tracking.claim_check import Wrong, wrong_claim, wrong_parts
from ..tracking.event_findings import OUT_OF_ORDER
from ..tracking.missing_lines import ChanceRun, missing_before
from ..tracking.tracker import StateTracker, fill_declines

_MOST_WORK = 60_000
"""The units of work after which possible plays are not followed any further: a tenth of a second or less.

With more, consequences of a second fault would be reported."""
MOST_AHEAD = 8
"""The number of next events that decide which play is the likeliest."""
_MOST_TRIED = 64
"""The largest number of events that are tried as the one that is missing before the refused one."""
MOST_FAULTS = 20
"""The largest number of faults that are reported after the first."""


@dataclass(frozen=True, slots=True)
class AfterFault:
    """The judge of the lines after the first refused event of a log.

    Attributes:
        findings: faults that are wrong whatever should have been at the refused line.
        consequences: records that may be wrong only because of it.
        missing: events, known in part, after which the refused one may be legal; () if none were found.
        swapped_with: the line of the next event or move, if the refused event is legal after it, or the refused move
            with the chance events that follow each; else None.
        pinned: the state after a claim of state that is true in one state only of all that may be, and how many lines
            were judged up to there; None if the replay does not continue at such claims, or there was none.
    """

    findings: tuple[Diagnostic, ...]
    consequences: tuple[Record, ...]
    missing: tuple[Event, ...]
    swapped_with: int | None
    pinned: tuple[State, int] | None


def after_fault(before: StateTracker, refusal: Refusal, lines: Lines, run: ChanceRun | None = None) -> AfterFault:
    """Judge the lines after a refused event, up to one that means several events or lets the replay continue.

    before: the state in which it was refused; lines: its line and those after it; run: the chance events before it.
    """
    meter = before.context.engine.reference.meter
    # The search has a budget of its own: what follows from a fault is worth a tenth of a second, and fails no log.
    meter.begin_game()
    with meter.limited(_MOST_WORK):
        return _Search(before, refusal, lines[0][0], run).follow(lines[1:])


def in_any_case(finding: Diagnostic, line: int) -> Diagnostic:
    """Say that a finding is wrong whatever a line before it should have been."""
    # What may be there is unknown to the judge only, and the log need not have the word.
    unsaid = Message("verdict-whatever", word=UNKNOWN_WORD)
    notes = (note for note in finding.notes if note.message != unsaid)
    return replace(finding, notes=(Note(Message("verdict-in-any-case", line=line)), *notes))


class _Search:
    """Follows a log after the event that was refused.

    Attributes:
        likely: the likeliest play.
        possible: every state that the play may be in; None if there are too many.
        only_swapped: whether only the other order of the swapped events, which are not all passed yet, is possible.
        missing, findings, consequences: those of `AfterFault`.
    """

    def __init__(self, before: StateTracker, refusal: Refusal, record: Record, run: ChanceRun | None) -> None:
        self.context, self.first, self.refused, self.run = before.context, record, refusal.event, run
        self.engine = before.context.engine
        self.findings: list[Diagnostic] = []
        self.consequences: list[Record] = []
        self.missing: tuple[Event, ...] = ()
        self.likely = before.state
        self.possible: Belief | None = before.belief
        self.may_miss = refusal.kind in OUT_OF_ORDER
        self.only_swapped = False

    def follow(self, lines: Lines) -> AfterFault:
        """Judge the lines after the refused one."""
        entries = [lines.entry(at) for at in range(len(lines))]
        events = [entry.event if entry else None for entry in entries]
        swapped, first, end = self._swapped(events)
        ways = [(swapped, end), *((state, 0) for state in self._mended())]
        reached = [
            self._reach(state, events[begun : begun + MOST_AHEAD]) + begun if state else -1 for state, begun in ways
        ]
        # Of ways that reach equally far the later is the likelier: `_mended` yields the least likely first.
        best = max(range(len(ways)), key=lambda way: (reached[way], way))
        swapped_with = lines[first][0].place().line if best == 0 else None
        pinned: tuple[State, int] | None = None
        self.likely = ways[best][0] or self.likely
        after_missing = self._after_missing()
        self._widen(self.refused)
        if self.possible is not None and after_missing is not None:
            self.possible = self.possible.either(after_missing)
        for at, (record, entry) in enumerate(lines):
            if len(self.findings) >= MOST_FAULTS or (
                entry is not None and (entry.several or entry.end or entry.position)
            ):
                break
            # In the other order they are legal, so they are not wrong in any case.
            among_swapped = at < end and swapped is not None
            if entry is None:
                self._widen(None)
            elif entry.event is not None:
                # The events that were swapped are played in `likely` already.
                is_likely = True if among_swapped and best == 0 else self._plays_on(entry.event)
                self._event(entry.event, record, is_likely, among_swapped)
            # Their order may be swapped even where that is not the likeliest.
            if at == end - 1 and swapped is not None:
                self._add(swapped)
            is_claimed = entry is not None and entry.claim is not None and not self.only_swapped
            if is_claimed and entry is not None and entry.claim is not None and self._claim(entry.claim, record):
                known = self.possible.known if self.context.options.resyncs and self.possible else None
                if known is not None:
                    pinned = known, at + 1
                    break
        return AfterFault(tuple(self.findings), tuple(self.consequences), self.missing, swapped_with, pinned)

    # ---- the likely play

    def _swapped(self, events: Sequence[Event | None]) -> tuple[State | None, int, int]:
        """Look for two events that are legal in the other order, or two moves with the chance events after each.

        Returns the state after both, None if there are none; where the second begins and where it ends.
        """
        starts = [at for at, event in enumerate(events[:MOST_AHEAD]) if isinstance(event, Move)]
        ways = [(0, 1)]
        if isinstance(self.refused, Move) and len(starts) > 1:
            ways.append((starts[0], starts[1]))
        for first, end in ways:
            own, other = (self.refused, *events[:first]), events[first:end]
            parts = [event for event in (*other, *own) if event is not None and not is_partial(event)]
            # Two equal events are the same in any order.
            if len(parts) == end + 1 and other[0] != self.refused and (after := self._after(self.likely, *parts)):
                return after, first, end
        return None, 0, 0

    def _mended(self) -> Iterator[State]:
        """Yield likely states after the refused line, the least likely first: the same one, the one after the nearest
        legal event, the one after a missing event and this one.
        """
        state, event = self.likely, self.refused
        yield state
        others: Iterable[tuple[Event, ...]]
        if isinstance(event, Move) and event.player in self.engine.to_move(state):
            others = ((near,) for near in self.engine.nearest_legal(state, event, 1))
        else:
            others = ((missing, event) for missing in self._possible(state))
        states = (self._after(state, *events) for events in others)
        yield from islice((after for after in states if after is not None), 1)

    def _reach(self, state: State, events: Sequence[Event | None]) -> int:
        """Count the next events that are legal one after another."""
        for count, event in enumerate(events[:MOST_AHEAD]):
            after = None if event is None or is_partial(event) else self._after(state, event)
            if after is None:
                return count
            state = after
        return len(events[:MOST_AHEAD])

    def _possible(self, state: State) -> Sequence[Event]:
        chances = [chance for chance, _ in self.engine.chance(state)]
        return (chances or self.engine.legal_moves(state))[:_MOST_TRIED]

    def _after(self, state: State, *events: Event) -> State | None:
        """Return the state after the events; None if one of them is illegal."""
        after = state.clone()
        try:
            return after if all(self.engine.play(after, event) for event in events) else None
        except SpecFault:
            return None

    def _plays_on(self, event: Event) -> bool:
        """Play the event in the likely play, if it is legal there; declines may be left out before it."""
        after = self._after(self.likely, event)
        if after is None:
            ways = fill_declines(self.engine, self.likely, lambda later: self.engine.is_legal(later, event))
            after = self._after(ways[0].state, event) if len(ways) == 1 else None
        self.likely = after or self.likely
        return after is not None

    # ---- all that may be

    def _widen(self, event: Event | None) -> None:
        """Add what may be if a line is not an event, if it is another one, and if one more is missing before it."""
        before = self.possible
        if before is None:
            return
        try:
            other = before.after_any()
            later = other.after(event) if other is not None and event is not None else None
            self.possible = before.either(*(each for each in (other, later) if isinstance(each, Belief)))
        except (TooManyStates, SpecFault):
            self.possible = None

    def _after_missing(self) -> Belief | None:
        """Look for events that are missing before the refused one; return what may be after it then, if any are."""
        if self.possible is None or not self.may_miss:
            return None
        try:
            missing = missing_before(self.possible, self.refused, self.run)
            if missing is None:
                return None
            self.missing = tuple(event for _, event in missing.events)
            after = missing.after and missing.after.after(self.refused)
        except (TooManyStates, SpecFault):
            after = None
        # What may be there is unknown, so nothing after it is wrong in any case.
        if after is None:
            self.possible = None
        return after if isinstance(after, Belief) else None

    def _add(self, swapped: State) -> None:
        """Add the state after the swapped events to those that may be."""
        reordered = StateTracker(self.context, swapped).belief
        if self.only_swapped:
            self.possible, self.only_swapped = reordered, False
        elif self.possible is not None:
            self.possible = self.possible.either(reordered)

    def _event(self, event: Event, record: Record, is_likely: bool, among_swapped: bool) -> None:
        """Judge an event. is_likely: it is legal in the likeliest play; among_swapped: it may belong before the refused
        one."""
        refusal = None
        if self.possible is not None and not self.only_swapped:
            try:
                after = BeliefTracker(self.context, self.possible).followed(event)
                if isinstance(after, Refusal):
                    refusal = after
                else:
                    self.possible = after[1]
            except (TooManyStates, SpecFault):
                self.possible = None
        if refusal is not None and among_swapped:
            self.only_swapped = True
        elif self.possible is not None and refusal is not None:
            finding = BeliefTracker(self.context, self.possible).refused(refusal, record)
            # The note on what the log leaves unknown is left out: here it is unknown what should have been before.
            self._report(replace(finding, notes=finding.notes[1:]))
            self._widen(event)
        elif not is_likely:
            self.consequences.append(record)

    def _claim(self, claim: Claim, record: Record) -> bool:
        """Judge a claim; return whether it is about states or zones, and may be true."""
        wrong: tuple[Wrong, ...] = ()
        if self.possible is not None:
            try:
                self.possible, wrong = BeliefTracker(self.context, self.possible).assuming(claim)
            except (TooManyStates, SpecFault):
                self.possible = None
        if wrong:
            self._report(wrong_claim(self.engine, wrong, record))
            return False
        # The event in the same line may have been noted.
        if record not in self.consequences and next(
            wrong_parts(self.engine, self.likely, claim, self.context.table), None
        ):
            self.consequences.append(record)
        return bool(claim.cells)

    def _report(self, finding: Diagnostic) -> None:
        self.findings.append(in_any_case(finding, self.first.place().line))
