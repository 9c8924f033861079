"""Writer of text logs: each line reads back unchanged; it is JSON if the notation cannot express it.

The tag `Language` says in which language the moves are written, with the game's terms. A text log without it, as people
write them by hand, is in the language whose words occur most.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Json
from ludex.spec import JsonFault, from_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.syntax import NONE_WORD, UNSEEN, NotationFault, is_word, quoted_word
from ...event_notation.writing import NotationWriter
from ..record import Log, UnreadLine, header_lines, write_line
from ..structure import UNKNOWN_WORD, Entry, LineReader, claim_type, is_player, line_of
from .text_reader import NOT_OVER, OVER_WORD, SIZE, TextReader

_MOST_LINES = 200
"""The most lines that are read to find out the language of a log."""


class TextWriter:
    """Writes the lines of one game's text logs: each so that it is read as it was, in JSON if there is no other way.

    language: of the game's terms in them; None: the names in the spec."""

    def __init__(self, game: m.Game, names: Sequence[str] = (), language: str | None = None) -> None:
        self.game, self.names, self.language = game, tuple(names), language
        self.reader = TextReader(game, names)
        self.lines = LineReader(game, self.names)
        self.named, self.numbered = NotationWriter(game, names, language), NotationWriter(game, (), language)
        self.plain = None if language is None else TextWriter(game, names)
        """Writes what cannot be said in the language."""

    def header(self, data: Mapping[str, Json]) -> str:
        """Write the header with the blank line after it."""
        return "".join(f"{line}\n" for line in (*header_lines(data), ""))

    def line(self, data: Mapping[str, Json]) -> str:
        """Write one line, without a line end."""
        line = self.canonical(data)
        try:
            text = self._text(line)
            # The text is read back before it is written: what the notation cannot say exactly is said as JSON.
            if self.canonical(self.reader.line(text).data) == line:
                return text
        except (NotationFault, ValueError, TypeError, KeyError, AttributeError):
            pass
        return self.plain.line(line) if self.plain else write_line(line)

    def canonical(self, data: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the line as Ludex writes it: players by name, values in their order. A faulty line stays as it is."""
        entry = self.lines.read(data)
        if not isinstance(entry, Entry):
            return data
        if "claim" in data and "state" in data["claim"]:
            data = {**data, "claim": {**data["claim"], "state": [*map(self._plain_cell, data["claim"]["state"])]}}
        if "deal" in data:
            of = self.game.chances[data["deal"]].outcome
            data = {**data, "cards": [self.lines.table.plain(of, card) for card in data["cards"]]}
        if entry.event is None:
            return data
        line = line_of(self.game, entry.event, self.names)
        return {**line, **{name: data[name] for name in ("claim", "clock", "note") if name in data}}

    def _plain_cell(self, cell: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return a claim about a cell with values that are not texts of the notation."""
        element, plain = self.game.element[cell["of"]], self.lines.table.plain
        made = dict(cell)
        if "at" in cell:
            made["at"] = [plain(of, index) for of, index in zip(element.indices, cell["at"], strict=True)]
        if "is" in cell:
            made["is"] = plain(claim_type(element), cell["is"])
        return made

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
        cards = ", ".join(self._value(of, card) for card in data["cards"])
        return f"deal {self.named.chance(data['deal'])}{to} = {{{cards}}}"

    def _claims(self, claim: Mapping[str, Json]) -> Iterator[str]:
        for name, value in claim.items():
            if name == "scores" and isinstance(value, dict):
                yield f"scores {', '.join(f'{_safe(player)} {points}' for player, points in value.items())}"
            elif name == "scores":
                yield f"scores {', '.join(map(str, value))}"
            elif name == "winners":
                yield f"winners {self._players(value)}"
            elif name == "terminal":
                yield OVER_WORD if value else f"{NOT_OVER} {OVER_WORD}"
            else:
                yield from map(self._cell, value)

    def _cell(self, cell: Mapping[str, Json]) -> str:
        element = self.game.element[cell["of"]]
        pairs = zip(element.indices, cell.get("at", ()), strict=True)
        at = ",".join(self._value(of, index, bracketed=True) for of, index in pairs)
        own = self.named.vocabulary.elements.word(element.name, self.language)
        name = f"{own}({at})" if at else own
        if SIZE in cell:
            return f"{SIZE} {name} = {cell[SIZE]}"
        return f"{name} = {self._value(claim_type(element), cell['is'])}"

    def _players(self, players: Sequence[Json]) -> str:
        return ", ".join(map(self._player, players)) or NONE_WORD

    def _player(self, player: Json) -> str:
        return _safe(player) if isinstance(player, str) else str(player)

    def _value(self, type_: t.Type, data: Json, bracketed: bool = False) -> str:
        """Write a value as a log has it: a player by name if it is so there, else by number."""
        if is_player(type_) and data is not None:
            # A player may be called `unknown`.
            return UNSEEN if data == UNKNOWN_WORD and data not in self.names else self._player(data)
        value = from_json(type_, data)
        if isinstance(value, JsonFault):
            if data != UNKNOWN_WORD:
                raise ValueError("a value that the game does not have")
            return UNSEEN
        # A player inside a value has no name in logs, which write seats there.
        text = self.numbered.value(type_, value)
        # Among indices a comma of the value would begin the next index.
        return f"({text})" if bracketed and "," in text and not text.startswith(("{", "[")) else text


def language_of(log: Log, game: m.Game, names: Sequence[str] = ()) -> str | None:
    """Return the language in which a text log is written, or would be: that of its tag, else the one in which its lines
    have most words in common with what Ludex writes. None: the names in the spec."""
    tags = ((log.header and log.header.data) or {}).get("tags")
    tag = tags.get("language") if isinstance(tags, dict) else None
    if tag in game.languages:
        return str(tag)
    lines = [record.layout.text for record in log.events if isinstance(record.layout, UnreadLine)][:_MOST_LINES]
    found = Counter[str | None]()
    reader = TextReader(game, names)
    for language in (None, *game.languages) if lines else ():
        writer = TextWriter(game, names, language)
        for text in lines:
            try:
                # Whose move it is does not matter here.
                contents = [*reader.lines(text, lambda: (0,))]
            except NotationFault:
                continue
            written = (_words(writer.line(content.data)) for content in contents)
            found[language] += len(_words(text) & set[str]().union(*written))
    # Of equals the first is taken: where no word tells them apart, names of the spec are right in any language.
    return found.most_common(1)[0][0] if found else None


def _words(line: str) -> set[str]:
    return set(re.findall(r"\w+", line.lower()))


def _safe(name: str) -> str:
    return name if is_word(name) else quoted_word(name)


def _comment(note: str) -> str:
    # Blanks at the ends would be lost, and a quotation mark at the beginning would be read as quoting.
    is_plain = note == note.strip() and note.isprintable() and not note.startswith('"')
    return note if is_plain and note else quoted_word(note)
