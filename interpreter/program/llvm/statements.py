"""Code generation for the statements of one unit or block: assignments, branches, loops and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import BOOL
from ..ir.traversal import code_parts
from . import infer
from .builder import FAULT, REFUSED, VEILED, Function
from .conditions import equal_bytes
from .expressions import ExpressionEmitter
from .scans import CellScan, Scan, scan_of, search_of
from .shapes import (
    MAY_REFUSE,
    Flag,
    ItemList,
    Mask,
    Maybe,
    Number,
    Shape,
    bits,
    numbers,
)
from .subsets import FIELDS, limits_of

if TYPE_CHECKING:
    from .module import Module

IS_PUBLIC = c.Op("is_public", (), BOOL)
_FREE = 64
"""Innermost loops without calls and with at most this many iterations do not count as work."""


class FunctionEmitter(ExpressionEmitter):
    """Emits the body of one function.

    on_row: if set, it is called for each row that a unit lists, instead of making the list; the function then returns
    that no row was accepted. on_item: a variable, and what is called after each item that is appended to its list.
    on_return: if set, it is called in place of a return. tests_emptiness: the function only tests whether the unit's
    result is empty.
    """

    def __init__(
        self,
        f: Function,
        module: Module,
        owner: int,
        *,
        on_row: Callable[[c.Op], None] | None = None,
        on_item: tuple[c.Var, Callable[[str], None]] | None = None,
        on_return: Callable[[], None] | None = None,
        tests_emptiness: bool = False,
    ) -> None:
        super().__init__(f, module, owner)
        self.on_row, self.on_item, self.on_return = on_row, on_item, on_return
        self.tests_emptiness = tests_emptiness

    # ---- statements

    def body(self, body: Iterable[c.Statement]) -> None:
        for statement in body:
            if self.f.terminated:
                return
            self.statement(statement)

    def statement(self, statement: c.Statement) -> None:
        f = self.f
        match statement:
            case c.Set(var=var, value=value):
                self._set(var, value)
            case c.Put():
                self._put(statement)
            case c.If(test=test, then=then, otherwise=otherwise):
                self._if(test, then, otherwise)
            case c.Each():
                self._each(statement)
            case c.Loop(body=inner):
                self._loop(inner)
            case c.Break():
                f.jump(f.breaks[-1])
            case c.Note():
                pass  # native code has no tracer
            case c.New(var=var):
                self._new(var)
            case c.Append(var=var, item=item):
                self._append(var, item)
            case c.Fail():
                f.put(f.context("site"), self.module.site(statement))
                f.stop(FAULT)
            case c.Attempt(body=inner):
                on = f.label()
                with f.catching(on, FAULT, VEILED):
                    self.body(inner)
                f.begin(on)
            case c.Return(value=value):
                self._return(value)
            case _:
                self._flow(statement)

    def _return(self, value: c.Expr) -> None:
        shape = self.module.shapes.returns.get(self.owner)
        if self.on_return is not None:
            self.on_return()
        elif self.on_row is not None:
            # All rows have been tried, and none has ended the search.
            self.f.give("false")
        elif self.tests_emptiness:
            self.f.give(self.is_empty(value))
        else:
            self.f.give("0" if shape is None else self.in_shape(value, shape))

    def _new(self, var: c.Var) -> None:
        _, shape = self.variable(var.number)
        assert isinstance(shape, ItemList)
        self.keep(var.number, self.new("16" if shape.stride < 64 else "4", shape))

    def _append(self, var: c.Var, item: c.Expr) -> None:
        slot, shape = self.variable(var.number)
        assert isinstance(shape, ItemList)
        if self.on_row is not None and isinstance(item, c.Op) and item.name == "row":
            self.on_row(item)
        elif shape.item is not None:
            self.append(slot, self.in_shape(item, shape.item), shape, self.raw(item))
        if self.on_item is not None and self.on_item[0] == var:
            self.on_item[1](slot)

    def _put(self, put: c.Put) -> None:
        shape = self.module.layout.cells[put.base].shape
        stored = self.in_shape(put.value, shape)
        self.store(self.cell(put.base, put.index, put.size), stored, shape, self.shape(put.value))
        if put.base in self.module.layout.seals:
            self.seal(put.base, put.index, 0)
        self.module.changed(self.f)

    def seal(self, base: int, index: c.Expr | None, mark: int) -> None:
        """Note whether a variable or slot is unknown in a copy of the public state."""
        first = self.f.at("%S", self.module.layout.seals[base])
        self.f.put(first if index is None else self.f.at(first, self.number(index)), mark, "i8")

    def _set(self, var: c.Var, value: c.Expr) -> None:
        """Assign to a variable. A block's variable gets a copy of a list: its cells may change."""
        _, shape = self.variable(var.number)
        if shape is not None:
            stored = self.in_shape(value, shape)
            copies = self.owner == infer.BLOCKS and not isinstance(value, c.Const | c.Var)
            self.keep(var.number, self.copied(stored, shape) if copies and isinstance(shape, ItemList) else stored)

    def _flow(self, statement: c.Statement) -> None:
        f = self.f
        match statement:
            case c.Refuse():
                f.put(f.context("site"), self.module.site(statement))
                # Where no move can be refused any more, a requirement that fails is a fault of the rules.
                may = f.get(f.at("%S", MAY_REFUSE), "i8")
                f.stop(f.let(f"select i1 {f.let(f'icmp ne i8 {may}, 0')}, i32 {REFUSED}, i32 {FAULT}"))
            case c.Do(name=name, args=args, at=at):
                self.module.do(self, name, args, at)
            case c.Goto(block=block):
                # The number is bounded, as each body is printed by a call inside that of the last one.
                if self.module.is_alone(block) and len(self.module.within) < 30:
                    self.module.within.append(block)
                    self.body(self.module.program.blocks[block].body)
                    self.module.within.pop()
                else:
                    f.end(f"ret i32 {block}")
            case c.Wait(number=number):
                f.do(f"store i32 {number}, ptr %S")
                f.end("ret i32 -1")
            case c.Back(cell=cell):
                back = self.load(self.cell(cell, None, 1), self.module.layout.cells[cell].shape)
                f.end(f"ret i32 {f.let(f'trunc i64 {back} to i32')}")
            case c.End():
                f.do("store i32 0, ptr %S")
                f.end("ret i32 -1")
            case _:
                raise AssertionError(statement)

    def _if(self, test: c.Expr, then: c.Body, otherwise: c.Body) -> None:
        f = self.f
        # Without copies of the public state, no state is one.
        if test == IS_PUBLIC and not self.module.layout.copies_public:
            self.body(otherwise)
            return
        true, false, on = f.label(), f.label(), f.label()
        f.branch(self.test(test), true, false if otherwise else on)
        f.begin(true)
        self.body(then)
        if not f.terminated:
            f.jump(on)
        if otherwise:
            f.begin(false)
            self.body(otherwise)
            if not f.terminated:
                f.jump(on)
        f.begin(on)

    def _loop(self, body: c.Body) -> None:
        f = self.f
        head, leave = f.label(), f.label()
        f.begin(head)
        # Nobody knows how often it runs, so each iteration counts as work.
        self.spend("1")
        f.breaks.append(leave)
        self.body(body)
        f.breaks.pop()
        if not f.terminated:
            f.jump(head)
        f.begin(leave)

    def _looks_at_all(self, each: c.Each, shape: Shape) -> bool:
        """Emit a loop as a vectorized scan or search; return whether that is possible.

        Veiled cells need tests one by one.
        """
        loads = (part for part in code_parts(each.body) if isinstance(part, c.Load) and part.index == each.var)
        if any(self.module.veils(load.type) or load.base in self.module.layout.seals for load in loads):
            return False
        return self._scan(each, shape) or self._find_first(each, shape)

    def _scan(self, each: c.Each, shape: Shape) -> bool:
        """Emit a loop over the iterations whose cell passes the test only; return whether that is possible."""
        if self.owner == infer.BLOCKS:  # the body may change cells, which a scan would not notice
            return False
        scan = scan_of(each, self.module.program.units[self.owner].body, self.module.layout)
        wide = 0 if scan is None else bits(scan.turns)
        # The last load takes a whole vector, which must not end beyond the state.
        if scan is None or scan.at + wide > self.module.layout.size:
            return False
        mask, turns = Mask(scan.low, scan.low + scan.turns - 1), self._iterations(scan, wide)
        self.spend(self.popcount(turns, mask))

        def turn(item: str) -> None:
            self.keep(each.var.number, self.to(item, numbers(mask), shape))
            self.body(scan.body)

        self.each_bit(turns, mask, turn)
        return True

    def _iterations(self, scan: Scan, wide: int) -> str:
        """Return a bit vector of the iterations to run."""
        f, mask = self.f, self._matches(scan, wide)
        turns = f.let(f"and i{wide} {mask}, {(1 << scan.turns) - 1}")
        return turns if wide >= 64 else f.let(f"zext i{wide} {turns} to i64")

    def _matches(self, scan: Scan | CellScan, wide: int) -> str:
        """Return a bit vector of the cells whose contents pass the test."""
        f = self.f
        if isinstance(scan.values, tuple):
            mask = "0"
            for value in scan.values:
                mask = f.let(f"or i{wide} {mask}, {equal_bytes(self, scan.at, wide, c.Const(value, t.Never()))}")
        else:
            mask = equal_bytes(self, scan.at, wide, scan.values)
        return f.let(f"xor i{wide} {mask}, -1") if scan.negated else mask

    def _find_first(self, each: c.Each, shape: Shape) -> bool:
        """Emit a search over all cells of a row or set at once; return whether that is possible."""
        if self.owner == infer.BLOCKS:
            return False
        own_mask = self._mask_of(each.items)
        rows = self.module.rows(each.items) if own_mask is None else (tuple(range(own_mask.bits)),)
        search = None if rows is None else search_of(each, rows, self.module.layout)
        if search is None:
            return False
        f, wide = self.f, bits(search.cells)
        mask = Mask(0, max(wide, 64) - 1)
        if own_mask is not None:
            assert isinstance(each.items, c.Op)
            place, row = "0", self.to(self.value(each.items.args[0])[0], own_mask, mask)
        else:
            place = self._row_of(each.items)
            table = self.module.table_of(tuple(map(frozenset, search.rows)), mask)
            row = self.load(f.at(table, f.let(f"mul i64 {place}, {mask.bytes}")), mask)
        row = row if wide >= 64 else f.let(f"trunc i64 {row} to i{wide}")
        hit = f.let(f"and i{wide} {row}, {self._matches(search, wide)}")
        if not search.ends:
            self._each_match(each, shape, search, hit if wide >= 64 else f.let(f"zext i{wide} {hit} to i64"))
            return True
        is_found = f.let(f"icmp ne i{wide} {hit}, 0")
        if any(search.holes):
            is_found = f.let(
                f"or i1 {is_found}, {self.load(f.at(self.module.table_of(search.holes, Flag()), place), Flag())}"
            )
        # Which of the cells comes first depends on the direction in which the row runs.
        if search.reads_item:
            ups = tuple(row == tuple(sorted(row)) for row in search.rows)
            up = self.load(f.at(self.module.table_of(ups, Flag()), place), Flag())
            low = f.let(f"call i{wide} @llvm.cttz.i{wide}(i{wide} {hit}, i1 false)")
            high = f.let(f"call i{wide} @llvm.ctlz.i{wide}(i{wide} {hit}, i1 false)")
            last = f.let(f"sub i{wide} {wide - 1}, {high}")
            at = f.let(f"select i1 {up}, i{wide} {low}, i{wide} {last}")
            by = "" if wide == 64 else "trunc" if wide > 64 else "zext"
            item = f.let(f"{by} i{wide} {at} to i64") if by else at
            self.keep(each.var.number, self.to(item, Number(0, search.cells - 1), shape))
        sets = [statement for statement in search.body if isinstance(statement, c.Set)]
        if len(sets) == len(search.body) and all(isinstance(each.value, c.Const | c.Var) for each in sets):
            for statement in sets:  # the outcome is unpredictable, so that a select beats a branch
                self._set_if(is_found, statement)
            return True
        with f.when(is_found):
            self.body(search.body)
        return True

    def _mask_of(self, items: c.Expr) -> Mask | None:
        """Return the shape of the set whose items these are, if it is a set of numbers from 0 on."""
        if isinstance(items, c.Op) and items.name == "ordered":
            shape = self.shape(items.args[0])
            if isinstance(shape, Mask) and shape.low == 0 and not shape.optional:
                return shape
        return None

    def _set_if(self, test: str, statement: c.Set) -> None:
        """Assign to a variable under a test, without a branch."""
        slot, shape = self.variable(statement.var.number)
        if shape is not None:
            old = self.f.let(f"load {shape.llvm}, ptr {slot}")
            value = self.in_shape(statement.value, shape)
            self.keep(statement.var.number, self.f.let(f"select i1 {test}, {shape.llvm} {value}, {shape.llvm} {old}"))

    def _each_match(self, each: c.Each, shape: Shape, search: CellScan, hit: str) -> None:
        """Emit the iterations for the cells that were found."""
        mask = Mask(0, max(bits(search.cells), 64) - 1)

        def turn(item: str) -> None:
            self.keep(each.var.number, self.to(item, numbers(mask), shape))
            self.body(search.body)

        self.spend(self.popcount(hit, mask))
        self.each_bit(hit, mask, turn)

    def _each_part(self, each: c.Each, shape: Shape) -> bool:
        """Emit a loop over the parts of a search without listing them; return whether the loop allows that."""
        if not (isinstance(each.items, c.Op) and each.items.name in ("parts", "seen_parts")):
            return False
        if each.items.name == "seen_parts":
            self.unknowns.each_part(self, each, shape)
            return True

        def turn(part: str) -> None:
            self.keep(each.var.number, self.to(part, given, shape))
            self.body(each.body)

        search, given = self.part_search(each.items)
        self._parts(search, given, turn)
        return True

    def each_part_of(self, value: str, shape: ItemList, turn: Callable[[str], None]) -> None:
        """Emit a loop over all parts of a sorted list."""
        limits, name = limits_of(self.f, []), self.searcher(shape)
        search = self.f.value_of(f"@search_{name}(ptr %C, ptr {value}, ptr {limits}, i64 0)", "ptr")
        self._parts(search, shape, turn)

    def _parts(self, search: str, given: ItemList, turn: Callable[[str], None]) -> None:
        f = self.f
        part = f.get(f.at(search, 8 * FIELDS.index("part")), "ptr")
        head, body, leave = f.label(), f.label(), f.label()
        f.begin(head)
        more = f.value_of(f"@next_{self.searcher(given)}(ptr %C, ptr {search})", "i1")
        f.branch(more, body, leave)
        f.begin(body)
        f.breaks.append(leave)
        turn(part)
        f.breaks.pop()
        if not f.terminated:
            f.jump(head)
        f.begin(leave)

    def _iterated(self, items: c.Expr) -> tuple[str, Shape | None]:
        """Evaluate what a loop goes through: a collection that is known, of items that may be unknown."""
        value, given = self.maybe(items)
        return (self.to(value, given, given.content), given.of) if isinstance(given, Maybe) else (value, given)

    def _each(self, each: c.Each) -> None:
        f, var = self.f, each.var.number
        _, shape = self.variable(var)
        if shape is None:
            return
        if self._each_part(each, shape) or self._looks_at_all(each, shape):
            return
        # Without calls and loops an iteration takes constant time, so that few of them need not be counted.
        free = not any(isinstance(part, c.Each | c.Loop | c.Call | c.Serve | c.Do) for part in code_parts(each.body))

        def turn(item: str, given: Shape) -> None:
            self.keep(var, self.to(item, given, shape))
            self.body(each.body)

        items = each.items
        # The bits of a mask are in rising order already, so that no list has to be made.
        if isinstance(items, c.Op) and items.name in ("ordered", "tuple"):
            inside = self.shape(items.args[0])
            if isinstance(inside, Mask):
                items = items.args[0]
        match items:
            case c.Const(value=tuple() as held) if held and held == tuple(
                range(held[0] or 0, (held[0] or 0) + len(held))
            ):
                low, end = str(held[0]), str(held[-1] + 1)
                if not (free and len(held) <= _FREE):
                    self.spend(str(len(held)))
                with f.counted(low, end) as at:
                    turn(at, Number(held[0], held[-1]))
                return
            case c.Op(name="interval", args=(first, last)):
                low, high = self.number(first), self.number(last)
                end = f.let(f"add i64 {high}, 1")
                self.spend(f.let(f"call i64 @llvm.smax.i64(i64 {f.let(f'sub i64 {end}, {low}')}, i64 0)"))
                with f.counted(low, end) as at:
                    turn(at, Number(0, 0))
                return
        value, given = self._iterated(items)
        match given:
            case Mask():
                if not (free and given.bits <= _FREE):
                    self.spend(self.popcount(value, given))
                self.each_bit(value, given, lambda item: turn(item, numbers(given)))
            case ItemList(item=item) if item is not None:
                size = self.size(value)
                if not (free and isinstance(items, c.Const) and len(items.value) <= _FREE):
                    self.spend(size)
                # The body may change the cell that the list is in.
                if self.owner == infer.BLOCKS and not isinstance(items, c.Const):
                    value = self.copied(value, given)
                with f.counted("0", size) as at:
                    turn(self.load(self.at(value, at, given), item), item)
