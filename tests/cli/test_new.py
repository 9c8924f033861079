"""`ludex new`: a playable spec for an author to extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.cli.reporting.exit_codes import Exit

from .running import ludex


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("players", ["1", "2", "3..9", "16"])
def test_the_new_spec_can_be_checked_tested_and_played(players: str) -> None:
    assert ludex("new", "snails", "--players", players).code == Exit.GOOD
    assert ludex("check", "snails", "--strict").code == Exit.GOOD
    assert "2 examples, all hold" in ludex("test", "snails").output
    assert "all games ended" in ludex("simulate", "snails", "--games", "3").output
    assert ludex("fmt", "--check", "snails").code == Exit.GOOD
    assert "title: en" in Path("snails/snails.ludex").read_text(encoding="utf-8")


def test_the_lines_of_a_text_can_be_recorded_at_once() -> None:
    Path("books").mkdir()
    Path("books/snails.txt").write_text("The last counter wins.\n", encoding="utf-8")
    ran = ludex("new", "snails", "--text", "en=books/snails.txt")
    assert "ludex coverage snails --sources books --record" in ran.output
    assert "wrote" in ludex("coverage", "snails", "--sources", "books", "--record").output
    assert "1 line" in ludex("coverage", "snails").output
    assert "no clause of `snails` has an authority" in ludex("check", "snails").output


def test_no_spec_is_overwritten() -> None:
    Path("snails").mkdir()
    Path("snails/snails.ludex").write_text("mine", encoding="utf-8")
    assert "exists already" in ludex("new", "snails").output
    assert Path("snails/snails.ludex").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("pig",), "comes with Ludex"),
        (("choose",), "a word of the language"),
        (("Snails",), "cannot be a name"),
        (("../snails",), "cannot be a name"),
        (("x" * 41,), "cannot be a name"),
        (("snails", "--players", "4..2"), "from 1 to 16 players"),
        (("snails", "--players", "17"), "from 1 to 16 players"),
        (("snails", "--players", "two"), "not a number of players"),
        (("snails", "--players", "2.." + "9" * 5000), "999...` is not a number of players, such as"),
        (("snails", "--text", "en"), "is not of the form TAG=FILE"),
        (("snails", "--text", "en="), "a text has a file"),
        (("snails", "--text", "en=."), "`.` is a folder"),
        (("snails", "--text", "en=books/"), "`books/` is a folder"),
        (("snails", "--text", 'en=a"b.txt'), "signs that a header cannot name"),
        (("snails", "--text", "of=a.txt"), "a word of the language"),
    ],
)
def test_a_header_that_cannot_be_written_is_wrong_usage(args: tuple[str, ...], words: str, tmp_path: Path) -> None:
    ran = ludex("new", *args)
    assert ran.code == Exit.USAGE
    assert words in ran.output
    assert not list(tmp_path.iterdir())
