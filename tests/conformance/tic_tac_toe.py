"""Tic-tac-toe: the same game."""

from __future__ import annotations

from collections.abc import Sequence

from .engines import LudexChoice
from .pair import Reading, WinOrLoss


class TicTacToe(WinOrLoss):
    game = "tic_tac_toe"
    spiel = "tic_tac_toe"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [claim] = run
        cell = claim.args["cell"]
        return f"{'xo'[claim.before.movers[0]]}({cell['row'] - 1},{cell['col'] - 1})"


PAIRS = (TicTacToe(),)
