"""Search for a short witness, a log on which two games differ.

1. Breadth-first search from the start, as far as the budget allows: its witness is shortest.
2. Random plays, each with its own bias to kinds of moves, from the start or from positions near the difference.
3. Shrinking: parts of the witness are left out, and the rest is replayed as far as it can be.
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
from .product_game import ProductGame, ProductState, Stuck, Witness
from .row_result import SearchEffort, SearchLimits

BROAD, BROADEST = 8, 800
"""The breadth-first search may use 1/BROAD of the events, at most BROADEST."""
_MARKS = 48
"""The largest number of positions near the difference that are kept, to begin random plays from."""
LOOKED_AHEAD = 12
"""The largest number of events of a witness under shrinking that may be skipped at once."""
FAULTY = 12
"""Spec faults that end a search: more than this many, and more than 0.8 for each play. The rules hardly play then."""
SHORTENING, SHORTENING_WHOLE = 40, 6
"""Events spent on shrinking, for each event of the first witness; fewer for whole plays, which can hardly be
shorter."""
SPACED, _LAST = 10, 4
"""The distance in events, and the number, of the positions before the end that are kept where only the result
differs."""
ENOUGH = 60
"""The number of failed attempts in a row after which shrinking ends."""


_LEADING, FEEDING, _OTHERS = (10, 40, 120), (3, 10, 40, 80), (1, 10, 10, 40)
"""Weights a random play may give to moves that lead to the difference, to those that change what it reads, and to
others."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A position reached in a play. done: number of moves so far that the two games judge differently."""

    both: ProductState
    events: tuple[Event, ...]
    done: int = 0


class Spent(Exception):
    """Raised if the budget of a search is spent."""


