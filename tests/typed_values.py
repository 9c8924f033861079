"""Types, with values of them and with almost valid data, for tests of decoders."""

from __future__ import annotations

import copy
from itertools import product
from typing import Any
from zlib import crc32

from hypothesis import strategies as st

from ludex.spec.values.codec import to_json
from ludex.spec.values.types import (
    BagOf,
    Bool,
    Case,
    ComponentType,
    ListOf,
    Optional,
    PlayerType,
    Range,
    Record,
    SetOf,
    Type,
    Value,
    Words,
    in_order,
    values,
)

FAMILY = Words("Family", (Case("earth"), Case("air"), Case("fire"), Case("water")))
SITE = Record(
    "Site",
    (("level", Range(1, 4)), ("col", Range(1, 4))),
    tuple((level, col) for level, col in product(range(1, 5), range(1, 5)) if col <= 5 - level),
)
NAMES = st.sampled_from(["a", "b", "x", "family", "level", "gain"])


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    low, more = draw(st.integers(-3, 3)), draw(st.integers(0, 4))
    return Range(low, low + more, draw(st.sampled_from([None, f"R{low + 3}_{more}"])))


def components() -> st.SearchStrategy[Type]:
    ids = st.lists(st.sampled_from(["a", "b", "l01", "l02"]), unique=True)
    return ids.map(lambda ids: ComponentType("C" + "_".join(ids), tuple(ids), (), ((),) * len(ids), (1,) * len(ids)))


SMALL: st.SearchStrategy[Type] = st.one_of(
    st.just(Bool()), ranges(), components(), st.integers(1, 4).map(PlayerType), st.just(FAMILY), st.just(SITE)
)


@st.composite
def words(draw: st.DrawFn, of: st.SearchStrategy[Type]) -> Words:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    fields = st.lists(st.tuples(NAMES, of), max_size=2, unique_by=lambda field: field[0])
    cases = tuple(Case(name, tuple(draw(fields))) for name in names)
    return Words(f"W{crc32(str(cases).encode())}", cases)


@st.composite
def records(draw: st.DrawFn, of: st.SearchStrategy[Type]) -> Record:
    fields = tuple(draw(st.lists(st.tuples(NAMES, of), min_size=1, max_size=2, unique_by=lambda field: field[0])))
    every = tuple(product(*(values(type_) for _, type_ in fields)))
    dropped = draw(st.sets(st.integers(0, max(0, len(every) - 1)), max_size=5))
    members = tuple(member for at, member in enumerate(every) if at not in dropped)
    return Record(f"R{crc32(str((fields, members)).encode())}", fields, members)


FINITE: st.SearchStrategy[Type] = st.recursive(
    SMALL,
    lambda of: st.one_of(of.map(Optional), words(of), records(of)),
    max_leaves=3,
)
TYPES: st.SearchStrategy[Type] = st.recursive(
    st.one_of(FINITE, FINITE.map(SetOf), FINITE.map(ListOf).map(SetOf)),
    lambda of: st.one_of(of.map(BagOf), of.map(ListOf), of.map(Optional)),
    max_leaves=3,
)


def some_of(type_: Type) -> st.SearchStrategy[list[Value]]:
    inner = values_of(type_)
    return st.just([]) if inner.is_empty else st.lists(inner, max_size=3)


def values_of(type_: Type) -> st.SearchStrategy[Value]:
    """A strategy for values of the type, from its definition alone; empty if it has none."""
    match type_:
        case Optional(of=of):
            return st.one_of(st.none(), values_of(of))
        case SetOf(of=of):
            return some_of(of).map(frozenset)
        case BagOf(of=of):
            return some_of(of).map(lambda items: tuple(in_order(of, items)))
        case ListOf(of=of):
            return some_of(of).map(tuple)
        case _:
            domain = values(type_)
            return st.sampled_from(domain) if domain else st.nothing()


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10) | st.floats() | NAMES | st.text(max_size=4) | st.just("l01"),
    lambda of: st.lists(of, max_size=3) | st.dictionaries(NAMES | st.text(max_size=2), of, max_size=3),
    max_leaves=5,
)


def _places(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [at, *(place for key, item in inner for place in _places(item, (*at, key)))]


def _damage(draw: st.DrawFn, data: Any) -> Any:
    """A strategy for the data with a change at one place, at any depth."""
    data = copy.deepcopy(data)
    holder = {"": data}
    parent: Any = holder
    key: Any = ""
    for step in draw(st.sampled_from(_places(data))):
        parent, key = parent[key], step
    old = parent[key]
    if isinstance(old, dict) and old and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(old)))
        moved = old.pop(name)
        if draw(st.booleans()):
            old[draw(NAMES)] = moved
    elif isinstance(old, list) and old and draw(st.booleans()):
        old.append(copy.deepcopy(draw(st.sampled_from(old))))
    elif isinstance(old, int) and draw(st.booleans()):
        parent[key] = draw(st.sampled_from([old + 1, old - 1, float(old), bool(old), int(old), str(old)]))
    else:
        parent[key] = draw(JUNK)
    return holder[""]


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[Type, Value]:
    type_ = draw(TYPES.filter(lambda type_: not values_of(type_).is_empty))
    return type_, draw(values_of(type_))


@st.composite
def typed_data(draw: st.DrawFn) -> tuple[Type, Any]:
    type_ = draw(TYPES)
    if values_of(type_).is_empty or draw(st.integers(0, 5)) == 0:
        return type_, draw(JUNK)
    data = to_json(type_, draw(values_of(type_)))
    for _ in range(draw(st.integers(0, 2))):
        data = _damage(draw, data)
    return type_, data
