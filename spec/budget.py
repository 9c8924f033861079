"""Budgets: limits on the work and memory that a spec may need, so that a stranger's spec is safe to run.

A unit of work is an iteration, a call, an option that is tried, an item of a new collection: everything that takes time
in proportion to the spec's demands. An iteration or call counts more where its expressions are long. Units are counted
instead of time, so a spec stops at the same clause on every machine. They are counted before the work is done, so a
value that is too large is never built.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from threading import Lock
from typing import Any, Literal, TypeAlias

from ludex.grammar import Diagnostic, Diagnostics, Message, Span, shown_value

from . import spec_codes
from .values.faults import SpecFault

FRAMES = 3
"""The largest number of frames of Python's stack for the evaluation of one node of an expression."""

LARGEST_BUDGET = 10**15
"""No budget is larger: sums of them, and counters of loops, hold it."""

CALLS = 1_000
"""The greatest depth of calls of recursive defines, or of recursive actions, in every tier."""

NESTED_CAN = 64
"""The greatest depth of `can` in every tier: of a chain in which no action asks about itself (`deepest_can`), which the
check finds, and of the tests under way of actions that do."""

PARTS_OF_CAN = 60
"""The nested parts of expressions that need as many frames as a `can`, which is a run of its own."""

BudgetPart: TypeAlias = Literal["work", "game", "items", "depth", "calls", "can", "tables"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on the work and memory of a spec.

    Attributes:
        work: units of work in one piece: one list of moves or outcomes, one event with all that follows from it, or the
            check of one table.
        game: units of work in a whole game: a random one, a recorded one, the tree that `perft` counts, or the check of
            all its tables (editions, numbers of players, options, readings), where each word counts once a table.
        items: values of types, numbers of constant ranges, and cells of states and zones, together.
        depth: the nesting of nodes of expressions under evaluation, through all calls.

    Each is a whole number from 1 to 10^15. The constructor raises TypeError for any other type, ValueError for any
    other number.
    """

    work: int = 1_000_000
    game: int = 10_000_000
    items: int = 1_000_000
    depth: int = 5_000

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_number(each.name, getattr(self, each.name))

    def times(self, factor: int) -> Budget:
        """Return a budget with `factor` times as much work and memory.

        The depth stays the same, since it has to fit the stack of the machine. Raises TypeError or ValueError, as the
        constructor does, for a factor that is not a whole number from 1."""
        _check_number("factor", factor)
        return replace(self, work=self.work * factor, game=self.game * factor, items=self.items * factor)


def _check_number(name: str, given: object) -> None:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"`{name}` must be a whole number from 1, not {shown_value(given)}")
    if not 1 <= given <= LARGEST_BUDGET:
        raise ValueError(f"`{name}` must be a whole number from 1 to 10^15, not {shown_value(given)}")


DEFAULT_BUDGET = Budget()


class OverBudget(SpecFault):
    """A spec needs more than its budget. part: which of the budgets; limit: how much it allows."""

    def __init__(self, part: BudgetPart, limit: int, path: str | None, span: Span) -> None:
        self.part, self.limit = part, limit
        super().__init__(Message(f"budget-{part}", limit=limit), path, span)

    def __reduce__(self) -> tuple[type[OverBudget], tuple[Any, ...]]:
        return type(self), (self.part, self.limit, self.path, self.span)

    @property
    def hint(self) -> str:
        """The hint of the diagnostic for this fault."""
        ten_times = Message("budget-raise", option="--budget 10")
        match self.part:
            case "game":
                return ten_times
            case "depth" | "calls":
                return Message("budget-mend-depth")
            case "can":
                return Message("budget-mend-can")
            case _:
                return Message("both", first=Message(f"budget-mend-{self.part}"), second=ten_times)

    def diagnostic(self) -> Diagnostic:
        """Return the diagnostic for this fault, for callers without a game that could name the clause's authority."""
        message = Message("budget-in-clause", message=self.message, clause=self.path) if self.path else self.message
        return Diagnostic(spec_codes.OVER_BUDGET, message, self.span, self.hint)


def exhausted(fault: MemoryError | RecursionError, doing: str, file: str) -> Diagnostic:
    """Return the diagnostic for when the machine's memory or stack is exhausted before a budget is.

    doing: what was going on, such as `checking chess`; file: the file or game that the command named."""
    what = "memory" if isinstance(fault, MemoryError) else "nesting"
    message = f"{doing} needs more {what} than this machine allows"
    hint = "use smaller types and fewer states" if what == "memory" else "split long expressions into defines"
    return Diagnostic(spec_codes.OVER_BUDGET, message, Span(file, 1, 1, 1, 1), hint)


LOWERING_FRAMES = 10
"""The largest number of frames of Python's stack for the lowering of one node of an expression."""


@contextmanager
def deeper_recursion(budget: Budget) -> Iterator[None]:
    """Raise Python's recursion limit while a game is lowered, so that its deepest expressions fit the stack."""
    frames = min(LOWERING_FRAMES * budget.depth, _MOST_FRAMES)
    _allow(frames)
    try:
        yield
    finally:
        _allow(-frames)


_MOST_FRAMES = 100_000_000
"""The most frames that are added, as Python holds the limit in 32 bits."""
_limit = Lock()


def _allow(frames: int) -> None:
    """Change Python's recursion limit, which all threads share, by so many frames.

    Each thread adds and takes back its own frames: a limit that was set back to what it had been would take away those
    of another thread, or leave them permanently.
    """
    with _limit:
        sys.setrecursionlimit(sys.getrecursionlimit() + frames)


class Meter:
    """A counter of the work and memory that a spec has used of its budget.

    A caller takes units from `left` before the work, and raises the result of `over` once nothing is left. (Loops do so
    in place, since a call would cost more than a short loop.)

    Attributes:
        whole: how many units one piece of work may take; most: a whole game.
        left: units that the current piece of work may still take.
        used: units that the earlier pieces took, since `begin_game`.
        depth: the nesting of nodes of expressions under evaluation; deepest: its bound; reserve: the frames of Python's
            stack for it.
        calls: the calls of recursive defines under way inside one another.
        asked: the tests under way inside one another whether an action that asks about itself can be done.
        held: the number of values of types and of cells.

    factor: on the budget's work, for an engine without memoization, which repeats work.
    """

    __slots__ = (
        "asked",
        "budget",
        "calls",
        "credit",
        "deepest",
        "depth",
        "held",
        "left",
        "most",
        "reserve",
        "used",
        "whole",
    )

    def __init__(self, budget: Budget, factor: int = 1) -> None:
        self.whole, self.most = budget.work * factor, budget.game * factor
        self.budget, self.left, self.used, self.depth = budget, self.whole, 0, 0
        self.held = self.calls = self.asked = self.credit = 0
        self.deepest = budget.depth
        # The frames of nested `can` are extra, so that how many fit does not depend on the expressions around them.
        self.reserve = min(FRAMES * (budget.depth + 2 * NESTED_CAN * PARTS_OF_CAN), _MOST_FRAMES)

    def begin(self) -> None:
        """Start a new piece of work."""
        self.used += self.whole - self.left
        self.left = self.whole

    @contextmanager
    def limited(self, units: int) -> Iterator[None]:
        """Allow each piece of work inside the block, and all of them, only so many units."""
        whole, most = self.whole, self.most
        self.whole = self.left = min(whole, units)
        self.most = min(most, units)
        try:
            yield
        finally:
            self.whole = self.left = whole
            self.most = most

    @property
    def done(self) -> int:
        """The units that the current piece of work has taken."""
        return self.whole - self.left

    def begin_game(self, credit: int = 0) -> None:
        """Start a new game. credit: the units that it may take beyond the budget."""
        self.left, self.used, self.credit = self.whole, -credit, credit

    def check_game(self, path: str | None, span: Span) -> None:
        """Raise OverBudget if the game took more than its budget. path: the clause under evaluation."""
        if self.used + self.whole - self.left > self.most:
            raise OverBudget("game", self.budget.game, path, span)

    def take(self, units: int, path: str | None, span: Span) -> None:
        """Take units of work. Raises OverBudget if not enough are left."""
        self.left -= units
        if self.left < 0:
            raise self.over(path, span)

    def hold(self, values: int, path: str | None, span: Span) -> None:
        """Count more values that are kept. Raises OverBudget if they are too many."""
        self.held += values
        if self.held > self.budget.items:
            raise OverBudget("items", self.budget.items, path, span)

    def descend(self, parts: int, path: str | None, span: Span) -> None:
        """Count more nested nodes, until `ascend`. Raises OverBudget if the nesting is too deep."""
        # At the outermost node, Python's limit is raised above the budget's, so that the budget is always hit first.
        if not self.depth:
            _allow(self.reserve)
        self.depth += parts
        if self.depth > self.budget.depth:
            self.ascend(parts)
            raise OverBudget("depth", self.budget.depth, path, span)

    def ascend(self, parts: int) -> None:
        """Undo `descend`."""
        self.depth -= parts
        if not self.depth:
            _allow(-self.reserve)

    def enter(self, path: str | None, span: Span) -> None:
        """Count a call of a recursive define, until `leave`. Raises OverBudget if too many are inside one another."""
        if self.calls == CALLS:
            raise OverBudget("calls", CALLS, path, span)
        self.calls += 1

    def leave(self) -> None:
        """Undo `enter`."""
        self.calls -= 1

    def ask(self, action: str, span: Span) -> None:
        """Count a `can` of an action that asks about itself, until `answered`. Raises OverBudget if too many are inside
        one another."""
        if self.asked == NESTED_CAN:
            raise OverBudget("can", NESTED_CAN, action, span)
        self.asked += 1

    def answered(self) -> None:
        """Undo `ask`."""
        self.asked -= 1

    def over(self, path: str | None, span: Span) -> OverBudget:
        """Return the fault for work beyond the budget."""
        return OverBudget("work", self.budget.work, path, span)


DEPTH_OF_DECLARATION = 20
"""The nesting that a declaration counts while it is elaborated because another one uses it."""


@dataclass(slots=True)
class Allowance:
    """The work and the values that the declarations of a game may need at one table. Exceeding it is reported once.

    clause: the type, fact or define that is being elaborated.
    """

    meter: Meter
    diagnostics: Diagnostics
    clause: str | None = None

    def allows(self, values: int, path: str, span: Span) -> bool:
        """Reserve values (of types, of cells). Return whether the budget allows them; report it if not."""
        return self._allows(lambda: self.meter.hold(values, path, span))

    def goes_down(self, path: str, span: Span, work: Callable[[], None]) -> bool:
        """Do nested work on the declaration of a path. Return False, and report it, if the nesting is too deep."""
        if not self._allows(lambda: self.meter.descend(DEPTH_OF_DECLARATION, path, span)):
            return False
        around, self.clause = self.clause, path
        try:
            work()
        finally:
            self.meter.ascend(DEPTH_OF_DECLARATION)
            self.clause = around
        return True

    def _allows(self, spend: Callable[[], None]) -> bool:
        try:
            spend()
        except OverBudget as fault:
            self.exceeded(fault)
            return False
        return True

    def exceeded(self, fault: OverBudget) -> None:
        """Report that the budget is exceeded, once."""
        # Everything after the first is over the budget, too.
        if all(known.code is not spec_codes.OVER_BUDGET for known in self.diagnostics.items):
            path = fault.path or self.clause
            self.diagnostics.extend([OverBudget(fault.part, fault.limit, path, fault.span).diagnostic()])
