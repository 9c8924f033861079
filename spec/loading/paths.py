"""Lookup of games: shipped ones by name, others by path; and the names of their files in reports."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from shlex import quote

from ludex.grammar import MISSING_FILE, SUFFIX, Diagnostic, Failure, Message, did_you_mean, is_there, whole_file

from .. import spec_codes
from .folder import Folder, Located

_GAMES = Path(__file__).resolve().parents[1] / "games"
SHIPPED = Path("spec/games")
"""The folder of the shipped games in reports, independent of the installation."""


@cache
def shipped_games() -> tuple[str, ...]:
    """Return the names of the games that come with Ludex, in order."""
    if not _GAMES.is_dir():
        return ()
    return tuple(sorted(path.name for path in _GAMES.iterdir() if (path / f"{path.name}{SUFFIX}").is_file()))


def shown_path(path: Path) -> str:
    """Return a path as reports show it: relative to the project for a shipped game, else to the working directory."""
    whole = Path(os.path.realpath(path))
    if whole.is_relative_to(_GAMES):
        return (SHIPPED / whole.relative_to(_GAMES)).as_posix()
    try:
        return str(whole.relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def path_from_shown(shown: str) -> Path:
    """Return the path of a file from the form that `shown_path` gives it."""
    path = Path(shown)
    return _GAMES / path.relative_to(SHIPPED) if path.is_relative_to(SHIPPED) else path


def find(name_or_path: str | Path) -> Path:
    """Return the path of the game file: of a shipped game, of a folder, or the path itself. Raises Failure if there is
    none."""
    return locate(name_or_path).file


def locate(name_or_path: str | Path) -> Located:
    """Return the path that `find` returns, with its folder. Raises Failure if there is none."""
    given = str(name_or_path)
    if given in shipped_games():
        return Located(_GAMES / given / f"{given}{SUFFIX}", Folder(_GAMES / given))
    path = Path(name_or_path)
    try:
        if path.is_dir():
            folder = Folder(path)
            return Located(_game_in(folder), folder)
        if is_there(path):
            return Located(_spec_file(path), Folder(path.parent))
    except (OSError, ValueError):  # a name that the file system cannot look up: too long, or with a null character
        pass
    raise no_such_game(given)


def hidden_by_shipped(name: str, folder: Path = Path()) -> bool:
    """Return whether the folder has a game that `find` does not return, since a shipped game has the same name.

    (`./NAME` names the game in the folder.)"""
    try:
        here = name in shipped_games() and (folder / name).is_dir() and _game_in(Folder(folder / name))
        return bool(here and not here.samefile(find(name)))
    except (OSError, Failure):
        return False


def meant_as_game(diagnostic: Diagnostic) -> Diagnostic:
    """Add a hint to the fault of a file that is missing, if a shipped game has its name."""
    name = diagnostic.span.file
    if diagnostic.code is not MISSING_FILE or name not in shipped_games():
        return diagnostic
    return replace(
        diagnostic, hint=Message("file-is-game", name=name, log=f"`ludex new-log {name}`", play=f"`ludex play {name}`")
    )


def no_such_game(given: str) -> Failure:
    """Make the Failure for a name or a path that leads to no game; no file is looked at."""
    shown = given if len(given) <= 100 else given[:100] + "..."
    # Such a name is meant as a path, so no shipped game is suggested for it.
    if "/" in given or "\\" in given or "." in given:
        return _no_game(Message("no-game-file", name=shown), shown, None)
    hint = did_you_mean(given, shipped_games()) or Message("shipped-games", names=shipped_games())
    return _no_game(Message("no-game", name=shown), shown, hint)


def _no_game(message: str, place: str, hint: str | None) -> Failure:
    return Failure([Diagnostic(spec_codes.UNKNOWN_GAME, message, whole_file(place), hint)])


def _game_in(folder: Folder) -> Path:
    """Return the game file of a folder: the one that is called like the folder, else the only one."""
    shown, named = str(folder.path), folder.path / f"{folder.path.resolve().name}{SUFFIX}"
    if is_there(named):
        return named
    games = [path for path in folder.specs if folder.first_words(path)[:1] == ["game"]]
    if len(games) == 1:
        return games[0]
    if games:
        hint = Message("several-games-hint", names=tuple(f"`{path.name}`" for path in games))
        raise _no_game(Message("several-games", name=shown), shown, hint)
    hint = Message("no-game-in-folder-hint", sample=f"NAME{SUFFIX}")
    raise _no_game(Message("no-game-in-folder", name=shown), shown, hint)


def _spec_file(path: Path) -> Path:
    if path.suffix == SUFFIX:
        return path
    command = Message(
        "not-a-spec-log", judge=f"`ludex validate {quote(str(path))}`", show=f"`ludex show {quote(str(path))}`"
    )
    beside = any(path.parent.glob(f"*{SUFFIX}"))
    hint = Message("not-a-spec-beside", folder=str(path.parent), log=command) if beside else command
    raise _no_game(Message("not-a-spec", name=str(path), suffix=SUFFIX), str(path), hint)
