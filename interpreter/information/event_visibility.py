"""Event visibility (secrecy): which parts of an event are hidden from some players. Static analysis, once a game.

What a player states is public, except an argument that only names pieces moved between places the onlooker does not
see, or that only sets a state the onlooker does not see. The analysis is a taint analysis: an argument affects
whatever is computed from it, also in the actions that receive it. If it decides whether something public happens, or to
what, everybody can deduce it, and it counts as public. The same holds for the value of a die.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from enum import Enum
from typing import Any

from ludex.grammar import value_class
from ludex.spec import NodeLists, children, free_slots, per_node, piece_flow
from ludex.spec import model as m
from ludex.spec import types as t

from ..state.events import Move


class Unseen(Enum):
    """Placeholder for the part of an event that an onlooker does not see."""

    HIDDEN = "hidden"


HIDDEN = Unseen.HIDDEN


def is_hidden(value: Any) -> bool:
    """Test whether a value, or an item of a list, is not known."""
    return value is HIDDEN or (isinstance(value, tuple) and any(map(is_hidden, value)))


@value_class
class Whose:
    """The players who see a place that a piece comes from or goes to.

    Attributes:
        everybody: all players.
        seat: that player.
        slot: the player in this slot (0: who acts).

    If none is set: nobody, or a player who is not known before play and will see the piece itself.
    """

    everybody: bool = False
    seat: int | None = None
    slot: int | None = None


class Secrecy:
    """Determines which arguments of a game's moves, and which random values, are secret. Computed on first use."""

    def __init__(
        self, game: m.Game, lists: NodeLists | None = None, free: Callable[[Any], frozenset[int]] | None = None
    ) -> None:
        """lists: of the nodes of the game; free: returns the free slots of one. Others may use them, too."""
        self.lists, self.free = lists or NodeLists(), free or per_node(free_slots)
        self._actions = game.actions
        self._stated: dict[str, tuple[dict[str, int], m.Step]] = {}
        self._rolls: dict[tuple[str, int], m.Step] = {}
        self._known: dict[tuple[str, str] | tuple[str, int], list[Whose]] = {}
        self._filled = per_node(self._filled_in)
        for action in game.actions.values():
            given = {name: slot for slot, (name, _) in enumerate(action.parameters, start=1) if name in action.stated}
            self._stated[action.name] = given | _chosen(action.choices), action.body
        for routine in game.routines:
            for node in self.lists.of(routine):
                if node.__class__ is m.BranchOption:
                    self._stated[node.name] = _chosen(node.choices), node.body
                elif node.__class__ is m.RandomValue:
                    self._rolls[node.path, node.slot] = routine.body

    def _of_argument(self, move: str, name: str) -> list[Whose]:
        """Collect who sees the effects of the argument."""
        if (move, name) not in self._known:
            slots, body = self._stated.get(move, ({}, None))
            self._known[move, name] = self._touching(body, {slots[name]}, frozenset()) if name in slots else []
        return self._known[move, name]

    def _of_roll(self, path: str, slot: int) -> list[Whose]:
        if (path, slot) not in self._known:
            self._known[path, slot] = self._touching(self._rolls[path, slot], {slot}, frozenset())
        return self._known[path, slot]

    def view(self, move: Move, player: int | None) -> Move:
        """Hide the arguments of the move that the player may not know."""
        if player == move.player:  # also of pieces that went out of sight: a player remembers the own statements
            return move
        shown = tuple(
            (name, HIDDEN if self._is_secret(move, name, player) else value) for name, value in move.arguments
        )
        return move._replace(arguments=shown)

    def sees_roll(self, roll: m.RandomValue, slots: Sequence[t.Value], player: int | None) -> bool:
        """Test whether the player sees the random value. slots: the frame in which it is drawn."""
        places = self._of_roll(roll.path, roll.slot)
        owners = {slots[place.slot] if place.slot is not None else place.seat for place in places} - {None}
        # A roll that nothing depends on is not secret: somebody threw it on the table.
        return not places or any(place.everybody for place in places) or player in owners

    def may_hide(self, move: str, name: str) -> bool:
        """Test whether this argument of the move is hidden from somebody."""
        places = self._of_argument(move, name)
        return bool(places) and not any(place.everybody for place in places)

    def may_hide_roll(self, roll: m.RandomValue) -> bool:
        """Test whether the random value is hidden from somebody."""
        places = self._of_roll(roll.path, roll.slot)
        return bool(places) and not any(place.everybody for place in places)

    def _is_secret(self, move: Move, name: str, player: int | None) -> bool:
        places, given = self._of_argument(move.action, name), dict(move.arguments)
        # Whose place it is may be an argument of the same move.
        named = {slot: given[name] for name, slot in self._stated.get(move.action, ({}, None))[0].items()}
        for place in places:
            owner = place.seat if place.slot is None else named.get(place.slot)
            if place.everybody or (player is not None and owner == player):
                return False
        return bool(places)

    def _touching(self, body: Any, slots: Set[int], entered: frozenset[str]) -> list[Whose]:
        """Return who sees the effects of a body that depend on these slots. entered: visited actions."""
        places = list[Whose]()
        for place in self._touched(body, self._derived(body, frozenset(slots)), entered):
            if place.everybody:
                return [place]  # no other place makes a difference
            places.append(place)
        return places

    def _touched(self, node: Any, slots: frozenset[int], entered: frozenset[str]) -> Iterator[Whose]:
        """Enumerate who sees the effects of a statement. slots: with all that the body around it derives from them."""
        match node:
            case m.MovePiece(piece=piece, source=source, target=target) if not self._reads(slots, source, target):
                if self._reads(slots, piece):
                    yield from (_whose(source), _whose(target))
            case m.PutPiece(piece=piece, target=zone) | m.RemovePiece(piece=piece, source=zone) if not self._reads(
                slots, zone
            ):
                if self._reads(slots, piece):
                    yield _whose(zone)
            case m.Store(value=value, element=element, indices=indices):
                # The first index of a private state is its owner, who sees the store whatever else depends on it.
                where = indices[1:] if element.visibility == "private" else indices
                if self._reads(slots, value, *where):
                    yield _whose(m.ZoneRef(element, indices))
            case m.Perform(action=name, arguments=arguments) | m.ActionOption(action=name, arguments=arguments):
                given = frozenset(at for at, argument in enumerate(arguments, start=1) if self._reads(slots, argument))
                if given and name not in entered:
                    # Slot 0, who acts, is the same for caller and callee. The callee's other slots mean nothing here.
                    handed_on = self._touching(self._actions[name].body, given, entered | {name})
                    yield from (whose if whose.slot == 0 else replace(whose, slot=None) for whose in handed_on)
            case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions() if self._reads(
                slots, *conditions_of(node)
            ):
                yield from self._done(node, entered)
            case _ if piece_flow(node).resized and self._reads(slots, node):
                # The statement decides which zones change in size, and everybody sees that.
                yield Whose(everybody=True)
            case _:
                for inner in children(node):
                    if not isinstance(inner, m.Typed):
                        yield from self._touched(inner, slots, entered)

    def _done(self, node: Any, entered: frozenset[str]) -> Iterator[Whose]:
        """Enumerate who sees that the statement is carried out at all: the number of pieces in a zone is public."""
        if isinstance(node, m.Store):
            yield _whose(m.ZoneRef(node.element, node.indices))
        elif isinstance(node, m.Perform) and node.action not in entered:
            inside = self._done(self._actions[node.action].body, entered | {node.action})
            yield from (whose if whose.slot == 0 else replace(whose, slot=None) for whose in inside)
        elif isinstance(node, EVENTS) or piece_flow(node).resized:
            yield Whose(everybody=True)
        for inner in children(node):
            if not isinstance(inner, m.Typed):
                yield from self._done(inner, entered)

    def _reads(self, slots: frozenset[int], *parts: Any) -> bool:
        return any(not slots.isdisjoint(self.free(part)) for part in parts)

    def _derived(self, node: Any, slots: frozenset[int]) -> frozenset[int]:
        """Close the slots under assignment: add those that the statement fills with values depending on them."""
        # This repeats until nothing is added, as loops carry values backwards in the text.
        while more := {slot for slot, value in self._filled(node) if slot not in slots and self._reads(slots, value)}:
            slots |= more
        return slots

    def _filled_in(self, node: Any) -> list[tuple[int, m.Expr]]:
        """List the slots that a node fills, each with a value."""
        own = [(node.slot, node.value)] if isinstance(node, m.SetLocal) else []
        own += [(loop.slot, loop.domain) for loop in node.loops] if isinstance(node, m.ForEach) else []
        inside = (child for child in children(node) if not isinstance(child, m.Typed))
        return own + [each for child in inside for each in self._filled(child)]


def _chosen(choices: Iterable[m.Choice]) -> dict[str, int]:
    return {choice.name: choice.slot for choice in choices}


EVENTS = (m.RandomValue, m.Decide, m.EndGameStep)


def conditions_of(node: m.IfStep | m.MatchStep | m.RepeatTimesStep | m.WithStepExceptions) -> tuple[m.Expr, ...]:
    """List the expressions that decide whether, or how often, the parts of the statement are carried out."""
    match node:
        case m.IfStep():
            return (node.condition,)
        case m.MatchStep():
            return (node.subject,)
        case m.RepeatTimesStep():
            return (node.count,)
        case m.WithStepExceptions():
            return tuple(each.condition for each in node.exceptions)


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
