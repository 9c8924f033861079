"""Replay of one log: every line is read, every event is played, and every claim is compared with the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from ludex.grammar import Diagnostic

from ...event_notation.spoken import term
from ...play.engine import Engine
from ...program import State
from ...state.events import SpecFault
from .. import log_codes
from ..record import Log, Record
from ..structure import EarlyEnd, Header, LineReader, Lines, event_count, line_reader, read_lines
from ..tracking.claim_check import ClaimFindings
from ..tracking.event_findings import rules_at_fault, unfinished
from ..tracking.report import Play, Report, Result, reported, verdict_of
from ..tracking.tracker import ReplayContext, ReplayOptions, StateTracker
from .line_replay import follow_lines, stop_at
from .play_search import pursued_further, together
from .replay_state import Journal, Replay, Stop, begin_budget

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
    until_line: int | None = None,
) -> Play:
    """Replay a log to its end, for `until` events, or up to the line with the index `until_line`.

    faults: what else is wrong with it, for the report.
    """
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

    def pursued(context: ReplayContext, lines: Lines = lines) -> Replay:
        journal = Journal(list(findings), ClaimFindings(engine))
        replay = Replay(context, StateTracker(context, start.clone()), journal, until, until_line)
        follow_lines(replay, lines)
        return replay

    replay, found = pursued_further(pursued, context, lines)
    # One play proves a log legal, where all of them were too many, and says where missing lines belong.
    judged = found[0] if found and (replay.is_given_up or found[0].missing) else replay
    journal = judged.journal
    result = None if judged is not replay else _result(replay, log.events[-1] if log.events else log.header)
    # What could not be read of a log may hold the end of its game.
    is_whole = until is None and until_line is None and not any(fault.is_error for fault in log.faults)
    if is_whole and judged is replay and replay.stopped is None and result is None:
        _check_finished(replay, log.events[-1] if log.events else log.header, lines)
    journal.list_missing(context, judged.missing, lines)
    journal.findings[:] = _without_following([*journal.findings, *journal.claims.findings()])
    report = _report(context, log, lines, journal, judged.stopped, result, judged.early_end)
    if found and (left_out := found[0].left_out):
        report = replace(report, left_out=left_out, in_one_completion=True)
    events, before, reached = tuple(journal.events), replay.before, replay.reached
    play = Play(report, engine, None, events, replay.refusal, start, log, before=before, reached=reached)
    play = replace(play, before_line=replay.before_line)
    # A position after the line where the replay was given up says more than the plays that were found.
    if judged is not replay and replay.is_lost and replay.stopped is not None:
        return replace(play, belief=together(engine, found), sampled_from=replay.stopped.place())
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
        begin_budget(context.engine)
    return read


def _begin(context: ReplayContext, begins: Begins, header: Record, findings: list[Diagnostic]) -> State | None:
    """Return the state in which the log begins; None if there is none, which is reported then."""
    begin_budget(context.engine)
    try:
        start = begins()
    except SpecFault as fault:
        start = (rules_at_fault(context.engine, fault, header, context.header.start is not None),)
    if isinstance(start, State):
        return start
    findings += start
    return None


def _result(replay: Replay, last: Record) -> Result | None:
    """Return the result of the play; None if it did not end, or it is not known."""
    try:
        return replay.tracker.result
    except SpecFault as fault:
        stop_at(replay, Stop(rules_at_fault(replay.context.engine, fault, last)), Lines([last], [None], range(1)))
        return None


def _check_finished(replay: Replay, last: Record, lines: Lines) -> None:
    """Warn of a play that did not end, unless the players ended it or its last line has a claim about its end."""
    # A position alone, without lines, is not a game that was broken off.
    if replay.is_open_ended:
        return
    context, goes_on = replay.context, replay.tracker.has_ended is False and replay.early_end is None
    if goes_on and (lines or context.header.start is None):
        entry = lines.entry(-1) if lines else None
        claim = entry.claim if entry is not None else None
        if claim is None or (claim.terminal is None and claim.winners is None):
            finding = unfinished(context.engine, replay.tracker.state, last, context.table)
            replay.journal.findings.append(finding)


def _without_following(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Leave out moves without a player after a fault: because of it, it is not known who was to move."""
    others = [_place(each) for each in findings if each.is_error and each.code != log_codes.NO_PLAYER]
    return [each for each in findings if each.code != log_codes.NO_PLAYER or not others or _place(each) < min(others)]


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
        resumed=journal.resumed,
        left_out=tuple(journal.left_out),
        missing=tuple(left_out for _, left_out in journal.missing),
        consequences=tuple(record.place() for record in journal.consequences),
        result=result,
        decided_by=term(context.engine.game, decided) if decided else None,
        early_end=early_end if stopped is None else None,
    )


class _Movers:
    """Plays a log while it is read, to say who is to move where a line does not: a `Movers` of text logs.

    start: None if the log has no state in which it begins. played: how many records were played.
    """

    def __init__(self, context: ReplayContext, reader: LineReader, start: State | None) -> None:
        quiet = replace(context, options=ReplayOptions(explains=False, fills=context.options.fills))
        self.reader, self.played = reader, 0
        journal = Journal([], ClaimFindings(context.engine))
        self.replay = None if start is None else Replay(quiet, StateTracker(quiet, start.clone()), journal, None)

    def __call__(self, records: Sequence[Record]) -> tuple[int, ...] | None:
        if self.replay is None:
            return None
        if self.replay.stopped is None:
            follow_lines(self.replay, read_lines(self.reader, records[self.played :], []))
            self.played = len(records)
        return None if self.replay.stopped is not None else self.replay.tracker.movers
