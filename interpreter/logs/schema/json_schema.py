"""The JSON Schema (2020-12) of a game's logs, made from its signatures of moves and chance events.

It is the schema of one table: its header names this edition, so many players, these options and readings. It accepts a
line, a whole log as a list of lines, or the YAML form (a mapping with `events`). It dispatches on the names in a line:
one with `"action": "study"` is validated as that move alone, so that any validator reports the relevant fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from ludex.grammar import languages, shown_value
from ludex.spec import JsonSchema, schema, to_json
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.written_values import WrittenValues
from ...state.api_arguments import checked, checked_names
from ...state.events import DECLINE
from ..record import MAX_DIGITS, TAGS, VERSION
from ..structure import (
    CLOCK,
    DATE,
    EARLY_ENDS,
    LARGEST_GAP,
    MOST_CARDS,
    ONLY_CHANCE,
    SILENCES,
    UNKNOWN_WORD,
    allowed_members,
    claim_type,
    demanded_members,
    has_size,
    is_player,
)
from .schema_words import SchemaWords

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_LARGEST = 10**MAX_DIGITS - 1
"""The largest number that a log may hold. A bound keeps out 1e30, which the standard counts as a whole number."""
TEXT: JsonSchema = {"type": "string"}
_NOTHING: JsonSchema = {"not": {}}
NO_BLANK = r"[^\t-\r\u001c- \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""A character that is not a blank, by the same list in every engine of regular expressions."""
NAME: JsonSchema = {**TEXT, "pattern": NO_BLANK, "allOf": [{"pattern": "[^0-9]"}]}
"""A player's name: no blank text, and no number, which would be a seat."""


@checked(game=m.Game, language=str)
def log_schema(game: m.Game, names: Sequence[str] = (), language: str | None = None) -> JsonSchema:
    """Make the schema of the game's logs.

    Args:
        names: the players' names by seat; without them it accepts any name.
        language: titles and descriptions are in this language; None: there are descriptions in English, and no titles.

    Raises ValueError for names that are not one for each player, and for a language of neither the game nor Ludex.
    """
    known = dict.fromkeys((*game.languages, *languages()))
    if language is not None and language not in known:
        raise ValueError(f"{game.name} has no words in {shown_value(language)}; it has {', '.join(known)}")
    return _LogSchema(game, checked_names(names, game.players), SchemaWords(game, language)).whole()


def _form(pattern: str) -> JsonSchema:
    """Return the schema of texts of this form. A `$` alone would let a line end pass in some engines."""
    return {**TEXT, "pattern": f"^({pattern})$", "not": {"pattern": r"\n"}}


def _object(properties: Mapping[str, JsonSchema], required: Iterable[str]) -> JsonSchema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        # The reader refuses unknown members, too (L422, L442): they might matter.
        "additionalProperties": False,
    }


def _reference(name: str) -> JsonSchema:
    # The name of a move may hold any sign of JSON Pointer and of addresses.
    pointer = name.replace("~", "~0").replace("/", "~1")
    return {"$ref": f"#/$defs/{quote(pointer)}"}


def _having(member: str) -> JsonSchema:
    """Require a member. It is named as a property too, as strict validators want of each that is required."""
    return {"properties": {member: True}, "required": [member]}


def _by_member(cases: Mapping[str, str], otherwise: JsonSchema) -> JsonSchema:
    """Dispatch to the definition that belongs to the first of these members that the object has."""
    # The cases are nested from the last to the first, so that the first member is tested first.
    for member, name in reversed(list(cases.items())):
        otherwise = {"if": _having(member), "then": _reference(name), "else": otherwise}
    return {"type": "object", **otherwise}


