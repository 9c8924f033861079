"""Source positions: files and spans."""

from __future__ import annotations

from dataclasses import dataclass, field

STANDARD_INPUT = "standard input"
"""The name of the standard input in reports, in place of a file's."""
STDIN = "-"
"""The standard input, in place of a file's name."""
SUFFIX = ".ludex"
"""The end of the name of a file in the language."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of one text.

    Attributes:
        file: the name of the text in reports, usually a path as it was given.
        line, column: the first character, both counted from 1.
        end_line, end_column: one past the last character, both counted from 1.
        head_width: the length of the first word, such as the keyword of a statement; 0 where the reader of the text
            did not note it. Like the span of a node, it takes no part in comparison.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    head_width: int = field(default=0, compare=False)

    @property
    def start(self) -> Span:
        """The first character."""
        return Span(self.file, self.line, self.column, self.line, self.column + 1)

    @property
    def head(self) -> Span:
        """The first word, or the first character where the first word is not known."""
        return Span(self.file, self.line, self.column, self.line, self.column + (self.head_width or 1))

    @property
    def brief(self) -> Span:
        """The place for a report about a whole: all of it on one line, else its head, as a report underlines it all."""
        return self if self.line == self.end_line else self.head

    def to(self, last: Span) -> Span:
        """Return the span from the start of this one to the end of `last`, which is in the same file."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column, self.head_width)

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
