"""Verdicts as CSV: a row per finding, with the columns of its log; a log without findings has one row."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from ludex.interpreter import log_row

from ..reporting import no_formula, visible
from .judged import Judged
from .writer import VerdictWriter

OF_LOG = ("file", "number", "verdict", "game", "edition", "players", "events", "replayed", "result", "winners")
OF_FINDING = ("code", "name", "severity", "line", "column", "pointer", "message", "hint", "clause")


class CsvWriter(VerdictWriter):
    """A table with a header row. Its line ends are those of RFC 4180."""

    opening = ",".join((*OF_LOG, *OF_FINDING)) + "\r\n"

    def log(self, judged: Judged) -> str:
        rows = StringIO()
        csv.writer(rows).writerows(_rows(judged.data))
        return rows.getvalue()


def _rows(data: dict[str, Any]) -> Iterator[list[str]]:
    row = log_row(data)
    # A cell holds one value: lists are joined.
    of_log = {
        **row.as_dict(),
        "players": "; ".join(row.names) or row.players,
        "result": row.ended_by,
        "winners": "; ".join(map(str, row.winners)),
    }
    # A log without findings has a row, too, or the table would not show that it is legal.
    for of_finding in [*row.finding_dicts()] or [{}]:
        yield [cell(of_log[name]) for name in OF_LOG] + [cell(of_finding.get(name)) for name in OF_FINDING]


def cell(value: object) -> str:
    """Write a cell on one line. A text that a spreadsheet would read as a formula gets an apostrophe before it."""
    text = "" if value is None else visible(str(value))
    # Only texts may be somebody else's words; a number may begin with a minus.
    return no_formula(text) if isinstance(value, str) else text
