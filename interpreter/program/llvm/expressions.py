"""Code generation for the expressions of one unit or block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from ludex.spec import Unknown
from ludex.spec import types as t

from ..ir import code as c
from . import three_valued
from .builder import NONE, VEILED, Function, Limit
from .shapes import (
    DEEPEST,
    HEADER,
    IDS,
    LONGEST,
    PUBLIC,
    SHORT,
    TRIAL,
    WIDEST,
    ArgumentRow,
    Flag,
    ItemList,
    Mask,
    Maybe,
    NotCarried,
    Number,
    Shape,
    bits,
    join,
    known,
    mask_of,
    numbers,
)
from .subsets import FIELDS, limits_of
from .three_valued import UNKNOWN, Unknowns
from .values import ValueEmitter

if TYPE_CHECKING:
    from .module import Module

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
FEW = 8
"""The largest number of other tests, beside those of cells, that are evaluated without a jump."""
Comparison: TypeAlias = tuple[int, int, bool, c.Expr]
"""A comparison that can be made with several cells of an element at once: its first cell, the number of cells, True if
they must differ from the value, and the value."""
DENSE = 1 << 20
"""The largest table of records."""


class ExpressionEmitter(ValueEmitter):
    """Emits the instructions that evaluate expressions in one function.

    module: the module that it belongs to; owner: the unit, or `infer.BLOCKS`.
    """

    def __init__(self, f: Function, module: Module, owner: int) -> None:
        super().__init__(f, module.constants)
        self.module, self.owner = module, owner
        self._slots: dict[int, str] = {}
        self.unknowns = Unknowns(self)

    # ---- variables

    def shape(self, expr: c.Expr) -> Shape | None:
        """Return the shape of an expression's value where it is known."""
        return known(self.raw(expr))

    def raw(self, expr: c.Expr) -> Shape | None:
        """Return the shape of an expression, whose value may be unknown."""
        return self.module.shapes.of(expr, self.owner)

    def variable(self, number: int) -> tuple[str, Shape | None]:
        """Return the register or memory of a variable, and its shape."""
        shape = self.module.shapes.vars[self.owner].get(number)
        if number not in self._slots:
            self._slots[number] = self.f.slot("i64" if shape is None else shape.llvm)
        return self._slots[number], shape

    def keep(self, number: int, value: str) -> None:
        slot, shape = self.variable(number)
        if shape is not None:
            self.f.do(f"store {shape.llvm} {value}, ptr {slot}")

    # ---- expressions

    def number(self, expr: c.Expr) -> str:
        """Evaluate an expression to a whole number that is not veiled."""
        number = self.entry(expr)
        self.seen(number, expr)
        return number

    def entry(self, expr: c.Expr) -> str:
        """Evaluate an expression to a number that may be a veiled piece."""
        value, shape = self.value(expr)
        return self.to(value, shape, Number(0, 0)) if isinstance(shape, Flag) else self._scalar(value, shape)

    def seen(self, value: str, expr: c.Expr) -> None:
        """Stop with `VEILED` if the piece is veiled."""
        if self.module.veils(expr.type) and not isinstance(expr, c.Const):
            self.f.stop_if(self.is_veiled(value), VEILED)

    def is_veiled(self, value: str) -> str:
        """Test whether a piece is veiled."""
        # One comparison without a sign tests both ends of the range: from `DEEPEST` below the floor to right below it.
        by = DEEPEST - self.module.layout.floor
        return self.f.let(f"icmp ult i64 {self.f.let(f'add i64 {value}, {by}')}, {DEEPEST}")

    def stop_if_undetermined(self, same: str, one: tuple[str, t.Type], two: tuple[str, t.Type]) -> None:
        """Stop with `VEILED` if a comparison is undetermined: a veiled piece equals itself, and may equal any other."""
        veiled = [self.is_veiled(value) for value, of in (one, two) if self.module.veils(of)]
        for each in veiled:
            # As bits, `a > b` says: a and not b.
            self.f.stop_if(self.f.let(f"icmp ugt i1 {each}, {same}"), VEILED)

    def all_seen(self, value: str, shape: ItemList, of: t.Type, more: str = "true") -> None:
        """Stop with `VEILED` if a list contains veiled pieces that matter."""
        if self.module.veils(of) and isinstance(shape.item, Number):
            f = self.f
            public = f.let(f"icmp ne i8 {f.get(f.at('%S', PUBLIC), 'i8')}, 0")
            with f.when(f.let(f"and i1 {public}, {more}")):
                f.stop_if(self._has_veiled(value, shape), VEILED)

    def _has_veiled(self, value: str, shape: ItemList) -> str:
        f, veiled = self.f, self.f.slot("i1")
        assert shape.item is not None
        f.put(veiled, "false", "i1")
        with (
            f.counted("0", self.size(value)) as at,
            f.when(self.is_veiled(self.load(self.at(value, at, shape), shape.item))),
        ):
            f.put(veiled, "true", "i1")
        return f.get(veiled, "i1")

    @staticmethod
    def _scalar(value: str, shape: Shape | None) -> str:
        if shape is not None and not isinstance(shape, Number):
            raise NotCarried(f"a number that is {shape}")
        return value

    def test(self, expr: c.Expr) -> str:
        """Evaluate an expression to a truth value."""
        value, shape = self.value(expr)
        return self.to(value, shape, Flag())

    def in_shape(self, expr: c.Expr, shape: Shape) -> str:
        if shape != known(shape):
            value, given = self.maybe(expr)
            return self.to(value, given, shape)
        if isinstance(expr, c.Const):
            if expr.value is None and not isinstance(shape, Number):
                # A mask or a flag has no bits for none, which is tested before such a value is read.
                return "@none" if isinstance(shape, ItemList) else "0"
            if not isinstance(shape, ItemList) or isinstance(expr.value, tuple | frozenset):
                return self.constant(expr.value, shape)
        if isinstance(shape, ArgumentRow) and isinstance(expr, c.Op):
            return self._row(expr, shape)
        value, given = self.value(expr)
        return self.to(value, given, shape)

    def value(self, expr: c.Expr) -> tuple[str, Shape | None]:
        """Evaluate an expression, and stop if its value is unknown; return the register, and its shape."""
        value, shape = self.maybe(expr)
        of = known(shape)
        return (value, shape) if shape == of or of is None else (self.to(value, shape, of), of)

    def maybe(self, expr: c.Expr) -> tuple[str, Shape | None]:
        """Evaluate an expression whose value may be unknown; return the register, and its shape."""
        f = self.f
        match expr:
            case c.Const(value=Unknown()):
                return f"{{ i64 0, i64 {UNKNOWN} }}", Maybe(None)
            case c.Const(value=value):
                shape = self.shape(expr)
                return ("0", None) if shape is None else (self.constant(value, shape), shape)
            case c.Var(number=number):
                slot, shape = self.variable(number)
                return ("0", None) if shape is None else (f.let(f"load {shape.llvm}, ptr {slot}"), shape)
            case c.Load(base=base, index=index, size=size):
                shape = self.module.layout.cells[base].shape
                address = self.cell(base, index, size)
                # The public state does not show this cell.
                if base in self.module.layout.seals:
                    f.stop_if(self.is_sealed(expr), VEILED)
                return self.load(address, shape), shape
            case c.Lookup(table=table, index=index):
                return self._lookup(expr, table, index)
            case c.Pick(test=test, yes=yes, no=no):
                joined = self.raw(expr)
                if joined is None:
                    return "0", None
                return self.either(
                    self.test(test), lambda: self.in_shape(yes, joined), lambda: self.in_shape(no, joined), joined
                ), joined
            case c.Call(unit=unit, args=args):
                return self._call(unit, args)
            case c.Serve(name=name, args=args, at=at):
                return self.module.serve(self, name, args, at), self.shape(expr)
            case c.Op():
                return self._op(expr)
        raise AssertionError(expr)

    def either(self, test: str, yes: Callable[[], str], no: Callable[[], str], shape: Shape) -> str:
        f = self.f
        one, two, on = f.label(), f.label(), f.label()
        f.branch(test, one, two)
        f.begin(one)
        first = yes()
        # The branch may have ended in another block than it began with, and a phi names the one that jumps here.
        one = f.block
        f.jump(on)
        f.begin(two)
        second = no()
        two = f.block
        f.jump(on)
        f.begin(on)
        return f.let(f"phi {shape.llvm} [ {first}, %{one} ], [ {second}, %{two} ]")

    def cell(self, base: int, index: c.Expr | None, size: int) -> str:
        """Return the address of a cell."""
        layout = self.module.layout
        first = layout.cells[base]
        if index is None:
            return self.f.let(f"getelementptr i8, ptr %S, i64 {first.at}")
        low, end = layout.spans[base]
        if (low, end - low) != (base, size):
            raise NotCarried("a cell of no element")
        at = self.number(index)
        self._inside(index, at, size)
        step = layout.cells[base + 1].at - first.at if size > 1 else 0
        offset = self.f.let(f"mul nsw i64 {at}, {step}")
        return self.f.let(f"getelementptr i8, ptr %S, i64 {self.f.let(f'add nsw i64 {offset}, {first.at}')}")

    def is_sealed(self, load: c.Load) -> str:
        """Test whether a variable or slot is unknown in a copy of the public state. Its index is within its range."""
        first = self.f.at("%S", self.module.layout.seals[load.base])
        at = first if load.index is None else self.f.at(first, self.number(load.index))
        return self.f.let(f"icmp ne i8 {self.f.get(at, 'i8')}, 0")

    def _inside(self, index: c.Expr, at: str, size: int) -> None:
        """Stop if an index is out of range: a spec can be anybody's, and must never read outside its memory."""
        if not (isinstance(index, c.Const) and 0 <= index.value < size):
            self.f.stop_if(self.f.let(f"icmp uge i64 {at}, {size}"), Limit.INDEX)

    def _lookup(self, expr: c.Lookup, table: tuple[t.Value, ...], index: c.Expr) -> tuple[str, Shape | None]:
        shape = self.shape(expr)
        if shape is None:
            return "0", None
        at = self.number(index)
        self._inside(index, at, len(table))
        offset = self.f.let(f"mul i64 {at}, {shape.bytes}")
        return self.load(self.f.at(self.module.table(table, shape), offset), shape), shape

    def _call(self, number: int, args: Iterable[c.Expr], of: str = "u") -> tuple[str, Shape | None]:
        """Emit a call of a unit; for `e`, of the test whether its result is empty."""
        f, module = self.f, self.module
        unit, shape = module.program.units[number], module.shapes.returns.get(number) if of == "u" else Flag()
        given = ["ptr %C", "ptr %S"]
        for var, arg in zip(unit.parameters, args, strict=True):
            kind = module.parameter(number, var)
            given.append(f"{kind.llvm} {self.in_shape(arg, kind)}")
        returned = "i64" if shape is None else shape.llvm
        if number in module.recursive:
            f.stop_if(f.let("call i1 @deeper(ptr %C)"), Limit.DEPTH)
        # What a unit allocates is free again after the call, unless its result is a list in that memory.
        top = "" if isinstance(shape, ItemList) or number not in module.allocating else f.let("load ptr, ptr %C.top")
        result = f.let(f"call {{ {returned}, i32 }} @{of}{number}({', '.join(given)})")
        if top:
            f.do(f"store ptr {top}, ptr %C.top")
        if number in module.recursive:
            f.do("call void @shallower(ptr %C)")
        if number in module.stopping:
            why = f.let(f"extractvalue {{ {returned}, i32 }} {result}, 1")
            f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        return f.let(f"extractvalue {{ {returned}, i32 }} {result}, 0"), shape

    # ---- operations

    def _op(self, expr: c.Op) -> tuple[str, Shape | None]:
        name, args = expr.name, expr.args
        if name in ("and", "or"):
            return self._joined(name == "and", args), Flag()
        if name in COMPARED:
            return self._compared(name, *args), Flag()
        if name in three_valued.OPERATIONS:
            return three_valued.OPERATIONS[name](self.unknowns, expr)
        if name in three_valued.TESTS:
            return three_valued.TESTS[name](self.unknowns, expr), Flag()
        shape = self.shape(expr)
        if name in ARITHMETIC:
            return ARITHMETIC[name](self, expr), shape
        if name in TESTS:
            return TESTS[name](self, expr), Flag()
        if name in MAKERS:
            return ("0", None) if shape is None else (MAKERS[name](self, expr, shape), shape)
        raise NotCarried(f"the operation `{name}`")

    def _joined(self, conjunction: bool, args: tuple[c.Expr, ...]) -> str:
        together, rest = self._of_cells(args)
        name, result = "and" if conjunction else "or", ""
        # Tests of cells come first: they cannot fail, so the order does not change the result.
        for comparison, cells in together.items():
            test = self._test_group(comparison, cells, conjunction)
            result = self.f.let(f"{name} i1 {result}, {test}") if result else test
        for arg in rest:
            result = self._and_then(conjunction, result, arg) if result else self.test(arg)
        return result

    def _and_then(self, conjunction: bool, first: str, arg: c.Expr) -> str:
        """Evaluate a test only if the one before does not decide."""
        if self._is_plain(arg):
            return self.f.let(f"{'and' if conjunction else 'or'} i1 {first}, {self.test(arg)}")
        if conjunction:
            return self.either(first, lambda: self.test(arg), lambda: "false", Flag())
        return self.either(first, lambda: "true", lambda: self.test(arg), Flag())

    def _of_cells(self, args: tuple[c.Expr, ...]) -> tuple[dict[Comparison, list[int]], tuple[c.Expr, ...]]:
        """Group the tests that make the same comparison with cells of one element; return the groups, and the other
        tests.
        """
        together = dict[Comparison, list[int]]()
        comparisons = [self._comparison_of(arg) for arg in args]
        for each in comparisons:
            if each is not None:
                together.setdefault(each[0], []).append(each[1])
        together = {key: cells for key, cells in together.items() if len(cells) > 1}
        rest = [arg for arg, each in zip(args, comparisons, strict=True) if each is None or each[0] not in together]
        return together, tuple(rest)

    def _comparison_of(self, expr: c.Expr) -> tuple[Comparison, int] | None:
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
        layout, base = self.module.layout, load.base
        first, end = layout.spans[base]
        at, shape, given = layout.cells[first].at, layout.cells[base].shape, self.shape(value)
        if load.index is not None or not (SHORT <= end - first <= LONGEST):
            return None
        # What the public state does not show has to stop the test, cell by cell.
        if base in layout.seals or self.module.veils(load.type):
            return None
        if not isinstance(shape, Number) or shape.bytes != 1 or not isinstance(given, Number | None):
            return None
        # One vector is loaded, so that the cells have to be side by side.
        if layout.cells[end - 1].at - at != end - first - 1:
            return None
        return (first, end - first, name in ("ne", "some"), value), base - first

    def _test_group(self, comparison: Comparison, cells: list[int], conjunction: bool) -> str:
        """Test all cells of a group at once."""
        kind, hits = self._matching_cells(comparison, cells)
        # All differ if none has the value, and some differ if not all have it.
        all_of = conjunction != comparison[2]
        all_hits = sum(1 << cell for cell in set(cells)) if all_of else 0
        return self.f.let(f"icmp {'eq' if conjunction else 'ne'} {kind} {hits}, {all_hits}")

    def _matching_cells(self, comparison: Comparison, cells: list[int]) -> tuple[str, str]:
        """Return a bit vector of the cells that hold the value."""
        first, count, _, value = comparison
        wide = bits(count)
        hits = self._holding(self.module.layout.cells[first].at, wide, value)
        return f"i{wide}", self.f.let(f"and i{wide} {hits}, {sum(1 << cell for cell in set(cells))}")

    def _is_plain(self, expr: c.Expr) -> bool:
        """Return whether evaluation is nearly free and cannot stop."""
        match expr:
            case c.Op(name="and" | "or", args=args):
                _, rest = self._of_cells(args)
                return len(rest) <= FEW and all(map(self._is_plain, rest))
            case c.Const():
                return True
            # In the public state a read of an unknown value stops, even where the test before it decides.
            case c.Var():
                return not self.module.veils(expr.type) and self.raw(expr) == self.shape(expr)
            case c.Load(base=base, index=None):
                return base not in self.module.layout.seals and not self.module.veils(expr.type)
            case c.Op(name="is_trial" | "is_public"):
                return True
            case c.Op(name=name, args=args):
                return name in COMPARED | {"not": "", "none": "", "some": ""} and all(map(self._is_plain, args))
        return False

    def _compared(self, name: str, left: c.Expr, right: c.Expr) -> str:
        shape = join(self.shape(left), self.shape(right))
        if shape is None:
            return "true" if name == "eq" else "false"
        if isinstance(shape, Flag):
            shape = Number(0, 1)
        one, two = self.in_shape(left, shape), self.in_shape(right, shape)
        if isinstance(shape, Number):
            truth = self.f.let(f"icmp {COMPARED[name]} i64 {one}, {two}")
            if self.module.veils(left.type) or self.module.veils(right.type):
                same = self.f.let(f"icmp eq i64 {one}, {two}")
                self.stop_if_undetermined(same, (one, left.type), (two, right.type))
            return truth
        if name not in ("eq", "ne"):
            raise NotCarried("collections in order")
        if isinstance(shape, ItemList) and shape.distinct:
            raise NotCarried("large sets that are compared")
        if isinstance(shape, ItemList):
            self.all_seen(one, shape, left.type)
            self.all_seen(two, shape, right.type)
        same = self.equal(one, two, shape)
        return same if name == "eq" else self.f.let(f"xor i1 {same}, true")

    def _sum(self, expr: c.Op) -> str:
        tests = {arg.args[0]: arg for arg in expr.args if isinstance(arg, c.Op) and arg.name == "int"}
        together, rest = self._of_cells(tuple(tests))
        # Equal tests are one key, and would be counted once; a term that is not a test has none.
        if len(tests) < len(expr.args) or not together:
            rest, together = expr.args, {}
        total = "0"
        for comparison, cells in together.items():
            kind, hits = self._matching_cells(comparison, cells)
            wide = hits if kind == "i128" else self.f.let(f"zext {kind} {hits} to i128")
            many = self.popcount(wide, Mask(0, LONGEST - 1))
            total = self.f.let(
                f"add i64 {total}, {self.f.let(f'sub i64 {len(cells)}, {many}') if comparison[2] else many}"
            )
        for arg in rest:
            total = self._checked("sadd", total, self.number(tests.get(arg, arg)), expr)
        return total

    def _checked(self, name: str, one: str, two: str, expr: c.Op) -> str:
        """Emit arithmetic that stops on overflow of 64 bits."""
        plain = {"sadd": "add", "ssub": "sub", "smul": "mul"}[name]
        if self._is_small(expr):
            return self.f.let(f"{plain} nsw i64 {one}, {two}")
        return self.f.checked(name, one, two)

    def _is_small(self, expr: c.Op) -> bool:
        """Return whether the operands are so small that nothing can overflow."""
        ends = []
        for arg in expr.args:
            match self.shape(arg):
                case Number(low=low, high=high):
                    ends.append(max(abs(low), abs(high)))
                case Flag():
                    ends.append(1)
        # Only sums have more than two operands.
        return sum(ends) < 2**62 and prod(ends[:2]) < 2**62

    def _arithmetic(self, expr: c.Op) -> str:
        one, two = (self.number(arg) for arg in expr.args)
        return self._checked({"add": "sadd", "sub": "ssub", "mul": "smul"}[expr.name], one, two, expr)

    def _divided(self, expr: c.Op) -> str:
        """Emit floor division. The program has tested the divisor; a zero only must not trap."""
        f = self.f
        one, two = (self.number(arg) for arg in expr.args)
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

    def _negated(self, expr: c.Op) -> str:
        return self.f.let(f"sub i64 0, {self.number(expr.args[0])}")

    def _absolute(self, expr: c.Op) -> str:
        return self.f.let(f"call i64 @llvm.abs.i64(i64 {self.number(expr.args[0])}, i1 false)")

    def _extreme(self, expr: c.Op) -> str:
        name = "smin" if expr.name == "min" else "smax"
        first, *others = expr.args
        result = self.number(first)
        for arg in others:
            result = self.f.let(f"call i64 @llvm.{name}.i64(i64 {result}, i64 {self.number(arg)})")
        return result

    def _size(self, expr: c.Op) -> str:
        value, shape = self.value(expr.args[0])
        match shape:
            case Mask():
                return self.popcount(value, shape)
            case ItemList():
                return self.size(value)
            case None:
                return "0"
        raise NotCarried(f"the size of {shape}")

    def _place_in(self, expr: c.Op) -> str:
        """Return the position of an item that is there, from 1."""
        items, item = expr.args
        shape, value = self.as_list(items)
        of = shape.item or Number(0, 0)  # a list of which nothing is known is empty
        given = self.in_shape(item, of)
        self.all_seen(value, shape, items.type)
        # Positions count from 1; 0 means that the item was not found.
        position = self.f.slot("i64")
        self.f.do(f"store i64 0, ptr {position}")
        with self.f.counted("0", self.size(value)) as at:
            is_same = self.equal(self.load(self.at(value, at, shape), of), given, of)
            with self.f.when(is_same):
                self.f.do(f"store i64 {self.f.let(f'add i64 {at}, 1')}, ptr {position}")
                self.f.jump(self.f.breaks[-1])
        place = self.f.let(f"load i64, ptr {position}")
        self.f.stop_if(self.f.let(f"icmp eq i64 {place}, 0"), Limit.INDEX)
        return place

    def _position(self, expr: c.Op) -> str:
        of = expr.of
        value = self.number(expr.args[0])
        inside = t.strip_optional(of) if of is not None else None
        low = inside.low if isinstance(inside, t.Range) else 0
        if not isinstance(of, t.Optional):
            return self.f.let(f"sub i64 {value}, {low}")
        none = self.f.let(f"icmp eq i64 {value}, {NONE}")
        return self.f.let(f"select i1 {none}, i64 0, i64 {self.f.let(f'sub i64 {value}, {low - 1}')}")

    def _find(self, expr: c.Op) -> str:
        """Return the number of the record with these parts, or none."""
        f = self.f
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
            part = f.let(f"sub i64 {self.number(arg)}, {low}")
            inside = f.let(f"and i1 {inside}, {f.let(f'icmp ult i64 {part}, {size}')}")
            at = f.let(f"add i64 {f.let(f'mul i64 {at}, {size}')}, {part}")
        return self._entry(table, at, inside, Number(0, len(record.members), True))

    def _select(self, expr: c.Op) -> str:
        """Look a number up in a table of pairs; none if it is not there."""
        key, pairs = expr.args
        assert isinstance(pairs, c.Const)
        values = dict(pairs.value)
        low, high = min(values, default=0), max(values, default=0)
        if high - low >= DENSE:
            raise NotCarried(f"a table over {high - low} numbers")
        table = tuple(values.get(each) for each in range(low, high + 1))
        at = self.f.let(f"sub i64 {self.number(key)}, {low}")
        shape = self.shape(expr)
        assert isinstance(shape, Number)
        return self._entry(table, at, self.f.let(f"icmp ult i64 {at}, {len(table)}"), shape)

    def _entry(self, table: tuple[t.Value, ...], at: str, inside: str, shape: Number) -> str:
        """Load an entry of a table of numbers, or none if the index is out of range."""
        f = self.f
        # The entry is loaded even where it is not used, which takes less than a branch, so it has to be inside the
        # table.
        safe = f.let(f"mul i64 {f.let(f'select i1 {inside}, i64 {at}, i64 0')}, {shape.bytes}")
        entry = self.load(f.at(self.module.table(table, shape), safe), shape)
        return f.let(f"select i1 {inside}, i64 {entry}, i64 {NONE}")

    # ---- tests

    def _not(self, expr: c.Op) -> str:
        return self.f.let(f"xor i1 {self.test(expr.args[0])}, true")

    def _none(self, expr: c.Op) -> str:
        value, shape = self.value(expr.args[0])
        some = expr.name == "some"
        test = "ne" if some else "eq"
        if isinstance(shape, ItemList):
            return self.f.let(f"icmp {test} ptr {value}, @none")
        if not isinstance(shape, Number):
            return "true" if some else "false"
        return self.f.let(f"icmp {test} i64 {value}, {NONE}")

    def _between(self, expr: c.Op) -> str:
        value, low, high = (self.number(arg) for arg in expr.args)
        above = self.f.let(f"icmp sge i64 {value}, {low}")
        return self.f.let(f"and i1 {above}, {self.f.let(f'icmp sle i64 {value}, {high}')}")

    def _has(self, expr: c.Op) -> str:
        item, items = expr.args
        shape = self.shape(items)
        if shape is None or (isinstance(shape, ItemList) and shape.item is None):
            self.value(item)  # it may fail
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
                return self.has(self.constant(frozenset(items.value), mask), mask, self.number(item))
        value, _ = self.value(items)
        if isinstance(shape, Mask):
            return self.has(value, shape, self.number(item))
        assert isinstance(shape, ItemList)
        wider = join(shape.item, self.shape(item))
        assert wider is not None
        whole = ItemList(wider, shape.capacity, shape.distinct)
        if isinstance(wider, Number | Flag):
            entry = self.entry(item)
            if self.module.veils(item.type) and not isinstance(item, c.Const):
                some = self.f.let(f"icmp ne i64 {self.size(value)}, 0")
                first = self.load(self.at(value, "0", shape), shape.item) if isinstance(shape.item, Number) else "0"
                apart = self.f.let(f"and i1 {some}, {self.f.let(f'icmp ne i64 {first}, {entry}')}")
                self.f.stop_if(self.f.let(f"and i1 {self.is_veiled(entry)}, {apart}"), VEILED)
            return self.has_number(value, shape, entry, self.module.veils(items.type))
        return self.listed(self.to(value, shape, whole), whole, self.in_shape(item, wider), wider)

    def has_number(self, value: str, shape: ItemList, item: str, veiled: bool = False) -> str:
        """Test whether a list contains a number. veiled: it may contain veiled pieces, too."""
        f = self.f
        contains = f.slot("i1")
        assert shape.item is not None
        f.do(f"store i1 false, ptr {contains}")
        with f.counted("0", self.size(value)) as at:
            entry = self.to(self.load(self.at(value, at, shape), shape.item), shape.item, Number(0, 0))
            same = f.let(f"icmp eq i64 {entry}, {item}")
            if veiled:
                f.stop_if(f.let(f"icmp ugt i1 {self.is_veiled(entry)}, {same}"), VEILED)
            with f.when(same):
                f.do(f"store i1 true, ptr {contains}")
                f.jump(f.breaks[-1])
        return f.let(f"load i1, ptr {contains}")

    def _is_empty(self, expr: c.Op) -> str:
        return self.is_empty(expr.args[0])

    def is_empty(self, items: c.Expr) -> str:
        """Test whether a collection is empty, without making it if possible."""
        match items:
            case c.Pick(test=test, yes=c.Call() as yes, no=c.Const(value=no)) if self.module.rows(yes) is not None:
                chosen = self.test(test)
                place, inside = self._place_of(yes)
                self.f.stop_if(self.f.let(f"icmp ugt i1 {chosen}, {inside}"), Limit.INDEX)
                is_row_empty = self._is_row_empty(yes, self.f.let(f"select i1 {inside}, i64 {place}, i64 0"))
                return self.f.let(f"select i1 {chosen}, i1 {is_row_empty}, i1 {'false' if no else 'true'}")
            case c.Pick(test=test, yes=yes, no=no):
                return self.either(self.test(test), lambda: self.is_empty(yes), lambda: self.is_empty(no), Flag())
            case c.Call() if self.module.rows(items) is not None:
                return self._is_row_empty(items, self._row_of(items))
            case c.Call(unit=unit) if self.module.tests_emptiness(unit):
                return self._call(unit, items.args, "e")[0]
        value, shape = self.value(items)
        if isinstance(shape, Mask):
            return self.f.let(f"icmp eq {shape.llvm} {value}, 0")
        if shape is None:
            return "true"
        return self.f.let(f"icmp eq i64 {self.size(value)}, 0")

    def _is_row_empty(self, call: c.Call, place: str) -> str:
        empty = tuple(not row for row in self.module.rows(call) or ())
        return self.load(self.f.at(self.module.table_of(empty, Flag()), place), Flag())

    def _fits(self, expr: c.Op) -> str:
        """Test whether a collection is in a type: its size, and each of its items."""
        value, shape = self.value(expr.args[0])
        of = expr.of
        assert isinstance(of, t.SetOf | t.BagOf | t.ListOf)
        f = self.f
        fits = "true"
        if of.most is not None:
            size = self.popcount(value, shape) if isinstance(shape, Mask) else self.size(value)
            fits = f.let(f"icmp sle i64 {size}, {of.most}")
        if isinstance(shape, Mask):
            mask = mask_of(of.of)
            if mask is None or (mask.low > shape.low or mask.high < shape.high or shape.optional > mask.optional):
                raise NotCarried("a set of numbers that may not fit")
            return fits
        if isinstance(shape, ItemList) and not self._holds(of.of, shape.item):
            raise NotCarried("a list of items that may not fit")
        return fits

    def _holds(self, of: t.Type, shape: Shape | None) -> bool:
        """Return whether all values of a shape are surely in a type."""
        match of, shape:
            case _, None:
                return True
            case t.Range(low=low, high=high), Number():
                return low <= shape.low and shape.high <= high and not shape.optional
            case t.Optional(of=inner), Number():
                return self._holds(inner, Number(shape.low, shape.high))
            case ((t.ListOf() | t.BagOf() | t.SetOf()), ItemList()):
                return of.most is None and self._holds(of.of, shape.item)
            case ((t.ListOf() | t.BagOf() | t.SetOf()), _):
                return False
        return isinstance(shape, Number | Flag)

    # ---- rows of cells

    def _row_of(self, items: c.Expr) -> str:
        """Return the index of the row of a constant collection, a table, or a unit."""
        f = self.f
        match items:
            case c.Lookup(table=table, index=index):
                at = self.number(index)
                self._inside(index, at, len(table))
                return at
            case c.Call():
                at, inside = self._place_of(items)
                f.stop_if(f.let(f"xor i1 {inside}, true"), Limit.INDEX)
                return at
        return "0"

    def _place_of(self, call: c.Call) -> tuple[str, str]:
        """Return the index of the row of a unit, and whether there is one."""
        f, at, inside = self.f, "0", "true"
        for (low, size), arg in zip(self.module.ranges(call.unit) or (), call.args, strict=True):
            part = f.let(f"sub i64 {self.number(arg)}, {low}")
            inside = f.let(f"and i1 {inside}, {f.let(f'icmp ult i64 {part}, {size}')}")
            at = f.let(f"add i64 {f.let(f'mul i64 {at}, {size}')}, {part}")
        return at, inside

    def _holding(self, at: str | int, wide: int, expr: c.Expr) -> str:
        """Return a bit vector of the bytes from an address on that equal a value."""
        f, inside = self.f, ""
        if isinstance(expr, c.Const):
            byte = str(-128 if expr.value is None else int(expr.value))
            if not -128 < int(expr.value or 0) < 128:
                return "0"
        else:
            value = self.number(expr)
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

    # ---- collections that are made

    def as_list(self, expr: c.Expr) -> tuple[ItemList, str]:
        """Evaluate a collection to a sorted list."""
        value, shape = self.value(expr)
        match shape:
            case ItemList():
                return shape, value
            case Mask():
                return ItemList(numbers(shape)), self.list_of_mask(value, shape)
            case None:
                return ItemList(None), "@empty"
        raise NotCarried(f"a list that is {shape}")

    def _literal(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        result = self.new(str(max(1, len(expr.args))), shape)
        for at, arg in enumerate(expr.args):
            assert shape.item is not None
            self.store(self.at(result, str(at), shape), self.in_shape(arg, shape.item), shape.item, self.shape(arg))
        self.set_size(result, str(len(expr.args)))
        return result

    def _set_of(self, expr: c.Op, shape: Shape) -> str:
        if isinstance(shape, Mask):
            mask = "0"
            for arg in expr.args:
                mask = self.with_item(mask, shape, self.number(arg))
            return mask
        if len(expr.args) > 1:
            raise NotCarried("large sets of several items")
        return self._literal(expr, shape)

    def _set_of_list(self, expr: c.Op, shape: Shape) -> str:
        """Make a set of the items of a list."""
        items, value = self.as_list(expr.args[0])
        self.all_seen(value, items, expr.args[0].type)
        return self.set_of_list(value, items, shape)

    def set_of_list(self, value: str, items: ItemList, shape: Shape) -> str:
        if isinstance(shape, Mask):
            return self._mask_of_list(value, items, shape, lenient=False)
        assert isinstance(shape, ItemList)
        return self.once(value, items, shape)

    def _mask_of_list(self, value: str, items: ItemList, shape: Mask, lenient: bool) -> str:
        if items.item is None:
            return "0"
        f = self.f
        slot = f.slot(shape.llvm)
        f.do(f"store {shape.llvm} 0, ptr {slot}")
        with f.counted("0", self.size(value)) as at:
            item = self.to(self.load(self.at(value, at, items), items.item), items.item, Number(0, 0))
            more = self.with_item(f.let(f"load {shape.llvm}, ptr {slot}"), shape, item, lenient)
            f.do(f"store {shape.llvm} {more}, ptr {slot}")
        return f.let(f"load {shape.llvm}, ptr {slot}")

    def once(self, value: str, items: ItemList, shape: ItemList) -> str:
        """Remove duplicates from a list; first occurrences keep their order."""
        f = self.f
        if items.item is None:
            return "@empty"
        slot = f.slot("ptr")
        f.do(f"store ptr {self.new(self.size(value), shape)}, ptr {slot}")
        assert shape.item is not None
        with f.counted("0", self.size(value)) as at:
            item = self.to(self.load(self.at(value, at, items), items.item), items.item, shape.item)
            is_listed = self.listed(f.let(f"load ptr, ptr {slot}"), shape, item, shape.item)
            with f.when(f.let(f"xor i1 {is_listed}, true")):
                self.append(slot, item, shape, shape.item)
        return f.let(f"load ptr, ptr {slot}")

    def _first_of_each(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        items, value = self.as_list(expr.args[0])
        if isinstance(expr.args[0], c.Load) and isinstance(items.item, Number):
            element = self.module.layout.elements[expr.args[0].base]
            if element is not None and element.is_zone and element.kind == "bag" and element.visibility != "hidden":
                # The cell of such a bag is sorted.
                return self._first_of_run(value, shape, expr.args[0].type)
        self.all_seen(value, items, expr.args[0].type, self.f.let(f"icmp ugt i64 {self.size(value)}, 1"))
        return self.once(value, items, shape)

    def _first_of_run(self, value: str, shape: ItemList, of: t.Type) -> str:
        """Remove duplicates from a sorted list."""
        f = self.f
        assert shape.item is not None
        size = self.size(value)
        self.all_seen(value, shape, of, f.let(f"icmp ugt i64 {size}, 1"))
        result, many, last = self.new(size, shape), f.slot("i64"), f.slot("i64")
        f.put(many, 0)
        f.put(last, NONE)
        with f.counted("0", size) as at:
            item = self.load(self.at(value, at, shape), shape.item)
            to = f.get(many)
            # The item is written in any case, and the count keeps it if it is new: no branch can be mispredicted.
            self.store(self.at(result, to, shape), item, shape.item, shape.item)
            other = f.let(f"icmp ne i64 {item}, {f.get(last)}")
            f.put(many, f.let(f"add i64 {to}, {f.let(f'zext i1 {other} to i64')}"))
            f.put(last, item)
        self.set_size(result, f.get(many))
        return result

    def _union(self, expr: c.Op, shape: Shape) -> str:
        if isinstance(shape, Mask):
            one, two = (self._as_mask(arg, shape, lenient=False) for arg in expr.args)
            return self.f.let(f"or {shape.llvm} {one}, {two}")
        assert isinstance(shape, ItemList)
        f, (one, two) = self.f, (self.in_shape(arg, shape) for arg in expr.args)
        assert shape.item is not None
        slot = f.slot("ptr")
        capacity = f.let(f"add i64 {self.size(one)}, {self.size(two)}")
        result = self.new(capacity, shape)
        self.copy_items(f.let(f"getelementptr i8, ptr {result}, i64 {HEADER}"), one, self.size(one), shape)
        self.set_size(result, self.size(one))
        f.do(f"store ptr {result}, ptr {slot}")
        with f.counted("0", self.size(two)) as at:
            item = self.load(self.at(two, at, shape), shape.item)
            with f.when(f.let(f"xor i1 {self.listed(one, shape, item, shape.item)}, true")):
                self.append(slot, item, shape, shape.item)
        return f.let(f"load ptr, ptr {slot}")

    def _as_mask(self, expr: c.Expr, shape: Mask, lenient: bool) -> str:
        value, given = self.value(expr)
        if isinstance(given, ItemList):
            self.all_seen(value, given, expr.type)
            return self._mask_of_list(value, given, shape, lenient)
        if isinstance(given, Mask) and lenient and given != shape:
            listed = self.list_of_mask(value, given)
            return self._mask_of_list(listed, ItemList(numbers(given)), shape, lenient=True)
        return self.to(value, given, shape)

    def _minus(self, expr: c.Op, shape: Shape) -> str:
        if not isinstance(shape, Mask):
            raise NotCarried("large sets less others")
        left, right = expr.args
        one, two = self.in_shape(left, shape), self._as_mask(right, shape, lenient=True)
        return self.f.let(f"and {shape.llvm} {one}, {self.f.let(f'xor {shape.llvm} {two}, -1')}")

    def _ordered(self, expr: c.Op, shape: Shape) -> str:
        items, value = self.as_list(expr.args[0])
        if isinstance(self.shape(expr.args[0]), Mask) or items.item is None:
            return value
        self.all_seen(value, items, expr.args[0].type, self.f.let(f"icmp ugt i64 {self.size(value)}, 1"))
        # The list may be a cell of the state or a memoized result, which must not be sorted in place.
        result = self.copied(value, items)
        self.f.do(f"call void @{self.module.sorter(items)}(ptr {result})")
        return result

    def _reversed(self, expr: c.Op, shape: Shape) -> str:
        items, value = self.as_list(expr.args[0])
        return self.reversed(value, items)

    def reversed(self, value: str, items: ItemList) -> str:
        f = self.f
        if items.item is None:
            return value
        size = self.size(value)
        result = self.new(size, items)
        with f.counted("0", size) as at:
            other = f.let(f"sub i64 {f.let(f'sub i64 {size}, 1')}, {at}")
            self.store(
                self.at(result, at, items), self.load(self.at(value, other, items), items.item), items.item, items.item
            )
        self.set_size(result, size)
        return result

    def _bag_union(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        one, two = (self.in_shape(arg, shape) for arg in expr.args)
        result = self.chained(one, two, shape)
        if shape.item is not None:
            self.all_seen(result, shape, expr.type, self.f.let(f"icmp ugt i64 {self.size(result)}, 1"))
            self.f.do(f"call void @{self.module.sorter(shape)}(ptr {result})")
        return result

    def _interval_list(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        f = self.f
        low, high = (self.number(arg) for arg in expr.args)
        end = f.let(f"add i64 {high}, 1")
        size = f.let(f"call i64 @llvm.smax.i64(i64 {f.let(f'sub i64 {end}, {low}')}, i64 0)")
        self.spend(size)
        result = self.new(size, shape)
        assert shape.item is not None
        with f.counted("0", size) as at:
            self.store(self.at(result, at, shape), f.let(f"add i64 {low}, {at}"), shape.item, shape.item)
        self.set_size(result, size)
        return result

    def _interval_mask(self, expr: c.Op, shape: Shape) -> str:
        if not isinstance(shape, Mask):
            raise NotCarried("a large set of numbers")
        f = self.f
        low, high = (self.number(arg) for arg in expr.args)
        slot = f.slot(shape.llvm)
        f.do(f"store {shape.llvm} 0, ptr {slot}")
        with f.counted(low, f.let(f"add i64 {high}, 1")) as at:
            more = self.with_item(f.let(f"load {shape.llvm}, ptr {slot}"), shape, at)
            f.do(f"store {shape.llvm} {more}, ptr {slot}")
        return f.let(f"load {shape.llvm}, ptr {slot}")

    def _only(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        if not isinstance(shape.item, Number):
            return self._literal(expr, shape)
        item = self.entry(expr.args[0])
        result = self.new("1", shape)
        is_one = self.f.let(f"icmp ne i64 {item}, {NONE}")
        with self.f.when(is_one):
            self.store(self.at(result, "0", shape), item, shape.item, shape.item)
        self.set_size(result, self.f.let(f"zext i1 {is_one} to i64"))
        return result

    def _top(self, expr: c.Op, shape: Shape) -> str:
        items, value = self.as_list(expr.args[0])
        if not isinstance(items.item, Number):
            raise NotCarried("the top of lists")
        size, item = self.size(value), items.item
        last = self.f.let(f"sub i64 {size}, 1")
        return self.either(
            self.f.let(f"icmp eq i64 {size}, 0"),
            lambda: str(NONE),
            lambda: self.load(self.at(value, last, items), item),
            shape,
        )

    def _item(self, expr: c.Op, shape: Shape) -> str:
        items, value = self.as_list(expr.args[0])
        at = self.number(expr.args[1])
        self.f.stop_if(self.f.let(f"icmp uge i64 {at}, {self.size(value)}"), Limit.INDEX)
        assert items.item is not None
        return self.load(self.at(value, at, items), items.item)

    def _bag_minus(self, expr: c.Op, shape: Shape) -> str:
        assert isinstance(shape, ItemList)
        value, own_shape = self.value(expr.args[0])
        if own_shape is None:
            return "@empty"
        other = self.in_shape(expr.args[1], shape)
        if not isinstance(shape.item, Number):
            raise NotCarried("bags of collections less others")
        f = self.f
        self.all_seen(value, shape, expr.args[0].type, f.let(f"icmp ne i64 {self.size(other)}, 0"))
        self.all_seen(other, shape, expr.args[1].type)
        result = self.copied(value, shape)
        with f.counted("0", self.size(other)) as at:
            item = self.load(self.at(other, at, shape), shape.item)
            f.do(f"call i1 @{self.module.taker(shape)}(ptr {result}, i64 {item})")
        return result

    def _copies(self, expr: c.Op, shape: Shape) -> str:
        """Make the list of every copy of each kind of a component."""
        f, of = self.f, expr.of
        assert isinstance(shape, ItemList)
        assert isinstance(of, t.ComponentType)
        result = f.slot("ptr")
        f.put(result, self.new("16", shape), "ptr")
        items, value = self.as_list(expr.args[0])
        if items.item is None:
            return "@empty"
        if not isinstance(self.shape(expr.args[0]), Mask):
            value = self.copied(value, items)
            f.do(f"call void @{self.module.sorter(items)}(ptr {value})")
        most = Number(0, max(of.copies, default=0))
        table = self.module.table(tuple(of.copies), most)
        with f.counted("0", self.size(value)) as at:
            kind = self._scalar(self.load(self.at(value, at, items), items.item), items.item)
            f.stop_if(f.let(f"icmp uge i64 {kind}, {len(of.copies)}"), Limit.INDEX)
            many = self.load(f.at(table, f.let(f"mul i64 {kind}, {most.bytes}")), most)
            with f.counted("0", many):
                self.append(result, kind, shape, items.item)
        return f.get(result, "ptr")

    def _is_part(self, expr: c.Op) -> str:
        """Test whether a bag contains another one."""
        f, (part, whole) = self.f, expr.args
        (part_items, value), (whole_items, all_) = self.as_list(part), self.as_list(whole)
        self.all_seen(value, part_items, part.type)
        self.all_seen(all_, whole_items, whole.type)
        if part_items.item is None or whole_items.item is None:
            return f.let(f"icmp eq i64 {self.size(value)}, 0")
        left, is_part = self.copied(all_, whole_items), f.slot("i1")
        f.put(is_part, "true", "i1")
        with f.counted("0", self.size(value)) as at:
            item = self._scalar(self.load(self.at(value, at, part_items), part_items.item), part_items.item)
            is_taken = f.let(f"call i1 @{self.module.taker(whole_items)}(ptr {left}, i64 {item})")
            f.put(is_part, f.let(f"and i1 {f.get(is_part, 'i1')}, {is_taken}"), "i1")
        return f.get(is_part, "i1")

    # ---- sub-collections

    def _row(self, expr: c.Op, shape: ArgumentRow) -> str:
        """Make the row of a move's argument values."""
        memory = self.new(str(shape.bytes), ItemList(Number(0, 0)))
        given = zip(expr.args, shape.parts, strict=True)
        self.store_row(memory, [self.in_shape(arg, part) if part else "0" for arg, part in given], shape)
        return memory

    def _search(self, expr: c.Op) -> tuple[str, ItemList]:
        """Set up a search for parts; return its record, and the shape of a part."""
        pieces, *rest = expr.args
        shape, value = self.as_list(pieces)
        self.all_seen(value, shape, pieces.type)
        given = [
            (self.in_shape(weights, IDS), self.number(low), self.number(high))
            for weights, low, high in zip(rest[::3], rest[1::3], rest[2::3], strict=True)
        ]
        limits, name = limits_of(self.f, given), self.searcher(shape)
        return self.f.value_of(f"@search_{name}(ptr %C, ptr {value}, ptr {limits}, i64 {len(given)})", "ptr"), shape

    def searcher(self, shape: ItemList) -> str:
        """Return the suffix of the names of the functions that search parts of a list of this shape."""
        # A list that is always empty has the empty part, whatever it is a list of.
        item = shape.item or Number(0, 0)
        if not isinstance(item, Number):
            raise NotCarried("parts of collections that hold no numbers")
        return self.module.searcher(replace(shape, item=item))

    def _fitting(self, expr: c.Op, shape: Shape) -> str:
        """Return the pieces that some part within the limits contains, or none."""
        f, (search, _) = self.f, self._search(expr)
        none = f.let(f"icmp slt i64 {f.get(f.at(search, 8 * FIELDS.index('size')))}, 0")
        pieces = f.get(f.at(search, 8 * FIELDS.index("pieces")), "ptr")
        return f.let(f"select i1 {none}, ptr @none, ptr {pieces}")


ARITHMETIC: Mapping[str, Callable[[ExpressionEmitter, c.Op], str]] = {
    "add": ExpressionEmitter._arithmetic,
    "sub": ExpressionEmitter._arithmetic,
    "mul": ExpressionEmitter._arithmetic,
    "sum": ExpressionEmitter._sum,
    "div": ExpressionEmitter._divided,
    "mod": ExpressionEmitter._divided,
    "neg": ExpressionEmitter._negated,
    "abs": ExpressionEmitter._absolute,
    "min": ExpressionEmitter._extreme,
    "max": ExpressionEmitter._extreme,
    "size": ExpressionEmitter._size,
    "place_in": ExpressionEmitter._place_in,
    "position": ExpressionEmitter._position,
    "int": lambda self, expr: self.number(expr.args[0]),
    "find": ExpressionEmitter._find,
    "select": ExpressionEmitter._select,
}
TESTS: Mapping[str, Callable[[ExpressionEmitter, c.Op], str]] = {
    "is_trial": lambda self, _: self.f.let(f"icmp ne i8 {self.f.get(self.f.at('%S', TRIAL), 'i8')}, 0"),
    "is_public": lambda self, _: self.f.let(f"icmp ne i8 {self.f.get(self.f.at('%S', PUBLIC), 'i8')}, 0"),
    "not": ExpressionEmitter._not,
    "none": ExpressionEmitter._none,
    "some": ExpressionEmitter._none,
    "between": ExpressionEmitter._between,
    "has": ExpressionEmitter._has,
    "is_empty": ExpressionEmitter._is_empty,
    "fits": ExpressionEmitter._fits,
    "is_part": ExpressionEmitter._is_part,
}
MAKERS: Mapping[str, Callable[[ExpressionEmitter, c.Op, Shape], str]] = {
    "fitting": ExpressionEmitter._fitting,
    "list_of": ExpressionEmitter._literal,
    "set_of": ExpressionEmitter._set_of,
    "frozenset": ExpressionEmitter._set_of_list,
    "once": ExpressionEmitter._first_of_each,
    "union": ExpressionEmitter._union,
    "minus": ExpressionEmitter._minus,
    "ordered": ExpressionEmitter._ordered,
    "reversed": ExpressionEmitter._reversed,
    "bag_union": ExpressionEmitter._bag_union,
    "bag_minus": ExpressionEmitter._bag_minus,
    "interval": ExpressionEmitter._interval_list,
    "interval_set": ExpressionEmitter._interval_mask,
    "only": ExpressionEmitter._only,
    "copies": ExpressionEmitter._copies,
    "top": ExpressionEmitter._top,
    "item": ExpressionEmitter._item,
}
