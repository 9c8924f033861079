"""Comparison of two specs: every difference is a row, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.interpreter import RowPlayer, SearchLimits
from ludex.spec import Section, TwoVersions, compare_versions, read_alone, read_game, shipped_games, version_alone
from ludex.spec import version_of as version

from ..heaps import TAKING

GAME = f"""\
game heap
  title: en "The heap"
  players: 2

option most: 2..3 = 3
state stones: 0..4 = 4
state last: Player? = none

action take
  choose n in 1..3
  require enough: n <= stones
  require few: n <= most
{TAKING}

note box: "four stones"

score lost: if last = me then 0 else 1

winner
  won: highest total(me)

invariant few_stones: stones <= 4
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "heap.ludex").write_text(GAME, encoding="utf-8")
    return tmp_path


def two(folder: Path, old: str, new: str) -> TwoVersions:
    """Compare the game and a copy with a change."""
    assert old in GAME
    return compared(folder, GAME.replace(old, new))


def compared(folder: Path, changed: str) -> TwoVersions:
    (folder / "new").mkdir()
    (folder / "new" / "heap.ludex").write_text(changed, encoding="utf-8")
    texts = read_game(folder / "heap.ludex"), read_game(folder / "new")
    return compare_versions(version("a", "old", texts[0], None), version("b", "new", texts[1], None))


CHANGES = {
    "requirement": ("n <= stones", "n <= stones and n < 3", "take.enough", Section.CONTRADICTION),
    "choice": ("choose n in 1..3", "choose n in 1..2", "take", Section.CONTRADICTION),
    "left out": ("  require few: n <= most\n", "", "take.few", Section.OMISSION),
    "added": ("  away:", "  more: nothing\n  away:", "take.more", Section.OMISSION),
    "step": ("last := me", "last := none", "take.mark", Section.CONTRADICTION),
    "around": ("if stones = 0", "if stones <= 1", "take.tell", Section.CONTRADICTION),
    "order": ("  away: stones -= n\n  mark: last := me\n", "  mark: last := me\n  away: stones -= n\n", "take",
              Section.CONTRADICTION),
    "option": ("2..3 = 3", "2..3 = 2", "most", Section.CONTRADICTION),
    "state": ("0..4 = 4", "0..4 = 3", "stones", Section.CONTRADICTION),
    "noun": ("state last", "state first: Player? = none\nstate last", "first", Section.OMISSION),
    "score": ("then 0 else 1", "then 1 else 0", "score.lost", Section.CONTRADICTION),
    "criterion": ("highest", "lowest", "winner.won", Section.CONTRADICTION),
    "invariant": ("stones <= 4", "stones <= 5", "invariant.few_stones", Section.CONTRADICTION),
    "note": ("four stones", "five stones", "box", Section.CONTRADICTION),
    "players": ("players: 2", "players: 2..3", "players", Section.CONTRADICTION),
    "endless": ("n <= stones", "n < stones", "take.enough", Section.CONTRADICTION),
}  # fmt: skip


IDLE = ("added", "order", "noun", "invariant", "note", "players")
NO_RULES = ("invariant", "note")
"""Changes that no play of the copy shows."""


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_one_row(folder: Path, name: str) -> None:
    old, new, path, section = CHANGES[name]
    comparison = two(folder, old, new)
    assert [(row.name, row.section) for row in comparison.rows] == [(path, section)]
    assert comparison.same is (name in NO_RULES)
    assert comparison.rows[0].matters is (name not in NO_RULES)


def test_a_change_below_other_lines_cites_its_own_lines(folder: Path) -> None:
    comparison = two(folder, "action take\n  choose n in 1..3\n  require enough: n <= stones",
                "# one more line\naction take\n  choose n in 1..3\n  require enough: n < stones")  # fmt: skip
    (row,) = comparison.rows
    assert [dict(reading.lines) for reading in row.readings] == [{"a": ((11, 11),)}, {"b": ((12, 12),)}]
    assert [reading.words["en"] for reading in row.readings] == [
        "require enough: n <= stones",
        "require enough: n < stones",
    ]


