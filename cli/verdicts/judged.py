"""A judged log, and the counts over all logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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

from ..reporting.exit_codes import Exit
from ..view.edition_summary import edition_json, edition_row

EXITS = {Verdict.LEGAL: Exit.GOOD, Verdict.FINDINGS: Exit.FINDINGS, Verdict.UNREADABLE: Exit.UNREADABLE}


@dataclass(frozen=True)
class Judged:
    """A log with its verdict. editions: the verdict of each edition of its game, if asked for; else None."""

    source: LogText
    play: Play
    editions: tuple[UnderEdition, ...] | None = None

    @cached_property
    def report(self) -> Report:
        return self.source.explained(self.play.report)

    @property
    def games(self) -> Iterator[Game]:
        """The games that judged the log."""
        plays = (self.play, *(under.play for under in self.editions or ()))
        yield from (play.engine.game for play in plays if play.engine)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The report as JSON, see docs/logs.md."""
        report = report_to_json(self.report)
        data = {"file": report["file"], "number": self.source.number, "line": self.source.line, **report}
        if self.editions is not None:
            data["editions"] = editions_to_json(self.editions)
        return data


@dataclass(slots=True)
class Tally:
    """Counts over all logs. It keeps no log, so its size does not grow with their number; skipped files are listed.

    Attributes:
        by_edition: number of logs with each verdict, by game and edition.
        games: the games that judged the logs, by name, edition and treatment of silence: a row for people, and JSON.
        codes: the names of the codes that were found.
        is_complete: all logs were judged.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    by_edition: dict[str, dict[str, Counter[Verdict]]] = field(default_factory=dict)
    games: dict[tuple[str, str, str], tuple[str | None, dict[str, Any]]] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    passed_over: list[PassedOver] = field(default_factory=list)
    is_complete: bool = False

    def add(self, judged: Judged) -> None:
        self.verdicts[judged.report.verdict] += 1
        self.codes.update((finding.code.code, finding.code.name) for finding in judged.report.findings)
        for game in judged.games:
            if (key := (game.name, game.edition, game.silence)) not in self.games:
                members = {"game": game.name, **edition_json(game)} if len(game.editions) > 1 else {}
                self.games[key] = edition_row(game, game.name), members
        for under in judged.editions or ():
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
