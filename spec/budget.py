"""Budgets: limits on the work and memory that a spec may need, so that a stranger's spec is safe to run.

A unit of work is an iteration, a call, an option that is tried, an item of a new collection: everything that takes time
in proportion to the spec's demands. An iteration or call counts more where its expressions are long. Units are counted
instead of time, so a spec stops at the same clause on every machine. They are counted before the work is done, so a
value that is too large is never built.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from ludex.grammar import Diagnostic, Span

from . import codes
from .values.faults import SpecFault

FRAMES = 3
"""So many frames of Python's stack a part of an expression may need while it is worked out."""

Part: TypeAlias = Literal["work", "game", "items", "depth", "tables"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on the work and memory of a spec.

    Attributes:
        work: units of work in one piece: one list of moves or outcomes, one event with all that follows from it, or the
            check of one table.
        game: units of work in a whole game: a random one, a recorded one, the tree that `perft` counts, or the check of
            all its tables (editions, numbers of players, options, readings), where each word counts once a table.
        items: values of types, numbers of constant ranges, and cells of states and zones, together.
        depth: how many parts of expressions may be under way inside one another, through all calls.

    Each is a whole number from 1. Raises TypeError for what is no whole number, ValueError for what is less than 1.
    """

    work: int = 1_000_000
    game: int = 10_000_000
    items: int = 1_000_000
    depth: int = 5_000

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_number(each.name, getattr(self, each.name))

    def times(self, factor: int) -> Budget:
        """So many times as much work and memory. The depth stays: it keeps within the stack of the machine. Raises
        as `Budget` does for a factor that is no whole number from 1."""
        _check_number("factor", factor)
        return replace(self, work=self.work * factor, game=self.game * factor, items=self.items * factor)


def _check_number(name: str, given: object) -> None:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"`{name}` has to be a whole number from 1, not {given!r:.60}")
    if given < 1:
        raise ValueError(f"`{name}` has to be a whole number from 1, not {given}")


DEFAULT_BUDGET = Budget()


class OverBudget(SpecFault):
    """A spec asks for more than its budget. part: which of the budgets; limit: how much it allows."""

    def __init__(self, part: Part, limit: int, path: str | None, span: Span) -> None:
        self.part, self.limit = part, limit
        super().__init__(_WORDS[part].format(limit=f"{limit:,}"), path, span)

    def __reduce__(self) -> tuple[type[OverBudget], tuple[Any, ...]]:
        return type(self), (self.part, self.limit, self.path, self.span)

    @property
    def hint(self) -> str:
        """The hint of its diagnostic."""
        return MEND[self.part]

    def diagnostic(self) -> Diagnostic:
        """The report of it where no game is at hand that could say what the clause rests on."""
        clause = f" (in {self.path})" if self.path else ""
        return Diagnostic(codes.OVER_BUDGET, f"{self.message}{clause}", self.span, self.hint)


def exhausted(fault: MemoryError | RecursionError, doing: str, file: str) -> Diagnostic:
    """The report where the machine's memory or stack ends before a budget does. doing: what was under way, `checking
    chess`; file: what was named for it."""
    what = "memory" if isinstance(fault, MemoryError) else "nesting"
    message = f"{doing} asks for more {what} than there is"
    hint = "use smaller types and fewer states" if what == "memory" else "split long expressions into defines"
    return Diagnostic(codes.OVER_BUDGET, message, Span(file, 1, 1, 1, 1), hint)


_WORDS: dict[Part, str] = {
    "work": "this step needs more work than its budget of {limit} units",
    "game": "this game needs more work than its budget of {limit} units",
    "tables": "editions, numbers of players, options and forks make more tables to check than the {limit} that the "
    "budget allows a game of this length",
    "items": "types, ranges, states and zones hold more values here than the budget of {limit}",
    "depth": "calls are nested deeper here than the budget of {limit} expressions",
}

_RAISE = "`--budget 10` allows ten times as much"
MEND: dict[Part, str] = {
    "work": f"go through fewer values, or let a condition cut them sooner; {_RAISE}",
    "game": _RAISE,
    "tables": f"leave out options or forks, or write a shorter game; {_RAISE}",
    "items": f"use smaller types or fewer of them, or fewer states; {_RAISE}",
    "depth": "nest fewer calls: use a loop, or a state that keeps intermediate results",
}


LOWERING = 10
"""So many frames a part of an expression may need while a game is translated into another form."""


@contextmanager
def room(budget: Budget) -> Iterator[None]:
    """Python's stack has room for all that may lie inside one another in a game, while it is translated."""
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(frames + LOWERING * budget.depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(frames)


class Meter:
    """What is left of a budget while a piece of work goes on.

    Whoever works takes units from `left` before the work, and raises what `over` returns once nothing is left. (Loops
    do so in place, as a call would cost more than a short loop.)

    Attributes:
        left: units that the piece under way may still take.
        used: units that the pieces before it took, since `begin_game`.
        depth: how many parts of expressions are under way.
        held: values of types and cells that there are.
    whole: how many units a piece may take.

    room: who keeps nothing that was worked out may do so many times the budget's work.
    """

    __slots__ = ("_frames", "_room", "budget", "depth", "held", "left", "used", "whole")

    def __init__(self, budget: Budget, room: int = 1) -> None:
        self.whole, self._room = budget.work * room, room
        self.budget, self.left, self.used, self.depth = budget, self.whole, 0, 0
        self._frames = self.held = 0

    def begin(self) -> None:
        """Start a new piece of work."""
        self.used += self.whole - self.left
        self.left = self.whole

    @property
    def done(self) -> int:
        """How much of the piece under way is done."""
        return self.whole - self.left

    def begin_game(self) -> None:
        """Start a new game."""
        self.left, self.used = self.whole, 0

    def check_game(self, path: str | None, span: Span) -> None:
        """Raises OverBudget if the game took more than its budget. path: the clause at which it is."""
        if self.used + self.whole - self.left > self.budget.game * self._room:
            raise OverBudget("game", self.budget.game, path, span)

    def take(self, units: int, path: str | None, span: Span) -> None:
        """Raises OverBudget."""
        self.left -= units
        if self.left < 0:
            raise self.over(path, span)

    def hold(self, values: int, path: str | None, span: Span) -> None:
        """So many more values are to be kept. Raises OverBudget."""
        self.held += values
        if self.held > self.budget.items:
            raise OverBudget("items", self.budget.items, path, span)

    def descend(self, parts: int, path: str | None, span: Span) -> None:
        """So many more parts are under way, until `ascend`. Python gets room for them. Raises OverBudget."""
        if not self.depth:
            self._frames = sys.getrecursionlimit()
            sys.setrecursionlimit(self._frames + FRAMES * self.budget.depth)
        self.depth += parts
        if self.depth > self.budget.depth:
            self.ascend(parts)
            raise OverBudget("depth", self.budget.depth, path, span)

    def ascend(self, parts: int) -> None:
        self.depth -= parts
        if not self.depth:
            sys.setrecursionlimit(self._frames)

    def over(self, path: str | None, span: Span) -> OverBudget:
        return OverBudget("work", self.budget.work, path, span)
