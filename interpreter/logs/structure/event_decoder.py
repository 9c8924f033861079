"""Decoder of the events of one game: a line of JSON becomes an event in one pass, by types made from its signatures.

msgspec checks the members and their types while it decodes a line into an object of the class that is made for the
action. The class has a compiled function that makes the event of such an object. What is not decoded here may be a
good line nevertheless, such as one with a claim, or with something unknown: `LineReader.read_in_full` judges those.

Of several members with one name msgspec takes the last one. Then the line has more quotation marks than the object
explains, so these are compared. No line has fewer, and an escaped one is one more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from ludex.grammar import Json
from ludex.spec import JsonFault, from_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...state.events import DECLINE, ChanceEvent, Event, Move
from .problems import CLOCK

CHANCE = b'{"chance"'
"""The beginning of a line with a chance event, as Ludex writes it."""
_LARGEST = 2**63
"""msgspec compares numbers with limits below this one."""
# Any of these means only that the slow reader has to read the line, and to report what is wrong.
UNREAD = (LookupError, TypeError, ValueError, RecursionError)

# msgspec searches for a pattern, so the ends must be in it.
_CLOCK = Annotated[str, msgspec.Meta(pattern=rf"\A{CLOCK}\Z")]

Fields: TypeAlias = Sequence[tuple[str, t.Type]]
Seats: TypeAlias = Mapping[int | str, int]
"""The seats, from 0, by what a log calls the players: numbers from 1, and names."""


class EventDecoder:
    """Decodes the lines of one game's logs that hold an event, all of it known, and beside it remarks at most."""

    def __init__(self, game: m.Game) -> None:
        classes = _Classes()
        arguments = {name: [(each, of) for each, of, _ in move.arguments] for name, move in game.moves.items()}
        moves = [classes.move(name, each) for name, each in {DECLINE: [], **arguments}.items()]
        chances = [classes.chance(path, chance.outcome) for path, chance in game.chances.items()]
        self._move = msgspec.json.Decoder(reduce(or_, moves)).decode
        self._chance = msgspec.json.Decoder(reduce(or_, chances, None)).decode

    def decode(self, line: bytes, seats: Seats) -> Event | None:
        """Decode a line; None if it is not of this kind, or not good."""
        try:
            content = (self._chance if line.startswith(CHANCE) else self._move)(line)
            # A member that is there twice is seen by its quotation marks only, since msgspec takes the last one.
            event: Event | None = content.event(seats, line.count(b'"'))
        except UNREAD:
            return None
        return event

    def read(self, data: Mapping[str, Json], seats: Seats) -> Event | None:
        """Read data as `decode` reads a line."""
        try:
            # A line from YAML has no bytes of its own, so it is encoded for the decoder.
            line = msgspec.json.encode(data)
        except (ValueError, TypeError, RecursionError, OverflowError):
            return None
        return self.decode(line, seats)


# ---- classes, and the expressions of their functions ----------------------------------------------------------------


class _Part(NamedTuple):
    """The decoder of a value.

    Attributes:
        of: its type, for msgspec.
        value: an expression of the value; `@` is in the place of what was decoded.
        quotes: an expression of how many quotation marks its JSON has.
    """

    of: Any
    value: str = "@"
    quotes: str = "0"

    def at(self, text: str) -> _Part:
        return _Part(self.of, self.value.replace("@", text), self.quotes.replace("@", text))


