"""Reading of Lark's trees: the parts of a tree by kind, and small values made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from lark import Token, Tree

from .. import syntax as s
from ..source import Identifier, Span

_ESCAPE = re.compile(r'\\(["\\])')


T = TypeVar("T")


def trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [part for part in tree.children if isinstance(part, Tree)]


def tokens(tree: Tree[Token], *kinds: str) -> list[Token]:
    return [part for part in tree.children if isinstance(part, Token) and (not kinds or part.type in kinds)]


def all_of(tree: Tree[Token], kind: str) -> list[Tree[Token]]:
    return [part for part in trees(tree) if part.data == kind]


APPARATUS_MARKS = frozenset({"omission", "ruled", "order"})
VARIANTS = frozenset({
    "value_variant_line", "value_variant_block", "step_variant", "note_variant", "criterion_variant",
    "value_exception_variant", "step_exception_variant",
})  # fmt: skip


def own_parts(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the parts of a clause's tree without its apparatus."""
    return [part for part in trees(tree) if part.data not in APPARATUS_MARKS | VARIANTS]


def without_sigla(tree: Tree[Token]) -> list[Tree[Token]]:
    return [part for part in trees(tree) if part.data != "sigla"]


def only(tree: Tree[Token], kind: str) -> Tree[Token]:
    (part,) = all_of(tree, kind)
    return part


def first(items: Sequence[T]) -> T | None:
    return items[0] if items else None


def fixed_words(part: Any) -> str:
    """Return a fixed pair of words with a single space."""
    return " ".join(str(part).split())


def string_text(token: Token) -> str:
    return _ESCAPE.sub(r"\1", token[1:-1])


def unnamed(span: Span) -> Identifier:
    """Return the empty label of a variant."""
    return Identifier("", end_of(span))


def end_of(span: Span) -> Span:
    """Return the empty span right after a span."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def nothing_written(authority: s.Authority) -> s.Authority:
    """Return an empty authority, for a statement whose node keeps its authority itself."""
    return s.Authority(authority.span)


def joined_authority(first: s.Authority, second: s.Authority) -> s.Authority:
    """Return the authority of a body's first line and of its last line as one."""
    if not second:
        return first
    if not first:
        return second
    span = first.span.to(second.span)
    return s.Authority(span, first.citations + second.citations, first.reasons + second.reasons)
