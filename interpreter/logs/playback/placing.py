"""Places of missing lines: before which lines of their run missing chance events belong.

If each line shows how many events are missing before it, all plays were followed together, in states that cover them,
and which plays have the events in which places is not known any more. So the log is replayed with the events in the
places of one play. If a line is refused, the events of one group get other places, until the line is legal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from ludex.spec import model as m

from ...generator import Generator
from ...state.events import ChanceEvent, Event
from ...state.stock import PieceKind
from ...unknowns import MOST_WORK
from ..structure import Lines
from ..tracking.tracker import ReplayContext
from .needs import mentioned_by
from .replay_state import Pursued, Replay

if TYPE_CHECKING:
    from ..tracking.missing_lines import MissingEvent

WORK_OF_PLACING = 4_000_000
"""The units of work for the places of missing events: four seconds or so."""

Group: TypeAlias = tuple[int, str]
"""A run of lines up to a move, by its number, and a statement that draws in it."""


def by_line(events: Iterable[MissingEvent]) -> Mapping[int, Sequence[Event]]:
    listed: dict[int, list[Event]] = {}
    for at, event in events:
        listed.setdefault(at, []).append(event)
    return listed


def end_of_replay(replay: Replay, lines: Lines) -> int:
    """Return the index of the first line that is not legal, or from which on nothing is judged; 0 if there is none."""
    stopped = set() if replay.stopped is None else {replay.stopped.place().line}
    ends = replay.refused_lines | stopped
    return next((at for at, (record, _) in enumerate(lines) if record.place().line in ends), 0)


def replay_placed(
    pursued: Pursued, context: ReplayContext, lines: Lines, missing: Sequence[MissingEvent]
) -> tuple[Replay, Sequence[MissingEvent]]:
    """Replay a log with its missing events, each in a place that is legal as far as the replay shows it.

    Returns the replay up to the first line for which no places were found, and the events in their places.
    """
    groups, generator, engine = _Groups(context.engine.game, lines), Generator(0), context.engine
    engine.reference.meter.begin_game(credit=WORK_OF_PLACING - MOST_WORK)
    engine.meter.begin_game()
    replay = pursued(replace(context, missing=by_line(missing)))
    while replay.is_refused and not replay.is_given_up:
        end = end_of_replay(replay, lines)
        moved = groups.moved(missing, end, generator)
        if moved is None:
            break
        engine.meter.begin_game()
        attempt = pursued(replace(context, missing=by_line(moved)))
        if attempt.is_given_up:
            break
        if not attempt.is_refused or end_of_replay(attempt, lines) > end:
            missing, replay = moved, attempt
    return replay, missing


class _Groups:
    """The chance lines of a log, by run and statement."""

    def __init__(self, game: m.Game, lines: Lines) -> None:
        self._game, self._lines, self._run = game, lines, list[int]()
        self._places = defaultdict[Group, list[int]](list)
        self._named = defaultdict[Group, set[PieceKind]](set)
        run = 0
        for at in range(len(lines)):
            self._run.append(run)
            entry = lines.entry(at)
            event = None if entry is None else entry.event
            if isinstance(event, ChanceEvent):
                self._places[run, event.path].append(at)
                self._named[run, event.path] |= {kind for _, kind in mentioned_by(game, event)}
            elif event is not None:
                run += 1

    def moved(self, missing: Sequence[MissingEvent], end: int, generator: Generator) -> Sequence[MissingEvent] | None:
        """Return the missing events, those of one group in other places, by chance; None if no group has several.

        end: the index of the line that is refused.
        """
        before = {self._group(each) for each in missing if each[0] <= end}
        groups = self._likely(sorted(group for group in before if group in self._places), end, generator)
        if not groups:
            return None
        chosen = groups[generator.below(len(groups))]
        places = [*self._places[chosen], self._places[chosen][-1] + 1]
        moved = [
            (places[generator.below(len(places))] if self._group((at, event)) == chosen else at, event)
            for at, event in missing
        ]
        return sorted(moved, key=itemgetter(0))

    def _likely(self, groups: Sequence[Group], end: int, generator: Generator) -> Sequence[Group]:
        """Return the groups that drew what the refused line names, or the same kinds of things, or all."""
        entry = self._lines.entry(end)
        kinds = set() if entry is None else {kind for _, kind in mentioned_by(self._game, entry.event)}
        types = {of for of, _ in kinds}
        drew = [each for each in groups if not self._named[each].isdisjoint(kinds)]
        alike = [each for each in groups if any(of in types for of, _ in self._named[each])]
        likely = [each for each in (drew, drew, alike, groups) if each]
        return likely[generator.below(len(likely))] if likely else ()

    def _group(self, missing: MissingEvent) -> Group:
        at, event = missing
        return self._run[at], event.path if isinstance(event, ChanceEvent) else ""
