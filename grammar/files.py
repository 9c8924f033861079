"""Reading a text from disk, and the faults a file can have before its content matters."""

from __future__ import annotations

from pathlib import Path

from . import codes
from .diagnostics import Code, Diagnostic
from .source import Span, whole_file

MAX_BYTES = 4 * 1024 * 1024
"""The largest file that is read. The longest rulebook has a tenth of it."""


def read_text(path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a file in UTF-8, with `\\n` line ends and without a byte order mark; or None and the reason."""
    file = str(path)
    content, fault = _read_bytes(path, file)
    if content is None:
        return None, (fault,) if fault else ()
    return decode_text(content, file)


def decode_text(content: bytes, file: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of what was read from a file, as `read_text` gives it. More than `MAX_BYTES` is a fault."""
    if len(content) > MAX_BYTES:
        limit = f"the file has more than {MAX_BYTES // (1024 * 1024)} MB"
        return None, (Diagnostic(codes.FILE_TOO_LARGE, limit, whole_file(file)),)
    if b"\0" in content:
        span = _place(file, content, content.index(b"\0"))
        return None, (Diagnostic(codes.BINARY_FILE, "this is not a text: it holds a zero byte", span),)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, (_not_utf8(file, content, error),)
    return text.replace("\r\n", "\n"), ()


def _read_bytes(path: Path, file: str) -> tuple[bytes | None, Diagnostic | None]:
    """At most one byte more than may be read, so that a device or a huge file does no harm."""
    try:
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "no regular file"
            return None, _about(codes.NOT_A_FILE, f"this is {what}", file)
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1), None
    except (FileNotFoundError, NotADirectoryError):
        return None, _about(codes.MISSING_FILE, "there is no such file", file)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return None, _about(codes.UNREADABLE_FILE, f"the file cannot be read: {reason}", file)


def _about(code: Code, message: str, file: str) -> Diagnostic:
    return Diagnostic(code, message, whole_file(file))


def _not_utf8(file: str, content: bytes, error: UnicodeDecodeError) -> Diagnostic:
    """`utf-8-sig` counts from behind the byte order mark."""
    start = error.start + (len(content) - len(error.object))
    message = f"the byte 0x{content[start]:02X} is not UTF-8"
    return Diagnostic(codes.NOT_UTF8, message, _place(file, content, start), "save the file as UTF-8")


def _place(file: str, content: bytes, offset: int) -> Span:
    """Line and column (in characters) of a byte."""
    before = content[:offset].removeprefix(b"\xef\xbb\xbf")
    row = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return Span(file, row, column, row, column + 1)
