"""Parser of JSON Lines: one record per line, which is parsed when its data or the log's faults are requested.

So a line that is read as an event of the log's game (`structure/event_decoder.py`) is never parsed here.

A line that cannot be parsed keeps its place among the records: what comes before it is still judged, and what comes
after it is not taken for its continuation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import overload

from ludex.grammar import FILE_TOO_LARGE, Diagnostic, Json, Message, Note, Span, not_utf8, seldom_collecting

from .. import log_codes
from .json_places import DECODER, MAX_DEPTH, TextFault, scan
from .records import EXAMPLE, Content, LateRecords, LineLayout, Log, Record, not_an_object, nothing

MAX_LOG_BYTES = 32 * 1024 * 1024
"""Size in bytes of the largest log that is read, or that a random game may write."""
MAX_LOG_LINES = 250_000
"""The largest number of lines of such a log."""
MAX_LINE_BYTES = 128 * 1024
"""The largest number of bytes of one line: each value of a line costs a hundred times its size while its place is
searched. No line that Ludex writes is a tenth as long."""
MAX_DAMAGED = 50
"""After this many lines that cannot be parsed the rest of a file is skipped."""


def parse_json_lines(content: bytes, file: str, first: int) -> Log:
    """Parse a log in JSON Lines, as `parse_log` does. first: the number of its first line."""
    lines, cut = fitting_lines(content, file, first)
    # A file ends with a line end, after which there is no record.
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:  # what is too long to be read is the first line, or follows blank lines
        return nothing(file, *cut)
    records = JsonLines(file, first, lines, bool(cut))
    return Log(file, records.header, records, cut)


def fitting_lines(content: bytes, file: str, first: int) -> tuple[list[bytes], tuple[Diagnostic, ...]]:
    """Split a log into lines. Cut one that is too long after a whole line, or before a line that is too long, and
    return the fault that says so."""
    # The number of parts is limited, so that a hostile file of line ends makes no list of millions.
    lines = content.split(b"\n", MAX_LOG_LINES)
    kept, message = lines, None
    if len(lines) > MAX_LOG_LINES and lines[-1].strip():
        kept, message = lines[:MAX_LOG_LINES], Message("log-too-many-lines", lines=MAX_LOG_LINES)
    elif len(content) > MAX_LOG_BYTES:
        kept, message = lines[:-1], Message("log-too-large", megabytes=MAX_LOG_BYTES // (1024 * 1024))
    last = first + max(0, len(kept) - 1)
    # A short content has no long line, so that most logs are not searched. What comes after the largest number of lines
    # is not divided.
    if len(content) > MAX_LINE_BYTES and max(map(len, lines[:MAX_LOG_LINES])) > MAX_LINE_BYTES:
        kept = lines[: next(at for at, line in enumerate(lines) if len(line) > MAX_LINE_BYTES)]
        message = Message("log-line-too-long", kilobytes=MAX_LINE_BYTES // 1024)
        # The fault is at the line that is too long, not at the last one that is kept.
        last = first + len(kept)
    return kept, (Diagnostic(FILE_TOO_LARGE, message, Span(file, last, 1, last, 2)),) if message else ()


class JsonLines(LateRecords):
    """The lines after the header of a log.

    Args:
        first: the number of the first line.
        lines: all lines; the last one is not blank.
        goes_on: the log was cut after them.
    """

    def __init__(self, file: str, first: int, lines: Sequence[bytes], goes_on: bool) -> None:
        self._file, self._first, self._lines, self._goes_on = file, first, lines, goes_on
        # The header is the first line that is not blank.
        self._begin = next(at for at, line in enumerate(lines) if line.strip()) + 1
        self._parsed: dict[int, Record] = {}
        self._damaged: list[Diagnostic] = []
        self._foreign: list[Diagnostic] = []
        self._blank = list(range(self._begin - 1))
        self._places: Sequence[int] | None = None
        """The lines that are records; None: not known yet."""
        self.header = self._record(self._begin - 1)

    def read(self, reader: Callable[[bytes], Content | None]) -> Iterable[Content | None]:
        if self._places is not None:
            return map(reader, map(self._lines.__getitem__, self._places))
        # Each content is new and in no cycle. Python's own thresholds would search all objects of the game again and
        # again, which takes up to half of the time.
        with seldom_collecting():
            contents = list(map(reader, islice(self._lines, self._begin, None)))
        # A line that the reader has read is not a fault. So only the others are parsed, which are few in most logs.
        self._settle(at for at, content in enumerate(contents, self._begin) if content is None)
        places = self._settled
        return contents if len(places) == len(contents) else [contents[at - self._begin] for at in places]

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        assert self._settled is not None
        return tuple(self._reported())

    def __len__(self) -> int:
        return len(self._settled)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(index, slice):
            return tuple(map(self._record, self._settled[index]))
        return self._record(self._settled[index])

    @property
    def _settled(self) -> Sequence[int]:
        if self._places is None:
            self._settle(range(self._begin, len(self._lines)))
        assert self._places is not None
        return self._places

    def _settle(self, doubtful: Iterable[int]) -> None:
        """Parse the lines that may be at fault, and find the records; after many faults the rest is skipped."""
        end = len(self._lines)
        for at in doubtful:
            if not self._lines[at].strip():
                self._blank.append(at)
                continue
            self._record(at)
            # A file that is not a log would have a fault in every line.
            if len(self._damaged) > MAX_DAMAGED:
                end = at + 1
                break
        places = range(self._begin, end)
        blank = set(self._blank)
        # A range takes no memory, and most logs have no blank lines.
        self._places = [at for at in places if at not in blank] if blank else places

    def _record(self, at: int) -> Record:
        if at not in self._parsed:
            self._parsed[at] = self._parse(at)
        return self._parsed[at]

    def _parse(self, at: int) -> Record:
        """Parse a line with exact faults."""
        # Some editors end lines with `\r\n`.
        number, line = self._first + at, self._lines[at].removesuffix(b"\r")
        is_end = at == len(self._lines) - 1 and not self._goes_on
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            layout = LineLayout(self._file, number, b"")
            self._undecoded(error, layout, is_end)
            return Record(None, layout)
        record, fault = one_record(LineLayout(self._file, number, line), is_end)
        if fault is not None:
            self._damaged.append(fault)
        return record

    def _undecoded(self, error: UnicodeDecodeError, layout: LineLayout, is_end: bool) -> None:
        # All bytes before the first bad one are good UTF-8, so they give the column in characters.
        column = len(error.object[: error.start].decode("utf-8"))
        span = layout.span(column, column + 1)
        # A writer that was stopped may have written half a letter, which is another fault than a wrong encoding.
        if is_end and error.end == len(error.object) and error.reason == "unexpected end of data":
            self._damaged.append(Diagnostic(log_codes.TRUNCATED_LINE, Message("log-broken-letter"), span))
        else:
            self._foreign.append(not_utf8(error.object[error.start], span))

    def _reported(self) -> Iterator[Diagnostic]:
        """Enumerate the faults of the lines; a wrong encoding is reported once for all lines."""
        # A file has one encoding, so all these lines have one cause.
        for fault in self._foreign[:1]:
            others = len(self._foreign) - 1
            more = Message("not-utf8-lines", message=fault.message, count=others) if others else fault.message
            yield replace(fault, message=more)
        yield from first_damaged(self._damaged, self._first + len(self._lines) - 1)
        if self._blank:
            here, rest = self._first + self._blank[0], len(self._blank) - 1
            message = Message("log-blank-lines", count=rest) if rest else Message("log-blank-line")
            yield Diagnostic(log_codes.BLANK_LINE, message, Span(self._file, here, 1, here, 1))


def first_damaged(faults: Sequence[Diagnostic], last: int) -> Iterator[Diagnostic]:
    """Enumerate the faults of lines that cannot be read; if there are too many, the last one names the skipped lines.

    last: the number of the last line of the log.
    """
    # The last place is for the note about what was skipped.
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
    # The scanner takes more than ten times as long as the decoder, so it reads only lines that may be at fault.
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
        code = log_codes.BROKEN_JSON if fault.code is log_codes.TRUNCATED_LINE and not is_last else fault.code
        span = layout.span(fault.start, fault.end)
        # What is not the beginning of an object is mended by another line, not by another word.
        is_begun = layout.text.lstrip().startswith("{")
        hint = fault.hint if is_begun or fault.hint else Message("such-as", sample=EXAMPLE)
        return Diagnostic(code, fault.message, span, hint, pointer=fault.pointer)
    return None if isinstance(data, dict) else not_an_object(data, layout)
