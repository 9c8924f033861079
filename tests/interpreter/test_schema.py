"""The JSON Schema of a game's logs accepts exactly what the log reader accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from types import NoneType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.grammar import languages
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.interpreter.logs.structure.event_lines import Entry, LineReader
from ludex.interpreter.logs.structure.header import DATE, HEADER_MEMBERS, header_of, read_log_header
from ludex.interpreter.logs.structure.problems import Problem
from ludex.spec import shipped_games, validator

from ..cases import cases
from ..once import game_once
from .log_games import NAMES, made_game
from .log_lines import LINES, ODD, damaged, unsayable

GAME = made_game()
READER = LineReader(GAME, NAMES)
SCHEMA = log_schema(GAME, NAMES)
TAKES = validator(SCHEMA)


def test_the_schema_of_logs_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    names = ":".join(f"player={name}" for name in NAMES)
    assert SCHEMA["$id"] == f"urn:ludex:log:1:made:en:2:borrow:0123456789abcdef:{names}"


def test_schemas_that_differ_have_other_identities() -> None:
    tables = [game_once("breakthrough"), game_once("breakthrough", options={"size": 6})]
    schemas = [log_schema(game, *more) for game in tables for more in ((), (("Anna", "Boris"),))]
    assert len({schema["$id"] for schema in schemas}) == len(schemas)


@pytest.mark.drawn(4)
@pytest.mark.parametrize("game", shipped_games())
def test_every_shipped_game_has_a_schema(game: str) -> None:
    loaded = game_once(game)
    schema = log_schema(loaded)
    Draft202012Validator.check_schema(schema)
    assert validator(schema).is_valid({"ludex": 1, "game": game, "players": loaded.players})
    assert json.loads(json.dumps(schema)) == schema


@given(LINES)
def test_good_lines_are_accepted_by_both(line: Any) -> None:
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
@example({"result": {"by": "abandoned"}, "action": None})
def test_the_fast_decoder_gives_the_results_of_the_full_reader(line: Any) -> None:
    """`repr` is compared too, since `True` and 1.0 equal 1."""
    if isinstance(line, dict):
        read, in_full = (with_hints(each(line)) for each in (READER.read, READER.read_in_full))
        assert (read, repr(read)) == (in_full, repr(in_full))


def with_hints(read: Entry | tuple[Problem, ...]) -> Entry | tuple[Problem, ...]:
    """The problems with what their functions return: a function equals no other one that returns the same."""
    if isinstance(read, Entry):
        return read
    return tuple(replace(each, hint=_called(each.hint), meant=_called(each.meant)) for each in read)


def _called(value: Any) -> Any:
    return value() if callable(value) else value


GOOD_HEADER: dict[str, Any] = {
    "ludex": 1,
    "game": "made",
    "edition": "en",
    "silence": "borrow",
    "fingerprint": "00",
    "players": [*NAMES],
    "options": {"tiles": 0},
    "readings": {"refill": "at_once"},
    "tags": {"event": "Club evening", "date": "2026-11", "round": "3"},
    "ids": {"Alyona": "club:17"},
    "note": "at home",
}


@pytest.mark.parametrize("left_out", [(), ("edition", "silence", "options", "readings", "tags", "ids", "note")])
def test_good_headers_are_accepted_by_both(left_out: tuple[str, ...]) -> None:
    header = {name: value for name, value in GOOD_HEADER.items() if name not in left_out}
    assert TAKES.is_valid(header)
    header_read, problems = read_log_header(header)
    assert not problems
    assert header_read is not None
    assert header_read.to_json() == header


OF_THE_GAME = ("game", "edition", "options", "readings", "players")
"""Members of a header that are right or wrong for one game."""
POSITIONS = [
    ({}, False),
    ({"row": 1}, False),
    ({"state": []}, False),
    ({"state": {"nowhere": 1}}, False),
    ({"unseen": {}}, False),
    ({"flow": 5}, False),
    ({"flow": []}, False),
    ({"state": {}}, True),
    ({"flow": "over"}, True),
    ({"flow": ["play", "x"], "unseen": []}, True),
]


@pytest.mark.parametrize(("position", "is_good"), POSITIONS)
def test_positions_are_judged_alike_by_both(position: Any, is_good: bool) -> None:
    line = {"position": position}
    assert isinstance(READER.read(line), Entry) is is_good
    assert TAKES.is_valid(line) is is_good
    assert TAKES.is_valid({**GOOD_HEADER, "from": position}) is is_good


def test_a_day_that_no_calendar_has_is_refused_by_both() -> None:
    form = re.compile(f"({DATE})")
    for year in (1000, 1900, 2000, 2023, 2024, 2026, 2100, 9999):
        for month in range(14):
            assert (form.fullmatch(f"{year}-{month:02}") is not None) is (1 <= month <= 12)
            for day in range(33):
                try:
                    is_day = bool(date(year, month, day))
                except ValueError:
                    is_day = False
                assert (form.fullmatch(f"{year}-{month:02}-{day:02}") is not None) is is_day
    for text in ("2026-02-30", "2023-02-29", "0000", "0000-01-01", "2026-1-1"):
        header = {**GOOD_HEADER, "tags": {"date": text}}
        (problem,) = read_log_header(header)[1]
        assert (problem.code.code, problem.pointer) == ("L424", "/tags/date")
        assert not TAKES.is_valid(header)


def test_no_number_is_taken_that_a_log_cannot_hold() -> None:
    for claim in ({"scores": {"1": 1e30}}, {"scores": [1e30, -1e30]}):
        assert not isinstance(READER.read({"claim": claim}), Entry)
        assert not TAKES.is_valid({"claim": claim})


def test_an_identity_of_nobody_is_refused_by_both() -> None:
    for header in ({**GOOD_HEADER, "ids": {"Boris": "1"}}, {**GOOD_HEADER, "players": len(NAMES), "ids": {"0": "1"}}):
        (problem,) = read_log_header(header)[1]
        assert (problem.code.code, problem.pointer.startswith("/ids/")) == ("L446", True)
        named = log_schema(GAME, NAMES if isinstance(header["players"], list) else ())
        assert not validator(named).is_valid(header)
    by_seat = {**GOOD_HEADER, "players": len(NAMES), "ids": {"1": "club:17"}}
    assert not read_log_header(by_seat)[1]
    assert validator(log_schema(GAME)).is_valid(by_seat)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "othello"),
        ("game", "Anna"),
        ("game", ""),
        ("game", "made.ludex\n"),
        ("edition", "ru"),
        ("silence", "literal"),
        ("players", 2),
        ("players", ["Elena", "Alyona"]),
        ("options", {"tiles": 2}),
        ("readings", {"refill": "later"}),
    ],
)
def test_the_header_of_another_table_is_refused(name: str, value: Any) -> None:
    header = {**GOOD_HEADER, name: value}
    # Without names nobody is called so.
    header = {**header, "ids": {}} if value == 2 else header
    assert not read_log_header(header)[1]
    assert not TAKES.is_valid(header)


@pytest.mark.parametrize("path", ["./made", "rules/made.ludex", "made.ludex", "..\\made", "/home/anna/made/"])
def test_the_path_of_a_game_is_accepted(path: str) -> None:
    assert TAKES.is_valid({**GOOD_HEADER, "game": path})


def test_a_table_with_other_settings_must_name_them() -> None:
    option, fork = GAME.options[0], GAME.forks[0]
    other = replace(
        GAME,
        edition="ru",
        silence="literal",
        options=(replace(option, value=2),),
        forks=(replace(fork, chosen="later"),),
    )
    takes = validator(log_schema(other))
    header = header_of(other).to_json()
    assert takes.is_valid(header)
    for name in ("edition", "silence", "options", "readings"):
        assert not takes.is_valid({key: value for key, value in header.items() if key != name})
    assert not takes.is_valid({**header, "options": {}})


@pytest.mark.parametrize(
    ("names", "are_good"),
    [(["A", "Б"], True), (["1", "B"], False), ([" ", "B"], False), (["A", "A"], False), (["A"], False)],
)
def test_the_number_of_players_is_the_tables_and_names_differ(names: list[str], are_good: bool) -> None:
    assert validator(log_schema(GAME)).is_valid({**GOOD_HEADER, "players": names}) == are_good


@cases(300)
@given(
    st.sampled_from(HEADER_MEMBERS),
    st.one_of(ODD, st.just(["A", "A"]), st.just(["A", "1"]), st.just(["A", " "]), st.just(...)),
)
def test_headers_agree_except_for_what_only_the_game_knows(name: str, value: Any) -> None:
    """The schema belongs to one table; `read_header` accepts any."""
    header: dict[str, Any] = {**GOOD_HEADER, name: value}
    if value is ...:
        del header[name]
    if name == "ludex" and value is ...:
        return
    _, problems = read_log_header(header)
    if problems:
        assert not TAKES.is_valid(header)
    # What a position may name is known to the game alone, too.
    elif name not in OF_THE_GAME and not (name == "from" and isinstance(value, dict)):
        assert TAKES.is_valid(header)


def test_a_whole_log_fits_the_schema_in_both_forms() -> None:
    move: dict[str, Any] = {"player": 1, "action": "roll"}
    assert TAKES.is_valid([GOOD_HEADER, move, move])
    assert TAKES.is_valid({**GOOD_HEADER, "events": [move]})
    assert not TAKES.is_valid([move])
    assert not TAKES.is_valid([GOOD_HEADER, GOOD_HEADER])
    assert not TAKES.is_valid({**GOOD_HEADER, "events": [{"player": 1, "action": "rol"}]})


def test_only_the_named_move_has_errors() -> None:
    """A wrong argument of one move gives one error, and none about other moves."""
    line: Any = {"player": 1, "action": "study", "args": {"card": "l99", "at": {"level": 1, "col": 1}}}
    (error,) = TAKES.iter_errors(line)
    assert list(error.absolute_path) == ["args", "card"]


def test_without_names_any_text_may_name_a_player() -> None:
    open_schema = validator(log_schema(GAME))
    assert open_schema.is_valid({"player": "Somebody", "action": "roll"})
    assert not TAKES.is_valid({"player": "Somebody", "action": "roll"})


@pytest.mark.drawn(0)
def test_editions_with_other_moves_have_other_schemas() -> None:
    ru, he = (game_once("bora_bora", edition=edition) for edition in ("ru", "he"))
    known = [validator(log_schema(game)["$defs"]["move"]["properties"]["action"]) for game in (ru, he)]
    assert set(ru.moves) != set(he.moves)
    for name in {*ru.moves, *he.moves}:
        assert [each.is_valid(name) for each in known] == [name in game.moves for game in (ru, he)]


# ---- words ----------------------------------------------------------------------------------------------------------


def everywhere(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a schema."""
    if isinstance(schema, dict):
        yield schema
    for item in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from everywhere(item)


