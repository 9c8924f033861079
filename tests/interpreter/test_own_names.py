"""A declaration may have the name of a builtin. The checks resolve the name, and no engine resolves it again."""

from __future__ import annotations

import pytest

from ludex.interpreter import Generator
from ludex.spec.elaborate.builtins import BUILTIN_FUNCTIONS

from .. import lockstep
from ..tiers import PythonTier, ReferenceTier
from .build import game_from

NAMES = [name for name in BUILTIN_FUNCTIONS if name not in ("top", "winner", "game_over")]
"""Builtins that are not keywords, nor allowed in examples only."""
GAME = """
state mark(Player): 0..9 = 0

DECLARED

define used(p: Player) =
  abs(number(next(p)) - number(previous(opponent(p)))) + size(clockwise(p)) + place_in(reversed(seats), p)

play
  turn: repeat 2 times
    each player in seats
      choose set

action set
  choose n in 1..3
  require odd: (SUM + used(me) + total(me) + n) mod 3 != 0
  note: mark(me) += n up to 9

score most: my mark + used(me)

winner
  most: highest total(me)
  draw: share
"""
DECLARED = {
    "define": ("define {0} = mark(seat(1)) + {1}", "{0}"),
    "fact": ("fact {0} = {1}", "{0}"),
    "state": ("state {0}: 0..99 = {1}", "{0}"),
    "option": ("option {0}: 0..99 = {1}", "{0}"),
    "zone": ("zone {0}: pile of Player, open", "size({0})"),
    "action": ("action {0}\n  note: mark(me) += 1 up to 9", "(if can {0} then {1} else 0)"),
}


@pytest.mark.parametrize("kind", DECLARED)
def test_a_declared_name_hides_the_builtin(kind: str) -> None:
    declared, used = DECLARED[kind]
    rows = "\n".join(declared.format(name, at) for at, name in enumerate(NAMES))
    text = GAME.replace("DECLARED", rows).replace("SUM", " + ".join(used.format(n, at) for at, n in enumerate(NAMES)))
    game = game_from(text)
    for number in range(3):
        lockstep.beside([PythonTier(game)], ReferenceTier(game), Generator(0, number), [])
