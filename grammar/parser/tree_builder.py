"""Tree builder: turns Lark's parse tree into syntax nodes.

`Builder.unit` takes the tree of one unit (a header or a declaration) and returns its node. Faults that the grammar
lets pass are collected in `Builder.diagnostics`: an authority where no clause takes it, a citation whose lines make no
sense, a number beyond all measure, a reserved word declared through a label.

Nodes are built by the kind of a tree's children, not by their index alone, since optional parts leave no gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast

from lark import Token, Tree

from .. import syntax as s
from ..diagnostics import Diagnostic
from ..lexer import reports, words
from ..lexer.tokens import token_span
from ..source import Identifier, Span

_TYPE_KINDS = frozenset({"named_type", "optional_type", "range", "collection_type"})
MAX_INTEGER = 999_999_999
"""The largest number an author may write; larger ones are reported."""

_CITED_LINES = re.compile(r"\s*([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?\s*")
_ESCAPE = re.compile(r'\\(["\\])')

_OPERATIONS: Mapping[str, Callable[..., s.Expression]] = {
    "interval": s.Interval, "negate": s.Negate, "not": s.Not, "conditional": s.Conditional, "top": s.Top,
}  # fmt: skip
"""The expressions that consist of their operands alone."""

_T = TypeVar("_T")
Authorised = tuple[s.Statement, s.Authority]
"""A statement, and the authority at the end of its line if the statement's node does not keep it."""


