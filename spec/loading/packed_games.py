"""Serialisation of checked games as JSON, for `ludex.spec.loading.game_cache`."""

from __future__ import annotations

from typing import Any

from ludex.grammar import Citation, Packing, Reason

from .. import model as m
from ..values import types as t

GAMES = Packing(m.Game, Citation, Reason, m, t)


def packed(game: m.Game) -> Any:
    """The game as JSON has it."""
    return GAMES.packed(game)


def unpacked(told: Any) -> m.Game:
    """The game that was packed so. Raises an error of Python's own where the data are of another shape."""
    return GAMES.unpacked(told)
