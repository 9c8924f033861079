"""A state of play: a plain value that clones, compares, hashes and goes through JSON.

cells: one entry per cell of `game.elements`. A state's cell holds a value; a zone's holds its entries: a piece or None
(`one`), a tuple with the top last (`pile`), a sorted tuple (`bag`). An entry is a piece (a value of the zone's type)
or, in hidden zones only, a `Ticket`.
pools: what the tickets of each pool may turn out to be (see `pools.py`).
frames: the stack of routines under way, the innermost last. Where it stands tells what is awaited; empty: terminal.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ludex.spec import types as t

from .events import Trace


class Ticket(NamedTuple):
    """A piece nobody has seen: one of those in the pool with this number."""

    pool: int


class Frame:
    """A routine under way: which one, the next instruction, and its slots (slot 0 is `me`)."""

    __slots__ = ("pc", "routine", "slots")

    def __init__(self, routine: int, pc: int, slots: list[t.Value]) -> None:
        self.routine, self.pc, self.slots = routine, pc, slots

    def clone(self) -> Frame:
        return Frame(self.routine, self.pc, self.slots.copy())

    def key(self) -> Hashable:
        return (self.routine, self.pc, tuple(self.slots))


class State:
    """See the module. Equal states have equal futures.

    `active` is scratch space of expressions, empty between events; `trace` belongs to an onlooker. Neither is part of
    the state's identity, or is cloned. `known` holds what defines came to with the cells as they are: clones share it
    until one of them changes. `normal` holds the pools and hidden cells that were last brought into canonical form."""

    __slots__ = ("active", "cells", "frames", "known", "normal", "pools", "trace")

    def __init__(self, cells: list[t.Value], pools: list[tuple[t.Value, ...]], frames: list[Frame]) -> None:
        self.cells, self.pools, self.frames = cells, pools, frames
        self.active: set[Hashable] = set()
        self.known: dict[Hashable, t.Value] = {}
        self.normal: tuple[list[tuple[t.Value, ...]], list[t.Value]] | None = None
        self.trace: Trace | None = None

    def clone(self) -> State:
        found = State(self.cells.copy(), self.pools.copy(), [frame.clone() for frame in self.frames])
        found.known, found.normal = self.known, self.normal
        return found

    def put(self, cell: int, held: t.Value) -> None:
        """The one way to change a cell of a state that is then played on from: what was known of it is forgotten."""
        self.cells[cell] = held
        self.known = {}

    def become(self, other: State) -> None:
        """Take over the other's content, which must not be used any more."""
        self.cells, self.pools, self.frames = other.cells, other.pools, other.frames
        self.known, self.normal = other.known, other.normal

    def key(self) -> Hashable:
        """A canonical value: equal exactly for equal states of one game."""
        return (tuple(self.cells), tuple(self.pools), tuple(frame.key() for frame in self.frames))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())
