"""The shipped examples in every tier; and the table of the tests that run in every tier."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from ludex.interpreter import Event, Reference, Refusal, Refused, Trace, run_example
from ludex.interpreter.stack import state as naive
from ludex.spec import Game, shipped_games

from .once import game_once
from .tiers import EXTENTS, TierQueries

GUIDE = Path(__file__).parents[1] / "docs" / "contributing.md"


# ---- examples


class Beside(Reference):
    """The reference, which runs the examples; the other tiers have to give the same answers in the same states."""

    def __init__(self, tiers: Sequence[TierQueries]) -> None:
        super().__init__(tiers[0].game)
        self._tiers = tiers

    def refusal(self, state: naive.StackState, event: Event) -> Refusal | None:
        refused = super().refusal(state, event)
        for tier in self._tiers:
            assert tier.is_legal(tier.taken(state), event) == (refused is None), event
        return refused

    def apply(self, state: naive.StackState, event: Event, trace: Trace | None = None) -> naive.StackState:
        try:
            after = super().apply(state, event, trace)
        except Refused:
            assert not any(tier.is_legal(tier.taken(state), event) for tier in self._tiers), event
            raise
        for tier in self._tiers:
            assert tier.standing(tier.apply(tier.taken(state), event)) == after, event
        return after


@pytest.mark.drawn(6)
@pytest.mark.parametrize("name", shipped_games())
def test_each_tier_passes_the_examples(
    name: str, tiers: Mapping[str, Callable[[Game], TierQueries]], rng: Random, is_long: bool
) -> None:
    game, others = game_once(name), sorted(tiers.keys() - {"reference"})
    engine = Beside([tiers[tier](game) for tier in (others if is_long else rng.sample(others, 1))])
    for example in game.examples:
        assert run_example(engine, example).findings == ()


# ---- the table of what runs where


def test_the_table_of_the_tiers_says_what_runs() -> None:
    def shown(number: int | None) -> str:
        return "all" if number is None else str(number)

    rows = [
        f"| {kind} | {each.cases} | {each.counted} | "
        f"{shown(each.reference)} | {shown(each.python)} | {shown(each.native)} |"
        for kind, each in EXTENTS.items()
    ]
    assert "\n".join(rows) in GUIDE.read_text("utf-8")


def test_the_table_of_the_tiers_counts_the_drawn_cases() -> None:
    folder = Path(__file__).parent
    for kind, each in EXTENTS.items():
        path, test = each.test.split("::")
        marked = re.search(rf"drawn\((\d+)\)(?:\n@.*)*\ndef {test}\(", (folder / path).read_text("utf-8"))
        count = re.match(r"\d+", each.cases)
        if marked is not None and count is not None:
            assert count[0] == marked[1], f"{kind}: `EXTENTS` says {each.cases}, and {marked[1]} are drawn"
        assert marked is not None or "of all" not in each.cases, f"{each.test} needs `drawn(...)`"


def test_every_row_of_the_table_is_a_test_in_every_tier() -> None:
    folder = Path(__file__).parent
    found = {
        f"{path.relative_to(folder).as_posix()}::{name}"
        for path in folder.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\([^)]*\btiers:", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {each.test for each in EXTENTS.values()} <= found
