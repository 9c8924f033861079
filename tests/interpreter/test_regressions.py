"""Faults that games of other kinds brought to light, each by the smallest game that shows it."""

from __future__ import annotations

from math import comb

from .build import engine

HAND = """
type Card = 1..40

zone hand(Player): bag of Card, open
zone table: bag of Card, open

setup
  deal: each player in seats
    fill my hand with Card

play
  turns: each player in seats
    lay

action lay
  choose cards within my hand
  require right: {condition}
  lay: move cards from my hand to table
"""


def test_no_larger_parts_are_tried_than_a_requirement_on_their_size_allows() -> None:
    for condition in ("size(cards) = 2 and no c in cards has c > 40", "player_count = 2 and 2 = size(cards)"):
        laid = engine(HAND.replace("{condition}", condition))
        assert len(laid.legal_moves(laid.start())) == comb(40, 2)
    few = engine(HAND.replace("{condition}", "size(cards) < 2 or size(cards) = 0").replace("1..40", "1..9"))
    assert len(few.legal_moves(few.start())) == 10, "a size that only one of two conditions bounds bounds nothing"


CODE = """
type Digit = 1..2000

state opened: Bool = false

play
  turns: each player in seats
    dial

action dial
  choose a in Digit, b in Digit, c in Digit
  require right: {condition}
  open: opened := true
"""


def test_each_part_of_a_requirement_is_tested_as_soon_as_it_can_be() -> None:
    """Else these would go through 8,000,000,000 combinations."""
    for condition in (
        "a = 7 and b = 8 and c = 9",
        "1 < 2 implies a = 7 and b = 8 and c = 9",
        "a = 7 and (if b = 8 then c = 9 else a = 8)",
    ):
        dialled = engine(CODE.replace("{condition}", condition))
        (move,) = dialled.legal_moves(dialled.start())
        assert move.arguments == (("a", 7), ("b", 8), ("c", 9))
