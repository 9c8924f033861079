"""How values are read, made, compared and combined, and how expressions branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain

from ludex.spec import ARITHMETIC, COMPARE, LARGEST_NUMBER, faults
from ludex.spec import model as m
from ludex.spec import types as t

from .evaluate import Compile, Expressions, Fn, Path, Slots, order_of, piece
from .state import State
from .veil import Veiled

# ---- reading


def _constant(x: Expressions, expr: m.Constant, path: Path) -> Fn:
    value = expr.value
    return lambda s, f: value


def _local(x: Expressions, expr: m.Local, path: Path) -> Fn:
    slot = expr.slot
    return lambda s, f: f[slot]


def _all_values(x: Expressions, expr: m.AllValues, path: Path) -> Fn:
    every = frozenset(t.values(expr.of))
    return lambda s, f: every


def _read(x: Expressions, expr: m.Read, path: Path) -> Fn:
    raw = _seen(x, expr, path)
    if expr.element.kind == "pile":
        held = x.metered(raw, path, expr.span)
        return lambda s, f: held(s, f)[::-1]
    return raw


def _seen(x: Expressions, expr: m.Read, path: Path) -> Fn:
    """The cell, which must hold no ticket: only a hidden zone's can."""
    raw, element = x.raw(expr, path), expr.element
    if not element.is_zone or element.visibility != "hidden":
        return raw
    if element.kind == "one":
        return lambda s, f: piece(raw(s, f), expr, path)
    held = x.metered(raw, path, expr.span)
    return lambda s, f: tuple([piece(entry, expr, path) for entry in held(s, f)])


def _table_field(x: Expressions, expr: m.TableField, path: Path) -> Fn:
    operand, table = x.compile(expr.operand, path), expr.table
    return lambda s, f: None if (value := operand(s, f)) is None else table[value]


# ---- making


def _make_record(x: Expressions, expr: m.MakeRecord, path: Path) -> Fn:
    assert isinstance(expr.record, t.Record)
    found = expr.record.positions.get
    parts = [x.compile(part, path) for part in expr.parts]
    if len(parts) == 2:
        one, two = parts
        return lambda s, f: found((one(s, f), two(s, f)))
    return lambda s, f: found(tuple([part(s, f) for part in parts]))


def _make_word(x: Expressions, expr: m.MakeWord, path: Path) -> Fn:
    assert isinstance(expr.words, t.Words)
    positions, case = expr.words.positions, expr.case
    parts = [x.compile(part, path) for part in expr.parts]
    return lambda s, f: positions[case, tuple([part(s, f) for part in parts])]


def _set(x: Expressions, expr: m.SetExpr, path: Path) -> Fn:
    items = [x.compile(item, path) for item in expr.items]
    return lambda s, f: frozenset([item(s, f) for item in items])


def _interval(x: Expressions, expr: m.IntervalExpr, path: Path) -> Fn:
    low, high = x.compile(expr.low, path), x.compile(expr.high, path)
    numbers = x.metered(lambda s, f: range(low(s, f), high(s, f) + 1), path, expr.span)
    return lambda s, f: frozenset(numbers(s, f))


# ---- operators


def _arithmetic(x: Expressions, expr: m.Arithmetic, path: Path) -> Fn:
    left, right = x.compile(expr.left, path), x.compile(expr.right, path)
    match expr.operator:
        case "+":
            return lambda s, f: left(s, f) + right(s, f)
        case "-":
            return lambda s, f: left(s, f) - right(s, f)
        case "*":
            return _product(left, right, expr, path)
        case "div" | "mod":
            return _division(ARITHMETIC[expr.operator], left, right, expr, path)


CERTAIN = 1_000_000
"""Ranges are worked out before play up to this; what ends there may be anything (`spec/elaborate/bounds.py`)."""


def _product(left: Fn, right: Fn, expr: m.Arithmetic, path: Path) -> Fn:
    if isinstance(expr.type, t.Range) and expr.type.low > -CERTAIN and expr.type.high < CERTAIN:
        return lambda s, f: left(s, f) * right(s, f)

    def product(s: State, f: Slots) -> int:
        value: int = left(s, f) * right(s, f)
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            raise faults.too_large(expr, path)
        return value

    return product


