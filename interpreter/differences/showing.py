"""A witness as it is shown: its log written down, read again, and played in fresh engines of both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludex.grammar import Authority
from ludex.spec import model as m

from ..engine import Engine
from ..events import DECLINE, ChanceEvent, Event, Move, Refusal, SpecFault
from ..explain import event_words, explain, player_words
from ..logs import UNKNOWN_ACTION, UNKNOWN_CHANCE, LineReader, Problem, header_of, line_of
from ..reasons import reasons
from ..state import State
from .lockstep import Witness, result
from .shown import Shown, Side
from .tables import apart

Lines = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One side of a witness.

    Attributes:
        edition: whose reading it is.
        path: the clause in question, as the game calls it; None where nothing is said.
        where: what the game is, if it is not an edition as it stands.
    """

    edition: str
    game: m.Game
    path: str | None
    where: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """How a log went in one game: so many of its events were legal.

    Attributes:
        state: after them.
        problem: why the next one cannot be, in words.
        clauses: those behind it, or behind the fault.
        offered: the moves that were on offer where the last event was tried.
        fault: the rules do not say what happens with the last one, or behind it: in words.
        judged: they say that it is legal.
    """

    played: int
    state: State
    last: Event | None = None
    problem: str | None = None
    clauses: tuple[str, ...] = ()
    fault: str | None = None
    offered: tuple[str, ...] = ()
    judged: bool = True


def written(left: m.Game, right: m.Game, witness: Witness, of_left: bool) -> tuple[dict[str, Any], ...]:
    """A witness as the lines of a log. of_left: its header is the left game's, else the right one's."""
    lines = [header_of(left if of_left else right).to_json(), *(line_of(left, event) for event in witness.events)]
    if witness.event is not None:
        lines.append(line_of(left if witness.in_left else right, witness.event))
    return tuple(lines)


def follow(engine: Engine, lines: Lines) -> Course:
    """Read the lines behind the header as events, and play them."""
    reader, last = LineReader(engine.game), None
    offered: tuple[str, ...] = ()
    try:
        state = engine.start()
    except SpecFault as fault:
        return Course(0, State([], [], []), clauses=_behind(fault), fault=fault.message)
    for played, line in enumerate(lines[1:]):
        entry = reader.read(line)
        offered = engine.offered(state)
        if isinstance(entry, tuple):
            return Course(played, state, last, _unread(entry[0], offered), offered=offered)
        assert entry.event is not None
        last = entry.event
        try:
            refusal = engine.advance(state, last)
        except SpecFault as fault:
            judged = engine.is_judged(state, last)
            return Course(played + 1, state, last, None, _behind(fault), fault.message, offered, judged)
        if refusal is not None:
            return Course(played, state, last, _refused(engine, state, refusal), refusal.clauses)
    return Course(len(lines) - 1, state, last, offered=offered)


def _behind(fault: SpecFault) -> tuple[str, ...]:
    return (fault.path,) if fault.path else ()


def _refused(engine: Engine, state: State, refusal: Refusal) -> str:
    """Why, with the values by which a requirement fails."""
    failed = (note.message.partition(": ")[2] for note in reasons(engine, state, refusal, most=0))
    values = ", ".join(dict.fromkeys(filter(None, failed)))
    return f"{explain(refusal, engine.game).message}{f' ({values})' if values else ''}"


def _unread(problem: Problem, offered: Sequence[str]) -> str:
    """A line that is no event of the game, in words that fit a game in which a clause was exchanged or left out."""
    if problem.code is UNKNOWN_ACTION:
        return f"nobody has that choice here{f'; on offer: {_names(offered)}' if offered else ''}"
    return "this is not left to chance here" if problem.code is UNKNOWN_CHANCE else problem.message


def show(left: Reading, right: Reading, lines: Lines) -> Shown | None:
    """The log replayed under both readings; None if it does not part them at its end."""
    engines = Engine(left.game), Engine(right.game)
    try:
        here, there = (follow(engine, lines) for engine in engines)
    except SpecFault:
        return None
    if here.played == there.played == len(lines) - 1 and (here.fault is None) is not (there.fault is None):
        mine, theirs = _of_fault(left, here), _of_fault(right, there)
        shown: Shown | None = Shown(left.game.players, tuple(lines), len(lines), mine, theirs)
    else:
        shown = _parted_by_event(left, here, right, there, lines)
        shown = shown or _parted_at_end(left, right, engines, lines, here, there)
    return shown and replace(shown, apart=apart(engines, lines))


