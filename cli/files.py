"""Writing files: wholly or not at all."""

from __future__ import annotations

from pathlib import Path

import click

from ludex.grammar import write_text


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
        write_text(path, text)
    except (OSError, RuntimeError) as fault:  # a link that leads to itself is the second
        told = fault.strerror if isinstance(fault, OSError) else None
        raise click.UsageError(f"{path} cannot be written: {told or fault}") from None
