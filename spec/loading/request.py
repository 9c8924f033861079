"""Settings of a game: players, edition, options, fork readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """A requested table of a game.

    Attributes:
        players: how many play; None: the least number that the game allows.
        edition: the siglum of the text that is played; None: the default.
        silence: `borrow` or `literal`: whether clauses that the text does not state are taken from the other texts.
        options: values of options as in a log, where they differ from the defaults.
        readings: by the name of a fork, the reading that is taken instead of the default.
        read_as: by the path of a clause, another text whose version of the clause (or silence) is taken, so that two
            versions of one clause can be played against each other.
    """

    players: int | None = None
    edition: str | None = None
    silence: str = "borrow"
    options: Mapping[str, object] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
