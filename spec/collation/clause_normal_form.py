"""Normal form of clauses, up to the names of bound variables: recognises when two transcribers wrote the same rule.

The normal form ignores places and authority, the spellings of `grammar.normal`, the order of the operands of `and`,
`or`, `+`, `*`, `=`, `a > b` for `b < a`, `a < 3` for `a <= 2`, the names of bound variables, `not (a = b)` for
`a != b`, and a block of one. It is incomplete: clauses with different normal forms may have the same meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from ludex.grammar import Identifier, fields_of, mapped, normal
from ludex.grammar import syntax as s

NormalForm: TypeAlias = tuple[Any, ...]
Operator: TypeAlias = s.BinaryOperator

JOINED = ("and", "or", "+", "*")
SYMMETRIC = ("=", "!=")
TURNED: Mapping[str, Operator] = {">": "<", ">=": "<="}
_NEGATED: Mapping[str, Operator] = {
    "=": "!=",
    "!=": "=",
    "in": "not in",
    "not in": "in",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
_NOT_IN_FORM = ("authority", "apparatus")
Renaming: TypeAlias = Mapping[str, str]


@cache
def form(node: s.Node) -> NormalForm:
    """Return the normal form of a tree. Trees with equal forms have the same meaning."""
    result: NormalForm = _form(normal(node), {})
    return result


def exact(node: s.Node) -> NormalForm:
    """Return a normal form that keeps the order of all operands. Trees with equal forms are played alike.

    The order can matter where there are faults: in `a and b`, a false `a` prevents a fault in `b`, and `a * b * c` may
    exceed the range on the way."""

    def change(piece: Any) -> Any:
        # `form` does not know the changed operator, so it does not sort its operands.
        # A mark in the operator is enough.
        is_joined = isinstance(piece, s.Binary) and piece.operator in JOINED
        return replace(piece, operator=f"{piece.operator} in order") if is_joined else piece

    return form(mapped(node, change))


def _form(piece: Any, renaming: Renaming) -> Any:
    match piece:
        case tuple():
            return tuple(_form(item, renaming) for item in piece)
        # The case below leaves out the name of a `let`, which this one would keep.
        case s.Block(statements=(one,)) if not isinstance(one, s.Let):
            return _form(one, renaming)
        case s.Block(statements=statements):
            return ("Block", *_sequence(statements, renaming))
        case s.ValueBody(lets=lets, value=value, exceptions=exceptions):
            # A body of nothing but a value is the same as the value alone.
            *before, last = _sequence((*lets, value), renaming)
            return ("ValueBody", *before, last, _form(exceptions, renaming)) if lets or exceptions else last
        case s.Name(name=name, arguments=None, my=False) if name in renaming:
            return ("bound", renaming[name])
        # `my token` is short for `token(me)`.
        case s.Name(my=True) | s.Place(my=True):
            # The span does not matter, since the form leaves it out.
            me = s.Argument(piece.span, None, s.Name(piece.span, Identifier("me", piece.span)))
            return _form(replace(piece, my=False, arguments=(me, *(piece.arguments or ()))), renaming)
        case s.Not(operand=s.Binary(operator=operator) as inner) if operator in _NEGATED:
            return _form(replace(inner, operator=_NEGATED[operator]), renaming)
        case s.Not(operand=s.IsEmpty(negated=negated) as inner):
            return _form(replace(inner, negated=not negated), renaming)
        case s.Not(operand=s.Not(operand=inner)):
            return _form(inner, renaming)
        case s.Binary():
            return _binary(piece, renaming)
        case s.Quantified() | s.Count() | s.Aggregate():
            return _bound(piece, piece.generators, renaming)
        case s.Each():
            return _bound(piece, piece.generators, renaming)
        case s.Pick():
            return _bound(piece, (piece.generator,), renaming)
        # A name that a pattern binds holds in its arm only.
        case s.ValueArm(patterns=patterns) | s.StepArm(patterns=patterns):
            return _fields(piece, _binding(renaming, tuple(name for each in patterns for name in each.binds)))
        case s.Pattern():
            return _fields(
                replace(piece, binds=tuple(Identifier(renaming.get(name, name), name.span) for name in piece.binds)),
                renaming,
            )
        case s.Node():
            return _fields(piece, renaming)
        case _:
            return piece


def _fields(node: s.Node, renaming: Renaming) -> NormalForm:
    values = (value for name, value in fields_of(node) if name not in _NOT_IN_FORM)
    return (type(node).__name__, *(_form(each, renaming) for each in values))


def _binding(renaming: Renaming, bound: tuple[str, ...]) -> Renaming:
    # A name is replaced by how deep it is bound, so that authors may name it as they like.
    return {**renaming, **{name: f"bound {len(renaming) + at}" for at, name in enumerate(bound)}}


def _sequence(parts: tuple[Any, ...], renaming: Renaming) -> list[Any]:
    """Return the forms of consecutive parts; each `let` binds its name in the parts after it."""
    forms: list[Any] = []
    for part in parts:
        if isinstance(part, s.Let):
            forms.append(("Let", _form(part.value, renaming)))
            renaming = _binding(renaming, (part.name,))
        else:
            forms.append(_form(part, renaming))
    return forms


def _bound(node: Any, generators: tuple[s.Generator, ...], renaming: Renaming) -> NormalForm:
    """Return the form of a node whose generators bind names; a generator's domain can use the names before it."""
    # The domain of a generator comes first, since it cannot use the name that it binds.
    ranges: list[Any] = []
    for each in generators:
        ranges.append((_form(each.domain, renaming), each.within))
        renaming = _binding(renaming, (each.name,))
    others = (value for name, value in fields_of(node) if name not in (*_NOT_IN_FORM, "generators", "generator"))
    return (type(node).__name__, tuple(ranges), *(_form(each, renaming) for each in others))


def _binary(node: s.Binary, renaming: Renaming) -> NormalForm:
    operator: str = node.operator
    if operator in JOINED:
        # They are sorted by their text, since forms of different shapes cannot be compared.
        return (operator, *sorted((_form(each, renaming) for each in _operands(node, operator)), key=repr))
    left, right = _form(node.left, renaming), _form(node.right, renaming)
    if operator in TURNED:
        operator, left, right = TURNED[operator], right, left
    # Numbers are whole, so a strict comparison with a literal becomes one with its neighbour.
    if operator == "<" and right[0] == "Integer":
        return ("<=", left, ("Integer", right[1] - 1))
    if operator == "<" and left[0] == "Integer":
        return ("<=", ("Integer", left[1] + 1), right)
    return (operator, *(sorted((left, right), key=repr) if operator in SYMMETRIC else (left, right)))


def _operands(node: s.Expression, operator: str) -> list[s.Expression]:
    if isinstance(node, s.Binary) and node.operator == operator:
        return [*_operands(node.left, operator), *_operands(node.right, operator)]
    return [node]
