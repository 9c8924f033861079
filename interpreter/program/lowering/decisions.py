"""Lowering of decisions: units that list an option's instances, test whether there is one, and judge one.

Choices are bound one after another (backtracking search), and each requirement is tested when the names in it and in
those before it are bound. To prune failing branches, what it says of the choices bound so far is tested earlier; and
where it says that a choice lies in a collection, only that collection is searched. Neither is done where a domain or
test that comes in between may fail because it has no value: that fault would never be reported.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ludex.spec import model as m
from ludex.spec import ordered, per_node
from ludex.spec import types as t

from ..ir import code as c
from ..ir.limits import Limits
from ..ir.moves import Numbers
from ..ir.operations import BOOL, FALSE, INT, TRUE, negation, op
from ..ir.traversal import each_expression, occurrences, weight
from .expressions import ExpressionLowering
from .guards import Guard
from .scope import UnitScope

if TYPE_CHECKING:
    from .payments import Payments


@dataclass(frozen=True, slots=True)
class Offered:
    """The moves that an option offers, whether it is an action or a branch.

    Attributes:
        name: the name of its moves.
        choices, requirements: as the model has them.
        parameters: name, slot and type of those that the move states.
        open: returns the contents of the slots that are not choices, as the place of the decision has them.
        path: the clause to which work and faults belong.
        arguments: what an action is offered with.
    """

    name: str
    choices: tuple[m.Choice, ...]
    requirements: tuple[m.Requirement, ...]
    parameters: tuple[tuple[str, int, t.Type], ...]
    open: Callable[[UnitScope], dict[int, c.Expr]]
    path: str
    arguments: tuple[m.Expr, ...] = ()

    def key(self, me: c.Expr) -> Hashable:
        """Return what the units depend on, or None if it is not constant.

        Options with the same key share their units.
        """
        scope = UnitScope({0: me}, self.path)
        env = self.open(scope)
        # What has to be computed in play may differ from option to option.
        if scope.out or not all(isinstance(argument, c.Const) or argument == me for argument in env.values()):
            return None
        return self.name, *((slot, None if argument == me else (argument,)) for slot, argument in sorted(env.items()))


Leaf = Callable[[UnitScope, Sequence[c.Expr]], None]


RANGE = 8
"""If a choice has more numbers than this, those that are too large are left out before the loop over them."""
Lowered: TypeAlias = Callable[[UnitScope, Sequence[c.Expr]], c.Expr]
"""A function that lowers the result of a unit with these arguments."""


class Instances:
    """Lowers the instances of options."""

    def __init__(self, expressions: ExpressionLowering, numbers: Numbers) -> None:
        self._x, self._numbers = expressions, numbers
        self._units: dict[Hashable, tuple[int, int, int]] = {}
        self._through: dict[int, c.Var] = {}
        self._earliest: dict[int, int] = {}
        self._stages, self._conjuncts = per_node(self._staged), per_node(lambda condition: tuple(_conjuncts(condition)))

    def units(self, offered: Offered, guard: Guard | None = None) -> tuple[int, int, int]:
        """Return the units that list instances, test whether there is one, and judge one.

        guard: the guard that each instance must pass.
        """
        player = t.PlayerType(self._x.game.players)
        key = offered.key(c.Var(0, player))
        if guard:
            key = None if key is None else (key, guard.key)
        if key in self._units:
            return self._units[key]
        listings: dict[tuple[Limits, c.Expr], tuple[c.Expr, UnitScope]] = {}  # by the deciding player

        def listed(scope: UnitScope, given: Sequence[c.Expr]) -> c.Expr:
            moves = self.listed(offered, scope, given, guard)
            listings[self._x.limits, given[0]] = moves, replace(scope, out=[*scope.out])
            return moves

        def offers(scope: UnitScope, given: Sequence[c.Expr]) -> c.Expr:
            if guard:
                return self._offers(offered, scope, given, guard)
            if (self._x.limits, given[0]) not in listings:
                listed(scope, given)
            moves, lister = listings[self._x.limits, given[0]]
            # The test is the listing cut off at its first move: lowering it again would take as long.
            scope.out[:], scope.numbers = _until_first(lister.out, moves), lister.numbers
            return FALSE

        def add_lister(number: int) -> None:
            self._for_each(f"{offered.name} list", t.ListOf(INT), listed, number)

        def add_test(number: int) -> None:
            lister = self._x.program.units[lists]
            if not guard and isinstance(lister, c.Deferred):
                lister.lower()  # the test begins as the list does
            self._for_each(f"{offered.name} offer", BOOL, offers, number)

        def add_judge(number: int) -> None:
            admitted = lambda scope, given: self._admits(offered, scope, given, guard)  # noqa: E731
            self._x.unit(f"{offered.name} admit", stated, admitted, number)

        stated = player, *(of for _, _, of in offered.parameters), *(choice.type for choice in offered.choices)
        is_now = self._x.hangs(*offered.choices, *offered.requirements, *offered.arguments)
        lists = self._x.deferred(f"{offered.name} list", (player,), add_lister, is_now, lists_moves=True)
        offer = self._x.deferred(f"{offered.name} offer", (player,), add_test, is_now, lists_moves=True)
        units = lists, offer, self._x.deferred(f"{offered.name} admit", stated, add_judge, is_now)
        if key is not None:
            self._units[key] = units
        return units

    def _for_each(self, name: str, gives: t.Type, lowered: Lowered, number: int) -> None:
        """Lower a unit that lists or tests moves, with the deciding player as parameter, and with a reserved number.

        A small unit is specialized for each player, and the unit with the parameter selects one.
        """
        players = t.PlayerType(self._x.game.players)
        self._x.unit(name, (players,), lowered, number, lists_moves=True)
        (me,), body = self._x.program.units[number].parameters, self._x.program.units[number].body
        # With a constant player, the cells of `my ...` have constant addresses.
        if weight(body) > self._x.limits.split or not any(occurrences(e, me) for e in each_expression(body)):
            return

        def split(scope: UnitScope, given: tuple[c.Var, ...]) -> c.Expr:
            units = [
                self._x.unit(name, (), partial(_of, c.Const(seat, players), lowered), lists_moves=True)
                for seat in t.values(players)
            ]
            # The last player needs no test.
            chosen: c.Expr = c.Call(units[-1], (), gives)
            for seat, unit in reversed(list(enumerate(units[:-1]))):
                test = op("eq", given[0], c.Const(seat, players), gives=BOOL)
                chosen = c.Pick(test, c.Call(unit, (), gives), chosen, gives)
            return chosen

        self._x.unit(name, (players,), split, number, lists_moves=True)

    # ---- the three units

    def listed(self, offered: Offered, scope: UnitScope, given: Sequence[c.Expr], guard: Guard | None = None) -> c.Expr:
        moves = scope.new(t.ListOf(INT))
        scope.out.append(c.New(moves))

        def leaf(scope: UnitScope, values: Sequence[c.Expr]) -> None:
            append = c.Append(moves, self._move(offered, values))
            scope.where(guard.holds(values, scope) if guard else TRUE, lambda: scope.out.append(append))

        self.instances(offered, scope, given, leaf)
        return moves

    def _move(self, offered: Offered, values: Sequence[c.Expr]) -> c.Expr:
        """Lower a move to its number, or to its argument values if it has none."""
        numbered = self._numbers.by_name.get(offered.name)
        if numbered is None:
            return c.Op("row", tuple(values), t.ListOf(INT))
        number: c.Expr = c.Const(0, INT)
        for of, radix, value in zip(numbered.types, numbered.radices, values, strict=True):
            scaled = op("mul", number, c.Const(radix, INT), gives=INT)
            at = c.Const(t.position(of, value.value), INT) if isinstance(value, c.Const) else _position(of, value)
            # Horner's scheme; with constant arguments it folds to one number.
            number = op("add", scaled, at, gives=INT)
        return op("add", number, c.Const(numbered.first, INT), gives=INT)

    def _offers(self, offered: Offered, scope: UnitScope, given: Sequence[c.Expr], guard: Guard) -> c.Expr:
        def leaf(scope: UnitScope, values: Sequence[c.Expr]) -> None:
            scope.where(guard.offers(values, scope), lambda: scope.out.append(c.Return(TRUE)))

        self.instances(offered, scope, given, leaf)
        return FALSE

    def _admits(self, offered: Offered, scope: UnitScope, given: Sequence[c.Var], guard: Guard | None) -> c.Expr:
        me, *values = given
        scope.env = {0: me}
        env = scope.env = offered.open(scope)
        parameters, chosen = values[: len(offered.parameters)], values[len(offered.parameters) :]
        for (_, slot, _), value in zip(offered.parameters, parameters, strict=True):
            # An offer with other arguments is another move.
            self._demand(op("eq", value, env[slot], gives=BOOL), scope)
        for choice, value in zip(offered.choices, chosen, strict=True):
            env[choice.slot] = value
        stages = self._stages(offered)
        for test in stages[0]:
            self._test_admitted(test, scope)
        for at, (choice, value) in enumerate(zip(offered.choices, chosen, strict=True), start=1):
            self._demand(self._holds(choice, value, scope), scope)
            for test in stages[at]:
                self._test_admitted(test, scope)
        return guard.holds(values, scope) if guard else TRUE

    def _test_admitted(self, test: Test, scope: UnitScope) -> None:
        # Early tests only prune a search; judging has all values, and tests each requirement once.
        if not test.early:
            assert isinstance(test.what, m.Requirement)
            self._demand(self._x.requirement(test.what, scope), scope)

    def _demand(self, holds: c.Expr, scope: UnitScope) -> None:
        if isinstance(holds, c.Const):
            if not holds.value:
                scope.out.append(c.Return(FALSE))
            return
        scope.out.append(c.If(negation(holds), (c.Return(FALSE),)))
        scope.learn(holds)

    def _holds(self, choice: m.Choice, value: c.Expr, scope: UnitScope) -> c.Expr:
        """Lower the test whether a value lies in a choice's domain."""
        domain = choice.domain
        if choice.within:
            return op("is_part", value, self._x.loops.items(domain, scope), gives=BOOL)
        if isinstance(domain, m.IntervalExpr):
            ends = self._x.lower(domain.low, scope), self._x.lower(domain.high, scope)
            return op("between", value, *ends, gives=BOOL)
        if isinstance(domain, m.AllValues):
            if isinstance(domain.of, t.Range) and value.type != domain.of:  # a number of a searched collection
                ends = c.Const(domain.of.low, INT), c.Const(domain.of.high, INT)
                return op("between", value, *ends, gives=BOOL)
            return TRUE
        # A collection is tested as such: `items` would make a list of it.
        if t.element_type(domain.type) is not None:
            return op("has", value, self._x.lower(domain, scope), gives=BOOL)
        return op("has", value, self._x.loops.items(domain, scope), gives=BOOL)

    # ---- going through instances

    def instances(self, offered: Offered, scope: UnitScope, given: Sequence[c.Expr], leaf: Leaf) -> None:
        """Emit the statements of `leaf` for every legal instance, in order."""
        scope.env = {0: given[0]}
        scope.env = offered.open(scope)
        stages, settled, self._through = self._stages(offered), set[int](), {}
        self._earliest = self._ahead(offered, stages, scope)
        payments = self._payments(offered)
        parameters = [scope.env[slot] for _, slot, _ in offered.parameters]

        def bind(at: int) -> None:
            if at == len(offered.choices):
                leaf(scope, [*parameters, *(scope.env[choice.slot] for choice in offered.choices)])
                return
            choice = offered.choices[at]

            def test(part: c.Expr | None = None) -> None:
                if part is not None:
                    scope.env[choice.slot] = part
                self._tested(self._due(stages, at + 1), scope, settled, lambda: bind(at + 1))

            if choice.within and payments:
                payments.listed(at, scope, settled, test)
            else:
                self._bound(offered, choice, at, scope, settled, test)

        self._tested(self._due(stages, 0), scope, settled, lambda: bind(0))

    def _due(self, stages: Sequence[Sequence[Test]], at: int) -> list[Test]:
        """Return the tests that are made once this many choices are bound."""
        return [test for test in stages[at] if not test.early or self._earliest[id(test.what)] <= at]

    def _ahead(self, offered: Offered, stages: Sequence[Sequence[Test]], scope: UnitScope) -> dict[int, int]:
        """Return how many choices must be bound before a part of a requirement may be tested ahead of its turn.

        From there up to its turn nothing may fail. The keys are identities, also of whole requirements.
        """
        earliest, least, outside = dict[int, int](), 0, scope.env
        # All this is lowered only to see whether it may fail; the branch drops the code.
        with scope.branch():
            scope.env = dict(outside)
            for at, tests in enumerate(stages):
                if at:
                    choice = offered.choices[at - 1]
                    least = at if self._may_fault(partial(self._x.loops.items, choice.domain, scope), scope) else least
                    scope.env[choice.slot] = scope.new(choice.type)
                for requirement in [test.of for test in tests if not test.early]:
                    earliest[id(requirement)] = least
                    for part in self._parts(requirement):
                        earliest[id(part)] = least
                        least = at if self._may_fault(partial(self._lowered, part, scope), scope) else least
            scope.env = outside
        return earliest

    def _may_fault(self, lowered: Callable[[], c.Expr], scope: UnitScope) -> bool:
        """Return whether what is lowered may fail. If it is a test, it holds from here on."""
        with scope.branch() as needed:
            value = lowered()
        if value.type == BOOL:
            scope.learn(value)
        return self._x.bodies.may_fail(needed, value)

    def _payments(self, offered: Offered) -> Payments | None:
        if not any(choice.within for choice in offered.choices):
            return None
        from .payments import Payments  # here, since most games pay nothing, and its classes take long to make

        ahead = [self._earliest[id(requirement)] for requirement in offered.requirements]
        return Payments(self._x, offered.choices, offered.requirements, ahead)

    def _bound(
        self, offered: Offered, choice: m.Choice, at: int, scope: UnitScope, settled: set[int], then: Callable[[], None]
    ) -> None:
        """Emit the statements for every value of the choice."""
        # These are not bound yet, so that a collection that reads one of them cannot be searched here.
        later = frozenset(other.slot for other in offered.choices[at:])
        items, requirement = self._narrowed(offered, choice, at, later, scope, settled)
        if isinstance(items, c.Const) and len(items.value) * self._weight(offered, at) <= self._x.limits.choice:
            before = set(settled)
            # A searched collection may have values that the choice cannot have.
            for value in (each for each in items.value if t.contains(choice.type, each)):
                # What is settled for one value, by narrowing a collection, need not be for the next.
                settled.clear()
                settled.update(before)
                scope.env[choice.slot] = c.Const(value, choice.type)
                scope.where(requirement(scope.env[choice.slot]) if requirement else TRUE, then)
            return
        # An item of a searched collection is known to be a value of the choice only after the test of that.
        is_number = requirement is not None and isinstance(choice.type, t.Range)
        item = scope.new(INT if is_number else choice.type)

        def chosen() -> None:
            scope.env[choice.slot] = scope.set(item, choice.type) if is_number else item
            then()

        with scope.branch() as body:
            scope.where(requirement(item) if requirement else TRUE, chosen)
        scope.out.append(c.Each(item, items, tuple(body), scope.path))

    def _weight(self, offered: Offered, at: int) -> int:
        """Return the size of the tests after a choice, over this choice and those that follow."""
        weight = 4 + sum(self._x.sizes.of(each.condition) for each in offered.requirements)
        for choice in offered.choices[at + 1 :]:
            collections = list(self._collections(choice, frozenset({choice.slot}), offered.requirements))
            # A guess of how many values such a collection has: their number is known only in play.
            weight *= 6 if collections else self._x.sizes.count(choice.domain)
        return weight

    def _narrowed(
        self, offered: Offered, choice: m.Choice, at: int, later: frozenset[int], scope: UnitScope, settled: set[int]
    ) -> tuple[c.Expr, Callable[[c.Expr], c.Expr] | None]:
        """Return the values to search, and the test that each must pass besides, if any."""
        domain = choice.domain
        if isinstance(domain.type, t.SetOf):
            for part in self._collections(choice, later, offered.requirements):
                if self._earliest[id(part)] > at:
                    continue
                with scope.branch() as needed:
                    items = self._there(self._x.loops.items(part.collection, scope), part.collection.type)
                    if not isinstance(part.collection.type, t.SetOf):
                        items = self._once(items, choice.type)
                    items = _in_order(items, choice.type)
                whole = isinstance(domain, m.AllValues) and domain.of == t.element_type(part.collection.type)
                requirement = None if whole else lambda value: self._holds(choice, value, scope)
                if self._x.bodies.may_fail(needed, items):  # without a bound the whole domain is searched
                    match items:
                        case c.Op(name="ordered", args=(listed,)) if isinstance(listed.type, t.SetOf):
                            var = scope.set(self._x.lower(domain, scope), listed.type)
                            values = _in_order(var, choice.type)
                        case listed:
                            values = var = scope.set(self._x.loops.items(domain, scope), items.type)
                    through = self._through[id(part)] = scope.set(FALSE, BOOL)
                    scope.out.append(c.Attempt((*needed, c.Set(var, listed), c.Set(through, TRUE))))
                    return values, requirement
                scope.out += needed
                settled.add(id(part))
                return items, requirement
        items = self._x.loops.items(domain, scope)
        # Numbers without a gap, as the interval up to the bound has none: `choose n in {2, 4, 8}` is not 2..8.
        if isinstance(items, c.Const) and len(items.value) > RANGE and _is_interval(items.value):
            for holds, limit in self._most(choice, later, offered.requirements):
                if self._earliest[id(holds)] > at:
                    continue
                with scope.branch() as needed:
                    most = self._x.lower(limit, scope)
                if not self._x.bodies.may_fail(needed, most):
                    scope.out += needed
                    settled.add(id(holds))
                    last = most
                    if not isinstance(limit.type, t.Range) or limit.type.high > items.value[-1]:
                        last = op("min", most, c.Const(items.value[-1], INT), gives=INT)
                    return op("interval", c.Const(items.value[0], INT), last, gives=items.type), None
        return (items if isinstance(domain.type, t.SetOf) else self._once(items, choice.type)), None

    def _there(self, items: c.Expr, of: t.Type) -> c.Expr:
        """Filter out none, which is not a value of a choice."""
        return op("there", items, gives=items.type) if isinstance(t.element_type(of), t.Optional) else items

    def _once(self, items: c.Expr, of: t.Type) -> c.Expr:
        """Remove duplicates: equal pieces of a bag are one choice."""
        if isinstance(items, c.Op) and items.name in ("interval", "only"):
            return items
        return op("once", items, gives=t.ListOf(of))

    def _tested(self, tests: Sequence[Test], scope: UnitScope, settled: set[int], then: Callable[[], None]) -> None:
        """Emit what follows inside the given tests."""
        if not tests:
            then()
            return
        test, *others = tests

        def rest() -> None:
            self._tested(others, scope, settled, then)

        if id(test.of) in settled:
            rest()
            return
        if test.early:
            self._early(test, scope, settled, rest)
            return
        requirement = test.what
        assert isinstance(requirement, m.Requirement)
        # With waivers, a conjunct that fails decides nothing: one of them may hold.
        if requirement.waivers:
            scope.where(self._x.requirement(requirement, scope), rest)
            return

        def conjunct(parts: Sequence[m.Expr]) -> None:
            if not parts:
                rest()
            elif id(parts[0]) in settled:
                conjunct(parts[1:])
            else:
                path, scope.path = scope.path, requirement.path
                through = self._through.get(id(parts[0]))
                if through is None:
                    holds = self._x.lower(parts[0], scope)
                else:
                    holds = self._x.joined(through, lambda: self._x.lower(parts[0], scope), False, scope)
                scope.path = path
                scope.where(holds, lambda: conjunct(parts[1:]))

        conjunct(tuple(spine(requirement.condition)))

    def _lowered(self, what: m.Requirement | m.Expr, scope: UnitScope) -> c.Expr:
        return self._x.requirement(what, scope) if isinstance(what, m.Requirement) else self._x.lower(what, scope)

    def _early(self, test: Test, scope: UnitScope, settled: set[int], then: Callable[[], None]) -> None:
        path, scope.path = scope.path, test.of.path
        with scope.branch() as needed:
            holds = self._lowered(test.what, scope)
        scope.path = path
        if not self._x.bodies.may_fail(needed, holds):
            scope.out += needed
            if not isinstance(test.what, m.Requirement):
                settled.add(id(test.what))
            scope.where(holds, then)
            return
        var = scope.set(TRUE, BOOL)
        scope.out.append(c.Attempt((*needed, c.Set(var, holds))))
        scope.where(var, then)

    # ---- requirements by the choices that they read

    def _staged(self, offered: Offered) -> list[list[Test]]:
        """Group the tests by the number of choices that must be bound before them."""
        stages: list[list[Test]] = [[] for _ in range(len(offered.choices) + 1)]
        latest = 0
        for requirement in offered.requirements:
            # Those before it guard it, so that it is tested after them.
            latest = max(latest, self._stage(offered.choices, requirement))
            for part in self._parts(requirement):
                early = self._stage(offered.choices, part)
                if early < latest:
                    stages[early].append(Test(part, requirement, True))
            stages[latest].append(Test(requirement, requirement, False))
        return stages

    def _parts(self, requirement: m.Requirement) -> Sequence[m.Requirement | m.Expr]:
        """Return the conditions, all necessary, that may be tested by themselves."""
        # With waivers, a conjunct that fails decides nothing: one of them may hold.
        return (requirement,) if requirement.waivers else self._conjuncts(requirement.condition)

    def _stage(self, choices: Sequence[m.Choice], node: m.Requirement | m.Expr) -> int:
        read = self._x.slots(node)
        return max((at for at, choice in enumerate(choices, start=1) if choice.slot in read), default=0)

    def _most(
        self, choice: m.Choice, later: frozenset[int], requirements: Sequence[m.Requirement]
    ) -> Iterator[tuple[m.Expr, m.Expr]]:
        """Yield upper bounds of a number in the requirements, with the condition that each comes from.

        Only bounds that read none of the slots in `later` count.
        """
        for requirement in requirements if isinstance(choice.type, t.Range) else ():
            # With a waiver a requirement may hold although its condition does not, which then bounds nothing.
            for part in () if requirement.waivers else spine(requirement.condition):
                match part:
                    case (
                        m.Comparison(operator="<=", left=m.Local(slot=of), right=most)
                        | m.Comparison(operator=">=", left=most, right=m.Local(slot=of))
                    ) if of == choice.slot and isinstance(most.type, t.Range) and not self._x.slots(most) & later:
                        yield part, most

    def _collections(
        self, choice: m.Choice, later: frozenset[int], requirements: Sequence[m.Requirement]
    ) -> Iterator[m.Member]:
        """Yield the membership tests of a value in the requirements whose collection reads no slot in `later`."""
        for requirement in requirements:
            for part in () if requirement.waivers else self._conjuncts(requirement.condition):
                match part:
                    case m.Member(item=m.Local(slot=of), collection=held, negated=False) if of == choice.slot:
                        if t.element_type(held.type) is not None and not self._x.slots(held) & later:
                            yield part


