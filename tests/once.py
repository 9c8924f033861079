"""Games and engines, made once for all tests of a process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import pytest

from ludex.interpreter import Engine
from ludex.interpreter.program import COMPACT
from ludex.spec import Game, find, load, overview
from ludex.spec.loading.game_cache import OpenGame

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
    """`load` with a cache: settings that are left out and their defaults lead to one game. The game's files must not
    change during the run.
    """
    least, editions = _settings(name)
    table = [least if players is None else players, editions[0] if edition is None and editions else edition]
    return _loaded(json.dumps([name, *table, options or {}, readings or {}, silence], sort_keys=True))


@cache
def _settings(name: str) -> tuple[int, tuple[str, ...]]:
    """Return the least number of players of a game, and its texts."""
    game, _ = overview(name)
    return game.players[0], game.editions


@cache
def _loaded(asked: str) -> Game:
    return load(*json.loads(asked))


_ENGINES: dict[int, Engine] = {}


def engine_once(game: Game) -> Engine:
    """Return the engine of a game, made once."""
    if id(game) not in _ENGINES:  # The key is the game's id, which is unique while the entry keeps the game alive.
        _ENGINES[id(game)] = Engine(game)
    return _ENGINES[id(game)]


_ANSWERS: dict[str, Any] = {}


def share_games(patch: pytest.MonkeyPatch) -> None:
    """Let commands that run in this process share what they make of shipped games: the checked games and their engines.

    Each command makes them anew otherwise, as the process of a user does; for a long game that takes a second.
    """
    asked, kept, shipped = OpenGame._cached, Engine.kept, find("pig").parents[1]

    def answer(self: OpenGame, question: Any, *how: Callable[..., Any]) -> Any:
        file = self._located.file
        if not file.is_relative_to(shipped):
            return asked(self, question, *how)
        key = json.dumps([str(file), question, asdict(self.budget)], sort_keys=True)
        if key not in _ANSWERS:
            _ANSWERS[key] = asked(self, question, *how)
        return _ANSWERS[key]

    def engine(game: Game) -> Engine:
        return engine_once(game) if any(game is each for each in _ANSWERS.values()) else kept(game)

    patch.setattr(OpenGame, "_cached", answer)
    patch.setattr(Engine, "kept", engine)
