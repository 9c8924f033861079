"""What a row of the report does at the table: the two readings played against each other.

Everything is as one text has it, but for the clauses of the row, which are read as the other text has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ludex.spec import Game, GameText, Request, TextRow, build

from ..engine import Engine
from .findings import Shown
from .lockstep import Pair, Parting
from .showing import Reading, show, written
from .witness import Limits, Search, Searched


@dataclass(frozen=True, slots=True)
class Played:
    """What came of playing a row.

    Attributes:
        pair: the texts whose readings were played; None where the row has not two.
        parting: what the difference changes: legal moves, points, the set-up; None where no game showed that it does.
        shown: a game on which they part.
        searched: how far was looked, if it was.
        why: why nothing was played, where that is so.
        games: in which the two readings were played, of the pair in its order.
    """

    pair: tuple[str, str] | None
    parting: Parting | None = None
    shown: Shown | None = None
    searched: Searched | None = None
    why: str = ""
    games: tuple[Game, Game] | None = field(default=None, compare=False, repr=False)


def played_row(text: GameText, row: TextRow, limits: Limits, seed: int = 0) -> Played:
    """The effect of one row, looked for at the smallest table. The same at every run unless the clock stops it."""
    if row.pair is None:
        return Played(None, why="only one reading is written down")
    mine, other = row.pair
    if mine not in text.texts or other not in text.texts:
        return Played(row.pair, why="the game has not both texts")
    as_it_is = Request(text.game.header.players[0], mine)
    paths = {path.removeprefix("fork "): other for path in row.clauses}
    left, right = build(text, as_it_is), build(text, replace(as_it_is, read_as=paths))
    if left.game is None or right.game is None:
        return Played(row.pair, why=(*left.errors, *right.errors)[0].message)
    if left.game.fingerprint == right.game.fingerprint:
        return Played(row.pair, why="the two readings are written alike")
    games = left.game, right.game
    engines = Engine(left.game), Engine(right.game)
    found, searched = Search(Pair(*engines), limits, seed).run()
    if found is None:
        return Played(row.pair, searched=searched, games=games)
    lines = written(left.game, right.game, found, True)
    shown = show(Reading(mine, left.game, row.name), Reading(other, right.game, row.name), lines)
    return Played(row.pair, found.parting, shown, searched, games=games)
