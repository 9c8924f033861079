"""Native code for unknown pieces: tickets and pools (`../../state/pools.py` defines them).

An entry of a hidden zone is a piece or, from `Layout.ticket` on, a ticket of a pool. Pools follow the cells of a state:
their number, then each as a list. Rare cases stop the play as a limit: pools nested two deep, pools in one bag with the
same contents, a draw from a bag with tickets of several pools or with seen pieces besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ludex.spec import model as m

from ...state.zones import constant_zone
from ..ir import code as c
from . import infer
from .builder import NONE, Function, Limit
from .expressions import ExpressionEmitter
from .shapes import ENTRY, HEADER, MAY_REFUSE, POOLS, ItemList, NotCarried, Number
from .statements import FunctionEmitter
from .values import ConstantTable, ValueEmitter
from .zones import Zones

if TYPE_CHECKING:
    from .module import Module

_KINDS = {"one": 0, "pile": 1, "bag": 2}
_LIST = ItemList(ENTRY)


class Hidden:
    """Prints the further functions of a game with hidden zones: pools, shuffles and draws."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout, self.program = module, module.layout, module.program
        self.ticket = self.layout.ticket
        self.pool = ItemList(ENTRY, self.layout.pool_capacity)
        self.entries = _LIST
        self._names: dict[tuple[object, ...], str] = {}
        self.functions: list[str] = []

    # ---- pools

    def _count(self, f: Function) -> str:
        return f.let(f"getelementptr i8, ptr %S, i64 {self.layout.pools}")

    def _pool(self, f: Function, number: str) -> str:
        """Return the address of a pool."""
        offset = f.let(f"mul i64 {number}, {self.pool.bytes}")
        return f.let(f"getelementptr i8, ptr %S, i64 {f.let(f'add i64 {offset}, {self.layout.pools + 8}')}")

    def helpers(self) -> Iterator[str]:
        """Print the functions that every program with hidden zones has."""
        cells = [
            cell
            for cell, element in enumerate(self.layout.elements)
            if element is not None and element.is_zone and element.visibility == "hidden"
        ]
        table = b"".join(
            self.layout.cells[cell].at.to_bytes(8, "little")
            + _KINDS[self.layout.elements[cell].kind].to_bytes(8, "little")  # type: ignore[union-attr]
            for cell in cells
        )
        self._table, self._cells = self.module.constants.of_bytes(table), len(cells)
        yield self._shuffled()
        yield self._settled()
        yield self._opened()
        yield self._renamed()
        yield self._merged()
        yield self._normalised()

    def _shuffled(self) -> str:
        """Print the shuffle: the pieces of a zone become tickets of a new pool."""
        f = Function("shuffled", "ptr %C, ptr %S, ptr %zone", None)
        values = ValueEmitter(f, ConstantTable())
        # Normal forms are made after the event, and only if something hidden has moved.
        f.put(f.at("%S", self.layout.moved), 1, "i8")
        at = self._count(f)
        count = f.get(at)
        f.stop_if(f.let(f"icmp uge i64 {count}, {POOLS}"), Limit.POOLS)
        # The zone keeps its size, and each of its entries becomes a ticket of the pool.
        pool, size = self._pool(f, count), values.size("%zone")
        values.store(pool, "%zone", self.pool, self.pool)
        f.do(f"call void @{self.module.sorter(_LIST)}(ptr {pool})")
        ticket = f.let(f"add i64 {count}, {self.ticket}")
        with f.counted("0", size) as place:
            values.store(values.at("%zone", place, _LIST), ticket, ENTRY, ENTRY)
        f.do(f"store i64 {f.let(f'add i64 {count}, 1')}, ptr {at}")
        f.end("ret i32 0")
        return f.text()

    def _settled(self) -> str:
        """Print the removal of a revealed piece from the pool of its ticket, or from a pool nested in it."""
        f = Function("settled", "ptr %C, ptr %S, i64 %ticket, i64 %piece", None)
        values, take = ValueEmitter(f, ConstantTable()), self.module.taker(_LIST)
        pool = self._pool(f, f.let(f"sub i64 %ticket, {self.ticket}"))
        with f.when(f.let(f"call i1 @{take}(ptr {pool}, i64 %piece)")):
            f.give("0")
        with f.counted("0", values.size(pool)) as at:
            entry = values.load(values.at(pool, at, _LIST), ENTRY)
            with f.when(f.let(f"icmp sge i64 {entry}, {self.ticket}")):
                inside = self._pool(f, f.let(f"sub i64 {entry}, {self.ticket}"))
                with f.when(f.let(f"call i1 @{take}(ptr {inside}, i64 %piece)")):
                    f.let(f"call i1 @{take}(ptr {pool}, i64 {entry})")
                    f.give("0")
        f.stop(Limit.POOLS)
        return f.text()

    def _opened(self) -> str:
        """Print the list of what may come out of a pool, in order, with each entry equally likely.

        Pieces of nested pools are repeated to give them their weight. A piece that can come by two routes is a limit.
        """
        f = Function("opened", "ptr %C, ptr %S, ptr %pool", "ptr")
        values = ValueEmitter(f, ConstantTable())
        size, first = values.size("%pool"), f.slot("i64")
        f.put(first, 0)
        deeper = f.label()
        with f.counted("0", size) as at:
            entry = values.load(values.at("%pool", at, _LIST), ENTRY)
            with f.when(f.let(f"icmp sge i64 {entry}, {self.ticket}")):
                f.put(first, at)
                f.jump(deeper)
        f.give("%pool")
        f.begin(deeper)
        pieces, common, content = f.get(first), f.slot("i64"), f.slot("ptr")
        f.put(common, 1)
        with f.counted(pieces, size) as at:
            inside = self._inner(f, values, at)
            self._no_tickets(f, inside)
            many = values.size(inside)
            f.put(common, f.let(f"call i64 @lcm(i64 {f.get(common)}, i64 {many})"))
            # Each piece is repeated `common` times at most; rarer mixtures are left to the engine in Python.
            f.stop_if(f.let(f"icmp ugt i64 {f.get(common)}, 4096"), Limit.POOLS)
        f.put(content, values.new(f.let(f"mul i64 {f.get(common)}, {size}"), _LIST), "ptr")
        with f.counted("0", pieces) as at:
            piece = values.load(values.at("%pool", at, _LIST), ENTRY)
            with f.counted("0", f.get(common)):
                values.append(content, piece, _LIST, ENTRY)
        with f.counted(pieces, size) as at:
            inside = self._inner(f, values, at)
            # A nested pool weighs as one entry of this pool, which each of its pieces shares.
            many = f.let(f"udiv i64 {f.get(common)}, {values.size(inside)}")
            with f.counted("0", values.size(inside)) as place:
                piece = values.load(values.at(inside, place, _LIST), ENTRY)
                self._one_way(f, values, (at, inside, place, f.get(content, "ptr")), piece)
                with f.counted("0", many):
                    values.append(content, piece, _LIST, ENTRY)
        f.do(f"call void @{self.module.sorter(_LIST)}(ptr {f.get(content, 'ptr')})")
        f.give(f.get(content, "ptr"))
        return f.text()

    def _one_way(self, f: Function, values: ValueEmitter, where: tuple[str, str, str, str], piece: str) -> None:
        """Stop if a piece of a pool that is opened for the first time can come by another route, too."""
        at, inside, place, content = where
        ticket = values.load(values.at("%pool", at, _LIST), ENTRY)
        before = values.load(values.at("%pool", f.let(f"sub i64 {at}, 1"), _LIST), ENTRY)
        last = values.load(values.at(inside, f.let(f"sub i64 {place}, 1"), _LIST), ENTRY)
        # Pools are sorted, so equal entries are adjacent. Several tickets of a nested pool, and copies in that pool,
        # are one route: only the first of each is compared with what was found before.
        first = f.let(f"or i1 {f.let(f'icmp eq i64 {at}, 0')}, {f.let(f'icmp ne i64 {ticket}, {before}')}")
        new = f.let(f"or i1 {f.let(f'icmp eq i64 {place}, 0')}, {f.let(f'icmp ne i64 {last}, {piece}')}")
        with f.when(f.let(f"and i1 {first}, {new}")):
            f.stop_if(values.listed(content, _LIST, piece, ENTRY), Limit.POOLS)

    def _inner(self, f: Function, values: ValueEmitter, at: str) -> str:
        """Return the pool whose ticket is at a place of `%pool`."""
        ticket = values.load(values.at("%pool", at, _LIST), ENTRY)
        return self._pool(f, f.let(f"sub i64 {ticket}, {self.ticket}"))

    def _each_zone(self, f: Function, values: ValueEmitter) -> Iterator[tuple[str, str, str]]:
        """Yield for each hidden cell: the address of its first entry, the number of entries, and its kind."""
        with f.counted("0", str(self._cells)) as at:
            row = f.let(f"getelementptr i8, ptr {self._table}, i64 {f.let(f'shl i64 {at}, 4')}")
            zone = f.let(f"getelementptr i8, ptr %S, i64 {f.get(row)}")
            kind = f.let(f"load i64, ptr {f.let(f'getelementptr i8, ptr {row}, i64 8')}")
            single = f.let(f"icmp eq i64 {kind}, 0")
            # A zone of one piece has no header: it is handled as a list of one entry, which may be none.
            items = f.let(f"select i1 {single}, i64 0, i64 {HEADER}")
            many = f.slot("i64")
            f.put(many, 1)
            with f.when(f.let(f"xor i1 {single}, true")):
                f.do(f"store i64 {values.size(zone)}, ptr {many}")
            yield f.let(f"getelementptr i8, ptr {zone}, i64 {items}"), f.get(many), kind

    def _entry(self, f: Function, items: str, at: str) -> str:
        return f.let(f"getelementptr i16, ptr {items}, i64 {at}")

    def _rename_all(self, f: Function, items: str, size: str) -> None:
        with f.counted("0", size) as at:
            place = self._entry(f, items, at)
            entry = f.let(f"sext i16 {f.let(f'load i16, ptr {place}')} to i64")
            with f.when(f.let(f"icmp sge i64 {entry}, {self.ticket}")):
                old = f.let(f"sub i64 {entry}, {self.ticket}")
                new = f.let(f"load i64, ptr {f.let(f'getelementptr i64, ptr %names, i64 {old}')}")
                ticket = f.let(f"add i64 {new}, {self.ticket}")
                f.do(f"store i16 {f.let(f'trunc i64 {ticket} to i16')}, ptr {place}")

    def _renamed(self) -> str:
        """Print the renumbering of all tickets by an array of new pool numbers."""
        f = Function("renamed", "ptr %C, ptr %S, ptr %names", None)
        values = ValueEmitter(f, ConstantTable())
        for items, size, kind in self._each_zone(f, values):
            self._rename_all(f, items, size)
            with f.when(f.let(f"icmp eq i64 {kind}, 2")):
                # New numbers change the order of the entries of a bag, and its normal form is sorted.
                f.do(f"call void @{self.module.sorter(_LIST)}(ptr {f.at(items, -HEADER)})")
        with f.counted("0", f.let(f"load i64, ptr {self._count(f)}")) as number:
            pool = self._pool(f, number)
            self._rename_all(f, f.let(f"getelementptr i8, ptr {pool}, i64 {HEADER}"), values.size(pool))
            f.do(f"call void @{self.module.sorter(_LIST)}(ptr {pool})")
        f.end("ret i32 0")
        return f.text()

    def _identity(self, f: Function) -> str:
        names = f.slot(f"[{POOLS} x i64]")
        with f.counted("0", str(POOLS)) as at:
            f.do(f"store i64 {at}, ptr {f.let(f'getelementptr i64, ptr {names}, i64 {at}')}")
        return names

    def _merged(self) -> str:
        """Print one step of normalization: dissolve a pool, or a nested one, where that changes no chance; return
        whether it was done.
        """
        f = Function("merged", "ptr %C, ptr %S", "i1")
        values = ValueEmitter(f, ConstantTable())
        with f.counted("0", f.let(f"load i64, ptr {self._count(f)}")) as number:
            pool = self._pool(f, number)
            size = values.size(pool)
            with f.when(f.let(f"icmp ne i64 {size}, 0")):
                first = values.load(values.at(pool, "0", _LIST), ENTRY)
                last = values.load(values.at(pool, f.let(f"sub i64 {size}, 1"), _LIST), ENTRY)
                # The list is sorted and tickets are the largest entries, so that the last one shows whether there is
                # any.
                with f.when(f.let(f"icmp sge i64 {last}, {self.ticket}")):
                    # All entries are tickets of one pool: a random one of them is a random piece of that pool.
                    with f.when(f.let(f"icmp eq i64 {first}, {last}")):
                        names = self._identity(f)
                        inner = f.let(f"sub i64 {first}, {self.ticket}")
                        f.do(f"store i64 {inner}, ptr {f.let(f'getelementptr i64, ptr {names}, i64 {number}')}")
                        values.set_size(pool, "0")
                        f.let(f"call i32 @renamed(ptr %C, ptr %S, ptr {names})")
                        f.give("true")
                    self._dissolve(f, values, pool, size)
        f.give("false")
        return f.text()

    def _dissolve(self, f: Function, values: ValueEmitter, pool: str, size: str) -> None:
        """Merge a pool into this one if all its tickets are here."""
        with f.counted("0", f.let(f"load i64, ptr {self._count(f)}")) as inner:
            ticket = f.let(f"add i64 {inner}, {self.ticket}")
            many = f.slot("i64")
            f.put(many, 0)
            with f.counted("0", size) as at:
                is_ticket = f.let(f"icmp eq i64 {values.load(values.at(pool, at, _LIST), ENTRY)}, {ticket}")
                f.put(many, f.let(f"add i64 {f.get(many)}, {f.let(f'zext i1 {is_ticket} to i64')}"))
            tickets, inside = f.get(many), self._pool(f, inner)
            # If every piece of the inner pool is in this one, a ticket for one of them says no more than the pieces.
            all_ = f.let(f"icmp eq i64 {tickets}, {values.size(inside)}")
            with f.when(f.let(f"and i1 {all_}, {f.let(f'icmp ne i64 {tickets}, 0')}")):
                with f.counted("0", tickets):
                    f.let(f"call i1 @{self.module.taker(_LIST)}(ptr {pool}, i64 {ticket})")
                both = values.chained(pool, inside, _LIST)
                f.do(f"call void @{self.module.sorter(_LIST)}(ptr {both})")
                values.store(pool, both, self.pool, self.pool)
                values.set_size(inside, "0")
                f.give("true")

    def _normalised(self) -> str:
        """Print the normalization: it brings pools and tickets into normal form."""
        f = Function("normalised", "ptr %C, ptr %S", None)
        values = ValueEmitter(f, ConstantTable())
        with f.when(f.let(f"icmp eq i8 {f.get(f.at('%S', self.layout.moved), 'i8')}, 0")):
            f.give("0")
        f.put(f.at("%S", self.layout.moved), 0, "i8")
        at = self._count(f)
        count, done = f.get(at), f.label()
        some, several = f.label(), f.label()
        f.branch(f.let(f"icmp eq i64 {count}, 0"), done, some)
        f.begin(some)
        # A single pool that is not empty is in normal form already.
        one = f.let(f"icmp eq i64 {count}, 1")
        full = f.let(f"icmp ne i64 {values.size(self._pool(f, '0'))}, 0")
        f.branch(f.let(f"and i1 {one}, {full}"), done, several)
        f.begin(several)
        merging, merged = f.label(), f.label()
        f.begin(merging)
        merge = f.let("call { i1, i32 } @merged(ptr %C, ptr %S)")
        why = f.let(f"extractvalue {{ i1, i32 }} {merge}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        f.branch(f.let(f"extractvalue {{ i1, i32 }} {merge}, 0"), merging, merged)
        f.begin(merged)
        self._name(f, values, at, count)
        f.begin(done)
        f.end("ret i32 0")
        return f.text()

    def _name(self, f: Function, values: ValueEmitter, at: str, count: str) -> None:
        """Number the pools in the order in which zones mention them first."""
        names, order, next_ = f.slot(f"[{POOLS} x i64]"), f.slot(f"[{POOLS} x i64]"), f.slot("i64")
        named = names, order, next_
        with f.counted("0", str(POOLS)) as place:
            f.do(f"store i64 -1, ptr {f.let(f'getelementptr i64, ptr {names}, i64 {place}')}")
        f.put(next_, 0)
        for items, size, kind in self._each_zone(f, values):
            leave = f.label()
            # The entries of a bag have no order, so its pools are numbered by their contents; those of a pile by place.
            with f.when(f.let(f"icmp eq i64 {kind}, 2")):
                self._name_all(f, items, size, named)
                f.jump(leave)
            with f.counted("0", size) as place:
                pool, old = self._unnamed(f, items, place, names)
                with f.when(f.let(f"icmp eq i64 {old}, -1")):
                    self._give_name(f, pool, named)
            f.begin(leave)
        # Pools that only other pools mention come last. Each may name further ones, so the count is read in every turn.
        with f.counted("0", str(POOLS)) as number, f.when(f.let(f"icmp slt i64 {number}, {f.get(next_)}")):
            inside = self._pool(f, f.get(f.at(order, number, "i64")))
            self._name_all(f, f.at(inside, HEADER), values.size(inside), named)
        apart = f.slot("i1")
        # Fewer names than pools: some pool has no tickets left.
        f.put(apart, f.let(f"icmp ne i64 {f.get(next_)}, {count}"), "i1")
        with (
            f.counted("0", count) as number,
            f.when(f.let(f"icmp ne i64 {f.get(f.at(names, number, 'i64'))}, {number}")),
        ):
            f.put(apart, "true", "i1")
        with f.when(f.get(apart, "i1")):
            self._reorder(f, values, names, count)
            f.put(at, f.get(next_))
            f.let(f"call i32 @renamed(ptr %C, ptr %S, ptr {names})")

    def _unnamed(self, f: Function, items: str, place: str, names: str) -> tuple[str, str]:
        """Return the pool of an entry, and -1 if it has no new number yet."""
        entry = f.let(f"sext i16 {f.get(self._entry(f, items, place), 'i16')} to i64")
        pool = f.let(f"sub i64 {entry}, {self.ticket}")
        old = f.slot("i64")
        f.put(old, 0)
        with f.when(f.let(f"icmp sge i64 {pool}, 0")):
            f.put(old, f.get(f.at(names, pool, "i64")))
        return pool, f.get(old)

    @staticmethod
    def _give_name(f: Function, pool: str, named: tuple[str, str, str]) -> None:
        names, order, next_ = named
        new = f.get(next_)
        f.put(f.at(order, new, "i64"), pool)
        f.put(f.at(names, pool, "i64"), new)
        f.put(next_, f.let(f"add i64 {new}, 1"))

    def _name_all(self, f: Function, items: str, size: str, named: tuple[str, str, str]) -> None:
        """Number the pools that a bag or a pool mentions first, smallest first.

        Pools with equal contents are a limit.
        """
        leave = f.label()
        with f.counted("0", size):
            self._name_least(f, items, size, named, leave)
        f.begin(leave)

    def _name_least(self, f: Function, items: str, size: str, named: tuple[str, str, str], leave: str) -> None:
        best = f.slot("i64")
        f.put(best, -1)
        with f.counted("0", size) as place:
            pool, old = self._unnamed(f, items, place, named[0])
            with f.when(f.let(f"icmp eq i64 {old}, -1")):
                least, better, other = f.get(best), f.label(), f.label()
                f.branch(f.let(f"icmp eq i64 {least}, -1"), better, other)
                f.begin(other)
                less = self.module.lesser(_LIST)
                one, two = self._pool(f, pool), self._pool(f, least)
                # Only pools of pieces can be compared: the tickets in a pool have no final numbers yet.
                self._no_tickets(f, one)
                self._no_tickets(f, two)
                # Two pools with the same contents have no order by contents, and their tickets would have to decide.
                before = f.let(f"call i1 @{less}(ptr {one}, ptr {two})")
                behind = f.let(f"call i1 @{less}(ptr {two}, ptr {one})")
                apart = f.let(f"or i1 {f.let(f'or i1 {before}, {behind}')}, {f.let(f'icmp eq i64 {pool}, {least}')}")
                f.stop_if(f.let(f"xor i1 {apart}, true"), Limit.POOLS)
                stays = f.label()
                f.branch(before, better, stays)
                f.begin(better)
                f.put(best, pool)
                f.begin(stays)
        least = f.get(best)
        some = f.label()
        f.branch(f.let(f"icmp eq i64 {least}, -1"), leave, some)
        f.begin(some)
        self._give_name(f, least, named)

    def _no_tickets(self, f: Function, pool: str) -> None:
        """Stop if a pool contains tickets."""
        values = ValueEmitter(f, ConstantTable())
        size = values.size(pool)
        with f.when(f.let(f"icmp ne i64 {size}, 0")):
            last = values.load(values.at(pool, f.let(f"sub i64 {size}, 1"), _LIST), ENTRY)
            f.stop_if(f.let(f"icmp sge i64 {last}, {self.ticket}"), Limit.POOLS)

    def _reorder(self, f: Function, values: ValueEmitter, names: str, count: str) -> None:
        """Move pools to the places of their new numbers; pools without tickets are removed."""
        outer = f.get(f.context("top"), "ptr")
        # The new places overlap the old ones, so the pools are copied aside. The copy is dropped at the end.
        copy = values.new(str(POOLS * self.pool.bytes), ItemList(Number(0, 1)))
        first = self._pool(f, "0")
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {copy}, ptr {first}, i64 {POOLS * self.pool.bytes}, i1 false)")
        with f.counted("0", count) as number:
            old = f.let(f"getelementptr i8, ptr {copy}, i64 {f.let(f'mul i64 {number}, {self.pool.bytes}')}")
            new = f.let(f"load i64, ptr {f.let(f'getelementptr i64, ptr {names}, i64 {number}')}")
            with f.when(f.let(f"icmp ne i64 {new}, -1")):
                to = self._pool(f, new)
                f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {old}, i64 {self.pool.bytes}, i1 false)")
        f.put(f.context("top"), outer, "ptr")

    # ---- services

    @staticmethod
    def called(f: Function, text: str) -> None:
        """Emit a call of a function that returns only a status."""
        why = f.let(f"call i32 {text}")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)

    def shuffle(self, writer: FunctionEmitter, step: m.ShuffleZone, cell: c.Expr) -> None:
        element = step.zone.element
        if element.visibility == "hidden":
            place = Zones(writer, self.layout, step).address(element, writer.number(cell))
            self.called(writer.f, f"@shuffled(ptr %C, ptr %S, ptr {place})")

    def unseen(self, writer: ExpressionEmitter, cell: int, statement: m.Statement) -> str:
        """Emit the test whether an unseen piece is in the zone whose number a cell holds.

        For zones that are swapped, the number selects one of the two.
        """
        f, number = writer.f, self.module.decisions.load(writer, cell)
        zones = (statement.left, statement.right) if isinstance(statement, m.SwapPieces) else (statement.source,)  # type: ignore[attr-defined]
        is_unseen = f.slot("i1")
        f.put(is_unseen, "false", "i1")
        for zone in zones:
            element = zone.element
            if element.visibility == "hidden":
                inside = f.let(f"icmp ult i64 {f.let(f'sub i64 {number}, {element.offset}')}, {element.count}")
                with f.when(inside):
                    self._look(writer, element, number, is_unseen)
        return f.get(is_unseen, "i1")

    def _look(self, writer: ExpressionEmitter, element: m.Element, number: str, is_unseen: str) -> None:
        f = writer.f
        value, size = self._entries(writer, element, number)
        with f.counted("0", size) as at:
            entry = writer.load(writer.at(value, at, _LIST), ENTRY)
            with f.when(f.let(f"icmp sge i64 {entry}, {self.ticket}")):
                f.put(is_unseen, "true", "i1")

    def _entries(self, writer: ExpressionEmitter, element: m.Element, cell: str) -> tuple[str, str]:
        """Emit the contents of a hidden zone as a list, and their number."""
        zones = Zones(writer, self.layout, None)
        place = zones.address(element, cell)
        value = place if element.kind != "one" else zones.all(element, place)[0]
        return value, writer.size(value)

    def draw(self, step: m.DrawPieces) -> str:
        """Return the function that draws until a piece must be revealed, and returns how many are left then."""
        return self._shared(
            "draw", (step.source.element, step.target.element, step.bottom), lambda name: self._draw(name, step)
        )

    def _shared(self, kind: str, what: tuple[object, ...], write: Callable[[str], Function]) -> str:
        """Return a function that is shared by statements of one kind."""
        key = kind, *(id(each) if isinstance(each, m.Element) else each for each in what)
        if key not in self._names:
            name = self._names[key] = f"{kind}.{len(self._names)}"
            self.functions.append(write(name).text())
        return self._names[key]

    def _draw(self, name: str, step: m.DrawPieces) -> Function:
        f = Function(name, "ptr %C, ptr %S, i64 %one, i64 %two, i64 %left", "i64")
        writer = FunctionEmitter(f, self.module, infer.BLOCKS)
        zones = Zones(writer, self.layout, step)
        source, target = step.source.element, step.target.element
        left = f.slot("i64")
        f.do(f"store i64 %left, ptr {left}")
        head, turn, done = f.label(), f.label(), f.label()
        f.begin(head)
        f.branch(f.let(f"icmp sgt i64 {f.get(left)}, 0"), turn, done)
        f.begin(turn)
        place = zones.address(source, "%one")
        self._refill_if_empty(writer, step, source, place)
        pieces, shape = zones.all(source, place)
        size = writer.size(pieces)
        on = f.label()
        f.branch(f.let(f"icmp eq i64 {size}, 0"), done, on)
        f.begin(on)
        # The top of a pile is its last entry.
        last = f.let(f"sub i64 {size}, 1")
        assert shape.item is not None
        top = writer.load(writer.at(pieces, last, shape), shape.item)
        if source.kind == "bag":
            # Somebody sees the piece, so that drawing it is a chance event.
            if not (source.visibility == target.visibility == "hidden"):
                f.give(f.get(left))
                return self._draw_rest(f, writer, step, source, place, done)
            first = writer.load(writer.at(pieces, "0", shape), shape.item)
            known = f.let(f"icmp slt i64 {first}, {self.ticket}")
            # The bag is shuffled unless it holds tickets of one pool already: any of those is as good as another.
            with f.when(f.let(f"or i1 {known}, {f.let(f'icmp ne i64 {first}, {top}')}")):
                self.called(f, f"@shuffled(ptr %C, ptr %S, ptr {place})")
            top = writer.load(writer.at(place, last, _LIST), ENTRY)
        elif target.visibility != "hidden" and source.visibility == "hidden":
            with f.when(f.let(f"icmp sge i64 {top}, {self.ticket}")):
                f.give(f.get(left))
        single = zones.single(top)
        zones.take(source, place, single, _LIST)
        zones.add(target, zones.address(target, "%two"), single, _LIST, step.bottom)
        f.put(left, f.let(f"sub i64 {f.get(left)}, 1"))
        f.jump(head)
        return self._draw_rest(f, writer, step, source, place, done)

    def _draw_rest(
        self, f: Function, writer: FunctionEmitter, step: m.DrawPieces, source: m.Element, place: str, done: str
    ) -> Function:
        f.begin(done)
        place = Zones(writer, self.layout, step).address(source, "%one")
        self._refill_if_empty(writer, step, source, place)
        f.give("0")
        return f

    def _refill_if_empty(self, writer: FunctionEmitter, step: m.DrawPieces, element: m.Element, place: str) -> None:
        f, zones = writer.f, Zones(writer, self.layout, step)
        refills = [refill for refill in self.module.game.refills if refill.zone.element is element]
        if not refills or element.kind == "one":
            return
        with f.when(f.let(f"icmp eq i64 {writer.size(place)}, 0")):
            for refill in refills:
                source = constant_zone(refill.source)
                with f.when(f.let(f"icmp eq i64 %one, {constant_zone(refill.zone).cell}")):
                    other = zones.address(source.element, str(source.cell))
                    pieces, shape = zones.all(source.element, other)
                    # Each of them would have to be revealed first.
                    if element.visibility != "hidden" and source.element.visibility == "hidden":
                        raise NotCarried("unseen pieces that refill an open zone")
                    zones.clear(source.element, other)
                    zones.add(element, place, pieces, shape)
                    if element.visibility == "hidden":
                        self.called(f, f"@shuffled(ptr %C, ptr %S, ptr {place})")

    # ---- chance

    def drawn(self, number: int, wait: c.Hidden) -> str:
        """Print the list of entries of which one comes out, equally likely: pieces in order, repeated for copies."""
        f = Function(f"drawn{number}", "ptr %C, ptr %S", "ptr")
        writer = FunctionEmitter(f, self.module, infer.BLOCKS)
        name = self._shared("drawn", (wait.kind, wait.source), lambda name: self._drawn(name, wait))
        f.give(f.value_of(f"@{name}(ptr %C, ptr %S, i64 {self._draw_state(writer, wait)[0]})", "ptr"))
        return f.text()

    def _draw_state(self, writer: FunctionEmitter, wait: c.Hidden) -> list[str]:
        """Load what the draw keeps between events."""
        return [writer.load(writer.cell(cell, None, 1), self.layout.cells[cell].shape) for cell in wait.cells]

    def _drawn(self, name: str, wait: c.Hidden) -> Function:
        f = Function(name, "ptr %C, ptr %S, i64 %cell", "ptr")
        writer = FunctionEmitter(f, self.module, infer.BLOCKS)
        source = wait.source
        entries, size = self._source_entries(writer, wait)
        if wait.kind == "draw" and source.kind == "bag":
            first = writer.load(writer.at(entries, "0", _LIST), ENTRY)
            last = writer.load(writer.at(entries, f.let(f"sub i64 {size}, 1"), _LIST), ENTRY)
            # The bag is sorted and tickets are the largest entries: if the last is a piece, all are seen.
            known = f.let(f"icmp slt i64 {last}, {self.ticket}")
            with f.when(known):
                f.give(entries)
            f.stop_if(f.let(f"icmp ne i64 {first}, {last}"), Limit.POOLS)
            ticket = last
        else:
            ticket = self._ticket(writer, wait, entries, size)[1]
        f.stop_if(f.let(f"icmp slt i64 {ticket}, {self.ticket}"), Limit.POOLS)
        pool = self._pool(f, f.let(f"sub i64 {ticket}, {self.ticket}"))
        f.give(f.value_of(f"@opened(ptr %C, ptr %S, ptr {pool})", "ptr"))
        return f

    def _source_entries(self, writer: FunctionEmitter, wait: c.Hidden) -> tuple[str, str]:
        """Emit the entries of the zone from which a piece is revealed, as a list of hidden entries; it is not empty."""
        f = writer.f
        zones = Zones(writer, self.layout, wait.statement)
        pieces, shape = zones.all(wait.source, zones.address(wait.source, "%cell"))
        entries = writer.to(pieces, shape, _LIST)
        size = writer.size(entries)
        f.stop_if(f.let(f"icmp eq i64 {size}, 0"), Limit.POOLS)
        return entries, size

    def _ticket(self, writer: FunctionEmitter, wait: c.Hidden, entries: str, size: str) -> tuple[str, str]:
        """Emit the place of the ticket that comes out, and the ticket: the last entry, or the last unseen one."""
        f = writer.f
        place = f.slot("i64")
        f.put(place, f.let(f"sub i64 {size}, 1"))
        if wait.kind == "reveal":
            with f.counted("0", size) as at:
                entry = writer.load(writer.at(entries, at, _LIST), ENTRY)
                with f.when(f.let(f"icmp sge i64 {entry}, {self.ticket}")):
                    f.put(place, at)
        index = f.get(place)
        return index, writer.load(writer.at(entries, index, _LIST), ENTRY)

    def take(self, number: int, wait: c.Hidden) -> str:
        """Print the revelation of the piece `%id`."""
        f = Function(f"take{number}", "ptr %C, ptr %S, i64 %id", None)
        writer = FunctionEmitter(f, self.module, infer.BLOCKS)
        f.put(f.at("%S", MAY_REFUSE), 0, "i8")
        cells = self._draw_state(writer, wait)
        name = self._shared(
            "seen", (wait.kind, wait.source, wait.target, wait.bottom), lambda name: self._seen(name, wait)
        )
        self.called(f, f"@{name}(ptr %C, ptr %S, i64 {cells[0]}, i64 {cells[1]}, i64 %id)")
        if wait.kind == "draw":
            less, shape = f.let(f"sub i64 {cells[2]}, 1"), self.layout.cells[wait.cells[2]].shape
            writer.store(writer.cell(wait.cells[2], None, 1), less, shape, shape)
        self.module.changed(f)
        self.module.go_on(f, wait.then)
        return f.text()

    def _seen(self, name: str, wait: c.Hidden) -> Function:
        f = Function(name, "ptr %C, ptr %S, i64 %cell, i64 %target, i64 %id", None)
        writer = FunctionEmitter(f, self.module, infer.BLOCKS)
        f.put(f.at("%S", self.layout.moved), 1, "i8")
        zones = Zones(writer, self.layout, wait.statement)
        entries, size = self._source_entries(writer, wait)
        at, ticket = self._ticket(writer, wait, entries, size)
        unseen = f.let(f"icmp sge i64 {ticket}, {self.ticket}")
        with f.when(unseen):
            self.called(f, f"@settled(ptr %C, ptr %S, i64 {ticket}, i64 %id)")
        source = zones.address(wait.source, "%cell")
        if wait.kind == "draw":
            # The zone loses the ticket, and the other one gains the piece that it turned out to be.
            left = f.let(f"select i1 {unseen}, i64 {ticket}, i64 %id")
            zones.take(wait.source, source, zones.single(left), _LIST)
            zones.add(wait.target, zones.address(wait.target, "%target"), zones.single("%id"), _LIST, wait.bottom)
        elif wait.source.kind == "one":
            # The piece stays where it is, and is known from now on; the statement moves it.
            writer.store(source, "%id", ENTRY, ENTRY)
        else:
            writer.store(writer.at(source, at, _LIST), "%id", ENTRY, ENTRY)
            if wait.source.kind == "bag":
                f.do(f"call void @{self.module.sorter(_LIST)}(ptr {source})")
        f.give("0")
        return f


