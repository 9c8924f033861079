"""On-disk cache in the user's cache folder. Its files are JSON, so a manipulated one cannot run code.

The cache is optional: an entry that cannot be read, or is damaged, is computed again; an entry that cannot be written
is dropped. Writes are atomic, so concurrent processes do not disturb each other.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG, S_IWGRP, S_IWOTH
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .file_reading import NO_WAITING
from .file_writing import write_text

_MOST_BYTES = 64 * 1024 * 1024
"""The largest entry; a larger file is not an entry of the cache."""
MOST_OF_A_KIND = _MOST_BYTES
"""The size of one folder of the cache. The texts of the longest game take 1.1 MB, its rules 0.6 MB a table."""

SWITCH = "LUDEX_CACHE"
"""The environment variable; the value `off` turns the cache off, for reading and writing."""

CODE = (".py", ".lark", ".ftl")

Kept = TypeVar("Kept")


def cache_folder() -> Path | None:
    """Return the user's cache folder for Ludex; None if there is no such place or the cache is off."""
    if os.environ.get(SWITCH) == "off":
        return None
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "ludex"
    # A relative path would mean another folder in each working directory, and the standard says to ignore it.
    written = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (written if written.is_absolute() else Path.home() / ".cache") / "ludex"
    except RuntimeError:
        return None


def kept(path: Path, read: Callable[[Any], Kept]) -> Kept | None:
    """Return the value of an entry that `keep` wrote. None if the file is missing, damaged or another user's.

    Args:
        path: the path of the entry.
        read: makes the value from JSON data (in which keys are strings and tuples are lists). An exception that it
            raises for data of another shape means that the file is damaged."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | NO_WAITING), "rb") as file:
            # The open file is tested, since another file could get its name in between.
            if not _is_own(os.fstat(file.fileno())):
                return None
            digest, _, content = file.read().partition(b"\n")
        return read(json.loads(content)) if digest == _digest(content) else None
    # These are what `read` raises for data of another shape, or for data that are nested too deeply.
    except (OSError, ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        return None


def _is_own(file: os.stat_result) -> bool:
    """Return whether only this user or the system can write the file, and its size is within the limit."""
    is_owner = not hasattr(os, "geteuid") or file.st_uid in (0, os.geteuid())
    return S_ISREG(file.st_mode) and is_owner and not file.st_mode & (S_IWGRP | S_IWOTH) and file.st_size <= _MOST_BYTES


def keep(path: Path, data: Any, mode: int | None = 0o600) -> None:
    """Write JSON data as an entry of the cache; do nothing if that fails.

    mode: the permissions of the file; None: those of the user's umask."""
    # The name of a file may be half a surrogate pair, which UTF-8 cannot hold; this escapes it as JSON does.
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, _digest(content) + b"\n" + content, mode=mode)
    except OSError:
        return


def recalled(
    folder: str,
    question: str,
    make: Callable[[], Kept],
    write: Callable[[Kept], Any],
    read: Callable[[Any], Kept],
) -> Kept:
    """Return the cached answer to a question; else make it and cache it.

    Args:
        folder: a folder of the cache; beyond `MOST_OF_A_KIND` bytes, its least recently used entries are deleted.
        question: everything that the answer depends on, including the code that makes it.
        make: makes the answer.
        write: returns the answer as JSON data; None if it must not be cached.
        read: the inverse of `write`.
    """
    base, name = cache_folder(), sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    place = base / folder / name if base else None
    # The entry repeats its name: a file that was renamed or copied must not answer another question.
    entry = kept(place, lambda data: read(data["made"]) if data["place"] == name else None) if place else None
    if place and entry is not None:
        used(place)
        return entry
    answer = make()
    if place and (data := write(answer)) is not None:
        keep(place, {"place": name, "made": data})
        prune(place.parent, MOST_OF_A_KIND)
    return answer


def used(path: Path) -> None:
    """Mark a cache entry as used, for the least-recently-used order."""
    with suppress(OSError):
        os.utime(path)


def prune(folder: Path, most: int) -> None:
    """Delete the least recently used files until the others have at most `most` bytes."""
    # Another process may delete the same files; who writes the next entry prunes again.
    with suppress(OSError):
        files = [(status.st_mtime_ns, status.st_size, each) for each in folder.iterdir() for status in [each.lstat()]]
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= most:
                break
            path.unlink(missing_ok=True)
            total -= size


def rebuilt_value(kind: Any, data: Any) -> Any:
    """Return a value of frozen data classes, tuples and mappings from JSON data. Raises TypeError for data of another
    shape. kind: the type of the value."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return data
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        if not isinstance(data, dict) or data.keys() - hints.keys():
            raise TypeError(f"this is not of the type {kind}")
        return kind(**{name: rebuilt_value(hints[name], value) for name, value in data.items()})  # type: ignore[operator]
    if origin in (Union, UnionType):
        if data is None and NoneType in arguments:
            return None
        # Cached classes have no union but `X | None`.
        return rebuilt_value(next(each for each in arguments if each is not NoneType), data)
    if origin is tuple and isinstance(data, list | tuple):
        items = [arguments[0]] * len(data) if arguments[-1] is Ellipsis else arguments
        return tuple(rebuilt_value(item, each) for item, each in zip(items, data, strict=True))
    if origin is Mapping and isinstance(data, dict):
        return {name: rebuilt_value(arguments[1], value) for name, value in data.items()}
    if (origin is Literal and data in arguments) or (isinstance(kind, type) and isinstance(data, kind)):
        return data
    raise TypeError(f"this is not of the type {kind}")


FOLDERS = ("grammar", "spec", "interpreter", "cli")


@cache
def code_digest(*folders: str) -> str:
    """Return a digest of the code in some folders of Ludex, by default all. It is part of every question, since other
    code may give another answer."""
    return " ".join(map(_folder_digest, folders or FOLDERS))


@cache
def _folder_digest(folder: str) -> str:
    # Questions of one command name different folders, and each folder is read once for all.
    return digest_of_code(Path(__file__).parents[2], (folder,))


def digest_of_code(root: Path, folders: Sequence[str] = FOLDERS) -> str:
    """Return a digest of the names and contents of the source files below a root, messages included, without games."""
    digest, start = sha256(), len(f"{root}{os.sep}")
    for top in folders:
        for folder, below, names in os.walk(root / top):
            # The list is changed in place, as `os.walk` continues with it; it is sorted, as disks list names in any
            # order.
            below[:] = sorted({*below} - {"games", "__pycache__"})
            for name in sorted(names):
                if name.endswith(CODE):
                    # A `Path` of each file and a buffer would take as long as reading them.
                    path = f"{folder}{os.sep}{name}"
                    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
                        content = file.read()
                    # The zero bytes part names from contents, so that no other files have the same bytes.
                    digest.update(f"{path[start:]}\0".encode() + content + b"\0")
    return digest.hexdigest()


def _digest(content: bytes) -> bytes:
    """Return the checksum at the head of an entry, which detects truncated or changed files."""
    return sha256(content).hexdigest().encode()
