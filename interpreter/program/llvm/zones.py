"""Native code for moving pieces between zones.

A missing piece, or a full zone, is a limit: the other engine explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludex.spec import model as m

from ..ir import code as c
from .builder import NONE, VEILED, Limit
from .shapes import ENTRY, HEADER, PUBLIC, CellLayout, ItemList, NotCarried, Number

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter


class Zones:
    """Emits one statement about zones."""

    def __init__(self, writer: ExpressionEmitter, layout: CellLayout, statement: m.Statement | None) -> None:
        self.w, self.f, self.layout, self.statement = writer, writer.f, layout, statement

    def do(self, name: str, args: Sequence[c.Expr]) -> None:
        """Emit the service of this name (`runtime.Runtime`)."""
        match self.statement, args:
            case m.FillZone(zone=zone), (at, pieces):
                self.add(zone.element, self._place(zone.element, at), *self._pieces(pieces))
            case m.PutPiece(target=zone, bottom=bottom), (at, pieces):
                self.add(zone.element, self._place(zone.element, at), *self._pieces(pieces), bottom)
            case m.RemovePiece(source=zone), (at, pieces):
                self.take(zone.element, self._place(zone.element, at), *self._pieces(pieces))
            case m.MovePiece(source=source, target=target, bottom=bottom), (one, two, pieces):
                listed = self._pieces(pieces)
                # Both places are computed before a piece leaves: an index may read the zone that changes.
                place, other = self._place(source.element, one), self._place(target.element, two)
                self.take(source.element, place, *listed)
                self.add(target.element, other, *listed, bottom)
            # The pieces are copied before the zone is cleared, as they may return to the same zone.
            case m.MoveAll(source=source, target=target, bottom=bottom) | m.MovePiece(
                source=source, target=target, bottom=bottom
            ), (one, two):
                place, other = self._place(source.element, one), self._place(target.element, two)
                listed = self.all(source.element, place)
                self.clear(source.element, place)
                self.add(target.element, other, *listed, bottom)
            case m.SwapPieces(left=left, right=right), (one, two):
                places = self._place(left.element, one), self._place(right.element, two)
                # Both are copied before either changes.
                lists = self.all(left.element, places[0]), self.all(right.element, places[1])
                for element, place, listed in zip((left.element, right.element), places, lists[::-1], strict=True):
                    self.clear(element, place)
                    self.add(element, place, *listed)
            case _:
                raise NotCarried(f"the service `{name}`")

    def _place(self, element: m.Element, cell: c.Expr) -> str:
        return self.address(element, str(cell.value) if isinstance(cell, c.Const) else self.w.number(cell))

    def address(self, element: m.Element, cell: str) -> str:
        """Return the address of a zone. cell: its number."""
        first = self.layout.cells[element.offset]
        if cell.isdecimal():
            return self.f.at("%S", self.layout.cells[int(cell)].at)
        at = self.f.let(f"sub i64 {cell}, {element.offset}")
        # Compared without a sign, a number below 0 is too large as well.
        self.f.stop_if(self.f.let(f"icmp uge i64 {at}, {element.count}"), Limit.INDEX)
        # All cells of an element have one shape, so that they are equally far apart.
        step = self.layout.cells[element.offset + 1].at - first.at if element.count > 1 else 0
        return self.f.at("%S", self.f.let(f"add i64 {self.f.let(f'mul i64 {at}, {step}')}, {first.at}"))

    def single(self, entry: str) -> str:
        """Make a list of one entry."""
        listed = ItemList(ENTRY)
        result = self.w.new("1", listed)
        self.w.store(self.w.at(result, "0", listed), entry, ENTRY, None)
        self.w.set_size(result, "1")
        return result

    def _pieces(self, pieces: c.Expr) -> tuple[str, ItemList]:
        """Make a list of pieces that does not change with the zones."""
        shape, value = self.w.as_list(pieces)
        return (value if isinstance(pieces, c.Const) else self.w.copied(value, shape)), shape

    def all(self, element: m.Element, place: str) -> tuple[str, ItemList]:
        """Copy the contents of a zone as a list."""
        shape = self.layout.cells[element.offset].shape
        if isinstance(shape, ItemList):
            return self.w.copied(place, shape), shape
        listed = ItemList(shape)
        item = self.w.load(place, shape)
        result = self.w.new("1", listed)
        self.w.store(self.w.at(result, "0", listed), item, shape, shape)
        is_one = self.f.let(f"icmp ne i64 {item}, {NONE}")
        self.w.set_size(result, self.f.let(f"zext i1 {is_one} to i64"))
        return result, listed

    def _mark(self, element: m.Element) -> None:
        """Mark that tickets may need normalization."""
        if element.visibility == "hidden":
            self.f.put(self.f.at("%S", self.layout.moved), 1, "i8")

    def clear(self, element: m.Element, place: str) -> None:
        self._mark(element)
        shape = self.layout.cells[element.offset].shape
        if isinstance(shape, ItemList):
            self.w.set_size(place, "0")
        else:
            self.w.store(place, str(NONE), shape, None)

    def add(self, element: m.Element, place: str, value: str, given: ItemList, bottom: bool = False) -> None:
        """Emit `zones.add`."""
        if given.item is None:
            return
        self._mark(element)
        shape, w, f = self.layout.cells[element.offset].shape, self.w, self.f
        if isinstance(shape, ItemList):
            more = w.to(value, given, shape)
            both = w.chained(more, place, shape) if bottom else w.chained(place, more, shape)
            if element.kind == "bag":
                f.do(f"call void @{w.module.sorter(shape)}(ptr {both})")
            w.store(place, both, shape, shape)
            return
        size = w.size(value)
        with f.when(f.let(f"icmp ne i64 {size}, 0")):
            f.stop_if(f.let(f"icmp ne i64 {size}, 1"), Limit.PIECES)
            f.stop_if(f.let(f"icmp ne i64 {w.load(place, shape)}, {NONE}"), Limit.PIECES)
            item = w.load(f.let(f"getelementptr i8, ptr {value}, i64 {HEADER}"), given.item)
            w.store(place, w.to(item, given.item, shape), shape, given.item)

    def take(self, element: m.Element, place: str, value: str, given: ItemList) -> None:
        """Emit `zones.take`."""
        if given.item is None:
            return
        self._mark(element)
        shape, w, f = self.layout.cells[element.offset].shape, self.w, self.f
        with f.counted("0", w.size(value)) as at:
            piece = w.to(w.load(w.at(value, at, given), given.item), given.item, Number(0, 0))
            if isinstance(shape, ItemList):
                is_taken = f.let(f"call i1 @{w.module.taker(shape)}(ptr {place}, i64 {piece})")
            else:
                is_taken = f.let(f"icmp eq i64 {w.load(place, shape)}, {piece}")
                # This is done in any case: if the piece was another one, the play stops after this, and its state is
                # restored.
                w.store(place, str(NONE), shape, None)
            is_missing = f.let(f"xor i1 {is_taken}, true")
            if w.module.veils(element.type):
                # It may be one of the pieces out of sight, or another one.
                with f.when(is_missing):
                    f.stop_if(f.let(f"icmp ne i8 {f.get(f.at('%S', PUBLIC), 'i8')}, 0"), VEILED)
            f.stop_if(is_missing, Limit.PIECES)
