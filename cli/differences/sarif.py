"""The report of `ludex diff` as SARIF 2.1.0, for tools that show findings beside the files they are about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

from ludex.grammar import Diagnostic, Span
from ludex.interpreter import Finding
from ludex.spec import Hint, Kind, Row

from ..texts import is_whole
from . import hints as h
from . import sums
from . import telling as t
from . import words as w

Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "ludexDivergence/v1"
HINT = "hint"
"""The rule of places to read again."""
TEXTS = "TEXTS"
"""The folder that holds the rulebooks, wherever a reader keeps it."""


def to_sarif(telling: t.Telling, version: str) -> Json:
    """The log of one run. version: of Ludex."""
    used = [kind for kind in get_args(Kind) if any(each.divergence.kind == kind for each in telling.told)]
    hints = telling.hints or ()
    rules = [*((kind, t.KINDS[kind]) for kind in used), *([(HINT, h.MEANING)] if hints else [])]
    driver = {
        "name": "ludex diff",
        "version": version,
        "rules": [{"id": kind, "shortDescription": {"text": words}} for kind, words in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(each) for each in telling.beside.notices],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {TEXTS: {"description": {"text": "The folder that holds the rulebooks' texts."}}},
        "results": [
            *(_result(telling, finding, used.index(finding.divergence.kind)) for finding in telling.told),
            *(_hint(telling, hint, len(used)) for hint in hints),
        ],
        "properties": {
            "game": telling.game,
            "editions": list(telling.comparison.editions),
            "leftOut": [telling.documents.get(tag, tag) for tag in telling.beside.left_out],
            "bounds": list(sums.bounds_rows(telling)),
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(telling: t.Telling, finding: Finding, rule: int) -> Json:
    divergence, ruling = finding.divergence, telling.ruling(finding)
    stated = divergence.row.stated
    found: Json = {
        "ruleId": divergence.kind,
        "ruleIndex": rule,
        "level": "note" if finding.effect == "none" else "warning",
        "message": _text(_message(telling, finding)),
        "locations": [_place(clause.node.span, divergence.row.clause) for clause in list(stated.values())[:1]],
        "relatedLocations": list(_related(telling, divergence.row)),
        "partialFingerprints": {FINGERPRINT: divergence.id},
        "properties": {
            "effect": finding.effect,
            "verdict": finding.verdict,
            "internal": divergence.internal,
            "candidate": finding.candidate,
        },
    }
    if ruling is not None:
        suppression = {"kind": "external", "status": "accepted", "justification": t.ruling_words(ruling)}
        found["suppressions"] = [suppression]
    return found


def _hint(telling: t.Telling, hint: Hint, rule: int) -> Json:
    """A note at the lines that are to be read again."""
    places = [
        {"id": number, **_lines(telling.documents.get(tag, tag), first, last), "message": _text(edition)}
        for number, (edition, tag, first, last) in enumerate(h.places(hint), start=1)
    ]
    return {
        "ruleId": HINT,
        "ruleIndex": rule,
        "level": "note",
        "message": _text(f"{hint.clause}: {', '.join(h.marks(hint))}: {hint.why}."),
        "locations": [{"physicalLocation": place["physicalLocation"]} for place in places[:1]],
        "relatedLocations": places[1:],
        "properties": {"kind": hint.kind, "clause": hint.clause, "editions": list(hint.editions)},
    }


def _notification(notice: Diagnostic) -> Json:
    """A warning of the run: it went on all the same."""
    hint = f" ({notice.hint})" if notice.hint else ""
    where: Json = {"artifactLocation": {"uri": _uri(notice.span.file)}}
    if not is_whole(notice.span):
        where["region"] = _region(notice.span)
    return {
        "descriptor": {"id": notice.code.code},
        "level": "warning",
        "message": _text(f"{notice.message}{hint}"),
        "locations": [{"physicalLocation": where}],
    }


def _text(words: str) -> Json:
    """A message. Curly brackets stand twice in one, since one alone would hold the place of an argument."""
    return {"text": words.replace("{", "{{").replace("}", "}}")}


def _message(telling: t.Telling, finding: Finding) -> str:
    """`take.enough: en against he (value, changes what may be done). en allows it; he refuses it.`"""
    divergence = finding.divergence
    groups = (
        f"{', '.join(group)}{' (silent)' if divergence.row.statements[group[0]] is None else ''}"
        for group in divergence.groups
    )
    told = [f"{divergence.row.clause}: {' against '.join(groups)} ({', '.join(t.marks(telling, finding))})."]
    told += [f"{remark[:1].upper()}{remark[1:]}." for remark in t.remarks(telling, finding)]
    if finding.witness is not None:
        told += [f"{w.side_words(side)}." for side in (finding.witness.left, finding.witness.right)]
    return " ".join(told)


def _related(telling: t.Telling, row: Row) -> Iterator[Json]:
    """Where the other editions say it in their specs, and all of them in their books, or would say it."""
    stated = list(row.stated.items())
    places = [(_place(clause.node.span, clause.path), f"{name}: {clause.path}") for name, clause in stated[1:]]
    cited = [(clause.authority.citations, f"{name}: the lines cited") for name, clause in stated]
    cited += [(lines, f"{name}: says nothing; it would stand near these lines") for name, lines in row.near.items()]
    for citations, words in cited:
        for citation in citations:
            document = telling.documents.get(citation.document, citation.document)
            places += [(_lines(document, *lines), words) for lines in citation.lines]
    for number, (place, words) in enumerate(places, start=1):
        yield {"id": number, **place, "message": _text(words)}


def _place(span: Span, clause: str) -> Json:
    physical = {"artifactLocation": {"uri": _uri(span.file)}, "region": _region(span)}
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": clause}]}


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _lines(document: str, first: int, last: int) -> Json:
    place = {"uri": quote(document), "uriBaseId": TEXTS}
    return {"physicalLocation": {"artifactLocation": place, "region": {"startLine": first, "endLine": last}}}


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
