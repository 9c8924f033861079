"""How many cases a test of Hypothesis draws."""

from __future__ import annotations

from hypothesis import settings

AT_LEAST = 20


def cases(many: int) -> settings:
    """Settings for a test that draws so many cases with `--long`, and a tenth of them else: each run draws others."""
    return settings(max_examples=max(min(many, AT_LEAST), many * settings().max_examples // 1000))
