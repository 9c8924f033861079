"""Logs as commands take them: which files, and which games they name."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from glob import has_magic
from pathlib import Path

import click

from ludex.grammar import FILE_CODES, MAX_BYTES, Diagnostic, whole_file
from ludex.interpreter import STDIN, Log, Validator, parse_log, read_log
from ludex.spec import Budget, Game, load, read_game

from .command import GAME, AnyFunction
from .files import is_folder

STDIN_SHOWN = "standard input"
LINES = (".jsonl", ".ndjson")
YAML = (".yaml", ".yml", ".json")
_HEADER = re.compile(rb"(?:^|\[\s*\{|,)[-\s]*['\"]?ludex['\"]?\s*:", re.MULTILINE)


def find_logs(names: tuple[str, ...]) -> Iterator[str]:
    """The logs that are meant: a file itself, all logs below a folder, what a pattern matches, `-`.

    A name that leads to nothing stays in the list, to be reported."""
    for name in names:
        if name == STDIN:
            yield name
        elif name.strip() and is_folder(Path(name)):
            yield from sorted(str(path) for path in _files_below(name) if _is_log(path)) or [name]
        elif _is_pattern(name):
            yield from _fitting(name) or [name]
        else:
            yield name


def _files_below(folder: str) -> Iterator[Path]:
    """All files in a folder and the folders in it; what cannot be looked into is left out, as the system keeps it."""
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names)


def _is_pattern(name: str) -> bool:
    """A name with `*`, `?` or `[`, unless there is a file of just this name."""
    try:
        return has_magic(name) and not Path(name).exists()
    except (OSError, ValueError):
        return False


def _fitting(pattern: str) -> list[str]:
    """The files that fit a pattern with `*`, `?`, `[...]`, and `**` for any folders."""
    path = Path(pattern)
    start = Path(path.anchor)
    try:
        return sorted(str(found) for found in start.glob(str(path.relative_to(start))) if found.is_file())
    except (OSError, ValueError, NotImplementedError):
        return []


def _is_log(path: Path) -> bool:
    """Whether a file of a folder is a log. A folder may hold other YAML and JSON files, which have no header."""
    if path.suffix in LINES:
        return path.is_file()
    if path.suffix not in YAML or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return bool(_HEADER.search(file.read(4096)))
    except OSError:
        return True


def read(name: str, texts: dict[str, str]) -> Log:
    """The log of this name. The words of the standard input are kept in `texts`, for reports."""
    if name != STDIN:
        if not name.strip():
            return _nothing("LOG", "a file's name is empty; `.` is the folder here")
        if is_folder(Path(name)):
            return _nothing(name, "there is no log in this folder")
        if _is_pattern(name):
            return _nothing(name, "no file fits this pattern")
        return read_log(name)
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        return Log(STDIN_SHOWN, None, (), (_fault("file-too-large", STDIN_SHOWN, f"more than {MAX_BYTES} bytes"),))
    texts[STDIN_SHOWN] = content.decode("utf-8", "replace")
    return parse_log(content, STDIN_SHOWN)


def _nothing(name: str, message: str) -> Log:
    return Log(name, None, (), (_fault("missing-file", name, message),))


def _fault(code: str, file: str, message: str) -> Diagnostic:
    return Diagnostic(next(each for each in FILE_CODES if each.name == code), message, whole_file(file))


def names_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the games whose specs stand at these paths."""
    return tuple(read_game(path).name for path in paths)


def loader(paths: tuple[str, ...], budget: Budget) -> Callable[..., Game]:
    """Gives the games that logs name, each with this budget. paths: of specs that do not come with Ludex; a log means
    them by their names."""
    known: Mapping[str, str] = dict(zip(names_of(paths), paths, strict=True))

    def found(name: str, /, *arguments: object, **settings: object) -> Game:
        return load(known.get(name, name), *arguments, budget=budget, **settings)  # type: ignore[arg-type, misc]

    return found


def validator(paths: tuple[str, ...], budget: Budget) -> Validator:
    """Judges logs of games that come with Ludex, of the specs at the paths, and of others beside the logs."""
    return Validator(loader(paths, budget), names_of(paths))


def game_option(function: AnyFunction) -> AnyFunction:
    help_ = "A spec that logs mean by its name, where it does not come with Ludex."
    return click.option("--game", "games", type=GAME, multiple=True, metavar="PATH", help=help_)(function)
