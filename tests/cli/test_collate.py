"""`ludex collate`: its output, files that it does not overwrite, and inputs that are not transcriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import ludex

GAME = """\
game heap
  players: 2
  document: en "en.txt"

state stones: 0..9 = 9

play
  turn: stones -= 1                                             [en 3]

score last: stones                                              [en 7]
"""
HEBREW = 'edition he of heap\n  document: he "he.txt"\n\nplay\n  turn: stones -= 2  [he 4]\n'


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    folder = tmp_path / "heap"
    folder.mkdir()
    (folder / "heap.ludex").write_text(GAME, encoding="utf-8")
    (tmp_path / "he.ludex").write_text(HEBREW, encoding="utf-8")
    return folder


def test_the_words_of_the_lines_are_shown(heap: Path, tmp_path: Path) -> None:
    (tmp_path / "en.txt").write_text("a\nb\nTake one stone.\n", encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--sources", tmp_path)
    assert ran.code == 0
    assert "en 3 | Take one stone." in ran.output
    assert "play.turn  (he)" in ran.output


def test_json_holds_paths_lines_and_sorts(heap: Path, tmp_path: Path) -> None:
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--format", "json")
    (item, omitted) = json.loads(ran.output)["items"]
    assert item["path"] == "play.turn"
    assert item["lines"] == {"en": "3", "he": "4"}
    assert (omitted["path"], omitted["sort"], omitted["siglum"]) == ("score.last", "omitted", "he")


def test_no_file_is_overwritten(heap: Path, tmp_path: Path) -> None:
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--out", heap)
    assert ran.code == 3
    assert "exists already" in ran.output
    assert (heap / "heap.ludex").read_text(encoding="utf-8") == GAME
    assert ludex("collate", heap, tmp_path / "he.ludex", "--out", tmp_path / "new").code == 0
    assert "variant he" in (tmp_path / "new" / "heap.ludex").read_text(encoding="utf-8")


BAD = {
    "game heap\n  players: 2\n": ("K101", 1),
    "edition he of other\n": ("K101", 1),
    "edition he.short of heap\n": ("K101", 1),
    "note a = 1\n": ("S", 1),
    "edition he of heap\n\nnote a = 1  [he 1]\nnote b = 1  [en 1]\n": ("K103", 1),
    "edition he of heap\n\nnote a = 1  [he 1]\n": ("K104", 1),
    "edition he of heap\n\nnote a = 1  [he 1\n": ("", 1),
    "": ("", 1),
    "edition he of heap\n" + "note a = 1\n" * 450_000: ("F1", 2),
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:60])
def test_a_file_that_is_no_transcription_is_refused(heap: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.ludex").write_text(text, encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "bad.ludex", "--out", tmp_path / "new")
    code, end = BAD[text]
    assert ran.code == end, ran.output
    assert code in ran.output
    assert not (tmp_path / "new").exists()


def test_a_transcription_that_cannot_be_read_is_the_only_fault(heap: Path, tmp_path: Path) -> None:
    """A missing text, too, is one fault, however many decisions name it."""
    (heap / "collation.yaml").write_text(DECIDED, encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "none.ludex")
    assert ran.output.endswith("none.ludex: F101 there is no such file\n1 error\n")
    ran = ludex("collate", heap, "--check")
    assert "K111 the game has no text `he` (and 1 more of the records name it)" in ran.output
    assert ran.output.count("K111") == 1


def test_a_decision_on_all_texts_names_none(heap: Path, tmp_path: Path) -> None:
    (heap / "collation.yaml").write_text(DECIDED.replace("score.last", "score.best"), encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "he.ludex")
    assert "  score.best: to be written by hand" in ran.output


def test_check_without_decisions_is_wrong_usage(heap: Path, tmp_path: Path) -> None:
    ran = ludex("collate", heap, "--check")
    assert ran.code == 3
    assert "there is nothing to check" in ran.output
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--check", "--out", tmp_path / "new")
    assert ran.code == 3
    assert "--check writes nothing" in ran.output
    (heap / "transcriptions").symlink_to("transcriptions")
    ran = ludex("collate", heap, "--check")
    assert ran.code == 3
    assert "is not a folder" in ran.output


def test_a_missing_text_is_named(heap: Path, tmp_path: Path) -> None:
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--sources", heap)
    assert ran.code == 0
    assert ran.stderr.count("are not shown") == 2
    assert f"note: the words of `en` are not shown: {heap / 'en.txt'}: F101 there is no such file\n" in ran.stderr


def test_a_missing_file_and_a_text_given_twice_are_reported(heap: Path, tmp_path: Path) -> None:
    assert ludex("collate", heap, tmp_path / "none.ludex").code == 2
    (tmp_path / "again.ludex").write_text(HEBREW, encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "he.ludex", tmp_path / "again.ludex")
    assert ran.code == 1
    assert "K102" in ran.output


DECIDED = """\
- clauses: [play.turn]
  verdict: differ
  readings: {one: {en: One.}, two: {en: Two.}}
  texts: {en: {lines: '3', reading: one}, he: {lines: '4', reading: two}}
  why: one and two
- clauses: [score.last]
  verdict: same
  readings: {said: {en: It counts.}}
  texts: {en: {lines: '7', reading: said}, he: {silent: '4'}}
  why: en 7
"""


def test_decisions_beside_the_game_are_applied_and_checked(heap: Path, tmp_path: Path) -> None:
    (heap / "collation.yaml").write_text(DECIDED, encoding="utf-8")
    out = tmp_path / "out"
    assert "nothing to settle" in ludex("collate", heap, tmp_path / "he.ludex", "--out", out).output
    (out / "transcriptions").mkdir()
    (out / "transcriptions" / "he.ludex").write_text(HEBREW, encoding="utf-8")
    assert ludex("collate", out, "--check", "--decisions", heap / "collation.yaml").code == 0
    (out / "transcriptions" / "he.ludex").write_text(HEBREW + "\nnote more = 1  [he 9]\n", encoding="utf-8")
    ran = ludex("collate", out, "--check")
    assert ran.code == 1
    assert "K122" in ran.output


@pytest.mark.parametrize(("text", "code"), [("- [", "C201"), ("a: b", "K110"), ("- x\n" * 400_000, "C208")])
def test_broken_decisions_are_reported(heap: Path, tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "d.yaml").write_text(text, encoding="utf-8")
    ran = ludex("collate", heap, tmp_path / "he.ludex", "--decisions", tmp_path / "d.yaml")
    assert ran.code == 1
    assert code in ran.output
    assert ludex("collate", heap, tmp_path / "he.ludex", "--decisions", tmp_path / "none.yaml").code == 2


def test_decisions_have_a_schema(heap: Path) -> None:
    assert json.loads(ludex("schema", heap, "--decisions").output)["type"] == "array"
