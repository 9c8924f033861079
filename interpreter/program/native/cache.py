"""The cache of compiled object code, in the user's own cache folder.

Code is loaded only from a file and a folder that belong to the user and that nobody else can write; it is compared with
the digest stored in front of it. Otherwise it is compiled again, and the file replaced; in a folder that is not the
user's own nothing is stored.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ludex.grammar import cache_folder, prune, used, write_text

_MOST = 200 << 20
"""Limit of the cache, in bytes; beyond it the least recently used entries are evicted."""


def cached(key: str, make: Callable[[], bytes]) -> bytes:
    """Return the code with this key from the cache, or make and store it. key: everything that the code depends on."""
    file = file_of(key)
    code = lookup(key)
    if code is None:
        code = make()
        if file is not None:
            _write(file, code)
    return code


def lookup(key: str) -> bytes | None:
    """Return the code with this key if it is cached, else None."""
    file = file_of(key)
    code = None if file is None else _read(file)
    if file is not None and code is not None:
        used(file)
    return code


def forget_code(key: str) -> None:
    """Delete the code with this key from the cache."""
    file = file_of(key)
    if file is not None:
        with suppress(OSError):
            file.unlink()


def file_of(key: str) -> Path | None:
    """Return the file of the code with this key; None if there is no cache."""
    folder = _folder()
    return None if folder is None else folder / f"{sha256(key.encode()).hexdigest()}.o"


def _folder() -> Path | None:
    """Return the cache folder, or None if it cannot be made or is not the user's own."""
    base = cache_folder()
    # On Windows there is no owner to compare.
    if base is None or not hasattr(os, "getuid"):
        return None
    folder = base / "native"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_own(folder.lstat()) and folder.is_dir() else None
    except OSError:
        return None


def _is_own(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user, is not a link, and cannot be written by others."""
    return status.st_uid == os.getuid() and not stat.S_ISLNK(status.st_mode) and not status.st_mode & 0o022


def _read(file: Path) -> bytes | None:
    try:
        # The file is opened first and tested then, so that nobody can put another file there in between. Without
        # O_NONBLOCK, opening a pipe would wait for a writer.
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not (_is_own(status) and stat.S_ISREG(status.st_mode)):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as opened:
            digest, code = opened.read(32), opened.read()
    except OSError:
        return None
    finally:
        os.close(descriptor)
    # Neither damaged code may run, nor that of another game under the name of this one.
    return code if _digest(file, code) == digest else None


def _digest(file: Path, code: bytes) -> bytes:
    """Return the digest of the code and of the name of its file, which names everything that the code depends on."""
    return sha256(file.name.encode() + code).digest()


def _write(file: Path, code: bytes) -> None:
    """Store the code atomically: a concurrent reader finds all of it or nothing."""
    with suppress(OSError):
        write_text(file, _digest(file, code) + code, mode=0o600)
        prune(file.parent, _MOST)
