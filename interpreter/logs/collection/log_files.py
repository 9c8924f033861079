"""The files that a name means: a file, all logs below a folder, the matches of a pattern, the standard input.

They are found one by one, so the names of one folder are in memory, and one log.
"""

from __future__ import annotations

import io
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, replace
from glob import has_magic
from itertools import islice
from pathlib import Path
from typing import Any

from ludex.grammar import (
    MISSING_FILE,
    STDIN,
    UNREADABLE_FILE,
    Code,
    Diagnostic,
    Message,
    enumerated,
    is_there,
    no_text,
    open_bytes,
    whole_file,
)
from ludex.spec import meant_as_game

from ..record import STDIN_SHOWN
from .splitting import LogText, split_logs
from .unpacking import PACKED_ENDINGS, without_packing

LINES = (".jsonl", ".ndjson", ".ludexlog")
TREES = (".yaml", ".yml", ".json")
"""Endings of files in a folder that are logs only if they have a header: other YAML and JSON files may be there."""
_READ = (*LINES, *TREES)
_ENDINGS = Message("over-endings", endings=(*LINES, *TREES), packed=enumerated(PACKED_ENDINGS, "or"))
NO_ENDING = Message("over-no-ending", endings=_ENDINGS)
NO_LUDEX_MEMBER = Message("over-no-header", member="ludex")
LINKED_FOLDER = Message("over-linked-folder")
GIT = ".git"
GIT_FOLDER = Message("over-git")
# A JSON log in one list begins with brackets.
_JSON_HEADER = re.compile(rb"\A[\s\[{]*\"ludex\"\s*:")
_YAML_HEADER = re.compile(rb"^(?:- +)?[\[{]*['\"]?ludex['\"]? *:", re.MULTILINE)
"""The beginning of a header, for a file that cannot be parsed further."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file in a folder that is skipped, and why."""

    file: str
    reason: str


def logs_of(name: str) -> Iterator[LogText | PassedOver]:
    """Read the logs that a name means, one at a time: a file, all logs below a folder, the matches of a pattern, `-`.

    A named file is always read. In a folder, files that are not logs are skipped; a file that may be a log and cannot
    be read is a log with a fault. A file may hold many logs, and be compressed. Never raises for what the files hold.
    """
    if name == STDIN:
        yield from split_logs(_standard_input(), STDIN_SHOWN)
    elif not name.strip():
        yield _nothing("LOG", Message("file-name-empty"))
    elif _is_folder(Path(name)):
        yield from _in_folder(name)
    # A file may have `[1]` in its name, and then is meant itself.
    elif has_magic(name) and not is_there(Path(name)):
        yield from _fitting(name)
    else:
        yield from _in_file(Path(name))


def bytes_of(name: str) -> int | None:
    """Return how many bytes `logs_of` will read for a name, files that turn out to be no logs included; None if nobody
    can know."""
    if name == STDIN:
        return None
    path = Path(name)
    if _is_folder(path):
        return sum(_size(each) for each in _below(path) if Path(without_packing(each.name)).suffix.lower() in _READ)
    return sum(map(_size, _matches(name))) if has_magic(name) and not is_there(path) else _size(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def logs_at(name: str) -> Iterator[LogText]:
    """Read the logs of one file, or of the standard input (`-`), one at a time. Never raises for what it holds."""
    return split_logs(_standard_input(), STDIN_SHOWN) if name == STDIN else _in_file(Path(name))


def log_at(name: str) -> LogText:
    """Read the one log of a file, or of the standard input (`-`), unpacked if it is compressed. Never raises for what
    it holds: the header of a second log is a faulty line of the first."""
    logs = logs_at(name)
    # Two are enough to know that there are several, and a file may hold a million.
    first, *others = islice(logs, 2)
    parts = (first, *others)
    faults = tuple(fault for part in parts for fault in part.faults)
    return LogText(first.file, b"".join(part.content for part in parts), faults=faults)


def logs_in(content: str | bytes, name: str) -> Iterator[LogText]:
    """Read the logs in a text or in bytes, one at a time. name: shown for them."""
    # A half character is reported later, with its place.
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    stream: Any = io.BytesIO(data)
    return split_logs(io.BufferedReader(stream), name)


def _standard_input() -> io.BufferedReader:
    stream: Any = sys.stdin.buffer
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)


