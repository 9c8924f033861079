"""`docs/language.md` and `docs/authoring-guide.md`: their games check clean, their examples pass, every construct is
shown.
"""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from ludex.grammar import format_module, nodes_in, parse, syntax
from ludex.interpreter import Reference, run_example
from ludex.spec import check_game, load, read_game

DOCS = Path(__file__).parents[1] / "docs"


def games_of(page: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```ludex\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


LANGUAGE = games_of("language.md")
BLOCKS = LANGUAGE + games_of("authoring-guide.md")
NOT_SHOWN = {"SilentDeclaration", "Node", "Comment", "Column", "ComponentDeclaration"}
"""The base class, nodes that are not constructs, and constructs that need a second file."""


def name_of(text: str) -> str:
    return text.split()[1]


@pytest.mark.parametrize("text", BLOCKS, ids=name_of)
def test_games_check_clean(text: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name_of(text)}.ludex"
    path.write_text(text, encoding="utf-8")
    assert [(d.span.line, d.code.code, d.message) for d in check_game(path)] == []


@pytest.mark.parametrize("text", BLOCKS, ids=name_of)
def test_game_is_in_canonical_layout(text: str) -> None:
    module = parse(text, name_of(text)).module
    assert format_module(module) == text


@pytest.mark.parametrize("text", BLOCKS, ids=name_of)
def test_examples_hold(text: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name_of(text)}.ludex"
    path.write_text(text, encoding="utf-8")
    least, most = read_game(path).game.header.players
    for players in range(least, most + 1):
        game = load(path, players=players)
        reference = Reference(game)
        for example in game.examples:
            findings = run_example(reference, example).findings
            assert [(d.span.line, d.code.code, d.message) for d in findings] == []


def test_every_construct_is_shown() -> None:
    shown = {type(node).__name__ for text in LANGUAGE for node in nodes_in(parse(text, "language.md").module)}
    every = {
        name
        for name, kind in vars(syntax).items()
        if isinstance(kind, type) and is_dataclass(kind) and issubclass(kind, syntax.Node)
    }
    assert not every - shown - NOT_SHOWN, "add an example of these constructs to docs/language.md"
