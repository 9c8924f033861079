"""Values as JSON: how logs, schemas and component files write a value of each type.

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
data, with two exceptions that JSON Schema cannot say: it takes 1.0 for 1 (`validator` does not), and it does not see
that a set in a set stands there twice in different orders.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ludex.grammar import nearest

from .types import (
    BagOf,
    Bool,
    Case,
    Collection,
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
    size,
)

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

Json: TypeAlias = Any
"""None | bool | int | float | str | list | dict with text keys."""
Schema: TypeAlias = dict[str, Any]
"""A JSON Schema (2020-12), or a fragment of one."""

LISTED_WORDS = 24
"""A message lists the words of a type up to this many."""
LISTED_IDS = 6
"""The same for the ids of a component."""
SHOWN_TEXT = 40
"""A message shows this much of a text that was found."""
SHOWN_DIGITS = 20


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Data that is no value of the type.

    Attributes:
        pointer: JSON pointer to the place, from the data given; "" is the data itself.
        expected: what should stand there, in words.
        found: what does, in words.
        kind: `value`: the value at the pointer is wrong. `unknown`: the field at the pointer has a wrong name.
            `missing`: the object at the pointer lacks a field.
    """

    pointer: str
    expected: str
    found: str
    kind: Literal["value", "unknown", "missing"] = "value"

    def under(self, step: str | int) -> JsonFault:
        """The same fault seen from the object or array around the data."""
        return replace(self, pointer=f"/{escaped(step)}{self.pointer}")

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}"


# ---- value to JSON --------------------------------------------------------------------------------------------------


def to_json(type_: Type, value: Value) -> Json:
    """The JSON of a value of the type. Sets and bags come in value order, so equal values give equal JSON."""
    match type_:
        case Words():
            return _word_to_json(type_, *type_.members[value])
        case Record(fields=fields, members=members):
            return {name: to_json(of, part) for (name, of), part in zip(fields, members[value], strict=True)}
        case PlayerType():
            return value + 1
        case ComponentType(ids=ids):
            return ids[value]
        case Optional(of=of):
            return None if value is None else to_json(of, value)
        case SetOf(of=of) | BagOf(of=of):
            return [to_json(of, item) for item in in_order(of, value)]
        case ListOf(of=of):
            return [to_json(of, item) for item in value]
        case _:
            return value


def in_order(of: Type, items: Iterable[Value]) -> list[Value]:
    """Values of one type in the language's order; `none` comes first."""
    return sorted(items, key=lambda item: _order(of, item))


def _order(type_: Type, value: Value) -> Any:
    match type_:
        case Optional(of=of):
            return (0, 0) if value is None else (1, _order(of, value))
        case SetOf(of=of):
            return sorted(_order(of, item) for item in value)
        case BagOf(of=of) | ListOf(of=of):
            return [_order(of, item) for item in value]
        case _:
            return value


def _word_to_json(type_: Words, name: str, data: tuple[Value, ...]) -> Json:
    case = type_.case(name)
    if case is None or not case.fields:
        return name
    return {name: {field: to_json(of, part) for (field, of), part in zip(case.fields, data, strict=True)}}


# ---- JSON to value --------------------------------------------------------------------------------------------------


def from_json(type_: Type, data: Json) -> Value | JsonFault:
    """The value that the data stands for, or the first fault in it."""
    match type_:
        case Bool():
            return data if isinstance(data, bool) else _not_in(type_, data)
        case Range(low=low, high=high):
            return data if _is_whole(data) and low <= data <= high else _not_in(type_, data)
        case PlayerType(count=count):
            return data - 1 if _is_whole(data) and 1 <= data <= count else _not_in(type_, data)
        case ComponentType(positions=positions):
            return positions[data] if isinstance(data, str) and data in positions else _not_in(type_, data)
        case Words():
            return _word(type_, data)
        case Record():
            return _record(type_, data)
        case Optional(of=of):
            return None if data is None else _or_null(from_json(of, data))
        case SetOf() | BagOf() | ListOf():
            return _items(type_, data)
        case Never():
            return _not_in(type_, data)


def _is_whole(data: Json) -> bool:
    return isinstance(data, int) and not isinstance(data, bool)


