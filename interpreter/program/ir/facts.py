"""Memoized constant evaluation: facts with given arguments, each evaluated once before play."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludex.spec import DEFAULT_BUDGET, Evaluation, Meter
from ludex.spec import model as m
from ludex.spec import types as t

WORK = 1_000_000
"""Once a fact has cost this many units of work, its other calls are left to run time, and evaluated on demand."""


class Facts(Evaluation):
    """An evaluator of the language that memoizes the values of facts."""

    def __init__(self, game: m.Game) -> None:
        super().__init__(game.defines, None, set(), Meter(DEFAULT_BUDGET))
        self._known: dict[Any, t.Value] = {}
        self._work: Counter[str] = Counter()

    def value(self, expr: m.Expr, slots: dict[int, t.Value], path: str | None) -> t.Value:
        """Evaluate a constant expression. Raises what `value_of` raises."""
        self.meter.begin()
        return self.of(expr, slots, path)

    def fact(self, define: m.Define, arguments: tuple[t.Value, ...]) -> tuple[t.Value] | None:
        """Evaluate a call of a fact, or return None if that takes too long. Raises what `value_of` raises."""
        key = define.name, arguments
        if key not in self._known:
            if self._work[define.name] > WORK:
                return None
            self.meter.begin()
            self.called(define, arguments)
            self._work[define.name] += self.meter.done
        # In a tuple, since None may be the value.
        return (self._known[key],)

    def called(self, define: m.Define, given: tuple[t.Value, ...]) -> t.Value:
        if self.active:  # what meets a call under way again depends on that call
            return super().called(define, given)
        key = define.name, given
        if key not in self._known:
            self._known[key] = super().called(define, given)
        return self._known[key]
