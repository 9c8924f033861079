"""Data of a witness for a report: its log, and what happens at its end under each reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Response = Literal["allows", "refuses", "goes on", "stops"]


@dataclass(frozen=True, slots=True)
class Side:
    """Behaviour of one reading at the end of a witness.

    Attributes:
        answer: what the reading says of the last event; if both accept the whole log, whether play continues, is
            over, or the rules are silent.
        clause: the path of the clause that refuses, or of the one where the rules are silent.
        scores: every seat's points, if the play is over.
    """

    answer: Response
    clause: str = ""
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShownWitness:
    """A witness that was replayed under both readings.

    Attributes:
        players: number of players.
        lines: the log, header first; the last is the event on which the two disagree, if they disagree on one.
        at_end: they disagree on no event, but on points or the winner.
        left, right: what happens there.
    """

    players: int
    lines: tuple[Mapping[str, Any], ...]
    at_end: bool
    left: Side
    right: Side
