"""Damaged logs of every shipped game are refused at the damage, or are provably still legal; nothing raises."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.interpreter import State
from ludex.interpreter.generator import Generator
from ludex.interpreter.information.visibility import is_partial
from ludex.interpreter.logs.judge.report_json import report_to_json
from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.record.log import parse_log, write_log
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.interpreter.logs.structure.event_lines import Entry, LineReader, line_of
from ludex.interpreter.logs.tracking.report import Verdict
from ludex.interpreter.play.engine import Engine
from ludex.interpreter.simulate.playouts import playout
from ludex.interpreter.state.events import ChanceEvent, Event
from ludex.spec import shipped_games, validator

from ..cases import cases
from ..once import engine_once, game_once

GAMES = shipped_games()
VALIDATOR = Validator(game_once, compiled=engine_once)
SEEDS = 4
LONGEST = 60


def engine_of(game: str) -> Engine:
    return engine_once(game_once(game))


@cache
def good_log(game: str, seed: int) -> tuple[Any, ...]:
    """The lines of a random play of the game, cut off if it is long."""
    engine = engine_of(game)
    turns = playout(engine, Generator(seed))
    events = [line_of(engine.game, turn.event) for turn, _ in zip(turns, range(LONGEST), strict=False)]
    header = {"ludex": 1, "game": game, "fingerprint": engine.game.fingerprint, "players": engine.game.players}
    return (header, *events)


@cache
def words_of_log(game: str, seed: int) -> tuple[Any, ...]:
    """Return all values in the log, to put them elsewhere."""
    words: list[Any] = [None, True, 0, 1, -1, 99, 1.5, "", "unknown", "decline", [], {}]
    waiting: list[Any] = list(good_log(game, seed)[1:])
    for item in waiting:
        if isinstance(item, dict):
            words.extend(item)
            waiting.extend(item.values())
        if item not in words:
            words.append(item)
    return tuple(words)


GAMES_AND_SEEDS = st.tuples(st.sampled_from(GAMES), st.integers(0, SEEDS - 1))


@pytest.mark.parametrize("game", GAMES)
def test_random_plays_are_legal_and_fit_the_schema(game: str, play_seed: int) -> None:
    lines = good_log(game, play_seed)
    report = VALIDATOR.validate(parse_log(write_log(lines[0], lines[1:])))
    assert report.verdict is Verdict.LEGAL, report.findings
    assert report.replayed == len(lines) - 1
    assert validator(log_schema(engine_of(game).game)).is_valid(list(lines))


@st.composite
def damaged_lines(draw: st.DrawFn) -> tuple[list[Any], int]:
    """A good log with one event damaged, and the number of that event."""
    game, seed = draw(GAMES_AND_SEEDS)
    lines = deepcopy(list(good_log(game, seed)))
    number = draw(st.integers(1, len(lines) - 1))
    words = st.sampled_from(words_of_log(game, seed)).map(deepcopy)
    if draw(st.booleans()):
        lines[number] = deepcopy(lines[draw(st.integers(1, len(lines) - 1))])
        return lines, number
    holders: list[Any] = [lines[number]]
    for holder in holders:
        items = holder.values() if isinstance(holder, dict) else holder
        holders.extend(item for item in items if isinstance(item, dict | list) and item)
    holder = draw(st.sampled_from(holders))
    key = draw(st.sampled_from(list(holder) if isinstance(holder, dict) else list(range(len(holder)))))
    match draw(st.sampled_from(["put", "near", "drop", "add"])):
        case "drop":
            del holder[key]
        case "add" if isinstance(holder, dict):
            holder[str(draw(words))] = draw(words)
        case "near" if isinstance(holder[key], int):
            holder[key] += draw(st.sampled_from([-1, 1]))
        case _:
            holder[key] = draw(words)
    return lines, number


def state_before(engine: Engine, lines: list[Any], number: int) -> State:
    reader = LineReader(engine.game)
    state = engine.start()
    for line in lines[1:number]:
        entry = reader.read(line)
        assert isinstance(entry, Entry)
        assert entry.event is not None
        assert engine.advance(state, entry.event) is None
    return state


def is_legal(engine: Engine, state: State, event: Event) -> bool:
    """Return whether the event is legal, by enumerating all possible events, as validation never does."""
    if isinstance(event, ChanceEvent):
        return any(event == outcome for outcome, _ in engine.chance(state))
    return event in engine.legal_moves(state)


@cases(400)
@given(damaged_lines())
def test_a_damaged_event_is_refused_or_legal(case: tuple[list[Any], int]) -> None:
    lines, number = case
    report = VALIDATOR.validate(parse_log(write_log(lines[0], lines[1:])))
    engine = engine_of(lines[0]["game"])
    entry = LineReader(engine.game).read(lines[number])
    blamed = [finding for finding in report.findings if finding.is_error and finding.span.line == number + 1]
    assert not any(finding.is_error and finding.span.line <= number for finding in report.findings)
    if not isinstance(entry, Entry):
        assert blamed
    # A part may have become `unknown`, for which some value may be legal.
    elif entry.event is not None and not is_partial(entry.event):
        legal = is_legal(engine, state_before(engine, lines, number), entry.event)
        assert legal == (not blamed) or report.left_out
    if not blamed:
        return
    assert report.replayed == number - 1
    first = blamed[0]
    if first.legal:
        # The suggested line must be legal.
        mended = [*lines[:number], json.loads(first.legal[0])]
        again = VALIDATOR.validate(parse_log(write_log(mended[0], mended[1:])))
        assert again.replayed == number


@st.composite
def damaged_text(draw: st.DrawFn) -> str:
    """A good log with pieces of its text removed, inserted, or moved."""
    game, seed = draw(GAMES_AND_SEEDS)
    lines = good_log(game, seed)
    text = write_log(lines[0], lines[1:12])
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(st.text('{}[]",:\\ \n0123456789-.eEabtrufalsn\x00\u05d0', max_size=4) | st.just(text[:start][-9:]))
        text = text[:start] + piece + text[end:]
    return text


@cases(500)
@given(damaged_text(), st.sampled_from(["x.jsonl", "x.yaml"]))
def test_damaged_text_never_raises(text: str, name: str) -> None:
    report = VALIDATOR.validate(parse_log(text, name))
    json.dumps(report_to_json(report), ensure_ascii=False).encode()
    assert report.verdict in (Verdict.LEGAL, Verdict.UNJUDGED) or any(finding.is_error for finding in report.findings)


@cases(300)
@given(st.text() | st.binary(), st.sampled_from(["x.jsonl", "x.yaml", "x"]))
def test_any_text_never_raises(text: str | bytes, name: str) -> None:
    report = VALIDATOR.validate(parse_log(text, name))
    json.dumps(report_to_json(report), ensure_ascii=False).encode()
    assert report.verdict is Verdict.UNREADABLE


WITH_OPTIONS = {
    "nim": ("heap_1", [0, 2, 5], "misere", [True]),
    "pig": ("passing", [True]),
    "leduc_poker": ("raises", [1, 3]),
    "connect_four": ("rows", [7, 8], "in_a_row", [3]),
    "goofspiel": ("cards", [5]),
}
"""Games with options: names and values in turn, by which logs are recorded that do not name them."""


@cache
def unnamed_options(game: str, option: str, value: Any, seed: int) -> tuple[str, ...]:
    """The lines of a play with an option that its header does not name."""
    engine = engine_once(game_once(game, options={option: value}))
    turns = playout(engine, Generator(seed))
    events = [line_of(engine.game, turn.event) for turn, _ in zip(turns, range(12), strict=False)]
    header = {"ludex": 1, "game": game, "players": engine.game.players}
    return tuple(map(json.dumps, (header, *events)))


@st.composite
def logs_without_their_options(draw: st.DrawFn) -> str:
    """A log that lacks its option and may be damaged, too: in its header, in the text of a line, or in its members."""
    game = draw(st.sampled_from(sorted(WITH_OPTIONS)))
    own = WITH_OPTIONS[game]
    at = 2 * draw(st.integers(0, len(own) // 2 - 1))
    lines = list(unnamed_options(game, str(own[at]), draw(st.sampled_from(own[at + 1])), draw(st.integers(0, SEEDS))))
    number = draw(st.integers(1, len(lines)))
    match draw(st.sampled_from(["nothing", "header", "foreign", "cut", "member", "drop"])):
        case "header":
            lines[0] = lines[0].replace("{", '{"note": 5, ' if draw(st.booleans()) else '{"fingerprint": "0", ', 1)
        case "foreign":
            lines.insert(number, "foo")
        case "cut" if number < len(lines):
            lines[number] = lines[number][: draw(st.integers(1, len(lines[number]) - 1))]
        case "member" if number < len(lines):
            lines[number] = lines[number].replace("{", '{"more": 1, ', 1)
        case "drop" if number < len(lines):
            del lines[number]
    return "\n".join(lines)


@cases(200)
@given(logs_without_their_options())
def test_a_log_is_legal_with_each_option_with_which_its_report_says_it_is(text: str) -> None:
    report = VALIDATOR.validate(parse_log(text))
    for note in (note.message for finding in report.findings for note in finding.notes):
        _, _, said = note.partition("it is legal with ")
        for name, low, high in re.findall(r"(\w+) = (\w+)(?: to (\w+))?", said):
            values = range(int(low), int(high) + 1) if high else [json.loads(low) if low in ("true", "false") else low]
            for value in values:
                header, _, rest = text.partition("\n")
                option = int(value) if str(value).isdecimal() else value
                named = json.dumps({**json.loads(header), "options": {name: option}})
                again = VALIDATOR.validate(parse_log(f"{named}\n{rest}"))
                assert again.verdict is Verdict.LEGAL, (note, named, again.findings)


@pytest.mark.parametrize(
    "lines",
    [
        ["foo", '{"player": 1, "action": "take"}'],
        ['{"player": 1, "action": "take", "args": {"heap": 1, "count": 3}}', '{"player": 2, "action: 3}'],
    ],
)
def test_a_log_with_a_line_that_cannot_be_read_is_legal_with_no_option(lines: list[str]) -> None:
    report = VALIDATOR.validate(parse_log("\n".join(['{"ludex": 1, "game": "nim", "players": 2}', *lines])))
    assert report.verdict is Verdict.UNREADABLE
    assert not any("legal with" in note.message for finding in report.findings for note in finding.notes)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["player", "action", "args", "chance", "outcome", "via", "claim", "note", "scores", "state"])


@cases(500)
@given(
    st.sampled_from(GAMES), st.lists(st.dictionaries(NAMES, JSON, max_size=5), max_size=5), st.dictionaries(NAMES, JSON)
)
def test_any_lines_never_raise(game: str, lines: list[Any], more: dict[str, Any]) -> None:
    header = {**good_log(game, 0)[0], **more}
    text = "\n".join(map(json.dumps, (header, *lines)))
    report = VALIDATOR.validate(parse_log(text))
    json.dumps(report_to_json(report), ensure_ascii=False).encode()
    assert not (report.verdict is Verdict.LEGAL and more.keys() - {"note"})
