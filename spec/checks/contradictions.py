"""Check for contradictory requirements of one move, such as `coins < 3` and `coins > 5`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import model as m
from ..elaborate import ExpressionKey, expression_key
from ..model.operators import LARGEST_NUMBER, MIRRORED
from ..values.types import Range

Interval = tuple[int, int]


def find_contradiction(requirements: Sequence[m.Requirement]) -> tuple[m.Requirement, m.Requirement] | None:
    """Return an earlier and a later requirement that cannot hold together; None if none were found.

    The check is incomplete: it intersects intervals from comparisons with constants, in requirements without
    exceptions. requirements: those of one move, in order."""
    numbers: dict[ExpressionKey, tuple[Interval, m.Requirement]] = {}
    values: dict[ExpressionKey, tuple[object, m.Requirement]] = {}
    for requirement in requirements:
        for key, operator, constant in _comparisons(requirement):
            if isinstance(constant.type, Range):
                low, high = _bounds(operator, constant.value)
                (known_low, known_high), earlier = numbers.get(key, ((low, high), requirement))
                low, high = max(low, known_low), min(high, known_high)
                if low > high and earlier is not requirement:
                    return earlier, requirement
                numbers[key] = (low, high), requirement
            elif operator == "=":
                value, earlier = values.setdefault(key, (constant.value, requirement))
                if value != constant.value and earlier is not requirement:
                    return earlier, requirement
    return None


def _comparisons(requirement: m.Requirement) -> Iterator[tuple[ExpressionKey, m.ComparisonOperator, m.Constant]]:
    if requirement.waivers:
        return
    for part in _conjuncts(requirement.condition):
        if isinstance(part, m.Comparison) and part.operator != "!=":
            for one, other, mirrored in ((part.left, part.right, False), (part.right, part.left, True)):
                key = expression_key(one)
                if key is not None and isinstance(other, m.Constant) and not isinstance(one, m.Constant):
                    yield key, MIRRORED[part.operator] if mirrored else part.operator, other


def _conjuncts(node: m.Expr) -> Iterator[m.Expr]:
    if isinstance(node, m.Logic) and node.operator == "and":
        yield from (*_conjuncts(node.left), *_conjuncts(node.right))
    else:
        yield node


def _bounds(operator: m.ComparisonOperator, number: int) -> Interval:
    far = LARGEST_NUMBER + 1
    match operator:
        case "<":
            return -far, number - 1
        case "<=":
            return -far, number
        case ">":
            return number + 1, far
        case ">=":
            return number, far
        case _:
            return number, number
