"""Many playouts at once, with their results as arrays, in any tier."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import Any, cast

from ..generator import Generator, checked_word
from ..play.tiers import S, Tier
from ..program import Compiled, Playouts, checked_threads, playouts_of, zeros
from ..program.native import Native
from ..state.api_arguments import checked
from .playouts import playout


@checked(engine=Tier)
def playouts(
    engine: Tier[S], count: int, seed: int = 0, state: S | None = None, threads: int | None = None
) -> Playouts:
    """Play random games to the end, the same ones in every tier: game n is `playout(engine, Generator(seed, n))`.

    Args:
        count: how many games.
        state: where each of them begins; the game's start if not given. It does not change.
        threads: how many threads of native code, from 1; by default one for each core. The other tiers play on one.
    """
    tier, begin = cast("tuple[Any, Any]", (engine, state))  # for mypy no class is both `Native` and a `Tier[S]`
    if isinstance(tier, Native):
        return tier.playouts(count, seed, threads) if begin is None else tier.rollouts(begin, count, seed, threads)
    checked_threads(threads)
    players, many = engine.game.players, checked_word(count, "count")
    points, winners, events = zeros(many * players), zeros(many), zeros(many)
    start = engine.start() if state is None else state
    # `playout` refuses a state that is not the engine's own. In `Engine`, the method would look at each state again.
    check_game: Any = partial(Compiled.check_game, tier) if isinstance(tier, Compiled) else engine.check_game
    for number in range(many):
        engine.begin_game()
        play = playout(engine, Generator(seed, number + 1), state=copy(start))
        played = 0
        for _ in play:
            check_game(play.state)
            played += 1
        events[number] = played
        for seat, total in enumerate(engine.returns(play.state)):
            points[number * players + seat] = total
        winners[number] = sum(1 << seat for seat in engine.winners(play.state).winners)
    return playouts_of(players, points, winners, events)
