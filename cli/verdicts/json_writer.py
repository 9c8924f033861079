"""Verdicts as JSON: one object for all logs, or JSON Lines with an object per log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import indent
from typing import Any

from ludex.grammar import in_language
from ludex.interpreter import Verdict

from ..reporting import escape, json_text, language
from .judged import Judged, LogTally
from .writer import VerdictWriter


class JsonWriter(VerdictWriter):
    """One object whose list `logs` grows log by log. If the command is stopped, the object says that it is
    incomplete."""

    # The object is written piece by piece, as a command may judge more logs than fit into memory.
    opening = '{\n  "logs": ['
    between = ","

    def log(self, judged: Judged) -> str:
        return f"\n{indent(json_text(judged.data), '    ')}"

    def closing(self, tally: LogTally) -> Iterator[str]:
        # The members continue in the object that `opening` has begun.
        yield f"\n  ],{json_text(_rest(tally)).removeprefix('{')}\n"


def _rest(tally: LogTally) -> dict[str, Any]:
    """Return all members of the object but the logs."""
    rest: dict[str, Any] = {"editions": [members for _, members in tally.games.values() if members]}
    if tally.by_edition:
        rest["by_edition"] = {
            game: {name: {verdict.value: count[verdict] for verdict in Verdict} for name, count in counts.items()}
            for game, counts in tally.by_edition.items()
        }
    # These and the counts are known at the end only.
    rest["passed_over"] = [
        {"file": each.file, "reason": in_language(each.reason, language())} for each in tally.passed_over
    ]
    rest["complete"] = tally.is_complete
    return {**rest, **{verdict.value: tally.verdicts[verdict] for verdict in Verdict}}


class JsonLinesWriter(VerdictWriter):
    """One line a log, the object that `logs` of the other form holds, and nothing else."""

    def log(self, judged: Judged) -> str:
        return json_line(judged.data) + "\n"


def json_line(data: object) -> str:
    """Write JSON on one line, with escapes for characters that a terminal would obey or not show."""
    # Letters of all alphabets are left as they are, for readers of the file.
    return escape(json.dumps(data, ensure_ascii=False))
