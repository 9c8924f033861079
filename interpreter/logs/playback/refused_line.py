"""Report after a refused line: later faults, missing or swapped lines, and where the replay could
continue."""

from __future__ import annotations

from dataclasses import replace

from ludex.grammar import Diagnostic, Message, Note
from ludex.spec import types as t

from ...information.event_visibility import HIDDEN
from ...play.engine import Engine
from ...program import State
from ...state.events import ChanceEvent, Refusal, RefusalKind
from ..structure import Deal, Entry, FullEntry, Lines
from ..tracking.event_findings import missing_hint
from ..tracking.tracker import StateTracker
from .event_step import chance_run
from .replay_state import Replay


def judge_rest(replay: Replay, state: State, refusal: Refusal, lines: Lines) -> int | None:
    """Judge the lines after the refused one: add what is wrong in any case, and note what may follow from it.

    Returns how many lines there are up to a claim after which the replay can continue; None if there is none.
    """
    from .after_fault import after_fault

    findings, after = (
        replay.journal.findings,
        after_fault(StateTracker(replay.context, state), refusal, lines, chance_run(replay)),
    )
    if after.swapped_with is not None:
        note = Note(Message("verdict-swapped", line=after.swapped_with))
        findings[-1] = replace(findings[-1], hint=None, notes=(note, *findings[-1].notes))
    elif after.missing and _may_be_hinted(findings[-1], refusal):
        hint = missing_hint([replay.context.left_out(event, lines[0][0]).line for event in after.missing])
        findings[-1] = replace(findings[-1], hint=hint)
    findings += after.findings
    if after.pinned is None:
        replay.journal.consequences += after.consequences
        return None
    pinned, judged = after.pinned
    # The claim is true where the replay continues.
    replay.journal.consequences += [each for each in after.consequences if each is not lines[judged][0]]
    replay.resume(pinned, Note(Message("verdict-goes-on-claim"), lines[judged][0].place()))
    if replay.at + judged == replay.until_line:
        replay.before_line = replay.tracker
    return judged + 1


def hint_resync(replay: Replay, lines: Lines) -> None:
    """Say at the last reason to stop that the replay could continue at a position or a claim of state after it."""
    if replay.context.options.resyncs or not replay.context.options.goes_on:
        return
    for at in range(1, len(lines)):
        entry = lines.entry(at)
        if entry is None or not (entry.position is not None or (entry.claim is not None and entry.claim.cells)):
            continue
        # Whether a claim suffices shows only in a replay that continues there.
        name = "verdict-could-go-on-claim" if entry.position is None else "verdict-could-go-on-position"
        replay.note_stop(Note(Message(name, option="--resync"), lines[at][0].place()))
        return


def without_outcome(engine: Engine, entry: Entry | None, path: str, card: t.Value) -> Entry | None:
    """Return a line in which no outcome of the type that the path has is this card: such a one is not known."""
    if entry is None:
        return None
    chances, event, several = engine.game.chances, entry.event, entry.several
    of = chances[path].outcome
    if isinstance(event, ChanceEvent) and chances[event.path].outcome == of and event.outcome == card:
        return FullEntry(event._replace(outcome=HIDDEN), entry.claim)
    if isinstance(several, Deal) and chances[several.path].outcome == of:
        cards = tuple(HIDDEN if each == card else each for each in several.cards)
        return FullEntry(None, entry.claim, several=replace(several, cards=cards))
    return entry


def _may_be_hinted(finding: Diagnostic, refusal: Refusal) -> bool:
    """Return whether missing lines explain more than the finding says: not where it names one that is missing."""
    if refusal.kind is RefusalKind.WRONG_CHANCE:
        return False
    return finding.hint is None or refusal.kind is RefusalKind.MOVE_AWAITED
