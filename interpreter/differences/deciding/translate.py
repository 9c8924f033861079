"""Expressions as symbols: what they come to in all states at once, and where the rules do not say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import product
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...engine import Engine
from ...evaluate import order_of
from ...walk import free_slots, reading_defines
from .forms import Known, form
from .gates import FALSE, TRUE, Gates, Literal, Sum
from .questions import Chosen, Question, Test
from .values import (
    PAIRS,
    Cases,
    Counts,
    Listing,
    Members,
    Number,
    Pile,
    Symbol,
    Thing,
    Unsupported,
    Values,
    constant,
)

Found: TypeAlias = tuple[Symbol, Literal]
"""What an expression comes to, and whether the rules do not say; then the symbol means nothing."""
Env: TypeAlias = Mapping[int, Symbol]
NOBODY = Cases({None: TRUE})


class Shared:
    """What both sides of a question have in common: unknowns, cells, variables."""

    def __init__(self, question: Question, game: m.Game, blank: Mapping[int, t.Value], most: int) -> None:
        self.gates = Gates(most)
        self.values = Values(self.gates)
        self.question, self._game, self._blank = question, game, blank
        self.cells: dict[int, Symbol] = {}
        self.variables = [self._variable(at) for at in range(len(question.variables))]

    def _variable(self, at: int) -> Symbol:
        try:
            return self.values.unknown(("variable", at), self.question.variables[at].type)
        except Unsupported:
            return Thing(("variable", at))

    def cell(self, element: m.Element, at: int) -> Symbol:
        """What a cell holds. Raises Unsupported."""
        if at not in self.cells:
            self.cells[at] = self._cell(element, at)
        return self.cells[at]

    def _cell(self, element: m.Element, at: int) -> Symbol:
        key = ("cell", at)
        if at in self._blank:
            if element.kind == "pile":
                raise Unsupported
            of: t.Type = t.BagOf(element.type) if element.kind == "bag" else element.type
            return constant(t.optional(of) if element.kind == "one" else of, self._blank[at])
        if element.visibility == "hidden":
            raise Unsupported
        match element.kind:
            case "state":
                return self.values.unknown(key, element.type)
            case "one":
                return self.values.unknown(key, t.optional(element.type))
            case "bag":
                return self.values.unknown(key, t.BagOf(element.type))
            case "pile":
                return self.values.pile(key, element.type)


class Translator:
    """The expressions of one side. How each kind is translated stands in `expressions.py`, `operators.py`,
    `functions.py` and `loops.py`; here is what they share.

    differing: the defines that are not the same on both sides. reading: the defines that read the state.
    """

    def __init__(self, engine: Engine, shared: Shared, side: int, differing: frozenset[str]) -> None:
        self.engine, self.game = engine, engine.game
        self.shared, self._side, self._differing = shared, side, differing
        self.gates, self.values = shared.gates, shared.values
        self.reading = reading_defines(engine.game.defines)
        self._translations = _translations()
        self._known: dict[Hashable, Found] = {}
        self._free: dict[int, tuple[int, ...]] = {}
        self._kept: list[Any] = []

    # ---- tests

    def tests(self, tests: tuple[Test, ...]) -> tuple[Literal, Literal]:
        """Whether all hold, one after another; and whether the rules do not say."""
        gates, env = self.gates, self._env()
        so_far, fault = TRUE, FALSE
        for test in tests:
            holds, wrong = self._test(test, env)
            fault = gates.either((fault, gates.both((so_far, wrong))))
            so_far = gates.both((so_far, holds, wrong ^ 1))
        return so_far, fault

    def _test(self, test: Test, env: Env) -> tuple[Literal, Literal]:
        try:
            return self._chosen(test, env) if isinstance(test, Chosen) else self.truth(test, env)
        except Unsupported:
            whole = test.domain if isinstance(test, Chosen) else test
            names = {slot: _name(symbol) for slot, symbol in env.items()}
            chosen = (names.get(test.slot), test.within) if isinstance(test, Chosen) else None
            key = ("test", chosen, form(whole, self._differing, self._side, names))
            return self.gates.unknown(key), self.gates.unknown(("fault", key))

    def value(self, expr: m.Expr) -> Found:
        """What the expression comes to where only the question's variables have names. Raises Unsupported."""
        return self.of(expr, self._env())

    def _env(self) -> Env:
        variables = zip(self.shared.question.variables, self.shared.variables, strict=True)
        return {(each.right if self._side else each.left): symbol for each, symbol in variables}

    def _chosen(self, test: Chosen, env: Env) -> tuple[Literal, Literal]:
        value = self.slot(test.slot, env)
        if not test.within:
            return self.holds(value, test.domain, env)
        items, fault = self.weighted(test.domain, env)
        available = self.values.gathered((item, self.values.positive(count)) for item, count in items)
        if isinstance(value, Members):
            return self.gates.both(
                self.gates.either((when ^ 1, available.get(item, FALSE))) for item, when in value.of.items()
            ), fault
        if isinstance(value, Counts):
            most: dict[t.Value, list[tuple[int, Sum]]] = {}
            for item, count in items:
                most.setdefault(item, []).append((1, count))
            return self.gates.both(
                self.gates.at_least_zero(self.gates.plus([*most.get(item, []), (-1, count)]))
                for item, count in value.of.items()
            ), fault
        raise Unsupported

    def holds(self, item: Symbol, collection: m.Expr, env: Env) -> tuple[Literal, Literal]:
        """When the item is in the collection, and when the rules do not say. Raises Unsupported."""
        gates, values = self.gates, self.values
        if isinstance(collection, m.IntervalExpr):
            (low, low_fault), (high, high_fault) = self.of(collection.low, env), self.of(collection.high, env)
            is_one = (item.of.get(None, FALSE) if isinstance(item, Cases) else FALSE) ^ 1
            above, below = values.at_most(low, item)[0], values.at_most(item, high)[0]
            late = gates.both((is_one, above, high_fault))
            return gates.both((is_one, above, below)), self.gates.either((gates.both((is_one, low_fault)), late))
        found, fault = self.of(collection, env)
        match found:
            case Members(of=of):
                return self._is_among(item, of), fault
            case Counts(of=of_counts):
                return self._is_among(item, {each: values.positive(count) for each, count in of_counts.items()}), fault
            case Pile(members=members):
                return self._is_among(item, members.of), fault
            case Listing(parts=listed_parts):
                return self._is_among(item, values.gathered(listed_parts)), fault
            case Cases(of=of) if isinstance(collection.type, t.ListOf):
                parts = [(each, when) for listed, when in of.items() for each in dict.fromkeys(listed)]
                return self._is_among(item, values.gathered(parts)), fault
            case Cases(of=of):
                return self._is_among(item, {value: when for value, when in of.items() if value is not None}), fault
            case _:
                raise Unsupported

    def _is_among(self, item: Symbol, of: Mapping[t.Value, Literal]) -> Literal:
        if isinstance(item, Members):
            raise Unsupported
        if isinstance(item, Number):
            within = [(self.values.equal_to(item.sum, value), when) for value, when in of.items()]
            return self.gates.either(self.gates.both(pair) for pair in within)
        cases = self.values.cases(item)
        return self.gates.either(self.gates.both((cases[value], when)) for value, when in of.items() if value in cases)

    # ---- expressions

    def of(self, expr: m.Expr, env: Env) -> Found:
        """What the expression comes to. Raises Unsupported where nothing can stand for it."""
        slots = self._free.get(id(expr))
        if slots is None:
            slots = self._free[id(expr)] = tuple(sorted(free_slots(expr)))
            self._kept.append(expr)
        key = (id(expr), tuple((slot, env[slot].key) for slot in slots if slot in env))
        if key not in self._known:
            try:
                self._known[key] = self._translations[type(expr)](self, expr, env)
            except Unsupported:
                self._known[key] = self._opaque(expr, env, slots)
        return self._known[key]

    def _opaque(self, expr: m.Expr, env: Env, slots: tuple[int, ...]) -> Found:
        """Something that stands for the expression: the same wherever the same is said of the same."""
        names = {slot: (_name(env[slot]) if slot in env else "nobody") for slot in slots}
        key: Hashable = ("opaque", form(expr, self._differing, self._side, names))
        if isinstance(expr, m.CallDefine):
            given = [self.of(argument, env) for argument in expr.arguments]
            mark = self._side if expr.name in self._differing else None
            key = ("call", expr.name, mark, tuple((symbol.key, fault) for symbol, fault in given))
        return self.values.unknown(key, expr.type), self.gates.unknown(("fault", key))

    def slot(self, slot: int, env: Env) -> Symbol:
        """What stands under a name. Raises Unsupported where nothing does."""
        if slot in env:
            return env[slot]
        if slot == 0:
            return NOBODY
        raise Unsupported

    def truth(self, expr: m.Expr, env: Env) -> tuple[Literal, Literal]:
        """When the expression is true, and when the rules do not say. Raises Unsupported."""
        found, fault = self.of(expr, env)
        return self.values.truth(found), fault

    def cases(self, expr: m.Expr, env: Env) -> tuple[Mapping[t.Value, Literal], Literal]:
        """The values the expression may have, each with when it has it, and when the rules do not say. Raises
        Unsupported where they cannot be listed."""
        found, fault = self.of(expr, env)
        return self.values.cases(found), fault

    def product(self, parts: list[Mapping[t.Value, Literal]]) -> Iterable[tuple[tuple[t.Value, ...], Literal]]:
        """One value of each part, in all ways that can come together. Raises Unsupported where they are too many."""
        total = 1
        for part in parts:
            total *= len(part)
        if total > PAIRS:
            raise Unsupported
        for picked in product(*(part.items() for part in parts)):
            when = self.gates.both(each for _, each in picked)
            if when != FALSE:
                yield tuple(value for value, _ in picked), when

    def items(self, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Literal]], Literal]:
        """What a loop goes through, each with the condition under which it does, in the order in which it does so
        where that is told: not of bags and piles."""
        found, fault = self.of(expr, env)
        match found:
            case Members(of=of):
                inner = t.element_type(expr.type)
                listed = order_of(t.optional(inner))(of) if inner is not None else list(of)
                return [(item, of[item]) for item in listed], fault
            case Counts(of=of_counts):
                return [(item, self.values.positive(of_counts[item])) for item in of_counts], fault
            case Pile(members=members):
                return list(members.of.items()), fault
            case Listing(parts=parts):
                return list(parts), fault
            case Cases(of=of) if isinstance(expr.type, t.ListOf):
                return [(item, when) for listed, when in of.items() for item in dict.fromkeys(listed)], fault
            case Cases(of=of):
                return [(item, when) for item, when in of.items() if item is not None], fault
            case _:
                raise Unsupported

    def weighted(self, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Sum]], Literal]:
        """What a loop goes through, with how often it does."""
        found, fault = self.of(expr, env)
        match found:
            case Counts(of=of_counts):
                return list(of_counts.items()), fault
            case Pile():
                raise Unsupported
            case Listing(parts=parts):
                return [(item, self.gates.where(when, Sum(1, {}, {}))) for item, when in parts], fault
            case Cases(of=of) if isinstance(expr.type, t.ListOf):
                one = Sum(1, {}, {})
                return [(item, self.gates.where(when, one)) for listed, when in of.items() for item in listed], fault
            case _:
                items, fault = self.items(expr, env)
                one = Sum(1, {}, {})
                return [(item, self.gates.where(when, one)) for item, when in items], fault


Translation: TypeAlias = Callable[[Translator, Any, Env], Found]
"""How one kind of expression is translated. Raises Unsupported where nothing exact can stand for it."""


def _translations() -> Mapping[type, Translation]:
    from .expressions import EXPRESSIONS
    from .functions import FUNCTIONS
    from .loops import LOOPS
    from .operators import OPERATORS

    return {**EXPRESSIONS, **OPERATORS, **FUNCTIONS, **LOOPS}


def _name(symbol: Symbol) -> Hashable:
    if isinstance(symbol, Cases) and len(symbol.of) == 1:
        ((value, when),) = symbol.of.items()
        if when == TRUE:
            return Known(value)
    return symbol.key
