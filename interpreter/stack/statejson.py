"""Codec of states as JSON: every cell, pool and frame.

Values are written as states hold them (see `ludex.spec.values.types`). The format serves to save and resume a play with
the same game, not to be read by people. A tuple is a list, a set `{"set": [...]}`, an unseen piece `{"ticket": pool}`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ludex.spec import OverBudget, SpecFault
from ludex.spec import model as m
from ludex.spec import types as t

from ..state.contents import Pools, Ticket
from ..state.domains import is_value
from ..state.pools import arranged, entries_of
from .places import fits_stack
from .routines import Routine
from .state import Frame, StackState


def state_to_json(state: StackState) -> dict[str, Any]:
    """Return the whole state as JSON."""
    stack = [
        {"routine": frame.routine, "at": frame.at, "slots": encoded(frame.slots), "kept": encoded(frame.kept)}
        for frame in state.frames
    ]
    return {"cells": encoded(state.cells), "pools": encoded(state.pools), "stack": stack}


def state_from_json(game: m.Game, routines: Mapping[str, Routine], data: Any) -> StackState:
    """Read a state, which may still wait for no event. Raises ValueError if the data are not a state of this game.

    routines: all of the game, by name.
    """
    demand(isinstance(data, Mapping) and set(data) == {"cells", "pools", "stack"}, "a state has cells, pools and stack")
    cells, pools = decoded(data["cells"]), decoded(data["pools"])
    demand(isinstance(cells, tuple) and len(cells) == game.cell_count, "not the cells of this game")
    demand(isinstance(pools, tuple) and all(isinstance(pool, tuple) for pool in pools), "pools are lists")
    demand(isinstance(data["stack"], list), "a stack is a list")
    state = StackState(cells, pools, tuple(_frame(routines, frame) for frame in data["stack"]))
    for element in game.elements:
        demand(
            fits(element, cells[element.offset : element.offset + element.count]), f"{element.name} cannot hold this"
        )
    demand(pools_fit(cells, pools), "the unseen pieces do not match their pools")
    demand(fits_stack(game, routines, state.frames), "the stack is of no play of this game")
    return state


def _frame(routines: Mapping[str, Routine], data: Any) -> Frame:
    match data:
        case {"routine": str(name), "at": int(at), "slots": list(slots), "kept": list(kept), **rest} if not rest:
            routine = routines.get(name)
            demand(routine is not None, f"there is no routine {name}")
            assert routine is not None
            demand(0 <= at < len(routine.statements) and len(slots) == routine.size, f"not a place in {name}")
            return Frame(name, at, decoded(slots), decoded(kept))
        case _:
            raise ValueError("a frame has routine, at, slots and kept")


def demand(condition: bool, message: str) -> None:
    """Raise ValueError with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def demand_rest(is_at_rest: Callable[[], bool]) -> None:
    """Raise ValueError unless a state waits for an event. is_at_rest: the test, which may find a fault of the spec."""
    try:
        rests = is_at_rest()
    except OverBudget:
        raise
    except SpecFault:
        rests = False
    demand(rests, "the stack does not wait for an event")


def encoded(value: t.Value) -> Any:
    """Return a value as JSON."""
    match value:
        case Ticket(pool=pool):
            return {"ticket": pool}
        case tuple():
            return [item if type(item) is int else encoded(item) for item in value]  # a fast path for most values
        case frozenset():
            # A set has no order of its own; in this one, equal states have the same text.
            return {"set": sorted((encoded(item) for item in value), key=json.dumps)}
        case _:
            return value


def decoded(data: Any) -> t.Value:
    """Return the value that the data encode. Raises ValueError if there is none."""
    match data:
        case None | bool() | int():
            return data
        case list():
            return tuple([item if type(item) is int else decoded(item) for item in data])
        case {"set": list(items), **rest} if not rest:
            return frozenset(map(decoded, items))
        case {"ticket": int(pool), **rest} if not rest:
            return Ticket(pool)
        case _:
            raise ValueError("not a value that a state holds")


def fits(element: m.Element, held: Sequence[t.Value]) -> bool:
    """Test whether the element's cells can have these contents."""
    if not element.is_zone:
        return _are_values(element.type, held)
    if not all(_is_content(element, each) for each in held):
        return False
    pieces = [entry for each in held for entry in entries_of(each)]
    # In any other zone a ticket is not a value of the type.
    if element.visibility == "hidden":
        pieces = [entry for entry in pieces if not isinstance(entry, Ticket)]
    return _are_values(element.type, pieces)


def _are_values(of: t.Type, held: Iterable[t.Value]) -> bool:
    """Test whether all are values of the type.

    Equal values are checked once. The key has their Python type, as `True == 1` but is not a number of a game.
    """
    if t.size(of) is not None:
        held = [value for _, value in {(type(each), each) for each in held}]
    return all(is_value(of, value) for value in held)


def _is_content(element: m.Element, held: t.Value) -> bool:
    """Test whether the content has the form of this kind of zone, whatever its entries are."""
    is_list = isinstance(held, tuple) and not isinstance(held, Ticket)
    if element.kind == "one":
        return not is_list
    return is_list and (element.kind != "bag" or _in_order(held))


def _in_order(entries: Sequence[t.Value]) -> bool:
    try:
        return arranged(entries) == tuple(entries)
    except TypeError:
        return False


def miscounted_pools(cells: Sequence[t.Value], pools: Pools) -> dict[int, tuple[int, int]]:
    """Return the pools that do not have as many entries as tickets in play, with both numbers."""
    holders = [*map(entries_of, cells), *pools]
    out = Counter(entry.pool for entries in holders for entry in entries if isinstance(entry, Ticket))
    sizes = Counter({number: len(pool) for number, pool in enumerate(pools)})
    return {number: (sizes[number], out[number]) for number in sorted(out | sizes) if sizes[number] != out[number]}


def pools_fit(cells: Sequence[t.Value], pools: Pools) -> bool:
    """Test whether as many tickets of each pool are in play as it has entries, and no pool contains itself."""
    if miscounted_pools(cells, pools):
        return False
    inside = {n: {e.pool for e in pool if isinstance(e, Ticket)} for n, pool in enumerate(pools)}
    # Remove pools without pools in them, again and again: what is left lies in a circle, and would be followed for
    # ever.
    while free := [number for number, inner in inside.items() if not inner & inside.keys()]:
        for number in free:
            del inside[number]
    return not inside and all(map(_in_order, pools))
