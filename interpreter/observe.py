"""What a player sees of a state of the engine of closures, and of an event (see `visibility.py`)."""

from __future__ import annotations

from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from .events import DECLINE, ChanceEvent, Event, Move
from .instructions import DECLINED, Chance, Hidden, Random, Together, as_player
from .machine import Machine, Running
from .secrecy import HIDDEN, Secrecy
from .state import State
from .veil import veiled
from .visibility import UNSEEN_ACTION, seat_name, seen_cell, sees
from .zones import Place

# ---- states


def seen_by(machine: Machine, state: State, player: int) -> State:
    """The state as the player sees it: what lies where that player cannot look is veiled (`veil.py`)."""
    unseen = [
        (element, element.offset + at)
        for element in machine.game.elements
        for at, (_, indices) in enumerate(machine.cells_of[element.name])
        if not sees(element, indices, player)
    ]
    return veiled(state, unseen)


Told: TypeAlias = dict[tuple[str, int | None, tuple[t.Value, ...]], Any]
"""The JSON of what elements have held, by who looks: in the course of a play much stays as it was."""


def observation(machine: Machine, state: State, player: int | None, told: Told | None = None) -> dict[str, Any]:
    """What the player may know of the state now, as JSON. Players are named as in the language, `seat(1)`; values are
    written as in logs; a pile's top comes last.

    told: kept from one observation to the next; parts of what is returned are then shared, and must not be changed."""
    told = {} if told is None else told
    seen: dict[str, Any] = {"player": None if player is None else seat_name(player), **_awaited(machine, state)}
    zones = [element for element in machine.game.elements if element.is_zone]
    states = [element for element in machine.game.elements if not element.is_zone]
    seen["states"] = {element.name: _element(machine, state, element, player, told) for element in states}
    seen["zones"] = {element.name: _element(machine, state, element, player, told) for element in zones}
    instruction = machine.standing_at(state)
    if isinstance(instruction, Together) and player is not None:
        seen["stated"] = _stated(machine.game, instruction, state, player)
    return seen


def _awaited(machine: Machine, state: State) -> dict[str, Any]:
    match machine.standing_at(state):
        case None:
            return {"awaits": "nothing", "to_move": []}
        case Chance(statement=statement):
            return {"awaits": "chance", "to_move": [], "chance": statement.path}
        case Together() as decision:
            waiting = decision.waiting(Running(machine), state, state.frames[-1])
            return {"awaits": "move", "to_move": [seat_name(seat) for seat in waiting]}
        case _:
            return {"awaits": "move", "to_move": [seat_name(state.frames[-1].slots[0])]}


def _element(machine: Machine, state: State, element: m.Element, player: int | None, told: Told) -> Any:
    """What the player sees of one element: of one cell, or of each by its indices as the language writes them."""
    held = tuple(state.cells[element.offset : element.offset + element.count])
    key = (element.name, None if element.visibility == "open" else player, held)
    if key not in told:
        told[key] = _shown(machine, element, held, player)
    return told[key]


def _shown(machine: Machine, element: m.Element, held: tuple[t.Value, ...], player: int | None) -> Any:
    cells = {
        name: seen_cell(element, cell, sees(element, indices, player))
        for (name, indices), cell in zip(machine.cells_of[element.name], held, strict=True)
    }
    return cells if element.indices else cells[""]


def _stated(game: m.Game, instruction: Together, state: State, player: int) -> Any:
    said = state.frames[-1].slots[instruction.stated][player]
    if said is None:
        return None
    if said == DECLINED:
        return {"action": DECLINE, "args": {}}
    option = instruction.options[said[0]]
    given = dict(option.given(option.open(state, as_player(state.frames[-1].slots, player))))
    args = {each.name: to_json(each.type, given[each.name]) for each in option.stated}
    args |= {choice.name: to_json(choice.type, value) for choice, value in zip(option.choices, said[1], strict=True)}
    return {"action": option.name, "args": args}


# ---- events


def view_of_event(machine: Machine, secrecy: Secrecy, state: State, event: Event, player: int | None) -> Event:
    """The event, legal in the state, as the player sees it when it happens."""
    instruction = machine.standing_at(state)
    if isinstance(event, ChanceEvent):
        if isinstance(instruction, Random):
            assert isinstance(instruction.statement, m.RandomValue)
            seen = secrecy.sees_roll(instruction.statement, state.frames[-1].slots, player)
            return event if seen else ChanceEvent(event.path, HIDDEN)
        if not isinstance(instruction, Hidden):
            return event
        places = instruction.located(state.frames[-1].slots)
        seen = any(sees(place.element, _indices(machine, place), player) for place in places)
        return event if seen else ChanceEvent(event.path, HIDDEN)
    if isinstance(instruction, Together) and event.player != player:
        return Move(event.player, UNSEEN_ACTION)
    return secrecy.view(event, player)


def _indices(machine: Machine, place: Place) -> tuple[t.Value, ...]:
    _, indices = machine.cells_of[place.element.name][place.cell - place.element.offset]
    return indices
