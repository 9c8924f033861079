"""The header of a text log: a line for each tag, `Name: value`, up to the first blank line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ludex.grammar import Diagnostic, Json, Message, Span, escaped

from ...event_notation import notation_codes
from ...event_notation.syntax import NotationFault, is_word, quoted_word, tokens_of
from .json_places import DECODER, TextFault, scan
from .records import VERSION

TAG_MEMBERS = ("game", "edition", "silence", "fingerprint", "from")
"""Members that are written as a tag with a capital, each with one text."""
TAGS = ("event", "site", "date", "round", "table", "recorder", "language")
"""Tags that are written with a capital; others as they are."""
GROUPS = {"option": "options", "reading": "readings", "tag": "tags", "id": "ids"}
"""First words of tags that have a name of their own, `Option size: 5`, and the members that hold them."""

BRACKETED: re.Pattern[str] = re.compile(r'\[(?P<name>\w+)\s+"(?P<value>[^"]*)"\]')
"""A tag as records of chess have it: `[Event "Club evening"]`."""
_LINE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s:"]+)(?:[ \t]+("(?:[^"\\]|\\.)*"|[^\s:"][^:"]*?))?\s*:\s*(.*?)\s*\Z')
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=\S)[ \t]+#(?P<comment>.*)')
"""A text in quotation marks, or a comment. A value may itself begin with `#`, such as that of a table."""


@dataclass(slots=True)
class HeaderLayout:
    """The places of a header that takes several lines.

    Attributes:
        whole: the place of the header.
        places, named: the places of values and of names, by JSON pointer.
        bare_tags: the names of the tags that are written without the word `Tag`.
    """

    whole: Span
    places: dict[str, Span] = field(default_factory=dict)
    named: dict[str, Span] = field(default_factory=dict)
    bare_tags: list[str] = field(default_factory=list)

    def place(self, pointer: str, at_name: bool) -> Span:
        """Return the span of the value at the pointer, or of the innermost part around it."""
        if at_name and pointer in self.named:
            return self.named[pointer]
        while pointer and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places.get(pointer, self.whole)


# ---- reading --------------------------------------------------------------------------------------------------------


class HeaderReader:
    """Reads the lines of a header. `data` is what they say, as in the header of any log; `is_foreign`: it is that of
    another notation; `has_ended`: the line that was read last is an event, before which the blank line is missing."""

    def __init__(self, file: str, line: int) -> None:
        self.data: dict[str, Json] = {}
        self.layout = HeaderLayout(Span(file, line, 1, line, 2))
        self.faults: list[Diagnostic] = []
        self.file = file
        self.is_foreign, self.has_ended = False, False

    def read(self, text: str, line: int) -> None:
        """Read one line: a tag, a comment, or members of the header as JSON."""
        if self.is_foreign:
            return
        if text.lstrip().startswith("#"):
            self._note(text.strip()[1:].strip())
            return
        try:
            self._members(text, line) if text.lstrip().startswith("{") else self._tag(text, line)
        except NotationFault as fault:
            span = Span(self.file, line, fault.start + 1, line, fault.end + 1)
            self.faults.append(Diagnostic(fault.code, fault.message, span, fault.hint))

    def finished(self) -> Mapping[str, Json]:
        """Return the header; the version of the format may be left out."""
        return {"ludex": VERSION, **self.data}

    def _members(self, text: str, line: int) -> None:
        try:
            scan(text)
        except TextFault as fault:
            raise NotationFault(
                fault.start, fault.end, fault.message, fault.hint, notation_codes.HEADER_LINE
            ) from fault
        for name, value in DECODER.decode(text).items():
            self._put(f"/{escaped(name)}", (name,), value, line, (0, len(text)), (0, len(text)))

    def _tag(self, text: str, line: int) -> None:
        match = _LINE.match(text)
        if foreign := BRACKETED.fullmatch(text.strip()):
            self.is_foreign = True
            message = Message("text-other-notation", sign=f"`{foreign.group()}`")
            raise _fault(text, message, Message("text-tags-hint", tag=f"`{foreign['name']}: {foreign['value']}`"))
        if match is None:
            raise _fault(text, Message("text-expected", expected="`Name: value`"), Message("text-blank-line"))
        word, name = match[1], match[2]
        written, comment = _divided(match[3])
        begin = match.start(3)
        at, value_at = (match.start(1), match.end(2) if name else match.end(1)), (begin, begin + len(written))
        # Tags that Ludex knows are read in capitals and small letters; other names are the recorder's, and keep theirs.
        member = word.lower()
        if member in GROUPS and name is not None:
            group, own = GROUPS[member], _plain(name, match.start(2))
            value = _literal(written) if group == "options" else _plain(written, value_at[0])
            self._put(f"/{group}/{escaped(own)}", (group, own), value, line, at, value_at)
        elif member == "players":
            self._players(written, line, at, value_at)
        elif member == "ludex":
            self._put("/ludex", ("ludex",), _literal(written), line, at, value_at)
        elif member in TAG_MEMBERS and name is None:
            self._put(f"/{member}", (member,), _plain(written, value_at[0]), line, at, value_at)
        else:
            own = f"{word} {name}" if name is not None else _plain(word, at[0])
            own = own.lower() if own.lower() in TAGS else own
            if own in self._players_of_lines():
                self.has_ended = True
                raise _player_line(own, at)
            # A bare tag may be a misspelt setting, which a later check asks about.
            self.layout.bare_tags.append(own)
            self._put(f"/tags/{escaped(own)}", ("tags", own), _plain(written, value_at[0]), line, at, value_at)
        # A tag with a fault is not read, and then its comment does not matter.
        if comment:
            self._note(comment)

    def _note(self, note: str) -> None:
        # Several lines of comments are one note.
        self.data["note"] = f"{self.data['note']}\n{note}" if "note" in self.data else note

    def _players(self, text: str, line: int, at: tuple[int, int], value_at: tuple[int, int]) -> None:
        # More digits are a name, or a typing error.
        if re.fullmatch(r"[0-9]{1,4}", text):
            self._put("/players", ("players",), int(text), line, at, value_at)
            self._refuse_lines_before()
            return
        names = []
        for number, (start, end) in enumerate(_items(text)):
            names.append(_plain(text[start:end], value_at[0] + start))
            self._place(f"/players/{number}", line, (value_at[0] + start, value_at[0] + end))
        self._put("/players", ("players",), names, line, at, value_at)
        self._refuse_lines_before()

    def _players_of_lines(self) -> list[str]:
        """Return how the lines of the log name its players: as their names, or by their seats."""
        players = self.data.get("players")
        names = players if isinstance(players, list) else []
        count = len(names) or (players if isinstance(players, int) else 0)
        return [*names, *map(str, range(1, count + 1))]

    def _refuse_lines_before(self) -> None:
        """Report a line of a player above the tag `Players`; it was read as a tag."""
        players = self._players_of_lines()
        for own in (own for own in self.layout.bare_tags if own in players):
            span, fault = self.layout.named[f"/tags/{escaped(own)}"], _player_line(own, (0, 0))
            self.faults.append(Diagnostic(fault.code, fault.message, span, fault.hint))

    def _put(
        self, pointer: str, path: Sequence[str], value: Json, line: int, at: tuple[int, int], value_at: tuple[int, int]
    ) -> None:
        holder = self.data
        for name in path[:-1]:
            holder = holder.setdefault(name, {})
        if path[-1] in holder:
            # Two lines that begin alike may be two events.
            hint = Message("text-blank-line") if path[-1] in self.layout.bare_tags else None
            raise NotationFault(*at, Message("text-twice"), hint, notation_codes.HEADER_LINE)
        holder[path[-1]] = value
        self._place(pointer, line, value_at)
        self.layout.named[pointer] = self._span(line, at)

    def _place(self, pointer: str, line: int, at: tuple[int, int]) -> None:
        self.layout.places[pointer] = self._span(line, at)

    def _span(self, line: int, at: tuple[int, int]) -> Span:
        # An empty value still needs a width to be underlined.
        return Span(self.file, line, at[0] + 1, line, max(at) + 1)


def _fault(text: str, message: str, hint: str | None = None) -> NotationFault:
    return NotationFault(len(text) - len(text.lstrip()), len(text.rstrip()), message, hint, notation_codes.HEADER_LINE)


def _divided(text: str) -> tuple[str, str]:
    """Divide the value of a tag from the comment after it, if there is one outside quotation marks."""
    for match in _COMMENT.finditer(text):
        if match["comment"] is not None:
            return text[: match.start()], match["comment"].strip()
    return text, ""


def _player_line(player: str, at: tuple[int, int]) -> NotationFault:
    """Make the fault of a line in the header that begins as the lines of a player do."""
    message = Message("text-line-in-header", player=player)
    hint = Message("text-line-in-header-hint", tag=f"`Tag {player}: ...`")
    return NotationFault(*at, message, hint, notation_codes.HEADER_LINE)


def _items(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the parts of a text between its commas, outside quotation marks."""
    start = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|,|\Z', text):
        # A comma inside quotation marks is taken with them, so it does not divide.
        if match.group() in (",", ""):
            part = text[start : match.start()]
            yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
            start = match.end()