class _Classes:
    """Makes the classes of one game.

    Attributes:
        constants: what the expressions name.
        records: parts that were made for records, by the identity of the type.
    """

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {"UNSET": UNSET, "new_tuple": tuple.__new__}
        self.constants |= {"in_order": t.in_order, "as_set": _as_set, "as_usual": _as_usual, "quotes_in": _quotes_in}
        self.records: dict[int, _Part] = {}

    def move(self, name: str, arguments: Fields) -> Any:
        """Make the class of the moves of an action."""
        of, values, quotes = self._object(arguments, "it.args")
        names = [self._constant(argument) for argument, _ in arguments]
        pairs = "".join(f"({each}, {value}), " for each, value in zip(names, values, strict=True))
        event = "seats[it.player]", self._constant(name), f"({pairs})"
        beside = "2 * (it.player.__class__ is str) + 4 * (it.clock is not UNSET)"
        members = [("player", int | str), *([("args", of)] if arguments else []), ("clock", _CLOCK | UnsetType, UNSET)]
        return self._line(
            Move, event, ("action", name), members, _sum("6", beside, *(["2", quotes] if arguments else []))
        )

    def chance(self, path: str, outcome: t.Type) -> Any:
        """Make the class of the chance events of a clause."""
        of, value, quotes = self._part(outcome).at("it.outcome")
        event = self._constant(path), value, "None"
        return self._line(ChanceEvent, event, ("chance", path), [("outcome", of)], _sum("6", quotes))

    def _line(
        self, event: type[Event], values: tuple[str, str, str], tag: tuple[str, str], members: list[Any], quotes: str
    ) -> Any:
        """Make the class of lines with an event.

        Args:
            values: the expressions of the event's attributes, in order.
            tag: the member that says which event it is, and its value.
            members: the other members.
            quotes: the expression of the number of quotation marks.
        """
        lines = [
            "def event(it, seats, quotes):",
            f"    if quotes != {quotes} + 4 * (it.note is not UNSET): return None",
            # An event as good as these needs no checks, and `_make` would count its values.
            f"    return new_tuple({self._constant(event)}, ({', '.join(values)}))",
        ]
        functions: dict[str, Any] = {}
        # Names and values of the game are in it as constants only (`c7`), so none of them is run.
        exec("\n".join(lines), self.constants, functions)  # noqa: S102 - all of the text is ours
        # Every line may have a note.
        members.append(("note", str | UnsetType, UNSET))
        return _struct(members, tag_field=tag[0], tag=tag[1], namespace=functions)

    def _object(self, fields: Fields, text: str) -> tuple[Any, list[str], str]:
        """Make the class of an object with these fields; the text is an expression of the object.

        Returns the class, and the expressions of the values and of the number of quotation marks.
        """
        parts = [self._part(of).at(f"{text}.f{at}") for at, (_, of) in enumerate(fields)]
        # A name of the game may be a word of Python, or one that msgspec needs.
        names = {f"f{at}": name for at, (name, _) in enumerate(fields)}
        of = _struct([(name, part.of) for name, part in zip(names, parts, strict=True)], rename=names)
        return of, [part.value for part in parts], _sum(str(2 * len(parts)), *(part.quotes for part in parts))

    def _part(self, type_: t.Type) -> _Part:
        match type_:
            case t.Bool():
                return _Part(bool)
            # msgspec refuses larger limits, so such a number goes the usual way.
            case t.Range(low=low, high=high) if -_LARGEST < low <= high < _LARGEST:
                return _Part(Annotated[int, msgspec.Meta(ge=low, le=high)])
            case t.PlayerType(count=count):
                # Players count from 1 in a log and from 0 in the engine.
                return _Part(Annotated[int, msgspec.Meta(ge=1, le=count)], "@ - 1")
            case t.ComponentType(positions=positions):
                return _Part(str, f"{self._constant(positions)}[@]", "2")
            # A word that carries data is not a plain text in JSON, and goes the usual way.
            case t.Words() if type_.plain:
                words = {name: position for (name, _), position in type_.positions.items()}
                return _Part(str, f"{self._constant(words)}[@]", "2")
            case t.Record():
                return self._record(type_)
            case t.Optional(of=inner):
                of, value, quotes = self._part(inner)
                # An absent value is `null`, which has no quotation marks.
                marks = quotes if quotes == "0" else f"(0 if @ is None else {quotes})"
                return _Part(of | None, value if value == "@" else f"(None if @ is None else {value})", marks)
            case t.SetOf() | t.BagOf() | t.ListOf():
                return self._items(type_)
            case _:
                return _Part(Any, f"as_usual({self._constant(type_)}, @)", "quotes_in(@)")

    def _record(self, type_: t.Record) -> _Part:
        # Many arguments have one record type, and a class takes long to make.
        if id(type_) not in self.records:
            of, values, quotes = self._object(type_.fields, "@")
            # The trailing comma makes a key of one field a tuple.
            value = f"{self._constant(type_.positions)}[{', '.join(values)},]"
            self.records[id(type_)] = _Part(of, value, quotes)
        return self.records[id(type_)]

    def _items(self, type_: t.Collection) -> _Part:
        of, value, quotes = self._part(type_.of).at("x")
        items = f"[{value} for x in @]" if value != "x" else "@"
        match type_:
            case t.SetOf():
                value = f"as_set({items})"
            case t.BagOf():
                value = f"tuple(in_order({self._constant(type_.of)}, {items}))"
            case _:
                value = f"tuple({items})"
        marks = f"{quotes} * len(@)" if quotes.isdigit() else f"sum([{quotes} for x in @])"
        return _Part(list[of], value, quotes if quotes == "0" else marks)  # type: ignore[valid-type]

    def _constant(self, value: object) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name


def _struct(fields: list[Any], **options: Any) -> Any:
    # The garbage collector need not look at them, since they live no longer than a line and hold no cycles.
    return msgspec.defstruct("Decoded", fields, kw_only=True, forbid_unknown_fields=True, gc=False, **options)


def _sum(*texts: str) -> str:
    """Return the expression of a sum, with the known numbers added up."""
    others = [text for text in texts if not text.isdigit()]
    total = str(sum(int(text) for text in texts if text.isdigit()))
    return f"({' + '.join([total, *others])})" if others else total


def _as_set(items: list[t.Value]) -> frozenset[t.Value]:
    """Return the set of the items. Raises ValueError for an item that is there twice."""
    values = frozenset(items)
    if len(values) < len(items):
        raise ValueError
    return values


def _as_usual(type_: t.Type, data: Json) -> t.Value:
    """Read a value for which no class is made. Raises ValueError if it does not have the type."""
    value = from_json(type_, data)
    if isinstance(value, JsonFault):
        raise ValueError
    return value


def _quotes_in(data: Json) -> int:
    """Count the quotation marks of plain data."""
    match data:
        case str():
            return 2
        case dict():
            # A name of a member has two quotation marks.
            return sum(2 + _quotes_in(item) for item in data.values())
        case list():
            return sum(map(_quotes_in, data))
        case _:
            return 0
