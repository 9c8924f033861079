"""Replay of a witness: its log is written, read again, and played in fresh engines of both sides.

The search plays both games in lockstep and takes shortcuts; the replay judges the log as `ludex validate` does, so that
a report shows only what holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.spec import model as m

from ..logs import LineReader, header_of, line_of
from ..play.engine import Engine
from ..program import State
from ..state.events import Event, SpecFault
from .product_game import Witness, result
from .shown_witness import Response, ShownWitness, Side

LineRecords = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SideReplay:
    """The replay of a log in one game.

    Attributes:
        events: those of the log that are events of the game, up to the first that it refuses.
        states: before the first of them, and after each that it accepted.
        answer: what the game says of the log's last event, or of the first that it refuses.
        clause: the one that refuses it, or where the rules are silent.
    """

    engine: Engine
    events: tuple[Event, ...]
    states: tuple[State, ...]
    answer: Response = "allows"
    clause: str = ""

    @property
    def legal(self) -> int:
        """Number of events that no requirement forbids, including one after which the rules are silent."""
        return len(self.states) - 1 + (self.answer == "stops")


def written(left: m.Game, right: m.Game, witness: Witness) -> tuple[dict[str, Any], ...]:
    """Write a witness as the lines of a log, under the left game's header."""
    lines = [header_of(left).to_json(), *(line_of(left, event) for event in witness.events)]
    if witness.event is not None:
        lines.append(line_of(left if witness.in_left else right, witness.event))
    return tuple(lines)


def replay_side(game: m.Game, lines: LineRecords) -> SideReplay:
    """Read the lines after the header as events, and play them."""
    engine, reader, events, states = Engine(game), LineReader(game), list[Event](), list[State]()

    def ended(answer: Response = "allows", clause: str = "") -> SideReplay:
        return SideReplay(engine, tuple(events), tuple(states), answer, clause)

    try:
        states.append(engine.start())
    except SpecFault as fault:
        return ended("stops", fault.path or "")
    # The lines are read as each game has them: values may have other numbers, or no meaning, in the other one.
    for line in lines[1:]:
        entry = reader.read(line)
        if isinstance(entry, tuple) or entry.event is None:
            return ended("refuses")
        events.append(entry.event)
        # An event that is refused, or ends in a fault, may have changed part of the state.
        state = states[-1].clone()
        try:
            refusal = engine.advance(state, entry.event)
        except SpecFault as fault:
            return ended("stops", fault.path or "")
        if refusal is not None:
            return ended("refuses", next(iter(refusal.clauses), ""))
        states.append(state)
    return ended()


def shown_witness(left: SideReplay, right: SideReplay, lines: LineRecords) -> ShownWitness | None:
    """Return the witness with the answers of both games; None if the replay does not show a difference at its end."""
    courses, last = (left, right), len(lines) - 1
    players = left.engine.game.players
    if left.legal == right.legal == last:
        return _after_all(left, right, lines)
    # They must part on the last event: if they do earlier, the rest of the log is needless.
    if left.legal == right.legal or min(left.legal, right.legal) < last - 1:
        return None
    here, there = (Side("allows" if each.legal == last else "refuses", each.clause) for each in courses)
    return ShownWitness(players, tuple(lines), False, here, there)


def _after_all(left: SideReplay, right: SideReplay, lines: LineRecords) -> ShownWitness | None:
    """Return the same for a log that both games accept to its last event."""
    courses, players = (left, right), left.engine.game.players
    stopped = [each.answer == "stops" for each in courses]
    if stopped[0] is not stopped[1]:
        here, there = (Side("stops" if each.answer == "stops" else "goes on", each.clause) for each in courses)
        return ShownWitness(players, tuple(lines), False, here, there)
    if any(stopped) or not all(each.engine.is_terminal(each.states[-1]) for each in courses):
        return None
    if result(left.engine, left.states[-1]) == result(right.engine, right.states[-1]):
        return None
    return ShownWitness(players, tuple(lines), True, _of_end(left), _of_end(right))


def _of_end(course: SideReplay) -> Side:
    if isinstance(result(course.engine, course.states[-1]), str):
        return Side("stops")
    return Side("goes on", "", course.engine.returns(course.states[-1]))
