"""Editions of one game, clause by clause: where they agree, and where they part.

modules -> what each says -> aligned -> one row a clause -> divergences and agreements
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ludex.grammar import syntax as s

from ..model import ClauseKind
from .align import Alignment, align
from .kinds import Kind, common_clauses, kind_of, labels, without_clauses, without_flow
from .names import Form, Shared, shared_by
from .said import Said, said

COMPARED: frozenset[ClauseKind] = frozenset({
    "fact", "define", "note", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "example",
    "term", "setup", "play", "action",
})  # fmt: skip
"""What a text states of the game. Types, zones, states and options are how a transcriber writes it down; forks are
where he doubts."""
NOTHING: Form = ("nothing",)
EARLY = 5
"""An edition ends early if it leaves out so many clauses in a row at the end of another's text."""


@dataclass(frozen=True, slots=True)
class Row:
    """One clause in all editions compared.

    Attributes:
        clause: its path, in the first edition that states it.
        statements: by edition; None where it is silent.
    """

    clause: str
    statements: Mapping[str, Said | None]

    @property
    def stated(self) -> dict[str, Said]:
        """The editions that speak, in order."""
        return {name: clause for name, clause in self.statements.items() if clause is not None}

    @property
    def silent(self) -> tuple[str, ...]:
        return tuple(name for name, clause in self.statements.items() if clause is None)

    @property
    def kind(self) -> ClauseKind:
        return next(iter(self.stated.values())).kind


@dataclass(frozen=True, slots=True)
class Divergence:
    """Editions that do not say the same.

    Attributes:
        id: from the clause and what is said of it; the same as long as neither changes.
        groups: the editions that say one thing, side by side; those that are silent are the last group.
        odd: the one edition that stands alone against several that agree; no group is called right.
        internal: a text and a summary of its own contradict each other.
        under: clauses inside of one that the same editions lack; they are no findings of their own.
        early: of a clause that is missing because an edition's text ends before it: that edition.
    """

    id: str
    row: Row
    kind: Kind
    groups: tuple[tuple[str, ...], ...]
    odd: str | None
    internal: bool
    under: tuple[str, ...] = ()
    early: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes:
        divergences: in the order of the texts.
        agreements: rows in which at least two editions speak, and all that speak say the same.
    """

    editions: tuple[str, ...]
    divergences: tuple[Divergence, ...]
    agreements: tuple[Row, ...]


def compare(texts: Mapping[str, s.Module], shared: s.Module | None = None) -> Comparison:
    """Compare the editions of a game, by name. shared: the game file, whose words and rows are values like numbers."""
    words = shared_by(shared)
    clauses = {name: _compared(module, words) for name, module in texts.items()}
    alignment = align(clauses)
    rows = tuple(_rows(clauses, alignment))
    told = [found for row in rows if (found := _divergence(row, alignment, words.words)) is not None]
    parted = {found.row.clause for found in told}
    agreements = tuple(row for row in rows if row.clause not in parted and len(row.stated) > 1)
    return Comparison(tuple(texts), tuple(_gathered(_with_early_ends(told, rows, tuple(texts)))), agreements)


def _compared(module: s.Module, shared: Shared) -> dict[str, Said]:
    return {path: clause for path, clause in said(module.declarations, shared).items() if clause.kind in COMPARED}


# ---- rows -------------------------------------------------------------------------------------------------------


def _rows(clauses: Mapping[str, Mapping[str, Said]], alignment: Alignment) -> Iterator[Row]:
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


def _in_order(following: Mapping[str | None, Sequence[str]]) -> Iterator[str]:
    """A tree of what stands behind what, as a list; of several behind one the later text's stands nearer."""
    waiting = list(following.get(None, ()))
    while waiting:
        row = waiting.pop()
        yield row
        waiting += following.get(row, ())


def _divergence(row: Row, alignment: Alignment, constants: frozenset[str]) -> Divergence | None:
    stated = _groups(row, alignment)
    moved = alignment.moved.get(row.clause)
    if len(stated) > 1:
        kind, groups = _kind(row, stated, constants), tuple(stated.values())
    elif moved is not None:
        kind, groups = "timing", moved
    elif row.silent and _is_missed(row, alignment):
        kind, groups = "extra" if _is_extra(row) else "missing", tuple(stated.values())
    else:
        return None
    internal = _internal(groups)  # who says nothing contradicts nobody
    if row.silent:
        groups = (*groups, row.silent)
    return Divergence(_id(row), row, kind, groups, _odd(groups), internal)


def _groups(row: Row, alignment: Alignment) -> dict[Form, tuple[str, ...]]:
    """The editions by what they say. One that says in other clauses what another says here goes with it."""
    found: dict[Form, tuple[str, ...]] = {}
    for name, form in _forms(row).items():
        alike = (known for known, names in found.items() if alignment.shared_out(row.clause, names[0], name))
        group = form if form in found else next(alike, form)
        found[group] = (*found.get(group, ()), name)
    return found


