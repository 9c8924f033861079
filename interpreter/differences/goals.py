"""A small state that tells two readings apart, as something to play towards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludex.spec import types as t

from ..engine import Engine
from ..events import Event, Move
from ..state import State
from .deciding.decision import Situation


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to lie in which cells, and with which values a move is to be made.

    Attributes:
        cells: number and content.
        place: the move at which the readings part, if it is one.
        names: what its arguments are there.
    """

    cells: tuple[tuple[int, t.Value], ...]
    place: str
    names: frozenset[tuple[str, t.Value]]

    def near(self, state: State) -> int:
        """How many of the cells are as they should be."""
        return sum([state.cells[cell] == value for cell, value in self.cells])

    def meets(self, event: Event) -> bool:
        """Whether the event is the move, with the values that tell the readings apart."""
        return isinstance(event, Move) and event.action == self.place and self.names >= frozenset(event.arguments)


def goals(engine: Engine, situations: Iterable[Situation | None]) -> tuple[Goal, ...]:
    """The situations at this table, as far as they say anything."""
    found = (_goal(engine, each) for each in situations if each is not None and each.players == engine.game.players)
    return tuple(goal for goal in found if goal is not None and (goal.cells or goal.names))


def _goal(engine: Engine, situation: Situation) -> Goal | None:
    """None if this table has no such cells: an option taken otherwise makes another board."""
    if not all(_is_here(engine, name, indices) for name, indices, _ in situation.cells):
        return None
    cells = tuple((engine.machine.cell(name, indices), value) for name, indices, value in situation.cells)
    names = frozenset(
        (name, value) for name, _, value in situation.names if isinstance(value, int | str | tuple | None)
    )
    return Goal(cells, situation.place, names)


def _is_here(engine: Engine, name: str, indices: tuple[t.Value, ...]) -> bool:
    element = engine.game.element.get(name)
    if element is None or len(element.indices) != len(indices):
        return False
    return all(t.contains(of, index) for of, index in zip(element.indices, indices, strict=True))
