"""What a routine is compiled to: a tuple of small instructions, each naming the number of the next.

Plain instructions are closures that change the state and say what comes next. The others may end or begin a routine,
refuse the move that led to them, or wait for an event; what they need to know of the rest of the machine comes as a
`Run`. Where a frame stands at an instruction that waits, that instruction answers what is awaited and takes the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol, TypeAlias

from ludex.grammar import Span
from ludex.spec import Meter
from ludex.spec import model as m
from ludex.spec import types as t

from .concealment import Concealed
from .domains import is_value
from .evaluate import Fn, Slots
from .events import SpecFault
from .options import Holder, OptionCode
from .pools import OUTCOME, Entry, Route, looked_through, outcomes, route_of, settle, shuffled
from .state import Frame, State, Ticket
from .veil import Veiled
from .zones import ENTRIES, Place, add, reveal, size_at, take, unseen

Edge: TypeAlias = tuple[int, frozenset[int]]
"""An instruction that may come next, and the slots that are written on the way."""
NONE: frozenset[int] = frozenset()
Outcomes: TypeAlias = list[tuple[t.Value, Route | None, Fraction]]


class Refusing(Exception):
    """A requirement failed that the move just taken should have met."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


class Run(Protocol):
    """One run of the machine from an event to the next.

    trial: the run only asks whether a requirement fails before the next event. Then a decision counts as an event as
        soon as an option's leading requirements hold.
    probe: the run stops at the first decision, whatever it offers.
    may_refuse: a failing requirement refuses the move just taken; else it is a fault of the spec.
    """

    trial: bool
    probe: bool
    may_refuse: bool

    def begin(self, state: State, routine: int, checked: bool, slots: Slots) -> None:
        """Push a frame; `checked`: the action's leading requirements are known to hold. The frame below must know
        already where to go on."""

    def offers(self, state: State, options: Sequence[OptionCode], slots: Slots) -> bool:
        """Whether any option has a legal instance (in a trial: one whose leading requirements hold)."""

    def may_offer(self, state: State, decision: Decide | Together, slots: Slots) -> bool:
        """Whether an option may have a legal instance, for all that everybody can see: who has none is then asked all
        the same, lest the others know."""

    def take(self, units: int, at: m.Statement) -> None:
        """Count work that the statement asks for. Raises OverBudget."""

    def passed(self, state: State, path: str) -> None:
        """A decision was passed over."""

    def ended(self, state: State, path: str) -> None:
        """A clause ended the game."""

    def refill(self, state: State, place: Place, at: m.Statement) -> None:
        """Fill the place up again where the rules say so."""


@dataclass(slots=True)
class Plain:
    """A closure that gives the number of the next instruction."""

    step: Callable[[State, Slots], int]
    edges: tuple[Edge, ...]
    reads: frozenset[int] = NONE


@dataclass(slots=True)
class Special:
    """An instruction that concerns more than the cells and slots."""

    step: ClassVar[None] = None
    edges: tuple[Edge, ...]
    reads: frozenset[int]

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        """Do it; False: wait here for an event."""
        raise NotImplementedError


Instruction: TypeAlias = Plain | Special


@dataclass(slots=True)
class Return(Special):
    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        state.frames.pop()
        return True


@dataclass(slots=True)
class EndGame(Special):
    path: str

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        run.ended(state, self.path)
        state.frames.clear()
        return True


@dataclass(slots=True)
class Stop(Special):
    """Here a run comes to rest, whatever called what ends here."""

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        return False


@dataclass(slots=True)
class Call(Special):
    """Perform an action that states no choice."""

    routine: int
    arguments: list[Fn]
    then: int

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        slots = [frame.slots[0], *[argument(state, frame.slots) for argument in self.arguments]]
        frame.pc = self.then
        run.begin(state, self.routine, False, slots)
        return True


@dataclass(slots=True)
class Demand(Special):
    """A requirement met on the way. `last`: none can be met behind it before the next event, so a trial is over."""

    path: str
    span: Span
    holds: Fn
    then: int
    last: bool = False

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        if self._may_hold(state, frame.slots):
            frame.pc = self.then
            return not (self.last and run.trial)
        if run.may_refuse:
            raise Refusing(self.path)
        raise SpecFault("this requirement fails where there is no move left that it could forbid", self.path, self.span)

    def _may_hold(self, state: State, slots: Slots) -> bool:
        try:
            return bool(self.holds(state, slots))
        except Veiled:
            return True


# ---- decisions

DECLINED = (-1, ())
"""What a player has stated who had nothing to choose."""


@dataclass(slots=True)
class Decide(Special):
    """One decision of the player in slot 0. `after`: where the flow goes on when an option has been carried out.
    `ambiguous`: two options go by one name. `concealed`: what the options hang on, as far as it is
    not open; None until somebody asks."""

    statement: m.Statement
    options: tuple[OptionCode, ...]
    optional: bool
    repeating: bool
    then: int
    after: int
    ambiguous: bool
    concealed: Concealed | None = None

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        if run.probe:
            return False
        if frame.slots[0] is None:
            raise SpecFault("a decision is due here, and nobody is to act", self.statement.path, self.statement.span)
        if run.offers(state, self.options, frame.slots) or run.may_offer(state, self, frame.slots):
            return False
        if not self.repeating:
            run.passed(state, self.statement.path)
        frame.pc = self.then
        return True


