"""Random play driven from Python in each tier, beside OpenSpiel's engines of the same games in the same run.

Every engine picks uniformly: among the numbers of the legal moves, or among the outcomes of a chance event whatever
their weights. An event is a move or an outcome; in a simultaneous decision each choice counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import exp, log
from typing import Any

from ludex.interpreter import Generator, Reference, pick
from ludex.interpreter.program import Compiled
from ludex.spec import load

from .measure import Effort, figure, per_second, table

PEERS = {
    "backgammon": "backgammon", "breakthrough": "breakthrough", "connect_four": "connect_four",
    "crazy_eights": "crazy_eights", "english_draughts": "checkers", "goofspiel": "goofspiel",
    "kuhn_poker": "kuhn_poker", "leduc_poker": "leduc_poker", "liars_dice": "liars_dice", "nim": "nim",
    "nine_mens_morris": "nine_mens_morris", "othello": "othello", "oware": "oware", "pig": "pig",
    "tic_tac_toe": "tic_tac_toe",
}  # fmt: skip
"""OpenSpiel's names of the games that it has, too."""


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    measured, ratios = [], []
    for name in games:
        game = load(name)
        compiled, reference = Compiled(game), Reference(game)
        own = per_second(lambda engine=reference: _by_events(engine), effort)  # type: ignore[misc]
        fast = per_second(_driver(compiled), effort)
        other = peer(name)
        of_peer = per_second(other, effort) if other else 0.0
        if of_peer:
            ratios.append(fast / of_peer)
        row = [name, figure(own), figure(fast), figure(fast / own)]
        measured.append([*row, *([figure(of_peer), figure(fast / of_peer)] if of_peer else ["", ""])])
    if ratios:
        mean = exp(sum(map(log, ratios)) / len(ratios))
        measured.append([f"geometric mean of {len(ratios)}", "", "", "", "", figure(mean)])
    head = ["", "reference", "compiled", "ratio", "OpenSpiel", "compiled to OpenSpiel"]
    yield from table("random: play from Python, events a second", head, measured)


def _driver(engine: Compiled) -> Callable[[], int]:
    """Return a function that plays one game, by move numbers where they exist."""
    if engine.numbers.complete:
        return lambda: _by_numbers(engine)
    return lambda: _by_moves(engine)


RANDOM = random.Random(0)


def _by_events(engine: Reference) -> int:
    generator, state, events = Generator(RANDOM.getrandbits(64)), engine.start(), 0
    while not engine.is_terminal(state):
        state = engine.apply(state, pick(engine, state, generator).event)
        events += 1
    return events


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


# ---- OpenSpiel


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
