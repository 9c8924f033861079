"""Search for plays that a whole log allows, where all plays are too many, or a line was left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ...generator import Generator
from ...play.engine import Engine
from ...state.events import Event
from ..structure import Lines, leaves_open
from ..tracking.tracker import ReplayContext
from .missing_places import OutOfTries, better_places
from .replay_state import Replay, begin_budget

if TYPE_CHECKING:
    from ...unknowns import Belief


MOST_ATTEMPTS = 12
"""The number of samples, each larger than those before, in the search for one play that the whole log allows."""
FIRST_SIZE = 32
"""The size of the first sample."""
MOST_OF_EACH = 15
"""The most states that are shown of the last ones of a play that was found."""
WORK_OF_ATTEMPT = 5_000
"""The units of work that count for each try of other places of missing lines, besides those that it takes."""
MOST_WORK_ON_PLACES = 2
"""The work for the search for places of missing lines, in the work that following a log may take."""


def pursued_further(
    replay: Replay, pursued: Callable[[ReplayContext], Replay], lines: Lines
) -> tuple[Replay, tuple[Replay, ...]]:
    """Follow a log also through the plays in which declines were left out of it, if it is refused otherwise.

    Returns the replay through all plays, and those that a search found: several where all are too many, and one where
    declines or other lines were left out, which may differ from play to play."""
    if not replay.is_refused and replay.missing:
        placed = _with_better_places(replay, pursued, lines)
        if placed is not None and not placed.is_given_up:
            return replay, () if placed is replay else (placed,)
        if placed is None and not replay.is_given_up:
            found = tuple(islice(_found(replay, pursued, lines, ({},)), 1))
            begin_budget(replay.context.engine)
            return replay, found
        replay = placed or replay
    elif not replay.is_refused and not replay.is_given_up:
        return replay, ()
    if not replay.missing and not any(leaves_open(lines.entry(at)) for at in range(len(lines))):
        return replay, ()
    from ...unknowns import MOST_WORK, Pursuit  # it loads the reference, which most logs do not need

    wide = replay
    if replay.is_refused:
        begin_budget(replay.context.engine)
        # There are more plays to follow, so they may take twice the work.
        replay.context.engine.reference.meter.begin_game(credit=MOST_WORK)
        wide = pursued(replace(replay.context, pursuit=Pursuit(declines=True)))
        # If both are refused at the same lines, declines explain nothing, and the first one says more.
        if wide.refused_lines == replay.refused_lines:
            return replay, ()
    most = wide.context.options.plays
    if not wide.is_given_up:
        most = 0 if wide.is_refused else min(1, most)
    found = tuple(islice(_found(wide, pursued, lines, (wide.missing_by_line, {})), most))
    begin_budget(wide.context.engine)
    return wide, found


def _with_better_places(replay: Replay, pursued: Callable[[ReplayContext], Replay], lines: Lines) -> Replay | None:
    """Look for places of the missing lines by which the log is legal: each may belong elsewhere than it was found.

    Where too much was unknown to find all that is missing, places are looked for by which the log is legal so far;
    with those, less is unknown. If a later line is refused with them, they are looked for again, up to that line.

    Returns the replay with the places that were found, the given one if it has them, and None if none were found.
    """
    from ...unknowns import MOST_WORK

    context, engine, work = replay.context, replay.context.engine, 0
    quick = replace(context.options, explains=False, fills=False, goes_on=False)
    starts, end = [lines[at][0].place().line for at in range(len(lines))], 0

    def first_refused(attempt: Replay) -> int | None:
        return min((bisect_right(starts, line) - 1 for line in attempt.refused_lines), default=None)

    def refused(missing: Mapping[int, Sequence[Event]]) -> int | None:
        nonlocal work
        if work > MOST_WORK_ON_PLACES * MOST_WORK:
            raise OutOfTries
        begin_budget(engine)
        attempt = pursued(replace(context, options=quick, missing=missing))
        work += engine.reference.meter.used + WORK_OF_ATTEMPT
        at = first_refused(attempt)
        return at if at is not None and at < end else None

    places: Mapping[int, Sequence[Event]] = {}
    while True:
        begun, end, at = end, len(lines), first_refused(replay)
        if at is not None:
            end = at + 1
        elif replay.is_given_up and replay.stopped is not None:
            end = starts.index(replay.stopped.place().line)
        if end == begun:
            return replay if at is None else None
        # The replay does not say what is missing after a line at which it stops.
        found = {**{line: events for line, events in places.items() if line >= end}, **replay.missing_by_line}
        better = better_places(found, lines, refused)
        begin_budget(engine)
        if better is None:
            return None
        if better is found and at is None and not replay.is_given_up:
            return replay
        places, replay = better, pursued(replace(context, options=replace(quick, fills=True), missing=better))


def _found(
    replay: Replay,
    pursued: Callable[[ReplayContext], Replay],
    lines: Lines,
    filled: Sequence[Mapping[int, Sequence[Event]]],
) -> Iterator[Replay]:
    """Search for plays that the whole log allows. filled: what is missing, by the index of the line, in ways that are
    tried in turn."""
    from ...unknowns import Pursuit, Sample, likely_pieces

    context = replay.context
    game, declines = context.engine.game, context.pursuit is not None and context.pursuit.declines
    events = (entry.event for entry in map(lines.entry, range(len(lines))) if entry is not None)
    likely = likely_pieces(game, (event for event in events if event is not None))
    options = replace(context.options, explains=False, goes_on=False)
    begin_budget(context.engine)
    number = 0
    for seed in range(MOST_ATTEMPTS):
        # Where much is unknown it is hopeless to guess it all, and where little is, to leave it open takes longer.
        guesses = number % 2 == 0
        size = FIRST_SIZE << (number // 2) * (3 if guesses else 1)
        pursuit = Pursuit(declines, Sample(Generator(seed), size, likely, guesses))
        context.engine.meter.begin_game()
        missing = filled[number // 2 % len(filled)]
        attempt = pursued(replace(context, options=options, pursuit=pursuit, missing=missing))
        if attempt.is_given_up:
            return
        if attempt.is_refused:
            number += 1
        else:
            yield attempt


def together(engine: Engine, found: Iterable[Replay]) -> Belief:
    """Return some of the states in which the plays may end that were found."""
    from ...unknowns import Belief

    begin_budget(engine)
    return Belief(engine, (state for each in found for state in each.tracker.belief.states[:MOST_OF_EACH]))
