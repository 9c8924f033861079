"""Writing files: wholly or not at all."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

import click

from ludex.grammar import write_text


def is_folder(path: Path) -> bool:
    """Whether there is a folder of this name; a name that no file can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def make_folder(path: Path) -> None:
    """Make a folder, and those around it, if it is not there. What cannot be made is wrong usage."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise click.UsageError(f"the folder {path} cannot be made: {fault.strerror or fault}") from None


def check_writable(path: Path) -> None:
    """Whether a file could be written there: told before the work that goes into it. If not, it is wrong usage."""
    try:
        with TemporaryFile(dir=path.resolve().parent):
            pass
    except (OSError, RuntimeError) as fault:
        raise _unwritable(path, fault) from None


def write_file(path: Path, text: str) -> None:
    """Write a text as UTF-8; what stood there stays until all is written. The file's mode and links to it are kept.

    What cannot be written is wrong usage."""
    try:
        write_text(path, text)
    except (OSError, RuntimeError, ValueError) as fault:
        raise _unwritable(path, fault) from None


def _unwritable(path: Path, fault: Exception) -> click.UsageError:
    """A link that leads to itself is a RuntimeError, a name with a zero byte a ValueError."""
    told = fault.strerror if isinstance(fault, OSError) else None
    return click.UsageError(f"{path} cannot be written: {told or fault}")
