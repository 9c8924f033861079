"""`ludex perft`: the last number of the last line is the count; a tree that cannot be counted is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import ludex
from .specs import write

ENDLESS_TURN = """\
game blinking
  players: 2
  convention: "made up"

state lit: 0..1 = 0

action blink
  go: lit := 1 - lit

play
  turns: each player in seats
    repeat may blink
"""


def test_the_number_is_last() -> None:
    ran = ludex("perft", "tic_tac_toe", "--depth", 3)
    assert (ran.code, ran.stderr) == (0, "")
    assert [row.split()[1:] for row in ran.stdout.splitlines()] == [["1", "9"], ["2", "72"], ["3", "504"]]


@pytest.mark.parametrize("depth", [10**2, 10**9, 10**30])
def test_the_count_is_0_beyond_the_longest_play(depth: int) -> None:
    ran = ludex("perft", "kuhn_poker", "--depth", depth)
    assert (ran.code, ran.stdout.splitlines()[-1].split()) == (0, ["depth", "6", "0"])


def test_the_count_is_1_at_depth_0() -> None:
    assert ludex("perft", "pig", "--depth", 0).stdout.split() == ["depth", "0", "1"]
    assert json.loads(ludex("perft", "pig", "--depth", 0, "--format", "json").stdout)["leaves"] == [1]


def test_the_table_has_the_requested_settings() -> None:
    args = ("perft", "pig", "--depth", 1, "--players", 3)
    assert ludex(*args).stdout.split() == ["depth", "1", "1"]
    assert ludex(*args, "--option", "passing=true").stdout.split() == ["depth", "1", "2"]


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["pig"], "--depth"),
        (["pig", "--depth", "-1"], "-1"),
        (["pig", "--depth", "many"], "many"),
        (["pig", "--depth", "1", "--by", "round"], "round"),
        (["pig", "--depth", "1", "--players", "7"], "2 to 6"),
    ],
)
def test_wrong_usage_is_reported(args: list[str], word: str) -> None:
    ran = ludex("perft", *args)
    assert ran.code == 3
    assert word in ran.output


def test_an_endless_turn_cannot_be_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "blinking", ENDLESS_TURN)
    ran = ludex("perft", path, "--depth", 2, "--by", "turn")
    assert ran.code == 3
    assert "count by events" in ran.output
    assert ludex("perft", path, "--depth", 2).code == 0
