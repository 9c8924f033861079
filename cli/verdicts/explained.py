"""`ludex validate --explain N`: one event with every requirement that is tested for it, or what a line says of the
state, part by part; as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ludex.grammar import InNotation, Message, enumerated, in_language
from ludex.interpreter import (
    AskedLine,
    ExplainedEvent,
    ExplainedLine,
    Log,
    NotationWriter,
    Play,
    Validator,
    explain_event,
    explain_line,
    glossed,
    is_partial,
    line_at,
    line_of,
    line_of_event,
    why,
)
from ludex.spec import Game

from ..reporting import (
    Exit,
    Reporter,
    Texts,
    file_called,
    json_text,
    language,
    patiently,
    put,
    say,
    style,
    translated,
    words,
)
from .judged import EXITS

_WORDS = {True: ("walk-holds", "green"), False: ("walk-fails", "red"), None: ("walk-open", "yellow")}
_LINES = {True: "part-true", False: "part-false", None: "part-open"}


@dataclass(frozen=True, slots=True)
class _Asked:
    """The request of `--explain`: an event, by its number, and what a line says of the state; None: it has none."""

    event: int | None
    line: AskedLine | None


def show_explained(
    validator: Validator,
    log: Log,
    at: tuple[int | None, int | None],
    texts: Texts,
    as_json: bool,
    fills: bool = False,
    resyncs: bool = False,
) -> Exit:
    """Print the walk through an event, and through what its line says of the state.

    Raises UsageError if the log has no such event, or nothing in that line that can be explained.

    at: the number of the event, or of its line. fills, resyncs: as in `explain_event`.
    """
    # An option that was given has led no further.
    ways = [f"`{option}`" for option, given in (("--resync", resyncs), ("--fill", fills)) if not given]
    asked = _asked(validator, log, *at)
    if isinstance(asked, Play):
        return _not_reached(asked, at, texts, as_json, ways)
    found = list[ExplainedEvent | ExplainedLine]()
    if (number := asked.event) is not None:
        event = patiently("report-judging", lambda: explain_event(validator, log, number, fills, resyncs))
        if isinstance(event, Play):
            return _not_reached(event, (number, None), texts, as_json, ways)
        found.append(event)
    # After an illegal event there is no state of which the line could say anything.
    if (telling := asked.line) is not None and all(map(_is_good, found)):
        line = patiently("report-judging", lambda: explain_line(validator, log, telling, fills, resyncs))
        if isinstance(line, Play):
            return _not_reached(line, (None, telling.line), texts, as_json, ways)
        found.append(line)
    if as_json:
        put(json_text({name: value for each in found for name, value in _to_json(each).items()}))
    else:
        say("\n".join(row for each in found for row in _to_rows(each)))
    return Exit.GOOD if all(map(_is_good, found)) else Exit.FINDINGS


def _is_good(explained: ExplainedEvent | ExplainedLine) -> bool:
    return explained.is_legal if isinstance(explained, ExplainedEvent) else explained.holds is not False


def _asked(validator: Validator, log: Log, number: int | None, line: int | None) -> _Asked | Play:
    """Find what is to be explained. Raises UsageError for a line with neither an event nor anything about the state."""
    if line is None:
        assert number is not None
        at = line_of_event(validator, log, number)
        # What a line says is about the state after the last of its events.
        is_last = at is not None and at.tells and number == at.before + at.count
        return _Asked(number, at if is_last else None)
    found = line_at(validator, log, line)
    if isinstance(found, Play):
        return found
    if found is None:
        raise click.UsageError(Message("usage-explain-nothing", line=line, file=log.file))
    if not found.count and not found.tells:
        what = enumerated(found.kinds)
        raise click.UsageError(Message("usage-explain-line", line=line, file=log.file, what=what))
    return _Asked(found.before + 1 if found.count else None, found if found.tells else None)


def _not_reached(
    play: Play, at: tuple[int | None, int | None], texts: Texts, as_json: bool, ways: Sequence[str]
) -> Exit:
    """Report why the play does not reach an event, or a line, if only that is given. ways: options that may help."""
    report, (number, line) = play.report, at
    events = Message("count-events", count=report.events)
    beyond = Message("usage-beyond-explain", at=str(number), file=file_called(report.file), events=events)
    if play.engine is not None and number is not None and number > report.events:
        raise click.UsageError(beyond)
    # The replay stopped before this event, so the reason is what the reader has to know first.
    if report.stopped_at is not None or any(finding.is_error for finding in report.findings):
        Reporter(texts).show(report.findings, as_json)
        if not as_json and play.engine is not None:
            after = Message("explain-line-after-fault", line=line or 0)
            after = after if number is None else Message("explain-after-fault", number=number)
            more = Message("explain-may-lead", after=after, options=enumerated(ways, "or")) if ways else after
            say(translated(more), err=True)
        return max(EXITS[report.verdict], Exit.FINDINGS)
    raise click.UsageError(beyond)


# ---- as text


def _to_rows(explained: ExplainedEvent | ExplainedLine) -> Iterator[str]:
    return _event_rows(explained) if isinstance(explained, ExplainedEvent) else _line_rows(explained)


def _event_rows(explained: ExplainedEvent) -> Iterator[str]:
    game = explained.engine.game
    verdict = "walk-legal" if explained.is_legal else "walk-illegal"
    # In a log with unknown values the event may be legal in some of the possible states only.
    if explained.is_legal and not explained.is_certain:
        verdict = "walk-unseen-legal" if is_partial(explained.event) else "walk-may-be-legal"
    event = InNotation(NotationWriter(game, explained.names, language()).event(explained.event))
    yield style(words(verdict, number=explained.number, event=event), bold=True)
    for each in explained.examined:
        yield from _rows(each.holds, f"{translated(glossed(game, each.path))}{_cited(game, (each.path,))}", each.facts)


def _line_rows(explained: ExplainedLine) -> Iterator[str]:
    asked, game = explained.asked, explained.engine.game
    what, events = enumerated(asked.kinds), asked.before + asked.count
    yield style(words(_LINES[explained.holds], line=asked.line, events=events, what=what), bold=True)
    for part in explained.parts:
        yield from _rows(part.holds, f"{translated(part.sentence)}{_cited(game, part.clauses)}", part.facts)


def _rows(holds: bool | None, what: str, facts: Sequence[str]) -> Iterator[str]:
    word, colour = _WORDS[holds]
    yield f"  {style(words(word), fg=colour)}  {what}"
    yield from (f"         {translated(fact)}" for fact in facts)


def _cited(game: Game, paths: Sequence[str]) -> str:
    """Return the citation of the clause that decides, to be put after it; none where several do."""
    authority = _authority(game, paths[0]) if len(paths) == 1 else ""
    return f"  {translated(authority)}" if authority else ""


def _authority(game: Game, path: str) -> str:
    """Return the citation of a clause; a choice may have no clause of its own."""
    if path not in game.clauses:
        return ""
    (clause,) = why(game, (path,)) or (None,)
    return clause.authority if clause else ""


# ---- as JSON


def _to_json(explained: ExplainedEvent | ExplainedLine) -> dict[str, Any]:
    return _event_json(explained) if isinstance(explained, ExplainedEvent) else _line_json(explained)


def _event_json(explained: ExplainedEvent) -> dict[str, Any]:
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
                "authority": translated(_authority(game, each.path)),
                "holds": each.holds,
                "facts": _in_words(each.facts),
                "file": each.span.file,
                "line": each.span.line,
            }
            for each in explained.examined
        ],
    }


def _line_json(explained: ExplainedLine) -> dict[str, Any]:
    asked, game = explained.asked, explained.engine.game
    parts = [
        {
            "pointer": part.pointer,
            "says": in_language(part.sentence, language()),
            "holds": part.holds,
            "facts": _in_words(part.facts),
            "why": [{"clause": path, "authority": translated(_authority(game, path))} for path in part.clauses],
        }
        for part in explained.parts
    ]
    events = asked.before + asked.count
    return {"says": {"line": asked.line, "events": events, "holds": explained.holds, "parts": parts}}


def _in_words(facts: Sequence[str]) -> list[str]:
    return [in_language(fact, language()) for fact in facts]
