"""Editions of one game, clause by clause: where they agree, and where they part.

modules -> what each says -> aligned -> one row a clause -> divergences and agreements
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import syntax as s

from ..model import ClauseKind
from ..silences import silences
from .align import Alignment, align
from .divergences import Divergence, divergence, kind_between, own_forms, silence
from .gathering import gathered
from .kinds import labels
from .names import Form, Shared, shared_by
from .rows import Row, rows_of, with_marks
from .said import Said, said

COMPARED: frozenset[ClauseKind] = frozenset({
    "fact", "define", "note", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "example",
    "term", "setup", "play", "action",
})  # fmt: skip
"""What a text states of the game. Types, zones, states and options are how a transcriber writes it down; forks are
where he doubts."""
NOTHING: Form = ("nothing",)


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
    marked = {name: silences(module) for name, module in texts.items()}
    rows = tuple(with_marks(row, marked) for row in rows_of(clauses, alignment))
    told = [found for row in rows if (found := _divergence(row, alignment)) is not None]
    parted = {found.row.clause for found in told}
    agreements = tuple(row for row in rows if row.clause not in parted and len(row.stated) > 1)
    return Comparison(tuple(texts), tuple(gathered(told, rows, tuple(texts))), agreements)


def _compared(module: s.Module, shared: Shared) -> dict[str, Said]:
    return {path: clause for path, clause in said(module.declarations, shared).items() if clause.kind in COMPARED}


def _divergence(row: Row, alignment: Alignment) -> Divergence | None:
    groups = tuple(_groups(row, alignment).values())
    moved = alignment.moved.get(row.clause)
    if len(groups) > 1:
        return divergence(row, groups, kind_between(row, groups))
    if moved is not None:
        return divergence(row, moved, "timing")
    return divergence(row, groups, silence(row)) if row.silent and _is_missed(row, alignment) else None


def _groups(row: Row, alignment: Alignment) -> dict[Form, tuple[str, ...]]:
    """The editions by what they say. One that says in other clauses what another says here goes with it."""
    found: dict[Form, tuple[str, ...]] = {}
    for name, form in own_forms(row).items():
        alike = (known for known, names in found.items() if alignment.shared_out(row.clause, names[0], name))
        group = form if form in found else next(alike, form)
        found[group] = (*found.get(group, ()), name)
    return found


def _is_missed(row: Row, alignment: Alignment) -> bool:
    """Whether silence says something: not of a word in another language, of what holds nothing but other clauses, or of
    what the silent editions say in clauses of other names."""
    if row.kind == "term":
        return False
    holds_others = any(True for clause in row.stated.values() for _ in labels(clause.form))
    if holds_others and set(own_forms(row).values()) == {NOTHING}:
        return False
    name = next(iter(row.stated))
    return not all(alignment.shared_out(row.clause, name, silent) for silent in row.silent)
