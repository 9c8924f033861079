"""`ludex validate`: which files are judged, and the report."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ludex.interpreter import LogText, PassedOver, Report, logs_of
from ludex.interpreter.logs.collection.log_files import GIT_FOLDER, LINKED_FOLDER, NO_ENDING, NO_LUDEX_MEMBER

from .running import ludex
from .specs import FAILING, LINES, write

LOGS = Path("spec/games/tic_tac_toe/logs")
FULL = LOGS / "full.jsonl"
BAD = Path("tests/games/bad_logs/tic_tac_toe/claim-free.jsonl")


LONG = "# A remark of many words.\n" * 400
"""Longer than the part of a file that is read to recognize a log."""
LOGS_BY_NAME = {
    "good.jsonl": FULL.read_bytes(),
    "deep/bad.ndjson": BAD.read_bytes(),
    "deep/er/hand.yaml": (LOGS / "by_hand.yaml").read_bytes(),
    "shouted.JSONL": FULL.read_bytes(),
    "short.YML": b"ludex: 1\ngame: pig\nplayers: 2\n",
    "flow.yaml": b"{ludex: 1, game: pig, players: 2}\n",
    "turned.yaml": b"events:\n- {player: 1, action: roll}\nplayers: 2\ngame: pig\nludex: 1\n",
    "remarks.yaml": LONG.encode() + b"game: pig\nplayers: 2\nludex: 1\n",
    "items.yaml": b"- # the header\n  game: pig\n  players: 2\n  ludex: 1\n",
    "list.json": b'[{"ludex": 1, "game": "pig", "players": 2}]\n',
    "damaged.yaml": b"game: pig\nludex: 1\nplayers: [1\nevents: []\n",
    "wide.yaml": "ludex: 1\ngame: pig\nplayers: 2\n".encode("utf-16"),
    "no_header.jsonl": b'{"player": 1}\n',
}
"""Files that are logs, good ones and others."""
OTHERS_BY_NAME = {
    "deep/components.yaml": (b"tables: {}\n", NO_LUDEX_MEMBER),
    "report.json": (b'{"file": "x", "verdict": "legal"}\n', NO_LUDEX_MEMBER),
    "witnesses.json": (b'{\n  "found": [\n    {"ludex": 1, "game": "pig"}\n  ]\n}\n', NO_LUDEX_MEMBER),
    "words.yaml": (b"title: about ludex\nof: {ludex: 1}\n", NO_LUDEX_MEMBER),
    "notes.txt": (b"nothing\n", NO_ENDING),
    "good.jsonl~": (FULL.read_bytes(), NO_ENDING),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with logs and other files, in folders."""
    others = {name: content for name, (content, _) in OTHERS_BY_NAME.items()}
    for name, content in {**LOGS_BY_NAME, **others}.items():
        path = tmp_path / "all" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "all"


def test_every_file_of_a_folder_is_judged_or_reported_as_skipped(folder: Path) -> None:
    ran = ludex("validate", folder, "--format", "json")
    data = json.loads(ran.stdout)
    judged = [Path(log["file"]).relative_to(folder).as_posix() for log in data["logs"]]
    assert sorted(judged) == sorted(LOGS_BY_NAME)
    passed = {Path(each["file"]).relative_to(folder).as_posix(): each["reason"] for each in data["passed_over"]}
    assert passed == {name: reason for name, (_, reason) in OTHERS_BY_NAME.items()}
    output = ludex("validate", folder)
    assert output.code == ran.code == 2
    assert f"4 files skipped, because {NO_LUDEX_MEMBER}: " in output.output
    assert f"2 files skipped, because {NO_ENDING}: {folder / 'good.jsonl~'}, {folder / 'notes.txt'}" in output.output
    assert output.output.splitlines()[-1].startswith(f"{len(LOGS_BY_NAME)} logs: ")


def test_skipped_files_do_not_change_the_exit_code(folder: Path) -> None:
    for name in LOGS_BY_NAME:
        if name != "good.jsonl":
            (folder / name).unlink()
    assert ludex("validate", folder).code == 0
    assert ludex("validate", folder / "deep").code == 2, "a folder without a log must not count as success"


