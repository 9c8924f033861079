"""All assignments of what is looked at, tried one after another; or, where there are too many, a sample of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from random import Random
from types import MappingProxyType
from typing import Any

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ...events import Undefined
from ..lockstep import Pair
from ..partly import UNSET, Key, Missing, Partly
from .pieces import Most
from .questions import Question, Variable
from .running import AWAY, NO, Came, Side, Unsettled, differ

LARGEST_SET = 10
"""Sets of more possible members are not all tried."""
LARGEST_PART = 2_000
"""A choice that has more parts than this is not tried with all of them."""
PLAIN = 0.3
"""At random, the plainest value is taken this often."""
LONGEST = 3
"""Lists, piles and bags are tried with so many items at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """A state in which both sides do not come to the same: what was settled of it, by cell and by variable."""

    cells: tuple[tuple[int, t.Value], ...]
    values: tuple[tuple[int, t.Value], ...]


@dataclass(slots=True)
class Answer:
    """What is known of a question.

    Attributes:
        is_complete: all was tried, or proved: what is not found is not there.
        left_only, right_only: only one side allows it.
        unlike: both sides go on, to different things.
        left_faulty, right_faulty: on that side the rules do not say what happens, and the other one allows it.
        faulty: on one side the rules do not say what happens, and the other one refuses it.
    """

    is_complete: bool = True
    left_only: Found | None = None
    right_only: Found | None = None
    unlike: Found | None = None
    left_faulty: Found | None = None
    right_faulty: Found | None = None
    faulty: Found | None = None
    reason: str = ""
    by: str = "enumeration"

    @property
    def is_equal(self) -> bool:
        """Whether both sides come to the same in all states."""
        found = self.left_only, self.right_only, self.unlike
        return self.is_complete and not self.is_faulty and all(each is None for each in found)

    @property
    def is_faulty(self) -> bool:
        """Whether on one side alone the rules do not say what happens somewhere."""
        return any(each is not None for each in (self.left_faulty, self.right_faulty, self.faulty))

    @property
    def is_settled(self) -> bool:
        """Whether trying more can tell nothing new."""
        both = self.left_only is not None and self.right_only is not None
        return self.is_complete or self.unlike is not None or both


NOTHING: Mapping[int, frozenset[t.Value]] = MappingProxyType({})


class Stopped(Exception):
    """So many were tried that it is given up."""


class Settled(Exception):
    """Trying more can tell nothing new."""


class Asked:
    """A question put to both games of a pair."""

    def __init__(
        self,
        pair: Pair,
        question: Question,
        most: Most | None = None,
        known: Mapping[int, frozenset[t.Value]] = NOTHING,
    ) -> None:
        """most: how many pieces there can be; states with more are left out. known: all that some cells can hold."""
        self.pair, self.question, self._held = pair, question, known
        self.left, self.right = Side(pair.left, question, True), Side(pair.right, question, False)
        self._elements = _elements(pair.left.game)
        self.most = most or {}
        self._known: dict[str, tuple[Sequence[t.Value], bool]] = {}
        self.blank: dict[int, t.Value] = {}
        if question.blank:
            cells = pair.left.machine.blank().cells
            for element in pair.left.game.elements:
                if element.name in question.blank:
                    places = range(element.offset, element.offset + element.count)
                    self.blank.update((at, cells[at]) for at in places)

    # ---- what may stand where

    def candidates(self, key: Key, cells: Partly, values: list[Any]) -> tuple[Sequence[t.Value], bool]:
        """What a cell or variable can be, in a good order for small examples; and whether that is all. Raises
        Missing."""
        kind, at = key
        if kind == "cell":
            if at in self.blank:
                return (self.blank[at],), True
            if at in self._held:
                return sorted(self._held[at], key=repr), True
            element = self._elements[at]
            if element.name not in self._known:
                self._known[element.name] = _cell_values(element)
            return self._known[element.name]
        variable = self.question.variables[at]
        if variable.domain is None:
            if variable.name not in self._known:
                self._known[variable.name] = _values(variable.type)
            return self._known[variable.name]
        return self._chosen(variable, cells, values)

    def _chosen(self, variable: Variable, cells: Partly, values: list[Any]) -> tuple[Sequence[t.Value], bool]:
        try:
            items = self.left.items(variable, cells, values)
        except Undefined:
            return (), True
        except OverBudget:
            return (), False
        if not variable.within:
            return list(dict.fromkeys(items)), True
        return _parts(variable.type, items)

    # ---- what both come to

    def compare(self, cells: Partly, values: list[Any], answer: Answer) -> None:
        """Note how the two sides part, if they do. Raises Missing, Unsettled."""
        left = self.left.came(cells, values)
        if left is not AWAY:
            self.note(left, self.right.came(cells, values), cells, values, answer)

    def note(self, one: Came, two: Came, cells: Partly, values: list[Any], answer: Answer) -> None:
        """As `compare`, where it is known what the sides come to."""
        if one is two or one is AWAY or not self._can_be(cells):
            return
        here = Found(_settled(cells), _settled(values))
        if one.is_fault or two.is_fault:
            if one.is_fault != two.is_fault:
                refused = self.question.kind != "value" and NO in (one, two)
                name = "faulty" if refused else "left_faulty" if one.is_fault else "right_faulty"
                setattr(answer, name, getattr(answer, name) or here)
            return
        if not differ(one, two, cells, values):
            return
        here = Found(_settled(cells), _settled(values))
        may_refuse = self.question.kind != "value"
        if may_refuse and two is NO:
            answer.left_only = answer.left_only or here
        elif may_refuse and one is NO:
            answer.right_only = answer.right_only or here
        else:
            answer.unlike = answer.unlike or here

    def _can_be(self, cells: Partly) -> bool:
        """Whether there are not more pieces of a kind than there can be."""
        if not self.most:
            return True
        counts: Counter[tuple[str, t.Value]] = Counter()
        for at, value in _settled(cells):
            element = self._elements[at]
            if element.is_zone and isinstance(element.type, t.ComponentType) and element.type.name in self.most:
                pieces = value if isinstance(value, tuple) else () if value is None else (value,)
                counts.update((element.type.name, piece) for piece in pieces)
        return all(count <= self.most[name][piece] for (name, piece), count in counts.items())

    def nothing(self) -> tuple[Partly, list[Any]]:
        """Nothing settled."""
        return Partly("cell", [UNSET] * self.pair.left.game.cell_count), [UNSET] * len(self.question.variables)


