"""Origin of each clause of an edition: its own text, another text, a ruling, a convention."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ludex.grammar import syntax as s

from ..model import ClauseInfo, Origin
from .clauses import Stated, stated
from .headers import FileHeader

# ---- footings ---------------------------------------------------------------------------------------


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
    """Return the footing of each clause, by path.

    A clause without an authority is left out if a clause inside it has one, since it is then only a container.
    headers: the headers of the files, by name."""
    clauses = {clause.path: clause for clause in stated(declarations)}
    containers = {above for clause in clauses.values() if clause.authority for above in _above(clause, clauses)}
    return {
        path: _footing(clause, clauses, containers, headers)
        for path, clause in clauses.items()
        if clause.authority or path not in containers
    }


def _footing(
    clause: Stated, clauses: Mapping[str, Stated], containers: set[str], headers: Mapping[str, FileHeader]
) -> Footing:
    around = [clause.path, *_above(clause, clauses)]
    for path in around:
        if clauses[path].authority:
            return Footing(path, clauses[path].authority)
    header = headers.get(clause.node.span.file)
    convention = (header.convention,) if header and header.convention else ()
    holder = [path for path in around if path not in containers][-1]
    return Footing(holder, s.Authority(clause.authority.span, (), convention))


def _above(clause: Stated, clauses: Mapping[str, Stated]) -> Iterator[str]:
    """Yield the paths of the clauses around this one, the nearest first."""
    above = clause.parent
    while above is not None:
        yield above
        above = clauses[above].parent


# ---- origins ------------------------------------------------------------------------------------------


def with_origins(
    clauses: Mapping[str, ClauseInfo],
    footings: Mapping[str, Footing],
    text: str | None,
    shared: Collection[s.Reason],
) -> dict[str, ClauseInfo]:
    """Return the clauses of an edition with their origins, which follow from the documents that they cite.

    text: the siglum of the edition's text; None for a game of one text. shared: the conventions in headers of files."""

    def with_origin(clause: ClauseInfo) -> ClauseInfo:
        footing = footings.get(clause.path)
        if footing is None or footing.holder != clause.path:
            return clause
        origin = _origin(footing.authority, text, shared)
        documents = [citation.document for citation in footing.authority.citations]
        if text is None or not documents:
            return replace(clause, origin=origin)
        return replace(clause, origin=origin, stated_by=text if text in documents else documents[0])

    return {path: with_origin(clause) for path, clause in clauses.items()}


def _origin(authority: s.Authority, text: str | None, shared: Collection[s.Reason]) -> Origin:
    if authority.citations:
        own = text is None or any(citation.document == text for citation in authority.citations)
        return Origin.OWN if own else Origin.BORROWED
    for reason in authority.reasons[:1]:
        if text is None or reason not in shared:
            return Origin.RULED if reason.kind == "ruling" else Origin.CONVENTION
    return Origin.OWN if text is None else Origin.SHARED
