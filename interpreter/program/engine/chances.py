"""Chance events of a compiled program: their outcomes, the weight of each, and what an outcome puts into the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import repeat
from math import gcd

from ludex.spec import types as t

from ...generator import Generator
from ...state.events import ChanceEvent
from ...state.pools import OUTCOME, Route, looked_through, outcomes, ways_to
from ...state.zones import ZoneCell, reveal, unseen
from ..ir import code as c
from ..python.fast_paths import revealing, weighing
from ..python.pieces import awaited, lay, lift, settle_entry, weights
from ..python.runtime import Runtime
from ..python.state import State
from .legality import MEMO

# This is a tuple, as the union of two classes would be made at each call.
_CHANCES = (c.Chance, c.Hidden)
share = lru_cache(MEMO)(Fraction)
"""A memoized fraction: the same few are needed again and again."""


class Chances:
    """The chance events of a program.

    constant: the outcomes at each wait, and their weights, if they are the same in every state.
    """

    def __init__(self, runtime: Runtime) -> None:
        waits = runtime.program.waits
        self._runtime, self._meter, self._waits = runtime, runtime.meter, waits
        self.constant = [self._constant_outcomes(wait) for wait in waits]
        # The outcomes of one wait have one type, so that equal ones are the same.
        self._event = {
            number: lru_cache(MEMO)(partial(ChanceEvent, wait.statement.path))
            for number, wait in enumerate(waits)
            if isinstance(wait, _CHANCES)
        }
        self._random = [wait.cell if isinstance(wait, c.Chance) else None for wait in waits]
        self._reveals = [revealing(runtime, wait, partial(self._seen, wait)) for wait in waits]
        self._weighs = [weighing(runtime, wait, self._weighed) for wait in waits]

    def _constant_outcomes(self, wait: c.Waiting | None) -> tuple[Sequence[t.Value], Sequence[int]] | None:
        if isinstance(wait, c.Chance):
            match self._runtime.program.units[wait.lists].body:
                case (c.Return(value=c.Const(value=items)),):
                    counts: Counter[t.Value] = Counter(items)
                    return tuple(counts), tuple(counts.values())
        return None

    def listed(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """Return the outcomes of the awaited chance event with their probabilities, in a fixed order."""
        at, wait = state.wait, self._waits[state.wait]
        if not isinstance(wait, _CHANCES):
            return ()
        try:
            values, ways = self.outcomes(state)
        except ValueError:
            assert isinstance(wait, c.Hidden)
            listed = outcomes(state, awaited(state, wait))
            return tuple([(ChanceEvent(wait.statement.path, piece, via), part) for piece, via, part in listed])
        # Outcomes that are always the same are not weighed, where the others are counted.
        if self.constant[at] is not None:
            self._count(len(values), wait)
        return tuple(zip(map(self._event[at], values), map(share, ways, repeat(sum(ways))), strict=False))

    def _count(self, outcomes: int, wait: c.Chance | c.Hidden) -> None:
        self._meter.take(OUTCOME * outcomes, wait.statement.path, wait.statement.span)

    def outcomes(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        """Return the outcomes of the awaited chance event, in order, and the integer weight of each.

        Raises ValueError if a piece can come by several routes (see `listed`).
        """
        known = self.constant[state.wait]
        if known is not None:
            return known
        meter = self._meter
        if meter.left < meter.whole:
            meter.begin()
        return self._weighs[state.wait](state)

    def _weighed(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        wait = self._waits[state.wait]
        if isinstance(wait, c.Chance):
            counts: Counter[t.Value] = Counter(self._runtime.units[wait.lists](state, state.cells))
            self._count(len(counts), wait)
            return tuple(counts), tuple(counts.values())
        assert isinstance(wait, c.Hidden)
        entries = awaited(state, wait)
        self._count(looked_through(state, entries), wait)
        weighed = weights(state, entries)
        if weighed is None:
            counted = ways_to(state, entries)
            if counted is None:
                raise ValueError("a piece may come out here by several routes")
            pieces = sorted(counted[0])
            weighed = tuple(pieces), tuple([counted[0][piece] for piece in pieces])
        return weighed

    def drawn(self, state: State, rng: Generator) -> tuple[ChanceEvent, int] | None:
        """Draw an outcome of the awaited chance event; return it and how many there are.

        Returns None if a piece can come by several routes.
        """
        at = state.wait
        try:
            values, ways = self.outcomes(state)
        except ValueError:
            return None
        if self.constant[at] is not None:
            self._count(len(values), self._waits[at])  # type: ignore[arg-type] # a chance event
        if ways.count(ways[0]) == len(ways):
            outcome = values[rng.below(len(values))]
        else:
            # The ways are in lowest terms, as the definition says: every engine then draws below the same number.
            common = gcd(*ways)
            outcome = values[rng.weighted(ways if common == 1 else [each // common for each in ways])]
        return self._event[at](outcome), len(values)

    def place(self, state: State, outcome: t.Value, via: Route | None) -> None:
        """Put the outcome of the awaited chance event into the state."""
        cell = self._random[state.wait]
        if cell is not None:
            state.cells[cell] = outcome
        else:
            self._reveals[state.wait](state, outcome, via)

    def _seen(self, wait: c.Waiting | None, state: State, outcome: t.Value, via: Route | None) -> None:
        """Reveal an unseen piece."""
        assert isinstance(wait, c.Hidden), "a chance event is awaited"
        cells = state.cells
        step, source, target = wait.statement, cells[wait.cells[0]], cells[wait.cells[1]]
        self._runtime.count(state, source, 1, step)
        if wait.kind == "draw":
            entry = settle_entry(state, awaited(state, wait), outcome, via)
            lift(state, wait.source, source, entry, step)
            lay(state, wait.target, target, (outcome,), wait.bottom, step)
            cells[wait.cells[2]] -= 1
        else:
            place = ZoneCell(wait.source, source)
            position = unseen(state, place)
            assert position is not None, "the flow waits for an unseen piece"
            settle_entry(state, awaited(state, wait), outcome, via)
            reveal(state, place, position, outcome)
