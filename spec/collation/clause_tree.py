"""Clause trees: rewriting a file by the paths of its clauses, and access to a clause's apparatus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from ludex.grammar import Identifier, Span, child_nodes, mapped, with_child_nodes
from ludex.grammar import syntax as s

from ..text import NOT_OF_THIS_TEXT, fork_path, pattern_name

Labelled: TypeAlias = s.Clause | s.Require
PathRewrite: TypeAlias = Callable[[str, Any], Any]
AnyNode = TypeVar("AnyNode", bound=s.Node)

# The writer places comments by line and column.
BEYOND_LINE = 1_000_000
"""A column beyond the end of every line."""


def clause_path(node: s.Node, parent: str) -> str | None:
    """Return the path of a clause, as `text.clauses` defines it; None for a node that is not a clause.

    parent: the path of the clause around it."""
    match node:
        case s.Clause() | s.Require() | s.ValueException() | s.StepException():
            return f"{parent}.{node.label}"
        case s.Criterion(label=label):
            return f"winner.{label}"
        case s.ValueArm(patterns=patterns) | s.StepArm(patterns=patterns):
            return f"{parent}.{pattern_name(patterns)}"
        case s.ScoreDeclaration(name=name):
            return f"score.{name}"
        case s.InvariantDeclaration(name=name):
            return f"invariant.{name}"
        case s.SetupDeclaration():
            return "setup"
        case s.PlayDeclaration():
            return "play"
        case s.WinnerDeclaration():
            return "winner"
        case s.RefillDeclaration(place=place):
            return f"refill.{place.name}"
        case s.ValueDeclaration(name=name) | s.ActionDeclaration(name=name) | s.NoteDeclaration(name=name):
            return name
        case s.ForkDeclaration(name=name):
            return fork_path(name)
        case _:
            return None


def rewritten(node: AnyNode, change: PathRewrite, parent: str = "") -> AnyNode:
    """Return the tree with each clause replaced by `change(path, clause)`, inner clauses first.

    The entries of an apparatus are not rewritten: a variant is another text's clause, with no path of its own. Subtrees
    without a change are shared with the old tree."""
    path = clause_path(node, parent)
    around = parent if path is None else path

    def inside(inner: Any) -> Any:
        return inner if isinstance(inner, NOT_OF_THIS_TEXT) else rewritten(inner, change, around)

    result = with_child_nodes(node, inside)
    return change(path, result) if path is not None else result


def clauses_in(node: s.Node, parent: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield the path, the parent's path and the node of every clause, parents first."""
    path = clause_path(node, parent)
    inner = parent if path is None else path
    if path is not None:
        yield path, parent, node
    for each in child_nodes(node, but=NOT_OF_THIS_TEXT):
        yield from clauses_in(each, inner)


def plain_clauses(node: AnyNode) -> AnyNode:
    """Return the tree without the authority and the apparatus of its clauses."""

    def change(piece: Any) -> Any:
        if isinstance(piece, s.Authority):
            return s.Authority(piece.span)
        return replace(piece, apparatus=()) if hasattr(piece, "apparatus") else piece

    return mapped(node, change)


# ---- the apparatus and the body of a clause ---------------------------------------------------------------------


def apparatus_of(node: Any) -> tuple[s.Entry, ...]:
    """Return the entries of a clause's apparatus; none for a clause that cannot have one."""
    holder = _holder(node)
    bearer = node if holder is None else getattr(node, holder)
    return getattr(bearer, "apparatus", ())


def with_apparatus(node: Any, entries: tuple[s.Entry, ...]) -> Any:
    """Return the clause with these entries in place of its apparatus."""
    holder = _holder(node)
    if holder is None:
        return replace(node, apparatus=entries)
    return replace(node, **{holder: replace(getattr(node, holder), apparatus=entries)})


def can_vary(node: Any) -> bool:
    """Return whether a clause can have a variant."""
    return not isinstance(
        node,
        s.ActionDeclaration
        | s.SetupDeclaration
        | s.PlayDeclaration
        | s.RefillDeclaration
        | s.WinnerDeclaration
        | s.ForkDeclaration,
    )


def has_apparatus(node: Any) -> bool:
    """Return whether a clause can have an apparatus."""
    holder = _holder(node)
    return hasattr(node if holder is None else getattr(node, holder), "apparatus")


def _holder(node: Any) -> str | None:
    """Return the field whose node holds the apparatus of a clause; None if it is the clause itself."""
    match node:
        case s.ValueDeclaration() | s.ScoreDeclaration() | s.InvariantDeclaration() | s.Require():
            return "body"
        case s.ValueArm():
            # An arm itself is only patterns, so its value bears the apparatus.
            return "value"
        case _:
            return None


def body_of(node: Any) -> Any:
    """Return the body of a clause: its value or its step; for an exception, the exception itself."""
    match node:
        case s.ValueArm(value=value):
            return value
        case s.ValueException() | s.StepException() | s.Criterion() | s.NoteDeclaration() | s.RefillDeclaration():
            return node
        case s.WinnerDeclaration() | s.ForkDeclaration():
            return None
        case _:
            return node.body


def with_body(node: Any, body: Any) -> Any:
    """Return the clause with another body."""
    return replace(node, value=body) if isinstance(node, s.ValueArm) else replace(node, body=body)


# ---- places -----------------------------------------------------------------------------------------------------


def moved(node: AnyNode, span: Span) -> AnyNode:
    """Return the tree with one span for all its nodes, so that it does not displace comments of the file it goes to."""
    return mapped(node, lambda piece: replace(piece, span=span))


def place_after(node: s.Node) -> Span:
    """Return the end of the last line of a node."""
    return Span(node.span.file, node.span.end_line, BEYOND_LINE, node.span.end_line, BEYOND_LINE)


def place_before(node: s.Node) -> Span:
    """Return the end of the line above a node."""
    # Nothing is above the first line.
    return Span(node.span.file, max(1, node.span.line - 1), BEYOND_LINE, max(1, node.span.line - 1), BEYOND_LINE)


def shifted(node: AnyNode, file: str, lines: int) -> AnyNode:
    """Return the tree moved down by a number of lines, in another file."""

    def change(piece: Any) -> Any:
        span = piece.span
        return replace(piece, span=replace(span, file=file, line=span.line + lines, end_line=span.end_line + lines))

    return mapped(node, change)


# ---- names ------------------------------------------------------------------------------------------------------


def renamed(node: AnyNode, names: Mapping[str, str]) -> AnyNode:
    """Return the tree with other names for parameters and for the names that patterns bind."""

    def change(piece: Any) -> Any:
        match piece:
            case s.Pattern(binds=binds):
                return replace(piece, binds=tuple(Identifier(names.get(name, name), name.span) for name in binds))
            case s.Parameter(name=name) | s.Name(name=name, arguments=None, my=False) if name in names:
                return replace(piece, name=Identifier(names[name], name.span))
            case _:
                return piece

    return mapped(node, change) if names else node
