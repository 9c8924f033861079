"""Pretty-printer: syntax nodes and comments to the canonical layout. `docs/canonical-layout.md` states its rules.

It works in three steps: nodes become lines (`lines.py`), comments are placed among the lines, long lines are broken.
Of the source text, only the spans of nodes and comments are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .. import syntax as s
from ..normal_form import declared_functions, normal
from ..source import Span
from .expressions import (
    BreakableText,
    LineBreak,
    SourcePoint,
    expression_text,
    flat,
    start_of,
    string_literal,
    type_text,
)
from .lines import INDENT, WIDTH, CanonicalLine, Head, Liner

MARGIN = 64
"""The number of columns to the left of the authority."""
CONTINUED = 2 * INDENT
SECTION = "# --"
"""The beginning of a comment that is the heading of a section."""


# ---- entry points ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormattedRow:
    """One row of canonical text, with the source place of its line's first node, and the citations in it."""

    text: str
    place: Span
    citations: tuple[s.Citation, ...] = ()


def format_module(module: s.Module, functions: frozenset[str] = frozenset()) -> str:
    """Return the canonical text of a file with its comments; it ends with one newline.

    functions: the states, zones, facts and defines that other files of the game declare (`declared_functions`).
    """
    module = normal(module, functions | declared_functions(module))
    # Their places are searched by bisection, and taken one after another.
    comments = sorted(module.comments, key=lambda comment: start_of(comment.span))
    liner = Liner(tuple(start_of(comment.span) for comment in comments))
    lines = list(liner.header(module.header)) if module.header else []
    for declaration in module.declarations:
        lines += liner.declaration(declaration)
    return "".join(row + "\n" for row in _spaced(_paragraphs(_seated(lines, comments), comments)))


def header_rows(header: s.Header) -> Iterator[FormattedRow]:
    """Yield the canonical text of a file's header row by row, without its comments."""
    return _placed(Liner().header(normal(header)))


def format_declaration(declaration: s.Declaration, authority: bool = True) -> str:
    """Return the canonical text of one declaration, without its comments. authority: print its authorities."""
    return _plain(Liner().declaration(normal(declaration)), authority)


def declaration_rows(declaration: s.Declaration, functions: frozenset[str] | None = None) -> Iterator[FormattedRow]:
    """Yield the canonical text of one declaration row by row, without its comments.

    In a declaration that was merged from several files, the place of a row shows which file states it.
    functions: as for `format_module`."""
    return _placed(Liner().declaration(normal(declaration, functions)))


def _placed(lines: Iterable[CanonicalLine]) -> Iterator[FormattedRow]:
    for line in lines:
        *above, last = _rows(line, ())
        yield from (FormattedRow(row.text, line.place) for row in above)
        # The authority is at the end of the line.
        yield FormattedRow(last.text, line.place, line.authority.citations if line.authority else ())


def format_statement(statement: s.Statement, authority: bool = True) -> str:
    """Return the canonical text of one clause, without its comments. authority: print its authority."""
    return _plain(Liner().statement(normal(statement), Head(0, statement.span)), authority)


def format_expression(expression: s.Expression) -> str:
    """Return the canonical text of an expression, on one line."""
    return flat(expression_text(normal(expression)))


def format_type(type_: s.TypeExpression) -> str:
    """Return the canonical text of a type."""
    return type_text(normal(type_))


def _plain(lines: Iterable[CanonicalLine], authority: bool) -> str:
    shown = [line if authority else replace(line, authority=None) for line in lines]
    return "\n".join(row.text for line in shown for row in _rows(line, ()))


# ---- comments --------------------------------------------------------------------------------


def _seated(lines: list[CanonicalLine], comments: Sequence[s.Comment]) -> list[CanonicalLine]:
    """Return the lines with an exact place for each `else`, for which the tree has only a range of rows."""
    return [_settled(line, comments) if line.loose else line for line in lines]


def _settled(line: CanonicalLine, comments: Sequence[s.Comment]) -> CanonicalLine:
    """Return the line of an `else` with its row: the last one between its blocks that ends in a comment, else the last
    without a comment."""
    rows = range(line.start[0] + 1, line.end[0])
    between = [comment for comment in comments if comment.span.line in rows]
    trailed = [comment.span.line for comment in between if not comment.alone]
    free = sorted(set(rows) - {comment.span.line for comment in between})
    row = [line.end[0], *free, *trailed][-1]
    return replace(line, place=replace(line.place, line=row, column=1, end_line=row, end_column=1), end=(row, 1))


@dataclass(slots=True)
class _Paragraph:
    """A top-level comment, or a declaration with everything in it.

    Attributes:
        kind: the word that begins the declaration, None for a comment.
        first, last: its first and last row in the source.
    """

    kind: str | None
    first: int
    last: int
    rows: list[str] = field(default_factory=list)


