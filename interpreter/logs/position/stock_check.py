"""Check of the pieces in a position: no kind has more than in the game, and none is missing that never leaves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ludex.grammar import Message, enumerated, escaped, value_class
from ludex.spec import SpecFault, free_slots, may_change, piece_flow, show
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import in_each_language
from ...event_notation.writing import NotationWriter
from ...reference import Reference, Rules
from ...stack.routines import PLAY, SETUP
from ...stack.state import StackState
from ...state.pools import entries_of
from ...state.stock import PieceKind, copies_of, inventory
from ...state.zones import indexed
from .. import log_codes
from ..structure import Problem, SeatedTable

LONGEST_SET_UP = 1_000
"""Limit of the set-up that is played to count the pieces after it, in events: one that depends on choices may never
end."""

StockStatement: TypeAlias = m.FillZone | m.PutPiece | m.RemovePiece
"""Statements by which pieces enter and leave the game."""


class Fixed(NamedTuple):
    """The types that always have the same pieces from some point of a game on, and the pieces.

    Attributes:
        begun: when the first event is awaited; set_up: after set-up.
    """

    begun: frozenset[str]
    first: Counter[PieceKind]
    set_up: frozenset[str]
    after: Counter[PieceKind]


@value_class
class StatedAt:
    """Where a position states what it holds: the pointer to that, and the names of the states and zones there."""

    pointer: str
    names: frozenset[str]


_KNOWN: WeakKeyDictionary[Reference, Fixed] = WeakKeyDictionary()


def stock_problems(
    reference: Reference, table: SeatedTable, state: StackState, is_set_up: bool, at: StatedAt
) -> Iterator[Problem]:
    """Enumerate the kinds of components that are in the game too often, or not often enough.

    A piece that stands for another one is one fault: it is there too often, and the hint names the other.

    is_set_up: the play is after set-up; at: where the position states what.
    """
    game = reference.game
    there, most, fixed = inventory(game, state), copies_of(game), fixed_pieces(reference)
    types = {str(element.type): element.type for element in game.elements if element.is_zone}
    wanted = {kind: count for kind, count in fixed.first.items() if kind[0] in fixed.begun}
    of = set(fixed.begun)
    if is_set_up:
        wanted |= {kind: count for kind, count in fixed.after.items() if kind[0] in fixed.set_up}
        of |= fixed.set_up
    created, lost = list[tuple[PieceKind, int]](), list[tuple[PieceKind, int]]()
    for kind in sorted({*there, *wanted}):
        # Where no number is fixed, there may be fewer pieces, but never more than exist.
        has = wanted.get(kind, 0) if kind[0] in of else min(there[kind], most.get(kind, there[kind]))
        (created if there[kind] > has else lost).extend([(kind, has)] if there[kind] != has else [])
    for kind, has in created:
        words, held = _piece_words(game, types[kind[0]], kind[1]), list(_holders(game, state, kind))
        message = Message("position-created", count=str(there[kind]), piece=words, has=_counted(has))
        places = enumerated(dict.fromkeys(table.cell_words(element, indices) for element, indices in held))
        hint = Message("position-lies-in", places=places) if held else None
        # Only a slip of one piece is surely a slip: of several nobody can say which stands for which.
        other = [each for each, _ in lost if each[0] == kind[0]]
        if held and len(created) == len(lost) == len(other) == 1:
            missing = _piece_words(game, types[kind[0]], other[0][1])
            hint = Message("position-stands-for", places=places, missing=missing)
            lost.clear()
        names = [element.name for element, _ in held if element.name in at.names]
        pointer = f"{at.pointer}/{escaped(names[-1])}" if names else at.pointer
        yield Problem(log_codes.POSITION_CREATED, pointer, message, hint)
    for kind, has in lost:
        words = _piece_words(game, types[kind[0]], kind[1])
        message = Message("position-lost", count=_counted(there[kind]), piece=words, has=str(has))
        yield Problem(log_codes.POSITION_LOST, at.pointer, message)


def _holders(game: m.Game, state: StackState, kind: PieceKind) -> Iterator[tuple[m.Element, tuple[t.Value, ...]]]:
    """Yield the places in which a piece of this kind lies openly."""
    for element in game.elements:
        if element.is_zone and str(element.type) == kind[0]:
            for cell, (_, indices) in enumerate(indexed(element), start=element.offset):
                if kind[1] in entries_of(state.cells[cell]):
                    yield element, indices


def _piece_words(game: m.Game, type_: t.Type, piece: t.Value) -> str:
    """Name a kind of piece: `Card king`, in each language by the game's terms."""

    def write(language: str | None) -> str:
        if language is None:
            return f"{type_} {show(type_, piece)}"
        return f"{game.word(str(type_), language) or type_} {NotationWriter(game, (), language).value(type_, piece)}"

    return in_each_language(game, write)


