"""Memoized constant evaluation: facts with given arguments, each evaluated once before play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ludex.spec import DEFAULT_BUDGET, Evaluation, Meter, OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

_WORK = 1_000_000
"""Once a fact has cost this many units of work, its other calls are left to run time, and evaluated on demand."""


GIVEN_UP = 4
"""The number of evaluations that may take too long, after which no more constants are evaluated before play."""


class Facts(Evaluation):
    """An evaluator of the language that memoizes the values of facts.

    What takes more work than a budget has no value before play. Perhaps no play reaches it; it stops the one that does.
    """

    def __init__(self, game: m.Game) -> None:
        super().__init__(game.defines, None, set(), Meter(DEFAULT_BUDGET))
        self._known: dict[Any, t.Value] = {}
        self._work: Counter[str] = Counter()
        self._given_up = 0
        self._long: set[int] = set()

    def value(self, expr: m.Expr, slots: dict[int, t.Value], path: str | None) -> tuple[t.Value] | None:
        """Evaluate a constant expression, or return None if that takes too long. Raises what `value_of` raises."""
        if id(expr) in self._long:  # nodes belong to the game, which lives as long
            return None
        value = self._tried(lambda: self.of(expr, slots, path))
        if value is None:
            self._long.add(id(expr))
        return value

    def _tried(self, value: Callable[[], t.Value]) -> tuple[t.Value] | None:
        """Return the value in a tuple, since it may be None."""
        if self._given_up >= GIVEN_UP:
            return None
        self.meter.begin()
        try:
            return (value(),)
        except OverBudget:
            # Each attempt has spent a whole budget, and a play is waiting to begin.
            self._given_up += 1
            return None

    def fact(self, define: m.Define, arguments: tuple[t.Value, ...]) -> tuple[t.Value] | None:
        """Evaluate a call of a fact, or return None if that takes too long. Raises what `value_of` raises."""
        key = define.name, arguments
        if key not in self._known:
            # A fact with many arguments may cost little each time and much in all, for arguments that no play asks for.
            if self._work[define.name] > _WORK:
                return None
            # `called` stores the value under the same key.
            value = self._tried(lambda: self.called(define, arguments))
            self._work[define.name] += self.meter.done
            return value
        return (self._known[key],)

    def called(self, define: m.Define, given: tuple[t.Value, ...]) -> t.Value:
        if self.active:  # the value may depend on a call under way
            return super().called(define, given)
        key = define.name, given
        if key not in self._known:
            self._known[key] = super().called(define, given)
        return self._known[key]
