"""Atomic file writes that never follow a link out of the target folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from stat import S_IMODE

from .reading import forget

PUBLIC = 0o666
"""The mode of a new file, before the user's mask is taken from it."""


def write_text(path: Path, text: str | bytes, within: Path | None = None, mode: int | None = None) -> None:
    """Write a text as UTF-8, or bytes: what stood there stays until all is written.

    The text goes into a new file beside it, which then takes its name. A symbolic link is followed inside the folder
    that the file belongs to, and not out of it.

    Args:
        within: that folder, or one around it; by default the folder in which the file is named.
        mode: who may read and write the file; by default who could, or for a new file whom the user's mask lets.

    Raises:
        OSError: nothing can be written there, or it would be outside the folder, or it is no regular file.
    """
    target = _target(path, within or path.parent)
    replaces = target.exists()
    if mode is None:
        mode = S_IMODE(target.stat().st_mode) if replaces else PUBLIC
    draft = _draft(target, mode)
    try:
        with draft.open("wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            if replaces:  # after a power cut there is the old text or the new one; where nothing stood nothing is lost
                file.flush()
                os.fsync(file.fileno())
        if replaces:
            draft.chmod(mode)  # whatever the user's mask has taken from it
        draft.replace(target)
        forget(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def check_writable(path: Path, within: Path | None = None) -> None:
    """Whether `write_text` could write there: asked before the work that goes into the text. Raises OSError if not."""
    _draft(_target(path, within or path.parent), PUBLIC).unlink()


def _draft(target: Path, mode: int) -> Path:
    """Create a new, empty file beside the target."""
    draft = target.with_name(f".ludex-{os.urandom(8).hex()}")
    draft.touch(mode, exist_ok=False)
    return draft


def _target(path: Path, within: Path) -> Path:
    """Return the file to write, with all links resolved."""
    try:
        target, inside = Path(os.path.realpath(path)), Path(os.path.realpath(within))
    except ValueError as fault:  # a zero byte in the name
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
