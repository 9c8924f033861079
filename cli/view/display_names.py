"""Display names of a game's things: their names in the spec or, with `--lang`, the game's terms in that language.

Hebrew and Arabic words are printed in rows that run from left to right. A terminal that reorders such words would move
adjacent brackets and numbers with them, so at a terminal each word is isolated by two marks (U+2068, U+2069) that take
no column. A terminal that reorders nothing shows the letters in the order of the file. Files and pipes get no marks, so
that a search finds the words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click

from ludex.grammar import Argument, Message, in_language, languages
from ludex.interpreter import player_words
from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ..reporting import isolated, isolated_words, terminal_text, without_directions
from ..reporting import language as own_language


class Speech:
    """Display names for one game.

    Attributes:
        language: a tag that the game knows, or None: the spec's own names.
        names: the players' names by seat; () if they have none.
        isolating: put marks around right-to-left words (None: if the output is a terminal).
        around: the language of the surrounding text, if it is not the command's; in any but English, a thing without a
            term is quoted as in the spec, unless nothing has a term.
    """

    def __init__(
        self,
        game: m.Game,
        names: Sequence[str] = (),
        language: str | None = None,
        isolating: bool | None = None,
        around: str | None = None,
    ) -> None:
        self.game, self.language, self.around = game, language, around or own_language()
        self._is_quoting = around not in (None, "en") and language is not None
        self.isolating = sys.stdout.isatty() if isolating is None else isolating
        self.named = bool(names) or "seat(1)" in game.terms
        called = names or [self._seat(f"seat({seat + 1})") or player_words(seat) for seat in range(game.players)]
        self.players = tuple(self._shown(in_language(name, self.around)) for name in called)

    def _seat(self, path: str) -> str | None:
        """Name a seat: a spec has no names for players; without a language, the given name is used."""
        term = self.game.terms.get(path)
        return self.game.word(path, self.language) or (term.words[0].text if term else None)

    def _shown(self, text: str) -> str:
        return isolated(terminal_text(text)) if self.isolating else terminal_text(text)

    def word(self, path: str, own: str | None = None) -> str:
        """Name the thing with this path; `own`: its name in the spec, if that is not the path."""
        word = self.game.word(path, self.language)
        if word:
            return self._shown(word)
        name = path if own is None else own
        return f"`{name}`" if self._is_quoting else name

    def frame(self, entry: str, **arguments: Argument) -> str:
        """Write a word of the picture that belongs to no game."""
        return self._shown(in_language(Message(f"view-{entry}", **arguments), self.around))

    def phrase(self, words: Iterable[str]) -> str:
        """Join words; consecutive right-to-left words are ordered from right to left."""
        phrase = " ".join(words)
        return isolated(without_directions(phrase)) if self.isolating else phrase

    def notation(self, text: str) -> str:
        """Display a text in the notation: its words stay in their order."""
        return isolated_words(terminal_text(text)) if self.isolating else terminal_text(text)

    def sign(self, letters: str) -> str:
        """Display letters of a word by themselves."""
        return self._shown(letters)

    @property
    def title(self) -> str:
        """The game's title in the language, or its name."""
        title = self.game.titles.get(self.language or "")
        return self._shown(title) if title else self.game.name

    def value(self, type_: t.Type, value: t.Value) -> str:
        """Write a value as `ludex.spec.show` does, with display names and players' names."""
        match type_:
            case t.Words(members=members):
                name, data = members[value]
                case = type_.case(name)
                return self._called(f"{type_}.{name}", name, case.fields if case else (), data)
            case t.Record(name=name, fields=fields, members=members):
                return self._called(name, name, fields, members[value])
            case t.ComponentType(name=name, ids=ids):
                return self.word(f"{name}.{ids[value]}", ids[value])
            case t.PlayerType():
                return self.players[value]
            case t.Optional(of=of) if value is not None:
                return self.value(of, value)
            case _:
                return show(type_, value)

    def _called(self, path: str, name: str, fields: Sequence[tuple[str, t.Type]], parts: Sequence[t.Value]) -> str:
        inside = ", ".join(self.value(of, part) for (_, of), part in zip(fields, parts, strict=True))
        return f"{self.word(path, name)}({inside})" if fields else self.word(path, name)


def chosen_language(game: m.Game, tag: str | None) -> str | None:
    """Return the language of the game's words for a tag: None if the game has none in a language of the catalogue.
    Raises UsageError for any other language."""
    if tag is None or tag in game.languages:
        return tag
    if tag in languages():
        # The words around may still be in the language.
        return None
    known = Message("it-has", names=game.languages) if game.languages else Message("usage-words-in-none")
    raise click.UsageError(Message("usage-no-words", game=game.name, tag=tag, known=known))
