"""Native code for what the flow waits for: which moves are legal, what they do, and whether there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealed, Concealment
from ..ir import code as c
from . import infer
from .builder import CONTEXT, FAULT, LAST, REFUSED, VEILED, Function, Limit
from .codegen import Writer
from .hidden import distinct
from .shapes import (
    IDS,
    MAY_REFUSE,
    NONE,
    PROBE,
    PUBLIC,
    STAMP,
    TRIAL,
    VEILS,
    Flag,
    Items,
    Mask,
    NotCarried,
    Number,
    Row,
    Shape,
    join,
)
from .values import Values
from .zones import Zones

if TYPE_CHECKING:
    from .module import Module

STATE = "ptr %C, ptr %S"
WORD = Number(0, 0)
TRIALS = 32
"""Of so many moves of an option it is remembered whether they were refused."""


class Decisions:
    """Prints the functions of all that a program waits for: `moves`, `take`, `offers`, each with its number."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout, self.numbers, self.game = module, module.layout, module.numbers, module.game
        self._concealment = Concealment(module.game)
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
                    yield self._moves(number, wait)
                    yield self._instance(number, wait)
                    yield self._offers(number, wait)
                case c.Together():
                    yield self._instance(number, wait)
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
        if self.module.program.veiled:
            yield self._veil()
        for at, standing in enumerate(self.module.program.standing):
            yield self._can(at, standing)
            if standing.choices:
                yield self._finds(at, standing)
        if self.module.program.standing:
            yield self._has_any()

    def _writer(self, name: str, more: str, gives: str | None) -> Writer:
        return Writer(Function(name, f"{STATE}{more}", gives), self.module, infer.BLOCKS)

    # ---- taking a move

    def _take(self, number: int, wait: c.Decision) -> str:
        """Carry out the legal move with this number."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        mark(f, MAY_REFUSE, 1)
        with f.when(f.let("icmp eq i64 %id, 0")):
            self.module.go_on(f, wait.then)

        def taken(option: c.Option, at: int, move: str) -> None:
            self._bind(writer, option, move)
            self.module.go_on(f, option.entry)

        def allowed(option: c.Option, at: int, move: str) -> None:
            """Of several options of one name the first that allows the move is taken."""
            if all(other.name != option.name for other in wait.options[at + 1 :]) or not self._has_numbers(option):
                taken(option, at, move)
                return
            with f.when(self._admits(writer, number, (at, option), writer.number(wait.me), move)):
                taken(option, at, move)

        self._by_option(writer, wait, "%id", allowed)
        f.stop(Limit.EVENT)
        return f.text()

    def _has_numbers(self, option: c.Option) -> bool:
        """Whether the option's moves have numbers of their own. Else they are rows, numbered as they are listed."""
        return option.name in self.numbers.by_name

    def _by_option(
        self, writer: Writer, wait: c.Decision | c.Together, move: str, then: Callable[[c.Option, int, str], None]
    ) -> None:
        """What is written for each option, where the move is one of its. It is given the move: a number, or the row
        with what the move states."""
        f = writer.f
        for at, option in enumerate(wait.options):
            if self._has_numbers(option):
                numbered = self.numbers.by_name[option.name]
                inside = f.let(f"icmp ult i64 {f.let(f'sub i64 {move}, {numbered.first}')}, {numbered.size}")
                with f.when(inside):
                    then(option, at, move)
                continue
            many, rest = len(wait.options), f.let(f"sub i64 {move}, {self.numbers.size}")
            here = f.let(f"icmp eq i64 {f.let(f'urem i64 {rest}, {many}')}, {at}")
            with f.when(f.let(f"and i1 {here}, {f.let(f'icmp sge i64 {rest}, 0')}")):
                assert isinstance(wait, c.Decision)
                rows, shape = self._rows(writer, option, writer.number(wait.me))
                place = f.let(f"udiv i64 {rest}, {many}")
                with f.when(f.let(f"icmp ult i64 {place}, {writer.size(rows)}")):
                    then(option, at, writer.at(rows, place, shape))

    def _rows(self, writer: Writer, option: c.Option, me: str) -> tuple[str, Items]:
        """What the moves of an option state that have no numbers, in order, and the shape of the list."""
        shape = self.module.shapes.returns[option.lists]
        assert isinstance(shape, Items)
        return self.unit(writer.f, option.lists, me), shape

    def _bind(self, writer: Writer, option: c.Option, move: str) -> None:
        """What a move states goes into its cells."""
        for value, given, argument in self._values(writer, option, move):
            if argument.cell is not None:
                shape = self.layout.cells[argument.cell].shape
                writer.store(writer.cell(argument.cell, None, 1), writer.to(value, given, shape), shape, None)
        self.module.changed(writer.f)

    def _values(self, writer: Writer, option: c.Option, move: str) -> list[tuple[str, Shape | None, c.Argument]]:
        """What a move states, how it is held, and the arguments that it is stated for."""
        f = writer.f
        if not self._has_numbers(option):
            held = self.module.shapes.returns[option.lists]
            if not isinstance(held, Items) or not isinstance(held.item, Row):
                return []  # there is none
            return [
                (*value, argument)
                for value, argument in zip(writer.parts_of(move, held.item), option.arguments, strict=True)
            ]
        numbered = self.numbers.by_name[option.name]
        rest, found = f.let(f"sub i64 {move}, {numbered.first}"), list[tuple[str, Shape | None, c.Argument]]()
        for argument, radix in reversed(list(zip(option.arguments, numbered.radices, strict=True))):
            at = f.let(f"urem i64 {rest}, {radix}")
            rest = f.let(f"udiv i64 {rest}, {radix}")
            found.append((_value_at(f, at, argument.type), WORD, argument))
        return found[::-1]

    def store(self, writer: Writer, cell: int, value: str) -> None:
        """A number into a cell."""
        shape = self.layout.cells[cell].shape
        writer.store(writer.cell(cell, None, 1), writer.to(value, WORD, shape), shape, None)

    def load(self, writer: Writer, cell: int) -> str:
        """The number in a cell."""
        shape = self.layout.cells[cell].shape
        return writer.to(writer.load(writer.cell(cell, None, 1), shape), shape, WORD)

    def _trial(self, number: int, at: int, option: c.Option) -> str:
        """Whether nothing refuses the move before the next event."""
        tried = self._writer(f"tried{number}_{at}", ", i64 %id, ptr %row", None)
        mark(tried.f, MAY_REFUSE, 1)
        mark(tried.f, TRIAL, 1)
        self._bind(tried, option, "%id" if self._has_numbers(option) else "%row")
        tried.f.do(f"ret i32 {tried.f.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
        tried.f.ended = True
        f = Function(f"trial{number}_{at}", f"{STATE}, i64 %id, ptr %row", "i1")
        known = self._known_trial(f)
        self._guarded(f, option)
        outer = f.get("%C.top", "ptr")
        why = f.let(f"call i32 @tried{number}_{at}(ptr %C, ptr {self._copy(f)}, i64 %id, ptr %row)")
        f.put("%C.top", outer, "ptr")
        legal = f.let(f"icmp eq i32 {why}, 0")
        other = f.let(f"icmp ne i32 {why}, {REFUSED}")
        f.stop_if(f.let(f"icmp ugt i1 {other}, {legal}"), why)
        f.put(known, f.get(f.at("%S", STAMP)))
        f.put(f.at(known, 8), "%id")
        f.put(f.at(known, 16), legal, "i1")
        f.give(legal)
        return tried.f.text() + f.text()

    def _guarded(self, f: Function, option: c.Option) -> None:
        """Say whether the move is allowed, if what is asked before it changes anything settles that. Where the guard
        comes to no answer the trial does."""
        if option.guard is None:
            return
        unit, writer = self.module.program.units[option.guard], Writer(f, self.module, option.guard)
        values = self._values(writer, option, "%id" if self._has_numbers(option) else "%row")
        tried = f.label()
        with f.catching(tried, FAULT, VEILED):
            given = "ptr %C, ptr %S"
            for var, (value, shape, _) in zip(unit.parameters, values, strict=True):
                kind = self.module.parameter(option.guard, var)
                given += f", {kind.llvm} {writer.to(value, shape, kind)}"
            allowed = f.value_of(f"@u{option.guard}({given})", self.module.gives(option.guard))
        with f.when(f.let(f"xor i1 {allowed}, true")):
            f.give("false")
        if option.settles:
            f.give("true")
        f.begin(tried)

    def _known_trial(self, f: Function) -> str:
        """What was found out of the move before, in the same state, is given: whether a decision has a legal move is
        asked before its moves are listed. The address of the entry to keep it in."""
        entry = f.let(f"and i64 %id, {TRIALS - 1}")
        first = CONTEXT["memo"] + self.module.memo.reserve(TRIALS * 24)
        known = f.at("%C", f.let(f"add i64 {f.let(f'mul i64 {entry}, 24')}, {first}"))
        now = f.let(f"icmp eq i64 {f.get(known)}, {f.get(f.at('%S', STAMP))}")
        same = f.let(f"icmp eq i64 {f.get(f.at(known, 8))}, %id")
        with f.when(f.let(f"and i1 {now}, {same}")):
            f.give(f.get(f.at(known, 16), "i1"))
        return known

    def _copy(self, f: Function, state: str = "%S") -> str:
        """A copy of a state in the free room."""
        made = f.let(f"call ptr @new(ptr %C, i64 {self.layout.size}, i64 1)")
        f.stop_if(f.let(f"icmp eq ptr {made}, null"), Limit.ROOM)
        f.do(f"call i32 @copied(ptr %C, ptr {made}, ptr {state})")
        return made

    # ---- the legal moves

    def unit(self, f: Function, number: int, me: str, state: str = "%S") -> str:
        """What a unit of one player returns."""
        unit = self.module.program.units[number]
        kind = self.module.parameter(number, unit.parameters[0])
        return f.value_of(f"@u{number}(ptr %C, ptr {state}, {kind.llvm} {me})", self.module.gives(number))

    def _listed(self, writer: Writer, number: int, at: int, option: c.Option, me: str, shape: Items) -> str:
        """The list of an option's legal moves."""
        if self._has_numbers(option) and not option.refusable:
            return writer.to(self.unit(writer.f, option.lists, me), self.module.shapes.returns[option.lists], shape)
        f, slot = writer.f, writer.f.slot("ptr")
        f.put(slot, writer.new("16", shape), "ptr")

        def found(move: str, id_: str) -> None:
            given = self.module.shapes.returns[option.lists]
            kept = given.item if self._has_numbers(option) and isinstance(given, Items) else None
            writer.append(slot, id_, shape, kept)

        self._each_move(writer, number, (at, option), me, found)
        return f.get(slot, "ptr")

    def _each_move(
        self, writer: Writer, number: int, where: tuple[int, c.Option], me: str, then: Callable[[str, str], None]
    ) -> str:
        """What is written for each of an option's moves that nothing refuses: it is given the move, as a number or a
        row, and its number. How many were looked at."""
        f, (at, option) = writer.f, where
        rows, shape = self._rows(writer, option, me)
        if shape.item is None:
            return "0"
        if option.lists in self.module.memo.slots:  # a trial may work the same out of another state
            rows = writer.copied(rows, shape)
        wait = self.module.program.waits[number]
        assert isinstance(wait, c.Decision | c.Together)
        with f.counted("0", writer.size(rows)) as place:
            there = writer.at(rows, place, shape)
            if self._has_numbers(option):
                assert isinstance(shape.item, Number)
                move = id_ = writer.load(there, shape.item)
            else:
                move, many = there, len(wait.options)
                id_ = f.let(f"add i64 {f.let(f'mul i64 {place}, {many}')}, {self.numbers.size + at}")
            if option.refusable:
                with f.when(f.value_of(self._trial_of(number, at, option, move, id_), "i1")):
                    then(move, id_)
            else:
                then(move, id_)
        return writer.size(rows)

    def _trial_of(self, number: int, at: int, option: c.Option, move: str, id_: str) -> str:
        """The call that tries a move."""
        row = "null" if self._has_numbers(option) else move
        return f"@trial{number}_{at}({STATE}, i64 {id_}, ptr {row})"

    def _moves(self, number: int, wait: c.Decision) -> str:
        """The list of the numbers of all legal moves, in order."""
        writer = self._writer(f"moves{number}", "", "ptr")
        f, shape = writer.f, self.moves_shape(number, wait)
        me = writer.number(wait.me)
        first, *others = (self._listed(writer, number, at, option, me, shape) for at, option in enumerate(wait.options))
        whole = first
        for found in others:
            whole = writer.chained(whole, found, shape)
        if self._repeats(wait.options):
            whole = writer.once(whole, shape, shape)
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
        """Whether two options may have a move in common. Rows differ where one part of theirs always does."""
        found = False
        for one, two in combinations(options, 2):
            if one.name == two.name and self._has_numbers(one):
                found = True
            elif one.name == two.name:
                shapes = [self.module.shapes.returns[each.lists] for each in (one, two)]
                parts = [
                    each.item.parts if isinstance(each, Items) and isinstance(each.item, Row) else () for each in shapes
                ]
                if not any(map(_are_apart, *parts)) and all(parts):
                    raise NotCarried("two options that may state the same move without a number")
        return found

    def _declines(self, number: int, wait: c.Decision | c.Together) -> str:
        """When a player may decline."""
        if isinstance(wait, c.Decision) and wait.optional:
            return "always"
        return "never" if self.concealed(wait) is Concealed.NOTHING else "where there is no move"

    def concealed(self, wait: c.Decision | c.Together) -> Concealed:
        return self._concealment.of(wait.routine, wait.statement)

    def moves_shape(self, number: int, wait: c.Waiting) -> Items:
        """The shape of the list of what may happen."""
        found: Shape | None
        match wait:
            case c.Decision():
                found = None if self._declines(number, wait) == "never" else Items(Number(0, 0))
                if not all(map(self._has_numbers, wait.options)):
                    return IDS
                for option in wait.options:
                    found = join(found, self.module.shapes.returns[option.lists])
            case c.Together():
                return IDS
            case c.Chance():
                found = self.module.shapes.returns[wait.lists]
            case c.Hidden():
                return self.module.hidden.entries
        if not isinstance(found, Items):
            raise NotCarried("chance over a mask")
        return found if isinstance(found.item, Number) else IDS

    # ---- whether a move is legal

    def _judged(self, number: int, wait: c.Waiting) -> str:
        """Whether an event is legal, without a list of the others."""
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
                f.give(writer.has_number(listed, self.moves_shape(number, wait), "%id"))
        return f.text()

    def _admitted(self, writer: Writer, number: int, wait: c.Decision | c.Together, me: str, move: str) -> None:
        """Say whether a move is a legal one of a player's."""
        f, declines = writer.f, self._declines(number, wait)
        with f.when(f.let(f"icmp eq i64 {move}, 0")):
            if declines == "where there is no move":
                found = f.value_of(f"@instance{number}({STATE}, i64 {me})", "i1")
                f.give(f.let(f"xor i1 {found}, true"))
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

    def _admits(self, writer: Writer, number: int, where: tuple[int, c.Option], me: str, move: str) -> str:
        """Whether an option allows the move with this number."""
        f, (at, option) = writer.f, where
        values = [(me, WORD), *((value, shape) for value, shape, _ in self._values(writer, option, move))]
        given = "ptr %C, ptr %S"
        for var, (value, shape) in zip(self.module.program.units[option.admits].parameters, values, strict=True):
            kind = self.module.parameter(option.admits, var)
            given += f", {kind.llvm} {writer.to(value, shape, kind)}"
        admitted = f.value_of(f"@u{option.admits}({given})", self.module.gives(option.admits))
        if not option.refusable:
            return admitted
        found = f.slot("i1")
        f.put(found, "false", "i1")
        with f.when(admitted):
            f.put(found, f.value_of(self._trial_of(number, at, option, move, move), "i1"), "i1")
        return f.get(found, "i1")

    # ---- whether there is one

    def _offers(self, number: int, wait: c.Decision | c.Together) -> str:
        """Whether the decision has something to choose, for all that everybody can see."""
        writer = self._writer(f"offers{number}", ", i64 %me", "i1")
        f, concealed = writer.f, self.concealed(wait)
        with f.when(marked(f, PROBE)):
            f.give("true")
        f.stop_if(f.let(f"icmp eq i64 %me, {NONE}"), FAULT)
        found = "true"
        if concealed is not Concealed.NAMES:
            found = f.value_of(f"@instance{number}({STATE}, i64 %me)", "i1")
        if concealed is Concealed.CELLS:
            asks, held = f.let(f"or i1 {found}, {marked(f, PUBLIC)}"), found
            found = writer.either(asks, lambda: held, lambda: self._as_seen(f, number), Flag())
        f.give(found)
        return f.text()

    def _as_seen(self, f: Function, number: int) -> str:
        """Whether there may be something to choose, for all that everybody sees."""
        copy = self._copy(f)
        self.module.hidden.called(f, f"@veil(ptr %C, ptr {copy})")
        self.module.changed(f, copy)
        both = f.let(f"call {{ i1, i32 }} @instance{number}(ptr %C, ptr {copy}, i64 %me)")
        why = f.let(f"extractvalue {{ i1, i32 }} {both}, 1")
        f.stop_if(f.let(f"icmp sle i32 {why}, {LAST}"), why)
        untold = f.let(f"icmp ne i32 {why}, 0")
        return f.let(f"or i1 {untold}, {f.let(f'extractvalue {{ i1, i32 }} {both}, 0')}")

    def _veil(self) -> str:
        """Make a state what everybody sees of it: how many pieces lie somewhere, and not which."""
        writer = self._writer("veil", "", None)
        f = writer.f
        for at, value in ((PUBLIC, 1), (MAY_REFUSE, 1), (TRIAL, 0), (PROBE, 0)):
            mark(f, at, value)
        next_ = f.slot("i64")
        f.put(next_, -1)
        for element in self.module.program.veiled:
            if element.is_zone:
                with f.counted(str(element.offset), str(element.offset + element.count)) as cell:
                    self._veil_zone(writer, element, Zones(writer, self.layout, None).address(element, cell), next_)
        f.stop_if(f.let(f"icmp slt i64 {f.get(next_)}, {-VEILS}"), Limit.VEILS)
        f.give("0")
        return f.text()

    def _veil_zone(self, writer: Writer, element: m.Element, place: str, next_: str) -> None:
        f, shape = writer.f, self.layout.cells[element.offset].shape

        def veil(there: str, item: Number) -> None:
            held = writer.load(there, item)
            known = f.let(f"icmp ne i64 {held}, {NONE}")
            if element.visibility == "hidden":
                known = f.let(f"and i1 {known}, {f.let(f'icmp slt i64 {held}, {self.layout.ticket}')}")
            with f.when(known):
                veil = f.get(next_)
                writer.store(there, f.let(f"call i64 @llvm.smax.i64(i64 {veil}, i64 {-VEILS})"), item, item)
                f.put(next_, f.let(f"sub i64 {veil}, 1"))

        if isinstance(shape, Items):
            assert isinstance(shape.item, Number)
            with f.counted("0", writer.size(place)) as at:
                veil(writer.at(place, at, shape), shape.item)
        else:
            assert isinstance(shape, Number)
            veil(place, shape)

    def _instance(self, number: int, wait: c.Decision | c.Together) -> str:
        """Whether an option has a legal instance."""
        writer = self._writer(f"instance{number}", ", i64 %me", "i1")
        f = writer.f
        if any(option.free and not option.refusable for option in wait.options):
            f.give("true")
            return f.text()
        leading = f.slot("i1")
        f.put(leading, "false", "i1")
        trial = marked(f, TRIAL)
        for at, option in enumerate(wait.options):
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
        with f.when(f.get(leading, "i1")):
            mark(f, MAY_REFUSE, 0)
        f.give("false")
        return f.text()

    def _tries(self, writer: Writer, number: int, at: int, option: c.Option, leading: str) -> None:
        """Try the moves one after another until one is legal."""
        f = writer.f
        size = self._each_move(writer, number, (at, option), "%me", lambda move, id_: f.give("true"))
        f.put(leading, f.let(f"or i1 {f.get(leading, 'i1')}, {f.let(f'icmp ne i64 {size}, 0')}"), "i1")

    # ---- players who choose at the same time

    def _said(self, writer: Writer, wait: c.Together, seat: str) -> str:
        """Where stands what a player has stated."""
        cell = self.layout.cells[wait.stated]
        assert isinstance(cell.shape, Items)
        return writer.at(writer.cell(wait.stated, None, 1), seat, cell.shape)

    def _waits(self, writer: Writer, number: int, wait: c.Together, seat: int) -> str:
        """Whether a player has not stated a choice, and has one."""
        f = writer.f
        found = f.slot("i1")
        f.put(found, "false", "i1")
        with f.when(f.let(f"icmp eq i64 {f.get(self._said(writer, wait, str(seat)))}, {NONE}")):
            f.put(found, f.value_of(f"@offers{number}({STATE}, i64 {seat})", "i1"), "i1")
        return f.get(found, "i1")

    def _together(self, number: int, wait: c.Together) -> str:
        """Whether somebody is still to state a choice."""
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
        """The moves of all players who are to choose: the number of a move, and the whole number of moves for each seat
        before the player's."""
        writer = self._writer(f"moves{number}", "", "ptr")
        f, whole = writer.f, writer.f.slot("ptr")
        f.put(whole, writer.new("16", IDS), "ptr")
        for seat in range(self.game.players):
            with f.when(self._waits(writer, number, wait, seat)):
                before = writer.size(f.get(whole, "ptr"))
                for at, option in enumerate(wait.options):
                    found = self._listed(writer, number, at, option, str(seat), IDS)
                    with f.counted("0", writer.size(found)) as place:
                        assert IDS.item is not None
                        item = writer.load(writer.at(found, place, IDS), IDS.item)
                        writer.append(whole, f.let(f"add i64 {item}, {seat * self.numbers.size}"), IDS, None)
                if self._declines(number, wait) != "never":
                    with f.when(f.let(f"icmp eq i64 {writer.size(f.get(whole, 'ptr'))}, {before}")):
                        writer.append(whole, str(seat * self.numbers.size), IDS, None)
        f.give(f.get(whole, "ptr"))
        return f.text()

    def _take_together(self, number: int, wait: c.Together) -> str:
        """A player states a choice."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        mark(f, MAY_REFUSE, 1)
        seat, move = (f.let(f"{name} i64 %id, {self.numbers.size}") for name in ("udiv", "urem"))
        f.stop_if(f.let(f"icmp uge i64 {seat}, {self.game.players}"), Limit.EVENT)
        none = f.let(f"icmp eq i64 {move}, 0")
        f.put(self._said(writer, wait, seat), f.let(f"select i1 {none}, i64 -1, i64 {move}"))
        self.module.changed(f)
        self.module.go_on(f, wait.then)
        return f.text()

    def _stated(self, number: int, wait: c.Together) -> str:
        """The seat from `%at` on that stated a choice, in the upper half, and the option, whose values now stand in its
        cells; -1 where there is none."""
        writer = self._writer(f"stated{number}", ", i64 %at", "i64")
        f, at = writer.f, writer.f.slot("i64")
        f.put(at, "%at")
        head, look, on, end = (f.label() for _ in range(4))
        f.begin(head)
        seat = f.get(at)
        f.branch(f.let(f"icmp ult i64 {seat}, {self.game.players}"), look, end)
        f.begin(look)
        move = f.get(self._said(writer, wait, seat))
        f.put(at, f.let(f"add i64 {seat}, 1"))
        f.branch(f.let(f"icmp slt i64 {move}, 0"), head, on)
        f.begin(on)
        mark(f, MAY_REFUSE, 0)
        upper = f.let(f"shl i64 {seat}, 32")

        def taken(option: c.Option, place: int, move: str) -> None:
            self._bind(writer, option, move)
            f.give(f.let(f"or i64 {upper}, {place}"))

        self._by_option(writer, wait, move, taken)
        f.stop(Limit.EVENT)
        f.begin(end)
        f.give("-1")
        return f.text()

    def stated(self, writer: Writer, number: int, seat: int, me: int) -> str:
        """The option that the next player stated, or -1. The cells with the seat and with who acts are set."""
        f = writer.f
        found = f.value_of(f"@stated{number}({STATE}, i64 {self.load(writer, seat)})", "i64")
        who = f.let(f"ashr i64 {found}, 32")
        with f.when(f.let(f"icmp sge i64 {found}, 0")):
            self.store(writer, seat, f.let(f"add i64 {who}, 1"))
            self.store(writer, me, who)
            self.module.changed(f)
        return f.let(f"sub i64 {found}, {f.let(f'shl i64 {who}, 32')}")

    # ---- chance

    def _outcomes(self, number: int, wait: c.Chance) -> str:
        """The list of the outcomes, all alike."""
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
        """The list of the pieces that may come to light, each once."""
        f = Function(f"moves{number}", STATE, "ptr")
        entries = f.value_of(f"@drawn{number}({STATE})", "ptr")
        f.give(distinct(Values(f, self.module.constants), entries, self.module.hidden.entries))
        return f.text()

    # ---- `can`

    def _can(self, at: int, standing: c.Standing) -> str:
        """Whether an action has a legal instance, here and now, that nothing behind its steps refuses."""
        action = self.game.actions[standing.action]
        names = [f"%a{place}" for place in range(1 + len(action.parameters))]
        f = Function(f"can{at}", f"{STATE}, {', '.join(f'i64 {name}' for name in names)}", "i1")
        f.stop_if(f.let("call i1 @deeper(ptr %C)"), Limit.DEPTH)
        outer = f.get("%C.top", "ptr")
        f.do(f"%S.alone = getelementptr i8, ptr {self._copy(f)}, i64 0")
        for cell, name in zip(standing.cells, names, strict=False):
            self._put(f, "%S.alone", cell, name)
        self._put(f, "%S.alone", standing.back, "0")
        found, why = f.slot("i1"), f.slot("i32")
        f.put(found, "false", "i1")
        f.put(why, "0", "i32")
        mark(f, MAY_REFUSE, 1, "%S.alone")
        mark(f, TRIAL, 0, "%S.alone")
        if standing.choices:
            given = "".join(f", i64 {name}" for name in names)
            answer = f.let(f"call {{ i1, i32 }} @finds{at}(ptr %C, ptr %S.alone{given})")
            f.put(found, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
            f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        else:
            mark(f, PROBE, 1, "%S.alone")
            said = f.let(f"call i32 @run(ptr %C, ptr %S.alone, i32 {standing.entry})")
            f.put(why, said, "i32")
            with f.when(f.let(f"icmp eq i32 {said}, 0")):
                answer = f.let("call { i1, i32 } @has_any(ptr %C, ptr %S.alone)")
                f.put(found, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
                f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        f.do("call void @shallower(ptr %C)")
        f.put("%C.top", outer, "ptr")
        said = f.get(why, "i32")
        bad = f.let(f"icmp ne i32 {said}, 0")
        f.stop_if(f.let(f"and i1 {bad}, {f.let(f'icmp ne i32 {said}, {REFUSED}')}"), said)
        f.give(f.get(found, "i1"))
        return f.text()

    def _put(self, f: Function, state: str, cell: int, value: str) -> None:
        """A number into a cell of another state than `%S`."""
        held, values = self.layout.cells[cell], Values(f, self.module.constants)
        if isinstance(held.shape, Items | Mask):
            raise NotCarried("actions of collections about which it is asked whether they can be done")
        values.store(f.at(state, held.at), values.to(value, WORD, held.shape), held.shape, None)
        self.module.changed(f, state)

    def _finds(self, at: int, standing: c.Standing) -> str:
        """Whether an instance of an action is allowed that stands alone in a state: each is tried as soon as it is
        found."""
        unit = self.module.program.units[standing.lists]
        if not all(isinstance(self.module.parameter(standing.lists, var), Number) for var in unit.parameters):
            raise NotCarried("an action of collections about which it is asked whether it can be done")
        given = "".join(f", i64 %a{var.number}" for var in unit.parameters)
        f = Function(f"finds{at}", f"{STATE}{given}", "i1")
        writer = Writer(f, self.module, standing.lists)
        for var in unit.parameters:
            writer.keep(var.number, f"%a{var.number}")
        tried = self._copy(f)
        f.do(f"%T = getelementptr i8, ptr {tried}, i64 0")

        def found(row: c.Op) -> None:
            f.do("call i32 @copied(ptr %C, ptr %T, ptr %S)")
            mark(f, TRIAL, 1, "%T")
            mark(f, PROBE, 0, "%T")
            for arg, cell in zip(row.args, standing.choices, strict=True):
                held = self.layout.cells[cell]
                writer.store(f.at("%T", held.at), writer.in_shape(arg, held.shape), held.shape, None)
            self.module.changed(f, "%T")
            catches, f.catches = f.catches, []
            why = f.let(f"call i32 @run(ptr %C, ptr %T, i32 {standing.body})")
            with f.when(f.let(f"icmp eq i32 {why}, 0")):
                f.give("true")
            f.stop_if(f.let(f"icmp ne i32 {why}, {REFUSED}"), why)
            f.catches = catches

        writer.found = found
        writer.body(unit.body)
        return f.text()

    def _has_any(self) -> str:
        """Whether what the flow waits for, if it is a decision, has a legal instance."""
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
    """Whether no value has both shapes."""
    if isinstance(one, Number) and isinstance(two, Number) and not (one.optional and two.optional):
        return one.high < two.low or two.high < one.low
    return False


def _value_at(f: Function, at: str, of: t.Type) -> str:
    """The value at a place among a type's values."""
    match of:
        case t.Range(low=low):
            return f.let(f"add i64 {at}, {low}")
        case t.Optional(of=inner):
            none = f.let(f"icmp eq i64 {at}, 0")
            inside = _value_at(f, f.let(f"sub i64 {at}, 1"), inner)
            return f.let(f"select i1 {none}, i64 {NONE}, i64 {inside}")
    return at


def mark(f: Function, at: int, value: int, state: str = "%S") -> None:
    """Set a mark of a state."""
    f.put(f.at(state, at), value, "i8")


def marked(f: Function, at: int) -> str:
    """Whether a mark is set."""
    return f.let(f"icmp ne i8 {f.get(f.at('%S', at), 'i8')}, 0")
