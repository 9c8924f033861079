"""Events of random plays: one of each action and each chance event, as far as a few plays have them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ..generator import Generator
from ..play.engine import Engine
from ..state.events import Event, Move
from .playouts import playout

_MOST_PLAYS = 12
_MOST_EVENTS = 6_000
"""The largest number of events that are examined in all plays."""


def sample_events(engine: Engine) -> dict[str, Event]:
    """Return an event of each action and of each chance event, by name; the same ones each time.

    Of moves, one that takes something is preferred: a rare action may be missing.
    """
    game = engine.game
    wanted = {*game.moves, *game.chances}
    samples: dict[str, Event] = {}
    left = _MOST_EVENTS
    for number in range(_MOST_PLAYS):
        for event in _events(engine, number, left):
            left -= 1
            name = event.action if isinstance(event, Move) else event.path
            if name not in samples or (isinstance(event, Move) and _is_fuller(event, samples[name])):
                samples[name] = event
        if left <= 0 or wanted <= samples.keys():
            break
    return samples


def _events(engine: Engine, number: int, most: int) -> Iterable[Event]:
    return (turn.event for turn in islice(playout(engine, Generator(0, number)), most))


def _is_fuller(move: Move, other: Event) -> bool:
    """Test whether a move states more than another: something in place of nothing."""
    stated = [value for _, value in move.arguments if value not in (None, (), frozenset())]
    others = other.arguments if isinstance(other, Move) else ()
    return len(stated) > len([value for _, value in others if value not in (None, (), frozenset())])
