"""The benchmarks run. Their results are not asserted: a busy machine is not a fault in the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import PARTS
from bench.measure import Effort

ROOT = Path(__file__).parents[2]


def bench(*arguments: str) -> str:
    command = [sys.executable, "-m", "bench", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.drawn(1)
@pytest.mark.parametrize("part", [part for part in PARTS if part != "start"])
def test_each_part_prints_its_table(part: str) -> None:
    """The starts take longer, since they begin without a cache: a long run prints their table."""
    title, *rows = PARTS[part](("tic_tac_toe",), Effort(1, 0.01))
    assert title.startswith(f"{part}: ")
    assert len(rows) > 1


@pytest.mark.drawn(0)
def test_the_benchmarks_print_their_tables() -> None:
    written = bench("tic_tac_toe", "--repeats", "1", "--seconds", "0.01")
    tables = [line for line in written.splitlines() if line and not line.startswith(" ")][2:]
    titles = [title.partition(":")[0] for title in tables]
    assert titles == list(PARTS)
    assert "tic_tac_toe by hand" in written
    assert str(ROOT) not in written


def test_a_profile_names_functions() -> None:
    written = bench("kuhn_poker", "--profile", "--lines", "5", "--seconds", "0.05")
    assert written.count("ncalls") == 2
