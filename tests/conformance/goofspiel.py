"""Goofspiel: the same game; OpenSpiel plays the last trick by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice, LudexNode, SpielChoice
from .pair import SILENT, Pair, Reading


class Goofspiel(Pair):
    game = "goofspiel"
    spiel = "goofspiel"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [done] = run
        if done.share == 1 or (done.seat is not None and len(done.before.choices(done.seat)) == 1):
            return SILENT
        return str(done.outcome or done.args["card"])

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [done] = run
        return str(done.number + 1)

    def returns(self, node: LudexNode) -> Sequence[float]:
        winners, players = node.engine.winners(node.state).winners, node.engine.game.players
        if len(winners) == players:
            return [0.0] * players
        losers = players - len(winners)
        return [1 / len(winners) if seat in winners else -1 / losers for seat in range(players)]


class Points(Goofspiel):
    spiel = "goofspiel(returns_type=total_points)"

    def returns(self, node: LudexNode) -> Sequence[float]:
        return node.engine.returns(node.state)


class Descending(Points):
    options: ClassVar = {"order": "descending", "cards": 6}
    spiel = "goofspiel(returns_type=total_points,num_cards=6,points_order=descending)"


class ForThree(Goofspiel):
    players = 3
    options: ClassVar = {"cards": 5}
    spiel = "goofspiel(players=3,num_cards=5)"


class ForFiveAscending(Goofspiel):
    players = 5
    options: ClassVar = {"order": "ascending", "cards": 3}
    spiel = "goofspiel(players=5,num_cards=3,points_order=ascending)"


PAIRS = (Goofspiel(), Points(), Descending(), ForThree(), ForFiveAscending())