def _in_file(path: Path) -> Iterator[LogText]:
    stream = open_bytes(path)
    if isinstance(stream, Diagnostic):
        yield LogText(str(path), b"", faults=(meant_as_game(stream),))
        return
    with stream:
        yield from split_logs(stream, str(path))


def _nothing(name: str, message: Message, code: Code = MISSING_FILE) -> LogText:
    return LogText(name, b"", faults=(Diagnostic(code, message, whole_file(name)),))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # no file can have this name
        return False


# ---- folders and patterns --------------------------------------------------------------------------------------


def _in_folder(folder: str) -> Iterator[LogText | PassedOver]:
    holds_logs = False
    for path in _below(Path(folder)):
        for log in _of_folder(path):
            holds_logs = holds_logs or isinstance(log, LogText)
            yield log
    if not holds_logs:
        yield _nothing(folder, Message("folder-without-logs"))


def _below(folder: Path) -> Iterator[Path]:
    """Find all files below a folder in the order of their paths, links to folders, the folders of Git, and folders that
    cannot be opened."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names take less memory than paths
    # The folder itself is shown, as one that cannot be opened.
    except OSError:
        yield folder
        return
    for name in names:
        path = folder / name
        # Links to folders are not followed: they may lead round in a circle, or out of the folder. A repository has
        # thousands of files in its own folder, which would hide the other skipped ones.
        if name == GIT or path.is_symlink() or not _is_folder(path):
            yield path
        else:
            yield from _below(path)


def _of_folder(path: Path) -> Iterator[LogText | PassedOver]:
    """Read the logs of a file in a folder, if it has some."""
    ending = Path(without_packing(path.name)).suffix.lower()
    if _is_folder(path):
        # `_below` gives a folder only if it is a link or of Git, or cannot be opened.
        reason = LINKED_FOLDER if path.is_symlink() else GIT_FOLDER if path.name == GIT else None
        fault = _nothing(str(path), Message("folder-unopened"), UNREADABLE_FILE)
        yield fault if reason is None else PassedOver(str(path), reason)
    elif ending in LINES:
        yield from _in_file(path)
    elif ending in TREES:
        yield from map(_of_tree, _in_file(path))
    else:
        yield PassedOver(str(path), NO_ENDING)


def _of_tree(text: LogText) -> LogText | PassedOver:
    """Read a YAML or JSON file as a log if it has a header; a folder may contain others."""
    if text.faults or no_text(text.content, text.file) is not None:
        return text
    # The test is quick, as a folder may contain many other files.
    if b"ludex" not in text.content:
        return PassedOver(text.file, NO_LUDEX_MEMBER)
    # The parsed log is returned, since a long one should not be parsed twice.
    read = replace(text, parsed=text.log())
    return read if _has_header(read) else PassedOver(text.file, NO_LUDEX_MEMBER)


def _has_header(text: LogText) -> bool:
    """Test whether the log has a header, or begins like one that cannot be parsed."""
    header = text.log().header
    if header is not None and header.data is not None:
        return "ludex" in header.data
    # A damaged header is a log with a fault, and must not be skipped silently.
    begins = _JSON_HEADER if without_packing(text.file).lower().endswith(".json") else _YAML_HEADER
    return begins.search(text.content.removeprefix(BOM_UTF8)) is not None


def _fitting(pattern: str) -> Iterator[LogText]:
    """Read the logs that match a pattern with `*`, `?`, `[...]`, and `**` for any folders.

    As if a shell had expanded the pattern, every file is read, whatever it is; folders are not.
    """
    files = _matches(pattern)
    for file in files:
        yield from _in_file(file)
    if not files:
        yield _nothing(pattern, Message("pattern-without-files"))


def _matches(pattern: str) -> list[Path]:
    path = Path(pattern)
    start = Path(path.anchor)
    try:
        # A pattern is taken from its root, since `glob` allows no absolute ones.
        return sorted(files for files in start.glob(str(path.relative_to(start))) if not _is_folder(files))
    except (OSError, ValueError, NotImplementedError):
        return []
