"""Requirements that can hold together are not reported as contradictory."""

from __future__ import annotations

from pathlib import Path

from ludex.spec import load

GAME = """
game rich
  title: en "Rich"
  players: 2
  convention: "a test"

state coins: 0..1000000 = 0

define worth(n: 0..1000000) = n * 999999999

action take
  choose n in 0..10
  require large: worth(coins) > 2000000 * 1000000
  require a_little_less: worth(coins) > 2000000 * 1000000 - 5
  coins := n

play
  turns: repeat
    each player in seats
      take: take
      won: if coins > 5 then end game

score coins: coins

winner
  coins: highest total(me)
"""


def test_bounds_may_be_larger_than_every_literal(tmp_path: Path) -> None:
    """A constant may be a product of literals."""
    file = tmp_path / "rich.ludex"
    file.write_text(GAME, encoding="utf-8")
    assert load(str(file)).actions
