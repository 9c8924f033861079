"""Every command reads and parses each of its files once, with an empty or a full cache."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar.files import cache
from ludex.grammar.lexer import layout
from ludex.grammar.parser import kept_trees, parsing
from ludex.spec.loading import game_cache

from .running import ludex

GAMES = Path(__file__).parents[2] / "spec/games"
BAD_LOG = Path(__file__).parents[1] / "games/bad_logs/boreal/study-affordable.jsonl"
ENDINGS = (".ludex", ".yaml", ".jsonl", ".lock", ".lines", ".excuses")


@pytest.fixture
def games_are_shared() -> None:
    """Share nothing: the tests here count how often a file is read."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A count of the openings of each file of a game."""
    counted: Counter[str] = Counter()
    by_hand = os.open

    def noted(path: Any, *rest: Any, **more: Any) -> int:
        if str(path).endswith(ENDINGS):
            counted[os.path.realpath(path)] += 1
        return by_hand(path, *rest, **more)

    monkeypatch.setattr(os, "open", noted)
    return counted


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """A count of the parses of each file, on a cache miss."""
    counted: Counter[str] = Counter()
    by_hand = layout.lay_out  # not `parse`, which other modules import by its name

    def noted(text: str, file: str, read: Any) -> Any:
        counted[file] += text == Path(file).read_text("utf-8")
        return by_hand(text, file, read)

    monkeypatch.setattr(parsing, "lay_out", noted)
    kept_trees.parse_kept.cache_clear()
    yield counted
    kept_trees.parse_kept.cache_clear()


@pytest.fixture
def boreal(tmp_path: Path) -> Path:
    """Boreal in a folder of another name: commands have to search for the game file."""
    shutil.copytree(GAMES / "boreal", tmp_path / "games/north")
    return tmp_path / "games/north"


@pytest.fixture
def named(boreal: Path) -> dict[str, Path]:
    """Return the arguments of the commands below, by their placeholders."""
    bad, faulty = boreal.with_name("bad.jsonl"), boreal.with_name("faulty")
    shutil.copy(BAD_LOG, bad)
    shutil.copytree(boreal, faulty)
    with (faulty / "boreal.ludex").open("a", encoding="utf-8") as file:
        file.write("fact wrong = nobody\n")
    return {"GAME": boreal, "TEXT": boreal / "boreal.ludex", "LOG": boreal / "logs/full.jsonl"} | {
        "BAD": bad, "FAULTY": faulty
    }  # fmt: skip


COMMANDS = (
    ("validate", "LOG", "--game", "GAME"),
    ("validate", "LOG", "BAD", "--edition", "all", "--game", "GAME"),
    ("check", "GAME"),
    ("check", "GAME", "--players", "2", "--edition", "all"),
    ("diff", "GAME", "--no-play"),
    ("coverage", "GAME"),
    ("test", "GAME"),
    ("show", "LOG", "--at", "3", "--game", "GAME"),
    ("validate", "BAD", "--game", "GAME"),
    ("check", "FAULTY"),
    ("diff", "GAME", "TEXT"),
    ("fmt", "GAME", "--check"),
    ("simulate", "GAME", "--games", "1"),
)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_is_read_once(
    command: tuple[str, ...],
    named: dict[str, Path],
    tmp_path: Path,
    opened: Counter[str],
    parsed: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (cache, game_cache):
        monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")
    args = [str(named.get(arg, arg)) for arg in command]
    for run in ("nothing is kept", "all is kept"):
        assert ludex(*args).code < 2
        own = {Path(path): times for path, times in opened.items() if path.startswith(str(tmp_path / "games"))}
        assert any(path.name == "boreal.ludex" for path in own)
        assert {path: times for path, times in own.items() if times > 1} == {}, run
        opened.clear()
    assert set(parsed.values()) == {1}, parsed