def _division(divide: Callable[[int, int], int], left: Fn, right: Fn, expr: m.Arithmetic, path: Path) -> Fn:
    def division(s: State, f: Slots) -> int:
        by = right(s, f)
        if by == 0:
            raise faults.divided_by_zero(expr, path)
        return divide(left(s, f), by)

    return division


def _combine(x: Expressions, expr: m.Combine, path: Path) -> Fn:
    left, right = _operand(x, expr.left, path), _operand(x, expr.right, path)
    add = expr.operator == "+"
    match expr.type:
        case t.SetOf():
            if add:
                return lambda s, f: frozenset(left(s, f)).union(right(s, f))
            return lambda s, f: frozenset(left(s, f)).difference(right(s, f))
        case t.ListOf():
            return lambda s, f: (*left(s, f), *right(s, f))
        case _:
            put_in_order = order_of(t.element_type(expr.type) or expr.type)
            if add:
                return lambda s, f: tuple(put_in_order(chain(left(s, f), right(s, f))))
            return lambda s, f: tuple(put_in_order((Counter(left(s, f)) - Counter(right(s, f))).elements()))


def _operand(x: Expressions, expr: m.Expr, path: Path) -> Fn:
    """A collection's items, in any order; a zone for one piece counts as one."""
    if t.element_type(expr.type) is None:
        return x.items(expr, path)
    return x.metered(x.compile(expr, path), path, expr.span)


def _minus(x: Expressions, expr: m.Minus, path: Path) -> Fn:
    operand = x.compile(expr.operand, path)
    return lambda s, f: -operand(s, f)


def _not(x: Expressions, expr: m.NotExpr, path: Path) -> Fn:
    operand = x.compile(expr.operand, path)
    return lambda s, f: not operand(s, f)


def _comparison(x: Expressions, expr: m.Comparison, path: Path) -> Fn:
    left, right = x.compile(expr.left, path), x.compile(expr.right, path)
    if expr.operator == "=":
        if isinstance(expr.right, m.Local) and not expr.right.narrowed:
            slot = expr.right.slot
            return lambda s, f: left(s, f) == f[slot]
        return lambda s, f: left(s, f) == right(s, f)
    if t.element_type(expr.left.type) is not None:
        left = x.metered(left, path, expr.left.span)
    compare, known = COMPARE[expr.operator], x.fixed(expr.right, path)
    if known is not None:
        (value,) = known
        return lambda s, f: compare(left(s, f), value)
    return lambda s, f: compare(left(s, f), right(s, f))


def _member(x: Expressions, expr: m.Member, path: Path) -> Fn:
    item, holds = x.compile(expr.item, path), x.holder(expr.collection, path)
    if expr.negated:
        return lambda s, f: not holds(s, f, item(s, f))
    return lambda s, f: holds(s, f, item(s, f))


def _logic(x: Expressions, expr: m.Logic, path: Path) -> Fn:
    left, right = x.compile(expr.left, path), x.compile(expr.right, path)
    match expr.operator:
        case "and":
            return _both(left, right)
        case "or":
            return _either(left, right)
        case "implies":
            return _either(lambda s, f: not left(s, f), right)


def _both(left: Fn, right: Fn) -> Fn:
    """Where the left side is veiled, the right one may tell all the same; so it is below."""

    def both(s: State, f: Slots) -> t.Value:
        try:
            return left(s, f) and right(s, f)
        except Veiled:
            if right(s, f):
                raise
            return False

    return both


def _either(left: Fn, right: Fn) -> Fn:
    def either(s: State, f: Slots) -> t.Value:
        try:
            return left(s, f) or right(s, f)
        except Veiled:
            if right(s, f):
                return True
            raise

    return either


def _empty_test(x: Expressions, expr: m.EmptyTest, path: Path) -> Fn:
    operand = expr.operand
    value = x.raw(operand, path) if isinstance(operand, m.Read) else x.compile(replace(operand, narrowed=False), path)
    if holds_many(operand):
        return (lambda s, f: bool(value(s, f))) if expr.negated else (lambda s, f: not value(s, f))
    if expr.negated:
        return lambda s, f: value(s, f) is not None
    return lambda s, f: value(s, f) is None


