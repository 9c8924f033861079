"""Builder of types, expressions and value bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, cast

from lark import Token, Tree

from .. import syntax as s
from .clause_builder import ClauseBuilder
from .tree_reading import all_of, first, fixed_words, joined_authority, only, own_parts, tokens, trees

_OPERATIONS: Mapping[str, Callable[..., s.Expression]] = {
    "interval": s.Interval, "negate": s.Negate, "not": s.Not, "conditional": s.Conditional, "top": s.Top,
}  # fmt: skip
"""The expressions that consist of their operands alone."""


class ExpressionBuilder(ClauseBuilder):
    """Builds types, expressions and value bodies."""

    # ---- types --------------------------------------------------------------------------------------------------

    def type(self, tree: Tree[Token]) -> s.TypeExpression:
        if tree.data == "range":
            return self.range_type(tree)
        if tree.data == "collection_type":
            kind = cast(Literal["set", "bag", "list"], str(tree.children[0]).split()[0])
            of, *most = trees(tree)
            return s.CollectionType(self.span(tree), kind, self.type(of), self.expression(most[0]) if most else None)
        (name,) = tokens(tree, "TNAME")
        named = s.NamedType(self.span(name), self.name(name))
        return named if tree.data == "named_type" else s.OptionalType(self.span(tree), named)

    def range_type(self, tree: Tree[Token]) -> s.RangeType:
        low, high = trees(tree)
        return s.RangeType(self.span(tree), self.expression(low), self.expression(high))

    # ---- expressions --------------------------------------------------------------------------------------------

    def expression(self, tree: Tree[Token]) -> s.Expression:
        if tree.data in _OPERATIONS:
            return _OPERATIONS[tree.data](self.span(tree), *self._operands(tree))
        node: s.Expression = getattr(self, f"expression_{tree.data}")(tree)
        return node

    def _operands(self, tree: Tree[Token]) -> list[s.Expression]:
        return [self.expression(part) for part in trees(tree)]

    def expression_integer(self, tree: Tree[Token]) -> s.Integer:
        return s.Integer(self.span(tree), self.integer(cast(Token, tree.children[-1])))

    def expression_negative_integer(self, tree: Tree[Token]) -> s.Integer:
        return s.Integer(self.span(tree), -self.integer(cast(Token, tree.children[-1])))

    def expression_boolean(self, tree: Tree[Token]) -> s.Boolean:
        return s.Boolean(self.span(tree), tree.children[0] == "true")

    def expression_none(self, tree: Tree[Token]) -> s.NoneLiteral:
        return s.NoneLiteral(self.span(tree))

    def expression_name(self, tree: Tree[Token]) -> s.Name:
        (name,) = tokens(tree, "NAME")
        return s.Name(self.span(tree), self.name(name), self.arguments(tree), bool(tokens(tree, "MY")))

    def expression_type_name(self, tree: Tree[Token]) -> s.TypeName:
        (name,) = tokens(tree, "TNAME")
        return s.TypeName(self.span(tree), self.name(name), self.arguments(tree))

    def expression_optional_type_name(self, tree: Tree[Token]) -> s.TypeName:
        return s.TypeName(self.span(tree), self.name(cast(Token, tree.children[0])), optional=True)

    def expression_can(self, tree: Tree[Token]) -> s.Can:
        (name,) = tokens(tree, "NAME")
        return s.Can(self.span(tree), self.name(name), self.arguments(tree))

    def expression_set_literal(self, tree: Tree[Token]) -> s.SetLiteral:
        return s.SetLiteral(self.span(tree), tuple(self._operands(tree)))

    def expression_dot(self, tree: Tree[Token]) -> s.Dot:
        (operand,) = self._operands(tree)
        return s.Dot(self.span(tree), operand, self.name(cast(Token, tree.children[-1])))

    def expression_binary(self, tree: Tree[Token]) -> s.Binary:
        left, right = self._operands(tree)
        operator = fixed_words(tree.children[1]) if len(tree.children) > 2 else str(tree.data)
        return s.Binary(self.span(tree), cast(s.BinaryOperator, operator), left, right)

    expression_implies = expression_or = expression_and = expression_compare = expression_arithmetic = expression_binary

    def expression_is_empty(self, tree: Tree[Token]) -> s.IsEmpty:
        (operand,) = self._operands(tree)
        return s.IsEmpty(self.span(tree), operand, bool(tokens(tree, "IS_FILLED")))

    def expression_quantified(self, tree: Tree[Token]) -> s.Quantified:
        kind = cast(Literal["some", "every", "no"], str(tree.children[0]))
        has = self.expression(trees(tree)[-1])
        return s.Quantified(self.span(tree), kind, self.generators(tree), self.where(tree), has)

    def expression_count(self, tree: Tree[Token]) -> s.Count:
        return s.Count(self.span(tree), self.generators(tree), self.where(tree))

    def expression_pick(self, tree: Tree[Token]) -> s.Pick:
        kind = cast(Literal["the", "first"], str(tree.children[0]))
        (generator,) = self.generators(tree)
        return s.Pick(self.span(tree), kind, generator, self.where(tree), self.where(tree, "otherwise"))

    def expression_aggregate(self, tree: Tree[Token]) -> s.Aggregate:
        kind = cast(Literal["sum", "max", "min", "set", "bag", "list"], str(tree.children[0]))
        value = self.expression(trees(tree)[0])
        where, otherwise = self.where(tree), self.where(tree, "otherwise")
        return s.Aggregate(self.span(tree), kind, value, self.generators(tree), where, otherwise)

    def expression_extremum(self, tree: Tree[Token]) -> s.Extremum:
        kind = cast(Literal["max", "min"], str(tree.children[0]))
        return s.Extremum(self.span(tree), kind, tuple(self._operands(tree)))

    def where(self, tree: Tree[Token], kind: str = "where") -> s.Expression | None:
        parts = all_of(tree, kind)
        return self.expression(trees(parts[0])[0]) if parts else None

    def generators(self, tree: Tree[Token]) -> tuple[s.Generator, ...]:
        return tuple(self.generator(part) for part in all_of(tree, "generator"))

    def generator(self, tree: Tree[Token]) -> s.Generator:
        name, word = tokens(tree, "NAME", "IN", "WITHIN")
        domain = self.expression(trees(tree)[0])
        return s.Generator(self.span(tree), self.name(name), domain, word.type == "WITHIN")

    def arguments(self, tree: Tree[Token]) -> tuple[s.Argument, ...] | None:
        """Return the arguments of a name; None if it has no brackets."""
        groups = all_of(tree, "arguments")
        return tuple(self.argument(part) for part in trees(groups[0])) if groups else None

    def argument(self, tree: Tree[Token]) -> s.Argument:
        labels = tokens(tree, "LABEL")
        label = self.name(labels[0]) if labels else None
        return s.Argument(self.span(tree), label, self.expression(trees(tree)[0]))

    # ---- values -------------------------------------------------------------------------------------------------

    def value_body(self, tree: Tree[Token]) -> tuple[s.ValueBody, s.Authority]:
        """Return a body and its authority, which may be on its first or its last line."""
        exceptions = tuple(self.value_exception(part) for part in all_of(tree, "value_exception"))
        authority, entries = self.authority(only(tree, "line_end")), self.apparatus(tree)
        if tree.data == "value_line":
            value = self.expression(trees(tree)[0])
            last = (value, *entries, *exceptions)[-1]
            return s.ValueBody(value.span.to(last.span), (), value, exceptions, entries), authority
        lets, block_value, more = self.value_block(tree)
        parts = (*lets, block_value, *entries, *exceptions)
        body = s.ValueBody(parts[0].span.to(parts[-1].span), lets, block_value, exceptions, entries)
        return body, joined_authority(authority, more)

    def value_block(self, tree: Tree[Token]) -> tuple[tuple[s.Let, ...], s.Expression | s.ValueMatch, s.Authority]:
        lets = tuple(self.let(part) for part in all_of(tree, "let"))
        last = first(all_of(tree, "value_last"))
        if last is not None:
            value, end = trees(last)
            return lets, self.expression(value), self.authority(end)
        match = only(tree, "value_match")
        subject, end, *arms = trees(match)
        built = tuple(self.value_arm(arm) for arm in arms)
        node = s.ValueMatch(self.span(match).to(built[-1].span), self.expression(subject), built)
        return lets, node, self.authority(end)

    def statement_let(self, tree: Tree[Token]) -> tuple[s.Let, s.Authority]:
        (name,) = tokens(tree, "NAME")
        value, end = trees(tree)
        built = self.expression(value)
        return s.Let(self.until(tree, built), self.name(name), built), self.authority(end)

    def let(self, tree: Tree[Token]) -> s.Let:
        node, authority = self.statement_let(tree)
        self.unclaimed(authority)
        return node

    def value_arm(self, tree: Tree[Token]) -> s.ValueArm:
        patterns = self.patterns(tree)
        authority, entries = self.authority(only(tree, "line_end")), self.apparatus(tree)
        if tree.data == "value_arm_line":
            value = self.expression(own_parts(tree)[-2])
            body = s.ValueBody(value.span.to((value, *entries)[-1].span), (), value, (), entries)
        else:
            lets, block_value, more = self.value_block(tree)
            parts = (*lets, block_value, *entries)
            body = s.ValueBody(parts[0].span.to(parts[-1].span), lets, block_value, (), entries)
            authority = joined_authority(authority, more)
        return s.ValueArm(self.span(tree), patterns, body, authority)

    def value_exception(self, tree: Tree[Token]) -> s.ValueException:
        (label,) = tokens(tree, "LABEL")
        *value, condition, end = own_parts(tree)
        built, entries = self.expression(value[0]) if value else None, self.apparatus(tree)
        return s.ValueException(
            self.span(tree), self.name(label), built, self.expression(condition), self.authority(end), entries
        )

    def patterns(self, tree: Tree[Token]) -> tuple[s.Pattern, ...]:
        return tuple(self.pattern(part) for part in trees(tree) if part.data.endswith("_pattern"))

    def pattern(self, tree: Tree[Token]) -> s.Pattern:
        span = self.span(tree)
        if tree.data == "otherwise_pattern":
            return s.Pattern(span, "otherwise")
        if tree.data in ("number_pattern", "range_pattern"):
            ends = [cast(s.Integer, self.expression(part)).value for part in trees(tree)]
            # A single number is both ends of its range.
            return s.Pattern(span, "number", low=ends[0], high=ends[-1])
        name, *binds = self.names(tokens(tree))
        return s.Pattern(span, "name", name, tuple(binds))
