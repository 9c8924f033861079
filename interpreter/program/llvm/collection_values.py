"""Code generation for operations that make a list, bag or set: union, difference, order, intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ludex.spec import types as t

from ..ir import code as c
from .builder import NONE, Limit
from .shapes import HEADER, ArgumentRow, ItemList, Mask, NotCarried, Number, Shape, numbers
from .subsets import FIELDS

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter


def _literal(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    result = w.new(str(max(1, len(expr.args))), shape)
    for at, arg in enumerate(expr.args):
        assert shape.item is not None
        w.store(w.at(result, str(at), shape), w.in_shape(arg, shape.item), shape.item, w.shape(arg))
    w.set_size(result, str(len(expr.args)))
    return result


def _set_of(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    if isinstance(shape, Mask):
        mask = "0"
        for arg in expr.args:
            mask = w.with_item(mask, shape, w.number(arg))
        return mask
    if len(expr.args) > 1:
        raise NotCarried("large sets of several items")
    return _literal(w, expr, shape)


def _set_of_list(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    """Make a set of the items of a list."""
    items, value = w.as_list(expr.args[0])
    w.all_seen(value, items, expr.args[0].type)
    return set_of_list(w, value, items, shape)


def _mask_of_list(w: ExpressionEmitter, value: str, items: ItemList, shape: Mask, lenient: bool) -> str:
    if items.item is None:
        return "0"
    f = w.f
    slot = f.slot(shape.llvm)
    f.do(f"store {shape.llvm} 0, ptr {slot}")
    with f.counted("0", w.size(value)) as at:
        item = w.to(w.load(w.at(value, at, items), items.item), items.item, Number(0, 0))
        more = w.with_item(f.let(f"load {shape.llvm}, ptr {slot}"), shape, item, lenient)
        f.do(f"store {shape.llvm} {more}, ptr {slot}")
    return f.let(f"load {shape.llvm}, ptr {slot}")


def _first_of_each(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    items, value = w.as_list(expr.args[0])
    if isinstance(expr.args[0], c.Load) and isinstance(items.item, Number):
        element = w.module.layout.elements[expr.args[0].base]
        if element is not None and element.is_zone and element.kind == "bag" and element.visibility != "hidden":
            # The cell of such a bag is sorted.
            return _first_of_run(w, value, shape, expr.args[0].type)
    w.all_seen(value, items, expr.args[0].type, w.f.let(f"icmp ugt i64 {w.size(value)}, 1"))
    return once(w, value, items, shape)


def _first_of_run(w: ExpressionEmitter, value: str, shape: ItemList, of: t.Type) -> str:
    """Remove duplicates from a sorted list."""
    f = w.f
    assert shape.item is not None
    size = w.size(value)
    w.all_seen(value, shape, of, f.let(f"icmp ugt i64 {size}, 1"))
    result, many, last = w.new(size, shape), f.slot("i64"), f.slot("i64")
    f.put(many, 0)
    f.put(last, NONE)
    with f.counted("0", size) as at:
        item = w.load(w.at(value, at, shape), shape.item)
        to = f.get(many)
        # The item is written in any case, and the count keeps it if it is new: no branch can be mispredicted.
        w.store(w.at(result, to, shape), item, shape.item, shape.item)
        other = f.let(f"icmp ne i64 {item}, {f.get(last)}")
        f.put(many, f.let(f"add i64 {to}, {f.let(f'zext i1 {other} to i64')}"))
        f.put(last, item)
    w.set_size(result, f.get(many))
    return result


def _union(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    if isinstance(shape, Mask):
        one, two = (_as_mask(w, arg, shape, lenient=False) for arg in expr.args)
        return w.f.let(f"or {shape.llvm} {one}, {two}")
    assert isinstance(shape, ItemList)
    f, (one, two) = w.f, (w.in_shape(arg, shape) for arg in expr.args)
    assert shape.item is not None
    slot = f.slot("ptr")
    # The items of each set differ, so those of the second one are compared with the first set alone.
    capacity = f.let(f"add i64 {w.size(one)}, {w.size(two)}")
    result = w.new(capacity, shape)
    w.copy_items(f.let(f"getelementptr i8, ptr {result}, i64 {HEADER}"), one, w.size(one), shape)
    w.set_size(result, w.size(one))
    f.do(f"store ptr {result}, ptr {slot}")
    with f.counted("0", w.size(two)) as at:
        item = w.load(w.at(two, at, shape), shape.item)
        with f.when(f.let(f"xor i1 {w.listed(one, shape, item, shape.item)}, true")):
            w.append(slot, item, shape, shape.item)
    return f.let(f"load ptr, ptr {slot}")


def _as_mask(w: ExpressionEmitter, expr: c.Expr, shape: Mask, lenient: bool) -> str:
    """Evaluate a collection as a bit mask. lenient: items for which the mask has no bit are left out, as the difference
    of sets loses nothing by that; otherwise they stop the play.
    """
    value, given = w.value(expr)
    if isinstance(given, ItemList):
        w.all_seen(value, given, expr.type)
        return _mask_of_list(w, value, given, shape, lenient)
    if isinstance(given, Mask) and lenient and given != shape:
        listed = w.list_of_mask(value, given)
        return _mask_of_list(w, listed, ItemList(numbers(given)), shape, lenient=True)
    return w.to(value, given, shape)


def _minus(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    if not isinstance(shape, Mask):
        raise NotCarried("large sets less others")
    left, right = expr.args
    one, two = w.in_shape(left, shape), _as_mask(w, right, shape, lenient=True)
    return w.f.let(f"and {shape.llvm} {one}, {w.f.let(f'xor {shape.llvm} {two}, -1')}")


def _ordered(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    items, value = w.as_list(expr.args[0])
    if isinstance(w.shape(expr.args[0]), Mask) or items.item is None:
        return value
    w.all_seen(value, items, expr.args[0].type, w.f.let(f"icmp ugt i64 {w.size(value)}, 1"))
    # The list may be a cell of the state or a memoized result, which must not be sorted in place.
    result = w.copied(value, items)
    w.f.do(f"call void @{w.module.sorter(items)}(ptr {result})")
    return result


def _reversed(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    items, value = w.as_list(expr.args[0])
    return reversed_list(w, value, items)


def _bag_union(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    one, two = (w.in_shape(arg, shape) for arg in expr.args)
    result = w.chained(one, two, shape)
    if shape.item is not None:
        w.all_seen(result, shape, expr.type, w.f.let(f"icmp ugt i64 {w.size(result)}, 1"))
        w.f.do(f"call void @{w.module.sorter(shape)}(ptr {result})")
    return result


def _interval_list(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    f = w.f
    low, high = (w.number(arg) for arg in expr.args)
    end = f.let(f"add i64 {high}, 1")
    # An interval whose end is before its beginning is empty.
    size = f.let(f"call i64 @llvm.smax.i64(i64 {f.let(f'sub i64 {end}, {low}')}, i64 0)")
    # Nobody knows before play how long it is.
    w.spend(size)
    result = w.new(size, shape)
    assert shape.item is not None
    with f.counted("0", size) as at:
        w.store(w.at(result, at, shape), f.let(f"add i64 {low}, {at}"), shape.item, shape.item)
    w.set_size(result, size)
    return result


def _interval_mask(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    if not isinstance(shape, Mask):
        raise NotCarried("a large set of numbers")
    # The loop counts no work: a number for which the mask has no bit stops it, so it is short.
    f = w.f
    low, high = (w.number(arg) for arg in expr.args)
    slot = f.slot(shape.llvm)
    f.do(f"store {shape.llvm} 0, ptr {slot}")
    with f.counted(low, f.let(f"add i64 {high}, 1")) as at:
        more = w.with_item(f.let(f"load {shape.llvm}, ptr {slot}"), shape, at)
        f.do(f"store {shape.llvm} {more}, ptr {slot}")
    return f.let(f"load {shape.llvm}, ptr {slot}")


def _only(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    if not isinstance(shape.item, Number):
        return _literal(w, expr, shape)
    item = w.entry(expr.args[0])
    result = w.new("1", shape)
    is_one = w.f.let(f"icmp ne i64 {item}, {NONE}")
    with w.f.when(is_one):
        w.store(w.at(result, "0", shape), item, shape.item, shape.item)
    w.set_size(result, w.f.let(f"zext i1 {is_one} to i64"))
    return result


def _top(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    items, value = w.as_list(expr.args[0])
    if not isinstance(items.item, Number):
        raise NotCarried("the top of lists")
    size, item = w.size(value), items.item
    last = w.f.let(f"sub i64 {size}, 1")
    return w.either(
        w.f.let(f"icmp eq i64 {size}, 0"),
        lambda: str(NONE),
        lambda: w.load(w.at(value, last, items), item),
        shape,
    )


def _item(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    items, value = w.as_list(expr.args[0])
    at = w.number(expr.args[1])
    w.f.stop_if(w.f.let(f"icmp uge i64 {at}, {w.size(value)}"), Limit.INDEX)
    assert items.item is not None
    return w.load(w.at(value, at, items), items.item)


def _bag_minus(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    assert isinstance(shape, ItemList)
    value, own_shape = w.value(expr.args[0])
    # A collection whose items have no shape never has any.
    if own_shape is None:
        return "@empty"
    other = w.in_shape(expr.args[1], shape)
    if not isinstance(shape.item, Number):
        raise NotCarried("bags of collections less others")
    f = w.f
    # If nothing is taken away, it does not matter which pieces the bag has.
    w.all_seen(value, shape, expr.args[0].type, f.let(f"icmp ne i64 {w.size(other)}, 0"))
    w.all_seen(other, shape, expr.args[1].type)
    result = w.copied(value, shape)
    with f.counted("0", w.size(other)) as at:
        item = w.load(w.at(other, at, shape), shape.item)
        f.let(f"call i1 @{w.module.taker(shape)}(ptr {result}, i64 {item})")
    return result


def _copies(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    """Make the list of every copy of each kind of a component."""
    f, of = w.f, expr.of
    assert isinstance(shape, ItemList)
    assert isinstance(of, t.ComponentType)
    result = f.slot("ptr")
    f.put(result, w.new("16", shape), "ptr")
    items, value = w.as_list(expr.args[0])
    if items.item is None:
        return "@empty"
    # The copies are in the order of their kinds, which the bits of a mask have already.
    if not isinstance(w.shape(expr.args[0]), Mask):
        value = w.copied(value, items)
        f.do(f"call void @{w.module.sorter(items)}(ptr {value})")
    most = Number(0, max(of.copies, default=0))
    table = w.module.table(tuple(of.copies), most)
    with f.counted("0", w.size(value)) as at:
        kind = w.scalar(w.load(w.at(value, at, items), items.item), items.item)
        # An index from a spec is never trusted, whatever the types say.
        f.stop_if(f.let(f"icmp uge i64 {kind}, {len(of.copies)}"), Limit.INDEX)
        many = w.load(f.at(table, f.let(f"mul i64 {kind}, {most.bytes}")), most)
        with f.counted("0", many):
            w.append(result, kind, shape, items.item)
    return f.get(result, "ptr")


def _fitting(w: ExpressionEmitter, expr: c.Op, shape: Shape) -> str:
    """Return the pieces that some part within the limits contains, or none."""
    f, (search, _) = w.f, w.part_search(expr)
    none = f.let(f"icmp slt i64 {f.get(f.at(search, 8 * FIELDS.index('size')))}, 0")
    pieces = f.get(f.at(search, 8 * FIELDS.index("pieces")), "ptr")
    return f.let(f"select i1 {none}, ptr @none, ptr {pieces}")


def set_of_list(w: ExpressionEmitter, value: str, items: ItemList, shape: Shape) -> str:
    if isinstance(shape, Mask):
        return _mask_of_list(w, value, items, shape, lenient=False)
    assert isinstance(shape, ItemList)
    return once(w, value, items, shape)


def once(w: ExpressionEmitter, value: str, items: ItemList, shape: ItemList) -> str:
    """Remove duplicates from a list; first occurrences keep their order."""
    f = w.f
    if items.item is None:
        return "@empty"
    slot = f.slot("ptr")
    f.do(f"store ptr {w.new(w.size(value), shape)}, ptr {slot}")
    assert shape.item is not None
    with f.counted("0", w.size(value)) as at:
        item = w.to(w.load(w.at(value, at, items), items.item), items.item, shape.item)
        is_listed = w.listed(f.let(f"load ptr, ptr {slot}"), shape, item, shape.item)
        with f.when(f.let(f"xor i1 {is_listed}, true")):
            w.append(slot, item, shape, shape.item)
    return f.let(f"load ptr, ptr {slot}")


def reversed_list(w: ExpressionEmitter, value: str, items: ItemList) -> str:
    f = w.f
    if items.item is None:
        return value
    size = w.size(value)
    result = w.new(size, items)
    with f.counted("0", size) as at:
        other = f.let(f"sub i64 {f.let(f'sub i64 {size}, 1')}, {at}")
        w.store(w.at(result, at, items), w.load(w.at(value, other, items), items.item), items.item, items.item)
    w.set_size(result, size)
    return result


def argument_row(w: ExpressionEmitter, expr: c.Op, shape: ArgumentRow) -> str:
    """Make the row of a move's argument values."""
    memory = w.new(str(shape.bytes), ItemList(Number(0, 0)))
    given = zip(expr.args, shape.parts, strict=True)
    w.store_row(memory, [w.in_shape(arg, part) if part else "0" for arg, part in given], shape)
    return memory


MAKERS: Mapping[str, Callable[[ExpressionEmitter, c.Op, Shape], str]] = {
    "fitting": _fitting,
    "list_of": _literal,
    "set_of": _set_of,
    "frozenset": _set_of_list,
    "once": _first_of_each,
    "union": _union,
    "minus": _minus,
    "ordered": _ordered,
    "reversed": _reversed,
    "bag_union": _bag_union,
    "bag_minus": _bag_minus,
    "interval": _interval_list,
    "interval_set": _interval_mask,
    "only": _only,
    "copies": _copies,
    "top": _top,
    "item": _item,
}
