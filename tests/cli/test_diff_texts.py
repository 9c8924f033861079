"""`ludex diff` of a game that is written as one text with an apparatus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import ludex

GAME = """\
game nimm
  players: 2
  document: ru "ru.txt", en "en.txt"

text en
  title: en "the English book"

state heap: 0..9 = 5

play
  turns: repeat                                                 [ru 2] [en 2]
    each player in seats
      turn: take
  until heap = 0

action take
  choose n in 1..3
  require enough: n <= heap                                     [ru 3] [en 3]
  require most: n <= 3                                          [ru 4]
    variant en: n <= 2                                          [en 4]
  away: heap -= n                                               [ru 5] [en 5]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "nimm"
    folder.mkdir()
    (folder / "nimm.ludex").write_text(GAME, encoding="utf-8")
    return folder


def test_a_variant_is_told_with_a_game_that_shows_it(game: Path) -> None:
    done = ludex("diff", game, "--effort", "2000")
    assert done.code == 1
    assert "The texts contradict each other" in done.output
    assert "the English book: n <= 2  [en 4]" in done.output
    assert "In play (legal-moves)" in done.output
    assert "is against take.most" in done.output


def test_the_rows_for_programs(game: Path) -> None:
    (row,) = json.loads(ludex("diff", game, "--effort", "2000", "--format", "json").output)["rows"]
    assert (row["section"], row["name"], row["play"]["effect"]) == ("contradiction", "take.most", "legal-moves")
    assert [said["lines"] for said in row["said"]] == [{"ru": "4"}, {"en": "4"}]
    assert row["play"]["log"][0]["edition"] == "ru"


def test_nothing_parts_a_text_from_itself(game: Path) -> None:
    assert ludex("diff", game, "ru", "--no-play").code == 0
    done = ludex("diff", game, "fr")
    assert done.code == 3
    assert "has no text `fr`" in done.output


def test_decisions_with_faults_are_refused(game: Path) -> None:
    (game / "collation.yaml").write_text("- clauses: 3\n", encoding="utf-8")
    done = ludex("diff", game, "--no-play")
    assert done.code != 0
    assert "collation.yaml" in done.output


def test_a_folder_in_place_of_the_decisions_is_told(game: Path) -> None:
    (game / "collation.yaml").mkdir()
    done = ludex("diff", game, "--no-play")
    assert done.code != 0
    assert "F102" in done.output
