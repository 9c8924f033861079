"""Many playouts at once, with their results as arrays, in any tier."""

from __future__ import annotations

from typing import Any

from ..generator import Generator, checked_word
from ..play.engine import Engine
from ..program import Playouts, State, playouts_of, zeros
from ..program.native import Native, NativeState
from ..state.api_arguments import checked
from .playouts import playout


@checked(engine=(Engine, Native))
def playouts(
    engine: Engine | Native,
    count: int,
    seed: int = 0,
    state: State | NativeState | None = None,
    threads: int | None = None,
) -> Playouts:
    """Play random games to the end, the same ones in every tier: game n is `playout(engine, Generator(seed, n))`.

    Args:
        count: how many games.
        state: where each of them begins; the game's start if not given. It does not change.
        threads: of native code; by default one for each core. The engine in Python plays on one.
    """
    if isinstance(engine, Native):
        if state is None:
            return engine.playouts(count, seed, threads)
        return engine.rollouts(state, count, seed, threads)  # type: ignore[arg-type] # it refuses any other state
    players, many = engine.game.players, checked_word(count, "count")
    points, winners, events = zeros(many * players), zeros(many), zeros(many)
    # The engine itself refuses a state that is not its own.
    start: Any = engine.start() if state is None else state
    engine.is_terminal(start)
    for number in range(many):
        engine.meter.begin_game()
        play = start.clone()
        for _ in playout(engine, Generator(seed, number + 1), state=play):
            engine.check_game(play)
            events[number] += 1
        for seat, total in enumerate(engine.returns(play)):
            points[number * players + seat] = total
        winners[number] = sum(1 << seat for seat in engine.winners(play).winners)
    return playouts_of(players, points, winners, events)
