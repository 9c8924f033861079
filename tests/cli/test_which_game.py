"""The resolution of a game's name, on the command line and in a log: the same for every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .running import ludex
from .specs import write

SPEC = """\
game NAME
  players: 2
  convention: "made up"

action sit
  choose chair in 1..3

play
  turns: each player in seats
    sit: sit

example anybody_sits
  with anna, boris
  allow anna sit(chair: 1)
"""
LOG = '{"ludex": 1, "game": "%s", "players": 2}\n{"player": 1, "action": "sit", "args": {"chair": 2}}\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(folder: Path, name: str) -> Path:
    """Write a game of this name with an action `sit`."""
    return write(folder, name, SPEC.replace("NAME", name))


def test_a_name_means_the_shipped_game_and_a_note_names_a_local_one(here: Path) -> None:
    note = "note: `nim` is the game that comes with Ludex; `./nim` is the one in this folder"
    for command in (["check"], ["test"], ["schema"], ["games"], ["perft", "--depth", "1"], ["show", "--merged", "nim"]):
        ran = ludex(*command, "nim")
        assert (ran.code, note in ran.stderr) == (0, False)
    (here / "nim").mkdir()
    assert note not in ludex("check", "nim").stderr, "a folder with logs must not count as a game"
    lay(here, "nim")
    for command in (["check"], ["test"], ["schema"], ["games"], ["perft", "--depth", "1"], ["show", "--merged", "nim"]):
        ran = ludex(*command, "nim")
        assert (ran.code, ran.stderr.count(note)) == (0, 1)
        assert not re.search(r"\bsit\b", ran.stdout)
    assert note not in ludex("check", "./nim").stderr
    assert '"sit"' in ludex("schema", "./nim").stdout


def test_the_game_of_a_log_is_searched_beside_it_and_then_in_the_current_folder(here: Path) -> None:
    log = here / "club" / "log.jsonl"
    log.parent.mkdir()
    log.write_text(LOG % "stools", encoding="utf-8")
    commands = (["validate", log], ["show", log])
    assert [ludex(*command).code for command in commands] == [1, 1]
    lay(here, "stools")
    assert [ludex(*command).code for command in commands] == [0, 0]
    (here / "stools" / "stools.ludex").write_text(
        SPEC.replace("NAME", "stools").replace("sit", "rise"), encoding="utf-8"
    )
    assert [ludex(*command).code for command in commands] == [1, 1], "the other game must be found"
    lay(log.parent, "stools")
    assert [ludex(*command).code for command in commands] == [0, 0], "the game beside the log must come first"
    assert ludex("play", "club/stools", "--resume", log, stdin="quit\n").code == 0


def test_a_note_names_a_local_game_with_the_name_of_the_logs_shipped_game(here: Path) -> None:
    log = here / "club" / "log.jsonl"
    log.parent.mkdir()
    log.write_text('{"ludex": 1, "game": "nim", "players": 2}\n{"claim": {"terminal": false}}\n', encoding="utf-8")
    assert "L433" not in ludex("validate", log).output
    lay(log.parent, "nim")
    output = ludex("validate", log)
    assert (output.code, "L433 warning" in output.output, '"./nim"' in output.output) == (0, True, True)
    assert "L433" not in ludex("validate", log, "--game", log.parent / "nim").output
    for command in (["show", log], ["show", log, "--as", "1"], ["play", "nim", "--resume", log]):
        output = ludex(*command, stdin="quit\n")
        assert (output.code, "L433 warning" in output.stderr, "L490" in output.output) == (0, True, False), command
    assert "L433" in ludex("show", log, "--as", "1", "--format", "json").stdout


def test_a_shipped_name_in_a_log_means_the_shipped_game_unless_a_game_is_given(here: Path) -> None:
    log = here / "log.jsonl"
    log.write_text(LOG % "nim", encoding="utf-8")
    lay(here, "nim")
    assert ludex("validate", log).code == 1
    assert ludex("validate", log, "--game", "./nim").code == 0
    assert ludex("play", "./nim", "--resume", log, stdin="quit\n").code == 0


def test_a_single_spec_file_beside_a_log_is_found_by_its_name(here: Path) -> None:
    log = here / "club" / "log.yaml"
    log.parent.mkdir()
    lay(here, "stools").rename(log.parent / "stools.ludex")
    log.write_text("ludex: 1\ngame: stools\nplayers: 2\nevents:\n  - {player: 1, action: sit, args: {chair: 2}}\n")
    assert ludex("validate", log).code == 0


@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        ["validate"],
        ["fmt"],
        ["convert", "--to", "yaml"],
        ["validate", "--explain", "1"],
        ["play", "nim", "--resume"],
    ],
)
def test_a_game_where_a_file_is_wanted_is_answered_with_the_commands_for_games(here: Path, command: list[str]) -> None:
    ran = ludex(*command, "nim")
    assert ran.code == 2
    assert "nim: F101" in ran.output
    assert "`ludex new-log nim` begins a log of it, `ludex play nim` plays it" in ran.output
    assert "new-log" not in ludex(*command, "nimm").output


@pytest.mark.parametrize("command", [["check"], ["play"], ["simulate"], ["games"]])
def test_a_log_where_a_game_is_wanted_is_answered_with_the_commands_for_logs(here: Path, command: list[str]) -> None:
    log = here / "a log.jsonl"
    log.write_text(LOG % "nim", encoding="utf-8")
    ran = ludex(*command, "a log.jsonl")
    assert ran.code == 2
    assert "`a log.jsonl` is not a spec" in ran.output
    assert "`ludex validate 'a log.jsonl'` judges it, and `ludex show 'a log.jsonl'` shows it" in ran.output
    assert "name the folder" not in ran.output
    lay(here, "nim").rename(here / "nim.ludex")
    assert "name the folder `.`" in ludex(*command, "a log.jsonl").output
