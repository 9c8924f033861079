"""Settings of a game: players, edition, options, fork readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a game: who plays it, and which of its choices are taken.

    read_as: by the path of a clause, a text of the game: this clause is as that text has it, or is not there. So two
    readings of one clause can be played against each other.
    """

    players: int | None = None
    edition: str | None = None
    silence: str = "borrow"
    options: Mapping[str, object] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
