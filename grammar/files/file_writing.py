"""Atomic file writes that never follow a link out of the target folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from stat import S_IMODE

from .file_reading import forget

_PUBLIC = 0o666
"""The permissions of a new file, before the user's umask."""


def write_text(path: Path, text: str | bytes, within: Path | None = None, mode: int | None = None) -> None:
    """Write a text as UTF-8, or bytes, atomically: the old content stays until the new one is complete.

    The content goes into a new file in the same folder, which then replaces the old one. A symbolic link is followed,
    unless it leads out of the folder.

    Args:
        within: the folder that links may not leave; by default the folder of the path.
        mode: the permissions of the file; by default those of the old file, or for a new one those of the umask.

    Raises:
        OSError: the file cannot be written, would be outside the folder, or is not a regular file.
    """
    target = _target(path, within or path.parent)
    replaces = target.exists()
    if mode is None:
        mode = S_IMODE(target.stat().st_mode) if replaces else _PUBLIC
    draft = _draft(target, mode)
    try:
        with draft.open("wb") as file:
            # A report may hold the name of a file, which may have half characters: they are escaped, as on a terminal.
            file.write(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text)
            # After a power cut there is then either the old content or the new. A new file has no content to lose.
            if replaces:
                file.flush()
                os.fsync(file.fileno())
        if replaces:
            draft.chmod(mode)  # `touch` applied the umask
        draft.replace(target)
        forget(target)
    # An interrupt, too, must not leave a draft beside the file.
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_new_text(path: Path, text: str) -> None:
    """Write a text as UTF-8 into a file that does not exist. Raises OSError if it exists or cannot be written."""
    # Mode `x` is needed: with it nobody can make the file between a test and the writing.
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    forget(path)


def check_writable(path: Path, within: Path | None = None) -> None:
    """Raise OSError if `write_text` could not write a file, to be called before the work that goes into the text."""
    _draft(_target(path, within or path.parent), _PUBLIC).unlink()


def _draft(target: Path, mode: int) -> Path:
    """Create a new, empty file beside the target."""
    draft = target.with_name(f".ludex-{os.urandom(8).hex()}")
    # A file or link that somebody else put there is never written to.
    draft.touch(mode, exist_ok=False)
    return draft


def _target(path: Path, within: Path) -> Path:
    """Return the file to write, with all links resolved."""
    try:
        target, inside = Path(os.path.realpath(path)), Path(os.path.realpath(within))
    except ValueError as fault:  # a null character in the name
        raise OSError(errno.EINVAL, str(fault)) from None
    if target.is_symlink():
        raise OSError(errno.ELOOP, "this symbolic link leads to itself")
    if not target.is_relative_to(inside):
        raise OSError(errno.EPERM, f"a symbolic link leads out of the folder, to {target}")
    if target.is_dir():
        raise OSError(errno.EISDIR, "this is a folder")
    if target.exists() and not target.is_file():
        raise OSError(errno.EPERM, "this is not a regular file")
    return target
