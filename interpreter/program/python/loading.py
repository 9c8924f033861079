"""The functions of a program, as Python: each is printed and compiled when it is first called.

What a play never comes to costs nothing, and the first moves are there before the rest of the game is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any

from ludex.spec import Undefined, room
from ludex.spec import types as t

from ..ir import code as c
from ..ir import unknown_values
from ..ir.operations import FUNCTIONS, copies
from .printer import Printer, bag_minus_, bag_union, is_table
from .runtime import STEPS, Fault, Refusing, Runtime

NAMES: Mapping[str, Any] = {
    **unknown_values.OPERATIONS,
    "look": unknown_values.look,
    "Fault": Fault,
    "Undefined": Undefined,
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


class Kept(dict[Any, Any]):
    """What a function without a state returned, by its arguments."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function

    def __missing__(self, key: Any) -> Any:
        found = self[key] = self._function(key)
        return found


class Functions:
    """The functions of one program, put into its runtime, by letter and number: u, a unit; y, one that yields what it
    lists; b, a block; t, the same with what it tells an onlooker; l, the moves of a decision; o, whether it has any."""

    def __init__(self, program: c.Program, runtime: Runtime) -> None:
        self._game, self._lock = program.game, RLock()
        self._names: dict[str, Any] = {**NAMES, "R": runtime, "C": runtime.counted, "T": STEPS}
        self._printer = Printer(program, runtime, values=self._names)
        self._held: dict[str, list[Any]] = {}
        runtime.units = self._those("u", len(program.units))
        runtime.yielding = self._those("y", len(program.units))
        runtime.blocks = self._those("b", len(program.blocks))
        runtime.trace = lambda: self._those("t", len(program.blocks))
        runtime.listers = self._those("l", len(program.waits))
        runtime.offering = self._those("o", len(program.waits))
        for number, wait in enumerate(program.waits):
            if not isinstance(wait, c.Decision | c.Together):
                runtime.listers[number] = None
        for number, unit in enumerate(program.units):
            if is_table(unit):
                self._names[f"m{number}"] = Kept(self._filling(number, len(unit.parameters)))

    def _those(self, letter: str, count: int) -> list[Any]:
        found = self._held[letter] = [self._first(letter, number) for number in range(count)]
        self._names.update((f"{letter}{number}", function) for number, function in enumerate(found))
        return found

    def _first(self, letter: str, number: int) -> Callable[..., Any]:
        """What stands in a function's place until it is called."""

        def first(*given: Any) -> Any:
            return self._made(letter, number)(*given)

        return first

    def _filling(self, number: int, given: int) -> Callable[[Any], Any]:
        """What fills the table of a unit."""

        def found(key: Any) -> Any:
            if f"w{number}" not in self._names:
                self._made("u", number)
            return self._names[f"w{number}"](None, None, *([key] if given == 1 else key))

        return found

    def _made(self, letter: str, number: int) -> Callable[..., Any]:
        """The function itself, which from now on is called without this detour."""
        name, held = f"{letter}{number}", self._held[letter]
        with self._lock:
            try:
                source = self._printer.function(name)
            except RecursionError:  # the play that needs it may lie deep
                with room(self._game.budget):
                    source = self._printer.function(name)
            exec(compile(source, f"<{self._game.name}>", "exec"), self._names)  # noqa: S102 - what a program prints holds names of ours and constants alone
            held[number] = self._names[name]
            return held[number]  # type: ignore[no-any-return]
