"""Numbers for moves: every move that a game knows is a whole number, in mixed radix of its action and arguments.

0 is `decline`. The moves of each name follow, in the order of `game.moves`; within a name the last argument runs
fastest, each over the values of its type in their order. A move that states a collection has no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from ludex.spec import model as m
from ludex.spec import types as t

from ...state.events import DECLINE

REMEMBERED = 10_000
"""What so many numbers of a name stand for is remembered."""
LARGEST = 2**62
"""No space of moves is larger: a number fits into a signed word of 64 bits."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """The moves of one name. first: the number of the first one; `radices`: how many values each argument has;
    `listed`: those values."""

    name: str
    first: int
    names: tuple[str, ...]
    types: tuple[t.Type, ...]
    radices: tuple[int, ...]
    listed: tuple[Sequence[t.Value], ...]
    known: dict[int, tuple[t.Value, ...]] = field(default_factory=dict, compare=False)

    @property
    def size(self) -> int:
        return prod(self.radices)

    def number(self, values: Sequence[t.Value]) -> int:
        """The number of the move that states these values."""
        found = 0
        for of, radix, value in zip(self.types, self.radices, values, strict=True):
            found = found * radix + t.position(of, value)
        return self.first + found

    def values(self, number: int) -> tuple[t.Value, ...]:
        """What the move with this number states."""
        known = self.known.get(number)
        if known is None:
            if len(self.known) == REMEMBERED:
                self.known.clear()
            known = self.known[number] = self._values(number - self.first)
        return known

    def _values(self, rest: int) -> tuple[t.Value, ...]:
        found: list[t.Value] = []
        for listed, radix in zip(reversed(self.listed), reversed(self.radices), strict=True):
            rest, at = divmod(rest, radix)
            found.append(listed[at])
        found.reverse()
        return tuple(found)


def _listed(of: t.Type) -> Sequence[t.Value]:
    """The values of a type, in order."""
    return range(of.low, of.high + 1) if isinstance(of, t.Range) else t.values(of)


class Numbers:
    """The numbers of a game's moves.

    Attributes:
        by_name: for each name whose moves have numbers.
        size: how many numbers there are.
        complete: whether every move has one.
    """

    def __init__(self, game: m.Game) -> None:
        self.by_name: dict[str, Numbered] = {}
        self.size, self.complete = 1, True
        for name, signature in game.moves.items():
            kinds = [of for _, of, _ in signature.arguments]
            sizes = [t.size(of) for of in kinds]
            found = prod(size for size in sizes if size is not None)
            if None in sizes or self.size + found > LARGEST or name == DECLINE:
                self.complete = self.complete and name == DECLINE
                continue
            names = tuple(name for name, _, _ in signature.arguments)
            radices = tuple(size for size in sizes if size is not None)
            self.by_name[name] = Numbered(name, self.size, names, tuple(kinds), radices, tuple(map(_listed, kinds)))
            self.size += found

    def named(self, number: int) -> Numbered:
        """The moves among which the number is. Raises KeyError if no move has it."""
        for each in self.by_name.values():
            if each.first <= number < each.first + each.size:
                return each
        raise KeyError(number)
