"""The number of cases that a Hypothesis test draws."""

from __future__ import annotations

from hypothesis import settings

AT_LEAST = 12


def cases(many: int) -> settings:
    """Return settings for `many` cases with `--long`, and otherwise for 4 in a hundred of them, at least 12. Each run
    draws different cases.
    """
    return settings(max_examples=max(min(many, AT_LEAST), many * settings().max_examples // 1000))