@dataclass(slots=True)
class Together(Special):
    """All players state a choice, unseen by each other. `stated`: the slot for what has been stated, by seat: None, or
    the option's number and the values; `DECLINED` from who has nothing to choose, where the others cannot know."""

    statement: m.Statement
    options: tuple[OptionCode, ...]
    players: int
    stated: int
    then: int
    ambiguous: bool
    concealed: Concealed | None = None

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        if frame.slots[self.stated] is None:
            frame.slots[self.stated] = (None,) * self.players
        if run.probe or self.waiting(run, state, frame):
            return False
        if not any(frame.slots[self.stated]):
            run.passed(state, self.statement.path)
        frame.pc = self.then
        return True

    def waiting(self, run: Run, state: State, frame: Frame) -> list[int]:
        """The players who have not stated their choice, and have one, as far as everybody can see."""
        open_to = [player for player, choice in enumerate(frame.slots[self.stated]) if choice is None]
        return [player for player in open_to if self._asks(run, state, as_player(frame.slots, player))]

    def _asks(self, run: Run, state: State, slots: Slots) -> bool:
        return run.offers(state, self.options, slots) or run.may_offer(state, self, slots)


@dataclass(slots=True)
class Bodies(Special):
    """What was stated together is carried out, in seat order. `seat`: the slot for the next seat; `saved`: for `me`."""

    options: tuple[OptionCode, ...]
    stated: int
    seat: int
    saved: int
    then: int

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        said, seat = frame.slots[self.stated], frame.slots[self.seat]
        while seat < len(said) and said[seat] in (None, DECLINED):
            seat += 1
        if seat == len(said):
            frame.slots[0], frame.pc = frame.slots[self.saved], self.then
            return True
        number, values = said[seat]
        frame.slots[self.seat], frame.slots[0] = seat + 1, seat
        run.may_refuse = False
        carry_out(run, state, frame, self.options[number], values, frame.pc)
        return True


def carry_out(run: Run, state: State, frame: Frame, option: OptionCode, values: Sequence[t.Value], after: int) -> None:
    """The flow goes into the option's body; `after` it comes back."""
    slots = option.bound(state, frame.slots, values)
    if option.routine is None:
        frame.slots, frame.pc = slots, option.entry
    else:
        frame.pc = after
        run.begin(state, option.routine, True, slots)


def as_player(slots: Slots, player: int) -> Slots:
    return [player, *slots[1:]]


# ---- chance


@dataclass(slots=True)
class Chance(Special):
    """Awaits an event that nobody decides."""

    statement: m.Statement
    meter: Meter

    def outcomes(self, state: State, slots: Slots) -> Outcomes:
        """Every outcome, with its route where it needs one, and its probability."""
        raise NotImplementedError

    def admits(self, state: State, slots: Slots, outcome: t.Value, via: Route | None) -> bool:
        """Whether it can come out so."""
        raise NotImplementedError

    def resolve(self, state: State, frame: Frame, outcome: t.Value, via: Route | None) -> None:
        """It came out so."""
        raise NotImplementedError


@dataclass(slots=True)
class Random(Chance):
    """A value of a domain, all equally likely."""

    slot: int
    type: t.Type
    items: Fn
    holds: Holder
    where: Fn | None
    then: int

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        if next(self._candidates(state, frame.slots), None) is None:
            raise SpecFault("there is nothing here to choose from at random", self.statement.path, self.statement.span)
        return False

    def _candidates(self, state: State, slots: Slots) -> Iterator[tuple[t.Value]]:
        for item in self.items(state, slots):
            slots[self.slot] = item
            if self.where is None or self.where(state, slots):
                yield (item,)

    def outcomes(self, state: State, slots: Slots) -> Outcomes:
        counts = Counter(value for (value,) in self._candidates(state, slots.copy()))
        self.meter.take(OUTCOME * len(counts), self.statement.path, self.statement.span)
        total = counts.total()
        return [(value, None, Fraction(count, total)) for value, count in counts.items()]

    def admits(self, state: State, slots: Slots, outcome: t.Value, via: Route | None) -> bool:
        if via is not None or not is_value(self.type, outcome) or not self.holds(state, slots, outcome):
            return False
        bound = slots.copy()
        bound[self.slot] = outcome
        return self.where is None or bool(self.where(state, bound))

    def resolve(self, state: State, frame: Frame, outcome: t.Value, via: Route | None) -> None:
        frame.slots[self.slot] = outcome
        frame.pc = self.then


