"""Recording of a play: writes a new log, or adds lines at the end of an existing one.

An existing log keeps every byte: its comments, notes, claims, layout and line ends. New lines are added after its last
event in the form that the text has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ludex.grammar import Json
from ludex.grammar import yaml_tree as y

from ...play.tiers import S, Tier
from .log import LogForm, parse_log, write_line

LineData: TypeAlias = Mapping[str, Json]


class LineWriter(Protocol):
    """Protocol: writes the header and the lines of a text log, which depend on its game."""

    def header(self, data: LineData) -> str: ...

    def line(self, data: LineData) -> str: ...


_PROBE: LineData = {"note": "probe"}
_BREAK = re.compile("\r\n|\r|\n")


def end_claim(engine: Tier[S], state: S) -> dict[str, object]:
    """Return the last line of a finished play's log: a claim of the scores, the winners and the end."""
    outcome = engine.winners(state)
    winners = [] if outcome.undecided else [seat + 1 for seat in outcome.winners]
    return {"claim": {"scores": list(engine.returns(state)), "winners": winners, "terminal": True}}


class Rows(list[Json]):
    """A list that YAML writes with an item on each row."""


class Block(dict[str, Json]):
    """An object that YAML writes with a member on each row."""


def write_yaml_line(line: LineData) -> str:
    """Return a line of a YAML log, without the dash before it: `{player: 1, action: roll}`."""
    # Without a limit on the width, the line stays on one row.
    return yaml_text(line, True, float("inf")).removesuffix("\n")


def yaml_text(data: Json, flow: bool | None = None, width: float = 110) -> str:
    """Return data as YAML. flow: all in braces and brackets; None: only what holds no lists and objects."""
    import yaml

    class Dumper(yaml.SafeDumper):
        # Readers would have to look for what a reference means.
        def ignore_aliases(self, data: object) -> bool:
            """Write no references, even if a value occurs twice."""
            return True

        def represent_str(self, data: str) -> yaml.ScalarNode:
            """Quote what the reader of logs would read as a number: PyYAML quotes fewer texts, as YAML 1.1 does."""
            # Signs that do not print must be escaped, which only double quotation marks allow.
            quotes = '"' if not data.isprintable() else None if y.scalar_value(data) == data else "'"
            return self.represent_scalar("tag:yaml.org,2002:str", data, style=quotes)

        def represent_block(self, data: Block) -> yaml.MappingNode:
            return self.represent_mapping("tag:yaml.org,2002:map", data, flow_style=False)

        def represent_rows(self, data: Rows) -> yaml.SequenceNode:
            return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=False)

    Dumper.add_representer(str, Dumper.represent_str)
    Dumper.add_representer(Rows, Dumper.represent_rows)
    Dumper.add_representer(Block, Dumper.represent_block)
    text: str = yaml.dump(
        data, Dumper=Dumper, default_flow_style=flow, allow_unicode=True, sort_keys=False, width=width
    )
    return text


@dataclass(frozen=True, slots=True)
class Recording:
    """The text of a log, and the place in it where lines are added.

    Attributes:
        before, after: the text on both sides of that place.
        opening: text before the first added line; `between` before each other one; `closing` after the last.
        write: writes one line.
    """

    before: str
    after: str
    opening: str
    between: str
    closing: str
    write: Callable[[LineData], str]

    def text(self, lines: Iterable[LineData]) -> str:
        """Return the text with these lines added."""
        added = self.between.join(map(self.write, lines))
        # Without lines the text must stay as it is, with no `events:` above nothing.
        return f"{self.before}{self.opening}{added}{self.closing}{self.after}" if added else self.before + self.after


def new_recording(header: LineData, form: LogForm, writer: LineWriter | None = None) -> Recording:
    """Begin a log with a header and no lines. writer: writes the lines of a text log."""
    if form == "text":
        assert writer is not None
        return Recording(writer.header(header), "", "", "\n", "\n", writer.line)
    if form == "json":
        return Recording(f"{write_line(header)}\n", "", "", "\n", "\n", write_line)
    # The braces of a flow mapping are cut off, so that each member has a line of its own.
    members = "".join(f"{write_yaml_line({name: value})[1:-1]}\n" for name, value in header.items())
    return Recording(members, "", "events:\n  - ", "\n  - ", "\n", write_yaml_line)


