"""The result of playing a row, with the effort of the search: all that a report needs, and that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .shown_witness import ShownWitness

Parting = Literal["legal-moves", "score", "setup"]


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Bounds of a search. events: played in each of the two games; seconds: only a safety stop."""

    events: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """The effort of a search. timed_out: the clock stopped it."""

    plays: int = 0
    events: int = 0
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class ExhaustiveResult:
    """The result of an exhaustive comparison.

    Attributes:
        alike: every play was compared, and nothing differs.
        positions: number of positions compared; tables: at so many tables.
        why: the difference, or the reason why not every play was compared.
    """

    alike: bool
    positions: int
    tables: int = 1
    why: str = ""


@dataclass(frozen=True, slots=True)
class RowResult:
    """The result of playing a row.

    Attributes:
        pair: the texts whose readings were played; None where the row has not two.
        parting: what the difference changes: legal moves, points, the set-up; None if no witness was found.
        shown: a witness.
        searched: the effort of the search, at all tables together.
        why: the reason why nothing was played; "" if something was.
        tables: the numbers of players that were tried.
        exhaustive: the result of the exhaustive comparison, if there was one.
        story: the witness as the caller's `StoryTeller` describes it, as JSON; None without one.
    """

    pair: tuple[str, str] | None
    parting: Parting | None = None
    shown: ShownWitness | None = None
    searched: SearchEffort | None = None
    why: str = ""
    tables: tuple[int, ...] = ()
    exhaustive: ExhaustiveResult | None = None
    story: Any = None
