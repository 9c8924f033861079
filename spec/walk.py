"""Going through the model: what stands directly inside an expression or a statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import cast

from . import model as m
from .types import Type

NOT_ENTERED = (Type, m.Element)
"""Types and elements are shared by everything; nothing is computed in them."""


def expressions_of(node: object) -> Iterator[m.Expr]:
    """The expressions directly inside a node of the model: operands, domains, bodies of arms."""
    for part in _parts(node):
        if isinstance(part, m.Typed):
            yield cast(m.Expr, part)
        elif not isinstance(part, m.Statement):
            yield from expressions_of(part)


def everything_in(node: object) -> Iterator[m.Expr]:
    """All expressions inside a node, the nested ones too; not those of statements inside it."""
    for part in expressions_of(node):
        yield part
        yield from everything_in(part)


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        items: Iterator[object] = iter(node)
    elif is_dataclass(node):
        items = (getattr(node, each.name) for each in fields(node))
    else:
        return
    for item in items:
        if isinstance(item, tuple) or (is_dataclass(item) and not isinstance(item, NOT_ENTERED)):
            yield item
