"""Two games gone through in step: wherever they do not say the same, a question, or what is plain from the form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from .bodies import Bodies
from .questions import ME, Item, Question, Told, Variable
from .scopes import Scope
from .statements import reached_actions

SETUP = "setup"


class Pairing:
    """The questions about two games. differing: what is known not to be the same in them, by name."""

    def __init__(self, left: m.Game, right: m.Game, differing: frozenset[str]) -> None:
        self.left, self.right = left, right
        self._bodies = Bodies(left, right, differing)

    def items(self) -> Iterator[Item]:
        """All that is to be asked of the two games, but for their defines."""
        yield from self._initials()
        yield from self._setup()
        yield from self._bodies.steps(Scope((self._bodies.me(),)), self.left.play.body, self.right.play.body, "play")
        reached = reached_actions(self.left) & reached_actions(self.right)
        for name in self.left.actions:
            if name in reached and name in self.right.actions:
                yield from self._bodies.action(name)
        yield from self._scores()
        yield from self._winner()
        yield from self._refills()

    def define(self, name: str) -> Question | None:
        """Whether a fact or define comes to the same in both games; None if it does not take the same arguments."""
        one, two = self.left.defines.get(name), self.right.defines.get(name)
        if one is None or two is None or len(one.parameters) != len(two.parameters):
            return None
        given: list[Variable] = []
        for at, ((called, mine), (_, theirs)) in enumerate(zip(one.parameters, two.parameters, strict=True), start=1):
            if mine != theirs:
                return None
            given.append(Variable(called, mine, at, at))
        calls = (
            m.CallDefine(each.result, each.span, name, tuple(m.Local(v.type, each.span, v.left) for v in given))
            for each in (one, two)
        )
        left, right = calls
        return Question("value", name, tuple(given), (left,), (right,))

    def _initials(self) -> Iterator[Item]:
        for one, two in zip(self.left.elements, self.right.elements, strict=True):
            if one.initial is None or two.initial is None:
                if one.initial is not two.initial:
                    yield Told(one.name, "unknown", "what it holds at the beginning differs in form")
                continue
            given = (Variable(f"index {at}", of, at, at) for at, of in enumerate(one.indices, start=1))
            yield from self._bodies.value(Scope(tuple(given)), one.name, one.initial, two.initial)

    def _setup(self) -> Iterator[Item]:
        one, two = self.left.setup, self.right.setup
        if one is None and two is None:
            return
        span = self.left.play.body.span
        nothing = m.Sequence(SETUP, span, ())
        blank = frozenset(
            mine.name
            for mine, theirs in zip(self.left.elements, self.right.elements, strict=True)
            if self._bodies.form(mine.initial, 0, {}) == self._bodies.form(theirs.initial, 1, {})
        )
        yield from self._bodies.steps(
            Scope((), blank), one.body if one else nothing, two.body if two else nothing, SETUP
        )

    def _scores(self) -> Iterator[Item]:
        mine, theirs = (
            {self._bodies.form(each, side, {0: ME}): each for each in game.scores}
            for side, game in enumerate((self.left, self.right))
        )
        if len(mine) != len(self.left.scores) or len(theirs) != len(self.right.scores):
            only = list(self.left.scores), list(self.right.scores)
        else:
            only = (
                [each for key, each in mine.items() if key not in theirs],
                [each for key, each in theirs.items() if key not in mine],
            )
        if only[0] or only[1]:
            path = (only[0] or only[1])[0].path
            span = self.left.play.body.span
            left, right = (_sum([each.value for each in side], span) for side in only)
            yield from self._bodies.value(Scope((self._bodies.me(),)), path, left, right)

    def _winner(self) -> Iterator[Item]:
        one, two = self.left.winner, self.right.winner
        if self._bodies.form(one, 0, {0: ME}) == self._bodies.form(two, 1, {0: ME}):
            return
        if [each.kind for each in one] != [each.kind for each in two]:
            yield Told("winner", "other", "who wins is told by another row of conditions")
            return
        for mine, theirs in zip(one, two, strict=True):
            if mine.value is None or theirs.value is None:
                if mine.value is not theirs.value:
                    yield Told(mine.path, "unknown", "who wins is told in another form")
                continue
            yield from self._bodies.value(Scope((self._bodies.me(),)), mine.path, mine.value, theirs.value)

    def _refills(self) -> Iterator[Item]:
        one, two = self.left.refills, self.right.refills
        if self._bodies.form(one, 0, {}) != self._bodies.form(two, 1, {}):
            yield Told((one or two)[0].path, "unknown", "they do not fill up the same zones from the same ones")


def _sum(parts: Sequence[m.Expr], span: Span) -> m.Expr:
    found: m.Expr | None = None
    for each in parts:
        found = each if found is None else m.Arithmetic(t.Range(0, 0), span, "+", found, each)
    return found or m.Constant(t.Range(0, 0), span, 0)
