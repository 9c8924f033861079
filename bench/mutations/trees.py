"""Places in a syntax tree, and replacement of the node at a place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from ludex.grammar import fields_of, with_child_nodes
from ludex.grammar import syntax as s

Way: TypeAlias = tuple[str | int, ...]
"""A path from the module to a node: field names, and indices in fields with several nodes."""
Change: TypeAlias = s.Node | tuple[s.Node, ...]
"""A replacement: a node; nothing; or, in a sequence of nodes, several."""

NodeT = TypeVar("NodeT", bound=s.Node)

STATED = (
    s.ValueDeclaration
    | s.ActionDeclaration
    | s.SetupDeclaration
    | s.PlayDeclaration
    | s.ScoreDeclaration
    | s.WinnerDeclaration
    | s.RefillDeclaration
)
"""Declarations with an effect in play that belong to a text. Nouns are shared by all editions."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node with its place. around: its ancestors, outermost first."""

    node: s.Node
    way: Way
    around: tuple[s.Node, ...]

    @property
    def field(self) -> str:
        """The field of its parent in which the node is."""
        return next(str(step) for step in reversed(self.way) if isinstance(step, str))

    @property
    def parent(self) -> s.Node | None:
        return self.around[-1] if self.around else None


def spots(module: s.Module) -> Iterator[Spot]:
    """Yield every node of a module's statements in preorder. Citations and rulings are left out."""
    for at, node in enumerate(module.declarations):
        if isinstance(node, STATED):
            yield from _spots(node, ("declarations", at), ())


def _spots(node: s.Node, way: Way, around: tuple[s.Node, ...]) -> Iterator[Spot]:
    yield Spot(node, way, around)
    for name, held in fields_of(node):
        inner = (*way, name)
        if isinstance(held, s.Authority | s.TypeExpression):
            continue
        if isinstance(held, s.Node):
            yield from _spots(held, inner, (*around, node))
        elif isinstance(held, tuple):
            for at, item in enumerate(held):
                if isinstance(item, s.Node):
                    yield from _spots(item, (*inner, at), (*around, node))


def changed(module: s.Module, way: Way, change: Change) -> s.Module:
    """Return the module with a replacement at one place."""
    result = _changed(module, way, change)
    assert isinstance(result, s.Module)
    return result


def _changed(held: Any, way: Way, change: Change) -> Any:
    if not way:
        return _one(change)
    step, *rest = way
    if isinstance(step, str):
        return replace(held, **{step: _changed(getattr(held, step), tuple(rest), change)})
    if rest:
        return (*held[:step], _changed(held[step], tuple(rest), change), *held[step + 1 :])
    new = change if isinstance(change, tuple) else (change,)
    return (*held[:step], *new, *held[step + 1 :])


def _one(change: Change) -> s.Node | None:
    if not isinstance(change, tuple):
        return change
    assert not change
    return None


def exchanged(node: NodeT, exchange: Callable[[s.Node], s.Node | None]) -> NodeT:
    """Replace nodes for which `exchange` returns another; the replacements are not searched."""
    if isinstance(node, s.Authority):
        return node
    result: Any = exchange(node)
    return with_child_nodes(node, lambda inner: exchanged(inner, exchange)) if result is None else result
