"""`python -m bench.many_logs` finds no fault with a run that is killed. CI has a smaller one, in test_results.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.drawn(0)
@pytest.mark.parametrize("logs", [3_000])
def test_no_log_is_lost_or_counted_twice(logs: int) -> None:
    command = [sys.executable, "-m", "bench.many_logs", "--logs", str(logs)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{logs:,} logs; the same rows as in a run that was not killed: True" in done.stdout
