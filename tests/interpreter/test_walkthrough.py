"""The walk through an event, requirement by requirement, agrees with the verdict on it."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from ludex.grammar import Span
from ludex.interpreter import Generator, Move, Validator, playout, read_log, walkthrough
from ludex.interpreter.explanation.walkthrough import Examined
from ludex.interpreter.logs.judge.explained_event import ExplainedEvent, explain_event
from ludex.interpreter.logs.judge.possible_examination import MOST_GAMES, _merged
from ludex.spec import load, shipped_games

from ..once import engine_once, game_once
from .record_samples import BAD_LOGS

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


REFUSED = ("backgammon/go-then_the_other", "boreal/after-the-end", "boreal/move-awaited", "boreal/other-chance")


@pytest.mark.parametrize("sample", REFUSED)
def test_an_event_that_is_refused_has_a_reason(sample: str) -> None:
    """A requirement after the move fails; the game is over; a move is awaited; another chance event is awaited."""
    log, validator = read_log(BAD_LOGS / f"{sample}.jsonl"), Validator(load)
    number = validator.validate(log).replayed + 1
    explained = explain_event(validator, log, number)
    assert isinstance(explained, ExplainedEvent)
    assert not explained.is_legal
    assert [each for each in explained.examined if each.holds is False and each.facts]


def test_a_requirement_that_fails_has_the_values_of_its_exceptions() -> None:
    log, validator = read_log(BAD_LOGS / "bora_bora/activate-once.jsonl"), Validator(load)
    explained = explain_event(validator, log, validator.validate(log).replayed + 1)
    assert isinstance(explained, ExplainedEvent)
    (failing,) = [each for each in explained.examined if each.holds is False]
    assert list(map(str, failing.facts)) == ["used(sex) = {man_tile}", "extra = 0"]


def test_values_are_those_of_the_possible_games_in_which_they_were_asked_for() -> None:
    place = Span("x.ludex", 1, 1, 1, 2)
    games = [(Examined("a.b", True, ("row = 1",) if at < MOST_GAMES else (), place),) for at in range(MOST_GAMES + 2)]
    (examined,) = _merged([(), (), *games[2:]])
    assert examined.facts == ("row = 1",)
