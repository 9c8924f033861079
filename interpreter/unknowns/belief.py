"""Belief: every state that a play may be in, if the record of its events is incomplete.

An event whose parts are not all recorded (`HIDDEN`) is legal if some completion of the record is: for a die or a
choice each value that was possible, for a piece each that it may have been. A belief holds a list of states, some of
them with unknown parts (`possible_run.py`); the states together cover every completion, so a legal play is never
refused. They may cover more: what a requirement says about unknown pieces is remembered only where few pieces come into
question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from itertools import islice

from ludex.spec import model as m
from ludex.spec import types as t

from ..information.visibility import sees
from ..play.engine import Engine
from ..program import State as KnownState
from ..stack.state import StackState
from ..state.contents import Ticket
from ..state.events import Event, Move, Outcome, Refusal, RefusalKind, Scores, TooManyStates, is_decline
from ..state.pools import entries_of
from ..state.zones import cell_of, indexed
from .following import (
    AnyStep,
    AwaitingStep,
    DecliningStep,
    EventStep,
    GapStep,
    Guess,
    LineStep,
    NarrowingStep,
    Objections,
    PossibleState,
    StayingStep,
    TurningStep,
    aside,
    awaited_chance,
    settled_state,
    work_left,
)
from .joining import joined_states
from .possible_run import FEW_CANDIDATES, PossibleRun
from .pursuit import AS_RECORDED, Pursuit
from .unknown_values import OneOf

MANY_STATES = 60
"""States with unknown parts that differ only in values are joined if a belief has more of them than this."""

MOST_STATES = 400
"""A belief that has more states than this after joining is given up."""

MOST_KNOWN = 20_000
"""A belief of more known states than this is joined; after half of the work, one of more than `MOST_STATES`."""

HALF = 0.5

SPARE = 4
"""A sample is taken from this many states after a line for each state that it keeps."""

LEAST = 4
"""The least number of successors of one state that are examined."""

MUCH_LEFT = 0.8
"""While more than this part of the work is left, many states are followed one by one."""

LOOKS = 2
"""The number of known states for which the reference explains why an event is illegal."""


@dataclass(frozen=True, slots=True)
class FilledIn:
    """Events that were left out of a log before the line with this index. before: those before earlier lines."""

    before: FilledIn | None
    line: int
    events: tuple[Event, ...]

    @property
    def declines(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if is_decline(event))

    @property
    def missing(self) -> tuple[Event, ...]:
        """The others, which a log has to have."""
        return tuple(event for event in self.events if not is_decline(event))


class Belief:
    """The states that a play may be in. Immutable.

    Its methods raise `TooManyStates` where there would be too many, or to follow them would take too long.

    line: the index of the line of the log that is judged now, for the events that are filled in before it.
    """

    def __init__(
        self,
        engine: Engine,
        states: Iterable[PossibleState],
        pursuit: Pursuit = AS_RECORDED,
        line: int = 0,
        filled_in: Mapping[PossibleState, FilledIn] | FilledIn | None = None,
    ) -> None:
        self.engine, self.pursuit, self.line = engine, pursuit, line
        # Branches may be equal states now, as states forget.
        given = dict.fromkeys(states)
        self.states = tuple(self._few(given))
        # A joined state is reached in several ways, of which one is kept.
        ways = dict.fromkeys(given, filled_in) if isinstance(filled_in, FilledIn) else filled_in or {}
        some = next(iter(ways.values()), None)
        kept = {state: ways.get(state, None if state in given else some) for state in self.states} if ways else {}
        self._filled_in = {state: way for state, way in kept.items() if way is not None}

    def at(self, line: int) -> Belief:
        """Return this belief before the line of the log with this index."""
        belief = copy(self)
        belief.line = line
        return belief

    @property
    def filled_in(self) -> tuple[FilledIn, ...]:
        """The events that were filled in on the way to the first of the states; declines only if these are a sample."""
        return tuple(reversed(list(_back(self.last_filled))))

    @property
    def last_filled(self) -> FilledIn | None:
        """The last of them."""
        return self._filled_in.get(self.states[0])

    def is_filled_elsewhere(self, count: int) -> bool:
        """Return whether one of the last so many events was filled in before another line, on the way to some state."""
        ways = (islice(_back(last), count) for last in self._filled_in.values())
        return any(each.line != self.line for way in ways for each in way)

    @property
    def references(self) -> tuple[StackState, ...]:
        """The states that are followed, as states of the reference."""
        return tuple(
            self.engine.to_reference(state) if isinstance(state, KnownState) else state for state in self.states
        )

    @property
    def known(self) -> KnownState | None:
        """The one state that the play is in; None if it is not known."""
        state = self.states[0]
        return state if len(self.states) == 1 and isinstance(state, KnownState) else None

    def known_to(self, seat: int) -> KnownState | None:
        """Return a state that the play may be in, if the player sees the same in every one; None otherwise."""
        references = self.references
        seen = [
            at
            for element in self.engine.game.elements
            for at, (_, indices) in enumerate(indexed(element), start=element.offset)
            if sees(element, indices, seat)
        ]
        views = {(state.frames, *(state.cells[at] for at in seen)) for state in references}
        if len(views) > 1 or any(_is_unknown(references[0].cells[at]) for at in seen):
            return None
        # Any completion will do: the player cannot tell them apart.
        run = PossibleRun(self.engine.reference.rules, references[0])
        return Belief(self.engine, [settled_state(self.engine, run.completed())]).known

    @property
    def example(self) -> KnownState:
        """One possible state, in which every piece that somebody has seen is identified."""
        if isinstance(self.states[0], KnownState):
            return self.states[0]
        run = PossibleRun(self.engine.reference.rules, self.states[0])
        return self.engine.from_reference(run.completed().state())

    @property
    def has_ended(self) -> bool | None:
        """Whether the game is over; None if that is not known."""
        ended = {not state.frames for state in self.references}
        return ended.pop() if len(ended) == 1 else None

    @property
    def result(self) -> tuple[tuple[Scores, ...], Outcome] | None:
        """The points and the winners of a finished game; None if they are not known."""
        results = set()
        for state in self.references:
            # Each state has the budget of a whole step.
            self.engine.reference.meter.begin()
            results.add(None if state.frames else PossibleRun(self.engine.reference.rules, state).result())
        return results.pop() if len(results) == 1 else None

    @property
    def has_known_results(self) -> bool:
        """Whether the points and the winners of each state do not depend on what is unknown in it."""
        rules = self.engine.reference.rules
        return all(PossibleRun(rules, state).result() is not None for state in self.references)

    def is_unseen(self, element: m.Element, indices: tuple[t.Value, ...]) -> bool:
        """Return whether a hidden zone holds a piece that nobody has seen."""
        entries = entries_of(self.states[0].cells[cell_of(element, indices)])
        return element.visibility == "hidden" and any(type(entry) is Ticket for entry in entries)

    @property
    def awaited_chances(self) -> tuple[str | None, ...]:
        """The paths of the chance statements that some state awaits; None among them if one awaits none."""
        return tuple(dict.fromkeys(awaited_chance(self.engine, state) for state in self.states))

    @property
    def awaits_chance(self) -> str | None:
        """The path of the chance statement that every state awaits; None if they do not await the same."""
        paths = self.awaited_chances
        return paths[0] if len(paths) == 1 else None

    @property
    def movers(self) -> tuple[int, ...] | None:
        """The players to move in every state; None if they are not the same."""
        players = {tuple(self.engine.reference.to_move(state)) for state in self.references}
        return players.pop() if len(players) == 1 else None

    @property
    def receiver(self) -> int | None:
        """The seat of the player whose place receives the piece of the awaited chance event in every state."""
        seats = {self.engine.reference.chance_for(state) for state in self.references}
        return seats.pop() if len(seats) == 1 else None

    # ---- events

    def after(self, event: Event) -> Belief | Refusal:
        """Return the belief after an event, parts of which may be `HIDDEN`; or why it is illegal in every state."""
        return self._after(event, ())

    def after_missing(self, event: Event) -> Belief | Refusal:
        """Return what `after` does for an event that is missing in the log before the line."""
        return self._after(event, (event,))

    def _after(self, event: Event, missing: tuple[Event, ...]) -> Belief | Refusal:
        objections = Objections(LOOKS)
        belief = self._taken(EventStep(self.engine, event, self._guess), objections, missing)
        if belief is not None:
            return belief
        if objections.refusal is None:
            if objections.fault is None:  # there is no value that an unknown part could have
                return Refusal(RefusalKind.NOT_OFFERED, event)
            raise objections.fault
        return objections.refusal

    def after_turning(self, event: Event, turned: Sequence[tuple[str, t.Value]]) -> Belief | None:
        """Return the belief after an event that turned up these pieces, in this order; None if no state allows it.

        Somebody knew where these pieces were, so to turn them up was not a chance event. turned: the path of the
        statement, and the piece.
        """
        return self._taken(TurningStep(self.engine, event, tuple(turned)))

    def after_any(self, only_chance: bool = False) -> Belief | None:
        """Return the belief after one wholly unknown event; None if no state can have one.

        only_chance: the event is not a move.
        """
        return self._taken(AnyStep(self.engine, only_chance, self._guess))

    def after_gap(self, only_chance: bool) -> Belief:
        """Return the belief after any number of wholly unknown events."""
        belief = self._taken(GapStep(self.engine, only_chance, self.pursuit.declines, self._guess))
        assert belief is not None, "a gap may be empty"
        return belief

    # ---- knowledge from claims and notes

    def holding(self, element: m.Element, indices: tuple[t.Value, ...], value: t.Value) -> Belief | None:
        """Return the belief, given what a state or zone holds (a pile with its top last); None if no state agrees."""
        return self._narrowed(lambda run: run.holding(element, indices, value))

    def before_claim(self) -> Belief:
        """Return the belief with the states after declines that may have been left out before a claim.

        A claim has many parts, and to decline before each of them would follow the same declines again for each.
        """
        return (self.pursuit.declines and self._taken(StayingStep())) or self

    def sized(self, element: m.Element, indices: tuple[t.Value, ...], size: int) -> Belief | None:
        """Return the belief, given the number of pieces in a zone; None if no state agrees."""
        cell = cell_of(element, indices)
        return self._narrowed(lambda run: [run] if len(entries_of(run.cells[cell])) == size else [])

    def ended(self, is_over: bool) -> Belief | None:
        """Return the belief, given whether the game is over; None if no state agrees."""
        return self._narrowed(lambda run: [run] if (not run.frames) == is_over else [])

    def scored(self, seat: int, points: int) -> Belief | None:
        """Return the belief, given a player's points now; None if no state agrees."""
        return self._narrowed(lambda run: [run] if run.may_score(seat, points) else [])

    def won(self, seats: frozenset[int]) -> Belief | None:
        """Return the belief, given the winners (none: an undecided tie); None if no state agrees."""
        return self._narrowed(lambda run: [run] if run.may_win(seats) else [])

    def _narrowed(self, narrow: Callable[[PossibleRun], Iterable[PossibleRun]]) -> Belief | None:
        return self._taken(NarrowingStep(self.engine, narrow, self._most_from_one))

    def awaiting(self, path: str, seat: int | None) -> Belief | None:
        """Return the belief, given the statement that awaits its chance event, and the receiver (None: unknown); None
        if no state agrees."""
        return self._taken(AwaitingStep(self.engine, lambda awaited, to: awaited == path and seat in (None, to)))

    def awaiting_others(self, excluded: Set[tuple[str, int | None]]) -> Belief | None:
        """Return the belief, given that none of these is awaited, each a statement and a receiver as in `awaiting`;
        None if no state agrees."""
        return self._taken(AwaitingStep(self.engine, lambda path, to: excluded.isdisjoint({(path, to), (path, None)})))

    def without(self, states: Set[PossibleState]) -> Belief | None:
        """Return the belief without these states; None if it has no others."""
        left = [state for state in self.states if state not in states]
        return Belief(self.engine, left, self.pursuit, self.line, self._filled_in) if left else None

    def either(self, *others: Belief) -> Belief:
        """Return the states of this belief and of others."""
        # Of several ways to one state the first is kept, as its states are before those of the others.
        ways = {state: way for each in (*reversed(others), self) for state, way in each._filled_in.items()}
        states = [state for each in (self, *others) for state in each.states]
        return Belief(self.engine, states, self.pursuit, self.line, ways)

    def _taken(
        self, step: LineStep, objections: Objections | None = None, missing: tuple[Event, ...] = ()
    ) -> Belief | None:
        """Return the belief after a line; None if the line is illegal in every state.

        objections: collects why the states cannot be taken through the line; missing: the event, if it is one that is
        missing before the line.
        """
        objections, after = objections or Objections(), dict[PossibleState, FilledIn | None]()
        with aside(self.engine):
            for state in self.states:
                before = self._filled_in.get(state)
                for declines, each in islice(self._ways(step, state, objections), self._most_from_one):
                    # If all plays are followed, several declines may have been left out, so none can be recorded as the
                    # right one.
                    filled = (*(() if self.pursuit.sample is None else declines), *missing)
                    after.setdefault(each, FilledIn(before, self.line, filled) if filled else before)
                    # The states are made fewer while they come in, as a gap may lead to very many.
                    if len(after) > self._most_after:
                        after = {kept: after.get(kept) for kept in self._few(after)}
        filled_in = {state: way for state, way in after.items() if way is not None}
        return Belief(self.engine, after, self.pursuit, self.line, filled_in) if after else None

    def _ways(
        self, step: LineStep, state: PossibleState, objections: Objections
    ) -> Iterator[tuple[tuple[Move, ...], PossibleState]]:
        """Yield every state to which a step may lead, with the declines that were left out before it."""
        if self.pursuit.declines and not isinstance(step, GapStep | NarrowingStep):
            return DecliningStep(self.engine, step).ways(state, objections)
        return (((), each) for each in step.after(state, objections))

    def _few(self, states: Iterable[PossibleState]) -> Sequence[PossibleState]:
        return _covering(self.engine, states) if self.pursuit.sample is None else self.pursuit.sample.of(states)

    @property
    def _guess(self) -> Guess | None:
        return self.pursuit.guess(self.engine.game)

    @property
    def _most_from_one(self) -> int | None:
        """The number of states after a line that are examined for each state before it; None: all."""
        sample = self.pursuit.sample
        return None if sample is None else max(LEAST, SPARE * sample.size // len(self.states))

    @property
    def _most_after(self) -> int:
        return MOST_KNOWN if self.pursuit.sample is None else SPARE * self.pursuit.sample.size


def _covering(engine: Engine, states: Iterable[PossibleState]) -> Sequence[PossibleState]:
    """Return the states, or fewer that cover them if they are too many. Raises TooManyStates if these are, too."""
    listed = tuple(states)
    # Known states are followed by the compiled engine, so far more of them are kept than of the others.
    most = MANY_STATES if work_left(engine) > MUCH_LEFT else FEW_CANDIDATES
    most_known = MOST_KNOWN if work_left(engine) > HALF else MOST_STATES
    if len(listed) <= most_known and sum(not isinstance(state, KnownState) for state in listed) <= most:
        return listed
    references = (engine.to_reference(state) if isinstance(state, KnownState) else state for state in listed)
    covering = joined_states(engine.reference.rules, tuple(dict.fromkeys(references)), most)
    if len(covering) > MOST_STATES:
        raise TooManyStates
    return covering


def _back(last: FilledIn | None) -> Iterator[FilledIn]:
    while last is not None:
        yield last
        last = last.before


def _is_unknown(held: t.Value) -> bool:
    return any(isinstance(entry, Ticket | OneOf) for entry in entries_of(held))
