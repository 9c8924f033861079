"""Code generation for operations that give a truth value: comparisons, membership, type tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ludex.spec import types as t

from ..ir import code as c
from .builder import NONE, VEILED
from .shapes import PUBLIC, TRIAL_AT, WIDEST, Flag, ItemList, Mask, NotCarried, Number, Shape, join, mask_of

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}


def _not(w: ExpressionEmitter, expr: c.Op) -> str:
    return w.f.let(f"xor i1 {w.test(expr.args[0])}, true")


def _none(w: ExpressionEmitter, expr: c.Op) -> str:
    value, shape = w.value(expr.args[0])
    some = expr.name == "some"
    test = "ne" if some else "eq"
    if isinstance(shape, ItemList):
        return w.f.let(f"icmp {test} ptr {value}, @none")
    # A mask, a truth value or a row has no representation of none (`expressions.py`, `in_shape`).
    if not isinstance(shape, Number):
        return "true" if some else "false"
    return w.f.let(f"icmp {test} i64 {value}, {NONE}")


def _between(w: ExpressionEmitter, expr: c.Op) -> str:
    value, low, high = (w.number(arg) for arg in expr.args)
    above = w.f.let(f"icmp sge i64 {value}, {low}")
    return w.f.let(f"and i1 {above}, {w.f.let(f'icmp sle i64 {value}, {high}')}")


def _has(w: ExpressionEmitter, expr: c.Op) -> str:
    item, items = expr.args
    shape = w.shape(items)
    if shape is None or (isinstance(shape, ItemList) and shape.item is None):
        w.value(item)  # it may fail
        return "false"
    if (
        isinstance(items, c.Const)
        and isinstance(shape, ItemList)
        and isinstance(shape.item, Number | Flag)
        and None not in items.value
    ):
        mask = Mask(min(map(int, items.value)), max(map(int, items.value)))
        # One bit is tested in place of a search.
        if mask.bits <= WIDEST:
            return w.has(w.constant(frozenset(items.value), mask), mask, w.number(item))
    value, _ = w.value(items)
    if isinstance(shape, Mask):
        return w.has(value, shape, w.number(item))
    assert isinstance(shape, ItemList)
    wider = join(shape.item, w.shape(item))
    assert wider is not None
    whole = ItemList(wider, shape.capacity, shape.distinct)
    if isinstance(wider, Number | Flag):
        entry = w.entry(item)
        # The items are compared in turn, as Python's `in` does. If the piece is veiled, the first comparison is with
        # that piece itself, or it has no answer.
        if w.module.veils(item.type) and not isinstance(item, c.Const):
            some = w.f.let(f"icmp ne i64 {w.size(value)}, 0")
            first = w.load(w.at(value, "0", shape), shape.item) if isinstance(shape.item, Number) else "0"
            apart = w.f.let(f"and i1 {some}, {w.f.let(f'icmp ne i64 {first}, {entry}')}")
            w.f.stop_if(w.f.let(f"and i1 {w.is_veiled(entry)}, {apart}"), VEILED)
        return has_number(w, value, shape, entry, w.module.veils(items.type))
    return w.listed(w.to(value, shape, whole), whole, w.in_shape(item, wider), wider)


def _fits(w: ExpressionEmitter, expr: c.Op) -> str:
    """Test whether a collection is in a type: its size, and each of its items."""
    value, shape = w.value(expr.args[0])
    of = expr.of
    assert isinstance(of, t.SetOf | t.BagOf | t.ListOf)
    f = w.f
    fits = "true"
    if of.most is not None:
        size = w.popcount(value, shape) if isinstance(shape, Mask) else w.size(value)
        fits = f.let(f"icmp sle i64 {size}, {of.most}")
    if isinstance(shape, Mask):
        mask = mask_of(of.of)
        if mask is None or (mask.low > shape.low or mask.high < shape.high or shape.optional > mask.optional):
            raise NotCarried("a set of numbers that may not fit")
        return fits
    if isinstance(shape, ItemList) and not _holds(w, of.of, shape.item):
        raise NotCarried("a list of items that may not fit")
    return fits


def _holds(w: ExpressionEmitter, of: t.Type, shape: Shape | None) -> bool:
    """Return whether all values of a shape are surely in a type."""
    match of, shape:
        case _, None:
            return True
        case t.Range(low=low, high=high), Number():
            return low <= shape.low and shape.high <= high and not shape.optional
        case t.Optional(of=inner), Number():
            return _holds(w, inner, Number(shape.low, shape.high))
        case ((t.ListOf() | t.BagOf() | t.SetOf()), ItemList()):
            return of.most is None and _holds(w, of.of, shape.item)
        case ((t.ListOf() | t.BagOf() | t.SetOf()), _):
            return False
    return isinstance(shape, Number | Flag)


def _is_part(w: ExpressionEmitter, expr: c.Op) -> str:
    """Test whether a bag contains another one."""
    f, (part, whole) = w.f, expr.args
    (part_items, value), (whole_items, all_) = w.as_list(part), w.as_list(whole)
    w.all_seen(value, part_items, part.type)
    w.all_seen(all_, whole_items, whole.type)
    if part_items.item is None or whole_items.item is None:
        return f.let(f"icmp eq i64 {w.size(value)}, 0")
    left, is_part = w.copied(all_, whole_items), f.slot("i1")
    f.put(is_part, "true", "i1")
    with f.counted("0", w.size(value)) as at:
        item = w.scalar(w.load(w.at(value, at, part_items), part_items.item), part_items.item)
        is_taken = f.let(f"call i1 @{w.module.taker(whole_items)}(ptr {left}, i64 {item})")
        f.put(is_part, f.let(f"and i1 {f.get(is_part, 'i1')}, {is_taken}"), "i1")
    return f.get(is_part, "i1")


def compared(w: ExpressionEmitter, name: str, left: c.Expr, right: c.Expr) -> str:
    shape = join(w.shape(left), w.shape(right))
    # Each side is `none` in place of a collection, or is never evaluated: all else has a shape.
    if shape is None:
        return "true" if name == "eq" else "false"
    if isinstance(shape, Flag):
        shape = Number(0, 1)
    one, two = w.in_shape(left, shape), w.in_shape(right, shape)
    if isinstance(shape, Number):
        truth = w.f.let(f"icmp {COMPARED[name]} i64 {one}, {two}")
        if w.module.veils(left.type) or w.module.veils(right.type):
            same = w.f.let(f"icmp eq i64 {one}, {two}")
            w.stop_if_undetermined(same, (one, left.type), (two, right.type))
        return truth
    if name not in ("eq", "ne"):
        raise NotCarried("collections in order")
    # Lists are compared item by item, and two lists with the items of one set may differ in order.
    if isinstance(shape, ItemList) and shape.distinct:
        raise NotCarried("large sets that are compared")
    if isinstance(shape, ItemList):
        w.all_seen(one, shape, left.type)
        w.all_seen(two, shape, right.type)
    same = w.equal(one, two, shape)
    return same if name == "eq" else w.f.let(f"xor i1 {same}, true")


def has_number(w: ExpressionEmitter, value: str, shape: ItemList, item: str, veiled: bool = False) -> str:
    """Test whether a list contains a number. veiled: it may contain veiled pieces, too."""
    f = w.f
    contains = f.slot("i1")
    assert shape.item is not None
    f.do(f"store i1 false, ptr {contains}")
    with f.counted("0", w.size(value)) as at:
        entry = w.to(w.load(w.at(value, at, shape), shape.item), shape.item, Number(0, 0))
        same = f.let(f"icmp eq i64 {entry}, {item}")
        if veiled:
            f.stop_if(f.let(f"icmp ugt i1 {w.is_veiled(entry)}, {same}"), VEILED)
        with f.when(same):
            f.do(f"store i1 true, ptr {contains}")
            f.jump(f.breaks[-1])
    return f.let(f"load i1, ptr {contains}")


PREDICATE_CODE: Mapping[str, Callable[[ExpressionEmitter, c.Op], str]] = {
    "is_trial": lambda w, _: w.f.let(f"icmp ne i8 {w.f.get(w.f.at('%S', TRIAL_AT), 'i8')}, 0"),
    "is_public": lambda w, _: w.f.let(f"icmp ne i8 {w.f.get(w.f.at('%S', PUBLIC), 'i8')}, 0"),
    "not": _not,
    "none": _none,
    "some": _none,
    "between": _between,
    "has": _has,
    "is_empty": lambda w, expr: w.is_empty(expr.args[0]),
    "fits": _fits,
    "is_part": _is_part,
}
