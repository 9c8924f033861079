"""The fast decoder of a game's events accepts good lines only, and reads them like the full reader."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.interpreter.generator import Generator
from ludex.interpreter.logs.record.json_lines import one_record
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.record.records import LateRecords, LineLayout
from ludex.interpreter.logs.structure.event_lines import WORTH_LOADING, Entry, LineReader, PlainEntry, line_of
from ludex.interpreter.simulate.playouts import playout
from ludex.spec import Game, from_json, shipped_games, to_json
from ludex.spec.model import ChanceSignature, MoveSignature
from ludex.spec.values.codec import JsonFault
from ludex.spec.values.types import Type, Value

from ..cases import cases
from ..once import engine_once, game_once
from ..typed_values import typed_data, typed_values
from .log_games import HERE, NAMES, made_game
from .log_lines import LINES, ODD, ODD_ONES, damaged, mutated

BAD_LOGS = Path(__file__).parents[1] / "games" / "bad_logs"
EVENTS = 60
MADE = made_game()


def with_decoder(game: Game, names: tuple[str, ...] = ()) -> LineReader:
    reader = LineReader(game, names)
    reader.decoder.make()
    return reader


READER = with_decoder(MADE, NAMES)


@cache
def reader_of(name: str) -> LineReader:
    game = game_once(name)
    return with_decoder(game, (*NAMES, "Ася", "a b", "x:y", '"q"')[: game.players])


def is_taken(reader: LineReader, line: bytes) -> bool:
    """Return whether the decoder accepts the line; if so, assert that its result is that of the full reader."""
    entry = reader.plain(line)
    if entry is None:
        return False
    record, fault = one_record(LineLayout("x.jsonl", 1, line), False)
    assert fault is None
    assert record.data is not None
    in_full = reader.read_in_full(record.data)
    assert isinstance(in_full, Entry), in_full
    assert repr(in_full.event) == repr(entry.event)
    assert in_full == entry
    assert isinstance(in_full, PlainEntry)
    return True


@st.composite
def spelled(draw: st.DrawFn, lines: st.SearchStrategy[Any]) -> str:
    """A line as JSON with spaces and escapes at any place, perhaps with a repeated member."""
    line = draw(lines)
    text = json.dumps(line, ensure_ascii=draw(st.booleans()), separators=draw(st.sampled_from(SEPARATORS)))
    holders = [line]
    for holder in holders:
        items = holder.values() if isinstance(holder, dict) else holder
        holders.extend(item for item in items if isinstance(item, dict | list))
    members = [(name, item) for holder in holders if isinstance(holder, dict) for name, item in holder.items()]
    is_doubled: bool = draw(st.booleans())
    if members and is_doubled:
        name, item = draw(st.sampled_from(members))
        again = json.dumps({name: draw(st.just(item) | ODD)})[1:-1]
        opening = text.index("{", draw(st.integers(0, text.rindex("{"))))
        text = f"{text[: opening + 1]}{again}{',' if text[opening + 1] != '}' else ''}{text[opening + 1 :]}"
    return text


SEPARATORS = ((", ", ": "), (",", ":"), (" ,\t", " : "))


@cases(1000)
@given(spelled(LINES | damaged(LINES)) | mutated(LINES.map(json.dumps)))
def test_only_good_lines_are_decoded(text: str) -> None:
    is_taken(READER, text.encode("utf-8", "surrogatepass"))


@cache
def lines_of(name: str) -> list[Any]:
    """Lines of a random play, with notes."""
    game, names = game_once(name), reader_of(name).table.names
    turns = zip(range(EVENTS), playout(engine_once(game), Generator(0)), strict=False)
    lines: list[Any] = [line_of(game, turn.event, names if at % 2 else ()) for at, turn in turns]
    remarks: list[Any] = [{}, {"note": 'a "b" \n'}, {"note": "a, b"}, {"clock": "0:04:31"}, {}]
    return [
        {**line, **(remarks[at % 5] if "action" in line or "clock" not in remarks[at % 5] else {})}
        for at, line in enumerate(lines)
    ]


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", shipped_games())
def test_every_event_in_written_form_is_decoded(name: str) -> None:
    """A move may have its members in another order; lines with an escaped quotation mark are left to the
    full reader.
    """
    for line in lines_of(name):
        backwards = {member: line[member] for member in reversed(line)}
        for each in (line, *([backwards] if "action" in line else [])):
            text = write_line(each)
            assert is_taken(reader_of(name), text.encode()) == ("\\" not in text), text


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", shipped_games())
@cases(150)
@given(data=st.data())
def test_no_damaged_line_of_a_game_is_decoded(name: str, data: st.DataObject) -> None:
    lines = st.sampled_from(lines_of(name))
    text = data.draw(spelled(damaged(lines)) | mutated(lines.map(write_line)))
    is_taken(reader_of(name), text.encode("utf-8", "surrogatepass"))


def game_with(type_: Type) -> Game:
    """A game with a move that has arguments of the type, and a chance event with such an outcome."""
    arguments = (("a", type_, False), ("b", type_, False))
    return replace(
        MADE, moves={"go": MoveSignature("go", arguments, HERE)}, chances={"c": ChanceSignature("c", type_, HERE)}
    )


@cases(300)
@given(typed_data())
def test_data_of_another_type_are_not_decoded(case: tuple[Type, Any]) -> None:
    type_, data = case
    reader = with_decoder(game_with(type_))
    for line in ({"chance": "c", "outcome": data}, {"player": 2, "action": "go", "args": {"a": data, "b": data}}):
        if is_taken(reader, json.dumps(line).encode()):
            assert not isinstance(from_json(type_, data), JsonFault)


@cases(150)
@given(typed_values())
def test_every_value_is_decoded(case: tuple[Type, Value]) -> None:
    type_, value = case
    data = to_json(type_, value)
    reader = with_decoder(game_with(type_))
    assert is_taken(reader, write_line({"chance": "c", "outcome": data}).encode())
    assert is_taken(reader, write_line({"player": 2, "action": "go", "args": {"a": data, "b": data}}).encode())


AIM = b'{"player": 1, "action": "aim", "args": {"target": 1, "helper": null, "others": []}}'
ROLL = b'{"player": "Elena", "action": "roll"}'


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (AIM, b'"target": 1', b'"target": 1, "target": 1'),
        (AIM, b'"target": 1', b'"target": 1, "targe\\u0074": 2'),
        (AIM, b'"player": 1', b'"player": 2, "player": 1'),
        (AIM, b'"player": 1', b'"player": 1.0'),
        (AIM, b'"player": 1', b'"player": true'),
        (AIM, b'"player": 1', b'"player": "1"'),
        (AIM, b'"player": 1', b'"player": 123456789012345678901'),
        (AIM, b'"player": 1', b'"player": 01'),
        (AIM, b'"player": 1', b'"player": 3'),
        (AIM, b"null", b"NaN"),
        (AIM, b"[]", b"[" * 9999 + b"]" * 9999),
        (AIM, b"[]", b"[1, 1]"),
        (AIM, b"}}", b"}} {}"),
        (AIM, b"}}", b"},}"),
        (AIM, b"}}", b'}, "claim": {}}'),
        (AIM, b"}}", b'}, "clock": "0:99"}'),
        (AIM, b"}}", b'}, "clock": "0:09\\n"}'),
        (AIM, b"}}", b'}, "note": 1}'),
        (AIM, b"}}", b'}, "note": "\\ud83d"}'),
        (AIM, b"}}", b'}, "note": "\xed\xa0\xbd"}'),
        (AIM, b"}}", b'}, "note": "\xff"}'),
        (AIM, b"}}", b'}, "note": "\t"}'),
        (ROLL, b', "action": "roll"', b""),
        (ROLL, b"roll", b"rol"),
        (ROLL, b"Elena", b"Elen"),
    ],
)
def test_lines_left_to_the_full_reader(line: bytes, old: bytes, new: bytes) -> None:
    assert is_taken(READER, line)
    changed = line.replace(old, new)
    assert changed != line
    assert not is_taken(READER, changed)


@pytest.mark.parametrize("blank", [b" ", b"\r", b"\t"])
def test_spaces_around_a_line_are_ignored(blank: bytes) -> None:
    assert is_taken(READER, blank + ROLL + blank)


def test_alternative_forms_of_values_are_decoded() -> None:
    for data in (json.loads(AIM), json.loads(ROLL)):
        assert READER.read(data) == READER.read_in_full(data)
        assert isinstance(READER.read(data), PlainEntry)
    for odd in (*ODD_ONES, 10**30, float("nan"), "\ud800"):
        assert isinstance(READER.read({"player": 1, "action": "roll", "args": odd}), tuple) == (odd != {})


def test_a_log_with_decoded_events_is_parsed_like_any_other() -> None:
    """Decoded lines are good JSON; blank and faulty lines are still found."""
    texts = [(path.parent.name, path.read_bytes()) for path in sorted(BAD_LOGS.glob("*/*.jsonl"))]
    header, line = b'{"ludex": 1, "game": "pig", "players": 2}', b'{"player": 1, "action": "roll"}'
    texts.append(("pig", b"\r\n".join([b"", header, b"", line, b" ", b'{"b": 1}', line, b""])))
    for name, text in texts:
        log, other = parse_log(text, "x.jsonl"), parse_log(text, "x.jsonl")
        if isinstance(log.events, LateRecords):
            entries = list(log.events.read(reader_of(name).plain))
            assert len(entries) == len(log.events)
        assert [each.data for each in log.events] == [each.data for each in other.events]
        assert log.faults == other.faults


def test_the_decoder_is_made_only_for_logs_of_many_lines() -> None:
    reader = LineReader(MADE, NAMES)
    entries = [reader.plain(ROLL) for _ in range(WORTH_LOADING)]
    assert entries[:-1] == [None] * (WORTH_LOADING - 1)
    assert entries[-1] == reader.read(json.loads(ROLL))
