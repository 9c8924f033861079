"""Turns of a play: where one ends, by the places where the flow names the player who acts."""

from __future__ import annotations

from typing import Any

from ludex.grammar import Span
from ludex.spec import children
from ludex.spec import model as m

from ..program import Compiled, State
from ..program.ir import code as c
from ..state.events import Trace

_NAMING = (m.ForEachPlayer, m.AsPlayer, m.Simultaneous)
"""Statements that name who acts in the statements inside them."""


class Turns:
    """Index of the places where the flow of one program names who acts."""

    def __init__(self, engine: Compiled) -> None:
        self._engine, self._program = engine, engine.program
        self._around: dict[tuple[str, int], Span] = {}
        for routine in engine.game.routines:
            self._note(routine.name, routine.body, None)

    def _note(self, routine: str, node: Any, span: Span | None) -> None:
        """Record the innermost naming statement around each statement of a routine, itself included."""
        span = node.span if isinstance(node, _NAMING) else span
        if span is not None and isinstance(node, m.Statement):
            # Statements are found by identity: equal ones may occur in several places, and an index by value would mix
            # them up.
            self._around[routine, id(node)] = span
        for child in children(node):
            self._note(routine, child, span)

    def goes_on(self, before: State, after: State, trace: Trace) -> bool:
        """Test whether the one player to move is still in the same turn after a move.

        trace: the trace of that move. A turn begins where the flow names who acts (`each player` for its next one,
        `as`, `all players`); a name that the flow gives meanwhile, and takes back, does not end the turn.
        """
        named, movers = self.naming(before), self._engine.to_move(before)
        went_on = named == self.naming(after) and named not in trace.named
        return went_on and len(movers) == 1 and movers == self._engine.to_move(after)

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
