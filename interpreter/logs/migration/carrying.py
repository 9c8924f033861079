"""Test of a log under changed rules: the change cannot matter if it is the same game by both.

With the old rules at hand both play the log side by side. After each event they must agree on what every state and
zone holds, on what is awaited, on the chances, and at the end on points and winners. Without them only the log itself
can be compared: its events and its claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ludex.grammar import Diagnostic, Message, Note, enumerated
from ludex.spec import model as m

from ...explanation.wording import why
from ...information.visibility import is_partial
from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Move
from .. import log_codes as codes
from ..judge.validate import Validator
from ..playback.event_replay import replay
from ..playback.report import Play
from ..position.contents import Writer
from ..record import Log, Record, write_line
from ..structure import Table, line_of

MOST_NAMED = 6
"""Most changed clauses that a finding names."""


@dataclass(frozen=True, slots=True)
class Carried:
    """The result for one log.

    Attributes:
        findings: why it cannot be carried: () if it can.
        remarks: what cannot be known.
        fingerprint: that of the changed rules; None if they have no such table.
    """

    findings: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    fingerprint: str | None


class Carrier:
    """Tests logs under changed rules.

    new: judges by the changed rules. old: judges by those before; None if they are not at hand.
    changed: returns the paths of the clauses that differ; called only where a change matters.
    """

    def __init__(self, new: Validator, old: Validator | None, changed: Callable[[], tuple[str, ...]]) -> None:
        self._new, self._old, self._changed = new, old, changed

    def test(self, log: Log) -> Carried:
        """Test one log. One that cannot be read cannot be carried."""
        if log.faults:
            return Carried(log.faults, (), None)
        new = self._new.play(log)
        fingerprint = new.engine.game.fingerprint if new.engine else None
        if self._old is None:
            return Carried(tuple(self._refused(new, None)), tuple(_unknown(new, log, None)), fingerprint)
        old = self._old.play(log)
        # A log that the old rules refuse says nothing about the change.
        findings = list(_of_other_rules(old, log)) or list(self._refused(new, old))
        if not findings and not (_is_followed(new) and _is_followed(old)):  # something is unknown: no states to compare
            return Carried((), tuple(_unknown(new, log, old)), fingerprint)
        if not findings and log.header is not None and old.engine and new.engine:
            findings = list(self._differences(_Side(old), _Side(new), log))
        return Carried(tuple(findings), (), fingerprint)

    def _refused(self, new: Play, old: Play | None) -> Iterator[Diagnostic]:
        """Yield the first finding under the changed rules."""
        first = next(_errors(new), None)
        if first is None:
            return
        # Without the old rules nobody can say that the change is at fault.
        if old is None or new.engine is None:
            note = Note(_with_code(first), first.span)
            message = Message("migrate-refused")
            yield Diagnostic(codes.CHANGE_REFUSES, message, first.span, first.hint, (note, *first.notes), first.why)
            return
        used = (*(each.clause for each in first.why), *_used(new))
        named, notes = self._named(used, new.engine.game)
        yield Diagnostic(
            codes.CHANGE_REFUSES,
            Message("migrate-refused-now", message=first.message),
            first.span,
            first.hint,
            (*first.notes, *notes),
            named or first.why,
        )

    def _named(self, used: Iterable[str], game: m.Game) -> tuple[Any, tuple[Note, ...]]:
        """Return the changed clauses among those that were used, or all changed ones, and what to say of them."""
        changed = self._changed()
        concerned = [path for path in changed if any(_are_related(path, each) for each in used)] or list(changed)
        if not concerned:
            return (), ()
        names = enumerated(concerned[:MOST_NAMED])
        if len(concerned) > MOST_NAMED:
            names = Message("and-more", items=names, count=len(concerned) - MOST_NAMED)
        note = Note(Message("migrate-changed", names=names))
        return why(game, [path for path in concerned[:MOST_NAMED] if path in game.clauses]), (note,)

    def _differences(self, old: _Side, new: _Side, log: Log) -> Iterator[Diagnostic]:
        """Yield the first difference between the two plays."""
        assert log.header is not None
        ours, theirs = old.lines, new.lines
        # The same log, read by the two rules, has other declines filled in.
        if ours != theirs:
            message = Message("migrate-declines")
            yield self._differing(message, log.header, (), new)
            return
        records = [log.header, *_with_events(log)]
        # Both sides have the same events here, as their lines are equal.
        for number, (left, right) in enumerate(zip(old.views(), new.views(), strict=True)):
            difference = next(_parts(left, right), None)
            if difference is not None:
                what, before, after = difference
                place = Message("migrate-at-beginning")
                if number:
                    place = Message("migrate-after", event=write_line(ours[number - 1]))
                message = Message("migrate-differs", place=place, what=what, before=before, after=after)
                # Declines that the reader filled in have no record.
                record = records[min(number, len(records) - 1)]
                yield self._differing(message, record, new.used_at(number), new)
                return

    def _differing(self, message: str, record: Record, used: tuple[str, ...], new: _Side) -> Diagnostic:
        named, notes = self._named(used, new.engine.game)
        return Diagnostic(codes.CHANGE_DIFFERS, message, record.place(), notes=notes, why=named)


def _with_code(finding: Diagnostic) -> Message:
    return Message("game-fault", code=finding.code.code, message=finding.message)


def _are_related(path: str, other: str) -> bool:
    # A change of a clause touches those inside it, and one inside it changes the whole.
    return path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")


def _errors(play: Play) -> Iterator[Diagnostic]:
    """Yield the errors of a log, without that of its fingerprint."""
    # Its fingerprint differs in every log under changed rules.
    return (each for each in play.report.findings if each.is_error and each.code is not codes.WRONG_FINGERPRINT)


def _of_other_rules(old: Play, log: Log) -> Iterator[Diagnostic]:
    """Yield what says that the log is not one of the old rules."""
    finding = next((each for each in old.report.findings if each.is_error), None)
    if finding is not None:
        note = Note(_with_code(finding), finding.span)
        message = Message("migrate-not-old")
        yield Diagnostic(codes.NOT_OF_OLD_RULES, message, finding.span, finding.hint, (note,), finding.why)


def _is_followed(play: Play) -> bool:
    """Return whether the known events alone lead to the play's state: they do not where a position follows a gap."""
    # Unknown events have no certain state.
    if play.engine is None or play.start is None or play.state is None or any(map(is_partial, play.events)):
        return False
    again = replay(play.engine, play.events, play.start)
    return again.refusal is None and again.state.key() == play.state.key()


