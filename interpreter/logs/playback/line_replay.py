"""Replay of a log line by line: each line is judged, and after a refused one the replay stops or continues."""

from __future__ import annotations

from dataclasses import replace

from ludex.grammar import Message, Note

from ...program import State
from ...state.events import Event, SpecFault, TooManyStates
from ..record import Record
from ..structure import NOTE, Deal, Entry, Gap, Lines, PlainEntry, event_count
from ..tracking.claim_check import ClaimFindings
from ..tracking.dealing import Hand
from ..tracking.event_findings import after_the_result, rules_at_fault, too_much_unknown
from ..tracking.tracker import StateTracker
from .event_step import extend_run, fill_in, play_event
from .hand_dealing import check_dealt, deal_hand
from .line_members import check_claim, compare_position, end_early, follow_gap, recorded_position
from .refused_line import hint_resync, judge_rest, without_outcome
from .replay_state import Journal, Replay, Stop

MOST_WORK_AFTER_CARD = 500_000
"""The units of work for the log after a wrong card: half a second or less."""


def follow_lines(replay: Replay, lines: Lines) -> None:
    """Judge the lines up to the first after which the replay cannot continue."""
    at, replay.lines = 0, lines
    end = len(lines) if replay.until_line is None else min(len(lines), replay.until_line + 1)
    while at < end:
        replay.at, replay.tracker = at, replay.tracker.at(at)
        if replay.number == replay.until:
            return
        judged, begun, was_lost = 1, replay.journal.replayed, replay.is_lost
        try:
            if replay.is_lost:
                replay.is_lost = not _resumes(replay, *lines[at])
            elif at not in replay.context.missing and (played := _play_plain(replay, lines, at)):
                judged = played
            else:
                _judge(replay, *lines[at])
        except Stop as stop:
            # Of a log that is replayed up to an event nobody asks what follows.
            is_last = replay.until == replay.number + 1
            pinned = stop_at(replay, stop, lines[at:], looks=not is_last)
            if is_last:
                return
            replay.is_lost = pinned is None
            # Where too much is unknown, no event is wrong, and a recorded position says again what the state is.
            if replay.is_lost and not (replay.context.options.resyncs or stop.is_given_up):
                return
            judged, was_lost = pinned or 1, True
        if was_lost:
            recorded = sum(event_count(lines.entry(each)) for each in range(at, at + judged))
            replay.skipped += recorded - (replay.journal.replayed - begun)
            replay.is_skipped = replay.until is not None and replay.number >= replay.until
            if replay.is_skipped:
                return
        at += judged
    if not replay.is_lost:
        try:
            check_dealt(replay)
        except Stop as stop:
            stop_at(replay, stop, lines[-1:])


def stop_at(replay: Replay, stop: Stop, lines: Lines, looks: bool = True) -> int | None:
    """Report why the replay cannot continue at the first of the lines, and look at those after it, if it `looks`.

    Returns how many lines there are up to a claim after which it can continue; None if there is none.
    """
    replay.journal.findings += stop.findings
    # If the replay continues after it, this finding says so.
    replay.stopped_by = len(replay.journal.findings) - 1
    replay.stopped = replay.stopped or stop.record or lines[0][0]
    replay.refusal = stop.refusal
    replay.is_given_up = replay.is_given_up or stop.is_given_up
    state = replay.tracker.state
    may_look = looks and replay.context.options.goes_on
    pinned = None
    if stop.hand is not None and may_look:
        _judge_without_card(replay, stop.hand)
    elif stop.refusal is not None and state is not None and may_look:
        pinned = judge_rest(replay, state, stop.refusal, lines)
    if looks and stop.findings and not stop.is_given_up:
        hint_resync(replay, lines)
    return pinned


