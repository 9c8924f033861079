"""The referee's view: the whole state, hidden information included, for looking at records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludex.interpreter import Engine, State, cells_of


def everything(engine: Engine, state: State) -> dict[str, Any]:
    """Make an observation that hides nothing."""
    seen = engine.public_view(state)
    elements = {element.name: _held(cells_of(state, element)) for element in engine.game.elements}
    for group in ("states", "zones"):
        seen[group] = {name: elements[name] for name in seen[group]}
    return seen


def _held(cells: Mapping[str, Any]) -> Any:
    return cells[""] if set(cells) == {""} else cells
