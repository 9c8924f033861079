"""The schema of a game's logs, and that the reader of logs takes exactly what it takes."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.interpreter.logs.record.event_lines import Entry, LineReader
from ludex.interpreter.logs.record.header import MEMBERS, read_header
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.spec import shipped_games, to_json, validator
from ludex.spec.values.types import BagOf, ListOf, Optional, PlayerType, SetOf, Type, values

from ..cases import cases
from ..once import game_once
from .log_games import CHANCES, ELEMENTS, MOVES, made_game

NAMES = ("Alyona", "Elena")
GAME = made_game()
READER = LineReader(GAME, NAMES)
SCHEMA = log_schema(GAME, NAMES)
TAKES = validator(SCHEMA)


def json_of(type_: Type) -> st.SearchStrategy[Any]:
    """The JSON of any value of the type."""
    match type_:
        case Optional(of=of):
            return st.none() | json_of(of)
        case SetOf(of=of):
            return st.lists(json_of(of), max_size=3, unique_by=json.dumps)
        case BagOf(of=of) | ListOf(of=of):
            return st.lists(json_of(of), max_size=3)
        case PlayerType():
            return st.sampled_from([1, 2])
        case _:
            return st.sampled_from([to_json(type_, value) for value in values(type_)])


PLAYERS = st.sampled_from([1, 2, "Alyona", "Elena"])


def written(type_: Type) -> st.SearchStrategy[Any]:
    return json_of(type_) | PLAYERS if isinstance(type_, PlayerType) else json_of(type_)


def moves() -> st.SearchStrategy[Any]:
    strategies = [
        st.fixed_dictionaries(
            {
                "player": PLAYERS,
                "action": st.just(name),
                "args": st.fixed_dictionaries({argument: written(type_) for argument, type_ in arguments}),
            },
            optional={"note": st.just("why not"), "claim": claims(), "clock": st.just("0:04:31")},
        )
        for name, arguments in MOVES.items()
    ]
    return st.one_of([*strategies, st.fixed_dictionaries({"player": PLAYERS, "action": st.just("decline")})])


def chances() -> st.SearchStrategy[Any]:
    strategies = [
        st.fixed_dictionaries(
            {"chance": st.just(path), "outcome": written(type_)},
            optional={"note": st.just(""), "via": st.just([0, 2]), "claim": claims()},
        )
        for path, type_ in CHANCES.items()
    ]
    return st.one_of(strategies)


def cells() -> st.SearchStrategy[Any]:
    strategies: list[st.SearchStrategy[Any]] = []
    for element in ELEMENTS:
        of: dict[str, st.SearchStrategy[Any]] = {"of": st.just(element.name)}
        if element.indices:
            of["at"] = st.tuples(*map(written, element.indices)).map(lambda indices: [*indices])
        if element.kind in ("bag", "pile"):
            holds = st.lists(json_of(element.type), max_size=3)
            strategies.append(st.fixed_dictionaries({**of, "is": holds}, optional={"size": st.integers(0, 9)}))
            strategies.append(st.fixed_dictionaries({**of, "size": st.integers(0, 9)}))
        else:
            value = json_of(element.type)
            strategies.append(
                st.fixed_dictionaries({**of, "is": st.none() | value if element.kind == "one" else value})
            )
    return st.one_of(strategies)


def claims() -> st.SearchStrategy[Any]:
    points = st.integers(-9, 99)
    return st.dictionaries(st.sampled_from(["scores", "winners", "terminal", "state"]), st.none(), min_size=1).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {
                name: {
                    "scores": st.lists(points, min_size=2, max_size=2)
                    | st.fixed_dictionaries({}, optional={"Alyona": points, "2": points}).filter(bool),
                    "winners": st.sampled_from([[], [1], ["Elena"], ["Alyona", 2]]),
                    "terminal": st.booleans(),
                    "state": st.lists(cells(), min_size=1, max_size=3),
                }[name]
                for name in chosen
            }
        )
    )


def results() -> st.SearchStrategy[Any]:
    """Results that the rules do not give, with the members that each may have."""
    winners = {"winners": st.sampled_from([[1], ["Elena"], [1, 2]])}
    losing = st.fixed_dictionaries({"by": st.sampled_from(["resigned", "time"]), "player": PLAYERS}, optional=winners)
    others = (
        st.fixed_dictionaries({"by": st.just("agreed")}, optional=winners),
        st.fixed_dictionaries({"by": st.just("adjudicated"), **winners}),
        st.just({"by": "abandoned"}),
    )
    return st.fixed_dictionaries({"result": st.one_of(losing, *others)}, optional={"note": st.just("late")})


LINES = results() | moves() | chances() | claims().map(lambda claim: {"claim": claim}) | st.just({"note": "x"})
ODD_ONES: tuple[Any, ...] = (
    *(None, True, 0, 1, 1.0, 1.5, -1, 10**19, "", "l01", "l99", "gain", "Alyona", "1", "unknown", [], {}, [1]),
    *(["l01", "l01"], {"level": 1, "col": 3}, {"level": 3, "col": 3}, "resigned", "0:99"),
    *({"gain": {"x": 2}}, {"gain": {"x": 9}}, {"gain": {"x": 2, "y": 1}}),
)
ODD: st.SearchStrategy[Any] = st.sampled_from(ODD_ONES).map(deepcopy)
NAMED = (
    *("player", "action", "args", "chance", "outcome", "via", "claim", "note", "ludex", "card", "of", "is", "at"),
    *("size", "scores", "winners", "terminal", "state", "level", "x", "Alyona", "2", "result", "by", "clock"),
)
WORDS = st.sampled_from(NAMED)


@st.composite
def damaged(draw: st.DrawFn, lines: st.SearchStrategy[Any]) -> Any:
    """A line with one or two changes anywhere in it."""
    line = json.loads(json.dumps(draw(lines)))
    for _ in range(draw(st.integers(1, 2))):
        holders = [line]
        for holder in holders:
            items = holder.values() if isinstance(holder, dict) else holder
            holders.extend(item for item in items if isinstance(item, dict | list))
        holder = draw(st.sampled_from(holders))
        change(draw, holder)
    return line


def change(draw: st.DrawFn, holder: Any) -> None:
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    how = draw(st.sampled_from(["drop", "put", "add"]))
    if how == "add" or not keys:
        if isinstance(holder, dict):
            holder[draw(WORDS)] = draw(ODD)
        else:
            holder.append(draw(ODD))
    elif how == "drop":
        del holder[draw(st.sampled_from(keys))]
    else:
        holder[draw(st.sampled_from(keys))] = draw(ODD)


def unsayable(line: Any) -> bool:
    """What a JSON Schema cannot say: one player named twice, in two ways."""
    seats = {"Alyona": 0, "Elena": 1, "1": 0, "2": 1, 1: 0, 2: 1}
    for holder, name in (("claim", "scores"), ("claim", "winners"), ("result", "winners")):
        held = line.get(holder) if isinstance(line, dict) else None
        named = held.get(name) if isinstance(held, dict) else None
        if isinstance(named, dict | list) and all(isinstance(item, str | int) for item in named):
            known = [seats.get(item, item) for item in named]
            if len(set(known)) < len(known) or (isinstance(named, dict) and not set(named) <= set(seats)):
                return True
    return False


def test_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:ludex:log:1:made:en:2:borrow:0123456789abcdef"


@pytest.mark.parametrize("game", shipped_games())
def test_every_shipped_game_has_a_schema(game: str) -> None:
    loaded = game_once(game)
    schema = log_schema(loaded)
    Draft202012Validator.check_schema(schema)
    assert validator(schema).is_valid({"ludex": 1, "game": game, "players": loaded.players})
    assert json.loads(json.dumps(schema)) == schema


@given(LINES)
def test_good_lines_are_read_and_taken(line: Any) -> None:
    assert isinstance(READER.read(line), Entry), READER.read(line)
    assert not list(TAKES.iter_errors(line))


@cases(600)
@given(damaged(LINES))
def test_reader_and_schema_agree(line: Any) -> None:
    if not isinstance(line, dict) or "ludex" in line or "events" in line or unsayable(line):
        return
    read = READER.read(line)
    assert isinstance(read, Entry) == TAKES.is_valid(line), read


@cases(600)
@given(LINES | damaged(LINES))
def test_the_fast_path_reads_what_is_read_in_full(line: Any) -> None:
    """`repr` too, since `True` and 1.0 equal 1."""
    if isinstance(line, dict):
        read, in_full = READER.read(line), READER.read_in_full(line)
        assert (read, repr(read)) == (in_full, repr(in_full))


GOOD_HEADER: dict[str, Any] = {
    "ludex": 1,
    "game": "made",
    "edition": "ru",
    "silence": "literal",
    "fingerprint": "00",
    "players": 2,
    "options": {"tiles": 2},
    "readings": {"refill": "later"},
    "tags": {"event": "Club evening", "date": "2026-11", "round": "3"},
    "ids": {"Alyona": "club:17"},
    "note": "at home",
}


@pytest.mark.parametrize("players", [2, 3, ["Alyona", "Elena"], ["Ася"]])
def test_good_headers(players: Any) -> None:
    header = {**GOOD_HEADER, "players": players}
    assert TAKES.is_valid(header)
    header_read, problems = read_header(header)
    assert not problems
    assert header_read is not None
    assert header_read.to_json() == header


@cases(300)
@given(
    st.sampled_from(MEMBERS),
    st.one_of(ODD, st.just(["A", "A"]), st.just(["A", "1"]), st.just(["A", " "]), st.just(...)),
)
def test_headers_agree_but_for_what_the_game_knows(name: str, value: Any) -> None:
    """The schema knows the game's editions, options and forks; `read_header` does not ask for them yet."""
    header: dict[str, Any] = {**GOOD_HEADER, name: value}
    if value is ...:
        del header[name]
    if name == "ludex" and value is ...:
        return
    _, problems = read_header(header)
    if problems:
        assert not TAKES.is_valid(header)
    elif name not in ("edition", "options", "readings", "players"):
        assert TAKES.is_valid(header)


def test_a_whole_log_in_either_form() -> None:
    move: dict[str, Any] = {"player": 1, "action": "roll"}
    assert TAKES.is_valid([GOOD_HEADER, move, move])
    assert TAKES.is_valid({**GOOD_HEADER, "events": [move]})
    assert not TAKES.is_valid([move])
    assert not TAKES.is_valid([GOOD_HEADER, GOOD_HEADER])
    assert not TAKES.is_valid({**GOOD_HEADER, "events": [{"player": 1, "action": "rol"}]})


def test_only_the_named_move_is_blamed() -> None:
    """A wrong argument of one move gives one error, none about other moves."""
    line: Any = {"player": 1, "action": "study", "args": {"card": "l99", "at": {"level": 1, "col": 1}}}
    (error,) = TAKES.iter_errors(line)
    assert list(error.absolute_path) == ["args", "card"]


def test_without_names_any_text_may_name_a_player() -> None:
    open_schema = validator(log_schema(GAME))
    assert open_schema.is_valid({"player": "Somebody", "action": "roll"})
    assert not TAKES.is_valid({"player": "Somebody", "action": "roll"})
