"""`ludex migrate`: a log is carried to changed rules only if it records the same game under both."""

from __future__ import annotations

import gzip
import json
import re
from difflib import SequenceMatcher
from pathlib import Path
from shutil import copytree

import pytest
import yaml

from ludex.cli.reporting.exit_codes import Exit
from ludex.interpreter import parse_log, with_fingerprint
from ludex.spec import load

from ..letters import LETTERS
from .running import Ran, ludex

GAMES = Path(__file__).parents[2] / "spec" / "games"
CELLS = [(1, 1), (1, 2), (2, 2), (1, 3), (3, 3)]
"""Cross takes a diagonal."""


def changed(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """Write a copy of tic-tac-toe with other rules."""
    copy = copytree(GAMES / "tic_tac_toe", folder / name)
    file = copy / "tic_tac_toe.ludex"
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return copy


def recorded(folder: Path, *more: str, events: int = 5, header: str = "") -> Path:
    """Write a log of the shipped tic-tac-toe."""
    moves = [
        {"player": at % 2 + 1, "action": "claim", "args": {"cell": {"row": row, "col": col}}}
        for at, (row, col) in enumerate(CELLS[:events])
    ]
    first = {"ludex": 1, "game": "tic_tac_toe", "fingerprint": load("tic_tac_toe").fingerprint, "players": 2}
    lines = [header or json.dumps(first), *map(json.dumps, moves), *more]
    path = folder / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


NO_DIAGONALS = ("or column_of_three(p) or diagonal(p)", "or column_of_three(p)")


def migrate(log: Path | str, new: Path, *more: object) -> Ran:
    return ludex("migrate", log, "--to", new, *more)


def test_a_log_that_the_change_does_not_affect_is_carried_byte_for_byte(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, '{"note":   "kept"}', events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_text(encoding="utf-8")
    ran = migrate(log, new, "--from-spec", "tic_tac_toe", "--out", tmp_path / "out")
    assert ran.code == Exit.GOOD, ran.output
    fingerprints = load("tic_tac_toe").fingerprint, load(new).fingerprint
    assert (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8") == before.replace(*fingerprints)
    assert log.read_text(encoding="utf-8") == before
    assert ludex("validate", tmp_path / "out", "--game", new).code == Exit.GOOD


def test_a_log_that_continues_differently_is_refused_with_the_clause(tmp_path: Path) -> None:
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS), "--from-spec", "tic_tac_toe")
    assert ran.code == Exit.FINDINGS
    assert "log.jsonl:6:1: L531 after" in ran.output, "the last move must win"
    assert "what is awaited: nothing by the old rules, move by the changed ones" in ran.output
    assert "changed: line" in ran.output


def test_a_log_with_a_move_that_is_now_illegal_is_refused_with_the_clause(tmp_path: Path) -> None:
    strict = ("  require free: mark(cell) is empty\n", "  require free: mark(cell) is empty and cell.row < 3\n")
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", strict), "--from-spec", "tic_tac_toe")
    assert ran.code == Exit.FINDINGS
    assert "log.jsonl:6:" in ran.output
    assert "L530 legal by the old rules; by the changed ones:" in ran.output
    assert "why:   claim.free" in ran.output


def test_states_with_unknowns_are_not_compared(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, '{"gap": true}', events=2), changed(tmp_path, "new", NO_DIAGONALS)
    ran = migrate(log, new, "--from-spec", "tic_tac_toe")
    assert (ran.code, "L533" in ran.output) == (Exit.GOOD, True)
    assert "the log leaves things unknown" in ran.output
    same = migrate(log, changed(tmp_path, "same"), "--from-spec", "tic_tac_toe")
    assert (same.code, "L533" in same.output) == (Exit.GOOD, False), "the log must not change"


def test_a_position_after_a_gap_proves_nothing_about_the_events_before(tmp_path: Path) -> None:
    whole, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    position = ludex("show", whole, "--format", "position").output
    header, *moves = recorded(tmp_path).read_text("utf-8").splitlines()
    behind = [json.dumps({"gap": 1}), json.dumps({"position": yaml.safe_load(position)["from"]})]
    whole.write_text("\n".join([header, *moves[:2], *behind, *moves[3:], ""]), "utf-8")
    ran = migrate(whole, new, "--from-spec", "tic_tac_toe")
    assert (ran.code, "L533" in ran.output) == (Exit.GOOD, True)


def test_points_are_compared_without_a_claim(tmp_path: Path) -> None:
    twice = ("score line: if my line then 1 else 0", "score line: if my line then 2 else 0")
    new = changed(tmp_path, "new", twice)
    ran = migrate(recorded(tmp_path), new, "--from-spec", "tic_tac_toe")
    assert "the points: [1, 0] by the old rules, [2, 0] by the changed ones" in ran.output
    assert "changed: score.line" in ran.output
    alone = migrate(recorded(tmp_path), new)
    assert (alone.code, "L533 warning" in alone.output) == (Exit.GOOD, True), (
        "points that depend on unknowns must not be compared"
    )


def test_the_old_rules_must_be_the_logs_own(tmp_path: Path) -> None:
    new = changed(tmp_path, "new", NO_DIAGONALS)
    ran = migrate(recorded(tmp_path), Path("tic_tac_toe"), "--from-spec", new)
    assert (ran.code, "L532" in ran.output) == (Exit.FINDINGS, True)


def test_a_log_of_another_game_is_not_carried(tmp_path: Path) -> None:
    log = recorded(tmp_path, events=3)
    for more in ((), ("--from-spec", "tic_tac_toe"), ("--from-spec", "nim")):
        ran = migrate(log, Path("nim"), *more)
        assert ran.code == Exit.FINDINGS
        assert 'the given specification is of "nim"' in ran.output


def test_a_log_is_overwritten_only_with_in_place_and_other_files_never(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_text(encoding="utf-8")
    assert migrate(log, new, "--from-spec", "tic_tac_toe").code == Exit.GOOD
    assert log.read_text(encoding="utf-8") == before, "without --in-place nothing may be written"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "log.jsonl").write_text("mine", encoding="utf-8")
    assert migrate(log, new, "--out", tmp_path / "out").code == Exit.USAGE
    assert (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8") == "mine"
    assert migrate(log, new, "--in-place").code == Exit.GOOD
    assert log.read_text(encoding="utf-8") != before
    assert migrate(log, new, "--in-place", "--out", tmp_path).code == Exit.USAGE


def test_folders_and_files_of_many_logs_are_carried(tmp_path: Path) -> None:
    """Compressed files, too. A file with a log that cannot be carried is not changed."""
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    text = log.read_text(encoding="utf-8")
    below = tmp_path / "logs" / "old"
    below.mkdir(parents=True)
    (below / "two.jsonl").write_text(2 * text, encoding="utf-8")
    (below / "two.jsonl.gz").write_bytes(gzip.compress((2 * text).encode()))
    (below.parent / "bad.jsonl").write_text(f"{text}{recorded(tmp_path).read_text(encoding='utf-8')}", encoding="utf-8")
    (below.parent / "notes.txt").write_text("mine", encoding="utf-8")
    out = tmp_path / "out"
    ran = migrate(below.parent, new, "--from-spec", "tic_tac_toe", "--out", out)
    assert ran.code == Exit.FINDINGS
    assert "6 logs: 5 can be carried, 1 not" in ran.output
    assert "1 file passed over" in ran.output
    assert "bad.jsonl:10:1: L531 after" in ran.output, "the report must name the line of the file"
    carried = 2 * text.replace(load("tic_tac_toe").fingerprint, load(str(new)).fingerprint)
    assert (out / "old" / "two.jsonl").read_text(encoding="utf-8") == carried
    assert gzip.decompress((out / "old" / "two.jsonl.gz").read_bytes()).decode() == carried
    assert sorted(path.name for path in out.rglob("*.*")) == ["two.jsonl", "two.jsonl.gz"]
    assert migrate(f"{below}/*.gz", new, "--in-place").code == Exit.GOOD
    assert gzip.decompress((below / "two.jsonl.gz").read_bytes()).decode() == carried


def test_an_unreadable_log_is_not_carried(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\x00")
    for name in ("missing.jsonl", "bad.jsonl"):
        assert migrate(tmp_path / name, Path("tic_tac_toe"), "--in-place").code == Exit.UNREADABLE
    assert (tmp_path / "bad.jsonl").read_bytes() == b"\xff\x00"


@pytest.mark.parametrize(("language", "letters"), LETTERS.items())
def test_the_reason_of_a_refusal_is_in_the_language(language: str, letters: re.Pattern[str], tmp_path: Path) -> None:
    log, new = recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS)
    for more in (("--from-spec", "tic_tac_toe"), ()):
        ran = migrate(log, new, *more, "--lang", language)
        said = [row for row in ran.output.splitlines() if "|" not in row and "(" not in row]
        assert len(said) >= 3
        assert [row for row in said if not letters.search(row)] == []


def test_json_has_a_member_for_each_log(tmp_path: Path) -> None:
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS), "--format", "json")
    (told,) = json.loads(ran.stdout)
    assert (told["carried"], told["written"], told["findings"][0]["code"]) == (True, None, "L533")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("x.jsonl", '{"ludex": 1,"game": "pig", "players": 2}\n{"player": 1, "action": "roll"}\n'),
        ("x.jsonl", '\ufeff{"game": "pig", "players": 2, "ludex": 1, "fingerprint": "00"}\r\n'),
        ("x.yaml", "# mine\nludex: 1   # the version\ngame: pig\r\nplayers: 2\nevents:\n- {player: 1, action: roll}\n"),
        ("x.yaml", "- {ludex: 1, game: pig, players: 2}\n- {player: 1, action: roll}"),
        ("x.yaml", "- ludex: 1\n  game: pig\n  players: 2\n"),
        ("x.yaml", "game: pig\nplayers: 2\nfingerprint: 12ab\nludex: 1"),
    ],
)
def test_a_fingerprint_is_inserted_into_any_layout(file: str, text: str) -> None:
    written = with_fingerprint(text, file, "0123456789abcdef")
    assert written is not None
    old, new = parse_log(text, file), parse_log(written, file)
    assert old.header is not None
    assert old.header.data is not None
    assert new.header is not None
    assert new.header.data == {**old.header.data, "fingerprint": "0123456789abcdef"}
    assert [each.data for each in new.events] == [each.data for each in old.events]
    assert written.count("\n") - text.count("\n") in (0, 1)
    edits = SequenceMatcher(None, text, written, autojunk=False).get_opcodes()
    lost = "".join(
        text[start:end] for _, start, end, *_ in (each for each in edits if each[0] in ("delete", "replace"))
    )
    assert set(lost) <= set(str(old.header.data.get("fingerprint", ""))), "comments and layout must stay as they were"
