"""Exhaustive comparison of two games: every position of the product game, with all events, probabilities and views.

It proves that two games are the same. It relies on no static analysis, so it is only done where there are few
positions.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any

from ..logs import line_of
from ..play.engine import Engine
from ..program import State
from ..state.events import Event, SpecFault
from .product_game import result
from .row_result import ExhaustiveResult


def compare_all(left: Engine, right: Engine, most: int) -> ExhaustiveResult:
    """Compare the games position by position; give up if there are more than `most` positions."""
    engines = left, right
    try:
        waiting = [(left.start(), right.start())]
    except SpecFault as fault:
        return ExhaustiveResult(False, 0, 1, f"the game does not begin: {fault.message}")
    known: set[Hashable] = {(waiting[0][0].key(), waiting[0][1].key())}
    while waiting:
        if len(known) > most:
            return ExhaustiveResult(False, len(known), 1, "there are too many positions")
        # The search is depth-first: the stack stays small, and the witness need not be short.
        states = waiting.pop()
        try:
            mine, theirs = (_knowledge(engine, state) for engine, state in zip(engines, states, strict=True))
            # Equal knowledge includes equal events, so each event of one game has its counterpart in the other.
            if mine[0] != theirs[0]:
                return ExhaustiveResult(
                    False, len(known), 1, f"{_differing(mine[0], theirs[0])} is not the same in both"
                )
            for name, event in mine[1].items():
                after = states[0].clone(), states[1].clone()
                if left.advance(after[0], event) is not None or right.advance(after[1], theirs[1][name]) is not None:
                    return ExhaustiveResult(False, len(known), 1, "a move that is offered is refused")
                key = after[0].key(), after[1].key()
                if key not in known:
                    known.add(key)
                    waiting.append(after)
        except SpecFault as fault:
            return ExhaustiveResult(False, len(known), 1, f"the rules do not say what happens: {fault.message}")
    return ExhaustiveResult(True, len(known))


def _knowledge(engine: Engine, state: State) -> tuple[dict[str, Any], dict[str, Event]]:
    """Return all that can be known of a position, and the events that can follow, by their lines in a log."""
    seats = range(engine.game.players)
    chances = engine.chance(state)
    events: tuple[Event, ...] = tuple(event for event, _ in chances) or engine.legal_moves(state)
    # The games may represent values differently (a word is a number): their lines in a log are comparable.
    named = {json.dumps(line_of(engine.game, event), sort_keys=True): event for event in events}
    views = {
        name: [engine.view_of_event(state, event, seat) for seat in (None, *seats)] for name, event in named.items()
    }
    known = {
        "what can come next": sorted(named),
        "a chance": [(line_of(engine.game, event), share) for event, share in chances],
        "what is seen": [engine.public_view(state), *(engine.observe(state, seat) for seat in seats)],
        "what is seen of an event": {
            name: [line_of(engine.game, view) for view in seen] for name, seen in views.items()
        },
        "the end": result(engine, state) if not events else None,
    }
    return known, named


def _differing(one: dict[str, Any], other: dict[str, Any]) -> str:
    return next(name for name in one if one[name] != other[name])
