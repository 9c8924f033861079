"""Tokens as Lark's lexer makes them. The layout and the diagnostics use nothing else of Lark."""

from __future__ import annotations

from lark import Token

from ..source import Span

__all__ = ["Token", "token_span", "zero_width"]


def zero_width(kind: str, last: Token) -> Token:
    """Return a token of zero width right after `last`."""
    place = last.end_line, last.end_column
    return Token(kind, "", last.end_pos, *place, *place, last.end_pos)


def token_span(file: str, token: Token) -> Span:
    ends = token.end_line or 1, token.end_column or 1
    return Span(file, token.line or 1, token.column or 1, *ends, len(token))
