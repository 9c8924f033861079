"""Statements into instructions. A statement is compiled after everything that comes after it, so that each instruction
knows the number of the next; only the head of a loop is reserved first and filled in last.

What a loop or a draw must remember between events stands in slots beyond those of the routine's names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .evaluate import Expressions, Fn, Slots
from .instructions import (
    NONE,
    Bodies,
    Call,
    Decide,
    Demand,
    Draw,
    Edge,
    EndGame,
    Instruction,
    Plain,
    Random,
    Return,
    Reveal,
    RoutineCode,
    Together,
)
from .options import OptionCode, ParameterCode, compile_choices, compile_tests
from .state import State
from .walk import bare, free_slots
from .zones import Place, add, clear, copies, each_piece, fault, shuffle, size_at, take

Find: TypeAlias = Callable[[State, Slots], Place]
Listed: TypeAlias = Callable[[Any], list[t.Value]]
"""Lists the pieces that an expression's value stands for."""


class Flattener:
    """Compiles one routine. `routines`: the numbers of the actions; `options`: each action as an option by itself;
    `counts`: it is the course of play, whose rounds are counted."""

    def __init__(
        self,
        expressions: Expressions,
        routines: Mapping[str, int],
        options: Mapping[str, OptionCode],
        empty: RoutineCode,
        counts: bool = False,
    ) -> None:
        self._counts = counts
        self._x, self._routines, self._actions, self.routine = expressions, routines, options, empty
        self._code = self.routine.code
        self._return = self._emit(Return((), NONE))

    def whole(self, body: m.Step) -> RoutineCode:
        """A routine that is nothing but its body."""
        self.routine.entry = self.routine.body = self.step(body, self._return)
        return self.routine

    def action(self, action: m.Action) -> RoutineCode:
        """An action: performed, its leading requirements are met on the way; chosen, they have been met already."""
        self.routine.body = entry = self.step(action.body, self._return)
        for requirement in reversed(action.requirements):
            entry = self._demand(requirement, entry)
        self.routine.entry = entry
        return self.routine

    # ---- building blocks

    def _emit(self, instruction: Instruction) -> int:
        self._code.append(instruction)
        return len(self._code) - 1

    def _reserve(self) -> int:
        return self._emit(Return((), NONE))

    def _slot(self) -> int:
        """A slot of our own."""
        self.routine.size += 1
        return self.routine.size - 1

    def _plain(self, step: Callable[[State, Slots], int], then: Iterable[int], reads: frozenset[int] = NONE) -> int:
        return self._emit(Plain(step, tuple((target, NONE) for target in then), reads))

    def _act(self, act: Callable[[State, Slots], None], then: int, reads: frozenset[int] = NONE) -> int:
        def step(state: State, slots: Slots) -> int:
            act(state, slots)
            return then

        return self._plain(step, (then,), reads)

    def _assign(self, value: Fn, slot: int, then: int, reads: frozenset[int]) -> int:
        def step(state: State, slots: Slots) -> int:
            slots[slot] = value(state, slots)
            return then

        return self._emit(Plain(step, ((then, frozenset({slot})),), reads))

    def _zone(self, zone: m.ZoneRef, path: str) -> Find:
        element, address = zone.element, self._x.address(zone.element, zone.indices, path)
        return lambda s, f: Place(element, address(s, f))

    # ---- statements

    def step(self, step: m.Step, then: int) -> int:
        """Compile a statement that is followed by the instruction `then`; the number of its first instruction."""
        entry = STEPS[type(step)](self, step, then)
        if isinstance(step, CHANGES):
            self.routine.changes[entry] = step.path
        return entry

    def sequence(self, step: m.Sequence, then: int) -> int:
        for part in reversed(step.body):
            then = self.step(part, then)
        return then

    def with_exceptions(self, step: m.WithStepExceptions, then: int) -> int:
        normal = self.step(step.body, then)
        cases = [(self._x.compile(e.condition, e.path), self.step(e.body, then)) for e in step.exceptions]
        said = [bare(exception.body) for exception in step.exceptions]

        def choose(state: State, slots: Slots) -> int:
            holding = [at for at, (condition, _) in enumerate(cases) if condition(state, slots)]
            for other in holding[1:]:
                if said[other] != said[holding[0]]:
                    one, two = step.exceptions[holding[0]].path, step.exceptions[other].path
                    raise fault(f"the exceptions {one} and {two} both hold here, and say different things", step)
            return cases[holding[0]][1] if holding else normal

        targets = (normal, *(entry for _, entry in cases))
        return self._plain(choose, targets, free_slots(*(e.condition for e in step.exceptions)))

    def demand(self, step: m.Demand, then: int) -> int:
        return self._demand(step.requirement, then)

    def _demand(self, requirement: m.Requirement, then: int) -> int:
        holds, reads = self._x.test(requirement), free_slots(requirement)
        return self._emit(Demand(((then, NONE),), reads, requirement.path, requirement.span, holds, then))

    def set_local(self, step: m.SetLocal, then: int) -> int:
        return self._assign(self._x.compile(step.value, step.path), step.slot, then, free_slots(step.value))

    def store(self, step: m.Store, then: int) -> int:
        value = self._x.compile(step.value, step.path)
        address = self._x.address(step.element, step.indices, step.path)

        def store(state: State, slots: Slots) -> None:
            result = value(state, slots)
            state.put(address(state, slots), result)

        return self._act(store, then, free_slots(step.value, *step.indices))

    def end_game(self, step: m.EndGameStep, then: int) -> int:
        return self._emit(EndGame((), NONE, step.path))

    def perform(self, step: m.Perform, then: int) -> int:
        arguments = [self._x.compile(argument, step.path) for argument in step.arguments]
        routine = self._routines[step.action]
        return self._emit(Call(((then, NONE),), free_slots(*step.arguments), routine, arguments, then))

    # ---- branches and loops

    def if_step(self, step: m.IfStep, then: int) -> int:
        known = self._x.fixed(step.condition, step.path)
        if known is not None:
            taken = step.then if known[0] else step.otherwise
            return then if taken is None else self.step(taken, then)
        condition = self._x.compile(step.condition, step.path)
        yes = self.step(step.then, then)
        no = then if step.otherwise is None else self.step(step.otherwise, then)
        return self._plain(lambda s, f: yes if condition(s, f) else no, (yes, no), free_slots(step.condition))

    def match_step(self, step: m.MatchStep, then: int) -> int:
        subject = self._x.compile(step.subject, step.path)
        arms = [(case.values, (case.binds, self.step(case.body, then))) for case in step.cases]
        table = {value: arm for held, arm in reversed(arms) for value in held or ()}
        rest = next((arm for held, arm in arms if held is None), ((), then))

        def match(state: State, slots: Slots) -> int:
            value = subject(state, slots)
            binds, entry = table.get(value, rest)
            for bind in binds:
                slots[bind.slot] = bind.table[value]
            return entry

        edges = [(entry, frozenset(bind.slot for bind in binds)) for _, (binds, entry) in arms]
        return self._emit(Plain(match, (*edges, (rest[1], NONE)), free_slots(step.subject)))

    def for_each(self, step: m.ForEach, then: int) -> int:
        def inside(number: int, next_turn: int) -> int:
            if number < len(step.loops):
                return self._loop(step.loops[number], step.path, next_turn, lambda head: inside(number + 1, head))
            body = self.step(step.body, next_turn)
            if step.where is None:
                return body
            where = self._x.compile(step.where, step.path)
            reads = free_slots(step.where)
            return self._plain(lambda s, f: body if where(s, f) else next_turn, (body, next_turn), reads)

        return inside(0, then)

    def _loop(self, loop: m.Loop, path: str, then: int, inside: Callable[[int], int]) -> int:
        return self._turns(self._x.items(loop.domain, path), loop.domain, path, loop.slot, then, inside)

    def _turns(self, items: Fn, domain: m.Expr, path: str, slot: int, then: int, inside: Callable[[int], int]) -> int:
        """`slot` gets one item after the other. The items are remembered only where they are not always the same."""
        head, at = self._reserve(), self._slot()
        body = inside(head)
        always = self._x.fixed(domain, path) is not None
        listed = -1 if always else self._slot()

        def turn(state: State, slots: Slots) -> int:
            turns = items(state, slots) if always else slots[listed]
            if slots[at] == len(turns):
                return then
            slots[slot] = turns[slots[at]]
            slots[at] += 1
            return body

        def start(state: State, slots: Slots) -> int:
            if not always:
                slots[listed] = tuple(items(state, slots))
            slots[at] = 0
            return head

        own = frozenset({at} if always else {at, listed})
        self._code[head] = Plain(turn, ((then, NONE), (body, frozenset({slot}))), own)
        return self._emit(Plain(start, ((head, own),), free_slots(domain)))

    def for_each_player(self, step: m.ForEachPlayer, then: int) -> int:
        saved = self._slot()
        restore = self._assign(lambda s, f: f[saved], 0, then, frozenset({saved}))
        items, first = self._x.items(step.order, step.path), len(self._code)

        def inside(head: int) -> int:
            return self._naming(step, first, self.step(step.body, head))

        start = self._turns(items, step.order, step.path, 0, restore, inside)
        return self._assign(lambda s, f: f[0], saved, start, frozenset({0}))

    def as_player(self, step: m.AsPlayer, then: int) -> int:
        first, saved, player = len(self._code), self._slot(), self._x.compile(step.player, step.path)
        restore = self._assign(lambda s, f: f[saved], 0, then, frozenset({saved}))
        body = self._naming(step, first, self.step(step.body, restore))

        def enter(state: State, slots: Slots) -> int:
            slots[saved], slots[0] = slots[0], player(state, slots)
            return body

        return self._emit(Plain(enter, ((body, frozenset({saved, 0})),), free_slots(step.player) | {0}))

    def _naming(self, step: m.Statement, first: int, then: int) -> int:
        """What stands from `first` on is done by whom the step names; an onlooker is told when that begins."""

        def tell(state: State, slots: Slots) -> None:
            if state.trace is not None:
                state.trace.named.add(step.span)

        self.routine.named.append((first, len(self._code), step))
        return self._act(tell, then, NONE)

    def repeat_until(self, step: m.RepeatUntilStep, then: int) -> int:
        test = self._reserve()
        loop = len(self.routine.loops)
        body = self._round(step, test)
        self.routine.loops.insert(loop, (test, len(self._code), step))
        if step.until is None:
            self._code[test] = Plain(lambda s, f: body, ((body, NONE),))
        else:
            until = self._x.compile(step.until, step.path)
            edges: tuple[Edge, ...] = ((then, NONE), (body, NONE))
            self._code[test] = Plain(lambda s, f: then if until(s, f) else body, edges, free_slots(step.until))
        return body

    def repeat_times(self, step: m.RepeatTimesStep, then: int) -> int:
        head, left = self._reserve(), self._slot()
        body = self._round(step, head)

        def turn(state: State, slots: Slots) -> int:
            if slots[left] <= 0:
                return then
            slots[left] -= 1
            return body

        self._code[head] = Plain(turn, ((then, NONE), (body, NONE)), frozenset({left}))
        return self._assign(self._x.compile(step.count, step.path), left, head, free_slots(step.count))

    def _round(self, step: m.RepeatUntilStep | m.RepeatTimesStep, then: int) -> int:
        """A loop's body. In the course of play an onlooker counts how often the outermost loops begin again: rounds."""
        counts, self._counts = self._counts, False
        body, path = self.step(step.body, then), step.path
        self._counts = counts
        if not counts:
            return body

        def again(state: State, slots: Slots) -> int:
            if state.trace is not None:
                state.trace.rounds[path] += 1
            return body

        return self._plain(again, (body,))

    # ---- zones

    def fill(self, step: m.FillZone, then: int) -> int:
        return self._enter_game(step, step.zone, step.pieces, copies(step.pieces.type), False, then)

    def put(self, step: m.PutPiece, then: int) -> int:
        return self._enter_game(step, step.target, step.piece, each_piece(step.piece, step), step.bottom, then)

    def _enter_game(
        self,
        step: m.Statement,
        zone: m.ZoneRef,
        pieces: m.Expr,
        listed: Callable[[Any], list[t.Value]],
        bottom: bool,
        then: int,
    ) -> int:
        find, value, name = self._zone(zone, step.path), self._x.compile(pieces, step.path), str(zone.element.type)
        meter = self._x.meter

        def enter(state: State, slots: Slots) -> None:
            new = listed(value(state, slots))
            meter.take(len(new) + size_at(state, find(state, slots)), step.path, step.span)
            add(state, find(state, slots), new, bottom, step)
            if state.trace is not None:
                state.trace.entered.update((name, piece) for piece in new)

        return self._act(enter, then, free_slots(pieces, *zone.indices))

    def remove(self, step: m.RemovePiece, then: int) -> int:
        find, value = self._zone(step.source, step.path), self._x.compile(step.piece, step.path)
        listed, name, meter = each_piece(step.piece, step), str(step.source.element.type), self._x.meter

        def leave(state: State, slots: Slots) -> None:
            gone = listed(value(state, slots))
            meter.take(len(gone) * size_at(state, find(state, slots)), step.path, step.span)
            for piece in gone:
                take(state, find(state, slots), piece, step)
            if state.trace is not None:
                state.trace.left.update((name, piece) for piece in gone)

        return self._act(leave, then, free_slots(step.piece, *step.source.indices))

    def shuffle(self, step: m.ShuffleZone, then: int) -> int:
        find = self._zone(step.zone, step.path)
        meter = self._x.meter

        def act(state: State, slots: Slots) -> None:
            place = find(state, slots)
            meter.take(size_at(state, place), step.path, step.span)
            shuffle(state, place)

        return self._act(act, then, free_slots(*step.zone.indices))

    def draw(self, step: m.DrawPieces, then: int) -> int:
        source, target, left = self._slot(), self._slot(), self._slot()
        places = (Place(step.source.element, 0), Place(step.target.element, 0))
        own = frozenset({source, target, left})
        draw = self._reserve()
        self._code[draw] = Draw(
            ((then, NONE),), own, step, self._x.meter, source, target, places, then, left, step.bottom
        )
        find_source, find_target = self._zone(step.source, step.path), self._zone(step.target, step.path)
        count = self._x.compile(step.count, step.path)

        def start(state: State, slots: Slots) -> int:
            slots[left] = count(state, slots)
            slots[source] = find_source(state, slots).cell
            slots[target] = find_target(state, slots).cell
            return draw

        reads = free_slots(step.count, *step.source.indices, *step.target.indices)
        return self._emit(Plain(start, ((draw, own),), reads))

    def move(self, step: m.MovePiece, then: int) -> int:
        if step.piece is None:
            return self.move_all(m.MoveAll(step.path, step.span, step.source, step.target, step.bottom), then)
        value, listed, meter = self._x.compile(step.piece, step.path), each_piece(step.piece, step), self._x.meter
        find_source, find_target = self._zone(step.source, step.path), self._zone(step.target, step.path)

        def move(state: State, slots: Slots) -> None:
            pieces = listed(value(state, slots))
            source, target = find_source(state, slots), find_target(state, slots)
            units = len(pieces) * size_at(state, source) + size_at(state, target)
            meter.take(units, step.path, step.span)
            for piece in pieces:
                take(state, source, piece, step)
            add(state, target, pieces, step.bottom, step)

        return self._act(move, then, free_slots(step.piece, *step.source.indices, *step.target.indices))

    def move_all(self, step: m.MoveAll, then: int) -> int:
        def move(state: State, source: Place, target: Place) -> None:
            entries = source.entries(state)
            self._x.meter.take(len(entries) + size_at(state, target), step.path, step.span)
            clear(state, source)
            add(state, target, entries, step.bottom, step)

        return self._two_places(step, step.source, step.target, move, then)

    def swap(self, step: m.SwapPieces, then: int) -> int:
        def swap(state: State, left: Place, right: Place) -> None:
            here, there = state.cells[left.cell], state.cells[right.cell]
            state.put(left.cell, there)
            state.put(right.cell, here)

        return self._two_places(step, step.left, step.right, swap, then)

    def _two_places(
        self,
        step: m.MoveAll | m.SwapPieces,
        left: m.ZoneRef,
        right: m.ZoneRef,
        act: Callable[[State, Place, Place], None],
        then: int,
    ) -> int:
        """Something is done with all that lies in two places, once what will be seen is known."""
        first, second = self._slot(), self._slot()
        own = frozenset({first, second})
        one, two = Place(left.element, 0), Place(right.element, 0)

        def done(state: State, slots: Slots) -> int:
            act(state, Place(one.element, slots[first]), Place(two.element, slots[second]))
            return then

        entry = self._plain(done, (then,), own)
        for source, target, places in ((first, second, (one, two)), (second, first, (two, one))):
            if places[0].hidden and not places[1].hidden and (source == first or isinstance(step, m.SwapPieces)):
                entry = self._emit(Reveal(((entry, NONE),), own, step, self._x.meter, source, target, places, entry))
        find_left, find_right = self._zone(left, step.path), self._zone(right, step.path)

        def start(state: State, slots: Slots) -> int:
            slots[first] = find_left(state, slots).cell
            slots[second] = find_right(state, slots).cell
            return entry

        return self._emit(Plain(start, ((entry, own),), free_slots(*left.indices, *right.indices)))

    # ---- decisions and chance

    def random(self, step: m.RandomValue, then: int) -> int:
        items, holds = self._x.items(step.domain, step.path), self._x.holder(step.domain, step.path)
        where = None if step.where is None else self._x.compile(step.where, step.path)
        reads = free_slots(step.domain, *(() if step.where is None else (step.where,))) - {step.slot}
        edges = ((then, frozenset({step.slot})),)
        return self._emit(Random(edges, reads, step, self._x.meter, step.slot, step.type, items, holds, where, then))

    def decide(self, step: m.Decide, then: int) -> int:
        here = self._reserve()
        after = here if step.repeating else then
        options = tuple(self._option(option, step.path, after) for option in step.options)
        edges, reads = _uses(step.options, options)
        edges += [(then, NONE), (after, NONE)]
        self._code[here] = Decide(
            tuple(edges), reads | {0}, step, options, step.optional, step.repeating, then, after, _ambiguous(options)
        )
        return here

    def simultaneous(self, step: m.Simultaneous, then: int) -> int:
        stated, seat, saved = self._slot(), self._slot(), self._slot()
        first = bodies = self._reserve()
        options = tuple(self._option(option, step.path, bodies) for option in step.options)
        edges, reads = _uses(step.options, options)
        own = frozenset({stated, seat, saved})
        self._code[bodies] = Bodies((*edges, (then, NONE)), own, options, stated, seat, saved, then)

        def begin(state: State, slots: Slots) -> int:
            slots[saved], slots[seat] = slots[0], 0
            return bodies

        start = self._emit(Plain(begin, ((bodies, frozenset({saved, seat})),), frozenset({0, stated})))
        together = Together(
            ((start, NONE),), reads | {stated}, step, options, self._x.game.players, stated, start, _ambiguous(options)
        )
        return self._naming(step, first, self._assign(lambda s, f: None, stated, self._emit(together), NONE))

    def _option(self, option: m.MoveOption, path: str, after: int) -> OptionCode:
        if isinstance(option, m.ActionOption):
            return self._action_option(option, path)
        choices = compile_choices(self._x, option.choices, option.requirements, option.name)
        tests = compile_tests(self._x, option.choices, option.requirements)
        entry, place = self.step(option.body, after), (option.name, option.body.span)
        return OptionCode(option.name, choices, tests, lambda s, f: f.copy(), place, self._x.meter, None, entry)

    def _action_option(self, option: m.ActionOption, path: str) -> OptionCode:
        action = self._actions[option.action]
        arguments = [self._x.compile(argument, path) for argument in option.arguments]

        def open_(state: State, slots: Slots) -> Slots:
            given = [slots[0], *[argument(state, slots) for argument in arguments]]
            return action.open(state, given)

        return replace(action, open=open_)


