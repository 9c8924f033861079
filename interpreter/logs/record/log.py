"""Logs as text: reading them with places, and writing them.

A log is a header and then one event a line, as JSON Lines or as YAML; both give the same records. This module checks
only whether a record can be parsed; `header.py` and `event_lines.py` read its content. A line that cannot be parsed
keeps its place among the records: what comes before it is still judged, and what comes after it is not taken for its
continuation.
"""

from __future__ import annotations

import json
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from ludex.grammar import (
    FILE_TOO_LARGE,
    Diagnostic,
    Json,
    Message,
    Note,
    Span,
    no_text,
    not_utf8,
    read_bytes,
    whole_file,
)
from ludex.spec import found_words

from ...state.api_arguments import checked
from .. import log_codes as codes
from .json_places import DECODER, MAX_DEPTH, Place, TextFault, scan

if TYPE_CHECKING:
    from ludex.grammar import yaml_tree

STDIN = "-"
"""The standard input, in place of a file's name."""
STDIN_SHOWN = "standard input"
MAX_LOG_BYTES = 32 * 1024 * 1024
"""Size in bytes of the largest log that is read, or that a random game may write."""
MAX_LOG_LINES = 250_000
"""Most lines of such a log."""
WORTH_LOADING = 256 * 1024
"""After so many bytes of logs it is worth while to load the fast decoder."""
EXAMPLE = '{"player": 1, "action": "decline"}'
EXAMPLE_YAML = "{player: 1, action: decline}"
MAX_DAMAGED = 50
"""After this many lines that cannot be parsed the rest of a file is skipped."""

Form = Literal["json", "yaml", "text"]
_ENDINGS: Mapping[str, Form] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".jsonl": "json",
    ".ndjson": "json",
    ".ludexlog": "text",
}
_TEXT = re.compile(rb"\A(?:\s*#[^\n]*\n)*\s*(?:Game|Ludex)[ \t]*:")
"""The beginning of a text log, whose tags have capitals."""


class Layout(Protocol):
    """Protocol: finds the places of the parts of a record."""

    def place(self, pointer: str, at_name: bool) -> Span:
        """Return the span of the value at a JSON pointer, or of its member's name; if it is missing, of the
        innermost part around it."""


@dataclass(slots=True)  # a frozen class takes three times as long to make, and each line makes one
class LineLayout:
    """A record written as JSON on one line. content: the line, in good UTF-8."""

    file: str
    line: int
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")

    def place(self, pointer: str, at_name: bool) -> Span:
        place, is_there = _scanned(self.text).at(pointer)
        return self.span(*(place.name if at_name and is_there and place.name else place.value))

    def span(self, start: int, end: int) -> Span:
        return Span(self.file, self.line, start + 1, self.line, end + 1)


@lru_cache(maxsize=4)
def _scanned(text: str) -> Place:
    """Scan the places in a line, once for all findings in it; a line that is not JSON is one place."""
    try:
        return scan(text)
    except TextFault:
        return Place((0, len(text)))


@dataclass(frozen=True, slots=True)
class NodeLayout:
    """A record that is a part of a YAML file."""

    node: yaml_tree.Node

    def place(self, pointer: str, at_name: bool) -> Span:
        from ludex.grammar import yaml_tree

        return yaml_tree.locate(self.node, pointer, at_name)


@dataclass(slots=True)
class UnreadLine:
    """A line of a text log, which is read when its game is known."""

    file: str
    line: int
    text: str

    def place(self, pointer: str, at_name: bool) -> Span:
        start = len(self.text) - len(self.text.lstrip())
        return Span(self.file, self.line, start + 1, self.line, max(start, len(self.text.rstrip())) + 1)


@dataclass(slots=True)
class TextLayout:
    """A record written in the notation on one line. places, named: of values and names, by pointer, from 0."""

    file: str
    line: int
    places: Mapping[str, tuple[int, int]]
    named: Mapping[str, tuple[int, int]]

    def place(self, pointer: str, at_name: bool) -> Span:
        is_name = at_name and pointer in self.named
        while not is_name and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        start, end = (self.named if is_name else self.places)[pointer]
        return Span(self.file, self.line, start + 1, self.line, end + 1)


