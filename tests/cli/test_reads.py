"""Every command reads and parses each file that it is about once, whatever is kept from earlier runs."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar.files import cache
from ludex.grammar.parser import kept_trees, parsing
from ludex.spec.loading import game_cache

from .running import ludex

GAMES = Path(__file__).parents[2] / "spec/games"
ENDINGS = (".ludex", ".yaml", ".jsonl", ".lock", ".lines", ".excuses")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file of a game was opened."""
    found: Counter[str] = Counter()
    by_hand = os.open

    def noted(path: Any, *rest: Any, **more: Any) -> int:
        if str(path).endswith(ENDINGS):
            found[os.path.realpath(path)] += 1
        return by_hand(path, *rest, **more)

    monkeypatch.setattr(os, "open", noted)
    return found


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often each text was parsed, where nothing was kept."""
    found: Counter[str] = Counter()
    by_hand = parsing.parse

    def noted(text: str, file: str) -> Any:
        found[file] += 1
        return by_hand(text, file)

    monkeypatch.setattr(parsing, "parse", noted)
    kept_trees.parse_kept.cache_clear()
    yield found
    kept_trees.parse_kept.cache_clear()


@pytest.fixture
def boreal(tmp_path: Path) -> Path:
    """Boreal in a folder that is not called like it: the game file has to be looked for."""
    shutil.copytree(GAMES / "boreal", tmp_path / "north")
    return tmp_path / "north"


COMMANDS = (
    ("validate", "LOG", "--game", "GAME"),
    ("validate", "LOG", "LOG", "--edition", "all", "--game", "GAME"),
    ("check", "GAME"),
    ("check", "GAME", "--players", "2", "--edition", "all"),
    ("diff", "GAME", "--no-play"),
    ("coverage", "GAME"),
    ("test", "GAME"),
    ("show", "LOG", "--at", "3", "--game", "GAME"),
)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_is_read_once(
    command: tuple[str, ...],
    boreal: Path,
    tmp_path: Path,
    opened: Counter[str],
    parsed: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (cache, game_cache):
        monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")
    log = boreal / "logs/full.jsonl"
    args = [str({"GAME": boreal, "LOG": log}.get(arg, arg)) for arg in command]
    for run in ("nothing is kept", "all is kept"):
        assert ludex(*args).code < 2
        own = {path: times for path, times in opened.items() if path.startswith(str(boreal))}
        assert boreal / "boreal.ludex" in map(Path, own)
        named = command.count("LOG")
        assert {path: times for path, times in own.items() if times > (named if path == str(log) else 1)} == {}, run
        opened.clear()
    assert set(parsed.values()) == {1}, parsed