def enumerate_all(asked: Asked, most: int) -> Answer:
    """Try all assignments; up to `most` of them."""
    trying = _Trying(asked, most)
    try:
        trying.go(None)
    except Settled:
        pass
    except Stopped:
        trying.answer.is_complete, trying.answer.reason = False, "there are too many cases to go through"
    except Unsettled:
        trying.answer.is_complete, trying.answer.reason = False, "their steps differ in form"
    return trying.answer


class _Trying:
    def __init__(self, asked: Asked, most: int) -> None:
        self.asked, self.answer, self._left = asked, Answer(), most
        self._cells, self._values = asked.nothing()

    def go(self, left: Came | None) -> None:
        """left: what the left side comes to, where that hangs on nothing more."""
        self._left -= 1
        if self._left <= 0:
            raise Stopped
        try:
            if left is None:
                left = self.asked.left.came(self._cells, self._values)
            if left is AWAY:
                return
            right = self.asked.right.came(self._cells, self._values)
            self.asked.note(left, right, self._cells, self._values, self.answer)
        except Missing as missing:
            self._branch(missing.kind, missing.at, left)
            return
        if self.answer.unlike is not None:
            raise Settled

    def _branch(self, kind: Any, at: int, left: Came | None) -> None:
        try:
            found, is_all = self.asked.candidates((kind, at), self._cells, self._values)
        except Missing as missing:
            self._branch(missing.kind, missing.at, left)
            return
        if not is_all:
            self.answer.is_complete, self.answer.reason = False, "not all that can lie there can be gone through"
        if not found:
            self._nothing_chosen(at)
        where: list[Any] = self._cells if kind == "cell" else self._values
        for value in found:
            where[at] = value
            self.go(left)
        where[at] = UNSET

    def _nothing_chosen(self, at: int) -> None:
        """There is nothing to choose from, on either side; only what is looked at before may be at fault."""
        for side in (self.asked.left, self.asked.right):
            try:
                came = side.came(self._cells, self._values)
            except Missing as missing:
                if (missing.kind, missing.at) != ("slot", at):
                    self.answer.is_complete, self.answer.reason = False, "there are too many cases to go through"
                continue
            if came.is_fault:
                sides = (came, NO) if side is self.asked.left else (NO, came)
                self.asked.note(*sides, self._cells, self._values, self.answer)


