"""The table of 100,000 small logs: time, memory, and a run that is killed in the middle (`python -m bench.many_logs`).

The logs are random games of tic-tac-toe, one in a hundred of which is damaged. Each run is a process of its own;
memory is that of its largest process. It ends with exit code 1 if anything was lost or counted twice.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from ludex.interpreter import Generator, Simulation
from ludex.spec import load

from .arguments import positive

GAME = "tic_tac_toe"
DISTINCT = 2_000
"""The number of games that are played; the others repeat them."""
DAMAGED = 100
"""One of so many logs is damaged."""


def main() -> int:
    """Measure, print the tables, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_logs", description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=positive, default=100_000, help="how many logs there are")
    count = parser.parse_args().logs
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Few logs show what the start alone takes, and whether memory grows with the number.
        few, many = (_write(folder / f"{number}.jsonl", number) for number in (10, count))
        print(f"{'logs':>8} {'jobs':>4} {'results':>7} {'wall s':>8} {'CPU s':>8} {'logs/CPU s':>10} {'peak MB':>8}")
        for jobs in (1, 2):
            _row(few, 10, jobs)
            _row(many, count, jobs)
        _row(many, count, 1, folder / "one.sqlite")
        _row(many, count, 2, folder / "two.sqlite")
        good = _killed(many, count, folder / "killed.sqlite", folder / "one.sqlite")
        return 0 if good else 1


def _write(path: Path, count: int) -> Path:
    """Write a file of so many logs."""
    simulation = Simulation(load(GAME))
    logs = [simulation.play(Generator(0, number)).log for number in range(min(DISTINCT, count))]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            log = logs[number % len(logs)]
            # A row such as 91 is off the board, so the log can be read and is refused.
            file.write(log.replace('"row": ', '"row": 9', 1) if number % DAMAGED == DAMAGED - 1 else log)
    return path


def _command(path: Path, jobs: int, results: Path | None) -> list[str]:
    kept = ["--results", str(results)] if results else []
    return [sys.executable, "-m", "ludex", "validate", str(path), "--quiet", "--jobs", str(jobs), *kept]


def _row(path: Path, count: int, jobs: int, results: Path | None = None) -> None:
    """Run the command, and print what it took."""
    started = time.perf_counter()
    process = subprocess.Popen(_command(path, jobs, results))
    # `wait4` gives the memory of this process; `getrusage` would give the largest of all runs so far.
    _, _, usage = os.wait4(process.pid, 0)
    wall, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    kept = "yes" if results else "no"
    taken = f"{wall:>8.1f} {cpu:>8.1f} {count / cpu:>10,.0f} {usage.ru_maxrss / 1024:>8.0f}"
    print(f"{count:>8,} {jobs:>4} {kept:>7} {taken}", flush=True)


def _killed(path: Path, count: int, results: Path, whole: Path) -> bool:
    """Kill a run when half of the logs are judged, let it continue, and compare with the results of a whole run."""
    process = subprocess.Popen(_command(path, 2, results))
    while (judged := _judged(results)) < count // 2 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    judged = _judged(results)
    print(f"killed with {judged:,} of {count:,} logs judged")
    # Its exit code is 1, as there are damaged logs.
    subprocess.run(_command(path, 2, results), check=False)
    same = _rows(results) == _rows(whole)
    print(f"after the second run: {_judged(results):,} logs; the same rows as in a run that was not killed: {same}")
    return 0 < judged < count and same and _judged(results) == count


def _judged(results: Path) -> int:
    try:
        # To open it otherwise would make the file, which the run would then find.
        with closing(sqlite3.connect(f"file:{results}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM logs").fetchone()[0])
    except sqlite3.OperationalError:  # it is not there yet
        return 0


def _rows(results: Path) -> list[tuple[object, ...]]:
    query = """SELECT l.file, l.number, l.line, l.verdict, l.replayed, l.winners, f.code, f.line
        FROM logs l LEFT JOIN findings f ON f.log = l.id ORDER BY l.file, l.number, f.number"""
    with closing(sqlite3.connect(results)) as connection:
        return connection.execute(query).fetchall()


if __name__ == "__main__":
    sys.exit(main())
