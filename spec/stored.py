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
    return frozenset(store.element.name for store in stores if not _is_start(store.value, store))


def _is_start(value: m.Expr, store: m.Store) -> bool:
    """Whether a value stored in a state is the one it starts with, if the state holds no other yet."""
    start = store.element.initial
    match value:
        case m.Read(element=element):  # every cell of it starts alike
            return element.name == store.element.name
        case m.Checked(operand=operand):
            return _is_start(operand, store)
        case m.IfExpr(then=then, otherwise=otherwise):
            return _is_start(then, store) and _is_start(otherwise, store)
        case m.Constant() if isinstance(start, m.Constant | None):
            return bool(value.value == (zero(store.element.type) if start is None else start.value))
        case _:
            return False


def read(steps: Iterable[m.Step], nodes: Iterable[object]) -> frozenset[str]:
    """The states and zones whose content is asked for. nodes: what is not a statement and holds expressions.

    What a state is given counts only where something asks for that state: not in `n += 1`, or `n := k` and `k := n`."""
    for_states: dict[str, set[str]] = {}
    found = set[str]()
    for step in steps:
        asked = for_states.setdefault(step.element.name, set()) if isinstance(step, m.Store) else found
        asked |= _read_in(step)
    return frozenset(_reached(found.union(*(_read_in(node) for node in nodes)), for_states))


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
