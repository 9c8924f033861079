"""Execution of events: the block that is run and the cells that are set, by number or event. All is memoized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ludex.grammar import shown_value
from ludex.spec import types as t

from ...stack.state import DECLINED, StatedChoice
from ...state.events import DECLINE, ChanceEvent, Event, Move
from ..ir import code as c
from ..ir.moves import Numbers
from ..python.runtime import Runtime
from .chances import Chances
from .legality import MEMO, known_meanings

Execution: TypeAlias = tuple[int, int | None, t.Value, tuple[tuple[int, t.Value], ...]]
"""The block that carries a move out; the first cell of its arguments and what goes there; the same of the others."""
RecordedEvent: TypeAlias = tuple[Event, int | None, int | None, tuple[t.Value, ...], Execution]
"""The data for playing a recorded event: the event; the cell with the player who decides, if it is not always the same
one; the unit that admits it, if it is not always legal, and that unit's arguments; how it is carried out."""


class Executions:
    """The executions of one game's events, by the wait at which they happen.

    Attributes:
        by_number: that of a move of the one player to move, by its number.
        by_event: the data for playing a recorded event.
        stated: the option and argument values of a move in a simultaneous decision, by its number.
        decoded: a move, and its option and argument values, by player and number.
    """

    def __init__(self, runtime: Runtime, numbers: Numbers, chances: Chances) -> None:
        self._runtime, self._numbers, self._chances, self._waits = runtime, numbers, chances, runtime.program.waits
        self.by_number: list[dict[int, Execution]] = [{} for _ in self._waits]
        self.by_event: list[dict[Event, RecordedEvent]] = [{} for _ in self._waits]
        self.stated: list[dict[int, StatedChoice]] = [{0: DECLINED} for _ in self._waits]
        self.decoded: list[dict[tuple[int, int], tuple[Move, StatedChoice]]] = [{} for _ in self._waits]

    def record(self, at: int, event: Event) -> RecordedEvent | None:
        """Return the data for playing an event at a wait, or None if they depend on the state. The result is
        memoized."""
        recorded = self._recorded_as(at, event) if is_plain(event) else None
        if recorded is not None and len(self.by_event[at]) < MEMO:
            self.by_event[at][event] = recorded
        return recorded

    def _recorded_as(self, at: int, event: Event) -> RecordedEvent | None:
        wait = self._waits[at]
        if isinstance(wait, c.Chance) and isinstance(event, ChanceEvent):
            # Only outcomes that are possible in every state are recorded. Any other event is left to code that looks at
            # the state, and says why the event is not possible.
            outcomes, given = self._chances.constant[at], (event.path, event.via)
            if outcomes is None or event.outcome not in outcomes[0] or given != (wait.statement.path, None):
                return None
            return event, None, None, (), (wait.then, wait.cell, event.outcome, ())
        if not isinstance(wait, c.Decision) or not isinstance(event, Move):
            return None
        # The player who decides is in a cell, or is always the same one: then no other player's move is recorded.
        decider = wait.me.base if isinstance(wait.me, c.Load) else None
        if decider is None and wait.me != c.Const(event.player, wait.me.type):
            return None
        if event.action == DECLINE:
            then: Execution = (wait.then, None, None, ())
            return (event, decider, None, (event.player,), then) if wait.optional and not event.arguments else None
        # If several options have this name and arguments of these types, the state decides which one is meant.
        options = known_meanings(self._runtime, at, wait, event)
        if len(options) != 1:
            return None
        _, option, values = options[0]
        return event, decider, option.admits, (event.player, *values), _meant(option, values)

    def of_number(self, at: int, number: int) -> Execution | None:
        """Decode a move number at a decision, or return None if its meaning depends on the state."""
        wait = self._waits[at]
        if not isinstance(wait, c.Decision):
            return None
        # Number 0 is that of `decline`.
        if number == 0:
            return wait.then, None, None, ()
        numbered = self._numbers.named(number)
        named = [option for option in wait.options if option.name == numbered.name]
        # As in `_recorded_as`.
        if len(named) != 1:
            return None
        decoded = _meant(named[0], numbered.values(number))
        if len(self.by_number[at]) < MEMO:
            self.by_number[at][number] = decoded
        return decoded

    def choice(self, at: int, number: int) -> StatedChoice | None:
        """Decode a move number at a simultaneous decision, or return None if its meaning depends on the state."""
        wait, known = self._waits[at], self.stated[at]
        assert isinstance(wait, c.Together), "all players choose together here"
        numbered = self._numbers.named(number)
        named = [place for place, option in enumerate(wait.options) if option.name == numbered.name]
        if len(named) != 1:
            return None
        if len(known) < MEMO:
            known[number] = (named[0], numbered.values(number))
        return named[0], numbered.values(number)

    def decode(self, at: int, player: int, number: int) -> tuple[Move, StatedChoice]:
        """Return the move with this number, and its option and argument values. The result is memoized."""
        wait, known, event = self._waits[at], self.decoded[at], self._numbers.move_of(number, player)
        assert isinstance(wait, c.Decision)
        options = (place for place, option in enumerate(wait.options) if option.name == event.action)
        stated = (next(options), tuple([value for _, value in event.arguments])) if number else DECLINED
        if len(known) < MEMO:
            known[player, number] = event, stated
        return event, stated


def _meant(option: c.Option, values: Sequence[t.Value]) -> Execution:
    """Return how an option with these argument values is carried out."""
    stated = zip(option.arguments, values, strict=True)
    bound = [(argument.cell, value) for argument, value in stated if argument.cell is not None]
    cell, value = bound[0] if bound else (None, None)
    return option.entry, cell, value, tuple(bound[1:])


def is_plain(event: Event) -> bool:
    """Return whether all values are whole numbers: an equal value of another type is not found by it in a memo."""
    if isinstance(event, ChanceEvent):
        return type(event.outcome) is int
    if not isinstance(event, Move):
        raise TypeError(f"`events` must be Move or ChanceEvent, not {shown_value(event)}")
    if type(event.player) is not int:
        return False
    for _, value in event.arguments:  # noqa: SIM110 - a loop takes less time than `all`
        if type(value) is not int:
            return False
    return True
