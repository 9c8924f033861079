"""Operations on zones of the buffer: a fast path for the usual case; `zones.py` and `pools.py` do the rest.

The short way raises no fault. Where it cannot continue, the operation is repeated in the general way, which raises the
fault with its reason.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ludex.spec import Meter, Unknown
from ludex.spec import model as m
from ludex.spec import types as t

from ...state.contents import Pools, Ticket
from ...state.pools import PoolEntry, Route, entries_of, route_of, settle
from ...state.zones import ENTRIES, ZoneCell, add, clear, constant_zone, fault, shuffle, take
from ..ir import code as c
from ..ir.three_valued import Undetermined
from .state import State

FEW_KINDS = 8
"""The largest number of kinds of pieces that are counted kind by kind."""


def lay(
    play: State, element: m.Element, cell: int, entries: Sequence[PoolEntry], bottom: bool, step: m.Statement
) -> None:
    """Put entries into a zone: on top in order, so that the last one is topmost, or as a block at the bottom."""
    content, kind = play.cells[cell], element.kind
    if kind == "one":
        if content is None and len(entries) == 1:
            play.cells[cell] = entries[0]
            return
    elif element.most is None or len(content) + len(entries) <= element.most:
        if kind == "pile":
            play.cells[cell] = (*entries, *content) if bottom else (*content, *entries)
            return
        # A hidden bag may hold tickets, which have a place of their own in its order.
        if element.visibility != "hidden":
            play.cells[cell] = _with(content, entries)
            return
    # `zones.add` also reports a zone without room.
    add(play, ZoneCell(element, cell), entries, bottom, step)


def _with(pieces: tuple[t.Value, ...], entries: Sequence[PoolEntry]) -> tuple[t.Value, ...]:
    """Add pieces to a bag's contents; unknown ones follow the known ones."""
    try:
        if not pieces and len(entries) == 1:
            return tuple(entries)
        if len(entries) == 1:
            at = bisect_right(pieces, entries[0])
            return (*pieces[:at], entries[0], *pieces[at:])
        return tuple(sorted((*pieces, *entries)))
    # Unknown pieces have no order, and a comparison with one is undetermined.
    except Undetermined:
        both = (*pieces, *entries)
        known = sorted(entry for entry in both if not isinstance(entry, Unknown))
        return (*known, *(entry for entry in both if isinstance(entry, Unknown)))


def lift(play: State, element: m.Element, cell: int, entry: PoolEntry, step: m.Statement) -> None:
    """Remove one entry equal to the given one from a zone; from a pile, the topmost."""
    content = play.cells[cell]
    if type(entry) is int and element.kind == "bag" and element.visibility != "hidden":
        at = bisect_left(content, entry)
        if at < len(content) and content[at] == entry:
            play.cells[cell] = content[:at] + content[at + 1 :]
        else:
            take(play, ZoneCell(element, cell), entry, step)
    # An unknown piece is equal to none for certain, so it is found by identity.
    elif isinstance(entry, Unknown):
        at = next(at for at, each in enumerate(entries_of(content)) if each is entry)
        play.cells[cell] = None if element.kind == "one" else content[:at] + content[at + 1 :]
    elif element.kind == "one" and content == entry and content is not None:
        play.cells[cell] = None
    elif element.kind == "pile" and content and content[-1] == entry:
        play.cells[cell] = content[:-1]
    elif element.kind == "bag" and element.visibility != "hidden" and entry in content:
        at = bisect_left(content, entry)
        play.cells[cell] = content[:at] + content[at + 1 :]
    else:
        take(play, ZoneCell(element, cell), entry, step)


def weights(play: State, entries: Sequence[PoolEntry]) -> tuple[tuple[t.Value, ...], tuple[int, ...]] | None:
    """Return what a random one of the entries can turn out to be, and the integer weight of each result.

    Returns None if a piece can come by several routes, or from a pool inside a pool.
    """
    if len(entries) == 1 and type(entries[0]) is Ticket:
        entries = play.pools[entries[0].pool]
    if entries and type(entries[-1]) is Ticket:
        return None
    return counted(entries)


