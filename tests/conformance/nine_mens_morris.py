"""Nine men's morris: OpenSpiel numbers the points in the order of Ludex, and cuts plays off after 200 turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .engines import LudexChoice, LudexNode, SpielNode
from .pair import Reading, WinOrLoss

MIDDLE = 4
LINES = range(1, 8)
POINTS = [
    (row, column)
    for row in LINES
    for column in LINES
    if abs(row - MIDDLE) == abs(column - MIDDLE) != 0 or (row == MIDDLE) != (column == MIDDLE)
]


def number(point: dict[str, Any]) -> int:
    return POINTS.index((point["row"], point["column"]))


class NineMensMorris(WinOrLoss):
    game = "nine_mens_morris"
    spiel = "nine_mens_morris"
    options: ClassVar = {"quiet_moves": 200}

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [move] = run
        points = [number(point) for point in move.args.values()]
        return f"Move {points[0]} -> {points[1]}" if move.name == "slide" else f"Point {points[0]}"

    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        if spiel.over and not ludex.over and "Turn number: 200" in spiel.view:
            return "OpenSpiel ends the play after 200 turns"
        return None


PAIRS = (NineMensMorris(),)
