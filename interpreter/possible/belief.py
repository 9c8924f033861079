"""Belief: every state that a play may be in, where the record of its events does not say everything.

An event whose parts are not all recorded (`HIDDEN`) is legal if some completion of the record is: for a die or a
choice each value that was possible, for a piece each that it may have been. A belief holds a list of states with
unknown parts (`possible_run.py`); the states together cover every completion, so a legal play is never refused. They
may cover more: what a requirement says about unknown pieces is remembered only where few pieces come into question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

from ludex.spec import Meter, OverBudget, Unknown, free_slots, is_known
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.event_visibility import HIDDEN, is_hidden
from ..information.visibility import UNSEEN_ACTION, sees
from ..reference import Reference
from ..reference.chance import AWAITING, draw_unseen, drawn, outcomes_of, random_values, resolve
from ..reference.decisions import Option, asked, domain_of, options
from ..reference.engine import begin
from ..reference.judging import judge, may_decline, named
from ..reference.state import DECLINED, State, Stated
from ..reference.steps import Next, Refusing, Undetermined
from ..state.contents import Ticket
from ..state.events import (
    DECLINE,
    ChanceEvent,
    Event,
    Move,
    Outcome,
    Refusal,
    RefusalKind,
    Scores,
    SpecFault,
    TooManyStates,
)
from ..state.pools import entries_of
from ..state.zones import cell_of, indexed
from .joining import joined
from .possible_run import FEW, MOST_VALUES, TAKEN, PossibleRun
from .unknown_values import OneOf, OnePieceOf, PartlyKnownBag, Unidentified, one_of, unknowns_in

MOST_STATES = 400
"""A belief of more states than this is given up."""

MOST_ITEMS = 12
"""The largest number of pieces that is tried for a collection of which nothing is known, not even its size."""

MANY_STATES = 60
"""If a belief has more states than this, those that only differ in values are joined."""

MOST_WORK = 10_000_000
"""The work that one log may take before it is given up: some ten seconds."""

MUCH_WORK = MOST_WORK // 5
"""From so much work on states are joined where there are more than a few."""

MOST_READ = 2 * FEW
"""Most values of an unknown argument that are tried one by one because the rules read it."""

BRANCH = 300
"""The work of following one more branch, besides what its rules take."""

MOST_BRANCHES = 10_000
"""The branches that one event may have before the log is given up."""


class Belief:
    """The states that a play may be in. Immutable.

    Raises `TooManyStates` where there would be too many.
    """

    def __init__(self, reference: Reference, states: Sequence[State]) -> None:
        # Branches that differed in something that is forgotten since then have become equal states.
        self.reference, self.states = reference, tuple(dict.fromkeys(states))
        most = MANY_STATES if reference.meter.used < MUCH_WORK else FEW
        if len(self.states) > most:
            self.states = joined(reference.rules, self.states, most)

    @property
    def known(self) -> State | None:
        """The one state that the play is in; None if it is not known."""
        if len(self.states) != 1:
            return None
        run = PossibleRun(self.reference.rules, self.states[0])
        return self.reference.at(self.states[0]).state() if run.is_all_known() else None

    def known_to(self, seat: int) -> State | None:
        """Return a state that the play may be in, if the player sees the same in every one; None otherwise."""
        first = self.states[0]
        seen = [
            at
            for element in self.reference.game.elements
            for at, (_, indices) in enumerate(indexed(element), start=element.offset)
            if sees(element, indices, seat)
        ]
        views = {(state.frames, *(state.cells[at] for at in seen)) for state in self.states}
        if len(views) > 1 or any(_is_unknown(first.cells[at]) for at in seen):
            return None
        run = PossibleRun(self.reference.rules, first)
        return Belief(self.reference, [run.completed().state()]).known

    @property
    def example(self) -> State:
        """A state that the play may be in, with all known that somebody has seen."""
        return self.reference.at(PossibleRun(self.reference.rules, self.states[0]).completed().state()).state()

    @property
    def has_ended(self) -> bool | None:
        """Whether the game is over; None if that is not known."""
        ended = {not state.frames for state in self.states}
        return ended.pop() if len(ended) == 1 else None

    def after(self, event: Event) -> Belief | Refusal:
        """Return the belief after an event, parts of which may be `HIDDEN`; or why it is illegal in every state."""
        states: list[State] = []
        step = _Step(self.reference, event)
        for state in self.states:
            _begin_work(self.reference.meter)
            states = _few(self.reference, [*states, *step.after(state)])
        if states:
            return Belief(self.reference, states)
        if step.refusal is None:
            if step.fault is None:  # there is no value that an unknown part could have
                return Refusal(RefusalKind.NOT_OFFERED, event)
            raise step.fault
        return step.refusal

    def after_turning(self, event: Event, turned: Sequence[tuple[str, t.Value]]) -> Belief | None:
        """Return the belief after an event that turned up these pieces, in this order; None if it cannot be so.

        They are pieces of which somebody knew where they were: to turn them up was no chance event. turned: the path of
        the statement, and the piece.
        """
        step, states = _Step(self.reference, event), list[State]()
        for state in self.states:
            _begin_work(self.reference.meter)
            for run in step.runs(state):
                states = _few(self.reference, [*states, *(each.state() for each in run.showing(turned))])
        return Belief(self.reference, states) if states else None

    @property
    def result(self) -> tuple[tuple[Scores, ...], Outcome] | None:
        """The points and the winners of a finished game; None if they are not known."""
        results = set()
        for state in self.states:
            self.reference.meter.begin()
            results.add(None if state.frames else PossibleRun(self.reference.rules, state).result())
        return results.pop() if len(results) == 1 else None

    def is_unseen(self, element: m.Element, indices: tuple[t.Value, ...]) -> bool:
        """Return whether a hidden zone holds a piece that nobody has seen."""
        entries = entries_of(self.states[0].cells[cell_of(element, indices)])
        return element.visibility == "hidden" and any(type(entry) is Ticket for entry in entries)

    # ---- what else is known

    def holding(self, element: m.Element, indices: tuple[t.Value, ...], value: t.Value) -> Belief | None:
        """Return the belief, knowing what a state or zone holds (a pile with its top last); None if it cannot."""
        return self._narrowed(lambda run: run.holding(element, indices, value))

    def sized(self, element: m.Element, indices: tuple[t.Value, ...], size: int) -> Belief | None:
        """Return the belief, knowing how many pieces a zone holds; None if it cannot be so many."""
        cell = cell_of(element, indices)
        return self._narrowed(lambda run: [run] if len(entries_of(run.cells[cell])) == size else [])

    def ended(self, is_over: bool) -> Belief | None:
        """Return the belief, knowing whether the game is over; None if it cannot be so."""
        return self._narrowed(lambda run: [run] if (not run.frames) == is_over else [])

    def scored(self, seat: int, points: int) -> Belief | None:
        """Return the belief, knowing how many points a player has now; None if it cannot be so many."""
        return self._narrowed(lambda run: [run] if run.may_score(seat, points) else [])

    def won(self, seats: frozenset[int]) -> Belief | None:
        """Return the belief, knowing who has won (nobody: a tie is left undecided); None if it cannot be so."""
        return self._narrowed(lambda run: [run] if run.may_win(seats) else [])

    def _narrowed(self, narrow: Callable[[PossibleRun], Iterable[PossibleRun]]) -> Belief | None:
        states: list[State] = []
        waiting = [PossibleRun(self.reference.rules, state) for state in self.states]
        while waiting:
            run = waiting.pop()
            self.reference.meter.begin()
            run.read.clear()
            try:
                states += (each.state() for each in narrow(run))
            except Undetermined:
                waiting += run.divided(run.read)
        return Belief(self.reference, states) if states else None

    @property
    def awaits_chance(self) -> str | None:
        """The path of the chance statement that every state awaits; None if they do not await the same."""
        paths = {self.reference.awaited_chance(state) for state in self.states}
        return paths.pop() if len(paths) == 1 else None

    @property
    def movers(self) -> tuple[int, ...] | None:
        """The players to move in every state; None if they are not the same."""
        players = {tuple(self.reference.to_move(state)) for state in self.states}
        return players.pop() if len(players) == 1 else None

    @property
    def receiver(self) -> int | None:
        """The seat of the player whose place receives the piece of the awaited chance event in every state."""
        seats = {self.reference.chance_for(state) for state in self.states}
        return seats.pop() if len(seats) == 1 else None

    # ---- events that nobody recorded

    def after_any(self, only_chance: bool = False) -> Belief | None:
        """Return the belief after one event of which nothing is known; None if no state can have one.

        only_chance: the event is not a move.
        """
        events: list[Event] = [
            ChanceEvent(path, HIDDEN)
            for path in dict.fromkeys(self.reference.awaited_chance(state) for state in self.states)
            if path is not None
        ]
        if not only_chance:
            events += [Move(seat, UNSEEN_ACTION) for seat in range(self.reference.game.players)]
        after = [belief for event in events if isinstance(belief := self.after(event), Belief)]
        return Belief(self.reference, [state for belief in after for state in belief.states]) if after else None

    def after_gap(self, only_chance: bool) -> Belief:
        """Return the belief after any number of events of which nothing is known."""
        reached, newest, followed = dict.fromkeys(self.states), self, 0
        while (later := newest.after_any(only_chance)) is not None:
            new = [state for state in later.states if state not in reached]
            if not new:
                break
            reached.update(dict.fromkeys(new))
            # Once states are joined, those that are reached again need not be equal.
            followed += len(new)
            if followed > MOST_STATES:
                raise TooManyStates
            # Only states that are new have not been followed yet.
            newest = Belief(self.reference, new)
        return Belief(self.reference, tuple(reached))


def _is_unknown(held: t.Value) -> bool:
    return any(isinstance(entry, Ticket | OneOf) for entry in entries_of(held))


def _begin_work(meter: Meter) -> None:
    """Begin a piece of work with a budget of its own. Raises TooManyStates if those before took too much."""
    meter.begin()
    meter.used += BRANCH
    if meter.used > min(MOST_WORK, meter.most):
        raise TooManyStates


def _few(reference: Reference, states: list[State]) -> list[State]:
    """Return the states, joined if there are too many. Raises TooManyStates if they are too many even then."""
    if len(states) <= MOST_STATES:
        return states
    states = list(joined(reference.rules, tuple(dict.fromkeys(states)), MANY_STATES))
    if len(states) > MOST_STATES:
        raise TooManyStates
    return states


_REACHED = {kind: rank for rank, kind in enumerate(RefusalKind)}
"""The rank of each kind of refusal: how far the event was judged before it."""


class _Step:
    """One event from one state. refusal: of the completion that goes furthest; fault: of the first that has one."""

    def __init__(self, reference: Reference, event: Event) -> None:
        self.reference, self.rules, self.event = reference, reference.rules, event
        self.refusal: Refusal | None = None
        self.fault: SpecFault | None = None
        self.branches = 0

    def after(self, state: State) -> list[State]:
        """Return every state that the event may lead to."""
        states: list[State] = []
        for run in self.runs(state):
            states = _few(self.reference, [*states, run.state()])
        return states

    def runs(self, state: State) -> Iterator[PossibleRun]:
        """Yield runs that await the next event, one for every state that the event may lead to."""
        follow = self._chance if isinstance(self.event, ChanceEvent) else self._moves
        waiting = [PossibleRun(self.rules, state)]
        while waiting:
            run = waiting.pop()
            # An event changes the run before it turns out that a value is unknown, so the division starts from a copy.
            before = run.copy()
            run.read.clear()
            try:
                begun = list(follow(run))
            except Undetermined:
                waiting += before.divided(run.read)
                continue
            except OverBudget:
                raise TooManyStates from None
            except SpecFault as fault:
                self.fault = self.fault or fault
                continue
            for each, then in begun:
                each.turned = ()  # the piece of a chance event is recorded by the event
                yield from self._onward(each, then)

    def _onward(self, run: PossibleRun, then: Next) -> Iterator[PossibleRun]:
        """Yield every run in which the next event is awaited."""
        waiting = [(run, then)]
        while waiting:
            run, then = waiting.pop()
            _begin_work(run.meter)
            try:
                branches = run.onward(then)
            except Refusing as refusing:
                self._refuse(Refusal(RefusalKind.REQUIREMENT, self.event, (refusing.path,)))
            except OverBudget:
                raise TooManyStates from None
            except SpecFault as fault:
                self.fault = self.fault or fault
            else:
                waiting += branches
                self.branches += len(branches)
                if self.branches > MOST_BRANCHES:
                    raise TooManyStates
                if not branches:
                    yield run

    def _refuse(self, refusal: Refusal) -> None:
        if self.refusal is None or _REACHED[refusal.kind] > _REACHED[self.refusal.kind]:
            self.refusal = refusal

    # ---- chance events

    def _chance(self, run: PossibleRun) -> Iterator[tuple[PossibleRun, Next]]:
        event = self.event
        assert isinstance(event, ChanceEvent)
        if not run.frames or not isinstance(run.step, AWAITING) or run.step.path != event.path:
            refusal = judge(run, event)
            assert isinstance(refusal, Refusal)
            self._refuse(refusal)
        elif not isinstance(run.step, m.RandomValue) and any(True for _ in unknowns_in(drawn(run))):
            run.read.update((each, None) for each in unknowns_in(drawn(run)))
            raise Undetermined
        elif event.outcome is HIDDEN:
            yield from _unseen(run)
        else:
            ways = [via for value, via, _ in outcomes_of(run) if value == event.outcome]
            for via in ways:
                one = run.copy()
                yield one, resolve(one, event.outcome, via)
            if not ways:
                self._refuse(Refusal(RefusalKind.WRONG_OUTCOME, event, (event.path,), awaited=event.path))

    # ---- moves

    def _moves(self, run: PossibleRun) -> Iterator[tuple[PossibleRun, Next]]:
        event = self.event
        assert isinstance(event, Move)
        failed: list[str] = []
        completed = list(_completed(run, event, failed))
        if failed and not completed:
            self._refuse(Refusal(RefusalKind.REQUIREMENT, event, (failed[0],)))
        for one, move in ((placed, each) for each in completed for placed in _placed(run.copy(TAKEN), each)):
            verdict = judge(one, move)
            if isinstance(verdict, Refusal):
                self._refuse(replace(verdict, event=event))
                continue
            if isinstance(verdict, tuple) and _is_in_doubt(one, move, verdict):
                # What the copy read decides by what `run` is divided: the caller knows only `run`.
                run.read.update(one.read)
                raise Undetermined
            yield one, begin(one, move, verdict)


def _placed(run: PossibleRun, move: Move) -> Iterator[PossibleRun]:
    """Yield runs in which it is known where the pieces that a move names are, if one can only have been drawn unseen.

    The piece is then behind one of the tickets among which the move chooses: that takes as many runs as there are
    tickets, where to make a ticket known takes as many as there are pieces.
    """
    offered = named(run, move) if run.frames and isinstance(run.step, m.Decide | m.Simultaneous) else []
    given = dict(move.arguments)
    if len(offered) == 1 and all(choice.name in given for choice in offered[0][1].choices):
        option, values = offered[0][1], tuple[t.Value, ...]()
        for choice in option.choices:
            ways = _tickets_of(run, option, values, given[choice.name])
            if ways:
                for way in ways:
                    yield from _placed(run.with_known(*way), move)
                return
            values = (*values, given[choice.name])
    yield run


def _tickets_of(run: PossibleRun, option: Option, values: tuple[t.Value, ...], piece: t.Value) -> list[tuple[Any, ...]]:
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
    return run.ways_to_hold(piece)


def _is_in_doubt(run: PossibleRun, move: Move, stated: Stated) -> bool:
    """Return whether it is unknown if a requirement of the move holds, and that can be found out by dividing the
    state."""
    if stated == DECLINED:
        return False
    number, values = stated
    option = options(run, move.player)[number]
    for requirement in option.requirements:
        run.read.clear()
        if isinstance(asked(run, requirement, option.bound(values), False), Unknown) and run.is_cheap():
            return True
    return False


def _unseen(run: PossibleRun) -> Iterator[tuple[PossibleRun, Next]]:
    """Yield what may follow on an outcome of chance that was not recorded."""
    step = run.step
    if isinstance(step, m.RandomValue):
        values = one_of(random_values(run, step))
        run.write(step.slot, values if len(values.candidates) > 1 else values.candidates[0])
        yield run, Next.DONE
    elif isinstance(step, m.DrawPieces):
        yield run, draw_unseen(run)
    else:
        for outcome, via, _ in outcomes_of(run):
            one = run.copy()
            yield one, resolve(one, outcome, via)


# ---- completions of a move ------------------------------------------------------------------------------------------


def _completed(run: PossibleRun, move: Move, failed: list[str]) -> Iterator[Move]:
    """Yield moves without hidden parts, which stand for every completion of the given one that may be legal.

    failed: collects the requirements that forbid other completions.
    """
    awaits_move = run.frames and isinstance(run.step, m.Decide | m.Simultaneous)
    if awaits_move and move.action == UNSEEN_ACTION and move.action not in run.game.moves:
        yield from _all_moves(run, move.player, failed)
    elif (
        run.frames
        and isinstance(run.step, m.Decide | m.Simultaneous)
        and any(is_hidden(value) for _, value in move.arguments)
    ):
        given = dict(move.arguments)
        for _, option in named(run, move):
            for values in (
                _filled(run, option, given, (), failed) if all(each.name in given for each in option.choices) else ()
            ):
                yield replace(move, arguments=tuple((name, values.get(name, value)) for name, value in move.arguments))
    else:
        yield move


def _all_moves(run: PossibleRun, player: int, failed: list[str]) -> Iterator[Move]:
    """Yield the moves of a player of whom nothing was recorded but that a choice was made."""
    if isinstance(run.step, m.Decide | m.Simultaneous):
        for option in options(run, player):
            arguments = (
                (name, HIDDEN) for name in (*(name for name, *_ in option.stated), *(c.name for c in option.choices))
            )
            yield from _completed(run, Move(player, option.name, tuple(arguments)), failed)
        if may_decline(run, player):
            yield Move(player, DECLINE)


def _filled(
    run: PossibleRun, option: Option, given: dict[str, Any], values: tuple[t.Value, ...], failed: list[str]
) -> Iterator[dict[str, t.Value]]:
    """Yield the arguments of an option with a value for each hidden part, by name."""
    for requirement, has_value in option.asked(len(values)):
        if has_value and asked(run, requirement, option.bound(values), False) is False:
            failed.append(requirement.path)
            return
    if len(values) == len(option.choices):
        chosen = zip((choice.name for choice in option.choices), values, strict=True)
        yield {**{name: value for name, _, value in option.stated}, **dict(chosen)}
        return
    choice = option.choices[len(values)]
    value = given.get(choice.name)
    candidates = _candidates(run, option, values, value) if is_hidden(value) else (value,)
    for each in candidates:
        yield from _filled(run, option, given, (*values, each), failed)


def _candidates(run: PossibleRun, option: Option, values: tuple[t.Value, ...], value: Any) -> Iterable[t.Value]:
    """Return what a partly hidden argument may be. values: of the choices before it."""
    choice, items = option.choices[len(values)], domain_of(run, option, values)
    of = (t.element_type(choice.type) or choice.type) if choice.within else choice.type
    kinds: tuple[t.Value, ...]
    unknown = OnePieceOf if isinstance(of, t.ComponentType | t.Record | t.Words | t.Range) else OneOf
    if isinstance(items, Unknown):
        if (t.size(of) or MOST_VALUES + 1) > MOST_VALUES:
            raise TooManyStates
        kinds, count = tuple(t.values(of)), MOST_ITEMS
    else:
        kinds, count = _kinds_of(items, of), len(items)
    if not choice.within:
        # What the rules ask of the value would make it known at once. But several values of many kinds have too many
        # combinations to begin with each, and most of them are never told apart where the items are unknown, too.
        is_read = choice.slot in free_slots(*option.requirements, *(each.domain for each in option.choices))
        is_tried = is_read and (len(kinds) <= MOST_READ or run.is_all_known())
        return kinds if len(kinds) <= FEW or is_tried else (unknown(kinds),)
    if isinstance(choice.type, t.SetOf):
        return map(frozenset, chain.from_iterable(combinations(kinds, size) for size in range(len(kinds) + 1)))
    known = () if value is HIDDEN else tuple(each for each in value if each is not HIDDEN)
    sizes = range(count + 1) if value is HIDDEN else (len(value),)
    return [
        PartlyKnownBag((*known, *(unknown(kinds) for _ in range(size - len(known)))))
        for size in sizes
        if size >= len(known)
    ]


def _kinds_of(items: Iterable[t.Value], of: t.Type) -> tuple[t.Value, ...]:
    """Return everything that one of the items may be."""
    kinds: dict[t.Value, None] = {}
    for item in items:
        if isinstance(item, Unidentified):
            kinds.update(dict.fromkeys(sorted(item.kinds)))
        elif isinstance(item, OneOf):
            kinds.update(dict.fromkeys(item.candidates))
        else:
            kinds[item] = None
    return tuple(kinds)
