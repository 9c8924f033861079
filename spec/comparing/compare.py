"""Editions of one game, clause by clause: where they agree, and where they part.

said -> aligned -> one row a clause -> divergences and agreements
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ludex.grammar import syntax as s

from ..model import ClauseKind
from .align import Alignment, align
from .forms import Form
from .kinds import Kind, common_clauses, kind_of, without_clauses
from .said import Said, said

COMPARED: frozenset[ClauseKind] = frozenset({
    "fact", "define", "note", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "example",
    "term", "setup", "play", "action",
})  # fmt: skip
"""What a text states of the game. Types, zones and states are how a transcriber writes it down; forks are where he doubts."""
CONTAINERS: frozenset[ClauseKind] = frozenset({"setup", "play", "action"})
NOTHING: Form = ("nothing",)


@dataclass(frozen=True, slots=True)
class Row:
    """One clause in all editions compared.

    Attributes:
        clause: its path, in the first edition that states it.
        statements: by edition, None where it is silent.
    """

    clause: str
    statements: Mapping[str, Said | None]

    @property
    def stated(self) -> dict[str, Said]:
        return {name: clause for name, clause in self.statements.items() if clause is not None}

    @property
    def silent(self) -> tuple[str, ...]:
        return tuple(name for name, clause in self.statements.items() if clause is None)


@dataclass(frozen=True, slots=True)
class Divergence:
    """Editions that do not say the same.

    Attributes:
        id: from the clause and what is said of it; the same as long as neither changes.
        groups: the editions that say one thing, side by side; those that are silent are the last group.
        odd: the one edition that stands alone against several that agree; no group is called right.
        internal: a text and a summary of its own contradict each other.
        under: clauses inside of one that an edition lacks as a whole; they are no findings of their own.
    """

    id: str
    row: Row
    kind: Kind
    groups: tuple[tuple[str, ...], ...]
    odd: str | None
    internal: bool
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes:
        divergences: in the order of the texts.
        agreements: rows of which every edition that speaks says the same, and at least two speak.
        ends_early: by edition whose text stops before the others': the divergence that holds what it leaves out.
    """

    editions: tuple[str, ...]
    divergences: tuple[Divergence, ...]
    agreements: tuple[Row, ...]


def compare(texts: Mapping[str, s.Module], constants: frozenset[str] = frozenset()) -> Comparison:
    """Compare the editions of a game, by name. constants: the words and rows that the game file names."""
    clauses = {name: _compared(module) for name, module in texts.items()}
    alignment = align(clauses)
    rows = [*_rows(clauses, alignment)]
    told = [found for row in rows if (found := _divergence(row, alignment, constants)) is not None]
    parted = {found.row.clause for found in told}
    agreements = tuple(row for row in rows if row.clause not in parted and len(row.stated) > 1)
    return Comparison(tuple(texts), tuple(_gathered(told)), agreements)


def _compared(module: s.Module) -> dict[str, Said]:
    return {path: clause for path, clause in said(module.declarations).items() if clause.kind in COMPARED}


# ---- rows -------------------------------------------------------------------------------------------------------


def _rows(clauses: Mapping[str, Mapping[str, Said]], alignment: Alignment) -> Iterator[Row]:
    """In the order of the first text; what only a later one says stands behind the nearest before it there."""
    order: list[str] = []
    for name, stated in clauses.items():
        at = 0
        for path in stated:
            row = alignment.row_of[name, path]
            if row in order:
                at = order.index(row) + 1
            else:
                order.insert(at, row)
                at += 1
    for row in order:
        yield Row(row, {name: clauses[name].get(alignment.path_in[row].get(name, "")) for name in clauses})


def _divergence(row: Row, alignment: Alignment, constants: frozenset[str]) -> Divergence | None:
    forms = _forms(row)
    by_form: dict[Form, list[str]] = {}
    for name, form in forms.items():
        by_form.setdefault(form, []).append(name)
    moved = alignment.moved.get(row.clause)
    stated = tuple(tuple(names) for names in by_form.values())
    groups = (*stated, row.silent) if row.silent else stated
    if len(groups) < 2 and moved is None:
        return None
    if len(by_form) > 1:
        kind = _kind(row, list(by_form), constants)
    elif moved is not None:
        kind = "timing"
        groups = moved
    elif next(iter(row.stated.values())).kind in CONTAINERS and next(iter(by_form)) == NOTHING:
        return None
    else:
        kind = "extra" if len(row.stated) == 1 and len(row.statements) > 2 else "missing"
    return Divergence(_id(row, forms), row, kind, groups, _odd(groups), _internal(groups))


def _forms(row: Row) -> dict[str, Form]:
    """What each edition says in the clause by itself; of the clauses inside it only the order of common ones counts."""
    stated = row.stated
    kept = common_clauses([clause.form for clause in stated.values()]) if len(stated) > 1 else frozenset[str]()
    return {name: without_clauses(clause.form, kept) for name, clause in stated.items()}


def _kind(row: Row, forms: Sequence[Form], constants: frozenset[str]) -> Kind:
    match next(iter(row.stated.values())).kind:
        case "example":
            return "example"
        case "term":
            return "term"
        case _:
            return kind_of(forms[0], forms[1], constants)


def _odd(groups: Sequence[tuple[str, ...]]) -> str | None:
    alone = [names[0] for names in groups if len(names) == 1]
    return alone[0] if len(groups) == 2 and len(alone) == 1 and sum(map(len, groups)) > 2 else None


def _internal(groups: Sequence[tuple[str, ...]]) -> bool:
    """Whether a text stands in one group and a summary of its own (`ru.margin` of `ru`) in another."""
    where = {name: at for at, names in enumerate(groups) for name in names}
    return any(
        name.partition(".")[0] in where and where[name.partition(".")[0]] != at
        for name, at in where.items()
        if "." in name
    )


def _id(row: Row, forms: Mapping[str, Form]) -> str:
    told = repr((row.clause, sorted((name, repr(form)) for name, form in forms.items())))
    return sha256(told.encode()).hexdigest()[:8]


# ---- what an edition lacks as a whole ---------------------------------------------------------------------------


def _gathered(found: Iterable[Divergence]) -> Iterator[Divergence]:
    """A clause that an edition lacks takes along the clauses inside it that the same editions lack."""
    waiting: list[Divergence] = []
    for each in found:
        above = next((w for w in reversed(waiting) if _is_inside(each, w)), None)
        if above is None:
            waiting.append(each)
        else:
            at = waiting.index(above)
            waiting[at] = replace(above, under=(*above.under, each.row.clause))
    yield from waiting


def _is_inside(inner: Divergence, outer: Divergence) -> bool:
    return (
        {inner.kind, outer.kind} <= {"missing", "extra"}
        and inner.row.clause.startswith(f"{outer.row.clause}.")
        and inner.row.silent == outer.row.silent
    )
