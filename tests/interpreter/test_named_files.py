"""The files that a log may name: they can be forbidden or confined, and no report tells what is in another file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.grammar import Diagnostic
from ludex.interpreter import Validator, parse_log
from ludex.interpreter.logs.tracking.report import Report, Verdict
from ludex.spec import load

from ..cli.running import ludex as command
from ..once import engine_once, game_once

SECRET = "hunter2"
OTHER_FILES = {
    "passwd": f"root:{SECRET}:0:0\nbin:x:1:1\n",
    "list.yaml": f"- {SECRET}\n- {SECRET}: 1\n",
    "keys.yaml": f"password: {SECRET}\nfrom: {{state: {{}}}}\n",
    "broken.json": f'{{"password": "{SECRET}"',
    "twice.yaml": f"{SECRET}: 1\n{SECRET}: 2\n",
    "latin.txt": f"{SECRET}\xe9\n",
    "log.jsonl": f'{{"ludex": 1, "game": "pig", "players": ["{SECRET}", "Boris"]}}\n{{"note": "{SECRET}"}}\n',
    "log.ludexlog": f"Game: pig\nPlayers: {SECRET}, Boris\n\n{SECRET}: roll\n",
    "damaged.ludexlog": f"Game: pig\nPlayers: {SECRET}, Boris\nFrom: {SECRET}\n{SECRET}\n",
}
GAMES = Path(__file__).parents[2] / "spec" / "games"
COMPONENT = """zone deck: pile of Card, hidden

component Stone from "DATA"
  weight: 1..3
"""


def judged(text: str, files: bool | str | Path = True) -> Report:
    return ludex.judge(text, files=files)


def naming(path: Path | str, member: str = "from") -> str:
    header: dict[str, Any] = {"ludex": 1, "game": "pig", "players": 2, member: str(path)}
    return json.dumps(header) + "\n"


def only(report: Report) -> Diagnostic:
    (finding,) = report.findings
    return finding


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_report_tells_nothing_of_a_file_that_is_no_position(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(OTHER_FILES[name].encode("latin-1"))
    log = tmp_path / "named.jsonl"
    log.write_text(naming(path), encoding="utf-8")
    finding = only(ludex.judge(log))
    assert (finding.span.file, finding.pointer) == (str(log), "/from")
    output = command("validate", str(log)).output
    assert str(path) in output
    assert SECRET not in output


def test_a_fault_of_a_position_is_reported_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    path.write_text("ludex: 1\ngame: pig\nplayers: 2\nfrom: {state: {pott: 3}}\n", encoding="utf-8")
    assert {each.span.file for each in judged(naming(path)).findings} == {str(path)}


@pytest.mark.parametrize("member", ["from", "game"])
@pytest.mark.parametrize("name", ["there.ludex", "missing.ludex", "x/../there.ludex", "\0"])
@pytest.mark.parametrize("in_folder", [False, True])
def test_no_file_is_looked_at_that_a_log_may_not_name(member: str, name: str, in_folder: bool, tmp_path: Path) -> None:
    """The report is the same whether it exists."""
    (tmp_path / "there.ludex").write_text(SECRET, encoding="utf-8")
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    finding = only(judged(naming(tmp_path / name, member), allowed if in_folder else False))
    assert (finding.code.code, finding.pointer) == ("L434", f"/{member}")
    assert not finding.notes


def test_a_log_may_name_the_files_of_a_folder(tmp_path: Path) -> None:
    position = tmp_path / "at.yaml"
    position.write_text(ludex_position(), encoding="utf-8")
    for files in (True, tmp_path, str(tmp_path.parent)):
        assert judged(naming(position), files).verdict is Verdict.LEGAL
    (row,) = ludex.judge_many([("stranger", naming(position))], files=False)
    assert [each.code for each in row.findings] == ["L434"]
    assert ludex.replay(naming(position), files=False).engine is not None
    assert ludex.replay(naming(position), files=False).state is None


def ludex_position() -> str:
    return "ludex: 1\ngame: pig\nplayers: 2\nfrom:\n  state: {pot: 5}\n  flow: {me: 1}\n"


def test_a_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    (tmp_path / "at.yaml").write_text(ludex_position(), encoding="utf-8")
    (allowed / "link.yaml").symlink_to(tmp_path / "at.yaml")
    assert only(judged(naming(allowed / "link.yaml"), allowed)).code.code == "L434"


def stones(folder: Path, data: str) -> Path:
    home = folder / "stones"
    home.mkdir(parents=True)
    spec = (GAMES / "kuhn_poker" / "kuhn_poker.ludex").read_text("utf-8").replace("kuhn_poker", "stones")
    spec = spec.replace("zone deck: pile of Card, hidden\n", COMPONENT.replace("DATA", data))
    (home / "stones.ludex").write_text(spec, encoding="utf-8")
    return home


def test_the_files_that_a_spec_names_are_confined_too(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    (tmp_path / "data.yaml").write_text(f"tables: {SECRET}\n", encoding="utf-8")
    home = stones(allowed, "../../data.yaml")
    assert only(judged(naming(home, "game"), allowed)).code.code == "L434"
    assert only(judged(naming(home, "game"), tmp_path)).code.code == "L432"
    part = allowed / "parts"
    shutil.copytree(home, part)
    (part / "more.ludex").symlink_to(tmp_path / "data.yaml")
    assert only(judged(naming(part / "stones.ludex", "game"), allowed)).code.code == "L434"


def test_a_report_on_a_log_tells_nothing_of_a_file_outside_the_folder_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text(f"tables: {SECRET}\n{SECRET}\n", encoding="utf-8")
    home = stones(tmp_path / "games", "../../data.yaml")
    log = tmp_path / "named.jsonl"
    log.write_text(naming(home, "game"), encoding="utf-8")
    output = command("validate", str(log)).output
    assert "data.yaml" in output
    assert SECRET not in output


def test_a_name_that_is_no_path_leads_to_no_file_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(GAMES / "pig", tmp_path / "swine")
    (tmp_path / "swine" / "pig.ludex").rename(tmp_path / "swine" / "swine.ludex")
    monkeypatch.chdir(tmp_path)
    text = '{"ludex": 1, "game": "swine", "players": 2}\n'
    assert judged(text).verdict is Verdict.LEGAL
    assert judged(text, tmp_path).verdict is Verdict.LEGAL
    assert only(judged(text, False)).code.code == "L425"


def test_given_and_shipped_games_are_always_allowed() -> None:
    text = '{"ludex": 1, "game": "pig", "players": 2}\n'
    assert judged(text, False).verdict is Verdict.LEGAL
    given = Validator(lambda name, *more, **others: load("pig"), ("swine",), files=False)
    assert given.validate(parse_log(text.replace("pig", "swine"))).verdict is Verdict.LEGAL
    assert Validator(game_once, compiled=engine_once, files=False).validate(parse_log(text)).verdict is Verdict.LEGAL


def test_the_command_confines_them(tmp_path: Path) -> None:
    position, log = tmp_path / "at.yaml", tmp_path / "log.jsonl"
    position.write_text(ludex_position(), encoding="utf-8")
    log.write_text(naming(position), encoding="utf-8")
    assert command("validate", str(log), "--files", str(tmp_path)).code == 0
    assert "L434" in command("validate", str(log), "--files", "none").output
    results = tmp_path / "r.sqlite"
    assert command("validate", str(log), "--results", str(results)).code == 0
    assert command("validate", str(log), "--results", str(results), "--files", "none").code != 0
    assert command("validate", str(log), "--files", str(tmp_path / "nowhere")).code == 3
