"""The search for a short log on which two games part.

First broadly from the beginning, as far as that goes: what is found so is shortest. Then by random plays, each with
tastes of its own, that begin at the start or where an earlier one came near the difference. Then what was found is made
shorter: parts of it are left out, and what still can follow is played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic

from ..generator import Generator
from ..play.engine import Engine
from ..program import State
from ..state.events import ChanceEvent, Event, Move, SpecFault
from .contrast import Contrast
from .product_game import Both, Pair, Stuck, Witness
from .row_result import Limits, Searched

BROAD, BROADEST = 8, 800
"""This part of the events may be spent on going through everything from the beginning, but no more than so many."""
MARKS = 48
"""So many positions near the difference are kept."""
LOOKED_AHEAD = 12
"""So many events of a log that is being shortened may be passed over at once."""
FAULTY = 12
"""A search stops if so many plays came to nothing but faults."""
SHORTENING, SHORTENING_WHOLE = 40, 6
"""So many events may be spent on shortening, for each event of the first witness; of whole plays, which can hardly be
shorter."""
SPACED, LAST = 10, 4
"""Where only the end can tell, so many positions before it are kept, so many events apart."""
ENOUGH = 60
"""A log is short enough if so many attempts in a row did not shorten it."""


LEADING, FEEDING, OTHERS = (10, 40, 120), (3, 10, 40, 80), (1, 10, 10, 40)
"""How much a play may like moves that lead to the difference, that change what it rests on, and others."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A position that a play came to. done: how many of the moves that the two judge differently were made by then."""

    both: Both
    events: tuple[Event, ...]
    done: int = 0


class Spent(Exception):
    """Nothing is left of what a search may use."""


