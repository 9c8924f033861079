"""Capacity inference by abstract interpretation: upper bounds for sizes of collections and zones that declare none.

A *holder* is a variable that keeps a collection: a state, a local name, a parameter, the result of a define; for a
collection of collections also its items, one level down. This is an abstract interpretation: every assignment is a
*contribution*, and the size of a holder is bounded by the maximum of its contributions, which depend on other holders.

In a strongly connected component of holders there is no bound if some contribution adds to a size. To find that, no
iteration to a fixed point is needed: every holder of the component gets a size larger than any declared one, and a
contribution that is then larger still adds something. (Sizes are sums, products and maxima of other sizes, so that a
contribution adds at this size if it adds at any.) The contribution to a zone is all that enters its group
(`zone_capacities.py`); it is a sum, so a zone in such a component has no bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Span

from .. import model as m
from .. import spec_codes
from ..model import Holder
from ..model.graphs import strongly_connected
from ..model.traversal import all_steps, children, nodes
from ..values.types import Type, element_type, strip_optional
from .bounds import UNBOUNDED
from .sizes import SizeOf, most_of
from .zone_capacities import Entering, Sum, ZoneCapacities, runs

if TYPE_CHECKING:
    from ..elaborate.elaboration import Elaborated

BEYOND = UNBOUNDED**8
"""A size larger than anything that collections outside a strongly connected component can add up to."""


@dataclass(frozen=True, slots=True)
class _Contribution:
    """A value that is assigned to a holder.

    Attributes:
        frame: the routine in whose frame the value is evaluated.
        level: the level of the value that the holder receives: 0 for the value, 1 for its items, and so on.
    """

    holder: Holder
    value: m.Expr
    frame: str
    level: int
    span: Span

    def most(self, of: SizeOf) -> int:
        """Return an upper bound of its size, given the sizes of holders."""
        return most_of(self.value, self.level, self.frame, of)


def capacities(game: Elaborated) -> tuple[Mapping[Holder, int], tuple[Diagnostic, ...]]:
    """Return the bound of every holder of the game, and the reports of holders without one.

    Holders without a bound count as empty afterwards, so that no further reports follow from them."""
    declared, names = _declared(game)
    entering = ZoneCapacities(game)
    contributions: dict[Holder, list[_Contribution | Sum | Entering]] = {}
    for item in (*_contributions(game), *entering.contributions()):
        # The declared capacity is the bound, as more is a fault in play, whatever is assigned.
        if item.holder not in declared:
            contributions.setdefault(item.holder, []).append(item)
    used: dict[Holder, list[Holder]] = {}
    for holder, given in contributions.items():
        holders = used.setdefault(holder, [])
        for item in given:
            item.most(_recording(holders))  # only to learn of which holders the size depends
    bounds, reports = dict(declared), []
    graph = {holder: [other for other in others if other in contributions] for holder, others in used.items()}
    # A component comes after those that it depends on, so the sizes outside it are known.
    for component in strongly_connected(graph):
        given = [item for holder in component for item in contributions[holder]]
        # An assignment that makes a collection of the size BEYOND larger makes it larger every time, as
        # `x := x + {a}` does.
        beyond = _sizes(dict.fromkeys(component, BEYOND), bounds)
        is_cyclic = len(component) > 1 or component[0] in used[component[0]]
        grows = [item for item in given if isinstance(item, _Contribution) and item.most(beyond) > BEYOND]
        if is_cyclic and (grows or any(isinstance(item, Sum) for item in given)):
            most = UNBOUNDED
        else:
            # A holder that does not depend on itself needs no size of its own, so any will do.
            most = max(item.most(_sizes(dict.fromkeys(component, 0), bounds)) for item in given)
        endless = [entering.endless(item, beyond) for item in given if isinstance(item, Entering)]
        if most < UNBOUNDED:
            endless = []
        elif is_cyclic and grows and not endless:
            first = min(grows, key=lambda item: item.span)
            endless = [_endless(first, [names[holder[:2]] for holder in component if holder[:2] in names])]
        reports += endless
        bounds |= dict.fromkeys(component, 0 if endless else min(most, UNBOUNDED))
    # Levels below 0 are runs and groups, which only this analysis needs.
    return {holder: most for holder, most in bounds.items() if holder[2] >= 0}, tuple(reports)


def _recording(holders: list[Holder]) -> SizeOf:
    """Return a size function that records the holders that it is called for."""

    def size_of(holder: Holder) -> int:
        holders.append(holder)
        return 1

    return size_of


def _sizes(component: Mapping[Holder, int], known: Mapping[Holder, int]) -> SizeOf:
    return lambda holder: component.get(holder, known.get(holder, 0))


def _endless(item: _Contribution, names: list[tuple[str, Type]]) -> Diagnostic:
    named = f"`{names[0][0]}`" if names else "this"
    message = f"{named} has no capacity: it grows from its own value here"
    what = f"`{names[0][1]} up to 20`, say" if names else "`up to 20`, say, after the type"
    return Diagnostic(spec_codes.NO_CAPACITY, message, item.span, f"declare a capacity for {named}: {what}")


# ---- holders and contributions ----------------------------------------------------------------------------------


def _declared(game: Elaborated) -> tuple[dict[Holder, int], dict[tuple[str, int | None], tuple[str, Type]]]:
    """Return the declared capacities, and the name and type of each holder that could declare one."""
    places: dict[tuple[str, int | None], tuple[str, Type]] = {}
    for element in game.elements:
        if not element.is_zone:
            places[element.name, None] = element.name, element.type
    for define in game.defines.values():
        places[define.name, None] = define.name, define.result
    routines: tuple[m.Define | m.Action, ...] = (*game.defines.values(), *game.actions.values())
    for routine in routines:
        for slot, (name, type_) in enumerate(routine.parameters, 1):
            places[routine.name, slot] = name, type_
    written = {(*place, 0): getattr(strip_optional(type_), "most", None) for place, (_, type_) in places.items()}
    written |= {(element.name, None, 0): element.most for element in game.elements if element.is_zone}
    once = {runs(routine.name): 1 for routine in _routines(game)}
    return {holder: most for holder, most in written.items() if most is not None} | once, places


def _contributions(game: Elaborated) -> Iterator[_Contribution]:
    """Yield every assignment to a holder: in play, in defines, in scores, in the positions of examples."""
    for element in game.elements:
        if element.initial is not None:
            yield from _given(element.name, None, element.type, element.initial, element.name)
    for define in game.defines.values():
        for body in (define.body, define.cycle):
            if body is not None:
                yield from _given(define.name, None, define.result, body, define.name)
                yield from _inside((body,), define.name)
    for action in game.actions.values():
        yield from _chosen(action.choices, action.name)
        yield from _inside((action.choices, action.requirements), action.name)
        yield from _run(action.body, action.name)
    for routine in _routines(game):
        yield from _run(routine.body, routine.name)
    ranks: tuple[m.ScoreClause | m.WinnerCriterion, ...] = (*game.scores, *game.winner)
    for rank in ranks:
        yield from _inside((rank.value,), rank.path)


def _routines(game: Elaborated) -> Iterator[m.Routine]:
    """Yield the routines that run once."""
    given = (example.given for example in game.examples)
    return (routine for routine in (game.setup, game.play, *given) if routine is not None)


def _run(body: m.Step, frame: str) -> Iterator[_Contribution]:
    for step in all_steps(body):
        yield from _inside(children(step), frame)
        match step:
            case m.SetLocal(slot=slot, value=value):
                yield from _given(frame, slot, value.type, value, frame)
            case m.Store(element=element, value=value):
                yield from _given(element.name, None, element.type, value, frame)
            case m.Perform(action=action, arguments=arguments):
                yield from _handed(action, arguments, frame)
            case m.Asking(options=options):
                for option in options:
                    if isinstance(option, m.ActionOption):
                        yield from _handed(option.action, option.arguments, frame)
                    else:
                        yield from _chosen(option.choices, frame)
            case m.RandomValue(slot=slot, type=type_, domain=domain):
                yield from _given(frame, slot, type_, domain, frame, inside=1)
            case m.ForEach(loops=loops):
                yield from _looped(loops, frame)


def _inside(parts: Iterable[object], frame: str) -> Iterator[_Contribution]:
    """Yield the contributions inside expressions, to local names and to parameters, but not those inside statements."""
    for part in nodes(*parts, but=m.Statement):
        match part:
            case m.LetExpr(slot=slot, value=value):
                yield from _given(frame, slot, value.type, value, frame)
            case m.AggregateExpr(loops=loops) | m.Quantifier(loops=loops):
                yield from _looped(loops, frame)
            case m.PickExpr(loop=loop):
                yield from _looped((loop,), frame)
            case m.CallDefine(name=name, arguments=arguments) | m.CanPerform(action=name, arguments=arguments):
                yield from _handed(name, arguments, frame)


def _looped(loops: Iterable[m.Loop], frame: str) -> Iterator[_Contribution]:
    for loop in loops:
        yield from _given(frame, loop.slot, loop.type, loop.domain, frame, inside=1)


def _chosen(choices: Iterable[m.Choice], frame: str) -> Iterator[_Contribution]:
    for choice in choices:
        yield from _given(frame, choice.slot, choice.type, choice.domain, frame, 0 if choice.within else 1)


def _handed(routine: str, arguments: Iterable[m.Expr], frame: str) -> Iterator[_Contribution]:
    for slot, argument in enumerate(arguments, 1):
        yield from _given(routine, slot, argument.type, argument, frame)


def _given(
    name: str, slot: int | None, type_: Type, value: m.Expr, frame: str, inside: int = 0
) -> Iterator[_Contribution]:
    """Yield a contribution for each level of the holder's type.

    inside: the level of the value that is the holder's level 0; 1 where the holder receives an item of the value."""
    level, held = 0, element_type(strip_optional(type_))
    while held is not None:
        yield _Contribution((name, slot, level), value, frame, level + inside, value.span)
        level, held = level + 1, element_type(strip_optional(held))
