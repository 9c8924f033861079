"""Check of a recorder's claims against the replayed state: one finding per record, and the replay continues."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ludex.grammar import Code, Diagnostic, Message, Note, Span, enumerated, value_class
from ludex.spec import types as t

from ...explanation.wording import why
from ...play.engine import Engine
from ...program import State
from ...state.contents import Ticket
from ...state.events import Outcome, Scores
from .. import log_codes
from ..record import Record
from ..structure import CellClaim, Claim, SeatedTable, claim_type
from .clause_text import worded
from .event_findings import asking, awaited_words

ClaimSubject: TypeAlias = Hashable
"""Key of what a part of a claim is about: the points of a seat, the end, the winners, a cell or its size."""


@value_class
class Wrong:
    """A false part of a claim.

    Attributes:
        pointer: to the part in the record.
        paths: clauses that determine the true value; notes: further explanation.
    """

    subject: ClaimSubject
    code: Code
    pointer: str
    message: str
    paths: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def wrong_parts(engine: Engine, state: State, claim: Claim, table: SeatedTable) -> Iterator[Wrong]:
    """Enumerate the parts of the claim that the state contradicts."""
    check = _Check(engine, state, table)
    yield from check.scores(claim)
    yield from check.end(claim)
    for cell in claim.cells:
        yield from check.cell(cell)


def subjects(claim: Claim) -> Iterator[ClaimSubject]:
    """Enumerate the subjects of the claim."""
    yield from (("scores", seat) for seat, _, _ in claim.scores)
    if claim.terminal is not None:
        yield "terminal"
    if claim.winners is not None:
        yield "winners"
    for cell in claim.cells:
        yield from ((cell.element.name, cell.indices, part) for part in ("is", "size"))


def single_claims(claim: Claim) -> Iterator[Claim]:
    """Divide a claim into claims of one part each, in the order in which they are judged where much is unknown."""
    for cell in claim.cells:
        if cell.size is not None:
            yield Claim(cells=(replace(cell, holds=False),))
        if cell.holds:
            yield Claim(cells=(replace(cell, size=None),))
    if claim.terminal is not None:
        yield Claim(terminal=claim.terminal)
    yield from (Claim(scores=(points,)) for points in claim.scores)
    if claim.winners is not None:
        yield Claim(winners=claim.winners)


def worth(scores: Scores) -> tuple[Message, ...]:
    """Describe what the clauses give of a player's points."""
    return tuple(Message("claim-part", clause=path, points=part) for path, part in scores.breakdown)


def winning_clauses(engine: Engine, outcome: Outcome) -> tuple[str, ...]:
    """Return the paths of the clauses that decide who wins."""
    return (outcome.criterion,) if outcome.criterion else tuple(each.path for each in engine.game.winner)


def wrong_claim(engine: Engine, parts: Sequence[Wrong], record: Record) -> Diagnostic:
    """Make the finding for the false parts of one claim.

    It is one finding, as one fault often makes several parts false: the points, and so the winners.
    """
    first, *others = parts
    reasons = worded(engine.game, why(engine.game, first.paths))
    notes = (*first.notes, *(Note(each.message, record.place(each.pointer)) for each in others))
    span = record.place(first.pointer)
    return Diagnostic(first.code, first.message, span, notes=notes, why=reasons, pointer=first.pointer)


@dataclass(slots=True)
class WrongClaim:
    """A finding about a claim, and the later records that repeat the false claim."""

    finding: Diagnostic
    count: int = 0
    last: Record | None = None

    def again(self, record: Record) -> None:
        """Add a later record with a false claim about the same subject."""
        # Several parts of one claim are one repetition.
        if record is not self.last:
            self.count, self.last = self.count + 1, record

    def finding_with_note(self) -> Diagnostic:
        """Return the finding, with a note on the later records if there are any."""
        if self.last is None:
            return self.finding
        message = Message("claim-again", count=self.count)
        return replace(self.finding, notes=(*self.finding.notes, Note(message, self.last.place())))


