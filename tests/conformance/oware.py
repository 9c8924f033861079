"""Oware: the same game, also with fewer houses and seeds. OpenSpiel has letters for houses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice, LudexNode
from .pair import Pair, Reading, win_or_loss


class Oware(Pair):
    game = "oware"
    spiel = "oware"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [move] = run
        house, houses = move.args["house"], int(str(self.options.get("houses", 6)))
        letters = "abcdefgh"[:houses]
        return letters[-house["col"]] if house["row"] == 1 else letters[house["col"] - 1].upper()

    def returns(self, node: LudexNode) -> Sequence[float]:
        return win_or_loss(node)


class SmallOware(Oware):
    options: ClassVar = {"houses": 3, "seeds_each": 2}
    spiel = "oware(num_houses_per_player=3,num_seeds_per_house=2)"


PAIRS = (Oware(), SmallOware())
