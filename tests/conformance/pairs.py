"""All mappings: the files of this folder with the name of a shipped game."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ludex.spec import shipped_games

from .pair import Pair

MAPPED = tuple(name for name in shipped_games() if Path(__file__).with_name(f"{name}.py").is_file())


def pairs_of(game: str) -> tuple[Pair, ...]:
    """Return the settings in which a game is compared."""
    module = import_module(f".{game}", __package__)
    pairs: tuple[Pair, ...] = module.PAIRS
    return pairs


def game_of(pair: Pair) -> str:
    """Return the game, for tests of some settings of each game: `drawn(1, by=game_of)`."""
    return pair.game
