"""The passes from a checked game to a program, which every printer starts from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

from ludex.grammar import Span
from ludex.spec import actions_asking_themselves, nodes, requires
from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealed
from ..ir import code as c
from ..ir.limits import WIDE, Limits
from ..ir.moves import Numbers
from ..ir.operations import BOOL, FALSE, INT, TRUE, either_of, op
from .changes import Unchanged
from .decisions import Instances, Offered
from .expressions import ExpressionLowering
from .flow import Flow
from .guards import Guard
from .public import Public
from .scope import UnitScope

_VARIANTS = 20
"""The test whether an action can be done is specialized for at most this many sets of constant arguments."""


def lower(game: m.Game, limits: Limits = WIDE) -> c.Program:
    """Lower a game to its program."""
    return begin_lowering(game, limits).complete()


def begin_lowering(game: m.Game, limits: Limits) -> c.Program:
    """Lower what has to be known of a game before play. The units of options are lowered when they are first read."""
    return Lowering(game, limits).program


def _instances(
    public: Public,
    offered: Offered,
    guard: Guard | None,
    is_listed: bool,
    scope: UnitScope,
    given: tuple[c.Var, ...],
) -> c.Expr:
    """Lower the test whether there may be an instance, or the list of the values that all such instances state."""
    scope.env = {0: given[0]}
    scope.env = dict(offered.open(scope))
    rows = scope.new(t.ListOf(INT))
    parameters = [scope.env[slot] for _, slot, _ in offered.parameters]

    def leaf(values: Sequence[c.Expr]) -> None:
        result = c.Append(rows, c.Op("row", (*parameters, *values), t.ListOf(INT))) if is_listed else c.Return(TRUE)
        test = guard.offers((*parameters, *values), scope, is_public=True) if guard else TRUE
        scope.where(test, lambda: scope.out.append(result))

    if is_listed:
        scope.out.append(c.New(rows))
    public.instances(offered.choices, offered.requirements, scope, leaf)
    return rows if is_listed else FALSE


class Lowering:
    """The lowering of one game."""

    def __init__(self, game: m.Game, limits: Limits = WIDE) -> None:
        self.game = game
        self.program = c.Program(game)
        self.numbers = Numbers(game)
        self.x = ExpressionLowering(game, self.program, self._can, limits)
        self._public = Public(self.x) if self.x.concealment.elements else None
        self.flow = Flow(game, self.program, self.x, self.numbers, self._public)
        self._action_units: dict[tuple[str, tuple[Any, ...]], int] = {}
        self._action_tests: dict[str, int] = {}
        self._asking_themselves = actions_asking_themselves(game, self.x.lists)
        self._refusing: dict[Any, bool] = {}
        self._guards: dict[int, Guard | None] = {}
        self._guard_units: dict[tuple[tuple[c.Var, ...], c.Body], int] = {}
        self._unchanged = Unchanged(self.program)
        self._finished = 0
        self.flow.lower()
        self._scores()
        self._finish()
        if self._public:
            self._seen(self._public)

    def _finish(self) -> None:
        """Lower all pending blocks, and the units of all options. A requirement that asks what can be done adds blocks.

        An option after which a requirement may fail before the next event needs a guard, or trials.
        """
        self.flow.finish()
        # Guards depend on which blocks lead to a requirement, and units of options may add such blocks, so this is
        # repeated until none is added.
        while self._finished < len(self.program.blocks):
            self._finished = len(self.program.blocks)
            for wait in self.program.waits:
                for option in wait.options if isinstance(wait, c.Decision | c.Together) else ():
                    # In a simultaneous decision nothing is carried out before all have chosen, so that no requirement
                    # after a choice can refuse it.
                    may_fail = isinstance(wait, c.Decision) and option.entry in self.flow.refusals.blocks
                    guard = self._guards[id(option)] = self._guard(option) if may_fail else None
                    option.guarded, option.refusable = guard is not None, may_fail and not (guard and guard.settles)
                    option.lists, option.offers, option.admits = self.flow.units(option, guard)
            self.flow.finish()

    def _guard(self, option: c.Option) -> Guard | None:
        guard = Guard(self.program, self.flow.refusals, option, self.x, self._guard_units, self._unchanged)
        return guard if guard.is_needed else None

    def _seen(self, public: Public) -> None:
        """Add units for the public state to options of decisions that read concealed values."""
        unit_of: dict[Hashable, int] = {}
        player = t.PlayerType(self.game.players)
        for wait in self.program.waits:
            if not isinstance(wait, c.Decision | c.Together):
                continue
            if self.x.concealment.of(wait.routine, wait.statement) is not Concealed.CELLS:
                continue
            for option in wait.options:
                # A refusable instance is tried, for which its arguments are needed.
                offered, is_listed = self.flow.offered[id(option)], option.refusable and isinstance(wait, c.Decision)
                guard = self._guards[id(option)]
                # A guard is of one option, so that its unit serves no other.
                key = None if guard else offered.key(c.Var(0, player))
                number = unit_of.get((key, is_listed))
                if number is None:
                    name = f"{offered.name} as all see it"
                    lowered = partial(_instances, public, offered, guard, is_listed)
                    lower = partial(self.x.unit, name, (player,), lowered)
                    is_now = self.x.hangs(*offered.choices, *offered.requirements, *offered.arguments)
                    number = self.x.deferred(name, (player,), lower, is_now)
                    if key is not None:
                        unit_of[key, is_listed] = number
                option.seen = number
                option.open = guard is None and public.lists_openly(offered)

    def _scores(self) -> None:
        player = t.PlayerType(self.game.players)

        def of(path: str, value: m.Expr) -> int:
            def lowered(scope: UnitScope, given: tuple[c.Var, ...]) -> c.Expr:
                scope.env = {0: given[0]}
                return self.x.lower(value, scope)

            return self.x.deferred(path, (player,), partial(self.x.unit, path, (player,), lowered), self.x.hangs(value))

        self.program.scores = [(clause.path, of(clause.path, clause.value)) for clause in self.game.scores]
        self.program.winner = [
            (each, None if each.value is None else of(each.path, each.value)) for each in self.game.winner
        ]

    def ask(self, define: m.Define) -> int:
        """Add a unit that returns the value of a define for its arguments."""
        kinds = [of for _, of in define.parameters]

        def lowered(scope: UnitScope, given: tuple[c.Var, ...]) -> c.Expr:
            scope.env = dict(enumerate(given, start=1))
            arguments = tuple(m.Local(of, define.span, slot) for slot, of in enumerate(kinds, start=1))
            return self.x.lower(m.CallDefine(define.result, define.span, define.name, arguments), scope)

        number = self.x.unit(define.name, kinds, lowered)
        self.program.entry_units.append(number)
        self._finish()
        return number

    # ---- `can`

    def _can(self, name: str, given: tuple[c.Expr, ...], scope: UnitScope, span: Span) -> c.Expr:
        action = self.game.actions[name]
        if name in self._asking_themselves:
            number = self._alone(name)
            # Which clause asks again is the place of the fault, and is known only here.
            again = c.Fail("itself", scope.path, span)
            scope.out.append(c.If(c.Serve("asking", given, number), (again,)))
            return c.Serve("can", given, number)
        if not action.choices or (action.can_refuse and self._may_refuse(action, given)):
            return c.Serve("can", given, self._alone(name))
        # In a pair, since None may be the value of a constant.
        known = tuple(("is", each.value) if isinstance(each, c.Const) else None for each in given)
        if known[0] is None and self.x.limits.split:  # who acts decides much, which then is known for each player
            players = t.PlayerType(self.game.players)
            answer = self._can(name, (c.Const(0, players), *given[1:]), scope, span)
            for seat in range(1, self.game.players):
                test = op("eq", given[0], c.Const(seat, players), gives=BOOL)
                answer = either_of(
                    test, self._can(name, (c.Const(seat, players), *given[1:]), scope, span), answer, BOOL
                )
            return answer
        if (
            sum(tested == name for tested, _ in self._action_units) >= _VARIANTS
        ):  # from here on one unit serves all arguments
            known = (None,) * len(given)
        key = name, known
        variable = tuple(each for each, fixed in zip(given, known, strict=True) if fixed is None)
        if key not in self._action_units:
            kinds = (t.PlayerType(self.game.players), *(of for _, of in action.parameters))
            open_ = [of for of, each in zip(kinds, known, strict=True) if each is None]

            def lowered(scope: UnitScope, variables: tuple[c.Var, ...]) -> c.Expr:
                free = iter(variables)
                env: dict[int, c.Expr] = {
                    slot: next(free) if each is None else c.Const(each[1], of)
                    for slot, (each, of) in enumerate(zip(known, kinds, strict=True))
                }
                offered = Offered(name, action.choices, action.requirements, (), lambda scope: dict(env), name)
                # If no requirement after its first step can refuse it, an action can be done as soon as it has an
                # instance.
                leaf = lambda scope, values: scope.out.append(c.Return(TRUE))  # noqa: E731
                Instances(self.x, self.numbers).instances(offered, scope, (env[0],), leaf)
                return c.Const(False, BOOL)

            # The number comes first, as a requirement of the action may ask the same.
            self._action_units[key] = self.x.reserved(f"can {name}")
            self.x.unit(f"can {name}", open_, lowered, self._action_units[key])
        return c.Call(self._action_units[key], variable, BOOL)

    def _may_refuse(self, action: m.Action, given: tuple[c.Expr, ...]) -> bool:
        """Return whether a requirement after a step of the action may fail, given what is known of its arguments."""
        key = action.name, tuple(("is", each.value) if isinstance(each, c.Const) else None for each in given)
        if key not in self._refusing:
            self._refusing[key] = True  # the test recurs into itself
            own = {slot: c.Var(slot, INT) for slot in range(action.frame_size)}
            env: dict[int, c.Expr] = {**own, **dict(enumerate(given))}
            self._refusing[key] = any(self._refuses(node, env) for node in nodes(action.body))
        return self._refusing[key]

    def _refuses(self, node: Any, env: dict[int, c.Expr]) -> bool:
        match node:
            # Without a constant in it, lowering would not decide it.
            case m.Demand(requirement=requirement) if any(
                not isinstance(env[slot], c.Var) for slot in self.x.slots(requirement.condition)
            ):
                return self.x.requirement(requirement, UnitScope(dict(env), requirement.path)) != TRUE
            case m.Perform(action=name) if self.game.actions[name].can_refuse:
                return True
        return requires(node, self.game.actions)

    def _alone(self, name: str) -> int:
        if name not in self._action_tests:
            action = self.game.actions[name]
            number = self._action_tests[name] = len(self.program.action_tests)
            # An empty entry has the number until the test is lowered, as a requirement in it may ask the same.
            self.program.action_tests.append(c.ActionTest(name, False, (), 0, 0, 0, (), 0))
            shared = self.flow.shared(name)
            kinds = (t.PlayerType(self.game.players), *(of for _, of in action.parameters))
            choices: Sequence[int] = [shared.cells[choice.slot] for choice in action.choices]

            def lowered(scope: UnitScope, variables: tuple[c.Var, ...]) -> c.Expr:
                env: dict[int, c.Expr] = dict(enumerate(variables))
                offered = Offered("", action.choices, action.requirements, (), lambda scope: dict(env), name)
                return Instances(self.x, self.numbers).listed(offered, scope, variables)

            lists = self.x.unit(f"{name} alone", kinds, lowered) if action.choices else 0
            self.program.action_tests[number] = c.ActionTest(
                name,
                name in self._asking_themselves,
                shared.cells,
                shared.back,
                shared.entry,
                shared.body,
                tuple(choices),
                lists,
            )
        return self._action_tests[name]
