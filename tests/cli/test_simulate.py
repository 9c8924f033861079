"""`ludex simulate`: the same seed gives the same bytes for any number of processes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludex.spec import shipped_games

from .running import ludex
from .specs import ENDLESS_SUM, write


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    def run(name: str, *args: object) -> dict[str, bytes]:
        ran = ludex("simulate", "pig", "--players", 3, "--out", tmp_path / name, *args)
        assert ran.code == 0, ran.output
        return written(tmp_path / name)

    first = run("first", "--games", 3, "--seed", 7)
    assert sorted(first) == [f"pig-3p-seed7-{number:06d}.jsonl" for number in (1, 2, 3)]
    assert run("again", "--games", 3, "--seed", 7) == first
    assert run("audited", "--games", 3, "--seed", 7, "--audit") == first
    more = run("more", "--games", 5, "--seed", 7)
    assert {name: more[name] for name in first} == first, "a play must not depend on the number of plays"
    assert run("other", "--games", 3, "--seed", 8).keys().isdisjoint(first)


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    alone = ludex("simulate", "kuhn_poker", "--games", 30, "--out", tmp_path / "alone")
    together = ludex("simulate", "kuhn_poker", "--games", 30, "--out", tmp_path / "together", "--jobs", 2)
    assert together.output == alone.output.replace(f"{tmp_path / 'alone'},", f"{tmp_path / 'together'},")
    assert written(tmp_path / "together") == written(tmp_path / "alone")


@pytest.mark.drawn(3)
@pytest.mark.parametrize("game", shipped_games())
def test_random_games_are_sound_and_their_logs_legal(game: str, tmp_path: Path, play_seed: int, is_long: bool) -> None:
    games = 5 if is_long else 2
    ran = ludex("simulate", game, "--games", games, "--seed", play_seed, "--audit", "--out", tmp_path)
    assert ran.code == 0, ran.output
    assert "audit: all games ended, nothing was created or lost, nothing leaked, every log is legal" in ran.output
    judged = ludex("validate", tmp_path)
    assert judged.output.splitlines()[-1] == f"{games} logs: {games} legal"
    assert "warning" not in judged.output


def test_a_spec_fault_is_a_finding(tmp_path: Path) -> None:
    path = write(tmp_path, "sums", ENDLESS_SUM)
    ran = ludex("simulate", path, "--games", 15, "--out", tmp_path / "logs")
    assert ran.code == 1
    assert "P901" in ran.output
    assert "... and 5 more games" in ran.output
    assert len(written(tmp_path / "logs")) == 15, "plays that end in a spec fault must be written, too"
    data = json.loads(ludex("simulate", path, "--games", 2, "--format", "json").stdout)
    assert [finding["game"] for finding in data["findings"]] == [1, 2]
    assert data["ended"] == 0


def test_the_numbers_in_the_json_add_up(tmp_path: Path) -> None:
    data = json.loads(ludex("simulate", "tic_tac_toe", "--games", 40, "--format", "json").stdout)
    assert data["games"] == data["ended"] == 40
    assert 5 <= data["events"]["least"] <= data["events"]["mean"] <= data["events"]["most"] <= 9
    assert data["legal_moves"]["most"] == 9
    assert sum(data["wins"]) == 40 + data["shared"]
    assert sum(data["wins_alone"]) == 40 - data["shared"]


def test_the_shares_of_wins_add_up(tmp_path: Path) -> None:
    ran = ludex("simulate", "tic_tac_toe", "--games", 40, "--out", tmp_path)
    (row,) = [row for row in ran.stdout.splitlines() if row.startswith("won")]
    assert row.startswith("won alone by seat(1)")
    assert sum(float(share) for share in re.findall(r"([0-9.]+) %", row)) == pytest.approx(100)
    assert f"40 logs in {tmp_path}, such as tic_tac_toe-2p-seed0-000001.jsonl" in ran.stdout


def test_settings_are_written_into_the_logs(tmp_path: Path) -> None:
    args = ("--edition", "aid", "--reading", "moment=at_end", "--games", 1, "--out", tmp_path)
    assert ludex("simulate", "boreal", *args).code == 0
    [(name, content)] = written(tmp_path).items()
    assert name == "boreal-aid-2p-seed0-000001.jsonl"
    header = json.loads(content.splitlines()[0])
    assert (header["edition"], header["readings"]) == ("aid", {"moment": "at_end"})


@pytest.mark.parametrize("command", ["simulate", "play", "diff"])
@pytest.mark.parametrize("seed", ["-1", "18446744073709551616", "1.5", "x", "", "9" * 5000])
def test_a_value_that_is_no_seed_is_refused(command: str, seed: str) -> None:
    ran = ludex(command, "boreal", "--seed", seed)
    assert ran.code == 3
    assert f"{seed[:30]}" in ran.output
    assert "is not a seed, a whole number from 0 to 18446744073709551615." in ran.output


def test_the_largest_seed_is_taken(tmp_path: Path) -> None:
    assert ludex("simulate", "pig", "--games", 1, "--seed", 2**64 - 1, "--out", tmp_path).code == 0
    assert [*written(tmp_path)] == ["pig-2p-seed18446744073709551615-000001.jsonl"]


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert ludex("simulate", "pig", "--games", 1, "--out", tmp_path / "file" / "logs").code == 3


def test_many_games_of_boreal_are_sound(play_seed: int, is_long: bool, tmp_path: Path) -> None:
    """The full run of ten thousand games is `ludex simulate boreal --games 10000 --audit`."""
    games, seed = 240 if is_long else 24, play_seed
    ran = ludex("simulate", "boreal", "--games", games, "--seed", seed, "--audit", "--out", tmp_path / "first")
    assert ran.code == 0, ran.output
    assert "audit: all games ended, nothing was created or lost, nothing leaked, every log is legal" in ran.output
    again = ludex("simulate", "boreal", "--games", 4, "--seed", seed, "--out", tmp_path / "again")
    assert again.code == 0, again.output
    first, second = written(tmp_path / "first"), written(tmp_path / "again")
    assert len(second) == 4
    assert second.items() <= first.items()
