"""Layout (the off-side rule): groups tokens into logical lines, and lines into a tree by their indentation.

A logical line may span several lines of the text: inside brackets, and where the next line begins with one of
`CONTINUATIONS`. Faults that need no grammar (tabs, brackets, strings, unknown characters) are reported here. A line
with such a fault is `broken`, and the parser skips it, so that it gets no second report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from ..diagnostics import Diagnostic
from ..source import Span
from ..syntax import Comment
from ..text_codes import UNEVEN_INDENTATION
from . import reports
from .gaps import gap_pieces
from .tokens import Token, token_span, zero_width

CONTINUATIONS = frozenset({
    "AND", "OR", "IMPLIES", "WHERE", "HAS", "FOR", "PLUS", "STAR", "THEN", "WHEN", "UP_TO", "DOWN_TO", "BAR",
})  # fmt: skip
DECLARATIONS = frozenset({
    "GAME", "PART", "EDITION", "TEXT", "TYPE", "COMPONENT", "ZONE", "OPTION", "REFILL", "FACT", "DEFINE", "NOTE",
    "SILENT", "ACTION", "SETUP", "PLAY", "SCORE", "WINNER", "INVARIANT", "FORK", "TERMS",
    "EXAMPLE",
})  # fmt: skip
"""Terminals that the lexer makes at the start of a line only (`state` and `window` begin declarations too)."""

HEADERS = frozenset({"GAME", "PART", "EDITION"})
"""Declarations that are the header of a file."""

BELOW = frozenset({"EXCEPT", "VARIANT", "OMISSION", "RULED", "ORDER"})
"""The lines below a clause that are not part of its body: its exceptions and its apparatus."""

VALUES = frozenset({"FACT", "DEFINE", "SCORE", "INVARIANT"})
"""Declarations without steps."""

STATEMENT_STARTS = frozenset({"LABEL", "REQUIRE", "CHOOSE", "EXCEPT", "LET", "STATE"})
"""Terminals that cannot continue an expression. One at the start of a line shows that a bracket above is missing."""

BRACKETS = {"OPEN_ROUND": "CLOSE_ROUND", "OPEN_CURLY": "CLOSE_CURLY"}
CLOSERS = frozenset(BRACKETS.values())

MAX_BLOCKS = 30
"""The greatest depth of nested blocks: far beyond any rulebook, and small enough for every recursive pass."""
MAX_BRACKETS = 60
"""The greatest depth of nested brackets."""


# Lines are compared by identity, as two of them may have the same words.
@dataclass(slots=True, eq=False)
class LogicalLine:
    """One logical line with the lines of its block.

    Attributes:
        tokens: its tokens, without the end of line.
        indent: the number of columns before its first token.
        children: the lines of its block.
        broken: whether a fault was reported in it, so that it is not parsed.
        uneven: whether its block has lines of different indentation, or tabs, which was reported. The structure is then
            a guess, so no other fault in the block is reported.
        gapped: whether something that could not be read was left out of it.
        goes_on: whether it needs a continuation or a block that is missing, which was reported. A fault in the next
            line may then be a consequence.
        renamed: whether a reserved word in it was read as a name, which was reported.
        stand_in: the tokens that are parsed in place of those of a broken line, so that its block can be parsed.
    """

    tokens: list[Token]
    indent: int
    children: list[LogicalLine] = field(default_factory=list)
    broken: bool = False
    uneven: bool = False
    gapped: bool = False
    goes_on: bool = False
    renamed: bool = False
    stand_in: list[Token] | None = None

    @property
    def head(self) -> Token:
        return self.tokens[0]

    def walk(self) -> Iterator[LogicalLine]:
        """Yield this line and all lines of its block, in the order of the text."""
        waiting = [self]
        while waiting:
            line = waiting.pop()
            yield line
            waiting.extend(reversed(line.children))


@dataclass(frozen=True, slots=True)
class LaidOutText:
    """The result of `lay_out`: units (top-level lines with their blocks), comments, and diagnostics."""

    units: list[LogicalLine]
    comments: tuple[Comment, ...]
    diagnostics: list[Diagnostic]

    def forget(self, unit: LogicalLine) -> None:
        """Drop the reports about indentation in a unit that is not parsed."""
        rows = {line.head.line for line in unit.walk()}
        uneven = [each for each in self.diagnostics if each.code is UNEVEN_INDENTATION and each.span.line in rows]
        self.diagnostics[:] = [each for each in self.diagnostics if each not in uneven]


def lay_out(text: str, file: str, words: Iterable[Token]) -> LaidOutText:
    """Return the layout of a text. words: its tokens in order, with a NEWLINE token for each line end."""
    reader = _Reader(text, file)
    reader.read(words)
    return LaidOutText(_nest(reader), tuple(reader.comments), reader.diagnostics)


@dataclass(frozen=True, slots=True)
class TokenSlot:
    """A token of a unit, its line, and its index in the line (-1 for marks of the layout)."""

    token: Token
    line: LogicalLine
    index: int


def flatten(unit: LogicalLine) -> list[TokenSlot]:
    """Return the tokens of a unit as the grammar expects them, with `$END` last.

    Line ends and block marks have no width, and are placed right after the last word before them, so that the spans of
    tree nodes are those of their words.
    """
    slots: list[TokenSlot] = []
    _flatten(unit, slots)
    slots.append(TokenSlot(zero_width("$END", slots[-1].token), unit, -1))
    return slots


def _flatten(line: LogicalLine, slots: list[TokenSlot]) -> None:
    shown = line.stand_in or line.tokens
    slots.extend(TokenSlot(token, line, index) for index, token in enumerate(shown))
    slots.append(TokenSlot(zero_width("NEWLINE", shown[-1]), line, -1))
    if line.children:
        slots.append(TokenSlot(zero_width("_INDENT", shown[-1]), line.children[0], -1))
        for child in line.children:
            _flatten(child, slots)
        slots.append(TokenSlot(zero_width("_DEDENT", slots[-1].token), line, -1))


class _Reader:
    """Reads words into logical lines."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.lines: list[LogicalLine] = []
        self.comments: list[Comment] = []
        self.diagnostics: list[Diagnostic] = []
        self.brackets: list[Token] = []
        self.tabs: list[Span] = []
        self.owed: list[str] = []
        self.at_start = True
        self.among_terms = False
        self.in_value = False
        self.around: list[LogicalLine] = []
        self.end = (0, 1, 1)

    def read(self, words: Iterable[Token]) -> None:
        for token in words:
            self._gap(token.start_pos or 0)
            if token.type == "NEWLINE":
                self.at_start = True
            else:
                self._word(token)
            self.end = (token.end_pos or 0, token.end_line or 1, token.end_column or 1)
        self._gap(len(self.text))
        self._close()
        if self.tabs:
            self.diagnostics.append(reports.tab(self.tabs))

    def _gap(self, until: int) -> None:
        """Read the text between two tokens: blanks, comments, and characters that are not part of the language."""
        start, row, column = self.end
        if start == until:
            return
        for piece in gap_pieces(self.text[start:until], self.file, row, column, start):
            if piece.comment:
                alone = self.at_start
                self.comments.append(Comment(piece.span, piece.text, alone))
            if piece.token:
                self._word(piece.token)
            if piece.diagnostic:
                self._report(piece.diagnostic, piece.breaks)
                if self.lines and not self.at_start:
                    self.lines[-1].gapped = True

    def _report(self, diagnostic: Diagnostic, breaks: bool) -> None:
        """Report a fault. Further faults of a broken line are probably consequences, and are not reported."""
        if breaks and self.lines and self.lines[-1].broken:
            return
        self.diagnostics.append(diagnostic)
        if breaks and self.lines:
            self.lines[-1].broken = True

    def _word(self, token: Token) -> None:
        if self.at_start and not self._continues(token):
            self._close()
            self.lines.append(LogicalLine([], self._indent(token)))
            self._open(self.lines[-1])
            self._look_for_tab(token)
            if not self.lines[-1].indent:
                self.among_terms = token.type == "TERMS"
                self.in_value = token.type in VALUES
        self.at_start = False
        line = self.lines[-1]
        line.tokens.append(token)
        # A misplaced declaration shows by its second word: `play` alone may call an action of that name.
        if len(line.tokens) == 2 and len(self.around) > 1:
            self._misplaced(line)
        self._bracket(token)

    def _misplaced(self, line: LogicalLine) -> None:
        """Report a declaration inside a block, and read it as a top-level one.

        The lines below it may belong to either, so they are marked as uneven."""
        head, second = line.tokens
        kind = head.upper()
        # In a block, `silent` begins a line of the apparatus.
        if head.type == "NAME" and kind in DECLARATIONS - {"SILENT"} and second.type in ("NAME", "TNAME", "LABEL"):
            self.diagnostics.append(reports.inner_declaration(head, token_span(self.file, head)))
            head.type, line.indent, line.uneven = kind, 0, True
            self.among_terms, self.in_value = kind == "TERMS", kind in VALUES
            self._open(line)

    def _indent(self, token: Token) -> int:
        """Return the indentation of a line. An `else` deeper than the step of its `if` counts as level with it."""
        indent = (token.column or 1) - 1
        above = self.lines[-1] if self.lines else None
        if token.type == "ELSE" and above is not None and indent > above.indent:
            return above.indent if self._is_step(above) and "THEN" in after_name(above) else indent
        return indent

    def _open(self, line: LogicalLine) -> None:
        """Update the lines around, whose blocks contain this line."""
        while self.around and self.around[-1].indent >= line.indent:
            self.around.pop()
        self.around.append(line)

    def _is_step(self, line: LogicalLine) -> bool:
        """Return whether a line begins with the `if` of a step, to which an `else` below it belongs."""
        kinds = after_name(line)
        begins = kinds[:1] == ["IF"] or kinds[:2] == ["ELSE", "IF"]
        outer = (each for each in self.around if each.tokens and each.indent < line.indent)
        in_value = self.in_value or any(each.head.type == "REQUIRE" for each in outer)
        return begins and not in_value and line.indent > 0

    def _look_for_tab(self, token: Token) -> None:
        start = token.start_pos or 0
        before = self.text[start - self.lines[-1].indent : start]
        if "\t" in before:
            column = before.index("\t") + 1
            row = token.line or 1
            self.tabs.append(Span(self.file, row, column, row, column + 1))
            self.lines[-1].uneven = True

    def _continues(self, token: Token) -> bool:
        """Return whether a row that begins with this token continues the line above."""
        if not self.lines:
            return False
        if token.type == "ELSE" and not self.brackets:
            return self._completes(token)
        if not self.brackets:
            return token.type in CONTINUATIONS and not self.among_terms  # `or` may be a language tag there
        # No declaration is inside brackets, so that a bracket above was forgotten; else it would swallow the rest of
        # the file.
        if token.type in DECLARATIONS:
            return False
        shallow = (token.column or 1) - 1 <= self.lines[-1].indent
        return not (shallow and token.type in STATEMENT_STARTS)

    def _completes(self, token: Token) -> bool:
        """Return whether an `else` completes an `if ... then ...` of the line above, and does not belong to the `if`
        of a step with its own indentation."""
        line, indent = self.lines[-1], (token.column or 1) - 1
        kinds = after_name(line)
        # Each `then` of a value needs an `else`; the `if` of a step may be without one.
        lacking = kinds.count("THEN") - (kinds.count("ELSE") - (kinds[:1] == ["ELSE"])) - self._is_step(line)
        return lacking > 0 and not any(each.indent == indent and self._is_step(each) for each in self.around)

    def _bracket(self, token: Token) -> None:
        line = self.lines[-1]
        if token.type in BRACKETS:
            self.brackets.append(token)
            # Only the first line that is too deep is reported: those inside it have the same fault.
            if len(self.brackets) == MAX_BRACKETS + 1 and not line.broken:
                self._report(reports.too_many_brackets(token_span(self.file, token)), breaks=True)
        elif token.type in CLOSERS:
            opening = self.brackets.pop() if self.brackets else None
            if opening is not None and BRACKETS[opening.type] == token.type:
                return
            # The bracket was reported as unclosed where its line ended.
            if opening is None and token.type in self.owed:
                self.owed.remove(token.type)
                line.broken = True
            elif not line.broken:
                place = token_span(self.file, opening) if opening is not None else None
                self._report(reports.stray_bracket(token, token_span(self.file, token), opening, place), breaks=True)

    def _close(self) -> None:
        """End the current line, and report a bracket that is still open.

        If the bracket is closed in the next line after all, the closing bracket gives no second report."""
        # In a line with a fault the bracket may be part of that.
        if self.brackets and self.lines and not self.lines[-1].broken:
            opening = self.brackets[-1]
            self._report(reports.unclosed_bracket(opening, token_span(self.file, opening)), breaks=True)
        self.owed = [BRACKETS[opening.type] for opening in self.brackets]
        self.brackets.clear()


