"""Two games gone through in step: wherever they do not say the same, a question, or what is plain from the form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count, zip_longest
from typing import Any, Literal

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from ...walk import children, nodes
from .forms import form, may_raise
from .questions import ME, Chosen, Either, Item, Offer, Question, Test, Told, Variable, condition, split, tests

FORM = "their steps differ in form"
SETUP = "setup"
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Scope:
    """What both sides see at a place.

    Attributes:
        blank: elements that nothing has been put into yet.
        given: what both sides asked for, in the left side's slots; nothing has changed since.
    """

    variables: tuple[Variable, ...] = ()
    blank: frozenset[str] = frozenset()
    given: tuple[Test, ...] = ()

    def names(self, side: int) -> Mapping[int, Hashable]:
        """What the slots of a side stand for."""
        return {0: NOBODY, **{(each.right if side else each.left): each.name for each in self.variables}}

    def seeing(self, *more: Variable) -> Scope:
        """With more names; a slot that is taken again stands for the new one."""
        left, right = {each.left for each in more}, {each.right for each in more}
        kept = (each for each in self.variables if each.left not in left and each.right not in right)
        return replace(self, variables=(*kept, *more))


class Pairing:
    """The questions about two games. differing: what is known not to be the same in them, by name."""

    def __init__(self, left: m.Game, right: m.Game, differing: frozenset[str]) -> None:
        self.left, self.right, self.differing = left, right, differing
        self._fresh = count(1)
        self._waiting = _chosen_together(left) | _chosen_together(right)

    # ---- whole games

    def items(self) -> Iterator[Item]:
        """All that is to be asked of the two games, but for their defines."""
        yield from self._initials()
        yield from self._setup()
        yield from self._steps(Scope((self._me(),)), self.left.play.body, self.right.play.body, "play")
        reached = reached_actions(self.left) & reached_actions(self.right)
        for name in self.left.actions:
            if name in reached and name in self.right.actions:
                yield from self.action(name)
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

    def _me(self) -> Variable:
        return Variable(ME, t.PlayerType(self.left.players), 0, 0)

    def _initials(self) -> Iterator[Item]:
        for one, two in zip(self.left.elements, self.right.elements, strict=True):
            if one.initial is None or two.initial is None:
                if one.initial is not two.initial:
                    yield Told(one.name, "unknown", "what it holds at the beginning differs in form")
                continue
            given = (Variable(f"index {at}", of, at, at) for at, of in enumerate(one.indices, start=1))
            yield from self._value(Scope(tuple(given)), one.name, one.initial, two.initial)

    def _setup(self) -> Iterator[Item]:
        one, two = self.left.setup, self.right.setup
        if one is None and two is None:
            return
        span = self.left.play.body.span
        nothing = m.Sequence(SETUP, span, ())
        blank = frozenset(
            mine.name
            for mine, theirs in zip(self.left.elements, self.right.elements, strict=True)
            if self._form(mine.initial, 0, {}) == self._form(theirs.initial, 1, {})
        )
        yield from self._steps(Scope((), blank), one.body if one else nothing, two.body if two else nothing, SETUP)

    def _scores(self) -> Iterator[Item]:
        mine, theirs = (
            {self._form(each, side, {0: ME}): each for each in game.scores}
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
            yield from self._value(Scope((self._me(),)), path, left, right)

    def _winner(self) -> Iterator[Item]:
        one, two = self.left.winner, self.right.winner
        if self._form(one, 0, {0: ME}) == self._form(two, 1, {0: ME}):
            return
        if [each.kind for each in one] != [each.kind for each in two]:
            yield Told("winner", "other", "who wins is told by another row of conditions")
            return
        for mine, theirs in zip(one, two, strict=True):
            if mine.value is None or theirs.value is None:
                if mine.value is not theirs.value:
                    yield Told(mine.path, "unknown", "who wins is told in another form")
                continue
            yield from self._value(Scope((self._me(),)), mine.path, mine.value, theirs.value)

    def _refills(self) -> Iterator[Item]:
        one, two = self.left.refills, self.right.refills
        if self._form(one, 0, {}) != self._form(two, 1, {}):
            yield Told((one or two)[0].path, "unknown", "they do not fill up the same zones from the same ones")

    # ---- expressions

    def _form(self, node: Any, side: int, names: Mapping[int, Hashable]) -> Hashable:
        return form(node, self.differing, side, names)

    def _is_same(self, scope: Scope, left: Any, right: Any) -> bool:
        if not _sees(scope, left, right):
            return False
        return self._form(left, 0, scope.names(0)) == self._form(right, 1, scope.names(1))

    def _value(self, scope: Scope, path: str, left: m.Expr, right: m.Expr) -> Iterator[Item]:
        if not self._is_same(scope, left, right):
            yield _asked("value", path, scope, (left,), (right,))

    def _values(self, scope: Scope, path: str, left: Sequence[m.Expr], right: Sequence[m.Expr]) -> Iterator[Item]:
        if len(left) != len(right):
            yield Told(path, "unknown", FORM)
            return
        for one, two in zip(left, right, strict=True):
            yield from self._value(scope, path, one, two)

    # ---- moves

    def action(self, name: str) -> Iterator[Item]:
        """What an action asks for, and what it does."""
        one, two = self.left.actions[name], self.right.actions[name]
        given: list[Variable] = [self._me()]
        if [each for each, _ in one.parameters] != [each for each, _ in two.parameters]:
            yield Told(name, "unknown", "it does not take the same values")
            return
        for at, ((called, mine), (_, theirs)) in enumerate(zip(one.parameters, two.parameters, strict=True), start=1):
            of = _common(mine, theirs)
            if of is None:
                yield Told(name, "unknown", "it does not take the same values")
                return
            given.append(Variable(called, of, at, at))
        if (one.window, one.stated) != (two.window, two.stated):
            yield Told(name, "unknown", "it is not offered in the same way")
        scope = Scope(tuple(given))
        yield from self._offer(scope, name, one, two, name not in self._waiting)

    def _offer(
        self,
        scope: Scope,
        path: str,
        one: m.Action | m.BranchOption,
        two: m.Action | m.BranchOption,
        at_once: bool,
    ) -> Iterator[Item]:
        """at_once: what is chosen is carried out before anything else happens."""
        scope = replace(scope, given=())
        if [each.name for each in one.choices] != [each.name for each in two.choices]:
            yield Told(path, "unknown", "other things are chosen")
            return
        inner = scope
        for mine, theirs in zip(one.choices, two.choices, strict=True):
            of = _common(mine.type, theirs.type)
            if of is None or mine.within != theirs.within:
                yield Told(path, "unknown", "other things are chosen")
                return
            same = self._is_same(inner, mine.domain, theirs.domain)
            domain = mine.domain if same else None
            chosen = Variable(mine.name, of, mine.slot, theirs.slot, domain, mine.within and same)
            inner = inner.seeing(chosen)
        left, right = tests(one.choices, one.requirements), tests(two.choices, two.requirements)
        yield from self._tests(inner, path, left, right)
        plain = inner.seeing(*(replace(each, domain=None, within=False) for each in inner.variables))
        if at_once and self._is_same(inner, left, right):
            plain = replace(plain, given=left)
        yield from self._steps(plain, one.body, two.body, path)

    def _tests(self, scope: Scope, path: str, left: tuple[Test, ...], right: tuple[Test, ...]) -> Iterator[Item]:
        """What two moves ask for. Where it is the same but for some tests, these are asked about first."""
        if not _sees(scope, left, right):
            yield Told(path, "unknown", FORM)
            return
        mine, theirs = (
            [self._form(each, side, scope.names(side)) for each in tests] for side, tests in enumerate((left, right))
        )
        if mine == theirs:
            return
        first, last = _shared(mine, theirs)
        middle = left[first : len(left) - last], right[first : len(right) - last]
        inner = mine[first : len(mine) - last], theirs[first : len(theirs) - last]
        common = Counter(inner[0]) & Counter(inner[1])
        whole = Question("offer", path, scope.variables, left, right, scope.blank, scope.given)
        risky = self._may_fault(self.left, middle[0]) or self._may_fault(self.right, middle[1])
        if common and risky:
            yield Offer(whole, whole)
            return
        narrow = _less(middle[0], inner[0], common), _less(middle[1], inner[1], common)
        yield Offer(whole, replace(whole, left=narrow[0], right=narrow[1]))

    def _may_fault(self, game: m.Game, tests: tuple[Test, ...]) -> bool:
        """Whether the rules may not say what one of the tests comes to, so that their order matters."""
        waiting: list[Any] = list(_pieces(tests))
        seen: set[str] = set()
        while waiting:
            for node in nodes(waiting.pop()):
                if _is_risky(node):
                    return True
                if isinstance(node, m.CallDefine) and node.name not in seen:
                    seen.add(node.name)
                    waiting.append(game.defines[node.name].body)
        return False

    def _options(self, scope: Scope, one: m.Decide | m.Simultaneous, two: m.Decide | m.Simultaneous) -> Iterator[Item]:
        path, mine, theirs = one.path, _by_name(one.options), _by_name(two.options)
        for name in {**mine, **theirs}:
            for left, right in zip_longest(mine.get(name, ()), theirs.get(name, ())):
                if left is None or right is None:
                    yield self._alone(scope, path, left, right)
                elif isinstance(left, m.ActionOption) and isinstance(right, m.ActionOption):
                    yield from self._values(scope, path, left.arguments, right.arguments)
                elif isinstance(left, m.BranchOption) and isinstance(right, m.BranchOption):
                    yield from self._offer(scope, name, left, right, isinstance(one, m.Decide))
                else:
                    yield Told(path, "unknown", FORM)

    def _alone(self, scope: Scope, path: str, left: m.MoveOption | None, right: m.MoveOption | None) -> Item:
        """An option that only one side offers."""
        option = left or right
        game = self.left if left else self.right
        never = (m.Constant(t.Bool(), self.left.play.body.span, False),)
        if isinstance(option, m.ActionOption):
            action = game.actions[option.action]
            if option.arguments:
                verdict = "stricter" if left else "looser"
                return Told(path, verdict, f"`{option.action}` is offered by one of them")  # type: ignore[arg-type]
            variables: tuple[Variable, ...] = (self._me(),)
            choices, requirements, path = action.choices, action.requirements, option.action
        else:
            assert option is not None
            variables, choices, requirements, path = scope.variables, option.choices, option.requirements, option.name
        seen = Scope(variables)
        for each in choices:
            seen = seen.seeing(Variable(each.name, each.type, each.slot, each.slot, each.domain, each.within))
        asked = tests(choices, requirements)
        return _asked("offer", path, seen, asked if left else never, never if left else asked)

    # ---- steps

    def _steps(self, scope: Scope, left: m.Step, right: m.Step, path: str) -> Iterator[Item]:
        """Two bodies: first what they have in common is passed, then the rest is asked."""
        one, two = flat(left), flat(right)
        while one and two and self._is_same(scope, one[0], two[0]):
            scope = self._after(scope, one[0], two[0])
            one, two = one[1:], two[1:]
        while one and two and self._is_same(scope, one[-1], two[-1]) and self._stands_alone(scope, one[-1], two[-1]):
            one, two = one[:-1], two[:-1]
        if not one and not two:
            return
        span = (one or two)[0].span
        place = (one or two)[0].path or path
        parts = tuple(self._parts(scope, one, two, place))
        whole = m.Sequence(place, span, one), m.Sequence(place, span, two)
        if any(self._waits(game, each) for game, each in zip((self.left, self.right), whole, strict=True)):
            yield from parts
        else:
            first = _asked("steps", place, scope, *whole)
            yield Either(first, parts) if isinstance(first, Question) else first

    def _parts(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...], path: str) -> Iterator[Item]:
        """Statement by statement."""
        if [type(each) for each in one] == [type(each) for each in two]:
            for left, right in zip(one, two, strict=True):
                yield from self._step(scope, left, right)
                scope = self._after(scope, left, right)
            return
        demands = [[each for each in side if isinstance(each, m.Demand)] for side in (one, two)]
        rest = [[each for each in side if not isinstance(each, m.Demand)] for side in (one, two)]
        if self._is_same(scope, tuple(rest[0]), tuple(rest[1])) and not any(map(_binds, (*rest[0], *rest[1]))):
            needed = [[self._demanded(each) for each in side] for side in demands]
            if (demands[0] or demands[1]) and (not rest[0] or not (demands[0] and demands[1])):
                yield from self._tests(replace(scope, blank=frozenset()), path, *map(split, needed))
                return
        if (
            not one
            or not two
            or self._is_same(scope, one, two[: len(one)])
            or self._is_same(scope, two, one[: len(two)])
        ):
            yield Told(path, "other", "only one of them does this")
            return
        yield from self._offered(scope, one, two, path)

    def _offered(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...], path: str) -> Iterator[Item]:
        """One side lets the player choose whether to do what the other one simply does."""
        for may, must, verdict in ((one, two, "stricter"), (two, one, "looser")):
            side, other = (0, 1) if may is one else (1, 0)
            match may:
                case (m.Decide(optional=True, repeating=False, options=(m.BranchOption(choices=()) as option,)),):
                    body = tuple(flat(option.body))
                    names = scope.names(side), scope.names(other)
                    if self._form(body, side, names[0]) == self._form(must, other, names[1]):
                        yield Told(path, verdict, "one lets it be left undone")  # type: ignore[arg-type]
                        return
        yield Told(path, "unknown", FORM)

    @staticmethod
    def _demanded(step: m.Demand) -> m.Expr:
        return condition(step.requirement)

    def _step(self, scope: Scope, one: m.Step, two: m.Step) -> Iterator[Item]:
        if self._is_same(scope, one, two):
            return
        match one, two:
            case m.IfStep(), m.IfStep():
                nothing = m.Sequence(one.path, one.span, ())
                branches = (one.then, one.otherwise or nothing), (two.otherwise or nothing, two.then)
                if self._is_same(scope, *branches):
                    other = m.NotExpr(two.condition.type, two.condition.span, two.condition)
                    yield from self._value(scope, one.path, one.condition, other)
                    return
                yield from self._value(scope, one.path, one.condition, two.condition)
                yield from self._steps(scope, one.then, two.then, one.path)
                yield from self._steps(scope, one.otherwise or nothing, two.otherwise or nothing, one.path)
            case m.SetLocal(), m.SetLocal() if scope.names(0).get(one.slot) != scope.names(1).get(two.slot):
                yield Told(one.path, "unknown", FORM)
            case m.MatchStep(), m.MatchStep():
                yield from self._match(scope, one, two)
            case m.Demand(), m.Demand():
                sides = split((self._demanded(one),)), split((self._demanded(two),))
                yield from self._tests(scope, one.requirement.path, *sides)
            case m.Decide(), m.Decide():
                yield from self._decide(scope, one, two)
            case m.Simultaneous(), m.Simultaneous():
                yield from self._options(scope, one, two)
            case m.ForEach(), m.ForEach():
                yield from self._for_each(scope, one, two)
            case m.ForEachPlayer(), m.ForEachPlayer():
                yield from self._as_others(scope, (one, two), (one.order, two.order), (one.body, two.body))
            case m.AsPlayer(), m.AsPlayer():
                yield from self._as_others(scope, (one, two), (one.player, two.player), (one.body, two.body))
            case m.RepeatTimesStep(), m.RepeatTimesStep():
                yield from self._value(scope, one.path, one.count, two.count)
                yield from self._steps(self._inside(scope, one, two), one.body, two.body, one.path)
            case m.RepeatUntilStep(), m.RepeatUntilStep() if (one.until is None) == (two.until is None):
                inner = self._inside(scope, one, two)
                yield from self._steps(inner, one.body, two.body, one.path)
                if one.until is not None and two.until is not None:
                    yield from self._value(replace(inner, variables=scope.variables), one.path, one.until, two.until)
            case _:
                yield from self._operands(scope, one, two)

    def _as_others(
        self, scope: Scope, steps: tuple[m.Step, m.Step], who: tuple[m.Expr, m.Expr], bodies: tuple[m.Step, m.Step]
    ) -> Iterator[Item]:
        """Statements in which others act."""
        yield from self._value(scope, steps[0].path, *who)
        yield from self._steps(self._inside(scope, *steps).seeing(self._me()), *bodies, steps[0].path)

    def _operands(self, scope: Scope, one: m.Step, two: m.Step) -> Iterator[Item]:
        """Statements of one form whose expressions are not the same."""
        left, right = tuple(_expressions(one)), tuple(_expressions(two))
        bare = (_without(each) for each in (one, two))
        if len(set(bare)) == 1 and len(left) == len(right) and not _nested(one):
            yield from self._values(scope, one.path, left, right)
        else:
            yield Told(one.path, "unknown", FORM)

    def _decide(self, scope: Scope, one: m.Decide, two: m.Decide) -> Iterator[Item]:
        if one.repeating != two.repeating or one.window != two.window:
            yield Told(one.path, "unknown", "it is not offered in the same way")
            return
        if one.optional != two.optional:
            yield Told(one.path, "stricter" if one.optional else "looser", "only one of them lets it be declined")
        yield from self._options(scope, one, two)

    def _match(self, scope: Scope, one: m.MatchStep, two: m.MatchStep) -> Iterator[Item]:
        if [each.values for each in one.cases] != [each.values for each in two.cases]:
            yield Told(one.path, "unknown", FORM)
            return
        yield from self._value(scope, one.path, one.subject, two.subject)
        for mine, theirs in zip(one.cases, two.cases, strict=True):
            if [each.table for each in mine.binds] != [each.table for each in theirs.binds]:
                yield Told(mine.path, "unknown", FORM)
                continue
            bound = [
                self._variable("part", _of_table(a.table), a.slot, b.slot)
                for a, b in zip(mine.binds, theirs.binds, strict=True)
            ]
            if any(each is None for each in bound):
                yield Told(mine.path, "unknown", FORM)
                continue
            inner = scope.seeing(*(each for each in bound if each is not None))
            yield from self._steps(inner, mine.body, theirs.body, mine.path)

    def _for_each(self, scope: Scope, one: m.ForEach, two: m.ForEach) -> Iterator[Item]:
        inner = self._inside(scope, one, two)
        if len(one.loops) != len(two.loops) or (one.where is None) != (two.where is None):
            yield Told(one.path, "unknown", FORM)
            return
        for mine, theirs in zip(one.loops, two.loops, strict=True):
            yield from self._value(inner, one.path, mine.domain, theirs.domain)
            named = self._variable(mine.name, _common(mine.type, theirs.type), mine.slot, theirs.slot)
            if named is None:
                yield Told(one.path, "unknown", FORM)
                return
            inner = inner.seeing(named)
        if one.where is not None and two.where is not None:
            yield from self._value(inner, one.path, one.where, two.where)
        yield from self._steps(inner, one.body, two.body, one.path)

    def _variable(self, name: str, of: t.Type | None, left: int, right: int) -> Variable | None:
        return None if of is None else Variable(f"{name} ({next(self._fresh)})", of, left, right)

    def _after(self, scope: Scope, one: m.Step, two: m.Step) -> Scope:
        """What is seen behind two statements."""
        written = {each.name for step, game in ((one, self.left), (two, self.right)) for each in _written(game, step)}
        scope = replace(scope, blank=scope.blank - written)
        if written or _bound(one) or _bound(two) or not _is_plain(one) or not _is_plain(two):
            scope = replace(scope, given=())
        pairs = list(zip(_bound(one), _bound(two), strict=False))
        more = (self._variable(name, _common(of, other), left, right) for (name, of, left), (_, other, right) in pairs)
        return scope.seeing(*(each for each in more if each is not None))

    def _inside(self, scope: Scope, one: m.Step, two: m.Step) -> Scope:
        """What is seen in a body that is carried out again and again."""
        written = {each.name for step, game in ((one, self.left), (two, self.right)) for each in _written(game, step)}
        return replace(scope, blank=scope.blank - written, given=())

    def _stands_alone(self, scope: Scope, one: m.Step, two: m.Step) -> bool:
        """Whether it reads nothing that the statements before it bind."""
        return _sees(scope, one, two) and not _binds(one) and not _binds(two)

    def _waits(self, game: m.Game, step: m.Step) -> bool:
        """Whether an event may come up in a statement."""
        waiting = (m.Decide, m.Simultaneous, m.RandomValue, m.DrawPieces)
        return any(isinstance(each, waiting) for each in _all_steps(game, step))


# ---- what is seen


def _shared(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> tuple[int, int]:
    """How many are the same at the beginning and at the end."""
    shorter = min(len(mine), len(theirs))
    first = next((at for at in range(shorter) if mine[at] != theirs[at]), shorter)
    rest = shorter - first
    last = next((at for at in range(rest) if mine[-1 - at] != theirs[-1 - at]), rest)
    return first, last


def _is_risky(node: Any) -> bool:
    match node:
        case m.Checked() | m.PickExpr() | m.WithExceptions() | m.MatchExpr() | m.CanPerform():
            return True
        case m.Arithmetic(operator="div" | "mod") | m.Builtin(name="place_in" | "total"):
            return True
        case m.AggregateExpr(kind="max" | "min", otherwise=None):
            return True
        case _:
            return False


def _less(tests: tuple[Test, ...], forms: Sequence[Hashable], common: Counter[Hashable]) -> tuple[Test, ...]:
    """Those tests that are not common."""
    left, found = common.copy(), []
    for test, each in zip(tests, forms, strict=True):
        if left[each] > 0:
            left[each] -= 1
        else:
            found.append(test)
    return tuple(found)


def _asked(
    kind: Literal["offer", "value", "steps"],
    path: str,
    scope: Scope,
    left: tuple[Test, ...] | m.Step,
    right: tuple[Test, ...] | m.Step,
) -> Question | Told:
    """The question, if both sides read nothing but what is known to be the same."""
    if not _sees(scope, left, right):
        return Told(path, "unknown", FORM)
    return Question(kind, path, scope.variables, left, right, scope.blank, scope.given)


def _sees(scope: Scope, left: Any, right: Any) -> bool:
    known = set(scope.names(0)), set(scope.names(1))
    return _free(left) <= known[0] and _free(right) <= known[1]


def _free(piece: Any) -> set[int]:
    """The slots that a piece reads and does not bind itself."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in _pieces(piece):
        for node in nodes(part):
            match node:
                case m.Local(slot=slot):
                    read.add(slot)
                case m.SetLocal(slot=slot) | m.RandomValue(slot=slot):
                    bound.add(slot)
                case m.Loop(slot=slot) | m.Binding(slot=slot) | m.Choice(slot=slot) | m.LetExpr(slot=slot):
                    bound.add(slot)
    return read - bound


