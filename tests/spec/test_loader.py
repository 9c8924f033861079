"""Loading of games: finding the files, and setting up the requested table."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Failure
from ludex.spec import Request, build, check_game, find, load, path_from_shown, read_game, shipped_games
from ludex.spec.loading import every_table

from ..no_files import NO_FILES, put

SPEC = """\
game options
  players: 2..3
  convention: "a sample"

option size: 3..6 = 4
option mode: Mode = plain
type Mode = plain | wild
type Cell = (row: 1..size, col: 1..size)

state mark(Cell): Player? = none

fork corner
  open_corner: "corners may be taken"
  shut: "corners may not be taken"
  default open_corner "nothing forbids it"

action claim
  choose cell in Cell
  require free: mark(cell) is empty
  require corner: corner = open_corner or cell != Cell(1, 1) or mode = wild
  mark: mark(cell) := me

play
  turns: each player in seats
    claim
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "options.ludex"
    file.write_text(SPEC, encoding="utf-8")
    return file


def failure(*args: Any, **settings: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(Failure) as caught:
        load(*args, **settings)
    return [(d.code.code, d.hint) for d in caught.value.diagnostics]


def test_shipped_games_are_found_by_name() -> None:
    assert "tic_tac_toe" in shipped_games()
    assert read_game("tic_tac_toe").name == "tic_tac_toe"


def test_options_change_the_game(path: Path) -> None:
    assert load(path).element["mark"].count == 16
    assert load(path, options={"size": 6}).element["mark"].count == 36


EXAMPLES = """
example corners
  with anna, boris
  allow anna claim(cell: Cell(4, 4))

example other_corners
  with anna, boris
  with size = 6
  with mode = wild
  allow anna claim(cell: Cell(6, 6))

example said_once_more
  with anna, boris
  with size = 4
  allow anna claim(cell: Cell(4, 4))
"""


def test_examples_belong_to_one_table(path: Path) -> None:
    """An example need not be possible at another table."""
    with path.open("a", encoding="utf-8") as file:
        file.write(EXAMPLES)
    assert not check_game(path)
    assert [example.name for example in load(path).examples] == ["corners", "said_once_more"]
    assert [example.name for example in load(path, options={"size": 6, "mode": "wild"}).examples] == ["other_corners"]
    assert not load(path, options={"size": 6}).examples


def test_a_table_that_an_example_sets_up_is_checked_once(path: Path) -> None:
    alone = len(every_table._tables(read_game(path), ())[0])
    with path.open("a", encoding="utf-8") as file:
        file.write("\nexample shut_corner\n  with anna, boris\n  with corner = shut\n")
        file.write("  refuse anna claim(cell: Cell(1, 1)) because claim.corner\n")
    assert len(every_table._tables(read_game(path), ())[0]) == alone


def test_a_fault_at_one_table_names_all_settings_that_are_not_the_defaults(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("\ntype Side = 1..(if mode = wild then 5 - size else 2)\n" + EXAMPLES)
    (diagnostic,) = check_game(path)
    assert diagnostic.notes[-1].message == 'found with the option `size` at 6 and the option `mode` at "wild"'


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ("with seize = 5", "N101 no option or fork is called `seize`; did you mean `size`?"),
        ("with size = 9", "T202 9 is never in 3..6; None"),
        ("with mode = wilt", "N101 no value is called `wilt`; did you mean `wild`?"),
        ("with size = 5\n  with size = 6", "E312 `size` is taken twice in this example; None"),
        ("with size = 5\n  given\n    mark(Cell(6, 5)) := anna", "T202 6 is never in 1..5; None"),
    ],
)
def test_the_settings_of_an_example_are_checked(path: Path, taken: str, said: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\nexample corners\n  with anna, boris\n  {taken}\n  allow anna claim(cell: Cell(2, 2))\n")
    (diagnostic,) = check_game(path)
    assert f"{diagnostic.code.code} {diagnostic.message}; {diagnostic.hint}" == said


FORKED = """game heap_sample
  players: 2
  document: en "en.txt", he "he.txt"

state heap: 0..9 = 9

fork most                                                       [he 1]
  two: "two are taken at most"                                  [en 1]
  three: "three are taken at most"
  default two "so says the other text"

play
  turns: repeat                                                 [en 2] [he 2]
    each player in seats
      take
  until heap = 0

action take
  choose n in 1..3
  require most: n <= (if most = two then 2 else 3)              [en 1] [he 1]
  away: heap -= n down to 0                                     [en 2] [he 2]

winner
  shared: share                                                 [en 3] [he 3]

example by_default                                              [he 1]
  with anna, boris
  refuse anna take(n: 3) because take.most

example read_otherwise                                          [he 1]
  with anna, boris
  with most = three
  allow anna take(n: 3)
"""


def test_an_example_may_choose_a_reading(tmp_path: Path) -> None:
    path = tmp_path / "heap_sample.ludex"
    path.write_text(FORKED, encoding="utf-8")
    text = read_game(path)
    first = build(text, Request(edition="he"))
    (other,) = first.example_requests
    assert dict(other.readings) == {"most": "three"}
    second = build(text, other)
    assert [example.name for example in first.playable().examples] == ["by_default"]
    assert [example.name for example in second.playable().examples] == ["by_default", "read_otherwise"]
    path.write_text(
        FORKED.replace("[he 1]\n  with anna, boris\n  with", "[en 1]\n  with anna, boris\n  with"), encoding="utf-8"
    )
    (diagnostic,) = build(read_game(path), Request(edition="en")).errors
    assert (diagnostic.code.code, diagnostic.message) == ("E312", "the text decides the fork `most`: it says `two`")


def test_an_option_outside_its_range_is_refused(path: Path) -> None:
    assert [code for code, _ in failure(path, options={"size": 7})] == ["U101"]
    assert [code for code, _ in failure(path, options={"size": "many"})] == ["U101"]


def test_words_may_be_values_of_options(path: Path) -> None:
    assert [option.value for option in load(path, options={"mode": "wild"}).options] == [4, 1]


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"players": 4}, None),
        ({"players": 0}, None),
        ({"edition": "en"}, "it has none"),
        ({"options": {"sise": 4}}, "did you mean `size`?"),
        ({"readings": {"korner": "shut"}}, "did you mean `corner`?"),
        ({"readings": {"corner": "shot"}}, "did you mean `shut`?"),
        ({"silence": "loud"}, None),
    ],
)
def test_unknown_settings_are_refused(path: Path, settings: dict[str, Any], hint: str | None) -> None:
    assert failure(path, **settings) == [("U101", hint)]


