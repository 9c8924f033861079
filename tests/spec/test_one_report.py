"""One mistake, one report: shipped games with one word or one line of them changed, and how many reports there are.

The mistakes are drawn from a seed of their own: every run makes the same ones, and tries some of them. What still gives
more than one report, and why, is said in docs/authoring-guide.md; none of that is drawn here.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ludex.spec import check_game

GAMES = Path(__file__).parents[2] / "spec" / "games"
WORD = re.compile(r'"[^"]*"|\[[^\]]*\]|\w+|:=|\+=|-=|=>|\.\.|!=|<=|>=|\S')
EACH = 12
"""Mistakes of each kind in each game."""
TRIED = 4
"""So many of them a run draws."""

Change = Callable[[list[str], int, re.Match[str]], None]


def _replaced(word: Callable[[str], str]) -> Change:
    def change(lines: list[str], row: int, found: re.Match[str]) -> None:
        line = lines[row]
        lines[row] = line[: found.start()] + word(found.group()) + line[found.end() :]

    return change


def _misspelt(word: str) -> str:
    middle = (len(word) - 1) // 2
    return word[:middle] + word[middle + 1 : middle + 2] + word[middle] + word[middle + 2 :]


def _deeper(lines: list[str], row: int, found: re.Match[str]) -> None:
    lines[row] = "  " + lines[row]


def _shallower(lines: list[str], row: int, found: re.Match[str]) -> None:
    lines[row] = lines[row].removeprefix("  ")


KINDS: dict[str, Change] = {
    "deleted": _replaced(lambda word: ""),
    "misspelt": _replaced(_misspelt),
    "doubled": _replaced(lambda word: f"{word} {word}"),
    "in capitals": _replaced(str.swapcase),
    "moved": lambda lines, row, found: lines.__setitem__(
        row, f"{lines[row][: found.start()]}{lines[row][found.end() :]} {found.group()}"
    ),
    "deeper": _deeper,
    "shallower": _shallower,
}


def mistakes(text: str, kind: str, random: Random) -> list[str]:
    """Texts with one mistake of the kind. Comments stay as they are."""
    lines = text.splitlines()
    places = [(row, found) for row, line in enumerate(lines) for found in WORD.finditer(line.partition("#")[0])]
    texts = []
    for row, found in random.sample(places, min(EACH, len(places))):
        changed = list(lines)
        KINDS[kind](changed, row, found)
        texts.append("\n".join(changed) + "\n")
    return texts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "nim", "pig", "liars_dice"])
def test_one_mistake_gives_one_report(game: str, kind: str, tmp_path: Path, rng: Random, is_long: bool) -> None:
    shutil.copytree(GAMES / game, tmp_path / game)
    file = tmp_path / game / f"{game}.ludex"
    sound = file.read_text(encoding="utf-8")
    made = mistakes(sound, kind, Random(f"{game} {kind}"))
    for text in made if is_long else rng.sample(made, TRIED):
        file.write_text(text, encoding="utf-8")
        reports = check_game(tmp_path / game)
        shown = "\n".join(f"{each.span.line}: {each.code.code} {each.message}" for each in reports)
        changed = [
            f"- {old}\n+ {new}" for old, new in zip(sound.split("\n"), text.split("\n"), strict=True) if old != new
        ]
        assert len(reports) <= 1, "\n".join(["one mistake, several reports:", *changed, shown])
