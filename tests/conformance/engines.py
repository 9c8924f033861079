"""One interface for both engines: a node is a point of a play, a choice is one possible event.

Nodes are immutable; `after` of a choice is the next one. Nothing here depends on a game.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

from ludex.interpreter import Engine, Event, Move, State, line_of, notation

Choice = TypeVar("Choice", bound="LudexChoice | SpielChoice")


class Node(ABC, Generic[Choice]):
    """A point of a play.

    Attributes:
        movers: the seats from 0 that decide here, several in a simultaneous decision; () at chance and at the end.
        over: whether the play has ended.
    """

    movers: tuple[int, ...]
    over: bool

    @abstractmethod
    def choices(self, seat: int | None = None) -> Sequence[Choice]:
        """Return every possible choice, or those of that seat."""

    @property
    @abstractmethod
    def view(self) -> str:
        """Return the engine's text of this point, for a report."""

    @property
    def awaits(self) -> str:
        if self.over:
            return "nothing: the play is over"
        return f"a move of seat {' and '.join(str(seat + 1) for seat in self.movers)}" if self.movers else "chance"


# ---- Ludex ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LudexChoice:
    """An event that can happen.

    Attributes:
        share: its probability; None for a move.
    """

    before: LudexNode
    event: Event
    share: Fraction | None = None

    @property
    def line(self) -> dict[str, Any]:
        """The event as a line of a log."""
        return line_of(self.before.engine.game, self.event)

    @property
    def name(self) -> str:
        """The action, or the path of the chance clause."""
        return self.event.action if isinstance(self.event, Move) else self.event.path

    @property
    def args(self) -> dict[str, Any]:
        """The move's arguments by name, as in a log; {} for chance."""
        return self.line.get("args", {})  # type: ignore[no-any-return]

    @property
    def outcome(self) -> Any:
        """The outcome of chance as in a log; None for a move."""
        return self.line.get("outcome")

    @property
    def seat(self) -> int | None:
        """The seat of the mover, from 0."""
        return self.event.player if isinstance(self.event, Move) else None

    @property
    def after(self) -> LudexNode:
        return self.before.played(self.event)

    def __str__(self) -> str:
        return notation(self.before.engine.game, self.event)


class LudexNode(Node[LudexChoice]):
    """A state of a Ludex game; mappings read it with `cell`."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine, self.state = engine, state
        self.movers, self.over = engine.to_move(state), engine.is_terminal(state)
        self._after: dict[Event, LudexNode] = {}

    def choices(self, seat: int | None = None) -> Sequence[LudexChoice]:
        return self._all if seat is None else [choice for choice in self._all if choice.seat == seat]

    @cached_property
    def _all(self) -> Sequence[LudexChoice]:
        chances = [LudexChoice(self, event, share) for event, share in self.engine.chance(self.state)]
        return chances or [LudexChoice(self, move) for move in self.engine.legal_moves(self.state)]

    def played(self, event: Event) -> LudexNode:
        if event not in self._after:
            self._after[event] = LudexNode(self.engine, self.engine.apply(self.state, event))
        return self._after[event]

    def cell(self, name: str, *indices: Any) -> Any:
        """Return the content of a state or zone (`Engine.cell`)."""
        return self.engine.cell(self.state, name, indices)

    @property
    def view(self) -> str:
        return json.dumps(self.engine.state_to_json(self.state), ensure_ascii=False)


# ---- OpenSpiel ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpielChoice:
    """A legal action.

    Attributes:
        seat: who takes it, from 0; None for chance.
        number: OpenSpiel's for it.
        share: its probability; None for a move.
    """

    before: SpielNode
    seat: int | None
    number: int
    share: float | None = None

    @property
    def text(self) -> str:
        """OpenSpiel's text of it."""
        state = self.before.state
        return str(state.action_to_string(state.current_player() if self.seat is None else self.seat, self.number))

    @property
    def after(self) -> SpielNode:
        return self.before.played(self.number)

    def __str__(self) -> str:
        return f"{self.text} ({self.number})"


class SpielNode(Node[SpielChoice]):
    """A state of an OpenSpiel game; mappings read `state`, a `pyspiel.State`."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.over = bool(state.is_terminal())
        self.movers = self._movers()
        self._after: dict[int, SpielNode] = {}

    def _movers(self) -> tuple[int, ...]:
        if self.over or self.state.is_chance_node():
            return ()
        if self.state.is_simultaneous_node():
            return tuple(seat for seat in range(self.state.num_players()) if self.state.legal_actions(seat))
        return (int(self.state.current_player()),)

    def choices(self, seat: int | None = None) -> Sequence[SpielChoice]:
        return self._all if seat is None else [choice for choice in self._all if choice.seat == seat]

    @cached_property
    def _all(self) -> Sequence[SpielChoice]:
        if not self.over and self.state.is_chance_node():
            return [SpielChoice(self, None, number, share) for number, share in self.state.chance_outcomes()]
        return [SpielChoice(self, seat, number) for seat in self.movers for number in self.state.legal_actions(seat)]

    def played(self, number: int) -> SpielNode:
        if number not in self._after:
            self._after[number] = SpielNode(self.state.child(number))
        return self._after[number]

    def played_together(self, numbers: dict[int, int]) -> SpielNode:
        """Return the node after the actions of all movers, by seat. A seat without an action takes 0, as OpenSpiel
        requires.
        """
        state = self.state.clone()
        state.apply_actions([numbers.get(seat, 0) for seat in range(state.num_players())])
        return SpielNode(state)

    @property
    def view(self) -> str:
        return str(self.state)


def spiel_start(name: str) -> SpielNode:
    """Return the first state of an OpenSpiel game, given as its name with parameters. Needs the package
    `open_spiel`.
    """
    import pyspiel

    return SpielNode(pyspiel.load_game(name).new_initial_state())
