"""Values as JSON: examples of every form, and the schema as judge over generated types and damaged data."""

from __future__ import annotations

import copy
import json
from itertools import product
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.spec.values.codec import JsonFault, from_json, to_json
from ludex.spec.values.fast_reader import UNREAD, fast_reader
from ludex.spec.values.phrases import show, words_of
from ludex.spec.values.schema import definitions, schema, validator
from ludex.spec.values.types import (
    BagOf,
    Bool,
    Case,
    ComponentType,
    ListOf,
    Never,
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

from ..cases import cases

COST = Range(1, 8)
FAMILY = Words("Family", (Case("earth"), Case("air"), Case("fire"), Case("water")))
EFFECT = Words("Effect", (Case("level"), Case("gain", (("x", Range(1, 3)),)), Case("per_type", (("family", FAMILY),))))
SITE = Record(
    "Site",
    (("level", Range(1, 4)), ("col", Range(1, 4))),
    tuple((level, col) for level, col in product(range(1, 5), range(1, 5)) if col <= 5 - level),
)
PLACE = ComponentType("Place", ("l01", "l02", "l03"), (), ((), (), ()), (1, 1, 1))
SEAT = PlayerType(2)


FORMS: list[tuple[Type, Value, Any, str]] = [
    (COST, 3, 3, "3"),
    (Bool(), True, True, "true"),
    (FAMILY, 3, "water", "water"),
    (EFFECT, 0, "level", "level"),
    (EFFECT, 2, {"gain": {"x": 2}}, "gain(2)"),
    (EFFECT, 7, {"per_type": {"family": "water"}}, "per_type(water)"),
    (SITE, 1, {"level": 1, "col": 2}, "Site(1, 2)"),
    (SEAT, 1, 2, "seat(2)"),
    (PLACE, 2, "l03", "l03"),
    (Optional(PLACE), None, None, "none"),
    (Optional(PLACE), 0, "l01", "l01"),
    (SetOf(FAMILY), frozenset({3, 0}), ["earth", "water"], "{earth, water}"),
    (BagOf(COST), (1, 1, 5), [1, 1, 5], "{1, 1, 5}"),
    (ListOf(PLACE), (2, 0, 2), ["l03", "l01", "l03"], "{l03, l01, l03}"),
]


@pytest.mark.parametrize("type_, value, data, text", FORMS)
def test_a_value_has_its_form_in_json_and_text(type_: Type, value: Value, data: Any, text: str) -> None:
    assert to_json(type_, value) == data
    assert from_json(type_, data) == value
    assert show(type_, value) == text


def test_sets_and_bags_are_read_in_any_order() -> None:
    assert from_json(SetOf(FAMILY), ["water", "earth"]) == frozenset({0, 3})
    assert from_json(BagOf(COST), [5, 1, 1]) == (1, 1, 5)


def test_bag_of_optionals_has_an_order() -> None:
    type_ = BagOf(Optional(COST))
    assert to_json(type_, from_json(type_, [2, None, 1])) == [None, 1, 2]


def _fault(type_: Type, data: Any) -> tuple[str, str, str]:
    result = from_json(type_, data)
    assert isinstance(result, JsonFault), f"{data!r} was read as {result!r}"
    return result.pointer, result.kind, str(result)


FAULTS: list[tuple[Type, Any, str, str, str]] = [
    (COST, 9, "", "value", "expected a whole number from 1 to 8, found the number 9"),
    (COST, True, "", "value", "expected a whole number from 1 to 8, found true"),
    (COST, 1.0, "", "value", "expected a whole number from 1 to 8, found the number 1.0"),
    (COST, None, "", "value", "expected a whole number from 1 to 8, found null"),
    (Range(2, 2), 1, "", "value", "expected the number 2, found the number 1"),
    (Bool(), 1, "", "value", "expected true or false, found the number 1"),
    (FAMILY, "eart", "", "value", 'expected one of earth, air, fire, water (did you mean `earth`?), found "eart"'),
    (FAMILY, {"earth": {}}, "", "value", 'expected earth alone (it has no data), found the field "earth"'),
    (FAMILY, ["earth"], "", "value", "expected one of earth, air, fire, water, found a list of 1"),
    (EFFECT, "gain", "", "value", 'expected gain with its data, such as {"gain": {"x": 1}}, found "gain"'),
    (EFFECT, "gain(2)", "", "value", 'expected gain with its data, such as {"gain": {"x": 1}}, found "gain(2)"'),
    (EFFECT, {"gain": {"x": 4}}, "/gain/x", "value", "expected a whole number from 1 to 3, found the number 4"),
    (EFFECT, {"gain": 2}, "/gain", "value", "expected the fields of gain by name: x, found the number 2"),
    (EFFECT, {"gain": {}}, "/gain", "missing", 'expected a field "x" (a whole number from 1 to 3), no "x" in gain'),
    (EFFECT, {"gian": {"x": 1}}, "", "value", "did you mean `gain`?"),
    (EFFECT, {}, "", "value", "found an empty {}"),
    (SITE, {"level": 4, "col": 2}, "", "value", "expected values of level and col that make a Site, found Site(4, 2)"),
    (
        SITE,
        {"level": 1, "column": 2},
        "/column",
        "unknown",
        "expected only the fields level and col (did you mean `col`?)",
    ),
    (SITE, {"level": 1}, "", "missing", 'expected a field "col" (a whole number from 1 to 4)'),
    (SITE, [1, 2], "", "value", "expected the fields of Site by name: level and col, found a list of 2"),
    (SEAT, 0, "", "value", "expected a seat number from 1 to 2, found the number 0"),
    (PLACE, "l3", "", "value", 'expected the id of a Place (did you mean `l03`?), found "l3"'),
    (PLACE, 3, "", "value", "expected the id of a Place (l01, l02, l03), found the number 3"),
    (Optional(COST), "", "", "value", 'expected a whole number from 1 to 8, or null for none, found ""'),
    (SetOf(FAMILY), ["air", "fire", "air"], "/2", "value", 'expected every item only once, found "air" a second time'),
    (ListOf(SITE), [{"level": 1, "col": 5}], "/0/col", "value", "expected a whole number from 1 to 4"),
    (ListOf(SITE), {}, "", "value", "expected a list, each item a Site by field"),
    (Never(), None, "", "value", "expected nothing at all, found null"),
]


@pytest.mark.parametrize("type_, data, pointer, kind, text", FAULTS)
def test_data_of_another_form_are_a_fault(type_: Type, data: Any, pointer: str, kind: str, text: str) -> None:
    found_pointer, found_kind, found_text = _fault(type_, data)
    assert (found_pointer, found_kind) == (pointer, kind)
    assert text in found_text.replace('found no "x"', 'no "x"')


def test_pointers_are_escaped() -> None:
    assert _fault(SITE, {"a/b~c": 1})[0] == "/a~1b~0c"


def test_a_message_shows_no_more_than_a_line_of_what_was_found() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert len(_fault(COST, deep)[2]) < 120
    assert _fault(COST, 10**5000)[2] == "expected a whole number from 1 to 8, found a very large number"
    assert len(_fault(FAMILY, "x\n\ud800" * 1000)[2]) < 200
    assert "\n" not in _fault(FAMILY, "a\nb")[2]


def test_many_words_are_cut() -> None:
    many = Words("Many", tuple(Case(f"w{n}") for n in range(100)))
    assert words_of(many).endswith("... (100 words in all)")


def test_named_types_are_shared() -> None:
    assert schema(ListOf(EFFECT), shared=True) == {"type": "array", "items": {"$ref": "#/$defs/Effect"}}
    assert list(definitions([ListOf(EFFECT), Optional(SEAT)])) == ["Effect", "Family", "Player"]


# ---- properties -----------------------------------------------------------------------------------------------------

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
    """Values of the type, drawn from the type alone; empty if it has none."""
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
    """The data with something changed at one place, however deep."""
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


@cases(300)
@given(typed_values())
def test_a_value_survives_json(case: tuple[Type, Value]) -> None:
    type_, value = case
    data = json.loads(json.dumps(to_json(type_, value)))
    assert from_json(type_, data) == value
    assert validator(schema(type_)).is_valid(data)
    assert show(type_, value)


@cases(600)
@given(typed_data())
def test_the_schema_and_the_reader_accept_the_same(case: tuple[Type, Any]) -> None:
    type_, data = case
    result = from_json(type_, data)
    accepted = validator(schema(type_)).is_valid(data)
    assert accepted is not isinstance(result, JsonFault), f"{type_!r}: {result}"


@cases(600)
@given(typed_data())
def test_what_the_fast_reader_reads_is_the_same_value(case: tuple[Type, Any]) -> None:
    type_, data = case
    try:
        value = fast_reader(type_)(data)
    except UNREAD:
        return
    assert (value, type(value)) == (from_json(type_, data), type(from_json(type_, data)))


@cases(150)
@given(typed_values())
def test_the_fast_reader_reads_every_value(case: tuple[Type, Value]) -> None:
    type_, value = case
    assert fast_reader(type_)(to_json(type_, value)) == value


@cases(150)
@given(typed_data())
def test_a_shared_schema_accepts_what_the_whole_one_does(case: tuple[Type, Any]) -> None:
    type_, data = case
    whole = schema(type_)
    shared = {**schema(type_, shared=True), "$defs": definitions([type_])}
    Draft202012Validator.check_schema(shared)
    Draft202012Validator.check_schema(whole)
    assert validator(shared).is_valid(data) is validator(whole).is_valid(data)


@cases(300)
@given(typed_data())
def test_a_fault_points_into_the_data(case: tuple[Type, Any]) -> None:
    type_, data = case
    result = from_json(type_, data)
    if isinstance(result, JsonFault):
        for step in result.pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            data = data[int(name)] if isinstance(data, list) else data[name]