def _paragraphs(lines: list[CanonicalLine], comments: Sequence[s.Comment]) -> list[_Paragraph]:
    page = _Page()
    waiting = list(reversed(comments))
    for comment in _before(waiting, lines[0].start if lines else None):
        page.comment(comment.text, 0, comment.span.line)
    for number, line in enumerate(lines, 1):
        following = lines[number] if number < len(lines) else None
        near = list(_before(waiting, following.start if following else None))
        inside = _count_inside(line, near)
        page.line(line, near[:inside])
        page.comments_after(line, near[inside:], following.indent if following else 0)
    return page.paragraphs


def _before(waiting: list[s.Comment], end: SourcePoint | None) -> Iterator[s.Comment]:
    """Remove and yield the waiting comments that start before a place. `waiting` is in reverse order."""
    while waiting and (end is None or start_of(waiting[-1].span) < end):
        yield waiting.pop()


def _count_inside(line: CanonicalLine, near: Sequence[s.Comment]) -> int:
    """Return how many of the comments between the starts of a line and of the next one belong to the line."""
    # A comment between the text and its authority is inside the line.
    end = max(line.end, start_of(line.authority.span)) if line.authority else line.end
    inside = 0
    for number, comment in enumerate(near, 1):
        if not comment.alone or start_of(comment.span) < end:
            inside = number
    return inside


@dataclass(slots=True)
class _Page:
    """Collects the rows of a file."""

    paragraphs: list[_Paragraph] = field(default_factory=list)
    columns: dict[int, int] = field(default_factory=dict)
    """For each open level of indentation, the column of its lines in the source."""

    def line(self, line: CanonicalLine, comments: Sequence[s.Comment]) -> None:
        self._note_column(line)
        rows = list(_rows(line, comments))
        while rows and rows[0].lifted:
            self.comment(rows.pop(0).text.strip(), line.indent, line.start[0])
        if line.indent == 0:
            self.paragraphs.append(_Paragraph(flat(line.text).split()[0], line.start[0], 0))
        self.paragraphs[-1].rows += [row.text for row in rows]
        ends = [line.end[0], *(comment.span.line for comment in comments)]
        self._reach(max([*ends, line.authority.span.end_line] if line.authority else ends))

    def comments_after(self, line: CanonicalLine, comments: Sequence[s.Comment], level: int) -> None:
        """Add the comments on rows of their own between a line and the next, which has the indentation `level`.

        If blocks end between the two, a comment belongs to the innermost block in which it is indented, that is,
        farther than the line above the block.
        """
        deepest = max(line.indent, level)
        for comment in comments:
            inner = [at for at in range(level + 1, deepest + 1) if self.columns[at - 1] < comment.span.column]
            deepest = max(inner, default=level)
            self.comment(comment.text, deepest, comment.span.line)

    def comment(self, text: str, level: int, row: int) -> None:
        shown = " " * (INDENT * level) + text.rstrip()
        if level == 0 or not self.paragraphs:
            self.paragraphs.append(_Paragraph(None, row, row, [shown.lstrip()]))
        else:
            self.paragraphs[-1].rows.append(shown)
            self._reach(row)

    def _reach(self, row: int) -> None:
        self.paragraphs[-1].last = max(self.paragraphs[-1].last, row)

    def _note_column(self, line: CanonicalLine) -> None:
        # Deeper levels are closed by this line.
        self.columns = {level: column for level, column in self.columns.items() if level <= line.indent}
        # The column of an `else` is not known.
        if not line.loose:
            column = self.columns.get(line.indent, line.start[1])
            self.columns[line.indent] = min(column, line.start[1])


# ---- blank lines ----------------------------------------------------------------------------------------------


def _spaced(paragraphs: list[_Paragraph]) -> Iterator[str]:
    """Yield the rows of the file with blank ones between kinds, before sections, and where the author put one."""
    kind: str | None = None
    for number, paragraph in enumerate(paragraphs):
        if number and (_apart(paragraphs, number) or _begins_group(paragraphs, number, kind)):
            yield ""
        yield from paragraph.rows
        kind = paragraph.kind or kind


def _apart(paragraphs: list[_Paragraph], number: int) -> bool:
    """Return whether the author put a blank line above a paragraph."""
    return paragraphs[number].first - paragraphs[number - 1].last > 1


def _begins_group(paragraphs: list[_Paragraph], number: int, kind: str | None) -> bool:
    """Return whether a paragraph needs a blank line above: a section, and, after a declaration, the comments or the
    declaration that begin another group."""
    # What follows a comment without a blank line belongs to it.
    if paragraphs[number - 1].kind is None:
        return False
    if paragraphs[number].kind is None and paragraphs[number].rows[0].startswith(SECTION):
        return True
    following = number
    while paragraphs[following].kind is None:
        following += 1
        if following == len(paragraphs):
            return False
    is_apart = following > number and _apart(paragraphs, following)
    return paragraphs[following].kind != kind or is_apart


