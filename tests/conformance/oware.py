"""Oware: the same game, also with fewer houses and seeds. OpenSpiel has letters for houses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice
from .pair import Reading, WinOrLoss


class Oware(WinOrLoss):
    game = "oware"
    spiel = "oware"
    houses = "abcdef"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [move] = run
        house = move.args["house"]
        return self.houses[-house["col"]] if house["row"] == 1 else self.houses[house["col"] - 1].upper()


class SmallOware(Oware):
    options: ClassVar = {"houses": 3, "seeds_each": 2}
    spiel = "oware(num_houses_per_player=3,num_seeds_per_house=2)"
    houses = "abc"


PAIRS = (Oware(), SmallOware())
