"""A clause as a reader of specs sees it: its canonical text, without what it rests on."""

from __future__ import annotations

from collections.abc import Iterable

from ludex.grammar import format_declaration, format_expression, format_statement
from ludex.grammar import syntax as s

from ..clauses import pattern_name
from .said import Said


def formal(clause: Said) -> str:
    """The text of a clause, clauses inside it included."""
    match clause.node:
        case s.Clause() | s.Require():
            return format_statement(clause.node, authority=False).rstrip("\n")
        case s.ValueArm(patterns=patterns, value=value):
            return f"{pattern_name(patterns)} => {_value(value)}"
        case s.StepArm(patterns=patterns, body=body):
            return f"{pattern_name(patterns)} => {_step(body)}"
        case s.ValueException(label=label, value=value, condition=condition):
            return _exception(label, "" if value is None else format_expression(value), condition)
        case s.StepException(label=label, statement=statement, condition=condition):
            return _exception(label, "nothing" if statement is None else _step(statement), condition)
        case s.Criterion(label=label, kind=kind, value=value):
            return " ".join(filter(None, (f"{label}:", kind, format_expression(value) if value else "")))
        case s.Term():
            return clause.path.partition(".")[2] + ": " + str(clause.form[1] if isinstance(clause.form, tuple) else "")
        case node:
            return format_declaration(node, authority=False).rstrip("\n")  # type: ignore[arg-type]


def _value(body: s.ValueBody) -> str:
    lets = [f"let {let.name} = {format_expression(let.value)}" for let in body.lets]
    match body.value:
        case s.ValueMatch(subject=subject, arms=arms):
            rows = (f"  {pattern_name(arm.patterns)} => {_value(arm.value)}" for arm in arms)
            value = "\n".join((f"match {format_expression(subject)}", *rows))
        case expression:
            value = format_expression(expression)
    exceptions = (_exception(e.label, _waived(e.value), e.condition) for e in body.exceptions)
    return _block((*lets, value, *exceptions))


def _waived(value: s.Expression | None) -> str:
    return "" if value is None else format_expression(value)


def _step(node: s.Statement) -> str:
    match node:
        case s.Block(statements=statements):
            return _block(map(_step, statements))
        case _:
            return format_statement(node, authority=False).rstrip("\n")


def _block(lines: Iterable[str]) -> str:
    """One line as it is; several below each other, indented."""
    found = tuple(lines)
    return found[0] if len(found) == 1 else "".join(f"\n{line}" for line in found).replace("\n", "\n  ")


def _exception(label: str, what: str, condition: s.Expression) -> str:
    said = f"{what} " if what else ""
    return f"except {label}: {said}when {format_expression(condition)}"
