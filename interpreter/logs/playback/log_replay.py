"""Replay of one log: every line is read, every event is played, and every claim is compared with the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, takewhile
from typing import TYPE_CHECKING, Literal, TypeAlias

from ludex.grammar import Diagnostic, Json, Message, Note
from ludex.spec import types as t

from ...event_notation.spoken import term
from ...generator import Generator
from ...information.event_visibility import HIDDEN
from ...information.visibility import is_partial
from ...play.engine import Engine
from ...program import State
from ...state.events import ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault, TooManyStates
from .. import log_codes as codes
from ..record import Log, Record
from ..structure import (
    Claim,
    Deal,
    EarlyEnd,
    Entry,
    Gap,
    Header,
    LineReader,
    Lines,
    Problem,
    event_count,
    leaves_open,
    line_reader,
    loser_among_winners,
    read_lines,
)
from .claim_check import ClaimFindings
from .dealing import Dealing, Hand
from .event_findings import (
    after_the_result,
    came_up_before,
    missing_hint,
    missing_lines,
    other_state,
    passed_over,
    rules_at_fault,
    too_few_cards,
    too_long_a_gap,
    too_much_unknown,
    undealt_cards,
    unfinished,
)
from .report import LeftOut, Play, Report, Result, reported, verdict_of
from .tracker import Illegal, ReplayContext, ReplayOptions, StateTracker, Taken, Tracker

if TYPE_CHECKING:
    from ...unknowns import Belief
    from .belief_tracker import BeliefTracker
    from .missing_lines import ChanceRun, Filled, Missing

Begins: TypeAlias = Callable[[], State | tuple[Diagnostic, ...]]
"""Returns the state in which a log begins, or what is wrong with its position. Raises SpecFault."""


def replay_log(
    log: Log,
    header: Header,
    engine: Engine,
    faults: Iterable[Diagnostic],
    begins: Begins,
    options: ReplayOptions,
    until: int | None = None,
) -> Play:
    """Replay a log to its end, or for `until` events. faults: what else is wrong with it, for the report."""
    findings = list(faults)
    assert log.header is not None
    reader = line_reader(engine.game, header.names)
    context = ReplayContext(engine, header, reader.table, options)
    start = _begin(context, begins, log.header, findings)
    if log.is_unread:
        log, unread = _read_in_game(log, context, reader, start)
        findings += unread
    assert log.header is not None
    lines = read_lines(reader, log.events, findings, to_first_fault=not options.explains)
    findings += log.faults  # not before: to find them, every line would be parsed that is not read yet
    if start is None:
        journal = Journal(findings, ClaimFindings(engine))
        return Play(_report(context, log, lines, journal, log.header), engine, log=log)

    def pursued(context: ReplayContext) -> _Replay:
        journal = Journal(list(findings), ClaimFindings(engine))
        replay = _Replay(context, StateTracker(context, start.clone()), journal, until)
        replay.follow(lines)
        return replay

    replay, found = _pursued_further(pursued(context), pursued, lines)
    # One play proves a log legal, where all of them were too many, and says where missing lines belong.
    judged = found[0] if found and (replay.is_given_up or found[0].missing) else replay
    journal = judged.journal
    result = None if judged is not replay else replay.result(log.events[-1] if log.events else log.header)
    if until is None and judged is replay and replay.stopped is None and result is None:
        replay.check_finished(log.events[-1] if log.events else log.header, lines)
    journal.among |= replay.journal.among
    journal.list_missing(context, judged.missing, lines)
    journal.findings[:] = _without_following([*journal.findings, *journal.claims.findings()])
    report = _report(context, log, lines, journal, judged.stopped, result, judged.early_end)
    if found and (left_out := found[0].left_out):
        report = replace(report, left_out=left_out, in_one_completion=True)
    events, before, reached = tuple(journal.events), replay.before, replay.reached
    play = Play(report, engine, None, events, replay.refusal, start, log, before=before, reached=reached)
    # A position after the line where the replay was given up says more than the plays that were found.
    if judged is not replay and replay.is_lost and replay.stopped is not None:
        return replace(play, belief=_together(engine, found), sampled_from=replay.stopped.place())
    state = replay.tracker.state
    return replace(play, state=state, belief=None if state is not None else replay.tracker.belief)


def _read_in_game(
    log: Log, context: ReplayContext, reader: LineReader, start: State | None
) -> tuple[Log, list[Diagnostic]]:
    """Read the lines of a text log whose meaning depends on who moves. Return the log, and the faults of its lines."""
    from ..text_logs.text_reader import in_game

    movers = _Movers(context, reader, start)
    read = in_game(log, context.engine.game, context.header.names, movers)
    # Those plays have used some of the budget that the log has for itself.
    if movers.played:
        _begin_budget(context.engine)
    return read


MOST_ATTEMPTS = 12
"""The number of samples, each larger than those before, in the search for one play that the whole log allows."""
FIRST_SIZE = 32
"""The size of the first sample."""
MOST_WORK_BEHIND_HAND = 500_000
"""The units of work for the log after a wrong card: half a second or less."""
MOST_OF_EACH = 15
"""The most states that are shown of the last ones of a play that was found."""


def _pursued_further(
    replay: _Replay, pursued: Callable[[ReplayContext], _Replay], lines: Lines
) -> tuple[_Replay, tuple[_Replay, ...]]:
    """Follow a log also through the plays in which declines were left out of it, if it is refused otherwise.

    Returns the replay through all plays, and those that a search found: several where all are too many, and one where
    declines or other lines were left out, which may differ from play to play."""
    if not replay.is_refused and not replay.is_given_up:
        if not replay.missing or not _is_misplaced(replay, pursued):
            return replay, ()
        found = tuple(islice(_found(replay, pursued, lines, ({},)), 1))
        _begin_budget(replay.context.engine)
        return replay, found
    if not replay.missing and not any(leaves_open(lines.entry(at)) for at in range(len(lines))):
        return replay, ()
    from ...unknowns import MOST_WORK, Pursuit  # it loads the reference, which most logs do not need

    wide = replay
    if replay.is_refused:
        _begin_budget(replay.context.engine)
        # There are more plays to follow, so they may take twice the work.
        replay.context.engine.reference.meter.begin_game(credit=MOST_WORK)
        wide = pursued(replace(replay.context, pursuit=Pursuit(declines=True)))
        # If both are refused at the same lines, declines explain nothing, and the first one says more.
        if wide.refused_lines == replay.refused_lines:
            return replay, ()
    most = wide.context.options.plays
    if not wide.is_given_up:
        most = 0 if wide.is_refused else min(1, most)
    found = tuple(islice(_found(wide, pursued, lines, (wide.missing_by_line, {})), most))
    _begin_budget(wide.context.engine)
    return wide, found


def _is_misplaced(replay: _Replay, pursued: Callable[[ReplayContext], _Replay]) -> bool:
    """Return whether the log is refused with the missing lines where they were found: each may belong elsewhere."""
    context = replay.context
    _begin_budget(context.engine)
    options = replace(context.options, explains=False, fills=False, goes_on=False)
    filled = pursued(replace(context, options=options, missing=replay.missing_by_line))
    _begin_budget(context.engine)
    return filled.is_refused


def _found(
    replay: _Replay,
    pursued: Callable[[ReplayContext], _Replay],
    lines: Lines,
    filled: Sequence[Mapping[int, Sequence[Event]]],
) -> Iterator[_Replay]:
    """Search for plays that the whole log allows. filled: what is missing, by the index of the line, in ways that are
    tried in turn."""
    from ...unknowns import Pursuit, Sample, likely_pieces

    context = replay.context
    game, declines = context.engine.game, context.pursuit is not None and context.pursuit.declines
    events = (entry.event for entry in map(lines.entry, range(len(lines))) if entry is not None)
    likely = likely_pieces(game, (event for event in events if event is not None))
    options = replace(context.options, explains=False, goes_on=False)
    _begin_budget(context.engine)
    number = 0
    for seed in range(MOST_ATTEMPTS):
        # Where much is unknown it is hopeless to guess it all, and where little is, to leave it open takes longer.
        guesses = number % 2 == 0
        size = FIRST_SIZE << (number // 2) * (3 if guesses else 1)
        pursuit = Pursuit(declines, Sample(Generator(seed), size, likely, guesses))
        context.engine.meter.begin_game()
        missing = filled[number // 2 % len(filled)]
        attempt = pursued(replace(context, options=options, pursuit=pursuit, missing=missing))
        if attempt.is_given_up:
            return
        if attempt.is_refused:
            number += 1
        else:
            yield attempt


def _together(engine: Engine, found: Iterable[_Replay]) -> Belief:
    """Return some of the states in which the plays may end that were found."""
    from ...unknowns import Belief

    _begin_budget(engine)
    return Belief(engine, (state for each in found for state in each.tracker.belief.states[:MOST_OF_EACH]))


def _begin(context: ReplayContext, begins: Begins, header: Record, findings: list[Diagnostic]) -> State | None:
    """Return the state in which the log begins; None if there is none, which is reported then."""
    _begin_budget(context.engine)
    try:
        start = begins()
    except SpecFault as fault:
        start = (rules_at_fault(context.engine, fault, header, context.header.start is not None),)
    if isinstance(start, State):
        return start
    findings += start
    return None


def _begin_budget(engine: Engine) -> None:
    engine.meter.begin_game()
    if "reference" in vars(engine):  # to make it takes long, and a new one has not used any of its budget
        engine.reference.meter.begin_game()


def _without_following(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Leave out moves without a player after a fault: because of it, it is not known who was to move."""
    others = [_place(each) for each in findings if each.is_error and each.code != codes.NO_PLAYER]
    return [each for each in findings if each.code != codes.NO_PLAYER or not others or _place(each) < min(others)]


