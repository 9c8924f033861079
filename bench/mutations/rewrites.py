"""Controls: rewrites that keep the meaning. A comparison that reports one gives a false alarm.

A rewrite looks at one place and yields the whole text with that place reworded. A text that does not build (a guard
that is no longer to the left of what it guards) is dropped, like a mutant that is not a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias, TypeVar

from ludex.grammar import Identifier, Span, nodes_in
from ludex.grammar import syntax as s

from .lexicon import Lexicon
from .trees import Spot, changed, exchanged

Find: TypeAlias = Callable[[s.Module, Spot, Lexicon], Iterator[s.Module]]
NodeT = TypeVar("NodeT", bound=s.Node)


@dataclass(frozen=True, slots=True)
class Rewrite:
    name: str
    find: Find


# ---- building blocks ----------------------------------------------------------------------------------------------


def _not(node: s.Expression) -> s.Expression:
    return s.Not(node.span, node)


def _binary(operator: s.BinaryOperator, left: s.Expression, right: s.Expression) -> s.Binary:
    return s.Binary(left.span, operator, left, right)


def _call(span: Span, name: Identifier, *values: s.Expression) -> s.Name:
    return s.Name(span, name, tuple(s.Argument(span, None, value) for value in values))


def _fresh(known: Lexicon, name: str, span: Span) -> Identifier:
    new = next(new for number in range(2, 100) if (new := f"{name}_{number}") not in known.names)
    return Identifier(new, span)


def _with_meaning(node: NodeT, meanings: Mapping[str, s.Expression]) -> NodeT:
    """Replace plain names in a tree."""

    def exchange(part: s.Node) -> s.Node | None:
        match part:
            case s.Name(name=name, arguments=None, my=False) if name in meanings:
                return meanings[name]
        return None

    return exchanged(node, exchange)


def _is_condition(spot: Spot) -> bool:
    """Return whether a truth value is at this place, and nothing else depends on it."""
    match spot.parent:
        case s.ValueBody():
            return spot.field == "value" and isinstance(spot.around[-2], s.Require) and not _is_match(spot.node)
        case s.If() | s.Conditional():
            return spot.field == "condition"
        case s.Quantified() | s.Count() | s.Aggregate() | s.Pick() | s.Each():
            return spot.field in ("where", "has")
        case _:
            return False


def _is_match(node: s.Node) -> bool:
    return isinstance(node, s.ValueMatch)


def _here(module: s.Module, spot: Spot, *nodes: s.Node) -> Iterator[s.Module]:
    yield from (changed(module, spot.way, node) for node in nodes)


# ---- conditions ---------------------------------------------------------------------------------------------------

TURNED: dict[s.BinaryOperator, s.BinaryOperator] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
DENIED: dict[s.BinaryOperator, s.BinaryOperator] = {
    "<": ">=", ">": "<=", "<=": ">", ">=": "<", "=": "!=", "!=": "=", "in": "not in", "not in": "in",
}  # fmt: skip


def commuted(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="and" | "or" | "=" | "!=" | "+" | "*", left=left, right=right):
            yield from _here(module, spot, replace(spot.node, left=right, right=left))


def turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator=operator, left=left, right=right) if operator in TURNED:
            yield from _here(module, spot, replace(spot.node, operator=TURNED[operator], left=right, right=left))


def twice_denied(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    if _is_condition(spot):
        yield from _here(module, spot, _not(_not(spot.node)))  # type: ignore[arg-type]


def denied(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator=operator) if operator in DENIED:
            yield from _here(module, spot, _not(replace(spot.node, operator=DENIED[operator])))
        case s.IsEmpty(negated=negated):
            yield from _here(module, spot, _not(replace(spot.node, negated=not negated)))


def de_morgan(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="and" | "or" as operator, left=left, right=right):
            other: s.BinaryOperator = "or" if operator == "and" else "and"
            yield from _here(module, spot, _not(_binary(other, _not(left), _not(right))))


def implied(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="implies", left=left, right=right):
            yield from _here(module, spot, _binary("or", _not(left), right))
        case s.Binary(operator="or", left=left, right=right):
            yield from _here(module, spot, _binary("implies", _not(left), right))


def quantified(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Quantified(kind="no"):
            yield from _here(module, spot, _not(replace(spot.node, kind="some")))
        case s.Quantified(kind="every", has=has):
            yield from _here(module, spot, replace(spot.node, kind="no", has=_not(has)))
        case s.Quantified(kind="some", has=has):
            yield from _here(module, spot, _not(replace(spot.node, kind="every", has=_not(has))))


def counted(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Quantified(kind="some", generators=generators, where=where, has=has):
            both = has if where is None else _binary("and", where, has)
            count = s.Count(spot.node.span, generators, both)
            yield from _here(module, spot, _binary(">", count, s.Integer(spot.node.span, 0)))


def membership(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="in", left=left, right=s.SetLiteral(items=(first, *rest))):
            whole: s.Expression = _binary("=", left, first)
            for item in rest:
                whole = _binary("or", whole, _binary("=", left, item))
            yield from _here(module, spot, whole)
        case s.Binary(operator="=", left=left, right=right):
            yield from _here(module, spot, _binary("in", left, s.SetLiteral(spot.node.span, (right,))))


def distributed(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="and", left=left, right=s.Binary(operator="or", left=one, right=other)):
            yield from _here(module, spot, _binary("or", _binary("and", left, one), _binary("and", left, other)))


def regrouped(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Yield `a and (b and c)` for `(a and b) and c`."""
    match spot.node:
        case s.Binary(
            operator="and" | "or" | "+" as operator, left=s.Binary(left=one, right=other) as left, right=right
        ):
            if left.operator == operator:
                yield from _here(module, spot, _binary(operator, one, _binary(operator, other, right)))


