"""The order of values: how collections are sorted, and in which order loops go through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from math import inf
from typing import Any

from . import types as t
from .partial_knowledge import PartlyKnownItems, is_known


def order_of(of: t.Type) -> Callable[[Iterable[t.Value]], list[t.Value]]:
    """Return the function that puts values of a type in the language's order; `none` comes first."""
    # Plain values have Python's own order, and `sorted` without a key is much faster.
    if _is_nested(of):
        return partial(sorted, key=ranking(of))
    return sorted


@cache
def ranking(of: t.Type) -> Callable[[Any], Any]:
    """Return a key that puts values of a type in the language's order."""
    match of:
        case t.Optional(of=inner) if _is_nested(inner):
            key = ranking(inner)
            # The keys of collections are lists, which do not compare with numbers: `none` is the empty tuple.
            return lambda value: () if value is None else (key(value),)
        case t.Optional():
            return lambda value: -inf if value is None else value
        case t.SetOf(of=inner):
            key = ranking(inner)
            return lambda value: sorted(map(key, value))
        case t.BagOf(of=t.Optional(of=inner)) | t.ListOf(of=t.Optional(of=inner)) if not _is_nested(inner):
            return lambda value: [-inf if item is None else item for item in value]
        case t.BagOf(of=inner) | t.ListOf(of=inner):
            key = ranking(inner)
            return lambda value: [key(item) for item in value]
        case _:
            return lambda value: value


def _is_nested(of: t.Type) -> bool:
    return isinstance(of, t.Optional | t.SetOf | t.BagOf | t.ListOf)


def ordered(of: t.Type, items: Iterable[t.Value]) -> tuple[t.Value, ...]:
    return tuple(order_of(of)(items))


def listed(type_: t.Type, value: t.Value) -> tuple[t.Value, ...]:
    """Return the items of a collection in the order in which loops go through them, or the one item of an optional."""
    match type_:
        case t.SetOf(of=of) | t.BagOf(of=of) if isinstance(value, PartlyKnownItems):
            # Equal known items are listed once: of such a collection only membership is ever known, never a count.
            known = frozenset(item for item in value.items if is_known(item))
            return (*ordered(of, known), *(item for item in value.items if not is_known(item)))
        case t.SetOf(of=of):
            return ordered(of, value)
        case t.BagOf() | t.ListOf():
            return tuple(value)
        case _:
            return () if value is None else (value,)