@dataclass(slots=True)  # as `LineLayout`
class Record:
    """One line of a log: the header or an event.

    Attributes:
        data: its members by name; None if the line could not be parsed (the log's faults say why).
        layout: finds their places.
    """

    data: Mapping[str, Json] | None
    layout: Layout

    def place(self, pointer: str = "", at_name: bool = False) -> Span:
        return self.layout.place(pointer, at_name)

    @property
    def file(self) -> str:
        """The name of the log's file, as shown to the reader."""
        layout = self.layout
        return layout.file if isinstance(layout, LineLayout) else layout.place("", False).file

    @property
    def is_text(self) -> bool:
        """Whether it is written in the notation."""
        return isinstance(self.layout, TextLayout)

    @property
    def is_yaml(self) -> bool:
        """True if the log is written as YAML (a JSON array is parsed as YAML, too)."""
        return isinstance(self.layout, NodeLayout) and Path(self.file).suffix.lower() != ".json"


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read.

    Attributes:
        file: the name shown to the reader.
        header: the first record; None if there is none at all.
        events: all other records, including those that could not be parsed.
        faults: what could not be parsed, and warnings.
    """

    file: str
    header: Record | None
    events: tuple[Record, ...]
    faults: tuple[Diagnostic, ...] = ()

    @property
    def is_unread(self) -> bool:
        """Whether some lines are read only when the game is known (`text_log.in_game`)."""
        return any(isinstance(record.layout, UnreadLine) for record in self.events)


# ---- reading --------------------------------------------------------------------------------------------------------


def read_log(path: str | Path, form: Form | None = None) -> Log:
    """Read the log in a file, or on the standard input (`-`).

    `form` None: it follows from the name's ending (`.yaml`, `.yml`; `.jsonl`, `.ndjson`; `.ludexlog`), else from the
    beginning. Never raises for the content of the file, nor if it cannot be read: the log's faults say so.
    """
    name = str(path)
    if name == STDIN:
        return parse_log(read_standard_input(), STDIN_SHOWN, form)
    content = read_bytes(Path(path), MAX_LOG_BYTES)
    return parse_log(content, name, form) if isinstance(content, bytes) else Log(name, None, (), (content,))


def read_standard_input() -> bytes:
    """Read the standard input, up to the size of the largest log."""
    return sys.stdin.buffer.read(MAX_LOG_BYTES + 1)


def parse_log(text: str | bytes, file: str = "log", form: Form | None = None, first: int = 1) -> Log:
    """Parse the text of a log, or its bytes, which may not be UTF-8. The result is as that of `read_log`.

    first: the number of its first line, of a log in JSON Lines that is a part of a file.
    """
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if not content.removeprefix(BOM_UTF8).strip():
        return nothing(file, Diagnostic(codes.EMPTY_LOG, Message("log-empty"), whole_file(file)))
    fault = no_text(content.partition(b"\n")[0], file)
    if fault is not None:
        return nothing(file, fault)
    form = form or form_of(file, content)
    if form == "text":
        from .text_log import parse_text

        return parse_text(content.removeprefix(BOM_UTF8), file)
    if form == "yaml":
        from .yaml_log import parse_yaml

        return parse_yaml(content, file)
    return _parse_lines(content.removeprefix(BOM_UTF8), file, first)


def nothing(file: str, *faults: Diagnostic) -> Log:
    """Return a log without records: none could be read, and the faults say why."""
    return Log(file, None, (), faults)


def form_of(file: str, content: str | bytes = "{") -> Form:
    """Return the form of a log: by the file's ending, else by the beginning of its content (a new one: JSON)."""
    known = _ENDINGS.get(Path(file).suffix.lower())
    begin = (content if isinstance(content, bytes) else content.encode("utf-8", "replace")).removeprefix(BOM_UTF8)
    return known or ("json" if begin.lstrip()[:1] == b"{" else "text" if _TEXT.match(begin) else "yaml")


# ---- JSON Lines


def _parse_lines(content: bytes, file: str, first: int) -> Log:
    lines, cut = fitting(content, file, first)
    while not lines[-1].strip():
        lines.pop()
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
    """Split a log into lines; cut one that is too long after a whole line, and return the fault that says so."""
    lines = content.split(b"\n", MAX_LOG_LINES)
    if len(content) <= MAX_LOG_BYTES and (len(lines) <= MAX_LOG_LINES or not lines[-1].strip()):
        return lines, ()
    kept = lines[: max(1, min(MAX_LOG_LINES, len(lines) - 1))]
    message = Message("log-too-large", megabytes=MAX_LOG_BYTES // (1024 * 1024), lines=MAX_LOG_LINES)
    last = first + len(kept) - 1
    return kept, (Diagnostic(FILE_TOO_LARGE, message, Span(file, last, 1, last, 1)),)


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
        yield from self.faults[: MAX_DAMAGED - 1]
        for fault in self.faults[MAX_DAMAGED - 1 : MAX_DAMAGED]:
            note = Note(Message("log-skipped", count=MAX_DAMAGED, last=self.last))
            yield replace(fault, notes=(note,)) if len(self.faults) > MAX_DAMAGED else fault
        if self.blank:
            here, rest = self.blank[0], len(self.blank) - 1
            message = Message("log-blank-lines", count=rest) if rest else Message("log-blank-line")
            yield Diagnostic(codes.BLANK_LINE, message, Span(self.file, here, 1, here, 1))


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


def not_an_object(data: Json, layout: Layout) -> Diagnostic:
    message = Message("log-no-object", found=found_words(data))
    yaml = Record(None, layout).is_yaml
    hint = Message("such-as", sample=EXAMPLE_YAML if yaml else EXAMPLE)
    return Diagnostic(codes.NOT_AN_OBJECT, message, layout.place("", False), hint)


# ---- writing --------------------------------------------------------------------------------------------------------


@checked(header=Mapping, events=Iterable)
def write_log(header: Mapping[str, Json], events: Iterable[Mapping[str, Json]]) -> str:
    """Return the text of a log as JSON Lines. Equal lines give equal bytes (write them as UTF-8, with `\\n`)."""
    return "".join(f"{write_line(line)}\n" for line in (header, *events))


def write_line(line: Mapping[str, Json]) -> str:
    """Return one line of a log as JSON, members in the given order, without a line end."""
    return json.dumps(line, ensure_ascii=False)