def _pieces(piece: Any) -> Iterator[Any]:
    if isinstance(piece, tuple):
        for each in piece:
            yield from _pieces(each)
    elif isinstance(piece, Chosen):
        yield piece.domain
    elif piece is not None:
        yield piece


# ---- looking into statements


def flat(step: m.Step) -> tuple[m.Step, ...]:
    """The statements of a body one after another; those that do nothing are left out."""
    match step:
        case m.Sequence(body=body):
            return tuple(each for part in body for each in flat(part))
        case m.IfStep(condition=known, then=then, otherwise=None) if not flat(then):
            return () if not _may_fault(known) else (step,)
        case m.IfStep(condition=when, then=then, otherwise=None):
            (only, *more) = flat(then)
            if isinstance(only, m.Demand) and not more:
                return (_guarded(only, when),)
            return (step,)
        case _:
            return (step,)


def _may_fault(expr: m.Expr) -> bool:
    """Whether the rules may not say what it comes to, as far as a look at it tells."""
    return not isinstance(expr, m.Constant | m.Local)


def _guarded(step: m.Demand, when: m.Expr) -> m.Demand:
    """A requirement that binds only in a case."""
    held = m.Logic(t.Bool(), step.span, "implies", when, condition(step.requirement))
    return replace(step, requirement=replace(step.requirement, condition=held, waivers=()))


