"""A game that parts two readings, as it is told: its log, and what happens at its end under each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Side:
    """What happens under one reading where a witness parts the two.

    Attributes:
        edition: the text whose reading it is.
        allowed: whether it allows the event; None where both go on, and what they come to differs.
        clauses: the paths of the clauses that say so, with their citations as `document first-last`.
        told: in a sentence.
        scores: every seat's points, where the play is over.
        where: the game it was played in, where that is no edition as it stands: `en without study.pay`.
    """

    edition: str
    allowed: bool | None
    clauses: tuple[tuple[str, tuple[str, ...]], ...]
    told: str
    scores: tuple[int, ...] | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class CellApart:
    """One thing on the table that is not the same on both sides.

    Attributes:
        name: of the state or zone.
        at: its indices in words (`Anna, 3`), empty if it has none.
        left, right: what it holds, as JSON.
    """

    name: str
    at: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Apart:
    """In what the tables of both sides differ when so many events have been played."""

    after: int
    cells: tuple[CellApart, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that was replayed under both readings, and parts them.

    Attributes:
        players: how many played.
        lines: the log, header first; the last is the event on which the two disagree, if they disagree on one.
        line: the number of that line, from 1; behind the last where what they come to differs.
        left, right: what happens there.
        apart: where the tables differ before that, near the end; nothing where they are the same.
    """

    players: int
    lines: tuple[Mapping[str, Any], ...]
    line: int
    left: Side
    right: Side
    apart: tuple[Apart, ...] = ()
