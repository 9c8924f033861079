"""`ludex validate --explain N`: one event with every requirement that it is held to, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ludex.interpreter import Examined, ExplainedEvent, Log, Play, Validator, explain_event, line_of, notation, why
from ludex.spec import Game

from ..reporting.diagnostics import Reporter, json_text
from ..reporting.exit_codes import Exit
from ..reporting.source_excerpts import Texts, visible
from ..reporting.terminal import put, say, style
from .judged import EXITS

_WORDS = {True: ("holds", "green"), False: ("fails", "red"), None: ("open", "yellow")}


def show_explained(validator: Validator, log: Log, number: int, texts: Texts, as_json: bool) -> Exit:
    """Print the walk through the event with this number. Raises UsageError if the log has no such event."""
    explained = explain_event(validator, log, number)
    if isinstance(explained, Play):
        return _not_reached(explained, number, texts, as_json)
    if as_json:
        put(json_text(_to_json(explained)))
    else:
        say("\n".join(_rows(explained)))
    return Exit.GOOD if explained.is_legal else Exit.FINDINGS


def _not_reached(play: Play, number: int, texts: Texts, as_json: bool) -> Exit:
    report = play.report
    if any(finding.is_error for finding in report.findings):
        Reporter(texts).show(report.findings, as_json)
        return EXITS[report.verdict]
    if report.replayed >= number:
        raise click.UsageError(
            f"{report.file} leaves things `unknown` before event {number}, so it cannot be explained"
        )
    raise click.UsageError(f"--explain {number}: {report.file} has {report.events} events")


def _rows(explained: ExplainedEvent) -> Iterator[str]:
    game = explained.engine.game
    verdict = "is legal" if explained.is_legal else "is not legal"
    text = visible(notation(game, explained.event, explained.names))
    yield style(f"event {explained.number}: {text} {verdict}", bold=True)
    for each in explained.examined:
        word, colour = _WORDS[each.holds]
        yield f"  {style(word, fg=colour)}  {each.path}{_authority(game, each)}"
        yield from (f"         {visible(fact)}" for fact in each.facts)


def _authority(game: Game, examined: Examined) -> str:
    """Return the citation of a clause; a choice may have no clause of its own."""
    if examined.path not in game.clauses:
        return ""
    (clause,) = why(game, (examined.path,)) or (None,)
    return f"  {clause.authority}" if clause and clause.authority else ""


def _to_json(explained: ExplainedEvent) -> dict[str, Any]:
    game = explained.engine.game
    return {
        "number": explained.number,
        "event": line_of(game, explained.event, explained.names),
        "legal": explained.is_legal,
        "examined": [
            {
                "clause": each.path,
                "authority": _authority(game, each).strip(),
                "holds": each.holds,
                "facts": list(each.facts),
                "file": each.span.file,
                "line": each.span.line,
            }
            for each in explained.examined
        ],
    }
