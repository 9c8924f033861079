"""Which units count their work when they are called, so that no call takes more than the budget unseen.

Loops count their turns where they run. What is left are units that call units: a chain of them may double its work
from link to link, and one that calls itself has no end that is known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from . import code as c
from .trees import called, expressions

FREE = 64
"""So many calls are no work to speak of."""


def costs(units: Sequence[c.Unit]) -> Mapping[int, int]:
    """The units that count, by number, with the calls that one of theirs may cause before another unit counts."""
    return _Costs(units).counting


class _Costs:
    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units, self._known, self.counting = units, dict[int, int](), dict[int, int]()
        for number in range(len(units)):
            self._of(number)

    def _of(self, number: int) -> int:
        """What a call of the unit costs whoever calls it."""
        if number not in self._known:
            unit = self._units[number]
            self._known[number] = 1  # where it is reached again on the way, it counts
            found = _calls(unit.body) + Counter([] if unit.cycle is None else called(unit.cycle))
            cost = 1 + sum(times * self._of(each) for each, times in found.items())
            if cost > FREE or unit.cycle is not None:
                self.counting[number], cost = cost, 1
            self._known[number] = cost
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
