"""States as JSON, and back: values as the engine holds them, for the same game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludex.spec import model as m

from ..statejson import decoded, demand, encoded, fits, pools_fit
from .chance import AWAITING
from .run import Rules
from .state import Frame, State


def state_to_json(state: State) -> dict[str, Any]:
    """The whole state."""
    stack = [
        {"routine": frame.routine, "at": frame.at, "slots": encoded(frame.slots), "kept": encoded(frame.kept)}
        for frame in state.frames
    ]
    return {"cells": encoded(state.cells), "pools": encoded(state.pools), "stack": stack}


def state_from_json(rules: Rules, data: Any) -> State:
    """The state that the data stand for. Raises ValueError where they are none of this game.

    What a routine's own names hold, and what its statements keep, is not checked against their types."""
    demand(isinstance(data, Mapping) and set(data) == {"cells", "pools", "stack"}, "a state has cells, pools and stack")
    cells, pools = decoded(data["cells"]), decoded(data["pools"])
    demand(isinstance(cells, tuple) and len(cells) == rules.game.cell_count, "not the cells of this game")
    demand(isinstance(pools, tuple) and all(isinstance(pool, tuple) for pool in pools), "pools are lists")
    demand(isinstance(data["stack"], list), "a stack is a list")
    state = State(cells, pools, tuple(_frame(rules, frame) for frame in data["stack"]))
    for element in rules.game.elements:
        for cell in range(element.offset, element.offset + element.count):
            demand(fits(element, cells[cell]), f"{element.name} cannot hold this")
    demand(pools_fit(cells, pools), "the unseen pieces do not match their pools")
    if state.frames:
        last = state.frames[-1]
        waits = (m.Decide, m.Simultaneous, *AWAITING)
        awaited = rules.routines[last.routine].statements[last.at]
        demand(isinstance(awaited, waits), "the stack does not wait for an event")
    return state


def _frame(rules: Rules, data: Any) -> Frame:
    match data:
        case {"routine": str(name), "at": int(at), "slots": list(slots), "kept": list(kept), **rest} if not rest:
            routine = rules.routines.get(name)
            demand(routine is not None, f"there is no routine {name}")
            assert routine is not None
            demand(0 <= at < len(routine.statements) and len(slots) == routine.size, f"not a place in {name}")
            return Frame(name, at, decoded(slots), decoded(kept))
        case _:
            raise ValueError("a frame has routine, at, slots and kept")
