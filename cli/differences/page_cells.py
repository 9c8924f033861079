"""What each edition says of a clause, in the page of `ludex diff`: its words, and the rule as it was written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import groupby

from ludex.grammar import Citation
from ludex.spec import Divergence, formal

from ..books import Quoted
from . import telling as t
from .direction import direction, flow

MOST_MARKED = 0.6
"""If more of a rule than this differs, nothing is marked: then all of it is another rule."""
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def cell(telling: t.Telling, divergence: Divergence, edition: str, letter: str) -> str:
    """One edition's column of a row."""
    clause = divergence.row.statements[edition]
    alone = ' <span class="odd" lang="en" dir="ltr">stands alone</span>' if divergence.odd == edition else ""
    if clause is None:
        silent = f'<span class="silent" lang="en" dir="ltr">{_silence(divergence, edition)}</span>'
        inside = f"{silent}{alone}{_near(telling, edition, divergence.row.near.get(edition, ()))}"
    else:
        same = "editions with one letter say the same"
        badge = f'<span class="letter letter-{letter.lower()}" title="{same}">{letter}</span>'
        cited = f'<p class="cited"><bdi lang="en" dir="ltr">{escape(t.rests_on(clause))}</bdi></p>'
        words = _quoted(telling, edition, clause.authority.citations)
        inside = f"{badge}{alone}{words}{_rule(divergence, edition)}{cited}"
    return f'<td data-edition="{escape(edition)}" dir="{direction(edition)}"><div class="cell">{inside}</div></td>'


def _silence(divergence: Divergence, edition: str) -> str:
    """That it says nothing; and with whom that comes to the same, if it does."""
    (mine,) = (group for group in divergence.groups if edition in group)
    alike = [name for name in mine if divergence.row.statements[name] is not None]
    return f"says nothing, which comes to the same as {escape(', '.join(alike))}" if alike else "says nothing"


def _near(telling: t.Telling, edition: str, cited: Sequence[Citation]) -> str:
    """Where a silent edition would state the clause, and what stands there instead."""
    if not cited:
        return ""
    place = f'<p class="cited"><bdi lang="en" dir="ltr">{escape(t.would_stand(cited))}</bdi></p>'
    return f"{place}{_quoted(telling, edition, cited)}"


# ---- the book's words -------------------------------------------------------------------------------------------


def _quoted(telling: t.Telling, edition: str, cited: Iterable[Citation]) -> str:
    """The book's words; lines that follow each other are one paragraph, with their numbers before it."""
    lines = enumerate(telling.words(cited))
    together = (tuple(line for _, line in run) for _, run in groupby(lines, lambda each: _run(*each)))
    paragraphs = "".join(map(_paragraph, together))
    return f"<blockquote{flow(edition)}>{paragraphs}</blockquote>" if paragraphs else ""


def _run(at: int, line: Quoted) -> tuple[str, int]:
    """The same for lines that follow each other."""
    return line.document, line.line - at


def _paragraph(lines: Sequence[Quoted]) -> str:
    first, last = lines[0].line, lines[-1].line
    number = f"{lines[0].document} {t.spans_text(((first, last),))}"
    words = escape(" ".join(line.words for line in lines))
    return f'<p><bdi class="line" dir="ltr">{number}</bdi> <bdi>{words}</bdi></p>'


# ---- the rule as it was written down ----------------------------------------------------------------------------


def _rule(divergence: Divergence, edition: str) -> str:
    clause, others = divergence.row.statements[edition], _others(divergence, edition)
    assert clause is not None
    text = formal(clause)
    return f'<pre dir="ltr" lang="en">{marked(text, others[0]) if others else escape(text)}</pre>'


def _others(divergence: Divergence, edition: str) -> list[str]:
    """The rules of those that say something else."""
    statements: Mapping[str, object] = divergence.row.statements
    others = (group for group in divergence.groups if edition not in group)
    speaking = (next((name for name in group if statements[name] is not None), None) for group in others)
    found = (divergence.row.statements[name] for name in speaking if name is not None)
    return [formal(clause) for clause in found if clause is not None]


def marked(text: str, other: str) -> str:
    """A text with the words marked that another does not have, if most of it is the same."""
    mine, theirs = _TOKEN.findall(text), _TOKEN.findall(other)
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    if matcher.ratio() < 1 - MOST_MARKED:
        return escape(text)
    told = ""
    for kind, first, last, _, _ in matcher.get_opcodes():
        part = "".join(mine[first:last])
        told += escape(part) if kind == "equal" else re.sub(r"\S(.*\S)?", _mark, part)
    return told


def _mark(found: re.Match[str]) -> str:
    """Line by line, without the white space around."""
    return f"<mark>{escape(found[0])}</mark>"