class Builder:
    """Builds the nodes of one file."""

    def __init__(self, file: str, tokens: Iterable[Token]) -> None:
        """file: the path of the file as reports show it. tokens: all of its tokens."""
        self.file = file
        # Lark leaves keywords out of its trees, but a tree begins where its first token does.
        self._widths = {token.start_pos: len(token) for token in tokens}
        self.diagnostics: list[Diagnostic] = []

    def unit(self, tree: Tree[Token]) -> s.Header | s.Declaration:
        """Return the node of one unit. tree: the tree of the start rule."""
        (child,) = _trees(tree)
        # Methods are found by name, as in Lark's own `Transformer`; but trees are built top-down, so that a node can
        # be built by the place it is in.
        node: s.Header | s.Declaration = getattr(self, f"unit_{child.data}")(child)
        return node

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
        path = _only(tree, "path")
        return Identifier("".join(str(part) for part in path.children), self.span(path))

    def declared(self, token: Token) -> Identifier:
        """Return a name that a label declares. Unlike labels of clauses, it must not be a reserved word."""
        name = self.name(token)
        if name in words.RESERVED_WORDS:
            self.diagnostics.append(reports.reserved(name, name.span))
        return name

    # ---- authority ----------------------------------------------------------------------------------------------

    def authority(self, tree: Tree[Token]) -> s.Authority:
        read = [self.citation(token) for token in _tokens(tree, "CITE")]
        # A citation without good lines was reported, and would cite nothing.
        citations = tuple(citation for citation in read if citation.lines)
        reasons = tuple(self.reason(part) for part in _trees(tree))
        (end,) = _tokens(tree, "NEWLINE")
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
        return s.Reason(self.span(tree), kind, _text(cast(Token, text)))

    def unclaimed(self, authority: s.Authority) -> None:
        """Report an authority on a line that is not a clause."""
        if authority:
            self.diagnostics.append(reports.unclaimed_authority(authority.span, bool(authority.citations)))

    # ---- the header ---------------------------------------------------------------------------------------------

    def unit_game(self, tree: Tree[Token]) -> s.Header:
        (name,) = _tokens(tree, "NAME")
        return self._header(tree, "game", self.name(name), None)

    def unit_part(self, tree: Tree[Token]) -> s.Header:
        name, of = _tokens(tree, "NAME")
        return self._header(tree, "part", self.name(name), self.name(of))

    def unit_edition(self, tree: Tree[Token]) -> s.Header:
        (of,) = _tokens(tree, "NAME")
        return self._header(tree, "edition", self.dotted(_tokens(_only(tree, "dotted"))), self.name(of))

    def _header(
        self, tree: Tree[Token], kind: Literal["game", "part", "edition"], name: Identifier, of: Identifier | None
    ) -> s.Header:
        entries = tuple(self.entry(entry) for entry in _all(tree, "entry"))
        authority = self.authority(_only(tree, "line_end"))
        return s.Header(self.span(tree), kind, name, of, entries, authority)

    def entry(self, tree: Tree[Token]) -> s.HeaderEntry:
        (label,) = _tokens(tree, "LABEL")
        rows = [tree, *_all(tree, "entry_row")]
        for row in rows:
            self.unclaimed(self.authority(_only(row, "line_end")))
        values = [part for row in rows for part in _trees(row) if part.data not in ("entry_row", "line_end")]
        built = tuple(self.header_value(value) for value in values)
        # Without the comments and ends of lines that the rule's own span includes, as reports underline the span.
        return s.HeaderEntry(self.span(label).to(built[-1].span), self.name(label), built)

    def header_value(self, tree: Tree[Token]) -> s.HeaderValue:
        tags, names = _all(tree, "dotted"), _tokens(tree, "NAME")
        texts, numbers = _tokens(tree, "STRING"), _tokens(tree, "INT")
        parts = _tokens(tags[0]) if tags else names
        tag = self.dotted(parts) if parts else None
        text = _text(texts[0]) if texts else None
        ends = [self.integer(token) for token in numbers]
        # A single number is both ends of its range.
        low, high = (ends[0], ends[-1]) if ends else (None, None)
        return s.HeaderValue(self.span(tree), tag, text, low, high)

    # ---- declarations -------------------------------------------------------------------------------------------

    def unit_text_declaration(self, tree: Tree[Token]) -> s.TextDeclaration:
        (name,) = _tokens(tree, "NAME")
        entries = tuple(self.entry(entry) for entry in _all(tree, "entry"))
        return s.TextDeclaration(self.span(tree), self.name(name), entries, self.authority(_only(tree, "line_end")))

    def unit_type_declaration(self, tree: Tree[Token]) -> s.TypeDeclaration:
        (name,) = _tokens(tree, "TNAME")
        body, end = _trees(tree)
        return s.TypeDeclaration(self.span(tree), self.name(name), self.type_body(body), self.authority(end))

    def type_body(self, tree: Tree[Token]) -> s.WordsBody | s.RecordBody | s.RangeType:
        if tree.data == "range":
            return self.range_type(tree)
        if tree.data == "words":
            return s.WordsBody(self.span(tree), tuple(self.type_word(part) for part in _trees(tree)))
        fields = tuple(self.parameter(part) for part in _all(tree, "parameter"))
        rest = [part for part in _trees(tree) if part.data != "parameter"]
        return s.RecordBody(self.span(tree), fields, self.expression(rest[0]) if rest else None)

    def type_word(self, tree: Tree[Token]) -> s.TypeWord:
        (name,) = _tokens(tree, "NAME")
        fields = [self.parameter(part) for group in _all(tree, "parameters") for part in _trees(group)]
        return s.TypeWord(self.span(tree), self.name(name), tuple(fields))

    def unit_component(self, tree: Tree[Token]) -> s.ComponentDeclaration:
        (name,) = _tokens(tree, "TNAME")
        files = _tokens(tree, "STRING")
        columns = tuple(self.column(part) for part in _all(tree, "column"))
        authority = self.authority(_only(tree, "line_end"))
        file = Identifier(_text(files[0]), self.span(files[0])) if files else None
        return s.ComponentDeclaration(self.span(tree), self.name(name), file, columns, authority)

    def column(self, tree: Tree[Token]) -> s.Column:
        (label,) = _tokens(tree, "LABEL")
        type_tree, end = _trees(tree)
        return s.Column(self.span(tree), self.name(label), self.type(type_tree), self.authority(end))

    def signature(self, tree: Tree[Token]) -> tuple[Identifier, tuple[s.TypeExpression, ...]]:
        labels = _tokens(tree, "LABEL")
        name = self.declared(labels[0]) if labels else self.name(_tokens(tree, "NAME")[0])
        return name, tuple(self.type(part) for part in _trees(tree))

    def visibility(self, tree: Tree[Token]) -> s.Visibility | None:
        words = _tokens(tree, "OPEN", "PRIVATE", "HIDDEN")
        return cast(s.Visibility, str(words[0])) if words else None

    def unit_zone(self, tree: Tree[Token]) -> s.ZoneDeclaration:
        signature, shape, end = _trees(tree)
        name, indices = self.signature(signature)
        of, *most = _trees(shape)
        kind = cast(Literal["pile", "bag", "one"], shape.data)
        visibility = self.visibility(tree)
        bound = self.expression(most[0]) if most else None
        return s.ZoneDeclaration(
            self.span(tree), name, indices, kind, self.type(of), bound, visibility, self.authority(end)
        )  # fmt: skip

    def unit_state(self, tree: Tree[Token]) -> s.StateDeclaration:
        signature, type_tree, *initial, end = _trees(tree)
        name, indices = self.signature(signature)
        value = self.expression(initial[0]) if initial else None
        of = self.type(type_tree)
        return s.StateDeclaration(
            self.span(tree), name, indices, of, value, self.visibility(tree), self.authority(end)
        )  # fmt: skip

    def unit_option(self, tree: Tree[Token]) -> s.OptionDeclaration:
        (label,) = _tokens(tree, "LABEL")
        type_tree, default, end = _trees(tree)
        name = self.declared(label)
        of, value = self.type(type_tree), self.expression(default)
        return s.OptionDeclaration(self.span(tree), name, of, value, self.authority(end))

    def unit_window_declaration(self, tree: Tree[Token]) -> s.WindowDeclaration:
        (name,) = _tokens(tree, "NAME")
        authority = self.authority(_only(tree, "line_end"))
        return s.WindowDeclaration(self.span(tree), self.name(name), self.parameters(tree), authority)

    def unit_refill(self, tree: Tree[Token]) -> s.RefillDeclaration:
        place, source, end = _own(tree)
        entries = self.apparatus(tree)
        return s.RefillDeclaration(self.span(tree), self.place(place), self.place(source), self.authority(end), entries)

    def unit_value_declaration(self, tree: Tree[Token]) -> s.ValueDeclaration:
        kind = cast(Literal["fact", "define"], str(tree.children[0]))
        labels = _tokens(tree, "LABEL")
        name = self.declared(labels[0]) if labels else self.name(_tokens(tree, "NAME")[0])
        types = [self.type(part) for part in _trees(tree) if part.data in _TYPE_KINDS]
        cycles = [self.expression(_trees(part)[0]) for part in _all(tree, "cycle")]
        body, authority = self.value_body(_trees(tree)[-1])
        return s.ValueDeclaration(
            self.span(tree), kind, name, self.parameters(tree), _first(types), _first(cycles), body, authority
        )

    def unit_note(self, tree: Tree[Token]) -> s.NoteDeclaration:
        labels, texts = _tokens(tree, "LABEL"), _tokens(tree, "STRING")
        name = self.name(labels[0]) if labels else self.name(_tokens(tree, "NAME")[0])
        *value, end = _own(tree)
        built = self.expression(value[0]) if value else None
        text = _text(texts[0]) if texts else None
        return s.NoteDeclaration(self.span(tree), name, built, text, self.authority(end), self.apparatus(tree))

    def unit_silence(self, tree: Tree[Token]) -> s.SilentDeclaration:
        return s.SilentDeclaration(self.span(tree), self.path(tree), self.authority(_only(tree, "line_end")))

    def unit_action(self, tree: Tree[Token]) -> s.ActionDeclaration:
        (name,) = _tokens(tree, "NAME")
        authority = self.authority(_only(tree, "line_end"))
        statements = [part for part in _own(tree) if part.data not in ("parameters", "during", "line_end")]
        windows = _all(tree, "during")
        during = self.name(_tokens(windows[0], "NAME")[0]) if windows else None
        during_parameters = self.parameters(windows[0]) if windows else ()
        body = self.statements(statements, authority.span)
        parameters, entries = self.parameters(tree), self.apparatus(tree)
        return s.ActionDeclaration(
            self.span(tree), self.name(name), parameters, during, during_parameters, body, authority, entries
        )

    def unit_setup(self, tree: Tree[Token]) -> s.SetupDeclaration:
        body, authority = self.block(tree)
        return s.SetupDeclaration(self.span(tree), body, authority, self.apparatus(tree))

    def unit_play(self, tree: Tree[Token]) -> s.PlayDeclaration:
        body, authority = self.block(tree)
        return s.PlayDeclaration(self.span(tree), body, authority, self.apparatus(tree))

    def unit_score(self, tree: Tree[Token]) -> s.ScoreDeclaration:
        (label,) = _tokens(tree, "LABEL")
        body, authority = self.value_body(_trees(tree)[0])
        return s.ScoreDeclaration(self.span(tree), self.name(label), body, authority)

    def unit_invariant(self, tree: Tree[Token]) -> s.InvariantDeclaration:
        (label,) = _tokens(tree, "LABEL")
        body, authority = self.value_body(_trees(tree)[0])
        return s.InvariantDeclaration(self.span(tree), self.name(label), body, authority)

    def unit_winner(self, tree: Tree[Token]) -> s.WinnerDeclaration:
        end, *criteria = _trees(tree)
        built = tuple(self.criterion(part) for part in criteria)
        return s.WinnerDeclaration(self.span(tree), built, self.authority(end))

    def criterion(self, tree: Tree[Token]) -> s.Criterion:
        label, word = _tokens(tree, "LABEL", "HIGHEST", "LOWEST", "SHARE")
        *value, end = _own(tree)
        kind = cast(Literal["highest", "lowest", "share"], str(word))
        built, authority = self.expression(value[0]) if value else None, self.authority(end)
        return s.Criterion(self.span(tree), self.name(label), kind, built, authority, self.apparatus(tree))

    def unit_fork(self, tree: Tree[Token]) -> s.ForkDeclaration:
        (name,) = _tokens(tree, "NAME")
        readings = tuple(self.reading(part) for part in _all(tree, "reading"))
        default = _only(tree, "default")
        self.unclaimed(self.authority(_only(default, "line_end")))
        chosen, reason = _tokens(default, "NAME", "STRING")
        authority = self.authority(_only(tree, "line_end"))
        return s.ForkDeclaration(
            self.span(tree), self.name(name), readings, self.name(chosen), _text(reason), authority
        )

    def reading(self, tree: Tree[Token]) -> s.Reading:
        label, text = _tokens(tree, "LABEL", "STRING")
        return s.Reading(self.span(tree), self.name(label), _text(text), self.authority(_only(tree, "line_end")))

    def unit_terms(self, tree: Tree[Token]) -> s.TermsDeclaration:
        end, *terms = _trees(tree)
        authority = self.authority(end)
        self.unclaimed(authority)
        return s.TermsDeclaration(
            self.span(tree), tuple(self.term(part) for part in terms), _nothing_written(authority)
        )

    def term(self, tree: Tree[Token]) -> s.Term:
        lines = _all(tree, "term_line")
        for line in lines:
            self.unclaimed(self.authority(_only(line, "line_end")))
        words = [word for part in (lines or [tree]) for word in _all(part, "term_word")]
        name = self.thing(_only(tree, "thing"))
        built = tuple(self.term_word(word) for word in words)
        return s.Term(self.span(tree), name, built, self.authority(_only(tree, "line_end")))

    def thing(self, tree: Tree[Token]) -> Identifier:
        parts = [part for part in tree.children if isinstance(part, Token) and part != ":"]
        names = self.names(parts)
        return Identifier("".join(names), names[0].span.to(names[-1].span))

    def term_word(self, tree: Tree[Token]) -> s.TermWord:
        language, text = _tokens(tree, "NAME", "STRING")
        return s.TermWord(self.span(tree), self.name(language), _text(text))

    def parameters(self, tree: Tree[Token]) -> tuple[s.Parameter, ...]:
        groups = _all(tree, "parameters")
        parts = _trees(groups[0]) if groups else []
        for part in parts:
            self.declared(_tokens(part, "LABEL")[0])
        return tuple(self.parameter(part) for part in parts)

    def parameter(self, tree: Tree[Token]) -> s.Parameter:
        (label,) = _tokens(tree, "LABEL")
        return s.Parameter(self.span(tree), self.name(label), self.type(_trees(tree)[0]))

    # ---- examples -----------------------------------------------------------------------------------------------

    def unit_example(self, tree: Tree[Token]) -> s.ExampleDeclaration:
        (name,) = _tokens(tree, "NAME")
        end, *checks = _trees(tree)
        built: list[s.Check] = [getattr(self, f"check_{part.data}")(part) for part in checks]
        return s.ExampleDeclaration(self.span(tree), self.name(name), tuple(built), self.authority(end))

    def check_cast(self, tree: Tree[Token]) -> s.Cast:
        names = _tokens(tree, "NAME")
        self._bare(tree)
        return s.Cast(self._until(tree, names[-1]), self.names(names))

    def check_taken(self, tree: Tree[Token]) -> s.Taken:
        (name,) = _tokens(tree, "NAME")
        value = self.expression(_trees(tree)[0])
        self._bare(tree)
        return s.Taken(self._until(tree, value), self.name(name), value)

    def check_given(self, tree: Tree[Token]) -> s.Given:
        body, authority = self.block(_trees(tree)[0])
        self.unclaimed(authority)
        return s.Given(self.span(tree), body)

    def check_after(self, tree: Tree[Token]) -> s.After:
        player, move = self._move(tree)
        self._bare(tree)
        return s.After(self._until(tree, move), player, move)

    def check_after_chance(self, tree: Tree[Token]) -> s.AfterChance:
        value = self.expression(_trees(tree)[0])
        self._bare(tree)
        return s.AfterChance(self._until(tree, value), value)

    def check_allow(self, tree: Tree[Token]) -> s.Allow:
        player, move = self._move(tree)
        return s.Allow(self.span(tree), player, move, self.authority(_only(tree, "line_end")))

    def check_refuse(self, tree: Tree[Token]) -> s.Refuse:
        player, move = self._move(tree)
        return s.Refuse(self.span(tree), player, move, self.path(tree), self.authority(_only(tree, "line_end")))

    def check_expect(self, tree: Tree[Token]) -> s.Expect:
        value, end = _trees(tree)
        return s.Expect(self.span(tree), self.expression(value), self.authority(end))

    def _move(self, tree: Tree[Token]) -> tuple[Identifier, s.Call]:
        (player,) = _tokens(tree, "NAME")
        move = _only(tree, "move_made")
        return self.name(player), s.Call(
            self.span(move), self.dotted(_tokens(_only(move, "dotted"))), self.arguments(move)
        )

    def _bare(self, tree: Tree[Token]) -> None:
        self.unclaimed(self.authority(_only(tree, "line_end")))

    def _until(self, tree: Tree[Token], last: s.Node | Token) -> Span:
        return self.span(tree).to(self.span(last) if isinstance(last, Token) else last.span)

    # ---- the apparatus ------------------------------------------------------------------------------------------

    def apparatus(self, tree: Tree[Token]) -> tuple[s.Entry, ...]:
        """Return the entries of a clause's apparatus from its tree."""
        built: list[s.Entry] = []
        for part in _trees(tree):
            if part.data in _MARKS:
                built.append(getattr(self, f"entry_{part.data}")(part))
            elif part.data in _VARIANTS:
                body, authority = getattr(self, f"entry_{part.data}")(part)
                built.append(s.Variant(self.span(part), self.sigla(part), body, authority))
        return tuple(built)

    def sigla(self, tree: Tree[Token]) -> tuple[Identifier, ...]:
        (part,) = _all(tree, "sigla")
        return self.names(_tokens(part, "NAME", "LABEL"))

    def entry_omission(self, tree: Tree[Token]) -> s.Omission:
        sigla = self.names(_tokens(tree, "NAME"))
        return s.Omission(self.span(tree), sigla, self.authority(_only(tree, "line_end")))

    def entry_ruled(self, tree: Tree[Token]) -> s.Ruled:
        (reason,) = _tokens(tree, "STRING")
        return s.Ruled(self.span(tree), self.sigla(tree), _text(reason), self.authority(_only(tree, "line_end")))

    def entry_order(self, tree: Tree[Token]) -> s.Order:
        labels = self.names(_tokens(tree, "NAME"))
        return s.Order(self.span(tree), self.sigla(tree), labels, self.authority(_only(tree, "line_end")))

    def entry_value_variant_line(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        value, end = _without_sigla(tree)
        built = self.expression(value)
        return s.ValueBody(built.span, (), built, ()), self.authority(end)

    def entry_value_variant_block(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        lets, value, more = self.value_block(tree)
        first = (*lets, value)[0]
        body = s.ValueBody(first.span.to(value.span), lets, value, ())
        return body, _join(self.authority(_only(tree, "line_end")), more)

    def entry_step_variant(self, tree: Tree[Token]) -> Authorised:
        (body,) = _without_sigla(tree)
        return self.body(body)

    def entry_note_variant(self, tree: Tree[Token]) -> tuple[s.NoteDeclaration, s.Authority]:
        *value, end = _without_sigla(tree)
        texts = _tokens(tree, "STRING")
        built = self.expression(value[0]) if value else None
        place = built.span if built else self.span(texts[0])
        text = _text(texts[0]) if texts else None
        # A variant has no name and no authority of its own: those of its entry count.
        return s.NoteDeclaration(place, _unnamed(place), built, text, s.Authority(_end_of(place))), self.authority(end)

    def entry_criterion_variant(self, tree: Tree[Token]) -> tuple[s.Criterion, s.Authority]:
        (word,) = _tokens(tree, "HIGHEST", "LOWEST", "SHARE")
        *value, end = _without_sigla(tree)
        kind = cast(Literal["highest", "lowest", "share"], str(word))
        built = self.expression(value[0]) if value else None
        place = self.span(word).to(built.span if built else self.span(word))
        return s.Criterion(place, _unnamed(place), kind, built, s.Authority(_end_of(place))), self.authority(end)

    def entry_value_exception_variant(self, tree: Tree[Token]) -> tuple[s.ValueException, s.Authority]:
        *value, condition, end = _without_sigla(tree)
        built, authority = self.expression(value[0]) if value else None, self.authority(end)
        return s.ValueException(
            self.span(tree), _unnamed(self.span(tree)), built, self.expression(condition), _nothing_written(authority)
        ), authority

    def entry_step_exception_variant(self, tree: Tree[Token]) -> tuple[s.StepException, s.Authority]:
        *simple, condition, end = _without_sigla(tree)
        statement, authority = self.simple(simple[0]) if simple else None, self.authority(end)
        return s.StepException(
            self.span(tree),
            _unnamed(self.span(tree)),
            statement,
            self.expression(condition),
            _nothing_written(authority),
        ), authority

    # ---- types --------------------------------------------------------------------------------------------------

    def type(self, tree: Tree[Token]) -> s.TypeExpression:
        if tree.data == "range":
            return self.range_type(tree)
        if tree.data == "collection_type":
            kind = cast(Literal["set", "bag", "list"], str(tree.children[0]).split()[0])
            of, *most = _trees(tree)
            return s.CollectionType(self.span(tree), kind, self.type(of), self.expression(most[0]) if most else None)
        (name,) = _tokens(tree, "TNAME")
        named = s.NamedType(self.span(name), self.name(name))
        return named if tree.data == "named_type" else s.OptionalType(self.span(tree), named)

    def range_type(self, tree: Tree[Token]) -> s.RangeType:
        low, high = _trees(tree)
        return s.RangeType(self.span(tree), self.expression(low), self.expression(high))

    # ---- expressions --------------------------------------------------------------------------------------------

    def expression(self, tree: Tree[Token]) -> s.Expression:
        if tree.data in _OPERATIONS:
            return _OPERATIONS[tree.data](self.span(tree), *self._operands(tree))
        node: s.Expression = getattr(self, f"expression_{tree.data}")(tree)
        return node

    def _operands(self, tree: Tree[Token]) -> list[s.Expression]:
        return [self.expression(part) for part in _trees(tree)]

    def expression_integer(self, tree: Tree[Token]) -> s.Integer:
        return s.Integer(self.span(tree), self.integer(cast(Token, tree.children[-1])))

    def expression_negative_integer(self, tree: Tree[Token]) -> s.Integer:
        return s.Integer(self.span(tree), -self.integer(cast(Token, tree.children[-1])))

    def expression_boolean(self, tree: Tree[Token]) -> s.Boolean:
        return s.Boolean(self.span(tree), tree.children[0] == "true")

    def expression_none(self, tree: Tree[Token]) -> s.NoneLiteral:
        return s.NoneLiteral(self.span(tree))

    def expression_name(self, tree: Tree[Token]) -> s.Name:
        (name,) = _tokens(tree, "NAME")
        return s.Name(self.span(tree), self.name(name), self.arguments(tree), bool(_tokens(tree, "MY")))

    def expression_type_name(self, tree: Tree[Token]) -> s.TypeName:
        (name,) = _tokens(tree, "TNAME")
        return s.TypeName(self.span(tree), self.name(name), self.arguments(tree))

    def expression_optional_type_name(self, tree: Tree[Token]) -> s.TypeName:
        return s.TypeName(self.span(tree), self.name(cast(Token, tree.children[0])), optional=True)

    def expression_can(self, tree: Tree[Token]) -> s.Can:
        (name,) = _tokens(tree, "NAME")
        return s.Can(self.span(tree), self.name(name), self.arguments(tree))

    def expression_set_literal(self, tree: Tree[Token]) -> s.SetLiteral:
        return s.SetLiteral(self.span(tree), tuple(self._operands(tree)))

    def expression_dot(self, tree: Tree[Token]) -> s.Dot:
        (operand,) = self._operands(tree)
        return s.Dot(self.span(tree), operand, self.name(cast(Token, tree.children[-1])))

    def expression_binary(self, tree: Tree[Token]) -> s.Binary:
        left, right = self._operands(tree)
        operator = _words(tree.children[1]) if len(tree.children) > 2 else str(tree.data)
        return s.Binary(self.span(tree), cast(s.BinaryOperator, operator), left, right)

    expression_implies = expression_or = expression_and = expression_compare = expression_arithmetic = expression_binary

    def expression_is_empty(self, tree: Tree[Token]) -> s.IsEmpty:
        (operand,) = self._operands(tree)
        return s.IsEmpty(self.span(tree), operand, bool(_tokens(tree, "IS_FILLED")))

    def expression_quantified(self, tree: Tree[Token]) -> s.Quantified:
        kind = cast(Literal["some", "every", "no"], str(tree.children[0]))
        has = self.expression(_trees(tree)[-1])
        return s.Quantified(self.span(tree), kind, self.generators(tree), self.where(tree), has)

    def expression_count(self, tree: Tree[Token]) -> s.Count:
        return s.Count(self.span(tree), self.generators(tree), self.where(tree))

    def expression_pick(self, tree: Tree[Token]) -> s.Pick:
        kind = cast(Literal["the", "first"], str(tree.children[0]))
        (generator,) = self.generators(tree)
        return s.Pick(self.span(tree), kind, generator, self.where(tree), self.where(tree, "otherwise"))

    def expression_aggregate(self, tree: Tree[Token]) -> s.Aggregate:
        kind = cast(Literal["sum", "max", "min", "set", "bag", "list"], str(tree.children[0]))
        value = self.expression(_trees(tree)[0])
        where, otherwise = self.where(tree), self.where(tree, "otherwise")
        return s.Aggregate(self.span(tree), kind, value, self.generators(tree), where, otherwise)

    def expression_extremum(self, tree: Tree[Token]) -> s.Extremum:
        kind = cast(Literal["max", "min"], str(tree.children[0]))
        return s.Extremum(self.span(tree), kind, tuple(self._operands(tree)))

    def where(self, tree: Tree[Token], kind: str = "where") -> s.Expression | None:
        parts = _all(tree, kind)
        return self.expression(_trees(parts[0])[0]) if parts else None

    def generators(self, tree: Tree[Token]) -> tuple[s.Generator, ...]:
        return tuple(self.generator(part) for part in _all(tree, "generator"))

    def generator(self, tree: Tree[Token]) -> s.Generator:
        name, word = _tokens(tree, "NAME", "IN", "WITHIN")
        domain = self.expression(_trees(tree)[0])
        return s.Generator(self.span(tree), self.name(name), domain, word.type == "WITHIN")

    def arguments(self, tree: Tree[Token]) -> tuple[s.Argument, ...] | None:
        """Return the arguments of a name; None if it has no brackets."""
        groups = _all(tree, "arguments")
        return tuple(self.argument(part) for part in _trees(groups[0])) if groups else None

    def argument(self, tree: Tree[Token]) -> s.Argument:
        labels = _tokens(tree, "LABEL")
        label = self.name(labels[0]) if labels else None
        return s.Argument(self.span(tree), label, self.expression(_trees(tree)[0]))

    # ---- values -------------------------------------------------------------------------------------------------

    def value_body(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        """Return a body and its authority, which may be on its first or its last line."""
        exceptions = tuple(self.value_exception(part) for part in _all(tree, "value_exception"))
        authority, entries = self.authority(_only(tree, "line_end")), self.apparatus(tree)
        if tree.data == "value_line":
            value = self.expression(_trees(tree)[0])
            last = (value, *entries, *exceptions)[-1]
            return s.ValueBody(value.span.to(last.span), (), value, exceptions, entries), authority
        lets, block_value, more = self.value_block(tree)
        parts = (*lets, block_value, *entries, *exceptions)
        body = s.ValueBody(parts[0].span.to(parts[-1].span), lets, block_value, exceptions, entries)
        return body, _join(authority, more)

    def value_block(self, tree: Tree[Token]) -> tuple[tuple[s.Let, ...], s.Expression | s.ValueMatch, s.Authority]:
        lets = tuple(self.let(part) for part in _all(tree, "let"))
        last = _first(_all(tree, "value_last"))
        if last is not None:
            value, end = _trees(last)
            return lets, self.expression(value), self.authority(end)
        match = _only(tree, "value_match")
        subject, end, *arms = _trees(match)
        built = tuple(self.value_arm(arm) for arm in arms)
        node = s.ValueMatch(self.span(match).to(built[-1].span), self.expression(subject), built)
        return lets, node, self.authority(end)

    def let(self, tree: Tree[Token]) -> s.Let:
        node, authority = self.statement_let(tree)
        self.unclaimed(authority)
        return node

    def value_arm(self, tree: Tree[Token]) -> s.ValueArm:
        patterns = self.patterns(tree)
        authority, entries = self.authority(_only(tree, "line_end")), self.apparatus(tree)
        if tree.data == "value_arm_line":
            value = self.expression(_own(tree)[-2])
            body = s.ValueBody(value.span.to((value, *entries)[-1].span), (), value, (), entries)
        else:
            lets, block_value, more = self.value_block(tree)
            parts = (*lets, block_value, *entries)
            body = s.ValueBody(parts[0].span.to(parts[-1].span), lets, block_value, (), entries)
            authority = _join(authority, more)
        return s.ValueArm(self.span(tree), patterns, body, authority)

    def value_exception(self, tree: Tree[Token]) -> s.ValueException:
        (label,) = _tokens(tree, "LABEL")
        *value, condition, end = _own(tree)
        built, entries = self.expression(value[0]) if value else None, self.apparatus(tree)
        return s.ValueException(
            self.span(tree), self.name(label), built, self.expression(condition), self.authority(end), entries
        )

    def patterns(self, tree: Tree[Token]) -> tuple[s.Pattern, ...]:
        return tuple(self.pattern(part) for part in _trees(tree) if part.data.endswith("_pattern"))

    def pattern(self, tree: Tree[Token]) -> s.Pattern:
        span = self.span(tree)
        if tree.data == "otherwise_pattern":
            return s.Pattern(span, "otherwise")
        if tree.data in ("number_pattern", "range_pattern"):
            ends = [cast(s.Integer, self.expression(part)).value for part in _trees(tree)]
            # A single number is both ends of its range.
            return s.Pattern(span, "number", low=ends[0], high=ends[-1])
        name, *binds = self.names(_tokens(tree))
        return s.Pattern(span, "name", name, tuple(binds))

    # ---- statements ---------------------------------------------------------------------------------------------

    def statement(self, tree: Tree[Token]) -> Authorised:
        """Return a statement, and the authority at the end of its first line if the statement's node does not keep
        it."""
        built: Authorised = getattr(self, f"statement_{tree.data}")(tree)
        return built

    def simple(self, tree: Tree[Token]) -> s.Statement:
        node: s.Statement = getattr(self, f"simple_{tree.data}")(tree)
        return node

    def statements(self, trees: Sequence[Tree[Token]], place: Span) -> s.Block:
        """Return a block of statements. place: its span if there are none."""
        built: list[s.Statement] = []
        for tree in trees:
            node, authority = self.statement(tree)
            self.unclaimed(authority)
            self._look_for_colon(node, built)
            built.append(node)
        span = built[0].span.to(built[-1].span) if built else _end_of(place)
        return s.Block(span, tuple(built))

    def _look_for_colon(self, node: s.Statement, before: Sequence[s.Statement]) -> None:
        """Report `else:` and `repeat:`, which the grammar reads as labels, and which authors hardly ever mean so."""
        if not isinstance(node, s.Clause):
            return
        last = before[-1] if before else None
        # The `if` before may have a label.
        then = last.body if isinstance(last, s.Clause) else last
        if (node.label == "else" and isinstance(then, s.If)) or (
            node.label in ("repeat", "choose", "may") and isinstance(node.body, s.Block)
        ):
            self.diagnostics.append(reports.label_for_word(node.label, node.span.head))

    def block(self, tree: Tree[Token]) -> tuple[s.Block, s.Authority]:
        end, *statements = _own(tree)
        authority = self.authority(end)
        return self.statements(statements, authority.span), authority

    def body(self, tree: Tree[Token]) -> Authorised:
        """Return the body of a line: a block, a step, or a compound statement."""
        return self.block(tree) if tree.data == "block" else self.statement(tree)

    def statement_step(self, tree: Tree[Token]) -> Authorised:
        simple, end = _trees(tree)
        return self.simple(simple), self.authority(end)

    def statement_let(self, tree: Tree[Token]) -> tuple[s.Let, s.Authority]:
        (name,) = _tokens(tree, "NAME")
        value, end = _trees(tree)
        built = self.expression(value)
        return s.Let(self._until(tree, built), self.name(name), built), self.authority(end)

    def statement_require(self, tree: Tree[Token]) -> Authorised:
        (label,) = _tokens(tree, "LABEL")
        body, authority = self.value_body(_trees(tree)[0])
        return s.Require(self.span(tree), self.name(label), body, authority), _nothing_written(authority)

    def statement_clause_line(self, tree: Tree[Token]) -> Authorised:
        (label,) = _tokens(tree, "LABEL")
        body, authority = self.body(_trees(tree)[0])
        below = _all(tree, "below")
        exceptions = tuple(self.step_exception(part) for group in below for part in _all(group, "step_exception"))
        entries = tuple(entry for group in below for entry in self.apparatus(group))
        node = s.Clause(self.span(tree), self.name(label), body, exceptions, authority, entries)
        return node, _nothing_written(authority)

    def statement_clause_block(self, tree: Tree[Token]) -> Authorised:
        (label,) = _tokens(tree, "LABEL")
        end, *parts = _own(tree)
        authority = self.authority(end)
        exceptions = tuple(self.step_exception(part) for part in parts if part.data == "step_exception")
        body = self.statements([part for part in parts if part.data != "step_exception"], authority.span)
        node = s.Clause(self.span(tree), self.name(label), body, exceptions, authority, self.apparatus(tree))
        return node, _nothing_written(authority)

    def step_exception(self, tree: Tree[Token]) -> s.StepException:
        (label,) = _tokens(tree, "LABEL")
        *simple, condition, end = _own(tree)
        statement = self.simple(simple[0]) if simple else None
        built, authority, entries = self.expression(condition), self.authority(end), self.apparatus(tree)
        return s.StepException(self.span(tree), self.name(label), statement, built, authority, entries)

    def statement_if(self, tree: Tree[Token]) -> Authorised:
        condition, then, *rest = _trees(tree)
        built = self.expression(condition)
        body, authority = self.body(then)
        otherwise = self.otherwise(_trees(rest[0])[0]) if rest else None
        span = self._until(tree, otherwise or body)
        return s.If(span, built, body, otherwise), authority

    def otherwise(self, tree: Tree[Token]) -> s.Statement:
        node, authority = self.body(tree)
        self.unclaimed(authority)
        return node

    def statement_match(self, tree: Tree[Token]) -> Authorised:
        subject, end, *arms = _trees(tree)
        built = tuple(self.arm(arm) for arm in arms)
        node = s.Match(self._until(tree, built[-1]), self.expression(subject), built)
        return node, self.authority(end)

    def statement_drawing(self, tree: Tree[Token]) -> Authorised:
        place, end, *rows = _trees(tree)
        built = tuple(self.drawn_row(row) for row in rows)
        return s.Drawing(self._until(tree, built[-1]), self.place(place), built), self.authority(end)

    def drawn_row(self, tree: Tree[Token]) -> s.DrawnRow:
        (signs,) = _tokens(tree, "STRING")
        self.unclaimed(self.authority(_only(tree, "line_end")))
        return s.DrawnRow(self.span(signs), _text(signs))

    def arm(self, tree: Tree[Token]) -> s.StepArm:
        if tree.data == "arm_line":
            body, authority = self.body(_own(tree)[-1])
        else:
            end, *statements = [part for part in _own(tree) if not part.data.endswith("_pattern")]
            authority = self.authority(end)
            body = self.statements(statements, authority.span)
        return s.StepArm(self.span(tree), self.patterns(tree), body, authority, self.apparatus(tree))

    def statement_each_player(self, tree: Tree[Token]) -> Authorised:
        order, block = _trees(tree)
        body, authority = self.block(block)
        return s.EachPlayer(self._until(tree, body), self.expression(order), body), authority

    def statement_each(self, tree: Tree[Token]) -> Authorised:
        body, authority = self.block(_trees(tree)[-1])
        node = s.Each(self._until(tree, body), self.generators(tree), self.where(tree), body)
        return node, authority

    def statement_all_players(self, tree: Tree[Token]) -> Authorised:
        body, authority = self.block(_trees(tree)[0])
        return s.AllPlayers(self._until(tree, body), body), authority

    def statement_as(self, tree: Tree[Token]) -> Authorised:
        player, block = _trees(tree)
        body, authority = self.block(block)
        return s.As(self._until(tree, body), self.expression(player), body), authority

    def statement_repeat(self, tree: Tree[Token]) -> Authorised:
        block, *until = _trees(tree)
        body, authority = self.block(block)
        if not until:
            return s.RepeatUntil(self._until(tree, body), body, None, s.Authority(_end_of(body.span))), authority
        condition, line_end = _trees(until[0])
        node = s.RepeatUntil(self.span(tree), body, self.expression(condition), self.authority(line_end))
        return node, authority

    def statement_repeat_times(self, tree: Tree[Token]) -> Authorised:
        count, block = _trees(tree)
        body, authority = self.block(block)
        return s.RepeatTimes(self._until(tree, body), self.expression(count), body), authority

    def statement_repeat_may(self, tree: Tree[Token]) -> Authorised:
        may, authority = self.statement_may(_trees(tree)[0])
        return s.RepeatMay(self._until(tree, may), may.body), authority

    def statement_may(self, tree: Tree[Token]) -> tuple[s.May, s.Authority]:
        body, authority = self.body(_trees(tree)[0])
        return s.May(self._until(tree, body), body), authority

    def statement_choose_branch(self, tree: Tree[Token]) -> Authorised:
        end, *branches = _trees(tree)
        built = tuple(cast(s.Clause, self.statement(branch)[0]) for branch in branches)
        return s.ChooseBranch(self._until(tree, built[-1]), built), self.authority(end)

    # ---- simple statements --------------------------------------------------------------------------------------

    def simple_may(self, tree: Tree[Token]) -> s.May:
        return s.May(self.span(tree), self.simple(_trees(tree)[0]))

    def simple_repeat_may(self, tree: Tree[Token]) -> s.RepeatMay:
        (may,) = _trees(tree)
        return s.RepeatMay(self.span(tree), self.simple_may(may).body)

    def simple_choose_value(self, tree: Tree[Token]) -> s.ChooseValue:
        return s.ChooseValue(self.span(tree), self.generators(tree), self.where(tree))

    def simple_choose_action(self, tree: Tree[Token]) -> s.ChooseAction:
        return s.ChooseAction(self.span(tree), tuple(self.simple_call(part) for part in _trees(tree)))

    def simple_random(self, tree: Tree[Token]) -> s.Random:
        (generator,) = self.generators(tree)
        return s.Random(self.span(tree), generator, self.where(tree))

    def simple_open_window(self, tree: Tree[Token]) -> s.OpenWindow:
        (name,) = _tokens(tree, "NAME")
        return s.OpenWindow(self.span(tree), self.name(name), self.arguments(tree))

    def simple_local_state(self, tree: Tree[Token]) -> s.LocalState:
        (label,) = _tokens(tree, "LABEL")
        type_tree, value = _trees(tree)
        return s.LocalState(self.span(tree), self.declared(label), self.type(type_tree), self.expression(value))

    def _assign(self, tree: Tree[Token], operator: Literal[":=", "+=", "-="]) -> s.Assign:
        place, value, *bound = _trees(tree)
        limit = self.expression(bound[0]) if bound else None
        return s.Assign(self.span(tree), operator, self.place(place), self.expression(value), limit)

    def simple_assign(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, ":=")

    def simple_add(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, "+=")

    def simple_subtract(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, "-=")

    def simple_fill(self, tree: Tree[Token]) -> s.Fill:
        place, value = _trees(tree)
        return s.Fill(self.span(tree), self.place(place), self.expression(value))

    def simple_shuffle(self, tree: Tree[Token]) -> s.Shuffle:
        return s.Shuffle(self.span(tree), self.place(_trees(tree)[0]))

    def simple_draw(self, tree: Tree[Token]) -> s.Draw:
        count, source, target = _trees(tree)
        return s.Draw(self.span(tree), self.expression(count), self.place(source), self.target(target))

    def simple_move(self, tree: Tree[Token]) -> s.Move:
        piece, *source, target = _trees(tree)
        place = self.place(source[0]) if source else None
        return s.Move(self.span(tree), self.expression(piece), place, self.target(target))

    def simple_move_all(self, tree: Tree[Token]) -> s.Move:
        source, target = _trees(tree)
        return s.Move(self.span(tree), None, self.place(source), self.target(target))

    def simple_put(self, tree: Tree[Token]) -> s.Put:
        piece, target = _trees(tree)
        return s.Put(self.span(tree), self.expression(piece), self.target(target))

    def simple_remove(self, tree: Tree[Token]) -> s.Remove:
        piece, source = _trees(tree)
        return s.Remove(self.span(tree), self.expression(piece), self.place(source))

    def simple_swap(self, tree: Tree[Token]) -> s.Swap:
        left, right = _trees(tree)
        return s.Swap(self.span(tree), self.place(left), self.place(right))

    def simple_call(self, tree: Tree[Token]) -> s.Call:
        (name,) = _tokens(tree, "NAME")
        return s.Call(self.span(tree), self.name(name), self.arguments(tree))

    def simple_end_game(self, tree: Tree[Token]) -> s.EndGame:
        return s.EndGame(self.span(tree))

    def simple_nothing(self, tree: Tree[Token]) -> s.Nothing:
        return s.Nothing(self.span(tree))

    def target(self, tree: Tree[Token]) -> s.Target:
        ends = _tokens(tree, "TOP_OF", "BOTTOM_OF")
        end = cast(Literal["top", "bottom"], str(ends[0]).split()[0]) if ends else None
        return s.Target(self.span(tree), self.place(_only(tree, "place")), end)

    def place(self, tree: Tree[Token]) -> s.Place:
        (name,) = _tokens(tree, "NAME")
        return s.Place(self.span(tree), self.name(name), self.arguments(tree), bool(_tokens(tree, "MY")))


# ---- reading Lark's trees -------------------------------------------------------------------------------------------


def _trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [part for part in tree.children if isinstance(part, Tree)]


def _tokens(tree: Tree[Token], *kinds: str) -> list[Token]:
    return [part for part in tree.children if isinstance(part, Token) and (not kinds or part.type in kinds)]


def _all(tree: Tree[Token], kind: str) -> list[Tree[Token]]:
    return [part for part in _trees(tree) if part.data == kind]


_MARKS = frozenset({"omission", "ruled", "order"})
_VARIANTS = frozenset({
    "value_variant_line", "value_variant_block", "step_variant", "note_variant", "criterion_variant",
    "value_exception_variant", "step_exception_variant",
})  # fmt: skip


def _own(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the parts of a clause's tree without its apparatus."""
    return [part for part in _trees(tree) if part.data not in _MARKS | _VARIANTS]


def _without_sigla(tree: Tree[Token]) -> list[Tree[Token]]:
    return [part for part in _trees(tree) if part.data != "sigla"]


def _only(tree: Tree[Token], kind: str) -> Tree[Token]:
    (part,) = _all(tree, kind)
    return part


def _first(items: Sequence[_T]) -> _T | None:
    return items[0] if items else None


def _words(part: Any) -> str:
    """Return a fixed pair of words with a single space."""
    return " ".join(str(part).split())


def _text(token: Token) -> str:
    return _ESCAPE.sub(r"\1", token[1:-1])


def _unnamed(place: Span) -> Identifier:
    """Return the empty label of a variant."""
    return Identifier("", _end_of(place))


def _end_of(span: Span) -> Span:
    """Return the empty span right after a span."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def _nothing_written(authority: s.Authority) -> s.Authority:
    """Return an empty authority, for a statement whose node keeps its authority itself."""
    return s.Authority(authority.span)


def _join(first: s.Authority, second: s.Authority) -> s.Authority:
    """Return the authority of a body's first line and of its last line as one."""
    if not second:
        return first
    if not first:
        return second
    span = first.span.to(second.span)
    return s.Authority(span, first.citations + second.citations, first.reasons + second.reasons)
