"""A state as somebody sees it, or everybody: what lies where they cannot look is veiled.

Whether a player has anything to decide may hang on cards that only he sees. If he were passed over, the others would
know. So the rules are asked again of the veiled state: what they say there is said of everything that may lie under
the veils; where it hangs on what does, `Veiled` is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from ludex.spec import model as m
from ludex.spec import types as t

from .state import State, Ticket


class Veiled(Exception):
    """What is asked hangs on something that not everybody sees."""


class Veil:
    """Stands for a piece that lies where not everybody sees it. It is itself, and that is all that can be told."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or self._untold()

    def __ne__(self, other: object) -> bool:
        return self is not other and self._untold()

    def __hash__(self) -> int:
        return self._untold()

    def _untold(self, *_: object) -> NoReturn:
        raise Veiled

    __bool__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = _untold
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = _untold
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __iter__ = __len__ = __contains__ = __str__ = _untold


SEALED = Veil()
"""Stands in the cell of a state whose value not everybody sees: not even whether there is one."""


class VeiledCells(list[Any]):
    """Cells of which the sealed ones cannot be looked into."""

    def __getitem__(self, at: Any) -> Any:
        held = super().__getitem__(at)
        if held is SEALED:
            raise Veiled
        return held

    def copy(self) -> VeiledCells:
        return VeiledCells(self)


def is_veiled(state: State) -> bool:
    return isinstance(state.cells, VeiledCells)


def veiled(state: State, unseen: Iterable[tuple[m.Element, int]]) -> State:
    """The state as it is seen by those who cannot look into some cells. unseen: their numbers, each with the element
    that it belongs to."""
    cells = VeiledCells(state.cells)
    for element, cell in unseen:
        cells[cell] = _as_seen(state.cells[cell]) if element.is_zone else SEALED
    return State(cells, state.pools, [frame.clone() for frame in state.frames])


def cells_of(elements: Iterable[m.Element]) -> Iterator[tuple[m.Element, int]]:
    """Every cell of the elements."""
    return ((element, element.offset + at) for element in elements for at in range(element.count))


def _as_seen(held: t.Value) -> t.Value:
    """A zone's content: how many pieces lie there is for all to see. A ticket is a veil already."""
    if held is None or isinstance(held, Ticket):
        return held
    if isinstance(held, tuple):
        return tuple([entry if isinstance(entry, Ticket) else Veil() for entry in held])
    return Veil()


def each_once(items: Iterable[t.Value]) -> Iterable[t.Value]:
    """The items without those that come again. Of veiled ones nobody can tell."""
    listed = tuple(items)
    try:
        return dict.fromkeys(listed)
    except Veiled:
        return listed
