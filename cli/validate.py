"""`ludex validate`: is this recorded game legal, and if not, where, why, and what would have been."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from ludex.interpreter import Play, Report, Validator, Verdict, report_to_json
from ludex.spec import Game

from .books import Books
from .command import format_option, sources_option, subcommand
from .editions import edition_json, edition_row
from .exits import Exit
from .logs import find_logs, game_option, loader, names_of, read
from .report import Reporter, json_text, plural, summary
from .speech import Speech
from .texts import Texts, visible

EXITS = {Verdict.LEGAL: Exit.GOOD, Verdict.FINDINGS: Exit.FINDINGS, Verdict.UNREADABLE: Exit.UNREADABLE}
COLOURS = {Verdict.LEGAL: "green", Verdict.FINDINGS: "red", Verdict.UNREADABLE: "red"}


@subcommand("validate", "validate game.jsonl\nvalidate logs/ 'more/*.yaml' --format json\nvalidate - < game.jsonl")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@game_option
@sources_option
@format_option
def command(logs: tuple[str, ...], games: tuple[str, ...], sources: Path | None, format: str) -> Exit:  # noqa: A002
    """Judge recorded games: is every event legal, and is what the recorder claims so.

    LOG is a file, a folder (all logs in it), a pattern in quotes, or `-`: the standard input.
    """
    validator = Validator(loader(games), names_of(games))
    texts: dict[str, str] = {}
    reports: list[Report] = []
    played: dict[tuple[str, ...], Game] = {}
    for name in find_logs(logs):
        play = validator.play(read(name, texts))
        reports.append(play.report)
        if play.engine is not None:
            game = play.engine.game
            played.setdefault((game.name, game.edition, game.silence), game)
        if format == "text":
            _print(play, Texts(texts), sources)
    verdicts = Counter(report.verdict for report in reports)
    if format == "json":
        told = {verdict.value: verdicts[verdict] for verdict in Verdict}
        editions = [{"game": game.name, **edition_json(game)} for game in played.values() if len(game.editions) > 1]
        click.echo(json_text({"logs": [report_to_json(report) for report in reports], "editions": editions, **told}))
        return max(EXITS[report.verdict] for report in reports)
    for game in played.values():
        row = edition_row(game, game.name)
        if row:
            click.echo(f"{game.name}, edition {game.edition}: {row}")
    if len(reports) > 1:
        parts = ", ".join(f"{verdicts[verdict]} {_ADJECTIVES[verdict]}" for verdict in Verdict if verdicts[verdict])
        click.echo(f"{plural(len(reports), 'log')}: {parts}")
    return max(EXITS[report.verdict] for report in reports)


_ADJECTIVES = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "with findings", Verdict.UNREADABLE: "unreadable"}


def _print(play: Play, texts: Texts, sources: Path | None) -> None:
    documents = play.engine.game.documents if play.engine else {}
    Reporter(texts, Books(sources, documents) if sources else None).print(play.report.findings)
    click.echo(verdict_row(play.report))


def verdict_row(report: Report) -> str:
    """`game.jsonl: legal, 72 events; 43 : 41, seat 1 wins by winner.most`"""
    word = click.style(_VERDICTS[report.verdict], fg=COLOURS[report.verdict], bold=True)
    parts = [f"{visible(report.file)}: {word}"]
    if report.findings:
        parts.append(f" ({summary(report.findings)})")
    if report.game is not None:
        parts.append(f", {_progress(report)}")
    if report.left_out:
        parts.append(f", {plural(len(report.left_out), 'decline')} filled in")
    if report.result:
        parts.append(f"; {result_words(report)}")
    return "".join(parts)


_VERDICTS = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "findings", Verdict.UNREADABLE: "unreadable"}


def _progress(report: Report) -> str:
    if report.stopped_at is None:
        return plural(report.events, "event")
    return f"{report.replayed} of {plural(report.events, 'event')} played, up to line {report.stopped_at.line - 1}"


def result_words(report: Report, speech: Speech | None = None) -> str:
    """The end of a play: points by seat, and who won by which clause. speech: what things are called, if not by their
    own names."""
    assert report.result
    outcome = report.result.outcome
    points = " : ".join(str(scores.total) for scores in report.result.scores)
    names = report.header.names if report.header else ()
    if speech:
        names = speech.players
    criterion = speech.word(outcome.criterion) if speech and outcome.criterion else outcome.criterion
    who = " and ".join(names[seat] if names else f"seat {seat + 1}" for seat in outcome.winners)
    by = f" ({criterion})" if outcome.criterion else ""
    if outcome.undecided:
        return f"{points}, a tie that the rules do not decide"
    verb = "share the win" if outcome.shared else "win" if len(outcome.winners) > 1 else "wins"
    return f"{points}, {who if speech else visible(who)} {verb}{by}" if who else points
