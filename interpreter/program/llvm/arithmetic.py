"""Code generation for operations that give a number: arithmetic with overflow tests, sizes, positions, records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from ludex.spec import types as t

from ..ir import code as c
from .builder import NONE, Limit
from .conditions import grouped_by_cells, matching_cells
from .shapes import LONGEST, Flag, ItemList, Mask, NotCarried, Number

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter

DENSE = 1 << 20
"""Limit of a table in the code, in entries: of records by their parts, or over an interval of numbers."""


def _sum(w: ExpressionEmitter, expr: c.Op) -> str:
    tests = {arg.args[0]: arg for arg in expr.args if isinstance(arg, c.Op) and arg.name == "int"}
    together, rest = grouped_by_cells(w, tuple(tests))
    # Equal tests are one key, and would be counted once; a term that is not a test has none.
    if len(tests) < len(expr.args) or not together:
        rest, together = expr.args, {}
    total = "0"
    for comparison, cells in together.items():
        kind, hits = matching_cells(w, comparison, cells)
        wide = hits if kind == "i128" else w.f.let(f"zext {kind} {hits} to i128")
        many = w.popcount(wide, Mask(0, LONGEST - 1))
        total = w.f.let(f"add i64 {total}, {w.f.let(f'sub i64 {len(cells)}, {many}') if comparison[2] else many}")
    for arg in rest:
        total = _checked(w, "sadd", total, w.number(tests.get(arg, arg)), expr)
    return total


def _checked(w: ExpressionEmitter, name: str, one: str, two: str, expr: c.Op) -> str:
    """Emit arithmetic that stops on overflow of 64 bits."""
    plain = {"sadd": "add", "ssub": "sub", "smul": "mul"}[name]
    if _is_small(w, expr):
        return w.f.let(f"{plain} nsw i64 {one}, {two}")
    return w.f.checked(name, one, two)


def _is_small(w: ExpressionEmitter, expr: c.Op) -> bool:
    """Return whether the operands are so small that nothing can overflow."""
    ends = []
    for arg in expr.args:
        match w.shape(arg):
            case Number(low=low, high=high):
                ends.append(max(abs(low), abs(high)))
            case Flag():
                ends.append(1)
    # Only sums have more than two operands.
    return sum(ends) < 2**62 and prod(ends[:2]) < 2**62


def _arithmetic(w: ExpressionEmitter, expr: c.Op) -> str:
    one, two = (w.number(arg) for arg in expr.args)
    return _checked(w, {"add": "sadd", "sub": "ssub", "mul": "smul"}[expr.name], one, two, expr)


def _divided(w: ExpressionEmitter, expr: c.Op) -> str:
    """Emit floor division. The program has tested the divisor; a zero only must not trap."""
    f = w.f
    one, two = (w.number(arg) for arg in expr.args)
    zero = f.let(f"icmp eq i64 {two}, 0")
    f.stop_if(zero, Limit.NUMBER)
    # None divided by -1 would trap. No number has that word, but this may be evaluated where the result is not
    # used.
    least = f.let(f"icmp eq i64 {one}, {NONE}")
    f.stop_if(least, Limit.NUMBER)
    quotient = f.let(f"sdiv i64 {one}, {two}")
    rest = f.let(f"srem i64 {one}, {two}")
    other = f.let(f"icmp slt i64 {f.let(f'xor i64 {rest}, {two}')}, 0")
    # LLVM rounds towards zero, the language down.
    lower = f.let(f"and i1 {other}, {f.let(f'icmp ne i64 {rest}, 0')}")
    if expr.name == "div":
        return f.let(f"sub i64 {quotient}, {f.let(f'zext i1 {lower} to i64')}")
    return f.let(f"add i64 {rest}, {f.let(f'select i1 {lower}, i64 {two}, i64 0')}")


def _negated(w: ExpressionEmitter, expr: c.Op) -> str:
    return w.f.let(f"sub i64 0, {w.number(expr.args[0])}")


def _absolute(w: ExpressionEmitter, expr: c.Op) -> str:
    return w.f.let(f"call i64 @llvm.abs.i64(i64 {w.number(expr.args[0])}, i1 false)")


def _extreme(w: ExpressionEmitter, expr: c.Op) -> str:
    name = "smin" if expr.name == "min" else "smax"
    first, *others = expr.args
    result = w.number(first)
    for arg in others:
        result = w.f.let(f"call i64 @llvm.{name}.i64(i64 {result}, i64 {w.number(arg)})")
    return result


def _size(w: ExpressionEmitter, expr: c.Op) -> str:
    value, shape = w.value(expr.args[0])
    match shape:
        case Mask():
            return w.popcount(value, shape)
        case ItemList():
            return w.size(value)
        case None:
            return "0"
    raise NotCarried(f"the size of {shape}")


def _place_in(w: ExpressionEmitter, expr: c.Op) -> str:
    """Return the position of an item that is there, from 1."""
    items, item = expr.args
    shape, value = w.as_list(items)
    of = shape.item or Number(0, 0)  # a list of which nothing is known is empty
    given = w.in_shape(item, of)
    w.all_seen(value, shape, items.type)
    # Positions count from 1; 0 means that the item was not found.
    position = w.f.slot("i64")
    w.f.do(f"store i64 0, ptr {position}")
    with w.f.counted("0", w.size(value)) as at:
        is_same = w.equal(w.load(w.at(value, at, shape), of), given, of)
        with w.f.when(is_same):
            w.f.do(f"store i64 {w.f.let(f'add i64 {at}, 1')}, ptr {position}")
            w.f.jump(w.f.breaks[-1])
    place = w.f.let(f"load i64, ptr {position}")
    w.f.stop_if(w.f.let(f"icmp eq i64 {place}, 0"), Limit.INDEX)
    return place


def _position(w: ExpressionEmitter, expr: c.Op) -> str:
    of = expr.of
    value = w.number(expr.args[0])
    inside = t.strip_optional(of) if of is not None else None
    low = inside.low if isinstance(inside, t.Range) else 0
    if not isinstance(of, t.Optional):
        return w.f.let(f"sub i64 {value}, {low}")
    none = w.f.let(f"icmp eq i64 {value}, {NONE}")
    return w.f.let(f"select i1 {none}, i64 0, i64 {w.f.let(f'sub i64 {value}, {low - 1}')}")


def _find(w: ExpressionEmitter, expr: c.Op) -> str:
    """Return the number of the record with these parts, or none."""
    f = w.f
    assert isinstance(expr.of, t.Record)
    record = expr.of
    sizes = [t.size(of) or 0 for _, of in record.fields]
    if prod(sizes) > DENSE:
        raise NotCarried(f"records of {prod(sizes)} combinations of parts")
    rows = product(*(t.values(of) for _, of in record.fields))
    table = tuple(record.positions.get(row) for row in rows)
    at, inside = "0", "true"
    for (_, of), size, arg in zip(record.fields, sizes, expr.args, strict=True):
        low = of.low if isinstance(of, t.Range) else 0
        if isinstance(of, t.Optional):
            raise NotCarried("records with parts that may be none")
        part = f.let(f"sub i64 {w.number(arg)}, {low}")
        inside = f.let(f"and i1 {inside}, {f.let(f'icmp ult i64 {part}, {size}')}")
        at = f.let(f"add i64 {f.let(f'mul i64 {at}, {size}')}, {part}")
    return _entry(w, table, at, inside, Number(0, len(record.members), True))


def _select(w: ExpressionEmitter, expr: c.Op) -> str:
    """Look a number up in a table of pairs; none if it is not there."""
    key, pairs = expr.args
    assert isinstance(pairs, c.Const)
    values = dict(pairs.value)
    low, high = min(values, default=0), max(values, default=0)
    if high - low >= DENSE:
        raise NotCarried(f"a table over {high - low} numbers")
    table = tuple(values.get(each) for each in range(low, high + 1))
    at = w.f.let(f"sub i64 {w.number(key)}, {low}")
    shape = w.shape(expr)
    assert isinstance(shape, Number)
    return _entry(w, table, at, w.f.let(f"icmp ult i64 {at}, {len(table)}"), shape)


def _entry(w: ExpressionEmitter, table: tuple[t.Value, ...], at: str, inside: str, shape: Number) -> str:
    """Load an entry of a table of numbers, or none if the index is out of range."""
    f = w.f
    # The entry is loaded even where it is not used, which takes less than a branch, so it has to be inside the
    # table.
    safe = f.let(f"mul i64 {f.let(f'select i1 {inside}, i64 {at}, i64 0')}, {shape.bytes}")
    entry = w.load(f.at(w.module.table(table, shape), safe), shape)
    return f.let(f"select i1 {inside}, i64 {entry}, i64 {NONE}")


ARITHMETIC_CODE: Mapping[str, Callable[[ExpressionEmitter, c.Op], str]] = {
    "add": _arithmetic,
    "sub": _arithmetic,
    "mul": _arithmetic,
    "sum": _sum,
    "div": _divided,
    "mod": _divided,
    "neg": _negated,
    "abs": _absolute,
    "min": _extreme,
    "max": _extreme,
    "size": _size,
    "place_in": _place_in,
    "position": _position,
    "int": lambda w, expr: w.number(expr.args[0]),
    "find": _find,
    "select": _select,
}
