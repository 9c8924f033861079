"""Play of a row: search for a witness between its two readings, over tables, options and forks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeAlias

from ludex.grammar import seldom_collecting
from ludex.spec import GameText, Request, RowPair, build, to_json, without_examples
from ludex.spec import model as m
from ludex.spec import types as t

from ..play.engine import Engine
from .contrast import Parts
from .exhaustive import compare_all
from .product_game import ProductGame
from .row_result import ExhaustiveResult, RowResult, SearchEffort, SearchLimits
from .shown_witness import ShownWitness
from .witness_replay import SideReplay, replay_side, shown_witness, written
from .witness_search import WitnessSearch

FIRST_TABLE = 0.75
"""Share of the events for the lowest number of players, where games are shortest; the others share the rest."""
OTHERWISE, MOST_OTHERWISE, _MOST_VALUES = 0.3, 6, 4
"""For tables with another option or fork: the share of further events for each, most tables, most values of one
option."""
MOST_TABLES = 200
"""The largest number of tables for which the exhaustive comparison is tried."""
MOST_KEPT = 6
"""The largest number of games kept in memory, since many rows are played against the same one."""


StoryTeller: TypeAlias = Callable[[RowPair, ShownWitness, tuple[SideReplay, SideReplay]], Any]
"""Function that describes a row's witness as JSON, from the witness and its replay in both games."""


@dataclass(frozen=True, slots=True)
class PlayableSide:
    """One game of a row, ready to be played and compared."""

    engine: Engine
    parts: Parts


Sides: TypeAlias = tuple[PlayableSide, PlayableSide]


