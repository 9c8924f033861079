"""The machine: a game's routines, and how a state runs from one event to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ludex.grammar import Span
from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from .concealment import Concealed, Concealment
from .evaluate import Expressions, Fn, Slots, steps_between
from .events import SpecFault
from .flatten import Flattener, compile_action_option
from .flow import mark_dead_slots, mark_refusable
from .instructions import (
    NONE,
    Decide,
    Instruction,
    Refusing,
    RoutineCode,
    Special,
    Stop,
    Together,
    carry_out,
)
from .options import OptionCode
from .pools import hidden_cells, normalise
from .scoring import Scoring
from .state import CELLS, TRIAL, Frame, State, Ticket
from .veil import Veiled, cells_of, is_veiled, veiled
from .walk import highest_slot
from .zones import Place, add, clear, fault, indexed, shuffle

CALL = 5
"""An action under way in another counts for so many parts of expressions inside one another."""
STEP_LIMIT = 100_000
"""A run that takes more instructions than this without an event is taken to be endless: a fault of the spec."""

SETUP, PLAY = 0, 1
"""Numbers of routines. The actions follow, in the game's order, then what the examples are given."""


@dataclass(frozen=True, slots=True)
class Refilling:
    """A `refill` clause with its two zones found."""

    refill: m.Refill
    zone: Place
    source: Place


