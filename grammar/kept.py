"""What Ludex keeps between runs, in the user's cache folder: JSON, which nobody can make run anything.

What is kept is a convenience: where it cannot be read, or is damaged, it is made anew; where it cannot be written it is
not kept.
"""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from .writing import write_text


def cache_folder() -> Path | None:
    """The user's own cache folder for Ludex. None where there is no such place."""
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "ludex"
    written = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (written if written.is_absolute() else Path.home() / ".cache") / "ludex"
    except RuntimeError:
        return None


def kept(path: Path) -> Any | None:
    """What `keep` put there, as JSON has it: names of members are texts, there are no tuples. None if there is nothing,
    or something else, or a part of it."""
    try:
        if not path.is_file():
            return None
        digest, _, told = path.read_bytes().partition(b"\n")
        return json.loads(told) if digest == _digest(told) else None
    except (OSError, ValueError, RecursionError):
        return None


def keep(path: Path, data: Any) -> None:
    """Keep a value that JSON can hold."""
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, f"{_digest(told.encode()).decode()}\n{told}")
    except OSError:
        return


def _digest(told: bytes) -> bytes:
    """It stands above what is kept: a file that was cut off or changed is not believed."""
    return sha256(told).hexdigest().encode()
