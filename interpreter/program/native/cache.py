"""Object code that was compiled before, in the user's own cache folder.

Code is loaded only from a file and a folder that belong to the user and that nobody else may write; what is read is
compared with the digest that stands before it. Where that cannot be had, code is compiled anew and not kept.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ludex.grammar import cache_folder, prune, used, write_text

MOST = 200 << 20
"""So many bytes are kept; what was used least lately goes."""


def kept(key: str, make: Callable[[], bytes]) -> bytes:
    """The code with this key: as it was kept, else as it is made, and then kept. key: everything that it hangs on."""
    file = _file(key)
    found = there(key)
    if found is None:
        found = make()
        if file is not None:
            _write(file, found)
    return found


def there(key: str) -> bytes | None:
    """The code with this key, if it was kept."""
    file = _file(key)
    found = None if file is None else _read(file)
    if file is not None and found is not None:
        used(file)
    return found


def _file(key: str) -> Path | None:
    folder = _folder()
    return None if folder is None else folder / f"{sha256(key.encode()).hexdigest()}.o"


def _folder() -> Path | None:
    """The folder, if it can be had and is the user's own."""
    base = cache_folder()
    if base is None or not hasattr(os, "getuid"):
        return None
    folder = base / "native"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_own(folder.lstat()) and folder.is_dir() else None
    except OSError:
        return None


def _is_own(found: os.stat_result) -> bool:
    """Whether it belongs to the user, is no link, and nobody else may write it."""
    return found.st_uid == os.getuid() and not stat.S_ISLNK(found.st_mode) and not found.st_mode & 0o022


def _read(file: Path) -> bytes | None:
    try:
        held = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    with os.fdopen(held, "rb") as opened:
        status = os.fstat(opened.fileno())
        if not (_is_own(status) and stat.S_ISREG(status.st_mode)):
            return None
        digest, code = opened.read(32), opened.read()
    return code if sha256(code).digest() == digest else None


def _write(file: Path, code: bytes) -> None:
    """Keep the code; whoever reads meanwhile finds all of it or nothing."""
    with suppress(OSError):
        write_text(file, sha256(code).digest() + code, mode=0o600)
        prune(file.parent, MOST)
