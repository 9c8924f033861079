"""English draughts and OpenSpiel's checkers: the board is rotated, and OpenSpiel cuts plays off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .engines import LudexChoice, LudexNode, SpielNode
from .pair import Reading, WinOrLoss


def square(place: dict[str, Any]) -> str:
    """Convert a square: the first player is at the top in Ludex, at the bottom in OpenSpiel."""
    return f"{' hgfedcba'[place['column']]}{place['row']}"


class EnglishDraughts(WinOrLoss):
    game = "english_draughts"
    spiel = "checkers"
    options: ClassVar = {"alike": 9}

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [move] = run
        return square(move.args["origin"]) + square(move.args["target"])

    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        if spiel.over and not ludex.over and list(spiel.state.returns()) == [0, 0]:
            return "OpenSpiel ends the play after 40 moves without a capture"
        return None


PAIRS = (EnglishDraughts(),)
