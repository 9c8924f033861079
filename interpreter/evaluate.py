"""Expressions: each is compiled once into a closure from (state, slots) to its value.

The checker has proved types and fits, so nothing is checked here but what the model marks (`Checked`) and what only
play can tell: `the` finds none or two, exceptions contradict each other, a number is divided by zero.
Expressions that no state can change are worked out once, when the game is compiled.

The kinds of expression are spread over `operators.py`, `loops.py` and `functions.py`; each exports a table from the
model's class to the function that compiles it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludex.grammar import Span
from ludex.spec import Meter, OverBudget, faults, listed
from ludex.spec import model as m
from ludex.spec import order_of as order_of
from ludex.spec import types as t

from .depth import callees_first, landings
from .events import Undefined
from .state import State, Ticket
from .veil import Veiled
from .walk import hanging_defines, hangs, highest_slot, is_fixed, nodes, reading_defines, searching_defines, units

Slots: TypeAlias = list[t.Value]
Fn: TypeAlias = Callable[[State, Slots], Any]
Path: TypeAlias = str | None
"""The clause in which an expression stands, for the report of a fault."""

UNDECIDED = (Undefined, Veiled)
"""What an expression raises on purpose that has no value: since the rules give it none (`x.f` where a requirement that
guards it does not hold and x is none), or since it hangs on what not everybody sees, where that is asked."""


class NotReady(Exception):
    """A define was called at compile time before it was compiled itself; the call is left for play."""


@dataclass(slots=True, eq=False)
class DefineCode:
    """A compiled define. `body` is filled in after the code is known by name, so that defines may call each other.
    `varies`: its value may change although the arguments are the same. `known`: the results so far, of one that does
    not vary. `kept`: a state keeps the results until it changes, under this very object, so that no other engine takes
    them for its own. `height`: what a call counts as depth (see `depth.py`); `units`: as work."""

    define: m.Define
    varies: bool
    kept: bool
    body: Fn
    cycle: Fn | None = None
    height: int = 0
    units: int = 1
    known: dict[tuple[t.Value, ...], t.Value] = field(default_factory=dict)


def _not_ready(state: State, slots: Slots) -> t.Value:
    raise NotReady


class Expressions:
    """Compiles the expressions of one game.

    can: whether an action has a legal instance: (state, action's name, me, arguments).
    total: a player's score now: (state, seat).
    wins: whether a player wins, alone or shared, if the game ends now: (state, seat).
    meter: counts the work of all that is compiled here.
    """

    def __init__(
        self,
        game: m.Game,
        can: Callable[[State, str, t.Value, tuple[t.Value, ...]], bool],
        total: Callable[[State, int], int],
        wins: Callable[[State, int], bool],
    ) -> None:
        self.game, self.can, self.total, self.wins = game, can, total, wins
        self.meter = Meter(game.budget)
        self._compilers = _compilers()
        self._hanging = hanging_defines(game)
        self._varying = reading_defines(game.defines) | self._hanging
        self._kept = searching_defines(game.defines) - self._hanging
        self._defines: dict[str, DefineCode] = {}
        self._nowhere = State([], [], [])
        self._landings = landings(game.defines)
        for name in callees_first(game.defines):
            self.define(name)

    def compile(self, expr: m.Expr, path: Path) -> Fn:
        """The closure that gives the expression's value."""
        made = self._compilers[type(expr)](self, expr, path)
        if expr.narrowed:
            made = _there(made, expr, path)
        if isinstance(expr, m.Constant) or not is_fixed(expr, self._varying):
            return made
        found = self._once(expr, made)
        if found is None:
            return made
        (value,) = found
        return lambda s, f: value

    def fixed(self, expr: m.Expr, path: Path) -> tuple[t.Value] | None:
        """The value of an expression that has one for ever, in a tuple; else None."""
        if not is_fixed(expr, self._varying):
            return None
        return self._once(expr, self.compile(expr, path))

    def _once(self, expr: m.Expr, made: Fn) -> tuple[t.Value] | None:
        try:
            return (made(self._nowhere, [None] * (highest_slot(expr) + 1)),)
        except (Undefined, OverBudget, NotReady):
            return None  # what it comes to, or how it fails, shows when it is asked for in play

    def may_hang(self, *parts: Any) -> bool:
        """Whether what these parts of the model come to may hang on what is being worked out around them."""
        return any(hangs(node, self._hanging) for part in parts for node in nodes(part))

    def test(self, requirement: m.Requirement) -> Fn:
        """Whether the requirement holds: its condition, or a waiver's condition and value."""
        condition = self.compile(requirement.condition, requirement.path)
        waivers = [
            (self.compile(waiver.condition, waiver.path), self.compile(waiver.value, waiver.path))
            for waiver in requirement.waivers
        ]
        if not waivers:
            return condition
        return lambda s, f: condition(s, f) or any(when(s, f) and value(s, f) for when, value in waivers)

    def items(self, expr: m.Expr, path: Path, each: int = 1) -> Fn:
        """The items of a collection, in the order in which loops and choices go through them.

        An optional stands for the one item that it may hold. The items are counted as work when they are asked for;
        each: how many units one counts, with what is done for it."""
        fixed = self.fixed(expr, path)
        if fixed is not None:
            return self._always(listed(expr.type, *fixed), path, expr.span, each)
        if isinstance(expr, m.IntervalExpr):
            low, high = self.compile(expr.low, path), self.compile(expr.high, path)
            return self.metered(lambda s, f: range(low(s, f), high(s, f) + 1), path, expr.span, each)
        value = self.compile(expr, path)
        match expr.type:
            case t.BagOf() | t.ListOf():
                return self.metered(value, path, expr.span, each)
            case t.SetOf(of=of):
                put_in_order, held = order_of(of), self.metered(value, path, expr.span, each)
                return lambda s, f: put_in_order(held(s, f))
            case _:
                return lambda s, f: () if (item := value(s, f)) is None else (item,)

    def _always(self, listed: tuple[t.Value, ...], path: Path, span: Span, each: int) -> Fn:
        meter, taken = self.meter, len(listed) * each

        def counted(s: State, f: Slots) -> tuple[t.Value, ...]:
            meter.left -= taken
            if meter.left < 0:
                raise meter.over(path, span)
            return listed

        return counted

    def metered(self, items: Fn, path: Path, span: Span, each: int = 1) -> Fn:
        """The same items, counted as work for who goes through all of them. each: how many units one counts."""
        meter = self.meter

        def counted(s: State, f: Slots) -> Any:
            found = items(s, f)
            meter.left -= len(found) * each
            if meter.left < 0:
                raise meter.over(path, span)
            return found

        return counted

    def holder(self, expr: m.Expr, path: Path) -> Callable[[State, Slots, t.Value], bool]:
        """Whether a value is among a collection's items, without listing them where that can be."""
        if isinstance(expr, m.IntervalExpr):
            return _between(self.compile(expr.low, path), self.compile(expr.high, path))
        fixed = self.fixed(expr, path)
        if fixed is not None:
            every = frozenset(listed(expr.type, *fixed))
            return lambda s, f, item: item in every
        value = self.compile(expr, path)
        if t.element_type(expr.type) is None:
            return lambda s, f, item: item is not None and item == value(s, f)
        if isinstance(expr.type, t.SetOf):
            return lambda s, f, item: item in value(s, f)
        held = self.metered(value, path, expr.span)
        return lambda s, f, item: item in held(s, f)

    def define(self, name: str) -> DefineCode:
        """The compiled define."""
        if name not in self._defines:
            define = self.game.defines[name]
            code = self._defines[name] = DefineCode(define, name in self._varying, name in self._kept, _not_ready)
            code.height, code.units = self._landings.get(name, 0), units(define.body)
            if define.cycle is not None:
                code.cycle = self.compile(define.cycle, name)
            code.body = self.compile(define.body, name)
        return self._defines[name]

    # ---- cells

    def address(self, element: m.Element, indices: tuple[m.Expr, ...], path: Path) -> Fn:
        """The number of the cell that the indices mean."""
        known = self._known_address(element, indices, path)
        if known is not None:
            return lambda s, f: known
        offset, steps = element.offset, steps_between(element.indices)
        places = [self._place(of, index, path) for of, index in zip(element.indices, indices, strict=True)]
        if len(places) == 1:
            (place,) = places
            return lambda s, f: offset + place(s, f)
        if len(places) == 2:
            (one, two), step = places, steps[0]
            return lambda s, f: offset + one(s, f) * step + two(s, f)
        pairs = list(zip(places, steps, strict=True))
        return lambda s, f: offset + sum(place(s, f) * step for place, step in pairs)

    def _known_address(self, element: m.Element, indices: tuple[m.Expr, ...], path: Path) -> int | None:
        cell = element.offset
        for of, step, index in zip(element.indices, steps_between(element.indices), indices, strict=True):
            found = self.fixed(index, path)
            if found is None:
                return None
            cell += t.position(of, *found) * step
        return cell

    def _place(self, of: t.Type, index: m.Expr, path: Path) -> Fn:
        value = self.compile(index, path)
        match of:
            case t.Range(low=low) if low:
                return lambda s, f: value(s, f) - low
            case t.Optional():
                return lambda s, f: t.position(of, value(s, f))
            case _:
                return value

    def raw(self, read: m.Read, path: Path) -> Fn:
        """A cell as the state holds it: a pile with its top last, tickets included."""
        known = self._known_address(read.element, read.indices, path)
        if known is not None:
            return lambda s, f: s.cells[known]
        match read.indices, read.element.indices:
            case (m.Local(slot=slot, narrowed=False),), (of,) if not isinstance(of, t.Optional):
                first = read.element.offset + t.position(of, 0)
                return lambda s, f: s.cells[first + f[slot]]
        address = self.address(read.element, read.indices, path)
        return lambda s, f: s.cells[address(s, f)]


Compile: TypeAlias = Callable[[Expressions, Any, Path], Fn]


def _compilers() -> Mapping[type, Compile]:
    from .functions import FUNCTIONS
    from .loops import LOOPS
    from .operators import OPERATORS

    return {**OPERATORS, **LOOPS, **FUNCTIONS}


def piece(entry: t.Value, read: m.Expr, path: Path) -> t.Value:
    """The piece of an entry; it is a fault to ask for one that nobody has seen."""
    if type(entry) is Ticket:
        raise faults.not_seen(read, path)
    return entry


def _between(low: Fn, high: Fn) -> Callable[[State, Slots, t.Value], bool]:
    def between(s: State, f: Slots, item: t.Value) -> bool:
        least, most = low(s, f), high(s, f)
        return item is not None and least <= item <= most

    return between


def _there(value: Fn, expr: m.Expr, path: Path) -> Fn:
    """The value where there is one."""

    def there(s: State, f: Slots) -> t.Value:
        found = value(s, f)
        if found is None:
            raise faults.none_there(expr, path)
        return found

    return there


def steps_between(indices: tuple[t.Type, ...]) -> list[int]:
    """How many cells apart two neighbouring values of each index are; the last index varies fastest."""
    steps: list[int] = []
    step = 1
    for of in reversed(indices):
        steps.append(step)
        step *= t.size(of) or 0
    return steps[::-1]
