"""What a row of the report does at the table: its two readings played against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeAlias

from ludex.spec import GameText, Request, RowPair, build, to_json, without_examples
from ludex.spec import model as m
from ludex.spec import types as t

from ..play.engine import Engine
from ..processes import seldom_collecting
from .contrast import Telling
from .exhaustive import go_through
from .product_game import Pair
from .row_result import Gone, Limits, Played, Searched
from .shown_witness import Shown
from .witness_replay import Course, follow, shown, written
from .witness_search import Search

FIRST_TABLE = 0.75
"""This share of the events goes to the lowest number of players, the rest to the others."""
OTHERWISE, MOST_OTHERWISE, MOST_VALUES = 0.3, 6, 4
"""So much of the events again is played at a table that takes an option or a fork otherwise; at so many such tables,
and with so many values of one option."""
MOST_TABLES = 200
"""Every play is gone through only if no more tables can be set."""
MOST_KEPT = 6
"""So many games are kept, since many rows are played against the same one."""


Tell: TypeAlias = Callable[[RowPair, Shown, tuple[Course, Course]], Any]
"""Makes something that JSON can hold of a log that shows a row, and of how it went in both games."""


@dataclass(frozen=True, slots=True)
class Side:
    """One game of a trial, ready to be played and compared."""

    engine: Engine
    told: Telling


Sides: TypeAlias = tuple[Side, Side]


class Table:
    """Plays trials, one after another. limits: of each of them. The same comes of it at every run unless the clock
    stops a search."""

    def __init__(self, limits: Limits, seed: int = 0, tell: Tell | None = None) -> None:
        self._limits, self._seed, self._tell = limits, seed, tell
        self._kept: dict[tuple[int, str], tuple[GameText, Side | str]] = {}
        self._less: dict[int, tuple[GameText, GameText]] = {}

    @seldom_collecting()
    def play(self, trial: RowPair) -> Played:
        """Look for a game on which both part: at the smallest table first, then at others, then with options and forks
        taken otherwise. Where the trial asks for it and none is found, every play is gone through if they are few."""
        found = Played(trial.pair, why="no number of players can play both")
        until = monotonic() + self._limits.seconds
        for request, share in self._requests(trial):
            left = until - monotonic()
            if left <= 0:
                break
            found = self._at(trial, request, Limits(max(1, int(share * self._limits.events)), left), found)
            if found.parting is not None or found.why:
                return found
        return replace(found, gone=self._through(trial)) if trial.exhaustive and found.searched else found

    def _requests(self, trial: RowPair) -> Iterator[tuple[Request, float]]:
        """Tables, and the share of the events that is played there."""
        first, *others = trial.tables or (0,)
        if not first:
            return
        yield Request(first), FIRST_TABLE if others else 1.0
        yield from ((Request(players), (1 - FIRST_TABLE) / len(others)) for players in others)
        game = self._game(trial, first)
        named = _otherwise(game, trial.speaks_of) if game else ()
        yield from ((replace(each, players=first), OTHERWISE) for each in list(named)[:MOST_OTHERWISE])

    def _game(self, trial: RowPair, players: int) -> m.Game | None:
        sides = self._sides(trial, Request(players))
        return None if isinstance(sides, str) else sides[0].engine.game

    def _at(self, trial: RowPair, table: Request, limits: Limits, before: Played) -> Played:
        """One table. before: what was found at others."""
        sides = self._sides(trial, table)
        if isinstance(sides, str):
            return replace(before, why=sides)
        left, right = (side.engine.game for side in sides)
        is_alike = left.fingerprint == right.fingerprint and trial.doubt is None
        if is_alike and not trial.exhaustive:
            return Played(trial.pair, why="the two readings are written alike")
        pair = Pair(sides[0].engine, sides[1].engine, (sides[0].told, sides[1].told))
        found, searched = Search(pair, limits, self._seed).run()
        tables = tuple(dict.fromkeys((*before.tables, left.players)))
        tried = Played(trial.pair, None, None, _together(before.searched, searched), tables=tables)
        if found is None:
            return tried
        lines = written(left, right, found)
        courses = follow(left, lines), follow(right, lines)
        log = shown(*courses, lines)
        told = self._tell(trial, log, courses) if self._tell and log else None
        return replace(tried, parting=found.parting, shown=log, told=told)

    def _sides(self, trial: RowPair, table: Request) -> Sides | str:
        """Both games at a table, or why one of them is none."""
        left, right = (self._side(*asked, table) for asked in (trial.left, trial.right))
        if isinstance(left, str) or isinstance(right, str):
            return left if isinstance(left, str) else right if isinstance(right, str) else ""
        return left, right

    def _side(self, text: GameText, asked: Request, table: Request) -> Side | str:
        readings = {**table.readings, **asked.readings}
        request = replace(asked, players=table.players, options=table.options, readings=readings)
        key = id(text), repr(request)
        if key not in self._kept:
            built = build(self._without_examples(text), request)
            made = Side(Engine(built.game), Telling(built.game)) if built.game else built.errors[0].message
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = text, made
        found = self._kept.pop(key)
        self._kept[key] = found  # the last used is the last to go
        return found[1]

    def _without_examples(self, text: GameText) -> GameText:
        """No play depends on them, and where a clause is another one, an example may speak of what is not there."""
        if id(text) not in self._less:
            self._less[id(text)] = text, without_examples(text)
        return self._less[id(text)][1]

    # ---- everything

    def _through(self, trial: RowPair) -> Gone | None:
        """What comes of going through every play at every table. None if there are too many tables."""
        requests: list[Request] = []
        for players in trial.tables:
            game = self._game(trial, players)
            if game is None:
                return None
            requests += [replace(each, players=players) for each in _every(game, MOST_TABLES)]
            if len(requests) > MOST_TABLES:
                return None
        most, whole = self._limits.events, Gone(True, 0, 0)
        for request in requests:
            sides = self._sides(trial, request)
            if isinstance(sides, str):
                return Gone(False, whole.positions, whole.tables, sides)
            here = go_through(sides[0].engine, sides[1].engine, most - whole.positions)
            whole = Gone(here.alike, whole.positions + here.positions, whole.tables + 1, here.why)
            if not here.alike:
                break
        return whole


def _together(one: Searched | None, other: Searched) -> Searched:
    if one is None:
        return other
    return Searched(one.plays + other.plays, one.events + other.events, one.timed_out or other.timed_out)


def _otherwise(game: m.Game, names: frozenset[str]) -> Iterator[Request]:
    """Forks and options of these names taken otherwise, one at a time."""
    for fork in game.forks:
        if fork.name in names:
            yield from (Request(readings={fork.name: name}) for name, _ in fork.readings if name != fork.chosen)
    for option in game.options:
        if option.name in names:
            others = [value for value in t.values(option.type) if value != option.value][:MOST_VALUES]
            yield from (Request(options={option.name: to_json(option.type, value)}) for value in others)


def _every(game: m.Game, most: int) -> Iterator[Request]:
    """All options and forks in every combination; more than `most` if there are so many."""
    found = [Request()]
    for fork in game.forks:
        found = [replace(r, readings={**r.readings, fork.name: n}) for r in found[: most + 1] for n, _ in fork.readings]
    for option in game.options:
        values = [to_json(option.type, value) for value in t.values(option.type)]
        found = [replace(r, options={**r.options, option.name: v}) for r in found[: most + 1] for v in values]
    yield from found
