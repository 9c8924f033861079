"""Log arguments of commands: the log that a name means, and the games that logs name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from ludex.grammar import MISSING_FILE, STDIN, Diagnostic, Message, whole_file
from ludex.interpreter import (
    Engine,
    Log,
    LogText,
    Report,
    Validator,
    log_at,
    logs_at,
    without_packing,
)
from ludex.spec import Budget, Game, OpenGame, Request, shipped_games

from .command import GAME, AnyFunction
from .reporting import Reporter, Texts, is_folder, say

NO_FILES = "none"
"""The value of `--files` with which logs may name no file."""


def read_named_log(name: str, texts: dict[str, str]) -> Log:
    """Read the log of this name, unpacked. The text of the standard input or a compressed file is kept in `texts`, for
    reports."""
    return _parsed(log_at(name), name, texts) if name.strip() else _NAMELESS


def read_each(name: str, texts: dict[str, str]) -> list[Log]:
    """Read every log of the file of this name; otherwise as `read_named_log`."""
    return [_parsed(text, name, texts) for text in logs_at(name)] if name.strip() else [_NAMELESS]


_NAMELESS = Log("LOG", None, (), (Diagnostic(MISSING_FILE, Message("file-name-empty"), whole_file("LOG")),))


def _parsed(text: LogText, name: str, texts: dict[str, str]) -> Log:
    # Reports quote the lines from the file; these two cannot be read from there.
    if name == STDIN or text.file != without_packing(text.file):
        texts[text.file] = texts.get(text.file, "") + text.content.decode("utf-8", "replace")
    return text.log()


# ---- games -----------------------------------------------------------------------------------------------------


def log_validator(paths: tuple[str, ...], budget: Budget, files: str | None = None) -> Validator:
    """Make a validator for logs of shipped games, of the specs at the paths, and of specs beside the logs.

    files: the folder of the files that logs may name; `none`: no file; None: any.
    """
    given = {path: OpenGame(path, budget) for path in paths}
    # A log names its game by the name in the header of the spec, not by the path.
    names = {path: game.overview()[0].name for path, game in given.items()}
    opened = {names[path]: game for path, game in given.items()}

    def open_game(name: str) -> OpenGame:
        if name not in opened:
            opened[name] = OpenGame(name, budget)
        return opened[name]

    own = tuple(name for path, name in names.items() if path not in shipped_games())
    return validator_of(open_game, own, files is None or (False if files == NO_FILES else files))


def validator_of(opened: Callable[[str], OpenGame], given: tuple[str, ...], files: bool | str = True) -> Validator:
    """Make a validator for logs of the games that `opened` gives. given: the names of those that are not shipped;
    files: those that logs may name, as in `Validator`."""

    def load(
        name: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> Game:
        return opened(name).load(Request(players, edition, silence, options or {}, readings or {}))

    return Validator(load, given, Engine.kept, files=files)


def tell_warnings(report: Report, texts: Texts) -> None:
    """Print the warnings of a report, beside a command's own output.

    A log that is shown or resumed is expected to be unfinished, so that warning is left out.
    """
    for finding in warnings_in(report):
        say(Reporter(texts).text(finding), err=True)


def warnings_in(report: Report) -> list[Diagnostic]:
    return [each for each in report.findings if not each.is_error and each.code.name != "log-unfinished"]


def game_option(function: AnyFunction) -> AnyFunction:
    help_ = "A spec of your own, to judge logs that name its game."
    return click.option("--game", "games", type=GAME, multiple=True, metavar="PATH", help=help_)(function)


class FilesOfLogs(click.ParamType[str]):
    """The folder of the files that logs may name, or `none`."""

    name = "files"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raise UsageError if there is no such folder: then a log may name nothing, which is `none`."""
        if value != NO_FILES and not is_folder(Path(value)):
            raise click.UsageError(Message("usage-no-folder", name=value))
        return value


def files_option(function: AnyFunction) -> AnyFunction:
    """Add the option --files; the function gets its value, or None, as `files`."""
    help_ = "Let logs name only files in FOLDER, as a game or a position; `none`: no file.  [default: any]"
    return click.option("--files", type=FilesOfLogs(), metavar="FOLDER", help=help_)(function)
