"""States as JSON, and back: every cell, pool and frame.

Values stand there as the engine holds them (see `ludex.spec.types`): this is for saving and resuming a play with the
same game, not for reading. A tuple is a list, a set `{"set": [...]}`, an unseen piece `{"ticket": pool}`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from .domains import is_value
from .instructions import Chance, Decide, RoutineCode, Together
from .machine import Machine
from .pools import arranged, entries_of
from .state import Frame, Pools, State, Ticket


def state_to_json(machine: Machine, state: State) -> dict[str, Any]:
    """The whole state."""
    stack = [
        {"routine": machine.routines[frame.routine].name, "at": frame.pc, "slots": encoded(tuple(frame.slots))}
        for frame in state.frames
    ]
    return {"cells": encoded(tuple(state.cells)), "pools": encoded(state.pools), "stack": stack}


def state_from_json(machine: Machine, data: Any) -> State:
    """The state that the data stand for. Raises ValueError where they are none of this game.

    What a routine's own names hold is not checked against their types."""
    demand(isinstance(data, Mapping) and set(data) == {"cells", "pools", "stack"}, "a state has cells, pools and stack")
    cells, pools = decoded(data["cells"]), decoded(data["pools"])
    demand(isinstance(cells, tuple) and len(cells) == machine.game.cell_count, "not the cells of this game")
    demand(isinstance(pools, tuple) and all(isinstance(pool, tuple) for pool in pools), "pools are lists")
    demand(isinstance(data["stack"], list), "a stack is a list")
    state = State(list(cells), pools, [_frame(machine, frame) for frame in data["stack"]], machine.table)
    for element in machine.game.elements:
        for cell in range(element.offset, element.offset + element.count):
            demand(fits(element, state.cells[cell]), f"{element.name} cannot hold this")
    demand(pools_fit(state.cells, state.pools), "the unseen pieces do not match their pools")
    waits = Decide | Together | Chance
    demand(not state.frames or isinstance(machine.standing_at(state), waits), "the stack does not wait for an event")
    return state


def demand(met: bool, message: str) -> None:
    """Raises ValueError."""
    if not met:
        raise ValueError(message)


def encoded(value: t.Value) -> Any:
    """A value as JSON."""
    match value:
        case Ticket(pool=pool):
            return {"ticket": pool}
        case tuple():
            return [encoded(item) for item in value]
        case frozenset():
            return {"set": sorted((encoded(item) for item in value), key=json.dumps)}
        case _:
            return value


def decoded(data: Any) -> t.Value:
    """The value that the data stand for. Raises ValueError."""
    match data:
        case None | bool() | int():
            return data
        case list():
            return tuple(map(decoded, data))
        case {"set": list(items), **rest} if not rest:
            return frozenset(map(decoded, items))
        case {"ticket": int(pool), **rest} if not rest:
            return Ticket(pool)
        case _:
            raise ValueError("not a value that a state holds")


def _frame(machine: Machine, data: Any) -> Frame:
    match data:
        case {"routine": str(name), "at": int(at), "slots": list(slots), **rest} if not rest:
            number = next((n for n, routine in enumerate(machine.routines) if routine.name == name), None)
            demand(number is not None, f"there is no routine {name}")
            assert number is not None
            routine: RoutineCode = machine.routines[number]
            demand(0 <= at < len(routine.code) and len(slots) == routine.size, f"not a place in {name}")
            return Frame(number, at, list(decoded(slots)))
        case _:
            raise ValueError("a frame has routine, at and slots")


def fits(element: m.Element, held: t.Value) -> bool:
    """Whether a cell of the element can hold this."""
    if not element.is_zone:
        return is_value(element.type, held)
    if element.kind != "one" and (not isinstance(held, tuple) or isinstance(held, Ticket)):
        return False
    entries = entries_of(held)
    if element.kind == "bag" and not _in_order(entries):
        return False
    hidden = element.visibility == "hidden"
    return all(hidden if isinstance(entry, Ticket) else is_value(element.type, entry) for entry in entries)


def _in_order(entries: Sequence[t.Value]) -> bool:
    try:
        return arranged(entries) == tuple(entries)
    except TypeError:
        return False


def pools_fit(cells: Sequence[t.Value], pools: Pools) -> bool:
    """As many tickets of each pool are out as it holds entries, and no pool holds itself."""
    holders = [*map(entries_of, cells), *pools]
    out = Counter(entry.pool for entries in holders for entry in entries if isinstance(entry, Ticket))
    if out != Counter({number: len(pool) for number, pool in enumerate(pools)}):
        return False
    inside = {n: {e.pool for e in pool if isinstance(e, Ticket)} for n, pool in enumerate(pools)}
    while free := [number for number, inner in inside.items() if not inner & inside.keys()]:
        for number in free:
            del inside[number]
    return not inside and all(map(_in_order, pools))
