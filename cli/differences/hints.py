"""The words in which hints are told: places to read again, which are no findings."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.spec import Hint

from ..books import Quoted
from ..report import plural
from . import telling as t

TITLE = "Places to read again"
MEANING = "Here the clauses agree, and the words of the lines that they rest on do not. These are hints, no findings."


def count_words(telling: t.Telling) -> str:
    """`9 places to read again (hints, no findings), without the text of he`"""
    without = f", without the text of {' and '.join(telling.beside.left_out)}" if telling.beside.left_out else ""
    return f"{plural(len(telling.hints or ()), 'place')} to read again (hints, no findings){without}"


def marks(hint: Hint) -> list[str]:
    """Of what sort it is, and which texts it sends the reader to."""
    return [hint.kind, f"read {' and '.join(hint.editions)} again"]


def told_words(hint: Hint, edition: str) -> str:
    """The words of one edition that tell it."""
    return ", ".join(hint.words[edition]) or "no such word"


def cited(hint: Hint, edition: str) -> str:
    """`[ru 120-124, 130]`"""
    by_document: dict[str, list[tuple[int, int]]] = {}
    for tag, first, last in hint.spans[edition]:
        by_document.setdefault(tag, []).append((first, last))
    return " ".join(f"[{tag} {t.spans_text(tuple(spans))}]" for tag, spans in by_document.items())


def quoted(telling: t.Telling, hint: Hint, edition: str) -> list[Quoted]:
    """What the book says there, the first lines of it if they are many."""
    return telling.quoted(cited(hint, edition))


def places(hint: Hint) -> Iterator[tuple[str, str, int, int]]:
    """Each span with its edition, those to be read again first."""
    for edition in sorted(hint.spans, key=lambda name: name not in hint.editions):
        yield from ((edition, *span) for span in hint.spans[edition])


def of_clause(telling: t.Telling, clause: str) -> list[int]:
    """The numbers of the hints about a clause, from 1."""
    return [number for number, hint in enumerate(telling.hints or (), start=1) if hint.clause == clause]
