"""Evaluation faults: the exceptions and messages for expressions that have no value.

The evaluator and the engines raise the same exceptions, so that equal faults have equal messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ludex.grammar import Message, Span

from .phrases import show
from .types import Value

if TYPE_CHECKING:
    from .. import model as m


class SpecFault(Exception):
    """A fault of the spec: the rules as written do not define what happens now, or what a value is.

    Attributes:
        path: the path of the clause, if it is known.
        span: the place of the clause, or of the expression at fault.
    """

    def __init__(self, message: str | Callable[[], str], path: str | None, span: Span) -> None:
        """message: the text, or a function that returns it, so that a fault that is caught does not read the
        catalogue."""
        super().__init__()
        self._message, self.path, self.span = message, path, span

    @property
    def message(self) -> str:
        """The description of the fault, in the author's words."""
        if not isinstance(self._message, str):
            self._message = self._message()
        return self._message

    def __str__(self) -> str:
        return f"{self.span}: {self.path or '-'}: {self.message}"

    def __reduce__(self) -> tuple[type[SpecFault], tuple[Any, ...]]:
        return type(self), (self.message, self.path, self.span)


class NoValue(SpecFault):
    """Raised if an expression has no value in this state.

    It unwinds an evaluation, so that no operator tests its operands. A caller that can continue without the value asks
    for an outcome, which may be `Undefined`. An exceeded budget does not mean that there is no value."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """The outcome of an expression that has no value. fault: what was missing, and where."""

    fault: NoValue


def none_there(expr: m.Typed, path: str | None) -> NoValue:
    """Return the fault of an expression that is `none` where a value is needed."""
    return NoValue(Message("fault-none"), path, expr.span)


def not_seen(expr: m.Typed, path: str | None) -> NoValue:
    """Return the fault of a read of a piece that nobody has seen."""
    return NoValue(Message("fault-unseen"), path, expr.span)


def divided_by_zero(expr: m.Arithmetic, path: str | None) -> NoValue:
    """Return the fault of `div` or `mod` by 0."""
    return NoValue(Message("fault-zero"), path, expr.span)


def too_large(expr: m.Arithmetic, path: str | None) -> NoValue:
    """Return the fault of an arithmetic overflow."""
    return NoValue(Message("fault-too-large", digits=18), path, expr.span)


def outside(expr: m.Checked, value: Value) -> NoValue:
    """Return the fault of a value that is not in the required type."""
    most = getattr(expr.type, "most", None)
    if most is not None and value is not None and len(value) > most:
        return NoValue(Message("fault-too-many", count=len(value), most=most), expr.path, expr.span)
    shown = Message("fault-nothing") if value is None else show(expr.operand.type, value)
    return NoValue(Message("fault-outside", value=shown, type=str(expr.type)), expr.path, expr.span)


def no_arm(expr: m.MatchExpr, value: Value, path: str | None) -> NoValue:
    """Return the fault of a `match` without an arm for the value of its subject."""
    shown = show(expr.subject.type, value)
    return NoValue(Message("fault-no-arm", value=shown), path, expr.span)


def contradiction(expr: m.WithExceptions, one: str, other: str) -> NoValue:
    """Return the fault of two exceptions that hold with different values. one, other: the paths of their clauses."""
    message = Message("fault-contradiction", one=one, other=other)
    return NoValue(message, expr.path, expr.span)


def nothing_to_rank(expr: m.AggregateExpr, path: str | None) -> NoValue:
    """Return the fault of `max` or `min` of an empty collection."""
    return NoValue(Message("fault-nothing-to-rank", word=expr.kind), path, expr.span)


def not_one(expr: m.PickExpr, count: int, path: str | None) -> NoValue:
    """Return the fault of `the` or `first` without a match, or of `the` with several. count: the number of matches."""
    several = "yes" if count else "no"
    message = partial(Message, "fault-not-one", word=expr.kind, name=expr.loop.name, several=several)
    return NoValue(message, path, expr.span)


def not_listed(expr: m.Builtin, item: Value, path: str | None) -> NoValue:
    """Return the fault of `place_in` for an item that is not in the list."""
    return NoValue(Message("fault-not-listed", item=show(expr.arguments[1].type, item)), path, expr.span)
