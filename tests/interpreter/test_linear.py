"""Reading and judging a log take time in proportion to its length.

No clock is used: calls of functions are counted, for a log and for one of four times its length. Quadratic work makes
sixteen times as many calls. Work inside one call (a search in a long text) is not counted here;
`tests/cli/test_source_excerpts.py` counts the characters that an excerpt reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ludex.grammar import format_module, parse
from ludex.grammar.files.yaml_tree import read_yaml
from ludex.interpreter.logs.judge.report_json import finding_to_json, report_to_json
from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.record.log import parse_log
from ludex.interpreter.logs.structure.problems import MOST_ALIKE, MOST_FINDINGS
from ludex.interpreter.logs.tracking.report import Verdict
from ludex.spec import read_row_rulings
from ludex.spec.components.reader import read_components

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
PIG = {"ludex": 1, "game": "pig", "players": 2}
TIC_TAC_TOE = {"ludex": 1, "game": "tic_tac_toe", "players": 2}
YAML = "ludex: 1\ngame: pig\nplayers: 2\nevents:\n"
SPEC = 'game g\n  players: 2\n  convention: "x"\n\n'
ROWS = "tables:\n  Card:\n    rows:\n"
LEAST, MOST = 150, 600
"""The numbers of lines, items or characters compared: the second is four times the first."""


def calls(work: Callable[[], object]) -> int:
    """Return how many functions, of Python and built in, the work calls."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def cell(value: Any) -> dict[str, Any]:
    return {"of": "mark", "at": [{"row": 1, "col": 1}], "is": value}


def cells(value: Any, count: int) -> dict[str, Any]:
    return {"claim": {"state": [cell(value)] * count}}


def lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


LOGS: dict[str, Callable[[int], str]] = {
    "right claims": lambda n: lines(TIC_TAC_TOE, *[cells(None, 1)] * n),
    "wrong claims": lambda n: lines(TIC_TAC_TOE, *[cells(1, 1)] * n),
    "claims now wrong, now right": lambda n: lines(TIC_TAC_TOE, *[cells(1, 1), cells(None, 1)] * n),
    "wrong scores": lambda n: lines(PIG, *[{"claim": {"scores": [5, 6]}}] * n),
    "many right claims on one line": lambda n: lines(TIC_TAC_TOE, cells(None, n)),
    "many wrong claims on one line": lambda n: lines(TIC_TAC_TOE, cells(1, n)),
    "claims of what is not there": lambda n: lines(TIC_TAC_TOE, {"claim": {"state": [{"of": "x"}] * n}}),
    "unknown members": lambda n: lines(PIG, {"player": 1, "action": "roll", **{f"m{i}": 1 for i in range(n)}}),
    "unknown arguments": lambda n: lines(PIG, {"player": 1, "action": "roll", "args": {f"m{i}": 1 for i in range(n)}}),
    "a long argument": lambda n: lines(TIC_TAC_TOE, {"player": 1, "action": "claim", "args": {"cell": [1] * n}}),
    "unknown members of the header": lambda n: lines({**PIG, **{f"m{i}": 1 for i in range(n)}}),
    "unknown actions": lambda n: lines(PIG, *[{"player": 1, "action": f"a{i}"} for i in range(n)]),
    "options": lambda n: lines({**PIG, "options": {f"m{i}": 1 for i in range(n)}}),
    "readings": lambda n: lines({**PIG, "readings": {f"m{i}": "x" for i in range(n)}}),
    "players of one name": lambda n: lines({**PIG, "players": ["Ann"] * n}),
    "winners": lambda n: lines(PIG, {"claim": {"winners": [9] * n}}),
    "blank lines": lambda n: lines(PIG) + "\n" * n + lines({"note": "x"}),
    "a long text": lambda n: lines(PIG, {"note": "x\n" * n}),
    "lists in lists": lambda n: f'{lines(PIG)}{{"note": [{",".join(["[" * 60 + "]" * 60] * (n // 10))}]}}',
    "names in long names": lambda n: lines(PIG, {"note": {"k" * n: list(range(n))}}),
    "damaged lines": lambda n: lines(PIG) + "{\n" * n,
    "lines after the stop": lambda n: lines(PIG, *[{"player": 2, "action": "roll"}] * n),
}
YAML_LOGS: dict[str, Callable[[int], str]] = {
    "lines": lambda n: YAML + "- {note: x}\n" * n,
    "fields that stand twice": lambda n: YAML + "- {note: x, note: y}\n" * n,
    "one field many times": lambda n: f"{YAML}- note: x\n" + "  note: x\n" * n,
    "faults": lambda n: YAML + "- {note: 01}\n" * n,
    "tags": lambda n: YAML + "- !!x 1\n" * n,
    "references": lambda n: YAML + "- &a 1\n" * n,
    "blank lines": lambda n: f"{YAML}- note: x\n" + "\n" * n,
    "a text of many lines": lambda n: f"{YAML}- note: |\n" + "    word\n" * n,
    "a text of many blank lines": lambda n: f'{YAML}- note: "' + "word\n\n" * n + '"',
    "arguments": lambda n: f"{YAML}- {{action: roll, args: {{{', '.join(f'a{i}: 1' for i in range(n))}}}}}\n",
    "no objects": lambda n: YAML + "- 1\n" * n,
}
TEXTS: dict[str, Callable[[int], Callable[[], object]]] = {
    "spec: facts": lambda n: lambda: parse(SPEC + "".join(f"fact a{i} = {i}\n" for i in range(n)), "g.ludex"),
    "spec: faults": lambda n: lambda: parse(SPEC + "fact a = §\n" * n, "g.ludex"),
    "spec: a long sum": lambda n: lambda: parse(f"{SPEC}fact a = 1{' + 1' * n}\n", "g.ludex"),
    "spec: comments": lambda n: lambda: parse(SPEC + "# x\n" * n + "fact a = 1\n", "g.ludex"),
    "spec: layout": lambda n: lambda: format_module(parse(SPEC + "# x\nfact a = 1\n" * n, "g.ludex").module),
    "components: rows": lambda n: (
        lambda: read_components(ROWS + "".join(f"      - {{id: c{i}, v: 1}}\n" for i in range(n)), "c.yaml")
    ),
    "components: one id": lambda n: lambda: read_components(ROWS + "      - {id: c, v: 1}\n" * n, "c.yaml"),
    "components: one field": lambda n: (
        lambda: read_components(f"{ROWS}      - id: c\n" + "        v: 1\n" * n, "c.yaml")
    ),
    "rulings": lambda n: lambda: read_row_rulings("rulings:\n" + "- {row: x}\n" * n, "r.yaml", ("en",)),
    "yaml: keys": lambda n: lambda: read_yaml("".join(f"k{i}: 1\n" for i in range(n)), "x.yaml"),
}


