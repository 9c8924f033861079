"""Decks: pieces of one type that never mix unseen, so that everybody knows how many of each deck lie in a place.

Two decks are filled with different pieces. They mix if a place may hold pieces of both from which pieces go on unseen:
then nobody can distinguish their decks. They also mix if it is unknown which pieces a deck is filled with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import prod

from ludex.spec import NotConstant, free_slots, piece_flow, value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ..reference.run import Rules
from ..state.events import SpecFault
from ..state.zones import cell_of, each_piece, piece_lister

MOST_FILLED = 500
"""If a statement fills more places than this, their pieces are not computed."""


@lru_cache(16)
def decks_of(rules: Rules) -> dict[tuple[str, t.Value], int]:
    """Return the deck of each kind of piece, by its type and itself. Kinds that are left out are all of one deck."""
    decks: dict[tuple[str, t.Value], int] = {}
    # Pieces that always lie open need no decks: everybody sees which they are.
    hidden = {str(each.type) for each in rules.game.elements if each.is_zone and each.visibility != "open"}
    for of in hidden:
        filled = _filled(rules, of)
        if filled is not None:
            decks |= {(of, kind): deck for kind, deck in _apart(rules, of, filled).items()}
    return decks


def moves_in(rules: Rules) -> Iterator[tuple[m.ZoneRef, m.ZoneRef]]:
    """Enumerate the zones between which pieces move."""
    steps = (step for routine in rules.routines.values() for step in routine.statements)
    for each in (*rules.game.refills, *steps):
        yield from piece_flow(each).moved


def cells_between(rules: Rules, source: m.ZoneRef, target: m.ZoneRef) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the cells of two zones between which pieces may move: those of one player, if they stay with one."""
    is_same, groups = _same_owner(source, target), defaultdict[t.Value, tuple[list[int], list[int]]](lambda: ([], []))
    for side, element in enumerate((source.element, target.element)):
        for cell, (_, indices) in enumerate(rules.cells_of[element.name], start=element.offset):
            groups[indices[0] if is_same else None][side].append(cell)
    yield from groups.values()


def _same_owner(source: m.ZoneRef, target: m.ZoneRef) -> bool:
    """Return whether pieces stay with one player on the way."""
    owners = [zone.indices[0] if zone.indices else None for zone in (source, target)]
    # An index of a smaller type is checked, which does not change whose it is.
    named = [each.operand if isinstance(each, m.Checked) else each for each in owners]
    return (
        all(isinstance(each, m.Local) and isinstance(each.type, t.PlayerType) for each in named)
        and named[0] == named[1]
    )


def _filled(rules: Rules, of: str) -> list[tuple[int, frozenset[t.Value]]] | None:
    """List the cells that are filled with pieces of a type, with their kinds; None if that depends on the play."""
    filled: list[tuple[int, frozenset[t.Value]]] = []
    for routine in rules.routines.values():
        for step in routine.statements:
            match step:
                case m.FillZone(zone=zone, pieces=pieces) if str(zone.element.type) == of:
                    listed = piece_lister(pieces.type)
                case m.PutPiece(target=zone, piece=pieces) if str(zone.element.type) == of:
                    listed = each_piece(pieces, step)
                case _:
                    continue
            slots = sorted(free_slots(pieces, *zone.indices))
            # Every value that the slots may have is tried: in a loop over the players, each hand is filled.
            types = [t.PlayerType(rules.game.players) if slot == 0 else _type(routine.locals, slot) for slot in slots]
            sizes = [t.size(each) if each is not None else None for each in types]
            if prod(MOST_FILLED + 1 if size is None else size for size in sizes) > MOST_FILLED:
                return None
            for values in product(*(t.values(each) for each in types if each is not None)):
                frame = dict(zip(slots, values, strict=True))
                try:
                    indices = [value_of(index, frame, rules.game.defines) for index in zone.indices]
                    kinds = frozenset(listed(value_of(pieces, frame, rules.game.defines)))
                except (NotConstant, SpecFault):
                    return None
                filled.append((cell_of(zone.element, indices), kinds))
    return filled


def _type(slots: Mapping[int, tuple[str, t.Type]], slot: int) -> t.Type | None:
    return slots[slot][1] if slot in slots else None


def _apart(rules: Rules, of: str, filled: list[tuple[int, frozenset[t.Value]]]) -> dict[t.Value, int]:
    """Return the deck of each kind."""
    onward, unseen = defaultdict[int, set[int]](set), set[int]()
    for source, target in moves_in(rules):
        if str(source.element.type) == of:
            for sources, targets in cells_between(rules, source, target):
                for cell in sources:
                    onward[cell].update(targets)
                    if "open" not in (source.element.visibility, target.element.visibility):
                        unseen.add(cell)
    kinds = defaultdict[int, set[t.Value]](set)
    for cell, pieces in filled:
        kinds[cell] |= pieces
    reached = {cell: frozenset({cell}) for cell in kinds}
    waiting = list(reached)
    while waiting:
        cell = waiting.pop()
        for further in onward[cell]:
            origins = reached.get(further, frozenset()) | reached[cell]
            # Origins only ever get more, so this ends (a fixed point).
            if origins != reached.get(further):
                reached[further] = origins
                waiting.append(further)
    decks = {cell: cell for cell in kinds}

    def join(cells: frozenset[int]) -> None:
        old, new = {decks[cell] for cell in cells}, min(decks[cell] for cell in cells)
        decks.update((cell, new) for cell, deck in decks.items() if deck in old)

    # From such a cell pieces move unseen, so decks that meet there can no longer be distinguished.
    for cell in unseen & reached.keys():
        join(reached[cell])
    # All pieces of a kind belong to one deck: a piece shows its kind, and not its origin.
    for kind in {kind for pieces in kinds.values() for kind in pieces}:
        join(frozenset(cell for cell, pieces in kinds.items() if kind in pieces))
    return {kind: decks[cell] for cell, pieces in kinds.items() for kind in pieces}
