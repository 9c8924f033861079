"""Mistakes on the command line of a benchmark are reported, and nothing runs."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from bench.arguments import count, game, positive, seconds

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("written", ["nan", "inf", "-inf", "-1", "0", "1e400", "soon", ""])
def test_a_text_that_is_no_time_is_refused(written: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is not a number of seconds"):
        seconds(written)


@pytest.mark.parametrize("written", ["-1", "1.5", "1e9", "many", "99999999999", "nan", ""])
def test_a_text_that_is_no_count_is_refused(written: str) -> None:
    for read in (count, positive):
        with pytest.raises(ArgumentTypeError, match="is not a number from"):
            read(written)


def test_zero_is_a_valid_count_unless_it_must_be_positive() -> None:
    assert count("0") == 0
    with pytest.raises(ArgumentTypeError, match="is not a number from 1"):
        positive("0")


@pytest.mark.parametrize("written", ["nosuch", "../boreal", ""])
def test_a_game_that_is_not_shipped_is_refused(written: str) -> None:
    with pytest.raises(ArgumentTypeError, match="there is no shipped game"):
        game(written)


@pytest.mark.drawn(1, by=lambda module, argument: module)
@pytest.mark.parametrize("argument", ["--seconds=nan", "nosuch"])
@pytest.mark.parametrize("module", ["bench", "bench.mutations"])
def test_the_exit_code_for_a_mistake_is_2(module: str, argument: str) -> None:
    command = [sys.executable, "-m", module, argument]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr
