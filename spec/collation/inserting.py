"""Insertion of clauses that only a transcription has, at the place where the transcription has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludex.grammar import Span, fields_of
from ludex.grammar import syntax as s

from ..text import pattern_name
from .clause_tree import (
    BEYOND_LINE,
    Labelled,
    body_of,
    clause_path,
    clauses_in,
    moved,
    place_after,
    place_before,
    rewritten,
    with_body,
)
from .own_words import in_groups, statements_of


def name_of(node: Any) -> str:
    """Return the last name of a clause's path."""
    return pattern_name(node.patterns) if isinstance(node, s.ValueArm | s.StepArm) else node.label


def inserted(node: Any, piece: Any, order: Sequence[str]) -> Any:
    """Return a clause with one more clause inside it.

    order: the names of the clauses in the transcription. The new clause goes after the nearest one before it in this
    order that the game has."""
    match piece:
        case s.ValueException() | s.StepException():
            return _with_exception(node, piece, order)
        case s.Criterion():
            return replace(node, criteria=_among(node.criteria, piece, order, node))
        case s.ValueArm():
            value = body_of(node).value
            arms = _among(value.arms, piece, order, node)
            return with_body(node, replace(body_of(node), value=replace(value, arms=arms)))
        case s.StepArm():
            return with_body(node, _in_first(body_of(node), s.Match, "arms", piece, order))
        case s.Clause() if _has_branches(body_of(node)):
            return with_body(node, _in_first(body_of(node), s.ChooseBranch, "branches", piece, order))
        case _:
            return with_body(node, _with_statement(body_of(node), piece, order, node))


def _among(there: tuple[Any, ...], piece: Any, order: Sequence[str], node: s.Node) -> tuple[Any, ...]:
    names = [name_of(each) for each in there]
    at = _index(names, name_of(piece), order)
    if "otherwise" in names[:at]:  # nothing after `otherwise` would be reached
        at = names.index("otherwise")
    place = place_after(there[at - 1]) if at else place_before(there[0]) if there else place_after(node)
    return (*there[:at], moved(piece, place), *there[at:])


def _index(names: Sequence[str], name: str, order: Sequence[str]) -> int:
    """Return the index after the nearest name before it in `order`, else of the nearest after it, else the last."""
    at = order.index(name)
    after_it = next((names.index(each) for each in reversed(order[:at]) if each in names), None)
    before_it = next((names.index(each) for each in order[at + 1 :] if each in names), None)
    return after_it + 1 if after_it is not None else before_it if before_it is not None else len(names)


def _with_exception(node: Any, piece: Any, order: Sequence[str]) -> Any:
    holder = node if isinstance(node, s.Clause) else body_of(node)
    changed = replace(holder, exceptions=_among(holder.exceptions, piece, order, node))
    return changed if holder is node else with_body(node, changed)


def _in_first(piece: Any, kind: type[Any], field: str, new: Any, order: Sequence[str]) -> Any:
    """Return the tree with one more arm or branch in its first statement of a kind."""
    if isinstance(piece, kind):
        return replace(piece, **{field: _among(getattr(piece, field), new, order, piece)})  # a match, or a choice
    if isinstance(piece, s.Block):
        for at, each in enumerate(piece.statements):
            changed = _in_first(each, kind, field, new, order)
            if changed is not each:
                return replace(piece, statements=(*piece.statements[:at], changed, *piece.statements[at + 1 :]))
    # A labelled step is a clause of its own, whose arms belong to it.
    elif not isinstance(piece, Labelled) and isinstance(getattr(piece, "body", None), s.Node):
        changed = _in_first(piece.body, kind, field, new, order)
        return piece if changed is piece.body else replace(piece, body=changed)
    return piece


def _has_branches(body: Any) -> bool:
    statements = statements_of(body)
    return bool(statements) and all(isinstance(each, s.ChooseBranch) for each in statements)


# ---- statements of blocks ---------------------------------------------------------------------------------------


def _with_statement(body: Any, piece: Any, order: Sequence[str], node: s.Node) -> s.Block:
    choices, requirements, states, steps = in_groups(statements_of(body))
    if isinstance(piece, s.LocalState):
        states = [*states, moved(piece, _after([*choices, *requirements, *states], node))]
    elif isinstance(piece, s.Require) and _all_required(steps, piece, order):
        names = [each.label for each in requirements]
        at = _index(names, piece.label, order)
        place = place_after(requirements[at - 1]) if at else _after(choices, node)
        requirements = [*requirements[:at], moved(piece, place), *requirements[at:]]
    else:
        steps = _with_step(steps, piece, order, _after([*choices, *requirements, *states, *steps], node))
    statements = (*choices, *requirements, *states, *steps)
    return replace(body, statements=statements) if isinstance(body, s.Block) else s.Block(body.span, statements)


