"""Memoization of unit results: for ever for facts, as long as no cell changes for units that read cells.

Each memoized unit has a table in a thread's own memory, with an entry for each combination of arguments: a time stamp
and the value. A state has the stamp of its last change; stamps are unique within a thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ludex.spec import types as t

from ..ir import code as c
from . import infer
from .builder import CONTEXT, Function, Limit
from .shapes import HEADER, STAMP, ItemList, Mask, Maybe, NotCarried, Number, Shape
from .values import ValueEmitter

_ENTRIES = 65_536
"""Limit of the table of one unit, in entries: one for each combination of its arguments."""
_LARGEST = 4 << 20
"""Limit of all tables, in bytes, of which each thread has its own."""
_LONG = 40
"""A unit without loops is memoized if it has more parts of expressions and statements than this."""
_LIST = 64
"""Limit of a memoized list, in items; a longer one is evaluated again."""


@dataclass(frozen=True, slots=True)
class MemoSlot:
    """The table of a unit: its offset, the distance of entries, and the range of each argument (first, size)."""

    at: int
    stride: int
    ranges: tuple[tuple[int, int], ...]
    lasting: bool


class MemoTables:
    """The memo tables of a program.

    Attributes:
        slots: by unit. size: the bytes of all tables. stamped: whether any table depends on the stamp of the state.
    """

    def __init__(self, program: c.Program, shapes: infer.Shapes) -> None:
        self.slots: dict[int, MemoSlot] = {}
        self.size = 0
        self._shapes = shapes
        bodies = [*(unit.body for unit in program.units), *(block.body for block in program.blocks)]
        self._calls = Counter(part.unit for body in bodies for part in shapes.parts(body) if isinstance(part, c.Call))
        for number, unit in enumerate(program.units):
            self._reserve(number, unit)
        tries = (wait.options for wait in program.waits if isinstance(wait, c.Decision | c.Together))
        refusable = any(option.refusable for options in tries for option in options)
        # A trial remembers its result by the stamp, too (`decisions.py`).
        self.stamped = refusable or not all(slot.lasting for slot in self.slots.values())

    def _reserve(self, number: int, unit: c.Unit) -> None:
        shape, ranges = self._shapes.returns.get(number), self.ranges(number, unit)
        if unit.cycle is not None:
            if ranges is None or self.size + prod(size for _, size in ranges) * 8 > _LARGEST:
                raise NotCarried("a define that meets itself, of more than a few values")
            # The entry of a recursive unit is a flag, set only while the call is under way, so it needs no stamp.
            self._place(number, 8, ranges, lasting=True)
        elif ranges is not None and shape is not None and self._pays(number, unit):
            value_size = 8
            if isinstance(shape, Maybe):
                if isinstance(shape.of, ItemList):
                    return
                value_size = Maybe(self._wide(shape.content)).bytes
            elif isinstance(shape, Mask):
                value_size = shape.bytes
            elif isinstance(shape, ItemList):
                value_size = HEADER + _LIST * shape.stride
            # An entry consists of the stamp, and the value in whole words.
            entries, stride = prod(size for _, size in ranges), (8 + value_size + 7) // 8 * 8
            if entries <= _ENTRIES and self.size + entries * stride <= _LARGEST:
                self._place(number, stride, ranges, unit.keeps == "always")

    def reserve(self, size: int) -> int:
        """Reserve bytes that are valid for one stamp of a state; return their offset."""
        self.size += size
        return self.size - size

    def _pays(self, number: int, unit: c.Unit) -> bool:
        """Return whether memoizing the unit pays."""
        return (unit.keeps != "" or self._calls[number] > 1) and _is_long(self._shapes.parts(unit.body))

    def _place(self, number: int, stride: int, ranges: Sequence[tuple[int, int]], lasting: bool) -> None:
        self.slots[number] = MemoSlot(self.size, stride, tuple(ranges), lasting)
        self.size += prod(size for _, size in ranges) * stride

    def ranges(self, number: int, unit: c.Unit) -> list[tuple[int, int]] | None:
        """Return for each argument the first value and the number of values; None where that is not known."""
        ranges = []
        for var in unit.parameters:
            size, shape = t.size(var.type), self._shapes.vars[number][var.number]
            if size is None or isinstance(var.type, t.Optional | t.Bool) or not isinstance(shape, Number):
                return None
            # All other values are numbered from 0.
            ranges.append((var.type.low if isinstance(var.type, t.Range) else 0, size))
        return ranges

    def _entry(self, number: int, f: Function, names: Sequence[str]) -> tuple[str, str]:
        """Emit the address of the entry for these arguments, and whether it is valid."""
        slot, at, inside = self.slots[number], "0", "true"
        for (low, size), name in zip(slot.ranges, names, strict=True):
            place = f.let(f"sub i64 {name}, {low}")
            inside = f.let(f"and i1 {inside}, {f.let(f'icmp ult i64 {place}, {size}')}")
            at = f.let(f"add i64 {f.let(f'mul i64 {at}, {size}')}, {place}")
        # The address is computed even where the entry is not used, so it has to be inside the table.
        safe = f.let(f"select i1 {inside}, i64 {at}, i64 0")
        offset = f.let(f"add i64 {f.let(f'mul i64 {safe}, {slot.stride}')}, {CONTEXT['memo'] + slot.at}")
        return f.at("%C", offset), inside

    def write_ring(self, number: int, f: Function, names: Sequence[str], cycle_value: Callable[[], str]) -> None:
        """Print the function that returns the cycle value if it recurs with the same arguments."""
        shape = self._shapes.returns[number]
        entry, inside = self._entry(number, f, names)
        f.stop_if(f.let(f"xor i1 {inside}, true"), Limit.INDEX)
        with f.when(f.let(f"icmp ne i64 {f.get(entry)}, 0")):
            f.give(cycle_value())
        f.put(entry, 1)
        returned = f"{{ {'i64' if shape is None else shape.llvm}, i32 }}"
        given = "".join(f", i64 {name}" for name in names)
        result = f.let(f"call {returned} @w{number}(ptr %C, ptr %S{given})")
        # The flag is cleared before the result is tested, so that a call that stops leaves none behind.
        f.put(entry, 0)
        why = f.let(f"extractvalue {returned} {result}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        f.give(f.let(f"extractvalue {returned} {result}, 0"))

    def write(self, number: int, values: ValueEmitter, names: Sequence[str]) -> None:
        """Print the function that looks in the table first, and evaluates the unit on a miss."""
        f, slot, shape = values.f, self.slots[number], self._shapes.returns[number]
        assert shape is not None
        entry, inside = self._entry(number, f, names)
        address = f.at(entry, 8)
        # The table is zero at first, and no state has the stamp 0, so that an entry that was never written is not
        # valid.
        now = "1" if slot.lasting else f.get(f.at("%S", STAMP))
        known = f.let(f"icmp eq i64 {f.get(entry)}, {now}")
        with f.when(f.let(f"and i1 {known}, {inside}")):
            f.give(values.load(address, self._wide(shape)))
        given = "".join(f", i64 {name}" for name in names)
        value = f.value_of(f"@w{number}(ptr %C, ptr %S{given})", shape.llvm)
        is_stored = inside
        if isinstance(shape, ItemList):
            # A longer list is returned as it is, and evaluated again the next time.
            is_stored = f.let(f"and i1 {is_stored}, {f.let(f'icmp sle i64 {values.size(value)}, {_LIST}')}")
        with f.when(is_stored):
            values.store(address, value, self._wide(shape), self._wide(shape))
            f.put(entry, now)
        f.give(value)

    @staticmethod
    def _wide(shape: Shape) -> Shape:
        match shape:
            case Number():
                # Eight bytes, so that an argument or result a little outside its declared range is stored without a
                # check.
                return Number(-(2**62), 2**62)
            case ItemList():
                return ItemList(shape.item, _LIST, shape.distinct)
            case Maybe():
                return Maybe(MemoTables._wide(shape.content))
        return shape


def _is_long(parts: Sequence[Any]) -> bool:
    """Return whether a lookup is cheaper than evaluation of a body with these parts."""
    return len(parts) > _LONG or any(isinstance(part, c.Each | c.Loop | c.New) for part in parts)
