"""Replay of the part of a log in which not everything is recorded: it follows every state that may be.

A line is refused if no completion of the log makes it legal; a claim, if it is true in none of the states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice

from ludex.grammar import Diagnostic, Message, Note
from ludex.spec import show
from ludex.spec import types as t

from ...event_notation.writing import NotationWriter
from ...explanation.wording import explain
from ...play.engine import Engine
from ...possible import Belief
from ...program import State
from ...state.domains import is_value
from ...state.events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault, TooManyStates
from .. import log_codes as codes
from ..record.records import Record
from ..structure.claims import CellClaim, Claim, claim_type
from ..structure.event_lines import line_like
from ..structure.problems import UNKNOWN
from ..structure.seating import Table
from .claim_check import Wrong
from .clause_text import worded
from .event_findings import NEAREST, known_piece_hint, place_of
from .event_replay import MOST_DECLINES
from .result import Result

MOST_OTHERS = 80
"""Most events that are tried in place of one that is refused."""


class PartialReplay:
    """Follows the states that a play may be in. Raises `TooManyStates` where there are too many."""

    def __init__(self, engine: Engine, state: State, table: Table) -> None:
        self.engine, self.table = engine, table
        self.belief = Belief(engine.reference, (engine.to_reference(state),))

    @property
    def state(self) -> State | None:
        """The state of the play; None if it is not known."""
        known = self.belief.known
        return None if known is None else self.engine.from_reference(known)

    def state_for(self, seat: int) -> State | None:
        """Return a state in which the player sees what is seen in the play; None if that is not known."""
        known = self.belief.known_to(seat)
        return None if known is None else self.engine.from_reference(known)

    @property
    def has_ended(self) -> bool | None:
        """True if the game is over; None if that is not known."""
        ended = {not state.frames for state in self.belief.states}
        return ended.pop() if len(ended) == 1 else None

    @property
    def result(self) -> Result | None:
        """The result of the play, if its end was reached and is the same in every state."""
        found = self.belief.result
        return None if found is None else Result(*found)

    # ---- events

    def take(self, event: Event) -> tuple[Move, ...] | Refusal:
        """Follow the event, and return the declines that had to be filled in before it; or why it is illegal."""
        after = self.belief.after(event)
        if isinstance(after, Belief):
            self.belief = after
            return ()
        ways = list(self._declined(event))
        if len(ways) != 1:
            return after
        ((declines, self.belief),) = ways
        return declines

    def _declined(self, event: Event) -> Iterator[tuple[tuple[Move, ...], Belief]]:
        """Yield the ways to decline first, so that the event becomes legal; at most two."""
        waiting: list[tuple[tuple[Move, ...], Belief]] = [((), self.belief)]
        tried = found = 0
        while waiting and found < 2 and tried < MOST_DECLINES:
            declines, belief = waiting.pop(0)
            for seat in range(self.engine.game.players):
                tried += 1
                declined = belief.after(Move(seat, DECLINE))
                if isinstance(declined, Refusal):
                    continue
                so_far = (*declines, Move(seat, DECLINE))
                waiting.append((so_far, declined))
                after = declined.after(event)
                if isinstance(after, Belief):
                    found += 1
                    yield so_far, after

    def refused(self, refusal: Refusal, record: Record) -> Diagnostic:
        """Make the finding for an event that no completion of the log makes legal."""
        code, pointer = place_of(refusal)
        explanation = explain(refusal, self.engine.game, self.table.shown)
        reasons = worded(self.engine.game, explanation.why)
        notes = (Note(Message("verdict-whatever", word=UNKNOWN)),)
        hint = known_piece_hint(self.engine.game, refusal.event) if refusal.kind is RefusalKind.MOVE_AWAITED else None
        legal = tuple(
            line_like(record, self.engine.game, event, self.table.names) for event in self._nearest(refusal.event)
        )
        return Diagnostic(code, explanation.message, record.place(pointer), hint, notes, reasons, pointer, legal=legal)

    def _nearest(self, event: Event) -> Iterator[Event]:
        """Yield some events that may be legal and differ from this one in one part, those alike in writing first."""
        game, write = self.engine.game, NotationWriter(self.engine.game).event
        others: list[Event] = []
        if isinstance(event, ChanceEvent) and (path := self.belief.awaits_chance) is not None:
            of = game.chances[path].outcome
            if path != event.path:
                others = [ChanceEvent(path, event.outcome)] if game.chances[event.path].outcome == of else []
            else:
                others = [ChanceEvent(path, value) for value in _others(of, event.outcome)]
        elif isinstance(event, Move) and event.action in game.moves:
            types = {name: of for name, of, _ in game.moves[event.action].arguments}
            others = [
                replace(event, arguments=(*event.arguments[:at], (name, other), *event.arguments[at + 1 :]))
                for at, (name, value) in enumerate(event.arguments)
                for other in _others(types[name], value)
            ]
        if others:
            written = write(event)
            others.sort(key=lambda other: _unlike(written, write(other)))
        try:
            legal = (other for other in others[:MOST_OTHERS] if isinstance(self.belief.after(other), Belief))
            yield from islice(legal, NEAREST)
        except (TooManyStates, SpecFault):
            return

    # ---- claims

    def claim(self, claim: Claim) -> Iterator[Wrong]:
        """Take over what the recorder claims, and yield the parts that can be true in no state."""
        for cell in claim.cells:
            yield from self._cell(cell)
        if claim.terminal is not None and not self._is(self.belief.ended(claim.terminal)):
            message = Message("claim-goes-on" if claim.terminal else "claim-over")
            yield Wrong("terminal", codes.WRONG_END, "/claim/terminal", message)
        for seat, points, pointer in claim.scores:
            if not self._is(self.belief.scored(seat, points)):
                player, result = self.table.player(seat), self.belief.result
                message = (
                    Message("claim-points-impossible", player=player, points=points)
                    if result is None
                    else Message("claim-points", player=player, points=result[0][seat].total, claimed=points)
                )
                yield Wrong(("scores", seat), codes.WRONG_SCORES, pointer, message)
        if claim.winners is not None and not self._is(self.belief.won(claim.winners)):
            message = Message("claim-won-impossible")
            yield Wrong("winners", codes.WRONG_WINNERS, "/claim/winners", message)

    def _is(self, narrowed: Belief | None) -> bool:
        """Return whether a claim may be true; then the states in which it is not are left out from now on."""
        self.belief = narrowed or self.belief
        return narrowed is not None

    def _cell(self, claim: CellClaim) -> Iterator[Wrong]:
        element, subject = claim.element, (claim.element.name, claim.indices)
        name = self.table.cell_words(element, claim.indices)
        if claim.size is not None and not self._is(self.belief.sized(element, claim.indices, claim.size)):
            message = Message("claim-size-impossible", name=name, size=claim.size)
            yield Wrong((*subject, "size"), codes.WRONG_STATE, f"{claim.pointer}/size", message)
        if claim.holds and self.belief.is_unseen(element, claim.indices):
            message = Message("claim-unseen", name=name)
            yield Wrong((*subject, "is"), codes.CLAIM_UNKNOWABLE, f"{claim.pointer}/is", message)
        elif claim.holds and not self._is(self.belief.holding(element, claim.indices, claim.value)):
            shown = show(claim_type(element), claim.value)
            entry = "claim-be-impossible" if element.kind == "state" else "claim-hold-impossible"
            message = Message(entry, name=name, value=shown)
            yield Wrong((*subject, "is"), codes.WRONG_STATE, f"{claim.pointer}/is", message, (element.name,))


def _unlike(written: str, other: str) -> tuple[bool, float]:
    """Measure how unlike two lines look; those with the same signs in another order are the most alike."""
    return sorted(written) != sorted(other), -SequenceMatcher(None, written, other).ratio()


def _others(type_: t.Type, value: t.Value) -> Iterator[t.Value]:
    """Yield the other values of a type that has not too many; none for an unknown value."""
    if t.size(type_) is not None and is_value(type_, value):
        yield from (other for other in islice(t.values(type_), MOST_OTHERS) if other != value)
