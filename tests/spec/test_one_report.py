"""One mistake gives one report: in shipped games one word or line is changed, a construct is misplaced, or a taken name
is used.

The mistakes are drawn with a fixed seed, and each run tries some of them. docs/authoring-guide.md lists the mistakes
that still get several reports, with the reasons; none of them is drawn here.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from difflib import ndiff
from pathlib import Path
from random import Random

import pytest

from ludex.grammar.lexer.words import DECLARATION_WORDS
from ludex.spec import check_game

GAMES = Path(__file__).parents[2] / "spec" / "games"
WORD = re.compile(r'"[^"]*"|\[[^\]]*\]|\w+|:=|\+=|-=|=>|\.\.|!=|<=|>=|\S')
EACH = 12
"""The number of mistakes of each kind in each game."""
TRIED = 4
"""The number of mistakes tried in a run."""

Change = Callable[[list[str], int, re.Match[str]], None]


def _replaced(word: Callable[[str], str]) -> Change:
    def change(lines: list[str], row: int, match: re.Match[str]) -> None:
        line = lines[row]
        lines[row] = line[: match.start()] + word(match.group()) + line[match.end() :]

    return change


def _misspelt(word: str) -> str:
    middle = (len(word) - 1) // 2
    return word[:middle] + word[middle + 1 : middle + 2] + word[middle] + word[middle + 2 :]


def _deeper(lines: list[str], row: int, match: re.Match[str]) -> None:
    lines[row] = "  " + lines[row]


def _shallower(lines: list[str], row: int, match: re.Match[str]) -> None:
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
    """Return texts with one mistake of the kind. Comments are not changed."""
    lines = text.splitlines()
    places = [(row, match) for row, line in enumerate(lines) for match in WORD.finditer(line.partition("#")[0])]
    texts = []
    for row, match in random.sample(places, min(EACH, len(places))):
        changed = list(lines)
        KINDS[kind](changed, row, match)
        texts.append("\n".join(changed) + "\n")
    return texts


VALUE = re.compile(
    r"(?P<indent> *)(?P<before>(?:define|fact) [^#]*? =|[^#]*?(?::=|\+=|-=)|let \w+ =|require \w+:|score \w+:) "
    r"(?P<value>[^\[\]#]+?)(?P<rest>(?: +(?:\[|ruling|convention).*)?)"
)
"""Matches a line that ends in a value."""

CONSTRUCTS: dict[str, list[str]] = {
    "match": ["match 1", "  1 => VALUE", "  2 => VALUE"],
    "match as an operand": ["VALUE + match 1", "  1 => VALUE", "  2 => VALUE"],
    "match in brackets": ["(match 1", "  1 => VALUE", "  2 => VALUE)"],
    "if": ["if true", "  then VALUE", "  else VALUE"],
    "if as an operand": ["VALUE + if true then VALUE else VALUE"],
    "if with blocks": ["if true", "  VALUE", "else", "  VALUE"],
    "if of steps": ["if true", "  nothing"],
    "choose": ["choose it in 1..3"],
    "draw": ["draw 1 from it to it"],
    "assignment": ["it := VALUE"],
    "require": ["require it: true"],
    "let": ["let it = VALUE"],
    "each": ["each it in 1..3", "  nothing"],
    "each player": ["each player in seats", "  nothing"],
    "repeat": ["repeat 3 times", "  nothing"],
    "may": ["may", "  nothing"],
    "nothing": ["nothing"],
}
"""Constructs that replace a value."""

TAKEN = [*DECLARATION_WORDS, "else", "if", "match", "me", "seats", "total"]
"""Keywords and names of builtins; many of them may be used as names."""


def misplaced(lines: list[str], construct: list[str], below: bool, random: Random) -> Iterator[list[str]]:
    """Return the lines with a construct in place of a value, on the same line or in a block below it."""
    places = [(row, match) for row, line in enumerate(lines) if (match := VALUE.fullmatch(line))]
    whole = [(row, match) for row, match in places if not _has_block(lines, row)]
    for row, match in random.sample(whole, min(2, len(whole))):
        indent, head = match["indent"], match["indent"] + match["before"]
        first, *others = [part.replace("VALUE", match["value"]) for part in construct]
        if below:
            new = [head, *(f"{indent}  {part}" for part in (first, *others))]
            new[-1] += match["rest"]
        else:
            new = [f"{head} {first}{match['rest']}", *(indent + part for part in others)]
        yield [*lines[:row], *new, *lines[row + 1 :]]


def _has_block(lines: list[str], row: int) -> bool:
    below = next((line for line in lines[row + 1 :] if line.strip()), "")
    return _indent(below) > _indent(lines[row])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def renamed(lines: list[str], kind: str, word: str) -> list[str] | None:
    """Return the lines with another name for the first declared thing of the kind; comments and texts are
    not changed.
    """
    declared = next((match[1] for line in lines if (match := re.match(rf"{kind} (\w+)", line))), None)
    if declared is None:
        return None
    name = re.compile(rf'("[^"]*"|#.*|\[[^\]]*\])|\b{declared}\b')
    return [name.sub(lambda match: match[1] or word, line) for line in lines]


@pytest.mark.parametrize("below", [False, True], ids=["on the line", "in a block below"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "nim", "pig", "liars_dice"])
def test_one_misplaced_construct_gives_one_report(
    game: str, below: bool, tmp_path: Path, rng: Random, is_long: bool
) -> None:
    shutil.copytree(GAMES / game, tmp_path / game)
    sound = (tmp_path / game / f"{game}.ludex").read_text(encoding="utf-8").splitlines()
    variants = [
        lines
        for kind, construct in CONSTRUCTS.items()
        for lines in misplaced(sound, construct, below, Random(f"{game} {kind}"))
    ]
    for lines in variants if is_long else rng.sample(variants, TRIED):
        _expect_one_report(tmp_path / game, sound, lines)


@pytest.mark.drawn(4)
@pytest.mark.parametrize("kind", ["state", "zone", "define", "fact", "action", "option"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "liars_dice", "leduc_poker"])
def test_a_keyword_as_a_name_gives_one_report(game: str, kind: str, tmp_path: Path, rng: Random, is_long: bool) -> None:
    shutil.copytree(GAMES / game, tmp_path / game)
    sound = (tmp_path / game / f"{game}.ludex").read_text(encoding="utf-8").splitlines()
    variants = [lines for word in TAKEN if (lines := renamed(sound, kind, word))]
    for lines in variants if is_long else rng.sample(variants, min(TRIED, len(variants))):
        _expect_one_report(tmp_path / game, sound, lines)


@pytest.mark.drawn(6)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "nim", "pig", "liars_dice"])
def test_one_mistake_gives_one_report(game: str, kind: str, tmp_path: Path, rng: Random, is_long: bool) -> None:
    shutil.copytree(GAMES / game, tmp_path / game)
    sound = (tmp_path / game / f"{game}.ludex").read_text(encoding="utf-8")
    variants = mistakes(sound, kind, Random(f"{game} {kind}"))
    for text in variants if is_long else rng.sample(variants, TRIED):
        _expect_one_report(tmp_path / game, sound.splitlines(), text.splitlines())


def _expect_one_report(game: Path, sound: list[str], lines: list[str]) -> None:
    (game / f"{game.name}.ludex").write_text("\n".join(lines) + "\n", encoding="utf-8")
    reports = check_game(game)
    changed = [line for line in ndiff(sound, lines) if line[0] in "+-"]
    shown = [f"{each.span.line}: {each.code.code} {each.message}" for each in reports]
    assert len(reports) <= 1, "\n".join(["one mistake, several reports:", *changed, *shown])
