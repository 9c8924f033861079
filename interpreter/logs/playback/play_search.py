"""Search for plays that a whole log allows, where all plays are too many, or a line was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ...generator import Generator
from ...play.engine import Engine
from ...state.events import Event
from ..structure import Lines, leaves_open
from ..tracking.tracker import ReplayContext
from .replay_state import Replay, begin_budget

if TYPE_CHECKING:
    from ...unknowns import Belief


MOST_ATTEMPTS = 12
"""The number of samples, each larger than those before, in the search for one play that the whole log allows."""
FIRST_SIZE = 32
"""The size of the first sample."""
MOST_OF_EACH = 15
"""The most states that are shown of the last ones of a play that was found."""


def pursued_further(
    replay: Replay, pursued: Callable[[ReplayContext], Replay], lines: Lines
) -> tuple[Replay, tuple[Replay, ...]]:
    """Follow a log also through the plays in which declines were left out of it, if it is refused otherwise.

    Returns the replay through all plays, and those that a search found: several where all are too many, and one where
    declines or other lines were left out, which may differ from play to play."""
    if not replay.is_refused and not replay.is_given_up:
        if not replay.missing or not _is_misplaced(replay, pursued):
            return replay, ()
        found = tuple(islice(_found(replay, pursued, lines, ({},)), 1))
        begin_budget(replay.context.engine)
        return replay, found
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


def _is_misplaced(replay: Replay, pursued: Callable[[ReplayContext], Replay]) -> bool:
    """Return whether the log is refused with the missing lines where they were found: each may belong elsewhere."""
    context = replay.context
    begin_budget(context.engine)
    options = replace(context.options, explains=False, fills=False, goes_on=False)
    filled = pursued(replace(context, options=options, missing=replay.missing_by_line))
    begin_budget(context.engine)
    return filled.is_refused


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