@dataclass(slots=True)
class Hidden(Chance):
    """An unseen piece comes to light: somebody sees where it comes from or where it goes.

    `source`, `target`: slots for the numbers of the two cells, whose elements are known before play."""

    source: int
    target: int
    places: tuple[Place, Place]
    then: int

    def located(self, slots: Slots) -> tuple[Place, Place]:
        """The two zones."""
        source, target = self.places
        return Place(source.element, slots[self.source]), Place(target.element, slots[self.target])

    def drawn(self, state: State, slots: Slots) -> tuple[Entry, ...]:
        """The entries of which one at random comes to light."""
        raise NotImplementedError

    def outcomes(self, state: State, slots: Slots) -> Outcomes:
        entries = self.drawn(state, slots)
        self.meter.take(OUTCOME * looked_through(state, entries), self.statement.path, self.statement.span)
        return outcomes(state, entries)

    def admits(self, state: State, slots: Slots, outcome: t.Value, via: Route | None) -> bool:
        if not is_value(self.places[0].element.type, outcome):
            return False
        entries = self.drawn(state, slots)
        self.meter.take(looked_through(state, entries) // ENTRIES + 1, self.statement.path, self.statement.span)
        return route_of(state, entries, outcome, via) is not None

    def route(self, state: State, slots: Slots, outcome: t.Value, via: Route | None) -> Route:
        route = route_of(state, self.drawn(state, slots), outcome, via)
        assert route is not None
        return route


@dataclass(slots=True)
class Draw(Hidden):
    """Pieces from the top of a pile, or at random from a bag. `left`: the slot for how many are still to be drawn."""

    left: int
    bottom: bool

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        slots = frame.slots
        source, target = self.located(slots)
        while slots[self.left] > 0:
            run.take(size_at(state, source) + size_at(state, target), self.statement)
            if not source.entries(state):
                run.refill(state, source, self.statement)
            if not source.entries(state):
                break
            if self._is_chance(state, source, target):
                return False
            entry = self._next(state, source)
            take(state, source, entry, self.statement)
            add(state, target, (entry,), self.bottom, self.statement)
            slots[self.left] -= 1
        if not source.entries(state):
            run.refill(state, source, self.statement)
        frame.pc = self.then
        return True

    def _is_chance(self, state: State, source: Place, target: Place) -> bool:
        """Whether somebody comes to know what nobody knew, or what lot decides."""
        if source.element.kind == "bag":
            return not (source.hidden and target.hidden)
        return not target.hidden and type(source.entries(state)[-1]) is Ticket

    def _next(self, state: State, source: Place) -> Entry:
        """The entry to move where that is no chance event: a pile's top, or, unseen, any entry of a hidden bag."""
        entries = source.entries(state)
        if source.element.kind == "bag" and (type(entries[0]) is not Ticket or entries[0] != entries[-1]):
            entries = shuffled(state, entries)
            state.put(source.cell, entries)
        return entries[-1]

    def drawn(self, state: State, slots: Slots) -> tuple[Entry, ...]:
        source, _ = self.located(slots)
        entries = source.entries(state)
        return entries if source.element.kind == "bag" else entries[-1:]

    def resolve(self, state: State, frame: Frame, outcome: t.Value, via: Route | None) -> None:
        slots = frame.slots
        source, target = self.located(slots)
        route = self.route(state, slots, outcome, via)
        settle(state, route, outcome)
        take(state, source, Ticket(route[0]) if route else outcome, self.statement)
        add(state, target, (outcome,), self.bottom, self.statement)
        slots[self.left] -= 1


@dataclass(slots=True)
class Reveal(Hidden):
    """All unseen pieces of the source come to light before they are moved to where they are seen, the topmost first."""

    def enter(self, run: Run, state: State, frame: Frame) -> bool:
        source, target = self.located(frame.slots)
        if not target.hidden and unseen(state, source) is not None:
            return False
        frame.pc = self.then
        return True

    def _position(self, state: State, slots: Slots) -> int:
        position = unseen(state, self.located(slots)[0])
        assert position is not None
        return position

    def drawn(self, state: State, slots: Slots) -> tuple[Entry, ...]:
        entries = self.located(slots)[0].entries(state)
        return (entries[self._position(state, slots)],)

    def resolve(self, state: State, frame: Frame, outcome: t.Value, via: Route | None) -> None:
        slots = frame.slots
        position = self._position(state, slots)
        settle(state, self.route(state, slots, outcome, via), outcome)
        reveal(state, self.located(slots)[0], position, outcome)


@dataclass(slots=True)
class RoutineCode:
    """A compiled routine.

    Attributes:
        entry: where it begins; `size`: how many slots its frames have.
        body: for an action, where it goes on once its leading requirements are met.
        dead: for each instruction, the slots whose content matters no more when the flow comes to it.
        place: the clause and the place to name for the routine as a whole.
        loops: statements that repeat without a bound, outer ones first, each with its first and last instruction.
        named: the statements that say who acts, inner ones first, each with its first and last instruction.
        changes: the clauses of the statements that change cells, by the number of their first instruction.
    """

    name: str
    place: tuple[str, Span]
    code: list[Instruction] = field(default_factory=list)
    entry: int = 0
    body: int = 0
    size: int = 1
    dead: list[tuple[int, ...]] = field(default_factory=list)
    loops: list[tuple[int, int, m.Statement]] = field(default_factory=list)
    named: list[tuple[int, int, m.Statement]] = field(default_factory=list)
    changes: dict[int, str] = field(default_factory=dict)
