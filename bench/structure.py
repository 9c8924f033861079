"""The structural stage of validation, beside JSON Schema validators and typed decoders on the same lines of logs.

Each starts from the bytes of a log. Ours makes the entries that are replayed; the others only say whether the lines
are good. What msgspec's types cannot say (records without some combinations, words with data) it does not check.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Annotated, Any, Literal

import msgspec

from ludex.interpreter import Engine, Generator, LineReader, line_of, log_schema, parse_log, playout, write_log
from ludex.interpreter.logs.record.json_places import DECODER
from ludex.spec import Game, load, validator
from ludex.spec import types as t

from .measure import Effort, figure, per_second, table

EVENTS = 1000
"""About how many events are recorded."""
FEW = 50
"""How many of them a slow validator judges at a time."""

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
    text = _log(game)
    lines = text.encode().split(b"\n")[1:-1]
    reader, typed = LineReader(game), Typed(game)

    def ours() -> int:
        return _all_good(isinstance(reader.read(record.data or {}), tuple) for record in parse_log(text).events)

    def in_full() -> int:
        return _all_good(isinstance(reader.read_in_full(DECODER.decode(line.decode())), tuple) for line in lines)

    def by_types() -> int:
        return _all_good(typed.is_bad(line) for line in lines)

    checks = {"Ludex": ours, "in full": in_full, "msgspec": by_types}
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
    """Return the log of random plays, one behind the other: for the structure that is one long log."""
    engine, events = Engine(game), []
    for seed in range(EVENTS):
        events += [line_of(game, turn.event) for turn in playout(engine, Generator(seed))]
        if len(events) >= EVENTS:
            break
    return write_log({"ludex": 1, "game": game.name, "players": game.players}, events)


class Typed:
    """Decoders of the events of a game by msgspec, which check types as they decode."""

    def __init__(self, game: Game) -> None:
        self._records: dict[str, Any] = {}
        player = self._type(t.PlayerType(game.players)) | str
        moves = []
        for at, (name, move) in enumerate(game.moves.items()):
            args = self._struct(f"Args{at}", [(argument, self._type(of)) for argument, of, _ in move.arguments])
            fields = [("player", player), *([("args", args)] if move.arguments else [])]
            moves.append(self._struct(f"Move{at}", fields, "action", name))
        if "decline" not in game.moves:
            moves.append(self._struct("Decline", [("player", player)], "action", "decline"))
        chances = [
            self._struct(f"Chance{at}", [("outcome", self._type(chance.outcome))], "chance", path)
            for at, (path, chance) in enumerate(game.chances.items())
        ]
        self._moves = msgspec.json.Decoder(_any_of(moves))
        self._chances = msgspec.json.Decoder(_any_of(chances)) if chances else self._moves

    def is_bad(self, line: bytes) -> bool:
        try:
            (self._chances if line.startswith(b'{"chance"') else self._moves).decode(line)
        except msgspec.ValidationError:
            return True
        return False

    def _struct(self, name: str, fields: list[tuple[str, Any]], tag: str | None = None, value: str = "") -> Any:
        names = {f"f{at}": field for at, (field, _) in enumerate(fields)}
        typed = [(f"f{at}", of) for at, (_, of) in enumerate(fields)]
        tagged = {"tag_field": tag, "tag": value} if tag else dict[str, Any]()
        return msgspec.defstruct(name, typed, rename=names, forbid_unknown_fields=True, **tagged)

    def _type(self, type_: t.Type) -> Any:
        match type_:
            case t.Bool():
                return bool
            case t.Range(low=low, high=high):
                return Annotated[int, msgspec.Meta(ge=low, le=high)]
            case t.PlayerType(count=count):
                return Annotated[int, msgspec.Meta(ge=1, le=count)]
            case t.ComponentType(ids=ids) if ids:
                return Literal[ids]
            case t.Words() if type_.plain:
                return Literal[tuple(name for name, _ in type_.members)]
            case t.Record(name=name, fields=fields):
                if name not in self._records:
                    self._records[name] = self._struct(name, [(field, self._type(of)) for field, of in fields])
                return self._records[name]
            case t.Optional(of=of):
                return self._type(of) | None
            case t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
                return list[self._type(of)]  # type: ignore[misc]
            case _:
                return Any


def _any_of(structs: list[Any]) -> Any:
    union = structs[0]
    for struct in structs[1:]:
        union |= struct
    return union
