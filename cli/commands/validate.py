"""`ludex validate`: judges recorded games: legal or not, where, why, and what would have been legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
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
    player_words,
    report_to_json,
    under_editions,
)
from ludex.spec import Budget, Game

from ..command import ALL, budget_option, format_option, sources_option, subcommand
from ..log_arguments import PassedOver, game_option, read_logs, validator
from ..reporting.cited_lines import Books
from ..reporting.diagnostics import Reporter, json_text, labelled, plural, summary
from ..reporting.exit_codes import Exit
from ..reporting.source_excerpts import Texts, visible
from ..reporting.terminal import put, say, style
from ..view.display_names import Speech
from ..view.edition_summary import edition_json, edition_row

EXITS = {Verdict.LEGAL: Exit.GOOD, Verdict.FINDINGS: Exit.FINDINGS, Verdict.UNREADABLE: Exit.UNREADABLE}
MOST_NAMED = 5
"""Most skipped files that are named for one reason."""
COLOURS = {Verdict.LEGAL: "green", Verdict.FINDINGS: "red", Verdict.UNREADABLE: "red"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A log with its verdict and, if asked for, the verdict of each edition of its game."""

    play: Play
    editions: tuple[UnderEdition, ...] = ()

    @property
    def report(self) -> Report:
        return self.play.report

    @property
    def games(self) -> Iterator[Game]:
        plays = (self.play, *(under.play for under in self.editions))
        yield from (play.engine.game for play in plays if play.engine)


