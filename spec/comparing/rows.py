"""The table of a comparison: one row a clause, one column an edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ludex.grammar import Citation

from ..model import ClauseKind
from ..silences import near
from .align import Alignment
from .said import Said

Cited: TypeAlias = tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One clause in all editions compared.

    Attributes:
        clause: its path, in the first edition that states it.
        statements: by edition; None where it is silent.
        near: of silent editions that mark where they would state it: those lines.
        together: rows that say the same only together with this one, as it does with them.
    """

    clause: str
    statements: Mapping[str, Said | None]
    near: Mapping[str, Cited] = field(default_factory=dict)
    together: tuple[Row, ...] = ()

    @property
    def stated(self) -> dict[str, Said]:
        """The editions that speak, in order."""
        return {name: clause for name, clause in self.statements.items() if clause is not None}

    @property
    def silent(self) -> tuple[str, ...]:
        """The editions that do not speak, in order."""
        return tuple(name for name, clause in self.statements.items() if clause is None)

    def citations(self, edition: str) -> Cited:
        """The lines of an edition on which it rests, with those that say the same together with it; each once."""
        stated = (row.statements[edition] for row in (self, *self.together))
        cited = (each for clause in stated if clause is not None for each in clause.authority.citations)
        return tuple({(each.document, each.lines): each for each in cited}.values())

    @property
    def kind(self) -> ClauseKind:
        """What the first edition that speaks makes of it."""
        return next(iter(self.stated.values())).kind


def rows_of(clauses: Mapping[str, Mapping[str, Said]], alignment: Alignment) -> Iterator[Row]:
    """In the order of the first text; what only a later one says stands behind what stands before it there."""
    following: dict[str | None, list[str]] = {}
    placed: set[str] = set()
    for name, stated in clauses.items():
        last: str | None = None
        for path in stated:
            row = alignment.row_of[name, path]
            if row not in placed:
                placed.add(row)
                following.setdefault(last, []).append(row)
            last = row
    for row in _in_order(following):
        yield Row(row, {name: clauses[name].get(alignment.path_in[row].get(name, "")) for name in clauses})


def with_marks(row: Row, marked: Mapping[str, Mapping[str, Cited]], under: Sequence[str] = ()) -> Row:
    """With the lines near which the silent editions would state it, by whatever name it goes in the others; else those
    of the clauses that it takes along. marked: by edition and path (`silences`)."""
    paths = dict.fromkeys((row.clause, *(clause.path for clause in row.stated.values())))
    found = {name: _near(paths, under, marked[name]) for name in row.silent}
    return replace(row, near={name: lines for name, lines in found.items() if lines})


def _near(paths: Iterable[str], under: Iterable[str], marked: Mapping[str, Cited]) -> Cited:
    own = next(filter(None, (near(path, marked) for path in paths)), ())
    return own or tuple(cited for path in under for cited in marked.get(path, ()))


def _in_order(following: Mapping[str | None, Sequence[str]]) -> Iterator[str]:
    """A tree of what stands behind what, as a list; of several behind one the later text's stands nearer."""
    waiting = list(following.get(None, ()))
    while waiting:
        row = waiting.pop()
        yield row
        waiting += following.get(row, ())
