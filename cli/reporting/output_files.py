"""Writing files for commands; a file that cannot be written is wrong usage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from ludex.grammar import Message, is_there, write_new_text, write_text
from ludex.grammar import check_writable as check


def is_folder(path: Path) -> bool:
    """Test whether the path is a folder; False for a name that no file can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def make_folder(path: Path) -> None:
    """Make a folder and its parents if they are missing. Raises UsageError if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise click.UsageError(Message("usage-no-folder", name=str(path))) from None
    except OSError as fault:
        raise _unusable(path, "usage-not-created", fault) from None


def demand_writable(path: Path, within: Path | None = None) -> None:
    """Test before long work that a file can be written there. Raises UsageError if not."""
    with _unwritable_is_usage(path):
        check(path, within)


def write_file(path: Path, text: str | bytes, within: Path | None = None) -> None:
    """Write a text or bytes, see `ludex.grammar.write_text`. Raises UsageError if that fails."""
    with _unwritable_is_usage(path):
        write_text(path, text, within)


def write_new_files(texts: Mapping[Path, str]) -> None:
    """Write files of which none may exist. Raises UsageError if one does, and then writes none, or if one cannot be
    written."""
    for path in texts:
        with _unwritable_is_usage(path):
            if is_there(path):
                raise click.UsageError(Message("usage-exists", name=str(path)))
    for path, text in texts.items():
        with _unwritable_is_usage(path):
            # This does not overwrite either, as the file may have been made since.
            write_new_text(path, text)


@contextmanager
def _unwritable_is_usage(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise _unusable(path, "usage-not-written", fault) from None


def _unusable(path: Path, entry: str, fault: OSError) -> click.UsageError:
    return click.UsageError(Message(entry, name=str(path), reason=fault.strerror or str(fault)))