def without_words(schema: Any) -> Any:
    """Return the schema without annotations; properties may have their names."""
    if isinstance(schema, list):
        return [without_words(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    words = {"title": str, "description": str, "enumDescriptions": list}
    return {
        name: without_words(item) for name, item in schema.items() if not isinstance(item, words.get(name, NoneType))
    }


@pytest.mark.parametrize("language", languages())
def test_a_language_changes_annotations_only(language: str) -> None:
    game = game_once("mangrovia")
    schema, plain = log_schema(game, language=language), log_schema(game)
    assert without_words(schema) == without_words(plain)
    assert not any("title" in each and "properties" in each for each in everywhere(plain["$defs"]))
    definitions = schema["$defs"]
    moves, action = definitions["move"]["properties"]["action"], definitions["move.build"]["properties"]["action"]
    assert len(moves["enum"]) == len(moves["enumDescriptions"])
    assert action["title"] == game.word("build", language)
    for each in everywhere(schema):
        if "enumDescriptions" in each:
            assert len(each["enumDescriptions"]) == len(each["enum"])
            assert all(isinstance(text, str) for text in each["enumDescriptions"])


def test_a_card_is_described_by_its_text() -> None:
    cards = log_schema(game_once("boreal"), language="ru")["$defs"]["Place"]
    printed = dict(zip(cards["enum"], cards["enumDescriptions"], strict=True))
    assert "тип: земля" in printed["s01"]
    assert "цена: 0" in printed["s01"]


def test_a_move_is_described_by_its_requirements_with_citations() -> None:
    study = log_schema(game_once("boreal"))["$defs"]["move.study"]["properties"]["action"]
    assert "affordable [ru 77-79" in study["description"]