def _place(finding: Diagnostic) -> tuple[int, int]:
    return finding.span.line, finding.span.column


def _report(
    context: ReplayContext,
    log: Log,
    lines: Lines,
    journal: Journal,
    stopped: Record | None,
    result: Result | None = None,
    early_end: EarlyEnd | None = None,
) -> Report:
    game = context.engine.game
    decided = result.outcome.criterion if result is not None else None
    return Report(
        file=log.file,
        verdict=verdict_of(journal.findings),
        findings=reported(journal.findings),
        header=context.header,
        game=game.name,
        edition=game.edition,
        silence=game.silence,
        events=sum(event_count(lines.entry(at)) for at in range(len(lines))),
        replayed=journal.replayed,
        stopped_at=stopped.place() if stopped else None,
        left_out=tuple(journal.left_out),
        missing=tuple(left_out for _, left_out in journal.missing),
        consequences=tuple(record.place() for record in journal.consequences),
        result=result,
        decided_by=term(context.engine.game, decided) if decided else None,
        early_end=early_end if stopped is None else None,
    )


@dataclass(slots=True)
class Journal:
    """What a replay has met so far. The members are those of `Report` and `Play`.

    missing: each with the index of the line before which it is; among: the indices of those of which the missing ones
    may belong elsewhere among the chance events around.
    """

    findings: list[Diagnostic]
    claims: ClaimFindings
    events: list[Event] = field(default_factory=list)
    replayed: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    among: set[int] = field(default_factory=set)
    missing: list[tuple[int, LeftOut]] = field(default_factory=list)
    consequences: list[Record] = field(default_factory=list)

    def list_missing(self, context: ReplayContext, missing: Iterable[Filled], lines: Lines) -> None:
        """List the events that are missing, each with the index of the line before which it is, and report them."""
        self.missing += [(at, context.left_out(event, lines[at][0])) for at, event in missing]
        self.missing.sort(key=lambda each: each[0])
        for at, group in groupby(self.missing, key=lambda each: each[0]):
            left_out = [each.line for _, each in group]
            self.findings.append(missing_lines(lines[at][0], left_out, at in self.among))


