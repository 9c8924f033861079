"""The solver z3, where it is installed: it says whether a condition can hold, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludex.spec import types as t

from .enumeration import Answer, Asked, Found, confirm
from .gates import FALSE, TRUE, AtLeastZero, Conjunction, Gates, Literal, Sum, TooLarge, Unknown
from .questions import Test
from .translate import Shared, Translator
from .values import Cases, Counts, Members, Number, Pile, Symbol, Truth, Unsupported

MOST_GATES = 400_000
WORK = 3_000_000
"""What the solver may spend on one condition, by its own count."""
SECONDS = 2
"""A stop in case its count runs slowly. What is stopped is not known."""
TALLEST = 40
"""Piles and bags are made no larger than this."""
GAVE_UP = "the solver gave up"
SIDES = ("left_only", "right_only", "unlike", "left_faulty", "right_faulty", "faulty")


@cache
def has_solver() -> bool:
    """Whether z3 can be asked."""
    return find_spec("z3") is not None


def solve(
    asked: Asked, differing: frozenset[str], tries: int, may_ask: bool = True, wanted: Iterable[str] = SIDES
) -> Answer:
    """The question answered by the solver, each difference confirmed by the interpreter. Without z3 what is plain from
    putting both sides in terms of the same unknowns.

    Args:
        differing: the defines that are not known to be the same.
        tries: to settle what the solver leaves open.
        may_ask: whether z3 may be asked, if it is there.
        wanted: the differences to look for.
    """
    try:
        return _Solving(asked, differing, tries, may_ask and has_solver()).answer(frozenset(wanted))
    except (TooLarge, Unsupported, RecursionError):
        return Answer(False, reason="it is too large to be put to the solver", by="solver")


class _Solving:
    def __init__(self, asked: Asked, differing: frozenset[str], tries: int, may_ask: bool) -> None:
        self._asked, self._tries, self._may_ask = asked, tries, may_ask
        pair, question = asked.pair, asked.question
        self._shared = Shared(question, pair.left.game, asked.blank, MOST_GATES)
        self._sides = (
            Translator(pair.left, self._shared, 0, differing),
            Translator(pair.right, self._shared, 1, differing),
        )

    def answer(self, wanted: frozenset[str]) -> Answer:
        """What differs, and what is proved not to."""
        found = Answer(by="form")
        for name, condition in self._conditions().items():
            if found.reason == GAVE_UP:
                break
            if name in wanted and condition != FALSE and getattr(found, name) is None:
                self._look(name, condition, found)
        return found

    def _conditions(self) -> Mapping[str, Literal]:
        """For each way in which the sides can part, the condition under which they do."""
        gates, question = self._shared.gates, self._asked.question
        left, right = question.left, question.right
        assert isinstance(left, tuple)
        assert isinstance(right, tuple)
        if question.kind == "value":
            (one, one_fault), (two, two_fault) = (
                translator.value(_expression(side)) for translator, side in zip(self._sides, (left, right), strict=True)
            )
            unlike = gates.both((self._shared.values.equal(one, two) ^ 1, one_fault ^ 1, two_fault ^ 1))
            parts, one_holds, two_holds = {"unlike": unlike}, TRUE, TRUE
        else:
            (one_holds, one_fault), (two_holds, two_fault) = (
                translator.tests(side) for translator, side in zip(self._sides, (left, right), strict=True)
            )
            fine = gates.both((one_fault ^ 1, two_fault ^ 1))
            parts = {
                "left_only": gates.both((fine, one_holds, two_holds ^ 1)),
                "right_only": gates.both((fine, two_holds, one_holds ^ 1)),
            }
            parts["faulty"] = gates.either(
                (
                    gates.both((one_fault, two_fault ^ 1, two_holds ^ 1)),
                    gates.both((two_fault, one_fault ^ 1, one_holds ^ 1)),
                )
            )
        parts["left_faulty"] = gates.both((one_fault, two_fault ^ 1, two_holds))
        parts["right_faulty"] = gates.both((two_fault, one_fault ^ 1, one_holds))
        return parts

    def _look(self, name: str, condition: Literal, found: Answer) -> None:
        """Whether the condition can hold: then a state in which it does, or that it is not known."""
        if not self._may_ask:
            found.is_complete, found.reason = False, "there are too many cases to go through, and no solver to ask"
            return
        found.by = "solver"
        verdict, state = _ask(self._shared, condition)
        if verdict == "unsat":
            return
        if state is None:
            found.is_complete, found.reason = False, GAVE_UP
            return
        seen = confirm(self._asked, state, self._tries, 3)
        for each in SIDES:
            if getattr(found, each) is None:
                setattr(found, each, getattr(seen, each))
        if getattr(found, name) is None:
            found.is_complete, found.reason = False, "they seem to differ, and no state was found in which they do"


def _expression(side: tuple[Test, ...]) -> Any:
    (only,) = side
    return only


# ---- z3


def _ask(shared: Shared, condition: Literal) -> tuple[str, Found | None]:
    """`unsat`, `sat` with what the unknowns are then, or `unknown`."""
    z3: Any = import_module("z3")
    terms = _Terms(z3, shared.gates)
    solver = z3.Solver(ctx=terms.context)
    solver.set("timeout", SECONDS * 1000)
    solver.set("rlimit", WORK)
    for literal in (condition, *shared.gates.given):
        solver.add(terms.of(literal))
    solver.add(*terms.bounds())
    verdict = solver.check()
    if verdict == z3.sat:
        return "sat", _state(shared, _Model(terms, solver.model()))
    return ("unsat", None) if verdict == z3.unsat else ("unknown", None)


class _Terms:
    """Literals as z3's terms."""

    def __init__(self, z3: Any, gates: Gates) -> None:
        self.z3, self._gates, self.context = z3, gates, z3.Context()
        self._known: dict[int, Any] = {}
        self._wholes: dict[int, Any] = {}

    def of(self, literal: Literal) -> Any:
        """The term of a literal; what it is made of first, so that nothing is too deep."""
        waiting = [literal >> 1]
        while waiting:
            at = waiting[-1]
            missing = [each >> 1 for each in self._parts(at) if each >> 1 not in self._known]
            if missing and at not in self._known:
                waiting.extend(missing)
                continue
            waiting.pop()
            if at not in self._known:
                self._known[at] = self._made(at)
        return self._signed(literal)

    def _signed(self, literal: Literal) -> Any:
        term = self._known[literal >> 1]
        return self.z3.Not(term) if literal & 1 else term

    def _parts(self, at: int) -> Iterator[Literal]:
        match self._gates.nodes[at]:
            case Conjunction(parts=parts):
                yield from parts
            case AtLeastZero(literals=literals, unknowns=unknowns):
                yield from (literal for literal, _ in literals)
                yield from (guard for (guard, _), _ in unknowns)

    def _made(self, at: int) -> Any:
        z3 = self.z3
        match self._gates.nodes[at]:
            case _ if at == 0:
                return z3.BoolVal(False, self.context)
            case Conjunction(parts=parts):
                return z3.And([self._signed(each) for each in parts])
            case Unknown():
                return z3.Bool(f"b{at}", self.context)
            case AtLeastZero(constant=constant, literals=literals, unknowns=unknowns):
                zero = z3.IntVal(0, self.context)
                parts_ = [z3.If(self._signed(each), z3.IntVal(count, self.context), zero) for each, count in literals]
                for (guard, unknown), count in unknowns:
                    term = self.whole(unknown) * count
                    parts_.append(term if guard == TRUE else z3.If(self._signed(guard), term, zero))
                return z3.Sum(parts_) >= -constant

    def whole(self, at: int) -> Any:
        """The term of an unknown number."""
        if at not in self._wholes:
            self._wholes[at] = self.z3.Int(f"n{at}", self.context)
        return self._wholes[at]

    def bounds(self) -> Iterator[Any]:
        """What is given of the unknown numbers that are spoken of."""
        for at, term in self._wholes.items():
            whole = self._gates.wholes[at]
            if whole.low is not None:
                yield term >= whole.low
            if whole.high is not None:
                yield term <= whole.high

    def is_known(self, literal: Literal) -> bool:
        """Whether it was spoken of."""
        return literal >> 1 in self._known


