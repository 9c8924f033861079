"""What a divergence of `ludex diff` costs: two games that differ in one clause are built, compared, played in step."""

from __future__ import annotations

from random import Random

from ludex.interpreter import Engine, playout
from ludex.interpreter.differences.lockstep import Pair
from ludex.interpreter.differences.witness import Limits, Search
from ludex.spec import GameText, Request, build, read_game, with_clause_of
from ludex.spec import model as m

CLAUSES = (("boreal", "ru", "ru.aid", "hardship.0"),)
"""A game, two editions of it, and a clause of which they say different things."""
EVENTS = 300
"""So many are played in one search."""


class Divergence:
    """An edition as it stands, and with one clause as another edition has it."""

    def __init__(self, game: str, edition: str, other: str, clause: str) -> None:
        self.name = f"{game}: {clause}"
        text = read_game(game)
        self._clause, self._request, self._text = (edition, clause, other, clause), Request(edition=edition), text
        self._games = self._built(text), self._built(self._exchanged())
        self._pair = self._compared()
        self._random = Random(0)

    def build(self) -> int:
        """The game with the clause exchanged: merged and elaborated."""
        self._built(self._exchanged())
        return 1

    def compare(self) -> int:
        """Both games compiled, and compared as they are carried out."""
        self._compared()
        return 1

    def play(self) -> int:
        """Events played in both, in a search that takes nothing for a witness."""
        return Search(self._pair, Limits(EVENTS, 60.0), accepts=lambda _: False).run()[1].events

    def playout(self) -> int:
        """Events of a random play of the one edition."""
        return sum(1 for _ in playout(self._pair.left, self._random))

    def _exchanged(self) -> GameText:
        return with_clause_of(self._text, *self._clause)

    def _built(self, text: GameText) -> m.Game:
        game = build(text, self._request).game
        assert game is not None
        return game

    def _compared(self) -> Pair:
        left, right = map(Engine, self._games)
        return Pair(left, right)
