"""Dead-store analysis: states that no rule changes or reads, and zones that no rule fills.

Rules about such states and zones look alive and have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .. import model as m
from ..budget import DEFAULT_BUDGET, Meter
from ..model.evaluation import NotConstant, value_of
from ..model.graphs import reachable
from ..model.walk import children, nodes, rewritten
from ..values.faults import SpecFault
from ..values.types import zero


def changed(steps: Iterable[m.Step], defines: Mapping[str, m.Define]) -> frozenset[str]:
    """The states that a rule may give another value than the one they start with.

    These are they that are given one, or a value that nobody knows before play, while all states hold what they start
    with; and they that are given what is worked out from one of these."""
    stores = [step for step in steps if isinstance(step, m.Store)]
    starts, meter = _starts(stores), Meter(DEFAULT_BUDGET)
    found, ways = set[str](), dict[str, set[str]]()
    for store in stores:
        name = store.element.name
        for value in _alternatives(store.value):
            known = _at_start(value, starts, defines, meter)
            if name not in starts or known is None or known.value != starts[name].value:
                found.add(name)
            for asked in _read_in(value):
                ways.setdefault(asked, set()).add(name)
    return frozenset(_reached(found, ways)) & {store.element.name for store in stores}


def _starts(stores: Iterable[m.Store]) -> dict[str, m.Constant]:
    """Return the first values of the states whose cells all start alike."""
    elements = {store.element.name: store.element for store in stores}
    firsts = {
        name: m.Constant(each.type, each.span, value=zero(each.type)) if each.initial is None else each.initial
        for name, each in elements.items()
    }
    return {name: first for name, first in firsts.items() if isinstance(first, m.Constant)}


def _alternatives(value: m.Expr) -> Iterator[m.Expr]:
    """Yield the possible values of an expression, whatever its conditions are."""
    match value:
        case m.Checked(operand=operand):
            yield from _alternatives(operand)
        case m.IfExpr(then=then, otherwise=otherwise):
            yield from (*_alternatives(then), *_alternatives(otherwise))
        case _:
            yield value


def _at_start(
    value: m.Expr, starts: Mapping[str, m.Constant], defines: Mapping[str, m.Define], meter: Meter
) -> m.Constant | None:
    """Evaluate an expression in the first state; None if it is not constant."""
    held = rewritten(value, lambda read: starts.get(read.element.name, read))
    try:
        return m.Constant(value.type, value.span, value=value_of(held, defines=defines, meter=meter))
    except (NotConstant, SpecFault):
        return None


def read(steps: Iterable[m.Step], others: Iterable[object]) -> frozenset[str]:
    """The states and zones whose content is asked for. others: what is not a statement and holds expressions.

    What a state is given counts only where something asks for that state: not in `n += 1`, or `n := k` and `k := n`."""
    for_states: dict[str, set[str]] = {}
    found = set[str]()
    for step in steps:
        asked = for_states.setdefault(step.element.name, set()) if isinstance(step, m.Store) else found
        asked |= _read_in(*children(step))
    return frozenset(_reached(found | _read_in(*others), for_states))


def _read_in(*parts: object) -> set[str]:
    """What the parts read, but for the statements in them."""
    return {node.element.name for node in nodes(*parts, but=m.Statement) if isinstance(node, m.Read)}


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
    return reachable(start, lambda name: ways.get(name, ()))
