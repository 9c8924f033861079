"""Liar's dice: the same game for two players, the most that OpenSpiel has; its wild face is always the highest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice
from .pair import Pair, Reading


class LiarsDice(Pair):
    game = "liars_dice"
    spiel = "liars_dice"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [outcome] = run
        match outcome.name:
            case "claim":
                return "{count}-{face}".format(**outcome.args["new"])
            case "liar":
                return "Liar"
            case _:
                return f"Roll {outcome.outcome}"


class TwoDiceEach(LiarsDice):
    options: ClassVar = {"dice": 2, "sides": 4}
    spiel = "liars_dice(numdice=2,dice_sides=4)"


class FaceFirst(LiarsDice):
    options: ClassVar = {"dice": 2, "raising": "face"}
    spiel = "liars_dice(numdice=2,bidding_rule=reset-quantity)"


PAIRS = (LiarsDice(), TwoDiceEach(), FaceFirst())
