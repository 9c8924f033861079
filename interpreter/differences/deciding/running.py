"""Pieces of a game carried out by the interpreter itself, on states of which only some cells and names are settled.

Who asks for one that is not is told by `Missing`; settle it and ask again. So exactly what matters is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ...engine import Engine
from ...evaluate import Fn
from ...events import SpecFault, Undefined
from ...instructions import Refusing
from ...machine import Running
from ...options import is_part
from ...state import Frame, State
from ...walk import nodes
from ..partly import UNSET, Missing, Partly
from .questions import Chosen, Question, Test, Variable


class Unsettled(Exception):
    """The steps come to an event, or to no end within the budget, so they cannot be compared so."""


@dataclass(frozen=True, slots=True)
class Came:
    """What a piece came to: a value; for steps False if a requirement on the way forbids them, else `Done`. `is_fault`:
    the rules do not say; then `value` is None."""

    value: Any
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What steps came to. kept: what the variables hold then."""

    is_over: bool
    written: Mapping[int, t.Value]
    kept: tuple[t.Value, ...]


FAULT = Came(None, True)
NO = Came(False)
YES = Came(True)
AWAY = Came(None)
"""The question does not arise: what is given does not hold."""


class Side:
    """One side of a question."""

    def __init__(self, engine: Engine, question: Question, is_left: bool) -> None:
        self.engine = engine
        self._slots = [variable.left if is_left else variable.right for variable in question.variables]
        self._of_slot = {slot: at for at, slot in enumerate(self._slots)}
        piece = question.left if is_left else question.right
        given = question.given if is_left else ()
        self._size = max([0, *self._slots, *_slots_in(piece), *_slots_in(given)]) + 1
        self._given = [self._test(test) for test in given]
        self._items: dict[str, tuple[Fn, int]] = {}
        self._carry = self._steps(piece) if isinstance(piece, m.Statement) else self._tests(question.kind, piece)

    def came(self, cells: Partly, values: list[Any]) -> Came:
        """What the side comes to. values: of the variables; UNSET where not settled. Raises Missing, with the place of
        a variable for a slot, and Unsettled."""
        slots = Partly("slot", [None] * self._size)
        for slot, value in zip(self._slots, values, strict=True):
            slots[slot] = value
        try:
            if not all(test(State(cells, [], []), slots) for test in self._given):
                return AWAY
        except Missing as missing:
            raise self._of_variable(missing) from None
        except Undefined:
            return AWAY
        try:
            return self._carry(cells, slots)
        except Missing as missing:
            raise self._of_variable(missing) from None
        except OverBudget:
            raise Unsettled from None
        except SpecFault:
            return FAULT

    def items(self, variable: Variable, cells: Partly, values: list[Any]) -> list[t.Value]:
        """What the variable may be chosen from. Raises as `came`, and Undefined."""
        assert variable.domain is not None
        if variable.name not in self._items:
            size = max(self._size, *_slots_in(variable.domain), 0) + 1
            self._items[variable.name] = self.engine.machine.items(variable.domain), size
        listed, size = self._items[variable.name]
        slots = Partly("slot", [None] * size)
        for slot, value in zip(self._slots, values, strict=True):
            slots[slot] = value
        try:
            return list(listed(State(cells, [], []), slots))
        except Missing as missing:
            raise self._of_variable(missing) from None

    def _of_variable(self, missing: Missing) -> Missing:
        return Missing("slot", self._of_slot[missing.at]) if missing.kind == "slot" else missing

    # ---- compiled

    def _tests(self, kind: str, tests: tuple[Test, ...]) -> Callable[[Partly, Partly], Came]:
        compiled = [self._test(test) for test in tests]
        if kind == "value":
            (only,) = compiled
            return lambda cells, f: Came(only(State(cells, [], []), f))
        return lambda cells, f: YES if all(test(State(cells, [], []), f) for test in compiled) else NO

    def _test(self, test: Test) -> Fn:
        machine = self.engine.machine
        if not isinstance(test, Chosen):
            return machine.compiled(test)
        slot, items = test.slot, machine.items(test.domain)
        if not test.within:
            return lambda s, f: f[slot] in list(items(s, f))
        return lambda s, f: is_part(f[slot], items(s, f))

    def _steps(self, step: m.Statement) -> Callable[[Partly, Partly], Came]:
        machine = self.engine.machine
        number, entry = machine.add_routine(step, self._size)  # type: ignore[arg-type]
        size = machine.routines[number].size

        stop = machine.stop

        def carry(cells: Partly, slots: Partly) -> Came:
            list.extend(slots, [None] * (size - len(slots)))
            now = cells.copy()
            after = State(now, [], [Frame(stop, 0, [None]), Frame(number, entry, slots)])
            machine.meter.begin()
            try:
                Running(machine, may_refuse=True).run(after)
            except Refusing:
                return NO
            if len(after.frames) > 1 or after.pools:
                raise Unsettled
            kept = tuple(list.__getitem__(slots, at) for at in self._slots)
            return Came(Done(not after.frames, _written(cells, now), kept))

        return carry


def _written(before: Partly, after: Partly) -> Mapping[int, t.Value]:
    pairs = zip(list.__iter__(before), list.__iter__(after), strict=True)
    return {at: new for at, (old, new) in enumerate(pairs) if new is not old and new != old}


def differ(one: Came, two: Came, cells: Partly, values: list[Any]) -> bool:
    """Whether two sides come to different things, neither of them a fault. Raises Missing where that hangs on what a
    cell held before."""
    if not isinstance(one.value, Done) or not isinstance(two.value, Done):
        return bool(one.value != two.value)
    mine, theirs = one.value, two.value
    if mine.is_over != theirs.is_over:
        return True
    unlike = False
    for at in sorted({*mine.written, *theirs.written}):
        unlike |= _now(mine.written, cells, at) != _now(theirs.written, cells, at)
    for at, (left, right) in enumerate(zip(mine.kept, theirs.kept, strict=True)):
        before = values[at]
        one_is, other_is = (before if each is UNSET else each for each in (left, right))
        if (one_is is UNSET) != (other_is is UNSET):
            raise Missing("slot", at)
        unlike |= one_is is not other_is and one_is != other_is
    return unlike


def _now(written: Mapping[int, t.Value], cells: Partly, at: int) -> t.Value:
    return written[at] if at in written else cells[at]


def _slots_in(piece: Any) -> set[int]:
    parts = piece if isinstance(piece, tuple) else (piece,)
    found: set[int] = set()
    for part in parts:
        whole = part.domain if isinstance(part, Chosen) else part
        found |= {node.slot for node in nodes(whole) if isinstance(getattr(node, "slot", None), int)}
        if isinstance(part, Chosen):
            found.add(part.slot)
    return found
