"""Observations: what a player may know of a state and of an event. It agrees with `../../reference/observation.py`.

Who sees which cell is a property of the game, computed once. What a viewer sees of a state is a `Glimpse`, a plain
value; an observation is a glimpse as JSON, and holds nothing else.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ...information.event_visibility import HIDDEN
from ...information.visibility import UNSEEN_ACTION, seat_name, seen_cell, sees
from ...stack.state import DECLINED
from ...state.events import DECLINE, Awaits, ChanceEvent, Event, Move
from ...state.pools import entries_of
from ...state.zones import indexed
from ..ir import code as c
from ..python.runtime import Runtime
from ..python.state import State


class Glimpse(NamedTuple):
    """The part of a state that a player (None: an onlooker) sees.

    chance: the clause of the awaited chance event.

    cells: the contents of the elements' cells; for a zone that the player cannot see, the number of pieces; for such a
    state, `HIDDEN`.

    stated: the player's own choice in a simultaneous decision that is not complete.
    """

    player: int | None
    awaits: Awaits
    chance: str | None
    to_move: tuple[int, ...]
    cells: tuple[Any, ...]
    stated: tuple[Any, ...] | None


def awaits(wait: c.Waiting | None) -> Awaits:
    """Return the kind of event that a wait awaits."""
    if wait is None:
        return Awaits.NOTHING
    return Awaits.CHANCE if isinstance(wait, c.Chance | c.Hidden) else Awaits.MOVE


class Observer:
    """Decides who sees what in one game."""

    def __init__(self, runtime: Runtime) -> None:
        self._game, self._program, self._runtime = runtime.game, runtime.program, runtime
        self._count = runtime.game.cell_count
        self._unseen: dict[int | None, tuple[tuple[int, m.Element], ...]] = {}

    @cached_property
    def _cells(self) -> tuple[tuple[m.Element, str, tuple[t.Value, ...]], ...]:
        """For every cell: the element, its indices as the language writes them, and as values."""
        return tuple((element, *each) for element in self._game.elements for each in indexed(element))

    def unseen(self, player: int | None) -> tuple[tuple[int, m.Element], ...]:
        """Return the cells whose contents the player does not see, each with its element."""
        if player not in self._unseen:
            every = enumerate(self._cells)
            self._unseen[player] = tuple(
                (at, element) for at, (element, _, indices) in every if not sees(element, indices, player)
            )
        return self._unseen[player]

    def to_move(self, play: State) -> tuple[int, ...]:
        """Return the seats that must decide now."""
        match self._program.waits[play.wait]:
            case c.Decision() as decision:
                return (self._runtime.me(play, decision),)
            case c.Together():
                return tuple(self._runtime.waiting(play, play.wait))
        return ()

    # ---- states

    def glimpse(self, play: State, player: int | None) -> Glimpse:
        """Return what the player sees of the state."""
        # The slots of routines after the elements are nobody's to see.
        wait, cells = self._program.waits[play.wait], play.cells[: self._count]
        for cell, element in self.unseen(player):
            cells[cell] = len(entries_of(cells[cell])) if element.is_zone else HIDDEN
        chance = wait.statement.path if isinstance(wait, c.Chance | c.Hidden) else None
        # An onlooker has no choice to see.
        stated = play.cells[wait.stated][player] if isinstance(wait, c.Together) and player is not None else None
        return Glimpse(player, awaits(wait), chance, self.to_move(play), tuple(cells), stated)

    def observation(self, play: State, player: int | None) -> dict[str, Any]:
        """Return what the player sees of the state, as JSON.

        Players are named as in the language, `seat(1)`; values are written as in logs; the top of a pile is its last
        item.
        """
        seen = self.glimpse(play, player)
        observation: dict[str, Any] = {
            "player": None if player is None else seat_name(player),
            "awaits": seen.awaits.value,
        }
        observation["to_move"] = [seat_name(seat) for seat in seen.to_move]
        if seen.chance is not None:
            observation["chance"] = seen.chance
        for kind, is_zone in (("states", False), ("zones", True)):
            elements = [element for element in self._game.elements if element.is_zone == is_zone]
            observation[kind] = {element.name: self._element(element, seen) for element in elements}
        if player is not None and isinstance(self._program.waits[play.wait], c.Together):
            observation["stated"] = self._stated(play, seen.stated)
        return observation

    def _element(self, element: m.Element, seen: Glimpse) -> Any:
        cells: dict[str, Any] = {}
        for at in range(element.offset, element.offset + element.count):
            _, name, indices = self._cells[at]
            content, is_seen = seen.cells[at], sees(element, indices, seen.player)
            is_counted = element.is_zone and not is_seen
            cells[name] = {"count": content} if is_counted else seen_cell(element, content, is_seen)
        return cells if element.indices else cells[""]

    def _stated(self, play: State, stated: Any) -> Any:
        wait = self._program.waits[play.wait]
        if stated is None:
            return None
        if stated == DECLINED:
            return {"action": DECLINE, "args": {}}
        assert isinstance(wait, c.Together)
        option = wait.options[stated[0]]
        given = zip(option.arguments, stated[1], strict=True)
        return {"action": option.name, "args": {each.name: to_json(each.type, value) for each, value in given}}

    # ---- events

    def view_of_event(self, play: State, event: Event, player: int | None) -> Event:
        """Return the event, legal in the state, as the player sees it when it happens."""
        wait = self._program.waits[play.wait]
        if isinstance(event, Move):
            if isinstance(wait, c.Together) and event.player != player:
                return Move(event.player, UNSEEN_ACTION)
            return self._runtime.concealment.secrecy.view(event, player)
        if isinstance(wait, c.Chance):
            seen = self._runtime.concealment.secrecy.sees_roll(wait.statement, self._slots(play, wait), player)
        else:
            assert isinstance(wait, c.Hidden)
            places = (self._cells[play.cells[cell]] for cell in wait.cells[:2])
            seen = any(sees(element, indices, player) for element, _, indices in places)
        return event if seen else ChanceEvent(event.path, HIDDEN)

    @staticmethod
    def _slots(play: State, wait: c.Chance) -> list[t.Value]:
        """Return the slots of the routine that awaits a random value."""
        frame = wait.stack[-1]
        assert isinstance(frame, c.Frame)
        slots: list[t.Value] = [None] * (max(frame.slots, default=0) + 1)
        for slot, place in frame.slots.items():
            slots[slot] = play.cells[place.base] if isinstance(place, c.Load) else place.value  # type: ignore[union-attr]
        return slots

    def chance_for(self, play: State) -> int | None:
        """Return the seat of the player whose place receives the piece of the awaited chance event, or None."""
        wait = self._program.waits[play.wait]
        if isinstance(wait, c.Hidden):
            element, _, indices = self._cells[play.cells[wait.cells[1]]]
            if element.indices and isinstance(element.indices[0], t.PlayerType):
                assert isinstance(indices[0], int)
                return indices[0]
        return None
