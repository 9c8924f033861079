"""Lowering of choices of sub-collections: bounds read from requirements before the choices are listed (abstract
interpretation).

`choose cards within my hand, stones within my amulets` leaves two parts open until they are listed. A requirement that
reads them is lowered beforehand, and nothing is assumed of a part except the items that it is taken from (its *whole*).
This is abstract interpretation over a small domain. A number becomes a `Form`: a weight for each piece of the one part
that is about to be listed, and an interval for all the rest. A condition becomes the `WeightLimit`s that such weights
must keep, and a test whether it can hold at all. Whatever the analysis does not understand constrains nothing, so that
no legal choice is ever ruled out. The requirements are still tested. What may have no value for some part constrains
nothing, either, nor does any requirement after it: such a part must be listed, for its fault to be reported.

The analysis understands sums, counts and sizes of parts, also added, subtracted and multiplied by known values;
comparisons, quantifiers and emptiness; `and`, `or`, `implies`, `not`, `if` and `match`; and defines, which it enters.

The generated code lists the weights of a whole's pieces, and passes them with their limits to one of two operations
(`interpreter/state/subsets.py`): `fitting`, the pieces that some part within the limits contains, or none if there is
no such part; and `parts`, all such parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from ludex.spec import LARGEST_NUMBER, nodes
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import BOOL, FALSE, INT, TRUE, ZERO, both, either, either_of, negation, op
from .expressions import ExpressionLowering, largest
from .scope import UnitScope

_FAR = 2**40
"""Stands for infinity as an end of an interval."""
_UNBOUNDED = 1_000_000
"""A number type this wide gives no bounds."""
ONE = c.Const(1, INT)
ANY_LOW, ANY_HIGH = c.Const(-_FAR, INT), c.Const(_FAR, INT)
WEIGHTS = t.ListOf(INT)

T = TypeVar("T")
Weight = Callable[[c.Expr], c.Expr]
"""Lowers the weight of a piece."""


@dataclass(frozen=True)
class Form:
    """A linear form: the sum of the weights of the chosen pieces, plus a number from low to high.

    is_count: no weight is negative, and nothing is added. is_exact: low equals high, so that the number is known
    exactly.
    """

    low: c.Expr
    high: c.Expr
    weight: Weight | None = None
    is_count: bool = False
    is_exact: bool = False


@dataclass(frozen=True)
class WeightLimit:
    """A constraint: if active, the weights of the chosen pieces must have a sum from low to high."""

    active: c.Expr
    weight: Weight
    low: c.Expr
    high: c.Expr


@dataclass(frozen=True)
class Bar:
    """A constraint: if active, no piece with a nonzero weight may be chosen."""

    active: c.Expr
    weight: Weight


@dataclass(frozen=True)
class Constraints:
    """The constraints that a condition puts on the part: whether it can hold, and necessary limits.

    is_exact: the constraints are also sufficient.
    """

    possible: c.Expr = TRUE
    limits: tuple[WeightLimit, ...] = ()
    bars: tuple[Bar, ...] = ()
    is_exact: bool = False

    def as_limits(self) -> Constraints:
        """Return the constraints with every bar as a limit."""
        return Constraints(
            self.possible, (*self.limits, *(WeightLimit(bar.active, bar.weight, ZERO, ZERO) for bar in self.bars))
        )

    def where(self, test: c.Expr) -> Constraints:
        """Return the constraints, active only where the test holds."""
        limits = tuple(replace(each, active=_and(test, each.active)) for each in self.limits)
        bars = tuple(replace(each, active=_and(test, each.active)) for each in self.bars)
        return replace(self, limits=limits, bars=bars)


_NOTHING = Constraints()


@dataclass(frozen=True)
class WholeCollection:
    """The items that a part is taken from, as an ordered list.

    is_known: false if evaluating the domain may have failed.
    """

    items: c.Expr
    is_known: bool


Satisfied = tuple[m.Requirement, Constraints]
"""A requirement that every part within its constraints satisfies."""
Estimate = tuple[list[c.Statement], Constraints]
"""The constraints of a requirement on a part, after the statements that compute them."""


class Payments:
    """Lowers the choices of sub-collections among the choices of one option, in binding order.

    earliest: for each requirement how many choices must be bound before it may restrict a part (`Instances`).
    """

    def __init__(
        self,
        x: ExpressionLowering,
        choices: Sequence[m.Choice],
        requirements: Sequence[m.Requirement],
        earliest: Sequence[int],
    ) -> None:
        self._x, self._choices, self._requirements = x, choices, requirements
        self._earliest = dict(zip(map(id, requirements), earliest, strict=True))
        self._wholes: dict[int, WholeCollection] = {}
        self._enforced_by: dict[int, list[m.Requirement]] = {}

    def listed(self, at: int, scope: UnitScope, settled: set[int], then: Callable[[c.Expr], None]) -> None:
        """Emit the statements of `then` for every part that a choice may take, given the choices before it.

        settled: the identities of requirements that need no test any more; those that all parts satisfy are added.
        """
        # Successive choices of parts are looked ahead together, before the first of them.
        if at == 0 or not self._choices[at - 1].within:
            self._look_ahead(at, scope, lambda: self._each(at, scope, settled, then))
        else:
            self._each(at, scope, settled, then)

    def _look_ahead(self, at: int, scope: UnitScope, then: Callable[[], None]) -> None:
        """Narrow the wholes of all parts whose domain is known in advance, each by its own requirements."""
        unknown = frozenset(each.slot for each in self._choices[at:])
        seen = [each for each in self._choices[at:] if each.within and not self._x.slots(each.domain) & unknown]
        self._wholes, self._enforced_by = {}, {}

        def narrowed(choices: Sequence[m.Choice]) -> None:
            if not choices:
                then()
                return
            choice, *others = choices
            whole = self._whole(choice, scope)
            if not whole.is_known:
                self._wholes[choice.slot] = whole
                narrowed(others)
                return

            def fitting(items: c.Expr, limits: list[c.Expr], satisfied: Sequence[Satisfied]) -> None:
                self._enforced_by[choice.slot] = [
                    requirement for requirement, constraints in satisfied if not constraints.limits
                ]
                # A part that is alone is listed next, and that keeps the limits by itself.
                if limits and len(seen) > 1:
                    of = t.Optional(t.ListOf(_kind(choice)))
                    items = scope.set(op("fitting", items, *limits, gives=of), t.ListOf(_kind(choice)))
                    self._wholes[choice.slot] = WholeCollection(items, is_known=True)
                    scope.where(op("some", items, gives=BOOL), lambda: narrowed(others))
                else:
                    self._wholes[choice.slot] = WholeCollection(items, is_known=True)
                    narrowed(others)

            self._restricted(choice, whole.items, at, self._alone(choice, unknown), scope, fitting)

        narrowed(seen)

    def _each(self, at: int, scope: UnitScope, settled: set[int], then: Callable[[c.Expr], None]) -> None:
        choice, whole = self._choices[at], self._wholes.get(self._choices[at].slot)
        is_seen = whole is not None and whole.is_known
        items = whole.items if whole and is_seen else scope.named(self._pieces(choice, scope), WEIGHTS)

        def listed(items: c.Expr, limits: list[c.Expr], satisfied: Sequence[Satisfied]) -> None:
            settled.update(id(requirement) for requirement, _ in satisfied)
            var = scope.new(t.ListOf(_kind(choice)))
            with scope.branch() as body:
                then(op("frozenset", var, gives=choice.type) if isinstance(choice.type, t.SetOf) else var)
            # Not folded even if all is known: there may be many parts.
            parts = c.Op("parts", (items, *limits), t.ListOf(var.type))
            scope.out.append(c.Each(var, parts, tuple(body), scope.path))

        # The look-ahead has removed every item that violates one of these.
        enforced = set(map(id, self._enforced_by.get(choice.slot, [])))
        settled |= enforced
        about = [each for each in self._requirements if choice.slot in self._x.slots(each) and id(each) not in enforced]
        self._restricted(choice, items, at, about, scope, listed)

    def _alone(self, choice: m.Choice, unknown: frozenset[int]) -> list[m.Requirement]:
        """Return the requirements that read no other unbound choice."""
        return [each for each in self._requirements if self._x.slots(each) & unknown == {choice.slot}]

    def _whole(self, choice: m.Choice, scope: UnitScope) -> WholeCollection:
        with scope.branch() as needed:
            items = self._pieces(choice, scope)
        # What cannot fail may be evaluated early.
        if not self._x.bodies.may_fail(needed, items):
            scope.out += needed
            return WholeCollection(scope.named(items, items.type), is_known=True)
        # In play this domain may never be asked for, so that its fault must not be raised by looking ahead.
        var = scope.set(c.Const(None, t.Optional(WEIGHTS)), WEIGHTS)
        scope.out.append(c.Attempt((*needed, c.Set(var, items))))
        return WholeCollection(var, is_known=False)

    def _pieces(self, choice: m.Choice, scope: UnitScope) -> c.Expr:
        """Lower the items that a part is taken from, in value order: a part of a list is a bag."""
        items = self._x.loops.items(choice.domain, scope)
        if isinstance(choice.domain.type, t.ListOf):
            return op("ordered", items, gives=t.ListOf(_kind(choice)), of=_kind(choice))
        return items

    def _restricted(
        self,
        choice: m.Choice,
        items: c.Expr,
        at: int,
        requirements: Sequence[m.Requirement],
        scope: UnitScope,
        then: Callable[[c.Expr, list[c.Expr], Sequence[Satisfied]], None],
    ) -> None:
        """Emit what follows where the requirements can hold.

        `then` receives the items that no bar excludes, for each limit the items' weights with the lower and upper
        bound, and the requirements that are then satisfied. at: the first choice that is not bound.
        """
        unknown = {each.slot: each.slot if each.within else None for each in self._choices[at:]}
        requirements = [each for each in requirements if self._earliest[id(each)] <= at]
        constraints: list[Constraints] = []
        satisfied: list[Satisfied] = []
        failing: list[m.Requirement] = []

        def estimate(requirement: m.Requirement) -> Estimate:
            return Estimates(self._x, scope, unknown, choice.slot, items, self._wholes).requirement(requirement)

        def weigh(requirements: Sequence[m.Requirement]) -> None:
            if not requirements:
                left = self._barred(choice, items, [bar for each in constraints for bar in each.bars], scope)
                attempted(failing, left, [end for each in constraints for end in self._ends(choice, left, each, scope)])
                return
            requirement, *others = requirements
            needed, own = estimate(requirement)
            with scope.branch() as weighed:
                ends = self._ends(choice, items, own.as_limits(), scope)
            if self._x.bodies.may_fail(needed, weighed, own.possible, *ends):
                # It is tried after the others, which may exclude the case in which it fails.
                failing.append(requirement)
                weigh(others)
                return
            scope.out += needed
            constraints.append(own)
            satisfied.extend([(requirement, own)] if own.is_exact else [])
            scope.where(own.possible, lambda: weigh(others))

        def attempted(requirements: Sequence[m.Requirement], left: c.Expr, ends: list[c.Expr]) -> None:
            if not requirements:
                then(left, ends, satisfied)
                return
            needed, own = estimate(requirements[0])
            with scope.branch() as weighed:
                values = [own.possible, *self._ends(choice, left, own.as_limits(), scope)]
            values = self._attempted([*needed, *weighed], values, scope)
            scope.where(values[0], lambda: attempted(requirements[1:], left, [*ends, *values[1:]]))

        weigh(requirements)

    def _barred(self, choice: m.Choice, items: c.Expr, bars: Sequence[Bar], scope: UnitScope) -> c.Expr:
        """Lower the items that no bar excludes."""
        piece, tests = scope.new(_kind(choice)), list[Bar]()
        for bar in bars:
            with scope.branch():
                weight = bar.weight(piece)
            if isinstance(weight, c.Const) and weight.value:  # the bar excludes every piece
                items = either_of(bar.active, c.Const((), items.type), items, items.type)
            elif weight != ZERO and bar.active != FALSE:
                tests.append(bar)
        if not tests or (isinstance(items, c.Const) and not items.value):
            return scope.named(items, items.type)
        left = scope.new(t.ListOf(_kind(choice)))

        def keep(tests: Sequence[Bar]) -> None:
            if not tests:
                scope.out.append(c.Append(left, piece))
                return
            bar, *others = tests
            excludes = self._x.joined(bar.active, lambda: _is_some(bar.weight(piece)), True, scope)
            scope.where(negation(excludes), lambda: keep(others))

        with scope.branch() as turn:
            keep(tests)
        scope.out += (c.New(left), c.Each(piece, items, tuple(turn), scope.path))
        return left

    def _ends(self, choice: m.Choice, items: c.Expr, constraints: Constraints, scope: UnitScope) -> list[c.Expr]:
        """Lower for each limit the weights of the items, the lower and the upper bound."""
        limits: list[c.Expr] = []
        for limit in constraints.limits:
            weights, piece = scope.new(WEIGHTS), scope.new(_kind(choice))
            with scope.branch() as turn:
                scope.out.append(c.Append(weights, limit.weight(piece)))
            statements = (c.New(weights), c.Each(piece, items, tuple(turn), scope.path))
            if limit.active == TRUE:
                scope.out += statements
                limits += (weights, limit.low, limit.high)
            elif limit.active != FALSE:
                active = scope.named(limit.active, BOOL)
                scope.out.append(c.If(active, statements, (c.New(weights),)))
                low, high = (either_of(active, *ends, INT) for ends in ((limit.low, ANY_LOW), (limit.high, ANY_HIGH)))
                limits += (weights, low, high)
        return limits

    @staticmethod
    def _attempted(needed: list[c.Statement], values: Sequence[c.Expr], scope: UnitScope) -> list[c.Expr]:
        """Evaluate the values; where that fails, use values that constrain nothing."""
        without = [TRUE, *(c.Const((), WEIGHTS), ANY_LOW, ANY_HIGH) * (len(values) // 3)]
        variables = [scope.set(value, value.type) for value in without]
        sets = (c.Set(var, value) for var, value in zip(variables, values, strict=True))
        scope.out.append(c.Attempt((*needed, *sets)))
        return list(variables)


class _Valueless(Exception):
    """The expression may have no value for some part, and it cannot be known beforehand whether it has."""


class Estimates:
    """The abstract interpreter: lowers what is known of numbers and conditions in one frame.

    Only `requirement` is for other classes. Inside, where a number or a condition may have no value for a part, the
    code fails, or `_Valueless` is raised.

    unknown: the slots that are not bound yet; a slot that will hold a part maps to the slot of its choice, others to
    None. listed: the choice of the part that is about to be listed, from `items`. wholes: by the slots of the choices.
    """

    def __init__(
        self,
        x: ExpressionLowering,
        scope: UnitScope,
        unknown: Mapping[int, int | None],
        listed: int,
        items: c.Expr,
        wholes: Mapping[int, WholeCollection],
    ) -> None:
        self._x, self._scope, self._unknown, self._wholes = x, scope, unknown, wholes
        self._listed, self._items = listed, items

    def requirement(self, requirement: m.Requirement) -> Estimate:
        """Return the statements that the constraints of a requirement, with its waivers, need, and these constraints.

        A requirement that may have no value for some part constrains nothing.
        """
        with self._frame(self._scope.env, self._unknown, requirement.path), self._scope.branch() as needed:
            try:
                return needed, self._required(requirement)
            except _Valueless:
                return [], _NOTHING

    def _required(self, requirement: m.Requirement) -> Constraints:
        waivers = [(each.condition, each.value) for each in requirement.waivers]
        waived = [self._all_of(self._condition(when), self._condition(value)) for when, value in waivers]
        return self._any_of([self._condition(requirement.condition), *waived])

    @contextmanager
    def _frame(self, env: dict[int, c.Expr], unknown: Mapping[int, int | None], path: str | None) -> Iterator[None]:
        scope = self._scope
        outside = scope.env, self._unknown, scope.path
        scope.env, self._unknown, scope.path = dict(env), unknown, path
        try:
            yield
        finally:
            scope.env, self._unknown, scope.path = outside

    def _lower(self, expr: m.Expr) -> c.Expr:
        return self._scope.named(self._x.lower(expr, self._scope), expr.type)

    # ---- numbers

    def _number(self, expr: m.Expr) -> Form:
        if not self._is_open(expr):
            value = self._lower(expr)
            return Form(value, value, is_exact=True)
        match expr:
            # These two may have no value: where a guard is evaluated later, and where the product is too large. A form
            # cannot say that, so they go to the tests at the end.
            case m.Typed(narrowed=True):
                pass
            case m.Arithmetic(operator="*", left=m.Typed(type=one), right=m.Typed(type=two)) if (
                largest(one) * largest(two) > LARGEST_NUMBER
            ):
                pass
            case m.Checked(operand=operand, type=t.Range() as of):
                return self._checked(self._number(operand), of, expr)
            case m.Minus(operand=operand):
                return self._times(self._number(operand), c.Const(-1, INT), nonnegative=False)
            case m.Arithmetic(operator="+", left=left, right=right):
                return self._plus(self._number(left), self._number(right))
            case m.Arithmetic(operator="-", left=left, right=right):
                return self._minus(self._number(left), self._number(right))
            case m.Arithmetic(operator="*", left=left, right=right) if not self._is_open(right):
                return self._times(self._number(left), self._lower(right), _is_nonnegative(right.type))
            case m.Arithmetic(operator="*", left=left, right=right) if not self._is_open(left):
                return self._times(self._number(right), self._lower(left), _is_nonnegative(left.type))
            case m.AggregateExpr(kind="sum" | "count", loops=(loop,)) if self._part(loop.domain) is not None:
                if not self._is_open(expr.value) and not (expr.where is not None and self._is_open(expr.where)):
                    return self._total(
                        loop.domain, loop.slot, lambda: self._worth(expr), _is_nonnegative(expr.value.type)
                    )
            case m.Builtin(name="size", arguments=(operand,)) if self._part(operand) is not None:
                return self._total(operand, None, lambda: ONE)
            case m.IfExpr(condition=condition) if not self._is_open(condition):
                return self._one_number(
                    self._lower(condition), lambda: self._number(expr.then), lambda: self._number(expr.otherwise)
                )
            case m.MatchExpr() if not self._is_open(expr.subject):
                return self._arms(expr, self._number, self._one_number, Form(ZERO, ZERO))
            case m.LetExpr():
                with self._bound(expr):
                    return self._number(expr.body)
            case m.CallDefine(name=name) if self._x.game.defines[name].cycle is None:
                with self._called(expr):
                    return self._number(self._x.game.defines[name].body)
        self._need_value(expr)
        low, high = (expr.type.low, expr.type.high) if isinstance(expr.type, t.Range) else (-_FAR, _FAR)
        return Form(
            c.Const(low if low > -_UNBOUNDED else -_FAR, INT), c.Const(high if high < _UNBOUNDED else _FAR, INT)
        )

    def _checked(self, form: Form, of: t.Range, expr: m.Checked) -> Form:
        """Emit the test that a number lies within its bounds for every part."""
        scope, low, high = self._scope, form.low, form.high
        if form.weight is not None:
            least, most = scope.set(ZERO, INT), scope.set(ZERO, INT)
            piece = scope.new(t.element_type(self._items.type) or INT)
            with scope.branch() as turn:
                value = scope.named(form.weight(piece), INT)
                scope.out.append(c.Set(least, _calc("add", least, _calc("min", value, ZERO))))
                scope.out.append(c.Set(most, _calc("add", most, _calc("max", value, ZERO))))
            scope.out.append(c.Each(piece, self._items, tuple(turn), scope.path))
            low, high = _calc("add", low, least), _calc("add", high, most)
        inside = both(
            op("ge", low, c.Const(of.low, INT), gives=BOOL), op("le", high, c.Const(of.high, INT), gives=BOOL)
        )
        if inside == FALSE:
            raise _Valueless
        if inside != TRUE:
            scope.out.append(c.If(negation(inside), (c.Fail("outside", expr.path, expr.span),)))
        return form

    def _need_value(self, expr: m.Expr) -> None:
        """Raise _Valueless if the expression, which the analysis does not enter, may have no value for some part."""
        scope = self._scope
        types = {node.slot: node.type for node in nodes(expr) if isinstance(node, m.Local)}
        # The choices that are not bound may have any value of their types.
        env = {**scope.env, **{slot: scope.new(types[slot]) for slot in self._unknown.keys() & types.keys()}}
        with self._frame(env, {}, scope.path), scope.branch() as needed:
            value = self._x.lower(expr, scope)
        if self._x.bodies.may_fail(needed, value):
            raise _Valueless

    def _worth(self, expr: m.AggregateExpr) -> c.Expr:
        def value() -> c.Expr:
            return ONE if expr.kind == "count" else self._x.lower(expr.value, self._scope)

        if expr.where is None:
            return value()
        test = self._x.lower(expr.where, self._scope)
        return self._x.chosen(test, value, lambda: ZERO, INT, self._scope)

    def _total(self, part: m.Expr, slot: int | None, worth: Callable[[], c.Expr], nonnegative: bool = True) -> Form:
        """Return the sum over the pieces of a part. worth: lowers the weight of the piece in the slot."""
        scope, choice = self._scope, self._part(part)
        assert choice is not None
        env, unknown, path = dict(scope.env), self._unknown, scope.path

        def weight(piece: c.Expr) -> c.Expr:
            with self._frame({**env, **({} if slot is None else {slot: piece})}, unknown, path):
                return worth()

        # Of the part that is being listed, the search knows each piece; of a later part, only what it is taken from.
        if choice == self._listed:
            return Form(ZERO, ZERO, weight, nonnegative, is_exact=True)
        whole = self._wholes.get(choice)
        if whole is None:
            return Form(ZERO if nonnegative else ANY_LOW, ANY_HIGH)
        if slot is None and whole.is_known:
            return Form(ZERO, op("size", whole.items, gives=INT))
        low, high = ZERO if nonnegative and whole.is_known else scope.set(ZERO, INT), scope.set(ZERO, INT)
        piece = scope.new(t.element_type(part.type) or part.type)
        with scope.branch() as turn:
            value = scope.named(weight(piece), INT)
            scope.out.append(c.Set(high, _calc("add", high, value if nonnegative else _calc("max", value, ZERO))))
            if isinstance(low, c.Var) and not nonnegative:
                scope.out.append(c.Set(low, _calc("add", low, _calc("min", value, ZERO))))
        added = c.Each(piece, whole.items, tuple(turn), scope.path)
        if whole.is_known:
            scope.out.append(added)
        else:
            assert isinstance(low, c.Var)
            anything = c.Set(low, ANY_LOW), c.Set(high, ANY_HIGH)
            scope.out.append(c.If(op("none", whole.items, gives=BOOL), anything, (added,)))
        return Form(low, high)

    def _plus(self, one: Form, two: Form) -> Form:
        # With nothing added, a count is still known to be one.
        if two == _NONE:
            return one
        weight = one.weight or two.weight
        if one.weight and two.weight:
            first, second = one.weight, two.weight
            weight = lambda piece: _calc("add", first(piece), second(piece))  # noqa: E731
        ends = _calc("add", one.low, two.low), _calc("add", one.high, two.high)
        return Form(*ends, weight, is_exact=one.is_exact and two.is_exact)

    def _minus(self, one: Form, two: Form) -> Form:
        if two == _NONE:
            return one
        return self._plus(one, self._times(two, c.Const(-1, INT), nonnegative=False))

    @staticmethod
    def _times(of: Form, factor: c.Expr, nonnegative: bool) -> Form:
        ends = _calc("mul", of.low, factor), _calc("mul", of.high, factor)
        if isinstance(factor, c.Const) and factor.value < 0:
            ends = ends[1], ends[0]
        # A factor of unknown sign may exchange the ends.
        elif not nonnegative and ends[0] != ends[1]:
            ends = _calc("min", *ends), _calc("max", *ends)
        weight = of.weight
        times = None if weight is None else lambda piece: _calc("mul", weight(piece), factor)
        return Form(*ends, times, is_exact=of.is_exact)

    # ---- conditions

    def _condition(self, expr: m.Expr, holds: bool = True) -> Constraints:
        """Return the constraints under which the condition holds, or under which it does not (`holds` false)."""
        if not self._is_open(expr):
            value = self._x.lower(expr, self._scope)
            return Constraints(self._scope.named(value if holds else negation(value), BOOL), is_exact=True)
        match expr:
            case m.Typed(narrowed=True):
                pass
            case m.NotExpr(operand=operand):
                return self._condition(operand, not holds)
            case m.Logic(operator=operator, left=left, right=right):
                one = self._condition(left, holds if operator != "implies" else not holds)
                two = self._condition(right, holds)
                return self._all_of(one, two) if (operator == "and") == holds else self._any_of([one, two])
            case m.IfExpr(condition=test, then=then, otherwise=otherwise) if self._is_open(test):
                return self._any_of([
                    self._all_of(self._condition(test), self._condition(then, holds)),
                    self._all_of(self._condition(test, holds=False), self._condition(otherwise, holds)),
                ])  # fmt: skip
            case m.IfExpr(condition=test, then=then, otherwise=otherwise):
                return self._one_condition(
                    self._lower(test), lambda: self._condition(then, holds), lambda: self._condition(otherwise, holds)
                )
            case m.MatchExpr() if not self._is_open(expr.subject):
                return self._arms(expr, lambda body: self._condition(body, holds), self._one_condition, _NOTHING)
            case m.LetExpr():
                with self._bound(expr):
                    return self._condition(expr.body, holds)
            case m.CallDefine(name=name) if self._x.game.defines[name].cycle is None:
                with self._called(expr):
                    return self._condition(self._x.game.defines[name].body, holds)
            case m.Comparison(left=m.Typed(type=t.Range()), right=m.Typed(type=t.Range())):
                difference = self._minus(self._number(expr.left), self._number(expr.right))
                return self._compared(difference, expr.operator if holds else DENIED[expr.operator])
            case m.Quantifier(loops=(loop, *more)) if self._part(loop.domain) is not None:
                inside = [*(each.domain for each in more), expr.has, *([] if expr.where is None else [expr.where])]
                is_some = (expr.kind == "some") == holds
                # A part that is listed later may be empty, and then no item of it is against the condition.
                if not any(map(self._is_open, inside)) and (is_some or self._part(loop.domain) == self._listed):
                    count = self._total(loop.domain, loop.slot, lambda: self._decides(expr, more))
                    return self._compared(count, ">" if is_some else "=")
            case m.EmptyTest(operand=operand, negated=negated) if self._part(operand) is not None:
                return self._compared(self._total(operand, None, lambda: ONE), ">" if negated == holds else "=")
        self._need_value(expr)
        return _NOTHING

    def _decides(self, expr: m.Quantifier, more: Sequence[m.Loop]) -> c.Expr:
        """Lower 1 where an iteration decides the quantifier: it satisfies `some`, or violates `every` or `no`."""
        every = expr.kind == "every"
        decides = self._x.loops.over(expr, more, every, self._scope)
        return c.Op("int", (negation(decides) if every else decides,), INT)

    @staticmethod
    def _compared(difference: Form, operator: m.ComparisonOperator) -> Constraints:
        """Return the constraints under which a difference compares to 0 by the operator."""
        least, most, weight = difference.low, difference.high, difference.weight
        if operator == "!=":
            # It excludes a single sum, and limits are intervals.
            if weight is not None:
                return _NOTHING
            return Constraints(negation(both(op("eq", least, ZERO, gives=BOOL), op("eq", most, ZERO, gives=BOOL))))
        low, high = (c.Const(end, INT) for end in WINDOWS[operator])
        # A sum without negative terms is at most 0 only if all its terms are 0.
        if operator in ("=", "<=") and difference.is_count and weight is not None:
            return Constraints(TRUE, (), (Bar(TRUE, weight),), is_exact=True)
        if weight is not None:
            # The number beside the weights is not known: the limit is as wide as its best case allows.
            limit = WeightLimit(TRUE, weight, _calc("sub", low, most), _calc("sub", high, least))
            return Constraints(TRUE, (limit,), is_exact=difference.is_exact)
        inside = TRUE if high == ANY_HIGH else op("le", least, high, gives=BOOL)
        return Constraints(inside if low == ANY_LOW else _and(inside, op("ge", most, low, gives=BOOL)))

    def _all_of(self, one: Constraints, two: Constraints) -> Constraints:
        limits, bars = one.limits + two.limits, one.bars + two.bars
        return Constraints(_and(one.possible, two.possible), limits, bars, one.is_exact and two.is_exact)

    def _any_of(self, conditions: Sequence[Constraints]) -> Constraints:
        """Return the constraints of a disjunction: where only one condition can still hold, its constraints apply."""
        possible = [each for each in conditions if each.possible != FALSE]
        if not possible:
            return Constraints(FALSE)
        if len(possible) == 1:
            return possible[0]
        # Where two can always hold, the constraints of neither ever apply alone.
        if sum(each.possible == TRUE for each in possible) > 1:
            return _NOTHING
        possible = [replace(each, possible=self._scope.named(each.possible, BOOL)) for each in possible]
        needed: list[Constraints] = []
        for each in possible:
            alone = each.possible
            for other in possible:
                alone = alone if other is each else _and(alone, negation(other.possible))
            if each.limits or each.bars:
                needed.append(each.where(self._scope.named(alone, BOOL)))
        some: c.Expr = FALSE
        for each in possible:
            some = _or(some, each.possible)
        return Constraints(
            some,
            tuple(limit for each in needed for limit in each.limits),
            tuple(bar for each in needed for bar in each.bars),
            # A condition without constraints holds where it can. Where none of these can, those of the one other apply.
            is_exact=len(needed) <= 1 and all(each.is_exact for each in possible),
        )

    # ---- common to numbers and conditions

    def _is_open(self, expr: m.Expr) -> bool:
        """Return whether the expression reads an unbound slot."""
        return not self._unknown.keys().isdisjoint(self._x.slots(expr))

    def _part(self, expr: m.Expr) -> int | None:
        """Return the choice of the unlisted part that the expression denotes, or None."""
        match expr:
            case m.Local(slot=slot):
                return self._unknown.get(slot)
            case m.Checked(operand=operand):
                self._need_value(expr)
                return self._part(operand)
            case _:
                return None

    def _one_number(self, test: c.Expr, yes: Callable[[], Form], no: Callable[[], Form]) -> Form:
        if isinstance(test, c.Const):
            return yes() if test.value else no()
        scope = self._scope
        low, high = scope.new(INT), scope.new(INT)
        with scope.branch() as then:
            scope.learn(test)
            one = yes()
            scope.out += (c.Set(low, one.low), c.Set(high, one.high))
        with scope.branch() as otherwise:
            scope.learn(test, holds=False)
            two = no()
            scope.out += (c.Set(low, two.low), c.Set(high, two.high))
        scope.out.append(c.If(test, tuple(then), tuple(otherwise)))

        # A weight is lowered where the pieces are listed, after the statements above, so that it tests again.
        def weight(piece: c.Expr) -> c.Expr:
            def of(side: Form) -> c.Expr:
                return ZERO if side.weight is None else side.weight(piece)

            return self._x.chosen(test, lambda: of(one), lambda: of(two), INT, scope)

        return Form(low, high, weight if one.weight or two.weight else None, is_exact=one.is_exact and two.is_exact)

    def _one_condition(
        self, test: c.Expr, yes: Callable[[], Constraints], no: Callable[[], Constraints]
    ) -> Constraints:
        if isinstance(test, c.Const):
            return yes() if test.value else no()
        scope = self._scope
        possible = scope.new(BOOL)
        with scope.branch() as then:
            scope.learn(test)
            one = yes()
            scope.out.append(c.Set(possible, one.possible))
        with scope.branch() as otherwise:
            scope.learn(test, holds=False)
            two = no()
            scope.out.append(c.Set(possible, two.possible))
        scope.out.append(c.If(test, tuple(then), tuple(otherwise)))
        one, two = one.where(test), two.where(negation(test))
        limits, bars = one.limits + two.limits, one.bars + two.bars
        return Constraints(possible, limits, bars, one.is_exact and two.is_exact)

    def _arms(self, expr: m.MatchExpr, lower: Callable[[m.Expr], T], one_of: Callable[..., T], without: T) -> T:
        subject = self._lower(expr.subject)

        def rest(cases: Sequence[m.ValueCase]) -> T:
            if not cases:
                self._scope.out.append(c.Fail("arm", self._scope.path, expr.span))
                return without
            case, *others = cases

            def arm() -> T:
                env = {**self._scope.env, **{bind.slot: self._x.bound(bind, subject) for bind in case.binds}}
                with self._frame(env, self._unknown, case.path):
                    return lower(case.body)

            return one_of(self._x.meets(subject, expr, case), arm, lambda: rest(others))

        return rest(expr.cases)

    @contextmanager
    def _bound(self, expr: m.LetExpr) -> Iterator[None]:
        """Enter the body of a `let`."""
        env, unknown = dict(self._scope.env), dict(self._unknown)
        if self._is_open(expr.value):
            unknown[expr.slot] = self._part(expr.value)
        else:
            env[expr.slot] = self._lower(expr.value)
        with self._frame(env, unknown, self._scope.path):
            yield

    @contextmanager
    def _called(self, expr: m.CallDefine) -> Iterator[None]:
        """Enter the body of a define. Arguments that are unknown in the caller are unknown there."""
        env, unknown = dict[int, c.Expr](), dict[int, int | None]()
        for at, argument in enumerate(expr.arguments, start=1):
            if self._is_open(argument):
                unknown[at] = self._part(argument)
            else:
                env[at] = self._lower(argument)
        with self._frame(env, unknown, expr.name):
            yield


def _calc(name: str, one: c.Expr, two: c.Expr) -> c.Expr:
    return op(name, one, two, gives=INT)


def _and(one: c.Expr, two: c.Expr) -> c.Expr:
    """Build `and` of expressions that cannot fail."""
    return FALSE if two == FALSE else both(one, two)


def _or(one: c.Expr, two: c.Expr) -> c.Expr:
    return TRUE if two == TRUE else either(one, two)


def _is_some(weight: c.Expr) -> c.Expr:
    """Lower the test whether a weight is not 0."""
    if isinstance(weight, c.Op) and weight.name == "int":
        return weight.args[0]
    return op("ne", weight, ZERO, gives=BOOL)


def _kind(choice: m.Choice) -> t.Type:
    return t.element_type(choice.type) or choice.type


def _is_nonnegative(of: t.Type) -> bool:
    return isinstance(of, t.Range) and of.low >= 0


_NONE = Form(ZERO, ZERO, is_exact=True)
WINDOWS: Mapping[str, tuple[int, int]] = {
    "=": (0, 0), "<": (-_FAR, -1), "<=": (-_FAR, 0), ">": (1, _FAR), ">=": (0, _FAR),
}  # fmt: skip
"""The interval of the difference of the two sides, by operator."""
DENIED: Mapping[m.ComparisonOperator, m.ComparisonOperator] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
