"""Turns: whose turn it is, and whether the flow names the player anew."""

from __future__ import annotations

from typing import Any

from ludex.grammar import Span
from ludex.spec import children
from ludex.spec import model as m

from ..ir import code as c
from ..python.state import State

NAMING = (m.ForEachPlayer, m.AsPlayer, m.Simultaneous)
"""Statements that name who acts in the statements inside them."""


class Turns:
    """Knows where the flow of one program names who acts."""

    def __init__(self, program: c.Program) -> None:
        self._program = program
        self._around: dict[tuple[str, int], Span] = {}
        game = program.game
        for routine in game.routines:
            self._note(routine.name, routine.body, None)

    def _note(self, routine: str, node: Any, span: Span | None) -> None:
        """Record the innermost naming statement around each statement of a routine, itself included."""
        span = node.span if isinstance(node, NAMING) else span
        if span is not None and isinstance(node, m.Statement):
            self._around[routine, id(node)] = span
        for child in children(node):
            self._note(routine, child, span)

    def naming(self, play: State) -> Span | None:
        """Return the place where the flow named who acts now, or None outside all such statements."""
        wait = self._program.waits[play.wait]
        return None if wait is None else self._named(wait.stack, play)

    def _named(self, stack: c.Stack, play: State) -> Span | None:
        for each in reversed(stack):
            if isinstance(each, c.Caller):
                return self._named(self._program.calls[play.cells[each.back]].stack, play)
            span = self._around.get((each.routine, id(each.statement)))
            if span is not None:
                return span
        return None
