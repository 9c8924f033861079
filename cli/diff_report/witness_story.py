"""Story of a witness in words: the texts' answers at its end, the changes of the state, the events that matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from ludex.interpreter import Event, Move, ShownWitness, Side, SideReplay, cells_of
from ludex.spec import Game, RowPair, show
from ludex.spec import model as m
from ludex.spec import types as t

from ..view.observation_picture import picture_rows
from ..view.observation_text import Viewer
from ..view.referee_view import everything
from . import report_model as r
from .phrases import Phrases

_MOST_SHOWN = 5
"""The largest number of events shown by default."""
_LAST = 3
"""The last events, which are always shown."""
MOST_CHANGES = 8


def story(
    row_pair: RowPair,
    shown: ShownWitness,
    courses: tuple[SideReplay, SideReplay],
    names: Sequence[str],
    phrases: Phrases,
) -> r.Story | None:
    """Describe the witness of a row; None if no game can begin.

    Args:
        courses: the replay in both games.
        names: of the two texts.
    """
    if not all(course.states for course in courses):  # the rules do not say how to begin
        return None
    left = courses[0]
    viewer = _viewer(left.engine.game, phrases)
    sigla = row_pair.doubt.readings if row_pair.doubt else row_pair.pair
    sides = zip(sigla, names, (shown.left, shown.right), courses, strict=True)
    answers = [
        r.Answered(
            siglum, name, side.answer, "" if side.clause in row_pair.clauses else _outcome(side, at, viewer, phrases)
        )
        for siglum, name, side, at in sides
    ]
    table = picture_rows(viewer, everything(left.engine, left.states[_before(shown)]), width=80)
    changes = tuple(islice(_changes(viewer, courses, shown, sigla, phrases), MOST_CHANGES))
    steps = tuple(_steps(row_pair, viewer, courses, shown.at_end, phrases))
    return r.Story(shown.players, (answers[0], answers[1]), steps, changes, tuple(table))


def _viewer(game: Game, phrases: Phrases) -> Viewer:
    """Make a viewer with the game's own terms, as far as it has them in this language."""
    language = phrases.language if phrases.language in game.languages else None
    is_named = "seat(1)" in game.terms
    names = () if is_named else tuple(f"{phrases['player']} {seat + 1}" for seat in range(game.players))
    # The story also goes to HTML and JSON; isolating characters are for terminals only.
    return Viewer(game, names, language, isolating=False, around=phrases.language)


def _outcome(side: Side, course: SideReplay, viewer: Viewer, phrases: Phrases) -> str:
    """Return the result, if the play is over; else the clause that refuses, or where the rules are silent."""
    if side.scores is None:
        return side.clause
    who = ", ".join(viewer.player(seat) for seat in course.engine.winners(course.states[-1]).winners)
    points = ", ".join(map(str, side.scores))
    return f"{phrases['points']} {points}; {who}" if who else f"{phrases['points']} {points}"


def _steps(
    row_pair: RowPair, viewer: Viewer, courses: Sequence[SideReplay], at_end: bool, phrases: Phrases
) -> Iterator[r.WitnessStep]:
    """List the events. Shown are the last few, the first after which the states differ, and those of the row's part
    of the rules."""
    # A side that refused the last event lacks it, and this event is what the story is about.
    events = max((course.events for course in courses), key=len)
    roots = {path.partition(".")[0] for path in row_pair.clauses}
    apart = _first_apart(courses)
    last = set(range(max(0, len(events) - _LAST), len(events)))
    about = [at for at, event in enumerate(events) if _root(event) in roots and at not in last]
    wanted = {*last, *about[-_MOST_SHOWN + _LAST :], apart}
    for at, event in enumerate(events):
        who = f"{viewer.player(event.player)}: " if isinstance(event, Move) else ""
        is_last = at + 1 == len(events) and not at_end
        remark = phrases["here"] if is_last else phrases["tables"] if at == apart else ""
        yield r.WitnessStep(at + 1, f"{who}{viewer.event(event)}", at in wanted, remark)
    if at_end or not events:
        yield r.WitnessStep(
            len(events) + 1, phrases["at the end"] if events else phrases["at the start"], True, phrases["here"]
        )


def _first_apart(courses: Sequence[SideReplay]) -> int:
    """Find the index of the event after which the states first differ; -1 if none."""
    left, right = courses
    others = {element.name: element for element in right.engine.game.elements}
    common = [(each, others[each.name]) for each in left.engine.game.elements if each.name in others]
    # The side that refused the last event has a state fewer.
    for at, (mine, theirs) in enumerate(zip(left.states[1:], right.states[1:], strict=False)):
        if any(cells_of(mine, one) != cells_of(theirs, other) for one, other in common):
            return at
    return -1


def _root(event: Event) -> str:
    return (event.action if isinstance(event, Move) else event.path).partition(".")[0]


# ---- what the table shows ---------------------------------------------------------------------------------------


def _changes(
    viewer: Viewer,
    courses: tuple[SideReplay, SideReplay],
    shown: ShownWitness,
    sigla: tuple[str, str],
    phrases: Phrases,
) -> Iterator[r.Change]:
    """List the parts of the state that the last event changes, or that differed between the games before it."""
    left, right = courses
    at, last = _before(shown), len(shown.lines) - 1
    others = {element.name: element for element in right.engine.game.elements}
    for element in viewer.game.elements:
        if element.name not in others:
            continue
        before, mine = cells_of(left.states[at], element), _after(left, last, element)
        other = others[element.name]
        before_there, theirs = cells_of(right.states[at], other), _after(right, last, other)
        for indices in product(*map(t.values, element.indices)):
            key = ", ".join(map(show, element.indices, indices))
            # A side that refused the event leaves its state as it was.
            held = [table.get(key) for table in (before, before_there, mine or before, theirs or before)]
            if any(each != held[0] for each in held):
                called = ", ".join(map(viewer.in_words, element.indices, indices))
                what = f"{viewer.called(element)} ({called})" if called else viewer.called(element)
                was, was_there, here, there = (viewer.cell(element, each) or phrases["nothing"] for each in held)
                before_it = was if was == was_there else f"{sigla[0]}: {was}; {sigla[1]}: {was_there}"
                yield r.Change(what, before_it, here if mine else "", there if theirs else "")


def _before(shown: ShownWitness) -> int:
    """Count the events before the one on which the two games differ."""
    # One line is the log's header; unless both games are over, the last line is the event on which they differ.
    return len(shown.lines) - (1 if shown.at_end else 2)


def _after(course: SideReplay, last: int, element: m.Element) -> Mapping[str, Any]:
    """Return what the element holds after the last event; {} if the game refused it."""
    return cells_of(course.states[last], element) if len(course.states) > last else {}