def holds_many(expr: m.Expr) -> bool:
    """Whether the expression is a collection, rather than one piece or none."""
    return t.element_type(expr.type) is not None or (isinstance(expr, m.Read) and expr.element.kind in {"pile", "bag"})


def _checked(x: Expressions, expr: m.Checked, path: Path) -> Fn:
    operand, type_ = x.compile(expr.operand, expr.path), expr.type

    def in_range(s: State, f: Slots) -> t.Value:
        value = operand(s, f)
        if value is None or not low <= value <= high:
            raise faults.outside(expr, value)
        return value

    def in_type(s: State, f: Slots) -> t.Value:
        value = operand(s, f)
        if not _lies_in(type_, value):
            raise faults.outside(expr, value)
        return value

    if isinstance(type_, t.Range):
        low, high = type_.low, type_.high
        return in_range
    return in_type


def _lies_in(type_: t.Type, value: t.Value) -> bool:
    return isinstance(type_, t.Optional) if value is None else t.contains(type_, value)


# ---- branching


def _if(x: Expressions, expr: m.IfExpr, path: Path) -> Fn:
    condition = x.compile(expr.condition, path)
    then, otherwise = x.compile(expr.then, path), x.compile(expr.otherwise, path)
    return lambda s, f: then(s, f) if condition(s, f) else otherwise(s, f)


def _let(x: Expressions, expr: m.LetExpr, path: Path) -> Fn:
    slot, value, body = expr.slot, x.compile(expr.value, path), x.compile(expr.body, path)

    def let(s: State, f: Slots) -> t.Value:
        f[slot] = value(s, f)
        return body(s, f)

    return let


def _match(x: Expressions, expr: m.MatchExpr, path: Path) -> Fn:
    subject = x.compile(expr.subject, path)
    arms = [(case.values, (case.binds, x.compile(case.body, case.path))) for case in expr.cases]
    table = {value: arm for held, arm in reversed(arms) for value in held or ()}
    rest = next((arm for held, arm in arms if held is None), None)

    def match(s: State, f: Slots) -> t.Value:
        value = subject(s, f)
        arm = table.get(value, rest)
        if arm is None:
            raise faults.no_arm(expr, value, path)
        binds, body = arm
        for bind in binds:
            f[bind.slot] = bind.table[value]
        return body(s, f)

    return match


def _with_exceptions(x: Expressions, expr: m.WithExceptions, path: Path) -> Fn:
    body = x.compile(expr.body, expr.path)
    cases = [
        (case.path, x.compile(case.condition, case.path), x.compile(case.value, case.path)) for case in expr.exceptions
    ]

    def with_exceptions(s: State, f: Slots) -> t.Value:
        holding = [(name, value(s, f)) for name, condition, value in cases if condition(s, f)]
        if not holding:
            return body(s, f)
        (name, value), *others = holding
        for other, different in others:
            if different != value:
                raise faults.contradiction(expr, name, other)
        return value

    return with_exceptions


def _unsaid(x: Expressions, expr: m.Unsaid, path: Path) -> Fn:
    def unsaid(s: State, f: Slots) -> t.Value:
        raise faults.unsaid(expr, path)

    return unsaid


OPERATORS: Mapping[type, Compile] = {
    m.Constant: _constant,
    m.Local: _local,
    m.AllValues: _all_values,
    m.Read: _read,
    m.TableField: _table_field,
    m.MakeRecord: _make_record,
    m.MakeWord: _make_word,
    m.SetExpr: _set,
    m.IntervalExpr: _interval,
    m.Arithmetic: _arithmetic,
    m.Combine: _combine,
    m.Minus: _minus,
    m.NotExpr: _not,
    m.Comparison: _comparison,
    m.Member: _member,
    m.Logic: _logic,
    m.EmptyTest: _empty_test,
    m.Checked: _checked,
    m.IfExpr: _if,
    m.LetExpr: _let,
    m.MatchExpr: _match,
    m.WithExceptions: _with_exceptions,
    m.Unsaid: _unsaid,
}
