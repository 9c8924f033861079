"""Shipped small games compared with known numbers: states, histories, the value of random play."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from ludex.interpreter import Awaits, Engine, State
from ludex.spec import load

from ..once import engine_once, game_once
from ..tiers import options_of


@pytest.fixture(scope="module")
def tic_tac_toe() -> Engine:
    return Engine(load("tic_tac_toe"))


@pytest.fixture(scope="module")
def kuhn() -> Engine:
    return Engine(load("kuhn_poker"))


def reachable(engine: Engine) -> set[State]:
    seen: set[State] = set()
    waiting = [engine.start()]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += [engine.apply(state, event) for event in options_of(engine, state)]
    return seen


def test_tic_tac_toe_has_5478_states(tic_tac_toe: Engine) -> None:
    states = reachable(tic_tac_toe)
    assert len(states) == 5_478
    assert sum(map(tic_tac_toe.is_terminal, states)) == 958


def test_tic_tac_toe_has_255168_games(tic_tac_toe: Engine) -> None:
    @cache
    def lengths(state: State) -> Counter[int]:
        """Return the number of continuations, by the number of moves."""
        if tic_tac_toe.is_terminal(state):
            return Counter({0: 1})
        counts: Counter[int] = Counter()
        for event in options_of(tic_tac_toe, state):
            for length, count in lengths(tic_tac_toe.apply(state, event)).items():
                counts[length + 1] += count
        return counts

    games = lengths(tic_tac_toe.start())
    assert games.total() == 255_168
    # perft(n) counts plays of at least n moves by their first n moves
    ended = [games[n] for n in range(1, 10)]
    assert ended[4:] == [1_440, 5_328, 47_952, 72_576, 127_872]


def test_kuhn_poker_has_30_histories(kuhn: Engine) -> None:
    def nodes(state: State) -> Counter[str]:
        kind = str(kuhn.awaits(state))
        return sum((nodes(kuhn.apply(state, event)) for event in options_of(kuhn, state)), Counter({kind: 1}))

    # a deal of two cards of three: 1 + 3 chance nodes; 6 deals; each with 4 decisions and 5 ends
    assert nodes(kuhn.start()) == {Awaits.CHANCE: 4, Awaits.MOVE: 6 * 4, Awaits.NOTHING: 6 * 5}


def test_value_of_random_play_in_kuhn_poker(kuhn: Engine) -> None:
    def value(state: State) -> Fraction:
        """Return the expected points of the first player if both pick at random."""
        if kuhn.is_terminal(state):
            return Fraction(kuhn.returns(state)[0])
        chances = kuhn.chance(state)
        if chances:
            return sum((share * value(kuhn.apply(state, event)) for event, share in chances), Fraction())
        moves = kuhn.legal_moves(state)
        return sum((value(kuhn.apply(state, event)) for event in moves), Fraction()) / len(moves)

    # Showdowns cancel out over the deals. Of the plays that begin with a pass, a quarter continues with bet and pass:
    # -1. Of those that begin with a bet, half continue with a pass: +1.
    assert value(kuhn.start()) == Fraction(1, 2) * Fraction(-1, 4) + Fraction(1, 2) * Fraction(1, 2)


@pytest.mark.parametrize("name", ("tic_tac_toe", "kuhn_poker"))
def test_returns_add_up_in_kuhn_and_scores_have_parts(name: str) -> None:
    engine, ends = engine_once(game_once(name)), 0
    for state in reachable(engine):
        for scores, total in zip(engine.scores(state), engine.returns(state), strict=True):
            assert scores.total == total == sum(points for _, points in scores.breakdown)
        if engine.is_terminal(state):
            assert name != "kuhn_poker" or sum(engine.returns(state)) == 0
            ends += 1
    assert ends > 20
