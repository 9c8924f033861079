"""The possible view: the known part of a play that may be in several states, as JSON, and candidates for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ..information.visibility import HIDDEN_JSON
from ..state.contents import Ticket
from ..state.pools import PoolEntry, entries_of
from .belief import Belief
from .unknown_values import OneOf, kinds_in, unknowns_in


@dataclass(frozen=True, slots=True)
class MayHold:
    """The candidates for the unknown contents of a place.

    Attributes:
        counts: how many pieces are not known; of a state 1.
        values: everything that one of them may be.
    """

    element: m.Element
    indices: tuple[t.Value, ...]
    counts: tuple[int, ...]
    values: tuple[t.Value, ...]


@dataclass(frozen=True, slots=True)
class PossibleView:
    """The known part of a play, and candidates for the rest.

    Attributes:
        held: by element the content of its cells, as an observation has it, with `HIDDEN_JSON` for what is not known. A
            place for several pieces that holds one number of them or another has as few as possible.
        may_hold: of each place that is not known what it may hold. Pieces that nobody has seen are left out.
    """

    held: dict[str, Any]
    may_hold: tuple[MayHold, ...]


def possible_view(belief: Belief) -> PossibleView:
    """Describe a belief place by place. It does not say which contents of several places belong together."""
    held: dict[str, Any] = {}
    open_places: list[MayHold] = []
    for element in belief.engine.game.elements:
        cells: dict[str, Any] = {}
        for cell, (text, indices) in enumerate(
            belief.engine.reference.rules.cells_of[element.name], start=element.offset
        ):
            describe = _zone if element.is_zone else _state
            cells[text], may_hold = describe(belief, element, indices, cell)
            open_places += [may_hold] if may_hold.values else []
        held[element.name] = cells if element.indices else cells[""]
    return PossibleView(held, tuple(open_places))


def _state(belief: Belief, element: m.Element, indices: tuple[t.Value, ...], cell: int) -> tuple[Any, MayHold]:
    values = dict.fromkeys(
        value
        for state in belief.references
        for value in (state.cells[cell].candidates if isinstance(state.cells[cell], OneOf) else (state.cells[cell],))
    )
    is_known = len(values) == 1 and not unknowns_in(tuple(values))
    shown = to_json(element.type, next(iter(values))) if is_known else HIDDEN_JSON
    # A collection with unknown items in it has no list of what it may be.
    candidates = () if is_known or unknowns_in(tuple(values)) else tuple(values)
    return shown, MayHold(element, indices, (1,), candidates)


def _zone(belief: Belief, element: m.Element, indices: tuple[t.Value, ...], cell: int) -> tuple[Any, MayHold]:
    every = [entries_of(state.cells[cell]) for state in belief.references]
    counts = sorted({len(entries) for entries in every})
    sure = _sure(element, every, counts[0])
    kinds = set[t.Value]()
    for state, entries in zip(belief.references, every, strict=True):
        # What nobody has seen, nobody can know.
        rest = [entry for entry in _without(element, entries, sure) if type(entry) is not Ticket or not _hides(element)]
        kinds |= kinds_in(state.pools, rest)
    known = sum(entry is not None for entry in sure)
    shown = [HIDDEN_JSON if entry is None else to_json(element.type, entry) for entry in sure]
    # A place that may be empty or not is not known, either.
    single = shown[0] if shown else HIDDEN_JSON if counts[-1] else None
    content = shown if element.kind in ("pile", "bag") else single
    may_hold = MayHold(element, indices, tuple(count - known for count in counts), tuple(sorted(kinds)))
    return content, may_hold


def _hides(element: m.Element) -> bool:
    return element.visibility == "hidden"


def _sure(element: m.Element, every: Sequence[tuple[PoolEntry, ...]], count: int) -> list[PoolEntry | None]:
    """Return as many entries as there are in every state, with None for those that are not known."""
    if element.kind == "bag":
        common = Counter(every[0])
        for entries in every[1:]:
            common &= Counter(entries)
        known = [entry for entry in sorted(common.elements(), key=_last_unknown) if _is_known(entry)]
        return [*known, *[None] * (count - len(known))]
    # A pile is compared from its bottom, where pieces stay while others come and go on top.
    columns = zip(*(entries[:count] for entries in every), strict=True)
    return [column[0] if len(set(column)) == 1 and _is_known(column[0]) else None for column in columns]


def _without(element: m.Element, entries: tuple[PoolEntry, ...], sure: Sequence[PoolEntry | None]) -> list[PoolEntry]:
    if element.kind == "bag":
        return list((Counter(entries) - Counter(sure)).elements())
    return [entry for at, entry in enumerate(entries) if at >= len(sure) or sure[at] is None]


def _is_known(entry: PoolEntry) -> bool:
    return not isinstance(entry, Ticket | OneOf)


def _last_unknown(entry: PoolEntry) -> Any:
    return (0, entry) if _is_known(entry) else (1, 0)
