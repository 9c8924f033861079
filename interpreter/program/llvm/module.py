"""The LLVM module of a whole program: units, blocks, waits and whole plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from ludex.spec import SpecFault, strongly_connected
from ludex.spec import model as m
from ludex.spec import types as t

from ..engine.compiled import Compiled
from ..ir import code as c
from ..ir.limits import COMPACT
from ..ir.moves import Numbers
from ..ir.traversal import calls, statements
from . import generator, infer
from .builder import CONTEXT, Function, Limit
from .decisions import Decisions
from .expressions import ExpressionEmitter
from .hidden import Hidden
from .memo import MemoTables
from .option_moves import STATE
from .plays import Plays
from .prelude import LESS, PRELUDE, SORT, TAKE
from .shapes import CellLayout, ItemList, NotCarried, Number, Shape
from .statements import FunctionEmitter
from .subsets import next_part, search
from .values import ConstantTable, ValueEmitter
from .zones import Zones

LARGE = 400_000
"""A program with more characters of text than this counts as large: its long functions are not inlined."""
ROWS = 4_096
"""A unit of constants is tabulated if it has at most this many argument combinations."""
BLOCKS_AT_ONCE = 100_000
"""A play that runs through this many blocks between two events counts as endless."""


class Module:
    """Prints one program.

    Attributes:
        sites: the places of faults and refusals, by the number that the code stores.
        stopping: the printed units whose functions may return without a value: for a fault (`ir/failing.py`), or since
            native code is at a limit of its own.
        allocating: the printed units whose functions may allocate memory.
    """

    def __init__(self, program: c.Program) -> None:
        self.program, self.game = program, program.game
        self.numbers = Numbers(program.game)
        self.layout = CellLayout(program)
        self.shapes = infer.Shapes(program, self.layout)
        self.constants = ConstantTable()
        self.sites: list[c.Fail | c.Refuse] = []
        self.within: list[int] = []
        called = {number: calls(unit.body) for number, unit in enumerate(program.units)}
        self._components = list(strongly_connected(called))
        self.recursive = _recursive(called, self._components)
        self.stopping, self.allocating = set(self.recursive), set(self.recursive)
        self.memo = MemoTables(program, self.shapes)
        self._tested_for_empty = self._units_tested_for_empty()
        self._helpers: dict[str, str] = {}
        self._tables: dict[tuple[int, Shape], str] = {}
        self._alive: list[object] = []
        self._rows: dict[int, tuple[t.Value, ...] | None] = {}
        self.veils = self.layout.veils
        self.decisions, self.hidden = Decisions(self), Hidden(self)

    def text(self) -> str:
        """Return the text of the whole program."""
        # Callees first, since their text shows whether a caller must test for a stop, and whether it uses memory. Of
        # recursive units both are assumed.
        parts = [self._unit(number) for component in self._components for number in component]
        parts += [self._block(number) for number in range(len(self.program.blocks)) if not self.is_alone(number)]
        parts += [self._run(), *self.decisions.functions(), *Plays(self, self.decisions).functions()]
        if self.layout.hides:
            parts += self.hidden.helpers()
        parts += self.hidden.functions
        parts = [PRELUDE, generator.LLVM, self.constants.text(), *self._helpers.values(), *parts]
        is_large = sum(map(len, parts)) > LARGE  # long functions within one another take long to optimise
        return "\n".join([
            *parts,
            f"attributes #0 = {{ {'noinline' if is_large else 'nounwind'} }}",
            '!0 = !{!"branch_weights", i32 1, i32 2000}\n',
        ])  # fmt: skip

    # ---- shared constants and functions

    def site(self, statement: c.Fail | c.Refuse) -> int:
        self.sites.append(statement)
        return len(self.sites) - 1

    def table(self, table: tuple[t.Value, ...], shape: Shape) -> str:
        """Return the address of a constant table of values of one shape."""
        # Tables are found by identity, since hashing a long one costs as much as encoding it; they are kept alive, so
        # that no other gets the id.
        key = id(table), shape
        if key not in self._tables:
            self._alive.append(table)
            self._tables[key] = self.constants.of_bytes(b"".join(self.constants.encoded(each, shape) for each in table))
        return self._tables[key]

    def table_of(self, values: tuple[t.Value, ...], shape: Shape) -> str:
        """Return the address of a constant table computed for one call."""
        return self.constants.of_bytes(b"".join(self.constants.encoded(each, shape) for each in values))

    def rows(self, items: c.Expr) -> tuple[t.Value, ...] | None:
        """Return all values of a collection that depends on no cell, or None."""
        match items:
            case c.Const(value=value):
                return (value,)
            case c.Lookup(table=table):
                return table
            case c.Call(unit=unit) if self.program.units[unit].keeps == "always":
                if unit not in self._rows:
                    self._rows[unit] = self._worked_out(unit)
                return self._rows[unit]
        return None

    def _units_tested_for_empty(self) -> set[int]:
        """Return the units of which some caller only tests whether the result is empty.

        Memoized units, and units that make such tests themselves, are left out.
        """
        bodies = [*(unit.body for unit in self.program.units), *(block.body for block in self.program.blocks)]
        tested = {
            part.args[0].unit
            for body in bodies
            for part in self.shapes.parts(body)
            if isinstance(part, c.Op) and part.name == "is_empty" and isinstance(part.args[0], c.Call)
        }
        # A memoized list is looked up, which takes less than a second evaluation.
        return tested - set(self.memo.slots) - self.recursive

    def tests_emptiness(self, unit: int) -> bool:
        """Return whether there is a function that only tests whether the unit's result is empty."""
        return unit in self._tested_for_empty

    def ranges(self, unit: int) -> list[tuple[int, int]] | None:
        """Return for each argument of a unit the first value and the number of values."""
        return self.memo.ranges(unit, self.program.units[unit])

    def _worked_out(self, unit: int) -> tuple[t.Value, ...] | None:
        """Evaluate a unit that reads no cell for all its arguments, in order; return None if these are too many."""
        ranges = self.ranges(unit)
        if ranges is None or prod(size for _, size in ranges) > ROWS:
            return None
        engine = self._engine
        play = engine.start()
        try:
            return tuple(
                engine.runtime.units[unit](play, play.cells, *given)
                for given in product(*(range(low, low + size) for low, size in ranges))
            )
        except SpecFault:
            return None

    @cached_property
    def _engine(self) -> Compiled:
        return Compiled(self.game, COMPACT, self.program)

    def parameter(self, unit: int, var: c.Var) -> Shape:
        return self.shapes.vars[unit][var.number] or Number(0, 0)

    def returned_kind(self, unit: int) -> str:
        shape = self.shapes.returns.get(unit)
        return "i64" if shape is None else shape.llvm

    def sorter(self, shape: ItemList) -> str:
        """Return the function that sorts a list of this shape in place."""
        if isinstance(shape.item, ItemList) and isinstance(shape.item.item, Number):
            less = f"  %less = call i1 @{self.lesser(shape.item)}(ptr %a, ptr %b)\n"
            return self._helper(f"sort_lists_{shape.stride}_{shape.item.stride}", SORT, stride=shape.stride, less=less)
        if not isinstance(shape.item, Number):
            raise NotCarried("collections that are put in order")
        kind = f"i{shape.stride * 8}"
        less = f"  %va = load {kind}, ptr %a\n  %vb = load {kind}, ptr %b\n  %less = icmp slt {kind} %va, %vb\n"
        # Helpers are shared by all lists whose items have as many bytes, whatever they mean.
        return self._helper(f"sort_{shape.stride}", SORT, stride=shape.stride, less=less)

    def lesser(self, shape: ItemList) -> str:
        """Return the function that compares two lists of numbers."""
        return self._helper(f"less_{shape.stride}", LESS, kind=f"i{shape.stride * 8}", stride=shape.stride)

    def taker(self, shape: ItemList) -> str:
        """Return the function that removes the last item equal to a number from a list, and returns whether there was
        one.
        """
        kind, least = f"i{shape.stride * 8}", -(2 ** (8 * shape.stride - 1))
        return self._helper(f"take_{shape.stride}", TAKE, kind=kind, stride=shape.stride, least=least)

    def searcher(self, shape: ItemList) -> str:
        """Return the suffix of the names of the functions that search parts of a list of this shape."""
        name = f"{shape.stride}"
        if f"search_{name}" not in self._helpers:
            for text, full_name in ((search, f"search_{name}"), (next_part, f"next_{name}")):
                self._helpers[full_name] = text(full_name, shape)
        return name

    def _helper(self, name: str, text: str, **parts: str | int) -> str:
        if name not in self._helpers:
            self._helpers[name] = text.format(name=name, **parts)
        return name

    # ---- units and blocks

    def _unit(self, number: int) -> str:
        unit = self.program.units[number]
        given = [(var, self.parameter(number, var)) for var in unit.parameters]
        parameters = "".join(f", {shape.llvm} %a{var.number}" for var, shape in given)
        returned = self.returned_kind(number)
        given_all = f"ptr noalias nocapture %C, ptr noalias nocapture %S{parameters}"
        # Callers name `u`. Of a memoized unit that function looks into the memo first, and `w` has the body.
        f = Function(f"{'w' if number in self.memo.slots else 'u'}{number}", given_all, returned)
        writer = FunctionEmitter(f, self, number)
        for var, _ in given:
            writer.keep(var.number, f"%a{var.number}")
        writer.body(unit.body)
        text = f.text()
        if f.stops:
            self.stopping.add(number)
        if number in self._tested_for_empty:
            test = Function(f"e{number}", given_all, "i1")
            writer = FunctionEmitter(test, self, number, tests_emptiness=True)
            for var, _ in given:
                writer.keep(var.number, f"%a{var.number}")
            writer.body(unit.body)
            text += test.text()
        if (
            "@new(" in text
            or "@extendable(" in text
            or any(isinstance(part, c.Call) and part.unit in self.allocating for part in self.shapes.parts(unit.body))
        ):
            self.allocating.add(number)
        if number in self.memo.slots:
            outer, names = Function(f"u{number}", given_all, returned), [f"%a{var.number}" for var, _ in given]
            if unit.cycle is None:
                self.memo.write(number, ValueEmitter(outer, self.constants), names)
            else:
                self._ring(number, unit, outer, names)
            # A hit costs a few instructions, less than a call. A recursive unit cannot be inlined into itself.
            text += outer.text("" if unit.cycle is not None else "alwaysinline")
        return text

    def _ring(self, number: int, unit: c.Unit, f: Function, names: Sequence[str]) -> None:
        """Print the unit of a recursive define that states a cycle value."""
        writer, shape, on_cycle = FunctionEmitter(f, self, number), self.shapes.returns[number], unit.cycle
        assert on_cycle is not None
        for var, name in zip(unit.parameters, names, strict=True):
            writer.keep(var.number, name)
        self.memo.write_ring(number, f, names, lambda: "0" if shape is None else writer.in_shape(on_cycle, shape))

    @cached_property
    def _alone(self) -> frozenset[int]:
        """The blocks with a single predecessor, which are inlined into it."""
        program, refs = self.program, Counter[int]()
        # A block that is entered from outside counts as one with two predecessors: it needs a function of its own.
        refs.update({program.first: 2, 0: 2})
        for wait in program.waits:
            if wait is not None:
                refs[wait.then] += 2
                if isinstance(wait, c.Decision | c.Together):
                    refs.update({option.entry: 2 for option in wait.options})
        for query in program.action_tests:
            refs.update({query.entry: 2, query.body: 2})
        backs = {each.cell for block in program.blocks for each in statements(block.body) if isinstance(each, c.Back)}
        for block in program.blocks:
            for statement in statements(block.body):
                match statement:
                    case c.Goto(block=target):
                        refs[target] += 1
                    case c.Put(base=base, value=c.Const(value=int() as target)) if base in backs:
                        refs[target] += 2
        return frozenset(number for number in range(len(program.blocks)) if refs[number] <= 1)

    def is_alone(self, block: int) -> bool:
        # A block that is being printed cannot be put into itself.
        return block in self._alone and block not in self.within

    def _block(self, number: int) -> str:
        f = Function(f"b{number}", "ptr noalias nocapture %C, ptr noalias nocapture %S", None)
        FunctionEmitter(f, self, infer.BLOCKS).body(self.program.blocks[number].body)
        return f.text()

    def _run(self) -> str:
        """Print the run to the next event or the end."""
        called = [number for number in range(len(self.program.blocks)) if not self.is_alone(number)]
        cases = "".join(f"    i32 {number}, label %b{number}\n" for number in called)
        arms = "".join(f"b{n}:\n  %r{n} = call i32 @b{n}({STATE})\n  br label %on\n" for n in called)
        after = "".join(f", [ %r{n}, %b{n} ]" for n in called)
        return f"""
define internal i32 @run({STATE}, i32 %first) {{
entry:
  %top.at = getelementptr i8, ptr %C, i64 {CONTEXT["top"]}
  %top = load ptr, ptr %top.at
  br label %head
head:
  %block = phi i32 [ %first, %entry ], [ %next, %again ]
  %left = phi i32 [ {BLOCKS_AT_ONCE}, %entry ], [ %less, %again ]
  switch i32 %block, label %lost [
{cases}  ]
{arms}lost:
  br label %on
on:
  %next = phi i32 [ {Limit.INDEX}, %lost ]{after}
  %goes = icmp sge i32 %next, 0
  br i1 %goes, label %again, label %done
again:
  %less = sub i32 %left, 1
  %over = icmp eq i32 %less, 0
  br i1 %over, label %ever, label %head
ever:
  store ptr %top, ptr %top.at
  ret i32 {Limit.ENDLESS}
done:
  store ptr %top, ptr %top.at
  %waits = icmp eq i32 %next, -1
  %why = select i1 %waits, i32 0, i32 %next
  ret i32 %why
}}
"""

    # ---- services

    def go_on(self, f: Function, block: int) -> None:
        """Emit the run from a block to the next event, and return its status."""
        why = f.let(f"call i32 @run({STATE}, i32 {block})")
        # Pools are brought into normal form once an event, and not after each block.
        if self.layout.hides:
            f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
            why = f.let(f"call i32 @normalised({STATE})")
        f.give(why)

    def serve(self, writer: ExpressionEmitter, name: str, args: Sequence[c.Expr], at: int) -> str:
        """Emit a call of a service that returns a value."""
        f = writer.f
        numbers = [arg.value if isinstance(arg, c.Const) else -1 for arg in args]
        match name:
            case "offers":
                return f.value_of(f"@offers{numbers[0]}({STATE}, i64 {writer.number(args[1])})", "i1")
            case "together":
                return f.value_of(f"@together{numbers[0]}({STATE})", "i1")
            case "stated":
                return self.decisions.stated(writer, numbers[0], numbers[2], numbers[3])
            case "can":
                given = "".join(f", i64 {writer.number(arg)}" for arg in args)
                return f.value_of(f"@can{at}({STATE}{given})", "i1")
            case "asking":
                given = ", ".join(["ptr %C", *(f"i64 {writer.number(arg)}" for arg in args)])
                return f.value_of(f"@asking{at}({given})", "i1")
            case "unseen":
                return self.hidden.unseen(writer, numbers[0], self.program.services[at].statement)
            case "draw":
                return self._draw(writer, numbers, at)
        raise NotCarried(f"the service `{name}`")

    def _draw(self, writer: ExpressionEmitter, cells: Sequence[int], at: int) -> str:
        """Emit a draw; the result is whether nothing is left to draw."""
        f = writer.f
        given = "".join(f", i64 {self.decisions.load(writer, cell)}" for cell in cells)
        step = self.program.services[at].statement
        assert isinstance(step, m.DrawPieces)
        left = f.value_of(f"@{self.hidden.draw(step)}({STATE}{given})", "i64")
        self.decisions.store(writer, cells[2], left)
        self.changed(f)
        return f.let(f"icmp eq i64 {left}, 0")

    def changed(self, f: Function, state: str = "%S") -> None:
        """Emit a new stamp for the state, which invalidates memoized results."""
        if self.memo.stamped:
            f.do(f"call void @changed(ptr %C, ptr {state})")

    def do(self, writer: FunctionEmitter, name: str, args: Sequence[c.Expr], at: int) -> None:
        """Emit a call of a service that changes the state."""
        f = writer.f
        match name:
            case "enter" | "leave" | "move" | "move_all" | "swap":
                Zones(writer, self.layout, self.program.services[at].statement).do(name, args)
            case "shuffle":
                statement = self.program.services[at].statement
                assert isinstance(statement, m.ShuffleZone)
                self.hidden.shuffle(writer, statement, args[0])
            case "draw_unseen":
                step = self.program.services[at].statement
                assert isinstance(step, m.DrawPieces)
                given = "".join(f", i64 {writer.number(arg)}" for arg in args)
                left = f.value_of(f"@{self.hidden.draw(step)}({STATE}{given})", "i64")
                f.stop_if(f.let(f"icmp ne i64 {left}, 0"), Limit.POOLS)
            case _:
                raise NotCarried(f"the service `{name}`")
        self.changed(f)


def _recursive(called: Mapping[int, Sequence[int]], components: Iterable[Sequence[int]]) -> set[int]:
    """Return the recursive units: those that share a component with another one, or call themselves."""
    return {each for component in components for each in component if len(component) > 1 or each in called[each]}
