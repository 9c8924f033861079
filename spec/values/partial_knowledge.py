"""Partial knowledge: values with unknown parts, and three-valued logic on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from . import types as t


class Unknown:
    """An unknown value. One that is computed equals nothing, not even itself.

    In the order of values it comes after all known ones, so that a zone can hold it; the order says nothing about the
    value.
    """

    __slots__ = ()

    def may_be(self, value: t.Value) -> bool:
        """Return whether this unknown value may be the given known one."""
        return True

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Unknown)


class UnknownContent(Unknown):
    """The unknown content of a variable, which equals itself."""

    __slots__ = ()


class UnknownPiece(Unknown):
    """A piece of an unknown kind. Unlike an Unknown, it is certainly not `none`."""

    __slots__ = ()


class PartlyKnownItems(Unknown):
    """A set or bag with unknown items: each is in it, and nothing else is.

    Its size is unknown, since an unknown item may be equal to another one.
    """

    __slots__ = ("items",)

    def __init__(self, items: tuple[t.Value, ...]) -> None:
        self.items = items


Truth: TypeAlias = bool | Unknown


def is_known(value: t.Value) -> bool:
    """Return whether a value and all its parts are known. Sets cannot have unknown items."""
    if isinstance(value, tuple):
        return all(map(is_known, value))
    return not isinstance(value, Unknown)


def same(one: t.Value, other: t.Value) -> Truth:
    """Compare two values; the result is Unknown if either part that decides is unknown."""
    if type(one) is int and type(other) is int:  # as most values are
        return one == other
    if _is_same(one, other):
        return True
    if is_known(one) and is_known(other):
        return bool(one == other)
    for unknown, value in ((one, other), (other, one)):
        if isinstance(unknown, Unknown) and is_known(value) and not unknown.may_be(value):
            return False
    return Unknown()


def _is_same(one: t.Value, other: t.Value) -> bool:
    """Return whether an unknown value is compared with itself, alone or in collections that are otherwise equal."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(_is_same(*pair) or (is_known(pair) and pair[0] == pair[1]) for pair in zip(one, other, strict=True))
    # To find that two computed values are equal would need a record of their computation.
    return one is other and type(one) is not Unknown


def negated(value: Truth) -> Truth:
    """Return the negation."""
    # The result is another unknown value, as the same one would be equal to its negation.
    return Unknown() if isinstance(value, Unknown) else not value


def conjunction(one: Truth, other: Truth) -> Truth:
    """Return the conjunction."""
    # One `False` settles it, in either order: the walk must not depend on which is known first.
    if one is False or other is False:
        return False
    return other if one is True else one if other is True else Unknown()


def any_of(truths: Iterable[Truth]) -> Truth:
    """Return the disjunction of partly unknown values, with short-circuit evaluation."""
    result: Truth = False
    for truth in truths:
        if truth is True:
            return True
        if isinstance(truth, Unknown):
            # It is the value of the disjunction only if all others are false.
            result = truth if result is False else Unknown()
    return result
