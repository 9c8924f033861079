"""The Python printer: a program as Python source, one function a unit or block."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ludex.spec import types as t

from ....information.decision_visibility import Concealed
from ...ir import code as c
from ...ir.operations import INT
from ...ir.traversal import called, calls, statements, weight
from .optimistic import optimistic
from .statements import COPIED
from .units import UnitPrinter


@dataclass
class Printer(UnitPrinter):
    """Prints one program."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._merge()

    def source(self) -> str:
        """Return the whole program as source, without the constants, which are in `values`."""
        program, reached = self.program.complete(), self._reached()
        names = [f"u{number}" for number in range(len(program.units)) if number in reached]
        # The optimistic variant is `u`; `x` evaluates the unit with its attempts when that one has failed.
        names += [
            f"x{number}" for number in sorted(reached) if self._usual(number, program.units[number])[0] is not None
        ]
        names += [f"b{number}" for number in range(len(program.blocks)) if number not in self.gone]
        for number, wait in enumerate(program.waits):
            names += [f"o{number}", f"g{number}"] if isinstance(wait, c.Together) else []
            names += [f"l{number}"] if isinstance(wait, c.Decision) else []
        names += [f"y{number}" for number in self.yielded()]
        return "".join(map(self.function, names))

    def function(self, name: str) -> str:
        """Return the source of one function; the letter of its name gives its kind (`lazy_functions.py`).

        The order of calls affects only the names of constants.
        """
        letter, number = name[0], int(name[1:])
        self._turns, self._shared, self._unit_body, self._yielded, self._inside = 1, {}, (), None, []
        self._is_traced, self._is_mute, self._tests.holding, self._constants.held = letter == "t", False, [], {}
        match letter:
            case "u":
                lines = self._unit(number, self.program.units[number])
            case "x":
                unit = self.program.units[number]
                given = "".join(f", v{var.number}" for var in unit.parameters)
                lines = [f"def x{number}(S, s{given}):  # {unit.name}", *self._whole(unit.parameters, unit.body), ""]
            case "y":
                lines = self._one_by_one(number)
            case "l":
                lines = self._lister(number)
            case "g" | "o":
                lines = self._together(letter, number)
            case _:
                lines = self._jumping(letter, number)
        return "\n".join(lines) + "\n"

    def _jumping(self, letter: str, number: int) -> list[str]:
        """Print the function of a block. Where the block jumps to itself, the function continues from its beginning."""
        block = self.program.blocks[number]
        self._inside, self._path, self._returns = [number], block.name, False
        head, lines = f"def {letter}{number}(S, s):  # {block.name}", self._block(number, 1)
        if not self._returns:
            return [head, *lines, ""]
        return [head, "    for _ in T:", *(f"    {line}" for line in lines), "    raise R.endless()", ""]

    def _together(self, letter: str, number: int) -> list[str]:
        """Print a function for a simultaneous decision: who has still a choice, or the numbers of a player's moves."""
        wait = self.program.waits[number]
        assert isinstance(wait, c.Together)
        if letter == "o":
            lines = [f"    if {test}: v.append({seat})" for seat, test in enumerate(self._choices(number, wait))]
            return [f"def o{number}(S, s):", "    v = []", *lines, "    return v", ""]
        # Who is asked without having a move can only decline, which is number 0.
        listed = [line for option in wait.options for line in self._listed(option.lists, "me")]
        only = wait.options[0].lists
        if len(wait.options) == 1 and not self._is_repeated(only):
            (me,) = given = self.program.units[only].parameters
            found = self._expr(self._inlined(c.Call(only, given, t.ListOf(INT))))
            return [f"def g{number}(S, s, v{me.number}):", f"    return {found} or [0]", ""]
        return [f"def g{number}(S, s, me):", "    v = []", *listed, "    return v or [0]", ""]

    def _lister(self, number: int) -> list[str]:
        """Print the function that lists the numbers of all moves of a decision, if they have numbers."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision)
        numbered = all(option.name in self.runtime.numbers.by_name for option in decision.options)
        if not numbered:
            return [f"def l{number}(S, s): return R.unnumbered({number})", ""]
        me = self._expr(decision.me)
        head = f"def l{number}(S, s):  # {decision.statement.path}"
        only = decision.options[0] if len(decision.options) == 1 else None
        open_ = self.runtime.concealed(number) is Concealed.NOTHING
        # Nothing is added to the one list, so the function is a copy of its unit.
        if only and open_ and not only.refusable and not decision.optional:
            unit = self.program.units[only.lists]
            return [head, f"    v{unit.parameters[0].number} = {me}", *self._evaluated(only.lists, unit), ""]
        lines = [head, "    v = []"]
        for at, option in enumerate(decision.options):
            if option.refusable:
                lines.append(f"    v += R.allowed(S, {number}, {at}, {me})")
            else:
                listed = self._inlined(c.Call(option.lists, (decision.me,), t.ListOf(INT)))
                calls_itself = isinstance(listed, c.Call) and listed.unit == option.lists
                more = self._listed(option.lists, me) if calls_itself else [f"    v += {self._expr(listed)}"]
                # The result of the test is memoized, and spares the list of an option that is not on offer.
                if option.offers in self._tests.often:
                    more = [f"    if u{option.offers}(S, s, {me}):", *(f"    {line}" for line in more)]
                lines += more
        if decision.optional:
            lines.append("    v.append(0)")
        elif self.runtime.concealed(number) is not Concealed.NOTHING:
            lines.append("    if not v: v.append(0)")
        # Options of one name may list the same move.
        if len({option.name for option in decision.options}) < len(decision.options):
            lines.append("    v = list(dict.fromkeys(v))")
        return [*lines, "    return v", ""]

    def _listed(self, number: int, me: str) -> list[str]:
        """Print the statements that append a unit's list to the list so far."""
        unit = self.program.units[number]
        match unit.body:
            case (c.New(var=var), *body, c.Return()) if self._is_repeated(number):
                given = [f"    v{unit.parameters[0].number} = {me}", f"    v{var.number} = v"]
                return [*given, *self._whole(unit.parameters, tuple(body))]
        return [f"    v += u{number}(S, s, {me})"]

    def _is_repeated(self, number: int) -> bool:
        """Return whether the statements of a unit that makes a list are repeated where it is called."""
        match body := self.program.units[number].body:
            case (c.New(var=var), *_, c.Return(value=found)):
                return found == var and weight(body) <= COPIED and optimistic(body) is None
        return False

    def yielded(self) -> list[int]:
        """Return the units that are printed as generators, too: lists of moves that are tried one after another."""
        waits = (wait for wait in self.program.waits if isinstance(wait, c.Decision))
        options = [each for wait in waits for each in wait.options if each.refusable]
        tried = [each.lists for each in options] + [each.seen for each in options if each.seen is not None]
        return list(dict.fromkeys([*tried, *(each.lists for each in self.program.action_tests if each.choices)]))

    def _reached(self) -> set[int]:
        """Return the units that are called from anywhere."""
        program = self.program
        waiting = [unit for _, unit in program.scores] + [unit for _, unit in program.winner if unit is not None]
        waiting += program.entry_units
        waiting += [test.lists for test in program.action_tests]
        for wait in program.waits:
            if isinstance(wait, c.Decision | c.Together):
                waiting += [unit for each in wait.options for unit in (each.lists, each.offers, each.admits)]
                waiting += [each.seen for each in wait.options if each.seen is not None]
            elif isinstance(wait, c.Chance):
                waiting.append(wait.lists)
        for block in program.blocks:
            waiting += calls(block.body)
        reached: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                unit = program.units[number]
                waiting += calls(unit.body)
                waiting += [] if unit.cycle is None else called(unit.cycle)
        return reached

    def _merge(self) -> None:
        # A block with a second reference needs a function; one that an event or the engine enters counts as two.
        refs: Counter[int] = Counter({self.program.first: 2, 0: 2})
        for wait in self.program.waits:
            if wait is not None:
                refs[wait.then] += 2
                if isinstance(wait, c.Decision | c.Together):
                    refs.update({option.entry: 2 for option in wait.options})
        for test in self.program.action_tests:
            refs.update({test.entry: 2, test.body: 2})
        backs, stored = set[int](), list[tuple[int, Any]]()
        for block in self.program.blocks:
            for statement in statements(block.body):
                if statement.__class__ is c.Goto:
                    refs[statement.block] += 1
                elif statement.__class__ is c.Back:
                    backs.add(statement.cell)
                elif statement.__class__ is c.Put and statement.value.__class__ is c.Const:
                    stored.append((statement.base, statement.value.value))
        # A block to return to is stored by its number.
        refs.update({target: 2 for cell, target in stored if cell in backs})
        self.gone = {number for number in range(len(self.program.blocks)) if refs[number] <= 1}
