"""Capacity inference: upper bounds for the sizes of collections and zones that declare none.

A *holder* keeps a collection: a state, a name or parameter of a routine, the result of a define; for a collection of
collections also its items, one level down. The bound of a holder depends on the bounds of other holders. In a strongly
connected component of holders there is no bound if something is added on the way. This needs no iteration: give every
holder of the component a size larger than all declared ones, and see which sizes become larger. (A size is built of
sums, products and maxima, so what adds to it anywhere adds to it there.) A zone is given what enters its group
(`zone_capacities.py`); that is a sum, so a zone in such a component has no bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Span

from .. import codes
from .. import model as m
from ..model import Holder
from ..model.graphs import all_rings
from ..model.walk import children, nodes, statements
from ..values.types import Type, element_type, strip_optional
from .bounds import UNBOUNDED
from .sizes import Sizes, most_of
from .zone_capacities import Entering, Sum, ZoneCapacities, runs

if TYPE_CHECKING:
    from .elaboration import Elaborated

BEYOND = UNBOUNDED**8
"""More than any collection outside a ring can add to one."""


@dataclass(frozen=True, slots=True)
class _Gift:
    """Something that a holder is given. frame: the routine that works it out; level: which level of the value."""

    holder: Holder
    value: m.Expr
    frame: str
    level: int
    span: Span

    def most(self, of: Sizes) -> int:
        return most_of(self.value, self.level, self.frame, of)


def capacities(game: Elaborated) -> tuple[Mapping[Holder, int], tuple[Diagnostic, ...]]:
    """The bound of every holder of the game, and a report for each ring without one and each zone (they then count as
    empty, so that nothing is reported that follows from it)."""
    declared, names = _declared(game)
    entering = ZoneCapacities(game)
    gifts: dict[Holder, list[_Gift | Sum | Entering]] = {}
    for gift in (*_gifts(game), *entering.gifts()):
        if gift.holder not in declared:
            gifts.setdefault(gift.holder, []).append(gift)
    asked: dict[Holder, list[Holder]] = {}
    for holder, given in gifts.items():
        found = asked.setdefault(holder, [])
        for gift in given:
            gift.most(_noting(found))
    bounds, reports = dict(declared), []
    for ring in all_rings({holder: [other for other in found if other in gifts] for holder, found in asked.items()}):
        given = [gift for holder in ring for gift in gifts[holder]]
        beyond = _sizes(dict.fromkeys(ring, BEYOND), bounds)
        rung = len(ring) > 1 or ring[0] in asked[ring[0]]
        grows = [gift for gift in given if isinstance(gift, _Gift) and gift.most(beyond) > BEYOND]
        if rung and (grows or any(isinstance(gift, Sum) for gift in given)):
            most = UNBOUNDED
        else:
            most = max(gift.most(_sizes(dict.fromkeys(ring, 0), bounds)) for gift in given)
        endless = [entering.endless(gift, beyond) for gift in given if isinstance(gift, Entering)]
        if most < UNBOUNDED:
            endless = []
        elif rung and grows and not endless:
            first = min(grows, key=lambda gift: gift.span)
            endless = [_endless(first, [names[holder[:2]] for holder in ring if holder[:2] in names])]
        reports += endless
        bounds |= dict.fromkeys(ring, 0 if endless else min(most, UNBOUNDED))
    return {holder: most for holder, most in bounds.items() if holder[2] >= 0}, tuple(reports)


def _noting(asked: list[Holder]) -> Sizes:
    """Return a size function that records the holders it is asked for."""

    def size_of(holder: Holder) -> int:
        asked.append(holder)
        return 1

    return size_of


def _sizes(ring: Mapping[Holder, int], known: Mapping[Holder, int]) -> Sizes:
    return lambda holder: ring.get(holder, known.get(holder, 0))


def _endless(gift: _Gift, names: list[tuple[str, Type]]) -> Diagnostic:
    named = f"`{names[0][0]}`" if names else "this"
    message = f"{named} has no capacity: it grows from its own value here"
    what = f"`{names[0][1]} up to 20`, say" if names else "`up to 20`, say, behind the type"
    return Diagnostic(codes.NO_CAPACITY, message, gift.span, f"declare a capacity for {named}: {what}")


# ---- who holds what


def _declared(game: Elaborated) -> tuple[dict[Holder, int], dict[tuple[str, int | None], tuple[str, Type]]]:
    """The capacities that are written; and what has a place where one could be, with its type."""
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


def _gifts(game: Elaborated) -> Iterator[_Gift]:
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


def _run(body: m.Step, frame: str) -> Iterator[_Gift]:
    for step in statements(body):
        yield from _inside(children(step), frame)
        match step:
            case m.SetLocal(slot=slot, value=value):
                yield from _given(frame, slot, value.type, value, frame)
            case m.Store(element=element, value=value):
                yield from _given(element.name, None, element.type, value, frame)
            case m.Perform(action=action, arguments=arguments):
                yield from _handed(action, arguments, frame)
            case m.Decide(options=options) | m.Simultaneous(options=options):
                for option in options:
                    if isinstance(option, m.ActionOption):
                        yield from _handed(option.action, option.arguments, frame)
                    else:
                        yield from _chosen(option.choices, frame)
            case m.RandomValue(slot=slot, type=type_, domain=domain):
                yield from _given(frame, slot, type_, domain, frame, inside=1)
            case m.ForEach(loops=loops):
                yield from _looped(loops, frame)


def _inside(parts: Iterable[object], frame: str) -> Iterator[_Gift]:
    """What is given within expressions, but not in statements: to names, and to the parameters of defines."""
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


def _looped(loops: Iterable[m.Loop], frame: str) -> Iterator[_Gift]:
    for loop in loops:
        yield from _given(frame, loop.slot, loop.type, loop.domain, frame, inside=1)


def _chosen(choices: Iterable[m.Choice], frame: str) -> Iterator[_Gift]:
    for choice in choices:
        yield from _given(frame, choice.slot, choice.type, choice.domain, frame, 0 if choice.within else 1)


def _handed(routine: str, arguments: Iterable[m.Expr], frame: str) -> Iterator[_Gift]:
    for slot, argument in enumerate(arguments, 1):
        yield from _given(routine, slot, argument.type, argument, frame)


def _given(name: str, slot: int | None, type_: Type, value: m.Expr, frame: str, inside: int = 0) -> Iterator[_Gift]:
    """The value for each level of the holder's type. inside: so many levels down in the value it begins."""
    level, held = 0, element_type(strip_optional(type_))
    while held is not None:
        yield _Gift((name, slot, level), value, frame, level + inside, value.span)
        level, held = level + 1, element_type(strip_optional(held))
