"""Lazy compilation: each function of a program is printed and compiled when it is first called.

Code that a play never reaches costs nothing, and the first moves are ready before the rest of the game is compiled.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from threading import RLock
from typing import Any

from ludex.grammar import seldom_collecting
from ludex.spec import Undefined, room
from ludex.spec import types as t

from ...state.contents import Ticket
from ..ir import code as c
from ..ir import unknown_values
from ..ir.moves import Numbers
from ..ir.operations import FUNCTIONS, copies
from .printer import Printer, bag_minus_, bag_union, is_table
from .runtime import STEPS, Fault, Refusing, Runtime
from .state import State

NAMES: Mapping[str, Any] = {
    "bisect_left": bisect_left,
    "bisect_right": bisect_right,
    **unknown_values.OPERATIONS,
    "Fault": Fault,
    "Ticket": Ticket,
    "Undecided": (Undefined, unknown_values.Undetermined),
    "Refusing": Refusing,
    "top": lambda held: held[-1] if held else None,
    "only": lambda held: () if held is None else (held,),
    "is_part": FUNCTIONS["is_part"],
    "fitting": FUNCTIONS["fitting"],
    "bag_union": bag_union,
    "bag_minus_": bag_minus_,
    "fits": t.contains,
    "copies": copies,
    "position": t.position,
}


class Memo(dict[Any, Any]):
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
    """

    def __init__(self, program: c.Program, numbers: Numbers) -> None:
        super().__init__(program, numbers)
        self._lock = RLock()
        self._names: dict[str, Any] = {**NAMES, "R": self, "M": self.meter, "T": STEPS, "look": self.look}
        self._printer = Printer(program, self, values=self._names)
        self.keeps = self._printer.keeps
        self._held: dict[str, list[Any]] = {}
        self.units, _, self.yielding = (self._those(letter, 0) for letter in "uxy")
        self._add_units()
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
        functions = self._held.setdefault(letter, [])
        for number in range(len(functions), count):
            functions.append(self._first(letter, number))
            self._names[f"{letter}{number}"] = functions[number]
        return functions

    def _add_units(self) -> None:
        """Make stubs for the units that were lowered since the last time."""
        units = self.program.units
        for number in range(len(self.units), len(units)):
            if is_table(units[number]):
                self._names[f"m{number}"] = Memo(self._filling(number, len(units[number].parameters)))
        for letter in "uxy":
            self._those(letter, len(units))

    def _first(self, letter: str, number: int) -> Callable[..., Any]:
        """Return a stub, which compiles the function when it is first called."""

        def first(*given: Any) -> Any:
            return self._made(letter, number)(*given)

        return first

    def _filling(self, number: int, given: int) -> Callable[[Any], Any]:
        """Return the function that computes missing entries of a unit's memo table."""

        def found(key: Any) -> Any:
            if f"w{number}" not in self._names:
                self._made("u", number)
            return self._names[f"w{number}"](None, None, *([key] if given == 1 else key))

        return found

    def _made(self, letter: str, number: int) -> Callable[..., Any]:
        """Compile the function and replace its stub."""
        name, functions = f"{letter}{number}", self._held[letter]
        # Several threads may call a stub at once. Printing makes many small values, and hardly any cycles.
        with self._lock, seldom_collecting():
            try:
                source = self._printer.function(name)
            except RecursionError:  # printing recurses, and the play that calls the stub may itself be deeply nested
                with room(self.game.budget):
                    source = self._printer.function(name)
            self._add_units()
            exec(compile(source, f"<{self.game.name}>", "exec"), self._names)  # noqa: S102 - printed code consists of the printer's own names and of constants
            functions[number] = self._names[name]
            return functions[number]  # type: ignore[no-any-return]
