"""Origin of each clause of an edition: its own text, another text, a ruling, a convention."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ludex.grammar import syntax as s

from ..model import ClauseInfo, Origin
from .clauses import Stated, stated
from .headers import FileHeader

# ---- what a clause rests on ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Footing:
    """The footing of a clause: its authority, and the clause that states it.

    Attributes:
        holder: the path of the clause that states it: itself, or the nearest around it.
        authority: that clause's authority; empty if there is none.
    """

    holder: str
    authority: s.Authority


def footings(declarations: tuple[s.Declaration, ...], headers: Mapping[str, FileHeader]) -> dict[str, Footing]:
    """Every clause that rests on something, or on nothing at all, by path. A clause that is made of clauses, of which
    some have an authority, is left out. headers: of the files, by name."""
    found = {clause.path: clause for clause in stated(declarations)}
    carried = {above for clause in found.values() if clause.authority for above in _above(clause, found)}
    return {
        path: _footing(clause, found, carried, headers) for path, clause in found.items() if _stands(clause, carried)
    }


def _stands(clause: Stated, carried: set[str]) -> bool:
    return bool(clause.authority) or clause.path not in carried


def _footing(
    clause: Stated, found: Mapping[str, Stated], carried: set[str], headers: Mapping[str, FileHeader]
) -> Footing:
    around = [clause.path, *_above(clause, found)]
    for path in around:
        if found[path].authority:
            return Footing(path, found[path].authority)
    header = headers.get(clause.node.span.file)
    convention = (header.convention,) if header and header.convention else ()
    holder = [path for path in around if path not in carried][-1]
    return Footing(holder, s.Authority(clause.authority.span, (), convention))


def _above(clause: Stated, found: Mapping[str, Stated]) -> Iterator[str]:
    """The paths of the clauses around this one, the nearest first."""
    above = clause.parent
    while above is not None:
        yield above
        above = found[above].parent


# ---- where it comes from ------------------------------------------------------------------------------------------


def with_origins(
    clauses: Mapping[str, ClauseInfo],
    footings: Mapping[str, Footing],
    text: str | None,
    shared: Collection[s.Reason],
) -> dict[str, ClauseInfo]:
    """The clauses of an edition, each with its origin: the lines that it rests on tell the text. text: the one that is
    played; None for a game that has only one. shared: the conventions of whole files."""

    def told(clause: ClauseInfo) -> ClauseInfo:
        footing = footings.get(clause.path)
        if footing is None or footing.holder != clause.path:
            return clause
        origin = _origin(footing.authority, text, shared)
        documents = [citation.document for citation in footing.authority.citations]
        if text is None or not documents:
            return replace(clause, origin=origin)
        return replace(clause, origin=origin, stated_by=text if text in documents else documents[0])

    return {path: told(clause) for path, clause in clauses.items()}


def _origin(authority: s.Authority, text: str | None, shared: Collection[s.Reason]) -> Origin:
    if authority.citations:
        own = text is None or any(citation.document == text for citation in authority.citations)
        return Origin.OWN if own else Origin.BORROWED
    for reason in authority.reasons[:1]:
        if text is None or reason not in shared:
            return Origin.RULED if reason.kind == "ruling" else Origin.CONVENTION
    return Origin.OWN if text is None else Origin.SHARED


# ---- in sum -----------------------------------------------------------------------------------------------------
