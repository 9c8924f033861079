"""Native code for waits: which moves are legal, what they do, and whether there is one."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.spec import model as m
from ludex.spec import types as t

from ...information.decision_visibility import Concealed
from ..ir import code as c
from .action_tests import ActionTests
from .builder import Function, Limit
from .collection_values import once
from .expressions import ExpressionEmitter
from .hidden import distinct
from .option_moves import STATE, WORD_SHAPE, marked, set_flag
from .predicates import has_number
from .shapes import IDS, MAY_REFUSE, PROBE, ItemList, NotCarried, Number, Shape, join
from .statements import FunctionEmitter
from .values import ValueEmitter


class Decisions(ActionTests):
    """Prints the functions of all waits of a program: `moves`, `take`, `offers`, each with the number of its wait."""

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
            if query.recurs:
                yield self._is_asking(at, query)
            if query.choices:
                yield self._finds(at, query)
        if self.module.program.action_tests:
            yield self._has_any()

    def _take(self, number: int, wait: c.Decision) -> str:
        """Print the function that carries out the legal move with this number."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        set_flag(f, MAY_REFUSE, 1)
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

    def _moves(self, number: int, wait: c.Decision) -> str:
        """Print the list of the numbers of all legal moves, in order."""
        writer = self._writer(f"moves{number}", "", "ptr")
        f, shape = writer.f, self.moves_shape(number, wait)
        me = writer.number(wait.me)
        # Options are listed in the written order, which is that of `legal_moves`.
        first, *others = (self._listed(writer, number, at, option, me, shape) for at, option in enumerate(wait.options))
        whole = first
        for more in others:
            whole = writer.chained(whole, more, shape)
        # A move that two options of one name allow is listed once, in its first place.
        if self._repeats(wait.options):
            whole = once(writer, whole, shape, shape)
        declines = self._declines(number, wait)
        if declines != "never":
            slot = f.slot("ptr")
            f.put(slot, writer.copied(whole, shape), "ptr")
            none = f.let(f"icmp eq i64 {writer.size(whole)}, 0")
            # Declining is the last move, as random play numbers the moves.
            with f.when("true" if declines == "always" else none):
                writer.append(slot, "0", shape, Number(0, 0))
            whole = f.get(slot, "ptr")
        f.give(whole)
        return f.text()

    def deciding(self, writer: FunctionEmitter, number: int, wait: c.Waiting | None) -> str:
        """Emit the seats that must decide, as a bit mask."""
        f = writer.f
        if isinstance(wait, c.Decision):
            return f.let(f"shl i64 1, {writer.number(wait.me)}")
        if not isinstance(wait, c.Together):
            return "0"
        mask = f.slot("i64")
        f.put(mask, 0)
        for seat in range(self.game.players):
            with f.when(self._waits(writer, number, wait, seat)):
                f.put(mask, f.let(f"or i64 {f.get(mask)}, {1 << seat}"))
        return f.get(mask)

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
                    # Compared without a sign, a number before those of the seat is too large as well.
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
                # If this option does not allow the move, another one of its name may.
                with f.when(self._admits(writer, number, (at, option), me, move)):
                    f.give("true")
            # A move without a number of its own is one that the option has listed, so only a trial may refuse it.
            elif option.refusable:
                f.give(f.value_of(self._trial_of(number, at, option, move_, move), "i1"))
            else:
                f.give("true")

        self._by_option(writer, wait, move, judged)
        f.give("false")

    def _admits(self, writer: FunctionEmitter, number: int, where: tuple[int, c.Option], me: str, move: str) -> str:
        """Emit the test whether an option allows the move with this number."""
        f, (at, option) = writer.f, where
        values = [(me, WORD_SHAPE), *((value, shape) for value, shape, _ in self._values(writer, option, move))]
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

    def _together(self, number: int, wait: c.Together) -> str:
        """Print the test whether somebody still has to state a choice."""
        writer = self._writer(f"together{number}", "", "i1")
        f = writer.f
        # As in `_offers`, a probe ends at the decision.
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
                    # A player without a move is asked, too, since the others cannot know that: only to decline is left.
                    with f.when(f.let(f"icmp eq i64 {writer.size(f.get(whole, 'ptr'))}, {before}")):
                        writer.append(whole, str(seat * self.numbers.size), IDS, None)
        f.give(f.get(whole, "ptr"))
        return f.text()

    def _take_together(self, number: int, wait: c.Together) -> str:
        """Print the function that records the choice of a player."""
        writer = self._writer(f"take{number}", ", i64 %id", None)
        f = writer.f
        set_flag(f, MAY_REFUSE, 1)
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
        # All have chosen by now, so nothing after a choice can refuse it: what fails is a fault of the rules.
        set_flag(f, MAY_REFUSE, 0)
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

    def _outcomes(self, number: int, wait: c.Chance) -> str:
        """Print the list of the outcomes, which are equally likely."""
        domain = wait.statement.domain
        # Items that are equal are one outcome, with a probability that the list of outcomes does not show.
        if not isinstance(domain, m.IntervalExpr | m.AllValues) and not isinstance(domain.type, t.SetOf):
            raise NotCarried("chance over items that may be equal")
        f = Function(f"moves{number}", STATE, "ptr")
        f.give(f.value_of(f"@u{wait.lists}({STATE})", "ptr"))
        return f.text()

    def _take_chance(self, number: int, wait: c.Chance) -> str:
        writer = self._writer(f"take{number}", ", i64 %id", None)
        # No requirement refuses an outcome of chance: one that fails after it is a fault of the rules.
        set_flag(writer.f, MAY_REFUSE, 0)
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
