"""Texts as a terminal displays them that orders words from right to left by the Unicode bidi algorithm."""

from __future__ import annotations

import re

from bidi import get_display  # type: ignore[import-untyped]

_MARKS = re.compile("[\u2066-\u2069]")
_HEBREW = re.compile("[\u0590-\u05ff]")
_WORD = re.compile(r"""[\w'"!?-]*[\u0590-\u05ff][\w'"!?-]*""")
_INNER = re.compile(r"[A-Za-z\d]+(?:-\d+)*")
"""Runs from left to right inside of a Hebrew word, too."""
_LITERALS = re.compile(r"`([^`]*)`|(?<![\w`-])(--\w[\w-]*)")


def displayed(text: str) -> str:
    """Return the signs of a row from left to right."""
    return _MARKS.sub("", str(get_display(text, base_dir="L")))


def in_reading_order(text: str) -> str:
    """Return a displayed row with the letters of each Hebrew word in the order in which they are read."""
    return _WORD.sub(lambda word: _INNER.sub(_reversed, _reversed(word)), displayed(text))


def _reversed(match: re.Match[str]) -> str:
    return match.group()[::-1]


def reordered_literals(text: str) -> list[str]:
    """List what a row quotes in backticks, and options, if the signs of it are not displayed in their order."""
    shown = displayed(text)
    found = ("".join(match.groups("")) for match in _LITERALS.finditer(_MARKS.sub("", text)))
    return [literal for literal in found if not _HEBREW.search(literal) and literal not in shown]
