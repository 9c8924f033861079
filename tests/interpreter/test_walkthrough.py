"""The walk through an event, requirement by requirement, agrees with the verdict on it."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from ludex.grammar import Span
from ludex.interpreter import Generator, Move, playout, walkthrough
from ludex.interpreter.explanation.walkthrough import Examined
from ludex.interpreter.logs.judge.possible_walk import MOST_GAMES, _merged
from ludex.spec import shipped_games

from ..once import engine_once, game_once

EVENTS = 3


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_all_requirements_hold_in_a_legal_event(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    state = engine.start()
    for turn in islice(playout(engine, Generator(rng.randrange(10**6))), EVENTS):
        for each in walkthrough(engine.reference, engine.to_reference(state), turn.event):
            assert each.holds is not False, f"{turn.event}: {each}"
        state = engine.apply(state, turn.event)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", ("othello", "breakthrough", "boreal", "crazy_eights"))
def test_some_requirement_fails_in_an_illegal_move(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    state, moves = engine.start(), set[Move]()
    judged = 0
    for turn in islice(playout(engine, Generator(rng.randrange(10**6))), 24):
        for move in sorted(moves, key=str)[:2]:
            if engine.refusal(state, move) is not None:
                steps = walkthrough(engine.reference, engine.to_reference(state), move)
                assert any(each.holds is not True for each in steps), f"{move}: {steps}"
                judged += 1
        if isinstance(turn.event, Move):
            moves.add(turn.event)
        state = engine.apply(state, turn.event)
    assert judged


def test_values_are_those_of_the_possible_games_in_which_they_were_asked_for() -> None:
    place = Span("x.ludex", 1, 1, 1, 2)
    games = [(Examined("a.b", True, ("row = 1",) if at < MOST_GAMES else (), place),) for at in range(MOST_GAMES + 2)]
    (examined,) = _merged([(), (), *games[2:]])
    assert examined.facts == ("row = 1",)
