"""Code generation for `and` and `or`: equal tests of several cells of one element are made at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..ir import code as c
from .builder import NONE
from .predicates import COMPARED
from .shapes import LONGEST, SHORT, Flag, Number, bits

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter

_FEW = 8
"""The largest number of other tests, beside those of cells, that are evaluated without a jump."""
Comparison: TypeAlias = tuple[int, int, bool, c.Expr]
"""A comparison that can be made with several cells of an element at once: its first cell, the number of cells, True if
they must differ from the value, and the value."""


def joined_tests(w: ExpressionEmitter, conjunction: bool, args: tuple[c.Expr, ...]) -> str:
    together, rest = grouped_by_cells(w, args)
    name, result = "and" if conjunction else "or", ""
    # Tests of cells come first: they cannot fail, so the order does not change the result.
    for comparison, cells in together.items():
        test = _test_group(w, comparison, cells, conjunction)
        result = w.f.let(f"{name} i1 {result}, {test}") if result else test
    for arg in rest:
        result = _and_then(w, conjunction, result, arg) if result else w.test(arg)
    return result


def _and_then(w: ExpressionEmitter, conjunction: bool, first: str, arg: c.Expr) -> str:
    """Emit `and` or `or` with short-circuit evaluation."""
    if _is_plain(w, arg):
        return w.f.let(f"{'and' if conjunction else 'or'} i1 {first}, {w.test(arg)}")
    if conjunction:
        return w.either(first, lambda: w.test(arg), lambda: "false", Flag())
    return w.either(first, lambda: "true", lambda: w.test(arg), Flag())


def grouped_by_cells(
    w: ExpressionEmitter, args: tuple[c.Expr, ...]
) -> tuple[dict[Comparison, list[int]], tuple[c.Expr, ...]]:
    """Group the tests that make the same comparison with cells of one element; return the groups, and the other
    tests.
    """
    together = dict[Comparison, list[int]]()
    comparisons = [_comparison_of(w, arg) for arg in args]
    for each in comparisons:
        if each is not None:
            together.setdefault(each[0], []).append(each[1])
    together = {key: cells for key, cells in together.items() if len(cells) > 1}
    rest = [arg for arg, each in zip(args, comparisons, strict=True) if each is None or each[0] not in together]
    return together, tuple(rest)


def _comparison_of(w: ExpressionEmitter, expr: c.Expr) -> tuple[Comparison, int] | None:
    """Return the comparison that a test makes with one known byte-sized cell of an element, or None."""
    match expr:
        case c.Op(name="none" | "some" as name, args=(c.Load() as load,)):
            value: c.Expr = c.Const(None, load.type)
        case c.Op(name="eq" | "ne" as name, args=(c.Load() as load, (c.Const() | c.Var()) as value)):
            pass
        case c.Op(name="eq" | "ne" as name, args=((c.Const() | c.Var()) as value, c.Load() as load)):
            pass
        case _:
            return None
    layout, base = w.module.layout, load.base
    first, end = layout.spans[base]
    at, shape, given = layout.cells[first].at, layout.cells[base].shape, w.shape(value)
    if load.index is not None or not (SHORT <= end - first <= LONGEST):
        return None
    # What the public state does not show has to stop the test, cell by cell.
    if base in layout.seals or w.module.veils(load.type):
        return None
    if not isinstance(shape, Number) or shape.bytes != 1 or not isinstance(given, Number | None):
        return None
    # One vector is loaded, so that the cells have to be side by side.
    if layout.cells[end - 1].at - at != end - first - 1:
        return None
    return (first, end - first, name in ("ne", "some"), value), base - first


def _test_group(w: ExpressionEmitter, comparison: Comparison, cells: list[int], conjunction: bool) -> str:
    """Test all cells of a group at once."""
    kind, hits = matching_cells(w, comparison, cells)
    # All differ if none has the value, and some differ if not all have it.
    all_of = conjunction != comparison[2]
    all_hits = sum(1 << cell for cell in set(cells)) if all_of else 0
    return w.f.let(f"icmp {'eq' if conjunction else 'ne'} {kind} {hits}, {all_hits}")


def matching_cells(w: ExpressionEmitter, comparison: Comparison, cells: list[int]) -> tuple[str, str]:
    """Return a bit vector of the cells that hold the value."""
    first, count, _, value = comparison
    wide = bits(count)
    hits = equal_bytes(w, w.module.layout.cells[first].at, wide, value)
    return f"i{wide}", w.f.let(f"and i{wide} {hits}, {sum(1 << cell for cell in set(cells))}")


def _is_plain(w: ExpressionEmitter, expr: c.Expr) -> bool:
    """Return whether evaluation is nearly free and cannot stop."""
    match expr:
        case c.Op(name="and" | "or", args=args):
            _, rest = grouped_by_cells(w, args)
            return len(rest) <= _FEW and all(_is_plain(w, arg) for arg in rest)
        case c.Const():
            return True
        # In the public state a read of an unknown value stops, even where the test before it decides.
        case c.Var():
            return not w.module.veils(expr.type) and w.raw(expr) == w.shape(expr)
        # A computed index may be out of range, which stops.
        case c.Load(base=base, index=None):
            return base not in w.module.layout.seals and not w.module.veils(expr.type)
        case c.Op(name="is_trial" | "is_public"):
            return True
        case c.Op(name=name, args=args):
            return name in COMPARED | {"not": "", "none": "", "some": ""} and all(_is_plain(w, arg) for arg in args)
    return False


def equal_bytes(w: ExpressionEmitter, at: str | int, wide: int, expr: c.Expr) -> str:
    """Return a bit vector of the bytes from an address on that equal a value."""
    f, inside = w.f, ""
    if isinstance(expr, c.Const):
        # -128 says none, and a number beyond a byte is in none of the cells.
        byte = str(-128 if expr.value is None else int(expr.value))
        if not -128 < int(expr.value or 0) < 128:
            return "0"
    else:
        value = w.number(expr)
        short = f.let(f"trunc i64 {value} to i8")
        none = f.let(f"icmp eq i64 {value}, {NONE}")
        byte = f.let(f"select i1 {none}, i8 -128, i8 {short}")
        # A number that does not fit into a byte is in none of the cells.
        fits = f.let(f"icmp eq i64 {f.let(f'sext i8 {short} to i64')}, {value}")
        # Nor is -128, by which a byte says none.
        other = f.let(f"icmp ne i8 {short}, -128")
        inside = f.let(f"or i1 {none}, {f.let(f'and i1 {fits}, {other}')}")
    cells = f.let(f"load <{wide} x i8>, ptr {f.at('%S', at)}, align 1")
    one = f.let(f"insertelement <{wide} x i8> poison, i8 {byte}, i64 0")
    all_ = f.let(f"shufflevector <{wide} x i8> {one}, <{wide} x i8> poison, <{wide} x i32> zeroinitializer")
    same = f.let(f"bitcast <{wide} x i1> {f.let(f'icmp eq <{wide} x i8> {cells}, {all_}')} to i{wide}")
    return f.let(f"select i1 {inside}, i{wide} {same}, i{wide} 0") if inside else same