def _not_in(type_: Type, data: Json) -> JsonFault:
    return JsonFault("", words_of(type_, data), found_words(data))


def _or_null(result: Value | JsonFault) -> Value | JsonFault:
    if isinstance(result, JsonFault) and result.kind == "value" and not result.pointer:
        return replace(result, expected=f"{result.expected}, or null for none")
    return result


def _word(type_: Words, data: Json) -> Value | JsonFault:
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
        found = f"the word {found_words(name)}" if isinstance(name, str) else found_words(data)
        return JsonFault("", words_of(type_, name), found)
    if not case.fields:
        return JsonFault("", f"{case.name} alone (it has no data)", found_words(data))
    parts = _fields(case.fields, inner, case.name)
    return parts.under(name) if isinstance(parts, JsonFault) else type_.positions[name, parts]


def _record(type_: Record, data: Json) -> Value | JsonFault:
    parts = _fields(type_.fields, data, type_.name)
    if isinstance(parts, JsonFault):
        return parts
    if parts not in type_.positions:
        names = _listed([name for name, _ in type_.fields], "and")
        shown = ", ".join(show(of, part) for (_, of), part in zip(type_.fields, parts, strict=True))
        return JsonFault("", f"values of {names} that make {_a(type_.name)}", f"{type_.name}({shown})")
    return type_.positions[parts]


def _fields(fields: tuple[tuple[str, Type], ...], data: Json, owner: str) -> tuple[Value, ...] | JsonFault:
    """The values of an object that must have exactly these fields."""
    names = [name for name, _ in fields]
    if not isinstance(data, Mapping):
        return JsonFault("", f"the fields of {owner} by name: {_listed(names, 'and')}", found_words(data))
    for name in data:
        if name not in names:
            meant = _meant(name, [n for n in names if n not in data])
            unknown = JsonFault("", f"only the fields {_listed(names, 'and')}{meant}", f"a field {found_words(name)}")
            return replace(unknown.under(name if isinstance(name, str) else str(type(name))), kind="unknown")
    parts: list[Value] = []
    for name, of in fields:
        if name not in data:
            return JsonFault("", f'a field "{name}" ({words_of(of)})', f'no "{name}" in {owner}', "missing")
        part = from_json(of, data[name])
        if isinstance(part, JsonFault):
            return part.under(name)
        parts.append(part)
    return tuple(parts)


def _items(type_: Collection, data: Json) -> Value | JsonFault:
    if not isinstance(data, list | tuple):
        return _not_in(type_, data)
    items: list[Value] = []
    for at, entry in enumerate(data):
        item = from_json(type_.of, entry)
        if isinstance(item, JsonFault):
            return item.under(at)
        items.append(item)
    if isinstance(type_, ListOf):
        return tuple(items)
    if isinstance(type_, BagOf):
        return tuple(in_order(type_.of, items))
    return _as_set(items, data)


def _as_set(items: list[Value], data: Json) -> Value | JsonFault:
    seen: set[Value] = set()
    for at, item in enumerate(items):
        if item in seen:
            return JsonFault(f"/{at}", "every item only once", f"{found_words(data[at])} a second time")
        seen.add(item)
    return frozenset(seen)


# ---- JSON Schema ----------------------------------------------------------------------------------------------------

NOTHING: Schema = {"not": {}}


def schema(type_: Type, shared: bool = False) -> Schema:
    """A schema fragment that accepts what `from_json` accepts.

    shared: a type with a name is written `{"$ref": "#/$defs/Name"}`; `definitions` gives what is referred to. Otherwise
    the fragment stands on its own.
    """
    name = _definition_name(type_)
    return {"$ref": f"#/$defs/{name}"} if shared and name else _body(type_, shared)


def definitions(types: Iterable[Type]) -> dict[str, Schema]:
    """The `$defs` that the shared schemas of these types refer to, by type name, in alphabetical order."""
    found: dict[str, Schema] = {}
    waiting = list(types)
    while waiting:
        type_ = waiting.pop()
        name = _definition_name(type_)
        if name in found:
            continue
        if name:
            found[name] = _body(type_, shared=True)
        waiting.extend(parts(type_))
    return dict(sorted(found.items()))


