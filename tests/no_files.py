"""What may lie where a file is expected, and is no regular file."""

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
"""By name the code that reports it, and how it is made."""
if hasattr(os, "mkfifo"):
    NO_FILES["pipe"] = ("F102", os.mkfifo)


def put(kind: str, path: Path) -> str:
    """Put it in the place of what is there. Returns the code."""
    path.unlink(missing_ok=True)
    code, make = NO_FILES[kind]
    make(path)
    return code
