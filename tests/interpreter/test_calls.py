"""Calls inside one another: every tier allows as many, and a question that depends on itself has no answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ludex.grammar import Failure
from ludex.interpreter import Engine, Reference, SpecFault
from ludex.interpreter.program import COMPACT, WIDE, Limits
from ludex.spec import CALLS, NESTED_CAN, Game, OverBudget

from ..tiers import TIERS, Missing, TierQueries
from .build import game_from, move

DEFINES = """
state n: 0..5000 = 0
define f(k: 0..5000): 0..5000 cycle 0 = if k = 0 then n mod 2 else f(k - 1) MORE

action go
  choose k in {998, 999, 1000}
  do: n := f(k)

play
  turn: as seat(1)
    go
"""
ACTIONS = """
state n: 0..9 = 0

action down(k: 0..5000)
  step: n := (n + 1) mod 10
  further: if k > 0 then down(k - 1)

action go
  choose k in {998, 999, 1000}
  do: down(k)

play
  turn: as seat(1)
    go
"""


@pytest.mark.parametrize("text", (DEFINES.replace("MORE", ""), DEFINES.replace("MORE", "+ 1"), ACTIONS))
def test_every_tier_allows_as_many_calls_inside_one_another(text: str) -> None:
    game = game_from(text)
    for name, made in TIERS.items():
        try:
            tier = made(game)
        except Missing:
            assert name == "native"
            continue
        for k in (998, 999, 1000):  # called with k, there are k + 1
            if k < CALLS:
                tier.apply(tier.start(), move(0, "go", k=k))
                continue
            with pytest.raises((OverBudget, Missing)) as stopped:
                tier.apply(tier.start(), move(0, "go", k=k))
            assert name == "native" or (isinstance(stopped.value, OverBudget) and stopped.value.part == "calls")


ASKING = """
state n: 0..9 = 0

action f(k: 0..5000)
  CHOOSE
  FEWER

action inner(k: 0..5000)
  require fewer: k = 0 or can f(k - 1)
  go: n := 1

action go
  choose k in {MOST, LEAST}
  require asked: can f(k)
  go: n := 2

define down(k: 0..5000): 0..1 cycle 0 = if k = 0 then 0 else down(k - 1)

play
  turn: as seat(1)
    go
"""
LONG = " and ".join(["n < 9"] * 60)


@pytest.mark.parametrize("choose", ("", "choose j in 1..2"))
@pytest.mark.parametrize(
    "fewer",
    (
        "require fewer: k = 0 or can f(k - 1)\n  go: n := 1",
        f"require fewer: k = 0 or (({LONG}) and can f(k - 1))\n  go: n := 1",
        "require fewer: k > 0 and can f(k - 1) or k = 0 and down(500) = 0\n  go: n := 1",
        "first: n := 1\n  do: inner(k)",
    ),
    ids=("itself", "with long expressions", "before a deep call", "by another action"),
)
@pytest.mark.drawn(2)
def test_every_tier_allows_as_many_tests_inside_one_another(choose: str, fewer: str) -> None:
    text = ASKING.replace("CHOOSE\n", f"{choose}\n").replace("FEWER", fewer)
    for most in (NESTED_CAN - 1, NESTED_CAN):  # asked with k, there are k + 1
        game = game_from(text.replace("MOST", str(most)).replace("LEAST", "3"))
        for name, made in TIERS.items():
            tier = made(game)
            state = tier.start()
            if most < NESTED_CAN:
                assert tier.legal_moves(state) == (move(0, "go", k=3), move(0, "go", k=most)), name
                continue
            with pytest.raises((OverBudget, Missing)) as stopped:
                tier.legal_moves(state)
            if name == "native":
                assert f"more than {NESTED_CAN} `can`" in str(stopped.value)
            else:
                assert isinstance(stopped.value, OverBudget)
                assert (stopped.value.part, stopped.value.path) == ("can", "f")


def test_a_test_may_ask_for_many_others_one_after_another() -> None:
    fewer = "require all: every i in 1..70 has can inner(i)\n  go: n := 1"
    text = ASKING.replace("CHOOSE\n", "\n").replace("FEWER", fewer).replace("or can f(k - 1)", "or k > 70 and can f(k)")
    game = game_from(text.replace("MOST", "7").replace("LEAST", "3").replace("k = 0", "k < 71"))
    for name, made in TIERS.items():
        tier = made(game)
        assert len(tier.legal_moves(tier.start())) == 2, name


def asking_each_other(count: int) -> str:
    """Return actions of which each asks for the next, and the last for none."""
    actions = (
        f"action f{at}\n  require next: " + (f"can f{at + 1}" if at < count else "n = 0") + "\n  go: n := 1\n\n"
        for at in range(count + 1)
    )
    return f"state n: 0..9 = 0\n\n{''.join(actions)}play\n  turn: as seat(1)\n    may f0\n"


def test_every_tier_follows_a_chain_of_tests_to_the_limit_of_the_check() -> None:
    game = game_from(asking_each_other(NESTED_CAN))
    for name, made in TIERS.items():
        tier = made(game)
        assert tier.legal_moves(tier.start()) == (move(0, "f0"), move(0, "decline")), name


def test_the_check_refuses_a_longer_chain() -> None:
    with pytest.raises(Failure) as refused:
        game_from(asking_each_other(NESTED_CAN + 1))
    (found,) = refused.value.diagnostics
    assert (found.code.code, found.span.line) == ("B101", 8 + 4 * NESTED_CAN)


OTHERWISE = """
state n: 0..9 = 0

