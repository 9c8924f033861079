"""What a state holds besides values: pieces that nobody has seen, and the pools that they are of.

A state's cells are one for every cell of `game.elements`. A state's cell holds a value; a zone's holds its entries: a
piece or None (`one`), a tuple with the top last (`pile`), a sorted tuple (`bag`). An entry is a piece (a value of the
zone's type) or, in hidden zones only, a `Ticket`. What the tickets of each pool may turn out to be is in `pools.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ludex.spec import types as t

CELLS = 16
"""Copying so many cells counts as a unit of work."""
TRIAL = 10
"""Units of work for playing on in a copy of a state, besides what is done there."""


class Ticket(NamedTuple):
    """A piece nobody has seen: one of those in the pool with this number."""

    pool: int


Pools: TypeAlias = tuple[tuple[t.Value, ...], ...]
Table: TypeAlias = tuple[str, str, int]
"""A game's name, its edition, and how many play."""


class Contents(Protocol):
    """Cells and pools that can be changed."""

    @property
    def cells(self) -> Sequence[Any]:
        """See `State`."""

    @property
    def pools(self) -> Pools:
        """See `State`."""

    def put(self, cell: int, held: t.Value) -> None:
        """The cell holds something else now."""

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        """These are the pools now."""

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        """The pool with this number, perhaps the next new one, holds these entries now."""