def distinct(values: ValueEmitter, listed: str, shape: ItemList) -> str:
    """Emit a sorted list without duplicates."""
    f = values.f
    slot, before = f.slot("ptr"), f.slot("i64")
    f.do(f"store ptr {values.new(values.size(listed), shape)}, ptr {slot}")
    # No piece is none, so that the first one differs from it.
    f.put(before, NONE)
    assert shape.item is not None
    with f.counted("0", values.size(listed)) as at:
        item = values.load(values.at(listed, at, shape), shape.item)
        with f.when(f.let(f"icmp ne i64 {item}, {f.get(before)}")):
            f.do(f"store i64 {item}, ptr {before}")
            values.append(slot, item, shape, shape.item)
    return f.let(f"load ptr, ptr {slot}")


def counted_entries(values: ValueEmitter, listed: str, shape: ItemList, out: str) -> None:
    """Emit the number of each distinct item of a sorted list, stored in an array."""
    f = values.f
    assert shape.item is not None
    place, before = f.slot("i64"), f.slot("i64")
    f.put(place, -1)
    f.put(before, NONE)
    with f.counted("0", values.size(listed)) as at:
        item = values.load(values.at(listed, at, shape), shape.item)
        with f.when(f.let(f"icmp ne i64 {item}, {f.get(before)}")):
            f.put(before, item)
            f.put(place, f.let(f"add i64 {f.get(place)}, 1"))
            f.put(f.at(out, f.get(place), "i64"), 0)
        many = f.at(out, f.get(place), "i64")
        f.put(many, f.let(f"add i64 {f.get(many)}, 1"))


