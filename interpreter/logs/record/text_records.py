"""Parser of text logs: the tags of the header; the other lines stay unread until the game is known.

What a line says depends on the game of the header, which the caller loads (`text_logs/text_reader.py` reads the lines).
"""

from __future__ import annotations

import re

from ludex.grammar import Diagnostic, decode

from .json_lines import fitting_lines, one_record
from .records import LineLayout, Log, Record, UnreadLine, nothing
from .text_header import HeaderReader

# In other notations braces hold comments, and those are reported where the game is known.
_JSON = re.compile(r"\s*\{\s*(?:[\"'}]|\w+\s*:|\Z)")
"""The beginning of a line of JSON, also of one that is damaged."""


def parse_text(content: bytes, file: str) -> Log:
    """Divide a text log into its header and its lines, as `parse_log` does."""
    kept, cut = fitting_lines(content, file, 1)
    if not kept:
        return nothing(file, *cut)
    # The lines were divided as bytes, so that the bounds are known before anything is decoded.
    text = decode(b"\n".join(kept), file)
    if isinstance(text, Diagnostic):
        return Log(file, None, (), (text,))
    # `splitlines` would also divide at form feeds and other signs that a text may have within a line.
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    # The header may have comments above it.
    begin = next((at for at, (_, line) in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    end = next((at for at, (_, line) in enumerate(lines) if at > begin and not line.strip()), len(lines))
    header = HeaderReader(file, lines[begin][0])
    for at, (number, line) in enumerate(lines[:end]):
        if line.strip():
            header.read(line, number)
        if header.has_ended:
            end = at
            break
    # The other lines of a foreign log, and all that is missing, would be reported for the same cause.
    if header.is_foreign:
        return Log(file, None, (), (*header.faults, *cut))
    faults = list(header.faults)
    records = [_unread(file, number, line, faults) for number, line in lines[end:] if line.strip()]
    return Log(file, Record(header.finished(), header.layout), tuple(records), (*faults, *cut))


def _unread(file: str, number: int, line: str, faults: list[Diagnostic]) -> Record:
    if _JSON.match(line):
        record, fault = one_record(LineLayout(file, number, line.encode()), False)
        faults.extend([fault] if fault else [])
        return record
    return Record(None, UnreadLine(file, number, line))
