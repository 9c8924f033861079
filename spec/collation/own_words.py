"""A clause's own words: its text without the clauses nested in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludex.grammar import fields_of
from ludex.grammar import syntax as s

from .clause_normal_form import NormalForm, form
from .clause_tree import Labelled, body_of, clauses_in

EXCEPTIONS = (s.ValueException, s.StepException)


def own_form(node: Any) -> NormalForm:
    """Return the normal form of a clause's own words; for a block of clauses only, that of an empty block."""
    body = body_of(node)
    return form(without_clauses(body)) if body is not None else ()


def whole_form(body: Any) -> NormalForm:
    """Return the normal form of a body with the clauses inside it, but without its own exceptions."""
    return form(replace(body, exceptions=()) if isinstance(body, s.ValueBody) else body)


def rests_on_itself(node: Any) -> bool:
    """Return whether nothing inside a clause has citations of its own, so that the clause's lines cover all of it."""
    inside = (inner for _, _, inner in clauses_in(node) if inner is not node and not isinstance(inner, EXCEPTIONS))
    return not any(inner.authority.citations for inner in inside)


def holds_clauses(node: Any) -> bool:
    """Return whether a clause contains other clauses, not counting exceptions."""
    body = body_of(node)
    if body is None or isinstance(node, (*EXCEPTIONS, s.Criterion, s.NoteDeclaration, s.RefillDeclaration)):
        return isinstance(node, s.WinnerDeclaration)
    return any(not isinstance(inner, EXCEPTIONS) for _, _, inner in clauses_in(body))


def without_clauses(piece: Any) -> Any:
    """Return a tree without the clauses, exceptions and arms inside it."""
    match piece:
        # Outside a tuple a clause cannot be left out, so the next case puts an empty block there.
        case tuple():
            return tuple(without_clauses(item) for item in piece if not isinstance(item, Labelled))
        case s.Clause() | s.Require():
            return s.Block(piece.span, ())
        case s.Match():
            return replace(piece, arms=())
        case s.ValueMatch():
            return replace(piece, arms=())
        case s.ChooseBranch():
            return replace(piece, branches=())
        case s.ValueBody():
            return replace(piece, value=without_clauses(piece.value), exceptions=())
        case s.Node():
            values = {
                name: without_clauses(value) for name, value in fields_of(piece) if isinstance(value, s.Node | tuple)
            }
            return replace(piece, **values)
        case _:
            return piece


# ---- blocks -----------------------------------------------------------------------------------------------------


def statements_of(body: s.Statement) -> tuple[s.Statement, ...]:
    """Return the statements of a block, or the one statement that is not a block."""
    return body.statements if isinstance(body, s.Block) else (body,)


def in_groups(statements: tuple[s.Statement, ...]) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Return the statements of a block in four groups: choices, requirements, local states, steps.

    A choice after a requirement, and anything after a step, counts as a step, since its order matters."""
    leading = (s.ChooseValue, s.Require, s.LocalState)
    groups: tuple[list[Any], list[Any], list[Any], list[Any]] = ([], [], [], [])
    for statement in statements:
        at = next((n for n, kind in enumerate(leading) if isinstance(statement, kind)), 3)
        # What follows a step may depend on it, so it cannot move in front.
        late = bool(groups[3]) or (at == 0 and bool(groups[1]))
        groups[3 if late else at].append(statement)
    return groups


def loose(statements: list[Any]) -> NormalForm:
    """Return the normal form of the unlabelled statements of a block, without clauses inside them; () if none."""
    left = without_clauses(tuple(statements))
    return tuple(form(each) for each in left if form(each) != ("Block",))