def _forms(row: Row) -> dict[str, Form]:
    """What each edition says in the clause by itself. Of the clauses inside it only the order of common ones counts;
    and where one text says nothing of the flow around them (who in what order, how often), it does not deny it."""
    stated = row.stated
    kept = common_clauses([clause.form for clause in stated.values()]) if len(stated) > 1 else frozenset[str]()
    forms = {name: without_clauses(clause.form, kept) for name, clause in stated.items()}
    bare = {name: without_flow(form) for name, form in forms.items()}
    return bare if any(bare[name] == form for name, form in forms.items()) else forms


def _is_missed(row: Row, alignment: Alignment) -> bool:
    """Whether silence says something: not of a word in another language, of what holds nothing but other clauses, or of
    what the silent editions say in clauses of other names."""
    if row.kind == "term":
        return False
    holds_others = any(True for clause in row.stated.values() for _ in labels(clause.form))
    if holds_others and set(_forms(row).values()) == {NOTHING}:
        return False
    name = next(iter(row.stated))
    return not all(alignment.shared_out(row.clause, name, silent) for silent in row.silent)


def _is_extra(row: Row) -> bool:
    """Only one of several speaks, or only a text that was not named first."""
    names = list(row.statements)
    return len(row.stated) == 1 and (len(names) > 2 or names[0] not in row.stated)


def _kind(row: Row, groups: Mapping[Form, tuple[str, ...]], constants: frozenset[str]) -> Kind:
    match row.kind:
        case "example":
            return "example"
        case "term":
            return "term"
        case _:
            one, other, *_ = groups
            return kind_of(one, other, constants)


def _odd(groups: Sequence[tuple[str, ...]]) -> str | None:
    alone = [names[0] for names in groups if len(names) == 1]
    return alone[0] if len(groups) == 2 and len(alone) == 1 and sum(map(len, groups)) > 2 else None


def _internal(groups: Sequence[tuple[str, ...]]) -> bool:
    """Whether a text stands in one group and a summary of its own (`ru.margin` of `ru`) in another."""
    where = {name: at for at, names in enumerate(groups) for name in names}
    wholes = ((name, name.rpartition(".")[0]) for name in where)
    return any(whole in where and where[whole] != where[name] for name, whole in wholes if whole)


def _id(row: Row) -> str:
    told = repr((row.clause, sorted((name, repr(clause.form)) for name, clause in row.stated.items()), row.silent))
    return sha256(told.encode()).hexdigest()[:8]


# ---- what an edition lacks as a whole ---------------------------------------------------------------------------


def _with_early_ends(found: Sequence[Divergence], rows: Sequence[Row], editions: Sequence[str]) -> Iterator[Divergence]:
    """Of each edition whose text stops before another's does, the clauses that it lacks behind its end say so."""
    ends = {name: _behind_the_end(name, rows, editions) for name in editions}
    for each in found:
        early = next((name for name in each.row.silent if each.row.clause in ends[name]), None)
        yield replace(each, early=early) if early and each.kind in ("missing", "extra") else each


def _behind_the_end(name: str, rows: Sequence[Row], editions: Sequence[str]) -> frozenset[str]:
    """The clauses of the fullest other text behind the last of its lines of which this edition speaks too."""
    fullest = max(
        (other for other in editions if other != name),
        key=lambda other: sum(other in row.stated and name not in row.stated for row in rows),
        default=None,
    )
    if fullest is None:
        return frozenset()
    placed = [(line, row) for row in rows if (line := _first_line(row.statements[fullest])) is not None]
    last = max((line for line, row in placed if name in row.stated), default=0)
    behind = [row.clause for line, row in placed if line > last]
    return frozenset(behind) if len(behind) >= EARLY else frozenset()


def _first_line(clause: Said | None) -> int | None:
    if clause is None:
        return None
    return min((first for citation in clause.authority.citations for first, _ in citation.lines), default=None)


def _gathered(found: Iterable[Divergence]) -> Iterator[Divergence]:
    """A clause that editions lack takes along the clauses inside it that the same ones lack, and the first of those
    behind an early end all others there."""
    kept: list[Divergence] = []
    above: dict[tuple[str, tuple[str, ...]], int] = {}
    early: dict[str, int] = {}
    for each in found:
        at = _place_above(each, above, early)
        if at is not None:
            kept[at] = replace(kept[at], under=(*kept[at].under, each.row.clause))
            continue
        if each.kind in ("missing", "extra"):
            above[each.row.clause, each.row.silent] = len(kept)
        if each.early:
            early[each.early] = len(kept)
        kept.append(each)
    yield from kept


def _place_above(
    each: Divergence, above: Mapping[tuple[str, tuple[str, ...]], int], early: Mapping[str, int]
) -> int | None:
    if each.kind not in ("missing", "extra"):
        return None
    if each.early is not None and each.early in early:
        return early[each.early]
    parts = each.row.clause.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
    return next((above[prefix, each.row.silent] for prefix in prefixes if (prefix, each.row.silent) in above), None)