def after_name(line: LogicalLine) -> list[str]:
    """Return the kinds of a line's tokens after its label, the sigla of a variant, or the pattern of an arm."""
    kinds = [token.type for token in line.tokens]
    start = kinds.index("ARROW") + 1 if "ARROW" in kinds else 0
    if str(line.head) == "variant" and kinds[1:2] in (["NAME"], ["LABEL"]) and "LABEL" in kinds:
        start = kinds.index("LABEL") + 1
    return [kind for kind in kinds[start:] if kind != "LABEL"]


def _nest(reader: _Reader) -> list[LogicalLine]:
    """Return the tree of lines. A line whose indentation fits no level is reported, and read as one level up."""
    units: list[LogicalLine] = []
    open_lines: list[LogicalLine] = []
    for line in reader.lines:
        last: LogicalLine | None = None
        while open_lines and open_lines[-1].indent >= line.indent:
            last = open_lines.pop()
        if last is not None and last.indent > line.indent and open_lines:
            _report_dedent(reader, line, last, open_lines)
        if len(open_lines) > MAX_BLOCKS:
            _report_depth(reader, line, open_lines)
            continue
        (open_lines[-1].children if open_lines else units).append(line)
        open_lines.append(line)
        # One line with a doubtful indentation makes the structure of its whole unit a guess.
        open_lines[0].uneven |= line.uneven
    for unit in units:
        retag(unit)
    return units


