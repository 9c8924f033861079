"""Nim: the same game, normal and misère."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .engines import LudexChoice
from .pair import Reading, WinOrLoss


class Nim(WinOrLoss):
    game = "nim"
    spiel = "nim(is_misere=False)"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [take] = run
        return f"pile:{take.args['heap']}, take:{take.args['count']};"


class Misere(Nim):
    options: ClassVar = {"misere": True}
    spiel = "nim(is_misere=True)"


class FiveHeaps(Nim):
    options: ClassVar = {"heap_1": 6, "heap_2": 2, "heap_3": 9, "heap_4": 1, "heap_5": 4}
    spiel = "nim(is_misere=False,pile_sizes=6;2;9;1;4)"


PAIRS = (Nim(), Misere(), FiveHeaps())
