"""A game that parts two readings, as it is told: its log, and what happens at its end under each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Answer = Literal["allows", "refuses", "goes on", "stops"]


@dataclass(frozen=True, slots=True)
class Side:
    """What happens under one reading where a witness parts the two.

    Attributes:
        answer: what is said of the last event; of a log that both have whole, whether play goes on (or is over), or the
            rules stop: they do not say what happens.
        clause: the path of the clause that refuses, or of the one where the rules stop.
        scores: every seat's points, where the play is over.
    """

    answer: Answer
    clause: str = ""
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that was replayed under both readings, and parts them.

    Attributes:
        players: how many played.
        lines: the log, header first; the last is the event on which the two disagree, if they disagree on one.
        at_end: they disagree on no event, but on points or the winner.
        left, right: what happens there.
    """

    players: int
    lines: tuple[Mapping[str, Any], ...]
    at_end: bool
    left: Side
    right: Side
