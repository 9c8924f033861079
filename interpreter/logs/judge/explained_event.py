"""Explanation of one event of a log: every requirement that is tested for it, whether it is legal or not."""

from __future__ import annotations

from dataclasses import dataclass

from ...explanation.walkthrough import Examined, walkthrough
from ...play.engine import Engine
from ...state.events import Event
from ..record import Log
from ..tracking.report import Play
from .possible_examination import possible_walkthrough
from .validate import Validator


@dataclass(frozen=True, slots=True)
class ExplainedEvent:
    """An event with the requirements that were tested for it.

    Attributes:
        names: the players' names; () if they have none.
        number: of the event in the play, from 1.
        is_legal: whether it could be played; it may have been illegal in some of the games that were possible.
        is_known: whether the state before it is known; otherwise `examined` is about every state that may be.
        is_certain: whether the event is known and legal, or illegal, in every state that may be.
        examined: its choices and requirements, or the outcomes of the chance event.
    """

    engine: Engine
    names: tuple[str, ...]
    number: int
    event: Event
    is_legal: bool
    is_known: bool
    is_certain: bool
    examined: tuple[Examined, ...]


def explain_event(
    validator: Validator, log: Log, number: int, fills: bool = False, resyncs: bool = False
) -> ExplainedEvent | Play:
    """Explain the event with this number, from 1; the first one that is refused can be explained too.

    Where the state before it is not known, it is explained by every state that may be. Returns the play, with its
    report, if it does not reach the event. fills, resyncs: as in `Validator.play`, to reach an event after a fault.
    """
    # `plays=0` leaves out the search for complete plays: nobody could say what holds in all that it finds.
    play = validator.play(log, until=number, plays=0, fills=fills, goes_on=resyncs, resyncs=resyncs)
    engine, refusal, before = play.engine, play.refusal, play.before
    names = play.report.header.names if play.report.header else ()
    is_legal = play.reached == number
    # An event that is refused can be explained only if it is this one: the play does not go past it.
    if engine is None or before is None or not (is_legal or (refusal and play.reached == number - 1)):
        return play
    event = refusal.event if refusal and not is_legal else play.events[-1]
    if before.state is not None:
        examined = walkthrough(engine.reference, engine.to_reference(before.state), event, names)
        return ExplainedEvent(engine, names, number, event, is_legal, True, True, examined)
    examination = possible_walkthrough(before.belief, event, names)
    return ExplainedEvent(
        engine, names, number, event, is_legal, False, examination.is_certain or not is_legal, examination.examined
    )
