"""Belief tracker: the knowledge of a play whose log is incomplete. It follows every possible state.

A line is refused if no completion of the log makes it legal; a claim, if it is true in none of the states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice

from ludex.grammar import Diagnostic, Message, Note
from ludex.spec import types as t

from ...event_notation.writing import NotationWriter
from ...explanation.wording import explain
from ...state.domains import is_value
from ...state.events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault, TooManyStates
from ...unknowns import Belief
from .. import log_codes
from ..record import Record
from ..structure import UNKNOWN_WORD, CellClaim, Claim, SeatedTable, claim_type, line_like
from .claim_check import Wrong
from .clause_text import worded
from .event_findings import NEAREST, OUT_OF_ORDER, fault_place, known_piece_hint, missing_hint
from .missing_lines import missing_before
from .possible_reasons import possible_reasons
from .report import Result
from .tracker import MOST_DECLINES, Claimed, Illegal, ReplayContext, StateTracker, Taken, Tracker

MOST_OTHERS = 80
"""Limit of the events that are tried in place of a refused one: each is played in every state that may be."""


@dataclass(frozen=True, slots=True)
class BeliefTracker:
    """The tracker of a play that may be in several states: a `Tracker`. Raises TooManyStates if there are too many."""

    context: ReplayContext
    belief: Belief

    @property
    def state(self) -> None:
        return None

    @property
    def movers(self) -> tuple[int, ...] | None:
        return self.belief.movers

    @property
    def has_ended(self) -> bool | None:
        return self.belief.has_ended

    @property
    def result(self) -> Result | None:
        result = self.belief.result
        return None if result is None else Result(*result)

    @property
    def awaited_chance(self) -> tuple[str | None, int | None]:
        return self.belief.awaits_chance, self.belief.receiver

    @property
    def awaited(self) -> None:
        return None

    def at(self, line: int) -> BeliefTracker:
        return replace(self, belief=self.belief.at(line))

    # ---- events

    def after(self, event: Event) -> Taken | Illegal:
        after = self.followed(event)
        if isinstance(after, Refusal):
            return Illegal(after)
        declines, belief = after
        return Taken(BeliefTracker(self.context, belief).settled(), declines)

    def settled(self) -> Tracker:
        """Return the tracker of the state, if it is known."""
        # One state that is left of a sample is only one of those that may be.
        known = self.belief.known if self.belief.pursuit.sample is None else None
        return self if known is None else StateTracker(self.context, known, self.belief.last_filled)

    def followed(self, event: Event) -> tuple[tuple[Move, ...], Belief] | Refusal:
        """Return the belief after an event, and the declines that are filled in before it; or why it is illegal."""
        after = self.belief.after(event)
        if isinstance(after, Belief):
            return (), after
        # The pursuit has filled in declines by itself.
        if self.belief.pursuit.declines:
            return after
        ways = list(self._declined(event))
        return ways[0] if len(ways) == 1 else after

    def _declined(self, event: Event) -> Iterator[tuple[tuple[Move, ...], Belief]]:
        """Yield the ways to decline first, so that the event becomes legal; at most two."""
        waiting: list[tuple[tuple[Move, ...], Belief]] = [((), self.belief)]
        tried = found = 0
        # A second way leaves it open which declines were left out, so no third is looked for.
        while waiting and found < 2 and tried < MOST_DECLINES:
            declines, belief = waiting.pop(0)
            for seat in range(self.context.engine.game.players):
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

    def finding(self, illegal: Illegal, record: Record) -> Diagnostic:
        """Make the finding, with a hint about lines that may be missing before the refused one."""
        refusal, options = illegal.refusal, self.context.options
        assert refusal is not None
        if not options.explains:
            return Diagnostic(log_codes.ILLEGAL_MOVE, "", record.place())
        finding = self.refused(refusal, record)
        missing = None
        if options.goes_on and refusal.kind in OUT_OF_ORDER:
            missing = missing_before(self.belief, refusal.event)
        if missing is None:
            return finding
        lines = [self.context.left_out(each, record).line for _, each in missing.events]
        return replace(finding, hint=missing_hint(lines))

    def refused(self, refusal: Refusal, record: Record) -> Diagnostic:
        """Make the finding for an event that no completion of the log makes legal."""
        game, table = self.context.engine.game, self.context.table
        code, pointer = fault_place(refusal)
        explanation = explain(refusal, game, table.shown)
        reasons = worded(game, explanation.why)
        whatever = Note(Message("verdict-whatever", word=UNKNOWN_WORD))
        notes = (*possible_reasons(self.belief, refusal, table.shown), whatever)
        hint = known_piece_hint(game, refusal.event) if refusal.kind is RefusalKind.MOVE_AWAITED else None
        legal = tuple(line_like(record, game, event, table.names) for event in self._nearest(refusal.event))
        return Diagnostic(code, explanation.message, record.place(pointer), hint, notes, reasons, pointer, legal=legal)

    def _nearest(self, event: Event) -> Iterator[Event]:
        """Yield some events that may be legal and differ from this one in one part, those alike in writing first."""
        game = self.context.engine.game
        write = NotationWriter(game).event
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
                event._replace(arguments=(*event.arguments[:at], (name, other), *event.arguments[at + 1 :]))
                for at, (name, value) in enumerate(event.arguments)
                for other in _others(types[name], value)
            ]
        if others:
            # A recorder makes slips in writing, so the events that look most alike are tried first.
            written = write(event)
            others.sort(key=lambda other: _unlike(written, write(other)))
        try:
            legal = (other for other in others[:MOST_OTHERS] if isinstance(self.belief.after(other), Belief))
            yield from islice(legal, NEAREST)
        except (TooManyStates, SpecFault):
            return

    # ---- claims

    def claimed(self, claim: Claim) -> Claimed:
        belief, wrong = self.assuming(claim)
        return Claimed(BeliefTracker(self.context, belief).settled(), wrong)

    def assuming(self, claim: Claim) -> tuple[Belief, tuple[Wrong, ...]]:
        """Return the states in which the claim is true, and its parts that are true in none, which are left out."""
        table, belief, wrong = self.context.table, self.belief.before_claim(), list[Wrong]()
        for cell in claim.cells:
            belief = _holding(belief, cell, table, wrong)
        if claim.terminal is not None:
            message = Message("claim-goes-on" if claim.terminal else "claim-over")
            part = Wrong("terminal", log_codes.WRONG_END, "/claim/terminal", message)
            belief = _narrowed(belief, belief.ended(claim.terminal), part, wrong)
        for seat, points, pointer in claim.scores:
            narrowed = belief.scored(seat, points)
            if narrowed is None:
                player, result = table.player(seat), belief.result
                message = (
                    Message("claim-points-impossible", player=player, points=points)
                    if result is None
                    else Message("claim-points", player=player, points=result[0][seat].total, claimed=points)
                )
                wrong.append(Wrong(("scores", seat), log_codes.WRONG_SCORES, pointer, message))
            belief = narrowed or belief
        if claim.winners is not None:
            part = Wrong("winners", log_codes.WRONG_WINNERS, "/claim/winners", Message("claim-won-impossible"))
            belief = _narrowed(belief, belief.won(claim.winners), part, wrong)
        return belief, tuple(wrong)


def _narrowed(belief: Belief, narrowed: Belief | None, part: Wrong, wrong: list[Wrong]) -> Belief:
    """Return the states in which a part of a claim is true; if it is true in none, add it to the wrong ones."""
    if narrowed is None:
        wrong.append(part)
    return narrowed or belief


def _holding(belief: Belief, claim: CellClaim, table: SeatedTable, wrong: list[Wrong]) -> Belief:
    element, subject = claim.element, (claim.element.name, claim.indices)
    name = table.cell_words(element, claim.indices)
    if claim.size is not None:
        message = Message("claim-size-impossible", name=name, size=claim.size)
        part = Wrong((*subject, "size"), log_codes.WRONG_STATE, f"{claim.pointer}/size", message)
        belief = _narrowed(belief, belief.sized(element, claim.indices, claim.size), part, wrong)
    # Such a claim would be a guess of the recorder: no play can prove or refute it.
    if claim.holds and belief.is_unseen(element, claim.indices):
        message = Message("claim-unseen", name=name)
        wrong.append(Wrong((*subject, "is"), log_codes.CLAIM_UNKNOWABLE, f"{claim.pointer}/is", message))
    elif claim.holds:
        shown = table.value_words(claim_type(element), claim.value)
        entry = "claim-be-impossible" if element.kind == "state" else "claim-hold-impossible"
        message = Message(entry, name=name, value=shown)
        part = Wrong((*subject, "is"), log_codes.WRONG_STATE, f"{claim.pointer}/is", message, (element.name,))
        belief = _narrowed(belief, belief.holding(element, claim.indices, claim.value), part, wrong)
    return belief


def _unlike(written: str, other: str) -> tuple[bool, float]:
    """Measure how unlike two lines look; those with the same signs in another order are the most alike."""
    return sorted(written) != sorted(other), -SequenceMatcher(None, written, other).ratio()


def _others(type_: t.Type, value: t.Value) -> Iterator[t.Value]:
    """Yield the other values of a type that has not too many; none for an unknown value."""
    if t.size(type_) is not None and is_value(type_, value):
        yield from (other for other in islice(t.values(type_), MOST_OTHERS) if other != value)
