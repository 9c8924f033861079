"""Breakthrough: the same game. The first player, black in OpenSpiel, starts in the highest rows in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from .engines import LudexChoice, SpielChoice
from .pair import Reading, WinOrLoss


def square(cell: Mapping[str, int]) -> str:
    return f"{'abcdefghijkl'[cell['column'] - 1]}{cell['row']}"


class Breakthrough(WinOrLoss):
    game = "breakthrough"
    spiel = "breakthrough"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [advance] = run
        return square(advance.args["origin"]) + square(advance.args["target"])

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [taken] = run
        return taken.text.removesuffix("*")  # of a capture


class SmallBoard(Breakthrough):
    options: ClassVar = {"size": 6}
    spiel = "breakthrough(rows=6,columns=6)"


PAIRS = (Breakthrough(), SmallBoard())