def continued(text: str, form: LogForm, writer: LineWriter | None = None) -> Recording | None:
    """Find the place in an existing log where lines can be added; None if its layout has no certain one.

    writer: writes the lines of a text log.
    """
    if form == "text":
        assert writer is not None
        # A blank line ends the header of a text log, and the first event comes after it.
        blank = None if parse_log(text, form=form).events else ""
        return _inserted(text, _end(text), "", writer.line, blank)
    if form == "json":
        return _inserted(text, _end(text), "", write_line)
    recording = _in_yaml(text)
    # A wrong place would spoil a log that somebody wrote by hand.
    return recording if recording is not None and _keeps_all(text, recording) else None


def _keeps_all(text: str, recording: Recording) -> bool:
    """Test that added lines are read as the last events, and everything else as before.

    It is tried out, as YAML has too many layouts to be sure of a place.
    """
    # Two lines are added, since `between` is not tried out by one.
    old, new = (parse_log(each, form="yaml") for each in (text, recording.text([_PROBE, _PROBE])))
    if old.header is None or new.header is None or old.header.data != new.header.data:
        return False
    return [each.data for each in new.events] == [*(each.data for each in old.events), _PROBE, _PROBE]


def _end(text: str) -> int:
    """Return the offset after the last line that is not blank."""
    return text.find("\n", len(text.rstrip())) + 1 or len(text)


# ---- places in YAML -------------------------------------------------------------------------------------------------


def _in_yaml(text: str) -> Recording | None:
    # The byte order mark has no column, so `_offset` counts it.
    root, _ = y.read_yaml(text.removeprefix("\ufeff"), "log")
    if isinstance(root, y.Items):
        return _in_list(text, root)
    if not isinstance(root, y.Fields):
        return None
    entry = root.entries.get("events")
    if entry is None:
        # A mapping without `events` has a header only.
        return _inserted(text, len(text), "  - ", write_yaml_line, "events:")
    return _in_list(text, entry.node) if isinstance(entry.node, y.Items) else None


def _in_list(text: str, items: y.Items) -> Recording:
    start = _offset(text, items.span.line, items.span.column)
    if text[start] == "[":
        return _in_brackets(text, items, start)
    margin = items.span.column - 1
    end = items.items[-1].span
    # A block ends for the parser of YAML where the next line begins.
    last = end.end_line if end.end_column > 1 else end.end_line - 1
    at = _offset(text, _with_comments(text, last, margin) + 1, 1)
    return _inserted(text, at, f"{' ' * margin}- ", write_yaml_line)


def _with_comments(text: str, last: int, margin: int) -> int:
    """Find the last line of a list whose last item ends in line `last`, with the comments below it.

    A comment belongs to the list if it is not less indented, or if nothing else follows.
    """
    lines = _BREAK.split(text)
    for number, line in enumerate(lines[last:], last + 1):
        words = line.lstrip(" ")
        if words and not words.startswith("#"):
            return last
        if words and len(line) - len(words) >= margin:
            last = number
    return max((number for number, line in enumerate(lines, 1) if line.strip()), default=last)


def _inserted(text: str, at: int, lead: str, write: Callable[[LineData], str], heading: str | None = None) -> Recording:
    """Add lines at the offset, which is at a line end, each on its own line; heading: a line before them."""
    # The file keeps its line ends.
    ends = "\r\n" if "\r\n" in text else "\n"
    # Some editors leave the last line without an end.
    begin = "" if text[:at].endswith(("\n", "\r")) else ends
    first = f"{heading}{ends}" if heading is not None else ""
    return Recording(text[:at], text[at:], f"{begin}{first}{lead}", ends + lead, ends, write)


def _in_brackets(text: str, items: y.Items, start: int) -> Recording:
    """Add lines to a list in brackets after its last item: in the same row or below, as the items before."""
    # The lines are added as JSON, since the whole list may be JSON, and has to stay so.
    if not items.items:
        return Recording(text[: start + 1], text[start + 1 :], "", ", ", "", write_line)
    span = items.items[-1].span
    at = _offset(text, span.end_line, span.end_column)
    begin = _offset(text, span.line, 1)
    margin = text[begin : _offset(text, span.line, span.column)]
    ends = "\r\n" if "\r\n" in text else "\n"
    comma = f",{ends}{margin}" if not margin.strip() and span.line > items.span.line else ", "
    return Recording(text[:at], text[at:], comma, comma, "", write_line)


def _offset(text: str, line: int, column: int) -> int:
    """Convert a line and column, from 1, to an offset in the text; the text's end if it has fewer lines."""
    # The byte order mark has no column.
    at = 1 if text.startswith("\ufeff") else 0
    for _ in range(line - 1):
        line_end = _BREAK.search(text, at)
        if line_end is None:
            return len(text)
        at = line_end.end()
    return at + column - 1
