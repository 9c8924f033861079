"""Texts about a game that can be said in each language of the messages, with the game's terms in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ludex.grammar import Argument, LineOfLog, Message, Word, languages
from ludex.spec import model as m

_NAMES_A_TYPE = {"expected-id", "expected-record"}
"""Messages whose argument `name` is a type's."""
_LISTS_WORDS = "expected-one-of"
"""The message that lists the words of its argument `type`."""


def in_each_language(game: m.Game, write: Callable[[str | None], str]) -> str:
    """Write something with the game's own names, and with its terms in each language that messages have."""
    own = write(None)
    spoken = {language: write(language) for language in game.languages if language in languages()}
    return Word(own, spoken) if any(each != own for each in spoken.values()) else own


def line_in_each_language(game: m.Game, write: Callable[[str | None], str]) -> str:
    """Write a line in the notation as `in_each_language` writes anything."""
    own = write(None)
    return LineOfLog(own, {language: write(language) for language in game.languages if language in languages()})


def term(game: m.Game, path: str, own: str | None = None) -> str:
    """Name a thing of the game, with its terms. own: its name, if that is not the path."""
    return in_each_language(game, lambda language: game.word(path, language) or own or path)


def terms(game: m.Game, paths: Iterable[str]) -> tuple[str, ...]:
    """Name several things of the game."""
    return tuple(term(game, path) for path in paths)


def glossed(game: m.Game, path: str, own: str | None = None) -> str:
    """Name a thing as logs and specs do, with its term in brackets. own: its name, if that is not the path."""

    return in_each_language(game, lambda language: beside(own or path, game.word(path, language)))


def beside(name: str, more: str | None) -> str:
    """Write a name with more in brackets, unless that says the same."""
    return f"{name} ({more})" if more and more != name else name


def _glossed_word(game: m.Game, text: Message, word: str) -> str:
    return word if isinstance(word, Message) else glossed(game, f"{text.arguments['type']}.{word}", word)


def with_terms(game: m.Game, text: str) -> str:
    """Name the types in a message by the game's terms."""
    if not isinstance(text, Message):
        return text
    changed: dict[str, Argument] = {}
    for name, argument in text.arguments.items():
        if isinstance(argument, tuple):
            items = tuple(with_terms(game, item) for item in argument)
            if text.entry == _LISTS_WORDS:
                items = tuple(_glossed_word(game, text, item) for item in items)
            if any(item is not old for item, old in zip(items, argument, strict=True)):
                changed[name] = items
        elif isinstance(argument, str):
            own = term(game, argument) if name == "name" and text.entry in _NAMES_A_TYPE else argument
            # Most messages name no type; a new one takes long to write.
            if (named := with_terms(game, own)) is not argument:
                changed[name] = named
    return Message(text.entry, **{**text.arguments, **changed}) if changed else text
