"""Parser: text to syntax nodes.

`parse` never raises for a mistake in the text: it returns what is good in it and a diagnostic for each mistake.
Lark's lexer makes words, `layout` arranges them into units, `recovery` parses unit by unit, `build` makes nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from lark import Lark, Token, Tree, UnexpectedToken

from ..codes import BAD_NAME, FILE_TOO_LARGE, MISSING_BLOCK, RESERVED_WORD
from ..diagnostics import Diagnostic, Diagnostics, Note, nearest
from ..lexer import reports, words
from ..lexer.layout import DECLARATIONS, HEADERS, Layout, Line, lay_out
from ..lexer.tokens import token_span
from ..source import Span, whole_file
from ..syntax import Comment, Declaration, Header, Module
from .kept_trees import Parsed
from .recovery import Exhausted, Recovery, Refusal, named_words
from .tables import load_tables
from .tree_builder import Builder

MAX_FAULTS = 200
"""So many errors of one text are reported, then it is not read on; and so many warnings, which stop nothing."""
MAX_WORDS = 100_000
"""Words and signs of one text. The longest rulebook has a tenth of that."""
MAX_DEPTH = 150
"""Levels of the syntax tree; every pass over it may recurse this deep."""


@lru_cache(maxsize=64)
def parse(text: str, file: str) -> Parsed:
    """Read the text of a spec; `file` is the name that reports show for it.

    Most of the time that a game takes to load is spent here, and nothing in `Parsed` can change: the last texts are
    kept, so that a game's next table is not read anew.
    """
    tables = load_tables()
    read = list(islice(_lex(tables, text), MAX_WORDS + 1))
    if len(read) > MAX_WORDS:
        message = f"the text has more than {MAX_WORDS:,} words and signs"
        nowhere = whole_file(file)
        return Parsed(Module(nowhere, None, (), ()), (Diagnostic(FILE_TOO_LARGE, message, nowhere),), len(read))
    layout = lay_out(text, file, read)
    recovery = Recovery(_Runner(tables), file, named_words(layout.units))
    builder = Builder(file)
    nodes: list[Header | Declaration] = []
    stopped = _read_units(layout, recovery, builder, nodes)
    module, about_headers = _assemble(file, layout, nodes)
    found = [*layout.diagnostics, *recovery.diagnostics, *builder.diagnostics, *about_headers]
    return Parsed(module, _in_order(_each_word_once(found), stopped), len(read))


def _lex(tables: Lark, text: str) -> Iterator[Token]:
    """`Lark.lex` would build its lexer anew each time."""
    return iter(tables.parse_interactive(text, start="unit").lexer_thread.lex(None))  # type: ignore[no-untyped-call]


def _read_units(
    layout: Layout, recovery: Recovery[Tree[Token]], builder: Builder, nodes: list[Header | Declaration]
) -> Span | None:
    """Read unit by unit into `nodes`; the place where reading stopped, if it did."""
    astray = unfinished = faulty = False
    laid_out = sum(fault.is_error for fault in layout.diagnostics)
    for unit in layout.units:
        known = len(recovery.diagnostics)
        if known + laid_out > MAX_FAULTS:
            return token_span(recovery.file, unit.head)
        parted = faulty and unit.head.type == "ELSE"
        if parted or (astray and _is_stray(unit)) or (unfinished and not _declares(unit)):
            layout.forget(unit)
            continue
        *_, last = unit.walk()
        try:
            tree = recovery.read(unit)
        except Exhausted as stop:
            return stop.span
        if tree is not None:
            nodes.append(builder.unit(tree))
        blockless = any(found.code is MISSING_BLOCK for found in recovery.diagnostics[known:]) and tree is None
        astray, unfinished, faulty = blockless or _is_stray(unit), last.goes_on, len(recovery.diagnostics) > known
    return None


def _is_stray(unit: Line) -> bool:
    """A top line that is no declaration and does not look like a misspelt one. Several in a row are one fault, and so
    are those below a declaration whose block is missing: the block was not indented."""
    head = unit.head
    if unit.indent > 0 or _declares(unit):
        return unit.indent > 0
    name = head.rstrip(": \t").lower()
    return name not in words.DECLARATION_WORDS if head.type == "LABEL" else not nearest(name, words.DECLARATION_WORDS)


def _assemble(file: str, layout: Layout, nodes: Sequence[Header | Declaration]) -> tuple[Module, list[Diagnostic]]:
    headers = [node for node in nodes if isinstance(node, Header)]
    declarations = tuple(node for node in nodes if not isinstance(node, Header))
    found = [reports.second_header(header.span, headers[0].span) for header in headers[1:]]
    first = layout.units[0] if layout.units else None
    if headers and first is not None and first.head.type in DECLARATIONS - HEADERS:
        found.append(reports.late_header(headers[0].span))
    elif not headers and (first is None or (_declares(first) and first.head.type not in HEADERS)):
        found.append(reports.missing_header(token_span(file, first.head) if first else whole_file(file)))
    span = _whole(file, nodes, layout.comments)
    return Module(span, headers[0] if headers else None, declarations, layout.comments), found


def _declares(unit: Line) -> bool:
    return unit.head.type in DECLARATIONS | {"STATE", "WINDOW"} and unit.indent == 0


def _whole(file: str, nodes: Sequence[Header | Declaration], comments: Sequence[Comment]) -> Span:
    """Return the span from the first word or comment to the last."""
    spans = [part.span for part in (*nodes, *comments)]
    if not spans:
        return whole_file(file)
    return min(spans).to(max(spans, key=lambda span: (span.end_line, span.end_column)))


def _each_word_once(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Drop all but the first report of each reserved word that is used as a name."""
    ordered = sorted(found, key=lambda fault: fault.span)
    first = {fault.message: fault for fault in reversed(ordered) if fault.code in _NO_NAMES}
    return [fault for fault in found if fault.code not in _NO_NAMES or first[fault.message] is fault]


