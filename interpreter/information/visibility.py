"""What a player may know of a state, and of an event.

Of a state: open states and zones; private ones whose first index he is; of all other zones only how many pieces lie
there; what is awaited and from whom (who is not asked is what everybody can tell, see `reference/partial.py`); what he
has stated himself in a choice that is still being made together. What he remembers is another matter: that is his view
of the log, event by event.

Of an event: a piece that comes to light is seen by those who see where it came from or where it went; a choice made
together by who made it, while others still choose; arguments and dice as `event_visibility.py` has it.
"""

from __future__ import annotations

from typing import Any

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ..state.pools import entries_of

UNSEEN_ACTION = "hidden"
"""The name of a move of which an onlooker sees only that it was made."""


def sees(element: m.Element, indices: tuple[t.Value, ...], player: int | None) -> bool:
    """Whether the player (None: an onlooker) sees what this cell of the element holds."""
    match element.visibility:
        case "open":
            return True
        case "private":
            return player is not None and indices[0] == player
        case "hidden":
            return False


def seat_name(seat: int) -> str:
    """A player as JSON has one."""
    return f"seat({seat + 1})"


def seen_cell(element: m.Element, held: t.Value, is_seen: bool) -> Any:
    """What is told of a cell, as JSON."""
    if not is_seen:
        return {"count": len(entries_of(held))} if element.is_zone else {"hidden": True}
    if element.kind in ("pile", "bag"):
        return [to_json(element.type, piece) for piece in held]
    return None if held is None else to_json(element.type, held)
