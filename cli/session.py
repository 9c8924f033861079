"""A play in progress at one device: its events, what each player has been shown, undo, saving."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from ludex.interpreter import Engine, Event, Move, State, end_claim, header_of, line_of, pick, write_log

from .files import write_file


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the play, and how each player (by seat; the last entry: an onlooker) saw it. owner: of chance, the
    player to whom it brought something."""

    event: Event
    seen: tuple[Event, ...]
    owner: int | None = None


class Session:
    """A play, from its start or from some events of a log.

    Attributes:
        seed: of what chance draws; how it comes out depends on the seed and the number of the event alone, so that undo
            cannot be used to draw again.
        file: where the log is written after every event; None: nowhere.
    """

    def __init__(self, engine: Engine, names: tuple[str, ...], seed: int, file: Path | None) -> None:
        self.engine, self.names, self.seed, self.file = engine, names, seed, file
        self.state: State = engine.start()
        self.history: list[Happened] = []
        self.shown = [0] * engine.game.players
        """So many events each player has been told."""

    @property
    def over(self) -> bool:
        return self.engine.is_terminal(self.state)

    def take(self, event: Event) -> None:
        """Play a legal event and keep the log up to date."""
        self._play(event)
        self.keep()

    def follow(self, events: tuple[Event, ...]) -> None:
        """Play the events of a log."""
        for event in events:
            self._play(event)

    def _play(self, event: Event) -> None:
        onlookers = (*range(self.engine.game.players), None)
        seen = tuple(self.engine.view_of_event(self.state, event, onlooker) for onlooker in onlookers)
        owner = self.engine.chance_for(self.state)
        refusal = self.engine.advance(self.state, event)
        assert refusal is None, refusal
        self.history.append(Happened(event, seen, owner))

    def draw(self) -> None:
        """Let chance decide what it is to decide now."""
        rng = Random(f"{self.seed}:{len(self.history)}")
        self.take(pick(self.engine, self.state, rng).event)

    def news(self, seat: int) -> list[Happened]:
        """What has happened since the player was last told; he is told now."""
        news = self.history[self.shown[seat] :]
        self.shown[seat] = len(self.history)
        return news

    def has_news(self, seat: int) -> bool:
        return self.shown[seat] < len(self.history)

    def last_news(self) -> list[Happened]:
        """What nobody has been told of yet."""
        return self.history[max(self.shown) :]

    def undo(self) -> bool:
        """Take back the last move and what followed from it. False if nobody has moved yet."""
        moves = [number for number, happened in enumerate(self.history) if isinstance(happened.event, Move)]
        if not moves:
            return False
        events = [happened.event for happened in self.history[: moves[-1]]]
        self.state, self.history = self.engine.start(), []
        self.follow(tuple(events))
        self.shown = [min(count, len(events)) for count in self.shown]
        self.keep()
        return True

    # ---- logs

    def keep(self) -> None:
        if self.file is not None:
            self.save(self.file)

    def save(self, file: Path) -> None:
        write_file(file, self.log())

    def log(self) -> str:
        """The text of the log; one of a whole play ends with a claim."""
        game = self.engine.game
        lines = [line_of(game, happened.event) for happened in self.history]
        if self.over:
            lines.append(end_claim(self.engine, self.state))
        return write_log(header_of(game, self.names).to_json(), lines)


def refuse_to_overwrite(file: Path, own: Path | None = None) -> None:
    """A log is written over only by the play that it records."""
    if file.exists() and (own is None or not own.exists() or not file.samefile(own)):
        raise click.UsageError(f"{file} is there already; choose another name, or go on with it by --resume")