def reached_actions(game: m.Game) -> frozenset[str]:
    """The actions that play may come to."""
    found: set[str] = set()
    routines = [game.play, *([game.setup] if game.setup else [])]
    for routine in routines:
        for step in _all_steps(game, routine.body):
            found |= _named_actions(step)
    return frozenset(found | {node.action for node in _everything(game) if isinstance(node, m.CanPerform)})


def _chosen_together(game: m.Game) -> set[str]:
    """The actions that several players choose before the first is carried out."""
    together = (node for node in _everything(game) if isinstance(node, m.Simultaneous))
    return set().union(*map(_named_actions, together))


def _everything(game: m.Game) -> Iterator[Any]:
    for part in (*game.defines.values(), *game.actions.values(), game.play, *([game.setup] if game.setup else [])):
        yield from nodes(part)


def _named_actions(step: Any) -> set[str]:
    match step:
        case m.Perform(action=action):
            return {action}
        case m.Decide(options=options) | m.Simultaneous(options=options):
            return {each.action for each in options if isinstance(each, m.ActionOption)}
        case _:
            return set()


def _all_steps(game: m.Game, step: m.Step) -> Iterator[m.Statement]:
    """All statements in one, those of the actions that it performs or offers too."""
    waiting: list[Any] = [step]
    seen: set[str] = set()
    while waiting:
        for node in nodes(waiting.pop()):
            if not isinstance(node, m.Statement):
                continue
            yield node
            for name in _named_actions(node) - seen:
                seen.add(name)
                waiting.append(game.actions[name].body)


