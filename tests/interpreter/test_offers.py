"""Which tests a decision needs: where one of them has no value, every tier stops at the same event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ludex.interpreter import DECLINE, Move
from ludex.interpreter.program import Compiled
from ludex.spec import Game, SpecFault

from ..tiers import TIERS, Missing, NativeTier, TierQueries
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


def tiers(game: Game) -> Iterator[TierQueries]:
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
def test_an_option_needs_no_value_after_one_that_is_legal(first: str, taken: Move) -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", first))):
        state = tier.start()
        assert tier.to_move(state) == (0,)
        assert tier.is_legal(state, taken)
        assert tier.is_terminal(tier.apply(state, taken))
        assert stops(tier.legal_moves, state), "a list needs the value"


TRIED = """
zone hand(Player): bag of 1..3, open
state n: 0..9 = 0

setup
  dealt: put {1, 2, 3} in hand(seat(2))

action number
  choose k in 1..3
  require fine: 6 div (2 - k) > 2
  step: n := n + k
  require late: n < BOUND

action part
  choose cards within my hand where size(cards) > 0
  require fine: 6 div (3 - size(cards)) > 2 and size(cards) < 3
  step: n := n + size(cards)
  require late: n < BOUND

action rest
  choose k in 1..2
  go: n += k

play
  first: as seat(1)
    rest
  turn: as seat(2)
    choose OPTION or rest
  over: nothing
"""


@pytest.mark.parametrize(("option", "taken"), (("number", {"k": 1}), ("part", {"cards": (1,)})))
def test_moves_are_tried_up_to_the_first_that_is_legal(option: str, taken: dict[str, Any]) -> None:
    for tier in tiers(game_from(TRIED.replace("OPTION", option).replace("BOUND", "9"))):
        state = tier.apply(tier.start(), move(0, "rest", k=1))
        assert tier.to_move(state) == (1,), "the second move has no value, and is not reached"
        assert stops(tier.legal_moves, state)
        if not (option == "part" and isinstance(tier, NativeTier)):  # whose parts are numbered by their place in a list
            assert tier.is_legal(state, move(1, option, **taken))
            assert tier.is_terminal(tier.apply(state, move(1, option, **taken)))


@pytest.mark.parametrize("option", ("number", "part"))
def test_a_fault_after_moves_that_are_all_refused_stops_the_game(option: str) -> None:
    for tier in tiers(game_from(TRIED.replace("OPTION", option).replace("BOUND", "2"))):
        assert stops(tier.apply, tier.start(), move(0, "rest", k=1))


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


def test_a_fault_after_a_move_stops_whoever_plays_it_and_no_list() -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", "choose late or free"))):
        state = tier.start()
        assert tier.legal_moves(state) == (move(0, "late"), move(0, "free"))
        assert stops(tier.apply, state, move(0, "late"))


def test_that_a_player_who_can_choose_may_not_decline_needs_no_other_value() -> None:
    for tier in tiers(game_from(SPEC.replace("FIRST", "choose faulty or free"))):
        assert not tier.is_legal(tier.start(), Move(0, DECLINE))


# ---- one option: its domains and requirements, in the order written

OPTION = """
type Piece = 1..4

zone hand(Player): bag of Piece, open
state n: 0..99 = 0

define price(part: bag of Piece): 0..5 = sum(x for x in part)

action take
  OPTION
  go: n += 1 up to 99

setup
  pieces: each p in Player
    put {1, 2, 3} in hand(p)

play
  turn: as seat(1)
    choose take or skip
  over: nothing

action skip
  go: nothing

action broken
  step: n := n - 1
