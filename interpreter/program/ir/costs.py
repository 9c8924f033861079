"""Work and call-depth accounting: which units count their work, and how deep calls nest.

Loops count their iterations where they run. Calls need more: a chain of units may double its work at every link, or be
deeper than the stack, and a recursive unit has no bound that is known here. So that no call exceeds the budget
unnoticed, units that may cause many calls count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import code as c
from .traversal import called, expressions

FREE = 64
"""A call that causes fewer calls than this does not count as work."""
FLIGHT = 50
"""At most this many calls lie between two units that count their depth."""
AGAIN = 5
"""The depth that a recursive unit counts, in nested parts of expressions."""


@dataclass(slots=True)
class Costs:
    """Attributes:
    work: the units that count their work, with the number of calls that one may cause before another unit counts.
    depth: the units that count their depth, with the number of nested calls before another unit counts.
    """

    work: dict[int, int] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)


def costs(units: Sequence[c.Unit]) -> Costs:
    """Return what each unit of a program has to count."""
    return _Counting(units).found


class _Counting:
    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units, self._known, self.found = units, dict[int, tuple[int, int]](), Costs()
        self._under_way, self._again = set[int](), set[int]()
        for number in range(len(units)):
            self._of(number)

    def _of(self, number: int) -> tuple[int, int]:
        """Return the calls that a call of the unit adds to its caller's count, and the nesting of calls in it, itself
        included.
        """
        if number not in self._known:
            unit = self._units[number]
            # This holds for calls of a unit that is under way: such a unit counts each of its calls itself.
            self._known[number] = 1, 1
            self._under_way.add(number)
            inside = _calls(unit.body) + Counter([] if unit.cycle is None else called(unit.cycle))
            known = {each: self._of(each) for each in inside}
            self._under_way.discard(number)
            cost = 1 + sum(times * known[each][0] for each, times in inside.items())
            depth = 1 + max((deep for _, deep in known.values()), default=0)
            if number in self._again:
                self.found.work[number], self.found.depth[number] = cost, max(depth, AGAIN)
                cost = depth = 1
            # A memoized unit makes its calls at a miss only, so that its callers cannot count them.
            if cost > FREE or (unit.keeps == "always" and unit.parameters and cost > 1):
                self.found.work[number], cost = cost, 1
            if depth > FLIGHT:
                self.found.depth[number], depth = depth, 1
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
                counts += _calls(then) + _calls(otherwise)
            case c.Doubt(body=inner, otherwise=otherwise):
                counts += _calls(inner) + _calls(otherwise)
            case c.Loop(body=inner) | c.Attempt(body=inner):
                counts += _calls(inner)
            case c.Each(items=items, body=inner):
                turns = len(items.value) if isinstance(items, c.Const) else 1
                counts += Counter({unit: times * turns for unit, times in _calls(inner).items()})
    return counts
