"""Quantifiers, aggregates and picks: expressions that go through collections.

A loop's name is a slot, so `for f[slot] in ...` binds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludex.spec import faults
from ludex.spec import model as m
from ludex.spec import types as t

from .evaluate import Compile, Expressions, Fn, Path, Slots, order_of
from .state import State
from .walk import units


def _quantifier(x: Expressions, expr: m.Quantifier, path: Path) -> Fn:
    has = x.compile(expr.has, path)
    where = None if expr.where is None else x.compile(expr.where, path)
    found = _some(x, expr.loops, _sought(expr.kind, where, has), path, units(expr.where, expr.has))
    return found if expr.kind == "some" else lambda s, f: not found(s, f)


def _sought(kind: str, where: Fn | None, has: Fn) -> Fn:
    """What a quantifier looks for: a witness for `some` and `no`, a counterexample for `every`."""
    if kind == "every":
        return (lambda s, f: not has(s, f)) if where is None else (lambda s, f: where(s, f) and not has(s, f))
    return has if where is None else (lambda s, f: where(s, f) and has(s, f))


def _some(x: Expressions, loops: tuple[m.Loop, ...], test: Fn, path: Path, each: int) -> Fn:
    """Whether the test, which counts `each` units of work, holds for some values of the loops' names."""
    if not loops:
        return test
    slot, items = loops[0].slot, x.items(loops[0].domain, path, 1 if loops[1:] else each)
    inner = _some(x, loops[1:], test, path, each)

    def some(s: State, f: Slots) -> bool:
        for item in items(s, f):
            f[slot] = item
            if inner(s, f):
                return True
        return False

    return some


def _aggregate(x: Expressions, expr: m.AggregateExpr, path: Path) -> Fn:
    gather = _gather(x, expr, expr.loops, path)
    match expr.kind:
        case "sum":
            return lambda s, f: sum(gather(s, f))
        case "count":
            return lambda s, f: len(gather(s, f))
        case "set":
            return lambda s, f: frozenset(gather(s, f))
        case "list":
            return lambda s, f: tuple(gather(s, f))
        case "bag":
            put_in_order = order_of(t.element_type(expr.type) or expr.type)
            return lambda s, f: tuple(put_in_order(gather(s, f)))
        case "max":
            return _extreme(x, max, expr, gather, path)
        case "min":
            return _extreme(x, min, expr, gather, path)


def _gather(x: Expressions, expr: m.AggregateExpr, loops: tuple[m.Loop, ...], path: Path) -> Fn:
    """The values of the aggregate's expression, in the loops' order, as a list."""
    loop, *more = loops
    slot, items = loop.slot, x.items(loop.domain, path, 1 if more else units(expr.where, expr.value))
    if more:
        inner = _gather(x, expr, tuple(more), path)
        return lambda s, f: [value for f[slot] in items(s, f) for value in inner(s, f)]
    value = x.compile(expr.value, path)
    if expr.where is None:
        return lambda s, f: [value(s, f) for f[slot] in items(s, f)]
    where = x.compile(expr.where, path)
    return lambda s, f: [value(s, f) for f[slot] in items(s, f) if where(s, f)]


def _extreme(
    x: Expressions, pick: Callable[[list[t.Value]], t.Value], expr: m.AggregateExpr, gather: Fn, path: Path
) -> Fn:
    otherwise = None if expr.otherwise is None else x.compile(expr.otherwise, path)

    def extreme(s: State, f: Slots) -> t.Value:
        found = gather(s, f)
        if found:
            return pick(found)
        if otherwise is None:
            raise faults.nothing_to_rank(expr, path)
        return otherwise(s, f)

    return extreme


def _pick(x: Expressions, expr: m.PickExpr, path: Path) -> Fn:
    slot, items = expr.loop.slot, x.items(expr.loop.domain, path, units(expr.where))
    where = None if expr.where is None else x.compile(expr.where, path)
    otherwise = None if expr.otherwise is None else x.compile(expr.otherwise, path)
    only = expr.kind == "the"

    def candidates(s: State, f: Slots) -> list[t.Value]:
        """The first that fits; for `the` a second one, too."""
        found: list[t.Value] = []
        for item in items(s, f):
            f[slot] = item
            if item not in found and (where is None or where(s, f)):
                found.append(item)
                if not only or len(found) > 1:
                    break
        return found

    def pick(s: State, f: Slots) -> t.Value:
        found = candidates(s, f)
        if not found and otherwise is not None:
            return otherwise(s, f)
        if len(found) != 1:
            raise faults.not_one(expr, len(found), path)
        return found[0]

    return pick


def _extremum(x: Expressions, expr: m.ExtremumExpr, path: Path) -> Fn:
    items = [x.compile(item, path) for item in expr.items]
    if expr.kind == "max":
        return lambda s, f: max([item(s, f) for item in items])
    return lambda s, f: min([item(s, f) for item in items])


LOOPS: Mapping[type, Compile] = {
    m.Quantifier: _quantifier,
    m.AggregateExpr: _aggregate,
    m.PickExpr: _pick,
    m.ExtremumExpr: _extremum,
}