def _is_interval(values: Sequence[t.Value]) -> bool:
    return all(isinstance(value, int) for value in values) and values == tuple(range(values[0], values[-1] + 1))


def _until_first(body: Iterable[c.Statement], moves: c.Expr) -> c.Body:
    """Turn the listing of moves into the test whether there is one."""
    tested: list[c.Statement] = []
    for statement in body:
        match statement:
            # The list is not made at all.
            case c.New(var=var) if var == moves:
                continue
            case c.Append(var=var) if var == moves:
                return (*tested, c.Return(TRUE))
            case c.If(test=test, then=then, otherwise=otherwise):
                tested.append(c.If(test, _until_first(then, moves), _until_first(otherwise, moves)))
            case c.Each(body=inner) | c.Loop(body=inner) | c.Attempt(body=inner):
                tested.append(replace(statement, body=_until_first(inner, moves)))
            case _:
                tested.append(statement)
    return tuple(tested)


def _of(me: c.Expr, lowered: Lowered, scope: UnitScope, _: Sequence[c.Var]) -> c.Expr:
    return lowered(scope, (me,))


def _position(of: t.Type, value: c.Expr) -> c.Expr:
    match of:
        case t.Range(low=low):
            return op("sub", value, c.Const(low, INT), gives=INT)
        case t.Optional(of=inner):
            return op("position", value, gives=INT, of=t.Optional(inner))
        case t.Bool():
            return c.Op("int", (value,), INT)
        case _:
            return value


