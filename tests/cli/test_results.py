"""`ludex validate` over many logs: several processes, stored results, interrupted runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest

from ludex.cli.many_logs import results_file
from ludex.cli.reporting.exit_codes import Exit
from ludex.cli.verdicts.writer import WRITERS

from .running import ludex
from .test_processes import HEEDING, ROOT, at_a_terminal, environment

HEADER = '{"ludex": 1, "game": "tic_tac_toe", "players": 2}\n'
CLAIM = '{{"player": {player}, "action": "claim", "args": {{"cell": {{"row": {row}, "col": {col}}}}}}}\n'
GOES_ON = '{"claim": {"terminal": false}}\n'


def game(*cells: tuple[int, int]) -> str:
    """Return a log of tic-tac-toe: the cells that were claimed in turn."""
    moves = (CLAIM.format(player=1 + at % 2, row=row, col=col) for at, (row, col) in enumerate(cells))
    return HEADER + "".join(moves) + GOES_ON


GOOD = [game((1, 1), (row, col)) for row in (2, 3) for col in (1, 2, 3)]
BAD = [game((1, 9)), game((2, 1), (2, 1)), HEADER + "{\n", game((1, 1)).replace("toe", "to")]
MIXED = (GOOD * 6 + BAD) * 3

LONG = MIXED * 2
"""Enough logs for several batches: the first are reported while the last wait."""


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def verdicts(path: Path) -> list[tuple[Any, ...]]:
    return rows(path, "SELECT file, number, line, verdict, replayed FROM logs ORDER BY file, number")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "games.jsonl").write_text("".join(MIXED), encoding="utf-8")
    return tmp_path / "games.jsonl"


@pytest.mark.drawn(1)
@pytest.mark.parametrize("log_format", WRITERS)
def test_the_output_does_not_depend_on_the_jobs(log_format: str, games: Path) -> None:
    args = ("validate", games, "spec/games/tic_tac_toe/logs", "--format", log_format)
    one, two = (ludex(*args, "--jobs", jobs) for jobs in (1, 2))
    assert (one.code, one.output) == (two.code, two.output)
    assert one.code == 2


def test_the_tables_have_a_row_for_each_log_and_each_finding(games: Path, tmp_path: Path) -> None:
    kept = tmp_path / "r.sqlite"
    assert ludex("validate", games, "--results", kept, "--quiet").code == 2
    counted = dict(rows(kept, "SELECT verdict, count(*) FROM logs GROUP BY verdict"))
    assert counted == {"legal": len(GOOD) * 18, "findings": 9, "unreadable": 3}
    joined = "SELECT l.line, f.line, f.code FROM logs l JOIN findings f ON f.log = l.id ORDER BY l.number LIMIT 2"
    first = 1 + 4 * len(GOOD) * 6
    assert [row[0] for row in rows(kept, joined)] == [first, first + 3]
    report = json.loads(rows(kept, "SELECT report FROM logs LIMIT 1")[0][0])
    assert report == json.loads(ludex("validate", games, "--format", "jsonl").stdout.splitlines()[0])


@pytest.mark.drawn(1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_another_run_judges_changed_logs_only(games: Path, tmp_path: Path, jobs: int) -> None:
    kept = tmp_path / "r.sqlite"

    def run() -> str:
        return ludex("validate", games, "--results", kept, "--jobs", jobs).output

    def judged_again(output: str) -> int:
        earlier = re.search(r"^([\d,]+) logs? judged in an earlier run", output, re.MULTILINE)
        total = re.search(r"^([\d,]+) logs: ", output, re.MULTILINE)
        assert total
        return int(total[1]) - (int(earlier[1].replace(",", "")) if earlier else 0)

    assert judged_again(run()) == len(MIXED)
    unknown = MIXED.count(BAD[3])
    assert judged_again(run()) == unknown, "a log whose game was missing must be judged again"
    changed = [*MIXED]
    changed[3] = game((3, 2), (3, 1))
    games.write_text("".join(changed), encoding="utf-8")
    assert judged_again(run()) == unknown + 1
    changed[2] = game((3, 2))
    games.write_text("".join(changed), encoding="utf-8")
    assert judged_again(run()) == len(MIXED) - 2, "logs that begin at other lines must be judged again"
    alone = tmp_path / "alone.sqlite"
    ludex("validate", games, "--results", alone, "--quiet")
    assert verdicts(kept) == verdicts(alone)
    games.write_text("".join(changed[:5]), encoding="utf-8")
    run()
    assert len(verdicts(kept)) == 5, "removed logs must not be counted"


@pytest.mark.drawn(1)
@pytest.mark.parametrize("log_format", WRITERS)
def test_formats_for_programs_include_stored_results(log_format: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text("".join((*GOOD, *BAD)), encoding="utf-8")
    args = ("validate", games, "--results", tmp_path / "r.sqlite", "--format")
    fresh = ludex("validate", games, "--format", log_format).stdout
    ludex(*args, log_format)
    again = ludex(*args, log_format).stdout
    assert (again == fresh) is (log_format != "text")


def test_results_are_stored_by_rules_version_and_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree("spec/games/tic_tac_toe", tmp_path / "own", ignore=shutil.ignore_patterns("logs"))
    spec = tmp_path / "own" / "tic_tac_toe.ludex"
    (tmp_path / "log.jsonl").write_text(GOOD[0], encoding="utf-8")
    kept = tmp_path / "r.sqlite"

    def earlier() -> bool:
        ran = ludex("validate", tmp_path / "log.jsonl", "--game", spec, "--results", kept)
        return "judged in an earlier run" in ran.output

    assert [earlier(), earlier()] == [False, True]
    text = spec.read_text(encoding="utf-8")
    changed = text.replace("then 1 else 0", "then 2 else 0")
    assert changed != text
    spec.write_text(changed, encoding="utf-8")
    assert [earlier(), earlier()] == [False, True], "changed rules need a new result"
    monkeypatch.setattr("ludex.cli.reporting.version", lambda: "99")
    assert [earlier(), earlier()] == [False, True], "another version of Ludex needs a new result"
    ludex("validate", tmp_path / "log.jsonl", "--game", spec, "--results", kept, "--edition", "all")
    assert len(rows(kept, "SELECT asked FROM logs")) == 2, "another edition needs a result of its own"


def test_a_change_of_any_edition_that_judges_is_noticed(tmp_path: Path) -> None:
    shutil.copytree("spec/games/boreal", tmp_path / "own")
    spec = tmp_path / "own" / "boreal.ludex"
    log = tmp_path / "own" / "logs" / "full.jsonl"

    def earlier(edition: str) -> bool:
        args = ("--game", spec, "--edition", edition, "--results", tmp_path / "r.sqlite", "--first")
        return "judged in an earlier run" in ludex("validate", log, *args).output

    assert [earlier(each) for each in ("aid", "all", "ru") * 2] == [False] * 3 + [True] * 3
    text = spec.read_text(encoding="utf-8")
    changed = text.replace("implies my archives_reserved = 0  [aid 277]", "implies my archives_reserved < 2  [aid 277]")
    assert changed != text
    spec.write_text(changed, encoding="utf-8")
    assert [earlier(each) for each in ("aid", "all", "ru")] == [False, False, True]


def test_a_log_is_judged_again_when_its_position_file_changes(tmp_path: Path) -> None:
    shutil.copy("spec/games/tic_tac_toe/positions/fork.yaml", tmp_path / "at.yaml")
    (tmp_path / "log.jsonl").write_text(HEADER.replace("2}", '2, "from": "at.yaml"}') + GOES_ON, encoding="utf-8")
    args = ("validate", tmp_path / "log.jsonl", "--results", tmp_path / "r.sqlite")
    assert [ludex(*args).code, ludex(*args).code] == [Exit.GOOD, Exit.GOOD]
    (tmp_path / "at.yaml").unlink()
    assert ludex(*args).code == Exit.UNREADABLE


@pytest.mark.parametrize("report", ["no JSON", "[]", "{}", "[" * 100_000])
def test_a_damaged_report_is_replaced(report: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(GOOD[0], encoding="utf-8")
    args = ("validate", tmp_path / "log.jsonl", "--format", "jsonl", "--results", tmp_path / "r.sqlite")
    told = ludex(*args)
    with closing(sqlite3.connect(tmp_path / "r.sqlite")) as connection, connection:
        connection.execute("UPDATE logs SET report = ?", (report,))
    assert ludex(*args) == told
    assert rows(tmp_path / "r.sqlite", "SELECT report FROM logs") != [(report,)]


@pytest.mark.parametrize("damage", ["DROP TABLE findings", "ALTER TABLE logs DROP COLUMN verdict"])
def test_damaged_tables_are_not_changed(damage: str, tmp_path: Path) -> None:
    args = ("validate", "spec/games/tic_tac_toe/logs/full.jsonl", "--results", tmp_path / "r.sqlite")
    ludex(*args)
    with closing(sqlite3.connect(tmp_path / "r.sqlite")) as connection, connection:
        connection.execute(damage)
    ran = ludex(*args)
    assert (ran.code, "is damaged" in ran.stderr) == (Exit.USAGE, True)


@pytest.mark.parametrize("content", [b"x", b"my notes\n" * 99, b"\0" * 4096])
def test_a_file_that_is_no_results_file_is_not_changed(content: bytes, tmp_path: Path) -> None:
    mine = tmp_path / "mine.sqlite"
    mine.write_bytes(content)
    ran = ludex("validate", "spec/games/tic_tac_toe/logs/full.jsonl", "--results", mine)
    assert ran.code == Exit.USAGE
    assert "is not a results file" in ran.stderr
    assert mine.read_bytes() == content


def test_the_standard_output_is_no_results_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Path("spec/games/tic_tac_toe/logs/full.jsonl").absolute()
    monkeypatch.chdir(tmp_path)
    ran = ludex("validate", log, "--results", "-")
    assert (ran.code, "needs a file name" in ran.stderr) == (Exit.USAGE, True)
    assert not list(tmp_path.iterdir())


def test_another_database_is_not_changed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.sqlite"
    with closing(sqlite3.connect(mine)) as connection, connection:
        connection.execute("CREATE TABLE logs (mine TEXT)")
    before = mine.read_bytes()
    ran = ludex("validate", "spec/games/tic_tac_toe/logs/full.jsonl", "--results", mine)
    assert (ran.code, "is not a results file" in ran.stderr) == (Exit.USAGE, True)
    assert mine.read_bytes() == before
    for path in (tmp_path, tmp_path / "no" / "such"):
        assert ludex("validate", "spec/games/tic_tac_toe/logs/full.jsonl", "--results", path).code == Exit.USAGE


def test_every_name_means_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would keep a database of this name in memory, and its results would be lost."""
    log = Path("spec/games/tic_tac_toe/logs/full.jsonl").resolve()
    monkeypatch.chdir(tmp_path)
    assert ludex("validate", log, "--results", ":memory:").code == Exit.GOOD
    assert rows(tmp_path / ":memory:", "SELECT count(*) FROM logs") == [(1,)]