"""


def option(*lines: str) -> Game:
    return game_from(OPTION.replace("OPTION", "\n  ".join(lines)))


@pytest.mark.drawn(8)
@pytest.mark.parametrize(
    "lines",
    (
        ("choose a in 0..50", "require first: 100 div (40 - a) != 7", "require second: a <= 5"),
        ("choose a in 0..4", "require first: 100 div (4 - a) > 0", "require second: a in {1, 2}"),
        ("choose a in 0..4", "require first: 100 div (4 - a) > 0", "require second: a in my hand"),
        ("choose a in 0..4, b in 0..4", "require first: 100 div (4 - a) >= b", "require second: a < 2"),
        ("choose a in 0..4, b in 0..4", "require first: 100 div (4 - a) >= b", "require second: a < 2 and b < 3"),
        ("choose a in 0..4, b in 0..4", "require first: 100 div (4 - b) > a and a > 4"),
        ("choose a in 0..4, b in 0..4", "require first: b > a implies 100 div (4 - b) > 0 and a > 4"),
        ("choose a in 0..4, b in 1..(100 div (4 - a))", "require first: a < 2 and b < 3"),
        ("choose a in 0..4, b in 1..(100 div (4 - a))", "require first: b < 3", "require second: a < 2"),
        ("choose a in 1..(100 div n)", "require first: a in my hand"),
        ("choose part within my hand", "require first: 100 div size(part) > 0", "require second: size(part) = 2"),
        ("choose part within my hand", "require first: 100 div size(part) > 0 and size(part) = 2"),
        (
            "choose part within my hand",
            "require first: size(part) > 0 implies the(x in part) > 0",
            "require second: size(part) = 1",
        ),
        (
            "choose part within my hand",
            "require first: 100 div size(my hand) > the(x in {size(part), 1} where x > 0)",
        ),
        ("choose part within my hand", "require first: price(part) = 3"),
        ("choose part within my hand", "require first: price(part) > 3 or size(part) = 1"),
        ("choose part within my hand", "require first: 3 * price(part) in {3, 6} and size(part) = 1"),
        ("choose one within my hand, two within my hand", "require first: price(two) = size(one) + 4"),
        (
            "choose a in 0..4, part within my hand",
            "require first: 100 div (4 - a) > size(part)",
            "require second: size(part) > a + 9",
        ),
        (
            "choose a in 0..4, part within my hand",
            "require first: 100 div (4 - a) > 0",
            "require second: size(part) > 9",
        ),
        (
            "choose one within my hand, two within my hand",
            "require first: 100 div size(two) > 0",
            "require second: size(one) > 5",
        ),
    ),
)
def test_a_later_test_hides_no_fault_of_an_earlier_one(lines: tuple[str, ...]) -> None:
    for tier in tiers(option(*lines)):
        state = tier.start()
        assert stops(tier.legal_moves, state), tier


@pytest.mark.parametrize(
    ("lines", "count"),
    (
        (("choose a in 0..4", "require first: a < 3", "require second: 100 div (4 - a) > 0"), 3),
        (("choose a in 0..4, b in 0..4", "require first: a < 3 and b = 1", "require second: 100 div (4 - a) > b"), 3),
        (("choose a in 0..4", "require first: a < 4 and 100 div (4 - a) > 0", "require second: a in my hand"), 3),
        (("choose a in 0..4", "require first: a < n", "require second: can take"), 0),
        (("choose a in 0..4", "require first: a < n", "require second: can broken"), 0),
        (("choose part within my hand", "require first: size(part) = 1", "require second: price(part) = 3"), 1),
        (("choose part within my hand", "require first: size(part) = 1 and price(part) > 1"), 2),
        (
            (
                "choose a in 1..3, part within my hand",
                "require first: size(part) = 2",
                "require second: price(part) = a + 1",
            ),
            2,
        ),
    ),
)
def test_a_test_guards_those_after_it(lines: tuple[str, ...], count: int) -> None:
    for tier in tiers(option(*lines)):
        taken = [each for each in tier.legal_moves(tier.start()) if each.action == "take"]
        assert len(taken) == count
        assert all(tier.is_legal(tier.start(), each) for each in taken)


ASKED = """
state a: 0..9 = 1

action one
  require first: CONDITION
  go: a := 1

action two(n: 0..3)
  choose k in 0..1
  require second: n = 3 or (can one)
  go: a := 2

action three
  go: a := 6 div (a - 1)

play
  turns: each player in seats
    may OFFERED
"""


@pytest.mark.parametrize(
    ("condition", "offered", "clause", "line"),
    (
        # The clause that asks again is at fault, not the action that it asks about.
        ("can two(1)", "one", "one.first", 9),
        ("can two(1)", "two(1)", "two.second", 14),
        ("total(me) > 0 or can two(2)", "one", "one.first", 9),
        ("can three", "one", "three.go", 18),
        ("6 div (a - 1) = 1", "two(1)", "one.first", 9),
        ("a > 5\n    except odd: when 6 div (a - 1) = 1", "one", "one.first.odd", 10),
        ("a > 5\n    except odd: when can two(1)", "one", "one.first.odd", 10),
    ),
)
def test_a_fault_after_can_has_one_place(condition: str, offered: str, clause: str, line: int) -> None:
    game = game_from(ASKED.replace("CONDITION", condition).replace("OFFERED", offered))
    places = set()
    for made in (*TIERS.values(), Compiled):
        try:
            made(game).start()
        except Missing:
            assert made is NativeTier
        except SpecFault as fault:
            places.add((fault.path, fault.span.line))
        else:
            pytest.fail(f"{made} finds no fault")
    assert places == {(clause, line)}
