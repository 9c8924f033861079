"""Fast paths: services specialized for one statement and its kinds of zones, so that the usual case takes one call.

A fast path handles at most a single piece. In any other case it changes nothing, and calls the general service
(`pieces.py`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...state.contents import Ticket
from ...state.pools import OUTCOME, Route
from ...state.zones import ENTRIES
from ..ir import code as c
from ..ir.unknown_values import Undetermined
from .state import State

if TYPE_CHECKING:
    from .pieces import Services

Held: TypeAlias = Any
"""The contents of a zone's cell."""


Reveal: TypeAlias = Callable[[State, t.Value, Route | None], None]
"""Reveals the piece that a chance event brings, by the route if it can come by several."""
Weigh: TypeAlias = Callable[[State], tuple[Sequence[t.Value], Sequence[int]]]
"""Lists what a chance event may bring, in order, and the integer weight of each."""


OTHERWISE: Any = object()
"""Marks zone contents that only the general service can compute."""


def _without_of_bag(held: Held, piece: t.Value) -> Held:
    if type(piece) is int:
        at = bisect_left(held, piece)
        if at < len(held) and held[at] == piece:
            return held[:at] + held[at + 1 :]
    return OTHERWISE


def _without_of_pile(held: Held, piece: t.Value) -> Held:
    return held[:-1] if held and type(piece) is int and held[-1] == piece else OTHERWISE


def _without_of_one(held: Held, piece: t.Value) -> Held:
    return None if type(piece) is int and held == piece else OTHERWISE


def _with_of_bag(held: Held, piece: t.Value) -> Held:
    if type(piece) is not int:
        return OTHERWISE
    try:
        at = bisect_right(held, piece)
    except Undetermined:
        return OTHERWISE
    return (*held[:at], piece, *held[at:])


def _with_of_one(held: Held, piece: t.Value) -> Held:
    return piece if held is None else OTHERWISE


def _without(element: m.Element) -> Callable[[Held, t.Value], Held] | None:
    """Return the function that removes a piece from a zone's contents, or None if the general service must do it."""
    if element.kind == "bag":
        return None if element.visibility == "hidden" else _without_of_bag
    return _without_of_one if element.kind == "one" else _without_of_pile


def _with(element: m.Element, bottom: bool) -> Callable[[Held, t.Value], Held] | None:
    """Return the function that adds a piece to a zone's contents, or None if the general service must do it."""
    if element.kind == "one":
        return _with_of_one
    if element.most is not None or (element.kind == "bag" and element.visibility == "hidden"):
        return None
    if element.kind == "bag":
        return _with_of_bag
    return (lambda held, piece: (piece, *held)) if bottom else (lambda held, piece: (*held, piece))


def move(services: Services, at: int) -> Callable[..., None]:
    """Specialize: move a piece from one zone to another."""
    step, meter = services.step(at), services.meter
    without, with_ = _without(step.source.element), _with(step.target.element, step.bottom)
    if without is None or with_ is None:
        return lambda play, source, target, piece: services.move(play, at, source, target, (piece,))

    def bound(play: State, source: int, target: int, piece: t.Value) -> None:
        cells = play.cells
        held = cells[source]
        rest, more = without(held, piece), with_(cells[target], piece)
        if rest is OTHERWISE or more is OTHERWISE or source == target:
            services.move(play, at, source, target, (piece,))
            return
        cells[source], cells[target] = rest, more
        meter.left -= len(held) // ENTRIES + 1 if rest is not None else 1
        if meter.left < 0:
            raise meter.over(step.path, step.span)

    return bound


def leave(services: Services, at: int) -> Callable[..., None]:
    """Specialize: remove a piece from the game."""
    step, meter = services.step(at), services.meter
    without = _without(step.source.element)
    if without is None:
        return lambda play, source, piece: services.leave(play, at, source, (piece,))

    def bound(play: State, source: int, piece: t.Value) -> None:
        held = play.cells[source]
        rest = without(held, piece)
        if rest is OTHERWISE or play.trace is not None:
            services.leave(play, at, source, (piece,))
            return
        play.cells[source] = rest
        meter.left -= len(held) // ENTRIES + 1 if rest is not None else 1
        if meter.left < 0:
            raise meter.over(step.path, step.span)

    return bound


