"""The reverse audit: every difference that readers of two texts listed is answered by a decision."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
READINGS = ROOT / "docs" / "readings"
LISTS = sorted(path.relative_to(READINGS).as_posix() for path in READINGS.glob("*/*.yaml"))
GAMES = sorted({name.partition("/")[0] for name in LISTS})


@cache
def read(path: Path) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return records


def decisions(game: str) -> list[dict[str, Any]]:
    return read(ROOT / "spec" / "games" / game / "collation.yaml")


def named(path: str, entry: dict[str, Any]) -> str:
    """Return the name by which a decision refers to an entry: `ru-en "tie for the win"`."""
    topic = entry["topic"].replace('"', "")
    return f'{Path(path).stem} "{topic}"'


def answers(path: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    game = path.partition("/")[0]
    return [each for each in decisions(game) if named(path, entry) in each.get("lists", ())]


def tells_apart(decision: dict[str, Any], sigla: list[str]) -> bool:
    """Return whether one of these texts states what another does not, or leaves the question open."""
    statements = [decision["texts"].get(name, {}) for name in sigla]
    return (
        any("open" in each or "both" in each for each in statements)
        or len({each.get("reading") for each in statements}) > 1
    )


@pytest.mark.parametrize("path", LISTS)
def test_every_entry_that_binds_players_is_answered(path: str) -> None:
    open_entries = [
        entry["topic"] for entry in read(READINGS / path) if entry.get("binds") and not answers(path, entry)
    ]
    assert open_entries == [], "name each entry under `lists` of the decision that answers it, in collation.yaml"


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_names_an_entry(game: str) -> None:
    known = {
        named(path, entry)
        for path in LISTS
        if path.startswith(f"{game}/")
        for entry in read(READINGS / path)
        if "topic" in entry
    }
    answered = {name for decision in decisions(game) for name in decision.get("lists", ())}
    assert sorted(answered - known) == []


@pytest.mark.parametrize("path", LISTS)
def test_the_table_has_the_figures_of_each_list(path: str) -> None:
    binding = [entry for entry in read(READINGS / path) if entry.get("binds")]
    sigla = Path(path).stem.split("-")
    parted = [entry for entry in binding if any(tells_apart(each, sigla) for each in answers(path, entry))]
    figures = f"| {len(binding)} | {len(parted)} | {len(binding) - len(parted)} |"
    table = (READINGS / "README.md").read_text(encoding="utf-8").splitlines()
    line = next((line for line in table if line.startswith(f"| `{path}` |")), "")
    assert line.endswith(figures), f"let the row of {path} in the README end with {figures}"
