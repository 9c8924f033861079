"""Numbers larger than any in the spec: no tier takes the declared range as a bound of intermediate results."""

from __future__ import annotations

from typing import Any

import pytest

from ludex.grammar import Failure
from ludex.interpreter import Move, Reference, SpecFault
from ludex.interpreter.program import Compiled
from ludex.spec import Game

from ..tiers import TIERS, Missing
from .build import game_from

SPEC = """
state n: 1..1000000 = 1000000
state m: 0..1000000 = 0

define cube = n * n * n

action add
  go: m := if cube + cube + cube + cube + cube + cube + cube + cube + cube + cube > 1 - n then 1 else 2

action multiply
  go: m := (cube * n) mod 7

action store
  go: m := n * n

play
  turn: as seat(1)
    choose add or multiply or store

score points: m
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return game_from(SPEC)


@pytest.mark.parametrize("engine", [Reference, Compiled])
def test_a_number_out_of_range_is_the_same_fault_in_both_engines(
    engine: type[Reference | Compiled], game: Game
) -> None:
    played: Any = engine(game)
    for action in ("multiply", "store"):
        with pytest.raises(SpecFault):
            played.apply(played.start(), Move(0, action))
    assert played.returns(played.apply(played.start(), Move(0, "add")))[0] == 1


def test_native_code_stops_at_an_overflow(game: Game) -> None:
    pytest.importorskip("llvmlite")
    native = TIERS["native"](game)
    with pytest.raises(Missing):
        native.apply(native.start(), Move(0, "add"))


@pytest.mark.parametrize("engine", [Reference, Compiled])
def test_points_larger_than_all_written_numbers_are_ranked(engine: type[Reference | Compiled]) -> None:
    played: Any = engine(
        game_from(
            SPEC.replace("score points: m", "score points: m * n + index(me)\n\nwinner\n  most: highest total(me)")
        )
    )
    state = played.apply(played.start(), Move(0, "add"))
    assert played.returns(state) == (1_000_000, 1_000_001)
    assert played.winners(state).winners == (1,)


MATCHED = """
state n: 0..1000000 = 3
state m: 0..9 = 0

action go
  go: match n * n
    9 => m := 1
    otherwise => m := 2

play
  turn: as seat(1)
    go

score points: m
"""


def test_a_match_on_a_huge_range_takes_little_memory() -> None:
    played: Any = Reference(game_from(MATCHED))
    assert played.returns(played.start()) == (1, 1)
    with pytest.raises(Failure, match="`6`, `7` and 999999999992 more"):
        game_from(MATCHED.replace("    otherwise => m := 2\n", ""))
