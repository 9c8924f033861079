"""What came of playing a row, and how far was looked: all that a report needs, and that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .shown_witness import Shown

Parting = Literal["legal-moves", "score", "setup"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search may go. events: played in each of the two games; seconds: only as a stop."""

    events: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search looked at. timed_out: the clock stopped it."""

    plays: int = 0
    events: int = 0
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """Attributes:
    alike: every play was gone through, and nothing differs.
    positions: that were looked at in both games; tables: at which.
    why: what differs, or why not all were gone through.
    """

    alike: bool
    positions: int
    tables: int = 1
    why: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of playing a row.

    Attributes:
        pair: the texts whose readings were played; None where the row has not two.
        parting: what the difference changes: legal moves, points, the set-up; None where no game showed that it does.
        shown: a game on which they part.
        searched: how far was looked, if it was, at all tables together.
        why: why nothing was played, where that is so.
        tables: the numbers of players that were tried.
        gone: what came of going through every play, if that was tried.
        told: what was made of the games where they were at hand (`Tell`), as JSON has it.
    """

    pair: tuple[str, str] | None
    parting: Parting | None = None
    shown: Shown | None = None
    searched: Searched | None = None
    why: str = ""
    tables: tuple[int, ...] = ()
    gone: Gone | None = None
    told: Any = None
