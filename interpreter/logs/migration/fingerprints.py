"""The text of a log with another fingerprint, or more settings, in its header, every other byte as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ludex.grammar import Json, Span, escaped

from ..record import VERSION, Log, LogForm, Record, form_of, header_lines, parse_log


def with_fingerprint(text: str, file: str, fingerprint: str, settings: Mapping[str, Json] | None = None) -> str | None:
    """Return the text of a log with this fingerprint; None if there is no certain place for it.

    Every way is tried out: the text that is returned is read as the same log with the fingerprint.

    settings: more members of the header, which it does not have: `edition`; `options` and `readings` by name.
    """
    written: str | None = text
    for path in _paths({"fingerprint": fingerprint, **(settings or {})}):
        written = None if written is None else _with_member(written, file, *path)
    return written


def with_settings(data: Mapping[str, Json], settings: Mapping[str, Json]) -> dict[str, Json]:
    """Return a header with more settings."""
    more = {
        name: {**data.get(name, {}), **each} if isinstance(each, Mapping) else each for name, each in settings.items()
    }
    return {**data, **more}


def _paths(members: Mapping[str, Json]) -> Iterator[tuple[tuple[str, ...], Json]]:
    for name, value in members.items():
        if isinstance(value, Mapping):
            yield from (((name, own), each) for own, each in value.items())
        else:
            yield (name,), value


def _with_member(text: str, file: str, path: tuple[str, ...], value: Json) -> str | None:
    form = form_of(file, text)
    old = parse_log(text, file, form)
    if old.header is None or old.header.data is None:
        return None
    wanted = with_settings(old.header.data, _nested(path, value))
    # Rewriting the log would lose its comments and layout.
    # An attempt counts only if the log reads the same with it, so none has to be exact.
    attempts = _attempts(_Text(text, old.header), form, path, value)
    return next((each for each in attempts if _is(each, file, form, wanted, old)), None)


def _nested(path: tuple[str, ...], value: Json) -> dict[str, Any]:
    name, *own = path
    return {name: {own[0]: value} if own else value}


def _is(text: str, file: str, form: LogForm, header: Mapping[str, object], old: Log) -> bool:
    log = parse_log(text, file, form)
    same = log.header is not None and log.header.data == header
    return same and [each.data for each in log.events] == [each.data for each in old.events]


class _Text:
    """The text of a log, and the places of its header in it."""

    def __init__(self, text: str, header: Record) -> None:
        assert header.data is not None
        self.text, self.header, self.data = text, header, header.data
        # The file keeps its line ends.
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def put(self, start: int, end: int, piece: str) -> str:
        return f"{self.text[:start]}{piece}{self.text[end:]}"

    def range(self, pointer: str, at_name: bool = False) -> tuple[int, int]:
        """Return the offsets of a value of the header, or of its name."""
        return _range(self.text, self.header.place(pointer, at_name))

    def margin(self, pointer: str) -> str:
        """Return as many blanks as there are columns before a name."""
        return " " * (self.header.place(pointer, True).column - 1)

    def line_after(self, offset: int, line: str) -> str:
        """Return the text with one more line after the one at the offset."""
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end - (self.text[end - 1] == "\r")
        return self.put(end, end, f"{self.newline}{line}")


def _attempts(at: _Text, form: LogForm, path: tuple[str, ...], value: Json) -> Iterator[str]:
    """Enumerate texts with the member: in the place of the old one, or inside its group, or as a new one."""
    name, written = path[0], json.dumps(value, ensure_ascii=False)
    if len(path) == 1 and name in at.data:
        # A value without quotation marks stays so where it can be read so.
        if not at.text[slice(*at.range(f"/{name}"))].startswith(('"', "'")):
            yield at.put(*at.range(f"/{name}"), str(value))
        yield at.put(*at.range(f"/{name}"), written)
    elif form == "text":
        line = header_lines({"ludex": VERSION, **_nested(path, value)})[0]
        yield from (at.line_after(at.range(f"/{each}")[1], line) for each in ("game", "players") if each in at.data)
    elif at.data.get(name):
        yield from _inside(at, path, written)
    elif name in at.data:
        yield at.put(*at.range(f"/{name}"), json.dumps(_nested(path, value)[name], ensure_ascii=False))
    else:
        yield from _beside_version(at, name, json.dumps(_nested(path, value)[name], ensure_ascii=False))


def _inside(at: _Text, path: tuple[str, ...], written: str) -> Iterator[str]:
    """Enumerate texts with the member before the first one of its group."""
    group, own = path
    first = f"/{group}/{escaped(next(iter(at.data[group])))}"
    start, _ = at.range(first, True)
    # The first attempt is for braces, the second for a block of YAML.
    yield at.put(start, start, f"{json.dumps(own, ensure_ascii=False)}: {written}, ")
    yield at.put(start, start, f"{own}: {written}{at.newline}{at.margin(first)}")


def _beside_version(at: _Text, name: str, written: str) -> Iterator[str]:
    """Enumerate texts with the member after `ludex`."""
    _, end = at.range("/ludex")
    # The first attempt is for JSON, the second for YAML, where a member must be in the column of its neighbour.
    yield at.put(end, end, f', "{name}": {written}')
    yield at.line_after(end, f"{at.margin('/ludex')}{name}: {written}")


def _range(text: str, span: Span) -> tuple[int, int]:
    """Return the offsets of a span."""
    lines = text.split("\n")
    before = [0]
    for line in lines:
        before.append(before[-1] + len(line) + 1)
    # The mark of the encoding belongs to no column.
    mark = 1 if text.startswith("\ufeff") else 0
    start = before[span.line - 1] + span.column - 1 + (mark if span.line == 1 else 0)
    end = before[span.end_line - 1] + span.end_column - 1 + (mark if span.end_line == 1 else 0)
    return start, end
