"""Serialisation of checked games as JSON, for `ludex.spec.loading.game_cache`."""

from __future__ import annotations

from typing import Any

from ludex.grammar import Citation, Packing, Reason

from .. import model as m
from ..values import types as t

_GAMES = Packing(m.Game, Citation, Reason, m, t)


def packed(game: m.Game) -> Any:
    """Return the game as JSON data."""
    return _GAMES.packed(game)


def unpacked_game(data: Any) -> m.Game:
    """Return the game that `packed` made the data from. Raises a built-in exception for data of another shape."""
    return _GAMES.unpacked(data)
