"""Pretty-printer for blocks: nodes to lines, each with indentation, canonical text, authority and source place.

The tree has to be in the form that `normal` returns. A statement in a place where the grammar does not allow it (a
`match` after `then`) is put into a block.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from .. import syntax as s
from ..source import Span
from .expressions import (
    INTERVAL,
    SUM,
    BreakableText,
    LineBreak,
    SourcePoint,
    end_point,
    expression_text,
    flat,
    generators_text,
    place_text,
    start_of,
    string_literal,
    type_text,
    where_text,
)
from .text import (
    check_text,
    head_text,
    header_text,
    header_value_text,
    is_step,
    mark_text,
    note_value,
    one_line_text,
    patterns_text,
    step_text,
    term_word_text,
)

WIDTH = 100
"""The largest number of columns of a line without its authority."""
INDENT = 2

Loop = s.RepeatUntil | s.RepeatTimes | s.Each | s.EachPlayer | s.AllPlayers | s.As


@dataclass(frozen=True, slots=True)
class CanonicalLine:
    """One line of the canonical text, before it is broken and before comments are placed.

    Attributes:
        place: the source place of its first node; in a listing of several files, it may be in another file than the
            line above.
        end: the source place of its end, without its authority.
        loose: whether it is an `else` before a block, whose source place is only known to be between `start` and `end`.
    """

    indent: int
    text: BreakableText
    place: Span
    end: SourcePoint
    authority: s.Authority | None = None
    loose: bool = False

    @property
    def start(self) -> SourcePoint:
        return start_of(self.place)


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a node's first line (such as `label: `), with the clause's authority.

    Attributes:
        end: the source place of the end of this text; None if it is one word.
    """

    indent: int
    place: Span
    text: BreakableText = field(default_factory=list)
    authority: s.Authority | None = None
    end: SourcePoint | None = None

    @property
    def start(self) -> SourcePoint:
        return start_of(self.place)

    def line(self, *more: str | LineBreak, end: SourcePoint | None = None) -> CanonicalLine:
        text = [*self.text, *more]
        if isinstance(text[-1], str):
            # A head such as `label: ` has nothing after it here.
            text[-1] = text[-1].rstrip()
        return CanonicalLine(self.indent, text, self.place, end or self.end or self.start, self.authority)

    def plus(self, word: str) -> Head:
        return replace(self, text=[*self.text, word])