def grows_in_proportion(make: Callable[[int], Callable[[], object]]) -> None:
    make(LEAST - 1)()  # modules and games that are loaded once are not counted, and no text is read twice
    few, many = calls(make(LEAST)), calls(make(MOST))
    assert many < 6 * few, f"{few} calls for {LEAST}, {many} for {MOST}: look for a loop in a loop"


def judging(text: str, name: str) -> Callable[[], object]:
    return lambda: report_to_json(VALIDATOR.validate(parse_log(text, name)))


@pytest.mark.parametrize("name", LOGS)
def test_judging_a_log_takes_linear_time(name: str) -> None:
    grows_in_proportion(lambda n: judging(LOGS[name](n), "x.jsonl"))


@pytest.mark.parametrize("name", LOGS)
def test_the_number_of_findings_is_limited(name: str) -> None:
    log = parse_log(LOGS[name](MOST), "x.jsonl")
    report = VALIDATOR.validate(log)
    assert len(report.findings) <= MOST_FINDINGS
    assert len(json.dumps([finding_to_json(finding) for finding in report.findings])) < 50_000


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("unknown members", MOST),
        ("unknown arguments", MOST),
        ("unknown members of the header", MOST),
        ("options", MOST),
        ("readings", MOST),
        ("players of one name", MOST - 1),
        ("winners", MOST),
        ("claims of what is not there", MOST),
    ],
)
def test_the_last_reported_fault_of_a_kind_says_how_many_more_there_are(name: str, count: int) -> None:
    findings = VALIDATOR.validate(parse_log(LOGS[name](MOST), "x.jsonl")).findings
    *others, last = (finding for finding in findings if finding.is_error)
    assert last.message.endswith(f"; {count - MOST_ALIKE} more here have the same fault")
    assert len(others) == MOST_ALIKE - 1
    assert not any("more beside" in finding.message for finding in others)


def test_the_last_finding_says_how_many_more_there_are() -> None:
    *_, last = VALIDATOR.validate(parse_log(LOGS["unknown actions"](MOST), "x.jsonl")).findings
    words = f"{MOST - MOST_FINDINGS} more findings, up to line {MOST + 1}, are not shown: mend these first"
    assert [note.message for note in last.notes] == [words]


@pytest.mark.parametrize(
    "line",
    [
        lambda n: {"player": 1, "action": f"take{n}"},
        lambda n: {"player": f"Anna{n}", "action": "take", "args": {"heap": 1, "count": 1}},
        lambda n: {"player": 1, "action": "take", "args": {"heap": f"x{n}", "count": 1}},
        lambda n: {"result": {"by": f"resign{n}"}},
    ],
)
def test_an_unreported_finding_takes_little_work(line: Callable[[int], dict[str, Any]]) -> None:
    """The finding gets no hint and no exact place. Nim has options, and each of them is tried only up to the first
    fault."""

    def judged(count: int) -> int:
        log = lines({"ludex": 1, "game": "nim", "players": ["Anna", "Boris"]}, *map(line, range(count)))
        return calls(judging(log, "x.jsonl"))

    judged(MOST_FINDINGS)
    assert judged(MOST) - judged(MOST // 2) < 400 * MOST // 2


def test_the_verdict_depends_on_unreported_findings_too() -> None:
    """The last line is unreadable, and is not among the reported ones."""
    unknown = LOGS["unknown actions"](MOST)
    assert VALIDATOR.validate(parse_log(unknown)).verdict is Verdict.FINDINGS
    assert VALIDATOR.validate(parse_log(unknown + "{\n{}\n")).verdict is Verdict.UNREADABLE


@pytest.mark.parametrize("name", YAML_LOGS)
def test_judging_a_log_in_yaml_takes_linear_time(name: str) -> None:
    grows_in_proportion(lambda n: judging(YAML_LOGS[name](n), "x.yaml"))


@pytest.mark.parametrize("name", TEXTS)
def test_reading_other_texts_takes_linear_time(name: str) -> None:
    grows_in_proportion(TEXTS[name])


def test_the_count_shows_a_loop_in_a_loop() -> None:
    with pytest.raises(AssertionError, match="a loop in a loop"):
        grows_in_proportion(lambda n: lambda: [abs(i) for i in range(n) for _ in range(n)])


def test_pointers_with_long_names_take_no_more_memory_than_the_text() -> None:
    """A table of places by JSON pointer would hold ten thousand characters for each of a thousand values."""
    import tracemalloc

    from ludex.interpreter.logs.record.json_places import scan

    text = json.dumps({"k" * 10_000: list(range(1000))})
    scan(text)
    tracemalloc.start()
    try:
        place = scan(text)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert place.value == (0, len(text))
    assert most < 2_000_000
