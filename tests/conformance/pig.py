"""Pig: OpenSpiel lets a player stop before he has rolled, and does not let him roll on when he could win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice, LudexNode, SpielChoice
from .pair import Apart, Pair, Reading, win_or_loss


def enough(node: LudexNode) -> bool:
    [player] = node.movers
    return bool(node.cell("banked", player) + node.cell("pot") >= 100)


class Pig(Pair):
    game = "pig"
    spiel = "pig(players=2,horizon=100000)"
    words: ClassVar = {"roll": "roll", "hold": "stop"}

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [done] = run
        if done.name == "roll" and enough(done.before):
            return Apart("OpenSpiel makes a player stop who has enough to win")
        return self.words[done.name] if done.outcome is None else f"Roll {done.outcome}"

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [done] = run
        if done.text == "stop" and "Turn total: 0" in done.before.view:
            return Apart("OpenSpiel lets a player stop before he has rolled")
        return done.text

    def returns(self, node: LudexNode) -> Sequence[float]:
        return win_or_loss(node)


class PigForThree(Pig):
    players = 3
    spiel = "pig(players=3,horizon=100000)"


PAIRS = (Pig(), PigForThree())
