"""States as JSON, and back, of the engine of closures; those of the reference are in `reference/statejson.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .instructions import Chance, Decide, RoutineCode, Together
from .machine import Machine
from .reference.statejson import decoded, demand, encoded, fits, pools_fit
from .state import Frame, State


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
        held = state.cells[element.offset : element.offset + element.count]
        demand(fits(element, held), f"{element.name} cannot hold this")
    demand(pools_fit(state.cells, state.pools), "the unseen pieces do not match their pools")
    waits = Decide | Together | Chance
    demand(not state.frames or isinstance(machine.standing_at(state), waits), "the stack does not wait for an event")
    return state


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