action f(k: 0..9)
  require small: k < 2
  go: n += 1 up to 9

action go
  require asked: can f(2)
  go: f(1)

action free
  go: n += 1 up to 9

play
  turn: as seat(1)
    choose free or go
"""


@pytest.mark.parametrize("name", TIERS)
def test_a_requirement_may_ask_with_other_arguments_than_any_step_states(name: str) -> None:
    tier = TIERS[name](game_from(OTHERWISE))
    assert tier.legal_moves(tier.start()) == (move(0, "free"),)


ITSELF = """
state n: 0..9 = 0

action one
  require other: n = 0 or can two
  go: n += 1 up to 9

action two
  require other: n = 0 or can one
  go: n += 1 up to 9

action free
  go: n += 2 up to 9

play
  turns: repeat 3 times
    as seat(1)
      choose free or one
"""


@pytest.fixture(scope="module")
def itself() -> Game:
    return game_from(ITSELF)


@pytest.mark.parametrize("limits", (COMPACT, WIDE), ids=("compact", "wide"))
def test_whether_an_action_can_be_done_may_not_depend_on_itself(itself: Game, limits: Limits) -> None:
    engine, reference = Engine(itself, limits), Reference(itself)
    here, there = engine.start(), reference.start()
    assert engine.legal_moves(here) == reference.legal_moves(there) == (move(0, "free"), move(0, "one"))
    here, there = engine.apply(here, move(0, "free")), reference.apply(there, move(0, "free"))
    with pytest.raises(SpecFault, match="itself"):
        engine.legal_moves(here)
    with pytest.raises(SpecFault, match="itself"):
        reference.legal_moves(there)


AGAIN = """
state n: 0..9 = 0

action again
  choose k in 1..2
  require open: n = 0 or REQUIRED
  go: n := 1
  FURTHER

play
  turn: repeat 3 times
    as seat(1)
      may again

score some_points: if can again then 1 else 0
"""


@pytest.mark.parametrize("required", ("can again", "(every i in 0..2 has no j in 1..3 has can again)", "total(me) = k"))
def test_a_test_that_leads_to_itself_is_a_fault_in_every_tier(required: str) -> None:
    game = game_from(AGAIN.replace("REQUIRED", required).replace("FURTHER", "too: n := 1"))
    for name, made in TIERS.items():
        tier = made(game)
        with pytest.raises(SpecFault) as stopped:
            tier.apply(tier.start(), move(0, "again", k=1))
        assert not isinstance(stopped.value, OverBudget), name
    engine = Engine(game)
    with pytest.raises(SpecFault, match="itself") as explained:
        engine.apply(engine.start(), move(0, "again", k=1))
    assert explained.value.path == ("score.some_points" if "total" in required else "again.open")


@pytest.mark.parametrize("further", ("if can again then n += 2 up to 9", "if not can again then n += 2 up to 9"))
def test_a_test_after_a_step_that_leads_to_itself_makes_no_move_illegal(further: str) -> None:
    text = AGAIN.replace("REQUIRED", "n = 1").replace("n := 1", "n := 1\n  require alive: n > 0")
    game = game_from(text.replace("FURTHER", f"on: {further}"))
    cells = set()
    for made in TIERS.values():
        tier = made(game)
        state = tier.start()
        assert [each.action for each in tier.legal_moves(state)] == ["again", "again", "decline"]
        cells.add(tier.cell(tier.apply(state, move(0, "again", k=1)), "n"))
    assert len(cells) == 1


SEARCHED = """
type P = 1..3
state n: 0..9 = 0

action go
  choose p in POTHERS
  require r: p in {0, 2, 1}
  go: n := p

play
  turn: as seat(1)
    go
"""


@pytest.mark.parametrize("others", ("", ", q in P, s in P"), ids=("unrolled", "looped"))
def test_a_searched_collection_may_hold_numbers_that_cannot_be_chosen(
    tiers: Mapping[str, Callable[[Game], TierQueries]], others: str
) -> None:
    game = game_from(SEARCHED.replace("OTHERS", others))
    for made in tiers.values():
        engine = made(game)
        chosen = [dict(each.arguments)["p"] for each in engine.legal_moves(engine.start())]
        assert chosen == sorted(chosen)
        assert set(chosen) == {1, 2}
