"""Replay of recorded events. A log may leave out a `decline`, which is then filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...play.engine import Engine
from ...program import State
from ...state.events import DECLINE, Event, Move, Refusal, SpecFault

MOST_DECLINES = 64
"""Most states after declines that are searched where a log may leave declines out."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """How far a list of events could be replayed.

    Attributes:
        state: after the last legal event.
        played: number of events that were played.
        refusal: why the next one is illegal; None if all were played.
    """

    state: State
    played: int
    refusal: Refusal | None


def replay(engine: Engine, events: Iterable[Event], state: State | None = None) -> Replayed:
    """Play the events up to the first illegal one, from a copy of the state (None: from the start)."""
    state, listed = engine.start() if state is None else state.clone(), list(events)
    played = engine.play_each(state, listed)
    for event in listed[played:]:
        refusal = engine.advance(state, event)
        if refusal is not None:
            return Replayed(state, played, refusal)
        played += 1
    return Replayed(state, played, None)


@dataclass(frozen=True, slots=True)
class Filled:
    """Declines that were left out of a log, and the state after them."""

    declines: tuple[Move, ...]
    state: State


def fill_declines(engine: Engine, state: State, fits: Callable[[State], bool]) -> tuple[Filled, ...]:
    """Find the declines after which the next line is legal or true, by breadth-first search.

    Returns at most two ways, as two are already ambiguous. The search goes on behind the first: if a line fits after
    one decline and after three, only the players know which happened.
    """
    ways: list[Filled] = []
    seen = {state.key()}
    waiting = [Filled((), state)]
    while waiting and len(ways) < 2 and len(seen) <= MOST_DECLINES:
        here = waiting.pop(0)
        for seat in engine.to_move(here.state):
            declined = _declined(engine, here, Move(seat, DECLINE))
            if declined is None or declined.state.key() in seen:
                continue
            seen.add(declined.state.key())
            waiting.append(declined)
            if _fits(fits, declined.state):
                ways.append(declined)
    return tuple(ways[:2])


def _fits(fits: Callable[[State], bool], state: State) -> bool:
    try:
        return fits(state)
    except SpecFault:
        return False


def _declined(engine: Engine, here: Filled, decline: Move) -> Filled | None:
    state = here.state.clone()
    try:
        is_legal = engine.play(state, decline)
    except SpecFault:
        return None
    return Filled((*here.declines, decline), state) if is_legal else None
