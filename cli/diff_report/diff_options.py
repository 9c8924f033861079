"""The options of `ludex diff`, as its command reads them and its report takes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludex.spec import Budget


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """The options of a run."""

    everything: bool
    form: str
    out: Path | None
    sources: Path | None
    seed: int
    events: int
    seconds: float
    jobs: int
    play: bool
    fresh: bool
    check: bool
    rulings: Path | None
    language: str
    clauses: tuple[str, ...]
    details: bool
    budget: Budget