_NO_NAMES = (RESERVED_WORD, BAD_NAME)


def _in_order(found: Sequence[Diagnostic], stopped: Span | None) -> tuple[Diagnostic, ...]:
    collected = Diagnostics()
    collected.extend(found)
    errors = [fault for fault in collected.sorted() if fault.is_error]
    if len(errors) > MAX_FAULTS:
        errors, stopped = errors[:MAX_FAULTS], errors[MAX_FAULTS].span
    warnings = _first([fault for fault in collected.sorted() if not fault.is_error])
    ordered = Diagnostics([*errors, *warnings]).sorted()
    return (*ordered, reports.too_many_faults(stopped)) if stopped is not None else ordered


def _first(warnings: list[Diagnostic]) -> list[Diagnostic]:
    """Limit the warnings of a file; the last one counts those that are left out."""
    more = len(warnings) - MAX_FAULTS
    if more <= 0:
        return warnings
    *shown, last = warnings[:MAX_FAULTS]
    return [*shown, replace(last, notes=(*last.notes, Note(f"{more} more warnings of this file are not shown")))]


@dataclass(frozen=True, slots=True)
class _Runner:
    """Feeds the tokens of one unit to Lark's parser."""

    tables: Lark

    def __call__(self, tokens: Sequence[Token]) -> Tree[Token] | Refusal:
        parser = self.tables.parse_interactive(start="unit")
        result: Tree[Token] | None = None
        for index, token in enumerate(tokens):
            try:
                result = parser.feed_token(token)
            except UnexpectedToken:
                return Refusal(index, self._expected(tokens[:index]))
        assert result is not None, "the last token ends the unit"
        deep = _too_deep(result)
        return result if deep is None else Refusal(_index_at(tokens, deep), too_deep=True)

    def _expected(self, tokens: Sequence[Token]) -> frozenset[str]:
        """Asked of a parser that has not seen the wrong token: at its sight the first one closed what it could."""
        parser = self.tables.parse_interactive(start="unit")
        for token in tokens:
            parser.feed_token(token)
        return frozenset(parser.accepts())  # type: ignore[no-untyped-call]


def _too_deep(tree: Tree[Token]) -> Tree[Token] | None:
    """Return the first node below the depth limit, or None."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [part for tree in level for part in tree.children if isinstance(part, Tree)]
        if not level:
            return None
    return level[0]


def _index_at(tokens: Sequence[Token], part: Tree[Token]) -> int:
    """The first word of a part of the tree; for one without words, the word behind which it stands."""
    place = part.meta.line, part.meta.column
    written = [i for i, token in enumerate(tokens) if token.value]
    return next((i for i in written if (tokens[i].line, tokens[i].column) >= place), written[-1])
