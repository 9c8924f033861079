"""Lowering statements: the flow of a game as blocks.

A statement between two events becomes statements of a block. Where the flow may wait for an event, or come from
several places, a new block begins. What a routine's slots hold stands in cells of the buffer behind those of the
elements; every place that performs an action has cells of its own for it, but for those that are shared because they
reach themselves or are too long to be copied.

Lowering goes forward, from a statement to what follows it (`then`), so that what is known before play, above all who
acts, is known in what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import count
from typing import Any, TypeAlias

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from ..walk import nodes
from . import code as c
from .decisions import Instances, Offered
from .expressions import Expressions
from .moves import Numbers
from .operations import BOOL, FALSE, INT, TRUE, items_of, negation, op
from .scope import Scope

COPIED = 3_000
"""A loop over constants in which the flow waits is unrolled if its turns come to no more parts than this."""
SHARED = 400
"""An action of more parts than this that is performed in several places is not copied."""

Env: TypeAlias = dict[int, c.Expr]
Then: TypeAlias = Callable[[Scope], None]
"""Lowers what follows, into the scope's statements."""


@dataclass(slots=True)
class Shared:
    """An action that is lowered once. cells: of its slots, by slot; back: the cell with the block to go back to."""

    entry: int
    body: int
    cells: tuple[int, ...]
    back: int
    recursive: bool = False