def _all_required(steps: Sequence[Any], piece: s.Require, order: Sequence[str]) -> bool:
    """Return whether a requirement comes before the first step."""
    labels = {each.label for each in steps if isinstance(each, s.Clause)}
    return labels.isdisjoint(order[: order.index(piece.label)])


def _after(statements: Sequence[s.Node], node: s.Node) -> Span:
    """Return the place after the last statement; if there is none, the end of the first line of the clause."""
    if statements:
        return place_after(statements[-1])
    first = node.span
    return replace(first, end_line=first.line, column=BEYOND_LINE, end_column=BEYOND_LINE)


def _with_step(steps: Sequence[Any], piece: Any, order: Sequence[str], last: Span) -> list[Any]:
    at = order.index(piece.label)
    block = s.Block(last, tuple(steps))
    # The step before it says most about where it belongs, and the step after it is the second best.
    nearest = [*((each, True) for each in reversed(order[:at])), *((each, False) for each in order[at + 1 :])]
    for near, is_before in nearest:
        changed = _beside(block, near, piece, is_before)
        if changed is not block:
            return list(changed.statements)
    return [*steps, moved(piece, last)]


def _beside(node: Any, near: str, piece: Any, is_before: bool) -> Any:
    """Return the tree with the new step after (or before) the step labelled `near`, in the same block.

    Return the same object if there is no such step."""
    if isinstance(node, s.Block):
        for at, each in enumerate(node.statements):
            if isinstance(each, Labelled) and each.label == near:
                new = moved(piece, place_after(each) if is_before else place_before(each))
                cut = at + 1 if is_before else at
                return replace(node, statements=(*node.statements[:cut], new, *node.statements[cut:]))
    if isinstance(node, Labelled):
        return node
    for name, value in fields_of(node):
        # A step that is the whole body of another has no block yet to take a second step.
        if isinstance(value, s.Clause) and value.label == near:
            pair = (
                (value, moved(piece, place_after(value))) if is_before else (moved(piece, place_before(value)), value)
            )
            return replace(node, **{name: s.Block(value.span, pair)})
        items = value if isinstance(value, tuple) else (value,)
        for at, item in enumerate(items):
            if isinstance(item, s.Statement):
                changed = _beside(item, near, piece, is_before)
                if changed is not item:
                    new = (*items[:at], changed, *items[at + 1 :]) if isinstance(value, tuple) else changed
                    return replace(node, **{name: new})
    return node


# ---- the statements around clauses ------------------------------------------------------------------------------


def with_choices(node: Any, theirs: Any) -> Any:
    """Return the clause with the choices of the transcription's clause before its statements."""
    body = body_of(node)
    new = tuple(moved(each, _after((), node)) for each in in_groups(statements_of(body_of(theirs)))[0])
    return with_body(node, replace(body, statements=(*new, *statements_of(body))))


def with_steps(node: Any, theirs: Any, path: str) -> Any:
    """Return the clause with the steps of the transcription's clause, in which its own inner clauses are placed."""
    body, other = body_of(node), body_of(theirs)
    choices, requirements, states, steps = in_groups(statements_of(body))
    there = {inner: each for step in steps for inner, parent, each in clauses_in(step, path) if parent == path}
    last = _after(statements_of(body), node)
    # The second argument of `get` is the node itself, which stays where the game has no such clause.
    merged = [rewritten(moved(step, last), there.get, path) for step in in_groups(statements_of(other))[3]]
    order = [each.label for each in steps if isinstance(each, s.Clause)]
    placed = {inner for step in merged for inner, parent, _ in clauses_in(step, path) if parent == path}
    for step in steps:
        if isinstance(step, s.Clause) and clause_path(step, path) not in placed:
            merged = _with_step(merged, step, order, last)
    statements = (*choices, *requirements, *states, *merged)
    # The transcriber wrote a single statement without a block around it.
    if len(statements) == 1 and not isinstance(other, s.Block):
        return with_body(node, statements[0])
    return with_body(node, s.Block(body.span, statements))


def is_ordered_otherwise(node: Any, labels: Sequence[str]) -> bool:
    """Return whether a block has its labelled steps in another order than `labels`. Only shared labels count."""
    own = [each.label for each in statements_of(body_of(node)) if isinstance(each, s.Clause)]
    return [each for each in own if each in labels] != [each for each in labels if each in own]
