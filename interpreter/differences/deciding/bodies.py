"""Two bodies of statements, and the moves in them, gone through in step: where they do not say the same, a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, zip_longest
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from ...walk import nodes_called
from .forms import form
from .questions import ME, Either, Item, Offer, Question, Test, Told, Variable, condition, split, tests
from .scopes import FORM, Scope, ask, pieces_of, sees
from .statements import (
    binds,
    chosen_together,
    expressions,
    flat,
    is_plain,
    names_bound,
    nested,
    waits,
    without,
    written_by,
)


class Bodies:
    """The questions about actions, their options and what they do.

    differing: what is known not to be the same in the two games, by name.
    """

    def __init__(self, left: m.Game, right: m.Game, differing: frozenset[str]) -> None:
        self.left, self.right, self._differing = left, right, differing
        self._fresh = count(1)
        self._waiting = chosen_together(left) | chosen_together(right)

    def me(self) -> Variable:
        """Who acts, as a variable of a question."""
        return Variable(ME, t.PlayerType(self.left.players), 0, 0)

    # ---- expressions

    def form(self, node: Any, side: int, names: Mapping[int, Hashable]) -> Hashable:
        """The form of a piece of one side. names: what its slots stand for."""
        return form(node, self._differing, side, names)

    def _is_same(self, scope: Scope, left: Any, right: Any) -> bool:
        if not sees(scope, left, right):
            return False
        return self.form(left, 0, scope.names(0)) == self.form(right, 1, scope.names(1))

    def value(self, scope: Scope, path: str, left: m.Expr, right: m.Expr) -> Iterator[Item]:
        """Whether two expressions come to the same; nothing where they are said alike."""
        if not self._is_same(scope, left, right):
            yield ask("value", path, scope, (left,), (right,))

    def _values(self, scope: Scope, path: str, left: Sequence[m.Expr], right: Sequence[m.Expr]) -> Iterator[Item]:
        if len(left) != len(right):
            yield Told(path, "unknown", FORM)
            return
        for one, two in zip(left, right, strict=True):
            yield from self.value(scope, path, one, two)

    # ---- moves

    def action(self, name: str) -> Iterator[Item]:
        """What an action asks for, and what it does."""
        one, two = self.left.actions[name], self.right.actions[name]
        given: list[Variable] = [self.me()]
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
        yield from self.steps(plain, one.body, two.body, path)

    def _tests(self, scope: Scope, path: str, left: tuple[Test, ...], right: tuple[Test, ...]) -> Iterator[Item]:
        """What two moves ask for. Where it is the same but for some tests, these are asked about first."""
        if not sees(scope, left, right):
            yield Told(path, "unknown", FORM)
            return
        mine, theirs = (
            [self.form(each, side, scope.names(side)) for each in tests] for side, tests in enumerate((left, right))
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
        return any(map(_is_risky, nodes_called(game, *pieces_of(tests))))

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
            variables: tuple[Variable, ...] = (self.me(),)
            choices, requirements, path = action.choices, action.requirements, option.action
        else:
            assert option is not None
            variables, choices, requirements, path = scope.variables, option.choices, option.requirements, option.name
        seen = Scope(variables)
        for each in choices:
            seen = seen.seeing(Variable(each.name, each.type, each.slot, each.slot, each.domain, each.within))
        asked = tests(choices, requirements)
        return ask("offer", path, seen, asked if left else never, never if left else asked)

    # ---- steps

    def steps(self, scope: Scope, left: m.Step, right: m.Step, path: str) -> Iterator[Item]:
        """Two bodies: first what they have in common is passed, then the rest is asked."""
        one, two = flat(left), flat(right)
        while one and two and self._is_same(scope, one[0], two[0]):
            scope = self._after(scope, one[0], two[0])
            one, two = one[1:], two[1:]
        end = self._shared_end(scope, one, two)
        one, two = one[: len(one) - end], two[: len(two) - end]
        if not one and not two:
            return
        span = (one or two)[0].span
        place = (one or two)[0].path or path
        parts = tuple(self._parts(scope, one, two, place))
        whole = m.Sequence(place, span, one), m.Sequence(place, span, two)
        if any(waits(game, each) for game, each in zip((self.left, self.right), whole, strict=True)):
            yield from parts
        else:
            first = ask("steps", place, scope, *whole)
            at = one[0] if one else None, two[0] if two else None
            yield Either(replace(first, at=at), parts) if isinstance(first, Question) else first

    def _parts(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...], path: str) -> Iterator[Item]:
        """Statement by statement."""
        if [type(each) for each in one] == [type(each) for each in two]:
            for left, right in zip(one, two, strict=True):
                yield from self._step(scope, left, right)
                scope = self._after(scope, left, right)
            return
        demands = [[each for each in side if isinstance(each, m.Demand)] for side in (one, two)]
        rest = [[each for each in side if not isinstance(each, m.Demand)] for side in (one, two)]
        if self._is_same(scope, tuple(rest[0]), tuple(rest[1])) and not any(map(binds, (*rest[0], *rest[1]))):
            needed = [[_demanded(each) for each in side] for side in demands]
            if (demands[0] or demands[1]) and (not rest[0] or not (demands[0] and demands[1])):
                yield from self._tests(replace(scope, blank=frozenset()), path, *map(split, needed))
                return
        for side, (these, others) in enumerate(((one, two), (two, one))):
            more = self._more(scope, these, others, side)
            if more:
                yield _of_one(path, more, side == 0)
                return
        guarded = self._guarded(scope, one, two)
        if guarded is not None:
            yield from guarded
            return
        yield from self._offered(scope, one, two, path)

    def _more(
        self, scope: Scope, these: tuple[m.Step, ...], others: tuple[m.Step, ...], side: int
    ) -> tuple[m.Step, ...]:
        """What one side does beyond what both do one after another; nothing if the other side does something else."""
        rest, more = list(others), list[m.Step]()
        for step in these:
            if rest and self._is_same(scope, *_sided(step, rest[0], side)):
                scope = self._after(scope, *_sided(step, rest.pop(0), side))
            elif names_bound(step):
                return ()
            else:
                more.append(step)
                written = {each.name for each in written_by((self.left, self.right)[side], step)}
                scope = replace(scope, blank=scope.blank - written, given=())
        return () if rest else tuple(more)

    def _guarded(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...]) -> Iterator[Item] | None:
        """Where one side does only in a case what the other one always does: whether it is always the case. What may
        be declined is so allowed less often; what is simply done makes for another course of play."""
        scope = replace(scope, blank=frozenset())
        for side, (these, always) in enumerate(((one, two), (two, one))):
            match these:
                case (m.IfStep(path=path, condition=when, then=then, otherwise=None),):
                    body = flat(then)
                    if not self._is_same(scope, *_sided(body, always, side)):
                        continue
                    if isinstance(always[0], m.Decide) and always[0].optional and len(always) == 1:
                        asked = split((when,))
                        return self._tests(scope, path, *_sided(asked, (), side))
                    holds = m.Constant(when.type, when.span, True)
                    return self.value(scope, path, *_sided(when, holds, side))
        return None

    def _offered(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...], path: str) -> Iterator[Item]:
        """One side lets the player choose whether to do what the other one simply does."""
        for may, must, verdict in ((one, two, "stricter"), (two, one, "looser")):
            side, other = (0, 1) if may is one else (1, 0)
            match may:
                case (m.Decide(optional=True, repeating=False, options=(option,)),):
                    body = _carried_out(may[0], option)
                    if body is None:
                        continue
                    names = scope.names(side), scope.names(other)
                    if self.form(body, side, names[0]) == self.form(must, other, names[1]):
                        yield Told(path, verdict, "one lets it be left undone")  # type: ignore[arg-type]
                        return
        yield Told(path, "unknown", FORM)

    def _step(self, scope: Scope, one: m.Step, two: m.Step) -> Iterator[Item]:
        if self._is_same(scope, one, two):
            return
        match one, two:
            case m.IfStep(), m.IfStep():
                yield from self._if(scope, one, two)
            case m.SetLocal(), m.SetLocal() if scope.names(0).get(one.slot) != scope.names(1).get(two.slot):
                yield Told(one.path, "unknown", FORM)
            case m.MatchStep(), m.MatchStep():
                yield from self._match(scope, one, two)
            case m.Demand(), m.Demand():
                sides = split((_demanded(one),)), split((_demanded(two),))
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
                yield from self.value(scope, one.path, one.count, two.count)
                yield from self.steps(self._inside(scope, one, two), one.body, two.body, one.path)
            case m.RepeatUntilStep(), m.RepeatUntilStep() if (one.until is None) == (two.until is None):
                inner = self._inside(scope, one, two)
                yield from self.steps(inner, one.body, two.body, one.path)
                if one.until is not None and two.until is not None:
                    yield from self.value(replace(inner, variables=scope.variables), one.path, one.until, two.until)
            case _:
                yield from self._operands(scope, one, two)

    def _if(self, scope: Scope, one: m.IfStep, two: m.IfStep) -> Iterator[Item]:
        """Branches; those of one may be the other's turned round."""
        nothing = m.Sequence(one.path, one.span, ())
        branches = (one.then, one.otherwise or nothing), (two.otherwise or nothing, two.then)
        if self._is_same(scope, *branches):
            other = m.NotExpr(two.condition.type, two.condition.span, two.condition)
            yield from self.value(scope, one.path, one.condition, other)
            return
        yield from self.value(scope, one.path, one.condition, two.condition)
        unless = m.NotExpr(one.condition.type, one.condition.span, one.condition)
        yield from self.steps(_where(scope, one.condition), one.then, two.then, one.path)
        yield from self.steps(_where(scope, unless), one.otherwise or nothing, two.otherwise or nothing, one.path)

    def _as_others(
        self, scope: Scope, steps: tuple[m.Step, m.Step], who: tuple[m.Expr, m.Expr], bodies: tuple[m.Step, m.Step]
    ) -> Iterator[Item]:
        """Statements in which others act."""
        yield from self.value(scope, steps[0].path, *who)
        yield from self.steps(self._inside(scope, *steps).seeing(self.me()), *bodies, steps[0].path)

    def _operands(self, scope: Scope, one: m.Step, two: m.Step) -> Iterator[Item]:
        """Statements of one form whose expressions are not the same."""
        left, right = tuple(expressions(one)), tuple(expressions(two))
        bare = (without(each) for each in (one, two))
        if len(set(bare)) == 1 and len(left) == len(right) and not nested(one):
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
        """Arm by arm. An arm that only one side has does what the other one does not."""
        mine, theirs = ({each.values: each for each in step.cases} for step in (one, two))
        is_once = len(mine) == len(one.cases) and len(theirs) == len(two.cases)
        if not is_once or (list(mine) != list(theirs) and not _are_apart(one, two)):
            yield Told(one.path, "unknown", FORM)
            return
        yield from self.value(scope, one.path, one.subject, two.subject)
        for values in {**mine, **theirs}:
            left, right = mine.get(values), theirs.get(values)
            if left is not None and right is not None:
                yield from self._arm(scope, left, right)
            else:
                only = left or right
                assert only is not None
                body = tuple(flat(only.body))
                if body:
                    yield _of_one(only.path, body, left is not None)

    def _arm(self, scope: Scope, mine: m.StepCase, theirs: m.StepCase) -> Iterator[Item]:
        if [each.table for each in mine.binds] != [each.table for each in theirs.binds]:
            yield Told(mine.path, "unknown", FORM)
            return
        pairs = zip(mine.binds, theirs.binds, strict=True)
        bound = [self._variable("part", _of_table(a.table), a.slot, b.slot) for a, b in pairs]
        if any(each is None for each in bound):
            yield Told(mine.path, "unknown", FORM)
            return
        inner = scope.seeing(*(each for each in bound if each is not None))
        yield from self.steps(inner, mine.body, theirs.body, mine.path)

    def _for_each(self, scope: Scope, one: m.ForEach, two: m.ForEach) -> Iterator[Item]:
        inner = self._inside(scope, one, two)
        if len(one.loops) != len(two.loops) or (one.where is None) != (two.where is None):
            yield Told(one.path, "unknown", FORM)
            return
        for mine, theirs in zip(one.loops, two.loops, strict=True):
            yield from self.value(inner, one.path, mine.domain, theirs.domain)
            named = self._variable(mine.name, _common(mine.type, theirs.type), mine.slot, theirs.slot)
            if named is None:
                yield Told(one.path, "unknown", FORM)
                return
            inner = inner.seeing(named)
        if one.where is not None and two.where is not None:
            yield from self.value(inner, one.path, one.where, two.where)
        yield from self.steps(inner, one.body, two.body, one.path)

    def _variable(self, name: str, of: t.Type | None, left: int, right: int) -> Variable | None:
        return None if of is None else Variable(f"{name} ({next(self._fresh)})", of, left, right)

    def _after(self, scope: Scope, one: m.Step, two: m.Step) -> Scope:
        """What is seen behind two statements."""
        written = self._written(one, two)
        scope = replace(scope, blank=scope.blank - written)
        if written or names_bound(one) or names_bound(two) or not is_plain(one) or not is_plain(two):
            scope = replace(scope, given=())
        pairs = list(zip(names_bound(one), names_bound(two), strict=False))
        more = (self._variable(name, _common(of, other), left, right) for (name, of, left), (_, other, right) in pairs)
        return scope.seeing(*(each for each in more if each is not None))

    def _inside(self, scope: Scope, one: m.Step, two: m.Step) -> Scope:
        """What is seen in a body that is carried out again and again."""
        return replace(scope, blank=scope.blank - self._written(one, two), given=())

    def _written(self, one: m.Step, two: m.Step) -> set[str]:
        """The elements that either statement may change, by name."""
        return {each.name for game, step in ((self.left, one), (self.right, two)) for each in written_by(game, step)}

    def _shared_end(self, scope: Scope, one: tuple[m.Step, ...], two: tuple[m.Step, ...]) -> int:
        """How many statements at the end are the same in both, and read nothing that those before them bind."""
        lengths = range(min(len(one), len(two)), 0, -1)
        return next((length for length in lengths if self._is_same(scope, one[-length:], two[-length:])), 0)


