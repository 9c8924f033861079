"""The contents of a state: cells, tickets for unknown pieces, and the pools behind the tickets.

A state has one cell for every cell of `game.elements`. The cell of a `state` holds a value. The cell of a zone holds
its entries: a piece or None (`one`), a tuple with the top last (`pile`), a sorted tuple (`bag`). An entry is a piece (a
value of the zone's type) or, in hidden zones only, a `Ticket`. `pools.py` computes which pieces the tickets of a pool
may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ludex.spec import types as t

EVENT = 50
"""The units of work that every event of a game counts, whatever it does."""
CELLS = 16
"""Copying this many cells counts as one unit of work."""
TRIAL = 10
"""Units of work for starting a trial, which plays on in a copy of a state; its own work is counted besides."""
ASKING = 10
"""The nested parts of expressions as which a question about the points, winners or end of the game counts."""


class Ticket(NamedTuple):
    """An unknown piece: one of those in the pool with this number."""

    pool: int


class DrawnTicket(Ticket):
    """A piece that was drawn from the pool and seen, where the record does not say which it was.

    It occurs only in possible states (`interpreter/unknowns/`). No chance event is awaited for it any more.
    """

    __slots__ = ()

    # Tuples of equal items are equal, whatever their classes: a piece that was seen is not one of the unseen.
    def __eq__(self, other: object) -> bool:
        return type(other) is DrawnTicket and other.pool == self.pool

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((DrawnTicket, self.pool))


Pools: TypeAlias = tuple[tuple[t.Value, ...], ...]


class Contents(Protocol):
    """Protocol of mutable cells and pools."""

    @property
    def cells(self) -> Sequence[Any]:
        """The cells, as in `State`."""

    @property
    def pools(self) -> Pools:
        """The pools, as in `State`."""

    def put(self, cell: int, held: t.Value) -> None:
        """Replace what the cell holds."""

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        """Replace all pools."""

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        """Set the entries of the pool with this number, which may be the next unused one."""
