"""Statements that put, move and remove pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludex.spec import Unknown, UnknownPiece
from ludex.spec import model as m
from ludex.spec import types as t

from ..state.pools import PoolEntry
from ..state.zones import ZoneCell, add, clear, each_piece, piece_lister, shuffle, size_at
from .control import Next, UndeterminedFlow

if TYPE_CHECKING:
    from .run import Run


def _pieces(run: Run, piece: m.Expr, step: m.Statement) -> list[t.Value]:
    """Return the pieces of a statement. The kind of a piece that is moved from a place may be unknown."""
    value = run.value(piece, step.path)
    if isinstance(value, Unknown) and not isinstance(value, UnknownPiece):
        raise UndeterminedFlow
    return each_piece(piece, step)(value)


def _enter(run: Run, step: m.Statement, zone: m.ZoneRef, pieces: Sequence[t.Value], bottom: bool) -> Next:
    place = run.place(zone, step.path)
    run.meter.take(len(pieces) + size_at(run, place), step.path, step.span)
    add(run, place, pieces, bottom, step)
    if run.trace is not None:
        run.trace.entered.update((str(zone.element.type), piece) for piece in pieces)
    return Next.DONE


def _fill(run: Run, step: m.FillZone) -> Next:
    pieces = piece_lister(step.pieces.type)(run.known(step.pieces, step.path))
    return _enter(run, step, step.zone, pieces, False)


def _put(run: Run, step: m.PutPiece) -> Next:
    return _enter(run, step, step.target, _pieces(run, step.piece, step), step.bottom)


def _remove(run: Run, step: m.RemovePiece) -> Next:
    pieces, place = _pieces(run, step.piece, step), run.place(step.source, step.path)
    _take(run, place, pieces, step)
    if run.trace is not None:
        run.trace.left.update((str(step.source.element.type), piece) for piece in pieces)
    return Next.DONE


def _take(run: Run, place: ZoneCell, pieces: Sequence[t.Value], step: m.Statement) -> list[PoolEntry]:
    """Remove pieces from a zone, and return the entries that they were there."""
    # Each piece is searched for in the whole zone.
    run.meter.take(len(pieces) * size_at(run, place), step.path, step.span)
    return [run.take(place, piece, step) for piece in pieces]


def _shuffle(run: Run, step: m.ShuffleZone) -> Next:
    place = run.place(step.zone, step.path)
    run.meter.take(size_at(run, place), step.path, step.span)
    shuffle(run, place)
    return Next.DONE


def move_some(run: Run, step: m.MovePiece) -> Next:
    """Move some pieces from one place to another."""
    assert step.piece is not None
    pieces = _pieces(run, step.piece, step)
    # Both places are found before a piece leaves, since an index may read the zone that changes.
    source, target = run.place(step.source, step.path), run.place(step.target, step.path)
    entries = _take(run, source, pieces, step)
    run.meter.take(size_at(run, target), step.path, step.span)
    add(run, target, entries, step.bottom, step)
    return Next.DONE


def move_all(run: Run, source: ZoneCell, target: ZoneCell, bottom: bool, step: m.Statement) -> None:
    """Move all pieces from one place to another."""
    entries = source.entries(run)
    run.meter.take(len(entries) + size_at(run, target), step.path, step.span)
    clear(run, source)
    add(run, target, entries, bottom, step)


PIECES: Mapping[type, Any] = {
    m.FillZone: _fill,
    m.PutPiece: _put,
    m.RemovePiece: _remove,
    m.ShuffleZone: _shuffle,
}
