"""Paths that are not regular files, where a command expects a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

NO_FILES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "folder": ("F102", Path.mkdir),
    "link to a device": ("F102", lambda path: path.symlink_to("/dev/zero")),
    "link to nothing": ("F101", lambda path: path.symlink_to("nowhere")),
    "link to itself": ("F103", lambda path: path.symlink_to(path.name)),
}
"""By name: the code that reports such a path, and a function that makes it."""
if hasattr(os, "mkfifo"):
    NO_FILES["pipe"] = ("F102", os.mkfifo)


def put(kind: str, path: Path) -> str:
    """Put such a thing in place of the path. Returns the code of the expected report."""
    path.unlink(missing_ok=True)
    code, make = NO_FILES[kind]
    make(path)
    return code
