"""Validation of a log in two stages, structure and play, with one report.

Structure: the header names a game, and every line is one that this game knows. Play: the events are replayed, and the
recorder's claims are compared with the states. The replay stops at the first illegal event, as nothing later can be
judged; the structure of later lines is still checked. A line with a structural fault is not reported again by the
replay.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Failure, Note, Span
from ludex.spec import enumerated, show, to_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...information.visibility import is_partial
from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Move, Refusal, SpecFault, TooManyStates
from .. import log_codes as codes
from ..log_codes import REFUSED_CODES, UNFIT_CODES, UNREADABLE_CODES
from ..record.claims import Claim
from ..record.early_end import EarlyEnd, loser_among_winners
from ..record.event_lines import Entry, LineReader, line_of
from ..record.header import Header, read_header
from ..record.log import Log, Record, write_line
from ..record.problems import Problem, once_each
from .claim_check import Subject, Wrong, WrongClaim, subjects, wrong_claim, wrong_parts
from .event_findings import after_the_result, ambiguous, refused, rules_at_fault, too_much_unknown, unfinished
from .event_replay import Filled, fill_declines
from .header_game import Load, beside_finding, fingerprint_finding, game_of, located
from .result import Result

if TYPE_CHECKING:
    from .partial_replay import PartialReplay

MOST_ENGINES = 64
"""Most compiled games that are kept: logs may ask for any number of games."""

MOST_OPTIONS = 8
"""Most other settings of options that are tried for a log that names none."""

MOST_FINDINGS = 50
"""Most findings that are reported of one log."""

NOWHERE = sys.maxsize
"""The line number of a fault that does not exist; greater than all others."""

_UNREADABLE = frozenset(code.code for code in UNREADABLE_CODES)


class Verdict(StrEnum):
    """The verdict on a log; a command's exit codes are 0, 1 and 2."""

    LEGAL = "legal"
    FINDINGS = "findings"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A decline that the log leaves out and that was filled in before the line at `span`."""

    span: Span
    line: str


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
        stopped_at: the line at which the replay stopped; None if it did not.
        result: how the game ended by its rules; None if its end was not reached.
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
    left_out: tuple[LeftOut, ...] = ()
    result: Result | None = None
    early_end: EarlyEnd | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """The replay of a log.

    Attributes:
        engine, state: at the end of the replay; None if it could not begin. The state is also None if it is not known.
        events: what was played, including declines that were filled in.
        refusal: of the event at which the replay stopped, in that state; None if it did not stop at one.
    """

    report: Report
    engine: Engine | None = None
    state: State | None = None
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


PLAYED = "LB"
"""Initial letters of the codes that a readable log may get."""


def validate_log(log: Log, load: Load) -> Report:
    """Validate a log. `load` gives the game that the header names. Never raises for the content of the log."""
    return Validator(load).validate(log)


class Validator:
    """Validates logs. Games are loaded and compiled once for all logs with the same settings."""

    def __init__(self, load: Load, given: Iterable[str] = (), compiled: Callable[[m.Game], Engine] = Engine) -> None:
        """Make a validator.

        Args:
            load: gives the game that a header names.
            given: names of games that `load` knows besides the shipped ones; see `game_of`.
            compiled: gives the engine of a game, which need not be a new one.
        """
        self._load, self._given, self._compiled = load, tuple(given), compiled
        self._engines: dict[str, Engine] = {}

    def validate(self, log: Log) -> Report:
        """Validate the log."""
        return self.play(log).report

    def play(self, log: Log, until: int | None = None, edition: str | None = None) -> Play:
        """Replay the log to its end or for `until` events, with the report.

        edition: the edition to judge by, if not the log's own; the log's fingerprint is then not checked.
        """
        findings = list(log.faults)
        record = log.header
        if record is None or record.data is None:
            return _unplayed(log, findings)
        header, problems = read_header(record.data)
        if header is not None and edition is not None:
            header = replace(header, edition=edition, fingerprint=None)
            problems = tuple(problem for problem in problems if problem.pointer != "/fingerprint")
        findings.extend(problem.at(record) for problem in once_each(problems))
        engine = self._engine(header, record, findings) if header else None
        if header is None or engine is None:
            return _unplayed(log, findings, header)
        play = _Replay(log, header, engine, findings).play(until)
        return play if until is not None else replace(play, report=self._with_options(play.report, log, header, engine))

    def _with_options(self, report: Report, log: Log, header: Header, engine: Engine) -> Report:
        """Add a note to the first finding of a log that sets no options: those it was judged by, and those by which
        it would be legal.

        Only a line that the rules refuse or do not know gets this note, and only if some option would know the line.
        """
        unsaid = [option for option in engine.game.options if option.name not in header.options]
        first = next((finding for finding in report.findings if finding.code in (*REFUSED_CODES, *UNFIT_CODES)), None)
        if not unsaid or first is None:
            return report
        tried = [
            (option, value, self._first_fault(log, header, option, value))
            for option, value in islice(_other_options(unsaid), MOST_OPTIONS)
        ]
        if first.code in UNFIT_CODES:
            helping = {option.name for option, _, line in tried if line > first.span.line}
            unsaid = [option for option in unsaid if option.name in helping]
        if not unsaid:
            return report
        legal = [f"{option.name} = {show(option.type, value)}" for option, value, line in tried if line == NOWHERE]
        judged = enumerated(f"{option.name} = {show(option.type, option.value)}" for option in unsaid)
        rest = f"; it is legal with {' or '.join(legal)}" if legal else ""
        note = Note(f"the log was judged with {judged}, as its header sets no other `options`{rest}")
        explained = replace(first, notes=(*first.notes, note))
        return replace(report, findings=tuple(explained if each is first else each for each in report.findings))

    def _first_fault(self, log: Log, header: Header, option: m.OptionSetting, value: t.Value) -> int:
        """Find the line of the first error with the option set so; `NOWHERE` if the log is legal then."""
        findings: list[Diagnostic] = []
        options = {**header.options, option.name: to_json(option.type, value)}
        other = replace(header, options=options, fingerprint=None)
        assert log.header is not None
        engine = self._engine(other, log.header, findings)
        if engine is None:
            return 0
        report = _Replay(log, other, engine, findings, explains=False).play(None).report
        return min((finding.span.line for finding in report.findings if finding.is_error), default=NOWHERE)

    def editions(self, log: Log) -> tuple[str, ...]:
        """List the editions of the game that the log names; () if there is no such game, or it has none."""
        record = log.header
        header = read_header(record.data)[0] if record is not None and record.data is not None else None
        if header is None or record is None:
            return ()
        try:
            return self._load(located(header, record, self._given).game).editions
        except Failure:
            return ()

    def _engine(self, header: Header, record: Record, findings: list[Diagnostic]) -> Engine | None:
        header = located(header, record, self._given)
        key = _setting_key(header)
        if key not in self._engines:
            game = game_of(header, record, self._load, self._given)
            if not isinstance(game, m.Game):
                findings.extend(game)
                return None
            while len(self._engines) >= MOST_ENGINES:
                del self._engines[next(iter(self._engines))]
            self._engines[key] = self._compiled(game)
        engine = self._engines[key]
        warnings = beside_finding(header, record, self._given), fingerprint_finding(header, record, engine.game)
        findings.extend(filter(None, warnings))
        return engine


def _other_options(options: Iterable[m.OptionSetting]) -> Iterator[tuple[m.OptionSetting, t.Value]]:
    """Enumerate each option at each of its other values, one at a time."""
    return ((option, value) for option in options for value in t.values(option.type) if value != option.value)


def _setting_key(header: Header) -> str:
    """Return a key that is equal for headers that ask for the same game at the same table."""
    setting = [header.game, header.players, header.edition, header.silence, header.options, header.readings]
    return json.dumps(setting, sort_keys=True)


def _unplayed(log: Log, findings: list[Diagnostic], header: Header | None = None) -> Play:
    """Return the report on a log whose game could not be loaded: no line can be judged."""
    return Play(Report(log.file, verdict_of(findings), _reported(findings), header, events=len(log.events)))


def verdict_of(findings: list[Diagnostic]) -> Verdict:
    """Return the verdict by the findings: unreadable if anything could not be read; warnings leave a log legal."""
    errors = [finding for finding in findings if finding.is_error]
    if any(finding.code.code in _UNREADABLE or finding.code.code[0] not in PLAYED for finding in errors):
        return Verdict.UNREADABLE
    return Verdict.FINDINGS if errors else Verdict.LEGAL


def _reported(findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort the findings into reading order and cut them; the last one says how many more there are."""
    ordered = sorted(findings, key=lambda finding: (finding.span.line, finding.span.column, finding.code.code))
    left = len(ordered) - MOST_FINDINGS
    if left > 0:
        note = Note(f"{left:,} more findings, up to line {ordered[-1].span.line}, are not shown: mend these first")
        ordered[MOST_FINDINGS - 1 :] = [replace(ordered[MOST_FINDINGS - 1], notes=(note,))]
    return tuple(ordered)


