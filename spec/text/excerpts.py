"""Excerpts of a game's files: what a report quotes, and the first word of what takes several lines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ludex.grammar import Span


class Excerpts:
    """The source text of a game's files. texts: the text of each file, by name."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        # The lexer ends lines at `\n` only, and `splitlines` at other signs too, which a comment may have.
        self._lines = cache(lambda file: texts.get(file, "").split("\n"))

    def text(self, span: Span) -> str | None:
        """Return the source text of a span; None if it takes more than one line."""
        lines = self._lines(span.file)
        if span.line != span.end_line or span.line > len(lines):
            return None
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    def first_word(self, span: Span) -> Span:
        """Return a span that takes one line as it is, of a longer one its first word: the place for a report."""
        if span.end_line == span.line:
            return span
        from ludex.grammar import lexemes

        line = self._lines(span.file)[span.line - 1]
        words = lexemes(line[span.column - 1 :], span.file)
        width = len(words[0].text) if words else 1
        return Span(span.file, span.line, span.column, span.line, span.column + width)
