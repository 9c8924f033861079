"""One interface for all tiers: the engines that play games, with the same queries and comparable states.

The reference is the definition; the engine in Python and native code are the fast ones. A test that must hold in each
tier takes the fixture `tiers` (`conftest.py`); `lockstep.py` plays them side by side. `EXTENTS` says how far each kind
of test goes in each tier.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple, Protocol

from ludex.interpreter import (
    Awaits,
    ChanceEvent,
    Engine,
    Event,
    Move,
    Outcome,
    Reference,
    Refusal,
    Refused,
    Scores,
    Trace,
)
from ludex.interpreter.program import Compiled, State
from ludex.interpreter.program.ir.code import Decision
from ludex.interpreter.stack import state as naive
from ludex.interpreter.state.zones import cell_of
from ludex.spec import Game, NoValue, SpecFault
from ludex.spec import types as t

from .games.candidates import exact
from .once import engine_once

NOT_CARRIED: dict[str, str] = {}
"""Games that native code does not support, with the reason."""


class Missing(Exception):
    """The tier does not support the game, or stopped in a state; the message is the tier's own reason."""


class TierQueries(Protocol):
    """The queries of a tier, defined as in `Engine`. No query changes a state."""

    game: Game

    def start(self) -> Any: ...
    def standing(self, state: Any) -> naive.StackState:
        """Convert a state to the reference's form."""

    def taken(self, state: naive.StackState) -> Any:
        """Convert a state from the reference's form."""

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
    """The reference. A single event is judged by its explanation.

    The moves of the last state are kept: several questions about a state need the list, and the reference tries every
    move for it.
    """

    _last: tuple[naive.StackState, tuple[Move, ...]] | None = None

    def legal_moves(self, state: naive.StackState, player: int | None = None) -> tuple[Move, ...]:
        if player is not None:
            return super().legal_moves(state, player)
        if self._last is None or self._last[0] is not state:
            self._last = state, super().legal_moves(state)
        return self._last[1]

    def standing(self, state: naive.StackState) -> naive.StackState:
        return state

    def taken(self, state: naive.StackState) -> naive.StackState:
        return state

    def is_legal(self, state: naive.StackState, event: Event) -> bool:
        return self.refusal(state, event) is None


class PythonTier:
    """The engine in Python. Tests may share it: all that depends on a state is kept in the state."""

    def __init__(self, game: Game) -> None:
        self.game, self._engine = game, engine_once(game)
        self.standing, self.taken = self._engine.to_reference, self._engine.from_reference

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


