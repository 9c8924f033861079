"""Authority of a clause: syntax nodes for citations, rulings and conventions. The typed model keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal, TypeAlias

from .source import Span
from .value_classes import value_class

LineRanges: TypeAlias = tuple[tuple[int, int], ...]
"""Ranges of lines, each with its first and its last line."""


@value_class
class Node:
    """A node of a tree. Spans do not take part in comparison, so equal nodes may be in different places."""

    span: Span = field(compare=False)


def lines_text(lines: Iterable[tuple[int, int]]) -> str:
    """Return ranges of lines as an author writes them: `427-431, 440`."""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in lines)


@value_class
class Citation(Node):
    """`[ru 113, 120-124]`: lines of the document that the game names `ru`; single lines have equal ends."""

    document: str
    lines: LineRanges

    @property
    def term(self) -> str:
        """The citation as an author writes it."""
        return f"[{self.document} {lines_text(self.lines)}]"


@value_class
class Reason(Node):
    """`ruling "why"` (a house decision where the text is silent) or `convention "why"` (common practice where there is
    no text to cite)."""

    kind: Literal["ruling", "convention"]
    text: str

    @property
    def term(self) -> str:
        """The name of the term for this reason, wherever it is given: `ruling "each place holds one card"`."""
        return f'{self.kind} "{self.text}"'


@value_class
class Authority(Node):
    """The authority of a clause. Empty if none is written; its span is then the end of the clause's line."""

    citations: tuple[Citation, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.citations or self.reasons)
