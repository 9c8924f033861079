"""Perft (counting of plays): the leaves of the tree of all plays of a given length, a standard test of move generators.

A step is an event: a move or a chance outcome. By turn, one step is all that a player does in one turn: consecutive
moves during which the flow names no player again (`Turns.goes_on`). So a chain of jumps is one step, and a player
who moves twice because the other must pass makes two. A chance outcome is a step of its own, and so is each choice in a
simultaneous decision.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TypeAlias

from ludex.spec import OverBudget

from ..program import Compiled, Fault, State
from ..state.api_arguments import checked
from ..state.events import Event, Move, Trace
from .turns import Turns

LONGEST_TURN = 200
"""The largest number of moves of a turn; turns that may continue for longer are not counted."""
AT_ONCE = 10_000
"""The largest number of states kept together, fewer if they have more cells than the budget's `items`.

More would take more memory, and hardly merge more: few states of a large layer are equal.
"""


@dataclass(slots=True)
class Reached:
    """A state, and the number of plays that lead to it."""

    state: State
    ways: int


Layer: TypeAlias = Mapping[Hashable, Reached]
"""States by their keys."""


class EndlessTurn(Exception):
    """Raised if a turn may continue without end, so that turns cannot be counted."""


@checked(engine=Compiled, state=State, depth=int, by_turn=bool)
def perft(engine: Compiled, state: State, depth: int, by_turn: bool = False) -> int:
    """Count the ways to play `depth` steps from here; a play that ends earlier does not count.

    Raises EndlessTurn (by turn); SpecFault; OverBudget, which is a SpecFault, if the count takes more work than a game
    may; ValueError for a depth below 0.
    """
    if depth < 0:
        raise ValueError(f"`depth` must be 0 or more, not {depth}")
    leaves = 1
    for count in leaf_counts(engine, state, depth, by_turn):
        leaves = count
    return leaves


def leaf_counts(engine: Compiled, state: State, depth: int, by_turn: bool = False) -> Iterator[int]:
    """Yield `perft` of 1, 2, ... `depth`; the last is 0 if no play is that long. Raises what `perft` raises."""
    # The whole count is one piece of work, like a game: a tree has no end that anybody waits for.
    engine.meter.begin_game()
    return _counts(
        {engine.key(state): Reached(state, 1)}, depth, _Turns(engine, Turns(engine)) if by_turn else _Events(engine)
    )


def count_events(engine: Compiled, state: State) -> int:
    """Count the events that can follow."""
    try:
        if engine.is_chance(state):
            return len(engine.chance(state))
        # Numbers are listed without making a move of each.
        return len(engine.legal_ids(state) if _has_ids(engine, state) else engine.legal_moves(state))
    # The compiled engine's fault has no words for an author.
    except Fault:
        _follow(engine, state)
        raise


def successors(engine: Compiled, state: State) -> Iterator[State]:
    """Enumerate the states after each event that can follow."""
    try:
        if not engine.is_chance(state) and _has_ids(engine, state):
            for number in engine.legal_ids(state):
                yield engine.apply_id(state, number)
        else:
            for event in [event for event, _ in engine.chance(state)] or engine.legal_moves(state):
                yield engine.apply(state, event)
    except Fault:
        _follow(engine, state)
        raise


def _has_ids(engine: Compiled, state: State) -> bool:
    """Test whether every move of the awaited decision has a number."""
    # In a simultaneous decision numbers are listed for each player apart.
    return engine.numbers.complete and not engine.is_together(state)


def _follow(engine: Compiled, state: State) -> None:
    """Play everything that can follow by the reference, so that a fault is raised in its words."""
    reference, position = engine.reference, engine.to_reference(state)
    for event in [event for event, _ in reference.chance(position)] or reference.legal_moves(position):
        reference.apply(position, event)


def _check_items(engine: Compiled, state: State, states: int) -> None:
    """Raise OverBudget if this many states like the given one hold more than the budget's `items`.

    One state is always allowed."""
    most = engine.game.budget.items
    if states > 1 and states * state.items > most:
        awaiting = engine.statement(state) or engine.game.play.body
        raise OverBudget("items", most, awaiting.path, awaiting.span)


@dataclass(frozen=True, slots=True)
class _Events:
    """Steps that are events."""

    engine: Compiled

    def number(self, state: State) -> int:
        """Count the steps from the state."""
        self.engine.check_game(state)
        return count_events(self.engine, state)

    def after(self, state: State) -> Iterator[tuple[State, int]]:
        """Enumerate the states after one step; equal ones may come several times."""
        self.engine.check_game(state)
        return ((after, 1) for after in successors(self.engine, state))


@dataclass(frozen=True, slots=True)
class _Turns:
    """Steps that are turns."""

    engine: Compiled
    turns: Turns

    def number(self, state: State) -> int:
        return sum(ways for _, ways in self.after(state))

    def after(self, state: State) -> Iterator[tuple[State, int]]:
        """Enumerate the states after one turn, each with the number of ways that lead to it.

        Raises OverBudget if they have more cells than the budget's `items`, EndlessTurn if a turn does not end.
        """
        ended: dict[Hashable, Reached] = {}
        under_way = {self.engine.key(state): Reached(state, 1)}
        for _ in range(LONGEST_TURN):
            further: dict[Hashable, Reached] = {}
            for before in under_way.values():
                for event in self._events(before.state):
                    after, goes_on = self._played(before.state, event)
                    _add(self.engine, further if goes_on else ended, after, before.ways)
                    _check_items(self.engine, after, len(further) + len(ended))
            if not further:
                return ((each.state, each.ways) for each in ended.values())
            under_way = further
        raise EndlessTurn

    def _events(self, state: State) -> Sequence[Event]:
        self.engine.check_game(state)
        return [event for event, _ in self.engine.chance(state)] or self.engine.legal_moves(state)

    def _played(self, state: State, event: Event) -> tuple[State, bool]:
        trace = Trace()
        after = self.engine.apply(state, event, trace)
        # A chance outcome is a step by itself.
        return after, isinstance(event, Move) and self.turns.goes_on(state, after, trace)


def _add(engine: Compiled, states: dict[Hashable, Reached], state: State, ways: int) -> bool:
    """Add a state with its number of ways; return whether it is new."""
    key = engine.key(state)
    known = states.get(key)
    if known is None:
        states[key] = Reached(state, ways)
        return True
    known.ways += ways
    return False


def _counts(layer: Layer, depth: int, steps: _Events | _Turns) -> Iterator[int]:
    """Count leaves layer by layer.

    Equal states are merged, with the sum of the ways to them. The states of the last layer are only counted. A layer
    that is too large for memory is generated and counted part by part.
    """
    for left in reversed(range(depth)):
        if not left:
            yield sum(each.ways * steps.number(each.state) for each in layer.values())
            return
        parts = _next(layer, steps)
        layer, second = next(parts, {}), next(parts, None)
        # The layer did not fit: each part is counted to the end by itself, and equal states of two parts are not
        # merged.
        if second is not None:
            each = (list(_and_on(part, left, steps)) for part in chain([layer, second], parts))
            yield from map(sum, zip_longest(*each, fillvalue=0))
            return
        yield sum(each.ways for each in layer.values())
        if not layer:
            return


def _and_on(part: Layer, left: int, steps: _Events | _Turns) -> Iterator[int]:
    yield sum(each.ways for each in part.values())
    yield from _counts(part, left, steps)


def _next(layer: Layer, steps: _Events | _Turns) -> Iterator[Layer]:
    """Enumerate the states one step further, in parts small enough to keep."""
    following: dict[Hashable, Reached] = {}
    items, most = 0, steps.engine.game.budget.items
    for each in layer.values():
        for reached, more in steps.after(each.state):
            if _add(steps.engine, following, reached, each.ways * more):
                items += reached.items
                if len(following) > AT_ONCE or items > most:
                    yield following
                    following, items = {}, 0
    if following:
        yield following
