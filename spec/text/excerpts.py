"""Excerpts of a game's files: what a report quotes."""

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
