"""Rulebook texts, if the reader has them: the lines that a clause cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import Span, read_text, value_class

from .terminal import say

if TYPE_CHECKING:
    from ludex.grammar import Citation, LineRanges
    from ludex.grammar import syntax as s

_MOST_LINES = 6
"""The largest number of lines shown of one citation."""


@value_class
class Quoted:
    """One line of a rulebook: its document's tag, its number, its text."""

    document: str
    line: int
    words: str


@dataclass
class Books:
    """The texts in a folder, by the tags that a game gives them. specs: the files of which reports quote rows."""

    folder: Path
    documents: Mapping[str, str]
    specs: tuple[s.Module, ...] = ()
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

    def quoted(self, document: str, lines: LineRanges, most: int = _MOST_LINES) -> list[Quoted]:
        """Return lines of a document, without blank ones; at most `most`."""
        written = self._of(document)
        # A citation may span millions of lines, of which a few are shown.
        numbers = [number for first, last in lines for number in range(first, min(last, first + 100) + 1)]
        quoted = [Quoted(document, n, written[n - 1].strip()) for n in numbers if 1 <= n <= len(written)]
        return [line for line in quoted if line.words][:most]

    def cited(self, citations: Iterable[Citation]) -> Iterator[Quoted]:
        """Yield the lines of some citations, as `quoted`."""
        for citation in citations:
            yield from self.quoted(citation.document, citation.lines)

    def cited_at(self, span: Span) -> Iterator[Quoted]:
        """Yield the lines of the citations that a report of this place underlines: those in its first row."""
        return self.cited(
            each for each in self._citations.get((span.file, span.line), ()) if _is_underlined(each, span)
        )

    @cached_property
    def _citations(self) -> Mapping[tuple[str, int], list[Citation]]:
        """The citations of the specs, by file and row."""
        from ludex.grammar import Citation, nodes_in  # imported late: only reports of specs need them

        by_row: dict[tuple[str, int], list[Citation]] = {}
        for each in nodes_in((*(spec.header for spec in self.specs), *(spec.declarations for spec in self.specs))):
            if isinstance(each, Citation):
                by_row.setdefault((each.span.file, each.span.line), []).append(each)
        return by_row

    def _of(self, tag: str) -> list[str]:
        if tag not in self._lines:
            name = self.documents.get(tag)
            # A spec cannot name a file outside of the folder that the reader opened for it.
            text = read_text(self.folder / name)[0] if name and Path(name).name == name else None
            self._lines[tag] = text.split("\n") if text else []
        return self._lines[tag]


def _is_underlined(citation: Citation, span: Span) -> bool:
    ends = span.end_column if span.line == span.end_line else citation.span.end_column
    return span.column <= citation.span.column and citation.span.end_column <= ends


def books_in(folder: Path | None, documents: Mapping[str, str], specs: tuple[s.Module, ...] = ()) -> Books | None:
    """Open the texts in a folder, if one is named. A note says which are missing. specs: as those of `Books`."""
    if folder is None:
        return None
    books = Books(folder, documents, specs)
    for each in books.missing:
        say(f"note: {each}", err=True)
    return books
