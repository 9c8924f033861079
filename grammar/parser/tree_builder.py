"""Tree builder: turns Lark's parse tree into syntax nodes.

`Builder.unit` takes the tree of one unit (a header or a declaration) and returns its node. Faults that the grammar
lets pass are collected in `Builder.diagnostics`: an authority where no clause takes it, a citation whose lines make no
sense, a number beyond all measure, a reserved word declared through a label.

Nodes are built by the kind of a tree's children, not by their index alone, since optional parts leave no gap.
"""

from __future__ import annotations

from typing import Literal, cast

from lark import Token, Tree

from .. import syntax as s
from ..source import Identifier
from .statement_builder import Authorised, StatementBuilder
from .tree_reading import (
    all_of,
    end_of,
    first,
    joined_authority,
    nothing_written,
    only,
    own_parts,
    string_text,
    tokens,
    trees,
    unnamed,
    without_sigla,
)

_TYPE_KINDS = frozenset({"named_type", "optional_type", "range", "collection_type"})


class Builder(StatementBuilder):
    """Builds the nodes of one file."""

    def unit(self, tree: Tree[Token]) -> s.Header | s.Declaration:
        """Return the node of one unit. tree: the tree of the start rule."""
        (child,) = trees(tree)
        node: s.Header | s.Declaration = getattr(self, f"unit_{child.data}")(child)
        return node

    # ---- the header ---------------------------------------------------------------------------------------------

    def unit_game(self, tree: Tree[Token]) -> s.Header:
        (name,) = tokens(tree, "NAME")
        return self._header(tree, "game", self.name(name), None)

    def unit_part(self, tree: Tree[Token]) -> s.Header:
        name, of = tokens(tree, "NAME")
        return self._header(tree, "part", self.name(name), self.name(of))

    def unit_edition(self, tree: Tree[Token]) -> s.Header:
        (of,) = tokens(tree, "NAME")
        return self._header(tree, "edition", self.dotted(tokens(only(tree, "dotted"))), self.name(of))

    def _header(
        self, tree: Tree[Token], kind: Literal["game", "part", "edition"], name: Identifier, of: Identifier | None
    ) -> s.Header:
        entries = tuple(self.entry(entry) for entry in all_of(tree, "entry"))
        authority = self.authority(only(tree, "line_end"))
        return s.Header(self.span(tree), kind, name, of, entries, authority)

    def entry(self, tree: Tree[Token]) -> s.HeaderEntry:
        (label,) = tokens(tree, "LABEL")
        rows = [tree, *all_of(tree, "entry_row")]
        for row in rows:
            self.unclaimed(self.authority(only(row, "line_end")))
        values = [part for row in rows for part in trees(row) if part.data not in ("entry_row", "line_end")]
        built = tuple(self.header_value(value) for value in values)
        # Without the comments and ends of lines that the rule's own span includes, as reports underline the span.
        return s.HeaderEntry(self.span(label).to(built[-1].span), self.name(label), built)

    def header_value(self, tree: Tree[Token]) -> s.HeaderValue:
        tags, names = all_of(tree, "dotted"), tokens(tree, "NAME")
        texts, numbers = tokens(tree, "STRING"), tokens(tree, "INT")
        parts = tokens(tags[0]) if tags else names
        tag = self.dotted(parts) if parts else None
        text = string_text(texts[0]) if texts else None
        ends = [self.integer(token) for token in numbers]
        # A single number is both ends of its range.
        low, high = (ends[0], ends[-1]) if ends else (None, None)
        return s.HeaderValue(self.span(tree), tag, text, low, high)

    # ---- declarations -------------------------------------------------------------------------------------------

    def unit_text_declaration(self, tree: Tree[Token]) -> s.TextDeclaration:
        (name,) = tokens(tree, "NAME")
        entries = tuple(self.entry(entry) for entry in all_of(tree, "entry"))
        return s.TextDeclaration(self.span(tree), self.name(name), entries, self.authority(only(tree, "line_end")))

    def unit_type_declaration(self, tree: Tree[Token]) -> s.TypeDeclaration:
        (name,) = tokens(tree, "TNAME")
        body, end = trees(tree)
        return s.TypeDeclaration(self.span(tree), self.name(name), self.type_body(body), self.authority(end))

    def type_body(self, tree: Tree[Token]) -> s.WordsBody | s.RecordBody | s.RangeType:
        if tree.data == "range":
            return self.range_type(tree)
        if tree.data == "words":
            return s.WordsBody(self.span(tree), tuple(self.type_word(part) for part in trees(tree)))
        fields = tuple(self.parameter(part) for part in all_of(tree, "parameter"))
        rest = [part for part in trees(tree) if part.data != "parameter"]
        return s.RecordBody(self.span(tree), fields, self.expression(rest[0]) if rest else None)

    def type_word(self, tree: Tree[Token]) -> s.TypeWord:
        (name,) = tokens(tree, "NAME")
        fields = [self.parameter(part) for group in all_of(tree, "parameters") for part in trees(group)]
        return s.TypeWord(self.span(tree), self.name(name), tuple(fields))

    def unit_component(self, tree: Tree[Token]) -> s.ComponentDeclaration:
        (name,) = tokens(tree, "TNAME")
        files = tokens(tree, "STRING")
        columns = tuple(self.column(part) for part in all_of(tree, "column"))
        authority = self.authority(only(tree, "line_end"))
        file = Identifier(string_text(files[0]), self.span(files[0])) if files else None
        return s.ComponentDeclaration(self.span(tree), self.name(name), file, columns, authority)

    def column(self, tree: Tree[Token]) -> s.Column:
        (label,) = tokens(tree, "LABEL")
        type_tree, end = trees(tree)
        return s.Column(self.span(tree), self.name(label), self.type(type_tree), self.authority(end))

    def signature(self, tree: Tree[Token]) -> tuple[Identifier, tuple[s.TypeExpression, ...]]:
        labels = tokens(tree, "LABEL")
        name = self.declared(labels[0]) if labels else self.name(tokens(tree, "NAME")[0])
        return name, tuple(self.type(part) for part in trees(tree))

    def visibility(self, tree: Tree[Token]) -> s.Visibility | None:
        words = tokens(tree, "OPEN", "PRIVATE", "HIDDEN")
        return cast(s.Visibility, str(words[0])) if words else None

    def unit_zone(self, tree: Tree[Token]) -> s.ZoneDeclaration:
        signature, shape, end = trees(tree)
        name, indices = self.signature(signature)
        of, *most = trees(shape)
        kind = cast(Literal["pile", "bag", "one"], shape.data)
        visibility = self.visibility(tree)
        bound = self.expression(most[0]) if most else None
        return s.ZoneDeclaration(
            self.span(tree), name, indices, kind, self.type(of), bound, visibility, self.authority(end)
        )  # fmt: skip

    def unit_state(self, tree: Tree[Token]) -> s.StateDeclaration:
        signature, type_tree, *initial, end = trees(tree)
        name, indices = self.signature(signature)
        value = self.expression(initial[0]) if initial else None
        of = self.type(type_tree)
        return s.StateDeclaration(
            self.span(tree), name, indices, of, value, self.visibility(tree), self.authority(end)
        )  # fmt: skip

    def unit_option(self, tree: Tree[Token]) -> s.OptionDeclaration:
        (label,) = tokens(tree, "LABEL")
        type_tree, default, end = trees(tree)
        name = self.declared(label)
        of, value = self.type(type_tree), self.expression(default)
        return s.OptionDeclaration(self.span(tree), name, of, value, self.authority(end))

    def unit_window_declaration(self, tree: Tree[Token]) -> s.WindowDeclaration:
        (name,) = tokens(tree, "NAME")
        authority = self.authority(only(tree, "line_end"))
        return s.WindowDeclaration(self.span(tree), self.name(name), self.parameters(tree), authority)

    def unit_refill(self, tree: Tree[Token]) -> s.RefillDeclaration:
        place, source, end = own_parts(tree)
        entries = self.apparatus(tree)
        return s.RefillDeclaration(self.span(tree), self.place(place), self.place(source), self.authority(end), entries)

    def unit_value_declaration(self, tree: Tree[Token]) -> s.ValueDeclaration:
        kind = cast(Literal["fact", "define"], str(tree.children[0]))
        labels = tokens(tree, "LABEL")
        name = self.declared(labels[0]) if labels else self.name(tokens(tree, "NAME")[0])
        types = [self.type(part) for part in trees(tree) if part.data in _TYPE_KINDS]
        cycles = [self.expression(trees(part)[0]) for part in all_of(tree, "cycle")]
        body, authority = self.value_body(trees(tree)[-1])
        return s.ValueDeclaration(
            self.span(tree), kind, name, self.parameters(tree), first(types), first(cycles), body, authority
        )

    def unit_note(self, tree: Tree[Token]) -> s.NoteDeclaration:
        labels, texts = tokens(tree, "LABEL"), tokens(tree, "STRING")
        name = self.name(labels[0]) if labels else self.name(tokens(tree, "NAME")[0])
        *value, end = own_parts(tree)
        built = self.expression(value[0]) if value else None
        text = string_text(texts[0]) if texts else None
        return s.NoteDeclaration(self.span(tree), name, built, text, self.authority(end), self.apparatus(tree))

    def unit_silence(self, tree: Tree[Token]) -> s.SilentDeclaration:
        return s.SilentDeclaration(self.span(tree), self.path(tree), self.authority(only(tree, "line_end")))

    def unit_action(self, tree: Tree[Token]) -> s.ActionDeclaration:
        (name,) = tokens(tree, "NAME")
        authority = self.authority(only(tree, "line_end"))
        statements = [part for part in own_parts(tree) if part.data not in ("parameters", "during", "line_end")]
        windows = all_of(tree, "during")
        during = self.name(tokens(windows[0], "NAME")[0]) if windows else None
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
        (label,) = tokens(tree, "LABEL")
        body, authority = self.value_body(trees(tree)[0])
        return s.ScoreDeclaration(self.span(tree), self.name(label), body, authority)

    def unit_invariant(self, tree: Tree[Token]) -> s.InvariantDeclaration:
        (label,) = tokens(tree, "LABEL")
        body, authority = self.value_body(trees(tree)[0])
        return s.InvariantDeclaration(self.span(tree), self.name(label), body, authority)

    def unit_winner(self, tree: Tree[Token]) -> s.WinnerDeclaration:
        end, *criteria = trees(tree)
        built = tuple(self.criterion(part) for part in criteria)
        return s.WinnerDeclaration(self.span(tree), built, self.authority(end))

    def criterion(self, tree: Tree[Token]) -> s.Criterion:
        label, word = tokens(tree, "LABEL", "HIGHEST", "LOWEST", "SHARE")
        *value, end = own_parts(tree)
        kind = cast(Literal["highest", "lowest", "share"], str(word))
        built, authority = self.expression(value[0]) if value else None, self.authority(end)
        return s.Criterion(self.span(tree), self.name(label), kind, built, authority, self.apparatus(tree))

    def unit_fork(self, tree: Tree[Token]) -> s.ForkDeclaration:
        (name,) = tokens(tree, "NAME")
        readings = tuple(self.reading(part) for part in all_of(tree, "reading"))
        default = only(tree, "default")
        self.unclaimed(self.authority(only(default, "line_end")))
        chosen, reason = tokens(default, "NAME", "STRING")
        authority = self.authority(only(tree, "line_end"))
        return s.ForkDeclaration(
            self.span(tree), self.name(name), readings, self.name(chosen), string_text(reason), authority
        )

    def reading(self, tree: Tree[Token]) -> s.Reading:
        label, text = tokens(tree, "LABEL", "STRING")
        return s.Reading(self.span(tree), self.name(label), string_text(text), self.authority(only(tree, "line_end")))

    def unit_terms(self, tree: Tree[Token]) -> s.TermsDeclaration:
        end, *terms = trees(tree)
        authority = self.authority(end)
        self.unclaimed(authority)
        return s.TermsDeclaration(self.span(tree), tuple(self.term(part) for part in terms), nothing_written(authority))

    def term(self, tree: Tree[Token]) -> s.Term:
        lines = all_of(tree, "term_line")
        for line in lines:
            self.unclaimed(self.authority(only(line, "line_end")))
        words = [word for part in (lines or [tree]) for word in all_of(part, "term_word")]
        name = self.thing(only(tree, "thing"))
        built = tuple(self.term_word(word) for word in words)
        return s.Term(self.span(tree), name, built, self.authority(only(tree, "line_end")))

    def thing(self, tree: Tree[Token]) -> Identifier:
        parts = [part for part in tree.children if isinstance(part, Token) and part != ":"]
        names = self.names(parts)
        return Identifier("".join(names), names[0].span.to(names[-1].span))

    def term_word(self, tree: Tree[Token]) -> s.TermWord:
        language, text = tokens(tree, "NAME", "STRING")
        return s.TermWord(self.span(tree), self.name(language), string_text(text))

    def parameters(self, tree: Tree[Token]) -> tuple[s.Parameter, ...]:
        groups = all_of(tree, "parameters")
        parts = trees(groups[0]) if groups else []
        for part in parts:
            self.declared(tokens(part, "LABEL")[0])
        return tuple(self.parameter(part) for part in parts)

    def parameter(self, tree: Tree[Token]) -> s.Parameter:
        (label,) = tokens(tree, "LABEL")
        return s.Parameter(self.span(tree), self.name(label), self.type(trees(tree)[0]))

    # ---- examples -----------------------------------------------------------------------------------------------

    def unit_example(self, tree: Tree[Token]) -> s.ExampleDeclaration:
        (name,) = tokens(tree, "NAME")
        end, *checks = trees(tree)
        built: list[s.Check] = [getattr(self, f"check_{part.data}")(part) for part in checks]
        return s.ExampleDeclaration(self.span(tree), self.name(name), tuple(built), self.authority(end))

    def check_cast(self, tree: Tree[Token]) -> s.Cast:
        names = tokens(tree, "NAME")
        self._bare(tree)
        return s.Cast(self.until(tree, names[-1]), self.names(names))

    def check_taken(self, tree: Tree[Token]) -> s.Taken:
        (name,) = tokens(tree, "NAME")
        value = self.expression(trees(tree)[0])
        self._bare(tree)
        return s.Taken(self.until(tree, value), self.name(name), value)

    def check_given(self, tree: Tree[Token]) -> s.Given:
        body, authority = self.block(trees(tree)[0])
        self.unclaimed(authority)
        return s.Given(self.span(tree), body)

    def check_after(self, tree: Tree[Token]) -> s.After:
        player, move = self._move(tree)
        self._bare(tree)
        return s.After(self.until(tree, move), player, move)

    def check_after_chance(self, tree: Tree[Token]) -> s.AfterChance:
        value = self.expression(trees(tree)[0])
        self._bare(tree)
        return s.AfterChance(self.until(tree, value), value)

    def check_allow(self, tree: Tree[Token]) -> s.Allow:
        player, move = self._move(tree)
        return s.Allow(self.span(tree), player, move, self.authority(only(tree, "line_end")))

    def check_refuse(self, tree: Tree[Token]) -> s.Refuse:
        player, move = self._move(tree)
        return s.Refuse(self.span(tree), player, move, self.path(tree), self.authority(only(tree, "line_end")))

    def check_expect(self, tree: Tree[Token]) -> s.Expect:
        value, end = trees(tree)
        return s.Expect(self.span(tree), self.expression(value), self.authority(end))

    def _move(self, tree: Tree[Token]) -> tuple[Identifier, s.Call]:
        (player,) = tokens(tree, "NAME")
        move = only(tree, "move_made")
        return self.name(player), s.Call(
            self.span(move), self.dotted(tokens(only(move, "dotted"))), self.arguments(move)
        )

    def _bare(self, tree: Tree[Token]) -> None:
        self.unclaimed(self.authority(only(tree, "line_end")))

    # ---- the apparatus

    def entry_omission(self, tree: Tree[Token]) -> s.Omission:
        sigla = self.names(tokens(tree, "NAME"))
        return s.Omission(self.span(tree), sigla, self.authority(only(tree, "line_end")))

    def entry_ruled(self, tree: Tree[Token]) -> s.Ruled:
        (reason,) = tokens(tree, "STRING")
        return s.Ruled(self.span(tree), self.sigla(tree), string_text(reason), self.authority(only(tree, "line_end")))

    def entry_order(self, tree: Tree[Token]) -> s.Order:
        labels = self.names(tokens(tree, "NAME"))
        return s.Order(self.span(tree), self.sigla(tree), labels, self.authority(only(tree, "line_end")))

    def entry_value_variant_line(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        value, end = without_sigla(tree)
        built = self.expression(value)
        return s.ValueBody(built.span, (), built, ()), self.authority(end)

    def entry_value_variant_block(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        lets, value, more = self.value_block(tree)
        first = (*lets, value)[0]
        body = s.ValueBody(first.span.to(value.span), lets, value, ())
        return body, joined_authority(self.authority(only(tree, "line_end")), more)

    def entry_step_variant(self, tree: Tree[Token]) -> Authorised:
        (body,) = without_sigla(tree)
        return self.body(body)

    def entry_note_variant(self, tree: Tree[Token]) -> tuple[s.NoteDeclaration, s.Authority]:
        *value, end = without_sigla(tree)
        texts = tokens(tree, "STRING")
        built = self.expression(value[0]) if value else None
        place = built.span if built else self.span(texts[0])
        text = string_text(texts[0]) if texts else None
        # A variant has no name and no authority of its own: those of its entry count.
        return s.NoteDeclaration(place, unnamed(place), built, text, s.Authority(end_of(place))), self.authority(end)

    def entry_criterion_variant(self, tree: Tree[Token]) -> tuple[s.Criterion, s.Authority]:
        (word,) = tokens(tree, "HIGHEST", "LOWEST", "SHARE")
        *value, end = without_sigla(tree)
        kind = cast(Literal["highest", "lowest", "share"], str(word))
        built = self.expression(value[0]) if value else None
        place = self.span(word).to(built.span if built else self.span(word))
        return s.Criterion(place, unnamed(place), kind, built, s.Authority(end_of(place))), self.authority(end)

    def entry_value_exception_variant(self, tree: Tree[Token]) -> tuple[s.ValueException, s.Authority]:
        *value, condition, end = without_sigla(tree)
        built, authority = self.expression(value[0]) if value else None, self.authority(end)
        return s.ValueException(
            self.span(tree), unnamed(self.span(tree)), built, self.expression(condition), nothing_written(authority)
        ), authority

    def entry_step_exception_variant(self, tree: Tree[Token]) -> tuple[s.StepException, s.Authority]:
        *simple, condition, end = without_sigla(tree)
        statement, authority = self.simple(simple[0]) if simple else None, self.authority(end)
        return s.StepException(
            self.span(tree),
            unnamed(self.span(tree)),
            statement,
            self.expression(condition),
            nothing_written(authority),
        ), authority
