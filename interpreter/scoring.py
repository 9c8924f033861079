"""Scores with their parts by clause, and who has won."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.spec import model as m

from .evaluate import Expressions, Fn
from .events import Outcome, Scores
from .state import State


class Scoring:
    """The score and winner clauses of a game, compiled."""

    def __init__(self, game: m.Game, expressions: Expressions) -> None:
        self._players = range(game.players)
        self._clauses = [
            (clause.path, expressions.compile(clause.value, clause.path), clause.frame_size) for clause in game.scores
        ]
        self._criteria = [
            (criterion, None if criterion.value is None else expressions.compile(criterion.value, criterion.path))
            for criterion in game.winner
        ]

    def scores(self, state: State, player: int) -> Scores:
        """The player's points, clause by clause."""
        parts = tuple((path, value(state, _slots(player, size))) for path, value, size in self._clauses)
        return Scores(sum(points for _, points in parts), parts)

    def total(self, state: State, player: int) -> int:
        return sum(value(state, _slots(player, size)) for _, value, size in self._clauses)

    def winners(self, state: State) -> Outcome:
        """The winner clauses, applied in order to the players who are still level."""
        level: Sequence[int] = self._players
        for criterion, value in self._criteria:
            if criterion.kind == "share" or value is None:
                return Outcome(tuple(level), criterion.path, shared=len(level) > 1)
            level = _best(state, level, criterion, value)
            if len(level) == 1:
                return Outcome(tuple(level), criterion.path)
        return Outcome(tuple(level) if self._criteria else (), undecided=True)


def _best(state: State, level: Sequence[int], criterion: m.WinnerCriterion, value: Fn) -> list[int]:
    results = {player: value(state, _slots(player, criterion.frame_size)) for player in level}
    best = max(results.values()) if criterion.kind == "highest" else min(results.values())
    return [player for player, result in results.items() if result == best]


def _slots(player: int, size: int) -> list[int | None]:
    return [player, *([None] * (size - 1))]