class _LogSchema:
    """The parts of one game's schema. names: the players' names; () if they are not known."""

    def __init__(self, game: m.Game, names: tuple[str, ...], words: SchemaWords) -> None:
        self.game, self.names, self.words = game, names, words
        self.texts = WrittenValues(game).texts
        self.moves: dict[str, Sequence[tuple[str, t.Type]]] = {
            name: [(argument, type_) for argument, type_, _ in move.arguments] for name, move in game.moves.items()
        }
        # A game may have an action of this name, with arguments of its own.
        self.moves.setdefault(DECLINE, ())
        self.moves.setdefault(UNKNOWN_WORD, ())

    def whole(self) -> JsonSchema:
        return {
            "$schema": DIALECT,
            "$id": self._identity(),
            "title": self.words.log_title(),
            "description": self.words.about("log"),
            # A list is a whole log. An object is a log if it has events, a header if it has a version, else a line.
            "if": {"type": "array"},
            "then": _reference("log"),
            "else": _by_member({"events": "document", "ludex": "header"}, _reference("event")),
            "$defs": {
                **self.words.described(self._types(), self.texts),
                "log": {
                    "type": "array",
                    "minItems": 1,
                    "prefixItems": [_reference("header")],
                    "items": _reference("event"),
                },
                "header": _object(self._header(), self._required_in_header()),
                "document": _object({**self._header(), "events": self._events()}, self._required_in_header()),
                "player": self._player(),
                "unknown": {"description": self.words.about("unknown"), "const": UNKNOWN_WORD},
                **self._event_schemas(),
                **self._claim_schemas(),
            },
        }

    def _identity(self) -> str:
        """Return the URN of the schema, with all settings that affect validity."""
        # Validators keep schemas by their URN, and may refuse two of one identity.
        game = self.game
        table = (game.name, game.edition, str(game.players), game.silence, game.fingerprint)
        options = (f"{each.name}={json.dumps(to_json(each.type, each.value))}" for each in self._unusual_options())
        readings = (f"{fork.name}={fork.chosen}" for fork in self._unusual_forks())
        names = (f"player={name}" for name in self.names)
        parts = ("ludex", "log", str(VERSION), *table, *options, *readings, *names)
        return "urn:" + ":".join(quote(part, safe="=") for part in parts if part)

    def _types(self) -> list[t.Type]:
        """List all types that a value in a log may have."""
        game = self.game
        moves = (type_ for move in game.moves.values() for _, type_, _ in move.arguments)
        chances = (chance.outcome for chance in game.chances.values())
        elements = (type_ for element in game.elements for type_ in (*element.indices, element.type))
        return [t.PlayerType(game.players), *moves, *chances, *elements]

    def _player(self) -> JsonSchema:
        name: JsonSchema = {"enum": list(self.names)} if self.names else NAME
        return {
            **self.words.member("player"),
            "anyOf": [schema(t.PlayerType(self.game.players)), name],
        }

    def _value(self, type_: t.Type) -> JsonSchema:
        """Make the schema of a value of the type, as `Table.value` reads it."""
        value = schema(type_, shared=True, texts=self.texts)
        return {"anyOf": [value, _reference("player")]} if is_player(type_) else value

    def _stated(self, type_: t.Type) -> JsonSchema:
        """Make the schema of what an event states, as `Table.stated` reads it: parts of it may be unknown."""
        made = self._value(type_)
        if isinstance(type_, t.BagOf | t.ListOf):
            made = {**made, "items": {"anyOf": [made["items"], _reference("unknown")]}}
        return {"anyOf": [made, _reference("unknown")]}

    # ---- the header

    def _header(self) -> dict[str, JsonSchema]:
        game = self.game
        made: dict[str, JsonSchema] = {
            "ludex": {"type": "integer", "const": VERSION},
            # Any path may lead to this game.
            "game": {"anyOf": [{"const": game.name}, {**TEXT, "pattern": r"[/\\]"}, _form(r".*\.ludex")]},
            "edition": {"const": game.edition} if game.editions else TEXT,
            "silence": {"const": game.silence},
            "fingerprint": TEXT,
            "players": self._players(),
            "options": _object(
                {each.name: {"const": to_json(each.type, each.value)} for each in game.options},
                [option.name for option in self._unusual_options()],
            ),
            "readings": _object(
                {fork.name: {"const": fork.chosen} for fork in game.forks},
                [fork.name for fork in self._unusual_forks()],
            ),
            "tags": {"type": "object", "properties": self._tags(), "additionalProperties": TEXT},
            "ids": {"type": "object", "propertyNames": self._player_as_name(), "additionalProperties": TEXT},
            "note": TEXT,
            "from": {"anyOf": [TEXT, self._position_members()]},
        }
        return {name: {**self.words.member(name), **each} for name, each in made.items()}

    def _tags(self) -> dict[str, JsonSchema]:
        """Make the schemas of the tags that Ludex knows. Any other name is a tag, too."""
        return {tag: {**self.words.tag(tag), **(_form(DATE) if tag == "date" else TEXT)} for tag in TAGS}

    def _players(self) -> JsonSchema:
        count = self.game.players
        listed: JsonSchema = {"type": "array", "items": NAME, "minItems": count, "maxItems": count, "uniqueItems": True}
        if self.names:
            return {"const": list(self.names)}
        return {"anyOf": [{"type": "integer", "const": count}, listed]}

    def _unusual_options(self) -> list[m.OptionSetting]:
        """List the options that the header must name: those that are not at their defaults."""
        return [option for option in self.game.options if option.value != option.default]

    def _unusual_forks(self) -> list[m.Fork]:
        return [fork for fork in self.game.forks if fork.chosen != fork.default]

    def _required_in_header(self) -> list[str]:
        game = self.game
        settings = {
            "edition": bool(game.editions) and game.edition != game.editions[0],
            "silence": game.silence != SILENCES[0],
            "options": bool(self._unusual_options()),
            "readings": bool(self._unusual_forks()),
        }
        return ["ludex", "game", "players", *(name for name, is_needed in settings.items() if is_needed)]

    def _events(self) -> JsonSchema:
        return {**self.words.member("events"), "type": "array", "items": _reference("event")}

    # ---- events

    def _event_schemas(self) -> dict[str, JsonSchema]:
        # A line without the member that names its kind is recognised by its
        # others, so that this member is missed in it.
        cases = {"action": "move", "chance": "chance", "deal": "deal", "gap": "gap", "player": "move", "args": "move"}
        cases |= {"outcome": "chance", "via": "chance", "to": "deal", "cards": "deal", "position": "position"}
        cases |= {"result": "result"}
        remark: JsonSchema = {
            "properties": self._remarks(),
            "anyOf": [_having("claim"), _having("note")],
            "additionalProperties": False,
        }
        # An editor offers these names in a line that is still empty. The branches below say what they hold.
        names = (
            "player",
            "action",
            "args",
            "clock",
            "chance",
            "outcome",
            "via",
            "deal",
            "to",
            "cards",
            "gap",
            "position",
            "result",
        )
        offered = {name: self.words.member(name) for name in (*names, "claim", "note")}
        chances = self.game.chances
        return {
            "event": {"properties": offered, **_by_member(cases, remark)},
            "result": self._result(),
            "move": self._by_name("action", "move", self.moves),
            **{f"move.{name}": self._move(name, arguments) for name, arguments in self.moves.items()},
            "chance": self._by_name("chance", "chance", chances),
            **{f"chance.{path}": self._chance(path, chance.outcome) for path, chance in chances.items()},
            "deal": self._by_name("deal", "deal", chances),
            **{f"deal.{path}": self._deal(path, chance.outcome) for path, chance in chances.items()},
            "gap": _object({"gap": self._gap(), **self._remarks()}, ("gap",)),
            "position": _object({"position": self._position(), **self._remarks()}, ("position",)),
        }

    def _remarks(self) -> dict[str, JsonSchema]:
        return {"claim": _reference("claim"), "note": {**self.words.member("note"), **TEXT}}

    def _by_name(self, member: str, prefix: str, names: Iterable[str]) -> JsonSchema:
        """Dispatch to the definition that a member of the object names."""
        known = list(names)
        if not known:
            return _NOTHING
        named = {name: {"properties": {member: {"const": name}}, "required": [member]} for name in known}
        return {
            "type": "object",
            "properties": {member: {**self.words.member(member), "enum": known, **self.words.each(member, known)}},
            "required": [member],
            # With `oneOf`, a validator would report the faults of every branch and not only those of the named one.
            "allOf": [{"if": named[name], "then": _reference(f"{prefix}.{name}")} for name in known],
        }

    def _move(self, name: str, arguments: Sequence[tuple[str, t.Type]]) -> JsonSchema:
        stated = {
            argument: {**self.words.thing(f"{name}.{argument}", type_), **self._stated(type_)}
            for argument, type_ in arguments
        }
        members: dict[str, JsonSchema] = {
            "player": _reference("player"),
            "action": {**self.words.action(name), "const": name},
            "args": {**self.words.member("args"), **_object(stated, stated)},
            "clock": {**self.words.member("clock"), **_form(CLOCK)},
            **self._remarks(),
        }
        return _object(members, ("player", "action", "args") if arguments else ("player", "action"))

    def _chance(self, path: str, outcome: t.Type) -> JsonSchema:
        pools: JsonSchema = {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": _LARGEST},
            "minItems": 1,
        }
        members: dict[str, JsonSchema] = {
            "chance": {**self.words.chance(path), "const": path},
            "outcome": {**self.words.thing(path, outcome), **self._stated(outcome)},
            "via": {**self.words.member("via"), **pools},
            **self._remarks(),
        }
        return _object(members, ("chance", "outcome"))

    def _deal(self, path: str, outcome: t.Type) -> JsonSchema:
        """Make the schema of a line with several pieces that one clause deals."""
        cards: JsonSchema = {"type": "array", "items": self._stated(outcome), "minItems": 1, "maxItems": MOST_CARDS}
        members: dict[str, JsonSchema] = {
            "deal": {**self.words.chance(path), "const": path},
            "to": _reference("player"),
            "cards": {**self.words.member("cards"), **cards},
            **self._remarks(),
        }
        return _object(members, ("deal", "cards"))

    def _gap(self) -> JsonSchema:
        count: JsonSchema = {"type": "integer", "minimum": 1, "maximum": LARGEST_GAP}
        return {**self.words.member("gap"), "anyOf": [{"enum": [True, ONLY_CHANCE]}, count]}

    def _position(self) -> JsonSchema:
        return {**self.words.member("position"), **self._position_members()}

    def _position_members(self) -> JsonSchema:
        """Make the schema of a position, as far as it does not rest on the state: boards and places have a grammar."""
        contents = {element.name: True for element in self.game.elements}
        members: dict[str, JsonSchema] = {
            "state": {"type": "object", "properties": contents, "additionalProperties": False},
            "unseen": {"type": "array"},
            "flow": {"anyOf": [TEXT, {"type": "object"}, {"type": "array", "minItems": 1}]},
        }
        return {**_object(members, ()), "minProperties": 1}

    def _result(self) -> JsonSchema:
        """Make the schema of a line with a result that the rules do not give."""
        winners = {"type": "array", "items": _reference("player"), "minItems": 1, "uniqueItems": True}
        known: dict[str, JsonSchema] = {
            "player": _reference("player"),
            "winners": {**self.words.member("winners"), **winners},
        }
        ways = []
        for by in EARLY_ENDS:
            members = {"by": {**self.words.early_end(by), "const": by}}
            members |= {name: known[name] for name in allowed_members(by)}
            ways.append(_object(members, ("by", *demanded_members(by, self.game.players))))
        return _object({"result": {**self.words.member("result"), "anyOf": ways}, **self._remarks()}, ("result",))

    # ---- claims

    def _claim_schemas(self) -> dict[str, JsonSchema]:
        points: JsonSchema = {"type": "integer", "minimum": -_LARGEST, "maximum": _LARGEST}
        count, elements = self.game.players, self.game.elements
        scores: JsonSchema = {
            "anyOf": [
                {"type": "array", "items": points, "minItems": count, "maxItems": count},
                {
                    "type": "object",
                    "propertyNames": self._player_as_name(),
                    "additionalProperties": points,
                    "minProperties": 1,
                },
            ]
        }
        members: dict[str, JsonSchema] = {
            "scores": scores,
            "winners": {"type": "array", "items": _reference("player"), "uniqueItems": True},
            "terminal": {"type": "boolean"},
            "state": {"type": "array", "items": self._by_name("of", "state", self.game.element), "minItems": 1},
        }
        described = {name: {**self.words.member(name), **each} for name, each in members.items()}
        return {
            "claim": {**self.words.member("claim"), **_object(described, ()), "minProperties": 1},
            **{f"state.{element.name}": self._cell(element) for element in elements},
        }

    def _player_as_name(self) -> JsonSchema:
        """Make the schema of a player as a member's name, where a seat's number is a text."""
        seats: JsonSchema = {"enum": [*map(str, range(1, self.game.players + 1)), *self.names]}
        return seats if self.names else {"anyOf": [seats, NAME]}

    def _cell(self, element: m.Element) -> JsonSchema:
        indices = [self._value(type_) for type_ in element.indices]
        at: JsonSchema = {"type": "array", "minItems": len(indices), "maxItems": len(indices)}
        holds = claim_type(element)
        members: dict[str, JsonSchema] = {
            "of": {"const": element.name},
            # The standard does not allow an empty `prefixItems`.
            "at": {**self.words.member("at"), **at, **({"prefixItems": indices} if indices else {})},
            "is": {**self.words.thing(element.name, holds), **self._value(holds)},
        }
        if has_size(element):
            members["size"] = {**self.words.member("size"), "type": "integer", "minimum": 0, "maximum": _LARGEST}
        cell = _object(members, ("of", "at") if indices else ("of",))
        return {**cell, "anyOf": [_having("is"), _having("size")]}
