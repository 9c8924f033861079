"""Parts of a page that may be wider or higher than their place."""

from __future__ import annotations

from html import escape


def scrolling(label: str) -> str:
    """The attributes of a part that scrolls: the keyboard reaches it, and a screen reader says what it is."""
    return f' tabindex="0" aria-label="{escape(label)}"'


def scrolled(label: str, inside: str) -> str:
    """A part that scrolls from side to side around what may be too wide."""
    return f'<div class="scroll" role="group"{scrolling(label)}>{inside}</div>'
