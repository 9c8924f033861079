"""`ludex diff A B`: the comparison of two specs."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ludex.cli.diff_report import report_schema

from ..heaps import TAKING
from ..no_files import NO_FILES, put
from .running import ludex

GAME = f"""\
game heap
  players: 2

state stones: 0..4 = 4
state last: Player? = none

action take
  choose n in 1..3
  require enough: n <= stones
{TAKING}

score lost: if last = me then 0 else 1

winner
  won: highest total(me)
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.ludex").write_text(GAME, encoding="utf-8")
    (tmp_path / "new.ludex").write_text(GAME.replace("n <= stones", "n < stones"), encoding="utf-8")
    return tmp_path


def test_each_difference_has_its_lines_and_a_game(files: Path) -> None:
    done = ludex("diff", "old.ludex", "new.ludex", "--effort", "500")
    assert done.code == 1
    assert "old.ludex [9]: require enough: n <= stones" in done.output
    assert "new.ludex [9]: require enough: n < stones" in done.output
    assert "A game that shows it" in done.output
    assert "A game shows that they differ." in done.output
    assert done.output.count("new.ludex: this may not be done") == 2, (
        "once for the row, and once for the two specs as wholes"
    )
    assert done.output.count("new.ludex: this may not be done (take.enough)") == 1, "only the row names the clause"


def test_a_report_is_written_where_allowed_and_a_bad_place_is_reported_before_the_search(files: Path) -> None:
    for form in ("text", "json"):
        for _ in range(2):
            done = ludex("diff", "old.ludex", "new.ludex", "--no-play", "--format", form, "--out", "reports")
            assert done.output == f"wrote reports/heap{'.txt' if form == 'text' else '.json'}\n"
        done = ludex("diff", "old.ludex", "new.ludex", "--effort", "1000000000", "--format", form, "--out", "new.ludex")
        assert done.code == 3
        assert "new.ludex exists already and is not a report" in done.output


def test_a_spec_may_come_from_a_pipe(files: Path) -> None:
    done = ludex("diff", "-", "new.ludex", "--no-play", stdin=GAME)
    assert done.code == 1
    assert "take.enough  [a 9] [b 9]" in done.output
    assert "They were not played" in done.output


def test_games_of_one_normal_form_are_reported_as_equivalent(files: Path) -> None:
    (files / "new.ludex").write_text(GAME.replace("n <= stones", "stones >= n"), encoding="utf-8")
    done = ludex("diff", "old.ludex", "new.ludex")
    assert (done.code, "the same normal form" in done.output) == (0, True)


def test_games_are_reported_as_equivalent_after_an_exhaustive_search(files: Path) -> None:
    turned = GAME.replace("  away: stones -= n\n  mark: last := me\n", "  mark: last := me\n  away: stones -= n\n")
    (files / "new.ludex").write_text(turned, encoding="utf-8")
    done = ludex("diff", "old.ludex", "new.ludex", "--effort", "1000")
    assert (done.code, "Every possible play was compared" in done.output) == (0, True)
    few = ludex("diff", "old.ludex", "new.ludex", "--effort", "5")
    assert "No game that shows a difference was found within these bounds" in few.output


def test_the_json_fits_its_schema(files: Path) -> None:
    data = json.loads(ludex("diff", "old.ludex", "new.ludex", "--effort", "500", "--format", "json").output)
    Draft202012Validator(report_schema()).validate(data)
    assert (data["complete"], data["whole"]["verdict"], data["whole"]["effect"]) == (True, "parted", "legal-moves")
    (row,) = [row for chapter in data["chapters"] for row in chapter["rows"]]
    assert (row["name"], row["effect"], row["story"]["players"]) == ("take.enough", "legal-moves", 2)


def test_each_section_appears_once(files: Path) -> None:
    changed = GAME.replace("n <= stones", "n < stones").replace("  away:", "  require few: n <= 2\n  away:")
    (files / "new.ludex").write_text(changed.replace("players: 2", "players: 2..3"), encoding="utf-8")
    data = json.loads(ludex("diff", "old.ludex", "new.ludex", "--no-play", "--format", "json").output)
    rows = {chapter["section"]: len(chapter["rows"]) for chapter in data["chapters"]}
    assert (len(data["chapters"]), rows) == (2, {"contradiction": 2, "omission": 1})