def counted(pieces: Sequence[t.Value]) -> tuple[tuple[t.Value, ...], tuple[int, ...]]:
    """Count sorted pieces by kind."""
    if len(set(pieces)) == len(pieces):
        return tuple(pieces), (1,) * len(pieces)
    kinds = tuple(dict.fromkeys(pieces))
    # Counting each kind goes through all pieces again, in C; for few kinds that beats grouping in Python.
    if len(kinds) <= FEW_KINDS:
        return kinds, tuple(map(pieces.count, kinds))
    return kinds, tuple([len(tuple(same)) for _, same in groupby(pieces)])


def settle_entry(play: State, entries: Sequence[PoolEntry], piece: t.Value, via: Route | None) -> PoolEntry:
    """Reveal the entry that turns out to be the piece; it leaves the pools that it came through.

    Raises ValueError if none of the entries can be that piece by this route.
    """
    top = entries[-1]
    if len(entries) == 1 and via is None and type(top) is Ticket:
        pool = play.pools[top.pool]
        at = bisect_left(pool, piece) if pool and type(pool[-1]) is not Ticket else len(pool)
        if at < len(pool) and pool[at] == piece:
            play.put_pool(top.pool, pool[:at] + pool[at + 1 :])
            return top
    elif via is None and type(top) is not Ticket and piece in entries:
        return piece
    route = route_of(play, entries, piece, via)
    if route is None:
        raise ValueError(f"{piece!r} cannot come out here")
    settle(play, route, piece)
    return Ticket(route[0]) if route else piece


def awaited(play: State, wait: c.Hidden) -> tuple[Any, ...]:
    """Return the entries of which one is revealed."""
    entries = entries_of(play.cells[play.cells[wait.cells[0]]])
    if wait.kind == "draw":
        return entries if wait.source.kind == "bag" else entries[-1:]
    return (next(entry for entry in reversed(entries) if type(entry) is Ticket),)


