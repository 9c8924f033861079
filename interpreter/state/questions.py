"""The questions that every engine of a game answers, whatever its states are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from ludex.spec import Meter
from ludex.spec import types as t

from .events import Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Scores, Trace

S = TypeVar("S")
"""A state of play, as the engine represents it."""


class Questions(ABC, Generic[S]):
    """Base of an engine that players and reports ask. A class that lacks an answer cannot be instantiated."""

    @abstractmethod
    def start(self, trace: Trace | None = None) -> S:
        """Return the state in which the first event is awaited."""

    @abstractmethod
    def awaits(self, state: S) -> Awaits:
        """Return the kind of event that the state waits for."""

    @abstractmethod
    def is_terminal(self, state: S) -> bool:
        """Test whether the game is over."""

    @abstractmethod
    def to_move(self, state: S) -> tuple[int, ...]:
        """Return the seats that must decide now."""

    @abstractmethod
    def legal_moves(self, state: S, player: int | None = None) -> tuple[Move, ...]:
        """Return all legal moves, of one player or of all that are to move."""

    @abstractmethod
    def chance(self, state: S) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """Return the outcomes of the awaited chance event with their probabilities."""

    @abstractmethod
    def chance_for(self, state: S) -> int | None:
        """Return the seat whose place receives the piece of the awaited chance event, if there is one."""

    @abstractmethod
    def offered(self, state: S) -> tuple[str, ...]:
        """Return the names of the moves on offer, legal now or not."""

    @abstractmethod
    def is_offered(self, state: S, move: Move) -> bool:
        """Test whether the player has an option of the move's name and stated parameters."""

    @abstractmethod
    def refusal(self, state: S, event: Event) -> Refusal | None:
        """Return why the event is illegal here, or None if it is legal."""

    @abstractmethod
    def apply(self, state: S, event: Event, trace: Trace | None = None) -> S:
        """Return the state after the event. Raises Refused."""

    @abstractmethod
    def scores(self, state: S) -> tuple[Scores, ...]:
        """Return every seat's points as they would count now."""

    @abstractmethod
    def returns(self, state: S) -> tuple[int, ...]:
        """Return every seat's total."""

    @abstractmethod
    def winners(self, state: S) -> Outcome:
        """Return who has won, by the winner clauses evaluated now."""

    @abstractmethod
    def observe(self, state: S, player: int) -> dict[str, Any]:
        """Return what the player may know of the state, as JSON."""

    @abstractmethod
    def public_view(self, state: S) -> dict[str, Any]:
        """Return what everybody may know of the state, as JSON."""

    @abstractmethod
    def view_of_event(self, state: S, event: Event, player: int | None) -> Event:
        """Return the event as that player (None: an onlooker) sees it."""

    @abstractmethod
    def cell(self, state: S, name: str, indices: Sequence[t.Value] = ()) -> t.Value:
        """Return the content of a state or zone."""

    @abstractmethod
    def state_to_json(self, state: S) -> dict[str, Any]:
        """Return the whole state as JSON, without loss."""

    @abstractmethod
    def state_from_json(self, data: Any) -> S:
        """Read what `state_to_json` wrote for the same game."""

    @abstractmethod
    def nearest_legal(self, state: S, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Return the legal moves most similar to the given one."""


class _Counting(Protocol):
    @property
    def meter(self) -> Meter: ...


Asked = TypeVar("Asked", bound=_Counting)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def question(answer: Callable[Concatenate[Asked, Given], Result]) -> Callable[Concatenate[Asked, Given], Result]:
    """Decorator of an engine's method: every call is a piece of work of its own, with a budget of its own."""

    @wraps(answer)
    def asked(engine: Asked, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        meter = engine.meter
        # Where the last question took nothing, the call is spared.
        if meter.left < meter.whole:
            meter.begin()
        return answer(engine, *args, **kwargs)

    return asked
