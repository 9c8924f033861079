"""Replay of one log: every line is read, every event is played, and every claim is compared with the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Json, Message, Note

from ...information.visibility import is_partial
from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Move, Refusal, RefusalKind, SpecFault, TooManyStates
from .. import log_codes as codes
from ..record.records import Log, Record
from ..structure.claims import Claim
from ..structure.early_end import EarlyEnd, loser_among_winners
from ..structure.event_lines import Entry, event_count, line_like, line_of, line_reader
from ..structure.header import Header
from ..structure.problems import Problem, once_each
from ..structure.several_events import Deal, Gap
from .claim_check import Subject, Wrong, WrongClaim, subjects, wrong_claim, wrong_parts
from .dealing import Dealing
from .event_findings import (
    OUT_OF_ORDER,
    after_the_result,
    ambiguous,
    awaited_words,
    missing_hint,
    missing_lines,
    other_state,
    refused,
    rules_at_fault,
    too_long_a_gap,
    too_much_unknown,
    undealt_cards,
    unfinished,
)
from .event_replay import Filled, fill_declines
from .report import LeftOut, Play, Report, reported, verdict_of
from .result import Result

if TYPE_CHECKING:
    from .partial_replay import PartialReplay


class LogReplay:
    """The replay of one log. Every method appends its findings.

    explains: whether to say why an event is refused, and which would be legal instead.
    begins: returns the state in which the log begins, or what is wrong with its position.
    fills: whether to look for missing lines where an event is refused, and to go on as if they were there.
    goes_on: whether to judge the lines behind the first event that is refused.
    resyncs: whether to go on from the next recorded position behind such an event.
    """

    def __init__(
        self,
        log: Log,
        header: Header,
        engine: Engine,
        findings: list[Diagnostic],
        begins: Callable[[], State | tuple[Diagnostic, ...]],
        explains: bool = True,
        fills: bool = False,
        goes_on: bool = False,
        resyncs: bool = False,
    ) -> None:
        self.log, self.header, self.engine, self.findings, self.begins = log, header, engine, findings, begins
        if log.is_unread:
            from ..text_logs.text_reader import in_game

            self.log, faults = in_game(log, engine.game, header.names)
            self.findings = [*findings, *faults]
        self.start: State | None = None
        self.explains, self.fills, self.goes_on, self.resyncs = explains, fills, goes_on, resyncs
        self.reader = line_reader(engine.game, header.names)
        self.table = self.reader.table
        self.state: State | None = None
        self.events: list[Event] = []
        self.left_out: list[LeftOut] = []
        self.claims: list[WrongClaim] = []
        self.parted: dict[Subject, WrongClaim] = {}
        self.replayed = 0
        self.stopped: Record | None = None
        self.refusal: Refusal | None = None
        self.partial: PartialReplay | None = None
        self.was_partial = False
        self.early_end: EarlyEnd | None = None
        self.dealing = Dealing()
        self.missing: list[LeftOut] = []
        self.consequences: list[Record] = []
        self.is_given_up = False
        self.until: int | None = None

    def play(self, until: int | None) -> Play:
        entries = [self._entry(record) for record in self.log.events]
        self.until = until
        self._follow(entries)
        result = None if self.state is None else self._result(self.state)
        is_open = self.state is not None and self.stopped is None and until is None
        if self.state is not None and is_open and result is None and self.early_end is None:
            self._unfinished(self.state, entries)
        self.findings.extend(claim.finding_with_note() for claim in self.claims)
        state = None if self.partial is not None else self.state
        report = self._summary(sum(map(event_count, entries)), result)
        return Play(report, self.engine, state, tuple(self.events), self.refusal, self.start, self.log, self.partial)

    def _entry(self, record: Record) -> Entry | None:
        """Read the line; None if it is faulty."""
        if record.data is None:
            return None
        content = self.reader.read_unchanging(record.data)
        if isinstance(content, Entry):
            return content
        self.findings.extend(problem.at(record) for problem in once_each(content))
        return None

    # ---- play

    def _follow(self, entries: list[Entry | None]) -> None:
        assert self.log.header is not None
        self.engine.meter.begin_game()
        try:
            start = self.begins()
        except SpecFault as fault:
            self._fault(fault, self.log.header)
            return
        if isinstance(start, tuple):
            self.findings.extend(start)
            self.stopped = self.log.header
            return
        self.start, self.state = start, start.clone()
        at, is_lost = 0, False
        while at < len(entries):
            if self.replayed == self.until:
                return
            record, judged = self.log.events[at], 1
            if is_lost:
                is_lost = not self._resumes(self.state, entries[at], record)
            else:
                judged, goes_on = self._lines(self.state, entries, at)
                if not goes_on:
                    self.stopped = self.stopped or record
                    self._go_on(self.state, at, entries)
                    if not (self.resyncs or self.is_given_up):
                        return
                    is_lost = True
            at += judged
        self._all_dealt()

    def _lines(self, state: State, entries: list[Entry | None], at: int) -> tuple[int, bool]:
        """Judge the next line, or all lines up to the next with more than an event, or with one that is not legal.

        Returns how many lines were judged, and whether the replay can go on.
        """
        events = self._plain_events(entries, at)
        played = self.engine.play_each(state, events) if events else 0
        if not played:
            entry = entries[at]
            return 1, entry is not None and self._line(state, entry, self.log.events[at])
        self.events += events[:played]
        self.replayed += played
        try:
            self.engine.check_game(state)
        except SpecFault as fault:
            self._fault(fault, self.log.events[at + played - 1])
            return played, False
        return played, True

    def _plain_events(self, entries: list[Entry | None], at: int) -> list[Event]:
        """List the events that can be played one after another from a line on, without a look at anything else."""
        if self.partial is not None or self.early_end is not None or self.dealing.hands:
            return []
        end = len(entries) if self.until is None else min(len(entries), at + self.until - self.replayed)
        events: list[Event] = []
        for number in range(at, end):
            entry = entries[number]
            if entry is None or entry.event is None or not entry.is_plain:
                break
            events.append(entry.event)
        return events

    def _resumes(self, state: State, entry: Entry | None, record: Record) -> bool:
        """Go on from the position that the line records, if it records one."""
        if entry is None or entry.position is None:
            return False
        recorded = self._recorded(entry.position, record)
        if isinstance(recorded, tuple):
            self.findings.extend(recorded)
            return False
        state.become(recorded)
        self.partial, self.refusal, self.is_given_up, self.dealing = None, None, False, Dealing()
        self.parted.clear()
        return True

    def _line(self, state: State, entry: Entry, record: Record) -> bool:
        """Judge one line; return whether the replay can go on."""
        if self.early_end is not None and entry != Entry(None):
            self.findings.append(after_the_result(record))
            return False
        if entry != Entry(None) and not isinstance(entry.several, Deal) and not self._all_dealt():
            return False
        try:
            if entry.event is not None and not self._event(state, entry.event, record):
                return False
            if isinstance(entry.several, Deal) and not self._deal(state, entry.several, record):
                return False
            if isinstance(entry.several, Gap) and not self._gap(state, entry.several, record):
                return False
            if entry.position is not None and not self._position(state, entry.position, record):
                return False
            if entry.claim is not None:
                self._claim(state, entry.claim, record)
            if entry.end is not None:
                return self._early_end(state, entry.end, record)
        except SpecFault as fault:
            self._fault(fault, record)
            return False
        except TooManyStates:
            self.is_given_up = True
            self.findings.append(too_much_unknown(record, bool(self.missing)))
            return False
        return True

    def _early_end(self, state: State, end: EarlyEnd, record: Record) -> bool:
        """Take over a result that the rules do not give; they must not have given one before."""
        problem = loser_among_winners(end)
        if self.partial is None and self.engine.is_terminal(state):
            problem = Problem(codes.WRONG_RESULT, "/result", Message("verdict-over-before-result"))
        if problem is not None:
            self.findings.append(problem.at(record))
            return False
        self.early_end = end
        return True

    def _fault(self, fault: SpecFault, record: Record) -> None:
        self.findings.append(rules_at_fault(self.engine, fault, record))
        self.stopped = record

    def _event(self, state: State, event: Event, record: Record) -> bool:
        if self.partial is None and is_partial(event):
            self.partial = self._partial(state)
        if self.partial is not None:
            return self._partial_event(self.partial, state, event, record)
        if not self._taken(state, event):
            ways = fill_declines(self.engine, state, lambda later: self.engine.is_legal(later, event))
            if len(ways) != 1:
                goes_on = self._missing(state, event, record) if self.fills else None
                if goes_on is not None:
                    return goes_on
                self.findings.append(self._stopped(state, event, record, bool(ways)))
                return False
            self._fill(state, ways[0], record)
            self._taken(state, event)
        self.events.append(event)
        self.replayed += 1
        self.engine.check_game(state)
        return True

    # ---- lines that mean several events, or none that were recorded

    def _deal(self, state: State, deal: Deal, record: Record) -> bool:
        """Deal the cards as far as they come next; those of other players may have to be listed first."""
        self.dealing.add(deal, record)
        while self.replayed != self.until:
            if self.partial is not None:
                path, seat = self.partial.belief.awaits_chance, self.partial.belief.receiver
            else:
                awaited = self.engine.statement(state)
                path, seat = awaited.path if awaited else None, self.engine.chance_for(state)
            card = self.dealing.next_card(path, seat)
            if card is None:
                return True
            event, listed, pointer = card
            if not self._event(state, event, listed):
                finding = self.findings.pop()
                self.findings.append(replace(finding, span=listed.place(pointer), pointer=pointer))
                return False
        return True

    def _all_dealt(self) -> bool:
        """Report the cards of deals that could not be dealt; return whether there are none."""
        undealt = [] if self.stopped else [undealt_cards(*each, self._awaited()) for each in self.dealing.left()]
        if undealt:
            self.findings.extend(undealt)
            self.stopped = self.dealing.hands[0].record
        return not undealt

    def _awaited(self) -> str | None:
        """Say what is awaited, if it is known."""
        if self.partial is not None or self.state is None:
            return None
        words = awaited_words(self.engine, self.state, self.table)
        receiver = self.engine.chance_for(self.state)
        return words if receiver is None else Message("awaited-for", awaited=words, player=self.table.player(receiver))

    def _gap(self, state: State, gap: Gap, record: Record) -> bool:
        """Follow every event that may have taken place where the log has a gap."""
        self.partial = partial = self.partial or self._partial(state)
        if gap.count is None:
            partial.belief = partial.belief.after_gap(gap.only_chance)
            return True
        for _ in range(gap.count):
            after = partial.belief.after_any()
            if after is None:
                self.findings.append(too_long_a_gap(record))
                return False
            partial.belief = after
        return True

    def _position(self, state: State, data: Json, record: Record) -> bool:
        """Compare a recorded position with the play; where not everything is known, it is known from here on."""
        recorded = self._recorded(data, record)
        if isinstance(recorded, tuple):
            self.findings.extend(recorded)
            return False
        if self.partial is not None:
            state.become(recorded)
            self.partial = None
        elif recorded.key() != state.key():
            self.findings.append(other_state(self.engine, state, recorded, record))
            if self.resyncs:
                state.become(recorded)
        return True

    def _recorded(self, data: Json, record: Record) -> State | tuple[Diagnostic, ...]:
        from .beginning import recorded_state  # it loads the reference, which most logs do not need

        return recorded_state(self.engine, data, self.header.names, record, "/position")

    def _missing(self, state: State, event: Event, record: Record) -> bool | None:
        """Look for the events that are missing before this one, report them, and take it over after them.

        Returns whether the replay can go on; None if nothing was found that could be missing.
        """
        from .missing_lines import missing_before

        self.partial = partial = self.partial or self._partial(state)
        missing = missing_before(partial.belief, event)
        if missing is None:
            return None
        left_out = [self._left_out(each, record) for each in missing.events]
        self.missing += left_out
        self.findings.append(missing_lines(record, [each.line for each in left_out]))
        if missing.after is None:
            raise TooManyStates
        partial.belief = missing.after
        return self._partial_event(partial, state, event, record)

    def _partial(self, state: State) -> PartialReplay:
        """Return a partial replay from the state on. All partial replays of a log share one budget."""
        from .partial_replay import PartialReplay  # it loads the reference, which most logs do not need

        if not self.was_partial:
            self.engine.reference.meter.begin_game()
        self.was_partial = True
        return PartialReplay(self.engine, state, self.table)

    def _partial_event(self, partial: PartialReplay, state: State, event: Event, record: Record) -> bool:
        """Apply an event to the belief state."""
        declines = partial.take(event)
        if isinstance(declines, Refusal):
            goes_on = self._missing(state, event, record) if self.fills else None
            if goes_on is not None:
                return goes_on
            self.findings.append(self._with_missing(partial.refused(declines, record), partial, declines, record))
            return False
        self._note_left_out(declines, record)
        self.events.append(event)
        self.replayed += 1
        known = partial.state
        if known is not None:
            state.become(known)
            self.partial = None
        return True

    def _with_missing(
        self, finding: Diagnostic, partial: PartialReplay, refusal: Refusal, record: Record
    ) -> Diagnostic:
        """Add a hint about lines that may be missing before the refused one."""
        if not self.goes_on or refusal.kind not in OUT_OF_ORDER:
            return finding
        from .missing_lines import missing_before

        missing = missing_before(partial.belief, refusal.event)
        if missing is None:
            return finding
        return replace(finding, hint=missing_hint([self._left_out(each, record).line for each in missing.events]))

    def _taken(self, state: State, event: Event) -> bool:
        """Play the event if it is legal; return whether it was."""
        after = state.clone()
        if self.engine.play(after, event):
            state.become(after)
            return True
        return False

    def _stopped(self, state: State, event: Event, record: Record, may_fit: bool) -> Diagnostic:
        """Make the finding for an illegal event. may_fit: it would be legal after declines, but after which is
        ambiguous."""
        if not self.explains:
            return Diagnostic(codes.ILLEGAL_MOVE, "", record.place())
        self.refusal = self.engine.refusal(state, event)
        if may_fit or self.refusal is None:
            return ambiguous(self.engine, state, record, self.table)
        return refused(self.engine, state, self.refusal, record, self.table)

    def _claim(self, state: State, claim: Claim, record: Record) -> None:
        """Check a claim; a false one does not stop the replay.

        A claim that is true after declines that were left out counts as true; if there are several ways to decline, the
        next event decides, and the claim is not compared.
        """
        if self.partial is not None:
            self._compare(tuple(self.partial.claim(claim)), claim, record)
            return
        wrong = tuple(wrong_parts(self.engine, state, claim, self.table))
        ways = fill_declines(self.engine, state, lambda later: self._is_right(later, claim)) if wrong else ()
        if len(ways) == 1:
            self._fill(state, ways[0], record)
        if len(ways) < 2:
            self._compare(() if ways else wrong, claim, record)

    def _is_right(self, state: State, claim: Claim) -> bool:
        return next(wrong_parts(self.engine, state, claim, self.table), None) is None

    def _compare(self, wrong: Sequence[Wrong], claim: Claim, record: Record) -> None:
        """Report the false parts of a claim, except for subjects reported before and not claimed rightly since.

        Once the log and the play differ in a cell or in points, later claims about the same repeat the first
        difference.
        """
        parts = {part.subject: part for part in wrong}
        for subject in subjects(claim):
            if subject not in parts:
                self.parted.pop(subject, None)
        new = [part for subject, part in parts.items() if subject not in self.parted]
        for subject in parts.keys() & self.parted.keys():
            self.parted[subject].again(record)
        if new:
            claimed = WrongClaim(wrong_claim(self.engine, new, record))
            self.claims.append(claimed)
            self.parted.update((part.subject, claimed) for part in new)

    def _fill(self, state: State, way: Filled, record: Record) -> None:
        self._note_left_out(way.declines, record)
        state.become(way.state)

    def _note_left_out(self, declines: Sequence[Move], record: Record) -> None:
        self.left_out.extend(self._left_out(decline, record) for decline in declines)
        self.events.extend(declines)

    def _left_out(self, event: Event, record: Record) -> LeftOut:
        """Describe an event that is left out before the record."""
        game, names = self.engine.game, self.header.names
        return LeftOut(record.place(), line_like(record, game, event, names), line_of(game, event, names))

    def _go_on(self, state: State, at: int, entries: list[Entry | None]) -> None:
        """Judge the lines behind the refused one: add what is wrong in any case, and note what may follow from it."""
        if not self.goes_on or self.refusal is None:
            return
        from .after_fault import MOST_WORK, AfterFault

        record, meter = self.log.events[at], self.engine.reference.meter
        meter.begin_game()
        may_miss = self.refusal.kind in OUT_OF_ORDER
        with meter.limited(MOST_WORK):
            after = AfterFault(self.engine, self.table, state, self.refusal.event, record, may_miss)
            after.follow(list(zip(self.log.events, entries, strict=True))[at + 1 :])
        if after.is_swapped:
            note = Note(Message("verdict-swapped", line=after.swapped_with))
            self.findings[-1] = replace(self.findings[-1], hint=None, notes=(note, *self.findings[-1].notes))
        elif after.missing and self._may_be_hinted(self.findings[-1], self.refusal):
            hint = missing_hint([self._left_out(event, record).line for event in after.missing])
            self.findings[-1] = replace(self.findings[-1], hint=hint)
        self.findings.extend(after.findings)
        self.consequences += after.consequences

    def _may_be_hinted(self, finding: Diagnostic, refusal: Refusal) -> bool:
        """Return whether missing lines explain more than the finding says: not where it names one that is missing."""
        if refusal.kind is RefusalKind.WRONG_CHANCE:
            return False
        return finding.hint is None or refusal.kind is RefusalKind.MOVE_AWAITED

    # ---- the end

    @property
    def last(self) -> Record:
        assert self.log.header is not None
        return self.log.events[-1] if self.log.events else self.log.header

    def _result(self, state: State) -> Result | None:
        """Return the result of the play; None if it did not end, or it is not known."""
        if self.partial is not None:
            return self.partial.result
        if not self.engine.is_terminal(state):
            return None
        try:
            return Result(self.engine.scores(state), self.engine.winners(state))
        except SpecFault as fault:
            self._fault(fault, self.last)
            return None

    def _unfinished(self, state: State, entries: list[Entry | None]) -> None:
        """Warn of a play that did not end, unless the log's last line has a claim about its end."""
        if self.partial is not None and self.partial.has_ended is not False:
            return
        if self.header.start is not None and not self.log.events:
            return  # it is a position, not a log
        claim = entries[-1].claim if entries and entries[-1] is not None else None
        if claim is None or (claim.terminal is None and claim.winners is None):
            self.findings.append(unfinished(self.engine, None if self.partial else state, self.last, self.table))

    def _summary(self, count: int, result: Result | None) -> Report:
        game = self.engine.game
        return Report(
            file=self.log.file,
            verdict=verdict_of(self.findings),
            findings=reported(self.findings),
            header=self.header,
            game=game.name,
            edition=game.edition,
            silence=game.silence,
            events=count,
            replayed=self.replayed,
            stopped_at=self.stopped.place() if self.stopped else None,
            left_out=tuple(self.left_out),
            missing=tuple(self.missing),
            consequences=tuple(record.place() for record in self.consequences),
            result=result,
            early_end=self.early_end if self.stopped is None else None,
        )