def _uses(options: Sequence[m.MoveOption], codes: Sequence[OptionCode]) -> tuple[list[Edge], frozenset[int]]:
    """Where the options of a decision lead, within its own routine, and what they read of its slots."""
    edges: list[Edge] = []
    reads: frozenset[int] = NONE
    for option, code in zip(options, codes, strict=True):
        if isinstance(option, m.BranchOption):
            edges.append((code.entry, frozenset(choice.slot for choice in option.choices)))
            reads |= free_slots(*option.choices, *option.requirements)
        else:
            reads |= free_slots(*option.arguments)
    return edges, reads


def _ambiguous(options: Sequence[OptionCode]) -> bool:
    return len({option.name for option in options}) < len(options)


def compile_action_option(expressions: Expressions, action: m.Action, routine: int) -> OptionCode:
    """The action as an option by itself; `open` takes `me` and the arguments as its outer slots."""
    codes = compile_choices(expressions, action.choices, action.requirements, action.name)
    tests = compile_tests(expressions, action.choices, action.requirements)
    given, size = len(action.parameters) + 1, max(action.frame_size, 1)
    slots = enumerate(action.parameters, start=1)
    stated = tuple(ParameterCode(name, slot, type_) for slot, (name, type_) in slots if name in action.stated)

    def open_(state: State, slots: Slots) -> Slots:
        return [*slots[:given], *([None] * (size - given))]

    place = action.name, action.span
    return OptionCode(action.name, codes, tests, open_, place, expressions.meter, routine, stated=stated)


