"""Perft: the counting of plays, with equal states merged, in parallel parts, and by turn."""

from __future__ import annotations

import pytest

from ludex.interpreter import EndlessTurn, Engine, State, leaf_counts, perft
from ludex.spec import load

from ..once import engine_once, game_once
from .build import engine_from


def counted(engine: Engine, depth: int, by_turn: bool = False) -> list[int]:
    return list(leaf_counts(engine, engine.start(), depth, by_turn))


def each_way_by_itself(engine: Engine, state: State, depth: int) -> int:
    """Count each play by itself: the definition."""
    if depth == 0:
        return 1
    events = [event for event, _ in engine.chance(state)] or engine.legal_moves(state)
    return sum(each_way_by_itself(engine, engine.apply(state, event), depth - 1) for event in events)


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("kuhn_poker", 6), ("pig", 7), ("boreal", 3)])
def test_equal_states_are_counted_once_for_each_way_to_them(name: str, depth: int) -> None:
    engine = engine_once(game_once(name))
    start = engine.start()
    expected = [each_way_by_itself(engine, start, at) for at in range(1, depth + 1)]
    while 0 in expected[:-1]:
        expected.pop()
    assert counted(engine, depth) == expected
    assert perft(engine, start, depth) == expected[-1]
    assert perft(engine, start, 0) == 1


def test_many_states_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(load("tic_tac_toe"))
    expected = counted(engine, 12)
    assert expected[-1] == 0
    assert len(expected) == 10
    monkeypatch.setattr("ludex.interpreter.simulate.perft.AT_ONCE", 7)
    assert counted(engine, 5) == expected[:5]
    kuhn = Engine(load("kuhn_poker"))
    assert counted(kuhn, 9) == [3, 6, 12, 24, 12, 0]


def test_long_plays_are_counted() -> None:
    engine = engine_from(
        """
state n: 0..9 = 0
action step
  go: n := (n + 1) mod 10
play
  turns: repeat 99 times
    each player in seats
      may step
"""
    )
    assert perft(engine, engine.start(), 40) == 2**40


CHAIN = """
state left(Player): 0..3 = 3

action jump
  require some_left: my left > 0
  go: left(me) -= 1

action turn
  first: choose jump
  more: repeat may jump

play
  turns: repeat
    each player in seats
      {body}
  until every p in Player has left(p) = 0
"""


@pytest.mark.parametrize("body", ["turn", "all: turn", "first: choose jump\n      more: repeat may jump"])
def test_several_moves_in_a_row_are_one_turn_and_a_pass_ends_it(body: str) -> None:
    """A player with three coins can give 1, 2 or 3 in a turn. After 3 and then 1 or 2, the first player has nothing
    left and is passed over; the second moves again, in a new turn. So there are 3 * 2 + 3 * 1 + (2 + 1) ways to a third
    turn.
    """
    assert counted(engine_from(CHAIN.replace("{body}", body)), 3, by_turn=True) == [3, 9, 12]


WITHIN = """
state left(Player): 0..2 = 2
state dues: 0..9 = 0

action step
  require some_left: my left > 0
  go: left(me) -= 1
  pay: each q in seats
    dues += 1 up to 9
{within}
action turn
  one: choose step
  two: choose step

play
  turns: each player in seats
    turn
"""


@pytest.mark.parametrize(
    ("within", "counts"),
    [
        ("", [1, 1, 0]),
        ("  toll: each player in seats\n    dues += 1 up to 9\n", [1, 1, 0]),
        ("  toll: as me\n    dues += 1 up to 9\n", [1, 1, 0]),
        ("  ask: as me\n    choose n in 1..2\n", [1, 2, 2, 4, 4, 8, 8, 16, 0]),
        ("  ask: as opponent(me)\n    choose n in 1..2\n", [1, 2, 2, 4, 4, 8, 8, 16, 0]),
    ],
    ids=["plain", "everybody pays", "he himself pays", "he is named for a question", "the other is asked"],
)
def test_as_ends_no_turn(within: str, counts: list[int]) -> None:
    assert counted(engine_from(WITHIN.replace("{within}", within)), len(counts), by_turn=True) == counts


def test_chance_is_a_step_by_itself() -> None:
    """Roll; six throws, one of which ends the turn; then roll or hold after five of them, roll after the other."""
    pig = Engine(load("pig"))
    assert counted(pig, 3, by_turn=True) == counted(pig, 3) == [1, 6, 5 * 2 + 1]


def test_simultaneous_choices_are_steps() -> None:
    """Either choice may be stated first."""
    engine = engine_from(
        """
zone hand(Player): bag of 1..3, private
zone table: bag of 1..3, open
setup
  deal: each player in seats
    fill my hand with 1..3
play
  rounds: repeat 3 times
    bids: all players
      choose card in my hand
      move card from my hand to table
"""
    )
    assert counted(engine, 7, by_turn=True) == counted(engine, 7) == [6, 18, 72, 144, 288, 288, 0]


def test_an_endless_turn_cannot_be_counted() -> None:
    engine = engine_from(
        """
state n: 0..1 = 0
action step
  go: n := 1 - n
play
  turns: each player in seats
    repeat may step
"""
    )
    assert counted(engine, 3) == [2, 4, 6]
    with pytest.raises(EndlessTurn):
        counted(engine, 1, by_turn=True)
