"""`docs/authoring-guide.md` quotes the shipped games exactly.

A block that begins "```ludex from=GAME" quotes that game's file; a line `...` leaves something out. Its whole games are
tested with those of the language reference, its commands and links with those of all pages.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "authoring-guide.md"
QUOTED = re.findall(r"^```ludex from=(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def plain(text: str) -> list[str]:
    """Return the lines that are not blank, without comments and layout."""
    lines = [" ".join(re.sub(r"\s{2,}#.*", "", line).split()) for line in text.splitlines()]
    return [line for line in lines if line]


def pieces(quoted: str) -> list[list[str]]:
    """Return the lines between the lines `...`."""
    return [list(lines) for left_out, lines in groupby(plain(quoted), lambda line: line == "...") if not left_out]


def place_of(piece: list[str], lines: list[str]) -> int | None:
    """Return the index of the piece among the lines."""
    return next((n for n in range(len(lines)) if lines[n : n + len(piece)] == piece), None)


@pytest.mark.parametrize("game,quoted", QUOTED, ids=[f"{game}-{n}" for n, (game, _) in enumerate(QUOTED, 1)])
def test_quotation_is_true(game: str, quoted: str) -> None:
    lines = plain((ROOT / "spec" / "games" / game / f"{game}.ludex").read_text(encoding="utf-8"))
    for piece in pieces(quoted):
        where = place_of(piece, lines)
        wanted = "\n".join(piece)
        assert where is not None, f"{game} has changed; copy its new text into docs/authoring-guide.md:\n{wanted}"
        lines = lines[where + len(piece) :]
