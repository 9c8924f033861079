"""Work and call-depth accounting: which units count their work, and how deep calls nest.

Loops count their iterations where they run. Calls need more: a chain of units may double its work at every link, or be
deeper than the stack, and a recursive unit has no bound that is known here. So that no call exceeds the budget
unnoticed, units that may cause many calls count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludex.spec import strongly_connected

from . import code as c
from .traversal import called, expressions

_FREE = 64
"""A call that causes fewer calls than this does not count as work."""
FLIGHT = 50
"""The largest number of calls between two units that count their depth."""
AGAIN = 3
"""The depth that a recursive unit counts, in nested parts of expressions."""


class Costs:
    """The work that each unit of a program has to count, computed on demand for a unit and all that it calls."""

    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units, self._known = units, dict[int, tuple[int, int]]()
        self._work, self._depth = dict[int, int](), dict[int, int]()
        self._inside = dict[int, Counter[int]]()
        self._under_way, self._again = set[int](), set[int]()

    def work(self, number: int) -> int | None:
        """Return how many calls a call of the unit may cause before another unit counts, or None if it counts none."""
        self._count(number)
        return self._work.get(number)

    def depth(self, number: int) -> int | None:
        """Return how deep calls may nest in the unit before another unit counts, or None if it does not count that."""
        self._count(number)
        return self._depth.get(number)

    def _count(self, number: int) -> None:
        if number in self._known:
            return
        waiting = [number]
        while waiting:
            unit = waiting.pop()
            if unit not in self._inside:
                body, cycle = self._units[unit].body, self._units[unit].cycle
                self._inside[unit] = _calls(body) + Counter([] if cycle is None else called(cycle))
                waiting += self._inside[unit]
        # In a ring of units that call each other, the first one counts, whichever of them is asked for first.
        for ring in strongly_connected({unit: self._inside[unit] for unit in self._inside if unit not in self._known}):
            self._of(min(ring))

    def _of(self, number: int) -> tuple[int, int]:
        """Return the calls that a call of the unit adds to its caller's count, and the nesting of calls in it, itself
        included.
        """
        if number not in self._known:
            inside = self._inside[number]
            # This holds for calls of a unit that is under way: such a unit counts each of its calls itself.
            self._known[number] = 1, 1
            self._under_way.add(number)
            known = {each: self._of(each) for each in inside}
            self._under_way.discard(number)
            cost = 1 + sum(times * known[each][0] for each, times in inside.items())
            depth = 1 + max((deep for _, deep in known.values()), default=0)
            # The depth of a recursion has no bound, so every call of such a unit counts itself, and costs its callers
            # one call.
            if number in self._again:
                self._work[number], self._depth[number] = cost, max(depth, AGAIN)
                cost = depth = 1
            unit = self._units[number]
            # A memoized unit makes its calls at a miss only, so that its callers cannot count them.
            if cost > _FREE or (unit.keeps == "always" and unit.parameters and cost > 1):
                self._work[number], cost = cost, 1
            # A long chain of short units would overflow Python's stack before any of them counts.
            if depth > FLIGHT:
                self._depth[number], depth = depth, 1
            self._known[number] = cost, depth
        elif number in self._under_way:
            self._again.add(number)
        return self._known[number]


def _calls(body: c.Body) -> Counter[int]:
    """Count the calls of each unit in a body, per iteration of loops that count their own work."""
    counts: Counter[int] = Counter()
    for statement in body:
        counts.update(unit for expr in expressions(statement) for unit in called(expr))
        match statement:
            case c.If(then=then, otherwise=otherwise):
                # The sum bounds either branch from above.
                counts += _calls(then) + _calls(otherwise)
            case c.Loop(body=inner) | c.Attempt(body=inner):
                counts += _calls(inner)
            case c.Each(items=items, body=inner):
                # A loop over a constant may be too short to count its iterations, so its calls are multiplied here.
                turns = len(items.value) if isinstance(items, c.Const) else 1
                counts += Counter({unit: times * turns for unit, times in _calls(inner).items()})
    return counts
