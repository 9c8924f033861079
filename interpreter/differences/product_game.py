"""Two games of one name played in step, event by event, until they part."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ludex.spec import model as m

from ..logs import LineReader, line_of
from ..play.engine import Engine
from ..program import State
from ..state.events import Awaits, Event, SpecFault
from .contrast import Contrast, Telling, contrast
from .row_result import Parting


@dataclass(frozen=True, slots=True)
class Witness:
    """A play that is legal in both games as far as it goes, and what tells them apart behind it.

    Attributes:
        events: common to both.
        event: what only one of them allows next; None where both are over, and what they come to differs.
        in_left: whether the left game is the one that allows it.
    """

    events: tuple[Event, ...]
    event: Event | None
    in_left: bool
    parting: Parting

    @property
    def length(self) -> int:
        """How many events are shown, the one that only one game allows among them."""
        return len(self.events) + (self.event is not None)


@dataclass(slots=True)
class Both:
    """Where two plays stand that had the same events. offered: what can follow in the left one, once that is known."""

    left: State
    right: State
    offered: tuple[Event, ...] | None = None

    def clone(self) -> Both:
        """A copy whose states can be changed."""
        return Both(self.left.clone(), self.right.clone(), self.offered)

    def key(self) -> Hashable:
        """Equal where both states are equal."""
        return self.left.key(), self.right.key()


class Stuck(Exception):
    """In one game or in both the rules do not say what happens now. alone: only in one of them."""

    def __init__(self, left: SpecFault | bool, right: SpecFault | bool) -> None:
        faults = [each for each in (left, right) if isinstance(each, SpecFault)]
        self.alone = len(faults) == 1 and (left is False or right is False)
        self.path = faults[0].path
        super().__init__(faults[0].message)

    @property
    def parting(self) -> Parting:
        """What it is that cannot go on."""
        return "setup" if (self.path or "").split(".")[0] == "setup" else "legal-moves"


class Pair:
    """Two games at one table. Where positions are the same, and what is on offer is judged alike in both, the options
    of only one are listed."""

    def __init__(self, left: Engine, right: Engine, told: tuple[Telling, Telling]) -> None:
        """told: what both games say."""
        self.left, self.right = left, right
        self.contrast: Contrast = contrast(*told)
        self._reader = LineReader(right.game)

    def start(self) -> Both:
        """Where both begin. Raises Stuck."""
        left, right = _started(self.left), _started(self.right)
        if isinstance(left, SpecFault) or isinstance(right, SpecFault):
            faults = (each if isinstance(each, SpecFault) else False for each in (left, right))
            raise Stuck(*faults)
        return Both(left, right)

    def play(self, both: Both, event: Event) -> bool:
        """Play an event of the left game in both; whether that went well. If not, the plays are of no use any more.
        Raises Stuck."""
        both.offered, theirs = None, self._theirs(event)
        mine = _advance(self.left, both.left, event)
        other = _advance(self.right, both.right, theirs) if theirs is not None else True
        if isinstance(mine, SpecFault) or isinstance(other, SpecFault):
            raise Stuck(mine, other)
        return not mine and not other

    def options(self, both: Both) -> tuple[Event, ...]:
        """All that can follow in the left game."""
        if both.offered is None:
            both.offered = options(self.left, both.left)
        return both.offered

    def _theirs(self, event: Event) -> Event | None:
        """The event as one of the right game; None if it cannot be one."""
        if self.contrast.types:
            return event
        read = self._reader.read(line_of(self.left.game, event))
        return None if isinstance(read, tuple) else read.event

    # ---- what differs

    def differs(self, both: Both) -> bool:
        """Whether the positions are known to differ."""
        left, right = both.left, both.right
        return left.cells != right.cells or left.pools != right.pools

    def is_touched(self, both: Both) -> bool:
        """Whether a move is on offer whose values or requirements are not the same in both games."""
        awaited = self.left.statement(both.left)
        if not isinstance(awaited, m.Decide | m.Simultaneous):
            return False
        names = (each.action if isinstance(each, m.ActionOption) else each.name for each in awaited.options)
        return any(name in self.contrast.offers for name in names)

    def _is_quiet(self, both: Both) -> bool:
        """Whether both surely offer the same: not a proof, which is why all is compared now and then."""
        left, right = both.left, both.right
        return (
            self.contrast.types
            and not self.is_touched(both)
            and not self.differs(both)
            and [each.slots for each in self.left.frames(left)] == [each.slots for each in self.right.frames(right)]
            and self.left.offered(left) == self.right.offered(right)
            and self.left.to_move(left) == self.right.to_move(right)
        )

    def parted(self, both: Both, before: Sequence[Event], thorough: bool) -> Witness | None:
        """How the two part here, if they do. thorough: compare all options even where that is hardly needed."""
        awaits = self.left.awaits(both.left)
        if awaits is not self.right.awaits(both.right):
            mine = options(self.left, both.left)
            theirs = () if mine else options(self.right, both.right)
            return Witness(tuple(before), (*mine, *theirs)[0], bool(mine), self._kind(both))
        if awaits is Awaits.NOTHING:
            here, there = result(self.left, both.left), result(self.right, both.right)
            unsaid = isinstance(here, str) and isinstance(there, str)
            return None if unsaid or here == there else Witness(tuple(before), None, True, "score")
        if not thorough and self._is_quiet(both):
            return None
        return self._by_options(both, before)

    def _by_options(self, both: Both, before: Sequence[Event]) -> Witness | None:
        mine, theirs = self.options(both), options(self.right, both.right)
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

    def _kind(self, both: Both) -> Parting:
        frames = *self.left.frames(both.left), *self.right.frames(both.right)
        return "setup" if any(frame.routine == "setup" for frame in frames) else "legal-moves"


def options(engine: Engine, state: State) -> tuple[Event, ...]:
    """All that can happen next: outcomes of chance, or legal moves. A move after which the rules do not say what
    happens is one of them."""
    return tuple(event for event, _ in engine.chance(state)) or engine.legal_moves(state)


def _started(engine: Engine) -> State | SpecFault:
    try:
        return engine.start()
    except SpecFault as fault:
        return fault


def _advance(engine: Engine, state: State, event: Event) -> SpecFault | bool:
    """Whether the event is refused, or what is wrong with the rules."""
    try:
        return engine.advance(state, event) is not None
    except SpecFault as fault:
        return fault


def result(engine: Engine, state: State) -> object:
    """Points and winners at the end; or that the rules do not say what they are."""
    try:
        return engine.returns(state), engine.winners(state)
    except SpecFault as fault:
        return fault.message
