"""The one walker of the model: finds the nodes and statements of a part, and rewrites it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from ludex.grammar import fields_with, with_values

from . import nodes as m

V = TypeVar("V")


def nodes(*parts: Any, but: type | tuple[type, ...] = ()) -> Iterator[Any]:
    """Return all model nodes in some parts, in preorder, without those of elements, types and called routines.

    Args:
        parts: nodes, tuples of parts, or None.
        but: nodes of these classes are left out, with everything inside them.
    """
    # A list is faster than a generator, which is resumed for every node.
    every, waiting = list[Any](), [*reversed(parts)]
    while waiting:
        here = waiting.pop()
        kind = here.__class__
        if kind is tuple:
            waiting += here[::-1]
        elif here is not None and not (but and isinstance(here, but)):
            every.append(here)
            for name in _backwards(kind):
                value = getattr(here, name)
                if value:
                    waiting.append(value)
    return iter(every)


def children(node: Any) -> list[Any]:
    """Return the model nodes directly inside a node."""
    inner: list[Any] = []
    for value in _parts(node.__class__)(node):
        if value.__class__ is tuple:
            inner += value
        elif value is not None:
            inner.append(value)
    return inner


def per_node(of: Callable[[Any], V]) -> Callable[[Any], V]:
    """Return a function of a node, memoized by the node's identity.

    Nodes are compared by value, which is slow, so identities are the keys. The memo keeps the nodes alive, since a new
    object could otherwise get the identity of an old one."""
    known: dict[int, tuple[Any, V]] = {}

    def memoized(node: Any) -> V:
        entry = known.get(id(node))
        if entry is None:
            entry = known[id(node)] = node, of(node)
        return entry[1]

    return memoized


class NodeLists:
    """The nodes of routines and other parts of a game as lists. Each part is walked once, however many analyses ask.

    Attributes:
        of: returns all nodes of a part, in preorder.
        steps: returns its statements, in preorder.
    """

    def __init__(self) -> None:
        self.of: Callable[[Any], Sequence[Any]] = per_node(lambda part: list(nodes(part)))
        self.steps: Callable[[Any], Sequence[m.Step]] = per_node(
            lambda part: [cast(m.Step, each) for each in self.of(part) if isinstance(each, m.Statement)]
        )


def all_steps(*parts: Any) -> Iterator[m.Step]:
    """Return all statements in some parts, in preorder."""
    return (cast(m.Step, node) for node in nodes(*parts, but=m.Typed) if isinstance(node, m.Statement))


def branches(node: Any) -> Iterator[m.Step]:
    """Yield the statements directly inside a node."""
    for child in children(node):
        if isinstance(child, m.Statement):
            yield cast(m.Step, child)
        elif not isinstance(child, m.Typed):
            yield from branches(child)


def with_children(node: V, change: Callable[[Any], Any]) -> V:
    """Return the node with each node directly inside it replaced by `change(inner)`; the node itself if nothing
    changes."""
    names = _holding(cast(Any, node).__class__)
    return with_values(node, names, lambda each: each if each is None else change(each))


def with_reads_replaced(node: Any, change: Callable[[m.Read], m.Expr]) -> Any:
    """Return the node with each read of a state or zone replaced by `change(read)`."""
    if isinstance(node, m.Read):
        return change(node)
    return with_children(node, lambda inner: with_reads_replaced(inner, change))


@cache
def _holding(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields that hold model nodes: one or none, or a tuple of them."""
    return fields_with(kind, _is_model)


@cache
def _parts(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function from a node of this class to the values of the same fields."""
    names = _holding(kind)
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda node: (getattr(node, names[0]),)) if names else lambda node: ()


@cache
def _backwards(kind: type) -> tuple[str, ...]:
    """Return the same names, last first."""
    return _holding(kind)[::-1]


def _is_model(kind: type) -> bool:
    # An element is a declaration that many nodes name, so its first value is not part of them.
    return kind.__module__ == m.Local.__module__ and is_dataclass(kind) and not issubclass(kind, m.Element)
