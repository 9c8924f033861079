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

from ..diagnostics import Diagnostic, Diagnostics, Note, nearest
from ..lexer import reports, words
from ..lexer.layout import DECLARATIONS, HEADERS, LaidOutText, LogicalLine, lay_out
from ..lexer.tokens import token_span
from ..source import Span, whole_file
from ..syntax import Comment, Declaration, Header, Module
from ..text_codes import BAD_NAME, FILE_TOO_LARGE, MISSING_BLOCK, RESERVED_WORD
from .parse_tables import load_tables
from .parsed import Parsed
from .recovery import Exhausted, ParserStop, Recovery, named_words
from .tree_builder import Builder

MAX_FAULTS = 200
"""After how many errors the parser stops reading a text; and how many warnings it reports."""
MAX_WORDS = 100_000
"""The largest number of tokens in a text. The longest rulebook has a tenth of that."""
_MAX_DEPTH = 150
"""The depth limit of the syntax tree, since every pass over it may recurse to this depth."""


@lru_cache(maxsize=64)
def parse(text: str, file: str) -> Parsed:
    """Return the syntax tree of a spec and the faults of its text. file: the path of the text as reports show it.

    Parsing takes most of the time of loading a game, so the results for the last texts are cached; `Parsed` is
    immutable.
    """
    tables = load_tables()
    # The words are counted before anything is built of them: a hostile text must be refused before it takes memory.
    read = list(islice(_lex(tables, text), MAX_WORDS + 1))
    if len(read) > MAX_WORDS:
        message = f"the text has more than {MAX_WORDS:,} words and signs"
        nowhere = whole_file(file)
        return Parsed(Module(nowhere, None, (), ()), (Diagnostic(FILE_TOO_LARGE, message, nowhere),), len(read))
    layout = lay_out(text, file, read)
    recovery = Recovery(_Runner(tables), file, named_words(layout.units))
    builder = Builder(file, read)
    nodes: list[Header | Declaration] = []
    stopped = _read_units(layout, recovery, builder, nodes)
    module, about_headers = _assemble(file, layout, nodes)
    diagnostics = [*layout.diagnostics, *recovery.diagnostics, *builder.diagnostics, *about_headers]
    return Parsed(module, _in_order(_each_word_once(diagnostics), stopped), len(read))


def _lex(tables: Lark, text: str) -> Iterator[Token]:
    """Return the tokens of a text. `Lark.lex` would build a new lexer at each call, which is slow."""
    return iter(tables.parse_interactive(text, start="unit").lexer_thread.lex(None))  # type: ignore[no-untyped-call]


def _read_units(
    layout: LaidOutText, recovery: Recovery[Tree[Token]], builder: Builder, nodes: list[Header | Declaration]
) -> Span | None:
    """Parse unit by unit into `nodes`. Return the place where reading stopped because of too many faults, or None."""
    astray = unfinished = faulty = False
    laid_out = sum(fault.is_error for fault in layout.diagnostics)
    for unit in layout.units:
        known = len(recovery.diagnostics)
        # Every fault costs another run of the parser over its unit.
        if known + laid_out > MAX_FAULTS:
            return token_span(recovery.file, unit.head)
        # An `else` after a fault was probably parted from its `if` by that fault.
        parted = faulty and unit.head.type == "ELSE"
        if parted or (astray and _is_stray(unit)) or (unfinished and not _declares(unit)):
            layout.forget(unit)
            continue
        # The last line is found before the unit is read, as recovery removes lines.
        *_, last = unit.walk()
        try:
            tree = recovery.read(unit)
        except Exhausted as stop:
            return stop.span
        if tree is not None:
            nodes.append(builder.unit(tree))
        # Units that follow from a fault above (a block that was not indented, a line that was cut off) are skipped.
        blockless = any(fault.code is MISSING_BLOCK for fault in recovery.diagnostics[known:]) and tree is None
        astray, unfinished, faulty = blockless or _is_stray(unit), last.goes_on, len(recovery.diagnostics) > known
    return None


def _is_stray(unit: LogicalLine) -> bool:
    """Return whether a unit is not a declaration and does not look like a misspelt one.

    Several such units in a row are one fault, and so are those below a declaration without a block, since the block was
    not indented."""
    head = unit.head
    if unit.indent > 0 or _declares(unit):
        return unit.indent > 0
    name = head.rstrip(": \t").lower()
    return name not in words.DECLARATION_WORDS if head.type == "LABEL" else not nearest(name, words.DECLARATION_WORDS)


