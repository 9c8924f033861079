"""A table: a game with the settings for one play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludex.spec import Game

from .once import game_once


@dataclass(frozen=True, slots=True)
class Table:
    """A game (a shipped game's name, or a path) and its settings: number of players, text, options, readings."""

    game: str
    players: int
    edition: str | None = None
    readings: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        settings = [f"{name}={value}" for name, value in (*self.options, *self.readings)]
        edition = [self.edition] if self.edition else []
        return " ".join([Path(self.game).stem, *edition, f"{self.players} players", *settings])

    def made(self) -> Game:
        """Return the checked game."""
        return game_once(self.game, self.players, self.edition, dict(self.options), dict(self.readings))

    def header(self, game: Game) -> dict[str, Any]:
        """Return the first line of a log of a play at this table."""
        settings = {"edition": self.edition, "options": dict(self.options), "readings": dict(self.readings)}
        members = {"ludex": 1, "game": self.game, "fingerprint": game.fingerprint, "players": self.players}
        return {**members, **{name: value for name, value in settings.items() if value}}
