"""Playing by itself: random plays. `docs/random-play.md` says which draw decides what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from .arguments import checked
from .engine import Engine
from .events import ChanceEvent, Event, Move, Trace
from .generator import Generator
from .program import State
from .tiers import Choices, S

Policy: TypeAlias = Callable[[State, Sequence[Move]], Move]
"""Picks one of the legal moves of a state."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One event of a playout, and among how many it was picked."""

    event: Event
    choices: int


@checked(engine=Engine, rng=Generator, state=State)
def playout(
    engine: Engine, rng: Generator, policy: Policy | None = None, state: State | None = None, trace: Trace | None = None
) -> Iterator[Turn]:
    """Play on to the end, event by event; the same generator state gives the same events.

    Chance comes out as its distribution says; moves are picked by the policy, or each is equally likely. state: where
    to begin, and what is played in; the game's start if not given.
    """
    if state is None:
        state = engine.start(trace)
    while not engine.is_terminal(state):
        turn = pick(engine, state, rng, policy)
        refusal = engine.advance(state, turn.event, trace)
        assert refusal is None, refusal
        yield turn


def pick(
    engine: Choices[S], state: S, rng: Generator, policy: Callable[[S, Sequence[Move]], Move] | None = None
) -> Turn:
    """The next event of a random play."""
    chances = engine.chance(state)
    if chances:
        return Turn(drawn(chances, rng), len(chances))
    moves = engine.legal_moves(state)
    return Turn(policy(state, moves) if policy else rng.choice(moves), len(moves))


def drawn(chances: Sequence[tuple[ChanceEvent, Fraction]], rng: Generator) -> ChanceEvent:
    """One outcome by its weight, exactly: whole numbers only, so that no rounding differs from machine to machine."""
    scale = lcm(*(share.denominator for _, share in chances))
    weights = [share.numerator * (scale // share.denominator) for _, share in chances]
    assert sum(weights) == scale, "the probabilities do not add up to 1"
    return chances[rng.weighted(weights)][0]
