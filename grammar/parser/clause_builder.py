"""Builder of the common parts of clauses: places, names, authority, and the entries of the apparatus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, cast

from lark import Token, Tree

from .. import syntax as s
from ..diagnostics import Diagnostic
from ..lexer import reports, words
from ..lexer.tokens import token_span
from ..source import Identifier, Span
from .tree_reading import APPARATUS_MARKS, VARIANTS, all_of, only, string_text, tokens, trees

MAX_INTEGER = 999_999_999
"""The largest number an author may write; larger ones are reported."""

_CITED_LINES = re.compile(r"\s*([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?\s*")


class ClauseBuilder:
    """Builds the common parts of the clauses of one file.

    Methods are found by name, as in Lark's own `Transformer`; but trees are built top-down, so that a node can be
    built by the place it is in.
    """

    def __init__(self, file: str, tokens: Iterable[Token]) -> None:
        """file: the path of the file as reports show it. tokens: all of its tokens."""
        self.file = file
        # Lark leaves keywords out of its trees, but a tree begins where its first token does.
        self._widths = {token.start_pos: len(token) for token in tokens}
        self.diagnostics: list[Diagnostic] = []

    # ---- places and words ---------------------------------------------------------------------------------------

    def span(self, part: Tree[Token] | Token) -> Span:
        if isinstance(part, Token):
            return token_span(self.file, part)
        meta = part.meta
        width = self._widths.get(meta.start_pos, 0)
        return Span(self.file, meta.line, meta.column, meta.end_line, meta.end_column, width)

    def integer(self, token: Token) -> int:
        # The length is tested first: Python takes long for a number of thousands of digits, and refuses the longest.
        if len(token.lstrip("0")) > len(str(MAX_INTEGER)):
            self.diagnostics.append(reports.number_too_large(self.span(token), MAX_INTEGER))
            return MAX_INTEGER
        return int(token)

    def name(self, token: Token) -> Identifier:
        """Return a name, or a label without its colon."""
        span = token_span(self.file, token)
        if token.type != "LABEL":
            return Identifier(token, span)
        label = token[:-1].rstrip()
        return Identifier(label, Span(span.file, span.line, span.column, span.line, span.column + len(label)))

    def names(self, tokens: Sequence[Token]) -> tuple[Identifier, ...]:
        return tuple(self.name(token) for token in tokens)

    def dotted(self, parts: Sequence[Token]) -> Identifier:
        """Return names with dots between them as one name."""
        names = self.names(parts)
        return Identifier(".".join(names), names[0].span.to(names[-1].span))

    def path(self, tree: Tree[Token]) -> Identifier:
        """Return the path of a clause."""
        path = only(tree, "path")
        return Identifier("".join(str(part) for part in path.children), self.span(path))

    def declared(self, token: Token) -> Identifier:
        """Return a name that a label declares. Unlike labels of clauses, it must not be a reserved word."""
        name = self.name(token)
        if name in words.RESERVED_WORDS:
            self.diagnostics.append(reports.reserved(name, name.span))
        return name

    def until(self, tree: Tree[Token], last: s.Node | Token) -> Span:
        """Return the place from the beginning of a tree to the end of one of its parts."""
        return self.span(tree).to(self.span(last) if isinstance(last, Token) else last.span)

    # ---- authority ----------------------------------------------------------------------------------------------

    def authority(self, tree: Tree[Token]) -> s.Authority:
        read = [self.citation(token) for token in tokens(tree, "CITE")]
        # A citation without good lines was reported, and would cite nothing.
        citations = tuple(citation for citation in read if citation.lines)
        reasons = tuple(self.reason(part) for part in trees(tree))
        (end,) = tokens(tree, "NEWLINE")
        # Lark's span of the rule would include the end of the line, which is not cited.
        parts = [citation.span for citation in citations] + [reason.span for reason in reasons]
        span = min(parts).to(max(parts)) if parts else self.span(end)
        return s.Authority(span, citations, reasons)

    def citation(self, token: Token) -> s.Citation:
        document, _, written = token[1:-1].partition(" ")
        offset = 2 + len(document)
        lines: list[tuple[int, int]] = []
        for item in written.split(","):
            match = _CITED_LINES.fullmatch(item)
            low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if match and 0 < low <= high:
                lines.append((low, high))
            else:
                self._report_lines(token, offset, item, low > high)
            offset += len(item) + 1
        return s.Citation(self.span(token), document, tuple(lines))

    def _report_lines(self, token: Token, offset: int, item: str, backwards: bool) -> None:
        shown = item.strip()
        whole = self.span(token)
        start = whole.column + offset + len(item) - len(item.lstrip())
        span = Span(self.file, whole.line, start, whole.line, start + max(len(shown), 1))
        self.diagnostics.append(reports.bad_cited_lines(shown, span, backwards))

    def reason(self, tree: Tree[Token]) -> s.Reason:
        word, text = tree.children
        kind = cast(Literal["ruling", "convention"], str(word))
        return s.Reason(self.span(tree), kind, string_text(cast(Token, text)))

    def unclaimed(self, authority: s.Authority) -> None:
        """Report an authority on a line that is not a clause."""
        if authority:
            self.diagnostics.append(reports.unclaimed_authority(authority.span, bool(authority.citations)))

    # ---- the apparatus ------------------------------------------------------------------------------------------

    def apparatus(self, tree: Tree[Token]) -> tuple[s.Entry, ...]:
        """Return the entries of a clause's apparatus from its tree."""
        built: list[s.Entry] = []
        for part in trees(tree):
            if part.data in APPARATUS_MARKS:
                built.append(getattr(self, f"entry_{part.data}")(part))
            elif part.data in VARIANTS:
                body, authority = getattr(self, f"entry_{part.data}")(part)
                built.append(s.Variant(self.span(part), self.sigla(part), body, authority))
        return tuple(built)

    def sigla(self, tree: Tree[Token]) -> tuple[Identifier, ...]:
        (part,) = all_of(tree, "sigla")
        return self.names(tokens(part, "NAME", "LABEL"))