@pytest.mark.parametrize("name", sorted(OTHERS_BY_NAME))
def test_a_named_file_is_always_judged(folder: Path, name: str) -> None:
    """Whether it looks like a log or not, named alone or by a pattern."""
    for named in (folder / name, f"{folder}/{name[:-1]}?"):
        data = json.loads(ludex("validate", named, "--format", "json").stdout)
        assert str(folder / name) in [log["file"] for log in data["logs"]]
        assert data["passed_over"] == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_links_pipes_and_devices_in_a_folder_are_reported(tmp_path: Path) -> None:
    """An unreadable log must not be skipped in silence."""
    here = tmp_path / "here"
    here.mkdir()
    (tmp_path / "there").mkdir()
    shutil.copy(FULL, tmp_path / "there" / "good.jsonl")
    (here / "linked.jsonl").symlink_to(tmp_path / "there" / "good.jsonl")
    (here / "folder").symlink_to(tmp_path / "there")
    (here / "again").symlink_to(here)
    (here / "nowhere.jsonl").symlink_to(tmp_path / "none")
    (here / "zero.yaml").symlink_to("/dev/zero")
    os.mkfifo(here / "pipe.jsonl")
    os.mkfifo(here / "pipe")
    (here / ".git").mkdir()
    (here / ".git" / "config").touch()
    data = json.loads(ludex("validate", here, "--format", "json").stdout)
    codes = {Path(log["file"]).name: [each["code"] for each in log["findings"]] for log in data["logs"]}
    assert codes == {"linked.jsonl": [], "nowhere.jsonl": ["F101"], "pipe.jsonl": ["F102"], "zero.yaml": ["F102"]}
    passed = {Path(each["file"]).name: each["reason"] for each in data["passed_over"]}
    assert passed == {".git": GIT_FOLDER, "again": LINKED_FOLDER, "folder": LINKED_FOLDER, "pipe": NO_ENDING}
    assert ludex("validate", here).code == 2


def test_a_pattern_means_files_only(folder: Path) -> None:
    def count(pattern: str) -> int:
        return len(json.loads(ludex("validate", pattern, "--format", "json").stdout)["logs"])

    assert count(f"{folder}/*.jsonl") == 2
    assert count(f"{folder}/**/*.*json*") == 7
    assert count(f"{folder}/d*") == 1, "a pattern must not match folders"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no-such-file.jsonl", "F101 there is no such file"),
        ("no-such-*.jsonl", "F101 no file matches this pattern"),
        ("tests/cli/golden", "F101 there is no log in this folder"),
    ],
)
def test_missing_files_are_reported(name: str, words: str) -> None:
    ran = ludex("validate", name, FULL)
    assert ran.code == 2
    assert words in ran.output
    assert "2 logs: 1 legal, 1 unreadable" in ran.output


def test_a_log_from_the_standard_input_is_judged() -> None:
    good = ludex("validate", "-", stdin=FULL.read_bytes())
    assert (good.code, good.output.startswith("standard input: legal")) == (0, True)
    bad = ludex("validate", "-", stdin=BAD.read_bytes())
    assert bad.code == 1
    assert "standard input:3:49: L460" in bad.output
    assert "     3 | " in bad.output, "the excerpt must be shown though there is no file"
    damaged = ludex("validate", "-", stdin=FULL.read_bytes()[:-40] + b"\xff\xfe")
    assert damaged.code == 2


@pytest.mark.parametrize(("language", "words"), [("en", "only once"), ("ru", "только один раз"), ("he", "רק פעם אחת")])
def test_the_standard_input_is_read_once(language: str, words: str) -> None:
    ran = ludex("validate", "--lang", language, "-", FULL, "-", "-", stdin=BAD.read_bytes())
    assert ran.code == 1
    (row,) = [row for row in ran.output.splitlines() if "`-`" in row]
    assert words in row
    assert re.search(r"\b2\b", ran.output.splitlines()[-1])


def test_a_file_called_standard_input_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = FULL.read_bytes()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "standard input").write_bytes(full)
    ran = ludex("validate", "standard input", "-", stdin=full)
    assert "2 logs: 2 legal" in ran.output


def test_a_file_is_judged_once_whatever_it_is_called(tmp_path: Path) -> None:
    path, kept = tmp_path / "a.jsonl", tmp_path / "r.sqlite"
    path.write_text(3 * '{"ludex": 1, "game": "nim", "players": 2}\n', encoding="utf-8")
    (tmp_path / "link.jsonl").symlink_to(path)
    ran = ludex("validate", path, tmp_path, tmp_path / ".." / tmp_path.name / "a.jsonl", "--results", kept)
    assert "3 logs: 3 legal" in ran.output
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT count(*) FROM logs").fetchone() == (3,), "the counts must agree"
    assert "3 files skipped, because the file was judged before" in ran.output
    assert "2 logs: 2 unreadable" in ludex("validate", *[tmp_path / "missing.jsonl"] * 2).output


