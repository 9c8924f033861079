"""Native code for waits: which moves are legal, what they do, and whether there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ludex.spec import actions_asking_themselves
from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealed
from ..ir import code as c
from . import infer
from .builder import CONTEXT, FAULT, LAST, NONE, REFUSED, Function, Limit
from .collection_values import once
from .expressions import ExpressionEmitter
from .hidden import distinct
from .predicates import has_number
from .shapes import (
    IDS,
    MAY_REFUSE,
    PROBE,
    PUBLIC,
    STAMP,
    TRIAL,
    VEILS,
    ArgumentRow,
    ItemList,
    Mask,
    NotCarried,
    Number,
    Shape,
    join,
    known,
)
from .statements import FunctionEmitter
from .values import ValueEmitter
from .zones import Zones

if TYPE_CHECKING:
    from .module import Module

STATE = "ptr %C, ptr %S"
WORD = Number(0, 0)
TRIALS = 32
"""The number of moves of an option whose trials are memoized."""


class Decisions:
    """Prints the functions of all waits of a program: `moves`, `take`, `offers`, each with the number of its wait."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout, self.numbers, self.game = module, module.layout, module.numbers, module.game
        self._asking_themselves = actions_asking_themselves(module.game)
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

    def functions(self) -> Iterator[str]:
        for number, wait in enumerate(self.module.program.waits):
            if wait is not None:
                yield self._judged(number, wait)
            match wait:
                case c.Decision():
                    yield self._take(number, wait)
                    for at, option in enumerate(wait.options):
                        if option.refusable:
                            yield self._trial(number, at, option)
                            yield from self._first(number, at, option)
                    yield self._moves(number, wait)
                    yield self._instance(number, wait)
                    yield from self._public(number, wait)
                    yield self._offers(number, wait)
                case c.Together():
                    yield self._instance(number, wait)
                    yield from self._public(number, wait)
                    yield self._offers(number, wait)
                    yield self._together(number, wait)
                    yield self._moves_together(number, wait)
                    yield self._take_together(number, wait)
                    yield self._stated(number, wait)
                case c.Chance():
                    yield self._take_chance(number, wait)
                    yield self._outcomes(number, wait)
                case c.Hidden():
                    yield self.module.hidden.drawn(number, wait)
                    yield self.module.hidden.take(number, wait)
                    yield self._pieces(number)
        if self.layout.copies_public:
            yield self._veil()
        for at, query in enumerate(self.module.program.action_tests):
            yield self._can(at, query)
            if query.action in self._asking_themselves:
                yield self._is_asking(at, query)
            if query.choices:
                yield self._finds(at, query)
        if self.module.program.action_tests:
            yield self._has_any()

    def _writer(self, name: str, more: str, returned: str | None) -> FunctionEmitter:
        return FunctionEmitter(Function(name, f"{STATE}{more}", returned), self.module, infer.BLOCKS)

    # ---- carrying a move out

    def _take(self, number: int, wait: c.Decision) -> str:
        """Print the function that carries out the legal move with this number."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        mark(f, MAY_REFUSE, 1)
        with f.when(f.let("icmp eq i64 %id, 0")):
            self.module.go_on(f, wait.then)

        def taken(option: c.Option, at: int, move: str) -> None:
            self._bind(writer, option, move)
            self.module.go_on(f, option.entry)

        def allowed(option: c.Option, at: int, move: str) -> None:
            """Take the first of several options of one name that allows the move."""
            if all(other.name != option.name for other in wait.options[at + 1 :]) or not self._has_numbers(option):
                taken(option, at, move)
                return
            with f.when(self._admits(writer, number, (at, option), writer.number(wait.me), move)):
                taken(option, at, move)

        self._by_option(writer, wait, "%id", allowed)
        f.stop(Limit.EVENT)
        return f.text()

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
            # Rows are numbered after all other moves, the options in turn, so that a number says which option it is
            # of.
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
            values.append((_value_at(f, at, argument.type), WORD, argument))
        return values[::-1]

    def store(self, writer: ExpressionEmitter, cell: int, value: str) -> None:
        """Store a number in a cell."""
        shape = self.layout.cells[cell].shape
        writer.store(writer.cell(cell, None, 1), writer.to(value, WORD, shape), shape, None)

    def load(self, writer: ExpressionEmitter, cell: int) -> str:
        """Load the number in a cell."""
        shape = self.layout.cells[cell].shape
        return writer.to(writer.load(writer.cell(cell, None, 1), shape), shape, WORD)

    def _trial(self, number: int, at: int, option: c.Option) -> str:
        """Print the trial: whether nothing refuses the move before the next event."""
        trial = self._writer(f"tried{number}_{at}", ", i64 %id, ptr %row", None)
        mark(trial.f, MAY_REFUSE, 1)
        mark(trial.f, TRIAL, 1)
        self._bind(trial, option, "%id" if self._has_numbers(option) else "%row")
        trial.f.end(f"ret i32 {trial.f.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
        f = Function(f"trial{number}_{at}", f"{STATE}, i64 %id, ptr %row", "i1")
        known = self._known_trial(f)
        outer = f.get("%C.top", "ptr")
        why = f.let(f"call i32 @tried{number}_{at}(ptr %C, ptr {self._copy(f)}, i64 %id, ptr %row)")
        # The copy of the state is needed no more: its memory is free again.
        f.put("%C.top", outer, "ptr")
        legal = _is_passed(f, why)
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
        f.do(f"call i32 @copied(ptr %C, ptr {made}, ptr {state})")
        return made

    # ---- the legal moves

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

    def _moves(self, number: int, wait: c.Decision) -> str:
        """Print the list of the numbers of all legal moves, in order."""
        writer = self._writer(f"moves{number}", "", "ptr")
        f, shape = writer.f, self.moves_shape(number, wait)
        me = writer.number(wait.me)
        first, *others = (self._listed(writer, number, at, option, me, shape) for at, option in enumerate(wait.options))
        whole = first
        for more in others:
            whole = writer.chained(whole, more, shape)
        if self._repeats(wait.options):
            whole = once(writer, whole, shape, shape)
        declines = self._declines(number, wait)
        if declines != "never":
            slot = f.slot("ptr")
            f.put(slot, writer.copied(whole, shape), "ptr")
            none = f.let(f"icmp eq i64 {writer.size(whole)}, 0")
            with f.when("true" if declines == "always" else none):
                writer.append(slot, "0", shape, Number(0, 0))
            whole = f.get(slot, "ptr")
        f.give(whole)
        return f.text()

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

    def _declines(self, number: int, wait: c.Decision | c.Together) -> str:
        """Return the condition under which a player may decline."""
        if isinstance(wait, c.Decision) and wait.optional:
            return "always"
        return "never" if self.layout.concealed(wait) is Concealed.NOTHING else "where there is no move"

    def moves_shape(self, number: int, wait: c.Waiting) -> ItemList:
        """Return the shape of the list of possible events."""
        shape: Shape | None
        match wait:
            case c.Decision():
                shape = None if self._declines(number, wait) == "never" else ItemList(Number(0, 0))
                if not all(map(self._has_numbers, wait.options)):
                    return IDS
                for option in wait.options:
                    shape = join(shape, self.module.shapes.returns[option.lists])
            case c.Together():
                return IDS
            case c.Chance():
                shape = self.module.shapes.returns[wait.lists]
            case c.Hidden():
                return self.module.hidden.entries
        if not isinstance(shape, ItemList):
            raise NotCarried("chance over a mask")
        return shape if isinstance(shape.item, Number) else IDS

    # ---- whether a move is legal

    def _judged(self, number: int, wait: c.Waiting) -> str:
        """Print the legality test of one event, without a list of the others."""
        writer = self._writer(f"legal{number}", ", i64 %id", "i1")
        f = writer.f
        match wait:
            case c.Decision():
                self._admitted(writer, number, wait, writer.number(wait.me), "%id")
            case c.Together():
                move, size = f.let(f"urem i64 %id, {self.numbers.size}"), self.numbers.size
                for seat in range(self.game.players):
                    with f.when(f.let(f"icmp ult i64 {f.let(f'sub i64 %id, {seat * size}')}, {size}")):
                        with f.when(f.let(f"xor i1 {self._waits(writer, number, wait, seat)}, true")):
                            f.give("false")
                        self._admitted(writer, number, wait, str(seat), move)
                f.give("false")
            case _:
                listed = f.value_of(f"@moves{number}({STATE})", "ptr")
                f.give(has_number(writer, listed, self.moves_shape(number, wait), "%id"))
        return f.text()

    def _admitted(
        self, writer: FunctionEmitter, number: int, wait: c.Decision | c.Together, me: str, move: str
    ) -> None:
        """Emit the test whether a move is legal for a player."""
        f, declines = writer.f, self._declines(number, wait)
        with f.when(f.let(f"icmp eq i64 {move}, 0")):
            if declines == "where there is no move":
                has_move = f.value_of(f"@instance{number}({STATE}, i64 {me})", "i1")
                f.give(f.let(f"xor i1 {has_move}, true"))
            f.give("true" if declines == "always" else "false")

        def judged(option: c.Option, at: int, move_: str) -> None:
            if self._has_numbers(option):
                with f.when(self._admits(writer, number, (at, option), me, move)):
                    f.give("true")
            elif option.refusable:
                f.give(f.value_of(self._trial_of(number, at, option, move_, move), "i1"))
            else:
                f.give("true")

        self._by_option(writer, wait, move, judged)
        f.give("false")

    def _admits(self, writer: FunctionEmitter, number: int, where: tuple[int, c.Option], me: str, move: str) -> str:
        """Emit the test whether an option allows the move with this number."""
        f, (at, option) = writer.f, where
        values = [(me, WORD), *((value, shape) for value, shape, _ in self._values(writer, option, move))]
        given = "ptr %C, ptr %S"
        for var, (value, shape) in zip(self.module.program.units[option.admits].parameters, values, strict=True):
            kind = self.module.parameter(option.admits, var)
            given += f", {kind.llvm} {writer.to(value, shape, kind)}"
        admitted = f.value_of(f"@u{option.admits}({given})", self.module.returned_kind(option.admits))
        if not option.refusable:
            return admitted
        allowed = f.slot("i1")
        f.put(allowed, "false", "i1")
        with f.when(admitted):
            f.put(allowed, f.value_of(self._trial_of(number, at, option, move, move), "i1"), "i1")
        return f.get(allowed, "i1")

    # ---- whether there is one

    def _offers(self, number: int, wait: c.Decision | c.Together) -> str:
        """Print the test whether the decision has something to choose, as far as the public state tells."""
        writer = self._writer(f"offers{number}", ", i64 %me", "i1")
        f, concealed = writer.f, self.layout.concealed(wait)
        # `can` searches the next decision itself, even one without options.
        with f.when(marked(f, PROBE)):
            f.give("true")
        # The rules may name no player who decides.
        with f.when(f.let(f"icmp eq i64 %me, {NONE}")):
            f.put("%C.site", self.module.site(c.Fail("nobody", wait.statement.path, wait.statement.span)))
            f.stop(FAULT)
        answer = "true"
        if concealed is Concealed.NOTHING:
            answer = f.value_of(f"@instance{number}({STATE}, i64 %me)", "i1")
        elif concealed is Concealed.CELLS:
            answer = f.slot("i1")
            f.put(answer, "false", "i1")
            # In the public state only what everybody sees counts.
            with f.when(f.let(f"xor i1 {marked(f, PUBLIC)}, true")):
                f.put(answer, f.value_of(f"@instance{number}({STATE}, i64 %me)", "i1"), "i1")
            with f.when(f.let(f"xor i1 {f.get(answer, 'i1')}, true")):
                f.put(answer, f.value_of(f"@seen{number}({STATE}, i64 %me)", "i1"), "i1")
            answer = f.get(answer, "i1")
        f.give(answer)
        return f.text()

    def _public(self, number: int, wait: c.Decision | c.Together) -> Iterator[str]:
        """Print the test whether an option may have an instance, as far as the public state tells."""
        if self.layout.concealed(wait) is not Concealed.CELLS:
            return
        f = Function(f"seen{number}", f"{STATE}, i64 %me", "i1")
        for at, option in enumerate(wait.options):
            is_tried = self.layout.is_tried(wait, option)
            if is_tried:
                yield self._try(number, at, option)
            state = self._public_copy(f) if self.layout.needs_copy(wait, option) else "%S"
            assert option.seen is not None
            found = self._asked(f, option.seen, state)
            if is_tried:
                self._tries_as_seen(f, number, at, option, found, state)
            else:
                with f.when(found):
                    f.give("true")
        f.give("false")
        yield f.text()

    def _public_copy(self, f: Function) -> str:
        """Emit a copy of the public state, unless the state is one."""
        state = f.slot("ptr")
        f.put(state, "%S", "ptr")
        with f.when(f.let(f"xor i1 {marked(f, PUBLIC)}, true")):
            copy = self._copy(f)
            f.put(state, copy, "ptr")
            self.module.hidden.called(f, f"@veil(ptr %C, ptr {copy})")
            self.module.changed(f, copy)
        return f.get(state, "ptr")

    def _asked(self, f: Function, unit: int, state: str) -> str:
        """Emit a call of a unit for the public state: it is true if there is no value."""
        parameter, kind = self.module.parameter(unit, self.module.program.units[unit].parameters[0]), self.module
        returned = kind.returned_kind(unit)
        both = f.let(f"call {{ {returned}, i32 }} @u{unit}(ptr %C, ptr {state}, {parameter.llvm} %me)")
        why = f.let(f"extractvalue {{ {returned}, i32 }} {both}, 1")
        self._answered(f, why)
        return f.let(f"extractvalue {{ {returned}, i32 }} {both}, 0")

    def _answered(self, f: Function, why: str) -> None:
        """Return that there may be an instance where evaluation ended without an answer; a limit stops the play."""
        f.stop_if(f.let(f"icmp sle i32 {why}, {LAST}"), why)
        with f.when(f.let(f"icmp ne i32 {why}, 0")):
            f.give("true")

    def _tries_as_seen(self, f: Function, number: int, at: int, option: c.Option, rows: str, public: str) -> None:
        """Emit trials of what may be instances in a copy of the public state."""
        assert option.seen is not None
        shape, values = self.module.shapes.returns[option.seen], ValueEmitter(f, self.module.constants)
        assert isinstance(shape, ItemList)
        if shape.item is None:
            return
        # Inside a trial the leading requirements are enough.
        some = f.let(f"icmp ne i64 {values.size(rows)}, 0")
        with f.when(f.let(f"and i1 {some}, {marked(f, TRIAL)}")):
            f.give("true")
        with f.counted("0", values.size(rows)) as place:
            f.do(f"%row{at} = getelementptr i8, ptr {values.at(rows, place, shape)}, i64 0")
            top = f.get("%C.top", "ptr")
            why = f.let(f"call i32 @seen{number}_{at}(ptr %C, ptr {self._copy(f, public)}, ptr %row{at})")
            f.put("%C.top", top, "ptr")
            with f.when(f.let(f"icmp ne i32 {why}, {REFUSED}")):
                self._answered(f, why)
                f.give("true")

    def _try(self, number: int, at: int, option: c.Option) -> str:
        """Print the trial of what may be an instance, in a copy of the public state."""
        assert option.seen is not None
        writer = self._writer(f"seen{number}_{at}", ", ptr %row", None)
        f, shape = writer.f, self.module.shapes.returns[option.seen]
        mark(f, MAY_REFUSE, 1)
        mark(f, TRIAL, 1)
        parts = shape.item.parts if isinstance(shape, ItemList) and isinstance(shape.item, ArgumentRow) else ()
        row = ArgumentRow(parts)
        for (value, part), argument in zip(writer.parts_of("%row", row), option.arguments, strict=bool(parts)):
            if argument.cell is not None:
                self._bind_seen(writer, argument.cell, value, part)
        self.module.changed(f)
        f.end(f"ret i32 {f.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
        return f.text()

    def _bind_seen(self, writer: FunctionEmitter, cell: int, value: str, part: Shape | None) -> None:
        """Store an argument that may be unknown: a veil, or a mark that nothing is known of it."""
        f, shape = writer.f, self.layout.cells[cell].shape
        of, word, inner = writer.unknowns.divided((value, part))
        is_sealed = f.let(f"icmp sgt i64 {word}, 0")
        with f.when(f.let(f"xor i1 {is_sealed}, true")):
            if isinstance(shape, Number):
                is_piece = f.let(f"icmp slt i64 {word}, 0")
                of = f.let(f"select i1 {is_piece}, i64 {word}, i64 {writer.to(of, inner, shape)}")
            elif inner != known(inner):
                of, inner = writer.unknowns.veiled(of, inner)
            writer.store(writer.cell(cell, None, 1), writer.to(of, inner, shape), shape, None)
        f.put(f.at("%S", self.layout.seals[cell]), f.let(f"zext i1 {is_sealed} to i8"), "i8")

    def _veil(self) -> str:
        """Print the function that turns a state into the public state: it veils the pieces, and keeps their numbers."""
        writer = self._writer("veil", "", None)
        f = writer.f
        for at, value in ((PUBLIC, 1), (MAY_REFUSE, 1), (TRIAL, 0), (PROBE, 0)):
            mark(f, at, value)
        next_ = f.slot("i64")
        # Each veiled piece gets a number of its own, since it is equal to itself and perhaps to no other.
        f.put(next_, self.layout.floor - 1)
        for at in self.layout.seals.values():
            f.put(f.at("%S", at), 1, "i8")
        for element in self.layout.concealment.elements:
            if element.is_zone:
                with f.counted(str(element.offset), str(element.offset + element.count)) as cell:
                    self._veil_zone(writer, element, Zones(writer, self.layout, None).address(element, cell), next_)
        f.stop_if(f.let(f"icmp slt i64 {f.get(next_)}, {self.layout.floor - VEILS}"), Limit.VEILS)
        f.give("0")
        return f.text()

    def _veil_zone(self, writer: FunctionEmitter, element: m.Element, place: str, next_: str) -> None:
        f, shape = writer.f, self.layout.cells[element.offset].shape

        def veil(address: str, item: Number) -> None:
            entry = writer.load(address, item)
            known = f.let(f"icmp ne i64 {entry}, {NONE}")
            if element.visibility == "hidden":
                known = f.let(f"and i1 {known}, {f.let(f'icmp slt i64 {entry}, {self.layout.ticket}')}")
            with f.when(known):
                veil = f.get(next_)
                # The veils beyond the last look alike; `_veil` then stops.
                least = self.layout.floor - VEILS
                writer.store(address, f.let(f"call i64 @llvm.smax.i64(i64 {veil}, i64 {least})"), item, item)
                f.put(next_, f.let(f"sub i64 {veil}, 1"))

        if isinstance(shape, ItemList):
            assert isinstance(shape.item, Number)
            with f.counted("0", writer.size(place)) as at:
                veil(writer.at(place, at, shape), shape.item)
        else:
            assert isinstance(shape, Number)
            veil(place, shape)

    def _instance(self, number: int, wait: c.Decision | c.Together) -> str:
        """Print the test whether an option has a legal instance."""
        writer = self._writer(f"instance{number}", ", i64 %me", "i1")
        f = writer.f
        if any(option.free and not (option.refusable or option.guarded) for option in wait.options):
            f.give("true")
            return f.text()
        leading = f.slot("i1")
        f.put(leading, "false", "i1")
        trial = marked(f, TRIAL)
        for at, option in c.in_order_of_test(wait.options):
            offered, listed, on = f.label(), f.label(), f.label()
            f.branch(trial if option.refusable else "true", offered, listed)
            f.begin(offered)
            with f.when(self.unit(f, option.offers, "%me")):
                f.give("true")
            f.jump(on)
            f.begin(listed)
            if option.refusable:
                self._tries(writer, number, at, option, leading)
            f.jump(on)
            f.begin(on)
            if option.guarded:  # what its guard refuses is a move in a trial
                mark(f, TRIAL, 1)
                f.put(leading, f.let(f"or i1 {f.get(leading, 'i1')}, {self.unit(f, option.offers, '%me')}"), "i1")
                f.put(f.at("%S", TRIAL), f.let(f"zext i1 {trial} to i8"), "i8")
        # A decision counts as an event once the leading requirements of an instance hold (docs/language.md, Legality):
        # after it nothing refuses the move that led here any more.
        with f.when(f.get(leading, "i1")):
            mark(f, MAY_REFUSE, 0)
        f.give("false")
        return f.text()

    def _tries(self, writer: FunctionEmitter, number: int, at: int, option: c.Option, leading: str) -> None:
        """Emit trials of the moves, one after another, until one is legal. If there is no list, as a move after the
        first ones has no value, each is tried as soon as it is found.
        """
        f, one_by_one, on = writer.f, writer.f.label(), writer.f.label()
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

    # ---- simultaneous choices

    def _choice_of(self, writer: FunctionEmitter, wait: c.Together, seat: str) -> str:
        """Return the address of a player's stated choice."""
        cell = self.layout.cells[wait.stated]
        assert isinstance(cell.shape, ItemList)
        return writer.at(writer.cell(wait.stated, None, 1), seat, cell.shape)

    def _waits(self, writer: FunctionEmitter, number: int, wait: c.Together, seat: int) -> str:
        """Emit the test whether a player has not stated a choice, and has one."""
        f = writer.f
        waiting = f.slot("i1")
        f.put(waiting, "false", "i1")
        with f.when(f.let(f"icmp eq i64 {f.get(self._choice_of(writer, wait, str(seat)))}, {NONE}")):
            f.put(waiting, f.value_of(f"@offers{number}({STATE}, i64 {seat})", "i1"), "i1")
        return f.get(waiting, "i1")

    def _together(self, number: int, wait: c.Together) -> str:
        """Print the test whether somebody still has to state a choice."""
        writer = self._writer(f"together{number}", "", "i1")
        f = writer.f
        with f.when(marked(f, PROBE)):
            f.give("true")
        for seat in range(self.game.players):
            with f.when(self._waits(writer, number, wait, seat)):
                f.give("true")
        f.give("false")
        return f.text()

    def _moves_together(self, number: int, wait: c.Together) -> str:
        """Print the list of the moves of all players who are to choose.

        A move is its number, plus the size of the move space for each seat before the player's.
        """
        writer = self._writer(f"moves{number}", "", "ptr")
        f, whole = writer.f, writer.f.slot("ptr")
        f.put(whole, writer.new("16", IDS), "ptr")
        for seat in range(self.game.players):
            with f.when(self._waits(writer, number, wait, seat)):
                before = writer.size(f.get(whole, "ptr"))
                for at, option in enumerate(wait.options):
                    moves = self._listed(writer, number, at, option, str(seat), IDS)
                    with f.counted("0", writer.size(moves)) as place:
                        assert IDS.item is not None
                        item = writer.load(writer.at(moves, place, IDS), IDS.item)
                        writer.append(whole, f.let(f"add i64 {item}, {seat * self.numbers.size}"), IDS, None)
                if self._declines(number, wait) != "never":
                    with f.when(f.let(f"icmp eq i64 {writer.size(f.get(whole, 'ptr'))}, {before}")):
                        writer.append(whole, str(seat * self.numbers.size), IDS, None)
        f.give(f.get(whole, "ptr"))
        return f.text()

    def _take_together(self, number: int, wait: c.Together) -> str:
        """Print the function that records the choice of a player."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        mark(f, MAY_REFUSE, 1)
        seat, move = (f.let(f"{name} i64 %id, {self.numbers.size}") for name in ("udiv", "urem"))
        f.stop_if(f.let(f"icmp uge i64 {seat}, {self.game.players}"), Limit.EVENT)
        none = f.let(f"icmp eq i64 {move}, 0")
        # A player who declines has stated that, too: -1, as none means that nothing is stated yet.
        f.put(self._choice_of(writer, wait, seat), f.let(f"select i1 {none}, i64 -1, i64 {move}"))
        self.module.changed(f)
        self.module.go_on(f, wait.then)
        return f.text()

    def _stated(self, number: int, wait: c.Together) -> str:
        """Print the search for the first seat from `%at` on that stated a choice.

        The result has the seat in the upper half and the option in the lower; the option's cells are set. -1 if there
        is none.
        """
        writer = self._writer(f"stated{number}", ", i64 %at", "i64")
        f, at = writer.f, writer.f.slot("i64")
        f.put(at, "%at")
        head, look, on, end = (f.label() for _ in range(4))
        f.begin(head)
        seat = f.get(at)
        f.branch(f.let(f"icmp ult i64 {seat}, {self.game.players}"), look, end)
        f.begin(look)
        move = f.get(self._choice_of(writer, wait, seat))
        f.put(at, f.let(f"add i64 {seat}, 1"))
        f.branch(f.let(f"icmp slt i64 {move}, 0"), head, on)
        f.begin(on)
        mark(f, MAY_REFUSE, 0)
        # Both results are in one word, as a function returns one value.
        upper = f.let(f"shl i64 {seat}, 32")

        def taken(option: c.Option, place: int, move: str) -> None:
            self._bind(writer, option, move)
            f.give(f.let(f"or i64 {upper}, {place}"))

        self._by_option(writer, wait, move, taken)
        f.stop(Limit.EVENT)
        f.begin(end)
        f.give("-1")
        return f.text()

    def stated(self, writer: ExpressionEmitter, number: int, seat: int, me: int) -> str:
        """Emit the option that the next player stated, or -1. The cells with the seat and with who acts are set."""
        f = writer.f
        next_stated = f.value_of(f"@stated{number}({STATE}, i64 {self.load(writer, seat)})", "i64")
        who = f.let(f"ashr i64 {next_stated}, 32")
        with f.when(f.let(f"icmp sge i64 {next_stated}, 0")):
            self.store(writer, seat, f.let(f"add i64 {who}, 1"))
            self.store(writer, me, who)
            self.module.changed(f)
        return f.let(f"sub i64 {next_stated}, {f.let(f'shl i64 {who}, 32')}")

    # ---- chance

    def _outcomes(self, number: int, wait: c.Chance) -> str:
        """Print the list of the outcomes, which are equally likely."""
        domain = wait.statement.domain
        if not isinstance(domain, m.IntervalExpr | m.AllValues) and not isinstance(domain.type, t.SetOf):
            raise NotCarried("chance over items that may be equal")
        f = Function(f"moves{number}", STATE, "ptr")
        f.give(f.value_of(f"@u{wait.lists}({STATE})", "ptr"))
        return f.text()

    def _take_chance(self, number: int, wait: c.Chance) -> str:
        writer = self._writer(f"take{number}", ", i64 %id", None)
        mark(writer.f, MAY_REFUSE, 0)
        self.store(writer, wait.cell, "%id")
        self.module.changed(writer.f)
        self.module.go_on(writer.f, wait.then)
        return writer.f.text()

    def _pieces(self, number: int) -> str:
        """Print the list of the pieces that may be revealed, without duplicates."""
        f = Function(f"moves{number}", STATE, "ptr")
        entries = f.value_of(f"@drawn{number}({STATE})", "ptr")
        f.give(distinct(ValueEmitter(f, self.module.constants), entries, self.module.hidden.entries))
        return f.text()

    # ---- `can`

    def _can(self, at: int, query: c.ActionTest) -> str:
        """Print the test whether an action has a legal instance now that nothing after its steps refuses."""
        action = self.game.actions[query.action]
        names = [f"%a{place}" for place in range(1 + len(action.parameters))]
        f = Function(f"can{at}", f"{STATE}, {', '.join(f'i64 {name}' for name in names)}", "i1")
        asking = query.action in self._asking_themselves
        f.stop_if(f.let("call i1 @deeper(ptr %C)"), Limit.DEPTH)
        outer = f.get("%C.top", "ptr")
        f.do(f"%S.alone = getelementptr i8, ptr {self._copy(f)}, i64 0")
        # The cells after those of the parameters are of choices and local names, which nothing has set yet.
        for cell, name in zip(query.cells, names, strict=False):
            self._put(f, "%S.alone", cell, name)
        self._put(f, "%S.alone", query.back, "0")
        is_allowed, why = f.slot("i1"), f.slot("i32")
        f.put(is_allowed, "false", "i1")
        f.put(why, "0", "i32")
        mark(f, MAY_REFUSE, 1, "%S.alone")
        mark(f, TRIAL, 0, "%S.alone")
        outside = self._asks(f, at, names) if asking else ""
        if query.choices:
            given = "".join(f", i64 {name}" for name in names)
            answer = f.let(f"call {{ i1, i32 }} @finds{at}(ptr %C, ptr %S.alone{given})")
            f.put(is_allowed, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
            f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        else:
            mark(f, PROBE, 1, "%S.alone")
            reason = f.let(f"call i32 @run(ptr %C, ptr %S.alone, i32 {query.entry})")
            f.put(why, reason, "i32")
            with f.when(f.let(f"icmp eq i32 {reason}, 0")):
                answer = f.let("call { i1, i32 } @has_any(ptr %C, ptr %S.alone)")
                f.put(is_allowed, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
                f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        if asking:
            f.put("%C.asking", outside, "ptr")
        f.do("call void @shallower(ptr %C)")
        f.put("%C.top", outer, "ptr")
        reason = f.get(why, "i32")
        bad = f.let(f"icmp ne i32 {reason}, 0")
        f.stop_if(f.let(f"and i1 {bad}, {f.let(f'icmp ne i32 {reason}, {REFUSED}')}"), reason)
        f.give(f.get(is_allowed, "i1"))
        return f.text()

    def _asks(self, f: Function, at: int, names: Sequence[str]) -> str:
        """Emit code that adds the test under way to the list of all such tests; return the record of the enclosing one.

        A record has the next one's address, the number of the test, the player and the arguments.
        """
        record, outside = f.slot(f"[{2 + len(names)} x i64]"), f.get("%C.asking", "ptr")
        f.put(record, outside, "ptr")
        for place, value in enumerate((str(at), *names), start=1):
            f.put(f.at(record, 8 * place), value)
        f.put("%C.asking", record, "ptr")
        return outside

    def _is_asking(self, at: int, query: c.ActionTest) -> str:
        """Print the test whether the same test is under way: whether the action can be done depends on itself."""
        names = [f"%a{place}" for place in range(1 + len(self.game.actions[query.action].parameters))]
        f = Function(f"asking{at}", f"ptr %C, {', '.join(f'i64 {name}' for name in names)}", "i1")
        record, look, compare, on, end = f.slot("ptr"), *(f.label() for _ in range(4))
        f.put(record, f.get("%C.asking", "ptr"), "ptr")
        f.begin(look)
        here = f.get(record, "ptr")
        f.branch(f.let(f"icmp eq ptr {here}, null"), end, compare)
        f.begin(compare)
        is_same = f.let(f"icmp eq i64 {f.get(f.at(here, 8))}, {at}")
        f.branch(is_same, same := f.label(), on)  # only a record of this test has all arguments
        f.begin(same)
        differs = "false"
        for place, name in enumerate(names, start=2):
            differs = f.let(f"or i1 {differs}, {f.let(f'icmp ne i64 {f.get(f.at(here, 8 * place))}, {name}')}")
        with f.when(f.let(f"xor i1 {differs}, true")):
            f.give("true")
        f.begin(on)
        f.put(record, f.get(here, "ptr"), "ptr")
        f.jump(look)
        f.begin(end)
        f.give("false")
        return f.text()

    def _put(self, f: Function, state: str, cell: int, value: str) -> None:
        """Store a number in a cell of another state than `%S`."""
        slot, values = self.layout.cells[cell], ValueEmitter(f, self.module.constants)
        if isinstance(slot.shape, ItemList | Mask):
            raise NotCarried("actions of collections about which it is asked whether they can be done")
        values.store(f.at(state, slot.at), values.to(value, WORD, slot.shape), slot.shape, None)
        self.module.changed(f, state)

    def _finds(self, at: int, query: c.ActionTest) -> str:
        """Print the search for an allowed instance of an action alone in a state: each candidate is tried as soon as it
        is found.
        """
        unit = self.module.program.units[query.lists]
        if not all(isinstance(self.module.parameter(query.lists, var), Number) for var in unit.parameters):
            raise NotCarried("an action of collections about which it is asked whether it can be done")
        given = "".join(f", i64 %a{var.number}" for var in unit.parameters)
        f = Function(f"finds{at}", f"{STATE}{given}", "i1")

        def attempt(row: c.Op) -> None:
            f.do("call i32 @copied(ptr %C, ptr %T, ptr %S)")
            mark(f, TRIAL, 1, "%T")
            mark(f, PROBE, 0, "%T")
            for arg, cell in zip(row.args, query.choices, strict=True):
                slot = self.layout.cells[cell]
                writer.store(f.at("%T", slot.at), writer.in_shape(arg, slot.shape), slot.shape, None)
            self.module.changed(f, "%T")
            # What stops the trial is not a fault of the listing, whose attempts would catch it.
            with f.uncaught():
                why = f.let(f"call i32 @run(ptr %C, ptr %T, i32 {query.body})")
                with f.when(_is_passed(f, why)):
                    f.give("true")
                f.stop_if(f.let(f"icmp ne i32 {why}, {REFUSED}"), why)

        writer = FunctionEmitter(f, self.module, query.lists, on_row=attempt)
        for var in unit.parameters:
            writer.keep(var.number, f"%a{var.number}")
        copied = self._copy(f)
        f.do(f"%T = getelementptr i8, ptr {copied}, i64 0")
        writer.body(unit.body)
        return f.text()

    def _has_any(self) -> str:
        """Print the test whether the awaited decision, if one is awaited, has a legal instance."""
        writer = self._writer("has_any", "", "i1")
        f = writer.f
        mark(f, PROBE, 0)
        wait = f.get("%S", "i32")
        for number, each in enumerate(self.module.program.waits):
            if isinstance(each, c.Decision | c.Together):
                with f.when(f.let(f"icmp eq i32 {wait}, {number}")):
                    if isinstance(each, c.Together):
                        f.give(f.value_of(f"@together{number}({STATE})", "i1"))
                    else:
                        f.give(f.value_of(f"@instance{number}({STATE}, i64 {writer.number(each.me)})", "i1"))
        f.give("true")
        return f.text()


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


def _is_passed(f: Function, why: str) -> str:
    """Test whether a trial with this status refuses nothing: a fault makes no move illegal, and stops who plays it."""
    return f.let(f"or i1 {f.let(f'icmp eq i32 {why}, 0')}, {f.let(f'icmp eq i32 {why}, {FAULT}')}")


def mark(f: Function, at: int, value: int, state: str = "%S") -> None:
    """Set a flag of a state."""
    f.put(f.at(state, at), value, "i8")


def marked(f: Function, at: int) -> str:
    """Load a flag of a state."""
    return f.let(f"icmp ne i8 {f.get(f.at('%S', at), 'i8')}, 0")
