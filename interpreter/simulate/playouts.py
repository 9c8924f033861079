"""Playouts: random plays. `docs/random-play.md` defines which draw decides what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any, Generic, TypeAlias

from ludex.grammar import shown_value

from ..generator import Generator, drawn
from ..play.tiers import Choices, S, Tier
from ..program import Compiled, Drawn, Fault, State, Turn
from ..state.api_arguments import FUNCTION, checked
from ..state.events import Move, Trace

Policy: TypeAlias = Callable[[State, Sequence[Move]], Move]
"""Picks one of the legal moves of a state."""
_REPEATED = 256
"""The most events that are played again after a fault of the rules. A copy of the state is kept so often."""


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
        engine.is_terminal(self.state)  # refuses a state of another engine, so that no later call has to
        self._engine, self._rng, self._policy, self._trace = engine, rng, policy, trace
        compiled, where = _compiled(engine, self.state)
        if compiled is None or policy is not None or trace is not None:
            self._turns = self._any_turns()
        else:
            self._turns = _compiled_turns(compiled, where, rng)

    def __iter__(self) -> Iterator[Turn]:
        return self._turns

    def __next__(self) -> Turn:
        return next(self._turns)

    def _any_turns(self) -> Iterator[Turn]:
        """Play to the end in any tier, by a policy or a tracer if one is given, and yield each event."""
        while not self._engine.is_terminal(self.state):
            picked = pick(self._engine, self.state, self._rng, self._policy)
            self.state = follow(self._engine, self.state, picked, self._trace)
            yield Turn(picked.event, picked.choices)


def _compiled_turns(engine: Compiled, state: State, rng: Generator) -> Iterator[Turn]:
    """Play in place to the end, and yield each event.

    After a fault, the events since the last copy of the state are drawn and played again, to explain it. The draws are
    the same if nobody else has drawn from the generator.
    """
    # The class is named: in `Engine`, the method would check and copy the state for every event.
    play_drawn = Compiled.play_drawn
    while True:
        before, draws = state.clone(), copy(rng)
        for played in range(_REPEATED):
            if state.wait == 0:
                return
            try:
                turn = play_drawn(engine, state, rng)
            except Fault:
                for _ in range(played + 1):
                    follow(engine, before, pick(engine, before, draws))  # fails in `Engine` in the author's words
                raise
            if turn is None:
                picked = pick(engine, state, rng)
                follow(engine, state, picked)
                turn = Turn(picked.event, picked.choices)
            yield turn


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
) -> Drawn:
    """Return the next event of a random play, drawn and not yet played.

    An outcome of chance is drawn by its probability. A move is drawn evenly, or chosen by `policy` from the legal ones;
    a policy that returns another move raises ValueError.
    """
    compiled, where = _compiled(engine, state)
    if policy is None and compiled is not None:
        try:
            picked = compiled.drawn(where, rng)
        except Fault:  # raised before anything is drawn; listing all events raises it in the author's words
            picked = None
        if picked is not None:
            return picked
    chances = engine.chance(state)
    if chances:
        return Drawn(drawn(chances, rng), len(chances))
    moves = engine.legal_moves(state)
    if policy is None:
        return Drawn(rng.choice(moves), len(moves))
    move = policy(state, moves)
    if move not in moves:
        raise ValueError(f"`policy` must return one of the legal moves that it gets, not {shown_value(move)}")
    return Drawn(move, len(moves))


def follow(engine: Tier[S], state: S, picked: Drawn, trace: Trace | None = None) -> S:
    """Play the event that was picked in this state, and return the state after it.

    The engine in Python plays in place: it is the given state.
    """
    compiled, where = _compiled(engine, state)
    if compiled is None:
        return engine.apply(state, picked.event, trace)
    compiled.follow(where, picked, trace)
    return state


def _compiled(engine: object, state: Any) -> tuple[Compiled | None, State]:
    """Return the engine, or None if it is not the compiled one, and its state."""
    return (engine if isinstance(engine, Compiled) else None), state
