"""Where the clauses of a game come from, as one edition plays it: its own text, another's, a ruling, a convention.

What a clause rests on is judged in the file that states it, before the files are merged: there stand the clauses around
it from which it may inherit its authority.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ludex.grammar import syntax as s

from .clauses import Layer, Stated, stated
from .model import ClauseInfo, Origin

NO_RULES = frozenset({"note", "example", "term", "silent"})
"""Kinds of clauses that do not touch play."""


# ---- what a clause of one file rests on -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Footing:
    """What a clause of a file rests on.

    Attributes:
        holder: the path of the clause that says so: itself, or the nearest around it.
        authority: that one's; empty if nothing is said anywhere.
    """

    holder: str
    authority: s.Authority


def footings(declarations: tuple[s.Declaration, ...], layers: Mapping[str, Layer]) -> dict[str, Footing]:
    """Every clause that rests on something, or on nothing at all, by path. A clause that is made of clauses, of which
    some have an authority, is left out. layers: by file, with the convention of each."""
    found = {clause.path: clause for clause in stated(declarations)}
    carried = {above for clause in found.values() if clause.authority for above in _above(clause, found)}
    return {
        path: _footing(clause, found, carried, layers) for path, clause in found.items() if _stands(clause, carried)
    }


def _stands(clause: Stated, carried: set[str]) -> bool:
    return bool(clause.authority) or clause.path not in carried


def _footing(clause: Stated, found: Mapping[str, Stated], carried: set[str], layers: Mapping[str, Layer]) -> Footing:
    around = [clause.path, *_above(clause, found)]
    for path in around:
        if found[path].authority:
            return Footing(path, found[path].authority)
    layer = layers.get(clause.node.span.file)
    convention = (layer.convention,) if layer and layer.convention else ()
    holder = [path for path in around if path not in carried][-1]
    return Footing(holder, s.Authority(clause.authority.span, (), convention))


def _above(clause: Stated, found: Mapping[str, Stated]) -> Iterator[str]:
    """The paths of the clauses around this one, the nearest first."""
    above = clause.parent
    while above is not None:
        yield above
        above = found[above].parent


# ---- where it comes from in the merged game ---------------------------------------------------------------------


def with_origins(
    clauses: Mapping[str, ClauseInfo], files: Mapping[str, Mapping[str, Footing]], edition: str | None, game: str
) -> dict[str, ClauseInfo]:
    """The clauses of a merged game, each with its origin. files: what the clauses of each file rest on. edition: the
    one that is played; None for a game without editions. game: the layer of the shared file."""

    def told(clause: ClauseInfo) -> ClauseInfo:
        footing = files.get(clause.span.file, {}).get(clause.path)
        if footing is None:
            return clause
        origin = _origin(footing.authority, clause.layer, edition, game)
        if footing.holder == clause.path:
            return replace(clause, origin=origin)
        holder = clauses.get(footing.holder)
        if holder and holder.span.file == clause.span.file:
            return clause
        return replace(clause, origin=origin, authority=footing.authority)  # what said so for it stayed behind

    return {path: told(clause) for path, clause in clauses.items()}


def _origin(authority: s.Authority, layer: str, edition: str | None, game: str) -> Origin:
    reasons = () if authority.citations else authority.reasons
    if reasons and reasons[0].kind == "ruling":
        return Origin.RULED
    if edition is not None and layer == game:
        return Origin.SHARED
    if reasons:
        return Origin.CONVENTION
    return Origin.OWN if layer in (edition, game) else Origin.BORROWED


# ---- where it comes from in a text with an apparatus ------------------------------------------------------------


def with_texts(
    clauses: Mapping[str, ClauseInfo], footings: Mapping[str, Footing], text: str, shared: Collection[s.Reason]
) -> dict[str, ClauseInfo]:
    """The clauses of a game as one of its texts has it, each with its origin: the lines that it rests on tell the text.
    shared: the conventions of whole files."""

    def told(clause: ClauseInfo) -> ClauseInfo:
        footing = footings.get(clause.path)
        if footing is None:
            return clause
        documents = [citation.document for citation in footing.authority.citations]
        reasons = footing.authority.reasons
        if documents:
            own = text in documents
            origin = Origin.OWN if own else Origin.BORROWED
            return replace(clause, origin=origin, layer=text if own else documents[0], borrowed=not own)
        if reasons and reasons[0] not in shared:
            return replace(clause, origin=Origin.RULED if reasons[0].kind == "ruling" else Origin.CONVENTION)
        return replace(clause, origin=Origin.SHARED)

    return {
        path: told(clause) if path in footings and footings[path].holder == path else clause
        for path, clause in clauses.items()
    }


# ---- in sum -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Account:
    """The clauses of a game as one edition plays it that touch play: those that rest on something by themselves."""

    clauses: tuple[ClauseInfo, ...]

    @classmethod
    def of(cls, clauses: Iterable[ClauseInfo]) -> Account:
        return cls(tuple(clause for clause in clauses if clause.origin and clause.kind not in NO_RULES))

    @cached_property
    def counts(self) -> Mapping[Origin, int]:
        """How many there are of each origin, in the order of `Origin`."""
        counted = Counter(clause.origin for clause in self.clauses)
        return {origin: counted[origin] for origin in Origin}

    @cached_property
    def lenders(self) -> Mapping[str, int]:
        """How many clauses are borrowed from which edition, the greatest lender first."""
        return dict(Counter(clause.layer for clause in self.borrowed).most_common())

    @property
    def borrowed(self) -> tuple[ClauseInfo, ...]:
        return self._of(Origin.BORROWED)

    @property
    def ruled(self) -> tuple[ClauseInfo, ...]:
        return self._of(Origin.RULED)

    def _of(self, origin: Origin) -> tuple[ClauseInfo, ...]:
        return tuple(clause for clause in self.clauses if clause.origin is origin)
