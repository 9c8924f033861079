"""A few plays of every mapped game in lockstep; `python -m tests.conformance GAME --plays 1000` runs more."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from ludex.spec import Game, shipped_games

from ..tiers import EXTENTS, TierQueries, drawn_tier
from .lockstep import Lockstep, Tally, at_random
from .pair import Pair
from .pairs import MAPPED, pairs_of

pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'ludex[conformance]'")

PLAYS = 10
ENOUGH = 4_000
"""After so many compared choices and one complete play, the rest of the ten plays are skipped. OpenSpiel cuts about a
quarter of the plays of nine men's morris.
"""

NO_OTHER = dict.fromkeys(("boreal", "mangrovia", "bora_bora"), "no other engine has it")
"""Shipped games without a mapping, with the reason."""

PAIRS = [pair for game in MAPPED for pair in pairs_of(game)]


def test_every_game_is_compared() -> None:
    missing = set(shipped_games()) - set(MAPPED)
    assert missing == set(NO_OTHER), "write tests/conformance/NAME.py, or add the game to NO_OTHER with the reason"


@pytest.mark.drawn(8)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_both_engines_agree(
    pair: Pair, tiers: Mapping[str, Callable[[Game], TierQueries]], rng: random.Random, is_long: bool
) -> None:
    """The engine in Python plays all; another tier plays on from a point of its last play."""
    play = plays_agree(pair, rng)
    for name in drawn_tier(tiers, rng, is_long):
        other = pair.under(tiers[name])
        if (many := EXTENTS["conformance"].of(name, is_long)) is None:
            plays_agree(other, rng)
        else:
            play.once_more(other, rng.choice(play.trail)).run(many)


def plays_agree(pair: Pair, rng: random.Random) -> Lockstep:
    """Compare some plays, and return the last."""
    tally = Tally()
    play = Lockstep(pair, at_random(rng), rng, tally).run()
    for _ in range(1, PLAYS):
        if tally.choices < ENOUGH or not tally.ended:
            play = Lockstep(pair, at_random(rng), rng, tally).run()
    assert tally.choices > 0
    assert tally.ended, "at least one play must be compared to its end"
    return play
