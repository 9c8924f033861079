"""Leduc poker: the same game; OpenSpiel may distinguish suits, and limits chips."""

from __future__ import annotations

from collections.abc import Sequence

from .engines import LudexChoice, LudexNode, SpielChoice
from .pair import Pair, Reading

RANKS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")


class LeducPoker(Pair):
    game = "leduc_poker"
    spiel = "leduc_poker"
    suits = 2

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [done] = run
        if done.outcome is None:
            return done.name.capitalize()
        return str(RANKS.index(done.outcome) + done.before.engine.game.players - 10)

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [done] = run
        return str(done.number // self.suits) if done.seat is None else done.text

    def returns(self, node: LudexNode) -> Sequence[float]:
        lines = [dict(score.breakdown) for score in node.engine.scores(node.state)]
        odd = sum(line["score.odd_chip"] for line in lines)
        most = max(line["score.pot"] for line in lines)
        sharers = sum(line["score.pot"] == most for line in lines)
        return [line["score.paid"] + (line["score.pot"] and most + odd / sharers) for line in lines]


class OneSuit(LeducPoker):
    spiel = "leduc_poker(suit_isomorphism=True)"
    suits = 1


class ForThree(LeducPoker):
    players = 3
    spiel = "leduc_poker(players=3)"


class ForFive(LeducPoker):
    players = 5
    spiel = "leduc_poker(players=5,suit_isomorphism=True)"
    suits = 1


PAIRS = (LeducPoker(), OneSuit(), ForThree(), ForFive())
