"""`ludex validate --explain N`: one event with every requirement that is tested for it, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ludex.grammar import Message, in_language
from ludex.interpreter import (
    Examined,
    ExplainedEvent,
    Log,
    NotationWriter,
    Play,
    Validator,
    event_at,
    explain_event,
    glossed,
    is_partial,
    line_of,
    why,
)
from ludex.spec import Game

from ..reporting import Exit, Reporter, Texts, file_called, json_text, language, patiently, put, say, style, told, words
from .judged import EXITS

_WORDS = {True: ("walk-holds", "green"), False: ("walk-fails", "red"), None: ("walk-open", "yellow")}


def show_explained(
    validator: Validator,
    log: Log,
    at: tuple[int | None, int | None],
    texts: Texts,
    as_json: bool,
    fills: bool = False,
    resyncs: bool = False,
) -> Exit:
    """Print the walk through an event. Raises UsageError if the log has no such event.

    at: the number of the event, or of its line. fills, resyncs: as in `explain_event`.
    """
    number, line = at
    if line is not None:
        found = event_at(validator, log, line)
        if found is None:
            raise click.UsageError(Message("usage-explain-line", line=line, file=log.file))
        if isinstance(found, Play):
            return _not_reached(found, line, texts, as_json)
        number = found
    assert number is not None
    explained = patiently("report-judging", lambda: explain_event(validator, log, number, fills, resyncs))
    if isinstance(explained, Play):
        return _not_reached(explained, number, texts, as_json)
    if as_json:
        put(json_text(_to_json(explained)))
    else:
        say("\n".join(_rows(explained)))
    return Exit.GOOD if explained.is_legal else Exit.FINDINGS


def _not_reached(play: Play, number: int, texts: Texts, as_json: bool) -> Exit:
    report = play.report
    events = Message("count-events", count=report.events)
    beyond = Message("usage-beyond-explain", at=str(number), file=file_called(report.file), events=events)
    if play.engine is not None and number > report.events:
        raise click.UsageError(beyond)
    # The replay stopped before this event, so the reason is what the reader has to know first.
    if report.stopped_at is not None or any(finding.is_error for finding in report.findings):
        Reporter(texts).show(report.findings, as_json)
        if not as_json and play.engine is not None:
            say(words("explain-after-fault", number=number), err=True)
        return max(EXITS[report.verdict], Exit.FINDINGS)
    raise click.UsageError(beyond)


def _rows(explained: ExplainedEvent) -> Iterator[str]:
    game = explained.engine.game
    verdict = "walk-legal" if explained.is_legal else "walk-illegal"
    # In a log with unknown values the event may be legal in some of the possible states only.
    if explained.is_legal and not explained.is_certain:
        verdict = "walk-unseen-legal" if is_partial(explained.event) else "walk-may-be-legal"
    event = NotationWriter(game, explained.names, language()).event(explained.event)
    yield style(words(verdict, number=explained.number, event=event), bold=True)
    for each in explained.examined:
        word, colour = _WORDS[each.holds]
        yield f"  {style(words(word), fg=colour)}  {told(glossed(game, each.path))}{_authority(game, each)}"
        yield from (f"         {told(fact)}" for fact in each.facts)


def _authority(game: Game, examined: Examined) -> str:
    """Return the citation of a clause; a choice may have no clause of its own."""
    if examined.path not in game.clauses:
        return ""
    (clause,) = why(game, (examined.path,)) or (None,)
    return f"  {told(clause.authority)}" if clause and clause.authority else ""


def _to_json(explained: ExplainedEvent) -> dict[str, Any]:
    game = explained.engine.game
    return {
        "number": explained.number,
        "event": line_of(game, explained.event, explained.names),
        "legal": explained.is_legal,
        "known": explained.is_known,
        "certain": explained.is_certain,
        "examined": [
            {
                "clause": each.path,
                "authority": _authority(game, each).strip(),
                "holds": each.holds,
                "facts": [in_language(fact, language()) for fact in each.facts],
                "file": each.span.file,
                "line": each.span.line,
            }
            for each in explained.examined
        ],
    }
