"""Reports and findings as JSON: members are added in later versions, never renamed or taken away."""

from __future__ import annotations

from typing import Any

from ludex.grammar import Diagnostic, Span, Why

from .clause_text import Rule
from .validate import Report, Result


def finding_to_json(finding: Diagnostic) -> dict[str, Any]:
    """A finding as JSON. Members without content are left out, but for those that every finding has."""
    found = {
        "code": finding.code.code,
        "name": finding.code.name,
        "severity": finding.code.severity.value,
        "message": finding.message,
        **place_to_json(finding.span),
        "pointer": finding.pointer,
        "hint": finding.hint,
        "why": [_why_to_json(each) for each in finding.why],
        "legal": list(finding.legal),
        "notes": [
            {"message": note.message, **(place_to_json(note.span) if note.span else {})} for note in finding.notes
        ],
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _why_to_json(why: Why) -> dict[str, Any]:
    said = {"text": why.text if isinstance(why, Rule) else None, "borrowed_from": why.lender}
    said = {name: value for name, value in said.items() if value}
    return {"clause": why.clause, "authority": why.authority, **said, **(place_to_json(why.span) if why.span else {})}


def place_to_json(span: Span) -> dict[str, Any]:
    """A span as the members that say where something stands."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def report_to_json(report: Report) -> dict[str, Any]:
    """A report as JSON. Seats count from 1."""
    return {
        "file": report.file,
        "verdict": report.verdict.value,
        "game": report.game,
        "edition": report.edition,
        "silence": report.silence,
        "players": list(report.header.names) or report.header.players if report.header else None,
        "events": report.events,
        "replayed": report.replayed,
        "stopped_at": report.stopped_at.line if report.stopped_at else None,
        "left_out": [{"before_line": each.span.line, "event": each.line} for each in report.left_out],
        "result": result_to_json(report.result) if report.result else None,
        "findings": [finding_to_json(finding) for finding in report.findings],
    }


def result_to_json(result: Result) -> dict[str, Any]:
    """How a play ended, as JSON."""
    outcome = result.outcome
    return {
        "scores": [scores.total for scores in result.scores],
        "breakdown": [dict(scores.breakdown) for scores in result.scores],
        "winners": [] if outcome.undecided else [seat + 1 for seat in outcome.winners],
        "decided_by": outcome.criterion,
        "shared": outcome.shared,
        "undecided": outcome.undecided,
    }
