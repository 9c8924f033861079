"""`ludex new-log`: a log to continue by hand, and its JSON Schema for editors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from ludex.cli.reporting.exit_codes import Exit
from ludex.interpreter import new_log
from ludex.spec import shipped_games, validator

from ..once import game_once
from .running import ludex


def test_a_log_and_its_schema_are_written(tmp_path: Path) -> None:
    log = tmp_path / "club evening.yaml"
    ran = ludex("new-log", "boreal", log, "--names", "Аня,Борис", "--lang", "ru", "--edition", "aid")
    assert ran.code == Exit.GOOD, ran.output
    first, *_ = log.read_text(encoding="utf-8").splitlines()
    assert first == "# yaml-language-server: $schema=./club%20evening.schema.json"
    schema = json.loads((tmp_path / "club evening.schema.json").read_text(encoding="utf-8"))
    written = yaml.safe_load(log.read_text(encoding="utf-8"))
    assert validator(schema).is_valid(written)
    assert written["players"] == ["Аня", "Борис"]
    assert written["edition"] == "aid"
    assert "Бореаль" in schema["title"]
    assert not validator(schema).is_valid({**written, "players": ["Аня", "Вера"]})
    assert "legal" in ludex("validate", log).output


@pytest.mark.drawn(1)
@pytest.mark.parametrize("game", shipped_games())
def test_the_example_in_the_log_is_legal(game: str, tmp_path: Path) -> None:
    text = new_log(game_once(game), "s.json")
    assert "\n  # - {" in text
    log = tmp_path / "log.yaml"
    log.write_text(text.replace("\n  # - {", "\n  - {"), encoding="utf-8")
    ran = ludex("validate", log)
    assert ran.code == Exit.GOOD, ran.output
    assert " 1 event" in ran.output


@pytest.mark.parametrize("there", ["evening.yaml", "evening.schema.json"])
def test_no_file_is_overwritten(there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine", encoding="utf-8")
    ran = ludex("new-log", "pig", tmp_path / "evening.yaml")
    assert ran.code == Exit.USAGE
    assert "exists already" in ran.output
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [(there, "mine")]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("log.jsonl",), "must end in .yaml"),
        (("no/folder/log.yaml",), "cannot be written"),
        (("log.yaml", "--names", "Anna", "--players", "2"), "--names has 1 name"),
        (("log.yaml", "--names", "Anna,1"), "is not a number"),
        (("log.yaml", "--lang", "xx"), "no word in `xx`"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = ludex("new-log", "kuhn_poker", *args)
    assert ran.code in (Exit.USAGE, Exit.UNREADABLE)
    assert words in ran.output
    assert not list(tmp_path.iterdir())


def test_without_a_name_the_log_is_named_after_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ludex("new-log", "pig", "--players", "3").code == Exit.GOOD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pig.schema.json", "pig.yaml"]
    assert "players: 3" in Path("pig.yaml").read_text(encoding="utf-8")
