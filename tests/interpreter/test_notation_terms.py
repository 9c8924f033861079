"""Short signs in the terms of a game are used only where they are read back exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Failure, in_language
from ludex.interpreter import Move, NotationWriter, notation, parse_event
from ludex.spec import Game, check_game, load

from ..once import game_once

SPEC = """\
game signs
  title: en "Signs", ru "Знаки"
  players: 2
  convention: "made for the tests"

type Rank = two | ten
type Suit = clubs | hearts
type Card = (rank: Rank, suit: Suit)
type Cell = (row: 1..12, column: 1..12)

state n: 0..9 = 0

action go
  choose origin in Cell
  choose target in Cell
  do: n := 1

action lay
  choose card in Card
  choose at in Cell
  do: n := 2

action a1
  do: n := 3

play
  turns: repeat
    each player in seats
      choose go or lay or a1
  until n = 9

terms
  Rank.two: notation "2", ru "двойка"
  Rank.ten: notation "10", ru "десятка"
  Suit.clubs: notation "♣", ru "трефы"
  Suit.hearts: notation "♥", ru "черви"
  Card: notation "{rank}{suit}"
  Cell: notation "CELL"
  go: notation "", ru "идти"
  go.target: notation ""
  lay: ru "идти"
"""


def game(folder: Path, cell: str = "{column:a}{row}") -> Game:
    file = folder / "signs.ludex"
    file.write_text(SPEC.replace("CELL", cell), encoding="utf-8")
    return load(str(file))


def cell(row: int, column: int) -> int:
    return (row - 1) * 12 + column - 1


def test_signs_are_written_and_read(tmp_path: Path) -> None:
    made = game(tmp_path)
    assert made.languages == ("en", "ru"), "signs must belong to no language"
    go = Move(0, "go", (("origin", cell(2, 5)), ("target", cell(4, 5))))
    assert notation(made, go) == "1: e2 e4"
    lay = Move(1, "lay", (("card", 3), ("at", cell(10, 1))))
    assert notation(made, lay, ("Anna", "Boris")) == "Boris: lay 10♥ at a10"
    assert NotationWriter(made, (), "ru").event(lay) == "2: lay 10♥ at a10", "`идти` is ambiguous between two actions"
    assert parse_event(made, "2: lay десятка черви a10") == lay, "fields must need no comma"
    for text in ("1: e2 e4", "1: go e2 e4", "1: go 2,5 target 4,5", "1: 2,5 4,5", "1: e2 target e4"):
        assert parse_event(made, text) == go
    assert parse_event(made, "2: lay десятка,черви a10") == lay
    with pytest.raises(Failure, match="L502 `идти` could mean `go` and `lay`"):
        parse_event(made, "1: идти e2 e4")
    with pytest.raises(Failure, match=r"expected Cell as a1\.\.l12 or row,column"):
        parse_event(made, "1: e2 e14")


def test_ambiguous_signs_are_written_in_full(tmp_path: Path) -> None:
    made = game(tmp_path)
    clash = Move(0, "go", (("origin", cell(1, 1)), ("target", cell(1, 2))))
    assert notation(made, clash) == "1: go a1 b1", "`a1` is the name of an action"
    assert parse_event(made, "1: go a1 b1") == clash
    assert parse_event(made, "1: a1") == Move(0, "a1")
    made = game(tmp_path, "{column}{row}")
    texts = [NotationWriter(made).value(made.types["Cell"], position) for position in range(144)]
    assert len(set(texts)) == 144
    assert NotationWriter(made).value(made.types["Cell"], cell(1, 11)) == "1,11", "`111` could also mean 11,1"
    assert NotationWriter(made).value(made.types["Cell"], cell(3, 4)) == "43"


@pytest.mark.parametrize(
    ("sign", "message"),
    [
        ('Cell: notation "{column:a}"', "names each of its fields once"),
        ('Cell: notation "{column:a}{line}"', "names each of its fields once"),
        ('go: notation "go on"', "has no blanks"),
        ('Suit.clubs: notation "♣", notation "♣"', "has a word in `notation` already"),
        ('Rank.two: notation "T"\n  Rank.ten: notation "T"', "`T` is the sign of `Rank.two` already"),
    ],
)
def test_an_ambiguous_sign_is_reported(tmp_path: Path, sign: str, message: str) -> None:
    file = tmp_path / "signs.ludex"
    file.write_text(f"{SPEC.partition('terms')[0]}terms\n  {sign}\n", encoding="utf-8")
    faults = [fault.message for fault in check_game(str(file))]
    assert any(message in fault for fault in faults), faults


@pytest.mark.parametrize("text", ["10S", "10s", "T♠", "Ts", "10♠"])
def test_a_thing_may_have_several_signs(text: str) -> None:
    cards = game_once("crazy_eights")
    event = parse_event(cards, f"1: lay {text}")
    assert event == parse_event(cards, "1: lay ten,spades")
    assert notation(cards, event) == "1: lay 10♠"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10 of spades", "10♠"),
        ("10-S", "10♠"),
        ("spade 10", "10♠"),
        ("10 пики", "10♠"),
        ("♠10", "10♠"),
        ("10п", "10♠"),
        ("10♤", "10♠"),
        ("10♠\ufe0f", "10♠"),
        ("К♠", "K♠"),  # a Cyrillic letter
        ("qs", "Q♠"),
        ("дама червы", "Q♥"),
        ("עלה 10", "10♠"),
        ("t♦", "10♦"),
        ("10", None),
        ("11♠", None),
        ("spades", None),
    ],
)
def test_an_unambiguous_meaning_is_suggested(text: str, meant: str | None) -> None:
    with pytest.raises(Failure) as failure:
        parse_event(game_once("crazy_eights"), f"1: lay {text}")
    [fault] = failure.value.diagnostics
    assert fault.code.code == "L501"
    assert ("did you mean" in (fault.hint or "")) == (meant is not None)
    assert f"`{meant or 'A♣'}`" in (fault.hint or "")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("бубны", "♦"),
        ("черви", "♥"),
        ("червы", "♥"),
        ("трефами", "♣"),
        ("Пик", "♠"),
        ("heart", "♥"),
        ("spads", "♠"),
        ("הלב", "♥"),
        ("לבבות", "♥"),
        ("התלתן", "♣"),
        ("תלתנים", "♣"),
    ],
)
def test_the_right_form_of_an_inflected_or_misspelt_word_is_suggested(text: str, meant: str) -> None:
    with pytest.raises(Failure) as failure:
        parse_event(game_once("crazy_eights"), f"1: lay.eight {text}")
    assert [fault.hint for fault in failure.value.diagnostics] == [f"did you mean `{meant}`?"]


@pytest.mark.parametrize("text", ["дама", "б", "לו", "бубновый_туз"])
def test_a_word_that_is_no_form_of_another_is_not_suggested(text: str) -> None:
    with pytest.raises(Failure) as failure:
        parse_event(game_once("crazy_eights"), f"1: lay.eight {text}")
    [fault] = failure.value.diagnostics
    assert "did you mean" not in f"{fault.message} {fault.hint}"
    assert "diamonds (бубен)" in in_language(fault.message, "ru")


def test_a_square_with_a_letter_of_another_alphabet_is_suggested() -> None:
    with pytest.raises(Failure) as failure:
        parse_event(game_once("othello"), "1: place с4")
    assert failure.value.diagnostics[0].hint == "did you mean `c4`?"


def test_a_name_in_other_letters_is_suggested() -> None:
    with pytest.raises(Failure) as failure:
        parse_event(game_once("boreal"), "1: study S09 at 1,4")
    assert failure.value.diagnostics[0].hint == "did you mean `s09`?"


def test_the_signs_of_a_record_are_joined_in_one_way(tmp_path: Path) -> None:
    file = tmp_path / "signs.ludex"
    text = SPEC.replace('Card: notation "{rank}{suit}"', 'Card: notation "{rank}{suit}", notation "{suit}{rank}"')
    file.write_text(text.replace("CELL", "{row}"), encoding="utf-8")
    assert "N106" in {fault.code.code for fault in check_game(str(file))}
