"""Findings about editions as JSON: what `ludex diff --format json` prints (`difference_schema`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

from ludex.grammar import Citation, Diagnostic
from ludex.spec import Comparison, Divergence, Gap, Hint, Row, Ruling, Said, formal

from ..logs import finding_to_json
from .deciding import Decision
from .findings import Bounds, Effort, Finding, Shown, Side

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the findings of a run, by the divergence's id.

    Attributes:
        marks: the fingerprint of what each edition says, for rulings.
        rulings: what was decided.
        logs: where the logs of its witnesses were written, in their order.
        hints: places where a transcriber may have erred; no findings.
        left_out: the texts, by tag, of which no words are used, though they were asked for.
        notices: what else is to be told of the run, such as why a text is left out, or which rulings hold no more.
    """

    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    logs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hints: Sequence[Hint] = ()
    left_out: Sequence[str] = ()
    notices: Sequence[Diagnostic] = ()


NOTHING_BESIDE = Beside()


def comparison_to_json(
    game: str,
    comparison: Comparison,
    findings: Iterable[Finding],
    documents: Mapping[str, str],
    beside: Beside = NOTHING_BESIDE,
    effort: Effort | None = None,
) -> Json:
    """A whole run. documents: the file of each text by the tag that citations use. effort: of the search, if there was
    one."""
    found = list(findings)
    agreed = [each for each in found if each.is_agreement]
    return {
        "game": game,
        "editions": list(comparison.editions),
        "divergences": [
            divergence_to_json(finding, documents, beside) for finding in found if not finding.is_agreement
        ],
        "agreements": [
            *(_agreement(row, documents, "form") for row in comparison.agreements),
            *(_agreement(each.divergence.row, documents, _decided_by(each)) for each in agreed),
        ],
        "hints": [hint_to_json(hint, documents) for hint in beside.hints],
        "left_out": [documents.get(tag, tag) for tag in beside.left_out],
        "notices": [finding_to_json(each) for each in beside.notices],
        "bounds": {**bounds_to_json(found), "effort": None if effort is None else _effort(effort)},
    }


def divergence_to_json(finding: Finding, documents: Mapping[str, str], beside: Beside = NOTHING_BESIDE) -> Json:
    """One finding, as `divergence` of the schema has it. documents: the name of each by its tag."""
    divergence = finding.divergence
    ruling, logs = beside.rulings.get(divergence.id), beside.logs.get(divergence.id, ())
    witnesses = [_witness(shown, log) for shown, log in zip_longest(finding.witnesses, logs)]
    return {
        "id": divergence.id,
        "clause": divergence.row.clause,
        "kind": divergence.kind,
        "verdict": finding.verdict,
        "effect": finding.effect,
        "internal": divergence.internal,
        "groups": [list(group) for group in divergence.groups],
        "odd": divergence.odd,
        "gap": None if divergence.gap is None else _gap(divergence.gap, documents),
        "under": list(divergence.under),
        "statements": _statements(divergence, documents),
        "near": {name: _lines(cited, documents) for name, cited in divergence.row.near.items()},
        "witness": witnesses[0] if witnesses else None,
        "others": witnesses[1:],
        "candidate": finding.candidate,
        "through": list(finding.through),
        "reason": finding.reason,
        "decision": None if finding.decision is None else _decision(finding.decision),
        "bounds": None if finding.bounds is None else _bounds(finding.bounds),
        "says": dict(beside.marks.get(divergence.id, {})),
        "ruling": None if ruling is None else {"decision": ruling.decision, "reason": ruling.reason},
    }


def _decision(decision: Decision) -> Json:
    """How the first two groups were compared without play."""
    sides = {"left": decision.left_only, "right": decision.right_only}
    if decision.left_only == decision.right_only:
        sides = {"neither": decision.left_only}
    return {
        "by": decision.by,
        "reason": decision.reason,
        "cases": [
            {"allowed_by": side, "players": case.players, "place": case.place, "state": list(case.told)}
            for side, case in sides.items()
            if case is not None
        ],
    }


def _gap(gap: Gap, documents: Mapping[str, str]) -> Json:
    return {
        "editions": list(gap.editions),
        "of": gap.of,
        "source": documents.get(gap.document, gap.document),
        "lines": list(gap.lines),
        "at_end": gap.at_end,
    }


