"""Kuhn poker: the same game."""

from __future__ import annotations

from collections.abc import Sequence

from .engines import LudexChoice
from .pair import Pair, Reading

WORDS = {"jack": "Deal:0", "queen": "Deal:1", "king": "Deal:2", "pass": "Pass", "bet": "Bet"}


class KuhnPoker(Pair):
    game = "kuhn_poker"
    spiel = "kuhn_poker"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [outcome] = run
        return WORDS[outcome.outcome or outcome.name]


PAIRS = (KuhnPoker(),)
