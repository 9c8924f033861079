"""Test of a log that leaves things unknown: its completions are followed by the old and the changed rules together.

A completion is a log with a value for all that is unknown. Each one that the old rules allow is played by both sets of
rules, as a pair of states; pairs that have become equal are followed once. The result is whether all completions are
the same game by both, some, or none. If there are too many of them, the result is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from ludex.grammar import Json

from ...information.visibility import is_partial
from ...play.engine import Engine
from ...program import State
from ...state.events import DECLINE, Awaits, ChanceEvent, Event, Move, SpecFault
from ...unknowns.completing import completes, was_unseen
from ..record import Record
from ..structure import Claim, Deal, Entry, Gap, Lines, line_of, line_reader, read_lines
from ..tracking.beginning import recorded_state
from ..tracking.dealing import Dealing
from ..tracking.report import Play
from ..tracking.tracker import ReplayContext, ReplayOptions, StateTracker
from .views import Difference, difference, view

MOST_PAIRS = 1_000
"""The largest number of pairs of states that are followed at one line of a log."""
MOST_STEPS = 10_000
"""The largest number of events that are played for one log, in all of its completions."""


class CompletionsResult(Enum):
    """The finding on the completions of a log that the old rules allow."""

    SAME = auto()
    """All of them are the same game by the changed rules."""
    SOME = auto()
    """Some of them are the same game by the changed rules, and others are not."""
    OTHER = auto()
    """None of them is the same game by the changed rules, but some are legal by them."""
    REFUSED = auto()
    """None of them is legal by the changed rules."""
    OPEN = auto()
    """There are too many to follow them all."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a log's completions under the old and the changed rules.

    Attributes:
        record: the line after which no completion is as it was; None if there is no such line.
        difference: what differs there in one of them, and after which event, if all are legal still.
    """

    finding: CompletionsResult
    record: Record | None = None
    difference: tuple[Difference, dict[str, Json] | None] | None = None


class _Open(Exception):
    """The completions cannot be followed."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A play of a completion. new: the state by the changed rules; None if they refuse it. is_same: all states up to
    here were the same; last: the line of the last event."""

    old: State
    new: State | None
    is_same: bool = True
    last: dict[str, Json] | None = None

    @property
    def key(self) -> tuple[object, ...]:
        return self.old.key(), None if self.new is None else self.new.key(), self.is_same


def compare_completions(old: Play, new: Play) -> Compared:
    """Compare what the old and the changed rules make of a log's completions."""
    try:
        return _Comparison(old, new).compared()
    # Whatever stops one of the plays leaves it open what the others are.
    except (_Open, SpecFault):
        return Compared(CompletionsResult.OPEN)


class _Side:
    """The log as one set of rules reads it."""

    def __init__(self, play: Play) -> None:
        header = play.report.header
        if play.engine is None or play.start is None or play.log is None or header is None:
            raise _Open
        self.engine: Engine = play.engine
        self.start: State = play.start
        self.names = header.names
        self.reader = line_reader(self.engine.game, self.names)
        self.context = ReplayContext(self.engine, header, self.reader.table, ReplayOptions(explains=False))
        self.lines: Lines = read_lines(self.reader, play.log.events, [])
        self._known: dict[Event, Event | None] = {}
        # A log has a budget of its own, whatever was judged before it.
        self.engine.meter.begin_game()
        self.engine.reference.meter.begin_game()

    def event(self, event: Event, of: _Side) -> Event | None:
        """Return the event of the other rules as these have it; None if they have no such event."""
        if event not in self._known:
            # Numbers of cards and places may differ, but not their names.
            read = self.reader.read(line_of(of.engine.game, event, self.names))
            self._known[event] = read.event if isinstance(read, Entry) else None
        return self._known[event]

    def claimed(self, state: State, claim: Claim) -> tuple[State, tuple[Move, ...]] | None:
        """Return the state in which the claim is true, and the declines before it; None if it is false."""
        claimed = StateTracker(self.context, state).claimed(claim)
        if claimed.wrong is None:
            raise _Open
        assert claimed.tracker.state is not None
        return None if claimed.wrong else (claimed.tracker.state, claimed.declines)


