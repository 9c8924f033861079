"""Source positions: files and spans."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of one text.

    Attributes:
        file: the name of the text in reports, usually a path as it was given.
        line, column: the first character, both counted from 1.
        end_line, end_column: one past the last character, both counted from 1.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, last: Span) -> Span:
        """Return the span from the start of this one to the end of `last`, which is in the same file."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Identifier(str):
    """A name, label or tag as an author wrote it: a string with its place. It equals every string of its spelling."""

    __slots__ = ("span",)
    __match_args__ = ("spelling", "span")
    span: Span

    def __new__(cls, spelling: str, span: Span) -> Identifier:
        identifier = super().__new__(cls, spelling)
        identifier.span = span
        return identifier

    # Copies and pickles call `__new__`, which needs the place, too.
    def __getnewargs__(self) -> tuple[str, Span]:  # type: ignore[override]
        return self.spelling, self.span

    @property
    def spelling(self) -> str:
        """The name as a plain string."""
        return str(self)


def whole_file(file: str) -> Span:
    """Return the span for faults of a file as a whole (missing, unreadable, empty)."""
    return Span(file, 1, 1, 1, 1)
