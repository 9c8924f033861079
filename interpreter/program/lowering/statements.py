"""Lowering of statements between two events to statements of a block.

The slots of routines are in cells of the buffer after those of the elements. Every call site of an action has cells of
its own, except for actions that are lowered once (`flow.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import nodes, per_node, recursive_actions
from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import BOOL, FALSE, INT, TRUE, items_of, negation, op
from .decisions import spine
from .expressions import ExpressionLowering
from .public import Public
from .scope import UnitScope

Env: TypeAlias = dict[int, c.Expr]


@dataclass(slots=True, eq=False, repr=False)
class StatementLowering:
    """Lowers the statements of one game in which the flow neither waits nor ends.

    own: collects new cells.
    """

    game: m.Game
    program: c.Program
    x: ExpressionLowering
    public: Public | None = None
    own: list[int] = field(default_factory=list)
    _asked: m.Perform | None = None
    _sizes: dict[str, int] = field(default_factory=dict)
    _recursive: frozenset[str] = field(init=False)
    _slot_types: Callable[[Any], dict[int, t.Type]] = field(init=False)

    def __post_init__(self) -> None:
        self._recursive = recursive_actions(self.game.actions, self.x.lists)
        self._slot_types = per_node(lambda routine: slot_types(routine, self.x.lists.of(routine)))

    # ---- cells

    @contextmanager
    def adding_to(self, own: list[int]) -> Iterator[None]:
        """Collect new cells in this list."""
        before, self.own = self.own, own
        try:
            yield
        finally:
            self.own = before

    def cell(self, of: t.Type) -> c.Load:
        """Add a cell for a value of this type."""
        number = self.program.cells
        self.program.frame.append(of)
        self.own.append(number)
        return c.Load(number, None, 1, of)

    def frame(self, routine: m.Routine | m.Action, me: c.Expr | None = None) -> Env:
        """Add cells for the slots of a routine."""
        env: Env = {0: me if me is not None else c.Const(None, t.Never())}
        types = self._slot_types(routine)
        return env | {slot: self.cell(types.get(slot, t.Never())) for slot in range(1, routine.frame_size)}

    def put(self, where: c.Expr, value: c.Expr, scope: UnitScope) -> None:
        assert isinstance(where, c.Load)
        # An argument that is passed on may already be in its cell.
        if where != value:
            scope.out.append(c.Put(where.base, None, 1, value))

    def service(self, statement: m.Statement) -> int:
        self.program.services.append(c.Service(statement))
        return len(self.program.services) - 1

    def action_frame(self, action: m.Action, me: c.Expr, arguments: Sequence[c.Expr], scope: UnitScope) -> Env:
        own = self.frame(action, me)
        for slot, argument in enumerate(arguments, start=1):
            # A slot with a constant needs no cell, and its value specializes the body.
            if isinstance(argument, c.Const) and not assigns(action.body, slot):
                own[slot] = argument
            else:
                self.put(own[slot], argument, scope)
        return own

    def requirements(self, action: m.Action, scope: UnitScope) -> None:
        for requirement in action.requirements:
            self.demand(requirement, scope)

    def ask(self, step: m.IfStep) -> None:
        """Note which statement performs an action that the condition has just found to be possible."""
        first = step.then
        while isinstance(first, m.Sequence) and first.body:
            first = first.body[0]
        match first:
            case m.Perform(action=name, arguments=arguments):
                can = (each for each in spine(step.condition) if isinstance(each, m.CanPerform))
                self._asked = (
                    first if any(each.action == name and each.arguments == arguments for each in can) else None
                )

    def was_asked(self, step: m.Perform) -> bool:
        """Return whether the flow has just tested that the statement can perform its action."""
        asked, self._asked = self._asked, None
        return step is asked

    def follow(self, step: m.Statement, scope: UnitScope) -> None:
        """Stop a public state where it does not tell how the statement continues."""
        if self.public and self.public.stops_at(step):
            scope.out.append(c.If(c.Op("is_public", (), BOOL), (c.Fail("unseen", step.path, step.span),)))

    def demand(self, requirement: m.Requirement, scope: UnitScope) -> None:
        refuse = (c.Refuse(requirement.path, requirement.span),)
        unknown = self.public.unknown_of(requirement) if self.public else None
        with scope.branch() as test:
            holds = self.x.requirement(requirement, scope)
            if holds != TRUE:
                scope.out.append(c.If(negation(holds), refuse))
        if self.public and unknown is not None:
            env = dict(scope.env)
            with scope.branch() as seen, self.public.knowing(unknown):
                may_hold = self.public.may_hold(requirement, scope)
                if may_hold != TRUE:
                    scope.out.append(c.If(negation(may_hold), refuse))
            scope.env = env
            # In a public state a requirement refuses only if it fails whatever the veiled values are.
            scope.out.append(c.If(c.Op("is_public", (), BOOL), tuple(seen), tuple(test)))
            return
        scope.out += test
        if holds != TRUE:
            scope.learn(holds)

    def holding(self, step: m.WithStepExceptions, scope: UnitScope) -> list[c.Expr]:
        """Lower which exceptions hold; two that contradict each other are a fault."""
        # All conditions are evaluated before the first exception is carried out, which may change what they read.
        tests = [scope.named(self.x.lower(e.condition, scope), BOOL) for e in step.exceptions]
        for one in range(len(tests)):
            for two in range(one + 1, len(tests)):
                # Two exceptions that say the same do not contradict each other.
                if step.exceptions[one].body != step.exceptions[two].body:
                    clash = self.x.joined(tests[one], lambda two=two: tests[two], True, scope)  # type: ignore[misc]
                    if clash != FALSE:
                        scope.out.append(c.If(clash, (c.Fail("contradiction", step.path, step.span),)))
        return tests

    # ---- sizes

    def reaches(self, name: str) -> bool:
        """Return whether the action is recursive."""
        return name in self._recursive

    def size(self, name: str) -> int:
        """Return the size of an action, with those that it performs or offers."""
        if name not in self._sizes:
            # A recursive action counts once.
            self._sizes[name] = 0
            self._sizes[name] = self.step_size(self.game.actions[name].body)
        return self._sizes[name]

    def step_size(self, step: m.Step) -> int:
        size = 0
        for node in nodes(step):
            size += 1
            if isinstance(node, m.Perform | m.ActionOption) and not self.reaches(node.action):
                # A larger action is lowered once (`flow.py`), and a call of it is short.
                size += min(self.size(node.action), self.x.limits.shared)
        return size

    # ---- statements between two events

    def plain(self, step: m.Step, env: Env, scope: UnitScope) -> None:
        """Lower a statement in which the flow neither waits nor ends."""
        scope.env, scope.path = dict(env), step.path
        self.follow(step, scope)
        _STEPS[type(step)](self, step, env, scope)
        scope.env = dict(env)

    def _sequence(self, step: m.Sequence, env: Env, scope: UnitScope) -> None:
        for part in step.body:
            self.plain(part, env, scope)

    def _if(self, step: m.IfStep, env: Env, scope: UnitScope) -> None:
        self.ask(step)
        self._branch(self.x.lower(step.condition, scope), step.then, step.otherwise, env, scope)

    def _exceptions(self, step: m.WithStepExceptions, env: Env, scope: UnitScope) -> None:
        cases = list(zip(self.holding(step, scope), step.exceptions, strict=True))
        self._plain_exceptions(cases, step.body, env, scope)

    def _demanded(self, step: m.Demand, env: Env, scope: UnitScope) -> None:
        self.demand(step.requirement, scope)

    def _set_local(self, step: m.SetLocal, env: Env, scope: UnitScope) -> None:
        value, where = self.x.lower(step.value, scope), env[step.slot]
        if isinstance(where, c.Var):
            scope.out.append(c.Set(where, value))
        else:
            self.put(where, value, scope)

    def _store(self, step: m.Store, env: Env, scope: UnitScope) -> None:
        value = self.x.lower(step.value, scope)
        # The address is computed after the value, as in the reference.
        base, index, size = self.x.address(step.element, step.indices, scope)
        scope.out.append(c.Put(base, index, size, value))
        # What is known not to be `none` may be in the cell that is written.
        scope.some.clear()

    def _perform(self, step: m.Perform, env: Env, scope: UnitScope) -> None:
        given = [scope.named(self.x.lower(each, scope), each.type) for each in step.arguments]
        action = self.game.actions[step.action]
        own = self.action_frame(action, env[0], given, scope)
        scope.env = dict(own)
        if not self.was_asked(step):
            self.requirements(action, scope)
        self.plain(action.body, own, scope)

    def _for_each(self, step: m.ForEach, env: Env, scope: UnitScope) -> None:
        self._turns(step.loops, step.where, step.body, env, scope)

    def _for_each_player(self, step: m.ForEachPlayer, env: Env, scope: UnitScope) -> None:
        loop = m.Loop("me", 0, t.PlayerType(self.game.players), step.order)
        self._turns((loop,), None, step.body, env, scope)

    def _as_player(self, step: m.AsPlayer, env: Env, scope: UnitScope) -> None:
        me = self.x.lower(step.player, scope)
        if not isinstance(me, c.Const):
            # In a variable, since the body may change what the expression reads.
            me = scope.set(me, step.player.type)
        self.plain(step.body, {**env, 0: me}, scope)

    def _repeat_until(self, step: m.RepeatUntilStep, env: Env, scope: UnitScope) -> None:
        assert step.until is not None, "a loop without an end is not a plain statement"
        with scope.branch() as turn:
            self.plain(step.body, dict(env), scope)
            scope.out.append(c.If(self.x.lower(step.until, scope), (c.Break(),)))
        scope.out.append(c.Loop(tuple(turn), scope.path))

    def _repeat_times(self, step: m.RepeatTimesStep, env: Env, scope: UnitScope) -> None:
        times = op("interval", c.Const(1, INT), self.x.lower(step.count, scope), gives=t.ListOf(INT))
        with scope.branch() as turn:
            self.plain(step.body, dict(env), scope)
        scope.out.append(c.Each(scope.new(INT), times, tuple(turn), scope.path))

    def _branch(self, test: c.Expr, then: m.Step, otherwise: m.Step | None, env: Env, scope: UnitScope) -> None:
        if isinstance(test, c.Const):
            branch = then if test.value else otherwise
            if branch is not None:
                self.plain(branch, env, scope)
            return
        with scope.branch() as yes:
            scope.learn(test)
            self.plain(then, dict(env), scope)
        with scope.branch() as no:
            # A failed test is information too: after `x is empty`, x has a value in the other branch.
            scope.learn(test, holds=False)
            if otherwise is not None:
                self.plain(otherwise, dict(env), scope)
        scope.out.append(c.If(test, tuple(yes), tuple(no)))
        # One of the branches may have written a cell.
        scope.some.clear()

    def _plain_match(self, step: m.MatchStep, env: Env, scope: UnitScope) -> None:
        subject = scope.named(self.x.lower(step.subject, scope), step.subject.type)
        # An arm may change the cell, and later arms still match the old value.
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
                self.plain(case.body, own, scope)
            # Later arms are never reached.
            if test == TRUE:
                scope.out += body
                return
            with scope.branch() as no:
                rest(others)
            scope.out.append(c.If(test, tuple(body), tuple(no)))

        rest(step.cases)

    def _plain_exceptions(
        self, cases: Sequence[tuple[c.Expr, m.ExceptionalStep]], body: m.Step, env: Env, scope: UnitScope
    ) -> None:
        if not cases:
            self.plain(body, env, scope)
            return
        (test, exception), *others = cases
        if test == FALSE:
            self._plain_exceptions(others, body, env, scope)
            return
        with scope.branch() as yes:
            self.plain(exception.body, dict(env), scope)
        if test == TRUE:
            scope.out += yes
            return
        with scope.branch() as no:
            self._plain_exceptions(others, body, dict(env), scope)
        scope.out.append(c.If(test, tuple(yes), tuple(no)))
        scope.some.clear()

    def _turns(self, loops: Sequence[m.Loop], where: m.Expr | None, body: m.Step, env: Env, scope: UnitScope) -> None:
        """Lower loops. Domains are evaluated when their loop begins, the condition before each iteration."""
        if not loops:
            scope.env = dict(env)
            if where is None:
                self.plain(body, env, scope)
            else:
                test = self.x.lower(where, scope)
                self._branch(test, body, None, env, scope)
            return
        loop, *inner = loops
        scope.env = dict(env)
        items = self.x.loops.items(loop.domain, scope)
        if isinstance(items, c.Const) and len(items.value) * self._turn_size(inner, body) <= self.x.limits.flow:
            for item in items.value:
                self._turns(inner, where, body, {**env, loop.slot: c.Const(item, loop.type)}, scope)
            scope.env = dict(env)
            return
        # An iteration may change the cells that the domain reads; it was evaluated when the loop began.
        if not isinstance(items, c.Const | c.Var) and not (isinstance(items, c.Op) and items.name == "interval"):
            items = scope.set(items, items.type)
        var = scope.new(loop.type)
        with scope.branch() as turn:
            scope.some.clear()
            self._turns(inner, where, body, {**env, loop.slot: var}, scope)
        scope.out.append(c.Each(var, items, tuple(turn), scope.path))
        scope.some.clear()
        scope.env = dict(env)

    def _turn_size(self, inner: Sequence[m.Loop], body: m.Step) -> int:
        size = self.step_size(body)
        for loop in inner:
            size *= self.x.sizes.count(loop.domain)
        return size

    # ---- zones

    def _fill(self, step: m.FillZone, env: Env, scope: UnitScope) -> None:
        self._do("enter", step, (self.zone(step.zone, scope), self._copies(step.pieces, scope)), scope)

    def _put_piece(self, step: m.PutPiece, env: Env, scope: UnitScope) -> None:
        self._do("enter", step, (self.zone(step.target, scope), self._pieces(step.piece, scope)), scope)

    def _remove(self, step: m.RemovePiece, env: Env, scope: UnitScope) -> None:
        self._do("leave", step, (self.zone(step.source, scope), self._pieces(step.piece, scope)), scope)

    def _shuffle(self, step: m.ShuffleZone, env: Env, scope: UnitScope) -> None:
        self._do("shuffle", step, (self.zone(step.zone, scope),), scope)

    def _move(self, step: m.MovePiece | m.MoveAll, env: Env, scope: UnitScope) -> None:
        piece = step.piece if isinstance(step, m.MovePiece) else None
        pieces = () if piece is None else (self._pieces(piece, scope),)
        places = self.zone(step.source, scope), self.zone(step.target, scope)
        self._do("move" if pieces else "move_all", step, (*places, *pieces), scope)

    def _swap(self, step: m.SwapPieces, env: Env, scope: UnitScope) -> None:
        self._do("swap", step, (self.zone(step.left, scope), self.zone(step.right, scope)), scope)

    def _draw(self, step: m.DrawPieces, env: Env, scope: UnitScope) -> None:
        count = self.x.lower(step.count, scope)
        places = self.zone(step.source, scope), self.zone(step.target, scope)
        self._do("draw_unseen", step, (*places, count), scope)

    def _do(self, name: str, step: m.Step, args: tuple[c.Expr, ...], scope: UnitScope) -> None:
        scope.out.append(c.Do(name, args, self.service(step)))
        scope.some.clear()

    def _pieces(self, piece: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower the pieces that a statement moves."""
        value = self.x.lower(piece, scope)
        if t.element_type(piece.type) is not None:
            if isinstance(value, c.Const):
                return c.Const(items_of(piece.type, value.value), t.ListOf(INT))
            if isinstance(piece.type, t.SetOf):
                return op("ordered", value, gives=t.ListOf(INT), of=piece.type.of)
            return value
        value = scope.named(value, piece.type)
        if isinstance(piece.type, t.Optional) and value not in scope.some:
            scope.out.append(c.If(op("none", value, gives=BOOL), (c.Fail("no piece", scope.path, piece.span),)))
        return op("list_of", value, gives=t.ListOf(INT))

    def _copies(self, pieces: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower the pieces of `fill`: for a set of components, every copy."""
        of = pieces.type
        if isinstance(of, t.SetOf) and isinstance(of.of, t.ComponentType):
            value = self.x.lower(pieces, scope)
            return op("copies", value, gives=t.ListOf(INT), of=of.of)
        return self._pieces(pieces, scope)

    # ---- places

    def zone(self, zone: m.ZoneRef, scope: UnitScope) -> c.Expr:
        base, index, _ = self.x.address(zone.element, zone.indices, scope)
        return c.Const(base, INT) if index is None else op("add", index, c.Const(base, INT), gives=INT)


def slot_types(routine: m.Routine | m.Action, held: Iterable[Any]) -> dict[int, t.Type]:
    """Return the type of each slot of a routine: the smallest that fits all values stored in it. held: its nodes."""
    given = routine.parameters if isinstance(routine, m.Action) else ()
    types = {slot: of for slot, (_, of) in enumerate(given, start=1)}

    def note(slot: int, of: t.Type) -> None:
        types[slot] = (t.join(types[slot], of) or types[slot]) if slot in types else of

    for node in held:
        match node:
            case m.SetLocal(slot=slot, value=value) | m.LetExpr(slot=slot, value=value):
                note(slot, value.type)
            case m.Loop(slot=slot, type=of) | m.Choice(slot=slot, type=of) | m.RandomValue(slot=slot, type=of):
                note(slot, of)
            case m.Local(slot=slot, type=of) if slot:
                note(slot, of)
    return types


def assigns(step: m.Step, slot: int) -> bool:
    return any(isinstance(node, m.SetLocal) and node.slot == slot for node in nodes(step, but=m.Typed))


_STEPS: Mapping[type, Callable[[StatementLowering, Any, Env, UnitScope], None]] = {
    m.Sequence: StatementLowering._sequence,
    m.IfStep: StatementLowering._if,
    m.MatchStep: StatementLowering._plain_match,
    m.WithStepExceptions: StatementLowering._exceptions,
    m.Demand: StatementLowering._demanded,
    m.SetLocal: StatementLowering._set_local,
    m.Store: StatementLowering._store,
    m.Perform: StatementLowering._perform,
    m.ForEach: StatementLowering._for_each,
    m.ForEachPlayer: StatementLowering._for_each_player,
    m.AsPlayer: StatementLowering._as_player,
    m.RepeatUntilStep: StatementLowering._repeat_until,
    m.RepeatTimesStep: StatementLowering._repeat_times,
    m.FillZone: StatementLowering._fill,
    m.PutPiece: StatementLowering._put_piece,
    m.RemovePiece: StatementLowering._remove,
    m.ShuffleZone: StatementLowering._shuffle,
    m.MovePiece: StatementLowering._move,
    m.MoveAll: StatementLowering._move,
    m.SwapPieces: StatementLowering._swap,
    m.DrawPieces: StatementLowering._draw,
}