def validator(schema_: Schema) -> Validator:
    """A JSON Schema validator (2020-12) that, like `from_json`, does not take 1.0 for a whole number."""
    from jsonschema import Draft202012Validator, validators

    strict = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, data: _is_whole(data))
    made: Validator = validators.extend(Draft202012Validator, type_checker=strict)(schema_)  # type: ignore[no-untyped-call]
    return made


def _definition_name(type_: Type) -> str | None:
    match type_:
        case PlayerType():
            return "Player"
        case Words(name=name) | Record(name=name) | ComponentType(name=name) | Range(name=name):
            return name if name and name.isidentifier() else None
        case _:
            return None


def parts(type_: Type) -> Iterator[Type]:
    """The types that the JSON of a value is made of."""
    match type_:
        case Words(cases=cases):
            for case in cases:
                yield from (of for _, of in case.fields)
        case Record(fields=fields):
            yield from (of for _, of in fields)
        case Optional(of=of) | SetOf(of=of) | BagOf(of=of) | ListOf(of=of):
            yield of
        case _:
            pass


def _body(type_: Type, shared: bool) -> Schema:
    match type_:
        case Bool():
            return {"type": "boolean"}
        case Range(low=low, high=high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case PlayerType(count=count):
            return {"type": "integer", "minimum": 1, "maximum": count}
        case ComponentType(ids=ids):
            return {"enum": list(ids)} if ids else NOTHING
        case Words():
            return _words_schema(type_, shared)
        case Record():
            return _record_schema(type_, shared)
        case Optional(of=of):
            return {"anyOf": [{"type": "null"}, schema(of, shared)]}
        case SetOf(of=of):
            return {"type": "array", "items": schema(of, shared), "uniqueItems": True}
        case BagOf(of=of) | ListOf(of=of):
            return {"type": "array", "items": schema(of, shared)}
        case Never():
            return NOTHING


def _object_schema(fields: tuple[tuple[str, Type], ...], shared: bool) -> Schema:
    return {
        "type": "object",
        "properties": {name: schema(of, shared) for name, of in fields},
        "required": [name for name, _ in fields],
        "additionalProperties": False,
    }


def _words_schema(type_: Words, shared: bool) -> Schema:
    plain = [case.name for case in type_.cases if not case.fields]
    choices: list[Schema] = [{"enum": plain}] if plain else []
    for case in type_.cases:
        if case.fields:
            wrapped = _object_schema(((case.name, Bool()),), shared)
            wrapped["properties"] = {case.name: _object_schema(case.fields, shared)}
            choices.append(wrapped)
    if not choices:
        return NOTHING
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def _record_schema(type_: Record, shared: bool) -> Schema:
    """Where the declared condition cuts the domain, the members are listed too."""
    made = _object_schema(type_.fields, shared)
    if not type_.members:
        return NOTHING
    if len(type_.members) < prod(size(of) or 0 for _, of in type_.fields):
        made["enum"] = [to_json(type_, position) for position in range(len(type_.members))]
    return made


# ---- words ----------------------------------------------------------------------------------------------------------


def show(type_: Type, value: Value, players: Sequence[str] = ()) -> str:
    """The value as Ludex text: `l03`, `Site(1, 2)`, `gain(2)`, `{land, water}`, `seat(1)`, `none`.

    players: their names by seat; a player is then written so."""
    match type_:
        case Bool():
            return "true" if value else "false"
        case Words():
            name, data = type_.members[value]
            case = type_.case(name)
            return _called(name, case.fields if case else (), data, players)
        case Record(name=name, fields=fields, members=members):
            return _called(name, fields, members[value], players)
        case PlayerType():
            return players[value] if players else f"seat({value + 1})"
        case ComponentType(ids=ids):
            return ids[value]
        case Optional(of=of):
            return "none" if value is None else show(of, value, players)
        case SetOf(of=of) | BagOf(of=of):
            return "{" + ", ".join(show(of, item, players) for item in in_order(of, value)) + "}"
        case ListOf(of=of):
            return "{" + ", ".join(show(of, item, players) for item in value) + "}"
        case _:
            return "none" if value is None else str(value)


def _called(name: str, fields: tuple[tuple[str, Type], ...], parts: tuple[Value, ...], players: Sequence[str]) -> str:
    inside = ", ".join(show(of, part, players) for (_, of), part in zip(fields, parts, strict=True))
    return f"{name}({inside})" if fields else name


def words_of(type_: Type, found: Json = None) -> str:
    """What a value of the type is, in the reader's words; `found` is what stands in its place, for suggestions."""
    match type_:
        case Bool():
            return "true or false"
        case Range(low=low, high=high):
            return _whole_number(low, high)
        case PlayerType(count=count):
            return f"a seat number from 1 to {count}"
        case ComponentType(name=name, ids=ids):
            listed = f" ({', '.join(ids)})" if found is not None and 0 < len(ids) <= LISTED_IDS else ""
            return f"the id of {_a(name)}{_meant(found, ids) or listed}"
        case Words():
            return _words_of_words(type_, found)
        case Record(name=name, fields=fields):
            return f"{_a(name)} by field: " + _listed([f"{field} ({words_of(of)})" for field, of in fields], "and")
        case Optional(of=of):
            return f"{words_of(of, found)}, or null for none"
        case SetOf(of=of):
            return f"a list without repetition, each item {words_of(of)}"
        case BagOf(of=of) | ListOf(of=of):
            return f"a list, each item {words_of(of)}"
        case Never():
            return "nothing at all"


def _whole_number(low: int, high: int) -> str:
    if low < high:
        return f"a whole number from {low} to {high}"
    return f"the number {low}" if low == high else "nothing at all"


def _words_of_words(type_: Words, found: Json) -> str:
    names = [case.name for case in type_.cases]
    texts = [_case_words(case) for case in type_.cases[:LISTED_WORDS]]
    if len(names) > LISTED_WORDS:
        texts.append(f"... ({len(names)} words in all)")
    kind = "one of " if len(names) > 1 else ""
    return f"{kind}{', '.join(texts) or 'nothing at all'}{_meant(found, names)}"


def _case_words(case: Case) -> str:
    return f"{case.name} with {_listed([name for name, _ in case.fields], 'and')}" if case.fields else case.name


def _sample(type_: Words, case: Case) -> str:
    """How a word with data is written: its first value."""
    first = next((member for member in type_.members if member[0] == case.name), None)
    if first is None:
        return json.dumps({case.name: dict.fromkeys((name for name, _ in case.fields), "...")})
    return json.dumps(_word_to_json(type_, *first))


def found_words(data: Json) -> str:
    """What data is, in the reader's words. Only its outside is looked at, so deep or large data costs nothing."""
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case int():
            return f"the number {data}" if abs(data) < 10**SHOWN_DIGITS else "a very large number"
        case float():
            return f"the number {data!r}"
        case str():
            return f'"{shown_text(data)}"'
        case Mapping():
            return "an empty {}" if not data else _field_words(data)
        case list() | tuple():
            return "an empty list" if not data else f"a list of {len(data)}"
        case _:
            return "something that JSON does not have"


def shown_text(text: str) -> str:
    """A text cut to a length that fits in a message, with what cannot be printed escaped."""
    cut = text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def _field_words(data: Mapping[Any, Any]) -> str:
    keys = [f'"{shown_text(str(key))}"' for key, _ in zip(data, range(3), strict=False)]
    more = len(data) - len(keys)
    return f"the field{'s' if len(data) > 1 else ''} {', '.join(keys)}" + (f" and {more} more" if more else "")


def _meant(found: Json, known: Iterable[str]) -> str:
    near = nearest(found[:SHOWN_TEXT], known) if isinstance(found, str) else None
    return f" (did you mean {near}?)" if near else ""


def _listed(items: list[str], last: str) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else "nothing"


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"


def escaped(step: str | int) -> str:
    """A field's name or an item's number as a step of a JSON pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def at_pointer(data: Json, pointer: str) -> Json:
    """What a JSON pointer leads to; None if it leads nowhere."""
    for step in map(unescaped, pointer.split("/")[1:]):
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data
