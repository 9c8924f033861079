"""The lines of a log in a search: which states may follow one state, by a line or by an event that is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ludex.spec import OverBudget

from ...generator import Generator
from ...information.visibility import is_partial
from ...program import State
from ...state.events import ChanceEvent, Event, SpecFault, TooManyStates
from ...state.pools import entries_of
from ...unknowns.following import (
    BRANCH,
    LISTED,
    AnyStep,
    EventStep,
    GapStep,
    Guess,
    LineStep,
    Objections,
    TurningStep,
    awaited_chance,
    work_on,
)
from ..structure import NOTE, Claim, Deal, Entry, Gap, Lines, PlainEntry, loser_among_winners
from ..tracking.beginning import recorded_state
from ..tracking.claim_check import wrong_parts
from ..tracking.dealing import Hand, without_card
from ..tracking.tracker import ReplayContext

Hands: TypeAlias = tuple[Hand, ...]
"""The hands that a log has listed, as far as they are not dealt."""
After: TypeAlias = tuple[State, Hands, Event | None]
"""A state, the hands to be dealt in it, and the event that leads to it; None if no one event does."""

MOST_TURNED = 4
"""How often it is tried whether a line says what a move turned up, which takes long."""


class LastEvent(NamedTuple):
    """The last event before a line. before: the state before it; turned: what lines after it say that it turned up."""

    before: State
    event: Event
    turned: tuple[ChanceEvent, ...]


class LineFollower:
    """Follows single lines of a log, from one state.

    is_complete: whether all states were found so far.
    """

    def __init__(self, context: ReplayContext, lines: Lines, generator: Generator) -> None:
        self.context, self.engine, self.lines = context, context.engine, lines
        self._generator = generator
        self.is_complete = True
        self._turned = dict[int, int]()

    def is_plain(self, at: int) -> bool:
        """Return whether the line has one continuation at most."""
        entry = self.lines.entry(at)
        return isinstance(entry, PlainEntry)

    def awaits_chance(self, state: State) -> bool:
        return awaited_chance(self.engine, state) is not None

    def after(self, at: int, state: State, hands: Hands, last: LastEvent | None) -> Iterator[After]:
        """Yield what may be after a line."""
        entry = self.lines.entry(at)
        assert entry is not None
        try:
            for after in self._played(at, entry, state, hands, last):
                if entry.claim is None or self._is_true(after[0], entry.claim):
                    yield after
        except OverBudget:
            raise TooManyStates from None
        except SpecFault:
            return

    def with_event(self, at: int, state: State, hands: Hands) -> Iterator[After]:
        """Yield what may be after one event that is missing before a line."""
        try:
            if self.awaits_chance(state):
                events: Sequence[Event] = [event for event, _ in self.engine.chance(state)]
            else:
                # Between the cards of hands nobody moves.
                movers = () if hands else self.engine.to_move(state)
                events = [move for seat in movers for move in self.engine.legal_moves(state, seat)]
            work_on(self.engine, LISTED * len(events))
            for event in self._shuffled(events):
                for each in self._steps(at, state, event):
                    yield from ((*dealt, event) for dealt in self._dealt(at, each, hands))
        except OverBudget:
            raise TooManyStates from None
        except SpecFault:
            return

    # ---- lines

    def _played(self, at: int, entry: Entry, state: State, hands: Hands, last: LastEvent | None) -> Iterator[After]:
        several = entry.several
        if isinstance(several, Deal):
            listed = (*hands, Hand(several, self.lines[at][0]))
            yield from ((*dealt, None) for dealt in self._dealt(at, state, listed))
        elif isinstance(several, Gap):
            for each in self._gap(at, several, state):
                yield from ((*dealt, None) for dealt in self._dealt(at, each, hands))
        elif hands and entry != NOTE:
            return
        elif entry.event is not None:
            yield from self._event(at, entry.event, state, last)
        elif self._fits(at, entry, state):
            yield state, hands, None

    def _event(self, at: int, event: Event, state: State, last: LastEvent | None) -> Iterator[After]:
        is_legal = False
        for each in self._steps(at, state, event):
            is_legal = True
            yield each, (), event
        if not is_legal and last is not None and isinstance(event, ChanceEvent) and self._turned_up(at, event, last):
            yield state, (), event

    def _turned_up(self, at: int, event: ChanceEvent, last: LastEvent) -> bool:
        """Return whether the last event turned the piece of the line up, as somebody knew where it was."""
        hidden, held = self.engine.reference.rules.hidden.cells, self.engine.to_reference(last.before).cells
        if is_partial(last.event) or not any(event.outcome in entries_of(held[cell]) for cell in hidden):
            return False
        tried = self._turned[at] = self._turned.get(at, 0) + 1
        if tried > MOST_TURNED:
            self.is_complete = False
            return False
        turned = tuple([(each.path, each.outcome) for each in (*last.turned, event)])
        return next(iter(self._states(TurningStep(self.engine, last.event, turned), last.before)), None) is not None

    def _gap(self, at: int, gap: Gap, state: State) -> Iterator[State]:
        guess = self._shuffled
        if gap.count is None:
            return self._states(GapStep(self.engine, gap.only_chance, False, guess), state)
        return self._passed(state, gap.count, guess)

    def _passed(self, state: State, count: int, guess: Guess) -> Iterator[State]:
        if not count:
            yield state
            return
        for each in self._states(AnyStep(self.engine, False, guess), state):
            yield from self._passed(each, count - 1, guess)

    def _fits(self, at: int, entry: Entry, state: State) -> bool:
        """Return whether a line that holds no event may be in this state."""
        if entry.end is not None:
            return loser_among_winners(entry.end) is None and not self.engine.is_terminal(state)
        return entry.position is None or self._is_at(at, entry, state)

    def _is_true(self, state: State, claim: Claim) -> bool:
        work_on(self.engine, BRANCH)
        return next(wrong_parts(self.engine, state, claim, self.context.table), None) is None

    def _is_at(self, at: int, entry: Entry, state: State) -> bool:
        from ..position.position import position_of  # it loads the reference, which most logs do not need

        data, record = entry.position, self.lines[at][0]
        if isinstance(data, dict) and "flow" not in data:
            data = {**data, "flow": position_of(self.engine.reference, self.engine.to_reference(state))["flow"]}
        recorded = recorded_state(self.engine, data, self.context.header.names, record, "/position", False)
        return isinstance(recorded, State) and recorded.key() == state.key()

    def _dealt(self, at: int, state: State, hands: Hands) -> Iterator[tuple[State, Hands]]:
        """Deal the listed cards as far as they come next."""
        path = awaited_chance(self.engine, state) if hands else None
        number = None
        if path is not None:
            seat = self.engine.chance_for(state)
            number = next((number for number, hand in enumerate(hands) if hand.fits(path, seat)), None)
        if number is None:
            yield state, hands
            return
        for each in self._steps(at, state, hands[number].event):
            yield from self._dealt(at, each, without_card(hands, number))

    def _steps(self, at: int, state: State, event: Event) -> Iterator[State]:
        return self._states(EventStep(self.engine, event, self._shuffled), state)

    def _states(self, step: LineStep, state: State) -> Iterator[State]:
        # As what is unknown is guessed, all is known in each of the states but what nobody has seen.
        return (each for each in step.after(state, Objections()) if isinstance(each, State))

    def _shuffled(self, events: Sequence[Event]) -> list[Event]:
        listed = list(events)
        for end in range(len(listed) - 1, 0, -1):
            other = self._generator.below(end + 1)
            listed[end], listed[other] = listed[other], listed[end]
        return listed
