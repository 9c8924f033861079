"""What can be told of numbers and conditions while parts of collections are still to be chosen.

`choose cards within my hand, stones within my amulets` leaves two parts open until they are listed. A requirement that
speaks of them is looked at beforehand, with nothing assumed of a part but what it may consist of (its *whole*). This is
abstract interpretation over a small domain: a number becomes a `Form`, the weights of the pieces of the one part that
is about to be listed and an interval for all the rest; a condition becomes the `Bound`s that such weights must keep, or
None where it cannot hold any more. What is not understood tells nothing, so that no legal choice is ever ruled out.

Understood are sums, counts and sizes of parts, added, taken away and multiplied by what is known; comparisons,
quantifiers and emptiness; `and`, `or`, `implies`, `not`, `if` and `match`; and defines, which are looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ludex.spec import faults
from ludex.spec import model as m
from ludex.spec import types as t

from .evaluate import UNDECIDED, Expressions, Path, Slots
from .parts import Bound, Bounds, Number, ends_of
from .state import State
from .walk import free_slots

UNBOUNDED = 1_000_000
"""A number's type that reaches so far says nothing of its bounds."""

Wholes: TypeAlias = Sequence[Sequence[t.Value] | None]
"""For each part that is still open, in the order of the choices, what it may consist of; None if nobody knows."""


class Form(NamedTuple):
    """A number: the weights of those pieces of the listed part that are taken, and something from low to high.

    weights: one for each piece of the part's whole; () where the number does not hang on it."""

    low: Number
    high: Number
    weights: tuple[int, ...] = ()

    def plus(self, other: Form) -> Form:
        weights = self.weights or other.weights
        if self.weights and other.weights:
            weights = tuple([one + two for one, two in zip(self.weights, other.weights, strict=True)])
        return Form(self.low + other.low, self.high + other.high, weights)

    def minus(self, other: Form) -> Form:
        weights = self.weights
        if other.weights:
            own = weights or (0,) * len(other.weights)
            weights = tuple([one - two for one, two in zip(own, other.weights, strict=True)])
        return Form(self.low - other.high, self.high - other.low, weights)

    def times(self, factor: int) -> Form:
        if factor == 0:
            return Form(0, 0)
        ends = (self.low * factor, self.high * factor)
        return Form(min(ends), max(ends), tuple([weight * factor for weight in self.weights]))

    def or_else(self, other: Form) -> Form:
        """One of the two."""
        if self.weights == other.weights:
            return Form(min(self.low, other.low), max(self.high, other.high), self.weights)
        one, two = self._loose(), other._loose()
        return Form(min(one.low, two.low), max(one.high, two.high))

    def _loose(self) -> Form:
        low, high = ends_of(self.weights)
        return Form(self.low + low, self.high + high)


ANYTHING = Form(-inf, inf)


T = TypeVar("T")
Estimate: TypeAlias = Callable[[State, Slots, Wholes], T]
OfNumber: TypeAlias = Estimate[Form]
OfCondition: TypeAlias = Estimate[Bounds | None]
"""Bounds, () if nothing can be told, None if the condition cannot hold."""


MadeBy: TypeAlias = "Callable[[Estimates, m.Expr], Estimate[T]]"