@dataclass(frozen=True, slots=True)
class Liner:
    """Turns nodes into lines.

    Attributes:
        comments: the places of the comments, in order; a value with a comment above it keeps a line of its own.
    """

    comments: tuple[SourcePoint, ...] = ()

    # ---- declarations -----------------------------------------------------------------------------------------

    def header(self, header: s.Header) -> Iterator[CanonicalLine]:
        head = Head(0, header.span, [header_text(header)], header.authority)
        yield head.line()
        for entry in header.entries:
            yield from self._entry(entry)

    def _entry(self, entry: s.HeaderEntry) -> Iterator[CanonicalLine]:
        """Yield an entry of the header with all values on its line, or, if they are too long or have comments among
        them, with rows of values in the block below."""
        start, text = start_of(entry.span), f"{entry.label}: {_listed(entry.values)}"
        # A single value cannot be divided.
        fits = len(text) <= WIDTH - INDENT or len(entry.values) == 1
        if fits and not self._comment_between(start, start_of(entry.values[-1].span)):
            yield CanonicalLine(1, [text], entry.span, end_point(entry.span))
            return
        yield CanonicalLine(1, [f"{entry.label}:"], entry.span, start)
        for row in self._filled(entry.values, WIDTH - 2 * INDENT):
            yield CanonicalLine(2, [_listed(row)], row[0].span, end_point(row[-1].span))

    def _filled(self, values: Sequence[s.HeaderValue], width: int) -> Iterator[list[s.HeaderValue]]:
        """Yield rows with as many values as fit; a comment begins a new row."""
        row = [values[0]]
        for value in values[1:]:
            if len(_listed([*row, value])) > width or self._comment_between(
                start_of(row[0].span), start_of(value.span)
            ):
                yield row
                row = []
            row.append(value)
        yield row

    def declaration(self, node: s.Declaration) -> Iterator[CanonicalLine]:
        match node:
            case s.ValueDeclaration(body=body) | s.InvariantDeclaration(body=body):
                yield from self._value(body, _declared(node, head_text(node)), whole=True)
            # The layout of a score must stay as it is: the fingerprint of a game is a digest of its layout, and
            # recorded logs name it.
            case s.ScoreDeclaration(body=body):
                yield from self._value(body, _declared(node, head_text(node)))
            case s.ActionDeclaration(body=body) | s.SetupDeclaration(body=body) | s.PlayDeclaration(body=body):
                yield from self._block(body, _declared(node, head_text(node)))
                yield from self._apparatus(node.apparatus, 1)
            case s.TextDeclaration(entries=entries):
                yield _declared(node, head_text(node)).line()
                for entry in entries:
                    yield from self._entry(entry)
            case s.ComponentDeclaration(columns=columns):
                yield _declared(node, head_text(node)).line()
                yield from map(_column, columns)
            case s.WinnerDeclaration(criteria=criteria):
                yield _declared(node, head_text(node)).line()
                for criterion in criteria:
                    yield _criterion(criterion, Head(1, criterion.span, [f"{criterion.label}: "], criterion.authority))
                    yield from self._apparatus(criterion.apparatus, 2)
            case s.ForkDeclaration():
                yield from _fork(node)
            case s.TermsDeclaration(terms=terms):
                yield _declared(node, head_text(node)).line()
                for term in terms:
                    yield from self._term(term)
            case s.ExampleDeclaration(checks=checks):
                yield _declared(node, head_text(node)).line()
                for check in checks:
                    yield from self._check(check)
            case s.NoteDeclaration(apparatus=apparatus) | s.RefillDeclaration(apparatus=apparatus):
                yield _declared(node, one_line_text(node)).line(end=_end_of_own(node, apparatus))
                yield from self._apparatus(apparatus, 1)
            case _:
                yield _declared(node, one_line_text(node)).line(end=end_point(node.span))

    # ---- the apparatus ----------------------------------------------------------------------------------------

    def _apparatus(self, entries: tuple[s.Entry, ...], indent: int) -> Iterator[CanonicalLine]:
        for entry in entries:
            if isinstance(entry, s.Variant):
                text: BreakableText = [f"variant {', '.join(entry.sigla)}: "]
                yield from self._variant(entry.body, Head(indent, entry.span, text, entry.authority))
            else:
                yield CanonicalLine(
                    indent, [mark_text(entry)], entry.span, start_of(entry.authority.span), entry.authority
                )

    def _variant(self, body: s.VariantBody, head: Head) -> Iterator[CanonicalLine]:
        match body:
            case s.ValueBody():
                yield from self._value(body, head)
            case s.ValueException() | s.StepException():
                yield _exception(body, head)
            case s.Criterion():
                yield _criterion(body, head)
            case s.NoteDeclaration():
                yield head.line(*note_value(body), end=end_point(body.span))
            case _:
                yield from self.statement(body, head)

    def _check(self, check: s.Check) -> Iterator[CanonicalLine]:
        if isinstance(check, s.Given):
            yield from self._block(check.body, Head(1, check.span, ["given"]))
        else:
            # Players, settings, moves and outcomes of an example state nothing that a text could say.
            authority = None if isinstance(check, s.Cast | s.Taken | s.After | s.AfterChance) else check.authority
            yield CanonicalLine(1, check_text(check), check.span, end_point(check.span), authority)

    def _term(self, term: s.Term) -> Iterator[CanonicalLine]:
        """Yield a term with all words on its line, or, if they are too long or have comments among them, with each word
        on a line of its own in the block below."""
        start, last = start_of(term.span), term.words[-1].span
        text = f"{term.name}: {', '.join(map(term_word_text, term.words))}"
        named = max(start, (term.authority.span.line, 1))  # the row of the colon: one in the name's brackets goes above
        if len(text) <= WIDTH - INDENT and not self._comment_between(named, start_of(last)):
            yield CanonicalLine(1, [text], term.span, end_point(last), term.authority)
            return
        yield CanonicalLine(1, [f"{term.name}:"], term.span, start, term.authority)
        for word in term.words:
            yield CanonicalLine(2, [term_word_text(word)], word.span, end_point(word.span))

    # ---- values -----------------------------------------------------------------------------------------------

    def _value(self, body: s.ValueBody, head: Head, whole: bool = False) -> Iterator[CanonicalLine]:
        """Yield a value after its head. whole: put a long value into a block of its own instead of breaking it."""
        inner = head.indent + 1
        if body.lets or isinstance(body.value, s.ValueMatch):
            yield head.line()
            for let in body.lets:
                yield CanonicalLine(inner, step_text(let), let.span, end_point(let.span))
            yield from self._last_value(body.value, inner)
        elif (whole and _is_long(head, body.value)) or self._commented(head, start_of(body.value.span)):
            yield head.line()
            yield from self._last_value(body.value, inner)
        else:
            yield head.line(*expression_text(body.value), end=end_point(body.value.span))
        yield from self._apparatus(body.apparatus, inner)
        yield from self._exceptions(body.exceptions, inner)

    def _exceptions(self, nodes: Sequence[s.ValueException | s.StepException], indent: int) -> Iterator[CanonicalLine]:
        for node in nodes:
            yield _exception(node, Head(indent, node.span, [f"except {node.label}:"], node.authority))
            yield from self._apparatus(node.apparatus, indent + 1)

    def _last_value(self, value: s.Expression | s.ValueMatch, indent: int) -> Iterator[CanonicalLine]:
        if isinstance(value, s.ValueMatch):
            yield CanonicalLine(
                indent, ["match ", *expression_text(value.subject)], value.span, end_point(value.subject.span)
            )
            for arm in value.arms:
                yield from self._value(arm.value, _arm(arm, indent + 1))
        else:
            yield CanonicalLine(indent, expression_text(value), value.span, end_point(value.span))

    def _commented(self, head: Head, value: SourcePoint) -> bool:
        """Return whether there is a comment between a head and its value."""
        return self._comment_between(head.end or head.start, value)

    def _comment_between(self, one: SourcePoint, other: SourcePoint) -> bool:
        first = bisect_left(self.comments, one)
        return first < len(self.comments) and self.comments[first] < other

    # ---- statements -------------------------------------------------------------------------------------------

    def statement(self, node: s.Statement, head: Head) -> Iterator[CanonicalLine]:
        match node:
            case s.Block():
                yield from self._block(node, head)
            case s.Clause(body=body, exceptions=exceptions):
                label: BreakableText = [f"{node.label}: "]
                shown = _ended(body) if node.apparatus or exceptions else body
                yield from self.statement(shown, Head(head.indent, head.place, label, node.authority))
                yield from self._apparatus(node.apparatus, head.indent + 1)
                yield from self._exceptions(exceptions, head.indent + 1)
            case s.Require(body=value):
                label = [f"require {node.label}: "]
                yield from self._value(value, Head(head.indent, head.place, label, node.authority))
            case s.If():
                yield from self._if(node, head)
            case s.Match(subject=subject, arms=arms):
                yield head.line("match ", *expression_text(subject), end=end_point(subject.span))
                for arm in arms:
                    shown = _ended(arm.body) if arm.apparatus else arm.body
                    yield from self.statement(shown, _arm(arm, head.indent + 1))
                    yield from self._apparatus(arm.apparatus, head.indent + 2)
            case s.Drawing(place=place, rows=rows):
                yield head.line(*place_text(place), " drawn as", end=end_point(place.span))
                for row in rows:
                    yield Head(head.indent + 1, row.span).line(string_literal(row.signs), end=end_point(row.span))
            case s.May(body=body):
                yield from self.statement(body, head.plus("may "))
            case s.RepeatMay(body=body):
                yield from self.statement(body, head.plus("repeat may "))
            case s.ChooseBranch(branches=branches):
                yield head.line("choose")
                yield from self._statements(branches, head.indent + 1)
            case s.RepeatUntil() | s.RepeatTimes() | s.Each() | s.EachPlayer() | s.AllPlayers() | s.As():
                yield from self._loop(node, head)
            case _:
                yield head.line(*step_text(node), end=end_point(node.span))

    def _statements(self, statements: tuple[s.Statement, ...], indent: int) -> Iterator[CanonicalLine]:
        for statement in statements:
            yield from self.statement(statement, Head(indent, statement.span))

    def _block(self, block: s.Block, head: Head) -> Iterator[CanonicalLine]:
        """Yield the head on a line of its own, then the block."""
        if head.text:
            yield head.line()
        yield from self._statements(block.statements, head.indent + bool(head.text))

    def _if(self, node: s.If, head: Head) -> Iterator[CanonicalLine]:
        condition: BreakableText = ["if ", *expression_text(node.condition)]
        if is_step(node.then):
            then = [LineBreak(0, start_of(node.then.span)), "then ", *step_text(node.then)]
            yield head.line(*condition, *then, end=end_point(node.then.span))
        else:
            yield head.line(*condition, end=end_point(node.condition.span))
            yield from self._statements(_parts(node.then), head.indent + 1)
        if node.otherwise is not None:
            yield from self._else(node.otherwise, node.then, head.indent)

    def _else(self, node: s.Statement, then: s.Statement, indent: int) -> Iterator[CanonicalLine]:
        if is_step(node) or isinstance(node, s.If):
            yield from self.statement(node, Head(indent, node.span, ["else "]))
        else:
            statements = _parts(node)
            yield CanonicalLine(
                indent, ["else"], _end_place(_parts(then)[-1].span), start_of(statements[0].span), loose=True
            )
            yield from self._statements(statements, indent + 1)

    def _loop(self, node: Loop, head: Head) -> Iterator[CanonicalLine]:
        text, end = _loop_text(node)
        yield head.line(*text, end=end)
        yield from self._statements(node.body.statements, head.indent + 1)
        if isinstance(node, s.RepeatUntil) and node.until is not None:
            # The authority here is of the condition: a text may say when the loop ends.
            until: BreakableText = ["until ", *expression_text(node.until)]
            yield CanonicalLine(head.indent, until, node.until.span, end_point(node.until.span), node.authority)


