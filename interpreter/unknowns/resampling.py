"""Resampling: a state drawn from what one player may know.

It depends on what the player sees at this moment (`../information/visibility.py`) and on what everybody can infer from
the rules, not on the history of play:

- Pieces that the player does not see are dealt again. Two places exchange pieces only if the rules move pieces unseen
  from one to the other, or from a third to both: hands and the deck that they are dealt from, but not hands that are
  filled with cards of their own. Among the places of such an exchange, with the pools of pieces that nobody has seen
  (`../state/pools.py`), every arrangement is equally likely in which each place has as many pieces of each deck as
  before (`decks.py`). Tickets of a pool stay where they are.
- A die that was rolled in secret, and stored in a state or put into a zone, is rolled again. A value that was chosen
  or computed becomes any of its type.
- What another player has chosen in a simultaneous decision is drawn from that player's legal moves.
- What a routine under way remembers stays, and so do the pieces that it names; otherwise it could not continue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from ludex.spec import NotConstant, free_slots, listed, value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ..generator import Generator
from ..information.visibility import sees
from ..play.engine import Engine
from ..program import State
from ..reference import Reference
from ..reference.run import Rules
from ..stack.places import keeping
from ..stack.routines import Routine
from ..stack.state import DECLINED, Frame, StackState, StatedChoice
from ..state.api_arguments import checked, checked_seat
from ..state.contents import Pools, Ticket
from ..state.events import SpecFault
from ..state.pools import PoolEntry, arranged, entries_of
from ..state.stock import PieceKind
from .decks import cells_between, decks_of, moves_in

MOST_DRAWS = 200
"""The largest number of draws to find a state that the player cannot distinguish from the given one."""

Slot: TypeAlias = tuple[list[PoolEntry], int]
"""The entries of a zone or pool, and the place of one of them."""


@checked(engine=Engine, state=State, generator=Generator)
def resample(engine: Engine, state: State, player: int, generator: Generator) -> State:
    """Draw a state that the player cannot distinguish from the given one, by this player's observation.

    In it `observe` and `legal_moves` are the same for the player. Pieces that the player does not see are dealt again,
    uniformly, among the places that they may lie in, each place with as many of each deck as before; dice rolled in
    secret are rolled again; choices that others have made unseen are made again. Values computed from what was rolled
    or chosen are uniform, even where the rules make some likelier (the sum of two dice). No piece is created or lost.

    The player's memory of the play, and conclusions from it, are ignored: a piece that was passed on, seen and covered,
    or put back, and whatever a choice of another player reveals. Values of a routine under way, and the pieces that it
    names, are not redrawn.

    Args:
        player: a seat.
        generator: decides what is drawn; in the same state it draws the same state again.

    Raises OverBudget if no such state is found in 200 draws, because the player's legal moves give away too much.
    """
    checked_seat(player, engine.game.players)
    # The player also sees the legal moves, which may depend on hidden values.
    moves = engine.legal_moves(state, player)
    seen = engine.observer.glimpse(state, player)
    given, chosen = _without_choices(engine, engine.to_reference(state), player)
    # This is rejection sampling: whatever else the player sees follows from the rules, so a draw is kept only if all
    # of it is the same.
    for _ in range(MOST_DRAWS):
        drawn = engine.from_reference(_redrawn(engine.reference, given, player, generator))
        for seat in chosen:
            # Legal moves depend on the new hand, so they are asked after the pieces are dealt.
            if choices := engine.legal_moves(drawn, seat):
                engine.advance(drawn, generator.choice(choices))
        if engine.observer.glimpse(drawn, player) == seen and engine.legal_moves(drawn, player) == moves:
            return drawn
    statement = engine.statement(state)
    raise engine.meter.over(*(("play", engine.game.play.body.span) if statement is None else _place(statement)))


def _place(statement: m.Statement) -> tuple[str, Any]:
    return statement.path, statement.span


def _without_choices(engine: Engine, state: StackState, player: int) -> tuple[StackState, tuple[int, ...]]:
    """Take back what other players have chosen in a simultaneous decision that waits; return who had chosen."""
    if not state.frames or not isinstance(_statement(engine.reference.rules, state.frames[-1]), m.Simultaneous):
        return state, ()
    *outer, innermost = state.frames
    *kept, choices = innermost.kept
    # The player's own choice is known to the player, and stays.
    taken = tuple(seat for seat, choice in enumerate(choices) if choice is not None and seat != player)
    left = tuple(None if seat in taken else choice for seat, choice in enumerate(choices))
    return replace(state, frames=(*outer, innermost._replace(kept=(*kept, left)))), taken


def _statement(rules: Rules, frame: Frame) -> m.Step:
    return rules.routines[frame.routine].statements[frame.at]


def _redrawn(reference: Reference, state: StackState, player: int, generator: Generator) -> StackState:
    """Redraw the pieces and values that the player does not see."""
    rules, run = reference.rules, reference.at(state)
    origins, named = _origins(rules), set(_named(rules, state.frames))
    held: dict[int, list[PoolEntry]] = {}
    pools = [list(pool) for pool in state.pools]
    dealt, undealt = defaultdict[tuple[int, str], list[Slot]](list), defaultdict[int, set[int]](set)
    for element in rules.game.elements:
        values = origins.secret.get(element.name, ())
        for cell, (_, indices) in enumerate(rules.cells_of[element.name], start=element.offset):
            if sees(element, indices, player):
                continue
            # A list that is changed in place below, by the slots that refer to it, and put back at the end.
            entries = held[cell] = list(entries_of(run.cells[cell]) if element.is_zone else (run.cells[cell],))
            for at, entry in enumerate(entries):
                if isinstance(entry, Ticket):
                    undealt[origins.exchange[cell]] |= _pools_in(state.pools, entry.pool)
                # A routine that remembers a piece would continue with one that has gone elsewhere.
                elif entry is None or (str(element.type), entry) in named:
                    pass
                elif values:
                    entries[at] = generator.choice(values)
                elif element.is_zone:
                    dealt[origins.exchange[cell], str(element.type)].append((entries, at))
    for (exchange, of), slots in dealt.items():
        # The order is fixed, which that of a set is not: one generator draws the same state each time.
        inside = [pools[number] for number in sorted(undealt[exchange])]
        slots += [(pool, at) for pool in inside for at, entry in enumerate(pool) if not isinstance(entry, Ticket)]
        by_deck = defaultdict[int | None, list[Slot]](list)
        for entries, at in slots:
            by_deck[origins.decks.get((of, entries[at]))].append((entries, at))
        # Pieces are exchanged within a deck only, so that each place keeps its number of each, which everybody knows.
        for deck in by_deck.values():
            _deal(deck, generator)
    for element in rules.game.elements:
        for cell in range(element.offset, element.offset + element.count):
            if entries := held.get(cell, []):
                whole = arranged(entries) if element.kind == "bag" else tuple(entries)
                run.put(cell, whole if element.kind in ("pile", "bag") else entries[0])
    run.set_pools(map(arranged, pools))
    return run.state()


def _deal(slots: list[Slot], generator: Generator) -> None:
    """Shuffle the pieces of the slots among them (Fisher and Yates)."""
    pieces = [entries[at] for entries, at in slots]
    for entries, at in slots:
        drawn = generator.below(len(pieces))
        pieces[drawn], pieces[-1] = pieces[-1], pieces[drawn]
        entries[at] = pieces.pop()


def _pools_in(pools: Pools, number: int) -> set[int]:
    """Return the number of a pool, and those of the pools in it."""
    return {number}.union(*(_pools_in(pools, each.pool) for each in set(pools[number]) if isinstance(each, Ticket)))


# ---- what routines remember


def _named(rules: Rules, frames: Sequence[Frame]) -> Iterator[PieceKind]:
    """Enumerate the pieces, and other values, that the routines under way remember."""
    for frame in frames:
        routine = rules.routines[frame.routine]
        for slot, held in enumerate(frame.slots):
            if slot in routine.locals:
                yield from _values(routine.locals[slot][1], held)
        for step, kept in zip(keeping(routine, frame.at, frame is frames[-1]), frame.kept, strict=False):
            if isinstance(step, m.ForEach):
                for loop, items in zip(step.loops, kept, strict=False):
                    yield from ((str(loop.type), item) for item in items)
            elif isinstance(step, m.Simultaneous):
                for choice in kept:
                    yield from _chosen(rules, step, choice)


def _chosen(rules: Rules, step: m.Simultaneous, choice: StatedChoice | None) -> Iterator[PieceKind]:
    if choice is not None and choice != DECLINED:
        option = step.options[choice[0]]
        made = option if isinstance(option, m.BranchOption) else rules.game.actions[option.action]
        for each, value in zip(made.choices, choice[1], strict=True):
            yield from _values(each.type, value)


def _values(type_: t.Type, held: t.Value) -> Iterator[PieceKind]:
    of = t.strip_optional(type_)
    inner = t.element_type(of)
    yield from ((str(of), held),) if inner is None else ((str(inner), item) for item in held or ())


# ---- where pieces come from


@dataclass(frozen=True, slots=True)
class Origins:
    """The possible origins of unseen pieces.

    Attributes:
        exchange: for each cell that somebody may not see, the number of its exchange: cells between which pieces move.
        secret: the names of states and zones that hold values chosen or rolled in secret, with the values to draw from.
        decks: the deck of each kind of piece.
    """

    exchange: dict[int, int]
    secret: dict[str, tuple[t.Value, ...]]
    decks: dict[PieceKind, int]


@lru_cache(16)
def _origins(rules: Rules) -> Origins:
    # At first each cell is an exchange by itself; cells between which pieces move are united.
    exchange = {cell: cell for each in rules.game.elements if each.visibility != "open" for cell in _cells(each)}
    rolled = defaultdict[str, list[tuple[t.Value, ...] | None]](list)
    for source, target in moves_in(rules):
        # A piece that passes an open zone is seen, so it is not exchanged unseen.
        if "open" not in (source.element.visibility, target.element.visibility):
            for one, other in cells_between(rules, source, target):
                cells = one + other
                old, new = {exchange[cell] for cell in cells}, exchange[cells[0]]
                exchange.update((cell, new) for cell, number in exchange.items() if number in old)
    for routine in rules.routines.values():
        for step in routine.statements:
            if isinstance(step, m.PutPiece | m.Store):
                value = step.piece if isinstance(step, m.PutPiece) else step.value
                element = step.target.element if isinstance(step, m.PutPiece) else step.element
                made = element.visibility != "open" and not isinstance(element.type, t.ComponentType)
                if made and not rules.names.tainted(routine.name).isdisjoint(free_slots(value)):
                    rolled[element.name].append(_rolled(rules, routine, value))
    secret = {each.name: _all_of(each, rolled[each.name]) for each in rules.game.elements if each.name in rolled}
    return Origins(exchange, secret, decks_of(rules))


def _rolled(rules: Rules, routine: Routine, value: m.Expr) -> tuple[t.Value, ...] | None:
    """Return the values of the die that an expression is, each as often as the die has it; None if it is none."""
    value = value.operand if isinstance(value, m.Checked) else value
    if not isinstance(value, m.Local):
        return None
    # A slot that is assigned in several places, or rolled under a condition, has no distribution of its own.
    steps = [step for step in routine.statements if getattr(step, "slot", None) == value.slot]
    if len(steps) != 1 or not isinstance(steps[0], m.RandomValue) or steps[0].where is not None:
        return None
    domain = steps[0].domain
    try:
        return listed(domain.type, value_of(domain, {}, rules.game.defines))
    except (NotConstant, SpecFault):
        return None


def _all_of(element: m.Element, rolled: Sequence[tuple[t.Value, ...] | None]) -> tuple[t.Value, ...]:
    """Return the values among which one of the element is drawn; () if there are too many to list."""
    if len(set(rolled)) == 1 and rolled[0]:
        return rolled[0]
    return tuple(t.values(element.type)) if t.size(element.type) is not None else ()


def _cells(element: m.Element) -> range:
    return range(element.offset, element.offset + element.count)