class Estimates:
    """Compiles estimates of expressions in one frame.

    unknown: slots that are not filled yet; for one that will hold a part its place among the wholes, else None.
    listed: the place of the part that is about to be listed.
    """

    def __init__(
        self,
        x: Expressions,
        unknown: Mapping[int, int | None],
        listed: int,
        path: Path,
        inside: dict[tuple[object, ...], Any] | None = None,
    ) -> None:
        """inside: estimates of defines that have been looked into already."""
        self._x, self._unknown, self._listed, self._path = x, unknown, listed, path
        self._inside = {} if inside is None else inside

    def requirement(self, requirement: m.Requirement) -> OfCondition:
        """The bounds that a requirement sets, waivers considered."""
        waived = (
            _all_of(self.condition(waiver.condition), self.condition(waiver.value)) for waiver in requirement.waivers
        )
        return _any_of(self.condition(requirement.condition), *waived)

    # ---- numbers

    def number(self, expr: m.Expr) -> OfNumber:
        """The number as a Form. May raise what evaluating an undecided expression raises."""
        if not self._is_open(expr):
            return self._known_number(expr)
        match expr:
            case m.Checked(operand=operand):
                return self.number(operand)
            case m.Minus(operand=operand):
                inner = self.number(operand)
                return lambda s, f, w: inner(s, f, w).times(-1)
            case m.Arithmetic(operator="+" | "-", left=left, right=right):
                one, two = self.number(left), self.number(right)
                if expr.operator == "+":
                    return lambda s, f, w: one(s, f, w).plus(two(s, f, w))
                return lambda s, f, w: one(s, f, w).minus(two(s, f, w))
            case m.Arithmetic(operator="*", left=left, right=right) if not self._is_open(right):
                return self._multiple(left, right)
            case m.Arithmetic(operator="*", left=left, right=right) if not self._is_open(left):
                return self._multiple(right, left)
            case m.AggregateExpr(kind="sum" | "count", value=value, loops=(loop,), where=where):
                part = self._part(loop.domain)
                if part is not None and not self._is_open(value) and not (where and self._is_open(where)):
                    return self._total(part, loop.slot, value, where)
            case m.Builtin(name="size", arguments=(operand,)):
                part = self._part(operand)
                if part is not None:
                    return self._total(part, None, None, None)
            case m.IfExpr(condition=condition, then=then, otherwise=otherwise) if self._is_open(condition):
                return self._either(condition, self.number(then), self.number(otherwise))
        return self._further(expr, Estimates.number, "number") or _typed(expr.type)

    def _known_number(self, expr: m.Expr) -> OfNumber:
        value = self._x.compile(expr, self._path)

        def known(state: State, slots: Slots, wholes: Wholes) -> Form:
            number = value(state, slots)
            return Form(number, number)

        return known

    def _multiple(self, of: m.Expr, factor: m.Expr) -> OfNumber:
        number, by = self.number(of), self._x.compile(factor, self._path)
        return lambda s, f, w: number(s, f, w).times(by(s, f))

    def _total(self, part: int, slot: int | None, value: m.Expr | None, where: m.Expr | None) -> OfNumber:
        """What the pieces of a part add up to; each counts 1 if no value is given."""
        worth = None if value is None else self._x.compile(value, self._path)
        test = None if where is None else self._x.compile(where, self._path)

        def weight(state: State, slots: Slots, piece: t.Value) -> int:
            if slot is not None:
                slots[slot] = piece
            if test is not None and not test(state, slots):
                return 0
            return 1 if worth is None else worth(state, slots)

        def total(state: State, slots: Slots, wholes: Wholes) -> Form:
            whole = wholes[part]
            if whole is None:
                return ANYTHING
            weights = tuple([weight(state, slots, piece) for piece in whole])
            return Form(0, 0, weights) if part == self._listed else Form(*ends_of(weights))

        return total

    def _either(self, condition: m.Expr, then: OfNumber, otherwise: OfNumber) -> OfNumber:
        may, may_not = self.condition(condition), self.condition(condition, holds=False)

        def either(state: State, slots: Slots, wholes: Wholes) -> Form:
            if may(state, slots, wholes) is None:
                return otherwise(state, slots, wholes)
            if may_not(state, slots, wholes) is None:
                return then(state, slots, wholes)
            return then(state, slots, wholes).or_else(otherwise(state, slots, wholes))

        return either

    # ---- conditions

    def condition(self, expr: m.Expr, holds: bool = True) -> OfCondition:
        """What must be for the condition to hold (or not to): bounds, () if nothing is known, None if it cannot be."""
        found = self._condition(expr, holds)

        def lenient(state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
            try:
                return found(state, slots, wholes)
            except UNDECIDED:
                return ()

        return lenient

    def _condition(self, expr: m.Expr, holds: bool) -> OfCondition:
        if not self._is_open(expr):
            value = self._x.compile(expr, self._path)
            return lambda s, f, w: () if bool(value(s, f)) == holds else None
        match expr:
            case m.NotExpr(operand=operand):
                return self._condition(operand, not holds)
            case m.Logic(left=left, right=right):
                return self._logic(expr.operator, left, right, holds)
            case m.IfExpr(condition=condition, then=then, otherwise=otherwise) if self._is_open(condition):
                return _any_of(
                    _all_of(self.condition(condition), self.condition(then, holds)),
                    _all_of(self.condition(condition, holds=False), self.condition(otherwise, holds)),
                )
            case m.Comparison(left=m.Typed(type=t.Range()), right=m.Typed(type=t.Range())):
                return self._comparison(expr, holds)
            case m.Quantifier(loops=(loop, *_)) if self._part(loop.domain) is not None:
                return self._quantifier(expr, holds)
            case m.EmptyTest(operand=operand, negated=negated) if self._part(operand) is not None:
                size = m.Builtin(t.Range(0, UNBOUNDED), expr.span, "size", (operand,))
                return self._counted(size, negated == holds)
        further = self._further(expr, lambda inner, body: inner.condition(body, holds), str(holds))
        return further or (lambda s, f, w: ())

    def _logic(self, operator: m.LogicOperator, left: m.Expr, right: m.Expr, holds: bool) -> OfCondition:
        one = self.condition(left, holds if operator != "implies" else not holds)
        two = self.condition(right, holds)
        return _all_of(one, two) if (operator == "and") == holds else _any_of(one, two)

    def _comparison(self, expr: m.Comparison, holds: bool) -> OfCondition:
        left, right = self.number(expr.left), self.number(expr.right)
        operator = expr.operator if holds else DENIED[expr.operator]

        def compared(state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
            least, most, weights = left(state, slots, wholes).minus(right(state, slots, wholes))
            if weights:
                return (Bound(weights, low - most, high - least),)
            return () if least <= high and most >= low else None

        def differing(state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
            least, most, weights = left(state, slots, wholes).minus(right(state, slots, wholes))
            return None if least == most == 0 and not any(weights) else ()

        if operator == "!=":
            return differing
        low, high = WINDOWS[operator]
        return compared

    def _counted(self, count: m.Expr, some: bool) -> OfCondition:
        """That a count is not 0, or that it is."""
        none = m.Constant(t.Range(0, 0), count.span, 0)
        return self._comparison(m.Comparison(t.Bool(), count.span, ">" if some else "=", count, none), holds=True)

    def _quantifier(self, expr: m.Quantifier, holds: bool) -> OfCondition:
        """As a count: of the pieces for which it is so, or, of `every`, for which it is not."""
        loop, *more = expr.loops
        where, has = expr.where, expr.has
        if more:
            kind: Literal["every", "some"] = "every" if expr.kind == "every" else "some"
            where, has = None, m.Quantifier(t.Bool(), expr.span, kind, tuple(more), where, has)
        if expr.kind == "every":
            has = m.NotExpr(t.Bool(), expr.span, has)
        if where is not None:
            has = m.Logic(t.Bool(), expr.span, "and", where, has)
        one = m.Constant(t.Range(1, 1), expr.span, 1)
        count = m.AggregateExpr(t.Range(0, UNBOUNDED), expr.span, "count", one, (loop,), has, None)
        return self._counted(count, (expr.kind == "some") == holds)

    # ---- what numbers and conditions have in common

    def _is_open(self, expr: m.Expr) -> bool:
        """Whether the expression hangs on what is not known yet."""
        return not self._unknown.keys().isdisjoint(free_slots(expr))

    def _part(self, expr: m.Expr) -> int | None:
        """The place among the wholes of the open part that the expression is."""
        match expr:
            case m.Local(slot=slot):
                return self._unknown.get(slot)
            case m.Checked(operand=operand):
                return self._part(operand)
            case _:
                return None

    def _further(self, expr: m.Expr, made_by: MadeBy[T], key: str) -> Estimate[T] | None:
        """The estimate of the expression that this one comes to; None if that cannot be told. key: one for each
        made_by."""
        match expr:
            case m.IfExpr(condition=condition, then=then, otherwise=otherwise) if not self._is_open(condition):
                test, yes, no = self._x.compile(condition, self._path), made_by(self, then), made_by(self, otherwise)
                return lambda s, f, w: yes(s, f, w) if test(s, f) else no(s, f, w)
            case m.LetExpr():
                return self._let(expr, made_by)
            case m.MatchExpr(subject=subject) if not self._is_open(subject):
                return self._match(expr, made_by)
            case m.CallDefine(name=name) if self._x.game.defines[name].cycle is None:
                return self._call(expr, made_by, key)
            case _:
                return None

    def _let(self, expr: m.LetExpr, made_by: MadeBy[T]) -> Estimate[T]:
        slot = expr.slot
        if self._is_open(expr.value):
            unknown = {**self._unknown, slot: self._part(expr.value)}
            return made_by(Estimates(self._x, unknown, self._listed, self._path, self._inside), expr.body)
        value, body = self._x.compile(expr.value, self._path), made_by(self, expr.body)

        def let(state: State, slots: Slots, wholes: Wholes) -> T:
            slots[slot] = value(state, slots)
            return body(state, slots, wholes)

        return let

    def _match(self, expr: m.MatchExpr, made_by: MadeBy[T]) -> Estimate[T]:
        subject = self._x.compile(expr.subject, self._path)
        arms = [(case.values, (case.binds, made_by(self, case.body))) for case in expr.cases]
        table = {value: arm for held, arm in reversed(arms) for value in held or ()}
        rest = next((arm for held, arm in arms if held is None), None)

        def match(state: State, slots: Slots, wholes: Wholes) -> T:
            value = subject(state, slots)
            arm = table.get(value, rest)
            if arm is None:
                raise faults.no_arm(expr, value, self._path)
            binds, body = arm
            for bind in binds:
                slots[bind.slot] = bind.table[value]
            return body(state, slots, wholes)

        return match

    def _call(self, expr: m.CallDefine, made_by: MadeBy[T], key: str) -> Estimate[T]:
        """Look into a define. What it is given of the unknown is unknown there, too."""
        define = self._x.game.defines[expr.name]
        numbered = list(enumerate(expr.arguments, start=1))
        unknown = {at: self._part(argument) for at, argument in numbered if self._is_open(argument)}
        given = [(at, self._x.compile(argument, self._path)) for at, argument in numbered if at not in unknown]
        body = self._looked_into(define, unknown, made_by, key)

        def call(state: State, slots: Slots, wholes: Wholes) -> T:
            frame: Slots = [None] * define.frame_size
            for at, value in given:
                frame[at] = value(state, slots)
            return body(state, frame, wholes)

        return call

    def _looked_into(
        self, define: m.Define, unknown: Mapping[int, int | None], made_by: MadeBy[T], key: str
    ) -> Estimate[T]:
        """The estimate of a define's body, made once for each way in which its parameters are unknown."""
        known_as = (define.name, frozenset(unknown.items()), key)
        if known_as not in self._inside:
            inner = Estimates(self._x, unknown, self._listed, define.name, self._inside)
            self._inside[known_as] = made_by(inner, define.body)
        made: Estimate[T] = self._inside[known_as]
        return made


def _typed(of: t.Type) -> OfNumber:
    """Nothing but what the type says."""
    low: Number = of.low if isinstance(of, t.Range) and of.low > -UNBOUNDED else -inf
    high: Number = of.high if isinstance(of, t.Range) and of.high < UNBOUNDED else inf
    form = Form(low, high)
    return lambda s, f, w: form


def _all_of(*estimates: OfCondition) -> OfCondition:
    return lambda state, slots, wholes: together(estimates, state, slots, wholes)


def together(estimates: Iterable[OfCondition], state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
    """What conditions that all hold say; None if one of them cannot hold any more."""
    bounds: Bounds = ()
    for estimate in estimates:
        found = estimate(state, slots, wholes)
        if found is None:
            return None
        bounds += found
    return bounds


def _any_of(*estimates: OfCondition) -> OfCondition:
    """Where only one of the conditions can still hold, it must."""
    if len(estimates) == 1:
        return estimates[0]

    def any_of(state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
        possible = [found for each in estimates if (found := each(state, slots, wholes)) is not None]
        if not possible:
            return None
        return possible[0] if len(possible) == 1 else ()

    return any_of


WINDOWS: Mapping[str, tuple[Number, Number]] = {
    "=": (0, 0),
    "<": (-inf, -1),
    "<=": (-inf, 0),
    ">": (1, inf),
    ">=": (0, inf),
}
"""Where the difference of the two sides lies."""
DENIED: Mapping[m.ComparisonOperator, m.ComparisonOperator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
