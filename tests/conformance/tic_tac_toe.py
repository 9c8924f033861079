"""Tic-tac-toe: the same game."""

from __future__ import annotations

from collections.abc import Sequence

from .engines import LudexChoice, LudexNode
from .pair import Pair, Reading, win_or_loss


class TicTacToe(Pair):
    game = "tic_tac_toe"
    spiel = "tic_tac_toe"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [claim] = run
        cell = claim.args["cell"]
        return f"{'xo'[claim.before.movers[0]]}({cell['row'] - 1},{cell['col'] - 1})"

    def returns(self, node: LudexNode) -> Sequence[float]:
        return win_or_loss(node)


PAIRS = (TicTacToe(),)
