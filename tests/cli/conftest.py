"""Fixtures: every command runs from the project's root, in a terminal of fixed width, with a clean environment."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch, games_are_shared: None) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "FORCE_COLOR", "LUDEX_DEBUG", "TERM"):
        monkeypatch.delenv(name, raising=False)
