"""The verdict on a log in words: how much of it was played, how the game ended, who won."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.grammar import Span, enumerated
from ludex.interpreter import EarlyEnd, Outcome, Report, Verdict, player_words

from ..reporting import file_words, style, summary, words
from .display_names import Speech

_MOST_LINES = 8
"""The largest number of lines that are named as possible consequences."""
COLOURS = dict.fromkeys(Verdict, "red") | {Verdict.LEGAL: "green", Verdict.UNJUDGED: "yellow"}


def verdict_row(report: Report, name: str) -> str:
    """Write a row: `game.jsonl: legal, 72 events; 43 : 41, seat(1) wins by winner.most`"""
    word = style(words(f"report-{report.verdict}"), fg=COLOURS[report.verdict], bold=True)
    parts = [f"{file_words(name)}: {word}"]
    if report.findings:
        parts.append(f" ({summary(report.findings)})")
    if report.game is not None:
        parts.append(f", {_progress(report)}")
    if report.consequences:
        parts.append(
            f" ({words('report-consequences', count=len(report.consequences), lines=_lines(report.consequences))})"
        )
    if report.left_out:
        filled_in = words("report-filled-in", count=len(report.left_out))
        filled_in = words("report-in-one", words=filled_in) if report.in_one_completion else filled_in
        parts.append(f", {filled_in}")
    # The players' own end counts, and the rules then give no result.
    if report.early_end:
        parts.append(f"; {early_end_words(report)}")
    elif report.result:
        parts.append(f"; {result_words(report)}")
    return "".join(parts)


def _lines(places: Sequence[Span]) -> str:
    """Write the numbers of the first of these lines: `7, 9, 10, ...`."""
    more = ["..."] if len(places) > _MOST_LINES else []
    return ", ".join([*(str(place.line) for place in places[:_MOST_LINES]), *more])


def _progress(report: Report) -> str:
    if report.stopped_at is None:
        return words("count-events", count=report.events)
    if not report.replayed:
        return words("report-not-played", count=report.events)
    if report.resumed:
        return words("report-resumed", played=report.replayed, count=report.events, line=report.stopped_at.line)
    # The line at which it stopped was not played.
    return words("report-played", played=report.replayed, count=report.events, line=report.stopped_at.line - 1)


def early_end_words(report: Report) -> str:
    """Write how the players of a log ended the game, and who won."""
    assert report.early_end is not None
    return ended_words(report.early_end, report.header.names if report.header else ())


def ended_words(end: EarlyEnd, names: Sequence[str]) -> str:
    """Write how the players ended the game, and who won: `Boris resigned, Anna wins`."""
    player = "" if end.player is None else player_words(end.player, names)
    how = words(f"end-{end.by}", player=player)
    if not end.winners:
        return how
    who = enumerated(player_words(seat, names) for seat in end.winners)
    return f"{how}, {words('wins' if len(end.winners) == 1 else 'share-the-win', who=who, count=len(end.winners))}"


def result_words(report: Report, speech: Speech | None = None) -> str:
    """Write the result of a play: points by seat, and who won by which clause. speech: display names; None: the
    spec's own names."""
    assert report.result
    names = report.header.names if report.header else ()
    points = [scores.total for scores in report.result.scores]
    names = speech.players if speech else names
    return scored_words(points, report.result.outcome, names, speech, report.decided_by)


def scored_words(
    points: Sequence[int],
    outcome: Outcome,
    names: Sequence[str],
    speech: Speech | None = None,
    decided_by: str | None = None,
) -> str:
    """Write the points by seat, and who won: `43 : 41, Anna wins (winner.most)`."""
    won = winners_words(outcome, names, speech, decided_by)
    return ", ".join(filter(None, [" : ".join(map(str, points)), won]))


def winners_words(
    outcome: Outcome, names: Sequence[str], speech: Speech | None = None, decided_by: str | None = None
) -> str:
    """Write who won, by which clause: `Anna wins (winner.most)`; empty if the rules name nobody."""
    if outcome.undecided:
        return words("result-tie")
    if not outcome.winners:
        return ""
    who = enumerated(player_words(seat, names) for seat in outcome.winners)
    won = words("share-the-win" if outcome.shared else "wins", who=who, count=len(outcome.winners))
    clause = speech.word(outcome.criterion) if speech and outcome.criterion else decided_by or outcome.criterion
    return words("by-clause", who=won, clause=clause) if clause else won