class NativeTier:
    """Native code, by the numbers of events.

    Native code says who is to move, which events are possible, how probable and what they do, whether the game is
    over, who has how many points and who wins. Everything else (`BORROWED`) comes from the engine in Python with the
    same program, in the equal state: an answer that differs from the reference's there is no fault of native code.

    Raises Missing.
    """

    BORROWED = frozenset({"scores", "winners", "observe", "public_view", "view_of_event"})

    def __init__(self, game: Game, optimise: bool | None = None) -> None:
        if find_spec("llvmlite") is None:
            raise Missing("llvmlite is not installed")
        from ludex.interpreter.program.native import Native, NotCarried, Stopped

        self.game, self._stopped, self._not_carried = game, Stopped, NotCarried
        self._last: tuple[bytes, Any] = b"", None
        try:
            self.code = Native(game, optimise)
        except NotCarried as reason:
            raise Missing(f"native code does not carry {reason}") from None
        except Stopped as stopped:  # it runs up to the first event when it is made
            raise self._fault(stopped) from None

    @property
    def _beside(self) -> Compiled:
        return self.code.engine

    def _asked(self, question: Callable[..., Any], *given: Any) -> Any:
        """Raise Missing at a limit of native code, and a SpecFault where the rules give no value."""
        try:
            return question(*given)
        except self._stopped as stopped:
            raise self._fault(stopped) from None
        except self._not_carried as reason:
            raise Missing(str(reason)) from None

    def _fault(self, stopped: Any) -> Exception:
        if stopped.place is None:
            return Missing(str(stopped))
        path, line, column = stopped.place
        return NoValue(str(stopped), path, replace(self.game.play.body.span, line=line, column=column))

    def _play(self, state: Any) -> Any:
        """The native state as a copy: queries change nothing, and one state gets many of them."""
        if self._last[0] != state:
            self._last = bytes(state), self.code.to_play(state)
        return self._last[1]

    def start(self) -> Any:
        return self._asked(self.code.start)

    def standing(self, state: Any) -> naive.StackState:
        return self._beside.to_reference(self._play(state))

    def taken(self, state: naive.StackState) -> Any:
        return self._asked(self.code.from_play, self._beside.from_reference(state))

    def awaits(self, state: Any) -> Awaits:
        return self._beside.awaits(self._play(state))

    def is_terminal(self, state: Any) -> bool:
        return self.code.is_terminal(state)

    def to_move(self, state: Any) -> tuple[int, ...]:
        seats: tuple[int, ...] = self._asked(self.code.deciding_seats, state)
        return seats

    def _numbered(self, state: Any) -> list[tuple[int, Event]]:
        """Return the possible events, by their numbers in native code."""
        numbers: Sequence[int] = self._asked(self.code.event_ids, state)
        return list(zip(numbers, self.code.events_of(state, numbers), strict=True))

    def _rows(self, play: State) -> dict[int, Event] | None:
        """Return the moves that are listed by state collections, with their numbers at this decision."""
        from ludex.interpreter.program.native.fallback import has_numbers, numbered_moves

        wait = self._beside.program.waits[play.wait]
        if not isinstance(wait, Decision) or has_numbers(self._beside, wait):
            return None
        return dict(numbered_moves(self._beside, play, wait))

    def legal_moves(self, state: Any, player: int | None = None) -> tuple[Move, ...]:
        moves = (event for _, event in self._numbered(state) if isinstance(event, Move))
        return tuple(move for move in moves if player in (None, move.player))

    def possible(self, state: Any) -> tuple[Event, ...]:
        return tuple(event for _, event in self._numbered(state))

    def chance(self, state: Any) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        outcomes: tuple[tuple[ChanceEvent, Fraction], ...] = self._asked(self.code.weighed, state)
        return outcomes

    def is_legal(self, state: Any, event: Event) -> bool:
        if (number := self._number(state, event)) is None:
            return False
        try:
            return bool(self._asked(self.code.judge_ids, [number], state) == 1)
        except SpecFault:  # A legal move is played too, and a query after it may have no value.
            return number in self._asked(self.code.event_ids, state)

    def _number(self, state: Any, event: Event) -> int | None:
        """Return the number of an event, legal or not; None if it has none."""
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
        self._asked(self.code.advance_id, after, number)
        return after

    def returns(self, state: Any) -> tuple[int, ...]:
        points: tuple[int, ...] = self._asked(self.code.returns, state)
        return points

    def winners(self, state: Any) -> Outcome:
        """Return the winners of native code, with the clause that decided from the engine in Python."""
        won = self._asked(self.code.winning_seats, state)
        return replace(self._beside.winners(self._play(state)), winners=won)

    def scores(self, state: Any) -> tuple[Scores, ...]:
        points, scores = self.returns(state), self._beside.scores(self._play(state))
        assert points == tuple(each.total for each in scores)
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


class Through:
    """The engine in Python, which gives another tier's answers: it converts the state for each question.

    So laws about states of the engine in Python are laws about each tier. What the tier does not answer, the engine
    answers itself.
    """

    ASKED = frozenset(
        {"awaits", "is_terminal", "to_move", "legal_moves", "chance", "chance_for", "is_legal", "offered", "is_offered"}
        | {"returns", "scores", "winners", "observe", "public_view", "view_of_event", "state_to_json", "nearest_legal"}
    )

    KEPT = frozenset({"to_move", "legal_moves", "chance", "observe", "public_view"})

    def __init__(self, tier: Any) -> None:
        self.game, self.tier, self._engine = tier.game, tier, engine_once(tier.game)
        self._answered = {name for name in self.ASKED - getattr(tier, "BORROWED", set()) if hasattr(tier, name)}
        self._last: tuple[State, Any] | None = None
        self._known: dict[Hashable, Any] = {}

    def _there(self, state: State) -> Any:
        """Return the state of the tier. The last one is kept: a state gets many questions."""
        if self._last is None or self._last[0] != state:
            self._last = state.clone(), self.tier.taken(self._engine.to_reference(state))
        return self._last[1]

    def __getattr__(self, name: str) -> Any:
        if name not in self._answered:
            return getattr(self._engine, name)
        return partial(self._ask, name)

    def _ask(self, name: str, state: State, *given: Any) -> Any:
        asked = getattr(self.tier, name)
        if name not in self.KEPT or not isinstance(self.tier, Reference):
            return asked(self._there(state), *given)
        # The reference is slow, and has nothing but the state to answer from.
        key = name, state.key(), *given
        if key not in self._known:
            self._known[key] = asked(self._there(state), *given)
        return self._known[key]

    def options(self, state: State) -> tuple[Event, ...]:
        return options_of(self.tier, self._there(state))

    def refusal(self, state: State, event: Event) -> Refusal | None:
        if isinstance(self.tier, Reference):
            return self.tier.refusal(self._there(state), event)
        return None if self.is_legal(state, event) else self._engine.refusal(state, event)

    def apply(self, state: State, event: Event, trace: Trace | None = None) -> State:
        if isinstance(self.tier, Reference):
            after = self.tier.apply(self._there(state), event, trace)
        elif refusal := self.refusal(state, event):  # native code plays without asking
            raise Refused(refusal)
        else:
            after = self.tier.apply(self._there(state), event)
        return self._engine.from_reference(self.tier.standing(after))

    def advance(self, state: State, event: Event, trace: Trace | None = None) -> Refusal | None:
        if refusal := self.refusal(state, event):
            return refusal
        state.become(self.apply(state, event, trace))
        return None

    def play(self, state: State, event: Event) -> bool:
        return self.advance(state, event) is None

    def state_from_json(self, data: Any) -> State:
        reader = self.tier if isinstance(self.tier, Reference) else self._engine.reference
        return self._engine.from_reference(reader.state_from_json(data))


