"""Rulebook texts, if the reader has them: the lines that a clause cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ludex.grammar import read_text

from .terminal import say

MOST_LINES = 6
"""Most lines shown of one citation."""

_CITATION = re.compile(r"\[([a-z][a-z0-9_]*) (\d{1,7}(?:-\d{1,7})?(?:, ?\d{1,7}(?:-\d{1,7})?)*)\]")


@dataclass(frozen=True, slots=True)
class Quoted:
    """One line of a rulebook: its document's tag, its number, its text."""

    document: str
    line: int
    words: str


@dataclass(slots=True)
class Books:
    """The texts in a folder, by the tags that a game gives them."""

    folder: Path
    documents: Mapping[str, str]
    _lines: dict[str, list[str]] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """Messages that say for each unreadable text why it cannot be read."""
        tags: dict[str, list[str]] = {}
        for tag, name in self.documents.items():
            if Path(name).name == name:
                tags.setdefault(name, []).append(f"`{tag}`")
        return tuple(
            f"the words of {' and '.join(named)} are not shown: {fault.span.file}: {fault.code.code} {fault.message}"
            for name, named in tags.items()
            for fault in read_text(self.folder / name)[1]
        )

    def cited(self, text: str, most: int = MOST_LINES) -> Iterator[Quoted]:
        """Return the lines that citations in a text name (`[ru 113, 120-124]`), without blank ones; at most `most` of
        each citation."""
        for match in _CITATION.finditer(text):
            lines = self._of(match[1])
            numbers = [number for span in match[2].split(",") for number in _numbers(span)]
            quoted = [Quoted(match[1], n, lines[n - 1].strip()) for n in numbers if 1 <= n <= len(lines)]
            yield from [line for line in quoted if line.words][:most]

    def _of(self, tag: str) -> list[str]:
        if tag not in self._lines:
            name = self.documents.get(tag)
            # A spec cannot name a file outside of the folder that the reader opened for it.
            text = read_text(self.folder / name)[0] if name and Path(name).name == name else None
            self._lines[tag] = text.split("\n") if text else []
        return self._lines[tag]


def _numbers(span: str) -> range:
    first, _, last = span.strip().partition("-")
    # A citation may span millions of lines, of which a few are shown.
    return range(int(first), min(int(last or first), int(first) + 100) + 1)


def books_in(folder: Path | None, documents: Mapping[str, str]) -> Books | None:
    """Open the texts in a folder, if one is named. A note says which are missing."""
    if folder is None:
        return None
    books = Books(folder, documents)
    for each in books.missing:
        say(f"note: {each}", err=True)
    return books
