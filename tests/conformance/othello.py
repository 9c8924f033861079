"""Othello: the same game; OpenSpiel has an action for a pass."""

from __future__ import annotations

from collections.abc import Sequence

from .engines import LudexChoice, SpielChoice
from .pair import SILENT, Reading, WinOrLoss


class Othello(WinOrLoss):
    game = "othello"
    spiel = "othello"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [place] = run
        cell = place.args["cell"]
        return f"{'abcdefgh'[cell['column'] - 1]}{cell['row']}"

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [taken] = run
        return SILENT if taken.text == "pass" else taken.text


PAIRS = (Othello(),)
