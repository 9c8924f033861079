"""Replay of the other members of a line: a gap, a recorded position, a claim, an early end."""

from __future__ import annotations

from dataclasses import replace

from ludex.grammar import Diagnostic, Json, Message, Note, enumerated

from ...program import State
from .. import log_codes
from ..record import Record
from ..structure import NOTE, Claim, EarlyEnd, FullEntry, Gap, Problem, claim_type, loser_among_winners
from ..tracking.claim_check import Wrong
from ..tracking.earlier_records import piece_recorded
from ..tracking.event_findings import other_state, too_long_a_gap
from .event_step import ended_by, stock_of
from .hand_dealing import deal_out
from .replay_state import Replay, Stop

MOST_HELD = 12
"""The largest number of values that are listed of what a place can hold."""


def follow_gap(replay: Replay, gap: Gap, record: Record) -> None:
    """Follow every event that may have taken place where the log has a gap. Raises Stop if the gap is too long."""
    if replay.dealing.is_waiting:
        replay.dealing.divide(replay.tracker.belief)
        deal_out(replay, gap)
        return
    # The gap may be empty, and nothing says that it is not.
    if gap.count is None and not gap.only_chance and not replay.context.options.ends and _is_open_end(replay):
        replay.is_open_ended = True
        return
    belief = replay.tracker.belief
    # The tracker is set before the gap is followed: if that fails, the state before it is not taken for known.
    replay.tracker = replay.tracker_of(belief)
    if gap.count is None:
        belief = belief.after_gap(gap.only_chance)
    for _ in range(gap.count or 0):
        after = belief.after_any()
        if after is None:
            raise Stop(too_long_a_gap(record))
        belief = after
    replay.tracker = replay.tracker_of(belief).settled()


def _is_open_end(replay: Replay) -> bool:
    """Return whether nothing is recorded after the line but an end that the players agreed on, and notes."""
    entries = (replay.lines.entry(at) for at in range(replay.at + 1, len(replay.lines)))
    return all(isinstance(entry, FullEntry) and replace(entry, end=None) == NOTE for entry in entries)


def compare_position(replay: Replay, data: Json, record: Record) -> None:
    """Compare a recorded position with the play; where not everything is known, it is known from here on.

    Raises Stop if the record is not a position of the game. A position that differs is a finding.
    """
    state = replay.tracker.state
    # A record of the board alone means the state of the play now.
    if state is not None and isinstance(data, dict) and "flow" not in data:
        data = {**data, "flow": _place_in_flow(replay, state)}
    # Of a position that is compared with a known state, the difference says more than an invariant.
    is_continued = state is None or replay.context.options.resyncs
    recorded = recorded_position(replay, data, record, is_continued)
    if not isinstance(recorded, State):
        raise Stop(*recorded)
    is_other = state is not None and recorded.key() != state.key()
    if state is not None and is_other:
        replay.journal.findings.append(other_state(replay.context.engine, state, recorded, record))
    if state is None or (is_other and replay.context.options.resyncs):
        replay.journal.left_out += replay.filled_in()
        replay.begin_again(recorded)


def _place_in_flow(replay: Replay, state: State) -> Json:
    from ..position.position import position_of  # it loads the reference, which most logs do not need

    reference = replay.context.engine.reference
    return position_of(reference, replay.context.engine.to_reference(state))["flow"]


def recorded_position(
    replay: Replay, data: Json, record: Record, keeps_invariants: bool = True
) -> State | tuple[Diagnostic, ...]:
    from ..tracking.beginning import recorded_state  # it loads the reference, which most logs do not need

    context = replay.context
    return recorded_state(context.engine, data, context.header.names, record, "/position", keeps_invariants)


def check_claim(replay: Replay, claim: Claim, record: Record) -> None:
    """Check a claim; a false one does not stop the replay."""
    claimed = replay.tracker.claimed(claim)
    if claimed.wrong is None and replay.context.pursuit is not None:
        claimed = replay.tracker_of(replay.tracker.belief).claimed(claim)
    replay.continue_with(claimed.tracker, claimed.declines, record)
    if claimed.wrong is not None:
        wrong = (_with_end(replay, each) for each in claimed.wrong)
        replay.journal.claims.add(claim, tuple(_with_places(replay, each, claim, record) for each in wrong), record)


def _with_end(replay: Replay, wrong: Wrong) -> Wrong:
    """Name the clause that ended the game, for a claim that it goes on."""
    is_over = wrong.code is log_codes.WRONG_END and replay.tracker.has_ended
    return replace(wrong, paths=ended_by(replay)) if is_over else wrong


def _with_places(replay: Replay, wrong: Wrong, claim: Claim, record: Record) -> Wrong:
    """Say what a place can hold if not what is claimed, where the claimed pieces are, and which lines record them."""
    cell = next((each for each in claim.cells if wrong.pointer == f"{each.pointer}/is"), None)
    if cell is None or wrong.code is not log_codes.WRONG_STATE or not replay.context.options.explains:
        return wrong
    from ..tracking.possible_reasons import candidates, whereabouts  # it loads the reference

    belief, table, notes = replay.tracker.belief, replay.context.table, list[Note]()
    can_hold = candidates(belief, cell.element, cell.indices)
    if replay.tracker.state is None and cell.element.kind in ("one", "state") and 0 < len(can_hold) <= MOST_HELD:
        values = [table.value_words(claim_type(cell.element), each) for each in can_hold]
        name = table.cell_words(cell.element, cell.indices)
        entry = "claim-can-be" if cell.element.kind == "state" else "claim-can-hold"
        notes.append(Note(Message(entry, name=name, values=enumerated(values, "or"))))
    stock, of = stock_of(replay), cell.element.type
    pieces = cell.value if isinstance(cell.value, tuple) else (cell.value,)
    for piece in dict.fromkeys(pieces if cell.element.is_zone else ()):
        if piece not in can_hold and stock.has_one(of, piece):
            where = whereabouts(belief, of, piece, table.shown)
            notes += [Note(where)] if where else []
            notes += piece_recorded(stock.game, of, piece, replay.lines[: replay.at + 1], record.place(wrong.pointer))
    return replace(wrong, notes=(*wrong.notes, *notes))


def end_early(replay: Replay, end: EarlyEnd, record: Record) -> None:
    """Take over a result that the rules do not give; they must not have given one before.

    Raises Stop if they have, or if the player who lost is among the winners.
    """
    problem = loser_among_winners(end)
    if replay.tracker.has_ended:
        problem = Problem(log_codes.WRONG_RESULT, "/result", Message("verdict-over-before-result"))
    if problem is not None:
        raise Stop(problem.at(record))
    replay.early_end = end
