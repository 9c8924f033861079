"""Hidden pieces: tickets and pools.

A piece that nobody has seen is a ticket of a pool. A pool with n tickets still out holds n entries; which ticket is
which entry is uniformly random, and nothing more is known. An entry is a piece, or a ticket of another pool (a pile
with unseen pieces in it was shuffled together with others). Shuffling makes a pool of whatever lies there; moving a
ticket from one hidden zone to another changes nothing else; when somebody comes to see it, its piece is drawn from
what the pool still holds, and pool and ticket are gone by one. So every probability is exact, and nothing has to be
decided before anyone can know it.

Two ways to the same piece. Where a kind lies both in a pool and in a pool within it (or lies open in a bag next to
unseen ones), drawing it leaves different things behind, so there are several outcomes with the same piece; they are
told apart by their route, the pools that the piece came through, which the event then carries as `via`. It takes a
shuffle of unseen pieces together with seen ones of the same kind, so logs hardly ever show it.

Canonical form (`normalise`, at every event): pools are numbered in the order in which the state's cells mention them
first; a pool whose tickets all lie in one other pool dissolves into it; a pool that holds nothing but tickets of one
other pool is that pool. A pool of equal pieces stays a pool: whether a draw is an event must not depend on luck.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Protocol, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .contents import Contents, Pools, Ticket

Entry: TypeAlias = t.Value
"""A piece, or a Ticket."""
Route: TypeAlias = tuple[int, ...]
"""The pools a piece comes through, outermost first."""


def arranged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries in the canonical order: pieces in value order, then tickets by pool."""
    return tuple(sorted(entries, key=_rank))


def _rank(entry: Entry) -> tuple[bool, int]:
    return (True, entry.pool) if type(entry) is Ticket else (False, entry)


def without(entries: Sequence[Entry], entry: Entry) -> tuple[Entry, ...]:
    """The entries less one that is equal to the given one, the last such. Raises ValueError if there is none."""
    at = len(entries) - 1 - entries[::-1].index(entry)
    return (*entries[:at], *entries[at + 1 :])


# ---- drawing


def routes(state: Contents, entries: Sequence[Entry]) -> Iterator[tuple[t.Value, Route, Fraction]]:
    """What an entry taken at random turns out to be: (piece, route, probability), each (piece, route) once."""
    found, total = weighed(state, entries)
    return ((piece, route, Fraction(count, total)) for piece, route, count in found)


