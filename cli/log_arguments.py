"""Log arguments of commands: which files they mean, and which games the logs name."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

import click

from ludex.grammar import MISSING_FILE, UNREADABLE_FILE, Code, Diagnostic, is_there, no_text, read_bytes, whole_file
from ludex.interpreter import (
    MAX_LOG_BYTES,
    STDIN,
    STDIN_SHOWN,
    Engine,
    Log,
    Report,
    Validator,
    parse_log,
    read_log,
    read_standard_input,
)
from ludex.spec import Budget, Game, OpenGame, Request, shipped_games

from .command import GAME, AnyFunction
from .reporting.diagnostics import Reporter
from .reporting.output_files import is_folder
from .reporting.source_excerpts import Texts
from .reporting.terminal import say

LINES = (".jsonl", ".ndjson")
TREES = (".yaml", ".yml", ".json")
"""Endings of files in a folder that are logs only if they have a header: other YAML and JSON files may be there."""
NO_ENDING = f"the name does not end as a log's does ({', '.join((*LINES, *TREES))})"
NO_HEADER = "there is no header, a member `ludex`"
LINKED_FOLDER = "a link to a folder is not followed"
_JSON_HEADER = re.compile(rb"\A[\s\[{]*\"ludex\"\s*:")
_YAML_HEADER = re.compile(rb"^(?:- +)?[\[{]*['\"]?ludex['\"]? *:", re.MULTILINE)
"""The beginning of a header, for a file that cannot be parsed further."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file in a folder that is skipped, and why."""

    file: str
    reason: str


def read_logs(names: tuple[str, ...], texts: dict[str, str]) -> Iterator[Log | PassedOver]:
    """Read the named logs one at a time: a file, all logs below a folder, the matches of a pattern, `-`.

    A named file is always read and judged. In a folder, files that are not logs are skipped; a file that may be a log
    and cannot be read is a log with a fault. For `texts` see `read`.
    """
    for name in names:
        if name != STDIN and name.strip() and is_folder(Path(name)):
            yield from _in_folder(name)
        elif name != STDIN and _is_pattern(name):
            yield from _fitting(name)
        else:
            yield read(name, texts)


def read(name: str, texts: dict[str, str]) -> Log:
    """Read the log of this name. The text of the standard input is kept in `texts`, for reports."""
    if name == STDIN:
        content = read_standard_input()
        texts[STDIN_SHOWN] = content.decode("utf-8", "replace")
        return parse_log(content, STDIN_SHOWN)
    return read_log(name) if name.strip() else _nothing("LOG", "a file's name is empty; `.` is the current folder")


def _nothing(name: str, message: str, code: Code = MISSING_FILE) -> Log:
    return Log(name, None, (), (Diagnostic(code, message, whole_file(name)),))


# ---- folders and patterns --------------------------------------------------------------------------------------


def _in_folder(folder: str) -> Iterator[Log | PassedOver]:
    holds_logs = False
    for path in _below(folder):
        log = _of_folder(path)
        holds_logs = holds_logs or isinstance(log, Log)
        yield log
    if not holds_logs:
        yield _nothing(folder, "there is no log in this folder")


def _below(folder: str) -> list[Path]:
    """List all files below a folder, links to folders, and folders that cannot be opened."""
    paths: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=lambda fault: paths.append(Path(fault.filename))):
        links = (name for name in folders if Path(place, name).is_symlink())
        paths.extend(Path(place, name) for name in (*files, *links))
    return sorted(paths)


def _of_folder(path: Path) -> Log | PassedOver:
    """Read a file in a folder as a log, if it is one."""
    suffix = path.suffix.lower()
    if is_folder(path):
        if path.is_symlink():
            return PassedOver(str(path), LINKED_FOLDER)
        return _nothing(str(path), "this folder cannot be opened", UNREADABLE_FILE)
    if suffix in LINES:
        return read_log(path)
    return _of_tree(path) if suffix in TREES else PassedOver(str(path), NO_ENDING)


def _of_tree(path: Path) -> Log | PassedOver:
    """Read a YAML or JSON file as a log if it has a header: a folder may contain others."""
    content = read_bytes(path, MAX_LOG_BYTES)
    if isinstance(content, Diagnostic):
        return Log(str(path), None, (), (content,))
    is_text = no_text(content, str(path)) is None
    if is_text and b"ludex" not in content:
        return PassedOver(str(path), NO_HEADER)
    log = parse_log(content, str(path))
    return PassedOver(str(path), NO_HEADER) if is_text and not _has_header(log, content) else log


def _has_header(log: Log, content: bytes) -> bool:
    """Test whether the log has a header, or begins like one that cannot be parsed."""
    if log.header is not None and log.header.data is not None:
        return "ludex" in log.header.data
    begins = _JSON_HEADER if log.file.lower().endswith(".json") else _YAML_HEADER
    return begins.search(content.removeprefix(BOM_UTF8)) is not None


def _is_pattern(name: str) -> bool:
    """Test for `*`, `?` or `[` in a name, unless a file has just this name."""
    return has_magic(name) and not is_there(Path(name))


def _fitting(pattern: str) -> Iterator[Log]:
    """Read the logs that match a pattern with `*`, `?`, `[...]`, and `**` for any folders.

    As if a shell had expanded the pattern, every file is read, whatever it is; folders are not.
    """
    path = Path(pattern)
    start = Path(path.anchor)
    try:
        files = sorted(files for files in start.glob(str(path.relative_to(start))) if not is_folder(files))
    except (OSError, ValueError, NotImplementedError):
        files = []
    yield from map(read_log, files)
    if not files:
        yield _nothing(pattern, "no file matches this pattern")


# ---- games -----------------------------------------------------------------------------------------------------


def validator(paths: tuple[str, ...], budget: Budget) -> Validator:
    """Make a validator for logs of shipped games, of the specs at the paths, and of specs beside the logs."""
    given = {path: OpenGame(path, budget) for path in paths}
    names = {path: game.overview()[0].name for path, game in given.items()}
    opened = {names[path]: game for path, game in given.items()}

    def load(
        name: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> Game:
        if name not in opened:
            opened[name] = OpenGame(name, budget)
        return opened[name].load(Request(players, edition, silence, options or {}, readings or {}))

    own = tuple(name for path, name in names.items() if path not in shipped_games())
    return Validator(load, own, Engine.kept)


def tell_warnings(report: Report, texts: Texts) -> None:
    """Print the warnings of a report, beside a command's own output.

    Whoever shows or resumes a log knows that it is unfinished, so that warning is left out.
    """
    for finding in warnings_in(report):
        say(Reporter(texts).text(finding), err=True)


def warnings_in(report: Report) -> list[Diagnostic]:
    return [each for each in report.findings if not each.is_error and each.code.name != "log-unfinished"]


def game_option(function: AnyFunction) -> AnyFunction:
    help_ = "A spec of your own, to judge logs that name its game."
    return click.option("--game", "games", type=GAME, multiple=True, metavar="PATH", help=help_)(function)
