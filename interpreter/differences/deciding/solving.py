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
from .values import Cases, Counts, Members, Number, Pile, Symbol, Truth, Unsupported, Values

MOST_GATES = 400_000
WORK = 12_000_000
"""What the solver may spend on one condition, by its own count."""
SECONDS = 90
"""A stop far behind its count, which is spent in seconds: so a loaded machine decides the same. What is stopped is not
known."""
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
        holds, fault = self._sides[0].tests(question.given)
        gates.given.append(gates.both((holds, fault ^ 1)))
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
        gates.given.extend(self._pieces())
        parts["left_faulty"] = gates.both((one_fault, two_fault ^ 1, two_holds))
        parts["right_faulty"] = gates.both((two_fault, one_fault ^ 1, one_holds))
        return parts

    def _pieces(self) -> Iterator[Literal]:
        """There are not more pieces of a kind than there can be, in the cells that are spoken of."""
        gates, values, game = self._shared.gates, self._shared.values, self._asked.pair.left.game
        for component, most in self._asked.most.items():
            there: dict[t.Value, list[tuple[int, Sum]]] = {}
            for element in game.elements:
                if (
                    not element.is_zone
                    or not isinstance(element.type, t.ComponentType)
                    or element.type.name != component
                ):
                    continue
                for at in range(element.offset, element.offset + element.count):
                    for kind, count in _pieces_in(values, self._shared.cells.get(at)):
                        there.setdefault(kind, []).append((-1, count))
            for kind, counts in there.items():
                yield gates.at_least_zero(gates.plus([(1, Sum(most.get(kind, 0), {}, {})), *counts]))

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


def _pieces_in(values: Values, symbol: Symbol | None) -> Iterator[tuple[t.Value, Sum]]:
    """How many pieces of each kind lie in a zone, at least."""
    one = Sum(1, {}, {})
    match symbol:
        case Cases(of=of):
            yield from ((kind, values.gates.where(when, one)) for kind, when in of.items() if kind is not None)
        case Counts(of=counts):
            yield from counts.items()
        case Pile(members=members):
            yield from ((kind, values.gates.where(when, one)) for kind, when in members.of.items())


def _expression(side: tuple[Test, ...]) -> Any:
    (only,) = side
    return only


# ---- z3


def _ask(shared: Shared, condition: Literal) -> tuple[str, Found | None]:
    """`unsat`, `sat` with what the unknowns are then, or `unknown`."""
    z3: Any = import_module("z3")
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", SECONDS * 1000)
    solver.set("rlimit", WORK)
    solver.from_string(written(shared.gates, (condition, *shared.gates.given)))
    verdict = solver.check()
    if verdict != z3.sat:
        return ("unsat" if verdict == z3.unsat else "unknown"), None
    model = solver.model()
    known = {each.name(): model[each] for each in model.decls()}
    holds = {int(name[1:]): bool(z3.is_true(value)) for name, value in known.items() if name.startswith("b")}
    numbers = {int(name[1:]): int(value.as_long()) for name, value in known.items() if name.startswith("n")}
    return "sat", _state(shared, _Model(shared.gates, holds, numbers))


def written(gates: Gates, literals: Iterable[Literal]) -> str:
    """The conditions, all of which hold, in SMT-LIB: what they are made of first."""
    asserted = tuple(literals)
    lines: list[str] = []
    wholes: set[int] = set()
    for at in _reached(gates, asserted):
        match gates.nodes[at]:
            case Conjunction(parts=parts):
                lines.append(f"(define-fun b{at} () Bool (and {' '.join(map(_term, parts))}))" if parts else "")
            case Unknown():
                lines.append(f"(declare-const b{at} Bool)")
            case AtLeastZero() as node:
                for whole in sorted({unknown for (_, unknown), _ in node.unknowns} - wholes):
                    wholes.add(whole)
                    lines += _declared(gates, whole)
                lines.append(f"(define-fun b{at} () Bool (>= {_sum(node)} 0))")
    lines += [f"(assert {_term(literal)})" for literal in asserted]
    return "\n".join(lines)


def _reached(gates: Gates, literals: Iterable[Literal]) -> list[int]:
    """The nodes that the literals are made of, each behind its parts: a part is always built before."""
    found: set[int] = set()
    waiting = [literal >> 1 for literal in literals]
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        found.add(at)
        match gates.nodes[at]:
            case Conjunction(parts=parts):
                waiting += [part >> 1 for part in parts]
            case AtLeastZero(literals=counted, unknowns=unknowns):
                waiting += [literal >> 1 for literal, _ in counted]
                waiting += [guard >> 1 for (guard, _), _ in unknowns]
    return sorted(found)


def _term(literal: Literal) -> str:
    if literal in {FALSE, TRUE}:
        return "true" if literal == TRUE else "false"
    return f"(not b{literal >> 1})" if literal & 1 else f"b{literal >> 1}"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _sum(node: AtLeastZero) -> str:
    parts = [_number(node.constant)]
    parts += [f"(ite {_term(literal)} {_number(count)} 0)" for literal, count in node.literals]
    for (guard, unknown), count in node.unknowns:
        term = f"(* {_number(count)} n{unknown})"
        parts.append(term if guard == TRUE else f"(ite {_term(guard)} {term} 0)")
    return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]


def _declared(gates: Gates, at: int) -> Iterator[str]:
    whole = gates.wholes[at]
    yield f"(declare-const n{at} Int)"
    if whole.low is not None:
        yield f"(assert (>= n{at} {_number(whole.low)}))"
    if whole.high is not None:
        yield f"(assert (<= n{at} {_number(whole.high)}))"


class _Model:
    """What the solver makes of the unknowns; what it was not told of is false, or the number nearest to 0."""

    def __init__(self, gates: Gates, holds: Mapping[int, bool], numbers: Mapping[int, int]) -> None:
        self._gates, self._numbers = gates, numbers
        self._holds: list[bool] = []
        for at in range(len(gates.nodes)):
            self._holds.append(self._made(at, holds))

    def _made(self, at: int, holds: Mapping[int, bool]) -> bool:
        match self._gates.nodes[at]:
            case _ if at == 0:
                return False
            case Unknown():
                return holds.get(at, False)
            case Conjunction(parts=parts):
                return all(map(self.holds, parts))
            case AtLeastZero(constant=constant, literals=literals, unknowns=unknowns):
                return self.number(Sum(constant, dict(literals), dict(unknowns))) >= 0

    def holds(self, literal: Literal) -> bool:
        return self._holds[literal >> 1] != bool(literal & 1)

    def number(self, whole: Sum) -> int:
        literals = sum(count for literal, count in whole.literals.items() if self.holds(literal))
        unknowns = whole.unknowns.items()
        return whole.constant + literals + sum(c * self._whole(n) for (guard, n), c in unknowns if self.holds(guard))

    def _whole(self, at: int) -> int:
        if at in self._numbers:
            return self._numbers[at]
        low, high = self._gates.wholes[at].low, self._gates.wholes[at].high
        return max(low or 0, min(0, high if high is not None else 0))


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
