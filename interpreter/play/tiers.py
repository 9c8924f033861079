"""What plays games: the questions that a random play asks, whichever engine answers them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol, TypeVar, runtime_checkable

from ludex.spec import Meter
from ludex.spec import model as m

from ..state.events import Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Trace

S = TypeVar("S")
"""A state of play, as the engine holds it."""


At_contra = TypeVar("At_contra", contravariant=True)


class Choices(Protocol[At_contra]):
    """What tells what may happen in a state."""

    def chance(self, state: At_contra) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """The awaited chance event's outcomes with their probabilities."""

    def legal_moves(self, state: At_contra) -> Sequence[Move]:
        """All legal moves, in a fixed order."""


@runtime_checkable
class Tier(Choices[S], Protocol[S]):
    """An engine for one game. What each question means is told by `Engine`, which answers others, too."""

    @property
    def game(self) -> m.Game:
        """The game that it plays."""

    @property
    def meter(self) -> Meter:
        """What counts the work."""

    def start(self, trace: Trace | None = None) -> S:
        """The state in which the first event is awaited."""

    def awaits(self, state: S) -> Awaits:
        """What the state waits for."""

    def is_terminal(self, state: S) -> bool:
        """Whether the game is over."""

    def advance(self, state: S, event: Event, trace: Trace | None = None) -> Refusal | None:
        """Play a legal event in the state itself."""

    def check_game(self, state: S) -> None:
        """Raises OverBudget if the game under way took more work than its budget."""

    def returns(self, state: S) -> tuple[int, ...]:
        """Every seat's total."""

    def winners(self, state: S) -> Outcome:
        """Who has won, judged by the winner clauses now."""