class _Comparison:
    def __init__(self, old: Play, new: Play) -> None:
        self.old, self.new = _Side(old), _Side(new)
        self.steps = 0
        self.dealing = Dealing()
        self.record: Record | None = None
        self.lost: Compared | None = None
        self.may_be_turned_up = False

    def compared(self) -> Compared:
        first = _Pair(self.old.start, self.new.start)
        pairs = self._settled([first], None)
        for at in range(len(self.old.lines)):
            record, entry = self.old.lines[at]
            mine = self.new.lines.entry(at)
            if entry is None or mine is None:
                raise _Open
            pairs = self._settled(self._after_entry(pairs, entry, mine, record), record)
            self.may_be_turned_up = entry.event is not None or isinstance(entry.several, Deal)
        if self.dealing.hands:
            raise _Open
        if self.lost is not None:
            return self.lost
        return Compared(CompletionsResult.SAME if all(pair.is_same for pair in pairs) else CompletionsResult.SOME)

    def _settled(self, pairs: Iterable[_Pair], record: Record | None) -> list[_Pair]:
        """Return the pairs after a line without those that are equal, and note what is lost there."""
        listed = self._distinct(pairs)
        # Validation finds more ways to read a log than are followed here, as where a decline was left out.
        if not listed:
            raise _Open
        if self.lost is None and not any(pair.is_same for pair in listed):
            self.lost = self._loss(listed, record)
        is_refused = not any(pair.new is not None for pair in listed)
        if is_refused and self.lost is not None and self.lost.finding is not CompletionsResult.REFUSED:
            # The line at which the last of them is refused says more than where they began to differ.
            self.lost = Compared(CompletionsResult.REFUSED, record)
        return listed

    def _loss(self, pairs: list[_Pair], record: Record | None) -> Compared:
        for pair in pairs:
            if pair.new is not None:
                other = self._difference(pair.old, pair.new)
                return Compared(CompletionsResult.OTHER, record, None if other is None else (other, pair.last))
        return Compared(CompletionsResult.REFUSED, record)

    def _difference(self, old: State, new: State) -> Difference | None:
        return difference(view(self.old.engine, old), view(self.new.engine, new))

    def _distinct(self, pairs: Iterable[_Pair]) -> list[_Pair]:
        found: dict[tuple[object, ...], _Pair] = {}
        for pair in pairs:
            found.setdefault(pair.key, pair)
            if len(found) > MOST_PAIRS:
                raise _Open
        return list(found.values())

    # ---- one line

    def _after_entry(self, pairs: list[_Pair], entry: Entry, mine: Entry, record: Record) -> Iterable[_Pair]:
        followed: Iterable[_Pair] = pairs
        if entry.event is not None:
            followed = self._each(pairs, entry.event)
        elif isinstance(entry.several, Deal):
            followed = self._dealt(pairs, entry.several, record)
        elif isinstance(entry.several, Gap):
            followed = self._gap(pairs, entry.several)
        if entry.position is not None:
            followed = self._at_position(followed, entry.position, record)
        if entry.claim is not None and mine.claim is not None:
            followed = self._true(followed, entry.claim, mine.claim)
        return self._ended(followed) if entry.end is not None else followed

    def _each(self, pairs: Iterable[_Pair], event: Event) -> list[_Pair]:
        return self._distinct(later for pair in pairs for later in self._after(pair, event))

    def _after(self, pair: _Pair, event: Event) -> Iterator[_Pair]:
        """Yield the plays after an event of which parts may be unknown."""
        if not is_partial(event):
            yield from self._after_known(pair, event)
            return
        found = False
        for each in self._possible(pair.old):
            if _may_be(each, event, self.old.engine):
                found = True
                yield from self._played(pair, (each,))
        # A decline may have been left out before the event, which is not followed here.
        if not found and any(move.action == DECLINE for move in self._moves(pair.old)):
            raise _Open

    def _after_known(self, pair: _Pair, event: Event) -> Iterator[_Pair]:
        taken = StateTracker(self.old.context, pair.old).after(event)
        declines = getattr(taken, "declines", None)
        if declines is not None:
            yield from self._played(pair, (*declines, event))
            return
        awaits_chance = self.old.engine.awaits(pair.old) is Awaits.CHANCE
        # A line that says what the last event turned up is not an event.
        is_turned_up = isinstance(event, ChanceEvent) and not awaits_chance and self.may_be_turned_up
        if is_turned_up or getattr(taken, "may_fit", False):
            raise _Open

    def _possible(self, state: State) -> Iterator[Event]:
        yield from (event for event, _ in self.old.engine.chance(state))
        yield from self._moves(state)

    def _moves(self, state: State) -> tuple[Move, ...]:
        engine = self.old.engine
        return engine.legal_moves(state) if engine.awaits(state) is Awaits.MOVE else ()

    def _played(self, pair: _Pair, events: tuple[Event, ...]) -> Iterator[_Pair]:
        """Yield the play after events that are legal by the old rules; nothing if a fact about a choice forbids it."""
        for event in events:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise _Open
            old = pair.old.clone()
            if self.old.engine.advance(old, event) is not None:
                return
            new = self._advanced(pair.new, event)
            is_same = pair.is_same and new is not None and self._difference(old, new) is None
            pair = _Pair(old, new, is_same, line_of(self.old.engine.game, event, self.old.names))
        yield pair

    def _advanced(self, state: State | None, event: Event) -> State | None:
        own = None if state is None else self.new.event(event, self.old)
        if state is None or own is None:
            return None
        after = state.clone()
        return after if self.new.engine.advance(after, own) is None else None

    def _dealt(self, pairs: list[_Pair], deal: Deal, record: Record) -> list[_Pair]:
        self.dealing.add(deal, record)
        while True:
            awaited = {StateTracker(self.old.context, pair.old).awaited_chance for pair in pairs}
            # Which hand comes next has to be the same in all.
            if len(awaited) != 1:
                raise _Open
            at = self.dealing.next_hand(*awaited.pop())
            if at is None:
                return pairs
            pairs = self._each(pairs, self.dealing.take_card(at).event)

    def _gap(self, pairs: list[_Pair], gap: Gap) -> list[_Pair]:
        if gap.count is not None:
            for _ in range(gap.count):
                pairs = self._distinct(later for pair in pairs for later in self._any(pair, False))
            return pairs
        reached = {pair.key: pair for pair in pairs}
        waiting = list(pairs)
        while waiting:
            for later in self._any(waiting.pop(), gap.only_chance):
                if later.key not in reached:
                    reached[later.key] = later
                    waiting.append(later)
            if len(reached) > MOST_PAIRS:
                raise _Open
        return list(reached.values())

    def _any(self, pair: _Pair, only_chance: bool) -> Iterator[_Pair]:
        for event in self._possible(pair.old):
            if isinstance(event, ChanceEvent) or not only_chance:
                yield from self._played(pair, (event,))

    def _at_position(self, pairs: Iterable[_Pair], data: Json, record: Record) -> Iterator[_Pair]:
        recorded = [recorded_state(side.engine, data, side.names, record, "/position") for side in (self.old, self.new)]
        if not isinstance(recorded[0], State):
            raise _Open
        for pair in pairs:
            if pair.old.key() == recorded[0].key():
                fits = pair.new is not None and isinstance(recorded[1], State) and pair.new.key() == recorded[1].key()
                yield pair if fits else replace(pair, new=None, is_same=False)

    def _true(self, pairs: Iterable[_Pair], claim: Claim, mine: Claim) -> Iterator[_Pair]:
        for pair in pairs:
            claimed = self.old.claimed(pair.old, claim)
            if claimed is None:
                continue
            for later in self._played(pair, claimed[1]):
                # The declines are played, so the claim must be true at once by the changed rules.
                holds = later.new is not None and self.new.claimed(later.new, mine) == (later.new, ())
                yield later if holds else replace(later, new=None, is_same=False)

    def _ended(self, pairs: Iterable[_Pair]) -> Iterator[_Pair]:
        """Yield the plays that the players could end, as the rules had not ended them."""
        for pair in pairs:
            if not self.old.engine.is_terminal(pair.old):
                goes_on = pair.new is not None and not self.new.engine.is_terminal(pair.new)
                yield pair if goes_on else replace(pair, new=None, is_same=False)


def _may_be(event: Event, seen: Event, engine: Engine) -> bool:
    """Test whether an event may be the one of which this was seen."""
    if isinstance(event, ChanceEvent) or isinstance(seen, ChanceEvent):
        return isinstance(event, ChanceEvent) and isinstance(seen, ChanceEvent) and event.path == seen.path
    if event.player != seen.player:
        return False
    return was_unseen(seen, engine.game.moves) or completes(event, seen)
