"""Values as JSON, and back: how logs and component files write a value of each type.

====================  ==================================================================
type                  JSON
====================  ==================================================================
`Range`               integer
`Bool`                boolean
`Words`               string; a word with data is `{"gain": {"x": 2}}`
`Record`              object by field name, `{"level": 1, "col": 2}`
`PlayerType`          seat number, from 1
`ComponentType`       id
`Optional`            null, or the value
`SetOf`               array in value order; any order is read, an item twice is refused
`BagOf`               array in value order; any order is read
`ListOf`              array
====================  ==================================================================

Reading is strict: `true` is no number, a field too many or too few is a fault. `schema` and `from_json` accept the same
data, with two exceptions that JSON Schema cannot express: it accepts 1.0 for 1 (`validator` does not), and it accepts a
set of sets that contains one set twice, in different orders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ludex.grammar import Json, escaped

from . import types as t
from .phrases import enumerated, found_words, show, suggestion, with_article, words_of


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Data that is no value of the type.

    Attributes:
        pointer: JSON pointer to the place, from the data given; "" is the data itself.
        expected: the expected data, in words.
        found: the data at the place, in words.
        kind: `value`: the value at the pointer is wrong. `unknown`: the field at the pointer has a wrong name.
            `missing`: the object at the pointer lacks a field.
        type: the type that the data at the pointer should have; None where another rule is broken.
    """

    pointer: str
    expected: str
    found: str
    kind: Literal["value", "unknown", "missing"] = "value"
    type: t.Type | None = None

    def under(self, step: str | int) -> JsonFault:
        """Return the fault with a pointer from the object or array around the data. step: the key or index."""
        return replace(self, pointer=f"/{escaped(step)}{self.pointer}")

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}"


# ---- value to JSON --------------------------------------------------------------------------------------------------


def to_json(type_: t.Type, value: t.Value) -> Json:
    """Return a value of a type as JSON data. Sets and bags are in value order, so equal values give equal JSON."""
    match type_:
        case t.Words():
            return _word_to_json(type_, *type_.members[value])
        case t.Record(fields=fields, members=members):
            return {name: to_json(of, part) for (name, of), part in zip(fields, members[value], strict=True)}
        case t.PlayerType():
            return value + 1
        case t.ComponentType(ids=ids):
            return ids[value]
        case t.Optional(of=of):
            return None if value is None else to_json(of, value)
        case t.SetOf(of=of) | t.BagOf(of=of):
            return [to_json(of, item) for item in t.in_order(of, value)]
        case t.ListOf(of=of):
            return [to_json(of, item) for item in value]
        case _:
            return value


def _word_to_json(type_: t.Words, name: str, data: tuple[t.Value, ...]) -> Json:
    case = type_.case(name)
    if case is None or not case.fields:
        return name
    return {name: {field: to_json(of, part) for (field, of), part in zip(case.fields, data, strict=True)}}


# ---- JSON to value --------------------------------------------------------------------------------------------------


def from_json(type_: t.Type, data: Json) -> t.Value | JsonFault:
    """Return the value that JSON data represents, or the first fault in the data."""
    match type_:
        case t.Bool():
            return data if isinstance(data, bool) else _not_in(type_, data)
        case t.Range(low=low, high=high):
            return data if is_whole(data) and low <= data <= high else _not_in(type_, data)
        case t.PlayerType(count=count):
            return data - 1 if is_whole(data) and 1 <= data <= count else _not_in(type_, data)
        case t.ComponentType(positions=positions):
            return positions[data] if isinstance(data, str) and data in positions else _not_in(type_, data)
        case t.Words():
            return _word(type_, data)
        case t.Record():
            return _record(type_, data)
        case t.Optional(of=of):
            return None if data is None else _or_null(from_json(of, data))
        case t.SetOf() | t.BagOf() | t.ListOf():
            return _items(type_, data)
        case t.Never():
            return _not_in(type_, data)


def is_whole(data: Json) -> bool:
    """Return whether data is an integer. In Python, `bool` is a subclass of `int`; in JSON, `true` is no number."""
    return isinstance(data, int) and not isinstance(data, bool)


