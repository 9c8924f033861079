"""A judged log, and the counts over all logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludex.grammar import value_class
from ludex.interpreter import (
    LogText,
    PassedOver,
    Play,
    Report,
    UnderEdition,
    Verdict,
    editions_to_json,
    report_to_json,
)
from ludex.spec import Game

from ..reporting import Exit, language
from ..view.edition_summary import edition_json, edition_row

EXITS = {
    Verdict.LEGAL: Exit.GOOD,
    Verdict.UNJUDGED: Exit.FINDINGS,
    Verdict.FINDINGS: Exit.FINDINGS,
    Verdict.UNREADABLE: Exit.UNREADABLE,
    Verdict.FAULT: Exit.OUR_FAULT,
}


# The class has no slots, as `cached_property` keeps its values in the object's dictionary.
@dataclass(frozen=True)
class Judged:
    """A log with its verdict.

    Attributes:
        play: the replay; None if the log was judged in an earlier run, whose report is then `kept`, as JSON.
        games: the games that judged it.
        editions: the verdict of each edition of its game, if asked for; else None.
    """

    source: LogText
    play: Play | None
    games: tuple[Game, ...] = ()
    editions: tuple[UnderEdition, ...] | None = None
    kept: dict[str, Any] | None = None

    @cached_property
    def report(self) -> Report:
        assert self.play is not None
        return self.source.explained(self.play.report)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The report as JSON, see docs/logs.md."""
        # The stored report is shown as it is, in the language in which it was stored: what it was made from is not read
        # again.
        if self.kept is not None:
            return self.kept
        data = report_to_json(self.report, language(), self.source)
        if self.editions is not None:
            data["editions"] = editions_to_json(self.editions, language())
        return data

    @property
    def verdict(self) -> Verdict:
        return self.report.verdict if self.kept is None else Verdict(self.kept["verdict"])

    @property
    def codes(self) -> Iterator[tuple[str, str]]:
        """The codes that were found, with their names."""
        if self.kept is None:
            return ((finding.code.code, finding.code.name) for finding in self.report.findings)
        return ((finding["code"], finding["name"]) for finding in self.kept["findings"])

    @property
    def by_edition(self) -> Iterator[tuple[str, str, Verdict]]:
        """The verdict of each edition, after the game's name and its own."""
        if self.kept is None:
            named = ((under.report.game or self.report.game, under) for under in self.editions or ())
            return ((game, under.edition, under.report.verdict) for game, under in named if game)
        game = self.kept["game"]
        return ((game, each["edition"], Verdict(each["verdict"])) for each in self.kept.get("editions", ()))


@value_class
class OwnFault:
    """A fault of Ludex itself: the kind of the exception with the log that was judged, and the traceback as text."""

    kind: str
    details: str


@dataclass(slots=True)
class LogTally:
    """Counts over all logs. It keeps no log, so its size does not grow with their number; skipped files are listed.

    Attributes:
        by_edition: number of logs with each verdict, by game and edition.
        games: the games that judged the logs, by name, edition and treatment of silence: a row for people, and JSON.
        codes: the names of the codes that were found.
        kept: how many of the logs were judged in an earlier run.
        fault: the first fault of Ludex itself, with all details; None if there was none.
        is_complete: all logs were judged.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    by_edition: dict[str, dict[str, Counter[Verdict]]] = field(default_factory=dict)
    games: dict[tuple[str, str, str], tuple[str | None, dict[str, Any]]] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    passed_over: list[PassedOver] = field(default_factory=list)
    kept: int = 0
    fault: OwnFault | None = None
    is_complete: bool = False

    def add(self, judged: Judged, fault: OwnFault | None = None) -> None:
        """Count a log. fault: that of Ludex, if the log could not be judged for it."""
        self.fault = self.fault or fault
        self.verdicts[judged.verdict] += 1
        self.kept += judged.kept is not None
        self.codes.update(judged.codes)
        for game in judged.games:
            # The row is made once for each game, not for each of perhaps thousands of logs.
            if (key := (game.name, game.edition, game.silence)) not in self.games:
                # With a single edition there is nothing to say.
                members = {"game": game.name, **edition_json(game)} if len(game.editions) > 1 else {}
                self.games[key] = edition_row(game, game.name), members
        for name, edition, verdict in judged.by_edition:
            self.by_edition.setdefault(name, {}).setdefault(edition, Counter())[verdict] += 1

    def finish(self) -> None:
        """Record that all logs were judged."""
        self.is_complete = True

    def take(self, other: LogTally) -> None:
        """Add the counts of other logs, which another process judged."""
        # Skipped files are not added: only the main process searches for files.
        self.verdicts.update(other.verdicts)
        self.kept += other.kept
        self.fault = self.fault or other.fault
        self.codes.update(other.codes)
        self.games.update(other.games)
        for name, counts in other.by_edition.items():
            for edition, count in counts.items():
                self.by_edition.setdefault(name, {}).setdefault(edition, Counter()).update(count)

    @property
    def logs(self) -> int:
        return self.verdicts.total()

    @property
    def exit(self) -> Exit:
        # The codes rise with what is wrong, so that one bad log decides.
        return max((EXITS[verdict] for verdict in self.verdicts), default=Exit.GOOD)