def where_moved(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Move the condition after `where` into the body of a quantifier."""
    match spot.node:
        case s.Quantified(kind="some" | "no", where=where, has=has) if where is not None:
            yield from _here(module, spot, replace(spot.node, where=None, has=_binary("and", where, has)))
        case s.Quantified(kind="every", where=where, has=has) if where is not None:
            yield from _here(module, spot, replace(spot.node, where=None, has=_binary("implies", where, has)))


def set_turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.SetLiteral(items=items) if len(items) > 1:
            yield from _here(module, spot, replace(spot.node, items=items[::-1]))


def generators_turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Yield `some b in B, a in A` for `some a in A, b in B`."""
    match spot.node:
        case s.Quantified(generators=(one, other)) | s.Count(generators=(one, other)) if not _mentions(other, one.name):
            yield from _here(module, spot, replace(spot.node, generators=(other, one)))


def _mentions(node: s.Node, name: str) -> bool:
    return any(isinstance(part, s.Name) and part.name == name for part in nodes_in(node))


# ---- numbers ------------------------------------------------------------------------------------------------------


def next_number(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Yield `x > n - 1` for `x >= n`, and similar."""
    match spot.node:
        case s.Binary(operator=">=", right=s.Integer(value=value) as right):
            yield from _here(module, spot, replace(spot.node, operator=">", right=replace(right, value=value - 1)))
        case s.Binary(operator="<=", right=s.Integer(value=value) as right):
            yield from _here(module, spot, replace(spot.node, operator="<", right=replace(right, value=value + 1)))
        case s.Binary(operator=">" | "<" as operator, left=left, right=right):
            more = s.Integer(right.span, 1)
            if operator == ">":
                yield from _here(module, spot, _binary(">=", left, _binary("+", right, more)))
            else:
                yield from _here(module, spot, _binary("<=", _binary("+", left, more), right))


def plus_nothing(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Binary(operator="<" | "<=" | ">" | ">=" | "-" | "*", left=left):
            yield from _here(module, spot, replace(spot.node, left=_binary("+", left, s.Integer(left.span, 0))))


def number_named(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Integer(span=span, value=value) if isinstance(spot.parent, s.Binary) and value > 1:
            name = _fresh(known, "number", span)
            with_name = changed(module, spot.way, s.Name(span, name))
            yield _declaring(
                with_name, s.ValueDeclaration(span, "fact", name, (), None, None, _body(spot.node), _no(span))
            )


def number_unnamed(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Inline a fact that is a number, and drop the fact."""
    match spot.node:
        case s.ValueDeclaration(kind="fact", name=name, parameters=(), body=s.ValueBody(value=s.Integer() as number)):
            if not spot.node.body.exceptions:
                yield _with_meaning(changed(module, spot.way, ()), {name: number})


def _declaring(module: s.Module, node: s.Declaration) -> s.Module:
    return replace(module, declarations=(*module.declarations, node))


def _body(value: s.Expression) -> s.ValueBody:
    return s.ValueBody(value.span, (), value, ())


def _no(span: Span) -> s.Authority:
    return s.Authority(span)


# ---- names --------------------------------------------------------------------------------------------------------


def renamed(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Rename the variable of a quantifier or a sum."""
    match spot.node:
        case s.Quantified() | s.Count() | s.Aggregate():
            first = spot.node.generators[0]
            old = first.name
            bound = [node.name for node in nodes_in(spot.node, but=s.Authority) if isinstance(node, s.Generator)]
            # A second variable of this name would be renamed with it.
            if bound.count(old) == 1:
                name = _fresh(known, old, old.span)
                node = _with_meaning(spot.node, {old: s.Name(first.span, name)})
                generators = (replace(node.generators[0], name=name), *node.generators[1:])
                yield from _here(module, spot, replace(node, generators=generators))


def let_renamed(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        # A second `let` of this name would be renamed with it.
        case s.ValueBody(lets=(s.Let(name=old), *_)) if [each.name for each in spot.node.lets].count(old) == 1:
            name = _fresh(known, old, old.span)
            node = _with_meaning(spot.node, {old: s.Name(spot.node.span, name)})
            lets = (replace(node.lets[0], name=name), *node.lets[1:])
            yield from _here(module, spot, replace(node, lets=lets))


def let_taken_out(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Bind the first part of a value by a `let`."""
    match spot.node:
        # A guard has to stay to the left of what it guards.
        case s.ValueBody(value=s.Binary(left=left) as value) if value.operator not in ("and", "or", "implies"):
            name = _fresh(known, "first", left.span)
            let, named = s.Let(left.span, name, left), replace(value, left=s.Name(left.span, name))
            yield from _here(module, spot, replace(spot.node, lets=(*spot.node.lets, let), value=named))


def let_put_in(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.ValueBody(lets=(*before, s.Let(name=name, value=value))):
            less = replace(spot.node, lets=tuple(before))
            yield from _here(module, spot, _with_meaning(less, {name: value}))


def helper(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Extract a condition into a define."""
    if not _is_condition(spot) or isinstance(spot.node, s.Name):
        return
    span, name = spot.node.span, _fresh(known, "holds", spot.node.span)
    called = Identifier("who", span)
    who = s.Name(span, called)
    condition = exchanged(spot.node, lambda part: _by(part, who))
    parameter = s.Parameter(span, called, s.NamedType(span, Identifier("Player", span)))
    assert isinstance(condition, s.Expression)
    body = s.ValueDeclaration(span, "define", name, (parameter,), None, None, _body(condition), _no(span))
    yield _declaring(changed(module, spot.way, _call(span, name, s.Name(span, Identifier("me", span)))), body)


def _by(part: s.Node, who: s.Name) -> s.Node | None:
    """Replace `me` by another player."""
    match part:
        case s.Name(name="me", arguments=None):
            return who
        case s.Name(name=name, arguments=arguments, my=True):
            given = tuple(exchanged(each, lambda inner: _by(inner, who)) for each in arguments or ())
            return s.Name(part.span, name, (s.Argument(part.span, None, who), *given))
    return None


def helper_put_in(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Inline a define everywhere, and drop it."""
    match spot.node:
        case (
            s.ValueDeclaration(
                kind="define", name=name, body=s.ValueBody(lets=(), value=value, exceptions=())
            ) as define
        ):
            if isinstance(value, s.Expression) and not _mentions(value, name):
                yield exchanged(changed(module, spot.way, ()), lambda part: _inlined(part, define, value))


def _inlined(part: s.Node, define: s.ValueDeclaration, value: s.Expression) -> s.Node | None:
    """Substitute arguments for parameters, if the arguments are plain names that the body does not rebind."""
    match part:
        case s.Name(name=name, my=my, arguments=arguments) if name == define.name:
            mine = (s.Name(part.span, Identifier("me", part.span)),) if my else ()
            given = (*mine, *(each.value for each in arguments or ()))
            if len(given) == len(define.parameters) and all(_is_free(each, value) for each in given):
                names = [each.name for each in define.parameters]
                return _with_meaning(value, dict[str, s.Expression](zip(names, given, strict=True)))
    return None


def _is_free(given: s.Expression, value: s.Expression) -> bool:
    bound = {node.name for node in nodes_in(value) if isinstance(node, s.Generator | s.Let)}
    return isinstance(given, s.Name | s.Integer) and not any(_mentions(given, name) for name in bound)


# ---- clauses and steps --------------------------------------------------------------------------------------------


def split(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Require(
            label=label, body=s.ValueBody(value=s.Binary(operator="and", left=left, right=right), exceptions=())
        ):
            body = spot.node.body
            first = replace(spot.node, body=replace(body, value=left))
            second = replace(spot.node, label=_fresh(known, label, label.span), body=replace(body, value=right))
            yield changed(module, spot.way, (first, second))


def merged(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Block(statements=statements):
            for at, (one, other) in enumerate(pairwise(statements)):
                if isinstance(one, s.Require) and isinstance(other, s.Require) and _plain(one) and _plain(other):
                    assert isinstance(one.body.value, s.Expression)
                    assert isinstance(other.body.value, s.Expression)
                    both = _binary("and", one.body.value, other.body.value)
                    require = replace(one, body=replace(one.body, value=both))
                    rest = (*statements[:at], require, *statements[at + 2 :])
                    yield from _here(module, spot, replace(spot.node, statements=rest))


def _plain(node: s.Require) -> bool:
    return not node.body.lets and not node.body.exceptions and not _is_match(node.body.value)


def turned_round(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.If(condition=condition, then=then, otherwise=otherwise) if otherwise is not None:
            turned_if = replace(spot.node, condition=_not(condition), then=otherwise, otherwise=then)
            yield from _here(module, spot, turned_if)
        case s.Conditional(condition=condition, then=value, otherwise=other):
            turned_value = replace(spot.node, condition=_not(condition), then=other, otherwise=value)
            yield from _here(module, spot, turned_value)


def nested(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.If(condition=s.Binary(operator="and", left=left, right=right), otherwise=None):
            inner = replace(spot.node, condition=right)
            yield from _here(module, spot, replace(spot.node, condition=left, then=inner))


def else_nothing(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.If(otherwise=None):
            yield from _here(module, spot, replace(spot.node, otherwise=s.Nothing(spot.node.span)))


def requirements_turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Block(statements=statements):
            for at, (one, other) in enumerate(pairwise(statements)):
                if isinstance(one, s.Require) and isinstance(other, s.Require):
                    rest = (*statements[:at], other, one, *statements[at + 2 :])
                    yield from _here(module, spot, replace(spot.node, statements=rest))


def choices_turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Reverse the order of choices."""
    match spot.node:
        case s.ChooseAction(calls=calls) if len(calls) > 1:
            yield from _here(module, spot, replace(spot.node, calls=calls[::-1]))
        case s.ChooseBranch(branches=branches) if len(branches) > 1:
            yield from _here(module, spot, replace(spot.node, branches=branches[::-1]))


def declarations_turned(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Exchange a define, fact or action with the declaration that follows it."""
    if isinstance(spot.node, s.ValueDeclaration | s.ActionDeclaration):
        at = next(at for at, node in enumerate(module.declarations) if node is spot.node)
        after = module.declarations[at + 1 : at + 2]
        if after and isinstance(after[0], s.ValueDeclaration | s.ActionDeclaration):
            both = (*after, spot.node)
            yield replace(module, declarations=(*module.declarations[:at], *both, *module.declarations[at + 2 :]))


def arms(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Exchange the first two cases of a `match`, which never overlap."""
    match spot.node:
        case s.Match(arms=(one, other, *rest)) if not _takes_the_rest(other):
            yield from _here(module, spot, replace(spot.node, arms=(other, one, *rest)))
        case s.ValueMatch(arms=(first, second, *more)) if not _takes_the_rest(second):
            yield from _here(module, spot, replace(spot.node, arms=(second, first, *more)))


def _takes_the_rest(arm: s.StepArm | s.ValueArm) -> bool:
    return any(pattern.kind == "otherwise" for pattern in arm.patterns)


def independent(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Exchange two independent steps."""
    match spot.node:
        case s.Block(statements=statements):
            for at, (one, other) in enumerate(pairwise(statements)):
                if _apart(one, other):
                    rest = (*statements[:at], other, one, *statements[at + 2 :])
                    yield from _here(module, spot, replace(spot.node, statements=rest))


def _apart(one: s.Statement, other: s.Statement) -> bool:
    """Return whether both assign states, and neither reads the other's, or anything that may read more."""
    match one, other:
        case s.Assign(), s.Assign():
            changed_by_one, changed_by_other = one.place.name, other.place.name
            nodes = [
                node
                for each in (one, other)
                for node in nodes_in((each.value, each.place.arguments or ()), but=s.Authority)
            ]
            simple = all(
                isinstance(node, s.Integer | s.Boolean | s.NoneLiteral | s.Argument | s.Name) for node in nodes
            )
            plain = all(node.arguments is None for node in nodes if isinstance(node, s.Name))
            read = {node.name for node in nodes if isinstance(node, s.Name)}
            return (
                simple
                and plain
                and changed_by_one != changed_by_other
                and not read & {changed_by_one, changed_by_other}
            )
        case _:
            return False


def added(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    """Yield `x := x + 1` for `x += 1`."""
    match spot.node:
        case s.Assign(operator="+=" | "-=" as operator, place=place, value=value, bound=None):
            now = s.Name(place.span, place.name, place.arguments, place.my)
            sum_ = _binary("+" if operator == "+=" else "-", now, value)
            yield from _here(module, spot, replace(spot.node, operator=":=", value=sum_))


def nothing_more(module: s.Module, spot: Spot, known: Lexicon) -> Iterator[s.Module]:
    match spot.node:
        case s.Block(statements=statements) if not isinstance(statements[0], s.Clause | s.Require | s.ChooseValue):
            more = (*statements, s.Nothing(spot.node.span))
            yield from _here(module, spot, replace(spot.node, statements=more))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("commuted", commuted),
    Rewrite("a<b as b>a", turned),
    Rewrite("not not", twice_denied),
    Rewrite("not the opposite", denied),
    Rewrite("De Morgan", de_morgan),
    Rewrite("implies and or", implied),
    Rewrite("quantifier", quantified),
    Rewrite("some as count", counted),
    Rewrite("in {a, b} as or", membership),
    Rewrite("distributed", distributed),
    Rewrite("regrouped", regrouped),
    Rewrite("where moved", where_moved),
    Rewrite("set turned", set_turned),
    Rewrite("generators turned", generators_turned),
    Rewrite(">= n as > n-1", next_number),
    Rewrite("+ 0", plus_nothing),
    Rewrite("number to fact", number_named),
    Rewrite("fact to number", number_unnamed),
    Rewrite("bound name", renamed),
    Rewrite("name of a let", let_renamed),
    Rewrite("let taken out", let_taken_out),
    Rewrite("let put in", let_put_in),
    Rewrite("helper define", helper),
    Rewrite("define put in", helper_put_in),
    Rewrite("requirement split", split),
    Rewrite("requirements merged", merged),
    Rewrite("if turned round", turned_round),
    Rewrite("if nested", nested),
    Rewrite("else nothing", else_nothing),
    Rewrite("requirements turned", requirements_turned),
    Rewrite("choices turned", choices_turned),
    Rewrite("declarations turned", declarations_turned),
    Rewrite("arms reordered", arms),
    Rewrite("independent steps", independent),
    Rewrite("+= as :=", added),
    Rewrite("nothing", nothing_more),
)
