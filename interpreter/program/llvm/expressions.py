"""Code generation for the expressions of one unit or block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ludex.spec import Unknown
from ludex.spec import types as t

from ..ir import code as c
from . import three_valued
from .arithmetic import ARITHMETIC_CODE
from .builder import VEILED, Function, Limit
from .collection_values import MAKERS, argument_row
from .conditions import joined_tests
from .predicates import COMPARED, PREDICATE_CODE, compared
from .shapes import (
    DEEPEST,
    IDS,
    PUBLIC,
    ArgumentRow,
    Flag,
    ItemList,
    Mask,
    Maybe,
    NotCarried,
    Number,
    Shape,
    known,
    numbers,
)
from .subsets import limits_of
from .three_valued import UNKNOWN_FLAG, Unknowns
from .values import ValueEmitter

if TYPE_CHECKING:
    from .module import Module


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
        return self.to(value, shape, Number(0, 0)) if isinstance(shape, Flag) else self.scalar(value, shape)

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
    def scalar(value: str, shape: Shape | None) -> str:
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
            return argument_row(self, expr, shape)
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
                return f"{{ i64 0, i64 {UNKNOWN_FLAG} }}", Maybe(None)
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
        frees = number in module.allocating and not isinstance(shape, ItemList)
        top = f.get(f.context("top"), "ptr") if frees else ""
        result = f.let(f"call {{ {returned}, i32 }} @{of}{number}({', '.join(given)})")
        if frees:
            f.put(f.context("top"), top, "ptr")
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
            return joined_tests(self, name == "and", args), Flag()
        if name in COMPARED:
            return compared(self, name, *args), Flag()
        if name in three_valued.THREE_VALUED_CODE:
            return three_valued.THREE_VALUED_CODE[name](self.unknowns, expr)
        if name in three_valued.THREE_VALUED_TESTS:
            return three_valued.THREE_VALUED_TESTS[name](self.unknowns, expr), Flag()
        shape = self.shape(expr)
        if name in ARITHMETIC_CODE:
            return ARITHMETIC_CODE[name](self, expr), shape
        if name in PREDICATE_CODE:
            return PREDICATE_CODE[name](self, expr), Flag()
        if name in MAKERS:
            return ("0", None) if shape is None else (MAKERS[name](self, expr, shape), shape)
        raise NotCarried(f"the operation `{name}`")

    def is_empty(self, items: c.Expr) -> str:
        """Test whether a collection is empty, without making it if possible."""
        match items:
            case c.Pick(test=test, yes=c.Call() as yes, no=c.Const(value=no)) if self.module.rows(yes) is not None:
                chosen = self.test(test)
                place, inside = self._place_of(yes)
                # Both results are computed, without a branch. An index outside stops only if the row is chosen: as
                # bits, `a > b` says a and not b. If it is not chosen, another index is read in its place.
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

    # ---- sub-collections

    def part_search(self, expr: c.Op) -> tuple[str, ItemList]:
        """Set up a search for parts; return its record, and the shape of a part."""
        pieces, *rest = expr.args
        shape, value = self.as_list(pieces)
        self.all_seen(value, shape, pieces.type)
        # The other arguments are three for each limit: the weights of the pieces, the least and the largest sum.
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
