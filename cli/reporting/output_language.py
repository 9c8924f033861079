"""The language of a command's output, and texts in it that are safe to print.

`--lang` sets the language for one run of a command. At a terminal that reorders right-to-left words, each argument of a
message is isolated, and a message in Hebrew as a whole is marked as running from right to left, with what it quotes
isolated; files and pipes get no
marks, so that a search finds the words.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar

import click

from ludex.grammar import Argument, InNotation, Message, in_language, languages, runs_right_to_left

from .source_excerpts import ISOLATE, LEFT_TO_RIGHT, POP, RIGHT_TO_LEFT, isolated, isolated_literals, isolated_words
from .terminal import terminal_text

_KEY = "ludex.language"
_OUTSIDE: ContextVar[str | None] = ContextVar("language", default=None)
"""The language where no command runs: in its worker processes."""


def language() -> str | None:
    """Return the language of this command's output, if `--lang` names one of the catalogue; None: English, with the
    names that a spec has for the things of its game."""
    context = click.get_current_context(silent=True)
    chosen: str | None = context.meta.get(_KEY) if context else _OUTSIDE.get()
    return chosen


def speak(language: str | None) -> None:
    """Set the language in a worker process of a command."""
    _OUTSIDE.set(language)


def use_language(tag: str | None) -> str | None:
    """Set the language of this command's output, if the catalogue has it; return the tag as a game would write it."""
    wanted = None if tag is None else tag.strip().lower().replace("-", "_")
    if wanted in languages():
        click.get_current_context().meta[_KEY] = wanted
    return wanted


def translated(text: str, own: str | None = None) -> str:
    """Write a text in a language, by default the command's, as far as it is a message, and safe to print."""
    own = own or language()
    if not sys.stdout.isatty():
        return in_language(text, own, terminal_text)
    runs_left = runs_right_to_left(own)

    def quoted(argument: str) -> str:
        if isinstance(argument, InNotation):
            line = isolated_words(terminal_text(argument))
            return f"{LEFT_TO_RIGHT}{line}{POP}" if runs_left else line
        return f"{ISOLATE}{terminal_text(argument)}{POP}" if runs_left else isolated(terminal_text(argument))

    written = in_language(text, own, quoted)
    if not runs_left:
        return written
    return f"{RIGHT_TO_LEFT}{isolated_literals(written)}{POP}" if isinstance(text, Message) else written


def words(entry: str, /, **arguments: Argument) -> str:
    """Write an entry of the catalogue in the command's language, safe to print."""
    return translated(Message(entry, **arguments))
