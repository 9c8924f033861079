"""What `ludex diff` would tell of a small game with a margin and a translation: what shows it is made up here, so that
reports can be tested without a search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludex.cli.books import Books
from ludex.cli.differences import Picture, Telling
from ludex.grammar import whole_file
from ludex.interpreter import Beside, Bounds, Effort, Finding, Shown, Side, unplayed
from ludex.spec import ACCEPT, Comparison, Divergence, Ruling, compare, read_game

from .specs import write_ferry

LINES: tuple[dict[str, Any], ...] = (
    {"ludex": 1, "game": "ferry", "edition": "en", "players": ["Anna", "Boris"]},
    {"player": "Anna", "action": "take", "args": {"n": 3}},
    {"player": "Boris", "action": "take", "args": {"n": 3}},
    {"player": "Anna", "action": "take", "args": {"n": 3}},
)
TABLES = (
    Picture(0, ("load  0  0",), ("load  0  0",)),
    Picture(1, ("load  3  0",), ("load  3  0",)),
    Picture(2, ("load  3  3", "crew  1"), ("load  3  3", "crew  2")),
)


def ferry(folder: Path, *editions: str, everything: bool = False) -> Telling:
    """The game, compared; the first clause with a game that shows it, the last decided."""
    text = read_game(write_ferry(folder))
    named = editions or tuple(text.editions)
    comparison = compare({name: text.editions[name].module for name in named}, text.game.module)
    findings = tuple(_judged(comparison))
    shown = [finding.divergence.id for finding in findings if finding.witness]
    ruling = Ruling("score.cargo", {}, ACCEPT, "the crew counts in Hebrew only", whole_file("rulings.yaml"))
    decided = {each.id: ruling for each in comparison.divergences if each.row.clause == "score.cargo"}
    return Telling(
        game="ferry",
        title="Ferry",
        comparison=comparison,
        findings=findings,
        documents=text.documents,
        beside=Beside(rulings=decided),
        effort=Effort(100, 2.0),
        details=True,
        everything=everything,
        books=Books(folder / "books", text.documents),
        positions=dict.fromkeys(shown, (TABLES,)),
    )


def _judged(comparison: Comparison) -> Iterator[Finding]:
    for each in unplayed(comparison):
        divergence = each.divergence
        if divergence.row.clause == "take.enough":
            yield Finding(
                divergence,
                "stricter",
                "legal-moves",
                "",
                _shown(divergence),
                False,
                Bounds(3, 40, 8, 0.5, False, states=31),
            )
        elif each.effect == "none":
            yield each
        else:
            yield Finding(
                divergence,
                "unknown",
                "unknown",
                "no game was found",
                None,
                True,
                Bounds(9, 70, 4, 1.0, True, states=52),
            )


def _shown(divergence: Divergence) -> Shown:
    left, right = divergence.groups[0][0], divergence.groups[1][0]
    allows = Side(left, True, ((divergence.row.clause, ("en 3",)),), "6 are not more than 6")
    refuses = Side(right, False, ((divergence.row.clause, ("he 2",)),), "6 are more than 5")
    return Shown(2, LINES, 4, allows, refuses)
