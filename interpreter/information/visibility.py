"""Definition of observations: what a player may know of a state and of an event.

Of a state, a player sees: open states and zones; private ones whose first index is this player; of all other zones only
the number of pieces; what is awaited and from whom (that a player is not asked is public, see
`../reference/partial_state.py`); the player's own statements in a simultaneous choice that is still under way. What
a player remembers is not part of it: that is the player's view of the log, event by event.

Of an event: a revealed piece is seen by those who see where it came from or where it went; a simultaneous choice by the
player who made it, until all have chosen; arguments and dice as `event_visibility.py` determines.
"""

from __future__ import annotations

from typing import Any

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ..state.events import ChanceEvent, Event
from ..state.pools import entries_of
from .event_visibility import is_hidden

HIDDEN_JSON = {"hidden": True}
"""A value or piece that is not seen, as JSON."""
UNSEEN_ACTION = "hidden"
"""The name of a move of which an onlooker sees only that it was made."""


def is_partial(event: Event) -> bool:
    """Test whether parts of an event are not known."""
    if isinstance(event, ChanceEvent):
        return is_hidden(event.outcome)
    return event.action == UNSEEN_ACTION or any(is_hidden(value) for _, value in event.arguments)


def sees(element: m.Element, indices: tuple[t.Value, ...], player: int | None) -> bool:
    """Test whether the player (None: an onlooker) sees what this cell of the element holds."""
    match element.visibility:
        case "open":
            return True
        case "private":
            return player is not None and indices[0] == player
        case "hidden":
            return False


def seat_name(seat: int) -> str:
    """Write a seat as JSON: `seat(1)` for seat 0."""
    return f"seat({seat + 1})"


def seen_cell(element: m.Element, held: t.Value, is_seen: bool) -> Any:
    """Write a cell as JSON, as somebody sees it; of an unseen zone only the number of pieces."""
    if not is_seen:
        return {"count": len(entries_of(held))} if element.is_zone else HIDDEN_JSON
    if element.kind in ("pile", "bag"):
        return [to_json(element.type, piece) for piece in held]
    return None if held is None else to_json(element.type, held)
