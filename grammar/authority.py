"""Authority of a clause: syntax nodes for citations, rulings and conventions. The typed model keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a tree. Spans do not take part in comparison, so equal nodes may be in different places."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Citation(Node):
    """`[ru 113, 120-124]`: lines of the document that the game names `ru`; single lines have equal ends."""

    document: str
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reason(Node):
    """`ruling "why"` (a house decision where the text is silent) or `convention "why"` (common practice where there is
    no text to cite)."""

    kind: Literal["ruling", "convention"]
    text: str

    @property
    def term(self) -> str:
        """The name of the term for this reason, wherever it is given: `ruling "each place holds one card"`."""
        return f'{self.kind} "{self.text}"'


@dataclass(frozen=True, slots=True)
class Authority(Node):
    """The authority of a clause. Empty if none is written; its span is then the end of the clause's line."""

    citations: tuple[Citation, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.citations or self.reasons)
