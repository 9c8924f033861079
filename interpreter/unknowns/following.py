"""Steps of a play that may be in several states: the results of one log line in one of these states.

A state of which everything is known, except pieces that nobody has seen, is a state of the compiled engine, which
follows it much faster. Any other state is one of the reference, and is followed by a `PossibleRun`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Protocol, TypeAlias

from ludex.spec import OverBudget, Unknown, is_known
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.event_visibility import HIDDEN, is_hidden
from ..information.visibility import UNSEEN_ACTION, is_partial
from ..play.engine import Engine
from ..program import State as KnownState
from ..reference.chance import drawn_entries, next_entry, outcomes_of, places, random_values, received, resolve
from ..reference.control import Next, RequirementFault, UndeterminedFlow
from ..reference.decisions import PlayerOption, domain_of, option_at
from ..reference.engine import begin
from ..reference.judging import judge, named
from ..reference.observation import receiver
from ..stack.places import AWAITING
from ..stack.state import DECLINED, StackState, StatedChoice
from ..state.contents import DrawnTicket
from ..state.events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault, TooManyStates
from ..state.zones import take
from .completing import completed, completes, holds, was_unseen
from .possible_run import Demanded, PossibleRun
from .unknown_values import one_of, unknowns_in

PossibleState: TypeAlias = KnownState | StackState
"""A state that a play may be in: of the compiled engine if all is known of it, of the reference if not."""

MOST_WORK = 3_000_000
"""The work that one log may take before it is given up: some three seconds."""

BRANCH = 300
"""The work of following one more branch of the reference, besides what its rules take."""

_PLAYED = 40
"""The work of playing one event by the compiled engine, besides what its rules take."""

LISTED = 4
"""The work of listing one completion of an event."""

MOST_DECLINED = 64
"""Limit of the states that declines alone reach from one state; with more the log is given up (`TooManyStates`)."""

FASTER = 4
"""The units of work that the compiled engine does in the time of one unit of the reference."""


class Objections:
    """The reasons why no state can be followed further.

    refusal: of the completion that goes furthest; fault: the first of the rules. looks: for how many known states the
    reference explains the objection.
    """

    def __init__(self, looks: int = 0) -> None:
        self.refusal: Refusal | None = None
        self.fault: SpecFault | None = None
        self._looks = looks

    def refuse(self, refusal: Refusal) -> None:
        if self.refusal is None or _REACHED[refusal.kind] > _REACHED[self.refusal.kind]:
            self.refusal = refusal

    def fail(self, fault: SpecFault) -> None:
        self.fault = self.fault or fault

    def wants_more(self) -> bool:
        """Return whether the reference is to explain one more known state."""
        self._looks -= 1
        return self._looks >= 0


Guess: TypeAlias = Callable[[Sequence[Event]], Iterable[Event]]
"""Selects and orders some of the events that a line may mean."""


class LineStep(Protocol):
    """The information of one line about a play. Immutable."""

    @property
    def is_recorded(self) -> bool:
        """Whether the line states its event in full."""

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        """Yield every state to which the line may lead from this one.

        Raises TooManyStates if it takes too much work.
        """


@dataclass(frozen=True, slots=True)
class EventStep:
    """A `LineStep`: an event, parts of which may be hidden.

    guess: selects the values of a piece that was revealed unseen; None: the piece stays unknown.
    """

    engine: Engine
    event: Event
    guess: Guess | None = None

    @property
    def is_recorded(self) -> bool:
        return not is_partial(self.event)

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        if isinstance(state, KnownState):
            return self._after_known(state, objections)
        return (settled_state(self.engine, run) for run in _Runs(self.engine, self.event, objections).after(state))

    def _after_known(self, state: KnownState, objections: Objections) -> Iterator[PossibleState]:
        """Yield the states after the event, played by the compiled engine as far as it can follow."""
        event = self.event
        is_unseen = isinstance(event, ChanceEvent) and event.outcome is HIDDEN and self.guess is None
        if is_unseen and not isinstance(self.engine.statement(state), m.RandomValue):
            # The piece stays unknown until something depends on it, and only the reference has such pieces.
            yield from self._by_reference(state, objections)
            return
        is_legal = False
        try:
            completions = self._completions(state)
        except OverBudget:
            raise TooManyStates from None
        except SpecFault as fault:
            objections.fail(fault)
            return
        for completion in completions if self.guess is None else self.guess(completions):
            after = _played(self.engine, state, completion, objections)
            if after is not None:
                is_legal = True
                yield after
        # The compiled engine finds that the event is illegal; only the reference can say why.
        if not is_legal and objections.wants_more():
            yield from self._by_reference(state, objections)

    def _by_reference(self, state: KnownState, objections: Objections) -> Iterator[PossibleState]:
        return self.after(self.engine.to_reference(state), objections)

    def _completions(self, state: KnownState) -> Sequence[Event]:
        event, engine = self.event, self.engine
        if isinstance(event, ChanceEvent):
            if event.outcome is not HIDDEN:
                return (event,)
            return [each for each, _ in engine.chance(state) if each.path == event.path]
        unseen = was_unseen(event, engine.game.moves)
        if not unseen and not any(is_hidden(value) for _, value in event.arguments):
            return (event,)
        moves = [each for each in engine.legal_moves(state, event.player) if unseen or completes(each, event)]
        work_on(engine, LISTED * len(moves))
        return moves


def _played(engine: Engine, state: KnownState, event: Event, objections: Objections) -> KnownState | None:
    """Return the state after an event; None if it is illegal, or the rules fail."""
    after = state.clone()
    work_on(engine, _PLAYED)
    if engine.play_each(after, (event,)):
        return after
    # `play_each` does not say whether the event is illegal, the rules fail, or their budget ends; `play` does.
    try:
        return after if engine.play(after := state.clone(), event) else None
    except OverBudget:
        raise TooManyStates from None
    except SpecFault as fault:
        objections.fail(fault)
        return None


@dataclass(frozen=True, slots=True)
class TurningStep:
    """A `LineStep`: an event that turned up these pieces, whose places somebody knew.

    turned: in their order, the path of the statement and the piece.
    """

    engine: Engine
    event: Event
    turned: tuple[tuple[str, t.Value], ...]

    @property
    def is_recorded(self) -> bool:
        return not is_partial(self.event)

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        for run in _Runs(self.engine, self.event, objections).after(_reference_state(self.engine, state)):
            yield from (settled_state(self.engine, each) for each in run.showing(self.turned))


@dataclass(frozen=True, slots=True)
class NarrowingStep:
    """A `LineStep`: knowledge about the state, such as a claim.

    narrow: returns the runs that agree with it; most: how many of them are wanted, None: all.
    """

    engine: Engine
    narrow: Callable[[PossibleRun], Iterable[PossibleRun]]
    most: int | None = None
    is_recorded = True

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        waiting = [PossibleRun(self.engine.reference.rules, _reference_state(self.engine, state))]
        while waiting:
            run = waiting.pop()
            work_on(self.engine, BRANCH)
            run.read.clear()
            narrowed = list[PossibleRun]()
            try:
                for each in islice(self.narrow(run), self.most):
                    # The cards of a claimed hand may be its unknown ones in very many orders.
                    work_on(self.engine, BRANCH)
                    narrowed.append(each)
            except UndeterminedFlow:
                # The answer depends on values that it read, so each of their candidates is followed by itself.
                waiting += run.divided(run.read)
            else:
                yield from (settled_state(self.engine, each) for each in narrowed)


@dataclass(frozen=True, slots=True)
class StayingStep:
    """A `LineStep` that changes nothing and says nothing."""

    is_recorded = False

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        yield state


@dataclass(frozen=True, slots=True)
class AwaitingStep:
    """A `LineStep`: knowledge about the awaited chance event.

    fits: tests a statement (None: no chance event is awaited) and a receiver.
    """

    engine: Engine
    fits: Callable[[str | None, int | None], bool]
    is_recorded = True

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        if not isinstance(state, KnownState):
            yield from NarrowingStep(self.engine, self._fitting).after(state, objections)
        elif self.fits(awaited_chance(self.engine, state), self.engine.chance_for(state)):
            yield state

    def _fitting(self, run: PossibleRun) -> Iterable[PossibleRun]:
        awaits = bool(run.frames) and isinstance(run.step, AWAITING)
        fits = self.fits(run.step.path, receiver(run)) if awaits else self.fits(None, None)
        return [run] if fits else []


@dataclass(frozen=True, slots=True)
class AnyStep:
    """A `LineStep`: one wholly unknown event. only_chance: it is not a move; guess: as in `EventStep`."""

    engine: Engine
    only_chance: bool = False
    guess: Guess | None = None
    is_recorded = False

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        path = awaited_chance(self.engine, state)
        if path is not None:
            yield from EventStep(self.engine, ChanceEvent(path, HIDDEN), self.guess).after(state, objections)
        elif not self.only_chance:
            seats = self.engine.to_move(state) if isinstance(state, KnownState) else range(self.engine.game.players)
            for seat in seats:
                yield from EventStep(self.engine, Move(seat, UNSEEN_ACTION), self.guess).after(state, objections)


@dataclass(frozen=True, slots=True)
class GapStep:
    """A `LineStep`: any number of wholly unknown events.

    only_chance: none of them is a move, except declines if these may be left out (`declines`); guess: as in
    `EventStep`.
    """

    engine: Engine
    only_chance: bool
    declines: bool = False
    guess: Guess | None = None
    is_recorded = False

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        # The search is breadth-first, since short gaps are likelier, and a play that repeats itself has no end.
        step, reached, waiting = AnyStep(self.engine, self.only_chance, self.guess), {state}, deque([state])
        yield state
        while waiting:
            here = waiting.popleft()
            declined = _declined(self.engine, here) if self.declines and self.only_chance else ()
            for each in chain(step.after(here, objections), (later for _, later in declined)):
                if each not in reached:
                    reached.add(each)
                    waiting.append(each)
                    yield each


@dataclass(frozen=True, slots=True)
class DecliningStep:
    """A `LineStep`: a line before which declines may have been left out. step: the line itself."""

    engine: Engine
    step: LineStep

    @property
    def is_recorded(self) -> bool:
        return self.step.is_recorded

    def after(self, state: PossibleState, objections: Objections) -> Iterator[PossibleState]:
        return (each for _, each in self.ways(state, objections))

    def ways(self, state: PossibleState, objections: Objections) -> Iterator[tuple[tuple[Move, ...], PossibleState]]:
        """Yield what `after` does, each state with the declines that were left out on the way to it."""
        reached: dict[PossibleState, tuple[Move, ...]] = {state: ()}
        waiting = deque([state])
        while waiting:
            here, fits = waiting.popleft(), False
            for each in self.step.after(here, objections):
                fits = True
                yield reached[here], each
            # Nothing is filled in before a line that fits. But a state or line with unknown parts covers many, and may
            # fit in some only.
            if fits and self.is_recorded and isinstance(here, KnownState):
                continue
            for decline, later in _declined(self.engine, here):
                if later not in reached:  # players may decline in several orders
                    reached[later] = (*reached[here], decline)
                    waiting.append(later)
            if len(reached) > MOST_DECLINED:
                raise TooManyStates


def _declined(engine: Engine, state: PossibleState) -> Iterator[tuple[Move, PossibleState]]:
    """Yield each decline that may be legal, with a state after it."""
    movers = engine.to_move(state) if isinstance(state, KnownState) else engine.reference.to_move(state)
    for decline in (Move(seat, DECLINE) for seat in movers):
        yield from ((decline, each) for each in EventStep(engine, decline).after(state, Objections()))


def settled_state(engine: Engine, run: PossibleRun) -> PossibleState:
    """Return the state of a run: of the compiled engine if all is known."""
    return engine.from_reference(run.state()) if run.is_all_known() else run.state()


def _reference_state(engine: Engine, state: PossibleState) -> StackState:
    return engine.to_reference(state) if isinstance(state, KnownState) else state


def awaited_chance(engine: Engine, state: PossibleState) -> str | None:
    """Return the path of the chance statement that a state awaits; None if it awaits none."""
    if not isinstance(state, KnownState):
        return engine.reference.awaited_chance(state)
    statement = engine.statement(state)
    return statement.path if statement is not None and engine.is_chance(state) else None


def work_on(engine: Engine, units: int) -> None:
    """Count work, and begin a piece with a budget of its own. Raises TooManyStates if those before took too much."""
    meter = engine.reference.meter
    meter.begin()
    # The compiled engine counts by a meter of its own, from which only what it took since is wanted.
    meter.used += units + engine.meter.done // FASTER
    engine.meter.begin()
    if meter.used > min(MOST_WORK, meter.most):
        raise TooManyStates


@contextmanager
def aside(engine: Engine) -> Iterator[None]:
    """Count what the compiled engine does inside the block as work on the log, and not as work on the game."""
    used = engine.meter.used
    try:
        yield
    finally:
        engine.meter.left, engine.meter.used = engine.meter.whole, used


def work_left(engine: Engine) -> float:
    """Return which part of the work that a log may take is left."""
    meter = engine.reference.meter
    return (MOST_WORK - meter.used) / (MOST_WORK + meter.credit)


# ---- what only the reference can follow

_REACHED = {kind: rank for rank, kind in enumerate(RefusalKind)}
"""The rank of each kind of refusal: how far the event was judged before it."""


class _Runs:
    """The runs of the reference that one event leads to."""

    def __init__(self, engine: Engine, event: Event, objections: Objections) -> None:
        self.engine, self.rules, self.event, self.objections = engine, engine.reference.rules, event, objections

    def after(self, state: StackState) -> Iterator[PossibleRun]:
        """Yield runs that await the next event, one for every state that the event may lead to."""
        waiting: list[tuple[PossibleRun, Move | None]] = [(PossibleRun(self.rules, state), None)]
        while waiting:
            run, move = waiting.pop()
            # An event changes the run before it turns out that a value is unknown, so the division starts from a copy.
            before = run.copy()
            run.read.clear()
            try:
                if isinstance(self.event, Move) and move is None:
                    # What one completion leaves in doubt the others need not ask, so each divides the state by itself.
                    waiting += [(before.copy(), each) for each in self._completions(run, self.event)]
                    continue
                begun = list(self._chance(run) if move is None else self._after_move(run, move))
            except UndeterminedFlow:
                waiting += [(each, move) for each in before.divided(run.read)]
                continue
            except OverBudget:
                raise TooManyStates from None
            except SpecFault as fault:
                self.objections.fail(fault)
                continue
            for each, then in begun:
                each.turned = ()  # the piece of a chance event is recorded by the event
                yield from self._onward(each, then)

    def _onward(self, run: PossibleRun, then: Next) -> Iterator[PossibleRun]:
        """Yield every run in which the next event is awaited."""
        waiting = [(run, then)]
        while waiting:
            run, then = waiting.pop()
            work_on(self.engine, BRANCH)
            try:
                branches = run.onward(then)
            except OverBudget:
                raise TooManyStates from None
            except SpecFault as fault:
                # A requirement after the steps of a move refuses the move. Any other fault is one of the rules.
                if isinstance(fault, RequirementFault) and isinstance(self.event, Move):
                    self.objections.refuse(Refusal(RefusalKind.REQUIREMENT, self.event, (fault.path,)))
                else:
                    self.objections.fail(fault)
            else:
                waiting += branches
                if not branches:
                    yield run

    # ---- chance events

    def _chance(self, run: PossibleRun) -> Iterator[tuple[PossibleRun, Next]]:
        event = self.event
        assert isinstance(event, ChanceEvent)
        if not run.frames or not isinstance(run.step, AWAITING) or run.step.path != event.path:
            refusal = judge(run, event)
            assert isinstance(refusal, Refusal)
            self.objections.refuse(refusal)
        elif not isinstance(run.step, m.RandomValue) and unknowns_in(drawn_entries(run)):
            run.read.update((each, None) for each in unknowns_in(drawn_entries(run)))
            raise UndeterminedFlow
        elif event.outcome is HIDDEN:
            yield from _unseen(run)
        else:
            ways = [via for value, via, _ in outcomes_of(run) if value == event.outcome]
            for via in ways:
                one = run.copy()
                yield one, resolve(one, event.outcome, via)
            if not ways:
                self.objections.refuse(Refusal(RefusalKind.WRONG_OUTCOME, event, (event.path,), awaited=event.path))

    # ---- moves

    def _completions(self, run: PossibleRun, event: Move) -> list[Move]:
        failed: list[str] = []
        moves = list(completed(run, event, failed))
        if failed and not moves:
            self.objections.refuse(Refusal(RefusalKind.REQUIREMENT, event, (failed[0],)))
        return moves[::-1]

    def _after_move(self, run: PossibleRun, move: Move) -> Iterator[tuple[PossibleRun, Next]]:
        for one in _placed(run.copy(), move):
            work_on(self.engine, BRANCH)
            verdict = judge(one, move)
            if isinstance(verdict, Refusal):
                self.objections.refuse(replace(verdict, event=self.event))
                continue
            if isinstance(verdict, tuple) and _is_in_doubt(one, move, verdict):
                # What the copy read decides by what `run` is divided: the caller knows only `run`.
                run.read.update(one.read)
                raise UndeterminedFlow
            if isinstance(verdict, tuple) and verdict != DECLINED and unknowns_in(verdict):
                number, values = verdict
                option = option_at(one, move.player, number)
                # The requirements are kept with the run, as they may fail when an unknown argument becomes known.
                one.demanded = Demanded(one.copy(), option.requirements, option.bound(values), {})
            try:
                yield one, begin(one, move, verdict)
            except UndeterminedFlow:
                run.read.update(one.read)
                raise


def _placed(run: PossibleRun, move: Move) -> Iterator[PossibleRun]:
    """Yield runs in which it is known where the pieces that a move names are, if one can only have been drawn unseen.

    The piece is then behind one of the tickets among which the move chooses, or of which a requirement asks whether it
    is among them: that takes as many runs as there are tickets, where to make a ticket known takes as many as there are
    pieces.
    """
    offered = named(run, move) if run.frames and isinstance(run.step, m.Asking) else []
    given = dict(move.arguments)
    if len(offered) == 1 and all(choice.name in given for choice in offered[0][1].choices):
        option, values = offered[0][1], tuple[t.Value, ...]()
        for choice in option.choices:
            value = given[choice.name]
            ways = _tickets_of(run, option, values, value)
            values = (*values, value)
            ways = ways or _tickets_needed(run, option, values)
            if ways:
                for way in ways:
                    yield from _placed(run.with_known(*way), move)
                return
    yield run


def _tickets_of(
    run: PossibleRun, option: PlayerOption, values: tuple[t.Value, ...], piece: t.Value
) -> list[tuple[Any, ...]]:
    """Return the ways to make a ticket known as the piece that the next choice takes; none if that is not needed."""
    if is_hidden(piece) or not is_known(piece) or option.choices[len(values)].within:
        return []
    run.read.clear()
    try:
        items = domain_of(run, option, values)
    except SpecFault:
        return []
    if isinstance(items, Unknown) or piece in [item for item in items if is_known(item)]:
        return []
    return run.ways_to_hold(t.strip_optional(option.choices[len(values)].type), piece) or []


def _tickets_needed(run: PossibleRun, option: PlayerOption, values: tuple[t.Value, ...]) -> list[tuple[Any, ...]]:
    """Return the ways to make a ticket known as a piece without which a requirement of these choices fails; or none."""
    slots = dict(enumerate(option.bound(values)))
    return next((ways for each in option.asked[len(values)] if (ways := run.ways_needed(each, slots))), [])


def _is_in_doubt(run: PossibleRun, move: Move, stated: StatedChoice) -> bool:
    """Return whether it is unknown if a requirement of the move holds, and that can be found out by dividing the
    state."""
    if stated == DECLINED:
        return False
    number, values = stated
    option = option_at(run, move.player, number)
    slots = option.bound(values)
    for requirement in option.requirements:
        run.read.clear()
        is_open = isinstance(holds(run, requirement, slots), Unknown) and run.is_cheap()
        if is_open and run.ways_needed(requirement, dict(enumerate(slots))) is None:
            return True
    return False


def _unseen(run: PossibleRun) -> Iterator[tuple[PossibleRun, Next]]:
    """Yield the possible states after an unrecorded outcome of chance."""
    step = run.step
    if isinstance(step, m.RandomValue):
        # One state with all faces of a die, in place of a state for each face.
        values = one_of(random_values(run, step))
        run.write(step.slot, values if len(values.candidates) > 1 else values.candidates[0])
        yield run, Next.DONE
    elif isinstance(step, m.DrawPieces):
        source, _ = places(run)
        entry = next_entry(run, source)
        take(run, source, entry, step)
        yield run, received(run, DrawnTicket(entry.pool))
    else:
        for outcome, via, _ in outcomes_of(run):
            one = run.copy()
            yield one, resolve(one, outcome, via)
