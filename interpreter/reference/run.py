"""The run from one event to the next, statement by statement.

A statement begins, and returns what comes next: it is done, one inside it begins, or an event is awaited. When a
statement is done, the one around it decides what comes next. The place in the flow is always in the frames
(`../stack/state.py`), so that a run can stop and continue anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ludex.grammar import Message
from ludex.spec import (
    CALLS,
    Evaluation,
    Meter,
    NodeLists,
    NoValue,
    OverBudget,
    Truth,
    Unknown,
    UnknownPiece,
    actions_asking_themselves,
    any_of,
    is_known,
    listed,
    per_node,
    recursive_actions,
    requires,
    tested_after,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.decision_visibility import Concealment
from ..information.taint import TaintAnalysis
from ..stack.routines import PLAY, SETUP, Routine, routines_of, without_dead
from ..stack.state import Frame, StackState
from ..state.contents import ASKING, CELLS, TRIAL, Ticket
from ..state.events import SpecFault, Trace
from ..state.pools import PoolEntry, hidden_cells, make_canonical
from ..state.zones import ZoneCell, cell_of, empty_cell, indexed, take
from .chance import CHANCES
from .control import PLAYED, Mode, Next, RequirementFault, UndeterminedFlow
from .decisions import can, to_move
from .flow import FLOW, RETURNS, Begin, done
from .pieces import PIECES
from .scoring import points_of, winners

WORK_FACTOR = 40
"""The game's budget is multiplied by this, since the reference memoizes nothing and tries every move."""
STEP_LIMIT = 100_000
"""A run of more statements than this without an event counts as endless: a fault of the spec."""


BEGINNINGS: Mapping[type, Begin] = {**FLOW, **PIECES, **CHANCES}


class Rules:
    """The constant data of a game."""

    def __init__(self, game: m.Game) -> None:
        self.game, self.meter = game, Meter(game.budget, WORK_FACTOR)
        self.routines = routines_of(game)
        self.hidden = hidden_cells(game)
        self.cells_of = {element.name: indexed(element) for element in game.elements}
        lists = NodeLists()
        self.concealment, self.recursive = Concealment(game, lists), recursive_actions(game.actions, lists)
        self.asking_themselves = actions_asking_themselves(game, lists)
        # What these say of a node is asked for each state, and found by a walk through the node.
        self.tested_after = per_node(lambda option: tested_after(option.choices, option.requirements))

    @property
    def names(self) -> TaintAnalysis:
        return self.concealment.names

    @cached_property
    def may_refuse_late(self) -> bool:
        """Whether some statement of the game can reach a requirement, so that an unknown trial leaves doubt."""
        return any(requires(step, self.game.actions) for each in self.routines.values() for step in each.statements)

    @cached_property
    def secret(self) -> frozenset[tuple[str, int]]:
        """The slots of routines whose contents not everybody may know."""
        # Slot 0 is left out: who acts is public.
        return frozenset((name, slot) for name in self.routines for slot in self.names.tainted(name) if slot)


def blank(rules: Rules, mode: Mode = PLAYED, trace: Trace | None = None) -> Run:
    """Return a run with every cell at its initial value, and no routine under way."""
    run = Run(rules, StackState((), (), ()), mode, trace)
    for element in rules.game.elements:
        run.cells += [run.first_value(element, indices) for _, indices in rules.cells_of[element.name]]
    return run