def _parted_by_event(left: Reading, here: Course, right: Reading, there: Course, lines: Lines) -> Shown | None:
    last = len(lines) - 1
    if here.played == there.played or min(here.played, there.played) < last - 1:
        return None
    mine, theirs = _of_event(left, here, last), _of_event(right, there, last)
    return Shown(left.game.players, tuple(lines), len(lines), mine, theirs)


def _parted_at_end(
    left: Reading, right: Reading, engines: tuple[Engine, Engine], lines: Lines, here: Course, there: Course
) -> Shown | None:
    whole = here.played == there.played == len(lines) - 1 and here.fault is None and there.fault is None
    if not whole or not engines[0].is_terminal(here.state) or not engines[1].is_terminal(there.state):
        return None
    if result(engines[0], here.state) == result(engines[1], there.state):
        return None
    mine, theirs = _of_end(left, engines[0], here), _of_end(right, engines[1], there)
    return Shown(left.game.players, tuple(lines), len(lines) + 1, mine, theirs)


def _of_event(reading: Reading, course: Course, last: int) -> Side:
    allowed = course.played == last
    if allowed:
        told = _stopped(reading.game, course) if course.fault else _possible(reading.game, course)
    else:
        told = course.problem or ""
    return Side(reading.edition, allowed, _clauses(reading, course.clauses), told, where=reading.where)


def _possible(game: m.Game, course: Course) -> str:
    """That the last event may be. Who declines has something else on offer, which the event does not name."""
    event = course.last
    assert event is not None
    others = [name for name in course.offered if name != DECLINE]
    beside = isinstance(event, Move) and event.action == DECLINE and others
    return f"{_event(game, event)} {_can(event)}{f' (on offer: {_names(others)})' if beside else ''}"


def _event(game: m.Game, event: Event) -> str:
    return "declining" if isinstance(event, Move) and event.action == DECLINE else event_words(game, event)


def _can(event: Event) -> str:
    return "can come" if isinstance(event, ChanceEvent) else "is legal"


def _names(offered: Sequence[str]) -> str:
    return ", ".join(offered)


def _of_fault(reading: Reading, course: Course) -> Side:
    told = _stopped(reading.game, course) if course.fault else f"{_begun(reading.game, course)}, and play goes on"
    return Side(reading.edition, None, _clauses(reading, course.clauses), told, where=reading.where)


def _begun(game: m.Game, course: Course) -> str:
    return "play begins" if course.last is None else _possible(game, course)


def _stopped(game: m.Game, course: Course) -> str:
    """Where the rules say no more: of the event itself, of what comes of it, or of what may be done next."""
    if course.last is not None and not course.judged:
        return f"the rules do not say whether {_event(game, course.last)} {_can(course.last)}: {course.fault}"
    clause = game.clauses.get(course.clauses[0]) if course.clauses else None
    what = "may be done" if clause is not None and clause.kind == "require" else "happens"
    return f"{_begun(game, course)}, and the rules do not say what {what} then: {course.fault}"


def _of_end(reading: Reading, engine: Engine, course: Course) -> Side:
    found = result(engine, course.state)
    if isinstance(found, str):
        told = f"the game is over, and the rules do not say what the points are: {found}"
        return Side(reading.edition, None, _clauses(reading, ()), told, where=reading.where)
    totals, outcome = engine.returns(course.state), engine.winners(course.state)
    who = " and ".join(player_words(seat) for seat in outcome.winners) or "nobody"
    points = f"{', '.join(map(str, totals))} points; " if engine.game.scores else ""
    won = "nothing decides who wins" if outcome.undecided else f"{who} {'share the win' if outcome.shared else 'wins'}"
    decided = (outcome.criterion,) if outcome.criterion else ()
    return Side(reading.edition, None, _clauses(reading, decided), f"{points}{won}", totals, reading.where)


def _clauses(reading: Reading, others: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The clause in question first."""
    paths = dict.fromkeys((*((reading.path,) if reading.path else ()), *others))
    return tuple((path, cited(reading.game, path)) for path in paths)


def cited(game: m.Game, path: str) -> tuple[str, ...]:
    """What a clause cites, or else the nearest one around it: `document first-last`."""
    clause = game.clauses.get(path)
    found = _citations(clause.authority) if clause else ()
    around = path.rpartition(".")[0]
    return found or (cited(game, around) if around else ())


def _citations(authority: Authority) -> tuple[str, ...]:
    return tuple(
        f"{citation.document} {first}-{last}" if first != last else f"{citation.document} {first}"
        for citation in authority.citations
        for first, last in citation.lines
    )
