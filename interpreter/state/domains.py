"""Membership of a value in a type, checked strictly, for values that come from outside."""

from __future__ import annotations

from ludex.spec import order_of
from ludex.spec import types as t


def is_value(type_: t.Type, value: object) -> bool:
    """Test whether the object is a value of the type, as `ludex.spec.values.types` defines. Never raises."""
    if type(value) is int:
        # `isinstance` would be wrong: a bool is an int to Python, and `True` is not a number of a game.
        if isinstance(type_, t.Optional):
            return is_value(type_.of, value)
        return not isinstance(type_, OF_OTHERS) and t.contains(type_, value)
    match type_:
        case t.Bool():
            return isinstance(value, bool)
        case t.Optional(of=of):
            return value is None or is_value(of, value)
        case t.SetOf(of=of):
            return isinstance(value, frozenset) and all(is_value(of, item) for item in value)
        case t.ListOf(of=of):
            return isinstance(value, tuple) and all(is_value(of, item) for item in value)
        case t.BagOf(of=of):
            fine = isinstance(value, tuple) and all(is_value(of, item) for item in value)
            # One bag is one value: unsorted items would be a second form of it, unequal to the first.
            return fine and tuple(order_of(of)(value)) == value  # type: ignore[arg-type]
    return False


OF_OTHERS = t.Bool, t.Never, t.SetOf, t.BagOf, t.ListOf
"""The types that have no whole numbers."""
