"""Conditions as numbers: conjunctions and negations of yes-or-no unknowns and of comparisons of sums, each kept once,
so that what is built alike is the same number.

A literal is even, or one more where it is negated; 0 is false and 1 is true.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

Literal: TypeAlias = int
FALSE, TRUE = 0, 1
FLAT = 12
"""Conjunctions of no more parts than this are taken apart in others."""
EXPANDED = 48
"""A comparison of a sum that can come to no more partial sums than this is put in terms of its parts."""


class TooLarge(Exception):
    """More would have to be built than is allowed."""


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All of the parts hold."""

    parts: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A condition of which nothing is known; the same key is the same condition."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class AtLeastZero:
    """A sum that is not negative: a constant, numbers that count where a literal holds, and multiples of unknown
    numbers where a literal holds."""

    constant: int
    literals: tuple[tuple[Literal, int], ...]
    unknowns: tuple[tuple[tuple[Literal, int], int], ...]


Node: TypeAlias = Conjunction | Unknown | AtLeastZero


@dataclass(frozen=True, slots=True)
class Sum:
    """A whole number. literals: what each adds where it holds; unknowns: by (literal, unknown number) the factor."""

    constant: int
    literals: Mapping[Literal, int]
    unknowns: Mapping[tuple[Literal, int], int]


@dataclass(frozen=True, slots=True)
class Whole:
    """An unknown whole number; None: no bound on that side."""

    key: Hashable
    low: int | None
    high: int | None


class Gates:
    """All conditions of one question. most: so many are built before it is given up."""

    def __init__(self, most: int) -> None:
        self.nodes: list[Node] = [Conjunction(())]
        self.wholes: list[Whole] = []
        self.given: list[Literal] = []
        """Literals that hold of what is unknown."""
        self._known: dict[Node, Literal] = {}
        self._numbers: dict[Hashable, int] = {}
        self._left = most

    def _literal(self, node: Node) -> Literal:
        found = self._known.get(node)
        if found is None:
            self.nodes.append(node)
            found = self._known[node] = 2 * (len(self.nodes) - 1)
        return found

    def unknown(self, key: Hashable) -> Literal:
        """The literal of a yes-or-no unknown."""
        return self._literal(Unknown(key))

    def whole(self, key: Hashable, low: int | None, high: int | None) -> Sum:
        """An unknown whole number."""
        if key not in self._numbers:
            self._numbers[key] = len(self.wholes)
            self.wholes.append(Whole(key, low, high))
        return Sum(0, {}, {(TRUE, self._numbers[key]): 1})

    def both(self, parts: Iterable[Literal]) -> Literal:
        """Whether all hold."""
        found: set[Literal] = set()
        for part in parts:
            self._left -= 1
            if part == FALSE:
                return FALSE
            if part == TRUE:
                continue
            node = self.nodes[part >> 1]
            if not part & 1 and isinstance(node, Conjunction) and len(node.parts) <= FLAT:
                found.update(node.parts)
            else:
                found.add(part)
        if self._left < 0:
            raise TooLarge
        if any(part ^ 1 in found for part in found):
            return FALSE
        if len(found) <= 1:
            return next(iter(found), TRUE)
        return self._literal(Conjunction(tuple(sorted(found))))

    def either(self, parts: Iterable[Literal]) -> Literal:
        """Whether any holds."""
        return self.both([part ^ 1 for part in parts]) ^ 1

    def choose(self, when: Literal, then: Literal, otherwise: Literal) -> Literal:
        """The one or the other."""
        if then == otherwise or when == TRUE:
            return then
        if when == FALSE:
            return otherwise
        return self.either((self.both((when, then)), self.both((when ^ 1, otherwise))))

    def same(self, one: Literal, two: Literal) -> Literal:
        """Whether both hold or neither."""
        return self.choose(one, two, two ^ 1)

    # ---- sums

    def plus(self, parts: Iterable[tuple[int, Sum]]) -> Sum:
        """Sums with factors, added."""
        constant, literals, unknowns = 0, dict[Literal, int](), dict[tuple[Literal, int], int]()
        for factor, part in parts:
            constant += factor * part.constant
            for literal, count in part.literals.items():
                literals[literal] = literals.get(literal, 0) + factor * count
            for unknown, count in part.unknowns.items():
                unknowns[unknown] = unknowns.get(unknown, 0) + factor * count
            self._left -= 1 + len(part.literals) + len(part.unknowns)
        for literal in [each for each in literals if each & 1 and each ^ 1 in literals]:
            count = literals.pop(literal)
            constant += count
            literals[literal ^ 1] -= count
        return Sum(constant, {k: v for k, v in literals.items() if v}, {k: v for k, v in unknowns.items() if v})

    def where(self, when: Literal, part: Sum) -> Sum:
        """The sum where the literal holds, else 0."""
        if when == TRUE:
            return part
        literals: dict[Literal, int] = {}
        constants = ((when, part.constant),) if part.constant else ()
        limited = ((self.both((when, literal)), count) for literal, count in part.literals.items())
        for literal, count in chain(constants, limited):
            if literal != FALSE:
                literals[literal] = literals.get(literal, 0) + count
        unknowns: dict[tuple[Literal, int], int] = {}
        for (guard, unknown), count in part.unknowns.items():
            guarded = self.both((when, guard))
            if guarded != FALSE:
                unknowns[guarded, unknown] = unknowns.get((guarded, unknown), 0) + count
        constant = literals.pop(TRUE, 0)
        return Sum(constant, literals, unknowns)

    def bounds(self, part: Sum) -> tuple[int | None, int | None]:
        """The least and the most that the sum can come to, as far as its parts tell."""
        low: int | None = part.constant + sum(count for count in part.literals.values() if count < 0)
        high: int | None = part.constant + sum(count for count in part.literals.values() if count > 0)
        for (guard, unknown), count in part.unknowns.items():
            whole = self.wholes[unknown]
            ends = [None if end is None else end * count for end in (whole.low, whole.high)]
            if count < 0:
                ends.reverse()
            least, most = ends
            if guard != TRUE:
                least, most = None if least is None else min(0, least), None if most is None else max(0, most)
            low = None if low is None or least is None else low + least
            high = None if high is None or most is None else high + most
        return low, high

    def at_least_zero(self, part: Sum) -> Literal:
        """Whether the sum is not negative."""
        low, high = self.bounds(part)
        if low is not None and low >= 0:
            return TRUE
        if high is not None and high < 0:
            return FALSE
        if not part.unknowns:
            expanded = self._expanded(part)
            if expanded is not None:
                return expanded
        literals, unknowns = sorted(part.literals.items()), sorted(part.unknowns.items())
        first = unknowns[0][1] if unknowns else literals[0][1]
        if first < 0:
            return self.at_least_zero(self.plus([(-1, part), (-1, Sum(1, {}, {}))])) ^ 1
        return self._literal(AtLeastZero(part.constant, tuple(literals), tuple(unknowns)))

    def _expanded(self, part: Sum) -> Literal | None:
        """The comparison in terms of the literals, if there are few sums that they come to."""
        sums: dict[int, Literal] = {part.constant: TRUE}
        for literal, count in sorted(part.literals.items()):
            more: dict[int, list[Literal]] = {}
            for so_far, when in sums.items():
                more.setdefault(so_far, []).append(self.both((when, literal ^ 1)))
                more.setdefault(so_far + count, []).append(self.both((when, literal)))
            sums = {value: self.either(each) for value, each in more.items()}
            if len(sums) > EXPANDED:
                return None
        return self.either(when for value, when in sums.items() if value >= 0)
