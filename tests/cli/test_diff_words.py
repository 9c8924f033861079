"""The words in which `ludex diff` tells games, tables and small states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludex.cli.differences.telling import SECTIONS, is_summary, outcome, section
from ludex.cli.differences.words import STOPS, event_words, in_short, side_words, situation_words, value_words
from ludex.interpreter import UNSEEN, Decision, Finding, Shown, Side, Situation

from .tellings import ferry


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("north", "north"),
        ("seat(2)", "seat(2)"),
        ({"row": 1, "column": 2}, "(row: 1, column: 2)"),
        (UNSEEN, "unseen"),
        ([UNSEEN, UNSEEN, "ace", UNSEEN], "[2 unseen, ace, 1 unseen]"),
        ([True, 3], "[true, 3]"),
    ],
)
def test_values_are_told_for_people(value: object, words: str) -> None:
    assert value_words(value) == words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"player": 2, "action": "take", "args": {"n": 3}}, "seat(2): take(n: 3)"),
        ({"player": "Anna", "action": "rest"}, "Anna: rest"),
        ({"player": "Anna", "action": "decline", "args": {}}, "Anna declines"),
        ({"chance": "turn.throw", "outcome": 4}, "chance, turn.throw: 4"),
    ],
)
def test_events_are_told_for_people(line: dict[str, Any], words: str) -> None:
    assert event_words(line) == words


ALLOWS = Side("en", True, (), "take(n: 3) is legal")
REFUSES = Side("he", False, (), "seat(1) has no room", where="en with `take` as in he")
LINES = ({"ludex": 1}, {"player": 1, "action": "take", "args": {"n": 3}})


def test_a_side_says_which_game_it_was() -> None:
    assert side_words(ALLOWS) == "en allows it: take(n: 3) is legal"
    assert side_words(REFUSES) == "he (played as en with `take` as in he) refuses it: seat(1) has no room"


def test_a_game_in_one_sentence() -> None:
    assert in_short(Shown(2, LINES, 2, ALLOWS, REFUSES)) == "en allows `seat(1): take(n: 3)`, he refuses it"
    more, fewer = Side("en", None, (), "3 : 1"), Side("he", None, (), "2 : 1")
    assert in_short(Shown(2, LINES, 3, more, fewer)) == "the same game ends otherwise: en: 3 : 1; he: 2 : 1"
    goes = Side("en", None, (), "play begins, and play goes on")
    stops = Side("he", None, (), f"play begins, and {STOPS} what happens then: nothing says what `n` is")
    told = "set-up: by en play goes on; by he the rules do not say what happens then: nothing says what `n` is"
    for left, right in ((goes, stops), (stops, goes)):
        assert in_short(Shown(2, LINES[:1], 1, left, right)) == told


def _situated(folder: Path, *told: str) -> list[str]:
    finding: Finding = ferry(folder).told[0]
    state = Situation(2, "take", told)
    return list(situation_words(replace(finding, decision=Decision("stricter", left_only=state))))


def test_a_small_state_tells_no_more_than_can_be_read(tmp_path: Path) -> None:
    rooms = [f"room(seat(1), r{number}) = bare" for number in range(30)]
    hand = f"hand(seat(1)) = {{{', '.join(f'card_{number}' for number in range(40))}}}"
    (told,) = _situated(tmp_path, *rooms, hand, "deck = {}", "me = seat(1)", "n = 3")
    assert told == (
        "2 players at take, with room = bare at 30 places; "
        "hand(seat(1)) = {card_0, card_1, card_2, card_3 and 36 more}; me = seat(1); n = 3; nothing else there: "
        "only en allows it"
    )
    (many,) = _situated(tmp_path / "many", *(f"s{number} = {number}" for number in range(20)))
    assert "s3 = 3; 12 more; s16 = 16" in many


def test_a_verdict_that_is_not_known_has_its_reason(tmp_path: Path) -> None:
    told = ferry(tmp_path)
    finding = replace(told.told[0], verdict="unknown", decision=Decision("unknown", "there are too many cases"))
    assert "which reading allows more is not known: there are too many cases" in list(outcome(told, finding))


def test_what_matters_most_is_told_first(tmp_path: Path) -> None:
    told = ferry(tmp_path, everything=True)
    clauses = [each.divergence.row.clause for each in told.told]
    assert clauses[0] == "take.enough", "the only one that a game shows"
    assert clauses.index("score.cargo") < clauses.index("take.gain"), "two say different things; one says nothing"
    assert [each.effect for each in told.told][-3:] == ["none"] * 3
    assert is_summary("en.margin", told.comparison.editions)
    assert not is_summary("en.margin", ["he", "en.margin"])


def test_what_only_a_summary_leaves_out_stands_by_itself(tmp_path: Path) -> None:
    told = ferry(tmp_path, "en", "en.margin").told
    by_section = {each.divergence.row.clause: section(each) for each in told}
    assert by_section["take.small"] == "unknown", "it says something else"
    assert by_section["take.small.full"] == "unknown", "the book leaves it out"
    assert by_section["play.turns"] == "summary"
    assert [section(each) for each in told] == sorted(map(section, told), key=SECTIONS.index)
