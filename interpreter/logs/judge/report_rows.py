"""Reports as rows of plain values, for tables: a row per log, a row per finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in a log.

    Attributes:
        line, column, end_line, end_column: where, counted from 1; the end is exclusive.
        pointer: JSON pointer into the line.
        clause, authority: the first clause that says so, and what it rests on.
    """

    code: str
    name: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    pointer: str | None = None
    hint: str | None = None
    clause: str | None = None
    authority: str | None = None


@dataclass(frozen=True, slots=True)
class LogRow:
    """A judged log. What is not known is None.

    Attributes:
        file: the name as given.
        number, line: which log of the file it is, from 1, and the line at which it begins.
        verdict: `legal`, `unjudged`, `findings`, `unreadable` or `fault` (Ludex itself failed).
        game, edition, silence: what it was judged by.
        players, names: how many played, and their names if the log gives them.
        events, replayed: how many events the log holds; how many were played.
        stopped_at: the line at which the replay had to stop.
        ended_by: how the game ended: `rules`, or as the players ended it (`resigned`, `time`, ...).
        winners: their seats, from 1. scores: points by seat, if the rules gave them.
        findings: errors and warnings, in reading order.
    """

    file: str
    number: int
    line: int
    verdict: str
    game: str | None
    edition: str | None
    silence: str | None
    players: int | None
    names: tuple[str, ...]
    events: int
    replayed: int
    stopped_at: int | None
    ended_by: str | None
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    findings: tuple[FindingRow, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the columns of the log, without its findings."""
        return {name: getattr(self, name) for name in _LOG_COLUMNS}

    def finding_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield the columns of each finding, after those that say which log it is in."""
        own = {"file": self.file, "number": self.number, "game": self.game}
        return ({**own, **asdict(finding)} for finding in self.findings)


_LOG_COLUMNS = tuple(each.name for each in fields(LogRow) if each.name != "findings")


def log_row(report: Mapping[str, Any]) -> LogRow:
    """Make the row of a report that is given as JSON (`report_to_json`)."""
    players, result = report["players"], report["result"] or {}
    return LogRow(
        report["file"],
        # The report of a file with a single log gives neither.
        report.get("number", 1),
        report.get("line", 1),
        report["verdict"],
        report["game"],
        report["edition"],
        report["silence"],
        len(players) if isinstance(players, list) else players,
        tuple(players) if isinstance(players, list) else (),
        report["events"],
        report["replayed"],
        report["stopped_at"],
        result.get("by"),
        tuple(result.get("winners", ())),
        tuple(result.get("scores", ())),
        tuple(map(_finding_row, report["findings"])),
    )


def _finding_row(finding: Mapping[str, Any]) -> FindingRow:
    # A row has room for one clause.
    why: Mapping[str, Any] = next(iter(finding.get("why", ())), {})
    return FindingRow(
        finding["code"],
        finding["name"],
        finding["severity"],
        str(finding["message"]),
        finding["line"],
        finding["column"],
        finding["end_line"],
        finding["end_column"],
        finding.get("pointer"),
        str(finding["hint"]) if "hint" in finding else None,
        why.get("clause"),
        why.get("authority"),
    )
