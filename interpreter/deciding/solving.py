"""The solver z3, where it is installed."""

from __future__ import annotations

from importlib.util import find_spec


def has_solver() -> bool:
    """Whether z3 can be asked."""
    return find_spec("z3") is not None
