"""Two games of one name played in step, event by event, until they part."""

from __future__ import annotations

import json
from collections.abc import Container, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ludex.spec import types as t

from ..engine import Engine
from ..events import DECLINE, Awaits, ChanceEvent, Event, Move, SpecFault
from ..instructions import Decide, Together, as_player
from ..logs import LineReader, line_of
from ..machine import SETUP, Watch
from ..state import State
from .contrast import Contrast, contrast
from .unlike import Parts, Unlike, unlike

Parting = Literal["legal-moves", "score", "setup"]


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


class Both:
    """Where two plays stand that had the same events. offered: what can follow in the left one, once that is known.

    As long as both are known to stand alike, only the left one is played. Then `own` tells how many frames at the
    bottom of the stack are the right game's own: those that stand in what is not the same in both, and that nothing
    has come back to. All else of the right state is as in the left one."""

    __slots__ = ("_right", "left", "offered", "own")

    def __init__(self, left: State, right: State, offered: tuple[Event, ...] | None = None) -> None:
        self.left, self._right, self.offered = left, right, offered
        self.own: int | None = None

    @property
    def right(self) -> State:
        """The state of the right game. It is not to be changed while `own` is set."""
        return self._right if self.own is None else self.as_left(self.left)

    def as_left(self, left: State) -> State:
        """The right state where the left one was this, and both stood alike."""
        frames = [frame.clone() for frame in (*self._right.frames[: self.own], *left.frames[self.own :])]
        return State(list(left.cells), left.pools, frames)

    def part(self, right: State) -> None:
        """From now on both are played."""
        self._right, self.own = right, None

    def below(self) -> list[tuple[list[t.Value], list[t.Value]]]:
        """The slots of the frames that are each game's own."""
        return [
            (one.slots, other.slots)
            for one, other in zip(self.left.frames[: self.own], self._right.frames, strict=False)
        ]

    def clone(self) -> Both:
        """A copy whose states can be changed."""
        made = Both(self.left.clone(), self._right if self.own is not None else self._right.clone(), self.offered)
        made.own = self.own
        return made

    def key(self) -> Hashable:
        """Equal where both states are equal."""
        return self.left.key(), self.right.key()


class Stuck(Exception):
    """In one game or in both the rules do not say what happens now. alone: only in one of them."""

    def __init__(self, left: SpecFault | bool, right: SpecFault | bool) -> None:
        faults = [each for each in (left, right) if isinstance(each, SpecFault)]
        self.alone = len(faults) == 1 and (left is False or right is False)
        self.message, self.path = faults[0].message, faults[0].path
        super().__init__(self.message)

    @property
    def parting(self) -> Parting:
        """What it is that cannot go on."""
        return "setup" if (self.path or "").split(".")[0] == "setup" else "legal-moves"


