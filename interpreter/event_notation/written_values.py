"""Values in data that are written as the notation writes them: `10♠` in place of the record of a card.

Logs in JSON and YAML, claims and positions hold data. A text where a value is neither a text nor named so is taken for
what `ludex show`, the prompt and reports print.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ludex.grammar import Json
from ludex.spec import JsonFault, from_json, to_json
from ludex.spec import model as m
from ludex.spec import types as t

from .near_words import near_record
from .syntax import NONE_WORD, UNKNOWN_WORD, UNSEEN
from .writing import NotationWriter

_BOOLEANS: Mapping[str, Json] = {"yes": True, "no": False}
_PLACEHOLDERS = frozenset({UNKNOWN_WORD, UNSEEN})
"""Texts that mean no value."""


class WrittenValues:
    """Reads the values of one game that are written as texts."""

    def __init__(self, game: m.Game) -> None:
        self._writers = [NotationWriter(game, (), language) for language in (None, *game.languages)]
        self.texts = cache(self._texts)

    def _texts(self, type_: t.Type) -> Mapping[str, Json]:
        """Return the texts that mean a value of the type and are not that value's own data, with the data.

        Only texts of whole values: the items of a set or list are texts each, and a number is a number.
        """
        match type_:
            case t.Bool():
                return _BOOLEANS
            case t.Optional(of=of):
                inner = self.texts(of)
                # A word of the type that is spelt so means that word.
                return inner if self._means(of, NONE_WORD) else {**inner, NONE_WORD: None}
            case t.Words() | t.ComponentType():
                known = self._writers[0].vocabulary.words(type_).known
                plain = {
                    word: name for word, name in known.items() if not isinstance(from_json(type_, name), JsonFault)
                }
                return self._others(type_, plain | self._printed(type_))
            case t.Record():
                terse, _ = self._writers[0].vocabulary.terse(type_)
                signs = {word: to_json(type_, position) for word, position in terse.items()}
                return self._others(type_, self._printed(type_) | signs)
            case _:
                return {}

    def _printed(self, type_: t.Type) -> dict[str, Json]:
        pairs = ((writer, position) for position in range(t.size(type_) or 0) for writer in self._writers)
        return {writer.value(type_, position): to_json(type_, position) for writer, position in pairs}

    def _others(self, type_: t.Type, texts: Mapping[str, Json]) -> Mapping[str, Json]:
        # A text that is data of the type means what the data mean, whatever the notation writes so.
        own = (word for word in texts if not isinstance(from_json(type_, word), JsonFault))
        return {word: texts[word] for word in texts.keys() - set(own) - _PLACEHOLDERS}

    def _means(self, type_: t.Type, text: str) -> bool:
        return text in self.texts(type_) or not isinstance(from_json(type_, text), JsonFault)

    def data(self, type_: t.Type, data: Json) -> Json:
        """Return the data of a value in which texts may stand for parts; what is no such text stays as it is."""
        if isinstance(data, str):
            is_own = not isinstance(from_json(type_, data), JsonFault)
            return data if is_own else self.texts(type_).get(data, data)
        match t.strip_optional(type_):
            case t.Record(fields=fields) if isinstance(data, dict):
                return self._fields(dict(fields), data)
            case t.Words() as words if isinstance(data, dict) and len(data) == 1:
                ((name, inside),) = data.items()
                case = words.case(name)
                is_known = case is not None and isinstance(inside, dict)
                return {name: self._fields(dict(case.fields), inside)} if case and is_known else data
            case t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of) if isinstance(data, list):
                return [self.data(of, item) for item in data]
            case _:
                return data

    def near(self, type_: t.Type, text: str) -> str | None:
        """Return the sign of a record that a text may mean: `2♣` for `2 of clubs`; None if there is none."""
        record = t.strip_optional(type_)
        return near_record(self._writers[0].vocabulary, record, text) if isinstance(record, t.Record) else None

    def _fields(self, fields: Mapping[str, t.Type], data: Mapping[str, Json]) -> dict[str, Json]:
        return {name: self.data(fields[name], part) if name in fields else part for name, part in data.items()}
