"""Lowering of the control flow to basic blocks that wait for events.

A statement between two events becomes statements of a block. Where the flow may wait for an event, or where control
flow joins, a new block begins. The slots of routines are in cells of the buffer after those of the elements. Actions
are inlined: every call site has cells of its own, except for actions that are lowered once because they are recursive
or too long to be copied.

Lowering is in continuation-passing style, from a statement to what follows it (`then`), so that what is known before
play, above all who acts, is known in what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from ludex.spec import children, is_unconditional, may_reveal, per_node, performed, piece_flow
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.moves import Numbers
from ..ir.operations import BOOL, FALSE, INT, TRUE, negation, op
from ..ir.refusals import Refusals
from .constant_parameters import Constants, constant_parameters
from .decisions import Instances, Offered
from .expressions import ExpressionLowering
from .guards import Guard
from .public import Public
from .scope import UnitScope
from .statements import StatementLowering, assigns

_STATED = t.ListOf(t.Never())
"""The type of a cell with simultaneous choices: by seat, an option and its argument values."""

UNLOWERED = -1
"""The number of a unit that is not lowered yet."""

Then: TypeAlias = Callable[[UnitScope], None]
"""A continuation: emits what follows into the scope."""
LoopBody: TypeAlias = "Callable[[Env, c.Saved, UnitScope, Then], None]"
"""Emits an iteration of a loop, given the remaining items."""


class Env(dict[int, c.Expr]):
    """An environment: the contents of a routine's slots at a place in the flow, and the call stack there.

    Attributes:
        routine: its name.
        below: the routines that perform it.
        kept: the values that the enclosing statements need later, outermost first.
    """

    __slots__ = ("below", "kept", "routine")

    def __init__(
        self, slots: Mapping[int, c.Expr], routine: str, below: c.Stack, kept: tuple[c.Saved, ...] = ()
    ) -> None:
        super().__init__(slots)
        self.routine, self.below, self.kept = routine, below, kept

    def having(self, slots: Mapping[int, c.Expr]) -> Env:
        """Return the environment with some slots replaced."""
        return Env({**self, **slots}, self.routine, self.below, self.kept)

    def keeping(self, *kept: c.Saved) -> Env:
        """Return the environment inside a statement that needs values later."""
        return Env(self, self.routine, self.below, (*self.kept, *kept))

    def stack(self, statement: m.Statement) -> c.Stack:
        """Return the call stack at a statement."""
        return (*self.below, c.Frame(self.routine, statement, dict(self), self.kept))


@dataclass(slots=True, eq=False, repr=False)
class Shared:
    """An action that is lowered once.

    Attributes:
        cells: of its slots, by slot; back: the cell with the return block.
        saved: the index of its cells in `Program.saved` if the action is recursive.
    """

    entry: int
    body: int
    cells: tuple[int, ...]
    back: int
    saved: int | None


@dataclass(slots=True, eq=False, repr=False)
class Flow:
    """Lowers the routines of one game."""

    game: m.Game
    program: c.Program
    x: ExpressionLowering
    numbers: Numbers
    public: Public | None = None
    offered: dict[int, Offered] = field(default_factory=dict)
    steps: StatementLowering = field(init=False)
    _is_flow: Callable[[m.Step | None], bool] = field(init=False)
    """Whether the flow may wait or end in the statement."""
    _instances: Instances = field(init=False)
    _waiting: list[tuple[int, Then, list[int]]] = field(default_factory=list)
    _shared: dict[str, Shared] = field(default_factory=dict)
    _flowing: dict[str, bool] = field(default_factory=dict)
    _uses: dict[str, int] = field(default_factory=dict)
    _homes: dict[int, str] = field(default_factory=dict)
    _constants: Mapping[str, Constants] = field(default_factory=dict)
    _rounds: frozenset[int] = frozenset()
    refusals: Refusals = field(init=False)
    _vars: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.steps = StatementLowering(self.game, self.program, self.x, self.public)
        self._is_flow = per_node(self._flows)
        self._instances = Instances(self.x, self.numbers)
        self._rounds = frozenset(map(id, _outermost(self.game.play.body)))
        self.refusals = Refusals(self.program)
        self._constants = constant_parameters(self.game, self.x.constant, self.x.lists)
        for routine in self.game.routines:
            for step in self.x.lists.steps(routine):
                for name in performed(step):
                    self._uses[name] = self._uses.get(name, 0) + 1
                if isinstance(step, m.Asking):
                    # By identity: equal decisions in two routines are two places of the flow.
                    self._homes[id(step)] = routine.name

    def lower(self) -> None:
        """Lower the whole flow: set-up, then the course of play, to the end."""
        # Block 0 by convention, so that the printed code knows the end without asking.
        end = self.block("end", lambda scope: scope.out.append(c.End(None)))
        assert end == 0, "block 0 is the end"
        play, setup = self.game.play, self.game.setup

        def course(scope: UnitScope) -> None:
            self.step(play.body, self._frame(play), scope, lambda scope: scope.out.append(c.Goto(0)))

        if setup is None:
            self.program.first = self.block("play", course)
        else:
            begin = self.label("play", course)
            env = self._frame(setup)
            self.program.first = self.block("setup", lambda scope: self.step(setup.body, env, scope, begin))
        self.finish()

    def finish(self) -> None:
        """Lower all pending blocks."""
        while self._waiting:
            number, then, own = self._waiting.pop()
            scope = UnitScope({}, None, numbers=self._vars)
            with self.steps.adding_to(own):
                then(scope)
            self.program.blocks[number].body = tuple(scope.out)
            self.refusals.add(number)

    def _frame(self, routine: m.Routine) -> Env:
        return Env(self.steps.frame(routine), routine.name, ())

    # ---- blocks and cells

    def block(self, name: str, then: Then) -> int:
        """Add a new block. Its body is lowered later, with cells of the same action."""
        self.program.blocks.append(c.Block(name))
        self._waiting.append((len(self.program.blocks) - 1, then, self.steps.own))
        return len(self.program.blocks) - 1

    def label(self, name: str, then: Then) -> Then:
        """Make a continuation that is used in several places a jump to one block."""
        number: list[int] = []

        def go(scope: UnitScope) -> None:
            # A continuation that nothing jumps to gets no block.
            if not number:
                number.append(self.block(name, then))
            scope.out.append(c.Goto(number[0]))

        return go

    # ---- which statements may wait

    def _flows(self, node: Any) -> bool:
        match node:
            case m.Asking() | m.RandomValue() | m.EndGameStep():
                return True
            case m.RepeatUntilStep(until=None):
                return True
            case m.DrawPieces() | m.MoveAll() | m.MovePiece() | m.SwapPieces():
                return may_reveal(node)
            case m.Perform(action=name):
                return self._is_action_flow(name)
            case None:
                return False
        return any(self._is_flow(inside) for inside in children(node) if not isinstance(inside, m.Typed))

    def _is_action_flow(self, name: str) -> bool:
        if name not in self._flowing:
            self._flowing[name] = True  # for a recursive action, which is shared, and a shared action is a flow
            self._flowing[name] = self._is_flow(self.game.actions[name].body) or self._is_shared(name)
        return self._flowing[name]

    def _is_shared(self, name: str) -> bool:
        if self.steps.reaches(name):
            return True
        return self._uses.get(name, 0) > 1 and self.steps.size(name) > self.x.limits.shared

    # ---- statements

    def step(self, step: m.Step, env: Env, scope: UnitScope, then: Then) -> None:
        """Lower a statement and what follows it."""
        if not self._is_flow(step):
            self.steps.plain(step, env, scope)
            scope.env = dict(env)
            then(scope)
            return
        scope.env, scope.path = dict(env), step.path
        self.steps.follow(step, scope)
        FLOWS[type(step)](self, step, env, scope, then)

    def _as_player(self, step: m.AsPlayer, env: Env, scope: UnitScope, then: Then) -> None:
        me = scope.named(self.x.lower(step.player, scope), step.player.type)
        me = self._stored(me, step.player.type, scope)
        scope.out.append(c.Note("named", step.path, step.span))
        self.step(step.body, env.having({0: me}).keeping(env[0]), scope, then)

    def _end_game(self, step: m.EndGameStep, env: Env, scope: UnitScope, then: Then) -> None:
        scope.out.append(c.End(step.path))

    def _stored(self, value: c.Expr, of: t.Type, scope: UnitScope) -> c.Expr:
        """Store a value where the flow finds it after events."""
        if isinstance(value, c.Const):
            return value
        cell = self.steps.cell(of)
        self.steps.put(cell, value, scope)
        return cell

    def _sequence(self, step: m.Sequence, env: Env, scope: UnitScope, then: Then) -> None:
        self._steps(step.body, env, scope, then)

    def _steps(self, body: Sequence[m.Step], env: Env, scope: UnitScope, then: Then) -> None:
        # Statements before the first wait stay in this block; those after it are its continuation.
        flows = next((at for at, step in enumerate(body) if self._is_flow(step)), len(body))
        for step in body[:flows]:
            self.steps.plain(step, env, scope)
        if flows == len(body):
            then(scope)
            return
        rest = body[flows + 1 :]
        self.step(body[flows], env, scope, (lambda scope: self._steps(rest, env, scope, then)) if rest else then)

    def _if_step(self, step: m.IfStep, env: Env, scope: UnitScope, then: Then) -> None:
        test = self.x.lower(step.condition, scope)
        self.steps.ask(step)
        if isinstance(test, c.Const):
            # Constant at this table, for example an option or a reading: the other branch is never lowered.
            branch = step.then if test.value else step.otherwise
            if branch is None:
                then(scope)
            else:
                self.step(branch, env, scope, then)
            return
        if _only_ends(step.then) and step.otherwise is None:  # nothing continues from there, so no label is needed
            with scope.branch() as ending:
                self.step(step.then, env, scope, then)
            scope.out.append(c.If(test, tuple(ending)))
            then(scope)
            return
        # Without a label, the continuation would be lowered once for each branch, and double at every `if`.
        then = self.label(step.path, then)
        with scope.branch() as yes:
            self.step(step.then, env, scope, then)
        scope.out.append(c.If(test, tuple(yes)))
        if step.otherwise is None:
            then(scope)
        else:
            self.step(step.otherwise, env, scope, then)

    def _match_step(self, step: m.MatchStep, env: Env, scope: UnitScope, then: Then) -> None:
        subject = scope.named(self.x.lower(step.subject, scope), step.subject.type)
        then = self.label(step.path, then)
        for case in step.cases:
            test = self.x.among(subject, case.values, step.subject.type)
            if test == FALSE:
                continue
            # A copy for each case: the names of one arm mean nothing in the next.
            own = env.having({})
            with scope.branch() as body:
                for bind in case.binds:
                    bound = self.x.bound(bind, subject)
                    if isinstance(bound, c.Const):
                        own[bind.slot] = bound
                    else:
                        self.steps.put(own[bind.slot], bound, scope)
                self.step(case.body, own, scope, then)
            # Later arms are never reached.
            if test == TRUE:
                scope.out += body
                return
            scope.out.append(c.If(test, tuple(body)))
        then(scope)

    def _exceptions(self, step: m.WithStepExceptions, env: Env, scope: UnitScope, then: Then) -> None:
        tests = self.steps.holding(step, scope)
        then = self.label(step.path, then)
        for test, exception in zip(tests, step.exceptions, strict=True):
            with scope.branch() as body:
                self.step(exception.body, env, scope, then)
            scope.out.append(c.If(test, tuple(body)))
        self.step(step.body, env, scope, then)

    # ---- loops

    def _for_each(self, step: m.ForEach, env: Env, scope: UnitScope, then: Then) -> None:
        size = self.steps.step_size(step.body)

        def turned(then: Then) -> Then:
            def go(scope: UnitScope) -> None:
                self.steps.follow(step, scope)
                then(scope)

            return go

        def inside(loops: Sequence[m.Loop], rests: tuple[c.Saved, ...], env: Env, scope: UnitScope, then: Then) -> None:
            scope.env = dict(env)
            if loops:
                loop, *inner = loops
                turn: LoopBody = lambda env, rest, scope, then: inside(inner, (*rests, rest), env, scope, then)  # noqa: E731
                self._turns(loop, env, scope, turn, then, size)
                return
            env = env.keeping(rests)
            if step.where is None:
                self.step(step.body, env, scope, turned(then))
            else:
                test = self.x.lower(step.where, scope)
                if isinstance(test, c.Const):
                    if test.value:
                        self.step(step.body, env, scope, turned(then))
                    else:
                        then(scope)
                    return
                then = self.label(step.path, then)
                with scope.branch() as body:
                    self.step(step.body, env, scope, turned(then))
                scope.out.append(c.If(test, tuple(body)))
                then(scope)

        inside(step.loops, (), env, scope, then)

    def _turns(
        self,
        loop: m.Loop,
        env: Env,
        scope: UnitScope,
        inside: LoopBody,
        then: Then,
        size: int,
    ) -> None:
        """Lower a loop whose body may wait."""
        items = self.x.loops.items(loop.domain, scope)
        if isinstance(items, c.Const) and len(items.value) * size <= self.x.limits.flow:
            self._unrolled(items.value, loop.slot, loop.type, env, scope, inside, then)
            return
        # The items are stored: events come between the turns, and a turn may change what the domain reads.
        stored, at = self.steps.cell(t.ListOf(loop.type)), self.steps.cell(INT)
        self.steps.put(stored, op("tuple", items, gives=items.type), scope)
        self.steps.put(at, c.Const(0, INT), scope)
        # Where a loop around is unrolled, the slot is a constant and has no cell.
        item = env[loop.slot] if isinstance(env.get(loop.slot), c.Load) else self.steps.cell(loop.type)
        own = env.having({loop.slot: item})

        def head(scope: UnitScope) -> None:
            scope.env = dict(own)
            over = op("eq", at, op("size", stored, gives=INT), gives=BOOL)
            with scope.branch() as leave:
                then(scope)
            scope.out.append(c.If(over, tuple(leave)))
            self.steps.put(item, c.Op("item", (stored, at), loop.type), scope)
            self.steps.put(at, op("add", at, c.Const(1, INT), gives=INT), scope)
            inside(own, c.Rest(stored, at), scope, again)

        again = self.label("each", head)
        again(scope)

    def _unrolled(
        self,
        items: Sequence[t.Value],
        slot: int,
        of: t.Type,
        env: Env,
        scope: UnitScope,
        inside: LoopBody,
        then: Then,
    ) -> None:
        def turn(at: int, scope: UnitScope) -> None:
            if at == len(items):
                scope.env = dict(env)
                then(scope)
            else:
                own = env.having({slot: c.Const(items[at], of)})
                inside(own, c.Const(tuple(items[at + 1 :]), t.ListOf(of)), scope, lambda scope: turn(at + 1, scope))

        turn(0, scope)

    def _for_each_player(self, step: m.ForEachPlayer, env: Env, scope: UnitScope, then: Then) -> None:
        loop = m.Loop("me", 0, t.PlayerType(self.game.players), step.order)
        size = self.steps.step_size(step.body)
        items = self.x.loops.items(step.order, scope)

        def turn(own: Env, rest: c.Saved, scope: UnitScope, then: Then) -> None:
            scope.out.append(c.Note("named", step.path, step.span))
            self.step(step.body, own.keeping((rest, env[0])), scope, then)

        if isinstance(items, c.Const) and len(items.value) * size <= self.x.limits.flow:
            self._unrolled(items.value, 0, loop.type, env, scope, turn, then)
        else:
            # The acting player is needed after the events of a turn, so it is in a cell.
            own = env.having({0: self.steps.cell(loop.type)})
            self._turns(loop, own, scope, turn, self._in(env, then), size)

    @staticmethod
    def _in(env: Env, then: Then) -> Then:
        def go(scope: UnitScope) -> None:
            scope.env = dict(env)
            then(scope)

        return go

    def _repeat_until(self, step: m.RepeatUntilStep, env: Env, scope: UnitScope, then: Then) -> None:
        def test(scope: UnitScope) -> None:
            scope.env, scope.path = dict(env), step.path
            self.steps.follow(step, scope)
            if step.until is not None:
                until = self.x.lower(step.until, scope)
                with scope.branch() as leave:
                    then(scope)
                scope.out.append(c.If(until, tuple(leave)))
            body(scope)

        def turn(scope: UnitScope) -> None:
            self._round(step, scope)
            self.step(step.body, env, scope, test)

        body = self.label(step.path, turn)
        body(scope)

    def _repeat_times(self, step: m.RepeatTimesStep, env: Env, scope: UnitScope, then: Then) -> None:
        # Counted down, so that the bound is evaluated once, when the loop begins.
        left = self.steps.cell(INT)
        self.steps.put(left, self.x.lower(step.count, scope), scope)

        def head(scope: UnitScope) -> None:
            scope.env = dict(env)
            with scope.branch() as leave:
                then(scope)
            scope.out.append(c.If(op("le", left, c.Const(0, INT), gives=BOOL), tuple(leave)))
            self.steps.put(left, op("sub", left, c.Const(1, INT), gives=INT), scope)
            self._round(step, scope)
            self.step(step.body, env.keeping(left), scope, again)

        again = self.label(step.path, head)
        again(scope)

    def _round(self, step: m.Step, scope: UnitScope) -> None:
        """Emit the note that a round begins: an iteration of an outermost loop in the course of play."""
        if id(step) in self._rounds:
            scope.out.append(c.Note("rounds", step.path))

    # ---- actions

    def _perform(self, step: m.Perform, env: Env, scope: UnitScope, then: Then) -> None:
        arguments = [scope.named(self.x.lower(each, scope), each.type) for each in step.arguments]
        back, was_asked = self._in(env, then), self.steps.was_asked(step)
        if self._is_shared(step.action):
            self._call(step.action, env, step, arguments, scope, back, checked=was_asked)
        else:
            action = self.game.actions[step.action]
            own = Env(self.steps.action_frame(action, env[0], arguments, scope), action.name, env.stack(step))
            scope.env = dict(own)
            if not was_asked:
                self.steps.requirements(action, scope)
            self.step(action.body, own, scope, back)

    def _call(
        self,
        name: str,
        env: Env,
        step: m.Statement,
        arguments: Sequence[c.Expr],
        scope: UnitScope,
        then: Then,
        checked: bool,
    ) -> None:
        """Lower a call of an action that is lowered once.

        step: the statement that performs it; checked: its requirements are already tested.
        """
        shared = self.shared(name)
        follows = self.block(
            f"after {name}", then if shared.saved is None else lambda scope: self._restored(shared, scope, then)
        )
        self.program.calls[follows] = c.Calling(env.stack(step), shared.saved)
        if shared.saved is not None:
            scope.out.append(c.Do("save", (), shared.saved))
        sources = (env[0], *arguments)
        # All are read before one is stored: a recursive call stores where its arguments are read.
        values = [scope.named(each, INT) if isinstance(each, c.Const) else scope.set(each, INT) for each in sources]
        for cell, value in zip(shared.cells, values, strict=False):
            scope.out.append(c.Put(cell, None, 1, value))
        # A cell for the return block in place of a stack: a state has cells only, and is copied and compared as such.
        scope.out.append(c.Put(shared.back, None, 1, c.Const(follows, INT)))
        scope.out.append(c.Goto(shared.body if checked else shared.entry))

    def _restored(self, shared: Shared, scope: UnitScope, then: Then) -> None:
        assert shared.saved is not None
        scope.out.append(c.Do("restore", (), shared.saved))
        then(scope)

    def shared(self, name: str) -> Shared:
        """Return an action as a routine of its own, which returns to the block whose number its caller stores."""
        if name not in self._shared:
            with self.steps.adding_to([]):
                self._shared[name] = self._lowered(name, self.game.actions[name])
        return self._shared[name]

    def _lowered(self, name: str, action: m.Action) -> Shared:
        saved = None
        if self.steps.reaches(name):
            # The list itself is kept: it grows while the body is lowered, until it has all cells of the action.
            self.program.saved.append(self.steps.own)
            saved = len(self.program.saved) - 1
        me = self.steps.cell(t.PlayerType(self.game.players))
        slots = self.steps.frame(action, me)
        cells = tuple(load.base for load in slots.values() if isinstance(load, c.Load))
        back = self.steps.cell(INT).base
        env = Env({**slots, **self._constants.get(name, {})}, name, (c.Caller(back),))

        def body(scope: UnitScope) -> None:
            self.step(action.body, env, scope, lambda scope: scope.out.append(c.Back(back)))

        inner = self.label(name, body)

        def entry(scope: UnitScope) -> None:
            scope.env, scope.path = dict(env), name
            self.steps.requirements(action, scope)
            inner(scope)

        # A decision has tested the requirements of what it offers, so it enters at the second block.
        first = self.block(f"{name} asked", entry)
        at = self.block(name, inner)
        return Shared(first, at, cells, back, saved)

    # ---- decisions

    def _decide(self, step: m.Decide, env: Env, scope: UnitScope, then: Then) -> None:
        # The continuation of a decision that is passed over, declined or taken.
        leave = self.label(step.path, self._in(env, then))
        number = len(self.program.waits)
        decision = c.Decision(step, self._homes[id(step)], [], dict(env), 0, env.stack(step))
        # Numbered before its options are lowered, as these may contain decisions themselves.
        self.program.waits.append(decision)
        block = self.block(step.path, lambda scope: self._ask(number, decision, scope, leave))
        after: Then = (lambda scope: scope.out.append(c.Goto(block))) if step.repeating else leave
        decision.options = [self._option(option, step, env, after) for option in step.options]
        decision.then = self.block(f"{step.path} declined", leave)
        scope.out.append(c.Goto(block))

    def _ask(self, number: int, decision: c.Decision, scope: UnitScope, leave: Then) -> None:
        """Emit a wait if there is something to choose; otherwise continue."""
        if decision.statement.repeating:
            self.steps.follow(decision.statement, scope)
        if any(option.free and not option.refusable for option in decision.options):  # never passed over
            scope.out.append(c.Wait(number))
            return
        offers = c.Serve("offers", (c.Const(number, INT), decision.me), -1)
        scope.out.append(c.If(offers, (c.Wait(number),)))
        if not decision.statement.repeating:
            scope.out.append(c.Note("passed", decision.statement.path))
        leave(scope)

    def _option(self, option: m.MoveOption, step: m.Statement, env: Env, after: Then) -> c.Option:
        if isinstance(option, m.BranchOption):

            def carried(scope: UnitScope) -> None:
                self.step(option.body, env, scope, after)

            cells = {choice.slot: self._hand_over(env, choice.slot) for choice in option.choices}
            entry = self.block(option.name, carried)
            offered = Offered(
                option.name,
                option.choices,
                option.requirements,
                (),
                lambda scope: self._opened(env, scope),
                option.name,
            )
            return self._offer(option, offered, cells, entry)
        return self._action_option(option, step, env, after)

    @staticmethod
    def _hand_over(env: Env, slot: int) -> int:
        cell = env[slot]
        assert isinstance(cell, c.Load)
        return cell.base

    @staticmethod
    def _opened(env: Env, scope: UnitScope) -> dict[int, c.Expr]:
        # Where who acts is constant, the parameter of the unit has that value, and only the constant can be folded.
        me = env[0] if isinstance(env[0], c.Const) and env[0].value is not None else scope.env[0]
        return {**env, 0: me}

    def _action_option(self, option: m.ActionOption, step: m.Statement, env: Env, after: Then) -> c.Option:
        action = self.game.actions[option.action]
        parameters = tuple(
            (name, slot, of) for slot, (name, of) in enumerate(action.parameters, start=1) if name in action.stated
        )

        def opened(scope: UnitScope) -> dict[int, c.Expr]:
            scope.env = self._opened(env, scope)
            scope.path = step.path
            given = [scope.named(self.x.lower(each, scope), each.type) for each in option.arguments]
            scope.path = action.name
            return {0: scope.env[0], **dict(enumerate(given, start=1))}

        offered = Offered(
            action.name, action.choices, action.requirements, parameters, opened, action.name, option.arguments
        )
        if self._is_shared(option.action):
            # Cells of the option's own: those of a recursive action may be in use by a call further out.
            cells = {choice.slot: self.steps.cell(choice.type).base for choice in action.choices}
            types = {choice.slot: choice.type for choice in action.choices}

            def called(scope: UnitScope) -> None:
                scope.env, scope.path = dict(env), step.path
                shared = self.shared(action.name)
                given = [scope.named(self.x.lower(each, scope), each.type) for each in option.arguments]
                arguments: dict[int, c.Expr] = dict(enumerate(given, start=1))
                arguments |= {slot: c.Load(cell, None, 1, types[slot]) for slot, cell in cells.items()}
                # Slots after the arguments and choices belong to the body, which stores them before it reads them.
                width = max(arguments, default=0)
                values = [arguments.get(slot, c.Const(None, t.Never())) for slot in range(1, width + 1)]
                assert len(shared.cells) > width
                self._call(action.name, env, step, values, scope, after, checked=True)

            entry = self.block(f"{action.name} chosen", called)
        else:
            slots = self.steps.frame(action, env[0])
            own = Env(slots, action.name, env.stack(step))
            cells = {choice.slot: self._hand_over(own, choice.slot) for choice in action.choices}

            def carried(scope: UnitScope) -> None:
                scope.env, scope.path = dict(env), step.path
                inner = own.having({})
                given = [self.x.lower(each, scope) for each in option.arguments]
                for slot, value in enumerate(given, start=1):
                    # As in `Statements.action_frame`, but the cells were given out before the arguments are known.
                    if isinstance(value, c.Const) and not assigns(action.body, slot):
                        inner[slot] = value
                    else:
                        self.steps.put(own[slot], value, scope)
                self.step(action.body, inner, scope, after)

            entry = self.block(action.name, carried)
        return self._offer(option, offered, cells, entry)

    def _offer(self, of: m.MoveOption, offered: Offered, cells: dict[int, int], entry: int) -> c.Option:
        given = [c.Argument(name, of, False, None, True) for name, _, of in offered.parameters]
        chosen = [c.Argument(each.name, each.type, each.within, cells[each.slot], False) for each in offered.choices]
        free = is_unconditional(of, self.game.actions)
        option = c.Option(offered.name, (*given, *chosen), UNLOWERED, UNLOWERED, UNLOWERED, entry, True, free)
        self.offered[id(option)] = offered
        return option

    def units(self, option: c.Option, guard: Guard | None) -> tuple[int, int, int]:
        """Return the units of an option. guard: what its instances must pass."""
        return self._instances.units(self.offered[id(option)], guard)

    def _simultaneous(self, step: m.Simultaneous, env: Env, scope: UnitScope, then: Then) -> None:
        choices, seat = self.steps.cell(_STATED), self.steps.cell(INT)
        me = self.steps.cell(t.PlayerType(self.game.players))
        given = tuple(self._given(option) for option in step.options)
        own = env.having({0: me}).keeping(c.PendingChoices(choices, seat, given), env[0])
        leave = self._in(env, then)
        number = len(self.program.waits)
        together = c.Together(
            step,
            self._homes[id(step)],
            [],
            dict(own),
            choices.base,
            0,
            env.keeping(c.PendingChoices(choices, None, given)).stack(step),
        )
        self.program.waits.append(together)
        # None says that the player has not chosen yet.
        self.steps.put(choices, c.Const((None,) * self.game.players, INT), scope)
        scope.out.append(c.Note("named", step.path, step.span))

        def ask(scope: UnitScope) -> None:
            waits = c.Serve("together", (c.Const(number, INT),), -1)
            scope.out.append(c.If(waits, (c.Wait(number),)))
            self.steps.put(seat, c.Const(0, INT), scope)
            bodies(scope)

        def carry(scope: UnitScope) -> None:
            cells = tuple(c.Const(cell.base, INT) for cell in (choices, seat, me))
            chosen = scope.set(c.Serve("stated", (c.Const(number, INT), *cells), -1), INT)
            for at, option in enumerate(together.options):
                scope.out.append(c.If(op("eq", chosen, c.Const(at, INT), gives=BOOL), (c.Goto(option.entry),)))
            leave(scope)

        bodies = self.label(f"{step.path} carried out", carry)
        together.options = [self._option(option, step, own, bodies) for option in step.options]
        together.then = self.block(step.path, ask)
        scope.out.append(c.Goto(together.then))

    def _given(self, option: m.MoveOption) -> int:
        """Return how many argument values of a move the decision supplies."""
        return len(self.game.actions[option.action].stated) if isinstance(option, m.ActionOption) else 0

    # ---- chance

    def _random(self, step: m.RandomValue, env: Env, scope: UnitScope, then: Then) -> None:
        cell = env[step.slot]
        assert isinstance(cell, c.Load)

        def candidates(inner: UnitScope, _: tuple[c.Var, ...]) -> c.Expr:
            inner.env = dict(env)
            items = self.x.loops.items(step.domain, inner)
            if step.where is None:
                return items
            values, var = inner.new(t.ListOf(INT)), inner.new(step.type)
            inner.out.append(c.New(values))
            inner.env[step.slot] = var
            with inner.branch() as body:
                test = self.x.lower(step.where, inner)
                inner.out.append(c.If(test, (c.Append(values, var),)))
            inner.out.append(c.Each(var, items, tuple(body), inner.path))
            return values

        lists = self.x.unit(f"{step.path} outcomes", (), candidates)
        number = len(self.program.waits)
        self.program.waits.append(
            c.Chance(step, lists, cell.base, self.block(step.path, self._in(env, then)), env.stack(step))
        )
        # A constant list without a condition was checked before play not to be empty.
        if step.where is not None or not isinstance(
            self.x.loops.items(step.domain, UnitScope(dict(env), step.path)), c.Const
        ):
            nothing = op("is_empty", c.Call(lists, (), INT), gives=BOOL)
            scope.out.append(c.If(nothing, (c.Fail("nothing to choose", step.path, step.span),)))
        scope.out.append(c.Wait(number))

    def _draw(self, step: m.DrawPieces, env: Env, scope: UnitScope, then: Then) -> None:
        source, target, left = (self.steps.cell(INT) for _ in range(3))
        self.steps.put(left, self.x.lower(step.count, scope), scope)
        self.steps.put(source, self.steps.zone(step.source, scope), scope)
        self.steps.put(target, self.steps.zone(step.target, scope), scope)
        number = len(self.program.waits)
        cells = (source.base, target.base, left.base)
        at = self.steps.service(step)

        def draw(scope: UnitScope) -> None:
            drawn = c.Serve("draw", tuple(c.Const(cell, INT) for cell in cells), at)
            scope.out.append(c.If(negation(drawn), (c.Wait(number),)))
            scope.env = dict(env)
            then(scope)

        block = self.block(step.path, draw)
        stack = env.keeping((left, source, target)).stack(step)
        self.program.waits.append(
            c.Hidden(step, "draw", step.source.element, step.target.element, cells, block, stack, step.bottom)
        )
        scope.out.append(c.Goto(block))

    def _reveal(self, step: m.MoveAll | m.MovePiece | m.SwapPieces, env: Env, scope: UnitScope, then: Then) -> None:
        """Lower the chance events that reveal the unseen pieces of a zone before they move to where they are seen."""
        moved = piece_flow(step).moved
        first, second = moved[0]
        cells = self.steps.cell(INT), self.steps.cell(INT)
        self.steps.put(cells[0], self.steps.zone(first, scope), scope)
        self.steps.put(cells[1], self.steps.zone(second, scope), scope)
        at = self.steps.service(step)
        follows: Then = lambda scope: self._moved(step, cells, at, env, scope, then)  # noqa: E731 - a continuation of the chain of blocks
        # Only a swap also moves pieces in the other direction.
        ways = list(zip(moved, (cells, cells[::-1]), strict=False))
        # Each step is given what follows it, so that the chain is built from its end.
        for (source, target), (one, two) in reversed(ways):
            if target.element.shows_from(source.element):
                bases, stack = (one.base, two.base), env.keeping(cells).stack(step)
                follows = self._reveal_first(step, source.element, target.element, bases, at, stack, follows)
        follows(scope)

    def _reveal_first(
        self,
        step: m.Statement,
        source: m.Element,
        target: m.Element,
        cells: tuple[int, int],
        at: int,
        stack: c.Stack,
        then: Then,
    ) -> Then:
        number = len(self.program.waits)

        def reveal(scope: UnitScope) -> None:
            unseen = c.Serve("unseen", (c.Const(cells[0], INT),), at)
            scope.out.append(c.If(unseen, (c.Wait(number),)))
            then(scope)

        block = self.block(step.path, reveal)
        self.program.waits.append(c.Hidden(step, "reveal", source, target, cells, block, stack))
        return lambda scope: scope.out.append(c.Goto(block))

    def _moved(
        self, step: m.Statement, cells: tuple[c.Load, ...], at: int, env: Env, scope: UnitScope, then: Then
    ) -> None:
        scope.out.append(c.Do("swap" if isinstance(step, m.SwapPieces) else "move_all", cells, at))
        scope.env = dict(env)
        then(scope)


def _outermost(node: Any) -> Iterator[Any]:
    """Yield the outermost loops of a step."""
    # Loops over players or values are turns and not rounds.
    if isinstance(node, m.RepeatUntilStep | m.RepeatTimesStep):
        yield node
        return
    for child in children(node):
        yield from _outermost(child)


def _only_ends(step: m.Step) -> bool:
    """Return whether the flow never leaves the statement at its end."""
    match step:
        case m.EndGameStep():
            return True
        case m.Sequence(body=body):
            return bool(body) and _only_ends(body[-1])
    return False


FLOWS: Mapping[type, Callable[[Flow, Any, Env, UnitScope, Then], None]] = {
    m.Sequence: Flow._sequence,
    m.IfStep: Flow._if_step,
    m.MatchStep: Flow._match_step,
    m.WithStepExceptions: Flow._exceptions,
    m.ForEach: Flow._for_each,
    m.ForEachPlayer: Flow._for_each_player,
    m.AsPlayer: Flow._as_player,
    m.RepeatUntilStep: Flow._repeat_until,
    m.RepeatTimesStep: Flow._repeat_times,
    m.Perform: Flow._perform,
    m.EndGameStep: Flow._end_game,
    m.Decide: Flow._decide,
    m.Simultaneous: Flow._simultaneous,
    m.RandomValue: Flow._random,
    m.DrawPieces: Flow._draw,
    m.MoveAll: Flow._reveal,
    m.MovePiece: Flow._reveal,
    m.SwapPieces: Flow._reveal,
}
