"""Mutation operators: each changes one thing, as a slip of the pen or of a translator would.

An operator looks at one place of the tree and yields replacements. The checker decides whether the result is a game;
the comparison and play decide whether it means something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from ludex.grammar import Identifier
from ludex.grammar import syntax as s

from .lexicon import Lexicon
from .trees import Change, Spot

Find: TypeAlias = Callable[[Spot, Lexicon], Iterator[Change]]


@dataclass(frozen=True, slots=True)
class Operator:
    name: str
    find: Find


# ---- values -----------------------------------------------------------------------------------------------------


def number(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Integer(value=value):
            yield replace(spot.node, value=value + 1)
            if value > 0:
                yield replace(spot.node, value=value - 1)


def word(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Name(name=name, arguments=None, my=False) if name in known.words:
            yield from (replace(spot.node, name=Identifier(other, name.span)) for other in known.words[name])
        case s.Boolean(value=value):
            yield replace(spot.node, value=not value)


def sign(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Binary(operator="+" | "-" as operator):
            yield replace(spot.node, operator="-" if operator == "+" else "+")
        case s.Assign(operator="+=" | "-=" as operator, bound=None):
            yield replace(spot.node, operator="-=" if operator == "+=" else "+=")


def limit(spot: Spot, known: Lexicon) -> Iterator[Change]:
    if spot.field == "bound" and isinstance(spot.parent, s.Assign):
        yield ()


# ---- conditions -------------------------------------------------------------------------------------------------

STRICT: dict[s.BinaryOperator, s.BinaryOperator] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DENIED: dict[s.BinaryOperator, s.BinaryOperator] = {"=": "!=", "!=": "=", "in": "not in", "not in": "in"}


def strictness(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Binary(operator=operator) if operator in STRICT:
            yield replace(spot.node, operator=STRICT[operator])


def negation(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Binary(operator=operator) if operator in DENIED:
            yield replace(spot.node, operator=DENIED[operator])
        case s.IsEmpty(negated=negated):
            yield replace(spot.node, negated=not negated)
        case s.Not(operand=operand):
            yield operand


def conjunct(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Binary(operator="and" | "or" | "implies", left=left, right=right):
            yield left
            yield right


def junction(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Binary(operator="and" | "or" as operator):
            yield replace(spot.node, operator="or" if operator == "and" else "and")


def condition(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.If(then=then):
            yield then
        case s.Conditional(then=then, otherwise=otherwise):
            yield then
            yield otherwise
    if spot.field == "otherwise" and isinstance(spot.parent, s.If):
        yield ()


# ---- what is left out ---------------------------------------------------------------------------------------------


def requirement(spot: Spot, known: Lexicon) -> Iterator[Change]:
    if isinstance(spot.node, s.Require) and isinstance(spot.parent, s.Block):
        yield ()


def step(spot: Spot, known: Lexicon) -> Iterator[Change]:
    is_one_of_several = isinstance(spot.parent, s.Block) and len(spot.parent.statements) > 1
    if is_one_of_several and not isinstance(spot.node, FIRST):
        yield ()


def alternative(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.parent if spot.around else None:
        case s.ChooseBranch(branches=all_) | s.ChooseAction(calls=all_) if len(all_) > 1:
            yield ()


def exception(spot: Spot, known: Lexicon) -> Iterator[Change]:
    if isinstance(spot.node, s.StepException | s.ValueException):
        yield ()


# ---- may and must, order ------------------------------------------------------------------------------------------

DECISIONS = s.Call | s.ChooseAction | s.ChooseBranch | s.ChooseValue


def must_to_may(spot: Spot, known: Lexicon) -> Iterator[Change]:
    is_statement = spot.field in ("statements", "body", "then") and not isinstance(spot.parent, s.May | s.RepeatMay)
    if isinstance(spot.node, DECISIONS) and is_statement:
        yield s.May(spot.node.span, spot.node)


def may_to_must(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.May(body=body):
            yield body
        case s.RepeatMay(body=body):
            yield s.May(spot.node.span, body)


def order(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Block(statements=statements):
            for at, (one, other) in enumerate(pairwise(statements)):
                if not isinstance(one, FIRST) and not isinstance(other, FIRST):
                    yield replace(spot.node, statements=(*statements[:at], other, one, *statements[at + 2 :]))
        case s.WinnerDeclaration(criteria=criteria):
            for at, (first, second) in enumerate(pairwise(criteria)):
                # A shared win is the last criterion, as nothing can break the tie after it.
                if second.kind != "share":
                    yield replace(spot.node, criteria=(*criteria[:at], second, first, *criteria[at + 2 :]))


# These bind names or guard values for the statements after them.
FIRST = s.ChooseValue | s.Require | s.LocalState | s.Let | s.Random


# ---- where, who, how many -----------------------------------------------------------------------------------------


def destination(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Target(place=place, end=end):
            for other in known.alike.get(place.name, ()):
                yield replace(spot.node, place=replace(place, name=Identifier(other, place.span)))
            if end is not None:
                yield replace(spot.node, end="bottom" if end == "top" else None)


def source(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Place(name=name) if not isinstance(spot.parent, s.Target):
            yield from (replace(spot.node, name=Identifier(other, name.span)) for other in known.alike.get(name, ()))
        case s.Name(name=name) if name in known.alike:
            yield from (replace(spot.node, name=Identifier(other, name.span)) for other in known.alike[name])


def actor(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Name(name="me", arguments=None):
            yield from _others(spot.node)
        case s.Name(my=True) | s.Place(my=True):
            mine = s.Name(spot.node.span, Identifier("me", spot.node.span))
            for other in _others(mine):
                given = s.Argument(spot.node.span, None, other)
                yield replace(spot.node, my=False, arguments=(given, *(spot.node.arguments or ())))


def _others(me: s.Name) -> Iterator[s.Name]:
    for name in ("opponent", "next"):
        yield replace(me, name=Identifier(name, me.span), arguments=(s.Argument(me.span, None, me),))


def scope(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.EachPlayer(span=span, body=body):
            first = s.Name(span, Identifier("seat", span), (s.Argument(span, None, s.Integer(span, 1)),))
            yield s.As(span, first, body)
        case s.Quantified(kind="some" | "every" as kind):
            yield replace(spot.node, kind="every" if kind == "some" else "some")
    match spot.node:
        case s.Quantified() | s.Count() | s.Aggregate() | s.Each():
            yield from _narrower(spot.node)
        case s.ChooseValue(where=where) if where is not None:
            yield replace(spot.node, where=None)


def _narrower(node: s.Quantified | s.Count | s.Aggregate | s.Each) -> Iterator[Change]:
    """Drop a condition of a quantifier; or, over players, leave out the player in turn."""
    if node.where is not None:
        yield replace(node, where=None)
        return
    match node.generators:
        case (s.Generator(name=name, domain=s.TypeName(name="Player") | s.Name(name="seats")),):
            span = node.span
            yield replace(node, where=s.Binary(span, "!=", s.Name(span, name), s.Name(span, Identifier("me", span))))


def called(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Call(action=action):
            yield from (
                replace(spot.node, action=Identifier(other, action.span)) for other in known.actions.get(action, ())
            )


def winner(spot: Spot, known: Lexicon) -> Iterator[Change]:
    match spot.node:
        case s.Criterion(kind="highest" | "lowest" as kind):
            yield replace(spot.node, kind="lowest" if kind == "highest" else "highest")


OPERATORS: tuple[Operator, ...] = (
    Operator("number", number),
    Operator("word", word),
    Operator("sign", sign),
    Operator("limit", limit),
    Operator("strictness", strictness),
    Operator("negation", negation),
    Operator("conjunct", conjunct),
    Operator("junction", junction),
    Operator("condition", condition),
    Operator("requirement", requirement),
    Operator("step", step),
    Operator("alternative", alternative),
    Operator("exception", exception),
    Operator("must to may", must_to_may),
    Operator("may to must", may_to_must),
    Operator("order", order),
    Operator("destination", destination),
    Operator("source", source),
    Operator("actor", actor),
    Operator("scope", scope),
    Operator("called", called),
    Operator("winner", winner),
)

NAMED = frozenset(
    {"number", "may to must", "must to may", "requirement", "step", "order", "strictness", "destination", "actor"}
    | {"scope", "exception"}
)
"""The most important operators for a benchmark of comparisons: they come first in every round."""
SELDOM = frozenset({"may to must", "exception", "limit", "alternative"})
"""Operators that apply in few games: there, two mutants of each are drawn in a round."""
