"""`ludex fmt`: what it writes, and which files it does not change."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.spec import shipped_games

from ..no_files import NO_FILES, put
from .running import ludex
from .specs import CHAIRS, write, write_chairs

UNTIDY = CHAIRS.replace("state seated(Player)", "state   seated( Player )")


def test_formatting_twice_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "chairs", UNTIDY)
    first, second = ludex("fmt", path), ludex("fmt", path)
    assert (first.code, first.output) == (0, f"changed {path}\n1 file, 1 changed\n")
    assert (second.code, second.output) == (0, "1 file, 0 changed\n")
    assert path.read_text(encoding="utf-8") == CHAIRS


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_check_and_diff_write_nothing(tmp_path: Path, option: str) -> None:
    path = write(tmp_path, "chairs", UNTIDY)
    ran = ludex("fmt", option, path)
    assert ran.code == 1
    assert path.read_text(encoding="utf-8") == UNTIDY
    assert ludex("fmt", option, write(tmp_path, "chairs", CHAIRS)).code == 0


def test_input_from_a_pipe_is_formatted_to_the_output(tmp_path: Path) -> None:
    ran = ludex("fmt", "-", stdin=UNTIDY)
    assert (ran.code, ran.stdout) == (0, CHAIRS)
    assert ludex("fmt", "--check", "-", stdin=UNTIDY).code == 1
    broken = ludex("fmt", "-", stdin="game g\nfact a = )\n")
    assert (broken.code, broken.stdout) == (1, "")
    assert "-:2:10: S108" in broken.stderr
    assert "fact a = )" in broken.stderr


ODD_COMMENTS = (
    "cf. [en 3]", "[ru 1-2, 4] [en 3", "]", '"', "#", "# #", "ruling", 'convention "so"', "else:", "(", "}) or",
    "-- Pay --", "\\", "\x1b[2J", "\x0b\x0c\x1c\x85\u2028", "\u202e\u200b\ufeff", "\u0301",
    "\U0001f469\u200d\U0001f680",
)  # fmt: skip
COMMENTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n")) | st.sampled_from(
    ODD_COMMENTS
)
COMMENTED = """#
game g  #
  players: 2  #
#
state coins(Player): 0..9 = 0  #
  #
fact most =  #
    max(1,  #
  #
  2)  #

action pay  #
      #
  cost: my coins -= 1  [en 3]  #
  #
play  #
  pay #
#"""


@given(st.lists(COMMENTS, min_size=17, max_size=17))
def test_any_comment_survives(texts: list[str]) -> None:
    parts = COMMENTED.split("#")
    text = "".join(f"{part}#{comment}" for part, comment in zip(parts, texts, strict=False)) + parts[-1]
    ran = ludex("fmt", "-", stdin=text.encode())
    assert (ran.code, ran.stderr) == (0, "")
    kept = [row[row.index("#") + 1 :] for row in ran.stdout.split("\n") if "#" in row]
    assert kept == [comment.rstrip() for comment in texts]


@pytest.mark.parametrize("sign", ["\r", "\0"])
def test_a_comment_with_forbidden_characters_is_reported(tmp_path: Path, sign: str) -> None:
    path = write(tmp_path, "chairs", "")
    path.write_bytes(f"{UNTIDY}# a{sign}b\n".encode())
    assert ludex("fmt", path).code in (1, 2)
    assert path.read_bytes() == f"{UNTIDY}# a{sign}b\n".encode()


def test_many_comments_that_look_like_citations(tmp_path: Path) -> None:
    path = write(tmp_path, "chairs", UNTIDY + "# cf. [en 3]\n" * 500)
    assert ludex("fmt", path).code == 0
    assert path.read_text(encoding="utf-8").count("# cf. [en 3]\n") == 500


def test_a_file_with_errors_is_not_changed(tmp_path: Path) -> None:
    good = write(tmp_path, "good", UNTIDY)
    text = UNTIDY + "fact a = )\n"
    bad = write(tmp_path, "bad", text)
    ran = ludex("fmt", bad, good)
    assert ran.code == 1
    assert bad.read_text(encoding="utf-8") == text
    assert good.read_text(encoding="utf-8") == CHAIRS


def test_line_ends_and_byte_order_marks_are_normalized(tmp_path: Path) -> None:
    path = tmp_path / "chairs.ludex"
    path.write_bytes(b"\xef\xbb\xbf" + CHAIRS.replace("\n", "\r\n").encode())
    assert ludex("fmt", "--check", path).code == 1
    assert ludex("fmt", path).code == 0
    assert path.read_bytes() == CHAIRS.encode()


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are other things there")
def test_the_mode_and_a_symbolic_link_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "chairs", UNTIDY)
    path.chmod(0o640)
    link = tmp_path / "link.ludex"
    link.symlink_to(path)
    assert ludex("fmt", link).code == 0
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.read_text(encoding="utf-8") == CHAIRS
    assert os.listdir(path.parent) == ["chairs.ludex"], "no temporary file may remain"  # noqa: PTH208 - hidden files too


