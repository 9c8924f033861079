"""Titles and descriptions in the schema of a game's logs: the game's terms, and the catalogue's words for the format.

An editor shows them beside a log that somebody writes. They are annotations: no validator judges by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludex.grammar import ENGLISH, Message, enumerated, in_language, languages
from ludex.spec import TextsOf, definitions, named_types, words_of
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.writing import NotationWriter
from ...explanation.wording import why
from ...state.events import DECLINE
from ..structure import UNKNOWN_WORD

_EVERYWHERE = frozenset({"Player", DECLINE, UNKNOWN_WORD})
"""The type and the actions that every game has, for which most have no term."""
Annotations = dict[str, Any]
"""Annotations: `title`, `description`, and `enumDescriptions`, which editors show and the standard does not have."""


class SchemaWords:
    """Annotations for one game. language: None: descriptions in English, without titles and the game's terms."""

    def __init__(self, game: m.Game, language: str | None) -> None:
        self.game, self.language = game, language
        # A game may have terms in languages that messages do not have.
        self._frame = language if language in languages() else ENGLISH
        self._writer = NotationWriter(game, (), language)

    def _in_language(self, text: str) -> str:
        return in_language(text, self._frame)

    def _term(self, path: str) -> str | None:
        """Return the term of a thing in the language; None if it has no term, or no language is selected."""
        return self.game.word(path, self.language)

    def _titled(self, path: str, text: str | None) -> Annotations:
        title = {} if self.language is None else {"title": self._term(path) or self._own(path)}
        return title if text is None else {**title, "description": self._in_language(text)}

    def _own(self, path: str) -> str:
        """Return what a thing without a term is called: that which every game has, in words of the catalogue."""
        if path in _EVERYWHERE and path not in self.game.moves:
            return self._in_language(Message(f"schema-title-{path.lower()}"))
        return path.rpartition(".")[2]

    # ---- the format

    def log_title(self) -> str:
        game = self.game
        title = game.titles.get(self.language or "") or game.name
        return self._in_language(Message("schema-title", game=title, edition=game.edition, count=game.players))

    def about(self, name: str) -> str:
        return self._in_language(Message(f"schema-{name}"))

    def member(self, name: str) -> Annotations:
        """Describe a member that is the same in all games."""
        return {"description": self.about(name)}

    def tag(self, name: str) -> Annotations:
        return {"description": self._in_language(Message(f"tag-{name}"))}

    def early_end(self, by: str) -> Annotations:
        return {"description": self._in_language(Message(f"cheat-{by}"))}

    # ---- the game

    def action(self, name: str) -> Annotations:
        """Describe a move: its term and its requirements. Editors show no title where they complete."""
        text = _joined(self._term(name), self._in_language(self._about_action(name) or ""))
        return self._titled(name, text or None)

    def _about_action(self, name: str) -> str | None:
        if name in (DECLINE, UNKNOWN_WORD) and name not in self.game.moves:
            return Message(f"schema-{name}")
        action = self.game.actions.get(name)
        rules = why(self.game, [each.path for each in action.requirements] if action else [])
        said = [f"{each.clause.removeprefix(f'{name}.')} {each.authority}".rstrip() for each in rules]
        return Message("schema-requires", names=enumerated(said)) if said else None

    def chance(self, path: str) -> Annotations:
        (clause,) = why(self.game, [path])
        return self._titled(path, clause.authority or None)

    def thing(self, path: str, type_: t.Type) -> Annotations:
        """Describe an argument, an outcome, or the contents of a state or zone."""
        return self._titled(path, words_of(type_))

    def each(self, member: str, names: Sequence[str]) -> Annotations:
        """Describe the values of `action`, `chance` or `of`, each of which has a term."""
        if self.language is None:
            return {}
        texts = {name: self._about_action(name) for name in names} if member == "action" else {}
        described = [_joined(self._term(name), self._in_language(texts.get(name) or "")) for name in names]
        return {"enumDescriptions": described}

    # ---- types

    def described(self, types: Iterable[t.Type], texts: TextsOf) -> dict[str, Annotations]:
        """Return the definitions of the named types among these and their parts, with annotations.

        texts: as in `schema`.
        """
        types = tuple(types)
        schemas = definitions(types, texts)
        return {
            name: {**self._titled(name, words_of(type_)), **self._with_parts(type_, schemas[name], bool(texts(type_)))}
            for name, type_ in named_types(types).items()
        }

    def _with_parts(self, type_: t.Type, made: Annotations, has_texts: bool = False) -> Annotations:
        """Add the terms of a type's words, fields or pieces."""
        if self.language is None:
            return made
        if has_texts:
            data, others = made["anyOf"]
            return {"anyOf": [self._with_parts(type_, data), others]}
        match type_:
            # A component without pieces has no enumeration.
            case t.ComponentType(ids=ids) if "enum" in made:
                return {**made, "enumDescriptions": [self._piece(type_, at) for at in range(len(ids))]}
            case t.Words(name=name) if "enum" in made:
                return {**made, "enumDescriptions": [self._term(f"{name}.{word}") or word for word in made["enum"]]}
            case t.Words(name=name) if "anyOf" in made:
                return {**made, "anyOf": [self._word(type_, choice) for choice in made["anyOf"]]}
            case t.Record(name=name, fields=fields) if "properties" in made:
                named = dict(fields)
                properties = {
                    field: {**self._titled(f"{name}.{field}", None), **of}
                    for field, of in made["properties"].items()
                    if field in named
                }
                return {**made, "properties": properties}
            case _:
                return made

    def _word(self, type_: t.Words, choice: Annotations) -> Annotations:
        """Add the terms of the words in one choice of a type's schema: those without data, or one with data."""
        if "enum" in choice:
            terms = [self._term(f"{type_.name}.{word}") or word for word in choice["enum"]]
            return {**choice, "enumDescriptions": terms}
        ((name, data),) = choice["properties"].items()
        return {**choice, "properties": {name: {**self._titled(f"{type_.name}.{name}", None), **data}}}

    def _piece(self, type_: t.ComponentType, at: int) -> str:
        """Describe a piece: its term, and its printed values."""
        pairs = zip(type_.columns, type_.rows[at], strict=True)
        printed = [self._printed(f"{type_.name}.{column}", of, value) for (column, of), value in pairs]
        return _joined(self._term(f"{type_.name}.{type_.ids[at]}"), ", ".join(filter(None, printed))) or type_.ids[at]

    def _printed(self, path: str, type_: t.Type, value: t.Value) -> str | None:
        """Write what one column says of a piece; None if it says no."""
        name = self._term(path) or path.rpartition(".")[2]
        if isinstance(type_, t.Bool):
            return name if value else None
        return None if value is None else f"{name}: {self._writer.value(type_, value)}"


def _joined(term: str | None, text: str) -> str:
    return ". ".join(filter(None, (term, text)))
