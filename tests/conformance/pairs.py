"""All mappings: the files of this folder that are named after a shipped game."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ludex.spec import shipped_games

from .pair import Pair

MAPPED = tuple(name for name in shipped_games() if Path(__file__).with_name(f"{name}.py").is_file())


def pairs_of(game: str) -> tuple[Pair, ...]:
    """The settings in which a game is compared."""
    module = import_module(f".{game}", __package__)
    pairs: tuple[Pair, ...] = module.PAIRS
    return pairs


def game_of(pair: Pair) -> str:
    """What settings of one game have in common, for tests that are held in some of them: `drawn(1, by=game_of)`."""
    return pair.game