def test_a_play_that_ends_in_a_spec_fault_is_reported_as_one(files: Path) -> None:
    game = GAME.replace("action take", "state odd: 0..2 = 0\n\naction take")
    game = game.replace("  away:", "  push: odd := 1\n  away:")
    (files / "old.ludex").write_text(game, encoding="utf-8")
    (files / "new.ludex").write_text(game.replace("odd := 1", "odd += n"), encoding="utf-8")
    done = ludex("diff", "old.ludex", "new.ludex", "--effort", "500")
    assert "old.ludex: play goes on" in done.output
    assert "new.ludex: the rules do not say what happens next" in done.output


def test_the_page_and_the_table_take_no_rulings(files: Path) -> None:
    asked = ("old.ludex", "new.ludex", "--effort", "500")
    assert ludex("diff", *asked, "--format", "html", "--out", files / "made").code == 1
    page = (files / "made" / "heap.html").read_text("utf-8")
    assert "A game shows that they differ." in page
    assert not re.search("<form class=.decide|id=.download|id=.show|id=.kept", page)
    head, row, whole = csv.reader(StringIO(ludex("diff", *asked, "--format", "csv").output.lstrip("\ufeff")))
    assert head[3:] == [
        "old.ludex",
        "Lines: old.ludex",
        "new.ludex",
        "Lines: new.ludex",
        "At the table",
        "Kind",
        "Name",
    ]
    assert (row[-1], whole[2]) == ("take.enough", "A game shows that they differ.")
    assert ludex("diff", *asked, "--format", "xlsx", "--out", files / "made.xlsx").code == 1
    assert (files / "made.xlsx").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize("how", [("--format", "rulings"), ("--check",), ("--rulings", "mine.yaml")])
def test_two_specs_take_no_rulings(files: Path, how: tuple[str, ...]) -> None:
    done = ludex("diff", "old.ludex", "new.ludex", *how)
    assert (done.code, "rulings are for the texts of one game" in done.output) == (3, True)


def test_options_that_mean_nothing_for_two_specs_are_refused(files: Path) -> None:
    for option in (("--sources", "."), ("--clause", "take.enouhg")):
        done = ludex("diff", "old.ludex", "new.ludex", "--no-play", "--clause", "take", *option)
        assert done.code == 3
        assert "--sources is for the texts of one game" in done.output or "did you mean `take.enough`?" in done.output


def test_specs_that_cannot_be_compared_are_refused(files: Path) -> None:
    assert "no file or folder" in ludex("diff", "old.ludex", "nowhere.ludex").output
    assert ludex("diff", "-", "-").code == 3
    assert "not a text of both" in ludex("diff", "old.ludex", "new.ludex", "ru").output
    (files / "new.ludex").write_text("game heap\n", encoding="utf-8")
    assert ludex("diff", "old.ludex", "new.ludex").code == 1


@pytest.mark.parametrize("kind", [kind for kind in NO_FILES if kind != "folder"])
def test_a_path_that_is_no_file_is_reported(files: Path, kind: str) -> None:
    (files / "odd").mkdir()
    code = put(kind, files / "odd" / "odd.ludex")
    for names in (("odd/odd.ludex",), ("odd/odd.ludex", "new.ludex"), ("old.ludex", "./odd/odd.ludex")):
        done = ludex("diff", *names, "--no-play")
        assert done.code == 2
        assert re.findall("F10[0-9]", done.output) == [code]


@pytest.mark.parametrize("kind", NO_FILES)
def test_component_data_that_are_no_file_are_reported(files: Path, kind: str) -> None:
    put(kind, files / "cards.yaml")
    for name in ("old", "new"):
        file = files / f"{name}.ludex"
        file.write_text(f'{file.read_text(encoding="utf-8")}\ncomponent Card from "cards.yaml"\n  n: 1..2\n', "utf-8")
    done = ludex("diff", "old.ludex", "new.ludex")
    assert done.code in {1, 2}, done.output


def test_the_name_of_a_text_has_precedence_over_a_file(files: Path) -> None:
    (files / "two").mkdir()
    text = GAME.replace("  players: 2\n", '  players: 2\n  document: ru "ru.txt", en "en.txt"\n')
    (files / "two" / "two.ludex").write_text(text, encoding="utf-8")
    (files / "en").mkdir()
    done = ludex("diff", "two", "en", "--no-play")
    assert "`en` is a text of `two`; `./en` is the spec in this folder" in done.output
