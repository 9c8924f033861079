"""Safe reading of bytes and texts from disk, with a diagnostic for each way in which a file can be unreadable.

All files that a user names, and those beside them, are opened by `read_bytes`. It never waits for a pipe, and reads a
limited number of bytes. Within `reading_once` it opens each file once: a command quotes the text that it has judged,
even if the file changes in between.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from .. import codes
from ..diagnostics import Code, Diagnostic
from ..source import Span, whole_file

MAX_BYTES = 4 * 1024 * 1024
"""The largest text that is read. The longest rulebook has a tenth of it."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
"""Byte order marks; the first of UTF-32 begins like one of UTF-16."""
NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""So that to open a pipe that nobody writes to does not wait for a writer."""
SAVE_AS_UTF8 = "save the file as UTF-8"
_HINT_STDIN = "where a command takes `-`, it reads the standard input: `... - < FILE`"


MOST_SNAPSHOTS = 64
"""How many files `reading_once` keeps, those used last; none of them is larger than `MAX_BYTES`."""

_SNAPSHOTS: ContextVar[dict[str, bytes] | None] = ContextVar("snapshots", default=None)
"""The whole content of files, by their real paths."""


@contextmanager
def reading_once() -> Iterator[None]:
    """Within this context, `read_bytes` opens each file once, and again only after `write_text` has replaced it."""
    before = _SNAPSHOTS.set({})
    try:
        yield
    finally:
        _SNAPSHOTS.reset(before)


def forget(path: Path) -> None:
    """Drop the snapshot of a file that is replaced."""
    (_SNAPSHOTS.get() or {}).pop(os.path.realpath(path), None)


def read_bytes(path: Path, most: int = MAX_BYTES, anew: bool = False) -> bytes | Diagnostic:
    """The first `most` bytes of a file and, if there are more, one more; or why it cannot be read.

    Only a regular file is read, also behind a link: a pipe or a device may never end. anew: take no snapshot."""
    snapshots = _SNAPSHOTS.get()
    if snapshots is None or anew:
        return _read(path, most)
    try:
        place = os.path.realpath(path)
    except (OSError, ValueError):  # a zero byte in the name
        return _read(path, most)
    if place in snapshots:
        snapshots[place] = snapshots.pop(place)  # it was used last
        return snapshots[place][: most + 1]
    content = _read(path, most)
    if isinstance(content, bytes) and len(content) <= min(most, MAX_BYTES):
        snapshots[place] = content
        if len(snapshots) > MOST_SNAPSHOTS:
            del snapshots[next(iter(snapshots))]
    return content


def _read(path: Path, most: int) -> bytes | Diagnostic:
    file = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return _about(codes.NOT_A_FILE, "this is a folder", file)
        if not stat.S_ISREG(mode):
            return _about(codes.NOT_A_FILE, "this is a pipe or a device, which may never end", file, _HINT_STDIN)
        with os.fdopen(os.open(path, os.O_RDONLY | NO_WAITING), "rb") as stream:
            return stream.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        missing = "this link leads to no file" if path.is_symlink() else "there is no such file"
        return _about(codes.MISSING_FILE, missing, file)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return _about(codes.UNREADABLE_FILE, f"the file cannot be read: {reason}", file)


def is_there(path: Path) -> bool:
    """Whether there is something of this name to read: a folder, a pipe or a link that leads nowhere too, of which
    `read_bytes` says why it cannot be read. So nothing that lies beside a game is passed over in silence."""
    return os.path.lexists(path)


def read_text(path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a file in UTF-8, with `\n` line ends and without a byte order mark; or None and the reason."""
    content = read_bytes(path)
    return decode_text(content, str(path)) if isinstance(content, bytes) else (None, (content,))


def decode_text(content: bytes, file: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of what was read from a file, as `read_text` gives it. More than `MAX_BYTES` is a fault."""
    if len(content) > MAX_BYTES:
        limit = f"the file has more than {MAX_BYTES // (1024 * 1024)} MB"
        return None, (_about(codes.FILE_TOO_LARGE, limit, file),)
    text = decode(content, file)
    return (text.replace("\r\n", "\n"), ()) if isinstance(text, str) else (None, (text,))


def decode(content: bytes, file: str) -> str | Diagnostic:
    """The text of a file's bytes, line ends as they are, without a byte order mark; or why they are no text."""
    fault = no_text(content, file)
    if fault is not None:
        return fault
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `utf-8-sig` counts from behind the byte order mark
        start = error.start + len(content) - len(error.object)
        return not_utf8(content[start], _place(file, content, start))


def no_text(content: bytes, file: str) -> Diagnostic | None:
    """The fault of bytes in another encoding that shows from their beginning, or with a zero byte among them."""
    encoding = _foreign_encoding(content)
    if encoding:
        return _about(codes.NOT_UTF8, f"the file is in {encoding}, not in UTF-8", file, SAVE_AS_UTF8)
    zero = content.find(0)
    if zero < 0:
        return None
    return Diagnostic(codes.BINARY_FILE, "this is not a text: it holds a zero byte", _place(file, content, zero))


def _foreign_encoding(content: bytes) -> str | None:
    """UTF-16 or UTF-32, if the first bytes show one of them: by a byte order mark, or by a zero beside each letter."""
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    letters, zeros = content[:4:2], content[1:4:2]
    pairs = ((letters, zeros), (zeros, letters))
    bare = any(zero == b"\0\0" and len(text) == 2 and min(text) >= ord("\t") for text, zero in pairs)
    return marked or ("UTF-16" if bare else None)


def not_utf8(byte: int, span: Span) -> Diagnostic:
    """The fault of a byte that belongs to no letter in UTF-8."""
    hint = f"{SAVE_AS_UTF8}; it may be in an older encoding, such as Windows-1251"
    return Diagnostic(codes.NOT_UTF8, f"the byte 0x{byte:02X} is not UTF-8", span, hint)


def _about(code: Code, message: str, file: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, whole_file(file), hint)


def _place(file: str, content: bytes, offset: int) -> Span:
    """Line and column (in characters) of a byte."""
    before = content[:offset].removeprefix(b"\xef\xbb\xbf")
    row = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return Span(file, row, column, row, column + 1)
