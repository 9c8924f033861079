"""Logs as text: reading them with places, and writing them.

A log is a header and then one event a line, as JSON Lines or as YAML; both give the same records. What a record
says is not judged here (`header.py`, `lines.py`), only whether it can be taken in at all. A line that cannot
keeps its place among the records, so that what stands before it is still judged and what stands after it is not taken
for its continuation.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from ludex.grammar import FILE_CODES, MAX_BYTES, Diagnostic, Note, Span, read_text, whole_file
from ludex.spec import jsonvalues as j
from ludex.spec import yamltree as y

from . import codes
from .text import DECODER, MAX_DEPTH, Place, TextFault, scan

STDIN = "-"
"""In place of a file's name: the standard input."""
EXAMPLE = '{"player": 1, "action": "decline"}'
EXAMPLE_YAML = "{player: 1, action: decline}"
MAX_DAMAGED = 50
"""After this many lines that cannot be read the rest of a file is left alone."""

Form = Literal["json", "yaml"]
_ENDINGS: Mapping[str, Form] = {".yaml": "yaml", ".yml": "yaml", ".jsonl": "json", ".ndjson": "json"}


class Layout(Protocol):
    """Knows where the parts of a record stand."""

    def place(self, pointer: str, at_name: bool) -> Span:
        """The span of the value at a JSON pointer, or of the name of the member there; where there is none, of the
        innermost part around it."""


@dataclass(frozen=True, slots=True)
class LineLayout:
    """A record written as JSON on one line."""

    file: str
    line: int
    text: str

    def place(self, pointer: str, at_name: bool) -> Span:
        try:
            places = scan(self.text)
        except TextFault:
            return self.span(0, len(self.text))
        while pointer and pointer not in places:
            pointer, at_name = pointer.rpartition("/")[0], False
        found = places.get(pointer) or Place((0, len(self.text)))
        return self.span(*(found.name if at_name and found.name else found.value))

    def span(self, start: int, end: int) -> Span:
        return Span(self.file, self.line, start + 1, self.line, end + 1)


