"""A few plays of every mapped game in lockstep; `python -m tests.conformance GAME --plays 1000` runs more."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from ludex.spec import Game, shipped_games

from ..tiers import PythonTier, Tier
from .lockstep import Lockstep, Tally, at_random
from .pair import Pair
from .pairs import MAPPED, game_of, pairs_of

pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'ludex[conformance]'")

PLAYS = 10
ENOUGH = 4_000
"""After so many compared choices and one complete play, the rest of the ten plays are skipped. OpenSpiel cuts about a
quarter of the plays of nine men's morris.
"""

ELSEWHERE = 5
"""The number of points of one play compared in the reference and in native code, unless the run is long."""

NO_OTHER = dict.fromkeys(("boreal", "mangrovia", "bora_bora"), "no other engine has it")
"""Shipped games without a mapping, with the reason."""

PAIRS = [pair for game in MAPPED for pair in pairs_of(game)]


def test_every_game_is_compared() -> None:
    missing = set(shipped_games()) - set(MAPPED)
    assert missing == set(NO_OTHER), "write tests/conformance/NAME.py, or add the game to NO_OTHER with the reason"


@pytest.mark.drawn(1, by=game_of)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_both_engines_agree(pair: Pair, tier: Callable[[Game], Tier], rng: random.Random, is_long: bool) -> None:
    if tier is not PythonTier and not is_long:
        some_points_agree(pair, tier, rng)
        return
    tally, own = Tally(), pair.under(tier)
    for _ in range(PLAYS):
        if tally.choices < ENOUGH or not tally.ended:
            Lockstep(own, at_random(rng), rng, tally).run()
    assert tally.choices > 0
    assert tally.ended, "at least one play must be compared to its end"


def some_points_agree(pair: Pair, tier: Callable[[Game], Tier], rng: random.Random) -> None:
    """Compare the points from a random one on; the engine in Python plays up to there."""
    seed = rng.random()

    def begun() -> Lockstep:
        again = random.Random(seed)
        return Lockstep(pair, at_random(again), again, Tally())

    points = begun().run().tally.points
    begun().run(rng.randrange(points)).under(tier).run(ELSEWHERE)
