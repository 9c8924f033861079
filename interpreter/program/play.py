"""A state of play as a compiled program holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludex.spec import types as t

from ..events import Trace


class Play:
    """A state of play. It has what `pools.py` and `zones.py` ask of a state.

    Attributes:
        cells: the buffer: the cells of the game's elements, then what routines keep.
        pools: what unseen pieces may turn out to be (see `pools.py`).
        wait: the number of what the flow waits for; 0 at the end.
        known: what units returned while the cells stay as they are.
        active: calls under way that have a value of their own where they meet themselves.
        public: what not everybody sees is unknown in it (see `partial.py`).
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
        "trace",
        "trial",
        "wait",
    )

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells
        self.pools: tuple[tuple[Any, ...], ...] = ()
        self.wait = 0
        self.known: dict[Any, Any] = {}
        self.active: set[Any] = set()
        self.normal: Any = None
        self.trial = self.probe = self.public = False
        self.may_refuse = True
        self.trace: Trace | None = None

    def clone(self) -> Play:
        """An equal state that can be changed without this one."""
        return self._with(set())

    def _with(self, active: set[Any]) -> Play:
        found = Play.__new__(Play)
        found.cells, found.pools, found.wait = self.cells[:], self.pools, self.wait
        found.known, found.active, found.normal = self.known, active, self.normal
        found.trial, found.probe, found.may_refuse, found.trace = False, False, True, None
        found.public = self.public
        return found

    def within(self) -> Play:
        """A clone for a question that comes up inside an expression."""
        return self._with(self.active)

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
