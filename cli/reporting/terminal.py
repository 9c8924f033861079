"""The one way in which a command's text reaches a terminal, a file or a pipe.

What a spec, a log or a command line says may hold signs that move the cursor, colour it, turn words around or are not
seen. None of them is printed: each is shown (`texts.visible`). The styles and the marks around words from right to left
that Ludex itself sets are marks of its own until then.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from .source_excerpts import ISOLATE, POP, own_mark, visible

_STYLE = own_mark(2)
"""For the escape character of a style."""
_OWN = re.compile(f"({_STYLE}\\[[0-9;]*m|{ISOLATE}|{POP}|\n)")


def say(text: str = "", err: bool = False, nl: bool = True) -> None:
    """Print words for a person."""
    click.echo(_safe(text), err=err, nl=nl)


def put(text: str, nl: bool = True) -> None:
    """Print what another program reads, as it is; where a terminal listens, as words for a person."""
    if sys.stdout.isatty():
        say(text, nl=nl)
    else:
        click.echo(text, nl=nl, color=True)  # which leaves escape sequences alone


def ask(prompt: str) -> str:
    """A line that a person types. Raises EOFError."""
    return input(_safe(prompt))


def style(text: str, **how: Any) -> str:
    """The text as `click.style` would style it."""
    return click.style(text.replace("\x1b", visible("\x1b")), **how).replace("\x1b", _STYLE)


def unstyled(text: str) -> str:
    """What `say` prints, without styles."""
    return click.unstyle(_safe(text))


def _safe(text: str) -> str:
    parts = _OWN.split(text)
    return "".join(_written(part) if number % 2 else visible(part) for number, part in enumerate(parts))


def _written(mark: str) -> str:
    return mark.replace(_STYLE, "\x1b").replace(ISOLATE, "\u2068").replace(POP, "\u2069")
