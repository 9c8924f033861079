"""The whole table, as nobody who plays may see it: for looking at records."""

from __future__ import annotations

from itertools import product
from typing import Any

from ludex.interpreter import Engine, State, Ticket
from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

UNKNOWN = {"hidden": True}
"""A piece that nobody has seen, so that even the record does not say what it is."""


def everything(engine: Engine, state: State) -> dict[str, Any]:
    """What an observation would be that hides nothing."""
    seen = engine.public_view(state)
    elements = {element.name: _element(state, element) for element in engine.game.elements}
    for group in ("states", "zones"):
        seen[group] = {name: elements[name] for name in seen[group]}
    return seen


def _element(state: State, element: m.Element) -> Any:
    every = enumerate(product(*map(t.values, element.indices)), start=element.offset)
    held = {
        ", ".join(map(show, element.indices, indices)): _cell(element, state.cells[cell]) for cell, indices in every
    }
    return held if element.indices else held[""]


def _cell(element: m.Element, held: t.Value) -> Any:
    if element.kind in ("pile", "bag"):
        return [_entry(element, entry) for entry in held]
    return None if held is None else _entry(element, held)


def _entry(element: m.Element, entry: t.Value) -> Any:
    return UNKNOWN if isinstance(entry, Ticket) else to_json(element.type, entry)
