"""The stock of a play: which pieces are in the game, seen or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .contents import Pools, Ticket
from .pools import entries_of

PieceKind: TypeAlias = tuple[str, t.Value]
"""A kind of piece: its type's name, and the piece."""


class Held(Protocol):
    """The cells and pools of a state."""

    @property
    def cells(self) -> Sequence[t.Value]:
        """The cells, as in `State`."""

    @property
    def pools(self) -> Pools:
        """The pools, as in `State`."""


def inventory(game: m.Game, state: Held) -> Counter[PieceKind]:
    """Count all pieces in the game, seen or not."""
    pieces: Counter[PieceKind] = Counter()
    counted: set[int] = set()
    for element in game.elements:
        if element.is_zone:
            for cell in range(element.offset, element.offset + element.count):
                lying = pieces_among(state, entries_of(state.cells[cell]), counted)
                pieces.update((str(element.type), piece) for piece in lying)
    return pieces


def pieces_among(state: Held, entries: tuple[t.Value, ...], counted: set[int]) -> Iterator[t.Value]:
    """Enumerate the pieces among the entries. A pool's pieces are counted with the first of its tickets."""
    for entry in entries:
        if not isinstance(entry, Ticket):
            yield entry
        # A pool has as many pieces as tickets; going into it for each ticket would count each piece several times.
        elif entry.pool not in counted:
            counted.add(entry.pool)
            yield from pieces_among(state, state.pools[entry.pool], counted)


def copies_of(game: m.Game) -> dict[PieceKind, int]:
    """Return how many pieces of each kind of component the table has."""
    return {
        (str(component), kind): copies for component in game.components for kind, copies in enumerate(component.copies)
    }
