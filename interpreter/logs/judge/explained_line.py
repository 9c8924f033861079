"""Explanation of what a line of a log says of the state: each part of a claim, a recorded position, a result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ludex.grammar import Json, Message, enumerated

from ...play.engine import Engine
from ...program import State
from ...state.events import SpecFault, TooManyStates
from ...unknowns import Belief
from ..playback.replay_state import begin_budget
from ..record import Log, Record
from ..structure import Claim, EarlyEnd, Entry, SeatedTable, claim_type, line_reader, loser_among_winners
from ..tracking.beginning import recorded_state
from ..tracking.belief_tracker import BeliefTracker
from ..tracking.claim_check import single_claims, winning_clauses, worth, wrong_parts
from ..tracking.event_findings import awaited_words
from ..tracking.report import Play
from ..tracking.tracker import StateTracker, Tracker
from .asked_line import AskedLine
from .possible_examination import MOST_GAMES, MOST_PERHAPS
from .validate import Validator


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """One part of what a line says of the state.

    Attributes:
        pointer: to the part in the record.
        sentence: what it says, in words.
        holds: whether it is true; None if that is not known, or it is true in some only of the games that may be.
        facts: what the state has instead, in words, and what the values rest on.
        clauses: the paths of those that decide it.
    """

    pointer: str
    sentence: str
    holds: bool | None
    facts: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """The statements of a line about the state, part by part.

    Attributes:
        asked: the line.
        is_known: whether the state there is known; otherwise each part is about every state that may be.
        parts: each of them is judged as if those before it were true.
    """

    engine: Engine
    asked: AskedLine
    is_known: bool
    parts: tuple[JudgedPart, ...]

    @property
    def holds(self) -> bool | None:
        """Whether all parts are true; None if none is false, and some may be true."""
        verdicts = {part.holds for part in self.parts}
        return False if False in verdicts else None if None in verdicts else True


def explain_line(
    validator: Validator, log: Log, asked: AskedLine, fills: bool = False, resyncs: bool = False
) -> ExplainedLine | Play:
    """Explain what a line says of the state after its events.

    Returns the play, with its report, if it does not reach the line. fills, resyncs: as in `Validator.play`, to reach
    a line after a fault.
    """
    # `plays=0` leaves out the search for complete plays: nobody could say what holds in all that it finds.
    play = validator.play(log, plays=0, fills=fills, goes_on=resyncs, resyncs=resyncs, until_line=asked.index)
    engine, tracker = play.engine, play.before_line
    if engine is None or tracker is None or play.log is None:
        return play
    record = play.log.events[asked.index]
    entry = line_reader(engine.game, tracker.context.header.names).read(record.data or {})
    assert isinstance(entry, Entry), "the replay reaches no line that cannot be read"
    begin_budget(engine)
    try:
        parts = tuple(_parts(tracker, entry, record))
    # The report says why nothing more can be said of the line.
    except (SpecFault, TooManyStates):
        return play
    return ExplainedLine(engine, asked, tracker.state is not None, parts) if parts else play


def _parts(tracker: Tracker, entry: Entry, record: Record) -> Iterator[JudgedPart]:
    """Yield the parts in the order in which they are judged; none if the position is not one of the game."""
    if isinstance(entry.position, dict):
        recorded = _recorded(tracker, entry.position, record)
        if recorded is None:
            return
        yield from _position_parts(tracker, entry.position, recorded)
        # The replay continues from the recorded state in these cases, so the claim after it is judged there.
        if tracker.state is None or tracker.context.options.resyncs:
            tracker = StateTracker(tracker.context, recorded)
    if entry.claim is not None:
        yield from _claim_parts(tracker, entry.claim)
    if entry.end is not None:
        yield _end_part(tracker, entry.end)


# ---- positions


def _recorded(tracker: Tracker, data: Mapping[str, Json], record: Record) -> State | None:
    """Return the recorded state; None if the game has no such state."""
    # A position that does not say where play is means the place that the play has reached.
    if tracker.state is not None and "flow" not in data:
        data = {**data, "flow": _position(tracker, tracker.state)["flow"]}
    names, engine = tracker.context.header.names, tracker.context.engine
    recorded = recorded_state(engine, data, names, record, "/position", keeps_invariants=tracker.state is None)
    return recorded if isinstance(recorded, State) else None


def _position(tracker: Tracker, state: State) -> dict[str, Json]:
    from ..position.position import position_of

    engine = tracker.context.engine
    return position_of(engine.reference, engine.to_reference(state), tracker.context.header.names)


def _position_parts(tracker: Tracker, data: Mapping[str, Json], recorded: State) -> Iterator[JudgedPart]:
    """Yield each state and zone in which the position or the play is not as at the beginning, then its other members.

    Where the state is not known, the position is not compared.
    """
    sentence, own = _members(_position(tracker, recorded)), None
    if tracker.state is not None:
        own = _members(_position(tracker, tracker.state))
    for pointer in {**sentence, **(own or {})}:
        if pointer == "/flow" and "flow" not in data:
            continue
        holds = None if own is None else sentence.get(pointer) == own.get(pointer)
        facts = [Message("part-recorded", value=_json(sentence, pointer))]
        if own is not None and not holds:
            facts.append(Message("part-in-play", value=_json(own, pointer)))
        name = pointer.rpartition("/")[2]
        clauses = (name,) if name in tracker.context.engine.game.element else ()
        yield JudgedPart(f"/position{pointer}", name, holds, tuple(facts), clauses)


def _members(position: Mapping[str, Json]) -> dict[str, Json]:
    """List the members of a position by pointer, each state and zone by itself."""
    state = position.get("state", {})
    assert isinstance(state, dict)
    others = {f"/{name}": value for name, value in position.items() if name != "state"}
    return {**{f"/state/{name}": value for name, value in state.items()}, **others}


def _json(members: Mapping[str, Json], pointer: str) -> str:
    # What is as at the beginning is left out of a position.
    return json.dumps(members[pointer], ensure_ascii=False) if pointer in members else Message("part-as-begun")


# ---- claims


def _claim_parts(tracker: Tracker, claim: Claim) -> Iterator[JudgedPart]:
    claimed = tracker.claimed(claim)
    state = claimed.tracker.state if tracker.state is not None else None
    if state is None:
        yield from _possible_parts(BeliefTracker(tracker.context, tracker.belief), claim)
        return
    # With several ways to decline, what is not true here may be true after one of them.
    otherwise = None if claimed.wrong is None else False
    for part in single_claims(claim):
        yield _known_part(tracker, state, part, otherwise)


def _known_part(tracker: Tracker, state: State, part: Claim, otherwise: bool | None) -> JudgedPart:
    """Compare a part of a claim with the state. otherwise: the statement about one that the state contradicts."""
    engine, table = tracker.context.engine, tracker.context.table
    wrong = next(wrong_parts(engine, state, part, table), None)
    facts = [] if wrong is None else [wrong.message]
    clauses = () if wrong is None else wrong.paths
    if wrong is not None and otherwise is None:
        facts.append(Message("part-after-declines"))
    for cell in part.cells:
        clauses = (cell.element.name,)
    for seat, _, _ in part.scores:
        scores = engine.scores(state)[seat]
        facts += worth(scores)
        clauses = tuple(path for path, _ in scores.breakdown)
    if part.terminal is False and wrong is None:
        facts.append(Message("claim-going-on", awaited=awaited_words(engine, state, table)))
    if part.winners is not None and wrong is None:
        clauses = winning_clauses(engine, engine.winners(state))
    pointer, sentence = _sentence(table, part)
    return JudgedPart(pointer, sentence, otherwise if wrong else True, tuple(facts), clauses)


def _possible_parts(tracker: BeliefTracker, claim: Claim) -> Iterator[JudgedPart]:
    """Compare each part with every state that may be, as far as the parts before it are true there."""
    for part in single_claims(claim):
        narrowed, wrong = tracker.assuming(part)
        pointer, sentence = _sentence(tracker.context.table, part)
        if wrong:
            yield JudgedPart(pointer, sentence, False, tuple(each.message for each in wrong))
            continue
        is_certain = _is_certain(tracker.belief, narrowed, part)
        others = () if is_certain else tuple(_others(tracker, part))
        yield JudgedPart(pointer, sentence, True if is_certain else None, others)
        tracker = replace(tracker, belief=narrowed)


def _is_certain(belief: Belief, narrowed: Belief, part: Claim) -> bool:
    """Return whether a part is true in every state of the belief. narrowed: the states in which it may be true."""
    if set(narrowed.states) != set(belief.states):
        return False
    # Points that depend on what is unknown may be any.
    return not (part.scores or part.winners is not None) or belief.has_known_results


def _others(tracker: BeliefTracker, part: Claim) -> Iterator[str]:
    """Yield what some of the states have instead."""
    engine, table = tracker.context.engine, tracker.context.table
    examples = (Belief(engine, (state,)).example for state in tracker.belief.states[:MOST_GAMES])
    others = dict.fromkeys(wrong.message for state in examples for wrong in wrong_parts(engine, state, part, table))
    yield from (Message("walk-perhaps", fact=other) for other in list(others)[:MOST_PERHAPS])


def _sentence(table: SeatedTable, part: Claim) -> tuple[str, str]:
    """Return the pointer to a part of a claim, and what it says in words."""
    for seat, points, pointer in part.scores:
        return pointer, Message("part-points", player=table.player(seat), points=points)
    for cell in part.cells:
        name = table.cell_words(cell.element, cell.indices)
        if cell.size is not None:
            return f"{cell.pointer}/size", Message("part-size", name=name, size=cell.size)
        entry = "part-is" if cell.element.kind == "state" else "part-holds"
        value = table.value_words(claim_type(cell.element), cell.value)
        return f"{cell.pointer}/is", Message(entry, name=name, value=value)
    if part.winners is None:
        return "/claim/terminal", Message("claim-over" if part.terminal else "claim-goes-on")
    return "/claim/winners", _winners(table, part.winners)


def _winners(table: SeatedTable, seats: Iterable[int]) -> str:
    names = [table.player(seat) for seat in sorted(seats)]
    return Message("part-winners", winners=enumerated(names)) if names else Message("part-no-winner")


# ---- results


def _end_part(tracker: Tracker, end: EarlyEnd) -> JudgedPart:
    table = tracker.context.table
    player = "" if end.player is None else table.player(end.player)
    how = Message(f"end-{end.by}", player=player)
    sentence = Message("part-result", how=how, winners=_winners(table, end.winners))
    problem = loser_among_winners(end)
    if problem is not None:
        return JudgedPart("/result", sentence, False, (problem.message,))
    if tracker.has_ended:
        return JudgedPart("/result", sentence, False, (Message("verdict-over-before-result"),))
    awaited = tracker.awaited
    facts = () if awaited is None else (Message("claim-going-on", awaited=awaited),)
    return JudgedPart("/result", sentence, None if tracker.has_ended is None else True, facts)
