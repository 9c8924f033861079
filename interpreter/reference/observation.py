"""Observations: what a player may know of a state and of an event, by `../information/visibility.py`."""

from __future__ import annotations

from typing import Any

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ..information.event_visibility import HIDDEN
from ..information.visibility import UNSEEN_ACTION, seat_name, seen_cell, sees
from ..stack.places import AWAITING
from ..stack.state import DECLINED
from ..state.events import DECLINE, ChanceEvent, Event, Move
from ..state.zones import ZoneCell
from .chance import places
from .decisions import option_at, to_move
from .run import Run


def observation(run: Run, player: int | None) -> dict[str, Any]:
    """Return what the player (None: an onlooker) may know of the state now, as JSON."""
    seen: dict[str, Any] = {"player": None if player is None else seat_name(player)}
    step = run.step if run.frames else None
    seen["awaits"] = "nothing" if step is None else "chance" if isinstance(step, AWAITING) else "move"
    seen["to_move"] = [seat_name(seat) for seat in to_move(run)]
    if isinstance(step, AWAITING):
        seen["chance"] = step.path
    for kind, is_zone in (("states", False), ("zones", True)):
        elements = [element for element in run.game.elements if element.is_zone == is_zone]
        seen[kind] = {element.name: _element(run, element, player) for element in elements}
    # Players see their own choice at once; that of others is not shown before all have chosen.
    if isinstance(step, m.Simultaneous) and player is not None:
        seen["stated"] = _stated(run, player)
    return seen


def _element(run: Run, element: m.Element, player: int | None) -> Any:
    contents = run.cells[element.offset : element.offset + element.count]
    cells = {
        name: seen_cell(element, cell, sees(element, indices, player))
        for (name, indices), cell in zip(run.rules.cells_of[element.name], contents, strict=True)
    }
    return cells if element.indices else cells[""]


def _stated(run: Run, player: int) -> Any:
    stated = run.frame.kept[-1][player]
    if stated is None:
        return None
    if stated == DECLINED:
        return {"action": DECLINE, "args": {}}
    option = option_at(run, player, stated[0])
    return {
        "action": option.name,
        "args": {name: to_json(of, value) for name, of, value in option.arguments(stated[1])},
    }


def view_of_event(run: Run, event: Event, player: int | None) -> Event:
    """Return the event, legal now, as the player sees it when it happens."""
    secrecy, step = run.rules.names.secrecy, run.step
    if isinstance(event, Move):
        if isinstance(step, m.Simultaneous) and event.player != player:
            return Move(event.player, UNSEEN_ACTION)
        return secrecy.view(event, player)
    if isinstance(step, m.RandomValue):
        seen = secrecy.sees_roll(step, run.frame.slots, player)
    else:
        # Who sees either end of the move sees the piece.
        seen = any(sees(place.element, indices_of(run, place), player) for place in places(run))
    return event if seen else ChanceEvent(event.path, HIDDEN)


def receiver(run: Run) -> int | None:
    """Return the seat of the player whose place receives the piece of the awaited chance event; None if it is nobody's
    place."""
    if isinstance(run.step, m.RandomValue):
        return None
    _, target = places(run)
    kinds = target.element.indices
    return indices_of(run, target)[0] if kinds and isinstance(kinds[0], t.PlayerType) else None


def indices_of(run: Run, place: ZoneCell) -> tuple[Any, ...]:
    """Return the values that identify a place."""
    _, indices = run.rules.cells_of[place.element.name][place.cell - place.element.offset]
    return indices
