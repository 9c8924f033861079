"""Types of the language: finite domains, and the representation of their values.

A value is small and plain, so that states compare, hash and copy cheaply and code can be generated later:

====================  ==================================================================
type                  value
====================  ==================================================================
`Range`               the integer itself
`Bool`                `True` or `False`
`Words`               position of the word (with its data) among all values of the type
`Record`              position among the members, in field-by-field order
`PlayerType`          seat, from 0
`ComponentType`       position in the table
`Optional`            the value, or `None`
`SetOf`               frozenset of values
`BagOf`               sorted tuple of values
`ListOf`              tuple of values
====================  ==================================================================

Positions follow the declared order, so `<` on values of one type is the language's `<`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

LARGEST_DOMAIN = 65_536
"""No type may have more values than this; a larger one is reported at its declaration."""

Value: TypeAlias = Any
"""int | bool | None | frozenset | tuple; the static type of an expression determines which."""


@dataclass(frozen=True)
class Never:
    """The bottom type, of `none` and of the elements of `{}`: a subtype of every type, without values."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True)
class Bool:
    def __str__(self) -> str:
        return "Bool"


BOOL = Bool()


@dataclass(frozen=True)
class Range:
    """Integers from `low` to `high`, both included. `name` is the declared name, for messages only."""

    low: int
    high: int
    name: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.name or f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Case:
    """One word of a `Words` type, with the names and types of its data."""

    name: str
    fields: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True)
class Words:
    """An enumeration, `earth | air`, whose words may carry data, `gain(x: 1..3) | nothing_more`. Compared by name."""

    name: str
    cases: tuple[Case, ...] = field(compare=False)

    @cached_property
    def members(self) -> tuple[tuple[str, tuple[Value, ...]], ...]:
        """Every value as (word, data)."""
        return tuple((case.name, data) for case in self.cases for data in product(*(values(t) for _, t in case.fields)))

    @cached_property
    def positions(self) -> dict[tuple[str, tuple[Value, ...]], int]:
        return {member: position for position, member in enumerate(self.members)}

    @cached_property
    def plain(self) -> bool:
        """Whether no word carries data."""
        return not any(case.fields for case in self.cases)

    def case(self, name: str) -> Case | None:
        return next((case for case in self.cases if case.name == name), None)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Record:
    """Named fields; `members` are the combinations that satisfy the declared condition, in order."""

    name: str
    fields: tuple[tuple[str, Type], ...] = field(compare=False)
    members: tuple[tuple[Value, ...], ...] = field(compare=False)

    @cached_property
    def positions(self) -> dict[tuple[Value, ...], int]:
        return {member: position for position, member in enumerate(self.members)}

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class PlayerType:
    """The players at the table, `count` of them."""

    count: int

    def __str__(self) -> str:
        return "Player"


@dataclass(frozen=True)
class ComponentType:
    """A table of kinds of pieces (or of printed places).

    Attributes:
        ids: the id of every row, in the file's order.
        columns: declared columns, name and type.
        rows: for every row, its value in every column; parallel to `ids` and `columns`.
        copies: how many pieces of each kind there are.
    """

    name: str
    ids: tuple[str, ...] = field(compare=False)
    columns: tuple[tuple[str, Type], ...] = field(compare=False)
    rows: tuple[tuple[Value, ...], ...] = field(compare=False)
    copies: tuple[int, ...] = field(compare=False)

    @cached_property
    def positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.ids)}

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Optional:
    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


# `most` is the declared capacity of a collection (`up to 20`). It is not part of the type: types are compared without
# it, and a value is checked against it where it is stored.


@dataclass(frozen=True)
class SetOf:
    of: Type
    most: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True)
class BagOf:
    of: Type
    most: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"bag of {self.of}"


@dataclass(frozen=True)
class ListOf:
    of: Type
    most: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"list of {self.of}"


Type: TypeAlias = Never | Bool | Range | Words | Record | PlayerType | ComponentType | Optional | SetOf | BagOf | ListOf
Collection: TypeAlias = SetOf | BagOf | ListOf


def size(type_: Type) -> int | None:
    """Return the number of values of a type; None for collections, whose values are not enumerated."""
    match type_:
        case Never():
            return 0
        case Bool():
            return 2
        case Range(low=low, high=high):
            return max(0, high - low + 1)
        case Words() | Record():
            return len(type_.members)
        case PlayerType(count=count):
            return count
        case ComponentType(ids=ids):
            return len(ids)
        case Optional(of=of):
            inner = size(of)
            return None if inner is None else inner + 1
        case SetOf() | BagOf() | ListOf():
            return None


