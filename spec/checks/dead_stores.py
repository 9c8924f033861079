"""Dead stores: states that no rule changes or reads, and zones that no rule fills.

Rules about such states and zones look alive and have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .. import model as m
from ..budget import DEFAULT_BUDGET, Meter
from ..model.analysis import elements_read
from ..model.evaluation import NotConstant, value_of
from ..model.graphs import reachable
from ..model.piece_flow import piece_flow
from ..model.traversal import children, nodes, with_reads_replaced
from ..values.faults import SpecFault
from ..values.types import zero


def changed(steps: Iterable[m.Step], defines: Mapping[str, m.Define]) -> frozenset[str]:
    """Return the names of the states that a rule may give another value than their first. Over-approximates.

    steps: all statements of the rules. A state is in the result if some store changes it while all states have their
    first values, or if it is computed from a state in the result: the least fixed point, found by reachability."""
    stores = [step for step in steps if isinstance(step, m.Store)]
    starts, meter = _starts(stores), Meter(DEFAULT_BUDGET)
    changing, flows = set[str](), dict[str, set[str]]()
    for store in stores:
        name = store.element.name
        for value in _alternatives(store.value):
            # If this stores the first value again while all states have their first values, no other value gets in from
            # here.
            known = _at_start(value, starts, defines, meter)
            if known is None or known.value != starts[name].value:
                changing.add(name)
            for source in _read_in(value):
                flows.setdefault(source, set()).add(name)
    return frozenset(_reached(changing, flows)) & {store.element.name for store in stores}


def _starts(stores: Iterable[m.Store]) -> dict[str, m.Constant]:
    """Return the first values of the states."""
    elements = {store.element.name: store.element for store in stores}
    return {
        name: m.Constant(each.type, each.span, value=zero(each.type)) if each.initial is None else each.initial
        for name, each in elements.items()
    }


def _alternatives(value: m.Expr) -> Iterator[m.Expr]:
    """Yield the expressions whose value a conditional expression may take, ignoring its conditions."""
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
    substituted = with_reads_replaced(value, lambda read: starts.get(read.element.name, read))
    try:
        return m.Constant(value.type, value.span, value=value_of(substituted, defines=defines, meter=meter))
    except (NotConstant, SpecFault):
        return None


def names_read(steps: Iterable[m.Step], others: Iterable[object]) -> frozenset[str]:
    """Return the names of the states and zones whose content affects something.

    steps: all statements of the rules; others: the nodes with expressions, save statements. A read inside a store
    counts only if the stored state is read too, so `n += 1` alone, or `n := k` with `k := n`, reads nothing."""
    for_states: dict[str, set[str]] = {}
    directly = set[str]()
    for step in steps:
        target = for_states.setdefault(step.element.name, set()) if isinstance(step, m.Store) else directly
        target |= _read_in(*children(step))
    return frozenset(_reached(directly | _read_in(*others), for_states))


def _read_in(*parts: object) -> frozenset[str]:
    """Return the names of the elements that some nodes read, without the statements inside them."""
    return elements_read(nodes(*parts, but=m.Statement))


def never_filled(zones: Iterable[str], steps: Iterable[m.Step], refills: Iterable[m.Refill]) -> frozenset[str]:
    """Return the zones that no piece ever reaches, reduced to the causes.

    A zone that would be filled if another zone of the result were is left out."""
    flows: dict[str, set[str]] = {}
    filled = set[str]()
    for each in (*steps, *refills):
        flow = piece_flow(each)
        filled |= {zone.element.name for zone in flow.entered}
        for source, target in flow.moved:
            flows.setdefault(source.element.name, set()).add(target.element.name)
    causes, reached = list[str](), _reached(filled, flows)
    # Zones from which many others are reached come first, so that they are reported as the cause.
    for zone in sorted(zones, key=lambda zone: -len(_reached((zone,), flows))):
        if zone not in reached:
            causes.append(zone)
            reached |= _reached((zone,), flows)
    return frozenset(causes)


def _reached(start: Iterable[str], flows: Mapping[str, set[str]]) -> set[str]:
    return reachable(start, lambda name: flows.get(name, ()))