def _not_in(type_: t.Type, data: Json) -> JsonFault:
    return JsonFault("", words_of(type_, data), found_words(data), type=type_)


def _or_null(result: t.Value | JsonFault) -> t.Value | JsonFault:
    if isinstance(result, JsonFault) and result.kind == "value" and not result.pointer:
        return replace(result, expected=f"{result.expected}, or null for none")
    return result


def _word(type_: t.Words, data: Json) -> t.Value | JsonFault:
    if isinstance(data, str):
        case = type_.case(data.split("(")[0])
        if case is not None and case.fields:
            return JsonFault("", f"{case.name} with its data, such as {_sample(type_, case)}", found_words(data))
        return type_.positions[data, ()] if (data, ()) in type_.positions else _not_in(type_, data)
    if not isinstance(data, Mapping) or len(data) != 1:
        return _not_in(type_, data)
    (name, inner), *_ = data.items()
    case = type_.case(name) if isinstance(name, str) else None
    if case is None:
        described = f"the word {found_words(name)}" if isinstance(name, str) else found_words(data)
        return JsonFault("", words_of(type_, name), described)
    if not case.fields:
        return JsonFault("", f"{case.name} alone (it has no data)", found_words(data))
    parts = _fields(case.fields, inner, case.name)
    return parts.under(name) if isinstance(parts, JsonFault) else type_.positions[name, parts]


def _record(type_: t.Record, data: Json) -> t.Value | JsonFault:
    parts = _fields(type_.fields, data, type_.name)
    if isinstance(parts, JsonFault):
        return parts
    if parts not in type_.positions:
        names = enumerated([name for name, _ in type_.fields])
        shown = ", ".join(show(of, part) for (_, of), part in zip(type_.fields, parts, strict=True))
        return JsonFault("", f"values of {names} that make {with_article(type_.name)}", f"{type_.name}({shown})")
    return type_.positions[parts]


def _fields(fields: tuple[tuple[str, t.Type], ...], data: Json, owner: str) -> tuple[t.Value, ...] | JsonFault:
    """Return the values of an object that must have exactly these fields, or the first fault."""
    names = [name for name, _ in fields]
    if not isinstance(data, Mapping):
        return JsonFault("", f"the fields of {owner} by name: {enumerated(names)}", found_words(data))
    for name in data:
        if name not in names:
            meant = suggestion(name, [n for n in names if n not in data])
            unknown = JsonFault("", f"only the fields {enumerated(names)}{meant}", f"a field {found_words(name)}")
            return replace(unknown.under(name if isinstance(name, str) else str(type(name))), kind="unknown")
    parts: list[t.Value] = []
    for name, of in fields:
        if name not in data:
            return JsonFault("", f'a field "{name}" ({words_of(of)})', f'no "{name}" in {owner}', "missing")
        part = from_json(of, data[name])
        if isinstance(part, JsonFault):
            return part.under(name)
        parts.append(part)
    return tuple(parts)


def _items(type_: t.Collection, data: Json) -> t.Value | JsonFault:
    if not isinstance(data, list | tuple):
        return _not_in(type_, data)
    items: list[t.Value] = []
    for at, entry in enumerate(data):
        item = from_json(type_.of, entry)
        if isinstance(item, JsonFault):
            return item.under(at)
        items.append(item)
    if isinstance(type_, t.ListOf):
        return tuple(items)
    if isinstance(type_, t.BagOf):
        return tuple(t.in_order(type_.of, items))
    return _as_set(items, data)


def _as_set(items: list[t.Value], data: Json) -> t.Value | JsonFault:
    seen: set[t.Value] = set()
    for at, item in enumerate(items):
        if item in seen:
            return JsonFault(f"/{at}", "every item only once", f"{found_words(data[at])} a second time")
        seen.add(item)
    return frozenset(seen)


def _sample(type_: t.Words, case: t.Case) -> str:
    """Return an example of a word with data, for a message: its first value as JSON."""
    first = next((member for member in type_.members if member[0] == case.name), None)
    if first is None:
        return json.dumps({case.name: dict.fromkeys((name for name, _ in case.fields), "...")})
    return json.dumps(_word_to_json(type_, *first))