def values(type_: Type) -> Sequence[Value]:
    """Return all values of a finite type, in order. Raises TypeError for collections."""
    match type_:
        case Never():
            return ()
        case Bool():
            return (False, True)
        case Range(low=low, high=high):
            return range(low, high + 1)
        case Optional(of=of):
            return (None, *values(of))
        case SetOf() | BagOf() | ListOf():
            raise TypeError(f"{type_} has no list of values")
        case _:
            return range(size(type_) or 0)


def position(type_: Type, value: Value) -> int:
    """Return the index of a value among the values of its type, from 0: the cell of an indexed state or zone."""
    match type_:
        case Range(low=low):
            return int(value) - low
        case Optional(of=of):
            return 0 if value is None else 1 + position(of, value)
        case _:
            return int(value)


def contains(type_: Type, value: Value) -> bool:
    """Return whether a value of the right kind is in the domain of a type."""
    match type_:
        case Range(low=low, high=high):
            return bool(low <= value <= high)
        case Optional(of=of):
            return value is None or contains(of, value)
        case SetOf(of=of, most=most) | BagOf(of=of, most=most) | ListOf(of=of, most=most):
            return (most is None or len(value) <= most) and all(contains(of, item) for item in value)
        case Bool() | Never():
            return True
        case _:
            return bool(0 <= value < (size(type_) or 0))


def element_type(type_: Type) -> Type | None:
    """Return the type of a collection's items; None if the type is not a collection."""
    return type_.of if isinstance(type_, SetOf | BagOf | ListOf) else None


def strip_optional(type_: Type) -> Type:
    return type_.of if isinstance(type_, Optional) else type_


def fits(type_: Type, wanted: Type) -> bool:
    """Return whether a type is a subtype of another, apart from ranges.

    Any range fits any range here, since a number is checked against the bounds where it is stored."""
    match type_, wanted:
        case Never(), _:
            return True
        case Range(), Range():
            return True
        case Optional(of=of), Optional(of=wanted_of):
            return fits(of, wanted_of)
        # This comes after the case of two optionals, in which `none` may be on both sides.
        case _, Optional(of=wanted_of):
            return fits(type_, wanted_of)
        case (
            (SetOf(of=of), SetOf(of=wanted_of))
            | (BagOf(of=of), BagOf(of=wanted_of))
            | (
                ListOf(of=of),
                ListOf(of=wanted_of),
            )
        ):
            return fits(of, wanted_of)
        case _:
            return type_ == wanted


def join(left: Type, right: Type) -> Type | None:
    """Return the least common supertype of two types (the union of ranges is widened to a range), or None."""
    match left, right:
        case (Never(), other) | (other, Never()):
            return other if not isinstance(other, Never) else left
        case Range(low=a, high=b), Range(low=c, high=d):
            # Equal ranges keep their declared name.
            return left if left == right else Range(min(a, c), max(b, d))
        case (Optional(of=a_), Optional(of=b_)) | (Optional(of=a_), b_) | (a_, Optional(of=b_)):
            inner = join(a_, b_)
            return None if inner is None else Optional(inner)
        case SetOf(of=a_), SetOf(of=b_):
            inner = join(a_, b_)
            return None if inner is None else SetOf(inner)
        case BagOf(of=a_), BagOf(of=b_):
            inner = join(a_, b_)
            return None if inner is None else BagOf(inner)
        case ListOf(of=a_), ListOf(of=b_):
            inner = join(a_, b_)
            return None if inner is None else ListOf(inner)
        case _:
            return left if left == right else None


def optional(type_: Type) -> Type:
    """Return the optional type of a type; an optional type stays as it is."""
    return type_ if isinstance(type_, Optional) else Optional(type_)


def zero(type_: Type) -> Value:
    """Return the first value of a state that declares none: none, false, an empty collection, 0 or the lowest value."""
    match type_:
        case Optional():
            return None
        case Bool():
            return False
        case SetOf():
            return frozenset()
        case BagOf() | ListOf():
            return ()
        case Range(low=low, high=high):
            # The value is zero if that is in the range, as counters begin there.
            return 0 if low <= 0 <= high else low
        case _:
            return 0


# ---- order -----------------------------------------------------------------------------------------------------------


def in_order(of: Type, items: Iterable[Value]) -> list[Value]:
    """Return values of one type sorted in the language's order; `none` comes first."""
    return sorted(items, key=lambda item: _order(of, item))


def _order(type_: Type, value: Value) -> Any:
    match type_:
        case Optional(of=of):
            # None cannot be compared with other values.
            return (0, 0) if value is None else (1, _order(of, value))
        case SetOf(of=of):
            # `<` of frozensets means inclusion, which puts most sets in no order.
            return sorted(_order(of, item) for item in value)
        case BagOf(of=of) | ListOf(of=of):
            return [_order(of, item) for item in value]
        case _:
            return value
