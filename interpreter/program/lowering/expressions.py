"""Lowering of expressions: partial evaluation of known parts, inlining of short units, code for the rest.

Expressions over constants are folded by the one evaluator of the language. Loops over constant domains are unrolled as
far as `limits.py` allows. A define is specialized for each set of constant arguments that it is called with, and
inlined where it is short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import prod
from threading import RLock
from typing import Any, Literal, assert_never

from ludex.grammar import Span, seldom_collecting
from ludex.spec import (
    LARGEST_NUMBER,
    TOTAL,
    NodeLists,
    NotConstant,
    NoValue,
    callee,
    deeper_recursion,
    define_properties,
    is_contextual,
    nodes,
    per_node,
    reading,
    strongly_connected,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealment
from ..ir import code as c
from ..ir.facts import Facts
from ..ir.limits import WIDE, Limits
from ..ir.operations import BOOL, FALSE, INT, TRUE, ZERO, both, either, either_of, items_of, looked_up, negation, op
from ..ir.traversal import occurrences, replaced, size, weight
from .estimates import REMEMBERED, CodeCosts, ExpressionSizes
from .loops import CHAIN, Items, LoopLowering
from .scope import UnitScope, is_cheap, unread
from .unit_bodies import UnitBodies

_TABLE = 256
"""A fact with at most this many argument combinations becomes a table."""
MEMO_ENTRIES = 65_536
"""A fact is memoized if its arguments have at most this many combinations."""
_SHORT = 40
"""A unit that returns an expression no larger than this is inlined."""


@dataclass(eq=False, repr=False)
class Specialization:
    """The units and loops that were specialized within some limits.

    Attributes:
        units: the units of defines, by name and constant arguments.
        variants: by define, the parts that its variants have together; shares: the define and parts of a variant.
        unrolled: the parts of all unrolled loops together.
    """

    limits: Limits
    units: dict[tuple[str, tuple[Any, ...]], int] = field(default_factory=dict)
    variants: Counter[str] = field(default_factory=Counter)
    shares: dict[int, tuple[str, int]] = field(default_factory=dict)
    unrolled: int = 0

    def unrolls(self, count: int, size: int) -> bool:
        """Return whether a loop with so many iterations of this size is unrolled, and count it if it is."""
        if count * size > self.limits.loop or self.unrolled + count * size > self.limits.loops:
            return False
        self.unrolled += count * size
        return True


class ExpressionLowering:
    """Lowers the expressions of one game into units of a program."""

    def __init__(
        self,
        game: m.Game,
        program: c.Program,
        can: Callable[[str, tuple[c.Expr, ...], UnitScope, Span], c.Expr],
        limits: Limits,
    ) -> None:
        """can: lowers the test whether an action can be done, given `me` and its arguments, and where it is asked."""
        self.game, self.program, self._can = game, program, can
        self.special = Specialization(limits)
        self._faster = Specialization(WIDE)
        self._recipes: dict[int, Callable[[int], object]] = {}
        self.lists = NodeLists()
        defines = define_properties(game, self.lists)
        self._reading, self._hanging = defines.reading, defines.contextual
        self._hangs = per_node(lambda part: any(is_contextual(node, self._hanging) for node in nodes(part)))
        # Values that depend on the evaluation around them cannot be kept with the state.
        self._searching = defines.searching - self._hanging
        self._rings = _rings(game)
        self._within: list[str] = []
        self.facts = Facts(game)
        self._tables: dict[str, Items | None] = {}
        self._reads = reading(self._reading)
        self.concealment = Concealment(game, self.lists, lambda part: self._reads(part).free)
        self.sizes = ExpressionSizes(game, self._reading)
        self.loops = LoopLowering(self, self.sizes)
        self._costs = CodeCosts(program)
        self.bodies = UnitBodies(game, program, self.concealment, self._costs)
        self._lock = RLock()

    @property
    def limits(self) -> Limits:
        """The limits of specialization."""
        return self.special.limits

    # ---- what is known

    def lower(self, expr: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower an expression, and emit the statements that it needs into the scope."""
        lowered = self.known(expr, scope) or _KINDS[type(expr)](self, expr, scope)
        # A guard has excluded `none` for the type checker, but it may be evaluated after this, so the value is tested.
        if (
            expr.narrowed
            and not (isinstance(lowered, c.Const) and lowered.value is not None)
            and lowered not in scope.some
        ):
            lowered = scope.named(lowered, expr.type)
            failing = c.Fail("none", scope.path, expr.span)
            if isinstance(lowered, c.Const):
                scope.out.append(failing)
                return unread(expr.type)
            scope.out.append(c.If(op("none", lowered, gives=BOOL), (failing,)))
            scope.some.add(lowered)
        return lowered

    def constant(self, expr: m.Expr, env: Mapping[int, c.Expr]) -> c.Expr | None:
        """Return the value of an expression as a constant if it is known before play, given what is known of slots."""
        return env.get(expr.slot) if isinstance(expr, m.Local) else self.known(expr, UnitScope(dict(env), None))

    def known(self, expr: m.Expr, scope: UnitScope) -> c.Const | None:
        # Classes are compared, since this is asked of every expression.
        kind = expr.__class__
        if kind is m.Constant:
            return c.Const(expr.value, expr.type)  # type: ignore[union-attr]
        if kind is m.Local:
            return None
        reads = self._reads(expr)
        # A value that depends on cells, or on a slot whose contents are not known, is not a constant.
        if reads.state:
            return None
        for slot in reads.free:
            if scope.env.get(slot).__class__ is not c.Const:
                return None
        if isinstance(expr, m.CallDefine):
            arguments = [self.lower(argument, scope) for argument in expr.arguments]
            if not all(isinstance(argument, c.Const) for argument in arguments):
                return None
            return self._fact(expr.name, tuple(argument.value for argument in arguments), expr.type)  # type: ignore[union-attr]
        known = {slot: scope.env[slot].value for slot in reads.free}  # type: ignore[union-attr]
        try:
            values = self.facts.value(expr, known, scope.path)
        except (NoValue, NotConstant):
            return None
        return None if values is None else c.Const(*values, expr.type)

    def slots(self, *parts: Any) -> frozenset[int]:
        """Return the slots that the parts read, and do not bind themselves."""
        return frozenset[int]().union(*[self._reads(part).free for part in parts])

    def _fact(self, name: str, arguments: Items, type_: t.Type) -> c.Const | None:
        try:
            values = self.facts.fact(self.game.defines[name], arguments)
        except (NoValue, NotConstant):
            return None
        return None if values is None else c.Const(*values, type_)

    # ---- names and parts

    def _local(self, expr: m.Local, scope: UnitScope) -> c.Expr:
        return scope.env[expr.slot]

    def _cell(self, expr: m.Read, scope: UnitScope) -> c.Expr:
        pieces = self.raw(expr, scope)
        # The language lists a pile from its top; a cell has the top last.
        return op("reversed", pieces, gives=expr.type) if expr.element.kind == "pile" else pieces

    def raw(self, expr: m.Read, scope: UnitScope) -> c.Expr:
        """Lower a reference to the cell's contents as stored."""
        base, index, size = self.address(expr.element, expr.indices, scope)
        return c.Load(base, index, size, expr.type)

    def address(
        self, element: m.Element, indices: Sequence[m.Expr], scope: UnitScope
    ) -> tuple[int, c.Expr | None, int]:
        """Return an element's address: base cell, index expression or None, and the number of cells."""
        base, step = element.offset, element.count
        if not indices:
            return base, None, 1
        at: c.Expr = ZERO
        for of, expr in zip(element.indices, indices, strict=True):
            # Cells of an element are numbered as moves are: the last index varies fastest.
            step //= max(1, t.size(of) or 0)
            at = op("add", at, op("mul", self._position(of, expr, scope), c.Const(step, INT), gives=INT), gives=INT)
        return (base + at.value, None, 1) if isinstance(at, c.Const) else (base, at, element.count)

    def _position(self, of: t.Type, expr: m.Expr, scope: UnitScope) -> c.Expr:
        value = self.lower(expr, scope)
        if isinstance(value, c.Const):
            return c.Const(t.position(of, value.value), INT)
        match of:
            case t.Range(low=low):
                return op("sub", value, c.Const(low, INT), gives=INT)
            case t.Optional(of=inner):
                # `none` comes first among the values of an optional type, so that the others move up by one.
                value = scope.named(value, expr.type)
                low = inner.low if isinstance(inner, t.Range) else 0
                place = op("add", value, c.Const(1 - low, INT), gives=INT)
                return either_of(op("none", value, gives=BOOL), c.Const(0, INT), place, INT)
            case t.Bool():
                return c.Op("int", (value,), INT)
            case _:
                return value

    def _table_field(self, expr: m.TableField, scope: UnitScope) -> c.Expr:
        operand = self.lower(expr.operand, scope)
        if isinstance(operand, c.Const):
            return c.Const(None if operand.value is None else expr.table[operand.value], expr.type)
        if not isinstance(expr.operand.type, t.Optional) or operand in scope.some:
            return c.Lookup(expr.table, operand, expr.type)
        operand = scope.named(operand, expr.operand.type)
        entry = c.Lookup(expr.table, operand, expr.type)
        return either_of(op("none", operand, gives=BOOL), c.Const(None, expr.type), entry, expr.type)

    def _make_record(self, expr: m.MakeRecord, scope: UnitScope) -> c.Expr:
        assert isinstance(expr.record, t.Record)
        parts = [self.lower(part, scope) for part in expr.parts]
        kinds = [of for _, of in expr.record.fields]
        # Without a condition every combination is a member, so that its number can be computed.
        whole = prod(t.size(of) or 0 for of in kinds) == len(expr.record.members)
        if not isinstance(expr.type, t.Optional) and whole:
            return self._mixed(zip(kinds, parts, strict=True))
        return self._search_of(expr.record, parts, expr.type)

    @staticmethod
    def _search_of(record: t.Record, parts: Sequence[c.Expr], gives: t.Type) -> c.Expr:
        """Lower the search for the record with these parts, or none.

        If a single part is not constant, that part selects it.
        """
        open_ = [at for at, part in enumerate(parts) if not isinstance(part, c.Const)]
        # With several open parts the pairs would be as many as the records, and `find` has a table of those.
        if len(open_) != 1:
            return op("find", *parts, gives=gives, of=record)
        (at,) = open_
        known = [part.value if isinstance(part, c.Const) else None for part in parts]
        members = {
            member[at]: number
            for number, member in enumerate(record.members)
            if all(place == at or member[place] == value for place, value in enumerate(known))
        }
        return c.Op("select", (parts[at], c.Const(tuple(members.items()), t.ListOf(INT))), gives)

    def _mixed(self, pairs: Iterable[tuple[t.Type, c.Expr]]) -> c.Expr:
        """Lower the number of a combination of values, in mixed radix."""
        number: c.Expr = c.Const(0, INT)
        for of, part in pairs:
            low = of.low if isinstance(of, t.Range) else 0
            scaled = op("mul", number, c.Const(t.size(of), INT), gives=INT)
            number = op("add", scaled, op("sub", part, c.Const(low, INT), gives=INT), gives=INT)
        return number

    def _make_word(self, expr: m.MakeWord, scope: UnitScope) -> c.Expr:
        assert isinstance(expr.words, t.Words)
        case = expr.words.case(expr.case)
        assert case is not None
        parts = [self.lower(part, scope) for part in expr.parts]
        # The members of one word follow each other, in the order of their data.
        first = next(at for at, (name, _) in enumerate(expr.words.members) if name == expr.case)
        number = self._mixed(zip((of for _, of in case.fields), parts, strict=True))
        return op("add", c.Const(first, INT), number, gives=expr.type)

    # ---- operators

    def _arithmetic(self, expr: m.Arithmetic, scope: UnitScope) -> c.Expr:
        if expr.operator in ("div", "mod"):
            by = self.lower(expr.right, scope)
            if not isinstance(by, c.Const) or by.value == 0:
                by = scope.named(by, expr.right.type)
                # A separate statement, since an operation has no place that a fault could name.
                zero = op("eq", by, c.Const(0, INT), gives=BOOL)
                scope.out.append(c.If(zero, (c.Fail("zero", scope.path, expr.span),)))
            return op(expr.operator, self.lower(expr.left, scope), by, gives=expr.type)
        left, right = self.lower(expr.left, scope), self.lower(expr.right, scope)
        name = {"+": "add", "-": "sub", "*": "mul"}[expr.operator]
        result = op(name, left, right, gives=expr.type)
        if name == "mul" and largest(expr.left.type) * largest(expr.right.type) > LARGEST_NUMBER:
            result = scope.named(result, expr.type)
            ends = c.Const(-LARGEST_NUMBER, INT), c.Const(LARGEST_NUMBER, INT)
            inside = op("between", result, *ends, gives=BOOL)
            scope.out.append(c.If(negation(inside), (c.Fail("large", scope.path, expr.span),)))
        return result

    def _combine(self, expr: m.Combine, scope: UnitScope) -> c.Expr:
        match expr.type:
            case t.SetOf():
                left, right = self.lower(expr.left, scope), self.lower(expr.right, scope)
                if expr.operator == "-" and not isinstance(expr.right.type, t.SetOf):
                    right = self.sequence(expr.right, right)
                return op("union" if expr.operator == "+" else "minus", left, right, gives=expr.type)
            case t.ListOf():
                parts = [self.sequence(side, self.lower(side, scope)) for side in (expr.left, expr.right)]
                return op("concat", *parts, gives=expr.type)
            case of:
                parts = [self.sequence(side, self.lower(side, scope)) for side in (expr.left, expr.right)]
                name = "bag_union" if expr.operator == "+" else "bag_minus"
                return op(name, *parts, gives=expr.type, of=t.element_type(of) or of)

    def sequence(self, expr: m.Expr, value: c.Expr) -> c.Expr:
        """Lower the items of a collection in order; an optional value counts as a collection of one item or none."""
        match expr.type:
            case t.SetOf(of=of):
                if isinstance(value, c.Const):
                    return c.Const(items_of(expr.type, value.value), t.ListOf(of))
                return op("ordered", value, gives=t.ListOf(of), of=of)
            case t.BagOf() | t.ListOf():
                return value
            case of:
                return op("only", value, gives=t.ListOf(of))

    def _minus(self, expr: m.Minus, scope: UnitScope) -> c.Expr:
        return op("neg", self.lower(expr.operand, scope), gives=expr.type)

    def _not(self, expr: m.NotExpr, scope: UnitScope) -> c.Expr:
        return negation(self.lower(expr.operand, scope))

    def _comparison(self, expr: m.Comparison, scope: UnitScope) -> c.Expr:
        name = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[expr.operator]
        return op(name, self.lower(expr.left, scope), self.lower(expr.right, scope), gives=BOOL)

    def _member(self, expr: m.Member, scope: UnitScope) -> c.Expr:
        item = self.lower(expr.item, scope)
        match expr.collection:
            case m.IntervalExpr(low=low, high=high) if not isinstance(expr.item.type, t.Optional):
                # The interval is never made.
                test = op("between", item, self.lower(low, scope), self.lower(high, scope), gives=BOOL)
            case collection if t.element_type(collection.type) is not None:
                test = op("has", item, self.lower(collection, scope), gives=BOOL)
            case one:
                item = scope.named(item, expr.item.type)
                test = op("eq", item, self.lower(one, scope), gives=BOOL)
                # None is a member of nothing, not even of an optional that is none.
                test = both(op("some", item, gives=BOOL), test)
        return negation(test) if expr.negated else test

    def _logic(self, expr: m.Logic, scope: UnitScope) -> c.Expr:
        left = self.lower(expr.left, scope)
        if expr.operator == "implies":
            left = negation(left)
        return self.joined(left, lambda: self.lower(expr.right, scope), expr.operator == "and", scope)

    def joined(self, left: c.Expr, right: Callable[[], c.Expr], conjunction: bool, scope: UnitScope) -> c.Expr:
        """Lower `left and right`, or `left or right`; the right side is evaluated only if it is needed."""
        if isinstance(left, c.Const):
            return right() if bool(left.value) == conjunction else left
        with scope.branch() as statements:
            scope.learn(left, conjunction)
            second = right()
        if not statements:
            # No statement has to run only if the right side is asked for.
            return both(left, second) if conjunction else either(left, second)
        var = scope.set(left, BOOL)
        scope.out.append(c.If(var if conjunction else negation(var), (*statements, c.Set(var, second))))
        return var

    def _empty_test(self, expr: m.EmptyTest, scope: UnitScope) -> c.Expr:
        operand = expr.operand
        value = self.whole(operand, scope)
        if (isinstance(operand, m.Read) and operand.element.kind in ("pile", "bag")) or t.element_type(
            operand.type
        ) is not None:
            test = self._test_of("is_empty", value)
        else:
            test = self._test_of("none", value)
        return negation(test) if expr.negated else test

    def _test_of(self, name: str, operand: c.Expr) -> c.Expr:
        """Apply a short test inside the unit that returns the tested value."""
        if isinstance(operand, c.Call):
            unit = self.program.units[operand.unit]
            match unit.body:
                case (c.Return(value=value),) if unit.cycle is None:
                    answer = op(name, value, gives=BOOL)
                    if size(answer) <= 2 * _SHORT and all(map(is_cheap, operand.args)):
                        # This call is removed, so the unit no longer counts among the variants.
                        name, share = self.special.shares.pop(operand.unit, ("", 0))
                        self.special.variants[name] -= share
                        return replaced(answer, dict(zip(unit.parameters, operand.args, strict=True)))
        return op(name, operand, gives=BOOL)

    def whole(self, expr: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower a collection that is only counted or tested for emptiness."""
        known = self.known(expr, scope)
        if known is not None:
            return known
        return self.raw(expr, scope) if isinstance(expr, m.Read) else _KINDS[type(expr)](self, expr, scope)

    def _checked(self, expr: m.Checked, scope: UnitScope) -> c.Expr:
        outside, scope.path = scope.path, expr.path
        value = self.lower(expr.operand, scope)
        scope.path = outside
        if isinstance(value, c.Const):
            of = expr.type
            inside = isinstance(of, t.Optional) if value.value is None else t.contains(of, value.value)
            if inside:
                return value
        # Most checks are decided before play, and then the value needs no variable.
        if self._inside(expr.type, expr.operand.type, value, value in scope.some) == TRUE:
            return value
        value = scope.named(value, expr.type)
        test = self._inside(expr.type, expr.operand.type, value, value in scope.some)
        if test != TRUE:
            scope.out.append(c.If(negation(test), (c.Fail("outside", expr.path, expr.span),)))
        return value

    def _inside(self, type_: t.Type, actual: t.Type, value: c.Expr, is_some: bool) -> c.Expr:
        match type_:
            case t.Range(low=low, high=high):
                # Only the ends that the type of the value leaves open are tested.
                inside: c.Expr = TRUE
                given = t.strip_optional(actual)
                least, most = (given.low, given.high) if isinstance(given, t.Range) else (low - 1, high + 1)
                if most > high:
                    inside = op("le", value, c.Const(high, INT), gives=BOOL)
                if least < low:
                    above = op("ge", value, c.Const(low, INT), gives=BOOL)
                    ends = c.Const(low, INT), c.Const(high, INT)
                    inside = above if inside == TRUE else op("between", value, *ends, gives=BOOL)
                if isinstance(actual, t.Optional) and not is_some:
                    inside = both(op("some", value, gives=BOOL), inside)
                return inside
            case t.Optional(of=of):
                inner = self._inside(of, t.strip_optional(actual), value, is_some=True)
                return inner if inner == TRUE else either(op("none", value, gives=BOOL), inner)
            case t.SetOf(of=of, most=limit) | t.BagOf(of=of, most=limit) | t.ListOf(of=of, most=limit):
                if not _surely(t.element_type(actual) or actual, of):
                    return op("fits", value, gives=BOOL, of=type_)
                if limit is None:
                    return TRUE
                return op("le", op("size", value, gives=INT), c.Const(limit, INT), gives=BOOL)
            case _:
                return op("some", value, gives=BOOL) if isinstance(actual, t.Optional) and not is_some else TRUE

    # ---- branches

    def _if(self, expr: m.IfExpr, scope: UnitScope) -> c.Expr:
        test = self.lower(expr.condition, scope)
        return self.chosen(
            test, lambda: self.lower(expr.then, scope), lambda: self.lower(expr.otherwise, scope), expr.type, scope
        )

    def chosen(
        self, test: c.Expr, yes: Callable[[], c.Expr], no: Callable[[], c.Expr], type_: t.Type, scope: UnitScope
    ) -> c.Expr:
        """Lower a choice of one of two values; only that one is evaluated."""
        if isinstance(test, c.Const):
            return yes() if test.value else no()
        with scope.branch() as then:
            scope.learn(test)
            one = yes()
        with scope.branch() as otherwise:
            scope.learn(test, holds=False)
            two = no()
        if not then and not otherwise:
            return either_of(test, one, two, type_)
        var = scope.new(type_)
        scope.out.append(c.If(test, (*then, c.Set(var, one)), (*otherwise, c.Set(var, two))))
        return var

    def _let(self, expr: m.LetExpr, scope: UnitScope) -> c.Expr:
        value = self.lower(expr.value, scope)
        # If the value is one of a few constants, the body is lowered for each of them.
        ends = _ends(value)
        if not 1 < ends <= CHAIN or ends * self.sizes.of(expr.body) > self.limits.loop:
            scope.env[expr.slot] = scope.named(value, expr.value.type)
            return self.lower(expr.body, scope)

        def of(value: c.Expr) -> c.Expr:
            if isinstance(value, c.Pick):
                return self.chosen(value.test, lambda: of(value.yes), lambda: of(value.no), expr.type, scope)
            scope.env[expr.slot] = value
            return self.lower(expr.body, scope)

        return of(value)

    def _match(self, expr: m.MatchExpr, scope: UnitScope) -> c.Expr:
        subject = scope.named(self.lower(expr.subject, scope), expr.subject.type)

        def rest(cases: Sequence[m.ValueCase]) -> c.Expr:
            if not cases:
                scope.out.append(c.Fail("arm", scope.path, expr.span))
                return unread(expr.type)
            case, *others = cases
            test = self.meets(subject, expr, case)
            return self.chosen(test, lambda: self._arm(case, subject, scope), lambda: rest(others), expr.type, scope)

        return rest(expr.cases)

    def meets(self, subject: c.Expr, expr: m.MatchExpr, case: m.ValueCase) -> c.Expr:
        """Lower the test whether a case matches a subject that no earlier case matches."""
        of, arms = expr.subject.type, [each.values for each in expr.cases]
        is_last = case is expr.cases[-1] and not isinstance(subject, c.Const)
        # If the cases cover the type, a value that no earlier case matches is one of the last case.
        if is_last and len(frozenset[t.Value]().union(*(values or () for values in arms))) == t.size(of):
            return TRUE
        return self.among(subject, case.values, of)

    def among(self, subject: c.Expr, values: frozenset[t.Value] | None, of: t.Type) -> c.Expr:
        """Lower the test whether the subject is one of the values of a case."""
        if values is None:
            return TRUE
        size = t.size(of)
        if size is not None and len(values) == size and not isinstance(subject, c.Const):
            return TRUE
        return op("has", subject, c.Const(values, t.SetOf(of)), gives=BOOL)

    def _arm(self, case: m.ValueCase, subject: c.Expr, scope: UnitScope) -> c.Expr:
        for bind in case.binds:
            scope.env[bind.slot] = self.bound(bind, subject)
        outside, scope.path = scope.path, case.path
        lowered = self.lower(case.body, scope)
        scope.path = outside
        return lowered

    def bound(self, bind: m.Binding, subject: c.Expr) -> c.Expr:
        """Lower the part of a matched value that a case names."""
        if isinstance(subject, c.Const):
            return c.Const(bind.table[subject.value], INT)
        return c.Lookup(bind.table, subject, INT)

    def _with_exceptions(self, expr: m.WithExceptions, scope: UnitScope) -> c.Expr:
        tests = [self._at(e.path, e.condition, scope) for e in expr.exceptions]
        if len(tests) > 1:
            # Each is read again where the values of two exceptions are compared.
            tests = [scope.named(test, BOOL) for test in tests]

        def rest(at: int) -> c.Expr:
            if at == len(tests):
                return self._at(expr.path, expr.body, scope)
            return self.chosen(tests[at], lambda: value_at(at), lambda: rest(at + 1), expr.type, scope)

        def value_at(at: int) -> c.Expr:
            value = self._at(expr.exceptions[at].path, expr.exceptions[at].value, scope)
            later = [other for other in range(at + 1, len(tests)) if tests[other] != FALSE]
            value = scope.named(value, expr.type) if later else value
            for other in later:
                with scope.branch() as statements:
                    different = self._at(expr.exceptions[other].path, expr.exceptions[other].value, scope)
                    apart = op("ne", different, value, gives=BOOL)
                    if apart != FALSE:
                        scope.out.append(c.If(apart, (c.Fail("contradiction", expr.path, expr.span),)))
                if statements:
                    scope.out.append(c.If(tests[other], tuple(statements)))
            return value

        return rest(0)

    def _at(self, path: str, expr: m.Expr, scope: UnitScope) -> c.Expr:
        outside, scope.path = scope.path, path
        lowered = self.lower(expr, scope)
        scope.path = outside
        return lowered

    def requirement(self, requirement: m.Requirement, scope: UnitScope) -> c.Expr:
        """Lower a requirement: its condition, or that of a waiver together with the waiver's own."""
        test = self._at(requirement.path, requirement.condition, scope)
        for waiver in requirement.waivers:

            def waived(waiver: m.Waiver = waiver) -> c.Expr:
                when = self._at(waiver.path, waiver.condition, scope)
                return self.joined(when, lambda: self._at(waiver.path, waiver.value, scope), True, scope)

            test = self.joined(test, waived, False, scope)
        return test

    # ---- collections

    def _set(self, expr: m.SetExpr, scope: UnitScope) -> c.Expr:
        return op("set_of", *[self.lower(item, scope) for item in expr.items], gives=expr.type)

    def _interval(self, expr: m.IntervalExpr, scope: UnitScope) -> c.Expr:
        ends = self.lower(expr.low, scope), self.lower(expr.high, scope)
        return op("interval_set", *ends, gives=expr.type)

    def _all_values(self, expr: m.AllValues, scope: UnitScope) -> c.Expr:
        return c.Const(frozenset(t.values(expr.of)), expr.type)

    def _extremum(self, expr: m.ExtremumExpr, scope: UnitScope) -> c.Expr:
        return op(expr.kind, *[self.lower(item, scope) for item in expr.items], gives=expr.type)

    # ---- functions of the language

    def _builtin(self, expr: m.Builtin, scope: UnitScope) -> c.Expr:
        first = expr.arguments[0] if expr.arguments else None
        match expr.name:
            case "total":
                assert first is not None
                return c.Call(self.total(), (self.lower(first, scope),), expr.type)
            case "top":
                assert isinstance(first, m.Read)
                return op("top", self.raw(first, scope), gives=expr.type)
            case "size":
                assert first is not None
                collection = self.whole(first, scope)
                is_zone = isinstance(first, m.Read) and first.element.kind in ("pile", "bag")
                if is_zone or t.element_type(first.type) is not None:
                    return op("size", collection, gives=expr.type)
                return c.Op("int", (op("some", collection, gives=BOOL),), INT)
            case "winner" | "game_over" | "to_move":
                raise NotImplementedError(expr.name)
        assert first is not None
        return self._computed(expr.name, expr, self.lower(first, scope), scope)

    def _computed(self, name: m.ValueFunction, expr: m.Builtin, value: c.Expr, scope: UnitScope) -> c.Expr:
        one = c.Const(1, INT)
        match name:
            case "seat":
                return op("sub", value, one, gives=expr.type)
            case "number":
                return op("add", value, one, gives=expr.type)
            case "opponent":
                return op("sub", one, value, gives=expr.type)
            case "next" | "previous":
                players = self.game.players
                step = 1 if name == "next" else players - 1
                table = tuple((seat + step) % players for seat in range(players))
                return c.Lookup(table, value, expr.type)
            case "clockwise":
                players = self.game.players
                rows = tuple(tuple((seat + by) % players for by in range(players)) for seat in range(players))
                return c.Lookup(rows, value, expr.type)
            case "abs":
                return op("abs", value, gives=expr.type)
            case "index":
                return value
            case "reversed":
                return op("reversed", self.sequence(expr.arguments[0], value), gives=expr.type)
            case "place_in":
                items = scope.named(self.sequence(expr.arguments[0], value), t.ListOf(INT))
                item = scope.named(self.lower(expr.arguments[1], scope), expr.arguments[1].type)
                is_listed = op("has", item, items, gives=BOOL)
                if is_listed != TRUE:
                    scope.out.append(c.If(negation(is_listed), (c.Fail("not_listed", scope.path, expr.span),)))
                return op("place_in", items, item, gives=expr.type)
            case _:
                assert_never(name)

    def _can_perform(self, expr: m.CanPerform, scope: UnitScope) -> c.Expr:
        arguments = tuple(scope.named(self.lower(each, scope), each.type) for each in expr.arguments)
        return self._can(expr.action, (scope.env[0], *arguments), scope, expr.span)

    def total(self) -> int:
        """Return the unit that adds up a player's points."""
        key = TOTAL, ()
        units = self.special.units
        if key not in units:
            with self._lowered_as(key, "total") as number:
                scope = UnitScope({0: c.Var(0, t.PlayerType(self.game.players))}, None)
                next(scope.numbers)
                points: c.Expr = c.Const(0, INT)
                for clause in self.game.scores:
                    points = op("add", points, self._at(clause.path, clause.value, scope), gives=INT)
                scope.out.append(c.Return(points))
                me = c.Var(0, t.PlayerType(self.game.players))
                self.program.units[number] = c.Unit("total", (me,), tuple(scope.out))
        return units[key]

    # ---- defines

    def reserved(self, name: str) -> int:
        """Reserve the number of a unit that is lowered later."""
        self.program.units.append(c.Unit(name, (), ()))
        return len(self.program.units) - 1

    @contextmanager
    def _lowered_as(self, key: tuple[str, tuple[Any, ...]], name: str) -> Iterator[int]:
        """Reserve the number of a unit under a key while the unit is lowered, so that it may call itself.

        If the lowering is interrupted (by Ctrl-C, say), the unit has no body, and nothing may find it.
        """
        units = self.special.units
        units[key] = self.reserved(name)
        try:
            yield units[key]
        except BaseException:
            del units[key]
            raise

    def hangs(self, *parts: Any) -> bool:
        """Return whether the parts depend on the evaluation in progress, such as on what can be performed."""
        return any(map(self._hangs, parts))

    def searches(self, define: m.Define) -> bool:
        """Return whether a define loops, so that it pays to memoize its value while no cell changes."""
        return define.name in self._searching and define.name in self._reading

    def deferred(
        self,
        name: str,
        types: Sequence[t.Type],
        lower: Callable[[int], object],
        is_now: bool,
        keeps: Literal["", "state"] = "",
        lists_moves: bool = False,
    ) -> int:
        """Add a unit that `lower`, given its number, lowers when its body is first read, or at once if `is_now`.

        A test of what can be performed may add blocks, which all have to be there before play. Other units only add
        units.
        """
        number = self.reserved(name)
        self.program.units[number].keeps = keeps
        if is_now:
            lower(number)
            return number
        self._recipes[number] = lower
        parameters = tuple(c.Var(at, of) for at, of in enumerate(types))
        self.program.units[number] = c.Deferred(name, parameters, keeps, lists_moves, self, number)
        return number

    def lowered(self, number: int) -> c.Body:
        """Lower a deferred unit, if that has not been done, and return its body."""
        with self._lock, deeper_recursion(self.game.budget), seldom_collecting():
            if isinstance(self.program.units[number], c.Deferred):  # no other thread has lowered it meanwhile
                self._recipes[number](number)
        return self.program.units[number].body

    def again(self, number: int) -> bool:
        """Lower a unit once more, with the limits for code that runs for long, and return whether that can be done.

        It keeps its number. The units that it then calls are new, unless they have been lowered so before.
        """
        with self._lock, deeper_recursion(self.game.budget), seldom_collecting():
            recipe = self._recipes.pop(number, None)
            if recipe is None or self.program.units[number].keeps == "always":
                return False
            self.special, before = self._faster, self.special
            try:
                recipe(number)
            finally:
                self.special = before
            return True

    def unit(
        self,
        name: str,
        types: Sequence[t.Type],
        lowered: Callable[[UnitScope, tuple[c.Var, ...]], c.Expr],
        number: int | None = None,
        lists_moves: bool = False,
    ) -> int:
        """Add a unit with these parameters, whose value `lowered` gives. number: its reserved number, if it has one."""
        number = self.reserved(name) if number is None else number
        scope = UnitScope({}, name)
        parameters = tuple(scope.new(of) for of in types)
        scope.out.append(c.Return(lowered(scope, parameters)))
        body, keeps = self.bodies.shared(scope), self.program.units[number].keeps
        self.program.units[number] = c.Unit(name, parameters, body, keeps, lists_moves=lists_moves)
        return number

    def _call(self, expr: m.CallDefine, scope: UnitScope) -> c.Expr:
        define = self.game.defines[expr.name]
        arguments = [self.lower(argument, scope) for argument in expr.arguments]
        if expr.name not in self._reading and not self._meets(expr.name):
            if all(isinstance(argument, c.Const) for argument in arguments):
                known = self._fact(expr.name, tuple(each.value for each in arguments), expr.type)  # type: ignore[union-attr]
                if known is not None:
                    return known
            table = self._table(define)
            if table is not None:
                pairs = zip((of for _, of in define.parameters), arguments, strict=True)
                index = self._mixed(pairs)
                return looked_up(table, index, expr.type)
        key, variable = self._variant(define, arguments)
        units, shares = self.special.units, self.special.shares
        if key not in units:
            with self._lowered_as(key, define.name) as number:
                lower = partial(self._define, define, key)
                if define.cycle is None and define.name not in self._hanging:
                    self._recipes[number] = lower
                lower(number)
        number = units[key]
        inlined = self._inlined(number, variable)
        if inlined is not None:
            return inlined
        if number not in shares:
            # At least this much, so that there are no more than 200 small variants.
            share = max(weight(self.program.units[number].body), self.limits.variants // 200)
            shares[number] = define.name, share
            self.special.variants[define.name] += share
        return c.Call(number, variable, expr.type)

    def _meets(self, name: str) -> bool:
        """Return whether a recursive define with a stated cycle value may be under way when this one, which it calls,
        is evaluated.

        Then the result depends on that, and must not be memoized.
        """
        cycle = self._within[-1] if self._within else TOTAL
        return name in self._rings.get(cycle, ())

    def _inlined(self, number: int, given: Sequence[c.Expr]) -> c.Expr | None:
        """Return the value of a unit inlined into the caller, or None unless it is a short expression."""
        unit = self.program.units[number]
        match unit.body:
            case (c.Return(value=value),) if unit.cycle is None and size(value) <= _SHORT:
                pairs = tuple(zip(unit.parameters, given, strict=True))
                # An argument that is read twice would be evaluated twice.
                if all(is_cheap(each) or occurrences(value, var) <= 1 for var, each in pairs):
                    return replaced(value, dict(pairs))
        return None

    def _table(self, define: m.Define) -> Items | None:
        """Evaluate a fact of few arguments for all combinations, in mixed-radix order."""
        if define.name not in self._tables:
            kinds = [of for _, of in define.parameters]
            plain = all(isinstance(of, t.Range | t.Words | t.Record | t.PlayerType | t.ComponentType) for of in kinds)
            self._tables[define.name] = None
            if kinds and plain and prod(t.size(of) or 0 for of in kinds) <= _TABLE:
                entries = [self._fact(define.name, values, define.result) for values in product(*map(t.values, kinds))]
                if all(each is not None for each in entries):
                    self._tables[define.name] = tuple(each.value for each in entries if each is not None)
        return self._tables[define.name]

    def _variant(
        self, define: m.Define, arguments: Sequence[c.Expr]
    ) -> tuple[tuple[str, tuple[Any, ...]], tuple[c.Expr, ...]]:
        """Return the key of the specialized variant that a call needs, and the remaining arguments."""
        if define.name not in self._reading and all(isinstance(each, c.Const) for each in arguments):
            return (define.name, (None,) * len(arguments)), tuple(arguments)  # evaluating it before play takes too long
        key = define.name, tuple(("is", each.value) if isinstance(each, c.Const) else None for each in arguments)
        special = self.special
        # After the limit, further calls share the unit with all parameters; the variants that exist are still used.
        if define.cycle is None and (key in special.units or special.variants[define.name] < self.limits.variants):
            return key, tuple(each for each in arguments if not isinstance(each, c.Const))
        return (define.name, (None,) * len(arguments)), tuple(arguments)

    def _define(self, define: m.Define, key: tuple[str, tuple[Any, ...]], number: int) -> None:
        scope = UnitScope({}, define.name)
        parameters = []
        # A known argument makes the unit a specialization: it is a constant in the body, and no parameter.
        for at, ((_, of), known) in enumerate(zip(define.parameters, key[1], strict=True), start=1):
            if known is None:
                parameters.append(scope.new(of))
                scope.env[at] = parameters[-1]
            else:
                scope.env[at] = c.Const(known[1], of)
        env = dict(scope.env)
        self._within.append(define.name)
        try:
            scope.out.append(c.Return(self.lower(define.body, scope)))
        finally:
            self._within.pop()
        unit = c.Unit(define.name, tuple(parameters), self.bodies.shared(scope))
        if define.cycle is not None:
            scope.env, scope.out = env, []
            cycle_value = self.lower(define.cycle, scope)
            assert not scope.out, "a cycle's value has no steps"
            unit.cycle = cycle_value
        elif self.searches(define) and self._costs.of_body(unit.body) > REMEMBERED:
            unit.keeps = "state"
        elif define.name not in self._reading | self._hanging and self._is_remembered(define):
            unit.keeps = "always"
        self.program.units[number] = unit

    def _is_remembered(self, define: m.Define) -> bool:
        kinds = [of for _, of in define.parameters]
        return (
            all((t.size(of) or MEMO_ENTRIES + 1) <= MEMO_ENTRIES for of in kinds)
            and prod(t.size(of) or 0 for of in kinds) <= MEMO_ENTRIES
        )


def _surely(actual: t.Type, type_: t.Type) -> bool:
    """Return whether every value of one type is a value of the other, with ranges taken into account."""
    match actual, type_:
        case t.Never(), _:
            return True
        case t.Range(low=low, high=high), t.Range(low=least, high=most):
            return least <= low and high <= most
        case t.Optional(of=inner), t.Optional(of=outer):
            return _surely(inner, outer)
        case (
            (t.SetOf(of=inner), t.SetOf(of=outer, most=None))
            | (t.BagOf(of=inner), t.BagOf(of=outer, most=None))
            | (t.ListOf(of=inner), t.ListOf(of=outer, most=None))
        ):
            return _surely(inner, outer)
        case _, t.Optional(of=outer):
            return _surely(actual, outer)
        case _:
            return actual == type_ and not isinstance(actual, t.SetOf | t.BagOf | t.ListOf)


def _ends(value: c.Expr) -> int:
    """Return in how many constants a chain of `Pick`s ends, or 0 if another value is possible."""
    match value:
        case c.Const():
            return 1
        case c.Pick(yes=yes, no=no):
            one, two = _ends(yes), _ends(no)
            return one + two if one and two else 0
    return 0


def largest(of: t.Type) -> int:
    """Return the largest absolute value that a number of the type can have."""
    of = t.strip_optional(of)
    return max(abs(of.low), abs(of.high)) if isinstance(of, t.Range) else LARGEST_NUMBER


def _rings(game: m.Game) -> Mapping[str, frozenset[str]]:
    """Return for each define the others in its strongly connected component, if one of them states a cycle value."""
    cyclic = {name for name, define in game.defines.items() if define.cycle is not None}
    if not cyclic:
        return {}
    named: dict[str, tuple[m.Expr, ...]] = {name: (define.body,) for name, define in game.defines.items()}
    named[TOTAL] = tuple(clause.value for clause in game.scores)
    calls = {
        name: [called for part in parts for node in nodes(part) if (called := callee(node)) in named]
        for name, parts in named.items()
    }
    rings = (frozenset(ring) for ring in strongly_connected(calls) if not cyclic.isdisjoint(ring))
    return {name: ring for ring in rings for name in ring}


_KINDS: Mapping[type, Callable[[ExpressionLowering, Any, UnitScope], c.Expr]] = {
    m.Local: ExpressionLowering._local,
    m.Read: ExpressionLowering._cell,
    m.CallDefine: ExpressionLowering._call,
    m.TableField: ExpressionLowering._table_field,
    m.MakeRecord: ExpressionLowering._make_record,
    m.MakeWord: ExpressionLowering._make_word,
    m.Arithmetic: ExpressionLowering._arithmetic,
    m.Combine: ExpressionLowering._combine,
    m.Minus: ExpressionLowering._minus,
    m.NotExpr: ExpressionLowering._not,
    m.Comparison: ExpressionLowering._comparison,
    m.Member: ExpressionLowering._member,
    m.Logic: ExpressionLowering._logic,
    m.EmptyTest: ExpressionLowering._empty_test,
    m.IfExpr: ExpressionLowering._if,
    m.Quantifier: lambda x, expr, scope: x.loops.quantifier(expr, scope),
    m.AggregateExpr: lambda x, expr, scope: x.loops.aggregate(expr, scope),
    m.PickExpr: lambda x, expr, scope: x.loops.pick(expr, scope),
    m.Checked: ExpressionLowering._checked,
    m.ExtremumExpr: ExpressionLowering._extremum,
    m.SetExpr: ExpressionLowering._set,
    m.IntervalExpr: ExpressionLowering._interval,
    m.AllValues: ExpressionLowering._all_values,
    m.Builtin: ExpressionLowering._builtin,
    m.CanPerform: ExpressionLowering._can_perform,
    m.MatchExpr: ExpressionLowering._match,
    m.LetExpr: ExpressionLowering._let,
    m.WithExceptions: ExpressionLowering._with_exceptions,
}
