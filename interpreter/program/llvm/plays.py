"""Native code for whole plays: results, random events, legality of recorded events, perft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ludex.spec import CALLS

from ..ir import code as c
from . import infer
from .builder import CONTEXT, NONE, Function, Limit
from .decisions import Decisions
from .hidden import chosen, counted_entries
from .objects import METHOD_CODE
from .option_moves import STATE, WORD_SHAPE
from .prelude import EVENT_CODE, JUDGES, PLAYS, STATE_ENTRIES, WIDE_CODE
from .shapes import HEADER, ItemList, NotCarried, Number
from .statements import FunctionEmitter
from .values import ValueEmitter

if TYPE_CHECKING:
    from .module import Module

LONG_LIST = 512
"""The size in bytes of a list from which on only the part in use is copied."""


class Plays:
    """Prints the functions that Python calls, and their helpers."""

    def __init__(self, module: Module, decisions: Decisions) -> None:
        self.module, self.decisions, self.game, self.layout = module, decisions, module.game, module.layout

    def functions(self) -> Iterator[str]:
        yield self._copied()
        yield self._points()
        yield self._winners()
        yield self._deciding()
        yield self._ways()
        yield self._all_moves()
        yield self._all_drawn()
        yield EVENT_CODE
        yield self._wide_function()
        yield self._apply()
        yield self._step()
        yield self._perft()
        yield self._legal()
        yield self._judge()
        game = self.game
        yield self._begun()
        yield STATE_ENTRIES
        yield PLAYS.format(C=CONTEXT, players=game.players, limit=int(Limit.WORK))
        yield JUDGES
        yield METHOD_CODE.format(C=CONTEXT, size=self.layout.size, calls=CALLS, memory=int(Limit.MEMORY))

    def _begun(self) -> str:
        """Print the run to the first event."""
        f = Function("begun", STATE, None)
        self.module.go_on(f, self.module.program.first)
        return f.text()

    def _copied(self) -> str:
        """Print the copy of a state without the unused ends of long lists and without unused pools."""
        f, layout, copied = Function("copied", "ptr %C, ptr noalias %to, ptr noalias %from", None), self.layout, 0

        def copy(size: int | str) -> None:
            to, from_ = f.at("%to", copied), f.at("%from", copied)
            f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {from_}, i64 {size}, i1 false)")

        for cell in layout.cells:
            if isinstance(cell.shape, ItemList) and cell.shape.bytes >= LONG_LIST:
                copy(cell.at + HEADER - copied)
                copied = cell.at + HEADER
                many = f.let(f"zext i32 {f.get(f.at('%from', cell.at), 'i32')} to i64")
                copy(f.let(f"mul i64 {many}, {cell.shape.stride}"))
                copied = cell.at + cell.shape.bytes
        size: int | str = layout.size - copied
        if layout.hides and layout.size - layout.pools >= LONG_LIST:
            pools = f.let(f"mul i64 {f.get(f.at('%from', layout.pools))}, {self.module.hidden.pool.bytes}")
            size = f.let(f"add i64 {pools}, {layout.pools + 8 - copied}")
        copy(size)
        f.give("0")
        # A state without long lists is one block of constant size, whose copy is shorter than a call.
        return f.text("alwaysinline" if copied == 0 else "")

    def _of_player(self, values: ValueEmitter, unit: int, player: int) -> str:
        return values.to(self.decisions.unit(values.f, unit, str(player)), self.module.shapes.returns[unit], WORD_SHAPE)

    def _points(self) -> str:
        """Print the function that stores every seat's points in an array."""
        f = Function("points", f"{STATE}, ptr %out", None)
        values = ValueEmitter(f, self.module.constants)
        for player in range(self.game.players):
            total = "0"
            for _, unit in self.module.program.scores:
                points = self._of_player(values, unit, player)
                # Each clause fits into a word, and all of them together may not.
                total = f.checked("sadd", total, points)
            f.put(f.at("%out", player, "i64"), total)
        f.give("0")
        return f.text()

    def _winners(self) -> str:
        """Print the function that returns the winners, as a bit mask of seats."""
        f = Function("winners", STATE, "i64")
        values = ValueEmitter(f, self.module.constants)
        # At first all players are level; each criterion leaves those with the best value.
        level = str(2**self.game.players - 1 if self.module.program.winner else 0)
        for criterion, unit in self.module.program.winner:
            # The players who are still level share the victory.
            if criterion.kind == "share" or unit is None:
                break
            best, winners = f.slot("i64"), f.slot("i64")
            highest = criterion.kind == "highest"
            # The search begins with the worst number of all, so that the first player's value replaces it.
            f.put(best, NONE if highest else -NONE - 1)
            f.put(winners, 0)
            for player in range(self.game.players):
                with f.when(f.let(f"icmp ne i64 {f.let(f'and i64 {level}, {1 << player}')}, 0")):
                    points = self._of_player(values, unit, player)
                    with f.when(f.let(f"icmp {'sgt' if highest else 'slt'} i64 {points}, {f.get(best)}")):
                        f.put(best, points)
                        f.put(winners, 0)
                    with f.when(f.let(f"icmp eq i64 {points}, {f.get(best)}")):
                        f.put(winners, f.let(f"or i64 {f.get(winners)}, {1 << player}"))
            level = f.get(winners)
            with f.when(f.let(f"icmp eq i64 {f.let(f'call i64 @llvm.ctpop.i64(i64 {level})')}, 1")):
                f.give(level)
        f.give(level)
        return f.text()

    def _deciding(self) -> str:
        """Print the function that returns who must decide, as a bit mask of seats."""
        writer = FunctionEmitter(Function("deciding", STATE, "i64"), self.module, infer.BLOCKS)
        for number in self._by_wait(writer.f):
            wait = self.module.program.waits[number]
            writer.f.give(self.decisions.deciding(writer, number, wait))
        writer.f.give("0")
        return writer.f.text()

    def _ways(self) -> str:
        """Print the function that stores in how many equally likely ways each of the listed outcomes comes."""
        f = Function("ways", f"{STATE}, ptr %out", None)
        values = ValueEmitter(f, self.module.constants)
        for number in self._by_wait(f):
            match self.module.program.waits[number]:
                case c.Chance():
                    # Chance over items that may be equal is not supported, so each outcome comes in one way.
                    with f.counted("0", values.size(f.value_of(f"@moves{number}({STATE})", "ptr"))) as at:
                        f.put(f.at("%out", at, "i64"), "1")
                case c.Hidden():
                    entries = f.value_of(f"@drawn{number}({STATE})", "ptr")
                    counted_entries(values, entries, self.module.hidden.entries, "%out")
            f.give("0")
        f.give("0")
        return f.text()

    def _waits(self) -> list[tuple[int, c.Waiting]]:
        return [(number, each) for number, each in enumerate(self.module.program.waits) if each is not None]

    def _by_wait(self, f: Function) -> Iterator[int]:
        """Emit a switch over the waits; the code after it runs at the end of the game."""
        labels = [(number, f.label()) for number, _ in self._waits()]
        end = f.label()
        f.switch(f.get("%S", "i32"), labels, end)
        for number, label in labels:
            f.begin(label)
            yield number
        f.begin(end)

    def _all_moves(self) -> str:
        """Print the list of possible events."""
        f = Function("moves", STATE, "ptr")
        for number in self._by_wait(f):
            f.give(f.value_of(f"@moves{number}({STATE})", "ptr"))
        f.give("@empty")
        return f.text("alwaysinline")

    def _all_drawn(self) -> str:
        """Print the list of entries of which one is revealed, where that is awaited."""
        f = Function("drawn", STATE, "ptr")
        for number in self._by_wait(f):
            if isinstance(self.module.program.waits[number], c.Hidden):
                f.give(f.value_of(f"@drawn{number}({STATE})", "ptr"))
            else:
                f.stop(Limit.EVENT)
        f.stop(Limit.EVENT)
        return f.text("alwaysinline")

    @staticmethod
    def _wide(f: Function) -> str:
        """Emit the size of an event in the list of possible events, in bytes."""
        return f.let("call i64 @wide(ptr %S)")

    def _wide_function(self) -> str:
        shapes = {number: self.decisions.moves_shape(number, wait) for number, wait in self._waits()}
        for number, wait in self._waits():
            item = shapes[number].item
            if isinstance(wait, c.Chance) and isinstance(item, Number) and item.optional:
                raise NotCarried("an outcome of chance that may be none")
        wide = {number: shape.stride for number, shape in shapes.items()}
        if len({*wide.values()}) <= 1:
            return f"define internal i64 @wide(ptr %S) alwaysinline {{\n  ret i64 {max(wide.values(), default=1)}\n}}\n"
        numbers = range(len(self.module.program.waits))
        table = self.module.constants.of_bytes(bytes(wide.get(number, 1) for number in numbers))
        return WIDE_CODE.format(table=table)

    def _judge(self) -> str:
        """Print the function that counts how many events of an array are legal, one after another."""
        f = Function("judged", f"{STATE}, ptr %ids, i64 %many", "i64")
        outer = f.get(f.context("top"), "ptr")
        with f.counted("0", "%many") as at:
            event = f.get(f.at("%ids", at, "i64"))
            legal = f.value_of(f"@legal({STATE}, i64 {event})", "i1")
            f.put(f.context("top"), outer, "ptr")
            with f.when(f.let(f"xor i1 {legal}, true")):
                f.give(at)
            why = f.let(f"call i32 @applied({STATE}, i64 {event})")
            f.put(f.context("top"), outer, "ptr")
            f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        f.give("%many")
        return f.text()

    def _legal(self) -> str:
        """Print the legality test of an event."""
        f = Function("legal", f"{STATE}, i64 %id", "i1")
        for number in self._by_wait(f):
            f.give(f.value_of(f"@legal{number}({STATE}, i64 %id)", "i1"))
        f.give("false")
        return f.text("alwaysinline")

    def _apply(self) -> str:
        """Print the function that plays one of the listed events."""
        f = Function("applied", f"{STATE}, i64 %id", None)
        for number in self._by_wait(f):
            f.give(f.let(f"call i32 @take{number}({STATE}, i64 %id)"))
        f.stop(Limit.EVENT)
        return f.text()

    def _step(self) -> str:
        """Print the function that plays one random event; it returns 1 at the end of the game."""
        f = Function("step", STATE, None)
        values, outer, event = ValueEmitter(f, self.module.constants), f.get(f.context("top"), "ptr"), f.slot("i64")
        with f.when(f.let(f"icmp eq i32 {f.get('%S', 'i32')}, 0")):
            f.give("1")
        listed, drawn, on = f.label(), f.label(), f.label()
        hidden = [number for number, wait in self._waits() if isinstance(wait, c.Hidden)]
        f.switch(f.get("%S", "i32"), [(number, drawn) for number in hidden], listed)
        f.begin(drawn)
        if hidden:
            # A piece is drawn from the entries themselves, so that no list of outcomes is made.
            entries = f.value_of(f"@drawn({STATE})", "ptr")
            f.put(event, chosen(values, entries, self.module.hidden.entries))
        f.jump(on)
        f.begin(listed)
        events = f.value_of(f"@moves({STATE})", "ptr")
        size = values.size(events)
        # A draw below 0 has no result.
        f.stop_if(f.let(f"icmp eq i64 {size}, 0"), Limit.EVENT)
        at = f.let(f"call i64 @below(ptr {f.context('random')}, i64 {size})")
        f.put(event, f.let(f"call i64 @event(ptr {events}, i64 {at}, i64 {self._wide(f)})"))
        f.begin(on)
        f.put(f.context("top"), outer, "ptr")
        why = f.let(f"call i32 @applied({STATE}, i64 {f.get(event)})")
        f.put(f.context("top"), outer, "ptr")
        f.give(why)
        return f.text()

    def _perft(self) -> str:
        """Print perft: count the sequences of events of a given length."""
        f = Function("perft", f"{STATE}, i64 %depth", "i64")
        values, outer = ValueEmitter(f, self.module.constants), f.get(f.context("top"), "ptr")
        with f.when(f.let("icmp eq i64 %depth, 0")):
            f.give("1")
        events = f.value_of(f"@moves({STATE})", "ptr")
        size, wide = values.size(events), self._wide(f)
        # The leaves are counted, and not played.
        with f.when(f.let("icmp eq i64 %depth, 1")):
            f.put(f.context("top"), outer, "ptr")
            f.give(size)
        values.spend(size)
        total = f.slot("i64")
        f.put(total, 0)
        copy = values.new(str(self.layout.size), ItemList(Number(0, 1)))
        inner = f.get(f.context("top"), "ptr")
        less = f.let("sub i64 %depth, 1")
        with f.counted("0", size) as at:
            f.let(f"call i32 @copied(ptr %C, ptr {copy}, ptr %S)")
            event = f.let(f"call i64 @event(ptr {events}, i64 {at}, i64 {wide})")
            why = f.let(f"call i32 @applied(ptr %C, ptr {copy}, i64 {event})")
            # What playing the event has used is free again; the copy and the list of events stay.
            f.put(f.context("top"), inner, "ptr")
            f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
            below = f.value_of(f"@perft(ptr %C, ptr {copy}, i64 {less})", "i64")
            f.put(total, f.let(f"add i64 {f.get(total)}, {below}"))
        f.put(f.context("top"), outer, "ptr")
        f.give(f.get(total))
        return f.text()