class Machine:
    """A game compiled. Everything here is settled before play."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self.table = game.name, game.edition, game.players
        self._x = Expressions(game, self._can, self._total, self._wins)
        self.meter = self._x.meter
        self.scoring = Scoring(game, self._x)
        self.hidden = hidden_cells(game)
        numbers = {name: PLAY + 1 + at for at, name in enumerate(game.actions)}
        self.standing = {
            name: compile_action_option(self._x, action, numbers[name]) for name, action in game.actions.items()
        }
        self._numbers = numbers
        self.routines = self._routines()
        for routine in self.routines:
            mark_dead_slots(routine)
        mark_refusable(self.routines, list(self.standing.values()), [(PLAY, self.routines[PLAY].entry)])
        self.concealment = Concealment(game)
        self.refills = [self._refilling(refill) for refill in game.refills]
        self._steps = {element.name: steps_between(element.indices) for element in game.elements}
        self.cells_of = {element.name: indexed(element) for element in game.elements}

    def _routines(self) -> list[RoutineCode]:
        game = self.game
        start = game.setup or m.Routine("setup", m.Sequence("setup", game.play.body.span, ()), 1)
        made = [self._whole(start, "setup"), self._whole(game.play, "play")]
        made += [self._action(action) for action in game.actions.values()]
        self.given: dict[str, int] = {}
        for example in game.examples:
            if example.given is not None:
                self.given[example.name] = len(made)
                made.append(self._whole(example.given, example.given.name))
        return made

    def _whole(self, routine: m.Routine, path: str) -> RoutineCode:
        empty = RoutineCode(routine.name, (path, routine.body.span), size=max(1, routine.frame_size))
        counts = routine is self.game.play
        return Flattener(self._x, self._numbers, self.standing, empty, counts).whole(routine.body)

    def _action(self, action: m.Action) -> RoutineCode:
        empty = RoutineCode(action.name, (action.name, action.span), size=max(1, action.frame_size))
        return Flattener(self._x, self._numbers, self.standing, empty).action(action)

    def _refilling(self, refill: m.Refill) -> Refilling:
        nowhere = State([], [], [])
        places = [
            Place(zone.element, self._x.address(zone.element, zone.indices, refill.path)(nowhere, [None]))
            for zone in (refill.zone, refill.source)
        ]
        return Refilling(refill, places[0], places[1])

    # ---- states

    def blank(self) -> State:
        """Every cell at its declared initial value, nothing under way."""
        state = State([], [], [], self.table)
        for element in self.game.elements:
            state.lay(self._initial(element, state))
        return state

    def _initial(self, element: m.Element, state: State) -> list[t.Value]:
        if element.initial is None:
            empty = {"state": t.zero(element.type), "one": None, "pile": (), "bag": ()}
            return [empty[element.kind]] * element.count
        initial, pad = self._x.compile(element.initial, element.name), [None] * (highest_slot(element.initial) + 1)
        return [initial(state, [None, *index, *pad]) for index in product(*map(t.values, element.indices))]

    def cell(self, name: str, indices: Sequence[t.Value]) -> int:
        """The number of the cell of a state or zone."""
        element = self.game.element[name]
        parts = zip(element.indices, indices, self._steps[name], strict=True)
        return element.offset + sum([t.position(of, index) * step for of, index, step in parts])

    def frame(self, routine: int, slots: Sequence[t.Value] = (None,)) -> Frame:
        """A frame at the routine's beginning."""
        code = self.routines[routine]
        return Frame(routine, code.entry, [*slots, *([None] * (code.size - len(slots)))])

    def standing_at(self, state: State) -> Instruction | None:
        """The instruction at which the state waits; None if it is terminal."""
        if not state.frames:
            return None
        frame = state.frames[-1]
        return self.routines[frame.routine].code[frame.pc]

    def naming(self, state: State) -> Span | None:
        """The place where the flow said who acts now; None where it stands in no such statement."""
        for frame in reversed(state.frames):
            for first, last, step in self.routines[frame.routine].named:
                if first <= frame.pc < last:
                    return step.span
        return None

    def clear_dead(self, frame: Frame) -> None:
        for slot in self.routines[frame.routine].dead[frame.pc]:
            frame.slots[slot] = None

    def value(self, expr: m.Expr, state: State, slots: Slots) -> t.Value:
        """The value of an expression that stands outside the routines: a piece of work by itself."""
        return self.compiled(expr)(state, slots)

    def compiled(self, expr: m.Expr) -> Fn:
        """The closure that gives the value of an expression that stands outside the routines; each call is a piece of
        work by itself."""
        return self._begun(self._x.compile(expr, None))

    def _begun(self, made: Fn) -> Fn:
        meter = self.meter

        def begun(state: State, slots: Slots) -> t.Value:
            meter.begin()
            return made(state, slots)

        return begun

    def called(self, name: str, arguments: tuple[t.Value, ...]) -> t.Value:
        """The value of a fact or define that reads no state. Raises Undefined, and OverBudget."""
        self.meter.begin()
        code = self._x.define(name)
        pad = [None] * (code.define.frame_size - len(arguments) - 1)
        return code.body(State([], [], []), [None, *arguments, *pad])

    def items(self, collection: m.Expr) -> Fn:
        """The closure that lists a collection's items, as choices go through them; each call is a piece of work by
        itself."""
        return self._begun(self._x.items(collection, None))

    def add_routine(self, step: m.Step, size: int) -> tuple[int, int]:
        """Compile a statement that stands outside the routines, in frames of this size: the number of the routine made
        of it, and where that begins. Its frames keep what nothing reads any more."""
        empty = RoutineCode("", (step.path, step.span), size=size)
        routine = Flattener(self._x, self._numbers, self.standing, empty).whole(step)
        routine.dead = [()] * len(routine.code)
        self.routines.append(routine)
        return len(self.routines) - 1, routine.entry

    @cached_property
    def stop(self) -> int:
        """The number of a routine at which every run comes to rest."""
        span = self.game.play.body.span
        code: list[Instruction] = [Stop((), NONE)]
        self.routines.append(RoutineCode("", (self.game.play.name, span), size=1, code=code, dead=[()]))
        return len(self.routines) - 1

    # ---- running

    def run(self, state: State, may_refuse: bool) -> None:
        """Go on to the next event or the end. may_refuse: a requirement that fails raises Refusing."""
        Running(self, may_refuse=may_refuse).run(state)
        normalise(state, self.hidden)

    def trial(self, state: State, option: OptionCode, values: Sequence[t.Value], after: int) -> str | None:
        """The requirement that would fail before the next event if the option were taken in a decision at which the
        state waits; None if none would."""
        self.meter.take(TRIAL + len(state.cells) // CELLS, *option.place)
        tried = state.within()
        running = Running(self, trial=True, may_refuse=True)
        try:
            carry_out(running, tried, tried.frames[-1], option, values, after)
            running.run(tried)
        except Refusing as refusing:
            return refusing.path
        return None

    # ---- legality

    def instances(
        self, state: State, options: Sequence[OptionCode], slots: Slots, after: int
    ) -> Iterator[tuple[OptionCode, tuple[t.Value, ...]]]:
        """All legal instances of the options for the player in slot 0 of `slots`."""
        for option in options:
            for found in option.instances(state, option.open(state, slots)):
                if not option.refusable or self.trial(state, option, found, after) is None:
                    yield option, found

    def concealed(self, state: State, decision: Decide | Together) -> Concealed:
        """What the decision at which the state waits hangs on, as far as it is not open."""
        return self.hangs_on(self.routines[state.frames[-1].routine].name, decision)

    def hangs_on(self, routine: str, decision: Decide | Together) -> Concealed:
        """The same of a decision that stands in a routine of this name."""
        if decision.concealed is None:
            decision.concealed = self.concealment.of(routine, decision.statement)
        return decision.concealed

    def may_offer(self, state: State, decision: Decide | Together, slots: Slots) -> bool:
        """Whether an option may have a legal instance, for all that everybody can see: where the rules fail for want of
        what they cannot see, it may. Raises OverBudget."""
        concealed = self.concealed(state, decision)
        if concealed is not Concealed.CELLS or is_veiled(state):
            return concealed is Concealed.NAMES
        seen = veiled(state, cells_of(self.concealment.elements))
        try:
            return Running(self, may_refuse=True).offers(seen, decision.options, slots.copy())
        except OverBudget:
            raise
        except (SpecFault, Veiled):
            return True

    def _can(self, state: State, name: str, me: t.Value, arguments: tuple[t.Value, ...]) -> bool:
        """`can`: whether the action has a legal instance for `me`, here and now, whatever is under way."""
        option = self.standing[name]
        alone = state.within([])
        if option.choices:
            return self._can_choose(alone, option, [me, *arguments])
        alone.frames = [self.frame(option.routine or 0, (me, *arguments))]
        running = Running(self, probe=True, may_refuse=True)
        try:
            running.run(alone)
        except Refusing:
            return False
        return self._has_any(alone)

    def _can_choose(self, alone: State, option: OptionCode, given: Slots) -> bool:
        for found in option.instances(alone, option.open(alone, given)):
            if not option.refusable:
                return True
            self.meter.take(TRIAL + len(alone.cells) // CELLS, *option.place)
            tried = alone.within()
            running = Running(self, trial=True, may_refuse=True)
            running.begin(tried, option.routine or 0, True, option.bound(tried, given, found))
            try:
                running.run(tried)
            except Refusing:
                continue
            return True
        return False

    def _has_any(self, state: State) -> bool:
        """Whether what the state waits for, if it is a decision, has a legal instance."""
        instruction = self.standing_at(state)
        if isinstance(instruction, Decide):
            slots = state.frames[-1].slots
            return any(True for _ in self.instances(state, instruction.options, slots, instruction.after))
        if isinstance(instruction, Together):
            return bool(instruction.waiting(Running(self), state, state.frames[-1]))
        return True

    def _wins(self, state: State, player: int) -> bool:
        return player in self.scoring.winners(state).winners

    def _total(self, state: State, player: int) -> int:
        return self.scoring.total(state, player)


class Running:
    """One run of the machine (see `instructions.Run`)."""

    def __init__(self, machine: Machine, trial: bool = False, probe: bool = False, may_refuse: bool = False) -> None:
        self._machine = machine
        self.trial, self.probe, self.may_refuse = trial, probe, may_refuse

    def run(self, state: State) -> None:
        """Go on until an event is needed or nothing is left to do."""
        routines, left = self._machine.routines, STEP_LIMIT
        while state.frames:
            frame = state.frames[-1]
            routine, before = routines[frame.routine], left
            left = self.plain(state, frame, routine, left)
            if not left:
                raise self._endless(state)
            left -= 1
            self._machine.meter.take(before - left, *routine.place)
            instruction = routine.code[frame.pc]
            assert isinstance(instruction, Special)
            if not instruction.enter(self, state, frame):
                self._machine.clear_dead(frame)
                return

    def plain(self, state: State, frame: Frame, routine: RoutineCode, left: int) -> int:
        """Go through plain instructions up to the next special one, at most `left`; how many are left then."""
        code, slots, pc = routine.code, frame.slots, frame.pc
        instruction = code[pc]
        while instruction.step is not None and left:
            pc = instruction.step(state, slots)
            instruction = code[pc]
            left -= 1
        frame.pc = pc
        return left

    def _endless(self, state: State) -> SpecFault:
        """A loop that may go on for ever is taken to do so; else there is merely too much to do."""
        for frame in reversed(state.frames):
            loops = self._machine.routines[frame.routine].loops
            around = [loop for first, last, loop in loops if first <= frame.pc <= last]
            if around:
                message = f"this goes on for ever: after {STEP_LIMIT} steps there is still no event"
                return SpecFault(message, around[-1].path, around[-1].span)
        return self._machine.meter.over(*self._machine.routines[state.frames[-1].routine].place)

    def begin(self, state: State, routine: int, checked: bool, slots: Slots) -> None:
        if state.frames:
            self._machine.clear_dead(state.frames[-1])
        frame = self._machine.frame(routine, slots)
        meter = self._machine.meter
        if len(state.frames) * CALL > meter.budget.depth:
            raise OverBudget("depth", meter.budget.depth, *self._machine.routines[routine].place)
        if checked:
            frame.pc = self._machine.routines[routine].body
        state.frames.append(frame)

    def offers(self, state: State, options: Sequence[OptionCode], slots: Slots) -> bool:
        if any(option.is_free and (self.trial or not option.refusable) for option in options):
            return True
        leading = False
        for option in options:
            for found in option.instances(state, option.open(state, slots)):
                leading = True
                if self.trial or not option.refusable:
                    return True
                if self._machine.trial(state, option, found, self._after(state)) is None:
                    return True
        if leading:
            self.may_refuse = False
        return False

    def _after(self, state: State) -> int:
        instruction = self._machine.standing_at(state)
        return instruction.after if isinstance(instruction, Decide) else state.frames[-1].pc

    def may_offer(self, state: State, decision: Decide | Together, slots: Slots) -> bool:
        return self._machine.may_offer(state, decision, slots)

    def take(self, units: int, at: m.Statement) -> None:
        self._machine.meter.take(units, at.path, at.span)

    def passed(self, state: State, path: str) -> None:
        if state.trace is not None:
            state.trace.passed[path] += 1

    def ended(self, state: State, path: str) -> None:
        if state.trace is not None:
            state.trace.ended = path

    def refill(self, state: State, place: Place, at: m.Statement) -> None:
        for refilling in self._machine.refills:
            if refilling.zone == place:
                _refill(state, refilling, at)


def _refill(state: State, refilling: Refilling, at: m.Statement) -> None:
    entries = refilling.source.entries(state)
    if not refilling.zone.hidden and any(type(entry) is Ticket for entry in entries):
        raise fault("unseen pieces would be put where they can be seen", refilling.refill)
    clear(state, refilling.source)
    add(state, refilling.zone, entries, False, at)
    shuffle(state, refilling.zone)
