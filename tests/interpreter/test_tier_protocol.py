"""Every tier satisfies one protocol, and plays the same random games by it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from importlib.util import find_spec
from inspect import Parameter, signature
from itertools import islice
from typing import Any

import pytest

from ludex.interpreter import (
    ChanceEvent,
    Engine,
    Generator,
    Native,
    Playouts,
    Reference,
    State,
    Trace,
    playout,
    playouts,
)
from ludex.interpreter.play.tiers import Tier
from ludex.interpreter.program.native.library import NativeState
from ludex.interpreter.simulate.rows import random_game
from ludex.interpreter.stack.state import StackState
from ludex.spec import Budget, Game, OverBudget

from ..once import engine_once, game_once
from .build import game_from


def reference(game: Game) -> Tier[StackState]:
    return Reference(game)


def python(game: Game) -> Tier[State]:
    return engine_once(game)


def native(game: Game) -> Tier[NativeState]:
    if find_spec("llvmlite") is None:
        pytest.skip("llvmlite is not installed")
    return Native(game, optimise=False)


# The types above are the test that mypy makes: each class satisfies the protocol.
ALL: tuple[Callable[[Game], Tier[Any]], ...] = (reference, python, native)
EACH = pytest.mark.parametrize("made", ALL, ids=lambda made: made.__name__)
GAMES = ("pig", "kuhn_poker", "goofspiel")
"""Dice, hidden cards, simultaneous choices."""
METHODS = [name for name, each in vars(Tier).items() if callable(each) and not name.startswith("_")]
METHODS += ["chance", "legal_moves"]


@pytest.mark.parametrize("kind", (Reference, Engine, Native))
def test_a_tier_names_its_parameters_as_the_protocol_does(kind: type) -> None:
    """mypy allows other names for parameters that the protocol takes by place only, and more of them."""
    assert len(METHODS) >= 11
    for name in METHODS:
        if name not in vars(kind) and name in kind.__annotations__:
            continue  # a native function, which has no names
        asked = list(signature(getattr(Tier, name)).parameters.values())
        has = list(signature(getattr(kind, name)).parameters.values())
        assert [each.name for each in has[: len(asked)]] == [each.name for each in asked], name
        assert all(each.default is not Parameter.empty for each in has[len(asked) :]), name


def words(results: Playouts) -> tuple[bytes, bytes, bytes]:
    return bytes(results.points), bytes(results.winners), bytes(results.events)


@pytest.mark.parametrize("name", GAMES)
def test_every_tier_plays_the_same_games(name: str) -> None:
    game = game_once(name)
    each = [made(game) for made in ALL]
    turns = [list(playout(engine, Generator(5, 2))) for engine in each]
    assert turns[0] == turns[1] == turns[2]
    rows = [random_game(engine, 5, 2, with_events=True) for engine in each]
    assert rows[0] == rows[1] == rows[2]
    results = [words(playouts(engine, 5, seed=5)) for engine in each]
    assert results[0] == results[1] == results[2]


@EACH
def test_a_play_has_the_state_that_it_has_reached(made: Callable[[Game], Tier[Any]]) -> None:
    engine = made(game_once("kuhn_poker"))
    play = playout(engine, Generator(1))
    assert len(list(islice(play, 2))) == 2
    assert not engine.is_terminal(play.state)
    begun = copy(play.state)
    played = playouts(engine, 3, seed=1, state=play.state)
    assert play.state == begun, "many plays begin in a state, and leave it as it is"
    assert list(played.events) == [len(list(playout(engine, Generator(1, n), state=copy(begun)))) for n in (1, 2, 3)]
    assert list(play)
    assert engine.is_terminal(play.state)
    assert sum(engine.returns(play.state)) == 0


@EACH
def test_a_policy_picks_in_every_tier(made: Callable[[Game], Tier[Any]]) -> None:
    engine = made(game_once("tic_tac_toe"))
    play = playout(engine, Generator(0), lambda _, moves: moves[-1])
    first = next(play)
    assert first.event == engine.legal_moves(engine.start())[-1]
    with pytest.raises(ValueError, match="`policy` must return one of the legal moves"):
        next(playout(engine, Generator(0), lambda _, moves: first.event, play.state))  # type: ignore[arg-type, return-value]


@EACH
def test_a_trace_counts_in_every_tier(made: Callable[[Game], Tier[Any]]) -> None:
    engine, trace = made(game_once("kuhn_poker")), Trace()
    assert list(playout(engine, Generator(4), trace=trace))
    assert trace.entered.total() == 3


@EACH
@pytest.mark.parametrize(("threads", "error"), ((0, ValueError), (-1, ValueError), (True, TypeError), (1.5, TypeError)))
def test_threads_are_counted_from_one_in_every_tier(
    made: Callable[[Game], Tier[Any]], threads: Any, error: type[Exception]
) -> None:
    engine = made(game_once("pig"))
    for count in (0, 1):
        with pytest.raises(error, match="`threads` must be"):
            playouts(engine, count, threads=threads)
    assert words(playouts(engine, 2, threads=1)) == words(playouts(engine, 2)) == words(playouts(engine, 2, threads=3))


ENDLESS = """
state on: 0..1

play
  round: repeat
    turns: each player in seats
      choose wait
  until on = 1

action wait
  stay: on := 0

score none: 0

winner
  draw: share
"""


@EACH
def test_a_game_without_end_takes_more_than_its_budget(made: Callable[[Game], Tier[Any]]) -> None:
    engine = made(replace(game_from(ENDLESS), budget=Budget(game=2_000)))
    with pytest.raises(OverBudget):
        random_game(engine, 0, 1)
    with pytest.raises(OverBudget):
        playouts(engine, 1)


@EACH
def test_an_illegal_event_is_refused_in_every_tier(made: Callable[[Game], Tier[Any]]) -> None:
    engine = made(game_once("pig"))
    state = engine.start()
    event = ChanceEvent("no.such", 1)
    before = copy(state)
    with pytest.raises(Exception, match=r"no\.such"):
        engine.apply(state, event)
    assert state == before
