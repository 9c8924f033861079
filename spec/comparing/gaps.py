"""Stretches of a text of which an edition says nothing at all: it ends before them, or leaves out a section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from .divergences import Gap
from .rows import Row

AT_END = 5
INSIDE = 8
"""So many clauses one behind the other are a stretch: at the end of a text, and between what an edition does cover."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A clause of a text and the first of its lines."""

    line: int
    document: str
    row: Row


def gaps(rows: Sequence[Row], editions: Sequence[str]) -> Mapping[tuple[str, str], Gap]:
    """By edition and clause: the stretch that the edition leaves out and in which the clause stands."""
    found: dict[tuple[str, str], Gap] = {}
    for name in editions:
        fullest = _fullest(name, rows, editions)
        if fullest is not None:
            for gap, inside in _gaps_of(name, fullest, rows, editions):
                found |= {(name, placed.row.clause): gap for placed in inside}
    return found


def _fullest(name: str, rows: Sequence[Row], editions: Sequence[str]) -> str | None:
    """The edition that says most of what this one does not."""
    return max(
        (other for other in editions if other != name),
        key=lambda other: sum(other in row.stated and name not in row.stated for row in rows),
        default=None,
    )


def _gaps_of(
    name: str, fullest: str, rows: Sequence[Row], editions: Sequence[str]
) -> Iterator[tuple[Gap, list[_Placed]]]:
    placed = sorted(_in_text(fullest, rows), key=lambda each: each.line)
    is_summary = name.rpartition(".")[0] in editions
    runs = [(speaks, [*run]) for speaks, run in groupby(placed, key=lambda each: name in each.row.stated)]
    for at, (speaks, run) in enumerate(runs):
        at_end = at == len(runs) - 1 and not is_summary
        if not speaks and len(run) >= (AT_END if at_end else INSIDE):
            lines = run[0].line, run[-1].line
            yield Gap((name,), fullest, run[0].document, lines, at_end), run


def _in_text(name: str, rows: Iterable[Row]) -> Iterator[_Placed]:
    """The clauses of an edition that cite lines."""
    for row in rows:
        clause = row.statements[name]
        first = (
            min(
                ((lines[0], each.document) for each in clause.authority.citations for lines in each.lines), default=None
            )
            if clause
            else None
        )
        if first is not None:
            yield _Placed(*first, row)