# ---- long lines, authorities, comments on a line --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of text. lifted: whether it is a comment from inside the line that is moved above it."""

    text: str
    lifted: bool = False


def _rows(line: CanonicalLine, comments: Sequence[s.Comment]) -> Iterator[_Row]:
    """Yield the rows of one line, which is broken if it is too long or has comments inside."""
    by_break = _by_break(line.text, comments)
    width = WIDTH - INDENT * line.indent
    pieces = _broken(line.text, width, width - CONTINUED, frozenset(place for place in by_break if place))
    ends = [piece[0] for piece in pieces[1:] if isinstance(piece[0], LineBreak)]
    indent = " " * (INDENT * line.indent)
    for number, (piece, end) in enumerate(zip(pieces, [*ends, None], strict=True)):
        above, trailing, below = _around(by_break.get(end, []), end is None)
        yield from (_Row(indent + text, lifted=number == 0) for text in above)
        authority = line.authority if end is None else None
        # A piece begins with the blank of its break.
        yield _Row(_margin(indent + flat(piece).lstrip(), authority, trailing))
        indent = " " * (INDENT * line.indent + CONTINUED)
        yield from (_Row(indent + text) for text in below)


def _by_break(text: BreakableText, comments: Sequence[s.Comment]) -> dict[LineBreak | None, list[s.Comment]]:
    """Return the comments inside a line by the break after them; None for those after the last break."""
    breaks = [piece for piece in text if isinstance(piece, LineBreak)]
    by_break: dict[LineBreak | None, list[s.Comment]] = {}
    for comment in comments:
        place = next((place for place in breaks if start_of(comment.span) < place.before), None)
        by_break.setdefault(place, []).append(comment)
    return by_break


def _around(comments: list[s.Comment], last: bool) -> tuple[list[str], str | None, list[str]]:
    """Return the comments above a row, at its end, and below it. Only the last trailing one can be at its end."""
    texts = [comment.text.rstrip() for comment in comments]
    trailed = [number for number, comment in enumerate(comments) if not comment.alone]
    if not trailed:
        return (texts, None, []) if last else ([], None, texts)
    end = trailed[-1]
    if last and end < len(texts) - 1:
        return texts, None, []
    return texts[:end], texts[end], texts[end + 1 :]


def _broken(text: BreakableText, width: int, rest: int, forced: frozenset[LineBreak]) -> list[BreakableText]:
    """Break a text at its outermost breaks, all of one depth; then the pieces that are still too long. Return the
    pieces, each but the first with its break in front.

    In the terms of Oppen's "Prettyprinting" (1980), breaks of one depth are consistent: all are used, or none. Those
    with `fill` are inconsistent: each is used only where its piece does not fit.

    width: the width of the first piece; rest: the width of the others. forced: breaks that have to be used.
    """
    inner = [piece for piece in text[1:] if isinstance(piece, LineBreak)]
    # The first piece of a text is the break before it, which has been used already.
    if not inner or (_width(text) <= width and forced.isdisjoint(inner)):
        return [text]
    depth = min(place.depth for place in inner)
    outer = frozenset(place for place in inner if place.depth == depth)
    pieces = _cut(text, outer)
    if all(place.fill for place in outer):
        return _filled(pieces, width, rest, forced)
    first, *others = pieces
    result = _broken(first, width, rest, forced)
    for other in others:
        result += _broken(other, rest, rest, forced)
    return result


def _cut(text: BreakableText, places: frozenset[LineBreak]) -> list[BreakableText]:
    pieces: list[BreakableText] = [[]]
    for piece in text:
        if isinstance(piece, LineBreak) and piece in places:
            pieces.append([])
        pieces[-1].append(piece)
    return pieces


def _filled(pieces: list[BreakableText], width: int, rest: int, forced: frozenset[LineBreak]) -> list[BreakableText]:
    """Fill rows greedily with pieces."""
    rows = [pieces[0]]
    for piece in pieces[1:]:
        fits = _width(rows[-1] + piece) <= (width if len(rows) == 1 else rest)
        if fits and piece[0] not in forced:
            rows[-1] = rows[-1] + piece
        else:
            rows.append(piece)
    return rows


def _width(text: BreakableText) -> int:
    return len(flat(text).lstrip())


def _margin(text: str, authority: s.Authority | None, comment: str | None) -> str:
    """Return a row with the authority at its column, or two spaces after a long text, and then the comment."""
    for addition in (_authority(authority) if authority else "", comment):
        if addition:
            text = f"{text:<{MARGIN - 2}}  {addition}"
    return text


def _authority(authority: s.Authority) -> str:
    citations = [citation.term for citation in authority.citations]
    return " ".join([*citations, *(f"{reason.kind} {string_literal(reason.text)}" for reason in authority.reasons)])