def _play_plain(replay: Replay, lines: Lines, at: int) -> int:
    """Play the next lines, as far as they are events and nothing else; return how many were played.

    The last of them is not one that is illegal, or that cannot be judged without a look at anything else.
    """
    tracker = replay.tracker
    if not isinstance(tracker, StateTracker) or replay.early_end is not None or replay.dealing.is_waiting:
        return 0
    # The last event is followed by itself, so that it is known what was before it.
    end = len(lines) if replay.until is None else min(len(lines), at + replay.until - replay.number - 1)
    end = min([end, *(missing for missing in replay.context.missing if missing > at)])
    events: list[Event] = []
    for number in range(at, end):
        entry = lines.entry(number)
        if not isinstance(entry, PlainEntry):
            break
        events.append(entry.event)
    if not events:
        return 0
    engine, state = replay.context.engine, tracker.state.clone()
    played = engine.play_each(state, events)
    if played:
        replay.last, replay.turned = (replay.tracker, tuple(events[:played])), ()
        extend_run(replay, tracker, [(at + number, event) for number, event in enumerate(events[:played])])
        replay.tracker = replace(tracker, state=state)
        replay.journal.events += events[:played]
        replay.journal.replayed += played
        try:
            engine.check_game(state)
        except SpecFault as fault:
            record = lines[at + played - 1][0]
            raise Stop(rules_at_fault(engine, fault, record), record=record) from fault
    return played


def _resumes(replay: Replay, record: Record, entry: Entry | None) -> bool:
    """Continue from the position that the line records, if it records one."""
    if entry is None or entry.position is None:
        return False
    recorded = recorded_position(replay, entry.position, record)
    if not isinstance(recorded, State):
        replay.journal.findings += recorded
        return False
    replay.resume(recorded, Note(Message("verdict-goes-on-position"), record.place()))
    if replay.at == replay.until_line:
        replay.before_line = replay.tracker
    return True


def _judge(replay: Replay, record: Record, entry: Entry | None) -> None:
    """Judge one line. Raises Stop if the replay cannot continue."""
    # Its faults were reported when it was read.
    if entry is None:
        raise Stop
    # An empty entry is a note, which may be anywhere, also after the result.
    if entry == NOTE:
        return
    if replay.early_end is not None:
        raise Stop(after_the_result(record))
    # Hands are listed one after another and dealt together; before anything else they have to be dealt.
    # In a gap there may be what was dealt to others.
    if entry.several is None:
        check_dealt(replay)
    was_open = replay.tracker.state is None
    try:
        fill_in(replay, record)
        if entry.event is not None:
            play_event(replay, entry.event, record)
        if isinstance(entry.several, Deal):
            deal_hand(replay, entry.several, record)
        if isinstance(entry.several, Gap):
            follow_gap(replay, entry.several, record)
        if replay.at == replay.until_line:
            replay.before_line = replay.tracker
        if entry.position is not None:
            compare_position(replay, entry.position, record)
        if entry.claim is not None:
            check_claim(replay, entry.claim, record)
        if entry.several or entry.position or (entry.claim and (was_open or replay.tracker.state is None)):
            replay.last = replay.run = None  # more is known, or less, than after the last event
        if entry.end is not None:
            end_early(replay, entry.end, record)
    except SpecFault as fault:
        raise Stop(rules_at_fault(replay.context.engine, fault, record)) from fault
    except TooManyStates as too_many:
        raise Stop(
            too_much_unknown(record, bool(replay.missing or replay.journal.missing)), is_given_up=True
        ) from too_many


def _judge_without_card(replay: Replay, hand: Hand) -> None:
    """Judge the log as if neither the card that cannot be dealt nor its equals in other lines were known.

    What is wrong all the same, after the line at which the replay is, is added to the findings.
    """
    from .after_fault import in_any_case

    card, path = hand.event.outcome, hand.deal.path
    options = replace(replay.context.options, goes_on=False, resyncs=False, fills=False, plays=0, ends=False)
    others = Lines(
        [record for record, _ in replay.lines],
        [without_outcome(replay.context.engine, entry, path, card) for _, entry in replay.lines[: replay.at + 1]]
        + [entry for _, entry in replay.lines[replay.at + 1 :]],
        range(len(replay.lines)),
    )
    journal = Journal([], ClaimFindings(replay.context.engine))
    retried = Replay(replace(replay.context, options=options), replay.begun, journal, None)
    meter = replay.context.engine.reference.meter
    # The retries have a budget of their own, as in `after_fault`.
    meter.begin_game()
    with meter.limited(MOST_WORK_AFTER_CARD):
        follow_lines(retried, others)
    line = hand.record.place().line
    found = (*journal.findings, *journal.claims.findings())
    last = replay.lines[replay.at][0].place().line
    replay.journal.findings += [in_any_case(each, line) for each in found if each.is_error and each.span.line > last]
