"""Playing by itself: random plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeAlias

from .arguments import checked
from .engine import Engine
from .events import ChanceEvent, Event, Move, Trace
from .state import State

Policy: TypeAlias = Callable[[State, Sequence[Move]], Move]
"""Picks one of the legal moves of a state."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One event of a playout, and among how many it was picked."""

    event: Event
    choices: int


@checked(engine=Engine, rng=Random, state=State)
def playout(
    engine: Engine, rng: Random, policy: Policy | None = None, state: State | None = None, trace: Trace | None = None
) -> Iterator[Turn]:
    """Play on to the end, event by event; the same generator state gives the same events.

    Chance comes out as its distribution says; moves are picked by the policy, or all alike. state: where to begin, and
    what is played in; the game's start if not given.
    """
    if state is None:
        state = engine.start(trace)
    while not engine.is_terminal(state):
        turn = pick(engine, state, rng, policy)
        refusal = engine.advance(state, turn.event, trace)
        assert refusal is None, refusal
        yield turn


def pick(engine: Engine, state: State, rng: Random, policy: Policy | None = None) -> Turn:
    """The next event of a random play."""
    chances = engine.chance(state)
    if chances:
        return Turn(_draw(chances, rng), len(chances))
    moves = engine.legal_moves(state)
    return Turn(policy(state, moves) if policy else moves[rng.randrange(len(moves))], len(moves))


def _draw(chances: Sequence[tuple[ChanceEvent, Fraction]], rng: Random) -> ChanceEvent:
    """One outcome by its weight, exactly: whole numbers only, so that no rounding differs from machine to machine."""
    scale = max(share.denominator for _, share in chances)
    while any(scale % share.denominator for _, share in chances):
        scale *= max(share.denominator for _, share in chances if scale % share.denominator)
    at = rng.randrange(scale)
    for event, share in chances:
        at -= share.numerator * (scale // share.denominator)
        if at < 0:
            return event
    raise AssertionError("the probabilities do not add up to 1")
