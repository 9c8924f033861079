"""Listing of one edition of a game as a single spec: each row has its clause and that clause's origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludex.grammar import Citation, Span, declaration_rows, declared_functions, header_rows
from ludex.grammar import syntax as s

from ..loading.game_text import GameText
from ..loading.stages import DeclaredEdition
from ..model import NO_RULES, ClauseInfo, ClauseKind, Origin
from ..text import Stated, stated

DeclarationKinds = tuple[type[s.Declaration], ...]

SECTIONS: tuple[tuple[str, DeclarationKinds], ...] = (
    ("what is chosen before play", (s.ForkDeclaration, s.OptionDeclaration)),
    ("what there is", (s.TypeDeclaration, s.ComponentDeclaration, s.ZoneDeclaration, s.StateDeclaration)),
    ("facts, and what is computed", (s.ValueDeclaration, s.WindowDeclaration, s.RefillDeclaration)),
    ("the course of the game", (s.SetupDeclaration, s.PlayDeclaration, s.ActionDeclaration)),
    ("points and the winner", (s.ScoreDeclaration, s.WinnerDeclaration)),
)
"""The sections of a listing, in order. Notes, invariants, examples and terms do not affect play."""


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A row of the listing of an edition.

    Attributes:
        text: the row in the canonical layout.
        path: the innermost clause with an authority of its own that the row belongs to; None for a row outside any
            clause, such as the head of a block, a heading or a blank row.
        origin, stated_by: the origin of the row, and the text that states it; None for a blank row or a heading.
        citations: those in the row.
    """

    text: str
    path: str | None = None
    origin: Origin | None = None
    stated_by: str | None = None
    citations: tuple[Citation, ...] = ()


def listing_rows(text: GameText, declared: DeclaredEdition) -> Iterator[ListingRow]:
    """Yield the rows of the whole game in the canonical layout: its header, then its declarations in sections."""
    yield from (ListingRow(row.text, citations=row.citations) for row in header_rows(_header(text)))
    functions = frozenset().union(*(declared_functions(file.module) for file in text.files))
    rows = _Rows(text, declared, functions)
    for title, kinds in SECTIONS:
        nodes = [node for node in declared.declarations if isinstance(node, kinds)]
        nodes.sort(key=lambda node: next(n for n, kind in enumerate(kinds) if isinstance(node, kind)))
        if nodes:
            yield from (ListingRow(""), ListingRow(f"# ---- {title}"))
        yield from _spaced([(node, list(rows.of(node))) for node in nodes])


def _spaced(declarations: Iterable[tuple[s.Declaration, list[ListingRow]]]) -> Iterator[ListingRow]:
    """Yield the rows with a blank row above each declaration, except between one-line declarations of one kind."""
    before = None
    for node, rows in declarations:
        kind = (type(node), getattr(node, "kind", "")) if len(rows) == 1 else None
        if kind is None or kind != before:
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
    declared: DeclaredEdition
    functions: frozenset[str]

    def of(self, node: s.Declaration) -> Iterator[ListingRow]:
        within = tuple(stated((node,)))
        parents = {clause.path: clause.parent for clause in within}
        for row in declaration_rows(node, self.functions):
            clause = _innermost(within, row.place)
            info = self._attributed(clause, parents)
            if info is not None:
                yield ListingRow(row.text, info.path, info.origin, info.stated_by, row.citations)
            elif clause is None or clause.node.span != row.place:
                origin = Origin.SHARED if self.text.names else Origin.OWN
                yield ListingRow(row.text, None, origin, self.text.name, row.citations)
            else:
                yield ListingRow(row.text, citations=row.citations)

    def _attributed(self, clause: Stated | None, parents: Mapping[str, str | None]) -> ClauseInfo | None:
        """Return the innermost clause, this one or one around it, that has an origin of its own."""
        path = clause.path if clause else None
        while path is not None:
            info = self.declared.clauses[path]
            if info.origin is not None:
                return info
            path = parents[path]
        return None


def _innermost(clauses: Iterable[Stated], span: Span) -> Stated | None:
    """Return the innermost clause that contains a place."""
    holding = (clause for clause in clauses if _holds(clause.node.span, span))
    # Spans are nested, so that the last to begin is the innermost.
    return max(holding, key=lambda clause: (clause.node.span.line, clause.node.span.column), default=None)


def _holds(span: Span, place: Span) -> bool:
    start, end = (span.line, span.column), (span.end_line, span.end_column)
    return span.file == place.file and start <= (place.line, place.column) < end


def rows_by_clause(rows: Iterable[ListingRow]) -> Mapping[str, Sequence[ListingRow]]:
    """Return the rows of each clause, by path."""
    by_path: dict[str, list[ListingRow]] = {}
    for row in rows:
        if row.path is not None:
            by_path.setdefault(row.path, []).append(row)
    return by_path


# ---- what is not in the listing ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeftOutRule:
    """A rule that is not in force, although some text of the game states it. stated_by: the first such text."""

    path: str
    kind: ClauseKind
    stated_by: str
    authority: s.Authority


def left_out(text: GameText, declared: DeclaredEdition) -> tuple[LeftOutRule, ...]:
    """Return the rules that are not in force, in the order of their paths, without the clauses inside them."""
    silent = set(declared.silent)
    by_path: dict[str, LeftOutRule] = {}
    for clause in stated(text.declarations):
        footing = text.footings.get(clause.path)
        if clause.path not in silent or clause.kind in NO_RULES or footing is None:
            continue
        # A clause inside one that is left out goes with it.
        if footing.holder == clause.path or footing.holder not in silent:
            states = next((citation.document for citation in footing.authority.citations), text.name)
            by_path.setdefault(clause.path, LeftOutRule(clause.path, clause.kind, states, footing.authority))
    return tuple(by_path[path] for path in sorted(by_path))
