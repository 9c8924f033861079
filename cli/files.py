"""Writing files: wholly or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click


def is_folder(path: Path) -> bool:
    """Whether there is a folder of this name; a name that no file can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def write_file(path: Path, text: str) -> None:
    """Write a text as UTF-8; what stood there stays until all is written. The file's mode and links to it are kept.

    What cannot be written is wrong usage."""
    try:
        _replace(path.resolve(), text)
    except (OSError, RuntimeError) as fault:  # a link that leads to itself is the second
        told = fault.strerror if isinstance(fault, OSError) else None
        raise click.UsageError(f"{path} cannot be written: {told or fault}") from None


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        draft.chmod(path.stat().st_mode & 0o7777 if path.exists() else _new_mode())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
