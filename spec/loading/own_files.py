"""The files that a game is made of, tested before any of them is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .folder import Folder
from .game_text import read_game


def are_files_allowed(name_or_path: str, allow: Callable[[Path], bool]) -> bool:
    """Test whether all files of the game at a path are allowed: the specs in its folder, and its component data.

    No other file is read. Raises Failure if there is no such game.
    """
    path = Path(name_or_path)
    # Each spec in the folder may be a part of the game, and is looked at.
    specs = Folder(path if path.is_dir() else path.parent).specs
    if not allow(path) or not all(map(allow, specs)):
        return False
    text = read_game(name_or_path)
    return all(allow(text.folder / name) for name in text.component_names)
