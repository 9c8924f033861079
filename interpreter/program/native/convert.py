"""Conversion between states of native code and states of the engine in Python."""

from __future__ import annotations

from typing import Any

from ludex.spec import types as t

from ...stack.state import DECLINED
from ...state.contents import Ticket
from ..ir import code as c
from ..ir.moves import Numbers
from ..llvm.shapes import ENTRY, HEADER, POOLS, CellLayout, Flag, ItemList, Mask, NotCarried, Number, Shape
from ..llvm.values import ConstantTable
from ..python.state import State, StateOwner


class Converter:
    """Converts the states of one program."""

    def __init__(self, program: c.Program, layout: CellLayout, numbers: Numbers) -> None:
        self._program, self._layout, self._numbers = program, layout, numbers
        self._hidden = {
            cell
            for element in program.game.elements
            if element.is_zone and element.visibility == "hidden"
            for cell in range(element.offset, element.offset + element.count)
        }
        self._stated = {
            wait.stated: [option.name for option in wait.options]
            for wait in program.waits
            if isinstance(wait, c.Together)
        }
        self._pool = ItemList(ENTRY, layout.pool_capacity)

    # ---- from native code

    def play(self, data: bytes, blank: list[Any], owner: StateOwner | None) -> State:
        """Convert to a state of the engine in Python. blank: its cells before play; owner: as in its states."""
        play = State(blank[:], owner)
        # Numbers are little-endian, as on the processors that code is made for.
        play.wait = int.from_bytes(data[:4], "little")
        for number, cell in enumerate(self._layout.cells):
            play.cells[number] = self._of_cell(number, _decoded(data, cell.at, cell.shape))
        if self._layout.hides:
            at = self._layout.pools
            many = int.from_bytes(data[at : at + 8], "little")
            places = (at + 8 + number * self._pool.bytes for number in range(many))
            play.set_pools(self._entries(_decoded(data, place, self._pool)) for place in places)
        return play

    def cells(self, data: bytes) -> list[t.Value]:
        """Return the contents of the cells of the game's elements."""
        cells = enumerate(self._layout.cells[: self._program.game.cell_count])
        return [self._of_cell(number, _decoded(data, cell.at, cell.shape)) for number, cell in cells]

    def _of_cell(self, number: int, value: t.Value) -> t.Value:
        if number in self._stated:
            assert isinstance(value, tuple)
            # Native code has no none for a list; an empty one stands for it.
            return tuple([self._of_stated(number, each) for each in value]) or None
        return self._entries(value) if number in self._hidden else value

    def _of_stated(self, cell: int, number: t.Value) -> t.Value:
        if number is None:
            return None
        if number == -1:
            return DECLINED
        assert isinstance(number, int)
        numbered = self._numbers.named(number)
        return self._stated[cell].index(numbered.name), numbered.values(number)

    def _entries(self, entry: Any) -> Any:
        if isinstance(entry, tuple):
            return tuple(map(self._entries, entry))
        return entry if entry is None or entry < self._layout.ticket else Ticket(entry - self._layout.ticket)

    # ---- to native code

    def position(self, play: State) -> bytearray:
        """Return the bytes of a state of the engine in Python. Raises NotCarried if one of its lists does not fit."""
        data = bytearray(self._layout.size)
        data[:4] = play.wait.to_bytes(4, "little")
        for number, cell in enumerate(self._layout.cells):
            value = play.cells[number]
            if number in self._stated and value is not None:
                value = tuple([self._stated_number(number, each) for each in value])
            elif number in self._hidden:
                value = self._tickets(value)
            # Cells of routines that are not under way hold none, for which a list or mask has no bytes: they stay zero.
            if value is not None or isinstance(cell.shape, Number):
                self._put(data, cell.at, value, cell.shape)
        if len(play.pools) > POOLS:
            raise NotCarried("so many pools of unseen pieces")
        if self._layout.hides:
            at = self._layout.pools
            data[at : at + 8] = len(play.pools).to_bytes(8, "little")
            for number, pool in enumerate(play.pools):
                self._put(data, at + 8 + number * self._pool.bytes, self._tickets(pool), self._pool)
        return data

    @staticmethod
    def _put(buffer: bytearray, at: int, value: t.Value, shape: Shape) -> None:
        try:
            data = ConstantTable().encoded(value, shape)
        except OverflowError:
            raise NotCarried("a number that does not fit where it is kept") from None
        if len(data) != shape.bytes:
            raise NotCarried("a list that does not fit where it is kept")
        buffer[at : at + len(data)] = data

    def _stated_number(self, cell: int, stated: Any) -> int | None:
        if stated is None or stated == DECLINED:
            return None if stated is None else -1
        option, values = stated
        return self._numbers.by_name[self._stated[cell][option]].number(values)

    def _tickets(self, value: Any) -> Any:
        if type(value) is Ticket:
            return self._layout.ticket + value.pool
        return tuple(map(self._tickets, value)) if type(value) is tuple else value


def _decoded(data: bytes, at: int, shape: Shape | None) -> t.Value:
    match shape:
        case Flag():
            return bool(data[at])
        case Number(bytes=width):
            value = int.from_bytes(data[at : at + width], "little", signed=True)
            # The least number of this width is none.
            return None if value == -(2 ** (8 * width - 1)) else value
        case Mask():
            bits = int.from_bytes(data[at : at + shape.bytes], "little")
            values = (place for place in range(shape.bits) if bits >> place & 1)
            return frozenset(
                None if shape.optional and not each else each + shape.low - shape.optional for each in values
            )
        case ItemList():
            size = int.from_bytes(data[at : at + 4], "little")
            items = [_decoded(data, at + HEADER + place * shape.stride, shape.item) for place in range(size)]
            return frozenset(items) if shape.distinct else tuple(items)
    raise AssertionError(shape)
