"""Choices from a collection: elements outside the domain of the choice are not moves."""

from __future__ import annotations

from typing import Any

import pytest

from ludex.interpreter import Engine, Reference
from ludex.interpreter.program import Compiled

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


def test_elements_outside_the_domain_are_not_listed() -> None:
    game = game_from(WIDER)
    engine, reference = Engine(game), Reference(game)
    assert engine.legal_moves(engine.start()) == reference.legal_moves(reference.start())


@pytest.mark.parametrize("engine", [Reference, Compiled])
def test_a_bag_may_contain_none(engine: type[Reference | Compiled]) -> None:
    played: Any = engine(game_from(OPTIONAL))
    state = played.apply(played.start(), played.legal_moves(played.start())[0])
    assert played.returns(state) == (202, 202)