def _unknown(new: Play, log: Log, old: Play | None) -> Iterator[Diagnostic]:
    """Yield what nobody can know: whether what the log does not claim has stayed the same.

    old: the play by the old rules, of which something is unknown; None if nobody has those rules.
    """
    # The errors are the finding then.
    if log.header is None or any(_errors(new)):
        return
    recorded = old.engine.game if old and old.engine else new.report.header
    if recorded is not None and new.engine and recorded.fingerprint == new.engine.game.fingerprint:
        return
    claims = [record.data.get("claim") for record in log.events if record.data]
    claimed = {name for claim in claims if isinstance(claim, dict) for name in claim}
    unclaimed = [Message(f"migrate-of-{name}") for name in ("scores", "winners") if name not in claimed]
    what = Message("migrate-between-claims")
    if unclaimed:
        what = Message("migrate-unclaimed", names=enumerated(unclaimed))
    message, hint = Message("migrate-unknown", what=what), Message("migrate-unknown-hint")
    if old is not None:
        message, hint = Message("migrate-not-seen", what=what), Message("migrate-not-seen-hint")
    yield Diagnostic(codes.CHANGE_UNKNOWN, message, log.header.place(), hint)


def _with_events(log: Log) -> list[Record]:
    return [each for each in log.events if each.data and ("action" in each.data or "chance" in each.data)]


def _used(play: Play) -> tuple[str, ...]:
    """Return the clauses that the play has reached, and the action that was refused."""
    refused = play.refusal.event if play.refusal else None
    action = (refused.action,) if isinstance(refused, Move) else ()
    if play.engine is None or play.state is None:
        return action
    return (*action, *_stack(play.engine, play.state))


def _stack(engine: Engine, state: State) -> tuple[str, ...]:
    # `play` is under way at all times, and would name everything.
    return tuple(frame.routine for frame in engine.frames(state) if frame.routine != "play")


class _Side:
    """A play by one of the two sets of rules."""

    def __init__(self, play: Play) -> None:
        assert play.engine is not None
        assert play.start is not None
        self.engine, self.start, self.events = play.engine, play.start, play.events
        self.lines = [line_of(self.engine.game, event) for event in play.events]
        self._stacks: list[tuple[str, ...]] = []

    def views(self) -> Iterator[dict[str, Any]]:
        """Yield what is to be compared, at the beginning and after each event."""
        # The play needs its own state later.
        state = self.start.clone()
        yield self._view(state)
        for event in self.events:
            # Before the event, since it may leave the clauses that it passes through.
            self._stacks.append((*_named_by(event), *_stack(self.engine, state)))
            self.engine.advance(state, event)
            yield self._view(state)

    def used_at(self, number: int) -> tuple[str, ...]:
        """Return the clauses that brought about the state after so many events."""
        return self._stacks[number - 1] if number else ("setup",)

    def _view(self, state: State) -> dict[str, Any]:
        engine, game = self.engine, self.engine.game
        at = engine.to_reference(state)
        # No cell is equal to a new object, so that none is left out as unchanged.
        contents = Writer(Table(game), (object(),) * game.cell_count).contents(at.cells, at.pools)
        # Shares are compared too, since a change of a die changes the game.
        chances = [(write_line(line_of(game, event)), str(share)) for event, share in engine.chance(state)]
        view = {
            **contents.get("state", {}),
            Message("migrate-unseen-pieces"): contents.get("unseen", []),
            Message("migrate-awaited"): Message(f"migrate-awaits-{engine.awaits(state).name.lower()}"),
            Message("migrate-to-move"): [seat + 1 for seat in engine.to_move(state)],
            Message("migrate-outcomes"): sorted(chances),
        }
        if engine.is_terminal(state):
            points, winners = Message("migrate-points"), Message("migrate-winners")
            view |= {points: list(engine.returns(state)), winners: _winners(engine, state)}
        return view


def _named_by(event: Event) -> tuple[str, ...]:
    return (event.action,) if isinstance(event, Move) else (event.path,)


def _winners(engine: Engine, state: State) -> list[int]:
    outcome = engine.winners(state)
    return [] if outcome.undecided else [seat + 1 for seat in outcome.winners]


def _parts(left: dict[str, Any], right: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Enumerate the parts of two views that differ; a state or zone that only one of the games has is no difference."""
    for name, before in left.items():
        if name in right and before != right[name]:
            yield name, _shown(before), _shown(right[name])


def _shown(content: Any) -> str:
    # The slice leaves out `{"is": ` and the brace.
    text = content if isinstance(content, str) else write_line({"is": content})[7:-1]
    return text if len(text) <= 80 else f"{text[:77]}..."
