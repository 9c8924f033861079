"""Trackers: the knowledge of a play at a place of its log. One kind contains the state, the other all possible ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

from ludex.grammar import Diagnostic, Message, value_class

from ...event_notation.spoken import line_in_each_language
from ...play.engine import Engine
from ...program import State
from ...state.events import DECLINE, Event, Move, Refusal, SpecFault
from .. import log_codes
from ..record import Record, write_line
from ..structure import UNKNOWN_WORD, Claim, Header, SeatedTable, line_like, line_of
from .claim_check import Wrong, wrong_parts
from .event_findings import ambiguous, awaited_words, refused
from .report import LeftOut, Result

if TYPE_CHECKING:
    from ...unknowns import Belief, FilledIn, Pursuit

MOST_DECLINES = 64
"""Limit of the search for declines that a log left out, in states: the next line is tested in each."""


@value_class
class ReplayOptions:
    """The parts of a log that are judged.

    Attributes:
        explains: whether to say why an event is refused, and which would be legal instead; if not, only the first fault
            is looked for.
        fills: whether to look for missing lines where an event is refused, and to continue as if they were there.
        goes_on: whether to judge the lines after the first event that is refused.
        resyncs: whether to continue after such an event, from the next position or claim that leaves one state.
        plays: how many plays are searched for where all that the log allows are too many.
        ends: whether the state at the end is wanted; if not, a gap after which nothing is recorded is not followed.
    """

    explains: bool = True
    fills: bool = False
    goes_on: bool = False
    resyncs: bool = False
    plays: int = 1
    ends: bool = True


@value_class
class ReplayContext:
    """The context of judging one log, the same from its first line to its last.

    Attributes:
        pursuit: which plays are followed where the state is not known; None: all, with declines only as they are
            recorded.
        missing: events that are missing, by the index of the line before which they are, as far as they are known.
        guessed: the same, with guesses of what is not known of them; None if all that may be is followed.
    """

    engine: Engine
    header: Header
    table: SeatedTable
    options: ReplayOptions
    pursuit: Pursuit | None = None
    missing: Mapping[int, Sequence[Event]] = field(default_factory=dict)
    guessed: Mapping[int, Sequence[Event]] | None = None

    def left_out(self, event: Event, record: Record) -> LeftOut:
        """Describe an event that is left out before the record."""
        game, names = self.engine.game, self.header.names
        return LeftOut(record.place(), line_like(record, game, event, names), line_of(game, event, names))

    def unseen_hand(self, path: str, seat: int, count: int, record: Record) -> LeftOut:
        """Describe a hand that is left out before the record: so many cards of which none is known."""
        from ..text_logs.text_writer import TextWriter

        game, names = self.engine.game, self.header.names
        player = names[seat] if names else seat + 1
        data = {"deal": path, "to": player, "cards": [UNKNOWN_WORD] * count}
        if not record.is_text:
            return LeftOut(record.place(), write_line(data), data)
        line = line_in_each_language(game, lambda language: TextWriter(game, names, language).line(data))
        return LeftOut(record.place(), line, data)


@value_class
class Taken:
    """The tracker after an event that was legal. declines: those that had to be filled in before it."""

    tracker: Tracker
    declines: tuple[Move, ...] = ()


@value_class
class Illegal:
    """An event that is not legal.

    Attributes:
        refusal: why; None if the rules refuse nothing, or nobody asks for reasons.
        may_fit: it would be legal after declines, but there are several ways to decline.
    """

    refusal: Refusal | None
    may_fit: bool = False


@value_class
class Claimed:
    """The tracker after a claim.

    Attributes:
        wrong: the false parts; None if the claim cannot be compared.
        declines: those that had to be filled in, so that the claim is true.
    """

    tracker: Tracker
    wrong: tuple[Wrong, ...] | None
    declines: tuple[Move, ...] = ()


class Tracker(Protocol):
    """The knowledge of a play at one line of its log. Immutable: an event or a claim gives the next tracker."""

    @property
    def context(self) -> ReplayContext:
        """The context of judging the log."""

    @property
    def state(self) -> State | None:
        """The state of the play; None if it is not known."""

    @property
    def belief(self) -> Belief:
        """Every state that the play may be in."""

    @property
    def movers(self) -> tuple[int, ...] | None:
        """The players to move; None if that is not known."""

    @property
    def has_ended(self) -> bool | None:
        """Whether the game is over; None if that is not known."""

    @property
    def result(self) -> Result | None:
        """The result of the play; None if it did not end, or it is not known. Raises SpecFault."""

    @property
    def awaited_chance(self) -> tuple[str | None, int | None]:
        """The path of the chance statement that is awaited, and the seat whose place receives its piece."""

    @property
    def awaited(self) -> Message | str | None:
        """A description of the awaited event; None if it is not known."""

    def at(self, line: int) -> Tracker:
        """Return the tracker before the line of the log with this index."""

    def after(self, event: Event) -> Taken | Illegal:
        """Follow an event. Raises SpecFault, and TooManyStates if too much is unknown."""

    def claimed(self, claim: Claim) -> Claimed:
        """Compare a claim. Raises as `after` does."""

    def finding(self, illegal: Illegal, record: Record) -> Diagnostic:
        """Make the finding for an event that `after` found to be illegal."""


@value_class
class StateTracker:
    """The tracker of a play whose state is known: a `Tracker`. It does not follow events that are known in part.

    filled_in: the last of the events that were filled in before.
    """

    context: ReplayContext
    state: State
    filled_in: FilledIn | None = None

    @property
    def belief(self) -> Belief:
        from ...unknowns import AS_RECORDED, Belief  # it loads the reference, which most logs do not need

        return Belief(self.context.engine, (self.state,), self.context.pursuit or AS_RECORDED, 0, self.filled_in)

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(self.context.engine.to_move(self.state))

    @property
    def has_ended(self) -> bool:
        return self.context.engine.is_terminal(self.state)

    @property
    def result(self) -> Result | None:
        engine = self.context.engine
        return Result(engine.scores(self.state), engine.winners(self.state)) if self.has_ended else None

    @property
    def awaited_chance(self) -> tuple[str | None, int | None]:
        awaited = self.context.engine.statement(self.state)
        return awaited.path if awaited else None, self.context.engine.chance_for(self.state)

    @property
    def awaited(self) -> str:
        words = awaited_words(self.context.engine, self.state, self.context.table)
        _, receiver = self.awaited_chance
        if receiver is None:
            return words
        return Message("awaited-for", awaited=words, player=self.context.table.player(receiver))

    def at(self, line: int) -> StateTracker:
        return self

    def after(self, event: Event) -> Taken | Illegal:
        engine, options = self.context.engine, self.context.options
        taken = self.played(event)
        if taken is not None:
            return taken
        ways = fill_declines(engine, self.state, lambda later: engine.is_legal(later, event))
        if len(ways) == 1:
            taken = replace(self, state=ways[0].state).played(event)
            assert taken is not None
            return Taken(taken.tracker, ways[0].declines)
        return Illegal(engine.refusal(self.state, event) if options.explains else None, bool(ways))

    def played(self, event: Event) -> Taken | None:
        """Follow an event, if it is legal without declines before it."""
        # Trackers are not changed, and `play` changes the state.
        after = self.state.clone()
        return Taken(replace(self, state=after)) if self.context.engine.play(after, event) else None

    def claimed(self, claim: Claim) -> Claimed:
        """Compare a claim.

        A claim that is true after declines that were left out counts as true; if there are several ways to decline, the
        next event decides, and the claim is not compared.
        """
        engine, table = self.context.engine, self.context.table

        def is_right(state: State) -> bool:
            return next(wrong_parts(engine, state, claim, table), None) is None

        wrong = tuple(wrong_parts(engine, self.state, claim, table))
        ways = fill_declines(engine, self.state, is_right) if wrong else ()
        if len(ways) == 1:
            return Claimed(replace(self, state=ways[0].state), (), ways[0].declines)
        return Claimed(self, None if ways else wrong)

    def finding(self, illegal: Illegal, record: Record) -> Diagnostic:
        engine, table = self.context.engine, self.context.table
        # Nobody reads the words, and to find the reasons takes longer than all the rest.
        if not self.context.options.explains:
            return Diagnostic(log_codes.ILLEGAL_MOVE, "", record.place())
        if illegal.may_fit or illegal.refusal is None:
            return ambiguous(engine, self.state, record, table)
        return refused(engine, self.state, illegal.refusal, record, table)


# ---- declines that a log leaves out ---------------------------------------------------------------------------------


@value_class
class FilledDeclines:
    """Declines that were left out of a log, and the state after them."""

    declines: tuple[Move, ...]
    state: State


def fill_declines(engine: Engine, state: State, fits: Callable[[State], bool]) -> tuple[FilledDeclines, ...]:
    """Find the declines after which the next line is legal or true, by breadth-first search.

    Returns at most two ways, as two are already ambiguous. The search continues after the first: if a line fits after
    one decline and after three, only the players know which happened.
    """
    ways: list[FilledDeclines] = []
    seen = {state.key()}
    waiting = [FilledDeclines((), state)]
    while waiting and len(ways) < 2 and len(seen) <= MOST_DECLINES:
        here = waiting.pop(0)
        for seat in engine.to_move(here.state):
            declined = _declined(engine, here, Move(seat, DECLINE))
            # Players may decline in several orders, and then be in one state.
            if declined is None or declined.state.key() in seen:
                continue
            seen.add(declined.state.key())
            waiting.append(declined)
            if _fits(fits, declined.state):
                ways.append(declined)
    return tuple(ways[:2])


def _fits(fits: Callable[[State], bool], state: State) -> bool:
    try:
        return fits(state)
    except SpecFault:
        return False


def _declined(engine: Engine, here: FilledDeclines, decline: Move) -> FilledDeclines | None:
    state = here.state.clone()
    try:
        is_legal = engine.play(state, decline)
    except SpecFault:
        return None
    return FilledDeclines((*here.declines, decline), state) if is_legal else None
