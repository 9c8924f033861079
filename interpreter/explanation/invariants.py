"""Invariants of a state: which claims of the spec's author it breaks, and by which values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludex.grammar import Message
from ludex.spec import Undefined, nodes
from ludex.spec import model as m

from ..event_notation.spoken import glossed
from ..reference import Reference
from ..stack.state import StackState
from .unfolding import Question, Scene, unfold
from .walkthrough import MOST_UNFOLDED, Examined

OF_THE_FLOW = ("to_move", "game_over")
"""The built-in functions whose values are not in the cells of a state."""


def broken_invariants(
    reference: Reference, state: StackState, names: Sequence[str] = (), in_flow: bool = True
) -> Iterator[Examined]:
    """Enumerate the invariants that are false in a state, with the values that decide. Raises OverBudget.

    An invariant that the rules give no value is false; one that depends on what is unknown is not.

    Args:
        names: the players' names by seat.
        in_flow: whether the state is at a place in the flow. If not, statements about that place are left out.
    """
    if not reference.game.invariants:
        return
    run = reference.at(state)
    for invariant in reference.game.invariants:
        if not in_flow and _is_of_flow(invariant):
            continue
        at = Scene(run, (None,) * max(1, invariant.frame_size))
        run.meter.begin()
        holds = run.evaluation.outcome(invariant.condition, dict(enumerate(at.slots)), invariant.path)
        if isinstance(holds, Undefined):
            yield Examined(invariant.path, False, (holds.fault.message,), invariant.span)
        elif holds is False:
            yield Examined(invariant.path, False, _facts(invariant, at, reference.game, names), invariant.span)


def _is_of_flow(invariant: m.Invariant) -> bool:
    """Test whether an invariant says something of the place in the flow: who is to move, whether the game is over."""
    # No define may ask that.
    return any(isinstance(each, m.Builtin) and each.name in OF_THE_FLOW for each in nodes(invariant.condition))


def _facts(invariant: m.Invariant, at: Scene, game: m.Game, names: Sequence[str]) -> tuple[str, ...]:
    """Return the values that decide, then what they rest on."""
    question = Question(invariant.path, invariant.condition.span, (invariant.condition,), at)
    answer, *further = unfold([question], game, names, MOST_UNFOLDED)
    return (*answer.facts, *(each.note.message for each in further))


def broken_words(game: m.Game, broken: Examined, says: str = "why-does-not-hold") -> str:
    """Say which invariant does not hold, and the values: `invariant.men_each (nine men each) does not hold: ...`.

    says: the message, about a `clause`.
    """
    head = Message(says, clause=glossed(game, broken.path))
    return Message("why-facts", head=head, facts=broken.facts) if broken.facts else head
