"""Text logs: a header of tags, then an event a line in the notation, as people write games down.

    Game: boreal
    Players: Anna, Boris

    setup.tokens = Anna            # by lot
    Anna: study s07 at 1,2; clock 0:04:31
    Boris: decline; claim scores 3, 4; over

What a line says depends on the game, so lines are read when the game of the header is known (`in_game`). A line may
also be a line of JSON, for what the notation cannot say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ludex.grammar import Diagnostic, Json, Message, Span, decode, enumerated
from ludex.spec import JsonFault, from_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.reading import Content, NotationReader
from ...event_notation.syntax import (
    NONE,
    UNSEEN,
    NotationFault,
    Token,
    Values,
    expected,
    is_word,
    quoted,
    split,
    tokens_of,
)
from ...event_notation.writing import NotationWriter
from .claims import CLAIMS, claim_type
from .event_lines import Entry, LineReader, line_of
from .json_places import DECODER
from .log import LineLayout, Log, Record, TextLayout, UnreadLine, fitting, one_record, write_line
from .problems import UNKNOWN
from .seating import is_player
from .text_header import HeaderReader, header_lines
from .text_lines import fault_at

_KEYWORD = re.compile(r"\s*(claim|result|deal|gap|position)\b(?!\s*[:=.])")
OVER, NOT_OVER, SIZE = "over", "not", "size"


def parse_text(content: bytes, file: str) -> Log:
    """Divide a text log into its header and its lines, as `parse_log` does."""
    kept, cut = fitting(content, file, 1)
    text = decode(b"\n".join(kept), file)
    if isinstance(text, Diagnostic):
        return Log(file, None, (), (text,))
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    begin = next((at for at, (_, line) in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    end = next((at for at, (_, line) in enumerate(lines) if at > begin and not line.strip()), len(lines))
    header = HeaderReader(file, lines[begin][0])
    for number, line in lines[:end]:
        if line.strip():
            header.read(line, number)
    faults = list(header.faults)
    records = [_unread(file, number, line, faults) for number, line in lines[end:] if line.strip()]
    return Log(file, Record(header.finished(), header.layout), tuple(records), (*faults, *cut))


def _unread(file: str, number: int, line: str, faults: list[Diagnostic]) -> Record:
    if line.lstrip().startswith("{"):
        record, fault = one_record(LineLayout(file, number, line.encode()), False)
        faults.extend([fault] if fault else [])
        return record
    return Record(None, UnreadLine(file, number, line))


def in_game(log: Log, game: m.Game, names: Sequence[str] = ()) -> tuple[Log, list[Diagnostic]]:
    """Read the lines of a text log that depend on the game; return the log with them, and what is wrong with lines.

    A log in another form stays as it is.
    """
    if not log.is_unread:
        return log, []
    reader, faults = TextReader(game, names), list[Diagnostic]()
    records = tuple(_read(reader, record, faults) for record in log.events)
    return replace(log, events=tuple(filter(None, records))), faults


def _read(reader: TextReader, record: Record, faults: list[Diagnostic]) -> Record | None:
    """Read the line of a record; None for an empty comment."""
    layout = record.layout
    if not isinstance(layout, UnreadLine):
        return record
    try:
        content = reader.line(layout.text)
    except NotationFault as fault:
        place = Span(layout.file, layout.line, fault.start + 1, layout.line, fault.end + 1)
        faults.append(fault_at(fault, place))
        return record
    places = TextLayout(layout.file, layout.line, content.places, content.named)
    return Record(content.data, places) if content.data else None


# ---- reading --------------------------------------------------------------------------------------------------------


class TextReader:
    """Reads the lines of one game's text logs. Every method raises NotationFault."""

    def __init__(self, game: m.Game, names: Sequence[str] = ()) -> None:
        self.game = game
        self.events = NotationReader(game, names)

    def line(self, text: str) -> Content:
        """Read a line: an event, a claim, a result, a deal or a gap, with what belongs to it, and a comment."""
        end = split(text, "#")
        members = list(_members(text, end))
        content = Content({}, {"": members[0] if members else (0, len(text))})
        for number, (start, stop) in enumerate(members):
            keyword = _KEYWORD.match(text, start, stop)
            if keyword is not None and keyword[1] == "claim":
                self._claim(content, text, start, [(keyword.end(), stop), *members[number + 1 :]])
                break
            if number == 0:
                content = self._first(text, start, stop, keyword)
            else:
                self._member(content, text, start, stop)
        note = text[end + 1 :].strip()
        if note:
            content.data["note"] = _note(note, text.index(note, end + 1))
            content.places["/note"] = (text.index(note, end + 1), len(text.rstrip()))
        return content

    def _first(self, text: str, start: int, stop: int, keyword: re.Match[str] | None) -> Content:
        if keyword is None:
            return self.events.event(text, start, stop)
        content = Content({}, {"": (start, stop)})
        if keyword[1] == "position":
            self._position(content, text, keyword.end(), stop)
            return content
        values = Values(tokens_of(text, keyword.end(), stop))
        match keyword[1]:
            case "result":
                content.data["result"] = self._result(values, content)
            case "gap":
                content.data["gap"] = self._number(values) if values.next.kind else True
            case _:
                self._deal(values, content)
        if values.next.kind:
            raise expected(Message("text-nothing-more"), values.next)
        return content

    def _position(self, content: Content, text: str, start: int, stop: int) -> None:
        """Read a position, which is JSON."""
        content.places["/position"] = (start, stop)
        try:
            content.data["position"] = DECODER.decode(text[start:stop])
        except ValueError:
            raise NotationFault(start, stop, "the position is not JSON") from None

    def _number(self, values: Values) -> Json:
        word = values.take().text
        return int(word) if re.fullmatch("[0-9]{1,9}", word) else word

    def _member(self, content: Content, text: str, start: int, stop: int) -> None:
        values = Values(tokens_of(text, start, stop))
        word = values.take()
        match word.text:
            case "clock":
                at = values.next.start
                content.data["clock"] = text[at:stop].strip()
                content.places["/clock"] = (at, stop)
            case "winners" if "result" in content.data:
                content.places["/result/winners"] = (values.next.start, stop)
                content.data["result"]["winners"] = self._players(values, "/result/winners", content)
            case _:
                raise expected(enumerated(("`clock`", "`claim`"), "or"), word)

    def _result(self, values: Values, content: Content) -> dict[str, Json]:
        content.places["/result"] = (values.next.start, values.tokens[-1].end)
        content.places["/result/by"] = (values.next.start, values.next.end)
        result: dict[str, Json] = {"by": values.take().text}
        if values.next.kind:
            result["player"] = self._player(values, "/result/player", content)
        return result

    def _deal(self, values: Values, content: Content) -> None:
        path = ""
        while values.next.kind not in ("", "=") and values.next.text != "to":
            path += values.take().text
        content.data["deal"] = path = self.events.vocabulary.chances.known.get(path, path)
        if values.next.text == "to":
            values.take()
            content.data["to"] = self._player(values, "/to", content)
        if values.next.kind != "=":
            raise expected(Message("notation-sign", sign="="), values.next)
        values.take()
        signature = self.game.chances.get(path)
        cards = values.value()
        content.data["cards"] = (
            self.events.value(t.ListOf(signature.outcome), cards, "/cards", content) if signature else []
        )

    # ---- claims

    def _claim(self, content: Content, text: str, start: int, parts: Sequence[tuple[int, int]]) -> None:
        content.places["/claim"] = (start, parts[-1][1])
        claim: dict[str, Json] = {}
        content.data["claim"] = claim
        for begin, stop in parts:
            values = Values(tokens_of(text, begin, stop))
            word = values.next
            if word.text in (*CLAIMS[:2], OVER, NOT_OVER) and values.tokens[1].kind not in ("=", "("):
                name = "terminal" if word.text in (OVER, NOT_OVER) else word.text
                if name in claim:
                    raise NotationFault(word.start, word.end, Message("text-claimed-twice", word=word.text))
                values.take()
                content.places[f"/claim/{name}"] = (word.start, stop)
                claim[name] = self._claimed(word, values, content)
            else:
                cells = claim.setdefault("state", [])
                content.places[f"/claim/state/{len(cells)}"] = (word.start, stop)
                cells.append(self._cell(values, f"/claim/state/{len(cells)}", content))
            if values.next.kind:
                raise expected(Message("text-semicolon"), values.next)

    def _claimed(self, word: Token, values: Values, content: Content) -> Json:
        match word.text:
            case "scores":
                return self._scores(values, content)
            case "winners":
                return self._players(values, "/claim/winners", content)
            case "not" if values.next.text != OVER:
                raise expected(Message("notation-sign", sign=OVER), values.next)
            case "not":
                values.take()
                return False
            case _:
                return True

    def _scores(self, values: Values, content: Content) -> Json:
        """Read points by seat, `33, 26`, or by player, `Anna 33, Boris 26`."""
        points: list[Json] = []
        by_player: dict[str, Json] = {}
        while True:
            first = values.take()
            if first.kind not in ("word", "text"):
                raise expected(Message("text-player-or-points"), first)
            if values.next.kind == "word":
                content.named[f"/claim/scores/{first.text}"] = (first.start, first.end)
                content.places[f"/claim/scores/{first.text}"] = (values.next.start, values.next.end)
                by_player[first.text] = _whole(values.take().text)
            else:
                content.places[f"/claim/scores/{len(points)}"] = (first.start, first.end)
                points.append(_whole(first.text))
            if values.next.kind != ",":
                break
            values.take()
        if by_player and points:
            raise expected(Message("text-points-of-each"), values.next)
        return by_player or points

    def _players(self, values: Values, pointer: str, content: Content) -> list[Json]:
        if values.next.text == NONE and values.next.kind == "word":
            values.take()
            return []
        players = [self._player(values, f"{pointer}/0", content)]
        while values.next.kind == ",":
            values.take()
            players.append(self._player(values, f"{pointer}/{len(players)}", content))
        return players

    def _player(self, values: Values, pointer: str, content: Content) -> Json:
        """Read one player, without the commas of a list."""
        word = values.take()
        if word.kind not in ("word", "text"):
            raise expected(Message("position-a-player"), word)
        node = Values([word, Token("", "", word.end, word.end)]).value()
        return self.events.value(t.PlayerType(self.game.players), node, pointer, content)

    def _cell(self, values: Values, pointer: str, content: Content) -> dict[str, Json]:
        """Read a claim about a cell: `card(Anna) = jack`, `size deck = 1`."""
        following = values.tokens[values.at + 1 : values.at + 2]
        counts = values.next.text == SIZE and bool(following) and following[0].kind == "word"
        if counts:
            values.take()
        name = values.next
        if name.kind != "word":
            raise expected(Message("text-what-is-claimed"), name)
        node = values.value()
        element = self.game.element.get(node.text)
        content.places[f"{pointer}/of"] = (name.start, name.end)
        cell: dict[str, Json] = {"of": node.text}
        if node.parts:
            indices = element.indices if element is not None and len(element.indices) == len(node.parts) else ()
            of = indices or [t.Bool()] * len(node.parts)
            content.places[f"{pointer}/at"] = (name.end, node.end)
            pairs = enumerate(zip(of, node.parts, strict=True))
            cell["at"] = [self.events.value(each, part, f"{pointer}/at/{at}", content) for at, (each, part) in pairs]
        if values.next.kind != "=":
            raise expected(Message("notation-sign", sign="="), values.next)
        values.take()
        value = values.value()
        type_ = t.Range(0, 0) if counts or element is None else claim_type(element)
        member = SIZE if counts else "is"
        cell[member] = self.events.value(type_, value, f"{pointer}/{member}", content)
        return cell


def _members(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of the parts of a line between its semicolons."""
    start = 0
    while text[start:end].strip():
        stop = min(split(text[:end], ";", start), end)
        part = text[start:stop]
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start = stop + 1


def _note(text: str, start: int) -> str:
    """Return a comment; one that is all in quotation marks may hold any character."""
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            tokens = tokens_of(text)
        except NotationFault:
            return text
        return tokens[0].text if len(tokens) == 2 else text
    return text


def _whole(word: str) -> Json:
    return int(word) if re.fullmatch("-?[0-9]{1,9}", word) else word


# ---- writing --------------------------------------------------------------------------------------------------------


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
            return UNSEEN if data == UNKNOWN and data not in self.names else self._player(data)
        value = from_json(type_, data)
        if isinstance(value, JsonFault):
            if data != UNKNOWN:
                raise ValueError("a value that the game does not have")
            return UNSEEN
        text = self.numbered.value(type_, value)
        return f"({text})" if bracketed and "," in text and not text.startswith(("{", "[")) else text


def _safe(name: str) -> str:
    return name if is_word(name) else quoted(name)


def _comment(note: str) -> str:
    is_plain = note == note.strip() and note.isprintable() and not note.startswith('"')
    return note if is_plain and note else quoted(note)
