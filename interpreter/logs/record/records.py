"""The records of a log, as they were parsed: each with the place of every part of it.

A record is one line, the header or an event. It says nothing yet about a game: `structure/` reads what it means.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from ludex.grammar import Diagnostic, Json, Message, Span, value_class
from ludex.spec import found_words

from .. import log_codes
from .json_places import JsonPlace, TextFault, scan

if TYPE_CHECKING:
    from ludex.grammar import yaml_tree

VERSION = 1
"""The version of the log format."""
EXAMPLE = '{"player": 1, "action": "decline"}'
EXAMPLE_YAML = "{player: 1, action: decline}"


Content = TypeVar("Content")


class RecordLayout(Protocol):
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
        if not pointer:
            # In a log with many faults most places are those of whole lines, which need no scan; a scan takes long.
            return self.span(len(self.text) - len(self.text.lstrip()), len(self.text.rstrip()))
        place, is_there = _scanned(self.text).at(pointer)
        return self.span(*(place.name if at_name and is_there and place.name else place.value))

    def span(self, start: int, end: int) -> Span:
        return Span(self.file, self.line, start + 1, self.line, end + 1)


@lru_cache(maxsize=4)
def _scanned(text: str) -> JsonPlace:
    """Scan the places in a line, once for all findings in it; a line that is not JSON is one place."""
    try:
        return scan(text)
    except TextFault:
        return JsonPlace((0, len(text)))


@value_class
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
        # A fault in a part without a place is shown at the part around it.
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
    layout: RecordLayout

    def place(self, pointer: str = "", at_name: bool = False) -> Span:
        return self.layout.place(pointer, at_name)

    @property
    def file(self) -> str:
        """The name of the log's file, as shown to the reader."""
        layout = self.layout
        # A line knows its file without a search for places.
        return layout.file if isinstance(layout, LineLayout) else layout.place("", False).file

    @property
    def is_text(self) -> bool:
        """Whether it is written in the notation."""
        return isinstance(self.layout, TextLayout)

    @property
    def is_yaml(self) -> bool:
        """Whether the log is written as YAML (a JSON array is parsed as YAML, too)."""
        # A list in JSON is parsed as YAML, but its author should see JSON in hints.
        return isinstance(self.layout, NodeLayout) and Path(self.file).suffix.lower() != ".json"


class LateRecords(Sequence[Record]):
    """Records that are parsed when somebody asks for one, or for the faults of all."""

    @property
    @abstractmethod
    def faults(self) -> tuple[Diagnostic, ...]:
        """The faults of parsing, and warnings."""

    @abstractmethod
    def read(self, reader: Callable[[bytes], Content | None]) -> Iterable[Content | None]:
        """Yield what a reader makes of the text of each record. A text that it reads is not parsed."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read.

    Attributes:
        file: the name shown to the reader.
        header: the first record; None if there is none at all.
        events: all other records, including those that could not be parsed.
        early_faults: what was wrong before any record was parsed.
        yaml: the text of a YAML log, for its comments, which are not data.
    """

    file: str
    header: Record | None
    events: Sequence[Record]
    early_faults: tuple[Diagnostic, ...] = ()
    yaml: str = ""

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """The faults of parsing, and warnings."""
        # Only late records can have faults that are not known yet.
        return (*self.events.faults, *self.early_faults) if isinstance(self.events, LateRecords) else self.early_faults

    @property
    def is_unread(self) -> bool:
        """Whether some lines are read only when the game is known (`text_logs/text_reader.py`)."""
        return not isinstance(self.events, LateRecords) and any(
            isinstance(record.layout, UnreadLine) for record in self.events
        )


def nothing(file: str, *faults: Diagnostic) -> Log:
    """Return a log without records: none could be read, and the faults say why."""
    return Log(file, None, (), faults)


def not_an_object(data: Json, layout: RecordLayout) -> Diagnostic:
    message = Message("log-no-object", found=found_words(data))
    yaml = Record(None, layout).is_yaml
    hint = Message("such-as", sample=EXAMPLE_YAML if yaml else EXAMPLE)
    return Diagnostic(log_codes.NOT_AN_OBJECT, message, layout.place("", False), hint)
