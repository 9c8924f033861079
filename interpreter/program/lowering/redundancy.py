"""Redundancy elimination: loop-invariant code motion, then common subexpression elimination in a unit.

Only expressions that have a value in every state, and that cost more than a variable, are moved. A unit changes no
cell, so that the value is the same everywhere in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..ir import code as c
from ..ir.failing import Failing
from ..ir.traversal import expressions, parts, statements, variables, variables_set, with_variables

_WORTH = 5
"""An expression that costs less than this is evaluated again."""
GUARDED = 4
"""The cost of a guarded lookup, in parts of expressions, as all costs."""

CHEAP = c.Const, c.Var, c.Load

Cost = Callable[[c.Expr, list[int]], int]
Asked = Callable[[c.Expr], bool]


class RedundancyElimination:
    """Rewrites the body of one unit.

    cost: returns the cost of an expression, given the costs of its parts; may_ask: whether a load or call may be
    evaluated wherever the unit is called; failing: of the program; new: returns the number of a new variable.
    """

    def __init__(self, cost: Cost, may_ask: Asked, failing: Failing, new: Callable[[], int]) -> None:
        self._cost, self._may_ask, self._failing, self._new = cost, may_ask, failing, new
        self._costs: dict[int, tuple[c.Expr, int | None]] = {}

    def unit(self, body: c.Body) -> c.Body:
        """Return the body with loop-invariant and common subexpressions moved to the front."""
        # Loops first: what they move out may then be shared by several.
        body = self._loops(merged(body))
        whole = [expr for statement in statements(body) for expr in expressions(statement)]
        counts = Counter(part for expr in whole for part in self._worthwhile(expr))
        again = {expr for expr, count in counts.items() if count > 1}
        if not again:
            return body
        # A part of a larger repeated expression needs no variable of its own, unless it is also repeated elsewhere.
        outermost = Counter(part for expr in whole for part in self._first_of(expr, again))
        return self._before(body, [expr for expr, count in outermost.items() if count > 1])

    def _first_of(self, expr: c.Expr, repeated: set[c.Expr]) -> Iterator[c.Expr]:
        """Yield the outermost occurrences of the sought expressions."""
        if self._pays(expr) and expr in repeated:
            yield expr
        else:
            for part in parts(expr):
                yield from self._first_of(part, repeated)

    def _worthwhile(self, expr: c.Expr) -> Iterator[c.Expr]:
        """Yield all closed parts of an expression that are worth a variable."""
        waiting = [expr]
        while waiting:
            expr = waiting.pop()
            if self._pays(expr):
                yield expr
            waiting += parts(expr)

    def _loops(self, body: c.Body) -> c.Body:
        """Move loop-invariant expressions before their loops, innermost loops first."""
        if not any(isinstance(statement, c.Each) for statement in statements(body)):
            return body
        moved: list[c.Statement] = []
        for statement in body:
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    moved.append(replace(statement, then=self._loops(then), otherwise=self._loops(otherwise)))
                case c.Attempt(body=inner):
                    moved.append(replace(statement, body=self._loops(inner)))
                case c.Each(body=inner):
                    # What the inner loops moved before themselves may be invariant in this one, too.
                    inner = self._loops(inner)
                    moved += self._before((replace(statement, body=inner),), self._closed(inner))
                case _:
                    moved.append(statement)
        return tuple(moved)

    def _closed(self, body: c.Body) -> list[c.Expr]:
        """Return the largest closed expressions of a body that are worth a variable."""
        closed: list[c.Expr] = []
        for statement in statements(body):
            waiting = [*expressions(statement)]
            while waiting:
                expr = waiting.pop(0)
                if self._pays(expr):
                    closed.append(expr)
                else:
                    waiting[:0] = parts(expr)
        return closed

    def _pays(self, expr: c.Expr) -> bool:
        if isinstance(expr, CHEAP):
            return False
        cost = self._known_cost(expr)
        return cost is not None and cost >= _WORTH

    def _known_cost(self, expr: c.Expr) -> int | None:
        """Return the cost of a closed expression; None if it reads a variable or may fail where nothing guards it."""
        if isinstance(expr, c.Var):
            return None
        # By identity, as hashing an expression walks all of it; each is kept, so that no other expression gets its id.
        known = self._costs.get(id(expr))
        if known is None:
            known = self._costs[id(expr)] = expr, self._measured(expr)
        return known[1]

    def _measured(self, expr: c.Expr) -> int | None:
        match expr:
            # The test keeps the index of the table in range, so that the whole has a value although the lookup alone
            # may not.
            case c.Pick(test=c.Op(name="none", args=(at,)), yes=c.Const(), no=c.Lookup(index=index)) if at == index:
                cost = self._known_cost(at)
                return None if cost is None else cost + GUARDED
        if not self._is_total(expr):
            return None
        inside: list[int] = []
        for part in parts(expr):
            cost = self._known_cost(part)
            if cost is None:
                return None
            inside.append(cost)
        return self._cost(expr, inside)

    def _is_total(self, expr: c.Expr) -> bool:
        """Return whether the expression has a value in every state if its parts have."""
        match expr:
            case c.Call(args=args):
                return all(isinstance(arg, c.Const) for arg in args) and self._may_ask(expr)
            case c.Load():
                return self._failing.is_total(expr) and self._may_ask(expr)
            # To choose or to look up is quick, wherever the value is needed.
            case c.Lookup() | c.Pick():
                return False
        return self._failing.is_total(expr)

    def _before(self, body: c.Body, shared: list[c.Expr]) -> c.Body:
        """Return the body with each of the expressions assigned to a variable in front of it."""
        names = {expr: c.Var(self._new(), expr.type) for expr in shared}
        if not names:
            return body
        first = tuple(c.Set(var, expr) for expr, var in names.items())
        return (*first, *(with_variables(statement, names) for statement in body))


def merged(body: c.Body) -> c.Body:
    """Merge consecutive statements with the same test, as unrolled loops leave them."""
    rows: list[c.Statement | tuple[c.Expr, list[c.Statement]]] = []
    test: c.Expr | None = None  # of the previous statements
    row: list[c.Statement] = []
    for statement in body:
        # Unrolled loops have no `else`.
        if not isinstance(statement, c.If) or statement.otherwise:
            rows.append(statement)
            test = None
            continue
        if test is None or statement.test != test or _changes(row, test):
            test, row = statement.test, []
            rows.append((test, row))
        row += statement.then
    return tuple(
        c.If(each[0], merged(tuple(each[1]))) if isinstance(each, tuple) else _merged_inside(each) for each in rows
    )


def _merged_inside(statement: c.Statement) -> c.Statement:
    match statement:
        case c.If(then=then, otherwise=otherwise):
            return replace(statement, then=merged(then), otherwise=merged(otherwise))
        case c.Each(body=inner) | c.Loop(body=inner) | c.Attempt(body=inner):
            return replace(statement, body=merged(inner))
    return statement


def _changes(body: Sequence[c.Statement], test: c.Expr) -> bool:
    """Return whether a body, which changes no cell, may change the value of the test."""
    return not {*variables(test)}.isdisjoint(variables_set(body))
