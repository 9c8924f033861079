"""The nightly command: each of its steps takes the arguments that it is given, and a failure is told at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .nightly import ROOT, run, steps


@pytest.mark.parametrize("name", [name for name in steps(1, 0, Path()) if name != "tests"])
def test_a_step_takes_its_arguments(name: str, tmp_path: Path) -> None:
    """Before `--help` the values of options are read; which options there are it says itself."""
    command = [sys.executable, *steps(2, 7, tmp_path)[name], "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [each for each in command if each.startswith("--") and each not in done.stdout] == []


def test_a_failure_stops_no_other_step(capfd: pytest.CaptureFixture[str]) -> None:
    commands = {"bad": ["-c", "raise SystemExit(3)"], "good": ["-c", "print('done')"], "other": ["-c", "print('no')"]}
    assert run(commands, ["bad", "good"]) == 1
    output = capfd.readouterr().out
    assert "bad: FAILED (exit code 3)" in output
    assert "done" in output
    assert "no\n" not in output
    assert output.endswith("failed: bad\n")
