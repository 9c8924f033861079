"""The JSON Schema of a game's component file, derived from the components that the spec declares."""

from __future__ import annotations

from collections.abc import Sequence

from ..values.phrases import words_of
from ..values.type_schema import JsonSchema, definitions, part_types, schema
from ..values.types import ComponentType, Type
from .data import ID, MOST_COPIES
from .provenance import ADDRESS, CITATION, SOME_TEXT, SOURCE_NAME


def component_schema(components: Sequence[ComponentType]) -> JsonSchema:
    """Return the JSON Schema (2020-12) of the file that holds the tables of some components.

    The file defines the ids, so the schema allows any id in a column of ids.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Component data: {', '.join(component.name for component in components)}",
        **_object(
            {
                "sources": {
                    "description": "where data come from, by a name that rows can use",
                    "type": "object",
                    "propertyNames": {"pattern": SOURCE_NAME},
                    "additionalProperties": _ref("provenance_written"),
                },
                "facts": {"description": "what else is known", "type": "array", "items": _ref("fact")},
                "tables": _object({component.name: _ref(f"table_{component.name}") for component in components}),
            },
            required=["tables"],
        ),
        "$defs": _definitions(components),
    }


def _object(properties: dict[str, JsonSchema], required: Sequence[str] | None = None) -> JsonSchema:
    """Return the schema of an object with these properties and no others. required: by default all of them."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/$defs/{name}"}


def _definitions(components: Sequence[ComponentType]) -> dict[str, JsonSchema]:
    """Return the `$defs`. Names of types begin with a capital, those of shared definitions do not."""
    types = [type_ for component in components for _, type_ in component.columns]
    named = definitions(types)
    # This replaces the enumeration of a schema of logs: the ids are what this file defines.
    for name in _component_names(types):
        named[name] = {"description": f"the id of a row of {name}", "$ref": "#/$defs/id"}
    definitions_ = {**_SHARED, **named}
    for component in components:
        definitions_[f"table_{component.name}"] = _table(component)
        definitions_[f"row_{component.name}"] = _row(component)
    return definitions_


def _component_names(types: Sequence[Type]) -> set[str]:
    """Return the names of the components whose ids are values of these types, or parts of them."""
    names: set[str] = set()
    waiting: list[Type] = list(types)
    while waiting:
        type_ = waiting.pop()
        if isinstance(type_, ComponentType):
            names.add(type_.name)
        else:
            waiting.extend(part_types(type_))
    return names


def _table(component: ComponentType) -> JsonSchema:
    where = {name: schema(type_, shared=True) for name, type_ in component.columns}
    count = _object(
        {
            "count": {"type": "integer", "minimum": 0},
            "where": _object(where, required=[]),
            "provenance": _ref("provenance"),
        },
        required=["count"],
    )
    return _object(
        {
            "provenance": _ref("provenance"),
            "provenance_of": _provenance_of(component),
            "counts": {"description": "how many pieces the rows must make", "type": "array", "items": count},
            "rows": {"type": "array", "minItems": 1, "items": _ref(f"row_{component.name}")},
        },
        required=["rows"],
    )


def _row(component: ComponentType) -> JsonSchema:
    columns = {name: {"description": words_of(t), **schema(t, shared=True)} for name, t in component.columns}
    return _object(
        {
            "id": _ref("id"),
            "copies": {
                "description": "how many equal pieces there are",
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_COPIES,
                "default": 1,
            },
            **columns,
            "provenance": _ref("provenance"),
            "provenance_of": _provenance_of(component),
        },
        required=["id", *columns],
    )


def _provenance_of(component: ComponentType) -> JsonSchema:
    fields = ("id", "copies", *(name for name, _ in component.columns))
    return _object({name: _ref("provenance") for name in fields}, required=[])


def _one_or_more(pattern: str) -> JsonSchema:
    text: JsonSchema = {"type": "string", "pattern": pattern}
    return {"anyOf": [text, {"type": "array", "minItems": 1, "items": text}]}


_WORDS: JsonSchema = {"type": "string", "pattern": SOME_TEXT}
_SHARED: dict[str, JsonSchema] = {
    "id": {"description": "small letters, digits and _", "type": "string", "pattern": ID},
    "fact": _object({"fact": {"type": "string"}, "provenance": _ref("provenance")}),
    "provenance": {
        "description": "where data come from: the name of a source, or stated, found or assumed",
        "anyOf": [{"type": "string", "pattern": SOURCE_NAME}, _ref("provenance_written")],
    },
    "provenance_written": {
        "anyOf": [
            _object({"stated": _one_or_more(CITATION), "note": _WORDS}, required=["stated"]),
            _object({"found": _one_or_more(ADDRESS), "note": _WORDS}, required=["found"]),
            _object(
                {"assumed": _WORDS, "constrained_by": _one_or_more(CITATION), "note": _WORDS},
                required=["assumed"],
            ),
        ]
    },
}
