"""Reading and writing of logs: accepted lines, and the exact places of faults."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ludex.grammar import Diagnostic, whole_file, yaml_tree
from ludex.interpreter.logs.log_codes import LOG_CODES
from ludex.interpreter.logs.record import json_lines
from ludex.interpreter.logs.record.json_lines import MAX_DAMAGED, MAX_LINE_BYTES
from ludex.interpreter.logs.record.json_places import DECODER, TextFault, scan
from ludex.interpreter.logs.record.log import parse_log, read_log, write_log
from ludex.interpreter.logs.record.records import Log

from ..cases import cases
from .log_lines import mutated

BAD_LOGS = Path(__file__).parents[1] / "games" / "bad_logs"
HEADER = '{"ludex": 1, "game": "pig", "players": 2}'
GOOD = '{"player": 1, "action": "roll"}'


def found(log: Log) -> list[tuple[str, int, int]]:
    return [(fault.code.code, fault.span.line, fault.span.column) for fault in log.faults]


def second_line(text: str) -> Diagnostic:
    """Return the only fault of a log with this second line and a good third one."""
    (fault,) = parse_log(f"{HEADER}\n{text}\n{GOOD}\n").faults
    assert fault.span.line == 2
    return fault


BROKEN = [
    ('{"a": 1,}', "L405", 9, "there is a comma before the closing `}`"),
    ('{"a": [1,]}', "L405", 10, "there is a comma before the closing `]`"),
    ('{"a": 1 "b": 2}', "L405", 9, "a comma before the next member"),
    ('{"a": [1 2]}', "L405", 10, "a comma before the next item"),
    ('{"a" 1}', "L405", 6, "a colon after the name"),
    ("{a: 1}", "L405", 2, "the name a has no quotes"),
    ("{'a': 1}", "L405", 2, "the name of a member was expected"),
    ("{1: 1}", "L405", 2, "the name of a member was expected"),
    ('{"a": l03}', "L405", 7, "the text `l03` has no quotes"),
    ('{"a": True}', "L405", 7, "True is not a JSON value"),
    ('{"a": None}', "L405", 7, "None is not a JSON value"),
    ('{"a": 01}', "L405", 7, "this is not a JSON number"),
    ('{"a": 1.}', "L405", 7, "this is not a JSON number"),
    ('{"a": +1}', "L405", 7, "a value was expected"),
    ('{"a": }', "L405", 7, "a value was expected"),
    ('{"a": 1}}', "L405", 9, "follows after the end of the object"),
    ('{"a": 1} {"b": 1}', "L405", 10, "a second object follows on this line"),
    ('{"a": "x\ty"}', "L405", 9, "the control character U+0009"),
    (r'{"a": "x\y"}', "L405", 9, "is not a JSON escape"),
    ('{"a": "x', "L405", 9, "the text that begins in column 7 is never closed"),
    ('{"a": 1', "L405", 8, "is missing"),
    ('{"a":', "L405", 6, "a value is missing"),
    ("{", "L405", 2, "the object opened in column 1 is never closed"),
    ('{"a": 1, "a": 2}', "L407", 10, 'the object has two members "a"'),
    ('{"x": {"a": 1, "a": 1}}', "L407", 16, 'the object has two members "a"'),
    ('{"a": NaN}', "L408", 7, "NaN is not a JSON number"),
    ('{"a": [-Infinity]}', "L408", 8, "-Infinity is not a JSON number"),
    ('{"a": 123456789012345678901}', "L408", 7, "the number has 21 digits"),
    ('{"a": -123456789012345678901}', "L408", 7, "the number has 21 digits"),
    (f'{{"a": {"9" * 5000}}}', "L408", 7, "the number has 5000 digits"),
    ('{"a": -1e999}', "L408", 7, "this number is too large"),
    ('{"a":' * 65, "L409", 321, "more than 64"),
    ("[" * 100_000, "L409", 65, "more than 64"),
    ('["a"]', "L410", 1, "a list of 1"),
    ("12", "L410", 1, "the number 12"),
    ('"roll"', "L410", 1, '"roll"'),
    ("null", "L410", 1, "null"),
    (r'{"a": "\ud800"}', "L415", 7, "half a character"),
    (r'{"\uDfff": 1}', "L415", 2, "half a character"),
]


@pytest.mark.parametrize(("text", "code", "column", "words"), BROKEN, ids=[text[:20] for text, *_ in BROKEN])
def test_a_broken_line_is_reported_at_its_column(text: str, code: str, column: int, words: str) -> None:
    fault = second_line(text)
    assert (fault.code.code, fault.span.column) == (code, column), fault
    assert words in fault.message


@pytest.mark.parametrize(
    "text", ['{"a": "x', '{"a": 1', '{"a": "x\\', '{"a": "\\u04', "{", '{"a":', '{"a', '{"a": [1,']
)
def test_an_unfinished_last_line_is_reported(text: str) -> None:
    log = parse_log(f"{HEADER}\n{GOOD}\n{text}")
    assert found(log) == [("L406", 3, len(text) + 1)]
    assert [record.data is None for record in log.events] == [False, True]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (f"{HEADER}\n[1]\n", 'such as {"player": 1, "action": "decline"}'),
        ("- {ludex: 1}\n- roll\n", "such as {player: 1, action: decline}"),
    ],
)
def test_a_line_that_is_no_event_is_reported_in_plain_words(text: str, hint: str) -> None:
    (fault,) = parse_log(text).faults
    assert fault.message.startswith("a line of a log must be an object in braces; this is ")
    assert fault.hint == hint


@pytest.mark.parametrize("number", ("12345678901234567890", "-12345678901234567890"))
def test_a_sign_is_no_digit(number: str) -> None:
    scan(number)
    assert DECODER.decode(number) == int(number)


def test_a_damaged_line_keeps_its_number() -> None:
    log = parse_log(f"{HEADER}\n{GOOD}\n{{oops\n{GOOD}\n[1]\n{GOOD}\n")
    assert found(log) == [("L405", 3, 2), ("L410", 5, 1)]
    assert [record.data is None for record in log.events] == [False, True, False, True, False]


def test_after_many_damaged_lines_the_rest_is_skipped() -> None:
    log = parse_log("\n".join([HEADER, *["{"] * 10_000]))
    assert len(log.faults) == MAX_DAMAGED
    assert "were skipped" in log.faults[-1].notes[0].message


def test_line_ends_byte_order_marks_and_blank_lines_are_accepted() -> None:
    log = parse_log(f"\ufeff{HEADER}\r\n\r\n{GOOD}\r\n \n{GOOD}\n\n\n".encode())
    assert found(log) == [("L414", 2, 1)]
    assert "and 1 more" in log.faults[0].message
    assert not log.faults[0].is_error
    assert [record.place().line for record in log.events] == [3, 5]


@pytest.mark.parametrize("text", ["", "\n\n", "  ", b"", b"\xef\xbb\xbf"])
def test_an_empty_text_is_no_log(text: str | bytes) -> None:
    assert found(parse_log(text)) == [("L402", 1, 1)]


def test_undecodable_bytes_discard_only_their_line() -> None:
    log = parse_log(f"{HEADER}\n{GOOD}\n".encode() + b'{"note": "\xd0\x90\xff"}\n' + GOOD.encode())
    assert found(log) == [("F105", 3, 12)]
    assert [record.data is None for record in log.events] == [False, True, False]


def test_a_log_cut_within_a_character_is_reported() -> None:
    log = parse_log(HEADER.encode() + b'\n{"note": "\xd0\x90\xd0')
    assert found(log) == [("L406", 2, 12)]


def test_half_a_character_is_reported_at_its_place() -> None:
    log = parse_log(f'{HEADER}\n{{"note": "\ud800"}}\n{GOOD}')
    assert found(log) == [("F105", 2, 11)]


def test_the_name_of_a_file_decides_its_form(tmp_path: Path) -> None:
    def codes_of(name: str, content: bytes) -> list[str]:
        path = tmp_path / name
        path.write_bytes(content)
        return [fault.code.code for fault in read_log(path).faults]

    assert codes_of("good.jsonl", f"{HEADER}\n{GOOD}\n".encode()) == []
    assert codes_of("empty.jsonl", b"") == ["L402"]
    assert codes_of("binary.jsonl", b"\x00\x01\x02") == ["F104"]
    assert codes_of("utf16.jsonl", HEADER.encode("utf-16")) == ["F105"]
    assert codes_of("latin.jsonl", b'{"note": "\xe9"}') == ["F105"]
    assert codes_of("cut.jsonl", HEADER.encode() + b'\n{"note": "\xd0') == ["L406"]
    assert codes_of("zeros.jsonl", f"{HEADER}\n{GOOD}\n".encode() + b"\0" * 100) == ["L405"]
    assert [fault.code.code for fault in read_log(tmp_path / "none.jsonl").faults] == ["F101"]
    assert [fault.code.code for fault in read_log(tmp_path).faults] == ["F102"]


def test_a_folder_or_missing_file_has_no_records(tmp_path: Path) -> None:
    log = read_log(tmp_path)
    assert (log.header, log.events) == (None, ())


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_json_file_may_hold_a_whole_log(indent: int | str | None) -> None:
    """As one object with `events`, as the schema allows; with a header in its first line it is JSON Lines."""
    header, event = {"ludex": 1, "game": "pig", "players": 2}, {"player": 1, "action": "roll"}
    whole = parse_log(json.dumps({**header, "events": [event]}, indent=indent), "pig.json")
    lines = parse_log(f"{json.dumps(header)}\n{json.dumps(event)}\n", "pig.json")
    for log in (whole, lines):
        assert not log.faults
        assert log.header is not None
        assert (log.header.data, [record.data for record in log.events]) == (header, [event])


def test_tabs_between_the_parts_of_json_change_neither_places_nor_texts() -> None:
    text = '\t{"ludex":\t1, "game": "pig", "players": 2,\n\t"note": "a\\"\tb", "events":\t[{"note":\t1}]}'
    log, blank = (parse_log(each, "pig.json") for each in (text, text.replace("\t", " ")))
    assert not log.faults
    assert log.header is not None
    assert log.header.data == {"ludex": 1, "game": "pig", "players": 2, "note": 'a"\tb'}
    assert log.events[0].place("/note") == blank.events[0].place("/note")
    # Within lines of YAML a tab is a fault as before.
    assert [fault.code.code for fault in parse_log("ludex: 1\n\tgame: pig\n", "pig.yaml").faults] == ["C202"]


@pytest.mark.parametrize("content", [f"{HEADER}\n{GOOD}\n", f"- {HEADER}\n- {GOOD}\n", f"[{HEADER},\n {GOOD}]"])
def test_the_form_of_standard_input_is_recognized(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    log = read_log("-")
    assert not log.faults
    assert log.header is not None
    assert log.header.data == json.loads(HEADER)
    assert [record.data for record in log.events] == [json.loads(GOOD)]


# ---- YAML


YAML = """\
ludex: 1
game: pig          # the dice game
players: [Ася, Елена]
events:
  - {player: Ася, action: roll}
  - chance: roll.die
    outcome: 4
    note: off the table, rolled again
