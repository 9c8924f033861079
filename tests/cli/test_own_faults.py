"""Faults of Ludex itself: while one of many logs is judged, they are the verdict of that log alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ludex
from ludex.cli.main import cli
from ludex.cli.reporting.exit_codes import Exit
from ludex.cli.verdicts.judged import Judged
from ludex.cli.verdicts.text_writer import VerdictTextWriter
from ludex.cli.verdicts.writer import WRITERS
from ludex.interpreter import Validator, Verdict

from .test_results import GOOD, verdicts

BAD_LUCK = GOOD[2]
"""The log at which the damaged judge fails."""
LOGS = "".join((*GOOD[:2], BAD_LUCK, *GOOD[3:]))
SPELLED = {
    "text": "games.jsonl:9: not judged, because Ludex failed (1 error)",
    "json": '"fault": 1',
    "jsonl": '"verdict": "fault"',
    "csv": "games.jsonl,3,fault,",
    "sarif": '"executionSuccessful": false',
    "junit": '<error message="the log could not be judged',
    "github": "::error file=",
    "markdown": "**not judged, because Ludex failed**",
}


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "games.jsonl").write_text(LOGS, encoding="utf-8")
    return tmp_path / "games.jsonl"


@pytest.fixture
def damaged(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    play = Validator.play

    def fails(self: Validator, log: Any, *args: Any, **settings: Any) -> Any:
        if any("'row': 2, 'col': 3" in str(event.data) for event in log.events):
            raise RuntimeError("out of luck")
        return play(self, log, *args, **settings)

    with monkeypatch.context() as patch:
        patch.setattr(Validator, "play", fails)
        yield patch


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, args)])


@pytest.mark.usefixtures("damaged")
@pytest.mark.drawn(3)
@pytest.mark.parametrize("log_format", WRITERS)
def test_the_other_logs_are_judged(log_format: str, games: Path) -> None:
    ran = run("validate", games, "--format", log_format)
    assert ran.exit_code == Exit.OUR_FAULT
    assert SPELLED[log_format] in ran.stdout
    assert "L491" in ran.stdout
    assert "RuntimeError: out of luck" in ran.stdout
    assert "(ludex.cli.many_logs.log_judging:" in ran.stdout, "the report must say where it happened"
    assert f"(RuntimeError, while it judged {games}:9)" in ran.stderr
    (details,) = games.parent.glob("ludex-fault-*.txt")
    assert "Traceback" in details.read_text(encoding="utf-8")
    if log_format == "json":
        data = json.loads(ran.stdout)
        assert [data[verdict] for verdict in ("legal", "fault")] == [len(GOOD) - 1, 1]
        assert data["complete"] is True


@pytest.mark.usefixtures("damaged")
def test_the_output_does_not_depend_on_the_jobs(games: Path) -> None:
    """Worker processes are forked here, and with them the damaged judge."""
    one, two = (run("validate", games, "--jobs", jobs) for jobs in (1, 2))
    assert (one.exit_code, one.stdout) == (two.exit_code, two.stdout)
    assert one.exit_code == Exit.OUR_FAULT


def test_such_a_log_is_judged_again(games: Path, damaged: pytest.MonkeyPatch) -> None:
    kept = games.parent / "r.sqlite"
    args = "validate", games, "--results", kept
    assert run(*args).exit_code == Exit.OUR_FAULT
    assert [row[3] for row in verdicts(kept)] == ["legal", "legal", "fault", "legal", "legal", "legal"]
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT code, name FROM findings").fetchall() == [("L491", "fault-of-ludex")]
    damaged.undo()
    again = run(*args)
    assert again.exit_code == Exit.GOOD
    assert "5 logs judged in an earlier run" in again.stdout
    assert {row[3] for row in verdicts(kept)} == {"legal"}


def test_a_fault_while_a_verdict_is_written_is_one_of_this_log(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = VerdictTextWriter._rows

    def fails(self: VerdictTextWriter, judged: Judged) -> Iterator[str]:
        if judged.source.number == 3 and judged.verdict is Verdict.LEGAL:
            raise KeyError("x")
        return written(self, judged)

    monkeypatch.setattr(VerdictTextWriter, "_rows", fails)
    ran = run("validate", games)
    assert ran.exit_code == Exit.OUR_FAULT
    assert "6 logs: 5 legal, 1 not judged, because Ludex failed" in ran.stdout


def test_a_fault_while_the_rules_are_looked_up_reuses_no_result(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("x")

    args = "validate", games, "--results", games.parent / "r.sqlite"
    run(*args)
    monkeypatch.setattr("ludex.cli.many_logs.log_judging.Judge._engines_of", fails)
    ran = run(*args)
    assert ran.exit_code == Exit.GOOD
    assert "earlier run" not in ran.stdout


@pytest.mark.usefixtures("damaged")
def test_judge_many_goes_on(games: Path) -> None:
    rows = list(ludex.judge_many([games]))
    assert [row.verdict for row in rows] == ["legal", "legal", "fault", "legal", "legal", "legal"]
    (finding,) = rows[2].findings
    assert (finding.code, finding.line) == ("L491", 9)
    assert "RuntimeError: out of luck" in finding.message


def test_a_log_for_which_the_machine_is_too_small_is_not_judged_to_its_end(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Validator.play

    def fails(self: Validator, log: Any, *args: Any, **settings: Any) -> Any:
        if any("'row': 2, 'col': 3" in str(event.data) for event in log.events):
            raise MemoryError
        return play(self, log, *args, **settings)

    monkeypatch.setattr(Validator, "play", fails)
    ran = run("validate", games)
    assert ran.exit_code == Exit.FINDINGS
    assert "6 logs: 5 legal, 1 not judged to the end" in ran.stdout
    assert [row.verdict for row in ludex.judge_many([games])].count("unjudged") == 1
