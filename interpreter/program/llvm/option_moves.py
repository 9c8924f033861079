"""Native code for the moves of one option of a decision: their list, their arguments, and trials of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ludex.spec import types as t

from ..ir import code as c
from . import infer
from .builder import CONTEXT, FAULT, NONE, REFUSED, Function, Limit
from .expressions import ExpressionEmitter
from .shapes import MAY_REFUSE, STAMP, TRIAL_AT, ArgumentRow, ItemList, NotCarried, Number, Shape
from .statements import FunctionEmitter

if TYPE_CHECKING:
    from .module import Module

STATE = "ptr %C, ptr %S"
WORD_SHAPE = Number(0, 0)
TRIALS = 32
"""The number of memoized trials of an option, a power of two: the last bits of a move number choose the entry."""


class OptionMoves:
    """Prints the functions that list, number and try the moves of an option."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout, self.numbers, self.game = module, module.layout, module.numbers, module.game
        # A simultaneous choice is numbered by its player and its move, in one word.
        if self.numbers.size * self.game.players >= 2**61:
            raise NotCarried("so many moves")
        for wait in module.program.waits:
            if isinstance(wait, c.Together):
                self._check([option.name for option in wait.options])

    def _check(self, names: Sequence[str]) -> None:
        if len(names) != len(set(names)):
            raise NotCarried("two options of one name where players choose at the same time")
        if any(name not in self.numbers.by_name for name in names):
            raise NotCarried("moves that have no number where players choose at the same time")

    def _writer(self, name: str, more: str, returned: str | None) -> FunctionEmitter:
        return FunctionEmitter(Function(name, f"{STATE}{more}", returned), self.module, infer.BLOCKS)

    def _has_numbers(self, option: c.Option) -> bool:
        """Return whether the option's moves have numbers of their own. Otherwise they are rows, numbered in list
        order."""
        return option.name in self.numbers.by_name

    def _by_option(
        self,
        writer: FunctionEmitter,
        wait: c.Decision | c.Together,
        move: str,
        then: Callable[[c.Option, int, str], None],
    ) -> None:
        """Emit code for each option, inside the test that the move belongs to it.

        `then` receives the move: a number, or the address of the row with its argument values.
        """
        f = writer.f
        for at, option in enumerate(wait.options):
            if self._has_numbers(option):
                numbered = self.numbers.by_name[option.name]
                inside = f.let(f"icmp ult i64 {f.let(f'sub i64 {move}, {numbered.first}')}, {numbered.size}")
                with f.when(inside):
                    then(option, at, move)
                continue
            # Rows are numbered after all other moves, by turns of the options, so a number shows its option.
            many, rest = len(wait.options), f.let(f"sub i64 {move}, {self.numbers.size}")
            is_option = f.let(f"icmp eq i64 {f.let(f'urem i64 {rest}, {many}')}, {at}")
            with f.when(f.let(f"and i1 {is_option}, {f.let(f'icmp sge i64 {rest}, 0')}")):
                assert isinstance(wait, c.Decision)
                rows, shape = self._rows(writer, option, writer.number(wait.me))
                place = f.let(f"udiv i64 {rest}, {many}")
                with f.when(f.let(f"icmp ult i64 {place}, {writer.size(rows)}")):
                    then(option, at, writer.at(rows, place, shape))

    def _rows(self, writer: FunctionEmitter, option: c.Option, me: str) -> tuple[str, ItemList]:
        """Emit the list of an option's moves without numbers, in order; return it with its shape."""
        shape = self.module.shapes.returns[option.lists]
        assert isinstance(shape, ItemList)
        return self.unit(writer.f, option.lists, me), shape

    def _bind(self, writer: FunctionEmitter, option: c.Option, move: str) -> None:
        """Store a move's argument values in their cells."""
        for value, given, argument in self._values(writer, option, move):
            if argument.cell is not None:
                shape = self.layout.cells[argument.cell].shape
                writer.store(writer.cell(argument.cell, None, 1), writer.to(value, given, shape), shape, None)
        self.module.changed(writer.f)

    def _values(
        self, writer: FunctionEmitter, option: c.Option, move: str
    ) -> list[tuple[str, Shape | None, c.Argument]]:
        """Return a move's argument values, their shapes, and the arguments that they belong to."""
        f = writer.f
        if not self._has_numbers(option):
            shape = self.module.shapes.returns[option.lists]
            if not isinstance(shape, ItemList) or not isinstance(shape.item, ArgumentRow):
                return []  # such a row does not exist
            return [
                (*value, argument)
                for value, argument in zip(writer.parts_of(move, shape.item), option.arguments, strict=True)
            ]
        numbered = self.numbers.by_name[option.name]
        rest, values = f.let(f"sub i64 {move}, {numbered.first}"), list[tuple[str, Shape | None, c.Argument]]()
        # The last argument varies fastest (`ir/moves.py`), so that it is the first remainder.
        for argument, radix in reversed(list(zip(option.arguments, numbered.radices, strict=True))):
            at = f.let(f"urem i64 {rest}, {radix}")
            rest = f.let(f"udiv i64 {rest}, {radix}")
            values.append((_value_at(f, at, argument.type), WORD_SHAPE, argument))
        return values[::-1]

    def store(self, writer: ExpressionEmitter, cell: int, value: str) -> None:
        """Store a number in a cell."""
        shape = self.layout.cells[cell].shape
        writer.store(writer.cell(cell, None, 1), writer.to(value, WORD_SHAPE, shape), shape, None)

    def load(self, writer: ExpressionEmitter, cell: int) -> str:
        """Load the number in a cell."""
        shape = self.layout.cells[cell].shape
        return writer.to(writer.load(writer.cell(cell, None, 1), shape), shape, WORD_SHAPE)

    def _trial(self, number: int, at: int, option: c.Option) -> str:
        """Print the trial: whether nothing refuses the move before the next event."""
        trial = self._writer(f"tried{number}_{at}", ", i64 %id, ptr %row", None)
        set_flag(trial.f, MAY_REFUSE, 1)
        set_flag(trial.f, TRIAL_AT, 1)
        self._bind(trial, option, "%id" if self._has_numbers(option) else "%row")
        trial.f.end(f"ret i32 {trial.f.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
        f = Function(f"trial{number}_{at}", f"{STATE}, i64 %id, ptr %row", "i1")
        known = self._known_trial(f)
        outer = f.get(f.context("top"), "ptr")
        why = f.let(f"call i32 @tried{number}_{at}(ptr %C, ptr {self._copy(f)}, i64 %id, ptr %row)")
        # The copy of the state is needed no more: its memory is free again.
        f.put(f.context("top"), outer, "ptr")
        legal = is_passed(f, why)
        other = f.let(f"icmp ne i32 {why}, {REFUSED}")
        # As bits, `a > b` says: a and not b. A trial that neither ends well nor is refused has no answer.
        f.stop_if(f.let(f"icmp ugt i1 {other}, {legal}"), why)
        f.put(known, f.get(f.at("%S", STAMP)))
        f.put(f.at(known, 8), "%id")
        f.put(f.at(known, 16), legal, "i1")
        f.give(legal)
        return trial.f.text() + f.text()

    def _known_trial(self, f: Function) -> str:
        """Return the memoized result of a trial in the same state, and otherwise give the address of its memo entry.

        Whether a decision has a legal move is tested before its moves are listed, so that trials would be repeated.
        """
        # The memo is a direct-mapped cache: moves with the same last bits share an entry, and the later one displaces
        # the other.
        entry = f.let(f"and i64 %id, {TRIALS - 1}")
        first = CONTEXT["memo"] + self.module.memo.reserve(TRIALS * 24)
        known = f.at("%C", f.let(f"add i64 {f.let(f'mul i64 {entry}, 24')}, {first}"))
        now = f.let(f"icmp eq i64 {f.get(known)}, {f.get(f.at('%S', STAMP))}")
        same = f.let(f"icmp eq i64 {f.get(f.at(known, 8))}, %id")
        with f.when(f.let(f"and i1 {now}, {same}")):
            f.give(f.get(f.at(known, 16), "i1"))
        return known

    def _copy(self, f: Function, state: str = "%S") -> str:
        """Emit a copy of a state in temporary memory."""
        made = f.let(f"call ptr @new(ptr %C, i64 {self.layout.size}, i64 1)")
        f.stop_if(f.let(f"icmp eq ptr {made}, null"), Limit.MEMORY)
        f.let(f"call i32 @copied(ptr %C, ptr {made}, ptr {state})")
        return made

    def unit(self, f: Function, number: int, me: str, state: str = "%S") -> str:
        """Emit a call of a unit of one player."""
        unit = self.module.program.units[number]
        kind = self.module.parameter(number, unit.parameters[0])
        return f.value_of(f"@u{number}(ptr %C, ptr {state}, {kind.llvm} {me})", self.module.returned_kind(number))

    def _listed(self, writer: FunctionEmitter, number: int, at: int, option: c.Option, me: str, shape: ItemList) -> str:
        """Emit the list of an option's legal moves."""
        if self._has_numbers(option) and not option.refusable:
            return writer.to(self.unit(writer.f, option.lists, me), self.module.shapes.returns[option.lists], shape)
        f, slot = writer.f, writer.f.slot("ptr")
        f.put(slot, writer.new("16", shape), "ptr")

        def append(move: str, id_: str) -> None:
            given = self.module.shapes.returns[option.lists]
            stored = given.item if self._has_numbers(option) and isinstance(given, ItemList) else None
            writer.append(slot, id_, shape, stored)

        self._each_move(writer, number, (at, option), me, append)
        return f.get(slot, "ptr")

    def _each_move(
        self,
        writer: FunctionEmitter,
        number: int,
        where: tuple[int, c.Option],
        me: str,
        then: Callable[[str, str], None],
    ) -> None:
        """Emit code for each of an option's moves that nothing refuses.

        `then` receives the move, as a number or a row, and its number.
        """
        self._each_of(writer, number, where, self._rows(writer, where[1], me), then)

    def _each_of(
        self,
        writer: FunctionEmitter,
        number: int,
        where: tuple[int, c.Option],
        listed: tuple[str, ItemList],
        then: Callable[[str, str], None],
    ) -> str:
        """Emit code for each of the listed moves of an option that nothing refuses; return how many are listed."""
        f, (at, option), (rows, shape) = writer.f, where, listed
        if shape.item is None:
            return "0"
        if option.lists in self.module.memo.slots:  # a trial may call the same unit in another state
            rows = writer.copied(rows, shape)
        wait = self.module.program.waits[number]
        assert isinstance(wait, c.Decision | c.Together)
        with f.counted("0", writer.size(rows)) as place:
            move, id_ = self._numbered(writer, where, len(wait.options), writer.at(rows, place, shape), place)
            if option.refusable:
                with f.when(f.value_of(self._trial_of(number, at, option, move, id_), "i1")):
                    then(move, id_)
            else:
                then(move, id_)
        return writer.size(rows)

    def _numbered(
        self, writer: FunctionEmitter, where: tuple[int, c.Option], many: int, address: str, place: str
    ) -> tuple[str, str]:
        """Return a listed move, as a number or a row, and its number. many: the number of options."""
        f, (at, option) = writer.f, where
        if not self._has_numbers(option):
            return address, f.let(f"add i64 {f.let(f'mul i64 {place}, {many}')}, {self.numbers.size + at}")
        shape = self.module.shapes.returns[option.lists]
        assert isinstance(shape, ItemList)
        assert isinstance(shape.item, Number)
        move = writer.load(address, shape.item)
        return move, move

    def _trial_of(self, number: int, at: int, option: c.Option, move: str, id_: str) -> str:
        """Return the call that tries a move."""
        row = "null" if self._has_numbers(option) else move
        return f"@trial{number}_{at}({STATE}, i64 {id_}, ptr {row})"

    def _repeats(self, options: Sequence[c.Option]) -> bool:
        """Return whether two options may have a move in common. Rows differ if one of their parts always does."""
        has_numbered = False
        for one, two in combinations(options, 2):
            if one.name == two.name and self._has_numbers(one):
                # Equal numbers are found when the list is made; of rows it has to be known before.
                has_numbered = True
            elif one.name == two.name:
                shapes = [self.module.shapes.returns[each.lists] for each in (one, two)]
                parts = [
                    each.item.parts if isinstance(each, ItemList) and isinstance(each.item, ArgumentRow) else ()
                    for each in shapes
                ]
                if not any(map(_are_apart, *parts)) and all(parts):
                    raise NotCarried("two options that may state the same move without a number")
        return has_numbered

    def _listing(self, option: c.Option) -> tuple[c.Var, ItemList, ItemList] | None:
        """Return the variable in which the unit of an option's moves lists them, if that may fail on the way; with the
        shape of the result, and that of the variable.
        """
        match self.module.program.units[option.lists].body, self.module.shapes.returns[option.lists]:
            case (*_, c.Return(value=c.Var() as listed)), ItemList() as shape if option.lists in self.module.stopping:
                kind = self.module.shapes.vars[option.lists].get(listed.number)
                if isinstance(kind, ItemList) and shape.item is not None and kind.item is not None:
                    return listed, shape, kind
        return None

    def _first(self, number: int, at: int, option: c.Option) -> Iterator[str]:
        """Print the search for a legal move of an option among those before the first that has no value.

        The result is -1 if there is one, and otherwise the number of moves that were tried.
        """
        listing = self._listing(option)
        if listing is None:
            return
        (listed, shape, kind), unit = listing, self.module.program.units[option.lists]
        f = Function(f"first{number}_{at}", f"{STATE}, i64 %me", "i64")
        wait, size = self.module.program.waits[number], f.slot("i64")
        assert isinstance(wait, c.Decision)

        def attempt(slot: str) -> None:
            # What stops the trial is not a fault of the listing, whose attempts would catch it.
            with f.uncaught():
                rows, place = writer.to(f.get(slot, "ptr"), kind, shape), f.get(size)
                at_place = writer.at(rows, place, shape)
                move, id_ = self._numbered(writer, (at, option), len(wait.options), at_place, place)
                with f.when(f.value_of(self._trial_of(number, at, option, move, id_), "i1")):
                    f.give("-1")
                f.put(size, f.let(f"add i64 {place}, 1"))

        on_return = lambda: f.give(f.get(size))  # noqa: E731
        writer = FunctionEmitter(f, self.module, option.lists, on_item=(listed, attempt), on_return=on_return)
        writer.keep(unit.parameters[0].number, "%me")
        f.put(size, "0", "i64")
        writer.body(unit.body)
        yield f.text()

    def _tries(self, writer: FunctionEmitter, number: int, at: int, option: c.Option, leading: str) -> None:
        """Emit trials of the moves, one after another, until one is legal. If there is no list, as a move after the
        first ones has no value, each is tried as soon as it is found.
        """
        f, one_by_one, on = writer.f, writer.f.label(), writer.f.label()
        # Only a listing that may fail half-way is run again, so the others have no second function.
        fails = self._listing(option) is not None
        with f.catching(one_by_one, *((FAULT,) if fails else ())):
            rows = self._rows(writer, option, "%me")
        size = self._each_of(writer, number, (at, option), rows, lambda move, id_: f.give("true"))
        f.put(leading, f.let(f"or i1 {f.get(leading, 'i1')}, {f.let(f'icmp ne i64 {size}, 0')}"), "i1")
        if fails:
            f.jump(on)
            f.begin(one_by_one)
            found = f.value_of(f"@first{number}_{at}({STATE}, i64 %me)", "i64")
            with f.when(f.let(f"icmp slt i64 {found}, 0")):
                f.give("true")
            f.put(leading, f.let(f"or i1 {f.get(leading, 'i1')}, {f.let(f'icmp ne i64 {found}, 0')}"), "i1")
            f.begin(on)


def _are_apart(one: Shape | None, two: Shape | None) -> bool:
    """Return whether no value has both shapes."""
    if isinstance(one, Number) and isinstance(two, Number) and not (one.optional and two.optional):
        return one.high < two.low or two.high < one.low
    return False


def _value_at(f: Function, at: str, of: t.Type) -> str:
    """Emit the value at a position among a type's values."""
    match of:
        case t.Range(low=low):
            return f.let(f"add i64 {at}, {low}")
        case t.Optional(of=inner):
            none = f.let(f"icmp eq i64 {at}, 0")
            inside = _value_at(f, f.let(f"sub i64 {at}, 1"), inner)
            return f.let(f"select i1 {none}, i64 {NONE}, i64 {inside}")
    return at


def is_passed(f: Function, why: str) -> str:
    """Test whether a trial passed: it did, or it ended in a fault, which is reported when the move is played."""
    return f.let(f"or i1 {f.let(f'icmp eq i32 {why}, 0')}, {f.let(f'icmp eq i32 {why}, {FAULT}')}")


def set_flag(f: Function, at: int, value: int, state: str = "%S") -> None:
    """Set a flag of a state."""
    f.put(f.at(state, at), value, "i8")


def marked(f: Function, at: int) -> str:
    """Load a flag of a state."""
    return f.let(f"icmp ne i8 {f.get(f.at('%S', at), 'i8')}, 0")
