"""Native code for values: constants, memory, lists and sets, and conversion between shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludex.spec import types as t

from .builder import NONE, VEILED, Function, Limit
from .shapes import HEADER, ArgumentRow, Flag, ItemList, Mask, Maybe, NotCarried, Number, Shape, numbers

_INT = "i64"


@dataclass
class ConstantTable:
    """Constant tables and lists, each stored once."""

    names: dict[str, str] = field(default_factory=dict)

    def name(self, body: str) -> str:
        """Return the address of a constant such as `[4 x i8] c"..."`."""
        return self.names.setdefault(body, f"@k{len(self.names)}")

    def text(self) -> str:
        return "".join(
            f"{name} = internal unnamed_addr constant {body}, align 8\n" for body, name in self.names.items()
        )

    def of_bytes(self, data: bytes) -> str:
        """Return the address of these bytes."""
        # Every byte is escaped: a quote would end the constant.
        text = "".join(map("\\{:02x}".format, data))
        return self.name(f'[{len(data)} x i8] c"{text}"')

    def encoded(self, value: t.Value, shape: Shape) -> bytes:
        """Return the bytes of a value in memory."""
        match shape:
            case Flag():
                return bytes([bool(value)])
            case Number():
                # None is the least number of the width, which no number of a game is.
                least = NONE if shape.bytes == 8 else -(2 ** (8 * shape.bytes - 1))
                return (least if value is None else int(value)).to_bytes(shape.bytes, "little", signed=True)
            case Mask():
                return mask_value(value, shape).to_bytes(shape.bytes, "little")
            case ItemList(item=item):
                # A set has no order of its own in Python; native code expects rising order.
                items = sorted(value) if isinstance(value, frozenset) else tuple(value or ())
                body = b"".join(self.encoded(each, item) for each in items) if item is not None else b""
                head = len(items).to_bytes(4, "little") + max(shape.capacity, len(items)).to_bytes(4, "little")
                return (head + body).ljust(shape.bytes, b"\0")
        raise AssertionError(shape)


def mask_value(value: t.Value, shape: Mask) -> int:
    return sum(1 << bit_of(each, shape) for each in value or ())


def bit_of(value: t.Value, shape: Mask) -> int:
    return 0 if value is None else int(value) - shape.low + shape.optional


class ValueEmitter:
    """Emits instructions for values into one function."""

    def __init__(self, f: Function, constants: ConstantTable) -> None:
        self.f, self.constants = f, constants

    # ---- constants

    def constant(self, value: t.Value, shape: Shape) -> str:
        match shape:
            case Flag():
                return "true" if value else "false"
            case Number():
                return str(NONE if value is None else int(value))
            case Mask():
                return str(mask_value(value, shape))
        return self.constants.of_bytes(self.constants.encoded(value, shape))

    # ---- shapes

    def to(self, value: str, shape: Shape | None, target: Shape) -> str:
        """Convert a value from one shape to another."""
        # A value without a shape is never read.
        if shape == target or shape is None:
            return value if shape is not None else _nothing(target)
        match shape, target:
            case Maybe(), Maybe():
                value, unknown = self.divided(value, shape)
                return self.pair(self.to(value, shape.of, target.content), unknown, target)
            case _, Maybe():
                return self.pair(self.to(value, shape, target.content), "0", target)
            case Maybe(), _:
                # Code for known values stops at an unknown one.
                value, unknown = self.divided(value, shape)
                self.f.stop_if(self.f.let(f"icmp ne i64 {unknown}, 0"), VEILED)
                return self.to(value, shape.of, target)
            case Flag(), Number():
                return self.f.let(f"zext i1 {value} to i64")
            case Number(), Flag():
                return self.f.let(f"icmp ne i64 {value}, 0")
            case (Number(), Number()):
                return value
            case ArgumentRow(), ArgumentRow() if _alike(shape, target):
                return value
            case Mask(), Mask():
                return self._moved(value, shape, target)
            case ItemList(), ItemList():
                # Only the items have to agree: a list in a register says its own capacity.
                if shape.item is None or (shape.item == target.item) or _alike(shape.item, target.item):
                    return value
                return self._converted(value, shape, target)
            case Mask(), ItemList():
                return self.to(self.list_of_mask(value, shape), ItemList(numbers(shape)), target)
            case ItemList(item=None), Mask():
                return "0"
        raise NotCarried(f"{shape} as {target}")

    def pair(self, value: str, unknown: str, shape: Maybe) -> str:
        """Make a value that may be unknown of its two parts."""
        kind = shape.content.llvm
        first = self.f.let(f"insertvalue {shape.llvm} poison, {kind} {value}, 0")
        return self.f.let(f"insertvalue {shape.llvm} {first}, i64 {unknown}, 1")

    def divided(self, value: str, shape: Maybe) -> tuple[str, str]:
        """Return the two parts of a value that may be unknown."""
        first, second = (self.f.let(f"extractvalue {shape.llvm} {value}, {at}") for at in (0, 1))
        return first, second

    def _moved(self, value: str, mask: Mask, target: Mask) -> str:
        """Convert a bit mask to another range. Bits that do not fit are a limit."""
        f = self.f
        # The result is a word wider than either mask, so that no bit is lost while it is shifted, and those outside are
        # found afterwards.
        wide = f"i{max(mask.bytes, target.bytes) * 8 + 64}"
        given = f.let(f"zext {mask.llvm} {value} to {wide}")
        rest = f.let(f"lshr {wide} {given}, 1") if mask.optional else given
        by = mask.low - target.low
        if abs(by) > 1024:
            raise NotCarried("sets of numbers that lie far apart")
        if by < 0:
            low = (1 << -by) - 1
            f.stop_if(f.let(f"icmp ne {wide} {f.let(f'and {wide} {rest}, {low}')}, 0"), Limit.NUMBER)
            rest = f.let(f"lshr {wide} {rest}, {-by}")
        elif by:
            rest = f.let(f"shl {wide} {rest}, {by}")
        if target.optional:
            rest = f.let(f"shl {wide} {rest}, 1")
        if mask.optional:
            none = f.let(f"and {wide} {given}, 1")
            if target.optional:
                rest = f.let(f"or {wide} {rest}, {none}")
            else:
                f.stop_if(f.let(f"icmp ne {wide} {none}, 0"), Limit.NUMBER)
        if mask.high > target.high:
            outside = f.let(f"lshr {wide} {rest}, {target.bits}")
            f.stop_if(f.let(f"icmp ne {wide} {outside}, 0"), Limit.NUMBER)
        return f.let(f"trunc {wide} {rest} to {target.llvm}")

    def _converted(self, value: str, shape: ItemList, target: ItemList) -> str:
        assert shape.item is not None
        assert target.item is not None
        size = self.size(value)
        result = self.new(size, target)
        with self.f.counted("0", size) as at:
            self.store(
                self.at(result, at, target),
                self.to(self.load(self.at(value, at, shape), shape.item), shape.item, target.item),
                target.item,
                shape.item,
            )
        self.set_size(result, size)
        return result

    # ---- memory

    def load(self, address: str, shape: Shape) -> str:
        """Load the content of a cell or an item; for a list, its address."""
        f = self.f
        match shape:
            case Flag():
                return f.let(f"trunc i8 {f.let(f'load i8, ptr {address}, align 1')} to i1")
            case Number(bytes=8):
                return f.let(f"load i64, ptr {address}, align 1")
            case Number(bytes=width):
                raw = f.let(f"load i{width * 8}, ptr {address}, align 1")
                wide = f.let(f"sext i{width * 8} {raw} to i64")
                if not shape.optional:
                    return wide
                none = f.let(f"icmp eq i{width * 8} {raw}, {-(2 ** (8 * width - 1))}")
                return f.let(f"select i1 {none}, i64 {NONE}, i64 {wide}")
            case Mask():
                return f.let(f"load {shape.llvm}, ptr {address}, align 8")
            case Maybe():
                return self.pair(self.load(address, shape.content), f.get(f.at(address, shape.word)), shape)
        return address

    def store(self, address: str, value: str, shape: Shape, given: Shape | None) -> None:
        """Store a value at an address. given: the shape of the value, if it differs."""
        f = self.f
        match shape:
            case Flag():
                f.do(f"store i8 {f.let(f'zext i1 {value} to i8')}, ptr {address}, align 1")
            case Number(bytes=8):
                f.do(f"store i64 {value}, ptr {address}, align 1")
            case Number(bytes=width):
                kind, least = f"i{width * 8}", -(2 ** (8 * width - 1))
                if shape.optional and not (isinstance(given, Number) and not given.optional):
                    none = f.let(f"icmp eq i64 {value}, {NONE}")
                    value = f.let(f"select i1 {none}, i64 {least}, i64 {value}")
                short = f.let(f"trunc i64 {value} to {kind}")
                # If the type of the value does not show that it fits, the number is checked when it is stored.
                if not _within(given, shape):
                    same = f.let(f"sext {kind} {short} to i64")
                    f.stop_if(f.let(f"icmp ne i64 {same}, {value}"), Limit.NUMBER)
                f.do(f"store {kind} {short}, ptr {address}, align 1")
            case Mask():
                f.do(f"store {shape.llvm} {value}, ptr {address}, align 8")
            case Maybe():
                value, unknown = self.divided(value, shape)
                inside = given.of if isinstance(given, Maybe) else None
                self.store(address, value, shape.content, inside)
                f.put(f.at(address, shape.word), unknown)
            case ArgumentRow():
                f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {address}, ptr {value}, i64 {shape.bytes}, i1 false)")
            case ItemList():
                size = self.size(value)
                f.stop_if(f.let(f"icmp sgt i64 {size}, {shape.capacity}"), Limit.LONG)
                self.copy_items(f.let(f"getelementptr i8, ptr {address}, i64 {HEADER}"), value, size, shape)
                self.set_size(address, size)

    def store_row(self, address: str, values: Sequence[str], shape: ArgumentRow) -> None:
        """Store the values of a row's parts."""
        for value, part, at in zip(values, shape.parts, shape.offsets, strict=False):
            if part is not None:
                self.store(self.f.at(address, at), value, part, None)

    def parts_of(self, address: str, shape: ArgumentRow) -> list[tuple[str, Shape | None]]:
        """Load the values of a row's parts."""
        return [
            ("@empty", None) if part is None else (self.load(self.f.at(address, at), part), part)
            for part, at in zip(shape.parts, shape.offsets, strict=False)
        ]

    def copy_items(self, to: str, value: str, size: str, shape: ItemList) -> None:
        source = self.f.let(f"getelementptr i8, ptr {value}, i64 {HEADER}")
        length = self.f.let(f"mul i64 {size}, {shape.stride}")
        self.f.do(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {source}, i64 {length}, i1 false)")

    # ---- lists

    def size(self, value: str) -> str:
        return self.f.let(f"zext i32 {self.f.let(f'load i32, ptr {value}, align 4')} to i64")

    def set_size(self, value: str, size: str) -> None:
        self.f.do(f"store i32 {self.f.let(f'trunc i64 {size} to i32')}, ptr {value}, align 4")

    def at(self, value: str, index: str, shape: ItemList) -> str:
        """Return the address of an item."""
        offset = index if shape.stride == 1 else self.f.let(f"mul i64 {index}, {shape.stride}")
        return self.f.let(f"getelementptr i8, ptr {value}, i64 {self.f.let(f'add i64 {offset}, {HEADER}')}")

    def new(self, capacity: str, shape: ItemList) -> str:
        """Allocate an empty list with this capacity."""
        result = self.f.let(f"call ptr @new(ptr %C, i64 {capacity}, i64 {shape.stride})")
        self.f.stop_if(self.f.let(f"icmp eq ptr {result}, null"), Limit.MEMORY)
        return result

    def append(self, slot: str, value: str, shape: ItemList, given: Shape | None) -> None:
        """Append an item to the list whose address is in the slot."""
        f = self.f
        if shape.item is None:
            return
        old = f.let(f"load ptr, ptr {slot}")
        grown = f.let(f"call ptr @extendable(ptr %C, ptr {old}, i64 {shape.stride})")
        f.stop_if(f.let(f"icmp eq ptr {grown}, null"), Limit.MEMORY)
        # The list may have moved, so the slot gets the new address before anything else reads it.
        f.do(f"store ptr {grown}, ptr {slot}")
        size = self.size(grown)
        self.store(self.at(grown, size, shape), value, shape.item, given)
        self.set_size(grown, f.let(f"add i64 {size}, 1"))

    def copied(self, value: str, shape: ItemList) -> str:
        """Copy a list."""
        size = self.size(value)
        result = self.new(size, shape)
        self.copy_items(f"{self.f.let(f'getelementptr i8, ptr {result}, i64 {HEADER}')}", value, size, shape)
        self.set_size(result, size)
        return result

    def chained(self, one: str, two: str, shape: ItemList) -> str:
        """Concatenate two lists."""
        f = self.f
        first, second = self.size(one), self.size(two)
        both = f.let(f"add i64 {first}, {second}")
        result = self.new(both, shape)
        self.copy_items(f.let(f"getelementptr i8, ptr {result}, i64 {HEADER}"), one, first, shape)
        self.copy_items(self.at(result, first, shape), two, second, shape)
        self.set_size(result, both)
        return result

    def spend(self, units: str) -> None:
        """Count units of work."""
        self.f.stop_if(self.f.let(f"call i1 @spend(ptr %C, i64 {units})"), Limit.WORK)

    def list_of_mask(self, value: str, shape: Mask) -> str:
        kind = ItemList(numbers(shape))
        slot = self.f.slot("ptr")
        size = self.popcount(value, shape)
        self.f.do(f"store ptr {self.new(size, kind)}, ptr {slot}")
        self.each_bit(value, shape, lambda item: self.append(slot, item, kind, kind.item))
        return self.f.let(f"load ptr, ptr {slot}")

    def same(self, one: str, two: str, shape: ItemList) -> str:
        """Test whether two lists of one shape are equal."""
        if isinstance(shape.item, ItemList):
            raise NotCarried("lists of lists that are compared")
        return self.f.let(f"call i1 @same(ptr {one}, ptr {two}, i64 {shape.stride})")

    def equal(self, one: str, two: str, shape: Shape) -> str:
        if isinstance(shape, ItemList):
            return self.same(one, two, shape)
        return self.f.let(f"icmp eq {shape.llvm} {one}, {two}")

    def listed(self, value: str, shape: ItemList, item: str, given: Shape) -> str:
        """Test whether a list contains an item of the list's item shape."""
        assert shape.item is not None
        is_listed = self.f.slot("i1")
        self.f.do(f"store i1 false, ptr {is_listed}")
        with self.f.counted("0", self.size(value)) as at:
            is_same = self.equal(self.load(self.at(value, at, shape), shape.item), item, shape.item)
            with self.f.when(is_same):
                self.f.do(f"store i1 true, ptr {is_listed}")
                self.f.jump(self.f.breaks[-1])
        return self.f.let(f"load i1, ptr {is_listed}")

    # ---- masks

    def bit(self, item: str, shape: Mask) -> tuple[str, str]:
        """Return the bit number of a value in a mask, and whether it has one."""
        f = self.f
        # Compared without a sign below, a value under the range is too large as well.
        at = f.let(f"sub i64 {item}, {shape.low - shape.optional}") if shape.low != shape.optional else item
        if shape.optional:
            none = f.let(f"icmp eq i64 {item}, {NONE}")
            at = f.let(f"select i1 {none}, i64 0, i64 {at}")
            inside = f.let(f"icmp ult i64 {at}, {shape.bits}")
            zero = f.let(f"icmp ne i64 {at}, 0")
            return at, f.let(f"and i1 {inside}, {f.let(f'or i1 {none}, {zero}')}")
        return at, f.let(f"icmp ult i64 {at}, {shape.bits}")

    def single(self, at: str, shape: Mask) -> str:
        """Return the mask with one bit; the bit number is in range."""
        f = self.f
        wide = at if shape.llvm == "i64" else f.let(f"zext i64 {at} to {shape.llvm}")
        return f.let(f"shl {shape.llvm} 1, {wide}")

    def has(self, value: str, shape: Mask, item: str) -> str:
        f = self.f
        at, inside = self.bit(item, shape)
        # LLVM leaves a shift by more than the width undefined.
        safe = f.let(f"select i1 {inside}, i64 {at}, i64 0")
        wide = safe if shape.llvm == "i64" else f.let(f"zext i64 {safe} to {shape.llvm}")
        is_set = f.let(f"trunc {shape.llvm} {f.let(f'lshr {shape.llvm} {value}, {wide}')} to i1")
        return f.let(f"and i1 {is_set}, {inside}")

    def with_item(self, value: str, shape: Mask, item: str, lenient: bool = False) -> str:
        """Add an item to a set. lenient: ignore an item that has no bit."""
        f = self.f
        at, inside = self.bit(item, shape)
        if not lenient:
            f.stop_if(f.let(f"xor i1 {inside}, true"), Limit.NUMBER)
            return f.let(f"or {shape.llvm} {value}, {self.single(at, shape)}")
        safe = f.let(f"select i1 {inside}, i64 {at}, i64 0")
        more = f.let(f"select i1 {inside}, {shape.llvm} {self.single(safe, shape)}, {shape.llvm} 0")
        return f.let(f"or {shape.llvm} {value}, {more}")

    def popcount(self, value: str, shape: Mask) -> str:
        f, kind = self.f, shape.llvm
        count = f.let(f"call {kind} @llvm.ctpop.{kind}({kind} {value})")
        return count if kind == "i64" else f.let(f"trunc {kind} {count} to i64")

    def each_bit(self, value: str, shape: Mask, turn: Callable[[str], None]) -> None:
        """Emit `turn` for each value of the set, in order."""
        f, kind = self.f, shape.llvm
        left = f.slot(kind)
        f.do(f"store {kind} {value}, ptr {left}")
        head, body, leave = f.label(), f.label(), f.label()
        f.begin(head)
        bits = f.let(f"load {kind}, ptr {left}")
        f.branch(f.let(f"icmp eq {kind} {bits}, 0"), leave, body)
        f.begin(body)
        # The lowest bit is found and cleared (`x & (x - 1)`), so that the loop takes as many turns as the set has
        # values.
        lowest = f.let(f"call {kind} @llvm.cttz.{kind}({kind} {bits}, i1 true)")
        less = f.let(f"sub {kind} {bits}, 1")
        f.do(f"store {kind} {f.let(f'and {kind} {bits}, {less}')}, ptr {left}")
        at = lowest if kind == "i64" else f.let(f"trunc {kind} {lowest} to i64")
        f.breaks.append(leave)
        turn(self.item_of(at, shape))
        f.breaks.pop()
        if not f.terminated:
            f.jump(head)
        f.begin(leave)

    def item_of(self, at: str, shape: Mask) -> str:
        """Return the value of a bit."""
        f = self.f
        by = shape.low - shape.optional
        item = f.let(f"add i64 {at}, {by}") if by else at
        if shape.optional:
            first = f.let(f"icmp eq i64 {at}, 0")
            item = f.let(f"select i1 {first}, i64 {NONE}, i64 {item}")
        return item


def _nothing(shape: Shape) -> str:
    if isinstance(shape, Maybe):
        return f"{{ {shape.content.llvm} {_nothing(shape.content)}, i64 0 }}"
    return {"i1": "false", "i64": "0", "ptr": "@empty"}.get(shape.llvm, "0")


def _alike(one: Shape | None, two: Shape | None) -> bool:
    """Return whether items of the two shapes have the same bytes."""
    match one, two:
        case Number(), Number():
            return one.bytes == two.bytes
        case ItemList(), ItemList():
            return one.bytes == two.bytes and _alike(one.item, two.item)
        case ArgumentRow(), ArgumentRow():
            return all(map(_alike, one.parts, two.parts))
    return one == two


def _within(given: Shape | None, shape: Number) -> bool:
    if isinstance(given, Flag):
        return True
    return isinstance(given, Number) and shape.low <= given.low and given.high <= shape.high
