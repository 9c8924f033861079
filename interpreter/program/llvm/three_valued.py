"""Native code for three-valued operations: the same as `ir/three_valued.py`, on values that may be unknown (`Maybe`).

Such a value has a second word that says what is unknown: 0 if the value is known; `UNKNOWN_FLAG` if nothing is known of
it; a number above that for the contents of a cell, and one below 0 for a piece, which is there. Two unknown values are
the same if they have the same word, except that `UNKNOWN_FLAG` stands for many values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ludex.spec import types as t

from ..ir import code as c
from .builder import NONE, Limit
from .collection_values import reversed_list, set_of_list
from .shapes import DEEPEST, PUBLIC, Flag, ItemList, Mask, Maybe, NotCarried, Number, Shape, join, known, numbers

if TYPE_CHECKING:
    from .expressions import ExpressionEmitter
    from .statements import FunctionEmitter

UNKNOWN_FLAG = 1
CELL = 2
"""The word of the contents of the first cell."""
_LONGEST = 4_096
"""The number of words for the pieces of one cell."""

Value: TypeAlias = tuple[str, Shape | None]
TruthBits: TypeAlias = tuple[str, str]
"""Two bits: whether it must be true, and whether it may be."""
TRUTH = Maybe(Flag())


class Unknowns:
    """Emits three-valued operations into one function."""

    def __init__(self, w: ExpressionEmitter) -> None:
        self.w, self.f = w, w.f
        self._chosen = "0"  # how many unknown pieces the parts hold that are chosen already

    # ---- what is known

    def is_known(self, value: str, shape: Shape | None) -> str:
        """Test whether a value and all its parts are known."""
        if shape == known(shape):
            return "true"
        if isinstance(shape, Maybe):
            inside, unknown = self.w.divided(value, shape)
            is_known = self.f.let(f"icmp eq i64 {unknown}, 0")
            if shape.of == known(shape.of):
                return is_known
            return self.w.either(is_known, lambda: self.is_known(inside, shape.of), lambda: "false", Flag())
        assert isinstance(shape, ItemList)
        result = self.f.slot("i1")
        self.f.put(result, "true", "i1")
        with self.each(value, shape) as item, self.f.when(self.f.let(f"xor i1 {self.is_known(*item)}, true")):
            self.f.put(result, "false", "i1")
            self.f.jump(self.f.breaks[-1])
        return self.f.get(result, "i1")

    def divided(self, value: Value) -> tuple[str, str, Shape | None]:
        """Return a value, the word that says what is unknown of it, and the shape of the value."""
        of, shape = value
        return (*self.w.divided(of, shape), shape.of) if isinstance(shape, Maybe) else (of, "0", shape)

    def truth(self, value: Value) -> TruthBits:
        """Return whether a truth value must and whether it may be true."""
        of, unknown, shape = self.divided(value)
        if shape is None:
            return "false", "true"
        of = self.w.to(of, shape, Flag())
        # A known value must be true exactly if it may be.
        if not isinstance(value[1], Maybe):
            return of, of
        is_unknown = self.f.let(f"icmp ne i64 {unknown}, 0")
        # As bits, `a > b` says: a and not b.
        return self.f.let(f"icmp ugt i1 {of}, {is_unknown}"), self.f.let(f"or i1 {of}, {is_unknown}")

    def of_truth(self, must: str, may: str) -> str:
        return self.w.pair(must, self.f.let(f"zext i1 {self.f.let(f'xor i1 {must}, {may}')} to i64"), TRUTH)

    def reserved(self, shape: Shape | None) -> tuple[str, Maybe]:
        """Reserve a value that is unknown at first."""
        assert isinstance(shape, Maybe)
        result = self.f.slot(shape.llvm)
        self.put(result, shape, ("", Maybe(None)))
        return result, shape

    def put(self, slot: str, shape: Maybe, value: Value) -> None:
        """Store a value in a reserved place; one of no shape is unknown."""
        if value[1] == Maybe(None):
            value = f"{{ i64 0, i64 {UNKNOWN_FLAG} }}", value[1]
        self.f.put(slot, self.w.to(*value, shape), shape.llvm)

    # ---- collections

    @contextmanager
    def each(self, value: str, shape: ItemList) -> Iterator[Value]:
        """Emit a loop over the items of a list; yields the item."""
        with self.f.counted("0", self.w.size(value)) as at:
            yield self.item(value, shape, at)

    def item(self, value: str, shape: ItemList, at: str) -> Value:
        return ("0", None) if shape.item is None else (self.w.load(self.w.at(value, at, shape), shape.item), shape.item)

    def items(self, expr: c.Expr) -> tuple[str, ItemList, str]:
        """Evaluate a list that may be unknown; return it (empty if it is unknown), and whether it is known."""
        of, unknown, shape = self.divided(self.w.maybe(expr))
        is_known = self.f.let(f"icmp eq i64 {unknown}, 0")
        if isinstance(shape, Mask):
            of, shape = self.w.list_of_mask(of, shape), ItemList(numbers(shape))
        if not isinstance(shape, ItemList):
            return "@empty", ItemList(None), is_known
        return self.f.let(f"select i1 {is_known}, ptr {of}, ptr @empty"), shape, is_known

    # ---- comparisons

    def same(self, one: Value, other: Value) -> TruthBits:
        """Compare two values."""
        f, both = self.f, join(known(one[1]), known(other[1]))
        is_known = f.let(f"and i1 {self.is_known(*one)}, {self.is_known(*other)}")
        must, may = f.slot("i1"), f.slot("i1")
        # An unknown value surely equals itself, and perhaps any other one.
        f.put(must, self._is_identical(one, other), "i1")
        f.put(may, "true", "i1")
        with f.when(is_known):
            equal = "true" if both is None else self._equal(self.w.to(*one, both), self.w.to(*other, both), both)
            f.put(must, equal, "i1")
            f.put(may, equal, "i1")
        return f.get(must, "i1"), f.get(may, "i1")

    def _equal(self, one: str, other: str, shape: Shape) -> str:
        if isinstance(shape, ItemList) and shape.distinct:
            raise NotCarried("large sets that are compared")
        return self.w.equal(one, other, shape)

    def _is_identical(self, one: Value, other: Value) -> str:
        """Test whether two unknown values are the same one."""
        f, (value, word, shape), (value_of_other, word_of_other, of_other) = self.f, *map(self.divided, (one, other))
        same = "false"
        if isinstance(one[1], Maybe) and isinstance(other[1], Maybe):
            is_one = f.let(f"icmp ugt i64 {word}, {UNKNOWN_FLAG}")
            same = f.let(f"and i1 {is_one}, {f.let(f'icmp eq i64 {word}, {word_of_other}')}")
        if isinstance(shape, ItemList) and isinstance(of_other, ItemList):
            are_lists = f.let(f"icmp eq i64 {f.let(f'or i64 {word}, {word_of_other}')}, 0")
            same = self.w.either(
                are_lists, lambda: self._have_identical(value, shape, value_of_other, of_other), lambda: same, Flag()
            )
        return same

    def _have_identical(self, one: str, shape: ItemList, other: str, shape_of_other: ItemList) -> str:
        """Test whether two lists hold the same items, known or not."""
        f, result, size = self.f, self.f.slot("i1"), self.w.size(one)
        is_long = f.let(f"icmp eq i64 {size}, {self.w.size(other)}")
        f.put(result, is_long, "i1")
        with f.when(is_long), f.counted("0", size) as at:
            is_same, _ = self.same(self.item(one, shape, at), self.item(other, shape_of_other, at))
            f.put(result, f.let(f"and i1 {f.get(result, 'i1')}, {is_same}"), "i1")
        return f.get(result, "i1")

    def among(self, item: Value, value: str, shape: ItemList) -> TruthBits:
        """Test whether a list contains an item."""
        f = self.f
        must, may = f.slot("i1"), f.slot("i1")
        f.put(must, "false", "i1")
        f.put(may, "false", "i1")
        with self.each(value, shape) as each:
            for slot, truth in zip((must, may), self.same(item, each), strict=True):
                f.put(slot, f.let(f"or i1 {f.get(slot, 'i1')}, {truth}"), "i1")
        return f.get(must, "i1"), f.get(may, "i1")

    # ---- reading cells

    def look(self, load: c.Load) -> Value:
        """Emit a read of a cell as everybody sees it."""
        w, layout = self.w, self.w.module.layout
        shape, seen, element = layout.cells[load.base].shape, layout.seen(load.base), layout.elements[load.base]
        if seen == shape:
            return w.value(load)
        address = w.cell(load.base, load.index, load.size)
        cell = str(load.base) if load.index is None else w.f.let(f"add i64 {w.number(load.index)}, {load.base}")
        held = w.load(address, shape)
        # Each unknown piece has a number of its own: by its cell, and its place in the cell.
        place = w.f.let(f"mul i64 {cell}, {-_LONGEST}")
        if element is None or not element.is_zone:
            assert isinstance(seen, Maybe)
            word = self._of_variable(load, held, cell)
            if seen.of != shape:
                # A sealed slot does not hold a list.
                is_known = w.f.let(f"icmp eq i64 {word}, 0")
                safe = w.f.let(f"select i1 {is_known}, ptr {held}, ptr @empty")
                held = self._looked_through(safe, shape, seen.of, place, False)
            return w.pair(held, word, seen), seen
        is_concealed = element in layout.concealment.elements
        if isinstance(seen, Maybe):
            return w.pair(held, self._of_piece(held, place, is_concealed), seen), seen
        return self._looked_through(held, shape, seen, place, is_concealed), seen

    def _looked_through(self, held: str, shape: Shape, seen: Shape | None, place: str, is_concealed: bool) -> str:
        """Make the list of what everybody sees of the items of a list."""
        w = self.w
        assert isinstance(seen, ItemList)
        assert isinstance(shape, ItemList)
        assert isinstance(seen.item, Maybe)
        size = w.size(held)
        result = w.new(size, seen)
        with self.f.counted("0", size) as at:
            piece, of = self.item(held, shape, at)
            word = "0"
            if isinstance(of, Number):
                word = self._of_piece(piece, self.f.let(f"sub i64 {place}, {at}"), is_concealed)
            w.store(w.at(result, at, seen), w.pair(piece, word, seen.item), seen.item, Maybe(of))
        w.set_size(result, size)
        return result

    def _of_variable(self, load: c.Load, held: str, cell: str) -> str:
        """Return the word for the contents of a variable or slot."""
        f, layout = self.f, self.w.module.layout
        # An unknown value in a slot may or may not equal another value.
        word = f.let(f"add i64 {cell}, {CELL}") if layout.elements[load.base] is not None else str(UNKNOWN_FLAG)
        if not layout.copies_public:
            return word
        is_sealed = self.w.is_sealed(load)
        if layout.elements[load.base] is not None:
            # In the state itself the contents are known, and must not be.
            is_sealed = f.let(f"or i1 {is_sealed}, {f.let(f'xor i1 {self._is_public()}, true')}")
        of_piece = "0"
        if self.w.module.veils(load.type) and isinstance(layout.cells[load.base].shape, Number):
            of_piece = f.let(f"select i1 {self.w.is_veiled(held)}, i64 {held}, i64 0")
        return f.let(f"select i1 {is_sealed}, i64 {word}, i64 {of_piece}")

    def _is_public(self) -> str:
        return self.f.let(f"icmp ne i8 {self.f.get(self.f.at('%S', PUBLIC), 'i8')}, 0")

    def _of_piece(self, entry: str, place: str, is_concealed: bool) -> str:
        """Return the word for an entry of a zone."""
        f, layout = self.f, self.w.module.layout
        # Veils (`decisions.py`) and pieces of chosen parts are less deep.
        own = f.let(f"add i64 {place}, {layout.floor - DEEPEST - 1}")
        is_there = f.let(f"icmp ne i64 {entry}, {NONE}")
        unknown = is_there if is_concealed else "false"
        if layout.copies_public:
            # In a copy of the public state the veiled pieces have numbers of their own, wherever they were moved.
            veiled = self.w.is_veiled(entry)
            ticket = f.let(f"icmp sge i64 {entry}, {layout.ticket}") if layout.hides else "false"
            is_public = self._is_public()
            unknown = f.let(f"select i1 {is_public}, i1 {f.let(f'or i1 {veiled}, {ticket}')}, i1 {unknown}")
            own = f.let(f"select i1 {veiled}, i64 {entry}, i64 {own}")
        return f.let(f"select i1 {unknown}, i64 {own}, i64 0")

    def veiled(self, value: str, shape: Shape | None) -> Value:
        """Make a list with the veils of unknown pieces in their place."""
        of = known(shape)
        assert isinstance(shape, ItemList)
        assert isinstance(of, ItemList)
        assert isinstance(of.item, Number)
        size = self.w.size(value)
        item_shape = Number(self.w.module.layout.floor - DEEPEST - 1, of.item.high)
        wide = ItemList(item_shape, of.capacity)
        result = self.w.new(size, wide)
        with self.f.counted("0", size) as at:
            item, word, _ = self.divided(self.item(value, shape, at))
            is_piece = self.f.let(f"icmp slt i64 {word}, 0")
            number = self.f.let(f"select i1 {is_piece}, i64 {word}, i64 {item}")
            self.w.store(self.w.at(result, at, wide), number, item_shape, None)
        self.w.set_size(result, size)
        return result, wide

    # ---- parts

    def each_part(self, writer: FunctionEmitter, each: c.Each, shape: Shape) -> None:
        """Emit a loop over the parts of a collection. Of its unknown pieces only the number counts: which of them a
        part holds is unknown, so that they get words that no others have.
        """
        assert isinstance(each.items, c.Op)
        f, (value, given, _) = self.f, self.items(each.items.args[0])
        of_known = known(given)
        assert isinstance(of_known, ItemList)
        if given == of_known:

            def turn(part: str) -> None:
                writer.keep(each.var.number, self.w.to(part, given, shape))
                writer.body(each.body)

            writer.each_part_of(self.sorted(value, given, each.items.of), given, turn)
            return
        pieces, others, is_open = (f.slot(kind) for kind in ("ptr", "ptr", "i1"))
        f.put(pieces, self.w.new("16", of_known), "ptr")
        f.put(others, self.w.new("16", given), "ptr")
        f.put(is_open, "false", "i1")
        with self.each(value, given) as item:
            self._sort_out(item, (pieces, of_known), (others, given), is_open)
        before, many = self._chosen, self.w.size(f.get(others, "ptr"))
        self._chosen = f.let(f"add i64 {before}, {many}")
        f.stop_if(f.let(f"icmp sgt i64 {self._chosen}, {DEEPEST - self.w.module.layout.veil_count}"), Limit.VEILS)
        # Of a collection of unknown size only the empty part is certain to exist: one that is unknown follows it.
        open_ = f.get(is_open, "i1")
        listed = f.let(
            f"select i1 {open_}, ptr @empty, ptr {self.sorted(f.get(pieces, 'ptr'), of_known, each.items.of)}"
        )
        most = f.let(f"select i1 {open_}, i64 1, i64 {many}")

        def with_others(part: str) -> None:
            # The body may end the whole loop.
            leave, first = f.breaks[-1], self.w.to(part, of_known, given)
            with f.counted("0", f.let(f"add i64 {most}, 1")) as count:
                more = self.w.copied(f.get(others, "ptr"), given)
                self.w.set_size(more, count)
                whole = Maybe(given)
                word = f.let(f"select i1 {open_}, i64 {count}, i64 0")
                made = self.w.pair(self.w.chained(first, more, given), word, whole)
                writer.keep(each.var.number, self.w.to(made, whole, shape))
                f.breaks.append(leave)
                writer.body(each.body)
                f.breaks.pop()

        writer.each_part_of(listed, of_known, with_others)
        self._chosen = before

    def _sort_out(self, item: Value, pieces: tuple[str, ItemList], others: tuple[str, ItemList], is_open: str) -> None:
        """Append an item to the known ones or to the others; note an item that is not even certain to be one."""
        f, (slot, of_known), (other_slot, given) = self.f, pieces, others
        layout = self.w.module.layout
        assert of_known.item is not None
        is_known = self.is_known(*item)
        with f.when(is_known):
            self.w.append(slot, self.w.to(*item, of_known.item), of_known, of_known.item)
        with f.when(f.let(f"xor i1 {is_known}, true")):
            inside, word, _ = self.divided(item)
            is_value = f.let(f"icmp sgt i64 {word}, 0")
            place = f.let(f"add i64 {self._chosen}, {self.w.size(f.get(other_slot, 'ptr'))}")
            own = f.let(f"sub i64 {layout.floor - layout.veil_count - 1}, {place}")
            assert isinstance(given.item, Maybe)
            chosen = self.w.pair(inside, f.let(f"select i1 {is_value}, i64 {word}, i64 {own}"), given.item)
            self.w.append(other_slot, chosen, given, given.item)
            f.put(is_open, f.let(f"or i1 {f.get(is_open, 'i1')}, {is_value}"), "i1")

    def sorted(self, value: str, shape: ItemList, of: t.Type | None) -> str:
        if of is None or shape.item is None:
            return value
        result = self.w.copied(value, shape)
        self.f.do(f"call void @{self.w.module.sorter(shape)}(ptr {result})")
        return result


# ---- the operations


def _same(u: Unknowns, expr: c.Op) -> Value:
    one, other = (u.w.maybe(arg) for arg in expr.args)
    return u.of_truth(*u.same(one, other)), TRUTH


def _not(u: Unknowns, expr: c.Op) -> Value:
    must, may = (u.f.let(f"xor i1 {each}, true") for each in u.truth(u.w.maybe(expr.args[0])))
    # A negation must be true if its operand may not be.
    return u.of_truth(may, must), TRUTH


def _joined(u: Unknowns, expr: c.Op) -> Value:
    name = expr.name.removeprefix("seen_")
    truths = [u.truth(u.w.maybe(arg)) for arg in expr.args]
    # Whether a conjunction must be true depends on what its parts must be, and whether it may be, on what they may be.
    # That holds of `or`, too, as both are monotonic.
    must, may = (u.f.let(f"{name} i1 {one}, {other}") for one, other in zip(*truths, strict=True))
    return u.of_truth(must, may), TRUTH


def _in(u: Unknowns, expr: c.Op) -> Value:
    item, (value, shape, _) = u.w.maybe(expr.args[0]), u.items(expr.args[1])
    return u.of_truth(*u.among(item, value, shape)), TRUTH


def _counted(u: Unknowns, expr: c.Expr) -> tuple[str, str]:
    """Return the size of a value (1 for one that is there), and the word that says what is unknown of it."""
    if isinstance(expr, c.Op) and expr.name == "look" and isinstance(expr.args[0], c.Load):
        layout, load = u.w.module.layout, expr.args[0]
        if isinstance(layout.seen(load.base), ItemList):
            # No list of unknown pieces has to be made.
            return u.w.size(u.w.value(load)[0]), "0"
    value, word, shape = u.divided(u.w.maybe(expr))
    is_value = u.f.let(f"icmp sgt i64 {word}, 0")
    match shape:
        case ItemList():
            # A wholly unknown list may be any list.
            return u.w.size(u.f.let(f"select i1 {is_value}, ptr @empty, ptr {value}")), word
        case Mask():
            return u.w.popcount(value, shape), word
        case Number():
            is_there = u.f.let(f"icmp ne i64 {value}, {NONE}")
            is_piece = u.f.let(f"icmp slt i64 {word}, 0")
            return u.f.let(f"zext i1 {u.f.let(f'or i1 {is_there}, {is_piece}')} to i64"), word
    return ("0" if shape is None else "1"), word


def _empty(u: Unknowns, expr: c.Op) -> Value:
    size, word = _counted(u, expr.args[0])
    is_empty, is_value = u.f.let(f"icmp eq i64 {size}, 0"), u.f.let(f"icmp sgt i64 {word}, 0")
    return u.w.pair(is_empty, u.f.let(f"zext i1 {is_value} to i64"), TRUTH), TRUTH


def _size(u: Unknowns, expr: c.Op) -> Value:
    size, word = _counted(u, expr.args[0])
    shape = u.w.raw(expr)
    assert isinstance(shape, Maybe)
    return u.w.pair(size, u.f.let(f"zext i1 {u.f.let(f'icmp sgt i64 {word}, 0')} to i64"), shape), shape


def _top(u: Unknowns, expr: c.Op) -> Value:
    value, items, is_known = u.items(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    with u.f.when(is_known):
        u.put(result, shape, (str(NONE), Number(0, 0, True)))
        size = u.w.size(value)
        with u.f.when(u.f.let(f"icmp ne i64 {size}, 0")):
            u.put(result, shape, u.item(value, items, u.f.let(f"sub i64 {size}, 1")))
    return u.f.get(result, shape.llvm), shape


def _reversed(u: Unknowns, expr: c.Op) -> Value:
    value, items, is_known = u.items(expr.args[0])
    turned = reversed_list(u.w, value, items)
    given = u.w.raw(expr)
    if not isinstance(given, Maybe):
        return turned, items
    result, shape = u.reserved(given)
    with u.f.when(is_known):
        u.put(result, shape, (turned, items))
    return u.f.get(result, shape.llvm), shape


def _there(u: Unknowns, expr: c.Op) -> Value:
    given = u.w.maybe(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    value, word, of = u.divided(given)
    is_none = "false"
    if isinstance(of, Number):
        is_none = u.f.let(f"and i1 {u.f.let(f'icmp eq i64 {word}, 0')}, {u.f.let(f'icmp eq i64 {value}, {NONE}')}")
    elif isinstance(of, ItemList):
        is_none = u.f.let(f"icmp eq ptr {value}, @none")
    with u.f.when(u.f.let(f"xor i1 {is_none}, true")):
        u.put(result, shape, given)
    return u.f.get(result, shape.llvm), shape


def _listed(u: Unknowns, expr: c.Op) -> Value:
    _, word, _ = u.divided(u.w.maybe(expr.args[0]))
    is_unknown = u.f.let(f"icmp ne i64 {word}, 0")
    return u.w.pair(u.f.let(f"xor i1 {is_unknown}, true"), u.f.let(f"zext i1 {is_unknown} to i64"), TRUTH), TRUTH


def _agreed(u: Unknowns, expr: c.Op) -> Value:
    one, other = (u.w.maybe(arg) for arg in expr.args)
    result, shape = u.reserved(u.w.raw(expr))
    are_known = u.f.let(f"and i1 {u.is_known(*one)}, {u.is_known(*other)}")
    # If one of them is unknown, they may be equal.
    is_first = u.f.let(f"or i1 {u.same(one, other)[0]}, {u.f.let(f'xor i1 {are_known}, true')}")
    with u.f.when(is_first):
        u.put(result, shape, one)
    return u.f.get(result, shape.llvm), shape


def _items(u: Unknowns, expr: c.Op) -> Value:
    value, word, of = u.divided(given := u.w.maybe(expr.args[0]))
    shape = u.w.raw(expr)
    assert isinstance(shape, ItemList)
    if shape.item is None:
        return "@empty", shape
    listed = u.f.slot("ptr")
    is_known = u.f.let(f"icmp eq i64 {word}, 0")
    u.f.put(listed, u.w.new("1", shape), "ptr")
    if isinstance(given[1], Maybe):
        # An unknown collection may hold what is unknown; an unknown piece is alone.
        with u.f.when(u.f.let(f"xor i1 {is_known}, true")):
            assert isinstance(shape.item, Maybe)
            nothing = u.w.to("0", None, shape.item.content)
            word = u.f.let(f"select i1 {u.f.let(f'icmp sgt i64 {word}, 0')}, i64 {UNKNOWN_FLAG}, i64 {word}")
            u.w.append(listed, u.w.pair(nothing, word, shape.item), shape, None)
    with u.f.when(is_known):
        match of:
            case ItemList() | Mask():
                u.f.put(listed, u.w.to(value, of, shape), "ptr")
            case Number():
                with u.f.when(u.f.let(f"icmp ne i64 {value}, {NONE}")):
                    u.w.append(listed, u.w.to(value, of, shape.item), shape, None)
    return u.f.get(listed, "ptr"), shape


def _kinds(u: Unknowns, expr: c.Op) -> Value:
    value, shape, _ = u.items(expr.args[0])
    if shape.item is None:
        return value, shape
    f, result, has_unknown = u.f, u.f.slot("ptr"), u.f.slot("i1")
    f.put(result, u.w.new("16", shape), "ptr")
    f.put(has_unknown, "false", "i1")
    with u.each(value, shape) as item:
        # One unknown item represents all but pieces, which equal themselves.
        inside, word, _ = u.divided(item)
        is_unknown = f.let(f"icmp sgt i64 {word}, 0")
        is_again = u.w.either(
            is_unknown,
            lambda: f.get(has_unknown, "i1"),
            lambda: u.among(item, f.get(result, "ptr"), shape)[0],
            Flag(),
        )
        with f.when(f.let(f"xor i1 {is_again}, true")):
            chosen = item[0]
            if isinstance(shape.item, Maybe):
                # A choice is not a cell, so an unknown one may or may not equal another value.
                chosen = u.w.pair(inside, f.let(f"select i1 {is_unknown}, i64 {UNKNOWN_FLAG}, i64 {word}"), shape.item)
            u.w.append(result, chosen, shape, shape.item)
            f.put(has_unknown, f.let(f"or i1 {f.get(has_unknown, 'i1')}, {is_unknown}"), "i1")
    return f.get(result, "ptr"), shape


def _gathered(u: Unknowns, expr: c.Op, make: Callable[[str, ItemList, Shape], str]) -> Value:
    """Emit what is made of a collection of which all items are known; it is unknown otherwise."""
    value, items, is_known = u.items(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    all_known = u.f.let(f"and i1 {is_known}, {u.is_known(value, items)}")
    with u.f.when(all_known):
        of = known(items)
        assert isinstance(of, ItemList)
        u.put(result, shape, (make(u.w.to(value, items, of), of, shape.content), shape.content))
    return u.f.get(result, shape.llvm), shape


def _set(u: Unknowns, expr: c.Op) -> Value:
    return _gathered(u, expr, partial(set_of_list, u.w))


def _sum(u: Unknowns, expr: c.Op) -> Value:
    def added(value: str, items: ItemList, _: Shape) -> str:
        total = u.f.slot("i64")
        u.f.put(total, 0)
        with u.each(value, items) as (item, of):
            number = u.w.to(item, of, Number(0, 0))
            u.f.put(total, u.f.checked("sadd", u.f.get(total), number))
        return u.f.get(total)

    return _gathered(u, expr, added)


def _count(u: Unknowns, expr: c.Op) -> Value:
    value, _, is_known = u.items(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    with u.f.when(is_known):
        u.put(result, shape, (u.w.size(value), Number(0, 0)))
    return u.f.get(result, shape.llvm), shape


def _list(u: Unknowns, expr: c.Op) -> Value:
    """Emit a list or a bag, whose items may be unknown: if they are not, those of a bag are in order."""
    given, (value, items, is_known) = u.w.raw(expr), u.items(expr.args[0])
    result, shape = u.reserved(given)
    with u.f.when(is_known):
        u.put(result, shape, (value, items))
        if expr.name == "seen_bag" and items.item is not None:
            with u.f.when(u.is_known(value, items)):
                of = known(items)
                assert isinstance(of, ItemList)
                u.put(result, shape, (u.sorted(u.w.to(value, items, of), of, expr.of or t.Never()), of))
    return u.f.get(result, shape.llvm), shape


def _best(u: Unknowns, expr: c.Op) -> Value:
    """Emit the largest or least item. A single item is the result, even if it is unknown."""
    (value, items, _), name = u.items(expr.args[0]), "smax" if expr.name == "seen_max" else "smin"
    result, shape = u.reserved(u.w.raw(expr))
    if items.item is None:
        return u.f.get(result, shape.llvm), shape
    size = u.w.size(value)
    with u.f.when(u.f.let(f"icmp eq i64 {size}, 1")):
        u.put(result, shape, u.item(value, items, "0"))
    several = u.f.let(f"icmp ugt i64 {size}, 1")
    with u.f.when(u.f.let(f"and i1 {several}, {u.is_known(value, items)}")):
        best = u.f.slot("i64")
        u.f.put(best, u.w.to(*u.item(value, items, "0"), Number(0, 0)))
        with u.each(value, items) as item:
            number = u.w.to(*item, Number(0, 0))
            u.f.put(best, u.f.let(f"call i64 @llvm.{name}.i64(i64 {u.f.get(best)}, i64 {number})"))
        u.put(result, shape, (u.f.get(best), Number(0, 0)))
    return u.f.get(result, shape.llvm), shape


def _first(u: Unknowns, expr: c.Op) -> Value:
    value, items, _ = u.items(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    # A list whose items have no shape is always empty or unknown, and so is its first item. Of any other list only the
    # first item matters: it is the result even if it, or another one, is unknown.
    if items.item is not None:
        with u.f.when(u.f.let(f"icmp ne i64 {u.w.size(value)}, 0")):
            u.put(result, shape, u.item(value, items, "0"))
    return u.f.get(result, shape.llvm), shape


def _only(u: Unknowns, expr: c.Op) -> Value:
    """Emit the item that all items of a list are equal to."""
    value, items, _ = u.items(expr.args[0])
    result, shape = u.reserved(u.w.raw(expr))
    # As in `_first`. A single item is equal to itself even if it is unknown; several have to be known.
    if items.item is None:
        return u.f.get(result, shape.llvm), shape
    size, f = u.w.size(value), u.f
    with f.when(f.let(f"icmp ne i64 {size}, 0")):
        first, is_only = u.item(value, items, "0"), f.slot("i1")
        f.put(is_only, "true", "i1")
        with f.when(f.let(f"icmp ugt i64 {size}, 1")), u.each(value, items) as item:
            are_known = f.let(f"and i1 {u.is_known(*item)}, {u.is_known(*first)}")
            f.put(
                is_only,
                f.let(f"and i1 {f.get(is_only, 'i1')}, {f.let(f'and i1 {are_known}, {u.same(first, item)[0]}')}"),
                "i1",
            )
        with f.when(f.get(is_only, "i1")):
            u.put(result, shape, first)
    return f.get(result, shape.llvm), shape


def _look(u: Unknowns, expr: c.Op) -> Value:
    (load,) = expr.args
    assert isinstance(load, c.Load)
    return u.look(load)


def _passed_on(u: Unknowns, expr: c.Op) -> Value:
    value, shape = u.w.maybe(expr.args[0])
    return (u.w.list_of_mask(value, shape), ItemList(numbers(shape))) if isinstance(shape, Mask) else (value, shape)


def _chained(u: Unknowns, expr: c.Op) -> Value:
    shape = u.w.raw(expr)
    assert isinstance(shape, ItemList)
    one, other = (u.w.in_shape(arg, shape) for arg in expr.args)
    return u.w.chained(one, other, shape), shape


THREE_VALUED_CODE: Mapping[str, Callable[[Unknowns, c.Op], Value]] = {
    "look": _look,
    "tuple": _passed_on,
    "concat": _chained,
    "seen_same": _same,
    "seen_not": _not,
    "seen_and": _joined,
    "seen_or": _joined,
    "seen_in": _in,
    "seen_empty": _empty,
    "seen_size": _size,
    "seen_top": _top,
    "seen_reversed": _reversed,
    "seen_there": _there,
    "seen_listed": _listed,
    "seen_agreed": _agreed,
    "seen_items": _items,
    "seen_kinds": _kinds,
    "seen_set": _set,
    "seen_set_of": _set,
    "seen_sum": _sum,
    "seen_count": _count,
    "seen_bag": _list,
    "seen_list": _list,
    "seen_max": _best,
    "seen_min": _best,
    "seen_first": _first,
    "seen_only": _only,
}


def _is_known(u: Unknowns, expr: c.Op) -> str:
    tests = [u.is_known(*u.w.maybe(arg)) for arg in expr.args]
    result = "true"
    for test in tests:
        result = u.f.let(f"and i1 {result}, {test}")
    return result


THREE_VALUED_TESTS: Mapping[str, Callable[[Unknowns, c.Op], str]] = {
    "is_known": _is_known,
    "must": lambda u, expr: u.truth(u.w.maybe(expr.args[0]))[0],
    "may": lambda u, expr: u.truth(u.w.maybe(expr.args[0]))[1],
}
"""Tests of values that may be unknown, which are known themselves."""
