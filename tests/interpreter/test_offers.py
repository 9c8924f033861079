"""Which tests a decision needs: where one of them has no value, every tier stops at the same event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ludex.interpreter import DECLINE, Move
from ludex.spec import Game, SpecFault

from ..tiers import TIERS, Missing, Tier
from .build import game_from, move

SPEC = """
zone tray: bag of 1..4, open
state n: 0..9 = 0

action free
  go: n += 1 up to 9

action given(k: 1..4)
  go: n += k up to 9

action small
  choose k in 1..3
  require more: k > n
  go: n += k up to 9

action never
  require many: n > 9 - 1
  go: nothing

action faulty
  require one: the(x in tray) = 1
  go: nothing

action late
  go: n += 1 up to 9
  behind:
    require one: the(x in tray) = 1

play
  turn: as seat(1)
    first: FIRST
  over: nothing
"""
NOTHING = "the(x in tray)"


def tiers(game: Game) -> Iterator[Tier]:
    for name, made in TIERS.items():
        try:
            yield made(game)
        except Missing:
            assert name == "native"


def stops(question: Any, *given: Any) -> bool:
    try:
        question(*given)
    except SpecFault:
        return True
    return False


@pytest.mark.parametrize(
    ("first", "taken"),
    (
        ("choose faulty or free", move(0, "free")),
        ("choose free or faulty", move(0, "free")),
        ("choose never or faulty or free", move(0, "free")),
        ("choose small or faulty", move(0, "small", k=2)),
        (f"choose given({NOTHING}) or free", move(0, "free")),
        (f"choose given(1) or given({NOTHING})", move(0, "given", k=1)),
        ("may\n      choose free or faulty", Move(0, DECLINE)),
    ),
)
def test_an_option_needs_no_value_behind_one_that_is_legal(first: str, taken: Move) -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", first))):
        state = tier.start()
        assert tier.to_move(state) == (0,)
        assert tier.is_legal(state, taken)
        assert tier.is_terminal(tier.apply(state, taken))
        assert stops(tier.legal_moves, state), "a list needs the value"


@pytest.mark.parametrize(
    "first",
    (
        "choose faulty or small",
        "choose never or faulty",
        "choose faulty",
        "may faulty",
        f"given({NOTHING})",
        f"choose given({NOTHING}) or given(1)",
    ),
)
def test_a_decision_of_which_it_is_not_known_whether_it_offers_a_move_is_a_fault(first: str) -> None:
    game = game_from(SPEC.replace("FIRST", first))
    for name, made in TIERS.items():
        try:
            assert stops(lambda made=made: made(game).start()), name
        except Missing:
            assert name == "native"


def test_a_fault_behind_a_move_stops_whoever_plays_it_and_no_list() -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", "choose late or free"))):
        state = tier.start()
        assert tier.legal_moves(state) == (move(0, "late"), move(0, "free"))
        assert stops(tier.apply, state, move(0, "late"))


def test_that_a_player_who_can_choose_may_not_decline_needs_no_other_value() -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", "choose faulty or free"))):
        assert not tier.is_legal(tier.start(), Move(0, DECLINE))
