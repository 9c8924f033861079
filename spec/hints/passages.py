"""Which lines of which texts stand side by side: the cited lines of clauses on which editions agree.

Editions cite more or less finely: one gives a paragraph for what another gives as a line. So each clause has two
passages: its own, the lines that it cites, and a wide one, with what stands next to them and what the clauses cite that
share lines with it. Something is missing in a text only if it is nowhere in the wide one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from ludex.grammar import syntax as s

from ..clauses import Stated
from ..model import ClauseKind
from .reading import Line, Reader
from .said import said, words_of

Spans = tuple[tuple[str, int, int], ...]
"""The document, the first and the last line of each span that is cited."""
NOT_COMPARED = ("example", "term", "text", "silent")
MOST_LINES = 400
"""A clause that cites more is a whole chapter; a wrong citation may name millions of lines."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """One clause in the editions that state it alike.

    Attributes:
        clause: its path in the first of them.
        stated: by edition; at least two.
    """

    clause: str
    kind: ClauseKind
    stated: Mapping[str, Stated]

    @property
    def spans(self) -> Mapping[str, Spans]:
        """What each edition cites for it."""
        return {name: spans(clause) for name, clause in self.stated.items()}


def agreed(texts: Mapping[str, s.Module]) -> tuple[Agreed, ...]:
    """The clauses that texts say alike, each once for every group of them, in the order of the first."""
    clauses = {name: said(module.declarations) for name, module in texts.items()}
    found: list[Agreed] = []
    for path in dict.fromkeys(path for stated in clauses.values() for path in stated):
        groups: dict[Hashable, dict[str, Stated]] = {}
        for name, stated in clauses.items():
            if path in stated and stated[path].kind not in NOT_COMPARED:
                clause = stated[path]
                groups.setdefault((clause.kind, words_of(clause)), {})[name] = clause
        several = [group for group in groups.values() if len(group) > 1]
        found += (Agreed(path, next(iter(group.values())).kind, group) for group in several)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Passages:
    """The lines of each clause of each edition.

    Attributes:
        clauses: by edition and path.
        citing: by edition and line, the clauses that cite it.
        inside: by edition and path, the clauses inside a clause.
        partners: by edition and path, the clauses of other editions that say the same.
    """

    reader: Reader
    clauses: Mapping[str, Mapping[str, Stated]]
    citing: Mapping[str, Mapping[Line, Sequence[Stated]]]
    inside: Mapping[tuple[str, str], Sequence[Stated]]
    partners: Mapping[tuple[str, str], Mapping[str, Stated]]
    _own: dict[tuple[str, str], tuple[Line, ...]] = field(default_factory=dict, repr=False, compare=False)
    _wide: dict[tuple[str, str], frozenset[Line]] = field(default_factory=dict, repr=False, compare=False)

    def own(self, edition: str, clause: Stated) -> tuple[Line, ...]:
        """The lines that a clause cites, as far as they are at hand."""
        key = edition, clause.path
        if key not in self._own:
            self._own[key] = tuple(line for line in cited(clause) if self.reader.has(line))
        return self._own[key]

    def wide(self, edition: str, clause: Stated) -> frozenset[Line]:
        """What counts as said around a clause."""
        key = edition, clause.path
        if key not in self._wide:
            self._wide[key] = frozenset(self._around(edition, clause))
        return self._wide[key]

    def is_direct(self, edition: str, clause: Stated) -> bool:
        """Whether the clause rests on its lines alone, and they are cited for what it says by itself, not for the
        clauses inside it."""
        if is_ruled(clause):
            return False
        return bool(getattr(clause.node, "authority", None)) or (edition, clause.path) not in self.inside

    def _around(self, edition: str, clause: Stated) -> Iterator[Line]:
        own = self.own(edition, clause)
        yield from own
        for document, number in own:
            yield from (line for line in ((document, number - 1), (document, number + 1)) if self._is_of(edition, line))
            for other in self.citing[edition].get((document, number), ()):
                yield from self.own(edition, other)
        for inner in self.inside.get((edition, clause.path), ()):
            yield from self.own(edition, inner)
        above = self.clauses[edition].get(clause.parent or "")
        if above is not None and getattr(above.node, "authority", None):
            yield from self.own(edition, above)

    def may_hold(self, edition: str, line: Line) -> bool:
        """Whether the line is at hand and may be the edition's."""
        return self.reader.has(line) and self._is_of(edition, line)

    def _is_of(self, edition: str, line: Line) -> bool:
        """Whether the line may be the edition's: only others cite it where two take turns in one document."""
        theirs = any(line in lines for name, lines in self.citing.items() if name != edition)
        return line in self.citing[edition] or not theirs


def passages(texts: Mapping[str, s.Module], found: Sequence[Agreed], reader: Reader) -> Passages:
    """The passages of some editions. found: what they say alike."""
    clauses = {name: said(module.declarations) for name, module in texts.items()}
    citing: dict[str, dict[Line, list[Stated]]] = {name: {} for name in clauses}
    inside: dict[tuple[str, str], list[Stated]] = {}
    for name, stated in clauses.items():
        for clause in stated.values():
            if clause.parent is not None:
                inside.setdefault((name, clause.parent), []).append(clause)
            for line in cited(clause):
                citing[name].setdefault(line, []).append(clause)
    partners: dict[tuple[str, str], dict[str, Stated]] = {}
    for each in found:
        for name, clause in each.stated.items():
            others = {other: partner for other, partner in each.stated.items() if other != name}
            partners.setdefault((name, clause.path), {}).update(others)
    return Passages(reader, clauses, citing, inside, partners)


def spans_of(authority: s.Authority) -> Spans:
    return tuple((each.document, first, last) for each in authority.citations for first, last in each.lines)


def spans(clause: Stated) -> Spans:
    """Those that a clause cites."""
    return spans_of(clause.authority)


def lines_of(spans: Spans) -> tuple[Line, ...]:
    """The lines of some spans, each once, whether they are at hand or not."""
    lines = ((document, number) for document, first, last in spans for number in _range(first, last))
    return tuple(dict.fromkeys(lines))


def is_ruled(clause: Stated) -> bool:
    """Whether it is the house's decision; then its text is silent."""
    return any(reason.kind == "ruling" for reason in clause.authority.reasons)


def cited(clause: Stated) -> tuple[Line, ...]:
    return lines_of(spans(clause))


def _range(first: int, last: int) -> range:
    return range(first, min(last, first + MOST_LINES) + 1)


# ---- what a clause says by itself -------------------------------------------------------------------------------

INSIDE = (s.Clause, s.Require, s.ValueArm, s.StepArm, s.ValueException, s.StepException, s.Criterion)
"""Clauses of their own inside a clause."""


def nodes(clause: Stated) -> Iterator[s.Node]:
    """The nodes of a clause, without those of clauses inside it; a type's bounds are none of the text's."""
    waiting: list[object] = [clause.node]
    while waiting:
        node = waiting.pop()
        match node:
            case tuple():
                waiting.extend(reversed(node))
            case s.Authority() | s.RangeType():
                continue
            case s.Node() if node is clause.node or not isinstance(node, INSIDE):
                yield node
                waiting.extend(getattr(node, each.name) for each in reversed(fields(node)))
