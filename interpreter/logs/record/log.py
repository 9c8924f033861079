"""Logs as text: reading them in each form, and writing them.

A log is a header and then one event a line, as JSON Lines, YAML or text; all give the same records. Here it is only
tested that each record can be parsed; `structure/` reads its content.
"""

from __future__ import annotations

import json
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Literal

from ludex.grammar import STANDARD_INPUT, STDIN, Diagnostic, Json, Message, no_text, read_bytes, shown_value, whole_file
from ludex.spec import meant_as_game

from ...state.api_arguments import checked
from .. import log_codes
from .json_lines import MAX_LOG_BYTES, parse_json_lines
from .records import Log, nothing

STDIN_SHOWN = STANDARD_INPUT

LogForm = Literal["json", "yaml", "text"]
ENDINGS: Mapping[str, LogForm] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".jsonl": "json",
    ".ndjson": "json",
    ".ludexlog": "text",
}
# Comments may come before the header.
_TEXT = re.compile(rb"\A(?:\s*#[^\n]*\n)*\s*(?:(?:Game|Ludex)[ \t]*:|\[\w+\s+\")")
"""The beginning of a text log, whose tags have capitals."""


def read_log(path: str | Path, form: LogForm | None = None) -> Log:
    """Read the log in a file, or on the standard input (`-`).

    `form` None: it follows from the name's ending (`.yaml`, `.yml`; `.jsonl`, `.ndjson`; `.ludexlog`), else from the
    beginning. Never raises for the content of the file, nor if it cannot be read: the log's faults say so.
    """
    name = str(path)
    if name == STDIN:
        return parse_log(read_standard_input(), STDIN_SHOWN, form)
    content = read_bytes(Path(path), MAX_LOG_BYTES)
    return (
        parse_log(content, name, form) if isinstance(content, bytes) else Log(name, None, (), (meant_as_game(content),))
    )


def read_standard_input() -> bytes:
    """Read the standard input, up to the size of the largest log."""
    # One byte more than may be read shows that there is more.
    return sys.stdin.buffer.read(MAX_LOG_BYTES + 1)


def parse_log(text: str | bytes, file: str = "log", form: LogForm | None = None, first: int = 1) -> Log:
    """Parse the text of a log, or its bytes, which may not be UTF-8. The result is as that of `read_log`.

    first: the number of its first line, of a log in JSON Lines that is a part of a file.
    """
    # Half characters are let through: the parser reports them with their place.
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    # A byte order mark alone is an empty file too.
    if not content.removeprefix(BOM_UTF8).strip():
        return nothing(file, Diagnostic(log_codes.EMPTY_LOG, Message("log-empty"), whole_file(file)))
    # Where a file is not a text, its first line shows it; a bad line further down is a fault of that line alone. A line
    # of YAML may end with a carriage return alone.
    fault = no_text(content.partition(b"\n")[0].partition(b"\r")[0], file)
    if fault is not None:
        return nothing(file, fault)
    form = form or form_of(file, content)
    if form == "text":
        from .text_records import parse_text

        return parse_text(content.removeprefix(BOM_UTF8), file)
    if form == "yaml":
        from .yaml_log import parse_yaml

        return parse_yaml(content, file)
    return parse_json_lines(content.removeprefix(BOM_UTF8), file, first)


def form_of(file: str, content: str | bytes = "{") -> LogForm:
    """Return the form of a log: by the file's ending, else by the beginning of its content (a new one: JSON)."""
    ending = Path(file).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    # Only the beginning counts, and it has to be found in a text that cannot be encoded, too.
    begin = (content if isinstance(content, bytes) else content.encode("utf-8", "replace")).removeprefix(BOM_UTF8)
    if begin.lstrip()[:1] == b"{":
        return "yaml" if ending == ".json" and _is_whole_log(begin) else "json"
    return "text" if _TEXT.match(begin) else "yaml"


def _is_whole_log(begin: bytes) -> bool:
    """Return whether a JSON text is one object with all events, by its first line: this holds no header of its own."""
    first = begin.lstrip().partition(b"\n")[0]
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        return True
    return isinstance(header, dict) and "events" in header


# ---- writing --------------------------------------------------------------------------------------------------------


@checked(header=Mapping, events=Iterable)
def write_log(header: Mapping[str, Json], events: Iterable[Mapping[str, Json]]) -> str:
    """Return the text of a log as JSON Lines. Equal lines give equal bytes (write them as UTF-8, with `\\n`).

    Raises TypeError for a line that is not a mapping, ValueError for one that JSON cannot hold.
    """
    return "".join(f"{_written(number, line)}\n" for number, line in enumerate(chain((header,), events), start=1))


def _written(number: int, line: Mapping[str, Json]) -> str:
    if not isinstance(line, Mapping):
        raise TypeError(f"`events` must be mappings, not {shown_value(line)}")
    try:
        return write_line(line, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as fault:
        raise ValueError(f"JSON cannot hold line {number}: {fault}") from fault


def write_line(line: Mapping[str, Json], *, allow_nan: bool = True) -> str:
    """Return one line of a log as JSON, members in the given order, without a line end.

    allow_nan: whether a number that JSON does not have is written as Python does; if not, it raises ValueError.
    """
    # Half of a surrogate pair, which UTF-8 cannot hold, is escaped as JSON escapes it.
    return json.dumps(line, ensure_ascii=False, allow_nan=allow_nan).encode("utf-8", "backslashreplace").decode()
