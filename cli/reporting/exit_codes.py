"""Exit codes: one table for all commands. `docs/commands.md` prints it; a test compares the two."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.grammar import Diagnostic


class Exit(IntEnum):
    """The outcome of a command. If several apply, it is the greatest of the first five."""

    GOOD = 0
    FINDINGS = 1
    UNREADABLE = 2
    USAGE = 3
    OUR_FAULT = 4
    TERMINAL_GONE = 129
    INTERRUPTED = 130
    HUNG_UP = 141
    TERMINATED = 143


MEANINGS: dict[Exit, str] = {
    Exit.GOOD: "good: no faults (there may be warnings)",
    Exit.FINDINGS: "findings: a spec, text or log was read and has faults; a log could not be judged to its end; "
    "texts differ; `fmt --check` would change a file",
    Exit.UNREADABLE: "unreadable input: a file, game, text or log that is missing, or cannot be read in full",
    Exit.USAGE: "wrong usage: an unknown option or setting, a file or an output that cannot be written, a Python "
    "package that is not installed",
    Exit.OUR_FAULT: "a fault of Ludex itself; the message says where the details for a report are",
    Exit.TERMINAL_GONE: "the terminal was closed; other programs use this code, too",
    Exit.INTERRUPTED: "stopped with Ctrl-C; other programs use this code, too",
    Exit.HUNG_UP: "the reader of the output (such as `| head`) closed the pipe; other programs use this code, too",
    Exit.TERMINATED: "terminated by another process (`kill`), or a worker process was; other programs use this code, "
    "too",
}

UNREADABLE_GROUPS = ("F1",)
"""Prefixes of the codes about files as such."""
UNREADABLE_SPEC_CODES = frozenset({"U102"})
"""Codes of other groups that leave nothing to read: there is no such game."""
LOG_GROUP = "L"
"""The prefix of the codes about logs and positions, which say themselves which of them leave nothing to read."""
USAGE_CODES = frozenset({"U101", "A240", "A241", "F107"})
"""Codes about the command line, not about the content of a file."""


def exit_of(diagnostics: Iterable[Diagnostic]) -> Exit:
    """Compute the exit code for these diagnostics."""
    return max(map(_of, diagnostics), default=Exit.GOOD)


def _of(diagnostic: Diagnostic) -> Exit:
    code = diagnostic.code.code
    if not diagnostic.is_error:
        return Exit.GOOD
    if code in USAGE_CODES:
        return Exit.USAGE
    if code.startswith(UNREADABLE_GROUPS) or code in UNREADABLE_SPEC_CODES or _is_unreadable_log(code):
        return Exit.UNREADABLE
    return Exit.FINDINGS


def _is_unreadable_log(code: str) -> bool:
    if not code.startswith(LOG_GROUP):
        return False
    from ludex.interpreter import UNREADABLE_CODES as OF_LOGS  # most commands report no log

    return any(each.code == code for each in OF_LOGS)
