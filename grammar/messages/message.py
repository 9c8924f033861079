"""Messages: English texts that can be said again in another language.

A message is a text, in English, so that a program prints, compares and sorts it as any text. It keeps the entry of the
catalogue that it was made from and its arguments; `in_language` writes the same entry in another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from .catalogue import ENGLISH, LARGEST_FORMATTED, formatted, grouped_digits, shortened, stand_in

Argument: TypeAlias = "str | int | tuple[str, ...]"
"""A message or word is written in the language asked for, a number by the language's rules; any other text is quoted
from a file and stays as it is. A tuple is a list with commas."""
ArgumentQuote: TypeAlias = Callable[[str], str]
"""Makes the text of an argument safe to print among words of another direction."""


class Message(str):
    """An entry of the catalogue with its arguments; as a text, it is English.

    Attributes:
        entry: the name of the entry.
        arguments: by the names that the entry has for them.
    """

    __slots__ = ("arguments", "entry")
    entry: str
    arguments: Mapping[str, Argument]

    def __new__(cls, entry: str, /, **arguments: Argument) -> Message:
        made = super().__new__(cls, _written(entry, arguments, None, str))
        made.entry, made.arguments = entry, arguments
        return made

    # Pickle would call the class with the text alone.
    def __reduce__(self) -> tuple[Callable[[str, dict[str, Argument]], Message], tuple[str, dict[str, Argument]]]:
        return _remade, (self.entry, dict(self.arguments))


class Word(str):
    """A word of a game, with its terms in other languages. terms: by language."""

    __slots__ = ("terms",)
    terms: Mapping[str, str]

    def __new__(cls, own: str, terms: Mapping[str, str]) -> Word:
        made = super().__new__(cls, own)
        made.terms = terms
        return made

    def __reduce__(self) -> tuple[type[Word], tuple[str, dict[str, str]]]:
        return type(self), (str(self), dict(self.terms))


class LineOfLog(Word):
    """A line in the notation of logs, with the game's terms in other languages."""

    __slots__ = ()


class InNotation(str):
    """A text in the notation, as an `ArgumentQuote` gets it: its words keep their order, whatever way they run."""

    __slots__ = ()


def _remade(entry: str, arguments: dict[str, Argument]) -> Message:
    return Message(entry, **arguments)


def in_language(text: str, language: str | None, quote: ArgumentQuote = str) -> str:
    """Write a text in a language, as far as it is a message; English if the catalogue has no other form.

    language: None: English, with the names that the spec has for the things of a game.
    quote: applied to each text that is not a message, also inside of one.
    """
    match text:
        case Message(entry=entry, arguments=arguments):
            return _written(entry, arguments, language, quote)
        case Word(terms=terms):
            own = terms.get(language, text) if language else text
            return quote(InNotation(own) if isinstance(text, LineOfLog) else own)
        case _:
            return quote(text)


def _written(entry: str, arguments: Mapping[str, Argument], language: str | None, quote: ArgumentQuote) -> str:
    values: dict[str, str | int] = {}
    large = dict[str, str]()
    for name, argument in arguments.items():
        if isinstance(argument, str):
            values[name] = in_language(argument, language, quote)
        elif isinstance(argument, tuple):
            values[name] = ", ".join(in_language(item, language, quote) for item in argument)
        else:
            values[name] = argument if abs(argument) <= LARGEST_FORMATTED else stand_in(argument, len(large))
            values[f"{name}-grouped"] = grouped_digits(argument, language or ENGLISH)
            if values[name] != argument:
                large[str(values[name])] = shortened(argument)
    text = formatted(language or ENGLISH, entry, values)
    # The formatter takes the form of the words from the stand-in, and writes it.
    for made, digits in large.items():
        text = text.replace(made, digits)
    return text


def enumerated(words: Iterable[str], joint: str = "and") -> str:
    """Join words: `a`, `a and b`, `a, b and c`; `nothing` if there are none. joint: `and` or `or`."""
    *most, last = tuple(words) or (Message("list-nothing"),)
    return Message(f"list-{joint}", first=tuple(most), last=last) if most else last
