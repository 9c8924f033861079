"""Guards that go on after a change: the state before it answers requirements that read nothing that has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludex.interpreter import Reference
from ludex.interpreter.program import Compiled, lower
from ludex.interpreter.program.ir.code import Decision, Option
from ludex.interpreter.program.ir.limits import COMPACT, WIDE, Limits
from ludex.interpreter.program.lowering import changes, guards
from ludex.spec import Game

from ..tiers import TIERS, Missing
from .build import game_from

PRICES = """
type Coin = 1..3

state coins(Player): 0..9 = 2
state goods(Player): 0..9 = 1
zone purse(Player): bag of Coin, open
zone shelf: bag of Coin up to 5, open
zone slot: one Coin, open

setup
  fill: each player in seats
    put {1, 2} in my purse

define owned(p: Player, k: 0..3) =
  if k = 0 then coins(p)
  else if k = 1 then goods(p)
  else if k = 2 then count(c in purse(p) where c > 1) + count(q in Player where goods(q) > coins(q))
  else 7
define most(p: Player) = max(owned(p, j) for j in 0..3)

action mend
  require broken: my goods < 2
  go: my goods += 1 up to 9

action buy
  choose k in 0..3, n in 1..3
  go:
    STEPS

play
  turns: repeat 2 times
    each player in seats
      may buy
"""

PAID, MOVED = "my coins -= 1", "move n from my purse to shelf"
OPEN, SETTLED, NONE = (True, True), (True, False), (False, True)
STEPS: dict[tuple[str, ...], tuple[bool, bool]] = {
    (PAID, "require goods: my goods >= n"): SETTLED,
    (PAID, "require coins: my coins >= n"): NONE,
    (PAID, "require owned: owned(me, k) >= n"): OPEN,
    (PAID, "require most: most(me) > n"): NONE,
    (PAID, "require one: my goods >= n", "my goods -= 1", "require size: size(my purse) > k"): SETTLED,
    (PAID, "require one: my goods >= n", "my goods -= 1", "require two: my goods + 2 > k"): OPEN,
    ("my goods := k", "require goods: owned(me, 1) >= n"): NONE,
    ("if k = 2 then my coins -= 1", "require coins: my coins > n"): NONE,
    ("if k = 2 then my coins -= 1", "require goods: my goods >= n"): SETTLED,
    ("repeat 2 times", "  my coins -= 1", "require goods: my goods >= n"): OPEN,
    ("my coins -= n", "require goods: my goods > k"): SETTLED,
    ("my coins := the(c in my purse)", "require goods: my goods > k"): SETTLED,
    (MOVED, "require goods: my goods > k"): SETTLED,
    (MOVED, "require owned: owned(me, k) >= n"): OPEN,
    (MOVED, "require shelf: size(shelf) < 2"): NONE,
    ("move n from my purse to slot", "require goods: my goods > k"): SETTLED,
    ("put n in shelf", "require goods: my goods > k"): NONE,
}
"""Steps of an action: whether its option has a guard, and whether a move that the guard allows is tried."""


def game(steps: tuple[str, ...]) -> Game:
    return game_from(PRICES.replace("STEPS", "\n    ".join(steps)))


def option(game: Game) -> Option:
    return next(wait.options[0] for wait in lower(game).waits if isinstance(wait, Decision))


@pytest.mark.drawn(5)
@pytest.mark.parametrize("steps", STEPS)
def test_a_requirement_that_reads_no_change_needs_no_trial(steps: tuple[str, ...]) -> None:
    found = option(game(steps))
    assert (found.guarded, found.refusable) == STEPS[steps]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("limits", (WIDE, COMPACT))
@pytest.mark.parametrize("steps", STEPS)
def test_the_legal_moves_are_those_of_the_reference(steps: tuple[str, ...], limits: Limits) -> None:
    played = game(steps)
    compiled, reference = Compiled(played, limits), Reference(played)
    state, said = compiled.start(), reference.start()
    for turn in range(4):
        moves = compiled.legal_moves(state)
        assert moves == reference.legal_moves(said)
        for each in moves[turn::3]:
            try:
                after = compiled.apply(state, each), reference.apply(said, each)
            except Exception:  # noqa: BLE001 - the move is legal, and its change a fault
                continue
            assert compiled.to_reference(after[0]) == after[1]
            state, said = after
            break


@pytest.mark.drawn(3)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", TIERS)
def test_the_tiers_agree_on_the_first_moves(name: str, steps: tuple[str, ...]) -> None:
    played = game(steps)
    try:
        tier = TIERS[name](played)
        moves = tier.legal_moves(tier.start())
    except Missing as missing:
        pytest.skip(str(missing))
    reference = Reference(played)
    assert moves == reference.legal_moves(reference.start())


def test_a_change_that_is_a_fault_makes_no_move_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    played = game((MOVED, "require goods: my goods > k"))
    reference = Reference(played)
    moves = reference.legal_moves(reference.start())
    compiled = Compiled(played)
    assert compiled.legal_moves(compiled.start()) == moves
    whole = changes.change_of
    monkeypatch.setattr(guards, "change_of", lambda *given: (one := whole(*given)) and replace(one, needs=()))
    mutant = Compiled(played)
    assert mutant.legal_moves(mutant.start()) != moves, "the mutant must be caught"


@pytest.mark.parametrize(
    ("step", "is_tried"),
    [
        ("if can mend then mend", False),
        ("if k > 1 and can mend then mend", False),
        ("if k > 1 or can mend then mend", True),
        ("if can mend then my goods += 1\n    mend", True),
        ("mend", True),
    ],
)
def test_a_requirement_that_the_flow_has_just_tested_refuses_nothing(step: str, is_tried: bool) -> None:
    # A requirement in a loop needs a trial, whatever it reads.
    played = game(("repeat k times", *(f"  {line.strip()}" for line in step.splitlines())))
    assert option(played).refusable is is_tried
    compiled, reference = Compiled(played), Reference(played)
    assert compiled.legal_moves(compiled.start()) == reference.legal_moves(reference.start())
