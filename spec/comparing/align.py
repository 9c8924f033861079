"""Which clause of one edition is which of another: by path, and where a path is not shared, by what is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .forms import Form
from .said import Said

TELLING = 6
"""So many parts a form needs for two clauses of other names to be taken for one: less is said in many places."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Rows of a table with a column for each edition; a row is named after the path in the first edition that has it.

    Attributes:
        row_of: by edition and path.
        path_in: by row and edition.
        moved: rows whose clause stands under another parent in some editions: the editions by parent.
    """

    row_of: Mapping[tuple[str, str], str]
    path_in: Mapping[str, Mapping[str, str]]
    moved: Mapping[str, tuple[tuple[str, ...], ...]]


def align(clauses: Mapping[str, Mapping[str, Said]]) -> Alignment:
    """Align the clauses of some editions, by edition and path. Linear in their number: clauses without a counterpart are
    looked up by what they say, never compared two by two."""
    everywhere = {path for stated in clauses.values() for path in stated}
    shared = {path for path in everywhere if sum(path in stated for stated in clauses.values()) == len(clauses)}
    row_of: dict[tuple[str, str], str] = {}
    known: dict[tuple[str, Form], list[tuple[str, str]]] = {}
    for name, stated in clauses.items():
        unique = _unique(stated, shared)
        for path, clause in stated.items():
            row_of[name, path] = path
            key = (clause.kind, clause.form)
            if path in shared or key not in unique:
                continue
            partners = [p for p in known.get(key, ()) if p[1] != path and path not in clauses[p[0]]]
            if partners and not any(partners[0][1] in other for other in (stated,)):
                row_of[name, path] = row_of[partners[0]]
            known.setdefault(key, []).append((name, path))
    path_in: dict[str, dict[str, str]] = {}
    for (name, path), row in row_of.items():
        path_in.setdefault(row, {})[name] = path
    return Alignment(row_of, path_in, dict(_moved(path_in, clauses)))


def _unique(stated: Mapping[str, Said], shared: set[str]) -> set[tuple[str, Form]]:
    """What is said once in an edition and tells much: by that a clause of another name can be known."""
    count: dict[tuple[str, Form], int] = {}
    for path, clause in stated.items():
        if path not in shared and weight(clause.form) >= TELLING:
            key = (clause.kind, clause.form)
            count[key] = count.get(key, 0) + 1
    return {key for key, times in count.items() if times == 1}


def weight(form: Form) -> int:
    """How many words and numbers a form is made of."""
    return sum(map(weight, form)) if isinstance(form, tuple) else 1


def _moved(
    path_in: Mapping[str, Mapping[str, str]], clauses: Mapping[str, Mapping[str, Said]]
) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    for row, paths in path_in.items():
        by_parent: dict[str | None, list[str]] = {}
        for name, path in paths.items():
            by_parent.setdefault(clauses[name][path].parent, []).append(name)
        if len(by_parent) > 1:
            yield row, tuple(tuple(names) for names in by_parent.values())
