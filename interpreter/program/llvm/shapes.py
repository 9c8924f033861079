"""Shapes: the representation of values in registers and memory, and the layout of a state.

In a register a number is a 64-bit word (`none` is the least one), a truth value a bit, a small set a bit mask. All
other collections are addresses of lists: length, capacity, and the items, each as wide as its shape asks for. In a
cell, a number takes as few bytes as its type allows, with the least number as `none`; a list is stored in its cell,
with a capacity for as many items as it may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import accumulate, chain
from typing import TypeAlias

from ludex.spec import Unknown
from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealed, Concealment
from ..ir import code as c
from ..ir.operations import INT
from ..ir.three_valued import Looking
from ..ir.traversal import each_part, slots_in

HEADER = 8
"""The bytes of a list's header: length and capacity, of 32 bits each."""
WIDEST = 512
"""A set over more values than this is represented as a list."""
CAPACITY = 64
"""The capacity of a cell whose type gives none. More items are a limit, not a fault."""
FEW_VEILS, MOST_VEILS = 120, 4000
"""Bounds of `CellLayout.veil_count`. With the fewest, a piece and its veil have one byte in most games."""
DEEPEST = 2**15 - 1
"""Numbers below these, as far as this one below `CellLayout.floor`, are unknown pieces of chosen parts: only slots hold
them."""


class NotCarried(Exception):
    """Native code does not support this program; the message says which part."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A truth value."""

    bytes: int = 1
    llvm: str = "i1"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from low to high. optional: it may be none, too."""

    low: int
    high: int
    optional: bool = False

    @property
    def bytes(self) -> int:
        # The least number of each width is kept for none.
        most = max(self.high, -self.low)
        return 1 if most < 1 << 7 else 2 if most < 1 << 15 else 4 if most < 1 << 31 else 8

    llvm = "i64"


@dataclass(frozen=True, slots=True)
class Mask:
    """A set as a bit mask: bit `value - low` for each value; if optional, bit 0 is none and the others are shifted by
    one.
    """

    low: int
    high: int
    optional: bool = False

    @property
    def bits(self) -> int:
        return self.high - self.low + 1 + self.optional

    @property
    def bytes(self) -> int:
        return (self.bits + 63) // 64 * 8

    @property
    def llvm(self) -> str:
        return f"i{self.bytes * 8}"


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list, a bag or a large set.

    item: the shape of its items, None while it is not known. capacity: that in a cell or in another list. distinct:
    it is a set.
    """

    item: Shape | None
    capacity: int = CAPACITY
    distinct: bool = False

    @property
    def stride(self) -> int:
        return 1 if self.item is None else self.item.bytes

    @property
    def bytes(self) -> int:
        return (HEADER + self.capacity * self.stride + 7) // 8 * 8

    llvm = "ptr"


