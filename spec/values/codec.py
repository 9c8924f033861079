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

Reading is strict: `true` is not a number, and an unknown or missing field is a fault. `schema` and `from_json` accept
the same data, with two exceptions that JSON Schema cannot express: it accepts 1.0 for 1 (`validator` does not), and it
accepts a set of sets that contains one set twice, in different orders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ludex.grammar import Json, Message, enumerated, escaped

from . import types as t
from .phrases import article, found_words, remarked, show, suggestion, words_of


@dataclass(frozen=True, slots=True)
class JsonFault:
    """A fault in JSON data: they represent no value of the type.

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

    @property
    def message(self) -> str:
        """The fault in words."""
        return Message("expected", expected=self.expected, found=self.found)

    def __str__(self) -> str:
        return self.message


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
            # A list or an object cannot be looked up.
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
    """Return whether data is an integer. In Python, `bool` is a subclass of `int`; in JSON, `true` is not a number."""
    return isinstance(data, int) and not isinstance(data, bool)


def _not_in(type_: t.Type, data: Json) -> JsonFault:
    return JsonFault("", words_of(type_, data), found_words(data), type=type_)


def _or_null(result: t.Value | JsonFault) -> t.Value | JsonFault:
    # If the fault is inside an object, an object was meant, so the message does not suggest `null`.
    if isinstance(result, JsonFault) and result.kind == "value" and not result.pointer:
        return replace(result, expected=Message("expected-or-null", expected=result.expected))
    return result


def _word(type_: t.Words, data: Json) -> t.Value | JsonFault:
    if isinstance(data, str):
        # `gain(2)` is how the language writes it: the hint then shows the same word as JSON.
        case = type_.case(data.split("(")[0])
        if case is not None and case.fields:
            needed = Message("word-with-sample", word=case.name, sample=_sample(type_, case))
            return JsonFault("", needed, found_words(data))
        return type_.positions[data, ()] if (data, ()) in type_.positions else _not_in(type_, data)
    if not isinstance(data, Mapping) or len(data) != 1:
        return _not_in(type_, data)
    (name, inner), *_ = data.items()
    case = type_.case(name) if isinstance(name, str) else None
    if case is None:
        described = Message("found-word", word=found_words(name)) if isinstance(name, str) else found_words(data)
        return JsonFault("", words_of(type_, name), described)
    if not case.fields:
        return JsonFault("", Message("word-alone", word=case.name), found_words(data))
    parts = _fields(case.fields, inner, case.name)
    return parts.under(name) if isinstance(parts, JsonFault) else type_.positions[name, parts]


def _record(type_: t.Record, data: Json) -> t.Value | JsonFault:
    parts = _fields(type_.fields, data, type_.name)
    if isinstance(parts, JsonFault):
        return parts if isinstance(data, Mapping) else replace(parts, type=type_)
    if parts not in type_.positions:
        names = enumerated([name for name, _ in type_.fields])
        shown = ", ".join(show(of, part) for (_, of), part in zip(type_.fields, parts, strict=True))
        needed = Message("values-that-make", fields=names, name=type_.name, article=article(type_.name))
        return JsonFault("", needed, f"{type_.name}({shown})")
    return type_.positions[parts]


def _fields(fields: tuple[tuple[str, t.Type], ...], data: Json, owner: str) -> tuple[t.Value, ...] | JsonFault:
    """Return the values of an object that must have exactly these fields, or the first fault."""
    names = [name for name, _ in fields]
    if not isinstance(data, Mapping):
        needed = Message("fields-by-name", owner=owner, names=enumerated(names))
        return JsonFault("", needed, found_words(data))
    for name in data:
        if name not in names:
            return _unknown_field(name, names, data)
    parts: list[t.Value] = []
    for name, of in fields:
        if name not in data:
            return _missing_field(name, of, owner)
        part = from_json(of, data[name])
        if isinstance(part, JsonFault):
            return part.under(name)
        parts.append(part)
    return tuple(parts)


def _unknown_field(name: Json, names: list[str], data: Mapping[str, Json]) -> JsonFault:
    # A field that is present cannot be the one that was meant.
    meant = suggestion(name, [n for n in names if n not in data])
    only = remarked(Message("only-fields", names=enumerated(names)), meant)
    unknown = JsonFault("", only, Message("a-field", name=found_words(name)))
    return replace(unknown.under(name if isinstance(name, str) else str(type(name))), kind="unknown")


def _missing_field(name: str, of: t.Type, owner: str) -> JsonFault:
    needed = Message("field-needed", name=name, type=words_of(of))
    return JsonFault("", needed, Message("field-lacking", name=name, owner=owner), "missing")


def _items(type_: t.Collection, data: Json) -> t.Value | JsonFault:
    # JSON data have lists; callers of the library may pass tuples.
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
        # A log may list pieces in any order; as a value a bag is sorted.
        return tuple(t.in_order(type_.of, items))
    return _as_set(items, data)


def _as_set(items: list[t.Value], data: Json) -> t.Value | JsonFault:
    seen: set[t.Value] = set()
    for at, item in enumerate(items):
        if item in seen:
            return JsonFault(f"/{at}", Message("items-once"), Message("found-twice", item=found_words(data[at])))
        seen.add(item)
    return frozenset(seen)


# ---- all that is wrong ----------------------------------------------------------------------------------------------


def json_faults(type_: t.Type, data: Json) -> list[JsonFault]:
    """Return all faults in JSON data, each part judged by itself; none if they represent a value of the type."""
    first = from_json(type_, data)
    return all_faults(type_, data, first) if isinstance(first, JsonFault) else []


def all_faults(type_: t.Type, data: Json, first: JsonFault) -> list[JsonFault]:
    """Return all faults in JSON data of which `from_json` returned the first.

    A rule about a whole, such as that a set has no item twice, is tested only where no part has a fault.
    """
    return _faults_of_parts(t.strip_optional(type_), data) or [first]


def _faults_of_parts(type_: t.Type, data: Json) -> list[JsonFault]:
    match type_:
        case t.Record(fields=fields, name=name) if isinstance(data, Mapping):
            return _faults_of_fields(fields, data, name)
        case t.Words() if isinstance(data, Mapping) and len(data) == 1:
            ((name, inner),) = data.items()
            case = type_.case(name) if isinstance(name, str) else None
            if case is None or not case.fields or not isinstance(inner, Mapping):
                return []
            return [fault.under(name) for fault in _faults_of_fields(case.fields, inner, case.name)]
        case t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of) if isinstance(data, list | tuple):
            return [fault.under(at) for at, item in enumerate(data) for fault in json_faults(of, item)]
        case _:
            return []


def _faults_of_fields(fields: tuple[tuple[str, t.Type], ...], data: Mapping[str, Json], owner: str) -> list[JsonFault]:
    types = dict(fields)
    unknown = [_unknown_field(name, list(types), data) for name in data if name not in types]
    inner = [fault.under(name) for name, of in fields if name in data for fault in json_faults(of, data[name])]
    # A field with a wrong name may be the one that is missing.
    missing = [] if unknown else [_missing_field(name, of, owner) for name, of in fields if name not in data]
    return [*unknown, *inner, *missing]


def _sample(type_: t.Words, case: t.Case) -> str:
    """Return an example of a word with data, for a message: its first value as JSON."""
    first = next((member for member in type_.members if member[0] == case.name), None)
    if first is None:
        return json.dumps({case.name: dict.fromkeys((name for name, _ in case.fields), "...")})
    return json.dumps(_word_to_json(type_, *first))
