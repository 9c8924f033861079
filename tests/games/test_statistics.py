"""Results of random play, compared with figures that are known from other sources.

The seed is fixed, so a failure is a change of a game or of how moves are picked, never bad luck. `ludex simulate GAME
--games 10000` prints the shares of more plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

import pytest

from ludex.interpreter import Engine, Generator, playout
from ludex.spec import load

Points: TypeAlias = Sequence[int]
Winners: TypeAlias = Sequence[int]
ERRORS = 3
"""The tolerance of a share, in standard errors."""


def first_wins(winners: Winners, points: Points) -> bool:
    """Return whether the first player is the only winner."""
    return tuple(winners) == (0,)


def nobody_wins_alone(winners: Winners, points: Points) -> bool:
    return len(winners) != 1


def nobody_gains(winners: Winners, points: Points) -> bool:
    return not any(points)


@dataclass(frozen=True)
class Known:
    """The known shares of results among random plays.

    Attributes:
        plays: the number of plays, which take a second or two.
    """

    game: str
    plays: int
    shares: Mapping[Callable[[Winners, Points], bool], float]
    options: Mapping[str, object] = field(default_factory=dict)


KNOWN = (
    Known("tic_tac_toe", 1000, {first_wins: 0.586, nobody_wins_alone: 0.126}),
    Known("connect_four", 600, {first_wins: 0.553, nobody_wins_alone: 0.003}),
    Known("breakthrough", 120, {first_wins: 0.509}),
    Known("othello", 40, {first_wins: 0.446, nobody_wins_alone: 0.044}),
    Known("kuhn_poker", 2000, {first_wins: 0.563}),
    Known("leduc_poker", 800, {first_wins: 0.495, nobody_gains: 0.078}),
    Known("pig", 200, {first_wins: 0.513}, {"passing": True}),
)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.game)
def test_random_play_has_the_known_results(known: Known) -> None:
    engine = Engine(load(known.game, options=known.options))
    ends = [played(engine, number) for number in range(1, known.plays + 1)]
    for comes_out, share in known.shares.items():
        found = sum(comes_out(*end) for end in ends) / known.plays
        error = sqrt(share * (1 - share) / known.plays)
        assert abs(found - share) <= ERRORS * error, f"{comes_out.__name__}: the share is {found} and should be {share}"


def played(engine: Engine, number: int) -> tuple[Winners, Points]:
    """Return the result of a random play."""
    state = engine.start()
    for _ in playout(engine, Generator(0, number), state=state):
        pass
    return engine.winners(state).winners, engine.returns(state)