CHANGES = (
    m.Store,
    m.FillZone,
    m.ShuffleZone,
    m.DrawPieces,
    m.MovePiece,
    m.MoveAll,
    m.PutPiece,
    m.RemovePiece,
    m.SwapPieces,
)
"""Statements that change what cells hold."""
STEPS: Mapping[type, Callable[[Flattener, Any, int], int]] = {
    m.Sequence: Flattener.sequence,
    m.WithStepExceptions: Flattener.with_exceptions,
    m.Demand: Flattener.demand,
    m.SetLocal: Flattener.set_local,
    m.Store: Flattener.store,
    m.FillZone: Flattener.fill,
    m.ShuffleZone: Flattener.shuffle,
    m.DrawPieces: Flattener.draw,
    m.MovePiece: Flattener.move,
    m.MoveAll: Flattener.move_all,
    m.PutPiece: Flattener.put,
    m.RemovePiece: Flattener.remove,
    m.SwapPieces: Flattener.swap,
    m.Decide: Flattener.decide,
    m.Simultaneous: Flattener.simultaneous,
    m.Perform: Flattener.perform,
    m.RandomValue: Flattener.random,
    m.IfStep: Flattener.if_step,
    m.MatchStep: Flattener.match_step,
    m.ForEach: Flattener.for_each,
    m.ForEachPlayer: Flattener.for_each_player,
    m.AsPlayer: Flattener.as_player,
    m.RepeatUntilStep: Flattener.repeat_until,
    m.RepeatTimesStep: Flattener.repeat_times,
    m.EndGameStep: Flattener.end_game,
}