def chosen(values: ValueEmitter, listed: str, shape: ItemList) -> str:
    """Emit a random item of a sorted list, by one draw below the common denominator of the probabilities."""
    f = values.f
    assert shape.item is not None
    size = values.size(listed)
    f.stop_if(f.let(f"icmp eq i64 {size}, 0"), Limit.POOLS)
    common, before = f.slot("i64"), f.slot("i64")
    f.do(f"store i64 {size}, ptr {common}")
    f.put(before, NONE)
    # The greatest common divisor of the size and of the places at which runs of equal items begin divides the length of
    # each run. So the weights are in lowest terms, as in `engine/chances.py`, and both draw below the same number.
    with f.counted("0", size) as at:
        item = values.load(values.at(listed, at, shape), shape.item)
        with f.when(f.let(f"icmp ne i64 {item}, {f.get(before)}")):
            both = f.let(f"call i64 @gcd(i64 {f.get(common)}, i64 {at})")
            f.do(f"store i64 {both}, ptr {common}")
            f.do(f"store i64 {item}, ptr {before}")
    shared = f.get(common)
    drawn = f.let(f"call i64 @below(ptr {f.context('random')}, i64 {f.let(f'udiv i64 {size}, {shared}')})")
    return values.load(values.at(listed, f.let(f"mul i64 {drawn}, {shared}"), shape), shape.item)
