"""What `docs/notation.md` shows is so: each line is read, and printed as it is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludex.interpreter import notation, parse_event

from ..once import game_once

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


def test_python_samples_run() -> None:
    exec(compile("\n".join(PYTHON), "docs/notation.md", "exec"), {})  # noqa: S102 - our own page
