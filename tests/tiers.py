"""The tiers under one face: every engine that plays a game, asked in the same words, and its states beside each other.

The reference is the definition; the engine in Python and native code carry the load. A test that has to hold in each of
them takes the fixture `tier` (`conftest.py`); `lockstep.py` plays them beside each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, Protocol

from ludex.interpreter import Awaits, ChanceEvent, Event, Move, Outcome, Reference, Scores
from ludex.interpreter import reference as naive
from ludex.interpreter.program import Compiled, State
from ludex.interpreter.program.ir.code import Decision
from ludex.interpreter.state.zones import cell_of
from ludex.spec import Game, SpecFault, Undefined
from ludex.spec import types as t

from .games.candidates import exact
from .once import engine_once


class Missing(Exception):
    """A tier does not carry the game, or stopped in a state; the message is its own reason."""


class Tier(Protocol):
    """What each tier answers; `Engine` says what the questions mean. A state is changed by nothing that is asked."""

    game: Game

    def start(self) -> Any: ...
    def standing(self, state: Any) -> naive.State:
        """The state, as the reference has it."""

    def taken(self, state: naive.State) -> Any:
        """The way back from `standing`."""

    def awaits(self, state: Any) -> Awaits: ...
    def is_terminal(self, state: Any) -> bool: ...
    def to_move(self, state: Any) -> tuple[int, ...]: ...
    def legal_moves(self, state: Any) -> tuple[Move, ...]: ...
    def chance(self, state: Any) -> tuple[tuple[ChanceEvent, Fraction], ...]: ...
    def is_legal(self, state: Any, event: Event) -> bool: ...
    def apply(self, state: Any, event: Event) -> Any: ...
    def returns(self, state: Any) -> tuple[int, ...]: ...
    def scores(self, state: Any) -> tuple[Scores, ...]: ...
    def winners(self, state: Any) -> Outcome: ...
    def observe(self, state: Any, player: int) -> dict[str, Any]: ...
    def public_view(self, state: Any) -> dict[str, Any]: ...
    def view_of_event(self, state: Any, event: Event, player: int | None) -> Event: ...
    def state_to_json(self, state: Any) -> dict[str, Any]: ...
    def cell(self, state: Any, name: str, indices: Sequence[t.Value] = ()) -> t.Value: ...


class ReferenceTier(Reference):
    """The reference, which judges a single event as it explains it."""

    def standing(self, state: naive.State) -> naive.State:
        return state

    def taken(self, state: naive.State) -> naive.State:
        return state

    def is_legal(self, state: naive.State, event: Event) -> bool:
        return self.refusal(state, event) is None


class PythonTier:
    """The engine. Sharing it among tests says nothing of a state: what it knows is kept in the state itself."""

    def __init__(self, game: Game) -> None:
        self.game, self._engine = game, engine_once(game)
        self.standing, self.taken = self._engine.to_reference, self._engine.from_reference

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


class NativeTier:
    """Native code, by numbers of moves. It does not tell what players see, nor name its events and shares: that is
    asked of the engine in Python with the same program, in the state that stands for the same.

    Raises Missing.
    """

    def __init__(self, game: Game) -> None:
        if find_spec("llvmlite") is None:
            raise Missing("llvmlite is not installed")
        from ludex.interpreter.program.native import Native, NotCarried, Stopped

        self.game, self._stopped, self._not_carried = game, Stopped, NotCarried
        self._last: tuple[bytes, Any] = b"", None
        try:
            self._code = Native(game)
        except NotCarried as reason:
            raise Missing(f"native code does not carry {reason}") from None

    @property
    def _beside(self) -> Compiled:
        return self._code.engine

    def _asked(self, question: Callable[..., Any], *given: Any) -> Any:
        """Raises Missing at a limit of native code's own, a SpecFault where the rules give no value."""
        try:
            return question(*given)
        except self._stopped as stopped:
            if "a limit" in str(stopped):
                raise Missing(str(stopped)) from None
            raise Undefined(str(stopped), None, self.game.play.body.span) from None
        except self._not_carried as reason:
            raise Missing(str(reason)) from None

    def _play(self, state: Any) -> Any:
        """What is asked of it changes nothing; of one state much is asked."""
        if self._last[0] != state:
            self._last = bytes(state), self._code.to_play(state)
        return self._last[1]

    def start(self) -> Any:
        return self._asked(self._code.start)

    def standing(self, state: Any) -> naive.State:
        return self._beside.to_reference(self._play(state))

    def taken(self, state: naive.State) -> Any:
        return self._asked(self._code.from_play, self._beside.from_reference(state))

    def awaits(self, state: Any) -> Awaits:
        return self._beside.awaits(self._play(state))

    def is_terminal(self, state: Any) -> bool:
        return self._code.is_terminal(state)

    def to_move(self, state: Any) -> tuple[int, ...]:
        return self._beside.to_move(self._play(state)) if self.awaits(state) is Awaits.MOVE else ()

    def _numbered(self, state: Any) -> list[tuple[int, Event]]:
        """What may happen, as native code numbers it."""
        play = self._play(state)
        numbers: Sequence[int] = self._asked(self._code.legal_ids, state)
        if self._beside.is_chance(play):
            events = [event for event, _ in self._beside.chance(play)]
            assert len({(event.path, event.outcome) for event in events}) == len(events), "a piece has two routes"
            return list(zip(numbers, events, strict=True))
        if self._beside.is_together(play):
            parted = [divmod(number, self._beside.size) for number in numbers]
            return [(at, self._beside.move_of(move, seat)) for at, (seat, move) in zip(numbers, parted, strict=True)]
        if (listed := self._rows(play)) is not None:
            return [(number, listed[number]) for number in numbers]
        seat = self.to_move(state)[0] if numbers else 0
        return [(number, self._beside.move_of(number, seat)) for number in numbers]

    def _rows(self, play: State) -> dict[int, Event] | None:
        """The moves where some state collections, by their numbers, which they have at that decision alone."""
        from ludex.interpreter.program.native.fallback import has_numbers, rows

        wait = self._beside.program.waits[play.wait]
        if not isinstance(wait, Decision) or has_numbers(self._beside, wait):
            return None
        return dict(rows(self._beside, play, wait))

    def legal_moves(self, state: Any) -> tuple[Move, ...]:
        return tuple(event for _, event in self._numbered(state) if isinstance(event, Move))

    def chance(self, state: Any) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        outcomes = self._beside.chance(self._play(state))
        assert [event for _, event in self._numbered(state)] == [event for event, _ in outcomes] or not outcomes
        return outcomes

    def is_legal(self, state: Any, event: Event) -> bool:
        if (number := self._number(state, event)) is None:
            return False
        try:
            return bool(self._asked(self._code.judge, [number], state) == 1)
        except SpecFault:  # a legal move is played too, and what follows it may have no value
            return number in self._asked(self._code.legal_ids, state)

    def _number(self, state: Any, event: Event) -> int | None:
        """The number of an event that is legal or not; None if it has none."""
        play = self._play(state)
        if self._beside.is_chance(play) or isinstance(event, ChanceEvent) or self._rows(play) is not None:
            numbers = (number for number, each in self._numbered(state) if exact(each) == exact(event))
            return next(numbers, None)
        try:
            number = self._beside.id_of(event)
        except (TypeError, ValueError):
            return None
        if self._beside.is_together(play):
            return self._beside.size * event.player + number if 0 <= event.player < self.game.players else None
        return number if (event.player,) == self.to_move(state) else None

    def apply(self, state: Any, event: Event) -> Any:
        number, after = self._number(state, event), state.copy()
        assert number is not None, event
        self._asked(self._code.apply_id, after, number)
        return after

    def returns(self, state: Any) -> tuple[int, ...]:
        try:
            points: tuple[int, ...] = self._asked(self._code.result, state)[0]
        except SpecFault:  # it tells points and winners at once, and who has won may have no value before the end
            play = self._play(state)
            try:
                self._beside.winners(play)
            except SpecFault:
                return self._beside.returns(play)
            raise
        return points

    def winners(self, state: Any) -> Outcome:
        outcome = self._beside.winners(self._play(state))
        assert self._asked(self._code.result, state)[1] == outcome.winners
        return outcome

    def scores(self, state: Any) -> tuple[Scores, ...]:
        scores = self._beside.scores(self._play(state))
        assert self.returns(state) == tuple(each.total for each in scores)
        return scores

    def observe(self, state: Any, player: int) -> dict[str, Any]:
        return self._beside.observe(self._play(state), player)

    def public_view(self, state: Any) -> dict[str, Any]:
        return self._beside.public_view(self._play(state))

    def view_of_event(self, state: Any, event: Event, player: int | None) -> Event:
        return self._beside.view_of_event(self._play(state), event, player)

    def state_to_json(self, state: Any) -> dict[str, Any]:
        return Reference(self.game).state_to_json(self.standing(state))

    def cell(self, state: Any, name: str, indices: Sequence[t.Value] = ()) -> t.Value:
        return self._play(state).cells[cell_of(self.game.element[name], indices)]


TIERS: dict[str, Callable[[Game], Any]] = {"reference": ReferenceTier, "python": PythonTier, "native": NativeTier}


def options_of(tier: Tier, state: Any) -> tuple[Event, ...]:
    """Everything that can happen in the state."""
    return tuple(event for event, _ in tier.chance(state)) or tier.legal_moves(state)
