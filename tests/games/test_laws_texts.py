"""Files of every shipped game: canonical layout and no findings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ludex.grammar import Parsed, declared_functions, format_module, parse, read_text, same_meaning
from ludex.spec import check_game, find, read_game

from .plays import GAMES

FILES = [path for name in GAMES for path in sorted(find(name).parent.rglob("*.ludex"))]


@cache
def parsed(path: Path) -> Parsed:
    """Return the file as parsed, once for all tests here: that takes most of their time."""
    return parse(path.read_text("utf-8"), path.name)


def functions_of(path: Path) -> frozenset[str]:
    """Return the states, zones, facts and defines of the game of the file; for a transcription its own."""
    if path.parent.name == "transcriptions":
        return declared_functions(parsed(path).module)
    return _functions_of_game(path.parent)


@cache
def _functions_of_game(folder: Path) -> frozenset[str]:
    return frozenset(name for file in read_game(folder).files for name in declared_functions(file.module))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_in_canonical_layout(path: Path) -> None:
    """So the formatter changes neither the meaning of a file nor its own output: both texts are equal."""
    text, faults = read_text(path)
    assert text == path.read_text("utf-8")
    assert not [*faults, *parsed(path).diagnostics]
    assert format_module(parsed(path).module, functions_of(path)) == text, f"run `ludex fmt` on {path.name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_formatter_ignores_spacing(path: Path) -> None:
    """Without blank lines and with double indentation, the file is formatted to the same text."""
    rows = [row for row in path.read_text("utf-8").splitlines() if row.strip()]
    wide = "".join(f"{' ' * (len(row) - len(row.lstrip()))}{row}\n" for row in rows)
    assert same_meaning(parse(wide, path.name).module, parsed(path).module)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_no_findings(game: str) -> None:
    assert check_game(game) == ()
