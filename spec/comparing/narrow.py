"""A part of a comparison: what is asked for by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from .compare import Comparison
from .divergences import Divergence
from .rows import Row


def narrowed(comparison: Comparison, clauses: Collection[str]) -> Comparison:
    """Only the rows of some clauses and of all inside them, by any edition's name; a finding that takes a clause along
    counts as one of it."""
    return replace(
        comparison,
        divergences=tuple(each for each in comparison.divergences if _any_inside(_paths(each), clauses)),
        agreements=tuple(row for row in comparison.agreements if _any_inside(_row_paths(row), clauses)),
    )


def compared_paths(comparison: Comparison) -> frozenset[str]:
    """Every name by which `narrowed` finds something: those of the clauses, and of what they stand in."""
    rows = (_row_paths(row) for row in comparison.agreements)
    paths = {path for each in (*map(_paths, comparison.divergences), *rows) for path in each}
    return frozenset(prefix for path in paths for prefix in _prefixes(path))


def _paths(divergence: Divergence) -> Iterator[str]:
    yield from _row_paths(divergence.row)
    yield from divergence.under


def _row_paths(row: Row) -> Iterator[str]:
    yield row.clause
    yield from (clause.path for clause in row.stated.values())
    for other in row.together:
        yield from _row_paths(other)


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts) + 1))


def _any_inside(paths: Iterator[str], clauses: Collection[str]) -> bool:
    return any(is_inside(path, clauses) for path in paths)


def is_inside(path: str, clauses: Collection[str]) -> bool:
    """Whether a path is that of one of the clauses, or of one inside it."""
    return any(path == name or path.startswith(f"{name}.") for name in clauses)
