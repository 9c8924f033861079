"""Builder of statements: steps, choices, loops, and changes of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from lark import Token, Tree

from .. import syntax as s
from ..lexer import reports
from ..source import Span
from .expression_builder import ExpressionBuilder
from .tree_reading import all_of, end_of, nothing_written, only, own_parts, string_text, tokens, trees

Authorised = tuple[s.Statement, s.Authority]
"""A statement, and the authority at the end of its line if the statement's node does not keep it."""


class StatementBuilder(ExpressionBuilder):
    """Builds statements."""

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
        span = built[0].span.to(built[-1].span) if built else end_of(place)
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
        end, *statements = own_parts(tree)
        authority = self.authority(end)
        return self.statements(statements, authority.span), authority

    def body(self, tree: Tree[Token]) -> Authorised:
        """Return the body of a line: a block, a step, or a compound statement."""
        return self.block(tree) if tree.data == "block" else self.statement(tree)

    def statement_step(self, tree: Tree[Token]) -> Authorised:
        simple, end = trees(tree)
        return self.simple(simple), self.authority(end)

    def statement_require(self, tree: Tree[Token]) -> Authorised:
        (label,) = tokens(tree, "LABEL")
        body, authority = self.value_body(trees(tree)[0])
        # The authority at the end of the line is that of the requirement, so none is left for the statement around
        # it.
        return s.Require(self.span(tree), self.name(label), body, authority), nothing_written(authority)

    def statement_clause_line(self, tree: Tree[Token]) -> Authorised:
        (label,) = tokens(tree, "LABEL")
        body, authority = self.body(trees(tree)[0])
        below = all_of(tree, "below")
        exceptions = tuple(self.step_exception(part) for group in below for part in all_of(group, "step_exception"))
        entries = tuple(entry for group in below for entry in self.apparatus(group))
        node = s.Clause(self.span(tree), self.name(label), body, exceptions, authority, entries)
        return node, nothing_written(authority)

    def statement_clause_block(self, tree: Tree[Token]) -> Authorised:
        (label,) = tokens(tree, "LABEL")
        end, *parts = own_parts(tree)
        authority = self.authority(end)
        exceptions = tuple(self.step_exception(part) for part in parts if part.data == "step_exception")
        body = self.statements([part for part in parts if part.data != "step_exception"], authority.span)
        node = s.Clause(self.span(tree), self.name(label), body, exceptions, authority, self.apparatus(tree))
        return node, nothing_written(authority)

    def step_exception(self, tree: Tree[Token]) -> s.StepException:
        (label,) = tokens(tree, "LABEL")
        *simple, condition, end = own_parts(tree)
        statement = self.simple(simple[0]) if simple else None
        built, authority, entries = self.expression(condition), self.authority(end), self.apparatus(tree)
        return s.StepException(self.span(tree), self.name(label), statement, built, authority, entries)

    def statement_if(self, tree: Tree[Token]) -> Authorised:
        condition, then, *rest = trees(tree)
        built = self.expression(condition)
        body, authority = self.body(then)
        otherwise = self.otherwise(trees(rest[0])[0]) if rest else None
        span = self.until(tree, otherwise or body)
        return s.If(span, built, body, otherwise), authority

    def otherwise(self, tree: Tree[Token]) -> s.Statement:
        node, authority = self.body(tree)
        self.unclaimed(authority)
        return node

    def statement_match(self, tree: Tree[Token]) -> Authorised:
        subject, end, *arms = trees(tree)
        built = tuple(self.arm(arm) for arm in arms)
        node = s.Match(self.until(tree, built[-1]), self.expression(subject), built)
        return node, self.authority(end)

    def statement_drawing(self, tree: Tree[Token]) -> Authorised:
        place, end, *rows = trees(tree)
        built = tuple(self.drawn_row(row) for row in rows)
        return s.Drawing(self.until(tree, built[-1]), self.place(place), built), self.authority(end)

    def drawn_row(self, tree: Tree[Token]) -> s.DrawnRow:
        (signs,) = tokens(tree, "STRING")
        self.unclaimed(self.authority(only(tree, "line_end")))
        return s.DrawnRow(self.span(signs), string_text(signs))

    def arm(self, tree: Tree[Token]) -> s.StepArm:
        if tree.data == "arm_line":
            body, authority = self.body(own_parts(tree)[-1])
        else:
            end, *statements = [part for part in own_parts(tree) if not part.data.endswith("_pattern")]
            authority = self.authority(end)
            body = self.statements(statements, authority.span)
        return s.StepArm(self.span(tree), self.patterns(tree), body, authority, self.apparatus(tree))

    def statement_each_player(self, tree: Tree[Token]) -> Authorised:
        order, block = trees(tree)
        body, authority = self.block(block)
        return s.EachPlayer(self.until(tree, body), self.expression(order), body), authority

    def statement_each(self, tree: Tree[Token]) -> Authorised:
        body, authority = self.block(trees(tree)[-1])
        node = s.Each(self.until(tree, body), self.generators(tree), self.where(tree), body)
        return node, authority

    def statement_all_players(self, tree: Tree[Token]) -> Authorised:
        body, authority = self.block(trees(tree)[0])
        return s.AllPlayers(self.until(tree, body), body), authority

    def statement_as(self, tree: Tree[Token]) -> Authorised:
        player, block = trees(tree)
        body, authority = self.block(block)
        return s.As(self.until(tree, body), self.expression(player), body), authority

    def statement_repeat(self, tree: Tree[Token]) -> Authorised:
        block, *until = trees(tree)
        body, authority = self.block(block)
        if not until:
            # Without `until` there is no line at the end that could have an authority.
            return s.RepeatUntil(self.until(tree, body), body, None, s.Authority(end_of(body.span))), authority
        condition, line_end = trees(until[0])
        node = s.RepeatUntil(self.span(tree), body, self.expression(condition), self.authority(line_end))
        return node, authority

    def statement_repeat_times(self, tree: Tree[Token]) -> Authorised:
        count, block = trees(tree)
        body, authority = self.block(block)
        return s.RepeatTimes(self.until(tree, body), self.expression(count), body), authority

    def statement_repeat_may(self, tree: Tree[Token]) -> Authorised:
        may, authority = self.statement_may(trees(tree)[0])
        return s.RepeatMay(self.until(tree, may), may.body), authority

    def statement_may(self, tree: Tree[Token]) -> tuple[s.May, s.Authority]:
        body, authority = self.body(trees(tree)[0])
        return s.May(self.until(tree, body), body), authority

    def statement_choose_branch(self, tree: Tree[Token]) -> Authorised:
        end, *branches = trees(tree)
        built = tuple(cast(s.Clause, self.statement(branch)[0]) for branch in branches)
        return s.ChooseBranch(self.until(tree, built[-1]), built), self.authority(end)

    # ---- simple statements --------------------------------------------------------------------------------------

    def simple_may(self, tree: Tree[Token]) -> s.May:
        return s.May(self.span(tree), self.simple(trees(tree)[0]))

    def simple_repeat_may(self, tree: Tree[Token]) -> s.RepeatMay:
        (may,) = trees(tree)
        return s.RepeatMay(self.span(tree), self.simple_may(may).body)

    def simple_choose_value(self, tree: Tree[Token]) -> s.ChooseValue:
        return s.ChooseValue(self.span(tree), self.generators(tree), self.where(tree))

    def simple_choose_action(self, tree: Tree[Token]) -> s.ChooseAction:
        return s.ChooseAction(self.span(tree), tuple(self.simple_call(part) for part in trees(tree)))

    def simple_random(self, tree: Tree[Token]) -> s.Random:
        (generator,) = self.generators(tree)
        return s.Random(self.span(tree), generator, self.where(tree))

    def simple_open_window(self, tree: Tree[Token]) -> s.OpenWindow:
        (name,) = tokens(tree, "NAME")
        return s.OpenWindow(self.span(tree), self.name(name), self.arguments(tree))

    def simple_local_state(self, tree: Tree[Token]) -> s.LocalState:
        (label,) = tokens(tree, "LABEL")
        type_tree, value = trees(tree)
        return s.LocalState(self.span(tree), self.declared(label), self.type(type_tree), self.expression(value))

    def _assign(self, tree: Tree[Token], operator: Literal[":=", "+=", "-="]) -> s.Assign:
        place, value, *bound = trees(tree)
        limit = self.expression(bound[0]) if bound else None
        return s.Assign(self.span(tree), operator, self.place(place), self.expression(value), limit)

    def simple_assign(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, ":=")

    def simple_add(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, "+=")

    def simple_subtract(self, tree: Tree[Token]) -> s.Assign:
        return self._assign(tree, "-=")

    def simple_fill(self, tree: Tree[Token]) -> s.Fill:
        place, value = trees(tree)
        return s.Fill(self.span(tree), self.place(place), self.expression(value))

    def simple_shuffle(self, tree: Tree[Token]) -> s.Shuffle:
        return s.Shuffle(self.span(tree), self.place(trees(tree)[0]))

    def simple_draw(self, tree: Tree[Token]) -> s.Draw:
        count, source, target = trees(tree)
        return s.Draw(self.span(tree), self.expression(count), self.place(source), self.target(target))

    def simple_move(self, tree: Tree[Token]) -> s.Move:
        piece, *source, target = trees(tree)
        place = self.place(source[0]) if source else None
        return s.Move(self.span(tree), self.expression(piece), place, self.target(target))

    def simple_move_all(self, tree: Tree[Token]) -> s.Move:
        source, target = trees(tree)
        return s.Move(self.span(tree), None, self.place(source), self.target(target))

    def simple_put(self, tree: Tree[Token]) -> s.Put:
        piece, target = trees(tree)
        return s.Put(self.span(tree), self.expression(piece), self.target(target))

    def simple_remove(self, tree: Tree[Token]) -> s.Remove:
        piece, source = trees(tree)
        return s.Remove(self.span(tree), self.expression(piece), self.place(source))

    def simple_swap(self, tree: Tree[Token]) -> s.Swap:
        left, right = trees(tree)
        return s.Swap(self.span(tree), self.place(left), self.place(right))

    def simple_call(self, tree: Tree[Token]) -> s.Call:
        (name,) = tokens(tree, "NAME")
        return s.Call(self.span(tree), self.name(name), self.arguments(tree))

    def simple_end_game(self, tree: Tree[Token]) -> s.EndGame:
        return s.EndGame(self.span(tree))

    def simple_nothing(self, tree: Tree[Token]) -> s.Nothing:
        return s.Nothing(self.span(tree))

    def target(self, tree: Tree[Token]) -> s.Target:
        ends = tokens(tree, "TOP_OF", "BOTTOM_OF")
        end = cast(Literal["top", "bottom"], str(ends[0]).split()[0]) if ends else None
        return s.Target(self.span(tree), self.place(only(tree, "place")), end)

    def place(self, tree: Tree[Token]) -> s.Place:
        (name,) = tokens(tree, "NAME")
        return s.Place(self.span(tree), self.name(name), self.arguments(tree), bool(tokens(tree, "MY")))
