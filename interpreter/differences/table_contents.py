"""What lies on a table, as JSON by name."""

from __future__ import annotations

from itertools import product
from typing import Any

from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ..program import State
from ..state.contents import Ticket

UNSEEN = {"hidden": True}
"""A piece that nobody has seen, so that even the record does not say what it is."""


def cells_of(state: State, element: m.Element) -> dict[str, Any]:
    """What a state or zone holds, by its indices in words (`Anna, 3`); of one without indices by the empty word."""
    every = enumerate(product(*map(t.values, element.indices)), start=element.offset)
    return {
        ", ".join(map(show, element.indices, indices)): _cell(element, state.cells[cell]) for cell, indices in every
    }


def _cell(element: m.Element, held: t.Value) -> Any:
    if element.kind in ("pile", "bag"):
        return [_entry(element, entry) for entry in held]
    return None if held is None else _entry(element, held)


def _entry(element: m.Element, entry: t.Value) -> Any:
    return UNSEEN if isinstance(entry, Ticket) else to_json(element.type, entry)
