"""Expressions as symbols: what they come to in all states at once, and where the rules do not say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import product
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...engine import Engine
from ...evaluate import UNDECIDED, order_of
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
    Truth,
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
    """The expressions of one side. differing: the defines that are not the same on both."""

    def __init__(self, engine: Engine, shared: Shared, side: int, differing: frozenset[str]) -> None:
        self._engine, self._game = engine, engine.game
        self._shared, self._side, self._differing = shared, side, differing
        self._gates, self._values = shared.gates, shared.values
        self._reading = reading_defines(engine.game.defines)
        self._known: dict[Hashable, Found] = {}
        self._free: dict[int, tuple[int, ...]] = {}
        self._kept: list[Any] = []

    # ---- tests

    def tests(self, tests: tuple[Test, ...]) -> tuple[Literal, Literal]:
        """Whether all hold, one after another; and whether the rules do not say."""
        gates, env = self._gates, self._env()
        so_far, fault = TRUE, FALSE
        for test in tests:
            holds, wrong = self._test(test, env)
            fault = gates.either((fault, gates.both((so_far, wrong))))
            so_far = gates.both((so_far, holds, wrong ^ 1))
        return so_far, fault

    def _test(self, test: Test, env: Env) -> tuple[Literal, Literal]:
        try:
            return self._chosen(test, env) if isinstance(test, Chosen) else self._truth(test, env)
        except Unsupported:
            whole = test.domain if isinstance(test, Chosen) else test
            names = {slot: _name(symbol) for slot, symbol in env.items()}
            chosen = (names.get(test.slot), test.within) if isinstance(test, Chosen) else None
            key = ("test", chosen, form(whole, self._differing, self._side, names))
            return self._gates.unknown(key), self._gates.unknown(("fault", key))

    def value(self, expr: m.Expr) -> Found:
        return self.of(expr, self._env())

    def _env(self) -> Env:
        variables = zip(self._shared.question.variables, self._shared.variables, strict=True)
        return {(each.right if self._side else each.left): symbol for each, symbol in variables}

    def _chosen(self, test: Chosen, env: Env) -> tuple[Literal, Literal]:
        value = self._slot(test.slot, env)
        if not test.within:
            return self._holds(value, test.domain, env)
        items, fault = self._weighted(test.domain, env)
        available = self._values.gathered((item, self._values.positive(count)) for item, count in items)
        if isinstance(value, Members):
            return self._gates.both(
                self._gates.either((when ^ 1, available.get(item, FALSE))) for item, when in value.of.items()
            ), fault
        if isinstance(value, Counts):
            most: dict[t.Value, list[tuple[int, Sum]]] = {}
            for item, count in items:
                most.setdefault(item, []).append((1, count))
            return self._gates.both(
                self._gates.at_least_zero(self._gates.plus([*most.get(item, []), (-1, count)]))
                for item, count in value.of.items()
            ), fault
        raise Unsupported

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
                self._known[key] = TRANSLATIONS[type(expr)](self, expr, env)
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
        return self._values.unknown(key, expr.type), self._gates.unknown(("fault", key))

    def _slot(self, slot: int, env: Env) -> Symbol:
        if slot in env:
            return env[slot]
        if slot == 0:
            return NOBODY
        raise Unsupported

    def _truth(self, expr: m.Expr, env: Env) -> tuple[Literal, Literal]:
        found, fault = self.of(expr, env)
        return self._values.truth(found), fault

    def _cases(self, expr: m.Expr, env: Env) -> tuple[Mapping[t.Value, Literal], Literal]:
        found, fault = self.of(expr, env)
        return self._values.cases(found), fault

    def _any(self, faults: Iterable[Literal]) -> Literal:
        return self._gates.either(faults)

    # ---- reading

    def constant(self, expr: m.Constant, env: Env) -> Found:
        return constant(expr.type, expr.value), FALSE

    def local(self, expr: m.Local, env: Env) -> Found:
        return self._slot(expr.slot, env), FALSE

    def all_values(self, expr: m.AllValues, env: Env) -> Found:
        return Members(dict.fromkeys(t.values(expr.of), TRUE)), FALSE

    def read(self, expr: m.Read, env: Env) -> Found:
        places, fault = self._places(expr, env)
        return self._values.among([(when, self._shared.cell(expr.element, at)) for at, when in places.items()]), fault

    def _places(self, expr: m.Read, env: Env) -> tuple[Mapping[int, Literal], Literal]:
        """The cells that may be meant."""
        indices = [self._cases(index, env) for index in expr.indices]
        found: dict[int, list[Literal]] = {}
        faults = [fault for _, fault in indices]
        for values, when in self._product([cases for cases, _ in indices]):
            pairs = zip(values, expr.element.indices, strict=True)
            if any(value is None and not isinstance(of, t.Optional) for value, of in pairs):
                faults.append(when)
                continue
            at = self._engine.machine.cell(expr.element.name, values)
            found.setdefault(at, []).append(when)
        return {at: self._gates.either(whens) for at, whens in found.items()}, self._any(faults)

    def _product(self, parts: list[Mapping[t.Value, Literal]]) -> Iterable[tuple[tuple[t.Value, ...], Literal]]:
        total = 1
        for part in parts:
            total *= len(part)
        if total > PAIRS:
            raise Unsupported
        for picked in product(*(part.items() for part in parts)):
            when = self._gates.both(each for _, each in picked)
            if when != FALSE:
                yield tuple(value for value, _ in picked), when

    def table_field(self, expr: m.TableField, env: Env) -> Found:
        cases, fault = self._cases(expr.operand, env)
        parts = [(None if value is None else expr.table[value], when) for value, when in cases.items()]
        return self._values.typed(expr.type, self._values.gathered(parts)), fault

    def call(self, expr: m.CallDefine, env: Env) -> Found:
        define = self._game.defines[expr.name]
        if expr.name not in self._reading:
            return self._tabled(expr, env)
        if define.cycle is not None:
            raise Unsupported
        given = [self.of(argument, env) for argument in expr.arguments]
        inner = dict(enumerate((symbol for symbol, _ in given), start=1))
        found, fault = self.of(define.body, inner)
        return found, self._any((fault, *(each for _, each in given)))

    def _tabled(self, expr: m.CallDefine, env: Env) -> Found:
        """A call that reads no state: worked out for all arguments that may be meant."""
        given = [self._cases(argument, env) for argument in expr.arguments]
        parts: list[tuple[t.Value, Literal]] = []
        faults = [fault for _, fault in given]
        for values, when in self._product([cases for cases, _ in given]):
            try:
                value = self._engine.machine.called(expr.name, values)
            except UNDECIDED:
                faults.append(when)
                continue
            parts.append((value, when))
        if not parts:
            raise Unsupported
        return self._values.typed(expr.type, self._values.gathered(parts)), self._any(faults)

    # ---- making

    def make_record(self, expr: m.MakeRecord, env: Env) -> Found:
        assert isinstance(expr.record, t.Record)
        parts = [self._cases(part, env) for part in expr.parts]
        found = [
            (expr.record.positions.get(values), when) for values, when in self._product([each for each, _ in parts])
        ]
        return Cases(self._values.gathered(found)), self._any(fault for _, fault in parts)

    def make_word(self, expr: m.MakeWord, env: Env) -> Found:
        assert isinstance(expr.words, t.Words)
        parts = [self._cases(part, env) for part in expr.parts]
        faults = [fault for _, fault in parts]
        found: list[tuple[t.Value, Literal]] = []
        for values, when in self._product([each for each, _ in parts]):
            position = expr.words.positions.get((expr.case, values))
            if position is None:
                faults.append(when)
            else:
                found.append((position, when))
        return Cases(self._values.gathered(found)), self._any(faults)

    def set_of(self, expr: m.SetExpr, env: Env) -> Found:
        items = [self._cases(item, env) for item in expr.items]
        parts = [pair for cases, _ in items for pair in cases.items()]
        return Members(self._values.gathered(parts)), self._any(fault for _, fault in items)

    def interval(self, expr: m.IntervalExpr, env: Env) -> Found:
        (low, low_fault), (high, high_fault) = self._cases(expr.low, env), self._cases(expr.high, env)
        ends = [value for value in (*low, *high) if value is not None]
        parts = []
        for value in range(min(ends, default=0), max(ends, default=-1) + 1):
            above = self._gates.either(when for each, when in low.items() if each is not None and each <= value)
            below = self._gates.either(when for each, when in high.items() if each is not None and value <= each)
            parts.append((value, self._gates.both((above, below))))
        return Members(self._values.gathered(parts)), self._any((low_fault, high_fault))

    # ---- operators

    def arithmetic(self, expr: m.Arithmetic, env: Env) -> Found:
        (left, left_fault), (right, right_fault) = self.of(expr.left, env), self.of(expr.right, env)
        faults = [left_fault, right_fault]
        if isinstance(left, Cases) and isinstance(right, Cases) and len(left.of) * len(right.of) <= PAIRS // 4:
            return self._by_cases(expr, left.of, right.of, faults)
        (one, no_one), (two, no_two) = self._values.number(left), self._values.number(right)
        fault = self._any((*faults, no_one, no_two))
        match expr.operator:
            case "+":
                return Number(self._gates.plus([(1, one), (1, two)])), fault
            case "-":
                return Number(self._gates.plus([(1, one), (-1, two)])), fault
            case "*" if not two.literals and not two.unknowns:
                return Number(self._gates.plus([(two.constant, one)])), fault
            case "*" if not one.literals and not one.unknowns:
                return Number(self._gates.plus([(one.constant, two)])), fault
            case _:
                return self._by_cases(expr, self._values.cases(left), self._values.cases(right), faults)

    def _by_cases(
        self,
        expr: m.Arithmetic,
        left: Mapping[t.Value, Literal],
        right: Mapping[t.Value, Literal],
        faults: list[Literal],
    ) -> Found:
        found: list[tuple[t.Value, Literal]] = []
        for (one, two), when in self._product([left, right]):
            if one is None or two is None or (expr.operator in {"div", "mod"} and two == 0):
                faults.append(when)
                continue
            found.append((ARITHMETIC[expr.operator](one, two), when))
        if not found:
            raise Unsupported
        return Cases(self._values.gathered(found)), self._any(faults)

    def combine(self, expr: m.Combine, env: Env) -> Found:
        if isinstance(expr.type, t.ListOf):
            raise Unsupported
        (left, one_fault), (right, two_fault) = self._weighted(expr.left, env), self._weighted(expr.right, env)
        fault, gates = self._any((one_fault, two_fault)), self._gates
        if isinstance(expr.type, t.BagOf):
            if expr.operator == "-":
                raise Unsupported
            counts: dict[t.Value, list[tuple[int, Sum]]] = {}
            for item, count in (*left, *right):
                counts.setdefault(item, []).append((1, count))
            return Counts({item: gates.plus(each) for item, each in counts.items()}), fault
        one, two = (
            self._values.gathered((item, self._values.positive(count)) for item, count in side)
            for side in (left, right)
        )
        if expr.operator == "+":
            return Members(self._values.gathered([*one.items(), *two.items()])), fault
        less = {item: gates.both((when, two.get(item, FALSE) ^ 1)) for item, when in one.items()}
        return Members({item: when for item, when in less.items() if when != FALSE}), fault

    def minus(self, expr: m.Minus, env: Env) -> Found:
        found, fault = self.of(expr.operand, env)
        if isinstance(found, Cases):
            return Cases({-value: when for value, when in found.of.items() if value is not None}), fault
        whole, wrong = self._values.number(found)
        return Number(self._gates.plus([(-1, whole)])), self._any((fault, wrong))

    def negation(self, expr: m.NotExpr, env: Env) -> Found:
        holds, fault = self._truth(expr.operand, env)
        return Truth(holds ^ 1), fault

    def comparison(self, expr: m.Comparison, env: Env) -> Found:
        (left, one_fault), (right, two_fault) = self.of(expr.left, env), self.of(expr.right, env)
        fault = self._any((one_fault, two_fault))
        if expr.operator in {"=", "!="}:
            same = self._values.equal(left, right)
            return Truth(same if expr.operator == "=" else same ^ 1), fault
        if expr.operator in {"<=", ">"}:
            holds, wrong = self._values.at_most(left, right)
        else:
            holds, wrong = self._values.at_most(right, left)
        return Truth(holds if expr.operator in {"<=", ">="} else holds ^ 1), self._any((fault, wrong))

    def member(self, expr: m.Member, env: Env) -> Found:
        item, fault = self.of(expr.item, env)
        holds, wrong = self._holds(item, expr.collection, env)
        return Truth(holds ^ 1 if expr.negated else holds), self._any((fault, wrong))

    def _holds(self, item: Symbol, collection: m.Expr, env: Env) -> tuple[Literal, Literal]:
        gates, values = self._gates, self._values
        if isinstance(collection, m.IntervalExpr):
            (low, low_fault), (high, high_fault) = self.of(collection.low, env), self.of(collection.high, env)
            is_one = (item.of.get(None, FALSE) if isinstance(item, Cases) else FALSE) ^ 1
            above, below = values.at_most(low, item)[0], values.at_most(item, high)[0]
            late = gates.both((is_one, above, high_fault))
            return gates.both((is_one, above, below)), self._any((gates.both((is_one, low_fault)), late))
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
            within = [(self._values.equal_to(item.sum, value), when) for value, when in of.items()]
            return self._gates.either(self._gates.both(pair) for pair in within)
        cases = self._values.cases(item)
        return self._gates.either(
            self._gates.both((cases[value], when)) for value, when in of.items() if value in cases
        )

    def logic(self, expr: m.Logic, env: Env) -> Found:
        (left, one_fault), (right, two_fault) = self._truth(expr.left, env), self._truth(expr.right, env)
        gates = self._gates
        goes_on = left ^ 1 if expr.operator == "or" else left
        if expr.operator == "and":
            found = gates.both((left, right))
        else:
            found = gates.either((left if expr.operator == "or" else left ^ 1, right))
        return Truth(found), self._any((one_fault, gates.both((goes_on, two_fault))))

    def empty_test(self, expr: m.EmptyTest, env: Env) -> Found:
        found, fault = self.of(expr.operand, env)
        match found:
            case Members(of=of):
                some = self._gates.either(of.values())
            case Counts(of=of_counts):
                some = self._gates.either(map(self._values.positive, of_counts.values()))
            case Pile(size=size):
                some = self._values.positive(size)
            case Listing(parts=parts):
                some = self._gates.either(when for _, when in parts)
            case Cases(of=of):
                some = self._gates.either(of[value] for value in of if value is None or value == ()) ^ 1
            case Truth() | Number():
                some = TRUE
            case _:
                raise Unsupported
        return Truth(some if expr.negated else some ^ 1), fault

    def checked(self, expr: m.Checked, env: Env) -> Found:
        found, fault = self.of(expr.operand, env)
        if isinstance(found, Number) and isinstance(expr.type, t.Range):
            ends = Cases({expr.type.low: TRUE}), Cases({expr.type.high: TRUE})
            fits = self._values.at_most(ends[0], found)[0], self._values.at_most(found, ends[1])[0]
            return found, self._any((fault, fits[0] ^ 1, fits[1] ^ 1))
        if isinstance(found, Cases):
            wrong = [when for value, when in found.of.items() if not _lies_in(expr.type, value)]
            kept = {value: when for value, when in found.of.items() if _lies_in(expr.type, value)}
            if not kept:
                raise Unsupported
            return self._values.typed(expr.type, kept), self._any((fault, *wrong))
        if isinstance(found, Members) and isinstance(expr.type, t.SetOf):
            of = expr.type.of
            return found, self._any((fault, *(when for item, when in found.of.items() if not _lies_in(of, item))))
        if isinstance(found, Truth):
            return found, fault
        raise Unsupported

    # ---- branching

    def if_(self, expr: m.IfExpr, env: Env) -> Found:
        when, fault = self._truth(expr.condition, env)
        if when in {TRUE, FALSE}:
            found, other = self.of(expr.then if when == TRUE else expr.otherwise, env)
            return found, self._any((fault, other))
        (then, one_fault), (otherwise, two_fault) = self.of(expr.then, env), self.of(expr.otherwise, env)
        return self._values.choose(when, then, otherwise), self._any(
            (fault, self._gates.choose(when, one_fault, two_fault))
        )

    def let(self, expr: m.LetExpr, env: Env) -> Found:
        value, fault = self.of(expr.value, env)
        found, other = self.of(expr.body, {**env, expr.slot: value})
        return found, self._any((fault, other))

    def match(self, expr: m.MatchExpr, env: Env) -> Found:
        cases, fault = self._cases(expr.subject, env)
        left, options, faults = dict(cases), [], [fault]
        for case in expr.cases:
            mine = {value: left.pop(value) for value in list(left) if case.values is None or value in case.values}
            if not mine:
                continue
            when = self._gates.either(mine.values())
            inner = dict(env)
            for bind in case.binds:
                inner[bind.slot] = Cases(
                    self._values.gathered((bind.table[value], each) for value, each in mine.items())
                )
            found, wrong = self.of(case.body, inner)
            options.append((when, found))
            faults.append(self._gates.both((when, wrong)))
        faults.extend(left.values())
        return self._values.among(options), self._any(faults)

    def with_exceptions(self, expr: m.WithExceptions, env: Env) -> Found:
        gates, values = self._gates, self._values
        held: list[tuple[Literal, Symbol]] = []
        faults: list[Literal] = []
        found: list[tuple[Literal, Symbol]] = []
        none = TRUE
        for case in expr.exceptions:
            (when, one_fault), (value, two_fault) = self._truth(case.condition, env), self.of(case.value, env)
            faults += [one_fault, gates.both((when, two_fault))]
            faults += [gates.both((when, other, values.equal(value, said) ^ 1)) for other, said in held]
            found.append((gates.both((none, when)), value))
            none = gates.both((none, when ^ 1))
            held.append((when, value))
        body, fault = self.of(expr.body, env)
        return values.among([*found, (none, body)]), self._any((*faults, gates.both((none, fault))))

    # ---- going through collections

    def _items(self, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Literal]], Literal]:
        """What a loop goes through, each with the condition under which it does, in the order in which it does so
        where that is told: not of bags and piles."""
        found, fault = self.of(expr, env)
        match found:
            case Members(of=of):
                inner = t.element_type(expr.type)
                listed = order_of(t.optional(inner))(of) if inner is not None else list(of)
                return [(item, of[item]) for item in listed], fault
            case Counts(of=of_counts):
                return [(item, self._values.positive(of_counts[item])) for item in of_counts], fault
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

    def _weighted(self, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Sum]], Literal]:
        """What a loop goes through, with how often it does."""
        found, fault = self.of(expr, env)
        match found:
            case Counts(of=of_counts):
                return list(of_counts.items()), fault
            case Pile():
                raise Unsupported
            case Listing(parts=parts):
                return [(item, self._gates.where(when, Sum(1, {}, {}))) for item, when in parts], fault
            case Cases(of=of) if isinstance(expr.type, t.ListOf):
                one = Sum(1, {}, {})
                return [(item, self._gates.where(when, one)) for listed, when in of.items() for item in listed], fault
            case _:
                items, fault = self._items(expr, env)
                one = Sum(1, {}, {})
                return [(item, self._gates.where(when, one)) for item, when in items], fault

    def _plain(self, item: t.Value, of: t.Type) -> Symbol:
        return constant(of, item)

    def quantifier(self, expr: m.Quantifier, env: Env) -> Found:
        found, fault = self._some(expr, expr.loops, env)
        return Truth(found if expr.kind == "some" else found ^ 1), fault

    def _some(self, expr: m.Quantifier, loops: tuple[m.Loop, ...], env: Env) -> tuple[Literal, Literal]:
        gates = self._gates
        if not loops:
            return self._sought(expr, env)
        items, fault = self._items(loops[0].domain, env)
        faults, before = [fault], [FALSE]
        is_pile = isinstance(self.of(loops[0].domain, env)[0], Pile)
        for item, when in items:
            hit, wrong = self._some(expr, loops[1:], {**env, loops[0].slot: self._plain(item, loops[0].type)})
            if wrong != FALSE and is_pile:
                raise Unsupported
            if wrong != FALSE:
                faults.append(gates.both((gates.either(before) ^ 1, when, wrong)))
            before.append(gates.both((when, hit)))
        found = gates.either(before)
        return found, self._any(faults)

    def _sought(self, expr: m.Quantifier, env: Env) -> tuple[Literal, Literal]:
        has, has_fault = self._truth(expr.has, env)
        sought = has ^ 1 if expr.kind == "every" else has
        if expr.where is None:
            return sought, has_fault
        where, where_fault = self._truth(expr.where, env)
        return self._gates.both((where, sought)), self._any((where_fault, self._gates.both((where, has_fault))))

    def aggregate(self, expr: m.AggregateExpr, env: Env) -> Found:
        found: list[tuple[Sum, Symbol]] = []
        fault = self._gather(expr, expr.loops, env, Sum(1, {}, {}), found)
        gates, values = self._gates, self._values
        match expr.kind:
            case "count":
                return Number(gates.plus((1, count) for count, _ in found)), fault
            case "sum":
                parts = [self._times(count, symbol) for count, symbol in found]
                return Number(gates.plus((1, part) for part, _ in parts)), self._any(
                    (fault, *(each for _, each in parts))
                )
            case "set":
                return Members(values.gathered(self._held(found))), fault
            case "bag":
                counts: dict[t.Value, list[tuple[int, Sum]]] = {}
                for count, symbol in found:
                    for value, when in values.cases(symbol).items():
                        counts.setdefault(value, []).append((1, gates.where(when, count)))
                return Counts({value: gates.plus(each) for value, each in counts.items()}), fault
            case "max" | "min":
                return self._extreme(expr, found, fault, env)
            case "list":
                if any((gates.bounds(count)[1] or 2) > 1 for count, _ in found):
                    raise Unsupported
                return Listing(tuple(self._held(found))), fault

    def _held(self, found: list[tuple[Sum, Symbol]]) -> Iterable[tuple[t.Value, Literal]]:
        """The values that come at least once."""
        for count, symbol in found:
            some = self._values.positive(count)
            yield from ((value, self._gates.both((some, when))) for value, when in self._values.cases(symbol).items())

    def _gather(
        self, expr: m.AggregateExpr, loops: tuple[m.Loop, ...], env: Env, often: Sum, found: list[tuple[Sum, Symbol]]
    ) -> Literal:
        """The values with how often each comes; whether the rules do not say."""
        gates = self._gates
        listed = self._weighted if expr.kind in {"sum", "count", "bag", "list"} else self._once
        items, fault = listed(loops[0].domain, env)
        faults = [fault]
        for item, count in items:
            inner = {**env, loops[0].slot: self._plain(item, loops[0].type)}
            here = self._both_often(often, count)
            some = self._values.positive(here)
            if some == FALSE:
                continue
            if len(loops) > 1:
                faults.append(self._gather(expr, loops[1:], inner, here, found))
                continue
            where, wrong = (TRUE, FALSE) if expr.where is None else self._truth(expr.where, inner)
            faults.append(gates.both((some, wrong)))
            if where == FALSE:
                continue
            value, wrong = self.of(expr.value, inner)
            faults.append(gates.both((some, where, wrong)))
            found.append((gates.where(where, here), value))
        return self._any(faults)

    def _once(self, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Sum]], Literal]:
        items, fault = self._items(expr, env)
        return [(item, self._gates.where(when, Sum(1, {}, {}))) for item, when in items], fault

    def _both_often(self, one: Sum, two: Sum) -> Sum:
        """The product of two counts, of which one is 0 or 1."""
        if one.constant == 1 and not one.literals and not one.unknowns:
            return two
        if two.constant == 1 and not two.literals and not two.unknowns:
            return one
        for single, other in ((one, two), (two, one)):
            match single:
                case Sum(constant=0, unknowns=unknowns, literals=literals) if not unknowns and len(literals) == 1:
                    ((literal, count),) = literals.items()
                    if count == 1:
                        return self._gates.where(literal, other)
        raise Unsupported

    def _times(self, count: Sum, symbol: Symbol) -> tuple[Sum, Literal]:
        whole, wrong = self._values.number(symbol)
        gates = self._gates
        if not count.unknowns and not count.literals:
            return gates.plus([(count.constant, whole)]), wrong
        if not whole.literals and not whole.unknowns:
            return gates.plus([(whole.constant, count)]), gates.both((self._values.positive(count), wrong))
        if count.constant == 0 and not count.unknowns and len(count.literals) == 1:
            ((literal, often),) = count.literals.items()
            return gates.plus([(often, gates.where(literal, whole))]), gates.both((literal, wrong))
        parts = [(value, gates.where(when, count)) for value, when in self._values.cases(symbol).items() if value]
        return gates.plus(parts), wrong

    def _extreme(self, expr: m.AggregateExpr, found: list[tuple[Sum, Symbol]], fault: Literal, env: Env) -> Found:
        gates, values = self._gates, self._values
        there = values.gathered(self._held(found))
        fault = self._any((fault, there.pop(None, FALSE)))
        cases, none = {}, TRUE
        for value in sorted(there, reverse=expr.kind == "max"):
            cases[value] = gates.both((none, there[value]))
            none = gates.both((none, there[value] ^ 1))
        if expr.otherwise is None:
            if not cases:
                raise Unsupported
            return Cases({value: when for value, when in cases.items() if when != FALSE}), self._any((fault, none))
        otherwise, wrong = self.of(expr.otherwise, env)
        options: list[tuple[Literal, Symbol]] = [(when, Cases({value: TRUE})) for value, when in cases.items()]
        return values.among([*options, (none, otherwise)]), self._any((fault, gates.both((none, wrong))))

    def pick(self, expr: m.PickExpr, env: Env) -> Found:
        gates = self._gates
        symbol, _ = self.of(expr.loop.domain, env)
        if expr.kind == "first" and (isinstance(symbol, Pile) or (isinstance(symbol, Cases) and len(symbol.of) > 1)):
            raise Unsupported
        items, fault = self._items(expr.loop.domain, env)
        faults, there = [fault], dict[t.Value, list[Literal]]()
        before = FALSE
        for item, when in items:
            where, wrong = (TRUE, FALSE)
            if expr.where is not None:
                where, wrong = self._truth(expr.where, {**env, expr.loop.slot: self._plain(item, expr.loop.type)})
            reached = gates.both((when, before ^ 1)) if expr.kind == "first" else when
            faults.append(gates.both((reached, wrong)))
            hit = gates.both((reached, where))
            there.setdefault(item, []).append(hit)
            before = gates.either((before, hit))
        cases = {item: gates.either(each) for item, each in there.items()}
        if expr.kind == "the":
            faults.append(self._several(list(cases.values())))
        none = gates.either(cases.values()) ^ 1
        if expr.otherwise is None:
            faults.append(none)
            return self._values.typed(expr.type, cases), self._any(faults)
        otherwise, wrong = self.of(expr.otherwise, env)
        faults.append(gates.both((none, wrong)))
        options = [(when, constant(expr.loop.type, item)) for item, when in cases.items()]
        return self._values.among([*options, (none, otherwise)]), self._any(faults)

    def _several(self, literals: list[Literal]) -> Literal:
        """Whether more than one holds."""
        gates, one, two = self._gates, FALSE, FALSE
        for literal in literals:
            two = gates.either((two, gates.both((one, literal))))
            one = gates.either((one, literal))
        return two

    def extremum(self, expr: m.ExtremumExpr, env: Env) -> Found:
        items = [self.of(item, env) for item in expr.items]
        values = self._values
        (found, fault), *more = items
        for symbol, wrong in more:
            less, no_number = values.at_most(found, symbol)
            keeps = less ^ 1 if expr.kind == "max" else less
            found, fault = values.choose(keeps, found, symbol), self._any((fault, wrong, no_number))
        return found, fault

    # ---- the language's functions

    def builtin(self, expr: m.Builtin, env: Env) -> Found:
        players = self._game.players
        match expr.name:
            case "size":
                return self._size(expr.arguments[0], env)
            case "top":
                found, fault = self.of(expr.arguments[0], env)
                if not isinstance(found, Pile):
                    raise Unsupported
                return found.top, fault
            case "index":
                return self.of(expr.arguments[0], env)
            case "clockwise":
                return self._each(expr, env, lambda p: tuple((p + step) % players for step in range(players)))
            case "reversed" if isinstance(expr.arguments[0].type, t.ListOf):
                return self._each(expr, env, lambda listed: listed[::-1])
            case "place_in" if isinstance(expr.arguments[0].type, t.ListOf):
                return self._place_in(expr, env)
            case "seat" | "number" | "opponent" | "next" | "previous" | "abs":
                return self._each(expr, env, _of_player(expr.name, players))
            case _:
                raise Unsupported

    def _each(self, expr: m.Builtin, env: Env, function: Callable[[Any], t.Value]) -> Found:
        cases, fault = self._cases(expr.arguments[0], env)
        wrong = cases.get(None, FALSE)
        found = self._values.gathered((function(value), when) for value, when in cases.items() if value is not None)
        if not found:
            raise Unsupported
        return Cases(found), self._any((fault, wrong))

    def _size(self, operand: m.Expr, env: Env) -> Found:
        found, fault = self.of(operand, env)
        match found:
            case Pile(size=size):
                return Number(size), fault
            case Cases(of=of) if not isinstance(operand.type, t.ListOf):
                return Number(self._gates.where(of.get(None, FALSE) ^ 1, Sum(1, {}, {}))), fault
            case Truth() | Number():
                return Number(Sum(1, {}, {})), fault
        items, fault = self._weighted(operand, env)
        return Number(self._gates.plus((1, count) for _, count in items)), fault

    def _place_in(self, expr: m.Builtin, env: Env) -> Found:
        (lists, one_fault), (sought, two_fault) = (
            self._cases(expr.arguments[0], env),
            self._cases(expr.arguments[1], env),
        )
        faults = [one_fault, two_fault]
        found: list[tuple[t.Value, Literal]] = []
        for (listed, item), when in self._product([lists, sought]):
            if item in listed:
                found.append((listed.index(item) + 1, when))
            else:
                faults.append(when)
        if not found:
            raise Unsupported
        return Cases(self._values.gathered(found)), self._any(faults)

    def nothing(self, expr: m.Expr, env: Env) -> Found:
        """What hangs on more than cells and names."""
        raise Unsupported


def _name(symbol: Symbol) -> Hashable:
    if isinstance(symbol, Cases) and len(symbol.of) == 1:
        ((value, when),) = symbol.of.items()
        if when == TRUE:
            return Known(value)
    return symbol.key


def _lies_in(of: t.Type, value: t.Value) -> bool:
    return isinstance(of, t.Optional) if value is None else t.contains(of, value)


def _of_player(name: str, players: int) -> Callable[[Any], t.Value]:
    functions: Mapping[str, Callable[[Any], t.Value]] = {
        "seat": lambda number: number - 1,
        "number": lambda player: player + 1,
        "opponent": lambda player: 1 - player,
        "next": lambda player: (player + 1) % players,
        "previous": lambda player: (player - 1) % players,
        "abs": abs,
    }
    return functions[name]


ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
TRANSLATIONS: Mapping[type, Callable[[Translator, Any, Env], Found]] = {
    m.Constant: Translator.constant,
    m.Local: Translator.local,
    m.Read: Translator.read,
    m.CallDefine: Translator.call,
    m.TableField: Translator.table_field,
    m.MakeRecord: Translator.make_record,
    m.MakeWord: Translator.make_word,
    m.Arithmetic: Translator.arithmetic,
    m.Combine: Translator.combine,
    m.Minus: Translator.minus,
    m.NotExpr: Translator.negation,
    m.Comparison: Translator.comparison,
    m.Member: Translator.member,
    m.Logic: Translator.logic,
    m.EmptyTest: Translator.empty_test,
    m.IfExpr: Translator.if_,
    m.Quantifier: Translator.quantifier,
    m.AggregateExpr: Translator.aggregate,
    m.PickExpr: Translator.pick,
    m.Checked: Translator.checked,
    m.ExtremumExpr: Translator.extremum,
    m.SetExpr: Translator.set_of,
    m.IntervalExpr: Translator.interval,
    m.AllValues: Translator.all_values,
    m.Builtin: Translator.builtin,
    m.CanPerform: Translator.nothing,
    m.MatchExpr: Translator.match,
    m.LetExpr: Translator.let,
    m.WithExceptions: Translator.with_exceptions,
}
