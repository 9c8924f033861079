"""What the rules store and what they read: a state that no rule changes, a state that no rule reads, a zone that no
piece comes to. Each makes rules that look alive and do nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from . import model as m
from .types import zero
from .walk import everything_in


def changed(steps: Iterable[m.Step]) -> frozenset[str]:
    """The states that a statement may give another value than the one they start with."""
    stores = (step for step in steps if isinstance(step, m.Store))
    return frozenset(store.element.name for store in stores if not _stores_the_start(store))


def _stores_the_start(store: m.Store) -> bool:
    start, value = store.element.initial, store.value
    if isinstance(value, m.Read) and (value.element, value.indices) == (store.element, store.indices):
        return True
    if not isinstance(value, m.Constant) or not isinstance(start, m.Constant | None):
        return False
    return bool(value.value == (zero(store.element.type) if start is None else start.value))


def read(steps: Iterable[m.Step], nodes: Iterable[object]) -> frozenset[str]:
    """The states and zones whose content is asked for. nodes: what is not a statement and holds expressions.

    What a state is given does not count as asking where only the state itself is asked for: `n += 1`."""
    found = set[str]()
    for step in steps:
        own = step.element.name if isinstance(step, m.Store) else None
        found |= _read_in(step) - ({own} if own else set())
    return frozenset(found).union(*(_read_in(node) for node in nodes))


def _read_in(node: object) -> frozenset[str]:
    return frozenset(part.element.name for part in everything_in(node) if isinstance(part, m.Read))


def never_filled(zones: Iterable[str], steps: Iterable[m.Step], refills: Iterable[m.Refill]) -> frozenset[str]:
    """Those of the zones to which no piece ever comes; not those that would have pieces if one of the others had."""
    ways: dict[str, set[str]] = {}
    filled = set[str]()
    for step in steps:
        filled |= {step.zone.element.name} if isinstance(step, m.FillZone) else set()
        filled |= {step.target.element.name} if isinstance(step, m.PutPiece) else set()
        for source, target in _ways(step):
            ways.setdefault(source.element.name, set()).add(target.element.name)
    for refill in refills:
        ways.setdefault(refill.source.element.name, set()).add(refill.zone.element.name)
    found, reached = list[str](), _reached(filled, ways)
    for zone in sorted(zones, key=lambda zone: -len(_reached((zone,), ways))):
        if zone not in reached:
            found.append(zone)
            reached |= _reached((zone,), ways)
    return frozenset(found)


def _ways(step: m.Step) -> Iterator[tuple[m.ZoneRef, m.ZoneRef]]:
    match step:
        case m.DrawPieces() | m.MovePiece() | m.MoveAll():
            yield step.source, step.target
        case m.SwapPieces(left=one, right=other):
            yield from ((one, other), (other, one))


def _reached(start: Iterable[str], ways: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = set[str](), list(start)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += ways.get(name, ())
    return reached
