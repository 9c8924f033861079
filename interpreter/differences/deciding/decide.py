"""What the right one of two games is against the left one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ..asked import HIDDEN
from ..lockstep import Pair
from .decision import EQUAL, Decision, Direction, Situation, both, resting, together
from .enumeration import Answer, Asked, Found, confirm, enumerate_all, sample
from .forms import callers, differing_defines, is_unsaid, same_layout, same_types, used_defines
from .pairing import Pairing
from .pieces import at_most, most_pieces
from .questions import Either, Item, Offer, Question, Told
from .solving import has_solver, solve


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is tried before it is given up. Counted, not timed: the same answer on every machine.

    Attributes:
        first: to go through before the solver is asked.
        cases: to go through, for one question, where it is not there.
        steps: the same, where statements are carried out.
        tries: at random, where there are more.
        solver: whether z3 may be asked, where it is installed.
    """

    first: int = 800
    cases: int = 6000
    steps: int = 2500
    tries: int = 150
    solver: bool = True


def decide(pair: Pair, limits: Limits | None = None) -> Decision:
    """What the right game of a pair is against the left one, at its table."""
    return Deciding(pair, limits or Limits()).decision()


class Deciding:
    """Decides about one pair."""

    def __init__(self, pair: Pair, limits: Limits) -> None:
        self.pair, self._limits = pair, limits
        self._most = at_most(most_pieces(pair.left), most_pieces(pair.right))
        self._unlike: frozenset[str] = frozenset()
        """The defines that are not known to come to the same, or call such a one."""
        self._rests: set[str] = set()
        """The states of which it is made use what they can hold in play."""

    def decision(self) -> Decision:
        """What the right game is against the left one."""
        left, right = self.pair.left.game, self.pair.right.game
        if is_unsaid(left) or is_unsaid(right):
            return Decision("unknown", "nothing says what a part of it is")
        if not same_types(left, right):
            return Decision("unknown", "the things they speak of are not the same")
        if not same_layout(left, right):
            return Decision("unknown", "what is kept track of is not the same")
        self._unlike = self._differing()
        found = EQUAL
        for item in Pairing(left, right, self._unlike).items():
            found = both(found, self._item(item))
            if found.verdict == "incomparable":
                break
        if found.verdict == "equal" and not self.pair.asks_alike:
            return Decision("unknown", HIDDEN)
        return resting(found, self._rests)

    def _differing(self) -> frozenset[str]:
        """The defines that are not known to come to the same, or call such a one."""
        left, right = self.pair.left.game, self.pair.right.game
        worded = differing_defines(left, right, used_defines(left, right))
        self._unlike = callers(left, right, worded, frozenset())
        pairing = Pairing(left, right, self._unlike)
        proved = frozenset(name for name in worded if self._is_equal(pairing.define(name)))
        return callers(left, right, worded - proved, proved)

    def _is_equal(self, question: Question | None) -> bool:
        return question is not None and self._question(question).verdict == "equal"

    # ---- items

    def _item(self, item: Item) -> Decision:
        match item:
            case Told(verdict="other"):
                return Decision("incomparable", item.reason, "form")
            case Told(verdict="unknown"):
                return Decision("unknown", _at(item.reason, item.path))
            case Told(verdict="stricter" | "looser" as verdict):
                return Decision(verdict, item.reason, "form")
            case Question():
                return self._question(item)
            case Either():
                return self._either(item)
            case Offer():
                return self._offer(item)
            case _:
                raise AssertionError(item)

    def _question(self, question: Question) -> Decision:
        return self._told(*self._asked(question))

    def _asked(self, question: Question) -> tuple[Asked, Answer]:
        """First in all states; if they do not come to the same in all, in those in which the question arises."""
        asked = Asked(self.pair, replace(question, given=()), self._most)
        answer = self._answer(asked)
        if question.given and not answer.is_equal:
            asked = Asked(self.pair, question, self._most)
            answer = self._answer(asked)
        return asked, answer if answer.is_equal else self._reached(question) or answer

    def _reached(self, question: Question) -> Answer | None:
        """That both sides come to the same in all states in which play comes to the question; None if that is not
        known."""
        known = self._known(question)
        if not known:
            return None
        answer = enumerate_all(Asked(self.pair, question, self._most, known), self._limits.steps)
        if not answer.is_equal:
            return None
        elements = self.pair.left.game.elements
        self._rests |= {each.name for each in elements if each.offset in known and each.kind == "state"}
        return answer

    def _known(self, question: Question) -> Mapping[int, frozenset[t.Value]]:
        """What cells can hold where play comes to the question: it is one position, as all was the same so far."""
        found: dict[int, frozenset[t.Value]] = {}
        for reached, at, piece in zip(self.pair.reached, question.at, (question.left, question.right), strict=True):
            if at is None:
                continue
            for name, values in reached.held(at, piece if isinstance(piece, tuple) else (piece,)).items():
                cell = self.pair.left.game.element[name].offset
                found[cell] = found.get(cell, values) & values
        return found

    def _answer(self, asked: Asked) -> Answer:
        limits, steps = self._limits, asked.question.kind == "steps"
        first = limits.steps if steps else limits.first if limits.solver and has_solver() else limits.cases
        answer = enumerate_all(asked, first)
        if answer.is_settled:
            return answer
        if not steps:
            solved = solve(asked, self._unlike, limits.tries, limits.solver)
            if solved.is_complete:
                return solved
            answer = _with(solved, answer)
        return answer if answer.is_settled else _with(answer, sample(asked, limits.tries, 1))

    def _either(self, item: Either) -> Decision:
        asked, answer = self._asked(item.first)
        whole = self._told(asked, answer)
        if answer.is_settled:
            return whole
        parts = together(map(self._item, item.parts))
        return whole if parts.verdict in {"unknown", "incomparable"} else parts

    def _offer(self, item: Offer) -> Decision:
        """What differs is asked by itself first; a state in which it does is then looked for with all the rest."""
        part = Asked(self.pair, item.narrow, self._most)
        narrow = self._answer(part)
        if narrow.is_equal:
            return Decision("equal", "", narrow.by)
        if item.narrow == item.whole:
            return self._told(part, narrow)
        whole = Asked(self.pair, item.whole, self._most)
        is_left_free, is_right_free = not item.narrow.left, not item.narrow.right
        if is_left_free or (narrow.is_complete and narrow.right_only is None and narrow.left_faulty is None):
            return self._bounded(whole, narrow, "left_only", "stricter")
        if is_right_free or (narrow.is_complete and narrow.left_only is None and narrow.right_faulty is None):
            return self._bounded(whole, narrow, "right_only", "looser")
        answer = self._answer(whole)
        for found in (narrow.left_only, narrow.right_only):
            if found is not None and not answer.is_settled:
                answer = _with(answer, confirm(whole, found, self._limits.tries, 2))
        return self._told(whole, answer)

    def _bounded(self, whole: Asked, narrow: Answer, side: str, verdict: Direction) -> Decision:
        """Only one side can allow more; does it, where all else holds?"""
        found: Found | None = getattr(narrow, side)
        answer = Answer(False)
        if found is not None:
            answer = confirm(whole, found, self._limits.tries // 4, 2)
        if getattr(answer, side) is None:
            answer = solve(whole, self._unlike, self._limits.tries, self._limits.solver, (side,))
            is_known = narrow.is_complete and answer.is_complete and not narrow.is_faulty
            if is_known and getattr(answer, side) is None:
                return Decision("equal", "", answer.by)
        if getattr(answer, side) is None and not answer.is_complete:
            answer = sample(whole, self._limits.tries, 1)
        if getattr(answer, side) is None:
            reason = "no state was found in which all else holds and they differ"
            return Decision("unknown", _at(reason, whole.question.path), at_most=verdict)
        state = self._situation(whole, getattr(answer, side))
        by = max(narrow.by, answer.by)
        return Decision(
            verdict, "", by, state if side == "left_only" else None, state if side == "right_only" else None
        )

    # ---- telling

    def _told(self, asked: Asked, answer: Answer) -> Decision:
        left = self._situation(asked, answer.left_only or answer.unlike)
        right = self._situation(asked, answer.right_only or answer.unlike)
        if answer.unlike is not None:
            what = "its value" if asked.question.kind == "value" else "what happens"
            return Decision("incomparable", f"{what} is not the same", answer.by, left, right)
        if left is not None and right is not None:
            return Decision("incomparable", "each allows what the other does not", answer.by, left, right)
        if not answer.is_complete:
            return Decision("unknown", _at(answer.reason, asked.question.path), "", left, right)
        if left is not None and answer.left_faulty is None:
            return Decision("stricter", "", answer.by, left, None)
        if right is not None and answer.right_faulty is None:
            return Decision("looser", "", answer.by, None, right)
        if answer.is_faulty:
            return Decision("unknown", _at("only one of them says what happens", asked.question.path), "", left, right)
        return Decision("equal", "", answer.by)

    def _situation(self, asked: Asked, found: Found | None) -> Situation | None:
        if found is None:
            return None
        game, machine, question = self.pair.left.game, self.pair.left.machine, asked.question
        cells: list[tuple[str, tuple[t.Value, ...], t.Value]] = []
        told: list[str] = []
        for element in game.elements:
            for cell, value in found.cells:
                if element.offset <= cell < element.offset + element.count:
                    shown, indices = machine.cells_of[element.name][cell - element.offset]
                    cells.append((element.name, indices, value))
                    told.append(f"{element.name}{f'({shown})' if shown else ''} = {_shown(element, value)}")
        variables = [(question.variables[at], value) for at, value in found.values]
        names = tuple((each.name, each.type, value) for each, value in variables)
        told += [f"{each.name.partition(' (')[0]} = {show(each.type, value)}" for each, value in variables]
        return Situation(game.players, question.path, tuple(told), tuple(cells), names)


def _shown(element: m.Element, value: t.Value) -> str:
    of: t.Type = element.type
    match element.kind:
        case "one":
            of = t.optional(of)
        case "pile":
            of = t.ListOf(of)
        case "bag":
            of = t.BagOf(of)
    return show(of, value)


def _at(reason: str, path: str) -> str:
    return f"{reason}, at `{path}`"


def _with(one: Answer, two: Answer) -> Answer:
    """What two attempts at one question found together."""
    one.left_only, one.right_only = one.left_only or two.left_only, one.right_only or two.right_only
    one.unlike = one.unlike or two.unlike
    one.left_faulty = one.left_faulty or two.left_faulty
    one.right_faulty = one.right_faulty or two.right_faulty
    one.faulty = one.faulty or two.faulty
    return one
