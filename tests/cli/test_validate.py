"""`ludex validate`: which logs are meant, and what is said of them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from ludex.cli.logs import find_logs

from .running import ludex
from .specs import FAILING, LINES, write

LOGS = Path("spec/games/tic_tac_toe/logs")
FULL = LOGS / "full.jsonl"
BAD = LOGS / "bad" / "claim-free.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Logs among other files, in folders."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    shutil.copy(FULL, tmp_path / "good.jsonl")
    shutil.copy(BAD, tmp_path / "deep" / "bad.ndjson")
    shutil.copy(LOGS / "by_hand.yaml", tmp_path / "deep" / "er" / "hand.yaml")
    (tmp_path / "deep" / "components.yaml").write_text("tables: {}\n", encoding="utf-8")
    (tmp_path / "report.json").write_text('{"file": "x", "verdict": "legal"}\n', encoding="utf-8")
    (tmp_path / "list.json").write_text('[{"ludex": 1, "game": "pig", "players": 2}]\n', encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing\n", encoding="utf-8")
    return tmp_path


def test_a_folder_means_all_its_logs(folder: Path) -> None:
    found = [str(Path(name).relative_to(folder)) for name in find_logs((str(folder),))]
    assert [Path(name).as_posix() for name in found] == [
        "deep/bad.ndjson",
        "deep/er/hand.yaml",
        "good.jsonl",
        "list.json",
    ]
    ran = ludex("validate", folder)
    assert ran.code == 1
    assert ran.output.splitlines()[-1] == "4 logs: 3 legal, 1 with findings"


def test_patterns(folder: Path) -> None:
    assert len(list(find_logs((f"{folder}/*.jsonl",)))) == 1
    assert len(list(find_logs((f"{folder}/**/*.*json*",)))) == 4
    assert next(find_logs(("spec/games/*/logs/full.jsonl",))).startswith("spec/games/")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no-such-file.jsonl", "F101 there is no such file"),
        ("no-such-*.jsonl", "F101 no file fits this pattern"),
        ("tests/cli/golden", "F101 there is no log in this folder"),
    ],
)
def test_names_that_lead_nowhere_are_reported(name: str, words: str) -> None:
    ran = ludex("validate", name, FULL)
    assert ran.code == 2
    assert words in ran.output
    assert "2 logs: 1 legal, 1 unreadable" in ran.output


def test_the_standard_input() -> None:
    good = ludex("validate", "-", stdin=FULL.read_bytes())
    assert (good.code, good.output.startswith("standard input: legal")) == (0, True)
    bad = ludex("validate", "-", stdin=BAD.read_bytes())
    assert bad.code == 1
    assert "standard input:3:49: L460" in bad.output
    assert "     3 | " in bad.output, "the line is shown though it stands in no file"
    damaged = ludex("validate", "-", stdin=FULL.read_bytes()[:-40] + b"\xff\xfe")
    assert damaged.code == 2


def test_the_worst_verdict_counts(tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(FULL.read_bytes()[:-30])
    assert ludex("validate", FULL).code == 0
    assert ludex("validate", FULL, BAD).code == 1
    assert ludex("validate", BAD, cut, FULL).code == 2


def test_json() -> None:
    data = json.loads(ludex("validate", FULL, BAD, "--format", "json").stdout)
    assert [log["verdict"] for log in data["logs"]] == ["legal", "findings"]
    assert (data["legal"], data["findings"], data["unreadable"]) == (1, 1, 0)
    [finding] = data["logs"][1]["findings"]
    assert (finding["code"], finding["line"], finding["why"][0]["clause"]) == ("L460", 3, "claim.free")


def test_a_spec_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path / "elsewhere", "failing", FAILING)
    log = tmp_path / "log.jsonl"
    lines = [
        {"ludex": 1, "game": "failing", "players": 2},
        {"player": 1, "action": "sit", "args": {"chair": 1}},
        {"player": 2, "action": "sit", "args": {"chair": 1}},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert "L425" in ludex("validate", log).output
    assert ludex("validate", log, "--game", path).code == 0
    assert ludex("show", log, "--game", path.parent, "--at", 1).code == 0
    assert ludex("validate", log, "--game", "halma").code == 2


@pytest.mark.skipif("LUDEX_SOURCES" not in os.environ, reason="needs the folder of the rulebooks' texts")
def test_the_rulebooks_words_stand_beside() -> None:
    log = "spec/games/boreal/logs/bad/study-affordable.jsonl"
    ran = ludex("validate", log, "--sources", os.environ["LUDEX_SOURCES"])
    assert "ru 82 | " in ran.output


def test_what_an_option_may_be_depends_on_the_others_of_the_log(tmp_path: Path) -> None:
    spec = write(tmp_path, "lines", LINES)
    assert ludex("check", spec).code == 0
    table = ("--option", "rows=8", "--option", "columns=8", "--option", "in_a_row=7")
    assert ludex("simulate", spec, "--games", "1", *table, "--out", tmp_path / "logs").code == 0
    (log,) = (tmp_path / "logs").iterdir()
    assert ludex("validate", log, "--game", spec).code == 0
    for wrong, message in (('"in_a_row": 9', "from 3 to 8, found"), ('"players": 5', "is for 2 players")):
        text = log.read_text(encoding="utf-8").replace(f"{wrong[:-1]}{'7' if 'row' in wrong else '2'}", wrong)
        (tmp_path / "wrong.jsonl").write_text(text, encoding="utf-8")
        ran = ludex("validate", tmp_path / "wrong.jsonl", "--game", spec)
        assert message in ran.output
        assert "findings (1 error)" in ran.output
