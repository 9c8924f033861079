"""Safe reading of bytes and texts from disk, with a diagnostic for each way in which a file can be unreadable.

All files that a user names, and those in the same folders, are opened by `read_bytes`. It never waits for a pipe, and
reads a limited number of bytes. Within `reading_once` it opens each file once, so that a command quotes the text that
it has checked, even if the file changes in between.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BufferedReader, FileIO
from pathlib import Path

from .. import text_codes
from ..diagnostics import Code, Diagnostic
from ..messages.message import Message
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
"""Flags for opening files; with O_NONBLOCK, opening a pipe does not wait for a writer."""

MOST_SNAPSHOTS = 64
"""The number of most recently used files that `reading_once` keeps; each has at most `MAX_BYTES` bytes."""

_SNAPSHOTS: ContextVar[dict[str, bytes] | None] = ContextVar("snapshots", default=None)
"""The whole content of files, by their real paths."""


@contextmanager
def reading_once() -> Iterator[None]:
    """Make `read_bytes` open each file once, and again only after `write_text` has replaced it."""
    before = _SNAPSHOTS.set({})
    try:
        yield
    finally:
        _SNAPSHOTS.reset(before)


def forget(path: Path) -> None:
    """Drop the snapshot of a file that is replaced."""
    (_SNAPSHOTS.get() or {}).pop(os.path.realpath(path), None)


def read_bytes(path: Path, most: int = MAX_BYTES, anew: bool = False) -> bytes | Diagnostic:
    """Return the first `most` bytes of a file, and one more if there are more; or the reason why it cannot be read.

    Only regular files are read, also through symbolic links, since a pipe or a device may never end.
    anew: read the file even if there is a snapshot of it."""
    snapshots = _SNAPSHOTS.get()
    if snapshots is None or anew:
        return _read(path, most)
    try:
        place = os.path.realpath(path)
    except (OSError, ValueError):  # a null character in the name
        return _read(path, most)
    if place in snapshots:
        snapshots[place] = snapshots.pop(place)  # now it is the most recently used
        return snapshots[place][: most + 1]
    content = _read(path, most)
    # Only whole files are kept: a caller with another bound must not get the beginning of one.
    if isinstance(content, bytes) and len(content) <= min(most, MAX_BYTES):
        snapshots[place] = content
        if len(snapshots) > MOST_SNAPSHOTS:
            del snapshots[next(iter(snapshots))]
    return content


def _read(path: Path, most: int) -> bytes | Diagnostic:
    stream = open_bytes(path)
    if isinstance(stream, Diagnostic):
        return stream
    try:
        with stream:
            return stream.read(most + 1)
    except OSError as error:
        return unreadable(str(path), error)


def open_bytes(path: Path) -> BufferedReader | Diagnostic:
    """Open a file for reading as a stream; or return the reason why it cannot be read.

    Only regular files are opened, see `read_bytes`. Reading may still raise OSError, of which `unreadable` makes a
    diagnostic."""
    file = str(path)
    try:
        # This is tested before opening: to open a device may change it.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return _about(text_codes.NOT_A_FILE, Message("file-is-folder"), file)
        if not stat.S_ISREG(mode):
            hint = Message("file-pipe-hint", sample="`... - < FILE`")
            return _about(text_codes.NOT_A_FILE, Message("file-is-pipe"), file, hint)
        return BufferedReader(FileIO(os.open(path, os.O_RDONLY | NO_WAITING)))
    except (FileNotFoundError, NotADirectoryError):
        missing = "file-link-leads-nowhere" if path.is_symlink() else "file-missing"
        return _about(text_codes.MISSING_FILE, Message(missing), file)
    except (OSError, ValueError) as error:
        return unreadable(file, error)


def unreadable(file: str, error: OSError | ValueError) -> Diagnostic:
    """Return the fault of a file that the system does not allow to be read."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return _about(text_codes.UNREADABLE_FILE, Message("file-unreadable", reason=reason), file)


def is_there(path: Path) -> bool:
    """Return whether a path exists, even as a folder, a pipe or a broken link.

    `read_bytes` then reports why it cannot be read, so that no file of a game is silently ignored."""
    return os.path.lexists(path)


def read_text(path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Return the text of a UTF-8 file with `\n` line ends and without a byte order mark; or None and the reason."""
    content = read_bytes(path)
    return decode_text(content, str(path)) if isinstance(content, bytes) else (None, (content,))


def decode_text(content: bytes, file: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Return the text of a file's content, as `read_text` does. More than `MAX_BYTES` bytes are a fault."""
    if len(content) > MAX_BYTES:
        limit = Message("file-too-large", megabytes=MAX_BYTES // (1024 * 1024))
        return None, (_about(text_codes.FILE_TOO_LARGE, limit, file),)
    text = decode(content, file)
    return (text.replace("\r\n", "\n"), ()) if isinstance(text, str) else (None, (text,))


def decode(content: bytes, file: str) -> str | Diagnostic:
    """Return the text of a file's content with unchanged line ends, without a byte order mark; or its fault."""
    fault = no_text(content, file)
    if fault is not None:
        return fault
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error of `utf-8-sig` counts from after the byte order mark.
        start = error.start + len(content) - len(error.object)
        return not_utf8(content[start], _place(file, content, start))


def no_text(content: bytes, file: str) -> Diagnostic | None:
    """Return the fault of content that begins like UTF-16 or UTF-32, or has a null byte; None if there is none."""
    encoding = _foreign_encoding(content)
    if encoding:
        message = Message("file-other-encoding", encoding=encoding)
        return _about(text_codes.NOT_UTF8, message, file, Message("save-as-utf8"))
    zero = content.find(0)
    if zero < 0:
        return None
    return Diagnostic(text_codes.BINARY_FILE, Message("file-binary"), _place(file, content, zero))


def _foreign_encoding(content: bytes) -> str | None:
    """Return UTF-16 or UTF-32 if the first bytes show it: a byte order mark, or a null byte beside each letter."""
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    letters, zeros = content[:4:2], content[1:4:2]
    pairs = ((letters, zeros), (zeros, letters))
    # A control character before the null byte is rather that of a binary file.
    bare = any(zero == b"\0\0" and len(text) == 2 and min(text) >= ord("\t") for text, zero in pairs)
    return marked or ("UTF-16" if bare else None)


def not_utf8(byte: int, span: Span) -> Diagnostic:
    """Return the fault of a byte that is not valid UTF-8."""
    message = Message("not-utf8", byte=f"0x{byte:02X}")
    return Diagnostic(text_codes.NOT_UTF8, message, span, Message("save-as-utf8-old"))


def _about(code: Code, message: str, file: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, whole_file(file), hint)


def _place(file: str, content: bytes, offset: int) -> Span:
    """Return the line and column (in characters) of a byte."""
    before = content[:offset].removeprefix(b"\xef\xbb\xbf")
    row = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return Span(file, row, column, row, column + 1)
