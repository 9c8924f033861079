"""The cache of parsed texts: an entry equals the parse, and only texts without a fault have one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Parsed, keep, parse, parse_kept
from ludex.grammar.parser import parsing

ROOT = Path(__file__).parents[2]
GOOD = "game ash\n  players: 2\n\nfact ante = 1  [ru 5]\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder, empty."""
    monkeypatch.setattr("ludex.grammar.files.cache.cache_folder", lambda: tmp_path)
    return tmp_path / "texts"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the texts that are parsed."""
    parsed_names: list[str] = []

    def noted(text: str, file: str) -> Parsed:
        parsed_names.append(text)
        return parse(text, file)

    monkeypatch.setattr(parsing, "parse", noted)
    return parsed_names


def read(text: str, file: str = "ash.ludex") -> Parsed:
    """Parse as a new process would."""
    parse_kept.cache_clear()
    return parse_kept(text, file)


@pytest.mark.drawn(8)
@pytest.mark.parametrize("path", sorted((ROOT / "spec/games").glob("*/*.ludex")), ids=lambda path: path.stem)
def test_every_text_is_read_back(cache: Path, parsed: list[str], path: Path) -> None:
    text = path.read_text("utf-8")
    assert read(text) == read(text) == parse(text, "ash.ludex")
    assert parsed == [text]


def test_each_text_and_each_name_has_its_own_entry(cache: Path, parsed: list[str]) -> None:
    one, other, longer = read(GOOD), read(GOOD, "b.ludex"), read(f"{GOOD}# more\n")
    assert len(parsed) == len(list(cache.iterdir())) == 3
    assert (one.module.span.file, other.module.span.file) == ("ash.ludex", "b.ludex")
    assert [len(each.module.comments) for each in (one, longer)] == [0, 1]


def test_a_text_with_a_fault_is_parsed_again(cache: Path, parsed: list[str]) -> None:
    assert read(f"{GOOD}fact = 2\n").diagnostics
    assert read(f"{GOOD}fact = 2\n").diagnostics
    assert len(parsed) == 2
    assert not cache.exists()


SHAPES: tuple[Callable[[Any], Any], ...] = (
    lambda data: [],
    lambda data: {**data, "place": "another"},
    lambda data: {**data, "made": [1]},
    lambda data: {**data, "made": ["1", data["made"][1]]},
    lambda data: {**data, "made": [1, {"strings": [], "blocks": [["Popen", {}, 1, [["one", "true"]]]]}]},
    lambda data: {**data, "made": [1, {"strings": [], "blocks": [["Span", {}, 1, [["one", 1]] * 5]]}]},
)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_entry_of_another_shape_is_replaced(cache: Path, parsed: list[str], shape: Any) -> None:
    read(GOOD)
    [file] = cache.iterdir()
    good = file.read_bytes()
    keep(file, shape(json.loads(good.partition(b"\n")[2])))
    assert read(GOOD) == parse(GOOD, "ash.ludex")
    assert len(parsed) == 2
    assert file.read_bytes() == good


def test_a_torn_entry_is_replaced(cache: Path, parsed: list[str]) -> None:
    read(GOOD)
    [file] = cache.iterdir()
    good = file.read_bytes()
    file.write_bytes(good[:-9])
    assert read(GOOD) == parse(GOOD, "ash.ludex")
    assert file.read_bytes() == good
