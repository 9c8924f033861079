"""Search for the events that are missing from a log: few events with which all its lines are legal.

The search is best-first, over the lines that are reached, the state there and the number of events that were added, as
far as the needs of the next lines say how many more are missing. It follows single states of which everything is known:
what is missing, or unknown in the log, is guessed. So what it finds is a legal play. Equal states at the same line are
merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice
from math import exp, log, log2

from ...generator import Generator
from ...program import State
from ...state.events import ChanceEvent, Event, TooManyStates
from ...unknowns import MOST_WORK
from ...unknowns.following import work_on
from ..structure import Lines
from ..tracking.tracker import ReplayContext
from .line_step import After, Hands, LastEvent, LineFollower
from .needs import NEVER, Needs, Unmet

MOST_PLACES = 100_000
"""The most states at lines that are kept."""

WORK_OF_SEARCH = 8_000_000
"""The units of work of the search: five seconds or so."""

_FIRST_STEPS = 2_000
"""The steps of the first attempt: most logs need few, and an early guess that is wrong may be in the way of all others.
Each attempt has twice as many as the one before."""

_STEP = 50
"""The work of comparing one continuation with others, besides what its needs take."""

_COMPARED = 64
"""The most continuations that are followed at once, to begin with the likeliest."""

_DIGITS = 1 << 20

_ENDLESS = 1 << 60


@dataclass(slots=True, eq=False)
class PlaySoFar:
    """A play up to a line of the log.

    Attributes:
        at: the index of the line.
        state, hands: what is known there, and the cards that are listed and not dealt.
        unmet: what the next lines need and is not so in the state.
        added: how many events were added; doubt: how much less likely than others its continuations were.
        before: the way before the last event, and that event; is_added: whether it is one that the log does not have.
        onward: the ways that continue this one, of which `ahead` is the next to be tried: by the line, or, if
            `is_adding`, by an event before it.
        is_stopped: whether the line is not legal here, or contradicts later ones.
    """

    at: int
    state: State
    hands: Hands = ()
    unmet: Unmet = frozenset()
    added: int = 0
    doubt: float = 0
    before: PlaySoFar | None = None
    event: Event | None = None
    is_added: bool = False
    onward: Iterator[PlaySoFar] | None = None
    ahead: PlaySoFar | None = None
    is_adding: bool = False
    is_stopped: bool = False

    @property
    def cost(self) -> float:
        """How many events its next continuation has added and still needs, and how much it is doubted."""
        if self.ahead is not None:
            return self.ahead.cost
        # An event that is added may bring what is needed.
        unlikely = self.is_adding and (not self.unmet) + (not self.is_stopped)
        return self.needed + self.doubt + unlikely

    @property
    def needed(self) -> int:
        return self.added + len(self.unmet)

    def all_added(self) -> list[tuple[int, State, Event]]:
        """Return the events that were added, each with the index of the line before which it is, and the state before
        it.

        Cards that are missing between those of listed hands are left out: they are found where the hands are dealt.
        """
        added, dealt, way = list[tuple[int, State, Event]](), set[tuple[int, str | None]](), self
        while way.before is not None:
            if way.is_added and way.event is not None:
                added.append((way.at, way.before.state, way.event))
                if way.before.hands:
                    dealt.add((way.at, _path(way.event)))
            way = way.before
        return [(at, state, event) for at, state, event in reversed(added) if (at, _path(event)) not in dealt]


def _unlikeliness(way: PlaySoFar, after: PlaySoFar) -> tuple[int, int]:
    """How much the lines need after a continuation, and the first line of those that need less than before it."""
    return len(after.unmet), min([line for line, _ in way.unmet - after.unmet], default=NEVER)


def _path(event: Event) -> str | None:
    return event.path if isinstance(event, ChanceEvent) else None


def _last_event(way: PlaySoFar) -> LastEvent | None:
    turned: tuple[ChanceEvent, ...] = ()
    # The lines that say what an event turned up leave the state as it is, as notes do.
    while way.before is not None and way.state is way.before.state:
        turned = (way.event, *turned) if isinstance(way.event, ChanceEvent) else turned
        way = way.before
    return None if way.before is None or way.event is None else LastEvent(way.before.state, way.event, turned)


class Filling:
    """The search for what is missing from one log.

    Attributes:
        found: a play of the whole log; None if none was found.
        furthest: a play of as many lines as possible, with the fewest events added.
        is_exhausted: whether all plays were tried; if not, the search ended as its work was used up.
    """

    def __init__(self, context: ReplayContext, lines: Lines, start: State) -> None:
        entries = [lines.entry(at) for at in range(len(lines))]
        # A line that cannot be read is a fault of its own, and nothing after it is judged.
        self.end = entries.index(None) if None in entries else len(entries)
        self._needs = Needs(context.engine, entries[: self.end])
        self._generator, self._engine, self._pushed = Generator(0), context.engine, 0
        self._follower = LineFollower(context, lines, self._generator)
        self.found: PlaySoFar | None = None
        self._start = start
        self.furthest = PlaySoFar(0, start)
        self.is_exhausted = False

    def search(self) -> Filling:
        """Search until the work is used up, or nothing is left to try."""
        meter, number = self._engine.reference.meter, 0
        meter.begin_game(credit=WORK_OF_SEARCH - MOST_WORK)
        try:
            while self.found is None and not self.is_exhausted:
                # What is best tried first depends on how many guesses are wrong.
                self._attempt(_FIRST_STEPS << number, doubts=number % 2 == 0)
                number += 1
        except TooManyStates:
            pass
        meter.begin_game()
        return self

    def _attempt(self, most: int, doubts: bool) -> None:
        """Search from the beginning by so many steps; after the first solution, by as many again for a shorter one."""
        self._doubt, self._top = float(doubts), 0
        self._open: list[list[tuple[float, int, PlaySoFar]]] = [[] for _ in range(self.end + 1)]
        self._reached: list[dict[object, int]] = [{} for _ in range(self.end + 1)]
        self._follow(PlaySoFar(0, self._start, unmet=self._unmet(0, self._start)))
        step = 0
        while step < most:
            way = self._chosen()
            if way is None:
                self.is_exhausted = self._follower.is_complete
                return
            was_found = self.found is not None
            self._step(way)
            step += 1
            if self.found is not None and not was_found:
                most = 2 * step

    def _chosen(self) -> PlaySoFar | None:
        """Return the cheapest way at a line, mostly one near the last line that was reached; None if there is none."""
        while True:
            draw = self._generator.below(_DIGITS) / _DIGITS
            far = int(exp(draw * draw * log(self._top + 2))) - 1
            wanted = self._top - far
            at = min((at for at, ways in enumerate(self._open) if ways), key=lambda at: abs(at - wanted), default=None)
            if at is None:
                return None
            way = heappop(self._open[at])[2]
            if self.found is None or way.cost < self.found.added:
                return way

    def _step(self, way: PlaySoFar) -> None:
        """Try the next continuation of a way."""
        if way.onward is None and not way.is_adding:
            self._follow(way)
            return
        if way.onward is None:
            way.onward = self._by_event(way)
            onward = None
        else:
            onward = way.ahead
        way.ahead = next(way.onward, None)
        if way.ahead is not None:
            self._push(way)
        elif not way.is_adding:
            self._add_from(way)
        if onward is not None:
            self._follow(onward)

    def _follow(self, way: PlaySoFar) -> None:
        """Follow the log from the end of a way, by the first continuation of each line, as far as its lines fit."""
        following: PlaySoFar | None = way
        while following is not None and self._is_new(following):
            way = following
            if (way.at, -way.added) > (self.furthest.at, -self.furthest.added):
                self.furthest = way
            if way.at == self.end and not way.hands:
                self.found = way
                return
            way.onward = self._by_line(way)
            following = next(way.onward, None)
            way.is_stopped = following is None or following.needed > way.needed
            if following is None and self._follower.awaits_chance(way.state):
                self._add_from(way)
                return
            way.ahead = None if following is None else next(way.onward, None)
            if way.ahead is not None:
                self._push(way)
            else:
                self._add_from(way)
            if following is not None and way.is_stopped:
                self._push(following)
                return

    def _is_new(self, way: PlaySoFar) -> bool:
        """Note that a state is reached at a line, and return whether it was not reached with as few events before."""
        key = way.state.key(), way.hands
        known = self._reached[way.at].get(key)
        if (known is not None and known <= way.added) or (self.found is not None and way.added >= self.found.added):
            return False
        self._reached[way.at][key] = way.added
        return True

    def _add_from(self, way: PlaySoFar) -> None:
        way.is_adding, way.onward, way.ahead = True, None, None
        self._push(way)

    def _push(self, way: PlaySoFar) -> None:
        self._pushed += 1
        if self._pushed > MOST_PLACES:
            raise TooManyStates
        self._top = max(self._top, way.at)
        # Chance decides between ways of about the same cost, so that not all are much alike; no two are compared.
        noise = -log((1 + self._generator.below(_DIGITS)) / _DIGITS)
        heappush(self._open[way.at], (way.cost + noise, self._pushed, way))

    def _by_line(self, way: PlaySoFar) -> Iterator[PlaySoFar]:
        if way.at == self.end:
            return
        after = self._follower.after(way.at, way.state, way.hands, _last_event(way))
        yield from self._likeliest_first(way, after, way.at + 1)

    def _by_event(self, way: PlaySoFar) -> Iterator[PlaySoFar]:
        if way.at == self.end and not way.hands:
            return
        yield from self._likeliest_first(way, self._follower.with_event(way.at, way.state, way.hands), way.at)

    def _likeliest_first(self, way: PlaySoFar, after: Iterable[After], at: int) -> Iterator[PlaySoFar]:
        """Yield the ways that continue a way, the likeliest first: those after which the log needs the least."""
        added, after, is_added = way.added + (at == way.at), iter(after), at == way.at
        rank = 0
        while some := list(islice(after, _COMPARED)):
            ways = [
                PlaySoFar(at, state, hands, self._unmet(at, state), added, 0, way, event, is_added)
                for state, hands, event in some
            ]
            for each in sorted(ways, key=lambda each: _unlikeliness(way, each)):
                rank += 1
                each.doubt = way.doubt + self._doubt * log2(rank)
                yield each

    def _unmet(self, at: int, state: State) -> Unmet:
        work_on(self._engine, _STEP + self._needs.work(at))
        return self._needs.unmet(at, state)
