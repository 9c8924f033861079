"""The product game: two games of one name played in lockstep, event by event, until they differ."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ludex.spec import model as m

from ..logs import LineReader, line_of
from ..play.engine import Engine
from ..program import State
from ..state.events import Awaits, Event, SpecFault
from .contrast import Contrast, Parts, contrast
from .row_result import Parting


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness: a play that is legal in both games, and their difference after it.

    Attributes:
        events: common to both.
        event: the next event, which only one of them allows; None if both are over with different results.
        in_left: whether the left game allows it.
    """

    events: tuple[Event, ...]
    event: Event | None
    in_left: bool
    parting: Parting

    @property
    def length(self) -> int:
        """The number of events, including the one that only one game allows."""
        return len(self.events) + (self.event is not None)


@dataclass(slots=True)
class ProductState:
    """A position of the product game: the states of two plays with the same events.

    offered: the events that can follow in the left one; None before they are computed.
    """

    left: State
    right: State
    offered: tuple[Event, ...] | None = None

    def clone(self) -> ProductState:
        """Return a copy whose states can be changed."""
        return ProductState(self.left.clone(), self.right.clone(), self.offered)

    def key(self) -> Hashable:
        """Return a key that is equal if both states are equal."""
        return self.left.key(), self.right.key()


class Stuck(Exception):
    """Raised where a spec fault ends the play in one game or both. alone: the other game can continue."""

    def __init__(self, left: SpecFault | bool, right: SpecFault | bool) -> None:
        faults = [each for each in (left, right) if isinstance(each, SpecFault)]
        self.alone = len(faults) == 1 and (left is False or right is False)
        # If both fail, the left one's place is as good as the other's.
        self.path = faults[0].path
        super().__init__(faults[0].message)

    @property
    def parting(self) -> Parting:
        """The kind of difference that the fault is: in set-up or in play."""
        return "setup" if (self.path or "").split(".")[0] == "setup" else "legal-moves"


class ProductGame:
    """Two games at one table, played in lockstep.

    In a position where nothing differs yet (`_is_quiet`), the options of the left game are taken for those of both.
    """

    def __init__(self, left: Engine, right: Engine, parts: tuple[Parts, Parts]) -> None:
        """parts: the parts of both games' models, as `contrast` compares them."""
        self.left, self.right = left, right
        self.contrast: Contrast = contrast(*parts)
        self._reader = LineReader(right.game)

    def start(self) -> ProductState:
        """Start both games. Raises Stuck."""
        left, right = _started(self.left), _started(self.right)
        if isinstance(left, SpecFault) or isinstance(right, SpecFault):
            faults = (each if isinstance(each, SpecFault) else False for each in (left, right))
            raise Stuck(*faults)
        return ProductState(left, right)

    def play(self, both: ProductState, event: Event) -> bool:
        """Play an event of the left game in both, in place; return whether both accept it.

        If not, or if it raises Stuck, the position must not be used any more.
        """
        # The list belonged to the position before the event.
        both.offered, theirs = None, self._theirs(event)
        mine = _advance(self.left, both.left, event)
        other = _advance(self.right, both.right, theirs) if theirs is not None else True  # not to have it is to refuse
        if isinstance(mine, SpecFault) or isinstance(other, SpecFault):
            raise Stuck(mine, other)
        return not mine and not other

    def options(self, both: ProductState) -> tuple[Event, ...]:
        """List all events that can follow in the left game."""
        if both.offered is None:
            both.offered = _options(self.left, both.left)
        return both.offered

    def _theirs(self, event: Event) -> Event | None:
        """Convert the event to one of the right game; None if that game has no such event."""
        if self.contrast.types:  # values have the same representation in both games
            return event
        read = self._reader.read(line_of(self.left.game, event))
        return None if isinstance(read, tuple) else read.event

    # ---- what differs

    def differs(self, both: ProductState) -> bool:
        """Test whether the states are known to differ."""
        left, right = both.left, both.right
        return left.cells != right.cells or left.pools != right.pools

    def is_touched(self, both: ProductState) -> bool:
        """Test whether a move is on offer whose values or requirements differ between the games."""
        awaited = self.left.statement(both.left)
        if not isinstance(awaited, m.Asking):
            return False
        names = (each.name for each in awaited.options)
        return any(name in self.contrast.offers for name in names)

    def _is_quiet(self, both: ProductState) -> bool:
        """Guess whether both games offer the same events. It is not a proof, so callers compare all now and then."""
        left, right = both.left, both.right
        return (
            self.contrast.types
            and not self.is_touched(both)
            and not self.differs(both)
            and [each.slots for each in self.left.frames(left)] == [each.slots for each in self.right.frames(right)]
            and self.left.offered(left) == self.right.offered(right)
            and self.left.to_move(left) == self.right.to_move(right)
        )

    def witness_here(self, both: ProductState, before: Sequence[Event], thorough: bool) -> Witness | None:
        """Return a witness if the games part in this position; None if not.

        Args:
            before: the events that led here.
            thorough: compare all options, also where the games seem to offer the same ones.
        """
        awaits = self.left.awaits(both.left)
        if awaits is not self.right.awaits(both.right):
            mine = _options(self.left, both.left)
            theirs = () if mine else _options(self.right, both.right)
            # If one awaits a move, say, and the other chance, no event is common, so any of them is a witness.
            return Witness(tuple(before), (*mine, *theirs)[0], bool(mine), self._kind(both))
        if awaits is Awaits.NOTHING:
            here, there = result(self.left, both.left), result(self.right, both.right)
            # Two rules that are silent about the result agree, however they word it.
            undefined = isinstance(here, str) and isinstance(there, str)
            return None if undefined or here == there else Witness(tuple(before), None, True, "score")
        if not thorough and self._is_quiet(both):
            return None
        return self._by_options(both, before)

    def _by_options(self, both: ProductState, before: Sequence[Event]) -> Witness | None:
        mine, theirs = self.options(both), _options(self.right, both.right)
        here = {self._key(self.left, event): event for event in mine}
        there = {self._key(self.right, event): event for event in theirs}
        if here.keys() == there.keys():
            return None
        only = next((event for key, event in here.items() if key not in there), None)
        if only is not None:
            return Witness(tuple(before), only, True, self._kind(both))
        only = next(event for key, event in there.items() if key not in here)
        return Witness(tuple(before), only, False, self._kind(both))

    def _key(self, engine: Engine, event: Event) -> Hashable:
        return event if self.contrast.types else json.dumps(line_of(engine.game, event), sort_keys=True)

    def _kind(self, both: ProductState) -> Parting:
        frames = *self.left.frames(both.left), *self.right.frames(both.right)
        return "setup" if any(frame.routine == "setup" for frame in frames) else "legal-moves"


def _options(engine: Engine, state: State) -> tuple[Event, ...]:
    """List all events that can follow: outcomes of chance, or legal moves, also those that lead to a spec fault."""
    return tuple(event for event, _ in engine.chance(state)) or engine.legal_moves(state)


def _started(engine: Engine) -> State | SpecFault:
    try:
        return engine.start()
    except SpecFault as fault:
        return fault


def _advance(engine: Engine, state: State, event: Event) -> SpecFault | bool:
    """Play the event; return whether it is refused, or the spec fault."""
    try:
        return engine.advance(state, event) is not None
    except SpecFault as fault:
        return fault


def result(engine: Engine, state: State) -> object:
    """Return points and winners at the end; the message of the spec fault if the rules do not define them."""
    try:
        return engine.returns(state), engine.winners(state)
    except SpecFault as fault:
        return fault.message
