"""What a player may know of a state, and of an event.

Of a state: open states and zones; private ones whose first index he is; of all other zones only how many pieces lie
there; what is awaited and from whom; what he has stated himself in a choice that is still being made together (where
all who have not stated theirs count as awaited: who has nothing to choose may hang on what others do not see). What he
remembers is another matter: that is his view of the log, event by event.

Of an event: a piece that comes to light is seen by those who see where it came from or where it went; what a die shows
by everybody, unless it only serves to name a piece that is laid where not everybody sees it. What a player
states is said aloud, save a choice made together while others still choose, and save an argument that only serves to
name pieces moved between places that the onlooker does not see, or to say what he does not see of a state. Whether it
does is read off the text: an argument that is moved under its own name (also by an action that it is handed to), and
each time between two such places; or that stands in an assignment to such a state, and in no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from .evaluate import Slots
from .events import ChanceEvent, Event, Move
from .instructions import Chance, Hidden, Random, Together
from .machine import Machine
from .pools import entries_of
from .state import State
from .walk import children, free_slots, nodes
from .zones import Place


class Unseen(Enum):
    """Stands where an event holds what an onlooker does not see."""

    HIDDEN = "hidden"


HIDDEN = Unseen.HIDDEN
UNSEEN_ACTION = "hidden"
"""The name of a move of which an onlooker sees only that it was made."""

# ---- states


def sees(element: m.Element, indices: tuple[t.Value, ...], player: int | None) -> bool:
    """Whether the player (None: an onlooker) sees what this cell of the element holds."""
    match element.visibility:
        case "open":
            return True
        case "private":
            return player is not None and indices[0] == player
        case "hidden":
            return False


def observation(machine: Machine, state: State, player: int | None) -> dict[str, Any]:
    """What the player may know of the state now, as JSON. Seats count from 1; a pile's top comes last."""
    seen: dict[str, Any] = {"player": None if player is None else player + 1, **_awaited(machine, state)}
    zones = [element for element in machine.game.elements if element.is_zone]
    states = [element for element in machine.game.elements if not element.is_zone]
    seen["states"] = {element.name: _element(machine, state, element, player) for element in states}
    seen["zones"] = {element.name: _element(machine, state, element, player) for element in zones}
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
        case Together(stated=slot):
            said = state.frames[-1].slots[slot]
            return {"awaits": "move", "to_move": [seat + 1 for seat, choice in enumerate(said) if choice is None]}
        case _:
            return {"awaits": "move", "to_move": [state.frames[-1].slots[0] + 1]}


def _element(machine: Machine, state: State, element: m.Element, player: int | None) -> Any:
    """What the player sees of one element: of one cell, or of each by its indices as the language writes them."""
    cells = {
        name: _cell(state, element, element.offset + at, indices, player)
        for at, (name, indices) in enumerate(machine.cells_of[element.name])
    }
    return cells if element.indices else cells[""]


def _cell(state: State, element: m.Element, cell: int, indices: tuple[t.Value, ...], player: int | None) -> Any:
    held = state.cells[cell]
    if not sees(element, indices, player):
        return {"count": len(entries_of(held))} if element.is_zone else {"hidden": True}
    if element.kind in ("pile", "bag"):
        return [to_json(element.type, piece) for piece in held]
    return None if held is None else to_json(element.type, held)


def _stated(game: m.Game, instruction: Together, state: State, player: int) -> Any:
    said = state.frames[-1].slots[instruction.stated][player]
    if said is None:
        return None
    option = instruction.options[said[0]]
    args = {choice.name: to_json(choice.type, value) for choice, value in zip(option.choices, said[1], strict=True)}
    return {"action": option.name, "args": args}


# ---- events


@dataclass(frozen=True, slots=True)
class Whose:
    """Who sees a place that a piece comes from or goes to.

    everybody: all. seat: that player. slot: the player in this slot (0: who acts). None of these: nobody, or somebody
    who cannot be told before play; he will see the piece itself."""

    everybody: bool = False
    seat: int | None = None
    slot: int | None = None


