"""Interval analysis of numbers and counts (interval arithmetic), and descriptions of types for messages."""

from __future__ import annotations

from .. import model as m
from ..values import types as t

UNBOUNDED = 1_000_000
"""The bound of a count that has none before play, such as the length of a list; no written number is larger."""
FAR = 2**62
"""The bound of a result that has none before play. It is so large that engines test arithmetic on it for overflow."""


def a(type_: t.Type) -> str:
    """Describe a type for a message, with its article."""
    match type_:
        case t.Range(low=low, high=high, name=name):
            if name:
                return f"a {name}"
            return f"the number {low}" if low == high else "a number"
        case t.Bool():
            return "true or false"
        case t.Optional(of=t.Never()):
            return "`none`"
        case t.Optional(of=of):
            return f"{a(of)} or `none`"
        case t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
            kind = type(type_).__name__.removesuffix("Of").lower()
            return f"a {kind}" if isinstance(of, t.Never) else f"a {kind} of {of}"
        # Types are written with a capital; one without is the type of a fork's readings.
        case t.Words(name=name) if name[:1].islower():
            return f"a reading of `{name}`"
        case _:
            text = str(type_)
            return f"{'an' if text[:1] in 'AEIOU' else 'a'} {text}"


def describe_range(range_: t.Range) -> str:
    """Describe a range for a message."""
    if range_.low == range_.high:
        return str(range_.low)
    low = "" if range_.low == -FAR else f" from {range_.low}"
    high = "" if range_.high == FAR else f" to {range_.high}"
    return f"a number{low}{high}" if high or not low else f"a number{low} on"


def limits(range_: t.Range) -> str:
    """Say in a message what is known of a number in a range that is bounded on one side at least."""
    if range_.high == FAR:
        return f"is {range_.low} or more"
    return f"is {range_.high} or less" if range_.low == -FAR else f"lies in {range_.low}..{range_.high}"


def astray(have: t.Type, want: t.Range) -> str:
    """Return the message for a number that is never in the wanted range."""
    plain = have.of if isinstance(have, t.Optional) else have
    assert isinstance(plain, t.Range)
    # A bound that stands for "none" would mean nothing to an author.
    if max(-want.low, want.high) < UNBOUNDED:
        return f"{describe_range(plain)} is never in {want.low}..{want.high}"
    if plain.high < want.low:
        return f"{describe_range(plain)} is less than {want.low}, the least that is allowed here"
    return f"{describe_range(plain)} is greater than {want.high}, the most that is allowed here"


def apart(have: t.Type, want: t.Range) -> bool:
    """Return whether the ranges of two types are disjoint."""
    plain = have.of if isinstance(have, t.Optional) else have
    return isinstance(plain, t.Range) and (plain.high < want.low or plain.low > want.high)


def decided(operator: m.ComparisonOperator, range_: t.Range, number: int) -> bool | None:
    """Return the result of a comparison of any number in a range with a constant; None if it depends on play.

    A restated bound, as in `coins <= 20` for a range up to 20, counts as undecided, since it does no harm."""
    low, high = range_.low, range_.high
    # Each pair says whether the comparison never holds, and whether it always holds; the checker reports both.
    never, beyond = {
        "=": (not low <= number <= high, False),
        "!=": (False, not low <= number <= high),
        "<": (low >= number, number > high + 1),
        "<=": (low > number, number > high),
        ">": (high <= number, number < low - 1),
        ">=": (high < number, number < low),
    }[operator]
    return False if never else True if beyond else None


def inside(inner: t.Range, outer: t.Range) -> bool:
    """Return whether a range is part of another."""
    return outer.low <= inner.low and inner.high <= outer.high


def certainly(have: t.Type, want: t.Type) -> bool:
    """Return whether the first type is a subtype of the second, ranges included."""
    if isinstance(have, t.Range) and isinstance(want, t.Range):
        return inside(have, want)
    return t.fits(have, want)


def arithmetic_range(operator: str, left: t.Range, right: t.Range) -> t.Range:
    """Return the range of a result by interval arithmetic, clipped at +-FAR. `div` and `mod` round down."""
    corners: list[int]
    match operator:
        case "+":
            corners = [left.low + right.low, left.high + right.high]
        case "-":
            corners = [left.low - right.high, left.high - right.low]
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        case "div":
            # A quotient is extreme at an end of the divisor's range, or next to 0, which is not a divisor.
            divisors = {d for d in (right.low, right.high, 1, -1) if d and right.low <= d <= right.high} or {1}
            corners = [a // d for a in (left.low, left.high) for d in divisors]
        case _:
            corners = [min(0, right.low + 1), max(0, right.high - 1)]
            # The dividend is less than every divisor: `mod` leaves it as it is.
            if left.low >= 0 and left.high < right.low:
                corners = [left.low, left.high]
    # The bound is clipped, or nested products would make numbers of any length before play.
    return clipped(min(corners), max(corners))


def clipped(low: int, high: int) -> t.Range:
    """Return a range whose ends are cut to +-FAR."""
    return t.Range(max(-FAR, min(low, FAR)), max(-FAR, min(high, FAR)))


def most_items(node: m.Expr) -> int:
    """Return an upper bound for the size of a collection."""
    match node:
        case m.Constant(value=value):
            return len(value)
        case m.Read(element=element) if (most := _declared(element)) is not None:
            return most
        case m.Builtin(name="clockwise", type=t.ListOf(of=t.PlayerType(count=count))):
            return count
        case m.Builtin(name="reversed", arguments=(operand,)):
            return most_items(operand)
        # The number of players or cards is not a bound of a list or a bag, which may hold one of them several times.
        case _:
            domain = t.size(node.type.of) if isinstance(node.type, t.SetOf) else None
            return UNBOUNDED if domain is None else domain


def _declared(element: m.Element) -> int | None:
    return element.most if element.is_zone else getattr(t.strip_optional(element.type), "most", None)


def times_of(loops: tuple[m.Loop, ...]) -> int:
    """Return an upper bound for the number of iterations."""
    times = 1
    for loop in loops:
        times = min(times * most_items(loop.domain), UNBOUNDED) if t.element_type(loop.domain.type) else UNBOUNDED
    return times


def never_empty(loop: m.Loop) -> bool:
    """Return whether a loop certainly has an iteration."""
    match loop.domain:
        case m.AllValues(of=of):
            return bool(t.size(of))
        case m.Constant(value=value):
            return bool(value)
        case m.IntervalExpr(low=low, high=high):
            return isinstance(low.type, t.Range) and isinstance(high.type, t.Range) and low.type.high <= high.type.low
        case m.SetExpr(items=items):
            return bool(items)
        case m.Builtin(name="clockwise"):
            return True
        case _:
            return False
