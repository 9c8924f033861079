"""Source positions: files and spans."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one text.

    Attributes:
        file: the name shown to the reader, usually a path as it was given.
        line, column: first character, both counted from 1.
        end_line, end_column: one past the last character, both counted from 1.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, last: Span) -> Span:
        """The span from the start of this one to the end of `last` (same file)."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Identifier(str):
    """A name, label or tag as an author wrote it: a string with its place. It equals every string of its spelling."""

    __slots__ = ("span",)
    __match_args__ = ("spelling", "span")
    span: Span

    def __new__(cls, spelling: str, span: Span) -> Identifier:
        made = super().__new__(cls, spelling)
        made.span = span
        return made

    def __getnewargs__(self) -> tuple[str, Span]:  # type: ignore[override]
        return self.spelling, self.span

    @property
    def spelling(self) -> str:
        return str(self)


def whole_file(file: str) -> Span:
    """The place to blame when a fault concerns a file as such (missing, unreadable, empty)."""
    return Span(file, 1, 1, 1, 1)
