"""Normal form of syntax trees: equivalent spellings become one tree, so that trees can be compared by meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from . import syntax as s
from .source import Identifier
from .tree_traversal import mapped

AnyNode = TypeVar("AnyNode", bound=s.Node)

_FUNCTIONS = s.StateDeclaration | s.ZoneDeclaration | s.ValueDeclaration


def normal(node: AnyNode, functions: frozenset[str] | None = None) -> AnyNode:
    """Return the tree in the spelling of the canonical layout. Spans stay.

    `token(me)` becomes `my token`, but on the left of `:=`, `+=`, `-=` it is the other way round. Rulings come before
    conventions.

    functions: the names of states, zones, facts and defines, the only ones that `my` is used with: `opponent(me)` and a
    word with data such as `member(me)` stay. By default every name counts as one, which is right for comparisons.
    """
    return mapped(node, lambda part: _respelled(part, functions))


def same_meaning(left: s.Node, right: s.Node) -> bool:
    """Return whether two trees are equal apart from spans, comments and equivalent spellings."""
    return normal(left) == normal(right)


def same_text(left: s.Module, right: s.Module) -> bool:
    """Return whether two files are equal apart from layout: the same declarations and the same comments in order."""
    return same_meaning(left, right) and _comments(left) == _comments(right)


def _comments(module: s.Module) -> list[str]:
    # The canonical layout has no blanks at the end of a comment.
    return [comment.text.rstrip() for comment in module.comments]


def declared_functions(module: s.Module) -> frozenset[str]:
    """Return the names with which `my` can be used, as far as this file declares them."""
    declared = [node for node in module.declarations if isinstance(node, _FUNCTIONS)]
    functions = {node.name for node in declared}
    bodies = (node.body for node in module.declarations if isinstance(node, s.TypeDeclaration))
    words = {variant.name for body in bodies if isinstance(body, s.WordsBody) for variant in body.words}
    # A word with data may have the name of a function, and `my` before it would mean another thing.
    return frozenset(functions - words)


# ---- spelling -------------------------------------------------------------------------------------------------


def _respelled(node: s.Node, functions: frozenset[str] | None) -> s.Node:
    match node:
        case s.Place():
            return _mine(node)
        case s.Name(name=name) if functions is None or name in functions:
            return _mine(node)
        # On the left of an assignment the cell that changes is written out in full.
        case s.Assign(place=place) | s.Drawing(place=place):
            return replace(node, place=_spelled_out(place))
        case s.Authority(reasons=reasons):
            return replace(node, reasons=tuple(sorted(reasons, key=lambda reason: reason.kind != "ruling")))
        case s.RangeType(low=low, high=high):
            return replace(node, low=_plain_number(low), high=_plain_number(high))
        case s.CollectionType(most=most) | s.ZoneDeclaration(most=most) if most is not None:
            return replace(node, most=_plain_number(most))
        case _:
            return node


def _mine(node: s.Name | s.Place) -> s.Name | s.Place:
    """Return `my token` for `token(me)`. With further arguments the author's spelling stays, as it may read better."""
    return replace(node, arguments=None, my=True) if not node.my and _only_me(node.arguments) else node


def _only_me(arguments: tuple[s.Argument, ...] | None) -> bool:
    match arguments:
        case (s.Argument(label=None, value=s.Name(name="me", arguments=None, my=False)),):
            return True
        case _:
            return False


def _spelled_out(place: s.Place) -> s.Place:
    """Return `token(me)` for `my token`, and `pyramid(me, at)` for `my pyramid(at)`."""
    if not place.my:
        return place
    me = s.Argument(place.span, None, s.Name(place.span, Identifier("me", place.span)))
    return replace(place, arguments=(me, *(place.arguments or ())), my=False)


def _plain_number(bound: s.Expression) -> s.Expression:
    """Return a bound in which `-3` is one number, as the parser reads it with or without brackets."""
    match bound:
        case s.Negate(operand=s.Integer(value=value)):
            return s.Integer(bound.span, -value)
        case _:
            return bound
