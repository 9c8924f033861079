"""The JSON Schema of a type: it accepts what `from_json` reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from . import types as t
from .codec import is_whole, to_json

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema (2020-12), or a fragment of one."""
_NOTHING: JsonSchema = {"not": {}}


TextsOf: TypeAlias = Callable[[t.Type], Iterable[str]]
"""A function from a type to the texts as which its values may be written, besides their own data."""


def _no_texts(_: t.Type) -> Iterable[str]:
    return ()


def schema(type_: t.Type, shared: bool = False, texts: TextsOf = _no_texts) -> JsonSchema:
    """Return the JSON Schema of a type: it accepts what `from_json` accepts, and values that are written as texts.

    shared: write a type with a name as `{"$ref": "#/$defs/Name"}`; `definitions` returns the `$defs`. Otherwise the
    schema is complete by itself.
    """
    name = _definition_name(type_)
    return {"$ref": f"#/$defs/{name}"} if shared and name else _whole(type_, shared, texts)


def definitions(types: Iterable[t.Type], texts: TextsOf = _no_texts) -> dict[str, JsonSchema]:
    """Return the `$defs` that the shared schemas of some types refer to, by type name, in alphabetical order.

    texts: as in `schema`. A type that has some is `anyOf` its data and its texts.
    """
    return {name: _whole(type_, True, texts) for name, type_ in named_types(types).items()}


def _whole(type_: t.Type, shared: bool, texts: TextsOf) -> JsonSchema:
    made, more = _body(type_, shared, texts), sorted(texts(type_))
    return {"anyOf": [made, {"enum": more}]} if more else made


def named_types(types: Iterable[t.Type]) -> dict[str, t.Type]:
    """Return the types that have a definition among these and their parts, by name, in alphabetical order."""
    named: dict[str, t.Type] = {}
    waiting = list(types)
    while waiting:
        type_ = waiting.pop()
        name = _definition_name(type_)
        if name in named:
            continue
        if name:
            named[name] = type_
        waiting.extend(part_types(type_))
    return dict(sorted(named.items()))


def validator(schema_: JsonSchema) -> Validator:
    """Return a JSON Schema validator (2020-12) that, like `from_json`, does not accept 1.0 as an integer."""
    from jsonschema import Draft202012Validator, validators

    # JSON Schema counts 1.0 as an integer.
    strict = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, data: is_whole(data))
    strict_validator: Validator = validators.extend(Draft202012Validator, type_checker=strict)(schema_)  # type: ignore[no-untyped-call]
    return strict_validator


def _definition_name(type_: t.Type) -> str | None:
    match type_:
        case t.PlayerType():
            return "Player"
        case t.Words(name=name) | t.Record(name=name) | t.ComponentType(name=name) | t.Range(name=name):
            return name if name and name.isidentifier() else None
        case _:
            return None


def part_types(type_: t.Type) -> Iterator[t.Type]:
    """Yield the types of the parts of a value."""
    match type_:
        case t.Words(cases=cases):
            for case in cases:
                yield from (of for _, of in case.fields)
        case t.Record(fields=fields):
            yield from (of for _, of in fields)
        case t.Optional(of=of) | t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
            yield of
        case _:
            pass


def _body(type_: t.Type, shared: bool, texts: TextsOf) -> JsonSchema:
    match type_:
        case t.Bool():
            return {"type": "boolean"}
        case t.Range(low=low, high=high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case t.PlayerType(count=count):
            return {"type": "integer", "minimum": 1, "maximum": count}
        case t.ComponentType(ids=ids):
            return {"enum": list(ids)} if ids else _NOTHING
        case t.Words():
            return _words_schema(type_, shared, texts)
        case t.Record():
            return _record_schema(type_, shared, texts)
        case t.Optional(of=of):
            return {"anyOf": [{"type": "null"}, schema(of, shared, texts)]}
        case t.SetOf(of=of):
            return {"type": "array", "items": schema(of, shared, texts), "uniqueItems": True}
        case t.BagOf(of=of) | t.ListOf(of=of):
            return {"type": "array", "items": schema(of, shared, texts)}
        case t.Never():
            return _NOTHING


def _object_schema(fields: tuple[tuple[str, t.Type], ...], shared: bool, texts: TextsOf) -> JsonSchema:
    return {
        "type": "object",
        "properties": {name: schema(of, shared, texts) for name, of in fields},
        "required": [name for name, _ in fields],
        "additionalProperties": False,
    }


def _words_schema(type_: t.Words, shared: bool, texts: TextsOf) -> JsonSchema:
    plain = [case.name for case in type_.cases if not case.fields]
    choices: list[JsonSchema] = [{"enum": plain}] if plain else []
    for case in type_.cases:
        if case.fields:
            wrapped = _object_schema(((case.name, t.Bool()),), shared, texts)
            wrapped["properties"] = {case.name: _object_schema(case.fields, shared, texts)}
            choices.append(wrapped)
    if not choices:
        return _NOTHING
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def _record_schema(type_: t.Record, shared: bool, texts: TextsOf) -> JsonSchema:
    """Return the schema of a record. If its condition excludes values, the schema lists the others."""
    object_schema = _object_schema(type_.fields, shared, texts)
    if not type_.members:
        return _NOTHING
    # Only a condition makes fewer members than the fields have combinations.
    if len(type_.members) < prod(t.size(of) or 0 for _, of in type_.fields):
        object_schema["enum"] = [to_json(type_, position) for position in range(len(type_.members))]
    return object_schema