@dataclass(frozen=True, slots=True)
class _Run:
    """The last chance events, each with the index of its line; what is known before others, and these others."""

    tracker: Tracker
    others: tuple[Event, ...]
    events: tuple[Filled, ...]


class _Stop(Exception):
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


class _Movers:
    """Plays a log while it is read, to say who is to move where a line does not: a `Movers` of text logs.

    start: None if the log has no state in which it begins. played: how many records were played.
    """

    def __init__(self, context: ReplayContext, reader: LineReader, start: State | None) -> None:
        quiet = replace(context, options=ReplayOptions(explains=False, fills=context.options.fills))
        self.reader, self.played = reader, 0
        journal = Journal([], ClaimFindings(context.engine))
        self.replay = None if start is None else _Replay(quiet, StateTracker(quiet, start.clone()), journal, None)

    def __call__(self, records: Sequence[Record]) -> tuple[int, ...] | None:
        if self.replay is None:
            return None
        if self.replay.stopped is None:
            self.replay.follow(read_lines(self.reader, records[self.played :], []))
            self.played = len(records)
        return None if self.replay.stopped is not None else self.replay.tracker.movers


class _Replay:
    """Follows the lines of one log.

    Attributes:
        stopped: the line at which it stopped first; refusal: of the event at which it stopped last; stopped_by: the
            number of its last finding then; is_given_up: whether it stopped where too much was unknown; is_lost:
            whether it stopped and did not continue.
        begun: what is known at the beginning; before: before the last event, if the replay is `until` that.
        last: the last events, and what was known before them; turned: pieces that the log says the last one turned up.
        run: the last events of chance.
        unfollowed: what is missing in the log, as far as the tracker does not say it.
        early_end: how the players ended the game before its end.
        lines, at: the lines of the log, and the index of the one that is judged.
        skipped: how many events of the log were not played after faults; is_skipped: whether the event at which the
            replay ends is one of them.
        is_open_ended: whether a gap at the end was not followed, in which the game may have ended.
    """

    def __init__(self, context: ReplayContext, tracker: Tracker, journal: Journal, until: int | None) -> None:
        self.context, self.tracker, self.journal, self.until = context, tracker, journal, until
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
        self.run: _Run | None = None
        self.unfollowed: list[Filled] = []
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
        return (*self.journal.left_out, *self._filled_in())

    def _filled_in(self) -> Iterator[LeftOut]:
        for each in () if self.tracker.state is not None else self.tracker.belief.filled_in:
            record, _ = self.lines[each.line]
            yield from (self.context.left_out(decline, record) for decline in each.declines)

    @property
    def missing(self) -> tuple[Filled, ...]:
        """The events that are missing in the log, if they are looked for, each with the index of its line."""
        return (*self._missing_so_far(), *self.unfollowed)

    @property
    def missing_by_line(self) -> Mapping[int, Sequence[Event]]:
        by_line: dict[int, list[Event]] = {}
        for at, event in self.missing:
            by_line.setdefault(at, []).append(event)
        return by_line

    def _missing_so_far(self) -> tuple[Filled, ...]:
        if not self.context.options.fills:
            return ()
        from .missing_lines import filled_in

        return filled_in(self.tracker.belief)

    def follow(self, lines: Lines) -> None:
        """Judge the lines up to the first after which the replay cannot continue."""
        at, self.lines = 0, lines
        while at < len(lines):
            self.at, self.tracker = at, self.tracker.at(at)
            if self.number == self.until:
                return
            judged, begun, was_lost = 1, self.journal.replayed, self.is_lost
            try:
                if self.is_lost:
                    self.is_lost = not self._resumes(*lines[at])
                elif at not in self.context.missing and (played := self._play_plain(lines, at)):
                    judged = played
                else:
                    self._judge(*lines[at])
            except _Stop as stop:
                # Of a log that is replayed up to an event nobody asks what follows.
                is_last = self.until == self.number + 1
                pinned = self._stop(stop, lines[at:], looks=not is_last)
                if is_last:
                    return
                self.is_lost = pinned is None
                # Where too much is unknown, no event is wrong, and a recorded position says again what the state is.
                if self.is_lost and not (self.context.options.resyncs or stop.is_given_up):
                    return
                judged, was_lost = pinned or 1, True
            if was_lost:
                recorded = sum(event_count(lines.entry(each)) for each in range(at, at + judged))
                self.skipped += recorded - (self.journal.replayed - begun)
                self.is_skipped = self.until is not None and self.number >= self.until
                if self.is_skipped:
                    return
            at += judged
        if not self.is_lost:
            try:
                self._check_dealt()
            except _Stop as stop:
                self._stop(stop, lines[-1:])

    @property
    def number(self) -> int:
        """The number of the last event of the log that was played, or skipped after a fault."""
        return self.journal.replayed + self.skipped

    @property
    def reached(self) -> int | None:
        """The same; None if the replay ended at an event that was skipped."""
        return None if self.is_skipped else self.number

    def _stop(self, stop: _Stop, lines: Lines, looks: bool = True) -> int | None:
        """Report why the replay cannot continue at the first of the lines, and look at those after it, if it `looks`.

        Returns how many lines there are up to a claim after which it can continue; None if there is none.
        """
        self.journal.findings += stop.findings
        # If the replay continues after it, this finding says so.
        self.stopped_by = len(self.journal.findings) - 1
        self.stopped = self.stopped or stop.record or lines[0][0]
        self.refusal = stop.refusal
        self.is_given_up = self.is_given_up or stop.is_given_up
        state = self.tracker.state
        may_look = looks and self.context.options.goes_on
        pinned = None
        if stop.hand is not None and may_look:
            self._look_after_hand(stop.hand)
        elif stop.refusal is not None and state is not None and may_look:
            pinned = self._look_after(state, stop.refusal, lines)
        if looks and stop.findings and not stop.is_given_up:
            self._tell_of_resync(lines)
        return pinned

    def _tell_of_resync(self, lines: Lines) -> None:
        """Say at the last reason to stop that the replay could continue at a position or a claim of state after it."""
        if self.context.options.resyncs or not self.context.options.goes_on:
            return
        for at in range(1, len(lines)):
            entry = lines.entry(at)
            if entry is None or not (entry.position is not None or (entry.claim is not None and entry.claim.cells)):
                continue
            # Whether a claim suffices shows only in a replay that continues there.
            name = "verdict-could-go-on-claim" if entry.position is None else "verdict-could-go-on-position"
            self._note_stop(Note(Message(name, option="--resync"), lines[at][0].place()))
            return

    def _play_plain(self, lines: Lines, at: int) -> int:
        """Play the next lines, as far as they are events and nothing else; return how many were played.

        The last of them is not one that is illegal, or that cannot be judged without a look at anything else.
        """
        tracker = self.tracker
        if not isinstance(tracker, StateTracker) or self.early_end is not None or self.dealing.is_waiting:
            return 0
        # The last event is followed by itself, so that it is known what was before it.
        end = len(lines) if self.until is None else min(len(lines), at + self.until - self.number - 1)
        end = min([end, *(missing for missing in self.context.missing if missing > at)])
        events: list[Event] = []
        for number in range(at, end):
            entry = lines.entry(number)
            if entry is None or entry.event is None or not entry.is_plain:
                break
            events.append(entry.event)
        if not events:
            return 0
        engine, state = self.context.engine, tracker.state.clone()
        played = engine.play_each(state, events)
        if played:
            self.last, self.turned = (self.tracker, tuple(events[:played])), ()
            self._extend_run(tracker, [(at + number, event) for number, event in enumerate(events[:played])])
            self.tracker = replace(tracker, state=state)
            self.journal.events += events[:played]
            self.journal.replayed += played
            try:
                engine.check_game(state)
            except SpecFault as fault:
                record = lines[at + played - 1][0]
                raise _Stop(rules_at_fault(engine, fault, record), record=record) from fault
        return played

    def _resumes(self, record: Record, entry: Entry | None) -> bool:
        """Continue from the position that the line records, if it records one."""
        if entry is None or entry.position is None:
            return False
        recorded = self._recorded(entry.position, record)
        if not isinstance(recorded, State):
            self.journal.findings += recorded
            return False
        self._resume(recorded, Note(Message("verdict-goes-on-position"), record.place()))
        return True

    def _resume(self, state: State, note: Note) -> None:
        """Continue from a state; the note says why, at the finding at which the replay stopped."""
        self._begin_again(state)
        self.refusal, self.dealing = None, Dealing()
        self.journal.claims.forget()
        self._note_stop(note)

    def _begin_again(self, state: State) -> None:
        """Continue from a state that does not depend on what was before; that is missing all the same."""
        self.unfollowed += self._missing_so_far()
        self.tracker, self.last, self.run = StateTracker(self.context, state), None, None

    def _note_stop(self, note: Note) -> None:
        """Add a note to the finding at which the replay stopped."""
        findings = self.journal.findings
        if self.stopped_by >= 0:
            findings[self.stopped_by] = replace(
                findings[self.stopped_by], notes=(*findings[self.stopped_by].notes, note)
            )

    # ---- one line

    def _judge(self, record: Record, entry: Entry | None) -> None:
        """Judge one line. Raises _Stop if the replay cannot continue."""
        # Its faults were reported when it was read.
        if entry is None:
            raise _Stop
        # It is a note, which may be anywhere, also after the result.
        if entry == Entry(None):
            return
        if self.early_end is not None:
            raise _Stop(after_the_result(record))
        # Hands are listed one after another and dealt together; before anything else they have to be dealt.
        # In a gap there may be what was dealt to others.
        if entry.several is None:
            self._check_dealt()
        was_open = self.tracker.state is None
        try:
            self._fill_in(self.context.missing.get(self.at, ()), record)
            if entry.event is not None:
                self._event(entry.event, record)
            if isinstance(entry.several, Deal):
                self._deal(entry.several, record)
            if isinstance(entry.several, Gap):
                self._gap(entry.several, record)
            if entry.position is not None:
                self._position(entry.position, record)
            if entry.claim is not None:
                self._claim(entry.claim, record)
            if entry.several or entry.position or (entry.claim and (was_open or self.tracker.state is None)):
                self.last = self.run = None  # more is known, or less, than after the last event
            if entry.end is not None:
                self._early_end(entry.end, record)
        except SpecFault as fault:
            raise _Stop(rules_at_fault(self.context.engine, fault, record)) from fault
        except TooManyStates as too_many:
            raise _Stop(
                too_much_unknown(record, bool(self.missing or self.journal.missing)), is_given_up=True
            ) from too_many

    def _event(self, event: Event, record: Record, pointer: str = "/outcome") -> None:
        """Play an event. pointer: to the outcome of a chance event in its record."""
        # One state may lead to several by it.
        if is_partial(event):
            self.tracker = self._tracker_of(self.tracker.belief)
        self.before, after = self.tracker, self.tracker.after(event)
        if isinstance(after, Illegal) and isinstance(event, ChanceEvent) and self._was_turned_up(event):
            # The line belongs to that event, and is explained by it.
            self.before = self.last[0] if self.last else self.before
            self.journal.replayed += 1
            return
        if isinstance(after, Illegal) and after.may_fit and self.context.pursuit is not None:
            # There are several ways to decline, so the play may be in several states.
            self.tracker = self._tracker_of(self.tracker.belief)
            after = self.tracker.after(event)
        if isinstance(after, Illegal) and self.context.options.fills:
            after = self._after_missing(event, record) or after
        if isinstance(after, Illegal):
            finding = self.tracker.finding(after, record)
            notes = self._passed_over(after.refusal) if after.refusal and self.context.options.explains else ()
            if finding.code is codes.WRONG_OUTCOME and isinstance(event, ChanceEvent):
                before = self.lines[: self.at + 1]
                notes = (*notes, *came_up_before(self.context.engine.game, event, before, record.place(pointer)))
            raise _Stop(replace(finding, notes=(*finding.notes, *notes)), refusal=after.refusal)
        # What is shown before an event is after the declines that were filled in.
        for decline in after.declines:
            declined = self.before.after(decline)
            self.before = declined.tracker if isinstance(declined, Taken) else self.before
        self.last, self.turned = (self.before, (event,)), ()
        self.run = None if after.declines else self.run
        self._extend_run(self.before, [(self.at, event)])
        self._go_on(after.tracker, after.declines, record)
        self.journal.events.append(event)
        self.journal.replayed += 1
        if self.tracker.state is not None:
            self.context.engine.check_game(self.tracker.state)

    def _was_turned_up(self, event: ChanceEvent) -> bool:
        """Return whether the last event turned the piece up, which was no chance event as somebody knew where it was.

        The line is then true, and what it says is known from here on.
        """
        if self.last is None or event.path not in self.context.engine.game.chances or event.outcome is None:
            return False
        tracker, last = self._before_last(*self.last)
        turned = (*self.turned, (event.path, event.outcome))
        belief = tracker.belief.after_turning(last, turned)
        if belief is None:
            return False
        self.turned = turned
        if self.tracker.state is None:
            self.tracker = self._tracker_of(belief).settled()
        return True

    def _before_last(self, tracker: Tracker, events: tuple[Event, ...]) -> tuple[Tracker, Event]:
        """Return the last of some events, and what is known before it. tracker: before all of them."""
        if tracker.state is not None and events[1:]:
            state = tracker.state.clone()
            self.context.engine.play_each(state, events[:-1])
            tracker = StateTracker(self.context, state)
        self.last = tracker, events[-1:]
        return tracker, events[-1]

    def _passed_over(self, refusal: Refusal) -> Iterable[Note]:
        """Say that the decision of a refused move was passed over after the last event."""
        if self.last is None:
            return ()
        tracker, last = self._before_last(*self.last)
        return () if tracker.state is None else passed_over(self.context.engine, tracker.state, last, refusal)

    def _go_on(self, tracker: Tracker, declines: Sequence[Move], record: Record) -> None:
        self.journal.left_out += [self.context.left_out(decline, record) for decline in declines]
        self.journal.events += declines
        self.tracker = tracker

    def _tracker_of(self, belief: Belief) -> BeliefTracker:
        from .belief_tracker import BeliefTracker  # it loads the reference, which most logs do not need

        return BeliefTracker(self.context, belief)

    def _after_missing(self, event: Event, record: Record) -> Taken | Illegal | None:
        """Look for the events that are missing before this one; return what is after it then.

        None if nothing was found that could be missing.
        """
        from .missing_lines import missing_before

        run = self._chance_run()
        missing = missing_before(self.tracker.belief.at(self.at), event, run)
        if missing is None:
            return None
        self._continue_after(missing, run)
        return self.tracker.after(event)

    def _continue_after(self, missing: Missing, run: ChanceRun | None) -> None:
        """Continue after what is missing before a line, or among the run before it."""
        if missing.is_among and run is not None:
            self.journal.among |= {self.at, *(line for line, _ in run.events)}
        if missing.after is None:
            self.unfollowed += missing.events
            raise TooManyStates
        self.tracker = self.before = self._tracker_of(missing.after)
        self.last = self.run = None  # what is missing is the last event now

    def _fill_in(self, events: Sequence[Event], record: Record) -> None:
        """Continue after events that are known to be missing before a line."""
        if not events:
            return
        belief = self.tracker.belief.at(self.at)
        for event in events:
            after = belief.after_missing(event)
            if isinstance(after, Refusal):
                raise _Stop(self._tracker_of(belief).finding(Illegal(after), record))
            belief = after
        self.tracker, self.last, self.run = self._tracker_of(belief), None, None

    def _extend_run(self, before: Tracker, played: Sequence[tuple[int, Event]]) -> None:
        """Note the last chance events. before: what was known before all that were played."""
        run = tuple(takewhile(lambda each: isinstance(each[1], ChanceEvent), reversed(played)))[::-1]
        others = tuple(event for _, event in played[: len(played) - len(run)])
        if others or self.run is None:
            self.run = _Run(before, others, run) if run else None
        else:
            self.run = replace(self.run, events=(*self.run.events, *run))

    def _chance_run(self) -> ChanceRun | None:
        """Return the last chance events, and what is known before them."""
        from .missing_lines import ChanceRun

        run = self.run
        if run is None:
            return None
        tracker = run.tracker
        if run.others and isinstance(tracker, StateTracker):
            state = tracker.state.clone()
            self.context.engine.play_each(state, run.others)
            tracker = replace(tracker, state=state)
        return ChanceRun(tracker.belief, run.events)

    def _deal(self, deal: Deal, record: Record) -> None:
        """Deal the cards as far as they come next; those of other players may have to be listed first."""
        self.dealing.add(deal, record)
        while self.number != self.until and self.tracker.state is not None and self.dealing.hands:
            at = self._next_hand()
            if at is None:
                return
            hand = self.dealing.take_card(at)
            try:
                self._event(hand.event, hand.record, hand.pointer)
            except _Stop as stop:
                # At the card, and not at the line, which has many.
                found = _at_card(hand, stop.findings)
                raise _Stop(*found, refusal=stop.refusal, record=hand.record, hand=hand) from stop
        if self.tracker.state is None and self.dealing.is_waiting:
            self.dealing.divide(self.tracker.belief)
            self._deal_out()

    def _next_hand(self) -> int | None:
        """Return the number of the hand whose next card comes now, perhaps after a decline that was left out."""
        path, seat = self.tracker.awaited_chance
        if path is not None:
            return self.dealing.next_hand(path, seat)
        after = self.tracker.after(self.dealing.hands[0].event)
        declined: Taken | Illegal = Taken(self.tracker)
        for decline in after.declines if isinstance(after, Taken) else ():
            assert isinstance(declined, Taken)
            declined = declined.tracker.after(decline)
        return self.dealing.next_hand(*declined.tracker.awaited_chance) if isinstance(declined, Taken) else None

    def _deal_out(self, gap: Gap | None = None) -> None:
        """Deal the cards in each of the possible games, in the course of a gap if one is given."""
        dealing, dealt = self.dealing, len(self.dealing.furthest.events)
        if gap is not None:
            dealing.pass_gap(gap.count, gap.only_chance, self.at)
        else:
            dealing.deal_out(self.at, None if self.until is None else dealt + self.until - self.number)
        if not dealing.branches:
            raise self._undealt(dealing.pending)
        # The games with the most cards dealt stand for all of them, until it is known that other hands were listed.
        furthest = dealing.furthest
        self.journal.events += furthest.events[dealt:]
        self.journal.replayed += max(len(furthest.events) - dealt, 0)
        self.tracker = self._tracker_of(furthest.belief)
        if not any(each.hands for each in dealing.branches):
            self._check_dealt()

    def _check_dealt(self) -> None:
        """End the dealing. Raises _Stop if cards could not be dealt."""
        dealing = self.dealing
        if not dealing.is_waiting:
            self.dealing = Dealing() if dealing.listed else dealing
            return
        if dealing.hands:
            dealing.divide(self.tracker.belief)
        dealt = [each.belief for each in dealing.branches if not each.hands]
        if not dealt:
            self._deal_missing(dealing.pending, self.lines[self.at][0])
            dealt = [dealing.furthest.belief]
        self.tracker, self.dealing = self._tracker_of(dealt[0].either(*dealt[1:])).settled(), Dealing()

    def _deal_missing(self, hands: Sequence[Hand], record: Record) -> None:
        """Deal the cards that are missing between those of the hands, and report them before the record.

        Raises _Stop if the replay does not continue after missing lines, or none explain why the hands are not dealt.
        """
        options, dealing, dealt = self.context.options, self.dealing, len(self.dealing.furthest.events)
        can_be_missing = not dealing.refused and (options.explains or options.fills)
        missing = dealing.deal_missing(self.at) if can_be_missing else None
        if not missing:
            raise self._undealt(hands)
        counted = {each: missing.count(each) for each in missing}
        if not options.fills:
            first, count = next(iter(counted.items()))
            left_out = self.context.unseen_hand(*first, count, hands[0].record)
            player = self.context.table.player(first[1])
            finding = too_few_cards(hands[0], left_out.line, player, count, dealing.listed_as(*first))
            raise _Stop(finding, record=hands[0].record)
        left_out_hands = [self.context.unseen_hand(*each, count, record) for each, count in counted.items()]
        self.journal.missing += [(self.at, each) for each in left_out_hands]
        played = dealing.furthest.events[dealt:]
        self.journal.events += played
        self.journal.replayed += len(played)

    def _undealt(self, hands: Sequence[Hand]) -> _Stop:
        """Report the hands of which cards could not be dealt: by the rules, or as something else is awaited."""
        if self.dealing.refused:
            refusal, hand, before = self.dealing.refused[0]
            finding = self._tracker_of(before).finding(Illegal(refusal), hand.record)
            return _Stop(*_at_card(hand, (finding,)), record=hand.record, hand=hand)
        undealt = [undealt_cards(hand.record, hand.pointer, self.tracker.awaited) for hand in hands]
        return _Stop(*undealt, record=hands[0].record)

    def _gap(self, gap: Gap, record: Record) -> None:
        """Follow every event that may have taken place where the log has a gap."""
        if self.dealing.is_waiting:
            self.dealing.divide(self.tracker.belief)
            self._deal_out(gap)
            return
        # It may be empty, and nothing says that it is not.
        if gap.count is None and not gap.only_chance and not self.context.options.ends and self._is_told_no_more():
            self.is_open_ended = True
            return
        belief = self.tracker.belief
        # It is set before the gap is followed: if that fails, the state before the gap is not taken for known.
        self.tracker = self._tracker_of(belief)
        if gap.count is None:
            belief = belief.after_gap(gap.only_chance)
        for _ in range(gap.count or 0):
            after = belief.after_any()
            if after is None:
                raise _Stop(too_long_a_gap(record))
            belief = after
        self.tracker = self._tracker_of(belief).settled()

    def _is_told_no_more(self) -> bool:
        """Return whether nothing is recorded after the line but an end that the players agreed on, and notes."""
        entries = (self.lines.entry(at) for at in range(self.at + 1, len(self.lines)))
        return all(entry is not None and replace(entry, end=None) == Entry(None) for entry in entries)

    def _position(self, data: Json, record: Record) -> None:
        """Compare a recorded position with the play; where not everything is known, it is known from here on."""
        state = self.tracker.state
        # A record of the board alone means the state of the play now.
        if state is not None and isinstance(data, dict) and "flow" not in data:
            data = {**data, "flow": self._place_in_flow(state)}
        recorded = self._recorded(data, record)
        if not isinstance(recorded, State):
            raise _Stop(*recorded)
        is_other = state is not None and recorded.key() != state.key()
        if state is not None and is_other:
            self.journal.findings.append(other_state(self.context.engine, state, recorded, record))
        if state is None or (is_other and self.context.options.resyncs):
            self.journal.left_out += self._filled_in()
            self._begin_again(recorded)

    def _place_in_flow(self, state: State) -> Json:
        from ..position.position import position_of  # it loads the reference, which most logs do not need

        reference = self.context.engine.reference
        return position_of(reference, self.context.engine.to_reference(state))["flow"]

    def _recorded(self, data: Json, record: Record) -> State | tuple[Diagnostic, ...]:
        from .beginning import recorded_state  # it loads the reference, which most logs do not need

        return recorded_state(self.context.engine, data, self.context.header.names, record, "/position")

    def _claim(self, claim: Claim, record: Record) -> None:
        """Check a claim; a false one does not stop the replay."""
        claimed = self.tracker.claimed(claim)
        if claimed.wrong is None and self.context.pursuit is not None:
            claimed = self._tracker_of(self.tracker.belief).claimed(claim)
        if claimed.wrong and self.context.options.fills and self._finds_missing(claim):
            claimed = self.tracker.claimed(claim)
        self._go_on(claimed.tracker, claimed.declines, record)
        if claimed.wrong is not None:
            self.journal.claims.add(claim, claimed.wrong, record)

    def _finds_missing(self, claim: Claim) -> bool:
        """Look for events that are missing before a false claim, so that it may be true; continue after them."""
        from .missing_lines import missing_before_claim

        def claimed(before: Belief) -> Belief | Literal[False]:
            after, wrong = self._tracker_of(before).assuming(claim)
            return False if wrong else after

        ends = self.tracker.has_ended is False and (claim.terminal is True or claim.winners is not None)
        run = self._chance_run()
        missing = missing_before_claim(self.tracker.belief.at(self.at), claimed, ends, run)
        if missing is None:
            return False
        self._continue_after(missing, run)
        return True

    def _early_end(self, end: EarlyEnd, record: Record) -> None:
        """Take over a result that the rules do not give; they must not have given one before."""
        problem = loser_among_winners(end)
        if self.tracker.has_ended:
            problem = Problem(codes.WRONG_RESULT, "/result", Message("verdict-over-before-result"))
        if problem is not None:
            raise _Stop(problem.at(record))
        self.early_end = end

    # ---- after a refused line, and at the end

    def _look_after(self, state: State, refusal: Refusal, lines: Lines) -> int | None:
        """Judge the lines after the refused one: add what is wrong in any case, and note what may follow from it.

        Returns what `_stop` does.
        """
        from .after_fault import after_fault

        findings, after = (
            self.journal.findings,
            after_fault(StateTracker(self.context, state), refusal, lines, self._chance_run()),
        )
        if after.swapped_with is not None:
            note = Note(Message("verdict-swapped", line=after.swapped_with))
            findings[-1] = replace(findings[-1], hint=None, notes=(note, *findings[-1].notes))
        elif after.missing and _may_be_hinted(findings[-1], refusal):
            hint = missing_hint([self.context.left_out(event, lines[0][0]).line for event in after.missing])
            findings[-1] = replace(findings[-1], hint=hint)
        findings += after.findings
        self.journal.consequences += after.consequences
        if after.pinned is None:
            return None
        pinned, judged = after.pinned
        self._resume(pinned, Note(Message("verdict-goes-on-claim"), lines[judged][0].place()))
        return judged + 1

    def _look_after_hand(self, hand: Hand) -> None:
        """Judge the log as if neither the card that cannot be dealt nor its equals in other lines were known.

        What is wrong all the same, after the line at which the replay is, is added to the findings.
        """
        from .after_fault import in_any_case

        card, path = hand.event.outcome, hand.deal.path
        options = replace(self.context.options, goes_on=False, resyncs=False, fills=False, plays=0, ends=False)
        others = Lines(
            [record for record, _ in self.lines],
            [_without_card(self.context.engine, entry, path, card) for _, entry in self.lines[: self.at + 1]]
            + [entry for _, entry in self.lines[self.at + 1 :]],
            range(len(self.lines)),
        )
        journal = Journal([], ClaimFindings(self.context.engine))
        replay = _Replay(replace(self.context, options=options), self.begun, journal, None)
        meter = self.context.engine.reference.meter
        # A budget of its own, as in `after_fault`.
        meter.begin_game()
        with meter.limited(MOST_WORK_BEHIND_HAND):
            replay.follow(others)
        line = hand.record.place().line
        found = (*journal.findings, *journal.claims.findings())
        behind = (each for each in found if each.is_error and each.span.line > self.lines[self.at][0].place().line)
        self.journal.findings += [in_any_case(each, line) for each in behind]

    def result(self, last: Record) -> Result | None:
        """Return the result of the play; None if it did not end, or it is not known."""
        try:
            return self.tracker.result
        except SpecFault as fault:
            self._stop(_Stop(rules_at_fault(self.context.engine, fault, last)), Lines([last], [None], range(1)))
            return None

    def check_finished(self, last: Record, lines: Lines) -> None:
        """Warn of a play that did not end, unless the players ended it or its last line has a claim about its end."""
        # A position alone, without lines, is not a game that was broken off.
        if self.is_open_ended:
            return
        if self.tracker.has_ended is False and self.early_end is None and (lines or self.context.header.start is None):
            entry = lines.entry(-1) if lines else None
            claim = entry.claim if entry is not None else None
            if claim is None or (claim.terminal is None and claim.winners is None):
                context = self.context
                finding = unfinished(context.engine, self.tracker.state, last, context.table)
                self.journal.findings.append(finding)


def _at_card(hand: Hand, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings about the next card of a hand, with the place of that card."""
    return [replace(each, span=hand.record.place(hand.pointer), pointer=hand.pointer) for each in findings]


def _without_card(engine: Engine, entry: Entry | None, path: str, card: t.Value) -> Entry | None:
    """Return a line in which no outcome of the type that the path has is this card: such a one is not known."""
    if entry is None:
        return None
    chances, event, several = engine.game.chances, entry.event, entry.several
    of = chances[path].outcome
    if isinstance(event, ChanceEvent) and chances[event.path].outcome == of and event.outcome == card:
        return replace(entry, event=event._replace(outcome=HIDDEN), is_plain=False)
    if isinstance(several, Deal) and chances[several.path].outcome == of:
        return replace(
            entry, several=replace(several, cards=tuple(HIDDEN if each == card else each for each in several.cards))
        )
    return entry


def _may_be_hinted(finding: Diagnostic, refusal: Refusal) -> bool:
    """Return whether missing lines explain more than the finding says: not where it names one that is missing."""
    if refusal.kind is RefusalKind.WRONG_CHANCE:
        return False
    return finding.hint is None or refusal.kind is RefusalKind.MOVE_AWAITED
