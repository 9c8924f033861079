"""Listing of one edition of a game as a single spec: each row has its clause and that clause's origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ludex.grammar import Span, declaration_rows, declared_functions, format_header
from ludex.grammar import syntax as s

from ..loading.loader import GameText
from ..loading.stages import Declared
from ..model import ClauseInfo, ClauseKind, Origin
from ..text.accounts import NO_RULES
from ..text.clauses import Stated, stated

Kinds = tuple[type[s.Declaration], ...]

SECTIONS: tuple[tuple[str, Kinds], ...] = (
    ("what is chosen before play", (s.ForkDeclaration, s.OptionDeclaration)),
    ("what there is", (s.TypeDeclaration, s.ComponentDeclaration, s.ZoneDeclaration, s.StateDeclaration)),
    ("facts, and what is computed", (s.ValueDeclaration, s.WindowDeclaration, s.RefillDeclaration)),
    ("the course of the game", (s.SetupDeclaration, s.PlayDeclaration, s.ActionDeclaration)),
    ("points and the winner", (s.ScoreDeclaration, s.WinnerDeclaration)),
)
"""What is shown, in this order. Notes, examples and terms touch no play."""


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A row of the spec.

    Attributes:
        text: in the canonical layout.
        path: the clause that it belongs to, the innermost that rests on something by itself; None for a row that no
            clause states: what only holds clauses, headings, blank rows.
        origin, stated_by: where the row comes from, if it says anything.
    """

    text: str
    path: str | None = None
    origin: Origin | None = None
    stated_by: str | None = None


def listing_rows(text: GameText, declared: Declared) -> Iterator[ListingRow]:
    """The whole game, in the canonical layout: its header, then its declarations in sections."""
    yield from (ListingRow(row) for row in format_header(_header(text)).splitlines())
    functions = frozenset().union(*(declared_functions(file.module) for file in text.files))
    rows = _Rows(text, declared, functions)
    for title, kinds in SECTIONS:
        found = [node for node in declared.declarations if isinstance(node, kinds)]
        found.sort(key=lambda node: next(n for n, kind in enumerate(kinds) if isinstance(node, kind)))
        if found:
            yield from (ListingRow(""), ListingRow(f"# ---- {title}"))
        yield from _spaced([list(rows.of(node)) for node in found])


def _spaced(declarations: list[list[ListingRow]]) -> Iterator[ListingRow]:
    """A blank row above each but among neighbours of one kind that take a row each."""
    before = ""
    for rows in declarations:
        kind = rows[0].text.split()[0] if len(rows) == 1 else ""
        if not kind or kind != before:
            yield ListingRow("")
        before = kind
        yield from rows


def _header(text: GameText) -> s.Header:
    header = text.game.module.header
    assert header is not None, "a game that was read has a header"
    return header


@dataclass(frozen=True, slots=True)
class _Rows:
    text: GameText
    declared: Declared
    functions: frozenset[str]

    def of(self, node: s.Declaration) -> Iterator[ListingRow]:
        within = tuple(stated((node,)))
        parents = {clause.path: clause.parent for clause in within}
        for row in declaration_rows(node, self.functions):
            clause = _innermost(within, row.place)
            told = self._told(clause, parents)
            if told is not None:
                yield ListingRow(row.text, told.path, told.origin, told.stated_by)
            elif clause is None or clause.node.span != row.place:
                yield ListingRow(row.text, None, Origin.SHARED if self.text.names else Origin.OWN, self.text.name)
            else:
                yield ListingRow(row.text)

    def _told(self, clause: Stated | None, parents: Mapping[str, str | None]) -> ClauseInfo | None:
        """The clause, or the one around it, that rests on something by itself."""
        path = clause.path if clause else None
        while path is not None:
            info = self.declared.clauses[path]
            if info.origin is not None:
                return info
            path = parents[path]
        return None


def _innermost(clauses: Iterable[Stated], place: Span) -> Stated | None:
    """The clause that a place in a file stands in."""
    holding = (clause for clause in clauses if _holds(clause.node.span, place))
    return max(holding, key=lambda clause: (clause.node.span.line, clause.node.span.column), default=None)


def _holds(span: Span, place: Span) -> bool:
    start, end = (span.line, span.column), (span.end_line, span.end_column)
    return span.file == place.file and start <= (place.line, place.column) < end


def texts_of(rows: Iterable[ListingRow]) -> Mapping[str, str]:
    """By path, the rows that belong to each clause, as one text."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.path is not None:
            found.setdefault(row.path, []).append(row.text)
    return {path: "\n".join(texts) for path, texts in found.items()}


# ---- what does not stand in it ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A rule that some text of the game states, and that is not in force. stated_by: the first text that does."""

    path: str
    kind: ClauseKind
    stated_by: str
    authority: s.Authority


def left_out(text: GameText, declared: Declared) -> tuple[LeftOut, ...]:
    """The rules that are not in force, by path; a clause that is part of one of them is not told."""
    silent = set(declared.silent)
    found: dict[str, LeftOut] = {}
    for clause in stated(text.declarations):
        footing = text.footings.get(clause.path)
        if clause.path not in silent or clause.kind in NO_RULES or footing is None:
            continue
        if footing.holder == clause.path or footing.holder not in silent:
            states = next((citation.document for citation in footing.authority.citations), text.name)
            found.setdefault(clause.path, LeftOut(clause.path, clause.kind, states, footing.authority))
    return tuple(found[path] for path in sorted(found))