TIERS: dict[str, Callable[[Game], Any]] = {"reference": ReferenceTier, "python": PythonTier, "native": NativeTier}


def here(optimise: bool | None = None) -> dict[str, Callable[[Game], Any]]:
    """Return the tiers that can be used here. optimise: whether native code is optimised (`Native`)."""
    tiers: dict[str, Callable[[Game], Any]] = {**TIERS, "native": partial(NativeTier, optimise=optimise)}
    if find_spec("llvmlite") is None:
        del tiers["native"]
    return tiers


def drawn_tier(tiers: Mapping[str, Any], rng: Random, is_long: bool) -> tuple[str, ...]:
    """Return the tiers beside the engine in Python that a case is run in: all in a long run, else one."""
    others = sorted(tiers.keys() - {"python"})
    return tuple(others if is_long else rng.sample(others, 1))


class Extent(NamedTuple):
    """The extent of a kind of test in each tier, in a run that is not long: a number, or None for all.

    test: its path. cases: for what it is run. counted: what the numbers count, in each case.
    """

    test: str
    cases: str
    counted: str
    reference: int | None = None
    python: int | None = None
    native: int | None = None

    def of(self, tier: str, is_long: bool) -> int | None:
        """Return the number in a tier; None for all."""
        number: int | None = getattr(self, tier)
        return None if is_long else number


EXTENTS = {
    "laws": Extent(
        "games/test_laws.py::test_a_play_keeps_the_laws", "16 tables of all", "events of a play", 3, None, 4
    ),
    "secrecy": Extent(
        "games/test_laws_secrecy.py::test_a_play_keeps_the_laws_of_secrecy",
        "16 tables of all",
        "events of a play",
        3,
        None,
        0,
    ),
    "ends": Extent("games/test_laws.py::test_a_play_reaches_the_end", "9 tables of all", "last events", 3, None, 8),
    "extremes": Extent(
        "games/test_laws.py::test_extreme_plays_have_no_spec_fault", "9 tables of all", "last events", 2, None, 8
    ),
    "examples": Extent("test_tiers.py::test_each_tier_passes_the_examples", "6 shipped games", "examples"),
    "playthroughs": Extent(
        "games/test_playthroughs.py::test_a_playthrough_equals_its_file", "each shipped game", "events", 2, None, 8
    ),
    "conformance": Extent(
        "conformance/test_lockstep.py::test_both_engines_agree", "8 settings of all", "points", 2, None, 8
    ),
    "damage": Extent(
        "games/test_damage.py::test_damage_is_judged_alike_in_each_tier", "5 tables of all", "damaged logs", 4, 4, 4
    ),
    "generated games": Extent(
        "interpreter/test_generated_games.py::test_a_generated_game_is_played_alike", "4 games", "plays", 1, 1, 1
    ),
    "whole games": Extent(
        "interpreter/test_whole_games.py::test_a_whole_generated_game_is_played_alike", "12 games", "plays", 1, 1, 1
    ),
}
"""The extents by kind of test."""


def options_of(tier: TierQueries | Engine | Through, state: Any) -> tuple[Event, ...]:
    """Return every possible event of the state."""
    if isinstance(tier, Through):
        return tier.options(state)
    if isinstance(tier, NativeTier):
        return tier.possible(state)
    return tuple(event for event, _ in tier.chance(state)) or tier.legal_moves(state)
