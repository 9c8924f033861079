"""Source text of the clauses of a finding, as the spec's files have it."""

from __future__ import annotations

from collections.abc import Iterable

from ludex.grammar import Span, Why, value_class
from ludex.spec import model as m

from ...explanation.spec_quotes import source_text


@value_class
class Rule(Why):
    """A clause of a finding. text: its source on one line; None if it has several lines, or its file is missing."""

    text: str | None = None


def worded(game: m.Game, reasons: Iterable[Why]) -> tuple[Why, ...]:
    """Return the clauses as `Rule`s, with their source text."""
    return tuple(
        Rule(each.clause, each.authority, each.span, each.lender, each.citations, _clause_text(game, each.clause))
        for each in reasons
    )


def _clause_text(game: m.Game, path: str) -> str | None:
    from ...explanation.refusals import requirements  # imported late: a log without findings does not need it

    requirement = next(requirements(game, path), None)
    if requirement is not None:
        return _requirement_text(requirement)
    clause = game.clauses.get(path)
    if clause is None or clause.span.end_line > clause.span.line:
        return None
    # The citation of a clause is not part of its words; a report shows it beside them.
    cited = clause.authority.span if clause.authority else None
    inside = cited is not None and (cited.file, cited.line) == (clause.span.file, clause.span.line)
    end = cited.column if cited is not None and inside and cited.column > clause.span.column else clause.span.end_column
    return source_text(Span(clause.span.file, clause.span.line, clause.span.column, clause.span.line, end))


def _requirement_text(requirement: m.Requirement) -> str | None:
    text = source_text(requirement.span.to(requirement.condition.span))
    return f"where {text}" if text and requirement.label is None else text