def _plain(text: str, start: int) -> str:
    """Return a text that may be in quotation marks."""
    if not text.startswith('"'):
        return text
    try:
        tokens = tokens_of(text)
    except NotationFault as fault:
        raise NotationFault(
            start + fault.start, start + fault.end, fault.message, None, notation_codes.HEADER_LINE
        ) from fault
    if len(tokens) != 2:
        raise NotationFault(
            start,
            start + len(text),
            Message("text-expected", expected=Message("text-after-quotation")),
            None,
            notation_codes.HEADER_LINE,
        )
    return tokens[0].text


def _literal(text: str) -> Json:
    try:
        scan(text)
    except TextFault:
        return text
    return DECODER.decode(text)


# ---- writing --------------------------------------------------------------------------------------------------------


def header_lines(data: Mapping[str, Json]) -> list[str]:
    """Write a header; members without a tag are written as JSON."""
    players = data.get("players")
    names = players if isinstance(players, list) else ()
    lines = [line for name, value in data.items() if name != "ludex" for line in _tag_lines(name, value, names)]
    # The header is read back, since a name or a value may look like something else, such as a tag or a number.
    reader = HeaderReader("", 1)
    for line in lines:
        reader.read(line, 1)
    if not reader.faults and reader.finished() == data:
        return lines
    return [quoted_word(data)]