def move_all(services: Services, at: int) -> Callable[..., None]:
    """Specialize: move all pieces from one zone to another, usually none or one."""
    step = services.step(at)
    is_one, with_ = step.source.element.kind == "one", _with(step.target.element, step.bottom)

    def bound(play: State, source: int, target: int) -> None:
        cells = play.cells
        held = cells[source]
        if held is None or held == ():
            return
        if with_ is not None and source != target and (is_one or len(held) == 1):
            more = with_(cells[target], held if is_one else held[0])
            if more is not OTHERWISE:
                cells[source], cells[target] = None if is_one else (), more
                return
        services.move_all(play, at, source, target)

    return bound


def draw(services: Services, at: int) -> Callable[..., bool]:
    """Specialize: draw until an unseen piece must be revealed, usually the first."""
    step = services.step(at)
    is_light = step.source.element.kind == "pile" and step.target.element.visibility != "hidden"

    def bound(play: State, source: int, target: int, left: int) -> bool:
        cells = play.cells
        if is_light and cells[left] > 0:
            held = cells[cells[source]]
            if held and type(held[-1]) is Ticket:
                return False
        return services.draw(play, at, source, target, left)

    return bound


def revealing(services: Services, wait: c.Waiting | None, general: Reveal) -> Reveal:
    """Specialize: reveal the piece that is drawn from a pile, usually a ticket of a pool without tickets."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile":
        return general
    step, meter, with_ = wait.statement, services.meter, _with(wait.target, wait.bottom)
    if with_ is None:
        return general
    source_cell, target_cell, left = wait.cells

    def bound(play: State, piece: t.Value, via: Route | None) -> None:
        cells, pools = play.cells, play.pools
        source, target = cells[source_cell], cells[target_cell]
        held, more = cells[source], with_(cells[target], piece)
        top = held[-1]
        if more is OTHERWISE or via is not None or type(top) is not Ticket or source == target:
            general(play, piece, via)
            return
        pool = pools[top.pool]
        at = bisect_left(pool, piece) if type(pool[-1]) is int else len(pool)
        if at == len(pool) or pool[at] != piece:
            general(play, piece, via)
            return
        meter.left -= len(held) // ENTRIES + 1
        if meter.left < 0:
            raise meter.over(step.path, step.span)
        rest = pool[:at] + pool[at + 1 :]
        if pool is services.distinct:
            services.distinct = rest
        if len(pools) == 1:
            play.pools = (rest,)
        else:
            play.put_pool(top.pool, rest)
        cells[source], cells[target] = held[:-1], more
        cells[left] -= 1

    return bound


def weighing(services: Services, wait: c.Waiting | None, general: Weigh) -> Weigh:
    """Specialize: what may be drawn from a pile, usually from a pool without tickets, and the weight of each result."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile":
        return general
    step, meter, source = wait.statement, services.meter, wait.cells[0]

    def bound(play: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        cells = play.cells
        top = cells[cells[source]][-1]
        pool = play.pools[top.pool] if type(top) is Ticket else ()
        if not pool or type(pool[-1]) is Ticket:
            return general(play)
        meter.left -= OUTCOME * len(pool)
        if meter.left < 0:
            raise meter.over(step.path, step.span)
        if pool is services.distinct:
            return pool, (1,) * len(pool)
        return services.counted_pool(pool)

    return bound


def stated(services: Services, at: int) -> Callable[..., int]:
    """Specialize: find the option that the next player has stated, and name that player `me`; -1 if none is left."""
    wait = services.program.waits[at]
    assert isinstance(wait, c.Together)
    places = [[argument.cell for argument in option.arguments] for option in wait.options]

    def bound(play: State, stated: int, seat: int, me: int) -> int:
        cells = play.cells
        choices, at = cells[stated], cells[seat]
        while at < len(choices) and (choices[at] is None or choices[at][0] < 0):
            at += 1
        if at == len(choices):
            return -1
        option, values = choices[at]
        cells[seat], cells[me] = at + 1, at
        play.may_refuse = False
        for cell, value in zip(places[option], values, strict=True):
            if cell is not None:
                cells[cell] = value
        play.known = {}
        return int(option)

    return bound


FAST_PATHS: Mapping[str, Callable[[Services, int], Callable[..., Any]]] = {
    "move": move,
    "leave": leave,
    "move_all": move_all,
    "draw": draw,
    "stated": stated,
}
"""The fast paths by the names of the services."""
