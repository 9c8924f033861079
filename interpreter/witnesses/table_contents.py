"""The contents of a state or zone as JSON, by the names of its cells."""

from __future__ import annotations

from itertools import product
from typing import Any

from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ..information.visibility import HIDDEN_JSON
from ..program import State
from ..state.contents import Ticket


def cells_of(state: State, element: m.Element) -> dict[str, Any]:
    """Return the contents of a state or zone as JSON, by its indices in words (`Anna, 3`); by "" if it has none."""
    every = enumerate(product(*map(t.values, element.indices)), start=element.offset)
    return {
        ", ".join(map(show, element.indices, indices)): _cell(element, state.cells[cell]) for cell, indices in every
    }


def _cell(element: m.Element, held: t.Value) -> Any:
    if element.kind in ("pile", "bag"):
        return [_entry(element, entry) for entry in held]
    return None if held is None else _entry(element, held)


def _entry(element: m.Element, entry: t.Value) -> Any:
    return HIDDEN_JSON if isinstance(entry, Ticket) else to_json(element.type, entry)
