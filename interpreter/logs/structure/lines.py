"""The lines of a log whose game is known, with the meaning of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TypeAlias, overload

from ludex.grammar import Diagnostic

from ..record import LateRecords, LineLayout, Record
from .event_lines import Entry, LineReader
from .problems import MOST_FINDINGS, once_each

Line: TypeAlias = tuple[Record, Entry | None]
"""A line of a log and its content; None if it is faulty, which is reported then."""


class Lines(Sequence[Line]):
    """Lines of a log. places: which of the records they are."""

    def __init__(self, records: Sequence[Record], entries: Sequence[Entry | None], places: range) -> None:
        self._records, self._entries, self._places = records, entries, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Lines: ...
    def __getitem__(self, index: int | slice) -> Line | Lines:
        if isinstance(index, slice):
            return Lines(self._records, self._entries, self._places[index])
        at = self._places[index]
        return self._records[at], self._entries[at]

    def entry(self, number: int) -> Entry | None:
        """Return the content of a line, without its record: that is parsed only when somebody asks for it."""
        return self._entries[self._places[number]]


def read_lines(
    reader: LineReader, records: Sequence[Record], findings: list[Diagnostic], to_first_fault: bool = False
) -> Lines:
    """Read the lines of a log whose game is known. Faults of their content are appended to the findings.

    to_first_fault: leave out what is after the first faulty line.
    """
    plain: Iterable[Entry | None]
    plain = records.read(reader.plain) if isinstance(records, LateRecords) else repeat(None, len(records))
    entries: list[Entry | None] = []
    if to_first_fault:
        for at, entry in enumerate(plain):
            entries.append(_read(reader, records[at], findings) if entry is None else entry)
            if entries[-1] is None:
                break
    else:
        entries = [_read(reader, records[at], findings) if entry is None else entry for at, entry in enumerate(plain)]
    return Lines(records, entries, range(len(entries)))


def _read(reader: LineReader, record: Record, findings: list[Diagnostic]) -> Entry | None:
    """Read the line; None if it is faulty."""
    # A line that could not be parsed is among the faults of the log already.
    if record.data is None:
        return None
    content = reader.read(record.data)
    if not isinstance(content, Entry):
        # The report shows so many findings and counts the rest: their places and hints would take most of the time.
        is_shown = len(findings) < MOST_FINDINGS
        findings.extend(problem.at(record) if is_shown else problem.counted(record) for problem in once_each(content))
        return None
    if isinstance(record.layout, LineLayout):
        # What is read in full takes the longest to read, so to remember it saves the most.
        reader.remember(record.layout.content, content)
    return content