def _written(game: m.Game, step: m.Step) -> Iterator[m.Element]:
    """The elements into which a statement may put something, or take something from."""
    for each in _all_steps(game, step):
        if isinstance(each, m.Store):
            yield each.element
        for node in nodes(each):
            if isinstance(node, m.ZoneRef):
                yield node.element
    if any(isinstance(each, m.DrawPieces) for each in _all_steps(game, step)):
        for refill in game.refills:
            yield from (refill.zone.element, refill.source.element)


def _bound(step: m.Step) -> list[tuple[str, t.Type, int]]:
    """The names that a statement gives to what stands behind it."""
    match step:
        case m.WithStepExceptions(body=body):
            return _bound(body)
        case m.SetLocal(slot=slot, value=value):
            return [("let", value.type, slot)]
        case m.RandomValue(name=name, type=of, slot=slot):
            return [(name, of, slot)]
        case m.Decide(options=(m.BranchOption(choices=choices),)):
            return [(each.name, each.type, each.slot) for each in choices]
        case _:
            return []


def _is_plain(step: m.Step) -> bool:
    """Whether it changes nothing: it asks, or does nothing."""
    return (isinstance(step, m.Demand | m.Sequence) and not flat(step)) or isinstance(step, m.Demand)


def _binds(step: m.Step) -> bool:
    return any(isinstance(each, m.SetLocal | m.RandomValue | m.Choice) for each in nodes(step))