@pytest.mark.parametrize("players", [2**31, 999999999999, 2**63])
def test_a_refused_number_of_players_is_quoted(path: Path, players: int) -> None:
    with pytest.raises(Failure, match=f"not {players}$"):
        load(path, players=players)


def test_a_reading_may_be_chosen(path: Path) -> None:
    assert load(path, readings={"corner": "shut"}).forks[0].chosen == "shut"


def test_an_unknown_game_is_reported_with_the_nearest() -> None:
    assert failure("tic_tac_to") == [("U102", "did you mean `tic_tac_toe`?")]


@pytest.mark.parametrize("name", ["", "no/such/path", "x" * 10_000, "nul\0byte", "/", "."])
def test_odd_names_are_refused_with_a_report(name: str) -> None:
    assert [code for code, _ in failure(name)] == ["U102"]


def test_an_undecodable_byte_in_component_data_is_reported_once(tmp_path: Path) -> None:
    """Rules about tables that could not be read must not be reported."""
    folder = tmp_path / "mangrovia"
    shutil.copytree(find("mangrovia").parent, folder, ignore=shutil.ignore_patterns("logs"))
    data = folder / "components.yaml"
    content = data.read_bytes()
    at = content.index(b"rows:") + 60
    data.write_bytes(content[:at] + b"\xcf" + content[at + 1 :])
    assert [each.code.code for each in check_game(folder)] == ["F105"]


def test_the_only_game_of_a_folder_may_have_any_name(path: Path) -> None:
    assert read_game(path.parent).name == "options"


