"""Native code for whole plays: results, one random event, the tree of all that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .. import code as c
from .decisions import STATE, WORD, Decisions
from .hidden import chosen
from .prelude import PLAYS
from .shapes import NONE, Flag, Items, Number
from .text import LIMIT, Function
from .values import Values

if TYPE_CHECKING:
    from .whole import Whole


class Plays:
    """Prints what Python calls, and what that calls."""

    def __init__(self, whole: Whole, decisions: Decisions) -> None:
        self.whole, self.decisions, self.game, self.layout = whole, decisions, whole.game, whole.layout

    def functions(self) -> Iterator[str]:
        yield self._points()
        yield self._winners()
        yield self._move_list()
        yield self._apply()
        yield self._step()
        yield self._perft()
        game = self.game
        yield PLAYS.format(size=self.layout.size, players=game.players, first=self.whole.program.first, limit=LIMIT)

    def _of_player(self, values: Values, unit: int, player: int) -> str:
        return values.to(self.decisions.unit(values.f, unit, str(player)), self.whole.shapes.returns[unit], WORD)

    def _points(self) -> str:
        """Every seat's points, into an array."""
        f = Function("points", f"{STATE}, ptr %out", None)
        values = Values(f, self.whole.constants)
        for player in range(self.game.players):
            total = "0"
            for _, unit in self.whole.program.scores:
                total = f.let(f"add i64 {total}, {self._of_player(values, unit, player)}")
            f.put(f.at("%out", player, "i64"), total)
        f.give("0")
        return f.text()

    def _winners(self) -> str:
        """Who has won, as a mask of seats."""
        f = Function("winners", STATE, "i64")
        values = Values(f, self.whole.constants)
        level = str(2**self.game.players - 1 if self.whole.program.winner else 0)
        for criterion, unit in self.whole.program.winner:
            if criterion.kind == "share" or unit is None:
                break
            best, kept = f.slot("i64"), f.slot("i64")
            highest = criterion.kind == "highest"
            f.put(best, NONE if highest else -NONE - 1)
            f.put(kept, 0)
            for player in range(self.game.players):
                with f.when(f.let(f"icmp ne i64 {f.let(f'and i64 {level}, {1 << player}')}, 0")):
                    points = self._of_player(values, unit, player)
                    with f.when(f.let(f"icmp {'sgt' if highest else 'slt'} i64 {points}, {f.get(best)}")):
                        f.put(best, points)
                        f.put(kept, 0)
                    with f.when(f.let(f"icmp eq i64 {points}, {f.get(best)}")):
                        f.put(kept, f.let(f"or i64 {f.get(kept)}, {1 << player}"))
            level = f.get(kept)
            with f.when(f.let(f"icmp eq i64 {f.let(f'call i64 @llvm.ctpop.i64(i64 {level})')}, 1")):
                f.give(level)
        f.give(level)
        return f.text()

    def _by_wait(self, f: Function) -> Iterator[tuple[int, c.Waiting]]:
        """What is written for each thing that may be waited for; behind it stands what follows at the end."""
        waits = [(number, f.label(), each) for number, each in enumerate(self.whole.program.waits) if each is not None]
        end = f.label()
        f.switch(f.get("%S", "i32"), [(number, label) for number, label, _ in waits], end)
        for number, label, each in waits:
            f.begin(label)
            yield number, each
        f.begin(end)

    def _events(self, values: Values, number: int, wait: c.Waiting) -> tuple[str, Items, Number | Flag]:
        """The list of what may happen."""
        shape = self.decisions.moves_shape(number, wait)
        assert isinstance(shape.item, Number | Flag)
        return values.f.value_of(f"@moves{number}({STATE})", "ptr"), shape, shape.item

    @staticmethod
    def _event(values: Values, listed: str, at: str, shape: Items, item: Number | Flag) -> str:
        return values.to(values.load(values.at(listed, at, shape), item), item, WORD)

    def _move_list(self) -> str:
        """What may happen, into an array of so much room; how many there are."""
        f = Function("listed", f"{STATE}, ptr %out, i64 %room", "i64")
        outer = f.get("%C.top", "ptr")
        for number, wait in self._by_wait(f):
            values = Values(f, self.whole.constants)
            found, shape, item = self._events(values, number, wait)
            size = values.size(found)
            f.stop_if(f.let(f"icmp sgt i64 {size}, %room"), LIMIT)
            with f.counted("0", size) as at:
                f.put(f.at("%out", at, "i64"), self._event(values, found, at, shape, item))
            f.put("%C.top", outer, "ptr")
            f.give(size)
        f.give("0")
        return f.text()

    def _apply(self) -> str:
        """What happens is one of the listed."""
        f = Function("applied", f"{STATE}, i64 %id", None)
        for number, _ in self._by_wait(f):
            f.give(f.let(f"call i32 @take{number}({STATE}, i64 %id)"))
        f.stop(LIMIT)
        return f.text()

    def _step(self) -> str:
        """One random event; 1 at the end."""
        f = Function("step", STATE, None)
        outer = f.get("%C.top", "ptr")
        for number, wait in self._by_wait(f):
            values = Values(f, self.whole.constants)
            if isinstance(wait, c.Hidden):
                entries = f.value_of(f"@drawn{number}({STATE})", "ptr")
                event = chosen(values, entries, self.whole.hidden.entries)
            else:
                found, shape, item = self._events(values, number, wait)
                size = values.size(found)
                f.stop_if(f.let(f"icmp eq i64 {size}, 0"), LIMIT)
                at = f.let(f"call i64 @below(ptr %C.random, i64 {size})")
                event = self._event(values, found, at, shape, item)
            f.put("%C.top", outer, "ptr")
            why = f.let(f"call i32 @take{number}({STATE}, i64 {event})")
            f.put("%C.top", outer, "ptr")
            f.give(why)
        f.give("1")
        return f.text()

    def _perft(self) -> str:
        """How many ways there are to play so many events from here."""
        f = Function("perft", f"{STATE}, i64 %depth", "i64")
        outer = f.get("%C.top", "ptr")
        with f.when(f.let("icmp eq i64 %depth, 0")):
            f.give("1")
        for number, wait in self._by_wait(f):
            values = Values(f, self.whole.constants)
            found, shape, item = self._events(values, number, wait)
            size = values.size(found)
            with f.when(f.let("icmp eq i64 %depth, 1")):
                f.put("%C.top", outer, "ptr")
                f.give(size)
            values.spend(size)
            total = f.slot("i64")
            f.put(total, 0)
            copy = values.new(str(self.layout.size), Items(Number(0, 1)))
            inner = f.get("%C.top", "ptr")
            less = f.let("sub i64 %depth, 1")
            with f.counted("0", size) as at:
                f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {copy}, ptr %S, i64 {self.layout.size}, i1 false)")
                event = self._event(values, found, at, shape, item)
                why = f.let(f"call i32 @take{number}(ptr %C, ptr {copy}, i64 {event})")
                f.put("%C.top", inner, "ptr")
                f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
                below = f.value_of(f"@perft(ptr %C, ptr {copy}, i64 {less})", "i64")
                f.put(total, f.let(f"add i64 {f.get(total)}, {below}"))
            f.put("%C.top", outer, "ptr")
            f.give(f.get(total))
        f.give("0")
        return f.text()
