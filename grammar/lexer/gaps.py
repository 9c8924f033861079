"""Lexing of the gaps between tokens: blanks, comments, and characters that are not part of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics import Diagnostic
from ..source import Span
from . import reports, words
from .tokens import Token

_PIECE = re.compile(
    r"""(?P<comment>\#[^\r]*)
      | (?P<text>"[^\r]*)
      | (?P<cite>\[[^\]\#\r]*\]?)
      | (?P<foreign>==+|&&|\|\||<>|->|\*\*|=<)
      # A run of one unknown sign is one fault.
      | (?P<unknown>[^\s\x00-\x7f]+|(?P<same>[^ \t])(?P=same)*)""",
    re.VERBOSE | re.DOTALL,
)
_CITATION = re.compile(r"\[[a-z][a-z0-9_.]*[ ]+[0-9][0-9, -]*\]")
_BAD_ESCAPE = re.compile(r'\\(?!["\\])')
# The pattern does not backtrack, or a long text that is not closed would take quadratic time.
_CLOSED_TEXT = re.compile(r'"(?:\\.|[^"\\])*+"')

STANDS_FOR = {"==": "EQ", "===": "EQ", "=<": "LE", "<>": "NE", "&&": "AND", "&": "AND", "!": "NOT", "%": "MOD",
              "/": "DIV", "≤": "LE", "≥": "GE", "≠": "NE", "×": "STAR", "−": "MINUS", "–": "MINUS"}  # fmt: skip
"""Foreign signs with one possible meaning: the parse continues with the terminal meant, so that nothing else is
reported."""


@dataclass(frozen=True, slots=True)
class GapPiece:
    """One piece of a gap.

    Attributes:
        span: its place.
        text: as written.
        comment: True for a comment.
        token: the token with which the parse continues, if any.
        diagnostic: the fault, if it is one.
        breaks: True if the line cannot be parsed.
    """

    span: Span
    text: str
    comment: bool = False
    token: Token | None = None
    diagnostic: Diagnostic | None = None
    breaks: bool = False


def gap_pieces(gap: str, file: str, row: int, column: int, offset: int) -> Iterator[GapPiece]:
    """Yield the pieces of a gap (part of one row of the text) that starts at `row`, `column` and `offset`."""
    position = 0
    while match := _PIECE.search(gap, position):
        kind, text = match.lastgroup or "unknown", match.group()
        # The piece is the rest of the row, which a text takes only if it is not closed.
        if kind == "text" and (closed := _CLOSED_TEXT.match(text)):
            text = closed.group()
        start = match.start()
        position = start + len(text)
        span = Span(file, row, column + start, row, column + position)
        yield from _READERS[kind](text, span, offset + start)


def _token(kind: str, text: str, span: Span, offset: int) -> Token:
    ends = span.end_line, span.end_column, offset + span.end_column - span.column
    return Token(kind, text, offset, span.line, span.column, *ends)


def _comment(text: str, span: Span, offset: int) -> Iterator[GapPiece]:
    yield GapPiece(span, text, comment=True)
    for cited in _CITATION.finditer(text):
        place = Span(span.file, span.line, span.column + cited.start(), span.line, span.column + cited.end())
        yield GapPiece(place, cited.group(), diagnostic=reports.citation_in_comment(cited.group(), place))


def _text(text: str, span: Span, offset: int) -> Iterator[GapPiece]:
    if not _CLOSED_TEXT.fullmatch(text):
        token = _token("UNREADABLE", text, span, offset)
        yield GapPiece(span, text, token=token, diagnostic=reports.unclosed_text(span), breaks=True)
        return
    yield GapPiece(span, text, token=_token("STRING", text, span, offset))
    for escape in re.finditer(r"\\.", text):
        if _BAD_ESCAPE.match(escape.group()):
            place = Span(span.file, span.line, span.column + escape.start(), span.line, span.column + escape.end())
            yield GapPiece(place, escape.group(), diagnostic=reports.bad_escape(escape.group(), place))


def _cite(text: str, span: Span, offset: int) -> Iterator[GapPiece]:
    yield GapPiece(span, text, diagnostic=reports.bad_citation(text.rstrip(), span))


def _sign(text: str, span: Span, offset: int) -> Iterator[GapPiece]:
    kind = STANDS_FOR.get(text, "UNREADABLE")
    # A sign beyond ASCII may look like a plain one, so that its report gives its number and name.
    report = reports.foreign_sign if text in words.FOREIGN_SIGNS and text.isascii() else reports.unknown_character
    broken = kind == "UNREADABLE"
    # The text has the spelling of Ludex, as later reports show it.
    token = _token(kind, text if broken else words.spelling(kind), span, offset)
    yield GapPiece(span, text, token=token, diagnostic=report(text, span), breaks=broken)


_READERS = {"comment": _comment, "text": _text, "cite": _cite, "foreign": _sign, "unknown": _sign}
