"""Text logs: read like any log, written without loss, with faults at the word."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import Json, in_language
from ludex.interpreter import TextWriter, Validator, form_of, line_of, parse_log, read_log, write_log
from ludex.interpreter.logs.record.json_lines import MAX_DAMAGED
from ludex.interpreter.logs.structure.several_events import MOST_CARDS

from ..cases import cases
from ..once import engine_once, game_once
from .log_games import made_game
from .test_notation import made_events

ROOT = Path(__file__).parents[2]
VALIDATOR = Validator(game_once, compiled=engine_once)
GAME = made_game()
WRITER = TextWriter(GAME, ("A B", "none"))
SAMPLES = sorted((ROOT / "spec/games").glob("*/logs/full*.jsonl"))


def converted(text: str, form: Any) -> str:
    written = VALIDATOR.convert(parse_log(text, "log"), form)
    assert isinstance(written, str), written
    return written


@pytest.mark.drawn(1)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_sample_logs_survive_every_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    as_text = converted(text, "text")
    assert "\nGame: " in f"\n{as_text}"
    assert "{" not in "".join(line[:1] for line in as_text.splitlines()), "no line may need JSON"
    assert converted(as_text, "json") == text
    assert converted(converted(text, "yaml"), "json") == text
    assert converted(converted(as_text, "yaml"), "text") == as_text


@pytest.mark.drawn(2)
@pytest.mark.parametrize("language", ["en", "ru", "he"])
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_text_log_stays_in_its_language(path: Path, language: str) -> None:
    text = path.read_text(encoding="utf-8")
    spoken = VALIDATOR.convert(parse_log(text, "log"), "text", language=language)
    assert isinstance(spoken, str)
    assert f"\nLanguage: {language}\n" in spoken
    assert "{" not in "".join(line[:1] for line in spoken.splitlines()), "no line needs JSON"
    data = converted(spoken, "json")
    assert data.splitlines()[1:] == text.splitlines()[1:]
    assert converted(data, "text") == spoken
    assert converted(converted(spoken, "yaml"), "text") == spoken


@pytest.mark.parametrize(
    ("language", "moves"),
    [
        ("ru", "кубик = 4\n1: бросить\n"),
        ("he", "קובייה = 4\n1: להטיל\n"),
        (None, "roll.throw = 4\n1: roll\n"),
        (None, "\n"),
    ],
)
def test_the_language_of_a_log_without_a_tag_is_that_of_its_words(language: str | None, moves: str) -> None:
    data = converted(f"Game: pig\nPlayers: 2\n\n{moves}", "json")
    assert json.loads(data.splitlines()[0]).get("tags") == ({"language": language} if language else None)
    text = converted(data, "text")
    assert text.partition("\n\n")[2] == moves.strip("\n") + ("\n" if moves.strip() else "")


def test_a_log_whose_moves_name_no_player_stays_in_its_language() -> None:
    text = converted("Game: pig\nPlayers: 2\n\n1. бросить\nкубик = 4\n2. хватит\n", "text")
    assert text == "Game: pig\nPlayers: 2\nLanguage: ru\n\n1: бросить\nкубик = 4\n1: хватит\n"


@pytest.mark.parametrize(
    ("line", "sign", "hint"),
    [
        ("1-0", "1-0", "`claim winners Anna`, `result resigned Boris` or"),
        ("2. 0-1", "0-1", "`claim winners Boris`"),
        ("0-1; claim over", "0-1", "`claim winners Boris`, `result resigned Anna`"),
        ("1/2-1/2", "1/2-1/2", "`claim winners none` or `result agreed`"),
        ("2. b7 b6 1-0", "1-0", "`claim winners Anna`"),
        ("2. b7 b6 b2 b3 1 - 0", "1 - 0", "`claim winners Anna`"),
        ("2. b7 b6 ½–½", "½–½", "`result agreed`"),
        ("2. b7 b6 draw", "draw", "`result agreed`"),
        ("Ничья", "Ничья", "`result agreed`"),
        ("2. b7 b6 b2 b3 0:1", "0:1", "`claim winners Boris`"),
        ("Boris сдался", "Boris сдался", "`result resigned Boris`"),
        ("Anna победила", "Anna победила", "`claim winners Anna`"),
        ("Boris resigns", "Boris resigns", "`result resigned Boris`"),
        ("resigns", "resigns", "`result resigned Anna` or `result resigned Boris`"),
        ("2. b7 b6 *", "*", "leave it out"),
        ("2) b7 b6", "2)", "write `2.`"),
        ("2 b7 b6 b2 b3", "2", "write `2.`"),
        ("2. b7 b6 {a good move} b2 b3", "{a good move}", "`# a good move`"),
        ("{a good move}", "{a good move}", "`# a good move`"),
        ("2. b7 b6 (2. c7 c6) b2 b3", "(2. c7 c6)", "`# 2. c7 c6`"),
        ("2. b7 b6 // a good move", "// a good move", "`# a good move`"),
        ("2. b7 b6! b2 b3", "b6!", "write `b6`"),
        ("2. b7 b6 $1 b2 b3", "$1", "leave it out"),
        ("2. ... b2 b3", "...", "leave it out"),
        ('[Event "Club"]', '[Event "Club"]', "`Event: Club` above"),
        ("Boris wins", "Boris wins", "`claim winners Boris`"),
        ("winner Boris # at last", "winner Boris", "`claim winners Boris`"),
        ("scores 0, 1; over  # at last", "scores 0, 1; over", "`claim scores 0, 1; over`"),
    ],
)
def test_signs_of_other_notations_are_answered_with_how_it_is_written(line: str, sign: str, hint: str) -> None:
    text = f"Game: breakthrough\nPlayers: Anna, Boris\n\n1. a7 a6 a2 a3\n{line}\n"
    (fault,) = VALIDATOR.validate(parse_log(text, "log")).findings
    assert fault.code.code == "L500"
    assert line[fault.span.column - 1 : fault.span.end_column - 1] == sign
    assert f"`{sign}`" in fault.message
    assert hint in str(fault.hint)


def test_a_result_after_a_move_whose_player_nobody_knows_is_answered_too() -> None:
    text = "Game: breakthrough\nPlayers: Anna, Boris\n\n1. a7 a6 a2 a8\n3. b7 b6 1-0\n4. c7 c6 c2 c3\n"
    findings = VALIDATOR.validate(parse_log(text, "log")).findings
    assert [(each.code.code, each.span.line, each.span.column) for each in findings] == [
        ("L460", 4, 10),
        ("L591", 5, 1),
        ("L500", 5, 10),
    ]
    assert "`claim winners Anna`" in str(findings[-1].hint)


@pytest.mark.parametrize(
    "line",
    ["Anna: remove {l03, l99}", "Anna: study s07 at 9", "Anna study s07", "Anna: study ?? s07"],
)
def test_other_faults_are_not_taken_for_signs_of_other_notations(line: str) -> None:
    text = f"Game: boreal\nPlayers: Anna, Boris\n\n{line}\n"
    messages = [fault.message for fault in VALIDATOR.validate(parse_log(text, "log")).findings]
    assert messages
    assert not any("cannot be read here" in message for message in messages)


@pytest.mark.parametrize(
    ("line", "column", "message", "hint"),
    [
        ("deal cards on the board = s03 s09", 27, "expected `{`, found `s03`", "`{s03, s09}`"),
        ("deal cards on the board = s03, s09", 27, "expected `{`, found `s03`", "`{s03, s09}`"),
        ("deal top card = ? ?", 17, "expected `{`, found `?`", "`{?, ?}`"),
        ("claim scores 27 26", 17, "expected `,`, found `26`", ""),
        ("claim 27, 26", 13, "expected `=`, but the text ends here", "`scores 3, 4`, `winners Vera`, `over`"),
        ("claim winner Otto", 14, "expected `=`, found `Otto`", "`winners Vera`"),
    ],
)
def test_slips_at_a_table_are_answered_with_the_form(line: str, column: int, message: str, hint: str) -> None:
    text = f"Game: boreal\nPlayers: Vera, Otto\nLanguage: en\n\nlight arrows = Vera\n{line}\n"
    (fault,) = VALIDATOR.validate(parse_log(text, "log")).findings
    assert (fault.span.column, str(fault.message)) == (column, message)
    assert hint in str(fault.hint or "")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("gap 0", "write `gap`, `gap chance` or `gap 3`"),
        ("gap many", "write `gap`, `gap chance` or `gap 3`"),
        ("result resigned", "write, on a line of its own, `result resigned B`"),
        ("result adjudicated", "write, on a line of its own, `result adjudicated; winners A`"),
        ("result adjudicated B", "write, on a line of its own, `result adjudicated; winners A`"),
        ("result time; winners A", "write, on a line of its own, `result time B`"),
        ("result agreed A", "write, on a line of its own, `result agreed`"),
    ],
)
def test_a_line_that_lacks_something_is_answered_in_the_notation(line: str, hint: str) -> None:
    log = parse_log(f"Game: nim\nPlayers: A, B\n\n{line}\n", "log.ludexlog")
    faults = [fault for fault in VALIDATOR.validate(log).findings if fault.is_error]
    assert faults
    assert all(fault.hint == hint for fault in faults)
    # It is right, and in other forms the members have names.
    data = parse_log(
        '{"ludex": 1, "game": "nim", "players": 2}\n{"result": {"by": "agreed", "player": 1}}\n', "a.jsonl"
    )
    assert [fault.hint for fault in VALIDATOR.validate(data).findings if fault.is_error] == ["it has by and winners"]


def test_an_outcome_after_its_move_is_sent_to_a_line_of_its_own() -> None:
    (fault,) = VALIDATOR.validate(parse_log("Game: pig\nPlayers: 2\n\nroll 4\n", "log")).findings
    assert (fault.code.code, fault.span.column) == ("L501", 6)
    assert "write `roll.throw = 1..6`" in str(fault.hint)


def test_what_a_doubtful_word_may_mean_is_named_in_the_language() -> None:
    text = "Game: boreal\nPlayers: Vera, Otto\n\nVera: swap 1,5 3,4\n"
    fault = VALIDATOR.validate(parse_log(text, "log")).findings[0]
    assert fault.code.code == "L502"
    assert "`resolve.swap_market` and `resolve.swap_pyramid`" in fault.message
    assert "`swap_on_the_board` and `swap_in_the_pyramid`" in in_language(fault.message, "en")


def test_a_long_word_is_searched_for_other_notations_in_linear_time() -> None:
    log = parse_log(f"Game: pig\nPlayers: 2\n\n1: roll {'a' * 100_000}\n", "log")
    assert [fault.code.code for fault in VALIDATOR.validate(log).findings if fault.is_error] == ["L501"]


@pytest.mark.parametrize("name", ["game.pgn", "game.ludexlog"])
def test_the_header_of_a_record_of_chess_is_one_fault(name: str) -> None:
    text = '[Event "Club"]\n[Result "1-0"]\n\n1. e2 e4 e7 e5 1-0\n'
    (fault,) = VALIDATOR.validate(parse_log(text, name, form_of(name, text))).findings
    assert (fault.code.code, fault.span.line) == ("L503", 1)
    assert "`Event: Club`" in str(fault.hint)
    assert "`Game: NAME`" in str(fault.hint)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Game: pig\nPlayers: 2\nLanguage: xx\n\n1: roll\nroll.throw = 4\nclaim not over\n", 11),
        ('{"ludex": 1, "game": "pig", "players": 2, "tags": {"language": "xx"}}\n{"claim": {"terminal": false}}\n', 64),
    ],
)
def test_an_unknown_language_is_warned_of_at_the_tag(text: str, column: int) -> None:
    report = VALIDATOR.validate(parse_log(text, "log", form_of("log", text)))
    (warning,) = report.findings
    assert (warning.code.code, warning.pointer, warning.span.column) == ("L570", "/tags/language", column)
    assert warning.hint == "it has en, ru and he"
    known = VALIDATOR.validate(parse_log(text.replace("xx", "he"), "log", form_of("log", text)))
    assert not known.findings


KUHN = """\
Game: kuhn_poker
Players: Anna, Boris
Event: Club evening
Date: 2026-11-23
weather: fine
Tag "time control": 5 minutes
Id Anna: 4711
# at the club

