"""Evaluation faults: the exceptions and messages for expressions that have no value.

The evaluator and the engines raise the same exceptions, so that equal faults have equal messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludex.grammar import Span

from .phrases import show
from .types import Value

if TYPE_CHECKING:
    from .. import model as m


class SpecFault(Exception):
    """A fault of the spec: the rules as written do not say what happens now, or what a value is.

    Attributes:
        message: what is wrong, in the author's words.
        path: the clause, where one is known.
        span: its place, or the place of the expression at fault.
    """

    def __init__(self, message: str, path: str | None, span: Span) -> None:
        self.message, self.path, self.span = message, path, span
        super().__init__(f"{span}: {path or '-'}: {message}")

    def __reduce__(self) -> tuple[type[SpecFault], tuple[Any, ...]]:
        return type(self), (self.message, self.path, self.span)


class Undefined(SpecFault):
    """An expression has no value here: the rules give it none. Who can do without the value catches this, and nothing
    wider: another fault, or a budget that is used up, says nothing of a value."""


def none_there(expr: m.Typed, path: str | None) -> Undefined:
    """A guard says that there is something, and it does not hold."""
    return Undefined("this is `none`, and a value is needed here", path, expr.span)


def not_seen(expr: m.Typed, path: str | None) -> Undefined:
    """The piece is one of several, and nobody knows which."""
    return Undefined("this piece is unknown: nobody has seen it", path, expr.span)


def divided_by_zero(expr: m.Arithmetic, path: str | None) -> Undefined:
    return Undefined("a number is divided by 0 here", path, expr.span)


def too_large(expr: m.Arithmetic, path: str | None) -> Undefined:
    return Undefined("this number is too large: it has more than 18 digits", path, expr.span)


def outside(expr: m.Checked, value: Value) -> Undefined:
    """The value is none of the type that is wanted."""
    most = getattr(expr.type, "most", None)
    if most is not None and value is not None and len(value) > most:
        return Undefined(f"this holds {len(value)}, and at most {most} fit here", expr.path, expr.span)
    found = "nothing" if value is None else show(expr.operand.type, value)
    return Undefined(f"this value is {found}, and only {expr.type} fits here", expr.path, expr.span)


def no_arm(expr: m.MatchExpr, value: Value, path: str | None) -> Undefined:
    found = show(expr.subject.type, value)
    return Undefined(f"no arm of this `match` takes {found}", path, expr.span)


def contradiction(expr: m.WithExceptions, one: str, other: str) -> Undefined:
    """Two exceptions hold and say different things; `one`, `other`: their clauses."""
    message = f"the exceptions {one} and {other} both hold here, and give different values"
    return Undefined(message, expr.path, expr.span)


class UnsaidFault(Undefined):
    """Nothing says what is asked for."""


def unsaid(expr: m.Unsaid, path: str | None) -> UnsaidFault:
    return UnsaidFault(f"no rule says what `{expr.name}` is", path, expr.span)


def nothing_to_rank(expr: m.AggregateExpr, path: str | None) -> Undefined:
    """`max` or `min` over nothing."""
    return Undefined(f"`{expr.kind}` of an empty collection has no value", path, expr.span)


def not_one(expr: m.PickExpr, found: int, path: str | None) -> Undefined:
    """`the` or `first` found none, or `the` several different ones."""
    how_many = "more than one" if found else "none"
    return Undefined(f"`{expr.kind}` needs exactly one {expr.loop.name} here, and there is {how_many}", path, expr.span)


def not_listed(expr: m.Builtin, item: Value, path: str | None) -> Undefined:
    """`place_in` of what is not in the list."""
    return Undefined(f"{show(expr.arguments[1].type, item)} is not in this list", path, expr.span)
