"""Search for the place in the flow at which a player is to move, where a position states the player alone.

The stacks of places are tried breadth first: turns of `play`, then moves and procedures inside them. What a place needs
besides the player gets a stand-in, so that a report can show how the place is written.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from typing import Any, TypeAlias

from ludex.grammar import Json, Message, enumerated
from ludex.spec import OverBudget, SpecFault, free_slots, may_change
from ludex.spec import model as m
from ludex.spec import types as t

from ...reference import Rules, Run, is_at_rest, to_move
from ...stack.places import keeping
from ...stack.routines import SETUP, Routine
from ...stack.state import Frame, StackState
from .. import log_codes
from ..structure import Problem, unknown_members
from .contents import PositionWriter, Reader
from .flow_place import FRAME_MEMBERS, FlowReader, FlowWriter, labels_of, names_of

MOST_TRIED = 1_000
"""Limit of the search for the place of a position, in places: each takes a step of the reference."""
MOST_SHOWN = 8

Stack: TypeAlias = tuple[tuple[str, Routine, int], ...]
"""Places, the outermost first: the name, the routine, and the statement's number."""
_NAMING = (m.ForEachPlayer, m.AsPlayer, m.Simultaneous)
"""Statements that say who acts inside them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place at which the player may be to move. lacks: it needs more than the player, and has stand-ins for it."""

    frames: tuple[Frame, ...]
    lacks: bool


