"""The JSON Schema of a game's logs accepts exactly the lines of the log reader, by three independent validators.

They are jsonschema, jsonschema-rs, and ajv in Node, with default settings. Two differences that JSON Schema cannot
express are left out: a claim with two names of one player, and 1.0 as a whole number.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.grammar import Failure
from ludex.interpreter.generator import Generator
from ludex.interpreter.logs.record.log import read_log
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.interpreter.logs.structure.event_lines import Entry, LineReader, line_of
from ludex.interpreter.logs.structure.header import read_log_header
from ludex.interpreter.simulate.playouts import playout
from ludex.spec import Game, shipped_games, validator

from ..cases import cases
from ..once import engine_once, game_once
from .log_games import NAMES, made_game
from .log_lines import LINES, ODD_ONES, damaged, unsayable
from .record_samples import samples_of

NODE = Path(__file__).parents[1] / "node"
INSTALL = "npm install --prefix tests/node --no-save --no-package-lock"
EVENTS = 60


class Ajv:
    """A Node process in which ajv validates."""

    def __init__(self) -> None:
        command = ["node", str(NODE / "verdicts.cjs")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.schema: Any = None

    def judge(self, schema: Any, data: Sequence[Any], **options: Any) -> list[bool]:
        assert self.process.stdin
        assert self.process.stdout
        if schema is not self.schema:
            self.schema = schema
            print(json.dumps({"schema": schema, "options": options}), file=self.process.stdin)
        print(json.dumps({"data": data}), file=self.process.stdin, flush=True)
        return [verdict == "1" for verdict in self.process.stdout.readline().strip()]


@pytest.fixture(scope="session")
def ajv() -> Iterator[Ajv]:
    if shutil.which("node") is None:
        pytest.skip("needs Node")
    if not (NODE / "node_modules" / "ajv").is_dir():
        pytest.skip(f"needs ajv: {INSTALL}")
    judge = Ajv()
    yield judge
    judge.process.communicate()


MADE = made_game()


@cache
def table(name: str) -> tuple[Game, tuple[str, ...]]:
    """A game, and names for its players."""
    game = MADE if name == "made" else game_once(name)
    return game, (*NAMES, "Ася", "a b", "x:y", '"q"')[: game.players]


@cache
def of_events(name: str) -> Any:
    """Return the schema of single events of a game."""
    schema = log_schema(*table(name))
    return {"$schema": schema["$schema"], "$ref": "#/$defs/event", "$defs": schema["$defs"]}


@cache
def in_python(name: str) -> tuple[Any, Any, Any]:
    """Return jsonschema, jsonschema-rs, and our variant of jsonschema, which does not accept 1.0 as a whole number."""
    schema = of_events(name)
    return Draft202012Validator(schema), jsonschema_rs.Draft202012Validator(schema), validator(schema)


def as_json_schema_has_it(data: Any) -> Any:
    """Return the data with 1 in place of 1.0."""
    match data:
        case dict():
            return {name: as_json_schema_has_it(item) for name, item in data.items()}
        case list():
            return [as_json_schema_has_it(item) for item in data]
        case float() if data.is_integer():
            return int(data)
        case _:
            return data


@cache
def reader_of(name: str) -> LineReader:
    """Return the reader of a game, with its fast decoder."""
    reader = LineReader(*table(name))
    reader.decoder.make()
    return reader


def is_good(reader: LineReader, line: Any) -> bool:
    is_taken = isinstance(line, dict) and isinstance(reader.read_in_full(line), Entry)
    assert is_taken or reader.plain(json.dumps(line).encode()) is None, "the decoder must accept it"
    return is_taken


def agree(name: str, lines: Sequence[Any], ajv: Ajv) -> None:
    """Assert that each validator accepts the lines that the reader accepts."""
    names, reader = table(name)[1], reader_of(name)
    stock, in_rust, strict = in_python(name)
    said = [line for line in lines if not unsayable(as_json_schema_has_it(line), names)]
    for line, by_ajv in zip(said, ajv.judge(of_events(name), said), strict=True):
        expected = is_good(reader, as_json_schema_has_it(line))
        verdicts = {"jsonschema": stock.is_valid(line), "jsonschema-rs": in_rust.is_valid(line), "ajv": by_ajv}
        assert verdicts == dict.fromkeys(verdicts, expected), (line, reader.read(line))
        assert strict.is_valid(line) == is_good(reader, line), line


@cases(150)
@given(st.lists(LINES | damaged(LINES), min_size=4, max_size=8))
def test_they_agree_about_every_kind_of_value(ajv: Ajv, lines: list[Any]) -> None:
    agree("made", lines, ajv)


@cache
def good_lines(name: str) -> list[Any]:
    """Lines of a random play, with claims, notes and results."""
    game, names = table(name)
    turns = zip(range(EVENTS), playout(engine_once(game), Generator(0)), strict=False)
    lines: list[Any] = [line_of(game, turn.event, names if at % 2 else ()) for at, turn in turns]
    piles = [element.name for element in game.elements if element.kind in ("pile", "bag") and not element.indices]
    lines += [{"claim": {"state": [{"of": pile, "size": 3}]}} for pile in piles[:1]]
    lines += [{**lines[0], "note": "x", "claim": {"winners": [names[-1]], "scores": [1] * game.players}}]
    lines += [{"claim": {"scores": {names[0]: 3}, "terminal": False}}, {"result": {"by": "abandoned"}, "note": ""}]
    return lines


@cache
def words_of(name: str) -> list[Any]:
    """Return all values in the good lines."""
    words, waiting = dict[str, Any](), list(good_lines(name))
    for item in waiting:
        words[json.dumps(item)] = item
        waiting.extend([*item.values(), *item] if isinstance(item, dict) else item if isinstance(item, list) else ())
    return [*words.values()]


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", shipped_games())
@cases(40)
@given(data=st.data())
def test_they_agree_about_each_game(name: str, data: st.DataObject, ajv: Ajv) -> None:
    good = good_lines(name)
    odd = st.sampled_from([*ODD_ONES, *words_of(name), 10**19, -(10**19), 2**53 + 1, 7.0, 1e300]).map(deepcopy)
    line = st.sampled_from(good)
    agree(name, data.draw(st.lists(line | damaged(line, odd), min_size=3, max_size=6)), ajv)


# ---- whole logs


def tables_of(log: Log) -> Iterator[Game]:
    """Return the table of the log, if its header names one."""
    header = read_log_header(log.header.data)[0] if log.header is not None and log.header.data is not None else None
    if header is not None:
        with suppress(Failure):
            asked = header.game, header.players, header.edition, dict(header.options), dict(header.readings)
            yield game_once(*asked, header.silence or "borrow")


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name in shipped_games() for path in samples_of(name)], ids=str
)
def test_they_agree_about_each_sample(name: str, path: Path, ajv: Ajv) -> None:
    log = read_log(path)
    lines = [record.data for record in (log.header, *log.events) if record is not None and record.data is not None]
    header, problems = read_log_header(lines[0]) if lines else (None, ())
    names = header.names if header is not None else ()
    for game in tables_of(log):
        reader, schema = LineReader(game, names), log_schema(game, names)
        expected = not problems and all(is_good(reader, line) for line in lines[1:])
        verdicts = {
            "jsonschema": Draft202012Validator(schema).is_valid(lines),
            "jsonschema-rs": jsonschema_rs.Draft202012Validator(schema).is_valid(lines),
            "ajv": ajv.judge(schema, [lines]) == [True],
        }
        assert verdicts == dict.fromkeys(verdicts, expected)


ODD_TEXTS = ("A", "1", "12\n", " ", "\n", "\u0085", "\u3000", "\u001c", "\ufeff", "\u200b", "٣", "a b", "é", "𝄞", "")
DATES = ("2026", "2026\n", "2026-11", "2026-13", "2026-11-31", "2026-11-32", "26", "٢٠٢٦", 2026, None)


def test_they_agree_about_formatted_texts(ajv: Ajv) -> None:
    """Regular expression engines differ about spaces, digits and the end of a text."""
    game = game_once("pig", 2)
    schema, usual = log_schema(game), {"ludex": 1, "game": "pig"}
    headers: list[Any] = [{**usual, "players": [text, "B"]} for text in ODD_TEXTS]
    headers += [{**usual, "players": 2, "tags": {"date": date}} for date in DATES]
    stock, in_rust = Draft202012Validator(schema), jsonschema_rs.Draft202012Validator(schema)
    for header, by_ajv in zip(headers, ajv.judge(schema, headers), strict=True):
        verdicts = {"jsonschema": stock.is_valid(header), "jsonschema-rs": in_rust.is_valid(header), "ajv": by_ajv}
        assert verdicts == dict.fromkeys(verdicts, not read_log_header(header)[1]), header


def test_annotations_for_editors_change_no_verdict(ajv: Ajv) -> None:
    """With a language the schema has a nonstandard keyword, so ajv must not be strict."""
    game, names = table("boreal")
    for language in ("ru", None):
        schema = log_schema(game, names, language)
        verdicts = ajv.judge(schema, [good_lines("boreal")[0], {}], **({"strict": False} if language else {}))
        assert verdicts == [True, False]


@pytest.mark.parametrize("name", (*shipped_games(), "made"))
def test_strict_ajv_takes_the_schemas(ajv: Ajv, name: str) -> None:
    """A list of a header and any number of events is a tuple that ajv wants to be closed, and nothing else."""
    game, names = table(name)
    strict = {"strict": True, "strictTuples": False, "keywords": ["enumDescriptions"]}
    assert ajv.judge(log_schema(game, names, next(iter(game.languages), None)), [{}], **strict) == [False]
