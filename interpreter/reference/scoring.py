"""Scores, with their parts by clause, and the winners."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.spec import Evaluation
from ludex.spec import model as m

from ..state.events import Outcome, Scores


def points_of(game: m.Game, evaluation: Evaluation, player: int) -> tuple[int, ...]:
    """Return the player's points, clause by clause."""
    return tuple(evaluation.of(clause.value, {0: player}, clause.path) for clause in game.scores)


def scores(game: m.Game, evaluation: Evaluation, player: int) -> Scores:
    """Return the player's points with the clauses and the total."""
    points = points_of(game, evaluation, player)
    return Scores(sum(points), tuple(zip([clause.path for clause in game.scores], points, strict=True)))


def winners(game: m.Game, evaluation: Evaluation) -> Outcome:
    """Apply the winner clauses, in order, to the players who are still tied."""
    level: Sequence[int] = range(game.players)
    for criterion in game.winner:
        # A winner clause without a criterion only says that the winners share a tie.
        if criterion.kind == "share" or criterion.value is None:
            return Outcome(tuple(level), criterion.path, shared=len(level) > 1)
        results = {player: evaluation.of(criterion.value, {0: player}, criterion.path) for player in level}
        best = max(results.values()) if criterion.kind == "highest" else min(results.values())
        level = [player for player, result in results.items() if result == best]
        # Later criteria only break ties, and may have no value here.
        if len(level) == 1:
            return Outcome(tuple(level), criterion.path)
    return Outcome(tuple(level) if game.winner else (), undecided=True)