def _end_place(span: Span) -> Span:
    """Return the end of a span."""
    return replace(span, line=span.end_line, column=span.end_column)


def _loop_text(node: Loop) -> tuple[BreakableText, SourcePoint | None]:
    """Return the text of the line above a block, and where it ends if it has expressions."""
    match node:
        case s.RepeatUntil():
            return ["repeat"], None
        case s.RepeatTimes(count=count):
            return ["repeat ", *expression_text(count, SUM, False), " times"], end_point(count.span)
        case s.Each(generators=generators, where=where):
            last = generators[-1].span if where is None else where.span
            return ["each ", *generators_text(generators, 1), *where_text(where, 0)], end_point(last)
        case s.EachPlayer(order=order):
            return ["each player in ", *expression_text(order, INTERVAL, False)], end_point(order.span)
        case s.AllPlayers():
            return ["all players"], None
        case s.As(player=player):
            return ["as ", *expression_text(player, SUM, False)], end_point(player.span)
        case _:
            assert_never(node)


def _parts(statement: s.Statement) -> tuple[s.Statement, ...]:
    return statement.statements if isinstance(statement, s.Block) else (statement,)


def _arm(arm: s.ValueArm | s.StepArm, indent: int) -> Head:
    text: BreakableText = [f"{patterns_text(arm.patterns)} => "]
    return Head(indent, arm.span, text, arm.authority, end_point(arm.patterns[-1].span))


