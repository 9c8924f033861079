"""Random games of a command, by their numbers. It prints nothing, so that worker processes can use it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ludex.interpreter import Generator, RandomGame, Simulation

from .command import TableSettings
from .reporting import write_file


@dataclass(frozen=True, slots=True)
class GamesTask:
    """Description of a run: a game, by name or path, a table and a seed.

    Attributes:
        out: the folder for the logs.
        long: many games will be played.
        start: the position in which they begin, as JSON.
    """

    source: str
    table: TableSettings
    seed: int
    audit: bool
    out: Path | None
    long: bool = False
    start: str | None = None


class Player:
    """Plays the games of one task."""

    def __init__(self, task: GamesTask) -> None:
        self.task = task
        start = None if task.start is None else json.loads(task.start)
        self.simulation = Simulation(task.table.load(task.source), task.audit, task.long, start)

    @staticmethod
    @cache
    def of(task: GamesTask) -> Player:
        """Return the player of a task, made once in each process, as loading a game takes long."""
        return Player(task)

    def play(self, number: int) -> RandomGame:
        """Play the game of this number; write its log if logs are wanted. The result does not hold the log's text."""
        game = self.simulation.play(Generator(self.task.seed, number))
        if self.task.out is not None:
            write_file(self.task.out / self.file_name(number), game.log)
        return replace(game, log="")

    def file_name(self, number: int) -> str:
        """Name the log's file: `boreal-ru-2p-seed1-000042.jsonl`"""
        game = self.simulation.game
        # Runs of two texts may write into one folder.
        silence = f"-{game.silence}" if game.silence != "borrow" else ""
        edition = f"-{game.edition}{silence}" if game.editions else ""
        return f"{game.name}{edition}-{game.players}p-seed{self.task.seed}-{number:06d}.jsonl"