@dataclass(frozen=True, slots=True)
class ArgumentRow:
    """The argument values of a move: values of several shapes in sequence. A part of unknown shape is None."""

    parts: tuple[Shape | None, ...]

    @property
    def offsets(self) -> tuple[int, ...]:
        """The offset of each part, and the length of the row."""
        return tuple(accumulate(((part.bytes + 7) // 8 * 8 if part else 0 for part in self.parts), initial=0))

    @property
    def bytes(self) -> int:
        return self.offsets[-1]

    llvm = "ptr"


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value that may be unknown: the value, and a word that is 0 if it is known (`three_valued.py`).

    of: the shape of the value, None while it is not known.
    """

    of: Shape | None

    @property
    def content(self) -> Shape:
        return Number(0, 0) if self.of is None else self.of

    @property
    def word(self) -> int:
        """The offset of the word after the value."""
        return (self.content.bytes + 7) // 8 * 8

    @property
    def bytes(self) -> int:
        return self.word + 8

    @property
    def llvm(self) -> str:
        return f"{{ {self.content.llvm}, i64 }}"


Shape: TypeAlias = Flag | Number | Mask | ItemList | ArgumentRow | Maybe
IDS = ItemList(Number(-(2**62), 2**62))
"""A list of move numbers, or of any other numbers."""
ENTRY = Number(-(2**14), 2**15 - 1, True)
"""A piece in a hidden zone, or a ticket of a pool."""
POOLS = 16
"""The maximal number of pools of unknown pieces."""
_STATED = Number(-(2**62), 2**62, True)
"""A stated choice: the number of a move, -1 where there was nothing to choose, or none."""
_WIDE = Number(-(2**30), 2**30, True)
"""A routine's slot with a small type: a computed value may be somewhat outside the type."""
ANY = Number(-(10**18), 10**18, True)


def of_type(of: t.Type, capacities: Iterable[int] = ()) -> Shape:
    """Return the shape of a type's values. capacities: the capacities, from the outermost collection inwards."""
    first, *inner = [*capacities, CAPACITY] if not capacities else list(capacities)
    match of:
        case t.Bool():
            return Flag()
        case t.Range(low=low, high=high):
            return Number(low, high)
        case t.Never():
            return ANY
        case t.Optional(of=inside):
            if t.element_type(inside) is not None:
                raise NotCarried(f"a collection that may be none ({of})")
            content = of_type(inside)
            if isinstance(content, Flag):
                return Number(0, 1, True)
            assert isinstance(content, Number)
            return replace(content, optional=True)
        case t.SetOf(of=inside):
            mask = mask_of(inside)
            # A mask is one word or a few, and tests, unions and copies of it are single instructions.
            return mask or ItemList(of_type(inside, inner), of.most or first, True)
        case t.BagOf(of=inside) | t.ListOf(of=inside):
            return ItemList(of_type(inside, inner), of.most or first)
        case _:
            return Number(0, max(0, (t.size(of) or 0) - 1))


def _veiled(shape: Shape, least: int) -> Shape:
    """Return a shape that has room for these values, and for unknown pieces in their place. least: of their numbers."""
    match shape:
        case Number(low=low):
            wide = replace(shape, low=min(low, least))
            return shape if wide.bytes == shape.bytes else wide
        case ItemList(item=Number() as item, distinct=False):
            return replace(shape, item=_veiled(item, least))
    return shape


def mask_of(of: t.Type) -> Mask | None:
    """Return the shape of a set of these as a bit mask, or None if they are too many."""
    inside = t.strip_optional(of)
    size = t.size(inside)
    if size is None or size + 1 > WIDEST or isinstance(inside, t.Never):
        return None
    low = inside.low if isinstance(inside, t.Range) else 0
    return Mask(low, low + max(size, 1) - 1, isinstance(of, t.Optional))


def of_value(value: t.Value, of: t.Type) -> Shape | None:
    """Return the shape of a constant; None for a `none` in place of a collection, which is never read."""
    match value:
        case Unknown():
            return Maybe(None)
        case None:
            return None if t.element_type(t.strip_optional(of)) is not None else Number(0, 0, True)
        case bool():
            # Before numbers, since a Python `bool` is an `int`.
            return Flag()
        case int():
            return Number(value, value)
        case frozenset():
            inside = t.element_type(t.strip_optional(of)) or t.Never()
            # The declared range is joined below, so that sets of one type have one shape and need no conversion where
            # they meet.
            declared = mask_of(inside)
            numbers = [int(each) for each in value if isinstance(each, int)]
            if len(numbers) + (None in value) < len(value):
                return ItemList(common(value, inside), len(value), True)
            if not numbers:
                return declared or Mask(0, 0, None in value)
            mask = Mask(min(numbers), max(numbers), None in value)
            mask = mask if declared is None else _mask(mask, declared)
            return mask if mask.bits <= WIDEST else ItemList(common(value, inside), len(value), True)
        case tuple():
            return ItemList(common(value, t.element_type(t.strip_optional(of)) or t.Never()), len(value))
    raise AssertionError(value)


def common(values: Iterable[t.Value], of: t.Type) -> Shape | None:
    """Return the least shape that represents all of these values."""
    return reduce(join, (of_value(value, of) for value in values), None)


def numbers(mask: Mask) -> Number:
    """Return the shape of the values in a mask."""
    return Number(mask.low, mask.high, mask.optional)


def _mask(one: Mask, two: Mask) -> Mask:
    return Mask(min(one.low, two.low), max(one.high, two.high), one.optional or two.optional)


def join(one: Shape | None, two: Shape | None) -> Shape | None:
    """Return the least shape that represents the values of both."""
    match one, two:
        # Most joins are of a number and one within its bounds.
        case Number(), Number() if one.low <= two.low and two.high <= one.high and one.optional >= two.optional:
            return one
        case (None, other) | (other, None):
            return other
        case Flag(), Flag():
            return one
        case (Flag(), Number() as number) | (Number() as number, Flag()):
            return Number(min(0, number.low), max(1, number.high), number.optional)
        case Number(), Number():
            return Number(min(one.low, two.low), max(one.high, two.high), one.optional or two.optional)
        case Mask(), Mask() if one == two:
            return one
        case Mask(), Mask():
            union = _mask(one, two)
            return union if union.bits <= WIDEST else ItemList(numbers(union), CAPACITY, True)
        case ItemList(), ItemList():
            return ItemList(join(one.item, two.item), max(one.capacity, two.capacity), one.distinct and two.distinct)
        case ArgumentRow(), ArgumentRow():
            return ArgumentRow(tuple(map(join, one.parts, two.parts)))
        case (Maybe(of=inside), other) | (other, Maybe(of=inside)):
            return Maybe(join(inside, other.of if isinstance(other, Maybe) else other))
        # A set is a list wherever one branch has more values than a mask holds.
        case (ItemList(distinct=True) as items, Mask() as mask) | (Mask() as mask, ItemList(distinct=True) as items):
            return ItemList(join(items.item, numbers(mask)), items.capacity, True)
    raise NotCarried(f"a value that is now {one}, now {two}")


def known(shape: Shape | None) -> Shape | None:
    """Return the shape of the value where all of it is known."""
    match shape:
        case Maybe(of=inside):
            return known(inside)
        case ItemList(item=item) if item is not None:
            return replace(shape, item=known(item))
    return shape


def _joined(one: Shape | None, two: Shape) -> Shape:
    shape = join(one, two)
    assert shape is not None
    return shape


# ---- the state --------------------------------------------------------------------------------------------------

WAIT, MAY_REFUSE, TRIAL_AT, PROBE, PUBLIC, STAMP, _CELLS = 0, 4, 5, 6, 7, 8, 16
"""Offsets in a state: the awaited event, the marks of `state.State`, the mark of a public state, the stamp of the last
change, the cells."""


SHORT, LONGEST = 8, 128
"""The least and the largest number of one-byte cells of an element that one vector operation compares."""


def bits(count: int) -> int:
    """Return how many cells a vectorized test of `count` cells loads."""
    return next(bits for bits in (16, 32, 64, 128) if bits >= count)


@dataclass(frozen=True, slots=True)
class Cell:
    at: int
    shape: Shape


class CellLayout:
    """The layout of a program's cells in a state.

    Attributes:
        cells: of all cells, by number.
        spans: for each cell of an element the first cell and the cell after the last of that element; an element's
            cells are equally spaced.
        size: the bytes of a state.
        concealment: what not everybody sees. looking: which units need a copy of the public state. copies_public:
            whether any code runs in such a copy. seals: in a copy, the offsets of the bytes that say which variables
            and slots are unknown, by cell. floor: no piece is less, nor a number in the place of one; the numbers of
            veiled pieces are. veil_count: the number of veiled pieces that a copy can distinguish: they are the numbers
            right below `floor`.
        hides: whether pieces are hidden or drawn by lot. ticket: the number of the first pool's tickets; pools: the
            offset of the pools; pool_capacity: the capacity of one; moved: the offset of the flag that hidden zones or
            pools have changed.
    """

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self.cells: list[Cell] = []
        self.spans: list[tuple[int, int]] = []
        self.elements: list[m.Element | None] = []
        self.size = _CELLS
        game = program.game
        self.concealment = Concealment(game)
        concealed = (range(each.offset, each.offset + each.count) for each in self.concealment.elements)
        self.looking = Looking(program, frozenset(chain(*concealed)))
        self.copies_public = any(self.needs_copy(wait, option) for wait, option in self._public_options())
        concealed_here = self.concealment.elements if self.copies_public else ()
        veiled = [element for element in concealed_here if element.is_zone]
        self._veiled = frozenset(element.type for element in veiled)
        self._veiled |= self._wider_ranges()
        most = sum(element.count * self._capacity(element) for element in veiled)
        self.veil_count = min(max(most, FEW_VEILS), MOST_VEILS)
        zones = [element.type for element in game.elements if element.is_zone]
        pieces = (of_type(of) for of in (*zones, *self._veiled))
        self.floor = min((0, *(piece.low for piece in pieces if isinstance(piece, Number))))
        for element in game.elements:
            shape = self._element(element, game.capacities)
            for _ in range(element.count):
                self._place(shape, (element.offset, element.offset + element.count), element)
        for of in program.frame:
            at = len(self.cells)
            self._place(self._frame(of), (at, at + 1), None)
        for element in game.elements:
            first = self.cells[element.offset]
            # A vector test loads a whole register, which must lie within the state.
            if first.shape.bytes == 1 and SHORT <= element.count <= LONGEST:
                self.size = max(self.size, first.at + bits(element.count))
        self.seals = {cell: self.size + at for at, cell in enumerate(self._sealed())}
        self.size = (self.size + len(self.seals) + 7) // 8 * 8
        self._reserve_pools(game)

    def concealed(self, wait: c.Decision | c.Together) -> Concealed:
        """Return on what hidden information the wait's options depend."""
        return self.concealment.of(wait.routine, wait.statement)

    def veils(self, of: t.Type) -> bool:
        """Return whether a value of this type may be or contain a veiled piece."""
        inside = t.strip_optional(of)
        element = t.element_type(inside)
        return bool(self._veiled) and (inside in self._veiled or (element is not None and self.veils(element)))

    def _wider_ranges(self) -> frozenset[t.Range]:
        """Return the ranges of items among which a veiled number may be: a union of two zones has a range around both.

        Everything else stops at a veiled number, so that its results are none.
        """
        narrow = [of for of in self._veiled if isinstance(of, t.Range)]
        bodies = [unit.body for unit in self.program.units] + [block.body for block in self.program.blocks]
        kinds = {expr.type for body in bodies for expr in each_part(body)} if narrow else set()
        items = {t.element_type(t.strip_optional(of)) for of in kinds}
        ranges = {of for of in items if isinstance(of, t.Range) and of != INT}
        return frozenset(of for of in ranges if any(of.low <= one.low and one.high <= of.high for one in narrow))

    def _public_options(self) -> Iterator[tuple[c.Decision | c.Together, c.Option]]:
        """Yield the options that depend on what not everybody sees."""
        for wait in self.program.waits:
            if isinstance(wait, c.Decision | c.Together) and self.concealed(wait) is Concealed.CELLS:
                yield from ((wait, option) for option in wait.options)

    def needs_copy(self, wait: c.Decision | c.Together, option: c.Option) -> bool:
        """Return whether a copy of the public state is needed to find out whether the option may have an instance."""
        assert option.seen is not None
        return self.is_tried(wait, option) or not self.looking.unit(option.seen)

    @staticmethod
    def is_tried(wait: c.Decision | c.Together, option: c.Option) -> bool:
        """Return whether moves of the option are tried in the public state."""
        return option.refusable and isinstance(wait, c.Decision)

    def _sealed(self) -> Iterable[int]:
        """Return the cells of which the public state does not show that they hold anything."""
        if not self.copies_public:
            return ()
        variables = [each for each in self.concealment.elements if not each.is_zone]
        stacks = [wait.stack for wait in self.program.waits if wait is not None]
        stacks += [calling.stack for calling in self.program.calls.values()]
        slots = chain.from_iterable(slots_in(stack, self._is_secret) for stack in stacks)
        tried = [option for wait, option in self._public_options() if self.is_tried(wait, option)]
        stated = [argument.cell for option in tried for argument in option.arguments]
        return dict.fromkeys([
            *chain(*(range(each.offset, each.offset + each.count) for each in variables)),
            *slots,
            *(cell for cell in stated if cell is not None),
        ])  # fmt: skip

    def _is_secret(self, routine: str, slot: int) -> bool:
        return slot in self.concealment.names.tainted(routine)

    def looks(self, base: int) -> bool:
        """Return whether a cell's contents, as everybody sees them, may be unknown."""
        element = self.elements[base]
        if element is None:
            return base in self.seals
        return element in self.concealment.elements or (self.copies_public and element.is_zone)

    def seen(self, base: int) -> Shape:
        """Return the shape of a cell's contents as everybody sees them."""
        shape, element = self.cells[base].shape, self.elements[base]
        if not self.looks(base):
            return shape
        # Everybody sees how many pieces lie in a zone.
        items = (
            ItemList(Maybe(shape.item), shape.capacity) if isinstance(shape, ItemList) and not shape.distinct else shape
        )
        return items if element is not None and element.is_zone and isinstance(items, ItemList) else Maybe(items)

    def _reserve_pools(self, game: m.Game) -> None:
        hidden = [element for element in game.elements if element.is_zone and element.visibility == "hidden"]
        # What is drawn by lot from a bag that everybody sees is listed as entries, too.
        hidden += [each.source for each in self.program.waits if isinstance(each, c.Hidden)]
        self.moved, self.pools, self.hides = self.size, self.size + 8, bool(hidden)
        self.ticket = 0
        for element in hidden:
            piece = of_type(element.type)
            if not isinstance(piece, Number):
                raise NotCarried("hidden pieces that are not numbers")
            self.ticket = max(self.ticket, piece.high + 1)
        sizes = [shape.capacity for each in hidden if isinstance(shape := self.cells[each.offset].shape, ItemList)]
        self.pool_capacity = max(sizes, default=1)
        # Pieces, veils and tickets share the 16 bits of an entry.
        if hidden and (self.floor - self.veil_count < ENTRY.low or self.ticket + POOLS > 2**14):
            raise NotCarried("so many kinds of hidden pieces")
        if self.pool_capacity > 4096:
            raise NotCarried("so many hidden pieces")
        if hidden:
            self.size += 16 + POOLS * ItemList(ENTRY, self.pool_capacity).bytes

    def _place(self, shape: Shape, span: tuple[int, int], element: m.Element | None) -> None:
        # Masks are loaded as aligned words.
        align = min(8, shape.bytes) if isinstance(shape, Number | Flag) else 8
        self.size = (self.size + align - 1) // align * align
        self.cells.append(Cell(self.size, shape))
        self.spans.append(span)
        self.elements.append(element)
        self.size += shape.bytes

    def _capacity(self, zone: m.Element) -> int:
        """Return the number of pieces that a cell of a zone can hold."""
        if zone.kind == "one":
            return 1
        return zone.most or self.program.game.capacities.get((zone.name, None, 0), CAPACITY)

    def _element(self, element: m.Element, capacities: Mapping[m.Holder, int]) -> Shape:
        levels = [capacities.get((element.name, None, level), CAPACITY) for level in range(3)]
        hidden = element.is_zone and element.visibility == "hidden"
        of = t.optional(element.type) if element.is_zone and element.kind == "one" else element.type
        shape = ENTRY if hidden else of_type(of, () if element.is_zone else levels)
        if self.veils(element.type):
            shape = _veiled(shape, self.floor - self.veil_count)
        return ItemList(shape, self._capacity(element)) if element.is_zone and element.kind != "one" else shape

    def _frame(self, of: t.Type) -> Shape:
        """Return the shape of a routine's slot: wider than its type, since computed values are checked only when they
        are stored.
        """
        if isinstance(of, t.ListOf) and isinstance(of.of, t.Never):
            return ItemList(_STATED, self.program.game.players)
        shape = of_type(of, (self.most, self.inner))
        if self.copies_public:
            shape = _veiled(shape, self.floor - DEEPEST)
        match t.strip_optional(of):
            case t.Range(low=low, high=high):
                return _WIDE if -_WIDE.high < min(low, self.floor - DEEPEST) and high < _WIDE.high else ANY
        return shape

    @cached_property
    def most(self) -> int:
        """The capacity of a collection in a routine: the largest of the game's own."""
        known = [most for (_, _, level), most in self.program.game.capacities.items() if level == 0]
        # Every slot of a routine takes this space in each state, which is copied at each move.
        return min(256, max([CAPACITY, *known]))

    @cached_property
    def inner(self) -> int:
        """The capacity of a collection inside a collection."""
        return min(
            256, max((most for (_, _, level), most in self.program.game.capacities.items() if level), default=16)
        )
