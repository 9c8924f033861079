"""Which units count their work when they are called, and how deep calls lie inside one another.

Loops count their turns where they run. What is left are units that call units: a chain of them may double its work
from link to link, or be longer than the stack, and one that calls itself has no end that is known here. So that no call
takes more than the budget unseen, units of which there may be many at once are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import code as c
from .trees import called, expressions

FREE = 64
"""So many calls are no work to speak of."""
FLIGHT = 50
"""Between two units that count how deep they lie there are no more calls than this."""
AGAIN = 5
"""What a unit that calls itself counts for: so many parts of expressions inside one another."""


@dataclass(slots=True)
class Costs:
    """Attributes:
    work: the units that count their work, with the calls that one of theirs may cause before another unit counts.
    depth: the units that count how deep they lie, with the calls that may lie in one of theirs before another does.
    """

    work: dict[int, int] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)


def costs(units: Sequence[c.Unit]) -> Costs:
    """What the units of a program count."""
    return _Counting(units).found


class _Counting:
    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units, self._known, self.found = units, dict[int, tuple[int, int]](), Costs()
        self._under_way, self._again = set[int](), set[int]()
        for number in range(len(units)):
            self._of(number)

    def _of(self, number: int) -> tuple[int, int]:
        """What a call of the unit costs whoever calls it, and how many calls lie in it, itself included."""
        if number not in self._known:
            unit = self._units[number]
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
            if cost > FREE or (unit.keeps == "always" and unit.parameters and cost > 1):
                self.found.work[number], cost = cost, 1
            if depth > FLIGHT:
                self.found.depth[number], depth = depth, 1
            self._known[number] = cost, depth
        elif number in self._under_way:
            self._again.add(number)
        return self._known[number]


def _calls(body: c.Body) -> Counter[int]:
    """How often a body calls each unit, with a turn of each loop that counts its own."""
    found: Counter[int] = Counter()
    for statement in body:
        found.update(unit for expr in expressions(statement) for unit in called(expr))
        match statement:
            case c.If(then=then, otherwise=otherwise):
                found += _calls(then) + _calls(otherwise)
            case c.Doubt(body=inner, otherwise=otherwise):
                found += _calls(inner) + _calls(otherwise)
            case c.Loop(body=inner) | c.Attempt(body=inner):
                found += _calls(inner)
            case c.Each(items=items, body=inner):
                turns = len(items.value) if isinstance(items, c.Const) else 1
                found += Counter({unit: times * turns for unit, times in _calls(inner).items()})
    return found
