"""A state of play as a compiled program holds it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol

from ludex.spec import model as m
from ludex.spec import types as t

from ...state.events import Trace

SHOWN, LONGEST = 9, 60
"""So many cells, and so many signs of them, stand in what a state is shown as."""


class Table(Protocol):
    """Whose states they are."""

    @property
    def game(self) -> m.Game:
        """The game that is played."""

    def key(self, play: State) -> Hashable:
        """A value that is equal for states of one program only if they have equal futures."""


class State:
    """A state of play. It has what `pools.py` and `zones.py` ask of a state.

    Attributes:
        cells: the buffer: the cells of the game's elements, then what routines keep.
        table: whose program it is of; None for a state by itself, which compares with none.
        pools: what unseen pieces may turn out to be (see `pools.py`).
        wait: the number of what the flow waits for; 0 at the end.
        known: what units returned while the cells stay as they are.
        active: calls under way that have a value of their own where they meet themselves.
        public: what not everybody sees is unknown in it (see `unknown_values.py`).
        trial: this play only finds out whether a move is legal. probe: it only finds the next decision.
        trace: belongs to an onlooker.
        may_refuse: a requirement that fails refuses the move under way; else it is a fault.
    """

    __slots__ = (
        "active",
        "cells",
        "known",
        "may_refuse",
        "normal",
        "pools",
        "probe",
        "public",
        "table",
        "trace",
        "trial",
        "wait",
    )

    def __init__(self, cells: list[Any], table: Table | None = None) -> None:
        self.cells, self.table = cells, table
        self.pools: tuple[tuple[Any, ...], ...] = ()
        self.wait = 0
        self.known: dict[Any, Any] = {}
        self.active: set[Any] = set()
        self.normal: Any = None
        self.trial = self.probe = self.public = False
        self.may_refuse = True
        self.trace: Trace | None = None

    def clone(self) -> State:
        """An equal state that can be changed without this one."""
        return self._with(set())

    def _with(self, active: set[Any]) -> State:
        found = State.__new__(State)
        found.cells, found.table, found.pools, found.wait = self.cells[:], self.table, self.pools, self.wait
        found.known, found.active, found.normal = self.known, active, self.normal
        found.trial, found.probe, found.may_refuse, found.trace = False, False, True, None
        found.public = self.public
        return found

    def within(self) -> State:
        """A clone for a question that comes up inside an expression."""
        return self._with(self.active)

    def become(self, other: State) -> None:
        """Take over the other's content, which must not be used any more."""
        self.cells, self.pools, self.wait = other.cells, other.pools, other.wait
        self.known, self.normal = other.known, other.normal

    def key(self) -> Hashable:
        """A canonical value: equal exactly for equal states of one game."""
        return (self.wait, *self.cells) if self.table is None else self.table.key(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        one, two = self.table, other.table
        return (
            one is two or (one and one.game.fingerprint) == (two and two.game.fingerprint)
        ) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.cells, self.table, self.pools, self.wait)

    def __copy__(self) -> State:
        return self.clone()

    def __repr__(self) -> str:
        held = self.cells if self.table is None else self.cells[: self.table.game.cell_count]
        cells = ", ".join(map(repr, held[:SHOWN]))
        more = f", ... {len(held)} in all" if len(held) > SHOWN else ""
        where = f"waits at {self.wait}" if self.wait else "over"
        return f"<State: {cells if len(cells) <= LONGEST else f'{cells[:LONGEST]}...'}{more}; {where}>"

    @property
    def items(self) -> int:
        """How much it holds: its cells, and what lies in collections, zones and pools."""
        collections = (held for held in self.cells if type(held) in (tuple, frozenset))
        return len(self.cells) + sum(map(len, collections)) + sum(map(len, self.pools))

    def put(self, cell: int, held: t.Value) -> None:
        """The cell holds something else now."""
        self.cells[cell] = held
        self.known = {}

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        """These are the pools now."""
        self.pools = tuple(pools)

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        """The pool with this number, perhaps the next new one, holds these entries now."""
        self.pools = (*self.pools[:number], entries, *self.pools[number + 1 :])


def _restored(cells: list[Any], table: Table | None, pools: tuple[tuple[Any, ...], ...], wait: int) -> State:
    """A state that was pickled."""
    found = State(cells, table)
    found.pools, found.wait = pools, wait
    return found