"""


def test_a_mapping_in_yaml_is_a_log() -> None:
    log = parse_log(YAML, "pig.yaml")
    assert not log.faults
    assert log.header is not None
    assert log.header.data == {"ludex": 1, "game": "pig", "players": ["Ася", "Елена"]}
    assert log.events[1].data == {"chance": "roll.die", "outcome": 4, "note": "off the table, rolled again"}
    assert (log.events[1].place("/outcome").line, log.events[1].place("/outcome").column) == (7, 14)
    assert log.header.place("/players/1").column == 16


def test_a_list_in_yaml_is_a_log() -> None:
    log = parse_log("- {ludex: 1, game: pig, players: 2}\n- {player: 1, action: roll}\n", "pig.yml")
    assert not log.faults
    assert log.header is not None
    assert log.events[0].data == {"player": 1, "action": "roll"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("events: [", "C201"),
        ("ludex: 1\nevents: 3", "L416"),
        ("just words", "L416"),
        ("[]", "L402"),
        ("# a comment alone", "L402"),
        ("- {ludex: 1}\n- 3", "L410"),
        ("- {ludex: 1}\n- {a: 1, a: 2}", "C209"),
        ("- &a {ludex: 1}\n- *a", "C204"),
        ("- {ludex: 1}\n- {a: !!int 3}", "C205"),
        ("ludex: 1\n---\nludex: 1", "C206"),
        ("- {ludex: 1}\n- {a: \x07}", "C203"),
        ("- " * 100, "C207"),
    ],
)
def test_broken_yaml_is_reported(text: str, code: str) -> None:
    assert [fault.code.code for fault in parse_log(text, "x.yaml").faults] == [code]


def test_a_faulty_yaml_event_discards_only_itself() -> None:
    log = parse_log("- {ludex: 1}\n- {a: 1, a: 2}\n- {b: 1}\n", "x.yaml")
    assert [record.data for record in log.events] == [None, {"b": 1}]


# ---- places, writing, and whatever a text may be


def test_a_record_has_the_places_of_its_values() -> None:
    log = parse_log('{"ludex": 1}\n  {"args": {"at": {"level": 1}, "a/b": [10, 20]}}\n')
    (record,) = log.events
    assert [record.place(pointer).column for pointer in ("", "/args", "/args/at/level", "/args/a~1b/1")] == [
        3,
        12,
        29,
        45,
    ]
    assert record.place("/args/at", at_name=True).column == 13
    assert record.place("/args/at/col", at_name=True).column == 19
    assert record.place("/none").column == 3


def test_a_written_log_is_read_back() -> None:
    header: dict[str, Any] = {"ludex": 1, "game": "pig", "players": ["Ася", "אלינה"]}
    events: list[dict[str, Any]] = [{"player": 1, "action": "roll"}, {"chance": "die", "outcome": 3, "note": 'a "b"\n'}]
    text = write_log(header, events)
    assert text.splitlines()[0] == '{"ludex": 1, "game": "pig", "players": ["Ася", "אלינה"]}'
    log = parse_log(text)
    assert not log.faults
    assert log.header is not None
    assert [log.header.data, *(record.data for record in log.events)] == [header, *events]


def test_each_code_of_reading_has_a_sample() -> None:
    """These are the codes of `parse_log`; the others belong to `validate`."""
    reported = {code for _, code, *_ in BROKEN} | {"L402", "L406", "L414", "L416"}
    assert reported == {code.code for code in LOG_CODES if code.code < "L420"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
LINE = st.dictionaries(st.text(max_size=5), JSON, max_size=3).map(json.dumps)


@cases(600)
@given(LINE | mutated(LINE) | st.text())
def test_the_scanner_agrees_with_the_decoder(text: str) -> None:
    """Both accept the same texts, except half surrogate pairs, which only the scanner refuses."""
    assume("\\ud" not in text.lower() and not any("\ud800" <= letter <= "\udfff" for letter in text))
    try:
        DECODER.decode(text)
    except (ValueError, RecursionError):
        with pytest.raises(TextFault):
            scan(text)
    else:
        start, end = scan(text).value
        assert (start, end) == (len(text) - len(text.lstrip(" \t\n\r")), len(text.rstrip(" \t\n\r")))


def walk(data: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, data
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, item in items:
        yield from walk(item, f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}")


@given(LINE.filter(lambda line: "\\ud" not in line and "NaN" not in line and "Infinity" not in line))
def test_every_value_has_its_place(text: str) -> None:
    if any(isinstance(value, int) and abs(value) >= 10**19 for _, value in walk(json.loads(text))):
        return
    places = scan(text)
    for pointer, value in walk(json.loads(text)):
        place, is_there = places.at(pointer)
        assert is_there
        start, end = place.value
        assert json.loads(text[start:end]) == value


@cases(600)
@example(b"\r\x01\x00", True)
@example(b"a\rb\r\n\xff", True)
@given(
    st.text() | st.binary() | mutated(st.just(YAML)) | mutated(st.just(f"{HEADER}\n{GOOD}\n{GOOD}\n")), st.booleans()
)
def test_no_part_of_any_text_is_lost_in_silence(text: str | bytes, yaml: bool) -> None:
    content = (text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")).removeprefix(b"\xef\xbb\xbf")
    log = parse_log(text, "x.yaml" if yaml else "x.jsonl")
    records = [log.header, *log.events] if log.header else []
    errors = [fault for fault in log.faults if fault.is_error]
    assert errors or records
    assert errors or all(record.data is not None for record in records), "an unreadable record must have a fault"
    rows = content.split(b"\n")
    lines = [len(row.decode("utf-8", "replace")) for row in (re.split(rb"\r\n|\r|\n", content) if yaml else rows)]
    spans = [fault.span for fault in log.faults] + [record.place("/a/0/b", at_name=True) for record in records]
    for span in spans:
        assert span.line <= len(lines) + yaml
        assert span.line > len(lines) or span.column <= lines[span.line - 1] + 1 + yaml, (
            "the span must be within its line"
        )
    if records and not yaml and len(errors) < MAX_DAMAGED:
        numbers = [number for number, row in enumerate(rows, 1) if row.strip()]
        assert [record.place().line for record in records] == numbers
        for record, number in zip(records, numbers, strict=True):
            assert record.data is None or record.data == json.loads(rows[number - 1])


def test_a_yaml_log_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value takes a hundred times as long to read as a character."""
    monkeypatch.setattr(yaml_tree, "MOST_VALUES", 23)
    assert not parse_log(YAML, "x.yaml").faults
    log = parse_log(f"{YAML}  - {{note: [{'1, ' * 99}]}}\n", "x.yaml")
    assert found(log) == [("C208", 9, 16)]
    assert "the limit is 23" in log.faults[0].message
    assert "JSON Lines" in (log.faults[0].hint or "")
    assert "JSON Lines" in (parse_log(f"# {'x' * 1_000_000}", "x.yaml").faults[0].hint or "")


