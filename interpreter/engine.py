"""The engine: one game, compiled once, played from state to state."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ludex.spec import Game

from .events import Awaits, ChanceEvent, Event, Move, Outcome, Passed, Refusal, Scores
from .state import State


class Engine:
    """Plays one game. Holds no state of a play, so one engine serves any number of them.

    A fault of the spec that comes to light raises `SpecFault`; nothing else is raised, save `Refused` by `apply`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def start(self, passed: Passed | None = None) -> State:
        """The state in which the first event is awaited; set-up has run as far as it goes without one."""
        raise NotImplementedError

    def awaits(self, state: State) -> Awaits:
        raise NotImplementedError

    def is_terminal(self, state: State) -> bool:
        raise NotImplementedError

    def to_move(self, state: State) -> tuple[int, ...]:
        """Seats that must decide now, several where they choose unseen by each other; () where no move is awaited."""
        raise NotImplementedError

    def legal_moves(self, state: State, player: int | None = None) -> tuple[Move, ...]:
        """All legal moves, of one player or of all that are to move, in a fixed order, `decline` last."""
        raise NotImplementedError

    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """The awaited chance event's outcomes with their probabilities, in a fixed order; () if none is awaited."""
        raise NotImplementedError

    def refusal(self, state: State, event: Event) -> Refusal | None:
        """Why the event cannot be played here; None if it can. Does not enumerate the other moves."""
        raise NotImplementedError

    def apply(self, state: State, event: Event, passed: Passed | None = None) -> State:
        """The state after the event; the given one is left as it is. Raises Refused."""
        raise NotImplementedError

    def advance(self, state: State, event: Event, passed: Passed | None = None) -> Refusal | None:
        """Play the event in the state itself. After a refusal (or SpecFault) the state is as it was."""
        raise NotImplementedError

    def scores(self, state: State) -> tuple[Scores, ...]:
        """Every seat's points as they would count now."""
        raise NotImplementedError

    def returns(self, state: State) -> tuple[int, ...]:
        """Every seat's total."""
        raise NotImplementedError

    def winners(self, state: State) -> Outcome:
        """Who has won, judged by the winner clauses now."""
        raise NotImplementedError

    def observe(self, state: State, player: int) -> dict[str, Any]:
        """What that player may know of the state now, as JSON."""
        raise NotImplementedError

    def public_view(self, state: State) -> dict[str, Any]:
        """What everybody may know, as JSON."""
        raise NotImplementedError

    def view_of_event(self, state: State, event: Event, player: int | None) -> Event:
        """The event, legal in `state`, as that player (None: a spectator) sees it: what is hidden from him is `HIDDEN`."""
        raise NotImplementedError

    def state_to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON: nothing is lost, the stack included."""
        raise NotImplementedError

    def state_from_json(self, data: Any) -> State:
        """The state that `state_to_json` wrote for the same game. Raises ValueError for anything else."""
        raise NotImplementedError

    def nearest_legal(self, state: State, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Legal moves most like the given one: same player, same action, fewest arguments that differ."""
        raise NotImplementedError
