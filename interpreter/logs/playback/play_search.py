"""Search for plays that a whole log allows, where all plays are too many, or a line was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from ...generator import Generator
from ...play.engine import Engine
from ...state.events import Event
from ..record import Record
from ..structure import Lines, leaves_open
from ..tracking.event_findings import not_filled, not_judged_without_values, not_placed
from ..tracking.tracker import ReplayContext
from .replay_state import Pursued, Replay, begin_budget

if TYPE_CHECKING:
    from ...unknowns import Belief
    from ..tracking.missing_lines import MissingEvent


MOST_ATTEMPTS = 12
"""The number of samples, each larger than those before, in the search for one play that the whole log allows."""
FIRST_SIZE = 32
"""The size of the first sample."""
MOST_OF_EACH = 15
"""The most states that are shown of the last ones of a play that was found."""
WORK_AT_ONCE = 12_000_000
"""The units of work for lines that show what is missing before them, and for the places of what is missing."""
MOST_WORK_ON_UNSEEN = 1_000_000
"""The units of work for all plays that the missing events leave possible; if they are more, one of them is enough."""


def pursued_further(pursued: Pursued, context: ReplayContext, lines: Lines) -> tuple[Replay, tuple[Replay, ...]]:
    """Follow a log, also through the plays in which declines were left out of it, if it is refused otherwise.

    Returns the replay through all plays, and those that a search found: several where all are too many, and one where
    declines or other lines were left out, which may differ from play to play."""
    if context.options.fills:
        replay, missing = _filled_at_once(pursued, context, lines)
        if not replay.is_refused and not replay.is_given_up:
            return replay, ()
        filled = _filled(pursued, context, lines, replay, missing)
        # If nothing is refused or missing, and no play was found, too much is unknown in what the log has.
        if replay.is_refused or replay.missing or filled[1]:
            return filled
        begin_budget(context.engine)
    replay = pursued(context)
    if not replay.is_refused and not replay.is_given_up:
        return replay, ()
    if not any(leaves_open(lines.entry(at)) for at in range(len(lines))):
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
    found = tuple(islice(_found(wide, pursued, lines), most))
    begin_budget(wide.context.engine)
    return wide, found


def _filled_at_once(
    pursued: Pursued, context: ReplayContext, lines: Lines
) -> tuple[Replay, Sequence[MissingEvent] | None]:
    """Follow a log as if each line showed what is missing before it; if not every line does, it is refused.

    Returns also what is missing from the whole log, as far as every line shows it; None if not every line does. If the
    replay is refused then, it is not known where all of that belongs.
    """
    # These load the reference, which most logs do not need.
    from ...unknowns import MOST_WORK
    from .placing import replay_placed

    context.engine.reference.meter.begin_game(credit=WORK_AT_ONCE - MOST_WORK)
    replay, missing = pursued(context), None
    if replay.missing and not replay.is_refused and not replay.is_given_up:
        replay, missing = replay_placed(pursued, context, lines, replay.missing)
    begin_budget(context.engine)
    return replay, missing


def _filled(
    pursued: Pursued,
    context: ReplayContext,
    lines: Lines,
    at_once: Replay,
    unplaced: Sequence[MissingEvent] | None,
) -> tuple[Replay, tuple[Replay, ...]]:
    """Look for the events that are missing, and follow the log with them.

    at_once, unplaced: what `_filled_at_once` returns. Returns what `pursued_further` does. If the search ends with its
    work, the replay ends at the furthest line that was reached: whether it is legal is not known.
    """
    # These load the reference, which most logs do not need.
    from ..tracking.missing_lines import as_missing, with_events
    from .filling import Filling
    from .placing import by_line, end_of_replay

    engine, start = context.engine, pursued(context, lines[:0]).tracker.state
    assert start is not None
    filling = Filling(context, lines, start).search()
    way = filling.found or filling.furthest
    added = way.all_added()
    guessed: Mapping[int, Sequence[Event]] | None = by_line((at, event) for at, _, event in added)
    missing = by_line((at, as_missing(engine, state, event)) for at, state, event in added)
    is_open = filling.found is None and not filling.is_exhausted
    if is_open and unplaced is not None:
        missing, guessed = by_line(unplaced), None
    elif is_open and end_of_replay(at_once, lines) > way.at:
        missing, guessed = by_line(at_once.missing), None
    begin_budget(engine)
    with engine.reference.meter.limited(MOST_WORK_ON_UNSEEN):
        followed = pursued(replace(context, missing=missing))
    begin_budget(engine)
    if followed.is_refused and filling.is_exhausted:
        return followed, ()
    is_clear = not followed.is_refused and not followed.is_given_up
    if is_clear:
        return followed, ()
    if filling.found is not None:
        known = pursued(replace(context, missing=missing, guessed=guessed))
        unjudged = _unjudged(pursued, context, with_events(lines, missing)) if missing else None
        if unjudged is not None:
            known.journal.findings.append(not_judged_without_values(unjudged))
        return followed, (known,)
    # What is refused after a guess may be legal after another one, and all of them were followed.
    end = end_of_replay(followed, lines)
    if guessed is None or end > way.at:
        known = pursued(replace(context, missing=missing), lines[:end])
    else:
        end, known = way.at, pursued(replace(context, missing=missing, guessed=guessed), lines[: way.at])
    _give_up(known, lines, end, followed, missing, is_all=is_open and unplaced is not None)
    return known, ()


def _give_up(
    known: Replay, lines: Lines, end: int, followed: Replay, missing: Mapping[int, Sequence[Event]], is_all: bool
) -> None:
    """End a replay at the line with the index `end`, with a warning.

    followed: what is wrong with this line; is_all: whether all that is missing from the log was found.
    """
    record, _ = lines[end]
    known.stopped, known.is_given_up = record, True
    wrong = (*followed.journal.findings, *followed.journal.claims.findings())
    refused = [each for each in wrong if each.is_error and each.span.line == record.place().line]
    if is_all:
        known.missing_after = [(at, event) for at in sorted(missing) if at >= end for event in missing[at]]
        known.journal.findings.append(not_placed(record, refused))
        return
    found = {at: events for at, events in missing.items() if at <= end}
    since, _ = lines[max(found, default=0)]
    known.journal.findings.append(not_filled(record, since, sum(map(len, found.values())), refused))


def _unjudged(pursued: Pursued, context: ReplayContext, template: Lines) -> Record | None:
    """Return the line from which on a log with its missing lines is not judged; None if all of it is."""
    context = replace(context, options=replace(context.options, fills=False, goes_on=False, explains=False))
    begin_budget(context.engine)
    replay, found = pursued_further(partial(pursued, lines=template), context, template)
    begin_budget(context.engine)
    return None if found else replay.stopped


def _found(
    replay: Replay,
    pursued: Pursued,
    lines: Lines,
) -> Iterator[Replay]:
    """Search for plays that the whole log allows."""
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
        attempt = pursued(replace(context, options=options, pursuit=pursuit))
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
