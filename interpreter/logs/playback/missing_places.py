"""Search for the places of missing chance lines: of a row of cards it is known how many are missing, but not which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ...generator import Generator
from ...state.events import ChanceEvent, Event
from ..structure import Lines

Places: TypeAlias = Mapping[int, Sequence[Event]]
"""The missing events, by the index of the line before which they are."""


class OutOfTries(Exception):
    """No more places may be tried: the work for the search is used up."""


def better_places(missing: Places, lines: Lines, refused: Callable[[Places], int | None]) -> Places | None:
    """Return places by which the whole log is legal; None if none are found.

    One event after the other is put elsewhere among the chance lines around it, always in those places with which the
    log is refused latest.

    refused: returns the index of the line that is refused with these places; None if none is. Raises OutOfTries.
    """
    generator, tried = Generator(0), {_key(missing)}
    known: list[tuple[int, list[Places]]] = []
    places: Places | None = missing
    while places is not None:
        try:
            at = refused(places)
        except OutOfTries:
            return None
        if at is None:
            return places
        known.append((at, _neighbours(places, lines, at, generator)))
        places = None
        while known and places is None:
            at, others = max(known, key=lambda each: each[0])
            places = others.pop() if others else None
            if not others:
                known.remove((at, others))
            if places is not None and _key(places) in tried:
                places = None
        if places is not None:
            tried.add(_key(places))
    return None


def _key(places: Places) -> object:
    return tuple((line, *events) for line, events in sorted(places.items()) if events)


def _neighbours(missing: Places, lines: Lines, last: int, generator: Generator) -> list[Places]:
    """Return the places with one event before the line `last` or earlier put elsewhere, the nearest mostly last."""
    found = list[tuple[int, int, Places]]()
    for at in (at for at in missing if at <= last):
        for number, event in enumerate(missing[at]):
            if isinstance(event, ChanceEvent):
                left = {**missing, at: (*missing[at][:number], *missing[at][number + 1 :])}
                for other in _around(lines, at, event.path):
                    there = left.get(other, ())
                    moved = {**left, other: (*there, event) if other < at else (event, *there)}
                    found.append((abs(other - at) * (1 + generator.below(1000)), len(found), moved))
    return [places for _, _, places in sorted(found, reverse=True)]


def _around(lines: Lines, at: int, path: str) -> Iterator[int]:
    """Yield where else among the chance lines around a place there are outcomes of a chance event."""
    first = last = at
    while first and _chance_at(lines, first - 1):
        first -= 1
    while last < len(lines) - 1 and _chance_at(lines, last):
        last += 1
    for other in range(first, last + 1):
        # An outcome of another chance event is not awaited between those of this one.
        if other != at and path in (_chance_at(lines, other - 1), _chance_at(lines, other)):
            yield other


def _chance_at(lines: Lines, at: int) -> str | None:
    """Return the path of the chance event in a line; None if it has none."""
    entry = lines.entry(at) if at >= 0 else None
    return entry.event.path if entry is not None and isinstance(entry.event, ChanceEvent) else None
