"""Working things out once: before a loop what does not change in it, first what a unit asks several times.

Only what has a value in every position, and costs more than keeping it, is moved; a unit changes no cell, so that the
value is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from ludex.spec import types as t

from . import code as c
from .trees import expressions, parts, rebuilt, statements

WORTH = 5
"""What costs fewer parts than this is worked out again."""

Cost = Callable[[c.Expr], int]
Fails = Callable[[c.Expr], bool]


class Sharing:
    """Rewrites the body of one unit. cost: of an expression, with what it calls; fails: whether it may have no value.
    new: makes a variable."""

    def __init__(self, cost: Cost, fails: Fails, new: Callable[[], int]) -> None:
        self._cost, self._fails, self._new = cost, fails, new

    def unit(self, body: c.Body) -> c.Body:
        """The body, with what it asks several times worked out once."""
        body = self._loops(body)
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
        if isinstance(expr, c.Const | c.Var | c.Load) or not _is_total(expr):
            return False
        return self._cost(expr) >= WORTH and not self._fails(expr)

    def _before(self, body: c.Body, shared: list[c.Expr]) -> c.Body:
        """The body, with each of the expressions worked out before it."""
        names = {expr: c.Var(self._new(), expr.type) for expr in shared}
        if not names:
            return body
        first = tuple(c.Set(var, expr) for expr, var in names.items())
        return (*first, *(_renamed(statement, names) for statement in body))


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


def _is_total(expr: c.Expr) -> bool:
    """Whether the expression hangs on no variable and has a value in every position, whatever guards it."""
    match expr:
        case c.Const():
            return True
        case c.Load(index=index):
            return index is None
        case c.Call(args=args):
            return all(isinstance(arg, c.Const) for arg in args)
        case c.Pick(test=c.Op(name="none", args=(index,)), yes=c.Const(), no=c.Lookup(index=other)) if index == other:
            return _is_total(index)
        case c.Op(name=name, args=args) if name in TOTAL:
            there = name in OF_NONE or not any(isinstance(arg.type, t.Optional | t.Never) for arg in args)
            return there and all(map(_is_total, args))
    return False


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
