"""`ludex check`, `test`, `schema`, `games`: commands that do little more than call the library."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from ludex.cli.commands.check import STAGES
from ludex.cli.reporting.exit_codes import Exit
from ludex.interpreter import listing
from ludex.interpreter.program import program_from_json
from ludex.spec import shipped_games, validator

from .running import ludex
from .specs import FAILING, write, write_chairs


@pytest.mark.drawn(1, by=lambda game, stage: game)
@pytest.mark.parametrize("game", shipped_games())
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_of_every_game_can_be_printed(game: str, stage: str) -> None:
    ran = ludex("check", game, "--stage", stage)
    assert ran.code == 0
    assert len(ran.stdout.splitlines()) > 20
    assert " at 0x" not in ran.stdout
    assert "Span(" not in ran.stdout


def test_a_stage_of_a_faulty_spec_is_printed_with_its_faults(tmp_path: Path) -> None:
    path = write(tmp_path, "failing", FAILING.replace("sit: seated(me) :=", "sit: seated(me) ="))
    ran = ludex("check", path, "--stage", "tree")
    assert ran.code == 1
    assert "ActionDeclaration" in ran.stdout
    assert "S113" in ran.stderr


def test_one_table_can_be_checked_alone(tmp_path: Path) -> None:
    write_chairs(tmp_path)
    text = (tmp_path / "chairs" / "chairs.ludex").read_text(encoding="utf-8")
    path = write(tmp_path, "chairs", text.replace("else 0  ", "else 0 + opponent(me)"))
    everything = ludex("check", path)
    pair = ludex("check", path, "--players", "3")
    assert "opponent" in everything.output
    assert "opponent" in pair.output


def test_json_is_one_object_with_all_games() -> None:
    data = json.loads(ludex("check", "pig", "halma", "--format", "json").stdout)
    assert [game["game"] for game in data["games"]] == ["pig", "halma"]
    assert (data["errors"], data["warnings"]) == (1, 0)
    assert data["games"][1]["findings"][0]["code"] == "U102"


def test_failures_are_json_too() -> None:
    data = json.loads(ludex("test", "halma", "--format", "json").stdout)
    assert data["findings"][0]["code"] == "U102"
    assert data["errors"] == 1


def test_cited_lines_are_shown(tmp_path: Path) -> None:
    folder = write_chairs(tmp_path)
    ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    book = tmp_path / "books" / "chairs.txt"
    book.write_text(book.read_text(encoding="utf-8").replace("2 points", "3 points"), encoding="utf-8")
    ran = ludex("check", folder, "--sources", tmp_path / "books")
    assert "A207" in ran.output
    assert "en 5 | Sitting is worth 3 points." in ran.output


def test_only_the_examples_of_the_named_edition_run() -> None:
    data = json.loads(ludex("test", "boreal", "--edition", "ru", "--format", "json").stdout)
    assert {each["edition"] for each in data["examples"]} == {"ru"}
    assert data["failed"] == 0
    assert data["passed"] == len(data["examples"]) > 5


def test_examples_for_other_numbers_of_players_run_too() -> None:
    data = json.loads(ludex("test", "pig", "--format", "json").stdout)
    assert {each["players"] for each in data["examples"]} == {2, 3}
    assert len(data["examples"]) >= 3


def test_the_beginning_of_a_play_is_tested_at_each_table(tmp_path: Path) -> None:
    """Each invariant is reported once, at the first table at which it is false."""
    rules = FAILING[: FAILING.index("example")].replace("players: 2", "players: 2..3")
    two = "invariant two: count(p in Player where not seated(p)) = 2\n\n"
    sits = "invariant one_sits: some p in Player has seated(p)\n\n"
    examples = (f"example for_{names[0]}\n  with {names}\n  expect total(c) = 0\n\n" for names in ("b, c", "a, b, c"))
    path = write(tmp_path, "failing", rules + two + sits + "".join(examples))
    ran = ludex("test", path)
    assert ran.code == Exit.FINDINGS
    assert [line.strip() for line in ran.output.splitlines() if "the beginning" in line and "P309" not in line] == [
        "FAIL  the beginning of a play (2 players)",
        "FAIL  the beginning of a play (3 players)",
        "2 examples, 2 failed; the beginning of a play fails",
    ]
    data = json.loads(ludex("test", path, "--format", "json").stdout)
    assert [
        (each["players"], [finding["why"][0]["clause"] for finding in each["findings"]]) for each in data["beginnings"]
    ] == [(2, ["invariant.one_sits"]), (3, ["invariant.two"])]


def test_a_spec_without_examples_passes(tmp_path: Path) -> None:
    path = write(tmp_path, "failing", FAILING[: FAILING.index("example")])
    ran = ludex("test", path)
    assert (ran.code, ran.output) == (0, "no examples\n")


@pytest.mark.drawn(4)
@pytest.mark.parametrize("game", shipped_games())
def test_the_schema_accepts_the_games_own_logs(game: str) -> None:
    schema = json.loads(ludex("schema", game, "--players", _players(game)).stdout)
    log = Path(f"spec/games/{game}/logs/full.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in log.splitlines()]
    assert list(validator(schema).iter_errors(lines)) == []
    assert list(validator(schema).iter_errors([*lines, {"player": 1, "action": "no_such"}]))


def _players(game: str) -> int:
    header = json.loads(Path(f"spec/games/{game}/logs/full.jsonl").read_text(encoding="utf-8").splitlines()[0])
    players = header["players"]
    return len(players) if isinstance(players, list) else players


def test_there_is_one_schema_for_components() -> None:
    schema = json.loads(ludex("schema", "boreal", "--components").stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    assert "row_Place" in schema["$defs"]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text there")
def test_the_name_of_a_folder_may_be_undecodable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is in the spans of all nodes, and so in the cache, and in reports that are written to files."""
    for module in ("spec.loading.game_cache", "grammar.files.cache"):
        monkeypatch.setattr(f"ludex.{module}.cache_folder", lambda: tmp_path / "cache")
    folder = tmp_path / os.fsdecode(b"caf\xe9\n")
    shutil.copytree("spec/games/boreal", folder, ignore=shutil.ignore_patterns("transcriptions"))
    for _ in range(2):
        assert ludex("check", folder).code == Exit.GOOD
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()], "the game must be in the cache"
    out = tmp_path / "report.html"
    assert ludex("diff", folder, "--no-play", "--format", "html", "--out", out).code == Exit.FINDINGS
    assert "</html>" in out.read_text(encoding="utf-8")


def test_a_program_is_printed_as_data_and_read_back(tmp_path: Path) -> None:
    ran = ludex("check", "pig", "tic_tac_toe", "--stage", "program", "--format", "json")
    assert ran.code == 0
    shown = json.loads(ran.stdout)
    assert [each["game"] for each in shown["games"]] == ["pig", "tic_tac_toe"]
    for each in shown["games"]:
        program = program_from_json(each["program"])
        assert list(listing(program)) == ludex("check", each["game"], "--stage", "program").stdout.splitlines()
    (tmp_path / "wrong.ludex").write_text("game wrong\nplayers: 2\nplay\n  go now\n", "utf-8")
    ran = ludex("check", str(tmp_path / "wrong.ludex"), "--stage", "program", "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.stdout)["games"][0]["program"] is None
    assert json.loads(ran.stdout)["games"][0]["findings"]


@pytest.mark.parametrize("stage", [each for each in STAGES if each != "program"])
def test_no_other_stage_has_a_form_as_data(stage: str) -> None:
    ran = ludex("check", "pig", "--stage", stage, "--format", "json")
    assert ran.code == 3
    assert f"leave it out with --stage {stage}" in ran.output
