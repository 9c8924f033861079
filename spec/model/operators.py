"""Operators of numbers and comparisons: one table for the checker, the evaluator and the engines."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from . import nodes as m

ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
"""The operators of whole numbers: `div` and `mod` round down; a caller has excluded a division by 0."""

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

MIRRORED: Mapping[m.ComparisonOperator, m.ComparisonOperator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip
"""The operator of a comparison when its operands are swapped."""

LARGEST_NUMBER = 10**18
"""Limit of a product, of either sign: a larger one is a fault, so numbers fit into 64 bits."""
