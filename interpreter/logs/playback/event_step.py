"""Replay of one event: it is played, or refused, or explained by events that are missing before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from ludex.grammar import Note
from ludex.spec import model as m

from ...explanation.wording import why
from ...information.visibility import is_partial
from ...state.events import ChanceEvent, Event, Refusal, SpecFault, TooManyStates, Trace
from ...state.stock import inventory
from .. import log_codes
from ..record import Record
from ..tracking.clause_text import worded
from ..tracking.earlier_records import PieceCounts, recorded_before
from ..tracking.event_findings import passed_over
from ..tracking.tracker import Illegal, StateTracker, Taken, Tracker
from .replay_state import ChanceRunSoFar, Replay, Stop

if TYPE_CHECKING:
    from ..tracking.missing_lines import ChanceRun

NAMES_A_PIECE = (log_codes.WRONG_OUTCOME, log_codes.ILLEGAL_MOVE)
"""The codes of events that may name a piece which is recorded elsewhere."""


def play_event(replay: Replay, event: Event, record: Record, pointer: str = "/outcome") -> None:
    """Play an event. pointer: to the outcome of a chance event in its record. Raises Stop if the event is illegal."""
    # A partly unknown event may lead from one state to several.
    if is_partial(event):
        replay.tracker = replay.tracker_of(replay.tracker.belief)
    replay.before, after = replay.tracker, replay.tracker.after(event)
    if isinstance(after, Illegal) and isinstance(event, ChanceEvent) and _was_turned_up(replay, event):
        # The line belongs to that event, and is explained by it.
        replay.before = replay.last[0] if replay.last else replay.before
        replay.journal.replayed += 1
        return
    if isinstance(after, Illegal) and after.may_fit and replay.context.pursuit is not None:
        # There are several ways to decline, so the play may be in several states.
        replay.tracker = replay.tracker_of(replay.tracker.belief)
        after = replay.tracker.after(event)
    if isinstance(after, Illegal) and replay.context.options.fills and not replay.context.missing:
        after = _after_missing(replay, event) or after
    if isinstance(after, Illegal):
        finding = replay.tracker.finding(after, record)
        notes = _passed_over_notes(replay, after.refusal) if after.refusal and replay.context.options.explains else ()
        if after.refusal and replay.context.options.explains and finding.code in NAMES_A_PIECE:
            refused_at = record.place(pointer if isinstance(event, ChanceEvent) else finding.pointer or "")
            before = replay.lines[: replay.at + 1]
            notes = (*notes, *recorded_before(stock_of(replay), after.refusal, before, refused_at))
        if finding.code is log_codes.AFTER_THE_END:
            game = replay.context.engine.game
            finding = replace(finding, why=worded(game, why(game, ended_by(replay))))
        raise Stop(replace(finding, notes=(*finding.notes, *notes)), refusal=after.refusal)
    # What is shown before an event is after the declines that were filled in.
    for decline in after.declines:
        declined = replay.before.after(decline)
        replay.before = declined.tracker if isinstance(declined, Taken) else replay.before
    replay.last, replay.turned = (replay.before, (event,)), ()
    replay.run = None if after.declines else replay.run
    extend_run(replay, replay.before, [(replay.at, event)])
    replay.continue_with(after.tracker, after.declines, record)
    replay.journal.events.append(event)
    replay.journal.replayed += 1
    if replay.tracker.state is not None:
        replay.context.engine.check_game(replay.tracker.state)


def stock_of(replay: Replay) -> PieceCounts:
    """Return the game and how often it has each piece."""
    game, state = replay.context.engine.game, replay.tracker.state
    # Every state that may be has the same pieces.
    return PieceCounts(game, inventory(game, replay.tracker.belief.references[0] if state is None else state))


def _was_turned_up(replay: Replay, event: ChanceEvent) -> bool:
    """Return whether the last event turned the piece up, which was no chance event as somebody knew where it was.

    The line is then true, and what it says is known from here on.
    """
    if replay.last is None or event.path not in replay.context.engine.game.chances or event.outcome is None:
        return False
    tracker, last = _before_last(replay, *replay.last)
    turned = (*replay.turned, (event.path, event.outcome))
    belief = tracker.belief.after_turning(last, turned)
    if belief is None:
        return False
    replay.turned = turned
    if replay.tracker.state is None:
        replay.tracker = replay.tracker_of(belief).settled()
    return True


def _before_last(replay: Replay, tracker: Tracker, events: tuple[Event, ...]) -> tuple[Tracker, Event]:
    """Return the last of some events, and what is known before it. tracker: before all of them."""
    if tracker.state is not None and events[1:]:
        state = tracker.state.clone()
        replay.context.engine.play_each(state, events[:-1])
        tracker = StateTracker(replay.context, state)
    replay.last = tracker, events[-1:]
    return tracker, events[-1]


def ended_by(replay: Replay) -> tuple[str, ...]:
    """Return the path of the clause by which the game ended with the last event: the last one of the flow if no other
    ended it. () if that is a conditional one, if the state before the event is not known, or if nobody asks."""
    if replay.last is None or not replay.context.options.explains:
        return ()
    before, event = _before_last(replay, *replay.last)
    if before.state is None:
        return ()
    engine, trace = replay.context.engine, Trace()
    with suppress(SpecFault):
        engine.reference.apply(engine.to_reference(before.state), event, trace)
    if trace.ended:
        return (trace.ended,)
    last_step = engine.game.play.body
    while isinstance(last_step, m.Sequence) and last_step.body:
        last_step = last_step.body[-1]
    # A conditional part may have done nothing, and so ended nothing.
    return () if isinstance(last_step, m.IfStep) else (last_step.path,)


def _passed_over_notes(replay: Replay, refusal: Refusal) -> Iterable[Note]:
    """Say that the decision of a refused move was passed over after the last event."""
    if replay.last is None:
        return ()
    tracker, last = _before_last(replay, *replay.last)
    return () if tracker.state is None else passed_over(replay.context.engine, tracker.state, last, refusal)


def _after_missing(replay: Replay, event: Event) -> Taken | Illegal | None:
    """Look for the events that are missing before this one; return what is after it then.

    None if nothing was found that could be missing. Raises TooManyStates if the states after it are too many.
    """
    from ..tracking.missing_lines import missing_before

    missing = missing_before(replay.tracker.belief.at(replay.at), event, chance_run(replay))
    if missing is None:
        return None
    if missing.after is None:
        raise TooManyStates
    replay.tracker = replay.before = replay.tracker_of(missing.after)
    replay.last = None  # what is missing is the last event now
    run = missing.run
    replay.run = None if run is None else ChanceRunSoFar(replay.tracker, (), run.events, run.known)
    return replay.tracker.after(event)


def fill_in(replay: Replay, record: Record) -> None:
    """Continue after the events that are missing before a line. Raises Stop if one of them is refused."""
    context = replay.context
    events = (context.missing if context.guessed is None else context.guessed).get(replay.at, ())
    if not events:
        return
    belief = replay.tracker.belief.at(replay.at)
    for event in events:
        after = belief.after(event)
        if isinstance(after, Refusal):
            raise Stop(replay.tracker_of(belief).finding(Illegal(after), record))
        belief = after
    replay.tracker, replay.last, replay.run = replay.tracker_of(belief).settled(), None, None


def extend_run(replay: Replay, before: Tracker, played: Sequence[tuple[int, Event]]) -> None:
    """Note the last chance events. before: what was known before all that were played."""
    run = tuple(takewhile(lambda each: isinstance(each[1], ChanceEvent), reversed(played)))[::-1]
    others = tuple(event for _, event in played[: len(played) - len(run)])
    if others or replay.run is None:
        replay.run = ChanceRunSoFar(before, others, run) if run else None
    else:
        replay.run = replace(replay.run, events=(*replay.run.events, *run))


def chance_run(replay: Replay) -> ChanceRun | None:
    """Return the last chance events, and what is known before them."""
    from ..tracking.missing_lines import ChanceRun

    run = replay.run
    if run is None:
        return None
    if run.known:
        return ChanceRun(run.known, run.events)
    tracker = run.tracker
    if run.others and isinstance(tracker, StateTracker):
        state = tracker.state.clone()
        replay.context.engine.play_each(state, run.others)
        tracker = replace(tracker, state=state)
    return ChanceRun((tracker.belief,), run.events)
