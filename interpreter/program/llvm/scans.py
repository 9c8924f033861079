"""Vectorized loops over cells: `each c in Cell where disc(c) is empty`.

Where a test depends on one byte-sized cell per iteration, all cells are compared at once, and only the iterations that
pass are run, or only whether there is one is returned. A loop over a board with unpredictable tests spends most of its
time on mispredicted branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import FUNCTIONS, TRUE
from ..ir.traversal import code_parts
from .shapes import LONGEST, SHORT, Cell, CellLayout, Number


@dataclass(frozen=True, slots=True)
class Scan:
    """A loop over consecutive numbers from `low` on, filtered by one cell each.

    at: the offset of its first cell in a state; values: the contents for which the body runs: these values, the value
    of an expression, or all but that.
    """

    low: int
    turns: int
    at: int
    values: tuple[t.Value, ...] | c.Expr
    negated: bool
    body: c.Body


@dataclass(frozen=True, slots=True)
class CellScan:
    """A loop over a row of cells that runs its body for those that pass a test, or for the first of them only.

    at, cells: offset and number of the element's cells; rows: all rows that it may run over, as cell numbers; holes:
    which of them contain none for which the test holds; values, negated: as in a `Scan`; body: the statements to run;
    ends: whether only the first counts; reads_item: whether the body reads the item.
    """

    at: int
    cells: int
    rows: tuple[tuple[int, ...], ...]
    holes: tuple[bool, ...]
    values: tuple[t.Value, ...] | c.Expr
    negated: bool
    body: c.Body
    ends: bool
    reads_item: bool


def search_of(each: c.Each, rows: Sequence[t.Value], layout: CellLayout) -> CellScan | None:
    """Return the loop over one of these rows as a search, or None."""
    match each.body:
        case (c.If(test=test, then=(*others, c.Break()), otherwise=()),):
            ends, then = True, tuple(others)
            # The statements are printed without a loop around them that another `break` could leave.
            if any(isinstance(part, c.Break) for part in code_parts(then)):
                return None
        case (c.If(test=test, then=then, otherwise=()),):
            ends = False
            first, *rest = test.args if isinstance(test, c.Op) and test.name == "and" else (test,)
            test, then = first, _after_tests(rest, then)
        case _:
            return None
    may_be_none = False
    match test:
        # Rows that end at the edge of a board contain `none`.
        case c.Op(name="or", args=(c.Op(name="none", args=(var,)), tested)) if var == each.var:
            may_be_none, test = True, tested
    # All iterations read one element, so one vector of its cells is compared.
    loads = {part for part in code_parts(test) if isinstance(part, c.Load) and part.index == each.var}
    if len(loads) != 1 or not all(isinstance(row, tuple) for row in rows):
        return None
    (load,) = loads
    cells = [tuple(item for item in row if item is not None) for row in rows if isinstance(row, tuple)]
    holes = tuple(len(row) < len(whole) for row, whole in zip(cells, rows, strict=True))
    shape, slots = layout.cells[load.base].shape, layout.cells[load.base : load.base + load.size]
    reads_item = not ends or any(part == each.var for part in code_parts(then))
    if not SHORT <= load.size <= LONGEST:
        return None
    # A mask has no bit for `none`: a table says which rows contain it, which is the whole answer only if `none` passes
    # the test and the body does not read it.
    if any(holes) and (reads_item or not may_be_none):
        return None
    if not isinstance(shape, Number) or not _are_adjacent_bytes(shape, slots):
        return None
    # A place outside of the element is a fault, and not a cell that fails the test.
    if not all(isinstance(item, int) and 0 <= item < load.size for row in cells for item in row):
        return None
    # A mask of cells gives them in rising order or, from its other end, in falling order.
    upward = [row == tuple(sorted(set(row))) for row in cells]
    downward = [ends and row[::-1] == tuple(sorted(set(row))) for row in cells]
    if reads_item and not all(map(any, zip(upward, downward, strict=True))):
        return None
    target = _target_of(test, load, each, shape)
    return (
        None
        if target is None
        else CellScan(slots[0].at, load.size, tuple(cells), holes, *target, then, ends, reads_item)
    )


def _are_adjacent_bytes(shape: Number, cells: Sequence[Cell]) -> bool:
    """Return whether one vector load reads just these cells, each as one of its bytes."""
    return shape.bytes == 1 and cells[-1].at - cells[0].at == len(cells) - 1


def _target_of(
    test: c.Expr, load: c.Load, each: c.Each, shape: Number
) -> tuple[tuple[t.Value, ...] | c.Expr, bool] | None:
    """Return the contents that the cell must have, or must not have."""
    values = _values_passing(test, load, set(), shape)
    others = _values_passing(c.Op("not", (test,), t.Bool()), load, set(), shape)
    # Each value costs a comparison of all cells, and a negation almost nothing.
    if values is not None and (others is None or len(values) <= len(others)):
        return values, False
    if others is not None:
        return others, True
    match test:
        case c.Op(name="eq" | "ne" as name, args=(one, c.Var() as two)) if one == load and _is_constant(two, each):
            return two, name == "ne"
        case c.Op(name="eq" | "ne" as name, args=(one, c.Load(index=c.Var() as at) as two)) if one == load:
            return (two, name == "ne") if _is_constant(at, each) else None
    return None


class _Open(Exception):
    """The value depends on more than the cell."""


def scan_of(each: c.Each, whole: c.Body, layout: CellLayout) -> Scan | None:
    """Return the loop as a scan, or None. whole: the body of the unit around it."""
    items = each.items
    if not (isinstance(items, c.Const) and isinstance(items.value, tuple) and SHORT <= len(items.value) <= LONGEST):
        return None
    low = items.value[0]
    if not isinstance(low, int) or items.value != tuple(range(low, low + len(items.value))):
        return None
    tested = _tested(each, whole)
    if tested is None:
        return None
    sets, test, then = tested
    first, *rest = test.args if isinstance(test, c.Op) and test.name == "and" else (test,)
    # Only the first test becomes a mask: the others may fail where it does not hold.
    body: c.Body = (*sets, *_after_tests(rest, then))
    # One vector is compared, so the test and the value it sets read one cell in each iteration.
    loads = {part for part in code_parts((first, *sets)) if isinstance(part, c.Load)}
    if len(loads) != 1:
        return None
    (load,) = loads
    shape, cells = layout.cells[load.base].shape, layout.cells[load.base : load.base + load.size]
    # Past the end of the element the vector would have cells of the next one, where the loop is stopped by a fault.
    if load.index != each.var or low < 0 or low + len(items.value) > load.size:
        return None
    if not isinstance(shape, Number) or not _are_adjacent_bytes(shape, cells):
        return None
    place = low, len(items.value), cells[low].at
    values = _values_passing(first, load, {each_.var for each_ in sets}, shape)
    if values is not None:
        return Scan(*place, values, False, body)
    target = _target_of(first, load, each, shape)
    return None if target is None else Scan(*place, *target, body)


def _after_tests(tests: list[c.Expr], then: c.Body) -> c.Body:
    """Return the statements guarded by the other tests."""
    if not tests:
        return then
    test = tests[0] if len(tests) == 1 else c.Op("and", tuple(tests), t.Bool())
    return (c.If(test, then),)


def _tested(each: c.Each, whole: c.Body) -> tuple[tuple[c.Set, ...], c.Expr, c.Body] | None:
    """Split a loop body into the leading assignments, the test, and the statements inside it."""
    match each.body:
        case (c.If(test=test, then=then, otherwise=()),):
            return (), test, then
        case (c.Set(value=c.Load()) as first, c.If(test=test, then=then, otherwise=())):
            return (first,), test, then
        case (c.Set(var=var, value=c.Op() as test), *others) if all(
            isinstance(other, c.If) and other.test == var and not other.otherwise for other in others
        ):
            # An iteration that is skipped does not set the variable to false, so nothing outside the loop may read it.
            if _occurs_only_in(each.body, var, whole):
                return (), test, (c.Set(var, TRUE), *others)
    return None


def _occurs_only_in(body: c.Body, var: c.Var, whole: c.Body) -> bool:
    inside, everywhere = ([part for part in code_parts(each) if part == var] for each in (body, whole))
    return len(inside) == len(everywhere)


def _is_constant(var: c.Var, each: c.Each) -> bool:
    """Return whether the variable is loop-invariant."""
    return var != each.var and not any(isinstance(part, c.Set) and part.var == var for part in code_parts(each.body))


def _values_passing(test: c.Expr, load: c.Load, copies: set[c.Var], shape: Number) -> tuple[t.Value, ...] | None:
    """Return the contents of the cell for which the test holds, if it depends on nothing else."""
    values: list[t.Value] = [*range(shape.low, shape.high + 1), *([None] if shape.optional else [])]
    if len(values) > 16:
        return None
    try:
        hits = tuple([value for value in values if _value(test, load, copies, value)])
    except (_Open, TypeError, LookupError, ZeroDivisionError, KeyError):
        return None
    return hits if len(hits) <= 4 else None


def _value(expr: c.Expr, load: c.Load, copies: set[c.Var], cell: t.Value) -> t.Value:
    """Evaluate an expression for one content of the cell."""
    match expr:
        case c.Const(value=value):
            return value
        case c.Var() | c.Load():
            if expr == load or expr in copies:
                return cell
        case c.Pick(test=test, yes=yes, no=no):
            return _value(yes if _value(test, load, copies, cell) else no, load, copies, cell)
        case c.Lookup(table=table, index=index):
            at = _value(index, load, copies, cell)
            if isinstance(at, int) and 0 <= at < len(table):
                return table[at]
        case c.Op(name="and" | "or" as name, args=args):
            values = (bool(_value(arg, load, copies, cell)) for arg in args)
            return all(values) if name == "and" else any(values)
        case c.Op(name=name, args=args, of=None) if name in FUNCTIONS:
            return FUNCTIONS[name](*[_value(arg, load, copies, cell) for arg in args])
    raise _Open
