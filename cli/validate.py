"""`ludex validate`: is this recorded game legal, and if not, where, why, and what would have been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ludex.interpreter import (
    Break,
    Log,
    Play,
    Report,
    UnderEdition,
    Validator,
    Verdict,
    editions_to_json,
    report_to_json,
    under_editions,
)
from ludex.spec import Budget, Game

from .books import Books
from .command import ALL, budget_option, format_option, sources_option, subcommand
from .editions import edition_json, edition_row
from .exits import Exit
from .logs import find_logs, game_option, read, validator
from .report import Reporter, json_text, labelled, plural, summary
from .speech import Speech
from .terminal import put, say, style
from .texts import Texts, visible

EXITS = {Verdict.LEGAL: Exit.GOOD, Verdict.FINDINGS: Exit.FINDINGS, Verdict.UNREADABLE: Exit.UNREADABLE}
COLOURS = {Verdict.LEGAL: "green", Verdict.FINDINGS: "red", Verdict.UNREADABLE: "red"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A log as it was judged, and, if that was asked for, as each edition of its game judges it."""

    play: Play
    editions: tuple[UnderEdition, ...] = ()

    @property
    def report(self) -> Report:
        return self.play.report

    @property
    def games(self) -> Iterator[Game]:
        plays = (self.play, *(under.play for under in self.editions))
        yield from (play.engine.game for play in plays if play.engine)


