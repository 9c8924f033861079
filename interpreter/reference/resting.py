"""The places at which a play can stop: which statements await events or call others, and what they keep meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.spec import model as m

from .chance import AWAITING, go_on_drawing, random_values
from .decisions import is_asked
from .flow import all_stated
from .routines import Routine
from .run import PLAY, SETUP, Rules, Run
from .state import State
from .steps import Next

KEEPING = (m.ForEach, m.ForEachPlayer, m.AsPlayer, m.RepeatTimesStep, m.Simultaneous)
"""Statements that keep values while one inside them is under way."""
WAITING = (m.Decide, m.Simultaneous, *AWAITING)


def called_by(step: m.Step | None) -> tuple[str, ...]:
    """Return the routines that a statement may have called; None: those with which a play begins."""
    match step:
        case None:
            return SETUP, PLAY
        case m.Perform(action=action):
            return (action,)
        case m.Decide(options=options) | m.Simultaneous(options=options):
            actions = (option.action for option in options if isinstance(option, m.ActionOption))
            return tuple(dict.fromkeys(actions))
        case _:
            return ()


def places_in(rules: Rules, outer: m.Step | None, innermost: bool) -> Iterator[tuple[Routine, int]]:
    """Enumerate the statements at which a frame can be: a routine that `outer` calls, and the statement's number.

    innermost: the frame awaits an event; if not, the statement has called the next frame's routine.
    """
    for name in called_by(outer):
        routine = rules.routines[name]
        for at, step in enumerate(routine.statements):
            if _can_wait(step) if innermost else called_by(step):
                yield routine, at


def _can_wait(step: m.Step) -> bool:
    # A named piece is known where it is moved, so that nothing is revealed.
    return isinstance(step, WAITING) and not (isinstance(step, m.MovePiece) and step.piece is not None)


def keeping(routine: Routine, at: int, innermost: bool) -> list[m.Step]:
    """List the statements that keep values at a place, the outermost first."""
    step, *around = routine.around(at)
    # Only while it waits: these call no routine, so further out they cannot be under way.
    own = isinstance(step, AWAITING) and not isinstance(step, m.RandomValue) and innermost
    listed = [each for each in around if isinstance(each, KEEPING)]
    return [*reversed(listed), *([step] if own or isinstance(step, m.Simultaneous) else [])]


def is_at_rest(rules: Rules, state: State) -> bool:
    """Test whether the play goes no further from the state without an event. Raises SpecFault."""
    if not state.frames:
        return True
    run = Run(rules, state)
    step = run.step
    match step:
        case m.Decide():
            # A decision that is passed over in play is no place to stop.
            return run.frame.slots[0] is not None and is_asked(run, run.frame.slots[0])
        case m.Simultaneous():
            return all_stated(run, step) is Next.WAIT
        case m.RandomValue():
            return bool(random_values(run, step))
        case _:
            # The statement must wait in this state, and not after moving pieces by itself.
            return go_on_drawing(run) is Next.WAIT and run.state() == state
