"""Constructors of expressions simplify without changing values."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import BOOL, FUNCTIONS, INT, both, either, either_of, negation, op
from ludex.spec import types as t

from ..cases import cases

DIGIT = t.Range(0, 3)
CELLS = [c.Load(0, None, 1, t.Optional(DIGIT)), c.Load(1, None, 1, DIGIT), c.Load(2, None, 1, BOOL)]
CALLS = [c.Call(0, (), DIGIT), c.Call(1, (), BOOL)]
STATES = list(product([None, *range(4)], range(4), (False, True)))
TABLE = (2, 0, 2, 1)

Pair = tuple[c.Expr, c.Expr]
"""An expression made by the constructors, and the same without simplification."""


class Failed(Exception):
    """A unit has no value in this state."""


def value(expr: c.Expr, cells: tuple[Any, ...]) -> Any:
    match expr:
        case c.Call(unit=unit):
            if cells[1] == unit:
                raise Failed
            return cells[1 + unit]
        case c.Const(value=known):
            return known
        case c.Load(base=base):
            return cells[base]
        case c.Lookup(table=table, index=index):
            return table[value(index, cells)]
        case c.Pick(test=test, yes=yes, no=no):
            return value(yes if value(test, cells) else no, cells)
        case c.Op(name="and", args=args):
            return all(value(arg, cells) for arg in args)
        case c.Op(name="or", args=args):
            return any(value(arg, cells) for arg in args)
        case c.Op(name="sum", args=args):
            return sum(value(arg, cells) for arg in args)
        case c.Op(name="int", args=(test,)):
            return int(value(test, cells))
        case c.Op(name=name, args=args):
            return FUNCTIONS[name](*[value(arg, cells) for arg in args])
    raise AssertionError(expr)


def same(expr: c.Expr) -> Pair:
    return expr, expr


def made(name: str, *parts: Pair, gives: t.Type = BOOL) -> Pair:
    return op(name, *[one for one, _ in parts], gives=gives), c.Op(name, tuple(other for _, other in parts), gives)


def picked(test: Pair, yes: Pair, no: Pair, gives: t.Type) -> Pair:
    return either_of(test[0], yes[0], no[0], gives), c.Pick(test[1], yes[1], no[1], gives)


def looked_up(index: c.Expr) -> Pair:
    """Look a row up only if the index is in the table."""
    lookup = c.Lookup(TABLE, index, DIGIT)
    nothing = c.Const(None, t.Optional(DIGIT))
    return picked(made("none", same(index)), same(nothing), same(lookup), t.Optional(DIGIT))


def left(tests: list[Pair]) -> Pair:
    """Return how many of the tests fail."""
    one, other = (c.Op("sum", tuple(c.Op("int", (pair[at],), INT) for pair in tests), INT) for at in (0, 1))
    whole = c.Const(len(tests), INT)
    return op("sub", whole, one, gives=INT), c.Op("sub", (whole, other), INT)


def few(item: Pair) -> Pair:
    """Whether a set of one has at most one."""
    held = made("size", made("set_of", item, gives=t.SetOf(DIGIT)), gives=INT)
    return made("le", held, same(c.Const(1, INT)))


def selected(key: Pair, known: dict[int, int]) -> Pair:
    pairs = c.Const(tuple(known.items()), t.ListOf(INT))
    return op("select", key[0], pairs, gives=t.Optional(DIGIT)), c.Op("select", (key[1], pairs), t.Optional(DIGIT))


def scaled(factor: int, item: Pair) -> Pair:
    return made("mul", same(c.Const(factor, DIGIT)), item, gives=INT)


digits = st.integers(0, 3).map(lambda digit: same(c.Const(digit, DIGIT)))
sets = st.one_of(st.frozensets(st.integers(0, 3)), st.just(frozenset(range(4)))).map(
    lambda held: same(c.Const(held, t.SetOf(DIGIT)))
)
items = st.one_of(
    st.sampled_from([*map(same, CELLS[:2]), same(CALLS[0]), looked_up(CELLS[0]), looked_up(CELLS[1])]),
    st.builds(
        lambda test, one, two: picked(same(test), one, two, DIGIT),
        st.sampled_from([CELLS[2], CALLS[1]]),
        digits,
        digits,
    ),
    st.builds(scaled, st.integers(0, 1), st.just(same(CALLS[0]))),
)
compared = st.builds(made, st.sampled_from(["eq", "ne"]), items, digits)
counts = st.lists(compared, min_size=2, max_size=3).map(left)
tests = st.recursive(
    st.one_of(
        st.builds(made, st.just("has"), counts, sets),
        st.builds(
            lambda name, key, known: made(name, selected(key, known)),
            st.sampled_from(["none", "some"]),
            counts,
            st.dictionaries(st.integers(0, 3), st.integers(0, 3), max_size=3),
        ),
        st.sampled_from([same(CELLS[2]), same(CALLS[1])]),
        st.builds(few, items),
        st.builds(made, st.sampled_from(["none", "some"]), items),
        compared,
        st.builds(made, st.just("has"), items, sets),
        st.booleans().map(lambda truth: same(c.Const(truth, BOOL))),
    ),
    lambda inner: st.one_of(
        st.builds(lambda a: (negation(a[0]), c.Op("not", (a[1],), BOOL)), inner),
        st.builds(lambda a, b: (both(a[0], b[0]), c.Op("and", (a[1], b[1]), BOOL)), inner, inner),
        st.builds(lambda a, b: (either(a[0], b[0]), c.Op("or", (a[1], b[1]), BOOL)), inner, inner),
        st.builds(lambda a, b, d: picked(a, b, d, BOOL), inner, inner, inner),
    ),
    max_leaves=8,
)


@cases(2000)
@given(tests)
def test_a_simplified_expression_has_the_same_value(pair: Pair) -> None:
    short, plain = pair
    assert [truth(short, cells) for cells in STATES] == [truth(plain, cells) for cells in STATES]


def truth(test: c.Expr, cells: tuple[Any, ...]) -> bool | None:
    """None: the test fails. Simplified expressions must fail in the same states."""
    try:
        return bool(value(test, cells))
    except Failed:
        return None


ROWS = (frozenset({0, 1}), frozenset({1}), frozenset({2, 3}), frozenset[int]())


@pytest.mark.parametrize("name", ["union", "minus"])
def test_sets_from_two_tables_with_the_same_index_are_one_table(name: str) -> None:
    one, two = (c.Lookup(rows, CELLS[1], t.SetOf(DIGIT)) for rows in (ROWS, ROWS[::-1]))
    table = op(name, one, two, gives=t.SetOf(DIGIT))
    assert isinstance(table, c.Lookup)
    plain = c.Op(name, (one, two), t.SetOf(DIGIT))
    assert [value(table, (0, digit, 0)) for digit in range(4)] == [value(plain, (0, digit, 0)) for digit in range(4)]


def test_sets_from_tables_with_different_indices_or_missing_rows_are_no_table() -> None:
    one, two = (c.Lookup(ROWS, index, t.SetOf(DIGIT)) for index in CELLS[:2])
    missing = c.Lookup((*ROWS[:3], None), CELLS[1], t.Optional(t.SetOf(DIGIT)))
    for args in ((one, two), (two, missing), (two, c.Const(ROWS[0], t.SetOf(DIGIT)))):
        assert isinstance(op("union", *args, gives=t.SetOf(DIGIT)), c.Op)


def test_two_tests_in_which_set_an_item_is_are_one_test() -> None:
    def within(*values: int) -> c.Expr:
        return c.Op("has", (CELLS[1], c.Const(frozenset(values), t.SetOf(DIGIT))), BOOL)

    assert both(within(1, 2), within(2, 3)) == within(2)
    # A test that holds for nothing still looks at the item, which may be unknown.
    apart = both(within(0, 1), within(2, 3))
    assert apart == c.Op("and", (within(0, 1), within(2, 3)), BOOL)
