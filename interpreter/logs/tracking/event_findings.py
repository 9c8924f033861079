"""Findings about illegal events: the reason, the place in the record, and events that would be legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Code, Diagnostic, Json, Message, Note, enumerated
from ludex.spec import OVER_BUDGET, OverBudget, all_steps, show
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import glossed, terms
from ...event_notation.syntax import UNSEEN
from ...explanation.wording import explain, why
from ...play.engine import Engine
from ...program import State
from ...state.domains import is_value
from ...state.events import ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault, Trace
from ...state.value_distance import distance
from .. import log_codes
from ..record import Record
from ..structure import UNKNOWN_WORD, SeatedTable, line_like
from .clause_text import worded
from .dealing import Hand

NEAREST = 3
"""Limit of what a finding lists, in events: the nearest legal ones, and those in which a piece came up before."""
MOST_LEFT_OUT = 64
"""Limit of the search for one move that a log left out, in legal moves: each is played for it."""

_PLACES = {
    RefusalKind.OVER: (log_codes.AFTER_THE_END, ""),
    RefusalKind.CHANCE_AWAITED: (log_codes.CHANCE_AWAITED, "/action"),
    RefusalKind.MOVE_AWAITED: (log_codes.MOVE_AWAITED, "/chance"),
    RefusalKind.WRONG_CHANCE: (log_codes.CHANCE_ELSEWHERE, "/chance"),
    RefusalKind.WRONG_OUTCOME: (log_codes.WRONG_OUTCOME, "/outcome"),
    RefusalKind.WRONG_PLAYER: (log_codes.WRONG_PLAYER, "/player"),
    RefusalKind.UNKNOWN_ACTION: (log_codes.NOT_OFFERED, "/action"),
    RefusalKind.NOT_OFFERED: (log_codes.NOT_OFFERED, "/action"),
}
OUT_OF_ORDER = set(_PLACES) - {RefusalKind.OVER, RefusalKind.WRONG_OUTCOME, RefusalKind.UNKNOWN_ACTION}
"""The kinds of refusal of an event that may be legal a little later."""


def refused(engine: Engine, state: State, refusal: Refusal, record: Record, table: SeatedTable) -> Diagnostic:
    """Make the finding for an event that is refused in this state."""
    code, pointer = fault_place(refusal)
    from ...explanation.refusals import reasons  # legal logs need no explanation

    explanation = explain(refusal, engine.game, table.shown)
    return Diagnostic(
        code,
        explanation.message,
        record.place(pointer),
        _hint(engine, state, refusal, record, table),
        notes=reasons(engine.reference, engine.to_reference(state), refusal, table.shown),
        why=worded(engine.game, explanation.why),
        pointer=pointer,
        legal=legal_lines(engine, state, refusal.event, record, table),
    )


def passed_over(engine: Engine, state: State, last: Event, refusal: Refusal) -> Iterator[Note]:
    """Say that the decision to which a refused move belongs was passed over after the last event, as no move was legal
    in it. state: before that event."""
    if refusal.kind not in (RefusalKind.CHANCE_AWAITED, RefusalKind.WRONG_PLAYER, RefusalKind.NOT_OFFERED):
        return
    trace = Trace()
    try:
        engine.reference.apply(engine.to_reference(state), last, trace)
    except SpecFault:
        return
    # Only a decision that would have offered the refused move explains the refusal.
    for step in all_steps(*engine.game.routines):
        if isinstance(step, m.Decide) and step.path in trace.passed and _offers(step, refusal.event):
            yield Note(Message("verdict-passed-over", clause=glossed(engine.game, step.path)), step.span)


def _offers(step: m.Decide, event: Event) -> bool:
    names = (option.action if isinstance(option, m.ActionOption) else option.name for option in step.options)
    return isinstance(event, Move) and event.action in names


def fault_place(refusal: Refusal) -> tuple[Code, str]:
    """Choose the code, and the pointer to the member at fault."""
    if refusal.kind in _PLACES:
        return _PLACES[refusal.kind]
    if refusal.argument is not None:
        return log_codes.ILLEGAL_MOVE, f"/args/{refusal.argument}"
    stated = isinstance(refusal.event, Move) and refusal.event.arguments
    return log_codes.ILLEGAL_MOVE, "/args" if stated else "/action"


def _hint(engine: Engine, state: State, refusal: Refusal, record: Record, table: SeatedTable) -> str | None:
    if refusal.kind in (RefusalKind.WRONG_PLAYER, RefusalKind.NOT_OFFERED):
        left_out = _left_out(engine, state, refusal.event)
        if left_out is None:
            return None
        line = line_like(record, engine.game, left_out, table.names)
        return Message("verdict-left-out", player=table.player(left_out.player), line=line)
    if refusal.kind is RefusalKind.MOVE_AWAITED:
        return known_piece_hint(engine.game, refusal.event)
    if refusal.kind is not RefusalKind.WRONG_OUTCOME or not isinstance(refusal.event, ChanceEvent):
        return None
    possible = [outcome for outcome, _ in engine.chance(state)]
    ways = [each.via for each in possible if each.outcome == refusal.event.outcome]
    # The outcome itself is possible: what is not given is the pool that it comes from.
    if ways:
        values = enumerated(str(list(via or ())) for via in ways)
        return Message("verdict-several-ways", ways=values)
    return Message("verdict-outcomes", count=len({each.outcome for each in possible}))


def _left_out(engine: Engine, state: State, event: Event) -> Move | None:
    """Find a move after which the event would be legal; None if there is none among those tried."""
    try:
        for move in engine.legal_moves(state)[:MOST_LEFT_OUT]:
            if engine.is_legal(engine.apply(state, move), event):
                return move
    # A suggestion may fail, here and below: a finding is complete without one.
    except SpecFault:
        return None
    return None


def known_piece_hint(game: m.Game, event: Event) -> Message | None:
    """Say, of a piece that is recorded as drawn, that this is not a chance event if its place was known."""
    if not isinstance(event, ChanceEvent) or event.path not in game.chances:
        return None
    type_ = game.chances[event.path].outcome
    if not isinstance(type_, t.ComponentType) or not is_value(type_, event.outcome):
        return None
    return Message("verdict-known-piece", piece=show(type_, event.outcome))


def ambiguous(engine: Engine, state: State, record: Record, table: SeatedTable) -> Diagnostic:
    """Make the finding for a line that is legal only after a decline, and after more than one."""
    message = Message("verdict-ambiguous")
    hint = Message("verdict-record-each", awaited=awaited_words(engine, state, table))
    reasons = worded(engine.game, why(engine.game, asking(engine, state)))
    return Diagnostic(log_codes.AMBIGUOUS_DECLINE, message, record.place(), hint, why=reasons, pointer="")


def rules_at_fault(engine: Engine, fault: SpecFault, record: Record, from_position: bool = False) -> Diagnostic:
    """Make the finding for a line at which the spec itself fails. from_position: whether it fails before the first
    event after the position in the header, which may be at fault instead."""
    notes = (Note(Message("verdict-clause-fails"), fault.span),)
    message = Message("verdict-rules-fail", message=fault.message)
    reasons = worded(engine.game, why(engine.game, (fault.path,) if fault.path else ()))
    if isinstance(fault, OverBudget):
        return Diagnostic(OVER_BUDGET, fault.message, record.place(), fault.hint, notes, reasons, "")
    if from_position:
        message, hint = Message("from-rules-fail", message=fault.message), Message("from-unreachable")
        return Diagnostic(log_codes.RULES_AT_FAULT, message, record.place("/from"), hint, notes, reasons, "/from")
    return Diagnostic(log_codes.RULES_AT_FAULT, message, record.place(), None, notes, reasons, "")


def after_the_result(record: Record) -> Diagnostic:
    """Make the finding for a line after the result with which the players ended the game."""
    return Diagnostic(log_codes.AFTER_THE_RESULT, Message("verdict-after-result"), record.place(), pointer="")


def missing_lines(record: Record, lines: Sequence[str], is_among: bool = False) -> Diagnostic:
    """Make the finding for a line before which others are missing. is_among: their place among the lines before it is
    not known."""
    word = UNSEEN if record.is_text else UNKNOWN_WORD
    message = Message("missing-lines", count=len(lines))
    name = "missing-lines-among-hint" if is_among else "missing-lines-hint"
    hint = Message(name, count=len(lines), word=word)
    notes = tuple([Note(line) for line in lines])
    return Diagnostic(log_codes.MISSING_LINES, message, record.place(), hint, notes, pointer="")


def missing_hint(lines: Sequence[str]) -> Message:
    """Say which lines may be missing before a refused one: each once, with how often."""
    often = [
        f"`{line}`" if lines.count(line) == 1 else f"{lines.count(line)} x `{line}`" for line in dict.fromkeys(lines)
    ]
    return Message("missing-lines-may-be", count=len(lines), lines=enumerated(often))


def undealt_cards(record: Record, pointer: str, awaited: str | None) -> Diagnostic:
    """Make the finding for a card of a deal that is not dealt before something else happens."""
    message = Message("undealt-card-awaited", awaited=awaited) if awaited else Message("undealt-card")
    return Diagnostic(log_codes.UNDEALT, message, record.place(pointer), pointer=pointer)


def too_few_cards(hand: Hand, line: str, player: str, count: int, listed: Sequence[Hand]) -> Diagnostic:
    """Make the finding for a hand that cannot be dealt as cards of a player are not written.

    line: that lists them; count: how many are missing; listed: the hands of this player that are written.
    """
    place, pointer = hand.record.place(hand.pointer), hand.pointer
    if not listed:
        hint = Message("undealt-add", line=line)
        return Diagnostic(
            log_codes.UNDEALT, Message("undealt-not-written", player=player), place, hint, pointer=pointer
        )
    written = sum(len(each.deal.cards) for each in listed)
    at = listed[-1].record.place().line
    message = Message("undealt-too-few", player=player, count=written + count, line=at, listed=written)
    return Diagnostic(log_codes.UNDEALT, message, place, pointer=pointer)


def other_state(engine: Engine, state: State, recorded: State, record: Record) -> Diagnostic:
    """Make the finding for a recorded position that is not the state of the play."""
    from ..position.position import position_of

    # As positions, the two are compared part by part, in the names that the log has.
    own, other = (position_of(engine.reference, engine.to_reference(each)) for each in (state, recorded))
    # A state in which everything is as at the beginning is left out of a position.
    cells = (each.pop("state", {}) for each in (own, other))
    names = [*_differing(*cells), *_differing(own, other)]
    message = Message("verdict-other-position", names=enumerated(names))
    return Diagnostic(log_codes.OTHER_STATE, message, record.place("/position"), pointer="/position")


def _differing(own: Mapping[str, Json], other: Mapping[str, Json]) -> list[str]:
    """List the members in which two objects differ."""
    return [name for name in {**own, **other} if own.get(name) != other.get(name)]


def too_long_a_gap(record: Record) -> Diagnostic:
    """Make the finding for a gap of more events than there can have been."""
    return Diagnostic(log_codes.AFTER_THE_END, Message("gap-too-long"), record.place("/gap"), pointer="/gap")


def too_much_unknown(record: Record, has_missing: bool) -> Diagnostic:
    """Make the warning for a line from which on nothing can be judged. has_missing: lines are missing before it."""
    message = Message("verdict-too-much-unknown")
    hint = Message("too-much-unknown-missing" if has_missing else "verdict-too-much-unknown-hint")
    return Diagnostic(log_codes.TOO_MUCH_UNKNOWN, message, record.place(), hint, pointer="")


def not_filled(record: Record, since: Record, found: int, refused: Sequence[Diagnostic]) -> Diagnostic:
    """Make the warning for a line before which no missing lines were found, though there may be some.

    since: the last line before which some were found, or the first one; found: how many were; refused: what is wrong
    with the line after them, whatever their values are.
    """
    between = Message("verdict-not-filled-between", line=since.place().line, count=found)
    message = between if refused else Message("verdict-not-filled")
    notes = tuple([Note(Message("verdict-not-filled-else", finding=each.message)) for each in refused])
    hint = Message("verdict-not-filled-hint")
    return Diagnostic(log_codes.TOO_MUCH_UNKNOWN, message, record.place(), hint, notes, pointer="")


def not_placed(record: Record, refused: Sequence[Diagnostic]) -> Diagnostic:
    """Make the warning for a line that is not legal with the missing lines in their places, of which all were found.

    refused: what is wrong with the line, whatever their values are.
    """
    message, hint = Message("verdict-not-placed"), Message("verdict-not-placed-hint")
    notes = tuple([Note(Message("verdict-not-filled-else", finding=each.message)) for each in refused])
    return Diagnostic(log_codes.TOO_MUCH_UNKNOWN, message, record.place(), hint, notes, pointer="")


def not_judged_without_values(record: Record) -> Diagnostic:
    """Make the warning for a line from which on a log with all its missing lines is not judged without their values."""
    message, hint = Message("verdict-without-values"), Message("verdict-without-values-hint")
    return Diagnostic(log_codes.TOO_MUCH_UNKNOWN, message, record.place(), hint, pointer="")


def unfinished(engine: Engine, state: State | None, record: Record, table: SeatedTable) -> Diagnostic:
    """Make the warning for a log that ends before the game does. state: None if it is not known."""
    if state is None:
        return Diagnostic(log_codes.LOG_UNFINISHED, Message("verdict-ends-early"), record.place(), pointer="")
    message = Message("verdict-ends-early-awaited", awaited=awaited_words(engine, state, table))
    reasons = worded(engine.game, why(engine.game, asking(engine, state)))
    return Diagnostic(log_codes.LOG_UNFINISHED, message, record.place(), why=reasons, pointer="")


# ---- the state as a report needs it ---------------------------------------------------------------------------------


def asking(engine: Engine, state: State) -> tuple[str, ...]:
    """Return the path of the clause whose decision or chance event is awaited; () at the end."""
    awaited = engine.statement(state)
    return () if awaited is None else (awaited.path,)


def awaited_words(engine: Engine, state: State, table: SeatedTable) -> str:
    """Describe what is awaited: `Alyona (study, scout)`, `the chance event setup.row`"""
    if players := engine.to_move(state):
        who = enumerated(map(table.player, players))
        return Message("awaited-of", players=who, offered=terms(engine.game, engine.offered(state)))
    if engine.is_terminal(state):
        return Message("awaited-nothing")
    return Message("awaited-chance", clause=glossed(engine.game, asking(engine, state)[0]))


def legal_lines(engine: Engine, state: State, event: Event, record: Record, table: SeatedTable) -> tuple[str, ...]:
    """List up to `NEAREST` legal events that could replace this one, the nearest first, as lines of a log."""
    try:
        events = tuple(_nearest(engine, state, event))
    except SpecFault:
        return ()
    return tuple(line_like(record, engine.game, near, table.names) for near in events)


def _nearest(engine: Engine, state: State, event: Event) -> Iterator[Event]:
    if isinstance(event, Move) and engine.to_move(state):
        yield from engine.nearest_legal(state, event, NEAREST)
    elif engine.to_move(state):
        yield from engine.legal_moves(state)[:NEAREST]
    else:
        outcomes = [outcome for outcome, _ in engine.chance(state)]
        yield from _nearest_outcomes(engine.game, outcomes, event)[:NEAREST]


def _nearest_outcomes(game: m.Game, outcomes: list[ChanceEvent], event: Event) -> list[ChanceEvent]:
    """Sort outcomes by their distance from the recorded one, which may be of another clause; else keep their order."""
    if not outcomes or not isinstance(event, ChanceEvent):
        return outcomes
    type_, recorded = game.chances[outcomes[0].path].outcome, event.outcome
    if game.chances[event.path].outcome != type_:
        return outcomes
    return sorted(outcomes, key=lambda outcome: distance(type_, recorded, outcome.outcome))
