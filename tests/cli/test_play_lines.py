"""`ludex play`: lines of a text log at the prompt, with signs, numbers, clocks, comments and results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import ludex


def played(
    folder: Path, game: str, *lines: str, more: tuple[str, ...] = (), name: str = "log.jsonl"
) -> tuple[str, str]:
    """The output of a play with these answers, and its log."""
    log = folder / name
    done = ludex(
        "play", game, "--names", "Anna,Boris", "--save", log, *more, stdin="".join(f"{line}\n" for line in lines)
    )
    assert done.code == 0, done.output
    return done.stdout, log.read_text(encoding="utf-8") if log.exists() else ""


def test_a_line_of_a_text_log_is_a_move_with_its_remarks(tmp_path: Path) -> None:
    _, log = played(tmp_path, "breakthrough", "1. a7 a6; clock 0:04:31 # a remark", "b2 b3", "undo", "2. Boris: c2 c3")
    first, second = [json.loads(line) for line in log.splitlines()[1:]]
    assert (first["clock"], first["note"]) == ("0:04:31", "a remark")
    assert second["args"]["target"] == {"row": 3, "column": 3}
    assert ludex("validate", tmp_path / "log.jsonl").code == 0


@pytest.mark.parametrize("typed", ["10♥", "10H", "lay 10♥", "1. lay 10♥", "ten hearts"])
def test_a_sign_is_typed_in_place_of_the_words_of_its_value(tmp_path: Path, typed: str) -> None:
    _, log = played(tmp_path, "crazy_eights", typed, more=("--seed", "3"))
    card = {"rank": "ten", "suit": "hearts"}
    assert any(json.loads(line).get("args") == {"card": card} for line in log.splitlines())


def test_a_sign_narrows_the_moves(tmp_path: Path) -> None:
    shown, _ = played(tmp_path, "breakthrough", "a7")
    assert "1  a7 a6\n  2  a7 b6" in shown


@pytest.mark.parametrize(
    ("line", "result", "shown"),
    [
        ("result resigned Boris", {"by": "resigned", "player": "Boris"}, "Boris resigned, Anna wins"),
        ("result agreed", {"by": "agreed"}, "Anna and Boris"),
        ("result time Anna", {"by": "time", "player": "Anna"}, "Boris wins"),
        ("result adjudicated; winners Anna", {"by": "adjudicated", "winners": ["Anna"]}, "Anna wins"),
        ("result abandoned # rain", {"by": "abandoned"}, "abandoned"),
    ],
)
@pytest.mark.parametrize("name", ["log.jsonl", "log.yaml", "log.ludexlog"])
def test_a_result_ends_the_play_and_its_log_is_legal(
    tmp_path: Path, line: str, result: dict[str, object], shown: str, name: str
) -> None:
    said, _ = played(tmp_path, "breakthrough", "a7 a6", line, "a2 a3", name=name)
    assert shown in said
    judged = ludex("validate", tmp_path / name, "--format", "json")
    assert judged.code == 0
    (report,) = json.loads(judged.stdout)["logs"]
    assert (report["verdict"], report["events"], report["result"]["by"]) == ("legal", 1, result["by"])
    assert (
        result.items()
        <= json.loads(ludex("convert", tmp_path / name, "--to", "jsonl").stdout.splitlines()[2])["result"].items()
    )
    again = ludex("play", "breakthrough", "--resume", tmp_path / name)
    assert again.code == 3


def test_a_result_may_be_given_to_a_play_that_is_resumed(tmp_path: Path) -> None:
    played(tmp_path, "breakthrough", "a7 a6", "quit")
    done = ludex("play", "breakthrough", "--resume", tmp_path / "log.jsonl", stdin="result agreed\n")
    assert done.code == 0
    assert (tmp_path / "log.jsonl").read_text(encoding="utf-8").count("agreed") == 1
    assert ludex("validate", tmp_path / "log.jsonl").code == 0


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("result resigned Clara", '"Anna", "Boris"'),
        ("result resigned", "player"),
        ("Boris resigns", "result resigned Boris"),
        ("result resigned Boris; winners Boris", "caused the end"),
    ],
)
def test_a_result_that_is_wrong_says_why_and_ends_nothing(tmp_path: Path, line: str, hint: str) -> None:
    said, log = played(tmp_path, "breakthrough", "a7 a6", line, "a2 a3")
    assert hint in said.split(f"> {line}\n")[1].splitlines()[0]
    assert len(log.splitlines()) == 3
