"""Search for the events that are missing from a log: few events with which all its lines are legal.

The search is best-first, over the lines that are reached, the state there and the number of events that were added. It
follows single states of which everything is known: what is missing, or unknown in the log, is guessed. So what it finds
is a legal play. Equal states at the same line are merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import exp, log, log2

from ...generator import Generator
from ...program import State
from ...state.events import ChanceEvent, Event, TooManyStates
from ...unknowns import MOST_WORK
from ..structure import Lines
from ..tracking.tracker import ReplayContext
from .clues import Clues
from .line_step import Hands, LastEvent, LineFollower

MOST_PLACES = 100_000
"""The most states at lines that are kept."""

WORK_OF_SEARCH = 2
"""The work for the search, in the work that following a log may take."""

_ONE_OF_MORE = 3
"""After the first solution, one with fewer events is looked for by a third more steps."""

_DOUBT = 2.0
"""A line that contradicts later ones, as far as the clues say, counts as so many added events."""

_DIGITS = 1 << 20

_ENDLESS = 1 << 60


@dataclass(slots=True, eq=False)
class PlaySoFar:
    """A play up to a line of the log.

    Attributes:
        at: the index of the line.
        state, hands: what is known there, and the cards that are listed and not dealt.
        added: how many events were added; free: how many of them are chance events without which no line fits; doubts:
            how many lines contradict later ones, as far as the clues say.
        before: the way before the last event, and that event; is_added: whether it is one that the log does not have.
        onward: the ways that continue this one and were not tried yet: by the line, or, if `is_adding`, by an event
            before it; rank: how many of them were tried; None: the way was not followed yet.
        is_free: whether no line fits without such an event, as a chance event is awaited.
    """

    at: int
    state: State
    hands: Hands = ()
    added: int = 0
    free: int = 0
    doubts: int = 0
    before: PlaySoFar | None = None
    event: Event | None = None
    is_added: bool = False
    onward: Iterator[PlaySoFar] | None = None
    is_adding: bool = False
    is_free: bool = False
    rank: int = 0

    @property
    def cost(self) -> float:
        """What its next continuation costs: of each way the first continuations are the likeliest."""
        added = self.added - self.free + (self.is_adding and not self.is_free)
        return added + _DOUBT * self.doubts + log2(1 + self.rank)

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
        clues = Clues(context.engine.game, [None if entry is None else entry.event for entry in entries])
        self._follower = LineFollower(context, lines, clues)
        self._generator, self._meter = Generator(0), context.engine.reference.meter
        self._open: list[list[tuple[float, int, PlaySoFar]]] = [[] for _ in range(self.end + 1)]
        self._reached: list[dict[object, int]] = [{} for _ in range(self.end + 1)]
        self._top = self._pushed = 0
        self.found: PlaySoFar | None = None
        self.furthest = PlaySoFar(0, start)
        self.is_exhausted = False

    def search(self) -> Filling:
        """Search until the work is used up, or nothing is left to try."""
        steps, most = 0, _ENDLESS
        self._meter.begin_game(credit=(WORK_OF_SEARCH - 1) * MOST_WORK)
        try:
            self._follow(self.furthest)
            while steps < most and self._pushed < MOST_PLACES:
                way = self._chosen()
                if way is None:
                    self.is_exhausted = self._follower.is_complete
                    break
                self._step(way)
                steps += 1
                if self.found is not None and most == _ENDLESS:
                    most = steps + steps // _ONE_OF_MORE
        except TooManyStates:
            pass
        self._meter.begin_game()
        return self

    def _chosen(self) -> PlaySoFar | None:
        """Return the cheapest way at a line, mostly one near the last line that was reached; None if there is none."""
        while self._pushed:
            draw = self._generator.below(_DIGITS) / _DIGITS
            far = int(exp(draw * log(self._top + 2))) - 1
            wanted = self._top - far
            at = min((at for at, ways in enumerate(self._open) if ways), key=lambda at: abs(at - wanted), default=None)
            if at is None:
                return None
            way = heappop(self._open[at])[2]
            if self.found is None or way.added + way.is_adding < self.found.added:
                return way
        return None

    def _step(self, way: PlaySoFar) -> None:
        """Try the next continuation of a way."""
        if way.onward is None:
            self._follow(way)
            return
        onward = next(way.onward, None)
        if onward is not None:
            way.rank += 1
            self._push(way)
            self._enter(onward)
        elif not way.is_adding:
            self._add_from(way)

    def _enter(self, way: PlaySoFar) -> None:
        if way.before is not None and way.doubts > way.before.doubts:
            self._push(way)
        else:
            self._follow(way)

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
            if following is None and self._follower.awaits_chance(way.state):
                way.is_free, way.is_adding, way.onward = True, True, self._by_event(way)
                following = next(way.onward, None)
            if way.is_free or (following is not None and not self._follower.is_plain(way.at)):
                way.rank = 1
                self._push(way)
            else:
                self._add_from(way)
            if following is not None and following.doubts > way.doubts:
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
        way.is_adding, way.rank, way.onward = True, 0, self._by_event(way)
        self._push(way)

    def _push(self, way: PlaySoFar) -> None:
        self._pushed += 1
        self._top = max(self._top, way.at)
        # Of equally cheap ways a random one is first, and no two are compared.
        heappush(self._open[way.at], (way.cost, self._generator.below(_DIGITS) * _DIGITS + self._pushed, way))

    def _by_line(self, way: PlaySoFar) -> Iterator[PlaySoFar]:
        if way.at == self.end:
            return
        doubts = way.doubts + self._follower.is_doubtful(way.at, way.state)
        for state, hands, event in self._follower.after(way.at, way.state, way.hands, _last_event(way)):
            yield PlaySoFar(way.at + 1, state, hands, way.added, way.free, doubts, way, event)

    def _by_event(self, way: PlaySoFar) -> Iterator[PlaySoFar]:
        if way.at == self.end and not way.hands:
            return
        for state, hands, event in self._follower.with_event(way.at, way.state, way.hands):
            free = way.free + way.is_free
            yield PlaySoFar(way.at, state, hands, way.added + 1, free, way.doubts, way, event, is_added=True)
