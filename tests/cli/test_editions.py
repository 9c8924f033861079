"""What commands say of a game that has several editions: whose clauses a run goes by, and `--edition all`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from .running import Ran, ludex
from .specs import write_ferry

LOADS = (3, 3, 3, 2)
"""Legal by the English text; the second load of the first is too much by the Hebrew one, its first for the margin."""


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return write_ferry(tmp_path)


def log(folder: Path, name: str = "game.jsonl", loads: Sequence[int] = LOADS, **header: Any) -> Path:
    path = folder.parent / name
    lines = [{"ludex": 1, "game": str(folder / "ferry.ludex"), "players": 2, **header}]
    lines += [{"player": at % 2 + 1, "action": "take", "args": {"n": n}} for at, n in enumerate(loads)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def data(ran: Ran) -> Any:
    return json.loads(ran.stdout)


# ---- a run says whose clauses it goes by ----------------------------------------------------------------------------


def test_a_run_lists_what_is_borrowed_and_ruled(ferry: Path) -> None:
    found = data(ludex("simulate", ferry, "--edition", "he", "--games", "1", "--format", "json"))
    assert (found["game"], found["edition"], found["silence"]) == ("ferry", "he", "borrow")
    assert found["lenders"] == {"en": 4}
    assert {"clause": "take.small", "stated_by": "en"} in found["borrowed"]
    assert {"clause": "take.small.full", "stated_by": "en.margin"} in found["ruled"]
    assert found["clauses"]["borrowed"] == len(found["borrowed"])


def test_to_the_letter_nothing_is_borrowed(ferry: Path) -> None:
    found = data(ludex("simulate", ferry, "--silence", "literal", "--games", "1", "--format", "json"))
    assert (found["edition"], found["silence"], found["borrowed"]) == ("en", "literal", [])


def test_every_edition_in_turn(ferry: Path) -> None:
    found = data(ludex("simulate", ferry, "--edition", "all", "--games", "1", "--format", "json"))
    assert [each["edition"] for each in found["editions"]] == ["en", "en.margin", "he"]


def test_a_game_without_editions_has_one_turn() -> None:
    found = data(ludex("simulate", "pig", "--edition", "all", "--games", "1", "--format", "json"))
    assert [each["edition"] for each in found["editions"]] == ["pig"]
    assert ludex("test", "pig", "--edition", "all").code == 0
    assert ludex("check", "pig", "--edition", "all").code == 0


def test_logs_to_the_letter_have_names_of_their_own(ferry: Path, tmp_path: Path) -> None:
    for silence in ("borrow", "literal"):
        assert ludex("simulate", ferry, "--games", "1", "--silence", silence, "--out", tmp_path / "logs").code == 0
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["ferry-en-2p-seed0-000001.jsonl", "ferry-en-literal-2p-seed0-000001.jsonl"]
    headers = [json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in (tmp_path / "logs").iterdir()]
    assert {header.get("silence") for header in headers} == {None, "literal"}
    assert len({header["fingerprint"] for header in headers}) == 2
    assert ludex("validate", tmp_path / "logs", "--game", ferry).code == 0


def test_playing_tells_the_edition_first(ferry: Path) -> None:
    row = ludex("play", ferry, "--edition", "he", stdin="quit\n").output.splitlines()[0]
    assert row.startswith("ferry, edition he: 4 clauses of its own, 4 borrowed from en, 2 ruled")
    assert "edition" not in ludex("play", "pig", stdin="quit\n").output


def test_what_a_log_was_judged_by_is_told_once(ferry: Path) -> None:
    ran = ludex("validate", log(ferry), log(ferry, "other.jsonl"))
    assert ran.output.count("ferry, edition en: ") == 1
    assert ran.output.splitlines()[-1] == "2 logs: 2 legal"
    found = data(ludex("validate", log(ferry), "--format", "json"))
    assert [(each["game"], each["edition"]) for each in found["editions"]] == [("ferry", "en")]


def test_a_clause_behind_a_finding_says_that_it_is_borrowed(ferry: Path) -> None:
    bad = log(ferry, edition="en.margin", loads=(2, 1, 2, 1, 1, 1, 2))
    row = next(row for row in ludex("validate", bad).output.splitlines() if "why:" in row)
    assert row.startswith("  why:   take.enough  [en 3]")
    assert row.endswith("en.ludex:5:3), borrowed from en")
    (found,) = data(ludex("validate", bad, "--format", "json"))["logs"]
    assert found["findings"][0]["why"][0].get("borrowed_from") == "en"
