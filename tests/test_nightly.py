"""The nightly command: its steps get valid arguments, and it reports failures at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .nightly import ROOT, run, steps


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", [name for name in steps(1, 0, Path()) if name != "tests"])
def test_the_arguments_of_each_step_are_valid(name: str, tmp_path: Path) -> None:
    """Values of options are parsed before `--help` ends the run; the help shows which options exist."""
    command = [sys.executable, *steps(2, 7, tmp_path)[name], "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [each for each in command if each.startswith("--") and each not in done.stdout] == []


def test_a_failing_step_does_not_stop_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    commands = {"bad": ["-c", "raise SystemExit(3)"], "good": ["-c", "print('done')"], "other": ["-c", "print('no')"]}
    assert run(commands, ["bad", "good"]) == 1
    output = capfd.readouterr().out
    assert "bad: FAILED (exit code 3)" in output
    assert "done" in output
    assert "no\n" not in output
    assert output.endswith("failed: bad\n")
