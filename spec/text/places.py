"""Where single words stand. A node knows its whole extent; a report points at the word at fault."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ludex.grammar import Span

if TYPE_CHECKING:
    from ludex.grammar import Lexeme
    from ludex.grammar import syntax as s


class Places:
    """Finds words in the texts of a game's files. A text is taken apart when it is first asked about."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lexemes: dict[str, Sequence[Lexeme]] = {}
        self._lines: dict[str, list[str]] = {}
        self._found: dict[tuple[Span, str, str | None, bool], Span] = {}

    def word(self, span: Span, word: str, after: str | None = None, last: bool = False) -> Span:
        """The first word of that spelling inside the span (or the last), behind the word `after` if given. Names with
        dots are looked for as a whole. The span itself if the word does not stand there."""
        asked = span, word, after, last
        if asked not in self._found:  # a game is put together for many tables, and each asks the same
            self._found[asked] = self._look_for(span, word, after, last)
        return self._found[asked]

    def _look_for(self, span: Span, word: str, after: str | None, last: bool) -> Span:
        parts = _parts(word)
        found = [at for at in self._inside(span) if self._spells(span.file, at, parts)]
        if after is not None:
            behind = self.word(span, after)
            found = [at for at in found if self._at(span.file, at) >= (behind.end_line, behind.end_column)]
        if not found:
            return span
        first = found[-1 if last else 0]
        whole = self._of(span.file)
        end = whole[first + len(parts) - 1]
        place = whole[first].span
        width = len(_spelling(end)) if end is whole[first] else end.span.end_column - place.column
        return Span(span.file, place.line, place.column, place.line, place.column + width)

    def string(self, span: Span) -> Span:
        """The first text in quotes inside the span; the span itself if there is none."""
        whole = self._of(span.file)
        return next((whole[at].span for at in self._inside(span) if whole[at].kind == "STRING"), span)

    def name(self, node: s.Node, name: str | None = None) -> Span:
        """The name that a declaration or a labelled clause introduces; its first line if it has none."""
        said = name or getattr(node, "name", None) or getattr(node, "label", None)
        if isinstance(said, str):
            found = self.word(node.span, said)
            if found != node.span:
                return found
        return self.head(node.span)

    def label(self, span: Span, path: str) -> Span:
        """The label of a clause, the last word of its path, in the clause's extent."""
        return self.word(span, path.rpartition(".")[2])

    def head(self, span: Span) -> Span:
        """The span if it stands on one line, else its first word: where to point at something long."""
        if span.end_line == span.line:
            return span
        inside = self._inside(span)
        return self._of(span.file)[inside[0]].span if inside else head(span)

    def text(self, span: Span) -> str | None:
        """The words of a span within one line."""
        if span.file not in self._lines:
            self._lines[span.file] = self._texts.get(span.file, "").splitlines()
        lines = self._lines[span.file]
        if span.line != span.end_line or span.line > len(lines):
            return None
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    def _of(self, file: str) -> Sequence[Lexeme]:
        if file not in self._lexemes:
            from ludex.grammar import lexemes

            self._lexemes[file] = lexemes(self._texts.get(file, ""), file)
        return self._lexemes[file]

    def _at(self, file: str, index: int) -> tuple[int, int]:
        span = self._of(file)[index].span
        return span.line, span.column

    def _inside(self, span: Span) -> range:
        whole = self._of(span.file)
        low = bisect_left(whole, (span.line, span.column), key=lambda lexeme: (lexeme.span.line, lexeme.span.column))
        high = bisect_left(
            whole, (span.end_line, span.end_column), key=lambda lexeme: (lexeme.span.line, lexeme.span.column)
        )
        return range(low, high)

    def _spells(self, file: str, at: int, parts: Sequence[str]) -> bool:
        whole = self._of(file)
        return [_spelling(lexeme) for lexeme in whole[at : at + len(parts)]] == list(parts)


def head(span: Span) -> Span:
    """The same where no text is at hand: of several lines the first character."""
    if span.end_line == span.line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)


def _parts(word: str) -> list[str]:
    """`a.b` as the words it is made of."""
    parts: list[str] = []
    for part in word.split("."):
        parts += [".", part] if parts else [part]
    return parts


def _spelling(lexeme: Lexeme) -> str:
    """A label without its colon."""
    return lexeme.text[:-1] if lexeme.kind == "LABEL" else lexeme.text
