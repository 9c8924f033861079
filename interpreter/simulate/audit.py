"""Audit of a play: invariants of every game, checked at every event.

Conservation: pieces enter the game by `fill` and `put` only, and leave it by `remove` only; of a component there are
never more pieces than its table has. The invariants of the spec hold. Secrecy: what a player observes does not change
if what is hidden from this player is replaced; legal moves, and the reasons of refusals, are the same in another play
of this player's information set (`shadow.py`). If hidden information decides something public without revealing a
piece, that is reported, but not as a fault (`published`). Round trip: a state survives JSON (in a long play every
fourth is tested). Probabilities add up to 1. No listed move is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ..explanation.invariants import broken_invariants, broken_words
from ..explanation.wording import player_words
from ..program import Compiled, Glimpse, State
from ..state.contents import Contents, Ticket
from ..state.events import Awaits, Event, Trace
from ..state.pools import entries_of
from ..state.stock import copies_of, pieces_among
from .shadow import Shadow

ALWAYS, SOMETIMES = 20, 4
"""The first 20 states of a play go through JSON and back, then every fourth, since it takes long."""


class Stock:
    """The pieces in the game, as `inventory` counts them, updated from state to state: an event changes few cells."""

    def __init__(self, game: m.Game) -> None:
        self.there = Counter[tuple[str, t.Value]]()
        zones = [element for element in game.elements if element.is_zone]
        # Only hidden zones hold tickets, whose pieces only the pools tell; the other zones change cell by cell.
        self._open, self._hidden = (
            [(cell, str(element.type)) for element in zones for cell in _cells_of(element) if _hides(element) is hides]
            for hides in (False, True)
        )
        self._lying: list[t.Value] = [None] * len(self._open)
        self._unseen: list[object] = []
        self._covered = Counter[tuple[str, t.Value]]()

    def follow(self, state: Contents) -> bool:
        """Update the counts for the next state; return whether they changed."""
        change = Counter[tuple[str, t.Value]]()
        lying = [state.cells[cell] for cell, _ in self._open]
        for at, (before, after) in enumerate(zip(self._lying, lying, strict=True)):
            # Identity suffices: the engine replaces a cell when it changes it.
            if before is not after:
                _, name = self._open[at]
                change.update((name, piece) for piece in entries_of(after))
                change.subtract((name, piece) for piece in entries_of(before))
        unseen = [*(state.cells[cell] for cell, _ in self._hidden), state.pools]
        if unseen != self._unseen:
            counted: set[int] = set()
            covered = Counter(
                (name, piece)
                for cell, name in self._hidden
                for piece in pieces_among(state, entries_of(state.cells[cell]), counted)
            )
            change.update(covered)
            change.subtract(self._covered)
            self._unseen, self._covered = unseen, covered
        self._lying = lying
        if not any(change.values()):
            return False
        self.there.update(change)
        return True


def _cells_of(element: m.Element) -> range:
    return range(element.offset, element.offset + element.count)


def _hides(element: m.Element) -> bool:
    """Test whether the element may hold tickets."""
    return element.visibility == "hidden"


class Audit:
    """Audits one play. Its methods return the faults in words; () if there is none.

    >>> audit = Audit(engine); state = engine.start(audit.trace); audit.look(state)     # doctest: +SKIP
    >>> engine.advance(state, event, audit.trace); audit.look(state)                    # doctest: +SKIP
    """

    def __init__(self, engine: Compiled, seed: int = 0) -> None:
        """seed: decides which other plays are compared with this one (`shadow.py`)."""
        self.trace = Trace()
        self._stock, self._moved, self._astray = Stock(engine.game), (-1, -1), tuple[str, ...]()
        self._looks = 0
        self._others: dict[tuple[str, t.Value], t.Value] = {}
        self._engine, self._game = engine, engine.game
        hides = any(element.visibility != "open" for element in self._game.elements)
        # Without hidden elements everybody sees everything, and nothing can leak.
        self._eyes: Sequence[int | None] = (None, *range(self._game.players)) if hides else ()
        self._shadows = [Shadow(engine, player, seed) for player in range(self._game.players if hides else 0)]
        self._before: tuple[State, Event] | None = None
        self._copies = copies_of(self._game)

    def look(self, state: State, event: Event | None = None) -> tuple[str, ...]:
        """Return the faults of the state, in words. event: a legal event that is played next."""
        seen = {player: self._engine.observer.glimpse(state, player) for player in self._eyes}
        for shadow in self._shadows:
            if self._before is not None:
                shadow.follow(*self._before, state, seen[shadow.player])
        # The engine plays in place, and the shadows need the state before the event.
        self._before = None if event is None or not self._shadows else (state.clone(), event)
        return (
            *self._conservation(state),
            *(wrong for player, glimpse in seen.items() for wrong in self._leaks(state, player, glimpse)),
            *(wrong for shadow in self._shadows for wrong in shadow.differences(state)),
            *self._invariants(state),
            *self._round_trip(state),
            *self._chances(state),
            *self._legality(state, event),
        )

    @property
    def published(self) -> tuple[str, ...]:
        """Public facts that hidden information decided without revealing a piece, in words, each once."""
        return tuple(dict.fromkeys(words for shadow in self._shadows for words in shadow.published))

    def _conservation(self, state: State) -> tuple[str, ...]:
        # What should be there changes with these, even where what is there does not.
        moved = self.trace.entered.total(), self.trace.left.total()
        if self._stock.follow(state) or moved != self._moved:
            self._moved, self._astray = moved, tuple(self._missing(self._stock.there))
        return self._astray

    def _missing(self, there: Counter[tuple[str, t.Value]]) -> Iterator[str]:
        """Enumerate the pieces that were lost or created. there: the pieces in the game."""
        should = self.trace.entered - self.trace.left
        for key in sorted((there - should) | (should - there), key=str):
            yield f"{there[key]} of {self._shown(key)} are in the game; {should[key]} should be"
        for key, count in there.items():
            if count > self._copies.get(key, count):
                yield f"{count} of {self._shown(key)} are in the game, but the table has {self._copies[key]}"

    def _invariants(self, state: State) -> Iterator[str]:
        for broken in broken_invariants(self._engine.reference, self._engine.to_reference(state)):
            yield broken_words(self._game, broken)

    def _shown(self, key: tuple[str, t.Value]) -> str:
        name, piece = key
        element = next(element for element in self._game.elements if element.is_zone and str(element.type) == name)
        return f"{name} {show(element.type, piece)}"

    def _leaks(self, state: State, player: int | None, seen: Glimpse) -> Iterator[str]:
        if seen != self._engine.observer.glimpse(self._replaced(state, player), player):
            who = "an onlooker" if player is None else player_words(player)
            yield f"the observation of {who} depends on hidden information"

    def _replaced(self, state: State, player: int | None) -> State:
        """Return the state with everything replaced that is hidden from the player, as far as possible."""
        other = state.clone()
        for cell, element in self._engine.observer.unseen(player):
            other.put(cell, self._different(element, state.cells[cell]))
        return other

    def _different(self, element: m.Element, held: t.Value) -> t.Value:
        key = (element.name, held)
        if key not in self._others:
            self._others[key] = _different(element, held)
        return self._others[key]

    def _round_trip(self, state: State) -> Iterator[str]:
        self._looks += 1
        if self._looks > ALWAYS and self._looks % SOMETIMES:
            return
        try:
            read = self._engine.state_from_json(self._engine.state_to_json(state))
        except ValueError as refusal:
            yield f"the state is refused as JSON: {refusal}"
            return
        if not self._engine.are_equal(read, state):
            yield "the state differs after it was written as JSON and read again"

    def _chances(self, state: State) -> Iterator[str]:
        chances = self._engine.chance(state)
        if chances and sum(share for _, share in chances) != 1:
            yield "the probabilities do not add up to 1"

    def _legality(self, state: State, event: Event | None) -> Iterator[str]:
        if event is not None and not self._engine.is_legal(state, event):
            yield f"{event} is listed as legal, but refused"
        if self._engine.awaits(state) is Awaits.MOVE and not self._engine.to_move(state):
            yield "a move is awaited, but nobody is to move"


def _different(element: m.Element, held: t.Value) -> t.Value:
    """Return another value that could be in the element's cell, with as many pieces."""
    if not element.is_zone:
        return t.zero(element.type)
    others = [_next_piece(element, entry) for entry in entries_of(held)]
    if element.kind == "one":
        return others[0] if others else None
    return tuple(others)


def _next_piece(element: m.Element, entry: t.Value) -> t.Value:
    count = t.size(element.type) or 1
    of = t.values(element.type)
    # This is another piece wherever there is one: a test that puts the same piece back would find nothing.
    return of[0] if isinstance(entry, Ticket) else of[(of.index(entry) + 1) % count]