def _counted(count: int) -> str:
    return str(count) if count else Message("position-none")


def fixed_pieces(reference: Reference) -> Fixed:
    """Return which types always have the same pieces. It is found once for each engine."""
    if reference not in _KNOWN:
        rules, game, begun = reference.rules, reference.game, reference.start()
        types = frozenset(str(element.type) for element in game.elements if element.is_zone)
        moving = list(_entering(rules))
        done = _done(rules, begun)
        # A type is fixed from the first event on if nothing enters or leaves after that.
        late = frozenset(_type(step) for name, at, step in moving if name != SETUP or at not in done)
        loose = frozenset(_type(step) for name, at, step in moving if name != SETUP or not _is_certain(rules, at, step))
        after = _after_set_up(reference, begun)
        # A set-up that may end the game need not bring in all pieces.
        may_end = any(isinstance(step, m.EndGameStep) for step in rules.routines[SETUP].statements)
        set_up = frozenset[str]() if after is None or may_end else types - loose
        first = inventory(game, begun)
        _KNOWN[reference] = Fixed(types - late, first, set_up, Counter() if after is None else inventory(game, after))
    return _KNOWN[reference]


def _entering(rules: Rules) -> Iterator[tuple[str, int, StockStatement]]:
    """Enumerate the statements by which pieces enter and leave the game, with their routines and numbers."""
    # The positions of examples are not part of any play.
    examples = {each.given.name for each in rules.game.examples if each.given is not None}
    for routine in rules.routines.values():
        for at, step in enumerate(routine.statements):
            if isinstance(step, StockStatement) and routine.name not in examples:
                yield routine.name, at, step


def _type(step: StockStatement) -> str:
    """Return the name of the type of the statement's pieces."""
    (zone,) = piece_flow(step).changed
    return str(zone.element.type)


def _done(rules: Rules, begun: StackState) -> range:
    """Return the numbers of the statements of set-up that are done permanently when the first event is awaited."""
    setup = rules.routines[SETUP]
    if not begun.frames or begun.frames[0].routine == PLAY:
        return range(len(setup.statements))
    outermost = here = begun.frames[0].at
    while (parent := setup.parents[here]) is not None:
        here = parent
        # A loop may reach the same statement again, so nothing inside it is done permanently.
        if not isinstance(setup.statements[here], m.Sequence):
            outermost = here
    return range(outermost)


def _is_certain(rules: Rules, at: int, step: StockStatement) -> bool:
    """Test whether a statement of set-up brings the same pieces into every play: nothing decides about it."""
    bound, parts = set[int](), [step.pieces if isinstance(step, m.FillZone) else step.piece]
    for around in list(rules.routines[SETUP].around(at))[1:]:
        match around:
            case m.Sequence():
                pass
            case m.ForEach(loops=loops, where=None):
                bound |= {loop.slot for loop in loops}
                parts += [loop.domain for loop in loops]
            case m.RepeatTimesStep(count=count):
                parts.append(count)
            case m.ForEachPlayer(order=order):
                # Slot 0 holds the player.
                bound.add(0)
                parts.append(order)
            case _:
                return False
    # Only what the loops bind is the same in every play.
    return free_slots(*parts) <= bound and not may_change(rules.game.defines, *parts)


def _after_set_up(reference: Reference, state: StackState) -> StackState | None:
    """Play set-up, whatever comes first at each event; None if that does not end, or the rules fail."""
    try:
        for _ in range(LONGEST_SET_UP):
            if not state.frames or state.frames[0].routine == PLAY:
                return state
            chances = reference.chance(state)
            # Whatever comes first, the pieces of the fixed types are the same.
            state = reference.apply(state, chances[0][0] if chances else reference.legal_moves(state)[0])
    except SpecFault:
        pass
    return None