class _Model:
    """What the solver makes of the unknowns; what it was not told of is false, or 0."""

    def __init__(self, terms: _Terms, model: Any) -> None:
        self._terms, self._model = terms, model

    def holds(self, literal: Literal) -> bool:
        if literal in {FALSE, TRUE}:
            return literal == TRUE
        return bool(self._terms.z3.is_true(self._model.eval(self._terms.of(literal), model_completion=True)))

    def number(self, whole: Sum) -> int:
        literals = sum(count for literal, count in whole.literals.items() if self.holds(literal))
        unknowns = 0
        for (guard, unknown), count in whole.unknowns.items():
            if self.holds(guard):
                unknowns += count * self._model.eval(self._terms.whole(unknown), model_completion=True).as_long()
        return whole.constant + literals + unknowns


def _state(shared: Shared, model: _Model) -> Found:
    cells = [(at, _plain(symbol, model)) for at, symbol in sorted(shared.cells.items())]
    values = [(at, _plain(symbol, model)) for at, symbol in enumerate(shared.variables)]
    return Found(
        tuple((at, value) for at, value in cells if value is not NOTHING),
        tuple((at, value) for at, value in values if value is not NOTHING),
    )


NOTHING = ("nothing is known of it",)


def _plain(symbol: Symbol, model: _Model) -> t.Value:
    match symbol:
        case Truth(literal=literal):
            return model.holds(literal)
        case Cases(of=of):
            return next((value for value, when in of.items() if model.holds(when)), NOTHING)
        case Number(sum=whole):
            return model.number(whole)
        case Members(of=of):
            return frozenset(value for value, when in of.items() if model.holds(when))
        case Counts(of=counts):
            found = [value for value, count in counts.items() for _ in range(min(TALLEST, model.number(count)))]
            return tuple(sorted(found))
        case Pile():
            return _pile(symbol, model)
        case _:
            return NOTHING


def _pile(symbol: Pile, model: _Model) -> t.Value:
    """A pile with its top last."""
    size = min(TALLEST, model.number(symbol.size))
    top = _plain(symbol.top, model)
    below = [value for value, when in symbol.members.of.items() if model.holds(when) and value != top]
    filled = (below * size)[: max(0, size - 1)] if below else [top] * max(0, size - 1)
    return () if top is None else (*filled, top)