class Services:
    """The zone services that generated code calls. at: the number of the calling statement."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self.meter = Meter(program.game.budget)
        self.weighed: tuple[Pools, int, tuple[t.Value, ...], tuple[int, ...]] = (), 0, (), ()
        """The pool of the last draw, or what the draw left of it: all pools, its number, and the pieces that a ticket
        of it may be, with their weights."""
        self._steps: list[Any] = [service.statement for service in program.services]
        self._refills = [(constant_zone(each.zone), constant_zone(each.source), each) for each in program.game.refills]

    def may_be(self, play: State, entry: PoolEntry, piece: t.Value) -> bool:
        """Return whether an entry is a ticket whose pool was weighed last, and may turn out to be the piece.

        False may also mean that it takes longer to find out.
        """
        pools, number, pieces, _ = self.weighed
        is_weighed = pools is play.pools and type(entry) is Ticket and entry.pool == number
        # `True` is not a number of a game, though it equals 1.
        return is_weighed and type(piece) is int and piece in pieces and type(pieces[0]) is int

    def step(self, at: int) -> Any:
        """Return the calling statement."""
        return self._steps[at]

    def count(self, play: State, cell: int, pieces: int, step: m.Statement) -> None:
        """Count the work of going through a zone for every piece. Raises OverBudget."""
        content, meter = play.cells[cell], self.meter
        meter.left -= pieces * (len(content) // ENTRIES + 1) if type(content) is tuple else pieces
        if meter.left < 0:
            raise meter.over(step.path, step.span)

    def enter(self, play: State, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Put pieces into the game."""
        step = self.step(at)
        self.count(play, cell, 1, step)
        zone, bottom = (step.zone, False) if isinstance(step, m.FillZone) else (step.target, step.bottom)
        if pieces:
            lay(play, zone.element, cell, pieces, bottom, step)
            if play.trace is not None:
                play.trace.entered.update((str(zone.element.type), piece) for piece in pieces)

    def leave(self, play: State, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Remove pieces from the game."""
        step = self.step(at)
        self.count(play, cell, len(pieces), step)
        for piece in pieces:
            lift(play, step.source.element, cell, piece, step)
        if play.trace is not None:
            play.trace.left.update((str(step.source.element.type), piece) for piece in pieces)

    def shuffle(self, play: State, at: int, cell: int) -> None:
        """Shuffle a zone: from now on nobody knows where its pieces lie."""
        self.count(play, cell, 1, self.step(at))
        entries = entries_of(play.cells[cell])
        if entries and type(entries[0]) is Ticket and entries.count(entries[0]) == len(entries):
            return  # as unknown as they can be: each may be any piece of their pool
        shuffle(play, ZoneCell(self.step(at).zone.element, cell))

    def move(self, play: State, at: int, source: int, target: int, pieces: Sequence[t.Value]) -> None:
        """Move pieces from one zone to another."""
        step = self._steps[at]
        self.count(play, source, len(pieces), step)
        element = step.source.element
        for piece in pieces:
            lift(play, element, source, piece, step)
        if pieces:
            lay(play, step.target.element, target, tuple(pieces), step.bottom, step)

    def move_all(self, play: State, at: int, source: int, target: int) -> None:
        """Move all pieces from one zone to another."""
        content = play.cells[source]
        if content is not None and content != ():
            step = self._steps[at]
            is_many = type(content) is tuple
            play.cells[source] = () if is_many else None
            lay(play, step.target.element, target, content if is_many else (content,), step.bottom, step)

    def swap(self, play: State, at: int, left: int, right: int) -> None:
        """Exchange the contents of two zones."""
        cells = play.cells
        cells[left], cells[right] = cells[right], cells[left]

    def unseen(self, play: State, at: int, cell: int) -> bool:
        """Return whether the zone whose cell number is stored in `cell` holds an unseen piece."""
        return any(type(entry) is Ticket for entry in entries_of(play.cells[play.cells[cell]]))

    # ---- draws

    def draw_unseen(self, play: State, at: int, source: int, target: int, count: int) -> None:
        """Draw pieces that are not revealed."""
        left = self._drawn(play, self.step(at), source, target, count)
        # Lowering uses this service only where no draw can be a chance event.
        assert left == 0, left

    def draw(self, play: State, at: int, source: int, target: int, left: int) -> bool:
        """Draw until an unseen piece must be revealed, and return whether nothing is left to draw.

        The arguments are the cells that hold the two zones' cell numbers and the number of pieces still to be drawn.
        """
        cells = play.cells
        rest = cells[left] = self._drawn(play, self.step(at), cells[source], cells[target], cells[left])
        return rest == 0

    def _drawn(self, play: State, step: m.DrawPieces, one: int, two: int, left: int) -> int:
        """Return how many pieces are left to draw when one must be revealed; 0 if all are drawn."""
        source, target, cells = step.source.element, step.target.element, play.cells
        while left > 0:
            entries = entries_of(cells[one]) or self._refilled(play, source, one, step)
            if not entries:
                break
            if _is_chance(source, target, entries):
                return left
            # Nobody chooses from a bag: its pieces are mixed first, and the draw takes any of the equal tickets.
            if source.kind == "bag" and (type(entries[0]) is not Ticket or entries[0] != entries[-1]):
                shuffle(play, ZoneCell(source, one))
                entries = cells[one]
            entry = entries[-1]
            self.count(play, one, 1, step)
            lift(play, source, one, entry, step)
            lay(play, target, two, (entry,), step.bottom, step)
            left -= 1
            play.known = {}
        if self._refills and not entries_of(cells[one]):
            self._refilled(play, source, one, step)
        return 0

    def _refilled(self, play: State, element: m.Element, cell: int, step: m.Statement) -> tuple[PoolEntry, ...]:
        """Return the contents of a zone after its refill, if it has one."""
        place = ZoneCell(element, cell)
        for zone, source, refill in self._refills:
            if zone.element is element and zone.cell == cell:
                entries = source.entries(play)
                if not place.hidden and any(type(entry) is Ticket for entry in entries):
                    raise fault("unseen pieces would be put where they can be seen", refill)
                clear(play, source)
                add(play, place, entries, False, step)
                shuffle(play, place)
        return entries_of(play.cells[cell])


def _is_chance(source: m.Element, target: m.Element, entries: Sequence[PoolEntry]) -> bool:
    """Return whether drawing these entries reveals a random one to somebody."""
    if source.kind == "bag":
        return not (source.visibility == target.visibility == "hidden")
    return target.visibility != "hidden" and type(entries[-1]) is Ticket
