"""Operations on zones: add and remove entries, shuffle, reveal.

A zone is given by its element (its kind and visibility) and the number of its cell. Contents are tuples: a pile with
its top last, a bag in canonical order; a `one` zone holds an entry or None. Only hidden zones hold tickets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from ludex.grammar import Message, or_meant, shown_value, value_class
from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from .contents import Contents, Ticket
from .domains import is_value
from .events import SpecFault
from .pools import PoolEntry, arranged, entries_of, shuffled, without

ENTRIES = 8
"""Number of a zone's entries whose examination counts as one unit of work."""


@value_class
class ZoneCell:
    """One zone: the element and its cell."""

    element: m.Element
    cell: int

    @property
    def hidden(self) -> bool:
        """Whether the zone hides its pieces from everybody; their number is always public."""
        return self.element.visibility == "hidden"

    def entries(self, state: Contents) -> tuple[PoolEntry, ...]:
        return entries_of(state.cells[self.cell])


def empty_cell(element: m.Element) -> Any:
    """Return the content of a cell before anything is put into it."""
    return {"state": t.zero(element.type), "one": None, "pile": (), "bag": ()}[element.kind]


def cell_of(element: m.Element, indices: Sequence[t.Value]) -> int:
    """Compute the number of a cell; the last index varies fastest."""
    at = 0
    for of, index in zip(element.indices, indices, strict=True):
        at = at * (t.size(of) or 0) + t.position(of, index)
    return element.offset + at


def constant_zone(zone: m.ZoneRef) -> ZoneCell:
    """Return a zone whose indices are constants, as those of a refill are."""
    return ZoneCell(
        zone.element, cell_of(zone.element, [each.value for each in zone.indices if isinstance(each, m.Constant)])
    )


def cell_named(game: m.Game, name: str, indices: Sequence[t.Value]) -> int:
    """Compute the number of a cell that a caller names. Raises ValueError if there is no such cell."""
    element = game.element.get(name)
    if element is None:
        raise ValueError(or_meant(f"there is no state or zone {shown_value(name)}", name, game.element))
    # Their number is compared below.
    kinds = zip(element.indices, indices, strict=False)
    if len(indices) != len(element.indices) or not all(is_value(of, index) for of, index in kinds):
        expected = f"({', '.join(map(str, element.indices))})"
        raise ValueError(f"{name} has the indices {expected}, not {shown_value(indices)}")
    return cell_of(element, indices)


def size_at(state: Contents, place: ZoneCell) -> int:
    """Compute the units of work for going through the entries of a zone."""
    held = state.cells[place.cell]
    return len(held) // ENTRIES + 1 if type(held) is tuple else 1


def fault(message: str, at: m.Statement | m.Refill) -> SpecFault:
    span = at.span if isinstance(at, m.Statement) else at.zone.element.span
    return SpecFault(message, at.path, span)


def add(state: Contents, place: ZoneCell, entries: Sequence[PoolEntry], bottom: bool, at: m.Statement) -> None:
    """Add entries to the zone: on top in their order, the last one topmost, or as a block at the bottom."""
    if not entries:
        return
    held, most = state.cells[place.cell], place.element.most
    # Capacities belong to the language, as sizes are known before play; native code reserves this much room.
    if most is not None and len(held) + len(entries) > most:
        message = Message("fault-overfull", name=place.element.name, count=len(held) + len(entries), most=most)
        raise fault(message, at)
    match place.element.kind:
        case "one":
            if held is not None or len(entries) > 1:
                raise fault(Message("fault-one-piece", name=place.element.name), at)
            state.put(place.cell, entries[0])
        case "pile":
            state.put(place.cell, (*entries, *held) if bottom else (*held, *entries))
        case _:
            state.put(place.cell, arranged((*held, *entries)))


def take(state: Contents, place: ZoneCell, entry: PoolEntry, at: m.Statement) -> None:
    """Remove one entry equal to the given one; from a pile the topmost."""
    held = state.cells[place.cell]
    if entry not in entries_of(held):
        name, shown = place.element.name, show(place.element.type, entry)
        # In a hidden place the piece may well be, unseen: the message must not deny that.
        entry_of = "fault-not-there-known" if place.hidden else "fault-not-there"
        raise fault(Message(entry_of, piece=shown, name=name), at)
    state.put(place.cell, None if place.element.kind == "one" else without(held, entry))


def clear(state: Contents, place: ZoneCell) -> None:
    state.put(place.cell, None if place.element.kind == "one" else ())


def shuffle(state: Contents, place: ZoneCell) -> None:
    """Shuffle the zone: the pieces of a hidden pile or bag become unknown; in a visible bag there is no order to
    forget."""
    if place.hidden:
        state.put(place.cell, shuffled(state, state.cells[place.cell]))


def unseen(state: Contents, place: ZoneCell) -> int | None:
    """Return the index of the topmost ticket in the zone; None if every piece there is known."""
    entries = place.entries(state)
    return next((at for at in reversed(range(len(entries))) if type(entries[at]) is Ticket), None)


def reveal(state: Contents, place: ZoneCell, position: int, piece: t.Value) -> None:
    """Replace the ticket at the index by its piece, which stays where it is."""
    entries = place.entries(state)
    turned = (*entries[:position], piece, *entries[position + 1 :])
    match place.element.kind:
        case "one":
            state.put(place.cell, piece)
        case "pile":
            state.put(place.cell, turned)
        case _:
            state.put(place.cell, arranged(turned))


def piece_lister(of: t.Type) -> Callable[[Any], list[t.Value]]:
    """Return the function that lists the pieces for `fill`: every copy of a set of components, else the given pieces in
    order."""
    if isinstance(of, t.SetOf) and isinstance(of.of, t.ComponentType):
        numbers = of.of.copies
        return lambda kinds: [kind for kind in sorted(kinds) for _ in range(numbers[kind])]
    return list if isinstance(of, t.ListOf) else sorted


def each_piece(piece: m.Expr, step: m.Statement) -> Callable[[Any], list[t.Value]]:
    """Return the function that lists the pieces of a statement, from the value of its expression."""
    if isinstance(piece.type, t.SetOf | t.BagOf):
        return sorted
    if isinstance(piece.type, t.ListOf):
        return list

    def only(value: t.Value) -> list[t.Value]:
        if value is None:
            raise fault(Message("fault-no-piece"), step)
        return [value]

    return only


def indexed(element: m.Element) -> tuple[tuple[str, tuple[t.Value, ...]], ...]:
    """List the indices of each cell of an element, as the language writes them and as values."""
    every = product(*map(t.values, element.indices))
    return tuple((", ".join(map(show, element.indices, indices)), indices) for indices in every)
