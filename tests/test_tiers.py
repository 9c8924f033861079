"""Invariants of play and the shipped examples, in every tier; and the list of what a tier does not support."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Awaits, Event, Reference, Refusal, Refused, Trace, run_example
from ludex.interpreter import reference as naive
from ludex.spec import Game, shipped_games

from .games.candidates import candidates, exact
from .games.plays import SAMPLES, TABLES, Table, engine_of, game_of
from .once import game_once
from .tiers import NOT_CARRIED, Missing, NativeTier, Tier, options_of

FEW, SOME = 12, 40
"""The number of states looked at in a play, and of events in each, most of them illegal."""


@pytest.mark.drawn(4, by=lambda table: table in SAMPLES)
@pytest.mark.parametrize("table", {game_of(table): table for table in (*TABLES, *SAMPLES)}.values(), ids=str)
def test_native_code_supports_all_but_the_listed_games(table: Table) -> None:
    pytest.importorskip("llvmlite")
    name, reason = Path(table.game).stem, None
    try:
        NativeTier(engine_of(table).game)
    except Missing as missing:
        reason = str(missing)
    assert reason == NOT_CARRIED.get(name)


# ---- laws


@pytest.mark.drawn(12)
@pytest.mark.parametrize("table", (*TABLES, *SAMPLES), ids=str)
def test_each_tier_keeps_the_invariants(table: Table, tier: Callable[[Game], Tier], rng: Random, is_long: bool) -> None:
    engine = tier(engine_of(table).game)
    state = engine.start()
    for _ in range(1_000 if is_long else FEW):
        all_queries_agree_on_what_is_awaited(engine, state)
        a_converted_state_plays_on_alike(engine, state)
        options = options_of(engine, state)
        if not options:
            break
        exactly_the_listed_events_are_legal(engine, state, options, rng)
        state = engine.apply(state, rng.choice(options))


def all_queries_agree_on_what_is_awaited(engine: Tier, state: Any) -> None:
    """Every state awaits a chance event, or moves of certain players, or is the end; all queries agree on which."""
    chances, moves, movers = engine.chance(state), engine.legal_moves(state), engine.to_move(state)
    awaited = engine.awaits(state)
    assert bool(chances) == (awaited is Awaits.CHANCE)
    assert bool(moves) == bool(movers) == (awaited is Awaits.MOVE)
    assert engine.is_terminal(state) == (awaited is Awaits.NOTHING)
    assert {move.player for move in moves} == set(movers)
    assert not chances or sum(share for _, share in chances) == 1
    assert len(set(map(exact, moves))) == len(moves)


def a_converted_state_plays_on_alike(engine: Tier, state: Any) -> None:
    """Converted to the reference's form and back, a state plays on alike."""
    again = engine.taken(engine.standing(state))
    assert engine.standing(again) == engine.standing(state)
    assert options_of(engine, again) == options_of(engine, state)


def exactly_the_listed_events_are_legal(engine: Tier, state: Any, options: tuple[Event, ...], rng: Random) -> None:
    """No other event is legal, and judging an event does not change the state."""
    before, every = engine.standing(state), list(candidates(engine.game, options, rng))
    for event in rng.sample(every, min(SOME, len(every))):
        assert engine.is_legal(state, event) == (exact(event) in set(map(exact, options))), event
    assert engine.standing(state) == before


# ---- examples


class Beside(Reference):
    """The reference, which runs the examples; a second tier has to give the same answers in the same states."""

    def __init__(self, tier: Tier) -> None:
        super().__init__(tier.game)
        self._tier = tier

    def refusal(self, state: naive.State, event: Event) -> Refusal | None:
        refused = super().refusal(state, event)
        assert self._tier.is_legal(self._tier.taken(state), event) == (refused is None), event
        return refused

    def apply(self, state: naive.State, event: Event, trace: Trace | None = None) -> naive.State:
        try:
            after = super().apply(state, event, trace)
        except Refused:
            assert not self._tier.is_legal(self._tier.taken(state), event), event
            raise
        assert self._tier.standing(self._tier.apply(self._tier.taken(state), event)) == after, event
        return after


@pytest.mark.parametrize("name", shipped_games())
def test_each_tier_passes_the_examples(name: str, tier: Callable[[Game], Tier]) -> None:
    engine = tier(game_once(name))
    for example in engine.game.examples:
        assert run_example(Beside(engine), example).findings == ()
