"""Whether a recorder's claims are so: each wrong one is a finding of its own; the replay goes on."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.grammar import Code, Diagnostic, Note, Span
from ludex.spec import show
from ludex.spec import types as t

from ..engine import Engine
from ..explain import why
from ..state import State, Ticket
from . import codes
from .claims import CellClaim, Claim, claim_type
from .findings import awaited_words
from .log import Record
from .problems import listed
from .rules import worded
from .table import Table


def wrong_claims(engine: Engine, state: State, claim: Claim, record: Record, table: Table) -> tuple[Diagnostic, ...]:
    """A finding for everything that the claim, which stands in the record, says wrongly about the state."""
    check = _Check(engine, state, record, table)
    return (*check.scores(claim), *check.end(claim), *(found for cell in claim.cells for found in check.cell(cell)))


class _Check:
    def __init__(self, engine: Engine, state: State, record: Record, table: Table) -> None:
        self.engine, self.game, self.state = engine, engine.game, state
        self.record, self.table = record, table

    def wrong(
        self, code: Code, pointer: str, message: str, paths: tuple[str, ...] = (), notes: tuple[Note, ...] = ()
    ) -> Diagnostic:
        span, reasons = self.record.place(pointer), worded(self.game, why(self.game, paths))
        return Diagnostic(code, message, span, notes=notes, why=reasons, pointer=pointer)

    # ---- scores and the end

    def scores(self, claim: Claim) -> Iterator[Diagnostic]:
        if not claim.scores:
            return
        found = self.engine.scores(self.state)
        for seat, points, pointer in claim.scores:
            if found[seat].total != points:
                parts = found[seat].breakdown
                message = f"{self.table.player(seat)} has {found[seat].total} points, not {points}"
                notes = tuple(Note(f"{path}: {part}", self._span(path)) for path, part in parts)
                yield self.wrong(codes.WRONG_SCORES, pointer, message, tuple(path for path, _ in parts), notes)

    def end(self, claim: Claim) -> Iterator[Diagnostic]:
        """A claim about winners is judged only if it does not say outright, and wrongly, that the game is over."""
        over = self.engine.is_terminal(self.state)
        if claim.terminal is not None and claim.terminal != over:
            going_on = f"the game is not over; awaited: {awaited_words(self.engine, self.state, self.table)}"
            yield self.wrong(codes.WRONG_END, "/claim/terminal", "the game is over" if over else going_on)
        elif claim.winners is not None:
            yield from self._winners(claim.winners, over)

    def _winners(self, claimed: frozenset[int], over: bool) -> Iterator[Diagnostic]:
        if not over:
            yield self.wrong(codes.WRONG_WINNERS, "/claim/winners", "nobody has won yet: the game is not over")
            return
        outcome = self.engine.winners(self.state)
        winners = frozenset() if outcome.undecided else frozenset(outcome.winners)
        if winners == claimed:
            return
        message = f"{self._names(winners)} won, not {self._names(claimed)}"
        if outcome.undecided:
            message = "the rules do not decide who won: write an empty list"
        paths = (outcome.criterion,) if outcome.criterion else tuple(each.path for each in self.game.winner)
        yield self.wrong(codes.WRONG_WINNERS, "/claim/winners", message, paths)

    def _names(self, seats: frozenset[int]) -> str:
        return listed(map(self.table.player, sorted(seats))) if seats else "nobody"

    def _span(self, path: str) -> Span | None:
        clause = self.game.clauses.get(path)
        return clause.span if clause else None

    # ---- states and zones

    def cell(self, claim: CellClaim) -> Iterator[Diagnostic]:
        held = self.engine.cell(self.state, claim.element.name, claim.indices)
        name = self._cell_words(claim)
        if claim.size is not None and len(held) != claim.size:
            message = f"{name} holds {len(held)}, not {claim.size}"
            yield self.wrong(codes.WRONG_STATE, f"{claim.pointer}/size", message)
        if not claim.holds or held == claim.value:
            return
        place, type_ = f"{claim.pointer}/is", claim_type(claim.element)
        if _unseen(held):
            yield self.wrong(codes.CLAIM_UNKNOWABLE, place, f"nobody has seen what {name} holds")
        else:
            verb = "is" if claim.element.kind == "state" else "holds"
            message = f"{name} {verb} {show(type_, held)}, not {show(type_, claim.value)}"
            yield self.wrong(codes.WRONG_STATE, place, message, (claim.element.name,))

    def _cell_words(self, claim: CellClaim) -> str:
        indices = zip(claim.element.indices, claim.indices, strict=True)
        shown = [self.table.player(at) if isinstance(of, t.PlayerType) else show(of, at) for of, at in indices]
        return f"{claim.element.name}({', '.join(shown)})" if shown else claim.element.name


def _unseen(held: t.Value) -> bool:
    """A claim about pieces that nobody has seen cannot be judged."""
    return isinstance(held, Ticket) or (type(held) is tuple and any(isinstance(entry, Ticket) for entry in held))
