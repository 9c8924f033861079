"""Two games played in step until they part: a log on which two editions disagree."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Literal

from .engine import Engine
from .events import Awaits, ChanceEvent, Event, Move, SpecFault
from .state import State

Parting = Literal["legal-moves", "score", "setup", "flow"]


@dataclass(frozen=True, slots=True)
class Witness:
    """A play that is legal in both games as far as it goes, and what tells them apart behind it.

    Attributes:
        events: common to both.
        event: what only one of them allows next; None where what they come to differs.
        allowed_left: whether the left game is the one that allows it.
        parting: how they part.
    """

    events: tuple[Event, ...]
    event: Event | None
    allowed_left: bool
    parting: Parting

    @property
    def length(self) -> int:
        return len(self.events) + (self.event is not None)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a search that found nothing has looked at."""

    plays: int
    events: int
    deepest: int
    seconds: float


class Search:
    """A search for the shortest log on which two games part.

    focus: actions to be tried more often than others, since what differs hangs on them.
    """

    def __init__(self, left: Engine, right: Engine, focus: Container[str] = (), seed: int = 0) -> None:
        self._left, self._right, self._focus = left, right, focus
        self._rng = Random(seed)
        self.plays = self.events = self.deepest = 0

    def run(self, seconds: float, enough: int = 40) -> tuple[Witness | None, Bounds]:
        """Play until the time is over, or the shortest witness was not bettered by so many plays in a row."""
        begun, best, unbettered = monotonic(), None, 0
        while monotonic() - begun < seconds and not (best and unbettered >= enough):
            found = self._play(best.length - 1 if best else None, begun + seconds)
            self.plays += 1
            unbettered = 0 if found else unbettered + 1
            best = found or best
        return best, Bounds(self.plays, self.events, self.deepest, monotonic() - begun)

    def _play(self, most: int | None, until: float) -> Witness | None:
        """One play in step; a witness of at most so many events, if it comes to one."""
        left, right = self._left.start(), self._right.start()
        events: list[Event] = []
        while most is None or len(events) <= most:
            if monotonic() > until:
                return None
            parted = self._parted(left, right, events)
            if parted is not None:
                return parted if most is None or parted.length <= most else None
            if self._left.is_terminal(left):
                return None
            event = self._next(left)
            try:
                refused = self._left.advance(left, event) or self._right.advance(right, event)
            except SpecFault:
                return None
            assert refused is None, refused
            events.append(event)
            self.events += 1
            self.deepest = max(self.deepest, len(events))
        return None

    def _parted(self, left: State, right: State, events: Sequence[Event]) -> Witness | None:
        """How the two games part here, if they do."""
        before = tuple(events)
        if self._left.awaits(left) is not self._right.awaits(right):
            event = next(self._options(self._left, left), None)
            if event is not None:
                return Witness(before, event, True, "flow")
            event = next(self._options(self._right, right), None)
            return Witness(before, event, False, "flow")
        if self._left.awaits(left) is Awaits.NOTHING:
            same = self._result(self._left, left) == self._result(self._right, right)
            return None if same else Witness(before, None, True, "score")
        mine, theirs = list(self._options(self._left, left)), list(self._options(self._right, right))
        kind: Parting = "setup" if not any(isinstance(event, Move) for event in events) else "legal-moves"
        for one, other, is_left in ((mine, theirs, True), (theirs, mine, False)):
            known = set(other)
            only = next((event for event in one if event not in known), None)
            if only is not None:
                return Witness(before, only, is_left, kind)
        return None

    @staticmethod
    def _options(engine: Engine, state: State) -> Iterator[Event]:
        chances = engine.chance(state)
        yield from (event for event, _ in chances) if chances else engine.legal_moves(state)

    @staticmethod
    def _result(engine: Engine, state: State) -> object:
        return engine.returns(state), engine.winners(state).winners

    def _next(self, state: State) -> Event:
        """An event of the left game, those in focus three times as likely."""
        options = list(self._options(self._left, state))
        weights = [3 if isinstance(event, Move) and self._is_in_focus(event) else 1 for event in options]
        return self._rng.choices(options, weights)[0]

    def _is_in_focus(self, move: Move) -> bool:
        return move.action.split(".")[0] in self._focus


__all__ = ["Bounds", "ChanceEvent", "Search", "Witness"]