def weighed(state: Contents, entries: Sequence[Entry]) -> tuple[list[tuple[t.Value, Route, int]], int]:
    """The same as numbers of equally likely ways, and how many ways there are in all."""
    found: list[tuple[t.Value, Route, int]] = []
    inside = {entry: weighed(state, state.pools[entry.pool]) for entry in set(entries) if type(entry) is Ticket}
    each = lcm(*(total for _, total in inside.values()))
    for entry, count in Counter(entries).items():
        if type(entry) is Ticket:
            below, total = inside[entry]
            by = count * (each // total)
            found += [(piece, (entry.pool, *route), by * part) for piece, route, part in below]
        else:
            found.append((entry, (), count * each))
    return found, len(entries) * each


def outcomes(state: Contents, entries: Sequence[Entry]) -> list[tuple[t.Value, Route | None, Fraction]]:
    """The same in value order, with the route only where one piece has several."""
    found = sorted(routes(state, entries), key=lambda found: found[:2])
    ways = Counter(piece for piece, _, _ in found)
    return [(piece, route if ways[piece] > 1 else None, part) for piece, route, part in found]


def _routes_to(state: Contents, entries: Sequence[Entry], piece: t.Value) -> Iterator[Route]:
    """The routes by which one of the entries, which are arranged, may turn out to be the piece."""
    if piece in entries:
        yield ()
    if entries and type(entries[-1]) is Ticket:
        for pool in _tickets(entries):
            for route in _routes_to(state, state.pools[pool], piece):
                yield (pool, *route)


def route_of(state: Contents, entries: Sequence[Entry], piece: t.Value, via: Route | None) -> Route | None:
    """The route of an outcome as `outcomes` names it; None if there is no such outcome."""
    ways = list(_routes_to(state, entries, piece))
    if via is None:
        return ways[0] if len(ways) == 1 else None
    return via if len(ways) > 1 and via in ways else None


def settle(state: Contents, route: Route, piece: t.Value) -> None:
    """A piece has come out by this route: every pool on the way loses one entry."""
    entry: Entry = piece
    for pool in reversed(route):
        state.put_pool(pool, without(state.pools[pool], entry))
        entry = Ticket(pool)


def shuffled(state: Contents, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Tickets of a new pool that holds the entries."""
    number = len(state.pools)
    state.put_pool(number, arranged(entries))
    return (Ticket(number),) * len(entries)


# ---- canonical form


OUTCOME = 25
"""Units of work for an outcome that is listed with its probability."""


def looked_through(state: Contents, entries: tuple[Entry, ...]) -> int:
    """How many there are to look through for what the entries, which are arranged, may turn out to be."""
    return len(entries) + (sum(map(len, state.pools)) if entries and type(entries[-1]) is Ticket else 0)


@dataclass(frozen=True, slots=True)
class HiddenCells:
    """The cells of hidden zones, which alone may hold tickets: all of them in order, and those that are bags."""

    cells: tuple[int, ...]
    bags: frozenset[int]


def hidden_cells(game: m.Game) -> HiddenCells:
    """Those of a game."""
    hidden = [element for element in game.elements if element.is_zone and element.visibility == "hidden"]
    cells = tuple(cell for element in hidden for cell in range(element.offset, element.offset + element.count))
    bags = (range(element.offset, element.offset + element.count) for element in hidden if element.kind == "bag")
    return HiddenCells(cells, frozenset(cell for bag in bags for cell in bag))


class Remembering(Contents, Protocol):
    """Contents that keep what was last brought into canonical form: the pools and the hidden cells."""

    normal: tuple[Pools, list[t.Value]] | None


def normalise(state: Remembering, hidden: HiddenCells) -> None:
    """Bring pools and tickets into canonical form; they mostly still are since the last event."""
    pools = state.pools
    if not pools or (len(pools) == 1 and pools[0]):
        return
    if state.normal is None or state.normal != (pools, [state.cells[cell] for cell in hidden.cells]):
        make_canonical(state, hidden)
        state.normal = state.pools, [state.cells[cell] for cell in hidden.cells]


def make_canonical(state: Contents, hidden: HiddenCells) -> None:
    """Bring pools and tickets into canonical form."""
    while any(_merge(state, hidden, number) for number in range(len(state.pools))):
        pass
    order = _order(state, hidden)
    if order != list(range(len(state.pools))):
        state.set_pools(state.pools[number] for number in order)
        _rename(state, hidden, {old: new for new, old in enumerate(order)})


def _merge(state: Contents, hidden: HiddenCells, number: int) -> bool:
    """Dissolve this pool, or one in it, where that changes nothing; say whether it was done."""
    pool = state.pools[number]
    if not pool or type(pool[-1]) is not Ticket:
        return False
    if pool[0] == pool[-1]:
        state.put_pool(number, ())
        _rename(state, hidden, {number: pool[0].pool})
        return True
    for inner, count in _tickets(pool).items():
        if count == len(state.pools[inner]):
            rest = [entry for entry in pool if entry != Ticket(inner)]
            state.put_pool(number, arranged([*rest, *state.pools[inner]]))
            state.put_pool(inner, ())
            return True
    return False


def _rename(state: Contents, hidden: HiddenCells, names: Mapping[int, int]) -> None:
    """Every ticket of a pool in `names` becomes one of the pool that it stands for."""

    def renamed(entry: Entry) -> Entry:
        return Ticket(names.get(entry.pool, entry.pool)) if type(entry) is Ticket else entry

    for cell in hidden.cells:
        held = state.cells[cell]
        if type(held) is Ticket:
            state.put(cell, renamed(held))
        elif held:
            state.put(cell, arranged(map(renamed, held)) if cell in hidden.bags else tuple(map(renamed, held)))
    state.set_pools(arranged(map(renamed, pool)) for pool in state.pools)


def _order(state: Contents, hidden: HiddenCells) -> list[int]:
    """The pools in use in the order of their first mention, those that only other pools mention last. Where a bag or a
    pool mentions several for the first time at once, what can be said of them without their numbers decides."""
    order: dict[int, None] = {}
    for cell in hidden.cells:
        held = state.cells[cell]
        if not held:
            continue
        new = _mentioned(entries_of(held), order)
        order.update(dict.fromkeys(_by_description(state, hidden, new) if cell in hidden.bags else new))
    queue = deque(order)
    while queue:
        new = _by_description(state, hidden, _mentioned(state.pools[queue.popleft()], order))
        order.update(dict.fromkeys(new))
        queue.extend(new)
    return list(order)


def _mentioned(entries: Sequence[Entry], before: Container[int]) -> list[int]:
    """Pools whose tickets are among the entries, and that were not mentioned before."""
    if entries and type(entries[0]) is Ticket and entries.count(entries[0]) == len(entries):
        return [] if entries[0].pool in before else [entries[0].pool]
    return [entry.pool for entry in dict.fromkeys(entries) if type(entry) is Ticket and entry.pool not in before]


def _by_description(state: Contents, hidden: HiddenCells, numbers: list[int]) -> list[int]:
    """In an order that does not hang on the numbers; mostly the pieces in the pools are enough to tell."""
    if len({_pieces(state, number) for number in numbers}) == len(numbers):
        return sorted(numbers, key=lambda number: _pieces(state, number))
    return sorted(numbers, key=lambda number: _description(state, hidden, number))


def _pieces(state: Contents, number: int) -> tuple[t.Value, ...]:
    return tuple([entry for entry in state.pools[number] if type(entry) is not Ticket])


def _description(state: Contents, hidden: HiddenCells, number: int) -> tuple[Any, ...]:
    """What tells a pool from another without naming either: what is in it, and where its tickets lie."""
    pool, ticket = state.pools[number], Ticket(number)
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


def _tickets(entries: Sequence[Entry]) -> Counter[int]:
    """How many tickets of which pool."""
    return Counter(entry.pool for entry in entries if type(entry) is Ticket)


def entries_of(held: t.Value) -> tuple[Entry, ...]:
    """A zone's content as entries, whatever its kind."""
    if held is None:
        return ()
    return held if type(held) is tuple else (held,)
