"""The verdict on a log in words: how much of it was played, how the game ended, who won."""

from __future__ import annotations

from ludex.interpreter import Report, Verdict, player_words

from ..reporting.diagnostics import plural, summary
from ..reporting.source_excerpts import visible
from ..reporting.terminal import style
from .display_names import Speech

COLOURS = {Verdict.LEGAL: "green", Verdict.FINDINGS: "red", Verdict.UNREADABLE: "red"}
_VERDICTS = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "findings", Verdict.UNREADABLE: "unreadable"}
_EARLY_ENDS = {
    "resigned": "{player} resigned",
    "time": "{player} ran out of time",
    "agreed": "the players agreed on the result",
    "adjudicated": "the result was adjudicated",
    "abandoned": "the game was abandoned",
}


def verdict_row(report: Report, name: str) -> str:
    """Write a row: `game.jsonl: legal, 72 events; 43 : 41, seat(1) wins by winner.most`"""
    word = style(_VERDICTS[report.verdict], fg=COLOURS[report.verdict], bold=True)
    parts = [f"{visible(name)}: {word}"]
    if report.findings:
        parts.append(f" ({summary(report.findings)})")
    if report.game is not None:
        parts.append(f", {_progress(report)}")
    if report.left_out:
        parts.append(f", {plural(len(report.left_out), 'decline')} filled in")
    if report.early_end:
        parts.append(f"; {early_end_words(report)}")
    elif report.result:
        parts.append(f"; {result_words(report)}")
    return "".join(parts)


def _progress(report: Report) -> str:
    if report.stopped_at is None:
        return plural(report.events, "event")
    return f"{report.replayed} of {plural(report.events, 'event')} played, up to line {report.stopped_at.line - 1}"


def early_end_words(report: Report) -> str:
    """Write how the players ended the game, and who won: `Boris resigned, Anna wins`."""
    end = report.early_end
    assert end is not None
    names = report.header.names if report.header else ()
    player = "" if end.player is None else visible(player_words(end.player, names))
    who = " and ".join(visible(player_words(seat, names)) for seat in end.winners)
    words = _EARLY_ENDS[end.by].format(player=player)
    verb = "wins" if len(end.winners) == 1 else "share the win"
    return f"{words}, {who} {verb}" if who else words


def result_words(report: Report, speech: Speech | None = None) -> str:
    """Write the result of a play: points by seat, and who won by which clause. speech: display names; None: the
    spec's own names."""
    assert report.result
    outcome = report.result.outcome
    points = " : ".join(str(scores.total) for scores in report.result.scores)
    names = report.header.names if report.header else ()
    if speech:
        names = speech.players
    criterion = speech.word(outcome.criterion) if speech and outcome.criterion else outcome.criterion
    who = " and ".join(player_words(seat, names) for seat in outcome.winners)
    by = f" ({criterion})" if outcome.criterion else ""
    if outcome.undecided:
        return f"{points}, a tie that the rules do not decide"
    verb = "share the win" if outcome.shared else "win" if len(outcome.winners) > 1 else "wins"
    return f"{points}, {who if speech else visible(who)} {verb}{by}" if who else points
