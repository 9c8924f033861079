"""Going through the model: the expressions inside its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, cast

from ludex.grammar import fields_with

from ..values.types import Type
from . import nodes as m

NOT_ENTERED = (Type, m.Element)
"""Types and elements are shared by everything; nothing is computed in them."""


def everything_in(node: object) -> Iterator[m.Expr]:
    """All expressions inside a node, the nested ones too, in order; not those of statements inside it."""
    waiting = _parts(node)[::-1]
    while waiting:
        here = waiting.pop()
        if isinstance(here, m.Typed):
            yield cast(m.Expr, here)
        if not isinstance(here, m.Statement):
            waiting += reversed(_parts(here))


def rewritten(node: Any, change: Callable[[m.Read], m.Expr]) -> Any:
    """The node with what `change` makes of each part of it that reads a state or zone (of itself, too)."""
    if isinstance(node, m.Read):
        return change(node)
    if isinstance(node, tuple):
        return tuple([rewritten(part, change) for part in node])
    new = {name: rewritten(getattr(node, name), change) for name in _holding(node.__class__)}
    return replace(node, **new) if new else node


def _parts(node: Any) -> list[object]:
    if isinstance(node, tuple):
        return [part for part in node if isinstance(part, tuple) or _is_entered(part.__class__)]
    held = (getattr(node, name) for name in _holding(node.__class__))
    return [part for part in held if part is not None]


@cache
def _holding(kind: type) -> tuple[str, ...]:
    return fields_with(kind, _is_entered) if is_dataclass(kind) else ()


@cache
def _is_entered(kind: type) -> bool:
    return is_dataclass(kind) and not issubclass(kind, NOT_ENTERED)
