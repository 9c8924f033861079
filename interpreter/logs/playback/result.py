"""The result of a play that reached its end."""

from __future__ import annotations

from dataclasses import dataclass

from ...state.events import Outcome, Scores


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a play that reached its end."""

    scores: tuple[Scores, ...]
    outcome: Outcome
