"""Choices from a collection: elements outside the domain of the choice are not moves."""

from __future__ import annotations

from typing import Any

import pytest

from ludex.interpreter import Engine, Reference
from ludex.interpreter.program import Compiled
from ludex.spec import SpecFault

from .build import game_from

WIDER = """
state held(Player, 1..6): 0..9 = 0

action lay
  choose n in 1..4, at in 1..6
  require apart: count(b in 1..6 where abs(b - at) = 2 and held(me, b) > 1) < 2
  require listed: n in {1, 2, 3, 4, 7, 9}
  lay: held(me, at) := n

play
  turns: each player in seats
    lay
"""

OPTIONAL = """
type Bid = 0..3
state bids: bag of Bid? up to 9 = {1, none, 0}

action add
  choose bid in {none, 2}
  more: bids := bids + {bid, 0}

play
  turn: as seat(1)
    add

score points: count(x in bids where x is empty) * 100 + count(x in bids where x = 0)
"""


NOTHING_HELD = """
state k: 0..9 = 0
zone hand(Player): bag of 1..9, open

define wanted: 1..9 = the(x in 1..9 where x > 3 and x = k)

action look
  require few: count(x in my hand where x = wanted) < 5
  look: nothing

action take
  take: put 1 in my hand

play
  turns: repeat 2 times
    each player in seats
      choose look or take
"""


@pytest.mark.parametrize("engine", [Reference, Compiled])
def test_with_no_items_nothing_is_asked_of_what_they_are_compared_with(engine: type[Reference | Compiled]) -> None:
    played: Any = engine(game_from(NOTHING_HELD))
    state = played.start()
    assert [move.action for move in played.legal_moves(state)] == ["look", "take"]
    for _ in range(2):
        state = played.apply(state, played.legal_moves(state, played.to_move(state)[0])[-1])
    with pytest.raises(SpecFault):
        played.legal_moves(state)


def test_elements_outside_the_domain_are_not_listed() -> None:
    game = game_from(WIDER)
    engine, reference = Engine(game), Reference(game)
    assert engine.legal_moves(engine.start()) == reference.legal_moves(reference.start())


@pytest.mark.parametrize("engine", [Reference, Compiled])
def test_a_bag_may_contain_none(engine: type[Reference | Compiled]) -> None:
    played: Any = engine(game_from(OPTIONAL))
    state = played.apply(played.start(), played.legal_moves(played.start())[0])
    assert played.returns(state) == (202, 202)
