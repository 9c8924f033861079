"""Unknown values: a piece of a pool, and a value that is one of some candidates.

In a possible state every zone may hold tickets, not only hidden ones: a piece that its owner has seen and the recorder
has not is still a ticket of the pool it was drawn from. An expression that reads such a zone gets an `Unidentified` for
each ticket. Any other value that the recorder has not seen (a die, a choice) is a `OneOf`; it keeps its identity while
it is copied from a slot to a cell, so that it is replaced everywhere once it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from operator import is_
from typing import Any

from ludex.spec import Unknown, UnknownPiece, is_known
from ludex.spec import types as t

from ..state.contents import Pools, Ticket
from ..state.pools import PoolEntry

_numbers = count()


class Unidentified(UnknownPiece):
    """A piece behind a ticket: one of those that the pool may still hold."""

    __slots__ = ("kinds", "ticket")

    def __init__(self, ticket: Ticket, kinds: frozenset[t.Value]) -> None:
        self.ticket, self.kinds = ticket, kinds

    def may_be(self, value: t.Value) -> bool:
        return value in self.kinds


class OneOf(Unknown):
    """A value that is one of the candidates."""

    __slots__ = ("candidates", "number")

    def __init__(self, candidates: Iterable[t.Value]) -> None:
        self.candidates, self.number = tuple(dict.fromkeys(candidates)), next(_numbers)

    def may_be(self, value: t.Value) -> bool:
        return value in self.candidates

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(str, self.candidates))})"


class OnePieceOf(OneOf, UnknownPiece):
    """A piece of one of the candidates' kinds."""

    __slots__ = ()


def one_of(candidates: Iterable[t.Value]) -> OneOf:
    """Return a value that is one of the candidates; a zone can hold it if no candidate is a collection or none."""
    values = tuple(candidates)
    return (OnePieceOf if all(isinstance(value, int) for value in values) else OneOf)(values)


class PartlyKnownBag(tuple[Any, ...]):
    """A bag with unknown items after the known ones, in no order."""

    __slots__ = ()


def kinds_in(pools: Pools, entries: Iterable[PoolEntry]) -> frozenset[t.Value]:
    """Return every kind of piece that one of the entries may be."""
    kinds: set[t.Value] = set()
    for entry in set(entries):
        if isinstance(entry, Ticket):
            kinds |= kinds_in(pools, pools[entry.pool])
        elif isinstance(entry, OneOf):
            kinds.update(entry.candidates)
        else:
            kinds.add(entry)
    return frozenset(kinds)


def with_value(held: Any, known: Mapping[int, t.Value]) -> Any:
    """Replace unknown values, by their numbers, in whatever a state holds; return the same object if it holds none."""
    # Most values are numbers.
    if held.__class__ is int or held is None:
        return held
    if isinstance(held, OneOf):
        return known.get(held.number, held)
    if not isinstance(held, tuple) or isinstance(held, Ticket):
        return held
    replaced: list[Any] = [each if each.__class__ is int else with_value(each, known) for each in held]
    if all(map(is_, replaced, held)):
        return held
    if isinstance(held, PartlyKnownBag):
        return tuple(sorted(replaced)) if is_known(tuple(replaced)) else PartlyKnownBag(replaced)
    return type(held)(*replaced) if hasattr(held, "_fields") else tuple(replaced)


def unknowns_in(held: Any) -> list[OneOf]:
    """Return the unknown values in whatever a state holds."""
    found = list[OneOf]()
    _collect(held, found)
    return found


def _collect(held: Any, found: list[OneOf]) -> None:
    if isinstance(held, tuple):
        for each in held:
            if each.__class__ is not int and each is not None:
                _collect(each, found)
    elif isinstance(held, OneOf):
        found.append(held)
