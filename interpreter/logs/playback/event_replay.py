"""Replay of events, up to the first that is illegal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Refusal


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of replaying a list of events, up to the first that is refused.

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
    # `play_each` does not say why it stopped. So the next event is tried once more, for its refusal.
    for event in listed[played:]:
        refusal = engine.advance(state, event)
        if refusal is not None:
            return Replayed(state, played, refusal)
        played += 1
    return Replayed(state, played, None)