def _report_dedent(reader: _Reader, line: LogicalLine, last: LogicalLine, open_lines: list[LogicalLine]) -> None:
    """Report an uneven indentation, once for each block; not if there are tabs, which are then the cause."""
    parent = open_lines[-1]
    known, parent.uneven = parent.uneven, True
    if reader.tabs or known:
        return
    levels = [shown.indent for shown in [*open_lines, last]]
    reader.diagnostics.append(reports.uneven_dedent(token_span(reader.file, line.head), line.indent, levels))


def _report_depth(reader: _Reader, line: LogicalLine, open_lines: list[LogicalLine]) -> None:
    """Report a block that is nested too deeply, once, and leave it out."""
    if not open_lines[-1].broken:
        reader.diagnostics.append(reports.too_many_blocks(token_span(reader.file, line.head)))
        open_lines[-1].broken = True


# ---- words that mean something in one kind of line only ---------------------------------------------------------

_CHECKS = {"given": "GIVEN", "after": "AFTER", "allow": "ALLOW", "refuse": "REFUSE", "expect": "EXPECT"}
_AUTHORITY = frozenset({"CITE", "RULING", "CONVENTION"})
_CRITERIA = {"highest": "HIGHEST", "lowest": "LOWEST", "share": "SHARE"}
_ENTRIES = {"variant": "VARIANT", "silent": "OMISSION", "ruled": "RULED", "order": "ORDER"}
_NO_APPARATUS = frozenset({"GAME", "PART", "EDITION", "TEXT", "TYPE", "COMPONENT", "FORK", "TERMS"})
_VISIBILITIES = {"open": "OPEN", "private": "PRIVATE", "hidden": "HIDDEN"}


