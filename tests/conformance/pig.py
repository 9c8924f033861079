"""Pig: as OpenSpiel plays it, with `passing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice
from .pair import Reading, WinOrLoss

WORDS = {"roll": "roll", "hold": "stop"}


class Pig(WinOrLoss):
    game = "pig"
    spiel = "pig(players=2,horizon=100000)"
    options: ClassVar = {"passing": True}

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [done] = run
        return WORDS[done.name] if done.outcome is None else f"Roll {done.outcome}"


class PigForThree(Pig):
    players = 3
    spiel = "pig(players=3,horizon=100000)"


PAIRS = (Pig(), PigForThree())