def _ended(body: s.Statement) -> s.Statement:
    """Return the body of a clause with exceptions or an apparatus below: one that opens a block is put into a block."""
    return body if isinstance(body, s.Block) or is_step(body) or _is_short(body) else s.Block(body.span, (body,))


def _is_short(body: s.Statement) -> bool:
    """Return whether a compound statement ends without a block."""
    match body:
        case s.If(then=then, otherwise=otherwise):
            return is_step(then) and (otherwise is None or is_step(otherwise) or _is_short(otherwise))
        case _:
            return False


def _exception(node: s.ValueException | s.StepException, head: Head) -> CanonicalLine:
    """Return an exception after its label. The head ends in a colon, perhaps with a space."""
    text: BreakableText = [flat(head.text).rstrip()]
    if isinstance(node, s.StepException):
        text += [] if node.statement is None else [" ", *step_text(node.statement)]
    elif node.value is not None:
        text += [" ", *expression_text(node.value)]
    text += [LineBreak(0, start_of(node.condition.span)), "when ", *expression_text(node.condition)]
    return CanonicalLine(head.indent, text, head.place, end_point(node.condition.span), head.authority)


def _is_long(head: Head, value: s.Expression) -> bool:
    return len(flat([*head.text, *expression_text(value)])) > WIDTH - INDENT * head.indent


