"""Verdicts as annotations of GitHub Actions: a line per finding, which GitHub shows beside the line of the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..reporting import file_words, visible
from .judged import Judged, LogTally
from .text_writer import count_row
from .verdict_words import details, head_words, is_about_file
from .writer import VerdictWriter


class GithubWriter(VerdictWriter):
    """Commands of a workflow. Words of a log are escaped, so that they neither end a command nor begin another."""

    def log(self, judged: Judged) -> str:
        # GitHub reads commands from the output of the step, and shows other rows there only.
        rows = [_command(finding) for finding in judged.data["findings"]]
        if judged.data["result"] is not None:
            rows.append(_plain(f"{head_words(judged.data)}: {file_words(judged.source.name)}"))
        return "".join(f"{row}\n" for row in rows)

    def closing(self, tally: LogTally) -> Iterator[str]:
        yield f"{count_row(tally)}\n"


def _command(finding: dict[str, Any]) -> str:
    properties = ",".join(f"{name}={_property(value)}" for name, value in _properties(finding))
    return f"::{finding['severity']} {properties}::{_data(details(finding))}"


def _properties(finding: dict[str, Any]) -> Iterator[tuple[str, object]]:
    yield "file", finding["file"]
    if not is_about_file(finding):
        yield "line", finding["line"]
        yield "endLine", finding["end_line"]
        # GitHub refuses columns of a place on several lines.
        if finding["line"] == finding["end_line"]:
            yield "col", finding["column"]
            yield "endColumn", finding["end_column"]
    yield "title", f"{finding['code']} {finding['name']}"


def _plain(row: str) -> str:
    """Write a row that is not a command. It begins with a word of ours, and the older form `##[` is taken apart."""
    return visible(row).replace("##[", "# #[")


def _data(rows: list[str]) -> str:
    # `%` is escaped first: it is the sign by which the others are escaped.
    return "%0A".join(visible(row).replace("%", "%25") for row in rows)


def _property(value: object) -> str:
    return _data([str(value)]).replace(":", "%3A").replace(",", "%2C")
