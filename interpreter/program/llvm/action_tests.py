"""Native code for `can`: whether an action can be done, in a trial of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.spec import NESTED_CAN

from ..ir import code as c
from .builder import REFUSED, Function, Limit
from .offers import Offers
from .option_moves import STATE, WORD_SHAPE, is_passed, set_flag
from .shapes import MAY_REFUSE, PROBE, TRIAL_AT, ItemList, Mask, NotCarried, Number
from .statements import FunctionEmitter
from .values import ValueEmitter


class ActionTests(Offers):
    """Prints the functions that test whether an action can be done."""

    def _can(self, at: int, query: c.ActionTest) -> str:
        """Print the test whether an action has a legal instance now that nothing after its steps refuses."""
        action = self.game.actions[query.action]
        names = [f"%a{place}" for place in range(1 + len(action.parameters))]
        f = Function(f"can{at}", f"{STATE}, {', '.join(f'i64 {name}' for name in names)}", "i1")
        outer = f.get(f.context("top"), "ptr")
        f.do(f"%S.alone = getelementptr i8, ptr {self._copy(f)}, i64 0")
        # The cells after those of the parameters are of choices and local names, which nothing has set yet.
        for cell, name in zip(query.cells, names, strict=False):
            self._put(f, "%S.alone", cell, name)
        # The action returns to block 0, the end of play: nothing that would follow it counts.
        self._put(f, "%S.alone", query.back, "0")
        is_allowed, why = f.slot("i1"), f.slot("i32")
        f.put(is_allowed, "false", "i1")
        f.put(why, "0", "i32")
        set_flag(f, MAY_REFUSE, 1, "%S.alone")
        set_flag(f, TRIAL_AT, 0, "%S.alone")
        outside = self._asks(f, at, names) if query.recurs else ""
        if query.choices:
            given = "".join(f", i64 {name}" for name in names)
            answer = f.let(f"call {{ i1, i32 }} @finds{at}(ptr %C, ptr %S.alone{given})")
            f.put(is_allowed, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
            f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        else:
            # Without choices the action itself is run. The probe ends it at the next decision, whatever that offers,
            # and `has_any` then tests whether there is a legal move.
            set_flag(f, PROBE, 1, "%S.alone")
            reason = f.let(f"call i32 @run(ptr %C, ptr %S.alone, i32 {query.entry})")
            f.put(why, reason, "i32")
            with f.when(f.let(f"icmp eq i32 {reason}, 0")):
                answer = f.let("call { i1, i32 } @has_any(ptr %C, ptr %S.alone)")
                f.put(is_allowed, f.let(f"extractvalue {{ i1, i32 }} {answer}, 0"), "i1")
                f.put(why, f.let(f"extractvalue {{ i1, i32 }} {answer}, 1"), "i32")
        if query.recurs:
            f.put(f.context("asking"), outside, "ptr")
        f.put(f.context("top"), outer, "ptr")
        reason = f.get(why, "i32")
        bad = f.let(f"icmp ne i32 {reason}, 0")
        f.stop_if(f.let(f"and i1 {bad}, {f.let(f'icmp ne i32 {reason}, {REFUSED}')}"), reason)
        f.give(f.get(is_allowed, "i1"))
        return f.text()

    def _asks(self, f: Function, at: int, names: Sequence[str]) -> str:
        """Emit code that adds the test under way to the list of all such tests; return the record of the enclosing one.

        A record has the next one's address, the number of the test, the player and the arguments.
        """
        record, outside = f.slot(f"[{2 + len(names)} x i64]"), f.get(f.context("asking"), "ptr")
        f.put(record, outside, "ptr")
        for place, value in enumerate((str(at), *names), start=1):
            f.put(f.at(record, 8 * place), value)
        f.put(f.context("asking"), record, "ptr")
        return outside

    def _is_asking(self, at: int, query: c.ActionTest) -> str:
        """Print the test whether the same test is under way: whether the action can be done depends on itself.

        It stops if too many of any action are under way, since it counts them.
        """
        names = [f"%a{place}" for place in range(1 + len(self.game.actions[query.action].parameters))]
        f = Function(f"asking{at}", f"ptr %C, {', '.join(f'i64 {name}' for name in names)}", "i1")
        record, count, look, compare, on, end = f.slot("ptr"), f.slot("i64"), *(f.label() for _ in range(4))
        f.put(record, f.get(f.context("asking"), "ptr"), "ptr")
        f.put(count, "0")
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
        f.put(count, f.let(f"add i64 {f.get(count)}, 1"))
        f.jump(look)
        f.begin(end)
        f.stop_if(f.let(f"icmp uge i64 {f.get(count)}, {NESTED_CAN}"), Limit.CAN)
        f.give("false")
        return f.text()

    def _put(self, f: Function, state: str, cell: int, value: str) -> None:
        """Store a number in a cell of another state than `%S`."""
        slot, values = self.layout.cells[cell], ValueEmitter(f, self.module.constants)
        if isinstance(slot.shape, ItemList | Mask):
            raise NotCarried("actions of collections about which it is asked whether they can be done")
        values.store(f.at(state, slot.at), values.to(value, WORD_SHAPE, slot.shape), slot.shape, None)
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
            f.let("call i32 @copied(ptr %C, ptr %T, ptr %S)")
            set_flag(f, TRIAL_AT, 1, "%T")
            set_flag(f, PROBE, 0, "%T")
            for arg, cell in zip(row.args, query.choices, strict=True):
                slot = self.layout.cells[cell]
                writer.store(f.at("%T", slot.at), writer.in_shape(arg, slot.shape), slot.shape, None)
            self.module.changed(f, "%T")
            # What stops the trial is not a fault of the listing, whose attempts would catch it.
            with f.uncaught():
                why = f.let(f"call i32 @run(ptr %C, ptr %T, i32 {query.body})")
                with f.when(is_passed(f, why)):
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
        set_flag(f, PROBE, 0)
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
