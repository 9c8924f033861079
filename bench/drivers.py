"""Random play, as the tables measure it: in each tier, and by OpenSpiel's engines of the same games.

Every engine picks uniformly: among the numbers of the legal moves, or among the outcomes of a chance event whatever
their weights. Only the plays of the reference follow the weights. An event is a move or an outcome; in a simultaneous
decision each choice counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ludex.interpreter import Generator, Reference, playout
from ludex.interpreter.program import Compiled

if TYPE_CHECKING:
    from ludex.interpreter.program.native import Native

PEERS = {
    "backgammon": "backgammon", "breakthrough": "breakthrough", "connect_four": "connect_four",
    "crazy_eights": "crazy_eights", "english_draughts": "checkers", "goofspiel": "goofspiel",
    "kuhn_poker": "kuhn_poker", "leduc_poker": "leduc_poker", "liars_dice": "liars_dice", "nim": "nim",
    "nine_mens_morris": "nine_mens_morris", "othello": "othello", "oware": "oware", "pig": "pig",
    "tic_tac_toe": "tic_tac_toe",
}  # fmt: skip
"""OpenSpiel's names of the games that it has, too."""
RANDOM = random.Random(0)


def by_reference(engine: Reference) -> Callable[[], int]:
    """Return a function that plays the next event of endless random plays: a whole play takes up to a minute."""

    def events() -> Iterator[int]:
        while True:
            for _ in playout(engine, Generator(RANDOM.getrandbits(64))):
                yield 1

    return partial(next, events())


def by_compiled(engine: Compiled) -> Callable[[], int]:
    """Return a function that plays one game, by move numbers where they exist."""
    if engine.numbers.complete:
        return lambda: _by_numbers(engine)
    return lambda: _by_moves(engine)


def _by_numbers(engine: Compiled) -> int:
    pick, state, events = RANDOM.randrange, engine.start(), 0
    while not engine.is_terminal(state):
        if engine.is_chance(state):
            outcomes, _ = engine.outcomes(state)
            engine.come_out(state, outcomes[pick(len(outcomes))])
            events += 1
        elif engine.is_together(state):
            for seat in engine.to_move(state):
                numbers = engine.legal_ids(state, seat)
                engine.state_id(state, seat, numbers[pick(len(numbers))])
                events += 1
        else:
            numbers = engine.legal_ids(state)
            engine.advance_id(state, numbers[pick(len(numbers))])
            events += 1
    return events


def _by_moves(engine: Compiled) -> int:
    pick, state, events = RANDOM.randrange, engine.start(), 0
    while not engine.is_terminal(state):
        options = [event for event, _ in engine.chance(state)] or engine.legal_moves(state)
        engine.advance(state, options[pick(len(options))])
        events += 1
    return events


def by_native(engine: Native) -> Callable[[], int]:
    """Return a function that plays one game from Python, event by event, in native code."""
    from ludex.interpreter.program.native import Stopped

    legal, apply, ends, pick = engine.event_ids, engine.advance_id, engine.is_terminal, RANDOM.randrange

    def play() -> int:
        state, events = engine.start(), 0
        with suppress(Stopped):  # a play that native code cannot finish counts as far as it went
            while not ends(state):
                ids = legal(state)
                apply(state, ids[pick(len(ids))])
                events += 1
        return events

    return play


def whole_plays(engine: Native) -> Callable[[], int]:
    """Return a function that plays some games at once, on one thread of native code; they take a tenth of a second."""
    seeds = count()

    def plays(number: int) -> int:
        return int(sum(engine.playouts(number, next(seeds), threads=1).events))

    return partial(plays, enough(plays))


def enough(work: Callable[[int], int]) -> int:
    """Return how many calls take about a tenth of a second."""
    work(1)  # the first call takes longer
    calls = 1
    while True:
        start = perf_counter()
        work(calls)
        if perf_counter() - start > 0.1:
            return calls
        calls *= 2


def peer(name: str) -> Callable[[], int] | None:
    """Return a function that plays one game by OpenSpiel's engine, or None if there is none."""
    if name not in PEERS or find_spec("pyspiel") is None:
        return None
    import pyspiel

    game = pyspiel.load_game(PEERS[name])
    return lambda: _by_spiel(game)


def _by_spiel(game: Any) -> int:
    pick, state, events = RANDOM.randrange, game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[pick(len(outcomes))][0])
            events += 1
        elif state.is_simultaneous_node():
            legal = [state.legal_actions(seat) for seat in range(game.num_players())]
            state.apply_actions([actions[pick(len(actions))] for actions in legal])
            events += len(legal)
        else:
            actions = state.legal_actions()
            state.apply_action(actions[pick(len(actions))])
            events += 1
    return events
