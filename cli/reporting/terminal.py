"""Terminal output: the one way in which a command prints text.

The text of a spec, a log or a command line may contain characters that move the cursor, colour it, change the text
direction or are invisible. None of them is printed; they are shown (`source_excerpts.visible`). Ludex's own styles and
isolation marks are private marks until then.
"""

from __future__ import annotations

import re
import shutil
import sys
from typing import Any

import click

from .source_excerpts import ISOLATE, LEFT_TO_RIGHT, POP, RIGHT_TO_LEFT, own_mark, visible

_STYLE = own_mark(2)
"""Replaces the escape character of a style."""
_MARKS = f"{_STYLE}\\[[0-9;]*m|{ISOLATE}|{RIGHT_TO_LEFT}|{LEFT_TO_RIGHT}|{POP}"
_OWN, _OWN_AND_LINES = re.compile(f"({_MARKS})"), re.compile(f"({_MARKS}|\n)")
_FINAL = {ISOLATE: "\u2068", RIGHT_TO_LEFT: "\u2067", LEFT_TO_RIGHT: "\u2066", POP: "\u2069"}


def printable(text: str) -> str:
    """Return what `say` prints, for `click.echo`: another process may have made it."""
    return _safe(text)


def say(text: str = "", err: bool = False, nl: bool = True) -> None:
    """Print text for a person."""
    click.echo(_safe(text), err=err, nl=nl)


def has_moving_lines() -> bool:
    """Return whether the standard error is a terminal on which a line may change."""
    # Where colours are unwanted the terminal may not be able to go back in a line either.
    return sys.stderr.isatty() and click.get_current_context().color is not False


def overwrite(text: str) -> None:
    """Write a text over the present line of the standard error, as far as it fits; an empty one clears the line."""
    columns = shutil.get_terminal_size().columns - 1
    click.echo(f"\r{' ' * columns}\r{_safe(text)[:columns]}", err=True, nl=False)


def put(text: str, nl: bool = True) -> None:
    """Print output for another program unchanged; at a terminal, as text for a person."""
    if sys.stdout.isatty():
        say(text, nl=nl)
    else:
        click.echo(text, nl=nl, color=True)  # without `color=True`, click removes escape sequences


def put_printable(text: str) -> None:
    """Print what `printable` has made, perhaps in another process."""
    click.echo(text, nl=False)


def ask(prompt: str) -> str:
    """Read a line that a person types. Raises EOFError."""
    return input(_safe(prompt))


def style(text: str, **how: Any) -> str:
    """Style a text as `click.style` does."""
    # An escape of the text itself must not become a style.
    return click.style(text.replace("\x1b", visible("\x1b")), **how).replace("\x1b", _STYLE)


def terminal_text(text: str) -> str:
    """Show the characters of a text that a terminal would obey or not show, but keep Ludex's own marks."""
    parts = _OWN.split(text)
    return "".join(part if number % 2 else visible(part) for number, part in enumerate(parts))


def unstyled(text: str) -> str:
    """Return what `say` prints, without styles."""
    return click.unstyle(_safe(text))


def _safe(text: str) -> str:
    parts = _OWN_AND_LINES.split(text)
    return "".join(_written(part) if number % 2 else visible(part) for number, part in enumerate(parts))


def _written(mark: str) -> str:
    return _FINAL.get(mark) or mark.replace(_STYLE, "\x1b")
