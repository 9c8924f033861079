"""Native code for offers: whether a decision has something to choose, as far as the public state tells."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.spec import model as m

from ...information.decision_visibility import Concealed
from ..ir import code as c
from .builder import FAULT, LAST, NONE, REFUSED, Function, Limit
from .option_moves import STATE, OptionMoves, marked, set_flag
from .shapes import MAY_REFUSE, PROBE, PUBLIC, TRIAL_AT, ArgumentRow, ItemList, Number, Shape, known
from .statements import FunctionEmitter
from .values import ValueEmitter
from .zones import Zones


class Offers(OptionMoves):
    """Prints the functions that test decisions for a legal move, in the state and in a copy of the public state."""

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

    def _offers(self, number: int, wait: c.Decision | c.Together) -> str:
        """Print the test whether the decision has something to choose, as far as the public state tells."""
        writer = self._writer(f"offers{number}", ", i64 %me", "i1")
        f, concealed = writer.f, self.layout.concealed(wait)
        # `can` searches the next decision itself, even one without options.
        with f.when(marked(f, PROBE)):
            f.give("true")
        # The rules may name no player who decides.
        with f.when(f.let(f"icmp eq i64 %me, {NONE}")):
            f.put(f.context("site"), self.module.site(c.Fail("nobody", wait.statement.path, wait.statement.span)))
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
            # The copy has the stamp of the state, and with it results that were memoized for other contents.
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
        with f.when(f.let(f"and i1 {some}, {marked(f, TRIAL_AT)}")):
            f.give("true")
        with f.counted("0", values.size(rows)) as place:
            f.do(f"%row{at} = getelementptr i8, ptr {values.at(rows, place, shape)}, i64 0")
            top = f.get(f.context("top"), "ptr")
            why = f.let(f"call i32 @seen{number}_{at}(ptr %C, ptr {self._copy(f, public)}, ptr %row{at})")
            f.put(f.context("top"), top, "ptr")
            with f.when(f.let(f"icmp ne i32 {why}, {REFUSED}")):
                self._answered(f, why)
                f.give("true")

    def _try(self, number: int, at: int, option: c.Option) -> str:
        """Print the trial of what may be an instance, in a copy of the public state."""
        assert option.seen is not None
        writer = self._writer(f"seen{number}_{at}", ", ptr %row", None)
        f, shape = writer.f, self.module.shapes.returns[option.seen]
        set_flag(f, MAY_REFUSE, 1)
        set_flag(f, TRIAL_AT, 1)
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
        for at, value in ((PUBLIC, 1), (MAY_REFUSE, 1), (TRIAL_AT, 0), (PROBE, 0)):
            set_flag(f, at, value)
        next_ = f.slot("i64")
        # Each veiled piece gets a number of its own, since it is equal to itself and perhaps to no other.
        f.put(next_, self.layout.floor - 1)
        for at in self.layout.seals.values():
            f.put(f.at("%S", at), 1, "i8")
        for element in self.layout.concealment.elements:
            if element.is_zone:
                with f.counted(str(element.offset), str(element.offset + element.count)) as cell:
                    self._veil_zone(writer, element, Zones(writer, self.layout, None).address(element, cell), next_)
        f.stop_if(f.let(f"icmp slt i64 {f.get(next_)}, {self.layout.floor - self.layout.veil_count}"), Limit.VEILS)
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
                least = self.layout.floor - self.layout.veil_count
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
        trial = marked(f, TRIAL_AT)
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
                set_flag(f, TRIAL_AT, 1)
                f.put(leading, f.let(f"or i1 {f.get(leading, 'i1')}, {self.unit(f, option.offers, '%me')}"), "i1")
                f.put(f.at("%S", TRIAL_AT), f.let(f"zext i1 {trial} to i8"), "i8")
        # A decision counts as an event once the leading requirements of an instance hold (docs/language.md, Legality):
        # after it nothing refuses the move that led here any more.
        with f.when(f.get(leading, "i1")):
            set_flag(f, MAY_REFUSE, 0)
        f.give("false")
        return f.text()
