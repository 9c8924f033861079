"""Joining of possible states: fewer states that cover all of the given ones, so that a belief stays small.

States are alike if their frames are at the same places and every zone holds as many pieces. Of alike states, one covers
all: a value that differs becomes one of those that it is in them. Pieces that differ become tickets of a pool that
holds them all, so that each copy still lies in one place only. What is forgotten is which pieces lay together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ..reference.run import Rules
from ..stack.places import keeping
from ..stack.state import DECLINED, Frame, StackState
from ..state.contents import DrawnTicket, Ticket
from ..state.pools import PoolEntry, arranged, entries_of
from .unknown_values import OneOf, one_of

Pieces: TypeAlias = Counter[t.Value]
Differing: TypeAlias = dict[int, list[tuple[PoolEntry, ...]]]
"""The entries that differ, by cell and for each state. Those of a pile are in their order, with None for equal ones."""


def joined_states(rules: Rules, states: Sequence[StackState], most: int) -> tuple[StackState, ...]:
    """Return states that cover the given ones, at most so many if that is possible.

    First only states are joined that hold the same pieces in the same places.
    """
    # Joining loses which pieces lay together, so pieces are joined only if there are still too many states.
    for with_pieces in (False, True):
        if len(states) <= most:
            break
        alike = defaultdict[Any, list[StackState]](list)
        for state in states:
            alike[_shape(rules, state, with_pieces)].append(state)
        states = [each for group in alike.values() for each in _joined(rules, group)]
    return tuple(states)


# ---- which states are alike


def _shape(rules: Rules, state: StackState, with_pieces: bool) -> Any:
    """Return the properties that states must share to be joined."""
    frames = tuple(
        (
            frame.routine,
            frame.at,
            # Slot 0 says who acts, and so who is to move.
            frame.slots[0],
            tuple(_form(held) for held in frame.slots[1:]),
            tuple(
                tuple(_chosen_form(choice) for choice in kept) if isinstance(step, m.Simultaneous) else _pattern(kept)
                for step, kept in _kept(rules, state, frame)
            ),
        )
        for frame in state.frames
    )
    zones = [
        _size(element, state.cells[cell]) if with_pieces else state.cells[cell]
        for element in rules.game.elements
        if element.is_zone
        for cell in range(element.offset, element.offset + element.count)
    ]
    # A ticket names its pool by number. So where zones are compared entry by entry, the pools have to be equal.
    return (frames, *zones) if with_pieces else (frames, state.pools, *zones)


def _kept(rules: Rules, state: StackState, frame: Frame) -> Iterator[tuple[m.Step | None, Any]]:
    """Yield the stored values of a frame, each with its statement."""
    steps = keeping(rules.routines[frame.routine], frame.at, frame is state.frames[-1])
    yield from zip(steps if len(steps) == len(frame.kept) else [None] * len(frame.kept), frame.kept, strict=True)


def _chosen_form(choice: Any) -> Any:
    return choice if choice in (None, DECLINED) else (choice[0], tuple(_form(value) for value in choice[1]))


def _form(held: Any) -> Any:
    """Return the properties that values of a slot must share."""
    if isinstance(held, tuple):
        return type(held), *map(_pattern, held)
    return "nothing" if held is None else "something"


def _pattern(kept: Any) -> Any:
    """Return what is kept, with the same sign for everything unknown."""
    if isinstance(kept, OneOf):
        return OneOf
    if isinstance(kept, tuple) and not isinstance(kept, Ticket):
        return type(kept), *map(_pattern, kept)
    return kept


def _size(element: m.Element, held: t.Value) -> Any:
    """Return how many pieces a zone holds, and which nobody has seen: drawing one of those is an event."""
    unseen = [type(entry) is Ticket for entry in entries_of(held)]
    return (len(unseen), sum(unseen)) if element.kind == "bag" else tuple(unseen)


# ---- one state that covers all


def _joined(rules: Rules, states: Sequence[StackState]) -> Iterator[StackState]:
    """Yield the states that cover alike ones: one, unless the pieces that differ are not the same altogether."""
    if len(states) == 1:
        yield states[0]
        return
    zones = [(element, cell) for element in rules.game.elements if element.is_zone for cell in _cells(element)]
    differing, dirty = _differing(zones, states)
    owners = _types_of_pools(zones, states)
    pieces = [_pieces(zones, state, at, differing, dirty, owners[at]) for at, state in enumerate(states)]
    groups = defaultdict[Any, list[StackState]](list)
    # These are joined as unknown values and not as tickets: a pool has to hold the same pieces in all states.
    made = {of for each in pieces for of, held in each.items() if _is_made(held) or held != pieces[0].get(of)}
    made -= {str(element.type) for element, cell in zones if _has_tickets(differing.get(cell, ()))}
    for state, each in zip(states, pieces, strict=True):
        # The pieces of a type that some state has and another has not can only be joined where none is a ticket.
        key = tuple(sorted((of, *sorted(held.items(), key=repr)) for of, held in each.items() if of not in made))
        groups[key].append(state)
    # They are joined group by group, since none of them covers the others.
    if len(groups) > 1:
        for group in groups.values():
            yield from _joined(rules, group)
        return
    if any(_is_made(held) for of, held in pieces[0].items() if of not in made):
        yield from states  # a pool holds no unknown values
        return
    cells = list(states[0].cells)
    for element in rules.game.elements:
        if not element.is_zone:
            for cell in _cells(element):
                cells[cell] = _one_of(state.cells[cell] for state in states)
    pools: list[tuple[PoolEntry, ...]] = [() if at in dirty else pool for at, pool in enumerate(states[0].pools)]
    numbers: dict[str, int] = {}
    for element, cell in zones:
        if cell not in differing:
            continue
        of = str(element.type)
        if of not in made and of not in numbers:
            numbers[of] = len(pools)
            pools.append(arranged(pieces[0].get(of, Counter()).elements()))
        cells[cell] = _covering(element, cells[cell], differing[cell], None if of in made else numbers[of])
    frames = tuple(_frame(states, at) for at in range(len(states[0].frames)))
    yield StackState(tuple(cells), tuple(pools), frames)


def _cells(element: m.Element) -> range:
    return range(element.offset, element.offset + element.count)


def _differing(zones: Sequence[tuple[m.Element, int]], states: Sequence[StackState]) -> tuple[Differing, set[int]]:
    """Return the entries that differ, and the numbers of the pools whose tickets count as different."""
    most = max(len(state.pools) for state in states)
    # Slices, so that a pool that some state does not have differs, too.
    dirty = {at for at in range(most) if len({state.pools[at : at + 1] for state in states}) > 1}
    nested = [
        {at, entry.pool}
        for state in states
        for at, pool in enumerate(state.pools)
        for entry in set(pool)
        if isinstance(entry, Ticket)
    ]
    # Pools whose tickets differ make more entries differ, and these make more pools differ, until nothing changes.
    while True:
        while any(both & dirty and not both <= dirty for both in nested):
            dirty.update(*(both for both in nested if both & dirty))
        differing: Differing = {}
        for element, cell in zones:
            held = [entries_of(state.cells[cell]) for state in states]
            apart = _apart(element, held, dirty)
            if apart is not None:
                differing[cell] = apart
        apart_pools = {
            entry.pool
            for apart in differing.values()
            for entries in apart
            for entry in entries
            if isinstance(entry, Ticket)
        }
        if apart_pools <= dirty:
            return differing, dirty
        dirty |= apart_pools


def _apart(
    element: m.Element, held: Sequence[tuple[PoolEntry, ...]], dirty: set[int]
) -> list[tuple[PoolEntry, ...]] | None:
    """Return for each state the entries of a zone that differ; None if none do."""

    def is_clean(entry: PoolEntry) -> bool:
        return not (isinstance(entry, Ticket) and entry.pool in dirty)

    if all(entries == held[0] for entries in held[1:]) and all(map(is_clean, held[0])):
        return None
    if element.kind != "bag":
        alike = [len(set(column)) == 1 and is_clean(column[0]) for column in zip(*held, strict=True)]
        return [tuple(None if same else entry for same, entry in zip(alike, entries, strict=True)) for entries in held]
    # A bag has no order, so common entries are alike at any index.
    common = Counter(filter(is_clean, held[0]))
    for entries in held[1:]:
        common &= Counter(entries)
    return [tuple((Counter(entries) - common).elements()) for entries in held]


def _types_of_pools(zones: Sequence[tuple[m.Element, int]], states: Sequence[StackState]) -> list[dict[int, str]]:
    """Return for each state the type of the pieces of each pool."""
    by_state = []
    for state in states:
        types: dict[int, str] = {}
        waiting = [
            (str(element.type), entry) for element, cell in zones for entry in set(entries_of(state.cells[cell]))
        ]
        while waiting:
            of, entry = waiting.pop()
            if isinstance(entry, Ticket) and entry.pool not in types:
                types[entry.pool] = of
                waiting += [(of, inner) for inner in set(state.pools[entry.pool])]
        by_state.append(types)
    return by_state


def _pieces(
    zones: Sequence[tuple[m.Element, int]],
    state: StackState,
    at: int,
    differing: Differing,
    dirty: set[int],
    owners: dict[int, str],
) -> dict[str, Pieces]:
    """Return by type the pieces of a state that are not where those of the others are."""
    pieces = defaultdict[str, Pieces](Counter)
    for element, cell in zones:
        if cell in differing:
            entries = differing[cell][at]
            pieces[str(element.type)].update(
                entry for entry in entries if entry is not None and not isinstance(entry, Ticket)
            )
    for number in dirty & owners.keys():
        pieces[owners[number]].update(entry for entry in state.pools[number] if not isinstance(entry, Ticket))
    return dict(pieces)


def _is_made(pieces: Pieces) -> bool:
    """Return whether some of the pieces are unknown values, which were put into a zone."""
    return any(isinstance(piece, OneOf) for piece in pieces)


def _has_tickets(apart: Iterable[tuple[PoolEntry, ...]]) -> bool:
    return any(isinstance(entry, Ticket) for entries in apart for entry in entries)


def _covering(element: m.Element, held: t.Value, apart: list[tuple[PoolEntry, ...]], pool: int | None) -> t.Value:
    """Return the entries of a zone that cover those of all states: with tickets, or with unknown values."""
    if element.kind == "bag":
        open_entries: list[PoolEntry]
        if pool is None:
            values = [entry for entries in apart for entry in entries]
            open_entries = [_one_of(values) for _ in apart[0]]
        else:
            open_entries = [_ticket(entry, pool) for entry in apart[0]]
        return arranged((*(Counter(entries_of(held)) - Counter(apart[0])).elements(), *open_entries))
    entries = tuple(
        entry if column[0] is None else (_one_of(column) if pool is None else _ticket(entry, pool))
        for entry, column in zip(entries_of(held), zip(*apart, strict=True), strict=True)
    )
    return entries if element.kind == "pile" else entries[0]


def _ticket(entry: PoolEntry, pool: int) -> PoolEntry:
    # What nobody has seen stays unseen, since to draw it is an event.
    return Ticket(pool) if type(entry) is Ticket else DrawnTicket(pool)


# ---- values


def _frame(states: Sequence[StackState], at: int) -> Frame:
    frames = [state.frames[at] for state in states]
    slots = _covering_values([frame.slots for frame in frames])
    return frames[0]._replace(slots=slots, kept=_covering_values([frame.kept for frame in frames]))


def _covering_values(values: Sequence[Any]) -> Any:
    """Return a value that covers values of one form."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, tuple):
        return type(first)(_covering_values(column) for column in zip(*values, strict=True))
    return _one_of(values)


def _one_of(values: Iterable[t.Value]) -> t.Value:
    """Return a value that is one of these."""
    held = tuple(dict.fromkeys(values))
    if len(held) == 1:
        return held[0]
    # Candidates of candidates are listed flat, since a candidate is always a known value.
    return one_of(kind for each in held for kind in (each.candidates if isinstance(each, OneOf) else (each,)))
