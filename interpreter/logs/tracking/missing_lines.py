"""Search for the lines that are missing from a log: the fewest events after which its next line may be legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from ludex.spec import model as m

from ...information.event_visibility import HIDDEN
from ...information.visibility import UNSEEN_ACTION
from ...play.engine import Engine
from ...program import State
from ...state.events import ChanceEvent, Event, Move, Refusal, TooManyStates, is_decline
from ...unknowns import Belief
from ..record import Record
from ..structure import Entry, FullEntry, Lines

_MOST_MOVES = 2
"""Limit of the moves that are taken for missing before one line: each further move multiplies the ways by the number of
legal moves."""
_MOST_EVENTS = 200
"""Limit of the chance events that are taken for missing before one line: more than the cards of a deck."""

Given = TypeVar("Given")
Result = TypeVar("Result")
MissingEvent: TypeAlias = tuple[int, Event]
"""An event that is missing, with the index of the line before which it is."""


@dataclass(frozen=True, slots=True)
class ChanceRun:
    """The last chance events of a log, among which others may be missing.

    known: what is known before the first of them and, if others are missing among them, before each and after the last,
    as if as many were missing before it as are missing in all; None: that is impossible. events: each with the index of
    its line.
    """

    known: tuple[Belief | None, ...]
    events: tuple[MissingEvent, ...]

    def with_known(self, last: Belief) -> ChanceRun:
        """Return the run with what is known before each event; last: after all of them."""
        known = list(self.known)
        for line, event in self.events[len(known) - 1 :]:
            known.append(_followed(known[-1], line, event))
        return ChanceRun((*known[:-1], last), self.events)

    def with_one_more(self, here: int) -> tuple[ChanceRun, bool]:
        """Return the run as if one more chance event were missing among its events or after them, and whether it
        would take too long to know what is known after the last then.

        known: of all. here: the index of the line after the run.
        """
        row, start, is_too_much, path = list[Belief | None](), 0, False, None
        awaited = (*((line, event) for line, event in self.events), (here, None))
        for before, (line, event) in zip(self.known, awaited, strict=True):
            one_more, is_too_much = _with_chance(before, line)
            followed = _followed(row[-1], *self.events[len(row) - 1]) if row else None
            # Another statement draws from here on, and none before it can have drawn more.
            if followed is None and row and _path(event) not in (None, path):
                start = len(row)
            path = _path(event)
            row.append(_either(one_more, followed))
        return ChanceRun(tuple(row[start:]), self.events[start:]), is_too_much


@dataclass(frozen=True, slots=True)
class Missing:
    """Events that are missing before a line, or among the chance events of the lines before it.

    Attributes:
        events: what is known of them: a chance event without its outcome, a player's move without its values, and
            without its action if there are several.
        after: what is known after them; None if too much is unknown there, so that the search was given up.
        is_among: whether some may as well be missing before another one of those lines.
        run: the chance events among which more may be missing.
    """

    events: tuple[MissingEvent, ...]
    after: Belief | None
    is_among: bool = False
    run: ChanceRun | None = None


Fitting: TypeAlias = Callable[[Belief], Belief | Refusal | Literal[False]]
"""Returns what is known after a line; why it is illegal, or False, if it is so in no game. Raises TooManyStates."""


def missing_before(belief: Belief, event: Event, run: ChanceRun | None = None) -> Missing | None:
    """Find the fewest events after which the event may be legal; of equally many moves the first. None: there are none.

    A chance event is taken for missing where the game may await it, before the line or among the run before it; up to
    `_MOST_MOVES` moves are tried besides. If that takes too long, events are missing only if the first is a chance
    event, which cannot be left out.
    """
    return _missing(belief, run, lambda before: before.after(event), _MOST_MOVES)


def filled_in(belief: Belief) -> tuple[MissingEvent, ...]:
    """Return the events that are missing on the way to the first of the states, without declines."""
    return tuple((each.line, event) for each in belief.filled_in for event in each.missing)


def _missing(belief: Belief, run: ChanceRun | None, fitting: Fitting, most_moves: int) -> Missing | None:
    ways: Iterable[Missing] = _by_chance(Missing((), belief), run)
    for moves in range(1 + most_moves):
        tried, given_up = list[Missing](), list[Missing]()
        for way in ways:
            after = way.after and _or_too_much(fitting, way.after)
            # Without a missing event the line was refused already.
            if way.events and isinstance(after, Belief):
                return way
            if way.events and isinstance(way.events[0][1], ChanceEvent) and after is None:
                given_up.append(replace(way, after=None))
            tried.append(way)
        if given_up:
            return max(given_up, key=lambda each: len(each.events))
        if moves < most_moves:
            # Chance events before moves: the game awaits one in one place, while each player may move in many ways.
            ways = (way for each in tried for moved in _by_moves(each) for way in _by_chance(moved))
    return None


def _by_chance(way: Missing, run: ChanceRun | None = None) -> Iterator[Missing]:
    """Yield the way, and the ways with one more chance event, two more and so on, before the line or among the run."""
    yield way
    if way.after is None:
        return
    here, begun = way.after.line, len(way.events)
    row = ChanceRun((way.after,), ()) if run is None else run.with_known(way.after)
    reached = set[tuple[frozenset[object], ...]]()
    for count in range(1, _MOST_EVENTS + 1):
        last = row.known[-1]
        row, is_too_much = row.with_one_more(here)
        after = row.known[-1]
        if after is not None:
            yield Missing(filled_in(after)[-begun - count :], after, after.is_filled_elsewhere(count), row)
        elif is_too_much and last is not None:
            path = next(path for path in last.awaited_chances if path is not None)
            yield Missing((*way.events, (here, ChanceEvent(path, HIDDEN))), None)
            return
        # A play that goes round in a circle has no end.
        states = tuple(frozenset(each.states if each is not None else ()) for each in row.known)
        if not any(states) or states in reached:
            return
        reached.add(states)


def _with_chance(belief: Belief | None, line: int) -> tuple[Belief | None, bool]:
    """Return what is known if a chance event is missing before the line, and whether that is too much to know."""
    if belief is None:
        return None, False
    events = [ChanceEvent(path, HIDDEN) for path in belief.awaited_chances if path is not None]
    ways = [_or_too_much(belief.at(line).after_missing, event) for event in events]
    known = [way for way in ways if isinstance(way, Belief)]
    return known[0].either(*known[1:]) if known else None, None in ways


def _followed(belief: Belief | None, line: int, event: Event) -> Belief | None:
    after = None if belief is None else _or_too_much(belief.at(line).after, event)
    return after if isinstance(after, Belief) else None


def _path(event: Event | None) -> str | None:
    return event.path if isinstance(event, ChanceEvent) else None


def _either(one: Belief | None, other: Belief | None) -> Belief | None:
    return one.either(other) if one is not None and other is not None else one or other


def as_missing(engine: Engine, state: State, event: Event) -> Event:
    """Return what is written of an event that is missing, from the state before it: what is certain in that state."""
    if isinstance(event, ChanceEvent):
        return ChanceEvent(event.path, HIDDEN)
    return event if is_decline(event) else next(_moves(Belief(engine, (state,)), event.player))


def with_events(lines: Lines, missing: Mapping[int, Sequence[Event]]) -> Lines:
    """Return the lines of a log, with a line for each missing event; it has the place of the line after it."""
    written = list[tuple[Record, Entry | None]]()
    for at, (record, entry) in enumerate(lines):
        written += [(record, FullEntry(event)) for event in missing.get(at, ())]
        written.append((record, entry))
    return Lines([record for record, _ in written], [entry for _, entry in written], range(len(written)))


def _by_moves(way: Missing) -> Iterator[Missing]:
    if way.after is None:
        return
    reference, line = way.after.engine.reference, way.after.line
    # For a player who is not to move it would take long to find out that each move is illegal.
    movers = {seat for state in way.after.references for seat in reference.to_move(state)}
    for seat in sorted(movers):
        for move in _moves(way.after, seat):
            after = _or_too_much(way.after.after_missing, move)
            if not isinstance(after, Refusal):
                yield Missing((*way.events, (line, move)), after, way.is_among)
                break


def _moves(belief: Belief, seat: int) -> Iterator[Move]:
    """Yield a player's move with its action, if no other is on offer and it cannot be declined; then without."""
    reference = belief.engine.reference
    steps = [reference.at(state).step if state.frames else None for state in belief.references]
    if all(isinstance(step, m.Decide) and not step.optional for step in steps):
        options = [option for step in steps for option in (step.options if isinstance(step, m.Decide) else ())]
        names = {option.action if isinstance(option, m.ActionOption) else option.name for option in options}
        if len(names) == 1:
            (action,) = names
            arguments = reference.game.moves[action].arguments
            yield Move(seat, action, tuple((name, HIDDEN) for name, _, _ in arguments))
    yield Move(seat, UNSEEN_ACTION)


def _or_too_much(after: Callable[[Given], Result], given: Given) -> Result | None:
    """Return what a function returns; None if it would take too long to know."""
    try:
        return after(given)
    except TooManyStates:
        return None