def test_after_many_items_that_are_no_events_the_rest_of_a_yaml_log_is_skipped() -> None:
    log = parse_log(f"[{HEADER},{'1,' * 1000}]", "x.yaml")
    assert len(log.faults) == MAX_DAMAGED
    assert "were skipped" in log.faults[-1].notes[0].message
    assert len(log.events) == MAX_DAMAGED + 1


# ---- encodings


RUSSIAN = HEADER.replace("2}", '["Ася", "Елена"]}')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("name", "text"), [("x.jsonl", f"{RUSSIAN}\n{GOOD}\n"), ("x.yaml", YAML), ("x", f"[{RUSSIAN}]")]
)
def test_utf_16_is_reported_by_its_name(encoding: str, name: str, text: str) -> None:
    log = parse_log(text.encode(encoding), name)
    assert found(log) == [("F105", 1, 1)]
    assert log.faults[0].message == f"the file is in {encoding[:6].upper()}, not in UTF-8"
    assert log.header is None


@pytest.mark.parametrize("at", ["file", "stdin"])
def test_yaml_in_an_8_bit_encoding_is_not_decoded_as_another(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = YAML.encode("windows-1251")
    if at == "file":
        (tmp_path / "x.yaml").write_bytes(content)
        log = read_log(tmp_path / "x.yaml")
    else:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        log = read_log("-")
    assert found(log) == [("F105", 3, 11)]
    assert "Windows-1251" in (log.faults[0].hint or "")
    assert log.header is None


def test_a_log_in_an_8_bit_encoding_has_one_fault() -> None:
    note = '{"note": "Ася"}'
    log = parse_log("\n".join([HEADER, note, GOOD, *[note] * 200]).encode("windows-1251"))
    assert found(log) == [("F105", 2, 11)]
    assert log.faults[0].message == "the byte 0xC0 is not UTF-8; nor are bytes in 200 more lines"
    assert [record.data is None for record in log.events] == [True, False, *[True] * 200]


@pytest.mark.parametrize("name", ["x.jsonl", "x.yaml"])
def test_two_concatenated_logs_with_byte_order_marks_are_read(name: str) -> None:
    line = "{ludex: 1, game: pig, players: 2}\n" if name == "x.yaml" else f"{HEADER}\n"
    log = parse_log(f"\ufeff{line}\ufeff{line}".encode(), name)
    assert [fault.span.line for fault in log.faults] == [2]
    assert log.faults[0].is_error


# ---- logs that are too long, and paths that are not files


def test_blank_lines_before_a_line_that_is_too_long_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LOG_BYTES", 20)
    log = parse_log(b"\n \n" + 99 * b"x", "log.jsonl")
    assert log.header is None
    assert len(log.faults) == 1
    assert log.faults[0].message.startswith("the log has more than")


@pytest.mark.parametrize(
    ("limit", "most"), [("MAX_LOG_BYTES", len(HEADER) + 1 + 5 * (len(GOOD) + 1)), ("MAX_LOG_LINES", 6)]
)
def test_a_log_that_is_too_long_is_read_up_to_the_limit(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything before the limit is judged, and one fault says that the rest is unknown."""
    for module in ("json_lines", "log"):
        monkeypatch.setattr(f"ludex.interpreter.logs.record.{module}.{limit}", most, raising=False)
    path = tmp_path / "long.jsonl"
    for lines in (5, 6, 60):
        path.write_text("\n".join([HEADER, *[GOOD] * lines]) + "\n", encoding="utf-8")
        log = read_log(path)
        assert len(log.events) == 5
        assert [record.data for record in log.events] == [json.loads(GOOD)] * 5
        assert found(log) == ([] if lines == 5 else [("F106", 6, 1)])


def test_a_line_longer_than_a_log_may_be_is_reported_at_this_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LOG_BYTES", 2 * MAX_LINE_BYTES)
    for begin, number in (("", 1), (f"{HEADER}\n{GOOD}\n", 3)):
        log = parse_log(begin + "x" * (3 * MAX_LINE_BYTES) + f"\n{GOOD}\n", "x.jsonl")
        (fault,) = log.faults
        assert (fault.span.line, fault.span != whole_file("x.jsonl")) == (number, True)
        assert fault.message.startswith("this line has more than 128 KB")


@pytest.mark.parametrize("line", ["foo", "foo bar", "1. e4 e5"])
def test_the_hint_for_a_line_that_is_no_object_shows_one(line: str) -> None:
    (fault,) = parse_log(f"{HEADER}\n{line}\n{GOOD}\n", "x.jsonl").faults
    assert fault.hint == 'such as {"player": 1, "action": "decline"}'


@pytest.mark.parametrize(("limit", "what"), [("MAX_LOG_BYTES", "MB;"), ("MAX_LOG_LINES", "lines;")])
def test_the_limit_that_a_log_exceeds_is_named(limit: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, limit, 5)
    (fault,) = parse_log("\n".join([HEADER, *[GOOD] * 9]), "x.jsonl").faults
    assert fault.message.startswith("the log has more than")
    assert what in fault.message


TAGS = "Game: pig\nPlayers: 2\n"


@pytest.mark.parametrize(
    ("head", "good", "bad"),
    [
        (HEADER, GOOD, '{"note": [' + "1," * MAX_LINE_BYTES + "1]}"),
        (TAGS, "1: roll", "1: roll " + "(" * MAX_LINE_BYTES),
    ],
)
def test_a_line_that_is_too_long_is_not_read(head: str, good: str, bad: str) -> None:
    """Its places would take gigabytes. Everything before it is judged."""
    log = parse_log(f"{head}\n{good}\n{bad}\n{good}")
    assert len(log.events) == 1
    assert found(log) == [("F106", head.count("\n") + 3, 1)]
    log = parse_log(f"{head}{bad}\n{good}", "x.jsonl" if head == HEADER else "x.ludexlog")
    assert not log.events
    assert found(log)[0][0] == "F106"


def test_a_log_cut_before_its_first_line_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LOG_LINES", 6)
    assert found(parse_log("\n" * 9 + HEADER, "x.jsonl")) == [("F106", 6, 1)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_is_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    (tmp_path / "nowhere.jsonl").symlink_to(tmp_path / "none")
    for name, code in (("pipe", "F102"), ("zero", "F102"), ("nowhere", "F101")):
        assert [fault.code.code for fault in read_log(tmp_path / f"{name}.jsonl").faults] == [code]
