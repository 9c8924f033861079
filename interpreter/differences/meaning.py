"""Expressions of the model in a normal form: two that have the same form have the same value in every position.

Constants are worked out, defines that never reach themselves are put in place, and what may be said in several ways is
said in one: `a < 1` and `not a >= 1`, `some` and `not every not`, a set that is not empty and one of at least one.
What could fail (a number outside its range, `the` of none) is never moved in front of what guards it.

A form is nested tuples: `("=", kind, value)` a constant, `("var", n)` what the n-th loop around runs over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..evaluate import UNDECIDED
from ..state import State
from ..walk import free_slots, nodes, reading_defines

Form: TypeAlias = Any

TRUE: Form = ("=", "bool", True)
FALSE: Form = ("=", "bool", False)
NONE: Form = ("=", "NoneType", None)
ME: Form = ("me",)
RISKY = frozenset({
    "Checked", "CanPerform", "PickExpr", "Arithmetic", "Extremes", "WithExceptions", "MakeRecord", "MakeWord", "call",
    "given", "Builtin",
})  # fmt: skip
"""What may fail, or hangs on more than can be seen."""
SAFE = frozenset({"size", "number", "abs", "index", "clockwise", "reversed"})
"""Functions of the language that always have a value."""
LISTED = 64
"""Types of more values are not gone through one by one."""
FEW = 4
"""Over so many values it is asked of each by itself whether one is there."""
MOST = 60_000
"""So many nodes are put into a form for one comparison; a larger one is given up."""


class TooLarge(Exception):
    """The form would take too long to make, or hangs on what is not known."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known of the slots at a place. depth: how many loops are around."""

    known: Mapping[int, Form]
    depth: int = 0

    def knowing(self, slot: int, form: Form) -> Scope:
        return replace(self, known={**self.known, slot: form})

    def looping(self, slot: int) -> Scope:
        return Scope({**self.known, slot: ("var", self.depth)}, self.depth + 1)


def constant(value: t.Value) -> Form:
    held = tuple(sorted(value, key=repr)) if isinstance(value, frozenset) else value
    return "=", type(value).__name__, held


def is_constant(form: Form) -> bool:
    return bool(form) and form[0] == "="


def risky(form: Form) -> bool:
    """Whether working it out may fail, or hangs on more than the form shows."""
    if not isinstance(form, tuple) or not form or form[0] == "=":
        return False
    if form[0] in RISKY and not (form[0] == "Builtin" and form[1] in SAFE):
        return True
    return any(map(risky, form))


# ---- logic ------------------------------------------------------------------------------------------------------


def negated(form: Form) -> Form:
    if form in (TRUE, FALSE):
        return FALSE if form == TRUE else TRUE
    return form[1] if form[0] == "not" else ("not", form)


def both(items: Sequence[Form]) -> Form:
    """All hold, asked in this order; where nothing can fail, in any."""
    flat: list[Form] = []
    for item in items:
        flat += item[1:] if item[0] == "and" else [item]
    kept = [item for item in dict.fromkeys(flat) if item != TRUE and not _is_implied(item, flat)]
    if not any(map(risky, kept)):
        if FALSE in kept or any(negated(item) in kept for item in kept):
            return FALSE
        kept.sort(key=repr)
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", *kept)


def _is_implied(item: Form, others: Sequence[Form]) -> bool:
    """Of "it is there": whether something is asked of a column of it, which nothing has that is not there."""
    match item:
        case ("not", ("eq", held, there)) if held == NONE:
            return any(
                other[0] == "eq"
                and is_constant(other[1])
                and other[1] != NONE
                and other[2][:2] == ("TableField", there)
                for other in others
            )
        case _:
            return False


def either(items: Sequence[Form]) -> Form:
    return negated(both([negated(item) for item in items]))


