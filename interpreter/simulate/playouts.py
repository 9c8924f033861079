"""Playouts: random plays. `docs/random-play.md` defines which draw decides what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludex.grammar import shown_value

from ..generator import Generator, drawn
from ..play.tiers import Choices, S, Tier
from ..program import Compiled, Drawn, Fault, State
from ..state.api_arguments import FUNCTION, checked
from ..state.events import Event, Move, Trace

Policy: TypeAlias = Callable[[State, Sequence[Move]], Move]
"""Picks one of the legal moves of a state."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One event of a playout, and the number of events it was picked from. drawn: its form in the compiled engine."""

    event: Event
    choices: int
    drawn: Drawn | None = field(default=None, compare=False, repr=False)


@checked(engine=Tier, rng=Generator, policy=FUNCTION, trace=Trace)
def playout(
    engine: Tier[S],
    rng: Generator,
    policy: Callable[[S, Sequence[Move]], Move] | None = None,
    state: S | None = None,
    trace: Trace | None = None,
) -> Iterator[Turn]:
    """Play to the end, event by event; the same generator state gives the same events.

    Chance events follow their distribution; moves are picked by the policy, or uniformly without one.

    Args:
        state: where to begin; it is played in place. The game's start if not given.

    Raises ValueError if the policy does not return one of the legal moves that it gets.
    """
    if state is None:
        state = engine.start(trace)
    while not engine.is_terminal(state):
        turn = pick(engine, state, rng, policy)
        follow(engine, state, turn, trace)
        yield turn


def pick(
    engine: Choices[S], state: S, rng: Generator, policy: Callable[[S, Sequence[Move]], Move] | None = None
) -> Turn:
    """Pick the next event of a random play."""
    player, where = _compiled(engine, state)
    if policy is None and player is not None:
        try:
            picked = player.drawn(where, rng)
        except Fault:  # raised before anything is drawn; listing all events raises it in the author's words
            picked = None
        if picked is not None:
            return Turn(picked.event, picked.choices, picked)
    chances = engine.chance(state)
    if chances:
        return Turn(drawn(chances, rng), len(chances))
    moves = engine.legal_moves(state)
    if policy is None:
        return Turn(rng.choice(moves), len(moves))
    move = policy(state, moves)
    if move not in moves:
        raise ValueError(f"`policy` must return one of the legal moves that it gets, not {shown_value(move)}")
    return Turn(move, len(moves))


def follow(engine: Tier[S], state: S, turn: Turn, trace: Trace | None = None) -> None:
    """Play the event that was picked in this state, in place."""
    player, where = _compiled(engine, state)
    if turn.drawn is not None and player is not None:
        player.follow(where, turn.drawn, trace)
        return
    refusal = engine.advance(state, turn.event, trace)
    assert refusal is None, refusal


def _compiled(engine: object, state: Any) -> tuple[Compiled | None, State]:
    """Return the engine, or None if it is not the compiled one, and its state."""
    return (engine if isinstance(engine, Compiled) else None), state
