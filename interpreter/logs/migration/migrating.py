"""Test of a log under changed rules: the change does not affect it if both rules give the same play.

With the old rules at hand both play the log side by side. After each event they must agree on what every state and
zone holds, on what is awaited, on the chances, and at the end on points and winners. Where the log leaves things
unknown, they must do so in all of its completions. Without the old rules only the log itself can be compared: its
events and its claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludex.grammar import Diagnostic, Json, Message, Note, enumerated
from ludex.spec import model as m
from ludex.spec import to_json

from ...explanation.wording import why
from ...information.visibility import is_partial
from ...play.engine import Engine
from ...state.events import Move
from .. import log_codes
from ..judge.validate import Validator
from ..playback.event_replay import replay
from ..record import Log, Record
from ..structure import line_of
from ..tracking.report import Play
from .completions import CompletionsResult, compare_completions
from .fingerprints import with_settings
from .views import clauses_at, difference, place_after_event, stack, view

_MOST_NAMED = 6
"""The largest number of changed clauses that a finding names."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """The result for one log.

    Attributes:
        findings: why it cannot be carried: () if it can.
        remarks: what cannot be known.
        fingerprint: that of the changed rules; None if they have no such table.
        settings: what the header has to say besides, as its defaults are others now.
        is_undecided: the log leaves so much unknown that nobody can say whether the change matters.
    """

    findings: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    fingerprint: str | None
    is_undecided: bool = False
    settings: Mapping[str, Json] = field(default_factory=dict)


class Migration:
    """Tests logs under changed rules.

    new: judges by the changed rules. old: judges by those before; None if they are not at hand.
    changed: returns the paths of the clauses that differ; called only where a change matters.
    """

    def __init__(self, new: Validator, old: Validator | None, changed: Callable[[], tuple[str, ...]]) -> None:
        self._new, self._old, self._changed = new, old, changed

    def test(self, log: Log) -> Migrated:
        """Test one log. An unreadable log cannot be migrated."""
        if log.faults:
            return Migrated(log.faults, (), None)
        new = self._new.play(log)
        if self._old is None:
            return Migrated(tuple(self._refused(new, None)), tuple(_unknown(new, log)), _fingerprint(new))
        old = self._old.play(log)
        # A header leaves out what is at its default, which may be another now.
        settings = unsaid_settings(old.engine, new.engine, log)
        if not settings:
            return self._compared(old, new, log)
        log = _with_settings(log, settings)
        return replace(self._compared(old, self._new.play(log), log), settings=settings)

    def _compared(self, old: Play, new: Play, log: Log) -> Migrated:
        fingerprint = _fingerprint(new)
        # A log that the old rules refuse says nothing about the change.
        findings = list(_of_other_rules(old, log)) or list(self._refused(new, old))
        if not findings and not (_is_followed(new) and _is_followed(old)):
            return self._of_completions(old, new, log, fingerprint)
        if not findings and log.header is not None and old.engine and new.engine:
            findings = list(self._differences(_Side(old), _Side(new), log))
        return Migrated(tuple(findings), (), fingerprint)

    def _of_completions(self, old: Play, new: Play, log: Log, fingerprint: str | None) -> Migrated:
        """Test a log that leaves things unknown, which both sets of rules allow."""
        assert old.engine is not None
        assert new.engine is not None
        assert log.header is not None
        if old.engine.game.fingerprint == fingerprint:
            return Migrated((), (), fingerprint)
        compared = compare_completions(old, new)
        place = (compared.record or log.header).place()
        if compared.finding is CompletionsResult.SAME:
            return Migrated((), (), fingerprint)
        if compared.finding in (CompletionsResult.OPEN, CompletionsResult.SOME):
            message = Message(
                "migrate-too-many" if compared.finding is CompletionsResult.OPEN else "migrate-some-differ"
            )
            hint = Message("migrate-undecided-hint", option="--undecided")
            return Migrated((), (Diagnostic(log_codes.CHANGE_UNKNOWN, message, place, hint),), fingerprint, True)
        code, message = log_codes.CHANGE_DIFFERS, Message("migrate-all-differ")
        if compared.finding is CompletionsResult.REFUSED:
            code, message = log_codes.CHANGE_REFUSES, Message("migrate-no-completion")
        elif compared.difference is not None:
            other, line = compared.difference
            message = Message("migrate-each-differs", difference=other.message(place_after_event(line)))
        named, notes = self._named((), new.engine.game)
        return Migrated((Diagnostic(code, message, place, notes=notes, why=named),), (), fingerprint)

    def _refused(self, new: Play, old: Play | None) -> Iterator[Diagnostic]:
        """Yield the first finding under the changed rules."""
        first = next(_errors(new), None)
        if first is None:
            return
        # These rules do not judge the log at all: they have errors, or are those of another game.
        if new.engine is None:
            yield first
            return
        # Without the old rules nobody can say that the change is at fault.
        if old is None:
            note = Note(_with_code(first), first.span)
            message = Message("migrate-refused")
            yield Diagnostic(log_codes.CHANGE_REFUSES, message, first.span, first.hint, (note, *first.notes), first.why)
            return
        used = (*(each.clause for each in first.why), *_used(new))
        named, notes = self._named(used, new.engine.game)
        notes = (*_first_difference(old, new, first.span.line), *notes)
        yield Diagnostic(
            log_codes.CHANGE_REFUSES,
            Message("migrate-refused-now", message=first.message),
            first.span,
            first.hint,
            (*first.notes, *notes),
            named or first.why,
        )

    def _named(self, used: Iterable[str], game: m.Game) -> tuple[Any, tuple[Note, ...]]:
        """Return the changed clauses among those that were used, or all changed ones, and notes about them."""
        changed = self._changed()
        concerned = [path for path in changed if any(_are_related(path, each) for each in used)] or list(changed)
        if not concerned:
            return (), ()
        names = enumerated(concerned[:_MOST_NAMED])
        if len(concerned) > _MOST_NAMED:
            names = Message("and-more", items=names, count=len(concerned) - _MOST_NAMED)
        note = Note(Message("migrate-changed", names=names))
        return why(game, [path for path in concerned[:_MOST_NAMED] if path in game.clauses]), (note,)

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
            other = difference(left, right)
            if other is not None:
                message = other.message(place_after_event(ours[number - 1] if number else None))
                # Declines that the reader filled in have no record.
                record = records[min(number, len(records) - 1)]
                yield self._differing(message, record, new.used_at(number), new)
                return

    def _differing(self, message: str, record: Record, used: tuple[str, ...], new: _Side) -> Diagnostic:
        named, notes = self._named(used, new.engine.game)
        return Diagnostic(log_codes.CHANGE_DIFFERS, message, record.place(), notes=notes, why=named)


def _fingerprint(play: Play) -> str | None:
    return play.engine.game.fingerprint if play.engine else None


def _with_settings(log: Log, settings: Mapping[str, Json]) -> Log:
    assert log.header is not None
    assert log.header.data is not None
    return replace(log, header=replace(log.header, data=with_settings(log.header.data, settings)))


def unsaid_settings(old: Engine | None, new: Engine | None, log: Log) -> dict[str, Json]:
    """Return the settings of a log that its header leaves out, and that are others by the changed rules.

    They are those by which the old rules judge it: its edition, options and readings.
    """
    if old is None or new is None or log.header is None or log.header.data is None:
        return {}
    said, before, after = log.header.data, old.game, new.game
    settings: dict[str, Json] = {}
    if "edition" not in said and before.edition != after.edition and before.edition in after.editions:
        settings["edition"] = before.edition
    options, others = _options(before), _options(after)
    forks, readings = _chosen(before), _chosen(after)
    for name, was, now in (("options", options, others), ("readings", forks, readings)):
        unsaid = [each for each in was if each not in said.get(name, {}) and each in now and was[each] != now[each]]
        settings |= {name: {each: was[each] for each in unsaid}} if unsaid else {}
    return settings


def _options(game: m.Game) -> dict[str, Json]:
    return {each.name: to_json(each.type, each.value) for each in game.options}


def _chosen(game: m.Game) -> dict[str, Json]:
    return {fork.name: fork.chosen for fork in game.forks}


def _first_difference(old: Play, new: Play, line: int) -> tuple[Note, ...]:
    """Say from which line on the two plays differ, if it is before the one that is refused.

    A claim may be wrong long after the event that the change concerns.
    """
    if old.log is None or old.log.header is None or not _is_followed(old) or any(map(is_partial, new.events)):
        return ()
    left, right = _Side(old), _Side(new)
    records = [old.log.header, *_with_events(old.log)]
    for number, (before, after) in enumerate(zip(left.views(), right.views(), strict=False)):
        # Other declines are filled in from here on, and then the events do not stand side by side.
        if number and left.lines[number - 1] != right.lines[number - 1]:
            return ()
        other = difference(before, after)
        if other is not None:
            place = records[min(number, len(records) - 1)].place()
            shown = other.message(place_after_event(left.lines[number - 1] if number else None))
            return (Note(Message("migrate-differs-first", difference=shown), place),) if place.line < line else ()
    return ()


def _with_code(finding: Diagnostic) -> Message:
    return Message("game-fault", code=finding.code.code, message=finding.message)


def _are_related(path: str, other: str) -> bool:
    # A change of a clause touches those inside it, and one inside it changes the whole.
    return path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")


def _errors(play: Play) -> Iterator[Diagnostic]:
    """Yield the errors of a log, without that of its fingerprint."""
    # Its fingerprint differs in every log under changed rules.
    return (each for each in play.report.findings if each.is_error and each.code is not log_codes.WRONG_FINGERPRINT)


def _of_other_rules(old: Play, log: Log) -> Iterator[Diagnostic]:
    """Yield the finding that the log is not of the old rules."""
    finding = next((each for each in old.report.findings if each.is_error), None)
    if finding is not None and old.engine is None:
        yield finding
    elif finding is not None:
        note = Note(_with_code(finding), finding.span)
        message = Message("migrate-not-old")
        yield Diagnostic(log_codes.NOT_OF_OLD_RULES, message, finding.span, finding.hint, (note,), finding.why)


def _is_followed(play: Play) -> bool:
    """Return whether the known events alone lead to the play's state: they do not where a position follows a gap."""
    # Unknown events have no certain state.
    if play.engine is None or play.start is None or play.state is None or any(map(is_partial, play.events)):
        return False
    again = replay(play.engine, play.events, play.start)
    return again.refusal is None and again.state.key() == play.state.key()


