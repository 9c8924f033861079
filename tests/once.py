"""Games and engines, made once for all tests of a process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from ludex.interpreter import Engine
from ludex.interpreter.program import COMPACT
from ludex.spec import Game, load

EAGER = replace(COMPACT, often=3)
"""Limits with which a play soon reaches code that was lowered again."""


def game_once(
    name: str,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    silence: str = "borrow",
) -> Game:
    """`load` with a cache. The game's files must not change during the run."""
    return _loaded(json.dumps([name, players, edition, options, readings, silence]))


@cache
def _loaded(asked: str) -> Game:
    return load(*json.loads(asked))


_ENGINES: dict[int, Engine] = {}


def engine_once(game: Game) -> Engine:
    """Return the engine of a game, made once."""
    if id(game) not in _ENGINES:  # The key is the game's id, which is unique while the entry keeps the game alive.
        _ENGINES[id(game)] = Engine(game)
    return _ENGINES[id(game)]
