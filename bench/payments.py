"""Legal moves where a price is paid exactly: how the time to list them grows with the hand."""

from __future__ import annotations

from collections import Counter
from math import prod
from pathlib import Path

from ludex.interpreter import Engine
from ludex.spec import load
from ludex.spec.types import Value

MARKET = Path(__file__).with_name("market.ludex")
HANDS = (5, 10, 15, 20)
"""So many cards are in the hands that are measured."""
PURSES = ("hand", "pouch", "lands", "helpers")
"""The zones from which a part is paid."""


class Payment:
    """The first decision of the market, with so many cards in hand."""

    def __init__(self, cards: int) -> None:
        self._engine = Engine(load(MARKET, options={"hand_size": cards}))
        state = self._engine.start()
        self.moves = len(self._engine.legal_moves(state))
        held: list[Counter[Value]] = [Counter(self._engine.cell(state, purse, [0])) for purse in PURSES]
        self.ways = prod(count + 1 for kinds in held for count in kinds.values())

    def listed(self) -> int:
        """List the legal moves once, of a state in which nothing is known yet."""
        self._engine.legal_moves(self._engine.start())
        return 1
