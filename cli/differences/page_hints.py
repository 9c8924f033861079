"""Hints in the page of `ludex diff`: a list below the table, the lines of the editions side by side."""

from __future__ import annotations

import re
from html import escape

from ludex.spec import Hint

from ..books import Quoted
from . import hints as h
from . import telling as t
from .direction import breakable, direction, flow


def section(telling: t.Telling) -> str:
    """All hints; nothing where there are none."""
    if not telling.hints:
        return ""
    each = "".join(_article(telling, number, hint) for number, hint in enumerate(telling.hints, start=1))
    return f'<section id="hints"><h2>{h.TITLE}</h2><p>{escape(h.MEANING)}</p>{each}</section>'


def links(telling: t.Telling, clause: str) -> str:
    """From a row of the table to the hints about its clause."""
    numbers = h.of_clause(telling, clause)
    return "".join(f'<li class="mark"><a href="#hint-{number}">read again</a></li>' for number in numbers)


def _article(telling: t.Telling, number: int, hint: Hint) -> str:
    title = f'<h3><code dir="ltr">{breakable(hint.clause)}</code></h3>'
    marks = "".join(f"<li>{escape(mark)}</li>" for mark in h.marks(hint))
    blocks = "".join(_block(telling, hint, edition) for edition in hint.spans)
    body = f'<ul class="marks">{marks}</ul><p>{escape(hint.why)}</p><div class="beside">{blocks}</div>'
    return f'<article id="hint-{number}">{title}{body}</article>'


def _block(telling: t.Telling, hint: Hint, edition: str) -> str:
    again = ' class="again"' if edition in hint.editions else ""
    cited = f'<bdi class="cited" dir="ltr">{escape(h.cited(hint, edition))}</bdi>'
    lines = "".join(_line(each, hint, edition) for each in h.quoted(telling, hint, edition))
    quoted = f"<blockquote{flow(edition)}>{lines}</blockquote>" if lines else ""
    head = f"<p><b><bdi>{escape(edition)}</bdi></b> {cited}</p>"
    return f'<div{again} data-edition="{escape(edition)}" dir="{direction(edition)}">{head}{quoted}</div>'


def _line(quoted: Quoted, hint: Hint, edition: str) -> str:
    number = f'<bdi class="line" dir="ltr">{quoted.document} {quoted.line}</bdi>'
    return f"<p>{number} <bdi>{_marked(quoted.words, hint, edition)}</bdi></p>"


def _marked(line: str, hint: Hint, edition: str) -> str:
    """A line in which the words that tell the hint are marked."""
    words = sorted(hint.words[edition], key=len, reverse=True)
    wanted = "|".join(re.escape(word).replace("е", "[её]") for word in words)
    if not wanted:
        return escape(line)
    parts = re.split(rf"(?<!\w)({wanted})(?!\w)", line, flags=re.IGNORECASE)
    return "".join(f"<mark>{escape(part)}</mark>" if at % 2 else escape(part) for at, part in enumerate(parts))