def _carried_out(where: m.Step, option: m.MoveOption) -> tuple[m.Step, ...] | None:
    """What choosing an option does; None where more is chosen with it, or it asks for something."""
    match option:
        case m.BranchOption(choices=(), requirements=(), body=body):
            return flat(body)
        case m.ActionOption(action=action, arguments=arguments):
            return (m.Perform(where.path, where.span, action, arguments),)
        case _:
            return None


def _where(scope: Scope, condition: m.Expr) -> Scope:
    """Where a condition of both sides has just been seen to hold."""
    return replace(scope, given=(*scope.given, condition))


def _sided(one: Any, other: Any, side: int) -> tuple[Any, Any]:
    """What a side has and what the other one has, the left one first."""
    return (one, other) if side == 0 else (other, one)


def _of_one(path: str, more: tuple[m.Step, ...], is_left: bool) -> Told:
    """What only one side does: where all of it may be declined, the other side allows less."""
    if all(isinstance(each, m.Decide) and each.optional for each in more):
        return Told(path, "stricter" if is_left else "looser", "only one of them offers this")
    return Told(path, "other", "only one of them does this")


def _are_apart(one: m.MatchStep, two: m.MatchStep) -> bool:
    """Whether no value comes to two arms, be it of one statement or of both, but for arms that both have."""
    arms = {each.values for step in (one, two) for each in step.cases}
    given = [values for values in arms if values is not None]
    return len(given) == len(arms) and len(frozenset[t.Value]().union(*given)) == sum(map(len, given))


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


def _by_name(options: Sequence[m.MoveOption]) -> dict[str, list[m.MoveOption]]:
    found: dict[str, list[m.MoveOption]] = {}
    for each in options:
        found.setdefault(each.action if isinstance(each, m.ActionOption) else each.name, []).append(each)
    return found


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


def _demanded(step: m.Demand) -> m.Expr:
    return condition(step.requirement)