class WitnessSearch:
    """One search for a witness on the product game of two readings.

    Attributes of the search so far:
        _seen: the effort; `_most` is the limit of its events.
        _faults: the number of spec faults; `_may_fail`: they no longer stop the search.
        _marks: positions near the difference; `_most_done` is the greatest number of differing moves among all plays.
        _stuck: the shortest play that only one of the two games can continue.
    """

    def __init__(self, pair: ProductGame, limits: SearchLimits, seed: int = 0) -> None:
        self._pair, self._limits = pair, limits
        self._rng = Generator(seed)
        self._until = monotonic() + limits.seconds
        self._most = limits.events
        self._seen = SearchEffort()
        self._faults = self._most_done = 0
        self._marks: list[Mark] = []
        self._stuck: Witness | None = None
        self._may_fail = False

    def run(self) -> tuple[Witness | None, SearchEffort]:
        """Search; return the shortest witness found, if any, and the effort. Deterministic, unless time runs out.

        If there is no witness, a play is returned that continues in one game only: the rules of the other are silent.
        """
        try:
            start = Mark(self._pair.start(), ())
        except Stuck as stuck:
            alone = Witness((), None, True, stuck.parting)
            return alone if stuck.alone else None, self._seen
        witnesses: list[Witness] = []
        with suppress(Spent):
            self._find(start, witnesses)
        if not witnesses and self._stuck is not None:
            # The play ends in a fault by its nature: faults must not stop the search for a shorter one.
            self._may_fail, self._most = True, self._seen.events + self._for_shortening(self._stuck)
            with suppress(Spent):
                witnesses.extend(self._shortened(self._stuck, start))
        return (witnesses[-1] if witnesses else self._stuck), self._seen

    def _find(self, start: Mark, witnesses: list[Witness]) -> None:
        """Append ever shorter witnesses. Raises Spent.

        They are appended, not returned, so that the caller has the last one when the budget is spent.
        """
        broad = self._broad(start)
        if broad is not None:
            witnesses.append(broad)
            return
        first = self._at_random(start)
        witnesses.append(first)
        self._most += self._for_shortening(first)
        for shorter in self._shortened(first, start):
            witnesses.append(shorter)  # noqa: PERF402 - each is kept as it comes: the next may be one too many

    def _for_shortening(self, first: Witness) -> int:
        """Compute how many events may be spent on shrinking."""
        times = SHORTENING if first.event is not None else SHORTENING_WHOLE
        return max(self._limits.events // 3, min(times * first.length, self._limits.events))

    # ---- the budget

    def _count(self) -> None:
        timed_out = monotonic() > self._until
        self._seen = replace(self._seen, events=self._seen.events + 1, timed_out=timed_out)
        if timed_out or self._seen.events >= self._most:
            raise Spent

    def _play(self, both: ProductState, event: Event, events: list[Event]) -> bool:
        events.append(event)
        self._count()
        try:
            return self._pair.play(both, event)
        except Stuck as stuck:
            # This is used if there is no witness: that the rules of one side are silent is a difference, too.
            if stuck.alone and (self._stuck is None or len(events) < self._stuck.length):
                self._stuck = Witness(tuple(events[:-1]), event, True, stuck.parting)
            self._failed()
            return False

    def _failed(self) -> None:
        self._faults += 1
        # A spec that fails in nearly every play would use up the budget of the search, and show nothing.
        if not self._may_fail and self._faults > max(FAULTY, 0.8 * self._seen.plays):
            raise Spent

    # ---- breadth-first search

    def _broad(self, start: Mark) -> Witness | None:
        """Search breadth first, so that the first witness is a shortest one."""
        waiting, known, most = deque([start]), {start.both.key()}, min(self._limits.events // BROAD, BROADEST)
        while waiting and self._seen.events < most:
            here = waiting.popleft()
            witness = self._witness_here(here.both, here.events, thorough=True)
            if witness is not None:
                return witness
            for event in self._options(here.both):
                both, events = here.both.clone(), [*here.events]
                if self._seen.events >= most:
                    break
                if self._play(both, event, events) and both.key() not in known:
                    # Another way to this position is at least as long.
                    known.add(both.key())
                    waiting.append(Mark(both, tuple(events)))
        return None

    # ---- random plays

    def _at_random(self, start: Mark) -> Witness:
        """Play at random until a play is a witness. Raises Spent."""
        while True:
            witness = self._random_play(self._beginning(start), None)
            if witness is not None:
                return witness

    def _beginning(self, start: Mark) -> Mark:
        """Choose the start or a marked position; prefer one where more differing moves were made."""
        if not self._marks or self._rng.below(10) < 4:  # the marks may all be on a way that shows nothing
            return start
        # The better of two is taken, not the best of all, which would be the same position again and again.
        one, other = self._rng.choice(self._marks), self._rng.choice(self._marks)
        return one if one.done > other.done and self._rng.below(10) < 7 else other

    def _random_play(self, mark: Mark, most: int | None) -> Witness | None:
        """Play at random, at most `most` events; return the play if it is a witness."""
        self._seen = replace(self._seen, plays=self._seen.plays + 1)
        taste, both, events = Taste(self._rng, self._pair.contrast), mark.both.clone(), list(mark.events)
        was_apart, marked = self._pair.differs(both), 0
        latest: deque[Mark] = deque(maxlen=_LAST)
        while most is None or len(events) <= most:
            # Comparing all options takes long, so a position that looks alike is compared one time in ten.
            witness = self._witness_here(both, events, thorough=self._rng.below(10) < 1)
            if witness is not None:
                return witness if most is None or witness.length <= most else None
            options = self._options(both)
            if not options:
                self._ended(latest)
                return None
            if self._pair.contrast.results and len(events) % SPACED == 0:
                latest.append(Mark(both.clone(), tuple(events)))
            # At most two are stored: one play would fill the store with similar positions.
            if marked < 2 and self._pair.is_touched(both) and self._rng.below(10) < 3:
                marked += 1
                self._mark(both, events)
            if not self._play(both, taste.pick(options), events):
                return None
            if self._did_more(events):
                self._mark(both, events)
            if not was_apart and self._pair.differs(both):
                was_apart = True
                self._mark(both, events)
        return None

    def _did_more(self, events: Sequence[Event]) -> bool:
        """Test whether the play has just made more differing moves than any before."""
        offers = self._pair.contrast.offers
        if _kind(events[-1]) not in offers:
            return False
        done = sum(_kind(event) in offers for event in events)
        if done <= self._most_done:
            return False
        self._most_done = done
        return True

    def _ended(self, latest: Sequence[Mark]) -> None:
        """Mark positions before the end of a play: if results differ, other continuations may show it."""
        for mark in latest:
            self._mark(mark.both, mark.events)

    def _mark(self, both: ProductState, events: Sequence[Event]) -> None:
        """Keep the position; if the store is full, it replaces the longer of two random ones."""
        mark = Mark(both.clone(), tuple(events), sum(_kind(event) in self._pair.contrast.offers for event in events))
        if len(self._marks) < _MARKS:
            self._marks.append(mark)
            return
        one, other = self._rng.below(_MARKS), self._rng.below(_MARKS)
        # A witness contains the way to the position, so short ways are worth more.
        longer = max(one, other, key=lambda at: len(self._marks[at].events))
        self._marks[longer] = mark

    def _options(self, both: ProductState) -> tuple[Event, ...]:
        try:
            return self._pair.options(both)
        except SpecFault:  # the rules cannot say what is on offer, so the play ends here
            return ()

    def _witness_here(self, both: ProductState, events: Sequence[Event], thorough: bool) -> Witness | None:
        """Return a witness if the games part in this position. See `ProductGame.witness_here`."""
        try:
            return self._pair.witness_here(both, events, thorough)
        except SpecFault:
            return None

    # ---- shrinking

    def _shortened(self, best: Witness, start: Mark) -> Iterator[Witness]:
        """Yield ever shorter witnesses."""
        while True:
            shorter = next(self._shorter(best, start), None)
            if shorter is None:
                return
            yield (best := shorter)

    def _shorter(self, best: Witness, start: Mark) -> Iterator[Witness]:
        """Yield shorter witnesses. If `best` continues in one game only, a shorter one of this kind counts, too."""
        is_stuck = best is self._stuck
        for shorter in self._attempts(best, start):
            if shorter is not None:
                yield shorter
            elif is_stuck and self._stuck is not None and self._stuck is not best:
                yield self._stuck

    def _attempts(self, best: Witness, start: Mark) -> Iterator[Witness | None]:
        """Leave out parts of the witness, large ones first; then play at random from positions on its path."""
        path = self._positions(best, start)
        wanted = (*best.events, *([best.event] if best.event is not None and best.in_left else []))
        for at, after in _cuts(len(best.events)):
            yield self._followed(path[at], wanted[after:], best.length - 1)
        for _ in range(ENOUGH):
            at = self._rng.below(len(path))
            # A play may also start at the beginning: a shorter witness may lie on quite another one.
            mark = self._rng.choice([path[at], self._beginning(start)])
            if len(mark.events) < best.length:
                yield self._random_play(mark, best.length - 1)

    def _positions(self, best: Witness, start: Mark) -> list[Mark]:
        """List the positions along a witness, the start first."""
        path, both, events = [start], start.both.clone(), list(start.events)
        for event in best.events:
            self._play(both, event, events)
            path.append(Mark(both.clone(), tuple(events)))
        return path

    def _followed(self, mark: Mark, wanted: Sequence[Event], most: int) -> Witness | None:
        """Play on from a position: the next wanted event that is legal, by any player who is to move, else a random
        one."""
        both, events, left = mark.both.clone(), list(mark.events), list(wanted)
        while len(events) <= most:
            # While wanted events are left, what led to the difference before is still to come.
            witness = self._witness_here(both, events, thorough=not left)
            if witness is not None:
                return witness if witness.length <= most else None
            event = self._wanted(left, both) or self._any(both)
            if event is None or not self._play(both, event, events):
                return None
        return None

    def _any(self, both: ProductState) -> Event | None:
        options = self._options(both)
        return self._rng.choice(options) if options else None

    def _wanted(self, left: list[Event], both: ProductState) -> Event | None:
        """Remove and return the first wanted event that is legal, perhaps by another player."""
        engine, state = self._pair.left, both.left
        players, attempts = engine.to_move(state), 0
        for at, event in enumerate(left):
            if isinstance(event, Move) is not bool(players):  # a move where chance is awaited, or the reverse
                continue
            if (attempts := attempts + 1) > LOOKED_AHEAD:
                return None
            for variant in _by_others(event, players):
                if not _refused(engine, state, variant):
                    del left[: at + 1]
                    return variant
        return None


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Enumerate the parts to leave out, as (first, end), halving their length each round (as in delta debugging)."""
    size = length
    while size:
        for at in range(0, length, size):
            yield at, min(at + size, length)
        size //= 2


def _by_others(event: Event, players: Sequence[int]) -> Iterator[Event]:
    """Vary the player of the event: where events before it were left out, somebody else may be to move."""
    if isinstance(event, ChanceEvent) or event.player in players:
        yield event
    else:
        yield from (event._replace(player=player) for player in players)


def _refused(engine: Engine, state: State, event: Event) -> bool:
    try:
        return not engine.is_legal(state, event)
    except SpecFault:
        return True


class Taste:
    """The bias of one random play to kinds of moves.

    Moves that lead to the difference, or that change what it reads, get higher weights. Plays with different biases
    reach more positions than uniform ones.
    """

    def __init__(self, rng: Generator, contrast: Contrast) -> None:
        self._rng, self._contrast = rng, contrast
        self._by_name = rng.below(2) < 1
        self._liking: dict[str, int] = {}

    def pick(self, options: Sequence[Event]) -> Event:
        """Pick one of the options; half of the plays choose the kind of move first, so that many alike do not
        prevail."""
        if isinstance(options[0], ChanceEvent) or len(options) == 1:
            return self._rng.choice(options)
        if not self._by_name:
            return options[self._rng.weighted([self._weight(event) for event in options])]
        kinds: dict[str, list[Event]] = {}
        for event in options:
            kinds.setdefault(_kind(event), []).append(event)
        alike = list(kinds.values())
        return self._rng.choice(alike[self._rng.weighted([self._weight(events[0]) for events in alike])])

    def _weight(self, event: Event) -> int:
        name = _kind(event)
        if name not in self._liking:
            near = FEEDING if name in self._contrast.feeds else _OTHERS
            self._liking[name] = self._rng.choice(_LEADING if name in self._contrast.leads else near)
        return self._liking[name]


def _kind(event: Event) -> str:
    return event.action if isinstance(event, Move) else event.path
