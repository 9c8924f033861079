"""Parser of JSON Lines: a record a line, read by a fast decoder, and once more with exact faults where that fails.

A line that cannot be parsed keeps its place among the records: what comes before it is still judged, and what comes
after it is not taken for its continuation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ludex.grammar import FILE_TOO_LARGE, Diagnostic, Json, Message, Note, Span, not_utf8

from .. import log_codes as codes
from .json_places import DECODER, MAX_DEPTH, TextFault, scan
from .records import LineLayout, Log, Record, not_an_object, nothing

MAX_LOG_BYTES = 32 * 1024 * 1024
"""Size in bytes of the largest log that is read, or that a random game may write."""
MAX_LOG_LINES = 250_000
"""Most lines of such a log."""
MAX_LINE_BYTES = 128 * 1024
"""Most bytes of one line: each value of a line costs a hundred times its size while its place is searched. No line that
Ludex writes is a tenth as long."""
WORTH_LOADING = 256 * 1024
"""After so many bytes of logs it is worth while to load the fast decoder."""
MAX_DAMAGED = 50
"""After this many lines that cannot be parsed the rest of a file is skipped."""


def parse_lines(content: bytes, file: str, first: int) -> Log:
    """Parse a log in JSON Lines, as `parse_log` does. first: the number of its first line."""
    lines, cut = fitting(content, file, first)
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:  # what is too long to be read is the first line, or follows blank lines
        return nothing(file, *cut)
    reader = _LineReader(file, first, first + len(lines) - 1, bool(cut), _decoder(len(content)))
    reader.read(lines)
    return Log(file, reader.records[0], tuple(reader.records[1:]), (*reader.reported(), *cut))


_slowly_read = 0
"""How many bytes of logs were read without the fast decoder."""


def _decoder(size: int) -> Callable[[bytes], dict[str, Json] | None]:
    """Return the fast decoder of lines without fault. To load it takes longer than to do without it in a short log."""
    global _slowly_read  # noqa: PLW0603 - many short logs are worth it as well as a long one
    _slowly_read += size
    if _slowly_read < WORTH_LOADING and "msgspec" not in sys.modules:
        return lambda line: None
    from .fast_json import decoded

    return decoded


def fitting(content: bytes, file: str, first: int) -> tuple[list[bytes], tuple[Diagnostic, ...]]:
    """Split a log into lines. Cut one that is too long after a whole line, or before a line that is too long, and
    return the fault that says so."""
    lines = content.split(b"\n", MAX_LOG_LINES)
    message = None
    if len(content) > MAX_LOG_BYTES or (len(lines) > MAX_LOG_LINES and lines[-1].strip()):
        lines = lines[: min(MAX_LOG_LINES, len(lines) - 1)]
        message = Message("log-too-large", megabytes=MAX_LOG_BYTES // (1024 * 1024), lines=MAX_LOG_LINES)
    if len(content) > MAX_LINE_BYTES and max(map(len, lines), default=0) > MAX_LINE_BYTES:
        lines = lines[: next(at for at, line in enumerate(lines) if len(line) > MAX_LINE_BYTES)]
        message = Message("log-line-too-long", kilobytes=MAX_LINE_BYTES // 1024)
        last = first + len(lines)
    else:
        last = first + max(0, len(lines) - 1)
    return lines, (Diagnostic(FILE_TOO_LARGE, message, Span(file, last, 1, last, 1)),) if message else ()


class _LineReader:
    """Parses the lines of a log.

    Args:
        first, last: the numbers of the first line, and of the last one, which is not blank.
        goes_on: the log was cut after it.
        decode: returns the data of a line without fault, or None.
    """

    def __init__(
        self, file: str, first: int, last: int, goes_on: bool, decode: Callable[[bytes], dict[str, Json] | None]
    ) -> None:
        self.file, self.first, self.last, self.goes_on, self.decode = file, first, last, goes_on, decode
        self.records: list[Record] = []
        self.faults: list[Diagnostic] = []
        self.foreign: list[Diagnostic] = []
        self.blank: list[int] = []

    def read(self, lines: Sequence[bytes]) -> None:
        """Parse the lines; after many faulty ones the rest is skipped."""
        for number, line in enumerate(lines, self.first):
            content = line.removesuffix(b"\r")
            data = self.decode(content)
            if data is not None:
                self.records.append(Record(data, LineLayout(self.file, number, content)))
            elif not content.strip():
                self.blank.append(number)
            else:
                self._take(number, content)
                if len(self.faults) > MAX_DAMAGED:
                    return

    def _take(self, number: int, line: bytes) -> None:
        """Parse a line with exact faults."""
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            self._undecoded(error, LineLayout(self.file, number, b""))
            return
        record, fault = one_record(LineLayout(self.file, number, line), self._is_end(number))
        self.records.append(record)
        if fault is not None:
            self.faults.append(fault)

    def _is_end(self, number: int) -> bool:
        return number == self.last and not self.goes_on

    def _undecoded(self, error: UnicodeDecodeError, layout: LineLayout) -> None:
        self.records.append(Record(None, layout))
        # All bytes before the first bad one are good UTF-8, so they give the column in characters.
        column = len(error.object[: error.start].decode("utf-8"))
        span = layout.span(column, column + 1)
        breaks_off = error.end == len(error.object) and error.reason == "unexpected end of data"
        if breaks_off and self._is_end(layout.line):
            message = Message("log-broken-letter")
            self.faults.append(Diagnostic(codes.TRUNCATED_LINE, message, span))
        else:
            self.foreign.append(not_utf8(error.object[error.start], span))

    def reported(self) -> Iterator[Diagnostic]:
        """Enumerate the faults of the lines; a wrong encoding is reported once for all lines."""
        for fault in self.foreign[:1]:
            others = len(self.foreign) - 1
            more = Message("not-utf8-lines", message=fault.message, count=others) if others else fault.message
            yield replace(fault, message=more)
        yield from first_damaged(self.faults, self.last)
        if self.blank:
            here, rest = self.blank[0], len(self.blank) - 1
            message = Message("log-blank-lines", count=rest) if rest else Message("log-blank-line")
            yield Diagnostic(codes.BLANK_LINE, message, Span(self.file, here, 1, here, 1))


def first_damaged(faults: Sequence[Diagnostic], last: int) -> Iterator[Diagnostic]:
    """Enumerate the faults of lines that cannot be read; if there are too many, the last one says what was skipped.

    last: the number of the last line of the log.
    """
    yield from faults[: MAX_DAMAGED - 1]
    for fault in faults[MAX_DAMAGED - 1 : MAX_DAMAGED]:
        note = Note(Message("log-skipped", count=MAX_DAMAGED, last=last))
        yield replace(fault, notes=(note,)) if len(faults) > MAX_DAMAGED else fault


def one_record(layout: LineLayout, is_last: bool) -> tuple[Record, Diagnostic | None]:
    text = layout.text
    try:
        data = DECODER.decode(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and not _suspicious(text):
        return Record(data, layout), None
    fault = _line_fault(data, layout, is_last)
    return Record(None if fault else data, layout), fault


def _suspicious(line: str) -> bool:
    """Test for signs of half characters and deep nesting, which the decoder accepts; `scan` decides."""
    return "\\ud" in line or "\\uD" in line or line.count("{") + line.count("[") > MAX_DEPTH


def _line_fault(data: Json, layout: LineLayout, is_last: bool) -> Diagnostic | None:
    try:
        scan(layout.text)
    except TextFault as fault:
        code = codes.BROKEN_JSON if fault.code is codes.TRUNCATED_LINE and not is_last else fault.code
        span = layout.span(fault.start, fault.end)
        return Diagnostic(code, fault.message, span, fault.hint, pointer=fault.pointer)
    return None if isinstance(data, dict) else not_an_object(data, layout)