def retag(unit: LogicalLine) -> None:
    """Give the words of one kind of line their meaning, and free every word after a dot."""
    kind = unit.head.type
    if kind in ("ZONE", "STATE"):
        _retag_visibility(unit)
    for child in unit.children:
        if kind == "EXAMPLE":
            _become(child.head, _CHECKS)
            if child.head.type == "REFUSE":
                _retag_because(child)
        elif kind == "FORK":
            _become(child.head, {"default": "DEFAULT"})
    for line in unit.walk():
        _retag_times(line)
        if line is not unit and kind not in _NO_APPARATUS:
            _retag_entry(line)
        if kind == "WINNER":
            _retag_criterion(line)
        if kind in ("GAME", "PART", "EDITION", "TEXT", "TERMS"):
            _retag_languages(line)
        # A word of the language that is followed by a dot is the name of a thing there.
        if kind == "TERMS" and [token.type for token in line.tokens[1:2]] == ["DOT"] and line.head.value.islower():
            line.head.type = "NAME"
        for before, token in pairwise(line.tokens):
            if before.type == "DOT" and token.value.isidentifier() and not token.value[0].isupper():
                token.type = "NAME"


def _retag_entry(line: LogicalLine) -> None:
    """Retag `variant`, `silent`, `ruled`, `order` before a siglum: no statement begins with two names."""
    if len(line.tokens) > 1 and line.tokens[1].type in ("NAME", "LABEL"):
        _become(line.head, _ENTRIES)
    if line.head.type == "ORDER":
        for token in takewhile(lambda token: token.type not in _AUTHORITY, line.tokens[1:]):
            if token.value.isidentifier():
                token.type = "NAME"


