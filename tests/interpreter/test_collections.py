"""A choice that is searched in a collection: what lies outside the domain of the choice is no move."""

from __future__ import annotations

from ludex.interpreter import Engine, Reference

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


def test_what_is_not_in_the_domain_is_not_listed() -> None:
    game = game_from(WIDER)
    engine, reference = Engine(game), Reference(game)
    assert engine.legal_moves(engine.start()) == reference.legal_moves(reference.start())