class RowPlayer:
    """Plays rows one after another. Deterministic, unless the clock stops a search. limits: for each row."""

    def __init__(self, limits: SearchLimits, seed: int = 0, teller: StoryTeller | None = None) -> None:
        self._limits, self._seed, self._teller = limits, seed, teller
        self._kept: dict[tuple[int, str], tuple[GameText, PlayableSide | str]] = {}
        self._less: dict[int, tuple[GameText, GameText]] = {}

    @seldom_collecting()
    def play(self, row: RowPair) -> RowResult:
        """Search for a witness: at the smallest table first, then at others, then with other options and forks.

        If there is none and the row asks for it, every play is compared, provided there are few positions.
        """
        result = RowResult(row.pair, why="no number of players fits both")
        until = monotonic() + self._limits.seconds
        for request, share in self._requests(row):
            left = until - monotonic()
            if left <= 0:
                break
            result = self._at(row, request, SearchLimits(max(1, int(share * self._limits.events)), left), result)
            if result.parting is not None or result.why:  # `why`: nothing can be played here
                return result
        return replace(result, exhaustive=self._exhaustive(row)) if row.exhaustive and result.searched else result

    def _requests(self, row: RowPair) -> Iterator[tuple[Request, float]]:
        """Enumerate tables, with the share of the events for each."""
        first, *others = row.tables or (0,)
        if not first:
            return
        yield Request(first), FIRST_TABLE if others else 1.0
        yield from ((Request(players), (1 - FIRST_TABLE) / len(others)) for players in others)
        game = self._game(row, first)
        named = _otherwise(game, row.names) if game else ()
        yield from ((replace(each, players=first), OTHERWISE) for each in list(named)[:MOST_OTHERWISE])

    def _game(self, row: RowPair, players: int) -> m.Game | None:
        sides = self._sides(row, Request(players))
        return None if isinstance(sides, str) else sides[0].engine.game

    def _at(self, row: RowPair, request: Request, limits: SearchLimits, before: RowResult) -> RowResult:
        """Search at one table. before: the result at others."""
        sides = self._sides(row, request)
        if isinstance(sides, str):
            return replace(before, why=sides)
        left, right = (side.engine.game for side in sides)
        # Two readings of one text have one fingerprint, and may still differ.
        is_alike = left.fingerprint == right.fingerprint and row.doubt is None
        if is_alike and not row.exhaustive:
            return RowResult(row.pair, why="the two readings are written alike")
        product = ProductGame(sides[0].engine, sides[1].engine, (sides[0].parts, sides[1].parts))
        witness, searched = WitnessSearch(product, limits, self._seed).run()
        tables = tuple(dict.fromkeys((*before.tables, left.players)))
        effort = RowResult(row.pair, None, None, _together(before.searched, searched), tables=tables)
        if witness is None:
            return effort
        lines = written(left, right, witness)
        courses = replay_side(left, lines), replay_side(right, lines)
        log = shown_witness(*courses, lines)
        story = self._teller(row, log, courses) if self._teller and log else None
        return replace(effort, parting=witness.parting, shown=log, story=story)

    def _sides(self, row: RowPair, request: Request) -> Sides | str:
        """Build both games at a table; return a message if one of them cannot be built."""
        left, right = (self._side(*side, request) for side in (row.left, row.right))
        if isinstance(left, str) or isinstance(right, str):
            return left if isinstance(left, str) else right if isinstance(right, str) else ""
        return left, right

    def _side(self, text: GameText, reading: Request, request: Request) -> PlayableSide | str:
        """Build one game at a table; return a message if it cannot be built. reading: the side's edition and
        readings."""
        readings = {**request.readings, **reading.readings}
        request = replace(reading, players=request.players, options=request.options, readings=readings)
        key = id(text), repr(request)  # the text is kept with the entry, so no other text gets its id
        if key not in self._kept:
            built = build(self._without_examples(text), request)
            side = PlayableSide(Engine(built.game), Parts(built.game)) if built.game else built.errors[0].message
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = text, side
        kept = self._kept.pop(key)
        self._kept[key] = kept  # put it last: the least recently used is dropped first
        return kept[1]

    def _without_examples(self, text: GameText) -> GameText:
        """Return the text without examples: no play depends on them, and they may name a clause that the other reading
        lacks."""
        if id(text) not in self._less:
            self._less[id(text)] = text, without_examples(text)
        return self._less[id(text)][1]

    # ---- exhaustive comparison

    def _exhaustive(self, row: RowPair) -> ExhaustiveResult | None:
        """Compare every play at every table. None if there are too many tables."""
        requests: list[Request] = []
        for players in row.tables:
            game = self._game(row, players)
            if game is None:
                return None
            requests += [replace(each, players=players) for each in _every(game, MOST_TABLES)]
            if len(requests) > MOST_TABLES:
                return None
        most, whole = self._limits.events, ExhaustiveResult(True, 0, 0)
        for request in requests:
            sides = self._sides(row, request)
            if isinstance(sides, str):
                return ExhaustiveResult(False, whole.positions, whole.tables, sides)
            here = compare_all(sides[0].engine, sides[1].engine, most - whole.positions)
            whole = ExhaustiveResult(here.alike, whole.positions + here.positions, whole.tables + 1, here.why)
            if not here.alike:
                break
        return whole


def _together(one: SearchEffort | None, other: SearchEffort) -> SearchEffort:
    if one is None:
        return other
    return SearchEffort(one.plays + other.plays, one.events + other.events, one.timed_out or other.timed_out)


def _otherwise(game: m.Game, names: frozenset[str]) -> Iterator[Request]:
    """Enumerate other values of these forks and options, one change at a time."""
    for fork in game.forks:
        if fork.name in names:
            yield from (Request(readings={fork.name: name}) for name, _ in fork.readings if name != fork.chosen)
    for option in game.options:
        if option.name in names:
            others = [value for value in t.values(option.type) if value != option.value][:_MOST_VALUES]
            yield from (Request(options={option.name: to_json(option.type, value)}) for value in others)


def _every(game: m.Game, most: int) -> Iterator[Request]:
    """Enumerate all combinations of options and forks, at most one more than `most`."""
    requests = [Request()]
    for fork in game.forks:
        requests = [
            replace(r, readings={**r.readings, fork.name: n}) for r in requests[: most + 1] for n, _ in fork.readings
        ]
    for option in game.options:
        values = [to_json(option.type, value) for value in t.values(option.type)]
        requests = [replace(r, options={**r.options, option.name: v}) for r in requests[: most + 1] for v in values]
    yield from requests
