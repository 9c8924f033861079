"""The structural stage of validation, beside JSON Schema validators and a JSON decoder on the same lines of logs.

Each starts from the bytes of a log. Ours makes the entries that are replayed: by a reader that has read no line before
and remembers those that it reads; by its decoder alone, as if all lines were different; and when all lines are
remembered. jsonschema and jsonschema-rs only say whether a line is good; msgspec decodes it, and checks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import msgspec

from ludex.interpreter import Engine, Generator, LineReader, line_of, log_schema, parse_log, playout, write_log
from ludex.interpreter.logs.record.json_places import DECODER
from ludex.interpreter.logs.record.records import LateRecords
from ludex.interpreter.logs.structure.event_lines import Entry
from ludex.spec import Game, load, validator

from .measure import Effort, figure, per_second, table

EVENTS = 1000
"""About how many events are recorded."""
FEW = 50
"""The number of lines that a slow validator judges at a time."""

Check = Callable[[], int]


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    measured, names = [], list[str]()
    for name in games:
        checks = _checks(load(name))
        ours, *others = (per_second(check, effort) for check in checks.values())
        cells = [f"{figure(each)} ({figure(ours / each)})" for each in others]
        measured.append([name, figure(ours), *cells])
        names = list(checks)[1:]
    head = ["", "Ludex", *names]
    title = "structure: events of logs that are read and checked a second (and how many times as many Ludex reads)"
    yield from table(title, head, measured)


def _checks(game: Game) -> dict[str, Check]:
    """Return the work of each checker. Each returns the number of lines, all of which are good."""
    text = _log(game).encode()
    lines = text.split(b"\n")[1:-1]
    reader = LineReader(game)
    # Else the decoder is made in the midst of the measurement, after the first thousand lines.
    reader.decoder.make()

    def ours(read: Callable[[bytes], Entry | None]) -> int:
        records = parse_log(text).events
        assert isinstance(records, LateRecords)
        return _all_good(entry is None for entry in records.read(read))

    def in_full() -> int:
        return _all_good(isinstance(reader.read_in_full(DECODER.decode(line.decode())), tuple) for line in lines)

    checks = {
        # Each run gets a new reader: a used one remembers its lines.
        "Ludex": lambda: ours(LineReader(game, (), reader.decoder).plain),
        "new lines": lambda: ours(reader.decoded),
        "known lines": lambda: ours(reader.plain),
        "in full": in_full,
        "msgspec": lambda: _all_good(not msgspec.json.decode(line) for line in lines),
    }
    schema = log_schema(game)
    if find_spec("jsonschema_rs"):
        import jsonschema_rs

        compiled = jsonschema_rs.Draft202012Validator(schema)
        checks["jsonschema-rs"] = lambda: _all_good(not compiled.is_valid(json.loads(line)) for line in lines)
    slow = validator(schema)
    checks["jsonschema"] = lambda: _all_good(not slow.is_valid(json.loads(line)) for line in lines[:FEW])
    return checks


def _all_good(are_bad: Iterator[bool]) -> int:
    verdicts = list(are_bad)
    assert not any(verdicts)
    return len(verdicts)


def _log(game: Game) -> str:
    """Return the log of random plays, one after the other: for the structure that is one long log."""
    engine, events = Engine(game), []
    for seed in range(EVENTS):
        # One play may be short.
        events += [line_of(game, turn.event) for turn in playout(engine, Generator(seed))]
        if len(events) >= EVENTS:
            break
    return write_log({"ludex": 1, "game": game.name, "players": game.players}, events)
