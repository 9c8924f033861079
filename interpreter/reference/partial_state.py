"""Partial states: states in which everything is unknown that a player, or the public, does not see.

Whether a player has anything to decide may depend on cards that only this player sees. If the decision were skipped,
the others would know. So the rules are evaluated in the public state, too (`ludex.spec.Evaluation`, partial knowledge):
a decision is skipped only if no option has a legal instance there, either. The reasons for refusing a player's move are
evaluated in the state as that player sees it.

The number of pieces in a place is public. A state that is not seen is unknown, even whether it has a value; so is a
routine's slot if its value may be computed from concealed values, or chosen or rolled in secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.spec import Unknown, UnknownContent, UnknownPiece
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.visibility import sees
from ..stack.state import Frame
from ..state.contents import Ticket
from .control import Mode

if TYPE_CHECKING:
    from .run import Run


def seen_by(run: Run, player: int | None) -> Run:
    """Return the run with everything unknown that the player does not see; None: that not everybody sees."""
    seen = run.within([_seen_frame(run, frame) for frame in run.frames], Mode(True, is_public=player is None))
    for element in run.game.elements:
        if element.visibility != "open":
            for cell, (_, indices) in enumerate(run.rules.cells_of[element.name], start=element.offset):
                if not sees(element, indices, player):
                    seen.cells[cell] = _seen(element, seen.cells[cell])
    return seen


def _seen(element: m.Element, held: t.Value) -> t.Value:
    # Even whether a state has a value is concealed; of a place the number of pieces is public.
    if not element.is_zone:
        return UnknownContent()
    if isinstance(held, tuple) and not isinstance(held, Ticket):
        return tuple([_piece(entry) for entry in held])
    return None if held is None else _piece(held)


def _piece(entry: t.Value) -> t.Value:
    # A ticket is already unknown to everybody.
    return entry if type(entry) is Ticket else UnknownPiece()


def _seen_frame(run: Run, frame: Frame) -> Frame:
    secret = run.rules.secret
    slots = enumerate(frame.slots)
    return frame._replace(slots=tuple([Unknown() if (frame.routine, at) in secret else held for at, held in slots]))