def _statements(divergence: Divergence, documents: Mapping[str, str]) -> Json:
    return {
        name: None if clause is None else _statement(clause, documents)
        for name, clause in divergence.row.statements.items()
    }


def _statement(clause: Said, documents: Mapping[str, str]) -> Json:
    return {
        "clause": clause.path,
        "formal": formal(clause),
        "citations": citations_of(clause, documents),
        "rulings": [reason.text for reason in clause.authority.reasons if reason.kind == "ruling"],
        "file": clause.node.span.file,
        "line": clause.node.span.line,
    }


def _decided_by(finding: Finding) -> str:
    return (finding.decision and finding.decision.by) or "play"


def _agreement(row: Row, documents: Mapping[str, str], by: str) -> Json:
    return {
        "clause": row.clause,
        "by": by,
        "together": [each.clause for each in row.together],
        "citations": {name: _lines(row.citations(name), documents) for name in row.stated},
    }


def citations_of(clause: Said, documents: Mapping[str, str]) -> list[Json]:
    """Where the text stands: files and lines, each span by itself."""
    return _lines(clause.authority.citations, documents)


def _lines(citations: Iterable[Citation], documents: Mapping[str, str]) -> list[Json]:
    return [
        {"source": documents.get(citation.document, citation.document), "lines": [first, last]}
        for citation in citations
        for first, last in citation.lines
    ]


def hint_to_json(hint: Hint, documents: Mapping[str, str]) -> Json:
    """One hint, as `hint` of the schema has it. documents: the name of each by its tag."""
    return {
        "kind": hint.kind,
        "clause": hint.clause,
        "editions": list(hint.editions),
        "citations": {
            name: [{"source": documents.get(tag, tag), "lines": [first, last]} for tag, first, last in spans]
            for name, spans in hint.spans.items()
        },
        "words": {name: list(words) for name, words in hint.words.items()},
        "why": hint.why,
    }


def _witness(shown: Shown, log: str | None) -> Json:
    return {
        "log": log,
        "players": shown.players,
        "line": shown.line,
        "lines": [dict(line) for line in shown.lines],
        "left": _side(shown.left),
        "right": _side(shown.right),
        "apart": [{"after": each.after, "cells": [asdict(cell) for cell in each.cells]} for each in shown.apart],
    }


def _side(side: Side) -> Json:
    return {
        "edition": side.edition,
        "where": side.where,
        "allowed": side.allowed,
        "clauses": [{"clause": clause, "citations": list(cited)} for clause, cited in side.clauses],
        "told": side.told,
        "scores": None if side.scores is None else list(side.scores),
    }


def _bounds(bounds: Bounds) -> Json:
    return {
        "seeds": bounds.seeds,
        "events": bounds.events,
        "states": bounds.states,
        "depth": bounds.depth,
        "seconds": round(bounds.seconds, 1),
        "timed_out": bounds.timed_out,
        "tables": list(bounds.tables),
        "reached": bounds.reached,
        "faults": bounds.faults,
    }


def _effort(effort: Effort) -> Json:
    return {
        "events": effort.events,
        "seconds": effort.seconds,
        "seed": effort.seed,
        "players": list(effort.players),
    }


def bounds_to_json(findings: Iterable[Finding]) -> Json:
    """Of all searches together, with the clauses for which they did not go far enough, by name."""
    searched = [(each.divergence.row.clause, each.bounds) for each in findings if each.bounds is not None]
    bounds = [each for _, each in searched]
    return {
        "searches": len(bounds),
        "seeds": sum(each.seeds for each in bounds),
        "events": sum(each.events for each in bounds),
        "states": sum(each.states for each in bounds),
        "depth": max((each.depth for each in bounds), default=0),
        "seconds": round(sum(each.seconds for each in bounds), 1),
        "tables": sorted({players for each in bounds for players in each.tables}),
        "faults": sum(each.faults for each in bounds),
        "timed_out": sum(each.timed_out for each in bounds),
        "late": [clause for clause, each in searched if each.timed_out],
        "not_reached": sum(not each.reached for each in bounds),
        "unreached": [clause for clause, each in searched if not each.reached],
    }
