"""Division of a file into its logs: in JSON Lines each header begins another one.

However large the file is, one log of it is in memory. Other forms hold one log a file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ludex.grammar import Diagnostic, Json, Message, Note, Span, unreadable

from ..log_codes import PACKED_DAMAGED, UNREADABLE_CODES
from ..record import DECODER, MAX_LINE_BYTES, MAX_LOG_BYTES, MAX_LOG_LINES, Log, form_of, parse_log
from ..tracking.report import Report, Verdict
from .unpacking import PackedFault, check_logs, unpacked_stream, without_packing

_BEGINS = re.compile(rb'\{\s*"ludex"\s*:')
"""The usual beginning of a header, also of one that is damaged further on."""
OF_EVENTS = frozenset({"action", "chance", "player", "args", "outcome", "via"})
"""Members by which a line is an event, whatever else it holds."""


@dataclass(frozen=True, slots=True)
class LogText:
    """The bytes of one log, and their place.

    Attributes:
        file: the name shown to the reader.
        number: which log of the file it is, from 1.
        line: the line of the file at which it begins.
        next_line: the line at which the next log of the file begins; None if it is the last one.
        faults: why the file could not be read further.
        end: how many bytes of the file, packed as they are, had been read when the log was complete; 0 for a pipe.
        parsed: the log, if it was parsed to learn whether it is one.
    """

    file: str
    content: bytes
    number: int = 1
    line: int = 1
    next_line: int | None = None
    faults: tuple[Diagnostic, ...] = ()
    end: int = 0
    parsed: Log | None = None

    @property
    def name(self) -> str:
        """The file's name and, if it holds several logs, the line at which this one begins."""
        return self.file if self.number == 1 and self.next_line is None else f"{self.file}:{self.line}"

    def log(self) -> Log:
        """Parse the log. Never raises for its content."""
        if self.parsed is not None:
            return self.parsed
        # An empty log would be a second report of the same cause.
        if self.faults and not self.content.strip():
            return Log(self.file, None, (), self.faults)
        log = parse_log(self.content, self.file, form_of(without_packing(self.file), self.content), self.line)
        return replace(log, early_faults=(*log.early_faults, *self.faults)) if self.faults else log

    def explained(self, report: Report) -> Report:
        """Add notes for a header that was not meant to begin a log: where the file was divided. Lines that cannot be
        read where the packed file is damaged are consequences."""
        if report.verdict is Verdict.FAULT:
            return report  # nothing is known about the log
        if any(fault.code is PACKED_DAMAGED for fault in self.faults):
            report = self._after_damage(report)
        notes: dict[int, Note] = {}
        # A log that ends early is usual, and only a header after it makes it look like a slip.
        warning = next((at for at, each in enumerate(report.findings) if each.code.name == "log-unfinished"), None)
        if self.next_line is not None and warning is not None:
            span = Span(self.file, self.next_line, 1, self.next_line, 2)
            notes[warning] = Note(Message("log-ends-at-header"), span)
        faults = (at for at, each in enumerate(report.findings) if each.is_error and each not in self.faults)
        error = next(faults, None)
        if self.number > 1 and error is not None:
            span = Span(self.file, self.line, 1, self.line, 2)
            notes[error] = Note(Message("log-begins-at-header"), span)
        findings = tuple(
            replace(each, notes=(*each.notes, notes[at])) if at in notes else each
            for at, each in enumerate(report.findings)
        )
        return replace(report, findings=findings) if notes else report

    def _after_damage(self, report: Report) -> Report:
        follow = [each for each in report.findings if each.code in UNREADABLE_CODES and each not in self.faults]
        if not follow:
            return report
        findings = tuple(each for each in report.findings if each not in follow)
        places = {*report.consequences, *(each.span for each in follow)}
        return replace(report, findings=findings, consequences=tuple(sorted(places, key=lambda span: span.line)))


def split_logs(stream: io.BufferedReader, file: str) -> Iterator[LogText]:
    """Read the logs of a file one by one; there is always one. The content of the file never raises an exception."""
    reader = _Reader(file, stream)
    faults: tuple[Diagnostic, ...] = ()
    try:
        opened = unpacked_stream(stream, file)
        yield from reader.complete(opened)
        # A packed file tells of its damage only where more is asked for than can be unpacked; a terminal would wait.
        if opened is not stream:
            opened.peek(1)
    except PackedFault as fault:
        faults = (fault.finding,)
    except OSError as fault:
        faults = (unreadable(file, fault),)
    # What was read before a fault is still a log.
    yield reader.current(faults=faults)


class _Reader:
    """Collects the lines of one log after another.

    Attributes:
        number, line: which log of the file the current one is, and at which line it begins.
        content, count: its lines so far, and how many they are.
    """

    def __init__(self, file: str, source: io.BufferedReader) -> None:
        self.file, self.number, self.line = file, 1, 1
        self._source = source if source.seekable() else None
        self.content, self.count = bytearray(), 0

    def current(self, next_line: int | None = None, faults: tuple[Diagnostic, ...] = ()) -> LogText:
        end = self._source.tell() if self._source is not None else 0
        return LogText(self.file, bytes(self.content), self.number, self.line, next_line, faults, end)

    def complete(self, stream: io.BufferedReader) -> Iterator[LogText]:
        """Yield each log that another one follows. The last one is then the current one, at most one byte or line
        larger than a log may be; what comes after that is not read."""
        line = b"\n"
        while not line.strip():
            # Blank lines above the header are part of the log.
            if not (line := stream.readline(self._left)):
                return
            self._take(line)
        if form_of(without_packing(self.file), line) != "json":
            # YAML and text logs are not divided, as a file holds one of them.
            self._take(stream.read(self._left))
            return
        # One line too many is read on purpose: the parser reports that the log is too long.
        while self.count <= MAX_LOG_LINES and (line := stream.readline(self._left)):
            if is_header(line):
                # A log takes work even if it is empty, and a kilobyte may unpack to thousands of such.
                check_logs(stream, self.number + 1)
                yield self.current(self.line + self.count)
                self.number, self.line = self.number + 1, self.line + self.count
                self.content, self.count = bytearray(), 0
            self._take(line)

    @property
    def _left(self) -> int:
        # One byte more than a log may have shows that it is too long.
        return MAX_LOG_BYTES + 1 - len(self.content)

    def _take(self, line: bytes) -> None:
        self.content += line
        self.count += 1


def is_header(line: bytes) -> bool:
    """Test whether a line is the header of a log: an object with `ludex` that is not an event, and is not indented."""
    # Decoding every line to look for a header would take as long as judging the log.
    if b'"ludex"' not in line or not line.startswith(b"{"):
        return False
    # A damaged header begins a log too.
    if _BEGINS.match(line):
        return True
    if len(line) > MAX_LINE_BYTES:
        return False
    try:
        data = DECODER.decode(line.decode("utf-8").strip())
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and is_header_data(data)


def is_header_data(data: Mapping[str, Json]) -> bool:
    """Test whether the members of a line are those of a header."""
    return "ludex" in data and OF_EVENTS.isdisjoint(data)