class Run:
    """A state under way. It is a `Position` for expressions, and `Contents` for zones and pools.

    trace: records what happens. active: the questions under way around the run. doubt: whether the run assumed an
    unknown value to be known.
    """

    def __init__(
        self,
        rules: Rules,
        state: StackState,
        mode: Mode = PLAYED,
        trace: Trace | None = None,
        active: set[Any] | None = None,
    ) -> None:
        self.rules, self.game, self.meter = rules, rules.game, rules.meter
        self.cells, self.pools, self.frames = list(state.cells), state.pools, list(state.frames)
        active = set() if active is None else active
        closed = rules.concealment.closed_cycles if mode.is_public else ()
        self.evaluation = Evaluation(self.game.defines, self, active, self.meter, mode.is_partial, closed)
        self.mode, self.trace, self.doubt = mode, trace, False

    def state(self) -> StackState:
        """Return the current state."""
        make_canonical(self, self.rules.hidden)
        return StackState(tuple(self.cells), self.pools, without_dead(self.rules.routines, self.frames))

    def within(self, frames: Iterable[Frame], mode: Mode = PLAYED) -> Run:
        """Return a separate run for a question inside this one, in which no more is known. frames: its stack."""
        state = StackState(tuple(self.cells), self.pools, tuple(frames))
        # The calls under way are shared, or a `can` that asks itself by way of a trial would never end.
        return type(self)(self.rules, state, mode.knowing_as_little_as(self.mode), active=self.evaluation.active)

    def first_value(self, element: m.Element, indices: tuple[t.Value, ...]) -> t.Value:
        if element.initial is not None:
            # Indices are bound from slot 1 on, as everywhere: slot 0 is `me`, whom a first value cannot name.
            return self.evaluation.of(element.initial, dict(enumerate((None, *indices))), element.name)
        return empty_cell(element)

    # ---- cells and pools

    def put(self, cell: int, held: t.Value) -> None:
        self.cells[cell] = held

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        self.pools = tuple(pools)

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        self.pools = (*self.pools[:number], entries, *self.pools[number + 1 :])

    def take(self, place: ZoneCell, piece: t.Value, at: m.Statement) -> PoolEntry:
        """Remove a piece from a zone, and return the entry that it was there."""
        take(self, place, piece, at)
        return piece

    # ---- queries of expressions

    def held(self, element: m.Element, indices: tuple[t.Value, ...]) -> t.Value:
        content = self.cells[cell_of(element, indices)]
        if not element.is_zone or element.visibility != "hidden":
            return content
        # A ticket is a tuple, and means nothing in an expression: the evaluator must never read one as a list.
        if element.kind == "one":
            return UnknownPiece() if isinstance(content, Ticket) else content
        return tuple([UnknownPiece() if isinstance(entry, Ticket) else entry for entry in content])

    def answer(
        self, asked: m.Builtin | m.CanPerform, me: t.Value, arguments: tuple[t.Value, ...], path: str | None
    ) -> t.Value:
        if self.mode.is_public and not self._is_answered(asked):
            return Unknown()
        if isinstance(asked, m.CanPerform):
            return self._can(asked, me, arguments, path)
        self.meter.descend(ASKING, path, asked.span)
        try:
            if asked.name == "game_over":
                return not self.frames
            if asked.name == "to_move":
                return arguments[0] in to_move(self)
            if asked.name == "total":
                points = points_of(self.game, self.evaluation, arguments[0])
                return sum(points) if is_known(points) else Unknown()
            # Criteria break ties one after another, which is not defined for points that may be unknown.
            return Unknown() if self.mode.is_partial else arguments[0] in winners(self.game, self.evaluation).winners
        finally:
            self.meter.ascend(ASKING)

    def _is_answered(self, asked: m.Builtin | m.CanPerform) -> bool:
        """Return whether everybody knows the answer."""
        if isinstance(asked, m.CanPerform):
            return self.rules.concealment.is_answered(asked.action)
        return asked.name != "total" or self.rules.concealment.open_total

    def _can(self, asked: m.CanPerform, me: t.Value, arguments: tuple[t.Value, ...], path: str | None) -> Truth:
        """Return whether the action has a legal instance for `me` now, whatever is under way.

        A question that recurs into itself has no value.
        """
        if asked.action not in self.rules.asking_themselves:
            return self._tested(asked, me, arguments, path)
        key, active = (asked.action, me, arguments), self.evaluation.active
        if key in active:
            fault = NoValue(Message("fault-itself", action=asked.action), path, asked.span)
            return self.evaluation.none(fault)
        self.meter.ask(asked.action, asked.span)
        active.add(key)
        try:
            return self._tested(asked, me, arguments, path)
        finally:
            active.discard(key)
            self.meter.answered()

    def _tested(self, asked: m.CanPerform, me: t.Value, arguments: tuple[t.Value, ...], path: str | None) -> Truth:
        self.meter.take(TRIAL + len(self.cells) // CELLS, path, asked.span)
        try:
            # The stack is empty, since the routines under way must not change whether the action can be done.
            return can(self.within(()), asked.action, (me, *arguments))
        except (NoValue, OverBudget):
            raise
        except SpecFault as fault:  # a statement on the way to the answer failed: there is no answer
            return self.evaluation.none(NoValue(fault.message, fault.path, fault.span))

    def any_legal(self, verdicts: Iterable[Truth]) -> Truth:
        """Return whether one of the instances of an option is legal, given whether each is."""
        return any_of(verdicts)

    # ---- the place in the flow

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def routine(self) -> Routine:
        return self.rules.routines[self.frame.routine]

    @property
    def step(self) -> m.Step:
        """The current statement of the innermost frame."""
        return self.routine.statements[self.frame.at]

    def enter_statement(self, at: int) -> Next:
        """Make the statement with this number the current one, which begins."""
        self.frames[-1] = self.frame._replace(at=at)
        return Next.BEGIN

    def into(self, number: int = 0) -> Next:
        """Begin the statement with this number among those in the current one."""
        return self.enter_statement(self.routine.inside[self.frame.at][number])

    def write(self, slot: int, value: t.Value) -> None:
        slots = self.frame.slots
        self.frames[-1] = self.frame._replace(slots=(*slots[:slot], value, *slots[slot + 1 :]))

    def keep(self, kept: Any) -> None:
        """Store the values that the current statement needs later."""
        self.frames[-1] = self.frame._replace(kept=(*self.frame.kept, kept))

    def let_go(self) -> Any:
        """Remove and return what the innermost statement has stored."""
        *kept, last = self.frame.kept
        self.frames[-1] = self.frame._replace(kept=tuple(kept))
        return last

    def value(self, expr: m.Expr, path: str | None) -> t.Value:
        """Evaluate an expression in the innermost frame; the result may be unknown in a partial run."""
        return self.evaluation.of(expr, dict(enumerate(self.frame.slots)), path)

    def known(self, expr: m.Expr, path: str | None) -> t.Value:
        """Evaluate an expression on which control flow depends. Raises UndeterminedFlow if it is unknown."""
        value = self.value(expr, path)
        if isinstance(value, Unknown):
            raise UndeterminedFlow
        return value

    def items(self, domain: m.Expr, path: str | None) -> tuple[t.Value, ...]:
        items = listed(domain.type, self.known(domain, path))
        self.meter.take(len(items), path, domain.span)
        return items

    def place(self, zone: m.ZoneRef, path: str) -> ZoneCell:
        return ZoneCell(zone.element, cell_of(zone.element, [self.known(index, path) for index in zone.indices]))

    # ---- running

    def call(self, name: str, slots: tuple[t.Value, ...]) -> None:
        """Begin a routine. slots: the values of its first slots.

        Raises OverBudget if recursive actions are nested too deeply.
        """
        routine = self.rules.routines[name]
        # Actions may call themselves in a game from a stranger. Recursive defines have the same bound.
        if sum(frame.routine in self.rules.recursive for frame in self.frames) >= CALLS:
            raise OverBudget("calls", CALLS, *routine.place)
        self.frames.append(Frame(name, 0, (*slots, *[None] * (routine.size - len(slots)))))

    def perform(self, name: str, slots: tuple[t.Value, ...]) -> Next:
        """Call an action as a procedure: its leading requirements must hold."""
        self.call(name, slots)
        for requirement in self.game.actions[name].requirements:
            self.demand(requirement)
        return Next.BEGIN

    def demand(self, requirement: m.Requirement) -> None:
        holds = self.evaluation.holds(requirement, dict(enumerate(self.frame.slots)))
        # A requirement that may hold does not stop the run; `doubt` tells the caller that the result is uncertain.
        self.doubt |= isinstance(holds, Unknown)
        if holds is False:
            raise RequirementFault(Message("fault-too-late"), requirement.path, requirement.span)

    def go(self, then: Next) -> None:
        """Run to the next event, or to the end.

        A run that returns to an earlier state never ends. To detect that, states are marked after 1, 2, 4, ... steps,
        and compared with the following ones (Brent's algorithm).
        """
        taken, marked, next_mark = 0, None, 1
        while self.frames and then is not Next.WAIT:
            here = then, self.frames, self.cells, self.pools
            # This finds a repeated state early; the bound ends a run in which some counter keeps changing.
            if taken == STEP_LIMIT or here == marked:
                raise self._endless()
            if taken == next_mark:
                marked, next_mark = (then, list(self.frames), list(self.cells), self.pools), 2 * next_mark
            taken += 1
            self.meter.take(1, *self.routine.place)
            then = self.begin() if then is Next.BEGIN else self.leave()

    def begin(self) -> Next:
        """Begin the current statement of the innermost frame."""
        step = self.step
        self._follow(step)
        return BEGINNINGS[type(step)](self, step)

    def _follow(self, step: m.Statement) -> None:
        """Stop where the public cannot tell how the statement continues."""
        if self.mode.is_public and not self.rules.concealment.is_followed(step):
            raise UndeterminedFlow

    def leave(self) -> Next:
        """Finish the statement: the one around it, or the caller of its routine, decides what comes next."""
        at = self.frame.at
        parent = self.routine.parents[at]
        # A statement that ends gives control to the statement around it, never to its successor: only a sequence knows
        # that.
        if parent is not None:
            self.enter_statement(parent)
        else:
            done_with = self.frames.pop()
            if not self.frames:
                # Play replaces set-up on the stack, so an empty stack always means that the game is over.
                return self._begin_play() if done_with.routine == SETUP else Next.DONE
        step = self.step
        # Loops evaluate their expressions again for each turn.
        if isinstance(step, m.ForEach | m.RepeatUntilStep):
            self._follow(step)
        return RETURNS.get(type(step), done)(self, step, at)

    def _begin_play(self) -> Next:
        self.call(PLAY, (None,))
        return Next.BEGIN

    def _endless(self) -> SpecFault:
        """Return the fault of a run that is too long: an endless loop if one is under way, otherwise too much work."""
        # The innermost loop is named: that one is most likely the one without end.
        for frame in reversed(self.frames):
            for step in self.rules.routines[frame.routine].around(frame.at):
                if isinstance(step, m.RepeatUntilStep):
                    message = Message("fault-endless")
                    return SpecFault(message, step.path, step.span)
        return self.meter.over(*self.routine.place)
