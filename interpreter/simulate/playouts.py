"""Playouts: random plays. `docs/random-play.md` defines which draw decides what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

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


class Playout(Iterator[Turn], Generic[S]):
    """A random play under way: yields its events, each as soon as it is played.

    Attributes:
        state: the state that the play has reached.
    """

    @checked(engine=Tier, rng=Generator, policy=FUNCTION, trace=Trace)
    def __init__(
        self,
        engine: Tier[S],
        rng: Generator,
        policy: Callable[[S, Sequence[Move]], Move] | None = None,
        state: S | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.state = engine.start(trace) if state is None else state
        self._engine, self._rng, self._policy, self._trace = engine, rng, policy, trace

    def __next__(self) -> Turn:
        if self._engine.is_terminal(self.state):
            raise StopIteration
        turn = pick(self._engine, self.state, self._rng, self._policy)
        self.state = follow(self._engine, self.state, turn, self._trace)
        return turn


def playout(
    engine: Tier[S],
    rng: Generator,
    policy: Callable[[S, Sequence[Move]], Move] | None = None,
    state: S | None = None,
    trace: Trace | None = None,
) -> Playout[S]:
    """Play to the end, event by event; the same generator state gives the same events in every tier.

    Chance events follow their distribution; moves are picked by the policy, or uniformly without one.

    Args:
        state: where to begin; the game's start if not given. The engine in Python plays it in place; other tiers leave
            it as it is. `Playout.state` is the state reached, in every tier.

    Raises ValueError if the policy does not return one of the legal moves that it gets.
    """
    return Playout(engine, rng, policy, state, trace)


def pick(
    engine: Choices[S], state: S, rng: Generator, policy: Callable[[S, Sequence[Move]], Move] | None = None
) -> Turn:
    """Return the next event of a random play, drawn and not yet played.

    An outcome of chance is drawn by its probability. A move is drawn evenly, or chosen by `policy` from the legal ones;
    a policy that returns another move raises ValueError.
    """
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


def follow(engine: Tier[S], state: S, turn: Turn, trace: Trace | None = None) -> S:
    """Play the event that was picked in this state, and return the state after it.

    The engine in Python plays in place: it is the given state.
    """
    player, where = _compiled(engine, state)
    if player is None:
        return engine.apply(state, turn.event, trace)
    if turn.drawn is not None:
        player.follow(where, turn.drawn, trace)
    else:
        refusal = player.advance(where, turn.event, trace)
        assert refusal is None, refusal
    return state


def _compiled(engine: object, state: Any) -> tuple[Compiled | None, State]:
    """Return the engine, or None if it is not the compiled one, and its state."""
    return (engine if isinstance(engine, Compiled) else None), state