def _assemble(file: str, layout: LaidOutText, nodes: Sequence[Header | Declaration]) -> tuple[Module, list[Diagnostic]]:
    headers = [node for node in nodes if isinstance(node, Header)]
    declarations = tuple(node for node in nodes if not isinstance(node, Header))
    diagnostics = [reports.second_header(header.span, headers[0].span) for header in headers[1:]]
    first = layout.units[0] if layout.units else None
    if headers and first is not None and first.head.type in DECLARATIONS - HEADERS:
        diagnostics.append(reports.late_header(headers[0].span))
    elif not headers and (first is None or (_declares(first) and first.head.type not in HEADERS)):
        diagnostics.append(reports.missing_header(token_span(file, first.head) if first else whole_file(file)))
    span = _whole(file, nodes, layout.comments)
    return Module(span, headers[0] if headers else None, declarations, layout.comments), diagnostics


def _declares(unit: LogicalLine) -> bool:
    # These two also begin statements inside a block, so that the layout does not list them with the words that always
    # begin a declaration.
    return unit.head.type in DECLARATIONS | {"STATE", "WINDOW"} and unit.indent == 0


def _whole(file: str, nodes: Sequence[Header | Declaration], comments: Sequence[Comment]) -> Span:
    """Return the span from the first word or comment to the last."""
    spans = [part.span for part in (*nodes, *comments)]
    if not spans:
        return whole_file(file)
    return min(spans).to(max(spans, key=lambda span: (span.end_line, span.end_column)))


def _each_word_once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Drop all but the first report of each reserved word that is used as a name."""
    # The message names the word, so that reports of one word have equal messages.
    ordered = sorted(diagnostics, key=lambda fault: fault.span)
    # The list is reversed, so that the earliest of equal messages is the one that stays.
    first = {fault.message: fault for fault in reversed(ordered) if fault.code in _NO_NAMES}
    return [fault for fault in diagnostics if fault.code not in _NO_NAMES or first[fault.message] is fault]


_NO_NAMES = (RESERVED_WORD, BAD_NAME)


def _in_order(diagnostics: Sequence[Diagnostic], stopped: Span | None) -> tuple[Diagnostic, ...]:
    collected = Diagnostics()
    collected.extend(diagnostics)
    # Reading stops after a unit with too many faults; the layout, and this last unit, may still have more than are
    # shown.
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

    def __call__(self, tokens: Sequence[Token]) -> Tree[Token] | ParserStop:
        # The text is parsed unit by unit: a fault in one declaration then cannot hide those of the next.
        parser = self.tables.parse_interactive(start="unit")
        result: Tree[Token] | None = None
        for index, token in enumerate(tokens):
            try:
                result = parser.feed_token(token)
            except UnexpectedToken:
                return ParserStop(index, self._expected(tokens[:index]))
        assert result is not None, "the last token ends the unit"
        deep = _too_deep(result)
        return result if deep is None else ParserStop(_index_at(tokens, deep), too_deep=True)

    def _expected(self, tokens: Sequence[Token]) -> frozenset[str]:
        """Return the terminals that the parser accepts after some tokens.

        This takes a new parser: the one that was fed the wrong token has already reduced everything it could."""
        parser = self.tables.parse_interactive(start="unit")
        for token in tokens:
            parser.feed_token(token)
        return frozenset(parser.accepts())  # type: ignore[no-untyped-call]


def _too_deep(tree: Tree[Token]) -> Tree[Token] | None:
    """Return the first node below the depth limit, or None."""
    # The tree is walked level by level, since a recursion could fail by the very depth that is tested here.
    level = [tree]
    for _ in range(_MAX_DEPTH):
        level = [part for tree in level for part in tree.children if isinstance(part, Tree)]
        if not level:
            return None
    return level[0]


def _index_at(tokens: Sequence[Token], part: Tree[Token]) -> int:
    """Return the index of the first token of a subtree; for a subtree without tokens, of the last token before it."""
    # Trees have no link to their tokens, and marks of the layout have places, but no text.
    place = part.meta.line, part.meta.column
    written = [i for i, token in enumerate(tokens) if token.value]
    return next((i for i in written if (tokens[i].line, tokens[i].column) >= place), written[-1])
