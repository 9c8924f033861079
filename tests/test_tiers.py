"""Invariants of play and the shipped examples, in every tier; and the table of the tests that run in every tier."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Awaits, Event, Reference, Refusal, Refused, Trace, run_example
from ludex.interpreter.stack import state as naive
from ludex.spec import Game, shipped_games

from .games.candidates import candidates, exact
from .games.plays import SAMPLES, TABLES, Table, game_of, seeded
from .lockstep import came
from .once import game_once
from .tiers import EXTENTS, Tier, options_of

LONGEST, SOME = 40, 12
"""The number of events in a play, and of those judged in a state, most of them illegal."""
GUIDE = Path(__file__).parents[1] / "docs" / "contributing.md"


# ---- laws


@pytest.mark.drawn(1, by=game_of)
@pytest.mark.parametrize("table", (*TABLES, *SAMPLES), ids=str)
def test_each_tier_keeps_the_laws(
    table: Table, tiers: Mapping[str, Callable[[Game], Tier]], play_seed: int, rng: Random, is_long: bool
) -> None:
    """The engine in Python plays, and each tier is asked in some states of that play."""
    play = seeded(table, play_seed, LONGEST)
    listed = [*(position.options for position in play.positions), options_of(play.engine, play.final)]
    for name, made in tiers.items():
        engine = made(play.engine.game)
        for at in rng.sample(range(len(listed)), min(EXTENTS["laws"].of(name, is_long) or LONGEST, len(listed))):
            there = play.engine.to_reference(play.states[at])
            state = engine.taken(there)
            all_queries_agree_on_what_is_awaited(engine, state, listed[at])
            points_add_up(engine, state)
            exactly_the_listed_events_are_legal(engine, state, listed[at], rng)
            assert engine.standing(state) == there, "a state must survive conversion, and no query may change it"


def all_queries_agree_on_what_is_awaited(engine: Tier, state: Any, listed: tuple[Event, ...]) -> None:
    """Every state awaits a chance event, or moves of certain players, or is the end; all queries agree on which.

    listed: what the engine in Python lists.
    """
    chances, moves, movers = engine.chance(state), engine.legal_moves(state), engine.to_move(state)
    assert listed == (tuple(event for event, _ in chances) or moves)
    awaited = engine.awaits(state)
    assert bool(chances) == (awaited is Awaits.CHANCE)
    assert bool(moves) == bool(movers) == (awaited is Awaits.MOVE)
    assert engine.is_terminal(state) == (awaited is Awaits.NOTHING)
    assert {move.player for move in moves} == set(movers)
    assert not chances or sum(share for _, share in chances) == 1
    assert len(set(map(exact, moves))) == len(moves)


def points_add_up(engine: Tier, state: Any) -> None:
    """Points are the sums of their parts, or the rules give none yet."""
    scores = came(engine.scores, state)
    assert came(engine.returns, state) == (scores and tuple(each.total for each in scores))
    assert all(sum(points for _, points in each.breakdown) == each.total for each in scores or ())


def a_converted_state_plays_on_alike(engine: Tier, state: Any) -> None:
    """Converted to the reference's form and back, a state plays on alike."""
    again = engine.taken(engine.standing(state))
    assert engine.standing(again) == engine.standing(state)
    assert options_of(engine, again) == options_of(engine, state)


def exactly_the_listed_events_are_legal(engine: Tier, state: Any, listed: tuple[Event, ...], rng: Random) -> None:
    every, legal = list(candidates(engine.game, listed, rng)), set(map(exact, listed))
    for event in rng.sample(every, min(SOME, len(every))):
        assert engine.is_legal(state, event) == (exact(event) in legal), event


# ---- examples


class Beside(Reference):
    """The reference, which runs the examples; the other tiers have to give the same answers in the same states."""

    def __init__(self, tiers: Sequence[Tier]) -> None:
        super().__init__(tiers[0].game)
        self._tiers = tiers

    def refusal(self, state: naive.StackState, event: Event) -> Refusal | None:
        refused = super().refusal(state, event)
        for tier in self._tiers:
            assert tier.is_legal(tier.taken(state), event) == (refused is None), event
        return refused

    def apply(self, state: naive.StackState, event: Event, trace: Trace | None = None) -> naive.StackState:
        try:
            after = super().apply(state, event, trace)
        except Refused:
            assert not any(tier.is_legal(tier.taken(state), event) for tier in self._tiers), event
            raise
        for tier in self._tiers:
            assert tier.standing(tier.apply(tier.taken(state), event)) == after, event
        return after


@pytest.mark.parametrize("name", shipped_games())
def test_each_tier_passes_the_examples(name: str, tiers: Mapping[str, Callable[[Game], Tier]]) -> None:
    game = game_once(name)
    engine = Beside([made(game) for tier, made in tiers.items() if tier != "reference"])
    for example in game.examples:
        assert run_example(engine, example).findings == ()


# ---- the table of what runs where


def test_the_table_of_the_tiers_says_what_runs() -> None:
    def shown(number: int | None) -> str:
        return "all" if number is None else str(number)

    rows = [
        f"| {kind} | {each.cases} | {each.counted} | "
        f"{shown(each.reference)} | {shown(each.python)} | {shown(each.native)} |"
        for kind, each in EXTENTS.items()
    ]
    assert "\n".join(rows) in GUIDE.read_text("utf-8")


def test_every_row_of_the_table_is_a_test_in_every_tier() -> None:
    folder = Path(__file__).parent
    found = {
        f"{path.relative_to(folder).as_posix()}::{name}"
        for path in folder.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\([^)]*\btiers:", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {each.test for each in EXTENTS.values()} <= found