class ClaimFindings:
    """The findings about the claims of one log.

    Once the log and the play differ in a cell or in points, later claims about the same repeat the first difference. So
    a subject is reported once, until it is claimed rightly again.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._all: list[WrongClaim] = []
        self._open: dict[ClaimSubject, WrongClaim] = {}

    def add(self, claim: Claim, wrong: Sequence[Wrong], record: Record) -> None:
        """Add the false parts of a claim."""
        parts = {part.subject: part for part in wrong}
        for subject in subjects(claim):
            # A true claim between two false ones makes the second a fault of its own.
            if subject not in parts:
                self._open.pop(subject, None)
        new = [part for subject, part in parts.items() if subject not in self._open]
        for subject in parts.keys() & self._open.keys():
            self._open[subject].again(record)
        if new:
            claimed = WrongClaim(wrong_claim(self._engine, new, record))
            self._all.append(claimed)
            self._open.update((part.subject, claimed) for part in new)

    def forget(self) -> None:
        """Report later claims again, since the play continues from another state."""
        self._open.clear()

    def findings(self) -> Iterator[Diagnostic]:
        """Yield one finding for each claim that is false in itself, with a note on those that repeat it."""
        return (claim.finding_with_note() for claim in self._all)


class _Check:
    def __init__(self, engine: Engine, state: State, table: SeatedTable) -> None:
        self.engine, self.game, self.state, self.table = engine, engine.game, state, table

    # ---- scores and the end

    def scores(self, claim: Claim) -> Iterator[Wrong]:
        if not claim.scores:
            return
        scores = self.engine.scores(self.state)
        for seat, points, pointer in claim.scores:
            if scores[seat].total != points:
                player, total = self.table.player(seat), scores[seat].total
                message = Message("claim-points", player=player, points=total, claimed=points)
                paths = tuple(path for path, _ in scores[seat].breakdown)
                notes = tuple(Note(*each) for each in zip(worth(scores[seat]), map(self._span, paths), strict=True))
                yield Wrong(("scores", seat), log_codes.WRONG_SCORES, pointer, message, paths, notes)

    def end(self, claim: Claim) -> Iterator[Wrong]:
        """Check a claim about the end. A claim about winners is skipped if the claim is wrong about whether the game
        is over."""
        over = self.engine.is_terminal(self.state)
        if claim.terminal is not None and claim.terminal != over:
            going_on = Message("claim-going-on", awaited=awaited_words(self.engine, self.state, self.table))
            message = Message("claim-over") if over else going_on
            # What ended the game depends on the last event, which is not known here.
            yield Wrong("terminal", log_codes.WRONG_END, "/claim/terminal", message, asking(self.engine, self.state))
        # A wrong end makes the winners wrong as well, and would be reported twice.
        elif claim.winners is not None:
            yield from self._winners(claim.winners, over)

    def _winners(self, claimed: frozenset[int], over: bool) -> Iterator[Wrong]:
        if not over:
            paths = asking(self.engine, self.state)
            yield Wrong("winners", log_codes.WRONG_WINNERS, "/claim/winners", Message("claim-nobody-yet"), paths)
            return
        outcome = self.engine.winners(self.state)
        winners = frozenset() if outcome.undecided else frozenset(outcome.winners)
        if winners == claimed:
            return
        message = Message("claim-winners", winners=self._names(winners), claimed=self._names(claimed))
        if outcome.undecided:
            message = Message("claim-tie")
        paths = winning_clauses(self.engine, outcome)
        yield Wrong("winners", log_codes.WRONG_WINNERS, "/claim/winners", message, paths)

    def _names(self, seats: frozenset[int]) -> str:
        return enumerated(map(self.table.player, sorted(seats))) if seats else Message("nobody")

    def _span(self, path: str) -> Span | None:
        clause = self.game.clauses.get(path)
        return clause.span if clause else None

    # ---- states and zones

    def cell(self, claim: CellClaim) -> Iterator[Wrong]:
        content = self.engine.cell(self.state, claim.element.name, claim.indices)
        name = self.table.cell_words(claim.element, claim.indices)
        subject = (claim.element.name, claim.indices)
        if claim.size is not None and len(content) != claim.size:
            message = Message("claim-size", name=name, size=len(content), claimed=claim.size)
            yield Wrong((*subject, "size"), log_codes.WRONG_STATE, f"{claim.pointer}/size", message)
        if not claim.holds or content == claim.value:
            return
        place, type_ = f"{claim.pointer}/is", claim_type(claim.element)
        if _unseen(content):
            message = Message("claim-unseen", name=name)
            yield Wrong((*subject, "is"), log_codes.CLAIM_UNKNOWABLE, place, message)
        else:
            entry = "claim-is" if claim.element.kind == "state" else "claim-holds"
            shown = (self.table.value_words(type_, value) for value in (content, claim.value))
            message = Message(entry, name=name, value=next(shown), claimed=next(shown))
            yield Wrong((*subject, "is"), log_codes.WRONG_STATE, place, message, (claim.element.name,))


def _unseen(content: t.Value) -> bool:
    """Test whether the cell holds unknown pieces: then a claim about it cannot be judged."""
    return isinstance(content, Ticket) or (type(content) is tuple and any(isinstance(item, Ticket) for item in content))
