"""Pursuits: the plays of a log that are followed: all of them, by states that cover them, or a sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from ludex.spec import model as m
from ludex.spec import types as t

from ..generator import Generator
from ..information.event_visibility import is_hidden
from ..program import State as KnownState
from ..state.events import ChanceEvent, Event, Move
from ..state.stock import PieceKind
from .following import Guess, PossibleState

Item = TypeVar("Item")

OPEN_WEIGHT = 8
"""The weight of a state with unknown parts, in known states: it takes longer to follow, and covers more plays."""

_FEW = 8
"""The most outcomes of an unseen chance event for which each outcome is tried."""

_OTHERS = 2
"""The number of outcomes of an unseen chance event that are tried besides those that the log makes likely."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A random sample of the plays, found by a particle filter: after each line some of the states are kept.

    Attributes:
        generator: makes the choices.
        size: how many states are kept.
        likely: pieces that moves of the log name and no chance event: they came up unseen.
        guesses: whether values that came up unseen are guessed; if not, they stay unknown.
    """

    generator: Generator
    size: int
    likely: frozenset[PieceKind]
    guesses: bool

    def of(self, states: Iterable[PossibleState]) -> Sequence[PossibleState]:
        """Return the states that are kept of some."""
        kept, weight = list[PossibleState](), 0
        for state in self._shuffled(states):
            if weight >= self.size:
                break
            kept.append(state)
            weight += 1 if isinstance(state, KnownState) else OPEN_WEIGHT
        return kept

    def guessed(self, game: m.Game, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events that are tried, of the possible events of one kind, in a random order."""
        first = events[0] if events else None
        if not isinstance(first, ChanceEvent) or len(events) <= _FEW:
            yield from self._shuffled(events)
            return
        # Of many outcomes only some can be tried: those that moves of the log name later, and a few others, since not
        # every piece that came up is named.
        of = str(game.chances[first.path].outcome)
        others = list[Event]()
        for event in events:
            if isinstance(event, ChanceEvent) and (of, event.outcome) in self.likely:
                yield event
            else:
                others.append(event)
        yield from islice(self._shuffled(others), _OTHERS)

    def _shuffled(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items in a random order, lazily."""
        left = list(items)
        # Most callers stop early, so the items are not all exchanged first.
        while left:
            at = self.generator.below(len(left))
            left[at], left[-1] = left[-1], left[at]
            yield left.pop()


@dataclass(frozen=True, slots=True)
class Pursuit:
    """The selection of plays that are followed.

    Attributes:
        declines: whether plays are included in which declines were left out of the log.
        sample: None if all are followed.
    """

    declines: bool = False
    sample: Sample | None = None

    def guess(self, game: m.Game) -> Guess | None:
        """Return the guess of values that came up unseen; None if they stay unknown."""
        sample = self.sample
        return None if sample is None or not sample.guesses else lambda events: sample.guessed(game, events)


AS_RECORDED = Pursuit()
"""Follows all plays with exactly the declines that the log records."""


def likely_pieces(game: m.Game, events: Iterable[Event]) -> frozenset[PieceKind]:
    """Return the pieces and other values that moves name, and no chance event does."""
    drawn, named = set[PieceKind](), set[PieceKind]()
    for event in events:
        if isinstance(event, ChanceEvent):
            if event.path in game.chances and not is_hidden(event.outcome):
                drawn.add((str(game.chances[event.path].outcome), event.outcome))
        elif event.action in game.moves:
            named.update(named_pieces(game, event))
    return frozenset(named - drawn)


def named_pieces(game: m.Game, move: Move) -> Iterable[PieceKind]:
    """Yield the pieces and other values that a move names."""
    types = {name: of for name, of, _ in game.moves[move.action].arguments}
    for name, value in move.arguments:
        if name in types and not is_hidden(value):
            of = t.strip_optional(types[name])
            item = t.element_type(of)
            items = (value,) if item is None else value if isinstance(value, tuple | frozenset) else ()
            yield from ((str(item or of), each) for each in items)
