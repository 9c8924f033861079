"""Explanation of one event of a log: every requirement that is tested for it, whether it is legal or not."""

from __future__ import annotations

from dataclasses import dataclass

from ...explanation.walkthrough import Examined, walkthrough
from ...play.engine import Engine
from ...state.events import Event
from ..playback.event_replay import replay
from ..playback.report import Play
from ..record import Log
from .validate import Validator


@dataclass(frozen=True, slots=True)
class ExplainedEvent:
    """An event with what it was held to.

    Attributes:
        names: the players' names; () if they have none.
        number: of the event in the play, from 1.
        is_legal: whether it could be played.
        examined: its choices and requirements, or the outcomes of the chance event.
    """

    engine: Engine
    names: tuple[str, ...]
    number: int
    event: Event
    is_legal: bool
    examined: tuple[Examined, ...]


def explain_event(validator: Validator, log: Log, number: int) -> ExplainedEvent | Play:
    """Explain the event with this number, from 1; the first one that is refused can be explained too.

    Returns the play, with its report, if it does not reach the event, or the state before the event is not known.
    """
    play = validator.play(log, until=number)
    engine, refusal = play.engine, play.refusal
    names = play.report.header.names if play.report.header else ()
    if engine is None or (play.state is None and refusal is None):
        return play
    if refusal is not None and play.state is not None and play.report.replayed == number - 1:
        state, event = play.state, refusal.event
    elif play.report.replayed < number:
        return play
    else:
        *before, event = play.events
        state = replay(engine, before, play.start).state
    examined = walkthrough(engine.reference, engine.to_reference(state), event, names)
    return ExplainedEvent(engine, names, number, event, refusal is None, examined)