class FlowSearch:
    """Searches the places at which a player acts. data: the place as the position states it, with `me`."""

    def __init__(self, reader: Reader, rules: Rules, contents: StackState, data: Mapping[str, Json]) -> None:
        self.reader, self.rules, self.contents, self.data = reader, rules, contents, data
        self.flow = FlowReader(reader, rules, stands_in=True)

    def found(self, pointer: str, holds: Callable[[StackState], bool]) -> tuple[Frame, ...]:
        """Return the frames of the one place; where it is not one, report the places, and return ().

        holds: whether a state keeps the invariants.
        """
        problems = self.reader.problems
        problems += unknown_members(
            self.data, FRAME_MEMBERS, pointer, Message("position-a-place"), log_codes.POSITION_MEMBER
        )
        seat = self.reader.value(self.flow.player, self.data["me"], f"{pointer}/me")
        if problems:
            return ()
        fitting, stopped, every = list[Place](), list[Place](), list[Place]()
        # Who is to move is said of a turn as a whole, so that the places inside its moves come later.
        for _, level in groupby(islice(self._places(seat, pointer), MOST_TRIED), lambda each: len(each.frames)):
            every += (tried := list(level))
            here = [each for each in tried if self._stops(each, seat)]
            stopped = stopped or here
            # The player alone does not mean a place inside a move that needs more, but it may mean any other.
            known = [each for each in here if not (fitting and each.lacks)]
            fitting += [each for each in known if holds(self._state(each))]
        if not every:
            # No player acts at such a place, which the usual report says.
            return FlowReader(self.reader, self.rules).flow(dict(self.data), pointer)
        # If the invariants are false everywhere, the report is about them.
        fitting = fitting or stopped
        if len(fitting) == 1 and not fitting[0].lacks:
            return fitting[0].frames
        unclear = "unclear" if fitting else "nowhere"
        message = Message(f"position-turn-{unclear}", player=self.reader.table.player(seat))
        hint = Message("position-turn-places", places=enumerated(self._written(fitting or every), "or"))
        problems.append(Problem(log_codes.POSITION_PLACE, pointer, message, hint))
        return ()

    def _state(self, place: Place) -> StackState:
        return Run(self.rules, replace(self.contents, frames=place.frames)).state()

    def _stops(self, place: Place, seat: int) -> bool:
        """Test whether the play stops at the place, and the player is to move there."""
        # No play reaches a position at which the rules fail.
        with suppress(SpecFault):
            state = self._state(place)
            return is_at_rest(self.rules, state) and seat in to_move(Run(self.rules, state))
        return False

    def _written(self, places: Sequence[Place]) -> list[str]:
        writer = FlowWriter(PositionWriter(self.reader.table, self.contents.cells), self.rules)
        texts = [json.dumps(writer.flow(self._state(each)), ensure_ascii=False) for each in places[:MOST_SHOWN]]
        more = len(places) - MOST_SHOWN
        return [*(f"`{text}`" for text in texts), *([Message("position-turn-more", count=more)] if more > 0 else [])]

    # ---- the places

    def _places(self, seat: int, pointer: str) -> Iterator[Place]:
        """Enumerate the places at which the player may act, whatever the position is."""
        for stack in self._stacks():
            # While all choose together, nobody acts yet.
            acting = (
                (None, *range(self.rules.game.players)) if isinstance(_step(stack[-1]), m.Simultaneous) else (seat,)
            )
            for listed in (each for me in acting for each in self._members(stack, len(stack) - 1, me)):
                before = len(self.reader.problems)
                self.flow.lacks = False
                own = {name: content for name, content in self.data.items() if name not in ("at", "me")}
                frames = self.flow.flow([*listed[:-1], listed[-1] | own], pointer)
                is_read = len(self.reader.problems) == before
                del self.reader.problems[before:]
                if is_read and self._agrees(frames):
                    yield Place(frames, self.flow.lacks)

    def _stacks(self) -> Iterator[Stack]:
        """Enumerate the stacks of places that end in a decision, breadth first."""
        waiting: deque[Stack] = deque([()])
        while waiting:
            around = waiting.popleft()
            outer = _step(around[-1]) if around else None
            for label, (routine, at) in labels_of(self.rules, outer, True).items():
                is_meant = self.data.get("at", label) == label and routine.name != SETUP
                if is_meant and isinstance(routine.statements[at], m.Asking):
                    yield (*around, (label, routine, at))
            for label, (routine, at) in labels_of(self.rules, outer, False).items():
                # A routine inside itself is a place, too, but a search would never end.
                if routine.name != SETUP and all(routine is not each for _, each, _ in around):
                    waiting.append((*around, (label, routine, at)))

    def _members(self, stack: Stack, depth: int, me: t.Value) -> Iterator[list[dict[str, Any]]]:
        """Enumerate how the frames up to a depth may be written, if this player acts in the last of them."""
        label, routine, at = stack[depth]
        naming = _naming(routine, at, depth == len(stack) - 1)
        # Nobody acts in `play` before it names somebody.
        if depth == 0 and bool(naming) != (me is not None):
            return
        players = range(self.rules.game.players)
        outermost = (None, *players) if depth else (None,)
        # Who acted before each statement that names somebody, from the innermost outwards.
        named = product(*[players] * (len(naming) - 1), outermost) if naming else ((),)
        for befores in named:
            left = {
                name: {"me": before + 1} for name, before in zip(naming, befores, strict=True) if before is not None
            }
            last = {"at": label, "me": None if me is None else me + 1, "left": left}
            caller = befores[-1] if naming else me
            for around in self._members(stack, depth - 1, caller) if depth else ([],):
                yield [*around, last]

    def _agrees(self, frames: Sequence[Frame]) -> bool:
        """Test whether each loop names the player who acts inside it, where its expression depends on nothing else."""
        for depth, frame in enumerate(frames):
            routine, innermost = self.rules.routines[frame.routine], depth == len(frames) - 1
            me, kept = frame.slots[0], list(frame.kept)
            for step in reversed(keeping(routine, frame.at, innermost)):
                before: Any = kept.pop()
                match step:
                    case m.AsPlayer(player=named):
                        pass
                    case m.ForEachPlayer(order=named):
                        before = before[1]
                    case m.Simultaneous() if not (innermost and step is routine.statements[frame.at]):
                        me = before
                        kept.pop()
                        continue
                    case _:
                        continue
                if not self._names(named, frame, before, me, frames[:depth], step.path):
                    return False
                me = before
        return True

    def _names(
        self, named: m.Expr, frame: Frame, before: t.Value, me: t.Value, around: Sequence[Frame], path: str
    ) -> bool:
        slots = (before, *frame.slots[1:])
        # What it reads may have changed since the loop began.
        is_unknown = any(slots[slot] is None for slot in free_slots(named))
        if is_unknown or may_change(self.rules.game.defines, named):
            return True
        run = Run(self.rules, replace(self.contents, frames=(*around, frame._replace(slots=slots))))
        try:
            value = run.value(named, path)
        except OverBudget:
            raise
        except SpecFault:
            return False
        return me in value if isinstance(value, tuple | frozenset) else bool(me == value)


def _step(place: tuple[str, Routine, int]) -> m.Step:
    _, routine, at = place
    return routine.statements[at]


def _naming(routine: Routine, at: int, innermost: bool) -> list[str]:
    """Name the statements around a place that say who acts there, the innermost first."""
    steps = keeping(routine, at, innermost)
    # While the players still choose, nobody acts yet.
    within = steps[:-1] if innermost and isinstance(routine.statements[at], m.Simultaneous) else steps
    named = zip(names_of(steps), within, strict=False)
    return [name for name, step in named if isinstance(step, _NAMING)][::-1]
