"""Size bounds: how many items an expression's value can hold, given the capacities of the collections it uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from .. import model as m
from ..model import Holder
from ..values.types import SetOf, Type, Value, element_type, size, strip_optional
from .bounds import most_items

SizeOf: TypeAlias = Callable[[Holder], int]


def most_of(node: m.Expr, level: int, frame: str, of: SizeOf) -> int:
    """Return an upper bound for the size of a value, or of the values at a level inside it.

    level: 0 for the value, 1 for its items, and so on. frame: the routine whose local names it uses. of: returns the
    size of a holder."""

    def again(part: m.Expr, at: int = level) -> int:
        return most_of(part, at, frame, of)

    domain = _finite(node.type, level)
    match node:
        case m.SetExpr(items=items):
            return len(items) if level == 0 else max((again(item, level - 1) for item in items), default=0)
        # A set has no more items than its domain, however often something is added to it: this breaks most circles.
        case _ if domain is not None and not isinstance(node, m.Constant):
            return domain
        case m.Local(slot=slot):
            return of((frame, slot, level))
        case m.Read(element=element):
            return of((element.name, None, level))
        case m.CallDefine(name=name):
            return of((name, None, level))
        case m.Checked(operand=operand, type=type_):
            most = getattr(strip_optional(type_), "most", None)
            return most if most is not None and level == 0 else again(operand)
        case m.Combine(operator=operator, left=left, right=right):
            # A difference takes away only.
            if operator == "-":
                return again(left)
            return again(left) + again(right) if level == 0 else max(again(left), again(right))
        case m.AggregateExpr(kind="set" | "bag" | "list", value=value, loops=loops):
            if level:
                return again(value, level - 1)
            times = 1
            for loop in loops:
                times *= again(loop.domain, 0)
            return times
        case m.PickExpr(loop=loop, otherwise=otherwise):
            return max(again(loop.domain, level + 1), 0 if otherwise is None else again(otherwise))
        case m.IfExpr(then=then, otherwise=otherwise):
            return max(again(then), again(otherwise))
        case m.MatchExpr(cases=cases):
            return max((again(case.body) for case in cases), default=0)
        case m.LetExpr(body=body):
            return again(body)
        case m.WithExceptions(body=body, exceptions=exceptions):
            return max(again(body), *(again(each.value) for each in exceptions))
        case m.Builtin(name="reversed", arguments=(operand,)):
            return again(operand)
        case _:
            return _leaf(node, level)


def _leaf(node: m.Expr, level: int) -> int:
    """Return the bound for an expression that uses no other collection."""
    match node:
        case m.Constant(value=value):
            return _length(value, level)
        case m.TableField(table=table):
            return max((_length(value, level) for value in table), default=0)
        case _:
            return most_items(node)


def _finite(type_: Type, level: int) -> int | None:
    """Return the size of a set's domain at a depth of the type, or None if it gives no bound."""
    inner: Type | None = strip_optional(type_)
    for _ in range(level):
        inner = None if inner is None else element_type(inner)
        inner = None if inner is None else strip_optional(inner)
    return size(inner.of) if isinstance(inner, SetOf) else None


def _length(value: Value, level: int) -> int:
    if not isinstance(value, tuple | frozenset):
        return 0
    return len(value) if level == 0 else max((_length(item, level - 1) for item in value), default=0)
