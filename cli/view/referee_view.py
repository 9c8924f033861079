"""The referee's view: the whole state, hidden information included, for looking at records; and a state as a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.grammar import languages
from ludex.interpreter import Engine, State, cells_of

from .observation_picture import picture_rows
from .observation_text import Viewer


def everything(engine: Engine, state: State) -> dict[str, Any]:
    """Make an observation that hides nothing."""
    seen = engine.public_view(state)
    elements = {element.name: _held(cells_of(state, element)) for element in engine.game.elements}
    for group in ("states", "zones"):
        seen[group] = {name: elements[name] for name in seen[group]}
    return seen


def _held(cells: Mapping[str, Any]) -> Any:
    # An element without indices has its content alone, as in an observation.
    return cells[""] if set(cells) == {""} else cells


def drawn_position(
    engine: Engine, state: State, player: int | None, names: Sequence[str], language: str | None, width: int
) -> str:
    """Draw a state, as the player sees it (None: the whole), in rows of so many columns."""
    around = language if language in languages() else "en"
    # The text goes into files and programs, where marks of direction would be in the way.
    viewer = Viewer(engine.game, names, language, isolating=False, around=around)
    seen = everything(engine, state) if player is None else engine.observe(state, player)
    return "\n".join(picture_rows(viewer, seen, width))
