"""What expressions come to in all states at once: for every value the condition under which it is that one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ludex.spec import types as t

from .gates import FALSE, TRUE, Gates, Literal, Sum

LISTED = 48
"""Ranges of more numbers are unknown whole numbers, not one condition for each."""
LARGEST = 700
"""Types of more values are not expressed."""
PAIRS = 1500
"""Two values are combined case by case if there are no more pairs of cases."""


class Unsupported(Exception):
    """This is not expressed; it may still be the same on both sides."""


@dataclass(frozen=True)
class Truth:
    """True or false."""

    literal: Literal

    @property
    def key(self) -> Hashable:
        return "truth", self.literal


@dataclass(frozen=True)
class Cases:
    """One of some plain values (`none`, and lists as tuples, among them); the conditions exclude each other."""

    of: Mapping[t.Value, Literal]

    @cached_property
    def key(self) -> Hashable:
        return "cases", frozenset((type(value).__name__, value, when) for value, when in self.of.items())


@dataclass(frozen=True)
class Number:
    """A whole number as a sum."""

    sum: Sum

    @cached_property
    def key(self) -> Hashable:
        whole = self.sum
        return "number", whole.constant, frozenset(whole.literals.items()), frozenset(whole.unknowns.items())


@dataclass(frozen=True)
class Members:
    """A set: which values are in it."""

    of: Mapping[t.Value, Literal]

    @cached_property
    def key(self) -> Hashable:
        return "members", frozenset(self.of.items())


@dataclass(frozen=True)
class Counts:
    """A bag: how many there are of each value."""

    of: Mapping[t.Value, Sum]

    @cached_property
    def key(self) -> Hashable:
        return "counts", frozenset((value, Number(count).key) for value, count in self.of.items())


@dataclass(frozen=True)
class Pile:
    """A pile of which only this is expressed: how many pieces there are, what lies on top, what lies in it."""

    name: Hashable
    size: Sum
    top: Cases
    members: Members

    @property
    def key(self) -> Hashable:
        return "pile", self.name


@dataclass(frozen=True)
class Thing:
    """Something of which nothing is expressed but which one it is."""

    name: Hashable

    @property
    def key(self) -> Hashable:
        return "thing", self.name


@dataclass(frozen=True)
class Listing:
    """A list: values one after another, each there where its condition holds."""

    parts: tuple[tuple[t.Value, Literal], ...]

    @property
    def key(self) -> Hashable:
        return "listing", self.parts


Symbol: TypeAlias = Truth | Cases | Number | Members | Counts | Pile | Listing | Thing
"""What an expression comes to. Two symbols with one `key` are the same in every state."""
NUMBER_0 = Sum(0, {}, {})


def constant(of: t.Type, value: t.Value) -> Symbol:
    """A value that is known."""
    if isinstance(value, bool) and not isinstance(of, t.Optional):
        return Truth(TRUE if value else FALSE)
    if isinstance(value, frozenset):
        return Members(dict.fromkeys(value, TRUE))
    if isinstance(value, tuple) and isinstance(of, t.BagOf):
        counts: dict[t.Value, Sum] = {}
        for item in value:
            counts[item] = Sum(counts[item].constant + 1 if item in counts else 1, {}, {})
        return Counts(counts)
    return Cases({value: TRUE})


class Values:
    """Works with symbols over gates."""

    def __init__(self, gates: Gates) -> None:
        self.gates = gates

    # ---- unknowns

    def unknown(self, key: Hashable, of: t.Type) -> Symbol:
        """Any value of the type. Raises Unsupported."""
        gates = self.gates
        match of:
            case t.Bool():
                return Truth(gates.unknown(key))
            case t.Range(low=low, high=high) if high - low >= LISTED:
                return Number(gates.whole(key, low, high))
            case t.SetOf(of=inner):
                return Members({value: gates.unknown((key, value)) for value in _listed(inner)})
            case t.BagOf(of=inner):
                return Counts({value: gates.whole((key, value), 0, None) for value in _listed(inner)})
            case t.ListOf():
                raise Unsupported
            case _:
                return self._one_of(key, _listed(of))

    def _one_of(self, key: Hashable, values: Iterable[t.Value]) -> Cases:
        listed = list(values)
        if not listed:
            raise Unsupported
        bits = [self.gates.unknown((key, "bit", at)) for at in range((len(listed) - 1).bit_length())]
        found: dict[t.Value, Literal] = {}
        for at, value in enumerate(listed[:-1]):
            found[value] = self.gates.both(bit if at >> place & 1 else bit ^ 1 for place, bit in enumerate(bits))
        found[listed[-1]] = self.gates.either(found.values()) ^ 1
        return Cases({value: when for value, when in found.items() if when != FALSE})

    def pile(self, key: Hashable, of: t.Type) -> Pile:
        """Any pile of pieces of the type."""
        gates, size = self.gates, self.gates.whole((key, "size"), 0, None)
        top = self.unknown((key, "top"), t.Optional(of))
        members = self.unknown((key, "in"), t.SetOf(of))
        assert isinstance(top, Cases)
        assert isinstance(members, Members)
        some = self.positive(size)
        gates.given.append(gates.same(some, top.of.get(None, FALSE) ^ 1))
        for value, when in members.of.items():
            gates.given.append(gates.either((when ^ 1, some)))
            gates.given.append(gates.either((top.of.get(value, FALSE) ^ 1, when)))
        different = Sum(0, dict.fromkeys(members.of.values(), 1), {})
        gates.given.append(gates.at_least_zero(gates.plus([(1, size), (-1, different)])))
        return Pile(key, size, top, members)

    # ---- looking at symbols

    def truth(self, symbol: Symbol) -> Literal:
        """When it is true. Raises Unsupported if it is no truth value."""
        match symbol:
            case Truth(literal=literal):
                return literal
            case Cases(of=of):
                return of.get(True, FALSE)
            case _:
                raise Unsupported

    def cases(self, symbol: Symbol) -> Mapping[t.Value, Literal]:
        """The values it may have, each with when it has it. Raises Unsupported where they cannot be listed."""
        match symbol:
            case Cases(of=of):
                return of
            case Truth(literal=literal):
                both = {True: literal, False: literal ^ 1}
                return {value: when for value, when in both.items() if when != FALSE}
            case Number():
                return self._cases_of(symbol.sum)
            case _:
                raise Unsupported

    def _cases_of(self, whole: Sum) -> Mapping[t.Value, Literal]:
        low, high = self.gates.bounds(whole)
        if low is None or high is None or high - low > LARGEST:
            raise Unsupported
        found = {value: self.equal_to(whole, value) for value in range(low, high + 1)}
        return {value: when for value, when in found.items() if when != FALSE}

    def equal_to(self, whole: Sum, value: int) -> Literal:
        """When a sum comes to a known number."""
        gates = self.gates
        less = gates.plus([(1, whole), (1, Sum(-value, {}, {}))])
        return gates.both((gates.at_least_zero(less), gates.at_least_zero(gates.plus([(-1, less)]))))

    def positive(self, whole: Sum) -> Literal:
        """Whether it is at least 1."""
        return self.gates.at_least_zero(self.gates.plus([(1, whole), (1, Sum(-1, {}, {}))]))

    def number(self, symbol: Symbol) -> tuple[Sum, Literal]:
        """As a sum; and whether it is no number at all."""
        match symbol:
            case Number(sum=whole):
                return whole, FALSE
            case Cases(of=of):
                numbers = {value: when for value, when in of.items() if value is not None}
                if len(of) == 1 and numbers:
                    return Sum(next(iter(numbers)), {}, {}), FALSE
                literals: dict[Literal, int] = {}
                for value, when in numbers.items():
                    if value:
                        literals[when] = literals.get(when, 0) + value
                return Sum(0, literals, {}), of.get(None, FALSE)
            case _:
                raise Unsupported

    # ---- putting together

    def choose(self, when: Literal, then: Symbol, otherwise: Symbol) -> Symbol:
        """One symbol where the condition holds, the other where it does not. Raises Unsupported."""
        if when == TRUE or then.key == otherwise.key:
            return then
        if when == FALSE:
            return otherwise
        return self.among([(when, then), (when ^ 1, otherwise)])

    def among(self, options: list[tuple[Literal, Symbol]]) -> Symbol:
        """The one whose condition holds; the conditions exclude each other."""
        options = [each for each in options if each[0] != FALSE]
        if len(options) == 1 or len({symbol.key for _, symbol in options}) == 1:
            return options[0][1]
        if not options:
            raise Unsupported
        gates, symbols = self.gates, [symbol for _, symbol in options]
        if all(isinstance(each, Truth) for each in symbols):
            return Truth(gates.either(gates.both((when, self.truth(each))) for when, each in options))
        if all(isinstance(each, Cases | Truth) for each in symbols):
            return Cases(self.gathered(self._under((when, self.cases(each)) for when, each in options)))
        if all(isinstance(each, Cases | Number) for each in symbols):
            sums = [(when, *self.number(each)) for when, each in options]
            if any(wrong != FALSE for _, _, wrong in sums):
                raise Unsupported
            return Number(gates.plus((1, gates.where(when, whole)) for when, whole, _ in sums))
        if all(isinstance(each, Members) for each in symbols):
            sets = ((when, each.of) for when, each in options if isinstance(each, Members))
            return Members(self.gathered(self._under(sets)))
        if all(isinstance(each, Counts) for each in symbols):
            counts: dict[t.Value, list[tuple[int, Sum]]] = {}
            for when, each in options:
                if isinstance(each, Counts):
                    for value, count in each.of.items():
                        counts.setdefault(value, []).append((1, gates.where(when, count)))
            return Counts({value: gates.plus(each) for value, each in counts.items()})
        raise Unsupported

    def _under(self, options: Iterable[tuple[Literal, Mapping[t.Value, Literal]]]) -> Iterable[tuple[t.Value, Literal]]:
        for when, of in options:
            yield from ((value, self.gates.both((when, under))) for value, under in of.items())

    def gathered(self, parts: Iterable[tuple[t.Value, Literal]]) -> dict[t.Value, Literal]:
        """By value, whether any of its conditions holds."""
        found: dict[t.Value, list[Literal]] = {}
        for value, when in parts:
            if when != FALSE:
                found.setdefault(value, []).append(when)
        return {value: whens[0] if len(whens) == 1 else self.gates.either(whens) for value, whens in found.items()}

    def typed(self, of: t.Type, cases: Mapping[t.Value, Literal]) -> Symbol:
        """Plain values by condition, as a symbol of the type."""
        match of:
            case t.Bool():
                return Truth(cases.get(True, FALSE))
            case t.SetOf() | t.BagOf():
                return self.among([(when, constant(of, value)) for value, when in cases.items()])
            case _:
                return Cases(cases)

    # ---- comparing

    def equal(self, one: Symbol, two: Symbol) -> Literal:
        """When both have the same value. Raises Unsupported."""
        gates = self.gates
        if one.key == two.key:
            return TRUE
        match one, two:
            case Truth(), Truth():
                return gates.same(one.literal, two.literal)
            case (Number(), Number() | Cases()) | (Cases(), Number()):
                (left, no_left), (right, no_right) = self.number(one), self.number(two)
                less = gates.plus([(1, left), (-1, right)])
                same = gates.at_least_zero(less), gates.at_least_zero(gates.plus([(-1, less)]))
                return gates.both((*same, no_left ^ 1, no_right ^ 1))
            case ((Cases() | Truth()), (Cases() | Truth())):
                left_cases, right_cases = self.cases(one), self.cases(two)
                common = [value for value in left_cases if value in right_cases]
                return gates.either(gates.both((left_cases[value], right_cases[value])) for value in common)
            case Members(), Members():
                values = {**one.of, **two.of}
                return gates.both(gates.same(one.of.get(each, FALSE), two.of.get(each, FALSE)) for each in values)
            case Counts(), Counts():
                values_ = {**one.of, **two.of}
                return gates.both(
                    self.equal(Number(one.of.get(each, NUMBER_0)), Number(two.of.get(each, NUMBER_0)))
                    for each in values_
                )
            case _:
                raise Unsupported

    def at_most(self, one: Symbol, two: Symbol) -> tuple[Literal, Literal]:
        """Whether the one is not greater than the other; and whether they are nothing to be compared."""
        gates = self.gates
        if isinstance(one, Cases | Truth) and isinstance(two, Cases | Truth):
            left, right = self.cases(one), self.cases(two)
            if len(left) * len(right) <= PAIRS:
                wrong = gates.either((left.get(None, FALSE), right.get(None, FALSE)))
                found = gates.either(
                    gates.both((a, gates.either(b for value, b in right.items() if value is not None and low <= value)))
                    for low, a in left.items()
                    if low is not None
                )
                return found, wrong
        (low_sum, no_low), (high_sum, no_high) = self.number(one), self.number(two)
        less = gates.plus([(1, high_sum), (-1, low_sum)])
        return gates.at_least_zero(less), gates.either((no_low, no_high))


def _listed(of: t.Type) -> Iterable[t.Value]:
    size = t.size(of)
    if size is None or size > LARGEST:
        raise Unsupported
    return t.values(of)
