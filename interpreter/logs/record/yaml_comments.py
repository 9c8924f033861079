"""The comments of a YAML log as notes of its records, for a conversion into a form without comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ludex.grammar import Json, Span
from ludex.grammar import yaml_tree as y

from .records import Log, NodeLayout, Record

# In YAML a `#` within a word is not a comment.
_SIGN = re.compile(r"(?:(?<=\s)|^)#")
# A comment with this word is for editors, and not about the game.
_FOR_TOOLS = "yaml-language-server:"


def with_comments(log: Log) -> Log:
    """Return a YAML log with the comments of its text in it; any other log as it is.

    A comment beside an event is its note, or a note after it, where it has one; a line of its own is a note there;
    what is above the events is the note of the header.
    """
    if "#" not in log.yaml or log.header is None or log.header.data is None:
        return log
    # A `#` inside a value is not a comment, so all places of words are needed.
    places = [span for record in (log.header, *log.events) for span in _words(_node(record))]
    begins = [event.place().line for event in log.events]
    header: list[str] = []
    beside: dict[int, list[str]] = {}
    before: dict[int, list[str]] = {}
    for line, words, alone, indented in _comments(log.yaml, places):
        at = bisect_right(begins, line) - 1
        # An indented line above the first event belongs to the list of events, not to the header.
        if at < 0 and not (alone and indented and begins):
            header.append(words)
        # A line within an event of several lines belongs to that event, though it is a line of its own.
        elif at < 0 or (alone and line > _last_line(log.events[at])):
            before.setdefault(at + 1, []).append(words)
        else:
            beside.setdefault(at, []).append(words)
    events: list[Record] = []
    for at, event in enumerate(log.events):
        events += (_note(words, event) for words in before.get(at, ()))
        first, *more = beside.get(at, [None])
        # A record has one note, and its author's own stays.
        has_note = event.data is None or "note" in event.data
        events.append(event if first is None or has_note else _noted(event, first))
        events += (_note(words, event) for words in ([first, *more] if has_note and first is not None else more))
    # Comments after the last event have no event to be at.
    events += (_note(words, log.header) for words in before.get(len(log.events), ()))
    return replace(log, header=_headed(log.header, log.header.data, header), events=tuple(events))


def _noted(record: Record, words: Json) -> Record:
    return replace(record, data={**(record.data or {}), "note": words})


def _note(words: Json, near: Record) -> Record:
    return Record({"note": words}, near.layout)


def _headed(record: Record, data: Mapping[str, Json], words: Sequence[str]) -> Record:
    own = data.get("note")
    # A faulty note is reported, and must not be replaced by a comment.
    if not words or not isinstance(own, str | None):
        return record
    return _noted(record, "\n".join([own, *words] if own else words))


def _last_line(event: Record) -> int:
    return max((span.end_line for span in _words(_node(event))), default=event.place().line)


def _node(record: Record) -> y.Node:
    assert isinstance(record.layout, NodeLayout)
    return record.layout.node


def _comments(text: str, places: Sequence[Span]) -> Iterator[tuple[int, str, bool, bool]]:
    """Yield each comment: its line, its words, whether it has the line for itself, and whether it is indented."""
    words = sorted(((span.line, span.column), (span.end_line, span.end_column)) for span in places)
    begins = [begin for begin, _ in words]
    for number, line in enumerate(text.split("\n"), 1):
        for match in _SIGN.finditer(line):
            at = (number, match.start() + 1)
            inside = bisect_right(begins, at) - 1
            # A `#` inside a text begins no comment.
            if inside >= 0 and at < words[inside][1]:
                continue
            said = line[match.end() :].strip()
            if said and not said.startswith(_FOR_TOOLS):
                yield number, said, not line[: match.start()].strip(), match.start() > 0
            # The rest of the line is this comment, whatever signs are in it.
            break


def _words(node: y.Node) -> Iterator[Span]:
    """Yield the places of the names and values in a node."""
    match node:
        case y.Items(items=items):
            for item in items:
                yield from _words(item)
        case y.Fields(entries=entries):
            for entry in entries.values():
                yield entry.key
                yield from _words(entry.node)
        case y.Scalar(span=span):
            yield span
