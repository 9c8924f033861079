"""The JSON Schema (2020-12) of a game's logs, made from its signatures of moves and chance events.

It accepts a line, a whole log as a list of lines, or the YAML form (a mapping with `events`). It dispatches on the
names in a line: one with `"action": "study"` is validated as that move alone, so that any validator reports the
relevant fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from ludex.spec import definitions, schema
from ludex.spec import model as m
from ludex.spec import types as t

from ...state.api_arguments import checked
from ...state.events import DECLINE
from ..record.claims import claim_type, has_size
from ..record.early_end import WAYS, allowed, demanded
from ..record.event_lines import CLOCK
from ..record.header import DATE, VERSION
from ..record.problems import UNKNOWN
from ..record.seating import is_player
from ..record.several_events import LARGEST_GAP, MOST_CARDS, ONLY_CHANCE

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NOTE: Schema = {"description": "A remark for the reader; nothing is judged by it.", "type": "string"}
NOTHING: Schema = {"not": {}}
NOT_SEEN: Schema = {"$ref": "#/$defs/unknown"}
CLAIM: Schema = {"$ref": "#/$defs/claim"}


@checked(game=m.Game)
def log_schema(game: m.Game, names: Iterable[str] = ()) -> Schema:
    """Make the schema of the game's logs. Without the players' names it accepts any text in place of a name."""
    player = _player_schema(game, tuple(names))
    return {
        "$schema": DIALECT,
        "$id": _identity(game),
        "title": f"A log of {game.name}, edition {game.edition}, {game.players} players",
        "description": "A whole log as a list of lines or as one object with `events`; or one line of a log.",
        "if": {"type": "array"},
        "then": {"$ref": "#/$defs/log"},
        "else": _by_member({"events": "document", "ludex": "header"}, {"$ref": "#/$defs/event"}),
        "$defs": {
            **definitions(_types(game)),
            "log": {
                "type": "array",
                "minItems": 1,
                "prefixItems": [{"$ref": "#/$defs/header"}],
                "items": {"$ref": "#/$defs/event"},
            },
            "header": _header_schema(game),
            "document": _document_schema(game),
            "player": player,
            "unknown": {"description": "The recorder could not see it.", "const": UNKNOWN},
            **_event_schemas(game),
            **_claim_schemas(game),
        },
    }


def _identity(game: m.Game) -> str:
    parts = ("ludex", "log", str(VERSION), game.name, game.edition, str(game.players), game.silence, game.fingerprint)
    return "urn:" + ":".join(quote(part, safe="") for part in parts if part)


def _types(game: m.Game) -> list[t.Type]:
    """List all types that a value in a log may have."""
    moves = (type_ for move in game.moves.values() for _, type_, _ in move.arguments)
    chances = (chance.outcome for chance in game.chances.values())
    elements = (type_ for element in game.elements for type_ in (*element.indices, element.type))
    options = (option.type for option in game.options)
    return [t.PlayerType(game.players), *moves, *chances, *elements, *options]


def _player_schema(game: m.Game, names: tuple[str, ...]) -> Schema:
    return {
        "description": "A player: the seat's number from 1, or the name that the header gives.",
        "anyOf": [schema(t.PlayerType(game.players)), {"enum": list(names)} if names else {"type": "string"}],
    }


def _value(type_: t.Type) -> Schema:
    """Make the schema of a value of the type, as `Table.value` reads it."""
    value = schema(type_, shared=True)
    return {"anyOf": [value, {"$ref": "#/$defs/player"}]} if is_player(type_) else value


def _stated(type_: t.Type) -> Schema:
    """Make the schema of what an event states, as `Table.stated` reads it: parts of it may be unknown."""
    made = _value(type_)
    if isinstance(type_, t.BagOf | t.ListOf):
        made = {**made, "items": {"anyOf": [made["items"], NOT_SEEN]}}
    return {"anyOf": [made, NOT_SEEN]}


def _object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _reference(name: str) -> Schema:
    pointer = name.replace("~", "~0").replace("/", "~1")
    return {"$ref": f"#/$defs/{quote(pointer)}"}


def _by_member(cases: Mapping[str, str], otherwise: Schema) -> Schema:
    """Dispatch to the definition that belongs to the first of these members that the object has."""
    for member, name in reversed(list(cases.items())):
        otherwise = {"if": {"required": [member]}, "then": _reference(name), "else": otherwise}
    return {"type": "object", **otherwise}


# ---- the header


def _header_members(game: m.Game) -> dict[str, Schema]:
    name = {"type": "string", "pattern": r"\S", "not": {"pattern": r"^\d+$"}}
    return {
        "ludex": {"description": "The version of the format.", "type": "integer", "const": VERSION},
        "game": {"type": "string"},
        "edition": {"enum": [*game.editions]} if game.editions else {"type": "string"},
        "silence": {"enum": ["borrow", "literal"]},
        "fingerprint": {"description": "Of the rules and the component data.", "type": "string"},
        "players": {
            "anyOf": [
                {"type": "integer", "enum": [*game.player_counts]},
                {"type": "array", "items": name, "minItems": 1, "uniqueItems": True},
            ]
        },
        "options": _object({option.name: schema(option.type, shared=True) for option in game.options}, ()),
        "readings": _object({fork.name: {"enum": [name for name, _ in fork.readings]} for fork in game.forks}, ()),
        "tags": {
            "description": "Where and when the game was played.",
            "type": "object",
            "properties": {"date": {"pattern": f"^({DATE})$"}},
            "additionalProperties": {"type": "string"},
        },
        "ids": {
            "description": "How a club or a site identifies the players, by name.",
            "type": "object",
            "additionalProperties": {"type": "string"},
        },
        "note": NOTE,
    }


def _header_schema(game: m.Game) -> Schema:
    return _object(_header_members(game), ("ludex", "game", "players"))


def _document_schema(game: m.Game) -> Schema:
    events = {"type": "array", "items": {"$ref": "#/$defs/event"}}
    return _object({**_header_members(game), "events": events}, ("ludex", "game", "players"))


# ---- events


def _event_schemas(game: m.Game) -> dict[str, Schema]:
    cases = {"action": "move", "chance": "chance", "deal": "deal", "gap": "gap", "player": "move", "args": "move"}
    cases |= {"outcome": "chance", "via": "chance", "to": "deal", "cards": "deal", "result": "result"}
    remark: Schema = {
        "properties": {"claim": CLAIM, "note": NOTE},
        "anyOf": [{"required": ["claim"]}, {"required": ["note"]}],
        "additionalProperties": False,
    }
    moves = {name: tuple((arg, type_) for arg, type_, _ in move.arguments) for name, move in game.moves.items()}
    moves.setdefault(DECLINE, ())
    moves.setdefault(UNKNOWN, ())
    return {
        "event": _by_member(cases, remark),
        "result": _result_schema(game.players),
        "move": _by_name("action", "move", moves),
        **{f"move.{name}": _move_schema(name, arguments) for name, arguments in moves.items()},
        "chance": _by_name("chance", "chance", game.chances),
        **{f"chance.{path}": _chance_schema(path, chance.outcome) for path, chance in game.chances.items()},
        "deal": _by_name("deal", "deal", game.chances),
        **{f"deal.{path}": _deal_schema(path, chance.outcome) for path, chance in game.chances.items()},
        "gap": _object({"gap": _GAP, "claim": CLAIM, "note": NOTE}, ("gap",)),
    }


def _by_name(member: str, prefix: str, names: Iterable[str]) -> Schema:
    """Dispatch to the definition that a member of the object names."""
    known = list(names)
    if not known:
        return NOTHING
    named = {name: {"properties": {member: {"const": name}}, "required": [member]} for name in known}
    return {
        "type": "object",
        "properties": {member: {"enum": known}},
        "required": [member],
        "allOf": [{"if": named[name], "then": _reference(f"{prefix}.{name}")} for name in known],
    }


def _move_schema(name: str, arguments: tuple[tuple[str, t.Type], ...]) -> Schema:
    members: dict[str, Schema] = {
        "player": {"$ref": "#/$defs/player"},
        "action": {"const": name},
        "args": _object({argument: _stated(type_) for argument, type_ in arguments}, (name for name, _ in arguments)),
        "claim": CLAIM,
        "clock": {"description": "What the player's clock shows.", "type": "string", "pattern": f"^{CLOCK}$"},
        "note": NOTE,
    }
    return _object(members, ("player", "action", "args") if arguments else ("player", "action"))


def _chance_schema(path: str, outcome: t.Type) -> Schema:
    pools = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}
    members: dict[str, Schema] = {
        "chance": {"const": path},
        "outcome": _stated(outcome),
        "via": {"description": "The pools a piece came through; almost never needed.", **pools},
        "claim": CLAIM,
        "note": NOTE,
    }
    return _object(members, ("chance", "outcome"))


def _deal_schema(path: str, outcome: t.Type) -> Schema:
    members: dict[str, Schema] = {
        "deal": {"const": path},
        "to": {"$ref": "#/$defs/player"},
        "cards": {"type": "array", "items": _stated(outcome), "minItems": 1, "maxItems": MOST_CARDS},
        "claim": CLAIM,
        "note": NOTE,
    }
    return _object(members, ("deal", "cards"))


_GAP: Schema = {
    "description": "Events that were not recorded: how many, or whether only chance events are missing.",
    "anyOf": [{"enum": [True, ONLY_CHANCE]}, {"type": "integer", "minimum": 1, "maximum": LARGEST_GAP}],
}


def _result_schema(players: int) -> Schema:
    """Make the schema of a line with a result that the rules do not give."""
    winners = {"type": "array", "items": {"$ref": "#/$defs/player"}, "minItems": 1, "uniqueItems": True}
    known: dict[str, Schema] = {"player": {"$ref": "#/$defs/player"}, "winners": winners}
    ways = [
        _object({"by": {"const": by}, **{name: known[name] for name in allowed(by)}}, ("by", *demanded(by, players)))
        for by in WAYS
    ]
    result: Schema = {"description": "How the players ended the game before the rules did.", "anyOf": ways}
    return _object({"result": result, "claim": CLAIM, "note": NOTE}, ("result",))


# ---- claims


def _claim_schemas(game: m.Game) -> dict[str, Schema]:
    points: Schema = {"type": "integer"}
    count = game.players
    members: dict[str, Schema] = {
        "scores": {
            "description": "By seat, or by player's name or seat number.",
            "anyOf": [
                {"type": "array", "items": points, "minItems": count, "maxItems": count},
                {"type": "object", "additionalProperties": points, "minProperties": 1},
            ],
        },
        "winners": {"type": "array", "items": {"$ref": "#/$defs/player"}, "uniqueItems": True},
        "terminal": {"type": "boolean"},
        "state": {"type": "array", "items": _by_name("of", "state", game.element), "minItems": 1},
    }
    claim = {"description": "About the state after this line.", **_object(members, ()), "minProperties": 1}
    return {"claim": claim, **{f"state.{element.name}": _cell_schema(element) for element in game.elements}}


def _cell_schema(element: m.Element) -> Schema:
    indices = [_value(type_) for type_ in element.indices]
    at: Schema = {"type": "array", "minItems": len(indices), "maxItems": len(indices)}
    members: dict[str, Schema] = {
        "of": {"const": element.name},
        "at": {**at, "prefixItems": indices} if indices else at,
        "is": _value(claim_type(element)),
    }
    if has_size(element):
        members["size"] = {"type": "integer", "minimum": 0}
    cell = _object(members, ("of", "at") if indices else ("of",))
    return {**cell, "anyOf": [{"required": ["is"]}, {"required": ["size"]}]}
