"""What lies on a table, as JSON by name; and in what two tables differ that had the same events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ..engine import Engine
from ..events import SpecFault
from ..logs import LineReader
from ..state import State, Ticket
from .shown import Apart, CellApart

UNSEEN = {"hidden": True}
"""A piece that nobody has seen, so that even the record does not say what it is."""
LAST = 12
"""Tables are compared before so many events at the end."""


def cells_of(state: State, element: m.Element) -> dict[str, Any]:
    """What a state or zone holds, by its indices in words (`Anna, 3`); of one without indices by the empty word."""
    every = enumerate(product(*map(t.values, element.indices)), start=element.offset)
    return {
        ", ".join(map(show, element.indices, indices)): _cell(element, state.cells[cell]) for cell, indices in every
    }


def _cell(element: m.Element, held: t.Value) -> Any:
    if element.kind in ("pile", "bag"):
        return [_entry(element, entry) for entry in held]
    return None if held is None else _entry(element, held)


def _entry(element: m.Element, entry: t.Value) -> Any:
    return UNSEEN if isinstance(entry, Ticket) else to_json(element.type, entry)


def apart(engines: tuple[Engine, Engine], lines: Sequence[Mapping[str, Any]]) -> tuple[Apart, ...]:
    """The cells that differ before each of the last events of a log, and behind them, as long as both sides go on."""
    return tuple(_apart(engines, lines))


def _apart(engines: tuple[Engine, Engine], lines: Sequence[Mapping[str, Any]]) -> Iterator[Apart]:
    readers = [LineReader(engine.game) for engine in engines]
    try:
        states = [engine.start() for engine in engines]
    except SpecFault:
        return
    for number in range(len(lines)):
        cells = tuple(_differing(engines, states)) if number >= len(lines) - LAST else ()
        if cells:
            yield Apart(number, cells)
        if number + 1 == len(lines):
            return
        for engine, reader, state in zip(engines, readers, states, strict=True):
            if not _advanced(engine, reader, state, lines[number + 1]):
                return


def _advanced(engine: Engine, reader: LineReader, state: State, line: Mapping[str, Any]) -> bool:
    entry = reader.read(line)
    if isinstance(entry, tuple) or entry.event is None:
        return False
    try:
        return engine.advance(state, entry.event) is None
    except SpecFault:
        return False


def _differing(engines: tuple[Engine, Engine], states: Sequence[State]) -> Iterator[CellApart]:
    left, right = (dict(_all(engine, state)) for engine, state in zip(engines, states, strict=True))
    for key, held in left.items():
        if key in right and right[key] != held:
            yield CellApart(*key, held, right[key])


def _all(engine: Engine, state: State) -> Iterator[tuple[tuple[str, str], Any]]:
    for element in engine.game.elements:
        yield from (((element.name, at), held) for at, held in cells_of(state, element).items())