def _retag_criterion(line: LogicalLine) -> None:
    for before, token in pairwise(line.tokens):
        if before.type == "LABEL":
            _become(token, _CRITERIA)


def _retag_visibility(unit: LogicalLine) -> None:
    """Retag `open`, `private`, `hidden` after a comma, as the last word before the authority. A generator may have
    such a name."""
    words = list(takewhile(lambda token: token.type not in _AUTHORITY, _outside_brackets(unit)))
    if len(words) > 1 and words[-2].type == "COMMA":
        _become(words[-1], _VISIBILITIES)


def _retag_because(line: LogicalLine) -> None:
    """Retag `because` in `refuse PLAYER MOVE because PATH`; the player, the move and the path may have that name
    too."""
    for before, token in pairwise(list(_outside_brackets(line))[2:]):
        if token.value == "because" and token.type == "NAME" and before.type != "DOT":
            token.type = "BECAUSE"
            return


def _retag_languages(line: LogicalLine) -> None:
    """Retag the word before a text as a name: it is the tag of a language, and that of Norwegian is `no`."""
    for before, token in pairwise(line.tokens):
        if token.type == "STRING" and before.type not in _AUTHORITY and before.value.isidentifier():
            before.type = "NAME"


def _retag_times(line: LogicalLine) -> None:
    """Retag `times` as a word of the language at the end of `repeat n times`."""
    kinds = [token.type for token in line.tokens]
    # `repeat may` has no number, and `times` may be a name after it.
    if "REPEAT" not in kinds or "MAY" in kinds:
        return
    count = kinds.index("REPEAT") + 1
    end = next((place for place, kind in enumerate(kinds) if place > count and kind in _AUTHORITY), len(kinds))
    if end - 1 > count:
        _become(line.tokens[end - 1], {"times": "TIMES"})


def _become(token: Token, words: dict[str, str]) -> None:
    if token.type == "NAME":
        token.type = words.get(token.value, "NAME")


def _outside_brackets(line: LogicalLine) -> Iterator[Token]:
    depth = 0
    for token in line.tokens:
        depth -= token.type in CLOSERS
        if depth == 0:
            yield token
        depth += token.type in BRACKETS
