"""Reports and findings as JSON. Later versions may add members; they never rename or remove one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludex.grammar import Diagnostic, Span, Why, in_language

from ..collection.splitting import LogText
from ..tracking.clause_text import Rule
from ..tracking.report import LeftOut, Report, Result


def finding_to_json(finding: Diagnostic, language: str | None = None) -> dict[str, Any]:
    """Write a finding as JSON. Empty members are left out, except those that every finding has. language: of its words;
    None: English, with the names that the spec has for the things of the game."""

    def say(text: str) -> str:
        return in_language(text, language)

    members = {
        "code": finding.code.code,
        "name": finding.code.name,
        "severity": finding.code.severity.value,
        "message": say(finding.message),
        **place_to_json(finding.span),
        "pointer": finding.pointer,
        "hint": say(finding.hint) if finding.hint else None,
        "why": [_why_to_json(each, language) for each in finding.why],
        "legal": list(finding.legal),
        "notes": [
            {"message": say(note.message), **(place_to_json(note.span) if note.span else {})} for note in finding.notes
        ],
    }
    return {name: value for name, value in members.items() if value not in (None, [])}


def _why_to_json(why: Why, language: str | None) -> dict[str, Any]:
    members = {"text": why.text if isinstance(why, Rule) else None, "borrowed_from": why.lender}
    members = {name: value for name, value in members.items() if value}
    return {
        "clause": why.clause,
        "authority": in_language(why.authority, language),
        **members,
        **(place_to_json(why.span) if why.span else {}),
    }


def place_to_json(span: Span) -> dict[str, Any]:
    """Write a span as the members that locate it."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def report_to_json(report: Report, language: str | None = None, source: LogText | None = None) -> dict[str, Any]:
    """Write a report as JSON. Seats count from 1.

    Args:
        language: as in `finding_to_json`.
        source: where the log is, if its file may hold several.
    """
    place = {"number": source.number, "line": source.line} if source else {}
    return {
        "file": report.file,
        **place,
        "verdict": report.verdict.value,
        "game": report.game,
        "edition": report.edition,
        "silence": report.silence,
        "players": list(report.header.names) or report.header.players if report.header else None,
        "events": report.events,
        "replayed": report.replayed,
        "stopped_at": report.stopped_at.line if report.stopped_at else None,
        **({"resumed": True} if report.resumed else {}),
        "left_out": _left_out(report.left_out),
        **({"left_out_in_one_completion": True} if report.in_one_completion else {}),
        **({"missing": _left_out(report.missing)} if report.missing else {}),
        **({"consequences": [each.line for each in report.consequences]} if report.consequences else {}),
        "result": _result(report),
        "findings": [finding_to_json(finding, language) for finding in report.findings],
    }


def _left_out(events: Iterable[LeftOut]) -> list[dict[str, Any]]:
    return [{"before_line": each.span.line, "event": each.line} for each in events]


def _result(report: Report) -> dict[str, Any] | None:
    """Write the result that the rules gave, or with which the players ended the game before."""
    if report.early_end is not None:
        end = report.early_end
        player = None if end.player is None else end.player + 1
        return {"by": end.by, "player": player, "winners": [seat + 1 for seat in end.winners]}
    return None if report.result is None else {"by": "rules", **result_to_json(report.result)}


def result_to_json(result: Result) -> dict[str, Any]:
    """Write the result of a play as JSON."""
    outcome = result.outcome
    return {
        "scores": [scores.total for scores in result.scores],
        "breakdown": [dict(scores.breakdown) for scores in result.scores],
        "winners": [] if outcome.undecided else [seat + 1 for seat in outcome.winners],
        "decided_by": outcome.criterion,
        "shared": outcome.shared,
        "undecided": outcome.undecided,
    }
