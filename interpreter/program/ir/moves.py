"""Move numbers: every move of a game is encoded as a whole number, in mixed radix over its action and arguments.

0 is `decline`. The moves of each name follow, in the order of `game.moves`; within a name the last argument varies
fastest, and each argument runs over the values of its type in their order. A move that states a collection has no
number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from math import prod

from ludex.grammar import shown_value, value_class
from ludex.spec import model as m
from ludex.spec import types as t

from ...state.domains import is_value
from ...state.events import DECLINE, Move

_REMEMBERED = 10_000
"""The number of decoded move numbers of one name that are memoized."""
MASK = 1_000_000
"""Limit of a legality mask, in move numbers: it has a byte for each."""
_LARGEST = 2**62
"""The largest number of move numbers: each fits into a signed 64-bit word."""


@value_class
class Numbered:
    """The numbering of the moves of one name.

    first: the first number; `radices`: how many values each argument has; `listed`: those values.
    """

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
        """Encode argument values, each of its type, as a move number."""
        offset = 0
        # Horner's scheme makes one number of all positions.
        for of, radix, value in zip(self.types, self.radices, values, strict=True):
            offset = offset * radix + t.position(of, value)
        return self.first + offset

    def values(self, number: int) -> tuple[t.Value, ...]:
        """Decode a move number into argument values."""
        known = self.known.get(number)
        if known is None:
            if len(self.known) == _REMEMBERED:
                self.known.clear()
            known = self.known[number] = self._values(number - self.first)
        return known

    def _values(self, rest: int) -> tuple[t.Value, ...]:
        values: list[t.Value] = []
        for argument, radix in zip(reversed(self.listed), reversed(self.radices), strict=True):
            rest, at = divmod(rest, radix)
            values.append(argument[at])
        values.reverse()
        return tuple(values)


def _listed(of: t.Type) -> Sequence[t.Value]:
    """Return the values of a type, in order."""
    return range(of.low, of.high + 1) if isinstance(of, t.Range) else t.values(of)


class Numbers:
    """The numbering of a game's moves.

    Attributes:
        by_name: the numbering of each name whose moves have numbers.
        size: how many numbers there are; each number is in `range(size)`.
        complete: whether every move has a number.
    """

    def __init__(self, game: m.Game) -> None:
        self._game, self.by_name = game.name, dict[str, Numbered]()
        self.size, self.complete = 1, True
        for name, signature in game.moves.items():
            kinds = [of for _, of, _ in signature.arguments]
            sizes = [t.size(of) for of in kinds]
            radices = tuple(size for size in sizes if size is not None)
            count = prod(radices)
            # `decline` is number 0 already. A name that is left out leaves no gap, so the numbers of the others stay
            # small.
            if None in sizes or self.size + count > _LARGEST or name == DECLINE:
                self.complete = self.complete and name == DECLINE
                continue
            names = tuple(name for name, _, _ in signature.arguments)
            self.by_name[name] = Numbered(name, self.size, names, tuple(kinds), radices, tuple(map(_listed, kinds)))
            self.size += count

    def named(self, number: int) -> Numbered:
        """Return the numbering to which a move number belongs. Raises ValueError if no move has the number."""
        for each in self.by_name.values():
            if each.first <= number < each.first + each.size:
                return each
        raise ValueError(f"no move has the number {shown_value(number)}; numbers are from 0 to {self.size - 1}")

    def id_of(self, move: Move) -> int:
        """Return the number of a move. Raises ValueError for a move without a number."""
        if move == Move(move.player, DECLINE):
            return 0
        numbered = self.by_name.get(move.action)
        given = dict(move.arguments)
        # The arguments may be in any order, and each must be there once.
        if numbered is None or sorted(name for name, _ in move.arguments) != sorted(numbered.names):
            raise ValueError(f"{shown_value(move, 500)} has no number")
        values = [given[name] for name in numbered.names]
        if not all(is_value(of, value) for of, value in zip(numbered.types, values, strict=True)):
            raise ValueError(f"{shown_value(move, 500)} has no number")
        return numbered.number(values)

    def move_of(self, number: int, player: int) -> Move:
        """Return the move with this number, as a player's."""
        if number == 0:
            return Move(player, DECLINE)
        numbered = self.named(number)
        return Move(player, numbered.name, tuple(zip(numbered.names, numbered.values(number), strict=True)))

    def mask(self, numbers: Iterable[int]) -> bytearray:
        """Return a byte for every move number, 1 for the given ones. Raises ValueError if there are too many."""
        if self.size > MASK:
            raise ValueError(f"{self._game} has {self.size:,} numbers of moves; a mask has no more than {MASK:,}")
        mask = bytearray(self.size)
        for number in numbers:
            mask[number] = 1
        return mask