@pytest.mark.parametrize("before", ["\ufeff", "# a note\u2028more\n", "# a note\x0cmore\n"])
def test_the_first_line_of_a_game_is_found_by_the_lexers_rules(path: Path, before: str) -> None:
    path.write_text(before + path.read_text("utf-8"), "utf-8")
    assert find(path.parent) == path


def test_a_fault_is_marked_in_its_line_after_comments_with_any_characters(tmp_path: Path) -> None:
    file = tmp_path / "g.ludex"
    file.write_text(
        "game g\n  players: 2\n# a\u2028note\n\nstate a: 0..9 = 0\n\n"
        "play\n  first: end game\n  second: each player in seats\n    third: a := 1\n\n"
        "score a: a\n\nwinner\n  most: highest a\n",
        "utf-8",
    )
    (warning,) = (each for each in check_game(file) if each.code.code == "E304")
    assert (warning.span.column, warning.span.end_column) == (11, 22)


def test_a_folder_with_two_games_is_reported_as_ambiguous(path: Path) -> None:
    (path.parent / "other.ludex").write_text(SPEC.replace("game options", "game other"), encoding="utf-8")
    assert failure(path.parent) == [("U102", "name one of `options.ludex`, `other.ludex`")]


def test_files_that_are_no_specs_are_refused(path: Path) -> None:
    data = path.parent / "components.yaml"
    data.write_text("tables: {}", encoding="utf-8")
    assert [code for code, hint in failure(data) if hint and "folder" in hint] == ["U102"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_a_path_that_is_no_regular_file_is_not_reported_as_missing(tmp_path: Path) -> None:
    pipe, endless = tmp_path / "pipe.ludex", tmp_path / "endless.ludex"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        assert [code for code, _ in failure(path)] == ["F102"]


PART = "part rest of options\n"


def faults(path: Path) -> list[str]:
    """Return the codes of the diagnostics of a game."""
    try:
        return [each.code.code for each in read_game(path).diagnostics]
    except Failure as failed:
        return [each.code.code for each in failed.diagnostics]


@pytest.mark.parametrize("kind", NO_FILES)
def test_a_path_beside_a_game_that_is_no_file_is_reported_once(path: Path, kind: str) -> None:
    code = put(kind, path.parent / "rest.ludex")
    (path.parent / ".#options.ludex").symlink_to("what an editor leaves")
    assert faults(path) == [code]


@pytest.mark.parametrize("kind", NO_FILES)
def test_a_game_that_is_no_file_is_reported_at_its_own_path(tmp_path: Path, kind: str) -> None:
    part = tmp_path / "rest.ludex"
    part.write_text(PART, encoding="utf-8")
    code = put(kind, tmp_path / "options.ludex")
    assert faults(part) == [code]
    folder = tmp_path / "one"
    folder.mkdir()
    code = put(kind, folder / "one.ludex")
    assert faults(folder) == [code]


def test_the_path_of_a_part_means_its_game(path: Path) -> None:
    part = path.parent / "rest.ludex"
    part.write_text(PART, encoding="utf-8")
    assert read_game(part).name == "options"
    path.unlink()
    with pytest.raises(Failure, match="its game file is not in the same folder"):
        read_game(part)


def test_a_transcription_is_neither_a_game_nor_a_part_of_one(path: Path) -> None:
    before = load(path)
    text = path.parent / "en.ludex"
    text.write_text("edition en of options\n\nfact spare = 3\n", encoding="utf-8")
    with pytest.raises(Failure, match="a transcription of one text of `options`, not a game"):
        read_game(text)
    (report,) = read_game(path).diagnostics
    assert (report.code.code, report.is_error, report.span.file) == ("H104", False, str(text))
    assert report.hint == "`ludex collate options en.ludex` puts it into the game"
    assert load(path).clauses == before.clauses


def test_a_missing_file_gets_no_suggestion_of_a_shipped_game(tmp_path: Path) -> None:
    assert failure(tmp_path / "tic_tac_toe.ludex") == [("U102", None)]


def test_shipped_files_are_reported_relative_to_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = read_game("pig").game
    assert file.name == "spec/games/pig/pig.ludex"
    assert path_from_shown(file.name).samefile(file.path)
