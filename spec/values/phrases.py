"""A value, a type and a piece of data in words for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludex.grammar import Json, did_you_mean, shown_text

from . import types as t

LISTED_WORDS = 24
"""How many words of a type a message lists."""
LISTED_IDS = 6
"""Up to how many ids of a component a message lists them."""
SHOWN_DIGITS = 20


def show(type_: t.Type, value: t.Value, players: Sequence[str] = ()) -> str:
    """Return a value in the language's notation: `l03`, `Site(1, 2)`, `gain(2)`, `{land, water}`, `seat(1)`, `none`.

    players: the names of the players by seat, in place of `seat(1)`."""
    match type_:
        case t.Bool():
            return "true" if value else "false"
        case t.Words():
            name, data = type_.members[value]
            case = type_.case(name)
            return _called(name, case.fields if case else (), data, players)
        case t.Record(name=name, fields=fields, members=members):
            return _called(name, fields, members[value], players)
        case t.PlayerType():
            return players[value] if players else f"seat({value + 1})"
        case t.ComponentType(ids=ids):
            return ids[value]
        case t.Optional(of=of):
            return "none" if value is None else show(of, value, players)
        case t.SetOf(of=of) | t.BagOf(of=of):
            return "{" + ", ".join(show(of, item, players) for item in t.in_order(of, value)) + "}"
        case t.ListOf(of=of):
            return "{" + ", ".join(show(of, item, players) for item in value) + "}"
        case _:
            return "none" if value is None else str(value)


def _called(
    name: str, fields: tuple[tuple[str, t.Type], ...], parts: tuple[t.Value, ...], players: Sequence[str]
) -> str:
    inside = ", ".join(show(of, part, players) for (_, of), part in zip(fields, parts, strict=True))
    return f"{name}({inside})" if fields else name


def words_of(type_: t.Type, data: Json = None) -> str:
    """Describe the values of a type to a reader. data: the data in the place of such a value, for suggestions."""
    match type_:
        case t.Bool():
            return "true or false"
        case t.Range(low=low, high=high):
            return _whole_number(low, high)
        case t.PlayerType(count=count):
            return f"a seat number from 1 to {count}"
        case t.ComponentType(name=name, ids=ids):
            listed = f" ({', '.join(ids)})" if data is not None and 0 < len(ids) <= LISTED_IDS else ""
            return f"the id of {with_article(name)}{suggestion(data, ids) or listed}"
        case t.Words():
            return _words_of_words(type_, data)
        case t.Record(name=name, fields=fields):
            named = enumerated(f"{field} ({words_of(of)})" for field, of in fields)
            return f"{with_article(name)} by field: {named}"
        case t.Optional(of=of):
            return f"{words_of(of, data)}, or null for none"
        case t.SetOf(of=of):
            return f"a list without repetition, each item {words_of(of)}"
        case t.BagOf(of=of) | t.ListOf(of=of):
            return f"a list, each item {words_of(of)}"
        case t.Never():
            return "nothing at all"


def _whole_number(low: int, high: int) -> str:
    if low < high:
        return f"a whole number from {low} to {high}"
    return f"the number {low}" if low == high else "nothing at all"


def _words_of_words(type_: t.Words, data: Json) -> str:
    names = [case.name for case in type_.cases]
    texts = [_case_words(case) for case in type_.cases[:LISTED_WORDS]]
    if len(names) > LISTED_WORDS:
        texts.append(f"... ({len(names)} words in all)")
    kind = "one of " if len(names) > 1 else ""
    return f"{kind}{', '.join(texts) or 'nothing at all'}{suggestion(data, names)}"


def _case_words(case: t.Case) -> str:
    return f"{case.name} with {enumerated([name for name, _ in case.fields])}" if case.fields else case.name


def found_words(data: Json) -> str:
    """Describe data to a reader. Only its outermost level is read, so deep or large data takes no longer."""
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


def suggestion(word: Json, known: Iterable[str]) -> str:
    """Return the known word nearest to a word as a suffix for a message, ` (did you mean ...)`; "" if there is none."""
    hint = did_you_mean(word, known) if isinstance(word, str) else None
    return f" ({hint})" if hint else ""


def enumerated(words: Iterable[str]) -> str:
    """Return words as a list: `a`, `a and b`, `a, b and c`; `nothing` if there are none."""
    *most, last = list(words) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def with_article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"
