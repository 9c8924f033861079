"""Arithmetic operators: one table for the evaluator and the engines."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
"""Whole numbers only; `div` and `mod` round down, and nothing is divided by 0."""

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

LARGEST_NUMBER = 10**18
"""Limit of a product, of either sign; a larger one is a fault. So numbers fit into 64 bits."""
