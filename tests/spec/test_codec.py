"""Values as JSON: examples of every form; and the reader agrees with the schema on generated types and damaged data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from ludex.spec.values.codec import JsonFault, from_json, json_faults, to_json
from ludex.spec.values.phrases import show, words_of
from ludex.spec.values.type_schema import definitions, schema, validator
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
    SetOf,
    Type,
    Value,
    Words,
)

from ..cases import cases
from ..typed_values import FAMILY, SITE, typed_data, typed_values

COST = Range(1, 8)
EFFECT = Words("Effect", (Case("level"), Case("gain", (("x", Range(1, 3)),)), Case("per_type", (("family", FAMILY),))))
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
    (Never(), None, "", "value", "expected no value, found null"),
]


@pytest.mark.parametrize("type_, data, pointer, kind, text", FAULTS)
def test_data_of_another_form_are_refused(type_: Type, data: Any, pointer: str, kind: str, text: str) -> None:
    found_pointer, found_kind, found_text = _fault(type_, data)
    assert (found_pointer, found_kind) == (pointer, kind)
    assert text in found_text.replace('found no "x"', 'no "x"')


@pytest.mark.parametrize(
    ("type_", "data", "pointers"),
    [
        (SITE, {"level": 9, "col": "x"}, ["/level", "/col"]),
        (SITE, {}, ["", ""]),
        (SITE, {"levl": 9, "col": 99}, ["/levl", "/col"]),
        (SITE, 5, [""]),
        (SITE, {"level": 1, "col": 2}, []),
        (ListOf(SITE), [{"level": 9, "col": 99}, {"level": 1, "col": 2}, 5], ["/0/level", "/0/col", "/2"]),
        (SetOf(FAMILY), ["earth", "earth"], ["/1"]),
        (SetOf(FAMILY), ["earth", "earth", "x", "y"], ["/2", "/3"]),
        (EFFECT, {"gain": {"y": 1, "z": 2}}, ["/gain/y", "/gain/z"]),
        (EFFECT, {"gain": 5}, ["/gain"]),
        (Optional(BagOf(COST)), [0, 1, 99], ["/0", "/2"]),
    ],
)
def test_each_part_of_data_is_judged_by_itself(type_: Type, data: Any, pointers: list[str]) -> None:
    assert [fault.pointer for fault in json_faults(type_, data)] == pointers


@cases(300)
@given(typed_data())
def test_data_have_faults_if_they_represent_no_value(case: tuple[Type, Any]) -> None:
    type_, data = case
    assert bool(json_faults(type_, data)) is isinstance(from_json(type_, data), JsonFault)


def test_pointers_are_escaped() -> None:
    assert _fault(SITE, {"a/b~c": 1})[0] == "/a~1b~0c"


def test_a_message_shows_at_most_a_line_of_the_data() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert len(_fault(COST, deep)[2]) < 120
    assert _fault(COST, 10**5000)[2] == "expected a whole number from 1 to 8, found a very large number"
    assert len(_fault(FAMILY, "x\n\ud800" * 1000)[2]) < 200
    assert "\n" not in _fault(FAMILY, "a\nb")[2]


def test_a_long_list_of_words_is_cut() -> None:
    many = Words("Many", tuple(Case(f"w{n}") for n in range(100)))
    assert words_of(many).endswith("... (100 words in all)")


def test_named_types_are_shared() -> None:
    assert schema(ListOf(EFFECT), shared=True) == {"type": "array", "items": {"$ref": "#/$defs/Effect"}}
    assert list(definitions([ListOf(EFFECT), Optional(SEAT)])) == ["Effect", "Family", "Player"]


# ---- properties -----------------------------------------------------------------------------------------------------


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


@cases(150)
@given(typed_data())
def test_a_shared_schema_accepts_the_same_as_the_inlined_one(case: tuple[Type, Any]) -> None:
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
