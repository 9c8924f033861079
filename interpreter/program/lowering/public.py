"""Lowering of the veil (public state): a three-valued test whether an option may have an instance.

Whether a player has anything to decide may depend on what only that player sees. If the decision were skipped, the
others would know. So the same question is answered for the public state, in which everything that not everybody sees is
unknown. An expression that may read an unknown value is lowered by the rules of partial knowledge
(`ludex.spec.Evaluation`), all others in the usual way. `and`, `or`, `some`, `every`, `no` and `in` are known where the
known operands decide them; an unknown content or piece is equal to itself, a collection has a known size, a piece is
not none; everything else that depends on an unknown value is unknown, and so is everything that has no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from ludex.spec import children, requires, tested_after, with_children
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir import three_valued
from ..ir.operations import BOOL, FALSE, INT, TRUE, items_of, negation, op
from .decisions import Offered
from .expressions import ExpressionLowering
from .scope import UnitScope

_UNKNOWN = c.Const(three_valued.UNKNOWN, t.Never())
UNROLLED = 8
"""A choice of at most this many constants is unrolled."""
_ANY = t.Never()
"""The type of values that may be unknown. A parameter of a unit may be unknown only if it has this type."""


class Public:
    """Lowers expressions of one game for the public state."""

    def __init__(self, x: ExpressionLowering) -> None:
        self._x, self._concealment = x, x.concealment
        self._unknown: frozenset[int] = frozenset()
        self._units: dict[tuple[str, frozenset[int]], int] = {}
        self._new_nodes: list[m.Expr] = []

    # ---- requirements and choices

    def unknown_of(self, requirement: m.Requirement) -> frozenset[int] | None:
        """Return the slots of a requirement whose contents not everybody may know, or None if everybody knows whether
        it holds.
        """
        unknown = self._concealment.unknown(requirement.path.split(".")[0], self._x.slots(requirement))
        return None if not unknown and self.is_open((requirement,), ()) else unknown

    def stops_at(self, step: m.Statement) -> bool:
        """Return whether a public state stops at the statement."""
        return self._is_tried and not self._concealment.is_followed(step)

    @cached_property
    def _is_tried(self) -> bool:
        """Whether a requirement may follow a move, so that moves are tried in public states."""
        game = self._x.game
        return any(requires(step, game.actions) for each in game.routines for step in self._x.lists.steps(each))

    def is_open(self, parts: Iterable[Any], unknown: Iterable[int]) -> bool:
        """Return whether everybody knows the values of the expressions in some parts. unknown: slots whose contents
        not everybody knows."""
        nodes = list(parts)
        return self._x.slots(*nodes).isdisjoint(unknown) and not any(
            self._concealment.names.looks(each) for each in nodes
        )

    def lists_openly(self, offered: Offered) -> bool:
        """Return whether everybody can see all that decides which instances of an option are listed."""
        domains = (each.domain for each in offered.choices)
        return self.is_open((*domains, *offered.requirements, *offered.arguments), ())

    @contextmanager
    def knowing(self, unknown: Iterable[int]) -> Iterator[None]:
        """Treat these slots as possibly unknown while the block runs."""
        outside, self._unknown = self._unknown, frozenset(unknown)
        try:
            yield
        finally:
            self._unknown = outside

    def may_hold(self, requirement: m.Requirement, scope: UnitScope) -> c.Expr:
        """Lower whether the requirement may hold, with its waivers."""
        outside, scope.path = scope.path, requirement.path
        truth = self.lower(requirement.condition, scope)
        for waiver in requirement.waivers:

            def waived(waiver: m.Waiver = waiver) -> c.Expr:
                return self._joined(
                    self.lower(waiver.condition, scope), lambda: self.lower(waiver.value, scope), False, scope
                )

            truth = self._joined(truth, waived, True, scope)
        scope.path = outside
        return _may(truth)

    def instances(
        self,
        choices: Sequence[m.Choice],
        requirements: Sequence[m.Requirement],
        scope: UnitScope,
        leaf: Callable[[Sequence[c.Expr]], None],
    ) -> None:
        """Emit the statements of `leaf` for everything that may be an instance.

        The scope's slots are those of the option.
        """
        stages = tested_after(choices, requirements)

        def bind(at: int, unknown: frozenset[int]) -> None:
            with self.knowing(unknown):
                tested(stages[at], at, unknown)

        def tested(requirements: Sequence[m.Requirement], at: int, unknown: frozenset[int]) -> None:
            if requirements:
                test = self.may_hold(requirements[0], scope)
                scope.where(test, lambda: tested(requirements[1:], at, unknown))
            elif at == len(choices):
                leaf([scope.env[choice.slot] for choice in choices])
            else:
                choose(choices[at], at, unknown)

        def choose(choice: m.Choice, at: int, unknown: frozenset[int]) -> None:
            is_open = self.is_open((choice.domain,), unknown)
            domain = self.lower(choice.domain, scope)
            values = _constants(choice, domain)
            # With a constant, tests in the body fold.
            if values and len(values) <= UNROLLED:
                for value in values:
                    scope.env[choice.slot] = c.Const(value, choice.type)
                    bind(at + 1, unknown)
                return
            items = c.Op("seen_items", (domain,), t.ListOf(_ANY), choice.domain.type)
            name = "seen_parts" if choice.within else "seen_kinds"
            var = scope.new(choice.type)
            scope.env[choice.slot] = var
            with scope.branch() as body:
                if choice.within and isinstance(choice.type, t.SetOf):
                    scope.env[choice.slot] = scope.set(c.Op("seen_set", (var,), _ANY), choice.type)
                # A value from a domain that not everybody sees is not public, whatever it is.
                bind(at + 1, unknown if is_open else unknown | {choice.slot})
            of = choice.domain.type.of if isinstance(choice.domain.type, t.ListOf) else None
            listed = c.Const(values, t.ListOf(choice.type)) if values else c.Op(name, (items,), t.ListOf(_ANY), of)
            scope.out.append(c.Each(var, listed, tuple(body), scope.path))

        bind(0, frozenset())

    # ---- expressions

    def lower(self, expr: Any, scope: UnitScope) -> c.Expr:
        """Lower an expression to a value that may be unknown."""
        # A piece that a trial has moved to an open zone stays unknown.
        is_zone = isinstance(expr, m.Read) and expr.element.is_zone
        if self.is_open((expr,), self._unknown) and not is_zone:
            return self._attempted(lambda: self._x.lower(expr, scope), scope)
        lowered = _KINDS.get(type(expr), Public._strict)(self, expr, scope)
        return c.Op("seen_there", (lowered,), _ANY) if expr.narrowed else lowered

    def _attempted(self, lowered: Callable[[], c.Expr], scope: UnitScope) -> c.Expr:
        """Lower a value that is unknown where evaluation fails."""
        with scope.branch() as needed:
            result = lowered()
        if not self._x.bodies.may_fail(needed, result):
            scope.out += needed
            return result
        var = scope.set(_UNKNOWN, _ANY)
        scope.out.append(c.Attempt((*needed, c.Set(var, result))))
        return var

    def _named(self, expr: Any, scope: UnitScope) -> c.Expr:
        return scope.named(self.lower(expr, scope), expr.type)

    def _strict(self, expr: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower a strict expression: it is unknown if a part is. The parts are evaluated first, and named."""
        # The usual lowering then lowers the expression on names that are known where it runs.
        names: dict[int, m.Expr] = {}
        values: list[c.Expr] = []
        for part in children(expr):
            if isinstance(part, m.Typed) and not self.is_open((part,), self._unknown):
                # Slots of routines count from 0, so that negative numbers are free for values that have no slot.
                slot = -1 - len(self._new_nodes)
                value = scope.env[slot] = self._named(part, scope)
                values.append(value)
                names[id(part)] = m.Local(part.type, part.span, slot)
                self._new_nodes.append(names[id(part)])
        if _UNKNOWN in values:
            return _UNKNOWN
        changed = with_children(expr, lambda part: names.get(id(part), part))
        self._new_nodes.append(changed)  # analyses are memoized by identity: the new node must stay alive
        var = scope.set(_UNKNOWN, _ANY)
        with scope.branch() as then:
            # After the test that all parts are known, and in an attempt: what then fails is unknown, too.
            with scope.branch() as needed:
                lowered = self._x.lower(changed, scope)
            needed.append(c.Set(var, lowered))
            scope.out.append(c.Attempt(tuple(needed)))
        scope.out.append(c.If(c.Op("is_known", tuple(values), BOOL), tuple(then)))
        return var

    # ---- operators

    def _comparison(self, expr: m.Comparison, scope: UnitScope) -> c.Expr:
        # Only equality has an answer for unknown values: each equals itself.
        if expr.operator not in ("=", "!="):
            return self._strict(expr, scope)
        same = c.Op("seen_same", (self._named(expr.left, scope), self._named(expr.right, scope)), _ANY)
        return _not(same) if expr.operator == "!=" else same

    def _negated(self, expr: m.NotExpr, scope: UnitScope) -> c.Expr:
        return _not(self.lower(expr.operand, scope))

    def _logic(self, expr: m.Logic, scope: UnitScope) -> c.Expr:
        left = self.lower(expr.left, scope)
        if expr.operator == "implies":
            left = _not(left)
        return self._joined(left, lambda: self.lower(expr.right, scope), expr.operator != "and", scope)

    def _member(self, expr: m.Member, scope: UnitScope) -> c.Expr:
        item, collection = self._named(expr.item, scope), self._named(expr.collection, scope)
        items = c.Op("seen_items", (collection,), t.ListOf(_ANY), expr.collection.type)
        among = c.Op("seen_and", (c.Op("seen_in", (item, items), _ANY), c.Op("seen_listed", (collection,), _ANY)), _ANY)
        return _not(among) if expr.negated else among

    def _combine(self, expr: m.Combine, scope: UnitScope) -> c.Expr:
        """Lower the union of two bags or lists, whose size is known where both sizes are."""
        of = t.element_type(expr.type)
        # An unknown item of a set may equal another one, so the size of a union of sets is not known.
        if expr.operator != "+" or isinstance(expr.type, t.SetOf):
            return self._strict(expr, scope)
        sides = [(self._named(side, scope), side.type) for side in (expr.left, expr.right)]
        items = [c.Op("seen_items", (side,), t.ListOf(_ANY), type_) for side, type_ in sides]
        whole = c.Op(
            "seen_list" if isinstance(expr.type, t.ListOf) else "seen_bag",
            (c.Op("concat", tuple(items), _ANY),),
            _ANY,
            of,
        )
        var = scope.set(_UNKNOWN, _ANY)
        # If the number of items of one side is unknown, so is that of the union, and it stays unknown as a whole.
        are_listed = c.Op("seen_and", tuple([c.Op("seen_listed", (side,), _ANY) for side, _ in sides]), _ANY)
        scope.out.append(c.If(_must(are_listed), (c.Set(var, whole),)))
        return var

    def _empty_test(self, expr: m.EmptyTest, scope: UnitScope) -> c.Expr:
        empty = c.Op("seen_empty", (self._whole(expr.operand, scope),), _ANY)
        return _not(empty) if expr.negated else empty

    def _extremum(self, expr: m.ExtremumExpr, scope: UnitScope) -> c.Expr:
        return self.lower(expr.items[0], scope) if len(expr.items) == 1 else self._strict(expr, scope)

    def _checked(self, expr: m.Checked, scope: UnitScope) -> c.Expr:
        """Lower a range check, which an unknown value passes."""
        value = self._named(expr.operand, scope)
        operand = m.Local(expr.operand.type, expr.operand.span, -1 - len(self._new_nodes))
        self._new_nodes.append(operand)
        scope.env[operand.slot] = value
        with self.knowing(self._unknown | {operand.slot}):
            inside = self._strict(replace(expr, operand=operand), scope)
        return c.Pick(c.Op("is_known", (value,), BOOL), inside, value, _ANY)

    def _builtin(self, expr: m.Builtin, scope: UnitScope) -> c.Expr:
        match expr:
            case m.Builtin(name="size", arguments=(operand,)):
                return c.Op("seen_size", (self._whole(operand, scope),), _ANY)
            case m.Builtin(name="top", arguments=(m.Read() as pile,)):
                return c.Op("seen_top", (self._raw(pile, scope),), _ANY)
            case m.Builtin(name="total" | "winner"):
                return self._answered(expr, scope)
        return self._strict(expr, scope)

    # ---- names and calls

    def _local(self, expr: m.Local, scope: UnitScope) -> c.Expr:
        value = scope.env[expr.slot]
        return c.Op("look", (value,), _ANY) if isinstance(value, c.Load) and expr.slot in self._unknown else value

    def _read(self, expr: m.Read, scope: UnitScope) -> c.Expr:
        value = self._raw(expr, scope)
        return c.Op("seen_reversed", (value,), _ANY) if expr.element.kind == "pile" else value

    def _raw(self, expr: m.Read, scope: UnitScope) -> c.Expr:
        """Lower a reference to the cell's contents, seen or not."""
        indices = [self._named(index, scope) for index in expr.indices]
        if _UNKNOWN in indices:
            return _UNKNOWN
        locals_ = []
        for index, value in zip(expr.indices, indices, strict=True):
            locals_.append(m.Local(index.type, index.span, -1 - len(self._new_nodes)))
            self._new_nodes.append(locals_[-1])
            scope.env[locals_[-1].slot] = value
        are_known = _known(indices)
        if are_known == TRUE:
            base, at, size = self._x.address(expr.element, locals_, scope)
            return c.Op("look", (c.Load(base, at, size, _ANY),), _ANY)
        var = scope.set(_UNKNOWN, _ANY)
        with scope.branch() as then:
            base, at, size = self._x.address(expr.element, locals_, scope)
            scope.out.append(c.Set(var, c.Op("look", (c.Load(base, at, size, _ANY),), _ANY)))
        scope.out.append(c.If(are_known, tuple(then)))
        return var

    def _whole(self, expr: m.Expr, scope: UnitScope) -> c.Expr:
        """Lower a collection that is only counted."""
        return self._raw(expr, scope) if isinstance(expr, m.Read) else self.lower(expr, scope)

    def _call(self, expr: m.CallDefine, scope: UnitScope) -> c.Expr:
        define = self._x.game.defines[expr.name]
        if define.cycle is not None:
            # The public cannot tell whether the call recurs into itself.
            return _UNKNOWN if define.name in self._concealment.closed_cycles else self._strict(expr, scope)
        hidden = frozenset(
            at for at, each in enumerate(expr.arguments, start=1) if not self.is_open((each,), self._unknown)
        )
        given = tuple(self._named(each, scope) for each in expr.arguments)
        key = define.name, hidden
        if key not in self._units:

            def lowered(inner: UnitScope, variables: tuple[c.Var, ...]) -> c.Expr:
                inner.env = dict(enumerate(variables, start=1))
                for at in hidden:
                    inner.env[at] = inner.set(inner.env[at], define.parameters[at - 1][1])
                with self.knowing(hidden):
                    return self.lower(define.body, inner)

            name = f"{define.name} as all see it"
            types = [_ANY if at in hidden else of for at, (_, of) in enumerate(define.parameters, start=1)]
            lower = partial(self._x.unit, name, types, lowered)
            is_now = self._x.hangs(expr)
            keeps = self._x.searches(define) and not hidden  # unknown arguments make no key
            self._units[key] = self._x.deferred(name, types, lower, is_now, "state" if keeps else "")
        return c.Call(self._units[key], given, _ANY)

    def _answered(self, expr: m.Builtin | m.CanPerform, scope: UnitScope) -> c.Expr:
        if isinstance(expr, m.CanPerform):
            is_open = self._concealment.is_answered(expr.action)
        else:
            # Who wins depends on the points of all players in ways that are not followed here.
            is_open = expr.name == "total" and self._concealment.open_total
        return self._strict(expr, scope) if is_open else _UNKNOWN

    # ---- branches

    def _if(self, expr: m.IfExpr, scope: UnitScope) -> c.Expr:
        test = self._named(expr.condition, scope)
        return self._chosen(
            test, lambda: self.lower(expr.then, scope), lambda: self.lower(expr.otherwise, scope), scope
        )

    def _let(self, expr: m.LetExpr, scope: UnitScope) -> c.Expr:
        scope.env[expr.slot] = self._named(expr.value, scope)
        hidden = self._unknown if self.is_open((expr.value,), self._unknown) else self._unknown | {expr.slot}
        with self.knowing(hidden):
            return self.lower(expr.body, scope)

    def _joined(self, left: c.Expr, right: Callable[[], c.Expr], settles: bool, scope: UnitScope) -> c.Expr:
        """Lower `or`, which a true side decides, or `and`, which a false side decides."""
        if isinstance(left, c.Const) and isinstance(left.value, bool):
            return left if left.value is settles else right()
        var = scope.set(left, _ANY)
        with scope.branch() as body:
            second = scope.named(right(), _ANY)
            name = "seen_or" if settles else "seen_and"
            scope.out.append(c.Set(var, c.Op(name, (var, second), _ANY)))
        # The right side is evaluated unless the left one surely decides, as in the whole state.
        scope.out.append(c.If(negation(_must(var)) if settles else _may(var), tuple(body)))
        return var

    def _chosen(self, test: c.Expr, yes: Callable[[], c.Expr], no: Callable[[], c.Expr], scope: UnitScope) -> c.Expr:
        if isinstance(test, c.Const) and isinstance(test.value, bool):
            return yes() if test.value else no()
        if test == _UNKNOWN:
            return _UNKNOWN
        var = scope.set(_UNKNOWN, _ANY)
        with scope.branch() as then:
            value = yes()
            scope.out.append(c.Set(var, value))
        with scope.branch() as otherwise:
            value = no()
            scope.out.append(c.Set(var, value))
        scope.out.append(c.If(_known([test]), (c.If(test, tuple(then), tuple(otherwise)),)))
        return var

    def _match(self, expr: m.MatchExpr, scope: UnitScope) -> c.Expr:
        subject = self._named(expr.subject, scope)
        if subject == _UNKNOWN:
            return _UNKNOWN
        open_ = self.is_open((expr.subject,), self._unknown)
        var = scope.set(_UNKNOWN, _ANY)

        def arms(cases: Sequence[m.ValueCase]) -> c.Expr:
            if not cases:
                return _UNKNOWN
            case, *others = cases

            def arm() -> c.Expr:
                binds = {bind.slot: self._x.bound(bind, subject) for bind in case.binds}
                scope.env.update(binds)
                with self.knowing(self._unknown if open_ else self._unknown | set(binds)):
                    return self.lower(case.body, scope)

            test = self._x.meets(subject, expr, case)
            if isinstance(test, c.Const):
                return arm() if test.value else arms(others)
            return self._chosen(test, arm, lambda: arms(others), scope)

        # Of an unknown subject no arm is certain, and an arm might have no value.
        with scope.branch() as then:
            lowered = arms(expr.cases)
            scope.out.append(c.Set(var, lowered))
        scope.out.append(c.If(_known([subject]), tuple(then)))
        return var

    def _with_exceptions(self, expr: m.WithExceptions, scope: UnitScope) -> c.Expr:
        tests = [self._named(each.condition, scope) for each in expr.exceptions]
        if _UNKNOWN in tests:
            return _UNKNOWN
        var = scope.set(_UNKNOWN, _ANY)

        def rest(at: int) -> c.Expr:
            if at == len(tests):
                return self.lower(expr.body, scope)
            return self._chosen(tests[at], lambda: stated(at), lambda: rest(at + 1), scope)

        def stated(at: int) -> c.Expr:
            """Lower the value of an exception; it is unknown where a later one gives another value."""
            value = self._named(expr.exceptions[at].value, scope)
            for later in range(at + 1, len(tests)):
                value = scope.set(value, _ANY)
                with scope.branch() as also:
                    other = self._named(expr.exceptions[later].value, scope)
                    scope.out.append(c.Set(value, c.Op("seen_agreed", (value, other), _ANY)))
                scope.out.append(c.If(tests[later], tuple(also)))
            return value

        with scope.branch() as then:
            value = rest(0)
            scope.out.append(c.Set(var, value))
        scope.out.append(c.If(_known(tests), tuple(then)))
        return var

    # ---- loops

    def _turns(
        self,
        loops: Sequence[m.Loop],
        where: m.Expr | None,
        scope: UnitScope,
        allowed: c.Expr,
        turn: Callable[[c.Expr], None],
    ) -> None:
        """Emit the statements of `turn` for every combination that the condition may allow, given whether it surely
        does.
        """
        if not loops:
            if where is None:
                turn(allowed)
                return
            # Whether the iteration counts depends on the condition, and on whether its items are in the collections.
            counts = scope.set(c.Op("seen_and", (allowed, self._named(where, scope)), _ANY), _ANY)
            with scope.branch() as body:
                turn(counts)
            scope.out.append(c.If(_may(counts), tuple(body)))
            return
        loop, *inner = loops
        is_open = self.is_open((loop.domain,), self._unknown)
        domain = self._named(loop.domain, scope)
        items = c.Op("seen_items", (domain,), t.ListOf(_ANY), loop.domain.type)
        var = scope.new(loop.type)
        # It is unknown whether an unknown collection holds the item.
        if not is_open:
            allowed = scope.set(c.Op("seen_and", (allowed, c.Op("seen_listed", (domain,), _ANY)), _ANY), _ANY)
        scope.env[loop.slot] = var
        with scope.branch() as body, self.knowing(self._unknown if is_open else self._unknown | {loop.slot}):
            self._turns(inner, where, scope, allowed, turn)
        scope.out.append(c.Each(var, items, tuple(body), scope.path))

    def _quantifier(self, expr: m.Quantifier, scope: UnitScope) -> c.Expr:
        result = scope.set(FALSE, _ANY)

        def turn(allowed: c.Expr) -> None:
            has = self.lower(expr.has, scope)
            # `every` is decided by a counterexample, and `no` and `some` by an example.
            decided = c.Op("seen_and", (allowed, scope.named(_not(has) if expr.kind == "every" else has, _ANY)), _ANY)
            scope.out.append(c.Set(result, c.Op("seen_or", (result, decided), _ANY)))

        self._turns(expr.loops, expr.where, scope, TRUE, turn)
        return result if expr.kind == "some" else _not(result)

    def _aggregate(self, expr: m.AggregateExpr, scope: UnitScope) -> c.Expr:
        values = self._collected(expr.loops, expr.where, expr.value, scope, counted=expr.kind == "count")
        of = t.element_type(expr.type) or expr.type
        if expr.kind in ("max", "min") and expr.otherwise is not None:
            otherwise = expr.otherwise
            test = c.Op("seen_empty", (values,), _ANY)
            return self._chosen(
                scope.named(test, _ANY),
                lambda: self.lower(otherwise, scope),
                lambda: c.Op(f"seen_{expr.kind}", (values,), _ANY, of),
                scope,
            )
        name = "set_of" if expr.kind == "set" else expr.kind
        return c.Op(f"seen_{name}", (values,), _ANY, of)

    def _collected(
        self,
        loops: Sequence[m.Loop],
        where: m.Expr | None,
        value: m.Expr,
        scope: UnitScope,
        counted: bool = False,
        first: bool = False,
    ) -> c.Expr:
        """Lower a list of the values of all iterations, or of the first; unknown if it is unknown which iterations
        count.
        """
        items, result, known = scope.new(t.ListOf(_ANY)), scope.new(t.ListOf(_ANY)), scope.set(TRUE, BOOL)
        scope.out.append(c.New(items))

        def turn(allowed: c.Expr) -> None:
            scope.out.append(c.Append(items, c.Const(1, INT) if counted else self.lower(value, scope)))
            # An iteration that only may count leaves open what is collected, so nothing further has to be evaluated.
            if allowed != TRUE:
                scope.out.append(c.If(negation(_must(allowed)), (c.Set(known, FALSE), c.Break())))
            if first:
                scope.out.append(c.Break())

        self._turns(loops, where, scope, TRUE, turn)
        scope.out.append(c.If(known, (c.Set(result, op("tuple", items, gives=_ANY)),), (c.Set(result, _UNKNOWN),)))
        return result

    def _pick(self, expr: m.PickExpr, scope: UnitScope) -> c.Expr:
        item = m.Local(expr.loop.type, expr.span, expr.loop.slot)
        self._new_nodes.append(item)
        hidden = self._unknown if self.is_open((expr.loop.domain,), self._unknown) else self._unknown | {item.slot}
        with self.knowing(hidden):
            values = self._collected((expr.loop,), expr.where, item, scope, first=expr.kind == "first")
        picked = c.Op("seen_first" if expr.kind == "first" else "seen_only", (values,), _ANY)
        if expr.otherwise is None:
            return picked
        otherwise = expr.otherwise
        test = scope.named(c.Op("seen_empty", (values,), _ANY), _ANY)
        return self._chosen(test, lambda: self.lower(otherwise, scope), lambda: picked, scope)