def test_undecodable_names_and_unusual_messages_are_stored(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl")
    try:
        Path(name).write_text('{"ludex": 1, "game": "\\ud83d", "players": 2}\n', encoding="utf-8")
    except OSError:
        pytest.skip("file names are always text on this system")
    kept = tmp_path / "r.sqlite"
    assert ludex("validate", name, "--results", kept).code == 2
    assert rows(kept, "SELECT count(*) FROM logs") == [(1,)]


def test_the_page_has_the_tables() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert results_file.TABLES in page
    assert f"the number of columns, {results_file.TABLES_VERSION}, as `user_version`" in " ".join(page.split())


def test_the_scripts_of_the_page_read_the_tables(games: Path, tmp_path: Path) -> None:
    """The scripts are in docs/results.md."""
    for package in ("pandas", "duckdb"):
        pytest.importorskip(package, reason="needs pip install 'ludex[data]'")
    ludex("validate", games, "--results", tmp_path / "results.sqlite", "--quiet")
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for script in re.findall(r"```python file=\w+.py\n(.*?)```", page, re.DOTALL):
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        found = dict(row.split()[-2:] for row in done.stdout.splitlines())
        assert found == {"legal": str(len(GOOD) * 18), "findings": "9", "unreadable": "3"}


def test_duckdb_attaches_it(games: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs pip install 'ludex[data]'")
    kept = tmp_path / "r.sqlite"
    ludex("validate", games, "--results", kept, "--quiet")
    with closing(duckdb.connect(config={"autoinstall_known_extensions": "false"})) as connection:
        try:
            connection.execute(f"ATTACH '{kept}' AS results (TYPE sqlite)")
        except duckdb.Error as fault:
            pytest.skip(f"install DuckDB's extension for SQLite: {fault}")
        found = connection.execute("SELECT count(*) FROM results.findings").fetchone()
    assert found == rows(kept, "SELECT count(*) FROM findings")[0]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_the_progress_bar_appears_only_if_reports_go_elsewhere(games: Path) -> None:
    assert "judging" in at_a_terminal("validate", str(games), "--quiet")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_run_that_reports_little_shows_how_far_the_files_are_read(games: Path) -> None:
    shown = at_a_terminal("validate", str(games), "--only-failing")
    assert "judging" in shown
    assert re.search(r"\[[#-]+\] +[0-9]+%.*[0-9]+ logs", shown), "the end must be in sight"
    assert "100%" in shown
    assert "[" not in at_a_terminal("validate", str(games / "0.jsonl"), "--format", "jsonl").partition("{")[0]


# ---- runs that are ended ----------------------------------------------------------------------------------------


@contextmanager
def running(kept: Path, jobs: int, fed: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a run that has judged some logs, and waits for more."""
    command = [sys.executable, "-c", HEEDING, "validate", "-", "--results", str(kept), "--jobs", str(jobs)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=environment(), start_new_session=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            stdin: IO[bytes] = process.stdin
            stdin.write(fed.encode())
            stdin.flush()
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and _count(kept) < 32:
                time.sleep(0.02)
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _count(kept: Path) -> int:
    try:
        return int(rows(kept, "SELECT count(*) FROM logs")[0][0]) if kept.exists() else 0
    except sqlite3.OperationalError:  # the tables do not exist yet
        return 0


def _all_ended(group: int) -> bool:
    for _ in range(500):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
@pytest.mark.drawn(1)
@pytest.mark.parametrize("how", ["kill -9", "SIGTERM", "Ctrl-C"])
@pytest.mark.parametrize("jobs", [2, 1])
def test_an_interrupted_run_resumes(how: str, jobs: int, tmp_path: Path) -> None:
    """No log is lost or counted twice, and no process survives."""
    kept = tmp_path / "r.sqlite"
    with running(kept, jobs, "".join(LONG)) as process:
        if how == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGKILL if how == "kill -9" else signal.SIGTERM)
        process.wait(timeout=60)
        assert _all_ended(process.pid)
        expected = {"kill -9": -signal.SIGKILL, "SIGTERM": Exit.TERMINATED, "Ctrl-C": Exit.INTERRUPTED}
        assert process.returncode == expected[how]
    before = verdicts(kept)
    assert 32 <= len(before) <= len(LONG)
    ran = ludex("validate", "-", "--results", kept, stdin="".join(LONG))
    assert ran.code == 2
    fresh = tmp_path / "fresh.sqlite"
    ludex("validate", "-", "--results", fresh, "--quiet", stdin="".join(LONG))
    assert verdicts(kept) == verdicts(fresh)
    assert len(verdicts(kept)) == len(LONG)
