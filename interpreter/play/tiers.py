"""Tiers: the protocol of every engine that plays games, as random play needs it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol, TypeVar, runtime_checkable

from ludex.spec import model as m

from ..state.events import Awaits, ChanceEvent, Event, Move, Outcome, Trace

S = TypeVar("S")
"""A state of play, as the engine represents it."""


At_contra = TypeVar("At_contra", contravariant=True)


class Choices(Protocol[At_contra]):
    """Protocol of what lists the possible events of a state."""

    def chance(self, state: At_contra) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """List the awaited chance event's outcomes with their probabilities."""

    def legal_moves(self, state: At_contra) -> Sequence[Move]:
        """List all legal moves, in a fixed order."""


@runtime_checkable
class Tier(Choices[S], Protocol[S]):
    """Protocol of an engine for one game: `Engine`, `Reference` and `Native`, which have further methods."""

    @property
    def game(self) -> m.Game:
        """The game that it plays."""

    def start(self, trace: Trace | None = None) -> S:
        """Run set-up up to the first event that is awaited."""

    def awaits(self, state: S) -> Awaits:
        """Return what the state awaits."""

    def is_terminal(self, state: S, /) -> bool:
        """Test whether the game is over."""

    def to_move(self, state: S) -> tuple[int, ...]:
        """Return the seats that must decide now."""

    def apply(self, state: S, event: Event, trace: Trace | None = None) -> S:
        """Return the state after a legal event; the given one does not change."""

    def begin_game(self) -> None:
        """Begin to count the work of a game."""

    def check_game(self, state: S) -> None:
        """Raise OverBudget if the game took more work than its budget. Called after each event, it ends every game."""

    def returns(self, state: S) -> tuple[int, ...]:
        """Return every seat's total."""

    def winners(self, state: S) -> Outcome:
        """Return who has won, as the winner clauses have it now."""