@dataclass(frozen=True, slots=True)
class NodeLayout:
    """A record that is a part of a YAML file."""

    node: y.Node

    def place(self, pointer: str, at_name: bool) -> Span:
        return y.locate(self.node, pointer, at_name)


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a log: the header or an event.

    Attributes:
        data: its members by name; None if the line could not be read (the log's faults say why).
        layout: where they stand.
    """

    data: Mapping[str, j.Json] | None
    layout: Layout

    def place(self, pointer: str = "", at_name: bool = False) -> Span:
        return self.layout.place(pointer, at_name)

    @property
    def file(self) -> str:
        """The name of the log that it stands in, as it is shown to the reader."""
        return self.place().file

    @property
    def is_yaml(self) -> bool:
        """Whether its writer writes YAML (a JSON array is read as YAML, too)."""
        return isinstance(self.layout, NodeLayout) and Path(self.file).suffix.lower() != ".json"


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was read.

    Attributes:
        file: the name shown to the reader.
        header: the first record; None if there is none at all.
        events: all other records, those that could not be read included.
        faults: what could not be read, and warnings.
    """

    file: str
    header: Record | None
    events: tuple[Record, ...]
    faults: tuple[Diagnostic, ...] = ()


# ---- reading --------------------------------------------------------------------------------------------------------


def read_log(path: str | Path, form: Form | None = None) -> Log:
    """The log in a file, or on the standard input (`-`).

    `form` None: as the name ends (`.yaml`, `.yml`; `.jsonl`, `.ndjson`), else by the first sign of the text. Never
    raises for what the file holds, nor where it cannot be read: that stands in the log's faults.
    """
    name = str(path)
    if name == STDIN:
        return _read_stdin(form)
    text, faults = read_text(Path(path))
    if text is not None:
        return parse_log(text, name, form)
    content = _despite(Path(path), faults)
    return Log(name, None, (), faults) if content is None else parse_log(content, name, form)


def parse_log(text: str | bytes, file: str = "log", form: Form | None = None) -> Log:
    """The log in a text; in bytes if it is not sure that they are a text. See `read_log`."""
    content = _decoded(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if not content.strip():
        return Log(file, None, (), (Diagnostic(codes.EMPTY_LOG, "the log is empty", whole_file(file)),))
    if (form or form_of(file, content)) == "json":
        return _parse_lines(content.split("\n") if isinstance(content, str) else content.split(b"\n"), file)
    return _parse_yaml(content if isinstance(content, str) else content.decode("utf-8", "replace"), file)


def _read_stdin(form: Form | None) -> Log:
    name = "standard input"
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) <= MAX_BYTES:
        return parse_log(content, name, form)
    too_large = next(code for code in FILE_CODES if code.name == "file-too-large")
    return Log(name, None, (), (Diagnostic(too_large, f"more than {MAX_BYTES} bytes", whole_file(name)),))


def _despite(path: Path, faults: tuple[Diagnostic, ...]) -> bytes | None:
    """The bytes of a file that is a text up to somewhere behind its first line; else None."""
    if not any(fault.code.name in ("not-utf8", "binary-file") and fault.span.line > 1 for fault in faults):
        return None
    try:
        return path.read_bytes()
    except OSError:
        return None


def _decoded(content: bytes) -> str | bytes:
    """The text of the bytes; or the bytes, without the byte order mark, if not all of them are text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.removeprefix(b"\xef\xbb\xbf")


def form_of(file: str, content: str | bytes = "{") -> Form:
    """The form of a log: as the file's name ends, else as the first sign of its content tells (of a new one: JSON)."""
    known = _ENDINGS.get(Path(file).suffix.lower())
    first = content.lstrip()[:1]
    return known or ("json" if first in ("{", b"{") else "yaml")


# ---- JSON Lines


def _parse_lines(lines: Sequence[str | bytes], file: str) -> Log:
    records: list[Record] = []
    faults: list[Diagnostic] = []
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    last = numbered[-1][0]
    for number, line in numbered:
        record, fault = _record(line, LineLayout(file, number, "" if isinstance(line, bytes) else line), number == last)
        records.append(record)
        if fault is None:
            continue
        if len(faults) == MAX_DAMAGED:
            faults[-1] = _last_fault(faults[-1], len(lines))
            break
        faults.append(fault)
    faults.extend(_blank_lines(lines, file, last))
    return Log(file, records[0], tuple(records[1:]), tuple(faults))


def _record(line: str | bytes, layout: LineLayout, is_last: bool) -> tuple[Record, Diagnostic | None]:
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            return Record(None, layout), _not_utf8(error, layout, is_last)
        layout = LineLayout(layout.file, layout.line, line)
    try:
        data = DECODER.decode(line)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and not _suspicious(line):
        return Record(data, layout), None
    fault = _line_fault(data, layout, is_last)
    return Record(None if fault else data, layout), fault


def _suspicious(line: str) -> bool:
    """The decoder lets half characters and deep nesting pass."""
    return "\\ud" in line or "\\uD" in line or line.count("{") + line.count("[") > MAX_DEPTH


def _line_fault(data: j.Json, layout: LineLayout, is_last: bool) -> Diagnostic | None:
    try:
        scan(layout.text)
    except TextFault as fault:
        code = codes.BROKEN_JSON if fault.code is codes.TRUNCATED_LINE and not is_last else fault.code
        span = layout.span(fault.start, fault.end)
        return Diagnostic(code, fault.message, span, fault.hint, pointer=fault.pointer)
    return None if isinstance(data, dict) else _not_an_object(data, layout)


def _not_an_object(data: j.Json, layout: Layout) -> Diagnostic:
    message = f"an event is written as names with their values; this is {j.found_words(data)}"
    yaml = Record(None, layout).is_yaml
    hint = f"such as {EXAMPLE_YAML if yaml else EXAMPLE}"
    return Diagnostic(codes.NOT_AN_OBJECT, message, layout.place("", False), hint)


def _not_utf8(error: UnicodeDecodeError, layout: LineLayout, is_last: bool) -> Diagnostic:
    column = len(error.object[: error.start].decode("utf-8"))
    if is_last and error.end == len(error.object) and error.reason == "unexpected end of data":
        message = "the line breaks off here, in the middle of a letter"
        return Diagnostic(codes.TRUNCATED_LINE, message, layout.span(column, column + 1))
    message = f"the byte 0x{error.object[error.start]:02X} is not UTF-8"
    return Diagnostic(codes.NOT_UTF8, message, layout.span(column, column + 1))


def _last_fault(fault: Diagnostic, lines: int) -> Diagnostic:
    note = Note(f"so many lines cannot be read that the others, up to line {lines}, were left alone")
    return Diagnostic(fault.code, fault.message, fault.span, fault.hint, (note,), pointer=fault.pointer)


def _blank_lines(lines: Sequence[str | bytes], file: str, last: int) -> Iterator[Diagnostic]:
    blank = [number for number, line in enumerate(lines[:last], 1) if not line.strip()]
    if blank:
        more = f" (and {len(blank) - 1} more)" if len(blank) > 1 else ""
        yield Diagnostic(codes.BLANK_LINE, f"this line is blank{more}", Span(file, blank[0], 1, blank[0], 1))


# ---- YAML


def _parse_yaml(text: str, file: str) -> Log:
    root, faults = y.read_yaml(text, file)
    match root:
        case None:
            return Log(file, None, (), faults)
        case y.Items(items=items):
            return _yaml_list(file, items, faults)
        case y.Fields():
            return _yaml_mapping(file, root, faults)
        case _:
            shape = f"the log is {j.found_words(y.plain(root))}, not a mapping with a list `events`"
            return Log(file, None, (), (*faults, Diagnostic(codes.YAML_LOG_SHAPE, shape, root.span)))


def _yaml_list(file: str, items: tuple[y.Node, ...], faults: tuple[Diagnostic, ...]) -> Log:
    if not items:
        return Log(file, None, (), (*faults, Diagnostic(codes.EMPTY_LOG, "the log is empty", whole_file(file))))
    records, more = _node_records(items, faults)
    return Log(file, records[0], records[1:], (*faults, *more))


def _yaml_mapping(file: str, root: y.Fields, faults: tuple[Diagnostic, ...]) -> Log:
    head = y.Fields({name: entry for name, entry in root.entries.items() if name != "events"}, root.span)
    entry = root.entries.get("events")
    events = entry.node if entry else y.Items((), root.span)
    if not isinstance(events, y.Items):
        shape = f"`events` is {j.found_words(y.plain(events))}, not a list"
        faults = (*faults, Diagnostic(codes.YAML_LOG_SHAPE, shape, events.span, pointer="/events"))
        events = y.Items((), events.span)
    records, more = _node_records(events.items, faults)
    return Log(file, Record(y.plain(head), NodeLayout(head)), records, (*faults, *more))


def _node_records(
    nodes: tuple[y.Node, ...], faults: tuple[Diagnostic, ...]
) -> tuple[tuple[Record, ...], list[Diagnostic]]:
    """A record for each node, damaged where a fault lies inside it; and the faults of nodes that are no objects."""
    records: list[Record] = []
    more: list[Diagnostic] = []
    for node in nodes:
        layout = NodeLayout(node)
        damaged = any(fault.is_error and _is_inside(fault.span, node.span) for fault in faults)
        data = y.plain(node)
        if not damaged and not isinstance(data, dict):
            more.append(_not_an_object(data, layout))
        records.append(Record(data if isinstance(data, dict) and not damaged else None, layout))
    return tuple(records), more


def _is_inside(inner: Span, outer: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return start <= (inner.line, inner.column) <= end


# ---- writing --------------------------------------------------------------------------------------------------------


def write_log(header: Mapping[str, j.Json], events: Iterable[Mapping[str, j.Json]]) -> str:
    """The text of a log as JSON Lines: the same lines always give the same bytes (write it as UTF-8, with `\\n`)."""
    return "".join(f"{write_line(line)}\n" for line in (header, *events))


def write_line(line: Mapping[str, j.Json]) -> str:
    """One line of a log, members in the given order, without a line end."""
    return json.dumps(line, ensure_ascii=False)