class Pair:
    """Two games at one table. Where positions are the same, and what is on offer is judged alike in both, the options
    of only one are listed. `begun`: the actions that are not the same, and were done or performed by now."""

    def __init__(self, left: Engine, right: Engine, *, parts: tuple[Parts, Parts] | None = None) -> None:
        """parts: of both games, where they are made already."""
        self.left, self.right = left, right
        self._parts = parts or (Parts(left.game), Parts(right.game))
        self.contrast: Contrast = contrast(*self._parts)
        self._reader = LineReader(right.game)
        self._watch = Watch(frozenset(), frozenset())
        self._met: set[int | str] = set()

    def start(self) -> Both:
        """Where both begin; from now on, what the left engine does is of this pair. Raises Stuck."""
        options = self._unlike.options if self._unlike else frozenset[str]()
        self._watch = self.left.machine.watch(self._differing | (self._apart or frozenset()), options)
        left, right = _started(self.left), _started(self.right)
        if isinstance(left, SpecFault) or isinstance(right, SpecFault):
            faults = (each if isinstance(each, SpecFault) else False for each in (left, right))
            raise Stuck(*faults)
        both = Both(left, right)
        self._join(both)
        return both

    @cached_property
    def _unlike(self) -> Unlike | None:
        return unlike(self.left, self.right, self._parts)

    @cached_property
    def _apart(self) -> frozenset[int] | None:
        """The numbers of the routines that are not the same; None if nothing is."""
        return self._unlike.routines if self._unlike else None

    @cached_property
    def _differing(self) -> frozenset[int]:
        found = (self.left.machine.number(name) for name in self.contrast.actions)
        return frozenset(number for number in found if number is not None)

    @property
    def begun(self) -> bool:
        """Whether one of the actions that are not the same was done or performed by now."""
        return not self._differing.isdisjoint(self._met | self._watch.met)

    def _is_untouched(self) -> bool:
        """Whether the left game has met nothing that is not the same in the right one since it was last asked."""
        met, apart = self._watch.met, self._apart or frozenset()
        untouched = not any(each in apart or isinstance(each, str) for each in met)
        self._met |= met
        met.clear()
        return untouched

    def _join(self, both: Both) -> None:
        """Go on with the left play only, if both stand alike above what is not the same in both."""
        left, right = both.left, both.right
        if self._apart is None or len(left.frames) != len(right.frames) or self.differs(both):
            return
        own = max((at for at, frame in enumerate(left.frames, 1) if frame.routine in self._apart), default=0)
        frames = zip(left.frames, right.frames, strict=True)
        if any(one.routine != other.routine for one, other in frames) or (own and own == len(left.frames)):
            return
        if all(one.key() == other.key() for one, other in [*zip(left.frames, right.frames, strict=True)][own:]):
            both.own = own

    def play(self, both: Both, event: Event) -> bool:
        """Play an event of the left game in both; whether that went well. If not, the plays are of no use any more.
        Raises Stuck."""
        both.offered = None
        if both.own is not None:
            if self._same_for_both(both, event):
                return self._play_left(both, event)
            both.part(both.right)
        went = self._play_both(both, event)
        if went:
            self._join(both)
        return went

    def _same_for_both(self, both: Both, event: Event) -> bool:
        """Whether nothing that is not the same is looked at before the event is taken. Both stand alike."""
        if isinstance(event, ChanceEvent):
            return True
        options = self._unlike.options if self._unlike else ()
        if event.action != DECLINE:
            return event.action not in options
        return not self._is_offered(both, options)

    def _play_left(self, both: Both, event: Event) -> bool:
        """Play an event in the left game; in the right one too if it meets what is not the same there."""
        before = both.left.clone()
        self._is_untouched()
        mine = _advance(self.left, both.left, event)
        if isinstance(mine, bool) and self._is_untouched():
            both.own = both.own if both.left.frames else 0
            return not mine
        both.part(both.as_left(before))
        other = _advance(self.right, both.right, event)
        if isinstance(mine, SpecFault) or isinstance(other, SpecFault):
            raise Stuck(mine, other)
        if mine or other:
            return False
        self._join(both)
        return True

    def _play_both(self, both: Both, event: Event) -> bool:
        theirs = self._theirs(event)
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
        if both.own is not None:
            return False
        left, right = both.left, both.right
        return left.cells != right.cells or left.pools != right.pools

    def is_touched(self, both: Both) -> bool:
        """Whether a move is on offer whose values or requirements are not the same in both games."""
        return self._is_offered(both, self.contrast.offers)

    def _is_offered(self, both: Both, names: Container[str]) -> bool:
        instruction = self.left.machine.standing_at(both.left)
        if not isinstance(instruction, Decide | Together):
            return False
        return any(option.name in names for option in instruction.options)

    def _is_quiet(self, both: Both) -> bool:
        """Whether both surely offer the same: not a proof, which is why all is compared now and then."""
        left, right = both.left, both.right
        return (
            self.contrast.types
            and not self.is_touched(both)
            and not self.differs(both)
            and [frame.slots for frame in left.frames] == [frame.slots for frame in right.frames]
            and self.left.offered(left) == self.right.offered(right)
            and self.left.to_move(left) == self.right.to_move(right)
        )

    def parted(self, both: Both, before: Sequence[Event], thorough: bool) -> Witness | None:
        """How the two part here, if they do. thorough: compare all options even where that is hardly needed."""
        if both.own is not None and self._unlike:
            if self._offers_same(both, self._unlike, thorough):
                return None
            each = Both(both.left, both.right, both.offered)
            found = self.parted(each, before, thorough)
            both.offered = each.offered
            return found
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

    def _offers_same(self, both: Both, apart: Unlike, thorough: bool) -> bool:
        """Whether what can follow is surely the same in both, which stand alike."""
        instruction = self.left.machine.standing_at(both.left)
        if instruction is None:
            return not apart.results
        if not isinstance(instruction, Decide | Together):
            return True
        if self._is_offered(both, apart.options):
            return False
        if not any(option.refusable for option in instruction.options):
            return True
        if any(mine != theirs for mine, theirs in both.below()):
            return False
        self._is_untouched()
        if thorough:
            self.options(both)
        else:
            self.left.offered(both.left)
            self.left.to_move(both.left)
        return self._is_untouched()

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
        in_setup = any(frame.routine == SETUP for state in (both.left, both.right) for frame in state.frames)
        return "setup" if in_setup else "legal-moves"


def options(engine: Engine, state: State) -> tuple[Event, ...]:
    """All that can happen next: outcomes of chance, or legal moves. A move that no requirement forbids, and of which
    the rules do not say what happens then, is one of them."""
    chances = engine.chance(state)
    if chances:
        return tuple(event for event, _ in chances)
    try:
        return engine.legal_moves(state)
    except SpecFault:
        return tuple(_unforbidden(engine, state))


def _unforbidden(engine: Engine, state: State) -> Iterator[Event]:
    """The moves whose own requirements hold, without looking at what comes of them."""
    instruction = engine.machine.standing_at(state)
    assert isinstance(instruction, Decide | Together)
    for player in engine.to_move(state):
        for option in instruction.options:
            slots = option.open(state, as_player(state.frames[-1].slots, player))
            given = option.given(slots) if option.stated else ()
            for values in option.instances(state, slots):
                chosen = zip((choice.name for choice in option.choices), values, strict=True)
                move = Move(player, option.name, (*given, *chosen))
                if not _is_forbidden(engine, state, move):
                    yield move


def _is_forbidden(engine: Engine, state: State, move: Move) -> bool:
    try:
        return engine.refusal(state, move) is not None
    except SpecFault:
        return False


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
