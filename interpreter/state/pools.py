"""Unknown pieces as tickets of pools, with exact probabilities.

A piece that nobody has seen is a ticket of a pool. A pool with n tickets still out holds n entries; which ticket is
which entry is uniformly random, and nothing more is known. An entry is a piece, or a ticket of another pool (a pile
with unseen pieces in it was shuffled together with others). Shuffling makes a pool of all that is shuffled. Moving a
ticket from one hidden zone to another changes nothing else. When somebody sees the piece, it is drawn from what the
pool still holds, and the pool loses one entry. So every probability is exact, and no piece is drawn before somebody can
know it.

Several routes may lead to the same piece. Where a kind is both in a pool and in a pool within it (or lies open in a bag
next to unseen pieces), the states after drawing it differ, so there are several outcomes with the same piece. They
differ by their route, the pools that the piece came through; the event then carries it as `via`. This takes a shuffle
of unseen pieces together with seen ones of the same kind, so logs hardly ever show it.

Normal form (`normalise`, at every event): pools are numbered in the order in which the state's cells first mention
them; a pool whose tickets all lie in one other pool dissolves into it; a pool that holds nothing but tickets of one
other pool is that pool. A pool of equal pieces stays a pool: whether a draw is an event must not depend on luck.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .contents import Contents, DrawnTicket, Pools, Ticket

PoolEntry: TypeAlias = t.Value
"""A piece or a Ticket."""
Route: TypeAlias = tuple[int, ...]
"""The pools a piece comes through, outermost first."""


def arranged(entries: Iterable[PoolEntry]) -> tuple[PoolEntry, ...]:
    """Sort entries into their canonical order: pieces in value order, then tickets by pool."""
    held = [*entries]
    kinds = {*map(type, held)}
    # To compute a key for each takes longer than the sorting: numbers and tickets are in order by themselves.
    if kinds == {int, Ticket}:
        pieces = [entry for entry in held if type(entry) is int]
        return *sorted(pieces), *sorted([entry for entry in held if type(entry) is Ticket])
    return tuple(sorted(held, key=None if kinds in ({int}, {Ticket}) else _rank))


def _rank(entry: PoolEntry) -> tuple[bool, int, bool]:
    # Tickets come last: whether a zone or pool holds any shows in its last entry.
    return (True, entry.pool, type(entry) is Ticket) if isinstance(entry, Ticket) else (False, entry, True)


def without(entries: Sequence[PoolEntry], entry: PoolEntry) -> tuple[PoolEntry, ...]:
    """Remove the last entry equal to the given one, and return the rest. Raises ValueError if there is none."""
    # The last is the topmost of a pile; in a bag equal entries are alike.
    at = len(entries) - 1 - entries[::-1].index(entry)
    return (*entries[:at], *entries[at + 1 :])


# ---- drawing


def routes(state: Contents, entries: Sequence[PoolEntry]) -> Iterator[tuple[t.Value, Route, Fraction]]:
    """Enumerate what an entry taken at random may be: (piece, route, probability), each (piece, route) once."""
    ways, total = weighed(state, entries)
    return ((piece, route, Fraction(count, total)) for piece, route, count in ways)


def weighed(state: Contents, entries: Sequence[PoolEntry]) -> tuple[list[tuple[t.Value, Route, int]], int]:
    """Count, for each (piece, route), the equally likely ways to it; and all ways together."""
    counted: list[tuple[t.Value, Route, int]] = []
    inside = {entry: weighed(state, state.pools[entry.pool]) for entry in set(entries) if isinstance(entry, Ticket)}
    # All entries have one denominator, so that ways are whole numbers and only the results are fractions.
    each = lcm(*(total for _, total in inside.values()))
    for entry, count in Counter(entries).items():
        if isinstance(entry, Ticket):
            below, total = inside[entry]
            by = count * (each // total)
            counted += [(piece, (entry.pool, *route), by * part) for piece, route, part in below]
        else:
            counted.append((entry, (), count * each))
    return counted, len(entries) * each


def ways_to(state: Contents, entries: Sequence[PoolEntry]) -> tuple[dict[t.Value, int], int] | None:
    """Count, for each piece, the equally likely ways to it from entries in canonical order; and all ways together.

    Returns None if a piece can come by several routes.
    """
    at = _pieces_of(entries)
    inside = [(count, ways_to(state, state.pools[pool])) for pool, count in _tickets(entries).items()]
    each = lcm(*[nested[1] for _, nested in inside if nested is not None])
    ways: dict[t.Value, int] = dict.fromkeys(entries[:at], each)
    # If there are fewer keys than pieces, some are equal, and only then are they counted.
    if len(ways) < at:
        ways = {piece: each * count for piece, count in Counter(entries[:at]).items()}
    size = len(ways)
    for count, nested in inside:
        if nested is None:
            return None
        below, total = nested
        by = count * (each // total)
        ways.update(below if by == 1 else {piece: by * part for piece, part in below.items()})
        size += len(below)
    # If two routes lead to one piece, the dictionary holds fewer than were added.
    return None if len(ways) < size else (ways, len(entries) * each)


def outcomes(state: Contents, entries: Sequence[PoolEntry]) -> list[tuple[t.Value, Route | None, Fraction]]:
    """List what an entry taken at random may be, in value order; the route only where one piece has several."""
    listed = sorted(routes(state, entries), key=lambda outcome: outcome[:2])
    ways = Counter(piece for piece, _, _ in listed)
    # A route is named only where the piece leaves it open: a recorder at the table sees no pools.
    return [(piece, route if ways[piece] > 1 else None, part) for piece, route, part in listed]


def routes_to(state: Contents, entries: Sequence[PoolEntry], piece: t.Value) -> Iterator[Route]:
    """Enumerate the routes by which one of the entries, which are in canonical order, may be the piece."""
    if piece in entries:
        yield ()
    if entries and isinstance(entries[-1], Ticket):
        for pool in _tickets(entries):
            for route in routes_to(state, state.pools[pool], piece):
                yield (pool, *route)


def route_of(state: Contents, entries: Sequence[PoolEntry], piece: t.Value, via: Route | None) -> Route | None:
    """Return the route of an outcome, for the `via` that `outcomes` gives it; None if there is no such outcome."""
    ways = list(routes_to(state, entries, piece))
    if via is None:
        return ways[0] if len(ways) == 1 else None
    return via if len(ways) > 1 and via in ways else None


def settle(state: Contents, route: Route, piece: t.Value) -> None:
    """Remove a piece that was drawn by this route: every pool on the way loses one entry."""
    entry: PoolEntry = piece
    # The walk goes from the piece outwards: each pool loses the ticket of the one inside it.
    for pool in reversed(route):
        state.put_pool(pool, without(state.pools[pool], entry))
        entry = Ticket(pool)


def shuffled(state: Contents, entries: Sequence[PoolEntry]) -> tuple[PoolEntry, ...]:
    """Put the entries into a new pool, and return its tickets."""
    number = len(state.pools)
    # A piece that was seen and is shuffled in is unseen again.
    state.put_pool(number, arranged(Ticket(entry.pool) if type(entry) is DrawnTicket else entry for entry in entries))
    return (Ticket(number),) * len(entries)


# ---- canonical form


OUTCOME = 25
"""Units of work for listing one outcome with its probability."""


def looked_through(state: Contents, entries: tuple[PoolEntry, ...]) -> int:
    """Count the entries that an enumeration of what the given ones may be looks at."""
    return len(entries) + (sum(map(len, state.pools)) if entries and isinstance(entries[-1], Ticket) else 0)


@dataclass(frozen=True)
class HiddenCells:
    """The cells of hidden zones, the only ones that may hold tickets: all of them in order, and those that are bags."""

    cells: tuple[int, ...]
    bags: frozenset[int]

    @cached_property
    def held(self) -> Callable[[Sequence[Any]], Any]:
        """The function that reads the contents of these cells: two results are equal if the contents are."""
        return itemgetter(*self.cells)


def hidden_cells(game: m.Game) -> HiddenCells:
    """Collect the hidden cells of a game."""
    hidden = [element for element in game.elements if element.is_zone and element.visibility == "hidden"]
    cells = tuple(cell for element in hidden for cell in range(element.offset, element.offset + element.count))
    bags = (range(element.offset, element.offset + element.count) for element in hidden if element.kind == "bag")
    return HiddenCells(cells, frozenset(cell for bag in bags for cell in bag))


class Remembering(Contents, Protocol):
    """Contents that remember which pools and hidden cells were last brought into normal form."""

    normal: tuple[Pools, Any] | None


def normalise(state: Remembering, hidden: HiddenCells) -> None:
    """Bring pools and tickets into normal form, unless they are unchanged since the last event."""
    pools = state.pools
    # One pool with entries in it has the number 0, holds no ticket of another, and cannot be changed.
    if not pools or (len(pools) == 1 and pools[0]):
        return
    if state.normal is None or state.normal != (pools, hidden.held(state.cells)):
        make_canonical(state, hidden)
        state.normal = state.pools, hidden.held(state.cells)


def make_canonical(state: Contents, hidden: HiddenCells) -> None:
    """Bring pools and tickets into normal form."""
    # One merge may make another possible, so that all pools are looked through again.
    while _are_nested(state.pools) and any(_merge(state, hidden, number) for number in range(len(state.pools))):
        pass
    order = _order(state, hidden)
    if order != list(range(len(state.pools))):
        state.set_pools(state.pools[number] for number in order)
        _rename(state, hidden, {old: new for new, old in enumerate(order)})


def stays_normal(state: Contents, hidden: HiddenCells, pile: int, ticket: Ticket) -> bool:
    """Return whether pools in normal form are still so after a draw: a pile lost this ticket from its top, and the
    ticket's pool a piece.

    False may also mean that it takes longer to find out.
    """
    held, pool = state.cells[pile], state.pools[ticket.pool]
    if not held or held[-1] != ticket or isinstance(pool[0], Ticket):
        return False
    # The pile mentions the pool as before. Its pieces count only where bags or other pools mention it, too.
    for cell in hidden.bags:
        bag = state.cells[cell]
        # Tickets are in order, so that a bag that begins with a later one need not be searched.
        if bag and not (type(bag[0]) is Ticket and ticket < bag[0]) and ticket in bag:
            return False
    for other in state.pools:
        if other is not pool and other and type(other[-1]) is Ticket and ticket in other:
            return False
    return True


def _are_nested(pools: Pools) -> bool:
    """Return whether a pool holds tickets of other pools."""
    for pool in pools:  # noqa: SIM110 - a loop takes half the time of `any`
        if pool and type(pool[-1]) is Ticket:
            return True
    return False


def _merge(state: Contents, hidden: HiddenCells, number: int) -> bool:
    """Dissolve this pool, or one in it, if that changes nothing; return whether it did."""
    pool = state.pools[number]
    if not pool or type(pool[-1]) is not Ticket:
        return False
    # All entries are tickets of one other pool, since entries are sorted: this pool is that one.
    if pool[0] == pool[-1]:
        state.put_pool(number, ())
        _rename(state, hidden, {number: pool[0].pool})
        return True
    for inner, count in _tickets(pool).items():
        # All tickets of the inner pool lie in this one, so the pieces of both are equally open.
        if count == len(state.pools[inner]):
            rest = [entry for entry in pool if entry != Ticket(inner)]
            state.put_pool(number, arranged([*rest, *state.pools[inner]]))
            state.put_pool(inner, ())
            return True
    return False


def _rename(state: Contents, hidden: HiddenCells, renumbering: Mapping[int, int]) -> None:
    """Renumber pools: every ticket of a pool in `renumbering` becomes one of the pool that it maps to."""

    tickets = {kind(old): kind(new) for old, new in renumbering.items() for kind in (Ticket, DrawnTicket)}

    def renamed(entry: PoolEntry) -> PoolEntry:
        return tickets.get(entry, entry) if isinstance(entry, Ticket) else entry

    def all_renamed(entries: tuple[PoolEntry, ...]) -> tuple[PoolEntry, ...]:
        at = _pieces_of(entries)
        return entries[:at] + arranged(map(renamed, entries[at:])) if at < len(entries) else entries

    for cell in hidden.cells:
        held = state.cells[cell]
        if isinstance(held, Ticket):
            state.put(cell, renamed(held))
        elif held and type(held) is tuple:
            state.put(cell, all_renamed(held) if cell in hidden.bags else tuple(map(renamed, held)))
    state.set_pools(map(all_renamed, state.pools))


def _order(state: Contents, hidden: HiddenCells) -> list[int]:
    """Order the pools in use by their first mention; those that only other pools mention come last.

    Where a bag or a pool mentions several for the first time at once, their descriptions without numbers decide.
    """
    order: dict[int, None] = {}
    for cell in hidden.cells:
        held = state.cells[cell]
        if not held:
            continue
        new = _mentioned(entries_of(held), order)
        # A bag is sorted by the numbers of pools, which must not decide about these numbers.
        if len(new) > 1 and cell in hidden.bags:
            new = _by_description(state, hidden, new)
        for number in new:
            order[number] = None
    if not _are_nested(state.pools):
        return list(order)
    queue = deque(order)
    while queue:
        pool = state.pools[queue.popleft()]
        if pool and type(pool[-1]) is Ticket:
            new = _mentioned(pool[_pieces_of(pool) :], order)
            if len(new) > 1:
                new = _by_description(state, hidden, new)
            order.update(dict.fromkeys(new))
            queue.extend(new)
    return list(order)


def _mentioned(entries: Sequence[PoolEntry], before: Container[int]) -> list[int]:
    """Collect the pools whose tickets are among the entries and that were not mentioned before."""
    # A shuffled pile is the usual case, in which counting is quicker than a dictionary.
    if entries and isinstance(entries[0], Ticket) and entries.count(entries[0]) == len(entries):
        return [] if entries[0].pool in before else [entries[0].pool]
    return [entry.pool for entry in dict.fromkeys(entries) if isinstance(entry, Ticket) and entry.pool not in before]


def _by_description(state: Contents, hidden: HiddenCells, numbers: list[int]) -> list[int]:
    """Order pools independently of their numbers. Their pieces alone usually decide, which is quicker than all."""
    by_pieces = {_pieces(state, number): number for number in numbers}
    if len(by_pieces) == len(numbers):
        return [by_pieces[pieces] for pieces in sorted(by_pieces)]
    return sorted(numbers, key=lambda number: _description(state, hidden, number))


def _pieces(state: Contents, number: int) -> tuple[t.Value, ...]:
    pool = state.pools[number]
    return pool[: _pieces_of(pool)]


def _pieces_of(pool: Sequence[PoolEntry]) -> int:
    """Count the pieces of a pool, or of other entries in canonical order; the tickets follow them."""
    at = len(pool)
    while at and isinstance(pool[at - 1], Ticket):
        at -= 1
    return at


def _description(state: Contents, hidden: HiddenCells, number: int) -> tuple[Any, ...]:
    """Return a description of a pool without numbers of pools: its contents, and the places of its tickets."""
    pool, ticket = state.pools[number], Ticket(number)
    # Pools never contain themselves, so that this ends.
    inner = sorted((count, _description(state, hidden, inside)) for inside, count in _tickets(pool).items())
    places: list[tuple[int, ...]] = []
    for cell in hidden.cells:
        held = entries_of(state.cells[cell])
        if cell in hidden.bags:
            places.append((held.count(ticket),))
        else:
            places.append(tuple(at for at, entry in enumerate(held) if entry == ticket))
    return (
        _pieces(state, number),
        tuple(inner),
        tuple(places),
        tuple(sorted(other.count(ticket) for other in state.pools)),
    )


def _tickets(entries: Sequence[PoolEntry]) -> dict[int, int]:
    """Count the tickets among entries in canonical order, by pool."""
    counts: dict[int, int] = {}
    for (number,) in entries[_pieces_of(entries) :]:
        counts[number] = counts.get(number, 0) + 1
    return counts


def entries_of(held: t.Value) -> tuple[PoolEntry, ...]:
    """Return a zone's content as entries, whatever the zone's kind."""
    if held is None:
        return ()
    return held if type(held) is tuple else (held,)
