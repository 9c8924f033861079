"""Distance between values and between moves, to suggest the legal move that a recorder may have meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ludex.spec import model as m
from ludex.spec import types as t

from .domains import is_value
from .events import Move


def nearest_moves(game: m.Game, moves: Iterable[Move], move: Move, limit: int) -> tuple[Move, ...]:
    """Select the `limit` moves nearest to the given one, the nearest first.

    The order prefers the same player, the same action, the fewest differing arguments, and then the smallest distances.
    Raises ValueError if `limit` is below 0.
    """
    if limit < 0:
        raise ValueError(f"`limit` must be 0 or more, not {limit}")
    given = dict(move.arguments)

    def apart(other: Move) -> tuple[bool, bool, int, int]:
        # `decline` has no arguments and no signature.
        types = {name: of for name, of, _ in game.moves[other.action].arguments} if other.arguments else {}
        steps = [distance(types[name], given.get(name), value) for name, value in other.arguments]
        return other.player != move.player, other.action != move.action, len(steps) - steps.count(0), sum(steps)

    return tuple(sorted(moves, key=apart)[:limit])


def distance(type_: t.Type, one: object, other: object) -> int:
    """Measure how far apart two values of a type are; 0 if they are equal.

    Numbers: their difference. Records and words with data: the sum over their parts, so that places are as far apart as
    their coordinates. Components: the number of columns that differ. Collections: the number of items that only one of
    them holds. An object that is not a value of the type is equally far from every value.
    """
    if one == other:
        return 0
    if not is_value(type_, one) or not is_value(type_, other):
        return 1
    return _between(type_, one, other)


def _between(type_: t.Type, one: t.Value, other: t.Value) -> int:
    match type_:
        case t.Range():
            return int(abs(one - other))
        case t.Record(fields=fields, members=members):
            return _of_parts(tuple(of for _, of in fields), members[one], members[other])
        case t.Words(members=members):
            (word, data), (another, others) = members[one], members[other]
            case = type_.case(word)
            if word != another or case is None:
                return 1
            return _of_parts(tuple(of for _, of in case.fields), data, others)
        case t.ComponentType(columns=columns, rows=rows):
            differing = sum(left != right for left, right in zip(rows[one], rows[other], strict=True))
            # Two cards may be printed alike, and are still not the same.
            return max(1, differing) if columns else 1
        case t.Optional(of=of):
            return 1 if one is None or other is None else distance(of, one, other)
        case t.SetOf() | t.BagOf() | t.ListOf():
            left, right = Counter[t.Value](one), Counter[t.Value](other)
            # Lists of the same items in another order are apart, too.
            return ((left - right) + (right - left)).total() or 1
        case _:
            return 1


def _of_parts(types: tuple[t.Type, ...], one: tuple[t.Value, ...], other: tuple[t.Value, ...]) -> int:
    return sum(distance(of, left, right) for of, left, right in zip(types, one, other, strict=True))