def _in_order(items: c.Expr, of: t.Type) -> c.Expr:
    if isinstance(items, c.Const):
        return c.Const(ordered(of, dict.fromkeys(items.value)), items.type)
    if isinstance(items, c.Op) and items.name in ("ordered", "interval"):
        return items
    return op("ordered", items, gives=t.ListOf(of), of=of)


# ---- requirements by the choices that they read


@dataclass(frozen=True, slots=True)
class Test:
    """A requirement, or a necessary condition of it, tested once its choices are bound.

    early: its turn comes later, so that it is tested only where nothing in between may fail.
    """

    what: m.Requirement | m.Expr
    of: m.Requirement
    early: bool


def spine(condition: m.Expr) -> Iterator[m.Expr]:
    """Yield the conjuncts of a condition."""
    if isinstance(condition, m.Logic) and condition.operator == "and":
        yield from spine(condition.left)
        yield from spine(condition.right)
    else:
        yield condition


def _conjuncts(condition: m.Expr) -> Iterator[m.Expr]:
    """Yield necessary conditions of the given one."""
    match condition:
        case m.Logic(operator="and", left=left, right=right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case m.Logic(operator="implies", left=left, right=right):
            for part in _conjuncts(right):
                yield condition if part is right else replace(condition, left=left, right=part)
        case m.IfExpr(condition=test, then=yes, otherwise=no, type=of, span=span):
            # `if a then b else c` is both `a implies b` and `not a implies c`; either may be bound before the other.
            yield m.Logic(of, span, "implies", test, yes)
            yield m.Logic(of, span, "implies", m.NotExpr(of, span, test), no)
        case _:
            yield condition
