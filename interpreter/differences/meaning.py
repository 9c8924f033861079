"""Expressions of the model in a normal form: two that have the same form have the same value in every position.

Constants are worked out, and defines that never reach themselves are put in place; the forms themselves, and what is
made one in them, are `normal_forms.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ludex.grammar import Span
from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..events import Undefined
from ..state import State
from ..walk import free_slots, nodes, reading_defines
from .normal_forms import (
    LISTED,
    ME,
    NONE,
    TRUE,
    Form,
    Scope,
    TooLarge,
    at_most,
    both,
    bound_by,
    choice,
    constant,
    either,
    equal,
    is_constant,
    matched,
    negated,
    never_repeats,
    product,
    risky,
    some,
    spliced,
    value_of,
)

FEW = 4
"""Over so many values it is asked of each by itself whether one is there."""
MOST = 60_000
"""So many nodes are put into a form for one comparison; a larger one is given up."""


class Meaning:
    """The forms of one game's expressions."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._game = engine, engine.game
        self._reading = reading_defines(engine.game.defines)
        self._spent = 0
        self._fixed: dict[int, tuple[m.Expr, bool, frozenset[int]]] = {}
        self._cycles: dict[str, Form] = {}
        self._open: set[str] = set()

    def begin(self) -> None:
        """Forms are made for another comparison."""
        self._spent = 0

    def form(self, expr: m.Expr, scope: Scope) -> Form:
        """The form of an expression at a place. Raises TooLarge."""
        self._spent += 1
        if self._spent > MOST:
            raise TooLarge
        if isinstance(expr, m.Constant):
            return constant(expr.value)
        if isinstance(expr, m.Unsaid):
            raise TooLarge  # what nobody says is the same as nothing
        known = self._value(expr, scope)
        if known is not None:
            return known
        return self._formed(expr, scope)

    def _value(self, expr: m.Expr, scope: Scope) -> Form | None:
        """The constant that the expression comes to, if it hangs on nothing but constants."""
        reads, free = self._hung_on(expr)
        if reads or not all(is_constant(scope.known.get(slot, ("?",))) for slot in free):
            return None
        if len(free) == 1 and isinstance(expr, m.Local):
            return scope.known[expr.slot]
        slots: list[t.Value] = [None] * (1 + max((0, *free, *_bound(expr))))
        for slot in free:
            slots[slot] = value_of(scope.known[slot])
        try:
            return constant(self._engine.machine.value(expr, State([], [], []), slots))
        except (Undefined, OverBudget):
            return None

    def _hung_on(self, expr: m.Expr) -> tuple[bool, frozenset[int]]:
        """Whether an expression reads of the position, and which slots it reads."""
        known = self._fixed.get(id(expr))
        if known is None:
            known = self._fixed[id(expr)] = (expr, self._reads(expr), free_slots(expr))
        return known[1], known[2]

    def _reads(self, expr: m.Expr) -> bool:
        return any(
            isinstance(node, m.Read | m.CanPerform)
            or (isinstance(node, m.Builtin) and node.name in ("total", "winner", "game_over"))
            or (isinstance(node, m.CallDefine) and node.name in self._reading)
            for node in nodes(expr)
        )

    def _formed(self, expr: m.Expr, scope: Scope) -> Form:
        match expr:
            case m.NotExpr(operand=operand):
                return negated(self.form(operand, scope))
            case m.Logic():
                return self._logic(expr, scope)
            case m.Comparison():
                return self._comparison(expr, scope)
            case m.Member():
                found = self._member(expr, scope)
                return negated(found) if expr.negated else found
            case m.EmptyTest():
                found = self._empty(expr.operand, scope)
                return negated(found) if expr.negated else found
            case m.Quantifier():
                return self._quantifier(expr, scope)
            case m.IfExpr(condition=condition, then=then, otherwise=otherwise):
                return choice(*(self.form(each, scope) for each in (condition, then, otherwise)))
            case m.MatchExpr(subject=subject, cases=cases):
                return self._match(subject, cases, scope)
            case m.WithExceptions(body=body, exceptions=(only,)):
                return choice(*(self.form(each, scope) for each in (only.condition, only.value, body)))
            case _:
                return self._held(expr, scope)

    def _held(self, expr: m.Expr, scope: Scope) -> Form:
        """What is read, counted or made."""
        match expr:
            case m.Local(slot=slot):
                if slot not in scope.known:
                    raise TooLarge
                return scope.known[slot]
            case m.Read(element=element, indices=indices):
                return "read", element.name, *(self.form(each, scope) for each in indices)
            case m.CallDefine(name=name, arguments=arguments):
                return self._called(name, [self.form(each, scope) for each in arguments], scope)
            case m.Arithmetic() | m.Minus():
                return self._arithmetic(expr, scope)
            case m.LetExpr(slot=slot, value=value, body=body):
                return self._let(slot, self.form(value, scope), body, scope)
            case m.AggregateExpr() | m.PickExpr():
                return self._gathered(expr, scope)
            case m.Builtin(name="size", arguments=(operand,)):
                return self._size(operand, scope)
            case m.CanPerform(action=action, arguments=arguments):
                given = [self.form(each, scope) for each in arguments]
                return "CanPerform", action, *given, scope.known.get(0, ME)
            case m.Checked(operand=operand):
                return "Checked", repr(expr.type), self.form(operand, scope)
            case m.SetExpr(items=items) | m.ExtremumExpr(items=items):
                kind = expr.kind if isinstance(expr, m.ExtremumExpr) else "SetExpr"
                return kind, *sorted({self.form(each, scope) for each in items}, key=repr)
            case _:
                return self._other(expr, scope)

    def _other(self, expr: Any, scope: Scope) -> Form:
        """Any other node, part by part."""
        parts = (each.name for each in fields(expr) if each.name not in ("span", "type", "path"))
        return type(expr).__name__, *(self._part(getattr(expr, name), scope) for name in parts)

    def _part(self, part: Any, scope: Scope) -> Form:
        if isinstance(part, tuple):
            return tuple(self._part(each, scope) for each in part)
        if is_dataclass(part) and not isinstance(part, Span | type) and type(part).__module__ == m.Local.__module__:
            return self.form(part, scope)  # type: ignore[arg-type]
        return repr(part) if is_dataclass(part) else part

    # ---- defines and lets

    def _called(self, name: str, arguments: list[Form], scope: Scope) -> Form:
        define = self._game.defines[name]
        if define.cycle is not None:
            return "call", name, *arguments, *self._recursive(name)
        if any(map(risky, arguments)):
            return "call", name, *arguments, self._of(define, define.body)
        return self.form(define.body, Scope({0: NONE, **dict(enumerate(arguments, 1))}, scope.depth))

    def _recursive(self, name: str) -> tuple[Form, ...]:
        """What a define that may come back to itself says; nothing where it has come back."""
        if name in self._open:
            return ()
        if name not in self._cycles or self._open:
            self._open.add(name)
            try:
                said = self.define(name)
            finally:
                self._open.discard(name)
            if self._open:
                return (said,)
            self._cycles[name] = said
        return (self._cycles[name],)

    def _of(self, define: m.Define, expr: m.Expr) -> Form:
        known = {number: ("parameter", number) for number in range(1, len(define.parameters) + 1)}
        return self.form(expr, Scope({0: NONE, **known}))

    def define(self, name: str) -> Form:
        """What a define says by itself."""
        define = self._game.defines[name]
        types = tuple(repr(of) for _, of in define.parameters)
        return types, None if define.cycle is None else self._of(define, define.cycle), self._of(define, define.body)

    def _let(self, slot: int, value: Form, body: m.Expr, scope: Scope) -> Form:
        if not risky(value):
            return self.form(body, scope.knowing(slot, value))
        return "given", value, self.form(body, scope.looping(slot))

    # ---- conditions

    def _logic(self, expr: m.Logic, scope: Scope) -> Form:
        left, right = self.form(expr.left, scope), self.form(expr.right, scope)
        match expr.operator:
            case "and":
                return both([left, right])
            case "or":
                return either([left, right])
            case _:
                return either([negated(left), right])

    def _comparison(self, expr: m.Comparison, scope: Scope) -> Form:
        left, right = self.form(expr.left, scope), self.form(expr.right, scope)
        one, other = expr.left.type, expr.right.type
        match expr.operator:
            case "=" | "!=":
                found = equal(left, one, right, other)
                return negated(found) if expr.operator == "!=" else found
            case "<=":
                return at_most(left, one, right, other)
            case ">=":
                return at_most(right, other, left, one)
            case "<":
                return negated(at_most(right, other, left, one))
            case ">":
                return negated(at_most(left, one, right, other))

    def _member(self, expr: m.Member, scope: Scope) -> Form:
        item, collection = self.form(expr.item, scope), self.form(expr.collection, scope)
        if is_constant(collection) and len(collection[2]) <= LISTED and not risky(item):
            of = expr.item.type
            return either([equal(item, of, constant(value), of) for value in dict.fromkeys(collection[2])])
        if isinstance(expr.collection, m.SetExpr) and not risky((item, collection)):
            of = expr.item.type
            forms = [(self.form(each, scope), each.type) for each in expr.collection.items]
            return either([equal(item, of, form, other) for form, other in forms])
        return "in", item, collection

    def _empty(self, operand: m.Expr, scope: Scope) -> Form:
        if isinstance(operand, m.AggregateExpr) and operand.kind in ("set", "bag", "list"):
            _, _, values = self._looped(operand.loops, operand.where, (operand.value,), scope, True)
            if not risky(values):
                return negated(self._some(operand.loops, operand.where, (None, False), scope))
        if t.element_type(operand.type) is None:
            return "eq", NONE, self.form(operand, scope)
        return equal(self._size(operand, scope), t.Range(0, MOST), constant(0), t.Range(0, MOST))

    def _size(self, operand: m.Expr, scope: Scope) -> Form:
        if isinstance(operand, m.AggregateExpr):
            domains, _, (value,) = self._looped(operand.loops, operand.where, (operand.value,), scope, True)
            each_once = value == ("var", scope.depth) and len(domains) == 1 and never_repeats(domains[0])
            if (operand.kind in ("bag", "list") and not risky(value)) or (operand.kind == "set" and each_once):
                return self._count(operand.loops, operand.where, scope)
        form = self.form(operand, scope)
        return constant(len(form[2])) if is_constant(form) else ("Builtin", "size", form)

    # ---- numbers

    def _arithmetic(self, expr: m.Arithmetic | m.Minus, scope: Scope) -> Form:
        if isinstance(expr, m.Arithmetic) and expr.operator in ("div", "mod"):
            return "Arithmetic", expr.operator, self.form(expr.left, scope), self.form(expr.right, scope)
        terms = list(self._terms(expr, 1, scope))
        number = sum(sign * form[2] for sign, form in terms if is_constant(form))
        others = sorted(((sign, form) for sign, form in terms if not is_constant(form)), key=repr)
        if not others:
            return constant(number)
        if len(others) == 1 and number == 0 and others[0][0] == 1:
            return others[0][1]
        return "sum of", number, *others

    def _terms(self, expr: m.Expr, sign: int, scope: Scope) -> Iterator[tuple[int, Form]]:
        match expr:
            case m.Minus(operand=operand):
                yield from self._terms(operand, -sign, scope)
            case m.Arithmetic(operator="+" | "-", left=left, right=right):
                yield from self._terms(left, sign, scope)
                yield from self._terms(right, -sign if expr.operator == "-" else sign, scope)
            case m.Arithmetic(operator="*", left=left, right=right):
                yield sign, product(self.form(left, scope), self.form(right, scope))
            case _:
                yield sign, self.form(expr, scope)

    # ---- cases and loops

    def _match(self, subject: m.Expr, cases: tuple[m.ValueCase, ...], scope: Scope) -> Form:
        form = self.form(subject, scope)
        return matched(form, subject.type, cases, lambda case, value: self._case(case, value, scope), None)

    def _case(self, case: m.ValueCase, value: Form, scope: Scope) -> Form:
        return self.form(case.body, bound_by(case.binds, value, scope))

    def _quantifier(self, expr: m.Quantifier, scope: Scope) -> Form:
        if expr.kind == "every":
            return negated(self._some(expr.loops, expr.where, (expr.has, True), scope))
        found = self._some(expr.loops, expr.where, (expr.has, False), scope)
        return found if expr.kind == "some" else negated(found)

    def _some(
        self, loops: tuple[m.Loop, ...], where: m.Expr | None, has: tuple[m.Expr | None, bool], scope: Scope
    ) -> Form:
        """Whether there is one that has it; or, if so told, has it not. Of a few known values each is asked by
        itself."""
        if len(loops) == 1:
            domain = self.domain(loops[0].domain, scope, True)
            if is_constant(domain) and len(domain[2]) <= FEW:
                inner = (scope.knowing(loops[0].slot, constant(value)) for value in domain[2])
                return either([self._asked(where, has, each) for each in inner])
        domains, condition, _ = self._looped(loops, where, (), scope, True)
        for loop in loops:
            scope = scope.looping(loop.slot)
        asked = both([condition, self._asked(None, has, scope)])
        return some(domains, asked, scope.depth - len(loops))

    def _asked(self, where: m.Expr | None, has: tuple[m.Expr | None, bool], scope: Scope) -> Form:
        wanted, is_negated = has
        found = TRUE if wanted is None else self.form(wanted, scope)
        return both([TRUE if where is None else self.form(where, scope), negated(found) if is_negated else found])

    def _count(self, loops: tuple[m.Loop, ...], where: m.Expr | None, scope: Scope) -> Form:
        """How many there are; with it, whether there are any, and whether all are."""
        domains, condition, _ = self._looped(loops, where, (), scope, True)
        return (
            "count", domains, condition,
            self._some(loops, where, (None, False), scope),
            negated(self._some(loops, None, (where, True), scope)),
        )  # fmt: skip

    def _gathered(self, expr: m.AggregateExpr | m.PickExpr, scope: Scope) -> Form:
        if isinstance(expr, m.AggregateExpr) and expr.kind == "count":
            return self._count(expr.loops, expr.where, scope)
        loops = expr.loops if isinstance(expr, m.AggregateExpr) else (expr.loop,)
        parts = (expr.value,) if isinstance(expr, m.AggregateExpr) else ()
        free_order = isinstance(expr, m.AggregateExpr) and expr.kind != "list"
        domains, condition, forms = self._looped(loops, expr.where, parts, scope, free_order)
        otherwise = None if expr.otherwise is None else self.form(expr.otherwise, scope)
        head = "PickExpr" if isinstance(expr, m.PickExpr) else "gathered"
        if expr.kind in ("max", "min") and otherwise is None:
            head = "Extremes"
        return head, expr.kind, domains, condition, forms, otherwise

    def _looped(
        self, loops: tuple[m.Loop, ...], where: m.Expr | None, parts: tuple[m.Expr, ...], scope: Scope, free_order: bool
    ) -> tuple[tuple[Form, ...], Form, tuple[Form, ...]]:
        """Domains, condition and parts. free_order: it makes no difference in what order a domain is gone through."""
        domains: list[Form] = []
        conditions: list[Form] = []
        for loop in loops:
            domain, condition = spliced(self.domain(loop.domain, scope, free_order), scope.depth)
            domains.append(domain)
            conditions.append(condition)
            scope = scope.looping(loop.slot)
        conditions.append(TRUE if where is None else self.form(where, scope))
        return tuple(domains), both(conditions), tuple(self.form(each, scope) for each in parts)

    def domain(self, expr: m.Expr, scope: Scope, free_order: bool = False) -> Form:
        """What a loop runs over: of a constant, its values in order."""
        form = self.form(expr, scope)
        if not is_constant(form):
            return form
        values = form[2]
        if free_order or isinstance(expr.type, t.SetOf):
            values = tuple(sorted(values, key=lambda value: (value is not None, value)))
        return "=", "values", tuple(values)


def _bound(expr: m.Expr) -> Iterator[int]:
    return (each.slot for each in nodes(expr) if isinstance(each, m.Loop | m.Binding | m.LetExpr))
