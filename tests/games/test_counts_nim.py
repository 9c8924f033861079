"""The winner of Nim, which is known for every position.

The player to move wins unless the heaps, written in binary, add up to 0 without carrying (Bouton's theorem); the misère
game too, unless no heap has more than one match.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import xor

import pytest

from ludex.interpreter import Engine, State
from ludex.spec import load

HEAPS = ((1,), (2, 2), (1, 1), (1, 2, 3), (1, 1, 1), (1, 1, 1, 1), (2, 1, 1), (3, 1, 2, 1), (1, 3, 1, 3))


def first_wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """Return whether the first player wins, by an exhaustive search."""
    options = {f"heap_{n}": (*heaps, 0, 0, 0, 0)[n - 1] for n in range(1, 6)}
    engine = Engine(load("nim", options={**options, "misere": misere}))

    @cache
    def wins(state: State, seat: int) -> bool:
        if engine.is_terminal(state):
            return engine.winners(state).winners == (seat,)
        following = [engine.apply(state, move) for move in engine.legal_moves(state)]
        mine = engine.to_move(state) == (seat,)
        return (any if mine else all)(wins(after, seat) for after in following)

    return wins(engine.start(), 0)


@pytest.mark.parametrize("heaps", HEAPS, ids=str)
def test_the_winner_of_nim_is_the_known_one(heaps: tuple[int, ...]) -> None:
    assert first_wins(heaps, misere=False) == (reduce(xor, heaps) != 0)


@pytest.mark.parametrize("heaps", HEAPS, ids=str)
def test_the_winner_of_misere_nim_is_the_known_one(heaps: tuple[int, ...]) -> None:
    ones_only = max(heaps) == 1
    assert first_wins(heaps, misere=True) == ((reduce(xor, heaps) != 0) != ones_only)
