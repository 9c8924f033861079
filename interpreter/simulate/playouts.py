"""Playouts: random plays. `docs/random-play.md` defines which draw decides what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias

from ludex.grammar import shown_value

from ..generator import Generator, drawn
from ..play.tiers import Choices, S, Tier
from ..program import Compiled, Drawn, Fault, State
from ..state.api_arguments import FUNCTION, checked
from ..state.events import Event, Move, Trace

Policy: TypeAlias = Callable[[State, Sequence[Move]], Move]
"""Picks one of the legal moves of a state."""
_REPEATED = 256
"""The most events that are played again after a fault of the rules. A copy of the state is kept so often."""


class Turn(NamedTuple):
    """One event of a playout, and the number of events it was picked from."""

    event: Event
    choices: int


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
        self._compiled = _compiled(engine, self.state)[0] if policy is None and trace is None else None
        # A copy of an earlier state, and the events since then.
        self._before: State | None = None
        self._since: list[Event] = []

    def __next__(self) -> Turn:
        picked = None if self._compiled is None else self._play(self._compiled, self.state)
        if picked is None:
            if self._engine.is_terminal(self.state):
                raise StopIteration
            picked = pick(self._engine, self.state, self._rng, self._policy)
            self.state = follow(self._engine, self.state, picked, self._trace)
            self._before = None
        return Turn(picked.event, picked.choices)

    def _play(self, engine: Compiled, state: Any) -> Drawn | None:
        """Draw and play an event in place; return None where `pick` must draw it, or is to explain a fault."""
        if state.wait == 0:
            return None
        if self._before is None or len(self._since) >= _REPEATED:
            self._before, self._since = state.clone(), []
        try:
            # The class is named: in `Engine`, the methods would check and copy the state for every event.
            picked = Compiled.drawn(engine, state, self._rng)
        except Fault:  # raised before anything is drawn
            return None
        if picked is None:
            return None
        try:
            Compiled.follow(engine, state, picked)
        except Fault:
            for event in self._since:
                Compiled.play(engine, self._before, event)
            engine.follow(self._before, picked)  # fails again, in `Engine` in the author's words
            raise
        self._since.append(picked.event)
        return picked


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
