"""The command `ludex`: finds the subcommand, loads only its module, and turns every outcome into an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from .needed_packages import missing_words
from .reporting import Exit, say

COMMANDS = {
    "games": "List the games that come with Ludex.",
    "new": "Create a spec: a small game to start from.",
    "check": "Find the mistakes of a spec.",
    "fmt": "Write spec files in the canonical layout.",
    "test": "Run the examples of a game.",
    "schema": "Print the JSON Schema of a game's logs.",
    "new-log": "Create a log to be written by hand in an editor.",
    "collate": "Merge transcriptions of a game's texts.",
    "coverage": "Compare a rulebook's text with the clauses, both ways.",
    "validate": "Judge recorded games.",
    "explain": "Print what a code of a report means.",
    "migrate": "Migrate logs to a changed spec.",
    "simulate": "Play random games, write their logs, audit them.",
    "perft": "Count the ways to play.",
    "diff": "Compare the texts of a game, or two specs.",
    "play": "Play at the terminal.",
    "convert": "Write a log in another form.",
    "show": "Show the state at any event of a log; a game as one text has it.",
}
"""Every command with its line in `ludex --help`. They are listed here so that the help imports none of them."""

DEBUG = "LUDEX_DEBUG"
_FULL = frozenset(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO") if hasattr(errno, name))
"""Errors of a disk that takes no more; not every system has all of them."""


class Ludex(click.Group):
    """The group of all commands. Its `main` is the one place that turns an outcome into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"ludex.cli.commands.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Options before the command are left to click, which has messages for them.
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_unknown_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(  # type: ignore[override]  # click's overloads promise NoReturn for what is decided here at run time
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> int:
        extra.setdefault("color", _colour())
        # Click would call itself `python -m ludex` in messages where it was started so.
        code = self._ended(args, prog_name or "ludex", complete_var, extra)
        code = _flushed(code)
        if standalone_mode:
            sys.exit(code)
        return code

    def _ended(self, args: Sequence[str] | None, name: str, complete_var: str | None, extra: dict[str, Any]) -> int:
        # Missing packages are caught twice: even the words of wrong usage need some.
        try:
            try:
                return int(super().main(args, name, complete_var, standalone_mode=False, **extra) or Exit.GOOD)
            except click.ClickException as fault:
                from .reporting import wrong_usage

                _tell(wrong_usage(fault, sys.argv[1:] if args is None else args))
                return Exit.USAGE
        except click.Abort:
            _tell("stopped")
            return Exit.INTERRUPTED
        except SystemExit as end:  # click's answer to a closed pipe is 1; shell completion ends itself too
            return Exit.HUNG_UP if end.code == 1 else int(end.code or 0)
        except ImportError as fault:
            words = missing_words()
            if words is None:
                return _our_fault(fault)
            _tell(words)
            return Exit.USAGE
        except Exception as fault:  # noqa: BLE001 - a user gets no traceback, whatever the fault
            return _of_the_machine(fault) or _our_fault(fault)


def _tell(text: str, nl: bool = True) -> None:
    # Where nobody can read the standard error, the exit code still says what happened.
    with suppress(OSError):
        say(text, err=True, nl=nl)


def _unknown_command(word: str) -> str:
    from ludex.grammar import Message, did_you_mean

    hint = did_you_mean(word, COMMANDS) or Message("usage-commands", names=tuple(COMMANDS))
    return Message("usage-no-command", word=word[:40], hint=hint)


def _colour() -> bool | None:
    """Return False if colours are unwanted; None lets click test for a terminal."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _flushed(code: int) -> int:
    """Flush the output now, while a closed pipe or a full disk can still be handled."""
    try:
        sys.stdout.flush()
    except OSError as fault:
        # Python flushes once more at its exit, and would print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(fault, BrokenPipeError):
            return Exit.HUNG_UP
        # Wrong usage has been reported already.
        return code if code == Exit.USAGE else _of_the_machine(fault) or _our_fault(fault)
    return code


def _of_the_machine(fault: Exception) -> Exit | None:
    """Report a fault of the machine, such as a full disk, and return its exit code; None for any other fault."""
    pools = sys.modules.get("concurrent.futures.process")  # to load it takes long
    if pools is not None and isinstance(fault, pools.BrokenProcessPool):
        why = "perhaps because the memory was full; with fewer processes (--jobs) it takes less"
        _tell(f"ludex: a worker process was ended from outside, {why}")
        return Exit.TERMINATED
    if isinstance(fault, OSError) and fault.errno in _FULL:
        _tell(f"ludex: the output cannot be written: {fault.strerror}")
        return Exit.USAGE
    return None


def _our_fault(fault: Exception) -> Exit:
    import traceback

    return tell_own_fault(type(fault).__name__, "".join(traceback.format_exception(fault)))


def tell_own_fault(kind: str, details: str) -> Exit:
    """Say that Ludex itself failed, and where the details for a report are; return the exit code."""
    _tell(f"ludex: a fault of Ludex itself ({kind}), not of your files. Please report it", nl=False)
    if os.environ.get(DEBUG):
        _tell(f":\n{details}", nl=False)
    else:
        _tell(f" with {_kept(details)}")
    return Exit.OUR_FAULT


def _kept(details: str) -> str:
    """Write the details to a file; return the sentence that says where."""
    import platform
    import tempfile

    from .reporting import version

    head = f"ludex {version()}, Python {platform.python_version()}, {platform.platform()}\n"
    head += f"command: {' '.join(sys.argv[1:])}\n\n"
    try:
        from ludex.grammar import write_text

        handle, name = tempfile.mkstemp(prefix="ludex-fault-", suffix=".txt")
        os.close(handle)
        # A file's name in the details need not be UTF-8.
        write_text(Path(name), (head + details).encode("utf-8", "backslashreplace").decode("utf-8"))
    # The missing package may be one that this import needs.
    except (OSError, ImportError):
        return f"what {DEBUG}=1 shows"
    return f"the file {Path(name)}"


def _show_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    # Shell completion parses the options and must print nothing.
    if value and not ctx.resilient_parsing:
        from .reporting import version

        say(f"ludex {version()}")
        ctx.exit()


@click.command(
    "ludex",
    cls=Ludex,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: ludex check tic_tac_toe",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show the version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Board game rulebooks as data that a machine can referee.

    GAME is the name of a game that comes with Ludex (`ludex games` lists them), or the path of a spec's folder or file.
    """
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        return
    from ludex.grammar import reading_once

    # All of a command sees one state of each file, though somebody saves it meanwhile.
    ctx.with_resource(reading_once())


def _terminate(number: int, frame: object) -> NoReturn:
    """Exit as after Ctrl-C, so that worker processes end and temporary folders are removed."""
    sys.exit(128 + number)


def _heed_signals() -> None:
    """Handle signals that terminate the command, except those the parent process ignores (`nohup`)."""
    signal.signal(signal.SIGTERM, _terminate)
    closed = getattr(signal, "SIGHUP", None)  # there is none on Windows
    if closed is not None and signal.getsignal(closed) is not signal.SIG_IGN:
        signal.signal(closed, _terminate)


def _open_streams() -> None:
    """Put nothing in place of the standard streams that whoever started the command has closed, such as by `>&-`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end


def main() -> NoReturn:
    """Run the command and exit."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A stream of another encoding must not end a command in the middle of its report.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    _heed_signals()
    cli()
    raise AssertionError("click ends by itself")