@dataclass(slots=True)
class Tally:
    """Counts over all logs. It keeps no log, so its size does not grow with their number; skipped files are listed.

    Attributes:
        by_edition: number of logs with each verdict, by game and edition.
        games: the games that judged the logs, by name, edition and treatment of silence: a row for people, and JSON.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    by_edition: dict[str, dict[str, Counter[Verdict]]] = field(default_factory=dict)
    games: dict[tuple[str, str, str], tuple[str | None, dict[str, Any]]] = field(default_factory=dict)
    passed_over: list[PassedOver] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        self.verdicts[judged.report.verdict] += 1
        for game in judged.games:
            if (key := (game.name, game.edition, game.silence)) not in self.games:
                members = {"game": game.name, **edition_json(game)} if len(game.editions) > 1 else {}
                self.games[key] = edition_row(game, game.name), members
        for under in judged.editions:
            name = under.report.game or judged.report.game
            if name:
                counts = self.by_edition.setdefault(name, {}).setdefault(under.edition, Counter())
                counts[under.report.verdict] += 1

    @property
    def logs(self) -> int:
        return self.verdicts.total()

    @property
    def exit(self) -> Exit:
        return max((EXITS[verdict] for verdict in self.verdicts), default=Exit.GOOD)


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
    """Judge recorded games: is every event legal, and are the recorder's claims true?

    LOG is a file, a folder (all logs in it), a pattern in quotes, or `-`: the standard input.

    With --edition all, say by which editions of its game a log is legal, and where it first breaks by the others.
    """
    judge = validator(games, budget)
    texts: dict[str, str] = {}
    tally = Tally()
    with _as_json(tally, edition == ALL) if format == "json" else _as_text(texts, sources) as tell:
        for log in read_logs(logs, texts):
            if isinstance(log, PassedOver):
                tally.passed_over.append(log)
                continue
            judged = _judge(judge, log, edition)
            tally.add(judged)
            tell(judged)
    if format == "text":
        for row in _in_sum(tally):
            say(row)
    return tally.exit


def _judge(validator: Validator, log: Log, edition: str | None) -> Judged:
    """Judge the log by its own edition, or by the given one. Raises UsageError if its game has no such edition."""
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


@contextmanager
def _as_text(texts: dict[str, str], sources: Path | None) -> Iterator[Callable[[Judged], None]]:
    yield lambda judged: _print(judged, Texts(texts), sources)


def _in_sum(tally: Tally) -> Iterator[str]:
    """Write the summary: the editions, the skipped files, the number of logs with each verdict."""
    for (name, edition, _), (row, _) in tally.games.items():
        if row:
            yield f"{name}, edition {edition}: {row}"
    yield from _passed_over(tally.passed_over)
    if tally.logs > 1:
        yield from _legal_by(tally)
        verdicts = tally.verdicts
        parts = ", ".join(f"{verdicts[verdict]} {_ADJECTIVES[verdict]}" for verdict in Verdict if verdicts[verdict])
        yield f"{plural(tally.logs, 'log')}: {parts}"


def _passed_over(files: list[PassedOver]) -> Iterator[str]:
    """Write a row for each reason: `3 files passed over, as ...: a.txt, b.png, c.txt`"""
    by_reason: dict[str, list[str]] = {}
    for each in files:
        by_reason.setdefault(each.reason, []).append(visible(each.file))
    for reason, names in by_reason.items():
        more = f" and {len(names) - MOST_NAMED} more (--format json lists them)" if len(names) > MOST_NAMED else ""
        yield f"{plural(len(names), 'file')} passed over, as {reason}: {', '.join(names[:MOST_NAMED])}{more}"


def _legal_by(tally: Tally) -> Iterator[str]:
    for name, counts in tally.by_edition.items():
        by_edition = ", ".join(f"{count[Verdict.LEGAL]} by {edition}" for edition, count in counts.items())
        yield f"{name}, legal of {plural(sum(next(iter(counts.values())).values()), 'log')}: {by_edition}"


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
    """Write a row: `  ru (its own)  legal; 35 : 34, seat(1) wins`, or where the log breaks, with the clauses."""
    report, first = under.report, under.first_break
    name = f"  {_name(under):<{width}}  "
    if first is None:
        result = f"; {result_words(report)}" if report.result else ""
        result = f"; {early_end_words(report)}" if report.early_end else result
        yield f"{name}{style('legal', fg='green', bold=True)}{result}"
        return
    if under.is_own:
        yield f"{name}breaks {_where(first, report)}; see above"
        return
    code = style(first.finding.code.code, fg="red", bold=True)
    yield f"{name}breaks {_where(first, report)}: {code} {visible(first.finding.message)}"
    notes = (labelled("note", visible(note.message), "blue") for note in first.finding.notes)
    yield from (f"{'':{width + 2}}{row}" for row in (*reporter.why(first.finding), *notes))


def _where(first: Break, report: Report) -> str:
    line = f"line {first.finding.span.line}"
    if first.event == 0:
        return f"before the first event, {line}"
    return f"{'at' if first.is_event else 'after'} event {first.event} of {report.events}, {line}"


def verdict_row(report: Report) -> str:
    """Write a row: `game.jsonl: legal, 72 events; 43 : 41, seat(1) wins by winner.most`"""
    word = style(_VERDICTS[report.verdict], fg=COLOURS[report.verdict], bold=True)
    parts = [f"{visible(report.file)}: {word}"]
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


_VERDICTS = {Verdict.LEGAL: "legal", Verdict.FINDINGS: "findings", Verdict.UNREADABLE: "unreadable"}


def _progress(report: Report) -> str:
    if report.stopped_at is None:
        return plural(report.events, "event")
    return f"{report.replayed} of {plural(report.events, 'event')} played, up to line {report.stopped_at.line - 1}"


_EARLY_ENDS = {
    "resigned": "{player} resigned",
    "time": "{player} ran out of time",
    "agreed": "the players agreed on the result",
    "adjudicated": "the result was adjudicated",
    "abandoned": "the game was abandoned",
}


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


# ---- for programs ----------------------------------------------------------------------------------------------


@contextmanager
def _as_json(tally: Tally, by_edition: bool) -> Iterator[Callable[[Judged], None]]:
    """Write one JSON object whose list `logs` grows log by log, so that an interrupted run keeps the results so far.

    The object is then closed and says that it is incomplete.
    """
    is_open = False

    def tell(judged: Judged) -> None:
        nonlocal is_open
        report = report_to_json(judged.report)
        if by_edition:
            report["editions"] = editions_to_json(judged.editions)
        text = f"{',' if is_open else _OPENED}\n{indent(json_text(report), '    ')}"
        is_open = True
        put(text, nl=False)

    try:
        yield tell
    except BaseException:
        _close_json(tally, by_edition, is_open, complete=False)
        raise
    _close_json(tally, by_edition, is_open, complete=True)


_OPENED = '{\n  "logs": ['


def _close_json(tally: Tally, by_edition: bool, is_open: bool, complete: bool) -> None:
    rest = json_text(_rest(tally, by_edition, complete))
    put(f"{'' if is_open else _OPENED}\n  ],{rest.removeprefix('{')}")


def _rest(tally: Tally, by_edition: bool, complete: bool) -> dict[str, Any]:
    """Return all members of the report but the logs."""
    rest: dict[str, Any] = {"editions": [members for _, members in tally.games.values() if members]}
    if by_edition:
        rest["by_edition"] = {
            game: {name: {verdict.value: count[verdict] for verdict in Verdict} for name, count in counts.items()}
            for game, counts in tally.by_edition.items()
        }
    rest["passed_over"] = [{"file": each.file, "reason": each.reason} for each in tally.passed_over]
    rest["complete"] = complete
    return {**rest, **{verdict.value: tally.verdicts[verdict] for verdict in Verdict}}
