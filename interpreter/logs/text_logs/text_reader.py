"""Reader of the lines of a text log: one event per line in the notation, as people write games down.

    Game: boreal
    Players: Anna, Boris

    setup.tokens = Anna            # by lot
    Anna: study s07 at 1,2; clock 0:04:31
    Boris: decline; claim scores 3, 4; over

Moves may be numbered, and then need not name their player if the rules say who is to move:

    1. e2 e4 e7 e5
    2. g1 f3

What a line says depends on the game, so lines are read when the game of the header is known (`in_game`). A line may
also be a line of JSON, for what the notation cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from ludex.grammar import Diagnostic, Json, Message, Span, enumerated
from ludex.spec import found_words
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.reading import Content, NotationReader
from ...event_notation.syntax import (
    MOST_TOKENS,
    NONE_WORD,
    UNKNOWN_WORD,
    NotationFault,
    Token,
    Values,
    expected,
    split_at,
    tokens_of,
    too_long,
)
from ...state.events import DECLINE
from .. import log_codes
from ..record import DECODER, MAX_DAMAGED, Log, Record, TextFault, TextLayout, UnreadLine, first_damaged, scan
from ..structure import CLAIMS, LARGEST_GAP, ONLY_CHANCE, Entry, LineReader, claim_type, read_gap
from .other_notations import Addressee, explained, resignation
from .text_lines import fault_at

# `result` may also be a player's or a cell's name, before a colon, an equals sign or a dot.
_KEYWORD = re.compile(r"\s*(claim|result|deal|gap|position)\b(?!\s*[:=.])")
# A number with decimals is not a number of a move.
_NUMBER = re.compile(r"\s*([0-9]{1,6})(\.{1,3}|…)(?![\d.])\s*")
"""The number of a move: `12.`, or `12...` for a later move under the same number."""
_SECOND = re.compile(r"\s*(Game)\s*:")
"""The beginning of another log."""
_NO_MOVE = frozenset({"resign", "resigns", "resigned"})
"""Words that are not moves, unless the game has one of this name."""
MOST_MEANT = 3
"""The largest number of moves that are named as what a line may mean."""
MOST_COMMAS, LONGEST_OF_TWO = 8, 400
"""The largest number of commas, and the longest line, for which it is tried whether a line is two events."""
OVER_WORD, NOT_OVER, SIZE = "over", "not", "size"

Movers: TypeAlias = Callable[[Sequence[Record]], Sequence[int] | None]
"""Returns who is to move after these records of a log; None if that is not known. It is asked for more and more
records of one log."""


def in_game(
    log: Log, game: m.Game, names: Sequence[str] = (), movers: Movers = lambda records: None
) -> tuple[Log, list[Diagnostic]]:
    """Read the lines of a text log that depend on the game; return the log with them, and the faults of lines.

    movers: asked for the player of a move that does not name one. After many faulty lines the rest is skipped. A log in
    another form stays as it is.
    """
    if not log.is_unread:
        return log, []
    assert log.header is not None
    # A log from a position may continue with any number.
    begins_anew = "from" not in (log.header.data or {})
    reader, faults, records = TextReader(game, names, begins_anew), list[Diagnostic](), list[Record]()
    for record in log.events:
        layout = record.layout
        if not isinstance(layout, UnreadLine):
            # A text log may have single lines in JSON.
            records.append(record)
            continue
        if (second := _SECOND.match(layout.text)) and second[1] not in reader.players:
            # What comes after a second header is about another game.
            fault = NotationFault(*second.span(1), Message("second-header-in-file"), code=log_codes.SECOND_LOG_HEADER)
            faults.append(_at(fault, layout))
            records.append(record)
            break
        try:
            if (resigned := resignation(layout.text, reader.players)) and _NO_MOVE.isdisjoint(game.moves):
                raise resigned
            for content in reader.lines(layout.text, lambda: movers(records)):
                if content.data:
                    places = TextLayout(layout.file, layout.line, content.places, content.named)
                    records.append(Record(content.data, places))
        except NotationFault as fault:
            # Remarks are collected first, as the line may be read again below.
            faults += [_at(remark, layout) for remark in reader.remarks]
            wrong = _all_wrong(reader, layout.text, reader.as_two_lines(fault, layout.text))
            faults += [_at(explained(each, layout.text, Addressee(reader.players)), layout) for each in wrong]
            records.append(record)
            reader.forget(layout.text)
        else:
            faults += [_at(remark, layout) for remark in reader.remarks]
        # A file that is something else altogether must not give a report for each of its lines.
        if len(faults) > MAX_DAMAGED:
            break
    return replace(log, events=tuple(records)), list(first_damaged(faults, log.events[-1].place().line))


def _all_wrong(reader: TextReader, text: str, fault: NotationFault) -> Iterator[NotationFault]:
    """Yield the fault of a line; if it lacks a player, also the faults that it has for every player."""
    yield fault
    if fault.code is log_codes.NO_PLAYER:
        try:
            for _ in reader.lines(text, lambda: (0,)):
                pass
        except NotationFault as further:
            yield further


def _at(fault: NotationFault, line: UnreadLine) -> Diagnostic:
    return fault_at(fault, Span(line.file, line.line, fault.start + 1, line.line, fault.end + 1))


class TextReader:
    """Reads the lines of one game's text logs, one after another. Every method raises NotationFault.

    begins_anew: the log begins at the beginning of its game, so that its first move has the number 1.
    """

    def __init__(self, game: m.Game, names: Sequence[str] = (), begins_anew: bool = True) -> None:
        self.game, self.names = game, tuple(names)
        self.after: str | None = ""
        """The action of the last move; None if it could not be read."""
        self.number = 0 if begins_anew else None
        """The number of the last numbered move; None if the next may have any, as after a faulty line."""
        self.remarks: list[NotationFault] = []
        """Warnings of the line that was read last."""
        self.events = NotationReader(game, names, Message("text-line-begins", game=game.name))

    @property
    def players(self) -> list[str]:
        """The players as lines name them, by seat."""
        return [self.events.vocabulary.player(seat) for seat in range(self.game.players)]

    def line(self, text: str) -> Content:
        """Read a line that holds no more than one event."""
        # A line with one event yields one content.
        (content,) = self.lines(text, lambda: None)
        return content

    def lines(self, text: str, movers: Callable[[], Sequence[int] | None]) -> Iterator[Content]:
        """Read a line: events, a claim, a result, a deal or a gap, with what belongs to the last, and a comment.

        movers: returns who is to move after all that was read; None if that is not known.
        """
        self.remarks = []
        end = split_at(text, "#")
        members = list(_members(text, end))
        content = Content({}, text, {"": members[0] if members else (0, len(text))})
        for number, (start, stop) in enumerate(members):
            begin = self._numbered(text, start, stop) if number == 0 else start
            is_numbered = begin > start
            # `3. claim` is a move, since only moves have numbers.
            keyword = None if is_numbered else _KEYWORD.match(text, start, stop)
            if keyword is not None and keyword[1] == "claim":
                self._claim(content, text, start, [(keyword.end(), stop), *members[number + 1 :]])
                break
            if number == 0 and keyword is None and self._is_bare(text, begin, stop, is_numbered):
                content, at = self._bare_move(text, begin, stop, is_numbered, movers())
                # After a number, each player may have a move, as in records of chess.
                while is_numbered and text[at:stop].strip():
                    yield content
                    at = self._numbered(text, at, stop)
                    content, at = self._bare_move(text, at, stop, is_numbered, movers())
            elif number == 0:
                content = self._first(text, begin, stop, keyword)
            else:
                self._member(content, text, start, stop)
        # The comment is read only now: it may contain semicolons, which end no part of the line.
        note = text[end + 1 :].strip()
        if note:
            content.data["note"] = _note(note, text.index(note, end + 1))
            content.places["/note"] = (text.index(note, end + 1), len(text.rstrip()))
        yield content

    # ---- numbers, and moves that name no player

    def _numbered(self, text: str, start: int, stop: int) -> int:
        """Read the number of a move, if there is one, and remark on it if it is out of order; return where it ends."""
        match = _NUMBER.match(text, start, stop)
        if match is None:
            return start
        number, last = int(match[1]), self.number
        # The same number may come again, for the move of the next player.
        if last is not None and number not in ((last, last + 1) if last else (1,)):
            message = Message("text-number", found=number, expected=last + 1)
            hint = Message("text-number-hint")
            self.remarks.append(NotationFault(*match.span(1), message, hint, log_codes.NUMBER_OUT_OF_ORDER))
        self.number = number
        return match.end()

    def forget(self, text: str) -> None:
        """Forget what the lines after a faulty one cannot rely on."""
        self.after = None
        if not _NUMBER.match(text) and text.lstrip()[:1].isdecimal():  # its number could not be read
            self.number = None

    def _is_bare(self, text: str, start: int, stop: int, is_numbered: bool) -> bool:
        """Test whether a part of a line is moves without players, and no text that is not in the notation."""
        return self.events.is_bare(text, start, stop) and (is_numbered or self.events.begins_move(text, start, stop))

    def _bare_move(
        self, text: str, start: int, stop: int, is_numbered: bool, seats: Sequence[int] | None
    ) -> tuple[Content, int]:
        """Read a move without its player, and return its end; after a number more moves may follow.

        seats: who is to move. Where nobody is, it may be anybody's: the replay says what is awaited.
        """
        seat = seats[0] if seats else 0
        content, end = self.events.bare_move(text, start, stop, seat, not is_numbered)
        if seats is None or len(seats) > 1:
            words = self.events.vocabulary
            place = content.places[""]
            players = [words.player(each) for each in seats or range(self.game.players)]
            moves = enumerated([f"`{player}: {text[slice(*place)]}`" for player in players], "or")
            message = (
                Message("text-several-movers", players=enumerated(players, "or"))
                if seats
                else Message("text-no-player")
            )
            # The moves after this fault may have any number.
            self.number = None
            raise NotationFault(*place, message, Message("text-no-player-hint", moves=moves), log_codes.NO_PLAYER)
        return self._followed(content), end

    def _followed(self, content: Content) -> Content:
        action = content.data.get("action", self.after)
        self.after = action if action in ("", DECLINE, UNKNOWN_WORD) or action in self.game.moves else None
        return content

    def _meant(self, text: str, start: int, at: int, stop: int) -> list[str]:
        """Return the moves that a line may mean in which the name of the action was left out. at: where it would be."""
        lines, found = LineReader(self.game, self.names), list[str]()
        for action in self.game.moves:
            try:
                content = self.events.event(
                    f"{text[start:at]}{action} {text[at:stop]}", 0, stop - start + len(action) + 1
                )
            except NotationFault:
                continue
            if isinstance(lines.read(content.data), Entry):
                found.append(f"{action} {text[at:stop].strip()}")
        return found[:MOST_MEANT]

    def as_two_lines(self, fault: NotationFault, text: str) -> NotationFault:
        """Return the fault of a line; if it is two events with a comma between them, with a hint that says so."""
        end = split_at(text, "#")
        commas = [at for at in range(end) if text[at] == ","]
        if len(commas) > MOST_COMMAS or end > LONGEST_OF_TWO:
            return fault
        lines = LineReader(self.game, self.names)
        for at in commas:
            parts, reader = (text[:at].strip(), text[at + 1 : end].strip()), TextReader(self.game, self.names, False)
            try:
                contents = [content for part in parts for content in reader.lines(part, lambda: None)]
            except NotationFault:
                continue
            if len(contents) == len(parts) and all(isinstance(lines.read(each.data), Entry) for each in contents):
                hint = Message("text-two-lines", first=f"`{parts[0]}`", second=f"`{parts[1]}`")
                return NotationFault(fault.start, fault.end, fault.message, hint, fault.code)
        return fault

    def _first(self, text: str, start: int, stop: int, keyword: re.Match[str] | None) -> Content:
        if keyword is None:
            content = self.events.event(text, start, stop, after=self.after)
            action, at = content.data.get("action"), content.places.get("/action")
            if at is not None and action not in (None, DECLINE, UNKNOWN_WORD, *self.game.moves):
                meant = self._meant(text, start, at[0], stop)
                if meant:
                    ways = enumerated([f"`{each}`" for each in meant], "or")
                    message = Message("no-such-action", game=self.game.name, name=f'"{action}"')
                    raise NotationFault(*at, message, Message("text-action-meant", ways=ways), log_codes.UNKNOWN_ACTION)
            return self._followed(content)
        content = Content({}, text, {"": (start, stop)})
        if keyword[1] == "position":
            self._position(content, text, keyword.end(), stop)
            return content
        values = Values(tokens_of(text, keyword.end(), stop))
        match keyword[1]:
            case "result":
                content.data["result"] = self._result(values, content)
            case "gap":
                content.data["gap"] = self._gap(values) if values.next.kind else True
            case _:
                self._deal(values, content)
        if values.next.kind:
            raise expected(Message("text-nothing-more"), values.next)
        return content

    def _position(self, content: Content, text: str, start: int, stop: int) -> None:
        """Read a position, which is JSON."""
        content.places["/position"] = (start, stop)
        try:
            scan(text[start:stop])
        except TextFault as fault:
            code = (
                log_codes.BROKEN_JSON if fault.code is log_codes.TRUNCATED_LINE else fault.code
            )  # lines follow, or may
            raise NotationFault(start + fault.start, start + fault.end, fault.message, fault.hint, code) from None
        content.data["position"] = DECODER.decode(text[start:stop])

    def _gap(self, values: Values) -> Json:
        token = values.take()
        if token.text == "true":  # as JSON Lines have it
            return True
        gap: Json = int(token.text) if re.fullmatch("[0-9]{1,9}", token.text) else token.text
        if read_gap(gap, []) is None:
            # The forms of JSON Lines are others, so the structure is not left to say what it expects.
            length = Message("length-of-gap-written", word=f"`{ONLY_CHANCE}`", count=LARGEST_GAP)
            message = Message("expected", expected=length, found=found_words(gap))
            ways = enumerated(("`gap`", f"`gap {ONLY_CHANCE}`", "`gap 3`"), "or")
            raise NotationFault(token.start, token.end, message, Message("write", text=ways), log_codes.WRONG_VALUE)
        return gap

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
                raise expected(enumerated(("`clock`", "`claim`"), "or"), word, Message("text-comment-sign"))

    def _result(self, values: Values, content: Content) -> dict[str, Json]:
        content.places["/result"] = (values.next.start, values.tokens[-1].end)
        content.places["/result/by"] = (values.next.start, values.next.end)
        result: dict[str, Json] = {"by": values.take().text} if values.next.kind else {}
        if values.next.kind:
            result["player"] = self._player(values, "/result/player", content)
        return result

    def _deal(self, values: Values, content: Content) -> None:
        first = values.next.start
        while values.next.kind not in ("", "=", "{", "[") and values.next.text != "to":
            values.take()
        path, place = self.events.chance_named(content.text, first, values.next.start, self.after)
        content.data["deal"], content.places["/deal"] = path, place
        if values.next.text == "to":
            values.take()
            content.data["to"] = self._player(values, "/to", content)
        if values.next.kind in ("{", "["):
            raise self._without_sign(values, content)
        if values.next.kind != "=":
            raise expected(Message("notation-sign", sign="="), values.next)
        values.take()
        if values.next.kind not in ("{", "["):
            raise self._without_braces(values)
        signature = self.game.chances.get(path)
        cards = values.value()
        content.data["cards"] = (
            # Without the chance event nobody knows the type of the cards, and its name is reported later.
            self.events.value(t.ListOf(signature.outcome), cards, "/cards", content) if signature else []
        )

    def _without_sign(self, values: Values, content: Content) -> NotationFault:
        """Make the fault for a deal without `=` before its cards, at the place where it is missing."""
        begin, at, stop = content.places[""][0], values.tokens[values.at - 1].end, values.tokens[-1].start
        mended = f"`{content.text[begin:at].strip()} = {content.text[at:stop].strip()}`"
        fault = expected(Message("notation-sign", sign="="), values.next, Message("write", text=mended))
        return NotationFault(at, at + 1, fault.message, fault.hint)

    def _without_braces(self, values: Values) -> NotationFault:
        """Make the fault for the cards of a deal that are listed without braces."""
        cards = [token.text for token in values.tokens[values.at :] if token.kind in ("word", "text")]
        hint = Message("write", text=f"`{{{', '.join(cards)}}}`") if cards else None
        return expected(Message("notation-sign", sign="{"), values.next, hint)

    # ---- claims

    def _claim(self, content: Content, text: str, start: int, parts: Sequence[tuple[int, int]]) -> None:
        content.places["/claim"] = (start, parts[-1][1])
        claim: dict[str, Json] = {}
        content.data["claim"] = claim
        for begin, stop in parts:
            values = Values(tokens_of(text, begin, stop))
            word = values.next
            # A state or a zone may have one of these names, and is then followed by `=` or `(`.
            if word.text in (*CLAIMS[:2], OVER_WORD, NOT_OVER) and values.tokens[1].kind not in ("=", "("):
                name = "terminal" if word.text in (OVER_WORD, NOT_OVER) else word.text
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
                # A colon after a name is how people write down points.
                is_colon = word.text == "scores" and values.next.text == ":"
                points = re.sub(r"\s*:\s*", " ", text[begin:stop]).strip()
                hint = Message("write", text=f"`claim {points}`") if is_colon else None
                raise expected(Message("text-semicolon"), values.next, hint)

    def _claimed(self, word: Token, values: Values, content: Content) -> Json:
        match word.text:
            case "scores":
                return self._scores(values, content)
            case "winners":
                return self._players(values, "/claim/winners", content)
            case "not" if values.next.text != OVER_WORD:
                raise expected(Message("notation-sign", sign=OVER_WORD), values.next)
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
            # Points are not a seat, so the blank after them is a comma that was forgotten.
            if (
                values.next.kind == "word"
                and re.fullmatch("[0-9]+", first.text)
                and int(first.text) > self.game.players
            ):
                raise expected(Message("notation-sign", sign=","), values.next)
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
        # A mixture leaves open whose the bare points are.
        if by_player and points:
            raise expected(Message("text-points-of-each"), values.next)
        return by_player or points

    def _players(self, values: Values, pointer: str, content: Content) -> list[Json]:
        if values.next.text == NONE_WORD and values.next.kind == "word":
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
        # `value` would read the commas of a list as one value.
        node = Values([word, Token("", "", word.end, word.end)]).value()
        return self.events.value(t.PlayerType(self.game.players), node, pointer, content)

    def _cell(self, values: Values, pointer: str, content: Content) -> dict[str, Json]:
        """Read a claim about a cell: `card(Anna) = jack`, `size deck = 1`."""
        following = values.tokens[values.at + 1 : values.at + 2]
        # A cell may itself be called `size`.
        counts = values.next.text == SIZE and bool(following) and following[0].kind == "word"
        if counts:
            values.take()
        name = values.next
        if name.kind != "word":
            raise expected(Message("text-what-is-claimed"), name)
        node = values.value()
        own = self.events.vocabulary.elements.known.get(node.text, node.text)
        element = self.game.element.get(own)
        content.places[f"{pointer}/of"] = (name.start, name.end)
        cell: dict[str, Json] = {"of": own}
        if node.parts:
            parts, known = node.parts, () if element is None else element.indices
            # One index that is a record needs no brackets of its own: `mark(1,2)`.
            if len(known) == 1 and isinstance(known[0], t.Record) and len(parts) == len(known[0].fields) > 1:
                parts = (replace(node, kind="parts", text="", start=parts[0].start, end=parts[-1].end),)
            indices = known if len(known) == len(parts) else ()
            # Without the right indices every part is read as written, so that the reader of lines reports them.
            of = indices or [t.Bool()] * len(parts)
            content.places[f"{pointer}/at"] = (name.end, node.end)
            pairs = enumerate(zip(of, parts, strict=True))
            cell["at"] = [self.events.value(each, part, f"{pointer}/at/{at}", content) for at, (each, part) in pairs]
        if values.next.kind != "=":
            hint = None if element is not None else Message("text-claim-hint", player=self.players[0])
            if "claim" in self.game.moves:
                written = f"claim {content.text[name.start : values.tokens[-1].end].strip()}"
                hint = Message("text-claim-move", move=f"{self.players[0]}: {written}")
            raise expected(Message("notation-sign", sign="="), values.next, hint)
        values.take()
        value = values.value()
        # Any number is read as one, in the range or not: the claim is judged later.
        type_ = t.Range(0, 0) if counts or element is None else claim_type(element)
        member = SIZE if counts else "is"
        cell[member] = self.events.value(type_, value, f"{pointer}/{member}", content)
        return cell


def _members(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of the parts of a line between its semicolons. Raises NotationFault if there are too many."""
    start, end = 0, len(text[:end].rstrip())
    for _ in range(MOST_TOKENS):
        if start >= end:
            return
        stop = split_at(text, ";", start, end)
        part = text[start:stop]
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start = stop + 1
    raise too_long(start, end)


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
    # Longer numbers stay texts, which are reported.
    return int(word) if re.fullmatch("-?[0-9]{1,9}", word) else word
