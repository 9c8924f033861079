"""Whether two games come to the same by what differs in them alone, however it is used and whatever play comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.spec import model as m

from ..walk import nodes
from .alike import used_actions
from .contrast import told
from .deciding import Decision, used_defines
from .lockstep import Pair


def stands_alone(pair: Pair, decision: Decision) -> bool:
    """Whether `equal` hangs on nothing but what is not told alike in two games: not on what is used or read in them,
    nor on what play can hold. Then options and forks of which that does not speak make no difference."""
    if decision.verdict != "equal" or decision.reason or pair.rests_on:
        return False
    left, right = pair.left.game, pair.right.game
    defines = _differing(left.defines, right.defines)
    actions = _differing(left.actions, right.actions)
    if not defines <= used_defines(left) & used_defines(right) or not actions <= used_actions(left) & used_actions(
        right
    ):
        return False
    return all(_written(game, actions) <= _read(game) for game in (left, right))


def _differing(left: Any, right: Any) -> frozenset[str]:
    return frozenset(name for name in {**left, **right} if told(left.get(name)) != told(right.get(name)))


def _written(game: m.Game, actions: frozenset[str]) -> set[str]:
    """The states that the parts that differ write to; all those of the routines."""
    parts = [game.actions[name].body for name in actions] + [each.body for each in _routines(game)]
    return {node.element.name for part in parts for node in nodes(part) if isinstance(node, m.Store)}


def _routines(game: m.Game) -> Iterator[m.Routine]:
    yield from (each for each in (game.setup, game.play) if each is not None)


def _read(game: m.Game) -> set[str]:
    """The states that anything in the game reads."""
    parts = (*game.defines.values(), *game.actions.values(), *_routines(game), *game.scores, *game.winner)
    return {node.element.name for part in parts for node in nodes(part) if isinstance(node, m.Read)}
