"""The rules behind a finding in their own words, as the spec's files have them, and the values by which one failed.

The words are looked up where a report is made and nowhere else: a game that plays needs none of them. Where the files
are not at hand any more, a report does without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ludex.grammar import Note, Span, Why, read_text
from ludex.spec import model as m
from ludex.spec import show

from ..engine import Engine
from ..evaluate import UNDECIDED, Slots
from ..events import Move, Refusal
from ..instructions import Decide, Together, as_player
from ..options import OptionCode
from ..state import State
from ..walk import nodes

HOME = Path(__file__).resolve().parents[2]
"""From where the places of shipped games are told."""
LONGEST_VALUE = 60
"""A longer value explains nothing."""


@dataclass(frozen=True, slots=True)
class Rule(Why):
    """A clause behind a finding. text: its words on one line; None for one of many lines, or without its file."""

    text: str | None = None


def worded(game: m.Game, reasons: Iterable[Why]) -> tuple[Why, ...]:
    """The same clauses with their words."""
    return tuple(
        Rule(each.clause, each.authority, each.span, each.lender, _clause_text(game, each.clause)) for each in reasons
    )


def _clause_text(game: m.Game, path: str) -> str | None:
    found = next(_requirements(game, path), None)
    if found is not None:
        return _requirement_text(found)
    clause = game.clauses.get(path)
    if clause is None or clause.span.end_line > clause.span.line:
        return None
    cited = clause.authority.span if clause.authority else None
    inside = cited is not None and (cited.file, cited.line) == (clause.span.file, clause.span.line)
    end = cited.column if cited is not None and inside and cited.column > clause.span.column else clause.span.end_column
    return source_text(Span(clause.span.file, clause.span.line, clause.span.column, clause.span.line, end))


def _requirements(game: m.Game, path: str) -> Iterator[m.Requirement]:
    """The requirements of this path: one, or the conditions of the choices that stand in one clause."""
    owner = path.split(".", maxsplit=1)[0]
    routines = {"setup": game.setup, "play": game.play, **game.actions}
    for node in nodes(routines[owner]) if routines.get(owner) else ():
        if isinstance(node, m.Requirement) and node.path == path:
            yield node


def _requirement_text(requirement: m.Requirement) -> str | None:
    start, end = requirement.span, requirement.condition.span
    text = source_text(Span(start.file, start.line, start.column, end.end_line, end.end_column))
    return f"where {text}" if text and start == end else text


def source_text(span: Span) -> str | None:
    """What stands at a place of a spec, on one line and without comments; None if its file cannot be read."""
    for path in (HOME / span.file, Path(span.file)):
        text, _ = read_text(path)
        if text is not None:
            lines = text.split("\n")[span.line - 1 : span.end_line]
            lines[-1:] = [line[: span.end_column - 1] for line in lines[-1:]]
            lines[:1] = [line[span.column - 1 :] for line in lines[:1]]
            return " ".join(" ".join(re.sub(r"#.*", "", line) for line in lines).split()) or None
    return None


# ---- why a requirement failed ---------------------------------------------------------------------------------------


def failures(engine: Engine, state: State, refusal: Refusal) -> tuple[Note, ...]:
    """Where each requirement stands that the move does not meet, with the values by which it fails."""
    return tuple(
        Note(f"`{path}` does not hold{_values_words(engine, state, refusal, each)}", each.condition.span)
        for path in refusal.clauses
        for each in _requirements(engine.game, path)
        if _fails(engine, state, refusal, each)
    )


def _fails(engine: Engine, state: State, refusal: Refusal, requirement: m.Requirement) -> bool:
    """False only if it is sure that the requirement is met."""
    slots = _slots(engine, state, refusal.event, requirement)
    try:
        return slots is None or not engine.machine.value(requirement.condition, state, slots)
    except UNDECIDED:
        return True


def _slots(engine: Engine, state: State, event: object, requirement: m.Requirement) -> Slots | None:
    """The slots with the stated values; None if the requirement is tested elsewhere than at the decision."""
    instruction = engine.machine.standing_at(state)
    if not isinstance(event, Move) or not isinstance(instruction, Decide | Together):
        return None
    mine = as_player(state.frames[-1].slots, event.player)
    tested = [(each, each.open(state, mine)) for each in instruction.options if _tests(each, event, requirement)]
    if not tested:
        return None
    meant = [(each, slots) for each, slots in tested if each.is_meant(slots, event.arguments)]
    (option, slots), given = (meant or tested)[0], dict(event.arguments)
    for choice in option.choices:
        slots[choice.slot] = given.get(choice.name)
    return slots


def _tests(option: OptionCode, move: Move, requirement: m.Requirement) -> bool:
    return option.name == move.action and any(
        (test.path, test.span) == (requirement.path, requirement.span) for stage in option.tests for test in stage
    )


def _values_words(engine: Engine, state: State, refusal: Refusal, requirement: m.Requirement) -> str:
    """`: card.cost = 6, my token = 5`"""
    slots = _slots(engine, state, refusal.event, requirement)
    if slots is None:
        return ""
    try:
        failed = _failed(engine, state, slots, requirement.condition)
        words = [_value_words(engine, state, slots, each) for each in _operands(failed)]
    except UNDECIDED:
        return ""
    found = [word for word in dict.fromkeys(words) if word]
    return f": {', '.join(found)}" if found else ""


def _failed(engine: Engine, state: State, slots: Slots, expr: m.Expr) -> m.Expr:
    """The innermost part of a condition that fails by itself."""
    match expr:
        case m.Logic(operator="implies", right=right):
            return _failed(engine, state, slots, right)
        case m.Logic(operator="and", left=left, right=right):
            return _failed(engine, state, slots, right if engine.machine.value(left, state, slots) else left)
        case _:
            return expr


def _operands(expr: m.Expr) -> tuple[m.Expr, ...]:
    match expr:
        case m.Comparison(left=left, right=right):
            return left, right
        case m.Member(item=item, collection=m.IntervalExpr(low=low, high=high)):
            return item, low, high
        case m.Member(item=item, collection=collection):
            return item, collection
        case m.EmptyTest(operand=operand) | m.NotExpr(operand=operand):
            return (operand,)
        case _:
            return ()


def _value_words(engine: Engine, state: State, slots: Slots, expr: m.Expr) -> str | None:
    """None for what says its value itself, and for what is too long to tell."""
    value, text = show(expr.type, engine.machine.value(expr, state, slots)), source_text(expr.span)
    return f"{text} = {value}" if text and value != text and len(value) <= LONGEST_VALUE else None
