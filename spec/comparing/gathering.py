"""Which divergences are one: what hangs under a clause that is missing, and what stands in a stretch that is left
out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from .divergences import Divergence, Gap
from .gaps import gaps
from .rows import Row


def gathered(found: Iterable[Divergence], rows: Sequence[Row], editions: Sequence[str]) -> Iterator[Divergence]:
    """A clause that editions lack takes along the clauses inside it that the same ones lack, and the first of a
    stretch that they leave out all others there."""
    kept: list[Divergence] = []
    above: dict[tuple[str, tuple[str, ...]], int] = {}
    stretches: dict[tuple[Gap, tuple[str, ...]], int] = {}
    known = gaps(rows, editions)
    for each in found:
        gap = _gap(each, known)
        at = _place(each, gap, above, stretches)
        if each.kind in ("missing", "extra"):
            above[each.row.clause, each.row.silent] = len(kept) if at is None else at
        if at is not None:
            kept[at] = _with(kept[at], each, gap)
            continue
        if gap:
            stretches[gap, each.row.silent] = len(kept)
        kept.append(each)
    yield from kept


def _gap(each: Divergence, known: Mapping[tuple[str, str], Gap]) -> Gap | None:
    if each.kind not in ("missing", "extra"):
        return None
    return next((gap for name in each.row.silent if (gap := known.get((name, each.row.clause)))), None)


def _place(
    each: Divergence,
    gap: Gap | None,
    above: Mapping[tuple[str, tuple[str, ...]], int],
    stretches: Mapping[tuple[Gap, tuple[str, ...]], int],
) -> int | None:
    if each.kind not in ("missing", "extra"):
        return None
    if gap is not None and (gap, each.row.silent) in stretches:
        return stretches[gap, each.row.silent]
    parts = each.row.clause.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
    return next((above[prefix, each.row.silent] for prefix in prefixes if (prefix, each.row.silent) in above), None)


def _with(head: Divergence, each: Divergence, gap: Gap | None) -> Divergence:
    """With one more clause under it; only where that stands in the same stretch, it is one that is left out."""
    told = replace(gap, editions=each.row.silent) if gap and head.gap is None else head.gap
    return replace(head, under=(*head.under, each.row.clause), gap=told)