def _constants(choice: m.Choice, domain: c.Expr) -> tuple[t.Value, ...]:
    """Return the values of a choice if they are constants that everybody knows; else ()."""
    if not isinstance(domain, c.Const) or domain == _UNKNOWN or choice.within:
        return ()
    values = tuple(dict.fromkeys(items_of(choice.domain.type, domain.value)))
    return () if None in values else values


def _may(truth: c.Expr) -> c.Expr:
    """Lower whether a condition may hold."""
    if isinstance(truth, c.Const):
        return c.Const(truth.value is not False, BOOL)
    return c.Op("may", (truth,), BOOL)


def _must(truth: c.Expr) -> c.Expr:
    if isinstance(truth, c.Const):
        return c.Const(truth.value is True, BOOL)
    return c.Op("must", (truth,), BOOL)


def _not(truth: c.Expr) -> c.Expr:
    if isinstance(truth, c.Const) and isinstance(truth.value, bool):
        return c.Const(not truth.value, BOOL)
    return c.Op("seen_not", (truth,), _ANY)


def _known(values: Sequence[c.Expr]) -> c.Expr:
    values = [each for each in values if not isinstance(each, c.Const) or each == _UNKNOWN]
    return c.Op("is_known", tuple(values), BOOL) if values else TRUE


_KINDS: Mapping[type, Callable[[Public, Any, UnitScope], c.Expr]] = {
    m.Local: Public._local,
    m.Read: Public._read,
    m.CallDefine: Public._call,
    m.Combine: Public._combine,
    m.Comparison: Public._comparison,
    m.NotExpr: Public._negated,
    m.Logic: Public._logic,
    m.Member: Public._member,
    m.EmptyTest: Public._empty_test,
    m.Builtin: Public._builtin,
    m.CanPerform: Public._answered,
    m.IfExpr: Public._if,
    m.MatchExpr: Public._match,
    m.LetExpr: Public._let,
    m.WithExceptions: Public._with_exceptions,
    m.Quantifier: Public._quantifier,
    m.AggregateExpr: Public._aggregate,
    m.PickExpr: Public._pick,
    m.ExtremumExpr: Public._extremum,
    m.Checked: Public._checked,
}
"""Kinds that need rules of their own; all others are strict."""
