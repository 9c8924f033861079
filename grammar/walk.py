"""Going through syntax trees: the nodes in a piece of one, and the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from .syntax import Node


def nodes_in(piece: object, but: type[Node] | tuple[type[Node], ...] = ()) -> Iterator[Node]:
    """All nodes of a node, or of a tuple of them; a node comes before those inside it.

    Args:
        but: nodes of these classes are left out, with all that is in them.
    """
    if isinstance(piece, tuple):
        for item in piece:
            yield from nodes_in(item, but)
    elif isinstance(piece, Node) and not isinstance(piece, but):
        yield piece
        for each in fields(piece):
            yield from nodes_in(getattr(piece, each.name), but)


def words_in(piece: object) -> Iterator[str]:
    """Every text that a piece of syntax holds: all names in it, and its operators, kinds and reasons too."""
    if isinstance(piece, str):
        yield piece
    elif isinstance(piece, tuple):
        for item in piece:
            yield from words_in(item)
    elif isinstance(piece, Node):
        for each in fields(piece):
            yield from words_in(getattr(piece, each.name))
