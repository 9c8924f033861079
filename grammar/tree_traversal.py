"""The one walker of data classes: finds the nodes and names of a syntax tree, rewrites it, replaces identifiers.

The walker of the model (`spec/model/traversal.py`) is built on it. No other module finds the parts of a node by
`fields`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any, ForwardRef, TypeVar, cast, get_args

from .authority import Node
from .source import Identifier, Span

AnyNode = TypeVar("AnyNode", bound=Node)
Data = TypeVar("Data")


def nodes_in(piece: object, but: type[Node] | tuple[type[Node], ...] = ()) -> Iterator[Node]:
    """Yield all nodes in a node or a tuple of nodes, in preorder.

    but: nodes of these classes are left out, with everything inside them.
    """
    waiting = [piece]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting += reversed(here)
        elif isinstance(here, Node) and not isinstance(here, but):
            yield here
            waiting += reversed(_children(here))


def child_nodes(node: Node, but: type[Node] | tuple[type[Node], ...] = ()) -> Iterator[Node]:
    """Yield the nodes directly inside a node, except those of some classes."""
    for value in _children(node):
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Node) and not isinstance(each, but):
                yield each


def _children(node: Any) -> list[Any]:
    return [getattr(node, name) for name in _node_fields(node.__class__)]


@cache
def _node_fields(kind: Any) -> tuple[str, ...]:
    return fields_with(kind, lambda inner: issubclass(inner, Node))


def fields_of(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each field of a data class, its place excepted."""
    return ((name, getattr(node, name)) for name in _field_names(node.__class__))


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name != "span")


def mapped(node: AnyNode, change: Callable[[Any], Any]) -> AnyNode:
    """Return the tree with each node replaced by `change(node)`, inner nodes first. Parts that do not change are
    shared."""

    def of(each: Any) -> Any:
        is_node = isinstance(each, Node)
        return change(with_values(each, _node_fields(each.__class__), of)) if is_node else each

    result: AnyNode = of(node)
    return result


def with_child_nodes(node: AnyNode, change: Callable[[Any], Any]) -> AnyNode:
    """Return the node with each node directly inside it replaced by `change(inner)`; the node itself if nothing
    changes."""
    names = _node_fields(cast(Any, node).__class__)
    return with_values(node, names, lambda each: change(each) if isinstance(each, Node) else each)


def with_values(data: Data, names: Iterable[str], change: Callable[[Any], Any]) -> Data:
    """Return a data class with the values of some fields replaced by `change(value)`, tuples item by item; the same
    object if nothing changes."""
    changed: dict[str, Any] = {}
    for name in names:
        value = getattr(data, name)
        if value.__class__ is tuple:
            items = tuple([change(each) for each in value])
            new = value if all(map(is_, items, value)) else items
        else:
            new = change(value)
        if new is not value:
            changed[name] = new
    return replace(cast(Any, data), **changed) if changed else data


def without_identifiers(data: Data) -> Data:
    """Return the data with plain strings in place of identifiers.

    Parts without identifiers are not copied, and parts that are shared stay shared."""
    done: dict[int, tuple[Any, Any]] = {}

    def plain(value: Any) -> Any:
        kind = value.__class__
        if kind is Identifier:
            return value.spelling
        if kind is tuple or kind is frozenset:
            parts = [plain(each) for each in value]
            return value if all(map(is_, parts, value)) else kind(parts)
        names = _string_fields(kind)
        if not names:
            return {plain(key): plain(each) for key, each in value.items()} if isinstance(value, Mapping) else value
        if (known := done.get(id(value))) is not None:
            return known[1]
        changed = {}
        for name in names:
            part = getattr(value, name)
            if part is not None and (new := plain(part)) is not part:
                changed[name] = new
        # The value itself is stored, too, so that its id is not given to another object meanwhile.
        done[id(value)] = value, replace(value, **changed) if changed else value
        return done[id(value)][1]

    return cast(Data, plain(data))


@cache
def _string_fields(kind: type) -> tuple[str, ...]:
    # The file of a span is a plain string already, and nodes without names then need no copy.
    if not is_dataclass(kind) or kind is Span:
        return ()
    return fields_with(kind, lambda inner: inner is str or (is_dataclass(inner) and inner is not Span))


def fields_with(kind: type, is_sought: Callable[[type], bool]) -> tuple[str, ...]:
    """Return the names of the fields of a data class whose declared types contain a class that `is_sought` accepts."""

    def has(hint: Any, module: str) -> bool:
        if isinstance(hint, ForwardRef):
            hint = _declared(hint.__forward_arg__, module)
        if inside := get_args(hint):
            return any(has(each, module) for each in inside)
        return is_sought(hint if isinstance(hint, type) else type(hint))

    # An annotation is read in the module of the class that has it, whose names it uses.
    fields_of = [(base.__module__, vars(base).get("__annotations__", {})) for base in reversed(kind.__mro__)]
    names = {name: has(_declared(hint, module), module) for module, hints in fields_of for name, hint in hints.items()}
    return tuple(name for name, is_held in names.items() if is_held)


@cache
def _declared(annotation: str, module: str) -> Any:
    """Return the type that an annotation in one of our modules means.

    `typing.get_type_hints` takes four times as long, since it keeps none, and every start waits for it.
    """
    return eval(annotation, vars(sys.modules[module]))  # noqa: S307 - our own text


def words_in(piece: object) -> Iterator[str]:
    """Yield every string in a tree: all names, and also operators, kinds and reasons."""
    if isinstance(piece, str):
        yield piece
    elif isinstance(piece, tuple):
        for item in piece:
            yield from words_in(item)
    elif isinstance(piece, Node):
        for _, value in fields_of(piece):
            yield from words_in(value)