def sample(asked: Asked, tries: int, seed: int) -> Answer:
    """Try some assignments at random: what is found is so, what is not found may be there."""
    answer, random = Answer(False, reason="there are too many cases to go through"), Random(seed)
    for _ in range(tries):
        cells, values = asked.nothing()
        try:
            _settle(asked, cells, values, answer, random)
        except Unsettled:
            answer.reason = "their steps differ in form"
            break
        if answer.is_settled:
            break
    return answer


def _settle(
    asked: Asked,
    cells: Partly,
    values: list[Any],
    answer: Answer,
    random: Random,
    given: Mapping[Key, t.Value] | None = None,
) -> None:
    """Settle what is asked for, at random where it is not given, until both sides come to something."""
    wanted: list[Key] = []
    while True:
        try:
            if wanted:
                kind, at = wanted[-1]
                where: list[Any] = cells if kind == "cell" else values
                if given and (kind, at) in given:
                    where[at] = given[kind, at]
                    wanted.pop()
                    continue
                found, _ = asked.candidates((kind, at), cells, values)
                if not found:
                    return
                where[at] = found[0] if random.random() < PLAIN else random.choice(found)
                wanted.pop()
            else:
                asked.compare(cells, values, answer)
                return
        except Missing as missing:
            wanted.append((missing.kind, missing.at))


def confirm(asked: Asked, found: Found, tries: int, seed: int) -> Answer:
    """What the interpreter makes of a state that is settled in part: what else it asks for is settled at random."""
    answer, random = Answer(False), Random(seed)
    given: dict[Key, t.Value] = {("cell", at): value for at, value in found.cells}
    given |= {("slot", at): value for at, value in found.values}
    for _ in range(tries):
        try:
            _settle(asked, *asked.nothing(), answer, random, given)
        except Unsettled:
            break
        if answer.left_only or answer.right_only or answer.unlike or answer.is_faulty:
            break
    return answer


# ---- values


def _elements(game: m.Game) -> list[m.Element]:
    found: list[m.Element] = []
    for element in game.elements:
        found += [element] * element.count
    return found


def _cell_values(element: m.Element) -> tuple[Sequence[t.Value], bool]:
    match element.kind:
        case "state":
            return _values(element.type)
        case "one":
            found, is_all = _values(t.optional(element.type))
            return found, is_all and element.visibility != "hidden"
        case "pile":
            return _values(t.ListOf(element.type))[0], False
        case "bag":
            return _values(t.BagOf(element.type))[0], False


def _values(of: t.Type) -> tuple[Sequence[t.Value], bool]:
    """Values of a type, the plainest first, and whether these are all."""
    match of:
        case t.SetOf(of=inner) if (t.size(inner) or LARGEST_SET + 1) <= LARGEST_SET:
            members = t.values(inner)
            sizes = (combinations(members, size) for size in range(len(members) + 1))
            return [frozenset(each) for each in chain.from_iterable(sizes)], True
        case t.SetOf(of=inner):
            return [frozenset(each) for each in _short(inner)], False
        case t.ListOf(of=inner):
            return list(_short(inner)), False
        case t.BagOf(of=inner):
            return list(dict.fromkeys(tuple(sorted(each)) for each in _short(inner))), False
        case t.Optional(of=inner) if t.size(inner) is None:
            found, is_all = _values(inner)
            return [None, *found], is_all
        case t.Never():
            return (), True
    every = t.values(of)
    first = t.zero(of)
    return ([first, *(each for each in every if each != first)] if every and every[0] != first else every), True


def _short(of: t.Type) -> Iterator[tuple[t.Value, ...]]:
    """A few short rows of values."""
    every = list(t.values(of)) if t.size(of) is not None else []
    yield ()
    for length in range(1, LONGEST + 1):
        rows = len(every) ** length
        for at in range(0, rows, max(1, rows // 60)):
            yield tuple(every[at // len(every) ** place % len(every)] for place in range(length))


def _parts(of: t.Type, items: Iterable[t.Value]) -> tuple[Sequence[t.Value], bool]:
    """All parts of a collection, as values of the type."""
    counts = Counter(items)
    total = 1
    for count in counts.values():
        total *= count + 1
    picks = product(*(range(count + 1) for count in counts.values()))
    found: list[t.Value] = []
    for at, pick in enumerate(picks):
        if at >= LARGEST_PART:
            break
        part = [item for item, count in zip(counts, pick, strict=True) for _ in range(count)]
        found.append(frozenset(part) if isinstance(of, t.SetOf) else tuple(part))
    return found, total <= LARGEST_PART


def _settled(values: list[Any]) -> tuple[tuple[int, t.Value], ...]:
    return tuple((at, value) for at, value in enumerate(list.__iter__(values)) if value is not UNSET)
