"""The text of a log with another fingerprint in its header, every other byte as it was."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.grammar import Span

from ..record import Form, Log, form_of, parse_log


def with_fingerprint(text: str, file: str, fingerprint: str) -> str | None:
    """Return the text of a log with this fingerprint; None if there is no certain place for it.

    Every way is tried out: the text that is returned is read as the same log with the fingerprint.
    """
    form = form_of(file, text)
    old = parse_log(text, file, form)
    if old.header is None or old.header.data is None:
        return None
    wanted = {**old.header.data, "fingerprint": fingerprint}
    # Rewriting the log would lose its comments and layout.
    # An attempt counts only if the log reads the same with it, so none has to be exact.
    return next((each for each in _attempts(text, old, fingerprint) if _is(each, file, form, wanted, old)), None)


def _is(text: str, file: str, form: Form, header: dict[str, object], old: Log) -> bool:
    log = parse_log(text, file, form)
    same = log.header is not None and log.header.data == header
    return same and [each.data for each in log.events] == [each.data for each in old.events]


def _attempts(text: str, log: Log, fingerprint: str) -> Iterator[str]:
    """Enumerate texts with the fingerprint: in the place of the old one, else behind the member `ludex`."""
    assert log.header is not None
    assert log.header.data is not None
    if "fingerprint" in log.header.data:
        start, end = _range(text, log.header.place("/fingerprint"))
        yield f'{text[:start]}"{fingerprint}"{text[end:]}'
        return
    name = log.header.place("/ludex", True)
    _, end = _range(text, log.header.place("/ludex"))
    # The first attempt is for JSON, the second for YAML.
    yield f'{text[:end]}, "fingerprint": "{fingerprint}"{text[end:]}'
    # The file keeps its line ends.
    newline = "\r\n" if "\r\n" in text else "\n"
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end - (text[line_end - 1] == "\r")
    # In YAML the member must be in the column of its neighbour.
    margin = " " * (name.column - 1)
    yield f'{text[:line_end]}{newline}{margin}fingerprint: "{fingerprint}"{text[line_end:]}'


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
