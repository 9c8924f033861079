"""Counts that can be computed for games with hidden hands.

Liar's dice: a history is a deal, then rising bids, then a call. So every non-empty set of bids is one history, and
their number is 2 to the number of bids, less one.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from ludex.interpreter import Engine, State
from ludex.spec import load

from ..tiers import options_of


def endings(engine: Engine) -> int:
    """Return how many histories end the play. States that several histories reach are searched once."""
    layer: dict[State, int] = {engine.start(): 1}
    count = 0
    while layer:
        following: defaultdict[State, int] = defaultdict(int)
        for state, ways in layer.items():
            count += ways if engine.is_terminal(state) else 0
            for event in options_of(engine, state):
                following[engine.apply(state, event)] += ways
        layer = following
    return count


@pytest.mark.parametrize(("players", "dice", "sides"), [(2, 1, 6), (2, 2, 3), (3, 1, 4)])
def test_liars_dice_has_a_history_for_each_set_of_bids(players: int, dice: int, sides: int) -> None:
    engine = Engine(load("liars_dice", players, options={"dice": dice, "sides": sides}))
    total = players * dice
    assert endings(engine) == sides**total * (2 ** (sides * total) - 1)