class Search:
    """One search."""

    def __init__(self, pair: Pair, limits: Limits, seed: int = 0) -> None:
        self._pair, self._limits = pair, limits
        self._rng = Generator(seed)
        self._until = monotonic() + limits.seconds
        self._most = limits.events
        self._seen = Searched()
        self._faults = self._most_done = 0
        self._marks: list[Mark] = []
        self._stuck: Witness | None = None
        self._may_fail = False

    def run(self) -> tuple[Witness | None, Searched]:
        """The shortest witness found, if any, and what was looked at. The same at every run unless time stops it.
        If there is nothing better, a play that goes on in one game only: in the other the rules say no more."""
        try:
            start = Mark(self._pair.start(), ())
        except Stuck as stuck:
            alone = Witness((), None, True, stuck.parting)
            return alone if stuck.alone else None, self._seen
        found: list[Witness] = []
        with suppress(Spent):
            self._find(start, found)
        if not found and self._stuck is not None:
            self._may_fail, self._most = True, self._seen.events + self._for_shortening(self._stuck)
            with suppress(Spent):
                found.extend(self._shortened(self._stuck, start))
        return (found[-1] if found else self._stuck), self._seen

    def _find(self, start: Mark, found: list[Witness]) -> None:
        """Add ever shorter witnesses. Raises Spent."""
        broad = self._broad(start)
        if broad is not None:
            found.append(broad)
            return
        first = self._at_random(start)
        found.append(first)
        self._most += self._for_shortening(first)
        for shorter in self._shortened(first, start):
            found.append(shorter)  # noqa: PERF402 - each is kept as it comes: the next may be one too many

    def _for_shortening(self, first: Witness) -> int:
        """So many events may be spent on making a log shorter."""
        times = SHORTENING if first.event is not None else SHORTENING_WHOLE
        return max(self._limits.events // 3, min(times * first.length, self._limits.events))

    # ---- what is counted

    def _count(self) -> None:
        timed_out = monotonic() > self._until
        self._seen = replace(self._seen, events=self._seen.events + 1, timed_out=timed_out)
        if timed_out or self._seen.events >= self._most:
            raise Spent

    def _play(self, both: Both, event: Event, events: list[Event]) -> bool:
        events.append(event)
        self._count()
        try:
            return self._pair.play(both, event)
        except Stuck as stuck:
            if stuck.alone and (self._stuck is None or len(events) < self._stuck.length):
                self._stuck = Witness(tuple(events[:-1]), event, True, stuck.parting)
            self._failed()
            return False

    def _failed(self) -> None:
        self._faults += 1
        if not self._may_fail and self._faults > max(FAULTY, 0.8 * self._seen.plays):
            raise Spent

    # ---- everything, from the beginning

    def _broad(self, start: Mark) -> Witness | None:
        """Breadth first: what it finds is shortest."""
        waiting, known, most = deque([start]), {start.both.key()}, min(self._limits.events // BROAD, BROADEST)
        while waiting and self._seen.events < most:
            here = waiting.popleft()
            parted = self._parted(here.both, here.events, thorough=True)
            if parted is not None:
                return parted
            for event in self._options(here.both):
                both, events = here.both.clone(), [*here.events]
                if self._seen.events >= most:
                    break
                if self._play(both, event, events) and both.key() not in known:
                    known.add(both.key())
                    waiting.append(Mark(both, tuple(events)))
        return None

    # ---- at random

    def _at_random(self, start: Mark) -> Witness:
        """Plays until one parts. Raises Spent."""
        while True:
            found = self._random_play(self._beginning(start), None)
            if found is not None:
                return found

    def _beginning(self, start: Mark) -> Mark:
        """The start, or a position near the difference; where the positions differ rather than where they may."""
        if not self._marks or self._rng.below(10) < 4:
            return start
        one, other = self._rng.choice(self._marks), self._rng.choice(self._marks)
        return one if one.done > other.done and self._rng.below(10) < 7 else other

    def _random_play(self, mark: Mark, most: int | None) -> Witness | None:
        """A play of at most so many events; the witness that it comes to, if it does."""
        self._seen = replace(self._seen, plays=self._seen.plays + 1)
        taste, both, events = Taste(self._rng, self._pair.contrast), mark.both.clone(), list(mark.events)
        was_apart, marked = self._pair.differs(both), 0
        latest: deque[Mark] = deque(maxlen=LAST)
        while most is None or len(events) <= most:
            parted = self._parted(both, events, thorough=self._rng.below(10) < 1)
            if parted is not None:
                return parted if most is None or parted.length <= most else None
            mine = self._options(both)
            if not mine:
                self._ended(latest)
                return None
            if self._pair.contrast.results and len(events) % SPACED == 0:
                latest.append(Mark(both.clone(), tuple(events)))
            if marked < 2 and self._pair.is_touched(both) and self._rng.below(10) < 3:
                marked += 1
                self._mark(both, events)
            if not self._play(both, taste.pick(mine), events):
                return None
            if self._did_more(events):
                self._mark(both, events)
            if not was_apart and self._pair.differs(both):
                was_apart = True
                self._mark(both, events)
        return None

    def _did_more(self, events: Sequence[Event]) -> bool:
        """Whether the play has just made more of the moves that are judged differently than any before."""
        offers = self._pair.contrast.offers
        if _kind(events[-1]) not in offers:
            return False
        done = sum(_kind(event) in offers for event in events)
        if done <= self._most_done:
            return False
        self._most_done = done
        return True

    def _ended(self, latest: Sequence[Mark]) -> None:
        """A play is over: if points or winners are counted otherwise, others that begin a little before come to other
        ends."""
        for mark in latest:
            self._mark(mark.both, mark.events)

    def _mark(self, both: Both, events: Sequence[Event]) -> None:
        """Keep the position; when there are enough, in the place of the longer of two others."""
        mark = Mark(both.clone(), tuple(events), sum(_kind(event) in self._pair.contrast.offers for event in events))
        if len(self._marks) < MARKS:
            self._marks.append(mark)
            return
        one, other = self._rng.below(MARKS), self._rng.below(MARKS)
        longer = max(one, other, key=lambda at: len(self._marks[at].events))
        self._marks[longer] = mark

    def _options(self, both: Both) -> tuple[Event, ...]:
        try:
            return self._pair.options(both)
        except SpecFault:  # what is on offer has no value
            return ()

    def _parted(self, both: Both, events: Sequence[Event], thorough: bool) -> Witness | None:
        try:
            return self._pair.parted(both, events, thorough)
        except SpecFault:
            return None

    # ---- shorter

    def _shortened(self, best: Witness, start: Mark) -> Iterator[Witness]:
        """Ever shorter witnesses than the given one."""
        while True:
            found = next(self._shorter(best, start), None)
            if found is None:
                return
            yield (best := found)

    def _shorter(self, best: Witness, start: Mark) -> Iterator[Witness]:
        """Shorter ones than this. Of a play that goes on in one game only, a shorter one of its kind counts too."""
        is_stuck = best is self._stuck
        for found in self._attempts(best, start):
            if found is not None:
                yield found
            elif is_stuck and self._stuck is not None and self._stuck is not best:
                yield self._stuck

    def _attempts(self, best: Witness, start: Mark) -> Iterator[Witness | None]:
        """Parts are left out, the large ones first; then random plays from anywhere in it."""
        path = self._positions(best, start)
        wanted = (*best.events, *([best.event] if best.event is not None and best.in_left else []))
        for at, behind in _cuts(len(best.events)):
            yield self._followed(path[at], wanted[behind:], best.length - 1)
        for _ in range(ENOUGH):
            at = self._rng.below(len(path))
            mark = self._rng.choice([path[at], self._beginning(start)])
            if len(mark.events) < best.length:
                yield self._random_play(mark, best.length - 1)

    def _positions(self, best: Witness, start: Mark) -> list[Mark]:
        """Those along a witness, the start first."""
        path, both, events = [start], start.both.clone(), list(start.events)
        for event in best.events:
            self._play(both, event, events)
            path.append(Mark(both.clone(), tuple(events)))
        return path

    def _followed(self, mark: Mark, wanted: Sequence[Event], most: int) -> Witness | None:
        """Play on from a position, each time the next of the wanted events that can be played (by whoever is to move);
        anything where none can."""
        both, events, left = mark.both.clone(), list(mark.events), list(wanted)
        while len(events) <= most:
            parted = self._parted(both, events, thorough=not left)
            if parted is not None:
                return parted if parted.length <= most else None
            event = self._wanted(left, both) or self._any(both)
            if event is None or not self._play(both, event, events):
                return None
        return None

    def _any(self, both: Both) -> Event | None:
        mine = self._options(both)
        return self._rng.choice(mine) if mine else None

    def _wanted(self, left: list[Event], both: Both) -> Event | None:
        """The first of the wanted events that can be played, be it by another player; it is wanted no more."""
        engine, state = self._pair.left, both.left
        players, tried = engine.to_move(state), 0
        for at, event in enumerate(left):
            if isinstance(event, Move) is not bool(players):
                continue
            if (tried := tried + 1) > LOOKED_AHEAD:
                return None
            for meant in _by_others(event, players):
                if not _refused(engine, state, meant):
                    del left[: at + 1]
                    return meant
        return None


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of the parts to leave out."""
    size = length
    while size:
        for at in range(0, length, size):
            yield at, min(at + size, length)
        size //= 2


def _by_others(event: Event, players: Sequence[int]) -> Iterator[Event]:
    """The event by whoever is to move."""
    if isinstance(event, ChanceEvent) or event.player in players:
        yield event
    else:
        yield from (replace(event, player=player) for player in players)


def _refused(engine: Engine, state: State, event: Event) -> bool:
    try:
        return not engine.is_legal(state, event)
    except SpecFault:
        return True


class Taste:
    """What one random play likes: each kind of move much or little, those that lead to the difference rather more, and
    those too that change what it rests on. Plays of different tastes come to more places than plays that have none."""

    def __init__(self, rng: Generator, contrast: Contrast) -> None:
        self._rng, self._contrast = rng, contrast
        self._by_name = rng.below(2) < 1
        self._liking: dict[str, int] = {}

    def pick(self, mine: Sequence[Event]) -> Event:
        """One of the options."""
        if isinstance(mine[0], ChanceEvent) or len(mine) == 1:
            return self._rng.choice(mine)
        if not self._by_name:
            return mine[self._rng.weighted([self._weight(event) for event in mine])]
        kinds: dict[str, list[Event]] = {}
        for event in mine:
            kinds.setdefault(_kind(event), []).append(event)
        alike = list(kinds.values())
        return self._rng.choice(alike[self._rng.weighted([self._weight(events[0]) for events in alike])])

    def _weight(self, event: Event) -> int:
        name = _kind(event)
        if name not in self._liking:
            near = FEEDING if name in self._contrast.feeds else OTHERS
            self._liking[name] = self._rng.choice(LEADING if name in self._contrast.leads else near)
        return self._liking[name]


def _kind(event: Event) -> str:
    return event.action if isinstance(event, Move) else event.path