def _nested(step: m.Step) -> bool:
    """Whether other statements stand in it."""
    return any(isinstance(each, m.Statement) for each in nodes(step) if each is not step)


def _expressions(step: m.Step) -> Iterator[m.Expr]:
    """The expressions that stand directly in a statement."""
    for child in _children(step):
        if isinstance(child, m.ZoneRef):
            yield from child.indices
        else:
            yield child


def _children(step: m.Step) -> Iterator[Any]:
    yield from children(step)


def _without(step: m.Step) -> Any:
    """A statement with nothing where its expressions stand."""
    found: list[Any] = [type(step).__name__, step.path if may_raise(step) else ""]
    for each in fields(step):
        value = getattr(step, each.name)
        if isinstance(value, m.ZoneRef):
            found.append(value.element.name)
        elif isinstance(value, m.Element):
            found.append(value.name)
        elif not isinstance(value, m.Typed | tuple | Span) and each.name not in {"path", "slot", "type", "name"}:
            found.append(value)
    return tuple(found)


def _by_name(options: Sequence[m.MoveOption]) -> dict[str, list[m.MoveOption]]:
    found: dict[str, list[m.MoveOption]] = {}
    for each in options:
        found.setdefault(each.action if isinstance(each, m.ActionOption) else each.name, []).append(each)
    return found


def _sum(parts: Sequence[m.Expr], span: Span) -> m.Expr:
    found: m.Expr | None = None
    for each in parts:
        found = each if found is None else m.Arithmetic(t.Range(0, 0), span, "+", found, each)
    return found or m.Constant(t.Range(0, 0), span, 0)


def _common(one: t.Type, two: t.Type) -> t.Type | None:
    """A type with the values of both; None where they are of different kinds."""
    if one == two:
        return one
    return t.join(one, two)


def _of_table(table: tuple[t.Value, ...]) -> t.Type | None:
    """A type with all values of a table of numbers or truth values."""
    held = {value for value in table if value is not None}
    if held and all(isinstance(value, bool) for value in held):
        return t.Bool()
    if held and all(isinstance(value, int) and not isinstance(value, bool) for value in held):
        return t.Range(min(held), max(held))
    return None
