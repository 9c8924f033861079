"""Optimistic units: a unit without its attempts, whose results hold unless something fails.

An `Attempt` leaves undecided what fails because it has no value, which hardly ever happens. Without attempts, more is
known: the variables that say whether they succeeded are constants. If something does fail, the unit is evaluated as it
is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import replace

from ...ir import code as c
from ...ir import three_valued
from ...ir.operations import folded
from ...ir.traversal import each_expression, expressions, occurrences, parts, statements, variables, variables_set

_UNKNOWN = frozenset({*three_valued.OPERATIONS, *three_valued.OF_TYPE, "look"})


def optimistic(body: c.Body) -> c.Body | None:
    """Return the body without attempts, or None if it has none, or if it may often read unknown values."""
    # Attempts that read unknown values fail often, and each failure evaluates the unit a second time.
    if not any(isinstance(each, c.Attempt) for each in statements(body)) or any(
        map(_is_unknown, each_expression(body))
    ):
        return None
    decided = _decided(body)
    sets = [each for each in statements(decided) if isinstance(each, c.Set)]
    # With the default for a failure gone, the variable that says whether an attempt succeeded is set once.
    often = Counter(each.var for each in sets)
    known = {each.var: each.value for each in sets if often[each.var] == 1 and isinstance(each.value, c.Const)}
    return _tested_once(simplified(decided, known), frozenset())


def _is_unknown(expr: c.Expr) -> bool:
    return (isinstance(expr, c.Op) and expr.name in _UNKNOWN) or any(map(_is_unknown, parts(expr)))


def _decided(body: c.Body) -> c.Body:
    """Replace attempts by what they attempt."""
    decided: list[c.Statement] = []
    for statement in body:
        match statement:
            case c.Attempt(body=inner):
                inner = _decided(inner)
                given = {each.var for each in inner if isinstance(each, c.Set)}
                # If the attempt succeeds, as is assumed here, nobody reads the values set for its failure.
                while decided and _is_default(decided[-1], given, inner):
                    decided.pop()
                decided += inner
            case c.If(then=then, otherwise=otherwise):
                decided.append(c.If(statement.test, _decided(then), _decided(otherwise)))
            case c.Each(body=inner) | c.Loop(body=inner):
                decided.append(replace(statement, body=_decided(inner)))
            case _:
                decided.append(statement)
    return tuple(decided)


def _is_default(statement: c.Statement, given: Set[c.Var], body: c.Body) -> bool:
    """Return whether a statement sets only what counts if the attempt of a body, which gives values, fails."""
    match statement:
        case c.Set(var=var, value=c.Const()):
            return var in given and not any(occurrences(expr, var) for each in body for expr in expressions(each))
    return False


def _tested_once(body: c.Body, held: Set[c.Expr]) -> c.Body:
    """Leave out the tests that hold, as an attempt has made them before: after its success they are made again."""
    result: list[c.Statement] = []
    for before, statement in zip((None, *body), body, strict=False):
        match statement:
            case c.If(test=test, then=then) if test in held:
                result += _tested_once(then, held)
            case c.If(test=test, then=then, otherwise=otherwise):
                match before:
                    case c.Set(var=var, value=value) if var == test and not _changes(then, value):
                        then = _tested_once(then, held | {value})
                    case _:
                        then = _tested_once(then, held)
                result.append(c.If(test, then, _tested_once(otherwise, held)))
            case c.Each(body=inner) | c.Loop(body=inner):
                result.append(replace(statement, body=_tested_once(inner, held)))
            case _:
                result.append(statement)
    return tuple(result)


def _changes(body: c.Body, expr: c.Expr) -> bool:
    """Return whether a body gives a value to a variable of an expression."""
    return not {*variables(expr)}.isdisjoint(variables_set(body))


def simplified(body: c.Body, known: Mapping[c.Var, c.Expr]) -> c.Body:
    """Substitute the known values of variables."""

    def of(expr: c.Expr) -> c.Expr:
        return known.get(expr, expr) if isinstance(expr, c.Var) else folded(expr, of)

    result: list[c.Statement] = []
    for statement in body:
        match statement:
            case c.Set(var=var, value=value):
                result += [] if var in known else [c.Set(var, of(value))]
            case c.If(test=test, then=then, otherwise=otherwise):
                match of(test):
                    case c.Const(value=holds):
                        result += simplified(then if holds else otherwise, known)
                    case test:
                        result.append(c.If(test, simplified(then, known), simplified(otherwise, known)))
            case c.Each(items=items, body=inner):
                result.append(replace(statement, items=of(items), body=simplified(inner, known)))
            case c.Loop(body=inner):
                result.append(replace(statement, body=simplified(inner, known)))
            case c.Append(var=var, item=item):
                result.append(c.Append(var, of(item)))
            case c.Return(value=value):
                result.append(c.Return(of(value)))
            case _:
                result.append(statement)
    return tuple(result)
