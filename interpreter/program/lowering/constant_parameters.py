"""Interprocedural constant propagation: the parameters of actions that have the same value at every call.

An action that is lowered once keeps its parameters in cells. If every place that performs or offers it states the same
constant, the parameter is that constant, and what the action does for other values is never lowered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ludex.spec import NodeLists, children
from ludex.spec import model as m

from ..ir import code as c
from .statements import assigns

Constants: TypeAlias = dict[int, c.Const]
KnownValue: TypeAlias = Callable[[Any, Mapping[int, c.Expr]], c.Expr | None]
"""Evaluates an expression before play, given the constants in slots; returns None or no constant if that fails."""


def constant_parameters(game: m.Game, known: KnownValue, lists: NodeLists) -> Mapping[str, Constants]:
    """Return the constant parameters of each action that is reached, by slot.

    Statements that no play reaches, as far as constants decide that, do not count.
    """
    by_action: dict[str, Constants] = {}
    waiting: list[tuple[Any, Constants]] = [(routine.body, {}) for routine in (game.setup, game.play) if routine]

    def perform(name: str, given: Constants) -> None:
        action, before = game.actions[name], by_action.get(name)
        if before is None:
            # A slot that the body assigns to has a constant only until then.
            after = {slot: value for slot, value in given.items() if not assigns(action.body, slot)}
        else:
            # This fixed point is reached, since constants are only removed.
            after = {slot: value for slot, value in before.items() if given.get(slot) == value}
        # With fewer constants more of the body is reached.
        if after != before:
            by_action[name] = after
            waiting.append((action, after))

    # Requirements and domains of choices may ask, too, and the clauses of points and of the winner.
    for part in (*game.routines, *game.defines.values(), game.scores, game.winner):
        for node in lists.of(part):
            if node.__class__ is m.CanPerform:
                # Arguments of `can` are not traced, so they are not constants.
                perform(node.action, {})
    while waiting:
        body, env = waiting.pop()
        for node in _reached(body, env, known):
            if isinstance(node, m.Perform | m.ActionOption):
                values = ((slot, known(each, env)) for slot, each in enumerate(node.arguments, start=1))
                perform(node.action, {slot: value for slot, value in values if isinstance(value, c.Const)})
    return by_action


def _reached(node: Any, env: Constants, known: KnownValue) -> Iterator[Any]:
    """Yield the nodes of a routine but its expressions, without branches that the constants exclude."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, m.IfStep) and isinstance(test := known(node.condition, env), c.Const):
            # A call that is never reached must not remove constants.
            waiting += [branch for branch in (node.then if test.value else node.otherwise,) if branch is not None]
        else:
            waiting += [each for each in children(node) if not isinstance(each, m.Typed)]
