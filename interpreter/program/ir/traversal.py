"""The walker of code: parts of statements and expressions, sizes, calls, and substitution of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, get_args

from . import code as c


def parts(expr: c.Expr) -> tuple[c.Expr, ...]:
    """Return the direct subexpressions of an expression."""
    kind = expr.__class__
    # Classes are compared by identity, the commonest first: lowering asks this of every node many times, and `match` is
    # slower.
    if kind is c.Op or kind is c.Call or kind is c.Serve:
        inside: tuple[c.Expr, ...] = expr.args  # type: ignore[union-attr]
        return inside
    if kind is c.Const or kind is c.Var:
        return ()
    match expr:
        case c.Load(index=index):
            return () if index is None else (index,)
        case c.Lookup(index=index):
            return (index,)
        case c.Pick(test=test, yes=yes, no=no):
            return test, yes, no
    return ()


def subexpressions(*exprs: c.Expr) -> Iterator[c.Expr]:
    """Yield expressions and everything inside them, in preorder."""
    waiting = [*reversed(exprs)]
    while waiting:
        yield (expr := waiting.pop())
        waiting += reversed(parts(expr))


def variables(*exprs: c.Expr) -> Iterator[c.Var]:
    """Yield the variables that expressions read."""
    return (part for part in subexpressions(*exprs) if isinstance(part, c.Var))


def loads(*exprs: c.Expr) -> Iterator[c.Load]:
    """Yield the reads of cells in expressions."""
    return (part for part in subexpressions(*exprs) if isinstance(part, c.Load))


def size(expr: c.Expr) -> int:
    """Count the parts of an expression, itself included."""
    count, waiting = 0, [expr]
    while waiting:
        count += 1
        waiting += parts(waiting.pop())
    return count


def occurrences(expr: c.Expr, var: c.Var) -> int:
    """Count the reads of a variable in an expression."""
    return sum(part == var for part in subexpressions(expr))


def replaced(expr: c.Expr, values: Mapping[c.Var, c.Expr]) -> c.Expr:
    """Substitute values for variables in an expression."""
    return values.get(expr, expr) if isinstance(expr, c.Var) else rebuilt(expr, lambda part: replaced(part, values))


def rebuilt(expr: c.Expr, of: Callable[[c.Expr], c.Expr]) -> c.Expr:
    """Rebuild an expression with its subexpressions mapped by a function."""
    # Constructors are called in place of `replace`, which takes five times as long: lowering rebuilds most of what it
    # makes.
    match expr:
        case c.Load(base=base, index=index, size=count, type=held):
            match None if index is None else of(index):
                case None:
                    return expr
                case c.Const(value=int() as at) if 0 <= at < count:
                    return c.Load(base + at, None, 1, held)
                case place:
                    return c.Load(base, place, count, held)
        case c.Lookup(table=table, index=index, type=gives):
            return c.Lookup(table, of(index), gives)
        case c.Op(name=name, args=args, type=gives, of=held):
            return c.Op(name, tuple(map(of, args)), gives, held)
        case c.Call(unit=unit, args=args, type=gives):
            return c.Call(unit, tuple(map(of, args)), gives)
        case c.Serve(name=name, args=args, at=at, type=gives):
            return c.Serve(name, tuple(map(of, args)), at, gives)
        case c.Pick(test=test, yes=yes, no=no, type=gives):
            return c.Pick(of(test), of(yes), of(no), gives)
    return expr


def with_variables(statement: c.Statement, variables_for: Mapping[c.Expr, c.Var]) -> c.Statement:
    """Replace the expressions of a statement by their variables."""

    def of(expr: c.Expr) -> c.Expr:
        name = variables_for.get(expr)
        return name if name is not None else rebuilt(expr, of)

    match statement:
        case c.Set(value=value) | c.Return(value=value):
            return replace(statement, value=of(value))
        case c.Append(item=item):
            return replace(statement, item=of(item))
        case c.If(test=test, then=then, otherwise=otherwise):
            inner = (
                tuple(with_variables(each, variables_for) for each in then),
                tuple(with_variables(each, variables_for) for each in otherwise),
            )
            return c.If(of(test), *inner)
        case c.Each(items=items, body=body):
            return replace(statement, items=of(items), body=tuple(with_variables(each, variables_for) for each in body))
        case c.Loop(body=body) | c.Attempt(body=body):
            return replace(statement, body=tuple(with_variables(each, variables_for) for each in body))
    return statement


def slots_in(stack: c.Stack, is_meant: Callable[[str, int], bool]) -> list[int]:
    """Return the cells of those slots of a stack's routines that are meant, by the routine's name and the slot."""
    return [
        place.base
        for frame in stack
        if isinstance(frame, c.Frame)
        for slot, place in frame.slots.items()
        if isinstance(place, c.Load) and slot and is_meant(frame.routine, slot)
    ]


def statements(body: Sequence[c.Statement]) -> list[c.Statement]:
    """Return all statements of a body, nested ones included, each before those inside it."""
    # Most bodies hold no others.
    if NESTING.isdisjoint(map(type, body)):
        return [*body]
    every = list[c.Statement]()
    # A stack takes the place of recursive generators, in which each level would pass on every statement below it.
    waiting = [iter(body)]
    while waiting:
        for statement in waiting[-1]:
            every.append(statement)
            if statement.__class__ in NESTING:
                waiting.append(iter(inner(statement)))
                break
        else:
            waiting.pop()
    return every


SETTING = c.Set, c.New, c.Append, c.Each
"""The statements that set a variable."""


def variables_set(body: Sequence[c.Statement]) -> Iterator[c.Var]:
    """Yield the variable of each statement of a body, nested ones included, that sets one."""
    return (each.var for each in statements(body) if isinstance(each, SETTING))


def inner(statement: c.Statement) -> c.Body:
    """Return the statements directly inside a statement."""
    if statement.__class__ is c.If:
        return statement.then + statement.otherwise
    return statement.body if statement.__class__ in NESTING else ()  # type: ignore[union-attr]


NESTING = frozenset({c.If, c.Each, c.Loop, c.Attempt})
"""The statements that hold statements."""


def expressions(statement: c.Statement) -> tuple[c.Expr, ...]:
    """Return the direct expressions of a statement."""
    match statement:
        case c.Set(value=value) | c.Return(value=value) | c.Append(item=value):
            return (value,)
        case c.Put(index=index, value=value):
            return (value,) if index is None else (index, value)
        case c.If(test=test):
            return (test,)
        case c.Each(items=items):
            return (items,)
        case c.Do(args=args):
            return args
    return ()


def each_expression(body: c.Body) -> Iterator[c.Expr]:
    """Yield the expressions of all statements of a body, nested ones included."""
    for statement in statements(body):
        yield from expressions(statement)


def each_part(body: c.Body) -> Iterator[c.Expr]:
    """Yield the expressions of a body with all their subexpressions."""
    return subexpressions(*each_expression(body))


_EXPRESSIONS = frozenset(get_args(c.Expr))


def code_parts(code: object) -> list[Any]:
    """Return a statement or expression, or several in a tuple, with all parts, in no particular order."""
    every, waiting = list[Any](), list[Any]((code,))
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting += here
        else:
            every.append(here)
            waiting += parts(here) if here.__class__ in _EXPRESSIONS else (*expressions(here), *inner(here))
    return every


def weight(body: c.Body) -> int:
    """Count the statements and parts of expressions of a body."""
    return sum(1 + sum(map(size, expressions(statement))) for statement in statements(body))


def called(expr: c.Expr) -> list[int]:
    """Return the units that an expression calls."""
    return [part.unit for part in subexpressions(expr) if isinstance(part, c.Call)]


def calls(body: c.Body) -> list[int]:
    """Return the units that a body calls."""
    return [unit for statement in statements(body) for expr in expressions(statement) for unit in called(expr)]


def reads(body: c.Body, var: c.Var) -> bool:
    """Return whether a body reads a variable."""
    return any(occurrences(expr, var) for expr in each_expression(body))


def alike(one: Any, other: Any, renaming: dict[int, int]) -> bool:
    """Return whether two bodies, or parts of them, do the same, whatever their variables and clauses are called.

    Unlike `==` it compares the places of faults, too: where one body replaces the other, a fault keeps its place.

    renaming: the variables of `other` by those of `one`; it is extended.
    """
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is c.Var:
        # Two variables of one body never become one of the other.
        if one.number not in renaming and other.number in renaming.values():
            return False
        return bool(renaming.setdefault(one.number, other.number) == other.number)
    if kind is tuple:
        return len(one) == len(other) and all(map(alike, one, other, repeat(renaming)))
    # Types, spans and values are compared as wholes: only nodes of code hold variables.
    if kind is c.Const or not hasattr(kind, "__slots__") or kind.__module__ != c.__name__:
        # `1 == True` in Python, but they are different values of the language.
        return bool(one == other) and (kind is not c.Const or type(one.value) is type(other.value))
    return all(alike(getattr(one, name), getattr(other, name), renaming) for name in kind.__slots__ if name != "path")
