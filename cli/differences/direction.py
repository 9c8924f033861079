"""In which language and direction the words of an edition run in a page."""

from __future__ import annotations

import re
from html import escape

RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ps", "ur", "yi"})


def language(edition: str) -> str:
    """`he` of `he.margin`; an edition that is not named after a language has none."""
    first = edition.partition(".")[0]
    return first if re.fullmatch(r"[a-z]{2,3}", first) else ""


def direction(edition: str) -> str:
    """The direction of its language."""
    return "rtl" if language(edition) in RIGHT_TO_LEFT else "ltr"


def flow(edition: str) -> str:
    """The attributes that say so of an element that holds its words."""
    known = language(edition)
    return f' lang="{known}" dir="{direction(edition)}"' if known else ' dir="auto"'


def breakable(path: str) -> str:
    """A path that may be broken behind its points."""
    return escape(path).replace(".", ".<wbr>")
