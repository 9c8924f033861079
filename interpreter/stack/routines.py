"""Routines of a game with their statements numbered in preorder: 0 is the body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Span, value_class
from ludex.spec import branches
from ludex.spec import model as m
from ludex.spec import types as t

from .liveness import live_slots
from .state import Frame

SETUP, PLAY = "setup", "play"
"""The names of the routines with which a play begins."""


@value_class
class Routine:
    """A routine with its statements by number.

    Attributes:
        place: the clause, and its span.
        size: the number of slots of its frames.
        locals: the name and type of each slot that has a name in the spec.
        parents: for each statement the one around it; None for the body.
        inside: for each statement those directly in it, in order; of a decision the bodies of its branches.
        read: for each statement that awaits an event, the live slots.
        read_after: for each statement, the slots live when the routine that it calls is done.
    """

    name: str
    place: tuple[str, Span]
    size: int
    locals: Mapping[int, tuple[str, t.Type]]
    statements: tuple[m.Step, ...]
    parents: tuple[int | None, ...]
    inside: tuple[tuple[int, ...], ...]
    read: Mapping[int, frozenset[int]]
    read_after: Mapping[int, frozenset[int]]

    def around(self, at: int) -> Iterator[m.Step]:
        """Yield the statement with this number and those around it, innermost first."""
        here: int | None = at
        while here is not None:
            yield self.statements[here]
            here = self.parents[here]


def routines_of(game: m.Game) -> Mapping[str, Routine]:
    """Return all routines of a game by name, and the routines that set up its examples."""
    # Every game has a set-up, so play always begins in the same way.
    nothing = m.Routine(SETUP, m.Sequence(SETUP, game.play.body.span, ()), 1)
    routines = [_routine(game.setup or nothing, SETUP), _routine(game.play, PLAY)]
    routines += [_routine(action, action.name) for action in game.actions.values()]
    routines += [_routine(each.given, each.given.name) for each in game.examples if each.given is not None]
    return {routine.name: routine for routine in routines}


def _routine(of: m.Routine | m.Action, path: str) -> Routine:
    statements: list[m.Step] = []
    parents: list[int | None] = []
    inside: list[tuple[int, ...]] = []

    def number(step: m.Step, parent: int | None) -> int:
        here = len(statements)
        statements.append(step)
        parents.append(parent)
        inside.append(())
        inside[here] = tuple([number(part, here) for part in branches(step)])
        return here

    number(of.body, None)
    span = of.span if isinstance(of, m.Action) else of.body.span
    read, read_after = live_slots(statements, inside)
    # There is always a slot for `me`.
    size = max(1, of.frame_size)
    names = {slot: (name, type_) for slot, name, type_ in of.locals}
    numbered = tuple(statements), tuple(parents), tuple(inside)
    return Routine(of.name, (path, span), size, names, *numbered, read, read_after)


def without_dead(routines: Mapping[str, Routine], frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return a stack, the innermost frame last, with the dead slots of its frames set to None."""
    return tuple([_without_dead(routines[frame.routine], frame, frame is frames[-1]) for frame in frames])


def _without_dead(routine: Routine, frame: Frame, waits: bool) -> Frame:
    # `me` stays although the analysis leaves it out: requirements, options and defines read it without naming its slot.
    read = {0, *(routine.read if waits else routine.read_after)[frame.at]}
    return frame._replace(slots=tuple([held if at in read else None for at, held in enumerate(frame.slots)]))
