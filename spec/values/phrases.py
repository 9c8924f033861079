"""A value, a type and a piece of data in words for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludex.grammar import Json, did_you_mean, shown_text

from .types import (
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
)

LISTED_WORDS = 24
"""A message lists the words of a type up to this many."""
LISTED_IDS = 6
"""The same for the ids of a component."""
SHOWN_DIGITS = 20


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
            return f"the id of {with_article(name)}{suggestion(found, ids) or listed}"
        case Words():
            return _words_of_words(type_, found)
        case Record(name=name, fields=fields):
            named = enumerated(f"{field} ({words_of(of)})" for field, of in fields)
            return f"{with_article(name)} by field: {named}"
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
    return f"{kind}{', '.join(texts) or 'nothing at all'}{suggestion(found, names)}"


def _case_words(case: Case) -> str:
    return f"{case.name} with {enumerated([name for name, _ in case.fields])}" if case.fields else case.name


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


def _field_words(data: Mapping[Any, Any]) -> str:
    keys = [f'"{shown_text(str(key))}"' for key, _ in zip(data, range(3), strict=False)]
    more = len(data) - len(keys)
    return f"the field{'s' if len(data) > 1 else ''} {', '.join(keys)}" + (f" and {more} more" if more else "")


def suggestion(found: Json, known: Iterable[str]) -> str:
    """The known word nearest to what was found, as words to be put behind others; "" if there is none."""
    hint = did_you_mean(found, known) if isinstance(found, str) else None
    return f" ({hint})" if hint else ""


def enumerated(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; `nothing` of no words."""
    *most, last = list(words) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def with_article(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"
