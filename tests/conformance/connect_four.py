"""Connect four: the same game; OpenSpiel counts columns from 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice
from .pair import Reading, WinOrLoss


class ConnectFour(WinOrLoss):
    game = "connect_four"
    spiel = "connect_four"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [drop] = run
        return f"{'xo'[drop.before.movers[0]]}{drop.args['column'] - 1}"


class ConnectThree(ConnectFour):
    """A small grid, which often becomes full."""

    options: ClassVar = {"rows": 4, "columns": 4, "in_a_row": 3}
    spiel = "connect_four(rows=4,columns=4,x_in_row=3)"


class WideGrid(ConnectFour):
    options: ClassVar = {"rows": 5, "columns": 9}
    spiel = "connect_four(rows=5,columns=9)"


PAIRS = (ConnectFour(), ConnectThree(), WideGrid())