class Secrecy:
    """Which arguments of a game's moves, and which values that come up by chance, name pieces in secret; read off the
    text once."""

    def __init__(self, game: m.Game) -> None:
        self._actions = game.actions
        self._places: dict[tuple[str, str], list[Whose]] = {}
        self._slots: dict[str, dict[int, str]] = {}
        self._rolled: dict[tuple[str, int], list[Whose]] = {}
        for action in game.actions.values():
            self._note(action.name, action.choices, action.body)
        for routine in (game.setup, game.play, *game.actions.values()):
            if routine is None:
                continue
            for node in nodes(routine.body):
                if isinstance(node, m.BranchOption):
                    self._note(node.name, node.choices, node.body)
                elif isinstance(node, m.RandomValue):
                    self._rolled[node.path, node.slot] = list(self._touched(routine.body, node.slot, frozenset()))

    def _note(self, move: str, choices: Iterable[m.Choice], body: m.Step) -> None:
        self._slots[move] = {choice.slot: choice.name for choice in choices}
        for choice in choices:
            self._places[move, choice.name] = list(self._touched(body, choice.slot, frozenset()))

    def view(self, move: Move, player: int | None) -> Move:
        """The move as the player hears of it."""
        if player == move.player:
            return move
        shown = tuple(
            (name, HIDDEN if self._is_secret(move, name, player) else value) for name, value in move.arguments
        )
        return replace(move, arguments=shown)

    def sees_roll(self, roll: Random, slots: Slots, player: int | None) -> bool:
        """Whether the player sees what comes up. slots: of the frame in which it does."""
        places = self._rolled[roll.statement.path, roll.slot]
        owners = {slots[place.slot] if place.slot is not None else place.seat for place in places} - {None}
        return not places or any(place.everybody for place in places) or player in owners

    def _is_secret(self, move: Move, name: str, player: int | None) -> bool:
        places, given = self._places.get((move.action, name), ()), dict(move.arguments)
        for place in places:
            owner = place.seat if place.slot is None else given.get(self._slots[move.action].get(place.slot, ""))
            if place.everybody or (player is not None and owner == player):
                return False
        return bool(places)

    def _touched(self, node: Any, slot: int, entered: frozenset[str]) -> Iterator[Whose]:
        """The places that the piece named in the slot comes from and goes to. entered: actions gone into so far."""
        match node:
            case m.MovePiece(piece=piece, source=source, target=target) if piece is not None and _is(piece, slot):
                yield from (_whose(source), _whose(target))
            case m.PutPiece(piece=piece, target=zone) | m.RemovePiece(piece=piece, source=zone) if _is(piece, slot):
                yield _whose(zone)
            case m.Store(value=value, element=element, indices=indices) if slot in free_slots(value, *indices[1:]):
                yield _whose(m.ZoneRef(element, indices))
            case m.Perform(action=name, arguments=arguments) | m.ActionOption(action=name, arguments=arguments):
                for parameter, argument in enumerate(arguments, start=1):
                    if _is(argument, slot) and name not in entered:
                        body = self._actions[name].body
                        handed_on = self._touched(body, parameter, entered | {name})
                        yield from (whose if whose.slot == 0 else replace(whose, slot=None) for whose in handed_on)
            case _:
                for inner in children(node):
                    yield from self._touched(inner, slot, entered)


def view_of_event(machine: Machine, secrecy: Secrecy, state: State, event: Event, player: int | None) -> Event:
    """The event, legal in the state, as the player sees it when it happens."""
    instruction = machine.standing_at(state)
    if isinstance(event, ChanceEvent):
        if isinstance(instruction, Random):
            seen = secrecy.sees_roll(instruction, state.frames[-1].slots, player)
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


def _is(expr: m.Expr, slot: int) -> bool:
    inner = expr.operand if isinstance(expr, m.Checked) else expr
    return isinstance(inner, m.Local) and inner.slot == slot


def _whose(zone: m.ZoneRef) -> Whose:
    if zone.element.visibility == "open":
        return Whose(everybody=True)
    if zone.element.visibility == "hidden":
        return Whose()
    owner = zone.indices[0].operand if isinstance(zone.indices[0], m.Checked) else zone.indices[0]
    match owner:
        case m.Local(slot=slot):
            return Whose(slot=slot)
        case m.Constant(value=value, type=t.PlayerType()):
            return Whose(seat=value)
        case _:
            return Whose()
