"""The one walker of the model: the nodes in a piece of it, its statements, and the same piece with other nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

from ludex.grammar import fields_with

from . import nodes as m

V = TypeVar("V")


def nodes(*parts: Any, but: type | tuple[type, ...] = ()) -> Iterator[Any]:
    """All model nodes in some parts, a node before those inside it; not those of elements, types and called routines.

    Args:
        parts: nodes, tuples of parts, or None.
        but: nodes of these classes are left out, with all that is in them.
    """
    waiting = [*reversed(parts)]
    while waiting:
        here = waiting.pop()
        if here.__class__ is tuple:
            waiting += reversed(here)
        elif here is not None and not isinstance(here, but):
            yield here
            inside = children(here)
            inside.reverse()
            waiting += inside


def children(node: Any) -> list[Any]:
    """The model nodes directly inside a node."""
    found: list[Any] = []
    for name in _holding(node.__class__):
        value = getattr(node, name)
        if value.__class__ is tuple:
            found += value
        elif value is not None:
            found.append(value)
    return found


def per_node(of: Callable[[Any], V]) -> Callable[[Any], V]:
    """The same function of a node, which computes each node's value once. It keeps the nodes alive, as it knows them by
    their identities."""
    known: dict[int, tuple[Any, V]] = {}

    def asked(node: Any) -> V:
        found = known.get(id(node))
        if found is None:
            found = known[id(node)] = node, of(node)
        return found[1]

    return asked


def statements(*parts: Any) -> Iterator[m.Step]:
    """All statements in some parts, a statement before those inside it."""
    return (cast(m.Step, node) for node in nodes(*parts, but=m.Typed) if isinstance(node, m.Statement))


def branches(node: Any) -> Iterator[m.Step]:
    """The statements directly inside a node."""
    for child in children(node):
        if isinstance(child, m.Statement):
            yield cast(m.Step, child)
        elif not isinstance(child, m.Typed):
            yield from branches(child)


def rewritten(node: Any, change: Callable[[m.Read], m.Expr]) -> Any:
    """The node with `change` of each read of a state or zone in its place."""
    if isinstance(node, m.Read):
        return change(node)
    if isinstance(node, tuple):
        return tuple([rewritten(part, change) for part in node])
    new = {name: rewritten(getattr(node, name), change) for name in _holding(node.__class__)}
    return replace(node, **new) if new else node


@cache
def _holding(kind: type) -> tuple[str, ...]:
    """The names of the fields that hold model nodes: one or none, or a tuple of them."""
    return fields_with(kind, _is_model)


def _is_model(kind: type) -> bool:
    return kind.__module__ == m.Local.__module__ and is_dataclass(kind) and not issubclass(kind, m.Element)