# ---- the two stages -------------------------------------------------------------------------------------------------


class _Replay:
    """The replay of one log. Every method appends its findings.

    explains: whether to say why an event is refused, and which would be legal instead.
    """

    def __init__(
        self, log: Log, header: Header, engine: Engine, findings: list[Diagnostic], explains: bool = True
    ) -> None:
        self.log, self.header, self.engine, self.findings, self.explains = log, header, engine, findings, explains
        self.reader = LineReader(engine.game, header.names)
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

    def play(self, until: int | None) -> Play:
        entries = [self._entry(record) for record in self.log.events]
        count = sum(entry is None or entry.event is not None for entry in entries)
        self._follow(entries, until)
        result = None if self.state is None else self._result(self.state)
        is_open = self.state is not None and self.stopped is None and until is None
        if self.state is not None and is_open and result is None and self.early_end is None:
            self._unfinished(self.state, entries)
        self.findings.extend(claim.finding_with_note() for claim in self.claims)
        state = None if self.partial is not None else self.state
        return Play(self._summary(count, result), self.engine, state, tuple(self.events), self.refusal)

    def _entry(self, record: Record) -> Entry | None:
        """Read the line; None if it is faulty."""
        if record.data is None:
            return None
        content = self.reader.read(record.data)
        if isinstance(content, Entry):
            return content
        self.findings.extend(problem.at(record) for problem in once_each(content))
        return None

    # ---- play

    def _follow(self, entries: list[Entry | None], until: int | None) -> None:
        assert self.log.header is not None
        self.engine.meter.begin_game()
        try:
            self.state = self.engine.start()
        except SpecFault as fault:
            self._fault(fault, self.log.header)
            return
        for record, entry in zip(self.log.events, entries, strict=True):
            if self.replayed == until:
                return
            if entry is None or not self._line(self.state, entry, record):
                self.stopped = record
                return

    def _line(self, state: State, entry: Entry, record: Record) -> bool:
        """Judge one line; return whether the replay can go on."""
        if self.early_end is not None and entry != Entry(None):
            self.findings.append(after_the_result(record))
            return False
        try:
            if entry.event is not None and not self._event(state, entry.event, record):
                return False
            if entry.claim is not None:
                self._claim(state, entry.claim, record)
            if entry.end is not None:
                return self._early_end(state, entry.end, record)
        except SpecFault as fault:
            self._fault(fault, record)
            return False
        except TooManyStates:
            self.findings.append(too_much_unknown(record))
            return False
        return True

    def _early_end(self, state: State, end: EarlyEnd, record: Record) -> bool:
        """Take over a result that the rules do not give; they must not have given one before."""
        problem = loser_among_winners(end)
        if self.partial is None and self.engine.is_terminal(state):
            problem = Problem(codes.WRONG_RESULT, "/result", "the game was over by its rules before this result")
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
                self.findings.append(self._stopped(state, event, record, bool(ways)))
                return False
            self._fill(state, ways[0], record)
            self._taken(state, event)
        self.events.append(event)
        self.replayed += 1
        self.engine.check_game(state)
        return True

    def _partial(self, state: State) -> PartialReplay:
        """Return a partial replay from the state on. All partial replays of a log share one budget."""
        from .partial_replay import PartialReplay  # it loads the reference, which most logs do not need

        if not self.was_partial:
            self.engine.reference.meter.begin_game()
        self.was_partial = True
        return PartialReplay(self.engine, state, self.table)

    def _partial_event(self, partial: PartialReplay, state: State, event: Event, record: Record) -> bool:
        """Follow an event by what is known."""
        declines = partial.take(event)
        if isinstance(declines, Refusal):
            self.findings.append(partial.refused(declines, record))
            return False
        self._note_left_out(declines, record)
        self.events.append(event)
        self.replayed += 1
        known = partial.state
        if known is not None:
            state.become(known)
            self.partial = None
        return True

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
        lines = (write_line(line_of(self.engine.game, decline, self.header.names)) for decline in declines)
        self.left_out.extend(LeftOut(record.place(), line) for line in lines)
        self.events.extend(declines)

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
        if self.partial is not None and self.partial.has_ended is not False:
            return
        """Warn of a play that did not end, unless the log's last line has a claim about its end."""
        claim = entries[-1].claim if entries and entries[-1] is not None else None
        if claim is None or (claim.terminal is None and claim.winners is None):
            self.findings.append(unfinished(self.engine, None if self.partial else state, self.last, self.table))

    def _summary(self, count: int, result: Result | None) -> Report:
        game = self.engine.game
        return Report(
            file=self.log.file,
            verdict=verdict_of(self.findings),
            findings=_reported(self.findings),
            header=self.header,
            game=game.name,
            edition=game.edition,
            silence=game.silence,
            events=count,
            replayed=self.replayed,
            stopped_at=self.stopped.place() if self.stopped else None,
            left_out=tuple(self.left_out),
            result=result,
            early_end=self.early_end if self.stopped is None else None,
        )
