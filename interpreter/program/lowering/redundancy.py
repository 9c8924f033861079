"""Working things out once: before a loop what does not change in it, first what a unit asks several times.

Only what has a value in every position, and costs more than keeping it, is moved; a unit changes no cell, so that the
value is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from ludex.spec import types as t

from ..ir import code as c
from ..ir.traversal import expressions, occurrences, parts, rebuilt, statements

WORTH = 5
"""What costs fewer parts than this is worked out again."""
GUARDED = 4
"""What it costs to look something up where it is there."""

Cost = Callable[[c.Expr, list[int]], int]
Asked = Callable[[c.Expr], bool]


class RedundancyElimination:
    """Rewrites the body of one unit. cost: of an expression, given the costs of its parts; may_ask: whether a cell, or
    what a unit returns, may be asked for wherever the unit is called. new: makes a variable."""

    def __init__(self, cost: Cost, may_ask: Asked, new: Callable[[], int]) -> None:
        self._cost, self._may_ask, self._new = cost, may_ask, new
        self._costs: dict[int, tuple[c.Expr, int | None]] = {}

    def unit(self, body: c.Body) -> c.Body:
        """The body, with what it asks several times worked out once."""
        body = self._loops(merged(body))
        counts = Counter(
            part for statement in statements(body) for expr in expressions(statement) for part in self._kept(expr)
        )
        again = {expr for expr, count in counts.items() if count > 1}
        outermost = Counter(
            part for statement in statements(body) for expr in expressions(statement) for part in _first_of(expr, again)
        )
        return self._before(body, [expr for expr, count in outermost.items() if count > 1])

    def _kept(self, expr: c.Expr) -> Iterator[c.Expr]:
        """All parts of an expression that are worth keeping and hang on no variable."""
        if self._is_kept(expr):
            yield expr
        for part in parts(expr):
            yield from self._kept(part)

    def _loops(self, body: c.Body) -> c.Body:
        """What does not change in a loop goes before it, the innermost first."""
        found: list[c.Statement] = []
        for statement in body:
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    found.append(replace(statement, then=self._loops(then), otherwise=self._loops(otherwise)))
                case c.Attempt(body=inner) | c.Doubt(body=inner):
                    found.append(replace(statement, body=self._loops(inner)))
                case c.Each(body=inner):
                    inner = self._loops(inner)
                    found += self._before((replace(statement, body=inner),), self._closed(inner))
                case _:
                    found.append(statement)
        return tuple(found)

    def _closed(self, body: c.Body) -> list[c.Expr]:
        """The largest expressions of a body that are worth keeping and hang on no variable."""
        found: list[c.Expr] = []
        for statement in statements(body):
            for expr in expressions(statement):
                found += self._largest(expr)
        return found

    def _largest(self, expr: c.Expr) -> Iterator[c.Expr]:
        if self._is_kept(expr):
            yield expr
        else:
            for part in parts(expr):
                yield from self._largest(part)

    def _is_kept(self, expr: c.Expr) -> bool:
        cost = self._known_cost(expr)
        return cost is not None and cost >= WORTH and not isinstance(expr, c.Const | c.Var | c.Load)

    def _known_cost(self, expr: c.Expr) -> int | None:
        """What the expression costs; None if it hangs on a variable, or may have no value where nothing guards it."""
        found = self._costs.get(id(expr))
        if found is None:
            found = self._costs[id(expr)] = expr, self._measured(expr)
        return found[1]

    def _measured(self, expr: c.Expr) -> int | None:
        match expr:
            case c.Pick(test=c.Op(name="none", args=(at,)), yes=c.Const(), no=c.Lookup(index=index)) if at == index:
                cost = self._known_cost(at)
                return None if cost is None else cost + GUARDED
        inside = [cost for cost in map(self._known_cost, parts(expr)) if cost is not None]
        if len(inside) < len(parts(expr)) or not self._is_total(expr):
            return None
        return self._cost(expr, inside)

    def _is_total(self, expr: c.Expr) -> bool:
        """Whether the expression has a value in every position if its parts have."""
        match expr:
            case c.Const():
                return True
            case c.Load(index=index):
                return index is None and self._may_ask(expr)
            case c.Call(args=args):
                return all(isinstance(arg, c.Const) for arg in args) and self._may_ask(expr)
            case c.Op(name=name, args=args) if name in TOTAL:
                return name in OF_NONE or not any(isinstance(arg.type, t.Optional | t.Never) for arg in args)
        return False

    def _before(self, body: c.Body, shared: list[c.Expr]) -> c.Body:
        """The body, with each of the expressions worked out before it."""
        names = {expr: c.Var(self._new(), expr.type) for expr in shared}
        if not names:
            return body
        first = tuple(c.Set(var, expr) for expr, var in names.items())
        return (*first, *(_renamed(statement, names) for statement in body))


def merged(body: c.Body) -> c.Body:
    """The body, in which a test that stands several times in a row, as unrolled loops leave it, stands once."""
    rows: list[c.Statement | tuple[c.Expr, list[c.Statement]]] = []
    test: c.Expr | None = None  # of the row that goes on
    row: list[c.Statement] = []
    for statement in body:
        if not isinstance(statement, c.If) or statement.otherwise:
            rows.append(statement)
            test = None
            continue
        if test is None or statement.test != test:
            row = []
            rows.append((statement.test, row))
        row += statement.then
        test = None if _changes(statement.then, statement.test) else statement.test
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


def _changes(body: c.Body, test: c.Expr) -> bool:
    """Whether a body, which changes no cell, may give another value to what is tested."""
    return any(
        isinstance(each, c.Set | c.New | c.Append | c.Each) and occurrences(test, each.var) for each in statements(body)
    )


def _first_of(expr: c.Expr, sought: set[c.Expr]) -> Iterator[c.Expr]:
    """The sought parts of an expression that lie in no other."""
    if expr in sought:
        yield expr
    else:
        for part in parts(expr):
            yield from _first_of(part, sought)


TOTAL = frozenset(("add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "none", "some")) | {
    "sum", "int", "min", "max", "size", "is_empty", "between",
}  # fmt: skip
"""Operations that have a value for all values of their types but none."""
OF_NONE = frozenset({"eq", "ne", "none", "some"})
"""Those that have one for none, too."""


def _renamed(statement: c.Statement, names: dict[c.Expr, c.Var]) -> c.Statement:
    """The statement with names for what is kept."""

    def of(expr: c.Expr) -> c.Expr:
        found = names.get(expr)
        return found if found is not None else rebuilt(expr, of)

    match statement:
        case c.Set(value=value) | c.Return(value=value):
            return replace(statement, value=of(value))
        case c.Append(item=item):
            return replace(statement, item=of(item))
        case c.If(test=test, then=then, otherwise=otherwise):
            inner = tuple(_renamed(each, names) for each in then), tuple(_renamed(each, names) for each in otherwise)
            return c.If(of(test), *inner)
        case c.Each(items=items, body=body):
            return replace(statement, items=of(items), body=tuple(_renamed(each, names) for each in body))
        case c.Doubt(body=body, otherwise=otherwise):
            inner = tuple(_renamed(each, names) for each in body), tuple(_renamed(each, names) for each in otherwise)
            return c.Doubt(*inner)
        case c.Loop(body=body) | c.Attempt(body=body):
            return replace(statement, body=tuple(_renamed(each, names) for each in body))
    return statement
