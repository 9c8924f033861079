"""`docs/notation.md`: each line is read, and printed as the page shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludex.interpreter import Validator, notation, parse_event, parse_log

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```notation (\w+)(?: (\S+))?(?: (read))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PYTHON = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("name", "players", "read_only", "text"), BLOCKS)
def test_lines_are_read_and_printed_as_shown(name: str, players: str, read_only: str, text: str) -> None:
    game, names = game_once(name), tuple(filter(None, players.split(",")))
    for line in text.splitlines():
        written = notation(game, parse_event(game, line, names), names)
        assert written != line if read_only else written == line


@pytest.mark.parametrize(
    ("promised", "text"), re.findall(r"^```ludexlog ([^\n]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
def test_sample_logs_are_legal(promised: str, text: str) -> None:
    verdict, *codes = promised.split()
    report = Validator(game_once, compiled=engine_once).validate(parse_log(text, "x.ludexlog"))
    assert [report.verdict, *(each.code.code for each in report.findings if each.is_error)] == [verdict, *codes]


def test_python_samples_run() -> None:
    exec(compile("\n".join(PYTHON), "docs/notation.md", "exec"), {})  # noqa: S102 - our own page