def _tag_lines(name: str, value: Json, players: Sequence[Json]) -> list[str]:
    group = next((word for word, member in GROUPS.items() if member == name), None)
    # Each line of a note is a comment of its own.
    if name == "note" and isinstance(value, str) and all(map(_is_comment, value.split("\n"))):
        return [f"# {line}" for line in value.split("\n")]
    if name == "players" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        # A comma would divide the name.
        names = (each if _is_plain(each) and "," not in each else quoted_word(each) for each in value)
        return [f"Players: {', '.join(names)}"]
    if name == "players" or (name in TAG_MEMBERS and isinstance(value, str)):
        return [f"{name.capitalize()}: {_text(value)}"]
    if group is not None and isinstance(value, dict) and value:
        return [_named_line(group, own, each, own in players) for own, each in value.items()]
    return [quoted_word({name: value})]


def _named_line(group: str, name: str, value: Json, is_player: bool) -> str:
    if group == "tag" and name in TAGS:
        return f"{name.capitalize()}: {_text(value)}"
    # A name that would be read as another tag, or as a line of a player, needs the word `Tag` before it.
    is_known = name.lower() in (*TAG_MEMBERS, *GROUPS, *TAGS, "players", "ludex")
    is_own = group == "tag" and is_word(name) and not is_known and not is_player
    called = name if is_own else f"{group.capitalize()} {name if is_word(name) else quoted_word(name)}"
    # A text that looks like a number is quoted, or it would be read as one.
    if group == "option":
        return f"{called}: {value if isinstance(value, str) and _is_no_literal(value) else quoted_word(value)}"
    # `is` finds out whether the text was taken as it is.
    return f"{called}: {_text(value)}"


def _is_no_literal(text: str) -> bool:
    return _is_plain(text) and _literal(text) is text


def _text(value: Json) -> str:
    """Write a value after the colon in a form that reads back unchanged."""
    # Blanks at the ends would be lost.
    return value if isinstance(value, str) and _is_plain(value) else quoted_word(value)


def _is_comment(text: str) -> bool:
    return text == text.strip() and text.isprintable()


def _is_plain(text: str) -> bool:
    return bool(text) and _is_comment(text) and not text.startswith('"') and _divided(text)[0] == text
