"""The sample logs of the shipped games: each has exactly its stored report.

After a change of rules or of reports run `python tests/interpreter/record_samples.py`, and read every difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.record.log import read_log
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.interpreter.logs.structure.header import read_log_header
from ludex.interpreter.logs.text_logs.text_reader import in_game
from ludex.spec import shipped_games, validator

from ..once import engine_once, game_once
from .record_samples import BAD_LOGS, GAMES, REPORTS, golden, logs_of, samples_of

VALIDATOR = Validator(game_once, compiled=engine_once)
REPORT_OF = {log: report for game in shipped_games() for log, report in samples_of(game).items()}
BAD = [path for path in REPORT_OF if path.is_relative_to(BAD_LOGS)]
GOOD = [path for path in REPORT_OF if path.is_relative_to(GAMES)]


def name_of(path: Path) -> str:
    return REPORT_OF[path].relative_to(REPORTS).with_suffix("").as_posix()


def report_of(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(REPORT_OF[path].read_text(encoding="utf-8"))
    return kept


def findings_of(path: Path) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] = report_of(path)["findings"]
    return findings


def test_every_report_belongs_to_a_log() -> None:
    assert sorted(REPORT_OF.values()) == sorted(REPORTS.glob("*/*"))
    assert len(BAD) + len(GOOD) == len(list(GAMES.glob("*/logs/**/*.*"))) + len(list(BAD_LOGS.glob("*/*")))


@pytest.mark.parametrize("path", REPORT_OF, ids=name_of)
def test_reports_equal_the_stored_ones(path: Path) -> None:
    kept = REPORT_OF[path].read_text(encoding="utf-8")
    advice = "if the change is meant, run tests/interpreter/record_samples.py and read the differences"
    assert golden(VALIDATOR.validate(read_log(path))) == kept, advice


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_good_samples_are_legal_to_the_end(path: Path) -> None:
    """The stored reports say so, and they equal those of today."""
    log, report = read_log(path), report_of(path)
    assert (report["verdict"], report["findings"], report["replayed"]) == ("legal", [], report["events"])
    assert report["result"]
    assert log.header is not None
    header, _ = read_log_header(log.header.data or {})
    assert header is not None
    game = game_once(header.game, header.players, report["edition"], header.options, header.readings)
    read, _ = in_game(log, game, header.names)
    lines = [log.header.data, *(record.data for record in read.events)]
    assert not list(validator(log_schema(game)).iter_errors(lines))


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_bad_samples_have_one_fault(path: Path) -> None:
    errors = [finding for finding in findings_of(path) if finding["severity"] == "error"]
    assert len(errors) == 1


@pytest.mark.parametrize("game", shipped_games())
def test_every_game_has_a_full_log(game: str) -> None:
    assert (logs_of(game) / "full.jsonl").is_file()


# ---- Boreal: one bad log for each kind of fault


def boreal_findings() -> dict[str, dict[str, Any]]:
    return {
        path.stem: next(finding for finding in findings_of(path) if finding["severity"] == "error")
        for path in BAD
        if path.parent == BAD_LOGS / "boreal"
    }


NEVER_REFUSED = {
    "scout.any_card": "it says that nothing is asked",
    "scout.unlimited": "it says that nothing is asked",
}


def test_every_requirement_of_every_action_has_a_bad_log() -> None:
    requirements = {each.path for action in game_once("boreal").actions.values() for each in action.requirements}
    illegal = [finding for finding in boreal_findings().values() if finding["name"] == "illegal-move"]
    shown = {finding["why"][0]["clause"] for finding in illegal}
    assert requirements - shown == set(NEVER_REFUSED)
    for finding in illegal:
        assert any(
            mark in why["authority"] for why in finding["why"] for mark in ("[ru", "[aid", "ruling", "convention")
        )
        assert finding["legal"]


@pytest.mark.parametrize(
    ("sample", "name"),
    [
        ("wrong-player", "wrong-player"),
        ("wrong-outcome", "wrong-outcome"),
        ("broken-json", "broken-json"),
        ("truncated", "truncated-log"),
        ("unknown-action", "log-unknown-action"),
        ("extra-field", "unknown-field"),
        ("wrong-scores", "wrong-scores"),
        ("wrong-winners", "wrong-winners"),
        ("after-the-end", "after-the-end"),
        ("wrong-fingerprint", "wrong-fingerprint"),
    ],
)
def test_every_kind_of_fault_has_a_bad_log(sample: str, name: str) -> None:
    finding = boreal_findings()[sample]
    assert finding["name"] == name
    assert finding["line"] >= 1
    assert finding["column"] >= 1
