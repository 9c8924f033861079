"""The program points at which a play can stop: statements that await events or call others, and what they keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludex.spec import is_whole, performed, piece_flow
from ludex.spec import model as m
from ludex.spec import types as t

from ..state.domains import is_value
from .routines import PLAY, SETUP, Routine
from .state import DECLINED, Frame

AWAITING = (m.RandomValue, m.DrawPieces, m.MoveAll, m.MovePiece, m.SwapPieces)
"""Statements that may await a chance event."""
KEEPING = (m.ForEach, m.ForEachPlayer, m.AsPlayer, m.RepeatTimesStep, m.Simultaneous)
"""Statements that keep values while one inside them is under way."""
_WAITING = (m.Asking, *AWAITING)


def called_by(step: m.Step | None) -> tuple[str, ...]:
    """Return the routines that a statement may have called; None: those with which a play begins."""
    return (SETUP, PLAY) if step is None else tuple(dict.fromkeys(performed(step)))


def places_in(routines: Mapping[str, Routine], outer: m.Step | None, innermost: bool) -> Iterator[tuple[Routine, int]]:
    """Enumerate the statements at which a frame can be: a routine that `outer` calls, and the statement's number.

    routines: all of the game, by name.
    innermost: the frame awaits an event; if not, the statement has called the next frame's routine.
    """
    for name in called_by(outer):
        routine = routines[name]
        for at, step in enumerate(routine.statements):
            if _can_wait(step) if innermost else called_by(step):
                yield routine, at


def _can_wait(step: m.Step) -> bool:
    # A named piece is known where it is moved, so that nothing is revealed.
    return isinstance(step, _WAITING) and not (isinstance(step, m.MovePiece) and step.piece is not None)


def keeping(routine: Routine, at: int, innermost: bool) -> list[m.Step]:
    """List the statements that keep values at a place, the outermost first."""
    step, *around = routine.around(at)
    # Such a step keeps values only while it waits: it calls no routine, so further out it cannot be under way.
    own = isinstance(step, AWAITING) and not isinstance(step, m.RandomValue) and innermost
    listed = [each for each in around if isinstance(each, KEEPING)]
    return [*reversed(listed), *([step] if own or isinstance(step, m.Simultaneous) else [])]


def choices_of(game: m.Game, option: m.MoveOption) -> tuple[m.Choice, ...]:
    """Return what a player chooses with an option."""
    return option.choices if isinstance(option, m.BranchOption) else game.actions[option.action].choices


def fits_stack(game: m.Game, routines: Mapping[str, Routine], frames: Sequence[Frame]) -> bool:
    """Test whether a play can stop with these frames, by their places and the types of what they hold."""
    outer: m.Step | None = None
    me: t.Value = None
    for depth, frame in enumerate(frames, start=1):
        innermost = depth == len(frames)
        routine = routines[frame.routine]
        if (routine, frame.at) not in places_in(routines, outer, innermost):
            return False
        if not _fits_slots(routine, frame, innermost) or not _fits_kept(game, routine, frame, innermost, me):
            return False
        outer, me = routine.statements[frame.at], frame.slots[0]
    return True


def _fits_slots(routine: Routine, frame: Frame, innermost: bool) -> bool:
    live = (routine.read if innermost else routine.read_after)[frame.at]
    return all(
        frame.slots[slot] is None if slot not in live else is_value(of, frame.slots[slot])
        for slot, (_, of) in routine.locals.items()
        if slot
    )


def _fits_kept(game: m.Game, routine: Routine, frame: Frame, innermost: bool, caller: t.Value) -> bool:
    """Test what the statements of a frame keep, from the innermost outwards, and that the caller's `me` is restored."""
    kept, me, steps = list(frame.kept), frame.slots[0], keeping(routine, frame.at, innermost)
    player = t.PlayerType(game.players)
    # `kept` is a stack, so the statement that began last has its values at the end; what it changed `me` from is the
    # `me` of the statement around it, and at last that of the caller.
    for step in reversed(steps):
        carries_out = isinstance(step, m.Simultaneous) and not (innermost and step is steps[-1])
        names_me = carries_out or isinstance(step, m.ForEachPlayer | m.AsPlayer)
        # A simultaneous decision keeps two values while it carries choices out: the choices, and after them the `me` to
        # restore. The others that change `me` keep it within their one value.
        before = kept.pop() if carries_out and kept else None
        if not kept or (names_me and not is_value(player, me)):
            return False
        of = kept.pop()
        if not _keeps(game, step, of):
            return False
        if names_me:
            me = before if carries_out else of[1] if isinstance(step, m.ForEachPlayer) else of
    return not kept and me == caller and type(me) is type(caller)


def _keeps(game: m.Game, step: m.Step, kept: Any) -> bool:
    """Test whether a statement can keep this while it is under way (see `state.py`)."""
    match step, kept:
        case m.ForEachPlayer(), (tuple(players), me):
            return None not in players and all(_is_seat(game, each) for each in (*players, me))
        case m.AsPlayer(), me:
            return _is_seat(game, me)
        case m.ForEach(loops=loops), tuple(listed):
            return len(listed) == len(loops) and all(
                is_value(t.ListOf(loop.type), items) for loop, items in zip(loops, listed, strict=True)
            )
        case m.RepeatTimesStep(), count:
            return is_whole(count) and count >= 0
        case m.Simultaneous(options=options), tuple(stated):
            return len(stated) == game.players and all(_is_stated(game, options, each) for each in stated)
        case m.DrawPieces(), (count, *cells):
            return is_whole(count) and count > 0 and _are_cells(step, cells)
        case ((m.MoveAll() | m.MovePiece() | m.SwapPieces()), tuple(cells)):
            return _are_cells(step, cells)
    return False


def _is_seat(game: m.Game, seat: Any) -> bool:
    return seat is None or is_value(t.PlayerType(game.players), seat)


def _is_stated(game: m.Game, options: Sequence[m.MoveOption], stated: Any) -> bool:
    if stated is None or stated == DECLINED:
        return True
    match stated:
        case (number, tuple(values)) if is_whole(number) and 0 <= number < len(options):
            choices = choices_of(game, options[number])
            return len(values) == len(choices) and all(
                is_value(choice.type, value) for choice, value in zip(choices, values, strict=True)
            )
    return False


def _are_cells(step: m.Step, cells: Sequence[Any]) -> bool:
    return len(cells) == 2 and all(
        is_whole(cell) and zone.element.offset <= cell < zone.element.offset + zone.element.count
        for zone, cell in zip(piece_flow(step).moved[0], cells, strict=True)
    )
