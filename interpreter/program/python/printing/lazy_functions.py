"""Lazy compilation: each function of a program is printed and compiled when it is first called.

Code that a play never reaches costs nothing, and the first moves are ready before the rest of the game is compiled.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import count
from threading import RLock
from typing import Any, cast

from ludex.grammar import seldom_collecting
from ludex.spec import NoValue, deeper_recursion
from ludex.spec import types as t

from ....information.decision_visibility import Concealment
from ....state.contents import Ticket
from ...ir import code as c
from ...ir import three_valued
from ...ir.moves import Numbers
from ...ir.operations import FUNCTIONS, copies
from ...ir.refusals import Refusals
from ...ir.traversal import statements
from ..runtime import STEPS, Fault, Refusing, Runtime, bag_minus_, bag_union, there
from ..state import State
from .expressions import is_table
from .printer import Printer

_NAMES: Mapping[str, Any] = {
    "bisect_left": bisect_left,
    "bisect_right": bisect_right,
    **three_valued.OPERATIONS,
    "Fault": Fault,
    "Ticket": Ticket,
    "Undecided": (NoValue, three_valued.Undetermined),
    "Refusing": Refusing,
    "top": lambda held: held[-1] if held else None,
    "only": lambda held: () if held is None else (held,),
    "there": there,
    "is_part": FUNCTIONS["is_part"],
    "fitting": FUNCTIONS["fitting"],
    "bag_union": bag_union,
    "bag_minus_": bag_minus_,
    "fits": t.contains,
    "copies": copies,
    "position": t.position,
}


class MemoDict(dict[Any, Any]):
    """A memo table: the results of a function that reads no state, by its arguments."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self._function(key)
        return value


class Loaded(Runtime):
    """The runtime of one program, with its compiled functions.

    Each has a letter and a number: u, a unit; x, a unit with its attempts (`optimistic.py`); y, a unit as a generator;
    b, a block; t, a block that reports to a tracer; l, the moves of a decision; g, those of a player in a simultaneous
    decision; o, who has a choice there.

    often: after so many calls, the units in a function are lowered once more, for speed; never, if 0.
    again: does so with the unit of this number, and returns whether it could.
    """

    def __init__(
        self,
        program: c.Program,
        numbers: Numbers,
        concealment: Concealment,
        refusals: Callable[[], Refusals],
        often: int,
        again: Callable[[int], bool],
    ) -> None:
        super().__init__(program, numbers, concealment, refusals)
        self._lock, self._often, self._again = RLock(), often, again
        self._before: list[c.Unit] = []
        self._names: dict[str, Any] = {**_NAMES, "R": self, "M": self.meter, "T": STEPS, "look": self.look}
        self._printer = Printer(program, self, values=self._names, is_fast=not often)
        self.keeps = self._printer.keeps
        # Few units are compiled as generators or with their attempts, so that their stubs are made one by one.
        self._held: dict[str, list[Any] | dict[int, Any]] = {"x": {}, "y": {}}
        self.units = self._those("u", 0)
        self._add_units()
        for number in self._printer.yielded():
            self._stub("y", number)
        self.yielding = cast("dict[int, Any]", self._held["y"])
        self.blocks = self._those("b", len(program.blocks))
        self.listers = self._those("l", len(program.waits))
        self.choosing = self._those("g", len(program.waits))
        self.offering = self._those("o", len(program.waits))
        for number, wait in enumerate(program.waits):
            if not isinstance(wait, c.Decision):
                self.listers[number] = None

    @cached_property
    def traced(self) -> list[Callable[[State, list[Any]], int]]:
        """The blocks in the variant that reports to a tracer."""
        return self._those("t", len(self.program.blocks))

    def _those(self, letter: str, count: int) -> list[Any]:
        """Make stubs for all functions of this kind that there are none for yet."""
        functions = cast("list[Any]", self._held.setdefault(letter, []))
        stubs = {number: partial(self._first, letter, number) for number in range(len(functions), count)}
        functions += stubs.values()
        self._names.update((f"{letter}{number}", stub) for number, stub in stubs.items())
        return functions

    def _stub(self, letter: str, number: int) -> None:
        """Make a stub of a function, which compiles it when it is first called."""
        self._take(letter, number, partial(self._first, letter, number))

    def _add_units(self) -> None:
        """Make stubs for the units that were lowered since the last time."""
        units = self.program.units
        for number in range(len(self.units), len(units)):
            if is_table(units[number]):
                self._names[f"m{number}"] = MemoDict(self._filling(number, len(units[number].parameters)))
        self._those("u", len(units))

    def _first(self, letter: str, number: int, *given: Any) -> Any:
        """Compile the function that a stub stands for, and call it."""
        return self._replace_stub(letter, number)(*given)

    def _filling(self, number: int, given: int) -> Callable[[Any], Any]:
        """Return the function that computes missing entries of a unit's memo table."""

        def found(key: Any) -> Any:
            if f"w{number}" not in self._names:
                self._replace_stub("u", number)
            return self._names[f"w{number}"](None, None, *([key] if given == 1 else key))

        return found

    def _replace_stub(self, letter: str, number: int) -> Callable[..., Any]:
        """Compile the function and replace its stub."""
        # Several threads may call a stub at once. Printing makes many small values, and hardly any cycles.
        with self._lock, seldom_collecting():
            return self._take(letter, number, self._watched(letter, number, self._compiled(letter, number)))

    def _take(self, letter: str, number: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """Let all code call this function under its name."""
        self._held[letter][number] = self._names[f"{letter}{number}"] = function
        return function

    def _compiled(self, letter: str, number: int) -> Callable[..., Any]:
        name = f"{letter}{number}"
        try:
            source = self._printer.function(name)
        except RecursionError:  # printing recurses, and the play that calls the stub may itself be deeply nested
            with deeper_recursion(self.game.budget):
                source = self._printer.function(name)
        self._add_units()
        if letter == "u":
            self._stub("x", number)  # which it may call
        exec(compile(source, f"<{self.game.name}>", "exec"), self._names)  # noqa: S102 - printed code consists of the printer's own names and of constants
        return self._names[name]  # type: ignore[no-any-return]

    # ---- functions that are called often

    def _watched(self, letter: str, number: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with a counter of its calls, if there are loops in it that could be unrolled."""
        units = self._units_in(letter, number)
        if not self._often or not any(_goes_through_constants(self.program.units[each].body) for each in units):
            return function
        calls = count(1)

        def watched(*given: Any) -> Any:
            return (self._faster(letter, number, function) if next(calls) == self._often else function)(*given)

        return watched

    def _units_in(self, letter: str, number: int) -> list[int]:
        """Return the units whose statements are those of the function."""
        if letter == "u":
            return [number]
        wait = self.program.waits[number] if letter in "lg" else None
        return [option.lists for option in wait.options] if isinstance(wait, c.Decision | c.Together) else []

    def _faster(self, letter: str, number: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """Lower the units in the function again, for speed, and compile it again. It returns the same as before."""
        with self._lock, seldom_collecting():
            for unit in self._units_in(letter, number):
                # The printer knows bodies by identity, so that no other may get the place of this one in memory.
                self._before.append(self.program.units[unit])
                self._printer.fast.add(unit)
                self._again(unit)
            return self._take(letter, number, self._compiled(letter, number))


def _goes_through_constants(body: c.Body) -> bool:
    return any(isinstance(each, c.Each) and isinstance(each.items, c.Const) for each in statements(body))
