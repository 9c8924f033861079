"""Random games as rows of plain values, for tables: a row a game and, if wanted, a row an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from ..event_notation.writing import notation
from ..generator import Generator
from ..play.tiers import Tier
from ..program import Turn
from ..state.events import ChanceEvent, Move
from .playouts import playout

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of a random game.

    Attributes:
        event: its number in the game, from 1.
        player: the seat that moved, from 1; None for chance.
        action: the name of the move, or the clause of the chance event.
        text: the event in the notation.
        choices: from how many it was drawn: the legal moves, or the outcomes of chance.
    """

    event: int
    player: int | None
    action: str
    text: str
    choices: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """A random game that ended.

    Attributes:
        game, edition, players: what was played, by how many.
        seed, number: which game it is; the same two give the same game.
        events, decisions: how many events it has, and how many of them are moves.
        winners: their seats, from 1. criterion: the clause that decided, if one did.
        scores: points by seat.
        turns: the events, if they were asked for.
    """

    game: str
    edition: str
    players: int
    seed: int
    number: int
    events: int
    decisions: int
    winners: tuple[int, ...]
    criterion: str | None
    scores: tuple[int, ...]
    turns: tuple[EventRow, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the columns of the game, without its events; winners and scores are lists."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        return {**columns, "winners": [*self.winners], "scores": [*self.scores]}

    def flat_dict(self) -> dict[str, Any]:
        """Return the columns for a file that has no lists: `winners` as a text, `score_1` and so on by seat."""
        columns = self.as_dict()
        scores = {f"score_{seat}": points for seat, points in enumerate(columns.pop("scores"), start=1)}
        return {**columns, "winners": " ".join(map(str, self.winners)), **scores}

    def event_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield the columns of each event, after those that say which game it is in."""
        own = {"game": self.game, "seed": self.seed, "number": self.number}
        return ({**own, **asdict(turn)} for turn in self.turns)


_COLUMNS = tuple(each.name for each in fields(GameRow) if each.name != "turns")


def random_game(
    engine: Tier[S],
    seed: int,
    number: int,
    policy: Callable[[S, Sequence[Move]], Move] | None = None,
    with_events: bool = False,
) -> GameRow:
    """Play the random game with this number to its end, and return its row. Raises SpecFault."""
    game = engine.game
    # Every game has a budget of its own, however many an iterator plays.
    engine.begin_game()
    turns: list[EventRow] = []
    events = decisions = 0
    play = playout(engine, Generator(seed, number), policy)
    for turn in play:
        events += 1
        decisions += isinstance(turn.event, Move)
        if with_events:
            player, action, text = _event_columns(engine, turn)
            turns.append(EventRow(events, player, action, text, turn.choices))
        engine.check_game(play.state)
    outcome = engine.winners(play.state)
    winners = tuple(sorted(seat + 1 for seat in outcome.winners))
    table = game.name, game.edition, game.players
    ended = winners, outcome.criterion, tuple(engine.returns(play.state))
    return GameRow(*table, seed, number, events, decisions, *ended, tuple(turns))


def _event_columns(engine: Tier[S], turn: Turn) -> tuple[int | None, str, str]:
    event, text = turn.event, notation(engine.game, turn.event)
    return (None, event.path, text) if isinstance(event, ChanceEvent) else (event.player + 1, event.action, text)