@subcommand(
    "validate", "validate game.jsonl\nvalidate logs/ 'more/*.yaml' --format json\nvalidate --edition all game.jsonl"
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--edition", metavar="NAME", help="Judge by this edition; `all`: by each.  [default: the log's own]")
@game_option
@budget_option
@sources_option
@format_option
def command(
    logs: tuple[str, ...],
    edition: str | None,
    games: tuple[str, ...],
    budget: Budget,
    sources: Path | None,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Judge recorded games: is every event legal, and is what the recorder claims so.

    LOG is a file, a folder (all logs in it), a pattern in quotes, or `-`: the standard input.

    With --edition all, say by which editions of its game a log is legal, and where it first breaks by the others.
    """
    judge = validator(games, budget)
    texts: dict[str, str] = {}
    judged: list[Judged] = []
    for name in find_logs(logs):
        judged.append(_judge(judge, read(name, texts), edition))
        if format == "text":
            _print(judged[-1], Texts(texts), sources)
    if format == "json":
        put(json_text(_to_json(judged, edition)))
    else:
        for row in _in_sum(judged):
            say(row)
    return max(EXITS[each.report.verdict] for each in judged)


def _judge(validator: Validator, log: Log, edition: str | None) -> Judged:
    """The log by its own edition, or by the one that is asked for. Raises UsageError where its game has none such."""
    if edition in (None, ALL):
        own = validator.play(log)
        return Judged(own, under_editions(validator, log, own) if edition == ALL else ())
    known = validator.editions(log)
    if known and edition not in known:
        name = log.header.data.get("game") if log.header and log.header.data else log.file
        raise click.UsageError(f"`{name}` has no edition `{edition}`; it has {', '.join(known)}")
    return Judged(validator.play(log, edition=edition if known else None))


# ---- for people ------------------------------------------------------------------------------------------------

_ADJECTIVES = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "with findings", Verdict.UNREADABLE: "unreadable"}


def _in_sum(judged: list[Judged]) -> Iterator[str]:
    """What was judged by, and how many logs there are of each verdict."""
    for game in _games(judged):
        row = edition_row(game, game.name)
        if row:
            yield f"{game.name}, edition {game.edition}: {row}"
    if len(judged) > 1:
        yield from _legal_by(judged)
        verdicts = Counter(each.report.verdict for each in judged)
        parts = ", ".join(f"{verdicts[verdict]} {_ADJECTIVES[verdict]}" for verdict in Verdict if verdicts[verdict])
        yield f"{plural(len(judged), 'log')}: {parts}"


def _games(judged: list[Judged]) -> list[Game]:
    """Each game that was judged by, once."""
    found = {(game.name, game.edition, game.silence): game for each in judged for game in each.games}
    return list(found.values())


def _legal_by(judged: list[Judged]) -> Iterator[str]:
    for name, counts in _by_edition(judged).items():
        told = ", ".join(f"{count[Verdict.LEGAL]} by {edition}" for edition, count in counts.items())
        yield f"{name}, legal of {plural(sum(next(iter(counts.values())).values()), 'log')}: {told}"


def _by_edition(judged: list[Judged]) -> dict[str, dict[str, Counter[Verdict]]]:
    """By game and edition, how many logs come to what."""
    found: dict[str, dict[str, Counter[Verdict]]] = {}
    for each in judged:
        for under in each.editions:
            game = under.report.game or each.report.game
            if game:
                found.setdefault(game, {}).setdefault(under.edition, Counter())[under.report.verdict] += 1
    return found


def _print(judged: Judged, texts: Texts, sources: Path | None) -> None:
    documents = next((game.documents for game in judged.games), {})
    reporter = Reporter(texts, Books(sources, documents) if sources else None)
    reporter.print(judged.report.findings)
    say(verdict_row(judged.report))
    width = max((len(_name(under)) for under in judged.editions), default=0)
    for under in judged.editions:
        for row in _edition_rows(under, reporter, width):
            say(row)


def _name(under: UnderEdition) -> str:
    return f"{under.edition} (its own)" if under.is_own else under.edition


def _edition_rows(under: UnderEdition, reporter: Reporter, width: int) -> Iterator[str]:
    """`  ru (its own)  legal; 35 : 34, seat 1 wins`, or where it breaks, with the clauses that say so."""
    report, found = under.report, under.first_break
    name = f"  {_name(under):<{width}}  "
    if found is None:
        result = f"; {result_words(report)}" if report.result else ""
        yield f"{name}{style('legal', fg='green', bold=True)}{result}"
        return
    if under.is_own:
        yield f"{name}breaks {_where(found, report)}, as told above"
        return
    code = style(found.finding.code.code, fg="red", bold=True)
    yield f"{name}breaks {_where(found, report)}: {code} {visible(found.finding.message)}"
    notes = (labelled("note", visible(note.message), "blue") for note in found.finding.notes)
    yield from (f"{'':{width + 2}}{row}" for row in (*reporter.why(found.finding), *notes))


def _where(found: Break, report: Report) -> str:
    line = f"line {found.finding.span.line}"
    if found.event == 0:
        return f"before the first event, {line}"
    return f"{'at' if found.is_event else 'after'} event {found.event} of {report.events}, {line}"


def verdict_row(report: Report) -> str:
    """`game.jsonl: legal, 72 events; 43 : 41, seat 1 wins by winner.most`"""
    word = style(_VERDICTS[report.verdict], fg=COLOURS[report.verdict], bold=True)
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


# ---- for programs ----------------------------------------------------------------------------------------------


def _to_json(judged: list[Judged], edition: str | None) -> dict[str, Any]:
    verdicts = Counter(each.report.verdict for each in judged)
    logs = [
        {**report_to_json(each.report), **({"editions": editions_to_json(each.editions)} if edition == ALL else {})}
        for each in judged
    ]
    editions = [{"game": game.name, **edition_json(game)} for game in _games(judged) if len(game.editions) > 1]
    by_edition = {
        game: {name: {verdict.value: count[verdict] for verdict in Verdict} for name, count in counts.items()}
        for game, counts in _by_edition(judged).items()
    }
    told: dict[str, Any] = {"logs": logs, "editions": editions}
    if edition == ALL:
        told["by_edition"] = by_edition
    return {**told, **{verdict.value: verdicts[verdict] for verdict in Verdict}}