@dataclass(slots=True)
class Flow:
    """Lowers the routines of one game."""

    game: m.Game
    program: c.Program
    x: Expressions
    numbers: Numbers
    _instances: Instances = field(init=False)
    _waiting: list[tuple[int, Then]] = field(default_factory=list)
    _shared: dict[str, Shared] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _flows: dict[str, bool] = field(default_factory=dict)
    _uses: dict[str, int] = field(default_factory=dict)
    _homes: dict[int, str] = field(default_factory=dict)
    _vars: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._instances = Instances(self.x, self.numbers)
        for routine in (self.game.setup, self.game.play, *self.game.actions.values()):
            for node in nodes(routine.body) if routine else ():
                if isinstance(node, m.Perform | m.ActionOption):
                    self._uses[node.action] = self._uses.get(node.action, 0) + 1
                if routine and isinstance(node, m.Decide | m.Simultaneous):
                    self._homes[id(node)] = routine.name

    def lower(self) -> None:
        """The whole flow: set-up, then the course of play, to the end."""
        end = self.block("end", lambda scope: scope.out.append(c.End(None)))
        assert end == 0, "block 0 is the end"
        play, setup = self.game.play, self.game.setup

        def course(scope: Scope) -> None:
            self.step(play.body, self._frame(play.frame_size), scope, lambda scope: scope.out.append(c.Goto(0)))

        if setup is None:
            self.program.first = self.block("play", course)
        else:
            begin = self.label("play", course)
            env = self._frame(setup.frame_size)
            self.program.first = self.block("setup", lambda scope: self.step(setup.body, env, scope, begin))
        self.finish()

    def finish(self) -> None:
        """Lower all blocks that wait for it."""
        while self._waiting:
            number, then = self._waiting.pop()
            scope = Scope({}, None, numbers=self._vars)
            then(scope)
            self.program.blocks[number].body = tuple(scope.out)
        _mark_refusable(self.program)

    # ---- blocks and cells

    def block(self, name: str, then: Then) -> int:
        """A new block. What it consists of is lowered later."""
        self.program.blocks.append(c.Block(name))
        self._waiting.append((len(self.program.blocks) - 1, then))
        return len(self.program.blocks) - 1

    def label(self, name: str, then: Then) -> Then:
        """The same, as something that follows in several places: each goes to one block."""
        number: list[int] = []

        def go(scope: Scope) -> None:
            if not number:
                number.append(self.block(name, then))
            scope.out.append(c.Goto(number[0]))

        return go

    def _cell(self) -> int:
        self.program.cells += 1
        return self.program.cells - 1

    def _frame(self, size: int, me: c.Expr | None = None) -> Env:
        """Cells for the slots of a routine."""
        env: Env = {0: me if me is not None else c.Const(None, t.Never())}
        env |= {slot: self._at(self._cell(), INT) for slot in range(1, size)}
        return env

    @staticmethod
    def _at(cell: int, of: t.Type) -> c.Load:
        return c.Load(cell, None, 1, of)

    def _put(self, where: c.Expr, value: c.Expr, scope: Scope) -> None:
        assert isinstance(where, c.Load)
        if where != value:
            scope.out.append(c.Put(where.base, None, 1, value))

    def _service(self, statement: m.Statement) -> int:
        self.program.services.append(c.Service(statement))
        return len(self.program.services) - 1

    # ---- what flows

    def _is_flow(self, step: m.Step | None) -> bool:
        """Whether the flow may wait or end in the statement."""
        return any(self._flows_in(node) for node in nodes(step)) if step is not None else False

    def _flows_in(self, node: Any) -> bool:
        match node:
            case m.Decide() | m.Simultaneous() | m.RandomValue() | m.EndGameStep():
                return True
            case m.RepeatUntilStep(until=None):
                return True
            case m.DrawPieces(source=source, target=target):
                return _comes_to_light(source.element, target.element, draw=True)
            case m.MoveAll(source=source, target=target) | m.MovePiece(piece=None, source=source, target=target):
                return _comes_to_light(source.element, target.element, draw=False)
            case m.SwapPieces(left=left, right=right):
                one, two = left.element, right.element
                return _comes_to_light(one, two, draw=False) or _comes_to_light(two, one, draw=False)
            case m.Perform(action=name):
                return self._is_action_flow(name)
        return False

    def _is_action_flow(self, name: str) -> bool:
        if name not in self._flows:
            self._flows[name] = True  # an action that reaches itself
            action = self.game.actions[name]
            self._flows[name] = self._is_flow(action.body) or self._is_shared(name)
        return self._flows[name]

    def _is_shared(self, name: str) -> bool:
        if self._reaches(name):
            return True
        return self._uses.get(name, 0) > 1 and self._size(name) > SHARED

    def _reaches(self, name: str) -> bool:
        """Whether the action may be under way in itself."""
        return name in self._reached(name)

    def _reached(self, name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            for node in nodes(self.game.actions[waiting.pop()].body):
                if isinstance(node, m.Perform | m.ActionOption) and node.action not in found:
                    found.add(node.action)
                    waiting.append(node.action)
        return found

    def _size(self, name: str) -> int:
        """How many parts an action comes to, with those that it performs or offers."""
        if name not in self._sizes:
            self._sizes[name] = 0
            self._sizes[name] = self._step_size(self.game.actions[name].body)
        return self._sizes[name]

    def _step_size(self, step: m.Step) -> int:
        size = 0
        for node in nodes(step):
            size += 1
            if isinstance(node, m.Perform | m.ActionOption) and not self._reaches(node.action):
                size += min(self._size(node.action), SHARED)
        return size

    # ---- statements

    def step(self, step: m.Step, env: Env, scope: Scope, then: Then) -> None:
        """Lower a statement and what follows it."""
        if not self._is_flow(step):
            self._plain(step, env, scope)
            scope.env = dict(env)
            then(scope)
            return
        scope.env, scope.path = dict(env), step.path
        match step:
            case m.Sequence(body=body):
                self._sequence(body, env, scope, then)
            case m.IfStep():
                self._if_step(step, env, scope, then)
            case m.MatchStep():
                self._match_step(step, env, scope, then)
            case m.WithStepExceptions():
                self._exceptions(step, env, scope, then)
            case m.ForEach():
                self._for_each(step, env, scope, then)
            case m.ForEachPlayer():
                self._for_each_player(step, env, scope, then)
            case m.AsPlayer(player=player, body=body):
                me = scope.named(self.x.lower(player, scope), player.type)
                self.step(body, {**env, 0: self._kept(me, scope)}, scope, then)
            case m.RepeatUntilStep():
                self._repeat_until(step, env, scope, then)
            case m.RepeatTimesStep():
                self._repeat_times(step, env, scope, then)
            case m.Perform():
                self._perform(step, env, scope, then)
            case m.EndGameStep():
                scope.out.append(c.End(step.path))
            case m.Decide():
                self._decide(step, env, scope, then)
            case m.Simultaneous():
                self._simultaneous(step, env, scope, then)
            case m.RandomValue():
                self._random(step, env, scope, then)
            case m.DrawPieces():
                self._draw(step, env, scope, then)
            case m.MoveAll() | m.MovePiece() | m.SwapPieces():
                self._reveal(step, env, scope, then)
            case _:
                raise AssertionError(step)

    def _kept(self, value: c.Expr, scope: Scope) -> c.Expr:
        """The value where the flow finds it after events, too."""
        if isinstance(value, c.Const):
            return value
        cell = self._at(self._cell(), INT)
        self._put(cell, value, scope)
        return cell

    def _sequence(self, body: Sequence[m.Step], env: Env, scope: Scope, then: Then) -> None:
        for at, step in enumerate(body):
            if not self._is_flow(step):
                self._plain(step, env, scope)
                continue
            rest = body[at + 1 :]
            self.step(step, env, scope, (lambda scope: self._sequence(rest, env, scope, then)) if rest else then)
            return
        then(scope)

    def _if_step(self, step: m.IfStep, env: Env, scope: Scope, then: Then) -> None:
        test = self.x.lower(step.condition, scope)
        if isinstance(test, c.Const):
            taken = step.then if test.value else step.otherwise
            if taken is None:
                then(scope)
            else:
                self.step(taken, env, scope, then)
            return
        if _only_ends(step.then) and step.otherwise is None:
            with scope.branch() as ending:
                self.step(step.then, env, scope, then)
            scope.out.append(c.If(test, tuple(ending)))
            then(scope)
            return
        then = self.label(step.path, then)
        with scope.branch() as yes:
            self.step(step.then, dict(env), scope, then)
        scope.out.append(c.If(test, tuple(yes)))
        if step.otherwise is None:
            then(scope)
        else:
            self.step(step.otherwise, env, scope, then)

    def _match_step(self, step: m.MatchStep, env: Env, scope: Scope, then: Then) -> None:
        subject = scope.named(self.x.lower(step.subject, scope), step.subject.type)
        then = self.label(step.path, then)
        for case in step.cases:
            test = self.x.among(subject, case.values, step.subject.type)
            if test == FALSE:
                continue
            own = dict(env)
            with scope.branch() as body:
                for bind in case.binds:
                    bound = self.x.bound(bind, subject)
                    if isinstance(bound, c.Const):
                        own[bind.slot] = bound
                    else:
                        self._put(own[bind.slot], bound, scope)
                self.step(case.body, own, scope, then)
            if test == TRUE:
                scope.out += body
                return
            scope.out.append(c.If(test, tuple(body)))
        then(scope)

    def _exceptions(self, step: m.WithStepExceptions, env: Env, scope: Scope, then: Then) -> None:
        tests = self._holding(step, scope)
        then = self.label(step.path, then)
        for test, exception in zip(tests, step.exceptions, strict=True):
            with scope.branch() as body:
                self.step(exception.body, dict(env), scope, then)
            scope.out.append(c.If(test, tuple(body)))
        self.step(step.body, env, scope, then)

    def _holding(self, step: m.WithStepExceptions, scope: Scope) -> list[c.Expr]:
        """Which exceptions hold; two that say different things are a fault."""
        tests = [scope.named(self.x.lower(e.condition, scope), BOOL) for e in step.exceptions]
        said = [bare(exception.body) for exception in step.exceptions]
        for one in range(len(tests)):
            for two in range(one + 1, len(tests)):
                if said[one] != said[two]:
                    clash = self.x.joined(tests[one], lambda two=two: tests[two], True, scope)  # type: ignore[misc]
                    if clash != FALSE:
                        scope.out.append(c.If(clash, (c.Fail("contradiction", step.path, step.span),)))
        return tests

    # ---- loops

    def _for_each(self, step: m.ForEach, env: Env, scope: Scope, then: Then) -> None:
        size = self._step_size(step.body)

        def inside(loops: Sequence[m.Loop], env: Env, scope: Scope, then: Then) -> None:
            scope.env = dict(env)
            if loops:
                loop, *inner = loops
                self._turns(loop, env, scope, lambda env, scope, then: inside(inner, env, scope, then), then, size)
            elif step.where is None:
                self.step(step.body, env, scope, then)
            else:
                test = self.x.lower(step.where, scope)
                if isinstance(test, c.Const):
                    if test.value:
                        self.step(step.body, env, scope, then)
                    else:
                        then(scope)
                    return
                then = self.label(step.path, then)
                with scope.branch() as body:
                    self.step(step.body, env, scope, then)
                scope.out.append(c.If(test, tuple(body)))
                then(scope)

        inside(step.loops, env, scope, then)

    def _turns(
        self,
        loop: m.Loop,
        env: Env,
        scope: Scope,
        inside: Callable[[Env, Scope, Then], None],
        then: Then,
        size: int,
    ) -> None:
        """A loop whose body may wait."""
        items = self.x.items(loop.domain, scope)
        if isinstance(items, c.Const) and len(items.value) * size <= COPIED:
            self._unrolled(items.value, loop.slot, loop.type, env, scope, inside, then)
            return
        listed, at = self._at(self._cell(), INT), self._at(self._cell(), INT)
        self._put(listed, op("tuple", items, type=items.type), scope)
        self._put(at, c.Const(0, INT), scope)
        held = env[loop.slot] if isinstance(env.get(loop.slot), c.Load) else self._at(self._cell(), loop.type)
        own = {**env, loop.slot: held}

        def head(scope: Scope) -> None:
            scope.env = dict(own)
            over = op("eq", at, op("size", listed, type=INT), type=BOOL)
            with scope.branch() as leave:
                then(scope)
            scope.out.append(c.If(over, tuple(leave)))
            self._put(held, c.Op("item", (listed, at), loop.type), scope)
            self._put(at, op("add", at, c.Const(1, INT), type=INT), scope)
            inside(dict(own), scope, again)

        again = self.label("each", head)
        again(scope)

    def _unrolled(
        self,
        items: Sequence[t.Value],
        slot: int,
        of: t.Type,
        env: Env,
        scope: Scope,
        inside: Callable[[Env, Scope, Then], None],
        then: Then,
    ) -> None:
        def turn(at: int, scope: Scope) -> None:
            if at == len(items):
                scope.env = dict(env)
                then(scope)
            else:
                own = {**env, slot: c.Const(items[at], of)}
                inside(own, scope, lambda scope: turn(at + 1, scope))

        turn(0, scope)

    def _for_each_player(self, step: m.ForEachPlayer, env: Env, scope: Scope, then: Then) -> None:
        loop = m.Loop("me", 0, t.PlayerType(self.game.players), step.order)
        size = self._step_size(step.body)
        items = self.x.items(step.order, scope)
        if isinstance(items, c.Const) and len(items.value) * size <= COPIED:
            self._unrolled(
                items.value, 0, loop.type, env, scope,
                lambda env, scope, then: self.step(step.body, env, scope, then), then,
            )  # fmt: skip
            return
        own = {**env, 0: self._at(self._cell(), loop.type)}
        self._turns(loop, own, scope, lambda env, scope, then: self.step(step.body, env, scope, then), self._in(env, then), size)

    @staticmethod
    def _in(env: Env, then: Then) -> Then:
        def go(scope: Scope) -> None:
            scope.env = dict(env)
            then(scope)

        return go

    def _repeat_until(self, step: m.RepeatUntilStep, env: Env, scope: Scope, then: Then) -> None:
        def test(scope: Scope) -> None:
            scope.env, scope.path = dict(env), step.path
            if step.until is not None:
                until = self.x.lower(step.until, scope)
                with scope.branch() as leave:
                    then(scope)
                scope.out.append(c.If(until, tuple(leave)))
            body(scope)

        body = self.label(step.path, lambda scope: self.step(step.body, dict(env), scope, test))
        body(scope)

    def _repeat_times(self, step: m.RepeatTimesStep, env: Env, scope: Scope, then: Then) -> None:
        left = self._at(self._cell(), INT)
        self._put(left, self.x.lower(step.count, scope), scope)

        def head(scope: Scope) -> None:
            scope.env = dict(env)
            with scope.branch() as leave:
                then(scope)
            scope.out.append(c.If(op("le", left, c.Const(0, INT), type=BOOL), tuple(leave)))
            self._put(left, op("sub", left, c.Const(1, INT), type=INT), scope)
            self.step(step.body, dict(env), scope, again)

        again = self.label(step.path, head)
        again(scope)

    # ---- actions

    def _perform(self, step: m.Perform, env: Env, scope: Scope, then: Then) -> None:
        arguments = [scope.named(self.x.lower(each, scope), each.type) for each in step.arguments]
        back = self._in(env, then)
        if self._is_shared(step.action):
            self._call(step.action, env[0], arguments, scope, back, checked=False)
        else:
            action = self.game.actions[step.action]
            own = self._action_frame(action, env[0], arguments, scope)
            scope.env = dict(own)
            self._requirements(action, own, scope)
            self.step(action.body, own, scope, back)

    def _action_frame(self, action: m.Action, me: c.Expr, arguments: Sequence[c.Expr], scope: Scope) -> Env:
        own = self._frame(action.frame_size, me)
        for slot, argument in enumerate(arguments, start=1):
            if isinstance(argument, c.Const) and not _assigns(action.body, slot):
                own[slot] = argument
            else:
                self._put(own[slot], argument, scope)
        return own

    def _requirements(self, action: m.Action, env: Env, scope: Scope) -> None:
        for requirement in action.requirements:
            self._demand(requirement, scope)

    def _demand(self, requirement: m.Requirement, scope: Scope) -> None:
        holds = self.x.requirement(requirement, scope)
        if holds != TRUE:
            scope.out.append(c.If(negation(holds), (c.Refuse(requirement.path, requirement.span),)))
            scope.learn(holds)

    def _call(
        self, name: str, me: c.Expr, arguments: Sequence[c.Expr], scope: Scope, then: Then, checked: bool
    ) -> None:
        """Perform an action that is lowered once. checked: its requirements are met."""
        shared = self.shared(name)
        follows = self.block(f"after {name}", (lambda scope: self._restored(shared, scope, then)) if shared.recursive else then)
        if shared.recursive:
            scope.out.append(c.Do("save", tuple(c.Const(cell, INT) for cell in (*shared.cells, shared.back)), -1))
        values = [scope.named(each, INT) if isinstance(each, c.Const) else scope.set(each, INT) for each in (me, *arguments)]
        for cell, value in zip(shared.cells, values, strict=False):
            scope.out.append(c.Put(cell, None, 1, value))
        scope.out.append(c.Put(shared.back, None, 1, c.Const(follows, INT)))
        scope.out.append(c.Goto(shared.body if checked else shared.entry))

    def _restored(self, shared: Shared, scope: Scope, then: Then) -> None:
        scope.out.append(c.Do("restore", tuple(c.Const(cell, INT) for cell in (*shared.cells, shared.back)), -1))
        then(scope)

    def shared(self, name: str) -> Shared:
        """An action as a routine of its own, for whoever goes back to the block that he leaves in a cell."""
        if name not in self._shared:
            action = self.game.actions[name]
            cells = tuple(self._cell() for _ in range(max(1, action.frame_size)))
            back = self._cell()
            env: Env = {slot: self._at(cell, INT) for slot, cell in enumerate(cells)}

            def body(scope: Scope) -> None:
                self.step(action.body, dict(env), scope, lambda scope: scope.out.append(c.Back(back)))

            inner = self.label(name, body)

            def entry(scope: Scope) -> None:
                scope.env, scope.path = dict(env), name
                self._requirements(action, env, scope)
                inner(scope)

            first = self.block(f"{name} asked", entry)
            at = self.block(name, lambda scope: inner(scope))
            self._shared[name] = Shared(first, at, cells, back, self._reaches(name))
        return self._shared[name]

    # ---- decisions

    def _decide(self, step: m.Decide, env: Env, scope: Scope, then: Then) -> None:
        leave = self.label(step.path, self._in(env, then))
        number = len(self.program.waits)
        decision = c.Decision(step, self._homes[id(step)], [], env[0], 0)
        self.program.waits.append(decision)
        here = self.block(step.path, lambda scope: self._ask(number, decision, scope, leave))
        after: Then = (lambda scope: scope.out.append(c.Goto(here))) if step.repeating else leave
        decision.options = [self._option(option, step, env, after) for option in step.options]
        decision.then = self.block(f"{step.path} declined", leave)
        scope.out.append(c.Goto(here))

    def _ask(self, number: int, decision: c.Decision, scope: Scope, leave: Then) -> None:
        """Wait if there is something to choose; else go on."""
        if any(option.free and not option.refusable for option in decision.options):
            scope.out.append(c.Wait(number))
            return
        offers = c.Serve("offers", (c.Const(number, INT), decision.me), -1)
        scope.out.append(c.If(offers, (c.Wait(number),)))
        leave(scope)

    def _option(self, option: m.MoveOption, step: m.Statement, env: Env, after: Then) -> c.Option:
        if isinstance(option, m.BranchOption):
            own = dict(env)

            def carried(scope: Scope) -> None:
                self.step(option.body, dict(own), scope, after)

            cells = {choice.slot: self._hand_over(env, choice.slot) for choice in option.choices}
            entry = self.block(option.name, carried)
            offered = Offered(option.name, option.choices, option.requirements, (), lambda scope: self._opened(env, scope), option.name)
            return self._offer(offered, option.choices, cells, entry)
        return self._action_option(option, step, env, after)

    @staticmethod
    def _hand_over(env: Env, slot: int) -> int:
        cell = env[slot]
        assert isinstance(cell, c.Load)
        return cell.base

    @staticmethod
    def _opened(env: Env, scope: Scope) -> Env:
        me = env[0] if isinstance(env[0], c.Const) and env[0].value is not None else scope.env[0]
        return {**env, 0: me}

    def _action_option(self, option: m.ActionOption, step: m.Statement, env: Env, after: Then) -> c.Option:
        action = self.game.actions[option.action]
        parameters = tuple(
            (name, slot, of) for slot, (name, of) in enumerate(action.parameters, start=1) if name in action.stated
        )

        def opened(scope: Scope) -> Env:
            scope.env = self._opened(env, scope)
            scope.path = step.path
            given = [scope.named(self.x.lower(each, scope), each.type) for each in option.arguments]
            scope.path = action.name
            return {0: scope.env[0], **dict(enumerate(given, start=1))}

        offered = Offered(action.name, action.choices, action.requirements, parameters, opened, action.name)
        if self._is_shared(option.action):
            cells = {choice.slot: self._cell() for choice in action.choices}

            def called(scope: Scope) -> None:
                scope.env, scope.path = dict(env), step.path
                shared = self.shared(action.name)
                given = [scope.named(self.x.lower(each, scope), each.type) for each in option.arguments]
                arguments: dict[int, c.Expr] = dict(enumerate(given, start=1))
                arguments |= {slot: self._at(cell, INT) for slot, cell in cells.items()}
                width = max(arguments, default=0)
                values = [arguments.get(slot, c.Const(None, t.Never())) for slot in range(1, width + 1)]
                assert len(shared.cells) > width
                self._call(action.name, env[0], values, scope, after, checked=True)

            entry = self.block(f"{action.name} chosen", called)
        else:
            own = self._frame(action.frame_size, env[0])
            cells = {choice.slot: self._hand_over(own, choice.slot) for choice in action.choices}

            def carried(scope: Scope) -> None:
                scope.env, scope.path = dict(env), step.path
                inner = dict(own)
                given = [self.x.lower(each, scope) for each in option.arguments]
                for slot, value in enumerate(given, start=1):
                    if isinstance(value, c.Const) and not _assigns(action.body, slot):
                        inner[slot] = value
                    else:
                        self._put(own[slot], value, scope)
                self.step(action.body, inner, scope, after)

            entry = self.block(action.name, carried)
        return self._offer(offered, action.choices, cells, entry)

    def _offer(self, offered: Offered, choices: Sequence[m.Choice], cells: dict[int, int], entry: int) -> c.Option:
        given = [c.Argument(name, of, False, None, True) for name, _, of in offered.parameters]
        chosen = [c.Argument(each.name, each.type, each.within, cells[each.slot], False) for each in choices]
        lists, offers, admits = self._instances.units(offered)
        free = not choices and not offered.requirements
        return c.Option(offered.name, (*given, *chosen), lists, offers, admits, entry, True, free)

    def _simultaneous(self, step: m.Simultaneous, env: Env, scope: Scope, then: Then) -> None:
        stated, seat = self._at(self._cell(), INT), self._at(self._cell(), INT)
        me = self._at(self._cell(), t.PlayerType(self.game.players))
        own = {**env, 0: me}
        leave = self._in(env, then)
        number = len(self.program.waits)
        together = c.Together(step, self._homes[id(step)], [], stated.base, 0)
        self.program.waits.append(together)
        self._put(stated, c.Const((None,) * self.game.players, INT), scope)

        def ask(scope: Scope) -> None:
            waits = c.Serve("together", (c.Const(number, INT),), -1)
            scope.out.append(c.If(waits, (c.Wait(number),)))
            self._put(seat, c.Const(0, INT), scope)
            bodies(scope)

        def carry(scope: Scope) -> None:
            cells = tuple(c.Const(cell.base, INT) for cell in (stated, seat, me))
            taken = scope.set(c.Serve("stated", (c.Const(number, INT), *cells), -1), INT)
            for at, option in enumerate(together.options):
                scope.out.append(c.If(op("eq", taken, c.Const(at, INT), type=BOOL), (c.Goto(option.entry),)))
            leave(scope)

        bodies = self.label(f"{step.path} carried out", carry)
        together.options = [self._option(option, step, own, bodies) for option in step.options]
        for option in together.options:
            option.refusable = False
        together.then = self.block(step.path, ask)
        scope.out.append(c.Goto(together.then))

    # ---- chance

    def _random(self, step: m.RandomValue, env: Env, scope: Scope, then: Then) -> None:
        held = env[step.slot]
        assert isinstance(held, c.Load)

        def candidates(inner: Scope, _: tuple[c.Var, ...]) -> c.Expr:
            inner.env = dict(env)
            items = self.x.items(step.domain, inner)
            if step.where is None:
                return items
            found, var = inner.new(t.ListOf(INT)), inner.new(step.type)
            inner.out.append(c.New(found))
            inner.env[step.slot] = var
            with inner.branch() as body:
                test = self.x.lower(step.where, inner)
                inner.out.append(c.If(test, (c.Append(found, var),)))
            inner.out.append(c.Each(var, items, tuple(body)))
            return found

        lists = self.x.unit(f"{step.path} outcomes", (), candidates)
        number = len(self.program.waits)
        self.program.waits.append(c.Chance(step, lists, held.base, self.block(step.path, self._in(env, then))))
        if step.where is not None or not isinstance(self.x.items(step.domain, Scope(dict(env), step.path)), c.Const):
            nothing = op("is_empty", c.Call(lists, (), INT), type=BOOL)
            scope.out.append(c.If(nothing, (c.Fail("nothing to choose", step.path, step.span),)))
        scope.out.append(c.Wait(number))

    def _draw(self, step: m.DrawPieces, env: Env, scope: Scope, then: Then) -> None:
        source, target, left = self._at(self._cell(), INT), self._at(self._cell(), INT), self._at(self._cell(), INT)
        self._put(left, self.x.lower(step.count, scope), scope)
        self._put(source, self._address(step.source, scope), scope)
        self._put(target, self._address(step.target, scope), scope)
        number = len(self.program.waits)
        cells = (source.base, target.base, left.base)
        at = self._service(step)

        def draw(scope: Scope) -> None:
            drawn = c.Serve("draw", tuple(c.Const(cell, INT) for cell in cells), at)
            scope.out.append(c.If(negation(drawn), (c.Wait(number),)))
            scope.env = dict(env)
            then(scope)

        here = self.block(step.path, draw)
        self.program.waits.append(
            c.Hidden(step, "draw", step.source.element, step.target.element, cells, here, step.bottom)
        )
        scope.out.append(c.Goto(here))

    def _address(self, zone: m.ZoneRef, scope: Scope) -> c.Expr:
        base, index, _ = self.x.address(zone.element, zone.indices, scope)
        return c.Const(base, INT) if index is None else op("add", index, c.Const(base, INT), type=INT)

    def _reveal(
        self, step: m.MoveAll | m.MovePiece | m.SwapPieces, env: Env, scope: Scope, then: Then
    ) -> None:
        """What lies unseen in a zone comes to light before it moves to where it is seen."""
        first, second = (step.left, step.right) if isinstance(step, m.SwapPieces) else (step.source, step.target)
        cells = self._at(self._cell(), INT), self._at(self._cell(), INT)
        self._put(cells[0], self._address(first, scope), scope)
        self._put(cells[1], self._address(second, scope), scope)
        at = self._service(step)
        follows: Then = lambda scope: self._moved(step, cells, at, env, scope, then)  # noqa: E731 - a chain of blocks
        ways = [((first, second), cells), ((second, first), cells[::-1])]
        for (source, target), (one, two) in reversed(ways if isinstance(step, m.SwapPieces) else ways[:1]):
            if _comes_to_light(source.element, target.element, draw=False):
                follows = self._light(step, source.element, target.element, (one.base, two.base), at, follows)
        follows(scope)

    def _light(
        self, step: m.Statement, source: m.Element, target: m.Element, cells: tuple[int, int], at: int, then: Then
    ) -> Then:
        number = len(self.program.waits)

        def reveal(scope: Scope) -> None:
            unseen = c.Serve("unseen", (c.Const(cells[0], INT),), at)
            scope.out.append(c.If(unseen, (c.Wait(number),)))
            then(scope)

        here = self.block(step.path, reveal)
        self.program.waits.append(c.Hidden(step, "reveal", source, target, cells, here))
        return lambda scope: scope.out.append(c.Goto(here))

    def _moved(self, step: m.Statement, cells: tuple[c.Load, ...], at: int, env: Env, scope: Scope, then: Then) -> None:
        scope.out.append(c.Do("swap" if isinstance(step, m.SwapPieces) else "move_all", cells, at))
        scope.env = dict(env)
        then(scope)

    # ---- statements between two events

    def _plain(self, step: m.Step, env: Env, scope: Scope) -> None:
        """Lower a statement in which the flow neither waits nor ends."""
        scope.env, scope.path = dict(env), step.path
        x = self.x
        match step:
            case m.Sequence(body=body):
                for part in body:
                    self._plain(part, env, scope)
            case m.IfStep(condition=condition, then=then, otherwise=otherwise):
                test = x.lower(condition, scope)
                self._branch(test, then, otherwise, env, scope)
            case m.MatchStep():
                self._plain_match(step, env, scope)
            case m.WithStepExceptions(body=body, exceptions=exceptions):
                self._plain_exceptions(list(zip(self._holding(step, scope), exceptions, strict=True)), body, env, scope)
            case m.Demand(requirement=requirement):
                self._demand(requirement, scope)
            case m.SetLocal(slot=slot, value=value):
                found = x.lower(value, scope)
                where = env.get(slot)
                if isinstance(where, c.Var):
                    scope.out.append(c.Set(where, found))
                    return
                assert isinstance(where, c.Load), (step, where)
                self._put(where, found, scope)
            case m.Store(element=element, indices=indices, value=value):
                found = x.lower(value, scope)
                base, index, size = x.address(element, indices, scope)
                scope.out.append(c.Put(base, index, size, found))
                scope.some.clear()
            case m.Perform(action=name, arguments=arguments):
                given = [scope.named(x.lower(each, scope), each.type) for each in arguments]
                action = self.game.actions[name]
                own = self._action_frame(action, env[0], given, scope)
                scope.env = dict(own)
                self._requirements(action, own, scope)
                self._plain(action.body, own, scope)
                scope.env = dict(env)
            case m.ForEach(loops=loops, where=where, body=body):
                self._plain_turns(loops, where, body, env, scope)
            case m.ForEachPlayer(order=order, body=body):
                loop = m.Loop("me", 0, t.PlayerType(self.game.players), order)
                self._plain_turns((loop,), None, body, env, scope)
            case m.AsPlayer(player=player, body=body):
                me = scope.named(x.lower(player, scope), player.type)
                if isinstance(me, c.Load):
                    me = scope.set(me, player.type)
                self._plain(body, {**env, 0: me}, scope)
            case m.RepeatUntilStep(body=body, until=until):
                with scope.branch() as turn:
                    self._plain(body, dict(env), scope)
                    scope.env = dict(env)
                    assert until is not None
                    scope.out.append(c.If(x.lower(until, scope), (c.Break(),)))
                scope.out.append(c.Loop(tuple(turn)))
            case m.RepeatTimesStep(count=count, body=body):
                times = op("interval", c.Const(1, INT), x.lower(count, scope), type=t.ListOf(INT))
                with scope.branch() as turn:
                    self._plain(body, dict(env), scope)
                scope.out.append(c.Each(scope.new(INT), times, tuple(turn)))
            case _:
                self._zone_step(step, scope)
        scope.env = dict(env)

    def _branch(self, test: c.Expr, then: m.Step, otherwise: m.Step | None, env: Env, scope: Scope) -> None:
        if isinstance(test, c.Const):
            taken = then if test.value else otherwise
            if taken is not None:
                self._plain(taken, env, scope)
            return
        with scope.branch() as yes:
            scope.learn(test)
            self._plain(then, dict(env), scope)
        with scope.branch() as no:
            scope.learn(test, holds=False)
            if otherwise is not None:
                self._plain(otherwise, dict(env), scope)
        scope.out.append(c.If(test, tuple(yes), tuple(no)))
        scope.some.clear()

    def _plain_match(self, step: m.MatchStep, env: Env, scope: Scope) -> None:
        subject = scope.named(self.x.lower(step.subject, scope), step.subject.type)
        if isinstance(subject, c.Load):
            subject = scope.set(subject, step.subject.type)

        def rest(cases: Sequence[m.StepCase]) -> None:
            if not cases:
                return
            case, *others = cases
            test = self.x.among(subject, case.values, step.subject.type)
            if test == FALSE:
                rest(others)
                return
            own = dict(env)
            with scope.branch() as body:
                for bind in case.binds:
                    own[bind.slot] = self.x.bound(bind, subject)
                self._plain(case.body, own, scope)
            if test == TRUE:
                scope.out += body
                return
            with scope.branch() as no:
                rest(others)
            scope.out.append(c.If(test, tuple(body), tuple(no)))

        rest(step.cases)

    def _plain_exceptions(
        self, cases: Sequence[tuple[c.Expr, m.ExceptionalStep]], body: m.Step, env: Env, scope: Scope
    ) -> None:
        if not cases:
            self._plain(body, env, scope)
            return
        (test, exception), *others = cases
        if test == FALSE:
            self._plain_exceptions(others, body, env, scope)
            return
        with scope.branch() as yes:
            self._plain(exception.body, dict(env), scope)
        if test == TRUE:
            scope.out += yes
            return
        with scope.branch() as no:
            self._plain_exceptions(others, body, dict(env), scope)
        scope.out.append(c.If(test, tuple(yes), tuple(no)))
        scope.some.clear()

    def _plain_turns(
        self, loops: Sequence[m.Loop], where: m.Expr | None, body: m.Step, env: Env, scope: Scope
    ) -> None:
        """Domains are worked out when their loop begins, the condition before each turn."""
        if not loops:
            scope.env = dict(env)
            if where is None:
                self._plain(body, env, scope)
            else:
                test = self.x.lower(where, scope)
                self._branch(test, body, None, env, scope)
            return
        loop, *inner = loops
        scope.env = dict(env)
        items = self.x.items(loop.domain, scope)
        if isinstance(items, c.Const) and len(items.value) * self._turn_size(inner, body) <= COPIED:
            for item in items.value:
                self._plain_turns(inner, where, body, {**env, loop.slot: c.Const(item, loop.type)}, scope)
            scope.env = dict(env)
            return
        if not isinstance(items, c.Const | c.Var) and not (isinstance(items, c.Op) and items.name == "interval"):
            items = scope.set(items, items.type)
        var = scope.new(loop.type)
        with scope.branch() as turn:
            scope.some.clear()
            self._plain_turns(inner, where, body, {**env, loop.slot: var}, scope)
        scope.out.append(c.Each(var, items, tuple(turn)))
        scope.some.clear()
        scope.env = dict(env)

    def _turn_size(self, inner: Sequence[m.Loop], body: m.Step) -> int:
        size = self._step_size(body)
        for loop in inner:
            size *= self.x._count(loop.domain)
        return size

    # ---- zones

    def _zone_step(self, step: m.Step, scope: Scope) -> None:
        match step:
            case m.FillZone(zone=zone, pieces=pieces):
                listed = self._copies(pieces, scope)
                scope.out.append(c.Do("enter", (self._address(zone, scope), listed), self._service(step)))
            case m.PutPiece(target=target, piece=piece):
                listed = self._pieces(piece, scope)
                scope.out.append(c.Do("enter", (self._address(target, scope), listed), self._service(step)))
            case m.RemovePiece(source=source, piece=piece):
                listed = self._pieces(piece, scope)
                scope.out.append(c.Do("leave", (self._address(source, scope), listed), self._service(step)))
            case m.ShuffleZone(zone=zone):
                scope.out.append(c.Do("shuffle", (self._address(zone, scope),), self._service(step)))
            case m.MovePiece(piece=piece, source=source, target=target) if piece is not None:
                listed = self._pieces(piece, scope)
                places = self._address(source, scope), self._address(target, scope)
                scope.out.append(c.Do("move", (*places, listed), self._service(step)))
            case m.MoveAll(source=source, target=target) | m.MovePiece(source=source, target=target):
                places = self._address(source, scope), self._address(target, scope)
                scope.out.append(c.Do("move_all", places, self._service(step)))
            case m.SwapPieces(left=left, right=right):
                places = self._address(left, scope), self._address(right, scope)
                scope.out.append(c.Do("swap", places, self._service(step)))
            case m.DrawPieces(count=count, source=source, target=target):
                count_ = self.x.lower(count, scope)
                places = self._address(source, scope), self._address(target, scope)
                scope.out.append(c.Do("draw_unseen", (*places, count_), self._service(step)))
            case _:
                raise AssertionError(step)
        scope.some.clear()

    def _pieces(self, piece: m.Expr, scope: Scope) -> c.Expr:
        """The pieces that a statement concerns."""
        value = self.x.lower(piece, scope)
        if t.element_type(piece.type) is not None:
            if isinstance(value, c.Const):
                return c.Const(items_of(piece.type, value.value), t.ListOf(INT))
            if isinstance(piece.type, t.SetOf):
                return op("ordered", value, type=t.ListOf(INT), of=piece.type.of)
            return value
        value = scope.named(value, piece.type)
        if isinstance(piece.type, t.Optional) and value not in scope.some:
            scope.out.append(c.If(op("none", value, type=BOOL), (c.Fail("no piece", scope.path, piece.span),)))
        return op("list_of", value, type=t.ListOf(INT))

    def _copies(self, pieces: m.Expr, scope: Scope) -> c.Expr:
        """The pieces that `fill` means: of a set of components every copy."""
        of = pieces.type
        if isinstance(of, t.SetOf) and isinstance(of.of, t.ComponentType):
            value = self.x.lower(pieces, scope)
            return op("copies", value, type=t.ListOf(INT), of=of.of)
        return self._pieces(pieces, scope)


def _comes_to_light(source: m.Element, target: m.Element, draw: bool) -> bool:
    """Whether moving a piece from one zone to the other may be a chance event."""
    hidden = source.visibility == "hidden", target.visibility == "hidden"
    if draw and source.kind == "bag":
        return hidden != (True, True)
    return hidden[0] and not hidden[1]


def _mark_refusable(program: c.Program) -> None:
    """Find the options after which a requirement may fail before the next event. Only these take a trial."""
    after, refusing, leaving = dict[int, set[int]](), set[int](), dict[int, set[int]]()
    for number, block in enumerate(program.blocks):
        for statement in statements(block.body):
            if isinstance(statement, c.Back):
                leaving.setdefault(statement.cell, set()).add(number)
    for number, block in enumerate(program.blocks):
        for statement in statements(block.body):
            match statement:
                case c.Refuse():
                    refusing.add(number)
                case c.Goto(block=target):
                    after.setdefault(target, set()).add(number)
                case c.Put(base=cell, value=c.Const(value=target)) if cell in leaving:
                    for routine in leaving[cell]:
                        after.setdefault(target, set()).add(routine)
    found, waiting = set(refusing), list(refusing)
    while waiting:
        for before in after.get(waiting.pop(), ()):
            if before not in found:
                found.add(before)
                waiting.append(before)
    for wait in program.waits:
        if isinstance(wait, c.Decision):
            for option in wait.options:
                option.refusable = option.entry in found


def statements(body: c.Body) -> Iterator[c.Statement]:
    """All statements of a body, those inside others, too."""
    for statement in body:
        yield statement
        match statement:
            case c.If(then=then, otherwise=otherwise):
                yield from statements(then)
                yield from statements(otherwise)
            case c.Each(body=inner) | c.Loop(body=inner) | c.Attempt(body=inner):
                yield from statements(inner)


def _only_ends(step: m.Step) -> bool:
    """Whether the flow does not come out of the statement."""
    match step:
        case m.EndGameStep():
            return True
        case m.Sequence(body=body):
            return bool(body) and _only_ends(body[-1])
    return False


def _assigns(step: m.Step, slot: int) -> bool:
    return any(isinstance(node, m.SetLocal) and node.slot == slot for node in nodes(step))


def bare(node: Any) -> Any:
    """A model node without its paths and places, for comparing what two clauses do."""
    if isinstance(node, tuple):
        return tuple(map(bare, node))
    if not is_dataclass(node) or isinstance(node, Span):
        return node
    kept = [each.name for each in fields(node) if each.name not in {"path", "span"}]
    return type(node).__name__, tuple(bare(getattr(node, name)) for name in kept)


