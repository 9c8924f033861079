"""Phrases for people: values, types and data in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludex.grammar import Json, Message, did_you_mean, shown_text
from ludex.grammar import enumerated as enumerated

from . import types as t

LISTED_WORDS = 24
"""The largest number of words of a type that a message lists."""
LISTED_IDS = 6
"""The largest number of ids of a component that a message lists."""
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
            return Message("expected-boolean")
        case t.Range(low=low, high=high):
            return _whole_number(low, high)
        case t.PlayerType(count=count):
            return Message("expected-seat", count=count)
        case t.ComponentType(name=name, ids=ids):
            # Without data there is no fault to correct, so the type is only named.
            listed = ", ".join(ids) if data is not None and 0 < len(ids) <= LISTED_IDS else None
            id_of = Message("expected-id", name=name, article=article(name))
            return remarked(id_of, suggestion(data, ids) or listed)
        case t.Words():
            return _words_of_words(type_, data)
        case t.Record(name=name, fields=fields):
            named = enumerated(Message("field-of-type", name=field, type=words_of(of)) for field, of in fields)
            return Message("expected-record", name=name, article=article(name), fields=named)
        case t.Optional(of=of):
            return Message("expected-or-null", expected=words_of(of, data))
        case t.SetOf(of=of):
            return Message("expected-set", item=words_of(of))
        case t.BagOf(of=of) | t.ListOf(of=of):
            return Message("expected-list", item=words_of(of))
        case t.Never():
            return Message("expected-nothing")


def _whole_number(low: int, high: int) -> str:
    if low < high:
        return Message("expected-range", low=low, high=high)
    return Message("expected-number", number=low) if low == high else Message("expected-nothing")


def _words_of_words(type_: t.Words, data: Json) -> str:
    names = [case.name for case in type_.cases]
    texts = [_case_words(case) for case in type_.cases[:LISTED_WORDS]]
    if len(names) > LISTED_WORDS:
        texts.append(Message("words-in-all", count=len(names)))
    if not texts:
        return Message("expected-nothing")
    # The sentence does not name the type, which is needed to find the game's terms for the words.
    one_of = Message("expected-one-of", words=tuple(texts), type=type_.name) if len(names) > 1 else texts[0]
    return remarked(one_of, suggestion(data, names))


def _case_words(case: t.Case) -> str:
    if not case.fields:
        return case.name
    return Message("word-with", word=case.name, fields=enumerated(name for name, _ in case.fields))


def found_words(data: Json) -> str:
    """Describe data to a reader. Only its outermost level is read, so deep or large data takes no longer."""
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case int():
            # Python refuses to print integers of more than 4,300 digits, and nobody reads them.
            is_short = abs(data) < 10**SHOWN_DIGITS
            return Message("found-number", number=str(data)) if is_short else Message("found-large")
        case float():
            return Message("found-number", number=repr(data))
        case str():
            return f'"{shown_text(data)}"'
        case Mapping():
            return _field_words(data) if data else Message("found-empty-object")
        case list() | tuple():
            return Message("found-list", count=len(data)) if data else Message("found-empty-list")
        case _:
            return Message("found-no-json")


def _field_words(data: Mapping[Any, Any]) -> str:
    # Only the first keys are read, without a list of them all.
    keys = [f'"{shown_text(str(key))}"' for key, _ in zip(data, range(3), strict=False)]
    more = len(data) - len(keys)
    names = Message("and-more", items=tuple(keys), count=more) if more else ", ".join(keys)
    return Message("found-fields", count=len(data), names=names)


def remarked(text: str, remark: str | None) -> str:
    """Add a remark in brackets to a text, if there is one."""
    return Message("with-remark", text=text, remark=remark) if remark else text


def suggestion(word: Json, known: Iterable[str]) -> str | None:
    """Return the hint that names the known word nearest to a word; None if it is not a word, or none is near."""
    return did_you_mean(word, known) if isinstance(word, str) else None


def article(name: str) -> str:
    """Return the indefinite article of a name in English."""
    return "an" if name[:1] in "AEIOaeio" else "a"