def _unknown(new: Play, log: Log) -> Iterator[Diagnostic]:
    """Yield what nobody can know without the old rules: whether what the log does not claim has stayed the same."""
    # A log with errors already has them as its findings.
    if log.header is None or any(_errors(new)):
        return
    recorded = new.report.header
    if recorded is not None and new.engine and recorded.fingerprint == new.engine.game.fingerprint:
        return
    claims = [record.data.get("claim") for record in log.events if record.data]
    claimed = {name for claim in claims if isinstance(claim, dict) for name in claim}
    unclaimed = [Message(f"migrate-of-{name}") for name in ("scores", "winners") if name not in claimed]
    what = Message("migrate-between-claims")
    if unclaimed:
        what = Message("migrate-unclaimed", names=enumerated(unclaimed))
    message, hint = Message("migrate-unknown", what=what), Message("migrate-unknown-hint")
    yield Diagnostic(log_codes.CHANGE_UNKNOWN, message, log.header.place(), hint)


def _with_events(log: Log) -> list[Record]:
    return [each for each in log.events if each.data and ("action" in each.data or "chance" in each.data)]


def _used(play: Play) -> tuple[str, ...]:
    """Return the clauses that the play has reached, and the action that was refused."""
    refused = play.refusal.event if play.refusal else None
    action = (refused.action,) if isinstance(refused, Move) else ()
    if play.engine is None or play.state is None:
        return action
    return (*action, *stack(play.engine, play.state))


class _Side:
    """A play by one of the two sets of rules."""

    def __init__(self, play: Play) -> None:
        assert play.engine is not None
        assert play.start is not None
        self.engine, self.start, self.events = play.engine, play.start, play.events
        self.lines = [line_of(self.engine.game, event) for event in play.events]
        self._stacks: list[tuple[str, ...]] = []

    def views(self) -> Iterator[dict[str, Any]]:
        """Yield the values to compare, at the beginning and after each event."""
        # A copy is played, since the state is needed later.
        state = self.start.clone()
        yield view(self.engine, state)
        for event in self.events:
            # The clauses are listed before the event, since it may leave the clauses that it passes through.
            self._stacks.append(clauses_at(self.engine, state, event))
            self.engine.advance(state, event)
            yield view(self.engine, state)

    def used_at(self, number: int) -> tuple[str, ...]:
        """Return the clauses that brought about the state after so many events."""
        return self._stacks[number - 1] if number else ("setup",)
