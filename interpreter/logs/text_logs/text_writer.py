"""Writer of text logs: each line so that it is read as it was, as JSON if the notation has no way to say it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Json
from ludex.spec import JsonFault, from_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.syntax import NONE, UNSEEN, NotationFault, is_word, quoted
from ...event_notation.writing import NotationWriter
from ..record import header_lines, write_line
from ..structure import UNKNOWN, Entry, LineReader, claim_type, is_player, line_of
from .text_reader import NOT_OVER, OVER, SIZE, TextReader


class TextWriter:
    """Writes the lines of one game's text logs: each so that it is read as it was, in JSON if there is no other way."""

    def __init__(self, game: m.Game, names: Sequence[str] = ()) -> None:
        self.game, self.names = game, tuple(names)
        self.reader = TextReader(game, names)
        self.lines = LineReader(game, self.names)
        self.named, self.numbered = NotationWriter(game, names), NotationWriter(game)

    def header(self, data: Mapping[str, Json]) -> str:
        """Write the header with the blank line behind it."""
        return "".join(f"{line}\n" for line in (*header_lines(data), ""))

    def line(self, data: Mapping[str, Json]) -> str:
        """Write one line, without a line end."""
        line = self.canonical(data)
        try:
            text = self._text(line)
            # Read back before it is written: what the notation cannot say exactly is said as JSON.
            return text if self.canonical(self.reader.line(text).data) == line else write_line(line)
        except (NotationFault, ValueError, TypeError, KeyError, AttributeError):
            return write_line(line)

    def canonical(self, data: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the line as Ludex writes it: players by name, values in their order. A faulty line stays as it is."""
        entry = self.lines.read(data)
        if not isinstance(entry, Entry) or entry.event is None:
            return data
        line = line_of(self.game, entry.event, self.names)
        return {**line, **{name: data[name] for name in ("claim", "clock", "note") if name in data}}

    def _text(self, data: Mapping[str, Json]) -> str:
        entry = self.lines.read(data)
        if not isinstance(entry, Entry):
            raise ValueError("a faulty line is not written in the notation")
        # A line of remarks alone has no event before them.
        parts = [self._event(entry, data)] if set(data) - {"claim", "clock", "note"} else []
        if "clock" in data:
            parts.append(f"clock {data['clock']}")
        if "result" in data and "winners" in data["result"]:
            parts.append(f"winners {self._players(data['result']['winners'])}")
        if "claim" in data:
            parts.append(f"claim {'; '.join(self._claims(data['claim']))}")
        note = [f"# {_comment(data['note'])}"] if "note" in data else []
        return "  ".join(filter(None, ["; ".join(parts), *note]))

    def _event(self, entry: Entry, data: Mapping[str, Json]) -> str:
        if entry.event is not None:
            return self.named.event(entry.event)
        if "result" in data:
            player = f" {self._player(data['result']['player'])}" if "player" in data["result"] else ""
            return f"result {data['result']['by']}{player}"
        if "gap" in data:
            return "gap" if data["gap"] is True else f"gap {data['gap']}"
        if "position" in data:
            return f"position {json.dumps(data['position'], ensure_ascii=False)}"
        to = f" to {self._player(data['to'])}" if "to" in data else ""
        of = self.game.chances[data["deal"]].outcome
        return f"deal {data['deal']}{to} = {{{', '.join(self._value(of, card) for card in data['cards'])}}}"

    def _claims(self, claim: Mapping[str, Json]) -> Iterator[str]:
        for name, value in claim.items():
            if name == "scores" and isinstance(value, dict):
                yield f"scores {', '.join(f'{_safe(player)} {points}' for player, points in value.items())}"
            elif name == "scores":
                yield f"scores {', '.join(map(str, value))}"
            elif name == "winners":
                yield f"winners {self._players(value)}"
            elif name == "terminal":
                yield OVER if value else f"{NOT_OVER} {OVER}"
            else:
                yield from map(self._cell, value)

    def _cell(self, cell: Mapping[str, Json]) -> str:
        element = self.game.element[cell["of"]]
        pairs = zip(element.indices, cell.get("at", ()), strict=True)
        at = ",".join(self._value(of, index, bracketed=True) for of, index in pairs)
        name = f"{cell['of']}({at})" if at else cell["of"]
        if SIZE in cell:
            return f"{SIZE} {name} = {cell[SIZE]}"
        return f"{name} = {self._value(claim_type(element), cell['is'])}"

    def _players(self, players: Sequence[Json]) -> str:
        return ", ".join(map(self._player, players)) or NONE

    def _player(self, player: Json) -> str:
        return _safe(player) if isinstance(player, str) else str(player)

    def _value(self, type_: t.Type, data: Json, bracketed: bool = False) -> str:
        """Write a value as a log has it: a player by name if it is so there, else by number."""
        if is_player(type_) and data is not None:
            # A player may be called `unknown`.
            return UNSEEN if data == UNKNOWN and data not in self.names else self._player(data)
        value = from_json(type_, data)
        if isinstance(value, JsonFault):
            if data != UNKNOWN:
                raise ValueError("a value that the game does not have")
            return UNSEEN
        # A player inside a value has no name in logs, which write seats there.
        text = self.numbered.value(type_, value)
        # Among indices a comma of the value would begin the next index.
        return f"({text})" if bracketed and "," in text and not text.startswith(("{", "[")) else text


def _safe(name: str) -> str:
    return name if is_word(name) else quoted(name)


def _comment(note: str) -> str:
    # Blanks at the ends would be lost, and a quotation mark at the beginning would be read as quoting.
    is_plain = note == note.strip() and note.isprintable() and not note.startswith('"')
    return note if is_plain and note else quoted(note)