def test_another_spelling_of_the_same_is_no_row(folder: Path) -> None:
    comparison = two(folder, "n <= stones", "stones >= n")
    assert (comparison.rows, comparison.same) == ((), True)


def test_swapped_conditions_are_no_row_but_not_the_same_normal_form(folder: Path) -> None:
    """`a and b` may avoid a fault in `b` that `b and a` has."""
    text = GAME.replace("n <= most", "n <= most and 6 div n > 1")
    (folder / "heap.ludex").write_text(text, encoding="utf-8")
    comparison = compared(folder, text.replace("n <= most and 6 div n > 1", "6 div n > 1 and n <= most"))
    assert (comparison.rows, comparison.same) == ((), False)


def test_a_helper_of_one_spec_is_added_with_the_clause_that_uses_it(folder: Path) -> None:
    text = GAME.replace("n <= stones\n", "n < have or n = 1\n").replace("play\n", "define have = stones\n\nplay\n", 1)
    comparison = compared(folder, text)
    assert {row.name: row.matters for row in comparison.rows} == {"take.enough": True, "have": False}
    row_pair = comparison.row_pair(comparison.rows[0])
    assert not isinstance(row_pair, str)
    played = RowPlayer(SearchLimits(500, 20)).play(row_pair)
    assert (played.parting, played.pair) == ("legal-moves", ("a", "b"))


SLOW = {"endless": pytest.mark.drawn(0)}  # the reference takes long until it stops


@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW.get(name, ())) for name in CHANGES if name not in IDLE])
def test_a_difference_in_play_is_shown_for_the_row_and_for_the_whole_specs(folder: Path, name: str) -> None:
    comparison = two(folder, *CHANGES[name][:2])
    row_pair = comparison.row_pair(comparison.rows[0])
    assert not isinstance(row_pair, str), row_pair
    assert comparison.whole is not None
    for each in (row_pair, comparison.whole):
        played = RowPlayer(SearchLimits(2000, 20)).play(each)
        assert played.shown is not None, (name, played.why)


@pytest.mark.parametrize("name", ["added", "order", "noun"])
def test_an_exhaustive_search_finds_no_difference_if_there_is_none(folder: Path, name: str) -> None:
    comparison = two(folder, *CHANGES[name][:2])
    assert not comparison.same
    assert comparison.whole is not None
    played = RowPlayer(SearchLimits(2000, 20)).play(comparison.whole)
    assert played.shown is None
    assert played.exhaustive is not None
    assert played.exhaustive.alike is (name != "noun"), "the additional state is visible to everybody"


def test_two_standalone_texts_take_the_nouns_of_their_game(folder: Path) -> None:
    (folder / "transcriptions").mkdir()
    for name, bound in (("ru", 2), ("en", 3)):
        path = folder / "transcriptions" / f"{name}.ludex"
        lines = f'edition {name} of heap\n  document: {name} "x.txt"\n\ndefine bound = {bound}  [{name} 4]\n'
        path.write_text(lines, encoding="utf-8")
    alone = [read_alone(folder / "transcriptions" / f"{name}.ludex") for name in ("ru", "en")]
    game = read_game(folder)
    comparison = compare_versions(*(version_alone(each.name, each.name, each, game) for each in alone))
    assert [row.name for row in comparison.rows] == ["bound"]
    assert comparison.whole is None


@pytest.mark.drawn(4)
@pytest.mark.parametrize("game", shipped_games())
def test_a_game_equals_itself(game: str) -> None:
    text = read_game(game)
    comparison = compare_versions(*(version(each, each, text, text.default_edition) for each in ("a", "b")))
    assert (comparison.rows, comparison.same) == ((), True)