def at_least(low: Form, form: Form, of: t.Type | None) -> Form:
    """`low <= form`, of numbers."""
    if is_constant(low) and isinstance(of, t.Range) and not risky(form):
        least, most = _bounds(form, of)
        if low[2] <= least:
            return TRUE
        if low[2] > most:
            return FALSE
    if form[0] == "count" and is_constant(low):
        if low[2] == 1:
            return form[3]
        if low[2] == _turns(form[1]):
            return form[4]
    if is_constant(low) and isinstance(of, t.Range):
        least, most = _bounds(form, of)
        if low[2] == most:
            return "eq", low, form
        if low[2] == least + 1:
            return negated(("eq", constant(least), form))
    return "le", low, form


def _bounds(form: Form, of: t.Range) -> tuple[int, int]:
    """What a number lies between; a printed one between those that are printed."""
    if form[0] == "TableField" and all(isinstance(value, int) for value in form[3]):
        return max(of.low, min(form[3])), min(of.high, max(form[3]))
    return of.low, of.high


def some(domains: tuple[Form, ...], condition: Form, depth: int | None = None) -> Form:
    """Whether there is one. depth: of the loop, where that is known."""
    mine = ("var", depth)
    match condition:
        case ("eq", *sides) if len(domains) == 1 and mine in sides and not is_constant(domains[0]):
            (other,) = [side for side in sides if side != mine] or (mine,)
            if not _holds(other, mine):
                return "in", other, domains[0]
        case _:
            pass
    if condition == FALSE and not risky(domains):
        return FALSE
    if condition == TRUE and (turns := _turns(domains)) is not None:
        return TRUE if turns else FALSE
    return "some", domains, condition


def _holds(form: Form, part: Form) -> bool:
    return form == part or (isinstance(form, tuple) and any(_holds(each, part) for each in form))


def _turns(domains: Sequence[Form]) -> int | None:
    """How often a loop runs, if that is known."""
    if len(domains) != 1 or not is_constant(domains[0]):
        return None
    return len(domains[0][2])


def _less(number: Form, by: int) -> Form:
    return constant(number[2] - by)


def choice(condition: Form, then: Form, otherwise: Form) -> Form:
    """If, then, else."""
    if condition in (TRUE, FALSE):
        return then if condition == TRUE else otherwise
    if then == otherwise and not risky(condition):
        return then
    if condition[0] == "not":
        return "if", condition[1], otherwise, then
    return "if", condition, then, otherwise


# ---- expressions ------------------------------------------------------------------------------------------------


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
        """Raises TooLarge."""
        self._spent += 1
        if self._spent > MOST:
            raise TooLarge
        if isinstance(expr, m.Constant):
            return constant(expr.value)
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
            slots[slot] = _plain(scope.known[slot])
        try:
            return constant(self._engine.machine.value(expr, State([], [], []), slots))
        except UNDECIDED:
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
                found = _equal(left, one, right, other)
                return negated(found) if expr.operator == "!=" else found
            case "<=":
                return _at_most(left, one, right, other)
            case ">=":
                return _at_most(right, other, left, one)
            case "<":
                return negated(_at_most(right, other, left, one))
            case ">":
                return negated(_at_most(left, one, right, other))

    def _member(self, expr: m.Member, scope: Scope) -> Form:
        item, collection = self.form(expr.item, scope), self.form(expr.collection, scope)
        if is_constant(collection) and len(collection[2]) <= LISTED and not risky(item):
            of = expr.item.type
            return either([_equal(item, of, constant(value), of) for value in dict.fromkeys(collection[2])])
        if isinstance(expr.collection, m.SetExpr) and not risky((item, collection)):
            of = expr.item.type
            forms = [(self.form(each, scope), each.type) for each in expr.collection.items]
            return either([_equal(item, of, form, other) for form, other in forms])
        return "in", item, collection

    def _empty(self, operand: m.Expr, scope: Scope) -> Form:
        if isinstance(operand, m.AggregateExpr) and operand.kind in ("set", "bag", "list"):
            _, _, values = self._looped(operand.loops, operand.where, (operand.value,), scope, True)
            if not risky(values):
                return negated(self._some(operand.loops, operand.where, (None, False), scope))
        if t.element_type(operand.type) is None:
            return "eq", NONE, self.form(operand, scope)
        return _equal(self._size(operand, scope), t.Range(0, MOST), constant(0), t.Range(0, MOST))

    def _size(self, operand: m.Expr, scope: Scope) -> Form:
        if isinstance(operand, m.AggregateExpr):
            domains, _, (value,) = self._looped(operand.loops, operand.where, (operand.value,), scope, True)
            each_once = value == ("var", scope.depth) and len(domains) == 1 and _differ(domains[0])
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
                yield sign, _product(self.form(left, scope), self.form(right, scope))
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
            domain, condition = _spliced(self.domain(loop.domain, scope, free_order), scope.depth)
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


