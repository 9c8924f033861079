"""A state of play: a plain value that clones, compares, hashes and goes through JSON.

cells: one entry per cell of `game.elements`. A state's cell holds a value; a zone's holds its entries: a piece or None
(`one`), a tuple with the top last (`pile`), a sorted tuple (`bag`). An entry is a piece (a value of the zone's type)
or, in hidden zones only, a `Ticket`.
pools: what the tickets of each pool may turn out to be (see `pools.py`).
frames: the stack of routines under way, the innermost last. Where it stands tells what is awaited; empty: terminal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ludex.spec import types as t

from .events import Trace

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


SHOWN, LONGEST = 9, 60
"""So many cells, and so many signs of them, stand in what a state is shown as."""


class Frame:
    """A routine under way: which one, the next instruction, and its slots (slot 0 is `me`)."""

    __slots__ = ("pc", "routine", "slots")

    def __init__(self, routine: int, pc: int, slots: list[t.Value]) -> None:
        self.routine, self.pc, self.slots = routine, pc, slots

    def __reduce__(self) -> tuple[Any, ...]:
        return Frame, (self.routine, self.pc, self.slots)

    def clone(self) -> Frame:
        return Frame(self.routine, self.pc, self.slots.copy())

    def key(self) -> Hashable:
        return (self.routine, self.pc, tuple(self.slots))


class State:
    """See the module. Equal states have equal futures.

    What the cells hold is changed by `put` and `lay`, the pools by `set_pools` and `put_pool`: `cells` and `pools` are
    for reading. `known` keeps what was worked out of the cells as they are; clones share it until one of them changes,
    and whoever changes a cell begins a new one. `normal` keeps the pools and hidden cells that were last brought into
    canonical form. `active` is scratch space of expressions, empty between events; `trace` belongs to an onlooker.
    `table` is the game that the state is of, so that no other takes it for its own; None where nobody said.
    None of these five is part of the state's identity, and only `known`, `normal` and `table` go into a clone."""

    __slots__ = ("_cells", "active", "cells", "frames", "known", "normal", "pools", "table", "trace")

    cells: Sequence[Any]
    pools: Pools
    known: dict[Hashable, Any]

    def __init__(
        self,
        cells: list[Any],
        pools: Iterable[tuple[t.Value, ...]],
        frames: list[Frame],
        table: Table | None = None,
    ) -> None:
        """cells: become the state's own, and must not be changed by anybody else."""
        self._cells = self.cells = cells
        self.pools, self.frames, self.table = tuple(pools), frames, table
        self.active: set[Hashable] = set()
        self.known = {}
        self.normal: tuple[Pools, list[t.Value]] | None = None
        self.trace: Trace | None = None

    def clone(self) -> State:
        """An equal state that can be changed without this one."""
        return self._with([frame.clone() for frame in self.frames])

    def within(self, frames: list[Frame] | None = None) -> State:
        """A clone for a question that comes up while an expression of this state is worked out: it shares `active`, so
        that a question that asks itself is noticed. frames: what is under way in it instead."""
        found = self.clone() if frames is None else self._with(frames)
        found.active = self.active
        return found

    def _with(self, frames: list[Frame]) -> State:
        found = State(self._cells.copy(), self.pools, frames, self.table)
        found.known, found.normal = self.known, self.normal
        return found

    def forget(self) -> None:
        """Nothing is known any more of what was worked out before."""
        self.known, self.normal = {}, None

    def put(self, cell: int, held: t.Value) -> None:
        """The cell holds something else now."""
        self._cells[cell] = held
        self.known = {}

    def lay(self, values: Iterable[t.Value]) -> None:
        """More cells, behind those that there are."""
        self._cells.extend(values)
        self.known = {}

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        """These are the pools now."""
        self.pools = tuple(pools)

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        """The pool with this number, perhaps the next new one, holds these entries now."""
        self.pools = (*self.pools[:number], entries, *self.pools[number + 1 :])

    def become(self, other: State) -> None:
        """Take over the other's content, which must not be used any more."""
        self._cells, self.cells, self.pools, self.frames = other._cells, other.cells, other.pools, other.frames
        self.known, self.normal, self.table = other.known, other.normal, other.table

    @property
    def items(self) -> int:
        """How much it holds: its cells, and what lies in collections, zones and pools."""
        collections = (held for held in self.cells if type(held) in (tuple, frozenset))
        return len(self.cells) + sum(map(len, collections)) + sum(map(len, self.pools))

    def key(self) -> Hashable:
        """A canonical value: equal exactly for equal states of one game."""
        return (tuple(self.cells), self.pools, tuple(frame.key() for frame in self.frames))

    def __repr__(self) -> str:
        cells = ", ".join(map(repr, self.cells[:SHOWN]))
        more = f", ... {len(self.cells)} in all" if len(self.cells) > SHOWN else ""
        where = " in ".join(f"routine {frame.routine} at {frame.pc}" for frame in reversed(self.frames)) or "over"
        return f"<State: {cells if len(cells) <= LONGEST else f'{cells[:LONGEST]}...'}{more}; {where}>"

    def __copy__(self) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (list(self.cells), self.pools, self.frames, self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())
