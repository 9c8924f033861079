"""The JSON Schema of component files agrees with the reader."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.grammar import Diagnostic, Span
from ludex.grammar.files.yaml_tree import plain, read_yaml
from ludex.spec.components import check_tables, component_schema, decode_table, read_components
from ludex.spec.values.type_schema import validator
from ludex.spec.values.types import Bool, Case, ComponentType, ListOf, Optional, Range, Type, Words

from ..cases import cases

FAMILY = Words("Family", (Case("earth"), Case("air")))
EFFECT = Words("Effect", (Case("level"), Case("gain", (("x", Range(1, 3)),))))
GOOD: dict[str, Any] = {
    "sources": {
        "box": {"stated": "ru 41"},
        "page": {"found": ["https://example.org/cards", "copy of the first edition"], "note": "seen in May"},
    },
    "facts": [{"fact": "the backs are blue", "provenance": "page"}],
    "tables": {
        "Place": {
            "provenance": "box",
            "provenance_of": {"effect": "page"},
            "counts": [{"count": 2, "where": {"family": "earth"}, "provenance": {"stated": "ru 40"}}],
            "rows": [
                {"id": "s01", "family": "earth", "effect": "level", "big": True, "next": "s02"},
                {
                    "id": "s02",
                    "family": "air",
                    "effect": {"gain": {"x": 2}},
                    "big": False,
                    "next": None,
                    "copies": 2,
                    "provenance": {"assumed": "nobody knows", "constrained_by": "ru 40, 43-45"},
                    "provenance_of": {"big": {"stated": ["ru 4", "en 5"]}},
                },
                {"id": "s03", "family": "earth", "effect": "level", "big": True, "next": None},
            ],
        },
        "Token": {"rows": [{"id": "light", "of": ["s01"], "provenance": {"stated": "ru 38"}}]},
    },
}


def components(place_ids: tuple[str, ...] = (), token_ids: tuple[str, ...] = ()) -> list[ComponentType]:
    place = ComponentType("Place", place_ids, (), (), ())
    columns: tuple[tuple[str, Type], ...] = (
        ("family", FAMILY),
        ("effect", EFFECT),
        ("big", Bool()),
        ("next", Optional(place)),
    )
    return [
        ComponentType("Place", place_ids, columns, (), ()),
        ComponentType("Token", token_ids, (("of", ListOf(place)),), (), ()),
    ]


SCHEMA = component_schema(components())
HERE = Span("g.ludex", 1, 1, 1, 1)


def errors(text: str) -> list[Diagnostic]:
    return [report for report in reports_of(text) if report.is_error]


def reports_of(text: str) -> list[Diagnostic]:
    file = read_components(text, "f.yaml")
    tables = file.tables
    ids = [tables[name].ids if name in tables else () for name in ("Place", "Token")]
    reports = [*file.diagnostics, *check_tables(file, {"Place": HERE, "Token": HERE})]
    for component in components(*ids):
        if component.name in tables:
            reports += decode_table(tables[component.name], component.name, component.columns).diagnostics
    return reports


def test_it_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_a_good_file_fits_the_schema() -> None:
    assert errors(json.dumps(GOOD)) == []
    validator(SCHEMA).validate(GOOD)


def test_ids_are_strings_and_not_enumerated() -> None:
    assert component_schema(components(("s01",), ("light",))) == SCHEMA


def test_columns_come_from_the_declarations() -> None:
    row = SCHEMA["$defs"]["row_Place"]
    assert row["required"] == ["id", "family", "effect", "big", "next"]
    assert row["properties"]["family"] == {"description": "one of earth, air", "$ref": "#/$defs/Family"}
    assert SCHEMA["$defs"]["Place"]["$ref"] == "#/$defs/id"


WORDS = st.sampled_from(
    [
        "id",
        "rows",
        "stated",
        "assumed",
        "note",
        "x",
        "s01",
        "S 1",
        "ru 41",
        "ru 4-2",
        "https://a.b",
        "box",
        "",
        "level",
        "1",
    ]
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12_000) | st.floats(-2, 2) | WORDS,
    lambda of: st.lists(of, max_size=2) | st.dictionaries(WORDS, of, max_size=2),
    max_leaves=4,
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Yield every list or object, with every key into it."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    return [(data, key) for key in keys] + [place for key in keys for place in places(data[key])]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    data = copy.deepcopy(GOOD)
    for _ in range(draw(st.integers(1, 2))):
        holder, key = draw(st.sampled_from(places(data)))
        match draw(st.sampled_from(["replace", "remove", "rename", "add"])):
            case "replace":
                holder[key] = draw(JUNK)
            case "remove":
                del holder[key]
            case "rename" if isinstance(holder, dict):
                holder[draw(WORDS)] = holder.pop(key)
            case _ if isinstance(holder, dict):
                holder[draw(WORDS)] = draw(JUNK)
            case _:
                holder.append(copy.deepcopy(holder[key]))
        if not places(data):
            break
    return data


# The schema cannot express: ids and names that must agree, provenance that is inherited or unused, counts that add up.
BLIND_CODES = {"C226", "C231", "C240", "C242", "C243", "C244"}
BLIND_WORDS = ("the id of a Place", "ends before it begins")


@cases(600)
@given(damaged())
def test_the_schema_and_the_reader_accept_the_same(data: Any) -> None:
    text = json.dumps(data)
    reports = reports_of(text)
    tree, _ = read_yaml(text, "f.yaml")
    if tree is None:
        return
    seen = [r for r in reports if r.code.code not in BLIND_CODES and not any(w in r.message for w in BLIND_WORDS)]
    shown = [f"{report.code.code} {report.message}" for report in reports]
    wrong = [f"{list(error.absolute_path)}: {error.message}" for error in validator(SCHEMA).iter_errors(plain(tree))]
    assert reports or not wrong, f"the schema refuses data that the reader accepts: {wrong}"
    assert wrong or not seen, f"the schema accepts data that the reader refuses: {shown}"


@pytest.mark.parametrize("number", [1.0, True, "1"])
def test_numbers_are_strict(number: Any) -> None:
    data = copy.deepcopy(GOOD)
    data["tables"]["Place"]["rows"][1]["effect"]["gain"]["x"] = number
    assert [report.code.code for report in errors(json.dumps(data))] == ["C229"]
    assert not validator(SCHEMA).is_valid(data)