def _plain(form: Form) -> t.Value:
    return frozenset(form[2]) if form[1] == "frozenset" else form[2]


def _equal(left: Form, one: t.Type, right: Form, other: t.Type) -> Form:
    if is_constant(left):
        left, one, right, other = right, other, left, one
    if is_constant(left):
        return TRUE if left[2] == right[2] else FALSE
    if is_constant(right) and isinstance(one, t.Range) and left[0] == "count":
        if right[2] == 0:
            return negated(at_least(constant(1), left, one))
        if right[2] == _turns(left[1]):
            return at_least(right, left, one)
    if is_constant(right) and isinstance(one, t.Bool):
        return left if right[2] else negated(left)
    return "eq", *sorted((left, right), key=repr)


def _at_most(left: Form, one: t.Type, right: Form, other: t.Type) -> Form:
    """`left <= right`."""
    if isinstance(one, t.Range) and is_constant(right) and isinstance(right[2], int):
        return negated(at_least(_less(right, -1), left, one))
    if isinstance(other, t.Range) and is_constant(left):
        return at_least(left, right, other)
    return "le", left, right


def _product(left: Form, right: Form) -> Form:
    if is_constant(left) and is_constant(right):
        return constant(left[2] * right[2])
    return "product", *sorted((left, right), key=repr)


def _spliced(domain: Form, depth: int) -> tuple[Form, Form]:
    """Of a set of those that meet a condition: all, and the condition."""
    match domain:
        case ("gathered", "set", (inner,), condition, (("var", at),), None) if at == depth and _differ(inner):
            return inner, condition
        case _:
            return domain, TRUE


def _differ(domain: Form) -> bool:
    """Whether it is known that a loop over the domain never comes to one value twice."""
    return is_constant(domain) and len(set(domain[2])) == len(domain[2])


def bound_by(binds: Sequence[m.Binding], value: Form, scope: Scope) -> Scope:
    """A scope with what the arm of a match gives names to; value: of the subject."""
    for each in binds:
        known = constant(each.table[value[2]]) if is_constant(value) else ("data", each.table, value)
        scope = scope.knowing(each.slot, known)
    return scope


def matched(form: Form, of: t.Type, cases: Sequence[Any], body: Callable[[Any, Form], Form], nothing: Form) -> Form:
    """A match by the values of its subject, however its arms are ordered; body: the form of an arm for a value."""
    if is_constant(form):
        return next((body(case, form) for case in cases if case.values is None or form[2] in case.values), nothing)
    count = t.size(of)
    if count is None or count > LISTED:
        arms = tuple((None if case.values is None else constant(case.values), body(case, form)) for case in cases)
        return "match", form, arms
    found = []
    for value in t.values(of):
        case = next((case for case in cases if case.values is None or value in case.values), None)
        found.append((value, nothing if case is None else body(case, constant(value))))
    if len({arm for _, arm in found}) == 1 and not risky(form):
        return found[0][1]
    return "match", form, tuple(found)