@pytest.mark.skipif(sys.platform == "win32", reason="links are other things there")
def test_no_file_is_written_through_a_link_out_of_the_folder(tmp_path: Path) -> None:
    theirs = write(tmp_path, "theirs", UNTIDY)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "link.ludex").symlink_to(theirs)
    for name in (folder, folder / "link.ludex"):
        ran = ludex("fmt", name)
        assert ran.code == 3
        assert "leads out of the folder" in ran.stderr
    assert theirs.read_text(encoding="utf-8") == UNTIDY


@pytest.mark.skipif(sys.platform == "win32", reason="links are other things there")
def test_a_file_that_cannot_be_written_does_not_stop_the_others(tmp_path: Path) -> None:
    folder, theirs = tmp_path / "mine", write(tmp_path, "theirs", UNTIDY)
    first, last = write(folder, "a", UNTIDY), write(folder, "c", UNTIDY)
    (folder / "b.ludex").symlink_to(theirs)
    ran = ludex("fmt", folder)
    assert ran.code == 3
    assert "Usage" not in ran.output
    assert ran.stderr.count("F107") == ran.stderr.count("b.ludex") == 1
    assert ran.stdout == f"changed {first}\nchanged {last}\n3 files, 2 changed\n"
    assert [path.read_text(encoding="utf-8") for path in (first, last, theirs)] == [CHAIRS, CHAIRS, UNTIDY]
    data = json.loads(ludex("fmt", folder, "--format", "json").stdout)
    assert [finding["code"] for file in data["files"] for finding in file["findings"]] == ["F107"]


def test_a_folder_means_all_its_specs(tmp_path: Path) -> None:
    write_chairs(tmp_path)
    write(tmp_path, "untidy", UNTIDY)
    ran = ludex("fmt", "--check", tmp_path)
    assert ran.code == 1
    assert ran.output == f"would change {tmp_path}/untidy/untidy.ludex\n2 files, 1 would change\n"
    (tmp_path / "empty").mkdir()
    assert ludex("fmt", tmp_path / "empty").code == 3


@pytest.mark.parametrize("kind", [kind for kind in NO_FILES if kind != "folder"])
def test_a_path_in_a_folder_that_is_no_file_is_reported(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "untidy", UNTIDY)
    code = put(kind, tmp_path / "odd.ludex")
    (tmp_path / ".#untidy.ludex").symlink_to("what an editor leaves")
    (tmp_path / "folder.ludex").mkdir()
    ran = ludex("fmt", tmp_path)
    assert ran.code == 2
    assert re.findall("F10[0-9]", ran.output) == [code]
    assert ran.output.endswith("2 files, 1 changed\n")


def test_json_lists_files_changes_and_findings(tmp_path: Path) -> None:
    path = write(tmp_path, "chairs", UNTIDY)
    data = json.loads(ludex("fmt", "--check", path, "--format", "json").stdout)
    assert data["files"] == [{"file": str(path), "changes": True, "findings": []}]
    assert path.read_text(encoding="utf-8") == UNTIDY
    assert ludex("fmt", path, "--format", "json").code == 0
    assert path.read_text(encoding="utf-8") == CHAIRS
    typed = json.loads(ludex("fmt", "-", "--format", "json", stdin=UNTIDY).stdout)
    assert typed["files"][0]["text"] == CHAIRS
    broken = json.loads(ludex("fmt", "-", "--format", "json", stdin="fact a = )\n").stdout)
    assert broken["errors"] == len(broken["files"][0]["findings"]) > 0


def test_names_declared_in_the_game_file_are_known(tmp_path: Path) -> None:
    """`my seated` is right if the game file declares `seated`; the transcription alone does not show it."""
    folder = write_chairs(tmp_path)
    edition = folder / "en.ludex"
    text = "edition en of chairs\n\nscore sitting: if my seated then 3 else 0                       [en 5]\n"
    edition.write_text(text, encoding="utf-8")
    assert ludex("fmt", "--check", edition).code == 0


@pytest.mark.drawn(3)
@pytest.mark.parametrize("game", shipped_games())
def test_shipped_games_are_in_canonical_layout(game: str) -> None:
    assert ludex("fmt", "--check", f"spec/games/{game}").code == 0