def _declared(node: s.Declaration, text: BreakableText) -> Head:
    return Head(0, node.span, text, node.authority, _end_of_head(node))


def _end_of_head(node: s.Declaration) -> SourcePoint | None:
    parts: list[s.Node | None] = []
    if isinstance(node, s.ValueDeclaration):
        parts = [node.cycle, node.type, *reversed(node.parameters)]
    elif isinstance(node, s.ActionDeclaration):
        parts = [*reversed(node.during_parameters), *reversed(node.parameters)]
    return next((end_point(part.span) for part in parts if part is not None), None)


def _column(column: s.Column) -> CanonicalLine:
    text = f"{column.name}: {type_text(column.type)}"
    return CanonicalLine(1, [text], column.span, end_point(column.span), column.authority)


def _criterion(criterion: s.Criterion, head: Head) -> CanonicalLine:
    value: BreakableText = [" ", *expression_text(criterion.value)] if criterion.value is not None else []
    end = end_point(criterion.value.span) if criterion.value is not None else None
    return head.line(criterion.kind, *value, end=end)


def _end_of_own(node: s.NoteDeclaration | s.RefillDeclaration, apparatus: tuple[s.Entry, ...]) -> SourcePoint:
    """Return the end of a declaration without its exceptions and apparatus."""
    return start_of(node.authority.span) if apparatus else end_point(node.span)


def _fork(node: s.ForkDeclaration) -> Iterator[CanonicalLine]:
    yield _declared(node, [f"fork {node.name}"]).line()
    for reading in node.readings:
        text = f"{reading.name}: {string_literal(reading.text)}"
        yield CanonicalLine(1, [text], reading.span, end_point(reading.span), reading.authority)
    default = f"default {node.default} {string_literal(node.reason)}"
    column = node.readings[-1].span.column if node.readings else 1
    # The tree does not keep the place of this line: it is the last of the fork, below its readings.
    place = replace(node.span, line=node.span.end_line, column=column)
    yield CanonicalLine(1, [default], place, end_point(node.span))


def _listed(values: Sequence[s.HeaderValue]) -> str:
    return ", ".join(map(header_value_text, values))
