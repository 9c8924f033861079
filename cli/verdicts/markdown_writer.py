"""Verdicts as a Markdown list, for a comment or the summary of a workflow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..reporting import file_words, visible, words
from .judged import Judged, LogTally
from .text_writer import count_row
from .verdict_words import details, written_result
from .writer import VerdictWriter

_MOST_BYTES = 1_000_000
"""The largest list that is written. GitHub refuses a summary of more than 1 MiB as a whole."""


class MarkdownWriter(VerdictWriter):
    """One item per log. Words from logs are in code spans, where nothing is markup, a link or a mention.

    Logs that a summary cannot hold are counted and left out.
    """

    def __init__(self) -> None:
        self._size = self._left_out = 0

    def log(self, judged: Judged) -> str:
        data, result = judged.data, written_result(judged.data)
        verdict, events = words(f"report-{data['verdict']}"), words("count-events", count=data["events"])
        ended = f"; {code(result)}" if result else ""
        head = f"- {code(file_words(judged.source.name))}: **{verdict}**, {events}{ended}"
        return "".join(f"{row}\n" for row in (head, *(row for each in data["findings"] for row in _finding(each))))

    def put(self, text: str) -> None:
        self._size += len(text.encode("utf-8", "replace"))
        if self._size > _MOST_BYTES:
            self._left_out += 1
        else:
            super().put(text)

    def closing(self, tally: LogTally) -> Iterator[str]:
        left = words("sum-left-out", logs=words("count-logs", count=self._left_out), size="1 MB")
        # The end is written however long the list is.
        self._size = 0
        rows = [left] if self._left_out else []
        yield "".join(f"\n{row}\n" for row in (*rows, count_row(tally)))


def _finding(finding: dict[str, Any]) -> Iterator[str]:
    first, *others = details(finding)
    yield f"  - **{finding['code']}** {words('report-line', line=finding['line'])}: {code(first)}"
    yield from (f"    - {code(each)}" for each in others)


def code(text: str) -> str:
    """Write a text as a code span. Its fence is longer than any row of backticks in it."""
    shown = visible(text)
    fence = "`" * (1 + max((len(row) for row in re.findall("`+", shown)), default=0))
    # A blank keeps the fence apart from a backtick of the text; Markdown takes it away again.
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown or ' '}{pad}{fence}"
