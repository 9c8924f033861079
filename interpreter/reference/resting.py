"""Resting states: those in which a play stops, because its statement needs an event to go on."""

from __future__ import annotations

from ludex.spec import model as m

from ..stack.state import StackState
from .chance import go_on_drawing, random_values
from .control import Next
from .decisions import is_asked
from .flow import await_choices
from .run import Rules, Run


def is_at_rest(rules: Rules, state: StackState) -> bool:
    """Test whether the play goes no further from the state without an event. Raises SpecFault."""
    if not state.frames:
        return True
    run = Run(rules, state)
    step = run.step
    match step:
        case m.Decide():
            # A play does not stop at a decision that is passed over.
            return run.frame.slots[0] is not None and is_asked(run, run.frame.slots[0])
        case m.Simultaneous():
            return await_choices(run, step) is Next.WAIT
        case m.RandomValue():
            return bool(random_values(run, step))
        case _:
            # The statement must wait in this state, and not after moving pieces by itself. A state that was read may
            # number its pools in another order.
            before = run.state()
            return go_on_drawing(run) is Next.WAIT and run.state() == before