def test_numbers_of_logs_are_grouped_everywhere(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(1_200 * '{"ludex": 1, "game": "nim", "players": 2}\n', encoding="utf-8")
    assert "1,200 logs: 1,200 legal" in ludex("validate", tmp_path, "--only-failing").output
    assert "1\xa0200" in ludex("validate", tmp_path, "--only-failing", "--lang", "ru").output.split(":")[-1]


def test_a_log_whose_header_is_at_fault_tells_that_no_event_was_played(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    header = '{"ludex": 1, "game": "nim", "players": 2, "from": {"row": 1}}\n'
    path.write_text(header, encoding="utf-8")
    assert "no event was played" in ludex("validate", path).output.splitlines()[-1]
    path.write_text(2 * header, encoding="utf-8")
    assert "up to line" not in ludex("validate", path).output


def test_a_replay_that_continues_after_a_fault_does_not_end_there(tmp_path: Path) -> None:
    lines: list[object] = [
        {"ludex": 1, "game": "nim", "players": 2},
        {"player": 1, "action": "take", "args": {"heap": 1, "count": 7}},
        {"position": {"state": {"matches": "1 3 5 6 0", "last": 1}, "flow": {"at": "play.turns.take", "me": 2}}},
        {"player": 2, "action": "take", "args": {"heap": 2, "count": 1}},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert "0 of 2 events played\n" in ludex("validate", path).output
    assert "1 of 2 events played, with a break from line 2 on\n" in ludex("validate", path, "--resync").output
    (log,) = json.loads(ludex("validate", path, "--resync", "--format", "json").output)["logs"]
    assert log["resumed"] is True


def test_values_of_an_option_that_follow_each_other_are_a_range(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    move = {"player": 1, "action": "take", "args": {"heap": 1, "count": 2}}
    path.write_text(f'{{"ludex": 1, "game": "nim", "players": 2}}\n{json.dumps(move)}\n', encoding="utf-8")
    assert "it is legal with heap_1 = 2 to 8\n" in ludex("validate", path).output


def test_the_worst_verdict_counts(tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(FULL.read_bytes()[:-30])
    assert ludex("validate", FULL).code == 0
    assert ludex("validate", FULL, BAD).code == 1
    assert ludex("validate", BAD, cut, FULL).code == 2


def test_json_holds_verdicts_findings_and_counts() -> None:
    data = json.loads(ludex("validate", FULL, BAD, "--format", "json").stdout)
    assert [log["verdict"] for log in data["logs"]] == ["legal", "findings"]
    assert (data["legal"], data["findings"], data["unreadable"], data["complete"]) == (1, 1, 0, True)
    [finding] = data["logs"][1]["findings"]
    assert (finding["code"], finding["line"], finding["why"][0]["clause"]) == ("L460", 3, "claim.free")


@pytest.mark.drawn(1)
@pytest.mark.parametrize("log_format", ["text", "json"])
def test_judged_logs_are_freed(log_format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are in memory one at a time, however many there are."""
    held: list[int] = []

    def watched(name: str) -> Iterator[LogText | PassedOver]:
        for log in logs_of(name):
            gc.collect()
            held.append(sum(isinstance(each, Report) for each in gc.get_objects()) - before)
            yield log

    before = sum(isinstance(each, Report) for each in gc.get_objects())
    monkeypatch.setattr("ludex.cli.many_logs.found_logs.logs_of", watched)
    assert ludex("validate", *[FULL] * 3, "--format", log_format).code == 0
    assert len(held) == 3
    assert max(held) <= 1, "reports that were printed are still in memory"


def test_a_log_may_name_a_spec_of_its_own_folder(tmp_path: Path) -> None:
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
def test_the_lines_of_the_rulebook_are_shown_beside() -> None:
    log = "tests/games/bad_logs/boreal/study-affordable.jsonl"
    ran = ludex("validate", log, "--sources", os.environ["LUDEX_SOURCES"])
    assert "ru 82 | " in ran.output


def test_the_range_of_an_option_may_depend_on_other_options(tmp_path: Path) -> None:
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