deal setup.deal to Anna = {queen}   # not seen by Boris
deal setup.deal to Boris = {?}
# they think
Anna: bet; clock 0:04:31; claim not over; size deck = 1   # at last
claim card(Anna) = queen; stake(Anna) = 2
Boris: ?
"""


def test_a_text_log_equals_its_json_lines() -> None:
    lines = [json.loads(line) for line in converted(KUHN, "json").splitlines()]
    assert lines == [
        {
            "ludex": 1,
            "game": "kuhn_poker",
            "players": ["Anna", "Boris"],
            "tags": {"event": "Club evening", "date": "2026-11-23", "weather": "fine", "time control": "5 minutes"},
            "ids": {"Anna": "4711"},
            "note": "at the club",
        },
        {"deal": "setup.deal", "to": "Anna", "cards": ["queen"], "note": "not seen by Boris"},
        {"deal": "setup.deal", "to": "Boris", "cards": ["unknown"]},
        {"note": "they think"},
        {
            "player": "Anna",
            "action": "bet",
            "claim": {"terminal": False, "state": [{"of": "deck", "size": 1}]},
            "clock": "0:04:31",
            "note": "at last",
        },
        {
            "claim": {
                "state": [
                    {"of": "card", "at": ["Anna"], "is": "queen"},
                    {"of": "stake", "at": ["Anna"], "is": 2},
                ]
            }
        },
        {"player": "Boris", "action": "unknown"},
    ]
    assert converted(converted(KUHN, "json"), "json") == converted(KUHN, "json")
    assert converted(converted(converted(KUHN, "json"), "text"), "json") == converted(KUHN, "json")


RESULTS: tuple[Mapping[str, Json], ...] = (
    {"result": {"by": "resigned", "player": "A B"}},
    {"result": {"by": "time", "player": 2, "winners": ["A B"]}, "note": 'had "enough"'},
    {"result": {"by": "adjudicated", "winners": [1, 2]}},
    {"result": {"by": "abandoned"}},
    {"gap": True},
    {"gap": "chance", "claim": {"terminal": False}},
    {"gap": 3},
    {"note": "two\nlines"},
    {"note": '"quoted" # and more'},
    {"note": ""},
    {"note": " "},
    {"deal": "setup.row", "cards": ["l01", "unknown"]},
    {"deal": "setup.start", "to": 2, "cards": [1, 2]},
    {"claim": {"scores": [3, -4], "winners": [], "terminal": True}},
    {"claim": {"winners": ["none", 1], "scores": {"A B": 3}}},
    {"claim": {"state": [{"of": "pyramid", "at": [1, {"level": 1, "col": 2}], "is": None}]}},
    {"claim": {"state": [{"of": "hand", "at": ["none"], "is": ["l01", "l02"], "size": 2}]}},
    {"claim": {"state": [{"of": "round", "at": [], "is": 3}]}},
    {"player": 1, "action": "no such action"},
    {"player": 9, "action": "roll"},
    {"chance": "roll.die", "outcome": 4, "extra": 1},
    {"ludex": 1, "game": "x"},
    {},
)


@pytest.mark.parametrize("line", RESULTS, ids=str)
def test_every_written_line_is_read_back(line: Mapping[str, Json]) -> None:
    writer = WRITER
    text = writer.line(line)
    read = json.loads(text) if text.startswith("{") else writer.reader.line(text).data
    assert read == line
    assert "\n" not in text


@given(
    made_events(),
    st.fixed_dictionaries(
        {},
        optional={
            "note": st.text(max_size=12),
            "clock": st.sampled_from(["0:04", "1:02:03"]),
            "claim": st.fixed_dictionaries(
                {},
                optional={
                    "scores": st.lists(st.integers(-9, 99), min_size=2, max_size=2),
                    "winners": st.sampled_from([[], [1], ["A B", "none"]]),
                    "terminal": st.booleans(),
                },
            ).filter(bool),
        },
    ),
)
@cases(200)
def test_events_with_notes_survive(event: Any, remarks: Mapping[str, Json]) -> None:
    writer = WRITER
    line = writer.canonical({**line_of(GAME, event, writer.names), **remarks})
    text = writer.line(line)
    read = json.loads(text) if text.startswith("{") else writer.reader.line(text).data
    assert writer.canonical(read) == line
    assert "\n" not in text


@given(
    st.fixed_dictionaries(
        {
            "game": st.text(max_size=8),
            "players": st.integers(1, 9) | st.lists(st.text(max_size=8), min_size=1, max_size=3),
        },
        optional={
            "edition": st.text(max_size=5),
            "note": st.text(max_size=12),
            "options": st.dictionaries(
                st.text(max_size=5), st.integers(-(10**19), 10**19) | st.text(max_size=5) | st.booleans(), max_size=2
            ),
            "readings": st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
            "tags": st.dictionaries(
                st.sampled_from(["event", "Event", "game", "x y", "a:b", "", "Anna", "1"]),
                st.text(max_size=9),
                max_size=3,
            ),
            "from": st.just({"rows": ["a"]}),
        },
    )
)
@cases(200)
def test_every_header_survives(header: Mapping[str, Json]) -> None:
    data = {"ludex": 1, **header}
    log = parse_log(WRITER.header(data), "x.ludexlog")
    assert log.header is not None
    assert log.header.data == data
    assert (log.events, log.faults) == ((), ())


@pytest.mark.parametrize(
    ("line", "code", "column", "message"),
    [
        ("Anna: bett", "L441", 7, "no action"),
        ("Anna: bet; clokc 0:04", "L500", 12, "expected `clock` or `claim`, found `clokc`"),
        ("Anna: bet; clock soon", "L444", 18, "a time"),
        ("Anna: bet; claim scores Anna 3, 4", "L500", 34, "points of each player"),
        ("Anna: bet; claim card = jack", "L443", 18, "at"),
        ("Anna: bet; claim cards(Anna) = jack", "L444", 18, "state or zone"),
        ("Anna: bet; claim over; over", "L500", 24, "claimed twice"),
        ("result resined Boris", "L444", 8, "resigned"),
        ("result", "L443", 7, '"by"'),
        ("result ; winners Anna # by whom?", "L443", 7, '"by"'),
        ("result agreed draw", "L442", 15, '"player"'),
        ("result resigned Boris; claim winners Anna", "L481", 30, "`result` names the winners of an early end"),
        ('{"player": "Anna", "action": "bett"}', "L441", 30, "no action"),
        ('{"player": "Anna"', "L405", 18, ""),
        ("Clara: bet", "L446", 1, "Anna"),
        ('position {"state": 01}', "L405", 20, "not a JSON number"),
        ("position", "L405", 9, "a value is missing"),
        (f"position {'[' * 100_000}", "L409", 74, "64 levels"),
        ("well played", "L500", 1, "expected a move"),
    ],
)
def test_a_fault_is_reported_at_the_word(line: str, code: str, column: int, message: str) -> None:
    text = f"Game: kuhn_poker\nPlayers: Anna, Boris\n\nsetup.deal = queen\nsetup.deal = jack\n{line}\n"
    report = VALIDATOR.validate(parse_log(text, "x.ludexlog"))
    found = [(each.code.code, each.span.line, each.span.column) for each in report.findings if each.is_error]
    assert found == [(code, 6, column)]
    assert message in next(each for each in report.findings if each.is_error).message


@pytest.mark.parametrize(
    ("header", "code", "line", "column"),
    [
        ("Game: kuhn_poker\nPlayers: Anna, Anna\n", "L429", 2, 16),
        ("Game: kuhn_poker\nPlayers: 2\nDate: soon\n", "L424", 3, 7),
        ("Game: kuhn_poker\nPlayers: 2\nnonsense\n", "L503", 3, 1),
        ("Game: kuhn_poker\nGame: pig\nPlayers: 2\n", "L503", 2, 1),
        ("Game: kuhn\nPlayers: 2\n", "L425", 1, 7),
        ("Players: 2\n", "L423", 1, 1),
        ('Game: pig\nPlayers: 2\nTag a: "\\ud800"\n', "L503", 3, 8),
        ('Game: pig\nPlayers: 2\n{"note": "\\ud800"}\n', "L503", 3, 10),
        ('Game: pig\nPlayers: 2\n{"tags": {"a": "1", "a": "2"}}\n', "L503", 3, 21),
        ('Game: pig\nPlayers: 2\n{"options": {"size": NaN}}\n', "L503", 3, 22),
    ],
)
def test_a_fault_in_the_header_is_reported_at_the_word(header: str, code: str, line: int, column: int) -> None:
    report = VALIDATOR.validate(parse_log(f"{header}\nsetup.deal = queen\n", "x.ludexlog"))
    found = [(each.code.code, each.span.line, each.span.column) for each in report.findings if each.is_error]
    assert (code, line, column) in found


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("Game: pig\nPlayers: Anna, Boris\n", "Anna: roll"),
        ("Game: pig\nPlayers: Anna Maria, Boris\n", "Anna Maria: roll"),
        ("Game: pig\nPlayers: 2\n", "1: roll"),
        ("Game: pig\nPlayers: 2\nDate: 2026-11-23\n", "1: roll"),
    ],
)
def test_the_first_line_of_a_player_ends_the_header_where_the_blank_line_is_missing(header: str, line: str) -> None:
    """One report says so, and the lines are judged as events."""
    text = f"{header}{line}\nroll.throw = 4\n{line.replace('roll', 'hold')}\nnonsense\n"
    first, second = VALIDATOR.validate(parse_log(text, "x.ludexlog")).findings
    number = header.count("\n") + 1
    assert (first.code.code, first.span.line, first.span.column) == ("L503", number, 1)
    assert "a blank line ends the header" in (first.hint or "")
    assert (second.code.code, second.span.line) == ("L500", number + 3)


@pytest.mark.parametrize(
    ("line", "column", "hint"),
    [
        ("Anna: scout s07, refill = l02", 13, "write two lines: `Anna: scout s07` and `refill = l02`"),
        ("deal setup.row {s12}", 15, "write `deal setup.row = {s12}`"),
        ("deal setup.row to Anna {s12, s13} # seen", 23, "write `deal setup.row to Anna = {s12, s13}`"),
        ("claim scores Anna: 3", 18, "write `claim scores Anna 3`"),
        ("claim over; scores Anna: 3, Boris: 4", 24, "write `claim scores Anna 3, Boris 4`"),
    ],
)
def test_a_slip_of_form_is_answered_with_the_right_lines(line: str, column: int, hint: str) -> None:
    report = VALIDATOR.validate(parse_log(f"{BOREAL}{line}\n", "x.ludexlog"))
    assert [(each.span.column, each.hint) for each in report.findings] == [(column, hint)]


def test_a_line_of_a_player_above_the_players_is_no_tag() -> None:
    report = VALIDATOR.validate(parse_log("Game: pig\nAnna: roll\nPlayers: Anna, Boris\n", "x.ludexlog"))
    assert [(each.code.code, each.span.line) for each in report.findings] == [("L503", 2)]


def test_a_tag_may_have_the_name_of_a_player() -> None:
    text = "Game: pig\nPlayers: Anna, Boris\nTag Anna: left-handed\n\nAnna: roll\n"
    log = parse_log(text, "x.ludexlog")
    assert not log.faults
    assert log.header is not None
    data = log.header.data or {}
    assert data["tags"] == {"Anna": "left-handed"}
    assert "Tag Anna: left-handed\n" in WRITER.header(data)


def test_a_tag_that_is_there_twice_gets_the_hint_that_its_lines_may_be_events() -> None:
    text = "Game: pig\nPlayers: Anna, Boris\nroll: 4\nroll: 5\n"
    finding = parse_log(text, "x.ludexlog").faults[0]
    assert (finding.span.line, finding.hint) == (4, "a blank line ends the header")


def test_after_many_faulty_lines_the_rest_is_skipped() -> None:
    log = parse_log("Game: kuhn_poker\nPlayers: 2\n\n" + "nonsense\n" * 200, "x.ludexlog")
    report = VALIDATOR.validate(log)
    assert [finding.span.line for finding in report.findings if finding.is_error] == list(range(4, 4 + MAX_DAMAGED))
    assert "up to line 203, were skipped" in report.findings[-1].notes[0].message


@pytest.mark.parametrize(
    ("begin", "word"), [("1: roll", "( "), ("1: roll; ", "x; "), ("claim scores ", "1, "), ("1: ", "x ")]
)
def test_a_line_of_too_many_words_is_refused(begin: str, word: str) -> None:
    log = parse_log(f"Game: pig\nPlayers: 2\n\n{begin}{word * 9_000}\n", "x.ludexlog")
    (fault,) = VALIDATOR.validate(log).findings
    assert (fault.code.code, fault.span.line) == ("L500", 4)
    assert "the limit is 8,000" in fault.message


def test_the_longest_deal_is_read() -> None:
    cards = ", ".join(["(ace, spades)"] * MOST_CARDS)
    log = parse_log(f"Game: crazy_eights\nPlayers: 2\n\ndeal setup.deal = {{{cards}}}\n", "x.ludexlog")
    assert "L500" not in [finding.code.code for finding in VALIDATOR.validate(log).findings]


def test_a_text_log_may_begin_in_a_position() -> None:
    text = "Game: tic_tac_toe\nPlayers: 2\nFrom: spec/games/tic_tac_toe/positions/fork.yaml\n\n"
    play = VALIDATOR.play(parse_log(text, "x.ludexlog"))
    assert play.report.verdict == "legal"
    assert play.report.header is not None
    assert play.report.header.start == "spec/games/tic_tac_toe/positions/fork.yaml"
    assert VALIDATOR.convert(parse_log(text, "x.ludexlog"), "text") == text


@pytest.mark.parametrize(
    ("tag", "hint"),
    [
        ("Editon: aid", "did you mean `Edition`?"),
        ("Reading_: 2", "did you mean `Reading`?"),
        ("hand_size: 3", "write Option hand_size: ..."),
        ("Hand size: 3", "write Option hand_size: ..."),
        ("Weather: rain", None),
        ("Opening: in the centre", None),
        ("Tag Editon: aid", None),
    ],
)
def test_a_tag_that_looks_like_a_setting_gets_a_warning(tag: str, hint: str | None) -> None:
    log = f"Game: crazy_eights\nPlayers: 2\n{tag}\n\nclaim not over\n"
    report = VALIDATOR.validate(parse_log(log, "x.ludexlog"))
    assert report.verdict == "legal"
    assert [(finding.code.code, finding.hint) for finding in report.findings] == ([("L570", hint)] if hint else [])


@pytest.mark.parametrize("name", ("x.jsonl", "x.yaml"))
@pytest.mark.parametrize(
    ("tag", "hint"),
    [
        ("editon", '`"edition": ...` beside `"tags"`'),
        ("Edition", '`"edition": ...` beside `"tags"`'),
        ("readin", '`"readings": ...` beside `"tags"`'),
        ("FEN", '`"from": ...` beside `"tags"`'),
        ("hand_size", 'write "options": {"hand_size": ...}'),
        ("result", '`{"result": {"by": "resigned", "player": ...}}`'),
        ("дата", "did you mean `date`?"),
        ("event", None),
        ("weather", None),
        ("opening", None),
    ],
)
def test_a_tag_in_json_or_yaml_that_looks_like_a_setting_gets_a_warning(name: str, tag: str, hint: str | None) -> None:
    header = json.dumps({"ludex": 1, "game": "crazy_eights", "players": 2, "tags": {tag: "x"}}, ensure_ascii=False)
    line = {"x.jsonl": '{"claim": {"terminal": false}}\n', "x.yaml": ""}[name]
    report = VALIDATOR.validate(parse_log(f"{header}\n{line}", name))
    assert report.verdict == "legal"
    doubted = [finding for finding in report.findings if finding.code.code == "L570"]
    assert [(finding.pointer, str(hint) in str(finding.hint)) for finding in doubted] == (
        [(f"/tags/{tag}", True)] if hint else []
    )


def test_missing_lines_are_listed_in_the_notation() -> None:
    text = "Game: kuhn_poker\nPlayers: Anna, Boris\n\nsetup.deal = queen\nAnna: bet\ngap true\n"
    [missing] = [
        each for each in VALIDATOR.play(parse_log(text, "x.ludexlog"), fills=True).report.findings if each.hint
    ]
    assert [note.message for note in missing.notes] == ["setup.deal = ?"]
    assert missing.hint is not None
    assert missing.hint.endswith("replace `?` by what is known")


def test_an_illegal_move_is_reported_in_the_notation() -> None:
    text = "Game: tic_tac_toe\nPlayers: Anna, Boris\n\nAnna: claim 2,2\nBoris: claim 2,2  # ?!\n"
    report = VALIDATOR.validate(parse_log(text, "x.ludexlog"))
    [finding] = [each for each in report.findings if each.is_error]
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (5, 14, 17)
    assert finding.legal[0].startswith("Boris: claim ")


def test_a_tag_may_have_a_comment() -> None:
    text = (
        'Game: pig # with dice\nPlayers: Anna, "B # o" # at the club\nTable: #5\nDate: 2026-11-23\t# Monday\n\nroll\n'
    )
    header = json.loads(converted(text, "json").splitlines()[0])
    assert (header["game"], header["players"]) == ("pig", ["Anna", "B # o"])
    assert header["tags"] == {"table": "#5", "date": "2026-11-23"}
    assert header["note"] == "with dice\nat the club\nMonday"
    assert json.loads(converted(converted(text, "text"), "json").splitlines()[0]) == header


def test_the_form_is_recognized_by_the_ending_or_the_tags(tmp_path: Path) -> None:
    assert form_of("x.ludexlog") == form_of("-", KUHN) == form_of("-", f"# at night\n\n{KUHN}") == "text"
    assert form_of("-", "game: pig\nludex: 1\n") == "yaml"
    (tmp_path / "x.ludexlog").write_bytes(b"\xef\xbb\xbf" + KUHN.replace("\n", "\r\n").encode())
    report = VALIDATOR.validate(read_log(tmp_path / "x.ludexlog"))
    assert report.verdict == "legal"
    assert report.events == 4
    assert write_log({}, []) == "{}\n"


SIGNS = st.sampled_from(
    [b"", b'"', b"(", b"}", b";", b"#", b":", b"=", b",", b"?", b"\n", b"\n\n", b"\xff", b"\\", b"claim ", b"{"]
)


@given(st.integers(0, len(KUHN)), st.integers(0, 3), SIGNS)
@cases(200)
def test_a_damaged_text_log_is_reported_without_exceptions(at: int, dropped: int, sign: bytes) -> None:
    content = KUHN.encode()
    damaged = content[:at] + sign + content[at + dropped :]
    log = parse_log(damaged, "x.ludexlog")
    report = VALIDATOR.validate(log)
    lines = damaged.count(b"\n") + 1
    assert all(1 <= finding.span.line <= lines and finding.span.column > 0 for finding in report.findings)
    assert isinstance(VALIDATOR.convert(log, "json"), str) or report.verdict != "legal"


BOREAL = "Game: boreal\nPlayers: Anna, Boris\n\n"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Anna: scout s01\nrefill = l01", "Anna: scout s01\nscout.refill = l01"),
        ("Anna: разведка s01\nновая карта после разведки = l01", "Anna: scout s01\nscout.refill = l01"),
        ("Anna: reserve_market s01\nrefill = ?", "Anna: resolve.reserve_market s01\nresolve.reserve_market.refill = ?"),
        ("Anna: карта с поля в резерв s01", "Anna: resolve.reserve_market s01"),
        ("Anna: обмен на поле 2 другая_ячейка 4", "Anna: resolve.swap_market 2 b 4"),
        ("  карты  на поле = s01", "setup.row = s01"),
        ("deal карты на поле = {s01, s02}", "deal setup.row = {s01, s02}"),
        ("Anna: удалить s01", "Anna: resolve.remove_market s01"),
        ("Anna: изучение s09 1 4\nновая карта = l01", "Anna: study s09 at 1,4\nstudy.refill = l01"),
        ("Anna: scout s01\nновая карта = l01", "Anna: scout s01\nscout.refill = l01"),
        ("верхняя = ?", "resolve.peek3.look = ?"),
    ],
)
def test_spaces_and_last_names_of_paths_are_accepted(short: str, long: str) -> None:
    read, canonical = (converted(f"{BOREAL}{text}\n", "json").splitlines() for text in (short, long))
    # The first line has the tag of the language.
    assert read[1:] == canonical[1:]


@pytest.mark.parametrize(
    "lines", ["refill = l01", "Anna: decline\nrefill = l01", "Anna: swap_market 1 2\nrefill = l01"]
)
def test_a_name_shared_by_several_chance_events_needs_a_move_before(lines: str) -> None:
    with pytest.raises(AssertionError, match="L502"):
        converted(f"{BOREAL}{lines}\n", "json")


BORA_BORA = "Game: bora_bora\nPlayers: Anna, Boris\n\n"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Anna: first hut c_nw hut from 12th space", "Anna: start_hut c_nw space twelfth"),
        ("Anna: Blue God God tile", "Anna: blue_god tile"),
        ("Anna: place a die 6 Land Path", "Anna: place_die 6 tile land_action"),
        # `surrender` is an action, but no choice of `task` follows it.
        ("Anna: surrender a task rings_2", "Anna: surrender rings_2"),
        ("Anna: take a tile 1 12th space", "Anna: take_person 1 twelfth"),
        ("deal God card dealt to Anna = {Blue God, White God}", "deal setup.cards to Anna = {blue, white}"),
        ("Anna: use man kind Land Path tiles 2", "Anna: activate man land_path 2"),
    ],
)
def test_names_of_values_and_choices_are_written_with_spaces(short: str, long: str) -> None:
    read, canonical = (converted(f"{BORA_BORA}{text}\n", "json").splitlines() for text in (short, long))
    # The first line has the tag of the language.
    assert read[1:] == canonical[1:]


@pytest.mark.parametrize(
    ("game", "line", "code", "column", "said"),
    [
        ("boreal", "новая карта l09", "L500", 1, "an outcome of chance is written with `=`"),
        ("boreal", "setup.row = s12, s11", "L501", 13, "`deal setup.row = {s12, s11}`"),
        ("boreal", "Anna: обмен 1 2", "L502", 7, "`resolve.swap_market` and `resolve.swap_pyramid`"),
        ("boreal", "points 3, 4", "L500", 1, "`claim`"),
        ("backgammon", "roll = 3 4", "L500", 10, "`deal roll = {3, 4}`"),
        ("breakthrough", "1. a7-a6", "L501", 4, "`a7 a6`"),
        ("breakthrough", "1. a7a6", "L501", 4, "`a7 a6`"),
        ("breakthrough", "Anna advance a7 a6", "L500", 5, "`:` is missing after the player"),
    ],
)
def test_common_mistakes_are_answered_with_the_right_form(
    game: str, line: str, code: str, column: int, said: str
) -> None:
    report = VALIDATOR.validate(parse_log(f"Game: {game}\nPlayers: Anna, Boris\n\n{line}\n", "x.ludexlog"))
    [fault] = [each for each in report.findings if each.is_error]
    assert (fault.code.code, fault.span.column) == (code, column)
    assert said in f"{fault.message} {fault.hint}"


def test_a_faulty_move_casts_no_doubt_on_the_words_after_it() -> None:
    lines = "setup.tokens = Anna\nAnna: scouting s01\nrefill = l01\nAnna: scout (s02\nrefill = l02\n"
    report = VALIDATOR.validate(parse_log(f"{BOREAL}{lines}", "x.ludexlog"))
    assert [finding.span.line for finding in report.findings if finding.is_error] == [5, 7]


def test_a_value_of_another_type_is_answered_with_the_form_of_the_move() -> None:
    [fault] = VALIDATOR.validate(parse_log(f"{BOREAL}Anna: study 1,3 s09\n", "log")).findings[:1]
    assert (fault.code.code, fault.hint) == ("L501", "write study Place at level,col")


def test_a_card_can_be_written_without_its_sign() -> None:
    begun = "Game: crazy_eights\nPlayers: 2\n\n"
    [fault] = VALIDATOR.validate(parse_log(f"{begun}1: lay J*\n", "log")).findings[:1]
    assert (fault.code.code, fault.hint) == ("L501", "`A♣` may also be written `ace,clubs`")
    assert converted(f"{begun}1: lay jack,spades\n", "json") == converted(f"{begun}1: lay J♠\n", "json")


def test_tags_in_another_language_are_answered_with_the_known_ones() -> None:
    report = VALIDATOR.validate(parse_log("Игра: boreal\nИгроки: Маша, Олег\n\nМаша: scout s01\n", "log.ludexlog"))
    assert [(each.code.code, each.hint) for each in report.findings] == [
        ("L423", f"did you mean `{tag}`?") for tag in ("Game", "Players")
    ]


def hints(*lines: str, game: str = "tic_tac_toe", tags: str = "") -> list[str]:
    text = "\n".join((f"Game: {game}", "Players: Anna, Boris", *filter(None, [tags]), "", *lines, ""))
    return [str(each.hint) for each in VALIDATOR.validate(parse_log(text, "log.ludexlog")).findings if each.is_error]


def test_a_place_with_one_index_needs_no_further_brackets() -> None:
    moves = "Anna: claim 2,2", "Boris: claim 1,2"
    for claim in ("claim mark(1,2) = Boris", "claim mark((1,2)) = Boris"):
        assert hints(*moves, claim) == []
    assert len(hints(*moves, "claim mark(1,2) = Anna")) == 1


def test_what_is_meant_is_said() -> None:
    assert hints("Anna: claim 2,2", "claim hand = 3") == ["`tic_tac_toe` has `mark`"]
    assert hints("claim 3,3") == ["`claim` states a fact here; for the move write `Anna: claim 3,3`"]
    assert hints("Anna: 2,2") == ["did you mean `claim 2,2`?"]
    assert hints("dealer = Boris", "Boris: Q♠", game="crazy_eights") == ["did you mean `lay Q♠`?"]
    assert hints("Anna: rol", game="pig") == ["did you mean `roll`?"]
    assert hints(tags="Date: 23.11.2026") == ["did you mean `2026-11-23`?"]
    assert hints(tags="Date: 3/4/2026") == ["None"], "the month may be first"
    for resigned in ("Anna: resign", "result: Anna resigned", "Anna resigns"):
        assert "`result resigned Anna`" in hints(resigned)[0]
